//! The work of the worker process: LLVM, ptxas and fatbinary.
//!
//! In: GPU IR for each architecture. Out: [`Blobs`], from which [`super::Artifact`] is read, or a
//! [`WorkerError`] instead.

use super::cost::Counts;
use super::dump::write;
use super::worker_error::WorkerError;
use super::{Bundle, Dump, Stage, Tools, spilled};
use crate::cache::Blobs;
use crate::cubin::{Assembler, Cubin};
use crate::error::BackendError;
use crate::fatbin;
use crate::gpu::{Kernel, TensorMap};
use crate::isolate;
use crate::level::{DebugInfo, Level};
use crate::llvm::{self, Compilation, Context};
use crate::ptx::Ptx;
use crate::ptx::resources::Report;
use crate::target::{Arch, PtxVersion};
use crate::timing::Times;
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

/// The compiled code for one architecture.
struct Made {
    ptx: Ptx,
    cubin: Cubin,
    times: Times,
    /// Instructions compiled in this process; restored code does not count.
    counts: Counts,
}

/// The input of the worker.
pub(super) struct Work<'a> {
    pub(super) lowered: &'a [(Arch, Vec<Kernel>)],
    /// Finished output for some architectures, which are not compiled again.
    pub(super) ready: &'a Blobs,
    pub(super) bundle: Bundle,
    pub(super) level: Level,
    pub(super) tools: &'a Tools,
    /// The PTX versions that inline PTX needs.
    pub(super) texts: &'a super::texts::Versions,
    pub(super) dump: Option<&'a Dump>,
}

impl Work<'_> {
    pub(super) fn run(&self, progress: &mut isolate::Progress<'_>) -> Blobs {
        let mut blobs = Blobs::new();
        if let Err(error) = self.fill(&mut blobs, progress) {
            blobs = WorkerError::from_backend_error(&error).to_blobs();
        }
        blobs
    }

    fn fill(
        &self,
        blobs: &mut Blobs,
        progress: &mut isolate::Progress<'_>,
    ) -> Result<(), BackendError> {
        let mut times = Times::new();
        let mut cubins = Vec::new();
        let mut texts = Vec::new();
        let mut launches = String::new();
        let mut is_good = true;
        progress.stage("llvm");
        let outcome = self.make_all(progress);
        for ((arch, kernels), outcome) in self.lowered.iter().zip(outcome) {
            let Made {
                ptx,
                cubin,
                times: arch_times,
                counts,
            } = outcome?;
            times.add_all(&arch_times);
            blobs.insert(format!("times {arch}"), arch_times.to_text());
            blobs.insert(format!("counts {arch}"), counts.to_text());
            for kernel in kernels {
                let threads = kernel.threads();
                let bytes = kernel.shared_bytes;
                let blocks_per_tile = kernel.blocks_per_tile;
                let cluster = blocks_per_tile.max(kernel.clusters.blocks());
                let resident = if kernel.is_persistent {
                    kernel.blocks_per_multiprocessor
                } else {
                    0
                };
                let _ = writeln!(
                    launches,
                    "{arch} {} {threads} {bytes} {cluster} {blocks_per_tile} {resident}",
                    kernel.name
                );
                if !kernel.maps.is_empty() {
                    let lines: Vec<String> = kernel.maps.iter().map(TensorMap::to_text).collect();
                    blobs.insert(format!("maps {arch} {}", kernel.name), lines.join("\n"));
                }
                is_good &= !spilled::is_improvable(kernel, cubin.report(), self.level);
            }
            blobs.insert(format!("report {arch}"), cubin.report().to_text());
            blobs.insert(format!("ptx {arch}"), ptx.text());
            blobs.insert(cubin_of(*arch), cubin.bytes());
            cubins.push(cubin);
            texts.push(ptx);
        }
        let is_bundled = match self.bundle {
            Bundle::LeftOut => false,
            Bundle::IfGood => is_good,
            Bundle::Made => true,
        };
        let fatbin = if is_bundled {
            progress.stage("fatbinary");
            let lowest = texts.iter().min_by_key(|ptx| ptx.arch());
            times.measure("fatbinary", || {
                fatbin::bundle(&cubins, lowest, &self.tools.fatbinary)
            })?
        } else {
            Vec::new()
        };
        blobs.insert("fatbin", fatbin);
        if is_good {
            blobs.insert("good", "");
        }
        blobs.insert("launches", launches);
        blobs.insert("times", times.to_text());
        Ok(())
    }

    /// Returns the finished code of an architecture from `ready`.
    fn restored(&self, arch: Arch) -> Option<Made> {
        let report = self.ready.get_text(&format!("report {arch}"))?;
        let report = Report::from_text(report).ok()?;
        let ptx = self.ready.get_text(&format!("ptx {arch}"))?;
        let bytes = self.ready.get(&cubin_of(arch))?.to_vec();
        let ptx = Ptx::new(ptx.to_owned()).ok()?;
        Some(Made {
            ptx,
            cubin: Cubin::from_parts(arch, bytes, report),
            times: Times::new(),
            counts: Counts::default(),
        })
    }

    /// Compiles for every architecture: in parallel, unless a dump needs the output in order.
    fn make_all(&self, progress: &mut isolate::Progress<'_>) -> Vec<Result<Made, BackendError>> {
        // A crash is attributed to LLVM while LLVM is running for any architecture.
        let in_llvm = AtomicUsize::new(self.lowered.len());
        let progress = Mutex::new(progress);
        let leave_llvm = || {
            if in_llvm.fetch_sub(1, Ordering::Relaxed) == 1 {
                let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress.stage("ptxas");
            }
        };
        let make = |(arch, kernels): &(Arch, Vec<Kernel>)| self.make(*arch, kernels, &leave_llvm);
        if self.lowered.len() == 1 || self.dump.is_some() {
            return self.lowered.iter().map(make).collect();
        }
        std::thread::scope(|scope| {
            let make = &make;
            let start = |lowered| scope.spawn(move || make(lowered));
            let threads: Vec<_> = self.lowered.iter().map(start).collect();
            let join = |thread: ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        })
    }

    /// Compiles for one architecture.
    fn make(
        &self,
        arch: Arch,
        kernels: &[Kernel],
        leave_llvm: &(dyn Fn() + Sync),
    ) -> Result<Made, BackendError> {
        if let Some(ready) = self.restored(arch) {
            leave_llvm();
            return Ok(ready);
        }
        let mut times = Times::new();
        let assembler = Assembler::start(arch, &self.tools.ptxas, self.level)?;
        let (ptx, emitted) = self.ptx(arch, kernels, &mut times)?;
        leave_llvm();
        let cubin = times.measure("ptxas", || assembler.assemble(&ptx))?;
        let counts = Counts::new(emitted, &ptx);
        Ok(Made {
            ptx,
            cubin,
            times,
            counts,
        })
    }

    /// Returns PTX, and the number of LLVM instructions that it was compiled from.
    fn ptx(
        &self,
        arch: Arch,
        kernels: &[Kernel],
        times: &mut Times,
    ) -> Result<(Ptx, u64), BackendError> {
        let cx = Context::new();
        let module = times.measure("emit", || {
            let mut module = cx.module("kernels", arch)?;
            for kernel in kernels {
                module = llvm::emit::emit_into(&cx, module, kernel, arch, self.level.debug)?;
            }
            Ok::<_, BackendError>(module)
        })?;
        let emitted = llvm::passes::num_instructions(&module);
        write(self.dump, Stage::Llvm, || llvm::passes::to_text(&module));
        // Debug information contains differences of labels, which need PTX 7.5.
        let debugger = (self.level.debug == DebugInfo::Full).then_some(PtxVersion::new(7, 5));
        let compilation = Compilation {
            level: self.level.opt,
            libdevice: Some(&self.tools.libdevice),
            min_ptx: kernels
                .iter()
                .filter_map(llvm::emit::min_ptx)
                .chain(debugger)
                .chain(self.texts.get(&arch).copied())
                .max(),
            ..Compilation::new(arch)
        };
        let ptx = llvm::passes::compile_timed(&cx, &module, &compilation, times)?;
        write(self.dump, Stage::Ptx, || ptx.text().to_owned());
        Ok((ptx, emitted))
    }
}

/// Returns the name of the blob with the cubin of `arch`.
pub(super) fn cubin_of(arch: Arch) -> String {
    format!("cubin {arch}")
}
