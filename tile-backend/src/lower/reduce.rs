//! Lowers reductions: over registers, lanes, then warps through shared memory, then the blocks of a cluster
//! split.
//!
//! If the body is not commutative, elements are combined in the order of the axis, in as many steps as the
//! layout requires ([`ordered_plans`]). A reduction combines only its elements: the identity is never
//! combined, since it would change nothing.

use super::combiner::is_commutative;
use super::{Lowered, Lowering};
use crate::gpu::{BlockId, OpKind, Partials, Reach, Ty, ValueId};
use crate::layout::{
    Axis, LinearLayout, ReducePlan, WarpExchange, ordered_plans, reduce_plan, scan_layout,
};
use tile_core::Reported;
use tile_core::ir::OpId;

impl Lowering<'_> {
    pub(super) fn reduce(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
        let operands = op.operands_of("operands").to_vec();
        let mut body = self.combiner(id)?;
        let in_order = !is_commutative(&self.kernel, body);
        let layout = self.assignment.layout(operands[0]).clone();
        let (layout, plans) = reduction(&layout, axis, in_order, self.kernel.launch.num_warps);
        let layout = self.kernel.add_layout(layout);
        let args: Vec<_> = operands
            .iter()
            .map(|&v| self.in_layout(v, layout))
            .collect();
        let mut values = self.accumulated(id, args);
        for (step, plan) in plans.into_iter().enumerate() {
            if step > 0 {
                body = self.combiner(id)?;
            }
            values = self.reduced(id, &values, plan, body)?;
        }
        let values = self.rounded(id, values);
        for (&result, value) in op.results.iter().zip(values) {
            let value = match self.kernel.ty(value) {
                Ty::Distributed { element, layout }
                    if self.kernel.layout(layout).shape().rank() == 0 =>
                {
                    self.emit(OpKind::ToUniform, &[value], Ty::Uniform(element), op.loc)
                }
                _ => value,
            };
            self.define(result, value);
        }
        Ok(())
    }

    /// Emits one step of a reduction: over registers and lanes, then over warps and blocks.
    fn reduced(
        &mut self,
        id: OpId,
        values: &[ValueId],
        plan: ReducePlan,
        body: BlockId,
    ) -> Result<Vec<ValueId>, Reported> {
        let loc = self.module.op(id).loc;
        let results: Vec<Ty> = values
            .iter()
            .map(|&value| self.ty_like(value, plan.result.clone()))
            .collect();
        let plan = Box::new(plan);
        let kind = OpKind::ReduceWarp(plan.clone());
        let mut done = self.emit_op(kind, values, &results, &[body], loc);
        for (reach, warps) in self.exchanges(&plan) {
            let mut plan = plan.clone();
            plan.warps = Some(warps);
            let buffers = self.partial_buffers(&plan, &results);
            if reach == Reach::Cluster {
                for &buffer in &buffers {
                    self.kernel.buffer_mut(buffer).is_dedicated = true;
                }
            }
            let partials = Partials {
                plan,
                buffers,
                reach,
            };
            let values = self.kernel.op(done).results.clone();
            let kind = OpKind::StorePartials(partials.clone());
            self.emit_op(kind, &values, &[], &[], loc);
            let body = self.combiner(id)?;
            let kind = OpKind::CombinePartials(partials);
            done = self.emit_op(kind, &[], &results, &[body], loc);
        }
        Ok(self.kernel.op(done).results.to_vec())
    }
}

impl Lowering<'_> {
    /// Returns the exchanges of a reduction, in order: between the warps of a block, then between the blocks
    /// of a cluster split.
    fn exchanges(&self, plan: &ReducePlan) -> Vec<(Reach, WarpExchange)> {
        let Some(exchange) = &plan.warps else {
            return Vec::new();
        };
        if self.kernel.launch.blocks_per_tile == 1 {
            return vec![(Reach::Block, exchange.clone())];
        }
        let bits = self.kernel.warps_of_block().ilog2();
        let Some([of_block, of_cluster]) = exchange.in_two_steps(bits) else {
            return vec![(Reach::Cluster, exchange.clone())];
        };
        let of_block = of_block.map(|warps| (Reach::Block, warps));
        let of_cluster = of_cluster.map(|warps| (Reach::Cluster, warps));
        of_block.into_iter().chain(of_cluster).collect()
    }
}

/// Returns the plans that reduce a tile step by step, and the layout that the first of them needs: `layout`
/// if that is suitable.
fn reduction(
    layout: &LinearLayout,
    axis: Axis,
    in_order: bool,
    num_warps: u32,
) -> (LinearLayout, Vec<ReducePlan>) {
    let plans = |layout: &LinearLayout| {
        if in_order {
            ordered_plans(layout, axis)
        } else {
            reduce_plan(layout, axis).map(|plan| vec![plan])
        }
    };
    if let Some(plans) = plans(layout) {
        return (layout.clone(), plans);
    }
    let ordered = scan_layout(layout.shape(), axis, num_warps);
    let plans = plans(&ordered).expect("the layout is made for it");
    (ordered, plans)
}
