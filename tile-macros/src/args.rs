//! Parses the options of the attribute.
//!
//! The tokens between the parentheses of `#[tile_kernel(..)]` become [`Options`], still as written;
//! `instantiate` matches them with the generics.

use crate::report::SpanTable;
use darling::ast::NestedMeta;
use darling::util::SpannedValue;
use darling::{FromMeta, Result};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Ident, Meta, Token};
use tile_backend::session::{OptionValue, ScheduleOption, ScheduleOptions};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// The options of `#[tile_kernel(..)]`.
#[derive(FromMeta, Default)]
pub(crate) struct Options {
    /// `grid = c.tiles([BM, BN])`: the number of work tiles, as an expression over the parameters.
    #[darling(default)]
    pub(crate) grid: Option<syn::Expr>,
    /// `instances((BM = 64, T = f16), FAST = [false, true], ..)`: values of the generics.
    #[darling(default, multiple)]
    pub(crate) instances: Vec<Choices>,
    /// `types(T = f16 | bf16, ..)`: candidates of the type parameters.
    #[darling(default, multiple)]
    pub(crate) types: Vec<Choices>,
    /// `arch("sm_80", "sm_90a")`: the architectures to compile for.
    #[darling(default)]
    pub(crate) arch: Option<ArchList>,
    /// The options for the schedule, such as `num_warps = 4`.
    #[darling(flatten)]
    pub(crate) schedule: ScheduleArgs,
}

/// The options for the schedule, with the tokens of their values.
#[derive(Default)]
pub(crate) struct ScheduleArgs {
    /// The options.
    pub(crate) options: ScheduleOptions,
    values: Vec<(&'static ScheduleOption, SpannedValue<u32>)>,
}

impl FromMeta for ScheduleArgs {
    fn from_list(items: &[NestedMeta]) -> Result<Self> {
        let mut args = Self::default();
        let mut errors = darling::Error::accumulator();
        for item in items {
            let NestedMeta::Meta(meta) = item else {
                errors.push(darling::Error::unsupported_format("literal").with_span(item));
                continue;
            };
            let name = darling::util::path_to_string(meta.path());
            let Some(option) = { ScheduleOption::ALL.iter() }.find(|option| option.name == name)
            else {
                errors.push(darling::Error::unknown_field(&name).with_span(meta));
                continue;
            };
            let field = (option.field)(&mut args.options);
            if field.is_some() {
                errors.push(darling::Error::duplicate_field(option.name).with_span(meta));
                continue;
            }
            let value = match option.value {
                OptionValue::Switch => switch(meta),
                OptionValue::Number { .. } => SpannedValue::<u32>::from_meta(meta),
            };
            if let Some(value) = errors.handle(value.map_err(|error| error.at(option.name))) {
                *field = Some(*value);
                args.values.push((option, value));
            }
        }
        errors.finish_with(args)
    }
}

/// Parses an option that is written without a value.
fn switch(meta: &Meta) -> Result<SpannedValue<u32>> {
    match meta {
        Meta::Path(path) => Ok(SpannedValue::new(1, path.span())),
        Meta::List(_) => Err(darling::Error::unsupported_format("list").with_span(meta)),
        Meta::NameValue(_) => Err(darling::Error::unsupported_format("name-value").with_span(meta)),
    }
}

/// The content of one `instances(..)` or `types(..)`: the tuples are alternatives, and each `NAME =
/// ..` outside tuples multiplies them.
pub(crate) struct Choices {
    /// The tuples, which are alternatives.
    pub(crate) rows: Vec<Bindings>,
    /// Each binding outside tuples, as a tuple of its own.
    pub(crate) factors: Vec<Bindings>,
}

/// One tuple of names and values, such as `(BM = 64, T = f16 | bf16)`.
#[derive(Clone)]
pub(crate) struct Bindings {
    /// The parentheses, or the name if there are none.
    pub(crate) span: proc_macro2::Span,
    /// Names and values, as written.
    pub(crate) entries: Vec<(Ident, Value)>,
}

/// The value of a generic. Tokens that parse as both a type and a value are stored as both until
/// the kind of the parameter is known.
#[derive(Clone)]
pub(crate) struct Value {
    /// The value as types, such as `f16 | bf16`.
    pub(crate) types: Option<Vec<syn::Path>>,
    /// The value as an expression, such as `64`, `2 * BM`, `[false, true]` or `1..=4`.
    pub(crate) expr: Option<syn::Expr>,
    /// The value as written.
    pub(crate) tokens: TokenStream,
}

/// The strings of `arch(..)`.
pub(crate) struct ArchList(pub(crate) Vec<syn::LitStr>);

struct Binding(Ident, Value);

impl Parse for Binding {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self(name, input.parse()?))
    }
}

impl Value {
    /// Creates the value of a default type.
    pub(crate) fn from_type(path: &syn::Path) -> Self {
        Self {
            types: Some(vec![path.clone()]),
            expr: None,
            tokens: path.to_token_stream(),
        }
    }

    /// Creates the value of a default constant.
    pub(crate) fn from_expr(expr: &syn::Expr) -> Self {
        Self {
            types: None,
            expr: Some(expr.clone()),
            tokens: expr.to_token_stream(),
        }
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ends = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![,]);
        let as_types = input.fork();
        let types = Punctuated::<syn::Path, Token![|]>::parse_separated_nonempty(&as_types);
        let types = types.ok().filter(|_| ends(&as_types));
        let as_value = input.fork();
        let expr = as_value.parse::<syn::Expr>();
        let expr = match expr {
            Ok(expr) if ends(&as_value) => Some(expr),
            Ok(_) if types.is_none() => return Err(as_value.error("expected `,`")),
            Err(error) if types.is_none() => return Err(error),
            Ok(_) | Err(_) => None,
        };
        let tokens = match (&types, &expr) {
            (Some(types), _) => types.to_token_stream(),
            (None, expr) => expr.to_token_stream(),
        };
        input.advance_to(if types.is_some() {
            &as_types
        } else {
            &as_value
        });
        Ok(Self {
            types: types.map(|types| types.into_iter().collect()),
            expr,
            tokens,
        })
    }
}

impl Parse for Bindings {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        let paren = syn::parenthesized!(content in input);
        let entries = Punctuated::<Binding, Token![,]>::parse_terminated(&content)?;
        Ok(Self {
            span: paren.span.join(),
            entries: entries
                .into_iter()
                .map(|Binding(name, value)| (name, value))
                .collect(),
        })
    }
}

/// One entry of a list: a tuple, or a binding outside tuples.
enum Choice {
    Row(Bindings),
    Factor(Bindings),
}

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Ident) {
            let Binding(name, value) = input.parse()?;
            return Ok(Choice::Factor(Bindings {
                span: name.span(),
                entries: vec![(name, value)],
            }));
        }
        input.parse().map(Choice::Row)
    }
}

fn list<T: Parse>(item: &Meta) -> Result<Vec<T>> {
    let Meta::List(list) = item else {
        return Err(darling::Error::custom("expected a list").with_span(item));
    };
    let parsed = Punctuated::<T, Token![,]>::parse_terminated
        .parse2(list.tokens.clone())
        .map_err(|error| darling::Error::custom(&error).with_span(&error.span()))?;
    if parsed.is_empty() {
        return Err(darling::Error::custom("the list is empty").with_span(item));
    }
    Ok(parsed.into_iter().collect())
}

impl FromMeta for Choices {
    fn from_meta(item: &Meta) -> Result<Self> {
        let mut choices = Self {
            rows: Vec::new(),
            factors: Vec::new(),
        };
        for choice in list::<Choice>(item)? {
            match choice {
                Choice::Row(row) => choices.rows.push(row),
                Choice::Factor(factor) => choices.factors.push(factor),
            }
        }
        Ok(choices)
    }
}

impl FromMeta for ArchList {
    fn from_meta(item: &Meta) -> Result<Self> {
        list(item).map(Self)
    }
}

/// A sample of each option, except for those of the schedule.
const USAGE: [(&str, &str); 4] = [
    ("grid", "grid = c.tiles([64, 64])"),
    (
        "instances",
        "instances((BM = 64, BN = 64), (BM = 128, BN = 64))",
    ),
    ("types", "types(T = f16 | bf16)"),
    ("arch", "arch(\"sm_80\", \"sm_90a\")"),
];

/// Returns the name and a sample of each option.
fn usages() -> impl Iterator<Item = (&'static str, String)> {
    let schedule = ScheduleOption::ALL.iter();
    let schedule = schedule.map(|option| (option.name, option.usage()));
    { USAGE.into_iter() }
        .map(|(name, usage)| (name, usage.to_owned()))
        .chain(schedule)
}

/// Returns the options as a list in prose.
fn names() -> String {
    let names: Vec<String> = usages().map(|(name, _)| format!("`{name}`")).collect();
    let (last, others) = names.split_last().expect("there are options");
    format!("{} and {last}", others.join(", "))
}

/// Returns the message and the help for a `darling` error.
fn explain(error: &darling::Error) -> (String, String) {
    let full = error.to_string();
    if let Some(rest) = full.strip_prefix("Unknown field: `") {
        let name = rest.split('`').next().unwrap_or_default();
        let options = usages().map(|(name, _)| name);
        let help = match crate::check::nearest(name, options) {
            Some(known) => format!("write `{known}`"),
            None => format!("use only {}", names()),
        };
        return (format!("there is no option `{name}`"), help);
    }
    // darling appends the option that it was parsing, with its index if the option may occur
    // several times.
    let full = match full.rsplit_once('[') {
        Some((text, number)) if number.strip_suffix(']').is_some_and(is_number) => text.to_owned(),
        _ => full,
    };
    for (name, usage) in usages() {
        if let Some(text) = full.strip_suffix(&format!(" at {name}")) {
            let text = if text.starts_with("Unexpected meta-item format") {
                format!("the option `{name}` has another form")
            } else {
                lower_first(text)
            };
            return (text, format!("write `{usage}`"));
        }
    }
    if full.starts_with("Duplicate field") {
        let help = "remove it: an option is given at most once".to_owned();
        return (lower_first(&full), help);
    }
    let help = format!("write each of {} at most once", names());
    (lower_first(&full), help)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses the options: errors are reported, and valid options are kept.
pub(crate) fn parse(
    tokens: TokenStream,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Options {
    let options = NestedMeta::parse_meta_list(tokens)
        .map_err(darling::Error::from)
        .and_then(|items| Options::from_list(&items));
    let options = match options {
        Ok(options) => options,
        Err(errors) => {
            for error in errors.flatten() {
                let loc = spans.token(error.span());
                let (message, help) = explain(&error);
                diagnostics
                    .error(Diagnostic::error(Code::AttributeOption, loc, message).help(help));
            }
            return Options::default();
        }
    };
    for (option, value) in &options.schedule.values {
        if let OptionValue::Number { counts, is, .. } = option.value
            && !option.allows(**value)
        {
            let loc = spans.token(value.span());
            let message = format!("a block cannot have {} {counts}", **value);
            diagnostics.error(
                Diagnostic::error(Code::AttributeOption, loc, message)
                    .note(format!("`{}` is {is}", option.name))
                    .help(format!("write `{}`", option.usage())),
            );
        }
    }
    options
}

/// Returns the names and values in every `instances(..)`; skips options that do not parse.
pub(crate) fn values(tokens: &TokenStream) -> Vec<(Ident, syn::Expr)> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(options) = parser.parse2(tokens.clone()) else {
        return Vec::new();
    };
    let instances = options
        .iter()
        .filter(|option| option.path().is_ident("instances"));
    instances
        .filter_map(|option| Choices::from_meta(option).ok())
        .flat_map(|choices| choices.rows.into_iter().chain(choices.factors))
        .flat_map(|row| row.entries)
        .filter_map(|(name, value)| Some((name, value.expr?)))
        .collect()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
