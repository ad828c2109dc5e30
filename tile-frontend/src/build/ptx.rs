//! Builds `ptx.inline` from `ptx!`: names become register numbers.
//!
//! A text with checked operands becomes one operation, with the registers of results first. The
//! dialect has no register that is both read and written: the register of an `inout` is a result,
//! and the text first moves the input into it, bit for bit.

use super::{Build, Val, tile_type};
use crate::hir::{ExprId, Ptx, PtxOperand, PtxPiece, Ty};
use std::fmt::Write as _;
use tile_core::ir::{Attr, ValueId};
use tile_core::ops::{ConversionOp, MiscOp};
use tile_core::types::{Element, Type};
use tile_core::verify::ptx_registers;
use tile_core::{Loc, Scalar};

impl<'k> Build<'k, '_> {
    pub(super) fn inline_ptx(&mut self, ptx: &'k Ptx, id: ExprId, loc: Loc) -> Val {
        let args: Vec<ValueId> = ptx.ins.iter().map(|&arg| self.tile(arg)).collect();
        let from: Vec<Scalar> = ptx
            .ins
            .iter()
            .map(|&arg| self.element(arg).scalar())
            .collect();
        let types: Vec<Type> = match self.ty(id) {
            Ty::Tuple(parts) => parts.iter().map(tile_type).collect(),
            ty => vec![tile_type(ty)],
        };
        let to: Vec<Scalar> = types.iter().map(|&ty| scalar(ty)).collect();
        let mut held = to.clone();
        for operand in &ptx.operands {
            if let PtxOperand::InOut { input, output } = *operand
                && from[input] != to[output]
            {
                held[output] = untyped(to[output]);
            }
        }
        let text = numbered(ptx, &held, &from);
        let results: Vec<Type> = types
            .iter()
            .zip(&held)
            .map(|(ty, &held)| {
                let tile = ty.as_tile().expect("an output is a number or a tile");
                Type::tile(held, &tile.shape)
            })
            .collect();
        let opcode = if ptx.pure {
            MiscOp::PtxPure
        } else {
            MiscOp::Ptx
        };
        let pack = i64::try_from(ptx.pack).expect("checked: a text takes few elements");
        let values = self
            .b
            .op(opcode, loc)
            .operands("args", &args)
            .attr("text", Attr::Str(text.into()))
            .attr("pack", Attr::Int(pack))
            .results(&results)
            .finish_values();
        let mut vals = Vec::with_capacity(values.len());
        for ((value, &held), &to) in values.into_iter().zip(&held).zip(&to) {
            vals.push(Val::Tile(if held == to {
                value
            } else {
                self.b.convert(ConversionOp::BitCast, value, to, None, loc)
            }));
        }
        match (self.ty(id), vals.as_slice()) {
            (Ty::Tuple(_), _) => Val::Tuple(vals),
            (_, [value]) => value.clone(),
            (_, _) => unreachable!("there is a value of that type"),
        }
    }
}

/// Returns the element type of a tile of numbers.
fn scalar(ty: Type) -> Scalar {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Element::Scalar(scalar)) => scalar,
        Some(Element::Ptr(_)) | None => unreachable!("checked: outputs are numbers"),
    }
}

/// Returns the integer type whose register holds the same bits and which untyped instructions
/// accept.
fn untyped(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::F32 => Scalar::I32,
        Scalar::F64 => Scalar::I64,
        other => other,
    }
}

/// Returns the text with operands replaced by register numbers.
fn numbered(ptx: &Ptx, to: &[Scalar], from: &[Scalar]) -> String {
    let mut next = 0;
    let mut places = |scalars: &[Scalar]| -> Vec<(usize, u32, usize)> {
        let each = scalars.iter().map(|&scalar| {
            let held = ptx_registers(scalar, ptx.pack)
                .expect("checked: PTX has registers for the operand");
            next += held.count;
            (next - held.count, held.bits, held.count)
        });
        each.collect()
    };
    let (to, from) = (places(to), places(from));
    let mut text = String::new();
    for operand in &ptx.operands {
        let PtxOperand::InOut { input, output } = *operand else {
            continue;
        };
        let (into, bits, count) = to[output];
        for register in 0..count {
            // The moves are added to the first line of the text, so that all lines keep their
            // numbers.
            let (into, out_of) = (into + register, from[input].0 + register);
            let _ = write!(text, "mov.b{bits} {{{into}}}, {{{out_of}}}; ");
        }
    }
    for piece in &ptx.text {
        match piece {
            PtxPiece::Text(plain) => text.push_str(plain),
            PtxPiece::Register { operand, register } => {
                let first = match ptx.operands[*operand] {
                    PtxOperand::In(input) => from[input].0,
                    PtxOperand::Out(output) | PtxOperand::InOut { output, .. } => to[output].0,
                    PtxOperand::Const => unreachable!("checked: constants are in the text"),
                };
                let _ = write!(text, "{{{}}}", first + register);
            }
        }
    }
    text
}
