//! Benchmarks, most of which compare with other libraries.

mod ablation;
mod compile;
mod control_flow;
pub(crate) mod corpus;
mod cpu;
mod large;
mod machine;
mod memory_bound;
mod sass;
pub(crate) mod slow;
mod worker;

use anyhow::Result;
use clap::Subcommand;

/// The benchmark to run.
#[derive(Subcommand)]
pub(crate) enum Benchmark {
    /// Compile times of the corpus against those of `tileiras`; writes `docs/bench/compile.md`
    Compile(compile::Options),
    /// The CPU device against `PyTorch`, `NumPy` and Rust; writes `docs/bench/cpu.md`, or `cpu-avx2.md` without AVX-512
    Cpu(cpu::Options),
    /// Ablation: machine code of a kernel, one technique added at a time; writes `docs/bench/ablation.md`
    Ablation(ablation::Options),
    /// Machine code of the corpus against that of `tileiras`; writes `docs/bench/sass.md`
    Sass(sass::Options),
    /// Bytes in flight of memory-bound kernels; writes `docs/bench/memory-bound.md`
    MemoryBound(memory_bound::Options),
}

pub(crate) fn run(benchmark: &Benchmark) -> Result<()> {
    match benchmark {
        Benchmark::Compile(options) => compile::run(options),
        Benchmark::Cpu(options) => cpu::run(options),
        Benchmark::Ablation(options) => ablation::run(options),
        Benchmark::Sass(options) => sass::run(options),
        Benchmark::MemoryBound(options) => memory_bound::run(options),
    }
}
