//! Kernels that cancel clusters, allocate on stacks, access replicas, and multiply in tensor
//! memory.

use tile_sim::{Arg, Launch};

use super::hopper::pairs;
use super::{Arguments, product, singles, small, words};
use crate::run::{Expected, Setup};

pub(super) fn persistent() -> Setup {
    let input = words(12 * 64);
    let expected = input.iter().map(|word| word.wrapping_add(1)).collect();
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(12, 64)
}

pub(super) fn stacks() -> Setup {
    let input = words(40 * 16);
    let mut expected = vec![0; 40 * 16];
    for (row, expected) in expected.chunks_exact_mut(16).enumerate() {
        let count = row % 8 + 1;
        for index in 0..count {
            expected[index] = input[row * 16 + count - 1 - index];
        }
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 40)
}

/// Uses three replicas.
pub(super) fn replicas() -> Setup {
    let input = words(64);
    let sum = |index: usize| input[index].wrapping_add(input[index + 32]);
    let sums = (0..64)
        .map(|index| sum(index % 32).wrapping_mul(3))
        .collect();
    let mut arguments = Arguments::new().input(&input).output("out", sums);
    let bases = [0; 3].map(|_| arguments.memory.alloc(128, 16));
    let multicast = arguments.memory.multicast(&bases, 128).expect("allocated");
    arguments.args.push(Arg::from(multicast));
    for address in bases {
        arguments.results.push(Expected {
            name: "replica",
            address,
            words: (0..32).map(sum).collect(),
        });
    }
    arguments.launch(1, 64)
}

/// Returns rows of eight words after a shift: every 32nd row is unchanged, and all others are
/// replaced by the next row.
fn shifted(rows: &[u32]) -> Vec<u32> {
    let below = |row: usize| if row % 32 == 31 { row } else { row + 1 };
    let rows = (0..rows.len() / 8).map(|row| &rows[below(row) * 8..][..8]);
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
    // A thread of a quad has two words of a row and two words of the row eight below, followed by
    // four words eight columns further. The second store writes the words of each thread in reverse
    // order.
    let mut rows = vec![0; input.len()];
    for (thread, values) in input.chunks_exact(8).enumerate() {
        let (warp, lane) = (thread / 32, thread % 32);
        for (register, &word) in values.iter().enumerate() {
            let row = lane / 4 + register / 2 % 2 * 8;
            let column = lane % 4 * 2 + register % 2 + register / 4 * 8;
            if column < 8 {
                rows[(warp * 32 + row) * 8 + column] = word;
            }
        }
        for (register, &word) in values.iter().rev().enumerate() {
            let row = lane / 4 + register / 2 % 2 * 8 + 16;
            let column = lane % 4 * 2 + register % 2 + register / 4 * 8;
            if column < 8 {
                rows[(warp * 32 + row) * 8 + column] = word;
            }
        }
    }
    // The rows of the first warp of each block are shifted.
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

/// Splits the rows of a matrix into pieces of 16 columns.
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
    let b: Vec<f32> = (0..columns * depth)
        .map(|index| small(index + 77))
        .collect();
    Arguments::new()
        .input(&pairs(&pieces(&a, depth)))
        .input(&pairs(&pieces(&b, depth)))
        .output("out", singles(&product(&a, &b, depth)))
        .launch(1, 128)
}
