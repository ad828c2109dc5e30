//! Lowers accesses through views element by element: gathered and scattered tiles, elements of four bits,
//! orderings other than weak, atomic updates, and memory that is private to the block.
//!
//! ```text
//!   coordinate   start + coordinate in the tile; along the sparse axis the value of the index
//!   exists       coordinate < extent, along every axis
//!   address      base + sum of coordinate * stride
//! ```

use super::Lowering;
use super::access::{AccessShape, Extent, ViewFacts, padding_bits};
use super::assign::out_shape;
use super::index_range::{begins, is_promised};
use crate::gpu::{
    AddressedTile, AtomicKind, Begins, LayoutId, MemoryKind, OpKind, Ty, ValueId as GpuValue,
    Vector,
};
use crate::layout::Axis;
use tile_core::ir::{AtomicRmwMode, ComparisonPredicate, Op, OpId, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp};
use tile_core::{Loc, Scalar};

/// The locations of the elements of a tile in memory.
struct Elements {
    layout: LayoutId,
    /// `true` for each element within the tensor; `None` if all elements are known to be within it.
    exists: Option<GpuValue>,
    /// The offset from the base, in elements.
    offset: GpuValue,
    base: GpuValue,
    vector: Option<Vector>,
}

impl Lowering<'_> {
    pub(super) fn load_elements(&mut self, id: OpId, op: &Op, facts: &ViewFacts) {
        let loc = op.loc;
        let element = facts.ty.tensor_view.element;
        let layout = self.access.layout(&AccessShape::from_view(facts));
        let layout = self.kernel.add_layout(layout);
        let elements = self.located(op, facts, layout);
        let mut tile = self.addressed(op, element);
        let pads = facts.ty.padding.filter(|_| elements.exists.is_some());
        let padding = pads.map(|padding| {
            let bits = OpKind::Constant(padding_bits(padding, element));
            self.emit(bits, &[], Ty::Distributed { element, layout }, loc)
        });
        let ty = Ty::Distributed { element, layout };
        if facts.is_packed() && elements.vector.is_none() {
            let value = self.load_halves(id, op, tile, &elements, padding);
            self.define(op.result(), value);
            return;
        }
        let address = self.element_addresses(facts, &elements, loc);
        tile.vector = elements.vector;
        tile.is_packed = facts.is_packed();
        tile.is_masked = elements.exists.is_some();
        tile.is_padded = padding.is_some();
        let args: Vec<GpuValue> = [Some(address), elements.exists, padding]
            .into_iter()
            .flatten()
            .collect();
        let value = self.load(id, tile, &args, ty, loc);
        self.define(op.result(), value);
    }

    pub(super) fn store_elements(&mut self, id: OpId, op: &Op, facts: &ViewFacts) {
        let value = self.in_store_layout(op.operand("tile"), facts);
        let layout = self.kernel.ty(value).layout().expect("a tile with axes");
        let elements = self.located(op, facts, layout);
        let mut tile = self.addressed(op, facts.ty.tensor_view.element);
        tile.is_masked = elements.exists.is_some();
        if facts.is_packed() && elements.vector.is_none() {
            self.store_halves(id, op, tile, &elements, value);
            return;
        }
        tile.vector = elements.vector;
        tile.is_packed = facts.is_packed();
        let address = self.element_addresses(facts, &elements, op.loc);
        let args: Vec<GpuValue> = [Some(address), Some(value), elements.exists]
            .into_iter()
            .flatten()
            .collect();
        self.emit_access(id, MemoryKind::Store(Box::new(tile)), &args, &[], op.loc);
    }

    /// Lowers `atomic_red_view_tko`, an atomic update of each element.
    pub(super) fn reduce_into(&mut self, id: OpId, mode: AtomicRmwMode) {
        let op = self.module.op(id);
        let facts = ViewFacts::from_access(self.module, self.divisibility, op);
        let value = self.in_store_layout(op.operand("value"), &facts);
        let layout = self.kernel.ty(value).layout().expect("a tile with axes");
        let elements = self.located(op, &facts, layout);
        let mut tile = self.addressed(op, facts.ty.tensor_view.element);
        tile.is_masked = elements.exists.is_some();
        tile.vector = elements.vector;
        let address = self.element_addresses(&facts, &elements, op.loc);
        let args: Vec<GpuValue> = [Some(address), Some(value), elements.exists]
            .into_iter()
            .flatten()
            .collect();
        let kind = MemoryKind::Atomic(Box::new(tile), AtomicKind::Modify(mode));
        self.emit_access(id, kind, &args, &[], op.loc);
    }

    /// Computes the locations of the elements of the tile that `op` accesses, in `layout`.
    fn located(&mut self, op: &Op, facts: &ViewFacts, layout: LayoutId) -> Elements {
        let loc = op.loc;
        let wide = Ty::Distributed {
            element: Scalar::I64,
            layout,
        };
        let base = {
            let value = self.value(facts.base);
            match self.kernel.ty(value) {
                Ty::Pointer(_) => self.param_address(value, loc),
                Ty::Uniform(_) | Ty::Distributed { .. } => value,
            }
        };
        let mut exists: Option<GpuValue> = None;
        let mut offset: Option<GpuValue> = None;
        let mut alike = facts.vector_elements;
        let sizes = facts.shape().sizes();
        for (axis, &(extent, stride)) in facts.axes.iter().enumerate() {
            let index = op.operands_of("index")[axis];
            let is_sparse = facts.ty.sparse_dim == Some(u32::try_from(axis).expect("few axes"));
            let step = facts.ty.step(axis);
            let coordinate = if is_sparse {
                self.picked(index, axis, layout, loc)
            } else {
                let start = self.start(index, step, loc);
                let start = self.emit(OpKind::Splat, &[start], wide, loc);
                if sizes[axis] == 1 {
                    start
                } else {
                    let axis_coordinate = self.emit(OpKind::Coordinate(Axis(axis)), &[], wide, loc);
                    self.each(
                        |b, args| b.wrapping(IntegerOp::AddI, args, loc),
                        &[start, axis_coordinate],
                        wide,
                        loc,
                    )
                }
            };
            let width = Scalar::I64.bits();
            let begins = match begins((self.module, &self.grid), index, extent, step, width) {
                _ if is_sparse => Begins::Representable,
                // The index of the first element fits 64 bits, but those of the others need not.
                Begins::Representable if sizes[axis] > 1 && !self.is_short(index) => {
                    Begins::Anywhere
                }
                begins => begins,
            };
            // A single element that starts inside exists, so it needs no test.
            let is_one_inside = sizes[axis] == 1 && begins == Begins::Inside;
            if !is_promised(op, axis) && !is_one_inside {
                let mut limit = self.extent(extent, Scalar::I64, loc);
                if begins == Begins::Anywhere {
                    limit = self.extent_in_front_of(index, limit, step, loc);
                }
                let limit = self.emit(OpKind::Splat, &[limit], wide, loc);
                let below = self.each(
                    |b, args| {
                        let predicate = ComparisonPredicate::LessThan;
                        b.cmpi(predicate, args[0], args[1], Signedness::Unsigned, loc)
                    },
                    &[coordinate, limit],
                    Ty::Distributed {
                        element: Scalar::I1,
                        layout,
                    },
                    loc,
                );
                exists = Some(match exists {
                    None => below,
                    Some(exists) => self.each(
                        |b, args| b.like_first(BitwiseOp::AndI, args, loc),
                        &[exists, below],
                        Ty::Distributed {
                            element: Scalar::I1,
                            layout,
                        },
                        loc,
                    ),
                });
                // The edge of the tensor must not cut a vector: either all of its elements exist, or none.
                if facts.contiguous == Some(Axis(axis)) {
                    alike = alike.min(self.step_of_edge(index, step, extent));
                }
            }
            let part = if stride == Extent::Static(1) {
                coordinate
            } else {
                let stride = self.extent(stride, Scalar::I64, loc);
                let stride = self.emit(OpKind::Splat, &[stride], wide, loc);
                self.each(
                    |b, args| b.wrapping(IntegerOp::MulI, args, loc),
                    &[coordinate, stride],
                    wide,
                    loc,
                )
            };
            offset = Some(match offset {
                None => part,
                Some(offset) => self.each(
                    |b, args| b.wrapping(IntegerOp::AddI, args, loc),
                    &[offset, part],
                    wide,
                    loc,
                ),
            });
        }
        let least = if facts.is_packed() { 2 } else { 1 };
        let vector = facts
            .contiguous
            .filter(|_| alike > 1 && alike >= least)
            .map(|axis| Vector {
                axis,
                elements: alike,
            });
        Elements {
            layout,
            exists,
            offset: offset.expect("a view has an axis"),
            base,
            vector: vector.filter(|vector| !facts.is_packed() || self.holds_pairs(layout, *vector)),
        }
    }

    /// Returns `true` if every index of this type has element indices that are far from overflowing 64 bits.
    fn is_short(&self, index: ValueId) -> bool {
        let ty = self.module.ty(index).as_number_tile();
        ty.is_some_and(|(scalar, _)| scalar.bits() <= 32)
    }

    /// Returns the extent of a tensor; or zero if the tile starts past its end, since its element indices may
    /// then wrap.
    fn extent_in_front_of(
        &mut self,
        index: ValueId,
        extent: GpuValue,
        step: u64,
        loc: Loc,
    ) -> GpuValue {
        let width = Scalar::I64;
        let index = self.as_width(index, width, loc);
        let tiles = self.num_tiles(extent, step, width, loc);
        let exists = self.scalar_op(
            |b, args| {
                let predicate = ComparisonPredicate::LessThan;
                b.cmpi(predicate, args[0], args[1], Signedness::Unsigned, loc)
            },
            &[index, tiles],
            Scalar::I1,
            loc,
        );
        let zero = self.uniform_constant(width, 0, loc);
        self.scalar_op(
            |b, args| {
                let select = b.op(CoreOp::Select, loc).args(args);
                select.result(tile_core::Type::scalar(width)).finish_value()
            },
            &[exists, extent, zero],
            width,
            loc,
        )
    }

    /// Returns `true` if one thread holds both halves of each byte.
    fn holds_pairs(&self, layout: LayoutId, vector: Vector) -> bool {
        let layout = self.kernel.layout(layout);
        let mut order = layout.shape().row_major_order();
        order.retain(|axis| *axis != vector.axis);
        order.insert(0, vector.axis);
        let memory = crate::layout::row_major(layout.shape(), &order);
        crate::layout::vector_plan(layout, &memory, 2).is_some_and(|plan| plan.width_elements == 2)
    }

    /// Returns a power of two that divides both the starts of tiles and the end of the tensor.
    pub(super) fn step_of_edge(&self, index: ValueId, step: u64, extent: Extent) -> u64 {
        let index = self.divisibility.divisor(index);
        let start = index.saturating_mul(1 << step.trailing_zeros().min(62));
        start.min(extent.divisor(self.divisibility))
    }

    /// Emits the index of the first element of a tile along an axis.
    fn start(&mut self, index: ValueId, step: u64, loc: Loc) -> GpuValue {
        let index = self.as_width(index, Scalar::I64, loc);
        if step == 1 {
            return index;
        }
        let step = self.uniform_constant(Scalar::I64, step, loc);
        self.scalar_op(
            |b, args| b.wrapping(IntegerOp::MulI, args, loc),
            &[index, step],
            Scalar::I64,
            loc,
        )
    }

    /// Converts a tile of sparse indices so that each thread has the index of each of its elements.
    fn picked(&mut self, index: ValueId, axis: usize, layout: LayoutId, loc: Loc) -> GpuValue {
        let to = self.kernel.layout(layout).clone();
        let mut along = to.clone();
        for other in to.shape().axes().filter(|other| other.0 != axis) {
            along = along.collapse_axis(other);
        }
        let (along, registers) = along.unique_registers();
        let size = i64::try_from(to.shape().size(Axis(axis))).expect("an axis is short");
        let flat = along.reshape(out_shape(&[size]));
        let flat = self.kernel.add_layout(flat);
        let value = self.operand_in(index, Some(flat));
        let narrow = self.kernel.ty(value).scalar().expect("integers");
        let element = Scalar::I64;
        let value = if narrow == element {
            value
        } else {
            self.each(
                |b, args| {
                    b.convert(
                        ConversionOp::ExtI,
                        args[0],
                        element,
                        Some(Signedness::Unsigned),
                        loc,
                    )
                },
                &[value],
                Ty::Distributed {
                    element,
                    layout: flat,
                },
                loc,
            )
        };
        let ty = Ty::Distributed { element, layout };
        self.emit(OpKind::PermuteRegisters(registers), &[value], ty, loc)
    }

    /// Emits the addresses of elements, or, for elements of four bits, of the bytes that hold them.
    fn element_addresses(&mut self, facts: &ViewFacts, elements: &Elements, loc: Loc) -> GpuValue {
        let offset = if facts.is_packed() {
            self.shifted(elements.offset, 1, loc)
        } else {
            elements.offset
        };
        let bytes = facts.ty.tensor_view.element.bytes() as u64;
        self.addresses(elements, offset, bytes, loc)
    }

    fn addresses(
        &mut self,
        elements: &Elements,
        offset: GpuValue,
        bytes: u64,
        loc: Loc,
    ) -> GpuValue {
        let ty = Ty::Distributed {
            element: Scalar::I64,
            layout: elements.layout,
        };
        let base = self.emit(OpKind::Splat, &[elements.base], ty, loc);
        let kind = OpKind::Memory(MemoryKind::Offset { bytes });
        self.emit(kind, &[base, offset], ty, loc)
    }

    /// Emits `value >> bits` for unsigned numbers.
    fn shifted(&mut self, value: GpuValue, bits: u64, loc: Loc) -> GpuValue {
        let by = self.like(value, bits, loc);
        let ty = self.kernel.ty(value);
        self.each(
            |b, args| b.signed(IntegerOp::ShrI, args, Signedness::Unsigned, loc),
            &[value, by],
            ty,
            loc,
        )
    }

    /// Emits a constant with the type of `value`.
    fn like(&mut self, value: GpuValue, bits: u64, loc: Loc) -> GpuValue {
        let ty = self.kernel.ty(value);
        self.emit(OpKind::Constant(bits), &[], ty, loc)
    }

    fn bits(&mut self, op: BitwiseOp, args: &[GpuValue], loc: Loc) -> GpuValue {
        let ty = self.kernel.ty(args[0]);
        self.each(|b, args| b.like_first(op, args, loc), args, ty, loc)
    }

    /// Emits the number of bits below element `offset` in its unit of `2^log2` elements of four bits.
    fn bits_below(&mut self, offset: GpuValue, log2: u64, to: Scalar, loc: Loc) -> GpuValue {
        let mask = self.like(offset, (1 << log2) - 1, loc);
        let within = self.bits(BitwiseOp::AndI, &[offset, mask], loc);
        let ty = match self.kernel.ty(offset) {
            Ty::Distributed { layout, .. } => Ty::Distributed {
                element: to,
                layout,
            },
            Ty::Uniform(_) | Ty::Pointer(_) => Ty::Uniform(to),
        };
        let within = self.each(
            |b, args| b.convert(ConversionOp::TruncI, args[0], to, None, loc),
            &[within],
            ty,
            loc,
        );
        let four = self.like(within, 4, loc);
        self.each(
            |b, args| b.wrapping(IntegerOp::MulI, args, loc),
            &[within, four],
            ty,
            loc,
        )
    }

    /// Loads elements of four bits, each from its byte.
    fn load_halves(
        &mut self,
        id: OpId,
        op: &Op,
        mut tile: AddressedTile,
        elements: &Elements,
        padding: Option<GpuValue>,
    ) -> GpuValue {
        let (loc, layout, element) = (op.loc, elements.layout, tile.element);
        let distributed = |element| Ty::Distributed { element, layout };
        let byte = self.shifted(elements.offset, 1, loc);
        let address = self.addresses(elements, byte, 1, loc);
        tile.element = Scalar::I8;
        tile.is_masked = elements.exists.is_some();
        let args: Vec<GpuValue> = [Some(address), elements.exists]
            .into_iter()
            .flatten()
            .collect();
        let bytes = self.load(id, tile, &args, distributed(Scalar::I8), loc);
        let below = self.bits_below(elements.offset, 1, Scalar::I8, loc);
        let high = self.each(
            |b, args| b.signed(IntegerOp::ShrI, args, Signedness::Unsigned, loc),
            &[bytes, below],
            distributed(Scalar::I8),
            loc,
        );
        // An element of four bits is held as its bit pattern.
        let value = self.each(
            |b, args| b.convert(ConversionOp::TruncI, args[0], Scalar::I4, None, loc),
            &[high],
            distributed(element),
            loc,
        );
        match (elements.exists, padding) {
            (Some(exists), Some(padding)) => self.each(
                |b, args| {
                    let ty = tile_core::Type::scalar(element);
                    b.op(CoreOp::Select, loc)
                        .args(args)
                        .result(ty)
                        .finish_value()
                },
                &[exists, value, padding],
                distributed(element),
                loc,
            ),
            _ => value,
        }
    }

    /// Stores elements of four bits whose bytes also hold elements of other threads. One atomic operation on
    /// the enclosing word clears the bits, and another sets them.
    fn store_halves(
        &mut self,
        id: OpId,
        op: &Op,
        mut tile: AddressedTile,
        elements: &Elements,
        value: GpuValue,
    ) {
        let (loc, layout) = (op.loc, elements.layout);
        let word = Ty::Distributed {
            element: Scalar::I32,
            layout,
        };
        let byte = self.shifted(elements.offset, 1, loc);
        let address = self.addresses(elements, byte, 1, loc);
        // The base may be at any byte, so bits are counted from the start of the enclosing aligned word.
        let three = self.like(address, 3, loc);
        let within = self.bits(BitwiseOp::AndI, &[address, three], loc);
        let two = self.like(within, 2, loc);
        let ty = self.kernel.ty(within);
        let halves = self.each(
            |b, args| b.wrapping(IntegerOp::MulI, args, loc),
            &[within, two],
            ty,
            loc,
        );
        let one = self.like(elements.offset, 1, loc);
        let odd = self.bits(BitwiseOp::AndI, &[elements.offset, one], loc);
        let halves = self.bits(BitwiseOp::OrI, &[halves, odd], loc);
        let below = self.bits_below(halves, 3, Scalar::I32, loc);
        let outside = self.like(address, !3, loc);
        let address = self.bits(BitwiseOp::AndI, &[address, outside], loc);
        // Extend the bit pattern to a word.
        let pattern = self.each(
            |b, args| {
                b.convert(
                    ConversionOp::ExtI,
                    args[0],
                    Scalar::I32,
                    Some(Signedness::Unsigned),
                    loc,
                )
            },
            &[value],
            word,
            loc,
        );
        let shift = |this: &mut Self, bits: GpuValue| {
            this.each(
                |b, args| b.wrapping(IntegerOp::ShlI, args, loc),
                &[bits, below],
                word,
                loc,
            )
        };
        let set = shift(self, pattern);
        let ones = self.like(pattern, 0xf, loc);
        let cleared = shift(self, ones);
        let all_ones = self.like(pattern, u64::from(u32::MAX), loc);
        let kept = self.bits(BitwiseOp::XorI, &[cleared, all_ones], loc);
        tile.element = Scalar::I32;
        tile.is_masked = elements.exists.is_some();
        // The word also holds elements of other threads, so even a weak store must not lose their updates.
        if !tile.is_strong() {
            tile.ordering = tile_core::ir::MemoryOrdering::Relaxed;
            tile.scope = tile_core::ir::MemoryScope::Device;
        }
        for (mode, bits) in [(AtomicRmwMode::And, kept), (AtomicRmwMode::Or, set)] {
            let args: Vec<GpuValue> = [Some(address), Some(bits), elements.exists]
                .into_iter()
                .flatten()
                .collect();
            let kind = MemoryKind::Atomic(Box::new(tile.clone()), AtomicKind::Modify(mode));
            self.emit_access(id, kind, &args, &[], loc);
        }
    }
}
