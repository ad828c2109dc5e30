//! What lanes allocate in local memory while they run (PTX ISA, `alloca`, `stacksave`,
//! `stackrestore`).
//!
//! The stack of a lane grows down from [`TOP`], far behind the variables that the text declares:
//!
//! ```text
//! 0 .. local_bytes      variables of the text
//! pointer .. TOP        allocations, with gaps, the latest at the lowest address
//! ```
//!
//! - An address is of at most one allocation, and what lies behind or before one is of none.
//! - What was given back is nowhere.

use std::ops::Range;

/// Where stacks begin; no variable of the text lies as high.
const TOP: u64 = 1 << 30;
/// No access that misses its allocation by less finds another.
const GAP: u64 = 256;
/// The most local memory of a thread (PTX ISA: 512 KB).
const MOST_BYTES: u64 = 512 << 10;
/// What is not written yet.
const PATTERN: u8 = 0xa5;

/// One allocation.
#[derive(Clone, Debug)]
struct Frame {
    base: u64,
    bytes: Vec<u8>,
}

/// The stack of one lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    /// By falling base.
    frames: Vec<Frame>,
    /// Of all of them.
    total: u64,
}

impl Stack {
    /// Nothing is allocated.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.total = 0;
    }

    /// The address of the latest allocation.
    pub(crate) fn pointer(&self) -> u64 {
        self.frames.last().map_or(TOP, |frame| frame.base)
    }

    /// Room for `bytes` bytes at a multiple of `align`, beside `others` bytes of local memory.
    pub(crate) fn allocate(&mut self, bytes: u64, align: u64, others: u64) -> Result<u64, String> {
        let left = MOST_BYTES.saturating_sub(others + self.total);
        if bytes > left {
            return Err(format!(
                "{bytes} bytes do not fit: {left} bytes of the {MOST_BYTES} of a thread are left"
            ));
        }
        let below = self.pointer().checked_sub(GAP + bytes);
        // Never at a multiple of twice the alignment, so that nothing more is aligned by chance.
        let at = below.map(|below| below & !(2 * align - 1));
        let base = at.and_then(|at| at.checked_sub(align));
        let Some(base) = base.filter(|&base| base >= MOST_BYTES + GAP) else {
            return Err("the stack has no room for another allocation of this alignment".into());
        };
        self.total += bytes;
        // At most 512 KB.
        let bytes = vec![PATTERN; bytes as usize];
        self.frames.push(Frame { base, bytes });
        Ok(base)
    }

    /// Gives back what was allocated since the pointer was `pointer`.
    pub(crate) fn restore(&mut self, pointer: u64) -> Result<(), String> {
        let kept = match self.frames.iter().position(|frame| frame.base == pointer) {
            Some(last) => last + 1,
            None if pointer == TOP => 0,
            None => {
                return Err(format!(
                    "{pointer:#x} is no value of `stacksave` in this thread, or of a time whose allocations were given back since"
                ));
            }
        };
        let given_back = self.frames.drain(kept..);
        self.total -= given_back
            .map(|frame| frame.bytes.len() as u64)
            .sum::<u64>();
        Ok(())
    }

    /// The allocation that holds these bytes, and where in it they are.
    fn place(&self, address: u64, bytes: usize) -> Option<(usize, Range<usize>)> {
        let index = self.frames.partition_point(|frame| frame.base > address);
        let frame = self.frames.get(index)?;
        // Below the length of the allocation if it is there.
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

    /// What is near an address where nothing is, in words.
    pub(crate) fn around(&self, address: u64) -> Option<String> {
        if !(MOST_BYTES..TOP + GAP).contains(&address) {
            return None;
        }
        let length = |frame: &Frame| frame.bytes.len() as u64;
        let index = self.frames.partition_point(|frame| frame.base > address);
        if let Some(frame) = self.frames.get(index)
            && address - frame.base < length(frame) + GAP
        {
            let (at, length) = (address - frame.base, length(frame));
            return Some(format!(
                ": it begins at byte {at} of an `alloca` of {length}"
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
        Some(": what an `alloca` allocated there was given back, or never was".into())
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
        stack.allocate(MOST_BYTES - 8, 8, 8).expect("all there is");
        stack.allocate(1, 8, 8).expect_err("it is full");
        stack.restore(TOP).expect("the pointer of the beginning");
        stack.allocate(u64::MAX, 8, 0).expect_err("too long");
        stack
            .allocate(MOST_BYTES, 1 << 23, 0)
            .expect("all there is");
    }
}
