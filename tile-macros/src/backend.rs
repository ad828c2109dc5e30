//! Stages 5 to 12 of a kernel: from the verifier to the artifact and the tokens.
//!
//! Turns the tokens of kernels and of the items that they name into the tokens that replace the
//! kernels, or into compile errors. Under rust-analyzer nothing is compiled: the tokens have the
//! same types but no code, and a copy of the kernel accompanies them for hovers and completions.

use crate::build::{Variant, build_for_cpu, grid_bounds, noalias_params, ptx_of, unit_axis};
use crate::emit::{self, Artifact, VariantArtifact, VariantKind};
use crate::expand::{Backend, Expansion, Job, Outline, Source, Targets, expand, outlines};
use crate::grid_tiles::GridTiles;
use crate::hir::claims::Claimed;
use crate::hir::fact::{Fact, Input, Knowledge};
use crate::hir::signature::Signature;
use crate::hir::{self, ExprKind, Memory, Ty};
use crate::remarks::{RemarkFilter, say_spills};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use syn::ext::IdentExt;
use tile_backend::cache::{Cache, default_root};
use tile_backend::level::{DebugInfo, Level, OptLevel};
use tile_backend::manifest::Manifest;
use tile_backend::resources::{ClusterSplit, HostMaps, KernelOptions, Persistence};
use tile_backend::stages::{self, Dump, Options, Stage};
use tile_backend::target::Arch;
use tile_backend::timing::{self, Times};
use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::diag::{Code, Diagnostic};
use tile_core::flatten::{EntryPlan, FlattenOptions, flatten};
use tile_core::ops::Version;
use tile_core::pass::assert_assumptions;
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
    if asks_for_types() {
        return Ok(for_rust_analyzer(source));
    }
    let mut pipeline = Pipeline::from_environment();
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

/// Returns `true` if rust-analyzer expands the macro, which needs types but no code.
pub(crate) fn asks_for_types() -> bool {
    std::env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
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
}

fn merge(variants: Vec<(Variant, Compiled)>) -> Artifact {
    let mut artifact = Artifact::default();
    for (_, compiled) in variants {
        if let Some(bytecode) = compiled.bytecode {
            artifact.bytecode = bytecode;
        }
        artifact.gpu_only = artifact.gpu_only.or(compiled.gpu_only);
        artifact.plan = artifact.plan.or(compiled.plan);
        artifact.variants.push(compiled.variant);
        artifact.facts = compiled.facts;
        artifact.claims = compiled.claims;
        artifact.units = compiled.units;
        artifact.strides_read = compiled.strides_read;
        artifact.grid = compiled.grid;
    }
    artifact
}

/// The backend of stages 5 to 11.
struct Pipeline {
    cache: Cache,
    /// `Made` if stages 8 to 11 run.
    code: MachineCode,
    /// Times of the stages that all instances share.
    front: Times,
    /// The compiled code, its source and the times, per instance and variant.
    rows: Vec<Row>,
}

struct Row {
    name: String,
    cached: bool,
    times: Times,
    /// The launches, with the resources that the code uses on each architecture.
    manifest: Manifest,
}

impl Pipeline {
    fn from_environment() -> Self {
        Self {
            cache: Cache::from_environment(cache_root().as_deref()),
            code: MachineCode::from_process_args(),
            front: Times::new(),
            rows: Vec::new(),
        }
    }

    /// Prints the report of `TILE_TIME=1`: a line for the kernel and one per instance and variant.
    #[expect(
        clippy::print_stderr,
        reason = "asked for by the user, beside cargo's own output"
    )]
    fn report(&self, signature: &Signature, start: Instant) {
        if !timing::is_wanted() {
            return;
        }
        let mut text = format!(
            "tile-kernel: {}: {}; expansion {:.1} ms\n",
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
        eprint!("{text}");
    }

    fn options(
        &self,
        targets: &Targets,
        variant: Variant,
        diagnostics: &mut Diagnostics,
    ) -> Result<Options, Reported> {
        Ok(Options {
            archs: archs(targets, diagnostics)?,
            kernel_options: kernel_options_for(variant, targets.kernel_options),
            remarks: false,
            slow: slow(diagnostics)?,
            level: level(diagnostics)?,
            cache: self.cache.clone(),
            dump: requested_dump(diagnostics)?,
        })
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
        let (canonical, plan) = canonical(module, &mut times, diagnostics)?;
        let plan = plan.filter(|_| variant == Variant::Fast);
        let on_cpu = match variant {
            Variant::Fast => None,
            Variant::General if has_ptx => {
                Some(self::canonical(build_for_cpu(kernel), &mut times, diagnostics)?.0)
            }
            Variant::General => Some(canonical.clone()),
        };
        // Inline PTX without a body for the CPU device.
        let gpu_only = on_cpu.as_ref().and_then(|on_cpu| ptx_of(on_cpu.module()));
        if let Some(line) = gpu_only.filter(|_| targets.is_cpu_only()) {
            return Err(diagnostics.error(
                Diagnostic::error(
                    Code::UnsupportedByTarget,
                    line,
                    "the CPU device does not run PTX",
                )
                .note("the kernel is for the CPU device alone: `arch(\"cpu\")`")
                .help("give it a body there: `cpu = |..| ..`, which takes the inputs"),
            ));
        }
        let bytecode = match on_cpu.filter(|_| gpu_only.is_none()) {
            None => None,
            Some(on_cpu) => {
                let bytes = times.measure("bytecode", || {
                    let mut module = on_cpu.module().clone();
                    module.state_locations();
                    bytecode::write(&module, Version::V13_4)
                });
                Some(bytes.map_err(|error| {
                    diagnostics.error(
                        Diagnostic::error(Code::Bytecode, loc, error.to_string())
                            .note("the CPU device runs a kernel from its bytecode"),
                    )
                })?)
            }
        };
        let mut compiled = Compiled {
            variant: VariantArtifact {
                kind: match variant {
                    Variant::Fast => VariantKind::Fast,
                    Variant::General => VariantKind::General,
                },
                entry: crate::build::entry_name(&signature.ident.unraw().to_string(), variant),
                fatbin: Vec::new(),
                manifest: Manifest::default(),
            },
            bytecode,
            gpu_only: gpu_only.map(|line| line.line()),
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
        };
        if targets.is_cpu_only() {
            return Ok(compiled);
        }
        let filter = RemarkFilter::from_environment(diagnostics)?;
        let includes_kernel = filter.includes_kernel(&signature.ident.unraw().to_string());
        let mut options = self.options(targets, variant, diagnostics)?;
        options.remarks = variant == Variant::Fast && includes_kernel;
        options.kernel_options.noalias = noalias_params(kernel);
        if variant == Variant::Fast && !compiled.grid.is_empty() {
            options.kernel_options.grid = grid_bounds(kernel);
        }
        if self.code == MachineCode::Skipped {
            return Ok(compiled);
        }
        let mut module_diagnostics = Diagnostics::new();
        let artifact = stages::compile(&canonical, &options, &mut times, &mut module_diagnostics);
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
        let artifact = artifact?;
        let instance = format!(
            "{}{}",
            signature.ident.unraw(),
            crate::instantiate::suffix(signature, instance)
        );
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

/// Runs stages 5 and 6; also returns the plan of the launch.
fn canonical(
    module: Module,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<(Canonical, Option<EntryPlan>), Reported> {
    let verified = times.measure("verify", || verify(module, diagnostics))?;
    let options = FlattenOptions::default();
    let flat = times.measure("flatten", || flatten(verified, &options, diagnostics))?;
    let plan = flat.entries.into_iter().next();
    let flat = if asserts_assumptions(diagnostics)? {
        assert_assumptions(flat.module, diagnostics)?
    } else {
        flat.module
    };
    Ok((times.measure("canonicalize", || canonicalize(flat)), plan))
}

/// The decision whether to generate machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MachineCode {
    /// Stages 8 to 11 run.
    Made,
    /// Machine code is skipped: rustc only checks the crate.
    Skipped,
}

impl MachineCode {
    /// Decides from the arguments of the rustc process that the macro runs in.
    fn from_process_args() -> Self {
        // Remarks, dumps and times come from these stages.
        let asked = ["TILE_REMARKS", "TILE_DUMP", "TILE_TIME"];
        let is_enabled =
            |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if asked.iter().any(is_enabled) {
            return MachineCode::Made;
        }
        Self::from_args(std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()))
    }

    /// Decides from the arguments of a rustc process. `cargo check` and clippy pass
    /// `--emit=dep-info,metadata`; `cargo build` also passes `link`. rustdoc emits no code, and its
    /// doc tests are programs that rustc compiles. Code is generated for unknown arguments.
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let program = args.next().unwrap_or_default();
        let stem = Path::new(&program).file_stem();
        if stem.is_some_and(|stem| stem == "rustdoc") {
            return MachineCode::Skipped;
        }
        let mut emits = false;
        while let Some(arg) = args.next() {
            let list = match arg.strip_prefix("--emit") {
                Some("") => args.next().unwrap_or_default(),
                Some(list) => list.trim_start_matches('=').to_owned(),
                None => continue,
            };
            for kind in list.split(',') {
                // `link=path` includes the output path.
                let kind = kind.split('=').next().unwrap_or_default();
                if !["dep-info", "metadata"].contains(&kind) {
                    return MachineCode::Made;
                }
                emits = true;
            }
        }
        if emits {
            MachineCode::Skipped
        } else {
            MachineCode::Made
        }
    }
}

#[cfg(test)]
mod code_tests {
    use super::MachineCode;

    fn from_line(line: &str) -> MachineCode {
        MachineCode::from_args(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn machine_code_is_made_where_rustc_makes_any() {
        for command in [
            "rustc --crate-name a --edition=2024 src/lib.rs --emit=dep-info,metadata,link -C opt-level=3",
            "rustc --crate-name a src/main.rs --emit=dep-info,link",
            "rustc src/main.rs",
            "rustc --emit link=a.out src/main.rs",
            "rustc --emit=metadata --emit=obj src/main.rs",
            "rustc @arguments",
            "",
        ] {
            assert_eq!(from_line(command), MachineCode::Made, "{command}");
        }
        for skipped in [
            "/usr/bin/rustc --crate-name a src/lib.rs --emit=dep-info,metadata -C debuginfo=2",
            "clippy-driver rustc --crate-name a --emit=dep-info,metadata src/lib.rs",
            "rustc --emit metadata=a.rmeta src/lib.rs",
            "/toolchain/bin/rustdoc --edition=2024 --crate-type lib src/lib.rs",
        ] {
            assert_eq!(from_line(skipped), MachineCode::Skipped, "{skipped}");
        }
    }
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
fn archs(targets: &Targets, diagnostics: &mut Diagnostics) -> Result<Vec<Arch>, Reported> {
    if targets.arch.is_empty() {
        let variable = std::env::var("TILE_ARCH").ok();
        return Arch::requested(variable.as_deref()).map_err(|error| {
            let mut diagnostic =
                Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, error.to_string())
                    .note("the environment variable `TILE_ARCH` lists what to compile for");
            if let Some(help) = error.help() {
                diagnostic = diagnostic.help(help);
            }
            diagnostics.error(diagnostic)
        });
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

/// Returns the folder of the artifact cache: a subfolder of the `target` folder that this macro was
/// built in, so that `cargo clean` removes it. Cargo sets `OUT_DIR` to
/// `target/<profile>/build/<package>/out`. If the subfolder cannot be created, this is the folder
/// of the tools.
pub(crate) fn cache_root() -> Option<std::path::PathBuf> {
    let target = Path::new(env!("OUT_DIR")).ancestors().nth(4)?;
    let root = target.join("tile-kernel");
    if std::fs::create_dir_all(&root).is_ok() {
        return Some(root);
    }
    default_root()
}

/// Returns `true` if the environment variable `TILE_ASSERT_ASSUMPTIONS` requests code that checks
/// the kernel's assumptions.
fn asserts_assumptions(diagnostics: &mut Diagnostics) -> Result<bool, Reported> {
    match std::env::var("TILE_ASSERT_ASSUMPTIONS").as_deref() {
        Err(_) | Ok("" | "0") => Ok(false),
        Ok("1") => Ok(true),
        Ok(other) => {
            let message = format!("`TILE_ASSERT_ASSUMPTIONS` is `{other}`");
            Err(diagnostics.error(
                Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, message)
                    .note("with the environment variable `TILE_ASSERT_ASSUMPTIONS` code checks what kernels assume, in place of relying on it")
                    .help("set it to 1 or 0, or unset it"),
            ))
        }
    }
}

/// Returns the compile time above which a remark is printed, from the environment variable
/// `TILE_SLOW`.
fn slow(diagnostics: &mut Diagnostics) -> Result<Duration, Reported> {
    stages::slow_from_environment().map_err(|other| {
        let message = format!("`TILE_SLOW` is `{other}`");
        diagnostics.error(
            Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, message)
                .note("the environment variable `TILE_SLOW` says how long compiling may take without a remark")
                .help("set it to a number of seconds, or unset it"),
        )
    })
}

fn level(diagnostics: &mut Diagnostics) -> Result<Level, Reported> {
    let debug = match std::env::var("TILE_LINEINFO").as_deref() {
        Err(_) | Ok("" | "0") => DebugInfo::None,
        Ok("1") => DebugInfo::Lines,
        Ok(other) => {
            let message = format!("`TILE_LINEINFO` is `{other}`");
            return Err(diagnostics.error(
                Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, message)
                    .note("with the environment variable `TILE_LINEINFO` code says which line of the source it comes from")
                    .help("set it to 1 or 0, or unset it"),
            ));
        }
    };
    Ok(Level {
        opt: OptLevel::O3,
        debug,
    })
}

/// Returns the dump that the environment variable `TILE_DUMP` requests.
fn requested_dump(diagnostics: &mut Diagnostics) -> Result<Option<Arc<Dump>>, Reported> {
    let Some(name) = std::env::var("TILE_DUMP")
        .ok()
        .filter(|name| !name.is_empty())
    else {
        return Ok(None);
    };
    let mut refuse = |message: String| {
        diagnostics.error(
            Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, message)
                .note("the environment variable `TILE_DUMP` names a stage whose output is printed")
                .help("set it to `ir`, `gpu`, `llvm` or `ptx`, or unset it"),
        )
    };
    let Some(stage) = Stage::parse(&name) else {
        return Err(refuse(format!("unknown stage `{name}`")));
    };
    let dump = Dump::new(stage).map_err(|error| refuse(error.to_string()))?;
    Ok(Some(Arc::new(dump)))
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
