//! Checks every layout query against an enumeration of places.

mod access;
mod address;
mod blocked;
mod boxes;
mod convert;
mod exchange_rounds;
mod ldmatrix;
mod linear;
mod mma;
mod packed;
mod reduce;
mod scan;
mod shared;
mod skewed;
mod slice;
mod swizzle;
mod transposition;
mod warpgroup;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

use super::*;

/// Runs `test` on a fixed sequence of inputs.
fn check<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value) -> TestCaseResult) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng).run(strategy, test);
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

fn shape(sizes: &[u64]) -> OutShape {
    OutShape::new(sizes).expect("test sizes are powers of two")
}

const ROWS_FIRST: [Axis; 2] = [Axis(0), Axis(1)];
const COLUMNS_FIRST: [Axis; 2] = [Axis(1), Axis(0)];

fn any_shape() -> impl Strategy<Value = OutShape> {
    prop::collection::vec(0u32..=3, 1..=3).prop_map(OutShape::from_log2)
}

/// Generates layouts with arbitrary bases, which are often linearly dependent.
fn any_layout() -> impl Strategy<Value = LinearLayout> {
    any_shape().prop_flat_map(layout_of)
}

fn layout_of(shape: OutShape) -> impl Strategy<Value = LinearLayout> {
    let basis = 0..shape.num_elements();
    let list = || prop::collection::vec(basis.clone(), 0..=3);
    (list(), list(), list()).prop_map(move |(registers, lanes, warps)| {
        LinearLayout::new(
            shape.clone(),
            [
                (InDim::Register, registers),
                (InDim::Lane, lanes),
                (InDim::Warp, warps),
            ],
        )
    })
}

/// Generates layouts that cover the whole tile and may replicate elements. Each bit of the tile becomes a
/// basis vector of a random dimension; if `mixed`, higher bits of the tile may be added to it.
fn covering_layout_of(shape: OutShape, mixed: bool) -> impl Strategy<Value = LinearLayout> {
    let bits = shape.total_bits() as usize;
    let homes = prop::collection::vec(0usize..3, bits);
    let mixes = prop::collection::vec(0..shape.num_elements(), bits);
    let extra = prop::collection::vec((0usize..3, 0..shape.num_elements()), 0..=2);
    let order = Just((0..bits).collect::<Vec<_>>()).prop_shuffle();
    (homes, mixes, extra, order).prop_map(move |(homes, mixes, extra, order)| {
        let dims = [InDim::Register, InDim::Lane, InDim::Warp];
        let mut bases: Vec<(InDim, [u64; 1])> = order
            .iter()
            .map(|&bit| {
                let above = if mixed {
                    mixes[bit] & !((2u64 << bit) - 1)
                } else {
                    0
                };
                (dims[homes[bit]], [1 << bit | above])
            })
            .collect();
        for (home, basis) in extra {
            let basis = if mixed {
                basis
            } else {
                basis & basis.wrapping_neg()
            };
            bases.push((dims[home], [basis]));
        }
        LinearLayout::new(shape.clone(), bases)
    })
}

fn covering_layout() -> impl Strategy<Value = LinearLayout> {
    (any_shape(), any::<bool>()).prop_flat_map(|(shape, mixed)| covering_layout_of(shape, mixed))
}

/// Iterates over every place of a layout.
fn places(layout: &LinearLayout) -> impl Iterator<Item = Location> + use<> {
    let bits = layout.in_bits();
    (0..1u64 << bits.total()).map(move |flat| bits.unflatten(flat))
}

/// Iterates over every thread (register 0) of a layout.
fn threads(layout: &LinearLayout) -> impl Iterator<Item = Location> + use<> {
    places(layout).filter(|place| place.register == 0)
}

/// Returns layouts that kernels use for one tile: blocked layouts and MMA fragments.
fn named_layouts(rows: u64, columns: u64, warps: u32) -> Vec<LinearLayout> {
    let tile = shape(&[rows, columns]);
    let mut layouts = Vec::new();
    for order in [COLUMNS_FIRST, ROWS_FIRST] {
        for element_bits in [8, 16, 32] {
            layouts.push(coalesced(&tile, element_bits, 16, warps, &order));
        }
    }
    for split in [
        MmaWarps {
            batch: 1,
            m: warps,
            n: 1,
        },
        MmaWarps {
            batch: 1,
            m: 1,
            n: warps,
        },
    ] {
        layouts.extend(mma_accumulator(&tile, split));
        for element_bits in [8, 16, 32] {
            layouts.extend(mma_operand_a(&tile, split, element_bits));
            layouts.extend(mma_operand_b(&tile, split, element_bits));
        }
    }
    layouts
}
