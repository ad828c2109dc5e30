//! The `cuda_tile` IR: types, operations, builder, verifier, text, bytecode
//! and the reference interpreter.
//!
//! This crate knows neither LLVM nor CUDA.

pub mod diag;
pub mod ir;
pub mod types;

pub use diag::{Diagnostic, Diagnostics, Reported};
pub use ir::Loc;
pub use types::{Scalar, Type};
