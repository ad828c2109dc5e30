//! The checks of a launch.
//!
//! There is one file per kind of check. A check returns a [`FaultKind`], to which the machine adds
//! the place.

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
pub(crate) mod touched;

pub(crate) use fault::Trouble;
pub use fault::{Fault, FaultKind, Thread};
