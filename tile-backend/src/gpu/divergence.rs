//! Divergence analysis: finds the values and branches that may differ between two blocks of a launch.
//!
//! The two blocks are arbitrary, or neighbours that differ only in their coordinate along the first grid
//! axis. Parameters and the size of the grid are the same for both blocks, and for neighbours also the other
//! coordinates. Numbers computed from these values are the same, too. Memory and tiles count as divergent:
//!
//! ```text
//!   %x = block_id 0                 divergent
//!   %n = compute %param …           uniform
//!   for %i = %zero to %n {          same trip count in both
//!     if %x > … { break }           unless there is this: then all results of the loop are divergent
//! ```
//!
//! Neighbouring persistent blocks process the same number of work tiles, with the same step: a launch starts
//! blocks in pairs only if the rows of the grid have even length, and then it starts an even number of
//! blocks.

use super::{BlockId, Kernel, OpId, OpKind, Trait, ValueId};
use rustc_hash::FxHashSet;

/// The axis along which neighbours differ.
const AXIS: u8 = 0;

/// The two blocks that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pair {
    /// Neighbours along the first axis.
    #[default]
    Neighbours,
    Any,
}

/// The divergent values and branches.
#[derive(Debug, Default)]
pub(crate) struct Divergence {
    pair: Pair,
    values: FxHashSet<ValueId>,
    /// Branches that may be taken differently, and loops whose trip count may differ.
    decisions: FxHashSet<OpId>,
    /// `true` if one block may end where the other continues.
    ends: bool,
    /// Numbers of first work tiles; loops that start at them have the same trip count in neighbours.
    first: FxHashSet<ValueId>,
}

impl Divergence {
    /// Compares neighbours along the first axis.
    pub(crate) fn analyze_neighbours(kernel: &Kernel) -> Self {
        Self::between(kernel, Pair::Neighbours)
    }

    /// Compares any two blocks.
    pub(crate) fn analyze_any(kernel: &Kernel) -> Self {
        Self::between(kernel, Pair::Any)
    }

    fn between(kernel: &Kernel, pair: Pair) -> Self {
        let mut divergence = Self {
            pair,
            ..Self::default()
        };
        loop {
            let before = (
                divergence.values.len(),
                divergence.decisions.len(),
                divergence.ends,
            );
            divergence.block(kernel, kernel.body(), &mut Vec::new());
            if before
                == (
                    divergence.values.len(),
                    divergence.decisions.len(),
                    divergence.ends,
                )
            {
                return divergence;
            }
        }
    }

    /// Returns `true` if each of these values is the same in both blocks.
    pub(crate) fn is_same_for_all(&self, values: &[ValueId]) -> bool {
        !values.iter().any(|value| self.values.contains(value))
    }

    /// Returns `true` if both blocks reach the inside of these loops and branches the same number of times.
    pub(crate) fn has_uniform_control(&self, around: &[OpId]) -> bool {
        !self.ends && self.is_decided_alike(around)
    }

    /// Returns the same as [`Self::has_uniform_control`], assuming that neither block has ended before.
    pub(crate) fn is_decided_alike(&self, around: &[OpId]) -> bool {
        !around.iter().any(|id| self.decisions.contains(id))
    }

    fn add(&mut self, values: impl IntoIterator<Item = ValueId>) {
        self.values.extend(values);
    }

    /// Marks each value of `to` as divergent if its source in `from` is divergent.
    fn give(&mut self, from: &[ValueId], to: &[ValueId]) {
        let pairs = from.iter().zip(to);
        let differing: Vec<ValueId> = pairs
            .filter(|(from, _)| self.values.contains(from))
            .map(|(_, &to)| to)
            .collect();
        self.add(differing);
    }

    fn block(&mut self, kernel: &Kernel, block: BlockId, around: &mut Vec<OpId>) {
        for &id in &kernel.block(block).ops {
            self.op(kernel, id, around);
            let op = kernel.op(id);
            if !op.kind.has(Trait::ControlFlow) {
                continue;
            }
            if self.decisions.contains(&id) {
                self.add(op.results.iter().copied());
                for &inner in &op.blocks {
                    self.add(kernel.block(inner).args.iter().copied());
                }
            }
            around.push(id);
            for &inner in &op.blocks {
                self.block(kernel, inner, around);
            }
            around.pop();
        }
    }

    fn op(&mut self, kernel: &Kernel, id: OpId, around: &[OpId]) {
        let op = kernel.op(id);
        match op.kind {
            OpKind::Constant(_) | OpKind::GridSize(_) | OpKind::WarpSpecialize => {}
            OpKind::BlockId(axis) if axis != AXIS && self.pair == Pair::Neighbours => {}
            OpKind::Compute(_) if self.is_same_for_all(&op.args) => {}
            // The number of work tiles and the step are the same in both blocks.
            OpKind::WorkTileRange => {
                self.add([op.results[0]]);
                if self.pair == Pair::Neighbours {
                    self.first.insert(op.results[0]);
                }
            }
            OpKind::WorkTileCoordinates if self.pair == Pair::Neighbours => {
                self.add([op.results[usize::from(AXIS)]]);
            }
            OpKind::For { .. } => {
                // Neighbours start at consecutive work tiles and have the same end and step, so the trip
                // count is the same although the induction variable differs.
                let (bounds, initial) = op.args.split_at(3);
                if self.first.contains(&bounds[0]) && self.is_same_for_all(&bounds[1..]) {
                    self.add([kernel.block(op.blocks[0]).args[0]]);
                } else if !self.is_same_for_all(bounds) {
                    self.decisions.insert(id);
                }
                self.give(initial, &kernel.block(op.blocks[0]).args[1..]);
                self.give(initial, &op.results);
            }
            OpKind::Loop => self.give(&op.args, &kernel.block(op.blocks[0]).args),
            OpKind::If => {
                if !self.is_same_for_all(&op.args[..1]) {
                    self.decisions.insert(id);
                }
            }
            OpKind::Continue | OpKind::Break => {
                let is_loop = |id: &&OpId| !matches!(kernel.op(**id).kind, OpKind::If);
                let inside = around.iter().rev().take_while(|id| !is_loop(id)).count();
                let (outer, branches) = around.split_at(around.len() - inside);
                let of = *outer.last().expect("verified: a jump is in a loop");
                // If a jump depends on a divergent branch, the blocks may leave the loop in different
                // iterations.
                if branches.iter().any(|id| self.decisions.contains(id)) {
                    self.decisions.insert(of);
                }
                let target = kernel.op(of);
                let args = &kernel.block(target.blocks[0]).args;
                match (&op.kind, &target.kind) {
                    (OpKind::Continue, OpKind::For { .. }) => {
                        self.give(&op.args, &args[1..]);
                        self.give(&op.args, &target.results);
                    }
                    (OpKind::Continue, _) => self.give(&op.args, args),
                    _ => self.give(&op.args, &target.results),
                }
            }
            OpKind::Yield => {
                if let Some(&of) = around.last() {
                    self.give(&op.args, &kernel.op(of).results);
                }
            }
            OpKind::Return => self.ends |= around.iter().any(|id| self.decisions.contains(id)),
            _ => self.add(op.results.iter().copied()),
        }
    }
}
