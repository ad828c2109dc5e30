//! `ptx!`: text in PTX with typed operands, written as `core::arch::asm!` writes assembly.
//!
//! In: the tokens of a call. Out: [`Ptx`], whose text names registers by numbers: outputs first,
//! then inputs. What is not known by its types is reported here: operands that the text does not
//! name, and names that are no operands.

use super::ast::{Expr, MacroCall, Ptx};
use super::{Cx, expr, ty};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, parenthesized};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

const USAGE: &str =
    "ptx!(\"add.u32 {d}, {a}, {b};\", d = out(u32), a = in(x), b = in(y), cpu = |a, b| a + b)";

/// A call as it is written.
pub(crate) struct Call {
    /// Lines of the text.
    pub(crate) lines: Vec<LitStr>,
    /// In the order in which they are written.
    pub(crate) operands: Vec<Operand>,
    /// `options(pure)`
    pub(crate) pure: bool,
    /// `cpu = |..| ..`
    pub(crate) cpu: Option<syn::Expr>,
}

/// `name = in(value)` or `name = out(Type)`
pub(crate) struct Operand {
    name: Option<Ident>,
    span: Span,
    /// What it is.
    pub(crate) kind: Kind,
}

/// Which way an operand goes.
pub(crate) enum Kind {
    /// `in(value)`
    In(Box<syn::Expr>),
    /// `out(Type)`
    Out(Box<syn::Type>),
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut call = Call {
            lines: vec![input.parse()?],
            operands: Vec::new(),
            pure: false,
            cpu: None,
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            if input.peek(LitStr) && call.operands.is_empty() {
                call.lines.push(input.parse()?);
                continue;
            }
            let name: Option<Ident> = if input.peek(Ident) && input.peek2(Token![=]) {
                let name = input.parse()?;
                input.parse::<Token![=]>()?;
                Some(name)
            } else {
                None
            };
            if name.as_ref().is_some_and(|name| name == "cpu") && !input.peek(Token![in]) {
                call.cpu = Some(input.parse()?);
                continue;
            }
            let span = name.as_ref().map_or(input.span(), Ident::span);
            call.argument(input, name, span)?;
        }
        Ok(call)
    }
}

impl Call {
    fn argument(
        &mut self,
        input: ParseStream<'_>,
        name: Option<Ident>,
        span: Span,
    ) -> syn::Result<()> {
        let inside;
        let kind = if input.peek(Token![in]) {
            input.parse::<Token![in]>()?;
            parenthesized!(inside in input);
            Kind::In(inside.parse()?)
        } else {
            let word: Ident = input.parse()?;
            parenthesized!(inside in input);
            match word.to_string().as_str() {
                "out" => Kind::Out(inside.parse()?),
                "options" => {
                    let options = inside.parse_terminated(Ident::parse, Token![,])?;
                    for option in options {
                        if option != "pure" {
                            let message = format!("`ptx!` has no option `{option}`");
                            return Err(syn::Error::new(option.span(), message));
                        }
                        self.pure = true;
                    }
                    return Ok(());
                }
                other => {
                    let message = format!(
                        "an operand of `ptx!` is `in(..)` or `out(..)`, found `{other}(..)`"
                    );
                    return Err(syn::Error::new(word.span(), message));
                }
            }
        };
        self.operands.push(Operand { name, span, kind });
        Ok(())
    }
}

fn bad(cx: &mut Cx<'_>, at: Loc, message: impl Into<String>, help: impl Into<String>) {
    cx.diagnostics
        .error(Diagnostic::error(Code::BadArguments, at, message).help(help));
}

/// `ptx!(..)`
pub(super) fn call(cx: &mut Cx<'_>, mac: &syn::Macro, loc: Loc) -> Option<MacroCall> {
    let call: Call = match mac.parse_body() {
        Ok(call) => call,
        Err(error) => {
            let at = cx.token(error.span());
            bad(cx, at, error.to_string(), format!("write `{USAGE}`"));
            return None;
        }
    };
    let at = cx.token(call.lines[0].span());
    let lines: Vec<String> = call.lines.iter().map(LitStr::value).collect();
    let text = numbered(cx, &lines.join("\n"), &call.operands, at)?;
    let mut outs = Vec::new();
    let mut ins: Vec<Expr> = Vec::new();
    for operand in &call.operands {
        match &operand.kind {
            Kind::In(value) => ins.push(expr::expr(cx, value)),
            Kind::Out(written) => {
                let at = cx.node(&**written);
                outs.push((ty::ty(cx, written), at));
            }
        }
    }
    if call.pure && outs.is_empty() {
        bad(
            cx,
            loc,
            "a `ptx!` that is `pure` has no output, and so does nothing",
            "remove `options(pure)`",
        );
        return None;
    }
    let cpu = call.cpu.as_ref().map(|body| expr::expr(cx, body));
    Some(MacroCall::Ptx(Box::new(Ptx {
        text,
        outs,
        ins,
        pure: call.pure,
        cpu,
        loc: at,
    })))
}

/// The text with numbers in place of names.
fn numbered(cx: &mut Cx<'_>, text: &str, operands: &[Operand], at: Loc) -> Option<String> {
    let outs = operands.iter().filter(|it| matches!(it.kind, Kind::Out(_)));
    let (mut out, mut input) = (0, outs.count());
    let numbers: Vec<usize> = operands
        .iter()
        .map(|operand| {
            let next = match operand.kind {
                Kind::Out(_) => &mut out,
                Kind::In(_) => &mut input,
            };
            *next += 1;
            *next - 1
        })
        .collect();
    let mut named = vec![false; operands.len()];
    let mut made = String::new();
    let mut next = 0;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '{' | '}' if chars.peek() == Some(&char) => {
                chars.next();
                made.extend([char, char]);
            }
            '}' => {
                bad(
                    cx,
                    at,
                    "a `}` in the text closes nothing",
                    "write `}}` for a brace",
                );
                return None;
            }
            '{' => {
                let mut name = String::new();
                let closed = chars.by_ref().any(|char| {
                    let ends = char == '}';
                    if !ends {
                        name.push(char);
                    }
                    ends
                });
                let name = name.trim();
                if !closed
                    || !name
                        .chars()
                        .all(|char| char.is_alphanumeric() || char == '_')
                {
                    bad(
                        cx,
                        at,
                        "a `{` in the text is followed by no operand",
                        "write `{{` for a brace",
                    );
                    return None;
                }
                let index = if name.is_empty() {
                    next += 1;
                    Some(next - 1)
                } else {
                    let is_named = |operand: &Operand| {
                        operand.name.as_ref().is_some_and(|ident| ident == name)
                    };
                    name.parse()
                        .ok()
                        .or_else(|| operands.iter().position(is_named))
                };
                let Some(index) = index.filter(|&index| index < operands.len()) else {
                    let (message, help) = if name.parse::<usize>().is_ok() || name.is_empty() {
                        (
                            format!(
                                "the text names more operands than there are: {}",
                                operands.len()
                            ),
                            "write an operand for each pair of braces, `in(value)` or `out(type)`"
                                .to_owned(),
                        )
                    } else {
                        (
                            format!("`{{{name}}}` names no operand"),
                            unknown_help(text, name, operands),
                        )
                    };
                    bad(cx, at, message, help);
                    return None;
                };
                named[index] = true;
                made.push_str(&format!("{{{}}}", numbers[index]));
            }
            '\0' => {
                bad(
                    cx,
                    at,
                    "a text has no zero characters",
                    "leave the `\\0` out",
                );
                return None;
            }
            other => made.push(other),
        }
    }
    if let Some(index) = named.iter().position(|named| !named) {
        let operand = &operands[index];
        let at = cx.token(operand.span);
        let name = operand
            .name
            .as_ref()
            .map_or_else(|| index.to_string(), ToString::to_string);
        bad(
            cx,
            at,
            format!("the text does not name the operand `{name}`"),
            format!("write `{{{name}}}` where the text wants it, or leave the operand out"),
        );
        return None;
    }
    Some(made)
}

/// The cure of a name that is no operand's: the one that the text leaves out, if there is one.
fn unknown_help(text: &str, name: &str, operands: &[Operand]) -> String {
    let mut left_out = operands.iter().filter_map(|operand| {
        let ident = operand.name.as_ref()?.to_string();
        let is_named = text.contains(&format!("{{{ident}}}"));
        (!is_named).then_some(ident)
    });
    match (left_out.next(), left_out.next()) {
        (Some(only), None) if !text.contains('\n') => {
            let text = text.replace(&format!("{{{name}}}"), &format!("{{{only}}}"));
            format!("write `{text:?}`")
        }
        _ => format!("add the operand `{name} = in({name})`, or `{name} = out(u32)`"),
    }
}
