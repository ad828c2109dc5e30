//! `tilec run`: runs an entry of a module over a grid.
//!
//! The command first flattens structured loops. It then allocates and initializes the buffers that
//! a host must pass for them after the arguments. Files are written only after a run without a
//! fault.

mod argument;
mod launch;
mod memory;
mod native;
mod sim;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tile_backend::session::{ClusterSplit, HostMaps};
use tile_backend::target::Arch;
use tile_core::Diagnostics;
use tile_core::flatten::{FlattenOptions, Flattened, flatten};
use tile_core::pass::assert_assumptions;
use tile_core::verify::Verified;

use self::argument::Argument;
use crate::choice;
use crate::failure::{Failure, Report, Source};
use crate::input::{self, Input};
use crate::options::{Accept, Print};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct Arguments {
    /// The module, as text or bytecode; `-` is standard input. With `--device=sim` also PTX, in a
    /// file that ends in `.ptx`.
    file: PathBuf,
    /// The entry to run; optional if there is only one.
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// The number of tile blocks along x, y and z; omitted extents are 1. By default a
    /// `loop.parallel` has one block per iteration, and an entry that does not read its block index
    /// has one block.
    #[arg(long, value_name = "X,Y,Z", value_parser = grid)]
    grid: Option<[u32; 3]>,
    /// An argument, in order of the parameters: a number such as `i32:5`, `f32:1.5` or
    /// `f16:0x7c00`; `buffer:PATH`, a file of little-endian elements that is written back if it has
    /// changed; `zeros:PATH:BYTES`, a file to be written, 0 at first; or `uninit:PATH:BYTES`, the
    /// same, but uninitialized for checks.
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    args: Vec<Argument>,
    /// The device to run on.
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
    /// The code that `--device=cpu` runs.
    #[arg(long, value_enum, value_name = "CODE")]
    cpu: Option<CpuCode>,
    /// The architecture that `--device=sim` compiles for, such as `sm_90a`; `sm_80` by default.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    arch: Option<Arch>,
    /// The source of tensor maps of `--device=sim`, which TMA loads on `sm_90` and newer need:
    /// none, or encoded from the arguments as a host does.
    #[arg(long, value_name = "FROM", value_parser = choice::tensor_maps())]
    tensor_maps: Option<HostMaps>,
    /// Blocks per work tile of `--device=sim`: one, or as many as the kernel requires.
    #[arg(long, value_name = "NUMBER", value_parser = choice::cluster_split())]
    cluster_split: Option<ClusterSplit>,
    /// Check the assumptions of the module where it runs as PTX, which otherwise relies on them.
    /// The interpreter always checks them.
    #[arg(long)]
    assert_assumptions: bool,
    /// The number of threads of a block of PTX, along x, y and z; omitted extents are 1. By default
    /// the kernel's own number, if it states one.
    #[arg(long, value_name = "X,Y,Z", value_parser = grid)]
    block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory of PTX.
    #[arg(long, value_name = "BYTES")]
    shared: Option<u32>,
    /// The checks of `--device=sim`: all, or only inexpensive ones.
    #[arg(long, value_enum, value_name = "CHECKS")]
    checks: Option<Checks>,
    /// Print the counters of `--device=sim`, as a table.
    #[arg(long)]
    counters: bool,
    /// Print a report of the run on `--device=sim` as JSON, even if it failed.
    #[arg(long, conflicts_with = "counters")]
    json: bool,
    /// Check for races between tile blocks, accesses that no token orders, and reads of
    /// uninitialized memory; continue after undefined behaviour and report all of it. Slower.
    #[arg(long)]
    check: bool,
    /// Run unordered operations in a random order with this seed, which reveals missing tokens.
    /// With `--device=sim`: warps and blocks.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// The number of threads; by default one per core. The results are the same.
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// Fail if a tile block starts more iterations than this, of all its loops together.
    #[arg(long, value_name = "COUNT")]
    step_limit: Option<u64>,
}

/// The code that the CPU device runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CpuCode {
    /// The module, in the reference interpreter. The default.
    Interpreted,
    /// Native code for this machine, which `cc` links.
    Native,
}

/// The device that runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Device {
    /// This machine, on all cores.
    Cpu,
    /// The PTX, in the simulator.
    Sim,
    /// The first GPU.
    Cuda,
}

/// The checks of the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Checks {
    /// Out-of-bounds and misaligned accesses, races, uninitialized reads, barriers.
    All,
    /// Out-of-bounds and misaligned accesses, barriers, divergence.
    Cheap,
}

fn arch(name: &str) -> Result<Arch, String> {
    name.parse().map_err(|error| {
        let known_names = Arch::known_names().join("`, `");
        format!("{error}, known are: `{known_names}`")
    })
}

/// Parses one to three extents.
fn grid(text: &str) -> Result<[u32; 3], String> {
    let mut grid = [1; 3];
    let extents: Vec<&str> = text.split(',').collect();
    if extents.len() > 3 {
        return Err(format!(
            "expected at most 3 extents, found {}",
            extents.len()
        ));
    }
    for (extent, text) in grid.iter_mut().zip(extents) {
        *extent = text
            .trim()
            .parse()
            .ok()
            .filter(|&extent| extent > 0)
            .ok_or_else(|| format!("`{text}` is no number from 1 to {}", u32::MAX))?;
    }
    Ok(grid)
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    fits(arguments)?;
    if is_ptx(&arguments.file) {
        return sim::run_ptx(arguments);
    }
    let input = Input::read(&arguments.file, &Accept::default(), Print::default())?;
    input.warn();
    let (source, module) = input.single()?;
    let (source, module) = input::located(source, module);
    let mut diagnostics = Diagnostics::new();
    let flat = flatten(module, &FlattenOptions::default(), &mut diagnostics);
    let diagnostics = diagnostics.take();
    let report = Report {
        source: source.clone(),
        diagnostics,
    };
    let Ok(Flattened { module, entries }) = flat else {
        return Err(Failure::Faults(report));
    };
    input::warn(&report);
    let module = if arguments.assert_assumptions && arguments.device != Device::Cpu {
        asserted(&source, module)?
    } else {
        module
    };
    let prepared = launch::prepare(arguments, &source, &module, &entries)?;
    match arguments.device {
        Device::Sim => sim::run(arguments, &source, module, prepared),
        Device::Cpu if arguments.cpu == Some(CpuCode::Native) => {
            native::run(arguments, &source, module, prepared)
        }
        Device::Cpu | Device::Cuda => launch::run(arguments, &source, &module, prepared, None),
    }
}

/// Replaces each assumption of the module by an assertion.
fn asserted(source: &Source, module: Verified) -> Result<Verified, Failure> {
    let mut diagnostics = Diagnostics::new();
    let asserted = assert_assumptions(module, &mut diagnostics);
    let report = Report {
        source: source.clone(),
        diagnostics: diagnostics.take(),
    };
    asserted.map_err(|_| Failure::Faults(report))
}

fn is_ptx(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ptx")
}

/// Checks that the options apply to the device.
fn fits(arguments: &Arguments) -> Result<(), Failure> {
    let refused = |option: &str, message: String| {
        Err(Failure::Host {
            file: option.to_owned(),
            message,
        })
    };
    let is_ptx = is_ptx(&arguments.file);
    match arguments.device {
        Device::Cuda => {
            let message = "`tilec run` cannot use a GPU yet; leave it out, or use `cpu` or `sim`";
            return refused("--device", message.to_owned());
        }
        Device::Cpu if is_ptx => {
            let message = "PTX runs in the simulator alone; add `--device=sim`";
            return refused("--device", message.to_owned());
        }
        Device::Cpu | Device::Sim => {}
    }
    let is_sim = arguments.device == Device::Sim;
    let compiles = is_sim && !is_ptx;
    let run_tile_ir = "leave it out, or run Tile IR with `--device=sim`";
    let add_sim = "leave it out, or add `--device=sim`";
    let is_native = arguments.cpu == Some(CpuCode::Native);
    let interpret = "leave it out, or leave out `--cpu=native`";
    let checked_anyway = "leave it out: the simulator checks anyway, or choose with `--checks`";
    for (option, is_given, is_allowed, cure) in [
        (
            "--cpu",
            arguments.cpu.is_some(),
            !is_sim,
            "leave it out, or use `--device=cpu`",
        ),
        ("--check", arguments.check, !is_native, interpret),
        ("--seed", arguments.seed.is_some(), !is_native, interpret),
        (
            "--step-limit",
            arguments.step_limit.is_some(),
            !is_native,
            interpret,
        ),
        ("--arch", arguments.arch.is_some(), compiles, run_tile_ir),
        (
            "--tensor-maps",
            arguments.tensor_maps.is_some(),
            compiles,
            run_tile_ir,
        ),
        (
            "--cluster-split",
            arguments.cluster_split.is_some(),
            compiles,
            run_tile_ir,
        ),
        (
            "--checks",
            arguments.checks.is_some(),
            is_sim,
            "use `--check`, or add `--device=sim`",
        ),
        ("--counters", arguments.counters, is_sim, add_sim),
        ("--json", arguments.json, is_sim, add_sim),
        (
            "--block",
            arguments.block.is_some(),
            is_ptx,
            "leave it out: the compiler chooses it",
        ),
        (
            "--shared",
            arguments.shared.is_some(),
            is_ptx,
            "leave it out: the compiler knows it",
        ),
        ("--check", arguments.check, !is_sim, checked_anyway),
        (
            "--step-limit",
            arguments.step_limit.is_some(),
            !is_sim,
            "leave it out, or use `--device=cpu`",
        ),
    ] {
        if is_given && !is_allowed {
            return refused(option, format!("it means nothing here; {cure}"));
        }
    }
    Ok(())
}
