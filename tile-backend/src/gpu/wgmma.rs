//! Products of warpgroups; see [`super::OpKind::Wgmma`].

use super::{BufferId, Kernel, MmaKind, Side};
use crate::layout::{Axis, LinearLayout, Steps, SwizzleAtoms};

/// A matrix product of warpgroups (`wgmma`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wgmma {
    /// Types of operands and accumulator.
    pub kind: MmaKind,
    /// The left operand, unless it is in registers.
    pub lhs: Option<SharedMatrix>,
    /// The right operand.
    pub rhs: SharedMatrix,
    /// Whether sums over parts of K are added to the accumulator by the threads: tensor cores add small
    /// floats with fewer bits than f32 has.
    pub has_two_level_accumulation: bool,
    /// How many products may be under way behind it, from this one on backwards. If it is not 0, it goes on
    /// while the thread does, until a later one or [`super::OpKind::WaitWgmma`] allows fewer; until
    /// then nothing else touches the accumulator.
    pub in_flight: u32,
}

/// What two warpgroups do that begin products in turns; see [`super::OpKind::PingPong`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PingPong {
    /// From here on they take turns; the first warpgroup has the first.
    Begin,
    /// A warpgroup waits for its turn.
    Acquire,
    /// It is the turn of the other.
    Release,
    /// They take no turns any more: both have had as many.
    End,
}

/// An operand in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedMatrix {
    /// Where it is: in panels.
    pub buffer: BufferId,
    /// Whether the buffer has rows for columns.
    pub is_transposed: bool,
}

impl SharedMatrix {
    /// The layout of the buffer, without axes of one element.
    fn memory(self, kernel: &Kernel) -> Option<LinearLayout> {
        let layout = kernel.layout(kernel.buffer(self.buffer).layout?);
        Some(as_matrix(layout))
    }

    /// The extents along M or N, and along K.
    pub fn sizes(self, kernel: &Kernel, side: Side) -> Option<(u64, u64)> {
        let depth = self.depth(side);
        let memory = self.memory(kernel)?;
        let shape = memory.shape();
        (shape.rank() == 2).then(|| (shape.size(Axis(1 - depth.0)), shape.size(depth)))
    }

    /// The axis of the buffer that is K.
    fn depth(self, side: Side) -> Axis {
        let depth = side.depth(2).0;
        Axis(if self.is_transposed { 1 - depth } else { depth })
    }

    /// How instructions step through it; `None` if it is not in panels.
    pub fn steps(self, kernel: &Kernel, side: Side) -> Option<Steps> {
        let bytes = kernel.buffer(self.buffer).element.bytes() as u64;
        let memory = self.memory(kernel)?;
        let atoms = SwizzleAtoms::from_layout(&memory, bytes)?;
        Some(atoms.steps(memory.shape(), self.depth(side), bytes))
    }
}

/// A tile of more than two axes without those of one element.
pub(super) fn as_matrix(layout: &LinearLayout) -> LinearLayout {
    if layout.rank() > 2 {
        layout.reshape(layout.shape().without_unit_axes())
    } else {
        layout.clone()
    }
}

impl Wgmma {
    /// What it reads.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        let matrices = self.lhs.into_iter().chain([self.rhs]);
        matrices.map(|matrix| matrix.buffer)
    }

    /// Reads others instead.
    pub fn rename(&mut self, instead: impl Fn(BufferId) -> BufferId) {
        for matrix in self.lhs.iter_mut().chain([&mut self.rhs]) {
            matrix.buffer = instead(matrix.buffer);
        }
    }

    /// Operands before the slots of rings: the accumulator, and the left operand if it is in registers.
    pub fn values(&self) -> usize {
        if self.lhs.is_some() { 1 } else { 2 }
    }
}
