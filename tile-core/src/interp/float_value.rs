//! Stored bits as numbers, for comparing results that may be rounded differently.

use super::exact;
use crate::types::Scalar;

/// The value of a float, which is exact; `None` for an integer.
pub(super) fn value(scalar: Scalar, stored: u64) -> Option<f64> {
    scalar.is_float().then(|| exact::decode(scalar, stored))
}

/// Two roundings of one number differ by at most this part of the numbers that it was made of,
/// where half of the digits are left for what a body computes in between.
pub(super) fn tolerance(scalar: Scalar) -> f64 {
    let digits = match scalar {
        Scalar::F64 => 52,
        Scalar::F32 => 23,
        Scalar::F16 | Scalar::TF32 => 10,
        Scalar::BF16 => 7,
        _ => 2,
    };
    2.0_f64.powi(-digits / 2)
}
