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
}

/// What an atomic does to an element.
#[derive(Debug)]
pub(crate) struct Update {
    /// How the new value comes about.
    pub(crate) op: AtomicOp,
    /// The operand; of a compare and swap, the expected and the new value.
    pub(crate) args: Vec<ExprId>,
    /// What it orders.
    pub(crate) ordering: MemoryOrdering,
    /// Between whom.
    pub(crate) scope: MemoryScope,
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
}

impl AtomicOp {
    /// The methods, with the number of operands.
    pub(crate) const TABLE: [(&'static str, AtomicOp, usize); 8] = [
        ("atomic_add", AtomicOp::Add, 1),
        ("atomic_max", AtomicOp::Max, 1),
        ("atomic_min", AtomicOp::Min, 1),
        ("atomic_and", AtomicOp::And, 1),
        ("atomic_or", AtomicOp::Or, 1),
        ("atomic_xor", AtomicOp::Xor, 1),
        ("atomic_xchg", AtomicOp::Xchg, 1),
        ("atomic_cas", AtomicOp::Cas, 2),
    ];

    /// The operation of a method, and how many operands it takes.
    pub(crate) fn parse(method: &str) -> Option<(AtomicOp, usize)> {
        let mut known = Self::TABLE.iter();
        let &(_, op, operands) = known.find(|(name, _, _)| *name == method)?;
        Some((op, operands))
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
            let mut all = vec![first];
            all.extend(index);
            all.extend(rest);
            all
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
            } => with(*base, index, &update.args),
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
            Memory::AtomicPointer { pointer, update } => with(*pointer, &[], &update.args),
        }
    }

    /// Whether it changes memory.
    pub(crate) fn has_effect(&self) -> bool {
        match self.touches() {
            Touch::Store(_) | Touch::StorePointer => true,
            Touch::Load(_) | Touch::LoadPointer | Touch::Nothing => false,
        }
    }

    /// The memory that it touches.
    pub(crate) fn touches(&self) -> Touch {
        match self {
            Memory::Stride(..) | Memory::Address(_) | Memory::Offset(..) | Memory::Repeat(_) => {
                Touch::Nothing
            }
            Memory::Gather { tensor, .. } | Memory::Window { tensor, .. } => Touch::Load(*tensor),
            Memory::Scatter { tensor, .. } | Memory::Atomic { tensor, .. } => Touch::Store(*tensor),
            Memory::AtomicTile { view, .. } => Touch::Store(*view),
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
