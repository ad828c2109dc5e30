//! Tests float operations: rounding, signs of zero, NaN, functions.

use crate::common::LOC;
use crate::input::{COUNT, FLOATS, eval, patterns, tile};
use crate::model::{holds, narrow, same, value};
use std::cmp::Ordering;
use tile_core::ir::{Attr, ComparisonOrdering, ComparisonPredicate, RoundingMode};
use tile_core::ops::FloatOp;
use tile_core::types::{Scalar, Type};

/// Returns the next pattern up or down among the finite values and infinities of a format.
fn step(scalar: Scalar, bits: u64, up: bool) -> u64 {
    let top = 1_u64 << (scalar.bits() - 1);
    let (sign, magnitude) = (bits & top, bits & (top - 1));
    match (sign == 0, up) {
        (true, true) | (false, false) => sign | (magnitude + 1),
        _ if magnitude == 0 => (sign ^ top) | 1,
        _ => sign | (magnitude - 1),
    }
}

/// Returns `true` if `got` is a correct rounding of an exact result; `compare(candidate)` returns
/// how the candidate's value compares with the exact result.
fn rounds_correctly(
    scalar: Scalar,
    got: u64,
    mode: RoundingMode,
    compare: impl Fn(f64) -> Ordering,
) -> bool {
    use Ordering::{Equal, Greater, Less};
    let rounded = value(scalar, got);
    match (compare(rounded), mode) {
        (Equal, _) => true,
        (Less, RoundingMode::NegativeInf) => {
            compare(value(scalar, step(scalar, got, true))) == Greater
        }
        (Greater, RoundingMode::PositiveInf) => {
            compare(value(scalar, step(scalar, got, false))) == Less
        }
        (order, RoundingMode::Zero) if rounded != 0.0 => {
            // Rounding toward zero: the magnitude is not above the exact one, and that of the next
            // value is above it.
            let outward = step(scalar, got, rounded > 0.0);
            let inside = if rounded > 0.0 { Less } else { Greater };
            order == inside && compare(value(scalar, outward)) == inside.reverse()
        }
        (_, RoundingMode::Zero) => true,
        _ => false,
    }
}

fn float_binary(
    op: FloatOp,
    scalar: Scalar,
    attrs: &[(&str, Attr)],
    seed: u64,
) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
    let (a, b) = (
        patterns(scalar, 4096, seed),
        patterns(scalar, 4096, seed + 6),
    );
    let got = eval(
        &[tile(scalar, a.clone()), tile(scalar, b.clone())],
        |build, args| {
            let mut op = build.op(op, LOC).args(args);
            for (name, value) in attrs {
                op = op.attr(name, value.clone());
            }
            op.result(Type::tile(scalar, &[4096])).finish_value()
        },
    )
    .expect("it runs");
    (a, b, got.bits)
}

#[test]
pub(crate) fn arithmetic_is_rounded_once_to_nearest_even() {
    type Wide = fn(f64, f64) -> f64;
    let table: [(FloatOp, Wide); 4] = [
        (FloatOp::MulF, |a, b| a * b),
        (FloatOp::DivF, |a, b| a / b),
        (FloatOp::AddF, |a, b| a + b),
        (FloatOp::SubF, |a, b| a - b),
    ];
    for scalar in FLOATS {
        for (op, wide) in table {
            let (a, b, got) = float_binary(op, scalar, &[], 23);
            for index in 0..got.len() {
                let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
                let want = match scalar {
                    // Sums of f32 are not always exact in f64, so the processor computes them.
                    Scalar::F32 => {
                        let (x, y) = (x as f32, y as f32);
                        let result = match op {
                            FloatOp::AddF => x + y,
                            FloatOp::SubF => x - y,
                            FloatOp::MulF => x * y,
                            _ => x / y,
                        };
                        u64::from(result.to_bits())
                    }
                    scalar => narrow(scalar, wide(x, y)),
                };
                // A bf16 sum that is inexact in f64 may look like a tie there.
                let tie = scalar == Scalar::BF16 && wide(x, y) - x != y;
                assert!(
                    same(scalar, got[index], want) || tie && got[index].abs_diff(want) <= 1,
                    "{op:?} {scalar} {x:e} {y:e}: {:#x} and {want:#x}",
                    got[index]
                );
            }
        }
    }
}

#[test]
pub(crate) fn directed_rounding_gives_the_neighbour_on_its_side() {
    for scalar in [Scalar::F16, Scalar::BF16, Scalar::F32] {
        for mode in [
            RoundingMode::Zero,
            RoundingMode::NegativeInf,
            RoundingMode::PositiveInf,
        ] {
            // Products are exact in f64.
            let attrs = [("rounding_mode", Attr::Rounding(mode))];
            let (a, b, got) = float_binary(FloatOp::MulF, scalar, &attrs, 29);
            let mut inexact = 0;
            for index in 0..got.len() {
                let exact = value(scalar, a[index]) * value(scalar, b[index]);
                if exact.is_nan() {
                    assert!(value(scalar, got[index]).is_nan());
                    continue;
                }
                inexact += usize::from(value(scalar, got[index]) != exact);
                let order = |candidate: f64| candidate.partial_cmp(&exact).expect("no NaN");
                assert!(
                    rounds_correctly(scalar, got[index], mode, order),
                    "{scalar} {mode:?} {exact:e}: {:#x}",
                    got[index]
                );
            }
            assert!(inexact > 500, "{inexact}");
        }
    }
}

#[test]
pub(crate) fn a_sum_that_cancels_is_minus_zero_only_when_rounding_down() {
    for (mode, want) in [
        (RoundingMode::NearestEven, 0),
        (RoundingMode::Zero, 0),
        (RoundingMode::PositiveInf, 0),
        (RoundingMode::NegativeInf, 0x8000_0000),
    ] {
        let one = u64::from(1.5_f32.to_bits());
        let inputs = [tile(Scalar::F32, vec![one]), tile(Scalar::F32, vec![one])];
        let got = eval(&inputs, |b, args| {
            b.op(FloatOp::SubF, LOC)
                .args(args)
                .attr("rounding_mode", Attr::Rounding(mode))
                .result(Type::tile(Scalar::F32, &[1]))
                .finish_value()
        });
        assert_eq!(got.expect("it runs").bits, [want], "{mode:?}");
    }
}

#[test]
pub(crate) fn flush_to_zero_drops_subnormal_operands_and_results() {
    let tiny = u64::from(f32::MIN_POSITIVE.to_bits());
    let half = u64::from(0.5_f32.to_bits());
    let big = u64::from(2.0_f32.powi(100).to_bits());
    let a = tile(Scalar::F32, vec![tiny, tiny | 1 << 31, 1, 1 | 1 << 31]);
    let b = tile(Scalar::F32, vec![half, half, big, big]);
    for (ftz, want) in [
        (true, vec![0, 1 << 31, 0, 1 << 31]),
        (false, vec![tiny / 2, tiny / 2 | 1 << 31]),
    ] {
        let got = eval(&[a.clone(), b.clone()], |build, args| {
            build
                .op(FloatOp::MulF, LOC)
                .args(args)
                .flag("flush_to_zero", ftz)
                .result(Type::tile(Scalar::F32, &[4]))
                .finish_value()
        })
        .expect("it runs");
        assert_eq!(got.bits[..want.len()], want);
    }
}

#[test]
pub(crate) fn fma_is_rounded_once() {
    for scalar in FLOATS {
        let [a, b, c] = [31, 37, 41].map(|seed| patterns(scalar, 1024, seed));
        let inputs = [&a, &b, &c].map(|bits| tile(scalar, bits.clone()));
        let got = eval(&inputs, |build, args| {
            build.like_first(FloatOp::Fma, args, LOC)
        });
        let got = got.expect("it runs").bits;
        for index in 0..1024 {
            let [x, y, z] = [a[index], b[index], c[index]].map(|bits| value(scalar, bits));
            let want = match scalar {
                Scalar::F32 => u64::from((x as f32).mul_add(y as f32, z as f32).to_bits()),
                Scalar::F64 => x.mul_add(y, z).to_bits(),
                // In f64 the product is exact and the sum is rounded, so rounding again is wrong
                // only for a tie.
                scalar => narrow(scalar, x * y + z),
            };
            let close =
                scalar.bits() == 16 && x * y + z - x * y != z && got[index].abs_diff(want) <= 1;
            assert!(
                same(scalar, got[index], want) || close,
                "{scalar} {x:e} * {y:e} + {z:e}"
            );
        }
    }
}

#[test]
pub(crate) fn a_nan_loses_or_wins_and_zeros_are_ordered() {
    for scalar in FLOATS {
        for propagate in [false, true] {
            for (op, sign) in [(FloatOp::MaxF, 1.0), (FloatOp::MinF, -1.0)] {
                let attrs = propagate.then_some(("propagate_nan", Attr::Unit));
                let attrs: Vec<_> = attrs.into_iter().collect();
                let (a, b, got) = float_binary(op, scalar, &attrs, 43);
                for index in 0..got.len() {
                    let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
                    let got_value = value(scalar, got[index]);
                    let want = match (x.is_nan(), y.is_nan()) {
                        (true, true) => f64::NAN,
                        (true, false) if !propagate => y,
                        (false, true) if !propagate => x,
                        (true, _) | (_, true) => f64::NAN,
                        // `total_cmp` orders -0 below +0.
                        _ if (x * sign).total_cmp(&(y * sign)).is_ge() => x,
                        _ => y,
                    };
                    let agrees = got_value.to_bits() == want.to_bits()
                        || got_value.is_nan() && want.is_nan();
                    assert!(agrees, "{op:?} {scalar} {x:e} {y:e}: {got_value:e}");
                }
            }
        }
    }
}

#[test]
pub(crate) fn a_comparison_with_nan_is_what_its_ordering_says() {
    for scalar in FLOATS {
        for ordering in ComparisonOrdering::ALL {
            for predicate in ComparisonPredicate::ALL {
                let (a, b) = (patterns(scalar, COUNT, 47), patterns(scalar, COUNT, 53));
                let inputs = [tile(scalar, a.clone()), tile(scalar, b.clone())];
                let got = eval(&inputs, |build, args| {
                    build.cmpf(*predicate, *ordering, args[0], args[1], LOC)
                })
                .expect("it runs");
                for index in 0..COUNT {
                    let order = value(scalar, a[index]).partial_cmp(&value(scalar, b[index]));
                    let want = order.map_or(*ordering == ComparisonOrdering::Unordered, |order| {
                        holds(*predicate, order)
                    });
                    assert_eq!(got.bits[index], u64::from(want));
                }
            }
        }
    }
}

#[test]
pub(crate) fn roots_whole_numbers_signs_and_remainders_are_exact() {
    type Function = fn(f64) -> f64;
    let table: [(FloatOp, Function); 3] = [
        (FloatOp::Sqrt, f64::sqrt),
        (FloatOp::Ceil, f64::ceil),
        (FloatOp::Floor, f64::floor),
    ];
    for scalar in FLOATS {
        let a = patterns(scalar, COUNT, 59);
        for (op, function) in table {
            let got = eval(&[tile(scalar, a.clone())], |b, args| {
                b.like_first(op, args, LOC)
            });
            for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                let want = narrow(scalar, function(value(scalar, a)));
                assert!(
                    same(scalar, got, want),
                    "{op:?} {scalar} {:e}",
                    value(scalar, a)
                );
            }
        }
        for (op, flip) in [(FloatOp::NegF, true), (FloatOp::AbsF, false)] {
            let got = eval(&[tile(scalar, a.clone())], |b, args| {
                b.like_first(op, args, LOC)
            });
            let sign = 1 << (scalar.bits() - 1);
            for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                assert_eq!(got, if flip { a ^ sign } else { a & !sign });
            }
        }
        let (a, b, got) = float_binary(FloatOp::RemF, scalar, &[], 61);
        for index in 0..got.len() {
            let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
            assert!(
                same(scalar, got[index], narrow(scalar, x % y)),
                "{x:e} % {y:e}"
            );
        }
    }
}

#[test]
pub(crate) fn every_nan_that_is_computed_is_the_same() {
    let quiet = [0x7e00, 0x7fc0, 0x7fc0_0000, 0x7ff8_0000_0000_0000_u64];
    // The results of a GPU's conversions to f16 and bf16.
    let computed = [0x7fff, 0x7fff, quiet[2], quiet[3]];
    for (scalar, (quiet, computed)) in FLOATS.into_iter().zip(quiet.into_iter().zip(computed)) {
        let top = 1 << (scalar.bits() - 1);
        // A NaN with a sign, a NaN with a payload, and a signalling NaN.
        let nans = [quiet | top, quiet | 1, (quiet & (quiet << 1)) | 1];
        let pairs: Vec<[u64; 2]> = nans
            .iter()
            .flat_map(|&a| nans.iter().map(move |&b| [a, b]).chain([[a, top], [0, a]]))
            .chain([[0, 0]; 1])
            .collect();
        let count = pairs.len().next_power_of_two();
        let column = |index: usize| {
            let mut bits: Vec<u64> = pairs.iter().map(|pair| pair[index]).collect();
            bits.resize(count, nans[0]);
            tile(scalar, bits)
        };
        // The last pair consists of zeros, and 0 / 0 is NaN; every other pair has a NaN.
        for opcode in [FloatOp::AddF, FloatOp::SubF, FloatOp::MulF, FloatOp::DivF] {
            let got = eval(&[column(0), column(1)], |b, args| {
                b.like_first(opcode, args, LOC)
            });
            let mut got = got.expect("it runs").bits;
            if opcode != FloatOp::DivF {
                assert_eq!(got.remove(pairs.len() - 1), 0, "of zeros");
            }
            assert!(
                got.iter().all(|&bits| bits == computed),
                "{opcode:?}: {got:x?}"
            );
        }
        let got = eval(&[column(0)], |b, args| {
            b.like_first(FloatOp::NegF, args, LOC)
        });
        let want: Vec<u64> = column(0).bits.iter().map(|bits| bits ^ top).collect();
        assert_eq!(
            got.expect("it runs").bits,
            want,
            "the sign changes and nothing else"
        );
    }
}
