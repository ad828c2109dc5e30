//! Defines the types of generated programs, and values of these types that are likely to reveal
//! errors.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "any bits are a good input"
)]

use super::choices::Choices;

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::differential) enum Scalar {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Usize,
    Bool,
    F32,
    F64,
}

use Scalar as S;

impl Scalar {
    pub(in crate::differential) const INTEGERS: [Scalar; 9] = [
        S::I32,
        S::I64,
        S::I8,
        S::I16,
        S::U32,
        S::U64,
        S::U8,
        S::U16,
        S::Usize,
    ];
    pub(in crate::differential) const ALL: [Scalar; 12] = [
        S::I32,
        S::I64,
        S::I8,
        S::I16,
        S::U32,
        S::U64,
        S::U8,
        S::U16,
        S::Usize,
        S::Bool,
        S::F32,
        S::F64,
    ];

    pub(in crate::differential) fn name(self) -> &'static str {
        match self {
            S::I8 => "i8",
            S::I16 => "i16",
            S::I32 => "i32",
            S::I64 => "i64",
            S::U8 => "u8",
            S::U16 => "u16",
            S::U32 => "u32",
            S::U64 => "u64",
            S::Usize => "usize",
            S::Bool => "bool",
            S::F32 => "f32",
            S::F64 => "f64",
        }
    }

    pub(in crate::differential) fn is_float(self) -> bool {
        matches!(self, S::F32 | S::F64)
    }

    pub(in crate::differential) fn is_signed(self) -> bool {
        matches!(self, S::I8 | S::I16 | S::I32 | S::I64)
    }

    pub(in crate::differential) fn bits(self) -> u32 {
        match self {
            S::Bool => 1,
            S::I8 | S::U8 => 8,
            S::I16 | S::U16 => 16,
            S::I32 | S::U32 | S::F32 => 32,
            S::I64 | S::U64 | S::Usize | S::F64 => 64,
        }
    }

    /// Returns the smallest and the largest integer.
    pub(in crate::differential) fn range(self) -> (i128, i128) {
        let bits = self.bits();
        if self.is_signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }

    /// Returns the bits of an argument.
    pub(in crate::differential) fn input(self, choices: &mut Choices) -> u64 {
        let mask = u64::MAX >> (64 - self.bits());
        match self {
            S::Bool => choices.bits() & 1,
            S::F32 => u64::from(match choices.below(10) {
                0 => 0.0_f32.to_bits(),
                1 => (-0.0_f32).to_bits(),
                2 => f32::NAN.to_bits(),
                3 => f32::INFINITY.to_bits(),
                4 => f32::NEG_INFINITY.to_bits(),
                5 => 2_147_483_648.0_f32.to_bits(),
                6 => f32::from_bits(1).to_bits(),
                7 => (choices.bits() as u32 as i32 as f32 / 65536.0).to_bits(),
                8 => (choices.below(200) as f32 / 4.0 - 25.0).to_bits(),
                _ => {
                    let bits = choices.bits() as u32;
                    if f32::from_bits(bits).is_nan() {
                        0x7fc0_0000
                    } else {
                        bits
                    }
                }
            }),
            S::F64 => match choices.below(10) {
                0 => 0.0_f64.to_bits(),
                1 => (-0.0_f64).to_bits(),
                2 => f64::NAN.to_bits(),
                3 => f64::INFINITY.to_bits(),
                4 => f64::NEG_INFINITY.to_bits(),
                5 => 9_223_372_036_854_775_808.0_f64.to_bits(),
                6 => 1,
                7 => (choices.bits() as i64 as f64 / 65536.0).to_bits(),
                8 => (choices.below(200) as f64 / 4.0 - 25.0).to_bits(),
                _ => {
                    let bits = choices.bits();
                    if f64::from_bits(bits).is_nan() {
                        f64::NAN.to_bits()
                    } else {
                        bits
                    }
                }
            },
            _ => {
                let (least, greatest) = self.range();
                let value = match choices.below(8) {
                    0 => 0,
                    1 => choices.below(20) as i128 - if self.is_signed() { 10 } else { 0 },
                    2 => least,
                    3 => greatest,
                    4 => greatest - choices.below(4) as i128,
                    5 => least + choices.below(4) as i128,
                    6 => 1 << choices.below(self.bits() as usize - 1),
                    _ => i128::from(choices.bits()),
                };
                value as u64 & mask
            }
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::differential) enum Ty {
    Scalar(Scalar),
    Tuple(Vec<Ty>),
}

impl Ty {
    pub(in crate::differential) fn text(&self) -> String {
        match self {
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Ty::text).collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}
