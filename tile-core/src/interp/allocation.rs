//! Memory that the interpreter itself provides to a kernel. It is aligned, and is freed when its
//! owner is dropped.

use std::alloc::{Layout, alloc_zeroed, dealloc};

/// A block of bytes on the heap.
#[derive(Debug)]
pub(super) struct Allocation {
    start: *mut u8,
    layout: Layout,
    bytes: usize,
}

// SAFETY: an allocation owns its memory, which is not tied to a thread.
unsafe impl Send for Allocation {}
// SAFETY: an allocation gives access to its memory only through a raw pointer.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// Allocates `bytes` zeros at a multiple of `alignment`. Returns `None` if memory is exhausted
    /// or the layout is invalid.
    pub(super) fn zeroed(bytes: usize, alignment: usize) -> Option<Self> {
        // Even an empty allocation has a unique address.
        let layout = Layout::from_size_align(bytes.max(1), alignment).ok()?;
        // SAFETY: the size of the layout is not 0.
        let start = unsafe { alloc_zeroed(layout) };
        (!start.is_null()).then_some(Self {
            start,
            layout,
            bytes,
        })
    }

    /// Returns the first byte.
    pub(super) fn start(&self) -> *mut u8 {
        self.start
    }

    /// Returns the number of bytes that may be accessed.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout and is not used any more.
        unsafe { dealloc(self.start, self.layout) };
    }
}
