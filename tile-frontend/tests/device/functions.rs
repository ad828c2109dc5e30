//! Kernels for `device_tests` that call functions which expand to several operations, or slice
//! tiles.

use tile_kernel::prelude::*;

/// Uses integer functions, tiles at any element, and padding with any number.
#[tile_kernel]
fn whole(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>, z: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let few = x.load_at([i * 64 - 3], [64]);
    let v = (few + 3 * iota::<i32>(64) + x.load_padded([i], [64], -9)).wrapping_mul(-1640531535);
    let u = v.cast::<u32>();
    let powers = v.pow(few.cast::<u32>()) ^ v.saturating_mul(few - 3) ^ v.saturating_div(few + 1);
    y.store([i], powers ^ v.swap_bytes() ^ u.isqrt().cast::<i32>() ^ v.div_ceil(few + 2));
    let counts = u.ilog2() + u.ilog10() * 100 + v.leading_ones() * 10000 + u.reverse_bits().trailing_ones() * 1000000;
    z.store([i], counts ^ (u >> 1).next_power_of_two());
}

/// Extracts and inserts slices of tiles.
#[tile_kernel]
fn parts(x: &Tensor<i32, 2>, y: &mut Tensor<i32, 2>, z: &mut Tensor<i32, 2>) {
    let t = x.load([block_id(0), 0], [8, 16]);
    let mixed = t.gather(1, t * 3 + iota::<i32>(16).unsqueeze(0) - 4);
    y.store([block_id(0), 0], interleave(t, mixed));
    let mut sum = zeros::<i32>([8, 16]);
    for k in (0..3).unroll() {
        sum += mixed.gather(0, (iota::<i32>(8) + k as i32).unsqueeze(1) % 8) << (k as i32);
    }
    let (first, second) = join(t, sum).split();
    z.store([block_id(0), 0], second - first);
}

/// Uses float functions, whose results are compared within the tolerances of devices.
#[tile_kernel]
fn angles(x: &Tensor<f32, 1>, d: &Tensor<f64, 1>, y: &mut Tensor<f32, 1>, e: &mut Tensor<f64, 1>, b: &mut Tensor<i8, 1>) {
    let i = block_id(0);
    let x = x.load([i], [128]) * 0.9 + std::f32::consts::PI * 0.001;
    let (sin, cos) = x.sin_cos();
    let arcs = x.asin() + x.acos() * 2.0 + x.atan() * 3.0 + sin + cos;
    let logs = (x.abs() + 0.1).log10() + x.exp_m1() + x.ln_1p() + x.cbrt() + x.hypot(0.5);
    y.store([i], arcs + logs + x.asinh() + (x.abs() + 1.0).acosh() + x.atanh() + (x * 8.0).round_ties_even());
    let d = d.load([i], [128]) * 0.9;
    e.store([i], d.asin() + d.cbrt() + (d.abs() + 0.1).log10() + d.exp_m1() + d.atanh());
    b.store([i], (x * 1000.0).saturating_cast::<f8e4m3>().to_bits().cast::<i8>() ^ (x * 300.0).cast_with::<i8>(Rounding::NearestEven));
}

/// Sums eight-bit elements in f32.
#[tile_kernel]
fn sums_of_bytes(x: &Tensor<f8e4m3, 1>, y: &Tensor<f8e5m2, 1>, z: &mut Tensor<f32, 1>, sums: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    let (x, y) = (x.load([i], [64]), y.load([i], [64]));
    z.store([i], cat(x.cumsum_as::<f32>(0), y.cumsum_rev_as::<f32>(0), 0));
    sums.store([i, 0], cat(full([1, 2], x.sum_as::<f32>(0)), full([1, 2], y.sum_as::<f32>(0)), 1));
}
