//! The `#[tile_kernel]` attribute.
//!
//! In: the tokens of a function. Out: a host stub of the same name and signature that
//! launches it, with its compiled code beside it. The module `expand` lists the stages.

mod args;
mod backend;
mod build;
mod check;
#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod differential;
mod emit;
#[cfg(test)]
mod error_pages;
mod expand;
mod hir;
mod instantiate;
mod parse;
mod report;
#[cfg(test)]
mod testing;

use proc_macro::TokenStream;

/// Makes a GPU kernel of a function; see the documentation of `tile-kernel`.
#[proc_macro_attribute]
pub fn tile_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    backend::tile_kernel(attribute.into(), item.into()).into()
}
