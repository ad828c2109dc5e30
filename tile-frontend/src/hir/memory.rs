//! Accesses to memory other than tiles of partitions: single elements, gathers and scatters,
//! atomics, and pointers.

use super::ty::Padding;
use super::{ExprId, Ty};
use tile_core::ir::{MemoryOrdering, MemoryScope};

/// An access to memory, or a pointer computation.
#[derive(Debug)]
pub(crate) enum Memory {
    /// The stride of a tensor along an axis, in elements.
    Stride(ExprId, usize),
    /// Loads elements of a tensor at indices of one shape, one per axis.
    Gather {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the result.
        index: Vec<ExprId>,
        /// The value of elements outside the tensor.
        padding: Padding,
    },
    /// Loads the elements of a tensor from an element index on, in the shape of the result.
    Window {
        /// The tensor.
        tensor: ExprId,
        /// The index of the first element: one number per axis.
        start: Vec<ExprId>,
        /// The value of elements outside the tensor.
        padding: Padding,
    },
    /// Stores a value to elements of a tensor; elements outside it are dropped.
    Scatter {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the value.
        index: Vec<ExprId>,
        /// The value to store.
        value: ExprId,
    },
    /// Atomically updates elements of a tensor and returns their old values.
    Atomic {
        /// The tensor.
        tensor: ExprId,
        /// An index per axis, of the shape of the result.
        index: Vec<ExprId>,
        /// The update.
        update: Update,
    },
    /// Atomically updates a tile of a view, without a result.
    AtomicTile {
        /// The partition or strided view.
        view: ExprId,
        /// One number per axis.
        index: Vec<ExprId>,
        /// The update.
        update: Update,
    },
    /// The address of the first element of a tensor.
    Address(ExprId),
    /// Pointer arithmetic: pointers, and one offset in elements for each.
    Offset(ExprId, ExprId),
    /// A pointer broadcast to the shape of the result.
    Repeat(ExprId),
    /// Loads through pointers.
    Read {
        /// The pointers.
        pointer: ExprId,
        /// The mask, and the value of elements that are not loaded.
        masked: Option<(ExprId, ExprId)>,
    },
    /// Stores through pointers.
    Write {
        /// The pointers.
        pointer: ExprId,
        /// The value to store.
        value: ExprId,
        /// The mask.
        mask: Option<ExprId>,
    },
    /// Atomically updates elements through pointers and returns their old values.
    AtomicPointer {
        /// The pointers.
        pointer: ExprId,
        /// The update.
        update: Update,
    },
    /// A fence: orders all accesses before it with all accesses after it.
    Fence {
        /// The blocks whose accesses the fence orders.
        scope: MemoryScope,
    },
}

/// The update of an atomic.
#[derive(Debug)]
pub(crate) struct Update {
    /// The operation that computes the new value.
    pub(crate) op: AtomicOp,
    /// The operand, or the expected and the new value of a compare-and-swap.
    pub(crate) args: Vec<ExprId>,
    /// The mask.
    pub(crate) mask: Option<ExprId>,
    /// The memory ordering.
    pub(crate) ordering: Ordering,
    /// The scope of the ordering.
    pub(crate) scope: MemoryScope,
}

impl Update {
    /// Returns operands and mask, in the order of evaluation.
    fn operands(&self) -> Vec<ExprId> {
        self.args.iter().chain(&self.mask).copied().collect()
    }
}

/// The ordering of an atomic or a fence with respect to other memory, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordering {
    /// No ordering.
    Relaxed,
    /// Precedes every later access.
    Acquire,
    /// Follows every earlier access.
    Release,
    /// Both acquire and release.
    AcqRel,
    /// Both acquire and release, in a single total order with all other operations of this
    /// ordering.
    SeqCst,
}

impl Ordering {
    /// Returns `true` if every later access is ordered after an operation with this ordering.
    pub(crate) fn acquires(self) -> bool {
        match self {
            Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst => true,
            Ordering::Relaxed | Ordering::Release => false,
        }
    }

    /// Returns `true` if an operation with this ordering is ordered after every earlier access.
    pub(crate) fn releases(self) -> bool {
        match self {
            Ordering::Release | Ordering::AcqRel | Ordering::SeqCst => true,
            Ordering::Relaxed | Ordering::Acquire => false,
        }
    }

    /// Returns the ordering of the operation itself; sequential consistency needs a fence before
    /// it.
    pub(crate) fn to_memory_ordering(self, op: AtomicOp) -> MemoryOrdering {
        match (self, op) {
            (Ordering::Relaxed, _) => MemoryOrdering::Relaxed,
            (Ordering::Acquire, _) | (Ordering::SeqCst, AtomicOp::Load) => MemoryOrdering::Acquire,
            (Ordering::Release, _) | (Ordering::SeqCst, AtomicOp::Store) => MemoryOrdering::Release,
            (Ordering::AcqRel | Ordering::SeqCst, _) => MemoryOrdering::AcqRel,
        }
    }
}

/// The operation by which an atomic computes the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    /// The sum, with wrapping.
    Add,
    /// The maximum.
    Max,
    /// The minimum.
    Min,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The operand (exchange).
    Xchg,
    /// The new value, if the old one is the expected one (compare-and-swap).
    Cas,
    /// No new value: elements are loaded.
    Load,
    /// The operand, without a result.
    Store,
}

/// An atomic method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicMethod {
    /// The operation that computes the new value.
    pub(crate) op: AtomicOp,
    /// The number of operands.
    pub(crate) operands: usize,
    /// `true` if a mask follows the operands.
    pub(crate) masked: bool,
}

/// The suffix of methods whose last operand is a mask.
const MASKED: &str = "_masked";

impl AtomicOp {
    /// The methods with their number of operands.
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

    /// Returns the atomic of this name, with or without a mask.
    pub(crate) fn parse(method: &str) -> Option<AtomicMethod> {
        let plain = method.strip_suffix(MASKED);
        let mut methods = Self::TABLE.iter();
        let &(_, op, operands) = methods.find(|(name, _, _)| *name == plain.unwrap_or(method))?;
        Some(AtomicMethod {
            op,
            operands,
            masked: plain.is_some(),
        })
    }

    /// Returns the name of the method.
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

/// The memory that an operation accesses, and the kind of access.
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
    /// No memory.
    Nothing,
}

impl Memory {
    /// Returns all operands, in the order of evaluation.
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

    /// Returns `true` if the operation changes memory or orders accesses to it.
    pub(crate) fn has_effect(&self) -> bool {
        match self.touches() {
            Touch::Store(_) | Touch::StorePointer => true,
            Touch::Load(_) | Touch::LoadPointer | Touch::Nothing => self.synchronizes(),
        }
    }

    /// Returns `true` if the operation orders accesses to memory other than its own.
    fn synchronizes(&self) -> bool {
        if matches!(self, Memory::Fence { .. }) {
            return true;
        }
        let ordering = self.update().map(|update| update.ordering);
        ordering.is_some_and(|ordering| ordering.acquires() || ordering.releases())
    }

    /// Returns `true` if every later access to any memory is ordered after the operation or its
    /// fence.
    pub(crate) fn acquires(&self) -> bool {
        match self {
            Memory::Fence { .. } => true,
            _ => self
                .update()
                .is_some_and(|update| update.ordering.acquires()),
        }
    }

    /// Returns `true` if the operation takes part in the total order of fences between blocks.
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

    /// Returns the update of an atomic.
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

    /// Returns the memory that the operation accesses.
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
    /// Returns the tensor that a tensor or view gives access to.
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
