//! The attributes `#[tile_kernel]` and `#[tile_fn]`, as rustc calls them.
//!
//! `tile_frontend` does the work. It is a crate of its own, since cargo compiles a crate of procedural
//! macros only after the machine code of all its dependencies, but a library once it knows their types.

use proc_macro::TokenStream;

/// Compiles a function to a GPU kernel; see the documentation of `tile-kernel`.
#[proc_macro_attribute]
pub fn tile_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tile_frontend::tile_kernel(attribute.into(), item.into()).into()
}

/// Exports an item for use in kernels; see the documentation of `tile-kernel`.
#[proc_macro_attribute]
pub fn tile_fn(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tile_frontend::tile_fn(attribute.into(), item.into()).into()
}

/// Continues an expansion; only the macros of `#[tile_fn]` call it.
#[doc(hidden)]
#[proc_macro]
pub fn tile_next(input: TokenStream) -> TokenStream {
    tile_frontend::tile_next(input.into()).into()
}
