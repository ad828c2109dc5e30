//! Memory of this program for elements: of tensors of the CPU device, and of host buffers beside them.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

/// The alignment of every buffer in bytes, which is also that of `cuMemAlloc`.
pub(crate) const ALIGNMENT: usize = 256;

/// The bytes from which memory should be in huge pages. NumPy begins here, too.
const LARGE: usize = 1 << 22;

/// Allocates zeroed bytes, which [`free`] frees. Each allocation has an address of its own, even an empty one.
pub(crate) fn allocate_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = layout(bytes)?;
    // SAFETY: a layout has at least 1 byte.
    let memory = NonNull::new(unsafe { alloc(layout) })?;
    if bytes >= LARGE {
        ask_for_huge_pages(memory, bytes);
    }
    // SAFETY: this is the size of the allocation.
    unsafe { memory.write_bytes(0, layout.size()) };
    Some(memory)
}

/// Frees memory of [`allocate_zeroed`].
///
/// # Safety
/// `memory` was allocated with this number of bytes, and nothing uses it any more.
pub(crate) unsafe fn free(memory: NonNull<u8>, bytes: usize) {
    let layout = layout(bytes).expect("it was allocated with this layout");
    // SAFETY: the caller's.
    unsafe { dealloc(memory.as_ptr(), layout) };
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()
}

/// Asks Linux for pages of 2 MiB, which many distributions give only to programs that ask: a processor knows the
/// addresses of some thousand pages. It has to be done before the memory is written for the first time.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(memory: NonNull<u8>, bytes: usize) {
    // SAFETY: the function has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Some(page) = usize::try_from(page)
        .ok()
        .filter(|page| page.is_power_of_two())
    else {
        return;
    };
    let before = memory.addr().get() % page;
    let start = memory.as_ptr().wrapping_sub(before);
    // SAFETY: the advice changes no content, also not of what else is in the first and the last page. If it cannot
    // be followed, pages are small.
    unsafe { libc::madvise(start.cast(), before + bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_aligned_and_zeroed() {
        for bytes in [0, 1, 300, LARGE - 1, LARGE, LARGE + 4097] {
            let memory = allocate_zeroed(bytes).expect("a few megabytes");
            assert_eq!(memory.addr().get() % ALIGNMENT, 0);
            // SAFETY: it has so many bytes, and nothing else uses them.
            let slice = unsafe { std::slice::from_raw_parts_mut(memory.as_ptr(), bytes) };
            assert!(slice.iter().all(|&byte| byte == 0));
            // What is freed and allocated again is zeroed again.
            slice.fill(1);
            // SAFETY: allocated above.
            unsafe { free(memory, bytes) };
        }
        assert!(allocate_zeroed(usize::MAX / 2).is_none() && allocate_zeroed(usize::MAX).is_none());
    }

    /// The kernel says of each mapping whether it was asked for huge pages (`hg`).
    #[cfg(target_os = "linux")]
    #[test]
    fn large_memory_asks_for_huge_pages() {
        let bytes = 2 * LARGE;
        let memory = allocate_zeroed(bytes).expect("a few megabytes");
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("a file of Linux");
        let flags = flags_of(&maps, memory.addr().get() + bytes / 2);
        // SAFETY: allocated above.
        unsafe { free(memory, bytes) };
        assert!(flags.contains(&"hg"), "{flags:?}");
    }

    /// Returns the flags of the mapping that has an address.
    #[cfg(target_os = "linux")]
    fn flags_of(maps: &str, address: usize) -> Vec<&str> {
        let mut is_inside = false;
        for line in maps.lines() {
            let range = line.split_whitespace().next().and_then(|range| {
                let (start, end) = range.split_once('-')?;
                let number = |text| usize::from_str_radix(text, 16).ok();
                Some(number(start)?..number(end)?)
            });
            if let Some(range) = range {
                is_inside = range.contains(&address);
            } else if is_inside && let Some(flags) = line.strip_prefix("VmFlags:") {
                return flags.split_whitespace().collect();
            }
        }
        panic!("no mapping has the address {address:#x}");
    }
}
