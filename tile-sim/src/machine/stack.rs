//! The `alloca` stack of a lane in local memory (PTX ISA, `alloca`, `stacksave`, `stackrestore`).
//!
//! The stack grows down from [`TOP`], far above the declared variables:
//!
//! ```text
//! 0 .. local_bytes      declared variables
//! pointer .. TOP        allocations, with gaps, the latest at the lowest address
//! ```
//!
//! An address belongs to at most one allocation, addresses in gaps to none, and freed allocations
//! are not accessible.

use std::ops::Range;

/// The initial stack pointer, above all variables.
const TOP: u64 = 1 << 30;
/// The minimum distance between allocations in bytes: an access that misses its allocation by less
/// does not hit another.
const GAP: u64 = 256;
/// The maximum local memory of a thread in bytes (PTX ISA: 512 KB).
const MAX_BYTES: u64 = 512 << 10;
/// The contents of uninitialized bytes.
const PATTERN: u8 = 0xa5;

/// An allocation.
#[derive(Clone, Debug)]
struct Frame {
    base: u64,
    bytes: Vec<u8>,
}

/// The stack of a lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    /// The allocations, in descending order of `base`.
    frames: Vec<Frame>,
    /// The size of all allocations in bytes.
    total: u64,
}

impl Stack {
    /// Frees all allocations.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.total = 0;
    }

    /// Returns the stack pointer, the address of the latest allocation.
    pub(crate) fn pointer(&self) -> u64 {
        self.frames.last().map_or(TOP, |frame| frame.base)
    }

    /// Allocates `bytes` bytes at a multiple of `align`, in addition to `others` bytes of local
    /// memory.
    pub(crate) fn allocate(&mut self, bytes: u64, align: u64, others: u64) -> Result<u64, String> {
        let left = MAX_BYTES.saturating_sub(others + self.total);
        if bytes > left {
            return Err(format!(
                "{bytes} bytes do not fit: {left} bytes of the {MAX_BYTES} of a thread are left"
            ));
        }
        let below = self.pointer().checked_sub(GAP + bytes);
        // The address is never a multiple of twice the alignment, so that no address is aligned
        // more than requested.
        let address = below.map(|below| below & !(2 * align - 1));
        let base = address.and_then(|address| address.checked_sub(align));
        let Some(base) = base.filter(|&base| base >= MAX_BYTES + GAP) else {
            return Err("the stack has no room for another allocation of this alignment".into());
        };
        self.total += bytes;
        // The size is at most 512 KB.
        let bytes = vec![PATTERN; bytes as usize];
        self.frames.push(Frame { base, bytes });
        Ok(base)
    }

    /// Frees the allocations since the stack pointer was `pointer`.
    pub(crate) fn restore(&mut self, pointer: u64) -> Result<(), String> {
        let kept = match self.frames.iter().position(|frame| frame.base == pointer) {
            Some(last) => last + 1,
            None if pointer == TOP => 0,
            None => {
                return Err(format!(
                    "{pointer:#x} was not returned by `stacksave` in this thread, or its allocations were freed since"
                ));
            }
        };
        let given_back = self.frames.drain(kept..);
        self.total -= given_back
            .map(|frame| frame.bytes.len() as u64)
            .sum::<u64>();
        Ok(())
    }

    /// Resolves an access to an allocation and a range in it.
    fn place(&self, address: u64, bytes: usize) -> Option<(usize, Range<usize>)> {
        let index = self.frames.partition_point(|frame| frame.base > address);
        let frame = self.frames.get(index)?;
        // The offset is below the length of the allocation if the access is valid.
        let start = usize::try_from(address - frame.base).ok()?;
        let range = start..start.checked_add(bytes)?;
        (range.end <= frame.bytes.len()).then_some((index, range))
    }

    pub(crate) fn read(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let (index, range) = self.place(address, bytes)?;
        Some(&self.frames[index].bytes[range])
    }

    pub(crate) fn write(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (index, range) = self.place(address, bytes)?;
        Some(&mut self.frames[index].bytes[range])
    }

    /// Describes the surroundings of an invalid address.
    pub(crate) fn around(&self, address: u64) -> Option<String> {
        if !(MAX_BYTES..TOP + GAP).contains(&address) {
            return None;
        }
        let length = |frame: &Frame| frame.bytes.len() as u64;
        let index = self.frames.partition_point(|frame| frame.base > address);
        if let Some(frame) = self.frames.get(index)
            && address - frame.base < length(frame) + GAP
        {
            let (offset, length) = (address - frame.base, length(frame));
            return Some(format!(
                ": it begins at byte {offset} of an `alloca` of {length}"
            ));
        }
        if let Some(above) = index.checked_sub(1).map(|above| &self.frames[above])
            && above.base - address < GAP
        {
            let (before, length) = (above.base - address, length(above));
            return Some(format!(
                ": it begins {before} bytes before an `alloca` of {length}"
            ));
        }
        Some(": an `alloca` there was freed, or never existed".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_aligned_and_apart() {
        let mut stack = Stack::default();
        let mut before = stack.pointer();
        for (bytes, align) in [(1, 8), (100, 16), (0, 8), (24, 1 << 23), (8, 8)] {
            let base = stack.allocate(bytes, align, 0).expect("there is room");
            assert!(base.is_multiple_of(align) && !base.is_multiple_of(2 * align));
            assert!(base + bytes + GAP <= before);
            assert_eq!(stack.pointer(), base);
            before = base;
        }
    }

    #[test]
    fn what_is_given_back_is_nowhere() {
        let mut stack = Stack::default();
        let first = stack.allocate(16, 8, 0).expect("there is room");
        let saved = stack.pointer();
        let second = stack.allocate(16, 8, 0).expect("there is room");
        stack.write(second + 8, 8).expect("it is there").fill(1);
        assert_eq!(stack.read(second + 8, 8), Some(&[1; 8][..]));
        assert_eq!(stack.read(second + 9, 8), None);
        assert_eq!(stack.read(first, 16), Some(&[PATTERN; 16][..]));
        stack.restore(saved).expect("a pointer that was saved");
        assert_eq!(stack.read(second, 1), None);
        assert!(stack.read(first, 16).is_some());
        stack.restore(second).expect_err("that was given back");
        stack.restore(TOP).expect("the pointer of the beginning");
        assert_eq!(stack.read(first, 1), None);
    }

    #[test]
    fn memory_of_a_thread_ends() {
        let mut stack = Stack::default();
        stack.allocate(MAX_BYTES - 8, 8, 8).expect("all there is");
        stack.allocate(1, 8, 8).expect_err("it is full");
        stack.restore(TOP).expect("the pointer of the beginning");
        stack.allocate(u64::MAX, 8, 0).expect_err("too long");
        stack.allocate(MAX_BYTES, 1 << 23, 0).expect("all there is");
    }
}
