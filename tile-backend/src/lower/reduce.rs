//! Reductions: registers, lanes, then warps through shared memory.
//!
//! Where the body does not say that elements may change places, they are combined in the
//! order of the axis.

use super::combiner::is_commutative;
use super::{Lowered, Lowering};
use crate::gpu::{OpKind, Partials, Ty};
use crate::layout::{Axis, LinearLayout, ReducePlan, reduce_plan, scan_layout, scan_plan};
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
        if plan.warps.is_some() {
            let buffers = self.partial_buffers(&plan, &results);
            let partials = Partials {
                plan: plan.clone(),
                buffers,
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
