//! Conversions between element types.

use super::Generator;
use crate::ir::{Attr, RoundingMode};
use crate::ops::ConversionOp;
use crate::types::{Element, Scalar, Type};
use crate::verify::ftof_modes;

impl Generator<'_, '_, '_> {
    pub(super) fn conversion(&mut self, opcode: ConversionOp) {
        match opcode {
            ConversionOp::BitCast => {
                self.between(
                    opcode,
                    |scalar| scalar != Scalar::I4,
                    |from, to| to.bits() == from.bits() && to != Scalar::I4,
                );
            }
            ConversionOp::ExtI => self.between(opcode, Scalar::is_integer, |from, to| {
                to.is_integer() && to.bits() > from.bits()
            }),
            ConversionOp::TruncI => self.between(opcode, Scalar::is_integer, |from, to| {
                to.is_integer() && to.bits() < from.bits()
            }),
            ConversionOp::FToF => self.between(opcode, Scalar::is_float, |from, to| {
                to.is_float() && to != from
            }),
            ConversionOp::FToI => self.between(opcode, Scalar::is_float, |_, to| {
                to.is_integer() && to != Scalar::I4
            }),
            ConversionOp::IToF => self.between(
                opcode,
                |scalar| scalar.is_integer() && scalar != Scalar::I4,
                |_, to| to.is_float() && to != Scalar::F8E8M0FNU,
            ),
            ConversionOp::IntToPtr => {
                let from = self.tile_type(|element| element == Element::Scalar(Scalar::I64));
                self.pointers_from(opcode, from);
            }
            ConversionOp::PtrToPtr => {
                let from = self.tile_type(is_pointer);
                self.pointers_from(opcode, from);
            }
            ConversionOp::PtrToInt => {
                let from = self.tile_type(is_pointer);
                let source = self.value(from);
                let shape = &from.as_tile().expect("a tile").shape;
                self.plain(opcode, &[source], Type::tile(Scalar::I64, shape));
            }
        }
    }

    fn pointers_from(&mut self, opcode: ConversionOp, from: Type) {
        let source = self.value(from);
        let pointee = self.scalar(|scalar| scalar != Scalar::I4);
        let shape = &from.as_tile().expect("a tile").shape;
        self.plain(opcode, &[source], Type::tile(Element::Ptr(pointee), shape));
    }

    /// Makes a conversion from an element type that `accept` admits to one that `pair` admits for
    /// it. Does nothing if there is no such type, or no tile of the shape.
    fn between(
        &mut self,
        opcode: ConversionOp,
        accept: fn(Scalar) -> bool,
        pair: fn(Scalar, Scalar) -> bool,
    ) {
        let from = self.tile_type(|element| matches!(element, Element::Scalar(s) if accept(s)));
        let (scalar, shape) = from.as_number_tile().expect("a tile of numbers");
        let is_odd = shape.iter().all(|&dim| dim == 1);
        let fits = |to: Scalar| pair(scalar, to) && !(is_odd && to == Scalar::F4E2M1FN);
        if !self.has_scalar(fits) {
            return;
        }
        let to = self.scalar(fits);
        let source = self.value(from);
        let mut attrs = self.attrs(opcode.into(), Some(to));
        if opcode == ConversionOp::FToF {
            // An omitted rounding mode means to nearest.
            attrs.clear();
            let mode = self.random.pick(ftof_modes(scalar, to));
            if mode != RoundingMode::NearestEven || self.random.one_in(2) {
                attrs.push(("rounding_mode", Attr::Rounding(mode)));
            }
        }
        let loc = self.loc();
        let mut op = self.builder.op(opcode, loc).args(&[source]);
        for (name, value) in attrs {
            op = op.attr(name, value);
        }
        let op = op.result(Type::tile(to, shape)).finish();
        self.define(op);
    }
}

fn is_pointer(element: Element) -> bool {
    matches!(element, Element::Ptr(_))
}
