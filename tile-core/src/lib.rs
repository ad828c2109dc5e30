//! The `cuda_tile` IR: types, operations, builder, verifier, text, bytecode
//! and the reference interpreter.
//!
//! A [`Module`] is an arena of operations. Every operation is an instance of
//! one row of the op table ([`ops`]); everything generic (printing, parsing,
//! encoding, documentation, most verification) is driven by that row. Faults
//! are [`Diagnostic`]s reported into one [`Diagnostics`] sink.
//!
//! This crate knows neither LLVM nor CUDA.

pub mod build;
pub mod bytecode;
pub mod canonicalize;
pub mod diag;
pub mod flatten;
pub mod fold;
pub mod interp;
pub mod ir;
pub mod ops;
pub mod pass;
pub mod reach;
mod rewrite;
mod simplify;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod transform;
pub mod types;
pub mod verify;

pub use diag::{Diagnostic, Diagnostics, Reported};
pub use ir::{Loc, Module};
pub use types::{Scalar, Type};
