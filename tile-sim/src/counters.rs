//! What a launch did, in numbers that depend on nothing but the program and its inputs.

use std::fmt;

/// A family of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Integer arithmetic.
    Integer,
    /// Bits and shifts.
    Logic,
    /// Floating-point arithmetic.
    Float,
    /// `cvt`
    Conversion,
    /// Comparison and selection.
    Comparison,
    /// Moves and addresses.
    Move,
    /// Loads, stores, atomics, copies.
    Memory,
    /// Branches.
    Control,
    /// Shuffles and votes.
    Warp,
    /// Barriers.
    Barrier,
    /// Matrix products and the moves of their operands.
    Matrix,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Integer,
        Self::Logic,
        Self::Float,
        Self::Conversion,
        Self::Comparison,
        Self::Move,
        Self::Memory,
        Self::Control,
        Self::Warp,
        Self::Barrier,
        Self::Matrix,
    ];
}

/// Counts over a whole launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions issued, once per warp, by family in the order of [`Family::ALL`].
    pub warp_instructions: [u64; 11],
    /// Instructions executed, once per active lane, by family likewise.
    pub lane_instructions: [u64; 11],
    /// Branches at which lanes of a warp parted.
    pub divergent_branches: u64,
    /// Load instructions to global memory with at least one lane.
    pub global_load_requests: u64,
    /// Aligned pieces of 32 bytes that these loads touched.
    pub global_load_sectors: u64,
    /// Store instructions to global memory with at least one lane.
    pub global_store_requests: u64,
    /// Aligned pieces of 32 bytes that these stores touched.
    pub global_store_sectors: u64,
    /// Loads, stores and matrix moves of shared memory.
    pub shared_requests: u64,
    /// Passes over the 32 banks that these needed.
    pub shared_wavefronts: u64,
    /// Passes beyond those that the bytes alone need.
    pub shared_bank_conflicts: u64,
    /// Barriers of a block, once per warp.
    pub barriers: u64,
    /// `mma` instructions, once per warp.
    pub mma: u64,
    /// Atomic operations, once per lane.
    pub atomics: u64,
    /// Bytes that asynchronous copies wrote to shared memory.
    pub async_bytes: u64,
}

impl Counters {
    /// Instructions issued.
    pub fn total_warp_instructions(&self) -> u64 {
        self.warp_instructions.iter().sum()
    }

    /// Instructions executed, summed over lanes.
    pub fn total_lane_instructions(&self) -> u64 {
        self.lane_instructions.iter().sum()
    }

    /// Warp instructions of one family.
    pub fn of(&self, family: Family) -> u64 {
        self.warp_instructions[family as usize]
    }

    /// Adds what another part of the launch did.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self {
            warp_instructions,
            lane_instructions,
            divergent_branches,
            global_load_requests,
            global_load_sectors,
            global_store_requests,
            global_store_sectors,
            shared_requests,
            shared_wavefronts,
            shared_bank_conflicts,
            barriers,
            mma,
            atomics,
            async_bytes,
        } = other;
        let families = self.warp_instructions.iter_mut().zip(warp_instructions);
        families.for_each(|(count, more)| *count += more);
        let families = self.lane_instructions.iter_mut().zip(lane_instructions);
        families.for_each(|(count, more)| *count += more);
        self.divergent_branches += divergent_branches;
        self.global_load_requests += global_load_requests;
        self.global_load_sectors += global_load_sectors;
        self.global_store_requests += global_store_requests;
        self.global_store_sectors += global_store_sectors;
        self.shared_requests += shared_requests;
        self.shared_wavefronts += shared_wavefronts;
        self.shared_bank_conflicts += shared_bank_conflicts;
        self.barriers += barriers;
        self.mma += mma;
        self.atomics += atomics;
        self.async_bytes += async_bytes;
    }

    pub(crate) fn issue(&mut self, family: Family, active: u32) {
        self.warp_instructions[family as usize] += 1;
        self.lane_instructions[family as usize] += u64::from(active.count_ones());
    }

    /// The sectors that one request to global memory touches.
    pub(crate) fn sectors(addresses: &[u64], bytes: u64) -> u64 {
        let mut sectors: smallvec::SmallVec<[u64; 64]> = addresses
            .iter()
            .flat_map(|&address| address / 32..=(address + bytes - 1) / 32)
            .collect();
        sectors.sort_unstable();
        sectors.dedup();
        sectors.len() as u64
    }

    /// Counts one request to shared memory: every lane `bytes` at its address.
    ///
    /// The hardware serves 128 bytes at a time: accesses of 8 bytes by half warps, of 16 bytes by
    /// quarter warps. Within one pass a bank serves one word, to any number of lanes.
    pub(crate) fn shared(&mut self, addresses: &[(u32, u64)], bytes: u64) {
        let lanes = u32::try_from(128 / bytes.clamp(4, 128)).expect("at most 32");
        self.shared_requests += 1;
        for group in addresses.chunk_by(|(lane, _), (next, _)| lane / lanes == next / lanes) {
            let mut words: smallvec::SmallVec<[u64; 64]> = group
                .iter()
                .flat_map(|&(_, address)| address / 4..=(address + bytes - 1) / 4)
                .collect();
            words.sort_unstable();
            words.dedup();
            let mut per_bank = [0u64; 32];
            for word in words {
                per_bank[(word % 32) as usize] += 1;
            }
            let passes = per_bank.into_iter().max().unwrap_or(0);
            self.shared_wavefronts += passes;
            self.shared_bank_conflicts += passes.saturating_sub(1);
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for family in Family::ALL {
            let count = self.of(family);
            if count > 0 {
                writeln!(f, "{:24}{count:>12}", format!("{family:?}").to_lowercase())?;
            }
        }
        let Self {
            warp_instructions: _,
            lane_instructions: _,
            divergent_branches,
            global_load_requests,
            global_load_sectors,
            global_store_requests,
            global_store_sectors,
            shared_requests,
            shared_wavefronts,
            shared_bank_conflicts,
            barriers,
            mma,
            atomics,
            async_bytes,
        } = self;
        for (name, count) in [
            ("divergent branches", divergent_branches),
            ("global load requests", global_load_requests),
            ("global load sectors", global_load_sectors),
            ("global store requests", global_store_requests),
            ("global store sectors", global_store_sectors),
            ("shared requests", shared_requests),
            ("shared wavefronts", shared_wavefronts),
            ("shared bank conflicts", shared_bank_conflicts),
            ("barriers", barriers),
            ("mma", mma),
            ("atomics", atomics),
            ("async bytes", async_bytes),
        ] {
            writeln!(f, "{name:24}{count:>12}")?;
        }
        Ok(())
    }
}
