//! Tests reductions whose bodies have several operations.

use crate::common::{LOC, reduce};
use crate::numbers;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::interp::{Check, Program, Reports, RunOptions, Undefined};
use tile_core::ir::{Attr, ComparisonPredicate};
use tile_core::ops::{ControlFlowOp, CoreOp, IntegerOp};
use tile_core::types::{Scalar, Type};

#[test]
fn a_reduction_with_two_operands_finds_the_first_greatest() {
    // Argmax along axis 1, whose body has several operations.
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
    // A value from outside the body.
    let body = b.add_region_block(op);
    let x = b.module().add_block_arg(body, float, LOC);
    let max = b.module().add_block_arg(body, float, LOC);
    let index_arg = b.module().add_block_arg(body, int, LOC);
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
        .args(&[above, index_arg, best])
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
    // x + acc + c along each axis, where c comes from outside the body: one c per combination.
    for dim in 0..3 {
        for lanes in [true, false] {
            let mut module = Module::new("kernels");
            let mut b = Builder::new(&mut module);
            let tile = Type::tile(Scalar::I32, &[2, 4, 8]);
            let (_, args) = b.entry("k", &[tile, Type::scalar(Scalar::I32)], LOC);
            let c = args[1];
            let sum = reduce(&mut b, args[0], dim, 5, |b, x, acc| {
                let x = b.wrapping(IntegerOp::AddI, &[x, c], LOC);
                // A reshape cannot run on several instances of the body simultaneously.
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
            let mut want = vec![3 * (shape[dim] as u64 - 1); 64 / shape[dim]];
            for (index, x) in data.iter().enumerate() {
                let coordinates = [index / 32, index / 8 % 4, index % 8];
                let rest: Vec<usize> = (0..3).filter(|&axis| axis != dim).collect();
                want[coordinates[rest[0]] * shape[rest[1]] + coordinates[rest[1]]] += x;
            }
            assert_eq!(got[0].bits, want, "along {dim}");
        }
    }
}

/// Makes an entry that stores the results of a `reduce` and a `scan` of four elements: first the
/// reduction, then the last prefix.
fn four(element: &str, elements: &str, identity: &str, body: &str) -> Program {
    let single = |name: &str, from: &str| match element {
        "f32" => format!("%{name} = bitcast %{from} : tile<f32> -> tile<f32>"),
        _ => format!("%{name} = ftof %{from} : tile<{element}> -> tile<f32>"),
    };
    let (v, w) = (single("v", "r"), single("w", "u"));
    crate::parsed(&format!(
        "entry @k(%x: tile<ptr<f32>>) {{
  %a = constant <{element}: [{elements}]> : tile<4x{element}>
  %r = reduce %a dim=0 identities=[{identity}] : tile<4x{element}> -> tile<{element}> (%e: tile<{element}>, %acc: tile<{element}>) {{
    {body}
    yield %v : tile<{element}>
  }}
  %s = scan %a dim=0 reverse=false identities=[{identity}] : tile<4x{element}> -> tile<4x{element}> (%e: tile<{element}>, %acc: tile<{element}>) {{
    {body}
    yield %v : tile<{element}>
  }}
  %three = constant <i32: 3> : tile<i32>
  %t = extract %s[%three] : tile<4x{element}> -> tile<1x{element}>
  %u = reshape %t : tile<1x{element}> -> tile<{element}>
  {v}
  {w}
  %one = constant <i32: 1> : tile<i32>
  %y = offset %x, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
  %k0 = store_ptr_tko weak %x, %v : tile<ptr<f32>>, tile<f32> -> token
  %k1 = store_ptr_tko weak %y, %w : tile<ptr<f32>>, tile<f32> -> token
}}"
    ))
}

fn stored(program: &Program, options: RunOptions<'_>) -> [f32; 2] {
    let mut data = [0.0_f32; 2];
    crate::run_on(program, 1, &mut data, options).expect("it runs");
    data
}

/// Returns the reports of the checks on a program.
fn said(program: &Program) -> Vec<String> {
    let reports = Reports::new();
    let options = RunOptions {
        check: Check::On,
        undefined: Undefined::Report(&reports),
        ..RunOptions::default()
    };
    stored(program, options);
    let reported = reports.take().into_iter();
    reported.map(|fault| fault.message).collect()
}

/// Returns the results for several seeds, which vary how reductions combine elements.
fn with_seeds(program: &Program) -> Vec<[f32; 2]> {
    let seeds = 0..20;
    let options = |seed| RunOptions {
        seed: Some(seed),
        ..RunOptions::default()
    };
    seeds.map(|seed| stored(program, options(seed))).collect()
}

#[test]
fn an_identity_of_the_other_half_precision_is_the_same_number() {
    // 3.0 and 1.5 have different bits in f16 and bf16.
    for (element, other) in [("f16", "bf16"), ("bf16", "f16")] {
        for identity in ["3.0", "1.5"] {
            let program = four(
                element,
                "1.0, 2.0, 3.0, 4.0",
                &format!("{identity} : {other}"),
                &format!("%v = addf %e, %acc : tile<{element}>"),
            );
            let reported = said(&program);
            assert_eq!(reported.len(), 2, "a reduction and a scan: {reported:?}");
            for message in reported {
                assert!(
                    message.contains(&format!("initial value {identity} ")),
                    "{message}"
                );
            }
        }
    }
}

#[test]
fn the_identity_is_not_combined() {
    // A minimum or maximum of NaNs remains NaN, zeros keep their sign, and a wrong identity does
    // not enter the result.
    for (elements, identity, body) in [
        (
            "0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000",
            "0xFF800000",
            "maxf",
        ),
        (
            "0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000",
            "0x7F800000",
            "minf",
        ),
    ] {
        let body = format!("%v = {body} %e, %acc : tile<f32>");
        let program = four("f32", elements, &format!("{identity} : f32"), &body);
        assert!(
            stored(&program, RunOptions::default())
                .iter()
                .all(|x| x.is_nan())
        );
        assert!(
            with_seeds(&program)
                .as_flattened()
                .iter()
                .all(|x| x.is_nan())
        );
    }
    let add = "%v = addf %e, %acc : tile<f32>";
    let zeros = four("f32", "-0.0, -0.0, -0.0, -0.0", "0.0 : f32", add);
    let bits = stored(&zeros, RunOptions::default()).map(f32::to_bits);
    assert_eq!(bits, [1 << 31; 2]);
    let sum = four("f32", "1.0, 2.0, 3.0, 4.0", "5.0 : f32", add);
    assert_eq!(stored(&sum, RunOptions::default()), [10.0; 2]);
}

#[test]
fn sums_and_products_of_halves_are_rounded_once() {
    // In bf16 256 + 1 is 256, and in f16 2048 + 1 is 2048.
    for (element, elements, sum) in [
        ("bf16", "256.0, 1.0, 1.0, 2.0", 260.0),
        ("f16", "2048.0, 1.0, 1.0, 2.0", 2052.0),
    ] {
        let body = format!("%v = addf %e, %acc : tile<{element}>");
        let program = four(element, elements, &format!("0.0 : {element}"), &body);
        assert_eq!(
            stored(&program, RunOptions::default()),
            [sum; 2],
            "{element}"
        );
        assert_eq!(with_seeds(&program), vec![[sum; 2]; 20], "{element}");
        assert_eq!(said(&program), Vec::<String>::new());
    }
    // 2^17 is not representable in f16, but its product with 2^-10 is.
    let body = "%v = mulf %e, %acc : tile<f16>";
    let program = four("f16", "512.0, 256.0, 0.0009765625, 1.0", "1.0 : f16", body);
    assert_eq!(stored(&program, RunOptions::default()), [128.0; 2]);
}

#[test]
fn what_is_no_identity_is_said_and_shows_with_a_seed() {
    let add = "%v = addf %e, %acc : tile<f32>";
    for (identity, body, is_right) in [
        ("0.0", add, true),
        ("1.0", add, false),
        ("0.0", "%v = mulf %e, %acc : tile<f32>", false),
        ("0.0", "%v = maxf %e, %acc : tile<f32>", true),
        ("2.0", "%v = maxf %e, %acc : tile<f32>", false),
    ] {
        let program = four(
            "f32",
            "1.0, 2.0, 3.0, 4.0",
            &format!("{identity} : f32"),
            body,
        );
        let plain = stored(&program, RunOptions::default());
        let reported = said(&program);
        assert_eq!(
            reported.is_empty(),
            is_right,
            "{identity}, {body}: {reported:?}"
        );
        assert!(
            reported
                .iter()
                .all(|text| text.contains("the initial value"))
        );
        // The maximum of 1 to 4 is the same with the identity 2.
        if identity != "2.0" {
            let all_same = with_seeds(&program).iter().all(|other| *other == plain);
            assert_eq!(all_same, is_right, "{identity}, {body}");
        }
    }
}

#[test]
fn what_is_not_associative_is_said_and_shows_with_a_seed() {
    let three = |text: &str| format!("%m = mulf %e, %e : tile<f32>\n    {text}");
    for (body, is_right) in [
        ("%v = subf %acc, %e : tile<f32>".to_owned(), false),
        (three("%v = addf %m, %acc : tile<f32>"), false),
        (
            "%v = select %c, %e, %acc : tile<i1>, tile<f32>".to_owned(),
            true,
        ),
        (
            "%m = negf %e : tile<f32>\n    %v = subf %acc, %m : tile<f32>".to_owned(),
            true,
        ),
    ] {
        // The greater element wins, and of equal elements the earlier one.
        let body = if body.contains("%c") {
            format!("%c = cmpf greater_than ordered %e, %acc : tile<f32> -> tile<i1>\n    {body}")
        } else {
            body
        };
        let program = four("f32", "1.5, 2.25, 3.0, 4.0", "0.0 : f32", &body);
        let plain = stored(&program, RunOptions::default());
        let reported = said(&program);
        let not_associative = reported
            .iter()
            .any(|text| text.contains("is not associative"));
        assert_eq!(not_associative, !is_right, "{body}: {reported:?}");
        let all_same = with_seeds(&program).iter().all(|other| *other == plain);
        assert_eq!(all_same, is_right, "{body}");
    }
}
