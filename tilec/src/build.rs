//! `tilec build`: structured loops are flattened, then stages 6 to 11.
//!
//! `ir` and `gpu` need neither LLVM nor the CUDA tools. The cache of artifacts is not
//! used: the file that is written is what is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tile_backend::cache::Cache;
use tile_backend::error::BackendError;
use tile_backend::gpu;
use tile_backend::stages::{self, Dump, Options, Stage};
use tile_backend::target::Arch;
use tile_backend::timing::Times;
use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::flatten::{Buffer, Elements, FlattenOptions, Flattened, flatten};
use tile_core::verify::Verified;
use tile_core::{Loc, Reported, text};

use crate::failure::{Failure, Report, is_stream};
use crate::input::{self, Input};
use crate::options::{Accept, Print};
use crate::output;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Text or bytecode; `-` is standard input.
    file: PathBuf,
    /// The architectures to compile for, such as `sm_80,sm_90a`.
    #[arg(long, value_name = "ARCHS", value_parser = Archs::parse)]
    arch: Archs,
    /// Where to write; `-` is standard output. Else a fatbin is named after FILE, in the
    /// current folder, and text goes to standard output.
    #[arg(short)]
    output: Option<PathBuf>,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Emit::Fatbin)]
    emit: Emit,
}

/// Sorted, without duplicates, not empty.
#[derive(Clone, Debug)]
struct Archs(Vec<Arch>);

impl Archs {
    fn parse(list: &str) -> Result<Self, String> {
        Arch::parse_list(list).map(Self).map_err(|error| {
            let known = Arch::known_names().join("`, `");
            format!("{error}, known are: `{known}`")
        })
    }
}

/// The product of a stage.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Emit {
    /// Canonical Tile IR.
    Ir,
    /// GPU IR, for each architecture.
    Gpu,
    /// LLVM IR, as emitted, for each architecture.
    Llvm,
    /// PTX, for each architecture.
    Ptx,
    /// Cubins for all architectures, and PTX of the lowest.
    Fatbin,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        file,
        arch: Archs(archs),
        output,
        emit,
    } = arguments;
    let target = target(file, output.as_deref(), *emit)?;
    let input = Input::read(file, &Accept::default(), Print::default())?;
    input.warn();
    let (source, module) = input.single()?;
    let (source, module) = input::located(source, module);
    let mut diagnostics = Diagnostics::new();
    let product = flat(module, &mut diagnostics)
        .and_then(|flat| product(&canonicalize(flat), archs, *emit, &mut diagnostics));
    let diagnostics = diagnostics.take();
    match product {
        Ok(bytes) => {
            input::warn(&Report {
                source,
                diagnostics,
            });
            output::write(&target, &bytes)
        }
        Err(_) => Err(Failure::Faults(Report {
            source,
            diagnostics,
        })),
    }
}

/// The module without structured loops. What a host must pass for them is said.
fn flat(module: Verified, diagnostics: &mut Diagnostics) -> Result<Verified, Reported> {
    let locs: Vec<Loc> = module.entries().map(|id| module.op(id).loc).collect();
    let Flattened { module, entries } = flatten(module, &FlattenOptions::default(), diagnostics)?;
    for (entry, loc) in entries.iter().zip(locs) {
        if entry.buffers.is_empty() {
            continue;
        }
        let message = format!(
            "`{}` takes {} more pointers, behind its arguments",
            entry.name,
            entry.buffers.len()
        );
        let remark = Diagnostic::remark(Code::Flatten, loc, message);
        let buffers = entry.buffers.iter();
        diagnostics.report(buffers.fold(remark, |remark, buffer| remark.note(described(*buffer))));
    }
    Ok(module)
}

/// What a host must pass.
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

/// Where the product goes.
fn target(file: &Path, output: Option<&Path>, emit: Emit) -> Result<PathBuf, Failure> {
    match (output, emit) {
        (Some(path), _) => Ok(path.to_owned()),
        (None, Emit::Ir | Emit::Gpu | Emit::Llvm | Emit::Ptx) => Ok(PathBuf::from("-")),
        (None, Emit::Fatbin) => match file.file_stem() {
            Some(stem) if !is_stream(file) => {
                let mut name = stem.to_owned();
                name.push(".fatbin");
                Ok(PathBuf::from(name))
            }
            _ => Err(Failure::Host {
                file: "<stdin>".to_owned(),
                message: "a fatbin from standard input has no name; give one with `-o`".to_owned(),
            }),
        },
    }
}

fn product(
    canonical: &Canonical,
    archs: &[Arch],
    emit: Emit,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Reported> {
    match emit {
        Emit::Ir => Ok(text::print(canonical.module()).into_bytes()),
        Emit::Gpu => {
            let mut printed = String::new();
            for &arch in archs {
                let kernels = stages::lower_for(canonical.module(), arch, None, diagnostics)?;
                printed.extend(kernels.iter().map(gpu::to_text));
            }
            Ok(printed.into_bytes())
        }
        Emit::Llvm => {
            let dump = Dump::new(Stage::Llvm).map_err(|error| host(&error, diagnostics))?;
            let dump = Arc::new(dump);
            compile(canonical, archs, Some(Arc::clone(&dump)), diagnostics)?;
            let printed = dump.text().map_err(|error| host(&error, diagnostics))?;
            Ok(printed.into_bytes())
        }
        Emit::Ptx => {
            let artifact = compile(canonical, archs, None, diagnostics)?;
            let printed: String = artifact.ptx.into_iter().map(|(_, ptx)| ptx).collect();
            Ok(printed.into_bytes())
        }
        Emit::Fatbin => Ok(compile(canonical, archs, None, diagnostics)?.fatbin),
    }
}

fn compile(
    canonical: &Canonical,
    archs: &[Arch],
    dump: Option<Arc<Dump>>,
    diagnostics: &mut Diagnostics,
) -> Result<stages::Artifact, Reported> {
    let options = Options {
        archs: archs.to_vec(),
        num_warps: None,
        cache: Cache::disabled(),
        dump,
    };
    stages::compile(canonical, &options, &mut Times::new(), diagnostics)
}

fn host(error: &BackendError, diagnostics: &mut Diagnostics) -> Reported {
    diagnostics.error(Diagnostic::error(
        Code::ToolFailed,
        Loc::UNKNOWN,
        error.to_string(),
    ))
}
