//! The `#[tile_kernel]` attribute.

mod args;
mod check;
mod hir;
mod parse;
mod report;
