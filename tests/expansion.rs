//! Compiles the golden expansions of `tile-frontend` unchanged.
//!
//! The expansions contain no real code, so a launch fails when it reads the bytecode.

#![warn(missing_docs, unreachable_pub, unused, clippy::all, clippy::pedantic)]

use tile_kernel::{Device, Error, Launch, Stream, Tensor, bf16, f16};

/// Kernels as the macro expands them.
#[expect(
    clippy::allow_attributes_without_reason,
    reason = "the macro writes no reasons into the code of others"
)]
pub mod kernels {
    include!("../tile-frontend/tests/expand/vector_add.expected.rs");
    include!("../tile-frontend/tests/expand/matmul.expected.rs");
    include!("../tile-frontend/tests/expand/scale.expected.rs");
}

fn cpu() -> Device {
    Device::cpu()
}

#[test]
fn the_grid_of_the_attribute_is_evaluated_with_the_arguments() {
    let a = Tensor::zeros(&cpu(), [4]).expect("a small tensor");
    // An empty `c` has no tiles, so nothing runs.
    let mut c = Tensor::zeros(&cpu(), [0]).expect("a small tensor");
    assert_eq!(kernels::vector_add(&a, &a, &mut c).launch(), Ok(()));
    // With a block, the launch proceeds to the embedded code.
    let mut c = Tensor::zeros(&cpu(), [4]).expect("a small tensor");
    let error = kernels::vector_add(&a, &a, &mut c).launch();
    assert!(matches!(error, Err(Error::Artifact { .. })));
}

#[test]
fn a_listed_instance_is_found_by_its_types_and_consts() {
    let a = Tensor::<bf16, 2>::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let mut c = Tensor::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let error = kernels::matmul::<_, 128, 256, 64>(&a, &a, &mut c)
        .grid([1 << 30, 1, 1])
        .launch();
    assert!(matches!(
        error,
        Err(Error::GridTooLarge {
            kernel: "matmul",
            axis: 0,
            ..
        })
    ));
    let a = Tensor::<f16, 2>::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let error = kernels::matmul::<f16, 128, 256, 64>(&a, &c.t().to_f16(), &mut c).launch();
    assert!(matches!(
        error,
        Err(Error::Artifact {
            kernel: "matmul",
            ..
        })
    ));
}

#[test]
fn a_dispatch_finds_the_instance_by_values_and_types() {
    let a = Tensor::<bf16, 2>::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let mut c = Tensor::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let launch = kernels::matmul_dispatch((128, 256, 64), &a, &a, &mut c).expect("it is listed");
    assert!(matches!(launch.launch(), Err(Error::Artifact { .. })));
    let a = Tensor::<f32, 2>::zeros(&cpu(), [4, 4]).expect("a small tensor");
    let missing = kernels::matmul_dispatch((128, 256, 64), &a, &a, &mut c).err();
    assert_eq!(
        missing,
        Some(Error::NotCompiled {
            kernel: "matmul",
            instance: "T = f32, BM = 128, BN = 256, BK = 64".to_owned(),
            listed: vec![
                "(T = f16, BM = 128, BN = 256, BK = 64)",
                "(T = bf16, BM = 128, BN = 256, BK = 64)"
            ],
        })
    );
    let mut x = Tensor::zeros(&cpu(), [4]).expect("a small tensor");
    let listed = kernels::scale_dispatch((-3, true), &mut x, 0.5, 7).map(Launch::launch);
    assert_eq!(listed, Ok(Err(Error::NoGrid { kernel: "scale" })));
    assert!(kernels::scale_dispatch((4, true), &mut x, 0.5, 7).is_err());
}

trait ToF16 {
    fn to_f16(&self) -> Tensor<f16, 2>;
}

impl ToF16 for Tensor<f32, 2> {
    fn to_f16(&self) -> Tensor<f16, 2> {
        Tensor::zeros(&self.device(), self.shape()).expect("a small tensor")
    }
}

#[test]
fn a_kernel_without_a_grid_asks_for_one() {
    let mut x = Tensor::zeros(&cpu(), [4]).expect("a small tensor");
    let stream = Stream::new(&cpu()).expect("a stream of the CPU");
    let error = kernels::scale::<-3, true>(&mut x, 0.5, 7)
        .on(&stream)
        .launch();
    assert_eq!(error, Err(Error::NoGrid { kernel: "scale" }));
}
