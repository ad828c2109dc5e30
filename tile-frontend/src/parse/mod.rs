//! Parses tokens into the accepted subset.
//!
//! The annotated item becomes an [`Item`]: the parsed kernel, and the parts of the item that are
//! kept as written. Every construct outside the subset is reported by name and with a help; none is
//! silently dropped.

pub(crate) mod ast;
mod expr;
mod format;
mod function;
mod item;
mod jump;
pub(crate) mod library;
mod macros;
mod parallel;
mod pat;
pub(crate) mod ptx;
mod reject;
mod stmt;
mod ty;

pub(crate) use item::{Defaults, Item, kernel};
pub(crate) use parallel::PARALLEL;

use crate::report::{Extent, SpanTable};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use tile_core::{Diagnostics, Loc};

/// The state that the parsing functions share.
pub(crate) struct Cx<'a> {
    /// The table of spans.
    pub(crate) spans: &'a mut SpanTable,
    /// The receiver of errors.
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The names of items and of links to other units in the scope being parsed.
    pub(crate) items: BTreeSet<String>,
    /// Constant arrays of that scope, with their lengths.
    pub(crate) arrays: BTreeMap<String, usize>,
    /// Structs of that scope, with their fields.
    pub(crate) structs: BTreeMap<String, Vec<String>>,
    /// `true` while an expression is parsed only for its text. Helps for errors inside the
    /// expression are then not computed.
    quoting: bool,
}

impl<'a> Cx<'a> {
    /// Creates a context without any names.
    pub(crate) fn new(spans: &'a mut SpanTable, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            spans,
            diagnostics,
            items: BTreeSet::new(),
            arrays: BTreeMap::new(),
            structs: BTreeMap::new(),
            quoting: false,
        }
    }

    /// Returns a context of the same scope that reports to `diagnostics` instead, for speculative
    /// parsing.
    pub(crate) fn unheard<'b>(&'b mut self, diagnostics: &'b mut Diagnostics) -> Cx<'b> {
        Cx {
            spans: self.spans,
            diagnostics,
            items: self.items.clone(),
            arrays: self.arrays.clone(),
            structs: self.structs.clone(),
            quoting: self.quoting,
        }
    }

    /// Returns an expression as a help shows it, or `None` if a kernel cannot contain it either.
    fn quoted(&mut self, expression: &syn::Expr) -> Option<String> {
        // Otherwise nested expressions would be parsed again at each level.
        if self.quoting {
            return None;
        }
        let mut unheard = Diagnostics::new();
        let mut cx = self.unheard(&mut unheard);
        cx.quoting = true;
        let parsed = expr::expr(&mut cx, expression);
        let text = ast::full_text(&parsed);
        let refused = !unheard.take().is_empty();
        (!refused && !text.contains("..")).then_some(text)
    }

    /// Parses an expression of the attribute.
    pub(crate) fn constant(&mut self, expression: &syn::Expr) -> ast::Expr {
        expr::expr(self, expression)
    }

    fn is_item(&self, path: &str) -> bool {
        self.items.contains(path)
    }

    fn token(&mut self, span: Span) -> Loc {
        self.spans.token(span)
    }

    /// Returns the location of a node, computed from its tokens, for nodes without a cheaper source
    /// of a location.
    pub(crate) fn node(&mut self, node: &impl ToTokens) -> Loc {
        let mut tokens = node.to_token_stream().into_iter();
        let first = tokens
            .next()
            .map_or_else(Span::call_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        self.spans.extent(Extent { first, last })
    }

    fn name(&mut self, ident: &proc_macro2::Ident) -> ast::Name {
        ast::Name {
            text: ident.unraw().to_string(),
            loc: self.token(ident.span()),
        }
    }

    fn refuse(&mut self, refusal: reject::Refusal, loc: Loc) {
        self.diagnostics.error(refusal.at(loc));
    }

    /// Refuses attributes inside the body: dropping one could change the meaning (`#[cfg]`) or
    /// silently lose a lint level.
    fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        for attr in attrs {
            if attr.path().is_ident("doc") {
                continue;
            }
            let loc = self.node(attr);
            let help = if attr.path().is_ident("cfg") {
                "remove it, and choose by a const parameter: a kernel is read before rustc decides what exists"
            } else {
                "put the attribute on the kernel itself"
            };
            self.refuse(
                reject::Refusal::new("an attribute inside the body", help),
                loc,
            );
        }
    }
}
