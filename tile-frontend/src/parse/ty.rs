//! Parses types.

use super::ast::{Expr, ExprKind, Name, Type};
use super::{Cx, expr, reject};
use crate::parse::expr::sole_expression;
use syn::{GenericArgument, PathArguments};
use tile_core::Loc;

/// Parses a type.
pub(super) fn ty(cx: &mut Cx<'_>, ty: &syn::Type) -> Type {
    match ty {
        syn::Type::Paren(paren) => self::ty(cx, &paren.elem),
        syn::Type::Group(group) => self::ty(cx, &group.elem),
        syn::Type::Infer(_) => Type::Infer,
        syn::Type::Tuple(tuple) => {
            let loc = cx.token(tuple.paren_token.span.join());
            let parts = tuple.elems.iter().map(|part| self::ty(cx, part)).collect();
            Type::Tuple(parts, loc)
        }
        syn::Type::Reference(reference) => referenced(cx, ty, reference),
        syn::Type::Path(path) if path.qself.is_none() => named(cx, ty, &path.path),
        other => refused(cx, other),
    }
}

fn refused(cx: &mut Cx<'_>, ty: &syn::Type) -> Type {
    let loc = cx.node(ty);
    cx.refuse(reject::ty(ty), loc);
    Type::Error
}

/// Returns the type without parentheses and without the invisible groups of `macro_rules`.
pub(super) fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(paren) => bare(&paren.elem),
        syn::Type::Group(group) => bare(&group.elem),
        other => other,
    }
}

/// Returns `true` for paths whose last segment alone names a number type.
pub(super) fn is_number_path(path: &syn::Path) -> bool {
    let first = path.segments.first();
    path.segments.len() == 1
        || first.is_some_and(|first| {
            ["half", "tile_kernel", "core", "std"]
                .iter()
                .any(|root| first.ident == root)
        })
}

/// Returns the segments of a path as one name.
fn joined(cx: &mut Cx<'_>, path: &syn::Path) -> Name {
    let text = crate::collect::free::path_text(
        path.segments
            .iter()
            .map(|segment| proc_macro2::TokenTree::from(segment.ident.clone()))
            .collect(),
    );
    let loc = match path.segments.last() {
        Some(last) => cx.token(last.ident.span()),
        None => cx.token(proc_macro2::Span::call_site()),
    };
    Name { text, loc }
}

/// Parses `&Tensor<f32, 2>`, `&mut Tensor<f32, 2>` or `&Partition<f32, { [64, 64] }>`.
fn referenced(cx: &mut Cx<'_>, whole: &syn::Type, reference: &syn::TypeReference) -> Type {
    let syn::Type::Path(path) = bare(&reference.elem) else {
        return refused(cx, whole);
    };
    let Some(last) = path.path.segments.last() else {
        return refused(cx, whole);
    };
    if last.ident == "Partition" {
        return ty(cx, &reference.elem);
    }
    if last.ident != "Tensor" {
        return refused(cx, whole);
    }
    let loc = cx.node(whole);
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().collect::<Vec<&GenericArgument>>()
        }
        _ => Vec::new(),
    };
    let parsed = match arguments.as_slice() {
        [GenericArgument::Type(element), rank] => {
            element_name(cx, element).zip(constant_argument(cx, rank))
        }
        _ => None,
    };
    let Some((element, rank)) = parsed else {
        cx.refuse(
            reject::Refusal::new(
                "a tensor without element type and rank",
                "write the element type and the number of axes, as in `&Tensor<f32, 2>`",
            ),
            loc,
        );
        return Type::Error;
    };
    Type::Tensor {
        element,
        rank: Box::new(rank),
        mutable: reference.mutability.is_some(),
        loc,
    }
}

fn element_name(cx: &mut Cx<'_>, ty: &syn::Type) -> Option<Name> {
    match bare(ty) {
        syn::Type::Path(path) if path.qself.is_none() => {
            if is_number_path(&path.path) {
                let last = path.path.segments.last()?;
                return Some(cx.name(&last.ident));
            }
            Some(joined(cx, &path.path))
        }
        _ => None,
    }
}

/// Parses a constant among generic arguments, where syn parses a plain name as a type.
pub(super) fn constant_argument(cx: &mut Cx<'_>, argument: &GenericArgument) -> Option<Expr> {
    match argument {
        GenericArgument::Const(value) => {
            let value = sole_expression(value)?;
            Some(expr::expr(cx, value))
        }
        GenericArgument::Type(ty) => match bare(ty) {
            syn::Type::Path(path) if path.qself.is_none() => {
                let value = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: path.path.clone(),
                });
                Some(expr::expr(cx, &value))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Parses the dimensions of a shape among generic arguments.
fn shape(cx: &mut Cx<'_>, argument: &GenericArgument) -> Option<Vec<Expr>> {
    match constant_argument(cx, argument)?.kind {
        ExprKind::Array(dims) => Some(dims),
        _ => None,
    }
}

fn named(cx: &mut Cx<'_>, ty: &syn::Type, path: &syn::Path) -> Type {
    let Some(last) = path.segments.last() else {
        return refused(cx, ty);
    };
    match &last.arguments {
        PathArguments::None if is_number_path(path) => Type::Name(cx.name(&last.ident)),
        PathArguments::None => {
            let name = joined(cx, path);
            if cx.is_item(&name.text) {
                return Type::Name(name);
            }
            refused(cx, ty)
        }
        PathArguments::AngleBracketed(arguments)
            if last.ident == "Tile" || last.ident == "Partition" =>
        {
            let arguments: Vec<&GenericArgument> = arguments.args.iter().collect();
            let parsed = match arguments.as_slice() {
                [GenericArgument::Type(element), dims] => {
                    element_name(cx, element).zip(shape(cx, dims))
                }
                _ => None,
            };
            let loc: Loc = cx.node(ty);
            match parsed {
                Some((element, dims)) if last.ident == "Tile" => Type::Tile(element, dims, loc),
                Some((element, dims)) => Type::Partition(element, dims, loc),
                None => refused(cx, ty),
            }
        }
        PathArguments::AngleBracketed(arguments) => {
            let name = joined(cx, path);
            if !cx.is_item(&name.text) && name.text != "Self" {
                return refused(cx, ty);
            }
            let arguments = expr::generics(cx, arguments);
            let loc = cx.node(ty);
            Type::Generic(name, arguments, loc)
        }
        PathArguments::Parenthesized(_) => refused(cx, ty),
    }
}
