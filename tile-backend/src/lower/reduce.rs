//! Reductions: registers, lanes, then warps through shared memory, then blocks that share the tile.
//!
//! Where the body does not say that elements may change places, they are combined in the
//! order of the axis.

use super::combiner::is_commutative;
use super::{Lowered, Lowering};
use crate::gpu::{OpKind, Partials, Reach, Ty};
use crate::layout::{
    Axis, LinearLayout, ReducePlan, WarpExchange, reduce_plan, scan_layout, scan_plan,
};
use tile_core::ir::OpId;

impl Lowering<'_> {
    pub(super) fn reduce(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
        let operands = op.operands_of("operands").to_vec();
        let body = self.combiner(id)?;
        let in_order = !is_commutative(&self.kernel, body);
        let layout = self.assignment.layout(operands[0]).clone();
        let (layout, plan) = reduction(&layout, axis, in_order, self.kernel.num_warps);
        let layout = self.kernel.add_layout(layout);
        let args: Vec<_> = operands
            .iter()
            .map(|&v| self.in_layout(v, layout))
            .collect();
        let results: Vec<Ty> = args
            .iter()
            .map(|&arg| self.ty_like(arg, plan.result.clone()))
            .collect();
        let plan = Box::new(plan);
        let kind = OpKind::ReduceWarp(plan.clone());
        let mut done = self.emit_op(kind, &args, &results, &[body], op.loc);
        for (reach, warps) in self.exchanges(&plan) {
            let mut plan = plan.clone();
            plan.warps = Some(warps);
            let buffers = self.partial_buffers(&plan, &results);
            if reach == Reach::Cluster {
                self.kernel.kept.extend(&buffers);
            }
            let partials = Partials {
                plan,
                buffers,
                reach,
            };
            let values = self.kernel.op(done).results.clone();
            let kind = OpKind::StorePartials(partials.clone());
            self.emit_op(kind, &values, &[], &[], op.loc);
            let body = self.combiner(id)?;
            let kind = OpKind::CombinePartials(partials);
            done = self.emit_op(kind, &[], &results, &[body], op.loc);
        }
        if let Some(identities) = self.identities_that_count(op) {
            let mut args = self.kernel.op(done).results.to_vec();
            for (bits, &ty) in identities.into_iter().zip(&results) {
                args.push(self.emit(OpKind::Constant(bits), &[], ty, op.loc));
            }
            let body = self.combiner(id)?;
            done = self.emit_op(OpKind::Combine, &args, &results, &[body], op.loc);
        }
        let values = self.kernel.op(done).results.clone();
        for (&result, value) in op.results.iter().zip(values) {
            let value = match self.kernel.ty(value) {
                Ty::Distributed { element, .. } if plan.result.shape().rank() == 0 => {
                    self.emit(OpKind::ToUniform, &[value], Ty::Uniform(element), op.loc)
                }
                _ => value,
            };
            self.define(result, value);
        }
        Ok(())
    }
}

impl Lowering<'_> {
    /// The exchanges of a reduction, in order: between warps of a block, then between blocks that share the tile.
    fn exchanges(&self, plan: &ReducePlan) -> Vec<(Reach, WarpExchange)> {
        let Some(all) = &plan.warps else {
            return Vec::new();
        };
        if self.kernel.parts == 1 {
            return vec![(Reach::Block, all.clone())];
        }
        let bits = self.kernel.warps_of_block().ilog2();
        let Some([of_block, of_cluster]) = all.in_two_steps(bits) else {
            return vec![(Reach::Cluster, all.clone())];
        };
        let of_block = of_block.map(|warps| (Reach::Block, warps));
        let of_cluster = of_cluster.map(|warps| (Reach::Cluster, warps));
        of_block.into_iter().chain(of_cluster).collect()
    }
}

/// The plan to reduce a tile, and the layout it needs: `layout` if that will do.
fn reduction(
    layout: &LinearLayout,
    axis: Axis,
    in_order: bool,
    num_warps: u32,
) -> (LinearLayout, ReducePlan) {
    let plan = |layout: &LinearLayout| {
        if in_order {
            scan_plan(layout, axis).map(|plan| plan.reduce)
        } else {
            reduce_plan(layout, axis)
        }
    };
    if let Some(plan) = plan(layout) {
        return (layout.clone(), plan);
    }
    let ordered = scan_layout(layout.shape(), axis, num_warps);
    let plan = plan(&ordered).expect("the layout is made for it");
    (ordered, plan)
}
