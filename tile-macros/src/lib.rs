//! The `#[tile_kernel]` attribute.

mod args;
mod build;
mod check;
mod emit;
mod expand;
mod hir;
mod instantiate;
mod parse;
mod report;
