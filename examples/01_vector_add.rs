//! The smallest kernel, with its host program: `c = a + b`.
//!
//! `cargo run --release --example 01_vector_add`

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(clippy::cast_precision_loss, reason = "the numbers are small")]

use tile_kernel::prelude::*;

/// Many blocks run this function concurrently, each with its own `block_id`.
///
/// `grid` sets the number of blocks: one for every 1024 elements of `c`, rounded up. The GPU code
/// of the function is generated while this file is compiled; at run time, the function is a stub
/// that launches that code.
#[tile_kernel(grid = c.tiles([1024]))]
pub(crate) fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    // A tile is an array of numbers whose shape is known at compile time. `[i]` is the index of the
    // tile, not of an element: this loads the elements from 1024 * i to 1024 * i + 1023.
    let x = a.load([i], [1024]);
    let y = b.load([i], [1024]);
    // The last tile may extend beyond the end of the tensor: loads return zero there, and stores
    // have no effect.
    c.store([i], x + y);
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    // A length that is not a multiple of the tile.
    const LEN: usize = 1_000_003;
    let host_a: Vec<f32> = (0..LEN).map(|i| (i % 1000) as f32 * 0.1).collect();
    let host_b: Vec<f32> = (0..LEN).map(|i| (i % 77) as f32 * -1.3).collect();

    // A GPU if one can be used, otherwise the CPU.
    let device = Device::best();
    let a = Tensor::from_slice(&device, &host_a, [LEN])?;
    let b = Tensor::from_slice(&device, &host_b, [LEN])?;
    let mut c = Tensor::zeros(&device, [LEN])?;
    vector_add(&a, &b, &mut c).launch()?;
    // A launch does not wait for the kernel; reading back does.
    let sums = c.to_vec()?;

    let error = (host_a.iter().zip(&host_b).zip(&sums))
        .map(|((a, b), c)| (a + b - c).abs())
        .fold(0.0, f32::max);
    println!("vector_add: {LEN} elements on {device}, max error {error:e}");
    assert!(error == 0.0, "one addition is rounded as on the host");
    Ok(())
}
