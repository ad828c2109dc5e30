//! Accesses to memory besides the tiles of partitions: single elements,
//! gathers and scatters, atomics, and pointers.

use super::ty::Padding;
use super::{ExprId, Ty};
use tile_core::ir::{MemoryOrdering, MemoryScope};

/// An access to memory, or what leads to one.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Elements between neighbours of a tensor along an axis.
    Stride(ExprId, usize),
    /// Elements of a tensor at indices of one shape, one per axis.
    Gather {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the result.
        index: Vec<ExprId>,
        /// What stands for an element outside.
        padding: Padding,
    },
    /// The elements of a tensor from an element index on, in the shape of the result.
    Window {
        /// The tensor.
        tensor: ExprId,
        /// The index of the first element: a number per axis.
        start: Vec<ExprId>,
        /// What stands for an element outside.
        padding: Padding,
    },
    /// A value to elements of a tensor; what is outside is dropped.
    Scatter {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the value.
        index: Vec<ExprId>,
        /// What is written.
        value: ExprId,
    },
    /// Read, modify, write of elements of a tensor; gives what they were.
    Atomic {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the result.
        index: Vec<ExprId>,
        /// What is done.
        update: Update,
    },
    /// A tile combined into a view, which gives nothing back.
    AtomicTile {
        /// The partition or strided view.
        view: ExprId,
        /// A number per axis.
        index: Vec<ExprId>,
        /// What is done.
        update: Update,
    },
    /// The address of the first element of a tensor.
    Address(ExprId),
    /// Pointers and as many distances in elements.
    Offset(ExprId, ExprId),
    /// A pointer repeated over the shape of the result.
    Repeat(ExprId),
    /// What pointers point to.
    Read {
        /// The pointers.
        pointer: ExprId,
        /// Where to read, and what stands for the rest.
        masked: Option<(ExprId, ExprId)>,
    },
    /// A value to where pointers point.
    Write {
        /// The pointers.
        pointer: ExprId,
        /// What is written.
        value: ExprId,
        /// Where to write.
        mask: Option<ExprId>,
    },
    /// Read, modify, write through pointers; gives what they pointed to.
    AtomicPointer {
        /// The pointers.
        pointer: ExprId,
        /// What is done.
        update: Update,
    },
    /// Orders what stands before it with what stands behind it, in all memory.
    Fence {
        /// Which accesses of other blocks that is.
        scope: MemoryScope,
    },
}

/// What an atomic does to an element.
#[derive(Debug)]
pub(crate) struct Update {
    /// How the new value comes about.
    pub(crate) op: AtomicOp,
    /// The operand; of a compare and swap, the expected and the new value.
    pub(crate) args: Vec<ExprId>,
    /// For which elements.
    pub(crate) mask: Option<ExprId>,
    /// What it orders.
    pub(crate) ordering: Ordering,
    /// Between whom.
    pub(crate) scope: MemoryScope,
}

impl Update {
    /// Operands and mask, in the order of evaluation.
    fn operands(&self) -> Vec<ExprId> {
        self.args.iter().chain(&self.mask).copied().collect()
    }
}

/// What an atomic or a fence orders besides the accesses to its own memory, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordering {
    /// Nothing.
    Relaxed,
    /// It comes before everything behind it.
    Acquire,
    /// It comes after everything before it.
    Release,
    /// Both.
    AcqRel,
    /// Both, and all of these are in one order.
    SeqCst,
}

impl Ordering {
    /// Whether everything behind it comes after it.
    pub(crate) fn acquires(self) -> bool {
        match self {
            Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst => true,
            Ordering::Relaxed | Ordering::Release => false,
        }
    }

    /// Whether it comes after everything before it.
    pub(crate) fn releases(self) -> bool {
        match self {
            Ordering::Release | Ordering::AcqRel | Ordering::SeqCst => true,
            Ordering::Relaxed | Ordering::Acquire => false,
        }
    }

    /// That of the operation itself; one order of all takes a fence before it.
    pub(crate) fn to_memory_ordering(self, op: AtomicOp) -> MemoryOrdering {
        match (self, op) {
            (Ordering::Relaxed, _) => MemoryOrdering::Relaxed,
            (Ordering::Acquire, _) | (Ordering::SeqCst, AtomicOp::Load) => MemoryOrdering::Acquire,
            (Ordering::Release, _) | (Ordering::SeqCst, AtomicOp::Store) => MemoryOrdering::Release,
            (Ordering::AcqRel | Ordering::SeqCst, _) => MemoryOrdering::AcqRel,
        }
    }
}

/// How an atomic makes the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    /// The sum, which wraps.
    Add,
    /// The greater.
    Max,
    /// The lesser.
    Min,
    /// Bits that are in both.
    And,
    /// Bits that are in one of them.
    Or,
    /// Bits that are in exactly one of them.
    Xor,
    /// The operand.
    Xchg,
    /// The new value, where the expected one was found.
    Cas,
    /// There is none: elements are read.
    Load,
    /// The operand, and nothing is read.
    Store,
}

/// A method that is an atomic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicMethod {
    /// How the new value comes about.
    pub(crate) op: AtomicOp,
    /// How many operands it takes.
    pub(crate) operands: usize,
    /// Whether a mask stands behind them.
    pub(crate) masked: bool,
}

/// What names a method whose last operand is a mask.
const MASKED: &str = "_masked";

impl AtomicOp {
    /// The methods, with the number of operands.
    pub(crate) const TABLE: [(&'static str, AtomicOp, usize); 10] = [
        ("atomic_add", AtomicOp::Add, 1),
        ("atomic_max", AtomicOp::Max, 1),
        ("atomic_min", AtomicOp::Min, 1),
        ("atomic_and", AtomicOp::And, 1),
        ("atomic_or", AtomicOp::Or, 1),
        ("atomic_xor", AtomicOp::Xor, 1),
        ("atomic_xchg", AtomicOp::Xchg, 1),
        ("atomic_cas", AtomicOp::Cas, 2),
        ("atomic_load", AtomicOp::Load, 0),
        ("atomic_store", AtomicOp::Store, 1),
    ];

    /// The atomic of this name, with a mask or without.
    pub(crate) fn parse(method: &str) -> Option<AtomicMethod> {
        let plain = method.strip_suffix(MASKED);
        let mut known = Self::TABLE.iter();
        let &(_, op, operands) = known.find(|(name, _, _)| *name == plain.unwrap_or(method))?;
        Some(AtomicMethod {
            op,
            operands,
            masked: plain.is_some(),
        })
    }

    /// The method.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Max => "atomic_max",
            AtomicOp::Min => "atomic_min",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
            AtomicOp::Xchg => "atomic_xchg",
            AtomicOp::Cas => "atomic_cas",
            AtomicOp::Load => "atomic_load",
            AtomicOp::Store => "atomic_store",
        }
    }
}

/// What memory an operation touches, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// Loads through this view or tensor.
    Load(ExprId),
    /// Stores through this view or tensor.
    Store(ExprId),
    /// Loads through pointers.
    LoadPointer,
    /// Stores through pointers.
    StorePointer,
    /// None.
    Nothing,
}

impl Memory {
    /// Everything that it is computed from, in the order of evaluation.
    pub(crate) fn operands(&self) -> Vec<ExprId> {
        let with = |first: ExprId, index: &[ExprId], rest: &[ExprId]| {
            let mut operands = vec![first];
            operands.extend(index);
            operands.extend(rest);
            operands
        };
        match self {
            Memory::Stride(tensor, _) | Memory::Address(tensor) | Memory::Repeat(tensor) => {
                vec![*tensor]
            }
            Memory::Gather { tensor, index, .. }
            | Memory::Window {
                tensor,
                start: index,
                ..
            } => with(*tensor, index, &[]),
            Memory::Scatter {
                tensor,
                index,
                value,
            } => with(*tensor, index, &[*value]),
            Memory::Atomic {
                tensor: base,
                index,
                update,
            }
            | Memory::AtomicTile {
                view: base,
                index,
                update,
            } => with(*base, index, &update.operands()),
            Memory::Offset(pointer, distance) => vec![*pointer, *distance],
            Memory::Read { pointer, masked } => {
                let masked = masked.map(|(mask, other)| [mask, other]);
                with(
                    *pointer,
                    masked.as_ref().map_or(&[], <[_; 2]>::as_slice),
                    &[],
                )
            }
            Memory::Write {
                pointer,
                value,
                mask,
            } => with(*pointer, &[*value], mask.as_slice()),
            Memory::AtomicPointer { pointer, update } => with(*pointer, &[], &update.operands()),
            Memory::Fence { .. } => Vec::new(),
        }
    }

    /// Whether it changes memory.
    pub(crate) fn has_effect(&self) -> bool {
        match self.touches() {
            Touch::Store(_) | Touch::StorePointer => true,
            Touch::Load(_) | Touch::LoadPointer | Touch::Nothing => self.synchronizes(),
        }
    }

    /// Whether it orders accesses to other memory than its own.
    fn synchronizes(&self) -> bool {
        match self {
            Memory::Fence { .. } => true,
            _ => {
                let ordering = self.update().map(|update| update.ordering);
                ordering.is_some_and(|ordering| ordering.acquires() || ordering.releases())
            }
        }
    }

    /// Whether every access behind it, to whatever memory, comes after it or a fence that belongs to it.
    pub(crate) fn acquires(&self) -> bool {
        match self {
            Memory::Fence { .. } => true,
            _ => self
                .update()
                .is_some_and(|update| update.ordering.acquires()),
        }
    }

    /// Whether it takes part in the one order of fences between blocks.
    pub(crate) fn fences(&self) -> bool {
        let scope = match self {
            Memory::Fence { scope } => *scope,
            _ => match self.update() {
                Some(update) if update.ordering == Ordering::SeqCst => update.scope,
                _ => return false,
            },
        };
        scope != MemoryScope::TileBlock
    }

    /// What an atomic does.
    pub(crate) fn update(&self) -> Option<&Update> {
        match self {
            Memory::Atomic { update, .. }
            | Memory::AtomicTile { update, .. }
            | Memory::AtomicPointer { update, .. } => Some(update),
            Memory::Stride(..)
            | Memory::Gather { .. }
            | Memory::Window { .. }
            | Memory::Scatter { .. }
            | Memory::Address(_)
            | Memory::Offset(..)
            | Memory::Repeat(_)
            | Memory::Read { .. }
            | Memory::Write { .. }
            | Memory::Fence { .. } => None,
        }
    }

    /// The memory that it touches.
    pub(crate) fn touches(&self) -> Touch {
        match self {
            Memory::Stride(..)
            | Memory::Address(_)
            | Memory::Offset(..)
            | Memory::Repeat(_)
            | Memory::Fence { .. } => Touch::Nothing,
            Memory::Gather { tensor, .. } | Memory::Window { tensor, .. } => Touch::Load(*tensor),
            Memory::Atomic { tensor, update, .. } if update.op == AtomicOp::Load => {
                Touch::Load(*tensor)
            }
            Memory::Scatter { tensor, .. } | Memory::Atomic { tensor, .. } => Touch::Store(*tensor),
            Memory::AtomicTile { view, .. } => Touch::Store(*view),
            Memory::AtomicPointer { update, .. } if update.op == AtomicOp::Load => {
                Touch::LoadPointer
            }
            Memory::Read { .. } => Touch::LoadPointer,
            Memory::Write { .. } | Memory::AtomicPointer { .. } => Touch::StorePointer,
        }
    }
}

impl Ty {
    /// The tensor that a tensor or view gives access to.
    pub(crate) fn tensor(&self) -> Option<&super::TensorTy> {
        match self {
            Ty::Tensor(tensor) => Some(tensor),
            Ty::Partition(partition) => Some(&partition.tensor),
            Ty::Scalar(_)
            | Ty::Tile(..)
            | Ty::Pointer(_)
            | Ty::Tuple(_)
            | Ty::Struct(..)
            | Ty::Never
            | Ty::Error => None,
        }
    }
}
