//! The kernels of `src/`, in edition 2024.

#![deny(warnings)]
#![forbid(unsafe_code)]

#[path = "../src/kernels.rs"]
pub mod kernels;
