//! Facts about the memory that an access reaches.
//!
//! Input: a view or pointers of verified IR. Output: the objects that they may point to, the extent and
//! stride of each tile axis, the contiguous axis, and the maximum width of an access.

use super::assign::tile_shape;
use super::width::{Access, elements_per_thread};
use crate::analysis::divisibility::Divisibility;
use crate::analysis::provenance::Provenance;
use crate::gpu::Roots;
use crate::layout::{Axis, LinearLayout, OutShape, coalesced, scan_layout};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use tile_core::Module;
use tile_core::interp::encode_float;
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::{AtomicOp, ControlFlowOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::types::{Element, PaddingValue, Scalar, TensorViewType, TileView};

/// Maximum number of bytes of one access of a thread.
pub(super) const MAX_ACCESS_BYTES: u64 = 16;

/// An extent or stride of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A constant, which is part of the type.
    Static(i64),
    /// An operand of `make_tensor_view`.
    Dynamic(ValueId),
}

impl Extent {
    /// Returns a power of two that divides the extent or stride.
    pub(crate) fn divisor(self, divisibility: &Divisibility) -> u64 {
        match self {
            Extent::Static(0) => 1 << 62,
            Extent::Static(value) => 1 << value.trailing_zeros(),
            Extent::Dynamic(value) => divisibility.divisor(value),
        }
    }
}

/// The facts of one view.
#[derive(Clone, Debug)]
pub(crate) struct ViewFacts {
    /// The view's type.
    pub ty: TileView<'static>,
    /// The base pointer.
    pub base: ValueId,
    /// A power of two that divides the address of the base.
    pub base_divisor: u64,
    /// The extent and the stride of the tensor axis that each tile axis runs along.
    pub axes: Vec<(Extent, Extent)>,
    /// The tile axis with stride 1, if known.
    pub contiguous: Option<Axis>,
    /// Maximum number of elements of one access along the contiguous axis, at multiples of that number from
    /// the start of a tile.
    pub vector_elements: u64,
    /// `true` if offsets within the tensor fit 32 bits.
    pub fits_32_bits: bool,
}

impl ViewFacts {
    /// Reads the facts of `view`, through which a tensor is accessed.
    pub(crate) fn from_view(module: &Module, divisibility: &Divisibility, view: ValueId) -> Self {
        let ty = module
            .ty(view)
            .as_tile_view()
            .expect("verified loads and stores go through views of tiles");
        let mut tensor = module.op(defining(module, view)).operand("tensor_view");
        let mut assumed = 1;
        let tensor_op = loop {
            let op = module.op(defining(module, tensor));
            if op.opcode != Opcode::Misc(MiscOp::Assume) {
                break op;
            }
            // An assumption about a tensor view concerns its base address.
            if let tile_core::ir::AssumePredicate::DivBy { divisor, .. } = *op.assume_predicate() {
                assumed = divisor.max(assumed);
            }
            tensor = op.operands[0];
        };
        debug_assert_eq!(tensor_op.opcode, Opcode::View(ViewOp::MakeTensorView));
        let TensorViewType {
            element,
            shape,
            strides,
        } = ty.tensor_view;
        let extents = entries(shape, tensor_op.operands_of("dynamicShape"));
        let strides = entries(strides, tensor_op.operands_of("dynamicStrides"));
        let axes: Vec<(Extent, Extent)> = (0..ty.tile.len())
            .map(|axis| ty.tensor_axis(axis))
            .map(|dim| (extents[dim], strides[dim]))
            .collect();
        let base = tensor_op.operand("base");
        let contiguous = Self::contiguous_axis(module, view);
        let mut facts = Self {
            ty,
            base,
            base_divisor: divisibility.divisor(base).max(assumed),
            fits_32_bits: fits_32_bits(module, ty.tensor_view, tensor_op),
            axes,
            contiguous,
            vector_elements: 1,
        };
        facts.vector_elements = facts.vector(divisibility, *element);
        facts
    }

    /// Returns the axis of the tiles of `view` along which elements are adjacent in memory.
    pub(crate) fn contiguous_axis(module: &Module, view: ValueId) -> Option<Axis> {
        let ty = module
            .ty(view)
            .as_tile_view()
            .expect("verified loads and stores go through views of tiles");
        let sparse = ty.sparse_dim.map(|axis| axis as usize);
        let is_contiguous = |axis: &usize| {
            sparse != Some(*axis) && ty.tensor_view.strides[ty.tensor_axis(*axis)] == Some(1)
        };
        (0..ty.tile.len()).rev().find(is_contiguous).map(Axis)
    }

    /// Returns the facts of the access `op`: those of its view, restricted by its index.
    pub(crate) fn from_access(module: &Module, divisibility: &Divisibility, op: &Op) -> Self {
        let mut facts = Self::from_view(module, divisibility, op.operand("view"));
        // Along the contiguous axis, tiles of sparse views start at any element.
        if let (Some(_), Some(axis)) = (facts.ty.sparse_dim, facts.contiguous) {
            let first = divisibility.divisor(op.operands_of("index")[axis.0]);
            facts.vector_elements = facts.vector_elements.min(first);
        }
        facts
    }

    /// Returns the shape of the tile.
    pub(crate) fn shape(&self) -> OutShape {
        let sizes: Vec<u64> = self
            .ty
            .tile
            .iter()
            .map(|dim| u64::from(dim.unsigned_abs()))
            .collect();
        OutShape::new(&sizes).expect("verified tiles have power-of-two axes")
    }

    /// Returns the size of an element and the size of the widest access: in half bytes if elements share
    /// bytes, otherwise in bytes.
    fn units(&self, element: Scalar) -> (u64, u64) {
        if self.is_packed() {
            (1, 2 * MAX_ACCESS_BYTES)
        } else {
            (element.bytes() as u64, MAX_ACCESS_BYTES)
        }
    }

    fn vector(&self, divisibility: &Divisibility, element: Scalar) -> u64 {
        let Some(contiguous) = self.contiguous else {
            return 1;
        };
        let (unit_bytes, widest) = self.units(element);
        let base = self
            .base_divisor
            .saturating_mul(if self.is_packed() { 2 } else { 1 });
        let others = self
            .axes
            .iter()
            .enumerate()
            .filter(|(axis, _)| Axis(*axis) != contiguous);
        let strides =
            others.map(|(_, (_, stride))| stride.divisor(divisibility).saturating_mul(unit_bytes));
        let aligned = strides
            .chain([base, widest])
            .min()
            .expect("the list is not empty");
        (aligned / unit_bytes).clamp(1, self.length(contiguous))
    }

    /// Returns the number of contiguous elements of a tile, limited to a power of two that divides the starts
    /// of all tiles.
    fn length(&self, contiguous: Axis) -> u64 {
        let step = match self.ty.sparse_dim {
            None => 1 << self.ty.step(contiguous.0).trailing_zeros(),
            Some(_) => u64::MAX,
        };
        self.shape().size(contiguous).min(step)
    }

    /// Returns the missing fact that would allow wider accesses along the contiguous axis. `None` if accesses
    /// are as wide as the tile allows.
    pub(crate) fn narrowing(&self, divisibility: &Divisibility) -> Option<Narrowing> {
        let contiguous = self.contiguous?;
        let (unit_bytes, widest) = self.units(self.ty.tensor_view.element);
        let possible = self.length(contiguous).min(widest / unit_bytes);
        if self.vector_elements >= possible {
            return None;
        }
        let bytes = possible * unit_bytes;
        let halves = if self.is_packed() { 2 } else { 1 };
        let others = (0..self.axes.len()).filter(|axis| Axis(*axis) != contiguous);
        let short = |(_, stride): (Extent, Extent)| {
            stride.divisor(divisibility).saturating_mul(unit_bytes) < bytes
        };
        let missing = if self.base_divisor.saturating_mul(halves) < bytes {
            Missing::Base
        } else if let Some(axis) = others.into_iter().find(|&axis| short(self.axes[axis])) {
            Missing::Stride(self.ty.tensor_axis(axis))
        } else {
            Missing::Start
        };
        Some(Narrowing {
            elements: self.vector_elements,
            possible,
            missing,
        })
    }

    /// Returns `true` if two elements share a byte.
    pub(crate) fn is_packed(&self) -> bool {
        self.ty.tensor_view.element.bits() == 4
    }
}

/// The reason why an access is narrower than it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Narrowing {
    /// The number of elements of one access.
    pub(crate) elements: u64,
    /// The number of elements that one access could have.
    pub(crate) possible: u64,
    /// The missing fact.
    pub(crate) missing: Missing,
}

/// A fact about memory that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The first element of the tensor is aligned.
    Base,
    /// The stride of this axis of the tensor is a multiple of the access width.
    Stride(usize),
    /// Tiles start at multiples of the access width.
    Start,
    /// The mask is the same for all elements of an access.
    Mask,
}

/// Returns the axes of a tile, fastest first: the contiguous axis, then the others from the last to the
/// first.
pub(crate) fn access_order(rank: usize, contiguous: Option<Axis>) -> SmallVec<[Axis; 4]> {
    let mut order: SmallVec<[Axis; 4]> = (0..rank).rev().map(Axis).collect();
    if let Some(axis) = contiguous {
        order.retain(|other| *other != axis);
        order.insert(0, axis);
    }
    order
}

/// The shape of an access to a tile in memory.
#[derive(Clone, Debug)]
pub(crate) struct AccessShape {
    /// The shape of the tile.
    pub shape: OutShape,
    /// The axis along which elements are adjacent in memory, if any.
    pub contiguous: Option<Axis>,
    /// Maximum number of elements of one access along the contiguous axis.
    pub vector_elements: u64,
    /// The number of bits of an element.
    pub element_bits: u64,
}

impl AccessShape {
    /// Returns the shape of the access `op` to a tile of rank 1 or more; `None` for any other operation.
    pub(crate) fn from_op(module: &Module, divisibility: &Divisibility, op: &Op) -> Option<Self> {
        let pointers = match op.opcode {
            Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
            | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => {
                return Some(Self::from_view(&ViewFacts::from_access(
                    module,
                    divisibility,
                    op,
                )));
            }
            Opcode::Memory(MemoryOp::LoadPtrTko) => op.operand("source"),
            Opcode::Memory(MemoryOp::StorePtrTko) => op.operand("destination"),
            Opcode::Atomic(AtomicOp::AtomicRmwTko | AtomicOp::AtomicCasTko) => {
                op.operand("pointers")
            }
            _ => return None,
        };
        Self::from_pointers(module, divisibility, pointers, op.optional_operand("mask"))
    }

    /// Returns the shape of an access through a view.
    pub(crate) fn from_view(facts: &ViewFacts) -> Self {
        Self {
            shape: facts.shape(),
            contiguous: facts.contiguous,
            vector_elements: facts.vector_elements,
            element_bits: memory_bits(facts.ty.tensor_view.element),
        }
    }

    /// Returns the shape of an access through pointers; `None` for a single pointer.
    pub(crate) fn from_pointers(
        module: &Module,
        divisibility: &Divisibility,
        pointers: ValueId,
        mask: Option<ValueId>,
    ) -> Option<Self> {
        let tile = module.ty(pointers).as_tile()?;
        let Element::Ptr(pointee) = tile.element else {
            return None;
        };
        if tile.shape.is_empty() {
            return None;
        }
        let axes = (0..tile.shape.len()).map(|axis| (axis, divisibility.along(pointers, axis)));
        let (axis, along) = axes
            .max_by_key(|(_, along)| along.contiguity)
            .expect("a tile has an axis");
        let bytes = pointee.bytes().next_power_of_two().trailing_zeros();
        let alike = mask.map_or(u32::MAX, |mask| divisibility.along(mask, axis).constancy);
        let widest = MAX_ACCESS_BYTES.trailing_zeros();
        let log2 = along
            .contiguity
            .min(along.divisor.saturating_sub(bytes))
            .min(widest - bytes)
            .min(alike);
        let sizes: Vec<u64> = tile.shape.iter().map(|dim| dim.unsigned_abs()).collect();
        Some(Self {
            shape: OutShape::new(&sizes).expect("verified tiles have power-of-two axes"),
            contiguous: (along.contiguity > 0).then_some(Axis(axis)),
            vector_elements: 1 << log2,
            element_bits: memory_bits(pointee),
        })
    }

    /// Returns the reason why an access through pointers is not wider; `None` if it is as wide as possible.
    pub(crate) fn narrowing_of_pointers(
        module: &Module,
        divisibility: &Divisibility,
        pointers: ValueId,
        mask: Option<ValueId>,
    ) -> Option<Narrowing> {
        let shape = Self::from_pointers(module, divisibility, pointers, mask)?;
        let axis = shape.contiguous?;
        let Element::Ptr(pointee) = module.ty(pointers).as_tile()?.element else {
            return None;
        };
        let widest = MAX_ACCESS_BYTES / (pointee.bytes() as u64).next_power_of_two();
        let possible = shape.shape.size(axis).min(widest);
        if shape.vector_elements >= possible {
            return None;
        }
        let unmasked = Self::from_pointers(module, divisibility, pointers, None)?;
        let missing = if unmasked.vector_elements > shape.vector_elements {
            Missing::Mask
        } else {
            Missing::Base
        };
        Some(Narrowing {
            elements: shape.vector_elements,
            possible,
            missing,
        })
    }

    fn key(&self) -> (Vec<u64>, Option<usize>) {
        let axis = self.contiguous.map(|axis| axis.0);
        (self.shape.sizes().to_vec(), axis)
    }
}

/// The layouts of loads and stores. Tiles with the same shape and contiguous axis get the same layout, so
/// that values of different element types can be combined without a conversion.
#[derive(Clone, Debug)]
pub(crate) struct AccessLayouts {
    num_warps: u32,
    /// The number of neighbours that a thread holds along the contiguous axis, by the shape and that axis.
    widths: BTreeMap<(Vec<u64>, Option<usize>), u64>,
    /// The shapes whose tiles are laid out in the order of a reduction's axis, with that axis.
    reduced: BTreeMap<Vec<u64>, Axis>,
}

impl AccessLayouts {
    /// Chooses layouts for all loads and stores among `ops`.
    pub(crate) fn choose(
        module: &Module,
        divisibility: &Divisibility,
        ops: &[OpId],
        num_warps: u32,
    ) -> Self {
        let mut accesses: BTreeMap<_, Vec<Access>> = BTreeMap::new();
        for &op in ops {
            if let Some(access) = AccessShape::from_op(module, divisibility, module.op(op)) {
                accesses.entry(access.key()).or_default().push(Access {
                    element_bits: access.element_bits,
                    max_elements: access.vector_elements,
                    depth: loops_around(module, op),
                });
            }
        }
        let widths = accesses.into_iter();
        let widths = widths.map(|(key, accesses)| (key, elements_per_thread(&accesses)));
        Self {
            num_warps,
            widths: widths.collect(),
            reduced: BTreeMap::new(),
        }
    }

    /// Lays out tiles that have the shape of a reduction's operand in the order of its axis. Reductions that
    /// must combine their elements in order then need no other layout.
    pub(crate) fn order_for_reductions(&mut self, module: &Module, ops: &[OpId]) {
        for &id in ops {
            let op = module.op(id);
            if op.opcode == CoreOp::Reduce.into()
                && let Some(shape) = tile_shape(module, op.operands[0])
            {
                let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
                let sizes = shape.iter().map(|dim| dim.unsigned_abs()).collect();
                self.reduced.entry(sizes).or_insert(axis);
            }
        }
    }

    /// Returns the layout for an access of this shape.
    pub(crate) fn layout(&self, access: &AccessShape) -> LinearLayout {
        if let Some(&axis) = self.reduced.get(access.shape.sizes().as_slice()) {
            return scan_layout(&access.shape, axis, self.num_warps);
        }
        let width = self.widths.get(&access.key()).copied().unwrap_or(1);
        let order = access_order(access.shape.rank(), access.contiguous);
        // `width` already respects the maximum number of bytes of an access. Elements are passed as 4 bits
        // each, so that `coalesced` does not limit the width again.
        coalesced(&access.shape, 4, width, self.num_warps, &order)
    }

    /// Returns the layout of a tile about which nothing else is known.
    pub(crate) fn default(&self, shape: &[i64], element_bytes: usize) -> LinearLayout {
        let sizes: Vec<u64> = shape.iter().map(|dim| dim.unsigned_abs()).collect();
        let shape = OutShape::new(&sizes).expect("verified tiles have power-of-two axes");
        let order = access_order(sizes.len(), None);
        let bits = u32::try_from(element_bytes * 8).expect("an element has few bits");
        let widest = MAX_ACCESS_BYTES / element_bytes as u64;
        coalesced(&shape, bits, widest, self.num_warps, &order)
    }
}

/// Returns the number of bits of an element in memory.
fn memory_bits(scalar: Scalar) -> u64 {
    match scalar.bits() {
        4 => 4,
        _ => 8 * scalar.bytes() as u64,
    }
}

/// Returns the number of loops that enclose an operation.
fn loops_around(module: &Module, op: OpId) -> u32 {
    let outer = std::iter::successors(module.parent_op(op), |&op| module.parent_op(op));
    let is_loop = |op: &OpId| {
        matches!(
            module.op(*op).opcode,
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
        )
    };
    u32::try_from(outer.filter(is_loop).count()).unwrap_or(u32::MAX)
}

/// Returns the bit pattern that a load yields for an element outside of the tensor, the same as in the
/// interpreter. If the type lacks the number, it is converted to the type.
pub(crate) fn padding_bits(padding: PaddingValue, scalar: Scalar) -> u64 {
    let value = match padding {
        PaddingValue::Zero => return 0,
        PaddingValue::NegZero => -0.0,
        PaddingValue::Nan => f64::NAN,
        PaddingValue::PosInf => f64::INFINITY,
        PaddingValue::NegInf => f64::NEG_INFINITY,
    };
    encode_float(scalar, value)
}

fn defining(module: &Module, value: ValueId) -> OpId {
    module
        .defining_op(value)
        .expect("verified views are made by operations, never passed as arguments")
}

/// Returns the extents of the tensor along the axes of the tiles of `view`.
pub(super) fn extents_of_view(module: &Module, view: ValueId) -> Vec<Extent> {
    let ty = module
        .ty(view)
        .as_tile_view()
        .expect("verified: tiles are counted of views of tiles");
    let mut tensor = module.op(defining(module, view)).operand("tensor_view");
    while let op = module.op(defining(module, tensor))
        && op.opcode == Opcode::Misc(MiscOp::Assume)
    {
        tensor = op.operands[0];
    }
    let tensor_op = module.op(defining(module, tensor));
    let extents = entries(&ty.tensor_view.shape, tensor_op.operands_of("dynamicShape"));
    (0..ty.tile.len())
        .map(|axis| extents[ty.tensor_axis(axis)])
        .collect()
}

fn entries(types: &[Option<i64>], dynamic: &[ValueId]) -> Vec<Extent> {
    let mut dynamic = dynamic.iter();
    types
        .iter()
        .map(|entry| match entry {
            Some(value) => Extent::Static(*value),
            None => Extent::Dynamic(*dynamic.next().expect("verified: one operand per `?`")),
        })
        .collect()
}

/// Returns the objects that the base of a view, or pointers, may point to.
pub(crate) fn roots_of(module: &Module, provenance: &Provenance, op: &Op) -> Option<Roots> {
    let pointers = match op.opcode {
        Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
        | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => {
            let mut tensor = module.op(defining(module, op.operand("view"))).operands[0];
            loop {
                let tensor_op = module.op(defining(module, tensor));
                if tensor_op.opcode != Opcode::Misc(MiscOp::Assume) {
                    break tensor_op.operand("base");
                }
                tensor = tensor_op.operands[0];
            }
        }
        Opcode::Memory(MemoryOp::LoadPtrTko) => op.operand("source"),
        Opcode::Memory(MemoryOp::StorePtrTko) => op.operand("destination"),
        Opcode::Atomic(AtomicOp::AtomicRmwTko | AtomicOp::AtomicCasTko) => op.operand("pointers"),
        _ => return None,
    };
    Some(provenance.roots(pointers).clone())
}

/// Returns `true` if dynamic extents and strides have at most 32 bits, and by the constant ones every element
/// is less than 2^31 elements from the first.
fn fits_32_bits(module: &Module, ty: &TensorViewType, tensor: &Op) -> bool {
    let dynamic = tensor
        .operands_of("dynamicShape")
        .iter()
        .chain(tensor.operands_of("dynamicStrides"));
    let mut widths = dynamic.map(|&value| module.ty(value).as_number_tile().map(|(s, _)| s.bits()));
    let axes = ty.shape.iter().zip(&ty.strides);
    let furthest = axes.filter_map(|(&extent, &stride)| {
        Some(i128::from(extent?.max(1)) * i128::from(stride?.max(1)))
    });
    widths.all(|bits| bits.is_some_and(|bits| bits <= 32)) && furthest.sum::<i128>() < 1 << 31
}
