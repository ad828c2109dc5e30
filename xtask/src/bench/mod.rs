//! Benchmarks that compare with other libraries.

mod cpu;
mod machine;
mod worker;

use anyhow::Result;
use clap::Subcommand;

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Benchmark {
    /// The CPU device against `NumPy`; writes `docs/bench/cpu.md`
    Cpu(cpu::Options),
}

pub(crate) fn run(benchmark: &Benchmark) -> Result<()> {
    match benchmark {
        Benchmark::Cpu(options) => cpu::run(options),
    }
}
