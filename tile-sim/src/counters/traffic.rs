//! The cost of a warp's memory request: sectors of global memory, wavefronts of shared memory.

use smallvec::SmallVec;

/// The size in bytes of a sector, the unit in which caches move global memory.
const SECTOR: u64 = 32;
/// The number of bytes that a bank of shared memory serves per wavefront.
const WORD: u64 = 4;
/// The number of banks of shared memory.
const BANKS: usize = 32;

/// The active lanes in ascending order, and their addresses.
#[derive(Debug, Default)]
pub(crate) struct Reach(SmallVec<[(u32, u64); 32]>);

impl Reach {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, lane: usize, address: u64) {
        // Lanes are below 32.
        self.0.push((lane as u32, address));
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Requests to memory that is cached in sectors.
///
/// A request is a warp instruction with at least one active lane. It moves whole sectors: the
/// aligned 32-byte segments that its lanes access, each once (CUDA C++ Programming Guide, "Device
/// Memory Accesses"; Nsight Compute, `l1tex__t_sectors`).
///
/// Local memory is interleaved: consecutive 4-byte words of a lane are 128 bytes apart, with the
/// same words of the other lanes between them (CUDA C++ Programming Guide, "Local Memory").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorTraffic {
    /// The number of warp instructions.
    pub requests: u64,
    /// The number of sectors moved.
    pub sectors: u64,
    /// The number of bytes accessed; a byte counts once per request.
    pub bytes: u64,
}

impl SectorTraffic {
    /// Returns the ratio of bytes accessed to bytes moved: 1 if every byte that is moved is used,
    /// `None` if nothing was moved.
    pub fn efficiency(&self) -> Option<f64> {
        (self.sectors > 0).then(|| self.bytes as f64 / (self.sectors * SECTOR) as f64)
    }

    /// Counts a request in which each lane accesses `bytes` bytes at its aligned address.
    pub(super) fn add_linear(&mut self, reach: &mut Reach, bytes: u64) {
        let lanes = &mut reach.0;
        if lanes.is_empty() {
            return;
        }
        if !lanes.is_sorted_by_key(|&(_, address)| address) {
            lanes.sort_unstable_by_key(|&(_, address)| address);
        }
        self.requests += 1;
        // Aligned accesses of one size are equal or disjoint.
        let (mut previous, mut end) = (None, 0);
        for &(_, address) in lanes.iter() {
            if previous == Some(address) {
                continue;
            }
            previous = Some(address);
            let first = (address / SECTOR).max(end);
            let next = (address + bytes - 1) / SECTOR + 1;
            self.sectors += next.saturating_sub(first);
            self.bytes += bytes;
            end = end.max(next);
        }
    }

    /// Counts a request to interleaved (local) memory.
    pub(super) fn add_interleaved(&mut self, reach: &mut Reach, bytes: u64) {
        if reach.0.is_empty() {
            return;
        }
        self.requests += 1;
        self.bytes += bytes * reach.len();
        let per_word = BANKS as u64 * WORD / SECTOR;
        let mut sectors: SmallVec<[u64; 64]> = SmallVec::new();
        for &(lane, address) in &reach.0 {
            let piece = u64::from(lane) * WORD / SECTOR;
            let words = address / WORD..=(address + bytes - 1) / WORD;
            sectors.extend(words.map(|word| word * per_word + piece));
        }
        sectors.sort_unstable();
        sectors.dedup();
        self.sectors += sectors.len() as u64;
    }
}

/// The treatment of lanes that access the same word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// One wavefront serves all of them (loads and stores).
    Broadcast,
    /// Each lane needs its own wavefront (atomics).
    Exclusive,
}

/// Requests to shared memory.
///
/// The model has 32 banks; the 4-byte word `w` is in bank `w % 32`. In one wavefront a bank serves
/// one word, to any number of lanes (CUDA C++ Programming Guide, "Compute Capability 5.x", "Shared
/// Memory", which later capabilities refer to). A wavefront moves at most 128 bytes. A warp is
/// therefore served as a whole for up to 4 bytes per lane, as two half-warps for 8 bytes, and as
/// four quarter-warps for 16 bytes, regardless of which lanes are active. Each matrix of `ldmatrix`
/// and `stmatrix` also counts as a quarter-warp. Such a group takes as many wavefronts as its
/// busiest bank has distinct words. Lanes of an atomic that update the same word are serialized.
///
/// Hardware can merge half-warps of 8-byte and 16-byte accesses in which pairs of lanes use the
/// same address. The model does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankTraffic {
    /// The number of warp instructions.
    pub requests: u64,
    /// The number of wavefronts.
    pub wavefronts: u64,
    /// The number of wavefronts beyond the first of each group of lanes.
    pub bank_conflicts: u64,
    /// The number of bytes accessed, summed over lanes.
    pub bytes: u64,
}

impl BankTraffic {
    /// Counts a request in which each lane accesses `bytes` bytes at its aligned address.
    pub(super) fn add(&mut self, reach: &Reach, bytes: u64, words: Words) {
        if reach.0.is_empty() {
            return;
        }
        self.requests += 1;
        self.bytes += bytes * reach.len();
        let together = BANKS as u64 * WORD / bytes.clamp(WORD, BANKS as u64 * WORD);
        let group = |lane: u32| u64::from(lane) / together;
        for lanes in reach.0.chunk_by(|(a, _), (b, _)| group(*a) == group(*b)) {
            let passes = passes(lanes, bytes, words);
            self.wavefronts += passes;
            self.bank_conflicts += passes - 1;
        }
    }
}

/// Returns the number of wavefronts that the busiest bank needs.
fn passes(lanes: &[(u32, u64)], bytes: u64, words: Words) -> u64 {
    let words_of_lanes = || {
        lanes
            .iter()
            .flat_map(|&(_, address)| address / WORD..=(address + bytes - 1) / WORD)
    };
    let mut held = [u64::MAX; BANKS];
    let free = words_of_lanes().all(|word| {
        let bank = &mut held[word as usize % BANKS];
        let served = *bank == u64::MAX || words == Words::Broadcast && *bank == word;
        *bank = word;
        served
    });
    if free {
        return 1;
    }
    let mut sorted: SmallVec<[u64; 64]> = words_of_lanes().collect();
    if words == Words::Broadcast {
        sorted.sort_unstable();
        sorted.dedup();
    }
    let mut counts = [0u64; BANKS];
    for word in sorted {
        counts[word as usize % BANKS] += 1;
    }
    counts.into_iter().max().unwrap_or(0)
}
