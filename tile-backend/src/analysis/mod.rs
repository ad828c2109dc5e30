//! Analyses of tile IR and GPU IR.

pub mod axis;
pub mod divisibility;
pub(crate) mod exits;
pub mod provenance;
pub(crate) mod reuse;
pub mod tokens;
mod transfer;
mod whole_tiles;
