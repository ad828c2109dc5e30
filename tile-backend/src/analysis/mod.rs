//! Facts about tile IR that lowering relies on.

pub mod divisibility;
pub(crate) mod exits;
pub mod uniform;
