//! The mathematical functions of kernels.
//!
//! `cargo xtask math` compiles this crate to LLVM IR, the file `tile-backend/src/llvm/math.ll`. The functions compute
//! with fused multiply-adds, and do not call any library.

pub mod device;
pub mod double;
pub mod polynomial;
pub mod single;
