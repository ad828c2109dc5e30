//! Common subexpressions.
//!
//! Two operations without memory effects, of one opcode, with the same operands
//! and attributes compute the same; the later one is replaced where the earlier
//! one dominates it.

use crate::ir::{AttrSlots, BlockId, DiscardableAttr, Module, OpId, ValueId};
use crate::ops::{Effects, Opcode};
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// Which values are replaced by which.
#[derive(Debug)]
pub(super) struct Merged {
    replacements: Vec<ValueId>,
    any: bool,
}

impl Merged {
    /// The value to use for `value`.
    pub(super) fn find(&self, value: ValueId) -> ValueId {
        self.replacements[value.index()]
    }

    /// Whether anything is replaced.
    pub(super) fn any(&self) -> bool {
        self.any
    }
}

/// What an operation computes.
#[derive(PartialEq, Eq, Hash)]
struct Expression {
    opcode: Opcode,
    operands: SmallVec<[ValueId; 4]>,
    segments: SmallVec<[u32; 4]>,
    attrs: AttrSlots,
    discardable: ThinVec<DiscardableAttr>,
    results: SmallVec<[Type; 2]>,
}

/// Finds the values that are computed twice.
pub(super) fn merge(module: &Module) -> Merged {
    let mut pass = Pass {
        module,
        merged: Merged {
            replacements: (0..module.num_values()).map(ValueId::new).collect(),
            any: false,
        },
        known: FxHashMap::default(),
    };
    pass.block(module.body());
    pass.merged
}

struct Pass<'m> {
    module: &'m Module,
    merged: Merged,
    /// Dominating operations by what they compute.
    known: FxHashMap<Expression, OpId>,
}

impl Pass<'_> {
    fn block(&mut self, block: BlockId) {
        let module = self.module;
        let mut added = Vec::new();
        for &id in &module.block(block).ops {
            self.operation(id, &mut added);
            for &region in &module.op(id).regions {
                for &block in &module.region(region).blocks {
                    self.block(block);
                }
            }
        }
        // What this block computes dominates nothing after it.
        for id in added {
            let expression = self.expression(id);
            self.known.remove(&expression);
        }
    }

    fn operation(&mut self, id: OpId, added: &mut Vec<OpId>) {
        let op = self.module.op(id);
        let mergeable = matches!(op.def().effects, Effects::Pure | Effects::NoMemoryEffect);
        if !mergeable || op.def().is_terminator() {
            return;
        }
        let expression = self.expression(id);
        let Some(&first) = self.known.get(&expression) else {
            self.known.insert(expression, id);
            added.push(id);
            return;
        };
        let firsts = &self.module.op(first).results;
        for (&result, &first) in op.results.iter().zip(firsts) {
            self.merged.replacements[result.index()] = first;
        }
        self.merged.any |= !op.results.is_empty();
    }

    fn expression(&self, id: OpId) -> Expression {
        let op = self.module.op(id);
        let mut operands: SmallVec<[ValueId; 4]> = op
            .operands
            .iter()
            .map(|&operand| self.merged.find(operand))
            .collect();
        if op.def().commutative && operands[0] > operands[1] {
            operands.swap(0, 1);
        }
        Expression {
            opcode: op.opcode,
            operands,
            segments: op.segments.clone(),
            attrs: op.attrs.clone(),
            discardable: op.discardable.clone(),
            results: op
                .results
                .iter()
                .map(|&result| self.module.ty(result))
                .collect(),
        }
    }
}
