//! Stages 5 to 12 of a kernel: from the verifier to the artifact and the tokens.
//!
//! Turns the tokens of kernels and of the items that they name into the tokens that replace the
//! kernels, or into compile errors. Under rust-analyzer nothing is compiled: the tokens have the
//! same types but no code, and a copy of the kernel accompanies them for hovers and completions.

use crate::build::{Variant, build_for_cpu, grid_bounds, noalias_params, ptx_of, unit_axis};
use crate::cpu_code::{CpuCode, CpuMode, native_remarks, say_not_native, time_lines};
use crate::emit::{self, Artifact, VariantArtifact, VariantKind};
use crate::expand::{Backend, Expansion, Job, Outline, Source, Targets, expand, outlines};
use crate::grid_tiles::GridTiles;
use crate::hir::claims::Claimed;
use crate::hir::fact::{Fact, Input, Knowledge};
use crate::hir::signature::Signature;
use crate::hir::{self, ExprKind, Memory, Ty};
use crate::machine_code::MachineCode;
use crate::missing_part;
use crate::remarks::{RemarkFilter, say_spills};
use crate::work::{self, Part};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Once;
use std::time::Instant;
use syn::ext::IdentExt;
use tile_backend::manifest::Manifest;
use tile_backend::session::{
    ClusterSplit, CompileOptions, Dump, Environment, HostMaps, KernelOptions, Level, Malformed,
    OptLevel, Persistence, Remark, RemarkKind, Session, Times, per_byte,
};
use tile_backend::target::Arch;
use tile_core::canonicalize::Canonical;
use tile_core::diag::{Code, Diagnostic};
use tile_core::flatten::EntryPlan;
use tile_core::ops::Version;
use tile_core::tuning::model::{Blocks, Cpu};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Reported, bytecode};

/// The result for kernels that have errors.
pub(crate) struct FailedExpansion {
    /// The errors; `None` if they are reported elsewhere, see [`expand`].
    pub(crate) errors: Option<syn::Error>,
    /// Functions with the kernels' names, so that rustc can check host code that calls them.
    pub(crate) stand_ins: TokenStream,
}

/// Compiles kernels to the tokens that replace them.
pub(crate) fn compile(source: Source) -> Result<TokenStream, FailedExpansion> {
    let session = session();
    if session.environment().is_rust_analyzer() {
        return Ok(for_rust_analyzer(source));
    }
    let mut pipeline = Pipeline::new(session);
    let start = Instant::now();
    let again = source.clone();
    match expand(source, &mut pipeline) {
        Ok(expansions) => {
            let mut tokens = TokenStream::new();
            for Expansion {
                signature,
                artifacts,
            } in expansions
            {
                let artifacts: Vec<Artifact> = artifacts.into_iter().map(merge).collect();
                tokens.extend(
                    pipeline
                        .front
                        .measure("emit", || emit::emit(&signature, &artifacts)),
                );
                pipeline.report(&signature, start);
                pipeline.rows.clear();
                pipeline.native_lines.clear();
            }
            Ok(tokens)
        }
        Err(errors) => Err(FailedExpansion {
            errors,
            stand_ins: stand_ins(again),
        }),
    }
}

/// Returns functions that have the names and types of the kernels but no code. If one kernel has an
/// error, rustc can still check the host code that uses any of the kernels.
pub(crate) fn stand_ins(source: Source) -> TokenStream {
    let functions: Vec<TokenStream> = source
        .kernels
        .iter()
        .map(|(_, item)| item.clone())
        .collect();
    let (list, _) = outlines(source);
    let mut tokens = TokenStream::new();
    for (item, outline) in functions.into_iter().zip(list) {
        let Ok(Outline {
            signature,
            understood,
        }) = outline
        else {
            continue;
        };
        if understood {
            let artifacts = vec![Artifact::default(); signature.instances.len()];
            tokens.extend(emit::emit(&signature, &artifacts));
        } else if let Ok(function) = syn::parse2::<syn::ItemFn>(item) {
            tokens.extend(emit::stand_in(&signature, &function));
        }
    }
    tokens
}

/// Returns the stubs without code, and copies of the kernels with types. Both are emitted even
/// while a kernel is incomplete, together with its errors.
pub(crate) fn for_rust_analyzer(source: Source) -> TokenStream {
    let kernels = source.kernels.clone();
    let mut tokens = TokenStream::new();
    let (list, error) = outlines(source);
    let mut is_half_written = false;
    for ((_, item), outline) in kernels.into_iter().zip(list) {
        is_half_written |= item.to_string().contains(MISSING);
        match (syn::parse2::<syn::ItemFn>(item.clone()), outline) {
            (Ok(function), Ok(Outline { signature, .. })) => {
                let artifacts = vec![Artifact::default(); signature.instances.len()];
                tokens.extend(emit::emit(&signature, &artifacts));
                let instance = emit::plainest(&signature.instances);
                tokens.extend(emit::shadow(function, instance));
            }
            (Err(error), _) | (_, Err(error)) => tokens.extend(emit::unchanged(&item, &error)),
        }
    }
    // rust-analyzer itself reports incomplete code.
    let error = error.filter(|_| !is_half_written);
    tokens.extend(error.map(|error| error.to_compile_error()));
    tokens
}

/// A name that rust-analyzer inserts where code is incomplete, as after `x.`
const MISSING: &str = "__ra_fixup";

/// The compiled code of one instance in one variant.
pub(crate) struct Compiled {
    variant: VariantArtifact,
    /// The bytecode; only the general variant has one.
    bytecode: Option<Vec<u8>>,
    /// The line of inline PTX without a body for the CPU device.
    gpu_only: Option<u32>,
    /// The native code; only the general variant has some.
    cpu: Option<CpuCode>,
    /// The plan of the fast variant, in which more bounds are parameters.
    plan: Option<EntryPlan>,
    facts: Vec<Fact>,
    /// Claims about numbers in the kernel that a launch checks.
    claims: Vec<Claimed>,
    /// The unit-stride axis of each tensor in `fast`, if it is not the last one.
    units: Vec<(usize, usize)>,
    /// Parameters whose strides the kernel reads or states facts about.
    strides_read: Vec<usize>,
    grid: Vec<GridTiles>,
    /// `true` if the kernel has the option `programmatic_launch`.
    programmatic: bool,
    /// Of a kernel with `tune(..)`, the text of the general variant with its schedule options, and the work of a block.
    tuned: Option<(String, Vec<Part>)>,
}

fn merge(variants: Vec<(Variant, Compiled)>) -> Artifact {
    let mut artifact = Artifact::default();
    for (_, compiled) in variants {
        if let Some(bytecode) = compiled.bytecode {
            artifact.bytecode = bytecode;
        }
        artifact.gpu_only = artifact.gpu_only.or(compiled.gpu_only);
        if let Some(cpu) = compiled.cpu {
            artifact.cpu = cpu;
        }
        artifact.plan = artifact.plan.or(compiled.plan);
        artifact.variants.push(compiled.variant);
        artifact.facts = compiled.facts;
        artifact.claims = compiled.claims;
        artifact.units = compiled.units;
        artifact.strides_read = compiled.strides_read;
        artifact.grid = compiled.grid;
        artifact.programmatic = compiled.programmatic;
        if let Some((code, work)) = compiled.tuned {
            artifact.code = code;
            artifact.work = work;
        }
    }
    artifact
}

/// The backend of stages 5 to 11.
struct Pipeline {
    session: Session,
    /// `Made` if stages 8 to 11 run.
    code: MachineCode,
    /// Times of the stages that all instances share.
    front: Times,
    /// The compiled code, its source and the times, per instance and variant.
    rows: Vec<Row>,
    /// What `TILE_TIME=1` says of native code.
    native_lines: String,
}

struct Row {
    name: String,
    cached: bool,
    times: Times,
    /// The launches, with the resources that the code uses on each architecture.
    manifest: Manifest,
}

impl Pipeline {
    fn new(session: Session) -> Self {
        Self {
            code: MachineCode::for_process(session.environment()),
            session,
            front: Times::new(),
            rows: Vec::new(),
            native_lines: String::new(),
        }
    }

    /// Prints the report of `TILE_TIME=1`: once the LLVM in use, and a line for the kernel and one per instance and variant.
    #[expect(
        clippy::print_stderr,
        reason = "asked for by the user, beside cargo's own output"
    )]
    fn report(&self, signature: &Signature, start: Instant) {
        static LIBRARY: Once = Once::new();
        if !self.session.environment().shows_times() {
            return;
        }
        let mut text = String::new();
        if !(self.rows.is_empty() && self.native_lines.is_empty())
            && let Ok(library) = self.session.llvm()
        {
            // All kernels of a process are compiled with the same LLVM.
            LIBRARY.call_once(|| text = format!("tile-kernel: {library}\n"));
        }
        let _ = writeln!(
            text,
            "tile-kernel: {}: {}; expansion {:.1} ms",
            signature.ident,
            self.front.line(),
            start.elapsed().as_secs_f64() * 1e3
        );
        for Row {
            name,
            cached,
            times,
            manifest,
        } in &self.rows
        {
            let from = if *cached { "cache hit" } else { "compiled" };
            let _ = writeln!(text, "tile-kernel: {name}: {from}; {}", times.line());
            for launch in &manifest.launches {
                let _ = writeln!(text, "tile-kernel: {name}: {}", launch.line());
            }
        }
        text += &self.native_lines;
        eprint!("{text}");
    }

    /// Compiles the general variant for the CPU device. `None` is a kernel that does not run there.
    fn cpu_code(
        &mut self,
        on_cpu: Option<&Canonical>,
        mode: CpuMode,
        (kernel, instance): (&str, &str),
        diagnostics: &mut Diagnostics,
    ) -> Result<CpuCode, Reported> {
        let (Some(on_cpu), CpuMode::Native, MachineCode::Made) = (on_cpu, mode, self.code) else {
            return Ok(CpuCode::without_native(mode));
        };
        let filter = RemarkFilter::from_environment(self.session.environment())
            .map_err(|malformed| malformed.report(diagnostics))?;
        let code = self.session.native(on_cpu, diagnostics)?;
        say_not_native(&filter, (kernel, instance), code.not_native.as_ref());
        if filter.includes_kernel(kernel) && !code.levels.is_empty() {
            filter.say(instance, native_remarks(on_cpu));
        }
        self.native_lines += &time_lines(instance, &code);
        Ok(CpuCode::new(code))
    }

    fn options(
        &self,
        targets: &Targets,
        variant: Variant,
        diagnostics: &mut Diagnostics,
    ) -> Result<CompileOptions, Reported> {
        let environment = self.session.environment();
        let archs = archs(targets, environment, diagnostics)?;
        let mut refused = |malformed: Malformed| malformed.report(diagnostics);
        Ok(CompileOptions {
            kernel_options: kernel_options_for(variant, targets.kernel_options),
            slow: environment.slow().map_err(&mut refused)?,
            level: Level {
                opt: OptLevel::O3,
                debug: environment.debug_info().map_err(&mut refused)?,
            },
            dump: environment.dump().map_err(&mut refused)?,
            ..CompileOptions::new(archs)
        })
    }

    /// Runs stages 5 and 6; also returns the plan of the launch.
    fn canonical(
        &self,
        module: Module,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Canonical, Option<EntryPlan>), Reported> {
        let verified = times.measure("verify", || verify(module, diagnostics))?;
        let (canonical, plans) = self.session.canonical(verified, times, diagnostics)?;
        Ok((canonical, plans.into_iter().next()))
    }
}

/// Returns the kernel options of a variant. The stub passes tensor maps to the fast variant, and
/// launches the general one if a tensor has no map.
pub(crate) fn kernel_options_for(variant: Variant, kernel_options: KernelOptions) -> KernelOptions {
    let (maps, blocks, blocks_per_tile) = match variant {
        Variant::Fast => (HostMaps::Encoded, Persistence::Auto, ClusterSplit::Auto),
        Variant::General => (HostMaps::None, Persistence::Off, ClusterSplit::Off),
    };
    KernelOptions {
        maps,
        persistence: blocks,
        cluster_split: blocks_per_tile,
        ..kernel_options
    }
}

impl Backend for Pipeline {
    type Artifact = Compiled;

    fn clock(&mut self) -> &mut Times {
        &mut self.front
    }

    fn costs(&mut self, job: &Job<'_>) -> Vec<(String, f64)> {
        let mut unread = Diagnostics::new();
        let mut times = Times::new();
        let Ok((canonical, _)) = self.canonical(job.module.clone(), &mut times, &mut unread) else {
            return Vec::new();
        };
        let work = work::nominal(&work::count(canonical.module(), &job.signature.params));
        let cpu = Cpu {
            lanes: 16.0,
            threads: 16.0,
            scratch_bytes: largest_tiles(canonical.module()),
        };
        let mut costs = Vec::new();
        if job.targets.cpu == CpuMode::Native {
            let cost = per_byte(work, |blocks| cpu.seconds(Blocks::alike(blocks, work)));
            costs.push(("cpu".to_owned(), cost));
        }
        if !job.targets.is_cpu_only()
            && let Ok(options) = self.options(job.targets, Variant::Fast, &mut unread)
        {
            let modelled = self.session.modelled(&canonical, &options, work);
            costs.extend(
                modelled
                    .into_iter()
                    .map(|(arch, cost)| (arch.to_string(), cost)),
            );
        }
        // What is wrong is reported when it is compiled.
        unread.take();
        costs
    }

    fn say_left_out(&mut self, job: &Job<'_>, targets: &[String]) {
        let name = job.signature.ident.unraw().to_string();
        let filter = RemarkFilter::from_environment(self.session.environment());
        let Some(filter) = filter.ok().filter(|filter| filter.includes_kernel(&name)) else {
            return;
        };
        let instance = format!(
            "{name}{}",
            crate::instantiate::suffix(job.signature, job.instance)
        );
        let loc =
            { job.module.entries().next() }.map_or(Loc::UNKNOWN, |entry| job.module.op(entry).loc);
        let names: Vec<String> = targets.iter().map(|target| format!("`{target}`")).collect();
        let message = format!(
            "the instance is not compiled for {}: the model expects others to be faster",
            names.join(", ")
        );
        filter.say(
            &instance,
            vec![Remark::new(RemarkKind::LeftOut, loc, message)],
        );
    }

    fn compile(
        &mut self,
        job: Job<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Compiled, Reported> {
        let Job {
            signature,
            targets,
            instance,
            variant,
            kernel,
            module,
        } = job;
        let mut times = Times::new();
        let loc = module
            .entries()
            .next()
            .map_or(Loc::UNKNOWN, |entry| module.op(entry).loc);
        let has_ptx = ptx_of(&module).is_some();
        let (canonical, plan) = self.canonical(module, &mut times, diagnostics)?;
        let plan = plan.filter(|_| variant == Variant::Fast);
        let is_tuned = signature.tuning.is_some() && variant == Variant::General;
        let tuned = is_tuned.then(|| {
            let module = canonical.module();
            let schedule = targets.kernel_options.schedule;
            let code = format!("{}{schedule:?}", tile_core::text::print(module));
            (code, work::count(module, &signature.params))
        });
        let on_cpu = match variant {
            Variant::Fast => None,
            Variant::General if targets.cpu == CpuMode::None => None,
            Variant::General if has_ptx => Some(
                self.canonical(build_for_cpu(kernel), &mut times, diagnostics)?
                    .0,
            ),
            Variant::General => Some(canonical.clone()),
        };
        // Inline PTX without a body for the CPU device.
        let gpu_only = on_cpu.as_ref().and_then(|on_cpu| ptx_of(on_cpu.module()));
        if let Some(line) = gpu_only.filter(|_| targets.is_cpu_only()) {
            return Err(ptx_on_cpu(line, diagnostics));
        }
        let on_cpu = on_cpu.filter(|_| gpu_only.is_none());
        let name = signature.ident.unraw().to_string();
        let instance = format!("{name}{}", crate::instantiate::suffix(signature, instance));
        let cpu = match variant {
            Variant::Fast => None,
            Variant::General => {
                let names = (name.as_str(), instance.as_str());
                if targets.left_out.iter().any(|target| target == "cpu") {
                    Some(CpuCode::left_out())
                } else {
                    Some(self.cpu_code(on_cpu.as_ref(), targets.cpu, names, diagnostics)?)
                }
            }
        };
        let bytecode = on_cpu.map(|on_cpu| bytecode_of(&on_cpu, loc, &mut times, diagnostics));
        let bytecode = bytecode.transpose()?;
        let mut compiled = Compiled {
            variant: VariantArtifact {
                kind: match variant {
                    Variant::Fast => VariantKind::Fast,
                    Variant::General => VariantKind::General,
                },
                entry: crate::build::entry_name(&name, variant),
                fatbin: Vec::new(),
                manifest: Manifest::default(),
            },
            bytecode,
            gpu_only: gpu_only.map(Loc::line),
            cpu,
            facts: kernel.facts.clone(),
            claims: kernel.claims.clone(),
            units: units(kernel),
            strides_read: strides_read(kernel),
            // A parallel loop that becomes the grid has its own number of blocks.
            grid: if plan.as_ref().is_some_and(|plan| plan.grid.is_some()) {
                Vec::new()
            } else {
                kernel.grid.clone()
            },
            plan,
            programmatic: targets
                .kernel_options
                .schedule
                .programmatic_launch
                .is_some(),
            tuned,
        };
        if targets.is_cpu_only() {
            return Ok(compiled);
        }
        let filter = RemarkFilter::from_environment(self.session.environment())
            .map_err(|malformed| malformed.report(diagnostics))?;
        let includes_kernel = filter.includes_kernel(&name);
        let mut options = self.options(targets, variant, diagnostics)?;
        options.remarks = variant == Variant::Fast && includes_kernel;
        let left_out = |arch: &Arch| targets.left_out.contains(&arch.to_string());
        options.archs.retain(|arch| !left_out(arch));
        if options.archs.is_empty() {
            return Ok(compiled);
        }
        options.kernel_options.noalias = noalias_params(kernel);
        if variant == Variant::Fast && !compiled.grid.is_empty() {
            options.kernel_options.grid = grid_bounds(kernel);
        }
        if self.code == MachineCode::Skipped {
            return Ok(compiled);
        }
        let artifact = if let Some(artifact) = self.session.shipped(&canonical, &options) {
            artifact
        } else {
            if let Some(error) = self.session.missing_part() {
                let artifact = self.session.unusable_artifact(&canonical, &options);
                missing_part::warn(&error, artifact.as_deref(), self.session.environment());
                return Ok(compiled);
            }
            self.machine_code(&canonical, &options, &mut times, diagnostics)?
        };
        let name = format!("{instance} {}", variant.name());
        filter.say(&instance, artifact.remarks);
        say_spills(&name, &artifact.manifest);
        compiled.variant.manifest = artifact.manifest.clone();
        compiled.variant.fatbin = artifact.fatbin;
        self.rows.push(Row {
            name,
            cached: artifact.cached,
            times,
            manifest: artifact.manifest,
        });
        Ok(compiled)
    }
}

impl Pipeline {
    /// Compiles a module for the GPU, and says how to do without where a target lacks something.
    fn machine_code(
        &mut self,
        canonical: &Canonical,
        options: &CompileOptions,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<tile_backend::session::Artifact, Reported> {
        let mut module_diagnostics = Diagnostics::new();
        let artifact = (self.session).compile(canonical, options, times, &mut module_diagnostics);
        for mut diagnostic in module_diagnostics.take() {
            if diagnostic.code == Code::UnsupportedByTarget && diagnostic.help.is_none() {
                diagnostic = diagnostic.help(
                    "to run the kernel on the CPU device alone, write `#[tile_kernel(arch(\"cpu\"), ..)]`",
                );
            }
            diagnostics.report(diagnostic);
        }
        if let Some(dump) = &options.dump {
            print(dump);
        }
        artifact
    }
}

/// Returns the bytes of the two largest tiles of a kernel, which its native code may have in memory.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn largest_tiles(module: &Module) -> f64 {
    let Some(body) = { module.entries().next() }.and_then(|entry| module.region_block(entry, 0))
    else {
        return 0.0;
    };
    let results = module.walk(body).into_iter();
    let results = results.flat_map(|id| module.op(id).results.clone());
    let tiles = results.filter_map(|value| {
        let tile = module.ty(value).as_tile()?;
        Some(4 * tile.num_elements())
    });
    let mut sizes: Vec<i64> = tiles.collect();
    sizes.sort_unstable();
    sizes.iter().rev().take(2).sum::<i64>() as f64
}

/// Reports inline PTX of a kernel for the CPU device alone.
fn ptx_on_cpu(line: Loc, diagnostics: &mut Diagnostics) -> Reported {
    diagnostics.error(
        Diagnostic::error(
            Code::UnsupportedByTarget,
            line,
            "the CPU device does not run PTX",
        )
        .note("the kernel is for the CPU device alone: `arch(\"cpu\")`")
        .help("give it a body there: `cpu = |..| ..`, which takes the inputs"),
    )
}

/// Returns the bytecode that the CPU device runs.
fn bytecode_of(
    canonical: &Canonical,
    loc: Loc,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Reported> {
    let bytes = times.measure("bytecode", || {
        let mut module = canonical.module().clone();
        module.state_locations();
        bytecode::write(&module, Version::V13_4)
    });
    bytes.map_err(|error| {
        diagnostics.error(
            Diagnostic::error(Code::Bytecode, loc, error.to_string())
                .note("the CPU device runs a kernel from its bytecode"),
        )
    })
}

/// Returns the tensors whose unit-stride axis in `fast` is not the last one.
fn units(kernel: &hir::Kernel) -> Vec<(usize, usize)> {
    let knowledge = Knowledge::derive(&kernel.facts)
        .expect("checking refused facts that contradict each other");
    let tensors = kernel.params.iter().enumerate();
    let units = tensors.filter_map(|(index, &param)| match &kernel.local(param).ty {
        Ty::Tensor(tensor) => {
            let axis = unit_axis(&knowledge, index, tensor.rank);
            (axis + 1 != tensor.rank).then_some((index, axis))
        }
        _ => None,
    });
    units.collect()
}

/// Returns the tensors whose strides are used other than in addresses.
fn strides_read(kernel: &hir::Kernel) -> Vec<usize> {
    let mut params = BTreeSet::new();
    for fact in &kernel.facts {
        fact.condition.inputs(&mut |input| {
            if let Input::Stride(param, _) = input {
                params.insert(param);
            }
        });
    }
    for expr in &kernel.exprs {
        if let ExprKind::Memory(Memory::Stride(tensor, _)) = &expr.kind {
            params.extend(kernel.expr(*tensor).ty.tensor().map(|tensor| tensor.param));
        }
    }
    params.into_iter().collect()
}

/// Returns the architectures of the attribute, or else of `TILE_ARCH`, or else the default ones.
fn archs(
    targets: &Targets,
    environment: &Environment,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Arch>, Reported> {
    if targets.arch.is_empty() {
        let archs = environment.archs();
        return archs.map_err(|malformed| malformed.report(diagnostics));
    }
    let mut archs: Vec<Arch> = Vec::new();
    for (name, loc) in &targets.arch {
        match name.parse::<Arch>() {
            Err(_) if name == "cpu" => {
                let message = "`cpu` cannot be combined with an architecture: it is for kernels without GPU code";
                diagnostics.error(
                    Diagnostic::error(Code::AttributeOption, *loc, message)
                        .help("leave it out: every kernel runs on the CPU device"),
                );
            }
            Ok(arch) if archs.contains(&arch) => {}
            Ok(arch) => archs.push(arch),
            Err(error) => {
                let names: Vec<String> = Arch::known_names()
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect();
                diagnostics.error(
                    Diagnostic::error(Code::AttributeOption, *loc, error.to_string())
                        .help(format!("use one of {}", names.join(", "))),
                );
            }
        }
    }
    diagnostics.checkpoint()?;
    archs.sort_unstable();
    Ok(archs)
}

/// Returns a session whose cache is in a subfolder of the `target` folder that the compiler was
/// built in, so that `cargo clean` removes it. If the subfolder cannot be created, the cache is in the
/// folder of the tools.
pub(crate) fn session() -> Session {
    let environment = Environment::read();
    let target = Path::new(tile_backend::OUT_DIR).ancestors().nth(4);
    let root = target
        .map(|target| target.join("tile-kernel"))
        .filter(|root| std::fs::create_dir_all(root).is_ok())
        .or_else(|| environment.cache_root());
    let cache = environment.cache(root.as_deref());
    let artifacts = environment.artifact_folder();
    let session = Session::new(environment, cache);
    match artifacts {
        Some(folder) => session.with_artifacts(&folder),
        None => session,
    }
}

#[expect(
    clippy::print_stderr,
    reason = "asked for by the user with `TILE_DUMP`"
)]
fn print(dump: &Dump) {
    match dump.text() {
        Ok(text) => eprintln!("{text}"),
        Err(error) => eprintln!("{error}"),
    }
}
