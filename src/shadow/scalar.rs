//! Traits and constants of numbers.

use super::{Element, Number, Rounding, Tile, bf16, f8e4m3, f8e5m2, f8e8m0, f16, only_in_kernels};

impl Rounding {
    /// Returns the same mode, with subnormal numbers flushed to zero.
    #[must_use]
    pub fn ftz(self) -> Rounding {
        only_in_kernels()
    }
}

macro_rules! implement {
    ($($ty:ty)+) => { $( impl Number for $ty {} )+ };
}
implement!(bool i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64);

/// Constants of number types in kernels, in addition to those of Rust.
pub trait Constants: Element {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The width of the type in bits.
    const BITS: u32;
}

macro_rules! constants {
    ($($ty:ty: $zero:expr, $one:expr;)+) => { $(
        impl Constants for $ty {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            #[expect(clippy::cast_possible_truncation, reason = "few bytes")]
            const BITS: u32 = 8 * size_of::<$ty>() as u32;
        }
    )+ };
}
constants! {
    i8: 0, 1; i16: 0, 1; i32: 0, 1; i64: 0, 1;
    u8: 0, 1; u16: 0, 1; u32: 0, 1; u64: 0, 1; usize: 0, 1;
    f16: f16::ZERO, f16::ONE; bf16: bf16::ZERO, bf16::ONE; f32: 0.0, 1.0; f64: 0.0, 1.0;
}

/// An integer with the unsigned type of its width.
pub trait Width {
    /// The unsigned type.
    type Unsigned: Element;
}

macro_rules! unsigned {
    ($($ty:ty: $unsigned:ty),+) => { $( impl Width for $ty { type Unsigned = $unsigned; } )+ };
}
unsigned!(i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64, usize: usize);

/// A float type with the unsigned integer type of its bits.
pub trait Bits: Element {
    /// The integer type.
    type Unsigned: Element;
}

/// The bits of a `T`: an integer, or a tile of integers.
pub trait OfBits<T> {
    /// `T`, or a tile of `T`.
    type Float;
}

macro_rules! bits {
    ($($ty:ty: $unsigned:ty),+) => { $(
        impl Bits for $ty {
            type Unsigned = $unsigned;
        }
        impl OfBits<$ty> for $unsigned {
            type Float = $ty;
        }
        impl<const RANK: usize> OfBits<$ty> for Tile<$unsigned, RANK> {
            type Float = Tile<$ty, RANK>;
        }
    )+ };
}
bits!(f8e4m3: u8, f8e5m2: u8, f8e8m0: u8, f16: u16, bf16: u16, f32: u32, f64: u64);
