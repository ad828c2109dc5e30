//! Tests sums that must be bit-exact on both devices: sums with NaN and infinities among the elements, and
//! sums of eight-bit numbers that are first converted to f32.

use libtest_mimic::Trial;
use tile_core::interp::{decode_float, encode_float};
use tile_core::testing::Random;
use tile_core::types::Scalar;

use super::super::support::local_trial;
use super::{Case, HALVES, Sum};

/// The canonical NaN of f16 and bf16, on every device.
const NAN_OF_HALVES: u64 = 0x7fff;

/// The NaN of f32 that the interpreter computes; a GPU computes another one.
const NAN: u64 = 0x7fc0_0000;

/// Numbers of elements of a tile: a single element, which needs no addition, the lanes of a warp, and the
/// lanes of several warps, among others.
const TILES: [usize; 5] = [1, 2, 32, 256, 1024];

const ROUNDS: usize = 8;

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for e in HALVES {
        trials.push(local_trial(format!("sums/nan_{e}"), move || not_finite(e)));
    }
    for e in [Scalar::F8E4M3FN, Scalar::F8E5M2] {
        let name = format!("sums/as_f32_{e}").to_lowercase();
        trials.push(local_trial(name, move || bytes(e)));
    }
    trials
}

/// Draws a NaN of any sign and payload.
fn any_nan(e: Scalar, random: &mut Random<'_>) -> u64 {
    loop {
        let bits = random.bits() & u64::MAX >> (64 - e.bits());
        if decode_float(e, bits).is_nan() {
            return bits;
        }
    }
}

/// Returns the bits of the expected sums of `elements`, all of which are exact. NaN is represented by `nan`.
fn expected(case: Case, e: Scalar, elements: &[u64], nan: u64) -> Vec<u64> {
    let to = case.sum_of(e);
    let numbers: Vec<f64> = elements.iter().map(|&bits| decode_float(e, bits)).collect();
    let sums = case.exact(&numbers).into_iter();
    let bits = sums.map(|(sum, _)| {
        if sum.is_nan() {
            nan
        } else {
            encode_float(to, sum)
        }
    });
    bits.collect()
}

/// Tests NaN of any bits, and infinities that yield NaN or remain.
fn not_finite(e: Scalar) -> Result<(), String> {
    let random = &mut Random::new(u64::from(e.bits()) + u64::from(e == Scalar::BF16));
    for tile in TILES {
        for case in [Case::Sum { tile }, Case::Prefixes { tile }] {
            let mut sum = Sum::new(case, e)?;
            for round in 0..ROUNDS {
                let mut elements: Vec<u64> = (0..tile)
                    .map(|_| encode_float(e, random.pick(&[-1.0, 0.0, 1.0])))
                    .collect();
                let mut special = match round % 4 {
                    0 | 1 => vec![any_nan(e, random)],
                    2 => vec![encode_float(e, f64::NEG_INFINITY)],
                    _ => vec![
                        encode_float(e, f64::INFINITY),
                        encode_float(e, f64::NEG_INFINITY),
                    ],
                };
                special.truncate(tile);
                for bits in special {
                    elements[random.below(tile)] = bits;
                }
                let expected = expected(case, e, &elements, NAN_OF_HALVES);
                let [interpreted, mut simulated] = sum.run(&elements)?;
                check("interpreter", tile, &elements, &interpreted, &expected)?;
                // Nothing is added to the first element, so a NaN there may keep its bits.
                let is_first = !case.is_of_all() || tile == 1;
                if is_first && expected[0] == NAN_OF_HALVES && simulated[0] == elements[0] {
                    simulated[0] = NAN_OF_HALVES;
                }
                check("simulator", tile, &elements, &simulated, &expected)?;
            }
        }
    }
    Ok(())
}

/// Tests f32 sums of eight-bit types. First come successive windows of the type's numbers, so narrow that no
/// sum is rounded, then NaN and infinities.
fn bytes(e: Scalar) -> Result<(), String> {
    let random = &mut Random::new(u64::from(e == Scalar::F8E5M2));
    let finite: Vec<u64> = (0..0x80)
        .filter(|&bits| decode_float(e, bits).is_finite())
        .collect();
    let special: Vec<u64> = (0..0x100)
        .filter(|&bits| !decode_float(e, bits).is_finite())
        .collect();
    for tile in TILES {
        for case in [Case::SumAs { tile }, Case::PrefixesAs { tile }] {
            let mut sum = Sum::new(case, e)?;
            for first in (1..finite.len()).step_by(8) {
                // The numbers of a window have at most four significant bits and are below 2^10 times the
                // least one, so sums of 2^10 of them are exact in f32.
                let least = decode_float(e, finite[first]);
                let window = finite[first..]
                    .iter()
                    .take_while(|&&bits| decode_float(e, bits) < 1024.0 * least);
                let window: Vec<u64> = window.copied().chain([0]).collect();
                let any = |random: &mut Random<'_>| {
                    random.pick(&window) | if random.one_in(2) { 0x80 } else { 0 }
                };
                let mut elements: Vec<u64> = (0..tile).map(|_| any(random)).collect();
                for is_finite in [true, false] {
                    if !is_finite {
                        elements[random.below(tile)] = random.pick(&special);
                    }
                    let mut expected = expected(case, e, &elements, NAN);
                    let [interpreted, mut simulated] = sum.run(&elements)?;
                    check("interpreter", tile, &elements, &interpreted, &expected)?;
                    for (expected, got) in expected.iter_mut().zip(&mut simulated) {
                        if *expected == NAN && decode_float(Scalar::F32, *got).is_nan() {
                            *got = NAN;
                        }
                    }
                    check("simulator", tile, &elements, &simulated, &expected)?;
                }
            }
        }
    }
    Ok(())
}

fn check(
    device: &str,
    tile: usize,
    elements: &[u64],
    got: &[u64],
    expected: &[u64],
) -> Result<(), String> {
    let mut pairs = got.iter().zip(expected);
    match pairs.position(|(got, expected)| got != expected) {
        None => Ok(()),
        Some(index) => Err(format!(
            "{device}, {tile} elements: result {index} is {:#x} instead of {:#x}, of {elements:#x?}",
            got[index], expected[index]
        )),
    }
}
