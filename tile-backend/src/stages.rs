//! Runs stages 8 to 11 in order: layouts and GPU IR, LLVM, PTX, cubin.
//!
//! In: a canonical module and the options of a [`crate::session::Session`]. Out: an [`Artifact`].

mod artifact;
mod compile_options;
mod cost;
mod lowered;
mod native;
mod spilled;
mod texts;
mod trace;
mod work;
mod worker_error;

use crate::cache::{Blobs, Cache, Key, KeyBuilder};
use crate::dump::write;
pub use crate::dump::{Dump, Stage};
use crate::environment::Environment;
use crate::error::BackendError;
use crate::gpu::{self, Kernel};
use crate::isolate;
use crate::level::DebugInfo;
use crate::llvm::library::Library;
use crate::manifest::MANIFEST_VERSION;
use crate::remarks::resource_usage::remark_on_launch;
use crate::remarks::{Remarks, slow};
use crate::target::Arch;
use crate::timing::{Time, Times};
use crate::tools::{self, Tool};
pub use artifact::Artifact;
pub use compile_options::{CompileOptions, Output};
pub(crate) use cost::Cost;
use cost::Spent;
use lowered::{Request, lower_with};
pub use lowered::{lower_for, lower_remarked};
pub use native::NativeCode;
pub(crate) use native::{
    NativeCompiler, of_this_architecture as levels_of_this_architecture,
    shipped_key as shipped_native_key,
};
use spilled::Choices;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tile_core::bytecode;
use tile_core::diag::Diagnostics;
use tile_core::{Loc, Module, Reported};
pub use trace::TraceOptions;
pub(crate) use trace::trace;
use work::{Answer, Work, cubin_of};
pub(crate) use worker_error::host_failure;
use worker_error::{WorkerError, internal};

/// The condition for making the fatbin, which takes a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bundle {
    Made,
    /// Omitted if a kernel spills and an alternative can be tried.
    IfGood,
    LeftOut,
}

/// Returns the remarks on an artifact. Lowers its kernels once more, with the choices that were compiled.
fn remarked(
    module: &Module,
    options: &CompileOptions,
    artifact: &Artifact,
    diagnostics: &mut Diagnostics,
) -> Result<Remarks, Reported> {
    let mut remarks = Remarks::new(true);
    let choices = Choices::from_launches(&artifact.manifest.launches);
    // The time of this lowering does not count as compile time.
    let mut discarded = Times::new();
    let mut spent = Spent::new(&mut discarded, &[]);
    let with = (&choices, &mut remarks);
    let lowered = lower_all(module, options, with, &mut spent, diagnostics)?;
    for (arch, kernels) in lowered {
        for kernel in &kernels {
            if let Some(launch) = artifact.manifest.launch(arch, &kernel.name) {
                remark_on_launch(module, kernel, launch, &mut remarks);
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
    options: &CompileOptions,
    (choices, remarks): (&Choices, &mut Remarks),
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

/// One compilation, with what it needs of the session.
pub(crate) struct Compiler<'a> {
    pub(crate) module: &'a Module,
    pub(crate) options: &'a CompileOptions,
    pub(crate) cache: &'a Cache,
    pub(crate) tools: Tools,
    /// The time limit of a worker.
    pub(crate) timeout: Duration,
    /// The location for errors of the host.
    pub(crate) loc: Loc,
}

impl Compiler<'_> {
    /// Runs stages 8 to 11, or takes the artifact from the cache.
    pub(crate) fn compile(
        &self,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<Artifact, Reported> {
        let (module, options, loc) = (self.module, self.options, self.loc);
        let dump = options.dump.as_deref();
        write(dump, Stage::Ir, || tile_core::text::print(module));
        let key = times
            .measure("key", || key(module, options, &self.tools))
            .map_err(|message| internal(&message, loc, diagnostics))?;
        if dump.is_none() {
            let cached = times.measure("cache", || self.cache.get(&key));
            if let Some(mut artifact) = cached.and_then(|blobs| Artifact::from_blobs(&blobs)) {
                if options.remarks {
                    artifact.remarks = remarked(module, options, &artifact, diagnostics)?.take();
                }
                artifact.cached = true;
                return Ok(artifact);
            }
        }
        if options.output == Output::Cubins && self.tools.cuda.is_none() {
            let error = BackendError::ToolMissing {
                tool: Tool::Ptxas,
                looked_in: Vec::new(),
                is_named: false,
            };
            return Err(host_failure(&error, loc, diagnostics));
        }
        let texts = match &self.tools.cuda {
            Some(cuda) => times.measure("ptxas", || {
                texts::check(
                    module,
                    &options.archs,
                    &cuda.ptxas,
                    self.timeout,
                    diagnostics,
                )
            })?,
            // Nothing here can read the texts. They get the newest version, and the driver checks them.
            None => texts::unchecked(module, &options.archs),
        };
        let mut spent = Spent::new(times, &options.archs);
        let none = (&Choices::default(), &mut Remarks::default());
        let lowered = lower_all(module, options, none, &mut spent, diagnostics)?;
        write(dump, Stage::Gpu, || gpu_text(&lowered));
        let (lowered, blobs) = self.spill_least(lowered, &texts, &mut spent, diagnostics)?;
        let mut artifact = Artifact::from_blobs(&blobs)
            .ok_or_else(|| internal("the worker's answer is incomplete", loc, diagnostics))?;
        self.cache.put(
            &key,
            &blobs.without(|name| options.archs.iter().any(|&arch| name == cubin_of(arch))),
        );
        artifact.attempts = spent.attempts;
        let costs = spent.costs;
        let mut remarks = if options.remarks {
            remarked(module, options, &artifact, diagnostics)?
        } else {
            Remarks::new(true)
        };
        for (cost, (_, kernels)) in costs.iter().zip(&lowered) {
            let manifest = &artifact.manifest;
            slow::of_cost(cost, options.slow, kernels, manifest, &mut remarks);
        }
        artifact.remarks = remarks.take();
        Ok(artifact)
    }

    /// Runs the worker and returns its output.
    fn run(
        &self,
        work: &Work<'_>,
        spent: &mut Spent<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Blobs, Reported> {
        let loc = self.loc;
        let start = Instant::now();
        let heard = isolate::run(self.timeout, |progress| work.run(progress).to_bytes())
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

/// LLVM and the CUDA tools of a compilation.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    llvm: &'static Library,
    /// `None`: the GPU code is PTX, which the driver compiles.
    cuda: Option<CudaTools>,
}

/// The programs that make cubins.
#[derive(Clone, Debug)]
pub(crate) struct CudaTools {
    ptxas: PathBuf,
    fatbinary: PathBuf,
}

impl Tools {
    /// Finds the tools of this environment.
    pub(crate) fn find(environment: &Environment) -> Result<Self, BackendError> {
        Ok(Self {
            llvm: Library::load(environment)?,
            cuda: CudaTools::find(environment)?,
        })
    }
}

impl CudaTools {
    /// Finds the programs; `None` if one is not there.
    fn find(environment: &Environment) -> Result<Option<Self>, BackendError> {
        let ptxas = environment.optional_tool(Tool::Ptxas)?;
        let fatbinary = environment.optional_tool(Tool::Fatbinary)?;
        Ok(ptxas
            .zip(fatbinary)
            .map(|(ptxas, fatbinary)| Self { ptxas, fatbinary }))
    }
}

/// Returns the key of the artifact, made of everything that determines its bytes. The compiler's own identity
/// is part of every key.
fn key(module: &Module, options: &CompileOptions, tools: &Tools) -> Result<Key, String> {
    let mut key =
        add_input(Key::builder("artifact"), module, options)?.part("llvm", tools.llvm.identity());
    let cuda = tools.cuda.as_ref();
    for (label, path) in [
        ("ptxas", cuda.map(|cuda| &cuda.ptxas)),
        ("fatbinary", cuda.map(|cuda| &cuda.fatbinary)),
    ] {
        if let Some(path) = path {
            key = key.part(label, tools::fingerprint(path));
        }
    }
    Ok(key.finish())
}

/// Returns the key of the artifact that a crate ships, made of what is compiled alone.
pub(crate) fn shipped_key(module: &Module, options: &CompileOptions) -> Result<Key, String> {
    Ok(add_input(Key::of_content("shipped"), module, options)?.finish())
}

/// Adds what is compiled to a key.
fn add_input(
    key: KeyBuilder,
    module: &Module,
    options: &CompileOptions,
) -> Result<KeyBuilder, String> {
    let CompileOptions {
        archs,
        kernel_options,
        remarks: _,
        slow: _,
        level,
        output: _,
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
    let mut key = key
        .part("manifest", MANIFEST_VERSION.to_le_bytes())
        .part("bytecode", bytes)
        .part("archs", archs.join(","))
        .part("wishes", format!("{kernel_options:?}"))
        .part("level", format!("{level:?}"));
    if level.debug != DebugInfo::None {
        key = key.part("places", places(module));
    }
    Ok(key)
}
