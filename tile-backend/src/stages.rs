//! Runs stages 8 to 11 in order: layouts and GPU IR, LLVM, PTX, cubin.
//!
//! In: a canonical module and compile options. Out: an [`Artifact`]. For an artifact in the cache, neither
//! LLVM nor ptxas runs. Errors in the kernel are reported as diagnostics; a failure of the host is a
//! diagnostic too, at the location of the kernel, so that the author sees it where the build stopped.

mod artifact;
mod cost;
mod dump;
mod lowered;
mod spilled;
mod texts;
mod work;
mod worker_error;

use crate::cache::{Blobs, Cache, Key};
use crate::error::BackendError;
use crate::gpu::{self, Kernel};
use crate::isolate;
use crate::level::{DebugInfo, Level};
use crate::manifest::MANIFEST_VERSION;
use crate::remarks::{self, Remarks};
use crate::resources::KernelOptions;
use crate::target::Arch;
use crate::timing::{Time, Times};
use crate::tools::{self, Tool};
pub use artifact::Artifact;
pub(crate) use cost::Cost;
use cost::Spent;
use dump::write;
pub use dump::{Dump, Stage};
use lowered::{Request, lower_with};
pub use lowered::{lower_for, lower_remarked};
use spilled::Choices;
use std::env::VarError;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tile_core::bytecode;
use tile_core::canonicalize::Canonical;
use tile_core::diag::Diagnostics;
use tile_core::{Loc, Module, Reported};
use work::{Answer, Work, cubin_of};
use worker_error::{WorkerError, host_failure, internal};

/// CPU time that compiling for one architecture may take without a remark, unless `TILE_SLOW` sets another
/// limit.
pub const SLOW: Duration = Duration::from_secs(1);

/// Returns the limit that the environment variable `TILE_SLOW` sets, in seconds. The error is the malformed
/// value of the variable.
pub fn slow_from_environment() -> Result<Duration, String> {
    let text = match std::env::var("TILE_SLOW") {
        Ok(text) => text,
        Err(VarError::NotPresent) => return Ok(SLOW),
        Err(VarError::NotUnicode(text)) => return Err(text.to_string_lossy().into_owned()),
    };
    if text.is_empty() {
        return Ok(SLOW);
    }
    let seconds = text.trim().parse().ok();
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or(text)
}

/// Targets and options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The architectures to build cubins for, without duplicates. PTX of the lowest one is added for newer
    /// architectures.
    pub archs: Vec<Arch>,
    /// Requested warps, stages and registers.
    pub kernel_options: KernelOptions,
    /// `true` to collect remarks on the code.
    pub remarks: bool,
    /// CPU time that compiling for one architecture may take without a remark, usually [`SLOW`].
    pub slow: Duration,
    /// Optimization level and debug information.
    pub level: Level,
    /// The artifact cache.
    pub cache: Cache,
    /// The sink for the text of one stage; if set, the cache is not read.
    pub dump: Option<Arc<Dump>>,
}

/// Runs stages 8 to 11. Adds the times of each stage to `times`.
pub fn compile(
    canonical: &Canonical,
    options: &Options,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Artifact, Reported> {
    make(canonical, options, Bundle::Made, times, diagnostics)
}

/// Does the same as [`compile`] for callers that want PTX or cubins: the fatbin is empty, and the cache is
/// not used.
pub fn compile_unbundled(
    canonical: &Canonical,
    options: &Options,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Artifact, Reported> {
    let options = Options {
        cache: Cache::disabled(),
        ..options.clone()
    };
    make(canonical, &options, Bundle::LeftOut, times, diagnostics)
}

/// The condition for making the fatbin, which takes a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bundle {
    Made,
    /// Omitted if a kernel spills and an alternative can be tried.
    IfGood,
    LeftOut,
}

fn make(
    canonical: &Canonical,
    options: &Options,
    bundle: Bundle,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Artifact, Reported> {
    let module = canonical.module();
    let dump = options.dump.as_deref();
    write(dump, Stage::Ir, || tile_core::text::print(module));
    let loc = module
        .entries()
        .next()
        .map_or(Loc::UNKNOWN, |entry| module.op(entry).loc);
    let tools = Tools::find().map_err(|error| host_failure(&error, loc, diagnostics))?;
    let key = times
        .measure("key", || key(module, options, &tools))
        .map_err(|message| internal(&message, loc, diagnostics))?;
    if options.dump.is_none() {
        let cached = times.measure("cache", || options.cache.get(&key));
        if let Some(mut artifact) = cached.and_then(|blobs| Artifact::from_blobs(&blobs)) {
            if options.remarks {
                artifact.remarks = remarked(module, options, &artifact, diagnostics)?.take();
            }
            artifact.cached = true;
            return Ok(artifact);
        }
    }
    let texts = times.measure("ptxas", || {
        texts::check(module, &options.archs, &tools.ptxas, diagnostics)
    })?;
    let compiler = Compiler {
        module,
        options,
        tools,
        texts,
        loc,
        bundle,
    };
    let mut spent = Spent::new(times, &options.archs);
    let lowered = lower_all(
        module,
        options,
        &Choices::default(),
        &mut Remarks::default(),
        &mut spent,
        diagnostics,
    )?;
    write(dump, Stage::Gpu, || gpu_text(&lowered));
    let (lowered, blobs) = compiler.spill_least(lowered, &mut spent, diagnostics)?;
    let mut artifact = Artifact::from_blobs(&blobs)
        .ok_or_else(|| internal("the worker's answer is incomplete", loc, diagnostics))?;
    let mut kept = Blobs::new();
    for (name, bytes) in blobs.iter() {
        if !options.archs.iter().any(|&arch| name == cubin_of(arch)) {
            kept.insert(name, bytes);
        }
    }
    options.cache.put(&key, &kept);
    let costs = spent.costs;
    let mut remarks = if options.remarks {
        remarked(module, options, &artifact, diagnostics)?
    } else {
        Remarks::new(true)
    };
    for (cost, (_, kernels)) in costs.iter().zip(&lowered) {
        remarks::of_cost(
            cost,
            options.slow,
            kernels,
            &artifact.manifest,
            &mut remarks,
        );
    }
    artifact.remarks = remarks.take();
    Ok(artifact)
}

/// Returns the remarks on an artifact. Lowers its kernels once more, with the choices that were compiled.
fn remarked(
    module: &Module,
    options: &Options,
    artifact: &Artifact,
    diagnostics: &mut Diagnostics,
) -> Result<Remarks, Reported> {
    let mut remarks = Remarks::new(true);
    let choices = Choices::from_launches(&artifact.manifest.launches);
    // The time of this lowering does not count as compile time.
    let mut discarded = Times::new();
    let mut spent = Spent::new(&mut discarded, &[]);
    let lowered = lower_all(
        module,
        options,
        &choices,
        &mut remarks,
        &mut spent,
        diagnostics,
    )?;
    for (arch, kernels) in lowered {
        for kernel in &kernels {
            if let Some(launch) = artifact.manifest.launch(arch, &kernel.name) {
                remarks::remark_on_launch(module, kernel, launch, &mut remarks);
            }
        }
    }
    Ok(remarks)
}

/// The kernels of each architecture.
type Lowered = Vec<(Arch, Vec<Kernel>)>;

/// Prints all kernels.
fn gpu_text(lowered: &[(Arch, Vec<Kernel>)]) -> String {
    let kernels = lowered.iter().flat_map(|(_, kernels)| kernels);
    kernels.map(gpu::to_text).collect()
}

/// Runs stage 8 for all architectures.
fn lower_all(
    module: &Module,
    options: &Options,
    choices: &Choices,
    remarks: &mut Remarks,
    spent: &mut Spent<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Lowered, Reported> {
    let mut lowered = Vec::new();
    for &arch in &options.archs {
        let request = Request {
            arch,
            kernel_options: options.kernel_options,
            choices,
        };
        let kernels = spent.measure(arch, "layouts", || {
            lower_with(module, request, remarks, diagnostics)
        })?;
        lowered.push((arch, kernels));
    }
    Ok(lowered)
}

/// The stages that run in a worker, with the data that they need from the caller.
struct Compiler<'a> {
    module: &'a Module,
    options: &'a Options,
    tools: Tools,
    texts: texts::Versions,
    loc: Loc,
    bundle: Bundle,
}

impl Compiler<'_> {
    /// Runs the worker and returns its output.
    fn run(
        &self,
        work: &Work<'_>,
        spent: &mut Spent<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Blobs, Reported> {
        let loc = self.loc;
        let start = Instant::now();
        let heard = isolate::run(isolate::limit_from_environment(), |progress| {
            work.run(progress).to_bytes()
        })
        .map_err(|failure| host_failure(&failure.into(), loc, diagnostics))?;
        let blobs = Blobs::from_bytes(&heard)
            .ok_or_else(|| internal("the worker's answer is damaged", loc, diagnostics))?;
        if let Some(fault) = WorkerError::from_blobs(&blobs) {
            return Err(fault.report(loc, diagnostics));
        }
        if let Some(Answer { times, is_good: _ }) = Answer::from_blobs(&blobs) {
            // The time that belongs to no stage was spent at the start and the end of the process. The
            // subtraction saturates because stages of several architectures run in parallel.
            let rest = start.elapsed().saturating_sub(times.total());
            spent.times.add("worker", Time::waited(rest));
            spent.times.add_all(&times);
        }
        spent.heard(&blobs);
        Ok(blobs)
    }
}

/// Lists every location of a module, since debug information and diagnostics depend on locations.
fn places(module: &Module) -> String {
    let mut places = String::new();
    for entry in module.entries() {
        let body = module.region_block(entry, 0);
        let ops = body.map(|body| module.walk(body)).unwrap_or_default();
        for id in std::iter::once(entry).chain(ops) {
            let _ = writeln!(places, "{:?}", module.op(id).loc);
        }
    }
    places
}

/// The CUDA tools of a compilation.
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

/// Returns the key of the artifact, made of everything that determines its bytes. The compiler's own identity
/// is part of every key.
fn key(module: &Module, options: &Options, tools: &Tools) -> Result<Key, String> {
    let Options {
        archs,
        kernel_options,
        remarks: _,
        slow: _,
        level,
        cache: _,
        dump: _,
    } = options;
    // Bytecode does not encode inline PTX.
    let bytes = if texts::has_any(module) {
        tile_core::text::print(module).into_bytes()
    } else {
        bytecode::write(module, tile_core::ops::Version::V13_4)
            .map_err(|error| error.to_string())?
    };
    let archs: Vec<String> = archs.iter().map(ToString::to_string).collect();
    let mut key = Key::builder("artifact")
        .part("manifest", MANIFEST_VERSION.to_le_bytes())
        .part("bytecode", bytes)
        .part("archs", archs.join(","))
        .part("wishes", format!("{kernel_options:?}"))
        .part("level", format!("{level:?}"));
    if level.debug != DebugInfo::None {
        key = key.part("places", places(module));
    }
    for (label, path) in [
        ("ptxas", &tools.ptxas),
        ("fatbinary", &tools.fatbinary),
        ("libdevice", &tools.libdevice),
    ] {
        key = key.part(label, tools::fingerprint(path));
    }
    Ok(key.finish())
}
