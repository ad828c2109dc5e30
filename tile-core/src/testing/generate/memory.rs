//! Access through pointers, tokens and atomics.

use super::Generator;
use crate::ir::{AtomicRmwMode, Attr, ValueId};
use crate::ops::{AtomicOp, MemoryOp};
use crate::types::{Element, Scalar, Type};

impl Generator<'_, '_, '_> {
    pub(super) fn memory(&mut self, opcode: MemoryOp) {
        match opcode {
            MemoryOp::Alloca => {
                let pointee = self.scalar(|scalar| scalar != Scalar::I4);
                self.alloca(pointee);
            }
            MemoryOp::GdcLaunchDependentsTko | MemoryOp::GdcWaitTko => {
                let token = self.maybe_token();
                let loc = self.loc();
                let op = self.builder.op(opcode, loc).operands("token", &token);
                let op = op.result(Type::token()).finish();
                self.define(op);
            }
            MemoryOp::JoinTokens => {
                let count = 2 + self.random.below(3);
                let tokens = self.values(&vec![Type::token(); count]);
                let loc = self.loc();
                let op = self.builder.op(opcode, loc).operands("tokens", &tokens);
                let op = op.result(Type::token()).finish();
                self.define(op);
            }
            MemoryOp::LoadPtrTko => self.load_ptr(),
            MemoryOp::MakeToken => {
                self.plain(opcode, &[], Type::token());
            }
            MemoryOp::MemoryFenceAliasTko => {
                let token = self.value(Type::token());
                self.plain(opcode, &[token], Type::token());
            }
            MemoryOp::StorePtrTko => self.store_ptr(),
        }
    }

    pub(super) fn alloca(&mut self, pointee: Scalar) -> ValueId {
        let least = pointee.bytes().ilog2() as usize;
        let alignment = 1_i64 << (least + self.random.below(5));
        let elements = 1_i64 << self.random.below(8);
        let global = self.random.one_in(2);
        let loc = self.loc();
        let op = self
            .builder
            .op(MemoryOp::Alloca, loc)
            .attr("num_elem", Attr::Int(elements))
            .attr("alignment", Attr::Int(alignment))
            .flag("global", global)
            .result(Type::pointer(pointee))
            .finish();
        self.define(op)
    }

    /// Returns a mask of the shape of `ty`, half of the time.
    fn maybe_mask(&mut self, ty: Type) -> Vec<ValueId> {
        let shape = &ty.as_tile().expect("a tile").shape;
        if self.random.one_in(2) {
            vec![self.value(Type::tile(Scalar::I1, shape))]
        } else {
            Vec::new()
        }
    }

    /// Returns pointers and the type of the tile that they point to; `accept` admits the elements.
    fn pointers_and_data(&mut self, accept: impl Fn(Scalar) -> bool) -> (ValueId, Type) {
        let ty = self.tile_type(|element| matches!(element, Element::Ptr(s) if accept(s)));
        let tile = ty.as_tile().expect("a tile");
        let Element::Ptr(pointee) = tile.element else {
            unreachable!("pointers were asked for");
        };
        let mut ty = ty;
        let mut shape = tile.shape.clone();
        if pointee == Scalar::F4E2M1FN && shape.iter().all(|&dim| dim == 1) {
            shape = vec![2];
            ty = Type::tile(Element::Ptr(pointee), &shape);
        }
        let data = Type::tile(pointee, &shape);
        (self.value(ty), data)
    }

    fn load_ptr(&mut self) {
        let (source, data) = self.pointers_and_data(|_| true);
        let mask = self.maybe_mask(data);
        // Without a mask there is no padding either, and the custom assembly format cannot express
        // one.
        let padding = if !mask.is_empty() && self.random.one_in(2) {
            vec![self.value(data)]
        } else {
            Vec::new()
        };
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b0_0111, 0b111);
        let hints = self.access_hints(false);
        let loc = self.loc();
        let op = self
            .builder
            .op(MemoryOp::LoadPtrTko, loc)
            .operand("source", source)
            .operands("mask", &mask)
            .operands("paddingValue", &padding)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("optimization_hints", hints)
            .results(&[data, Type::token()])
            .finish();
        self.define(op);
    }

    fn store_ptr(&mut self) {
        let (destination, data) = self.pointers_and_data(|_| true);
        let value = self.value(data);
        let mask = self.maybe_mask(data);
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b0_1011, 0b111);
        let hints = self.access_hints(false);
        let loc = self.loc();
        let op = self
            .builder
            .op(MemoryOp::StorePtrTko, loc)
            .operand("destination", destination)
            .operand("value", value)
            .operands("mask", &mask)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("optimization_hints", hints)
            .result(Type::token())
            .finish();
        self.define(op);
    }

    pub(super) fn atomic(&mut self, opcode: AtomicOp) {
        match opcode {
            AtomicOp::AtomicCasTko => self.atomic_cas(),
            AtomicOp::AtomicRmwTko => self.atomic_rmw(),
            AtomicOp::AtomicRedViewTko => self.atomic_red_view(),
        }
    }

    fn atomic_cas(&mut self) {
        let (pointers, data) =
            self.pointers_and_data(|scalar| has_mode(AtomicRmwMode::Xchg, scalar));
        let values = self.values(&[data, data]);
        let mask = self.maybe_mask(data);
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b1_1110, 0b111);
        let loc = self.loc();
        let op = self
            .builder
            .op(AtomicOp::AtomicCasTko, loc)
            .args(&[pointers, values[0], values[1]])
            .operands("mask", &mask)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .results(&[data, Type::token()])
            .finish();
        self.define(op);
    }

    fn atomic_rmw(&mut self) {
        let mode = self.random.pick(AtomicRmwMode::ALL);
        let (pointers, data) = self.pointers_and_data(|scalar| has_mode(mode, scalar));
        let arg = self.value(data);
        let mask = self.maybe_mask(data);
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b1_1110, 0b111);
        let loc = self.loc();
        let op = self
            .builder
            .op(AtomicOp::AtomicRmwTko, loc)
            .args(&[pointers, arg])
            .operands("mask", &mask)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("mode", Attr::RmwMode(mode))
            .results(&[data, Type::token()])
            .finish();
        self.define(op);
    }
}

/// Returns `true` if an atomic of this mode supports elements of this type.
pub(in crate::testing) fn has_mode(mode: AtomicRmwMode, scalar: Scalar) -> bool {
    match mode {
        AtomicRmwMode::AddF => scalar.is_base_float(),
        AtomicRmwMode::Xchg => matches!(
            scalar,
            Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64
        ),
        AtomicRmwMode::And
        | AtomicRmwMode::Or
        | AtomicRmwMode::Xor
        | AtomicRmwMode::Add
        | AtomicRmwMode::Max
        | AtomicRmwMode::Min
        | AtomicRmwMode::UMax
        | AtomicRmwMode::UMin => matches!(scalar, Scalar::I32 | Scalar::I64),
    }
}
