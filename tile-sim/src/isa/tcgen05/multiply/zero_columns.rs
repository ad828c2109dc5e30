//! Columns of B that are treated as 0 (PTX ISA, "Zero-Column Mask Descriptor").
//!
//! The columns are divided into 1, 2 or 4 parts, one for each lane that shares a row of D. In each
//! part, spans of used columns alternate with spans of zero columns. Each part states which kind
//! comes first, and how many columns of the first span are skipped. In addition, the first `shift`
//! columns of B are skipped.
//!
//! ```text
//! bits  0-31   columns skipped, 8 bits per part
//! bits 32-35   zeros come first, one bit per part
//! bit  39      some columns are zero
//! bits 40-47   length of a span of zeros, minus one
//! bits 48-55   length of a span of used columns, minus one
//! bits 56-61   shift
//! ```
//!
//! The table in the ISA exchanges the two spans; its examples have them in this order.

use super::instruction::Instruction;

/// An invalid descriptor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the zero-column mask descriptor {bits:#018x}: {why}")]
pub(crate) struct Malformed {
    bits: u64,
    why: String,
}

/// The columns of B after masking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ZeroColumns {
    /// For each column of D, `true` if B is 0 there.
    pub(crate) zero: Vec<bool>,
    /// The number of leading columns of B that are not used.
    pub(crate) shift: usize,
}

impl ZeroColumns {
    pub(crate) fn parse(
        bits: u64,
        instruction: &Instruction,
        parts: usize,
    ) -> Result<Self, Malformed> {
        let malformed = |why: String| Err(Malformed { bits, why });
        let field = |from: u32, size: u32| (bits >> from & ((1 << size) - 1)) as usize;
        if field(36, 3) != 0 || field(62, 2) != 0 {
            return malformed("bits 36-38 and 62-63 must be 0".into());
        }
        let shift = field(56, 6);
        let max = instruction.max_shift.min(if parts == 4 { 16 } else { 32 });
        if shift > max {
            return malformed(format!(
                "the shift (bits 56-61) is {shift} and at most {max} for bits 30-31 of the instruction descriptor and this M"
            ));
        }
        let columns = instruction.n / parts;
        let (zeros, used) = (field(40, 8) + 1, field(48, 8) + 1);
        let any = field(39, 1) == 1;
        let zero = (0..instruction.n).map(|column| {
            let (part, within) = ((column / columns) as u32, column % columns);
            let offset = (within + field(8 * part, 8)) % (zeros + used);
            let first = field(32 + part, 1) == 1;
            any && if first {
                offset < zeros
            } else {
                offset >= used
            }
        });
        Ok(Self {
            zero: zero.collect(),
            shift,
        })
    }
}
