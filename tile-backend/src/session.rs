//! A compiler session: the entry point of the back end, which `#[tile_kernel]` and `tilec` share.
//!
//! A [`Session`] holds what outlives one kernel: the [`Environment`] and the artifact cache.
//! [`Session::canonical`] runs stages 5 and 6 on a verified module, and [`Session::compile`] stages 8 to 11. For
//! an artifact in the cache, neither LLVM nor ptxas runs. Errors in the kernel are diagnostics; a failure of the
//! host is a diagnostic too, at the location of the kernel, so that the author sees it where the build stopped.

use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::diag::Diagnostics;
use tile_core::flatten::{EntryPlan, FlattenOptions, flatten};
use tile_core::pass::assert_assumptions;
use tile_core::verify::Verified;
use tile_core::{Loc, Reported};

pub use crate::cache::Cache;
pub use crate::environment::{Environment, Malformed, SLOW};
pub use crate::error::BackendError;
pub use crate::level::{DebugInfo, Level, OptLevel};
pub use crate::llvm::library::{Library, Rejected};
pub use crate::options::{
    ClusterSplit, DisabledPasses, GridExtent, GridTiles, HostMaps, KernelOptions, NoAliasParams,
    Persistence, ScheduleOption, ScheduleOptions,
};
pub use crate::passes::{Optimization, PIPELINE, Pass, optimizations};
pub use crate::remarks::{Kind as RemarkKind, Remark};
pub use crate::schedule::retry::Attempt;
pub use crate::stages::{Artifact, CompileOptions, Dump, Output, Stage, TraceOptions};
pub use crate::timing::{Time, Times};

use crate::gpu;
use crate::remarks::Remarks;
use crate::stages::{self, Tools};

/// The settings and the cache of compilations.
#[derive(Clone, Debug)]
pub struct Session {
    environment: Environment,
    cache: Cache,
}

impl Session {
    /// Starts a session with this cache.
    pub fn new(environment: Environment, cache: Cache) -> Self {
        Self { environment, cache }
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
    pub fn missing_part(&self) -> Option<BackendError> {
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

    /// Runs stages 8 to 11. Adds the times of each stage to `times`.
    pub fn compile(
        &self,
        canonical: &Canonical,
        options: &CompileOptions,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<Artifact, Reported> {
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
        compiler.compile(times, diagnostics)
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
