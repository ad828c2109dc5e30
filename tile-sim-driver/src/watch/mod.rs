//! Accesses of the program to memory of the host that operations use.
//!
//! Pinned and managed memory is mapped twice: the program and the driver have a mapping each. While operations that
//! the host did not wait for use a range, the pages of the program's mapping are protected, so that its accesses
//! fault. The handler (`signal.rs`) notes the address and makes the page accessible; the next call of the driver
//! takes what was noted, and looks for races as among operations.
//!
//! - Copies and fills protect what they write against every access, and what they read against writes.
//! - A launch protects the allocations to which a word of its arguments points. What it accessed is known when it
//!   has run, so a race is found then.
//! - After an access, its page is accessible until the next call of the driver: of each page the first access after
//!   one is seen.
//! - The accesses of a function that a stream calls are those of its operation.

mod signal;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use tile_sim::{Accesses, Span};

use crate::abi::CUcontext;
use crate::config;
use crate::memory::{Allocation, PAGE};
use crate::race::{self, Clock, HOST, Point};
use crate::result::CUresult;
use crate::state::State;
use crate::work::Work;

pub(crate) use signal::has_noted;

/// What is not accessible, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Closed {
    Writes,
    All,
}

/// A range of an allocation that an operation uses.
#[derive(Debug)]
struct Watch {
    point: Arc<Point>,
    /// Offsets in the allocation, at pages.
    pages: Range<usize>,
    closed: Closed,
}

/// An allocation with ranges that operations use.
#[derive(Debug)]
struct Watched {
    allocation: Arc<Allocation>,
    watches: Vec<Watch>,
}

/// What operations use, by the first address of the allocation, and the functions that streams call now.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    of: BTreeMap<u64, Watched>,
    /// The operation of a function of the program, by the thread that runs it.
    callers: BTreeMap<usize, Arc<Point>>,
}

/// Makes the addresses of an allocation such that their pages may be protected.
pub(crate) fn prepare(start: usize, end: usize) {
    signal::extend(start, end);
}

impl Watched {
    /// Sets the protection of pages from what uses them.
    fn protect(&self, pages: Range<usize>) {
        let meeting =
            |watch: &&Watch| watch.pages.start < pages.end && pages.start < watch.pages.end;
        let mut ends = BTreeSet::from([pages.start, pages.end]);
        for watch in self.watches.iter().filter(meeting) {
            ends.insert(watch.pages.start.max(pages.start));
            ends.insert(watch.pages.end.min(pages.end));
        }
        let ends: Vec<usize> = ends.into_iter().collect();
        for part in ends.windows(2) {
            let part = part[0]..part[1];
            let inside = self
                .watches
                .iter()
                .filter(|watch| watch.pages.start <= part.start && part.end <= watch.pages.end);
            let closed = inside.map(|watch| watch.closed).max();
            self.allocation.protect(part, closed);
        }
    }
}

/// The parts of allocations that an operation uses.
type Used = Vec<(Arc<Allocation>, Range<usize>, Closed)>;

impl Work {
    /// Adds the watched memory that an operation uses.
    fn used(&self, state: &State, used: &mut Used) {
        match self {
            Self::Nothing | Self::Allocate(_) | Self::Free(_) | Self::Call(_) | Self::Graph(_) => {}
            Self::Copy(copy) => {
                let sides = [(copy.reads(), Closed::Writes), (copy.writes(), Closed::All)];
                for (side, closed) in sides {
                    used.extend(side.map(|(allocation, range)| (allocation, range, closed)));
                }
            }
            Self::Fill(fill) => {
                used.push((Arc::clone(&fill.to), fill.range(), Closed::All));
            }
            Self::Launch(launch) => {
                for &word in &*launch.words {
                    if let Some(allocation) = state.memory.at(word) {
                        let whole = 0..allocation.bytes;
                        used.push((Arc::clone(allocation), whole, Closed::All));
                    }
                }
            }
        }
        used.retain(|(allocation, ..)| allocation.is_watched());
    }
}

impl State {
    /// Protects the memory that an operation uses, before it begins.
    pub(crate) fn watch(&mut self, point: &Arc<Point>, work: &Work) {
        if !config::watches_host() || !self.memory.has_watched() {
            return;
        }
        if let Work::Graph(steps) = work {
            for step in &**steps {
                self.watch(&step.point, &step.work);
            }
            return;
        }
        let mut used = Used::new();
        work.used(self, &mut used);
        for (allocation, range, closed) in used {
            let pages = range.start / PAGE * PAGE..range.end.next_multiple_of(PAGE);
            let watched = self
                .watches
                .of
                .entry(allocation.base())
                .or_insert_with(|| Watched {
                    allocation,
                    watches: Vec::new(),
                });
            // An operation behind another one, which uses as much, takes its place.
            watched.watches.retain(|old| {
                let covers = pages.start <= old.pages.start
                    && old.pages.end <= pages.end
                    && old.closed <= closed;
                !(covers && point.clock.knows(&old.point))
            });
            watched.watches.push(Watch {
                point: Arc::clone(point),
                pages: pages.clone(),
                closed,
            });
            watched.protect(pages);
        }
    }

    /// Makes accessible what is used only by operations that `is_over` accepts.
    fn open(&mut self, is_over: impl Fn(&Point) -> bool) {
        self.watches.of.retain(|_, watched| {
            let mut changed: Option<Range<usize>> = None;
            watched.watches.retain(|watch| {
                let ends = is_over(&watch.point);
                if ends {
                    let all = changed.get_or_insert(watch.pages.clone());
                    all.start = all.start.min(watch.pages.start);
                    all.end = all.end.max(watch.pages.end);
                }
                !ends
            });
            if let Some(pages) = changed {
                watched.protect(pages);
            }
            !watched.watches.is_empty()
        });
    }

    /// Records that the host knows of the end of operations: those in `clock`.
    pub(crate) fn learn(&mut self, clock: &Clock) {
        self.take_noted();
        self.host.join(clock);
        if !self.watches.of.is_empty() {
            let host = std::mem::take(&mut self.host);
            self.open(|point| host.knows(point));
            self.host = host;
        }
    }

    /// Makes accessible what operations of a broken context use.
    pub(crate) fn open_context(&mut self, context: CUcontext) {
        self.open(|point| point.context == context);
    }

    /// Makes an allocation accessible that is freed.
    pub(crate) fn open_allocation(&mut self, base: u64) {
        self.watches.of.remove(&base);
    }

    /// Says that this thread runs a function of the program for an operation.
    pub(crate) fn begin_call(&mut self, point: &Arc<Point>) {
        self.watches
            .callers
            .insert(signal::thread(), Arc::clone(point));
    }

    /// Says that the function has returned.
    pub(crate) fn end_call(&mut self) {
        self.take_noted();
        self.watches.callers.remove(&signal::thread());
    }

    /// Looks for races of the accesses of the program that were noted.
    pub(crate) fn take_noted(&mut self) {
        if !has_noted() {
            return;
        }
        for noted in signal::take() {
            let callers = &self.watches.callers;
            let point = match callers.get(&noted.thread) {
                Some(point) => Arc::clone(point),
                // A function of the program may have other threads work for it, which is not seen.
                None if !callers.is_empty() => continue,
                None => self.host_access(),
            };
            let accesses = if noted.writes {
                Accesses::STRONG_WRITE
            } else {
                Accesses::STRONG_READ
            };
            let start = noted.address as u64;
            let span = Span {
                start,
                end: start + 1,
                accesses,
            };
            match self.memory.at(start) {
                Some(allocation) => {
                    let base = allocation.base();
                    self.compare(&point, vec![(base, vec![span])]);
                    self.close_again(base, start);
                }
                None => self.access_to_freed(&point, start, noted.writes),
            }
        }
    }

    /// Protects a page again that an access has opened, if it is still used.
    fn close_again(&self, base: u64, address: u64) {
        if let Some(watched) = self.watches.of.get(&base) {
            let offset =
                usize::try_from(address - base).expect("the host has addresses of 64 bits");
            let page = offset / PAGE * PAGE;
            watched.protect(page..page + PAGE);
        }
    }

    fn host_access(&mut self) -> Arc<Point> {
        self.host_accesses += 1;
        let tick = self.host_accesses;
        let clock = self.host.clone();
        self.host.note(HOST, tick);
        Arc::new(Point {
            agent: HOST,
            tick,
            number: race::next_number(),
            verb: None,
            name: "the host".to_owned(),
            context: CUcontext::NULL,
            clock,
            early: None,
        })
    }

    fn access_to_freed(&mut self, point: &Point, address: u64, writes: bool) {
        let Some((text, context)) = self.memory.freed_at(address) else {
            return;
        };
        let verb = if writes { "writes" } else { "reads" };
        let message = format!("{} {verb} address {address:#x}: it is {text}", point.name);
        self.fault(context, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, message);
    }
}

#[cfg(test)]
mod tests;
