//! Kernels that cancel blocks, allocate on stacks, and change replicas.

use tile_sim::Arg;

use super::{Arguments, words};
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
        for at in 0..count {
            expected[at] = input[row * 16 + count - 1 - at];
        }
    }
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 40)
}

/// Three replicas.
pub(super) fn replicas() -> Setup {
    let input = words(64);
    let sum = |at: usize| input[at].wrapping_add(input[at + 32]);
    let sums = (0..64).map(|at| sum(at % 32).wrapping_mul(3)).collect();
    let mut arguments = Arguments::new().input(&input).output("out", sums);
    let bases = [0; 3].map(|_| arguments.memory.alloc(128, 16));
    let all = arguments.memory.multicast(&bases, 128).expect("allocated");
    arguments.args.push(Arg::from(all));
    for address in bases {
        arguments.results.push(Expected {
            name: "replica",
            address,
            words: (0..32).map(sum).collect(),
        });
    }
    arguments.launch(1, 64)
}
