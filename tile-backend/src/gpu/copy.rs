//! Asynchronous copies from global to shared memory by every thread (`cp.async`).

use super::Roots;
use super::{Access, AddressedTile, BufferId, Caching, GlobalTile, LayoutId};
use crate::layout::{AddressParts, LinearLayout, Register, VectorPlan};
use tile_core::Scalar;

/// Minimum number of bytes of one `cp.async`.
const MIN_COPY_BYTES: u64 = 4;

/// An asynchronous copy; see [`super::OpKind::CopyAsync`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsyncCopy {
    /// The source.
    pub from: Copied,
    /// The destination: a circular buffer with room for the tile in every stage.
    pub buffer: BufferId,
    /// Maps threads to the elements that they copy.
    pub layout: LayoutId,
    /// `true` if the copy is for a later iteration than the one that issues it. Other stages of the buffer
    /// are then read at the same time.
    pub is_prefetch: bool,
}

/// A tile of global memory; elements that do not exist are copied as zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The operands are `base, then per tile axis: tile index, extent, stride`. The padding is zero or
    /// unspecified.
    Tile(GlobalTile),
    /// The operands are `addresses, mask?`. There is no padding.
    Addressed(AddressedTile),
}

impl Copied {
    /// Returns the element type in memory.
    pub fn element(&self) -> Scalar {
        match self {
            Self::Tile(tile) => tile.element,
            Self::Addressed(tile) => tile.element,
        }
    }

    /// Returns the objects that the addresses may point to.
    pub fn roots(&self) -> &Roots {
        match self {
            Self::Tile(tile) => &tile.roots,
            Self::Addressed(tile) => &tile.roots,
        }
    }

    /// Returns `true` if the kernel may write to the source.
    pub fn may_change(&self) -> bool {
        match self {
            Self::Tile(tile) => tile.access == Access::Write,
            Self::Addressed(tile) => !tile.is_constant,
        }
    }

    /// Returns the cache hint.
    pub fn caching(&self) -> Caching {
        match self {
            Self::Tile(tile) => tile.caching,
            Self::Addressed(_) => Caching::Normal,
        }
    }

    /// Returns the maximum number of elements that one instruction copies.
    pub fn vector_elements(&self) -> u64 {
        match self {
            Self::Tile(tile) => tile.vector_elements,
            Self::Addressed(tile) => tile.vector.map_or(1, |vector| vector.elements),
        }
    }

    /// Returns the number of operands that give the addresses and the mask.
    pub fn num_operands(&self) -> usize {
        match self {
            Self::Tile(tile) => 1 + 3 * tile.axes.len(),
            Self::Addressed(tile) => 1 + usize::from(tile.is_masked),
        }
    }

    /// Groups the elements of the tile in `layout` by the instruction that copies them.
    pub fn vectors(&self, layout: &LinearLayout) -> VectorPlan {
        match self {
            Self::Tile(tile) => tile.vectors(layout),
            Self::Addressed(tile) => tile.vectors(layout),
        }
    }

    fn limit_vectors(&mut self, elements: u64) {
        match self {
            Self::Tile(tile) => tile.vector_elements = elements,
            Self::Addressed(tile) => {
                if let Some(vector) = &mut tile.vector {
                    vector.elements = elements;
                }
            }
        }
    }

    /// Returns the source with its vectors limited to those that `cp.async` can copy to `memory`: 4, 8 or 16
    /// bytes that are neighbours in global and in shared memory. `layout` maps threads to the elements that
    /// they copy. Returns `None` if even the narrowest copy is impossible.
    pub fn for_copy(&self, layout: &LinearLayout, memory: &LinearLayout) -> Option<Self> {
        let parts = AddressParts::offset(layout, memory)?;
        let element = self.element();
        let bytes = element.bytes() as u64;
        let mut copied = self.clone();
        loop {
            let plan = copied.vectors(layout);
            let width = plan.width_elements;
            if width * bytes < MIN_COPY_BYTES || element.bits() < 8 {
                return None;
            }
            let together = plan.groups.iter().all(|group| {
                let offset = |register: &Register| parts.constants[register.index()];
                let first = offset(&group.registers[0]);
                let neighbours = (first..).zip(&group.registers);
                first % width == 0 && { neighbours }
                    .all(|(expected, register)| offset(register) == expected)
            });
            if together && parts.runtime_mask() & (width - 1) == 0 {
                return Some(copied);
            }
            copied.limit_vectors(width / 2);
        }
    }
}
