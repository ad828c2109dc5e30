//! Global memory, and the layout of the generic address space.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;
use zerocopy::{FromBytes, IntoBytes};

/// The start of the shared window in the generic address space.
pub(crate) const SHARED_WINDOW: u64 = 0x7f00_0000_0000;
/// The start of the local window in the generic address space.
pub(crate) const LOCAL_WINDOW: u64 = 0x7e00_0000_0000;
/// The size of each window in bytes.
pub(crate) const WINDOW_BYTES: u64 = 1 << 32;
/// The position of the block rank in an address of the shared window of a cluster: [`rank_bits`]
/// are above the offset. Zero rank bits stand for the executing block.
pub(crate) const RANK_SHIFT: u32 = 24;
/// The mask of the offset.
pub(crate) const OFFSET: u64 = (1 << RANK_SHIFT) - 1;
/// The encoded rank of block 0. It is even, since kernels find the even block of a pair by clearing
/// bit 24 of an address, as CUTLASS and Triton do.
const FIRST_RANK: u64 = 2;

/// Returns the address bits above the offset for a block of a cluster.
pub(crate) fn rank_bits(rank: usize) -> u64 {
    (rank as u64 + FIRST_RANK) << RANK_SHIFT
}

/// Returns the rank of the block that an address belongs to; `None` for the executing block.
pub(crate) fn rank_of(address: u64) -> Option<usize> {
    let bits = address >> RANK_SHIFT;
    // The rank of an invalid address is too high for any cluster.
    (bits != 0).then(|| bits.wrapping_sub(FIRST_RANK) as usize)
}

/// The address of the first allocation.
const FIRST: u64 = 0x10_0000_0000;
/// The minimum distance between allocations in bytes: an access that misses its allocation by less
/// does not hit another.
const GAP: u64 = 1 << 16;
/// The first multicast address.
const FIRST_MULTICAST: u64 = 0x4000_0000_0000;
/// The minimum alignment of replicas in bytes; no access is wider.
const REPLICA_ALIGN: u64 = 16;

/// A host access that is not within one allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#x} are not within one allocation")]
pub struct MemoryError {
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u64,
}

#[derive(Debug)]
struct Allocation {
    base: u64,
    words: Vec<u32>,
    length: usize,
    /// Is `true` if kernels may only read it.
    constant: bool,
}

impl Allocation {
    fn bytes(&self) -> &[u8] {
        &self.words.as_bytes()[..self.length]
    }
}

/// Global memory: a list of allocations with gaps between them.
///
/// An address depends only on the order, size and alignment of allocations, so that runs are
/// reproducible.
#[derive(Debug, Default)]
pub struct Memory {
    /// The allocations, in ascending order of `base`.
    allocations: Vec<Allocation>,
    /// The addresses of the variables of each module.
    modules: BTreeMap<u64, Vec<u64>>,
    multicasts: Vec<Multicast>,
    printed: String,
}

/// A range of multicast addresses, which maps to several replicas.
#[derive(Debug)]
struct Multicast {
    base: u64,
    bytes: u64,
    /// The address of the first byte of each replica.
    replicas: Vec<u64>,
}

impl Memory {
    /// Creates an empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allocates `bytes` zero-initialized bytes and returns the address, a multiple of `align`.
    ///
    /// # Panics
    ///
    /// Panics if `align` is not a power of two.
    pub fn alloc(&mut self, bytes: usize, align: u64) -> u64 {
        self.place(vec![0; bytes.div_ceil(4)], bytes, align, false)
    }

    /// Allocates a copy of `bytes` and returns the address, a multiple of `align`.
    ///
    /// # Panics
    ///
    /// Panics if `align` is not a power of two.
    pub fn alloc_with(&mut self, bytes: &[u8], align: u64) -> u64 {
        self.place_bytes(bytes, align, false)
    }

    fn place_bytes(&mut self, bytes: &[u8], align: u64, constant: bool) -> u64 {
        let mut words = vec![0u32; bytes.len().div_ceil(4)];
        words.as_mut_bytes()[..bytes.len()].copy_from_slice(bytes);
        self.place(words, bytes.len(), align, constant)
    }

    fn place(&mut self, words: Vec<u32>, length: usize, align: u64, constant: bool) -> u64 {
        assert!(
            align.is_power_of_two(),
            "the alignment must be a power of two"
        );
        let align = align.max(4);
        let free = match self.allocations.last() {
            Some(last) => last.base + last.length as u64 + GAP,
            None => FIRST,
        };
        // An odd multiple of the alignment, so that no address is aligned more than requested.
        let base = free.next_multiple_of(2 * align) + align;
        self.allocations.push(Allocation {
            base,
            words,
            length,
            constant,
        });
        base
    }

    /// Creates a multicast address for `replicas`, the addresses of the replicas of `bytes` bytes
    /// each. Only `multimem` instructions accept it. A real multicast object has one replica per
    /// GPU; here all replicas are in this memory.
    ///
    /// # Errors
    ///
    /// Returns an error if a replica is not within one allocation.
    ///
    /// # Panics
    ///
    /// Panics if there are no replicas, or if one is not aligned to 16 bytes.
    pub fn multicast(&mut self, replicas: &[u64], bytes: usize) -> Result<u64, MemoryError> {
        assert!(!replicas.is_empty(), "there must be at least one replica");
        let bytes = bytes as u64;
        for &replica in replicas {
            assert!(
                replica.is_multiple_of(REPLICA_ALIGN),
                "a replica must be aligned to {REPLICA_ALIGN} bytes"
            );
            self.index(replica, bytes)?;
        }
        let base = self.multicasts.last().map_or(FIRST_MULTICAST, |last| {
            (last.base + last.bytes + GAP).next_multiple_of(GAP)
        });
        self.multicasts.push(Multicast {
            base,
            bytes,
            replicas: replicas.to_vec(),
        });
        Ok(base)
    }

    fn index(&self, address: u64, bytes: u64) -> Result<(usize, usize), MemoryError> {
        let position = self
            .allocations
            .partition_point(|allocation| allocation.base <= address)
            .checked_sub(1)
            .and_then(|index| {
                let allocation = &self.allocations[index];
                let offset = address - allocation.base;
                let inside = offset.checked_add(bytes)? <= allocation.length as u64;
                // The offset is within the allocation.
                inside.then_some((index, offset as usize))
            });
        position.ok_or(MemoryError { address, bytes })
    }

    /// Writes `bytes` at `address`.
    ///
    /// # Errors
    ///
    /// Returns an error if the range is not within one allocation.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (index, offset) = self.index(address, bytes.len() as u64)?;
        let allocation = self.allocations[index].words.as_mut_bytes();
        allocation[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Returns the `bytes` bytes at `address`.
    ///
    /// # Errors
    ///
    /// Returns an error if the range is not within one allocation.
    pub fn read(&self, address: u64, bytes: usize) -> Result<&[u8], MemoryError> {
        let (index, offset) = self.index(address, bytes as u64)?;
        Ok(&self.allocations[index].bytes()[offset..offset + bytes])
    }

    /// Returns all bytes of the allocation that begins at `address`.
    ///
    /// # Errors
    ///
    /// Returns an error if no allocation begins there.
    pub fn bytes(&self, address: u64) -> Result<&[u8], MemoryError> {
        match self
            .allocations
            .binary_search_by_key(&address, |allocation| allocation.base)
        {
            Ok(index) => Ok(self.allocations[index].bytes()),
            Err(_) => Err(MemoryError { address, bytes: 0 }),
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }

    /// Returns the output of `printf` in kernels since the last call, and clears it.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// Returns the addresses of a module's variables, which the first launch of the module
    /// allocates.
    pub(crate) fn module(&mut self, id: u64, variables: &[GlobalVariable]) -> Vec<u64> {
        if let Some(addresses) = self.modules.get(&id) {
            return addresses.clone();
        }
        let addresses: Vec<u64> = variables
            .iter()
            .map(|variable| self.place_bytes(&variable.bytes, variable.align, variable.constant))
            .collect();
        // The variables that were just allocated are the last allocations.
        let first = self.allocations.len() - variables.len();
        for (index, variable) in variables.iter().enumerate() {
            let bytes = self.allocations[first + index].words.as_mut_bytes();
            for relocation in &variable.relocations {
                relocation.apply(bytes, addresses[relocation.target as usize]);
            }
        }
        self.modules.insert(id, addresses.clone());
        addresses
    }

    /// Returns the view of memory that the blocks of a launch share.
    pub(crate) fn device(&mut self) -> Device<'_> {
        let views = self.allocations.iter_mut().map(|allocation| View {
            base: allocation.base,
            length: allocation.length,
            constant: allocation.constant,
            words: <[AtomicU32]>::mut_from_bytes(allocation.words.as_mut_bytes())
                .expect("words are aligned as words"),
        });
        Device {
            views: views.collect(),
            multicasts: &self.multicasts,
            printed: Mutex::default(),
            is_shared: false,
        }
    }
}

/// A variable of a module, with its initial contents.
#[derive(Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) align: u64,
    pub(crate) constant: bool,
    pub(crate) relocations: Vec<Relocation>,
}

/// A part of a variable that holds the address of another variable, plus `addend`.
#[derive(Debug)]
pub(crate) struct Relocation {
    /// The offset in the variable in bytes.
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
    /// The index of the other variable.
    pub(crate) target: u32,
    pub(crate) addend: i64,
    /// The index of the lowest byte of the address that is stored.
    pub(crate) byte: u32,
}

impl Relocation {
    pub(crate) fn apply(&self, bytes: &mut [u8], address: u64) {
        let value = address.wrapping_add_signed(self.addend) >> (8 * self.byte);
        bytes[self.offset..self.offset + self.bytes]
            .copy_from_slice(&value.to_le_bytes()[..self.bytes]);
    }
}

/// An allocation during a launch.
pub(super) struct View<'a> {
    pub(super) base: u64,
    pub(super) length: usize,
    pub(super) constant: bool,
    pub(super) words: &'a [AtomicU32],
}

/// A location in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) allocation: usize,
    pub(crate) offset: usize,
}

/// Global memory during a launch, as words that the host threads share. All host accesses are
/// relaxed; the checks decide the order that kernels may rely on.
pub(crate) struct Device<'a> {
    views: Vec<View<'a>>,
    /// The multicast ranges, in ascending order of `base`.
    multicasts: &'a [Multicast],
    /// The output of `printf`, with the number of the cluster.
    printed: Mutex<Vec<(u32, String)>>,
    /// Is `true` if other launches may run on the same memory.
    is_shared: bool,
}

impl<'a> Device<'a> {
    /// Creates memory that other launches share, from allocations in ascending order of `base`.
    pub(super) fn shared(views: Vec<View<'a>>) -> Self {
        Self {
            views,
            multicasts: &[],
            printed: Mutex::default(),
            is_shared: true,
        }
    }
}

impl Device<'_> {
    /// Excludes the atomic accesses of other launches, if there may be any, until the guard is dropped.
    #[inline]
    pub(crate) fn exclusive(&self) -> Option<MutexGuard<'static, ()>> {
        self.is_shared.then(super::region::exclusive)
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(crate) fn allocations(&self) -> usize {
        self.views.len()
    }

    pub(crate) fn length(&self, allocation: usize) -> usize {
        self.views[allocation].length
    }

    pub(crate) fn print(&self, cluster: u32, text: String) {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.push((cluster, text));
    }

    /// Returns all output, in the order of clusters or in the order of execution.
    pub(crate) fn printed(&self, by_cluster: bool) -> String {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if by_cluster {
            printed.sort_by_key(|&(cluster, _)| cluster);
        }
        printed.drain(..).map(|(_, text)| text).collect()
    }

    /// Resolves `bytes` bytes at `address`. `recent` caches the allocation that was found last.
    #[inline]
    pub(crate) fn find(&self, address: u64, bytes: usize, recent: &mut usize) -> Option<Spot> {
        let holds = |allocation: usize| {
            let view = self.views.get(allocation)?;
            let offset = address.checked_sub(view.base)?;
            (offset.checked_add(bytes as u64)? <= view.length as u64).then_some(Spot {
                allocation,
                // The offset is within the allocation.
                offset: offset as usize,
            })
        };
        if let Some(spot) = holds(*recent) {
            return Some(spot);
        }
        let next = self.views.partition_point(|view| view.base <= address);
        let spot = holds(next.checked_sub(1)?)?;
        *recent = spot.allocation;
        Some(spot)
    }

    /// Returns the replicas of `bytes` bytes at a multicast address.
    pub(crate) fn replicas(&self, address: u64, bytes: usize) -> Option<SmallVec<[u64; 8]>> {
        let range = self.multicast(address)?;
        let offset = address - range.base;
        let inside = offset.checked_add(bytes as u64)? <= range.bytes;
        inside.then(|| range.replicas.iter().map(|base| base + offset).collect())
    }

    /// Returns the last multicast range that begins at or before an address.
    fn multicast(&self, address: u64) -> Option<&Multicast> {
        let next = self
            .multicasts
            .partition_point(|multicast| multicast.base <= address);
        self.multicasts.get(next.checked_sub(1)?)
    }

    /// Describes the surroundings of an invalid address.
    pub(crate) fn around(&self, address: u64) -> String {
        if let Some(near) = self.multicast(address)
            && address - near.base < near.bytes + GAP
        {
            let (offset, bytes) = (address - near.base, near.bytes);
            return format!(
                ": it begins at byte {offset} of {bytes} at a multicast address, which only `multimem` takes"
            );
        }
        let behind = self.views.partition_point(|view| view.base <= address);
        if let Some(next) = self.views.get(behind)
            && next.base - address < GAP / 2
        {
            let (before, length) = (next.base - address, next.length);
            return format!(": it begins {before} bytes before one of {length} bytes");
        }
        match behind.checked_sub(1).map(|before| &self.views[before]) {
            Some(last) if address - last.base < last.length as u64 + GAP => {
                let (offset, length) = (address - last.base, last.length);
                format!(": it begins at byte {offset} of one that has {length}")
            }
            _ => String::new(),
        }
    }

    pub(crate) fn is_constant(&self, allocation: usize) -> bool {
        self.views[allocation].constant
    }

    pub(crate) fn base(&self, allocation: usize) -> u64 {
        self.views[allocation].base
    }

    /// Returns the little-endian number of `size` bytes, at most eight and naturally aligned.
    #[inline]
    pub(crate) fn number(&self, allocation: usize, offset: usize, size: usize) -> u64 {
        let words = self.views[allocation].words;
        if size == 4 && offset.is_multiple_of(4) {
            return u64::from(words[offset / 4].load(Ordering::Relaxed));
        }
        let mut bytes = [0; 8];
        self.read(Spot { allocation, offset }, &mut bytes[..size]);
        u64::from_le_bytes(bytes)
    }

    #[inline]
    pub(crate) fn read(&self, spot: Spot, into: &mut [u8]) {
        self.views[spot.allocation].read(spot.offset, into);
    }

    pub(crate) fn read_at(&self, allocation: usize, offset: usize, into: &mut [u8]) {
        self.read(Spot { allocation, offset }, into);
    }

    #[inline]
    pub(crate) fn write_at(&self, allocation: usize, offset: usize, from: &[u8]) {
        self.write(Spot { allocation, offset }, from);
    }

    #[inline]
    pub(crate) fn write(&self, spot: Spot, from: &[u8]) {
        self.views[spot.allocation].write(spot.offset, from);
    }
}

impl View<'_> {
    #[inline]
    pub(super) fn read(&self, offset: usize, into: &mut [u8]) {
        let words = self.words;
        if offset.is_multiple_of(4) && into.len().is_multiple_of(4) {
            let words = &words[offset / 4..];
            for (chunk, word) in into.chunks_exact_mut(4).zip(words) {
                chunk.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
            }
            return;
        }
        for (offset, byte) in (offset..).zip(into) {
            let word = words[offset / 4].load(Ordering::Relaxed).to_le_bytes();
            *byte = word[offset % 4];
        }
    }

    #[inline]
    pub(super) fn write(&self, offset: usize, from: &[u8]) {
        let words = self.words;
        if offset.is_multiple_of(4) && from.len().is_multiple_of(4) {
            let words = &words[offset / 4..];
            for (chunk, word) in from.chunks_exact(4).zip(words) {
                let value = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
                word.store(value, Ordering::Relaxed);
            }
            return;
        }
        let mut offset = offset;
        let mut from = from;
        while !from.is_empty() {
            let count = (4 - offset % 4).min(from.len());
            let (now, rest) = from.split_at(count);
            let first = offset % 4;
            let place = |word: u32| {
                let mut bytes = word.to_le_bytes();
                bytes[first..first + count].copy_from_slice(now);
                Some(u32::from_le_bytes(bytes))
            };
            // The other bytes of the word may belong to another host thread.
            let updated =
                words[offset / 4].fetch_update(Ordering::Relaxed, Ordering::Relaxed, place);
            debug_assert!(updated.is_ok(), "it is never refused");
            offset += count;
            from = rest;
        }
    }
}
