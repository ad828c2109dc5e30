//! Maps locations to token spans, and diagnostics to compile errors.
//!
//! Parsing registers spans and gives each span a [`Loc`]. At the end, all diagnostics become one
//! combined [`syn::Error`].
//!
//! Invariant: the tag of every `Loc` created here is the index of its span pair plus one, so tag 0
//! means "no location".

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::fmt::Write;
use tile_core::diag::Diagnostic;
use tile_core::{Diagnostics, Loc};

/// The first and the last token of a piece of source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Its first token.
    pub(crate) first: Span,
    /// Its last token.
    pub(crate) last: Span,
}

impl From<Span> for Extent {
    fn from(span: Span) -> Self {
        Self {
            first: span,
            last: span,
        }
    }
}

/// The spans of the locations of one expansion.
#[derive(Debug, Default)]
pub(crate) struct SpanTable {
    extents: Vec<Extent>,
    root: Option<Span>,
}

impl SpanTable {
    /// Creates a table without locations. Spans that are added later take on the hygiene of `root`.
    pub(crate) fn new(root: Option<Span>) -> Self {
        Self {
            extents: Vec::new(),
            root,
        }
    }

    /// Returns the location of one token.
    pub(crate) fn token(&mut self, span: Span) -> Loc {
        self.extent(span.into())
    }

    /// Returns the location of the source between two tokens, inclusive.
    pub(crate) fn extent(&mut self, extent: Extent) -> Loc {
        let mut extent = extent;
        if let Some(root) = self.root {
            extent.first = extent.first.resolved_at(root);
            extent.last = extent.last.resolved_at(root);
        }
        self.extents.push(extent);
        let tag = u32::try_from(self.extents.len()).expect("a kernel has fewer than 2^32 tokens");
        let start = extent.first.start();
        let line = u32::try_from(start.line).unwrap_or(0);
        let column = u32::try_from(start.column).map_or(0, |column| column.saturating_add(1));
        Loc::file(&extent.first.file(), line, column).with_tag(tag)
    }

    /// Returns the location from the start of `from` to the end of `to`.
    pub(crate) fn join(&mut self, from: Loc, to: Loc) -> Loc {
        let first = self.get(from).first;
        let last = self.get(to).last;
        self.extent(Extent { first, last })
    }

    /// Returns the tokens of a location, or those of the attribute if the location has none.
    pub(crate) fn get(&self, loc: Loc) -> Extent {
        (loc.tag() as usize)
            .checked_sub(1)
            .and_then(|index| self.extents.get(index).copied())
            .unwrap_or_else(|| Span::call_site().into())
    }

    /// Returns the source text of a location, if the compiler provides it.
    #[cfg(test)]
    pub(crate) fn text(&self, loc: Loc) -> String {
        let Extent { first, last } = self.get(loc);
        first
            .join(last)
            .and_then(|span| span.source_text())
            .unwrap_or_default()
    }
}

/// Returns the message as rustc prints it after `error:`, followed by its notes and help.
pub(crate) fn fold(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        code,
        severity: _,
        message,
        primary,
        labels,
        notes,
        help,
    } = diagnostic;
    let mut text = format!("[{}] {message}", code.as_str());
    if !primary.text.is_empty() {
        let _ = write!(text, "\n= here: {}", primary.text);
    }
    for label in labels {
        let _ = write!(text, "\n= note: {}", label.text);
        if label.loc.line() > 0 && label.loc.line() != primary.loc.line() {
            let _ = write!(text, " (line {})", label.loc.line());
        }
    }
    for note in notes {
        let _ = write!(text, "\n= note: {note}");
    }
    if let Some(help) = help {
        let _ = write!(text, "\n= help: {help}");
    }
    text
}

/// Combines every reported error, in source order, into one error; returns `None` if there is none.
/// Each message is reported once per location.
pub(crate) fn into_error(diagnostics: &mut Diagnostics, spans: &SpanTable) -> Option<syn::Error> {
    let mut list: Vec<Diagnostic> = diagnostics.take();
    list.retain(|diagnostic| diagnostic.severity == tile_core::diag::Severity::Error);
    list.sort_by_key(|diagnostic| {
        (
            diagnostic.primary.loc.line(),
            diagnostic.primary.loc.column(),
        )
    });
    // The variants of a kernel may report the same error.
    list.dedup();
    let mut combined: Option<syn::Error> = None;
    for diagnostic in &list {
        let error = error_at(spans.get(diagnostic.primary.loc), &fold(diagnostic));
        match &mut combined {
            Some(combined) => combined.combine(error),
            None => combined = Some(error),
        }
    }
    combined
}

/// Returns the token of an item that gives messages their hygiene.
pub(crate) fn root_span(item: &syn::Item) -> Span {
    match item {
        syn::Item::Mod(module) => module.ident.span(),
        other => crate::parse::library::name_of(other)
            .map_or_else(Span::call_site, proc_macro2::Ident::span),
    }
}

fn error_at(extent: Extent, message: &str) -> syn::Error {
    // `new_spanned` underlines from the first to the last token that it receives.
    let marker = |span: Span| {
        let mut group = Group::new(Delimiter::None, TokenStream::new());
        group.set_span(span);
        TokenTree::Group(group)
    };
    let tokens: TokenStream = [marker(extent.first), marker(extent.last)]
        .into_iter()
        .collect();
    syn::Error::new_spanned(tokens, message)
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::needless_raw_string_hashes,
        reason = "that is how `expect!` blesses its text"
    )]

    use super::*;
    use expect_test::expect;
    use tile_core::diag::Code;

    fn two_names(spans: &mut SpanTable) -> (Loc, Loc) {
        let tokens: TokenStream = "alpha +\n beta".parse().expect("two names are tokens");
        let names: Vec<Span> = tokens.into_iter().map(|token| token.span()).collect();
        (spans.token(names[0]), spans.token(names[2]))
    }

    #[test]
    fn labels_notes_and_help_are_folded_into_the_message() {
        let mut spans = SpanTable::default();
        let (alpha, beta) = two_names(&mut spans);
        let diagnostic = Diagnostic::error(Code::ShapeMismatch, alpha, "shapes differ")
            .label(alpha, "`alpha` is `f32`")
            .label(beta, "`beta` is `f64`")
            .note("a rule")
            .help("a cure");
        expect![[r#"
            [T0203] shapes differ
            = note: `alpha` is `f32`
            = note: `beta` is `f64` (line 2)
            = note: a rule
            = help: a cure"#]]
        .assert_eq(&fold(&diagnostic));
    }

    #[test]
    fn errors_are_combined_in_the_order_of_the_source() {
        let mut spans = SpanTable::default();
        let (alpha, beta) = two_names(&mut spans);
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(Diagnostic::error(Code::UnknownName, beta, "second"));
        diagnostics.error(Diagnostic::error(Code::UnknownName, alpha, "first"));
        diagnostics.report(Diagnostic::warning(Code::TooLarge, alpha, "no error"));
        let error = into_error(&mut diagnostics, &spans).expect("two errors were reported");
        let texts: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
        assert_eq!(texts, ["[T0201] first", "[T0201] second"]);
    }

    #[test]
    fn a_joined_location_covers_both_ends() {
        let mut spans = SpanTable::default();
        let (alpha, beta) = two_names(&mut spans);
        let both = spans.join(alpha, beta);
        assert_eq!(spans.text(both), "alpha +\n beta");
        assert_eq!((both.line(), both.column()), (1, 1));
    }
}
