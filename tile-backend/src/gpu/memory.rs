//! Memory by addresses: what pointers of the tile IR become.
//!
//! A pointer is a number, an `i64`: the generic address. So tiles of pointers have layouts, are
//! exchanged, selected and carried by loops like other numbers, and only an access knows what it
//! reaches: [`AddressedTile::roots`].
//!
//! ```text
//!   addresses   #0 #0 #0 #0   (two registers of lane 0, both lanes of a pair hold copies)
//!   load        every copy loads, unless others may store meanwhile
//!   store       one of the copies stores
//!   atomic      one of the copies does it, and it alone knows the result
//! ```

use super::{BufferId, ValueId};
use crate::analysis::provenance::Roots;
use crate::analysis::tokens::TokenOrder;
use crate::layout::{Axis, LinearLayout, VectorPlan, row_major, vector_plan};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_core::Scalar;
use tile_core::ir::{AtomicRmwMode, DenseElements, MemoryOrdering, MemoryScope};

/// Operations on addresses and on what they point to; operands and results are listed as
/// `(args) -> results`.
#[derive(Clone, Debug)]
pub enum MemoryKind {
    /// `(pointer) -> uniform i64`: its address.
    AddressOf,
    /// `(uniform i64) -> pointer`: the pointer to global memory at the address.
    PointerAt,
    /// `(addresses, integers) -> addresses`: `address + integer * bytes`, integers with a sign.
    Offset {
        /// What the integers count.
        bytes: u64,
    },
    /// `() -> uniform i64`: the address of a variable, by its position in
    /// [`super::Kernel::variables`].
    VariableAddress(usize),
    /// `() -> uniform i64`: the generic address of a buffer.
    LocalAddress(BufferId),
    /// `() -> uniform i64`: the address of what the block has of an arena, by its position in
    /// [`super::Kernel::arenas`].
    ArenaAddress(usize),
    /// `(addresses, mask?, padding?) -> elements`. Of operands that are not uniform, the result
    /// has the layout. [`AddressedTile::by_owners`] says who knows the result.
    Load(Box<AddressedTile>),
    /// `(addresses, elements, mask?) -> ()`: each element is stored once.
    Store(Box<AddressedTile>),
    /// `(addresses, operands…, mask?) -> old elements?`: each element is changed once; who
    /// changed it alone knows the result. Of uniform operands the result is a tile of rank 0.
    Atomic(Box<AddressedTile>, AtomicKind),
}

/// What an atomic operation does to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    /// Combines it with the operand.
    Modify(AtomicRmwMode),
    /// Stores the second operand where it holds the first.
    CompareAndSwap,
}

/// What kind of memory addresses are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global memory.
    Global,
    /// Global or shared memory: the hardware finds out.
    Generic,
}

/// Elements that one instruction may access: aligned groups of the layout, neighbours in memory
/// at a multiple of their size, all masked off or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The axis along which they stand.
    pub axis: Axis,
    /// How many they are, a power of two.
    pub elements: u64,
}

/// An access to every element of a tile by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub struct AddressedTile {
    /// What is stored.
    pub element: Scalar,
    /// How it is ordered with accesses of other blocks.
    pub ordering: MemoryOrdering,
    /// Which blocks those are, unless the ordering is weak.
    pub scope: MemoryScope,
    /// Where addresses may point.
    pub roots: Roots,
    /// The kind of memory.
    pub space: Space,
    /// What one instruction may access, if more than an element.
    pub vector: Option<Vector>,
    /// Whether the last operand, or the last but the padding, is a mask.
    pub is_masked: bool,
    /// Whether the last operand is what elements are that are masked off; they are zero without.
    pub is_padded: bool,
    /// Whether the memory does not change while the kernel runs.
    pub is_constant: bool,
    /// Whether elements of four bits share bytes. Groups of [`Self::vector`] then are whole bytes.
    pub is_packed: bool,
    /// Whether an element is loaded once, and those who hold copies do not know it.
    pub by_owners: bool,
}

impl AddressedTile {
    /// Whether other blocks may see it while it happens.
    pub fn is_strong(&self) -> bool {
        self.ordering != MemoryOrdering::Weak
    }

    /// Whether what stands before it happens before what other blocks do after they saw it.
    pub fn releases(&self) -> bool {
        let ordering = matches!(
            self.ordering,
            MemoryOrdering::Release | MemoryOrdering::AcqRel
        );
        ordering && self.scope != MemoryScope::TileBlock
    }

    /// Whether what stands after it happens after what other blocks did before they released
    /// what it saw.
    pub fn acquires(&self) -> bool {
        let ordering = matches!(
            self.ordering,
            MemoryOrdering::Acquire | MemoryOrdering::AcqRel
        );
        ordering && self.scope != MemoryScope::TileBlock
    }
}

/// Memory of the block that is not shared memory: a variable with room for as many blocks as run
/// at once. A block takes a part of it when it starts, and gives it back at its end.
#[derive(Clone, Debug)]
pub struct Arena {
    /// What a block has of it.
    pub bytes: u64,
    /// A power of two that divides the address of that, and its size.
    pub align_bytes: u32,
    /// How many blocks may have a part.
    pub parts: u32,
    /// Where the threads of the block learn which part it is: four bytes of shared memory.
    pub number: BufferId,
}

/// A variable of the module.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds at first.
    pub data: Arc<DenseElements>,
    /// How many elements that is.
    pub elements: u64,
    /// Its alignment, a power of two.
    pub align_bytes: u32,
    /// Whether nothing stores to it.
    pub is_constant: bool,
    /// Whether the host can find it by its name.
    pub is_public: bool,
}

/// How the accesses of a kernel are ordered, and which of them may meet.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The order of tokens.
    pub tokens: TokenOrder,
    /// The number, in that order, of the operation that an access belongs to.
    pub numbers: FxHashMap<super::OpId, u32>,
    /// Parameters that may overlap with others, and what may be reached by an integer.
    pub provenance: crate::analysis::provenance::Provenance,
    /// `alloca`s in loops: each iteration has memory of its own, in the same place.
    pub reused: Vec<usize>,
}

impl Order {
    /// Whether `after` may have to come after `before`.
    pub fn precedes(&self, before: super::OpId, after: super::OpId) -> bool {
        match (self.numbers.get(&before), self.numbers.get(&after)) {
            (Some(&before), Some(&after)) => self.tokens.precedes(before, after),
            _ => true,
        }
    }
}

/// The operands of an access.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'o> {
    /// Where the elements are.
    pub addresses: ValueId,
    /// What is stored, compared or combined.
    pub values: &'o [ValueId],
    /// Which elements are accessed.
    pub mask: Option<ValueId>,
    /// What the others are.
    pub padding: Option<ValueId>,
}

impl AddressedTile {
    /// The registers of a tile in `layout` that one instruction accesses.
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

    /// Takes the operands of an access apart.
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
