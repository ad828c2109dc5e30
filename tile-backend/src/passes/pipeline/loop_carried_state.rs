//! Threads the state of circular buffers (stage, parity) through loops and branches as loop-carried SSA
//! values.
//!
//! Input: loops, and for each a function that updates its state. Output: every loop and branch around one of
//! these loops also carries and yields the states, so that a loop that is entered again continues with the
//! state in which it ended.

use crate::gpu::{BlockId, Kernel, OpId, OpKind, ValueId};
use tile_core::Loc;

/// The state of a circular buffer: the next stage, and the parity of its round.
pub(super) const STATE_VALUES: usize = 2;

/// Threads `states` through a block and its nested blocks. `change` is called for each of `loops`, in textual
/// order, with its index and its state, and returns the state after the loop.
pub(super) fn thread_through_loops(
    kernel: &mut Kernel,
    block: BlockId,
    loops: &[OpId],
    states: &mut [[ValueId; STATE_VALUES]],
    change: &mut impl FnMut(
        &mut Kernel,
        BlockId,
        usize,
        [ValueId; STATE_VALUES],
    ) -> [ValueId; STATE_VALUES],
) {
    Walk { loops, change }.block(kernel, block, states, false);
}

/// Returns `true` if an operation is one of `ids` or contains one of them.
pub(crate) fn contains(kernel: &Kernel, id: OpId, ids: &[OpId]) -> bool {
    let mut inner = kernel.op(id).blocks.iter();
    ids.contains(&id)
        || inner.any(|&block| {
            let mut ops = kernel.block(block).ops.iter();
            ops.any(|&op| contains(kernel, op, ids))
        })
}

struct Walk<'l, F> {
    loops: &'l [OpId],
    change: &'l mut F,
}

impl<F: FnMut(&mut Kernel, BlockId, usize, [ValueId; STATE_VALUES]) -> [ValueId; STATE_VALUES]>
    Walk<'_, F>
{
    /// Threads the states through a block; `is_carried` is `true` if the innermost enclosing loop carries
    /// them.
    fn block(
        &mut self,
        kernel: &mut Kernel,
        block: BlockId,
        states: &mut [[ValueId; STATE_VALUES]],
        is_carried: bool,
    ) {
        for id in kernel.block(block).ops.clone() {
            if let Some(number) = self.loops.iter().position(|&other| other == id) {
                states[number] = (self.change)(kernel, block, number, states[number]);
                continue;
            }
            let has = contains(kernel, id, self.loops);
            match kernel.op(id).kind {
                OpKind::For { .. } | OpKind::Loop if has => self.around(kernel, id, states),
                OpKind::If if has => self.branch(kernel, id, states, is_carried),
                OpKind::If => {
                    // A nested block may jump to the loop that encloses it, which then carries the states.
                    for inner in kernel.op(id).blocks.clone() {
                        self.block(kernel, inner, &mut states.to_vec(), is_carried);
                    }
                }
                OpKind::Continue | OpKind::Break if is_carried => give(kernel, id, states),
                _ => {}
            }
        }
    }

    fn around(&mut self, kernel: &mut Kernel, id: OpId, states: &mut [[ValueId; STATE_VALUES]]) {
        let first = kernel.op(id).results.len();
        let body = kernel.op(id).blocks[0];
        let mut inside: Vec<[ValueId; STATE_VALUES]> = states
            .iter()
            .map(|state| state.map(|part| kernel.carry(id, part)))
            .collect();
        self.block(kernel, body, &mut inside, true);
        take(kernel, id, first, states);
    }

    fn branch(
        &mut self,
        kernel: &mut Kernel,
        id: OpId,
        states: &mut [[ValueId; STATE_VALUES]],
        is_carried: bool,
    ) {
        let loc = kernel.op(id).loc;
        if kernel.op(id).blocks.len() < 2 {
            let otherwise = kernel.add_block();
            kernel.push(otherwise, OpKind::Yield, &[], &[], &[], loc);
            kernel.op_mut(id).blocks.push(otherwise);
        }
        let first = kernel.op(id).results.len();
        for inner in kernel.op(id).blocks.clone() {
            let mut inside = states.to_vec();
            self.block(kernel, inner, &mut inside, is_carried);
            let last = kernel.block(inner).ops.last().copied();
            if let Some(last) = last.filter(|&last| matches!(kernel.op(last).kind, OpKind::Yield)) {
                give(kernel, last, &inside);
            }
        }
        for state in states.iter() {
            for &part in state {
                kernel.add_result(id, kernel.ty(part), Loc::UNKNOWN);
            }
        }
        take(kernel, id, first, states);
    }
}

/// Adds the states to the operands of a jump.
fn give(kernel: &mut Kernel, id: OpId, states: &[[ValueId; STATE_VALUES]]) {
    kernel
        .op_mut(id)
        .args
        .extend(states.iter().flatten().copied());
}

/// Sets the states to the results of an operation from `first` on.
fn take(kernel: &Kernel, id: OpId, first: usize, states: &mut [[ValueId; STATE_VALUES]]) {
    let results = &kernel.op(id).results[first..];
    for (state, results) in states.iter_mut().zip(results.chunks(STATE_VALUES)) {
        state.copy_from_slice(results);
    }
}
