//! Runs the stages of the macro, in order.
//!
//! The input is the tokens of the attribute and the item, and a [`Backend`] that turns each built
//! module into an artifact. The result is an [`Expansion`] with all inputs of the host stub, or one
//! compile error that combines all reports.

use crate::args;
use crate::build::{Variant, build};
use crate::check::{GridAxes, check, unused};
use crate::collect::bundle::{Health, Unit};
use crate::cpu_code::CpuMode;
use crate::grid_tiles;
use crate::hir;
use crate::hir::signature::{ConstParam, Instance, Param, Signature, TypeParam};
use crate::instantiate::{describe, instantiate};
use crate::parse::library::{Library, library};
use crate::parse::{self, Cx, Item, ast};
use crate::report::{SpanTable, into_error};
use crate::tune;
use proc_macro2::{Span, TokenStream};
use tile_backend::session::{KernelOptions, ScheduleOption, Times};
use tile_core::diag::{Code, Diagnostic};
use tile_core::ir::Module;
use tile_core::{Diagnostics, Loc, Reported};

/// The stages after the IR is built, from the verifier on.
pub(crate) trait Backend {
    /// The compiled form of one instance in one variant.
    type Artifact;

    /// Returns the clock on which the earlier stages record their times.
    fn clock(&mut self) -> &mut Times;

    /// Returns how long an instance is expected to take on each target, by the name of its architecture or `cpu`. Only the
    /// order within a target counts.
    fn costs(&mut self, _: &Job<'_>) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// Says that an instance is not compiled for some targets, since others are expected to be faster.
    fn say_left_out(&mut self, _: &Job<'_>, _: &[String]) {}

    /// Compiles one module. Errors in the author's kernel are reported at the locations in the
    /// module.
    fn compile(
        &mut self,
        job: Job<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self::Artifact, Reported>;
}

/// One module to compile.
pub(crate) struct Job<'a> {
    /// The kernel as the host sees it.
    pub(crate) signature: &'a Signature,
    /// Targets and tuning from the attribute.
    pub(crate) targets: &'a Targets,
    /// The instance.
    pub(crate) instance: &'a Instance,
    /// The variant.
    pub(crate) variant: Variant,
    /// The typed kernel that the module was built from.
    pub(crate) kernel: &'a hir::Kernel,
    /// A module with one entry, named by `build::entry_name`.
    pub(crate) module: Module,
}

/// The targets and tuning options of the attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// `arch("sm_80", ..)`, with the location of each name; empty if the option is absent.
    pub(crate) arch: Vec<(String, Loc)>,
    /// The code for the CPU device.
    pub(crate) cpu: CpuMode,
    /// The options `num_warps = ..`, `stages = ..`, `occupancy = ..` and so on.
    pub(crate) kernel_options: KernelOptions,
    /// The architectures that are left out, and `cpu` for native code, since the tuner has enough other candidates.
    pub(crate) left_out: Vec<String>,
}

impl Targets {
    /// Returns `true` if the kernel is only for the CPU device: `arch("cpu")`.
    pub(crate) fn is_cpu_only(&self) -> bool {
        matches!(self.arch.as_slice(), [(name, _)] if name == "cpu")
    }
}

/// A kernel with its artifacts.
pub(crate) struct Expansion<A> {
    /// The kernel as the host sees it.
    pub(crate) signature: Signature,
    /// The artifacts of each instance of the signature, in order: one per variant, the preferred
    /// one first.
    pub(crate) artifacts: Vec<Vec<(Variant, A)>>,
}

/// The input of the stages.
#[derive(Clone)]
pub(crate) struct Source {
    /// The attribute and the function of each kernel.
    pub(crate) kernels: Vec<(TokenStream, TokenStream)>,
    /// The units that the kernels may name besides the language; the first is their own module.
    pub(crate) units: Vec<Unit>,
    /// A token of the author that gives messages their hygiene. The tokens of functions have passed
    /// through macros, which rustc would otherwise mention.
    pub(crate) root: Option<Span>,
}

#[cfg(test)]
impl Source {
    /// Creates the source of one kernel that names nothing but the language.
    pub(crate) fn from_kernel(attribute: TokenStream, item: TokenStream) -> Self {
        Self {
            kernels: vec![(attribute, item)],
            units: Vec::new(),
            root: None,
        }
    }
}

/// Runs the stages. An error without any message means that the kernel names something whose errors
/// are reported at its definition.
pub(crate) fn expand<B: Backend>(
    source: Source,
    backend: &mut B,
) -> Result<Vec<Expansion<B::Artifact>>, Option<syn::Error>> {
    let mut spans = SpanTable::new(source.root);
    let mut diagnostics = Diagnostics::new();
    let expansions = stages(source, backend, &mut spans, &mut diagnostics);
    match (into_error(&mut diagnostics, &spans), expansions) {
        (Some(error), _) | (None, Err(ExpandError::Syntax(error))) => Err(Some(error)),
        (None, Ok(expansions)) => Ok(expansions),
        (None, Err(ExpandError::Elsewhere)) => Err(None),
        (None, Err(ExpandError::Reported)) => {
            unreachable!("`Reported` is the proof that something was reported")
        }
    }
}

/// The part of a kernel that rust-analyzer needs: types, even if the body has errors.
pub(crate) struct Outline {
    /// The kernel as the host sees it, as far as it could be parsed.
    pub(crate) signature: Signature,
    /// `true` if the host's view is complete: every parameter, the grid and the instances.
    pub(crate) understood: bool,
}

/// Runs the stages up to the checker. They stop early only if the text is not a function. Also
/// returns the reported errors.
pub(crate) fn outlines(source: Source) -> (Vec<syn::Result<Outline>>, Option<syn::Error>) {
    let mut spans = SpanTable::new(source.root);
    let mut diagnostics = Diagnostics::new();
    let mut cx = Cx::new(&mut spans, &mut diagnostics);
    let library = library(&mut cx, &source.units);
    let has_errors = |unit: &Unit| unit.health == Health::HasErrors;
    let sound = cx.diagnostics.checkpoint().is_ok() && !source.units.iter().any(has_errors);
    let mut list = Vec::new();
    for (attribute, item) in source.kernels {
        let errors = cx.diagnostics.error_count();
        let options = args::parse(attribute, cx.spans, cx.diagnostics);
        let mut understood = cx.diagnostics.error_count() == errors;
        list.push(parse::kernel(&mut cx, item).map(|mut item| {
            item.kernel.grid = GridAxes::from_expr(options.grid.as_ref());
            item.kernel.counted = grid_tiles::read(&mut cx, options.grid.as_ref());
            item.kernel.understood &= sound;
            let errors = cx.diagnostics.error_count();
            let instances = instantiate(&mut cx, &item, &library, &options);
            understood &= cx.diagnostics.error_count() == errors;
            understood &= item.kernel.refused_params.is_empty();
            check_instances(&item.kernel, &library, &instances, cx.diagnostics);
            let mut signature = signature(item, options.grid, instances);
            let errors = cx.diagnostics.error_count();
            signature.tuning = (options.tune.as_ref())
                .map(|tune| tune::tuning(tune, &signature, cx.spans, cx.diagnostics));
            understood &= cx.diagnostics.error_count() == errors;
            Outline {
                signature,
                understood,
            }
        }));
    }
    let error = into_error(&mut diagnostics, &spans);
    (list, error)
}

/// Returns the errors of an item that kernels can name, as far as they can be found in its own
/// text.
pub(crate) fn errors_in(unit: &Unit, others: &[Unit], root: Span) -> Option<syn::Error> {
    let mut spans = SpanTable::new(Some(root));
    let mut diagnostics = Diagnostics::new();
    let mut units = vec![unit.clone()];
    units.extend_from_slice(others);
    let mut cx = Cx::new(&mut spans, &mut diagnostics);
    library(&mut cx, &units);
    into_error(&mut diagnostics, &spans)
}

/// The reason why the stages ended early.
pub(crate) enum ExpandError {
    /// The item is not a function; nothing else was checked.
    Syntax(syn::Error),
    /// An error was reported to the sink.
    Reported,
    /// The kernel names something with errors, which are reported at its definition.
    Elsewhere,
}

impl From<syn::Error> for ExpandError {
    fn from(error: syn::Error) -> Self {
        ExpandError::Syntax(error)
    }
}

impl From<Reported> for ExpandError {
    fn from(_: Reported) -> Self {
        ExpandError::Reported
    }
}

/// Runs the stages and reports errors to the sink of the caller.
pub(crate) fn stages<B: Backend>(
    source: Source,
    backend: &mut B,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Expansion<B::Artifact>>, ExpandError> {
    let mut cx = Cx::new(spans, diagnostics);
    let library = backend
        .clock()
        .measure("parse", || library(&mut cx, &source.units));
    let has_errors = |unit: &Unit| unit.health == Health::HasErrors;
    let sound = !source.units.iter().any(has_errors);
    // If a part of a function of the module was refused, the meaning of the function is unknown.
    let understood = sound && cx.diagnostics.checkpoint().is_ok();
    let mut fronts = Vec::new();
    for (attribute, item) in source.kernels {
        let errors = cx.diagnostics.error_count();
        let mut item = backend
            .clock()
            .measure("parse", || parse::kernel(&mut cx, item))?;
        item.kernel.understood &= understood;
        let front = front(&mut cx, &library, attribute, item, backend);
        // The errors of one kernel do not hide those of another, in any stage.
        if understood && cx.diagnostics.error_count() == errors {
            fronts.push(front);
        }
    }
    let mut expansions = Vec::new();
    for front in fronts {
        expansions.push(front.compile(backend, diagnostics));
    }
    diagnostics.checkpoint()?;
    if !sound {
        return Err(ExpandError::Elsewhere);
    }
    Ok(expansions)
}

/// Refuses a name that PTX does not support, since Rust allows letters that PTX does not.
fn check_name(name: &ast::Name, diagnostics: &mut Diagnostics) {
    if name.text.is_ascii() {
        return;
    }
    let message = format!("PTX cannot name a kernel `{}`", name.text);
    diagnostics.error(
        Diagnostic::error(Code::UnsupportedByTarget, name.loc, message)
            .note("a name in PTX is made of ASCII letters, digits, `_` and `$`")
            .help("write the name in ASCII, or `#[tile_kernel(arch(\"cpu\"), ..)]` to compile for the CPU device alone"),
    );
}

/// A checked kernel.
struct Front {
    signature: Signature,
    targets: Targets,
    kernels: Vec<hir::Kernel>,
}

/// Checks one kernel.
fn front<B: Backend>(
    cx: &mut Cx<'_>,
    library: &Library,
    attribute: TokenStream,
    mut item: Item,
    backend: &mut B,
) -> Front {
    let options = args::parse(attribute, cx.spans, cx.diagnostics);
    item.kernel.grid = GridAxes::from_expr(options.grid.as_ref());
    item.kernel.counted = grid_tiles::read(cx, options.grid.as_ref());
    let instances = instantiate(cx, &item, library, &options);
    let targets = Targets {
        arch: options.arch.as_ref().map_or_else(Vec::new, |list| {
            let name = |name: &syn::LitStr| (name.value(), cx.spans.token(name.span()));
            list.iter().map(name).collect()
        }),
        cpu: options.cpu.map(|(mode, _)| mode).unwrap_or_default(),
        kernel_options: options.schedule.into(),
        left_out: Vec::new(),
    };
    if let Some((CpuMode::None, span)) = options.cpu
        && targets.is_cpu_only()
    {
        let loc = cx.spans.token(span);
        cx.diagnostics.error(
            Diagnostic::error(
                Code::AttributeOption,
                loc,
                "a kernel for the CPU device alone has code for it",
            )
            .note("`arch(\"cpu\")` compiles for the CPU device only")
            .help("leave out `cpu`, or `arch(\"cpu\")`"),
        );
    }
    // The meaning of a refused construct is unknown. Checking continues, since the error type
    // unifies with everything, but building does not.
    let errors = cx.diagnostics.error_count();
    let kernels = backend.clock().measure("check", || {
        check_instances(&item.kernel, library, &instances, cx.diagnostics)
    });
    // A refused construct may use any name, so unused names are not reported.
    if item.kernel.understood && cx.diagnostics.error_count() == errors {
        unused::check(&item.kernel, &item.attrs, cx.diagnostics);
    }
    if !targets.is_cpu_only() {
        check_name(&item.kernel.name, cx.diagnostics);
    }
    let mut signature = signature(item, options.grid, instances);
    signature.tuning = (options.tune.as_ref())
        .map(|tune| tune::tuning(tune, &signature, cx.spans, cx.diagnostics));
    for kernel in &kernels {
        for (axis, single) in kernel.single.into_iter().enumerate() {
            signature.single[axis] |= single;
            // The stub keeps the minimum over the instances.
            let max_blocks = [signature.max_blocks[axis], kernel.max_blocks[axis]];
            signature.max_blocks[axis] = max_blocks.into_iter().flatten().min();
        }
    }
    Front {
        signature,
        targets,
        kernels,
    }
}

impl Front {
    /// Compiles a checked kernel, from the IR on.
    fn compile<B: Backend>(
        self,
        backend: &mut B,
        diagnostics: &mut Diagnostics,
    ) -> Expansion<B::Artifact> {
        let Front {
            signature,
            targets,
            kernels,
        } = self;
        let mut all_targets = vec![targets; signature.instances.len()];
        for (targets, instance) in all_targets.iter_mut().zip(&signature.instances) {
            for option in ScheduleOption::ALL {
                let computed = *(option.field)(&mut instance.schedule.clone());
                let field = (option.field)(&mut targets.kernel_options.schedule);
                *field = computed.or(*field);
            }
        }
        leave_out(&signature, &kernels, &mut all_targets, backend);
        let mut artifacts = Vec::new();
        let instances = signature.instances.iter().zip(&kernels).zip(&all_targets);
        for ((instance, kernel), targets) in instances {
            let mut variants = Vec::new();
            for variant in Variant::ALL {
                let module = backend.clock().measure("build", || build(kernel, variant));
                let job = Job {
                    signature: &signature,
                    targets,
                    instance,
                    variant,
                    kernel,
                    module,
                };
                if let Ok(artifact) = backend.compile(job, diagnostics) {
                    variants.push((variant, artifact));
                }
            }
            artifacts.push(variants);
        }
        Expansion {
            signature,
            artifacts,
        }
    }
}

/// Leaves out instances of a kernel with `tune(.., candidates = N)`: of those between which the tuner chooses, the `N` that
/// are expected to be the fastest are compiled for each target.
fn leave_out<B: Backend>(
    signature: &Signature,
    kernels: &[hir::Kernel],
    all_targets: &mut [Targets],
    backend: &mut B,
) {
    let tuning = signature.tuning.as_ref();
    let Some((tuning, most)) = tuning.and_then(|tuning| Some((tuning, tuning.candidates?))) else {
        return;
    };
    if kernels.len() != signature.instances.len() {
        // There are errors.
        return;
    }
    for members in signature.tuned_groups(tuning) {
        if members.len() <= most {
            continue;
        }
        let mut costs: Vec<(String, f64, usize)> = Vec::new();
        for &index in &members {
            let (instance, kernel) = (&signature.instances[index], &kernels[index]);
            let module = build(kernel, Variant::General);
            let job = job(signature, &all_targets[index], instance, kernel, module);
            let of_instance = backend.costs(&job).into_iter();
            costs.extend(of_instance.map(|(target, cost)| (target, cost, index)));
        }
        let mut names: Vec<String> = costs.iter().map(|(target, ..)| target.clone()).collect();
        names.sort();
        names.dedup();
        for target in names {
            let of_target = costs.iter().filter(|(of, ..)| *of == target);
            let mut ranked: Vec<(f64, usize)> =
                of_target.map(|&(_, cost, index)| (cost, index)).collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            for &(_, index) in ranked.iter().skip(most) {
                all_targets[index].left_out.push(target.clone());
            }
        }
        for &index in &members {
            let (instance, kernel) = (&signature.instances[index], &kernels[index]);
            let left_out = all_targets[index].left_out.clone();
            if !left_out.is_empty() {
                let module = build(kernel, Variant::General);
                let job = job(signature, &all_targets[index], instance, kernel, module);
                backend.say_left_out(&job, &left_out);
            }
        }
    }
}

fn job<'a>(
    signature: &'a Signature,
    targets: &'a Targets,
    instance: &'a Instance,
    kernel: &'a hir::Kernel,
    module: Module,
) -> Job<'a> {
    Job {
        signature,
        targets,
        instance,
        variant: Variant::General,
        kernel,
        module,
    }
}

/// Checks every instance. An error in all instances is reported once; an error in some instances
/// names the first of them.
fn check_instances(
    kernel: &ast::Kernel,
    library: &Library,
    instances: &[Instance],
    diagnostics: &mut Diagnostics,
) -> Vec<hir::Kernel> {
    let mut kernels = Vec::new();
    let mut errors: Vec<InstanceError> = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        let mut instance_diagnostics = Diagnostics::new();
        if let Ok(kernel) = check(kernel, library, instance, &mut instance_diagnostics) {
            kernels.push(kernel);
        }
        for diagnostic in instance_diagnostics.take() {
            // The same code at the same token is one error, even if the numbers in its text differ
            // between instances.
            let earlier = errors.iter_mut().find(|earlier| {
                earlier.diagnostic.code == diagnostic.code
                    && earlier.diagnostic.primary.loc == diagnostic.primary.loc
                    && (earlier.last != index || earlier.diagnostic == diagnostic)
            });
            match earlier {
                Some(earlier) => {
                    earlier.differs |= earlier.diagnostic != diagnostic;
                    earlier.count += usize::from(earlier.last != index);
                    earlier.last = index;
                }
                None => errors.push(InstanceError {
                    diagnostic,
                    first: index,
                    last: index,
                    count: 1,
                    differs: false,
                }),
            }
        }
    }
    for error in errors {
        let mut diagnostic = error.diagnostic;
        // A race depends on the constants, so the error names them even if all instances have the
        // race.
        let of_constants = diagnostic.code == Code::StoreRace && instances.len() > 1;
        if error.count < instances.len() || error.differs || of_constants {
            let text = describe(kernel, &instances[error.first]);
            diagnostic = diagnostic.note(format!("in the instance {text}"));
        }
        diagnostics.report(diagnostic);
    }
    kernels
}

/// An error and the instances that have it.
struct InstanceError {
    diagnostic: Diagnostic,
    first: usize,
    last: usize,
    count: usize,
    /// `true` if the text of the error differs between instances.
    differs: bool,
}

fn signature(item: Item, grid: Option<syn::Expr>, instances: Vec<Instance>) -> Signature {
    let Item {
        kernel,
        attrs,
        vis,
        ident,
        type_idents,
        const_idents,
        param_idents,
        defaults: _,
    } = item;
    Signature {
        attrs,
        vis,
        is_unsafe: kernel.is_unsafe,
        ident,
        type_params: type_idents
            .into_iter()
            .map(|ident| TypeParam { ident })
            .collect(),
        const_params: const_idents
            .into_iter()
            .zip(&kernel.const_params)
            .map(|(ident, (_, ty))| ConstParam { ident, ty: *ty })
            .collect(),
        params: param_idents
            .into_iter()
            .zip(&kernel.params)
            .map(|(ident, param)| Param {
                ident,
                kind: param.kind,
            })
            .collect(),
        grid,
        instances,
        single: [false; 3],
        max_blocks: [None; 3],
        tuning: None,
    }
}
