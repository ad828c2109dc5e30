//! Emits TMA stores (`cp.async.bulk.tensor` from shared memory), and the stores that fill their buffer.
//!
//! In: a tile in registers, a buffer of boxes, a tensor map as parameter. Out: `stmatrix` instructions that
//! fill the buffer. Then the first thread of the block issues one copy per box, and commits them as a bulk
//! group.

use inkwell::values::BasicValueEnum;

use super::address::Addresses;
use super::code::{AsmEffect, element_bytes};
use super::tma_load::TENSOR_PTX;
use super::{Emitter, Result};
use crate::gpu::{BufferId, Op, TmaStore, TmaStoreWait, TmaStoreWaitKind};
use crate::layout::{MatrixCount, stmatrix_plan};
use crate::llvm::intrinsics::Intrinsic;
use crate::llvm::passes::ask_for;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn store_matrix(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let (kernel, value) = (self.kernel, op.args[0]);
        let scalar = kernel.buffer(buffer).element;
        let registers = kernel.layout_of(value);
        let memory = kernel.buffer(buffer).layout.map(|id| kernel.layout(id));
        let bits = 8 * element_bytes(scalar);
        let plan = memory.and_then(|memory| stmatrix_plan(registers, memory, bits));
        let Some(plan) = plan else {
            return Err(self.unsupported("`stmatrix` of this layout", op.loc));
        };
        let intrinsic = match (plan.count, plan.transposed) {
            (MatrixCount::X1, false) => Intrinsic::StmatrixX1,
            (MatrixCount::X2, false) => Intrinsic::StmatrixX2,
            (MatrixCount::X4, false) => Intrinsic::StmatrixX4,
            (MatrixCount::X1, true) => Intrinsic::StmatrixTransposedX1,
            (MatrixCount::X2, true) => Intrinsic::StmatrixTransposedX2,
            (MatrixCount::X4, true) => Intrinsic::StmatrixTransposedX4,
        };
        let values = self.registers(value).clone();
        let base = self.buffer_start(buffer);
        // No lane holds copies of another lane's elements, so a warp stores either as a whole or not at all.
        let owner = self.thread.is_owner(&self.code, registers);
        self.only_if(owner, |emitter| {
            let code = &emitter.code;
            let unit = element_bytes(scalar);
            let mut rows = Addresses::new(emitter, base, &plan.row_offset, unit);
            for instruction in &plan.instructions {
                let mut args: Vec<BasicValueEnum<'ctx>> =
                    vec![rows.at(code, instruction.offset).into()];
                for word in &instruction.destinations {
                    let elements = word.iter();
                    let elements: Vec<_> = elements
                        .map(|register| code.to_memory(values[register.index()], scalar))
                        .collect();
                    args.extend(code.recast(&elements, code.cx.i32_type().into(), 1));
                }
                code.nvvm(intrinsic, &args);
            }
        });
        self.fence_for_tensor_cores(std::iter::once(buffer));
        Ok(())
    }

    pub(super) fn fence_proxy_async(&self) {
        ask_for(&self.code.module, TENSOR_PTX);
        let text = "fence.proxy.async.shared::cta;";
        self.code.asm(text, "", &[], &[], AsmEffect::Memory);
    }

    pub(super) fn tma_store(&mut self, op: &Op, store: &TmaStore) -> Result<()> {
        ask_for(&self.code.module, TENSOR_PTX);
        let code = &self.code;
        let Some(boxes) = store.boxes(self.kernel) else {
            return Err(self.unsupported("a buffer that is not made of boxes", op.loc));
        };
        let start = self.buffer_start(store.buffer);
        let map = self.map(store.map);
        let first = self.is_first_thread();
        let indices = op.args[1..].iter().step_by(3);
        let axes = store.tile.axes.iter().zip(indices);
        let firsts: Vec<_> = axes
            .map(|(axis, &index)| self.first(*axis, index))
            .collect();
        let rank = boxes.axes.len();
        let places: Vec<String> = (0..rank).map(|axis| format!("${}", 3 + axis)).collect();
        let text = format!(
            "@$0 cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group [$1, {{{}}}], [$2];",
            places.join(", ")
        );
        let constraints = format!("b,l,r{}", ",r".repeat(rank));
        for (bytes, corner) in &boxes.starts {
            let narrow = |number: u64| u32::try_from(number).expect("a tile is small");
            let from = code.offset(start, code.i32(narrow(*bytes)));
            let mut args: Vec<BasicValueEnum<'ctx>> = vec![first.into(), map.into(), from.into()];
            args.extend(boxes.axes.iter().map(|&(axis, _)| -> BasicValueEnum<'ctx> {
                let corner = code.i32(narrow(store.corner[axis.0] + corner[axis.0]));
                code.add(firsts[axis.0], corner).into()
            }));
            code.asm(&text, &constraints, &[], &args, AsmEffect::Memory);
        }
        let text = "@$0 cp.async.bulk.commit_group;";
        code.asm(text, "b", &[], &[first.into()], AsmEffect::Memory);
        Ok(())
    }

    pub(super) fn wait_tma_stores(&self, wait: TmaStoreWait) {
        let until = match wait.end {
            TmaStoreWaitKind::Read => ".read",
            TmaStoreWaitKind::Written => "",
        };
        let text = format!("@$0 cp.async.bulk.wait_group{until} {};", wait.left);
        let first = self.is_first_thread();
        self.code
            .asm(&text, "b", &[], &[first.into()], AsmEffect::Memory);
    }
}
