//! Kernels that call functions of their own module, of other modules, and of another crate.

/// Constants, functions and types beside their kernels, each with its own attribute.
pub mod beside {
    use ::tile_kernel::prelude::*;

    /// The tile length of the kernel below, also used by the host.
    #[tile_fn]
    pub const N: usize = 64;

    #[tile_fn]
    type Row = Tile<f32, { [N] }>;

    #[tile_fn]
    fn twice(x: Row) -> Row {
        x + x
    }

    /// Computes `4 * x`.
    #[tile_kernel(grid = x.tiles([N]))]
    pub fn four_times(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        // `thrice` is used before its definition, as Rust allows.
        x.store(
            [i],
            thrice(twice(x.load([i], [N]))) - twice(x.load([i], [N])),
        );
    }

    #[tile_fn]
    fn thrice(x: Row) -> Row {
        x + twice(x)
    }
}

/// Names that are imported, renamed, or reached by paths.
pub mod imported {
    use super::nested::inside::{self, add_one as increment};
    use ::hygiene_test_library::math::half_and_one;
    use ::tile_kernel::prelude::*;

    /// Computes `3 * ((x + 1) / 2 + 1) + 1`.
    #[tile_kernel(grid = x.tiles([64]))]
    pub fn chain(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        let t = half_and_one(increment(x.load([i], [64])));
        let three = ::hygiene_test_library::other::half_and_one(1.0);
        x.store([i], inside::add_one(t * three));
    }
}

/// A glob import of a module.
#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "that is what is tested")
)]
pub mod with_a_glob {
    use super::nested::inside::*;
    use ::tile_kernel::tile_kernel as gpu;

    /// Computes `x + 1`.
    #[gpu(grid = x.tiles([SIZE]))]
    pub fn one_more(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        x.store([i], add_one(x.load([i], [SIZE])));
    }
}

mod nested {
    pub(super) mod inside {
        use ::tile_kernel::tile_fn;

        #[tile_fn]
        pub(in super::super) const SIZE: usize = 32;

        #[tile_fn]
        pub(in super::super) fn add_one<const N: usize>(
            x: Tile<f32, { [N] }>,
        ) -> Tile<f32, { [N] }> {
            x + super::STEP
        }
    }

    #[::tile_kernel::tile_fn]
    const STEP: f32 = 1.0;
}

/// A module whose items all see each other.
#[tile_kernel::tile_kernel]
pub mod together {
    use ::hygiene_test_library::complex::{fitting, imaginary, Complex, ONE};
    use ::tile_kernel::Tensor;

    const BLOCK: usize = fitting(33);
    const SHAPE: [usize; 1] = [BLOCK];

    struct Line {
        slope: f32,
        offset: f32,
    }

    impl Line {
        fn new(slope: f32) -> Self {
            Self { slope, offset: ONE }
        }

        fn at<const N: usize>(&self, x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> {
            x * self.slope + self.offset
        }
    }

    /// Computes `slope * x + 1`.
    #[tile_kernel(grid = x.tiles([64]))]
    pub fn line(x: &mut Tensor<f32, 1>, slope: f32) {
        let i = block_id(0);
        x.store([i], Line::new(slope).at(x.load([i], SHAPE)));
    }

    /// Computes the square of `i * (3 + 4i)`, which is 25.
    #[tile_kernel(grid = x.tiles([N]), instances((N = BLOCK), (N = BLOCK * 2)))]
    pub fn norm<const N: usize = 32>(x: &mut Tensor<f32, 1>) {
        let product = Complex { re: 3.0, im: 4.0 }.times(imaginary());
        x.store([block_id(0)], full([N], product.norm()));
    }

    /// Tests that use items of the module other than kernels on the host.
    #[cfg(test)]
    mod tests {
        #[test]
        fn constants_of_a_module_are_those_of_the_host() {
            assert_eq!(super::BLOCK, 64);
            assert_eq!(super::SHAPE, [64]);
        }
    }
}

/// Functions and kernels that a macro generates.
pub mod written_by_a_macro {
    use ::tile_kernel::prelude::*;

    macro_rules! with_function {
        ($function:ident, $kernel:ident, $x:ident => $result:expr) => {
            #[tile_fn]
            fn $function<const N: usize>($x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> {
                $result
            }

            /// Applies the function to every element.
            #[tile_kernel(grid = tensor.tiles([64]))]
            pub fn $kernel(tensor: &mut Tensor<f32, 1>) {
                let i = block_id(0);
                tensor.store([i], $function(tensor.load([i], [64])));
            }
        };
    }

    with_function!(squared, square, x => x * x);
    with_function!(incremented, increment, y => y + 1.0);
}

/// A function and a kernel inside a function.
///
/// # Errors
/// Returns the errors of the launch.
pub fn inside_a_function(
    x: &mut ::tile_kernel::Tensor<f32, 1>,
) -> ::std::result::Result<(), ::tile_kernel::Error> {
    use ::tile_kernel::prelude::*;

    #[tile_kernel(grid = x.tiles([64]))]
    fn run(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        x.store([i], negated(x.load([i], [64])));
    }

    #[tile_fn]
    fn negated(x: Tile<f32, { [64] }>) -> Tile<f32, { [64] }> {
        -x
    }

    run(x).launch()
}

#[cfg(test)]
mod tests {
    use ::tile_kernel::{Device, Result, Tensor};

    fn filled(value: f32) -> Result<Tensor<f32, 1>> {
        Tensor::full(&Device::cpu(), [100], value)
    }

    #[test]
    fn functions_beside_a_kernel() -> Result<()> {
        let mut x = filled(3.0)?;
        super::beside::four_times(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [12.0; 100]);
        assert_eq!(super::beside::N, 64);
        Ok(())
    }

    #[test]
    fn functions_of_other_modules_and_crates() -> Result<()> {
        let mut x = filled(3.0)?;
        super::imported::chain(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [10.0; 100]);
        super::with_a_glob::one_more(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [11.0; 100]);
        Ok(())
    }

    #[test]
    fn items_of_a_module() -> Result<()> {
        let mut x = filled(3.0)?;
        super::together::line(&mut x, 2.0).launch()?;
        assert_eq!(x.to_vec()?, [7.0; 100]);
        super::together::norm::<128>(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [25.0; 100]);
        Ok(())
    }

    #[test]
    fn functions_that_a_macro_writes() -> Result<()> {
        let mut x = filled(3.0)?;
        super::written_by_a_macro::square(&mut x).launch()?;
        super::written_by_a_macro::increment(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [10.0; 100]);
        Ok(())
    }

    #[test]
    fn a_function_inside_of_a_function() -> Result<()> {
        let mut x = filled(3.0)?;
        super::inside_a_function(&mut x)?;
        assert_eq!(x.to_vec()?, [-3.0; 100]);
        Ok(())
    }
}
