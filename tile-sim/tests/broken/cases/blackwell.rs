//! Kernels with tensor memory.

use tile_sim::Launch;

use super::hopper::pairs;
use super::{Arguments, product, singles, small, words};
use crate::run::Setup;

/// Rows of eight words, of which each first of 32 stays and each other is that above it.
fn shifted(rows: &[u32]) -> Vec<u32> {
    let above = |row: usize| if row.is_multiple_of(32) { row } else { row - 1 };
    let rows = (0..rows.len() / 8).map(|row| &rows[above(row) * 8..][..8]);
    rows.flatten().copied().collect()
}

pub(super) fn tensor_rows() -> Setup {
    let input = words(2 * 128 * 8);
    Arguments::new()
        .input(&input)
        .output("out", shifted(&input))
        .launch(1, 288)
}

pub(super) fn tensor_pair() -> Setup {
    let input = words(2 * 64 * 8);
    // A thread of a quad has two words of a row and two of the row eight below, then those eight
    // columns behind; the second store has the words of each thread backwards.
    let mut rows = vec![0; input.len()];
    for (thread, own) in input.chunks_exact(8).enumerate() {
        let (warp, lane) = (thread / 32, thread % 32);
        for (register, &word) in own.iter().enumerate() {
            let row = lane / 4 + register / 2 % 2 * 8;
            let column = lane % 4 * 2 + register % 2 + register / 4 * 8;
            if column < 8 {
                rows[(warp * 32 + row) * 8 + column] = word;
            }
        }
        for (register, &word) in own.iter().rev().enumerate() {
            let row = lane / 4 + register / 2 % 2 * 8 + 16;
            let column = lane % 4 * 2 + register % 2 + register / 4 * 8;
            if column < 8 {
                rows[(warp * 32 + row) * 8 + column] = word;
            }
        }
    }
    // Those of the first warp of each block are shifted.
    let mut expected = shifted(&rows);
    for block in 0..2 {
        let second = (block * 2 + 1) * 32 * 8;
        expected[second..second + 32 * 8].copy_from_slice(&rows[second..second + 32 * 8]);
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch_as(
            Launch::new("k")
                .grid([2, 1, 1])
                .cluster([2, 1, 1])
                .threads(64),
        )
}

/// The rows of a matrix in pieces of 16 columns, piece after piece.
fn pieces(matrix: &[f32], depth: usize) -> Vec<f32> {
    let piece = |first: usize| {
        let rows = matrix.chunks_exact(depth);
        rows.flat_map(move |row| &row[first..first + 16])
    };
    (0..depth).step_by(16).flat_map(piece).copied().collect()
}

pub(super) fn tensor_core() -> Setup {
    let (rows, columns, depth) = (128, 16, 64);
    let a: Vec<f32> = (0..rows * depth).map(small).collect();
    let b: Vec<f32> = (0..columns * depth).map(|at| small(at + 77)).collect();
    Arguments::new()
        .input(&pairs(&pieces(&a, depth)))
        .input(&pairs(&pieces(&b, depth)))
        .output("out", singles(&product(&a, &b, depth)))
        .launch(1, 128)
}
