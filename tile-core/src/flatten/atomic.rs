//! Combines the results of an outermost loop with atomic operations, in memory that the host
//! initializes.
//!
//! This is possible under two conditions. The operations after the loop only compute addresses and
//! store the results there, each result once. Each result starts from a known initial value, and
//! the body that reduces it has an atomic counterpart. A block without iterations combines the
//! neutral element, which changes nothing.

use super::combine::{Accumulator, known};
use super::entry::{Parts, effects};
use super::plan::{AtomicTarget, EntryPlan};
use super::rewriter::Rewriter;
use crate::ir::{
    AtomicRmwMode, Attr, MemoryOrdering, MemoryScope, Module, OpId, ValueDef, ValueId,
};
use crate::ops::{AtomicOp, ConversionOp, CoreOp, MemoryOp, MiscOp, Opcode};
use crate::types::Type;

/// A store of a result that becomes an atomic operation.
pub(super) struct AtomicStore {
    store: OpId,
    /// The index of the result.
    number: usize,
    mode: AtomicRmwMode,
    target: AtomicTarget,
}

impl<'m> Rewriter<'m> {
    /// Returns the stores after a loop, if atomic operations can replace all of them.
    pub(super) fn atomic_stores(
        &self,
        parts: Parts<'m>,
        sums: &[Accumulator],
    ) -> Option<Vec<AtomicStore>> {
        let module = self.from;
        let mut stores: Vec<AtomicStore> = Vec::new();
        for &id in parts.behind {
            if effects(module, id).next().is_some() {
                stores.push(self.atomic_store(parts, sums, id)?);
            } else if uses_results(module, parts, id) {
                return None;
            }
        }
        // If several results were stored to the same address, the order of the stores would matter.
        let is_exclusive = |(index, one): (usize, &AtomicStore)| {
            let mut others = stores[..index].iter();
            let parameter = one.target.parameter;
            others.all(|other| {
                parameter.is_some()
                    && other
                        .target
                        .parameter
                        .is_some_and(|other| Some(other) != parameter)
            })
        };
        stores
            .iter()
            .enumerate()
            .all(is_exclusive)
            .then_some(stores)
    }

    fn atomic_store(
        &self,
        parts: Parts<'m>,
        sums: &[Accumulator],
        id: OpId,
    ) -> Option<AtomicStore> {
        let module = self.from;
        let (op, parallel) = (module.op(id), module.op(parts.parallel));
        let is_plain = op.opcode == MemoryOp::StorePtrTko.into()
            && op.attr("memory_ordering_semantics")
                == Some(&Attr::MemoryOrdering(MemoryOrdering::Weak))
            && op.operands_of("mask").is_empty();
        if !is_plain {
            return None;
        }
        let value = op.operand("value");
        // A token of the loop would mean that all blocks are done, which no block knows here.
        let of_loop = |operand: &&ValueId| parallel.results.contains(operand);
        if op.operands.iter().filter(of_loop).count() != 1 {
            return None;
        }
        let number = parallel
            .results
            .iter()
            .position(|&result| result == value)?;
        let reduction = known(module, sums[number].reduce)?;
        let (element, _) = sums[number].ty.as_number_tile()?;
        let bits = match parallel.operands_of("initVals").get(number) {
            None => reduction.neutral,
            Some(&init) => self.known(self.value(init))?,
        };
        Some(AtomicStore {
            store: id,
            number,
            mode: reduction.mode?,
            target: AtomicTarget {
                parameter: parameter(module, op.operand("destination")),
                element,
                bits,
            },
        })
    }

    /// Emits the code after the iterations of a block.
    pub(super) fn combine_atomically(
        &mut self,
        parts: Parts<'m>,
        stores: &[AtomicStore],
        sums: &[Accumulator],
        end: &[ValueId],
        plan: &mut EntryPlan,
    ) {
        let mut rest = stores.iter().peekable();
        for &id in parts.behind {
            let Some(store) = rest.next_if(|store| store.store == id) else {
                self.operations(&[id]);
                continue;
            };
            let op = self.from.op(id);
            let destination = self.value(op.operand("destination"));
            let token = self.values(op.operands_of("token"));
            let sum = &sums[store.number];
            let results = self
                .builder()
                .op(AtomicOp::AtomicRmwTko, op.loc)
                .operand("pointers", destination)
                .operand("arg", end[sum.index])
                .operands("token", &token)
                .attr(
                    "memory_ordering_semantics",
                    Attr::MemoryOrdering(MemoryOrdering::Relaxed),
                )
                .attr("memory_scope", Attr::MemoryScope(MemoryScope::Device))
                .attr("mode", Attr::RmwMode(store.mode))
                .result(sum.ty)
                .result(Type::token())
                .finish_values();
            self.bind_all(&op.results, &results[1..]);
            plan.atomics.push(store.target);
        }
    }
}

/// Returns `true` if an operation, or one nested in it, uses a result of the loop.
fn uses_results(module: &Module, parts: Parts<'_>, id: OpId) -> bool {
    let results = &module.op(parts.parallel).results;
    let regions = module.op(id).regions.iter();
    let blocks = regions.flat_map(|&region| &module.region(region).blocks);
    let inner = blocks.flat_map(|&block| module.walk(block));
    let mut ops = std::iter::once(id).chain(inner).map(|id| module.op(id));
    ops.any(|op| op.operands.iter().any(|operand| results.contains(operand)))
}

/// Returns the index of the parameter from which pointers are derived.
fn parameter(module: &Module, mut value: ValueId) -> Option<usize> {
    loop {
        let id = match module.value(value).def {
            ValueDef::Argument(block, number) => {
                let parent = module.parent_op_of_block(block)?;
                let is_entry = module.op(parent).opcode == CoreOp::Entry.into();
                return is_entry.then_some(number as usize);
            }
            ValueDef::Result(id, _) => id,
        };
        let op = module.op(id);
        let is_same = matches!(
            op.opcode,
            Opcode::Core(CoreOp::Offset | CoreOp::Reshape | CoreOp::Broadcast)
                | Opcode::Conversion(ConversionOp::PtrToPtr)
                | Opcode::Misc(MiscOp::Assume)
        );
        value = *op.operands.first().filter(|_| is_same)?;
    }
}
