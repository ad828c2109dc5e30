//! Block scaling (PTX ISA, "Block Scaling for mma.sync").
//!
//! `.scale_vec` divides each row of A and each column of B into chunks. Each chunk has a scale
//! factor, one byte of a register:
//!
//! ```text
//! A  row g: thread 2 * thread-id-a of group g, row g + 8: the thread after it
//! B  column g: thread thread-id-b of group g
//! chunk c: byte byte-id + c
//! ```

use super::element::Scale;
use crate::check::{FaultKind, Trouble};
use crate::isa::Slot;
use crate::machine::registers::Registers;

/// The operands with the scale factors of one multiplicand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors {
    pub(crate) data: Slot,
    pub(crate) byte: Slot,
    pub(crate) thread: Slot,
}

/// The operands with the scale factors of both multiplicands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling {
    pub(crate) scale: Scale,
    /// The number of scale factors per row: 1, 2 or 4.
    pub(crate) chunks: usize,
    pub(crate) a: Factors,
    pub(crate) b: Factors,
}

impl Scaling {
    /// Returns the required alignment of a byte selector, which is below four.
    fn step(&self) -> u64 {
        self.chunks as u64
    }

    fn selected(
        &self,
        r: &Registers,
        factors: Factors,
        threads: u64,
    ) -> Result<(usize, usize), Trouble> {
        let (byte, thread) = (r.row(factors.byte), r.row(factors.thread));
        for lane in 0..32 {
            let (byte_here, thread_here) = (byte[lane] & 0xffff, thread[lane] & 0xffff);
            let message = if byte_here >= 4 || byte_here % self.step() != 0 {
                format!(
                    "the byte selector is {byte_here}; it must be below 4 and a multiple of {}",
                    self.step()
                )
            } else if thread_here >= threads {
                format!("the thread selector is {thread_here}; it must be below {threads}")
            } else if byte_here != byte[0] & 0xffff || thread_here != thread[0] & 0xffff {
                "the lanes of the warp have different selectors".into()
            } else {
                continue;
            };
            return Err(Trouble::at(lane, FaultKind::MatrixMisuse(message)));
        }
        Ok((byte[0] as usize & 3, thread[0] as usize & 3))
    }

    fn factor(&self, word: u64, byte: usize) -> f64 {
        self.scale.number((word >> (8 * byte)) as u8)
    }

    /// Returns the factors of A by row (16) and chunk, and those of B by column (8) and chunk.
    pub(crate) fn factors(&self, r: &Registers) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        let (byte, pair) = self.selected(r, self.a, 2)?;
        let word = |lane| r.get(lane, self.a.data);
        let of_a = (0..16 * self.chunks).map(|index| {
            let (row, chunk) = (index / self.chunks, index % self.chunks);
            let lane = 4 * (row % 8) + 2 * pair + row / 8;
            self.factor(word(lane), byte + chunk)
        });
        let (byte, thread) = self.selected(r, self.b, 4)?;
        let word = |lane| r.get(lane, self.b.data);
        let of_b = (0..8 * self.chunks).map(|index| {
            let (column, chunk) = (index / self.chunks, index % self.chunks);
            self.factor(word(4 * column + thread), byte + chunk)
        });
        Ok((of_a.collect(), of_b.collect()))
    }
}
