//! `tilec run`: an entry of a module, run over a grid.
//!
//! Structured loops are flattened before. What a host must pass for them is made here: room
//! behind the arguments, and the first values of what blocks combine. Files are written only
//! after a run without a fault.

mod argument;
mod launch;
mod memory;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tile_core::Diagnostics;
use tile_core::flatten::{FlattenOptions, Flattened, flatten};

use self::argument::Argument;
use crate::failure::{Failure, Report};
use crate::input::{self, Input};
use crate::options::{Accept, Print};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Text or bytecode; `-` is standard input.
    file: PathBuf,
    /// The entry to run; may be left out if there is only one.
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// How many tile blocks there are along x, y and z; what is left out is 1. Without it, a
    /// `loop.parallel` has a block for each iteration, and an entry that does not ask which
    /// block it runs in has one.
    #[arg(long, value_name = "X,Y,Z", value_parser = grid)]
    grid: Option<[u32; 3]>,
    /// An argument, in order of the parameters: a number such as `i32:5`, `f32:1.5` or
    /// `f16:0x7c00`; `buffer:PATH`, a file of little-endian elements that is written back if
    /// it has changed; `zeros:PATH:BYTES`, a file to be written, 0 at first; or
    /// `uninit:PATH:BYTES`, the same, but checks take it for never written.
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    args: Vec<Argument>,
    /// What to run on.
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
    /// Look for races between tile blocks, accesses that no token orders, and reads of memory
    /// that nothing has written; go on after undefined behaviour and say all of it. Slower.
    #[arg(long)]
    check: bool,
    /// Run operations that nothing orders in an order drawn from this number, in which a
    /// missing token shows.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// How many threads; one for each core if it is left out. The results are the same.
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// Fail where a tile block starts more iterations than this, of all its loops together.
    #[arg(long, value_name = "COUNT")]
    step_limit: Option<u64>,
}

/// What runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Device {
    /// The reference interpreter, on all cores.
    Cpu,
    /// The PTX, in the simulator.
    Sim,
    /// The first GPU.
    Cuda,
}

/// One to three extents.
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
    let unknown = |what| Failure::Host {
        file: "--device".to_owned(),
        message: format!("`tilec run` cannot use {what} yet; leave it out, or use `cpu`"),
    };
    match arguments.device {
        Device::Cpu => {}
        Device::Sim => return Err(unknown("the simulator")),
        Device::Cuda => return Err(unknown("a GPU")),
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
    launch::run(arguments, &source, &module, &entries)
}
