//! The bytes of global memory that a launch accessed, from the shadows of its host threads.
//!
//! A shadow keeps the last write of each byte and the reads after it, so an access that a later one of the
//! same kind replaced is known by that one only.

use super::global::{GlobalShadow, PAGE};
use super::stamp::{Stamp, Strength};
use crate::machine::grid::Setting;
use crate::machine::memory::Device;
use crate::machine::region::{Accesses, Span};

/// Returns the accessed ranges, in ascending order.
pub(crate) fn spans(
    shadows: &[GlobalShadow],
    device: &Device<'_>,
    setting: &Setting<'_>,
) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let blocks = setting.blocks_per_cluster();
    for allocation in 0..device.allocations() {
        let base = device.base(allocation);
        let length = device.length(allocation) as u64;
        let pages = shadows.iter().map(|shadow| shadow.pages_of(allocation));
        for page in 0..pages.max().unwrap_or(0) {
            if !shadows
                .iter()
                .any(|shadow| shadow.has_page(allocation, page))
            {
                continue;
            }
            for word in page * PAGE..(page + 1) * PAGE {
                let mut bytes = [Accesses::default(); 4];
                for shadow in shadows {
                    shadow.each_access(allocation, word, |stamp, is_write| {
                        let mut kind = kind(stamp, is_write);
                        if shadow.is_early(stamp, setting.warps, blocks) {
                            kind |= Accesses::EARLY;
                        }
                        for (byte, accesses) in bytes.iter_mut().enumerate() {
                            if stamp.mask >> byte & 1 == 1 {
                                *accesses |= kind;
                            }
                        }
                    });
                }
                for (byte, accesses) in (word as u64 * 4..).zip(bytes) {
                    if accesses != Accesses::default() && byte < length {
                        add(&mut spans, base + byte, accesses);
                    }
                }
            }
        }
    }
    spans
}

fn add(spans: &mut Vec<Span>, address: u64, accesses: Accesses) {
    match spans.last_mut() {
        Some(last) if last.end == address && last.accesses == accesses => last.end += 1,
        _ => spans.push(Span {
            start: address,
            end: address + 1,
            accesses,
        }),
    }
}

fn kind(stamp: Stamp, is_write: bool) -> Accesses {
    match (stamp.strength(), is_write) {
        (Strength::Plain | Strength::Copy, false) => Accesses::READ,
        (Strength::Plain | Strength::Copy, true) => Accesses::WRITE,
        (Strength::Strong(_), false) => Accesses::STRONG_READ,
        (Strength::Strong(_), true) => Accesses::STRONG_WRITE,
    }
}
