//! The checks of one block's shared memory: races, use before it is written, and asynchronous
//! operations that were not waited for.
//!
//! Every word remembers its last write and every warp's last read (`FastTrack`, Flanagan and
//! Freund, 2009, with a vector of reads). Reads by other blocks of the cluster are rare and stand
//! in a table.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::reads::{Holds, Read, Reads};
use super::stamp::{
    How, Plain, Splits, Stamp, View, Who, covered, each, mask_of, put, strong_together, words,
};

/// What is wrong with an access, for which the machine still has to find names and lines.
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
    /// A copy that is under way writes there.
    Pending {
        address: u64,
        other: Stamp,
    },
    /// An asynchronous operation that is under way reads there.
    BeingRead {
        address: usize,
        /// Its instruction.
        reader: u32,
    },
    /// Written through the generic proxy, read by the asynchronous one, without a fence between.
    NoProxyFence {
        address: u64,
        other: Stamp,
    },
}

/// Whether a write changes what is there.
///
/// Threads that write the same value to the same place, in whatever order, leave that value: as
/// compilers do with what several threads hold alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Some,
    None,
}

impl Change {
    pub(crate) fn of(old: &[u8], new: &[u8]) -> Self {
        if old == new { Self::None } else { Self::Some }
    }
}

/// What is known of the shared memory of a block.
#[derive(Default)]
pub(crate) struct SharedShadow {
    /// The first warp of the block, and how many there are.
    first: usize,
    warps: usize,
    writes: Vec<Stamp>,
    reads: Reads,
    splits: Splits<u32>,
    remote: FxHashMap<u32, SmallVec<[Stamp; 2]>>,
    holds: Holds,
}

impl SharedShadow {
    /// For a block that begins: stamps of an older cluster count for nothing.
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
        how: How,
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
        if view.before(who, stamp) || strong_together(how, who.agent, stamp, view) {
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
        how: How,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let cluster = view.order.cluster;
        let stamp = Stamp::new(who, how, view.order.now(who.agent), cluster, 0);
        for (word, mask) in words(range) {
            let write = self.written(view, word, mask)?;
            each(write, &(word as u32), &self.splits, mask, |write| {
                Self::against_write(view, who, how, "read", word, write)
            })?;
            self.add_read(word, Stamp { mask, ..stamp });
        }
        Ok(())
    }

    /// A read of what its reader knows to be written by other means than clocks.
    pub(crate) fn read_known(&mut self, view: &View<'_>, who: Who, how: How, range: Range<usize>) {
        let order = view.order;
        let stamp = Stamp::new(who, how, order.now(who.agent), order.cluster, 0);
        for (word, mask) in words(range) {
            self.add_read(word, Stamp { mask, ..stamp });
        }
    }

    fn add_read(&mut self, word: usize, stamp: Stamp) {
        let local = usize::from(stamp.agent).wrapping_sub(self.first);
        if local < self.warps {
            let read = &mut self.reads.of_mut(local)[word];
            *read = read.and(Read::new(stamp));
            return;
        }
        let remote = self.remote.entry(word as u32).or_default();
        match remote.iter_mut().find(|read| read.agent == stamp.agent) {
            Some(read) => *read = stamp,
            None => remote.push(stamp),
        }
    }

    /// [`Self::read`] by a lane of the block, where that is simple; if not, nothing is settled.
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
        let reads = self.reads.of_mut(local);
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

    /// Whether nobody but the warp itself read any of these words behind what it knows of, and no
    /// asynchronous operation reads them. If not, it may still be so for a part of them.
    #[inline]
    pub(crate) fn unread(&self, plain: &Plain<'_>, range: &Range<usize>) -> bool {
        let local = usize::from(plain.agent()).wrapping_sub(self.first);
        let words = range.start / 4..range.end.div_ceil(4);
        local < self.warps
            && self.remote.is_empty()
            && !self.holds.any(&words)
            && self
                .reads
                .all_before(&words, local, &plain.known()[self.first..], plain.base())
    }

    /// [`Self::write`] by a lane of the block, where that is simple; if not, nothing is settled.
    #[inline]
    pub(crate) fn write_plainly(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        range: Range<usize>,
    ) -> bool {
        self.unread(plain, &range) && self.write_unread(plain, lane, range)
    }

    /// [`Self::write_plainly`] of words that are [unread](Self::unread).
    #[inline]
    pub(crate) fn write_unread(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        range: Range<usize>,
    ) -> bool {
        let local = usize::from(plain.agent()) - self.first;
        let own_reads = self.reads.of(local);
        let instruction = plain.stamp(lane, 0).instruction();
        let mut settled = None;
        for (word, mask) in words(range.clone()) {
            // Their own reads are judged by lane and instruction too.
            let (write, own) = (self.writes[word], own_reads[word]);
            if settled == Some((write, own, mask)) {
                continue;
            }
            if write.cluster == plain.cluster() && !plain.behind_write(lane, mask, write) {
                return false;
            }
            let own_is_before = own.clock() < plain.met()
                || own.mask() & mask == 0
                || own.lane() == lane
                || own.instruction() == instruction;
            if !own_is_before {
                return false;
            }
            settled = Some((write, own, mask));
        }
        self.note(plain.stamp(lane, 0), range);
        true
    }

    fn against_reads(
        &self,
        view: &View<'_>,
        who: Who,
        how: How,
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
                    How::Plain,
                    read.clock(),
                    view.order.cluster,
                    read.mask(),
                )
            },
        };
        let (known, met) = (view.order.known(who.agent), view.order.met(who.agent));
        let strong = matches!(how, How::Strong(_));
        for (warp, &known) in known[self.first..][..self.warps].iter().enumerate() {
            let read = self.reads.of(warp)[word];
            if read.clock() < view.order.base || read.mask() & mask == 0 {
                continue;
            }
            if strong && read.is_strong() {
                continue;
            }
            let agent = self.first + warp;
            let before = if agent == usize::from(who.agent) {
                read.clock() < met
                    || read.lane() == who.lane
                    || read.instruction() == who.instruction
            } else {
                read.clock() <= known
            };
            if !before {
                let race = race(agent, read);
                if let Conflict::Race { other, .. } = race
                    && view.order.knows_part(who.agent, other)
                {
                    continue;
                }
                return Err(race);
            }
        }
        if self.remote.is_empty() {
            return Ok(());
        }
        for &read in self.remote.get(&(word as u32)).into_iter().flatten() {
            if read.mask & mask != 0
                && !view.before(who, read)
                && !strong_together(how, who.agent, read, view)
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

    /// A write that nothing forbids, which is not noted yet.
    pub(crate) fn may_write(
        &self,
        view: &View<'_>,
        who: Who,
        how: How,
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
                    Self::against_write(view, who, how, "write", word, write)
                })?;
            }
            self.against_reads(view, who, how, word, mask)?;
            if let Some(reader) = self.holds.reader(word) {
                let address = word * 4;
                return Err(Conflict::BeingRead { address, reader });
            }
        }
        Ok(())
    }

    fn note(&mut self, stamp: Stamp, range: Range<usize>) {
        // What the word before was, and what it became.
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
            // Words in parts differ in what stands in the table.
            if mask == 0xf && matches!(old.mask, 0 | 0xf) {
                last = Some((old, *write));
            }
        }
    }

    pub(crate) fn write(
        &mut self,
        view: &View<'_>,
        who: Who,
        how: How,
        change: Change,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        self.may_write(view, who, how, change, range.clone())?;
        let clock = view.order.now(who.agent);
        self.note(Stamp::new(who, how, clock, view.order.cluster, 0), range);
        Ok(())
    }

    /// A copy is done: its bytes were written by `who`, at `clock`.
    pub(crate) fn complete(&mut self, who: Who, clock: u32, cluster: u32, range: Range<usize>) {
        self.complete_as(How::Plain, who, clock, cluster, range);
    }

    /// A copy or a reduction is done, likewise.
    pub(crate) fn complete_as(
        &mut self,
        how: How,
        who: Who,
        clock: u32,
        cluster: u32,
        range: Range<usize>,
    ) {
        self.note(Stamp::new(who, how, clock, cluster, 0), range);
    }

    /// A read that nothing forbids, which is not noted.
    pub(crate) fn may_read(
        &self,
        view: &View<'_>,
        who: Who,
        how: How,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        for (word, mask) in words(range) {
            let write = self.written(view, word, mask)?;
            each(write, &(word as u32), &self.splits, mask, |write| {
                Self::against_write(view, who, how, "read", word, write)
            })?;
        }
        Ok(())
    }

    /// The last write of a word, all of whose bytes in `mask` must have been written.
    fn written(&self, view: &View<'_>, word: usize, mask: u8) -> Result<Stamp, Conflict> {
        let write = self.writes[word];
        let there = if write.cluster == view.order.cluster {
            covered(write, &(word as u32), &self.splits)
        } else {
            0
        };
        if mask & !there != 0 {
            let byte = (mask & !there).trailing_zeros() as usize;
            return Err(Conflict::Uninitialized {
                address: word * 4 + byte,
            });
        }
        Ok(write)
    }

    /// An asynchronous operation that `who` issues will read there.
    pub(crate) fn may_read_async(
        &self,
        view: &View<'_>,
        who: Who,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let met = view.order.met(who.agent);
        // The last write that was settled, whatever its lane: others like it need no look.
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
                Self::against_write(view, who, How::Plain, "read", word, write)?;
                let block = self.first / self.warps;
                let fenced = view.order.fenced_shared(who.agent, write.agent, block);
                // Copies write through the asynchronous proxy.
                let through_engine = usize::from(write.agent) >= view.order.warps();
                if write.clock > fenced && !through_engine {
                    return Err(Conflict::NoProxyFence {
                        address: (word * 4) as u64,
                        other: write,
                    });
                }
                Ok(())
            })?;
            // Among the lanes of the warp itself not all of its writes are settled alike.
            if write.mask == 0xf && (write.agent != who.agent || write.clock < met) {
                settled = Some(write.but_lane());
            }
            word += 1;
        }
    }

    /// An asynchronous operation has begun to read there.
    pub(crate) fn hold(&mut self, range: Range<usize>, instruction: u32) {
        self.holds.add(&range, instruction, self.writes.len());
    }

    /// An asynchronous operation no longer reads there.
    pub(crate) fn let_go(&mut self, range: Range<usize>) {
        self.holds.remove(&range);
    }

    /// What an asynchronous operation read counts as read by the warp that waited for it.
    pub(crate) fn note_read(&mut self, view: &View<'_>, who: Who, range: Range<usize>) {
        let clock = view.order.now(who.agent);
        let local = usize::from(who.agent).wrapping_sub(self.first);
        if local >= self.warps {
            return;
        }
        let stamp = Stamp::new(who, How::Plain, clock, view.order.cluster, 0);
        self.reads.put(local, stamp, range);
    }
}
