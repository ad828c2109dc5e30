//! Lowers scans: over registers, lanes, then warps through shared memory.

use super::{Lowered, Lowering};
use crate::gpu::{OpKind, Partials, Reach, ScanStep, Ty};
use crate::layout::{Axis, scan_layout, scan_plan};
use tile_core::ir::{Attr, OpId};

impl Lowering<'_> {
    pub(super) fn scan(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
        let operands = op.operands_of("operands").to_vec();
        let reverse = matches!(op.attr("reverse"), Some(Attr::Bool(true)));
        let mut layout = self.assignment.layout(operands[0]).clone();
        // A scan needs the elements along the axis in order over registers, lanes and warps. If the assigned
        // layout does not provide that, another layout is used.
        let plan = scan_plan(&layout, axis).unwrap_or_else(|| {
            layout = scan_layout(layout.shape(), axis, self.kernel.launch.num_warps);
            scan_plan(&layout, axis).expect("the layout is made for it")
        });
        let layout = self.kernel.add_layout(layout);
        let args: Vec<_> = operands
            .iter()
            .map(|&operand| self.in_layout(operand, layout))
            .collect();
        let args = self.accumulated(id, args);
        let prefixes: Vec<Ty> = args.iter().map(|&arg| self.kernel.ty(arg)).collect();
        let mut results = prefixes.clone();
        let partials = plan.reduce.warps.is_some().then(|| {
            let totals: Vec<Ty> = args
                .iter()
                .map(|&arg| self.ty_like(arg, plan.reduce.result.clone()))
                .collect();
            results.extend(&totals);
            let plan = Box::new(plan.reduce.clone());
            let buffers = self.partial_buffers(&plan, &totals);
            Partials {
                plan,
                buffers,
                reach: Reach::Block,
            }
        });
        let body = self.combiner(id)?;
        let step = Box::new(ScanStep { plan, reverse });
        let kind = OpKind::ScanWarp(step.clone());
        let mut done = self.emit_op(kind, &args, &results, &[body], op.loc);
        // Each warp combines the totals of the preceding warps, once all totals have been written.
        if let Some(partials) = partials {
            let values = self.kernel.op(done).results.clone();
            let (inside, totals) = values.split_at(prefixes.len());
            let kind = OpKind::StorePartials(partials.clone());
            self.emit_op(kind, totals, &[], &[], op.loc);
            let body = self.combiner(id)?;
            let kind = OpKind::ScanAcross(partials, step);
            done = self.emit_op(kind, inside, &prefixes, &[body], op.loc);
        }
        let values = self.kernel.op(done).results[..prefixes.len()].to_vec();
        let values = self.rounded(id, values);
        for (&result, value) in op.results.iter().zip(values) {
            self.define(result, value);
        }
        Ok(())
    }
}
