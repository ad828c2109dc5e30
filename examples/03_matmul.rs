//! Matmul on tensor cores: 16-bit floats in, `f32` out.
//!
//! `cargo run --release --example 03_matmul`

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(clippy::cast_precision_loss, reason = "the numbers are small")]

use tile_kernel::prelude::*;

/// Each block computes one tile of `c`, of `BM` by `BN` elements, and iterates over the `BK`-wide
/// tiles of `a` and `b` along K.
///
/// `T` is chosen from `types`, and the sizes from `instances`, which makes two times two kernels.
#[tile_kernel(
    grid = c.tiles([BM, BN]),
    instances((BM = 64, BN = 64, BK = 32), (BM = 128, BN = 128, BK = 32)),
    types(T = bf16 | f16)
)]
pub(crate) fn matmul<T: Element, const BM: usize, const BN: usize, const BK: usize>(
    a: &Tensor<T, 2>,
    b: &Tensor<T, 2>,
    c: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([BM, BK]);
    let b = b.partition([BK, BN]);
    let mut acc = zeros::<f32>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        // acc + a · b: products of 16-bit floats, accumulated in `f32`.
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

pub(crate) fn main() -> tile_kernel::Result<()> {
    const M: usize = 200;
    const N: usize = 170;
    const K: usize = 300;
    let host_a: Vec<bf16> = (0..M * K)
        .map(|i| bf16::from_f32((i % 37) as f32 / 37.0 - 0.5))
        .collect();
    let host_b: Vec<bf16> = (0..K * N)
        .map(|i| bf16::from_f32((i % 41) as f32 / 41.0 - 0.5))
        .collect();

    let device = Device::best();
    let a = Tensor::from_slice(&device, &host_a, [M, K])?;
    let b = Tensor::from_slice(&device, &host_b, [K, N])?;
    let mut c = Tensor::zeros(&device, [M, N])?;
    // `T` is inferred from the tensors.
    matmul::<_, 64, 64, 32>(&a, &b, &mut c).launch()?;
    let actual = c.to_vec()?;

    let mut error: f64 = 0.0;
    for (i, row) in host_a.chunks(K).enumerate() {
        for j in 0..N {
            let column = host_b.iter().skip(j).step_by(N);
            let exact: f64 = row
                .iter()
                .zip(column)
                .map(|(a, b)| a.to_f64() * b.to_f64())
                .sum();
            error = error.max((exact - f64::from(actual[i * N + j])).abs());
        }
    }
    println!("matmul: {M}x{K} by {K}x{N} on {device}, max error {error:.1e}");
    assert!(
        error < 1e-4,
        "only the sums of {K} products below 1/4 are rounded"
    );
    Ok(())
}
