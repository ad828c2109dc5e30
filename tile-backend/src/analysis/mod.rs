//! Facts about tile IR that lowering relies on.

pub mod divisibility;
