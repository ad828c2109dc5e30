//! Stages 8 to 11 in order: layouts and GPU IR, LLVM, PTX, cubin.
//!
//! In: a canonical module and what to compile for. Out: an [`Artifact`]. An artifact
//! that the cache has costs neither LLVM nor ptxas. What is wrong with the kernel is
//! reported into the diagnostics; a failure of the host is a diagnostic too, at the
//! kernel, so that the author learns of it where the build stopped.

mod spilled;

use crate::cache::{Blobs, Cache, Key};
use crate::cubin::{Assembler, Cubin};
use crate::error::BackendError;
use crate::fatbin;
use crate::gpu::{self, Kernel, TensorMap};
use crate::isolate;
use crate::level::{DebugInfo, Level};
use crate::llvm::{self, Compilation, Context};
use crate::lower;
use crate::passes;
use crate::ptx::Ptx;
use crate::ptx::resources::{Report, Resources};
use crate::remarks::{self, Remark, Remarks};
use crate::resources::{HostMaps, Wishes};
use crate::target::{Arch, PtxVersion};
use crate::timing::Times;
use crate::tools::{self, Tool};
use spilled::Choices;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Instant;
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
    /// What is asked of warps, stages and registers.
    pub wishes: Wishes,
    /// Whether remarks on the code are wanted.
    pub remarks: bool,
    /// How hard to try, and what to say of the source.
    pub level: Level,
    /// Where finished artifacts are kept.
    pub cache: Cache,
    /// Where the product of a stage is wanted as text; the cache is then not read.
    pub dump: Option<Arc<Dump>>,
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
    /// The stage with the given name: `ir`, `gpu`, `llvm` or `ptx`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "ir" => Some(Self::Ir),
            "gpu" => Some(Self::Gpu),
            "llvm" => Some(Self::Llvm),
            "ptx" => Some(Self::Ptx),
            _ => None,
        }
    }
}

/// Collects the product of one stage. What was written is there also when a later stage
/// fails, or the worker dies: it is a file that both processes have open.
#[derive(Debug)]
pub struct Dump {
    stage: Stage,
    file: File,
}

impl Dump {
    /// An empty collection of the products of `stage`.
    pub fn new(stage: Stage) -> Result<Self, BackendError> {
        let file = tempfile::tempfile()
            .map_err(|error| BackendError::io("make a file for `TILE_DUMP`", error))?;
        Ok(Self { stage, file })
    }

    /// Forgets what was written of later stages than the module's.
    fn clear(&self) {
        if self.stage != Stage::Ir {
            let mut file = &self.file;
            let _cleared = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
        }
    }

    /// What was written so far.
    pub fn text(&self) -> Result<String, BackendError> {
        let mut text = String::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.read_to_string(&mut text))
            .map_err(|error| BackendError::io("read the file of `TILE_DUMP`", error))?;
        Ok(text)
    }
}

/// Adds a product, if its stage is wanted.
fn write(dump: Option<&Dump>, stage: Stage, text: impl FnOnce() -> String) {
    if let Some(dump) = dump.filter(|dump| dump.stage == stage) {
        let mut file = &dump.file;
        // A dump that cannot be written must not fail the build.
        let _written = file.write_all(text().as_bytes());
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
    /// Blocks of a cluster along the first axis: launched so where the grid is a multiple, else with 1.
    pub cluster: u32,
    /// Blocks that share one position of the grid: its first axis is so many times as long, and they are a
    /// cluster. 1 unless [`Wishes::parts`] allows more.
    pub parts: u32,
    /// What the host passes behind the parameters; nothing unless [`Wishes::maps`] says that it does.
    pub maps: Vec<TensorMap>,
    /// Of a kernel whose blocks take one position of the grid after the other, how many a multiprocessor runs
    /// at once; then the host passes the extents of the grid behind the maps, as three `u32`, and starts no
    /// more than that. `None` unless [`Wishes::blocks`] allows it.
    pub resident_blocks: Option<u32>,
    /// What ptxas reported.
    pub resources: Resources,
    /// The choice in whose place this was taken, if it spilled more.
    pub instead_of: Option<Spilled>,
}

/// A choice that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spilled {
    /// Warps of a block.
    pub num_warps: u32,
    /// Bytes that each thread stored and loaded because registers ran out.
    pub bytes: u32,
}

impl Launch {
    /// One line: `sm_80: 128 threads, 40 registers, 16 bytes of shared memory`, and what
    /// is spilled, if anything is.
    pub fn line(&self) -> String {
        let Self {
            arch,
            entry: _,
            threads,
            shared_bytes,
            cluster: _,
            parts: _,
            maps: _,
            resident_blocks: _,
            resources,
            instead_of: _,
        } = self;
        let registers = resources.registers;
        let mut line = format!(
            "{arch}: {threads} threads, {registers} registers, {shared_bytes} bytes of shared memory"
        );
        let spilled = resources.spilled_bytes();
        if spilled > 0 {
            let _ = write!(
                line,
                ", spills {spilled} bytes: use smaller tiles or more warps"
            );
        }
        line
    }
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
    /// The cubin of each architecture; empty if the cache had the artifact, which does not keep
    /// what the fatbin has too.
    pub cubins: Vec<(Arch, Vec<u8>)>,
    /// Whether the cache had it.
    pub cached: bool,
    /// What the author should know, in the order of the source; empty unless wanted.
    pub remarks: Vec<Remark>,
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

/// The same for who wants PTX or cubins: the fatbin is empty. The cache is not used.
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

/// Whether the fatbin is made, which takes a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bundle {
    Made,
    /// Unless a kernel spills of which something else can be tried.
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
        let found = times.measure("cache", || options.cache.get(&key));
        if let Some(mut artifact) = found.and_then(|blobs| Artifact::from_blobs(&blobs)) {
            if options.remarks {
                artifact.remarks = remarked(module, options, &artifact, diagnostics)?;
            }
            artifact.cached = true;
            return Ok(artifact);
        }
    }
    let compiler = Compiler {
        module,
        options,
        tools,
        loc,
        bundle,
    };
    let lowered = times.measure("layouts", || {
        lower_all(
            module,
            options,
            &Choices::default(),
            &mut Remarks::default(),
            diagnostics,
        )
    })?;
    write(dump, Stage::Gpu, || gpu_text(&lowered));
    let blobs = compiler.spill_least(lowered, times, diagnostics)?;
    let mut artifact = Artifact::from_blobs(&blobs)
        .ok_or_else(|| internal("the worker's answer is incomplete", loc, diagnostics))?;
    let mut kept = Blobs::new();
    for (name, bytes) in blobs.iter() {
        if !options.archs.iter().any(|&arch| name == cubin_of(arch)) {
            kept.insert(name, bytes);
        }
    }
    options.cache.put(&key, &kept);
    if options.remarks {
        artifact.remarks = remarked(module, options, &artifact, diagnostics)?;
    }
    Ok(artifact)
}

/// What is to be said of an artifact: its kernels are lowered once more as they were compiled.
fn remarked(
    module: &Module,
    options: &Options,
    artifact: &Artifact,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Remark>, Reported> {
    let mut remarks = Remarks::new(true);
    let choices = Choices::of(&artifact.launches);
    for (arch, kernels) in lower_all(module, options, &choices, &mut remarks, diagnostics)? {
        for kernel in &kernels {
            let mut launches = artifact.launches.iter();
            let launch = launches.find(|one| one.arch == arch && one.entry == kernel.name);
            if let Some(launch) = launch {
                remarks::of_launch(module, kernel, launch, &mut remarks);
            }
        }
    }
    Ok(remarks.take())
}

/// The kernels of each architecture.
type Lowered = Vec<(Arch, Vec<Kernel>)>;

/// The text of all kernels.
fn gpu_text(lowered: &[(Arch, Vec<Kernel>)]) -> String {
    let kernels = lowered.iter().flat_map(|(_, kernels)| kernels);
    kernels.map(gpu::to_text).collect()
}

/// Stage 8 for all architectures.
fn lower_all(
    module: &Module,
    options: &Options,
    choices: &Choices,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Lowered, Reported> {
    let mut lowered = Vec::new();
    for &arch in &options.archs {
        let how = Request {
            arch,
            wishes: options.wishes,
            choices,
        };
        let kernels = lower_with(module, how, remarks, diagnostics)?;
        lowered.push((arch, kernels));
    }
    Ok(lowered)
}

/// The stages that run in a worker, and what they need of the caller.
struct Compiler<'a> {
    module: &'a Module,
    options: &'a Options,
    tools: Tools,
    loc: Loc,
    bundle: Bundle,
}

impl Compiler<'_> {
    /// Runs the worker and gives its products.
    fn run(
        &self,
        work: &Work<'_>,
        times: &mut Times,
        diagnostics: &mut Diagnostics,
    ) -> Result<Blobs, Reported> {
        let loc = self.loc;
        let start = Instant::now();
        let heard = isolate::run(isolate::limit_from_environment(), |progress| {
            work.run(progress).to_bytes()
        })
        .map_err(|failure| worker_failure(&failure, loc, diagnostics))?;
        let blobs = Blobs::from_bytes(&heard)
            .ok_or_else(|| internal("the worker's answer is damaged", loc, diagnostics))?;
        if let Some(fault) = WorkerFault::from_blobs(&blobs) {
            return Err(fault.report(loc, diagnostics));
        }
        if let Some(text) = blobs.get_text("times") {
            let mut own = Times::new();
            own.add_text(text);
            // What is not of a stage is the start and the end of the process. Stages of several
            // architectures run side by side.
            times.add("worker", start.elapsed().saturating_sub(own.total()));
            times.add_text(text);
        }
        Ok(blobs)
    }
}

/// What is asked of stage 8.
#[derive(Clone, Copy, Debug)]
struct Request<'a> {
    /// The target.
    arch: Arch,
    /// What the author asks for.
    wishes: Wishes,
    /// What was found to be good, where nobody asks.
    choices: &'a Choices,
}

/// Stage 8 for one architecture: GPU IR with shared memory and barriers in place,
/// verified, within the limits of the target.
pub fn lower_for(
    module: &Module,
    arch: Arch,
    wishes: impl Into<Wishes>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let remarks = &mut Remarks::default();
    lower_remarked(module, arch, wishes.into(), remarks, diagnostics)
}

/// As [`lower_for`], with remarks on what was made, as far as they do not need ptxas.
pub fn lower_remarked(
    module: &Module,
    arch: Arch,
    wishes: Wishes,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let how = Request {
        arch,
        wishes,
        choices: &Choices::default(),
    };
    lower_with(module, how, remarks, diagnostics)
}

fn lower_with(
    module: &Module,
    how: Request<'_>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let Request {
        arch,
        wishes,
        choices,
    } = how;
    let warps = |entry: &str| choices.warps(arch, entry);
    let mut kernels = lower::lower(module, arch, wishes, &warps, remarks, diagnostics)?;
    let limit = arch.shared_bytes_per_block();
    place(&mut kernels, arch, wishes);
    if wishes.maps == HostMaps::Encoded && kernels.iter().any(|kernel| kernel.shared_bytes > limit)
    {
        // Tiles on their way to a tensor take more room than on any other way.
        let without = Wishes {
            maps: HostMaps::None,
            ..wishes
        };
        let remarks = &mut Remarks::default();
        kernels = lower::lower(module, arch, without, &warps, remarks, diagnostics)?;
        place(&mut kernels, arch, wishes);
    }
    for kernel in &mut kernels {
        passes::barriers(kernel);
        let faults = gpu::verify(kernel);
        if !faults.is_empty() {
            return Err(internal(&faults.join("; "), kernel.loc, diagnostics));
        }
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
    if remarks.is_wanted() {
        for kernel in &kernels {
            remarks::of_kernel(module, kernel, arch, remarks);
        }
    }
    Ok(kernels)
}

/// The passes before barriers.
fn place(kernels: &mut [Kernel], arch: Arch, wishes: Wishes) {
    for kernel in kernels {
        passes::dead(kernel);
        passes::skips(kernel);
        passes::masks(kernel);
        passes::rescale(kernel);
        passes::late_waits(kernel);
        passes::caching(kernel);
        // Rings are of whole tiles.
        if kernel.parts == 1 {
            passes::pipeline(kernel, arch, wishes.maps, wishes.blocks);
        }
        passes::load_once(kernel);
        passes::allocate_shared(kernel);
    }
}

/// Every location of a module: what is said of sources depends on them.
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
        wishes,
        remarks: _,
        level,
        cache: _,
        dump: _,
    } = options;
    let bytes = bytecode::write(module, tile_core::ops::Version::V13_4)
        .map_err(|error| error.to_string())?;
    let archs: Vec<String> = archs.iter().map(ToString::to_string).collect();
    let mut key = Key::builder("artifact")
        .part("bytecode", bytes)
        .part("archs", archs.join(","))
        .part("wishes", format!("{wishes:?}"))
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

/// What is made for one architecture.
struct Made {
    ptx: Ptx,
    cubin: Cubin,
    times: Times,
}

/// What the worker does.
struct Work<'a> {
    lowered: &'a [(Arch, Vec<Kernel>)],
    /// Products of architectures that are there already.
    ready: &'a Blobs,
    bundle: Bundle,
    level: Level,
    tools: &'a Tools,
    dump: Option<&'a Dump>,
}

impl Work<'_> {
    fn run(&self, progress: &mut isolate::Progress<'_>) -> Blobs {
        let mut blobs = Blobs::new();
        if let Err(error) = self.fill(&mut blobs, progress) {
            blobs = WorkerFault::of(&error).to_blobs();
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
        let made = self.make_all(progress);
        for ((arch, kernels), made) in self.lowered.iter().zip(made) {
            let Made {
                ptx,
                cubin,
                times: own,
            } = made?;
            times.add_all(&own);
            for kernel in kernels {
                let threads = kernel.threads();
                let bytes = kernel.shared_bytes;
                let parts = kernel.parts;
                let cluster = parts.max(kernel.clusters.blocks());
                let resident = if kernel.is_persistent {
                    kernel.blocks_per_multiprocessor
                } else {
                    0
                };
                let _ = writeln!(
                    launches,
                    "{arch} {} {threads} {bytes} {cluster} {parts} {resident}",
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

    /// What is there already.
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
        })
    }

    /// The code for every architecture: side by side, unless a dump wants it in order.
    fn make_all(&self, progress: &mut isolate::Progress<'_>) -> Vec<Result<Made, BackendError>> {
        // What dies is LLVM, as long as it runs for any of them.
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

    /// The code for one architecture.
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
        let ptx = self.ptx(arch, kernels, &mut times)?;
        leave_llvm();
        let cubin = times.measure("ptxas", || assembler.assemble(&ptx))?;
        Ok(Made { ptx, cubin, times })
    }

    fn ptx(&self, arch: Arch, kernels: &[Kernel], times: &mut Times) -> Result<Ptx, BackendError> {
        let cx = Context::new();
        let module = times.measure("emit", || {
            let mut module = cx.module("kernels", arch)?;
            for kernel in kernels {
                module = llvm::emit::emit_into(&cx, module, kernel, arch, self.level.debug)?;
            }
            Ok::<_, BackendError>(module)
        })?;
        write(self.dump, Stage::Llvm, || llvm::passes::to_text(&module));
        // Debug information has differences of labels.
        let debugger = (self.level.debug == DebugInfo::Full).then_some(PtxVersion::new(7, 5));
        let how = Compilation {
            level: self.level.opt,
            libdevice: Some(&self.tools.libdevice),
            least_ptx: kernels
                .iter()
                .filter_map(llvm::emit::least_ptx)
                .chain(debugger)
                .max(),
            ..Compilation::new(arch)
        };
        let ptx = llvm::passes::compile_timed(&cx, &module, &how, times)?;
        write(self.dump, Stage::Ptx, || ptx.text().to_owned());
        Ok(ptx)
    }
}

/// An error of the worker, on its way through the pipe.
struct WorkerFault {
    message: String,
    help: Option<String>,
    /// What the target cannot do, and where the kernel asks for it; the tools are not
    /// to blame then.
    unsupported: Option<(Arch, Loc)>,
}

impl WorkerFault {
    fn of(error: &BackendError) -> Self {
        let unsupported = match error {
            BackendError::Unsupported { what: _, arch, loc } => Some((*arch, *loc)),
            _ => None,
        };
        Self {
            message: error.to_string(),
            help: error.help(),
            unsupported,
        }
    }

    fn to_blobs(&self) -> Blobs {
        let Self {
            message,
            help,
            unsupported,
        } = self;
        let mut blobs = Blobs::new();
        blobs.insert("error", message.as_str());
        if let Some(help) = help {
            blobs.insert("help", help.as_str());
        }
        if let Some((arch, loc)) = unsupported {
            let file = loc.file_name().unwrap_or_default();
            let place = [loc.line(), loc.column(), loc.tag()].map(|number| number.to_string());
            blobs.insert(
                "unsupported",
                format!("{arch}\n{}\n{file}", place.join("\n")),
            );
        }
        blobs
    }

    /// The error in an answer, if it is one.
    fn from_blobs(blobs: &Blobs) -> Option<Self> {
        Some(Self {
            message: blobs.get_text("error")?.to_owned(),
            help: blobs.get_text("help").map(str::to_owned),
            unsupported: blobs.get_text("unsupported").and_then(|text| {
                let mut lines = text.split('\n');
                let arch = lines.next()?.parse().ok()?;
                let mut number = || lines.next()?.parse().ok();
                let (line, column, tag) = (number()?, number()?, number()?);
                let loc = match lines.next()? {
                    "" => Loc::UNKNOWN,
                    file => Loc::file(file, line, column),
                };
                Some((arch, loc.with_tag(tag)))
            }),
        })
    }

    fn report(self, kernel: Loc, diagnostics: &mut Diagnostics) -> Reported {
        let Self {
            message,
            help,
            unsupported,
        } = self;
        let mut diagnostic = match unsupported {
            Some((arch, loc)) => Diagnostic::error(Code::UnsupportedByTarget, loc, message)
                .note(format!("the target is `{arch}`"))
                .help("compute it in another element type or with the default rounding"),
            None => Diagnostic::error(Code::ToolFailed, kernel, message),
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        diagnostics.error(diagnostic)
    }
}

impl Artifact {
    /// The launches that spill registers, with the bytes spilled per thread.
    pub fn spills(&self) -> impl Iterator<Item = (&Launch, u32)> {
        self.launches.iter().filter_map(|launch| {
            let bytes = launch.resources.spilled_bytes();
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
            let cluster = words.next()?.parse().ok()?;
            let parts = words.next()?.parse().ok()?;
            let resident: u32 = words.next()?.parse().ok()?;
            let report = Report::from_text(blobs.get_text(&format!("report {arch}"))?).ok()?;
            let resources = report
                .resources
                .into_iter()
                .find(|used| used.entry == entry)?;
            let instead_of = blobs
                .get_text(&format!("instead {arch} {entry}"))
                .and_then(Spilled::from_text);
            let maps = match blobs.get_text(&format!("maps {arch} {entry}")) {
                Some(lines) => lines
                    .lines()
                    .map(TensorMap::from_text)
                    .collect::<Option<_>>()?,
                None => Vec::new(),
            };
            launches.push(Launch {
                arch,
                entry,
                threads,
                shared_bytes,
                cluster,
                parts,
                maps,
                resident_blocks: (resident > 0).then_some(resident),
                resources,
                instead_of,
            });
        }
        let mut archs: Vec<Arch> = launches.iter().map(|launch| launch.arch).collect();
        archs.dedup();
        let ptx = archs
            .iter()
            .map(|&arch| Some((arch, blobs.get_text(&format!("ptx {arch}"))?.to_owned())))
            .collect::<Option<_>>()?;
        let cubins = archs
            .into_iter()
            .filter_map(|arch| Some((arch, blobs.get(&cubin_of(arch))?.to_vec())))
            .collect();
        Some(Self {
            fatbin: blobs.get("fatbin")?.to_vec(),
            launches,
            ptx,
            cubins,
            cached: false,
            remarks: Vec::new(),
        })
    }
}

/// The name of a cubin among the products.
fn cubin_of(arch: Arch) -> String {
    format!("cubin {arch}")
}

fn host_failure(error: &BackendError, loc: Loc, diagnostics: &mut Diagnostics) -> Reported {
    WorkerFault::of(error).report(loc, diagnostics)
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
        Diagnostic::error(Code::Internal, loc, format!("internal error: {message}"))
            .help("report this kernel to the authors of `tile-kernel`"),
    )
}

#[cfg(test)]
mod tests {
    use super::{Dump, Stage, WorkerFault, write};
    use crate::error::BackendError;
    use crate::isolate;
    use crate::target::Arch;
    use std::time::Duration;
    use tile_core::Loc;
    use tile_core::diag::{Code, Diagnostics};

    #[test]
    fn what_the_target_cannot_do_is_reported_at_the_operation() {
        let loc = Loc::file("kernel.rs", 7, 13).with_tag(42);
        let error = BackendError::Unsupported {
            what: "`addf rounding<zero>` of `f16`".to_owned(),
            arch: Arch::SM_90A,
            loc,
        };
        let heard = WorkerFault::from_blobs(&WorkerFault::of(&error).to_blobs());
        let mut diagnostics = Diagnostics::new();
        let fault = heard.expect("the answer is an error");
        let _ = fault.report(Loc::UNKNOWN, &mut diagnostics);
        let reported = diagnostics.take().remove(0);
        assert_eq!(reported.code, Code::UnsupportedByTarget);
        assert_eq!(reported.primary.loc, loc);
        assert!(reported.notes[0].contains("sm_90a"), "{reported:?}");
    }

    #[test]
    fn a_failure_of_a_tool_is_reported_at_the_kernel() {
        let error = BackendError::UndefinedFunction {
            name: "f".to_owned(),
        };
        let heard = WorkerFault::from_blobs(&WorkerFault::of(&error).to_blobs());
        let kernel = Loc::file("kernel.rs", 3, 1);
        let mut diagnostics = Diagnostics::new();
        let _ = heard
            .expect("the answer is an error")
            .report(kernel, &mut diagnostics);
        let reported = diagnostics.take().remove(0);
        assert_eq!(
            (reported.code, reported.primary.loc),
            (Code::ToolFailed, kernel)
        );
    }

    #[test]
    fn a_dump_outlives_the_worker_that_wrote_it() {
        let dump = Dump::new(Stage::Llvm).expect("a temporary file");
        write(Some(&dump), Stage::Gpu, || "another stage".to_owned());
        let died = isolate::run(Duration::from_secs(20), |_| {
            write(Some(&dump), Stage::Llvm, || "module".to_owned());
            std::process::abort()
        });
        assert!(died.is_err());
        assert_eq!(dump.text().expect("a readable file"), "module");
    }
}
