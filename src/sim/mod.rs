//! The simulated GPU: runs the PTX of a kernel on the CPU with `tile-sim` and all its checks.
//!
//! The input is an image, the variant that a GPU would run, a checked grid and the arguments. The
//! kernel writes to the tensors, or the launch returns an [`Error::Simulated`] with the instruction
//! and the thread.
//!
//! - The simulator runs the PTX of the lowest architecture that the kernel was compiled for. Every fatbin
//!   contains this PTX, so nothing else is embedded for the simulator. Set `TILE_ARCH=sm_90a` at build time
//!   to run the PTX of `sm_90a`.
//! - Tensors are in host memory; a launch copies those that it uses to the simulator and back.
//! - A launch has finished when it returns; streams have no effect.
//! - `TILE_SEED` is the seed of the order of warps and blocks.
//! - Events have simulated times: the clock of a thread goes on by an estimate for each of its launches, which is
//!   computed from the counters ([`tile_sim::cost`]). The same launch takes the same time in every run.
//!
//! ```
//! use tile_kernel::{prelude::*, sim};
//!
//! #[tile_kernel(grid = y.tiles([128]))]
//! fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
//!     let i = block_id(0);
//!     let tile = x.load([i], [128]);
//!     y.store([i], tile + tile);
//! }
//!
//! # fn main() -> tile_kernel::Result<()> {
//! let device = Device::sim();
//! let x = Tensor::from_slice(&device, &[1.5; 128], [128])?;
//! let mut y = Tensor::zeros(&device, [128])?;
//! double(&x, &mut y).launch()?;
//! assert_eq!(y.to_vec()?, [3.0; 128]);
//!
//! let report = sim::last_report().expect("a kernel ran");
//! let counters = report.counters().expect("it came to its end");
//! assert_eq!(counters.global.loads.bytes, 4 * 128);
//! assert_eq!(counters.global.loads.efficiency(), Some(1.0));
//! # Ok(())
//! # }
//! ```

mod alone;
mod fatbin;
mod memory;

use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

use tile_sim::cost::Throughputs;
use tile_sim::{
    Arg, Launch, Memory, Module, Options, Swizzle, TensorMap, TensorMapOptions, TensorType,
};

pub use tile_sim::{
    AsyncCopies, Atomics, BankTraffic, Barriers, Copies, Counters, Family, Fault, FaultKind,
    GlobalTraffic, Group, LocalTraffic, Matmuls, Report, SectorTraffic, SharedTraffic,
};

use crate::args::Value;
use crate::checks::Checks;
use crate::facts::parameters_at;
use crate::image::{ArchImage, KernelImage, VariantImage};
use crate::launch_grid::{LaunchGrid, Occupancy, can_launch, launch_grid};
use crate::tensor_map::{Encoding, MAX_RANK, encodings};
use crate::{Error, Result, SimulatedFault};
use memory::Regions;

/// The parsed PTX of a variant.
#[derive(Debug)]
pub(crate) struct Cache(OnceLock<std::result::Result<Program, Unreadable>>);

/// The reason why a variant's PTX cannot run.
#[derive(Debug)]
enum Unreadable {
    /// The artifact is not in the format that the macro embeds.
    Artifact(String),
    /// The simulator does not support an instruction.
    Instruction {
        ptx_line: u32,
        instruction: String,
        reason: String,
    },
}

impl From<String> for Unreadable {
    fn from(reason: String) -> Unreadable {
        Unreadable::Artifact(reason)
    }
}

impl Unreadable {
    /// Returns the error of a launch for this reason.
    fn error(&self, image: &'static KernelImage) -> Error {
        match self {
            Unreadable::Artifact(reason) => Error::Artifact {
                kernel: image.name,
                reason: reason.clone(),
            },
            Unreadable::Instruction {
                ptx_line,
                instruction,
                reason,
            } => Error::NotOnSim {
                kernel: image.name,
                file: image.file,
                line: image.line,
                ptx_line: *ptx_line,
                instruction: instruction.clone(),
                reason: reason.clone(),
            },
        }
    }
}

#[derive(Debug)]
struct Program {
    text: &'static str,
    module: Module,
    /// The architecture that the PTX is for.
    arch: &'static ArchImage,
    /// The size of each parameter in bytes.
    params: Vec<usize>,
}

impl Cache {
    pub(crate) const fn new() -> Cache {
        Cache(OnceLock::new())
    }

    fn program(
        &self,
        image: &'static KernelImage,
        variant: &'static VariantImage,
    ) -> Result<&Program> {
        if variant.fatbin.is_empty() {
            return Err(Error::NoPtx { kernel: image.name });
        }
        let program = self.0.get_or_init(|| Program::read(variant));
        program.as_ref().map_err(|reason| reason.error(image))
    }
}

impl Program {
    fn read(variant: &'static VariantImage) -> std::result::Result<Program, Unreadable> {
        let text = fatbin::ptx(variant.fatbin).ok_or_else(|| "there is no PTX in it".to_owned())?;
        let target = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(".target"))
            .and_then(|rest| rest.split([',', ' ', '\t']).find(|word| !word.is_empty()))
            .ok_or_else(|| "its PTX has no `.target`".to_owned())?;
        let arch = variant
            .archs
            .iter()
            .find(|arch| arch.name == target)
            .ok_or_else(|| {
                format!("its PTX is for {target}, which is none of its architectures")
            })?;
        let module = Module::parse(text).map_err(|error| Unreadable::Instruction {
            ptx_line: error.line,
            instruction: line_of(text, error.line).unwrap_or_default().to_owned(),
            reason: error.message,
        })?;
        let params = module
            .param_bytes(variant.entry)
            .ok_or_else(|| format!("its PTX has no entry `{}`", variant.entry))?;
        Ok(Program {
            text,
            module,
            arch,
            params,
        })
    }
}

/// The number of multiprocessors of the simulated GPU. It is small, so that persistent blocks process several
/// work tiles.
pub(crate) const MULTIPROCESSORS: u32 = 4;

/// The throughputs by which the time of launches is estimated: those of so many multiprocessors of an H100.
fn throughputs() -> Throughputs {
    Throughputs::H100.share(MULTIPROCESSORS)
}

thread_local! {
    static LAST: RefCell<Option<Report>> = const { RefCell::new(None) };
    /// The estimated time of all launches of this thread in picoseconds.
    static CLOCK: Cell<u64> = const { Cell::new(0) };
}

/// Returns the time on the clock of the simulated GPU, which goes on by the estimate of each launch of this thread.
pub(crate) fn clock() -> u64 {
    CLOCK.get()
}

/// Returns the report of the last launch on the simulated GPU by this thread.
pub fn last_report() -> Option<Report> {
    LAST.with_borrow(Clone::clone)
}

/// Runs every block of a grid, or only one. Returns `false` if nothing ran because a tensor lacks a tensor map
/// that the variant needs, or because the variant does not have one block per work tile.
pub(crate) fn launch(
    image: &'static KernelImage,
    variant: &'static VariantImage,
    cache: &Cache,
    grid: [u32; 3],
    only_block: Option<[u32; 3]>,
    values: &[Value],
) -> Result<bool> {
    LAST.set(None);
    let Checks { seed, .. } = Checks::from_environment()?;
    let program = cache.program(image, variant)?;
    let mut memory = Memory::new();
    let regions = Regions::copied(values, &mut memory)?;
    let words = parameters_at(image, values, variant.kind, |target| {
        regions.address(target)
    });
    let Some(maps) = encodings(program.arch.maps, &words) else {
        return Ok(false);
    };
    let Some(maps) = maps.iter().map(encoded).collect::<Option<Vec<_>>>() else {
        return Ok(false);
    };
    let occupancy = Occupancy::unlimited(MULTIPROCESSORS);
    if !can_launch(program.arch, grid, occupancy) {
        return Ok(false);
    }
    let alone = match only_block {
        None => None,
        Some(_)
            if program.arch.persistent_blocks_per_sm.is_some()
                || program.arch.blocks_per_tile > 1 =>
        {
            return Ok(false);
        }
        Some(block) => Some(alone::module(image, program.text, block, grid)?),
    };
    let launch_grid = match only_block {
        None => launch_grid(program.arch, grid, occupancy),
        Some(_) => LaunchGrid {
            grid: [1; 3],
            cluster: 1,
            extents: None,
        },
    };
    let extents = launch_grid.extents.map_or_else(Vec::new, Vec::from);
    let passed = words.len() + maps.len() + extents.len();
    if passed != program.params.len() {
        return Err(Error::Artifact {
            kernel: image.name,
            reason: format!(
                "its PTX takes {} parameters, and the launch has {}",
                program.params.len(),
                passed
            ),
        });
    }
    let args = words
        .iter()
        .zip(&program.params)
        .map(|(word, &bytes)| Arg::bytes(&word.to_le_bytes()[..bytes.min(8)]))
        .chain(maps.iter().map(|map| Arg::bytes(&map.to_bytes())))
        .chain(extents.into_iter().map(Arg::from));
    let block = [program.arch.threads, 1, 1];
    let launch = Launch::new(variant.entry)
        .grid(launch_grid.grid)
        .block(block)
        .dynamic_shared_bytes(program.arch.shared_bytes)
        .args(args);
    let launch = match launch_grid.cluster {
        1 => launch,
        cluster => launch.cluster([cluster, 1, 1]),
    };
    let options = Options {
        seed: seed.unwrap_or(0),
        ..Options::default()
    };
    let module = alone.as_ref().unwrap_or(&program.module);
    let mut outcome = module.launch(&launch, &mut memory, &options);
    if let (Some(block), Err(fault)) = (only_block, &mut outcome) {
        fault.block = block;
    }
    let error = outcome
        .as_ref()
        .err()
        .map(|fault| error(image, program, &regions, values, fault))
        .map(|mut simulated| {
            simulated.is_persistent = launch_grid.extents.is_some();
            // The blocks that share a work tile are neighbours along the first axis.
            simulated.block[0] /= program.arch.blocks_per_tile.max(1);
            Error::Simulated(Box::new(simulated))
        });
    if let Ok(counters) = &outcome {
        let [x, y, z] = launch.blocks().map(u64::from);
        // A kernel may use less of its tensors, or come back to what it has used.
        let bytes = Some(regions.bytes());
        let time = throughputs().picoseconds(counters, x * y * z, bytes);
        CLOCK.set(CLOCK.get().saturating_add(time));
    }
    regions.copy_back(&memory);
    LAST.set(Some(Report {
        entry: variant.entry.to_owned(),
        grid,
        block,
        resources: None,
        printed: memory.take_printed(),
        outcome,
    }));
    error.map_or(Ok(true), Err)
}

/// Encodes a tensor map as the driver does. Returns `None` if the driver would reject it.
fn encoded(encoding: &Encoding) -> Option<TensorMap> {
    let Encoding {
        rank,
        element_bytes,
        swizzle,
        address,
        extents,
        strides,
        lengths,
    } = encoding;
    let options = TensorMapOptions {
        swizzle: match swizzle {
            1 => Swizzle::Bytes32,
            2 => Swizzle::Bytes64,
            3 => Swizzle::Bytes128,
            _ => Swizzle::None,
        },
        ..TensorMapOptions::default()
    };
    let element = match element_bytes {
        1 => TensorType::UInt8,
        2 => TensorType::UInt16,
        4 => TensorType::UInt32,
        _ => TensorType::UInt64,
    };
    let map = TensorMap::tiled(
        element,
        *address,
        &extents[..*rank],
        &strides[..*rank - 1],
        &lengths[..*rank],
        &[1; MAX_RANK][..*rank],
        options,
    );
    map.ok()
}

/// Returns the text of a line, counted from 1.
fn line_of(text: &str, number: u32) -> Option<&str> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    text.lines().nth(index).map(str::trim)
}

fn error(
    image: &'static KernelImage,
    program: &Program,
    regions: &Regions<'_>,
    values: &[Value],
    fault: &Fault,
) -> SimulatedFault {
    let mut kind = fault.kind.clone();
    let place = match kind {
        FaultKind::OutOfBounds { address, .. } | FaultKind::Misaligned { address, .. } => {
            regions.describe(image, values, address)
        }
        _ => None,
    };
    // The tensor's name is more helpful than the surrounding allocations.
    if place.is_some()
        && let FaultKind::OutOfBounds { around, .. } = &mut kind
    {
        around.clear();
    }
    let mut reason = kind.to_string();
    if let Some(place) = place {
        reason = format!("{reason}: {place}");
    }
    let line = line_of(program.text, fault.line);
    SimulatedFault {
        kernel: image.name,
        file: image.file,
        line: image.line,
        ptx_line: fault.line,
        instruction: line.map_or_else(|| fault.instruction.clone(), str::to_owned),
        place: fault.source.as_ref().map(ToString::to_string),
        block: fault.block,
        is_persistent: false,
        warp: fault.warp,
        lane: fault.lane,
        reason,
    }
}
