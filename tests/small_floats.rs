//! Tests of 8-bit floats, from the host through a kernel and back.

use tile_kernel::prelude::*;

/// Quantizes rows of `f32` to `f8e4m3` with a power of two as the scale of each row.
#[tile_kernel(grid = x.shape()[0].div_ceil(4), arch("cpu"))]
fn quantize(x: &Tensor<f32, 2>, q: &mut Tensor<f8e4m3, 2>, scale: &mut Tensor<f8e8m0, 2>) {
    let row = block_id(0);
    let t = x.load([row, 0], [4, 32]);
    let most = t.abs().reduce_max(1).unsqueeze(1);
    let s = (most / 448.0).cast_with::<f8e8m0>(Rounding::PosInf);
    q.store([row, 0], (t / s.cast::<f32>()).cast::<f8e4m3>());
    scale.store([row, 0], s);
}

#[tile_kernel(grid = 1, arch("cpu"), types(T = f8e4m3 | f8e5m2))]
fn widen<T: Element>(x: &Tensor<T, 1>, y: &mut Tensor<f32, 1>, bias: f32) {
    y.store([0], x.load([0], [256]).cast::<f32>() + bias);
}

#[test]
fn what_the_host_stores_is_what_the_kernel_loads() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let values: Vec<f8e5m2> = (0..=255).map(f8e5m2::from_bits).collect();
    let x = Tensor::from_slice(&device, &values, [256])?;
    let mut y = Tensor::zeros(&device, [256])?;
    widen(&x, &mut y, 0.0).launch()?;
    for (bits, actual) in (0..=255).zip(y.to_vec()?) {
        let expected = f8e5m2::from_bits(bits).to_f32();
        // The kernel adds zero, which turns -0 into 0.
        let expected = expected + 0.0;
        assert!(actual.to_bits() == expected.to_bits() || actual.is_nan() && expected.is_nan());
    }
    Ok(())
}

#[test]
fn rows_are_quantized_with_scales() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let host: Vec<f32> = (0..4 * 32)
        .map(|index: i16| {
            f32::from((index * 37) % 101) * 2.0_f32.powi(i32::from(index) / 32 * 5) - 40.0
        })
        .collect();
    let x = Tensor::from_slice(&device, &host, [4, 32])?;
    let mut q = Tensor::zeros(&device, [4, 32])?;
    let mut scale = Tensor::zeros(&device, [4, 1])?;
    quantize(&x, &mut q, &mut scale).launch()?;
    let (q, scale) = (q.to_vec()?, scale.to_vec()?);
    for (index, (&value, actual)) in host.iter().zip(q).enumerate() {
        let scale = scale[index / 32].to_f32();
        let row = &host[index / 32 * 32..][..32];
        let most = row
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        assert!(scale >= most / 448.0 && scale < most / 224.0);
        assert_eq!(actual.to_bits(), f8e4m3::from_f32(value / scale).to_bits());
    }
    Ok(())
}
