//! 8-bit floats, which tensors store and kernels convert and multiply.
//!
//! These types hold the bits and convert them; the host computes in `f32`.

use std::fmt;

use tile_core::Scalar;
use tile_core::interp::{decode_float, encode_float};

macro_rules! small_floats {
    ($($(#[$doc:meta])* $Name:ident: $scalar:ident;)+) => { $(
        $(#[$doc])*
        #[expect(non_camel_case_types, reason = "it is spelled like `f32`")]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $Name(u8);

        impl $Name {
            /// Returns the number with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// Returns the bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Converts to the nearest number, like a conversion in a kernel.
            pub fn from_f32(value: f32) -> Self {
                Self::from_f64(f64::from(value))
            }

            /// Converts to the nearest number, rounded once.
            pub fn from_f64(value: f64) -> Self {
                let bits = encode_float(Scalar::$scalar, value);
                Self(u8::try_from(bits).expect("the format has eight bits"))
            }

            /// Returns the value, which is exact.
            pub fn to_f32(self) -> f32 {
                #[expect(clippy::cast_possible_truncation, reason = "eight bits fit into `f32`")]
                let value = self.to_f64() as f32;
                value
            }

            /// Returns the value, which is exact.
            pub fn to_f64(self) -> f64 {
                decode_float(Scalar::$scalar, u64::from(self.0))
            }

            /// Returns `true` for NaN.
            pub fn is_nan(self) -> bool {
                self.to_f64().is_nan()
            }
        }

        /// Compares values, as for floats: NaN is not equal to itself, and zeros are equal.
        impl PartialEq for $Name {
            fn eq(&self, other: &Self) -> bool {
                self.to_f64() == other.to_f64()
            }
        }

        impl PartialOrd for $Name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                self.to_f64().partial_cmp(&other.to_f64())
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl From<$Name> for f32 {
            fn from(value: $Name) -> f32 {
                value.to_f32()
            }
        }

        impl From<$Name> for f64 {
            fn from(value: $Name) -> f64 {
                value.to_f64()
            }
        }
    )+ };
}

small_floats! {
    /// A float with four exponent and three mantissa bits, up to 448, without infinities: larger
    /// values become NaN.
    f8e4m3: F8E4M3FN;
    /// A float with five exponent and two mantissa bits, up to 57344, with infinities.
    f8e5m2: F8E5M2;
    /// A power of two from 2^-127 to 2^127, or NaN: a scale of matmuls. Other numbers are rounded
    /// down to a power of two; numbers that are not positive become NaN.
    f8e8m0: F8E8M0FNU;
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "numbers of eight bits are exact in `f32`")]

    use super::*;

    #[test]
    fn every_pattern_is_its_own_number() {
        for bits in 0..=255 {
            for (back, nan) in [
                (
                    f8e4m3::from_f32(f8e4m3::from_bits(bits).to_f32()).to_bits(),
                    f8e4m3::from_bits(bits).is_nan(),
                ),
                (
                    f8e5m2::from_f32(f8e5m2::from_bits(bits).to_f32()).to_bits(),
                    f8e5m2::from_bits(bits).is_nan(),
                ),
                (
                    f8e8m0::from_f64(f8e8m0::from_bits(bits).to_f64()).to_bits(),
                    f8e8m0::from_bits(bits).is_nan(),
                ),
            ] {
                assert!(nan || back == bits, "{bits:#x} became {back:#x}");
            }
        }
    }

    #[test]
    fn conversions_round_to_nearest_even() {
        assert_eq!(f8e4m3::from_f32(1.0625).to_f32(), 1.0);
        assert_eq!(f8e4m3::from_f32(1.1875).to_f32(), 1.25);
        assert_eq!(f8e4m3::from_f32(448.0).to_f32(), 448.0);
        assert!(f8e4m3::from_f32(465.0).is_nan());
        assert_eq!(f8e5m2::from_f32(1e9).to_f32(), f32::INFINITY);
        assert_eq!(f8e8m0::from_f32(3.9).to_f32(), 2.0);
        assert!(f8e8m0::from_f32(-1.0).is_nan());
        assert_eq!(
            format!("{:?} {}", f8e5m2::from_f32(1.5), f8e5m2::default()),
            "1.5 0"
        );
    }
}
