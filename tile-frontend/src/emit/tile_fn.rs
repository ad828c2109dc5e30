//! Emits the host's view of an item that kernels can name, and a macro with the name of the item.
//!
//! ```text
//! macro_rules! __tile_fn_0_gelu { ({ $($callback)* } $($task)*) => { $($callback)*! { bundle $($task)* } } }
//! pub use __tile_fn_0_gelu as gelu;
//! pub fn gelu(_: impl InKernel) {}
//! ```
//!
//! The `use` gives the macro a path and the visibility of the item, and does not occupy the item's
//! name elsewhere. Only `pub` items are exported from the crate: the macro of any other item could
//! not be reached from outside.

use super::hygiene::private;
use crate::collect::bundle::Bundle;
use crate::collect::members::Exported;
use crate::hir::signature::HostScalar;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

/// Returns the attributes that decide whether an item exists.
fn cfgs(attrs: &[syn::Attribute]) -> impl Iterator<Item = &syn::Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
}

/// Returns the macro that passes a bundle to a kernel.
pub(crate) fn handing_out(exported: &Exported<'_>, number: usize, bundle: &Bundle) -> TokenStream {
    let Exported { ident, vis, attrs } = exported;
    let hidden = format_ident!(
        "__tile_fn_{}_{}",
        number,
        ident.unraw(),
        span = Span::call_site()
    );
    let bundle = bundle.tokens();
    let export = matches!(vis, syn::Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let macro_cfgs = cfgs(attrs);
    let use_cfgs = cfgs(attrs);
    quote! {
        #(#macro_cfgs)*
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions)]
        #export
        macro_rules! #hidden {
            ({ $($callback:tt)* } $($task:tt)*) => {
                $($callback)* ! { #bundle $($task)* }
            };
        }
        #(#use_cfgs)*
        #[doc(hidden)]
        #[allow(unused_imports, unreachable_pub)]
        #vis use #hidden as #ident;
    }
}

/// Returns the replacement of an item for the host.
pub(crate) fn stub(item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Const(item) => quote!(#[allow(dead_code)] #item),
        syn::Item::Type(item) if is_number(&item.ty) => quote!(#[allow(dead_code)] #item),
        syn::Item::Fn(item) if is_plain_const(item) => quote!(#[allow(dead_code)] #item),
        syn::Item::Fn(item) => function(item),
        _ => TokenStream::new(),
    }
}

fn is_number(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Paren(paren) => is_number(&paren.elem),
        syn::Type::Group(group) => is_number(&group.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_number),
        syn::Type::Path(path) => path
            .path
            .get_ident()
            .and_then(|ident| HostScalar::parse(&ident.to_string()))
            .is_some_and(|scalar| {
                !matches!(
                    scalar,
                    HostScalar::Tf32 | HostScalar::F16 | HostScalar::Bf16
                )
            }),
        _ => false,
    }
}

/// Returns `true` for a `const fn` that rustc can compile too.
fn is_plain_const(item: &syn::ItemFn) -> bool {
    let inputs = item.sig.inputs.iter().all(|input| match input {
        syn::FnArg::Typed(typed) => is_number(&typed.ty),
        syn::FnArg::Receiver(_) => false,
    });
    let output = match &item.sig.output {
        syn::ReturnType::Default => true,
        syn::ReturnType::Type(_, ty) => is_number(ty),
    };
    item.sig.constness.is_some() && inputs && output && item.sig.generics.type_params().count() == 0
}

/// Returns a function that no host code can call, with documentation that says so.
fn function(item: &syn::ItemFn) -> TokenStream {
    let private = private();
    let (vis, ident) = (&item.vis, &item.sig.ident);
    let docs = item.attrs.iter().filter(|attr| {
        ["doc", "cfg", "deprecated"]
            .iter()
            .any(|name| attr.path().is_ident(name))
    });
    let signature = format!("```text\n{}\n```", spaced(&item.sig.to_token_stream()));
    let count = item.sig.inputs.len().max(1);
    let inputs = (0..count).map(|_| quote!(_: impl #private::InKernel));
    quote! {
        #(#docs)*
        #[doc = ""]
        #[doc = "For kernels:"]
        #[doc = #signature]
        #[allow(dead_code)]
        #vis fn #ident(#(#inputs),*) {}
    }
}

/// Formats the tokens of a signature with conventional spacing.
fn spaced(tokens: &TokenStream) -> String {
    let mut text = tokens.to_string();
    for (from, to) in [
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" :", ":"),
        (" (", "("),
        ("& ", "&"),
        ("- >", "->"),
        (")->", ") ->"),
    ] {
        text = text.replace(from, to);
    }
    text
}
