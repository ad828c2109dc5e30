//! A small builder of kernels for tests.

use tile_core::ir::{Attr, IntegerOverflow, RoundingMode};
use tile_core::ops::{AttrKind, FloatOp, Opcode, Presence};
use tile_core::{Loc, Scalar};

use crate::gpu::{
    Access, Begins, BlockId, Buffer, BufferId, Caching, ElementOp, GlobalAxis, GlobalTile, Kernel,
    OpKind, ParamKind, Partials, Root, Roots, Ty, ValueId,
};
use crate::layout::{Axis, InDim, LinearLayout, OutShape, ReducePlan};

pub(super) const LOC: Loc = Loc::UNKNOWN;

/// Returns an element-wise operation with the given attributes, and defaults for the others.
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
        attrs: defaults.collect(),
        ..tile_core::ir::Op::new(opcode, LOC)
    };
    for (name, attr) in attrs {
        op.set_attr(name, Some(attr.clone()));
    }
    ElementOp::from_tile_op(&op)
}

/// The description of a tile of global memory in a test.
#[derive(Clone)]
pub(super) struct TileOf {
    pub(super) param: usize,
    pub(super) base: ValueId,
    /// The index, extent and stride of each axis.
    pub(super) axes: Vec<[ValueId; 3]>,
    pub(super) contiguous: Option<Axis>,
    pub(super) vector_elements: u64,
    pub(super) padding: Option<u64>,
    pub(super) fits_32_bits: bool,
}

impl TileOf {
    fn tile(&self, kernel: &Kernel, element: Scalar, layout: &LinearLayout) -> GlobalTile {
        let ParamKind::Pointer { access, .. } = kernel.params[self.param].kind else {
            panic!("the base is a pointer");
        };
        GlobalTile {
            element,
            axes: layout
                .shape()
                .sizes()
                .iter()
                .map(|&size| GlobalAxis {
                    size,
                    step: size,
                    edge_divisor: 1,
                    begins: Begins::Anywhere,
                })
                .collect(),
            contiguous: self.contiguous,
            vector_elements: self.vector_elements,
            padding: self.padding,
            roots: Roots::from([Root::Param(self.param)]),
            access,
            fits_32_bits: self.fits_32_bits,
            by_owners: false,
            caching: Caching::Normal,
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
                is_unique: true,
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
        self.one(
            OpKind::LoadGlobal(from.tile(&self.kernel, element, layout)),
            &args,
            ty,
        )
    }

    pub(super) fn store(&mut self, to: &TileOf, value: ValueId) {
        let layout = self.kernel.layout_of(value).clone();
        let element = self.kernel.ty(value).scalar().expect("a number");
        let mut args = vec![value, to.base];
        args.extend(to.axes.iter().flatten());
        self.run(
            OpKind::StoreGlobal(to.tile(&self.kernel, element, &layout)),
            &args,
        );
    }

    /// Stores one number at the start of the parameter at position `param`.
    pub(super) fn store_number(&mut self, param: usize, base: ValueId, number: ValueId) {
        self.store_number_at(param, base, number, 0);
    }

    /// Stores one number at `position` of the parameter at position `param`.
    pub(super) fn store_number_at(
        &mut self,
        param: usize,
        base: ValueId,
        number: ValueId,
        position: u64,
    ) {
        let scalar = self.kernel.ty(number).scalar().expect("a number");
        let shape = OutShape::new(&[1]).expect("a power of two");
        let layout = LinearLayout::new(shape, [(InDim::Lane, [0u64; 5])]);
        let ty = self.distributed(scalar, &layout);
        let tile = self.one(OpKind::Splat, &[number], ty);
        let axis = [position, 1 << 20, 1].map(|number| self.constant(Scalar::I32, number));
        let out = TileOf {
            param,
            base,
            axes: vec![axis],
            contiguous: None,
            vector_elements: 1,
            padding: None,
            fits_32_bits: true,
        };
        self.store(&out, tile);
    }

    /// Sums a tile along the axis of `plan`.
    pub(super) fn sum(&mut self, plan: &ReducePlan, element: Scalar, value: ValueId) -> ValueId {
        self.reduce(plan, element, value, FloatOp::AddF)
    }

    /// Emits a complete reduction by an operation of two operands, the element and the accumulator.
    pub(super) fn reduce(
        &mut self,
        plan: &ReducePlan,
        scalar: Scalar,
        value: ValueId,
        opcode: FloatOp,
    ) -> ValueId {
        let result = self.distributed(scalar, &plan.result);
        let body = self.kernel.add_block();
        let uniform = Ty::Uniform(scalar);
        let a = self.kernel.add_block_arg(body, uniform, LOC);
        let b = self.kernel.add_block_arg(body, uniform, LOC);
        let outer = std::mem::replace(&mut self.block, body);
        let combined = self.compute(element(opcode, &[]), &[a, b], uniform);
        self.run(OpKind::Yield, &[combined]);
        self.block = outer;

        let kind = OpKind::ReduceWarp(Box::new(plan.clone()));
        let partial = self.op(kind, &[value], &[result], &[body])[0];
        let Some(warps) = &plan.warps else {
            return partial;
        };
        let elements = warps.slots() as u64 * plan.result.shape().num_elements();
        let buffer = self.buffer(scalar, elements, None);
        let partials = Partials {
            plan: Box::new(plan.clone()),
            buffers: vec![buffer],
            reach: crate::gpu::Reach::Block,
        };
        self.run(OpKind::StorePartials(partials.clone()), &[partial]);
        self.run(OpKind::Barrier, &[]);
        self.op(OpKind::CombinePartials(partials), &[], &[result], &[body])[0]
    }

    /// Adds a buffer for `elements` elements after the existing buffers.
    pub(super) fn buffer(
        &mut self,
        element: Scalar,
        elements: u64,
        layout: Option<&LinearLayout>,
    ) -> BufferId {
        let layout = layout.map(|layout| self.kernel.add_layout(layout.clone()));
        let start = self.kernel.shared.bytes;
        let bytes = u32::try_from(elements * element.bytes() as u64).expect("small");
        self.kernel.shared.bytes = (start + bytes).next_multiple_of(128);
        self.kernel.add_buffer(Buffer {
            is_dedicated: false,
            element,
            bytes,
            stages: 1,
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
