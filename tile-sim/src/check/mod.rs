//! What is wrong with a run, and how it is found.
//!
//! One file per kind of check; each returns a [`FaultKind`], and the machine adds where it was.

pub(crate) mod barrier;
pub(crate) mod bounds;
mod fault;
pub(crate) mod global;
pub(crate) mod init;
pub(crate) mod order;
mod reads;
pub(crate) mod shared;
pub(crate) mod stamp;
pub(crate) mod tensor;

pub(crate) use fault::Trouble;
pub use fault::{Fault, FaultKind, Thread};
