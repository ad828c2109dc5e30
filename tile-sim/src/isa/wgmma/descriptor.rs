//! The layout of matrices in shared memory (PTX ISA, "Shared Memory Matrix Layout", "Matrix
//! Descriptor Format").
//!
//! A unit of 16 bytes, `T = 128 / bits` elements, is the smallest contiguous piece of every layout.
//! It extends along the leading dimension: K if the matrix is K-major, M or N if it is MN-major.
//! With `S` bytes of swizzling, and `LBO` and `SBO` the leading and the stride dimension byte
//! offsets, unit `u` of
//!
//! ```text
//! K-major   row r     none   (r / 8) * SBO + (r % 8) * 16 + u * LBO
//!                     S      (r / 8) * SBO + (r % 8) * S  + u * 16
//! MN-major  column k  none   (k / 8) * LBO + (k % 8) * 16 + u * SBO
//!                     S      (k / 8) * SBO + (k % 8) * S  + (u % (S/16)) * 16 + u / (S/16) * LBO
//! ```
//!
//! has this offset from the start address in bytes; these are the canonical layouts of the ISA.
//! Swizzling (`Swizzle<log2(S/16), 4, 3>`) then combines address bits by exclusive or:
//!
//! ```text
//! address[4 .. 4 + b] ^= phase[0 .. b]    b = 3, 2, 1 for S = 128, 64, 32
//! phase = (address >> 7) - base offset    the pattern begins where the phase is 0
//! ```
//!
//! `tcgen05` has an additional mode of 128 bytes with 32-byte atoms (`Swizzle<2, 5, 2>`). Its
//! pattern has four lines, so that MN-major matrices count `k` in fours and bits 5 and 6 change.

use std::ops::Range;

use crate::isa::mma::element::Packing;

/// The size of a unit in bytes.
pub(crate) const UNIT: u64 = 16;

/// An invalid descriptor or operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    #[error(
        "the descriptor {0:#018x} has bits outside of its fields (0-13, 16-29, 32-45, 49-51, 62-63); it may be a descriptor for `tcgen05`"
    )]
    Reserved(u64),
    #[error(
        "the descriptor {0:#018x} has a base offset but no swizzling; clear bits 49-51 or set a mode in bits 62-63"
    )]
    BaseOffset(u64),
    #[error(
        "a row of {bytes} bytes from {start:#x} leaves its {span}-byte swizzle span; begin at a lower offset or use a wider swizzle"
    )]
    Span { start: u64, bytes: u64, span: u64 },
}

/// The contiguous dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Major {
    K,
    /// M of A, or N of B (`imm-trans` is 1).
    Mn,
}

/// The fields of a matrix descriptor, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub(crate) start: u64,
    pub(crate) leading: u64,
    pub(crate) stride: u64,
    pub(crate) base_offset: u64,
    /// The size of a swizzled row in bytes; 16 without swizzling.
    pub(crate) span: u64,
    /// The size of a swizzle atom in bytes.
    pub(crate) atom: u64,
    /// Is `true` if `leading` is an absolute address at which rows continue beyond their span
    /// (`tcgen05`).
    pub(crate) goes_on: bool,
}

impl Descriptor {
    pub(crate) fn parse(bits: u64) -> Result<Self, Malformed> {
        const FIELDS: u64 = 0x3fff | 0x3fff << 16 | 0x3fff << 32 | 7 << 49 | 3 << 62;
        if bits & !FIELDS != 0 {
            return Err(Malformed::Reserved(bits));
        }
        let offset = |from: u32| (bits >> from & 0x3fff) << 4;
        let span = [16, 128, 64, 32][(bits >> 62) as usize];
        let base_offset = bits >> 49 & 7;
        if span == UNIT && base_offset != 0 {
            return Err(Malformed::BaseOffset(bits));
        }
        Ok(Self {
            start: offset(0),
            leading: offset(16),
            stride: offset(32),
            base_offset,
            span,
            atom: UNIT,
            goes_on: false,
        })
    }

    fn swizzled(&self, address: u64) -> u64 {
        let phase = (address >> 7).wrapping_sub(self.base_offset);
        address ^ ((phase & (self.span / self.atom - 1)) * self.atom)
    }
}

/// A matrix in shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    descriptor: Descriptor,
    major: Major,
    packing: Packing,
    /// The number of stored elements along K.
    depth: usize,
}

impl Operand {
    /// Decodes a `wgmma` descriptor. `extent` is the whole M or N of the instruction; `depth` is
    /// its K, or half of it if sparse.
    pub(crate) fn new(
        bits: u64,
        major: Major,
        packing: Packing,
        extent: usize,
        depth: usize,
    ) -> Result<Self, Malformed> {
        Self::from_descriptor(Descriptor::parse(bits)?, major, packing, extent, depth)
    }

    /// Creates the matrix of any decoded descriptor.
    pub(crate) fn from_descriptor(
        descriptor: Descriptor,
        major: Major,
        packing: Packing,
        extent: usize,
        depth: usize,
    ) -> Result<Self, Malformed> {
        let leading = match major {
            Major::K => depth,
            Major::Mn => extent,
        };
        let bytes = (leading * packing.bits / 8) as u64;
        let Descriptor { start, span, .. } = descriptor;
        // An MN-major layout that begins at an atom continues in the next atom.
        let goes_on = descriptor.goes_on || major == Major::Mn && start % span == 0;
        if span > UNIT && start % span + bytes > span && !goes_on {
            return Err(Malformed::Span { start, bytes, span });
        }
        Ok(Self {
            descriptor,
            major,
            packing,
            depth,
        })
    }

    /// Returns the number of elements per unit.
    pub(crate) fn per_unit(&self) -> usize {
        128 / self.packing.bits
    }

    /// Returns the address of a unit of row `across` (K-major) or column `across` (MN-major).
    pub(crate) fn unit_address(&self, across: usize, unit: usize) -> u64 {
        let Descriptor {
            start,
            leading,
            stride,
            base_offset: _,
            span,
            atom,
            goes_on,
        } = self.descriptor;
        let (across, unit) = (across as u64, unit as u64);
        let (eight, within) = (across / 8, across % 8);
        let units = span / UNIT;
        if goes_on && start % span + unit * UNIT >= span {
            let further = start % span + unit * UNIT - span;
            let address = leading + eight * stride + within * span + further;
            return self.descriptor.swizzled(address);
        }
        let offset = match (self.major, units) {
            (Major::K, 1) => eight * stride + within * UNIT + unit * leading,
            (Major::K, _) => eight * stride + within * span + unit * UNIT,
            (Major::Mn, 1) => eight * leading + within * UNIT + unit * stride,
            (Major::Mn, _) => {
                let lines = if atom == UNIT { 8 } else { 4 };
                let pattern = across / lines * stride + across % lines * span;
                pattern + unit % units * UNIT + unit / units * leading
            }
        };
        self.descriptor.swizzled(start + offset)
    }

    /// Returns the address of the byte that holds an element, and the element's lowest bit in it.
    #[cfg(test)]
    pub(crate) fn address(&self, row: usize, k: usize) -> (u64, usize) {
        let per = self.per_unit();
        let (across, along) = match self.major {
            Major::K => (row, k),
            Major::Mn => (k, row),
        };
        let bit = along % per * self.packing.bits;
        (
            self.unit_address(across, along / per) + (bit / 8) as u64,
            bit % 8,
        )
    }

    /// Calls `f` with the address of each unit that holds any of `rows`, and with the row and K of
    /// its first element.
    pub(crate) fn units<E>(
        &self,
        rows: Range<usize>,
        mut f: impl FnMut(u64, usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let per = self.per_unit();
        match self.major {
            Major::K => {
                for row in rows {
                    for unit in 0..self.depth / per {
                        f(self.unit_address(row, unit), row, unit * per)?;
                    }
                }
            }
            Major::Mn => {
                for k in 0..self.depth {
                    for unit in rows.start / per..rows.end.div_ceil(per) {
                        f(self.unit_address(k, unit), unit * per, k)?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn major(&self) -> Major {
        self.major
    }

    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }
}

/// Returns the ranges of the first `bytes` bytes of units, merged and in ascending order.
pub(crate) fn joined(units: &[u64], bytes: u64) -> Vec<Range<u64>> {
    let (Some(&min), Some(&max)) = (units.iter().min(), units.iter().max()) else {
        return Vec::new();
    };
    // One bit per unit of the spanned range.
    let mut present = vec![0u64; ((max - min) / UNIT / 64 + 1) as usize];
    for unit in units {
        let number = (unit - min) / UNIT;
        present[(number / 64) as usize] |= 1 << (number % 64);
    }
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (word, mut bits) in (0..).zip(present) {
        while bits != 0 {
            let first = bits.trailing_zeros();
            let count = match bytes {
                UNIT => (!(bits >> first)).trailing_zeros(),
                _ => 1,
            };
            let start = min + (64 * word + u64::from(first)) * UNIT;
            let end = start + u64::from(count - 1) * UNIT + bytes;
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => ranges.push(start..end),
            }
            bits &= !(u64::MAX >> (64 - count) << first);
        }
    }
    ranges
}
