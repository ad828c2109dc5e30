//! What the tuner may choose: `tune(BM, BN, candidates = 12, key(bucket(a.dim(0)), exact(n)))`.
//!
//! The tokens of the option become a [`Tune`], still as written; [`tuning`] matches its names with the parameters of the
//! kernel.

use crate::check::nearest;
use crate::hir::signature::{KeyClass, KeyItem, ParamKind, Signature, Tuning};
use crate::report::SpanTable;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Token, parenthesized};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// The option `tune(..)`, as written.
#[derive(Clone)]
pub(crate) struct Tune {
    /// The const parameters whose values the tuner chooses.
    params: Vec<Ident>,
    /// The number of instances that are compiled for each architecture.
    candidates: Option<usize>,
    /// The numbers of a launch by which it chooses; `None` for the default.
    key: Option<Vec<Number>>,
}

/// An entry of `key(..)`.
#[derive(Clone)]
struct Number {
    span: Span,
    class: KeyClass,
    param: Ident,
    axis: Option<(usize, Span)>,
}

/// An entry of `tune(..)`.
enum Entry {
    Param(Ident),
    Candidates(usize, Span),
    Key(Vec<Number>),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.call(Ident::parse_any)?;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            let number: syn::LitInt = input.parse()?;
            if name != "candidates" {
                return Err(syn::Error::new(
                    name.span(),
                    format!("`tune` has no number `{name}`"),
                ));
            }
            let count = number.base10_parse::<usize>()?;
            if count == 0 {
                return Err(syn::Error::new(
                    number.span(),
                    "at least 1 instance is compiled",
                ));
            }
            return Ok(Entry::Candidates(count, number.span()));
        }
        if name == "key" && input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            let numbers = Punctuated::<Number, Token![,]>::parse_terminated(&content)?;
            return Ok(Entry::Key(numbers.into_iter().collect()));
        }
        Ok(Entry::Param(name))
    }
}

impl Parse for Number {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let expr: syn::Expr = input.parse()?;
        let other = || {
            syn::Error::new(
                expr.span(),
                format!(
                    "`{}` is no number of a launch that a key can have",
                    expr.to_token_stream()
                ),
            )
        };
        let (class, number) = match &expr {
            syn::Expr::Call(call) if call.args.len() == 1 => {
                let name = call.func.to_token_stream().to_string();
                let class = KeyClass::ALL
                    .into_iter()
                    .find(|(known, _)| *known == name)
                    .ok_or_else(other)?;
                (class.1, &call.args[0])
            }
            number => (KeyClass::default(), number),
        };
        let name_of = |expr: &syn::Expr| match expr {
            syn::Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        let (param, axis) = match number {
            syn::Expr::MethodCall(call) if call.method == "dim" && call.args.len() == 1 => {
                let syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(axis),
                    ..
                }) = &call.args[0]
                else {
                    return Err(other());
                };
                (
                    name_of(&call.receiver),
                    Some((axis.base10_parse()?, axis.span())),
                )
            }
            number => (name_of(number), None),
        };
        Ok(Number {
            span: expr.span(),
            class,
            param: param.ok_or_else(other)?,
            axis,
        })
    }
}

impl Tune {
    /// Takes over the entries of the option, each of which may occur once.
    pub(crate) fn parse(tokens: proc_macro2::TokenStream, span: Span) -> syn::Result<Self> {
        let entries =
            syn::parse::Parser::parse2(Punctuated::<Entry, Token![,]>::parse_terminated, tokens)?;
        let mut tune = Tune {
            params: Vec::new(),
            candidates: None,
            key: None,
        };
        for entry in entries {
            match entry {
                Entry::Param(name) if tune.params.contains(&name) => {
                    return Err(syn::Error::new(
                        name.span(),
                        format!("`{name}` is given twice"),
                    ));
                }
                Entry::Param(name) => tune.params.push(name),
                Entry::Candidates(_, span) if tune.candidates.is_some() => {
                    return Err(syn::Error::new(span, "`candidates` is given twice"));
                }
                Entry::Candidates(count, _) => tune.candidates = Some(count),
                Entry::Key(_) if tune.key.is_some() => {
                    return Err(syn::Error::new(span, "`key` is given twice"));
                }
                Entry::Key(numbers) => tune.key = Some(numbers),
            }
        }
        if tune.params.is_empty() {
            return Err(syn::Error::new(
                span,
                "`tune` names no const parameter that may be chosen",
            ));
        }
        Ok(tune)
    }
}

/// Matches the names of `tune(..)` with the parameters of the kernel. Errors are reported, and what is wrong is left out.
pub(crate) fn tuning(
    tune: &Tune,
    signature: &Signature,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Tuning {
    let mut report = |span: Span, message: String, help: String| {
        let loc = spans.token(span);
        diagnostics.error(Diagnostic::error(Code::AttributeOption, loc, message).help(help));
    };
    let consts: Vec<String> = signature
        .const_params
        .iter()
        .map(|param| param.ident.unraw().to_string())
        .collect();
    let mut params = Vec::new();
    for name in &tune.params {
        let text = name.to_string();
        if let Some(index) = consts.iter().position(|known| *known == text) {
            params.push(index);
            continue;
        }
        let help = match nearest(&text, consts.iter().map(String::as_str)) {
            Some(known) => format!("write `{known}`"),
            None if consts.is_empty() => {
                "declare `const BM: usize` in the generics, and list its values in `instances(..)`"
                    .to_owned()
            }
            None => format!("name some of `{}`", consts.join("`, `")),
        };
        report(
            name.span(),
            format!("the kernel has no const parameter `{text}`"),
            help,
        );
    }
    let key = match &tune.key {
        Some(numbers) => numbers
            .iter()
            .filter_map(|number| item(number, signature, &mut report))
            .collect(),
        None => default_key(signature),
    };
    Tuning {
        params,
        candidates: tune.candidates,
        key,
    }
}

/// Returns every extent and every integer of a launch.
fn default_key(signature: &Signature) -> Vec<KeyItem> {
    let mut key = Vec::new();
    for (param, declared) in signature.params.iter().enumerate() {
        let item = |axis| KeyItem {
            param,
            axis,
            class: KeyClass::default(),
        };
        match declared.kind {
            ParamKind::Tensor { rank, .. } => key.extend((0..rank).map(|axis| item(Some(axis)))),
            ParamKind::Scalar(element) if element.is_integer() => key.push(item(None)),
            ParamKind::Scalar(_) | ParamKind::Pointer { .. } => {}
        }
    }
    key
}

fn item(
    number: &Number,
    signature: &Signature,
    report: &mut impl FnMut(Span, String, String),
) -> Option<KeyItem> {
    let name = number.param.unraw().to_string();
    let mut params = signature.params.iter();
    let Some(param) = params.position(|param| param.ident.unraw() == name) else {
        let names: Vec<String> = signature
            .params
            .iter()
            .map(|param| param.ident.unraw().to_string())
            .collect();
        let help = match nearest(&name, names.iter().map(String::as_str)) {
            Some(known) => format!("write `{known}`"),
            None => format!("name one of `{}`", names.join("`, `")),
        };
        report(
            number.param.span(),
            format!("the kernel has no parameter `{name}`"),
            help,
        );
        return None;
    };
    match (signature.params[param].kind, number.axis) {
        (ParamKind::Tensor { rank, .. }, Some((axis, span))) if axis >= rank => {
            report(
                span,
                format!("`{name}` has {rank} axes, so there is no axis {axis}"),
                format!("write an axis from 0 to {}", rank - 1),
            );
            None
        }
        (ParamKind::Tensor { .. }, Some((axis, _))) => Some(KeyItem {
            param,
            axis: Some(axis),
            class: number.class,
        }),
        (ParamKind::Scalar(element), None) if element.is_integer() => Some(KeyItem {
            param,
            axis: None,
            class: number.class,
        }),
        _ => {
            report(
                number.span,
                format!("`{name}` is not an integer that a key can have"),
                format!("name an extent, as in `bucket({name}.dim(0))`, or an integer argument"),
            );
            None
        }
    }
}
