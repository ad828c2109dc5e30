//! Compares the kernel with the same computation in Rust.

use tile_kernel::{Device, Tensor};

/// One element, one less and one more than a block, and several blocks.
const LENGTHS: [usize; 5] = [1, 1023, 1024, 1025, 5000];

fn check(device: &Device) -> tile_kernel::Result<()> {
    for len in LENGTHS {
        // Small integers and halves: no result is rounded.
        let x: Vec<f32> = (0..len).map(|i| (i % 100) as f32).collect();
        let y: Vec<f32> = (0..len).map(|i| (i % 7) as f32).collect();
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 1.5 * x + y).collect();

        let x = Tensor::from_slice(device, &x, [len])?;
        let mut y = Tensor::from_slice(device, &y, [len])?;
        {{crate_name}}::axpy(1.5, &x, &mut y).launch()?;
        assert_eq!(y.to_vec()?, expected, "of {len} elements");
    }
    Ok(())
}

#[test]
fn axpy_computes_what_rust_computes() -> tile_kernel::Result<()> {
    check(&Device::cpu())
}

/// The best device is the one that `TILE_DEVICE` names, such as `sim`, else a GPU if there is one.
#[test]
fn axpy_computes_the_same_on_the_best_device() -> tile_kernel::Result<()> {
    check(&Device::best())
}
