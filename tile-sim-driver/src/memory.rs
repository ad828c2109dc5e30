//! Memory that kernels can access: of devices, of pools, pinned and registered memory of the host, managed memory.
//!
//! - Addresses of device memory ascend and are never used twice, so that an access to freed memory is found.
//!   They depend only on the order and size of allocations.
//! - Memory of the host has the same address for kernels. It is mapped twice if accesses of the program are watched
//!   (`watch.rs`); its addresses are never used twice either.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tile_sim::Region;

use crate::abi::{CUcontext, CUmemoryPool};
use crate::config;
use crate::race::{Clock, Point};
use crate::result::CUresult;
use crate::watch::{self, Closed};

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
/// The same in a program with `ThreadSanitizer`, which allows few addresses.
const FIRST_HOST_SANITIZED: usize = 0x7b00_0000_0000;
/// What uninitialized memory contains: NaNs, and large negative integers.
const UNINITIALIZED: u32 = 0xffff_ffff;
/// Larger allocations begin with zeros, which the host does not need to store.
const MAX_FILLED: usize = 32 << 20;
/// The ranges of addresses that have another meaning in kernels.
const WINDOWS: [std::ops::Range<u64>; 2] = [
    0x7e00_0000_0000..0x7e01_0000_0000,
    0x7f00_0000_0000..0x7f01_0000_0000,
];
/// The size of a page in bytes.
pub(crate) const PAGE: usize = 4096;
/// The distance of mappings for the program: an access that misses one by less does not hit another.
const HOST_GAP: usize = PAGE * 16;
/// The freed memory of the host whose accesses are still found.
const MAX_FREED: usize = 256;
/// The freed memory of which it is known what freed it.
const MAX_REMEMBERED: usize = 1024;

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
    mapping: Mapping,
}

/// What was mapped for an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mapping {
    Nothing,
    /// So many bytes at its address, for the program and the driver.
    Once(usize),
    /// So many bytes at its address for the program, whose pages can be protected, and at another for the driver.
    Twice {
        bytes: usize,
        driver: usize,
    },
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

    /// Returns `true` if accesses of the program can be seen.
    pub(crate) fn is_watched(&self) -> bool {
        matches!(self.mapping, Mapping::Twice { .. })
    }

    /// Sets the protection of pages of the program's mapping.
    pub(crate) fn protect(&self, pages: Range<usize>, closed: Option<Closed>) {
        let access = match closed {
            None => libc::PROT_READ | libc::PROT_WRITE,
            Some(Closed::Writes) => libc::PROT_READ,
            Some(Closed::All) => libc::PROT_NONE,
        };
        let start = host(self.base()) + pages.start;
        if self.is_watched() && !self.is_freed() {
            let start = ptr::with_exposed_provenance_mut(start);
            // SAFETY: the pages are of the mapping, which is there until the allocation is freed. The handler of
            // `watch` makes them accessible to whom accesses them; this library uses the other mapping.
            unsafe { libc::mprotect(start, pages.len(), access) };
        }
    }

    pub(crate) fn is_host(&self) -> bool {
        matches!(self.kind, Kind::Pinned(_) | Kind::Registered(_))
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let (start, bytes) = match self.mapping {
            Mapping::Nothing => return,
            Mapping::Once(bytes) => (host(self.base()), bytes),
            // `Memory::free` replaced the mapping of the program.
            Mapping::Twice { bytes, driver } => (driver, bytes),
        };
        let start = ptr::with_exposed_provenance_mut::<c_void>(start);
        // SAFETY: `map` mapped these bytes, and this value was the last that refers to them: regions are not handed
        // out without it.
        unsafe { libc::munmap(start, bytes) };
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
fn first_host() -> usize {
    // SAFETY: looks a name up, which ends with a NUL.
    let sanitizer = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__tsan_init".as_ptr()) };
    if sanitizer.is_null() {
        FIRST_HOST
    } else {
        FIRST_HOST_SANITIZED
    }
}

#[derive(Debug)]
pub(crate) struct Memory {
    allocations: BTreeMap<u64, Arc<Allocation>>,
    next: u64,
    next_host: usize,
    next_id: u64,
    /// The device memory in use, by device.
    used: BTreeMap<usize, u64>,
    /// What was freed, by its first address.
    freed: BTreeMap<u64, Freed>,
    /// What freed it, in words. Texts are shared: many small ones that stay would keep a page of the heap each.
    names: BTreeSet<Arc<str>>,
    /// The number of operations in `freed` of which the host may not know yet.
    frees: usize,
    /// The pages of freed memory of the host that are still reserved: addresses and sizes.
    reserved: VecDeque<(usize, usize)>,
    /// The number of allocations that are watched.
    watched: usize,
}

/// Freed memory.
#[derive(Debug)]
struct Freed {
    end: u64,
    who: Arc<str>,
    /// The operation that freed it, if it was one and later ones may not be ordered behind it.
    by: Option<Arc<Point>>,
    context: CUcontext,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            allocations: BTreeMap::new(),
            next: FIRST,
            next_host: first_host(),
            next_id: 1,
            used: BTreeMap::new(),
            freed: BTreeMap::new(),
            names: BTreeSet::new(),
            frees: 0,
            reserved: VecDeque::new(),
            watched: 0,
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
        Ok(self.add(region, request, Mapping::Nothing))
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
        Ok(self.add(region, request, Mapping::Nothing))
    }

    /// Allocates memory of the host.
    pub(crate) fn map(&mut self, request: Request) -> Reply<Arc<Allocation>> {
        let length = request.bytes.checked_next_multiple_of(PAGE);
        let length = length.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        let file = config::watches_host().then(|| file(length)).flatten();
        let start = self.map_for_program(length, file.as_ref());
        let start = start.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        let Some(file) = file else {
            // SAFETY: the pages were just mapped, and are not unmapped before the last user of the allocation is
            // gone. Words are aligned in them.
            let words = unsafe { words(start, length / 4) };
            let region = Region::lent(start as u64, words);
            return Ok(self.add(region, request, Mapping::Once(length)));
        };
        let Some(driver) = map_file(0, length, &file, 0) else {
            let start = ptr::with_exposed_provenance_mut::<c_void>(start);
            // SAFETY: nobody knows of the pages yet.
            unsafe { libc::munmap(start, length) };
            return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        };
        watch::prepare(start, start + length);
        // SAFETY: as above; only this library has the address of this mapping.
        let words = unsafe { words(driver, length / 4) };
        let region = Region::lent(start as u64, words);
        let mapping = Mapping::Twice {
            bytes: length,
            driver,
        };
        self.watched += 1;
        Ok(self.add(region, request, mapping))
    }

    /// Maps pages at an address that no allocation of the host had, and returns it.
    fn map_for_program(&mut self, length: usize, file: Option<&OwnedFd>) -> Option<usize> {
        (0..64).find_map(|_| {
            let hint = self.next_host;
            self.next_host += length.saturating_add(HOST_GAP);
            if let Some(file) = file {
                return map_file(hint, length, file, libc::MAP_FIXED_NOREPLACE);
            }
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let flags = flags | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
            map_pages(hint, length, libc::PROT_READ | libc::PROT_WRITE, flags, -1)
        })
    }

    /// Returns `true` if there are allocations whose accesses by the program can be seen.
    pub(crate) fn has_watched(&self) -> bool {
        self.watched > 0
    }

    /// Takes the pages of freed memory from the program. Its accesses are still found, until more was freed.
    fn reserve(&mut self, start: usize, length: usize) {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let flags = flags | libc::MAP_NORESERVE | libc::MAP_FIXED;
        // It replaces the pages of the allocation; if it fails, they stay as they are.
        let _same = map_pages(start, length, libc::PROT_NONE, flags, -1);
        self.reserved.push_back((start, length));
        if self.reserved.len() > MAX_FREED
            && let Some((start, length)) = self.reserved.pop_front()
        {
            let start = ptr::with_exposed_provenance_mut::<c_void>(start);
            // SAFETY: the pages are those of an allocation that was freed.
            unsafe { libc::munmap(start, length) };
        }
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
        Ok(self.add(
            Region::lent(aligned as u64, words),
            request,
            Mapping::Nothing,
        ))
    }

    fn add(&mut self, region: Region, request: Request, mapping: Mapping) -> Arc<Allocation> {
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
            mapping,
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

    /// Frees an allocation. `who` says what did it.
    pub(crate) fn free(&mut self, allocation: &Allocation, who: &str) {
        self.note_free(allocation, who, None);
    }

    /// Frees an allocation, for an operation.
    pub(crate) fn free_by(&mut self, allocation: &Allocation, point: &Arc<Point>) {
        self.note_free(allocation, &point.name, Some(Arc::clone(point)));
    }

    /// Returns a text that is shared with others that are equal.
    fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(name) = self.names.get(text) {
            return Arc::clone(name);
        }
        if self.names.len() > 2 * MAX_REMEMBERED {
            self.names.retain(|name| Arc::strong_count(name) > 1);
        }
        let name: Arc<str> = text.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    fn note_free(&mut self, allocation: &Allocation, who: &str, by: Option<Arc<Point>>) {
        allocation.freed.store(true, Ordering::Relaxed);
        if self.allocations.remove(&allocation.base()).is_none() {
            return;
        }
        if !allocation.is_host() {
            let used = self.used.entry(allocation.device).or_default();
            *used = used.saturating_sub(allocation.bytes as u64);
        }
        if let Mapping::Twice { bytes, .. } = allocation.mapping {
            self.watched -= 1;
            self.reserve(host(allocation.base()), bytes);
        } else if allocation.is_host() {
            return;
        }
        self.frees += usize::from(by.is_some());
        let freed = Freed {
            end: allocation.end(),
            who: self.name(who),
            by,
            context: allocation.context,
        };
        self.freed.insert(allocation.base(), freed);
        while self.freed.len() > MAX_REMEMBERED {
            self.freed.pop_first();
        }
    }

    /// Forgets operations that freed memory and that happened before every operation that is still to come. `clock` is
    /// what the host knows, and no operation is pending.
    pub(crate) fn settle(&mut self, clock: &Clock) {
        if self.frees == 0 {
            return;
        }
        self.frees = 0;
        for Freed { by, .. } in self.freed.values_mut() {
            by.take_if(|point| clock.knows(point));
            self.frees += usize::from(by.is_some());
        }
    }

    /// Says that an address is in freed memory, if it is.
    pub(crate) fn around(&self, address: u64) -> Option<String> {
        self.freed_at(address).map(|(text, _)| text)
    }

    /// Returns the first address of freed memory with an address, and the operation that freed it.
    pub(crate) fn freed_by(&self, address: u64) -> Option<(u64, &Arc<Point>)> {
        let (&base, freed) = self.freed.range(..=address).next_back()?;
        let by = freed.by.as_ref().filter(|_| address < freed.end)?;
        Some((base, by))
    }

    /// Says why an address is not the first of an allocation.
    pub(crate) fn is_no_base(&self, address: u64) -> String {
        if let Some(found) = self.at(address) {
            let (offset, bytes) = (address - found.base(), found.bytes);
            return match found.kind {
                _ if offset > 0 => format!(
                    "{address:#x} is byte {offset} of an allocation of {bytes} bytes: only its first address can be freed"
                ),
                Kind::Device | Kind::Managed => {
                    format!("{address:#x} is memory that `cuMemFree` frees")
                }
                Kind::Variable => format!("{address:#x} is a variable of a module"),
                Kind::Pool(_) => {
                    format!("{address:#x} is memory of a pool: `cuMemFreeAsync` frees it")
                }
                Kind::Pinned(_) => {
                    format!("{address:#x} is pinned memory: `cuMemFreeHost` frees it")
                }
                Kind::Registered(_) => {
                    format!("{address:#x} is registered memory: `cuMemHostUnregister` ends that")
                }
            };
        }
        self.is_nothing(address)
    }

    /// Says what an address is that is in no allocation.
    pub(crate) fn is_nothing(&self, address: u64) -> String {
        match self.around(address) {
            Some(freed) => format!("{address:#x} is {freed}"),
            None => format!("{address:#x} is in no allocation"),
        }
    }

    /// Returns what is known of freed memory with an address, and the context that had it.
    pub(crate) fn freed_at(&self, address: u64) -> Option<(String, CUcontext)> {
        let (base, freed) = self.freed.range(..=address).next_back()?;
        let Freed {
            end, who, context, ..
        } = freed;
        let offset = address - base;
        let text = || format!("byte {offset} of an allocation that {who} freed");
        (address < *end).then(|| (text(), *context))
    }

    pub(crate) fn used(&self, device: usize) -> u64 {
        self.used.get(&device).copied().unwrap_or(0)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Allocation>> {
        self.allocations.values()
    }
}

/// Makes a file in memory with so many zeros.
fn file(length: usize) -> Option<OwnedFd> {
    // SAFETY: the name is a text with a NUL.
    let file = unsafe { libc::memfd_create(c"tile-sim-driver".as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return None;
    }
    // SAFETY: the file was just opened.
    let file = unsafe { OwnedFd::from_raw_fd(file) };
    let length = libc::off_t::try_from(length).ok()?;
    // SAFETY: the file is open.
    let is_long = unsafe { libc::ftruncate(file.as_raw_fd(), length) } == 0;
    is_long.then_some(file)
}

fn map_file(hint: usize, length: usize, file: &OwnedFd, flags: c_int) -> Option<usize> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = flags | libc::MAP_SHARED | libc::MAP_NORESERVE;
    map_pages(hint, length, access, flags, file.as_raw_fd())
}

/// Maps pages. With `MAP_FIXED`, the address must be that of freed memory.
fn map_pages(
    hint: usize,
    length: usize,
    access: c_int,
    flags: c_int,
    file: c_int,
) -> Option<usize> {
    let hint = ptr::with_exposed_provenance_mut(hint);
    // SAFETY: the call maps new pages or fails; the caller sees to it that it replaces only those of freed memory.
    let start = unsafe { libc::mmap(hint, length, access, flags, file, 0) };
    (start != libc::MAP_FAILED).then(|| start.expose_provenance())
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
