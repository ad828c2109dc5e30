//! The front end: what `#[tile_kernel]` and `#[tile_fn]` expand to.
//!
//! The tokens of a kernel function or a module become a host stub of the same name and signature,
//! accompanied by the compiled code. The stub returns a launch of the kernel. The tokens of a
//! `#[tile_fn]` become a macro that passes them to kernels. `driver` runs the expansion; `expand`
//! lists the stages.

mod args;
mod backend;
#[cfg(test)]
mod backend_tests;
mod build;
mod check;
mod collect;
#[cfg(test)]
mod cost;
mod cpu_code;
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
mod machine_code;
#[cfg(test)]
mod messages;
mod missing_part;
mod parse;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod ptx_tests;
mod remarks;
mod report;
#[cfg(test)]
mod testing;
mod tune;
mod work;

extern crate proc_macro;

use collect::task::Kind;
use proc_macro2::TokenStream;

/// Expands `#[tile_kernel(attribute)] item`, a function or a module of them.
pub fn tile_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    driver::begin(Kind::Kernel, attribute, item)
}

/// Expands `#[tile_fn(attribute)] item`: exports it for use in kernels.
pub fn tile_fn(attribute: TokenStream, item: TokenStream) -> TokenStream {
    driver::begin(Kind::Helper, attribute, item)
}

/// Continues an expansion that needed the tokens of other items; only the macros of `#[tile_fn]` ask for it.
pub fn tile_next(input: TokenStream) -> TokenStream {
    driver::resume(input)
}
