//! Parses parallel loops: `for i in parallel(0..n)` and `parallel(0..n).map(|i| ..).reduce(init,
//! |a, b| ..)`.

use super::ast::{Expr, ExprKind, Parallel, Pat, Reduction};
use super::expr::expr;
use super::reject::Refusal;
use super::{Cx, pat, stmt};
use syn::RangeLimits;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The function whose calls are parallel loops. It is recognized by name, before name resolution.
pub(crate) const PARALLEL: &str = "parallel";

const USAGE: &str = "write `for i in parallel(0..n) { .. }`, or `parallel(0..n).map(|i| ..).reduce(0.0, |a, b| a + b)` for a result";

/// Returns the call of `parallel` that is the iterator of a loop.
fn arguments(head: &syn::Expr) -> Option<&syn::ExprCall> {
    match head {
        syn::Expr::Paren(paren) => arguments(&paren.expr),
        syn::Expr::Group(group) => arguments(&group.expr),
        syn::Expr::Call(call) => match &*call.func {
            syn::Expr::Path(path) => {
                let last = path.path.segments.last()?;
                let root = path.path.segments.first()?;
                let ours = path.path.segments.len() == 1 || root.ident == "tile_kernel";
                (ours && last.ident == PARALLEL).then_some(call)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` if the iterator of a `for` loop is a call of `parallel`.
pub(super) fn is_parallel(head: &syn::Expr) -> bool {
    arguments(head).is_some()
}

/// Parses `for i in parallel(0..n) { .. }`.
pub(super) fn for_loop(cx: &mut Cx<'_>, it: &syn::ExprForLoop) -> Expr {
    let start = cx.token(it.for_token.span);
    if let Some(label) = &it.label {
        let loc = cx.token(label.name.ident.span());
        cx.refuse(
            Refusal::new(
                "a label of a parallel loop",
                "remove the label: there is no order of iterations that a jump could leave",
            ),
            loc,
        );
    }
    let (pat, _) = pat::pattern(cx, &it.pat);
    let ranges = arguments(&it.expr).and_then(|call| ranges(cx, call));
    let block = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, block.loc);
    let kind = match ranges {
        Some(ranges) => ExprKind::Parallel(Box::new(Parallel {
            ranges,
            pat,
            body: Expr {
                loc: block.loc,
                kind: ExprKind::Block(block),
            },
            reduction: None,
        })),
        None => ExprKind::Error,
    };
    Expr { kind, loc }
}

/// Parses a chain of methods on a call of `parallel`; returns `None` for other expressions.
pub(super) fn chain(cx: &mut Cx<'_>, whole: &syn::Expr) -> Option<Expr> {
    let mut methods = Vec::new();
    let mut head = whole;
    while let syn::Expr::MethodCall(call) = head {
        methods.push(call);
        head = &call.receiver;
    }
    let call = arguments(head)?;
    methods.reverse();
    let loc = cx.node(whole);
    let closures = match methods.as_slice() {
        [map, reduce] if map.method == "map" && reduce.method == "reduce" => {
            reduction(cx, call, map, reduce)
        }
        _ => {
            let (error_loc, construct) = match methods.iter().find(|it| it.method != "map") {
                Some(method) => (
                    cx.token(method.method.span()),
                    format!("`.{}(..)` of a parallel loop", method.method),
                ),
                None => (loc, "a parallel loop without a body".to_owned()),
            };
            cx.refuse(Refusal::new(construct, USAGE), error_loc);
            None
        }
    };
    let kind = closures.map_or(ExprKind::Error, |it| ExprKind::Parallel(Box::new(it)));
    Some(Expr { kind, loc })
}

fn reduction(
    cx: &mut Cx<'_>,
    call: &syn::ExprCall,
    map: &syn::ExprMethodCall,
    reduce: &syn::ExprMethodCall,
) -> Option<Parallel> {
    let ranges = ranges(cx, call);
    let map_arguments: Vec<&syn::Expr> = map.args.iter().collect();
    let reduce_arguments: Vec<&syn::Expr> = reduce.args.iter().collect();
    let ([syn::Expr::Closure(body)], [init, syn::Expr::Closure(combine)]) =
        (map_arguments.as_slice(), reduce_arguments.as_slice())
    else {
        let loc = cx.token(reduce.method.span());
        cx.diagnostics.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                "`map` takes a closure, and `reduce` a first value and a closure",
            )
            .help("write `.map(|i| ..).reduce(0.0, |a, b| a + b)`"),
        );
        return None;
    };
    let parameters =
        |closure: &syn::ExprClosure| closure.inputs.iter().cloned().collect::<Vec<_>>();
    let (one, two) = (parameters(body), parameters(combine));
    let ([index], [left, right]) = (one.as_slice(), two.as_slice()) else {
        let loc = cx.token(reduce.method.span());
        cx.diagnostics.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                "the closure of `map` takes one value, and that of `reduce` two",
            )
            .help("write `.map(|i| ..).reduce(0.0, |a, b| a + b)`, and `|(i, j)|` for two ranges"),
        );
        return None;
    };
    let (pat, _) = pat::pattern(cx, index);
    let body = expr(cx, &body.body);
    let init = expr(cx, init);
    let (left, _) = pat::pattern(cx, left);
    let (right, _) = pat::pattern(cx, right);
    let value = expr(cx, &combine.body);
    Some(Parallel {
        ranges: ranges?,
        pat,
        body,
        reduction: Some(Reduction {
            init,
            left,
            right,
            value,
        }),
    })
}

/// Parses the ranges of a call, which requires at least one; returns `None` after a report.
fn ranges(cx: &mut Cx<'_>, call: &syn::ExprCall) -> Option<Vec<[Expr; 2]>> {
    let arguments: Vec<&syn::Expr> = call.args.iter().collect();
    let list: Vec<&syn::Expr> = match arguments.as_slice() {
        [syn::Expr::Tuple(tuple)] => tuple.elems.iter().collect(),
        [one] => vec![*one],
        _ => Vec::new(),
    };
    if list.is_empty() {
        let loc = cx.node(call);
        cx.diagnostics.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                "`parallel` takes a range, or a tuple of ranges",
            )
            .help("write `parallel(0..n)` or `parallel((0..n, 0..m))`"),
        );
        return None;
    }
    let ranges: Vec<Option<[Expr; 2]>> = list.iter().map(|written| range(cx, written)).collect();
    ranges.into_iter().collect()
}

fn range(cx: &mut Cx<'_>, written: &syn::Expr) -> Option<[Expr; 2]> {
    let refuse = |cx: &mut Cx<'_>, construct: &str, help: &str, loc: Loc| {
        cx.refuse(Refusal::new(construct, help), loc);
    };
    match written {
        syn::Expr::Paren(paren) => range(cx, &paren.expr),
        syn::Expr::Group(group) => range(cx, &group.expr),
        syn::Expr::Range(it) => {
            let loc = cx.node(written);
            let (Some(low), Some(high)) = (&it.start, &it.end) else {
                let help = "write both ends, as in `0..n`";
                refuse(cx, "a range without both ends", help, loc);
                return None;
            };
            if matches!(it.limits, RangeLimits::Closed(_)) {
                let help = "write `..` with the number above the end";
                refuse(cx, "`..=` in `parallel`", help, loc);
                return None;
            }
            Some([expr(cx, low), expr(cx, high)])
        }
        syn::Expr::MethodCall(call) => {
            let loc = cx.token(call.method.span());
            let construct = format!("`.{}(..)` in `parallel`", call.method);
            let help = "write a plain range, and compute the number from the loop variable";
            refuse(cx, &construct, help, loc);
            None
        }
        other => {
            let loc = cx.node(other);
            let help = "write `parallel(0..n)` or `parallel((0..n, 0..m))`";
            refuse(cx, "something that is no range in `parallel`", help, loc);
            None
        }
    }
}

impl Pat {
    /// Returns the patterns of the loop variables, one per range.
    pub(crate) fn split_by_range(&self, ranges: usize) -> Option<Vec<&Pat>> {
        match self {
            Pat::Tuple(parts, _) if parts.len() == ranges && ranges > 1 => {
                Some(parts.iter().collect())
            }
            Pat::Wild(_) => Some(vec![self; ranges]),
            _ if ranges == 1 => Some(vec![self]),
            _ => None,
        }
    }
}
