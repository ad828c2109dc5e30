//! Layout conversions within warps, through a buffer.

use super::{BufferId, Kernel, Op};
use crate::layout::{ExchangeRounds, stays_in_warps};

impl Kernel {
    /// Returns the rounds in which `convert_layout_shared` moves its tile through `buffer`. Their number is
    /// the size of the tile divided by that of the buffer. Returns `None` if the tile cannot be moved in this
    /// way.
    pub fn rounds(&self, op: &Op, buffer: BufferId) -> Option<ExchangeRounds> {
        let layout = |value: Option<&_>| self.ty(*value?).layout().map(|id| self.layout(id));
        let (from, to) = (layout(op.args.first())?, layout(op.results.first())?);
        let memory = self.layout(self.buffer(buffer).layout?);
        let (whole, part) = (from.shape().total_bits(), memory.shape().total_bits());
        let rounds = ExchangeRounds::new(from, to, whole.checked_sub(part)?)?;
        (rounds.from.shape() == memory.shape() && stays_in_warps(from, to)).then_some(rounds)
    }
}
