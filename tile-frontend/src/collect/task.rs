//! The expansion in progress, as tokens that are passed from macro to macro.
//!
//! ```text
//! task = kind { attribute } { item } [ { path } .. ] [ link .. ] [ unit .. ]
//! ```
//!
//! The first path is the one that was just queried.

use super::bundle::{Bundle, Link, Unit, braces, group, list, list_tokens, merge};
use super::free::{FreePath, path_text};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};

/// The attribute of the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `#[tile_kernel]`
    Kernel,
    /// `#[tile_fn]`
    Helper,
}

/// An item, and the names in it that are resolved so far.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The attribute of the item.
    pub(crate) kind: Kind,
    /// The arguments of the attribute.
    pub(crate) attribute: TokenStream,
    /// The item.
    pub(crate) item: TokenStream,
    /// Paths that are still to be queried.
    pub(crate) pending: Vec<TokenStream>,
    /// Targets of the resolved paths.
    pub(crate) links: Vec<Link>,
    /// The units of these targets.
    pub(crate) units: Vec<Unit>,
}

struct Pending(TokenStream);

impl Parse for Pending {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        group(input, Delimiter::Brace).map(Self)
    }
}

impl Task {
    /// Creates a task with these paths to query.
    pub(crate) fn new(
        kind: Kind,
        attribute: TokenStream,
        item: TokenStream,
        paths: &[FreePath],
    ) -> Self {
        Self {
            kind,
            attribute,
            item,
            pending: paths.iter().map(|path| path.tokens.clone()).collect(),
            links: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Returns the macro call that queries the next path, or `None` if all paths are resolved.
    pub(crate) fn ask(&self) -> Option<TokenStream> {
        let path = self.pending.first()?;
        let Task {
            kind,
            attribute,
            item,
            pending,
            links,
            units,
        } = self;
        let kind = Ident::new(
            match kind {
                Kind::Kernel => "kernel",
                Kind::Helper => "helper",
            },
            Span::call_site(),
        );
        let attribute = braces(attribute.clone());
        let item = braces(item.clone());
        let pending = list_tokens(pending, |path| braces(path.clone()).to_token_stream());
        let links = list_tokens(links, Link::tokens);
        let units = list_tokens(units, Unit::tokens);
        Some(quote! {
            #path ! {
                { ::tile_kernel::__private::tile_next }
                #kind #attribute #item #pending #links #units
            }
        })
    }

    /// Returns the task after the answer to its first path.
    pub(crate) fn answered(mut self, bundle: Bundle) -> Self {
        if !self.pending.is_empty() {
            let path = self.pending.remove(0);
            self.links.push(Link {
                path: path_text(path),
                target: bundle.target,
            });
        }
        merge(&mut self.units, bundle.units);
        self
    }
}

impl Parse for Task {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind: Ident = input.parse()?;
        let kind = if kind == "kernel" {
            Kind::Kernel
        } else {
            Kind::Helper
        };
        let attribute = group(input, Delimiter::Brace)?;
        let item = group(input, Delimiter::Brace)?;
        let pending: Vec<Pending> = list(input)?;
        Ok(Self {
            kind,
            attribute,
            item,
            pending: pending.into_iter().map(|path| path.0).collect(),
            links: list(input)?,
            units: list(input)?,
        })
    }
}

/// A bundle, with the task that queried it.
pub(crate) struct Answer {
    /// The queried bundle.
    pub(crate) bundle: Bundle,
    /// The task that queried it.
    pub(crate) task: Task,
}

impl Parse for Answer {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            bundle: input.parse()?,
            task: input.parse()?,
        })
    }
}
