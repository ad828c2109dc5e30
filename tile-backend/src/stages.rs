//! Stages 8 to 11 in order: layouts and GPU IR, LLVM, PTX, cubin.
//!
//! In: a canonical module and what to compile for. Out: an [`Artifact`]. An artifact
//! that the cache has costs neither LLVM nor ptxas. What is wrong with the kernel is
//! reported into the diagnostics; a failure of the host is a diagnostic too, at the
//! kernel, so that the author learns of it where the build stopped.

use crate::cache::{Blobs, Cache, Key};
use crate::cubin::{Cubin, Effort};
use crate::error::BackendError;
use crate::fatbin;
use crate::gpu::{self, Kernel};
use crate::isolate;
use crate::llvm::{self, Compilation, Context};
use crate::lower;
use crate::passes;
use crate::ptx::Ptx;
use crate::ptx::resources::{RemarkKind, Report, Resources};
use crate::target::Arch;
use crate::timing::Times;
use crate::tools::{self, Tool};
use std::fmt::Write;
use std::path::PathBuf;
use tile_core::bytecode;
use tile_core::canonicalize::Canonical;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::{Loc, Module, Reported};

/// What to compile for, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The architectures to make cubins for, without repetition. PTX of the lowest is
    /// added for newer ones.
    pub archs: Vec<Arch>,
    /// Warps of a block; chosen by the compiler if `None`.
    pub num_warps: Option<u32>,
    /// Where finished artifacts are kept.
    pub cache: Cache,
    /// A stage whose product is wanted as text ([`Stage`]); the cache is then not read.
    pub dump: Option<Stage>,
}

/// A stage whose product can be printed with `TILE_DUMP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Canonical tile IR.
    Ir,
    /// GPU IR, after its passes.
    Gpu,
    /// LLVM IR, as emitted.
    Llvm,
    /// PTX.
    Ptx,
}

impl Stage {
    /// The stage that `TILE_DUMP` names: `ir`, `gpu`, `llvm` or `ptx`.
    pub fn from_environment() -> Option<Self> {
        match std::env::var("TILE_DUMP").ok()?.as_str() {
            "ir" => Some(Self::Ir),
            "gpu" => Some(Self::Gpu),
            "llvm" => Some(Self::Llvm),
            "ptx" => Some(Self::Ptx),
            _ => None,
        }
    }
}

/// How one entry is launched on one architecture, and what it uses there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The architecture of the cubin.
    pub arch: Arch,
    /// The symbol.
    pub entry: String,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
    /// What ptxas reported.
    pub resources: Resources,
}

/// A compiled module.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// Cubins and PTX in one file, to be embedded 8-byte aligned in `.nv_fatbin`.
    pub fatbin: Vec<u8>,
    /// Per architecture and entry.
    pub launches: Vec<Launch>,
    /// The PTX of each architecture.
    pub ptx: Vec<(Arch, String)>,
    /// Whether the cache had it.
    pub cached: bool,
    /// The product asked for with [`Options::dump`].
    pub dump: String,
}

/// Runs stages 8 to 11. Adds the times of each stage to `times`.
pub fn compile(
    canonical: &Canonical,
    options: &Options,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Artifact, Reported> {
    let module = canonical.module();
    let loc = module
        .entries()
        .next()
        .map_or(Loc::UNKNOWN, |entry| module.op(entry).loc);
    let tools = Tools::find().map_err(|error| host_failure(&error, loc, diagnostics))?;
    let key = times
        .measure("key", || key(module, options, &tools))
        .map_err(|message| internal(&message, loc, diagnostics))?;
    if options.dump.is_none() {
        let found = times.measure("cache", || options.cache.get(&key));
        if let Some(artifact) = found.and_then(|blobs| Artifact::from_blobs(&blobs)) {
            return Ok(Artifact {
                cached: true,
                ..artifact
            });
        }
    }
    let mut lowered = Vec::new();
    for &arch in &options.archs {
        let kernels = times.measure("layouts", || {
            lower_for(module, arch, options.num_warps, diagnostics)
        })?;
        lowered.push((arch, kernels));
    }
    let work = Work {
        lowered,
        tools,
        dump: options.dump,
    };
    let heard = isolate::run(isolate::limit_from_environment(), |progress| {
        work.run(progress).to_bytes()
    })
    .map_err(|failure| worker_failure(&failure, loc, diagnostics))?;
    let blobs = Blobs::from_bytes(&heard)
        .ok_or_else(|| internal("the worker's answer is damaged", loc, diagnostics))?;
    if let Some(message) = blobs.get_text("error") {
        return Err(reported_by_worker(
            message,
            blobs.get_text("help"),
            loc,
            diagnostics,
        ));
    }
    if let Some(text) = blobs.get_text("times") {
        times.add_text(text);
    }
    options.cache.put(&key, &blobs);
    let mut artifact = Artifact::from_blobs(&blobs)
        .ok_or_else(|| internal("the worker's answer is incomplete", loc, diagnostics))?;
    if options.dump == Some(Stage::Ir) {
        artifact.dump = tile_core::text::print(module);
    }
    Ok(artifact)
}

/// Stage 8 for one architecture: GPU IR with shared memory and barriers in place,
/// verified, within the limits of the target.
pub fn lower_for(
    module: &Module,
    arch: Arch,
    num_warps: Option<u32>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let mut kernels = lower::lower(module, arch, num_warps, diagnostics)?;
    for kernel in &mut kernels {
        passes::allocate_shared(kernel);
        passes::barriers(kernel);
        let faults = gpu::verify(kernel);
        if !faults.is_empty() {
            return Err(internal(&faults.join("; "), kernel.loc, diagnostics));
        }
        let limit = arch.shared_bytes_per_block();
        if kernel.shared_bytes > limit {
            diagnostics.error(
                Diagnostic::error(
                    Code::TooLarge,
                    kernel.loc,
                    format!(
                        "the kernel needs {} bytes of shared memory per block",
                        kernel.shared_bytes
                    ),
                )
                .note(format!("`{arch}` has {limit} bytes per block"))
                .help("use smaller tiles"),
            );
        }
    }
    diagnostics.checkpoint()?;
    Ok(kernels)
}

/// The tools that a compilation uses.
#[derive(Clone, Debug)]
struct Tools {
    ptxas: PathBuf,
    fatbinary: PathBuf,
    libdevice: PathBuf,
}

impl Tools {
    fn find() -> Result<Self, BackendError> {
        Ok(Self {
            ptxas: Tool::Ptxas.find()?,
            fatbinary: Tool::Fatbinary.find()?,
            libdevice: Tool::Libdevice.find()?,
        })
    }
}

/// The key of the artifact: everything that decides its bytes. The compiler's own
/// identity is part of every key.
fn key(module: &Module, options: &Options, tools: &Tools) -> Result<Key, String> {
    let Options {
        archs,
        num_warps,
        cache: _,
        dump: _,
    } = options;
    let bytes = bytecode::write(module, tile_core::ops::Version::V13_4)
        .map_err(|error| error.to_string())?;
    let archs: Vec<String> = archs.iter().map(ToString::to_string).collect();
    let mut key = Key::builder("artifact")
        .part("bytecode", bytes)
        .part("archs", archs.join(","))
        .part("warps", format!("{num_warps:?}"));
    for (label, path) in [
        ("ptxas", &tools.ptxas),
        ("fatbinary", &tools.fatbinary),
        ("libdevice", &tools.libdevice),
    ] {
        key = key.part(label, tools::fingerprint(path));
    }
    Ok(key.finish())
}

/// What the worker does.
struct Work {
    lowered: Vec<(Arch, Vec<Kernel>)>,
    tools: Tools,
    dump: Option<Stage>,
}

impl Work {
    fn run(&self, progress: &mut isolate::Progress<'_>) -> Blobs {
        let mut blobs = Blobs::new();
        if let Err(error) = self.fill(&mut blobs, progress) {
            blobs = Blobs::new();
            blobs.insert("error", error.to_string());
            if let Some(help) = error.help() {
                blobs.insert("help", help);
            }
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
        let mut dump = String::new();
        for (arch, kernels) in &self.lowered {
            progress.stage("llvm");
            let ptx = times.measure("llvm", || self.ptx(*arch, kernels, &mut dump))?;
            progress.stage("ptxas");
            let cubin = times.measure("ptxas", || {
                Cubin::assemble(&ptx, &self.tools.ptxas, Effort::Full)
            })?;
            for kernel in kernels {
                writeln!(
                    launches,
                    "{arch} {} {} {}",
                    kernel.name,
                    kernel.num_warps * 32,
                    kernel.shared_bytes
                )
                .expect("writing to a string");
            }
            blobs.insert(format!("report {arch}"), cubin.report().to_text());
            blobs.insert(format!("ptx {arch}"), ptx.text());
            cubins.push(cubin);
            texts.push(ptx);
        }
        progress.stage("fatbinary");
        let lowest = texts.iter().min_by_key(|ptx| ptx.arch());
        let fatbin = times.measure("fatbinary", || {
            fatbin::bundle(&cubins, lowest, &self.tools.fatbinary)
        })?;
        blobs.insert("fatbin", fatbin);
        blobs.insert("launches", launches);
        blobs.insert("times", times.to_text());
        blobs.insert("dump", dump);
        Ok(())
    }

    fn ptx(&self, arch: Arch, kernels: &[Kernel], dump: &mut String) -> Result<Ptx, BackendError> {
        let cx = Context::new();
        let mut module = cx.module("kernels", arch)?;
        for kernel in kernels {
            module = llvm::emit::emit_into(&cx, module, kernel, arch)?;
        }
        match self.dump {
            Some(Stage::Gpu) => *dump += &kernels.iter().map(gpu::to_text).collect::<String>(),
            Some(Stage::Llvm) => *dump += &llvm::passes::to_text(&module),
            Some(Stage::Ir | Stage::Ptx) | None => {}
        }
        let how = Compilation {
            libdevice: Some(&self.tools.libdevice),
            ..Compilation::new(arch)
        };
        let ptx = llvm::compile(&cx, &module, &how)?;
        if self.dump == Some(Stage::Ptx) {
            *dump += ptx.text();
        }
        Ok(ptx)
    }
}

impl Artifact {
    /// The launches that spill registers, with the bytes spilled per thread.
    pub fn spills(&self) -> impl Iterator<Item = (&Launch, u32)> {
        self.launches.iter().filter_map(|launch| {
            let bytes = launch.resources.spill_stores_bytes + launch.resources.spill_loads_bytes;
            (bytes > 0).then_some((launch, bytes))
        })
    }

    fn from_blobs(blobs: &Blobs) -> Option<Self> {
        let mut launches = Vec::new();
        for line in blobs.get_text("launches")?.lines() {
            let mut words = line.split(' ');
            let arch: Arch = words.next()?.parse().ok()?;
            let entry = words.next()?.to_owned();
            let threads = words.next()?.parse().ok()?;
            let shared_bytes = words.next()?.parse().ok()?;
            let report = Report::from_text(blobs.get_text(&format!("report {arch}"))?).ok()?;
            debug_assert!(
                !report
                    .remarks
                    .iter()
                    .any(|remark| remark.kind == RemarkKind::Serialized)
            );
            let resources = report
                .resources
                .into_iter()
                .find(|used| used.entry == entry)?;
            launches.push(Launch {
                arch,
                entry,
                threads,
                shared_bytes,
                resources,
            });
        }
        let mut archs: Vec<Arch> = launches.iter().map(|launch| launch.arch).collect();
        archs.dedup();
        let ptx = archs
            .into_iter()
            .map(|arch| Some((arch, blobs.get_text(&format!("ptx {arch}"))?.to_owned())))
            .collect::<Option<_>>()?;
        Some(Self {
            fatbin: blobs.get("fatbin")?.to_vec(),
            launches,
            ptx,
            cached: false,
            dump: blobs.get_text("dump").unwrap_or_default().to_owned(),
        })
    }
}

fn host_failure(error: &BackendError, loc: Loc, diagnostics: &mut Diagnostics) -> Reported {
    reported_by_worker(
        &error.to_string(),
        error.help().as_deref(),
        loc,
        diagnostics,
    )
}

fn reported_by_worker(
    message: &str,
    help: Option<&str>,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Reported {
    let mut diagnostic = Diagnostic::error(Code::ToolFailed, loc, message);
    if let Some(help) = help {
        diagnostic = diagnostic.help(help);
    }
    diagnostics.error(diagnostic)
}

fn worker_failure(
    failure: &isolate::WorkerFailure,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Reported {
    let mut diagnostic = Diagnostic::error(Code::WorkerDied, loc, failure.to_string())
        .note("the stages that use LLVM run in a process of their own");
    if let Some(help) = failure.help() {
        diagnostic = diagnostic.help(help);
    }
    diagnostics.error(diagnostic)
}

/// A bug of this compiler, reported where the build stops.
fn internal(message: &str, loc: Loc, diagnostics: &mut Diagnostics) -> Reported {
    diagnostics.error(
        Diagnostic::error(Code::ToolFailed, loc, format!("internal error: {message}"))
            .help("report this kernel to the authors of `tile-kernel`"),
    )
}
