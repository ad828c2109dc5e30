//! Places buffers in shared memory.
//!
//! In: a kernel whose buffers have sizes. Out: the same with offsets; buffers whose
//! lifetimes overlap do not share bytes. A lifetime goes from the first to the last
//! access in program order; a buffer that lives across a loop's back edge lives through
//! the whole loop. A small buffer lives throughout: the barrier that sharing its bytes
//! would need costs more than they do; so does one whose address may be anywhere.

use super::{in_order, touched};
use crate::gpu::{BufferId, Kernel, OpId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Buffers up to this size share their bytes with no other.
const SMALL_BYTES: u32 = 1024;

/// Gives every buffer an offset and the kernel its size of shared memory.
pub fn allocate_shared(kernel: &mut Kernel) {
    let lifetimes = lifetimes(kernel);
    let mut order: Vec<BufferId> = kernel.buffer_ids().collect();
    // First fit, largest first, packs tightly; ties by position keep it deterministic.
    order.sort_by_key(|id| std::cmp::Reverse(kernel.buffer(*id).bytes));
    let mut placed: Vec<(BufferId, Range<u32>)> = Vec::new();
    let mut total = 0;
    for id in order {
        let buffer = kernel.buffer(id);
        let (bytes, align) = (buffer.bytes, buffer.align_bytes);
        let mut taken: Vec<Range<u32>> = placed
            .iter()
            .filter(|(other, _)| overlap(&lifetimes[other.index()], &lifetimes[id.index()]))
            .map(|(_, range)| range.clone())
            .collect();
        taken.sort_by_key(|range| range.start);
        let mut start = 0_u32;
        for range in taken {
            if range.start >= start.saturating_add(bytes) {
                break;
            }
            start = start.max(range.end.next_multiple_of(align));
        }
        let end = start.saturating_add(bytes);
        kernel.buffers[id.index()].offset_bytes = Some(start);
        placed.push((id, start..end));
        total = total.max(end);
    }
    kernel.shared_bytes = total;
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Per buffer, the positions in program order at which it must keep its contents.
fn lifetimes(kernel: &Kernel) -> Vec<Range<usize>> {
    let order = in_order(kernel);
    let mut loops: FxHashMap<OpId, Range<usize>> = FxHashMap::default();
    for (position, (_, around)) in order.iter().enumerate() {
        for &id in around {
            let range = loops.entry(id).or_insert(position..position + 1);
            range.end = position + 1;
        }
    }
    let mut accesses: Vec<Vec<usize>> = vec![Vec::new(); kernel.buffers.len()];
    for (position, (id, _)) in order.iter().enumerate() {
        for (buffer, _) in touched(&kernel.op(*id).kind) {
            accesses[buffer.index()].push(position);
        }
    }
    accesses
        .iter()
        .zip(kernel.buffer_ids())
        .map(|(positions, id)| {
            if kernel.buffer(id).bytes <= SMALL_BYTES || kernel.kept.contains(&id) {
                return 0..order.len();
            }
            let (Some(&first), Some(&last)) = (positions.first(), positions.last()) else {
                return 0..0;
            };
            let mut range = first..last + 1;
            for &position in positions {
                for id in &order[position].1 {
                    let body = &loops[id];
                    let inside = |position: &usize| body.contains(position);
                    if !positions.iter().all(inside) {
                        range = range.start.min(body.start)..range.end.max(body.end);
                    }
                }
            }
            range
        })
        .collect()
}
