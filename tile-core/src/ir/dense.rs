//! Dense constant data.

use crate::types::Scalar;

/// Numbers of one type: either one value for every element, or one bit pattern
/// per element, row-major.
///
/// Bit patterns are zero-extended to 64 bits (tf32: its 19 bits).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DenseElements {
    /// Every element has these bits.
    Splat {
        /// Element type.
        scalar: Scalar,
        /// The bit pattern.
        bits: u64,
    },
    /// Element `i` (row-major) has the bits `bits[i]`.
    Each {
        /// Element type.
        scalar: Scalar,
        /// The bit patterns.
        bits: Vec<u64>,
    },
}

impl DenseElements {
    /// The element type.
    pub fn scalar(&self) -> Scalar {
        match self {
            DenseElements::Splat { scalar, .. } | DenseElements::Each { scalar, .. } => *scalar,
        }
    }

    /// From one bit pattern per element; equal elements become a splat.
    pub fn from_bits(scalar: Scalar, bits: Vec<u64>) -> Self {
        match bits.first() {
            Some(&first) if bits.iter().all(|&bits| bits == first) => DenseElements::Splat {
                scalar,
                bits: first,
            },
            _ => DenseElements::Each { scalar, bits },
        }
    }

    /// The bit pattern of every element, if all are the same.
    pub fn splat_bits(&self) -> Option<u64> {
        match self {
            DenseElements::Splat { bits, .. } => Some(*bits),
            DenseElements::Each { .. } => None,
        }
    }

    /// The bit pattern of element `index` (row-major).
    pub fn bits_at(&self, index: usize) -> u64 {
        match self {
            DenseElements::Splat { bits, .. } => *bits,
            DenseElements::Each { bits, .. } => bits[index],
        }
    }
}
