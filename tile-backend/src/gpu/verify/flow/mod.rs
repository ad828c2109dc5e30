//! Who waits for whom: the flow of accesses through a kernel whose memory is allocated.
//!
//! In: a kernel with barriers. Out: a fault for every way through it on which
//!
//! - a buffer is read that nothing has filled, or that another has overwritten since
//! - bytes are read into which a copy may be under way, or has come without a barrier since the
//!   wait for it
//! - bytes are written, or a copy into them begins, while a copy into them may be under way
//! - memory is written from which a copy may be under way
//! - a tensor is stored from what a thread wrote without a fence before the barrier, and bytes are written
//!   that such a store may still read ([`stores`])
//! - two accesses to the same bytes, of which one is a write, have no barrier between them
//! - two accesses that tokens order, by different threads, have no barrier between them
//! - the kernel ends while copies are under way
//! - a barrier that counts the bytes of copies is waited for with another parity than that of its last
//!   phase, or that phase expects other bytes than come ([`mbarriers`])
//! - turns of warpgroups are not taken and passed in order ([`ping_pong`])
//! - a slot that warps hand to and fro is filled, waited for, read or freed out of turn ([`pipeline_barriers`])
//!
//! This knows nothing of how barriers are placed. It runs the structured code on sets of what may
//! have happened ([`State`]), loops until nothing new comes to their head. Slots of rings are
//! numbers: what computes them is evaluated ([`Numbers`]), and a loop is taken once for each slot
//! that it can be in, so that accesses are to known bytes. A slot that is not known is any.
//!
//! A copy for an iteration that does not take place is not begun, which its condition says
//! ([`Target`]). So behind a loop the copies for later iterations are not under way:
//!
//! ```text
//!   for i in lower..upper step s {       copy if k * s < upper - i     for the iteration i + k * s
//!   }                                    i + s >= upper: the copy was not begun, or k = 0
//! ```

mod mbarriers;
mod numbers;
mod ping_pong;
mod pipeline_barriers;
mod state;
mod stores;
mod target;
#[cfg(test)]
mod tests;

use super::super::{BlockId, Kernel, OpId, OpKind, ValueId};
use crate::passes::defined;
use numbers::Numbers;
use rustc_hash::{FxHashMap, FxHashSet};
use state::State;
use std::collections::BTreeSet;
use target::Target;

/// Slots that a loop is taken for one by one; beyond, they count as unknown.
const MAX_STAGES: usize = 256;

/// The faults, each with the operation that must not be where it is.
pub(super) fn errors(kernel: &Kernel) -> BTreeSet<(OpId, String)> {
    let Some(layout) = state::Layout::compute(kernel) else {
        // Memory is not allocated yet, so that barriers have no place.
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

/// Where jumps out of the code being looked at arrive.
#[derive(Default)]
struct Jumps {
    continues: Vec<State>,
    breaks: Vec<State>,
}

struct Flow<'k> {
    kernel: &'k Kernel,
    layout: state::Layout,
    numbers: Numbers,
    loops: Vec<(OpId, Jumps)>,
    /// Of every copy that was come by.
    targets: FxHashMap<OpId, Option<Target>>,
    errors: BTreeSet<(OpId, String)>,
}

impl Flow<'_> {
    /// What may have happened at the end of a block; nothing if control does not come there.
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

    /// The same of one operation, which is followed by `rest`.
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
                // Its own program, of which the others see what they wait for.
                let mut start = State::new(&self.layout);
                start.take_barriers(&states);
                let end = self.block(op.blocks[0], vec![start]);
                for state in &end {
                    self.end(id, state);
                }
                self.leave(id, &mut []);
                for state in &mut states {
                    let messages = state.step(kernel, &self.layout, None, id);
                    self.errors
                        .extend(messages.into_iter().map(|text| (id, text)));
                }
                states
            }
            OpKind::Yield => {
                // The results have the values that are yielded.
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

    /// Numbers that nothing behind the operation uses tell states apart no longer.
    fn forget(&self, id: OpId, mut states: Vec<State>) -> Vec<State> {
        let unused = self.numbers.used_last(id);
        // What a block yields still tells states apart.
        let is_end = matches!(self.kernel.op(id).kind, OpKind::Yield);
        if unused.is_empty() || is_end {
            return states;
        }
        for state in &mut states {
            state.known.retain(|value, _| !unused.contains(value));
        }
        merged(states)
    }

    /// Which iteration a copy is for that is followed by `rest`.
    fn target(&mut self, id: OpId, rest: &[OpId]) -> Option<Target> {
        let op = self.kernel.op(id);
        if !matches!(
            op.kind,
            OpKind::CopyAsync(_) | OpKind::TmaLoad(_) | OpKind::BulkCopy(_)
        ) {
            return None;
        }
        let loops = &self.loops;
        *self.targets.entry(id).or_insert_with(|| {
            let around: Vec<OpId> = loops.iter().map(|(id, _)| *id).collect();
            Target::find(self.kernel, op.args[0], &around, rest)
        })
    }

    /// A loop: its body from every state that may come to its head.
    fn repeat(&mut self, id: OpId, states: Vec<State>) -> Vec<State> {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let is_for = matches!(op.kind, OpKind::For { .. });
        let body = op.blocks[0];
        let carried = usize::from(is_for);
        let args = &kernel.block(body).args[carried..];
        let initial = &op.args[3 * carried..];
        let inside = defined(kernel, id);
        let (mut after, mut worklist) = (Vec::new(), Vec::new());
        for mut state in states {
            state.yielded = self.numbers.given(&state.known, initial);
            if is_for {
                after.push(state.clone());
            }
            worklist.push(state);
        }
        let mut heads: Vec<State> = Vec::new();
        // All that come to the head go on together: loops inside see each of their states once.
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
                state.forget(&inside);
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

    /// Behind an operation with blocks: its results have what was yielded, and nothing inside is
    /// known any more.
    fn leave(&mut self, id: OpId, states: &mut [State]) {
        let results = &self.kernel.op(id).results;
        let inside: FxHashSet<ValueId> = if self.numbers.is_empty() {
            FxHashSet::default()
        } else {
            defined(self.kernel, id)
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

/// Adds a state to those that are kept, which is the head to run from if it says anything new.
fn joined(kept: &mut Vec<State>, state: State) -> Option<State> {
    let Some(existing) = kept.iter_mut().find(|kept| kept.known == state.known) else {
        kept.push(state.clone());
        return Some(state);
    };
    existing.join(state).then(|| existing.clone())
}

/// States with the same numbers are one.
fn merged(states: Vec<State>) -> Vec<State> {
    let mut kept: Vec<State> = Vec::new();
    for state in states {
        joined(&mut kept, state);
    }
    kept
}
