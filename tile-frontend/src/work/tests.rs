//! How often loops run, and what a block does in them.

#![expect(
    clippy::float_cmp,
    reason = "sums of small whole numbers, which are exact"
)]

use super::{Part, count, nominal};
use crate::build::Variant;
use crate::device_tests::canonical;
use crate::testing::front;
use tile_core::ir::Module;
use tile_core::reach::{Inputs, Reach, reach};
use tile_core::tuning::model::Work;

/// A launch of some blocks with tensors of some rows, and other numbers.
struct Launch {
    blocks: u32,
    rows: u64,
    scalar: u64,
}

impl Inputs for Launch {
    fn blocks(&self, _: usize) -> u32 {
        self.blocks
    }

    fn scalar(&self, _: usize) -> Option<u64> {
        Some(self.scalar)
    }

    fn extent(&self, _: usize, _: usize) -> Option<u64> {
        Some(self.rows)
    }
}

/// Returns the parts of a kernel, with the loops around them. They are those of any strides, as a tuner counts them, and as many
/// as where the strides of last axes are known to be 1.
fn parts(body: &str) -> Vec<Part> {
    let source = format!(
        "fn kernel(starts: &Tensor<i32, 1>, x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, n: i32) {{ {body} }}"
    );
    let expansion = front("", &source).unwrap_or_else(|errors| panic!("{errors:?}"));
    let of_variant = |(_, module): &(Variant, Module)| {
        count(canonical(module).module(), &expansion.signature.params)
    };
    let variants: Vec<_> = expansion.artifacts[0].iter().map(of_variant).collect();
    assert_eq!(variants.len(), 2, "two variants");
    for (one, other) in variants[0].iter().zip(&variants[1]) {
        assert_eq!(one.work.loaded, other.work.loaded);
        assert_eq!(one.work.scattered, other.work.scattered);
    }
    variants.into_iter().next_back().expect("two")
}

/// Returns how often the loops of a kernel run in a launch of two blocks with 100 rows, the outer ones first.
fn trips(body: &str) -> Vec<Vec<Reach>> {
    let launch = Launch {
        blocks: 2,
        rows: 100,
        scalar: 7,
    };
    let of_part = |part: &Part| {
        let programs = part.trips.iter();
        programs.map(|program| reach(program, &launch)).collect()
    };
    let mut all: Vec<Vec<Reach>> = parts(body).iter().map(of_part).collect();
    all.sort_by_key(Vec::len);
    all
}

#[track_caller]
fn runs(range: &str, least: i128, most: i128) {
    let body = format!("let b = block_id(0); for i in {range} {{ y.atomic_add([i], 1.0); }}");
    let trips = trips(&body);
    let of_loop = trips.iter().find(|of| of.len() == 1).expect("a loop");
    assert_eq!(of_loop[..], [Reach::Between(least, most)], "{range}");
}

#[test]
fn the_rows_of_a_block_are_those_that_are_left() {
    runs("b * 64..(b * 64 + 64).min(y.dim(0))", 36, 64);
    runs("b * 64..y.dim(0).min((b + 1) * 64)", 36, 64);
    runs("b..b + 3", 3, 3);
    runs("(b * 9 - 3).max(0)..b * 9 + 1", 1, 4);
    runs("n - b..n + b", 0, 2);
}

#[test]
fn bounds_that_a_launch_knows_are_computed() {
    runs("0..n", 7, 7);
    runs("0..=b", 1, 2);
    runs("b..n", 6, 7);
    runs("(0..y.dim(0)).step_by(16)", 7, 7);
    runs("0..y.partition([16]).num_tiles(0)", 7, 7);
    runs("n..0", 0, 0);
    runs("(n..0).step_by(2)", 0, 0);
}

#[test]
fn unknown_distances_are_shorter_in_longer_steps() {
    runs("starts.at([b])..starts.at([b + 1])", 1, 64);
    runs("(starts.at([b])..starts.at([b + 1])).step_by(8)", 1, 8);
    runs("(starts.at([b])..starts.at([b + 1])).step_by(64)", 1, 1);
}

/// Products of constants that 128 bits do not hold.
#[test]
fn huge_factors_do_not_overflow() {
    let huge = "0x4000_0000_0000_0001";
    let sum = ["a"; 9].join(" + ");
    let body = format!(
        "let a = ((n as i64) * {huge} + block_id(0) as i64) * {huge};
         for i in 0..{sum} {{ y.atomic_add([n], 1.0); }}"
    );
    assert!(!parts(&body).is_empty());
}

/// Returns what a kernel does outside of loops.
fn work(body: &str) -> Work {
    let parts = parts(body);
    let outside = parts.iter().find(|part| part.trips.is_empty());
    outside.expect("something").work
}

/// A tile at any place is loaded and stored as a whole, whatever it takes to find its addresses and its mask.
#[test]
fn accesses_to_neighbours_count_bytes() {
    let copy = work(
        "unsafe { y.scatter([n + iota(64)], x.load_at([n, n], [1, 64]).reshape([64]) * 2.0) };",
    );
    assert_eq!((copy.loaded, copy.stored), (256.0, 256.0));
    assert_eq!(copy.scattered, 0.0);
    // And a number of the indices.
    assert!((64.0..=66.0).contains(&copy.elements), "{copy:?}");
}

#[test]
fn a_tile_of_four_axes_has_neighbours() {
    let kernel = "fn kernel(x: &Tensor<f32, 4>, y: &mut Tensor<f32, 2>, n: i32) {
        let tile = x.load_at([block_id(1), n * 2 + 1, n - 1, n * 32], [1, 4, 16, 32]);
        y.store([block_id(0), block_id(1)], tile.reshape([64, 32]));
    }";
    let expansion = front("", kernel).unwrap_or_else(|errors| panic!("{errors:?}"));
    for (_, module) in &expansion.artifacts[0] {
        let parts = count(canonical(module).module(), &expansion.signature.params);
        assert_eq!(
            (parts[0].work.loaded, parts[0].work.scattered),
            (8192.0, 0.0)
        );
    }
}

#[test]
fn accesses_to_other_places_count_elements() {
    let gather = work("y.store([0], x.gather([starts.load([0], [64]), iota(64)]));");
    assert_eq!((gather.loaded, gather.stored), (256.0, 256.0));
    assert_eq!((gather.scattered, gather.elements), (64.0, 0.0));
    let apart = work("y.store([0], starts.gather([iota(64) * 2]).cast::<f32>());");
    assert_eq!((apart.scattered, apart.loaded), (64.0, 0.0));
}

/// Numbers that are also stored are computed for that.
#[test]
fn indices_that_are_data_count() {
    let index = work("y.store([0], (iota(64) * n).cast::<f32>());");
    assert_eq!(index.elements, 128.0);
}

/// 99 rows of a sparse matrix with 700 numbers have 7 in the mean, and up to twice as many.
#[test]
fn parts_of_a_tensor_have_the_mean_length() {
    struct Sparse;

    impl Inputs for Sparse {
        fn blocks(&self, _: usize) -> u32 {
            10
        }

        fn scalar(&self, _: usize) -> Option<u64> {
            None
        }

        fn extent(&self, param: usize, _: usize) -> Option<u64> {
            Some(if param == 0 { 100 } else { 700 })
        }
    }

    let iterations = |range: &str, index: &str| {
        let kernel = format!(
            "fn kernel(starts: &Tensor<i32, 1>, values: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {{
                let row = block_id(0);
                let (start, end) = (starts.at([row]), starts.at([row + 1]));
                let mut sum = zeros([4]);
                for i in {range} {{ sum += values.load_at([{index}], [4]); }}
                y.store([row], full([1], sum.sum(0)));
            }}"
        );
        let expansion = front("", &kernel).unwrap_or_else(|errors| panic!("{errors:?}"));
        let module = canonical(&expansion.artifacts[0][1].1);
        let parts = count(module.module(), &expansion.signature.params);
        let of_loop = parts.iter().find(|part| part.trips.len() == 1);
        reach(&of_loop.expect("a loop").trips[0], &Sparse)
    };
    assert_eq!(iterations("start..end", "i"), Reach::Between(1, 14));
    let by_four = iterations("(start..end).step_by(4)", "i");
    assert_eq!(by_four, Reach::Between(1, 4));
    let backwards = iterations("start..end", "end - i");
    assert_eq!(backwards, Reach::Between(1, 14));
    // The same elements in each iteration: nothing is known.
    let unknown = iterations("start..end", "row");
    assert_eq!(unknown, Reach::Between(1, 64));
}

/// Each number is the sum of the one before with itself: there are more ways to the first than could be taken.
#[test]
fn long_sums_take_no_time() {
    for operation in ["a + a", "a * a + 1", "a.min(a + 1)", "a - (a - 1)"] {
        let steps = format!("let a = {operation};").repeat(100);
        let body = format!("let a = n; {steps} for i in 0..a {{ y.atomic_add([i], 1.0); }}");
        let start = std::time::Instant::now();
        assert!(!parts(&body).is_empty());
        let tile = format!("let a = iota(8) * n; {steps} y.store([0], x.gather([a, a]));");
        assert!(!parts(&tile).is_empty());
        assert!(start.elapsed().as_secs() < 20, "{operation}");
    }
}

/// Before a launch is known, a block with 64 rows has 64 times as much work as one with a row.
#[test]
fn rows_of_nominal_blocks_are_whole() {
    let of_rows = |rows: u32| {
        let body = format!(
            "let b = block_id(0) * {rows};
             for i in b..(b + {rows}).min(y.dim(0)) {{ y.atomic_add([i], 1.0); }}"
        );
        nominal(&parts(&body)).scattered
    };
    assert_eq!(of_rows(64), 64.0 * of_rows(1));
}
