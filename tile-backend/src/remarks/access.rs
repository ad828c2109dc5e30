//! Remarks on narrow accesses to global memory, on the facts that would widen them, and on atomic updates of
//! one address.
//!
//! In: tile IR, which has the facts. `kernel.rs` adds the remarks on the accesses of single threads and
//! warps.

use super::{Kind, Remark, Remarks};
use crate::analysis::divisibility::Divisibility;
use crate::lower::{
    AccessShape, MatmulChains, Missing, Narrowing, ViewFacts, without_tensor_cores,
};
use crate::lower::{is_matmul, tile_shape};
use crate::target::Arch;
use tile_core::Module;
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::{AtomicOp, MemoryOp, Opcode, ViewOp};
use tile_core::types::Element;

/// Adds remarks on the operations of an entry whose blocks have `num_warps` warps.
pub(crate) fn accesses(
    module: &Module,
    entry: OpId,
    num_warps: u32,
    arch: Arch,
    remarks: &mut Remarks,
) {
    let Some(body) = module.region_block(entry, 0) else {
        return;
    };
    let divisibility = Divisibility::analyze(module, entry);
    let ops = module.walk(body);
    let chains = MatmulChains::find(module, &ops);
    super::padding::padding(module, &divisibility, &ops, remarks);
    for id in ops {
        let op = module.op(id);
        match op.opcode {
            Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
            | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => {
                view(module, &divisibility, op, remarks);
            }
            Opcode::Memory(MemoryOp::LoadPtrTko) => {
                pointers(module, &divisibility, op, op.operand("source"), remarks);
            }
            Opcode::Memory(MemoryOp::StorePtrTko) => {
                pointers(
                    module,
                    &divisibility,
                    op,
                    op.operand("destination"),
                    remarks,
                );
            }
            Opcode::Atomic(AtomicOp::AtomicRmwTko | AtomicOp::AtomicCasTko) => {
                one_place(module, &divisibility, op, remarks);
            }
            opcode if is_matmul(opcode) => {
                let why = without_tensor_cores(module, op, chains.contains(id), num_warps, arch);
                if let Some(why) = why {
                    remarks.add(|| {
                        let message = "this matmul is computed without tensor cores";
                        Remark::new(Kind::NoTensorCore, op.loc, message)
                            .note(why)
                            .help("convert the operands, such as f32 to tf32 or bf16, or make K larger")
                    });
                }
            }
            _ => {}
        }
    }
}

fn view(module: &Module, divisibility: &Divisibility, op: &Op, remarks: &mut Remarks) {
    let facts = ViewFacts::from_access(module, divisibility, op);
    if facts.shape().num_elements() < 2 {
        return;
    }
    if facts.contiguous.is_none() {
        remarks.add(|| {
            let message = "each element is accessed for itself, and neighbours are apart in memory";
            Remark::new(Kind::Scattered, op.loc, message)
                .note("no axis of the tensor is known to have stride 1")
                .help("pass a tensor whose last axis is contiguous; a view says so with a stride of 1")
        });
        return;
    }
    if let Some(narrowing) = facts.narrowing(divisibility) {
        let bytes = facts.ty.tensor_view.element.bytes() as u64;
        narrow(op, &narrowing, bytes, remarks);
    }
}

fn pointers(
    module: &Module,
    divisibility: &Divisibility,
    op: &Op,
    pointers: ValueId,
    remarks: &mut Remarks,
) {
    let mask = op.optional_operand("mask");
    let Some(shape) = AccessShape::from_pointers(module, divisibility, pointers, mask) else {
        return;
    };
    let elements = shape.shape.num_elements();
    let is_single_address = is_single_address(module, divisibility, pointers);
    if elements < 2 || is_single_address {
        return;
    }
    if shape.contiguous.is_none() {
        remarks.add(|| {
            let message = "each element is accessed for itself, wherever its pointer leads";
            Remark::new(Kind::Scattered, op.loc, message)
                .note("neighbouring pointers are not known to lead to neighbours in memory")
                .help("load a tile through a view in which its rows are contiguous")
        });
        return;
    }
    let narrowing = AccessShape::narrowing_of_pointers(module, divisibility, pointers, mask);
    let pointee = module.ty(pointers).as_tile().map(|tile| tile.element);
    if let (Some(narrowing), Some(Element::Ptr(pointee))) = (narrowing, pointee) {
        narrow(op, &narrowing, pointee.bytes() as u64, remarks);
    }
}

fn narrow(op: &Op, narrowing: &Narrowing, element_bytes: u64, remarks: &mut Remarks) {
    let (bytes, possible) = (
        narrowing.elements * element_bytes,
        narrowing.possible * element_bytes,
    );
    remarks.add(|| {
        let message =
            format!("each lane accesses {bytes} bytes at a time, where {possible} would do");
        let remark = Remark::new(Kind::Narrow, op.loc, message);
        match narrowing.missing {
            Missing::Base => remark
                .note(format!("the first element is not known to be aligned to {possible} bytes"))
                .help(format!("state it: `assume div_by<{possible}>` of the pointer, or a tensor of the `fast` variant")),
            Missing::Stride(axis) => {
                let multiple = narrowing.possible;
                remark
                    .note(format!("the stride of axis {axis} is not known to be a multiple of {multiple}"))
                    .help(format!("state it, such as `assume(a.stride({axis}) % {multiple} == 0)`, or pad the rows of the tensor"))
            }
            Missing::Start => remark
                .note(format!("tiles do not start at multiples of {} elements", narrowing.possible))
                .help("let tiles start at multiples of their size"),
            Missing::Mask => remark
                .note(format!("the mask may differ within {} neighbours", narrowing.possible))
                .help("compare with a bound that is known to be a multiple, or take whole tiles"),
        }
    });
}

/// Returns `true` if all elements of a tile of pointers are the same.
fn is_single_address(module: &Module, divisibility: &Divisibility, pointers: ValueId) -> bool {
    let Some(shape) = tile_shape(module, pointers) else {
        return false;
    };
    let elements: i64 = shape.iter().product();
    let same = |(axis, &size): (usize, &i64)| {
        let constancy = divisibility.along(pointers, axis).constancy;
        1_u64.checked_shl(constancy).unwrap_or(u64::MAX) >= size.unsigned_abs()
    };
    elements > 1 && shape.iter().enumerate().all(same)
}

/// Adds a remark if all elements of an atomic update have the same address.
fn one_place(module: &Module, divisibility: &Divisibility, op: &Op, remarks: &mut Remarks) {
    let pointers = op.operand("pointers");
    if !is_single_address(module, divisibility, pointers) {
        return;
    }
    let shape = tile_shape(module, pointers).unwrap_or_default();
    let elements: i64 = shape.iter().product();
    remarks.add(|| {
        let message = format!("{elements} updates of one place happen one after the other");
        Remark::new(Kind::Serialized, op.loc, message)
            .note("all pointers of the tile are the same")
            .help("reduce the tile first, and update once")
    });
}
