//! The checks of a block's shared memory: races, uninitialized reads, and asynchronous operations
//! without a wait.
//!
//! Each word stores its last write and the last read of every warp (`FastTrack`, Flanagan and
//! Freund, 2009, with a vector of reads). Reads by other blocks of the cluster are rare and are
//! kept in a table.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::reads::{Holds, Read, Reads};
use super::stamp::{
    Plain, Splits, Stamp, Strength, View, Who, covered, each, mask_of, put, strong_together, words,
};

/// A violation, to which the machine adds names and lines.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conflict {
    Uninitialized {
        address: usize,
    },
    Race {
        address: u64,
        access: &'static str,
        other_access: &'static str,
        other: Stamp,
    },
    /// A copy in flight writes the bytes.
    Pending {
        address: u64,
        other: Stamp,
    },
    /// An asynchronous operation in flight reads the bytes.
    BeingRead {
        address: usize,
        /// The instruction that started the operation.
        reader: u32,
    },
    /// A generic-proxy write that the asynchronous proxy reads without a fence between them.
    NoProxyFence {
        address: u64,
        other: Stamp,
    },
}

/// The effect of a write: it changes memory, or it stores the value that is already there.
///
/// If threads write the same value to the same place, the result does not depend on their order.
/// Compilers emit such stores for values that several threads hold redundantly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Some,
    None,
}

impl Change {
    pub(crate) fn between(old: &[u8], new: &[u8]) -> Self {
        if old == new { Self::None } else { Self::Some }
    }
}

/// The shadow of a block's shared memory.
#[derive(Default)]
pub(crate) struct SharedShadow {
    /// The index of the block's first warp in the cluster, and the number of its warps.
    first: usize,
    warps: usize,
    writes: Vec<Stamp>,
    reads: Reads,
    splits: Splits<u32>,
    remote: FxHashMap<u32, SmallVec<[Stamp; 2]>>,
    holds: Holds,
}

impl SharedShadow {
    /// Resets the shadow for a block that begins. Stamps of an older cluster are ignored.
    pub(crate) fn begin(&mut self, bytes: usize, first: usize, warps: usize) {
        let words = bytes.div_ceil(4);
        self.first = first;
        if self.warps != warps || self.writes.len() != words {
            self.warps = warps;
            self.writes.clear();
            self.writes.resize(words, Stamp::NEVER);
            self.reads.begin(words, warps);
        }
        self.splits.clear();
        self.remote.clear();
        self.holds.clear();
    }

    fn against_write(
        view: &View<'_>,
        who: Who,
        strength: Strength,
        access: &'static str,
        word: usize,
        stamp: Stamp,
    ) -> Result<(), Conflict> {
        let address = word * 4 + stamp.mask.trailing_zeros() as usize;
        if stamp.is_copy() {
            return Err(Conflict::Pending {
                address: address as u64,
                other: stamp,
            });
        }
        if view.before(who, stamp) || strong_together(strength, who.agent, stamp, view) {
            return Ok(());
        }
        Err(Conflict::Race {
            address: address as u64,
            access,
            other_access: "write",
            other: stamp,
        })
    }

    pub(crate) fn read(
        &mut self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let cluster = view.order.cluster;
        let stamp = Stamp::new(who, strength, view.order.now(who.agent), cluster, 0);
        for (word, mask) in words(range) {
            let write = self.written(view, word, mask)?;
            each(write, &(word as u32), &self.splits, mask, |write| {
                Self::against_write(view, who, strength, "read", word, write)
            })?;
            self.add_read(word, Stamp { mask, ..stamp });
        }
        Ok(())
    }

    /// Records a read whose order is established by other means than clocks.
    pub(crate) fn read_known(
        &mut self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        range: Range<usize>,
    ) {
        let order = view.order;
        let stamp = Stamp::new(who, strength, order.now(who.agent), order.cluster, 0);
        for (word, mask) in words(range) {
            self.add_read(word, Stamp { mask, ..stamp });
        }
    }

    fn add_read(&mut self, word: usize, stamp: Stamp) {
        let local = usize::from(stamp.agent).wrapping_sub(self.first);
        if local < self.warps {
            let read = &mut self.reads.by_warp_mut(local)[word];
            *read = read.and(Read::new(stamp));
            return;
        }
        let remote = self.remote.entry(word as u32).or_default();
        match remote.iter_mut().find(|read| read.agent == stamp.agent) {
            Some(read) => *read = stamp,
            None => remote.push(stamp),
        }
    }

    /// Implements the fast path of [`Self::read`], for a lane of the block. Returns `false` if the
    /// general path must decide.
    #[inline]
    pub(crate) fn read_plainly(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        range: Range<usize>,
    ) -> bool {
        let local = usize::from(plain.agent()).wrapping_sub(self.first);
        if local >= self.warps {
            return false;
        }
        let reads = self.reads.by_warp_mut(local);
        for (word, mask) in words(range) {
            let write = self.writes[word];
            if write.mask & mask != mask || !plain.before(lane, write) {
                return false;
            }
            let read = &mut reads[word];
            *read = read.and(Read::new(plain.stamp(lane, mask)));
        }
        true
    }

    /// Returns `true` if every read of these words by other warps happened before, and no
    /// asynchronous operation reads them. After `false`, the result for a part of the words may
    /// still be `true`.
    #[inline]
    pub(crate) fn unread(&self, plain: &Plain<'_>, range: &Range<usize>) -> bool {
        let local = usize::from(plain.agent()).wrapping_sub(self.first);
        let words = range.start / 4..range.end.div_ceil(4);
        local < self.warps
            && self.remote.is_empty()
            && !self.holds.any(&words)
            && self
                .reads
                .all_before(&words, local, &plain.acquired()[self.first..], plain.base())
    }

    /// Implements the fast path of [`Self::write`], for a lane of the block. Returns `false` if the
    /// general path must decide.
    #[inline]
    pub(crate) fn write_plainly(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        range: Range<usize>,
    ) -> bool {
        self.unread(plain, &range) && self.write_unread(plain, lane, range)
    }

    /// Implements the part of [`Self::write_plainly`] for words that are [unread](Self::unread).
    #[inline]
    pub(crate) fn write_unread(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        range: Range<usize>,
    ) -> bool {
        let local = usize::from(plain.agent()) - self.first;
        let own_reads = self.reads.by_warp(local);
        let instruction = plain.stamp(lane, 0).instruction();
        let mut settled = None;
        for (word, mask) in words(range.clone()) {
            // Reads of the same warp are compared by lane and instruction too.
            let (write, read) = (self.writes[word], own_reads[word]);
            if settled == Some((write, read, mask)) {
                continue;
            }
            if write.cluster == plain.cluster() && !plain.behind_write(lane, mask, write) {
                return false;
            }
            let own_is_before = read.clock() < plain.met()
                || read.mask() & mask == 0
                || read.lane() == lane
                || read.instruction() == instruction;
            if !own_is_before {
                return false;
            }
            settled = Some((write, read, mask));
        }
        self.note(plain.stamp(lane, 0), range);
        true
    }

    fn against_reads(
        &self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        word: usize,
        mask: u8,
    ) -> Result<(), Conflict> {
        let race = |agent: usize, read: Read| Conflict::Race {
            address: (word * 4) as u64 + u64::from((read.mask() & mask).trailing_zeros()),
            access: "write",
            other_access: "read",
            other: Stamp {
                clock: read.clock(),
                lane: read.lane(),
                mask: read.mask(),
                ..Stamp::new(
                    Who {
                        agent: u16::try_from(agent).expect("fewer than 2^16 agents"),
                        lane: read.lane(),
                        instruction: read.instruction(),
                    },
                    Strength::Plain,
                    read.clock(),
                    view.order.cluster,
                    read.mask(),
                )
            },
        };
        let (known, met) = (view.order.acquired(who.agent), view.order.met(who.agent));
        let strong = matches!(strength, Strength::Strong(_));
        for (warp, &known) in known[self.first..][..self.warps].iter().enumerate() {
            let read = self.reads.by_warp(warp)[word];
            if read.clock() < view.order.base || read.mask() & mask == 0 {
                continue;
            }
            // Shared memory belongs to one block or cluster, which every scope includes: two strong
            // accesses are morally strong and do not race (PTX ISA, "Data Races").
            if strong && read.is_strong() {
                continue;
            }
            let agent = self.first + warp;
            let before = if agent == usize::from(who.agent) {
                // Lanes of one warp are ordered where they converged, in one lane by program order,
                // and within one instruction.
                read.clock() < met
                    || read.lane() == who.lane
                    || read.instruction() == who.instruction
            } else {
                read.clock() <= known
            };
            if !before {
                let race = race(agent, read);
                // A release by the reading lane alone orders its access, but is not part of the
                // warp's clock.
                if let Conflict::Race { other, .. } = race
                    && view.order.knows_part(who.agent, other)
                {
                    continue;
                }
                return Err(race);
            }
        }
        // Reads by other blocks of the cluster are rare; kernels without clusters have none.
        if self.remote.is_empty() {
            return Ok(());
        }
        for &read in self.remote.get(&(word as u32)).into_iter().flatten() {
            if read.mask & mask != 0
                && !view.before(who, read)
                && !strong_together(strength, who.agent, read, view)
            {
                return Err(Conflict::Race {
                    address: (word * 4) as u64,
                    access: "write",
                    other_access: "read",
                    other: read,
                });
            }
        }
        Ok(())
    }

    /// Checks a write without recording it.
    pub(crate) fn may_write(
        &self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        change: Change,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let cluster = view.order.cluster;
        for (word, mask) in words(range) {
            let write = self.writes[word];
            if write.cluster == cluster {
                each(write, &(word as u32), &self.splits, mask, |write| {
                    if change == Change::None && !write.is_copy() {
                        return Ok(());
                    }
                    Self::against_write(view, who, strength, "write", word, write)
                })?;
            }
            self.against_reads(view, who, strength, word, mask)?;
            if let Some(reader) = self.holds.reader(word) {
                let address = word * 4;
                return Err(Conflict::BeingRead { address, reader });
            }
        }
        Ok(())
    }

    fn note(&mut self, stamp: Stamp, range: Range<usize>) {
        // The stamp of the previous word, and its new stamp: neighboring words mostly repeat them.
        let mut last = None;
        for (word, mask) in words(range) {
            let write = &mut self.writes[word];
            let old = *write;
            if mask == 0xf
                && let Some((before, after)) = last
                && old == before
            {
                *write = after;
                continue;
            }
            if write.cluster != stamp.cluster {
                *write = Stamp::NEVER;
            }
            put(
                write,
                word as u32,
                &mut self.splits,
                Stamp { mask, ..stamp },
            );
            // The bytes of a partially written word have stamps in the table, so words with equal
            // entries here may still differ.
            if mask == 0xf && matches!(old.mask, 0 | 0xf) {
                last = Some((old, *write));
            }
        }
    }

    pub(crate) fn write(
        &mut self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        change: Change,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        self.may_write(view, who, strength, change, range.clone())?;
        let clock = view.order.now(who.agent);
        self.note(
            Stamp::new(who, strength, clock, view.order.cluster, 0),
            range,
        );
        Ok(())
    }

    /// Records the completion of a copy, whose bytes `who` wrote at `clock`.
    pub(crate) fn complete(&mut self, who: Who, clock: u32, cluster: u32, range: Range<usize>) {
        self.complete_as(Strength::Plain, who, clock, cluster, range);
    }

    /// Records the completion of a copy or a reduction with the given kind of access.
    pub(crate) fn complete_as(
        &mut self,
        strength: Strength,
        who: Who,
        clock: u32,
        cluster: u32,
        range: Range<usize>,
    ) {
        self.note(Stamp::new(who, strength, clock, cluster, 0), range);
    }

    /// Checks a read without recording it.
    pub(crate) fn may_read(
        &self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        for (word, mask) in words(range) {
            let write = self.written(view, word, mask)?;
            each(write, &(word as u32), &self.splits, mask, |write| {
                Self::against_write(view, who, strength, "read", word, write)
            })?;
        }
        Ok(())
    }

    /// Returns the last write of a word, after checking that all bytes in `mask` were written.
    fn written(&self, view: &View<'_>, word: usize, mask: u8) -> Result<Stamp, Conflict> {
        let write = self.writes[word];
        let write_here = if write.cluster == view.order.cluster {
            covered(write, &(word as u32), &self.splits)
        } else {
            0
        };
        if mask & !write_here != 0 {
            let byte = (mask & !write_here).trailing_zeros() as usize;
            return Err(Conflict::Uninitialized {
                address: word * 4 + byte,
            });
        }
        Ok(write)
    }

    /// Checks that an asynchronous operation issued by `who` may read the range.
    pub(crate) fn may_read_async(
        &self,
        view: &View<'_>,
        who: Who,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let met = view.order.met(who.agent);
        // The last write that was checked, whatever its lane: equal ones need no second check.
        let mut settled = None;
        let mut word = range.start / 4;
        let last = range.end.div_ceil(4);
        loop {
            let rest = self.writes[word..last].iter();
            word += rest
                .take_while(|write| Some(write.but_lane()) == settled)
                .count();
            if word == last {
                return Ok(());
            }
            let mask = mask_of(&range, word);
            let write = self.written(view, word, mask)?;
            each(write, &(word as u32), &self.splits, mask, |write| {
                Self::against_write(view, who, Strength::Plain, "read", word, write)?;
                let block = self.first / self.warps;
                let fenced = view.order.fenced_shared(who.agent, write.agent, block);
                // Copies write through the asynchronous proxy, so that their writes need no fence.
                let through_engine = usize::from(write.agent) >= view.order.warps();
                if write.clock > fenced && !through_engine {
                    return Err(Conflict::NoProxyFence {
                        address: (word * 4) as u64,
                        other: write,
                    });
                }
                Ok(())
            })?;
            // Writes of the warp's own lanes since it last converged are excluded: whether they are
            // ordered depends on the lane.
            if write.mask == 0xf && (write.agent != who.agent || write.clock < met) {
                settled = Some(write.but_lane());
            }
            word += 1;
        }
    }

    /// Marks a range as read by an asynchronous operation in flight.
    pub(crate) fn hold(&mut self, range: Range<usize>, instruction: u32) {
        self.holds.add(&range, instruction, self.writes.len());
    }

    /// Removes the mark of an asynchronous operation that has read the range.
    pub(crate) fn let_go(&mut self, range: Range<usize>) {
        self.holds.remove(&range);
    }

    /// Records the read of a completed asynchronous operation as one by the warp that waited for
    /// it.
    pub(crate) fn note_read(&mut self, view: &View<'_>, who: Who, range: Range<usize>) {
        let clock = view.order.now(who.agent);
        let local = usize::from(who.agent).wrapping_sub(self.first);
        if local >= self.warps {
            return;
        }
        let stamp = Stamp::new(who, Strength::Plain, clock, view.order.cluster, 0);
        self.reads.put(local, stamp, range);
    }
}
