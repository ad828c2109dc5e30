//! The work of the worker process: LLVM, ptxas and fatbinary.
//!
//! In: GPU IR for each architecture. Out: [`Blobs`], from which [`super::Artifact`] is read, or a
//! [`WorkerError`] instead.

use super::cost::Counts;
use super::worker_error::WorkerError;
use super::{Bundle, Dump, Stage, Tools, spilled};
use crate::cache::Blobs;
use crate::cubin::{Assembler, Cubin};
use crate::dump::write;
use crate::error::BackendError;
use crate::fatbin;
use crate::gpu::Kernel;
use crate::isolate;
use crate::level::{DebugInfo, Level};
use crate::llvm::{self, Compilation, Context};
use crate::manifest::{Launch, Manifest, Spilled};
use crate::ptx::Ptx;
use crate::ptx::resources::Report;
use crate::schedule::retry;
use crate::target::{Arch, PtxVersion};
use crate::timing::Times;
use crate::tools::Tool;
use nanoserde::{DeJson, SerJson};
use std::collections::BTreeMap;
use std::time::Duration;

/// The facts about the compiled code for one architecture.
#[derive(Debug, Default, SerJson, DeJson)]
#[expect(unreachable_pub, reason = "the derive macros know no other visibility")]
pub struct Compiled {
    /// The report of ptxas; `None` without ptxas.
    pub(super) report: Option<Report>,
    pub(super) times: Times,
    /// Instructions that were compiled; finished code does not count.
    pub(super) counts: Counts,
}

impl Compiled {
    pub(super) fn insert_into(&self, blobs: &mut Blobs, arch: Arch) {
        blobs.insert_json(format!("compiled {arch}"), self);
    }

    pub(super) fn from_blobs(blobs: &Blobs, arch: Arch) -> Option<Self> {
        blobs.get_json(&format!("compiled {arch}"))
    }
}

/// The facts about the work of the worker.
#[derive(Debug, SerJson, DeJson)]
#[expect(unreachable_pub, reason = "the derive macros know no other visibility")]
pub struct Answer {
    pub(super) times: Times,
    /// `true` unless a kernel spills that another number of warps could improve.
    pub(super) is_good: bool,
}

impl Answer {
    pub(super) fn from_blobs(blobs: &Blobs) -> Option<Self> {
        blobs.get_json("answer")
    }
}

/// The compiled code for one architecture.
struct ArchCode {
    ptx: Ptx,
    /// `None` without ptxas.
    cubin: Option<Cubin>,
    times: Times,
    counts: Counts,
}

impl ArchCode {
    fn insert_into(&self, blobs: &mut Blobs) {
        let arch = self.ptx.arch();
        let compiled = Compiled {
            report: self.report().cloned(),
            times: self.times.clone(),
            counts: self.counts,
        };
        compiled.insert_into(blobs, arch);
        blobs.insert(format!("ptx {arch}"), self.ptx.text());
        if let Some(cubin) = &self.cubin {
            blobs.insert(cubin_of(arch), cubin.bytes());
        }
    }

    /// Returns the report of ptxas.
    fn report(&self) -> Option<&Report> {
        self.cubin.as_ref().map(Cubin::report)
    }

    fn from_blobs(blobs: &Blobs, arch: Arch) -> Option<Self> {
        let Compiled {
            report,
            times,
            counts,
        } = Compiled::from_blobs(blobs, arch)?;
        let ptx = blobs.get_text(&format!("ptx {arch}"))?;
        let cubin = match report {
            Some(report) => {
                let bytes = blobs.get(&cubin_of(arch))?.to_vec();
                Some(Cubin::from_parts(arch, bytes, report))
            }
            None => None,
        };
        Some(Self {
            ptx: Ptx::new(ptx.to_owned()).ok()?,
            cubin,
            times,
            counts,
        })
    }
}

/// The code of one architecture, or the process that compiles it.
enum Pending {
    Finished(Result<ArchCode, WorkerError>),
    Compiling(isolate::Worker),
}

/// The input of the worker.
pub(super) struct Work<'a> {
    pub(super) lowered: &'a [(Arch, Vec<Kernel>)],
    /// Finished output for some architectures, which are not compiled again.
    pub(super) ready: &'a Blobs,
    /// The abandoned choices that the kernels replace, by architecture and entry.
    pub(super) replaced: &'a BTreeMap<(Arch, String), Spilled>,
    pub(super) bundle: Bundle,
    pub(super) level: Level,
    pub(super) tools: &'a Tools,
    /// The PTX versions that inline PTX needs.
    pub(super) texts: &'a super::texts::Versions,
    pub(super) dump: Option<&'a Dump>,
}

impl Work<'_> {
    pub(super) fn run(&self, progress: &mut isolate::Progress<'_>) -> Blobs {
        self.compile(progress)
            .unwrap_or_else(|error| error.to_blobs())
    }

    fn compile(&self, progress: &mut isolate::Progress<'_>) -> Result<Blobs, WorkerError> {
        let mut blobs = Blobs::new();
        let mut times = Times::new();
        let mut codes = Vec::new();
        let mut launches = Vec::new();
        let mut is_good = true;
        for ((arch, kernels), code) in self.lowered.iter().zip(self.compile_all(progress)) {
            let code = code?;
            times.add_all(&code.times);
            code.insert_into(&mut blobs);
            for kernel in kernels {
                launches.push(self.launch(*arch, kernel, code.cubin.as_ref())?);
                let bytes = spilled::spilled_bytes(kernel, code.report());
                is_good &= !retry::is_improvable(kernel, bytes, self.level);
            }
            codes.push(code);
        }
        let is_bundled = match self.bundle {
            Bundle::LeftOut => false,
            Bundle::IfGood => is_good,
            Bundle::Made => true,
        };
        let fatbin = match &self.tools.cuda {
            _ if !is_bundled => Vec::new(),
            Some(cuda) => {
                progress.stage("fatbinary");
                let lowest = codes.iter().min_by_key(|code| code.ptx.arch());
                let cubins = codes.iter().filter_map(|code| code.cubin.as_ref());
                times.measure("fatbinary", || {
                    fatbin::bundle(cubins, lowest.map(|code| &code.ptx), &cuda.fatbinary)
                })?
            }
            None => fatbin::bundle_ptx(codes.iter().map(|code| &code.ptx)),
        };
        blobs.insert("fatbin", fatbin);
        blobs.insert_json("manifest", &Manifest::new(launches));
        blobs.insert_json("answer", &Answer { times, is_good });
        Ok(blobs)
    }

    /// Describes the launch of a compiled kernel.
    fn launch(
        &self,
        arch: Arch,
        kernel: &Kernel,
        cubin: Option<&Cubin>,
    ) -> Result<Launch, WorkerError> {
        let resources = cubin.map(|cubin| {
            let resources = cubin.resources(&kernel.name);
            resources.ok_or_else(|| self.no_figures(&kernel.name))
        });
        let blocks_per_tile = kernel.launch.blocks_per_tile;
        let replaced = self.replaced.get(&(arch, kernel.name.clone()));
        Ok(Launch {
            arch,
            entry: kernel.name.clone(),
            threads: kernel.threads(),
            shared_bytes: kernel.shared.bytes,
            cluster: blocks_per_tile.max(kernel.launch.clusters.blocks()),
            blocks_per_tile,
            maps: kernel.maps.clone(),
            persistent_blocks_per_sm: (kernel.launch.is_persistent)
                .then_some(kernel.launch.blocks_per_multiprocessor),
            programmatic: kernel.launch.is_programmatic,
            resources: resources.transpose()?.cloned(),
            instead_of: replaced.copied(),
        })
    }

    /// The error if ptxas says nothing about a kernel.
    fn no_figures(&self, kernel: &str) -> WorkerError {
        let cuda = self.tools.cuda.as_ref();
        let error = BackendError::ToolOutput {
            tool: Tool::Ptxas,
            program: cuda.map(|cuda| cuda.ptxas.clone()).unwrap_or_default(),
            what: format!("no figures of `{kernel}`"),
        };
        error.into()
    }

    /// Compiles for every architecture: in processes side by side, unless a dump needs the output in order.
    ///
    /// Threads would do, but for [`isolate`]'s reasons against starting one here.
    fn compile_all(
        &self,
        progress: &mut isolate::Progress<'_>,
    ) -> impl Iterator<Item = Result<ArchCode, WorkerError>> {
        let missing = (self.lowered.iter())
            .filter(|(arch, _)| self.finished(*arch).is_none())
            .count();
        let is_serial = missing <= 1 || self.dump.is_some();
        let mut start = |(arch, kernels): &(Arch, Vec<Kernel>)| {
            if let Some(code) = self.finished(*arch) {
                return Pending::Finished(Ok(code));
            }
            if is_serial {
                let code = self.compile_for(*arch, kernels, progress);
                return Pending::Finished(code.map_err(Into::into));
            }
            // The limit of this process ends the others too.
            let worker = isolate::start(Duration::MAX, |progress| {
                let mut blobs = Blobs::new();
                match self.compile_for(*arch, kernels, progress) {
                    Ok(code) => code.insert_into(&mut blobs),
                    Err(error) => blobs = WorkerError::from(&error).to_blobs(),
                }
                blobs.to_bytes()
            });
            match worker {
                Ok(worker) => Pending::Compiling(worker),
                Err(failure) => Pending::Finished(Err(BackendError::Worker(failure).into())),
            }
        };
        let pending: Vec<Pending> = self.lowered.iter().map(&mut start).collect();
        if !is_serial {
            progress.stage("llvm or ptxas");
        }
        let archs = self.lowered.iter().map(|(arch, _)| *arch);
        archs.zip(pending).map(|(arch, pending)| match pending {
            Pending::Finished(code) => code,
            Pending::Compiling(worker) => {
                let bytes = worker.wait();
                let bytes = bytes.map_err(BackendError::Worker)?;
                let blobs = Blobs::from_bytes(&bytes).unwrap_or_default();
                match WorkerError::from_blobs(&blobs) {
                    Some(error) => Err(error),
                    None => ArchCode::from_blobs(&blobs, arch)
                        .ok_or_else(|| WorkerError::damaged_answer(arch)),
                }
            }
        })
    }

    /// Returns the finished code of an architecture from `ready`.
    fn finished(&self, arch: Arch) -> Option<ArchCode> {
        let code = ArchCode::from_blobs(self.ready, arch)?;
        Some(ArchCode {
            times: Times::new(),
            counts: Counts::default(),
            ..code
        })
    }

    /// Compiles for one architecture.
    fn compile_for(
        &self,
        arch: Arch,
        kernels: &[Kernel],
        progress: &mut isolate::Progress<'_>,
    ) -> Result<ArchCode, BackendError> {
        progress.stage("llvm");
        let mut times = Times::new();
        let cuda = self.tools.cuda.as_ref();
        let assembler = cuda
            .map(|cuda| Assembler::start(arch, &cuda.ptxas, self.level))
            .transpose()?;
        let (ptx, emitted) = self.ptx(arch, kernels, &mut times)?;
        let cubin = match assembler {
            Some(assembler) => {
                progress.stage("ptxas");
                Some(times.measure("ptxas", || assembler.assemble(&ptx))?)
            }
            None => None,
        };
        let counts = Counts::new(emitted, &ptx);
        Ok(ArchCode {
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
        let cx = Context::of(self.tools.llvm);
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
