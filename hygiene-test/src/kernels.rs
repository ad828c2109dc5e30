//! Kernels in scopes where names that an expansion might use have other meanings.

/// Names of the prelude, primitive types, crates and this crate's facade, all shadowed.
pub mod shadowed {
    #![allow(
        non_camel_case_types,
        dead_code,
        missing_docs,
        reason = "they represent anything that a user may have"
    )]

    // The attribute must be reachable by some name; any name will do.
    use ::tile_kernel::tile_kernel as gpu;

    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Result;
    pub struct Ok;
    pub struct Err;
    pub struct Box;
    pub struct Vec;
    pub struct String;
    pub struct f32;
    pub struct u8;
    pub struct usize;
    pub struct str;
    pub struct bool;
    pub struct Tensor;
    pub struct Grid;
    pub struct Launch;
    pub struct Instance;
    pub struct Kernel;
    pub struct KernelImage;
    pub struct VARIANTS;
    pub struct IMAGE;
    pub trait Element {}
    pub trait Into {}
    pub trait From {}
    pub mod std {}
    pub mod core {}
    pub mod alloc {}
    pub mod tile_kernel {}
    pub mod tile_macros {}

    #[gpu(grid = c.tiles([64]))]
    pub fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        c.store([i], a.load([i], [64]) + b.load([i], [64]));
    }

    #[gpu(types(T = f32 | i32), instances((N = 64, TWICE = true), (N = 64, TWICE = false)))]
    pub fn fill<T: Element, const N: usize, const TWICE: bool>(x: &mut Tensor<T, 1>, value: T) {
        let value = if TWICE { value + value } else { value };
        x.store([block_id(0)], full([N], value));
    }
}

/// A module without a prelude.
#[no_implicit_prelude]
pub mod without_prelude {
    use ::tile_kernel::tile_kernel;

    /// Doubles every element.
    #[tile_kernel(grid = x.tiles([64]))]
    pub fn double(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        x.store([i], x.load([i], [64]) * 2.0);
    }
}

/// Names that the author and the expansion both use, and keywords.
pub mod author {
    use ::tile_kernel::prelude::*;

    /// Copies `image`, scaled by `grid` or by `type`.
    #[tile_kernel(grid = launch.tiles([64]))]
    pub fn launch(
        image: &Tensor<f32, 1>,
        launch: &mut Tensor<f32, 1>,
        grid: f32,
        r#type: f32,
        args: bool,
    ) {
        let instance = block_id(0);
        let scale = if args { grid } else { r#type };
        launch.store([instance], image.load([instance], [64]) * scale);
    }

    /// A kernel with a parameter of its own name, and its dispatch function.
    #[tile_kernel(grid = y.tiles([64]), types(T = f32 | f64))]
    pub fn scale<T: Element>(scale: T, y: &mut Tensor<T, 1>) {
        let i = block_id(0);
        y.store([i], y.load([i], [64]) * scale);
    }

    /// The same with a tensor, and a name that is a keyword.
    #[tile_kernel(grid = r#type.tiles([N]), instances((N = 32), (N = 64)))]
    pub fn r#type<const N: usize>(r#type: &mut Tensor<f32, 1>) {
        r#type.store([block_id(0)], full([N], 3.0));
    }

    /// A kernel whose name is a keyword.
    #[tile_kernel(grid = r#mut.tiles([64]))]
    pub fn r#match(r#mut: &mut Tensor<f32, 1>) {
        r#mut.store([block_id(0)], full([64], 7.0));
    }
}

/// Kernels that a macro generates.
pub mod written_by_a_macro {
    use ::tile_kernel::prelude::*;

    macro_rules! elementwise {
        ($name:ident, $x:ident => $result:expr) => {
            /// Applies one operation to every element.
            #[tile_kernel(grid = tensor.tiles([64]))]
            pub fn $name(tensor: &mut Tensor<f32, 1>) {
                let i = block_id(0);
                let $x = tensor.load([i], [64]);
                tensor.store([i], $result);
            }
        };
    }

    elementwise!(square, x => x * x);
    elementwise!(increment, y => y + 1.0);
}

/// A kernel inside a function.
///
/// # Errors
/// Returns the errors of the launch.
pub fn inside_a_function(
    x: &mut ::tile_kernel::Tensor<f32, 1>,
) -> ::std::result::Result<(), ::tile_kernel::Error> {
    use ::tile_kernel::tile_kernel;

    #[tile_kernel(grid = x.tiles([N]), instances((N = 64)))]
    fn negate<const N: usize>(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        x.store([i], -x.load([i], [N]));
    }

    negate::<64>(x).launch()
}

#[cfg(test)]
mod tests {
    use ::tile_kernel::{Device, Tensor};

    use super::{author, inside_a_function, shadowed, without_prelude, written_by_a_macro};

    fn ramp() -> ::tile_kernel::Result<Tensor<f32, 1>> {
        let elements: Vec<f32> = (0_u8..100).map(f32::from).collect();
        Tensor::from_slice(&Device::cpu(), &elements, [100])
    }

    fn ramp_times(factor: f32) -> Vec<f32> {
        (0_u8..100).map(|i| f32::from(i) * factor).collect()
    }

    #[test]
    fn kernels_among_shadowed_names_run() -> ::tile_kernel::Result<()> {
        let x = ramp()?;
        let mut sum = Tensor::zeros(&Device::cpu(), [100])?;
        shadowed::vector_add(&x, &x, &mut sum).launch()?;
        assert_eq!(sum.to_vec()?, ramp_times(2.0));
        shadowed::fill::<_, 64, true>(&mut sum, 1.5)
            .grid([2])
            .launch()?;
        assert_eq!(sum.to_vec()?, [3.0; 100]);
        let mut whole = Tensor::zeros(&Device::cpu(), [100])?;
        shadowed::fill::<i32, 64, false>(&mut whole, 4)
            .grid([2])
            .launch()?;
        assert_eq!(whole.to_vec()?, [4; 100]);
        Ok(())
    }

    #[test]
    fn a_kernel_without_a_prelude_runs() -> ::tile_kernel::Result<()> {
        let mut x = ramp()?;
        without_prelude::double(&mut x).launch()?;
        assert_eq!(x.to_vec()?, ramp_times(2.0));
        Ok(())
    }

    #[test]
    fn names_of_the_expansion_and_keywords_are_free_for_the_author() -> ::tile_kernel::Result<()> {
        let x = ramp()?;
        let mut y = Tensor::zeros(&Device::cpu(), [100])?;
        author::launch(&x, &mut y, 3.0, 5.0, true).launch()?;
        assert_eq!(y.to_vec()?, ramp_times(3.0));
        author::launch(&x, &mut y, 3.0, 5.0, false).launch()?;
        assert_eq!(y.to_vec()?, ramp_times(5.0));
        author::r#match(&mut y).launch()?;
        assert_eq!(y.to_vec()?, [7.0; 100]);
        author::scale_dispatch(2.0f32, &mut y)?.launch()?;
        author::scale(2.0f32, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [28.0; 100]);
        author::type_dispatch(32, &mut y)?.launch()?;
        assert_eq!(y.to_vec()?, [3.0; 100]);
        Ok(())
    }

    #[test]
    fn kernels_that_a_macro_writes_run() -> ::tile_kernel::Result<()> {
        let mut x = Tensor::full(&Device::cpu(), [100], 3.0)?;
        written_by_a_macro::square(&mut x).launch()?;
        written_by_a_macro::increment(&mut x).launch()?;
        assert_eq!(x.to_vec()?, [10.0; 100]);
        Ok(())
    }

    #[test]
    fn a_kernel_inside_a_function_runs() -> ::tile_kernel::Result<()> {
        let mut x = ramp()?;
        inside_a_function(&mut x)?;
        assert_eq!(x.to_vec()?, ramp_times(-1.0));
        Ok(())
    }
}
