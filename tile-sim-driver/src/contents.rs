//! Device memory that a launch reads before anything has written it.
//!
//! What is new has a content that no program may rely on. Of each allocation of a device or a pool it is known
//! which bytes operations have written. A launch that reads others is in doubt until the work of its context has ended, or
//! until an operation behind it writes them: a writer that nothing orders is a race, which is found by itself.
//!
//! - Copies may read what nobody wrote, as the padding of a buffer. What they write counts as written.
//! - A launch that both reads and writes a byte counts as a writer.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use tile_sim::{Accesses, Span};

use crate::abi::CUcontext;
use crate::config;
use crate::memory::Kind;
use crate::race::Point;
use crate::result::CUresult;
use crate::state::State;

/// Ranges that do not touch each other, by their starts.
#[derive(Debug, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    fn add(&mut self, range: Range<u64>) {
        let Range { mut start, mut end } = range;
        if start >= end {
            return;
        }
        while let Some((&first, &last)) = self.0.range(..=end).next_back() {
            if last < start {
                break;
            }
            self.0.remove(&first);
            start = start.min(first);
            end = end.max(last);
        }
        self.0.insert(start, end);
    }

    /// Returns the first address of a range that is in none.
    fn gap(&self, range: &Range<u64>) -> Option<u64> {
        let before = self.0.range(..=range.start).next_back();
        let at = before.map_or(range.start, |(_, &end)| end.max(range.start));
        (at < range.end).then_some(at)
    }
}

/// A launch that read what nobody had written.
#[derive(Debug)]
struct Doubt {
    point: Arc<Point>,
    address: u64,
}

/// What is known of an allocation.
#[derive(Debug, Default)]
struct Content {
    written: Ranges,
    doubts: Vec<Doubt>,
}

/// What is known of allocations, by their first addresses.
#[derive(Debug, Default)]
pub(crate) struct Contents(BTreeMap<u64, Content>);

/// Whether an operation may read what nobody wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Launch,
    Other,
}

impl State {
    /// Notes what an operation has read and written.
    pub(crate) fn note_contents(
        &mut self,
        point: &Arc<Point>,
        reader: Reader,
        touched: &[(u64, Vec<Span>)],
    ) {
        if !config::finds_uninitialized() {
            return;
        }
        let mut found = Vec::new();
        for (base, spans) in touched {
            let kind = self.memory.begins(*base).map(|allocation| allocation.kind);
            if !matches!(kind, Some(Kind::Device | Kind::Pool(_))) {
                continue;
            }
            if point.is_allocation() {
                // That of a graph is new with each launch.
                self.contents.0.remove(base);
                continue;
            }
            let Content { written, doubts } = self.contents.0.entry(*base).or_default();
            if reader == Reader::Launch {
                let reads = spans.iter().filter(|span| {
                    span.accesses.meets(Accesses::READ | Accesses::STRONG_READ)
                        && !span.accesses.writes()
                });
                let mut gaps = reads.filter_map(|span| written.gap(&(span.start..span.end)));
                if let Some(address) = gaps.next() {
                    let point = Arc::clone(point);
                    doubts.push(Doubt { point, address });
                }
            }
            for span in spans.iter().filter(|span| span.accesses.writes()) {
                doubts.retain(|doubt| {
                    let is_written = (span.start..span.end).contains(&doubt.address);
                    if is_written && point.clock.knows(&doubt.point) {
                        found.push((*base, doubt.address, Arc::clone(&doubt.point)));
                    }
                    !is_written
                });
                written.add(span.start..span.end);
            }
        }
        for (base, address, point) in found {
            self.uninitialized(base, address, &point);
        }
    }

    /// Reports what is in doubt of the launches of a context, if all of its work has ended.
    pub(crate) fn end_doubts(&mut self, context: CUcontext) {
        let contents = self.contents.0.values();
        let mut doubts = contents.flat_map(|content| &content.doubts);
        if !doubts.any(|doubt| doubt.point.context == context)
            || !self.last_ops(context).iter().all(|op| op.is_done())
        {
            return;
        }
        let mut found = Vec::new();
        for (&base, content) in &mut self.contents.0 {
            content.doubts.retain(|Doubt { point, address }| {
                let ends = point.context == context;
                if ends {
                    found.push((base, *address, Arc::clone(point)));
                }
                !ends
            });
        }
        for (base, address, point) in found {
            self.uninitialized(base, address, &point);
        }
    }

    /// Forgets an allocation that is freed, after it has reported what was read before.
    pub(crate) fn forget_contents(&mut self, base: u64, free: &Point) {
        let Some(content) = self.contents.0.remove(&base) else {
            return;
        };
        for Doubt { point, address } in content.doubts {
            if free.clock.knows(&point) {
                self.uninitialized(base, address, &point);
            }
        }
    }

    /// Forgets an allocation of a context that ends.
    pub(crate) fn drop_contents(&mut self, base: u64) {
        self.contents.0.remove(&base);
    }

    fn uninitialized(&mut self, base: u64, address: u64, point: &Point) {
        if self.working(point.context).is_err() {
            return;
        }
        let message = format!(
            "{} reads address {address:#x} (byte {} of its allocation), which nothing has written",
            point.name,
            address - base
        );
        self.fault(point.context, CUresult::CUDA_ERROR_LAUNCH_FAILED, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_and_gaps_found() {
        let mut ranges = Ranges::default();
        ranges.add(8..12);
        ranges.add(0..4);
        assert_eq!(ranges.gap(&(0..4)), None);
        assert_eq!(ranges.gap(&(0..5)), Some(4));
        assert_eq!(ranges.gap(&(2..12)), Some(4));
        assert_eq!(ranges.gap(&(9..13)), Some(12));
        ranges.add(4..8);
        assert_eq!(ranges.0, BTreeMap::from([(0, 12)]));
        ranges.add(2..20);
        assert_eq!(ranges.0, BTreeMap::from([(0, 20)]));
        assert_eq!(ranges.gap(&(30..31)), Some(30));
    }
}
