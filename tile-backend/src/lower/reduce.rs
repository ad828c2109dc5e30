//! Reductions: registers, lanes, then warps through shared memory.

use super::{Lowered, Lowering, ScopeKind};
use crate::gpu::{self, Buffer, ElementOp, OpKind, Partials, Ty};
use crate::layout::{Axis, reduce_plan};
use rustc_hash::FxHashMap;
use tile_core::Scalar;
use tile_core::ir::{BlockId, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, Opcode};
use tile_core::types::Element;

impl Lowering<'_> {
    pub(super) fn reduce(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
        let operands = op.operands_of("operands").to_vec();
        let mut layout = self.assignment.layout(operands[0]).clone();
        let plan = reduce_plan(&layout, axis).unwrap_or_else(|| {
            let tile = self
                .module
                .ty(operands[0])
                .as_tile()
                .expect("verified tile");
            layout = self.access.default(&tile.shape, 4);
            reduce_plan(&layout, axis).expect("a blocked layout reduces along any axis")
        });
        let layout = self.kernel.add_layout(layout);
        let args: Vec<_> = operands
            .iter()
            .map(|&v| self.in_layout(v, layout))
            .collect();
        let elements: Vec<Scalar> = args
            .iter()
            .map(|&arg| self.kernel.ty(arg).scalar().expect("a distributed value"))
            .collect();
        let results: Vec<Ty> = elements
            .iter()
            .map(|&element| self.distributed(element, plan.result.clone()))
            .collect();
        let body = self.combiner(id)?;
        let plan = Box::new(plan);
        let mut done = self.emit_op(
            OpKind::ReduceWarp(plan.clone()),
            &args,
            &results,
            &[body],
            op.loc,
        );
        if let Some(warps) = &plan.warps {
            let slots = warps.slots() as u64;
            let buffers = elements
                .iter()
                .map(|&element| {
                    let bytes = slots * plan.result.shape().num_elements() * element.bytes() as u64;
                    self.kernel.add_buffer(Buffer {
                        element,
                        bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
                        slots: 1,
                        align_bytes: 16,
                        layout: None,
                        offset_bytes: None,
                    })
                })
                .collect();
            let partials = Partials {
                plan: plan.clone(),
                buffers,
            };
            let values = self.kernel.op(done).results.clone();
            self.emit_op(
                OpKind::StorePartials(partials.clone()),
                &values,
                &[],
                &[],
                op.loc,
            );
            let body = self.combiner(id)?;
            done = self.emit_op(
                OpKind::CombinePartials(partials),
                &[],
                &results,
                &[body],
                op.loc,
            );
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

    /// The body of a reduction, on uniform values.
    fn combiner(&mut self, reduce: OpId) -> Result<gpu::BlockId, tile_core::Reported> {
        let module = self.module;
        let source: BlockId = module
            .region_block(reduce, 0)
            .expect("a verified `reduce` has a body");
        let block = self.kernel.add_block();
        let mut map: FxHashMap<_, gpu::ValueId> = FxHashMap::default();
        for &arg in &module.block(source).args {
            let element = module.ty(arg).as_tile().map(|tile| tile.element);
            let Some(Element::Scalar(scalar)) = element else {
                unreachable!("verified: a body takes numbers");
            };
            let value =
                self.kernel
                    .add_block_arg(block, Ty::Uniform(scalar), module.value(arg).loc);
            map.insert(arg, value);
        }
        self.enter(block, ScopeKind::Branch);
        let ops = module.block(source).ops.clone();
        for id in ops {
            let op = module.op(id);
            let args: Vec<_> = op
                .operands
                .iter()
                .map(|operand| {
                    let inside = map.get(operand).copied();
                    inside.unwrap_or_else(|| self.value(*operand))
                })
                .collect();
            let kind = match op.opcode {
                Opcode::ControlFlow(ControlFlowOp::Yield) => {
                    self.emit_op(OpKind::Yield, &args, &[], &[], op.loc);
                    continue;
                }
                Opcode::Core(CoreOp::Constant) => super::element::constant_kind(op),
                opcode if super::assign::is_elementwise(opcode) => {
                    OpKind::Compute(ElementOp::of(op))
                }
                _ => {
                    self.leave();
                    return Err(self.unsupported(
                        op,
                        format!("`{}` in the body of a reduction", op.def().mnemonic),
                        "combine the elements with arithmetic, comparisons and `select`",
                    ));
                }
            };
            let ty = self.preferred_ty(op.result());
            let value = self.emit(kind, &args, ty, op.loc);
            map.insert(op.result(), value);
        }
        self.leave();
        Ok(block)
    }
}
