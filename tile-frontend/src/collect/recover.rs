//! Recovers the usable part of an item that syn refuses.
//!
//! In: the tokens of an item. Out: an item that syn accepts, and the syntax error. A module loses
//! only the items that contain an error; a function with an error in its body keeps its signature,
//! so that its callers report nothing.

use super::members::FAULTY;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// An item, as far as it can be parsed.
pub(crate) struct Readable {
    /// The recovered item, or the original tokens if nothing can be recovered.
    pub(crate) item: TokenStream,
    /// The syntax error.
    pub(crate) compile_error: Option<syn::Error>,
}

/// Parses an item.
pub(crate) fn readable(item: TokenStream) -> Readable {
    let Err(error) = syn::parse2::<syn::Item>(item.clone()) else {
        return Readable {
            item,
            compile_error: None,
        };
    };
    let mut shapes = Vec::new();
    let braced = with_braces(item.clone(), &mut shapes);
    if let Some(compile_error) = without_braces(&shapes)
        && syn::parse2::<syn::Item>(braced.clone()).is_ok()
    {
        return Readable {
            item: braced,
            compile_error: Some(compile_error),
        };
    }
    if let Some(module) = module(&item) {
        return module;
    }
    Readable {
        item: without_body(&item).unwrap_or(item),
        compile_error: Some(error),
    }
}

/// Returns an error for each list among generic arguments that lacks braces.
fn without_braces(shapes: &[(Ident, Ident, Group)]) -> Option<syn::Error> {
    let errors = shapes.iter().map(|(ty, element, shape)| {
        let text = format!(
            "[T0101] the shape of a `{ty}` is written in braces\n= note: Rust reads a list there as a type\n= help: write `{ty}<{element}, {{ {shape} }}>`"
        );
        syn::Error::new(shape.span(), text)
    });
    errors.reduce(|mut combined, error| {
        combined.combine(error);
        combined
    })
}

/// Adds braces around the shapes of types such as `Tile<f32, [64]>`, and collects them in `shapes`.
fn with_braces(tokens: TokenStream, shapes: &mut Vec<(Ident, Ident, Group)>) -> TokenStream {
    let mut done: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            done.push(token);
            continue;
        };
        if group.delimiter() == Delimiter::Bracket
            && let [
                ..,
                TokenTree::Ident(ty),
                TokenTree::Punct(open),
                TokenTree::Ident(element),
                TokenTree::Punct(comma),
            ] = done.as_slice()
            && (ty == "Tile" || ty == "Partition")
            && open.as_char() == '<'
            && comma.as_char() == ','
        {
            shapes.push((ty.clone(), element.clone(), group.clone()));
            let mut braces = Group::new(Delimiter::Brace, TokenTree::from(group.clone()).into());
            braces.set_span(group.span());
            done.push(braces.into());
            continue;
        }
        let mut inner = Group::new(group.delimiter(), with_braces(group.stream(), shapes));
        inner.set_span(group.span());
        done.push(inner.into());
    }
    done.into_iter().collect()
}

/// Returns a module in which an item that cannot be parsed has an empty body or is left out.
/// Returns `None` if the tokens are not a module, or if they have an error outside of the items.
fn module(item: &TokenStream) -> Option<Readable> {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let is_module = tokens
        .iter()
        .any(|token| matches!(token, TokenTree::Ident(ident) if ident == "mod"));
    let Some(TokenTree::Group(content)) = tokens.pop() else {
        return None;
    };
    if !is_module || content.delimiter() != Delimiter::Brace {
        return None;
    }
    let mut compile_error: Option<syn::Error> = None;
    let mut kept = TokenStream::new();
    for part in split(content.stream()) {
        let Err(error) = syn::parse2::<syn::File>(part.clone()) else {
            kept.extend(part);
            continue;
        };
        match &mut compile_error {
            Some(compile_error) => compile_error.combine(error),
            None => compile_error = Some(error),
        }
        if let Some(item) = without_body(&part) {
            let marker = Ident::new(FAULTY, Span::call_site());
            kept.extend(quote!(#[#marker] #item));
        }
    }
    let mut whole = Group::new(Delimiter::Brace, kept);
    whole.set_span(content.span());
    tokens.push(whole.into());
    let item: TokenStream = tokens.into_iter().collect();
    syn::parse2::<syn::ItemMod>(item.clone()).ok()?;
    Some(Readable {
        item,
        compile_error: Some(compile_error?),
    })
}

/// Returns the function with an empty body, if only the body has an error.
fn without_body(item: &TokenStream) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else {
        return None;
    };
    if body.delimiter() != Delimiter::Brace {
        return None;
    }
    let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
    empty.set_span(body.span());
    tokens.push(empty.into());
    let item: TokenStream = tokens.into_iter().collect();
    let function = syn::parse2::<syn::ItemFn>(item).ok()?;
    Some(function.into_token_stream())
}

/// The end of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end is not yet known.
    Unknown,
    /// The item ends with a body in braces or with `;`.
    Braces,
    /// The item ends with `;`.
    Semicolon,
}

/// Splits the tokens of a module into items.
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut items = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    let mut end = End::Unknown;
    // Braces among generic arguments do not end an item.
    let mut angles = 0_i32;
    for token in tokens {
        let before = current.last();
        let follows =
            |mark: char| matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
        let closes = match &token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let qualified = match before {
                    Some(TokenTree::Ident(before)) => ["const", "unsafe", "async", "extern"]
                        .iter()
                        .any(|it| before == it),
                    Some(TokenTree::Literal(_)) => true,
                    _ => false,
                };
                match name.as_str() {
                    "fn" if end == End::Unknown || qualified => end = End::Braces,
                    "struct" | "enum" | "union" | "trait" | "impl" | "mod" | "macro_rules"
                        if end == End::Unknown =>
                    {
                        end = End::Braces;
                    }
                    "use" | "const" | "static" | "type" if end == End::Unknown => {
                        end = End::Semicolon;
                    }
                    _ => {}
                }
                false
            }
            TokenTree::Punct(punct) => {
                match punct.as_char() {
                    '<' => angles += 1,
                    '>' if !follows('-') && !follows('=') => angles -= 1,
                    _ => {}
                }
                punct.as_char() == ';' && (end == End::Semicolon || angles <= 0)
            }
            TokenTree::Group(group) => {
                // `#![..]` is not part of an item.
                let inner = group.delimiter() == Delimiter::Bracket && follows('!');
                let call = end == End::Unknown && follows('!');
                group.delimiter() == Delimiter::Brace && (call || end == End::Braces && angles <= 0)
                    || inner && end == End::Unknown
            }
            TokenTree::Literal(_) => false,
        };
        current.push(token);
        if closes {
            items.push(std::mem::take(&mut current).into_iter().collect());
            end = End::Unknown;
            angles = 0;
        }
    }
    if !current.is_empty() {
        items.push(current.into_iter().collect());
    }
    items
}

#[cfg(test)]
mod tests {
    use super::{readable, split};
    use proc_macro2::TokenStream;

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("the test's text is tokens")
    }

    #[test]
    fn items_end_where_rust_ends_them() {
        let parts = [
            "#![allow(unused)]",
            "use a::{b, c};",
            "const N: [u8; 2] = { [1, 2] };",
            "#[tile_fn] pub const fn f(x: Tile<f32, { [4] }>) -> Tile<f32, { [4] }> { x }",
            "struct S<const N: usize> { x: Tile<f32, { [N] }> }",
            "impl S<{ 4 }> { fn g(self) {} }",
            "const LESS: bool = 1 < 2;",
            "unsafe fn h() {}",
            "make! { a b }",
            "macro_rules! m { () => {}; }",
            "struct T(f32);",
        ];
        let split = split(tokens(&parts.join("\n")));
        let texts: Vec<String> = split.iter().map(ToString::to_string).collect();
        let expected: Vec<String> = parts.iter().map(|part| tokens(part).to_string()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn one_item_that_cannot_be_read_leaves_the_others() {
        let read = readable(tokens(
            "pub mod m { fn right() {} fn wrong(x: f32) -> f32 { x + } struct S { x: f32 } fn worse(x f32) {} }",
        ));
        let expected = tokens(
            "pub mod m { fn right() {} #[__tile_faulty] fn wrong(x: f32) -> f32 {} struct S { x: f32 } }",
        );
        assert_eq!(read.item.to_string(), expected.to_string());
        let compile_errors = read
            .compile_error
            .map(|compile_error| compile_error.into_iter().count());
        assert_eq!(compile_errors, Some(2));
    }

    #[test]
    fn braces_that_are_missing_are_named() {
        let read = readable(tokens(
            "fn f(x: Tile<f32, [64]>) -> f32 { let y: Tile<T, [N, 4]> = x; y.item() }",
        ));
        let compile_errors: Vec<String> = read
            .compile_error
            .expect("the braces are missing")
            .into_iter()
            .map(|compile_error| compile_error.to_string())
            .collect();
        assert_eq!(compile_errors.len(), 2);
        assert_eq!(
            compile_errors[0],
            "[T0101] the shape of a `Tile` is written in braces\n= note: Rust reads a list there as a type\n= help: write `Tile<f32, { [64] }>`"
        );
        assert!(syn::parse2::<syn::ItemFn>(read.item).is_ok());
    }

    #[test]
    fn what_can_be_read_stays_as_it_is() {
        let text = tokens("mod m { fn right() { let x = 1; } }");
        let read = readable(text.clone());
        assert!(read.compile_error.is_none());
        assert_eq!(read.item.to_string(), text.to_string());
    }
}
