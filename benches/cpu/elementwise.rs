//! Elementwise kernels: chains of operations, activations, rotary embeddings.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, floats, output};

#[tile_kernel(grid = y.tiles([4096]), arch("cpu"))]
fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], a.load([i], [4096]) + b.load([i], [4096]));
}

/// Four operations: a sum, a product, a magnitude, a root.
#[tile_kernel(grid = y.tiles([4096]), arch("cpu"))]
fn chain4(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let sum = a.load([i], [4096]) + b.load([i], [4096]);
    y.store([i], (sum * c.load([i], [4096])).abs().sqrt());
}

/// Eight operations: those of `chain4`, a negation, an exponential, a product, a maximum.
#[tile_kernel(grid = y.tiles([4096]), arch("cpu"))]
fn chain8(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let (a, b) = (a.load([i], [4096]), b.load([i], [4096]));
    let root = ((a + b) * c.load([i], [4096])).abs().sqrt();
    y.store([i], ((-root).exp() * a).max(b));
}

/// The approximation of GELU by a hyperbolic tangent.
#[tile_kernel(grid = y.tiles([4096]), arch("cpu"))]
fn gelu(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = x.load([i], [4096]);
    let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    y.store([i], 0.5 * x * (1.0 + inner.tanh()));
}

/// Computes `silu(gate) * up`.
#[tile_kernel(grid = y.tiles([4, 1024]), arch("cpu"))]
fn swiglu(gate: &Tensor<f32, 2>, up: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let gate = gate.load([i, j], [4, 1024]);
    let silu = gate / (1.0 + (-gate).exp());
    y.store([i, j], silu * up.load([i, j], [4, 1024]));
}

/// Rotates the two halves of each head, of 128 elements, by the angles of the token. Each block processes the eight heads of
/// four tokens.
#[tile_kernel(grid = [x.shape()[0].div_ceil(4), x.shape()[1].div_ceil(8)], arch("cpu"))]
fn rope(x: &Tensor<f32, 3>, cos: &Tensor<f32, 2>, sin: &Tensor<f32, 2>, y: &mut Tensor<f32, 3>) {
    let (token, head) = (block_id(0), block_id(1));
    let cos = cos.load([token, 0], [4, 64]).unsqueeze(1);
    let sin = sin.load([token, 0], [4, 64]).unsqueeze(1);
    let left = x.load([token, head, 0], [4, 8, 64]);
    let right = x.load([token, head, 1], [4, 8, 64]);
    y.store([token, head, 0], left * cos - right * sin);
    y.store([token, head, 1], left * sin + right * cos);
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("add", &[n]) => {
            let (a, b) = (floats(1, [n])?, floats(2, [n])?);
            let (mut y, read) = output([n])?;
            Case::new(move || add(&a, &b, &mut y).launch()).with(read)
        }
        ("chain4" | "chain8", &[n]) => {
            let (a, b, c) = (floats(1, [n])?, floats(2, [n])?, floats(3, [n])?);
            let (mut y, read) = output([n])?;
            let is_short = kernel == "chain4";
            Case::new(move || {
                if is_short {
                    chain4(&a, &b, &c, &mut y).launch()
                } else {
                    chain8(&a, &b, &c, &mut y).launch()
                }
            })
            .with(read)
        }
        ("gelu", &[n]) => {
            let x = floats(1, [n])?;
            let (mut y, read) = output([n])?;
            Case::new(move || gelu(&x, &mut y).launch()).with(read)
        }
        ("swiglu", &[rows, columns]) => {
            let (gate, up) = (floats(1, [rows, columns])?, floats(2, [rows, columns])?);
            let (mut y, read) = output([rows, columns])?;
            Case::new(move || swiglu(&gate, &up, &mut y).launch()).with(read)
        }
        ("rope", &[tokens, heads]) => {
            let x = floats(1, [tokens, heads, 128])?;
            let (cos, sin) = (floats(2, [tokens, 64])?, floats(3, [tokens, 64])?);
            let (mut y, read) = output([tokens, heads, 128])?;
            Case::new(move || rope(&x, &cos, &sin, &mut y).launch()).with(read)
        }
        _ => return Ok(None),
    }))
}
