//! `min` and `max` of floating-point numbers.

use super::super::Slot;
use super::super::soft::{F32, Format};
use super::native;
use crate::machine::registers::Registers;

/// A variant of `min` or `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
pub(super) struct Extremum {
    pub(super) max: bool,
    /// `.NaN`: the result is NaN if an operand is.
    pub(super) propagate: bool,
    /// `.xorsign`: the sign of the result is the product of the signs.
    pub(super) xor_sign: bool,
    /// `.abs`: compares and returns magnitudes.
    pub(super) abs: bool,
}

impl Extremum {
    /// Returns the extremum of two operands; -0 is less than +0.
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

/// Returns the extremum of two numbers left-aligned in 32 bits, in the layout of f32; -0 is less
/// than +0.
#[inline]
fn choose<const MAX: bool, const PROPAGATE: bool>(
    (infinity, nan): (i32, u32),
    x: u32,
    y: u32,
) -> u32 {
    let magnitude = |bits: u32| (bits & 0x7fff_ffff).cast_signed();
    // The bit patterns of negative numbers descend as the numbers ascend.
    let key = |bits: u32| bits.cast_signed() ^ (bits.cast_signed() >> 31 & 0x7fff_ffff);
    let (x_nan, y_nan) = (magnitude(x) > infinity, magnitude(y) > infinity);
    let first = (key(x) > key(y)) == MAX;
    let chosen = if first { x } else { y };
    let chosen = if y_nan { x } else { chosen };
    let chosen = if x_nan { y } else { chosen };
    let none = if PROPAGATE {
        x_nan | y_nan
    } else {
        x_nan & y_nan
    };
    if none { nan } else { chosen }
}

impl Extremum {
    /// Executes f32, and one or two elements of f16 or bf16, without `.abs`.
    pub(super) fn rows(
        self,
        r: &mut Registers,
        active: u32,
        operands: (Slot, [Slot; 3]),
        format: Format,
        packed: bool,
    ) {
        match (self.max, self.propagate) {
            (false, false) => choose_rows::<false, false>(r, active, operands, format, packed),
            (false, true) => choose_rows::<false, true>(r, active, operands, format, packed),
            (true, false) => choose_rows::<true, false>(r, active, operands, format, packed),
            (true, true) => choose_rows::<true, true>(r, active, operands, format, packed),
        }
    }
}

fn choose_rows<const MAX: bool, const PROPAGATE: bool>(
    r: &mut Registers,
    active: u32,
    (dest, args): (Slot, [Slot; 3]),
    format: Format,
    packed: bool,
) {
    let shift = if format == F32 { 0 } else { 16 };
    // Left-aligns a format of at most 32 bits.
    let top = |bits: u64| (bits as u32) << shift;
    let special = (top(format.infinity()).cast_signed(), top(format.nan));
    let one = |x: u32, y: u32| choose::<MAX, PROPAGATE>(special, x, y);
    if packed {
        native::rows(r, active, dest, args, |x, y, _| {
            let low = one(x << 16, y << 16) >> 16;
            low | one(x & 0xffff_0000, y & 0xffff_0000) & 0xffff_0000
        });
    } else {
        native::rows(r, active, dest, args, |x, y, _| {
            one(x << shift, y << shift) >> shift
        });
    }
}

/// Returns the extremum of two numbers, for reductions and atomics.
pub(crate) fn extreme(format: Format, max: bool, propagate: bool, x: u64, y: u64) -> u64 {
    let variant = Extremum {
        max,
        propagate,
        xor_sign: false,
        abs: false,
    };
    variant.choose(format, x, y)
}
