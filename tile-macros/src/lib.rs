//! The `#[tile_kernel]` attribute.

mod args;
mod hir;
mod parse;
mod report;
