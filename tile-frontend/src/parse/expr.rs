//! Parses expressions.

use super::ast::{BinaryOp, Expr, ExprKind, GenericArg, Name, Subscript, Type, UnaryOp};
use super::reject::Refusal;
use super::{Cx, jump, macros, parallel, reject, stmt, ty};
use crate::hir::Float;
use crate::hir::signature::HostScalar;
use crate::report::Extent;
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::{PathArguments, Token};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Returns the expression inside parentheses, invisible groups and `{ .. }`.
pub(super) fn sole_expression(expr: &syn::Expr) -> Option<&syn::Expr> {
    match expr {
        syn::Expr::Paren(paren) => sole_expression(&paren.expr),
        syn::Expr::Group(group) => sole_expression(&group.expr),
        syn::Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(expr, None)] => sole_expression(expr),
            _ => None,
        },
        other => Some(other),
    }
}

fn refused(cx: &mut Cx<'_>, expr: &syn::Expr) -> Expr {
    let loc = refused_span(cx, expr);
    let refusal = reject::expr(cx, expr);
    cx.refuse(refusal, loc);
    Expr {
        kind: ExprKind::Error,
        loc,
    }
}

/// Returns the location of the keyword if there is one, since underlining a whole loop does not
/// help.
fn refused_span(cx: &mut Cx<'_>, expr: &syn::Expr) -> Loc {
    match expr {
        syn::Expr::Async(it) => cx.token(it.async_token.span),
        syn::Expr::Try(it) => cx.token(it.question_token.span),
        other => cx.node(other),
    }
}

fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::Binary(it) => &it.attrs,
        syn::Expr::Block(it) => &it.attrs,
        syn::Expr::Unsafe(it) => &it.attrs,
        syn::Expr::Call(it) => &it.attrs,
        syn::Expr::ForLoop(it) => &it.attrs,
        syn::Expr::While(it) => &it.attrs,
        syn::Expr::Loop(it) => &it.attrs,
        syn::Expr::Break(it) => &it.attrs,
        syn::Expr::Continue(it) => &it.attrs,
        syn::Expr::Return(it) => &it.attrs,
        syn::Expr::Match(it) => &it.attrs,
        syn::Expr::If(it) => &it.attrs,
        syn::Expr::MethodCall(it) => &it.attrs,
        syn::Expr::Assign(it) => &it.attrs,
        syn::Expr::Path(it) => &it.attrs,
        syn::Expr::Lit(it) => &it.attrs,
        syn::Expr::Unary(it) => &it.attrs,
        syn::Expr::Cast(it) => &it.attrs,
        syn::Expr::Tuple(it) => &it.attrs,
        syn::Expr::Array(it) => &it.attrs,
        syn::Expr::Paren(it) => &it.attrs,
        syn::Expr::Field(it) => &it.attrs,
        _ => &[],
    }
}

/// Parses an expression.
pub(super) fn expr(cx: &mut Cx<'_>, expr: &syn::Expr) -> Expr {
    cx.no_attributes(attributes(expr));
    match expr {
        syn::Expr::Paren(paren) => {
            let inner = self::expr(cx, &paren.expr);
            let loc = cx.token(paren.paren_token.span.join());
            Expr { loc, ..inner }
        }
        syn::Expr::Group(group) => self::expr(cx, &group.expr),
        syn::Expr::Lit(lit) => literal(cx, expr, &lit.lit),
        syn::Expr::Path(path) => path_expr(cx, expr, path),
        syn::Expr::Unary(unary) => {
            let (op, span) = match unary.op {
                syn::UnOp::Neg(token) => (UnaryOp::Neg, token.span),
                syn::UnOp::Not(token) => (UnaryOp::Not, token.span),
                _ => return refused(cx, expr),
            };
            let value = self::expr(cx, &unary.expr);
            let start = cx.token(span);
            let loc = cx.spans.join(start, value.loc);
            let kind = ExprKind::Unary(op, Box::new(value));
            Expr { kind, loc }
        }
        syn::Expr::Binary(it) => binary(cx, it),
        syn::Expr::Assign(it) => {
            let place = assignee(cx, &it.left);
            let value = self::expr(cx, &it.right);
            let loc = cx.spans.join(place.loc, value.loc);
            let kind = ExprKind::Assign(Box::new(place), Box::new(value));
            Expr { kind, loc }
        }
        syn::Expr::Cast(it) => {
            let value = self::expr(cx, &it.expr);
            let ty = ty::ty(cx, &it.ty);
            let end = cx.node(&*it.ty);
            let loc = cx.spans.join(value.loc, end);
            let kind = ExprKind::Cast(Box::new(value), ty);
            Expr { kind, loc }
        }
        syn::Expr::Call(it) => match parallel::chain(cx, expr) {
            Some(literal) => literal,
            None => call(cx, expr, it),
        },
        syn::Expr::MethodCall(it) if starts_with_a_range(&it.receiver) => {
            let loc = cx.node(expr);
            let help = jump::accumulated(cx, it).unwrap_or_else(|| {
                "write a `for` loop over the range, with a `let mut` before it for the result"
                    .to_owned()
            });
            cx.refuse(Refusal::new("an iterator chain", help), loc);
            let kind = ExprKind::Error;
            Expr { kind, loc }
        }
        syn::Expr::MethodCall(it) => {
            if let Some(literal) = parallel::chain(cx, expr) {
                return literal;
            }
            let receiver = Box::new(self::expr(cx, &it.receiver));
            let name = cx.name(&it.method);
            let generics = it
                .turbofish
                .as_ref()
                .map_or_else(Vec::new, |turbofish| generics(cx, turbofish));
            let args = list(cx, &it.args);
            let end = cx.token(it.paren_token.span.join());
            let loc = cx.spans.join(receiver.loc, end);
            let kind = ExprKind::Method {
                receiver,
                name,
                generics,
                args,
            };
            Expr { kind, loc }
        }
        syn::Expr::Field(it) => {
            let value = self::expr(cx, &it.base);
            let index = match &it.member {
                syn::Member::Unnamed(index) => index,
                syn::Member::Named(ident) => {
                    let name = cx.name(ident);
                    let loc = cx.spans.join(value.loc, name.loc);
                    let kind = ExprKind::Member(Box::new(value), name);
                    return Expr { kind, loc };
                }
            };
            let end = cx.token(index.span);
            let loc = cx.spans.join(value.loc, end);
            let kind = ExprKind::Field(Box::new(value), index.index);
            Expr { kind, loc }
        }
        syn::Expr::Array(it) => {
            let loc = cx.token(it.bracket_token.span.join());
            let kind = ExprKind::Array(list(cx, &it.elems));
            Expr { kind, loc }
        }
        syn::Expr::Tuple(it) => {
            let loc = cx.token(it.paren_token.span.join());
            let kind = ExprKind::Tuple(list(cx, &it.elems));
            Expr { kind, loc }
        }
        syn::Expr::Block(it) => {
            let block = stmt::block(cx, &it.block);
            let loc = block.loc;
            let kind = match &it.label {
                Some(label) => ExprKind::Labelled(cx.name(&label.name.ident), block),
                None => ExprKind::Block(block),
            };
            Expr { kind, loc }
        }
        syn::Expr::Unsafe(it) => {
            let start = cx.token(it.unsafe_token.span);
            let block = stmt::block(cx, &it.block);
            let loc = cx.spans.join(start, block.loc);
            let kind = ExprKind::Unsafe(block);
            Expr { kind, loc }
        }
        syn::Expr::Struct(it) if it.qself.is_none() => struct_value(cx, it),
        syn::Expr::Index(it) => match element_of_array(cx, it) {
            Some(element) => element,
            None => subscript(cx, it),
        },
        syn::Expr::Closure(it) => macros::closure(cx, it),
        syn::Expr::Macro(it) => macros::call(cx, &it.mac),
        syn::Expr::If(it) => conditional(cx, it),
        syn::Expr::ForLoop(it) => jump::for_loop(cx, it),
        syn::Expr::While(it) => jump::while_loop(cx, it),
        syn::Expr::Loop(it) => jump::endless_loop(cx, it),
        syn::Expr::Break(it) => jump::leave(cx, it),
        syn::Expr::Continue(it) => jump::next(cx, it),
        syn::Expr::Return(it) => jump::give_back(cx, it),
        syn::Expr::Match(it) => jump::choice(cx, it),
        other => refused(cx, other),
    }
}

/// Returns `true` if the receiver is a range, possibly with methods called on it.
fn starts_with_a_range(receiver: &syn::Expr) -> bool {
    match receiver {
        syn::Expr::Range(_) => true,
        syn::Expr::Paren(paren) => starts_with_a_range(&paren.expr),
        syn::Expr::MethodCall(call) => starts_with_a_range(&call.receiver),
        _ => false,
    }
}

/// Parses the left side of `=`, which may be `_`.
fn assignee(cx: &mut Cx<'_>, place: &syn::Expr) -> Expr {
    match place {
        syn::Expr::Infer(it) => {
            let loc = cx.token(it.underscore_token.span);
            let name = Name {
                text: "_".to_owned(),
                loc,
            };
            let kind = ExprKind::Path(vec![name]);
            Expr { kind, loc }
        }
        syn::Expr::Paren(it) => assignee(cx, &it.expr),
        syn::Expr::Tuple(it) => {
            let loc = cx.token(it.paren_token.span.join());
            let parts = it.elems.iter().map(|part| assignee(cx, part)).collect();
            let kind = ExprKind::Tuple(parts);
            Expr { kind, loc }
        }
        other => expr(cx, other),
    }
}

fn list(cx: &mut Cx<'_>, items: &Punctuated<syn::Expr, Token![,]>) -> Vec<Expr> {
    items.iter().map(|item| expr(cx, item)).collect()
}

fn literal(cx: &mut Cx<'_>, whole: &syn::Expr, lit: &syn::Lit) -> Expr {
    let loc = cx.token(lit.span());
    let suffix = |cx: &mut Cx<'_>, text: &str| -> Result<Option<HostScalar>, ()> {
        if text.is_empty() {
            return Ok(None);
        }
        match HostScalar::parse(text) {
            Some(HostScalar::Bool | HostScalar::Tf32) | None => {
                cx.refuse(reject::type_name(text), loc);
                Err(())
            }
            Some(scalar) => Ok(Some(scalar)),
        }
    };
    let kind = match lit {
        syn::Lit::Bool(value) => ExprKind::Bool(value.value),
        syn::Lit::Int(value) => match suffix(cx, value.suffix()) {
            Err(()) => ExprKind::Error,
            // `1f32` is a float in Rust.
            Ok(Some(scalar)) if scalar.is_float() => match Float::parse(value.base10_digits()) {
                Some(number) => ExprKind::Float(number, Some(scalar)),
                None => ExprKind::Error,
            },
            Ok(scalar) => {
                let digits = value.base10_digits();
                // The digits of a number in a pattern include its sign.
                if let Some(Ok(number)) = digits.strip_prefix('-').map(str::parse) {
                    let kind = ExprKind::Int(number, scalar);
                    ExprKind::Unary(UnaryOp::Neg, Box::new(Expr { kind, loc }))
                } else if let Ok(number) = digits.parse::<u128>() {
                    ExprKind::Int(number, scalar)
                } else {
                    cx.diagnostics.error(
                        Diagnostic::error(Code::OutOfRange, loc, "the literal is too large")
                            .note("the largest integers of a kernel have 64 bits")
                            .help("write a number of at most 64 bits, such as `18446744073709551615_u64`"),
                    );
                    ExprKind::Error
                }
            }
        },
        syn::Lit::Float(value) => match suffix(cx, value.suffix()) {
            Err(()) => ExprKind::Error,
            Ok(scalar) => match Float::parse(value.base10_digits()) {
                Some(number) => ExprKind::Float(number, scalar),
                None => ExprKind::Error,
            },
        },
        _ => return refused(cx, whole),
    };
    Expr { kind, loc }
}

fn path_names(cx: &mut Cx<'_>, path: &syn::Path) -> Vec<Name> {
    path.segments
        .iter()
        .map(|segment| cx.name(&segment.ident))
        .collect()
}

fn path_loc(cx: &mut Cx<'_>, path: &syn::Path) -> Loc {
    let first = path.segments.first();
    let last = path.segments.last();
    match (first, last) {
        (Some(first), Some(last)) => cx.spans.extent(Extent {
            first: first.ident.span(),
            last: last.ident.span(),
        }),
        _ => cx.token(Span::call_site()),
    }
}

/// A path and the type that its last name belongs to.
struct Owned {
    names: Vec<Name>,
    /// The type, if it has more than a name.
    owner: Option<Box<Type>>,
    /// The generic arguments after the last name.
    generics: Vec<GenericArg>,
    loc: Loc,
}

/// Parses `State::<8>::new`, `<State<8>>::new` or `new::<8>`; returns `None` for other paths.
fn owned(cx: &mut Cx<'_>, path: &syn::ExprPath) -> Option<Owned> {
    let (owner, last, start) = match &path.qself {
        // In `<T as Trait>::name`, the path contains the trait.
        Some(qself) if qself.position == 0 && path.path.segments.len() == 1 => {
            let syn::Type::Path(ty) = ty::bare(&qself.ty) else {
                return None;
            };
            if ty.qself.is_some() {
                return None;
            }
            let owner: Vec<&syn::PathSegment> = ty.path.segments.iter().collect();
            let start = cx.token(qself.lt_token.span);
            (owner, path.path.segments.last()?, start)
        }
        Some(_) => return None,
        None => {
            let mut segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
            let last = segments.pop()?;
            let start = path_loc(cx, &path.path);
            (segments, last, start)
        }
    };
    let generics = match &last.arguments {
        PathArguments::None => Vec::new(),
        PathArguments::AngleBracketed(arguments) => generics(cx, arguments),
        PathArguments::Parenthesized(_) => return None,
    };
    let arguments = match owner.split_last() {
        Some((ty, modules)) => {
            if modules.iter().any(|module| !module.arguments.is_none()) {
                return None;
            }
            match &ty.arguments {
                PathArguments::None => None,
                PathArguments::AngleBracketed(arguments) => Some(self::generics(cx, arguments)),
                PathArguments::Parenthesized(_) => return None,
            }
        }
        None => None,
    };
    let name = cx.name(&last.ident);
    let loc = cx.spans.join(start, name.loc);
    let mut names: Vec<Name> = owner
        .iter()
        .map(|segment| cx.name(&segment.ident))
        .collect();
    let owner = arguments.map(|arguments| {
        let texts: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        let text = texts.join("::");
        let name = Name {
            text: text.strip_prefix("self::").unwrap_or(&text).to_owned(),
            loc: names.last().map_or(loc, |name| name.loc),
        };
        Box::new(Type::Generic(name, arguments, loc))
    });
    names.push(name);
    Some(Owned {
        names,
        owner,
        generics,
        loc,
    })
}

fn path_expr(cx: &mut Cx<'_>, whole: &syn::Expr, path: &syn::ExprPath) -> Expr {
    let Some(Owned {
        names,
        owner,
        generics,
        loc,
    }) = owned(cx, path)
    else {
        return refused(cx, whole);
    };
    if !generics.is_empty() {
        return refused(cx, whole);
    }
    if let Some(owner) = owner {
        let kind = ExprKind::Associated(owner, names);
        return Expr { kind, loc };
    }
    let text: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    // A constant array is the list of its elements.
    let kind = match cx.arrays.get(&text.join("::")) {
        Some(&length) => ExprKind::Array(
            (0..length)
                .map(|index| element_of(&names, index, loc))
                .collect(),
        ),
        None => ExprKind::Path(names),
    };
    Expr { kind, loc }
}

/// Parses `NAME[1]` of a constant array.
fn element_of_array(cx: &mut Cx<'_>, it: &syn::ExprIndex) -> Option<Expr> {
    let syn::Expr::Path(path) = sole_expression(&it.expr)? else {
        return None;
    };
    let names = path_names(cx, &path.path);
    let text: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    let length = *cx.arrays.get(&text.join("::"))?;
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Int(index_lit),
        ..
    }) = sole_expression(&it.index)?
    else {
        return None;
    };
    let index_lit: usize = index_lit.base10_parse().ok()?;
    let start = path_loc(cx, &path.path);
    let end = cx.token(it.bracket_token.span.join());
    let loc = cx.spans.join(start, end);
    if index_lit >= length {
        cx.diagnostics.error(
            Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("there is no element {index_lit}: the constant has {length}"),
            )
            .help(format!("write an index below {length}")),
        );
        let kind = ExprKind::Error;
        return Some(Expr { kind, loc });
    }
    Some(element_of(&names, index_lit, loc))
}

/// Parses `x[i]` and `x[a..b]` where `x` is not a constant.
fn subscript(cx: &mut Cx<'_>, it: &syn::ExprIndex) -> Expr {
    let value = Box::new(expr(cx, &it.expr));
    let index = match sole_expression(&it.index).unwrap_or(&it.index) {
        syn::Expr::Range(range) => {
            let mut end =
                |end: &Option<Box<syn::Expr>>| end.as_ref().map(|end| Box::new(expr(cx, end)));
            let low = end(&range.start);
            Subscript::Range(low, end(&range.end))
        }
        other => Subscript::At(Box::new(expr(cx, other))),
    };
    let end = cx.token(it.bracket_token.span.join());
    let loc = cx.spans.join(value.loc, end);
    let kind = ExprKind::Index(value, index);
    Expr { kind, loc }
}

/// Parses `Name { field: value, ..base }`.
fn struct_value(cx: &mut Cx<'_>, it: &syn::ExprStruct) -> Expr {
    let names = path_names(cx, &it.path);
    let start = path_loc(cx, &it.path);
    let text: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    let name = Name {
        text: text.join("::"),
        loc: start,
    };
    let fields = it.fields.iter();
    let fields = fields.filter_map(|field| match &field.member {
        syn::Member::Named(ident) => {
            let name = cx.name(ident);
            Some((name, expr(cx, &field.expr)))
        }
        syn::Member::Unnamed(_) => None,
    });
    let fields: Vec<(Name, Expr)> = fields.collect();
    let base = it.rest.as_ref().map(|base| Box::new(expr(cx, base)));
    let end = cx.token(it.brace_token.span.join());
    let loc = cx.spans.join(start, end);
    let kind = ExprKind::Struct { name, fields, base };
    Expr { kind, loc }
}

/// Returns an element of a constant array.
fn element_of(names: &[Name], index: usize, loc: Loc) -> Expr {
    let mut names = names.to_vec();
    if let Some(last) = names.last_mut() {
        last.text = super::library::element_name(&last.text, index);
    }
    let kind = ExprKind::Path(names);
    Expr { kind, loc }
}

pub(super) fn generics(
    cx: &mut Cx<'_>,
    args: &syn::AngleBracketedGenericArguments,
) -> Vec<GenericArg> {
    args.args
        .iter()
        .filter_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some(GenericArg::Type(ty::ty(cx, ty))),
            syn::GenericArgument::Const(value) => {
                let value = sole_expression(value).unwrap_or(value);
                Some(GenericArg::Const(expr(cx, value)))
            }
            // Lifetimes are ignored: nothing here depends on them.
            syn::GenericArgument::Lifetime(_) => None,
            other => {
                let loc = cx.node(other);
                cx.refuse(
                    Refusal::new("this generic argument", "write a type or a constant"),
                    loc,
                );
                None
            }
        })
        .collect()
}

fn call(cx: &mut Cx<'_>, whole: &syn::Expr, call: &syn::ExprCall) -> Expr {
    let syn::Expr::Path(path) = &*call.func else {
        return refused(cx, whole);
    };
    let Some(callee) = owned(cx, path) else {
        return refused(cx, whole);
    };
    let args = list(cx, &call.args);
    let end = cx.token(call.paren_token.span.join());
    let loc = cx.spans.join(callee.loc, end);
    let kind = ExprKind::Call {
        path: callee.names,
        owner: callee.owner,
        generics: callee.generics,
        args,
    };
    Expr { kind, loc }
}

fn binary(cx: &mut Cx<'_>, it: &syn::ExprBinary) -> Expr {
    use syn::BinOp as B;
    let (op, compound) = match &it.op {
        B::Add(_) => (BinaryOp::Add, false),
        B::Sub(_) => (BinaryOp::Sub, false),
        B::Mul(_) => (BinaryOp::Mul, false),
        B::Div(_) => (BinaryOp::Div, false),
        B::Rem(_) => (BinaryOp::Rem, false),
        B::And(_) => (BinaryOp::And, false),
        B::Or(_) => (BinaryOp::Or, false),
        B::BitXor(_) => (BinaryOp::BitXor, false),
        B::BitAnd(_) => (BinaryOp::BitAnd, false),
        B::BitOr(_) => (BinaryOp::BitOr, false),
        B::Shl(_) => (BinaryOp::Shl, false),
        B::Shr(_) => (BinaryOp::Shr, false),
        B::Eq(_) => (BinaryOp::Eq, false),
        B::Lt(_) => (BinaryOp::Lt, false),
        B::Le(_) => (BinaryOp::Le, false),
        B::Ne(_) => (BinaryOp::Ne, false),
        B::Ge(_) => (BinaryOp::Ge, false),
        B::Gt(_) => (BinaryOp::Gt, false),
        B::AddAssign(_) => (BinaryOp::Add, true),
        B::SubAssign(_) => (BinaryOp::Sub, true),
        B::MulAssign(_) => (BinaryOp::Mul, true),
        B::DivAssign(_) => (BinaryOp::Div, true),
        B::RemAssign(_) => (BinaryOp::Rem, true),
        B::BitXorAssign(_) => (BinaryOp::BitXor, true),
        B::BitAndAssign(_) => (BinaryOp::BitAnd, true),
        B::BitOrAssign(_) => (BinaryOp::BitOr, true),
        B::ShlAssign(_) => (BinaryOp::Shl, true),
        B::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => {
            let loc = cx.node(&it.op);
            cx.refuse(
                Refusal::new("this operator", "use the operators of stable Rust"),
                loc,
            );
            let kind = ExprKind::Error;
            return Expr { kind, loc };
        }
    };
    let lhs = Box::new(expr(cx, &it.left));
    let rhs = Box::new(expr(cx, &it.right));
    let op_loc = cx.node(&it.op);
    let loc = cx.spans.join(lhs.loc, rhs.loc);
    let kind = if compound {
        ExprKind::AssignOp(op, op_loc, lhs, rhs)
    } else {
        ExprKind::Binary(op, op_loc, lhs, rhs)
    };
    Expr { kind, loc }
}

fn conditional(cx: &mut Cx<'_>, it: &syn::ExprIf) -> Expr {
    let start = cx.token(it.if_token.span);
    let cond = Box::new(expr(cx, &it.cond));
    let then = stmt::block(cx, &it.then_branch);
    let other = it
        .else_branch
        .as_ref()
        .map(|(_, other)| Box::new(expr(cx, other)));
    let end = other.as_ref().map_or(then.loc, |other| other.loc);
    let loc = cx.spans.join(start, end);
    let kind = if jump::binds(&it.cond) {
        ExprKind::Error
    } else {
        ExprKind::If { cond, then, other }
    };
    Expr { kind, loc }
}
