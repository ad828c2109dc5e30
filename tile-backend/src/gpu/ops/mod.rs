//! Properties of the operations of the GPU IR.
//!
//! [`table`] has one row for each kind of operation: its mnemonic, the numbers of its operands, results and
//! nested blocks, its [`Trait`]s, its [`Effect`]s and its attributes. Printing, parsing, the structural
//! part of the verifier, dead code elimination, the model of memory accesses and the tests of what a pass may
//! move or repeat are lookups in this table. Only what an operation means is written elsewhere: in
//! [`crate::llvm`], and in [`super::verify`].

mod table;

use super::{AddressedTile, BufferId, OpKind, ValueId};
use smallvec::SmallVec;
use std::fmt;
use std::ops::{BitOr, Bound, RangeBounds};

/// The row of an operation, without its effects and attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The name in text.
    pub(crate) mnemonic: &'static str,
    /// Number of operands.
    pub(crate) operands: Count,
    /// Number of results.
    pub(crate) results: Count,
    /// Number of nested blocks.
    pub(crate) blocks: Count,
    /// How threads learn that the operation is complete.
    pub(crate) completion: Completion,
    traits: Traits,
    decisive: Decisive,
}

impl Row {
    /// Returns `true` if the operation has a trait.
    pub(crate) fn has(&self, which: Trait) -> bool {
        self.traits.0 & Traits::from(which).0 != 0
    }

    const fn with_blocks(self, blocks: Count) -> Self {
        Self { blocks, ..self }
    }

    const fn completes_by(self, completion: Completion) -> Self {
        Self { completion, ..self }
    }

    /// Declares the operands at these positions decisive; see [`Row::decisive_operands`].
    fn decided_by(self, operands: impl RangeBounds<usize>) -> Self {
        let start = match operands.start_bound() {
            Bound::Included(&first) => first,
            Bound::Excluded(&before) => before + 1,
            Bound::Unbounded => 0,
        };
        let end = match operands.end_bound() {
            Bound::Included(&last) => last + 1,
            Bound::Excluded(&end) => end,
            Bound::Unbounded => usize::MAX,
        };
        let decisive = Decisive {
            start,
            end,
            from_last: None,
        };
        Self { decisive, ..self }
    }

    /// Declares the addresses and the mask of an access decisive.
    fn decided_by_addresses(self, tile: &AddressedTile) -> Self {
        let from_last = tile.is_masked.then_some(usize::from(tile.is_padded));
        let row = self.decided_by(..1);
        Self {
            decisive: Decisive {
                from_last,
                ..row.decisive
            },
            ..row
        }
    }

    /// Returns the operands that decide control flow, the memory that is accessed, or an assertion, so that
    /// they must be the same in every thread.
    pub(crate) fn decisive_operands(
        &self,
        operands: &[ValueId],
    ) -> impl Iterator<Item = ValueId> + use<> {
        let Decisive {
            start,
            end,
            from_last,
        } = self.decisive;
        let end = end.min(operands.len());
        let range = operands.get(start..end).unwrap_or_default();
        let mask = from_last.and_then(|index| operands.iter().rev().nth(index));
        let decisive: SmallVec<[ValueId; 8]> = range.iter().chain(mask).copied().collect();
        decisive.into_iter()
    }

    fn with(self, traits: impl Into<Traits>) -> Self {
        let traits = traits.into();
        Self { traits, ..self }
    }

    fn with_if(self, condition: bool, which: Trait) -> Self {
        let traits = if condition {
            self.traits | which
        } else {
            self.traits
        };
        Self { traits, ..self }
    }
}

/// Creates the row of a synchronous operation without blocks and traits; the table adds the mnemonic.
fn op(operands: impl Into<Count>, results: impl Into<Count>) -> Row {
    Row {
        mnemonic: "",
        operands: operands.into(),
        results: results.into(),
        blocks: Count::exactly(0),
        completion: Completion::Synchronous,
        traits: Traits(0),
        decisive: Decisive::default(),
    }
}

/// The positions of decisive operands.
#[derive(Clone, Copy, Debug, Default)]
struct Decisive {
    /// The first of a range.
    start: usize,
    /// The end of the range, which is cut at the number of operands.
    end: usize,
    /// One more position, counted from the last operand.
    from_last: Option<usize>,
}

/// A range of numbers of operands, results or blocks, both ends included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    min: usize,
    max: usize,
}

/// Any number. The verifier of the operation says more, where it depends on more than attributes.
const ANY: Count = Count::at_least(0);

impl Count {
    const fn exactly(count: usize) -> Self {
        Self {
            min: count,
            max: count,
        }
    }

    const fn at_least(min: usize) -> Self {
        Self {
            min,
            max: usize::MAX,
        }
    }

    const fn between(min: usize, max: usize) -> Self {
        Self { min, max }
    }

    /// Returns `true` if the range contains `count`.
    pub(crate) fn contains(self, count: usize) -> bool {
        (self.min..=self.max).contains(&count)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { min, max } if min == max => write!(f, "{min}"),
            Self {
                min,
                max: usize::MAX,
            } => write!(f, "at least {min}"),
            Self { min, max } => write!(f, "{min} to {max}"),
        }
    }
}

impl From<usize> for Count {
    fn from(count: usize) -> Self {
        Self::exactly(count)
    }
}

/// The mechanism by which threads learn that an operation is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// It is complete when the next operation begins.
    Synchronous,
    /// A copy of this thread, which [`OpKind::WaitGroup`] waits for.
    CopyGroup,
    /// A copy whose bytes arrive at these mbarriers, which [`OpKind::ConsumerWait`] waits for.
    Mbarriers(BufferId),
    /// An MMA of a warpgroup, which [`OpKind::WaitWgmma`] waits for.
    WgmmaGroup,
    /// A TMA store, which [`OpKind::WaitTmaStores`] waits for.
    StoreGroup,
}

impl Completion {
    /// Returns `true` if the operation copies global memory to shared memory asynchronously.
    pub(crate) fn is_of_copy(self) -> bool {
        match self {
            Self::CopyGroup | Self::Mbarriers(_) => true,
            Self::Synchronous | Self::WgmmaGroup | Self::StoreGroup => false,
        }
    }
}

/// A property that an operation has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    /// It may be removed if nothing uses its results, which only depend on its operands.
    Pure,
    /// It may run for an iteration of a loop that does not take place.
    Speculatable,
    /// The producer thread can repeat it by itself.
    Repeatable,
    /// It works with the part of a tile that one block of a cluster split has, unless it accesses shared
    /// memory.
    Splittable,
    /// Other blocks could wait for it, or observe it in the order of work tiles.
    Observable,
    /// It accesses global memory, or may do so.
    GlobalAccess,
    /// It may run once for all work tiles of a persistent block.
    PerBlock,
    /// It ends its block.
    Terminator,
    /// It ends its block, and control leaves more than this block.
    Jump,
    /// Control flow enters its blocks.
    ControlFlow,
    /// It multiplies matrices.
    Mma,
    /// All threads get the same results, even if they disagree on the operands.
    Broadcast,
    /// Each thread reads for itself what another block may write at the same time, or only one thread has the
    /// result.
    PerThread,
    /// Control does not pass it until other threads of the block have reached it.
    BlockBarrier,
    /// It only orders: it waits, lets others continue, or separates accesses.
    Synchronization,
    /// Each warp uses a part of the buffer of its own.
    WarpPrivate,
    /// It reads and writes the shared memory of all blocks of the cluster.
    ClusterExchange,
}

/// A set of traits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits(u32);

impl From<Trait> for Traits {
    fn from(which: Trait) -> Self {
        Self(1 << which as u16)
    }
}

impl BitOr<Trait> for Traits {
    type Output = Self;

    fn bitor(self, other: Trait) -> Self {
        Self(self.0 | Self::from(other).0)
    }
}

impl BitOr for Trait {
    type Output = Traits;

    fn bitor(self, other: Self) -> Traits {
        Traits::from(self) | other
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
}

/// An access that an operation itself makes, other than to its operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// An access to the elements of a buffer.
    Shared(BufferId, Touch),
    /// An access to mbarriers that a barrier of the block must order. An arrival does not count: mbarriers
    /// exist to synchronize threads without a barrier.
    Mbarriers(BufferId, Touch),
    /// An access to memory with addresses that a kernel may write, in the order of tokens.
    Memory(Touch),
    /// An order between accesses of this kernel and of other blocks or kernels.
    Order,
}

impl Effect {
    /// Returns the buffer in shared memory and the access to it.
    fn buffer(self) -> Option<(BufferId, Touch)> {
        match self {
            Self::Shared(buffer, touch) | Self::Mbarriers(buffer, touch) => Some((buffer, touch)),
            Self::Memory(_) | Self::Order => None,
        }
    }
}

/// The effects of an operation.
pub(crate) type Effects = SmallVec<[Effect; 3]>;

fn none() -> Effects {
    Effects::new()
}

fn reads(buffers: impl IntoIterator<Item = BufferId>) -> Effects {
    let buffers = buffers.into_iter();
    buffers
        .map(|buffer| Effect::Shared(buffer, Touch::Read))
        .collect()
}

fn writes(buffers: impl IntoIterator<Item = BufferId>) -> Effects {
    let buffers = buffers.into_iter();
    buffers
        .map(|buffer| Effect::Shared(buffer, Touch::Write))
        .collect()
}

fn mbarriers(barriers: BufferId, touch: Touch) -> Effects {
    Effects::from_iter([Effect::Mbarriers(barriers, touch)])
}

fn order() -> Effects {
    Effects::from_iter([Effect::Order])
}

fn memory(touch: Option<Touch>) -> Effects {
    touch.map(Effect::Memory).into_iter().collect()
}

fn all<const N: usize>(parts: [Effects; N]) -> Effects {
    parts.into_iter().flatten().collect()
}

impl OpKind {
    /// Returns `true` if the row of the operation has a trait.
    pub(crate) fn has(&self, which: Trait) -> bool {
        self.row().has(which)
    }

    /// Returns the buffers that an operation itself accesses.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = (BufferId, Touch)> + use<> {
        self.effects().into_iter().filter_map(Effect::buffer)
    }

    /// Returns `true` if an operation itself accesses a buffer.
    pub(crate) fn accesses(&self, buffer: BufferId) -> bool {
        self.buffers().any(|(other, _)| other == buffer)
    }

    /// Returns `true` if an operation itself reads a buffer.
    pub(crate) fn reads(&self, buffer: BufferId) -> bool {
        self.buffers().any(|access| access == (buffer, Touch::Read))
    }

    /// Returns `true` if an operation itself writes a buffer.
    pub(crate) fn writes(&self, buffer: BufferId) -> bool {
        self.buffers()
            .any(|access| access == (buffer, Touch::Write))
    }

    /// Returns `true` if an operation itself writes to shared memory.
    pub(crate) fn writes_shared(&self) -> bool {
        self.buffers().any(|(_, touch)| touch == Touch::Write)
    }

    /// Returns `true` if an operation itself writes to memory with addresses, or orders accesses of others.
    pub(crate) fn writes_memory_or_orders(&self) -> bool {
        let mut effects = self.effects().into_iter();
        effects.any(|effect| matches!(effect, Effect::Memory(Touch::Write) | Effect::Order))
    }

    /// Returns `true` if the operation only synchronizes: it computes nothing and moves no data.
    pub fn is_synchronization(&self) -> bool {
        self.has(Trait::Synchronization)
    }

    /// Returns the name in text.
    pub fn mnemonic(&self) -> &'static str {
        self.row().mnemonic
    }

    /// Returns the mnemonic and attributes in text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        self.print(&mut text);
        text
    }
}
