//! The IR.

mod loc;

pub use loc::Loc;
