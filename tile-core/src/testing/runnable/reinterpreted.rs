//! Pointers as numbers and as pointers to other types, and movement of tiles of pointers.
//!
//! All pointers here point to read-only memory. The only properties of an address that effects
//! depend on are those that buffers promise: they start at multiples of 8, and the distances
//! between their elements are known.

use super::memory::{Buffer, Role};
use super::{LOC, Maker};
use crate::ir::{Attr, MemoryOrdering, ValueId};
use crate::ops::{ConversionOp, CoreOp, IntegerOp, MemoryOp};
use crate::types::{Element, Scalar, Type};

impl Maker<'_> {
    /// Makes a load through pointers that were converted in between.
    pub(super) fn reinterpreted(&mut self) {
        let inputs: Vec<Buffer> = self
            .buffers
            .iter()
            .filter(|buffer| buffer.role == Role::Input)
            .cloned()
            .collect();
        let index = self.random.below(inputs.len());
        let Buffer { scalar, base, .. } = inputs[index].clone();
        let shape = self.tile_shape();
        let bytes = self.sizes.input * scalar.bytes() as u64;
        // A variable is aligned for its own elements only.
        let is_aligned = self.is_parameter(base);
        let scalars = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64];
        let fits = |to: &Scalar| is_aligned || to.bytes() <= scalar.bytes();
        let fitting: Vec<Scalar> = scalars.into_iter().filter(fits).collect();
        let to = self.random.pick(&fitting);
        match self.random.below(4) {
            0 => self.addresses(base, scalar, &shape),
            1 => {
                // Elements of another type.
                let elements = bytes / to.bytes() as u64;
                let base = self
                    .builder
                    .op(ConversionOp::PtrToPtr, LOC)
                    .args(&[base])
                    .result(Type::pointer(to))
                    .finish_value();
                let pointers = self.anywhere(base, elements, &shape);
                self.load_from(pointers, to, &shape);
            }
            2 => {
                let pointers = self.anywhere(base, self.sizes.input, &shape);
                let pointers = self.moved_pointers(pointers);
                let (_, shape) = self.pointees(pointers);
                self.load_from(pointers, scalar, &shape);
            }
            _ => {
                // A tile of pointers to a type that is not larger.
                let to = self
                    .random
                    .pick(&scalars[..=scalar.bytes().ilog2() as usize]);
                let pointers = self.anywhere(base, self.sizes.input, &shape);
                let pointers = self
                    .builder
                    .op(ConversionOp::PtrToPtr, LOC)
                    .args(&[pointers])
                    .result(pointers_to(to, &shape))
                    .finish_value();
                self.load_from(pointers, to, &shape);
            }
        }
    }

    /// Makes pointers to arbitrary elements of a buffer.
    fn anywhere(&mut self, base: ValueId, elements: u64, shape: &[i64]) -> ValueId {
        let offsets = self.value(Type::tile(Scalar::I32, shape));
        let offsets = self.bits_of(offsets, elements - 1);
        self.at(base, offsets)
    }

    /// Returns the pointee type and the shape of a tile of pointers.
    fn pointees(&self, pointers: ValueId) -> (Scalar, Vec<i64>) {
        let tile = self.builder.ty(pointers).as_tile().expect("a tile");
        let Element::Ptr(pointee) = tile.element else {
            unreachable!("a tile of pointers");
        };
        (pointee, tile.shape.clone())
    }

    /// Makes differences of addresses, and conversions of addresses to numbers and back.
    fn addresses(&mut self, base: ValueId, scalar: Scalar, shape: &[i64]) {
        let pointers = self.anywhere(base, self.sizes.input, shape);
        let int = Type::tile(Scalar::I64, shape);
        let starts = self.builder.splat_value(base, shape, LOC);
        let [addresses, starts] = [pointers, starts].map(|pointers| {
            let op = self.builder.op(ConversionOp::PtrToInt, LOC);
            op.args(&[pointers]).result(int).finish_value()
        });
        let distance = IntegerOp::SubI;
        let distances = self.builder.wrapping(distance, &[addresses, starts], LOC);
        self.show(distances);
        // The offset of the last element of the buffer.
        let last = (self.sizes.input - 1) * scalar.bytes() as u64;
        let last = self.builder.splat(Scalar::I64, last, shape, LOC);
        let mirrored = self.builder.wrapping(distance, &[last, distances], LOC);
        let sum = IntegerOp::AddI;
        let mirrored = self.builder.wrapping(sum, &[starts, mirrored], LOC);
        let pointers = self
            .builder
            .op(ConversionOp::IntToPtr, LOC)
            .args(&[mirrored])
            .result(pointers_to(scalar, shape))
            .finish_value();
        self.load_from(pointers, scalar, shape);
    }

    /// Rearranges pointers by changes of shape.
    fn moved_pointers(&mut self, pointers: ValueId) -> ValueId {
        let (pointee, shape) = self.pointees(pointers);
        let ty = self.builder.ty(pointers);
        let count: i64 = shape.iter().product();
        match self.random.below(6) {
            0 => self.builder.reshape(pointers, &[1, count], LOC),
            1 if shape.len() >= 2 => {
                let rank = i32::try_from(shape.len()).expect("small");
                let axes: Vec<i32> = (0..rank).rev().collect();
                self.builder.permute(pointers, &axes, LOC)
            }
            2 if !shape.is_empty() && count <= 256 => {
                let mut double = shape.clone();
                double[0] *= 2;
                let op = self
                    .builder
                    .op(CoreOp::Cat, LOC)
                    .args(&[pointers, pointers]);
                let op = op.attr("dim", Attr::Int(0));
                op.result(pointers_to(pointee, &double)).finish_value()
            }
            3 if shape.first().is_some_and(|&extent| extent > 1) => {
                let mut half = shape.clone();
                half[0] /= 2;
                let mut indices = vec![self.splat(Scalar::I32, 0, &[]); shape.len()];
                indices[0] = self.splat(Scalar::I32, 1, &[]);
                self.builder
                    .op(CoreOp::Extract, LOC)
                    .operand("source", pointers)
                    .operands("indices", &indices)
                    .result(pointers_to(pointee, &half))
                    .finish_value()
            }
            4 => {
                let condition = self.value(Type::tile(Scalar::I1, &shape));
                let back = self.builder.splat(Scalar::I32, 0, &shape, LOC);
                let other = self
                    .builder
                    .like_first(CoreOp::Offset, &[pointers, back], LOC);
                let op = self.builder.op(CoreOp::Select, LOC);
                op.args(&[condition, pointers, other])
                    .result(ty)
                    .finish_value()
            }
            _ => self.either_pointers(pointers),
        }
    }

    /// Passes pointers through a branch.
    fn either_pointers(&mut self, pointers: ValueId) -> ValueId {
        let (_, shape) = self.pointees(pointers);
        let zeros = self.builder.splat(Scalar::I64, 0, &shape, LOC);
        let other = self
            .builder
            .like_first(CoreOp::Offset, &[pointers, zeros], LOC);
        self.either(pointers, other)
    }

    fn load_from(&mut self, pointers: ValueId, scalar: Scalar, shape: &[i64]) {
        let op = self
            .builder
            .op(MemoryOp::LoadPtrTko, LOC)
            .operand("source", pointers)
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .results(&[Type::tile(scalar, shape), Type::token()])
            .finish();
        let value = self.builder.module().op(op).results[0];
        self.given_bits.insert(value);
        self.show(value);
    }
}

/// Returns the type of a tile of pointers.
fn pointers_to(pointee: Scalar, shape: &[i64]) -> Type {
    Type::tile(Element::Ptr(pointee), shape)
}
