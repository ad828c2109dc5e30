//! Converts stored bits to numbers, to compare results that may be rounded differently.

use super::exact;
use crate::types::Scalar;

/// Returns the exact value of a float; `None` for an integer.
pub(super) fn value(scalar: Scalar, stored: u64) -> Option<f64> {
    scalar.is_float().then(|| exact::decode(scalar, stored))
}

/// Returns the maximum difference between two computations of one number that round differently,
/// relative to their operands. It leaves half of the digits for the intermediate results of a body.
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
