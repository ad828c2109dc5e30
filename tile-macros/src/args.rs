//! The options of the attribute.
//!
//! In: the tokens between the parentheses of `#[tile_kernel(..)]`. Out:
//! [`Options`], still as written; `instantiate` fits them to the generics.

use crate::report::SpanTable;
use darling::ast::NestedMeta;
use darling::{FromMeta, Result};
use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Meta, Token};
use tile_core::Diagnostics;
use tile_core::diag::{Code, Diagnostic};

/// What may stand in `#[tile_kernel(..)]`.
#[derive(FromMeta, Default)]
pub(crate) struct Options {
    /// `grid = c.tiles([BM, BN])`: how many blocks, over the parameters.
    #[darling(default)]
    pub(crate) grid: Option<syn::Expr>,
    /// `instances((BM = 64, BN = 64), ..)`: values of the const parameters.
    #[darling(default)]
    pub(crate) instances: Option<InstanceList>,
    /// `types(T = f16 | bf16, ..)`: candidates of the type parameters.
    #[darling(default)]
    pub(crate) types: Option<TypeList>,
    /// `arch("sm_80", "sm_90a")`: what to compile for.
    #[darling(default)]
    pub(crate) arch: Option<ArchList>,
    /// `num_warps = 4`: warps of a block.
    #[darling(default)]
    pub(crate) num_warps: Option<u32>,
}

/// The tuples of `instances(..)`.
pub(crate) struct InstanceList(pub(crate) Vec<Bindings>);

/// `(BM = 64, BN = 64)`.
pub(crate) struct Bindings {
    /// The parentheses.
    pub(crate) span: proc_macro2::Span,
    /// Name and value, as written.
    pub(crate) entries: Vec<(Ident, syn::Expr)>,
}

/// The entries of `types(..)`.
pub(crate) struct TypeList(pub(crate) Vec<(Ident, Vec<syn::Path>)>);

/// The strings of `arch(..)`.
pub(crate) struct ArchList(pub(crate) Vec<syn::LitStr>);

struct Binding(Ident, syn::Expr);

impl Parse for Binding {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self(name, input.parse()?))
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

struct Candidates(Ident, Vec<syn::Path>);

impl Parse for Candidates {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let types = Punctuated::<syn::Path, Token![|]>::parse_separated_nonempty(input)?;
        Ok(Self(name, types.into_iter().collect()))
    }
}

fn list<T: Parse>(item: &Meta, example: &str) -> Result<Vec<T>> {
    let Meta::List(list) = item else {
        let message = format!("expected a list: write `{example}`");
        return Err(darling::Error::custom(message).with_span(item));
    };
    let parsed = Punctuated::<T, Token![,]>::parse_terminated
        .parse2(list.tokens.clone())
        .map_err(|error| {
            let message = format!("{error}: write `{example}`");
            darling::Error::custom(message).with_span(&error.span())
        })?;
    if parsed.is_empty() {
        let message = format!("the list is empty: write `{example}`");
        return Err(darling::Error::custom(message).with_span(item));
    }
    Ok(parsed.into_iter().collect())
}

impl FromMeta for InstanceList {
    fn from_meta(item: &Meta) -> Result<Self> {
        list(item, "instances((BM = 64, BN = 64), (BM = 128, BN = 64))").map(Self)
    }
}

impl FromMeta for TypeList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let entries: Vec<Candidates> = list(item, "types(T = f16 | bf16)")?;
        Ok(Self(
            entries
                .into_iter()
                .map(|Candidates(name, types)| (name, types))
                .collect(),
        ))
    }
}

impl FromMeta for ArchList {
    fn from_meta(item: &Meta) -> Result<Self> {
        list(item, "arch(\"sm_80\", \"sm_90a\")").map(Self)
    }
}

/// Reads the options; what is wrong is reported, what is right is kept.
pub(crate) fn parse(
    tokens: TokenStream,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Options {
    const HELP: &str =
        "the options are `grid`, `instances`, `types`, `arch` and `num_warps`; use only these";
    let options = NestedMeta::parse_meta_list(tokens)
        .map_err(darling::Error::from)
        .and_then(|items| Options::from_list(&items));
    let options = match options {
        Ok(options) => options,
        Err(errors) => {
            for error in errors.flatten() {
                let loc = spans.token(error.span());
                let message = lower_first(&error.to_string());
                diagnostics
                    .error(Diagnostic::error(Code::AttributeOption, loc, message).help(HELP));
            }
            return Options::default();
        }
    };
    if let Some(warps) = options.num_warps
        && !matches!(warps, 1 | 2 | 4 | 8 | 16 | 32)
    {
        let loc = spans.token(proc_macro2::Span::call_site());
        diagnostics.error(
            Diagnostic::error(
                Code::AttributeOption,
                loc,
                format!("a block cannot have {warps} warps"),
            )
            .note("`num_warps` is a power of two from 1 to 32")
            .help("write `num_warps = 4`"),
        );
    }
    options
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
