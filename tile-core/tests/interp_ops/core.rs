//! Operations that move data, and those that promise something about it.

use crate::common::LOC;
use crate::input::{eval, tile};
use tile_core::interp::Tile;
use tile_core::ir::AssumePredicate;
use tile_core::ops::{ConversionOp, CoreOp};
use tile_core::types::{Scalar, Type};

#[test]
fn data_moves_as_the_shapes_say() {
    let data: Vec<u64> = (0..24_u64).map(|i| i * 7 % 256).collect();
    let input = Tile::new(Scalar::I8, &[2, 4, 2], data[..16].to_vec());
    let got = eval(&[input.clone()], |b, args| {
        b.permute(args[0], &[2, 0, 1], LOC)
    })
    .expect("it runs");
    assert_eq!(got.shape, [2, 2, 4]);
    for (index, &bits) in got.bits.iter().enumerate() {
        let (i, j, k) = (index / 8, index / 4 % 2, index % 4);
        assert_eq!(bits, data[j * 8 + k * 2 + i]);
    }
    let input = Tile::new(Scalar::F32, &[4, 1, 2], data[..8].to_vec());
    let got = eval(&[input], |b, args| b.broadcast(args[0], &[4, 8, 2], LOC)).expect("it runs");
    for (index, &bits) in got.bits.iter().enumerate() {
        assert_eq!(bits, data[index / 16 * 2 + index % 2]);
    }
    let input = Tile::new(Scalar::I64, &[4, 2], data[..8].to_vec());
    let got = eval(&[input], |b, args| b.reshape(args[0], &[2, 1, 4], LOC)).expect("it runs");
    assert_eq!((got.shape, got.bits), (vec![2, 1, 4], data[..8].to_vec()));
    let got = eval(&[], |b, _| {
        b.op(CoreOp::Iota, LOC)
            .result(Type::tile(Scalar::I8, &[256]))
            .finish_value()
    });
    assert_eq!(got.expect("it runs").bits, (0..256).collect::<Vec<u64>>());
    let got = eval(&[tile(Scalar::F16, vec![0x3c00, 0xffff])], |b, args| {
        b.convert(ConversionOp::BitCast, args[0], Scalar::I16, None, LOC)
    });
    assert_eq!(got.expect("it runs").bits, [0x3c00, 0xffff]);
    let inputs = [
        tile(Scalar::I1, vec![1, 0]),
        tile(Scalar::I32, vec![5, 6]),
        tile(Scalar::I32, vec![7, 8]),
    ];
    let got = eval(&inputs, |b, args| {
        b.op(CoreOp::Select, LOC)
            .args(args)
            .result(Type::tile(Scalar::I32, &[2]))
            .finish_value()
    });
    assert_eq!(got.expect("it runs").bits, [5, 8]);
}

#[test]
fn an_assumption_that_does_not_hold_is_a_fault() {
    let iota = tile(Scalar::I32, (16..32).collect());
    let run = |predicate: AssumePredicate| {
        eval(&[iota.clone()], |b, args| b.assume(args[0], predicate, LOC))
    };
    let div_by = |divisor, every, along| AssumePredicate::DivBy {
        divisor,
        every,
        along,
    };
    run(div_by(16, Some(16), Some(0))).expect("it holds");
    run(div_by(4, Some(4), Some(0))).expect("it holds");
    let fault = run(div_by(2, None, None)).expect_err("17 is odd");
    assert!(
        fault.contains("assume (operation 0): assumed divisible by 2, found 17"),
        "{fault}"
    );
    let bounded = |lower, upper| AssumePredicate::Bounded { lower, upper };
    run(bounded(Some(16), Some(31))).expect("it holds");
    let fault = run(bounded(None, Some(30))).expect_err("31 is above");
    assert!(
        fault.contains("assumed between ? and 30, found 31"),
        "{fault}"
    );
    run(AssumePredicate::SameElements(vec![1])).expect("it holds");
    let fault = run(AssumePredicate::SameElements(vec![2])).expect_err("16 and 17 differ");
    assert!(fault.contains("found 16 and 17"), "{fault}");
}
