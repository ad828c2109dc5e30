//! 4-bit elements in memory, two per byte: those with an even index are in the low bits.
//!
//! A store of one element preserves the other, even if another block is storing it concurrently.

use super::shared;
use super::tile::Lane;
use super::window::{Row, Window};

/// Returns the bit offset of element `index` of `row` within its byte.
fn shift(window: &Window, row: Row, index: usize) -> usize {
    4 * ((window.before + row.offset + index * row.stride) % 2)
}

/// Loads a row of elements.
pub(super) fn load_row<L: Lane>(window: &Window, row: Row, to: &mut [L]) {
    for (index, lane) in to.iter_mut().enumerate() {
        let span = window.place(row, index);
        // SAFETY: the window is inside the buffer, all of whose accesses are of this kind.
        let byte: u8 = unsafe {
            if span.contended {
                shared::read(span.ptr)
            } else {
                span.ptr.read()
            }
        };
        *lane = L::from_bits(u64::from(byte >> shift(window, row, index) & 0xf));
    }
}

/// Stores a row of elements.
pub(super) fn store_row<L: Lane>(window: &Window, row: Row, from: &[L]) {
    for (index, lane) in from.iter().enumerate() {
        let span = window.place(row, index);
        let shift = shift(window, row, index);
        let bits = u8::from_bits(lane.to_bits() & 0xf) << shift;
        let insert = |byte: u8| byte & !(0xf << shift) | bits;
        // SAFETY: the window is inside the buffer, all of whose accesses are of this kind.
        unsafe {
            if span.contended {
                shared::update(span.ptr, insert).expect("every address is a multiple of one");
            } else {
                span.ptr.write(insert(span.ptr.read()));
            }
        }
    }
}
