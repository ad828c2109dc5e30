//! Emits the facts of a launch as tokens.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::hygiene::private;
use crate::grid_tiles::GridTiles;
use crate::hir::fact::{Fact, Input, Term};
use crate::parse::ast::BinaryOp;

/// Returns the field with the facts of an image, or `None` without facts.
pub(super) fn stated(facts: &[Fact]) -> Option<TokenStream> {
    if facts.is_empty() {
        return None;
    }
    let private = private();
    let facts = facts.iter().map(|Fact { text, condition }| {
        let condition = term(condition);
        quote!(#private::FactImage { text: #text, condition: #condition })
    });
    Some(quote!(facts: &[#(#facts),*]))
}

/// Returns the field with the unit-stride axes of `fast`, for tensors where they are not the
/// last axes.
pub(super) fn units(units: &[(usize, usize)]) -> Option<TokenStream> {
    if units.is_empty() {
        return None;
    }
    let units = units.iter().map(|&(param, axis)| {
        let [param, axis] = [param, axis].map(Literal::usize_unsuffixed);
        quote!((#param, #axis))
    });
    Some(quote!(units: &[#(#units),*]))
}

/// Returns the field with the tensors whose strides are read, or `None` without any.
pub(super) fn strides_read(params: &[usize]) -> Option<TokenStream> {
    if params.is_empty() {
        return None;
    }
    let params = params.iter().map(|&param| Literal::usize_unsuffixed(param));
    Some(quote!(strides_read: &[#(#params),*]))
}

/// Returns the field with the tiles that the grid counts, or `None` without any.
pub(super) fn grid(grid: &[GridTiles]) -> Option<TokenStream> {
    if grid.is_empty() {
        return None;
    }
    let private = private();
    let axes = grid.iter().map(|tiles| {
        let [axis, param, dim] =
            [tiles.axis, tiles.param, tiles.dim].map(Literal::usize_unsuffixed);
        let step = Literal::u64_unsuffixed(tiles.step);
        quote!(#private::GridTiles { axis: #axis, param: #param, dim: #dim, step: #step })
    });
    Some(quote!(grid_tiles: &[#(#axes),*]))
}

fn term(fact_term: &Term) -> TokenStream {
    let private = private();
    match fact_term {
        &Term::Int(value) => {
            let magnitude = Literal::u128_unsuffixed(value.unsigned_abs());
            let sign = (value < 0).then(|| quote!(-));
            quote!(#private::Term::Int(#sign #magnitude))
        }
        Term::Input(input) => {
            let number = Literal::usize_unsuffixed;
            match *input {
                Input::Scalar(param, scalar) => {
                    let (param, bits) = (number(param), Literal::u32_unsuffixed(scalar.bits()));
                    let signed = scalar.is_signed();
                    quote!(#private::Term::Scalar { param: #param, bits: #bits, signed: #signed })
                }
                Input::Dim(param, axis) => {
                    let (param, axis) = (number(param), number(axis));
                    quote!(#private::Term::Dim(#param, #axis))
                }
                Input::Stride(param, axis) => {
                    let (param, axis) = (number(param), number(axis));
                    quote!(#private::Term::Stride(#param, #axis))
                }
                Input::Address(param) => {
                    let param = number(param);
                    quote!(#private::Term::Address(#param))
                }
            }
        }
        Term::Neg(inner) => {
            let inner = term(inner);
            quote!(#private::Term::Neg(&#inner))
        }
        Term::Not(inner) => {
            let inner = term(inner);
            quote!(#private::Term::Not(&#inner))
        }
        Term::Cast(to, inner) => {
            let inner = term(inner);
            let (bits, signed) = (Literal::u32_unsuffixed(to.bits()), to.is_signed());
            quote!(#private::Term::Cast { bits: #bits, signed: #signed, value: &#inner })
        }
        Term::Binary(op, lhs, rhs) => {
            let (lhs, rhs) = (term(lhs), term(rhs));
            let op = operator(*op);
            quote!(#private::Term::Binary(#private::Operator::#op, &#lhs, &#rhs))
        }
    }
}

fn operator(op: BinaryOp) -> TokenStream {
    match op {
        BinaryOp::Add => quote!(Add),
        BinaryOp::Sub => quote!(Sub),
        BinaryOp::Mul => quote!(Mul),
        BinaryOp::Div => quote!(Div),
        BinaryOp::Rem => quote!(Rem),
        BinaryOp::BitAnd => quote!(BitAnd),
        BinaryOp::BitOr => quote!(BitOr),
        BinaryOp::BitXor => quote!(BitXor),
        BinaryOp::Shl => quote!(Shl),
        BinaryOp::Shr => quote!(Shr),
        BinaryOp::Eq => quote!(Eq),
        BinaryOp::Ne => quote!(Ne),
        BinaryOp::Lt => quote!(Lt),
        BinaryOp::Le => quote!(Le),
        BinaryOp::Gt => quote!(Gt),
        BinaryOp::Ge => quote!(Ge),
        BinaryOp::And => quote!(And),
        BinaryOp::Or => quote!(Or),
    }
}
