//! Parses patterns.

use super::ast::{Pat, Type};
use super::ty::ty;
use super::{Cx, expr, reject};
use tile_core::diag::{Code, Diagnostic};

/// Parses a pattern and its type annotation, if any.
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
        syn::Pat::Struct(it) if it.qself.is_none() => structure(cx, pat, it),
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

/// Returns a pattern of names, `_` and tuples of them as written.
pub(super) fn text(pat: &syn::Pat) -> Option<String> {
    match pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            let mutable = if ident.mutability.is_some() {
                "mut "
            } else {
                ""
            };
            Some(format!("{mutable}{}", ident.ident))
        }
        syn::Pat::Wild(_) => Some("_".to_owned()),
        syn::Pat::Tuple(tuple) => {
            let parts: Option<Vec<String>> = tuple.elems.iter().map(text).collect();
            Some(format!("({})", parts?.join(", ")))
        }
        _ => None,
    }
}

/// Returns the names that a Rust pattern of any kind binds.
pub(super) fn names(cx: &mut Cx<'_>, pat: &syn::Pat) -> Vec<Pat> {
    let mut names = Vec::new();
    collect_names(cx, pat, &mut names);
    names
}

fn collect_names(cx: &mut Cx<'_>, pat: &syn::Pat, names: &mut Vec<Pat>) {
    match pat {
        syn::Pat::Ident(ident) => {
            names.push(Pat::Name {
                name: cx.name(&ident.ident),
                mutable: ident.mutability.is_some(),
            });
            if let Some((_, sub)) = &ident.subpat {
                collect_names(cx, sub, names);
            }
        }
        syn::Pat::Type(typed) => collect_names(cx, &typed.pat, names),
        syn::Pat::Paren(paren) => collect_names(cx, &paren.pat, names),
        syn::Pat::Reference(reference) => collect_names(cx, &reference.pat, names),
        syn::Pat::Tuple(tuple) => tuple
            .elems
            .iter()
            .for_each(|pat| collect_names(cx, pat, names)),
        syn::Pat::TupleStruct(it) => it
            .elems
            .iter()
            .for_each(|pat| collect_names(cx, pat, names)),
        syn::Pat::Slice(slice) => slice
            .elems
            .iter()
            .for_each(|pat| collect_names(cx, pat, names)),
        syn::Pat::Struct(it) => it
            .fields
            .iter()
            .for_each(|field| collect_names(cx, &field.pat, names)),
        // All alternatives bind the same names, so the first one suffices.
        syn::Pat::Or(or) => or
            .cases
            .iter()
            .take(1)
            .for_each(|pat| collect_names(cx, pat, names)),
        _ => {}
    }
}

/// Parses `Name { a, b: pat, .. }` as the tuple of its fields.
fn structure(cx: &mut Cx<'_>, whole: &syn::Pat, it: &syn::PatStruct) -> Pat {
    let segments = it.path.segments.iter();
    let tokens = segments.map(|segment| proc_macro2::TokenTree::from(segment.ident.clone()));
    let name = crate::collect::free::path_text(tokens.collect());
    let loc = cx.node(whole);
    let Some(declared) = cx.structs.get(&name).cloned() else {
        cx.refuse(reject::pat(whole), loc);
        return Pat::Wild(loc);
    };
    let mut parts: Vec<Option<Pat>> = vec![None; declared.len()];
    for field in &it.fields {
        let syn::Member::Named(ident) = &field.member else {
            continue;
        };
        let name = cx.name(ident);
        let part = plain(cx, &field.pat);
        match declared.iter().position(|other| *other == name.text) {
            Some(index) if parts[index].is_none() => parts[index] = Some(part),
            _ => {
                let message = format!("there is no field `{}` to take here", name.text);
                let help = format!("the fields are `{}`, each once", declared.join("`, `"));
                cx.diagnostics
                    .error(Diagnostic::error(Code::UnknownName, name.loc, message).help(help));
            }
        }
    }
    let missing: Vec<&str> = declared
        .iter()
        .zip(&parts)
        .filter(|(_, part)| part.is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    if !missing.is_empty() && it.rest.is_none() {
        let message = format!("the pattern does not take `{}`", missing.join("`, `"));
        cx.diagnostics.error(
            Diagnostic::error(Code::BadArguments, loc, message)
                .help("add the field, or `..` for all others"),
        );
    }
    let parts = parts.into_iter();
    let parts = parts.map(|part| part.unwrap_or(Pat::Wild(loc)));
    Pat::Tuple(parts.collect(), loc)
}
