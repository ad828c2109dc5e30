//! What kernels of the examples move that are as fast as their traffic: on shapes that tiles divide,
//! each byte that the source names, in whole sectors.

use tile_kernel::prelude::*;
use tile_kernel::{Result, sim};

use super::{grids, layers, normalization, softmax, tensor, vector_add, zeros};

/// Bytes of an `f32`.
const F32: usize = 4;

/// Runs a kernel that loads and stores so many bytes of whole sectors.
fn moves(loaded: usize, stored: usize, run: impl FnOnce(&Device) -> Result<()>) {
    moves_parts(loaded, stored, 0, run);
}

/// Likewise of one with stores of `halves` half sectors, too.
fn moves_parts(
    loaded: usize,
    stored: usize,
    halves: usize,
    run: impl FnOnce(&Device) -> Result<()>,
) {
    run(&Device::sim()).expect("it runs in the simulator");
    let report = sim::last_report().expect("a kernel ran");
    let counters = report.counters().expect("it ended well");
    let (global, shared) = (&counters.global, &counters.shared);
    let loads = [&global.loads, &global.copies];
    for (traffic, bytes, halves) in [(&loads[..], loaded, 0), (&[&global.stores], stored, halves)] {
        let asked: u64 = traffic.iter().map(|traffic| traffic.bytes).sum();
        let sectors: u64 = traffic.iter().map(|traffic| traffic.sectors).sum();
        let expected = (bytes + halves * 16, bytes / 32 + halves);
        assert_eq!((asked as usize, sectors as usize), expected, "{report}");
    }
    let conflicts = shared.loads.bank_conflicts + shared.stores.bank_conflicts;
    assert_eq!(conflicts, 0, "{report}");
}

#[test]
fn a_sum_moves_each_vector_once() {
    const LEN: usize = 4096;
    moves(2 * LEN * F32, LEN * F32, |device| {
        let (a, b) = (tensor(device, [LEN], 1)?, tensor(device, [LEN], 2)?);
        vector_add::vector_add(&a, &b, &mut zeros(device, [LEN])?).launch()
    });
}

#[test]
fn a_softmax_reads_rows_twice_and_writes_them_once() {
    let shape = [8, 512];
    let bytes = 8 * 512 * F32;
    moves(2 * bytes, bytes, |device| {
        let x = tensor(device, shape, 1)?;
        softmax::softmax::<4, 256>(&x, &mut zeros(device, shape)?).launch()
    });
}

/// Means and scales of a block's four rows are half a sector each.
#[test]
fn a_layer_norm_reads_rows_three_times_and_writes_them_once() {
    let shape = [8, 256];
    let elements = 8 * 256;
    for is_narrow in [false, true] {
        let size = if is_narrow { 2 } else { F32 };
        // A block has four rows.
        let weights = 2 * 2 * 256 * F32;
        let run = |device: &Device| {
            let x = super::numbers(elements, 1);
            let (w, b) = (tensor(device, [256], 2)?, tensor(device, [256], 3)?);
            let (mut means, mut scales) = (zeros(device, [8])?, zeros(device, [8])?);
            let (means, scales) = (&mut means, &mut scales);
            if is_narrow {
                let x: Vec<f16> = x.into_iter().map(f16::from_f32).collect();
                let x = Tensor::from_slice(device, &x, shape)?;
                let mut y = zeros(device, shape)?;
                normalization::layer_norm(&x, &w, &b, &mut y, means, scales, 1e-3).launch()
            } else {
                let x = Tensor::from_slice(device, &x, shape)?;
                let mut y = zeros(device, shape)?;
                normalization::layer_norm(&x, &w, &b, &mut y, means, scales, 1e-3).launch()
            }
        };
        moves_parts(3 * elements * size + weights, elements * size, 2 * 2, run);
    }
}

#[test]
fn a_transposition_moves_whole_sectors_without_bank_conflicts() {
    let (rows, columns) = (64, 96);
    let bytes = rows * columns;
    moves(bytes * F32, bytes * F32, |device| {
        let x = tensor(device, [rows, columns], 1)?;
        grids::transpose(&x, &mut zeros(device, [columns, rows])?).launch()
    });
    moves(bytes, bytes, |device| {
        let host: Vec<u8> = (0..=255).cycle().take(bytes).collect();
        let x = Tensor::from_slice(device, &host, [rows, columns])?;
        grids::transpose(&x, &mut zeros::<u8, 2>(device, [columns, rows])?).launch()
    });
}

#[test]
fn a_gate_of_any_type_moves_each_vector_once() {
    let shape = [16, 128];
    let elements = 16 * 128;
    moves(2 * elements * F32, elements * F32, |device| {
        let (gate, up) = (tensor(device, shape, 1)?, tensor(device, shape, 2)?);
        layers::swiglu(&gate, &up, &mut zeros(device, shape)?).launch()
    });
    moves(2 * elements * 2, elements * 2, |device| {
        let host: Vec<bf16> = super::numbers(elements, 1)
            .into_iter()
            .map(bf16::from_f32)
            .collect();
        let gate = Tensor::from_slice(device, &host, shape)?;
        let up = Tensor::from_slice(device, &host, shape)?;
        layers::swiglu(&gate, &up, &mut zeros::<bf16, 2>(device, shape)?).launch()
    });
}

#[test]
fn a_root_mean_square_norm_reads_and_writes_what_it_says() {
    let shape = [4, 512];
    let bytes = 4 * 512 * F32;
    // The sum is read again, and each row has the weights of all columns.
    moves(4 * bytes, 2 * bytes, |device| {
        let x = tensor(device, shape, 1)?;
        let mut residual = tensor(device, shape, 2)?;
        let weight = tensor(device, [512], 3)?;
        let mut y = zeros(device, shape)?;
        normalization::rms_norm::<256>(&x, &mut residual, &weight, &mut y, 1e-3).launch()
    });
}
