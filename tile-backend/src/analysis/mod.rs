//! Facts about tile IR that lowering relies on.

pub mod axis;
pub mod divisibility;
pub mod provenance;
pub mod tokens;
