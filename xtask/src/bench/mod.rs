//! Benchmarks that compare with other libraries.

mod compile;
pub(crate) mod corpus;
mod cpu;
mod flow;
mod ladder;
mod large;
mod machine;
mod sass;
mod slow;
mod streams;
mod worker;

use anyhow::Result;
use clap::Subcommand;

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Benchmark {
    /// Compile times of the corpus against those of `tileiras`; writes `docs/bench/compile.md`
    Compile(compile::Options),
    /// The CPU device against `NumPy`; writes `docs/bench/cpu.md`
    Cpu(cpu::Options),
    /// Machine code of a kernel, one technique after the other; writes `docs/bench/ladder.md`
    Ladder(ladder::Options),
    /// Machine code of the corpus against that of `tileiras`; writes `docs/bench/sass.md`
    Sass(sass::Options),
    /// Bytes that kernels without products have on their way; writes `docs/bench/streams.md`
    Streams(streams::Options),
}

pub(crate) fn run(benchmark: &Benchmark) -> Result<()> {
    match benchmark {
        Benchmark::Compile(options) => compile::run(options),
        Benchmark::Cpu(options) => cpu::run(options),
        Benchmark::Ladder(options) => ladder::run(options),
        Benchmark::Sass(options) => sass::run(options),
        Benchmark::Streams(options) => streams::run(options),
    }
}
