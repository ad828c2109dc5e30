//! Race detection in global memory, between warps and between blocks.
//!
//! The algorithm is that of shared memory, except that a word stores one read; a table holds the
//! reads of words with several readers.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::order::Agent;
use super::shared::{Change, Conflict};
use super::stamp::{
    NO_LANE, Plain, SEVERAL, Splits, Stamp, Strength, View, Who, each, put, strong_together, words,
};

/// Words in a page of the shadow.
pub(crate) const PAGE: usize = 1024;
/// The number of readers of one word that are tracked individually.
const MAX_READERS: usize = 64;
/// Marks the read stamp of a word whose readers are in the table.
const MANY: u8 = 0x40;

/// The shadow state of a word: its last write and its last read.
#[derive(Clone, Copy)]
struct Word {
    write: Stamp,
    read: Stamp,
}

impl Word {
    const NEVER: Self = Self {
        write: Stamp::NEVER,
        read: Stamp::NEVER,
    };

    fn touched(&self) -> bool {
        self.write.cluster != 0 || self.read.cluster != 0
    }
}

/// The shadow state of consecutive words.
struct Page {
    words: [Word; PAGE],
    /// Is `true` once a word of the page was written.
    written: bool,
}

/// The pages of each allocation; `None` for pages that were never accessed.
type Pages = Vec<Vec<Option<Box<Page>>>>;

/// The key of a word: the index of its allocation and the index of the word.
type Key = (u32, u64);

/// The readers of a word: up to [`MAX_READERS`], and one of those beyond. The latter is the reader
/// that is least likely to be ordered before other accesses; among equals, a reader of another
/// cluster than the first is preferred.
#[derive(Default)]
struct Readers {
    stamps: SmallVec<[Stamp; 4]>,
    /// The index of the stamp that was merged last.
    last: usize,
    beyond: Option<Stamp>,
}

/// The shadow of global memory.
#[derive(Default)]
pub(crate) struct GlobalShadow {
    pages: Pages,
    splits: Splits<Key>,
    /// The readers of words with more than one; such a word's read stamp holds the index in its
    /// clock field.
    readers: Vec<Readers>,
    /// The clock of each warp after its first `griddepcontrol.wait`, by cluster.
    waits: FxHashMap<(u32, Agent), u32>,
}

/// Returns the page that contains the whole word range, if it exists.
#[inline]
fn page_of<'a>(
    pages: &'a mut Pages,
    allocation: usize,
    range: &Range<usize>,
) -> Option<&'a mut Page> {
    let (first, last) = (range.start / 4 / PAGE, (range.end - 1) / 4 / PAGE);
    if first != last {
        return None;
    }
    pages.get_mut(allocation)?.get_mut(first)?.as_deref_mut()
}

/// Two accesses to one word by blocks that nothing orders.
pub(crate) struct Collision {
    pub(crate) allocation: usize,
    pub(crate) offset: u64,
    pub(crate) one: (Stamp, &'static str),
    pub(crate) other: (Stamp, &'static str),
}

#[expect(
    clippy::large_stack_arrays,
    reason = "a few pages of the stack, and at once on the heap"
)]
fn page(pages: &mut Pages, allocation: usize, page: usize) -> &mut Page {
    if pages.len() <= allocation {
        pages.resize_with(allocation + 1, Vec::new);
    }
    let pages = &mut pages[allocation];
    if pages.len() <= page {
        pages.resize_with(page + 1, || None);
    }
    pages[page].get_or_insert_with(|| {
        Box::new(Page {
            words: [Word::NEVER; PAGE],
            written: false,
        })
    })
}

/// Adds a reader to a word whose earlier readers are not ordered before it.
fn add_reader(read: &mut Stamp, readers: &mut Vec<Readers>, new: Stamp) {
    if read.mask & MANY == 0 {
        let mut first = Readers::default();
        first.stamps.push(*read);
        read.mask |= MANY;
        // The table is smaller than the memory it describes.
        read.clock = readers.len() as u32;
        readers.push(first);
    }
    readers[read.clock as usize].add(new);
}

/// Records a read that is behind the last write of its word.
#[inline]
fn record_read(read: &mut Stamp, readers: &mut Vec<Readers>, plain: &Plain<'_>, new: Stamp) {
    let of_warp = read.agent == new.agent && read.cluster == new.cluster;
    if read.cluster == 0 {
        *read = new;
    } else if read.mask & MANY != 0 {
        add_reader(read, readers, new);
    } else if of_warp && !apart(*read, new) {
        *read = merged(*read, new);
    } else if read.mask & !new.mask == 0 && plain.before(new.lane, *read) {
        *read = new;
    } else {
        add_reader(read, readers, new);
    }
}

impl GlobalShadow {
    /// Implements the fast path of [`Self::read`], for whole words or a part of one word. Returns
    /// `false` if the general path must decide.
    #[inline]
    pub(crate) fn read_plainly(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        allocation: usize,
        range: Range<usize>,
    ) -> bool {
        let Some(page) = page_of(&mut self.pages, allocation, &range) else {
            return false;
        };
        for (word, mask) in words(range) {
            let word = &mut page.words[word % PAGE];
            if word.write.cluster != 0 && !plain.behind_write(lane, mask, word.write) {
                return false;
            }
            let new = plain.stamp(lane, mask);
            record_read(&mut word.read, &mut self.readers, plain, new);
        }
        true
    }

    /// Implements the fast path of [`Self::read`] for all lanes of a warp that read the same whole words. Returns
    /// `false` if the general path must decide.
    #[inline]
    pub(crate) fn read_by_warp(
        &mut self,
        plain: &Plain<'_>,
        allocation: usize,
        range: Range<usize>,
    ) -> bool {
        if !range.start.is_multiple_of(4) || !range.end.is_multiple_of(4) {
            return false;
        }
        let Some(page) = page_of(&mut self.pages, allocation, &range) else {
            return false;
        };
        for (word, mask) in words(range) {
            let word = &mut page.words[word % PAGE];
            if word.write.cluster != 0 && !plain.behind_write(NO_LANE, mask, word.write) {
                return false;
            }
            let new = plain.stamp(SEVERAL, mask);
            record_read(&mut word.read, &mut self.readers, plain, new);
        }
        true
    }

    /// Implements the fast path of [`Self::write`].
    #[inline]
    pub(crate) fn write_plainly(
        &mut self,
        plain: &Plain<'_>,
        lane: u8,
        allocation: usize,
        range: Range<usize>,
    ) -> bool {
        let Some(page) = page_of(&mut self.pages, allocation, &range) else {
            return false;
        };
        for (word, mask) in words(range) {
            let (write, read) = (page.words[word % PAGE].write, page.words[word % PAGE].read);
            let first = write.cluster == 0 || plain.behind_write(lane, mask, write);
            let unread = read.cluster == 0
                || read.mask & MANY == 0 && (read.mask & mask == 0 || plain.before(lane, read));
            if !first || !unread {
                return false;
            }
            let key = (allocation as u32, word as u64);
            let new = plain.stamp(lane, mask);
            page.written = true;
            put(
                &mut page.words[word % PAGE].write,
                key,
                &mut self.splits,
                new,
            );
        }
        true
    }

    /// Records a read of the bytes `range` of an allocation at address `base`.
    pub(crate) fn read(
        &mut self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        allocation: usize,
        base: u64,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let order = view.order;
        let stamp = Stamp::new(who, strength, order.now(who.agent), order.cluster, 0);
        for (word, mask) in words(range) {
            let key = (allocation as u32, word as u64);
            let index = word % PAGE;
            let page = page(&mut self.pages, allocation, word / PAGE);
            let write = page.words[index].write;
            if write.cluster != 0 {
                each(write, &key, &self.splits, mask, |write| {
                    against(view, who, strength, ("read", "write"), base, word, write)
                })?;
            }
            let new = Stamp { mask, ..stamp };
            let read = &mut page.words[index].read;
            if read.cluster == 0 {
                *read = new;
            } else if read.mask & MANY != 0 {
                add_reader(read, &mut self.readers, new);
            } else if read.agent == new.agent && read.cluster == new.cluster && !apart(*read, new) {
                *read = merged(*read, new);
            } else if view.before(who, *read) && read.mask & !mask == 0 {
                *read = new;
            } else {
                add_reader(read, &mut self.readers, new);
            }
        }
        Ok(())
    }

    /// Records a write to the bytes `range` of an allocation at address `base`.
    ///
    /// Unordered blocks may not even write the same value: blocks that run on different host
    /// threads cannot see the old value reliably.
    #[expect(clippy::too_many_arguments, reason = "an access and where it is")]
    pub(crate) fn write(
        &mut self,
        view: &View<'_>,
        who: Who,
        strength: Strength,
        change: Change,
        allocation: usize,
        base: u64,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        let order = view.order;
        let stamp = Stamp::new(who, strength, order.now(who.agent), order.cluster, 0);
        for (word, mask) in words(range) {
            let key = (allocation as u32, word as u64);
            let index = word % PAGE;
            let page = page(&mut self.pages, allocation, word / PAGE);
            let (write, read) = (page.words[index].write, page.words[index].read);
            if write.cluster != 0 {
                each(write, &key, &self.splits, mask, |write| {
                    let rewritten = change == Change::None && write.cluster == order.cluster;
                    if rewritten && !write.is_copy() {
                        return Ok(());
                    }
                    against(view, who, strength, ("write", "write"), base, word, write)
                })?;
            }
            if read.cluster != 0 {
                if read.mask & MANY == 0 {
                    if read.mask & mask != 0 {
                        against(view, who, strength, ("write", "read"), base, word, read)?;
                    }
                } else {
                    for read in self.readers[read.clock as usize].each() {
                        if read.mask & mask != 0 {
                            against(view, who, strength, ("write", "read"), base, word, read)?;
                        }
                    }
                }
            }
            page.written = true;
            let write = &mut page.words[index].write;
            put(write, key, &mut self.splits, Stamp { mask, ..stamp });
        }
        Ok(())
    }

    /// Records the completion of a copy, whose bytes `who` wrote.
    pub(crate) fn complete(
        &mut self,
        view: &View<'_>,
        who: Who,
        allocation: usize,
        range: Range<usize>,
    ) {
        let order = view.order;
        let stamp = Stamp::new(who, Strength::Plain, order.now(who.agent), order.cluster, 0);
        for (word, mask) in words(range) {
            let key = (allocation as u32, word as u64);
            let index = word % PAGE;
            let page = page(&mut self.pages, allocation, word / PAGE);
            page.written = true;
            let write = &mut page.words[index].write;
            put(write, key, &mut self.splits, Stamp { mask, ..stamp });
        }
    }

    /// Checks that an asynchronous operation of `who` may read bytes that the generic proxy wrote.
    pub(crate) fn may_read_async(
        &mut self,
        view: &View<'_>,
        who: Who,
        allocation: usize,
        base: u64,
        range: Range<usize>,
    ) -> Result<(), Conflict> {
        for (word, mask) in words(range) {
            let key = (allocation as u32, word as u64);
            let write = page(&mut self.pages, allocation, word / PAGE).words[word % PAGE].write;
            if write.cluster == 0 {
                continue;
            }
            each(write, &key, &self.splits, mask, |write| {
                against(
                    view,
                    who,
                    Strength::Plain,
                    ("read", "write"),
                    base,
                    word,
                    write,
                )?;
                let generic = write.cluster == view.order.cluster
                    && usize::from(write.agent) < view.order.warps();
                if generic && write.clock > view.order.fenced_global(who.agent, write.agent) {
                    return Err(Conflict::NoProxyFence {
                        address: base + word as u64 * 4,
                        other: write,
                    });
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Finds two conflicting accesses by parts of the grid that ran independently on two host
    /// threads.
    pub(crate) fn collision(&self, other: &Self) -> Option<Collision> {
        for (allocation, (mine, theirs)) in self.pages.iter().zip(&other.pages).enumerate() {
            for (number, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
                let (Some(mine), Some(theirs)) = (mine, theirs) else {
                    continue;
                };
                // Reads do not conflict with each other; this skips most pages.
                if !mine.written && !theirs.written {
                    continue;
                }
                for index in 0..PAGE {
                    let (one, two) = (mine.words[index], theirs.words[index]);
                    let met = one.write.cluster != 0 && two.touched()
                        || two.write.cluster != 0 && one.touched();
                    if !met {
                        continue;
                    }
                    let key = (allocation as u32, (number * PAGE + index) as u64);
                    // The words overlap; whether the same bytes conflict is decided per byte.
                    let sides = [(self, mine), (other, theirs)];
                    let [(w1, r1), (w2, r2)] = sides.map(|(shadow, page)| {
                        (
                            shadow.bytes(page.words[index].write, key),
                            shadow.bytes(page.words[index].read, key),
                        )
                    });
                    for (one, two, names) in [
                        (w1, w2, ("write", "write")),
                        (w1, r2, ("write", "read")),
                        (r1, w2, ("read", "write")),
                    ] {
                        let meet = (0..4).find(|&byte| one[byte].is_some() && two[byte].is_some());
                        if let Some(byte) = meet
                            && let (Some(one), Some(two)) = (one[byte], two[byte])
                        {
                            return Some(Collision {
                                allocation,
                                offset: key.1 * 4 + byte as u64,
                                one: (one, names.0),
                                other: (two, names.1),
                            });
                        }
                    }
                }
            }
        }
        None
    }

    /// Records that a warp waited for the grids that this one depends on: its clock is `clock` from here.
    pub(crate) fn wait(&mut self, cluster: u32, warp: Agent, clock: u32) {
        self.waits.entry((cluster, warp)).or_insert(clock);
    }

    /// Returns `true` if an access came before its block waited for the grids that this one depends on.
    pub(crate) fn is_early(&self, stamp: Stamp, warps: usize, blocks: usize) -> bool {
        if let Some(&clock) = self.waits.get(&(stamp.cluster, stamp.agent)) {
            return stamp.clock < clock;
        }
        // A warp that did not wait itself may have synchronized with one of its block that did.
        let agent = usize::from(stamp.agent);
        let mates = if agent < blocks * warps {
            agent / warps * warps..(agent / warps + 1) * warps
        } else {
            0..blocks * warps
        };
        // There are fewer than 2^16 agents.
        let mut mates = mates.map(|mate| (stamp.cluster, mate as Agent));
        !mates.any(|mate| self.waits.contains_key(&mate))
    }

    /// Returns the number of pages that an allocation has at most.
    pub(crate) fn pages_of(&self, allocation: usize) -> usize {
        self.pages.get(allocation).map_or(0, Vec::len)
    }

    fn page_at(&self, allocation: usize, page: usize) -> Option<&Page> {
        self.pages.get(allocation)?.get(page)?.as_deref()
    }

    /// Returns `true` if something in a page was accessed.
    pub(crate) fn has_page(&self, allocation: usize, page: usize) -> bool {
        self.page_at(allocation, page).is_some()
    }

    /// Calls `f` with each access to a word that is known, and `true` if it is a write.
    pub(crate) fn each_access(
        &self,
        allocation: usize,
        word: usize,
        mut f: impl FnMut(Stamp, bool),
    ) {
        let Some(page) = self.page_at(allocation, word / PAGE) else {
            return;
        };
        let Word { write, read } = page.words[word % PAGE];
        if read.cluster != 0 {
            if read.mask & MANY == 0 {
                f(read, false);
            } else {
                for stamp in self.readers[read.clock as usize].each() {
                    f(stamp, false);
                }
            }
        }
        if write.cluster != 0 {
            let key = (allocation as u32, word as u64);
            let told: Result<(), ()> = each(write, &key, &self.splits, 0xf, |stamp| {
                f(stamp, true);
                Ok(())
            });
            debug_assert!(told.is_ok(), "nothing refuses");
        }
    }

    fn bytes(&self, word: Stamp, key: Key) -> [Option<Stamp>; 4] {
        let mut bytes = [None; 4];
        if word.cluster == 0 {
            return bytes;
        }
        let mut add = |stamp: Stamp| {
            for (byte, entry) in bytes.iter_mut().enumerate() {
                if stamp.mask >> byte & 1 == 1 {
                    *entry = Some(stamp);
                }
            }
        };
        if word.mask & MANY != 0 {
            let readers = &self.readers[word.clock as usize];
            readers.each().for_each(&mut add);
        } else {
            let added: Result<(), ()> = each(word, &key, &self.splits, 0xf, |stamp| {
                add(stamp);
                Ok(())
            });
            debug_assert!(added.is_ok(), "nothing refuses");
        }
        bytes
    }
}

impl Readers {
    fn add(&mut self, new: Stamp) {
        let is_older = |read: &Stamp| {
            read.agent == new.agent && read.cluster == new.cluster && !apart(*read, new)
        };
        // Warps usually read a word in the order in which they read it before.
        let next = if self.last + 1 < self.stamps.len() {
            self.last + 1
        } else {
            0
        };
        let expected = [self.last, next];
        let expected = expected
            .into_iter()
            .find(|&index| self.stamps.get(index).is_some_and(is_older));
        if let Some(index) = expected.or_else(|| self.stamps.iter().position(is_older)) {
            self.last = index;
            self.stamps[index] = merged(self.stamps[index], new);
            return;
        }
        if self.stamps.len() < MAX_READERS {
            self.stamps.push(new);
            return;
        }
        let first = self.stamps[0].cluster;
        let claim = |stamp: Stamp| (stamp.strength().rank(), stamp.cluster == first);
        if self.beyond.is_none_or(|kept| claim(new) < claim(kept)) {
            self.beyond = Some(new);
        }
    }

    fn each(&self) -> impl Iterator<Item = Stamp> {
        self.stamps.iter().copied().chain(self.beyond)
    }
}

/// Returns `true` if two lanes of a warp read different bytes of a word, so that one read cannot
/// replace the other.
fn apart(old: Stamp, new: Stamp) -> bool {
    old.clock == new.clock && old.lane != new.lane && old.mask & new.mask == 0
}

/// Merges two reads by one warp.
fn merged(old: Stamp, new: Stamp) -> Stamp {
    if old.clock != new.clock {
        return new;
    }
    let mut both = new;
    both.mask |= old.mask;
    if old.lane != new.lane {
        both.lane = SEVERAL;
    }
    if old.strength() == Strength::Plain && new.strength() != Strength::Plain {
        both = Stamp {
            mask: both.mask,
            lane: both.lane,
            ..old
        };
    }
    both
}

fn race(
    (access, other_access): (&'static str, &'static str),
    base: u64,
    word: usize,
    other: Stamp,
) -> Conflict {
    Conflict::Race {
        address: base + (word * 4) as u64 + u64::from((other.mask & 0xf).trailing_zeros().min(3)),
        access,
        other_access,
        other,
    }
}

#[inline]
fn against(
    view: &View<'_>,
    who: Who,
    strength: Strength,
    names: (&'static str, &'static str),
    base: u64,
    word: usize,
    stamp: Stamp,
) -> Result<(), Conflict> {
    if stamp.is_copy() {
        return Err(Conflict::Pending {
            address: base + (word * 4) as u64,
            other: stamp,
        });
    }
    if view.before(who, stamp) || strong_together(strength, who.agent, stamp, view) {
        return Ok(());
    }
    Err(race(names, base, word, stamp))
}
