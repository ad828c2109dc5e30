//! One access to one word of memory, as the checks remember it.

use rustc_hash::FxHashMap;

use super::order::{Agent, Order};

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) agent: Agent,
    pub(crate) lane: u8,
    /// The instruction's number.
    pub(crate) instruction: u32,
}

/// How it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Weak: `ld`, `st`.
    Plain,
    /// Strong, at a scope: atomics, `.relaxed`, `.volatile`, ...
    Strong(Scope),
    /// By a copy that is under way.
    Copy,
}

impl How {
    /// With how many it may meet that nothing orders with it; copies with none.
    pub(crate) fn strength(self) -> u8 {
        match self {
            Self::Plain | Self::Copy => 0,
            Self::Strong(scope) => 1 + scope as u8,
        }
    }
}

/// Among which threads a strong access is one (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Cluster,
    Device,
}

/// More lanes of a warp than one.
pub(crate) const SEVERAL: u8 = 32;
/// The lower half of a word is of a lane, the upper of the next: that lane in the lower bits.
const HALVES: u8 = 0x40;
/// The mask of a word whose bytes have stamps of their own.
const SPLIT: u8 = 0x80;

const COPY: u8 = 4;

/// An access that was made; 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) clock: u32,
    /// 0: never.
    pub(crate) cluster: u32,
    /// 24 bits of instruction, then how.
    pub(crate) place: u32,
    pub(crate) agent: Agent,
    pub(crate) lane: u8,
    /// Bytes of the word.
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

    pub(crate) fn new(who: Who, how: How, clock: u32, cluster: u32, mask: u8) -> Self {
        let how = match how {
            How::Plain => 0,
            How::Strong(scope) => 1 + scope as u8,
            How::Copy => COPY,
        };
        Self {
            clock,
            cluster,
            place: who.instruction & 0xff_ffff | u32::from(how) << 24,
            agent: who.agent,
            lane: who.lane,
            mask,
        }
    }

    pub(crate) fn instruction(self) -> u32 {
        self.place & 0xff_ffff
    }

    pub(crate) fn how(self) -> How {
        match self.place >> 24 {
            0 => How::Plain,
            1 => How::Strong(Scope::Block),
            2 => How::Strong(Scope::Cluster),
            3 => How::Strong(Scope::Device),
            _ => How::Copy,
        }
    }

    #[inline]
    pub(crate) fn is_copy(self) -> bool {
        self.place >> 24 == u32::from(COPY)
    }

    /// The lane, unless it were several.
    pub(crate) fn one_lane(self) -> Option<u32> {
        (self.lane < SEVERAL).then_some(u32::from(self.lane))
    }

    /// The stamp as it is for some bytes of its word.
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

    /// All of it, to be compared at once.
    #[inline]
    fn bits(self) -> [u64; 2] {
        let (agent, lane) = (u64::from(self.agent), u64::from(self.lane));
        let mask = u64::from(self.mask);
        [
            u64::from(self.clock) | u64::from(self.cluster) << 32,
            u64::from(self.place) | agent << 32 | lane << 48 | mask << 56,
        ]
    }

    /// All of it but for the lane.
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

/// Whether two strong accesses are morally strong (PTX ISA): each names a scope with the other.
pub(crate) fn strong_together(how: How, who: Agent, other: Stamp, view: &View<'_>) -> bool {
    let (How::Strong(one), How::Strong(two)) = (how, other.how()) else {
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

/// What is needed to judge the order of accesses.
pub(crate) struct View<'a> {
    pub(crate) order: &'a Order,
    pub(crate) warps_per_block: usize,
}

impl View<'_> {
    pub(crate) fn block_of(&self, agent: Agent) -> usize {
        usize::from(agent) / self.warps_per_block
    }

    /// Whether `stamp`, of a warp's other lane or of others, happened before what `who` does now.
    #[inline]
    pub(crate) fn before(&self, who: Who, stamp: Stamp) -> bool {
        if stamp.cluster != self.order.cluster {
            return self.order.knows_foreign(who.agent, stamp);
        }
        if stamp.agent == who.agent {
            // Lanes of a warp are in order only across `bar.warp.sync` and the like.
            return stamp.lane == who.lane
                || stamp.clock < self.order.met(who.agent)
                || stamp.instruction() == who.instruction
                || self.order.knows_part(who.agent, stamp);
        }
        stamp.clock <= self.order.known(who.agent)[usize::from(stamp.agent)]
            || self.order.knows_part(who.agent, stamp)
    }
}

/// What the accesses of one instruction of a warp are judged by, where that is simple.
pub(crate) struct Plain<'a> {
    known: &'a [u32],
    /// Behind this clock lanes of the warp are not in order with each other.
    met: u32,
    /// What is older is of a cluster before this one.
    base: u32,
    /// Without lane and mask.
    stamp: Stamp,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(view: &View<'a>, who: Who, how: How) -> Self {
        let known = view.order.known(who.agent);
        let now = view.order.now(who.agent);
        Self {
            known,
            met: view.order.met(who.agent),
            base: view.order.base,
            stamp: Stamp::new(who, how, now, view.order.cluster, 0),
        }
    }

    /// The stamp of a lane's access.
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

    pub(crate) fn known(&self) -> &'a [u32] {
        self.known
    }

    pub(crate) fn met(&self) -> u32 {
        self.met
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Whether an access of a word, made with the same instruction or before it, certainly
    /// happened before; [`View::before`] knows more.
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

    /// Whether a write of a word, if there was any, leaves no question about those bytes.
    #[inline]
    pub(crate) fn behind_write(&self, lane: u8, mask: u8, write: Stamp) -> bool {
        write.mask & (mask | SPLIT) == 0 || self.before(lane, write)
    }
}

/// Stamps of bytes, for words whose bytes were not all accessed at once.
pub(crate) type Splits<K> = FxHashMap<K, [Stamp; 4]>;

/// The stamps at some bytes of a word.
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

/// Which bytes of a word have stamps.
#[inline]
pub(crate) fn covered<K: std::hash::Hash + Eq>(word: Stamp, key: &K, splits: &Splits<K>) -> u8 {
    if word.mask != SPLIT {
        return word.mask;
    }
    splits.get(key).map_or(0, |bytes| {
        (0..4).fold(0, |mask, byte| mask | bytes[byte].mask & 1 << byte)
    })
}

/// Puts a stamp at its bytes of a word.
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

/// The words of a range of bytes, each with the mask of its bytes.
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

/// The bytes of a range that are in a word.
pub(crate) fn mask_of(range: &std::ops::Range<usize>, word: usize) -> u8 {
    let first = range.start.saturating_sub(4 * word);
    let last = (range.end - 4 * word).min(4);
    (0xfu8 << first & 0xf) & (0xf >> (4 - last))
}
