//! The attributes `#[tile_kernel]` and `#[tile_fn]`.
//!
//! In: the tokens of a function or a module. Out: a host stub of the same name and signature
//! that launches it, with its compiled code beside it; of a `#[tile_fn]`, a macro that hands its
//! tokens to kernels. `driver` runs the expansion, `expand` lists the stages.

mod args;
mod backend;
#[cfg(test)]
mod backend_tests;
mod build;
mod check;
mod collect;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod differential;
mod driver;
mod emit;
#[cfg(test)]
mod error_pages;
mod expand;
mod grid_tiles;
#[cfg(test)]
mod help_tests;
mod hir;
mod instantiate;
#[cfg(test)]
mod litmus;
#[cfg(test)]
mod messages;
mod parse;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod ptx_tests;
mod remarks;
mod report;
#[cfg(test)]
mod testing;

use collect::task::Kind;
use proc_macro::TokenStream;

/// Makes a GPU kernel of a function; see the documentation of `tile-kernel`.
#[proc_macro_attribute]
pub fn tile_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    driver::begin(Kind::Kernel, attribute.into(), item.into()).into()
}

/// Makes an item that kernels can use; see the documentation of `tile-kernel`.
#[proc_macro_attribute]
pub fn tile_fn(attribute: TokenStream, item: TokenStream) -> TokenStream {
    driver::begin(Kind::Helper, attribute.into(), item.into()).into()
}

/// Goes on with an expansion; only the macros of `#[tile_fn]` call it.
#[doc(hidden)]
#[proc_macro]
pub fn tile_next(input: TokenStream) -> TokenStream {
    driver::resume(input.into()).into()
}
