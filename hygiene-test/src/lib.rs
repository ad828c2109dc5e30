//! A crate that depends on the facade alone, as users' crates do.
//!
//! Compiling it is most of the test: no warning may come out of an expansion, and
//! no `unsafe` that the author would have to answer for. It is of edition 2021;
//! the crate in `edition-2024/` compiles the same files in 2024.

#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]

pub mod functions;
pub mod kernels;
