//! The Rust types of tensor elements and of scalar arguments.

use crate::small_float::{f8e4m3, f8e5m2, f8e8m0};
use half::{bf16, f16};
use tile_core::Scalar;

mod sealed {
    pub trait Sealed {}
}

/// An element type of tensors.
///
/// The element types are `bool`, the integers of 8 to 64 bits, `f16`, `bf16`, `f32`, `f64`, and the
/// storage types `f8e4m3`, `f8e5m2` and `f8e8m0`. The trait is sealed: the element types of kernels
/// are those of Tile IR.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element of tensors",
    label = "expected a number type or `bool`",
    note = "the elements are `bool`, `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32`, `f64`, `f8e4m3`, `f8e5m2` and `f8e8m0`"
)]
pub trait Element: ScalarArg + Default + PartialEq + Send + Sync + 'static {
    /// The Tile IR type. Integers are signless there; `bool` is `i1`, one byte in memory.
    const SCALAR: Scalar;
}

/// The type of an argument that is passed by value: an [`Element`], `usize` or `isize`.
pub trait ScalarArg: sealed::Sealed + Copy {
    /// Returns the bits of the value, in the low bits of the result.
    fn bits(self) -> u64;
}

macro_rules! elements {
    ($($ty:ty: $scalar:ident, |$value:ident| $bits:expr;)+) => { $(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
        }
        impl ScalarArg for $ty {
            fn bits(self) -> u64 {
                let $value = self;
                $bits
            }
        }
    )+ };
}

elements! {
    bool: I1, |value| u64::from(value);
    i8: I8, |value| u64::from(value.cast_unsigned());
    i16: I16, |value| u64::from(value.cast_unsigned());
    i32: I32, |value| u64::from(value.cast_unsigned());
    i64: I64, |value| value.cast_unsigned();
    u8: I8, |value| u64::from(value);
    u16: I16, |value| u64::from(value);
    u32: I32, |value| u64::from(value);
    u64: I64, |value| value;
    f16: F16, |value| u64::from(value.to_bits());
    bf16: BF16, |value| u64::from(value.to_bits());
    f8e4m3: F8E4M3FN, |value| u64::from(value.to_bits());
    f8e5m2: F8E5M2, |value| u64::from(value.to_bits());
    f8e8m0: F8E8M0FNU, |value| u64::from(value.to_bits());
    f32: F32, |value| u64::from(value.to_bits());
    f64: F64, |value| value.to_bits();
}

impl sealed::Sealed for usize {}
impl ScalarArg for usize {
    fn bits(self) -> u64 {
        self as u64
    }
}
impl sealed::Sealed for isize {}
impl ScalarArg for isize {
    fn bits(self) -> u64 {
        (self as i64).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes_agree<T: Element>() {
        assert_eq!(size_of::<T>(), T::SCALAR.bytes());
    }

    #[test]
    fn an_element_takes_the_bytes_that_the_dialect_says() {
        sizes_agree::<bool>();
        sizes_agree::<i8>();
        sizes_agree::<u16>();
        sizes_agree::<i32>();
        sizes_agree::<u64>();
        sizes_agree::<f16>();
        sizes_agree::<bf16>();
        sizes_agree::<f8e4m3>();
        sizes_agree::<f8e5m2>();
        sizes_agree::<f8e8m0>();
        sizes_agree::<f32>();
        sizes_agree::<f64>();
    }

    #[test]
    fn a_scalar_is_passed_as_its_own_bits() {
        assert_eq!((-1i8).bits(), 0xff);
        assert_eq!((-2i32).bits(), 0xffff_fffe);
        assert_eq!((-1isize).bits(), u64::MAX);
        assert_eq!(1.0f32.bits(), 0x3f80_0000);
        assert_eq!(bf16::ONE.bits(), 0x3f80);
        assert_eq!(true.bits(), 1);
    }
}
