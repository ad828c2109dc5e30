//! What computes a value of a loop's body from the induction variable, what does not change in the
//! loop, and what the loop carries along for that alone.
//!
//! ```text
//!   for i, pointers = p0 {                   slice of the load: advance
//!     tile = load pointers                   carried: pointers
//!     next = advance pointers
//!     …                                      `S - 1` times before the loop, then once in each
//!     continue next                          iteration, it stays that much ahead
//!   }
//! ```

use crate::gpu::{BlockId, Kernel, MemoryKind, OpId, OpKind, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most operations that are computed a second time, for a later iteration.
const MAX_OPERATIONS: usize = 96;

/// Operations without effects that compute something for a later iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct BackwardSlice {
    /// The operations, in an order in which they can stand.
    pub(super) ops: Vec<OpId>,
    /// The carried values that they need, by their position.
    pub(super) carried: Vec<usize>,
}

impl BackwardSlice {
    /// Adds what computes `values`; changes nothing if that cannot be said.
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
        let is_sliceable = is_pure(&op.kind)
            && op
                .args
                .iter()
                .all(|&arg| self.add_value(kernel, scope, arg));
        // By way of a carried value it may have been added meanwhile.
        if is_sliceable && !self.ops.contains(&id) {
            self.ops.push(id);
        }
        is_sliceable
    }
}

/// Whether an operation may be done for an iteration that never comes.
fn is_pure(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Compute(_)
            | OpKind::Constant(_)
            | OpKind::ConstantEach(_)
            | OpKind::BlockId(_)
            | OpKind::GridSize(_)
            | OpKind::WorkTileCoordinates
            | OpKind::Splat
            | OpKind::Coordinate(_)
            | OpKind::PermuteRegisters(_)
            | OpKind::Memory(
                MemoryKind::Offset { .. } | MemoryKind::AddressOf | MemoryKind::PointerAt
            )
    )
}

/// Where the values of a body are defined.
pub(super) struct Scope {
    /// By operations that stand directly in it.
    direct: FxHashMap<ValueId, OpId>,
    /// The carried ones: their position, and what they are in the next iteration.
    carried: FxHashMap<ValueId, (usize, ValueId)>,
    /// By operations with blocks.
    nested: FxHashSet<ValueId>,
    induction: ValueId,
}

impl Scope {
    /// Of the body of a loop that is left at its end alone.
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
