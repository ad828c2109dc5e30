//! Accesses to memory with addresses, and which pairs of them a barrier must separate.
//!
//! This is the verifier's own model. It shares facts of the IR with the pass that places barriers (effects and
//! traits of operations, the order of tokens, aliasing, thread-private buffers), but not the decision which
//! accesses conflict: an access is an operation, and what it touches is read from the operation when a second
//! one meets it.
//!
//! A pair needs no barrier if tokens do not order it, if both only read, if they cannot alias, or if the same
//! thread makes both accesses to each element: the two operations name the same elements in the same layout,
//! which has no copies that only one of the threads stores.

use super::super::super::{
    AddressedTile, Effect, GlobalTile, Kernel, LayoutId, MemoryKind, Op, OpId, OpKind, Root, Roots,
    Touch, ValueId,
};
use crate::layout::InDim;
use rustc_hash::FxHashSet;

/// An access that no barrier has followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryAccess {
    pub(super) op: OpId,
    /// `true` if the operation would name other elements now than those that it accessed.
    is_stale: bool,
}

/// Returns the access of an operation to memory with addresses, if it makes one.
pub(super) fn memory_access(kernel: &Kernel, op: OpId) -> Option<MemoryAccess> {
    let is_access = touch(kernel.op(op)).is_some();
    is_access.then_some(MemoryAccess {
        op,
        is_stale: false,
    })
}

impl MemoryAccess {
    /// Returns the access as the next iteration sees it, which computes the values in `inside` anew.
    pub(super) fn before(self, kernel: &Kernel, inside: &FxHashSet<ValueId>) -> Self {
        let changes = |values: &[ValueId]| values.iter().any(|value| inside.contains(value));
        let is_stale = match elements(kernel.op(self.op)) {
            // A view whose base, extents and strides stay the same consists of tiles that are equal or
            // disjoint, unless they overlap.
            Some(Elements::Tile { tile, place, .. }) => {
                let (base, axes) = place.split_at(1);
                let overlap = tile.axes.iter().any(|axis| axis.step < axis.size);
                let is_other_view = axes.chunks(3).any(|axis| changes(&axis[1..]));
                changes(base) || is_other_view || overlap && changes(axes)
            }
            Some(Elements::Addressed {
                addresses, mask, ..
            }) => changes(&[addresses]) || mask.is_some_and(|mask| changes(&[mask])),
            None => false,
        };
        Self {
            is_stale: self.is_stale || is_stale,
            ..self
        }
    }

    /// Returns `true` if a barrier must separate the access from `later`.
    pub(super) fn conflicts(self, later: Self, kernel: &Kernel) -> bool {
        let (first, second) = (kernel.op(self.op), kernel.op(later.op));
        if is_by_first_thread(kernel, first) && is_by_first_thread(kernel, second) {
            return false;
        }
        let is_ordered = kernel.order.precedes(self.op, later.op);
        let synchronizes = addressed(first).is_some_and(AddressedTile::acquires)
            || addressed(second).is_some_and(AddressedTile::releases);
        if is_ordered && synchronizes {
            return true;
        }
        if touch(first) == Some(Touch::Read) && touch(second) == Some(Touch::Read) {
            return false;
        }
        let (Some(to), Some(also_to)) = (roots(&first.kind), roots(&second.kind)) else {
            // An access to unknown objects may meet any other.
            return is_ordered;
        };
        let is_reused = |root: &Root| match root {
            Root::Local(number) => kernel.order.reused.contains(number),
            Root::Param(_) | Root::Variable(_) | Root::Anywhere => false,
        };
        let has_reused = to.intersection(also_to).any(is_reused);
        (is_ordered || has_reused)
            && kernel.order.aliasing.may_alias(to, also_to)
            && (self.is_stale || !is_by_same_threads(kernel, first, second))
    }
}

fn touch(op: &Op) -> Option<Touch> {
    op.kind.effects().iter().find_map(|effect| match effect {
        Effect::Memory(touch) => Some(*touch),
        Effect::Shared(..) | Effect::Mbarriers(..) | Effect::Order => None,
    })
}

/// Returns the objects that an operation accesses.
fn roots(kind: &OpKind) -> Option<&Roots> {
    match kind {
        OpKind::LoadGlobal(tile) | OpKind::StoreGlobal(tile) => Some(&tile.roots),
        OpKind::TmaStore(store) => Some(&store.tile.roots),
        OpKind::CopyAsync(copy) => Some(copy.from.roots()),
        OpKind::Memory(
            MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _),
        ) => Some(&tile.roots),
        _ => None,
    }
}

fn addressed(op: &Op) -> Option<&AddressedTile> {
    match &op.kind {
        OpKind::Memory(
            MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _),
        ) => Some(tile),
        _ => None,
    }
}

/// The elements that the threads themselves access.
#[derive(PartialEq)]
enum Elements<'k> {
    Tile {
        tile: &'k GlobalTile,
        /// Base, and index, extent and stride of each axis.
        place: &'k [ValueId],
        value: ValueId,
    },
    Addressed {
        addresses: ValueId,
        mask: Option<ValueId>,
        bytes: usize,
    },
}

impl Elements<'_> {
    /// Returns the value whose layout says which thread accesses an element.
    fn distributed(&self) -> ValueId {
        match self {
            Self::Tile { value, .. } => *value,
            Self::Addressed { addresses, .. } => *addresses,
        }
    }

    fn are_same(&self, other: &Self, kernel: &Kernel) -> bool {
        let layout = |elements: &Self| kernel.ty(elements.distributed()).layout();
        let is_same_place = match (self, other) {
            (
                Self::Tile { tile: a, place, .. },
                Self::Tile {
                    tile: b, place: c, ..
                },
            ) => a == b && place == c,
            (Self::Addressed { .. }, Self::Addressed { .. }) => self == other,
            (Self::Tile { .. }, Self::Addressed { .. })
            | (Self::Addressed { .. }, Self::Tile { .. }) => false,
        };
        is_same_place && layout(self) == layout(other)
    }
}

/// Returns the elements of an access; `None` if they are unknown, or if a copy engine makes the access.
fn elements(op: &Op) -> Option<Elements<'_>> {
    match &op.kind {
        OpKind::LoadGlobal(tile) => Some(Elements::Tile {
            tile,
            place: &op.args,
            value: op.results[0],
        }),
        OpKind::StoreGlobal(tile) => Some(Elements::Tile {
            tile,
            place: &op.args[1..],
            value: op.args[0],
        }),
        OpKind::Memory(MemoryKind::Load(tile) | MemoryKind::Store(tile)) => {
            let operands = tile.operands(&op.args);
            Some(Elements::Addressed {
                addresses: operands.addresses,
                mask: operands.mask,
                bytes: tile.element.bytes(),
            })
        }
        // Several elements of an atomic may have the same address.
        _ => None,
    }
}

/// Returns `true` if the first thread of the block makes the access for all: the address is uniform, and the
/// access is an update or a load whose result only one thread gets.
fn is_by_first_thread(kernel: &Kernel, op: &Op) -> bool {
    addressed(op).is_some_and(|tile| {
        let addresses = tile.operands(&op.args).addresses;
        let is_by_one = touch(op) == Some(Touch::Write) || tile.by_owners;
        kernel.ty(addresses).layout().is_none() && is_by_one
    })
}

/// Returns `true` if every element that both operations access is accessed by the same threads.
fn is_by_same_threads(kernel: &Kernel, first: &Op, second: &Op) -> bool {
    let (Some(a), Some(b)) = (elements(first), elements(second)) else {
        return false;
    };
    let layout = kernel.ty(a.distributed()).layout();
    // All threads that hold copies load, and one of them stores.
    let is_one_of_many = has_copies(kernel, layout) && touch(first) != touch(second);
    let is_first_alike = is_by_first_thread(kernel, first) == is_by_first_thread(kernel, second);
    a.are_same(&b, kernel) && is_first_alike && !is_one_of_many
}

/// Returns `true` if several threads hold an element. All hold a uniform value.
fn has_copies(kernel: &Kernel, layout: Option<LayoutId>) -> bool {
    layout.is_none_or(|layout| {
        let layout = kernel.layout(layout);
        layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0
    })
}
