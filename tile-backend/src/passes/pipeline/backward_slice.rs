//! Backward slices: the operations that compute a value of a loop body from the induction variable, from
//! loop-invariant values, and from values that the loop carries for that purpose alone.
//!
//! ```text
//!   for i, pointers = p0 {                   slice of the load: advance
//!     tile = load pointers                   carried: pointers
//!     next = advance pointers
//!     …                                      computed `S - 1` times before the loop, then once in
//!     continue next                          each iteration, so it stays that far ahead
//!   }
//! ```

use crate::gpu::{BlockId, Kernel, OpId, Trait, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of operations that are computed a second time, for a later iteration.
const MAX_OPERATIONS: usize = 96;

/// Operations without effects, computed for a later iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct BackwardSlice {
    /// The operations, definitions first.
    pub(super) ops: Vec<OpId>,
    /// Indices of the carried values that the operations need.
    pub(super) carried: Vec<usize>,
}

impl BackwardSlice {
    /// Adds the operations that compute `values`. Returns `false`, and adds none, if they cannot all be
    /// computed for a later iteration.
    pub(super) fn add(&mut self, kernel: &Kernel, scope: &Scope, values: &[ValueId]) -> bool {
        let (ops, carried) = (self.ops.len(), self.carried.len());
        let is_sliceable = values
            .iter()
            .all(|&value| self.add_value(kernel, scope, value));
        if !is_sliceable || self.ops.len() > MAX_OPERATIONS {
            self.ops.truncate(ops);
            self.carried.truncate(carried);
            return false;
        }
        true
    }

    fn add_value(&mut self, kernel: &Kernel, scope: &Scope, value: ValueId) -> bool {
        if value == scope.induction {
            return true;
        }
        if let Some(&(position, next)) = scope.carried.get(&value) {
            if self.carried.contains(&position) {
                return true;
            }
            self.carried.push(position);
            return self.add_value(kernel, scope, next);
        }
        if scope.nested.contains(&value) {
            return false;
        }
        let Some(&id) = scope.direct.get(&value) else {
            return true;
        };
        if self.ops.contains(&id) {
            return true;
        }
        let op = kernel.op(id);
        let is_sliceable = op.kind.has(Trait::Speculatable)
            && op
                .args
                .iter()
                .all(|&arg| self.add_value(kernel, scope, arg));
        // Visiting its operands may have added the operation already, through a carried value.
        if is_sliceable && !self.ops.contains(&id) {
            self.ops.push(id);
        }
        is_sliceable
    }
}

/// The definitions of the values of a body.
pub(super) struct Scope {
    /// Results of operations directly in the body.
    direct: FxHashMap<ValueId, OpId>,
    /// Carried values, each with its index and its value in the next iteration.
    carried: FxHashMap<ValueId, (usize, ValueId)>,
    /// Results of operations with blocks.
    nested: FxHashSet<ValueId>,
    induction: ValueId,
}

impl Scope {
    /// Collects the definitions in the body of a loop whose iterations end only at the end of the body.
    pub(super) fn collect(kernel: &Kernel, body: BlockId) -> Self {
        let block = kernel.block(body);
        let last = block.ops.last().expect("a body ends with a jump");
        let next = kernel.op(*last).args.iter().copied();
        let carried = block.args[1..].iter().copied().zip(next).enumerate();
        let mut scope = Self {
            direct: FxHashMap::default(),
            carried: carried
                .map(|(position, (value, next))| (value, (position, next)))
                .collect(),
            nested: FxHashSet::default(),
            induction: block.args[0],
        };
        for &id in &block.ops {
            let op = kernel.op(id);
            if op.blocks.is_empty() {
                scope
                    .direct
                    .extend(op.results.iter().map(|&value| (value, id)));
            } else {
                scope.nested.extend(&op.results);
            }
        }
        scope
    }
}
