//! Parses the macros of the kernel language: the `assert!` family, `assume!`, `tile_print!` and
//! `ptx!`.
//!
//! A macro call becomes a [`MacroCall`] or a refusal by name. The message of an assertion is the
//! one that Rust would print; a format is split into pieces.

use super::ast::{self, BinaryOp, Expr, ExprKind, MacroCall, Name};
use super::reject::{self, Refusal};
use super::{Cx, expr, format, ptx};
use syn::Token;
use syn::punctuated::Punctuated;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

const PRINT: &str = "tile_print!(\"x = {}\", x)";
const ASSERT: &str = "assert!(x > 0, \"x is positive\")";

/// Parses a macro call as an expression.
pub(super) fn call(cx: &mut Cx<'_>, mac: &syn::Macro) -> Expr {
    let loc = cx.node(mac);
    let kind = known(cx, mac, loc).map_or(ExprKind::Error, |call| ExprKind::Macro(Box::new(call)));
    Expr { kind, loc }
}

fn known(cx: &mut Cx<'_>, mac: &syn::Macro, loc: Loc) -> Option<MacroCall> {
    let name = mac.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "tile_print" | "tile_println" => print(cx, mac, name == "tile_println", loc),
        "assert" => assertion(cx, mac, loc),
        "assert_eq" => comparison(cx, mac, BinaryOp::Eq, loc),
        "ptx" => ptx::call(cx, mac, loc),
        "assert_ne" => comparison(cx, mac, BinaryOp::Ne, loc),
        "assume" => {
            let args = arguments(cx, mac, "assume!(n % 8 == 0)")?;
            if args.len() != 1 {
                count(
                    cx,
                    "assume",
                    "one condition",
                    args.len(),
                    "assume!(n % 8 == 0)",
                    loc,
                );
                return None;
            }
            Some(MacroCall::Assume(expr::expr(cx, &args[0])))
        }
        _ => {
            let refusal = reject::macro_call(cx, mac);
            cx.refuse(refusal, loc);
            None
        }
    }
}

fn arguments(
    cx: &mut Cx<'_>,
    mac: &syn::Macro,
    usage: &str,
) -> Option<Punctuated<syn::Expr, Token![,]>> {
    let parsed = mac.parse_body_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated);
    match parsed {
        Ok(args) => Some(args),
        Err(error) => {
            let loc = cx.token(error.span());
            let message = "the arguments of the macro are expressions with commas between them";
            cx.diagnostics.error(
                Diagnostic::error(Code::BadArguments, loc, message)
                    .help(format!("write `{usage}`")),
            );
            None
        }
    }
}

fn count(cx: &mut Cx<'_>, name: &str, wanted: &str, result: usize, usage: &str, loc: Loc) {
    let message = format!("`{name}!` takes {wanted}, found {result}");
    cx.diagnostics.error(
        Diagnostic::error(Code::BadArguments, loc, message).help(format!("write `{usage}`")),
    );
}

/// Returns the text and the location of a string literal.
fn text(cx: &mut Cx<'_>, arg: &syn::Expr) -> Option<(String, Loc)> {
    match arg {
        syn::Expr::Group(group) => text(cx, &group.expr),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(lit),
            ..
        }) => Some((lit.value(), cx.token(lit.span()))),
        _ => None,
    }
}

fn bad(cx: &mut Cx<'_>, loc: Loc, message: impl Into<String>, help: impl Into<String>) {
    cx.diagnostics
        .error(Diagnostic::error(Code::BadArguments, loc, message).help(help));
}

fn print(cx: &mut Cx<'_>, mac: &syn::Macro, newline: bool, loc: Loc) -> Option<MacroCall> {
    let args = arguments(cx, mac, PRINT)?;
    let mut args = args.iter();
    let name = if newline {
        "tile_println"
    } else {
        "tile_print"
    };
    let Some(first) = args.next() else {
        if newline {
            let pieces = vec![ast::Piece::Text("\n".to_owned())];
            return Some(MacroCall::Print {
                pieces,
                args: Vec::new(),
            });
        }
        count(cx, name, "a format", 0, PRINT, loc);
        return None;
    };
    let Some((format, format_loc)) = text(cx, first) else {
        let format_loc = cx.node(first);
        bad(
            cx,
            format_loc,
            format!("the format of `{name}!` is a string literal"),
            format!("write `{PRINT}`"),
        );
        return None;
    };
    let mut values = Vec::new();
    for arg in args {
        if let syn::Expr::Assign(assign) = arg {
            let format_loc = cx.node(assign);
            bad(
                cx,
                format_loc,
                format!("`{name}!` has no named arguments"),
                "write the value alone, in the order of the `{}`, or the name of a variable inside of the braces",
            );
            return None;
        }
        values.push(expr::expr(cx, arg));
    }
    let mut pieces = match format::parse(&format) {
        Ok(pieces) => pieces,
        Err(error) => {
            bad(cx, format_loc, error.message, error.help);
            return None;
        }
    };
    let given = values.len();
    let mut next = 0;
    for piece in &mut pieces {
        let ast::Piece::Value { arg, .. } = piece else {
            continue;
        };
        *arg = match std::mem::replace(arg, ast::FormatArg::Number(0)) {
            ast::FormatArg::Next => {
                next += 1;
                ast::FormatArg::Number(next - 1)
            }
            ast::FormatArg::Named(text) => {
                let name = Name {
                    text,
                    loc: format_loc,
                };
                let kind = ExprKind::Path(vec![name]);
                values.push(Expr {
                    kind,
                    loc: format_loc,
                });
                ast::FormatArg::Number(values.len() - 1)
            }
            number @ ast::FormatArg::Number(_) => number,
        };
    }
    if next != given {
        let plural = if next == 1 { "" } else { "s" };
        bad(
            cx,
            format_loc,
            format!(
                "the format has {next} `{{}}` for {given} argument{}",
                if given == 1 { "" } else { "s" }
            ),
            format!(
                "write {next} argument{plural} after the format string, or one `{{}}` per argument"
            ),
        );
        return None;
    }
    if newline {
        pieces.push(ast::Piece::Text("\n".to_owned()));
    }
    Some(MacroCall::Print {
        pieces,
        args: values,
    })
}

/// Returns the message of an assertion. It must be plain text, since nothing is formatted at run
/// time.
fn message(cx: &mut Cx<'_>, rest: &[&syn::Expr], default: String) -> Option<String> {
    const HELP: &str = "write a plain message, and print the values with `tile_print!` before";
    let [first, more @ ..] = rest else {
        return Some(default);
    };
    let Some((format, format_loc)) = text(cx, first) else {
        let format_loc = cx.node(first);
        bad(
            cx,
            format_loc,
            "the message of an assertion is a string literal",
            format!("write `{ASSERT}`"),
        );
        return None;
    };
    if let Some(extra) = more.first() {
        let format_loc = cx.node(*extra);
        bad(
            cx,
            format_loc,
            "the message of an assertion has no arguments in a kernel",
            HELP,
        );
        return None;
    }
    match format::parse(&format) {
        Ok(pieces) => {
            let mut plain = String::new();
            for piece in pieces {
                match piece {
                    ast::Piece::Text(text) => plain.push_str(&text),
                    ast::Piece::Value { .. } => {
                        let message = "the message of an assertion has no values in a kernel";
                        bad(cx, format_loc, message, HELP);
                        return None;
                    }
                }
            }
            Some(plain)
        }
        Err(error) => {
            bad(cx, format_loc, error.message, error.help);
            None
        }
    }
}

fn assertion(cx: &mut Cx<'_>, mac: &syn::Macro, loc: Loc) -> Option<MacroCall> {
    let args = arguments(cx, mac, ASSERT)?;
    let args: Vec<&syn::Expr> = args.iter().collect();
    let Some((cond, rest)) = args.split_first() else {
        count(cx, "assert", "a condition", 0, ASSERT, loc);
        return None;
    };
    let cond = expr::expr(cx, cond);
    let default = format!("assertion failed: {}", ast::full_text(&cond));
    let message = message(cx, rest, default)?;
    Some(MacroCall::Assert { cond, message })
}

fn comparison(cx: &mut Cx<'_>, mac: &syn::Macro, op: BinaryOp, loc: Loc) -> Option<MacroCall> {
    let (name, usage) = match op {
        BinaryOp::Eq => ("assert_eq", "assert_eq!(a, b)"),
        _ => ("assert_ne", "assert_ne!(a, b)"),
    };
    let args = arguments(cx, mac, usage)?;
    let args: Vec<&syn::Expr> = args.iter().collect();
    let [lhs, rhs, rest @ ..] = args.as_slice() else {
        count(cx, name, "two values", args.len(), usage, loc);
        return None;
    };
    let (lhs, rhs) = (expr::expr(cx, lhs), expr::expr(cx, rhs));
    let default = format!(
        "assertion failed: {} {} {}",
        ast::operand_text(&lhs),
        op.symbol(),
        ast::operand_text(&rhs)
    );
    let message = message(cx, rest, default)?;
    let cond_loc = cx.spans.join(lhs.loc, rhs.loc);
    let kind = ExprKind::Binary(op, loc, Box::new(lhs), Box::new(rhs));
    let cond = Expr {
        kind,
        loc: cond_loc,
    };
    Some(MacroCall::Assert { cond, message })
}

/// Parses `move |a, b| ..`.
pub(super) fn closure(cx: &mut Cx<'_>, it: &syn::ExprClosure) -> Expr {
    let start = cx.token(it.inputs_begin.spans[0]);
    if let Some(token) = &it.asyncness {
        let loc = cx.token(token.span);
        cx.refuse(Refusal::new("an `async` closure", "leave `async` out"), loc);
    }
    let params = it
        .inputs
        .iter()
        .map(|param| super::pat::pattern(cx, param))
        .collect();
    if let syn::ReturnType::Type(_, ty) = &it.output {
        let loc = cx.node(&**ty);
        cx.refuse(
            Refusal::new(
                "the return type of a closure",
                "leave it out: it is that of the elements",
            ),
            loc,
        );
    }
    let body = expr::expr(cx, &it.body);
    let loc = cx.spans.join(start, body.loc);
    let kind = ExprKind::Closure(Box::new(ast::Closure { params, body }));
    Expr { kind, loc }
}
