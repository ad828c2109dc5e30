//! Columns of B that count as 0 (PTX ISA, "Zero-Column Mask Descriptor").
//!
//! The columns are in 1, 2 or 4 parts, as many as lanes share a row of D. In each part, spans of
//! columns that are used and of columns that are 0 take turns; a part says which come first, and
//! how many columns of that are left out. Columns then come from `shift` further on.
//!
//! ```text
//! bits  0-31   columns left out, 8 bits each part
//! bits 32-35   whether zeros come first, of each part
//! bit  39      whether any are 0
//! bits 40-47   a span of zeros has this many and one
//! bits 48-55   a span that is used has this many and one
//! bits 56-61   shift
//! ```
//!
//! The ISA's table has the two spans the other way round; its examples have them so.

use super::instruction::Instruction;

/// A descriptor that has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the zero-column mask descriptor {bits:#018x}: {why}")]
pub(crate) struct Malformed {
    bits: u64,
    why: String,
}

/// Columns of B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ZeroColumns {
    /// Of each column of D, whether B is 0 there.
    pub(crate) zero: Vec<bool>,
    /// Columns of B that come first and are not used.
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
        let most = instruction.most_shift.min(if parts == 4 { 16 } else { 32 });
        if shift > most {
            return malformed(format!(
                "the shift (bits 56-61) is {shift} and at most {most} here, as bits 30-31 of the instruction descriptor and M say"
            ));
        }
        let columns = instruction.n / parts;
        let (zeros, used) = (field(40, 8) + 1, field(48, 8) + 1);
        let any = field(39, 1) == 1;
        let zero = (0..instruction.n).map(|column| {
            let (part, within) = ((column / columns) as u32, column % columns);
            let at = (within + field(8 * part, 8)) % (zeros + used);
            let first = field(32 + part, 1) == 1;
            any && if first { at < zeros } else { at >= used }
        });
        Ok(Self {
            zero: zero.collect(),
            shift,
        })
    }
}
