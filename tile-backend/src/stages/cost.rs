//! Measures the cost of a compilation by architecture.
//!
//! In: the times of stages, as they run. Out: a [`Cost`] for each architecture. A large cost yields a remark
//! ([`crate::remarks`]).

use super::work::Compiled;
use crate::cache::Blobs;
use crate::gpu::Kernel;
use crate::ptx::Ptx;
use crate::schedule::retry::{Attempt, Verdict};
use crate::target::Arch;
use crate::timing::Times;
use nanoserde::{DeJson, SerJson};

/// The cost of compiling a module for one architecture.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    /// The target.
    pub(crate) arch: Arch,
    /// Times of the stages of all attempts, and of the stages that all architectures share.
    pub(crate) times: Times,
    /// LLVM instructions of the largest attempt, before LLVM optimizes them.
    pub(crate) emitted: u64,
    /// PTX instructions of that attempt.
    pub(crate) assembled: u64,
    /// The warps of a block of each attempt, in order.
    pub(crate) warps: Vec<u32>,
}

/// Times of all stages, in the order in which they ran, and the cost of each architecture.
#[derive(Debug)]
pub(super) struct Spent<'a> {
    pub(super) times: &'a mut Times,
    pub(super) costs: Vec<Cost>,
    /// The numbers of warps that ptxas has compiled, in order.
    pub(super) attempts: Vec<Attempt>,
}

impl<'a> Spent<'a> {
    /// Starts with `times`, which every architecture shares.
    pub(super) fn new(times: &'a mut Times, archs: &[Arch]) -> Self {
        let cost = |&arch: &Arch| Cost {
            arch,
            times: times.clone(),
            emitted: 0,
            assembled: 0,
            warps: Vec::new(),
        };
        let costs = archs.iter().map(cost).collect();
        Self {
            times,
            costs,
            attempts: Vec::new(),
        }
    }

    /// Runs and measures a stage of one architecture.
    pub(super) fn measure<T>(&mut self, arch: Arch, name: &str, stage: impl FnOnce() -> T) -> T {
        let mut stage_times = Times::new();
        let product = stage_times.measure(name, stage);
        self.times.add_all(&stage_times);
        if let Some(cost) = self.for_arch(arch) {
            cost.times.add_all(&stage_times);
        }
        product
    }

    /// Records an attempt with blocks of `warps` warps.
    pub(super) fn attempt(&mut self, arch: Arch, warps: u32) {
        if let Some(cost) = self.for_arch(arch) {
            cost.warps.push(warps);
        }
    }

    /// Records that ptxas has compiled a kernel, each of whose threads spills this number of bytes.
    pub(super) fn retried(
        &mut self,
        arch: Arch,
        kernel: &Kernel,
        spilled_bytes: u32,
        verdict: Verdict,
    ) {
        self.attempts.push(Attempt {
            arch,
            kernel: kernel.name.clone(),
            warps: kernel.warps_of_block(),
            spilled_bytes,
            verdict,
        });
    }

    /// Adds the costs that the worker reports for each architecture.
    pub(super) fn heard(&mut self, blobs: &Blobs) {
        for cost in &mut self.costs {
            let Some(Compiled { times, counts, .. }) = Compiled::from_blobs(blobs, cost.arch)
            else {
                continue;
            };
            cost.times.add_all(&times);
            if counts.assembled > cost.assembled {
                (cost.emitted, cost.assembled) = (counts.emitted, counts.assembled);
            }
        }
    }

    fn for_arch(&mut self, arch: Arch) -> Option<&mut Cost> {
        self.costs.iter_mut().find(|cost| cost.arch == arch)
    }
}

/// Numbers of instructions, as the worker reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, SerJson, DeJson)]
#[expect(unreachable_pub, reason = "the derive macros know no other visibility")]
pub struct Counts {
    /// LLVM instructions, before LLVM optimizes them.
    pub(super) emitted: u64,
    /// PTX instructions.
    pub(super) assembled: u64,
}

impl Counts {
    /// Counts the instructions of `ptx`.
    pub(super) fn new(emitted: u64, ptx: &Ptx) -> Self {
        // Directives start with a dot, and a line ends in a semicolon.
        let is_instruction = |line: &&str| {
            let line = line.trim();
            line.ends_with(';') && !line.starts_with('.') && !line.starts_with("//")
        };
        let assembled = ptx.text().lines().filter(is_instruction).count();
        Self {
            emitted,
            assembled: assembled as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::work::Compiled;
    use super::{Counts, Spent};
    use crate::cache::Blobs;
    use crate::target::Arch;
    use crate::testing::ptx;
    use crate::timing::{Time, Times};
    use std::time::Duration;

    fn cpu(millis: u64) -> Time {
        Time {
            wall: Duration::from_secs(9),
            cpu: Duration::from_millis(millis),
        }
    }

    #[test]
    fn an_architecture_has_its_own_stages_and_those_that_all_share() {
        let mut times = Times::new();
        times.add("verify", cpu(3));
        let mut spent = Spent::new(&mut times, &[Arch::SM_80, Arch::SM_90A]);
        let mut blobs = Blobs::new();
        for (arch, millis) in [(Arch::SM_80, 10), (Arch::SM_90A, 20)] {
            let mut compiled = Compiled::default();
            compiled.times.add("ptxas", cpu(millis));
            if arch == Arch::SM_80 {
                (compiled.counts.emitted, compiled.counts.assembled) = (7, 9);
            }
            compiled.insert_into(&mut blobs, arch);
        }
        spent.heard(&blobs);
        spent.heard(&blobs);
        let of: Vec<u128> = (spent.costs.iter())
            .map(|cost| cost.times.cpu().as_millis())
            .collect();
        assert_eq!(of, [23, 43]);
        assert_eq!((spent.costs[0].emitted, spent.costs[0].assembled), (7, 9));
    }

    #[test]
    fn instructions_are_counted_and_directives_are_not() {
        let counts = |body: &str| Counts::new(0, &ptx(Arch::SM_80, body)).assembled;
        let without = counts("");
        assert_eq!(
            counts("bar.sync 0;\n.reg .b32 %q;\n// no;\nbar.sync 1;"),
            without + 2
        );
    }
}
