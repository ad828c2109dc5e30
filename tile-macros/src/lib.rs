//! The `#[tile_kernel]` attribute.

mod hir;
