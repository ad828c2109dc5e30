//! Tests that the kernels of `benches/speed.rs` are fast enough, with all checks on two threads.
//!
//! The bounds are far below the figures of `docs/bench/sim.md`, so that only a change of complexity
//! is detected, such as work per lane that grows with the number of warps.

#![expect(clippy::cast_precision_loss, reason = "rates")]

#[path = "triton/corpus.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod corpus;
#[path = "../benches/kernels/mod.rs"]
mod kernels;
#[path = "../src/random.rs"]
#[expect(dead_code, reason = "the crate and its tests use the rest")]
mod random;

use tile_sim::Options;

#[test]
#[ignore = "times, which only release builds are held to"]
fn kernels_are_fast_enough() {
    let options = Options {
        threads: 2,
        ..Options::default()
    };
    for case in kernels::all() {
        let runs = (0..3).map(|_| case.run(&options));
        let (instructions, seconds) = runs
            .map(|(counters, seconds)| (counters.total_thread_instructions(), seconds))
            .min_by(|(_, one), (_, other)| one.total_cmp(other))
            .expect("three runs");
        let most = match case.name {
            // 256 x 512 x 512 in bf16, with tiles of 128 x 256 x 64.
            "matmul, wgmma" => 10.0,
            _ => instructions as f64 / 5e6,
        };
        assert!(seconds < most, "{}: {seconds} s of {most} s", case.name);
    }
}
