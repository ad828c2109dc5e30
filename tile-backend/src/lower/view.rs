//! Lowers loads and stores through views, and queries of their shapes.

use super::Lowering;
use super::access::{AccessShape, Extent, ViewFacts, padding_bits};
use super::in_warps::{MAX_EXCHANGE_BYTES, wider_in_warps};
use super::index_range::{begins, is_promised};
use crate::gpu::{self, Begins, ElementOp, GlobalAxis, GlobalTile, OpKind, Space, Ty};
use tile_core::Scalar;
use tile_core::build::Builder;
use tile_core::ir::{Attr, MemoryOrdering, Op, OpId, RoundingMode, Signedness, ValueId};
use tile_core::ops::{ConversionOp, IntegerOp, ViewOp};
use tile_core::{Loc, Module, Type};

impl Lowering<'_> {
    pub(super) fn view(&mut self, id: OpId, view: ViewOp) {
        let op = self.module.op(id);
        match view {
            ViewOp::MakePartitionView
            | ViewOp::MakeTensorView
            | ViewOp::MakeGatherScatterView
            | ViewOp::MakeStridedView => {}
            ViewOp::GetIndexSpaceShape => self.index_space(op),
            ViewOp::GetTensorShape => self.tensor_shape(op),
            ViewOp::LoadViewTko => self.load_view(id, op),
            ViewOp::StoreViewTko => self.store_view(id, op),
        }
    }

    fn load_view(&mut self, id: OpId, op: &Op) {
        let facts = ViewFacts::from_access(self.module, self.divisibility, op);
        if !self.is_block_of_memory(op, &facts) {
            self.load_elements(id, op, &facts);
            return;
        }
        let (tile, args) = self.global_tile(op, &facts);
        let layout = self.access.layout(&AccessShape::from_view(&facts));
        let ty = self.distributed(tile.element, layout);
        let load_id = self.emit_op(OpKind::LoadGlobal(tile), &args, &[ty], &[], op.loc);
        self.number(id, load_id);
        if let Some(&distance) = self.latencies.get(&id) {
            self.kernel
                .requests
                .prefetch_distances
                .insert(load_id, distance);
        }
        let value = self.kernel.op(load_id).results[0];
        self.define(op.result(), value);
    }

    fn store_view(&mut self, id: OpId, op: &Op) {
        let facts = ViewFacts::from_access(self.module, self.divisibility, op);
        if !self.is_block_of_memory(op, &facts) {
            self.store_elements(id, op, &facts);
            return;
        }
        if self.store_with_tma(id, op, &facts) {
            return;
        }
        let value = self.in_store_layout(op.operand("tile"), &facts);
        let (tile, mut args) = self.global_tile(op, &facts);
        args.insert(0, value);
        let store_id = self.emit_op(OpKind::StoreGlobal(tile), &args, &[], &[], op.loc);
        self.number(id, store_id);
    }

    /// Returns `true` if a tile is accessed as a whole, by its index, and `false` if it is accessed element
    /// by element.
    fn is_block_of_memory(&self, op: &Op, facts: &ViewFacts) -> bool {
        let provenance = self.provenance;
        op.memory_ordering() == MemoryOrdering::Weak
            && facts.ty.sparse_dim.is_none()
            && !facts.is_packed()
            && self.space(provenance.roots(facts.base)) == Space::Global
    }

    /// Returns the tile in a layout of whole cache lines. If the conversion to it would need too much shared
    /// memory, returns the tile with the widest vectors that are possible without moving elements between
    /// warps.
    pub(super) fn in_store_layout(&mut self, tile: ValueId, facts: &ViewFacts) -> gpu::ValueId {
        let value = self.value(tile);
        let elements = facts.shape().num_elements();
        let bytes = elements * facts.ty.tensor_view.element.bytes() as u64;
        let layout = if bytes > MAX_EXCHANGE_BYTES {
            let Some(wider) = wider_in_warps(self.kernel.layout_of(value), facts) else {
                return value;
            };
            wider
        } else {
            self.access.layout(&AccessShape::from_view(facts))
        };
        let layout = self.kernel.add_layout(layout);
        self.in_layout(tile, layout)
    }

    /// Returns the access and its operands: the base, then for each axis its index, extent and stride. All
    /// integers have the same width.
    pub(super) fn global_tile(
        &mut self,
        op: &Op,
        facts: &ViewFacts,
    ) -> (GlobalTile, Vec<gpu::ValueId>) {
        let element = facts.ty.tensor_view.element;
        let index_width = |value: &ValueId| {
            let ty = self.module.ty(*value);
            ty.as_number_tile().map_or(64, |(scalar, _)| scalar.bits())
        };
        let widest = op.operands_of("index").iter().map(index_width).max();
        // Use 32-bit arithmetic if neither offsets nor indices can exceed 32 bits.
        let narrow = facts.fits_32_bits && widest.is_none_or(|bits| bits <= 32);
        let width = if narrow { Scalar::I32 } else { Scalar::I64 };
        let mut args = vec![self.view_base(facts.base, element, op.loc)];
        for (&index, &(extent, stride)) in op.operands_of("index").iter().zip(&facts.axes) {
            args.push(self.as_width(index, width, op.loc));
            args.push(self.extent(extent, width, op.loc));
            args.push(self.extent(stride, width, op.loc));
        }
        let roots = self.provenance.roots(facts.base).clone();
        let indices = op.operands_of("index").iter();
        let axes = facts.shape().sizes().into_iter().zip(indices).enumerate();
        // The edge divisor determines whether the edge of the tensor can cut a vector or a tile.
        let axes = axes.map(|(axis, (size, &index))| {
            let (step, (extent, _)) = (facts.ty.step(axis), facts.axes[axis]);
            GlobalAxis {
                size,
                step,
                edge_divisor: self.step_of_edge(index, step, extent),
                begins: if is_promised(op, axis) {
                    Begins::Inside
                } else {
                    begins((self.module, &self.grid), index, extent, step, width.bits())
                },
            }
        });
        let tile = GlobalTile {
            element,
            axes: axes.collect(),
            contiguous: facts.contiguous,
            vector_elements: facts.vector_elements,
            padding: facts
                .ty
                .padding
                .map(|padding| padding_bits(padding, element)),
            access: if self.is_constant(&roots) {
                gpu::Access::Read
            } else {
                gpu::Access::Write
            },
            roots,
            fits_32_bits: narrow,
            by_owners: false,
            caching: gpu::Caching::Normal,
        };
        (tile, args)
    }

    pub(super) fn extent(&mut self, extent: Extent, width: Scalar, loc: Loc) -> gpu::ValueId {
        match extent {
            Extent::Static(value) => self.uniform_constant(width, value.unsigned_abs(), loc),
            Extent::Dynamic(value) => self.as_width(value, width, loc),
        }
    }

    /// Returns an unsigned integer of the module, converted to the type `width`.
    pub(super) fn as_width(&mut self, value: ValueId, width: Scalar, loc: Loc) -> gpu::ValueId {
        let value = self.value(value);
        self.resized(value, width, loc)
    }

    /// Returns an unsigned uniform integer, converted to the type `width`.
    fn resized(&mut self, value: gpu::ValueId, width: Scalar, loc: Loc) -> gpu::ValueId {
        let from = self.kernel.ty(value).scalar().expect("an integer");
        match from.bits().cmp(&width.bits()) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.scalar_op(
                |b, args| {
                    b.convert(
                        ConversionOp::ExtI,
                        args[0],
                        width,
                        Some(Signedness::Unsigned),
                        loc,
                    )
                },
                &[value],
                width,
                loc,
            ),
            std::cmp::Ordering::Greater => self.scalar_op(
                |b, args| b.convert(ConversionOp::TruncI, args[0], width, None, loc),
                &[value],
                width,
                loc,
            ),
        }
    }

    fn tensor_shape(&mut self, op: &Op) {
        let tensor = made_tensor(self.module, op.operand("src"));
        let view = self
            .module
            .ty(op.operand("src"))
            .as_tensor_view()
            .expect("verified view");
        let mut dynamic = tensor.operands_of("dynamicShape").iter();
        for (&result, entry) in op.results.iter().zip(&view.shape) {
            let extent = match entry {
                Some(value) => Extent::Static(*value),
                None => Extent::Dynamic(*dynamic.next().expect("verified: one operand per `?`")),
            };
            let width = self.integer(result);
            let value = self.extent(extent, width, op.loc);
            self.define(result, value);
        }
    }

    /// Lowers the query for the number of tiles along each axis, `ceil(extent / step)`.
    fn index_space(&mut self, op: &Op) {
        let facts = ViewFacts::from_view(self.module, self.divisibility, op.operand("src"));
        for (axis, (&result, &(extent, _))) in op.results.iter().zip(&facts.axes).enumerate() {
            let step = facts.ty.step(axis);
            let width = match extent {
                Extent::Static(_) => Scalar::I64,
                Extent::Dynamic(value) => self.integer(value),
            };
            let extent = self.extent(extent, width, op.loc);
            let to = self.integer(result);
            let tiles = self.num_tiles(extent, step, width, op.loc);
            let tiles = self.resized(tiles, to, op.loc);
            self.define(result, tiles);
        }
    }

    /// Emits `ceil(extent / step)`.
    pub(super) fn num_tiles(
        &mut self,
        extent: gpu::ValueId,
        step: u64,
        width: Scalar,
        loc: Loc,
    ) -> gpu::ValueId {
        let one = self.uniform_constant(width, 1, loc);
        // A step that the type cannot represent is larger than any extent, so there is at most one tile.
        if width.bits() < 64 && step >> width.bits() != 0 {
            return self.unsigned_op(IntegerOp::MinI, extent, one, width, loc);
        }
        // Add one to the quotient if there is a remainder, which does not overflow even for the largest
        // extents.
        let (whole, part) = self.quotient_and_rest(extent, step, width, loc);
        let extra = self.unsigned_op(IntegerOp::MinI, part, one, width, loc);
        self.scalar_op(
            |b, args| b.wrapping(IntegerOp::AddI, args, loc),
            &[whole, extra],
            width,
            loc,
        )
    }

    /// Emits `extent / step` and `extent % step` of unsigned numbers; a power of two needs only a shift and a
    /// mask.
    fn quotient_and_rest(
        &mut self,
        extent: gpu::ValueId,
        step: u64,
        width: Scalar,
        loc: Loc,
    ) -> (gpu::ValueId, gpu::ValueId) {
        if step.is_power_of_two() {
            let log2 = self.uniform_constant(width, u64::from(step.ilog2()), loc);
            let mask = self.uniform_constant(width, step - 1, loc);
            let whole = self.unsigned_op(IntegerOp::ShrI, extent, log2, width, loc);
            let part = self.scalar_op(
                |b, args| b.like_first(tile_core::ops::BitwiseOp::AndI, args, loc),
                &[extent, mask],
                width,
                loc,
            );
            return (whole, part);
        }
        let step = self.uniform_constant(width, step, loc);
        let whole = self.scalar_op(
            |b, args| {
                let op = b.op(IntegerOp::DivI, loc).args(args);
                let op = op.attr("signedness", Attr::Signedness(Signedness::Unsigned));
                let op = op.attr("rounding", Attr::Rounding(RoundingMode::Zero));
                let ty = Type::scalar(width);
                op.result(ty).finish_value()
            },
            &[extent, step],
            width,
            loc,
        );
        let part = self.unsigned_op(IntegerOp::RemI, extent, step, width, loc);
        (whole, part)
    }

    fn unsigned_op(
        &mut self,
        op: IntegerOp,
        lhs: gpu::ValueId,
        rhs: gpu::ValueId,
        width: Scalar,
        loc: Loc,
    ) -> gpu::ValueId {
        self.scalar_op(
            |b, args| b.signed(op, args, Signedness::Unsigned, loc),
            &[lhs, rhs],
            width,
            loc,
        )
    }

    fn integer(&self, value: ValueId) -> Scalar {
        let tile = self.module.ty(value).as_number_tile();
        tile.expect("verified: a scalar integer").0
    }

    /// Emits a uniform computation, which `build` describes with the builder of tile IR.
    pub(super) fn scalar_op(
        &mut self,
        build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
        args: &[gpu::ValueId],
        result: Scalar,
        loc: Loc,
    ) -> gpu::ValueId {
        self.each(build, args, Ty::Uniform(result), loc)
    }

    /// Emits an element-wise computation, which `build` describes for one element with the builder of tile
    /// IR.
    pub(super) fn each(
        &mut self,
        build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
        args: &[gpu::ValueId],
        result: Ty,
        loc: Loc,
    ) -> gpu::ValueId {
        let mut scratch = Module::new("scalar");
        let mut builder = Builder::new(&mut scratch);
        let types: Vec<Type> = args
            .iter()
            .map(|&arg| Type::scalar(self.kernel.ty(arg).scalar().expect("a number")))
            .collect();
        let (_, params) = builder.entry("scalar", &types, loc);
        let value = build(&mut builder, &params);
        let op = scratch
            .defining_op(value)
            .expect("the closure builds an op");
        let kind = OpKind::Compute(ElementOp::from_tile_op(scratch.op(op)));
        self.emit(kind, args, result, loc)
    }
}

/// Returns the `make_tensor_view` from which a tensor view comes, looking through assumptions.
fn made_tensor(module: &Module, mut tensor: ValueId) -> &Op {
    loop {
        let op = module
            .defining_op(tensor)
            .expect("views are made by operations");
        let op = module.op(op);
        if op.opcode == ViewOp::MakeTensorView.into() {
            return op;
        }
        tensor = op.operands[0];
    }
}
