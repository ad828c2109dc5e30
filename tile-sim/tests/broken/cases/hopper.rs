//! Kernels with asynchronous copies, `mbarrier`s, `wgmma` and clusters.

use tile_sim::{Arg, Launch, Swizzle, TensorMap, TensorMapOptions, TensorType};

use super::{Arguments, product, singles, small, words};
use crate::run::Setup;

pub(super) fn mbarriers() -> Setup {
    let input = words(6 * 32);
    let sum = |lane: usize| {
        let rounds = input.chunks_exact(32);
        rounds.fold(0u32, |sum, row| {
            sum.wrapping_mul(3).wrapping_add(row[31 - lane])
        })
    };
    Arguments::new()
        .input(&input)
        .output("out", (0..64).map(|index| sum(index % 32)).collect())
        .launch(1, 96)
}

pub(super) fn async_arrivals() -> Setup {
    let input = words(3 * 64);
    let sum = |index: usize| {
        (0..3).fold(0u32, |sum, row| {
            sum.wrapping_add(input[row * 64 + 63 - index])
        })
    };
    Arguments::new()
        .input(&input)
        .output("out", (0..64).map(sum).collect())
        .launch(1, 64)
}

pub(super) fn bulk_loads() -> Setup {
    let input = words(3 * 256);
    let sum = |thread: usize| {
        let elements = input
            .chunks_exact(256)
            .flat_map(|row| &row[thread * 4..][..4]);
        elements
            .zip([1u32, 3, 5, 7].iter().cycle())
            .fold(0u32, |sum, (word, factor)| {
                sum.wrapping_add(word.wrapping_mul(*factor))
            })
    };
    Arguments::new()
        .input(&input)
        .output("out", (0..64).map(sum).collect())
        .launch(1, 64)
}

pub(super) fn bulk_stores() -> Setup {
    let input = words(3 * 64);
    let added = input.iter().enumerate();
    let expected = added
        .map(|(index, word)| word + (index / 64) as u32)
        .collect();
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(1, 64)
}

/// Packs two `bf16` per word; small integers are the upper halves of their f32.
pub(super) fn pairs(values: &[f32]) -> Vec<u32> {
    let pairs = values.chunks_exact(2);
    pairs
        .map(|pair| pair[0].to_bits() >> 16 | pair[1].to_bits() & 0xffff_0000)
        .collect()
}

/// Creates a map of rows of 128 `bf16`, in boxes of 64 or 16 rows of `span` bytes.
fn map(rows: u32, span: u32, swizzle: Swizzle) -> TensorMap {
    let options = TensorMapOptions {
        swizzle,
        ..TensorMapOptions::default()
    };
    TensorMap::tiled(
        TensorType::BFloat16,
        0,
        &[128, u64::from(rows)],
        &[256],
        &[span / 2, rows],
        &[1, 1],
        options,
    )
    .expect("a map")
}

fn tensor_product(span: u32, swizzle: Swizzle, mode: u64) -> Setup {
    let a: Vec<f32> = (0..64 * 128).map(small).collect();
    let b: Vec<f32> = (0..16 * 128).map(|index| small(index + 9000)).collect();
    let mut arguments = Arguments::new();
    arguments = arguments.tensor(map(64, span, swizzle), &pairs(&a));
    arguments = arguments.tensor(map(16, span, swizzle), &pairs(&b));
    arguments
        .args
        .extend([Arg::from(span), Arg::from(mode << 62)]);
    arguments
        .output("c", singles(&product(&a, &b, 128)))
        .launch(1, 128)
}

pub(super) fn tensor_product_128() -> Setup {
    tensor_product(128, Swizzle::Bytes128, 1)
}

pub(super) fn tensor_product_64() -> Setup {
    tensor_product(64, Swizzle::Bytes64, 2)
}

pub(super) fn tensor_product_32() -> Setup {
    tensor_product(32, Swizzle::Bytes32, 3)
}

pub(super) fn tensor_product_none() -> Setup {
    tensor_product(16, Swizzle::None, 0)
}

/// Creates a launch with the layout of PTX ISA, "Register Fragments for
/// `wgmma.mma_async.m64nNk16`".
pub(super) fn product_chain() -> Setup {
    let a: Vec<f32> = (0..64 * 16).map(small).collect();
    let b: Vec<f32> = (0..8 * 16).map(|index| small(index + 700)).collect();
    let products = product(&a, &b, 16);
    let place = |thread: usize| {
        let (warp, lane) = (thread / 32, thread % 32);
        (warp * 16 + lane / 4, lane % 4 * 2)
    };
    let mut registers = Vec::new();
    let mut sums = Vec::new();
    for thread in 0..128 {
        let (row, column) = place(thread);
        for (down, right) in [(0, 0), (8, 0), (0, 8), (8, 8)] {
            let offset = (row + down) * 16 + column + right;
            registers.extend_from_slice(&a[offset..offset + 2]);
        }
        for down in [0, 8] {
            let offset = (row + down) * 8 + column;
            sums.extend_from_slice(&products[offset..offset + 2]);
        }
    }
    // Core matrices: eight columns of the first half of K, then of the second.
    let mut matrices = Vec::new();
    for half in 0..2 {
        for column in b.chunks_exact(16) {
            matrices.extend_from_slice(&column[half * 8..][..8]);
        }
    }
    let twice: Vec<f32> = sums.iter().map(|sum| sum * 2.0).collect();
    Arguments::new()
        .input(&pairs(&registers))
        .input(&pairs(&matrices))
        .output("out", singles(&[sums, twice].concat()))
        .launch(1, 128)
}

pub(super) fn multicast() -> Setup {
    let input = words(128);
    let outputs = (0..2).flat_map(|rank| input.iter().map(move |word| word + rank));
    Arguments::new()
        .input(&input)
        .output("out", outputs.collect())
        .launch(2, 64)
}

pub(super) fn cluster_pipeline() -> Setup {
    let input = words(3 * 128);
    let rows = input.chunks(128);
    let outputs =
        rows.flat_map(|row| (0..2).flat_map(move |rank| row.iter().map(move |word| word + rank)));
    Arguments::new()
        .input(&input)
        .output("out", outputs.collect())
        .launch(2, 64)
}

pub(super) fn cluster_exchange() -> Setup {
    let input = words(128);
    let mut expected = vec![
        input
            .iter()
            .fold(0, |sum: u32, &word| sum.wrapping_add(word)),
    ];
    expected.extend((0..128).map(|index: usize| input[index].wrapping_sub(input[index ^ 64])));
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(2, 64)
}

pub(super) fn cluster_push() -> Setup {
    let input = words(128);
    let expected = (0..128).map(|index: usize| input[index ^ 64]).collect();
    Arguments::new()
        .input(&input)
        .output("out", expected)
        .launch(2, 64)
}

pub(super) fn tensor_stores() -> Setup {
    let input = words(32 * 32);
    let map = TensorMap::tiled(
        TensorType::UInt32,
        0,
        &[32, 32],
        &[128],
        &[16, 8],
        &[1, 1],
        TensorMapOptions::default(),
    );
    let expected = input.iter().map(|word| word.wrapping_mul(3)).collect();
    Arguments::new()
        .tensor_output("matrix", map.expect("a map"), expected)
        .input(&input)
        .launch(2, 128)
}

pub(super) fn specialized() -> Setup {
    let input = words(5 * 128);
    let sum = |index: usize| {
        let rows = input.chunks_exact(128);
        rows.fold(0u32, |sum, row| {
            sum.wrapping_mul(5).wrapping_add(row[index])
        })
    };
    Arguments::new()
        .input(&input)
        .output("out", (0..128).map(sum).collect())
        .launch_as(Launch::new("k").threads(256))
}
