//! Conversions from and to narrow formats, on two or four elements, with `.relu` and `.satfinite`.

use smallvec::SmallVec;

use super::super::Slot;
use super::super::float::native::{Brain, Half, Ieee, rows};
use super::super::operands::sized;
use super::super::soft::{F32, Rounding};
use super::super::types::{Class, Type, mask};
use super::{Modifiers, Way, format};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::target::Target;

/// A conversion that produces one, two or four numbers.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    to: Type,
    from: Type,
    rounding: Rounding,
    /// The operand with the random bits of `.rs`.
    random: Option<Slot>,
    relu: bool,
    /// `.satfinite`: infinity, and NaN where the format has none, become the largest number.
    finite: bool,
    dest: Slot,
    /// One operand per element, the highest first; or one operand that holds all elements.
    args: SmallVec<[Slot; 4]>,
}

fn small(class: Class) -> bool {
    matches!(
        class,
        Class::E4m3 | Class::E5m2 | Class::E2m1 | Class::E2m3 | Class::E3m2
    )
}

fn byte(class: Class) -> bool {
    matches!(class, Class::E4m3 | Class::E5m2)
}

fn half(ty: Type) -> bool {
    ty.is_float() && ty.bits == 16
}

/// The targets that have the narrow formats.
const BLACKWELL: [Target; 3] = [
    Target::family(100),
    Target::family(110),
    Target::family(120),
];

/// Requires a target with the formats of Blackwell.
fn needs_blackwell(d: &Decoder<'_>) -> Decoded<()> {
    if d.names.version.major == 8 && d.names.version.minor < 8 {
        return d.requires_one_of(
            (8, 6),
            &[Target::only(100), Target::only(101), Target::only(120)],
        );
    }
    d.requires_one_of((8, 6), &BLACKWELL)
}

/// The number of source operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sources {
    One,
    Two,
    /// One vector of four.
    Four,
}

pub(super) fn decode(
    d: &mut Decoder<'_>,
    modifiers: Modifiers,
    to: Type,
    from: Type,
) -> Decoded<Narrow> {
    let sources = exists(d, modifiers, to, from)?;
    let random = modifiers.rounding == Some(Way::Stochastic);
    let operands = match sources {
        Sources::One | Sources::Four => 2,
        Sources::Two => 3,
    };
    let operands = operands + usize::from(random);
    d.end(operands)?;
    let dest = d.dest_for(0, to)?;
    let args = match sources {
        Sources::One => SmallVec::from_slice(&[d.source(1, from)?]),
        Sources::Two => SmallVec::from_slice(&[d.source(1, from)?, d.source(2, from)?]),
        Sources::Four => d.sources(1, 4, from)?,
    };
    let random = if random {
        Some(sized(d, operands - 1, Type::B32)?)
    } else {
        None
    };
    Ok(Narrow {
        to,
        from,
        rounding: modifiers.rounds_to_float().unwrap_or(Rounding::NearestEven),
        random,
        relu: modifiers.relu,
        finite: modifiers.satfinite,
        dest,
        args,
    })
}

/// Checks that the form exists for the target (PTX ISA, "cvt", syntax), and returns its source
/// operands.
fn exists(d: &Decoder<'_>, modifiers: Modifiers, to: Type, from: Type) -> Decoded<Sources> {
    let Modifiers {
        rounding,
        ftz,
        sat,
        relu,
        satfinite,
    } = modifiers;
    let nearest = rounding == Some(Way::Float(Rounding::NearestEven));
    let zero = rounding == Some(Way::Float(Rounding::Zero));
    let up = rounding == Some(Way::Float(Rounding::Up));
    let away = rounding == Some(Way::Float(Rounding::NearestAway));
    let random = rounding == Some(Way::Stochastic);
    if ftz || sat {
        return d.error("`.ftz` and `.sat` cannot be combined with the types and modifiers");
    }
    let wrong_rounding =
        |roundings: &str| d.error(format!("the rounding of this conversion is {roundings}"));
    match (to, from) {
        // The arms follow the syntax lines of PTX ISA, "cvt", in order; `requires` states the "PTX
        // ISA Notes" and "Target ISA Notes" of each.
        (to, Type::F32) if half(to) => {
            if random && to.packed == 2 {
                needs_stochastic(d)?;
            } else if nearest || zero {
                if to == Type::F16 && !relu {
                    d.requires((8, 1), 70)?;
                } else {
                    d.requires(if satfinite { (8, 1) } else { (7, 0) }, 80)?;
                }
            } else {
                return wrong_rounding("`.rn` or `.rz`, or `.rs` for a pair");
            }
            Ok(if to.packed == 2 {
                Sources::Two
            } else {
                Sources::One
            })
        }
        (to, Type::F32) if to.class == Class::Tf32 => {
            if away && !relu {
                d.requires(if satfinite { (8, 1) } else { (7, 0) }, 80)?;
            } else if nearest || zero {
                let min = if satfinite {
                    ((8, 6), 100)
                } else {
                    ((7, 8), 90)
                };
                d.requires(min.0, min.1)?;
            } else {
                return wrong_rounding("`.rna`, or `.rn` or `.rz`; `.relu` is not for `.rna`");
            }
            Ok(Sources::One)
        }
        (to, Type::F32) if small(to.class) && to.packed == 4 => {
            if !random {
                return wrong_rounding("`.rs`");
            }
            if !satfinite {
                return d.error("`.satfinite` is missing");
            }
            needs_stochastic(d)?;
            Ok(Sources::Four)
        }
        (to, from) if small(to.class) && to.packed == 2 => {
            let packed = from == F16X2 || from == BF16X2;
            if from != Type::F32 && !packed {
                return d.error("there is no conversion between these types");
            }
            if !nearest {
                return wrong_rounding("`.rn`");
            }
            if !satfinite {
                return d.error("`.satfinite` is missing");
            }
            if packed && (from == BF16X2 || !byte(to.class)) {
                d.requires_one_of((9, 1), &BLACKWELL)?;
            } else if byte(to.class) {
                needs_bytes(d)?;
            } else {
                needs_blackwell(d)?;
            }
            Ok(if packed { Sources::One } else { Sources::Two })
        }
        (to, from) if to.class == Class::Ue8m0 => {
            let packed = from == BF16X2;
            if from != Type::F32 && !packed || relu {
                return d.error("there is no conversion between these types");
            }
            if !zero && !up {
                return wrong_rounding("`.rz` or `.rp`");
            }
            needs_blackwell(d)?;
            Ok(if packed { Sources::One } else { Sources::Two })
        }
        (F16X2, from) if small(from.class) && from.packed == 2 => {
            if !nearest {
                return wrong_rounding("`.rn`");
            }
            if satfinite {
                return d.error("`.satfinite` is not for widening");
            }
            if byte(from.class) {
                needs_bytes(d)?;
            } else {
                needs_blackwell(d)?;
            }
            Ok(Sources::One)
        }
        (BF16X2, from) if small(from.class) && from.packed == 2 => {
            if !nearest {
                return wrong_rounding("`.rn`");
            }
            d.requires_one_of((9, 2), &BLACKWELL)?;
            Ok(Sources::One)
        }
        (BF16X2, from) if from.class == Class::Ue8m0 => {
            if !nearest || relu || satfinite {
                return wrong_rounding("`.rn`, without other modifiers");
            }
            needs_blackwell(d)?;
            Ok(Sources::One)
        }
        _ => d.error("there is no conversion between these types with these modifiers"),
    }
}

const F16X2: Type = Type::F16.times(2);
const BF16X2: Type = Type::BF16.times(2);

fn needs_bytes(d: &Decoder<'_>) -> Decoded<()> {
    // `sm_90` had the form first; `sm_89` followed in a later version of the PTX ISA.
    if d.names.target.number == 89 {
        d.requires((8, 1), 89)
    } else {
        d.requires((7, 8), 89)
    }
}

fn needs_stochastic(d: &Decoder<'_>) -> Decoded<()> {
    d.requires_one_of((8, 7), &[Target::only(100), Target::only(103)])
}

impl Narrow {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
        let plain = self.rounding == Rounding::NearestEven
            && self.random.is_none()
            && !self.relu
            && !self.finite;
        if let ([upper, lower], true, Type::F32) = (&self.args[..], plain, self.from) {
            let args = [*upper, *lower, *lower];
            let float = f32::from_bits;
            if self.to == F16X2 {
                return rows(r, active, self.dest, args, |x, y, _| {
                    Ieee::narrow(float(x)) << 16 | Ieee::narrow(float(y))
                });
            }
            if self.to == BF16X2 {
                return rows(r, active, self.dest, args, |x, y, _| {
                    Brain::narrow(float(x)) << 16 | Brain::narrow(float(y))
                });
            }
        }
        let count = usize::from(self.to.packed);
        let rows: SmallVec<[_; 4]> = self.args.iter().map(|&slot| r.row(slot)).collect();
        let random = self.random.map(|slot| r.row(slot));
        let part = mask(u16::from(self.from.bits));
        r.each(active, self.dest, |lane| {
            (0..count).fold(0, |result, index| {
                // Sources and results are in order from the highest to the lowest.
                let x = if rows.len() == count {
                    rows[index][lane]
                } else {
                    rows[0][lane] >> (usize::from(self.from.bits) * (count - 1 - index))
                };
                let rounding = match &random {
                    Some(row) => self.stochastic(row[lane], index),
                    None => self.rounding,
                };
                result << self.to.bits | self.element(x & part, rounding)
            })
        });
    }

    /// Selects the random bits of an element, counted from the highest (PTX ISA, "cvt", random
    /// bits).
    fn stochastic(&self, random: u64, index: usize) -> Rounding {
        let random = random as u32;
        let (upper, lower) = (random >> 16, random & 0xffff);
        let (random, bits) = match (self.to.class, self.to.packed) {
            // The first element uses the upper half, the second the lower.
            (Class::Float, _) => ([upper, lower][index] & 0x1fff, 13),
            (Class::Brain, _) => ([upper, lower][index], 16),
            // The first two elements use the upper bytes of both halves, the others the lower
            // bytes.
            (Class::E2m1, _) if index < 2 => (upper & 0xff00 | lower >> 8, 16),
            (Class::E2m1, _) => ((upper & 0xff) << 8 | lower & 0xff, 16),
            _ if index < 2 => (upper, 16),
            _ => (lower, 16),
        };
        Rounding::Stochastic { random, bits }
    }

    fn element(&self, x: u64, rounding: Rounding) -> u64 {
        match (self.to.class, self.from.class) {
            (Class::Ue8m0, Class::Brain) => self.to_exponent(x << 16, rounding),
            (Class::Ue8m0, _) => self.to_exponent(x, rounding),
            (_, Class::Ue8m0) => of_exponent(x),
            _ => self.float(x, rounding),
        }
    }

    /// Converts the magnitude of an f32, given as bits, to a power of two; `.ue8m0` has no sign.
    fn to_exponent(&self, x: u64, rounding: Rounding) -> u64 {
        let magnitude = x & 0x7fff_ffff;
        if F32.is_nan(x) {
            return 0xff;
        }
        let exponent = magnitude >> 23;
        let fraction = magnitude & 0x7f_ffff;
        // The smallest power, 2^-127, is a subnormal f32.
        let above = if exponent == 0 {
            fraction > 0x40_0000
        } else {
            fraction != 0
        };
        let result = exponent + u64::from(above && rounding == Rounding::Up);
        match result {
            0xff if self.finite => 0xfe,
            _ => result,
        }
    }

    fn float(&self, x: u64, rounding: Rounding) -> u64 {
        let (from, to) = (format(self.from), format(self.to));
        let mut result = if from.is_nan(x) {
            // A format without NaN saturates to the largest number.
            to.nan
        } else {
            let result = to.convert_from(x, from, rounding);
            let magnitude = result & (to.sign_bit() - 1);
            if self.finite && (to.is_nan(result) || magnitude > to.greatest()) {
                to.greatest()
                    | if from.is_negative(x) {
                        to.sign_bit()
                    } else {
                        0
                    }
            } else {
                result
            }
        };
        if self.relu && !to.is_nan(result) && to.is_negative(result) {
            result = 0;
        }
        // tf32 occupies the upper bits of its register.
        if self.to.class == Class::Tf32 {
            result << 13
        } else {
            result
        }
    }
}

/// Converts a `.ue8m0` power of two to bf16.
fn of_exponent(x: u64) -> u64 {
    match x & 0xff {
        0xff => 0x7fff,
        // The result is subnormal.
        0 => 0x40,
        exponent => exponent << 7,
    }
}
