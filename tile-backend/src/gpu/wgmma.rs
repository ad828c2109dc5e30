//! Warpgroup MMAs; see [`super::OpKind::Wgmma`].

use super::{BufferId, Kernel, MmaKind, Side};
use crate::layout::{Axis, LinearLayout, Steps, SwizzleAtoms};

/// A matmul by warpgroup MMAs (`wgmma`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wgmma {
    /// Types of operands and accumulator.
    pub kind: MmaKind,
    /// The left operand, unless it is in registers.
    pub lhs: Option<SharedMatrix>,
    /// The right operand.
    pub rhs: SharedMatrix,
    /// `true` for two-level accumulation: the threads add sums over parts of K to the accumulator, since
    /// tensor cores add small floats with fewer bits than f32 has.
    pub has_two_level_accumulation: bool,
    /// Number of MMAs that may be in flight after this one is issued, counted backwards from it. If it is not
    /// 0, this MMA stays in flight until a later MMA or [`super::OpKind::WaitWgmma`] allows fewer. Until
    /// then, no other operation touches the accumulator.
    pub in_flight: u32,
}

/// A step of ping-pong scheduling of two warpgroups; see [`super::OpKind::PingPong`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PingPong {
    /// Ping-pong starts; the first warpgroup has the first turn.
    Begin,
    /// A warpgroup waits for its turn.
    Acquire,
    /// A warpgroup passes its turn to the other.
    Release,
    /// Ping-pong ends: both warpgroups have had the same number of turns.
    End,
}

/// An operand in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedMatrix {
    /// The buffer, which consists of swizzle atoms.
    pub buffer: BufferId,
    /// `true` if rows and columns are exchanged in the buffer.
    pub is_transposed: bool,
}

impl SharedMatrix {
    /// Returns the layout of the buffer, without axes of one element.
    fn memory(self, kernel: &Kernel) -> Option<LinearLayout> {
        let layout = kernel.layout(kernel.buffer(self.buffer).layout?);
        Some(as_matrix(layout))
    }

    /// Returns the extents along M or N, and along K.
    pub fn sizes(self, kernel: &Kernel, side: Side) -> Option<(u64, u64)> {
        let depth = self.depth(side);
        let memory = self.memory(kernel)?;
        let shape = memory.shape();
        (shape.rank() == 2).then(|| (shape.size(Axis(1 - depth.0)), shape.size(depth)))
    }

    /// Returns the axis of the buffer that is K.
    fn depth(self, side: Side) -> Axis {
        let depth = side.depth(2).0;
        Axis(if self.is_transposed { 1 - depth } else { depth })
    }

    /// Returns the steps along K by which the instructions move through the buffer; `None` if it does not
    /// consist of swizzle atoms.
    pub fn steps(self, kernel: &Kernel, side: Side) -> Option<Steps> {
        let bytes = kernel.buffer(self.buffer).element.bytes() as u64;
        let memory = self.memory(kernel)?;
        let atoms = SwizzleAtoms::from_layout(&memory, bytes)?;
        Some(atoms.steps(memory.shape(), self.depth(side), bytes))
    }
}

/// Returns `layout` without axes of one element, if it has more than two axes. With two axes, it is a matrix
/// already, even if one of them has one element.
pub(super) fn as_matrix(layout: &LinearLayout) -> LinearLayout {
    if layout.shape().rank() > 2 {
        layout.reshape(layout.shape().without_unit_axes())
    } else {
        layout.clone()
    }
}

impl Wgmma {
    /// Returns the buffers that the MMA reads.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        let matrices = self.lhs.into_iter().chain([self.rhs]);
        matrices.map(|matrix| matrix.buffer)
    }

    /// Replaces each buffer by the one that `instead` returns.
    pub fn rename(&mut self, instead: impl Fn(BufferId) -> BufferId) {
        for matrix in self.lhs.iter_mut().chain([&mut self.rhs]) {
            matrix.buffer = instead(matrix.buffer);
        }
    }

    /// Returns the number of operands before the stages: the accumulator, and the left operand if it is in
    /// registers.
    pub fn values(&self) -> usize {
        if self.lhs.is_some() { 1 } else { 2 }
    }
}
