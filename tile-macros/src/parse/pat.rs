//! Patterns and types.

use super::ast::{Pat, Type};
use super::{Cx, reject};
use crate::parse::expr;
use syn::{GenericArgument, PathArguments};

/// A pattern; its type annotation, if any, is given back too.
pub(super) fn pattern(cx: &mut Cx<'_>, pat: &syn::Pat) -> (Pat, Option<Type>) {
    if let syn::Pat::Type(typed) = pat {
        let (pat, _) = pattern(cx, &typed.pat);
        let ty = ty(cx, &typed.ty);
        return (pat, Some(ty));
    }
    (plain(cx, pat), None)
}

fn plain(cx: &mut Cx<'_>, pat: &syn::Pat) -> Pat {
    match pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() => {
            let name = cx.name(&ident.ident);
            let mutable = ident.mutability.is_some();
            match &ident.subpat {
                None => Pat::Name { name, mutable },
                Some((_, sub)) => Pat::At {
                    name,
                    mutable,
                    pat: Box::new(plain(cx, sub)),
                },
            }
        }
        syn::Pat::Wild(wild) => Pat::Wild(cx.token(wild.underscore_token.span)),
        syn::Pat::Rest(rest) => {
            let loc = cx.node(rest);
            Pat::Rest(loc)
        }
        syn::Pat::Paren(paren) => plain(cx, &paren.pat),
        syn::Pat::Tuple(tuple) => {
            let loc = cx.token(tuple.paren_token.span.join());
            let parts = tuple.elems.iter().map(|part| plain(cx, part)).collect();
            Pat::Tuple(parts, loc)
        }
        syn::Pat::Or(or) => {
            let loc = cx.node(or);
            Pat::Or(or.cases.iter().map(|case| plain(cx, case)).collect(), loc)
        }
        syn::Pat::Lit(lit) => Pat::Value(Box::new(expr::expr(cx, &syn::Expr::Lit(lit.clone())))),
        syn::Pat::Const(block) => {
            let block = syn::Expr::Const(block.clone());
            Pat::Value(Box::new(expr::expr(cx, &block)))
        }
        syn::Pat::Path(path) => {
            Pat::Value(Box::new(expr::expr(cx, &syn::Expr::Path(path.clone()))))
        }
        syn::Pat::Range(range) => {
            let loc = cx.node(range);
            let mut end = |end: &Option<Box<syn::Expr>>| {
                end.as_ref().map(|end| Box::new(expr::expr(cx, end)))
            };
            let low = end(&range.start);
            let high = end(&range.end);
            let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
            Pat::Range {
                low,
                high,
                inclusive,
                loc,
            }
        }
        other => {
            let loc = cx.node(other);
            cx.refuse(reject::pat(other), loc);
            Pat::Wild(loc)
        }
    }
}

/// A type.
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
        syn::Type::Path(path) if path.qself.is_none() => named(cx, ty, &path.path),
        other => refused(cx, other),
    }
}

fn refused(cx: &mut Cx<'_>, ty: &syn::Type) -> Type {
    let loc = cx.node(ty);
    cx.refuse(reject::ty(ty), loc);
    Type::Error
}

/// The type without parentheses and the invisible groups of `macro_rules`.
pub(super) fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(paren) => bare(&paren.elem),
        syn::Type::Group(group) => bare(&group.elem),
        other => other,
    }
}

/// Paths whose last segment alone names a number type.
pub(super) fn is_number_path(path: &syn::Path) -> bool {
    let first = path.segments.first();
    path.segments.len() == 1
        || first.is_some_and(|first| {
            ["half", "tile_kernel", "core", "std"]
                .iter()
                .any(|root| first.ident == root)
        })
}

fn named(cx: &mut Cx<'_>, ty: &syn::Type, path: &syn::Path) -> Type {
    let Some(last) = path.segments.last() else {
        return refused(cx, ty);
    };
    match &last.arguments {
        PathArguments::None if is_number_path(path) => Type::Name(cx.name(&last.ident)),
        PathArguments::AngleBracketed(arguments) if last.ident == "Tile" => {
            let mut arguments = arguments.args.iter();
            let (
                Some(GenericArgument::Type(syn::Type::Path(element))),
                Some(GenericArgument::Const(shape)),
                None,
            ) = (arguments.next(), arguments.next(), arguments.next())
            else {
                return refused(cx, ty);
            };
            let Some(element) = element.path.get_ident() else {
                return refused(cx, ty);
            };
            let Some(syn::Expr::Array(shape)) = expr::sole_expression(shape) else {
                return refused(cx, ty);
            };
            let loc = cx.node(ty);
            let element = cx.name(element);
            let shape = shape.elems.iter().map(|dim| expr::expr(cx, dim)).collect();
            Type::Tile(element, shape, loc)
        }
        _ => refused(cx, ty),
    }
}
