//! Operators on tiles, and on a tile and a number.

use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use super::{Element, Tile, bf16, f8e4m3, f8e5m2, f16, only_in_kernels};

macro_rules! operators {
    ($($Op:ident $op:ident $OpAssign:ident $op_assign:ident)+) => { $(
        impl<T: Element, const RANK: usize> $Op<Tile<T, RANK>> for Tile<T, RANK> {
            type Output = Tile<T, RANK>;
            fn $op(self, other: Tile<T, RANK>) -> Tile<T, RANK> {
                only_in_kernels()
            }
        }
        impl<T: Element, const RANK: usize> $Op<T> for Tile<T, RANK> {
            type Output = Tile<T, RANK>;
            fn $op(self, other: T) -> Tile<T, RANK> {
                only_in_kernels()
            }
        }
        impl<T: Element, const RANK: usize> $OpAssign<Tile<T, RANK>> for Tile<T, RANK> {
            fn $op_assign(&mut self, other: Tile<T, RANK>) {
                only_in_kernels()
            }
        }
        impl<T: Element, const RANK: usize> $OpAssign<T> for Tile<T, RANK> {
            fn $op_assign(&mut self, other: T) {
                only_in_kernels()
            }
        }
        number_first!($Op $op: bool bool, i8 i8, i16 i16, i32 i32, i64 i64, u8 u8, u16 u16, u32 u32,
            u64 u64, usize usize, f16 f16, bf16 bf16, f32 f32, f64 f64, f64 f16, f64 bf16);
        literal_second!($Op $op $OpAssign $op_assign: f16 bf16 f8e4m3 f8e5m2);
    )+ };
}

macro_rules! number_first {
    ($Op:ident $op:ident: $($number:ident $element:ident),+) => { $(
        impl<const RANK: usize> $Op<Tile<$element, RANK>> for $number {
            type Output = Tile<$element, RANK>;
            fn $op(self, other: Tile<$element, RANK>) -> Tile<$element, RANK> {
                only_in_kernels()
            }
        }
    )+ };
}

macro_rules! literal_second {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident: $($element:ident)+) => { $(
        impl<const RANK: usize> $Op<f64> for Tile<$element, RANK> {
            type Output = Tile<$element, RANK>;
            fn $op(self, other: f64) -> Tile<$element, RANK> {
                only_in_kernels()
            }
        }
        impl<const RANK: usize> $OpAssign<f64> for Tile<$element, RANK> {
            fn $op_assign(&mut self, other: f64) {
                only_in_kernels()
            }
        }
    )+ };
}

operators! {
    Add add AddAssign add_assign
    Sub sub SubAssign sub_assign
    Mul mul MulAssign mul_assign
    Div div DivAssign div_assign
    Rem rem RemAssign rem_assign
    BitAnd bitand BitAndAssign bitand_assign
    BitOr bitor BitOrAssign bitor_assign
    BitXor bitxor BitXorAssign bitxor_assign
    Shl shl ShlAssign shl_assign
    Shr shr ShrAssign shr_assign
}

impl<T: Element, const RANK: usize> Neg for Tile<T, RANK> {
    type Output = Tile<T, RANK>;
    fn neg(self) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Not for Tile<T, RANK> {
    type Output = Tile<T, RANK>;
    fn not(self) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

/// The result type of `==`, `<` and the other comparisons: `bool` for two numbers, otherwise a tile
/// of `bool`.
///
/// Rust's own traits return only `bool`, so the copy of a kernel calls these functions.
pub trait Compare<B> {
    /// `bool`, or a tile of `bool`.
    type Output;
}

impl<T: Element, const RANK: usize> Compare<Tile<T, RANK>> for Tile<T, RANK> {
    type Output = Tile<bool, RANK>;
}
impl<T: Element, const RANK: usize> Compare<T> for Tile<T, RANK> {
    type Output = Tile<bool, RANK>;
}

macro_rules! compare {
    ($($number:ident)+) => { $(
        impl Compare<$number> for $number {
            type Output = bool;
        }
        impl<const RANK: usize> Compare<Tile<$number, RANK>> for $number {
            type Output = Tile<bool, RANK>;
        }
    )+ };
}
compare!(bool i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64);

macro_rules! compare_with_literals {
    ($($element:ident)+) => { $(
        impl Compare<f64> for $element {
            type Output = bool;
        }
        impl<const RANK: usize> Compare<f64> for Tile<$element, RANK> {
            type Output = Tile<bool, RANK>;
        }
    )+ };
}
compare_with_literals!(f16 bf16 f8e4m3 f8e5m2);

macro_rules! comparisons {
    ($($(#[$doc:meta])+ $name:ident)+) => { $(
        $(#[$doc])+
        pub fn $name<A: Compare<B>, B>(a: A, b: B) -> A::Output {
            only_in_kernels()
        }
    )+ };
}
comparisons! {
    /// Computes `a == b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    equal
    /// Computes `a != b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    not_equal
    /// Computes `a < b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    less
    /// Computes `a <= b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    less_or_equal
    /// Computes `a > b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    greater
    /// Computes `a >= b` elementwise: `bool` for two numbers, otherwise a tile of `bool`.
    greater_or_equal
}
