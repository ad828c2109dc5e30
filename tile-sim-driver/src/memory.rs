//! Memory that kernels can access: of devices, of pools, pinned and registered memory of the host, managed memory.
//!
//! - Addresses of device memory ascend and are never used twice, so that an access to freed memory is found.
//!   They depend only on the order and size of allocations.
//! - Memory of the host has the same address for kernels.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tile_sim::Region;

use crate::abi::{CUcontext, CUmemoryPool};
use crate::result::CUresult;

/// The first address of device memory.
const FIRST: u64 = 0x10_0000_0000;
/// An address above every one of device memory.
pub(crate) const END_OF_DEVICES: u64 = FIRST_HOST as u64;
/// The alignment that the driver guarantees for an allocation.
const ALIGNMENT: u64 = 256;
/// The minimum distance between allocations: an access that misses one by less does not hit another.
const GAP: u64 = 1 << 16;
/// Where memory of the host is mapped, away from the windows of shared and local memory.
const FIRST_HOST: usize = 0x2000_0000_0000;
/// What uninitialized memory contains: NaNs, and large negative integers.
const UNINITIALIZED: u32 = 0xffff_ffff;
/// Larger allocations begin with zeros, which the host does not need to store.
const MAX_FILLED: usize = 32 << 20;
/// The ranges of addresses that have another meaning in kernels.
const WINDOWS: [std::ops::Range<u64>; 2] = [
    0x7e00_0000_0000..0x7e01_0000_0000,
    0x7f00_0000_0000..0x7f01_0000_0000,
];
const PAGE: usize = 4096;

/// Where an allocation is, and who may access it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `cuMemAlloc`.
    Device,
    /// A variable of a module.
    Variable,
    /// A memory pool: freed in stream order.
    Pool(CUmemoryPool),
    /// `cuMemHostAlloc`, with its flags.
    Pinned(u32),
    /// `cuMemHostRegister`, with its flags.
    Registered(u32),
    /// `cuMemAllocManaged`.
    Managed,
}

/// An allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) region: Arc<Region>,
    /// The requested size.
    pub(crate) bytes: usize,
    pub(crate) kind: Kind,
    pub(crate) context: CUcontext,
    pub(crate) device: usize,
    pub(crate) id: u64,
    /// Is set when it is freed; operations may still hold it.
    freed: AtomicBool,
    /// Is set when an operation that frees it was submitted.
    is_ending: AtomicBool,
    /// The bytes that were mapped for it.
    mapped: usize,
}

impl Allocation {
    pub(crate) fn base(&self) -> u64 {
        self.region.base()
    }

    pub(crate) fn end(&self) -> u64 {
        self.base() + self.bytes as u64
    }

    pub(crate) fn is_freed(&self) -> bool {
        self.freed.load(Ordering::Relaxed)
    }

    /// Marks it as the memory that an operation frees. Returns `false` if it was marked already.
    pub(crate) fn will_free(&self) -> bool {
        !self.is_ending.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn is_host(&self) -> bool {
        matches!(self.kind, Kind::Pinned(_) | Kind::Registered(_))
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.mapped > 0 {
            let start = ptr::with_exposed_provenance_mut::<c_void>(host(self.base()));
            // SAFETY: `map` mapped these bytes, and this value was the last that refers to them: regions are
            // not handed out without it.
            unsafe { libc::munmap(start, self.mapped) };
        }
    }
}

fn host(address: u64) -> usize {
    usize::try_from(address).expect("the host has addresses of 64 bits")
}

/// What a new allocation is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) kind: Kind,
    pub(crate) context: CUcontext,
    pub(crate) device: usize,
    pub(crate) bytes: usize,
}

/// All allocations.
#[derive(Debug)]
pub(crate) struct Memory {
    allocations: BTreeMap<u64, Arc<Allocation>>,
    next: u64,
    next_host: usize,
    next_id: u64,
    /// The device memory in use, by device.
    used: BTreeMap<usize, u64>,
    /// What was freed: the end of each allocation, and who freed it.
    freed: BTreeMap<u64, (u64, String)>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            allocations: BTreeMap::new(),
            next: FIRST,
            next_host: FIRST_HOST,
            next_id: 1,
            used: BTreeMap::new(),
            freed: BTreeMap::new(),
        }
    }
}

type Reply<T> = Result<T, CUresult>;

impl Memory {
    /// Allocates device memory with a content that no program may rely on. `capacity` is the size of the device.
    pub(crate) fn allocate(&mut self, request: Request, capacity: u64) -> Reply<Arc<Allocation>> {
        let bytes = request.bytes as u64;
        let used = self.used.get(&request.device).copied().unwrap_or(0);
        let fits = used.checked_add(bytes).is_some_and(|sum| sum <= capacity);
        if !fits {
            return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        }
        // An odd multiple of the alignment, so that no address is aligned more than guaranteed.
        let base = self.next.next_multiple_of(2 * ALIGNMENT) + ALIGNMENT;
        let region = Region::zeroed(base, request.bytes);
        let region = region.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        if request.bytes <= MAX_FILLED {
            region.fill(UNINITIALIZED);
        }
        self.next = base + bytes + GAP;
        Ok(self.add(region, request, 0))
    }

    /// Allocates a variable of a module.
    pub(crate) fn variable(
        &mut self,
        request: Request,
        align: u64,
        is_constant: bool,
    ) -> Reply<Arc<Allocation>> {
        let align = align.max(4);
        let base = self.next.next_multiple_of(2 * align) + align;
        let region = Region::zeroed(base, request.bytes);
        let mut region = region.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        if is_constant {
            region = region.constant();
        }
        self.next = base + request.bytes as u64 + GAP;
        Ok(self.add(region, request, 0))
    }

    /// Allocates memory of the host.
    pub(crate) fn map(&mut self, request: Request) -> Reply<Arc<Allocation>> {
        let length = request.bytes.checked_next_multiple_of(PAGE);
        let length = length.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        for _ in 0..64 {
            let hint = self.next_host;
            self.next_host += length.saturating_add(PAGE * 16);
            // SAFETY: the call maps new pages or fails; it replaces none.
            let start = unsafe {
                libc::mmap(
                    ptr::with_exposed_provenance_mut(hint),
                    length,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE
                        | libc::MAP_ANONYMOUS
                        | libc::MAP_NORESERVE
                        | libc::MAP_FIXED_NOREPLACE,
                    -1,
                    0,
                )
            };
            if start == libc::MAP_FAILED {
                continue;
            }
            // SAFETY: the pages were just mapped, and are not unmapped before the last user of the allocation is
            // gone. Words are aligned in them.
            let words = unsafe { words(start.expose_provenance(), length / 4) };
            let region = Region::lent(start.expose_provenance() as u64, words);
            return Ok(self.add(region, request, length));
        }
        Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }

    /// Makes memory of the program accessible.
    pub(crate) fn register(&mut self, request: Request, start: usize) -> Reply<Arc<Allocation>> {
        let end = start
            .checked_add(request.bytes)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        let (first, last) = (start as u64, end as u64);
        if WINDOWS
            .iter()
            .any(|window| first < window.end && window.start < last)
        {
            crate::report(&format!(
                "memory at {start:#x} cannot be registered: addresses of that range are shared or local memory in kernels"
            ));
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        if self.meets(first, last) {
            return Err(CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        }
        let aligned = start & !3;
        // SAFETY: the caller of the API promised that the range stays allocated until it is unregistered. Its first
        // and last word are within its pages.
        let words = unsafe { words(aligned, (end - aligned).div_ceil(4)) };
        let bytes = end - aligned;
        let request = Request { bytes, ..request };
        Ok(self.add(Region::lent(aligned as u64, words), request, 0))
    }

    fn add(&mut self, region: Region, request: Request, mapped: usize) -> Arc<Allocation> {
        let Request {
            kind,
            context,
            device,
            bytes,
        } = request;
        let allocation = Arc::new(Allocation {
            region: Arc::new(region),
            bytes,
            kind,
            context,
            device,
            id: self.next_id,
            freed: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
            mapped,
        });
        self.next_id += 1;
        if !allocation.is_host() {
            *self.used.entry(device).or_default() += bytes as u64;
        }
        self.allocations
            .insert(allocation.base(), Arc::clone(&allocation));
        allocation
    }

    fn meets(&self, start: u64, end: u64) -> bool {
        let before = self.allocations.range(..end).next_back();
        before.is_some_and(|(_, allocation)| allocation.end() > start)
    }

    /// Returns the allocation that contains an address.
    pub(crate) fn at(&self, address: u64) -> Option<&Arc<Allocation>> {
        let (_, allocation) = self.allocations.range(..=address).next_back()?;
        (address < allocation.end()).then_some(allocation)
    }

    /// Returns the allocation that begins at an address.
    pub(crate) fn begins(&self, address: u64) -> Option<&Arc<Allocation>> {
        self.allocations.get(&address)
    }

    /// Returns the allocation that contains a range.
    pub(crate) fn range(&self, address: u64, bytes: u64) -> Option<&Arc<Allocation>> {
        let allocation = self.at(address)?;
        (bytes <= allocation.end() - address).then_some(allocation)
    }

    /// Frees an allocation. `who` says which call did it.
    pub(crate) fn free(&mut self, allocation: &Allocation, who: &str) {
        allocation.freed.store(true, Ordering::Relaxed);
        if self.allocations.remove(&allocation.base()).is_none() {
            return;
        }
        if !allocation.is_host() {
            let used = self.used.entry(allocation.device).or_default();
            *used = used.saturating_sub(allocation.bytes as u64);
            self.freed
                .insert(allocation.base(), (allocation.end(), who.to_owned()));
            while self.freed.len() > 1024 {
                self.freed.pop_first();
            }
        }
    }

    /// Says that an address is in freed memory, if it is.
    pub(crate) fn around(&self, address: u64) -> Option<String> {
        let (base, (end, who)) = self.freed.range(..=address).next_back()?;
        let offset = address - base;
        (address < *end).then(|| format!("byte {offset} of an allocation that {who} freed"))
    }

    pub(crate) fn used(&self, device: usize) -> u64 {
        self.used.get(&device).copied().unwrap_or(0)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Allocation>> {
        self.allocations.values()
    }
}

/// Returns the words at an address.
///
/// # Safety
/// The words must stay mapped while they are used, and `start` must be a multiple of 4.
unsafe fn words(start: usize, count: usize) -> &'static [AtomicU32] {
    let start = ptr::with_exposed_provenance::<AtomicU32>(start);
    // SAFETY: the caller promises that they are mapped and aligned. A word has every value.
    unsafe { std::slice::from_raw_parts(start, count) }
}
