//! Functions of numbers and tiles, with Rust's names, and operations on parts of tiles.

use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
fn functions(x: &Tensor<f32, 1>, n: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>, m: &mut Tensor<u32, 1>, e: u32, s: f32) {
    let t = x.load_at([-2], [16]);
    let k = n.load_padded([0], [16], i32::MIN);
    let (sin, cos) = t.sin_cos();
    let (p, q) = s.sin_cos();
    let arcs = t.asin() + t.round_ties_even() + t.cbrt() + t.ln_1p() + t.hypot(p) + s.log10() + q;
    let bits = t.to_bits() ^ k.pow(e).cast::<u32>() ^ k.saturating_mul(3).swap_bytes().cast::<u32>();
    m.store([0], bits.isqrt() + bits.ilog2() + e.isqrt() + e.next_power_of_two() + k.leading_ones());
    let halves = f32::from_bits(bits & 0x3fff_ffff) + f32::from_bits(e) + s.round_ties_even();
    let (first, second) = join(sin, cos).split();
    let turned = interleave(first, second).extract([0], [16]).gather(0, k.rem_euclid(16));
    let mut sum = turned * std::f32::consts::PI + halves * arcs;
    for i in (0..4).rev().unroll() {
        sum += full([1 << i], 1.0).sum(0) * t.is_sign_negative().cast::<f32>();
    }
    let narrow = sum.saturating_cast::<f8e4m3>().to_bits().cast::<f32>();
    y.store([0], narrow + sum.cast_with::<i8>(Rounding::NearestEven).cast::<f32>());
}

fn main() {
    let device = Device::cpu();
    let x = Tensor::full(&device, [16], 0.5_f32).unwrap();
    let n = Tensor::full(&device, [16], 3_i32).unwrap();
    let mut y = Tensor::zeros(&device, [16]).unwrap();
    let mut m = Tensor::zeros(&device, [16]).unwrap();
    functions(&x, &n, &mut y, &mut m, 5, 1.5).launch().unwrap();
}
