//! What one request of a warp costs: sectors of global memory, passes over the banks of shared memory.

use smallvec::SmallVec;

/// Bytes of a sector, the unit in which caches move global memory.
const SECTOR: u64 = 32;
/// Bytes that a bank of shared memory serves in one pass.
const WORD: u64 = 4;
/// Banks of shared memory.
const BANKS: usize = 32;

/// Lanes and the addresses they reach, by rising lane.
#[derive(Debug, Default)]
pub(crate) struct Reach(SmallVec<[(u32, u64); 32]>);

impl Reach {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, lane: usize, address: u64) {
        // Below 32.
        self.0.push((lane as u32, address));
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Requests to memory behind a cache.
///
/// One request is one warp instruction with at least one lane. It moves whole sectors: the aligned
/// pieces of 32 bytes that its lanes touch, each once (CUDA C++ Programming Guide, "Device Memory
/// Accesses"; Nsight Compute, `l1tex__t_sectors`).
///
/// Local memory is interleaved: consecutive words of 4 bytes of a lane lie 128 bytes apart, with
/// the same words of the other lanes between (CUDA C++ Programming Guide, "Local Memory").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorTraffic {
    /// Warp instructions.
    pub requests: u64,
    /// Sectors that were moved.
    pub sectors: u64,
    /// Bytes that lanes asked for, each byte once per request.
    pub bytes: u64,
}

impl SectorTraffic {
    /// Bytes asked for by bytes moved, 1 if all that is moved is used; nothing if nothing is moved.
    pub fn efficiency(&self) -> Option<f64> {
        (self.sectors > 0).then(|| self.bytes as f64 / (self.sectors * SECTOR) as f64)
    }

    /// A request in which each lane has `bytes` at its address, aligned to as much.
    pub(super) fn add_linear(&mut self, reach: &mut Reach, bytes: u64) {
        let lanes = &mut reach.0;
        if lanes.is_empty() {
            return;
        }
        if !lanes.is_sorted_by_key(|&(_, address)| address) {
            lanes.sort_unstable_by_key(|&(_, address)| address);
        }
        self.requests += 1;
        // Accesses of one size are equal or apart, because they are aligned.
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

    /// Likewise of memory that every lane has of its own.
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

/// Whether lanes that ask for one word are served together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Yes.
    Broadcast,
    /// No: each changes the word.
    Exclusive,
}

/// Requests to shared memory.
///
/// The model: 32 banks; word `w` of 4 bytes is in bank `w % 32`. In one pass (wavefront) a bank
/// serves one word, to any number of lanes (CUDA C++ Programming Guide, "Compute Capability 5.x",
/// "Shared Memory", which later ones refer to). A pass is of 128 bytes at most: a warp that
/// accesses up to 4 bytes per lane is served as one, 8 bytes as two half warps, 16 bytes as four
/// quarter warps, whatever lanes are active; the matrices of `ldmatrix` and `stmatrix` are quarter
/// warps too. Such a group takes as many passes as the bank with the most distinct words has of
/// them. Lanes of an atomic that change one word are served one after the other.
///
/// Not modelled: half warps of 8 or 16 bytes that the hardware joins into one pass because pairs
/// of lanes have the same address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankTraffic {
    /// Warp instructions.
    pub requests: u64,
    /// Passes over the banks.
    pub wavefronts: u64,
    /// Passes beyond the first of each group of lanes.
    pub bank_conflicts: u64,
    /// Bytes that lanes asked for, summed over lanes.
    pub bytes: u64,
}

impl BankTraffic {
    /// A request in which each lane has `bytes` at its address, aligned to as much.
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

/// How often the busiest bank is needed.
fn passes(lanes: &[(u32, u64)], bytes: u64, words: Words) -> u64 {
    let all = || {
        lanes
            .iter()
            .flat_map(|&(_, address)| address / WORD..=(address + bytes - 1) / WORD)
    };
    let mut held = [u64::MAX; BANKS];
    let free = all().all(|word| {
        let bank = &mut held[word as usize % BANKS];
        let served = *bank == u64::MAX || words == Words::Broadcast && *bank == word;
        *bank = word;
        served
    });
    if free {
        return 1;
    }
    let mut sorted: SmallVec<[u64; 64]> = all().collect();
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
