//! The result of a compilation, and its serialization for the worker and the cache.

use super::work::cubin_of;
use crate::cache::Blobs;
use crate::gpu::TensorMap;
use crate::ptx::resources::{Report, Resources};
use crate::remarks::Remark;
use crate::target::Arch;
use std::fmt::Write as _;

/// The launch parameters of one entry on one architecture, and its resource usage there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The architecture of the cubin.
    pub arch: Arch,
    /// The symbol of the entry.
    pub entry: String,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
    /// Blocks of a cluster along the first axis, if the extent of the grid is a multiple of this number;
    /// otherwise the launch uses clusters of 1.
    pub cluster: u32,
    /// Blocks of a cluster split: the first axis of the launch grid is longer by this factor, and the blocks
    /// of a work tile form a cluster. 1 unless [`crate::options::KernelOptions::cluster_split`] allows
    /// more.
    pub blocks_per_tile: u32,
    /// Tensor maps that the host passes after the parameters; empty unless
    /// [`crate::options::KernelOptions::maps`] allows them.
    pub maps: Vec<TensorMap>,
    /// For a persistent kernel, how many of its blocks a multiprocessor runs simultaneously. The host then
    /// passes the extents of the grid after the tensor maps, as three `u32`, and starts no more blocks than
    /// the device holds. `None` unless [`crate::options::KernelOptions::persistence`] allows it.
    pub persistent_blocks_per_sm: Option<u32>,
    /// The resource usage that ptxas reported.
    pub resources: Resources,
    /// The abandoned choice that this one replaces; it spilled more.
    pub instead_of: Option<Spilled>,
}

/// An abandoned choice that spilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spilled {
    /// Warps of a block.
    pub num_warps: u32,
    /// Bytes that each thread stored and loaded because registers ran out.
    pub bytes: u32,
}

impl Launch {
    /// Formats one line: `sm_80: 128 threads, 40 registers, 16 bytes of shared memory`, and the spills, if
    /// there are any.
    pub fn line(&self) -> String {
        let Self {
            arch,
            entry: _,
            threads,
            shared_bytes,
            cluster: _,
            blocks_per_tile: _,
            maps: _,
            persistent_blocks_per_sm: _,
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
    /// The launch of each architecture and entry.
    pub launches: Vec<Launch>,
    /// The PTX of each architecture.
    pub ptx: Vec<(Arch, String)>,
    /// The cubin of each architecture; empty if the artifact came from the cache, which does not duplicate
    /// the contents of the fatbin.
    pub cubins: Vec<(Arch, Vec<u8>)>,
    /// `true` if the artifact came from the cache.
    pub cached: bool,
    /// Remarks, in the order of the source; empty unless requested.
    pub remarks: Vec<Remark>,
}

impl Artifact {
    /// Returns the launches that spill registers, with the bytes spilled per thread.
    pub fn spills(&self) -> impl Iterator<Item = (&Launch, u32)> {
        self.launches.iter().filter_map(|launch| {
            let bytes = launch.resources.spilled_bytes();
            (bytes > 0).then_some((launch, bytes))
        })
    }

    pub(super) fn from_blobs(blobs: &Blobs) -> Option<Self> {
        let mut launches = Vec::new();
        for line in blobs.get_text("launches")?.lines() {
            let mut words = line.split(' ');
            let arch: Arch = words.next()?.parse().ok()?;
            let entry = words.next()?.to_owned();
            let threads = words.next()?.parse().ok()?;
            let shared_bytes = words.next()?.parse().ok()?;
            let cluster = words.next()?.parse().ok()?;
            let blocks_per_tile = words.next()?.parse().ok()?;
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
                blocks_per_tile,
                maps,
                persistent_blocks_per_sm: (resident > 0).then_some(resident),
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
