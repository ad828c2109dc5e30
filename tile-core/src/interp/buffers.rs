//! The buffers of a launch, and pointers into them.
//!
//! A pointer is a buffer and an offset into it, so that an access is checked
//! against exactly the buffer that its pointer came from. A pointer that was made
//! from an integer has no buffer: its offset is an address, and every access looks
//! for the buffer that the address lies in.

use super::machine::Stop;
use smallvec::SmallVec;

/// [`Pointer::buffer`] of a pointer that came from no buffer.
const NO_BUFFER: u32 = u32::MAX;

/// A position in a buffer of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// Index of the buffer; `u32::MAX` for none.
    pub(super) buffer: u32,
    /// Bytes from its start.
    pub(super) offset: i64,
}

impl Default for Pointer {
    /// An address that no buffer has.
    fn default() -> Self {
        Self::from_address(0)
    }
}

impl Pointer {
    /// A pointer made from an integer.
    pub(super) fn from_address(address: u64) -> Self {
        Self {
            buffer: NO_BUFFER,
            offset: address.cast_signed(),
        }
    }
}

/// The buffers of a launch.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    list: SmallVec<[Buffer; 8]>,
}

#[derive(Clone, Copy, Debug)]
struct Buffer {
    start: *mut u8,
    bytes: usize,
    /// Whether blocks that run at the same time may write to it.
    contended: bool,
}

/// A part of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Its first byte.
    pub(super) at: *mut u8,
    /// Index of the buffer.
    pub(super) buffer: u32,
    /// Bytes from the buffer's start.
    pub(super) offset: usize,
    /// Whether other blocks may be writing there.
    pub(super) contended: bool,
}

impl Span {
    /// The part that starts `bytes` further.
    pub(super) fn skip(self, bytes: usize) -> Self {
        Self {
            at: self.at.wrapping_add(bytes),
            offset: self.offset + bytes,
            ..self
        }
    }
}

// SAFETY: whoever calls `Program::run` promises that the buffers may be read and
// written from any thread while it runs; what several blocks may write is accessed
// with atomic operations.
unsafe impl Send for Buffers {}
// SAFETY: as above.
unsafe impl Sync for Buffers {}

impl Buffers {
    /// Adds a buffer; returns the pointer to its start.
    ///
    /// # Safety
    /// `start` must be valid for reads and writes of `bytes` bytes while `self`
    /// is used, from any thread; unless `contended`, no block may write to it while
    /// another accesses it.
    pub(super) unsafe fn add(&mut self, start: *mut u8, bytes: usize, contended: bool) -> Pointer {
        self.list.push(Buffer {
            start,
            bytes,
            contended,
        });
        Pointer {
            buffer: u32::try_from(self.list.len() - 1).expect("few parameters"),
            offset: 0,
        }
    }

    /// The address of a pointer.
    pub(super) fn address(&self, pointer: Pointer) -> u64 {
        let start = self
            .list
            .get(pointer.buffer as usize)
            .map_or(0, |buffer| buffer.start.addr() as u64);
        start.wrapping_add_signed(pointer.offset)
    }

    /// The `bytes` bytes that start `skip` bytes after `pointer`, all of which lie in
    /// the buffer that `pointer` points into.
    pub(super) fn span(&self, pointer: Pointer, skip: u128, bytes: u128) -> Result<Span, Stop> {
        let Some((pointer, buffer)) = self.find(pointer) else {
            return Stop::here(format!(
                "access to address {:#x}, which is in no buffer",
                pointer.offset
            ));
        };
        let skip = i128::try_from(skip).unwrap_or(i128::MAX);
        let bytes = i128::try_from(bytes).unwrap_or(i128::MAX);
        let begin = i128::from(pointer.offset).saturating_add(skip);
        let end = begin.saturating_add(bytes);
        if begin < 0 || end > buffer.bytes as i128 {
            return Stop::here(format!(
                "access to bytes {begin}..{end} of a buffer of {} bytes",
                buffer.bytes
            ));
        }
        let offset = usize::try_from(begin).expect("at most the buffer's length");
        Ok(Span {
            // SAFETY: `offset` is at most the length of the buffer.
            at: unsafe { buffer.start.add(offset) },
            buffer: pointer.buffer,
            offset,
            contended: buffer.contended,
        })
    }

    /// The buffer that a pointer is into, and the pointer as one into it.
    fn find(&self, pointer: Pointer) -> Option<(Pointer, &Buffer)> {
        if pointer.buffer != NO_BUFFER {
            return Some((pointer, &self.list[pointer.buffer as usize]));
        }
        let address = usize::try_from(pointer.offset.cast_unsigned()).ok()?;
        self.list.iter().zip(0..).find_map(|(buffer, index)| {
            let offset = address.checked_sub(buffer.start.addr())?;
            let pointer = Pointer {
                buffer: index,
                offset: i64::try_from(offset).ok()?,
            };
            (offset < buffer.bytes).then_some((pointer, buffer))
        })
    }
}
