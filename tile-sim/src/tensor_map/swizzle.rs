//! Swizzling of boxes in shared memory (PTX ISA, "Swizzling Modes").
//!
//! A swizzle permutes addresses of the shared window, not offsets in the box: it is the identity at
//! multiples of 1024, 512 or 256 bytes, independent of the start of the box.

use super::Swizzle;

/// The required alignment of the shared memory address in bytes (PTX ISA, `cp.async.bulk.tensor`).
pub(super) const ALIGNMENT: u64 = 128;

/// Returns the number of contiguous bytes of a swizzle, or 8 if it exchanges halves.
pub(super) const fn atom(swizzle: Swizzle) -> u64 {
    match swizzle {
        Swizzle::None
        | Swizzle::Bytes32
        | Swizzle::Bytes64
        | Swizzle::Bytes128
        | Swizzle::Bytes128Atom32
        | Swizzle::Bytes128Atom64 => 16,
        Swizzle::Bytes128Atom32Flip8 => 8,
    }
}

impl Swizzle {
    /// Returns the maximum row length of a box in bytes.
    pub(crate) const fn span(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Bytes32 => Some(32),
            Self::Bytes64 => Some(64),
            Self::Bytes128
            | Self::Bytes128Atom32
            | Self::Bytes128Atom32Flip8
            | Self::Bytes128Atom64 => Some(128),
        }
    }

    /// Returns the address of the byte that would be at `address` without a swizzle.
    ///
    /// ```text
    /// address  ... 9 8 7 | 6 5 4 | 3 2 1 0
    ///              line    chunk
    /// chunk ^= line (128B); the low bits of both (64B, 32B); the high bits of chunk (atoms)
    /// ```
    pub(crate) const fn apply(self, address: u64) -> u64 {
        let line = address >> 7;
        address
            ^ match self {
                Self::None => 0,
                Self::Bytes32 => (line & 1) << 4,
                Self::Bytes64 => (line & 3) << 4,
                Self::Bytes128 => (line & 7) << 4,
                Self::Bytes128Atom32 => (line & 3) << 5,
                Self::Bytes128Atom32Flip8 => (line & 3) << 5 | (line & 1) << 3,
                Self::Bytes128Atom64 => (line & 1) << 6,
            }
    }
}
