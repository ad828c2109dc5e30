//! The record of one access to one word of memory.

use rustc_hash::FxHashMap;

use super::order::{Agent, Order};

/// The agent, lane and instruction of an access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) agent: Agent,
    pub(crate) lane: u8,
    /// The index of the instruction in the kernel.
    pub(crate) instruction: u32,
}

/// The strength of an access (PTX ISA, "Operation types").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Weak: `ld`, `st`.
    Plain,
    /// A strong operation at a scope: atomics, `.relaxed`, `.volatile`, ..
    Strong(Scope),
    /// A write by an asynchronous copy in flight.
    Copy,
}

impl Strength {
    /// Returns a rank that is higher if the access may conflict with more accesses without a race:
    /// 0 for weak accesses and copies, and increasing with the scope of strong accesses.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Plain | Self::Copy => 0,
            Self::Strong(scope) => 1 + scope as u8,
        }
    }
}

/// The scope of a strong operation (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Cluster,
    Device,
}

/// The lane number that represents several lanes of a warp.
pub(crate) const SEVERAL: u8 = 32;
/// A lane number that no access has.
pub(crate) const NO_LANE: u8 = 0x3f;
/// Marks a word whose lower half belongs to the lane in the lower bits and whose upper half belongs
/// to the next lane.
const HALVES: u8 = 0x40;
/// The mask of a word whose bytes have separate stamps.
const SPLIT: u8 = 0x80;

const COPY: u8 = 4;

/// A past access, in 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) clock: u32,
    /// The cluster's number, or 0 for no access.
    pub(crate) cluster: u32,
    /// The instruction in 24 bits, then the strength.
    pub(crate) place: u32,
    pub(crate) agent: Agent,
    pub(crate) lane: u8,
    /// The accessed bytes of the word.
    pub(crate) mask: u8,
}

impl Stamp {
    pub(crate) const NEVER: Self = Self {
        clock: 0,
        cluster: 0,
        place: 0,
        agent: 0,
        lane: 0,
        mask: 0,
    };

    pub(crate) fn new(who: Who, strength: Strength, clock: u32, cluster: u32, mask: u8) -> Self {
        let strength = match strength {
            Strength::Plain => 0,
            Strength::Strong(scope) => 1 + scope as u8,
            Strength::Copy => COPY,
        };
        Self {
            clock,
            cluster,
            place: who.instruction & 0xff_ffff | u32::from(strength) << 24,
            agent: who.agent,
            lane: who.lane,
            mask,
        }
    }

    pub(crate) fn instruction(self) -> u32 {
        self.place & 0xff_ffff
    }

    pub(crate) fn strength(self) -> Strength {
        match self.place >> 24 {
            0 => Strength::Plain,
            1 => Strength::Strong(Scope::Block),
            2 => Strength::Strong(Scope::Cluster),
            3 => Strength::Strong(Scope::Device),
            _ => Strength::Copy,
        }
    }

    #[inline]
    pub(crate) fn is_copy(self) -> bool {
        self.place >> 24 == u32::from(COPY)
    }

    /// Returns the lane if the access was of a single one.
    pub(crate) fn one_lane(self) -> Option<u32> {
        (self.lane < SEVERAL).then_some(u32::from(self.lane))
    }

    /// Restricts the stamp to some bytes of its word.
    #[inline]
    fn at(self, mask: u8) -> Self {
        if self.lane & HALVES == 0 {
            return self;
        }
        let first = self.lane & !HALVES;
        let lane = match mask & self.mask {
            1..=3 => first,
            12 | 4 | 8 => first + 1,
            _ => SEVERAL,
        };
        Self { lane, ..self }
    }

    /// Returns all fields as two words, which compare quickly.
    #[inline]
    fn bits(self) -> [u64; 2] {
        let (agent, lane) = (u64::from(self.agent), u64::from(self.lane));
        let mask = u64::from(self.mask);
        [
            u64::from(self.clock) | u64::from(self.cluster) << 32,
            u64::from(self.place) | agent << 32 | lane << 48 | mask << 56,
        ]
    }

    /// Returns all fields but the lane.
    #[inline]
    pub(crate) fn but_lane(self) -> [u64; 2] {
        Self { lane: 0, ..self }.bits()
    }

    pub(crate) fn same_but_lane(self, other: Self) -> bool {
        self.clock == other.clock
            && self.cluster == other.cluster
            && self.place == other.place
            && self.agent == other.agent
    }
}

impl PartialEq for Stamp {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Stamp {}

/// Returns `true` if two strong accesses are morally strong (PTX ISA, "Morally strong operations"):
/// the scope of each includes the other thread.
pub(crate) fn strong_together(
    strength: Strength,
    who: Agent,
    other: Stamp,
    view: &View<'_>,
) -> bool {
    let (Strength::Strong(one), Strength::Strong(two)) = (strength, other.strength()) else {
        return false;
    };
    let needed = if other.cluster != view.order.cluster {
        Scope::Device
    } else if view.block_of(who) != view.block_of(other.agent) {
        Scope::Cluster
    } else {
        Scope::Block
    };
    one >= needed && two >= needed
}

/// The state that decides whether accesses are ordered.
pub(crate) struct View<'a> {
    pub(crate) order: &'a Order,
    pub(crate) warps_per_block: usize,
}

impl View<'_> {
    pub(crate) fn block_of(&self, agent: Agent) -> usize {
        usize::from(agent) / self.warps_per_block
    }

    /// Returns `true` if the access of `stamp` happened before the current access of `who`.
    #[inline]
    pub(crate) fn before(&self, who: Who, stamp: Stamp) -> bool {
        if stamp.cluster != self.order.cluster {
            return self.order.knows_foreign(who.agent, stamp);
        }
        if stamp.agent == who.agent {
            // The lanes of a warp are ordered only across `bar.warp.sync` and similar instructions.
            return stamp.lane == who.lane
                || stamp.clock < self.order.met(who.agent)
                || stamp.instruction() == who.instruction
                || self.order.knows_part(who.agent, stamp);
        }
        stamp.clock <= self.order.acquired(who.agent)[usize::from(stamp.agent)]
            || self.order.knows_part(who.agent, stamp)
    }
}

/// The state for the fast paths, shared by all lanes of one warp instruction.
pub(crate) struct Plain<'a> {
    known: &'a [u32],
    /// After this clock the lanes of the warp are not ordered with each other.
    met: u32,
    /// Older clock values belong to an earlier cluster.
    base: u32,
    /// The stamp of the accesses, without lane and mask.
    stamp: Stamp,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(view: &View<'a>, who: Who, strength: Strength) -> Self {
        let known = view.order.acquired(who.agent);
        let now = view.order.now(who.agent);
        Self {
            known,
            met: view.order.met(who.agent),
            base: view.order.base,
            stamp: Stamp::new(who, strength, now, view.order.cluster, 0),
        }
    }

    /// Returns the stamp of one lane's access.
    #[inline]
    pub(crate) fn stamp(&self, lane: u8, mask: u8) -> Stamp {
        Stamp {
            lane,
            mask,
            ..self.stamp
        }
    }

    pub(crate) fn agent(&self) -> Agent {
        self.stamp.agent
    }

    pub(crate) fn cluster(&self) -> u32 {
        self.stamp.cluster
    }

    pub(crate) fn acquired(&self) -> &'a [u32] {
        self.known
    }

    pub(crate) fn met(&self) -> u32 {
        self.met
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Returns `true` if an access, made by the same instruction or an earlier one, certainly
    /// happened before. [`View::before`] is exact.
    #[inline]
    pub(crate) fn before(&self, lane: u8, stamp: Stamp) -> bool {
        let common = stamp.cluster == self.stamp.cluster
            && !stamp.is_copy()
            && stamp.mask & SPLIT == 0
            && stamp.lane & HALVES == 0;
        if stamp.agent == self.stamp.agent {
            let first = stamp.lane == lane
                || stamp.clock < self.met
                || stamp.instruction() == self.stamp.instruction();
            return common && first;
        }
        common && stamp.clock <= self.known[usize::from(stamp.agent)]
    }

    /// Returns `true` if the last write of a word needs no further check for the bytes in `mask`.
    #[inline]
    pub(crate) fn behind_write(&self, lane: u8, mask: u8, write: Stamp) -> bool {
        write.mask & (mask | SPLIT) == 0 || self.before(lane, write)
    }
}

/// The stamps of single bytes, for words whose bytes were accessed separately.
pub(crate) type Splits<K> = FxHashMap<K, [Stamp; 4]>;

/// Calls `f` with the stamps of some bytes of a word.
#[inline]
pub(crate) fn each<K: std::hash::Hash + Eq, E>(
    word: Stamp,
    key: &K,
    splits: &Splits<K>,
    mask: u8,
    mut f: impl FnMut(Stamp) -> Result<(), E>,
) -> Result<(), E> {
    if word.mask != SPLIT {
        return if word.mask & mask == 0 {
            Ok(())
        } else {
            f(word.at(mask))
        };
    }
    if let Some(bytes) = splits.get(key) {
        for (byte, &stamp) in bytes.iter().enumerate() {
            if mask >> byte & 1 == 1 && stamp.mask != 0 {
                f(stamp)?;
            }
        }
    }
    Ok(())
}

/// Returns the mask of the bytes of a word that have stamps.
#[inline]
pub(crate) fn covered<K: std::hash::Hash + Eq>(word: Stamp, key: &K, splits: &Splits<K>) -> u8 {
    if word.mask != SPLIT {
        return word.mask;
    }
    splits.get(key).map_or(0, |bytes| {
        (0..4).fold(0, |mask, byte| mask | bytes[byte].mask & 1 << byte)
    })
}

/// Stores a stamp for some bytes of a word.
#[inline]
pub(crate) fn put<K: std::hash::Hash + Eq>(
    word: &mut Stamp,
    key: K,
    splits: &mut Splits<K>,
    new: Stamp,
) {
    if word.mask == SPLIT {
        let Some(bytes) = splits.get_mut(&key) else {
            *word = new;
            return;
        };
        // An access to the whole word replaces the stamps of all bytes.
        if new.mask == 0xf {
            splits.remove(&key);
            *word = new;
            return;
        }
        for (byte, stamp) in bytes.iter_mut().enumerate() {
            if new.mask >> byte & 1 == 1 {
                *stamp = Stamp {
                    mask: 1 << byte,
                    ..new
                };
            }
        }
        return;
    }
    // The new access covers the old one. If only the lane differs, both lanes must remain known.
    if word.mask & !new.mask == 0 {
        let same = word.same_but_lane(new) && word.lane != new.lane && word.mask != 0;
        *word = new;
        if same {
            word.lane = SEVERAL;
        }
        return;
    }
    if word.same_but_lane(new) {
        if word.lane == new.lane {
            word.mask |= new.mask;
            return;
        }
        // Lanes that store 16-bit values to adjacent addresses share each word in pairs; this
        // common case needs no table.
        if word.mask == 3 && new.mask == 12 && new.lane == word.lane + 1 {
            word.mask = 15;
            word.lane |= HALVES;
            return;
        }
    }
    let old = *word;
    let stamp = |byte: usize| {
        let bit = 1u8 << byte;
        if new.mask & bit != 0 {
            Stamp { mask: bit, ..new }
        } else if old.mask & bit != 0 {
            Stamp {
                mask: bit,
                ..old.at(bit)
            }
        } else {
            Stamp::NEVER
        }
    };
    splits.insert(key, std::array::from_fn(stamp));
    word.mask = SPLIT;
}

/// Iterates over the words of a byte range, each with the mask of its bytes.
#[inline]
pub(crate) fn words(range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, u8)> {
    let (start, end) = (range.start, range.end);
    let (first, last) = (start / 4, end.div_ceil(4));
    let (head, tail) = (0xfu8 << (start % 4), 0xf >> (4 * last - end));
    (first..last).map(move |word| {
        let head = if word == first { head & 0xf } else { 0xf };
        let tail = if word + 1 == last { tail } else { 0xf };
        (word, head & tail)
    })
}

/// Returns the mask of the bytes of `range` within a word.
pub(crate) fn mask_of(range: &std::ops::Range<usize>, word: usize) -> u8 {
    let first = range.start.saturating_sub(4 * word);
    let last = (range.end - 4 * word).min(4);
    (0xfu8 << first & 0xf) & (0xf >> (4 - last))
}
