//! Matrices as pictures: a transposition and a stencil.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, floats, output};

#[tile_kernel(grid = x.tiles([32, 32]), arch("cpu"))]
fn transpose(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([j, i], x.load([i, j], [32, 32]).t());
}

/// Weighs the nine neighbours of each point; beyond the edge are zeros.
#[tile_kernel(grid = y.tiles([16, 256]), arch("cpu"))]
fn stencil(x: &Tensor<f32, 2>, weights: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let (row, column) = (i * 16, j * 256);
    let above = x.load_at([row - 1, column - 1], [16, 256]) * weights.at([0, 0])
        + x.load_at([row - 1, column], [16, 256]) * weights.at([0, 1])
        + x.load_at([row - 1, column + 1], [16, 256]) * weights.at([0, 2]);
    let beside = x.load_at([row, column - 1], [16, 256]) * weights.at([1, 0])
        + x.load([i, j], [16, 256]) * weights.at([1, 1])
        + x.load_at([row, column + 1], [16, 256]) * weights.at([1, 2]);
    let below = x.load_at([row + 1, column - 1], [16, 256]) * weights.at([2, 0])
        + x.load_at([row + 1, column], [16, 256]) * weights.at([2, 1])
        + x.load_at([row + 1, column + 1], [16, 256]) * weights.at([2, 2]);
    y.store([i, j], above + beside + below);
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("transpose", &[rows, columns]) => {
            let x = floats(1, [rows, columns])?;
            let (mut y, read) = output([columns, rows])?;
            Case::new(move || transpose(&x, &mut y).launch()).with(read)
        }
        ("stencil", &[rows, columns]) => {
            let (x, weights) = (floats(1, [rows, columns])?, floats(2, [3, 3])?);
            let (mut y, read) = output([rows, columns])?;
            Case::new(move || stencil(&x, &weights, &mut y).launch()).with(read)
        }
        _ => return Ok(None),
    }))
}
