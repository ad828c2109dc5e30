//! Splits entries into the operations before, in and after their outermost loop, and rewrites them.

use super::plan::{Bound, EntryPlan, GridPlan, Trips};
use super::rewriter::Rewriter;
use super::{Outermost, Reduction};
use crate::ir::{Attr, BlockId, Module, OpId, ValueDef, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Effects, LoopOp, MiscOp, Opcode};
use crate::types::{FunctionType, Type, TypeKind};

/// The parts of an entry with an outermost loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'m> {
    pub(super) before: &'m [OpId],
    pub(super) parallel: OpId,
    /// The operations after the loop, without the terminator.
    pub(super) behind: &'m [OpId],
}

/// Returns the parts of an entry, if one of its loops is distributed over the grid.
pub(super) fn parts(module: &Module, entry: OpId, outermost: Outermost) -> Option<Parts<'_>> {
    if outermost == Outermost::Sequential {
        return None;
    }
    let (_, ops) = module
        .block(module.region_block(entry, 0)?)
        .ops
        .split_last()?;
    let is_parallel = |&id: &OpId| module.op(id).opcode == LoopOp::Parallel.into();
    let loop_index = ops.iter().position(is_parallel)?;
    Some(Parts {
        before: &ops[..loop_index],
        parallel: ops[loop_index],
        behind: &ops[loop_index + 1..],
    })
}

/// Returns the operations with effects of their own among `id` and those nested in it.
pub(super) fn effects(module: &Module, id: OpId) -> impl Iterator<Item = (OpId, Effects)> {
    let regions = module.op(id).regions.iter();
    let blocks = regions.flat_map(|&region| &module.region(region).blocks);
    let inner = blocks.flat_map(|&block| module.walk(block));
    std::iter::once(id).chain(inner).filter_map(|id| {
        let op = module.op(id);
        let combines = op.opcode == LoopOp::Reduce.into();
        // An assumption about a value holds in every block.
        let promises = op.opcode == MiscOp::Assume.into();
        if op.def().is_terminator() || combines || promises {
            return None;
        }
        match op.def().effects {
            effects @ (Effects::Read | Effects::Write) => Some((id, effects)),
            Effects::Pure | Effects::NoMemoryEffect | Effects::Regions => None,
        }
    })
}

/// Returns `true` if an operation, or one nested in it, must be kept.
pub(super) fn writes(module: &Module, id: OpId) -> bool {
    effects(module, id).any(|(_, effects)| effects == Effects::Write)
}

impl<'m> Rewriter<'m> {
    /// Flattens the whole module.
    pub(super) fn module(&mut self) -> Vec<EntryPlan> {
        let module = self.from;
        let mut entries = Vec::new();
        for id in module.symbols() {
            if module.op(id).opcode == CoreOp::Entry.into() {
                entries.push(self.entry(id));
            } else {
                self.operations(&[id]);
            }
        }
        entries
    }

    fn entry(&mut self, id: OpId) -> EntryPlan {
        let module = self.from;
        let mut plan = EntryPlan::for_blocks(module.op(id).sym_name());
        let Some(parts) = parts(module, id, self.options.outermost) else {
            self.operations(&[id]);
            return plan;
        };
        let (old, _, last) = self.body(id, 0);
        let entry = self.twin(id);
        let block = self.builder().add_region_block(entry);
        for &argument in &module.block(old).args {
            let value = module.value(argument);
            let new = self.to.add_block_arg(block, value.ty, value.loc);
            self.bind_all(&[argument], &[new]);
        }
        plan.grid = Some(grid_plan(module, old, parts.parallel));
        self.inside(block, |this| {
            this.operations(parts.before);
            this.share_out(parts, block, &mut plan);
            this.builder()
                .terminate(ControlFlowOp::Return, &[], last.loc);
        });
        // Buffers may have been added.
        let params = self.to.block(block).args.iter();
        let signature = Type::new(TypeKind::Function(FunctionType {
            inputs: params.map(|&param| self.to.ty(param)).collect(),
            results: Vec::new(),
        }));
        let entry = self.to.op_mut(entry);
        entry.set_attr("function_type", Some(Attr::Type(signature)));
        plan
    }

    /// Distributes the outermost loop over the grid, and emits the operations after it.
    fn share_out(&mut self, parts: Parts<'m>, block: BlockId, plan: &mut EntryPlan) {
        let module = self.from;
        let loc = module.op(parts.parallel).loc;
        let space = self.space(parts.parallel, loc);
        let mut sums = self.accumulators(parts.parallel);
        let start = self.start(&mut sums, &[], loc);
        let end = self.shared_loop(parts.parallel, &space, &sums, &start);
        // Without effects, all operations after the loop are dead.
        if !parts.behind.iter().any(|&id| writes(module, id)) {
            return;
        }
        if self.options.reduction == Reduction::Atomic
            && let Some(stores) = self.atomic_stores(parts, &sums)
        {
            self.combine_atomically(parts, &stores, &sums, &end, plan);
        } else {
            self.combine_in_last_block(parts, block, &space, &sums, &end, plan);
        }
    }
}

/// Returns the host's description of the iterations of an outermost loop.
fn grid_plan(module: &Module, params: BlockId, parallel: OpId) -> GridPlan {
    let op = module.op(parallel);
    let slots = ["lowerBounds", "upperBounds", "steps"].map(|slot| op.operands_of(slot));
    let bound = |mut value: ValueId| loop {
        let op = match module.value(value).def {
            ValueDef::Argument(block, number) if block == params => {
                break Bound::Parameter(number as usize);
            }
            ValueDef::Argument(..) => break Bound::Computed,
            ValueDef::Result(op, _) => module.op(op),
        };
        match op.opcode {
            // An assumption does not change the value.
            Opcode::Misc(MiscOp::Assume) => value = op.operands[0],
            Opcode::Core(CoreOp::Constant) => {
                let bits = op.dense_value().splat_bits();
                break bits.map_or(Bound::Computed, Bound::Constant);
            }
            _ => break Bound::Computed,
        }
    };
    let signedness = super::sequential::signedness(op);
    let (scalar, _) = module
        .ty(slots[0][0])
        .as_number_tile()
        .expect("verified code has bounds of integers");
    let mut axes: [Vec<Trips>; 3] = [const { Vec::new() }; 3];
    for (axis, dims) in super::grid::axes(slots[0].len()).into_iter().enumerate() {
        axes[axis] = dims
            .map(|dim| Trips {
                scalar,
                signedness,
                lower: bound(slots[0][dim]),
                upper: bound(slots[1][dim]),
                step: bound(slots[2][dim]),
            })
            .collect();
    }
    GridPlan { axes }
}
