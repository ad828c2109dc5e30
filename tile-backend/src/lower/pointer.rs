//! Lowers pointers, and accesses through them.
//!
//! A pointer becomes its address, an `i64`; a parameter that is only the base of views stays a pointer. If
//! other blocks may change an element meanwhile, only one of the threads that hold it loads it, and passes it
//! to the others, so that all have the same value.

use super::access::{AccessShape, roots_of};
use super::rematerialize::Leaves;
use super::{Lowered, Lowering};
use crate::gpu::{
    AddressedTile, Buffer, Dependents, MemoryKind, OpKind, Root, Roots, Space, Ty,
    ValueId as GpuValue, Vector,
};
use crate::layout::{InDim, LinearLayout, OutShape, row_major};
use smallvec::SmallVec;
use tile_core::ir::{Attr, MemoryOrdering, MemoryScope, Op, OpId, ValueId};
use tile_core::ops::{AtomicOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::types::Element;
use tile_core::{Loc, Module, Scalar};

/// Maximum number of bytes of shared memory for converting the tile of an access, which leaves memory for
/// other buffers and blocks.
const MAX_EXCHANGE_BYTES: u64 = 48 << 10;

/// Returns the tiles whose layout determines which thread accesses which element.
pub(super) fn accessed(op: &Op) -> SmallVec<[ValueId; 2]> {
    match op.opcode {
        Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko) => {
            SmallVec::from_slice(&op.results[..1])
        }
        Opcode::View(ViewOp::StoreViewTko) => SmallVec::from_slice(op.operands_of("tile")),
        Opcode::Memory(MemoryOp::StorePtrTko) | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => {
            SmallVec::from_slice(op.operands_of("value"))
        }
        Opcode::Atomic(AtomicOp::AtomicRmwTko) => {
            SmallVec::from_slice(&[op.result(), op.operand("arg")])
        }
        Opcode::Atomic(AtomicOp::AtomicCasTko) => {
            SmallVec::from_slice(&[op.result(), op.operand("val")])
        }
        _ => SmallVec::new(),
    }
}

/// Returns the tiles of an access through pointers, which should have one layout.
pub(super) fn of_one_layout(module: &Module, op: &Op) -> Vec<ValueId> {
    let is_access = matches!(
        op.opcode,
        Opcode::Memory(MemoryOp::LoadPtrTko | MemoryOp::StorePtrTko)
            | Opcode::Atomic(AtomicOp::AtomicRmwTko | AtomicOp::AtomicCasTko)
    );
    if !is_access {
        return Vec::new();
    }
    let values = op.results.iter().chain(&op.operands).copied();
    values
        .filter(|&value| module.ty(value).as_tile().is_some())
        .collect()
}

/// Returns the memory scope of an operation. A weak operation has none, and its result does not matter.
pub(super) fn scope_of(op: &Op) -> MemoryScope {
    match op.attr("memory_scope") {
        Some(&Attr::MemoryScope(scope)) => scope,
        _ => MemoryScope::TileBlock,
    }
}

impl Lowering<'_> {
    pub(super) fn memory(&mut self, id: OpId, kind: MemoryOp) -> Lowered {
        let op = self.module.op(id);
        match kind {
            // Barriers follow from the order of tokens, so the tokens themselves need no operations.
            MemoryOp::JoinTokens | MemoryOp::MakeToken => {}
            MemoryOp::Alloca => self.alloca(id)?,
            MemoryOp::GdcLaunchDependentsTko => self.dependents(Dependents::Launch, op),
            MemoryOp::GdcWaitTko => self.dependents(Dependents::Wait, op),
            MemoryOp::MemoryFenceAliasTko => self.alias_fence(op),
            MemoryOp::LoadPtrTko => self.load_ptr(id, op),
            MemoryOp::StorePtrTko => self.store_ptr(id, op),
        }
        Ok(())
    }

    /// Appends an access that takes the place of the operation `id` in the order of tokens.
    pub(super) fn emit_access(
        &mut self,
        id: OpId,
        kind: MemoryKind,
        args: &[GpuValue],
        results: &[Ty],
        loc: Loc,
    ) -> Option<GpuValue> {
        let op_id = self.emit_op(OpKind::Memory(kind), args, results, &[], loc);
        self.number(id, op_id);
        self.kernel.op(op_id).results.first().copied()
    }

    /// Gives `op_id` the place of the operation `id` in the order of tokens.
    pub(super) fn number(&mut self, id: OpId, op_id: crate::gpu::OpId) {
        if let Some(number) = self.tokens.number(id) {
            self.kernel.order.numbers.insert(op_id, number);
        }
    }

    /// Emits the conversion of a pointer parameter to its address.
    pub(super) fn param_address(&mut self, param: GpuValue, loc: Loc) -> GpuValue {
        let kind = OpKind::Memory(MemoryKind::AddressOf);
        self.emit(kind, &[param], Ty::Uniform(Scalar::I64), loc)
    }

    /// Returns a pointer to the first element of a view's tensor.
    pub(super) fn view_base(&mut self, base: ValueId, element: Scalar, loc: Loc) -> GpuValue {
        let value = self.value(base);
        if matches!(self.kernel.ty(value), Ty::Pointer(_)) {
            return value;
        }
        if let Some(param) = self.direct_param(base) {
            return self.kernel.params[param].value;
        }
        let kind = OpKind::Memory(MemoryKind::PointerAt);
        self.emit(kind, &[value], Ty::Pointer(element), loc)
    }

    /// Returns the index of the parameter that `value` is, looking through assumptions; `None` if it is not a
    /// parameter.
    fn direct_param(&self, mut value: ValueId) -> Option<usize> {
        while let Some(op) = self.module.defining_op(value) {
            let op = self.module.op(op);
            if op.opcode != Opcode::Misc(MiscOp::Assume) {
                return None;
            }
            value = op.operands[0];
        }
        let roots = self.provenance.roots(value);
        let is_body = matches!(self.module.value(value).def,
            tile_core::ir::ValueDef::Argument(block, _) if block == self.body);
        match roots.first() {
            Some(&Root::Param(param)) if is_body => Some(param),
            _ => None,
        }
    }

    pub(super) fn offset(&mut self, op: &Op) {
        let ty = self.preferred_ty(op.result());
        let kind = OpKind::Memory(MemoryKind::Offset {
            bytes: self.pointee_bytes(op.result()),
        });
        let args = [op.operand("ptr"), op.operand("offset")].map(|operand| match ty.layout() {
            Some(layout) => self.in_layout(operand, layout),
            None => self.value(operand),
        });
        let value = self.emit(kind, &args, ty, op.loc);
        self.define(op.result(), value);
    }

    /// Lowers a conversion between pointers and integers, which changes nothing, since a pointer is held as
    /// its address.
    pub(super) fn pointer_conversion(&mut self, op: &Op) {
        let value = self.value(op.operands[0]);
        self.define(op.result(), value);
    }

    /// Returns the properties that all accesses of `op` share.
    pub(super) fn addressed(&self, op: &Op, element: Scalar) -> AddressedTile {
        let provenance = self.provenance;
        let roots = roots_of(self.module, provenance, op).expect("an access");
        let is_weak = op.memory_ordering() == MemoryOrdering::Weak;
        AddressedTile {
            element,
            ordering: op.memory_ordering(),
            scope: scope_of(op),
            space: self.space(&roots),
            vector: None,
            is_masked: false,
            is_padded: false,
            is_constant: is_weak && self.is_constant(&roots),
            is_packed: false,
            by_owners: false,
            roots,
        }
    }

    /// Returns the address space of pointers to these objects.
    pub(super) fn space(&self, roots: &Roots) -> Space {
        let provenance = self.provenance;
        let has_local = !provenance.locals().is_empty();
        let is_local = |root: &Root| match root {
            Root::Local(_) => true,
            Root::Anywhere => has_local,
            Root::Param(_) | Root::Variable(_) => false,
        };
        if roots.iter().any(is_local) {
            Space::Generic
        } else {
            Space::Global
        }
    }

    /// Returns `true` if nothing in the kernel stores to these objects.
    pub(super) fn is_constant(&self, roots: &Roots) -> bool {
        let in_global = self.space(roots) == Space::Global;
        in_global && !self.waits && !self.provenance.aliasing().may_alias(&self.written, roots)
    }

    fn load_ptr(&mut self, id: OpId, op: &Op) {
        let source = op.operand("source");
        let result = self.preferred_ty(op.result());
        let element = result.scalar().expect("a load gives numbers");
        let mut tile = self.addressed(op, element);
        let layout = self.access_layout(op);
        if let Some((layout, vector)) = &layout {
            tile.vector = vector.filter(|_| self.kernel.layout(*layout).shape().rank() > 0);
        }
        let layout = layout.map(|(layout, _)| layout);
        let mut args = vec![self.operand_in(source, layout)];
        let slots = ["mask", "paddingValue"].map(|slot| op.optional_operand(slot));
        (tile.is_masked, tile.is_padded) = (slots[0].is_some(), slots[1].is_some());
        for operand in slots.into_iter().flatten() {
            args.push(self.operand_in(operand, layout));
        }
        if tile.is_padded && !tile.is_masked {
            // Without a mask, every element is loaded, so the padding is not used.
            args.pop();
            tile.is_padded = false;
        }
        let ty = match layout {
            Some(layout) => Ty::Distributed { element, layout },
            None => Ty::Uniform(element),
        };
        let value = self.load(id, tile, &args, ty, op.loc);
        self.define(op.result(), value);
    }

    /// Loads elements. Threads that hold copies of the same element get the same value.
    pub(super) fn load(
        &mut self,
        id: OpId,
        mut tile: AddressedTile,
        args: &[GpuValue],
        ty: Ty,
        loc: Loc,
    ) -> GpuValue {
        if !tile.is_strong() || !self.has_copies(ty) {
            let kind = MemoryKind::Load(Box::new(tile));
            return self
                .emit_access(id, kind, args, &[ty], loc)
                .expect("a load has a result");
        }
        tile.by_owners = true;
        let element = tile.element;
        let known_by_owner = self.known_by_owners(element, ty);
        let kind = MemoryKind::Load(Box::new(tile));
        let value = self.emit_access(id, kind, args, &[known_by_owner], loc);
        self.known_to_all(value.expect("a load has a result"), ty, loc)
    }

    fn store_ptr(&mut self, id: OpId, op: &Op) {
        let value = op.operand("value");
        let element = self
            .module
            .ty(value)
            .as_number_tile()
            .map(|(scalar, _)| scalar);
        let mut tile = self.addressed(op, element.expect("a store of numbers"));
        let layout = self.access_layout(op);
        tile.vector = layout.and_then(|(_, vector)| vector);
        let layout = layout.map(|(layout, _)| layout);
        let mut args = vec![
            self.operand_in(op.operand("destination"), layout),
            self.operand_in(value, layout),
        ];
        if let Some(mask) = op.optional_operand("mask") {
            tile.is_masked = true;
            args.push(self.operand_in(mask, layout));
        }
        self.emit_access(id, MemoryKind::Store(Box::new(tile)), &args, &[], op.loc);
    }

    /// Returns the layout of an access through pointers, and the vector that one instruction may access;
    /// `None` for an access to a single element.
    pub(super) fn access_layout(
        &mut self,
        op: &Op,
    ) -> Option<(crate::gpu::LayoutId, Option<Vector>)> {
        let shape = AccessShape::from_op(self.module, self.divisibility, op)?;
        let vector = shape
            .contiguous
            .filter(|_| shape.vector_elements > 1)
            .map(|axis| Vector {
                axis,
                elements: shape.vector_elements,
            });
        let mut layout = self.access.layout(&shape);
        // A value that is stored or combined is converted to this layout, unless it is too large for a
        // conversion.
        let is_load = op.opcode == MemoryOp::LoadPtrTko.into();
        if let Some(&value) = accessed(op).last().filter(|_| !is_load) {
            let gpu_value = self.value(value);
            let bytes = shape.shape.num_elements()
                * self
                    .kernel
                    .ty(gpu_value)
                    .scalar()
                    .map_or(8, |s| s.bytes() as u64);
            if bytes > MAX_EXCHANGE_BYTES {
                layout = self.kernel.layout_of(gpu_value).clone();
            }
        }
        Some((self.kernel.add_layout(layout), vector))
    }

    /// Returns an operand of an access in the layout of the access; unchanged if the access has no layout.
    pub(super) fn operand_in(
        &mut self,
        operand: ValueId,
        layout: Option<crate::gpu::LayoutId>,
    ) -> GpuValue {
        let Some(layout) = layout else {
            return self.value(operand);
        };
        if self.kernel.ty(self.value(operand)).layout() == Some(layout) {
            return self.value(operand);
        }
        self.rematerialized(operand, layout, Leaves::Made)
            .unwrap_or_else(|| self.in_layout(operand, layout))
    }

    /// Returns the size in bytes of the elements to which a tile of pointers points.
    pub(super) fn pointee_bytes(&self, pointers: ValueId) -> u64 {
        match self.module.ty(pointers).as_tile().map(|tile| tile.element) {
            Some(Element::Ptr(pointee)) => pointee.bytes() as u64,
            _ => unreachable!("verified: pointers"),
        }
    }

    /// Returns `true` if several threads hold the same element of a value of this type.
    pub(super) fn has_copies(&self, ty: Ty) -> bool {
        ty.layout().is_none_or(|layout| {
            let layout = self.kernel.layout(layout);
            layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0
        })
    }

    /// Returns the type of a value while only one thread per element has it, before all threads have it as
    /// `ty`.
    pub(super) fn known_by_owners(&mut self, element: Scalar, ty: Ty) -> Ty {
        match ty {
            Ty::Distributed { layout, .. } => Ty::Distributed { element, layout },
            Ty::Uniform(_) | Ty::Pointer(_) => {
                let warp_bits = self.kernel.launch.num_warps.ilog2();
                let lanes = LinearLayout::replicated(InDim::Lane, 5, 0);
                let warps = LinearLayout::replicated(InDim::Warp, warp_bits, 0);
                self.distributed(element, lanes.product(&warps))
            }
        }
    }

    /// Passes a value that only one thread per element has to all threads that hold copies, through shared
    /// memory.
    pub(super) fn known_to_all(&mut self, value: GpuValue, ty: Ty, loc: Loc) -> GpuValue {
        let value_ty = self.kernel.ty(value);
        let Ty::Distributed { element, layout } = value_ty else {
            unreachable!("what owners know is a tile");
        };
        if !self.has_copies(value_ty) {
            return value;
        }
        let shape: OutShape = self.kernel.layout(layout).shape().clone();
        let memory = row_major(&shape, &shape.row_major_order());
        let memory = Some(self.kernel.add_layout(memory));
        let bytes = shape.num_elements() * element.bytes() as u64;
        let buffer = self
            .kernel
            .add_buffer(Buffer::new(element, bytes, 16, memory));
        self.emit_op(OpKind::StoreShared(buffer), &[value], &[], &[], loc);
        let value = self.emit(OpKind::LoadShared(buffer), &[], value_ty, loc);
        match ty {
            Ty::Uniform(_) => self.emit(OpKind::ToUniform, &[value], ty, loc),
            Ty::Pointer(_) | Ty::Distributed { .. } => value,
        }
    }
}
