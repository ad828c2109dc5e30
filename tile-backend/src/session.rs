//! A compiler session: the entry point of the back end, which `#[tile_kernel]` and `tilec` share.
//!
//! A [`Session`] holds what outlives one kernel: the [`Environment`] and the artifact cache.
//! [`Session::canonical`] runs stages 5 and 6 on a verified module, and [`Session::compile`] stages 8 to 11. For
//! an artifact in the cache, neither LLVM nor ptxas runs. Errors in the kernel are diagnostics; a failure of the
//! host is a diagnostic too, at the location of the kernel, so that the author sees it where the build stopped.

use std::path::Path;
use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::diag::Diagnostics;
use tile_core::flatten::{EntryPlan, FlattenOptions, flatten};
use tile_core::pass::assert_assumptions;
use tile_core::tuning::model::{Blocks, Gpu, Work};
use tile_core::verify::Verified;
use tile_core::{Loc, Module, Reported};

pub use crate::cache::Cache;
pub use crate::cpu::library::NativeLibrary;
pub use crate::environment::{Environment, Malformed, SLOW};
pub use crate::error::BackendError;
pub use crate::level::{DebugInfo, Level, OptLevel};
pub use crate::llvm::library::{Library, Rejected};
pub use crate::options::{
    ClusterSplit, DisabledPasses, GridExtent, GridTiles, HostMaps, KernelOptions, NoAliasParams,
    OptionValue, Persistence, ScheduleOption, ScheduleOptions,
};
pub use crate::passes::{Optimization, PIPELINE, Pass, optimizations};
pub use crate::remarks::{Kind as RemarkKind, Remark};
pub use crate::schedule::retry::Attempt;
pub use crate::stages::{Artifact, CompileOptions, Dump, NativeCode, Output, Stage, TraceOptions};
pub use crate::timing::{Time, Times};

use crate::cache::{Blobs, Key};
use crate::gpu;
use crate::remarks::Remarks;
use crate::remarks::resource_usage::need;
use crate::schedule::Figures;
use crate::shipped::{Absence, Shipped, Use};
use crate::stages::{self, Tools};
use crate::target::Arch;

/// The settings and the cache of compilations.
#[derive(Clone, Debug)]
pub struct Session {
    environment: Environment,
    cache: Cache,
    shipped: Option<Shipped>,
}

impl Session {
    /// Starts a session with this cache.
    pub fn new(environment: Environment, cache: Cache) -> Self {
        Self {
            environment,
            cache,
            shipped: None,
        }
    }

    /// Takes artifacts from this folder, or writes or checks them, as `TILE_ARTIFACTS` says.
    #[must_use]
    pub fn with_artifacts(self, folder: &Path) -> Self {
        Self {
            shipped: Some(Shipped::at(folder)),
            ..self
        }
    }

    /// Starts a session without a cache in the environment of this process.
    pub fn without_cache() -> Self {
        Self::new(Environment::read(), Cache::disabled())
    }

    /// Returns the environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the LLVM that compiles kernels.
    pub fn llvm(&self) -> Result<&'static Library, BackendError> {
        Library::load(&self.environment)
    }

    /// Returns the error if a part is missing that GPU code needs, unless a variable names the part: then
    /// [`Session::compile`] reports it, since a misspelt name should stop a build.
    ///
    /// Artifacts that are to be written or checked need every part.
    pub fn missing_part(&self) -> Option<BackendError> {
        if matches!(self.environment.artifacts(), Ok(Use::Write | Use::Check)) {
            return None;
        }
        let error = Tools::find(&self.environment).err()?;
        self.environment.is_unasked(&error).then_some(error)
    }

    /// Runs stages 5 and 6: flattens structured loops, and canonicalizes. Also returns the plan of each entry,
    /// in order.
    pub fn canonical(
        &self,
        module: Verified,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Canonical, Vec<EntryPlan>), Reported> {
        let options = FlattenOptions::default();
        let flat = times.measure("flatten", || flatten(module, &options, diagnostics))?;
        let asserts = self.environment.asserts_assumptions();
        let module = if asserts.map_err(|error| error.report(diagnostics))? {
            assert_assumptions(flat.module, diagnostics)?
        } else {
            flat.module
        };
        let canonical = times.measure("canonicalize", || canonicalize(module));
        Ok((canonical, flat.entries))
    }

    /// Returns the artifact that the crate ships, for which no part of the tool chain is needed.
    pub fn shipped(&self, canonical: &Canonical, options: &CompileOptions) -> Option<Artifact> {
        let is_read = matches!(self.environment.artifacts(), Ok(Use::Read));
        let shipped = self
            .shipped
            .as_ref()
            .filter(|_| is_read && options.dump.is_none())?;
        let module = canonical.module();
        let key = stages::shipped_key(module, options).ok()?;
        let blobs = shipped.get(&entry_of(module), &key).ok()?;
        let mut artifact = Artifact::from_blobs(&blobs)?;
        artifact.cached = true;
        Some(artifact)
    }

    /// Returns the reason why [`Session::shipped`] does not take a file that is there, as a sentence.
    pub fn unusable_artifact(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
    ) -> Option<String> {
        let shipped = self.shipped.as_ref()?;
        let module = canonical.module();
        let key = stages::shipped_key(module, options).ok()?;
        match shipped.get(&entry_of(module), &key) {
            Ok(_) | Err(Absence::Missing) => None,
            Err(absence) => {
                let file = shipped.file(&entry_of(module), &key);
                Some(format!("the artifact `{}` {absence}", file.display()))
            }
        }
    }

    /// Writes the artifact that the crate ships, or compares it, as `TILE_ARTIFACTS` says.
    fn ship(
        &self,
        module: &Module,
        options: &CompileOptions,
        artifact: &Artifact,
    ) -> Result<(), BackendError> {
        let Ok(key) = stages::shipped_key(module, options) else {
            return Ok(());
        };
        self.ship_blobs(module, &key, &artifact.to_shipped())
    }

    fn ship_blobs(&self, module: &Module, key: &Key, blobs: &Blobs) -> Result<(), BackendError> {
        let (Some(shipped), Ok(use_of_it)) = (&self.shipped, self.environment.artifacts()) else {
            return Ok(());
        };
        let entry = entry_of(module);
        match use_of_it {
            Use::Read | Use::Ignore => Ok(()),
            Use::Write => shipped.put(&entry, key, blobs).map_err(|source| {
                let file = shipped.file(&entry, key);
                BackendError::ArtifactUnwritable { file, source }
            }),
            Use::Check => {
                let reason = match shipped.get(&entry, key) {
                    Ok(there) if there == *blobs => return Ok(()),
                    Ok(_) => "differs from what this compiler generates".to_owned(),
                    Err(absence) => absence.to_string(),
                };
                let file = shipped.file(&entry, key);
                Err(BackendError::ArtifactStale { file, reason })
            }
        }
    }

    /// Runs stages 8 to 11, unless the crate ships the artifact. Adds the times of each stage to `times`.
    pub fn compile(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<Artifact, Reported> {
        if let Err(malformed) = self.environment.artifacts() {
            return Err(malformed.report(diagnostics));
        }
        if let Some(artifact) = self.shipped(canonical, options) {
            return Ok(artifact);
        }
        let module = canonical.module();
        let mut entries = module.entries();
        let loc = entries
            .next()
            .map_or(Loc::UNKNOWN, |entry| module.op(entry).loc);
        let tools = Tools::find(&self.environment);
        let tools = tools.map_err(|error| stages::host_failure(&error, loc, diagnostics))?;
        let disabled = Cache::disabled();
        let cache = match options.output {
            Output::Fatbin => &self.cache,
            Output::Cubins => &disabled,
        };
        let compiler = stages::Compiler {
            module,
            options,
            cache,
            tools,
            timeout: self.environment.timeout(),
            loc,
        };
        let artifact = compiler.compile(times, diagnostics)?;
        self.ship(module, options, &artifact)
            .map_err(|error| stages::host_failure(&error, loc, diagnostics))?;
        Ok(artifact)
    }

    /// Compiles the only entry of a module to native code for the CPU device, unless the crate ships the code. Without LLVM the
    /// kernel is interpreted.
    pub fn native(
        &self,
        canonical: &Canonical,
        diagnostics: &mut Diagnostics,
    ) -> Result<NativeCode, Reported> {
        let use_of_artifacts = self.environment.artifacts();
        let use_of_artifacts =
            use_of_artifacts.map_err(|malformed| malformed.report(diagnostics))?;
        let module = canonical.module();
        let mut entries = module.entries();
        let entry = entries.next().expect("a kernel is an entry");
        let loc = module.op(entry).loc;
        let key = stages::shipped_native_key(module).ok();
        if let (Use::Read, Some(shipped), Some(key)) = (use_of_artifacts, &self.shipped, &key)
            && let Ok(blobs) = shipped.get(&entry_of(module), key)
            && let Some(code) = NativeCode::from_blobs(&blobs, module)
        {
            return Ok(code);
        }
        let is_optional = matches!(use_of_artifacts, Use::Read | Use::Ignore);
        let llvm = match self.llvm() {
            Ok(llvm) => llvm,
            Err(error) if is_optional => return Ok(NativeCode::none(error.to_string(), loc)),
            Err(error) => return Err(stages::host_failure(&error, loc, diagnostics)),
        };
        // What a crate ships does not depend on who builds it.
        let levels = if is_optional {
            self.environment
                .levels()
                .map_err(|malformed| malformed.report(diagnostics))?
        } else {
            stages::levels_of_this_architecture().collect()
        };
        let compiler = stages::NativeCompiler {
            module,
            entry,
            cache: &self.cache,
            llvm,
            timeout: self.environment.timeout(),
            levels,
        };
        let code = compiler.compile(diagnostics)?;
        if let Some(key) = key {
            self.ship_blobs(module, &key, &code.to_blobs(module))
                .map_err(|error| stages::host_failure(&error, loc, diagnostics))?;
        }
        Ok(code)
    }

    /// Compiles an entry to native code for this machine, and opens it.
    pub fn native_library(
        &self,
        canonical: &Canonical,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<NativeLibrary, Reported> {
        let module = canonical.module();
        let mut entries = module.entries();
        let entry = entries.find(|&entry| module.op(entry).sym_name() == name);
        let entry = entry.expect("the caller has found the entry");
        let loc = module.op(entry).loc;
        let llvm = self.llvm();
        let llvm = llvm.map_err(|error| stages::host_failure(&error, loc, diagnostics))?;
        let compiler = stages::NativeCompiler {
            module,
            entry,
            cache: &Cache::disabled(),
            llvm,
            timeout: self.environment.timeout(),
            levels: Vec::new(),
        };
        let native = compiler.compile_here(diagnostics)?;
        NativeLibrary::open(&native, self.environment.timeout())
            .map_err(|error| stages::host_failure(&error, loc, diagnostics))
    }

    /// Returns for each architecture how long a block is expected to take for each byte that it stores, by the model of the
    /// tuner and the figures of the schedule; infinity where the kernel cannot be lowered. `work` is that of a block.
    pub fn modelled(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
        work: Work,
    ) -> Vec<(Arch, f64)> {
        let module = canonical.module();
        let of = |arch: Arch| {
            let mut unread = Diagnostics::new();
            let kernels = stages::lower_for(module, arch, options.kernel_options, &mut unread);
            // What is wrong is reported when it is compiled.
            unread.take();
            let kernel = kernels.ok()?.into_iter().next()?;
            Some(seconds_per_byte(module, &kernel, arch, work))
        };
        let archs = options.archs.iter();
        archs
            .map(|&arch| (arch, of(arch).unwrap_or(f64::INFINITY)))
            .collect()
    }

    /// Runs stage 8 and returns what was observed on all architectures, as text.
    pub fn trace(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
        observed: &TraceOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<String, Reported> {
        let mut text = String::new();
        for &arch in &options.archs {
            let (module, kernel_options) = (canonical.module(), options.kernel_options);
            text += &stages::trace(module, arch, kernel_options, observed, diagnostics)?;
        }
        Ok(text)
    }

    /// Runs stage 8. Returns the GPU IR of all architectures as text, and remarks on it.
    pub fn gpu_text(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<(String, Vec<Remark>), Reported> {
        let (mut text, mut said) = (String::new(), Vec::new());
        for &arch in &options.archs {
            let mut remarks = Remarks::new(options.remarks);
            let (module, kernel_options) = (canonical.module(), options.kernel_options);
            let kernels =
                stages::lower_remarked(module, arch, kernel_options, &mut remarks, diagnostics)?;
            text.extend(kernels.iter().map(gpu::to_text));
            said.extend(remarks.take());
        }
        Ok((text, said))
    }
}

/// The multiprocessors of a large GPU.
const MULTIPROCESSORS: f64 = 132.0;

/// The bytes that a launch stores for which candidates are compared.
const LARGE: f64 = (1 << 28) as f64;

/// Returns the time of a large launch for each byte that it stores.
#[expect(clippy::cast_precision_loss, reason = "registers of a thread")]
fn seconds_per_byte(module: &Module, kernel: &gpu::Kernel, arch: Arch, work: Work) -> f64 {
    let figures = Figures::measure(kernel, arch);
    let need = need(module, kernel, arch).map_or(0, |need| need.registers);
    // A thread has 255 registers.
    let spilled = need.saturating_sub(255) as f64;
    let gpu = Gpu {
        threads: kernel.threads().into(),
        shared_bytes: figures.shared_bytes.into(),
        spilled,
        multiprocessors: MULTIPROCESSORS,
    };
    per_byte(work, |blocks| gpu.seconds(Blocks::alike(blocks, work)))
}

/// Returns the time of a large launch for each byte that it stores, or 4 bytes for each element that it stores one by one.
pub fn per_byte(work: Work, seconds: impl Fn(f64) -> f64) -> f64 {
    let bytes = (work.stored + 4.0 * work.scattered).max(1.0);
    seconds((LARGE / bytes).max(1.0)) / LARGE
}

/// Returns the name of the first entry of a module, after which its artifact is named.
fn entry_of(module: &Module) -> String {
    let entry = module.entries().next();
    entry.map_or_else(String::new, |entry| module.op(entry).sym_name().to_string())
}
