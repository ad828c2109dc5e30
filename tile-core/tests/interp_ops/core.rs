//! Tests operations that move data, and assumptions.

use crate::common::LOC;
use crate::input::{eval, tile};
use tile_core::interp::Tile;
use tile_core::ir::{AssumePredicate, Attr};
use tile_core::ops::{ConversionOp, CoreOp};
use tile_core::types::{Scalar, Type};

#[test]
pub(crate) fn data_moves_as_the_shapes_say() {
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
pub(crate) fn tiles_are_put_together_along_any_axis() {
    for dim in 0..3_usize {
        let input = |first: u64| Tile::new(Scalar::I16, &[2, 4, 2], (first..first + 16).collect());
        let mut shape = [2, 4, 2];
        shape[dim] *= 2;
        let got = eval(&[input(0), input(100)], |b, args| {
            b.op(CoreOp::Cat, LOC)
                .args(args)
                .attr("dim", Attr::Int(i64::try_from(dim).expect("small")))
                .result(Type::tile(Scalar::I16, &shape))
                .finish_value()
        })
        .expect("it runs");
        let extents = [2, 4, 2];
        let [_, rows, columns] = shape.map(|extent| usize::try_from(extent).expect("small"));
        for (index, &bits) in got.bits.iter().enumerate() {
            let mut coordinates = [
                index / columns / rows,
                index / columns % rows,
                index % columns,
            ];
            let second = coordinates[dim] >= extents[dim];
            coordinates[dim] %= extents[dim];
            let want = (coordinates[0] * 4 + coordinates[1]) * 2
                + coordinates[2]
                + if second { 100 } else { 0 };
            assert_eq!(bits, want as u64, "{coordinates:?} along {dim}");
        }
    }
}

#[test]
pub(crate) fn slices_are_taken_out_and_put_in_by_their_number() {
    let whole = Tile::new(Scalar::I8, &[4, 8], (0..32).collect());
    let part = Tile::new(Scalar::I8, &[2, 4], (100..108).collect());
    let index = |number: u64| Tile::new(Scalar::I32, &[], vec![number]);
    let extract = |i, j| {
        eval(&[whole.clone(), index(i), index(j)], |b, args| {
            b.op(CoreOp::Extract, LOC)
                .operand("source", args[0])
                .operands("indices", &args[1..])
                .result(Type::tile(Scalar::I8, &[2, 4]))
                .finish_value()
        })
    };
    let insert = |i, j| {
        let inputs = [part.clone(), whole.clone(), index(i), index(j)];
        eval(&inputs, |b, args| {
            b.op(CoreOp::Insert, LOC)
                .operand("source", args[0])
                .operand("destination", args[1])
                .operands("indices", &args[2..])
                .result(Type::tile(Scalar::I8, &[4, 8]))
                .finish_value()
        })
    };
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let source_index = |index: u64| (2 * i + index / 4) * 8 + 4 * j + index % 4;
        let got = extract(i, j).expect("there is such a slice");
        assert_eq!(got.bits, (0..8).map(source_index).collect::<Vec<_>>());
        let mut want = whole.bits.clone();
        for index in 0..8 {
            want[usize::try_from(source_index(index)).expect("small")] = 100 + index;
        }
        assert_eq!(insert(i, j).expect("there is such a slice").bits, want);
    }
    let fault = extract(0, 2).expect_err("two slices");
    assert!(
        fault.contains("index 2 along axis 1, which has 2 slices"),
        "{fault}"
    );
    let fault = insert(0xffff_ffff, 0).expect_err("indices are unsigned");
    assert!(fault.contains("index 4294967295 along axis 0"), "{fault}");
    let number = Tile::new(Scalar::F16, &[], vec![0x3c00]);
    let got = eval(&[number], |b, args| {
        b.op(CoreOp::Extract, LOC)
            .args(args)
            .result(Type::tile(Scalar::F16, &[]))
            .finish_value()
    });
    assert_eq!(got.expect("all of it").bits, [0x3c00]);
}

#[test]
pub(crate) fn an_assumption_that_does_not_hold_is_a_fault() {
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
        fault.contains("assume (operation 0): element [1]: assumed divisible by 2, found 17"),
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
