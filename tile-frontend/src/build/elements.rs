//! Builds accesses to tensor elements by index: gathers, scatters and atomics, with bounds checks.
//!
//! ```text
//! mask = index[0] < dim[0] & index[1] < dim[1] & ..           (unsigned)
//! pointer = base + (mask ? index[0] * stride[0] + .. : 0)
//! ```
//!
//! A negative index is a large unsigned number, so one comparison per axis is enough. A masked-off
//! pointer refers to the first element, since computing an address far outside the tensor is
//! undefined even if the address is not used.

use super::memory::Access;
use super::scalar::{float_bits, signedness};
use super::{Build, Val, Variant, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::ty::{Padding, PaddingValue};
use crate::hir::{AtomicOp, ExprId, Float, Memory, Update};
use tile_core::Loc;
use tile_core::ir::{
    AtomicRmwMode, Attr, ComparisonPredicate, MemoryOrdering, Signedness, ValueId,
};
use tile_core::ops::{
    AtomicOp as AtomicOpcode, BitwiseOp, ConversionOp, CoreOp, IntegerOp, MemoryOp, Opcode,
};
use tile_core::types::{Scalar, Type};

/// Pointers to elements, and the mask of those in bounds.
struct Elements {
    pointers: ValueId,
    mask: ValueId,
}

/// Returns the bits of the value that a load yields outside the tensor.
pub(super) fn padding_bits(padding: Padding, scalar: Scalar) -> u64 {
    let padding = match padding {
        Padding::Named(padding) => padding,
        Padding::Bits(bits) => return bits,
    };
    let value = match padding {
        PaddingValue::Zero => return 0,
        PaddingValue::NegZero => -0.0,
        PaddingValue::Nan => f64::NAN,
        PaddingValue::PosInf => f64::INFINITY,
        PaddingValue::NegInf => f64::NEG_INFINITY,
    };
    float_bits(scalar, Float::new(value))
}

impl Build<'_, '_> {
    /// Builds any access to memory except those to tiles by tile index.
    pub(super) fn memory(&mut self, memory: &Memory, id: ExprId, loc: Loc) -> Val {
        let touched = self.touches(memory);
        Val::Tile(match memory {
            Memory::Stride(tensor, axis) => self.stride(*tensor, *axis, loc),
            Memory::Gather {
                tensor,
                index,
                padding,
            } => {
                let elements = self.elements(*tensor, index, loc);
                self.load_elements(elements, *padding, touched, id, loc)
            }
            Memory::Window {
                tensor,
                start,
                padding,
            } => {
                let shape = self.shape(id).to_vec();
                let elements = self.window(*tensor, start, &shape, loc);
                self.load_elements(elements, *padding, touched, id, loc)
            }
            Memory::Scatter {
                tensor,
                index,
                value,
            } => {
                let Elements { pointers, mask } = self.elements(*tensor, index, loc);
                let value = self.tile(*value);
                let after = self.wait(touched, loc);
                let token = self
                    .b
                    .op(MemoryOp::StorePtrTko, loc)
                    .operand("destination", pointers)
                    .operand("value", value)
                    .operand("mask", mask)
                    .operands("token", after.as_slice())
                    .attr("memory_ordering_semantics", weak())
                    .result(Type::token())
                    .finish_value();
                self.done(touched, token);
                return Val::Tuple(Vec::new());
            }
            Memory::Atomic {
                tensor,
                index,
                update,
            } => {
                let Elements { pointers, mask } = self.elements(*tensor, index, loc);
                let values = self.update_values(update);
                let mask = match update.mask {
                    None => mask,
                    Some(wanted) => {
                        let wanted = self.tile(wanted);
                        self.b.like_first(BitwiseOp::AndI, &[mask, wanted], loc)
                    }
                };
                let done = (pointers, Some(mask), values);
                return self.atomic(done, update, touched, id, loc);
            }
            Memory::AtomicTile {
                view,
                index,
                update,
            } => {
                let (partition, value) = self.padded_view(*view, None);
                let index = self.index(&partition, index);
                let values = self.update_values(update);
                let after = self.wait(touched, loc);
                let element = partition.tensor.element;
                let mode = mode(update.op, element).expect("checking refuses the others on views");
                // Checking made sure that the atomic is relaxed: it does not order other memory.
                let ordering = update.ordering.to_memory_ordering(update.op);
                let token = self
                    .b
                    .op(AtomicOpcode::AtomicRedViewTko, loc)
                    .operand("view", value)
                    .operands("index", &index)
                    .operand("value", values[0])
                    .operands("token", after.as_slice())
                    .attr("memory_ordering_semantics", Attr::MemoryOrdering(ordering))
                    .attr("memory_scope", Attr::MemoryScope(update.scope))
                    .attr("mode", Attr::RmwMode(mode))
                    .result(Type::token())
                    .finish_value();
                self.done(touched, token);
                return Val::Tuple(Vec::new());
            }
            Memory::Fence { scope } => {
                self.fence(*scope, loc);
                return Val::Tuple(Vec::new());
            }
            Memory::Address(_)
            | Memory::Offset(..)
            | Memory::Repeat(_)
            | Memory::Read { .. }
            | Memory::Write { .. }
            | Memory::AtomicPointer { .. } => return self.pointer(memory, id, loc),
        })
    }

    fn load_elements(
        &mut self,
        Elements { pointers, mask }: Elements,
        padding: Padding,
        touched: Option<(usize, Access)>,
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let ty = tile_type(self.ty(id));
        let scalar = self.element(id).scalar();
        let bits = padding_bits(padding, scalar);
        let other = self.b.splat(scalar, bits, self.shape(id), loc);
        let after = self.wait(touched, loc);
        let values = self
            .b
            .op(MemoryOp::LoadPtrTko, loc)
            .operand("source", pointers)
            .operand("mask", mask)
            .operand("paddingValue", other)
            .operands("token", after.as_slice())
            .attr("memory_ordering_semantics", weak())
            .result(ty)
            .result(Type::token())
            .finish_values();
        self.done(touched, values[1]);
        values[0]
    }

    fn stride(&mut self, tensor: ExprId, axis: usize, loc: Loc) -> ValueId {
        self.expr(tensor);
        let tensor = self
            .ty(tensor)
            .tensor()
            .expect("checking made sure of a tensor");
        match (self.tensors[&tensor.param].strides[axis], self.variant) {
            (None, _) => self.integer(HostScalar::I64, 1, loc),
            (Some(stride), Variant::General) => stride,
            (Some(stride), Variant::Fast) => self.widen(stride, loc),
        }
    }

    /// Extends an extent or stride of `fast` to 64 bits.
    fn widen(&mut self, value: ValueId, loc: Loc) -> ValueId {
        let sign = Some(Signedness::Unsigned);
        self.b
            .convert(ConversionOp::ExtI, value, Scalar::I64, sign, loc)
    }

    pub(super) fn update_values(&mut self, update: &Update) -> Vec<ValueId> {
        update.args.iter().map(|&arg| self.tile(arg)).collect()
    }

    /// Builds pointers to the elements of a tensor at indices of one shape.
    fn elements(&mut self, tensor: ExprId, index: &[ExprId], loc: Loc) -> Elements {
        let shape = self.shape(index[0]).to_vec();
        let narrow =
            self.variant == Variant::Fast && index.iter().all(|&id| self.element(id).bits() <= 32);
        let counter = if narrow {
            HostScalar::I32
        } else {
            HostScalar::I64
        };
        let mut indices = |this: &mut Self, axis: usize| {
            let value = this.tile(index[axis]);
            this.cast(value, this.element(index[axis]), counter, loc)
        };
        self.elements_at(tensor, &mut indices, counter, &shape, loc)
    }

    /// Builds pointers to the elements of a tensor from a start element on, in row-major order.
    fn window(&mut self, tensor: ExprId, start: &[ExprId], shape: &[i64], loc: Loc) -> Elements {
        // A signed sum that overflows 32 bits is negative and thus out of bounds; an unsigned sum
        // that wraps may be in bounds.
        let fits = |scalar: HostScalar| scalar.bits() + u32::from(!scalar.is_signed()) <= 32;
        let narrow =
            self.variant == Variant::Fast && start.iter().all(|&id| fits(self.element(id)));
        let counter = if narrow {
            HostScalar::I32
        } else {
            HostScalar::I64
        };
        let mut indices = |this: &mut Self, axis: usize| {
            let first = this.tile(start[axis]);
            let first = this.cast(first, this.element(start[axis]), counter, loc);
            let first = this.b.splat_value(first, shape, loc);
            let within = this.count_along(axis, shape, loc);
            let within = this.cast(within, HostScalar::I32, counter, loc);
            this.b.wrapping(IntegerOp::AddI, &[first, within], loc)
        };
        self.elements_at(tensor, &mut indices, counter, shape, loc)
    }

    /// Builds pointers to the elements of a tensor at indices of one shape and type, axis by axis.
    fn elements_at(
        &mut self,
        tensor: ExprId,
        index: &mut dyn FnMut(&mut Self, usize) -> ValueId,
        counter: HostScalar,
        shape: &[i64],
        loc: Loc,
    ) -> Elements {
        self.expr(tensor);
        let tensor = self
            .ty(tensor)
            .tensor()
            .expect("checking made sure of a tensor");
        let (param, pointee, rank) = (tensor.param, tensor.element, tensor.rank);
        let mut mask: Option<ValueId> = None;
        let mut distance: Option<ValueId> = None;
        for axis in 0..rank {
            let value = index(self, axis);
            let bound = &self.tensors[&param];
            let (dim, stride) = (bound.dims[axis], bound.strides[axis]);
            let dim = self.like_indices(dim, counter, shape, loc);
            let below = ComparisonPredicate::LessThan;
            let inside = self.b.cmpi(below, value, dim, Signedness::Unsigned, loc);
            mask = Some(match mask {
                Some(mask) => self.b.like_first(BitwiseOp::AndI, &[mask, inside], loc),
                None => inside,
            });
            let step = match stride {
                None => value,
                Some(stride) => {
                    let stride = self.like_indices(stride, counter, shape, loc);
                    self.b.wrapping(IntegerOp::MulI, &[value, stride], loc)
                }
            };
            distance = Some(match distance {
                Some(distance) => self.b.wrapping(IntegerOp::AddI, &[distance, step], loc),
                None => step,
            });
        }
        let mask = mask.expect("a tensor has an axis");
        let distance = distance.expect("a tensor has an axis");
        let zero = self.b.splat(counter.scalar(), 0, shape, loc);
        let ty = self.b.ty(distance);
        let distance = self
            .b
            .op(CoreOp::Select, loc)
            .args(&[mask, distance, zero])
            .result(ty)
            .finish_value();
        let base = self.tensors[&param].base;
        let base = self.b.splat_value(base, shape, loc);
        let pointers = self.offset(base, distance, pointee, shape, loc);
        Elements { pointers, mask }
    }

    /// Converts an extent or stride to the type of the indices and broadcasts it to their shape.
    fn like_indices(
        &mut self,
        value: ValueId,
        counter: HostScalar,
        shape: &[i64],
        loc: Loc,
    ) -> ValueId {
        let value = if self.variant == Variant::Fast && counter == HostScalar::I64 {
            self.widen(value, loc)
        } else {
            value
        };
        self.b.splat_value(value, shape, loc)
    }

    /// Builds an atomic through pointers, with its mask. The result holds the old values of the
    /// elements, or zero where the mask is false.
    pub(super) fn atomic(
        &mut self,
        (pointers, mask, values): (ValueId, Option<ValueId>, Vec<ValueId>),
        update: &Update,
        touched: Option<(usize, Access)>,
        id: ExprId,
        loc: Loc,
    ) -> Val {
        let after = self.before_atomic(update, touched, loc);
        let ordering = Attr::MemoryOrdering(update.ordering.to_memory_ordering(update.op));
        let scope = Attr::MemoryScope(update.scope);
        let opcode: Opcode = match update.op {
            AtomicOp::Load => MemoryOp::LoadPtrTko.into(),
            AtomicOp::Store => MemoryOp::StorePtrTko.into(),
            AtomicOp::Cas => AtomicOpcode::AtomicCasTko.into(),
            _ => AtomicOpcode::AtomicRmwTko.into(),
        };
        let padding = (update.op == AtomicOp::Load && mask.is_some()).then(|| self.zero(id, loc));
        let element = (update.op != AtomicOp::Store).then(|| self.element(id));
        let mode = element.and_then(|element| mode(update.op, element));
        let ty = element.map(|_| tile_type(self.ty(id)));
        let op = self.b.op(opcode, loc);
        let op = match (update.op, values.as_slice()) {
            (AtomicOp::Load, _) => op.operand("source", pointers),
            (AtomicOp::Store, [value]) => {
                op.operand("destination", pointers).operand("value", *value)
            }
            (AtomicOp::Cas, [expected, new]) => op
                .operand("pointers", pointers)
                .operand("cmp", *expected)
                .operand("val", *new),
            (_, [value]) => op.operand("pointers", pointers).operand("arg", *value),
            (_, values) => unreachable!("checking counted the operands, found {}", values.len()),
        };
        let op = op
            .operands("mask", mask.as_slice())
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope);
        let op = match padding {
            Some(padding) => op.operand("paddingValue", padding),
            None => op,
        };
        let op = op.operands("token", after.as_slice());
        let op = match mode {
            Some(mode) => op.attr("mode", Attr::RmwMode(mode)),
            None => op,
        };
        if update.op == AtomicOp::Store {
            let token = op.result(Type::token()).finish_value();
            self.after_atomic(update, touched, token, loc);
            return Val::Tuple(Vec::new());
        }
        let ty = ty.expect("all but stores give something");
        let results = op.result(ty).result(Type::token()).finish_values();
        self.after_atomic(update, touched, results[1], loc);
        Val::Tile(match mask {
            // The result of the operation is unspecified where the mask is false.
            Some(mask) if update.op != AtomicOp::Load => {
                let zero = self.zero(id, loc);
                self.b
                    .op(CoreOp::Select, loc)
                    .args(&[mask, results[0], zero])
                    .result(ty)
                    .finish_value()
            }
            _ => results[0],
        })
    }

    /// Builds a zero constant of the type of an expression.
    fn zero(&mut self, id: ExprId, loc: Loc) -> ValueId {
        let scalar = self.element(id).scalar();
        self.b.splat(scalar, 0, self.shape(id), loc)
    }
}

pub(super) fn weak() -> Attr {
    Attr::MemoryOrdering(MemoryOrdering::Weak)
}

/// Returns the read-modify-write mode of an atomic, or `None` for a compare-and-swap, load or store.
fn mode(op: AtomicOp, element: HostScalar) -> Option<AtomicRmwMode> {
    let signed = signedness(element) == Signedness::Signed;
    Some(match op {
        AtomicOp::Add if element.is_float() => AtomicRmwMode::AddF,
        AtomicOp::Add => AtomicRmwMode::Add,
        AtomicOp::Max if signed => AtomicRmwMode::Max,
        AtomicOp::Max => AtomicRmwMode::UMax,
        AtomicOp::Min if signed => AtomicRmwMode::Min,
        AtomicOp::Min => AtomicRmwMode::UMin,
        AtomicOp::And => AtomicRmwMode::And,
        AtomicOp::Or => AtomicRmwMode::Or,
        AtomicOp::Xor => AtomicRmwMode::Xor,
        AtomicOp::Xchg => AtomicRmwMode::Xchg,
        AtomicOp::Cas | AtomicOp::Load | AtomicOp::Store => return None,
    })
}
