//! Copies from global to shared memory that go on while the thread does.

use super::{Access, AddressedTile, BufferId, Caching, GlobalTile, LayoutId};
use crate::analysis::provenance::Roots;
use crate::layout::{AddressParts, LinearLayout, Register, VectorPlan};
use tile_core::Scalar;

/// Bytes that one asynchronous copy moves at least.
const MIN_COPY_BYTES: u64 = 4;

/// An asynchronous copy; see [`super::OpKind::CopyAsync`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsyncCopy {
    /// What is copied.
    pub from: Copied,
    /// Where to: a ring, which has the tile's elements in every slot.
    pub buffer: BufferId,
    /// Which thread copies which elements.
    pub layout: LayoutId,
    /// Whether it is for a later iteration than the one that begins it. Other slots of the ring
    /// are then read at the same time.
    pub is_prefetch: bool,
}

/// A tile of global memory; what does not exist of it is copied as zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    /// `base, then per tile axis: tile index, extent, stride`: its padding is zero or nothing.
    Tile(GlobalTile),
    /// `addresses, mask?`: it is not padded.
    Addressed(AddressedTile),
}

impl Copied {
    /// What is stored.
    pub fn element(&self) -> Scalar {
        match self {
            Self::Tile(tile) => tile.element,
            Self::Addressed(tile) => tile.element,
        }
    }

    /// Where addresses may point.
    pub fn roots(&self) -> &Roots {
        match self {
            Self::Tile(tile) => &tile.roots,
            Self::Addressed(tile) => &tile.roots,
        }
    }

    /// Whether the kernel may write there.
    pub fn may_change(&self) -> bool {
        match self {
            Self::Tile(tile) => tile.access == Access::Write,
            Self::Addressed(tile) => !tile.is_constant,
        }
    }

    /// What caches do with it.
    pub fn caching(&self) -> Caching {
        match self {
            Self::Tile(tile) => tile.caching,
            Self::Addressed(_) => Caching::Normal,
        }
    }

    /// Elements that one instruction copies at most.
    pub fn vector_elements(&self) -> u64 {
        match self {
            Self::Tile(tile) => tile.vector_elements,
            Self::Addressed(tile) => tile.vector.map_or(1, |vector| vector.elements),
        }
    }

    /// How many operands say where it is.
    pub fn num_operands(&self) -> usize {
        match self {
            Self::Tile(tile) => 1 + 3 * tile.axes.len(),
            Self::Addressed(tile) => 1 + usize::from(tile.is_masked),
        }
    }

    /// What one instruction copies of the tile in `layout`.
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

    /// The tile with vectors that an asynchronous copy can move from registers' elements in `layout`
    /// to `memory`: 4, 8 or 16 bytes that are neighbours in both. `None` if there are none.
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
