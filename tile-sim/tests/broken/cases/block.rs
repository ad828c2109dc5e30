//! Kernels whose threads synchronize within their block.

use tile_sim::Launch;

use super::{Arguments, halves, product, singles, small, words};
use crate::run::Setup;

pub(super) fn reduce() -> Setup {
    let input = words(512);
    let rows = input.chunks_exact(128);
    let sums = rows.map(|row| row.iter().fold(0, |sum: u32, &word| sum.wrapping_add(word)));
    Arguments::new()
        .input(&input)
        .output("out", sums.collect())
        .launch(2, 128)
}

pub(super) fn transpose() -> Setup {
    let input = words(32 * 64);
    let transposed = (0..64 * 32).map(|index| input[index % 32 * 64 + index / 32]);
    Arguments::new()
        .input(&input)
        .output("out", transposed.collect())
        .launch_as(Launch::new("k").grid([2, 1, 1]).block([32, 8, 1]))
}

pub(super) fn pipeline() -> Setup {
    let a: Vec<f32> = (0..64 * 64).map(small).collect();
    let b: Vec<f32> = (0..8 * 64).map(|index| small(index + 5000)).collect();
    Arguments::new()
        .input(&halves(&a))
        .input(&halves(&b))
        .output("c", singles(&product(&a, &b, 64)))
        .launch(1, 128)
}

pub(super) fn named_barriers() -> Setup {
    let input = words(256);
    let sum = |index: usize| {
        (0..4).fold(0, |sum: u32, round| {
            sum.wrapping_add(input[round * 64 + index])
        })
    };
    Arguments::new()
        .input(&input)
        .output("out", (0..64).map(|index| sum(63 - index)).collect())
        .launch(1, 128)
}

pub(super) fn warp_exchange() -> Setup {
    let input = words(64);
    let mut expected = input.clone();
    for _ in 0..3 {
        let before = expected.clone();
        for (index, word) in expected.iter_mut().enumerate() {
            *word = before[index]
                .wrapping_mul(3)
                .wrapping_add(before[index ^ 31]);
        }
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 64)
}

pub(super) fn stencil() -> Setup {
    let input = words(128);
    let word = |index: usize| input.get(index).copied().unwrap_or(0);
    let sums = (0..128).map(|index: usize| {
        word(index.wrapping_sub(1))
            .wrapping_add(word(index))
            .wrapping_add(word(index + 1))
    });
    Arguments::new()
        .input(&input)
        .output("out", sums.collect())
        .launch(2, 64)
}

pub(super) fn local_sort() -> Setup {
    let input = words(64 * 8);
    let mut expected = input.clone();
    for chunk in expected.chunks_exact_mut(8) {
        chunk.sort_unstable();
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 64)
}

/// Creates a launch in which the first 16 columns of A and B are in the registers that each lane
/// loads.
pub(super) fn dispatch() -> Setup {
    let values: Vec<f32> = (0..256).map(small).collect();
    let mut input = Vec::new();
    for (warp, values) in values.chunks_exact(64).enumerate() {
        if warp % 2 == 0 {
            input.extend(halves(values));
        } else {
            // The integers are so small that the upper half of their f32 representation is their
            // bf16 representation.
            let pairs = values.chunks_exact(2);
            input.extend(
                pairs.map(|pair| pair[0].to_bits() >> 16 | pair[1].to_bits() & 0xffff_0000),
            );
        }
    }
    let mut expected = Vec::new();
    for values in values.chunks_exact(64) {
        // Row `r` (and `r + 8`) of A and column `r` of B are the words of the lanes `4 r` to `4 r +
        // 3`.
        let rows: Vec<&[f32]> = values.chunks_exact(8).collect();
        for lane in 0..32 {
            let (row, column) = (lane / 4, lane % 4 * 2);
            for register in 0..4 {
                let other = rows[column + register % 2];
                let terms = rows[row].iter().zip(other);
                let sum: f32 = terms.map(|(x, y)| x * y).sum();
                expected.push((sum + register as f32 + 1.0).to_bits());
            }
        }
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 128)
}

pub(super) fn constants() -> Setup {
    let input = words(64);
    let value = |&x: &u32| {
        let terms = [7u32, 5, 3, 2];
        terms
            .iter()
            .fold(0u32, |sum, &c| sum.wrapping_mul(x).wrapping_add(c))
    };
    Arguments::new()
        .input(&input)
        .output("out", input.iter().map(value).collect())
        .launch(1, 64)
}
