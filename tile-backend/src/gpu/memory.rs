//! Memory operations by address, to which Tile IR's operations on pointers are lowered.
//!
//! A pointer is an `i64`, its generic address. So tiles of pointers have layouts, and are converted, selected
//! and carried by loops like other numbers. Only an access knows which memory it may reach:
//! [`AddressedTile::roots`].
//!
//! ```text
//!   addresses   #0 #0 #0 #0   (two registers of lane 0; both lanes of a pair hold copies)
//!   load        every copy loads, unless other blocks may store meanwhile
//!   store       one of the copies stores
//!   atomic      one of the copies performs it, and only that one has the result
//! ```

use super::Roots;
use super::{BufferId, ValueId};
use crate::layout::{Axis, LinearLayout, VectorPlan, row_major, vector_plan};
use std::sync::Arc;
use tile_core::Scalar;
use tile_core::ir::{AtomicRmwMode, DenseElements, MemoryOrdering, MemoryScope};

/// Operations on addresses and on the memory at them; operands and results are listed as `(args) -> results`.
#[derive(Clone, Debug)]
pub enum MemoryKind {
    /// `(pointer) -> uniform i64`: the address of the pointer.
    AddressOf,
    /// `(uniform i64) -> pointer`: the pointer to global memory at the address.
    PointerAt,
    /// `(addresses, integers) -> addresses`: `address + integer * bytes`, with signed integers.
    Offset {
        /// Bytes per unit of the integers.
        bytes: u64,
    },
    /// `() -> uniform i64`: the address of the variable with this index in [`super::Kernel::variables`].
    VariableAddress(usize),
    /// `() -> uniform i64`: the generic address of a buffer.
    LocalAddress(BufferId),
    /// `() -> uniform i64`: the address of the block's slot of the arena with this index in
    /// [`super::Kernel::arenas`].
    ArenaAddress(usize),
    /// `(addresses, mask?, padding?) -> elements`. The result has the layout of the operands that are not
    /// uniform. [`AddressedTile::by_owners`] says which threads have the result.
    Load(Box<AddressedTile>),
    /// `(addresses, elements, mask?) -> ()`: each element is stored once.
    Store(Box<AddressedTile>),
    /// `(addresses, operands…, mask?) -> old elements?`: each element is updated once; only the thread that
    /// updated it has the result. If the operands are uniform, the result is a tile of rank 0.
    Atomic(Box<AddressedTile>, AtomicKind),
}

/// The update of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    /// Combines the element with the operand.
    Modify(AtomicRmwMode),
    /// Stores the second operand if the element equals the first.
    CompareAndSwap,
}

/// The address space of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global memory.
    Global,
    /// Global or shared memory; the hardware decides by the address.
    Generic,
}

/// Groups of elements that one instruction may access. A group is aligned in the layout, contiguous in
/// memory, and starts there at a multiple of its size. Its elements are masked off together or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The axis along which the elements of a group are neighbours.
    pub axis: Axis,
    /// Number of elements of a group, a power of two.
    pub elements: u64,
}

/// An access to every element of a tile by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct AddressedTile {
    /// The element type in memory.
    pub element: Scalar,
    /// The memory ordering with respect to accesses of other blocks.
    pub ordering: MemoryOrdering,
    /// The scope of the ordering, unless it is weak.
    pub scope: MemoryScope,
    /// The objects that addresses may point to.
    pub roots: Roots,
    /// The address space.
    pub space: Space,
    /// The elements that one instruction may access, if more than one.
    pub vector: Option<Vector>,
    /// `true` if the last operand, or the last before the padding, is a mask.
    pub is_masked: bool,
    /// `true` if the last operand is the value of elements that are masked off; otherwise they are zero.
    pub is_padded: bool,
    /// `true` if the memory does not change while the kernel runs.
    pub is_constant: bool,
    /// `true` if elements of four bits share bytes. Groups of [`Self::vector`] are then whole bytes.
    pub is_packed: bool,
    /// `true` if only one thread loads each element; threads that hold copies do not get it.
    pub by_owners: bool,
}

impl AddressedTile {
    /// Returns `true` if other blocks may observe the access while it happens.
    pub fn is_strong(&self) -> bool {
        self.ordering != MemoryOrdering::Weak
    }

    /// Returns `true` if the access is a release: operations before it happen before everything that other
    /// blocks do after they have observed it.
    pub fn releases(&self) -> bool {
        let ordering = matches!(
            self.ordering,
            MemoryOrdering::Release | MemoryOrdering::AcqRel
        );
        ordering && self.scope != MemoryScope::TileBlock
    }

    /// Returns `true` if the access is an acquire: operations after it happen after everything that other
    /// blocks did before they released the value that it observed.
    pub fn acquires(&self) -> bool {
        let ordering = matches!(
            self.ordering,
            MemoryOrdering::Acquire | MemoryOrdering::AcqRel
        );
        ordering && self.scope != MemoryScope::TileBlock
    }
}

/// Private memory of blocks outside of shared memory: a variable with a slot for each block that can run
/// simultaneously. A block acquires a slot when it starts and releases it when it ends.
#[derive(Clone, Debug)]
pub struct Arena {
    /// Size of a slot.
    pub bytes: u64,
    /// A power of two that divides the address and the size of a slot.
    pub align_bytes: u32,
    /// Number of slots.
    pub slots: u32,
    /// Four bytes of shared memory that hold the number of the block's slot.
    pub number: BufferId,
}

/// A variable of the module.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The symbol.
    pub name: String,
    /// The initial value.
    pub data: Arc<DenseElements>,
    /// Number of elements.
    pub elements: u64,
    /// Alignment in bytes, a power of two.
    pub align_bytes: u32,
    /// `true` if no kernel stores to it.
    pub is_constant: bool,
    /// `true` if the host can find it by its name.
    pub is_public: bool,
}

/// The operands of an access.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'o> {
    /// The addresses of the elements.
    pub addresses: ValueId,
    /// The values that are stored, compared or combined.
    pub values: &'o [ValueId],
    /// The mask of the elements that are accessed.
    pub mask: Option<ValueId>,
    /// The value of the elements that are masked off.
    pub padding: Option<ValueId>,
}

impl AddressedTile {
    /// Groups the registers of a tile in `layout` by the instruction that accesses them.
    pub fn vectors(&self, layout: &LinearLayout) -> VectorPlan {
        let shape = layout.shape();
        let mut order = shape.row_major_order();
        let mut elements = 1;
        if let Some(vector) = self.vector {
            order.retain(|axis| *axis != vector.axis);
            order.insert(0, vector.axis);
            elements = vector.elements;
        }
        vector_plan(layout, &row_major(shape, &order), elements)
            .expect("a row-major tile holds every element")
    }

    /// Splits the operands of an access by role.
    pub fn operands<'o>(&self, args: &'o [ValueId]) -> Operands<'o> {
        let (padding, args) = match args.split_last() {
            Some((&last, rest)) if self.is_padded => (Some(last), rest),
            _ => (None, args),
        };
        let (mask, args) = match args.split_last() {
            Some((&last, rest)) if self.is_masked => (Some(last), rest),
            _ => (None, args),
        };
        let (&addresses, values) = args.split_first().expect("an access has addresses");
        Operands {
            addresses,
            values,
            mask,
            padding,
        }
    }
}
