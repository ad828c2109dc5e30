//! Loads, stores and the shapes of views.

use super::access::{Extent, ViewFacts, padding_bits};
use super::{Lowered, Lowering};
use crate::gpu::{self, ElementOp, GlobalAxis, GlobalTile, OpKind, Ty};
use tile_core::Scalar;
use tile_core::build::Builder;
use tile_core::ir::{MemoryOrdering, Op, Signedness, ValueId};
use tile_core::ops::{ConversionOp, IntegerOp, ViewOp};
use tile_core::{Loc, Module, Type};

/// Shared memory that a store may use to reorder a tile: what every block may have
/// without leaving others none.
const MAX_EXCHANGE_BYTES: u64 = 48 << 10;

impl Lowering<'_> {
    pub(super) fn view(&mut self, op: &Op, view: ViewOp) -> Lowered {
        match view {
            ViewOp::MakePartitionView | ViewOp::MakeTensorView => {}
            ViewOp::MakeGatherScatterView | ViewOp::MakeStridedView => {
                unreachable!("refused before")
            }
            ViewOp::GetIndexSpaceShape => self.index_space(op),
            ViewOp::GetTensorShape => self.tensor_shape(op),
            ViewOp::LoadViewTko => self.load(op)?,
            ViewOp::StoreViewTko => self.store(op)?,
        }
        Ok(())
    }

    fn load(&mut self, op: &Op) -> Lowered {
        self.weak_only(op)?;
        let facts = ViewFacts::of(self.module, self.divisibility, op.operand("view"));
        let (tile, args) = self.global_tile(op, &facts);
        let layout = self.access.layout(&facts);
        let ty = self.distributed(tile.element, layout);
        let value = self.emit(OpKind::LoadGlobal(tile), &args, ty, op.loc);
        self.define(op.result(), value);
        Ok(())
    }

    fn store(&mut self, op: &Op) -> Lowered {
        self.weak_only(op)?;
        let facts = ViewFacts::of(self.module, self.divisibility, op.operand("view"));
        let value = self.in_store_layout(op.operand("tile"), &facts);
        let (tile, mut args) = self.global_tile(op, &facts);
        args.insert(0, value);
        self.emit_op(OpKind::StoreGlobal(tile), &args, &[], &[], op.loc);
        Ok(())
    }

    fn weak_only(&mut self, op: &Op) -> Lowered {
        if op.memory_ordering() == MemoryOrdering::Weak {
            return Ok(());
        }
        let name = op.memory_ordering().name();
        Err(self.unsupported(
            op,
            format!("a view access with `{name}` ordering"),
            "use weak ordering, or an atomic operation",
        ))
    }

    /// The tile in whole cache lines, unless the way there needs too much shared memory:
    /// then as it is. Fragments of an accumulator fill whole sectors at least.
    fn in_store_layout(&mut self, tile: ValueId, facts: &ViewFacts) -> gpu::ValueId {
        let value = self.value(tile);
        let elements = facts.shape().num_elements();
        let bytes = elements * facts.ty.tensor_view.element.bytes() as u64;
        if bytes > MAX_EXCHANGE_BYTES {
            return value;
        }
        let layout = self.kernel.add_layout(self.access.layout(facts));
        self.in_layout(tile, layout)
    }

    /// The access and its operands: base, then per axis index, extent and stride, all
    /// integers of one width.
    fn global_tile(&mut self, op: &Op, facts: &ViewFacts) -> (GlobalTile, Vec<gpu::ValueId>) {
        let element = facts.ty.tensor_view.element;
        let index_width = |value: &ValueId| {
            let ty = self.module.ty(*value);
            ty.as_number_tile().map_or(64, |(scalar, _)| scalar.bits())
        };
        let widest = op.operands_of("index").iter().map(index_width).max();
        let narrow = facts.fits_32_bits && widest.is_none_or(|bits| bits <= 32);
        let width = if narrow { Scalar::I32 } else { Scalar::I64 };
        let mut args = vec![self.value(facts.base)];
        for (&index, &(extent, stride)) in op.operands_of("index").iter().zip(&facts.axes) {
            args.push(self.as_width(index, width, op.loc));
            args.push(self.extent(extent, width, op.loc));
            args.push(self.extent(stride, width, op.loc));
        }
        let tile = GlobalTile {
            element,
            axes: facts
                .shape()
                .sizes()
                .iter()
                .map(|&size| GlobalAxis { size })
                .collect(),
            contiguous: facts.contiguous,
            vector_elements: facts.vector_elements,
            padding: facts
                .ty
                .padding
                .map(|padding| padding_bits(padding, element)),
            param: facts.param,
            fits_32_bits: narrow,
        };
        (tile, args)
    }

    fn extent(&mut self, extent: Extent, width: Scalar, loc: Loc) -> gpu::ValueId {
        match extent {
            Extent::Static(value) => self.uniform_constant(width, value.unsigned_abs(), loc),
            Extent::Dynamic(value) => self.as_width(value, width, loc),
        }
    }

    /// An unsigned integer of the module with `width`.
    fn as_width(&mut self, value: ValueId, width: Scalar, loc: Loc) -> gpu::ValueId {
        let value = self.value(value);
        self.resized(value, width, loc)
    }

    /// An unsigned uniform integer with `width`.
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
        let tensor = self
            .module
            .defining_op(op.operand("src"))
            .expect("views are made by ops");
        let tensor = self.module.op(tensor);
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

    /// `ceil(extent / tile)` per axis; tiles are powers of two.
    fn index_space(&mut self, op: &Op) {
        let facts = ViewFacts::of(self.module, self.divisibility, op.operand("src"));
        let sizes = facts.shape().sizes();
        for ((&result, &(extent, _)), &size) in op.results.iter().zip(&facts.axes).zip(&sizes) {
            let width = match extent {
                Extent::Static(_) => Scalar::I64,
                Extent::Dynamic(value) => self.integer(value),
            };
            let extent = self.extent(extent, width, op.loc);
            let log2 = self.uniform_constant(width, u64::from(size.ilog2()), op.loc);
            let rest = self.uniform_constant(width, size - 1, op.loc);
            // extent >> log2, plus one if a rest is left: no overflow at the top.
            let whole = self.scalar_op(
                |b, args| b.signed(IntegerOp::ShrI, args, Signedness::Unsigned, op.loc),
                &[extent, log2],
                width,
                op.loc,
            );
            let part = self.scalar_op(
                |b, args| b.like_first(tile_core::ops::BitwiseOp::AndI, args, op.loc),
                &[extent, rest],
                width,
                op.loc,
            );
            let one = self.uniform_constant(width, 1, op.loc);
            let extra = self.scalar_op(
                |b, args| b.signed(IntegerOp::MinI, args, Signedness::Unsigned, op.loc),
                &[part, one],
                width,
                op.loc,
            );
            let tiles = self.scalar_op(
                |b, args| b.wrapping(IntegerOp::AddI, args, op.loc),
                &[whole, extra],
                width,
                op.loc,
            );
            let to = self.integer(result);
            let tiles = self.resized(tiles, to, op.loc);
            self.define(result, tiles);
        }
    }

    fn integer(&self, value: ValueId) -> Scalar {
        let tile = self.module.ty(value).as_number_tile();
        tile.expect("verified: a scalar integer").0
    }

    /// A uniform computation, described with the tile IR's own builder.
    fn scalar_op(
        &mut self,
        build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
        args: &[gpu::ValueId],
        result: Scalar,
        loc: Loc,
    ) -> gpu::ValueId {
        let mut scratch = Module::new("scalar");
        let mut builder = Builder::new(&mut scratch);
        let types: Vec<Type> = args
            .iter()
            .map(|&arg| Type::scalar(self.kernel.ty(arg).scalar().expect("an integer")))
            .collect();
        let (_, params) = builder.entry("scalar", &types, loc);
        let value = build(&mut builder, &params);
        let op = scratch
            .defining_op(value)
            .expect("the closure builds an op");
        let kind = OpKind::Compute(ElementOp::of(scratch.op(op)));
        self.emit(kind, args, Ty::Uniform(result), loc)
    }
}
