//! Accesses to memory to which other blocks may concurrently write.
//!
//! A kernel may let two blocks of its grid store to one location. Its final contents are then
//! indeterminate, but reads and writes must remain defined: such elements are accessed with relaxed
//! atomic operations. Elements of read-only buffers, and those of a grid of one block, use plain
//! accesses.

use super::tile::Lane;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

macro_rules! by_size {
    ($L:ty, $ptr:expr, $Atomic:ident => $aligned:expr, $bytes:expr) => {
        match size_of::<$L>() {
            1 => {
                type $Atomic = AtomicU8;
                $aligned
            }
            2 if $ptr.addr() % 2 == 0 => {
                type $Atomic = AtomicU16;
                $aligned
            }
            4 if $ptr.addr() % 4 == 0 => {
                type $Atomic = AtomicU32;
                $aligned
            }
            8 if $ptr.addr() % 8 == 0 => {
                type $Atomic = AtomicU64;
                $aligned
            }
            _ => $bytes,
        }
    };
}

/// Reads an element.
///
/// # Safety
/// `ptr` must be valid for reads of an element, and every concurrent access to it must come from
/// this module and have the same element size.
#[expect(
    clippy::useless_conversion,
    reason = "the bits of the widest elements are 64 already"
)]
pub(super) unsafe fn read<L: Lane>(ptr: *mut u8) -> L {
    // SAFETY: promised by the caller; alignment was checked for the wide ones.
    unsafe {
        by_size!(
            L, ptr,
            A => L::from_bits(A::from_ptr(ptr.cast()).load(Ordering::Relaxed).into()),
            {
                let bits = (0..size_of::<L>()).fold(0, |bits, byte| {
                    let value = AtomicU8::from_ptr(ptr.add(byte)).load(Ordering::Relaxed);
                    bits | u64::from(value) << (8 * byte)
                });
                L::from_bits(bits)
            }
        )
    }
}

/// Writes an element.
///
/// # Safety
/// As [`read`], for writes.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the bits of an element fit its size"
)]
pub(super) unsafe fn write<L: Lane>(ptr: *mut u8, value: L) {
    let bits = value.to_bits();
    // SAFETY: promised by the caller; alignment was checked for the wide ones.
    unsafe {
        by_size!(
            L, ptr,
            A => A::from_ptr(ptr.cast()).store(bits as _, Ordering::Relaxed),
            for (byte, value) in bits.to_le_bytes().into_iter().take(size_of::<L>()).enumerate() {
                AtomicU8::from_ptr(ptr.add(byte)).store(value, Ordering::Relaxed);
            }
        );
    }
}

/// Replaces an element `e` by `f(e)` atomically; returns the old value. Returns `None` if `ptr` is
/// not a multiple of its size.
///
/// # Safety
/// As [`read`], for reads and writes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::useless_conversion,
    reason = "the bits of an element fit its size"
)]
pub(super) unsafe fn update<L: Lane>(ptr: *mut u8, f: impl Fn(L) -> L) -> Option<L> {
    let replace = |bits: u64| f(L::from_bits(bits)).to_bits();
    // SAFETY: promised by the caller; alignment was checked.
    let old: u64 = unsafe {
        by_size!(
            L, ptr,
            A => A::from_ptr(ptr.cast())
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
                    Some(replace(old.into()) as _)
                })
                .expect("it always gives a value")
                .into(),
            return None
        )
    };
    Some(L::from_bits(old))
}

#[cfg(test)]
mod tests {
    use super::{read, update, write};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn no_update_is_lost() {
        let counter = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        // SAFETY: the counter lives until the end of the scope.
                        let old = unsafe { update(counter.as_ptr().cast(), |old: u64| old + 1) };
                        old.expect("it is aligned");
                    }
                });
            }
        });
        assert_eq!(counter.load(Ordering::Relaxed), 4000);
        // SAFETY: nothing is accessed at an odd address.
        let odd = unsafe {
            update(counter.as_ptr().cast::<u8>().wrapping_add(1), |old: u16| {
                old
            })
        };
        assert_eq!(odd, None);
    }

    #[test]
    fn elements_survive_at_every_alignment() {
        let mut bytes = [0_u8; 24];
        for offset in 0..8 {
            // SAFETY: the elements are inside the array, to which this thread has exclusive access.
            unsafe {
                let ptr = bytes.as_mut_ptr().add(offset);
                write(ptr, 0x0123_4567_89ab_cdef_u64);
                assert_eq!(read::<u64>(ptr), 0x0123_4567_89ab_cdef);
                write(ptr, 0xdead_beef_u32);
                assert_eq!(read::<u32>(ptr), 0xdead_beef);
                write(ptr, 0xff55_u16);
                assert_eq!(read::<u16>(ptr), 0xff55);
                write(ptr, 7_u8);
                assert_eq!(read::<u8>(ptr), 7);
                // The neighbours of the last write kept the bytes of the previous write.
                assert_eq!(bytes[offset + 1], 0xff);
            }
        }
    }
}
