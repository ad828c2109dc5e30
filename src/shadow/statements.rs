//! What stands with a `!`: output, checks and assumptions.

use super::{Tile, only_in_kernels};

pub use crate::{
    __tile_kernel_assert as assert, __tile_kernel_assume as assume,
    __tile_kernel_print as tile_print,
};

/// A condition: one `bool`, or a tile of them that all hold.
pub trait Condition {}
impl Condition for bool {}
impl<const RANK: usize> Condition for Tile<bool, RANK> {}

/// The condition of `assert!`.
pub fn holds(condition: impl Condition) {}

/// `assert!(condition, "message")`: ends the launch with the message where the condition does not hold.
#[doc(hidden)]
#[macro_export]
macro_rules! __tile_kernel_assert {
    ($condition:expr $(, $message:literal)? $(,)?) => {
        $crate::__private::shadow::holds($condition)
    };
}

/// `assume(n % 16 == 0);` at the head of a kernel: what every launch checks of its arguments, and the
/// compiler takes for granted.
pub fn assume(condition: bool) {}

/// `assume!(n % 8 == 0)`: what the compiler may take for granted.
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

/// Ranges whose loops are compiled once for each number.
pub trait Unroll: Iterator + Sized {
    /// The same numbers, each a constant in the body: `for i in (0..4).unroll()`.
    #[must_use]
    fn unroll(self) -> Self {
        only_in_kernels()
    }
}
impl<I: Iterator> Unroll for I {}
