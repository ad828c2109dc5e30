//! The names available in kernels, as declarations that rust-analyzer can check.
//!
//! Under rust-analyzer, `#[tile_kernel]` puts a copy of the kernel's body beside the stub, in the
//! scope of this module. Hovers, completions and types are derived from this copy. It is not part
//! of any program: nothing here is ever called, and every function only has a type.
//!
//! The types are coarser than those of the language: a tile knows its element type and its rank,
//! but not its extents, and most operations accept all element types. Only the macro decides which
//! kernels are valid.

#![expect(
    unused_variables,
    clippy::needless_pass_by_value,
    clippy::return_self_not_must_use,
    clippy::type_complexity,
    reason = "functions without bodies, whose parameters are there for their types"
)]

mod functions;
mod indices;
#[rustfmt::skip]
mod language;
mod memory;
mod operators;
mod parallel;
mod pointers;
mod scalar;
mod statements;
mod tile;

pub use ::core::any::TypeId;
pub use ::core::iter::{IntoIterator, Iterator};
pub use ::core::primitive::{bool, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize};
pub use half::{bf16, f16};

pub use functions::*;
pub use indices::*;
pub use language::*;
pub use memory::*;
pub use operators::*;
pub use parallel::*;
pub use pointers::*;
pub use scalar::*;
pub use statements::*;
pub use tile::*;

/// The body of every function of this module.
#[doc(hidden)]
pub fn only_in_kernels<T>() -> T {
    unreachable!("the macro compiles kernels; their copy for rust-analyzer is never called")
}
