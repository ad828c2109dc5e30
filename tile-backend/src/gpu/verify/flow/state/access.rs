//! Accesses to buffers in shared memory, and the rules for them.

use super::super::super::super::{BufferId, Completion, Kernel, OpId, OpKind, Touch, Trait};
use super::super::super::described;
use super::super::places::{Layout, overlap, stage};
use super::super::target::Target;
use super::{Access, Flight, InFlightMma, State, missing};
use std::ops::Range;

/// Steps over accesses.
impl State {
    /// Accesses the buffers that an operation touches. Returns the errors of these accesses.
    pub(super) fn access_buffers(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        target: Option<Target>,
        id: OpId,
    ) -> Vec<String> {
        let touched = self.touched(kernel, layout, id);
        let mut errors = Vec::new();
        for (access, buffer, places) in &touched {
            errors.extend(self.unfilled(kernel, access, *buffer, places.clone()));
            errors.extend(self.copies_under_way(kernel, access));
            errors.extend(self.reads_under_way(kernel, access));
            errors.extend(self.landed_elsewhere(kernel, access));
            errors.extend(self.unordered(kernel, access));
        }
        for (access, _, places) in touched {
            if access.touch == Touch::Write {
                self.fill(layout, places);
            }
            if let OpKind::TmaStore(store) = &kernel.op(id).kind {
                let bytes = access.bytes.clone();
                errors.extend(self.stores.begin(kernel, id, store.buffer, bytes));
            }
            self.record(kernel, target, access);
        }
        errors
    }

    /// Returns the accesses of an operation, with their buffers and places.
    fn touched(
        &self,
        kernel: &Kernel,
        layout: &Layout,
        id: OpId,
    ) -> Vec<(Access, BufferId, Range<usize>)> {
        let op = kernel.op(id);
        let touched = op.kind.buffers().map(|(buffer, touch)| {
            let number =
                stage(kernel, op, buffer).and_then(|stage| self.known.get(&stage).copied());
            let places = layout.places(buffer, number);
            // Warps exchange through regions of their own, and a thread reads only what it copied itself:
            // neither needs a block barrier.
            let is_own = op.kind.has(Trait::WarpPrivate) || kernel.is_thread_private(buffer);
            let access = Access {
                op: id,
                bytes: layout.bytes(&places),
                touch,
                own: is_own.then_some(buffer),
            };
            (access, buffer, places)
        });
        touched.collect()
    }

    /// Marks places as filled. Buffers that share bytes with them no longer hold what was written to them.
    fn fill(&mut self, layout: &Layout, places: Range<usize>) {
        for place in places {
            self.filled[place] = true;
            for &other in &layout.overlaps[place] {
                self.filled[other] = false;
                self.stage_cursors
                    .spoil(layout.multistage_buffers_of(other));
            }
        }
    }

    /// Remembers an access: that of a copy or of an MMA in flight until the wait for it, any other one until
    /// a barrier.
    fn record(&mut self, kernel: &Kernel, target: Option<Target>, access: Access) {
        let op = kernel.op(access.op);
        let completion = op.kind.row().completion;
        if completion.is_of_copy() && access.touch == Touch::Write {
            // A copy into an unknown stage is never waited for.
            let stage = self.operand(op, 1).unwrap_or(u64::MAX);
            self.flights.push(Flight {
                op: access.op,
                bytes: access.bytes,
                age: None,
                barrier: match completion {
                    Completion::Mbarriers(barriers) => Some((barriers, stage)),
                    Completion::Synchronous
                    | Completion::CopyGroup
                    | Completion::WgmmaGroup
                    | Completion::StoreGroup => None,
                },
                target,
            });
        } else if matches!(&op.kind, OpKind::Wgmma(mma) if mma.in_flight > 0) {
            self.in_flight.push(InFlightMma {
                read: access,
                newer: 0,
            });
        } else if !self.accesses.contains(&access) {
            self.accesses.push(access);
        }
    }
}

/// Rules of accesses. Each function returns an error for every event that must not precede the access `new`.
impl State {
    /// A read needs a place that holds what was last written to the buffer.
    fn unfilled(
        &self,
        kernel: &Kernel,
        new: &Access,
        buffer: BufferId,
        mut places: Range<usize>,
    ) -> Option<String> {
        // A wait for stores does not depend on the contents of the buffer.
        let is_wait = matches!(kernel.op(new.op).kind, OpKind::WaitTmaStores(..));
        let is_read = new.touch == Touch::Read && !is_wait;
        (is_read && !places.any(|place| self.filled[place])).then(|| {
            format!(
                "${} is read where it does not hold what was written to it",
                buffer.index()
            )
        })
    }

    /// An access needs a wait for the copies into its bytes.
    fn copies_under_way(&self, kernel: &Kernel, new: &Access) -> impl Iterator<Item = String> {
        let flights = self.flights.iter();
        let met = flights.filter(|flight| overlap(&flight.bytes, &new.bytes));
        met.map(|flight| {
            format!(
                "{} may be under way to the same bytes: a wait for it is missing",
                described(kernel, flight.op)
            )
        })
    }

    /// A write needs a wait for the MMAs and TMA stores that read its bytes. Other reads need none.
    fn reads_under_way(&self, kernel: &Kernel, new: &Access) -> impl Iterator<Item = String> {
        let is_write = new.touch == Touch::Write;
        let in_flight = self.in_flight.iter().map(|in_flight| &in_flight.read);
        let by_mmas = in_flight
            .filter(|read| overlap(&read.bytes, &new.bytes))
            .map(|read| read.op);
        let by_stores = self.stores.readers(&new.bytes);
        let readers = by_mmas.chain(by_stores).filter(move |_| is_write);
        readers.map(|reader| {
            format!(
                "{} may still read the same bytes: a wait for it is missing",
                described(kernel, reader)
            )
        })
    }

    /// Copies that were waited for are visible only to the waiting thread until a barrier.
    fn landed_elsewhere(&self, kernel: &Kernel, new: &Access) -> impl Iterator<Item = String> {
        let is_own = |copy: OpId| {
            let copied = &kernel.op(copy).kind;
            new.own.is_some_and(|accessed| copied.writes(accessed))
        };
        let landed = self.landed.iter();
        let met = landed.filter(move |(copy, other)| overlap(other, &new.bytes) && !is_own(*copy));
        met.map(|(landed, _)| {
            format!(
                "a barrier between the wait for {} and this is missing",
                described(kernel, *landed)
            )
        })
    }

    /// Two accesses to the same bytes need a barrier between them, unless both are reads or each thread
    /// accesses only its own part.
    fn unordered(&self, kernel: &Kernel, new: &Access) -> impl Iterator<Item = String> {
        let met = self.accesses.iter().filter(|access| {
            let both_read = new.touch == Touch::Read && access.touch == Touch::Read;
            let is_own = new.own.is_some() && new.own == access.own;
            overlap(&access.bytes, &new.bytes) && !both_read && !is_own
        });
        met.map(|access| missing(kernel, access.op))
    }
}
