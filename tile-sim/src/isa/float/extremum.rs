//! `min` and `max` of floats.

use super::super::soft::Format;

/// Which one is chosen, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
pub(super) struct Extremum {
    pub(super) max: bool,
    /// `.NaN`: NaN if one operand is.
    pub(super) propagate: bool,
    /// The sign is the product of the signs.
    pub(super) xor_sign: bool,
    /// Magnitudes are compared.
    pub(super) abs: bool,
}

impl Extremum {
    /// Of two operands; -0 is below +0.
    #[inline]
    pub(super) fn choose(self, format: Format, x: u64, y: u64) -> u64 {
        let sign = format.sign_bit();
        let product = if self.xor_sign { (x ^ y) & sign } else { 0 };
        let (x, y) = if self.abs {
            (x & !sign, y & !sign)
        } else {
            (x, y)
        };
        let key = |bits: u64| {
            let magnitude = (bits & (sign - 1)).cast_signed();
            if bits & sign == 0 {
                magnitude
            } else {
                -1 - magnitude
            }
        };
        let first = (key(x) > key(y)) == self.max;
        let result = match (format.is_nan(x), format.is_nan(y)) {
            (false, false) => {
                if first {
                    x
                } else {
                    y
                }
            }
            (true, false) if !self.propagate => y,
            (false, true) if !self.propagate => x,
            _ => return format.nan,
        };
        result | product
    }
}

/// The lesser or greater of two numbers, for reductions and atomics.
pub(crate) fn extreme(format: Format, max: bool, propagate: bool, x: u64, y: u64) -> u64 {
    let how = Extremum {
        max,
        propagate,
        xor_sign: false,
        abs: false,
    };
    how.choose(format, x, y)
}
