//! Runs a module in the interpreter, and its compiled code in the simulator.

use std::collections::BTreeSet;

use tile_backend::internals::lower_for;
use tile_backend::session::{
    Artifact, CompileOptions, HostMaps, KernelOptions, OptLevel, ScheduleOptions, Session, Times,
};
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::ir::Module;
use tile_core::testing::{Argument, Runnable};
use tile_core::types::{Element, Scalar};
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, text};

use super::maps::encoded;
use super::support::options;

/// The alignment that `cuMemAlloc` guarantees.
const ALIGNMENT: u64 = 256;

/// Limit on executed instructions, which only mutants that loop forever exceed.
const MAX_INSTRUCTIONS: u64 = 1 << 26;

/// The result of a run in the simulator.
#[derive(Debug)]
pub(crate) struct Simulated {
    /// The bytes of every buffer, in the order of the arguments.
    pub(crate) buffers: Vec<Vec<u8>>,
    pub(crate) printed: String,
    pub(crate) fault: Option<tile_sim::Fault>,
    /// Bank conflicts of shared memory, if the launch ended.
    pub(crate) conflicts: u64,
    /// All counters, if the launch ended.
    pub(crate) counters: Option<tile_sim::Counters>,
}

pub(crate) fn verified(module: &Module) -> Result<Verified, String> {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module.clone(), &mut diagnostics);
    verified.map_err(|_| format!("{:#?}\n{}", diagnostics.take(), text::print(module)))
}

/// Returns the entry's parameters: for each, the type of the number or of the elements that the pointer
/// points to, and `true` for a pointer.
pub(crate) fn parameters(module: &Module) -> Vec<(Scalar, bool)> {
    let entry = module.entries().next().expect("an entry");
    let body = module.region_block(entry, 0).expect("an entry has a body");
    let args = &module.block(body).args;
    let element = |arg: &tile_core::ir::ValueId| {
        let tile = module.ty(*arg).as_tile().expect("entries take tiles");
        match tile.element {
            Element::Scalar(scalar) => (scalar, false),
            Element::Ptr(pointee) => (pointee, true),
        }
    };
    args.iter().map(element).collect()
}

/// Returns the optimization level that `TILE_RUN_LEVEL` sets, from 0 to 3; 3 by default.
fn level() -> OptLevel {
    let Ok(text) = std::env::var("TILE_RUN_LEVEL") else {
        return OptLevel::default();
    };
    let named = |level: &OptLevel| level.number().to_string() == text;
    let actual = OptLevel::ALL.into_iter().find(named);
    actual.unwrap_or_else(|| panic!("`TILE_RUN_LEVEL` is 0, 1, 2 or 3, not `{text}`"))
}

/// Minimum number of warps of a block in these tests, unless a test sets the number.
const SEVERAL: u32 = 4;

/// Returns [`SEVERAL`] if the compiler would choose fewer warps.
pub(crate) fn several_warps(module: &Module, arch: Arch) -> Result<Option<u32>, String> {
    let mut diagnostics = Diagnostics::new();
    let canonical = canonicalize(verified(module)?);
    let kernels = lower_for(canonical.module(), arch, None, &mut diagnostics);
    // The compilation reports any error again.
    drop(diagnostics.take());
    let chosen = kernels
        .iter()
        .flatten()
        .map(|kernel| kernel.launch.num_warps);
    Ok(chosen
        .min()
        .filter(|&warps| warps < SEVERAL)
        .map(|_| SEVERAL))
}

/// Compiles the canonical form of a module, with at least [`SEVERAL`] warps if no number of warps is given.
/// The error is the text of the diagnostics.
pub(crate) fn compile(
    module: &Module,
    arch: Arch,
    num_warps: Option<u32>,
) -> Result<Artifact, String> {
    let num_warps = match num_warps {
        Some(warps) => Some(warps),
        None => several_warps(module, arch)?,
    };
    compile_with_options(module, arch, num_warps.into())
}

/// Does the same as [`compile`], with tensor maps where TMA applies; [`simulate`] encodes the maps.
pub(crate) fn compile_with_maps(
    module: &Module,
    arch: Arch,
    num_warps: Option<u32>,
) -> Result<Artifact, String> {
    let num_warps = num_warps.or(several_warps(module, arch)?);
    let schedule = ScheduleOptions {
        num_warps,
        ..ScheduleOptions::default()
    };
    compile_with_options(module, arch, options(schedule, HostMaps::Encoded))
}

/// Does the same as [`compile`], with the number of warps that the compiler chooses.
pub(crate) fn compile_as_chosen(module: &Module, arch: Arch) -> Result<Artifact, String> {
    compile_with_options(module, arch, KernelOptions::default())
}

/// Does the same as [`compile`], with the given options.
pub(crate) fn compile_with_options(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
) -> Result<Artifact, String> {
    let options = CompileOptions {
        kernel_options,
        level: level().into(),
        ..CompileOptions::new([arch])
    };
    let session = Session::without_cache();
    let mut diagnostics = Diagnostics::new();
    let canonical = canonicalize(verified(module)?);
    session
        .compile(&canonical, &options, &mut Times::new(), &mut diagnostics)
        .map_err(|_| {
            let messages = diagnostics.take();
            let said: BTreeSet<String> =
                messages.iter().map(|error| error.message.clone()).collect();
            Vec::from_iter(said).join("\n")
        })
}

/// Parses the compiled PTX.
pub(crate) fn parsed(artifact: &Artifact) -> tile_sim::Module {
    let [(_, ptx)] = artifact.ptx.as_slice() else {
        panic!("PTX of one architecture");
    };
    tile_sim::Module::parse(ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"))
}

/// A seed with which one block processes all work tiles.
pub(crate) const BY_ONE_BLOCK: u64 = 1;

/// Returns the launch grid of a persistent kernel. Depending on the seed, it has a few blocks, one per work
/// tile, or more. The first axis is a multiple of the cluster size.
fn started(grid: [u32; 3], cluster: u32, seed: u64) -> [u32; 3] {
    let positions: u32 = grid.iter().product();
    let [x, y, z] = match seed % 6 {
        0 => [2, 1, 1],
        BY_ONE_BLOCK => [1, 1, 1],
        2 => [3, 1, 1],
        3 => grid,
        4 => [positions + 2, 1, 1],
        _ => [positions.div_ceil(2), 1, 1],
    };
    [x.next_multiple_of(cluster), y, z]
}

/// Runs compiled code, with all checks, in clusters if the grid is a multiple of the cluster size.
pub(crate) fn simulate(
    artifact: &Artifact,
    parsed: &tile_sim::Module,
    runnable: &Runnable,
    seed: u64,
) -> Simulated {
    simulate_in(
        blocks_together(artifact, runnable),
        artifact,
        parsed,
        runnable,
        seed,
    )
}

/// Does the same as [`simulate`], with tensors that begin `fronts` bytes after the starts of their buffers.
pub(crate) fn simulate_behind(
    fronts: &[usize],
    artifact: &Artifact,
    parsed: &tile_sim::Module,
    runnable: &Runnable,
    seed: u64,
) -> Simulated {
    let together = blocks_together(artifact, runnable);
    simulate_launch(together, fronts, artifact, parsed, runnable, seed)
}

/// Returns the cluster size of a launch.
pub(crate) fn blocks_together(artifact: &Artifact, runnable: &Runnable) -> u32 {
    let launch = &artifact.manifest.launches[0];
    let cluster = launch.cluster;
    if (runnable.grid[0] * launch.blocks_per_tile).is_multiple_of(cluster) {
        cluster
    } else {
        1
    }
}

/// Runs compiled code in clusters of `cluster` blocks.
pub(crate) fn simulate_in(
    cluster: u32,
    artifact: &Artifact,
    parsed: &tile_sim::Module,
    runnable: &Runnable,
    seed: u64,
) -> Simulated {
    simulate_launch(cluster, &[], artifact, parsed, runnable, seed)
}

/// Launches in clusters of `cluster` blocks. The pointer to each buffer is advanced by the number of bytes
/// that `fronts` has for the buffer, or by 0.
fn simulate_launch(
    cluster: u32,
    fronts: &[usize],
    artifact: &Artifact,
    parsed: &tile_sim::Module,
    runnable: &Runnable,
    seed: u64,
) -> Simulated {
    let launch = &artifact.manifest.launches[0];
    let mut memory = tile_sim::Memory::new();
    let mut addresses = Vec::new();
    let widths = parsed
        .param_bytes(&launch.entry)
        .expect("the entry is there");
    let mut words = Vec::new();
    let args = runnable.args.iter().zip(widths).map(|(arg, width)| {
        let word = match arg {
            Argument::Buffer(bytes) => {
                let address = memory.alloc_with(bytes, ALIGNMENT);
                let front = fronts.get(addresses.len()).copied().unwrap_or(0);
                addresses.push(address);
                address + front as u64
            }
            &Argument::Number(bits) => bits,
        };
        words.push(word);
        tile_sim::Arg::bytes(&word.to_le_bytes()[..width.min(8)])
    });
    let mut args: Vec<tile_sim::Arg> = args.collect();
    let maps = launch.maps.iter();
    args.extend(maps.map(|map| {
        let map = encoded(map, &words).expect("the pass takes tensors that have maps");
        tile_sim::Arg::bytes(&map.to_bytes())
    }));
    let mut grid = runnable.grid;
    grid[0] *= launch.blocks_per_tile;
    if launch.persistent_blocks_per_sm.is_some() {
        args.extend(grid.map(|extent| tile_sim::Arg::bytes(&extent.to_le_bytes())));
        grid = started(grid, cluster, seed);
    }
    let described = tile_sim::Launch::new(&launch.entry)
        .grid(grid)
        .threads(launch.threads)
        .dynamic_shared_bytes(launch.shared_bytes)
        .args(args);
    let described = if cluster > 1 {
        described.cluster([cluster, 1, 1])
    } else {
        described
    };
    let options = tile_sim::Options {
        seed,
        threads: 1,
        max_instructions: MAX_INSTRUCTIONS,
        ..tile_sim::Options::default()
    };
    let done = parsed.launch(&described, &mut memory, &options);
    let conflicts = done.as_ref().map_or(0, |counters| {
        let shared = &counters.shared;
        let kinds = [
            &shared.loads,
            &shared.stores,
            &shared.matrix,
            &shared.copies,
        ];
        kinds.iter().map(|kind| kind.bank_conflicts).sum()
    });
    let contents = |&address: &u64| memory.bytes(address).expect("it was allocated").to_vec();
    Simulated {
        buffers: addresses.iter().map(contents).collect(),
        conflicts,
        counters: done.as_ref().ok().cloned(),
        fault: done.err(),
        printed: memory.take_printed(),
    }
}
