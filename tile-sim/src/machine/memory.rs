//! Memory: that of the device, and what lanes and blocks have of their own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;
use zerocopy::{FromBytes, IntoBytes};

use crate::texture::{Image, ImageError, Object, Sampler, Texture};

/// Where shared memory begins among generic addresses.
pub(crate) const SHARED_WINDOW: u64 = 0x7f00_0000_0000;
/// Where local memory begins among generic addresses.
pub(crate) const LOCAL_WINDOW: u64 = 0x7e00_0000_0000;
/// How long the windows are.
pub(crate) const WINDOW_BYTES: u64 = 1 << 32;
/// An address in the shared memory of a cluster: what [`rank_bits`] has of the block, then the
/// offset. Zeros stand for the block of the thread itself.
pub(crate) const RANK_SHIFT: u32 = 24;
/// The bits of an offset.
pub(crate) const OFFSET: u64 = (1 << RANK_SHIFT) - 1;
/// Of block 0; even, since kernels find the even block of a pair by clearing bit 24 of an address,
/// as CUTLASS and Triton do.
const FIRST_RANK: u64 = 2;

/// What is above the offset in addresses of a block of a cluster.
pub(crate) fn rank_bits(rank: usize) -> u64 {
    (rank as u64 + FIRST_RANK) << RANK_SHIFT
}

/// The rank of the block that an address is of; none: the thread's own.
pub(crate) fn rank_of(address: u64) -> Option<usize> {
    let bits = address >> RANK_SHIFT;
    // An address that nobody was given has too high a rank.
    (bits != 0).then(|| bits.wrapping_sub(FIRST_RANK) as usize)
}

/// Where the first allocation lies.
const FIRST: u64 = 0x10_0000_0000;
/// No access that misses its allocation by less finds another.
const GAP: u64 = 1 << 16;
/// Where the first multicast address lies.
const FIRST_MULTICAST: u64 = 0x4000_0000_0000;
/// Handles are behind this, one step each: no addresses, and no small numbers.
const FIRST_HANDLE: u64 = 0x2000_0000_0000;
const HANDLE_STEP: u64 = 64;
/// What replicas are aligned to at least: no access is wider.
const REPLICA_ALIGN: u64 = 16;

/// An access by the host to what is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#x} are not within one allocation")]
pub struct MemoryError {
    /// The first byte.
    pub address: u64,
    /// How many.
    pub bytes: u64,
}

#[derive(Debug)]
struct Allocation {
    base: u64,
    words: Vec<u32>,
    length: usize,
    /// Only for reading by kernels.
    constant: bool,
}

impl Allocation {
    fn bytes(&self) -> &[u8] {
        &self.words.as_bytes()[..self.length]
    }
}

/// Global memory: allocations with gaps between them, whose addresses depend only on their order.
#[derive(Debug, Default)]
pub struct Memory {
    /// By rising base.
    allocations: Vec<Allocation>,
    /// Variables of modules: by module, their addresses.
    modules: BTreeMap<u64, Vec<u64>>,
    multicasts: Vec<Multicast>,
    objects: Vec<Object>,
    /// Handles that variables stand for, by their addresses.
    bound: BTreeMap<u64, u64>,
    printed: String,
}

/// Addresses that stand for as many bytes in several places.
#[derive(Debug)]
struct Multicast {
    base: u64,
    bytes: u64,
    /// The first byte of each.
    replicas: Vec<u64>,
}

impl Memory {
    /// With nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Room for `bytes` bytes of zeros at a multiple of `align`, which is a power of two.
    pub fn alloc(&mut self, bytes: usize, align: u64) -> u64 {
        self.place(vec![0; bytes.div_ceil(4)], bytes, align, false)
    }

    /// Room for these bytes, and the bytes.
    pub fn alloc_with(&mut self, bytes: &[u8], align: u64) -> u64 {
        self.place_bytes(bytes, align, false)
    }

    fn place_bytes(&mut self, bytes: &[u8], align: u64, constant: bool) -> u64 {
        let mut words = vec![0u32; bytes.len().div_ceil(4)];
        words.as_mut_bytes()[..bytes.len()].copy_from_slice(bytes);
        self.place(words, bytes.len(), align, constant)
    }

    fn place(&mut self, words: Vec<u32>, length: usize, align: u64, constant: bool) -> u64 {
        assert!(align.is_power_of_two(), "an alignment is a power of two");
        let align = align.max(4);
        let free = match self.allocations.last() {
            Some(last) => last.base + last.length as u64 + GAP,
            None => FIRST,
        };
        // Odd multiples of the alignment, so that nothing more is aligned by chance.
        let base = free.next_multiple_of(2 * align) + align;
        self.allocations.push(Allocation {
            base,
            words,
            length,
            constant,
        });
        base
    }

    /// A multicast address of `bytes` bytes, of which each of `replicas` is the first of one
    /// replica: what `multimem` instructions take, and no others. On a machine of several GPUs each
    /// has one of these; here all are in this memory.
    ///
    /// # Panics
    ///
    /// If there are no replicas, or one is not at a multiple of 16 bytes.
    pub fn multicast(&mut self, replicas: &[u64], bytes: usize) -> Result<u64, MemoryError> {
        assert!(!replicas.is_empty(), "there is at least one replica");
        let bytes = bytes as u64;
        for &replica in replicas {
            assert!(
                replica.is_multiple_of(REPLICA_ALIGN),
                "a replica lies at a multiple of {REPLICA_ALIGN} bytes"
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

    /// A handle of a texture, whose image is allocated.
    pub fn texture(&mut self, texture: &Texture) -> Result<u64, ImageError> {
        texture.check()?;
        self.index(texture.image.address, texture.image.bytes())?;
        Ok(self.object(Object::Texture(*texture)))
    }

    /// A handle of a surface, whose image is allocated.
    pub fn surface(&mut self, image: &Image) -> Result<u64, ImageError> {
        image.check()?;
        self.index(image.address, image.bytes())?;
        Ok(self.object(Object::Surface(*image)))
    }

    /// A handle of a sampler, for instructions that have one beside the texture.
    pub fn sampler(&mut self, sampler: Sampler) -> u64 {
        self.object(Object::Sampler(sampler))
    }

    /// The variable at an address stands for a handle.
    pub(crate) fn bind(&mut self, variable: u64, handle: u64) {
        self.bound.insert(variable, handle);
    }

    fn object(&mut self, object: Object) -> u64 {
        self.objects.push(object);
        FIRST_HANDLE + self.objects.len() as u64 * HANDLE_STEP
    }

    fn index(&self, address: u64, bytes: u64) -> Result<(usize, usize), MemoryError> {
        let found = self
            .allocations
            .partition_point(|allocation| allocation.base <= address)
            .checked_sub(1)
            .and_then(|index| {
                let allocation = &self.allocations[index];
                let offset = address - allocation.base;
                let inside = offset.checked_add(bytes)? <= allocation.length as u64;
                // Within the allocation.
                inside.then_some((index, offset as usize))
            });
        found.ok_or(MemoryError { address, bytes })
    }

    /// Writes `bytes` at `address`.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (index, offset) = self.index(address, bytes.len() as u64)?;
        let allocation = self.allocations[index].words.as_mut_bytes();
        allocation[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The `bytes` bytes at `address`.
    pub fn read(&self, address: u64, bytes: usize) -> Result<&[u8], MemoryError> {
        let (index, offset) = self.index(address, bytes as u64)?;
        Ok(&self.allocations[index].bytes()[offset..offset + bytes])
    }

    /// All bytes of the allocation that begins at `address`.
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

    /// What kernels printed since this was last called (`printf`).
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// The addresses of a module's variables, which are placed on its first launch and then stay.
    pub(crate) fn module(&mut self, id: u64, variables: &[GlobalVariable]) -> Vec<u64> {
        if let Some(addresses) = self.modules.get(&id) {
            return addresses.clone();
        }
        let addresses: Vec<u64> = variables
            .iter()
            .map(|variable| self.place_bytes(&variable.bytes, variable.align, variable.constant))
            .collect();
        // Only what was placed just now.
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

    /// What the blocks of a launch share.
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
            objects: &self.objects,
            bound: &self.bound,
            printed: Mutex::default(),
        }
    }
}

/// A variable of a module, with its first contents.
#[derive(Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) bytes: Vec<u8>,
    pub(crate) align: u64,
    pub(crate) constant: bool,
    /// Its name, if it is a texture, a sampler or a surface.
    pub(crate) opaque: Option<String>,
    pub(crate) relocations: Vec<Relocation>,
}

/// A part of a variable that is the address of another, plus `addend`.
#[derive(Debug)]
pub(crate) struct Relocation {
    /// In the variable, in bytes.
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
    /// The number of the other variable.
    pub(crate) target: u32,
    pub(crate) addend: i64,
    /// The lowest byte of the address that is kept.
    pub(crate) byte: u32,
}

impl Relocation {
    fn apply(&self, bytes: &mut [u8], address: u64) {
        let value = address.wrapping_add_signed(self.addend) >> (8 * self.byte);
        bytes[self.offset..self.offset + self.bytes]
            .copy_from_slice(&value.to_le_bytes()[..self.bytes]);
    }
}

struct View<'a> {
    base: u64,
    length: usize,
    constant: bool,
    words: &'a [AtomicU32],
}

/// Where bytes lie in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) allocation: usize,
    pub(crate) offset: usize,
}

/// Global memory during a launch: words that the host's threads share. Every access is relaxed;
/// what order kernels may rely on is for the checks to say.
pub(crate) struct Device<'a> {
    views: Vec<View<'a>>,
    /// By rising base.
    multicasts: &'a [Multicast],
    objects: &'a [Object],
    bound: &'a BTreeMap<u64, u64>,
    /// What was printed, with the number of the cluster.
    printed: Mutex<Vec<(u32, String)>>,
}

impl Device<'_> {
    pub(crate) fn print(&self, cluster: u32, text: String) {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.push((cluster, text));
    }

    /// All that was printed: in the order of clusters if these ran in no order, or as it came.
    pub(crate) fn printed(&self, by_cluster: bool) -> String {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if by_cluster {
            printed.sort_by_key(|&(cluster, _)| cluster);
        }
        printed.drain(..).map(|(_, text)| text).collect()
    }

    /// Where `bytes` bytes at `address` lie; `recent` is the allocation that was last found.
    #[inline]
    pub(crate) fn find(&self, address: u64, bytes: usize, recent: &mut usize) -> Option<Spot> {
        let holds = |allocation: usize| {
            let view = self.views.get(allocation)?;
            let offset = address.checked_sub(view.base)?;
            (offset.checked_add(bytes as u64)? <= view.length as u64).then_some(Spot {
                allocation,
                // Within the allocation.
                offset: offset as usize,
            })
        };
        if let Some(spot) = holds(*recent) {
            return Some(spot);
        }
        let behind = self.views.partition_point(|view| view.base <= address);
        let spot = holds(behind.checked_sub(1)?)?;
        *recent = spot.allocation;
        Some(spot)
    }

    /// The replicas of `bytes` bytes at a multicast address.
    pub(crate) fn replicas(&self, address: u64, bytes: usize) -> Option<SmallVec<[u64; 8]>> {
        let found = self.multicast(address)?;
        let offset = address - found.base;
        let inside = offset.checked_add(bytes as u64)? <= found.bytes;
        inside.then(|| found.replicas.iter().map(|base| base + offset).collect())
    }

    /// What a handle leads to, or the address of a variable that stands for one.
    pub(crate) fn object(&self, handle: u64) -> Option<Object> {
        let handle = self.bound.get(&handle).copied().unwrap_or(handle);
        let behind = handle.checked_sub(FIRST_HANDLE)?;
        if !behind.is_multiple_of(HANDLE_STEP) {
            return None;
        }
        let index = usize::try_from(behind / HANDLE_STEP).ok()?.checked_sub(1)?;
        self.objects.get(index).copied()
    }

    /// The last one that begins at an address or before it.
    fn multicast(&self, address: u64) -> Option<&Multicast> {
        let behind = self
            .multicasts
            .partition_point(|multicast| multicast.base <= address);
        self.multicasts.get(behind.checked_sub(1)?)
    }

    /// What is near an address where nothing is, in words.
    pub(crate) fn around(&self, address: u64) -> String {
        if let Some(near) = self.multicast(address)
            && address - near.base < near.bytes + GAP
        {
            let (at, bytes) = (address - near.base, near.bytes);
            return format!(
                ": it begins at byte {at} of {bytes} at a multicast address, which only `multimem` takes"
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
                let (at, length) = (address - last.base, last.length);
                format!(": it begins at byte {at} of one that has {length}")
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

    /// The little-endian number of `size` bytes, at most eight and aligned to as much.
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
        let words = self.views[spot.allocation].words;
        if spot.offset.is_multiple_of(4) && into.len().is_multiple_of(4) {
            let words = &words[spot.offset / 4..];
            for (chunk, word) in into.chunks_exact_mut(4).zip(words) {
                chunk.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
            }
            return;
        }
        for (at, byte) in (spot.offset..).zip(into) {
            let word = words[at / 4].load(Ordering::Relaxed).to_le_bytes();
            *byte = word[at % 4];
        }
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
        let words = self.views[spot.allocation].words;
        if spot.offset.is_multiple_of(4) && from.len().is_multiple_of(4) {
            let words = &words[spot.offset / 4..];
            for (chunk, word) in from.chunks_exact(4).zip(words) {
                let value = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
                word.store(value, Ordering::Relaxed);
            }
            return;
        }
        let mut at = spot.offset;
        let mut from = from;
        while !from.is_empty() {
            let count = (4 - at % 4).min(from.len());
            let (now, rest) = from.split_at(count);
            let first = at % 4;
            let place = |word: u32| {
                let mut bytes = word.to_le_bytes();
                bytes[first..first + count].copy_from_slice(now);
                Some(u32::from_le_bytes(bytes))
            };
            // The other bytes may be another thread's.
            let updated = words[at / 4].fetch_update(Ordering::Relaxed, Ordering::Relaxed, place);
            debug_assert!(updated.is_ok(), "it is never refused");
            at += count;
            from = rest;
        }
    }
}
