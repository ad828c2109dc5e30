//! Reductions by closure, scans, slices, random numbers and assertions, as an author writes them.

use tile_kernel::prelude::*;

/// Computes the softmax of a row in one pass: the maximum and the sum of exponentials together.
#[tile_kernel(grid = 1, arch("cpu"))]
fn online(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, seed: u64) {
    let t = x.load([0], [16]);
    assert!(t < 100.0, "the exponentials are finite");
    let (most, sum) = reduce(
        (t, full([16], 1.0)),
        0,
        (f32::MIN, 0.0),
        |(m, s), (n, u)| {
            let top = m.max(n);
            (top, s * (m - top).exp() + u * (n - top).exp())
        },
    );
    let kept = rand_uniform(seed, iota::<i32>(16)) < 2.0;
    let soft = select(kept, (t - most).exp() / sum, 0.0);
    let total = soft.cumsum(0).extract([15], [1]).item();
    assert!((total - 1.0).abs() < 1e-5);
    y.store([0], soft);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let host: Vec<f32> = (0..16).map(|at| ((at * 5) % 7) as f32).collect();
    let x = Tensor::from_slice(&device, &host, [16])?;
    let mut y = Tensor::zeros(&device, [16])?;
    online(&x, &mut y, 1 << 40).launch()?;
    let sum: f32 = host.iter().map(|value| value.exp()).sum();
    for (value, found) in host.iter().zip(y.to_vec()?) {
        assert!((found - value.exp() / sum).abs() < 1e-6);
    }
    Ok(())
}
