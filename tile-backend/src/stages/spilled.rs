//! If ptxas spills registers, tries other numbers of warps and keeps the one that spills least.
//!
//! Nothing is tried if the author or a hint sets the number of warps, or without optimization. A kernel that
//! does not spill takes no additional time.

use super::work::{Answer, Compiled};
use super::{Bundle, Compiler, Lowered, Output, Request, Spent, Work, cubin_of, lower_with, texts};
use crate::cache::Blobs;
use crate::gpu::Kernel;
use crate::level::{Level, OptLevel};
use crate::manifest::{Launch, Spilled};
use crate::ptx::resources::{Report, Resources};
use crate::remarks::Remarks;
use crate::schedule::retry::alternatives;
use crate::target::Arch;
use std::collections::BTreeMap;
use tile_core::{Diagnostics, Reported};

/// The numbers of warps that were chosen, by architecture and entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices(BTreeMap<(Arch, String), u32>);

impl Choices {
    /// Returns the choices that were made for compiled launches.
    pub(super) fn from_launches(launches: &[Launch]) -> Self {
        // The number of consumer warps is a power of two, and exceeds the number of producer warps.
        let warps = |launch: &Launch| 1 << (launch.threads / 32).max(1).ilog2();
        let chosen = launches
            .iter()
            .map(|launch| ((launch.arch, launch.entry.clone()), warps(launch)));
        Self(chosen.collect())
    }

    /// Returns the number of warps that was chosen for an entry, if any.
    pub(super) fn warps(&self, arch: Arch, entry: &str) -> Option<u32> {
        self.0.get(&(arch, entry.to_owned())).copied()
    }
}

/// Returns the bytes that each thread of a kernel spills.
fn spilled_bytes(kernel: &Kernel, report: &Report) -> u32 {
    let used = report.resources.get(&kernel.name);
    used.map_or(0, Resources::spilled_bytes)
}

/// Returns `true` if a kernel spills and could be compiled with another number of warps.
pub(super) fn is_improvable(kernel: &Kernel, report: &Report, level: Level) -> bool {
    level.opt >= OptLevel::O2
        && kernel.requests.options.num_warps.is_none()
        && kernel.launch.blocks_per_tile == 1
        && spilled_bytes(kernel, report) > 0
}

/// Returns the number of warps of the largest block.
fn max_warps(kernels: &[Kernel]) -> u32 {
    let warps = kernels.iter().map(Kernel::warps_of_block);
    warps.max().unwrap_or(0)
}

/// The kernels of one architecture, with the output of the worker.
struct Attempt {
    kernels: Vec<Kernel>,
    blobs: Blobs,
    report: Report,
}

impl Attempt {
    fn new(arch: Arch, kernels: Vec<Kernel>, blobs: Blobs) -> Option<Self> {
        let report = Compiled::from_blobs(&blobs, arch)?.report;
        Some(Self {
            kernels,
            blobs,
            report,
        })
    }

    /// Returns the bytes that a lane of each warp spills, summed over the warps of a block and over all
    /// kernels.
    fn bytes(&self) -> u64 {
        let bytes = |kernel: &Kernel| {
            u64::from(spilled_bytes(kernel, &self.report)) * u64::from(kernel.launch.num_warps)
        };
        self.kernels.iter().map(bytes).sum()
    }
}

impl Compiler<'_> {
    /// Compiles the lowered kernels. Kernels that spill are also compiled with other numbers of warps; the
    /// best attempt is kept.
    pub(super) fn spill_least(
        &self,
        lowered: Lowered,
        texts: &texts::Versions,
        spent: &mut Spent<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Lowered, Blobs), Reported> {
        let nothing = Blobs::new();
        let dump = self.options.dump.as_deref();
        let work = Work {
            lowered: &lowered,
            ready: &nothing,
            replaced: &BTreeMap::new(),
            bundle: match self.options.output {
                Output::Cubins => Bundle::LeftOut,
                Output::Fatbin => Bundle::IfGood,
            },
            level: self.options.level,
            tools: &self.tools,
            texts,
            dump,
        };
        for (arch, kernels) in &lowered {
            spent.attempt(*arch, max_warps(kernels));
        }
        let blobs = self.run(&work, spent, diagnostics)?;
        if Answer::from_blobs(&blobs).is_some_and(|answer| answer.is_good) {
            return Ok((lowered, blobs));
        }
        let mut best = Vec::new();
        let mut ready = Blobs::new();
        let mut replaced = BTreeMap::new();
        for (arch, kernels) in lowered {
            let first = Attempt::new(arch, kernels, blobs.clone());
            let first = first.ok_or_else(|| {
                super::internal("the worker's answer is incomplete", self.loc, diagnostics)
            })?;
            let least = self.best(arch, &first, texts, spent);
            if let Some(least) = &least {
                for (kernel, other) in first.kernels.iter().zip(&least.kernels) {
                    if kernel.launch.num_warps != other.launch.num_warps {
                        let spilled = Spilled {
                            num_warps: kernel.launch.num_warps,
                            bytes: spilled_bytes(kernel, &first.report),
                        };
                        replaced.insert((arch, kernel.name.clone()), spilled);
                    }
                }
            }
            let taken = least.unwrap_or(first);
            let products = [
                format!("compiled {arch}"),
                format!("ptx {arch}"),
                cubin_of(arch),
            ];
            for name in products {
                if let Some(bytes) = taken.blobs.get(&name) {
                    ready.insert(name, bytes);
                }
            }
            best.push((arch, taken.kernels));
        }
        if let Some(dump) = dump {
            dump.clear();
            super::write(Some(dump), super::Stage::Gpu, || super::gpu_text(&best));
        }
        let work = Work {
            lowered: &best,
            // A dump needs the output of every stage, so everything is compiled again.
            ready: if dump.is_some() { &nothing } else { &ready },
            replaced: &replaced,
            bundle: match self.options.output {
                Output::Cubins => Bundle::LeftOut,
                Output::Fatbin => Bundle::Made,
            },
            level: self.options.level,
            tools: &self.tools,
            texts,
            dump,
        };
        let blobs = self.run(&work, spent, diagnostics)?;
        Ok((best, blobs))
    }

    /// Returns the attempt that spills least, if it spills less than the first.
    fn best(
        &self,
        arch: Arch,
        first: &Attempt,
        texts: &texts::Versions,
        spent: &mut Spent<'_>,
    ) -> Option<Attempt> {
        let mut best: Option<Attempt> = None;
        for attempt in 0.. {
            let least = best.as_ref().unwrap_or(first).bytes();
            let mut choices = Choices::default();
            let mut is_new = false;
            for kernel in &first.kernels {
                let candidates = alternatives(arch, kernel.warps_of_block());
                let other = candidates.get(attempt).copied();
                let spills = is_improvable(kernel, &first.report, self.options.level);
                is_new |= spills && other.is_some();
                let warps = other.filter(|_| spills).unwrap_or(kernel.warps_of_block());
                choices.0.insert((arch, kernel.name.clone()), warps);
            }
            if !is_new || least == 0 {
                break;
            }
            if let Some(attempt) = self.attempt((arch, &choices), texts, spent)
                && attempt.bytes() < least
            {
                best = Some(attempt);
            }
        }
        best
    }

    /// Compiles for one architecture; `None` if that fails.
    fn attempt(
        &self,
        (arch, choices): (Arch, &Choices),
        texts: &texts::Versions,
        spent: &mut Spent<'_>,
    ) -> Option<Attempt> {
        // Errors of speculative retries are not the user's, so they are discarded.
        let mut discarded = Diagnostics::new();
        let request = Request {
            arch,
            kernel_options: self.options.kernel_options,
            choices,
        };
        let lowered = spent.measure(arch, "layouts", || {
            lower_with(
                self.module,
                request,
                &mut Remarks::default(),
                &mut discarded,
            )
        });
        let blobs = lowered.and_then(|kernels| {
            spent.attempt(arch, max_warps(&kernels));
            let lowered = [(arch, kernels)];
            let work = Work {
                lowered: &lowered,
                ready: &Blobs::new(),
                replaced: &BTreeMap::new(),
                bundle: Bundle::LeftOut,
                level: self.options.level,
                tools: &self.tools,
                texts,
                dump: None,
            };
            let blobs = self.run(&work, spent, &mut discarded)?;
            let [(_, kernels)] = lowered;
            Ok((kernels, blobs))
        });
        drop(discarded.take());
        let (kernels, blobs) = blobs.ok()?;
        Attempt::new(arch, kernels, blobs)
    }
}
