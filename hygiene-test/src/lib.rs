//! A crate that depends only on the facade, like users' crates.
//!
//! Compiling it is most of the test: an expansion must cause no warning, and contain no `unsafe`
//! that the author would be responsible for. Its edition is 2021; the crate in `edition-2024/`
//! compiles the same files in 2024.

#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]

pub mod functions;
pub mod kernels;
