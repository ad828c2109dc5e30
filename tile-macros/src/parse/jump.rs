//! Loops, jumps and `match`.

use super::ast::{Adapter, Arm, Expr, ExprKind, Name, Range};
use super::expr::expr;
use super::reject::Refusal;
use super::{Cx, parallel, pat, stmt};
use syn::RangeLimits;
use tile_core::diag::{Code, Diagnostic};

/// For a `for` over the elements of something.
const WHOLE: &str = "compute on whole tiles, whose operators and methods work on every element; to go over the tiles of a tensor, count them: `for i in 0..n`";

const RANGE: &str = "write a range such as `0..n`, `(0..n).rev()` or `(0..n).step_by(4)`";

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

/// `for pat in range { .. }`
pub(super) fn for_loop(cx: &mut Cx<'_>, it: &syn::ExprForLoop) -> Expr {
    if parallel::is_parallel(&it.expr) {
        return parallel::for_loop(cx, it);
    }
    let start = cx.token(it.for_token.span);
    let label = label(cx, it.label.as_ref());
    let (pat, _) = pat::pattern(cx, &it.pat);
    let range = range(cx, &it.expr);
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

/// A range with its methods; `None` after a report.
fn range(cx: &mut Cx<'_>, head: &syn::Expr) -> Option<Range> {
    match head {
        syn::Expr::Paren(paren) => range(cx, &paren.expr),
        syn::Expr::Group(group) => range(cx, &group.expr),
        syn::Expr::Range(it) => {
            let (Some(low), Some(high)) = (&it.start, &it.end) else {
                let loc = cx.node(head);
                cx.refuse(Refusal::new("a range without both ends", RANGE), loc);
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
                    let mut range = range(cx, &call.receiver)?;
                    let step = Box::new(expr(cx, step));
                    range.adapters.push(Adapter::StepBy(step));
                    return Some(range);
                }
                ("step_by", _) => (None, "`.step_by(4)`"),
                ("into_iter", []) => return range(cx, &call.receiver),
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
                    let what = format!("`.{name}(..)` in the head of a `for` loop");
                    cx.refuse(Refusal::new(what, help), loc);
                    return None;
                }
            };
            let mut range = range(cx, &call.receiver)?;
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

/// `while cond { .. }`
pub(super) fn while_loop(cx: &mut Cx<'_>, it: &syn::ExprWhile) -> Expr {
    let start = cx.token(it.while_token.span);
    let label = label(cx, it.label.as_ref());
    let cond = Box::new(expr(cx, &it.cond));
    let body = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = if binds(&it.cond) {
        ExprKind::Error
    } else {
        ExprKind::While { label, cond, body }
    };
    Expr { kind, loc }
}

/// Whether a condition has a `let`, which is refused: what its body sees is not known.
pub(super) fn binds(cond: &syn::Expr) -> bool {
    match cond {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(it) => binds(&it.left) || binds(&it.right),
        syn::Expr::Paren(it) => binds(&it.expr),
        syn::Expr::Group(it) => binds(&it.expr),
        _ => false,
    }
}

/// `loop { .. }`
pub(super) fn endless_loop(cx: &mut Cx<'_>, it: &syn::ExprLoop) -> Expr {
    let start = cx.token(it.loop_token.span);
    let label = label(cx, it.label.as_ref());
    let body = stmt::block(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = ExprKind::Loop { label, body };
    Expr { kind, loc }
}

/// `break 'label value`
pub(super) fn leave(cx: &mut Cx<'_>, it: &syn::ExprBreak) -> Expr {
    let loc = cx.node(it);
    let label = target(cx, it.label.as_ref());
    let value = it.expr.as_ref().map(|value| Box::new(expr(cx, value)));
    let kind = ExprKind::Break { label, value };
    Expr { kind, loc }
}

/// `continue 'label`
pub(super) fn next(cx: &mut Cx<'_>, it: &syn::ExprContinue) -> Expr {
    let loc = cx.node(it);
    let kind = ExprKind::Continue(target(cx, it.label.as_ref()));
    Expr { kind, loc }
}

/// `return value`
pub(super) fn give_back(cx: &mut Cx<'_>, it: &syn::ExprReturn) -> Expr {
    let loc = cx.node(it);
    let value = it.expr.as_ref().map(|value| Box::new(expr(cx, value)));
    let kind = ExprKind::Return(value);
    Expr { kind, loc }
}

/// `match value { .. }`
pub(super) fn choice(cx: &mut Cx<'_>, it: &syn::ExprMatch) -> Expr {
    let start = cx.token(it.match_token.span);
    let value = Box::new(expr(cx, &it.expr));
    let mut arms = Vec::new();
    // What an arm takes and binds is not known where its pattern is refused.
    let mut known = true;
    for arm in &it.arms {
        cx.no_attributes(&arm.attrs);
        let (written, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            plain => (plain, None),
        };
        let before = cx.diagnostics.error_count();
        let (pat, _) = pat::pattern(cx, written);
        known &= cx.diagnostics.error_count() == before;
        let guard = guard.map(|guard| expr(cx, guard));
        let body = expr(cx, &arm.body);
        arms.push(Arm { pat, guard, body });
    }
    let end = cx.token(it.brace_token.span.join());
    let loc = cx.spans.join(start, end);
    let kind = if known {
        ExprKind::Match(value, arms)
    } else {
        ExprKind::Error
    };
    Expr { kind, loc }
}
