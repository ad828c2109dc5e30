//! A launch: validates its configuration, prepares the state that blocks share, and runs the
//! clusters.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::cluster::{Cluster, Turn};
use super::memory::{Device, Memory};
use super::scheduler::Scheduler;
use super::waiting::Waiting;
use super::{Checks, Launch, Options};
use crate::check::global::{Collision, GlobalShadow};
use crate::check::order::Release;
use crate::check::stamp::Stamp;
use crate::check::{Fault, FaultKind, Thread};
use crate::counters::Counters;
use crate::module::{Kernel, Module};

/// The maximum number of threads per block.
const MAX_THREADS: u64 = 1024;
/// The maximum shared memory per block on any device in bytes (compute capability 9.0).
const MAX_SHARED: u64 = 227 << 10;
/// The maximum number of blocks per cluster (with the non-portable size).
const MAX_CLUSTER: u32 = 16;
/// The number of blocks that a device runs concurrently; a kernel may rely on this concurrency.
const MAX_RESIDENT: usize = 132;
/// If no block has ended after this number of warp instructions, another block is started, since
/// running blocks may wait for it.
const PATIENCE: u64 = 1 << 16;

/// The configuration of a launch, which all blocks share.
pub(crate) struct Setting<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// The number of blocks along each axis of a cluster.
    pub(crate) cluster: [u32; 3],
    /// Is `true` if the launch or the kernel specifies the cluster size.
    pub(crate) explicit_cluster: bool,
    /// The number of threads per block.
    pub(crate) threads: u32,
    /// The number of warps per block.
    pub(crate) warps: usize,
    pub(crate) params: Vec<u8>,
    /// The start of dynamic shared memory, and the end of all shared memory.
    pub(crate) dynamic_base: u64,
    pub(crate) shared_bytes: u64,
    pub(crate) dynamic_bytes: u32,
    /// The addresses of the module's variables.
    pub(crate) globals: Vec<u64>,
    pub(crate) options: &'a Options,
}

impl Setting<'_> {
    pub(crate) fn blocks_per_cluster(&self) -> usize {
        self.cluster.iter().product::<u32>() as usize
    }

    /// Returns the number of registers per thread at launch: the value of `.maxnreg`, or the
    /// largest number that fits, in units of 8. A block has 65536 registers, and a thread at most
    /// 255 (CUDA C++ Programming Guide, "Compute Capabilities").
    pub(crate) fn registers(&self) -> u32 {
        let threads = u32::try_from(self.warps).expect("at most 32") * 32;
        let fit = (65_536 / threads / 8 * 8).min(256);
        let max = self.kernel.max_registers;
        max.map_or(fit, |max| max.next_multiple_of(8).min(fit))
    }

    /// Returns the number of clusters in the grid.
    fn clusters(&self) -> u64 {
        let along = self.grid.iter().zip(self.cluster);
        along.map(|(&blocks, of)| u64::from(blocks / of)).product()
    }

    /// Returns the grid index of a block, from the number of its cluster and its rank.
    pub(crate) fn block_index(&self, number: u64, rank: usize) -> [u32; 3] {
        let [x, y, z] = self.cluster.map(u64::from);
        let [across, down] = [0, 1].map(|axis| u64::from(self.grid[axis] / self.cluster[axis]));
        let rank = rank as u64;
        let inside = [rank % x, rank / x % y, rank / (x * y)];
        let cluster_index = [
            number % across,
            number / across % down,
            number / (across * down),
        ];
        // Each coordinate is below an extent of 32 bits.
        [0, 1, 2].map(|axis| (cluster_index[axis] * [x, y, z][axis] + inside[axis]) as u32)
    }

    /// Returns the thread that made the access of a stamp.
    pub(crate) fn thread(&self, stamp: Stamp, same_block: bool) -> Thread {
        let agent = usize::from(stamp.agent);
        let blocks = self.blocks_per_cluster();
        let is_warp = agent < blocks * self.warps;
        let rank = if is_warp {
            agent / self.warps
        } else {
            // Each block has two asynchronous units.
            (agent - blocks * self.warps) % blocks
        };
        Thread {
            block: self.block_index(u64::from(stamp.cluster.saturating_sub(1)), rank),
            warp: is_warp.then(|| u32::try_from(agent % self.warps).expect("at most 32 warps")),
            lane: stamp.one_lane(),
            same_block,
        }
    }
}

/// The state that clusters on one host thread share.
pub(crate) struct World<'a> {
    pub(crate) device: &'a Device<'a>,
    pub(crate) shadow: GlobalShadow,
    /// The knowledge released at locations in global memory, by allocation and word.
    pub(crate) releases: FxHashMap<(usize, usize), Release>,
    /// The allocation that was accessed last.
    pub(crate) recent: usize,
    /// Clusters that have not begun, if one host thread runs all of them.
    pub(crate) waiting: Waiting,
}

impl<'a> World<'a> {
    fn new(device: &'a Device<'a>, waiting: Waiting) -> Self {
        Self {
            device,
            waiting,
            shadow: GlobalShadow::default(),
            releases: FxHashMap::default(),
            recent: 0,
        }
    }
}

impl Module {
    /// Runs a kernel to completion and returns its counters.
    ///
    /// # Errors
    ///
    /// Returns the first [`Fault`]: a launch configuration that does not fit the kernel, or an
    /// error that the kernel made. `memory` then holds everything that was stored before the fault.
    pub fn launch(
        &self,
        launch: &Launch,
        memory: &mut Memory,
        options: &Options,
    ) -> Result<Counters, Fault> {
        let mut setting = self.setting(launch, options)?;
        setting.globals = memory.module(self.id, &self.globals);
        let device = memory.device();
        let (result, ()) = Self::run_grid(&setting, &device, |_| ());
        let printed = device.printed(options.seed == 0);
        memory.print(&printed);
        result
    }

    /// Runs all clusters. `summary` gets the shadows of global memory, one per host thread.
    pub(super) fn run_grid<'w, T>(
        setting: &Setting<'w>,
        device: &'w Device<'w>,
        summary: impl FnOnce(&[GlobalShadow]) -> T,
    ) -> (Result<Counters, Fault>, T) {
        let options = setting.options;
        let clusters = setting.clusters();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = match options.threads {
            0 => cores(),
            threads => threads,
        };
        let alone = options.seed != 0 || threads < 2 || clusters < 2 || !setting.kernel.independent;
        if alone {
            let mut part = Part::new(setting, device, clusters);
            let result = part.run(Waiting::begin);
            let Part {
                world, counters, ..
            } = part;
            let result = result.map(|()| counters).map_err(|(_, fault)| fault);
            return (result, summary(&[world.shadow]));
        }
        let threads = threads.min(usize::try_from(clusters).unwrap_or(threads));
        let (result, shadows) = parallel(setting, device, clusters, threads);
        (result, summary(&shadows))
    }

    /// Checks a launch and prepares it. The addresses of variables are left out.
    pub(super) fn setting<'a>(
        &'a self,
        launch: &Launch,
        options: &'a Options,
    ) -> Result<Setting<'a>, Fault> {
        let mut kernels = self.kernels.iter();
        let kernel = kernels.find(|kernel| kernel.name == launch.entry);
        let kernel =
            kernel.ok_or_else(|| Fault::launch(format!("there is no entry `{}`", launch.entry)))?;
        let threads = threads_of_block(kernel, launch).map_err(Fault::launch)?;
        let named = named_cluster(kernel, launch).map_err(Fault::launch)?;
        let cluster = named.unwrap_or([1; 3]);
        check_cluster(kernel, launch.grid, cluster).map_err(Fault::launch)?;
        let params = params(kernel, launch).map_err(Fault::launch)?;
        // Dynamic shared memory follows the static variables.
        let dynamic_base = kernel.static_shared.next_multiple_of(kernel.dynamic_align);
        let shared_bytes = dynamic_base + u64::from(launch.dynamic_shared_bytes);
        if shared_bytes > MAX_SHARED {
            let message = format!("{shared_bytes} bytes of shared memory are too many");
            return Err(Fault::launch(message));
        }
        Ok(Setting {
            kernel,
            grid: launch.grid,
            block: launch.block,
            cluster,
            explicit_cluster: named.is_some(),
            threads: u32::try_from(threads).expect("at most 1024"),
            warps: usize::try_from(threads.div_ceil(32)).expect("at most 32"),
            params,
            dynamic_base,
            shared_bytes,
            dynamic_bytes: launch.dynamic_shared_bytes,
            globals: Vec::new(),
            options,
        })
    }
}

/// Returns the threads of a block, after it has checked the block and the grid (CUDA C++ Programming Guide,
/// "Compute Capabilities"). An error says what is wrong.
fn threads_of_block(kernel: &Kernel, launch: &Launch) -> Result<u64, String> {
    let threads: u64 = launch.block.iter().map(|&size| u64::from(size)).product();
    if threads == 0 || threads > MAX_THREADS || launch.block.iter().any(|&size| size > 1024) {
        return Err(format!(
            "a block has 1 to {MAX_THREADS} threads, found {threads}"
        ));
    }
    if launch.grid.contains(&0) || launch.grid[1] > 0xffff || launch.grid[2] > 0xffff {
        return Err(format!("{:?} is not a grid", launch.grid));
    }
    if let Some(required) = kernel.required_threads
        && required != launch.block
    {
        return Err(format!(
            "the kernel requires blocks of {required:?} threads"
        ));
    }
    if kernel.max_threads.is_some_and(|max| threads > max) {
        return Err(format!("the kernel allows fewer than {threads} threads"));
    }
    Ok(threads)
}

/// Returns the cluster size that the kernel or the launch names. The kernel's size takes precedence, and
/// `.explicitcluster` demands one (PTX ISA, "Cluster Dimension Directives").
fn named_cluster(kernel: &Kernel, launch: &Launch) -> Result<Option<[u32; 3]>, String> {
    if let (Some(required), Some(named)) = (kernel.required_cluster, launch.cluster)
        && required != named
    {
        return Err(format!(
            "the kernel requires clusters of {required:?} blocks, not {named:?}"
        ));
    }
    let named = kernel.required_cluster.or(launch.cluster);
    if kernel.explicit_cluster && named.is_none() {
        return Err("the kernel requires a launch with a cluster size".to_owned());
    }
    Ok(named)
}

/// Checks that the cluster is not too large, and that the grid consists of clusters.
fn check_cluster(kernel: &Kernel, grid: [u32; 3], cluster: [u32; 3]) -> Result<(), String> {
    let max = kernel.max_cluster_rank.unwrap_or(MAX_CLUSTER);
    if cluster.iter().product::<u32>() > max {
        return Err(format!(
            "the kernel allows clusters of {max} blocks, not {cluster:?}"
        ));
    }
    let fits = |axis: usize| cluster[axis] != 0 && grid[axis].is_multiple_of(cluster[axis]);
    if !(0..3).all(fits) {
        return Err(format!(
            "the grid {grid:?} is not a multiple of the cluster {cluster:?}"
        ));
    }
    if cluster.iter().product::<u32>() > MAX_CLUSTER {
        return Err(format!(
            "a cluster has at most {MAX_CLUSTER} blocks, not {cluster:?}"
        ));
    }
    Ok(())
}

/// Returns the bytes of the parameters.
fn params(kernel: &Kernel, launch: &Launch) -> Result<Vec<u8>, String> {
    if launch.args.len() != kernel.params.len() {
        let (expected, given) = (kernel.params.len(), launch.args.len());
        return Err(format!("expected {expected} arguments, found {given}"));
    }
    let mut params = vec![0; kernel.param_bytes];
    for (param, arg) in kernel.params.iter().zip(&launch.args) {
        if arg.0.len() != param.bytes {
            let (name, expected, given) = (&param.name, param.bytes, arg.0.len());
            return Err(format!(
                "`{name}` has {expected} bytes, but the argument has {given}"
            ));
        }
        params[param.offset..param.offset + param.bytes].copy_from_slice(&arg.0);
    }
    Ok(params)
}

/// The clusters that one host thread runs.
struct Part<'a, 'w> {
    setting: &'a Setting<'w>,
    world: World<'w>,
    scheduler: Scheduler,
    counters: Counters,
}

impl<'a, 'w> Part<'a, 'w> {
    /// Creates the part of a host thread. `waiting` is the number of clusters that it owns from the
    /// start.
    fn new(setting: &'a Setting<'w>, device: &'w Device<'w>, waiting: u64) -> Self {
        let waiting = Waiting::new(waiting, setting.options.seed);
        Self {
            setting,
            world: World::new(device, waiting),
            scheduler: Scheduler::new(setting.options.seed),
            counters: Counters::default(),
        }
    }

    /// Runs clusters until none is left. An error contains the number of the faulty cluster.
    fn run(
        &mut self,
        mut next: impl FnMut(&mut Waiting) -> Option<u64>,
    ) -> Result<(), (u64, Fault)> {
        let seeded = self.scheduler.is_seeded();
        let max = (MAX_RESIDENT / self.setting.blocks_per_cluster()).max(1);
        // With a seed, the number of concurrent clusters is random too; it is more than one, so
        // that clusters can interact.
        let mut wanted = if seeded {
            (2 << self.scheduler.below(3)).min(max)
        } else {
            1
        };
        let mut running: Vec<(u64, Cluster)> = Vec::new();
        let mut free = Vec::new();
        let mut current = 0;
        let mut since = 0;
        loop {
            while running.len() < wanted
                && let Some(number) = next(&mut self.world.waiting)
            {
                let mut cluster = free.pop().unwrap_or_else(|| Cluster::new(self.setting));
                cluster.begin(self.setting, number);
                running.push((number, cluster));
            }
            if running.is_empty() {
                return Ok(());
            }
            current = if seeded {
                self.scheduler.below(running.len())
            } else {
                (current + 1) % running.len()
            };
            let (number, cluster) = &mut running[current];
            let turn = cluster
                .turn(
                    self.setting,
                    &mut self.world,
                    &mut self.scheduler,
                    &mut self.counters,
                )
                .map_err(|fault| (*number, fault))?;
            if turn == Turn::Ended {
                free.push(running.remove(current).1);
                since = self.counters.total_warp_instructions();
            } else if self.counters.total_warp_instructions() - since > PATIENCE {
                since = self.counters.total_warp_instructions();
                wanted = (wanted + 1).min(max);
            }
        }
    }
}

/// Runs clusters on several host threads. This requires a kernel whose blocks do not observe each
/// other's order.
fn parallel<'w>(
    setting: &Setting<'w>,
    device: &'w Device<'w>,
    clusters: u64,
    threads: usize,
) -> (Result<Counters, Fault>, Vec<GlobalShadow>) {
    let next = AtomicU64::new(0);
    let last = AtomicU64::new(clusters);
    let run = || {
        // These parts take clusters from a shared queue.
        let mut part = Part::new(setting, device, 0);
        let result = part.run(|_| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < last.load(Ordering::Relaxed)).then_some(number)
        });
        if result.is_err() {
            // Clusters before the faulty one have all begun.
            last.store(0, Ordering::Relaxed);
        }
        let Part {
            world, counters, ..
        } = part;
        (result, world.shadow, counters)
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    });
    let mut counters = Counters::default();
    let mut first: Option<(u64, Fault)> = None;
    let mut shadows = Vec::new();
    for (result, shadow, counted) in parts {
        counters += &counted;
        shadows.push(shadow);
        if let Err((number, fault)) = result
            && first.as_ref().is_none_or(|(before, _)| number < *before)
        {
            first = Some((number, fault));
        }
    }
    if let Some((_, fault)) = first {
        return (Err(fault), shadows);
    }
    if setting.options.checks == Checks::All {
        for (index, one) in shadows.iter().enumerate() {
            for other in &shadows[..index] {
                if let Some(collision) = one.collision(other) {
                    let fault = collided(setting, device, &collision);
                    return (Err(fault), shadows);
                }
            }
        }
    }
    (Ok(counters), shadows)
}

fn collided(setting: &Setting<'_>, device: &Device<'_>, collision: &Collision) -> Fault {
    let line = |stamp: Stamp| &setting.kernel.lines[stamp.instruction() as usize];
    // The fault is attributed to the later block.
    let [(other, other_access), (here, access)] =
        if collision.one.0.cluster < collision.other.0.cluster {
            [collision.one, collision.other]
        } else {
            [collision.other, collision.one]
        };
    let thread = setting.thread(here, true);
    Fault {
        kind: FaultKind::Race {
            space: "global",
            address: device.base(collision.allocation) + collision.offset,
            access,
            other_access,
            other: setting.thread(other, false),
            other_line: line(other).at,
            hint: ": nothing orders these blocks",
        },
        line: line(here).at,
        source: line(here).source.clone(),
        instruction: line(here).text.clone(),
        kernel: setting.kernel.name.clone(),
        block: thread.block,
        warp: thread.warp.unwrap_or(0),
        lane: thread.lane,
    }
}
