//! The `#[tile_kernel]` attribute.

mod args;
mod emit;
mod hir;
mod parse;
mod report;
