//! Kernels in a crate that has no other dependency, where every name that an
//! expansion might reach for means something else.
//!
//! Compiling it is most of the test. It is of edition 2021, as many crates of
//! users are; the facade's own tests are of 2024.

/// Names of the prelude, of the primitives and of crates, all shadowed.
pub mod shadowed {
    #![allow(
        non_camel_case_types,
        dead_code,
        missing_docs,
        reason = "they stand for anything a user may have"
    )]

    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Result;
    pub struct Ok;
    pub struct Err;
    pub struct Box;
    pub struct Vec;
    pub struct f32;
    pub struct u8;
    pub struct usize;
    pub struct str;
    pub struct bool;
    pub struct Launch;
    pub struct Instance;
    pub struct Kernel;
    pub struct KernelImage;
    pub trait Into {}
    pub trait From {}
    pub mod std {}
    pub mod core {}
    pub mod alloc {}
    pub mod tile_kernel {}

    // The kernels are the expansions that `tile-macros` keeps as golden files;
    // the attribute itself cannot be written where `tile_kernel` is shadowed.
    include!("../../tile-macros/tests/expand/vector_add.expected.rs");
    include!("../../tile-macros/tests/expand/matmul.expected.rs");
    include!("../../tile-macros/tests/expand/scale.expected.rs");

    /// A use of the one kernel that is not public.
    pub fn used(
        x: &mut ::tile_kernel::Tensor<::tile_kernel::bf16, 1>,
    ) -> ::tile_kernel::Launch<'_> {
        scale::<4, false>(x, 1.0, 3)
    }
}

/// A kernel where there is no prelude. A generic kernel needs the tool attribute
/// `#[diagnostic::on_unimplemented]`, which rustc does not know there.
#[no_implicit_prelude]
pub mod without_prelude {
    include!("../../tile-macros/tests/expand/vector_add.expected.rs");
}

/// A kernel inside a function.
///
/// # Errors
/// The golden file holds no code, so always.
pub fn inside_a_function(
    a: &::tile_kernel::Tensor<f32, 1>,
    c: &mut ::tile_kernel::Tensor<f32, 1>,
) -> ::tile_kernel::Result<()> {
    #[expect(unreachable_pub, reason = "the golden file has a public kernel")]
    mod kernels {
        include!("../../tile-macros/tests/expand/vector_add.expected.rs");
    }
    kernels::vector_add(a, a, c).launch()
}

#[cfg(test)]
mod tests {
    use ::tile_kernel::{Device, Error, Tensor};

    #[test]
    fn expansions_among_shadowed_names_launch() -> ::tile_kernel::Result<()> {
        let device = Device::cpu();
        let mut x = Tensor::zeros(&device, [4])?;
        assert_eq!(
            crate::shadowed::used(&mut x).launch(),
            Err(Error::NoGrid { kernel: "scale" })
        );
        let a = Tensor::zeros(&device, [4])?;
        let mut c = Tensor::zeros(&device, [4])?;
        assert!(matches!(
            crate::inside_a_function(&a, &mut c),
            Err(Error::Artifact { .. })
        ));
        Ok(())
    }
}
