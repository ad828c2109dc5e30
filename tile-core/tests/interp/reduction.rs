//! `reduce` with bodies of several operations.

use crate::common::{LOC, reduce};
use crate::numbers;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::interp::Program;
use tile_core::ir::{Attr, ComparisonPredicate};
use tile_core::ops::{ControlFlowOp, CoreOp, IntegerOp};
use tile_core::types::{Scalar, Type};

#[test]
fn a_reduction_with_two_operands_finds_the_first_greatest() {
    // argmax along axis 1, with a body that is not one operation.
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let (_, args) = b.entry("k", &[Type::tile(Scalar::F32, &[4, 8])], LOC);
    let iota = b
        .op(CoreOp::Iota, LOC)
        .result(Type::tile(Scalar::I32, &[8]))
        .finish_value();
    let iota = b.reshape(iota, &[1, 8], LOC);
    let index = b.broadcast(iota, &[4, 8], LOC);
    let (float, int) = (Type::scalar(Scalar::F32), Type::scalar(Scalar::I32));
    let identities = vec![
        tile_core::ir::TypedScalar {
            scalar: Scalar::F32,
            bits: u64::from(f32::NEG_INFINITY.to_bits()),
        },
        tile_core::ir::TypedScalar {
            scalar: Scalar::I32,
            bits: 0xffff_ffff,
        },
    ];
    let op = b
        .op(CoreOp::Reduce, LOC)
        .operands("operands", &[args[0], index])
        .attr("dim", Attr::Int(1))
        .attr("identities", Attr::Scalars(identities.into()))
        .result(Type::tile(Scalar::F32, &[4]))
        .result(Type::tile(Scalar::I32, &[4]))
        .finish();
    // A value from outside of the body.
    let body = b.add_region_block(op);
    let x = b.module().add_block_arg(body, float, LOC);
    let max = b.module().add_block_arg(body, float, LOC);
    let at = b.module().add_block_arg(body, int, LOC);
    let best = b.module().add_block_arg(body, int, LOC);
    let outer = b.set_block(body);
    let above = b.cmpf(
        ComparisonPredicate::GreaterThan,
        tile_core::ir::ComparisonOrdering::Ordered,
        x,
        max,
        LOC,
    );
    let max = b
        .op(CoreOp::Select, LOC)
        .args(&[above, x, max])
        .result(float)
        .finish_value();
    let best = b
        .op(CoreOp::Select, LOC)
        .args(&[above, at, best])
        .result(int)
        .finish_value();
    b.terminate(ControlFlowOp::Yield, &[max, best], LOC);
    b.set_block(outer);
    let results = b.module().op(op).results.clone();
    b.terminate(ControlFlowOp::Return, &results, LOC);
    let data = numbers(32, 9);
    let input = tile_core::interp::Tile::new(
        Scalar::F32,
        &[4, 8],
        data.iter().map(|x| u64::from(x.to_bits())).collect(),
    );
    let got = Program::new(&module).eval("k", &[input]).expect("it runs");
    for row in 0..4 {
        let slice = &data[row * 8..][..8];
        let best = (0..8).fold(0, |best, i| if slice[i] > slice[best] { i } else { best });
        assert_eq!(got[0].bits[row], u64::from(slice[best].to_bits()));
        assert_eq!(got[1].bits[row], best as u64);
    }
}

#[test]
fn a_reduction_body_may_use_values_from_outside_along_any_axis() {
    // sum of (x + c) along each axis, where c comes from outside.
    for dim in 0..3 {
        for lanes in [true, false] {
            let mut module = Module::new("kernels");
            let mut b = Builder::new(&mut module);
            let tile = Type::tile(Scalar::I32, &[2, 4, 8]);
            let (_, args) = b.entry("k", &[tile, Type::scalar(Scalar::I32)], LOC);
            let c = args[1];
            let sum = reduce(&mut b, args[0], dim, 5, |b, x, acc| {
                let x = b.wrapping(IntegerOp::AddI, &[x, c], LOC);
                // A reshape cannot run on many instances at once.
                let x = if lanes {
                    x
                } else {
                    let one = b.reshape(x, &[1], LOC);
                    b.reshape(one, &[], LOC)
                };
                b.wrapping(IntegerOp::AddI, &[x, acc], LOC)
            });
            b.terminate(ControlFlowOp::Return, &[sum], LOC);
            let data: Vec<u64> = (0..64).map(|i| i * i).collect();
            let inputs = [
                tile_core::interp::Tile::new(Scalar::I32, &[2, 4, 8], data.clone()),
                tile_core::interp::Tile::new(Scalar::I32, &[], vec![3]),
            ];
            let got = Program::new(&module).eval("k", &inputs).expect("it runs");
            let shape = [2, 4, 8];
            let mut want = vec![5_u64; 64 / shape[dim]];
            for (index, x) in data.iter().enumerate() {
                let at = [index / 32, index / 8 % 4, index % 8];
                let rest: Vec<usize> = (0..3).filter(|&axis| axis != dim).collect();
                want[at[rest[0]] * shape[rest[1]] + at[rest[1]]] += x + 3;
            }
            assert_eq!(got[0].bits, want, "along {dim}");
        }
    }
}

#[test]
fn an_identity_of_the_other_half_precision_is_the_same_number() {
    // 3.0 and 1.5 have other bits in f16 and bf16; 2^17 is no finite f16.
    for (element, other) in [("f16", "bf16"), ("bf16", "f16")] {
        for (identity, expected) in [("3.0", 13.0), ("1.5", 11.5), ("131072.0", 131_072.0)] {
            if (identity, other) == ("131072.0", "f16") {
                continue;
            }
            let program = crate::parsed(&format!(
                "entry @k(%x: tile<ptr<f32>>) {{
  %a = constant <{element}: [1.0, 2.0, 3.0, 4.0]> : tile<4x{element}>
  %r = reduce %a dim=0 identities=[{identity} : {other}] : tile<4x{element}> -> tile<{element}> (%e: tile<{element}>, %acc: tile<{element}>) {{
    %sum = addf %e, %acc : tile<{element}>
    yield %sum : tile<{element}>
  }}
  %s = scan %a dim=0 reverse=false identities=[{identity} : {other}] : tile<4x{element}> -> tile<4x{element}> (%e: tile<{element}>, %acc: tile<{element}>) {{
    %sum = addf %e, %acc : tile<{element}>
    yield %sum : tile<{element}>
  }}
  %three = constant <i32: 3> : tile<i32>
  %t = extract %s[%three] : tile<4x{element}> -> tile<1x{element}>
  %u = reshape %t : tile<1x{element}> -> tile<{element}>
  %v = ftof %r : tile<{element}> -> tile<f32>
  %w = ftof %u : tile<{element}> -> tile<f32>
  %one = constant <i32: 1> : tile<i32>
  %y = offset %x, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
  %k0 = store_ptr_tko weak %x, %v : tile<ptr<f32>>, tile<f32> -> token
  %k1 = store_ptr_tko weak %y, %w : tile<ptr<f32>>, tile<f32> -> token
}}"
            ));
            let mut data = [0.0_f32; 2];
            crate::run_on(
                &program,
                1,
                &mut data,
                tile_core::interp::RunOptions::default(),
            )
            .expect("it runs");
            let expected = match (element, identity) {
                ("f16", "131072.0") => f32::INFINITY,
                _ => expected,
            };
            assert_eq!(data, [expected; 2], "{element} {identity}");
        }
    }
}
