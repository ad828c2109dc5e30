//! Memory that the interpreter itself gives to a kernel: aligned, and freed with its owner.

use std::alloc::{Layout, alloc_zeroed, dealloc};

/// Bytes on the heap.
#[derive(Debug)]
pub(super) struct Allocation {
    start: *mut u8,
    layout: Layout,
    bytes: usize,
}

// SAFETY: it owns its memory, which nothing ties to a thread.
unsafe impl Send for Allocation {}
// SAFETY: it gives no access to its memory but a raw pointer.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// Zeros: `bytes` of them, at a multiple of `alignment`. `None` if there is no such memory.
    pub(super) fn zeroed(bytes: usize, alignment: usize) -> Option<Self> {
        // Even nothing has an address of its own.
        let layout = Layout::from_size_align(bytes.max(1), alignment).ok()?;
        // SAFETY: the layout has a size.
        let start = unsafe { alloc_zeroed(layout) };
        (!start.is_null()).then_some(Self {
            start,
            layout,
            bytes,
        })
    }

    /// Its first byte.
    pub(super) fn start(&self) -> *mut u8 {
        self.start
    }

    /// How many bytes may be accessed.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and is not used any more.
        unsafe { dealloc(self.start, self.layout) };
    }
}
