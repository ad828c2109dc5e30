//! Kernels whose blocks synchronize through global memory.

use super::{Arguments, words};
use crate::run::Setup;

fn sum(words: impl IntoIterator<Item = u32>) -> u32 {
    words.into_iter().fold(0, u32::wrapping_add)
}

pub(super) fn split_k() -> Setup {
    let input = words(512);
    let total = |index: usize| sum((0..8).map(|part| input[part * 64 + index]));
    Arguments::new()
        .input(&input)
        .scratch(4 * 64)
        .scratch(1)
        .output("out", (0..64).map(total).collect())
        .launch(4, 64)
}

pub(super) fn split_k_fence() -> Setup {
    let input = words(128);
    let square = |index: usize| input[index].wrapping_mul(input[index]);
    Arguments::new()
        .input(&input)
        .scratch(2 * 64)
        .scratch(1)
        .output(
            "out",
            (0..64)
                .map(|index| sum([square(index), square(index + 64)]))
                .collect(),
        )
        .launch(2, 64)
}

pub(super) fn histogram() -> Setup {
    let input = words(1024);
    let mut bins = vec![0; 64];
    for word in &input {
        bins[(word & 63) as usize] += 1;
    }
    Arguments::new()
        .input(&input)
        .output("out", bins)
        .launch(2, 128)
}

pub(super) fn ticket() -> Setup {
    let input = words(8 * 64);
    let added = input.iter().enumerate();
    let expected = added
        .map(|(index, word)| word + (index / 64) as u32)
        .collect();
    Arguments::new()
        .output("count", vec![8 + 3])
        .input(&input)
        .output("out", expected)
        .launch(3, 64)
}

pub(super) fn spin_lock() -> Setup {
    Arguments::new()
        .output("lock", vec![0])
        .changed("words", &[10, 20], vec![10 + 6, 20 + 14])
        .launch(4, 1)
}

pub(super) fn look_back() -> Setup {
    let input = words(256);
    let mut running = 0u32;
    let sums = input.iter().map(|&word| {
        running = running.wrapping_add(word);
        running
    });
    Arguments::new()
        .input(&input)
        .output("out", sums.collect())
        .scratch(4)
        .scratch(4)
        .scratch(4)
        .launch(4, 64)
}

/// Creates a launch whose warps append in an order that depends on the seed; equal words hide the
/// order.
pub(super) fn compact() -> Setup {
    let input: Vec<u32> = words(256)
        .iter()
        .map(|word| if word & 4 == 0 { 9 } else { 6 })
        .collect();
    let kept = input.iter().filter(|&&word| word == 9).count();
    let mut expected = vec![9; kept];
    expected.resize(256, 0);
    Arguments::new()
        .input(&input)
        .output("count", vec![kept as u32])
        .output("out", expected)
        .launch(4, 64)
}
