//! The typed kernel: every name resolved, every type and shape known.

pub(crate) mod signature;
