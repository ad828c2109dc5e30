//! A small builder of kernels.

use tile_core::ir::{Attr, IntegerOverflow, RoundingMode};
use tile_core::ops::{AttrKind, Opcode, Presence};
use tile_core::{Loc, Scalar};

use crate::gpu::{
    Access, BlockId, Buffer, BufferId, ElementOp, GlobalAxis, GlobalTile, Kernel, OpKind,
    ParamKind, Ty, ValueId,
};
use crate::layout::{Axis, LinearLayout};

pub(super) const LOC: Loc = Loc::UNKNOWN;

/// An element-wise operation with the given attributes, the others as by default.
pub(super) fn element(opcode: impl Into<Opcode>, attrs: &[(&str, Attr)]) -> ElementOp {
    let opcode = opcode.into();
    let defaults = opcode.def().attrs.iter().map(|attr| {
        let Presence::Default(number) = attr.presence else {
            return None;
        };
        Some(match attr.kind {
            AttrKind::Overflow => {
                Attr::Overflow(IntegerOverflow::from_number(number).expect("a default"))
            }
            AttrKind::Rounding(_) => {
                Attr::Rounding(RoundingMode::from_number(number).expect("a default"))
            }
            other => unreachable!("{other:?} has no default"),
        })
    });
    let mut op = tile_core::ir::Op {
        opcode,
        operands: Default::default(),
        segments: Default::default(),
        results: Default::default(),
        attrs: defaults.collect(),
        regions: Default::default(),
        parent: None,
        loc: LOC,
    };
    for (name, attr) in attrs {
        op.set_attr(name, Some(attr.clone()));
    }
    ElementOp::of(&op)
}

/// A tile of global memory as a test describes it.
#[derive(Clone)]
pub(super) struct TileOf {
    pub(super) param: usize,
    pub(super) base: ValueId,
    /// Per axis: index, extent, stride.
    pub(super) axes: Vec<[ValueId; 3]>,
    pub(super) contiguous: Option<Axis>,
    pub(super) vector_elements: u64,
    pub(super) padding: Option<u64>,
    pub(super) fits_32_bits: bool,
}

impl TileOf {
    fn tile(&self, element: Scalar, layout: &LinearLayout) -> GlobalTile {
        GlobalTile {
            element,
            axes: layout
                .shape()
                .sizes()
                .iter()
                .map(|&size| GlobalAxis { size })
                .collect(),
            contiguous: self.contiguous,
            vector_elements: self.vector_elements,
            padding: self.padding,
            param: self.param,
            fits_32_bits: self.fits_32_bits,
        }
    }
}

pub(super) struct Build {
    pub(super) kernel: Kernel,
    pub(super) block: BlockId,
}

impl Build {
    pub(super) fn new(name: &str, num_warps: u32) -> Self {
        let kernel = Kernel::new(name, num_warps, LOC);
        let block = kernel.body();
        Self { kernel, block }
    }

    pub(super) fn pointer(&mut self, pointee: Scalar, access: Access) -> ValueId {
        self.kernel.add_param(
            ParamKind::Pointer {
                pointee,
                access,
                align_bytes: 16,
            },
            LOC,
        )
    }

    pub(super) fn param(&mut self, scalar: Scalar) -> ValueId {
        self.kernel.add_param(ParamKind::Scalar(scalar), LOC)
    }

    pub(super) fn distributed(&mut self, element: Scalar, layout: &LinearLayout) -> Ty {
        let layout = self.kernel.add_layout(layout.clone());
        Ty::Distributed { element, layout }
    }

    pub(super) fn op(
        &mut self,
        kind: OpKind,
        args: &[ValueId],
        results: &[Ty],
        blocks: &[BlockId],
    ) -> Vec<ValueId> {
        let op = self
            .kernel
            .push(self.block, kind, args, results, blocks, LOC);
        self.kernel.op(op).results.to_vec()
    }

    pub(super) fn one(&mut self, kind: OpKind, args: &[ValueId], result: Ty) -> ValueId {
        self.op(kind, args, &[result], &[])[0]
    }

    pub(super) fn run(&mut self, kind: OpKind, args: &[ValueId]) {
        self.op(kind, args, &[], &[]);
    }

    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> ValueId {
        self.one(OpKind::Constant(bits), &[], Ty::Uniform(scalar))
    }

    pub(super) fn compute(&mut self, op: ElementOp, args: &[ValueId], result: Ty) -> ValueId {
        self.one(OpKind::Compute(op), args, result)
    }

    pub(super) fn load(
        &mut self,
        from: &TileOf,
        element: Scalar,
        layout: &LinearLayout,
    ) -> ValueId {
        let ty = self.distributed(element, layout);
        let mut args = vec![from.base];
        args.extend(from.axes.iter().flatten());
        self.one(OpKind::LoadGlobal(from.tile(element, layout)), &args, ty)
    }

    pub(super) fn store(&mut self, to: &TileOf, value: ValueId) {
        let layout = self.kernel.layout_of(value).clone();
        let element = self.kernel.ty(value).scalar().expect("a number");
        let mut args = vec![value, to.base];
        args.extend(to.axes.iter().flatten());
        self.run(OpKind::StoreGlobal(to.tile(element, &layout)), &args);
    }

    /// A buffer for `elements` elements, after those there are.
    pub(super) fn buffer(
        &mut self,
        element: Scalar,
        elements: u64,
        layout: Option<&LinearLayout>,
    ) -> BufferId {
        let layout = layout.map(|layout| self.kernel.add_layout(layout.clone()));
        let start = self.kernel.shared_bytes;
        let bytes = u32::try_from(elements * element.bytes() as u64).expect("small");
        self.kernel.shared_bytes = (start + bytes).next_multiple_of(128);
        self.kernel.add_buffer(Buffer {
            element,
            bytes,
            align_bytes: 16,
            layout,
            offset_bytes: Some(start),
        })
    }

    pub(super) fn finish(mut self) -> Kernel {
        self.run(OpKind::Return, &[]);
        self.kernel
    }
}
