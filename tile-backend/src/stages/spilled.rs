//! If ptxas spills registers, compiles with the other numbers of warps that [`crate::schedule::retry`] asks
//! for, and keeps the attempt that it finds best.

use super::work::{Answer, Compiled};
use super::{Bundle, Compiler, Lowered, Output, Request, Spent, Work, cubin_of, lower_with, texts};
use crate::cache::Blobs;
use crate::gpu::Kernel;
use crate::manifest::{Launch, Spilled};
use crate::ptx::resources::{Report, Resources};
use crate::remarks::Remarks;
use crate::schedule::retry::{self, Verdict, WarpRetry};
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

/// Returns the bytes that each thread of a kernel spills, as far as ptxas reports it.
pub(super) fn spilled_bytes(kernel: &Kernel, report: Option<&Report>) -> u32 {
    let used = report.and_then(|report| report.resources.get(&kernel.name));
    used.map_or(0, Resources::spilled_bytes)
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
    report: Option<Report>,
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

    /// Returns each kernel with the bytes that each of its threads spills.
    fn spilled(&self) -> impl Iterator<Item = (&Kernel, u32)> {
        let kernels = self.kernels.iter();
        kernels.map(|kernel| (kernel, spilled_bytes(kernel, self.report.as_ref())))
    }

    /// Returns the bytes that a lane of each warp spills, summed over the warps of a block and over all
    /// kernels.
    fn bytes(&self) -> u64 {
        let bytes =
            |(kernel, bytes): (&Kernel, u32)| u64::from(bytes) * u64::from(kernel.launch.num_warps);
        self.spilled().map(bytes).sum()
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
        for (arch, kernels) in &lowered {
            let Some(Compiled { report, .. }) = Compiled::from_blobs(&blobs, *arch) else {
                continue;
            };
            for kernel in kernels {
                let bytes = spilled_bytes(kernel, report.as_ref());
                let verdict = retry::judge(kernel, bytes, self.options.level);
                spent.retried(*arch, kernel, bytes, verdict);
            }
        }
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
                            bytes: spilled_bytes(kernel, first.report.as_ref()),
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
        let level = self.options.level;
        let mut retry = WarpRetry::new(arch, first.spilled(), first.bytes(), level);
        while let Some(warps) = retry.next() {
            let names = first
                .kernels
                .iter()
                .map(|kernel| (arch, kernel.name.clone()));
            let choices = Choices(names.zip(warps.iter().copied()).collect());
            let attempt = self.attempt((arch, &choices), texts, spent);
            let verdict = attempt.as_ref().map(|attempt| retry.judge(attempt.bytes()));
            let verdict = verdict.unwrap_or(Verdict::Failed);
            let others = attempt.iter().flat_map(Attempt::spilled);
            for ((kernel, bytes), before) in others.zip(&first.kernels) {
                if kernel.launch.num_warps != before.launch.num_warps {
                    spent.retried(arch, kernel, bytes, verdict);
                }
            }
            if verdict == Verdict::Better {
                best = attempt;
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
