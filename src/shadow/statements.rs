//! Macros and statements of kernels: output, assertions and assumptions.

use super::{Tile, only_in_kernels};

pub use crate::{
    __tile_kernel_assert as assert, __tile_kernel_assume as assume,
    __tile_kernel_print as tile_print,
};

/// A condition: one `bool`, or a tile of `bool` whose elements must all be `true`.
pub trait Condition {}
impl Condition for bool {}
impl<const RANK: usize> Condition for Tile<bool, RANK> {}

/// Takes the condition of `assert!`.
pub fn holds(condition: impl Condition) {}

/// `assert!(condition, "message")`: stops the launch with the message if the condition does not
/// hold.
#[doc(hidden)]
#[macro_export]
macro_rules! __tile_kernel_assert {
    ($condition:expr $(, $message:literal)? $(,)?) => {
        $crate::__private::shadow::holds($condition)
    };
}

/// `assume!(n % 8 == 0)`: a condition that the compiler relies on, without a check.
#[doc(hidden)]
#[macro_export]
macro_rules! __tile_kernel_assume {
    ($condition:expr $(,)?) => {
        $crate::__private::shadow::holds($condition)
    };
}

/// `tile_print!("x = {}", x)`: prints numbers and tiles.
#[doc(hidden)]
#[macro_export]
macro_rules! __tile_kernel_print {
    ($format:literal $(, $value:expr)* $(,)?) => {{
        $( let _ = $value; )*
    }};
}

/// Ranges whose loops are unrolled completely.
pub trait Unroll: Iterator + Sized {
    /// Returns the same numbers, each of which is a constant in the body: `for i in
    /// (0..4).unroll()`.
    #[must_use]
    fn unroll(self) -> Self {
        only_in_kernels()
    }
}
impl<I: Iterator> Unroll for I {}
