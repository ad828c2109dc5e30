//! Launches on the CPU device, of a kernel made with the IR's builder.

#![expect(clippy::float_cmp, reason = "sums of small integers are exact")]

#[allow(
    unreachable_pub,
    clippy::pedantic,
    reason = "written for the tests of another crate"
)]
#[path = "../tile-core/tests/common/mod.rs"]
mod common;

use std::sync::LazyLock;
use std::thread;

use tile_core::Diagnostics;
use tile_core::bytecode::{Version, write};
use tile_core::text::{parse, print};
use tile_core::types::Scalar;
use tile_kernel::__private::{
    KernelImage, VariantImage, VariantKind, exclusive, grid, launch, shared,
};
use tile_kernel::{Device, Error, Launch, Result, Tensor};

static VARIANTS: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "vector_add",
    &[],
    &[],
)];

/// `c = a + b`, 128 elements a block.
static IMAGE: LazyLock<KernelImage> = LazyLock::new(|| {
    // As the macro does it: places where the kernel was read go into the bytecode.
    let text = print(&common::vector_add(Scalar::F32, 128));
    let mut module = parse(&text, "src/kernels.rs", &mut Diagnostics::new()).expect("it is IR");
    module.state_locations();
    let bytecode = write(&module, Version::V13_1).expect("every op is in 13.1");
    KernelImage::new(
        "vector_add",
        ("src/kernels.rs", 7),
        &["a", "b", "c"],
        &VARIANTS,
        bytecode.leak(),
    )
});

fn vector_add<'a>(
    a: &'a Tensor<f32, 1>,
    b: &'a Tensor<f32, 1>,
    c: &'a mut Tensor<f32, 1>,
) -> Launch<'a> {
    let grid = grid(c.tiles([128]));
    launch(&IMAGE, grid, [shared(a), shared(b), exclusive(c)])
}

fn numbers(count: u16) -> Vec<f32> {
    (0..count).map(f32::from).collect()
}

#[test]
fn ragged_sizes_are_computed_to_the_last_element() -> Result<()> {
    let device = Device::cpu();
    for len in [1, 31, 1000, 4097] {
        let host = numbers(len);
        let a = Tensor::from_slice(&device, &host, [host.len()])?;
        let mut c = Tensor::full(&device, [host.len()], f32::NAN)?;
        vector_add(&a, &a, &mut c).launch()?;
        let doubled: Vec<f32> = host.iter().map(|x| x + x).collect();
        assert_eq!(c.to_vec()?, doubled);
    }
    Ok(())
}

#[test]
fn views_are_read_and_written_with_their_strides() -> Result<()> {
    let device = Device::cpu();
    let matrix = Tensor::from_slice(&device, &numbers(12), [3, 4])?;
    let row = matrix.reshape([12])?.narrow(0, 4..7)?;
    let mut target = Tensor::zeros(&device, [6])?.narrow(0, 3..6)?;
    vector_add(&row, &row, &mut target).launch()?;
    assert_eq!(target.to_vec()?, [8.0, 10.0, 12.0]);

    let whole = matrix.reshape([12])?;
    let (low, mut high) = (whole.narrow(0, 0..6)?, whole.narrow(0, 6..12)?);
    vector_add(&low, &low, &mut high).launch()?;
    assert_eq!(
        matrix.to_vec()?,
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    );
    Ok(())
}

#[test]
fn a_fault_names_kernel_place_block_and_operation() -> Result<()> {
    let device = Device::cpu();
    let a = Tensor::zeros(&device, [100])?;
    let mut c = Tensor::zeros(&device, [100])?;
    let error = vector_add(&a, &a, &mut c)
        .grid([3])
        .launch()
        .expect_err("blocks 1 and 2 have no tile");
    let Error::Fault {
        kernel,
        file,
        line,
        block,
        op,
        reason,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*kernel, *file, *line), ("vector_add", "src/kernels.rs", 7));
    assert_eq!(*block, [1, 0, 0]);
    assert!(op.contains("load_view_tko"), "{error}");
    assert!(reason.contains(" at src/kernels.rs:"), "{error}");
    Ok(())
}

#[test]
fn launches_from_many_threads_over_shared_tensors_all_finish() -> Result<()> {
    let device = Device::cpu();
    let both = Tensor::full(&device, [2000], 1.0f32)?;
    thread::scope(|scope| {
        for turn in 0..4 {
            let both = &both;
            scope.spawn(move || -> Result<()> {
                let (low, high) = (both.narrow(0, 0..1000)?, both.narrow(0, 1000..2000)?);
                let (read, mut written) = if turn % 2 == 0 {
                    (low, high)
                } else {
                    (high, low)
                };
                for _ in 0..5 {
                    vector_add(&read, &read, &mut written).launch()?;
                }
                Ok(())
            });
        }
    });
    let elements = both.to_vec()?;
    // Every launch writes twice what it reads, whole.
    assert!(elements[..1000].iter().all(|x| *x == elements[0]));
    assert!(elements[1000..].iter().all(|x| *x == elements[1000]));
    Ok(())
}
