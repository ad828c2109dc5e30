//! Encodes items, and the targets of the names in them, as tokens.
//!
//! ```text
//! bundle = { "unit" "name" } [ unit .. ]
//! unit   = { "id" state { items } [ link .. ] }
//! link   = { "path" "unit" "name" }
//! ```

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

/// The target of a path: an item of a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    /// The identifier of the unit.
    pub(crate) unit: String,
    /// The name of the item in the unit.
    pub(crate) name: String,
}

/// A path as a unit writes it, and its target.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The path, such as `math::gelu`.
    pub(crate) path: String,
    /// The item that the path names.
    pub(crate) target: Target,
}

/// The usability of the items of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// The items can be used.
    Sound,
    /// The items have errors, which are reported at their definition.
    HasErrors,
}

/// Items that see each other.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// An identifier that is unique among all crates.
    pub(crate) id: String,
    /// The usability of the items.
    pub(crate) health: Health,
    /// The items, as written.
    pub(crate) items: TokenStream,
    /// The targets of paths that are not items of the unit.
    pub(crate) links: Vec<Link>,
}

/// The export of a `#[tile_fn]`.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    /// The queried item.
    pub(crate) target: Target,
    /// The unit of the item, and all units that this unit refers to.
    pub(crate) units: Vec<Unit>,
}

/// Wraps tokens in brackets.
fn brackets(tokens: TokenStream) -> TokenTree {
    Group::new(Delimiter::Bracket, tokens).into()
}

/// Wraps tokens in braces.
pub(super) fn braces(tokens: TokenStream) -> TokenTree {
    Group::new(Delimiter::Brace, tokens).into()
}

/// Parses a bracketed or braced group and returns its tokens.
pub(super) fn group(input: ParseStream<'_>, delimiter: Delimiter) -> syn::Result<TokenStream> {
    let tree: TokenTree = input.parse()?;
    match tree {
        TokenTree::Group(group) if group.delimiter() == delimiter => Ok(group.stream()),
        other => Err(syn::Error::new(other.span(), "expected a group")),
    }
}

/// Parses every element of a bracketed list.
pub(super) fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    syn::bracketed!(content in input);
    let mut list = Vec::new();
    while !content.is_empty() {
        list.push(content.parse()?);
    }
    Ok(list)
}

/// Returns the bracketed tokens of a list of items.
pub(super) fn list_tokens<'t, T: 't>(
    items: impl IntoIterator<Item = &'t T>,
    tokens: impl Fn(&T) -> TokenStream,
) -> TokenTree {
    brackets(items.into_iter().map(tokens).collect())
}

fn text(text: &str) -> Literal {
    Literal::string(text)
}

impl Target {
    fn tokens(&self) -> TokenStream {
        let (unit, name) = (text(&self.unit), text(&self.name));
        quote!(#unit #name)
    }
}

impl Parse for Target {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let unit: LitStr = input.parse()?;
        let name: LitStr = input.parse()?;
        Ok(Self {
            unit: unit.value(),
            name: name.value(),
        })
    }
}

impl Link {
    pub(super) fn tokens(&self) -> TokenStream {
        let path = text(&self.path);
        let target = self.target.tokens();
        quote!({ #path #target })
    }
}

impl Parse for Link {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let path: LitStr = content.parse()?;
        Ok(Self {
            path: path.value(),
            target: content.parse()?,
        })
    }
}

impl Unit {
    pub(super) fn tokens(&self) -> TokenStream {
        let Unit {
            id,
            health,
            items,
            links,
        } = self;
        let id = text(id);
        let health = match health {
            Health::Sound => quote!(+),
            Health::HasErrors => quote!(-),
        };
        let items = braces(items.clone());
        let links = list_tokens(links, Link::tokens);
        quote!({ #id #health #items #links })
    }
}

impl Parse for Unit {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        let id: LitStr = content.parse()?;
        let health = if content.parse::<Option<Token![+]>>()?.is_some() {
            Health::Sound
        } else {
            content.parse::<Token![-]>()?;
            Health::HasErrors
        };
        let items = group(&content, Delimiter::Brace)?;
        Ok(Self {
            id: id.value(),
            health,
            items,
            links: list(&content)?,
        })
    }
}

impl Bundle {
    /// Returns the tokens of the bundle that the macro of a `#[tile_fn]` exports.
    pub(crate) fn tokens(&self) -> TokenStream {
        let target = self.target.tokens();
        let units = list_tokens(&self.units, Unit::tokens);
        quote!({ #target } #units)
    }
}

impl Parse for Bundle {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        syn::braced!(content in input);
        Ok(Self {
            target: content.parse()?,
            units: list(input)?,
        })
    }
}

/// Adds the units of `more` that are not yet in `units`.
pub(crate) fn merge(units: &mut Vec<Unit>, more: Vec<Unit>) {
    for unit in more {
        if !units.iter().any(|present| present.id == unit.id) {
            units.push(unit);
        }
    }
}
