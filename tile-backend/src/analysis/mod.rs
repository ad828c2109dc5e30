//! Facts about tile IR that lowering relies on.

pub mod axis;
pub mod divisibility;
pub(crate) mod exits;
pub mod provenance;
pub mod tokens;
pub mod uniform;
