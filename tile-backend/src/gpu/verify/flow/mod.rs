//! Verifies synchronization: abstract interpretation of a kernel whose memory is allocated.
//!
//! Input: a kernel with barriers. Output: an error for every path on which
//!
//! - a buffer is read that has not been filled, or whose bytes another buffer has overwritten since;
//! - bytes are read while a copy into them may be in flight, or without a barrier since the wait for it;
//! - bytes are written, or a copy into them is issued, while a copy into them may be in flight;
//! - global memory is written while a copy from it may be in flight;
//! - the source of a TMA store was written without a fence before the barrier, or bytes are written that such
//!   a store may still read ([`stores`]);
//! - no barrier separates two accesses to the same bytes, one of them a write;
//! - no barrier separates two accesses by different threads that tokens order;
//! - the kernel ends while copies are in flight;
//! - an mbarrier that counts bytes is waited for with a parity other than that of its last phase, or that
//!   phase expects a different number of bytes than arrive ([`mbarriers`]);
//! - global memory is accessed, or the kernel ends, before the wait for the kernels before this one, if the
//!   kernel may start before these have ended;
//! - ping-pong turns are not taken and passed in order ([`ping_pong`]);
//! - a stage is filled, waited for, read or released out of order ([`pipeline_barriers`]).
//!
//! The analysis is independent of the passes that place barriers. It runs the structured code on sets of
//! possible events ([`State`]), and repeats each loop until the states at its head reach a fixed point.
//! Stages of circular buffers are numbers, which the analysis evaluates ([`Numbers`]). A loop is run once for
//! each stage in which it can start, so that the bytes of accesses are known. An unknown stage counts as all
//! stages.
//!
//! The condition of a copy tells for which iteration the copy is ([`Target`]). A copy is not issued for an
//! iteration that does not take place. So after the loop, copies for later iterations are not in flight:
//!
//! ```text
//!   for i in lower..upper step s {       copy if k * s < upper - i     for the iteration i + k * s
//!   }                                    i + s >= upper: the copy was not issued, or k = 0
//! ```

mod mbarriers;
mod memory;
mod numbers;
mod ping_pong;
mod pipeline_barriers;
mod places;
mod state;
mod stores;
mod target;
#[cfg(test)]
mod tests;

use super::super::{BlockId, Kernel, OpId, OpKind, ValueId};
use numbers::Numbers;
use places::Layout;
use rustc_hash::{FxHashMap, FxHashSet};
use state::State;
use std::collections::BTreeSet;
use target::Target;

/// Maximum number of states at the head of a loop; beyond it, loop-carried stages count as unknown.
const MAX_STAGES: usize = 256;

/// Returns the errors, each with the operation at which it occurs.
pub(super) fn errors(kernel: &Kernel) -> BTreeSet<(OpId, String)> {
    let Some(layout) = Layout::compute(kernel) else {
        // Memory is not allocated yet, so barriers are not placed either.
        return BTreeSet::new();
    };
    let mut flow = Flow {
        kernel,
        layout,
        numbers: Numbers::collect(kernel),
        loops: Vec::new(),
        targets: FxHashMap::default(),
        errors: BTreeSet::new(),
    };
    let start = vec![State::new(&flow.layout)];
    let end = flow.block(kernel.body(), start);
    for state in &end {
        if let Some(&last) = kernel.block(kernel.body()).ops.last() {
            flow.end(last, state);
        }
    }
    flow.errors
}

/// The states at jumps out of the code being run.
#[derive(Default)]
struct Jumps {
    continues: Vec<State>,
    breaks: Vec<State>,
}

struct Flow<'k> {
    kernel: &'k Kernel,
    layout: Layout,
    numbers: Numbers,
    loops: Vec<(OpId, Jumps)>,
    /// The target of every copy that was reached.
    targets: FxHashMap<OpId, Option<Target>>,
    errors: BTreeSet<(OpId, String)>,
}

impl Flow<'_> {
    /// Returns the states at the end of a block; none if control does not reach it.
    fn block(&mut self, block: BlockId, mut states: Vec<State>) -> Vec<State> {
        let kernel = self.kernel;
        let ops = &kernel.block(block).ops;
        for (&id, next) in ops.iter().zip(1..) {
            if states.is_empty() {
                break;
            }
            states = self.op(id, &ops[next..], states);
            states = self.forget(id, states);
        }
        states
    }

    /// Returns the states after one operation, which is followed by `rest`.
    fn op(&mut self, id: OpId, rest: &[OpId], mut states: Vec<State>) -> Vec<State> {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match &op.kind {
            OpKind::For { .. } | OpKind::Loop => self.repeat(id, states),
            OpKind::If => {
                let mut after = Vec::new();
                for &arm in &op.blocks {
                    let gone = self.numbers.gone_in(arm);
                    let mut entering = states.clone();
                    for state in &mut entering {
                        state.known.retain(|value, _| !gone.contains(value));
                    }
                    let yielded = self.block(arm, merged(entering));
                    after.extend(yielded);
                }
                if op.blocks.len() < 2 {
                    after.extend(states);
                }
                self.leave(id, &mut after);
                merged(after)
            }
            OpKind::WarpSpecialize => {
                // The producer runs a program of its own, concurrently with the consumers: all that it shares
                // with them is the state of barriers at this point.
                let mut start = State::new(&self.layout);
                start.take_barriers(&states);
                let end = self.block(op.blocks[0], vec![start]);
                for state in &end {
                    self.end(id, state);
                }
                self.leave(id, &mut []);
                for state in &mut states {
                    // The other threads of the producer warps end here.
                    let error = state.dependence(kernel, "producer warps end");
                    self.errors.extend(error.map(|text| (id, text)));
                    let messages = state.step(kernel, &self.layout, None, id);
                    self.errors
                        .extend(messages.into_iter().map(|text| (id, text)));
                }
                states
            }
            OpKind::Yield => {
                // The results of the enclosing operation take these values.
                for state in &mut states {
                    state.yielded = self.numbers.given(&state.known, &op.args);
                }
                states
            }
            OpKind::Continue | OpKind::Break => {
                for state in &mut states {
                    state.yielded = self.numbers.given(&state.known, &op.args);
                }
                let (_, jumps) = self
                    .loops
                    .last_mut()
                    .expect("verified: a jump is in a loop");
                match op.kind {
                    OpKind::Continue => jumps.continues.extend(states),
                    _ => jumps.breaks.extend(states),
                }
                Vec::new()
            }
            OpKind::Return => {
                for state in &states {
                    self.end(id, state);
                }
                Vec::new()
            }
            _ => {
                let target = self.target(id, rest);
                for state in &mut states {
                    self.numbers.evaluate(kernel, op, &mut state.known);
                    let messages = state.step(kernel, &self.layout, target, id);
                    self.errors
                        .extend(messages.into_iter().map(|text| (id, text)));
                }
                states
            }
        }
    }

    /// Forgets numbers that nothing after the operation uses, so that states that differ only in them are
    /// merged.
    fn forget(&self, id: OpId, mut states: Vec<State>) -> Vec<State> {
        let unused = self.numbers.used_last(id);
        // At a `yield`, states that differ in the yielded values must not be merged.
        let is_end = matches!(self.kernel.op(id).kind, OpKind::Yield);
        if unused.is_empty() || is_end {
            return states;
        }
        for state in &mut states {
            state.known.retain(|value, _| !unused.contains(value));
        }
        merged(states)
    }

    /// Returns the iteration for which the copy `id` is; `rest` are the operations after it in its block.
    fn target(&mut self, id: OpId, rest: &[OpId]) -> Option<Target> {
        let op = self.kernel.op(id);
        if !op.kind.row().completion.is_of_copy() {
            return None;
        }
        let loops = &self.loops;
        *self.targets.entry(id).or_insert_with(|| {
            let around: Vec<OpId> = loops.iter().map(|(id, _)| *id).collect();
            Target::find(self.kernel, op.args[0], &around, rest)
        })
    }

    /// Runs the body of a loop from every state that may reach its head.
    fn repeat(&mut self, id: OpId, states: Vec<State>) -> Vec<State> {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let is_for = matches!(op.kind, OpKind::For { .. });
        let body = op.blocks[0];
        let carried = usize::from(is_for);
        let args = &kernel.block(body).args[carried..];
        let initial = &op.args[3 * carried..];
        let inside = kernel.defined_inside(id);
        let (mut after, mut worklist) = (Vec::new(), Vec::new());
        for mut state in states {
            state.yielded = self.numbers.given(&state.known, initial);
            if is_for {
                after.push(state.clone());
            }
            worklist.push(state);
        }
        let mut heads: Vec<State> = Vec::new();
        // All states at the head continue together, so that loops inside see each of their states once.
        while !worklist.is_empty() {
            let mut fresh = Vec::new();
            for mut state in worklist.drain(..) {
                state.enter(id, is_for);
                self.numbers.take(&mut state, args);
                let gone = self.numbers.gone_in(body);
                state.known.retain(|value, _| !gone.contains(value));
                if heads.len() >= MAX_STAGES {
                    state.known.retain(|value, _| !args.contains(value));
                }
                fresh.extend(joined(&mut heads, state));
            }
            self.loops.push((id, Jumps::default()));
            let fallen = self.block(body, merged(fresh));
            debug_assert!(fallen.is_empty(), "a block of a loop ends with a jump");
            let (_, jumps) = self.loops.pop().expect("it was pushed above");
            for mut state in jumps.continues {
                state.forget(kernel, &inside);
                if is_for {
                    after.push(state.clone());
                }
                worklist.push(state);
            }
            after.extend(jumps.breaks);
        }
        for state in &mut after {
            state.exit(id);
        }
        self.leave(id, &mut after);
        merged(after)
    }

    /// Leaves an operation with blocks: its results take the yielded values, and the values inside are
    /// forgotten.
    fn leave(&mut self, id: OpId, states: &mut [State]) {
        let results = &self.kernel.op(id).results;
        let inside: FxHashSet<ValueId> = if self.numbers.is_empty() {
            FxHashSet::default()
        } else {
            self.kernel.defined_inside(id)
        };
        for state in states {
            self.numbers.take(state, results);
            state.known.retain(|value, _| !inside.contains(value));
        }
    }

    fn end(&mut self, id: OpId, state: &State) {
        let messages = state.under_way(self.kernel);
        self.errors
            .extend(messages.into_iter().map(|text| (id, text)));
    }
}

/// Merges a state into `kept`. If that adds anything, returns the merged state, from which the head must be
/// run again.
fn joined(kept: &mut Vec<State>, state: State) -> Option<State> {
    let Some(existing) = kept.iter_mut().find(|kept| kept.known == state.known) else {
        kept.push(state.clone());
        return Some(state);
    };
    existing.join(state).then(|| existing.clone())
}

/// Merges states with the same numbers.
fn merged(states: Vec<State>) -> Vec<State> {
    let mut kept: Vec<State> = Vec::new();
    for state in states {
        joined(&mut kept, state);
    }
    kept
}
