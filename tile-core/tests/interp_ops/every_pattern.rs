//! Converts every bit pattern of the types with at most 19 bits to every type, in every rounding
//! mode. For f32 and f64, converts all ties and many other numbers.
//!
//! With `TILE_EXHAUSTIVE`, all patterns of the small types and ten million others are tested.

use crate::common::LOC;
use crate::formats::{Format, IEEE_MODES, SMALL, round, same, value};
use crate::input::{eval, mask};
use crate::oracle::Oracle;
use tile_core::interp::Tile;
use tile_core::ir::{Attr, RoundingMode, Signedness};
use tile_core::ops::ConversionOp;
use tile_core::testing::Random;
use tile_core::types::{Scalar, Type};

/// Returns `true` if tests are exhaustive.
pub(crate) fn is_exhaustive() -> bool {
    std::env::var_os("TILE_EXHAUSTIVE").is_some()
}

const TARGETS: [Scalar; 9] = [
    Scalar::F4E2M1FN,
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::F8E8M0FNU,
    Scalar::F16,
    Scalar::BF16,
    Scalar::TF32,
    Scalar::F32,
    Scalar::F64,
];

/// The number of elements of a tile.
const CHUNK: usize = 1 << 16;

/// Converts in chunks of [`CHUNK`] elements, and passes every operand and its result to `check`.
fn convert(
    op: ConversionOp,
    (from, to): (Scalar, Scalar),
    attrs: &[(&str, Attr)],
    sources: impl Iterator<Item = u64>,
    mut check: impl FnMut(u64, u64),
) {
    let mut sources = sources.peekable();
    while sources.peek().is_some() {
        let mut chunk: Vec<u64> = sources.by_ref().take(CHUNK).collect();
        let count = chunk.len();
        chunk.resize(count.next_power_of_two().max(2), chunk[0]);
        let shape = [chunk.len() as i64];
        let got = eval(&[Tile::new(from, &shape, chunk.clone())], |b, args| {
            let mut op = b.op(op, LOC).args(args);
            for (name, value) in attrs {
                op = op.attr(name, value.clone());
            }
            op.result(Type::tile(to, &shape)).finish_value()
        })
        .expect("it runs");
        for (&source, &got) in chunk.iter().zip(&got.bits).take(count) {
            check(source, got);
        }
    }
}

fn check_rounding(
    from: Scalar,
    to: Scalar,
    mode: RoundingMode,
    sources: impl Iterator<Item = u64>,
) {
    let attrs = [("rounding_mode", Attr::Rounding(mode))];
    convert(
        ConversionOp::FToF,
        (from, to),
        &attrs,
        sources,
        |source, got| {
            let number = value(from, source);
            let want = round(to, number, mode);
            assert!(
                same(to, got, want),
                "{from} to {to} {mode:?}: {number:e} gives {got:#x}, not {want:#x}"
            );
        },
    );
}

/// Returns the modes that are defined for conversions to `to`.
fn modes(to: Scalar) -> &'static [RoundingMode] {
    if to == Scalar::F8E8M0FNU {
        &[RoundingMode::Zero, RoundingMode::PositiveInf]
    } else {
        &IEEE_MODES
    }
}

#[test]
pub(crate) fn every_pattern_of_a_small_float_converts_to_every_float_in_every_mode() {
    for from in SMALL {
        for to in TARGETS {
            if from == to {
                continue;
            }
            for (index, &mode) in modes(to).iter().enumerate() {
                // Without the variable, every 16-bit pattern is still tested once.
                let step = match from {
                    _ if is_exhaustive() => 1,
                    Scalar::TF32 => 61,
                    Scalar::F16 | Scalar::BF16 if index > 0 => 31,
                    _ => 1,
                };
                let patterns = Format::for_scalar(from).patterns().step_by(step);
                check_rounding(from, to, mode, patterns);
            }
        }
    }
}

/// Returns the f64 values halfway between two adjacent values of the type, with their neighbours.
fn around_ties(to: Scalar, step: usize) -> impl Iterator<Item = f64> {
    let ties = Format::for_scalar(to).ties().step_by(step);
    ties.flat_map(|tie| [tie, tie.next_down(), tie.next_up()])
        .flat_map(|number| [number, -number])
}

#[test]
pub(crate) fn ties_of_every_small_float_go_to_even_from_f32_and_f64() {
    for to in SMALL {
        let step = match to {
            _ if is_exhaustive() => 1,
            Scalar::TF32 => 127,
            Scalar::F16 | Scalar::BF16 => 7,
            _ => 1,
        };
        for &mode in modes(to) {
            let wide = around_ties(to, step);
            check_rounding(Scalar::F64, to, mode, wide.map(f64::to_bits));
            let ties = Format::for_scalar(to).ties().step_by(step);
            let narrow = ties.flat_map(|tie| {
                let tie = tie as f32;
                [tie, tie.next_down(), tie.next_up()].map(|x| [x, -x])
            });
            let narrow = narrow.flatten().map(|x| u64::from(x.to_bits()));
            check_rounding(Scalar::F32, to, mode, narrow);
        }
    }
    // Ties between adjacent values of f32.
    let mut random = Random::new(0xf32);
    let count = if is_exhaustive() { 1_000_000 } else { 5000 };
    let ties: Vec<u64> = (0..count)
        .map(|_| f32::from_bits(random.bits() as u32 & 0x7f7f_ffff))
        .map(|x| f64::midpoint(x.into(), x.next_up().into()))
        .flat_map(|tie| [tie, -tie, tie.next_up(), tie.next_down()])
        .map(f64::to_bits)
        .collect();
    for mode in IEEE_MODES {
        check_rounding(Scalar::F64, Scalar::F32, mode, ties.iter().copied());
    }
}

#[test]
pub(crate) fn other_numbers_of_f32_and_f64_are_rounded_once() {
    let count = if is_exhaustive() { 10_000_000 } else { 6000 };
    for from in [Scalar::F32, Scalar::F64] {
        for to in TARGETS {
            if from == to {
                continue;
            }
            for &mode in modes(to) {
                let mut random = Random::new(0x00c0_ffee + u64::from(to.bits()));
                let patterns = (0..count).map(|index| {
                    let bits = random.bits() & mask(from);
                    match (from, index % 2) {
                        // Limit the exponent to the range of the other types.
                        (Scalar::F64, 1) => {
                            (bits & !(0x7ff << 52)) | (1023 - 32 + (bits >> 58)) << 52
                        }
                        _ => bits,
                    }
                });
                check_rounding(from, to, mode, patterns);
            }
        }
    }
}

#[test]
pub(crate) fn every_pattern_of_a_small_float_converts_to_every_integer() {
    let ints = [
        Scalar::I1,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
    ];
    for from in SMALL {
        for to in ints {
            for sign in [Signedness::Signed, Signedness::Unsigned] {
                for saturating in [false, true] {
                    let mut attrs = vec![("signedness", Attr::Signedness(sign))];
                    if saturating {
                        attrs.push(("saturating", Attr::Unit));
                    }
                    let step = match from {
                        _ if is_exhaustive() => 1,
                        Scalar::TF32 => 509,
                        Scalar::F16 | Scalar::BF16 => 31,
                        _ => 1,
                    };
                    let (least, greatest) = match sign {
                        Signedness::Signed => (
                            -(1_i128 << (to.bits() - 1)),
                            (1_i128 << (to.bits() - 1)) - 1,
                        ),
                        Signedness::Unsigned => (0, (1_i128 << to.bits()) - 1),
                    };
                    let patterns = Format::for_scalar(from).patterns().step_by(step);
                    convert(
                        ConversionOp::FToI,
                        (from, to),
                        &attrs,
                        patterns,
                        |source, got| {
                            let number = value(from, source);
                            let want = (number as i128).clamp(least, greatest);
                            assert_eq!(got, want as u64 & mask(to), "{from} to {to}: {number:e}");
                        },
                    );
                }
            }
        }
    }
}

#[test]
pub(crate) fn every_integer_of_eight_and_sixteen_bits_converts_to_every_float() {
    for from in [Scalar::I1, Scalar::I8, Scalar::I16] {
        for to in TARGETS {
            if to == Scalar::F8E8M0FNU {
                continue;
            }
            for sign in [Signedness::Signed, Signedness::Unsigned] {
                let attrs = [("signedness", Attr::Signedness(sign))];
                let step = if is_exhaustive() || from != Scalar::I16 {
                    1
                } else {
                    7
                };
                let patterns = (0..1 << from.bits()).step_by(step);
                convert(
                    ConversionOp::IToF,
                    (from, to),
                    &attrs,
                    patterns,
                    |source, got| {
                        let number = match sign {
                            Signedness::Signed => crate::model::signed(from, source) as f64,
                            Signedness::Unsigned => source as f64,
                        };
                        let want = round(to, number, RoundingMode::NearestEven);
                        assert!(same(to, got, want), "{from} to {to}: {number}");
                    },
                );
            }
        }
    }
}

#[test]
pub(crate) fn conversions_to_nearest_agree_with_ml_dtypes() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let attrs = [("rounding_mode", Attr::Rounding(RoundingMode::NearestEven))];
    let count = if is_exhaustive() { 10_000_000 } else { 20_000 };
    for from in SMALL.into_iter().chain([Scalar::F32]) {
        for to in TARGETS {
            let unknown = [from, to].contains(&Scalar::TF32) || to == Scalar::F8E8M0FNU;
            if from == to || unknown {
                continue;
            }
            let sources: Vec<u64> = if from == Scalar::F32 {
                let mut random = Random::new(0xd7);
                let others = (0..count).map(|_| random.bits() & mask(from));
                let ties = SMALL.into_iter().flat_map(|small| around_ties(small, 7));
                ties.map(|x| u64::from((x as f32).to_bits()))
                    .chain(others)
                    .collect()
            } else {
                Format::for_scalar(from).patterns().collect()
            };
            let [want] = oracle.ask(&format!("convert {from} {to}"), &[&sources]);
            let mut want = want.iter();
            convert(
                ConversionOp::FToF,
                (from, to),
                &attrs,
                sources.iter().copied(),
                |source, got| {
                    let want = *want.next().expect("one for each");
                    let number = value(from, source);
                    // The target has no NaN, and the packages and MLIR choose different results.
                    let free = to == Scalar::F4E2M1FN && number.is_nan();
                    assert!(
                        free || same(to, got, want),
                        "{from} to {to}: {number:e} gives {got:#x}, not {want:#x}"
                    );
                },
            );
        }
    }
}
