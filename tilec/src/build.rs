//! `tilec build`: runs a [`Session`] on a module, from flattening to machine code.
//!
//! `ir` and `gpu` need neither LLVM nor the CUDA tools. The artifact cache is not used, since the
//! result is a file. On request, another file describes the launches. `TILE_TIME=1` prints the time
//! of every stage to standard error.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use tile_backend::manifest::Manifest;
use tile_backend::session::{
    Attempt, BackendError, ClusterSplit, CompileOptions, DebugInfo, Dump, HostMaps, KernelOptions,
    Level, OptLevel, Output, PIPELINE, Persistence, Remark, Session, Stage, Times, TraceOptions,
};
use tile_backend::target::Arch;
use tile_core::canonicalize::Canonical;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::flatten::{Buffer, Elements, EntryPlan};
use tile_core::ops::Version;
use tile_core::{Loc, Reported, text};

use crate::choice;
use crate::failure::{Failure, Report, is_stream};
use crate::input::{self, Input};
use crate::launches;
use crate::options::{Accept, Print};
use crate::output;
use crate::schedule::ScheduleArguments;
use crate::tune::explain::explain;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct Arguments {
    /// The module, as text or bytecode; `-` is standard input.
    #[arg(required_unless_present = "list_versions")]
    file: Option<PathBuf>,
    /// The architectures to compile for, such as `sm_80,sm_90a`.
    #[arg(
        long = "gpu-name",
        visible_alias = "arch",
        value_name = "ARCHS",
        value_parser = Archs::parse,
        required_unless_present = "list_versions"
    )]
    archs: Option<Archs>,
    /// Write to this file; `-` is standard output. By default a cubin or fatbin is named after
    /// FILE, in the current folder, and text goes to standard output.
    #[arg(short, long = "output-file")]
    output: Option<PathBuf>,
    /// The kind of output; by default a cubin for one architecture, a fatbin for several.
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// The optimization level, from 0 to 3; 3 by default, and 0 with `-g`, which requires it.
    #[arg(short = 'O', long = "opt-level", value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt_level: Option<u8>,
    /// Emit the source line of each instruction.
    #[arg(long)]
    lineinfo: bool,
    /// Emit debug information; nothing is optimized.
    #[arg(short = 'g', long = "device-debug")]
    device_debug: bool,
    #[command(flatten)]
    schedule: ScheduleArguments,
    /// The source of tensor maps, which TMA loads on `sm_90` and newer need. With `host`, the
    /// program that launches a kernel encodes the maps that `--launches` describes, and passes them
    /// after the arguments.
    #[arg(long, value_name = "FROM", default_value = "none", value_parser = choice::tensor_maps())]
    tensor_maps: HostMaps,
    /// Allow persistent kernels. With `auto`, the host starts one wave of blocks of the kernels
    /// that `--launches` marks, and passes the extents of the grid after the maps.
    #[arg(long, value_name = "WHICH", default_value = "off", value_parser = choice::persistence())]
    persistent: Persistence,
    /// Allow cluster splits. With `auto`, on `sm_90` and newer, rows that are too long for the
    /// registers of one block are split over a cluster of 2, 4 or 8 blocks, as `--launches` says.
    #[arg(long, value_name = "NUMBER", default_value = "off", value_parser = choice::cluster_split())]
    cluster_split: ClusterSplit,
    /// Print the GPU IR after these passes to standard error.
    #[arg(long, value_name = "PASSES", value_delimiter = ',', value_parser = pass_names())]
    print_after: Vec<String>,
    /// Print the time of each pass over GPU IR to standard error.
    #[arg(long)]
    time_passes: bool,
    /// Print what was considered for the schedule of each kernel, with figures, and why it was
    /// chosen, to standard error; with `--emit=ptx` and beyond also whether ptxas spills registers,
    /// and what was tried instead. With records of tuning also what was measured of the kernel's
    /// candidates, and what the model expects of them.
    #[arg(long)]
    explain_schedule: bool,
    /// The records of tuning for `--explain-schedule`; `-` is standard input. Default: the file that
    /// `TILE_TUNING` names.
    #[arg(long, value_name = "FILE", requires = "explain_schedule")]
    records: Option<PathBuf>,
    /// Write a description of each entry's launch as JSON (`docs/launch.md`); `-` is standard
    /// output.
    #[arg(long, value_name = "FILE")]
    launches: Option<PathBuf>,
    /// Print optimization remarks to standard error: decisions, and code that could be faster; the
    /// codes are in `docs/remarks.md`. A remark on long compile times is printed even without this
    /// option.
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    remarks: Option<Form>,
    /// List the bytecode versions that can be read, and exit.
    #[arg(long)]
    list_versions: bool,
    /// Accepted for compatibility with `tileiras`: there is no code for the host.
    #[arg(long, hide = true, value_parser = ["x86_64", "aarch64"])]
    host_arch: Option<String>,
    /// Accepted for compatibility with `tileiras`: there is no code for the host.
    #[arg(long, hide = true, value_parser = ["linux", "windows"])]
    host_os: Option<String>,
    /// The option of `tileiras` for instrumented code, which is refused.
    #[arg(long, hide = true)]
    sanitize: Option<String>,
}

/// Parses the names of passes.
fn pass_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PIPELINE.iter().map(|pass| pass.name))
}

/// A non-empty list of architectures, sorted and without duplicates.
#[derive(Clone, Debug)]
struct Archs(Vec<Arch>);

impl Archs {
    fn parse(list: &str) -> Result<Self, String> {
        Arch::parse_list(list).map(Self).map_err(|error| {
            let known_names = Arch::known_names().join("`, `");
            format!("{error}, known are: `{known_names}`")
        })
    }
}

/// The output format of remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// `FILE:LINE:COL: remark[CODE]: MESSAGE`, followed by its notes.
    Text,
    /// One JSON object per line.
    Json,
}

/// The output of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Canonical Tile IR.
    Ir,
    /// GPU IR, for each architecture.
    Gpu,
    /// LLVM IR, as emitted, for each architecture.
    Llvm,
    /// PTX, for each architecture.
    Ptx,
    /// Machine code for one architecture.
    Cubin,
    /// Cubins for all architectures, and PTX of the lowest.
    Fatbin,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.list_versions {
        let versions = Version::ALL.iter().map(|version| format!("{version}\n"));
        return output::print(&versions.collect::<String>());
    }
    let (Some(file), Some(Archs(archs))) = (&arguments.file, &arguments.archs) else {
        unreachable!("required by the command line")
    };
    if arguments.sanitize.is_some() {
        return Err(misuse(
            "--sanitize",
            "code is not instrumented; `tilec run --device=sim` makes all checks without a GPU",
        ));
    }
    let emit = emit(arguments, archs)?;
    let session = Session::without_cache();
    let options = compile_options(arguments, &session, archs, emit)?;
    let target = target(file, arguments.output.as_deref(), emit)?;
    let mut times = Times::new();
    let input = Input::read_timed(file, &Accept::default(), Print::default(), &mut times)?;
    input.warn();
    let (source, module) = input.single()?;
    let (source, module) = times.measure("locate", || input::located(source, module));
    let mut diagnostics = Diagnostics::new();
    let locs: Vec<Loc> = module.entries().map(|id| module.op(id).loc).collect();
    let product = session.canonical(module, &mut times, &mut diagnostics);
    let trace = TraceOptions {
        print_after: arguments.print_after.clone(),
        time_passes: arguments.time_passes,
        explain_schedule: arguments.explain_schedule,
    };
    let product = product.and_then(|(canonical, plans)| {
        report_buffers(&plans, locs, &mut diagnostics);
        let entries = launches::entries(canonical.module(), &plans);
        if !trace.is_empty() {
            input::say(&session.trace(&canonical, &options, &trace, &mut diagnostics)?);
        }
        let product = compile(
            &session,
            &canonical,
            options,
            emit,
            &mut times,
            &mut diagnostics,
        )?;
        Ok((product, entries))
    });
    let diagnostics = diagnostics.take();
    let name = source.name.clone();
    match product {
        Ok((product, entries)) => {
            input::warn(&Report {
                source,
                diagnostics,
            });
            // Without `--remarks`, there are only the remarks that are always printed.
            let form = arguments.remarks.unwrap_or(Form::Text);
            let remarks = product.remarks.iter();
            let written: String = remarks.map(|remark| written(remark, &name, form)).collect();
            input::say(&written);
            if arguments.explain_schedule {
                let mut attempts = String::new();
                for attempt in &product.attempts {
                    let _ = writeln!(attempts, "{attempt}");
                }
                input::say(&attempts);
                let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
                let records = arguments.records.as_deref();
                input::say(&explain(records, &names, archs)?);
            }
            times.measure("write", || output::write(&target, &product.bytes))?;
            if let Some(path) = &arguments.launches {
                let described = launches::to_json(&product.manifest, &entries);
                output::write(path, described.as_bytes())?;
            }
            report(&session, &times);
            Ok(())
        }
        Err(_) => Err(Failure::Faults(Report {
            source,
            diagnostics,
        })),
    }
}

/// Returns what to write for these architectures.
fn emit(arguments: &Arguments, archs: &[Arch]) -> Result<Emit, Failure> {
    let emit = arguments.emit.unwrap_or(match archs.len() {
        1 => Emit::Cubin,
        _ => Emit::Fatbin,
    });
    if emit == Emit::Cubin && archs.len() > 1 {
        return Err(misuse(
            "--emit=cubin",
            "a cubin is for one architecture; name one, or take `--emit=fatbin`",
        ));
    }
    check_launches(arguments, emit)?;
    Ok(emit)
}

/// Returns the options of the whole compilation.
fn compile_options(
    arguments: &Arguments,
    session: &Session,
    archs: &[Arch],
    emit: Emit,
) -> Result<CompileOptions, Failure> {
    Ok(CompileOptions {
        kernel_options: kernel_options(arguments),
        remarks: arguments.remarks.is_some(),
        slow: slow(session)?,
        level: level(arguments)?,
        output: if emit == Emit::Fatbin {
            Output::Fatbin
        } else {
            Output::Cubins
        },
        ..CompileOptions::new(archs)
    })
}

/// Returns the requests of the command line to the back end.
fn kernel_options(arguments: &Arguments) -> KernelOptions {
    KernelOptions {
        maps: arguments.tensor_maps,
        persistence: arguments.persistent,
        cluster_split: arguments.cluster_split,
        ..arguments.schedule.0.into()
    }
}

/// The result of a compilation.
#[derive(Default)]
struct Product {
    bytes: Vec<u8>,
    remarks: Vec<Remark>,
    manifest: Manifest,
    attempts: Vec<Attempt>,
}

/// Checks `--launches` and the options that depend on it. Code with tensor maps or cluster splits
/// requires `--launches`, since such code is useless to a caller that does not pass the maps or
/// start the clusters.
fn check_launches(arguments: &Arguments, emit: Emit) -> Result<(), Failure> {
    let is_code = matches!(emit, Emit::Cubin | Emit::Fatbin);
    match (&arguments.launches, arguments.tensor_maps) {
        (None, HostMaps::Encoded) if is_code => Err(misuse(
            "--tensor-maps=host",
            "a launch must pass the maps; have them described with `--launches=FILE`",
        )),
        (None, _) if is_code && arguments.cluster_split == ClusterSplit::Auto => Err(misuse(
            "--cluster-split=auto",
            "a launch must start this many blocks per work tile; write a launch description with `--launches=FILE`",
        )),
        (_, HostMaps::None) if arguments.persistent == Persistence::Auto => Err(misuse(
            "--persistent=auto",
            "it pays where hardware copies the tiles; take `--tensor-maps=host` with it",
        )),
        (Some(_), _) if matches!(emit, Emit::Ir | Emit::Gpu | Emit::Llvm) => Err(misuse(
            "--launches",
            "how a kernel is launched is known when it is compiled; take `--emit=ptx`, `cubin` or `fatbin`",
        )),
        (Some(path), _)
            if is_stream(path) && arguments.output.as_deref().map_or(!is_code, is_stream) =>
        {
            Err(misuse(
                "--launches=-",
                "the code goes to standard output; give one of them a file",
            ))
        }
        _ => Ok(()),
    }
}

/// Prints the time of each stage if `TILE_TIME=1`.
fn report(session: &Session, times: &Times) {
    if session.environment().shows_times() {
        // If standard error is closed, the output is lost.
        let _written = writeln!(io::stderr(), "tilec: {}", times.line());
    }
}

/// Formats a remark; `file` is the file of the remark unless the remark's location names another.
fn written(remark: &Remark, file: &str, form: Form) -> String {
    let Remark {
        kind,
        loc,
        message,
        notes,
        help,
        entry,
        archs,
    } = remark;
    match form {
        Form::Text => remark.to_text(file),
        Form::Json => {
            let archs: Vec<String> = archs.iter().map(ToString::to_string).collect();
            let object = serde_json::json!({
                "code": kind.code(),
                "title": kind.title(),
                "file": loc.file_name().unwrap_or(file),
                "line": loc.line(),
                "column": loc.column(),
                "message": message,
                "notes": notes,
                "help": help,
                "entry": entry,
                "archs": archs,
            });
            format!("{object}\n")
        }
    }
}

fn misuse(option: &str, message: &str) -> Failure {
    Failure::Host {
        file: option.to_owned(),
        message: message.to_owned(),
    }
}

/// Returns the compile time after which a remark is printed.
pub(crate) fn slow(session: &Session) -> Result<Duration, Failure> {
    session.environment().slow().map_err(|malformed| {
        let help = malformed.help.unwrap_or_default();
        let message = format!("it is `{}`; {help}", malformed.value);
        misuse(malformed.variable, &message)
    })
}

/// Returns the optimization level, which is 0 with debug information.
fn level(arguments: &Arguments) -> Result<Level, Failure> {
    let asked = arguments.opt_level;
    let opt = asked.map_or(OptLevel::O3, |level| OptLevel::ALL[usize::from(level)]);
    if !arguments.device_debug {
        let debug = if arguments.lineinfo {
            DebugInfo::Lines
        } else {
            DebugInfo::None
        };
        return Ok(Level { opt, debug });
    }
    if asked.is_some_and(|level| level > 0) {
        return Err(misuse(
            "-g",
            "what a debugger shall see is not optimized; take `-O0`, or `--lineinfo` instead of `-g`",
        ));
    }
    Ok(Level {
        opt: OptLevel::O0,
        debug: DebugInfo::Full,
    })
}

/// Reports the buffers that a host must pass for flattened loops.
fn report_buffers(plans: &[EntryPlan], locs: Vec<Loc>, diagnostics: &mut Diagnostics) {
    for (entry, loc) in plans.iter().zip(locs) {
        if entry.buffers.is_empty() {
            continue;
        }
        let message = format!(
            "`{}` takes {} more pointers, after its arguments",
            entry.name,
            entry.buffers.len()
        );
        let remark = Diagnostic::remark(Code::Flatten, loc, message);
        let buffers = entry.buffers.iter();
        diagnostics.report(buffers.fold(remark, |remark, buffer| remark.note(described(*buffer))));
    }
}

/// Describes a buffer that a host must pass.
fn described(buffer: Buffer) -> String {
    let Buffer {
        element,
        elements,
        zeroed,
    } = buffer;
    let size = match elements {
        Elements::Fixed(count) => format!("{count} of `{element}`"),
        Elements::PerBlock(count) => format!("{count} of `{element}` for each block of the grid"),
    };
    let zeroed = if zeroed {
        ", 0 at the first launch"
    } else {
        ""
    };
    format!("room for {size}{zeroed}")
}

/// Returns the path of the output: the given path, or by default one that depends on FILE and
/// `emit`.
fn target(file: &Path, output: Option<&Path>, emit: Emit) -> Result<PathBuf, Failure> {
    match (output, emit) {
        (Some(path), _) => Ok(path.to_owned()),
        (None, Emit::Ir | Emit::Gpu | Emit::Llvm | Emit::Ptx) => Ok(PathBuf::from("-")),
        (None, Emit::Cubin | Emit::Fatbin) => match file.file_stem() {
            Some(stem) if !is_stream(file) => {
                let mut name = stem.to_owned();
                name.push(if emit == Emit::Cubin {
                    ".cubin"
                } else {
                    ".fatbin"
                });
                Ok(PathBuf::from(name))
            }
            _ => Err(misuse(
                "<stdin>",
                "code from standard input has no name; give one with `-o`",
            )),
        },
    }
}

fn compile(
    session: &Session,
    canonical: &Canonical,
    mut options: CompileOptions,
    emit: Emit,
    times: &mut Times,
    diagnostics: &mut Diagnostics,
) -> Result<Product, Reported> {
    match emit {
        Emit::Ir => {
            return Ok(Product {
                bytes: text::print(canonical.module()).into_bytes(),
                ..Product::default()
            });
        }
        Emit::Gpu => {
            let (text, remarks) = session.gpu_text(canonical, &options, diagnostics)?;
            return Ok(Product {
                bytes: text.into_bytes(),
                remarks,
                ..Product::default()
            });
        }
        Emit::Llvm => {
            let dump = Dump::new(Stage::Llvm).map_err(|error| host(&error, diagnostics))?;
            options.dump = Some(Arc::new(dump));
        }
        Emit::Ptx | Emit::Cubin | Emit::Fatbin => {}
    }
    let mut artifact = session.compile(canonical, &options, times, diagnostics)?;
    let bytes = match (&options.dump, emit) {
        (Some(dump), _) => {
            let text = dump.text().map_err(|error| host(&error, diagnostics))?;
            text.into_bytes()
        }
        (None, Emit::Fatbin) => artifact.fatbin,
        (None, Emit::Cubin) => artifact.cubins.remove(0).1,
        (None, Emit::Ir | Emit::Gpu | Emit::Llvm | Emit::Ptx) => {
            let texts = artifact.ptx.into_iter().map(|(_, ptx)| ptx);
            texts.collect::<String>().into_bytes()
        }
    };
    Ok(Product {
        bytes,
        remarks: artifact.remarks,
        manifest: artifact.manifest,
        attempts: artifact.attempts,
    })
}

fn host(error: &BackendError, diagnostics: &mut Diagnostics) -> Reported {
    diagnostics.error(Diagnostic::error(
        Code::ToolFailed,
        Loc::UNKNOWN,
        error.to_string(),
    ))
}
