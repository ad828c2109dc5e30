//! The buffers of a launch, and pointers into them.
//!
//! A pointer is a buffer and an offset into it (its provenance), so that an access is checked
//! against the buffer from which its pointer was derived. A pointer made from an integer has no
//! buffer: its offset is an address, and every access looks up the buffer that contains the
//! address.
//!
//! Buffers that every block of the grid can access (arguments, globals) have the first numbers, in
//! a list that all blocks share. The buffers that a block allocates with `alloca` follow. Within a
//! block, their numbers are never reused, so that dangling pointers are recognized.

use super::allocation::Allocation;
use super::fault::FaultKind;
use super::machine::Stop;
use smallvec::SmallVec;
use std::fmt;

/// The [`Pointer::buffer`] of a pointer without a buffer.
const NO_BUFFER: u32 = u32::MAX;

/// A position in a buffer of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The index of the buffer; `u32::MAX` if there is none.
    pub(super) buffer: u32,
    /// The offset in bytes from the start of the buffer.
    pub(super) offset: i64,
}

impl Default for Pointer {
    /// Returns an address that is in no buffer.
    fn default() -> Self {
        Self::from_address(0)
    }
}

impl Pointer {
    /// Makes a pointer from an integer.
    pub(super) fn from_address(address: u64) -> Self {
        Self {
            buffer: NO_BUFFER,
            offset: address.cast_signed(),
        }
    }
}

/// The buffers of a launch that one block can access.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// The buffers that all blocks share.
    list: SmallVec<[Buffer; 8]>,
    /// The local buffers of this block with their numbers, in ascending order.
    locals: Vec<(u32, Buffer, Allocation)>,
    /// The number of local buffers that the block has allocated, including freed ones.
    serial: u32,
}

/// The origin of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An argument that the host passed.
    Argument,
    /// A variable of the module.
    Global,
    /// A variable that must not be stored to.
    Constant,
    /// Memory of the block: invisible to other blocks and initially uninitialized.
    Local,
}

/// The properties of a buffer before the first access.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferFacts {
    pub(super) bytes: usize,
    pub(super) origin: Origin,
    /// The index of the parameter, of the variable in module order, or of the executed `alloca`.
    pub(super) number: u32,
    /// Is `true` if the kernel may store to the buffer.
    pub(super) stored: bool,
    /// Is `true` if the contents are defined before the kernel writes to the buffer.
    pub(super) initialized: bool,
}

impl fmt::Display for BufferFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number;
        match self.origin {
            Origin::Argument => write!(f, "parameter {number}"),
            Origin::Global | Origin::Constant => write!(f, "variable {number} of the module"),
            Origin::Local => write!(f, "memory of `alloca`"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Buffer {
    start: *mut u8,
    facts: BufferFacts,
    /// Is `true` if concurrent blocks may write to the buffer.
    contended: bool,
}

/// A part of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The address of the first byte.
    pub(super) ptr: *mut u8,
    /// The index of the buffer.
    pub(super) buffer: u32,
    /// The offset in bytes from the buffer's start.
    pub(super) offset: usize,
    /// Is `true` if other blocks may concurrently write to this part.
    pub(super) contended: bool,
    pub(super) origin: Origin,
}

impl Span {
    /// Returns the same part after checking that the kernel may store to it.
    pub(super) fn to_store(self) -> Result<Self, Stop> {
        match self.origin {
            Origin::Argument | Origin::Global | Origin::Local => Ok(self),
            Origin::Constant => Stop::here("store to a constant `global`"),
        }
    }

    /// Returns the part that starts `bytes` further.
    pub(super) fn skip(self, bytes: usize) -> Self {
        Self {
            ptr: self.ptr.wrapping_add(bytes),
            offset: self.offset + bytes,
            ..self
        }
    }
}

// SAFETY: the caller of `Program::run` promises that the buffers may be read and written from any
// thread while it runs; memory that several blocks may write is accessed with atomic operations.
unsafe impl Send for Buffers {}
// SAFETY: as for `Send`.
unsafe impl Sync for Buffers {}

impl Buffers {
    /// Adds a buffer; returns the pointer to its start.
    ///
    /// # Safety
    /// `start` must be valid for reads and writes of `facts.bytes` bytes while `self` is used, from
    /// any thread; unless `contended`, no block may write to it while another accesses it.
    pub(super) unsafe fn add(
        &mut self,
        start: *mut u8,
        facts: BufferFacts,
        contended: bool,
    ) -> Pointer {
        self.list.push(Buffer {
            start,
            facts,
            contended,
        });
        Pointer {
            buffer: u32::try_from(self.list.len() - 1).expect("few parameters"),
            offset: 0,
        }
    }

    /// Returns the number of buffers that all blocks share.
    pub(super) fn count_shared(&self) -> usize {
        self.list.len()
    }

    /// Returns the properties of buffer `number`.
    pub(super) fn facts(&self, number: u32) -> BufferFacts {
        let buffer = self.buffer(number);
        buffer.expect("a buffer that was accessed").facts
    }

    /// Returns the properties of the buffer that `pointer` points into; `None` if there is none.
    pub(super) fn origin(&self, pointer: Pointer) -> Option<BufferFacts> {
        self.find(pointer).map(|(_, buffer)| buffer.facts)
    }

    /// Returns a copy that has only the shared buffers, for the blocks that one thread runs.
    pub(super) fn shared(&self) -> Self {
        Self {
            list: self.list.clone(),
            locals: Vec::new(),
            serial: 0,
        }
    }

    /// Prepares the buffers for another block: frees all local buffers.
    pub(super) fn start_block(&mut self) {
        self.locals.clear();
        self.serial = 0;
    }

    /// Allocates local memory of the block.
    pub(super) fn allocate(&mut self, bytes: usize, alignment: usize) -> Result<Pointer, Stop> {
        let number = u32::try_from(self.list.len()).ok();
        let number = number.and_then(|first| first.checked_add(self.serial));
        let allocation = Allocation::zeroed(bytes, alignment);
        let (Some(number), Some(allocation)) = (number.filter(|&n| n < NO_BUFFER), allocation)
        else {
            let message =
                format!("there is no memory for {bytes} bytes at a multiple of {alignment}");
            return Err(Stop::Other(FaultKind::Refused, message));
        };
        let buffer = Buffer {
            start: allocation.start(),
            facts: BufferFacts {
                bytes: allocation.bytes(),
                origin: Origin::Local,
                number: self.serial,
                stored: true,
                initialized: false,
            },
            contended: false,
        };
        self.serial += 1;
        self.locals.push((number, buffer, allocation));
        Ok(Pointer {
            buffer: number,
            offset: 0,
        })
    }

    /// Returns the number of local buffers of the block.
    pub(super) fn locals(&self) -> usize {
        self.locals.len()
    }

    /// Frees the block's local buffers except the first `kept`, as returned by [`Buffers::locals`].
    pub(super) fn release(&mut self, kept: usize) {
        self.locals.truncate(kept);
    }

    /// Returns the address of a pointer, which is arbitrary if the pointer is dangling.
    pub(super) fn address(&self, pointer: Pointer) -> u64 {
        let start = self
            .buffer(pointer.buffer)
            .map_or(0, |buffer| buffer.start.addr() as u64);
        start.wrapping_add_signed(pointer.offset)
    }

    fn buffer(&self, number: u32) -> Option<&Buffer> {
        if let Some(buffer) = self.list.get(number as usize) {
            return Some(buffer);
        }
        let slot = self.locals.binary_search_by_key(&number, |local| local.0);
        slot.ok().map(|index| &self.locals[index].1)
    }

    /// Returns the `bytes` bytes that start `skip` bytes after `pointer`, all of which must be in
    /// the buffer of `pointer`.
    pub(super) fn span(&self, pointer: Pointer, skip: u128, bytes: u128) -> Result<Span, Stop> {
        let Some((pointer, buffer)) = self.find(pointer) else {
            if pointer.buffer != NO_BUFFER {
                return Stop::here("access to memory of `alloca` after the end of its block");
            }
            return Stop::here(format!(
                "access to address {:#x}, which is in no buffer",
                pointer.offset
            ));
        };
        let skip = i128::try_from(skip).unwrap_or(i128::MAX);
        let bytes = i128::try_from(bytes).unwrap_or(i128::MAX);
        let begin = i128::from(pointer.offset).saturating_add(skip);
        let end = begin.saturating_add(bytes);
        let length = buffer.facts.bytes;
        if begin < 0 || end > length as i128 {
            return Stop::here(format!(
                "access to bytes {begin}..{end} of a buffer of {length} bytes, {}",
                buffer.facts
            ));
        }
        let offset = usize::try_from(begin).expect("at most the buffer's length");
        Ok(Span {
            // SAFETY: `offset` is at most the length of the buffer.
            ptr: unsafe { buffer.start.add(offset) },
            buffer: pointer.buffer,
            offset,
            contended: buffer.contended,
            origin: buffer.facts.origin,
        })
    }

    /// Returns the buffer that a pointer points into, and the pointer relative to this buffer.
    fn find(&self, pointer: Pointer) -> Option<(Pointer, &Buffer)> {
        if pointer.buffer != NO_BUFFER {
            return self.buffer(pointer.buffer).map(|buffer| (pointer, buffer));
        }
        let address = usize::try_from(pointer.offset.cast_unsigned()).ok()?;
        let shared = self.list.iter().zip(0..);
        let local_buffer = self
            .locals
            .iter()
            .map(|(number, buffer, _)| (buffer, *number));
        shared.chain(local_buffer).find_map(|(buffer, index)| {
            let offset = address.checked_sub(buffer.start.addr())?;
            let pointer = Pointer {
                buffer: index,
                offset: i64::try_from(offset).ok()?,
            };
            (offset < buffer.facts.bytes).then_some((pointer, buffer))
        })
    }
}
