//! Tests of kernels with TMA loads and stores, on the simulated GPU.

#![allow(
    clippy::many_single_char_names,
    clippy::cast_possible_truncation,
    reason = "matrices have their letters; the numbers are small"
)]

use tile_kernel::__private::f16;
use tile_kernel::prelude::*;
use tile_kernel::{Result, sim};

/// Computes a matmul. It is compiled for one architecture, whose PTX the simulator runs.
#[tile_kernel(grid = c.tiles([BM, BN]), instances((BM = 64, BN = 64, BK = 64)), arch("sm_90a"))]
fn matmul<const BM: usize, const BN: usize, const BK: usize>(
    a: &Tensor<f16, 2>,
    b: &Tensor<f16, 2>,
    c: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([BM, BK]);
    let b = b.partition([BK, BN]);
    let mut acc = zeros::<f32>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

/// Returns integers from -4 to 4.
fn numbers(shape: [usize; 2], salt: usize) -> Vec<f16> {
    let count = shape.iter().product();
    (0..count)
        .map(|index| f16::from_f32(f32::from(((index * 7 + salt) % 9) as u8) - 4.0))
        .collect()
}

/// Runs a matmul of these extents, checks it, and returns the number of its TMA loads and stores.
fn copies([m, n, k]: [usize; 3]) -> Result<u64> {
    let run = |device: &Device| {
        let a = Tensor::from_slice(device, &numbers([m, k], 1), [m, k])?;
        let b = Tensor::from_slice(device, &numbers([k, n], 5), [k, n])?;
        let mut c = Tensor::<f32, 2>::zeros(device, [m, n])?;
        matmul::<64, 64, 64>(&a, &b, &mut c).launch()?;
        c.to_vec()
    };
    assert_eq!(run(&Device::sim())?, run(&Device::cpu())?, "{m} {n} {k}");
    let report = sim::last_report().expect("a kernel ran");
    let counters = report.counters().expect("it came to its end");
    Ok(counters.copies.tensor.operations)
}

#[test]
fn tiles_come_and_go_by_copies_of_tensors_as_far_as_the_tensor_goes() -> Result<()> {
    // In each step, a block issues two loads, one of which is split into halves: one block, or both
    // blocks of a cluster, issue them. Each block stores its result in two halves.
    assert_eq!(copies([64, 64, 64])?, 3 + 2);
    assert_eq!(copies([128, 64, 192])?, 2 * (3 * 3 + 2));
    assert_eq!(copies([100, 88, 200])?, 4 * (4 * 3 + 2));
    assert_eq!(copies([8, 8, 8])?, 3 + 2);
    assert_eq!(copies([64, 64, 640])?, 10 * 3 + 2);
    Ok(())
}

#[test]
fn a_tensor_without_a_map_takes_the_general_variant() -> Result<()> {
    // Rows of 202 bytes and of 18 bytes are not multiples of 16 bytes.
    assert_eq!(copies([64, 64, 101])?, 0);
    assert_eq!(copies([64, 9, 64])?, 0);
    Ok(())
}

#[test]
fn an_operand_that_repeats_a_row_takes_the_general_variant() -> Result<()> {
    let run = |device: &Device| {
        let a = Tensor::from_slice(device, &numbers([64, 64], 1), [64, 64])?;
        let row = Tensor::from_slice(device, &numbers([1, 64], 5), [64])?;
        let mut c = Tensor::<f32, 2>::zeros(device, [64, 64])?;
        matmul::<64, 64, 64>(&a, &row.broadcast_to([64, 64])?, &mut c).launch()?;
        c.to_vec()
    };
    let simulated = run(&Device::sim())?;
    assert_eq!(simulated, run(&Device::cpu())?);
    assert!(simulated.iter().any(|&sum| sum != 0.0));
    let report = sim::last_report().expect("a kernel ran");
    let counters = report.counters().expect("it came to its end");
    assert_eq!(counters.copies.tensor.operations, 0);
    Ok(())
}
