//! Parses `ptx!`: PTX text with typed operands, in the syntax of `core::arch::asm!`.
//!
//! The tokens of a call become a [`Ptx`], whose text refers to operands by number. Errors that can
//! be found without types are reported here: operands that the text does not use, and names without
//! an operand.

use super::ast::{MacroCall, Ptx, PtxKind, PtxOperand, PtxPiece};
use super::{Cx, expr, ty};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, parenthesized};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

const USAGE: &str =
    "ptx!(\"add.u32 {d}, {a}, {b};\", d = out(u32), a = in(x), b = in(y), cpu = |a, b| a + b)";

/// A call as written.
pub(crate) struct Call {
    /// The lines of the text.
    pub(crate) lines: Vec<LitStr>,
    /// The operands, in source order.
    pub(crate) operands: Vec<Operand>,
    /// `true` if `options(pure)` is given.
    pub(crate) pure: bool,
    /// `options(pack = 2)`
    pub(crate) pack: Option<syn::Expr>,
    /// `cpu = |..| ..`
    pub(crate) cpu: Option<syn::Expr>,
}

/// An operand such as `name = in(value)` or `name = out(Type)`.
pub(crate) struct Operand {
    name: Option<Ident>,
    span: Span,
    /// The kind of the operand.
    pub(crate) kind: Kind,
}

/// The direction of an operand.
pub(crate) enum Kind {
    /// `in(value)`
    In(Box<syn::Expr>),
    /// `out(Type)`
    Out(Box<syn::Type>),
    /// `inout(value)` or `inout(value => Type)`
    InOut(Box<syn::Expr>, Option<Box<syn::Type>>),
    /// `const value`
    Const(Box<syn::Expr>),
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut call = Call {
            lines: vec![input.parse()?],
            operands: Vec::new(),
            pure: false,
            pack: None,
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
        } else if input.peek(Token![const]) {
            input.parse::<Token![const]>()?;
            Kind::Const(input.parse()?)
        } else {
            let word: Ident = input.parse()?;
            parenthesized!(inside in input);
            match word.to_string().as_str() {
                "out" => Kind::Out(inside.parse()?),
                "inout" => {
                    let value = inside.parse()?;
                    let ty = if inside.peek(Token![=>]) {
                        inside.parse::<Token![=>]>()?;
                        Some(inside.parse()?)
                    } else {
                        None
                    };
                    Kind::InOut(value, ty)
                }
                "options" => {
                    while !inside.is_empty() {
                        self.option(&inside)?;
                        if !inside.is_empty() {
                            inside.parse::<Token![,]>()?;
                        }
                    }
                    return Ok(());
                }
                other => {
                    let message = format!(
                        "an operand of `ptx!` is `in(..)`, `out(..)`, `inout(..)` or `const ..`, found `{other}(..)`"
                    );
                    return Err(syn::Error::new(word.span(), message));
                }
            }
        };
        self.operands.push(Operand { name, span, kind });
        Ok(())
    }

    /// Parses `pure` or `pack = 2`.
    fn option(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let option: Ident = input.parse()?;
        match option.to_string().as_str() {
            "pure" => self.pure = true,
            "pack" => {
                input.parse::<Token![=]>()?;
                self.pack = Some(input.parse()?);
            }
            other => {
                let message = format!("`ptx!` has no option `{other}`");
                return Err(syn::Error::new(option.span(), message));
            }
        }
        Ok(())
    }

    /// Returns the values of the inputs, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &syn::Expr> {
        self.operands
            .iter()
            .filter_map(|operand| match &operand.kind {
                Kind::In(value) | Kind::InOut(value, _) => Some(&**value),
                Kind::Out(_) | Kind::Const(_) => None,
            })
    }

    /// Returns the expressions that must be known at compile time.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &syn::Expr> {
        let values = self
            .operands
            .iter()
            .filter_map(|operand| match &operand.kind {
                Kind::Const(value) => Some(&**value),
                Kind::In(_) | Kind::Out(_) | Kind::InOut(..) => None,
            });
        values.chain(&self.pack)
    }

    /// Returns the types that are written.
    pub(crate) fn types(&self) -> impl Iterator<Item = &syn::Type> {
        self.operands
            .iter()
            .filter_map(|operand| match &operand.kind {
                Kind::Out(ty) | Kind::InOut(_, Some(ty)) => Some(&**ty),
                Kind::In(_) | Kind::InOut(_, None) | Kind::Const(_) => None,
            })
    }
}

impl Operand {
    /// Returns the name, or the number of an operand without a name.
    fn shown(&self, index: usize) -> String {
        self.name
            .as_ref()
            .map_or_else(|| index.to_string(), ToString::to_string)
    }
}

fn bad(cx: &mut Cx<'_>, loc: Loc, message: impl Into<String>, help: impl Into<String>) {
    cx.diagnostics
        .error(Diagnostic::error(Code::BadArguments, loc, message).help(help));
}

/// Parses `ptx!(..)`.
pub(super) fn call(cx: &mut Cx<'_>, mac: &syn::Macro, loc: Loc) -> Option<MacroCall> {
    let call: Call = match mac.parse_body() {
        Ok(call) => call,
        Err(error) => {
            let error_loc = cx.token(error.span());
            bad(cx, error_loc, error.to_string(), format!("write `{USAGE}`"));
            return None;
        }
    };
    let error_loc = cx.token(call.lines[0].span());
    let lines: Vec<String> = call.lines.iter().map(LitStr::value).collect();
    let written = lines.join("\n");
    let text = Text {
        operands: &call.operands,
        at: error_loc,
    };
    let text = text.pieces(cx, &written)?;
    let mut operands = Vec::new();
    for (index, operand) in call.operands.iter().enumerate() {
        let kind = match &operand.kind {
            Kind::In(value) => PtxKind::In(expr::expr(cx, value)),
            Kind::Out(written) => {
                let error_loc = cx.node(&**written);
                PtxKind::Out(ty::ty(cx, written), error_loc)
            }
            Kind::InOut(value, written) => {
                let value = expr::expr(cx, value);
                let written = written.as_ref().map(|written| {
                    let error_loc = cx.node(&**written);
                    (ty::ty(cx, written), error_loc)
                });
                PtxKind::InOut(value, written)
            }
            Kind::Const(value) => PtxKind::Const(expr::expr(cx, value)),
        };
        let name = operand.shown(index);
        operands.push(PtxOperand { name, kind });
    }
    let is_output = |operand: &PtxOperand| match operand.kind {
        PtxKind::Out(..) | PtxKind::InOut(..) => true,
        PtxKind::In(_) | PtxKind::Const(_) => false,
    };
    if call.pure && !operands.iter().any(is_output) {
        bad(
            cx,
            loc,
            "a `ptx!` that is `pure` has no output, and so does nothing",
            "remove `options(pure)`",
        );
        return None;
    }
    let pack = call.pack.as_ref().map(|pack| expr::expr(cx, pack));
    let cpu = call.cpu.as_ref().map(|body| expr::expr(cx, body));
    Some(MacroCall::Ptx(Box::new(Ptx {
        text,
        written,
        operands,
        pack,
        pure: call.pure,
        cpu,
        loc: error_loc,
    })))
}

/// The text whose braces are parsed, with the operands.
struct Text<'o> {
    operands: &'o [Operand],
    /// The location of the text.
    at: Loc,
}

impl Text<'_> {
    /// Returns the pieces of the text, or `None` after a report.
    fn pieces(&self, cx: &mut Cx<'_>, text: &str) -> Option<Vec<PtxPiece>> {
        let mut named = vec![false; self.operands.len()];
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut next = 0;
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match char {
                '{' | '}' if chars.peek() == Some(&char) => {
                    chars.next();
                    plain.extend([char, char]);
                }
                '}' => {
                    let message = "a `}` in the text closes nothing";
                    bad(cx, self.at, message, "write `}}` for a brace");
                    return None;
                }
                '{' => {
                    let mut inside = String::new();
                    let is_closed = chars.by_ref().any(|char| {
                        let ends = char == '}';
                        if !ends {
                            inside.push(char);
                        }
                        ends
                    });
                    let Some((name, register)) = place(&inside).filter(|_| is_closed) else {
                        let message = "a `{` in the text is followed by no operand";
                        bad(cx, self.at, message, "write `{{` for a brace");
                        return None;
                    };
                    let index = if name.is_empty() {
                        next += 1;
                        Some(next - 1)
                    } else {
                        let is_named = |operand: &Operand| {
                            operand.name.as_ref().is_some_and(|ident| ident == name)
                        };
                        name.parse()
                            .ok()
                            .or_else(|| self.operands.iter().position(is_named))
                    };
                    let Some(index) = index.filter(|&index| index < self.operands.len()) else {
                        self.unknown(cx, text, name);
                        return None;
                    };
                    named[index] = true;
                    if !plain.is_empty() {
                        pieces.push(PtxPiece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(PtxPiece::Operand { index, register });
                }
                '\0' => {
                    let message = "a text has no zero characters";
                    bad(cx, self.at, message, "leave the `\\0` out");
                    return None;
                }
                other => plain.push(other),
            }
        }
        if !plain.is_empty() {
            pieces.push(PtxPiece::Text(plain));
        }
        if let Some(index) = named.iter().position(|named| !named) {
            let operand = &self.operands[index];
            let operand_loc = cx.token(operand.span);
            let name = operand.shown(index);
            let message = format!("the text does not name the operand `{name}`");
            let help =
                format!("write `{{{name}}}` where the text wants it, or leave the operand out");
            bad(cx, operand_loc, message, help);
            return None;
        }
        Some(pieces)
    }

    /// Reports a name that is not an operand.
    fn unknown(&self, cx: &mut Cx<'_>, text: &str, name: &str) {
        if name.parse::<usize>().is_ok() || name.is_empty() {
            let message = format!(
                "the text names more operands than there are: {}",
                self.operands.len()
            );
            let help = "write an operand for each pair of braces, `in(value)` or `out(type)`";
            bad(cx, self.at, message, help);
        } else {
            let message = format!("`{{{name}}}` names no operand");
            let help = unknown_help(text, name, self.operands);
            bad(cx, self.at, message, help);
        }
    }
}

/// Parses the text in braces: the name of an operand, and the index of one of its registers.
fn place(inside: &str) -> Option<(&str, Option<usize>)> {
    let is_name = |name: &str| {
        name.chars()
            .all(|char| char.is_alphanumeric() || char == '_')
    };
    let inside = inside.trim();
    let Some((name, index)) = inside.split_once('[') else {
        return is_name(inside).then_some((inside, None));
    };
    let register = index.strip_suffix(']')?.trim().parse().ok()?;
    let name = name.trim();
    (is_name(name) && !name.is_empty()).then_some((name, Some(register)))
}

/// Returns the help for a name that is not an operand: the operand that the text does not use, if
/// there is one.
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
