//! What is known of the memory behind a view.
//!
//! In: a partition view of verified IR. Out: which parameter it comes from, extents
//! and strides per tile axis, which axis is contiguous, how wide an access may be.

use crate::analysis::divisibility::Divisibility;
use crate::layout::{Axis, LinearLayout, OutShape, coalesced};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use tile_core::Module;
use tile_core::ir::{OpId, ValueDef, ValueId};
use tile_core::ops::{MiscOp, Opcode, ViewOp};
use tile_core::types::{PaddingValue, PartitionViewType, Scalar, TensorViewType};

/// Bytes of the widest access of a thread.
const MAX_ACCESS_BYTES: u64 = 16;

/// An extent or stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Part of the type.
    Static(i64),
    /// An operand of `make_tensor_view`.
    Dynamic(ValueId),
}

/// The facts of one view.
#[derive(Clone, Debug)]
pub(crate) struct ViewFacts {
    /// The view's type.
    pub ty: &'static PartitionViewType,
    /// The base pointer.
    pub base: ValueId,
    /// The position of the tensor's pointer among the entry's parameters.
    pub param: usize,
    /// Per tile axis: extent and stride of the tensor axis it runs along.
    pub axes: Vec<(Extent, Extent)>,
    /// The tile axis with stride 1, if one is known.
    pub contiguous: Option<Axis>,
    /// Elements one access may take along it.
    pub vector_elements: u64,
    /// Whether offsets within the tensor fit 32 bits.
    pub fits_32_bits: bool,
}

impl ViewFacts {
    /// Reads off the facts of `view`, the result of a `make_partition_view`.
    pub(crate) fn of(module: &Module, divisibility: &Divisibility, view: ValueId) -> Self {
        let ty = module
            .ty(view)
            .as_partition_view()
            .expect("verified loads and stores go through partition views");
        let partition = defining(module, view);
        let tensor = module.op(partition).operand("tensor_view");
        let tensor_op = module.op(defining(module, tensor));
        debug_assert_eq!(tensor_op.opcode, Opcode::View(ViewOp::MakeTensorView));
        let TensorViewType {
            element,
            shape,
            strides,
        } = &ty.tensor_view;
        let extents = entries(shape, tensor_op.operands_of("dynamicShape"));
        let strides = entries(strides, tensor_op.operands_of("dynamicStrides"));
        let axes: Vec<(Extent, Extent)> = ty
            .dim_map
            .iter()
            .map(|&dim| {
                let dim = usize::try_from(dim).expect("verified axes are not negative");
                (extents[dim], strides[dim])
            })
            .collect();
        let base = tensor_op.operand("base");
        let contiguous = axes
            .iter()
            .rposition(|(_, stride)| *stride == Extent::Static(1))
            .map(Axis);
        let mut facts = Self {
            ty,
            base,
            param: param_of(module, base),
            fits_32_bits: fits_32_bits(module, tensor_op),
            axes,
            contiguous,
            vector_elements: 1,
        };
        facts.vector_elements = facts.vector(divisibility, *element);
        facts
    }

    /// The shape of the tile.
    pub(crate) fn shape(&self) -> OutShape {
        let sizes: Vec<u64> = self
            .ty
            .tile
            .iter()
            .map(|dim| u64::from(dim.unsigned_abs()))
            .collect();
        OutShape::new(&sizes).expect("verified tiles have power-of-two axes")
    }

    /// The tile's axes, fastest in memory first.
    pub(crate) fn order(&self) -> SmallVec<[Axis; 4]> {
        access_order(self.ty.tile.len(), self.contiguous)
    }

    fn vector(&self, divisibility: &Divisibility, element: Scalar) -> u64 {
        let Some(contiguous) = self.contiguous else {
            return 1;
        };
        let element_bytes = element.bytes() as u64;
        let others = self
            .axes
            .iter()
            .enumerate()
            .filter(|(axis, _)| Axis(*axis) != contiguous);
        let strides = others.map(|(_, (_, stride))| {
            let divisor = match *stride {
                Extent::Static(stride) => 1 << stride.trailing_zeros(),
                Extent::Dynamic(value) => divisibility.divisor(value),
            };
            divisor.saturating_mul(element_bytes)
        });
        let aligned = strides
            .chain([divisibility.divisor(self.base), MAX_ACCESS_BYTES])
            .min()
            .expect("the list is not empty");
        (aligned / element_bytes).clamp(1, self.shape().size(contiguous))
    }
}

/// The axes of a tile, fastest first: the contiguous one, then the last to the first.
pub(crate) fn access_order(rank: usize, contiguous: Option<Axis>) -> SmallVec<[Axis; 4]> {
    let mut order: SmallVec<[Axis; 4]> = (0..rank).rev().map(Axis).collect();
    if let Some(axis) = contiguous {
        order.retain(|other| *other != axis);
        order.insert(0, axis);
    }
    order
}

/// The layouts of loads and stores: tiles of one shape and contiguous axis get one
/// layout, as wide as the widest access to such a tile, so that values of different
/// element types meet without a conversion.
#[derive(Clone, Debug)]
pub(crate) struct AccessLayouts {
    num_warps: u32,
    widest: BTreeMap<(Vec<u64>, Option<usize>), u64>,
}

impl AccessLayouts {
    /// Plans for all loads and stores among `ops`.
    pub(crate) fn of(
        module: &Module,
        divisibility: &Divisibility,
        ops: &[OpId],
        num_warps: u32,
    ) -> Self {
        let mut layouts = Self {
            num_warps,
            widest: BTreeMap::new(),
        };
        for &op in ops {
            let op = module.op(op);
            if let Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko) = op.opcode {
                let facts = ViewFacts::of(module, divisibility, op.operand("view"));
                let widest = layouts.widest.entry(Self::key(&facts)).or_insert(1);
                *widest = facts.vector_elements.max(*widest);
            }
        }
        layouts
    }

    /// The layout for an access through a view with these facts.
    pub(crate) fn layout(&self, facts: &ViewFacts) -> LinearLayout {
        let widest = self.widest.get(&Self::key(facts)).copied().unwrap_or(1);
        // The bound on bytes was applied per view: here elements count, so they are
        // passed as bytes of one.
        coalesced(&facts.shape(), 8, widest, self.num_warps, &facts.order())
    }

    /// The layout of a tile of which nothing else is known.
    pub(crate) fn default(&self, shape: &[i64], element_bytes: usize) -> LinearLayout {
        let sizes: Vec<u64> = shape.iter().map(|dim| dim.unsigned_abs()).collect();
        let shape = OutShape::new(&sizes).expect("verified tiles have power-of-two axes");
        let order = access_order(sizes.len(), None);
        let bits = u32::try_from(element_bytes * 8).expect("an element has few bits");
        let widest = MAX_ACCESS_BYTES / element_bytes as u64;
        coalesced(&shape, bits, widest, self.num_warps, &order)
    }

    fn key(facts: &ViewFacts) -> (Vec<u64>, Option<usize>) {
        (
            facts.shape().sizes().to_vec(),
            facts.contiguous.map(|axis| axis.0),
        )
    }
}

/// The bits of an element that a load finds outside the tensor.
pub(crate) fn padding_bits(padding: PaddingValue, scalar: Scalar) -> u64 {
    let bits = scalar.bits();
    let sign = 1u64 << (bits - 1);
    // Exponent bits all ones: below the sign, above the mantissa.
    let mantissa = match scalar {
        Scalar::F16 | Scalar::TF32 => 10,
        Scalar::BF16 => 7,
        Scalar::F32 => 23,
        Scalar::F64 => 52,
        Scalar::F8E5M2 => 2,
        Scalar::F8E4M3FN => 3,
        _ => 0,
    };
    let infinity = (sign - 1) >> mantissa << mantissa;
    match padding {
        PaddingValue::Zero => 0,
        PaddingValue::NegZero => sign,
        PaddingValue::Nan if scalar == Scalar::F8E4M3FN => sign - 1,
        PaddingValue::Nan => infinity | 1 << (mantissa - 1),
        PaddingValue::PosInf => infinity,
        PaddingValue::NegInf => infinity | sign,
    }
}

fn defining(module: &Module, value: ValueId) -> OpId {
    module
        .defining_op(value)
        .expect("verified views are made by operations, never passed as arguments")
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

/// The parameter that a pointer comes from.
fn param_of(module: &Module, mut pointer: ValueId) -> usize {
    loop {
        match module.value(pointer).def {
            ValueDef::Argument(_, number) => return number as usize,
            ValueDef::Result(op, _) => {
                let op = module.op(op);
                match op.opcode {
                    Opcode::Misc(MiscOp::Assume) => pointer = op.operands[0],
                    _ => unreachable!("no other operation of the table makes a pointer"),
                }
            }
        }
    }
}

/// Whether extents and strides are 32-bit numbers, or all static and small.
fn fits_32_bits(module: &Module, tensor: &tile_core::ir::Op) -> bool {
    let dynamic = tensor
        .operands_of("dynamicShape")
        .iter()
        .chain(tensor.operands_of("dynamicStrides"));
    let mut widths = dynamic.map(|&value| module.ty(value).as_number_tile().map(|(s, _)| s.bits()));
    widths.all(|bits| bits.is_some_and(|bits| bits <= 32))
}
