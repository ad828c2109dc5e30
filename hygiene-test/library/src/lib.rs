//! Functions, constants and types that kernels of another crate use.
//!
//! A caller must see the items that it names, but not the private helpers and constants that these
//! items use.

#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]

pub mod math {
    //! Functions that call others that are not visible to their callers.

    use tile_kernel::prelude::*;

    #[tile_fn]
    const SCALE: f32 = 0.5;

    #[tile_fn]
    fn half<T: Element, const N: usize>(x: Tile<T, { [N] }>) -> Tile<T, { [N] }> {
        x * SCALE
    }

    /// Computes `x / 2 + 1`.
    #[tile_fn]
    pub fn half_and_one<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> {
        inner::one_more(half(x))
    }

    mod inner {
        use tile_kernel::tile_fn;

        #[tile_fn]
        pub(super) fn one_more<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> {
            x + STEP
        }

        #[tile_fn]
        const STEP: f32 = 1.0;
    }
}

pub mod other {
    //! A function with the same name as one in another module.

    use tile_kernel::tile_fn;

    /// Computes `3 * x`.
    #[tile_fn]
    pub fn half_and_one(x: f32) -> f32 {
        x * 3.0
    }
}

/// Complex numbers, in a module whose items all see each other.
#[tile_kernel::tile_fn]
pub mod complex {
    /// A complex number.
    #[derive(Clone, Copy)]
    pub struct Complex {
        /// The real part.
        pub re: f32,
        /// The imaginary part.
        pub im: f32,
    }

    impl Complex {
        /// Multiplies two numbers.
        pub fn times(self, other: Complex) -> Complex {
            Complex {
                re: self.re * other.re - self.im * other.im,
                im: self.re * other.im + self.im * other.re,
            }
        }

        /// Returns the square of the absolute value.
        pub fn norm(self) -> f32 {
            square(self.re) + square(self.im)
        }
    }

    fn square(x: f32) -> f32 {
        x * x
    }

    /// Returns the imaginary unit.
    pub fn imaginary() -> Complex {
        Complex { re: 0.0, im: ONE }
    }

    /// One.
    pub const ONE: f32 = 1.0;

    /// Returns the smallest power of two that is at least `n`.
    #[must_use]
    pub const fn fitting(n: usize) -> usize {
        let mut p = 1;
        while p < n {
            p *= 2;
        }
        p
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn constants_are_constants_of_the_host_too() {
        assert!((super::complex::ONE - 1.0).abs() < f32::EPSILON);
        assert_eq!(super::complex::fitting(33), 64);
    }
}
