//! Dense constant data.

use crate::types::Scalar;

/// Elements of one type: either one value for all of them, or one bit pattern per element in
/// row-major order.
///
/// Bit patterns are zero-extended to 64 bits; that of a tf32 has 19 bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DenseElements {
    /// All elements are equal.
    Splat {
        /// The element type.
        scalar: Scalar,
        /// The bit pattern.
        bits: u64,
    },
    /// Element `i`, in row-major order, has the bits `bits[i]`.
    Each {
        /// The element type.
        scalar: Scalar,
        /// The bit patterns.
        bits: Vec<u64>,
    },
}

impl DenseElements {
    /// Returns the element type.
    pub fn scalar(&self) -> Scalar {
        match self {
            DenseElements::Splat { scalar, .. } | DenseElements::Each { scalar, .. } => *scalar,
        }
    }

    /// Makes elements from their bit patterns; the result is a splat if all are equal.
    pub fn from_bits(scalar: Scalar, bits: Vec<u64>) -> Self {
        match bits.first() {
            Some(&first) if bits.iter().all(|&bits| bits == first) => DenseElements::Splat {
                scalar,
                bits: first,
            },
            _ => DenseElements::Each { scalar, bits },
        }
    }

    /// Returns the bit pattern of every element, if all are the same.
    pub fn splat_bits(&self) -> Option<u64> {
        match self {
            DenseElements::Splat { bits, .. } => Some(*bits),
            DenseElements::Each { .. } => None,
        }
    }

    /// Returns the bit pattern of element `index`, in row-major order.
    pub fn bits_at(&self, index: usize) -> u64 {
        match self {
            DenseElements::Splat { bits, .. } => *bits,
            DenseElements::Each { bits, .. } => bits[index],
        }
    }
}
