//! Parses loops, jumps and `match`.

use super::ast::{Adapter, Arm, Expr, ExprKind, Name, Range};
use super::expr::expr;
use super::reject::Refusal;
use super::{Cx, parallel, pat, stmt};
use syn::RangeLimits;
use tile_core::diag::{Code, Diagnostic};

/// The help for a `for` loop over the elements of a value.
const WHOLE: &str = "compute on whole tiles, whose operators and methods work on every element; to go over the tiles of a tensor, count them, as in `for i in 0..n { .. }`";

const RANGE: &str = "write a range such as `0..n`, `(0..n).rev()` or `(0..n).step_by(4)`";

/// Returns the ends of a plain range, as written.
fn ends(cx: &mut Cx<'_>, range: &syn::Expr) -> Option<(String, String)> {
    match range {
        syn::Expr::Paren(paren) => ends(cx, &paren.expr),
        syn::Expr::Group(group) => ends(cx, &group.expr),
        syn::Expr::Range(it) if matches!(it.limits, RangeLimits::HalfOpen(_)) => {
            let (low, high) = (it.start.as_ref()?, it.end.as_ref()?);
            Some((cx.quoted(low)?, cx.quoted(high)?))
        }
        _ => None,
    }
}

/// Returns the parameter and the value of `|i| value`.
fn closure(cx: &mut Cx<'_>, closure: &syn::Expr) -> Option<(String, String)> {
    let syn::Expr::Closure(closure) = closure else {
        return None;
    };
    let [param] = closure.inputs.iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    let param = match param {
        // The closure of `filter` takes a reference.
        syn::Pat::Reference(reference) => &*reference.pat,
        param => param,
    };
    Some((pat::text(param)?, cx.quoted(&closure.body)?))
}

/// Returns a loop equivalent to an adapter of an iterator, with `..` for the body.
fn adapted(cx: &mut Cx<'_>, pat: &syn::Pat, call: &syn::ExprMethodCall) -> Option<String> {
    let arguments: Vec<&syn::Expr> = call.args.iter().collect();
    let name = call.method.to_string();
    let pair = match pat {
        syn::Pat::Tuple(tuple) => match tuple.elems.iter().collect::<Vec<_>>()[..] {
            [first, second] => pat::text(first).zip(pat::text(second)),
            _ => None,
        },
        _ => None,
    };
    if let ("iter", []) = (name.as_str(), arguments.as_slice()) {
        let (element, tensor) = (pat::text(pat)?, cx.quoted(&call.receiver)?);
        let i = if element == "i" { "k" } else { "i" };
        return Some(format!(
            "compute on whole tiles, whose operators and methods work on every element; to go over a tensor one element at a time, write `for {i} in 0..{tensor}.dim(0) {{ let {element} = {tensor}.at([{i}]); .. }}`"
        ));
    }
    let (low, high) = ends(cx, &call.receiver)?;
    let text = match (name.as_str(), arguments.as_slice()) {
        ("enumerate", []) => {
            let (count, item) = pair?;
            let first = if low == "0" {
                item.clone()
            } else {
                format!("{item} - {low}")
            };
            format!("for {item} in {low}..{high} {{ let {count} = {first}; .. }}")
        }
        ("zip", [other]) => {
            let (first, second) = pair?;
            // Only for equal ranges: otherwise the shorter one would end the loop.
            (ends(cx, other)? == (low.clone(), high.clone()))
                .then(|| format!("for {first} in {low}..{high} {{ let {second} = {first}; .. }}"))?
        }
        ("map", [mapping]) => {
            let ((param, value), item) = (closure(cx, mapping)?, pat::text(pat)?);
            format!("for {param} in {low}..{high} {{ let {item} = {value}; .. }}")
        }
        ("filter", [condition]) => {
            let ((param, value), item) = (closure(cx, condition)?, pat::text(pat)?);
            let value = value.replace(&format!("*{param}"), &param);
            let rename = if param == item {
                String::new()
            } else {
                format!("let {item} = {param}; ")
            };
            format!("for {param} in {low}..{high} {{ if {value} {{ {rename}.. }} }}")
        }
        ("chain", [other]) => {
            let ((from, to), item) = (ends(cx, other)?, pat::text(pat)?);
            format!("for {item} in {low}..{high} {{ .. }} for {item} in {from}..{to} {{ .. }}")
        }
        _ => return None,
    };
    Some(format!("write `{text}`"))
}

/// Returns a block equivalent to a chain of methods on a range.
pub(super) fn accumulated(cx: &mut Cx<'_>, it: &syn::ExprMethodCall) -> Option<String> {
    let (name, start, op) = match it.method.to_string().as_str() {
        "sum" => ("sum", "0", "+="),
        "product" => ("product", "1", "*="),
        _ => return None,
    };
    let (param, value, range) = match &*it.receiver {
        syn::Expr::MethodCall(map) if map.method == "map" => {
            let (param, value) = closure(cx, map.args.first()?)?;
            (param, value, &*map.receiver)
        }
        range => ("i".to_owned(), "i".to_owned(), range),
    };
    let (low, high) = ends(cx, range)?;
    Some(format!(
        "write a loop: `{{ let mut {name} = {start}; for {param} in {low}..{high} {{ {name} {op} {value}; }} {name} }}`"
    ))
}

fn label(cx: &mut Cx<'_>, label: Option<&syn::Label>) -> Option<Name> {
    label.map(|label| cx.name(&label.name.ident))
}

fn target(cx: &mut Cx<'_>, lifetime: Option<&syn::Lifetime>) -> Option<Name> {
    lifetime.map(|lifetime| {
        let mut name = cx.name(&lifetime.ident);
        name.loc = cx.node(lifetime);
        name
    })
}

/// Parses `for pat in range { .. }`.
pub(super) fn for_loop(cx: &mut Cx<'_>, it: &syn::ExprForLoop) -> Expr {
    if parallel::is_parallel(&it.expr) {
        return parallel::for_loop(cx, it);
    }
    let start = cx.token(it.for_token.span);
    let label = label(cx, it.label.as_ref());
    let (pat, _) = pat::pattern(cx, &it.pat);
    let range = range(cx, &it.expr, &it.pat);
    let body = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = match range {
        Some(range) => ExprKind::For {
            label,
            pat,
            range,
            body,
        },
        None => ExprKind::Error,
    };
    Expr { kind, loc }
}

/// Parses a range with its methods; returns `None` after a report.
fn range(cx: &mut Cx<'_>, head: &syn::Expr, pat: &syn::Pat) -> Option<Range> {
    match head {
        syn::Expr::Paren(paren) => range(cx, &paren.expr, pat),
        syn::Expr::Group(group) => range(cx, &group.expr, pat),
        syn::Expr::Range(it) => {
            let (Some(low), Some(high)) = (&it.start, &it.end) else {
                let loc = cx.node(head);
                let help = match it.start.as_ref().and_then(|low| cx.quoted(low)) {
                    Some(low) => format!(
                        "write both ends, as in `{low}..64`; a loop that something in it ends is `loop`"
                    ),
                    None => RANGE.to_owned(),
                };
                cx.refuse(Refusal::new("a range without both ends", help), loc);
                return None;
            };
            Some(Range {
                low: Box::new(expr(cx, low)),
                high: Box::new(expr(cx, high)),
                inclusive: matches!(it.limits, RangeLimits::Closed(_)),
                adapters: Vec::new(),
            })
        }
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let arguments: Vec<&syn::Expr> = call.args.iter().collect();
            let (adapter, usage) = match (name.as_str(), arguments.as_slice()) {
                ("rev", []) => (Some(Adapter::Rev), "`.rev()`"),
                ("rev", _) => (None, "`.rev()`"),
                ("unroll", []) => (Some(Adapter::Unroll), "`.unroll()`"),
                ("unroll", _) => (None, "`.unroll()`"),
                ("step_by", [step]) => {
                    let mut range = range(cx, &call.receiver, pat)?;
                    let step = Box::new(expr(cx, step));
                    range.adapters.push(Adapter::StepBy(step));
                    return Some(range);
                }
                ("step_by", _) => (None, "`.step_by(4)`"),
                ("into_iter", []) => return range(cx, &call.receiver, pat),
                _ => {
                    let help = match name.as_str() {
                        "enumerate" => {
                            "count with a variable of your own: `let mut i = 0;` before the loop"
                        }
                        "zip" => "compute the second number from the first",
                        "map" => "bind the result with `let` in the body",
                        "filter" | "skip_while" => "put the body into an `if`, or use `continue`",
                        "take" | "skip" | "take_while" => {
                            "change the ends of the range, or use `break`"
                        }
                        "chain" => "write two loops",
                        "iter" | "iter_mut" => WHOLE,
                        _ => RANGE,
                    };
                    let loc = cx.token(call.method.span());
                    let construct = format!("`.{name}(..)` in the head of a `for` loop");
                    let help = adapted(cx, pat, call).unwrap_or_else(|| help.to_owned());
                    cx.refuse(Refusal::new(construct, help), loc);
                    return None;
                }
            };
            let mut range = range(cx, &call.receiver, pat)?;
            let Some(adapter) = adapter else {
                let loc = cx.token(call.method.span());
                cx.diagnostics.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        loc,
                        format!("`{name}` has the wrong number of arguments"),
                    )
                    .help(format!("write {usage}")),
                );
                return None;
            };
            range.adapters.push(adapter);
            Some(range)
        }
        other => {
            let loc = cx.node(other);
            cx.refuse(Refusal::new("an iterator that is not a range", WHOLE), loc);
            None
        }
    }
}

/// Parses `while cond { .. }`.
pub(super) fn while_loop(cx: &mut Cx<'_>, it: &syn::ExprWhile) -> Expr {
    let start = cx.token(it.while_token.span);
    let label = label(cx, it.label.as_ref());
    let cond = Box::new(match &*it.cond {
        // Without its condition the loop would never end.
        syn::Expr::Let(bound) => {
            let loc = cx.node(bound);
            let help = "write a `bool` as the condition: a kernel has no enums, and so no `Option`";
            cx.refuse(Refusal::new("`let` in a condition", help), loc);
            let kind = ExprKind::Error;
            Expr { kind, loc }
        }
        cond => expr(cx, cond),
    });
    let body = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = if binds(&it.cond) {
        ExprKind::Error
    } else {
        ExprKind::While { label, cond, body }
    };
    Expr { kind, loc }
}

/// Returns `true` if a condition contains `let`, which is refused: the names that its body sees are
/// unknown.
pub(super) fn binds(cond: &syn::Expr) -> bool {
    match cond {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(it) => binds(&it.left) || binds(&it.right),
        syn::Expr::Paren(it) => binds(&it.expr),
        syn::Expr::Group(it) => binds(&it.expr),
        _ => false,
    }
}

/// Parses `loop { .. }`.
pub(super) fn endless_loop(cx: &mut Cx<'_>, it: &syn::ExprLoop) -> Expr {
    let start = cx.token(it.loop_token.span);
    let label = label(cx, it.label.as_ref());
    let body = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = ExprKind::Loop { label, body };
    Expr { kind, loc }
}

/// Parses `break 'label value`.
pub(super) fn leave(cx: &mut Cx<'_>, it: &syn::ExprBreak) -> Expr {
    let loc = cx.node(it);
    let label = target(cx, it.label.as_ref());
    let value = it.expr.as_ref().map(|value| Box::new(expr(cx, value)));
    let kind = ExprKind::Break { label, value };
    Expr { kind, loc }
}

/// Parses `continue 'label`.
pub(super) fn next(cx: &mut Cx<'_>, it: &syn::ExprContinue) -> Expr {
    let loc = cx.node(it);
    let kind = ExprKind::Continue(target(cx, it.label.as_ref()));
    Expr { kind, loc }
}

/// Parses `return value`.
pub(super) fn give_back(cx: &mut Cx<'_>, it: &syn::ExprReturn) -> Expr {
    let loc = cx.node(it);
    let value = it.expr.as_ref().map(|value| Box::new(expr(cx, value)));
    let kind = ExprKind::Return(value);
    Expr { kind, loc }
}

/// Parses `match value { .. }`.
pub(super) fn choice(cx: &mut Cx<'_>, it: &syn::ExprMatch) -> Expr {
    let start = cx.token(it.match_token.span);
    let value = Box::new(expr(cx, &it.expr));
    let mut arms = Vec::new();
    // If the pattern of an arm is refused, the values and names of the arm are unknown.
    let mut understood = true;
    for arm in &it.arms {
        cx.no_attributes(&arm.attrs);
        let (written, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            plain => (plain, None),
        };
        let before = cx.diagnostics.error_count();
        let (pat, _) = pat::pattern(cx, written);
        understood &= cx.diagnostics.error_count() == before;
        let guard = guard.map(|guard| expr(cx, guard));
        let body = expr(cx, &arm.body);
        arms.push(Arm { pat, guard, body });
    }
    let end = cx.token(it.brace_token.span.join());
    let loc = cx.spans.join(start, end);
    let kind = if understood {
        ExprKind::Match(value, arms)
    } else {
        ExprKind::Error
    };
    Expr { kind, loc }
}
