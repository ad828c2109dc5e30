//! The memory of tensors: bytes on one device, shared by views.
//!
//! No function returns a reference into this memory. Host memory is read and written under its
//! lock, and device memory in stream order, so views that share memory can be used from any thread.

use std::any::Any;
use std::ptr::{self, NonNull};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::allocation;
use crate::driver::{Access, DeviceMemory};
use crate::foreign::{Between, BorrowError};
use crate::graph::{self, Work};
use crate::host_buffer::HostBlock;
use crate::{Device, Error, Result, device};

/// An allocation on one device.
pub(crate) enum Storage {
    Host(HostMemory),
    Device(DeviceMemory),
}

impl Storage {
    /// Allocates zeros. In a capture, every launch of the graph sets them to zero again.
    pub(crate) fn zeroed(device: Device, bytes: usize) -> Result<Arc<Storage>> {
        let storage = match device.0 {
            device::Kind::Cpu => HostMemory::zeroed(device, bytes).map(Storage::Host),
            #[cfg(feature = "sim")]
            device::Kind::Sim => HostMemory::zeroed(device, bytes).map(Storage::Host),
            device::Kind::Cuda(context) => {
                DeviceMemory::zeroed(context, bytes).map(Storage::Device)
            }
        };
        let storage = Arc::new(storage?);
        if graph::is_captured(device)? {
            storage.fill(0, bytes, &[0])?;
        }
        Ok(storage)
    }

    pub(crate) fn from_bytes(device: Device, content: &[u8]) -> Result<Arc<Storage>> {
        if content.is_empty() || graph::is_captured(device)? {
            let storage = Self::zeroed(device, content.len())?;
            storage.write(0, content)?;
            return Ok(storage);
        }
        if let device::Kind::Cuda(context) = device.0 {
            #[cfg(feature = "nvtx")]
            let _range = crate::nvtx::range("upload");
            let memory = DeviceMemory::from_bytes(context, content)?;
            return Ok(Arc::new(Storage::Device(memory)));
        }
        let storage = Arc::new(Storage::Host(HostMemory::zeroed(device, content.len())?));
        storage.write(0, content)?;
        Ok(storage)
    }

    pub(crate) fn device(&self) -> Device {
        match self {
            Storage::Host(memory) => memory.device,
            Storage::Device(memory) => Device(device::Kind::Cuda(memory.context())),
        }
    }

    /// Returns the number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Storage::Host(memory) => memory.bytes,
            Storage::Device(memory) => memory.bytes(),
        }
    }

    pub(crate) fn address(&self) -> u64 {
        match self {
            Storage::Host(memory) => memory.pointer.as_ptr() as u64,
            Storage::Device(memory) => memory.address(),
        }
    }

    /// Refuses an access that a borrow does not allow, or that comes after its end.
    pub(crate) fn check_access(&self, access: Access) -> Result<(), BorrowError> {
        match self {
            Storage::Host(memory) => memory.check(access, *memory.read_state()),
            Storage::Device(memory) => memory.check_access(access),
        }
    }

    /// Refuses a view of any elements, if only some are borrowed.
    pub(crate) fn check_between(&self) -> Result<(), BorrowError> {
        match self {
            Storage::Host(memory) if memory.between == Between::Unusable => {
                Err(BorrowError::Between)
            }
            Storage::Host(_) | Storage::Device(_) => Ok(()),
        }
    }

    /// Ends a borrow of memory, after which every use is refused. Waits for a launch on the CPU that
    /// uses the memory; on a GPU, the stream of the owner waits.
    pub(crate) fn end_borrow(&self) -> Result<()> {
        match self {
            Storage::Host(memory) => {
                *memory.write_state() = State::Ended;
                Ok(())
            }
            Storage::Device(memory) => memory.end_borrow(),
        }
    }

    /// Copies from `offset` into `content`, after all earlier writes.
    pub(crate) fn read(&self, offset: usize, content: &mut [u8]) -> Result<()> {
        graph::refuse_in_capture("reading a tensor")?;
        if content.is_empty() {
            return Ok(());
        }
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range("download");
        match self {
            Storage::Host(memory) => {
                memory.lock(Access::Shared)?.read(offset, content);
                Ok(())
            }
            Storage::Device(memory) => memory.read(offset, content),
        }
    }

    /// Copies `content` to `offset`, after all earlier uses. A capture keeps `content`.
    pub(crate) fn write(self: &Arc<Storage>, offset: usize, content: &[u8]) -> Result<()> {
        if content.is_empty() {
            return Ok(());
        }
        if graph::is_captured(self.device())? {
            let block = HostBlock::of(self.device(), content)?;
            return graph::push(
                None,
                Work::Upload {
                    to: Arc::clone(self),
                    offset,
                    from: Arc::new(block),
                    start: 0,
                    bytes: content.len(),
                },
            );
        }
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range("upload");
        match &**self {
            Storage::Host(memory) => {
                memory.lock(Access::Exclusive)?.write(offset, content);
                Ok(())
            }
            Storage::Device(memory) => memory.write(offset, content),
        }
    }

    /// Fills `bytes` bytes from `offset` with copies of `value`, which has 1, 2, 4 or 8 bytes.
    pub(crate) fn fill(
        self: &Arc<Storage>,
        offset: usize,
        bytes: usize,
        value: &[u8],
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let pattern = match (&**self, shortest_pattern(value)) {
            (Storage::Device(_), None) => {
                return self.write(offset, &value.repeat(bytes / value.len()));
            }
            (Storage::Host(_) | Storage::Device(_), pattern) => pattern.unwrap_or(value),
        };
        if graph::is_captured(self.device())? {
            return graph::push(
                None,
                Work::Fill {
                    to: Arc::clone(self),
                    offset,
                    bytes,
                    value: pattern.to_vec(),
                },
            );
        }
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range("fill");
        match &**self {
            Storage::Host(memory) => memory.fill(offset, bytes, value),
            Storage::Device(memory) => memory.set(offset, bytes, pattern),
        }
    }
}

/// Returns the shortest pattern of at most 4 bytes whose repetition is `value`, if one exists.
fn shortest_pattern(value: &[u8]) -> Option<&[u8]> {
    [1, 2, 4]
        .into_iter()
        .filter(|&len| len <= value.len())
        .map(|len| &value[..len])
        .find(|pattern| value.chunks(pattern.len()).all(|chunk| chunk == *pattern))
}

/// A buffer in the program's own memory.
pub(crate) struct HostMemory {
    device: Device,
    pointer: NonNull<u8>,
    bytes: usize,
    /// The strongest access that is allowed.
    allowed: Access,
    between: Between,
    owner: Owner,
    lock: RwLock<State>,
}

/// The owner of host memory, which frees it.
enum Owner {
    Us,
    /// The code that lent it.
    Lender,
    /// A value that is dropped with the memory.
    Kept(#[expect(dead_code, reason = "it is dropped")] Box<dyn Any + Send + Sync>),
}

/// Whether memory can be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Usable,
    /// A borrow of the memory has ended.
    Ended,
}

// SAFETY: the bytes are read and written only under `lock`, and not after a borrow of them has ended.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    fn zeroed(device: Device, bytes: usize) -> Result<HostMemory> {
        let out_of_memory = || Error::OutOfMemory { device, bytes };
        let pointer = allocation::allocate_zeroed(bytes).ok_or_else(out_of_memory)?;
        Ok(HostMemory {
            device,
            pointer,
            bytes,
            allowed: Access::Exclusive,
            between: Between::Usable,
            owner: Owner::Us,
            lock: RwLock::new(State::Usable),
        })
    }

    /// Returns memory that other code lends and frees after [`Storage::end_borrow`].
    ///
    /// # Safety
    /// Until then, the bytes are initialized, nothing else writes them, and with
    /// [`Access::Exclusive`], nothing else uses them.
    pub(crate) unsafe fn borrowed(
        device: Device,
        pointer: NonNull<u8>,
        bytes: usize,
        allowed: Access,
    ) -> HostMemory {
        HostMemory {
            device,
            pointer,
            bytes,
            allowed,
            between: Between::Usable,
            owner: Owner::Lender,
            lock: RwLock::new(State::Usable),
        }
    }

    /// Returns memory that `owner` frees when it is dropped.
    ///
    /// # Safety
    /// Until then, as for [`HostMemory::borrowed`].
    pub(crate) unsafe fn kept(
        device: Device,
        pointer: NonNull<u8>,
        bytes: usize,
        allowed: Access,
        owner: Box<dyn Any + Send + Sync>,
    ) -> HostMemory {
        HostMemory {
            device,
            pointer,
            bytes,
            allowed,
            between: Between::Usable,
            owner: Owner::Kept(owner),
            lock: RwLock::new(State::Usable),
        }
    }

    /// Sets whether views may reach elements that are between those of the first tensor.
    pub(crate) fn with(mut self, between: Between) -> HostMemory {
        self.between = between;
        self
    }

    /// Returns the address at `offset`, from which `bytes` bytes may be accessed under the lock.
    pub(crate) fn at(&self, offset: usize, bytes: usize) -> *mut u8 {
        assert!(
            offset <= self.bytes && bytes <= self.bytes - offset,
            "a view reaches beyond its memory"
        );
        // SAFETY: `offset` is within the allocation.
        unsafe { self.pointer.as_ptr().add(offset) }
    }

    /// Fills `bytes` bytes from `offset` with copies of `value`.
    pub(crate) fn fill(&self, offset: usize, bytes: usize, value: &[u8]) -> Result<()> {
        let _lock = self.lock(Access::Exclusive)?;
        let start = self.at(offset, bytes);
        let mut done = value.len();
        // SAFETY: the lock excludes readers and writers; `bytes` is a multiple of the value's length.
        unsafe { ptr::copy_nonoverlapping(value.as_ptr(), start, done) };
        while done < bytes {
            let more = done.min(bytes - done);
            // SAFETY: both parts are within the range. They do not overlap: the second
            // begins at `done`, and the first has at most `done` bytes.
            unsafe { ptr::copy_nonoverlapping(start, start.add(done), more) };
            done += more;
        }
        Ok(())
    }

    /// Returns a key by which every launch orders the memory that it locks. Two borrows may have the same
    /// address.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (self.pointer, ptr::from_ref(self).addr())
    }

    /// Takes the shared or exclusive lock for an access.
    pub(crate) fn lock(&self, access: Access) -> Result<Locked<'_>> {
        let lock = match access {
            Access::Shared => Lock::Reader(self.read_state()),
            Access::Exclusive => Lock::Writer(self.write_state()),
        };
        let state = match &lock {
            Lock::Reader(state) => **state,
            Lock::Writer(state) => **state,
        };
        self.check(access, state)?;
        Ok(Locked { memory: self, lock })
    }

    /// Copies runs of bytes, each an offset and a length, into `content` one after the other. What is between
    /// them is not read: other code may write it, if the memory is borrowed.
    pub(crate) fn read_runs(
        &self,
        runs: impl Iterator<Item = (usize, usize)>,
        content: &mut [u8],
    ) -> Result<()> {
        graph::refuse_in_capture("reading a tensor")?;
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range("download");
        let locked = self.lock(Access::Shared)?;
        let mut rest = content;
        for (start, bytes) in runs {
            let (run, after) = rest.split_at_mut(bytes);
            locked.read(start, run);
            rest = after;
        }
        Ok(())
    }

    fn check(&self, access: Access, state: State) -> Result<(), BorrowError> {
        match state {
            State::Ended => Err(BorrowError::Ended { param: None }),
            State::Usable if access > self.allowed => Err(BorrowError::ReadOnly { param: None }),
            State::Usable => Ok(()),
        }
    }

    fn read_state(&self) -> RwLockReadGuard<'_, State> {
        self.lock.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_state(&self) -> RwLockWriteGuard<'_, State> {
        self.lock.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A locked buffer.
pub(crate) struct Locked<'a> {
    memory: &'a HostMemory,
    lock: Lock<'a>,
}

enum Lock<'a> {
    Reader(RwLockReadGuard<'a, State>),
    Writer(RwLockWriteGuard<'a, State>),
}

impl Locked<'_> {
    /// Copies from `offset` into `content`.
    pub(crate) fn read(&self, offset: usize, content: &mut [u8]) {
        let start = self.memory.at(offset, content.len());
        // SAFETY: `at` checked the range; the lock excludes writers; `content` is not in the
        // buffer, because no reference into it exists.
        unsafe { ptr::copy_nonoverlapping(start, content.as_mut_ptr(), content.len()) };
    }

    /// Copies `content` to `offset`.
    pub(crate) fn write(&mut self, offset: usize, content: &[u8]) {
        assert!(
            matches!(self.lock, Lock::Writer(_)),
            "what is written is locked for writing"
        );
        let start = self.memory.at(offset, content.len());
        // SAFETY: as in `read`; the lock excludes readers and writers.
        unsafe { ptr::copy_nonoverlapping(content.as_ptr(), start, content.len()) };
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        match self.owner {
            Owner::Us => {}
            Owner::Lender | Owner::Kept(_) => return,
        }
        // SAFETY: allocated in `zeroed`.
        unsafe { allocation::free(self.pointer, self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_set_by_its_shortest_pattern() {
        assert_eq!(shortest_pattern(&[0; 8]), Some(&[0][..]));
        assert_eq!(shortest_pattern(&[1, 2, 1, 2]), Some(&[1, 2][..]));
        assert_eq!(
            shortest_pattern(&[1, 2, 3, 4, 1, 2, 3, 4]),
            Some(&[1, 2, 3, 4][..])
        );
        assert_eq!(shortest_pattern(&[1, 2, 3, 4, 5, 6, 7, 8]), None);
    }

    #[test]
    fn host_buffers_are_aligned_and_apart() {
        let first = Storage::zeroed(Device::cpu(), 0).expect("a small buffer");
        let second = Storage::zeroed(Device::cpu(), 3).expect("a small buffer");
        assert_eq!(first.address() % allocation::ALIGNMENT as u64, 0);
        assert_eq!(second.address() % allocation::ALIGNMENT as u64, 0);
        assert_ne!(first.address(), second.address());
    }

    #[test]
    fn more_memory_than_there_is_gives_an_error() {
        let error = Storage::zeroed(Device::cpu(), usize::MAX / 2)
            .err()
            .expect("no machine has this much memory");
        assert_eq!(
            error,
            Error::OutOfMemory {
                device: Device::cpu(),
                bytes: usize::MAX / 2
            }
        );
    }
}
