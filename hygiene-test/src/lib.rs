//! A crate that depends on the facade alone, as users' crates do.
//!
//! Compiling it is most of the test: no warning may come out of an expansion, and
//! no `unsafe` that the author would have to answer for. It is of edition 2021;
//! `tests/edition_2024.rs` compiles the same kernels in 2024.

#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]

pub mod kernels;
