//! Float formats as tables of values: rounding is a search that shares no code with the
//! interpreter.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};
use tile_core::ir::RoundingMode;
use tile_core::types::Scalar;

pub(crate) const IEEE_MODES: [RoundingMode; 4] = [
    RoundingMode::NearestEven,
    RoundingMode::Zero,
    RoundingMode::NegativeInf,
    RoundingMode::PositiveInf,
];

/// The types with at most 19 bits.
pub(crate) const SMALL: [Scalar; 7] = [
    Scalar::F4E2M1FN,
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::F8E8M0FNU,
    Scalar::F16,
    Scalar::BF16,
    Scalar::TF32,
];

/// The representation of numbers above the greatest finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Above {
    Infinity,
    Nan,
    Greatest,
}

/// A float type of at most 19 bits.
#[derive(Debug)]
pub(crate) struct Format {
    scalar: Scalar,
    /// The non-negative numbers, indexed by their bits.
    values: Vec<f64>,
    above: Above,
}

impl Format {
    pub(crate) fn for_scalar(scalar: Scalar) -> &'static Format {
        static MADE: LazyLock<Mutex<BTreeMap<u32, &'static Format>>> =
            LazyLock::new(Mutex::default);
        let mut formats = MADE.lock().expect("no test fails in here");
        let key = SMALL.iter().position(|&small| small == scalar);
        let key = u32::try_from(key.expect("a small type")).expect("seven");
        formats
            .entry(key)
            .or_insert_with(|| Box::leak(Box::new(Self::new(scalar))))
    }

    fn new(scalar: Scalar) -> Self {
        // Exponent bits, mantissa bits, and the patterns at the top that are not numbers.
        let (exponent_bits, mantissa_bits, others, above) = match scalar {
            Scalar::F4E2M1FN => (2, 1, 0, Above::Greatest),
            Scalar::F8E4M3FN => (4, 3, 1, Above::Nan),
            Scalar::F8E5M2 => (5, 2, 4, Above::Infinity),
            Scalar::F16 => (5, 10, 1 << 10, Above::Infinity),
            Scalar::BF16 => (8, 7, 1 << 7, Above::Infinity),
            Scalar::TF32 => (8, 10, 1 << 10, Above::Infinity),
            // The type has neither a sign nor zero.
            Scalar::F8E8M0FNU => {
                return Self {
                    scalar,
                    values: (0..255).map(|bits| 2.0_f64.powi(bits - 127)).collect(),
                    above: Above::Nan,
                };
            }
            other => panic!("{other} has no table"),
        };
        let bias = (1 << (exponent_bits - 1)) - 1;
        let unit = 1_i32 << mantissa_bits;
        let count = (1 << exponent_bits) * unit - others;
        let number = |bits: i32| {
            let (exponent, fraction) = (bits / unit, bits % unit);
            let (whole, exponent) = if exponent == 0 {
                (0, 1)
            } else {
                (unit, exponent)
            };
            f64::from(whole + fraction) * 2.0_f64.powi(exponent - bias - mantissa_bits)
        };
        Self {
            scalar,
            values: (0..count).map(number).collect(),
            above,
        }
    }

    fn is_scale(&self) -> bool {
        self.scalar == Scalar::F8E8M0FNU
    }

    fn sign_bit(&self) -> u64 {
        if self.is_scale() {
            0
        } else {
            1 << (self.scalar.bits() - 1)
        }
    }

    /// Returns the value of a pattern.
    pub(crate) fn value(&self, bits: u64) -> f64 {
        let magnitude = (bits & !self.sign_bit()) as usize;
        let infinite = self.above == Above::Infinity && magnitude == self.values.len();
        let value = match self.values.get(magnitude) {
            Some(&value) => value,
            None if infinite => f64::INFINITY,
            None => f64::NAN,
        };
        if bits & self.sign_bit() == 0 {
            value
        } else {
            -value
        }
    }

    /// Returns every pattern.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = u64> {
        0..1 << self.scalar.bits()
    }

    /// Returns the numbers halfway between neighbours. The last one is halfway between the greatest
    /// number and the next one in a larger exponent range.
    pub(crate) fn ties(&self) -> impl Iterator<Item = f64> {
        (0..self.values.len()).map(|index| f64::midpoint(self.values[index], self.after(index)))
    }

    fn after(&self, index: usize) -> f64 {
        self.values.get(index + 1).copied().unwrap_or_else(|| {
            if self.is_scale() {
                2.0 * self.values[index]
            } else {
                2.0 * self.values[index] - self.values[index - 1]
            }
        })
    }

    /// Returns the pattern of a rounded number; for a NaN, that of any NaN.
    pub(crate) fn round(&self, value: f64, mode: RoundingMode) -> u64 {
        if self.is_scale() {
            return self.round_scale(value, mode);
        }
        let last = self.values.len() as u64 - 1;
        if value.is_nan() {
            // A type without NaN represents it as the greatest number.
            return if self.above == Above::Greatest {
                last
            } else {
                self.sign_bit() - 1
            };
        }
        let negative = value.is_sign_negative();
        let size = value.abs();
        let low = self.values.partition_point(|&number| number <= size) - 1;
        let high = self.after(low);
        let up = match mode {
            _ if self.values[low] == size => false,
            RoundingMode::Zero => false,
            RoundingMode::NegativeInf => negative,
            RoundingMode::PositiveInf => !negative,
            _ if size - self.values[low] == high - size => low % 2 == 1,
            _ => size - self.values[low] > high - size,
        };
        let magnitude = low as u64 + u64::from(up);
        // An infinity is not rounded.
        let is_above = magnitude > last || size.is_infinite();
        let magnitude = match self.above {
            Above::Greatest => magnitude.min(last),
            _ if is_above => last + 1,
            _ => magnitude,
        };
        magnitude | if negative { self.sign_bit() } else { 0 }
    }

    /// Rounds to a scale. The least scale represents all positive numbers below it; numbers that
    /// are not positive have no representation.
    fn round_scale(&self, value: f64, mode: RoundingMode) -> u64 {
        const NAN: u64 = 255;
        if value.is_nan() || value <= 0.0 || value.is_infinite() {
            return NAN;
        }
        let not_above = self.values.partition_point(|&number| number <= value);
        if not_above == 0 {
            return 0;
        }
        let inexact = self.values[not_above - 1] != value;
        let up = inexact && mode == RoundingMode::PositiveInf;
        not_above as u64 - 1 + u64::from(up)
    }
}

/// Returns the value of a float of any type.
pub(crate) fn value(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        small => Format::for_scalar(small).value(bits),
    }
}

/// Returns the adjacent f32 of an f64 on the side that a rounding mode selects.
pub(crate) fn round_to_f32(value: f64, mode: RoundingMode) -> f32 {
    let near = value as f32;
    let wide = f64::from(near);
    match mode {
        _ if wide == value || value.is_nan() => near,
        RoundingMode::Zero if wide.abs() > value.abs() => {
            if value < 0.0 {
                near.next_up()
            } else {
                near.next_down()
            }
        }
        RoundingMode::NegativeInf if wide > value => near.next_down(),
        RoundingMode::PositiveInf if wide < value => near.next_up(),
        _ => near,
    }
}

/// Returns the pattern of a rounded number of any type.
pub(crate) fn round(scalar: Scalar, value: f64, mode: RoundingMode) -> u64 {
    match scalar {
        Scalar::F32 => round_to_f32(value, mode).to_bits().into(),
        Scalar::F64 => value.to_bits(),
        small => Format::for_scalar(small).round(value, mode),
    }
}

/// Returns `true` if two patterns are the same number, or if both are NaN.
pub(crate) fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    a == b || value(scalar, a).is_nan() && value(scalar, b).is_nan()
}
