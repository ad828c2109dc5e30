//! Computes the input of attention in a Llama: RMSNorm, a projection, and RoPE, with gradients.
//!
//! `cargo run --example attention_input`

use candle_core::{DType, Device, Result, Tensor, Var};
use tile_kernel_candle::{Pairs, rms_norm, rope};

const BATCH: usize = 2;
const POSITIONS: usize = 10;
const HEADS: usize = 4;
const HEAD_DIM: usize = 16;
const HIDDEN: usize = HEADS * HEAD_DIM;

#[expect(clippy::print_stdout, reason = "an example says what it did")]
fn main() -> Result<()> {
    let device = Device::Cpu; // with the feature `cuda` and on a GPU: `Device::new_cuda(0)?`
    let hidden = Tensor::randn(0f32, 1.0, (BATCH, POSITIONS, HIDDEN), &device)?;
    let weight = Var::ones(HIDDEN, DType::F32, &device)?;
    let projection = Var::randn(0f32, 0.1, (HIDDEN, HIDDEN), &device)?;

    let normal = rms_norm(&hidden, &weight, 1e-5)?;
    let queries = normal
        .broadcast_matmul(&projection)?
        .reshape((BATCH, POSITIONS, HEADS, HEAD_DIM))?
        .transpose(1, 2)?; // a view: the kernel reads it as it is
    let (cos, sin) = angles(&device)?;
    let queries = rope(&queries, &cos, &sin, Pairs::Halves)?;

    let gradients = queries.sqr()?.sum_all()?.backward()?;
    for (name, parameter) in [("weight", &weight), ("projection", &projection)] {
        let gradient = gradients.get(parameter).expect("it was used");
        let norm = gradient.sqr()?.sum_all()?.sqrt()?.to_scalar::<f32>()?;
        assert!(norm > 0.0 && norm.is_finite());
        println!("{name}: gradient of norm {norm:.3}");
    }
    // A rotation does not change the length of a head.
    let lengths = |x: &Tensor| x.sqr()?.sum_all()?.to_scalar::<f32>();
    let projected = normal.broadcast_matmul(&projection)?;
    let (before, after) = (lengths(&projected)?, lengths(&queries)?);
    assert!((before - after).abs() < 1e-3 * before, "{before} {after}");
    Ok(())
}

/// Returns the cosines and sines of `position / 10000^(2 * pair / HEAD_DIM)`.
fn angles(device: &Device) -> Result<(Tensor, Tensor)> {
    let pairs = HEAD_DIM / 2;
    let angles: Vec<f32> = (0..POSITIONS * pairs)
        .map(|index| {
            let (position, pair) = (index / pairs, index % pairs);
            position as f32 / 10_000f32.powf(pair as f32 / pairs as f32)
        })
        .collect();
    let angles = Tensor::from_vec(angles, (POSITIONS, pairs), device)?;
    Ok((angles.cos()?, angles.sin()?))
}
