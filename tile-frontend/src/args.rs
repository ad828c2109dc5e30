//! Parses the options of the attribute.
//!
//! The tokens between the parentheses of `#[tile_kernel(..)]` become [`Options`], still as written;
//! `instantiate` matches them with the generics.

use crate::cpu_code::CpuMode;
use crate::report::SpanTable;
use crate::tune::Tune;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Ident, Meta, Token};
use tile_backend::session::{OptionValue, ScheduleOption, ScheduleOptions};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// The options of `#[tile_kernel(..)]`.
#[derive(Default)]
pub(crate) struct Options {
    /// `grid = c.tiles([BM, BN])`: the number of work tiles, as an expression over the parameters.
    pub(crate) grid: Option<syn::Expr>,
    /// `instances((BM = 64, T = f16), FAST = [false, true], ..)`: values of the generics.
    pub(crate) instances: Vec<Choices>,
    /// `types(T = f16 | bf16, ..)`: candidates of the type parameters.
    pub(crate) types: Vec<Choices>,
    /// `arch("sm_80", "sm_90a")`: the architectures to compile for.
    pub(crate) arch: Option<Vec<syn::LitStr>>,
    /// `cpu = "interpreted"`: the code for the CPU device, with its token.
    pub(crate) cpu: Option<(CpuMode, Span)>,
    /// The options for the schedule, such as `num_warps = 4`.
    pub(crate) schedule: ScheduleOptions,
    /// The options for the schedule whose values are expressions of const parameters, such as `num_warps = WARPS`.
    pub(crate) computed: Vec<(&'static ScheduleOption, syn::Expr)>,
    /// `constraints(BM * BN <= 16384, ..)`: conditions of the instances.
    pub(crate) constraints: Vec<syn::Expr>,
    /// `tune(BM, BN, ..)`: what the tuner may choose.
    pub(crate) tune: Option<Tune>,
}

/// An error in the options.
struct Fault {
    span: Span,
    message: String,
    note: Option<String>,
    help: String,
}

impl Fault {
    /// An option that is written in another way than its sample.
    fn new(span: Span, message: impl Into<String>, usage: &str) -> Self {
        Self {
            span,
            message: message.into(),
            note: None,
            help: format!("write `{usage}`"),
        }
    }
}

impl Options {
    /// Takes over one option.
    fn add(&mut self, option: &Meta) -> Result<(), Fault> {
        let path = option.path();
        let name = path.to_token_stream().to_string().replace(' ', "");
        let usage = usage(&name).ok_or_else(|| unknown(path.span(), &name))?;
        let is_first = match name.as_str() {
            "grid" => set(&mut self.grid, value(option, &name, &usage)?),
            "arch" => set(&mut self.arch, list(option, &usage)?),
            "cpu" => set(&mut self.cpu, mode(option, &name, &usage)?),
            "instances" => {
                self.instances.push(Choices::of(option, &usage)?);
                true
            }
            "types" => {
                self.types.push(Choices::of(option, &usage)?);
                true
            }
            "constraints" => {
                let is_first = self.constraints.is_empty();
                self.constraints.extend(list(option, &usage)?);
                is_first
            }
            "tune" => {
                let Meta::List(list) = option else {
                    return Err(Fault::new(option.span(), "expected a list", &usage));
                };
                let tune = Tune::parse(list.tokens.clone(), option.span())
                    .map_err(|error| Fault::new(error.span(), error.to_string(), &usage))?;
                set(&mut self.tune, tune)
            }
            _ => {
                let schedule = ScheduleOption::ALL.iter();
                let known = schedule.clone().find(|known| known.name == name);
                let known = known.expect("the option has a sample");
                let value = match known.value {
                    OptionValue::Switch => Some(switch(option, &name, &usage)?),
                    OptionValue::Number { counts, is, .. } => {
                        number(known, (counts, is), option, &usage)?
                    }
                };
                let mut computed = self.computed.iter();
                match value {
                    _ if computed.any(|(other, _)| other.name == known.name) => false,
                    Some(value) => set((known.field)(&mut self.schedule), value),
                    None if (known.field)(&mut self.schedule).is_some() => false,
                    None => {
                        let value = self::value(option, known.name, &usage)?;
                        self.computed.push((known, value));
                        true
                    }
                }
            }
        };
        if is_first {
            return Ok(());
        }
        Err(Fault {
            span: option.span(),
            message: format!("the option `{name}` is given twice"),
            note: None,
            help: "remove it: an option is given at most once".to_owned(),
        })
    }
}

/// Sets a field that is still empty; returns whether it was.
fn set<T>(field: &mut Option<T>, value: T) -> bool {
    let is_first = field.is_none();
    field.get_or_insert(value);
    is_first
}

/// Returns the expression behind `=`.
fn value(option: &Meta, name: &str, usage: &str) -> Result<syn::Expr, Fault> {
    match option {
        Meta::NameValue(pair) => Ok(pair.value.clone()),
        Meta::Path(_) | Meta::List(_) => Err(other_form(option, name, usage)),
    }
}

/// Returns the value of an option that is written without one.
fn switch(option: &Meta, name: &str, usage: &str) -> Result<u32, Fault> {
    match option {
        Meta::Path(_) => Ok(1),
        Meta::List(_) | Meta::NameValue(_) => Err(other_form(option, name, usage)),
    }
}

/// Returns the code for the CPU device that the option `cpu` names.
fn mode(option: &Meta, name: &str, usage: &str) -> Result<(CpuMode, Span), Fault> {
    let mut value = value(option, name, usage)?;
    // A text that a `macro_rules!` macro passes on.
    while let syn::Expr::Group(group) = value {
        value = *group.expr;
    }
    let text = match &value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => text.value(),
        _ => String::new(),
    };
    let modes = CpuMode::ALL.iter();
    if let Some((_, mode)) = modes.clone().find(|(name, _)| *name == text) {
        return Ok((*mode, value.span()));
    }
    let names: Vec<String> = modes
        .clone()
        .map(|(name, _)| format!("`\"{name}\"`"))
        .collect();
    let nearest = crate::check::nearest(&text, modes.map(|(name, _)| *name)).unwrap_or("native");
    Err(Fault {
        span: value.span(),
        message: format!(
            "there is no code `{}` for the CPU device",
            value.to_token_stream()
        ),
        note: Some(format!("`cpu` is one of {}", names.join(", "))),
        help: format!("write `cpu = \"{nearest}\"`"),
    })
}

/// The error for an option with another punctuation than its sample.
fn other_form(option: &Meta, name: &str, usage: &str) -> Fault {
    let message = format!("the option `{name}` has another form");
    Fault::new(option.span(), message, usage)
}

/// Returns the number of an option of the schedule, or `None` for an expression of const parameters. `counts` is what it
/// counts, and `is` how its allowed values are described.
fn number(
    known: &ScheduleOption,
    (counts, is): (&str, &str),
    option: &Meta,
    usage: &str,
) -> Result<Option<u32>, Fault> {
    let mut value = value(option, known.name, usage)?;
    // A number that a `macro_rules!` macro passes on.
    while let syn::Expr::Group(group) = value {
        value = *group.expr;
    }
    let number = match &value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(number),
            ..
        }) => number,
        syn::Expr::Lit(_) | syn::Expr::Array(_) | syn::Expr::Range(_) | syn::Expr::Tuple(_) => {
            let message = format!("expected a number, found `{}`", value.to_token_stream());
            let mut fault = Fault::new(value.span(), message, usage);
            if !matches!(value, syn::Expr::Lit(_)) {
                fault.note = Some(format!(
                    "for several values, declare a const parameter: `const N: u32` with `instances(N = ..)` and `{} = N`",
                    known.name
                ));
            }
            return Err(fault);
        }
        _ => return Ok(None),
    };
    match number.base10_parse() {
        Ok(count) if known.allows(count) => Ok(Some(count)),
        _ => Err(Fault {
            note: Some(format!("`{}` is {is}", known.name)),
            ..Fault::new(
                number.span(),
                format!("a block cannot have {number} {counts}"),
                usage,
            )
        }),
    }
}

/// Returns the entries between the parentheses of an option.
fn list<T: Parse>(option: &Meta, usage: &str) -> Result<Vec<T>, Fault> {
    let Meta::List(list) = option else {
        return Err(Fault::new(option.span(), "expected a list", usage));
    };
    let parsed = Punctuated::<T, Token![,]>::parse_terminated
        .parse2(list.tokens.clone())
        .map_err(|error| Fault::new(error.span(), error.to_string(), usage))?;
    if parsed.is_empty() {
        return Err(Fault::new(option.span(), "the list is empty", usage));
    }
    Ok(parsed.into_iter().collect())
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

impl Choices {
    fn of(option: &Meta, usage: &str) -> Result<Self, Fault> {
        let mut choices = Self {
            rows: Vec::new(),
            factors: Vec::new(),
        };
        for choice in list::<Choice>(option, usage)? {
            match choice {
                Choice::Row(row) => choices.rows.push(row),
                Choice::Factor(factor) => choices.factors.push(factor),
            }
        }
        Ok(choices)
    }
}

/// A sample of each option, except for those of the schedule.
const USAGE: [(&str, &str); 7] = [
    ("grid", "grid = c.tiles([64, 64])"),
    (
        "instances",
        "instances((BM = 64, BN = 64), (BM = 128, BN = 64))",
    ),
    ("types", "types(T = f16 | bf16)"),
    ("constraints", "constraints(BM * BN <= 16384)"),
    (
        "tune",
        "tune(BM, BN, candidates = 12, key(bucket(c.dim(0)), exact(n)))",
    ),
    ("arch", "arch(\"sm_80\", \"sm_90a\")"),
    ("cpu", "cpu = \"native\""),
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

/// Returns the sample of an option; `None` if there is no option with this name.
fn usage(name: &str) -> Option<String> {
    usages()
        .find(|(known, _)| *known == name)
        .map(|(_, usage)| usage)
}

/// The error for an option that does not exist.
fn unknown(span: Span, name: &str) -> Fault {
    let options = usages().map(|(name, _)| name);
    Fault {
        span,
        message: format!("there is no option `{name}`"),
        note: None,
        help: match crate::check::nearest(name, options) {
            Some(known) => format!("write `{known}`"),
            None => format!("use only {}", names()),
        },
    }
}

/// One entry between the parentheses of the attribute.
enum Item {
    Option(Box<Meta>),
    /// A literal, which is no option.
    Literal(syn::Lit),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::Lit) && !input.peek(syn::LitBool) {
            return input.parse().map(Item::Literal);
        }
        input.parse().map(|option| Item::Option(Box::new(option)))
    }
}

/// Parses the options: errors are reported, and valid options are kept.
pub(crate) fn parse(
    tokens: TokenStream,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Options {
    let mut options = Options::default();
    let mut faults = Vec::new();
    let help = || format!("write each of {} at most once", names());
    match Punctuated::<Item, Token![,]>::parse_terminated.parse2(tokens) {
        Ok(items) => faults.extend(items.iter().filter_map(|item| match item {
            Item::Option(option) => options.add(option).err(),
            Item::Literal(literal) => Some(Fault {
                span: literal.span(),
                message: format!("`{}` is not an option", literal.to_token_stream()),
                note: None,
                help: help(),
            }),
        })),
        Err(error) => faults.extend(error.into_iter().map(|error| Fault {
            span: error.span(),
            message: error.to_string(),
            note: None,
            help: help(),
        })),
    }
    for fault in faults {
        let loc = spans.token(fault.span);
        let mut diagnostic =
            Diagnostic::error(Code::AttributeOption, loc, fault.message).help(fault.help);
        if let Some(note) = fault.note {
            diagnostic = diagnostic.note(note);
        }
        diagnostics.error(diagnostic);
    }
    options
}

/// Returns the names and values in every `instances(..)`, constraints, and options of the schedule that are expressions; skips
/// options that do not parse.
pub(crate) fn values(tokens: &TokenStream) -> Vec<(Ident, syn::Expr)> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(options) = parser.parse2(tokens.clone()) else {
        return Vec::new();
    };
    let named = |name: &'static str| {
        let options = options.iter();
        options.filter(move |option| option.path().is_ident(name))
    };
    let constraints = named("constraints")
        .filter_map(|option| Some((option.path().get_ident()?.clone(), list(option, "").ok()?)))
        .flat_map(|(name, list)| list.into_iter().map(move |expr| (name.clone(), expr)));
    let schedule = options.iter().filter_map(|option| {
        let name = option.path().get_ident()?;
        let is_known = ScheduleOption::ALL.iter().any(|known| name == known.name);
        is_known.then_some(())?;
        Some((name.clone(), value(option, "", "").ok()?))
    });
    named("instances")
        .filter_map(|option| Choices::of(option, "").ok())
        .flat_map(|choices| choices.rows.into_iter().chain(choices.factors))
        .flat_map(|row| row.entries)
        .filter_map(|(name, value)| Some((name, value.expr?)))
        .chain(constraints)
        .chain(schedule)
        .collect()
}
