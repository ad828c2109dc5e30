//! What caches do with a tile that is loaded.
//!
//! ```text
//!   Normal    ld.global.nc                     stays until there is no room
//!   Past      ld.global.nc.L1::no_allocate     read once: is nowhere in the first cache
//!   First     … .L2::cache_hint, evict_first   read once, beside something that is read again
//!   Last      … .L2::cache_hint, evict_last    read by every block, beside something far larger
//! ```
//!
//! It is advice: what is loaded is the same. Copies to shared memory go past the first cache anyway, and know the
//! second alone. [`crate::passes::caching`] decides.

use super::GlobalTile;
use crate::layout::{InDim, LinearLayout, Location};
use std::collections::BTreeSet;

/// What memory moves at once.
pub(crate) const SECTOR_BYTES: u64 = 32;

/// How long caches keep what is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Caching {
    /// As long as there is room.
    #[default]
    Normal,
    /// Not in the first cache.
    NoAllocate,
    /// Nor in the second once something else needs the room.
    EvictFirst,
    /// In the second, longer than anything else.
    EvictLast,
}

impl Caching {
    /// What the second cache is told, by the name of its policy.
    pub fn policy(self) -> Option<&'static str> {
        match self {
            Self::Normal | Self::NoAllocate => None,
            Self::EvictFirst => Some("evict_first"),
            Self::EvictLast => Some("evict_last"),
        }
    }

    /// As it stands behind an operation.
    pub(super) fn to_text(self) -> &'static str {
        match self {
            Self::Normal => "",
            Self::NoAllocate => " no_allocate",
            Self::EvictFirst => " evict_first",
            Self::EvictLast => " evict_last",
        }
    }
}

/// Bytes of an access by a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarpAccess {
    /// Those of the sectors that it touches.
    pub(crate) moved: u64,
    /// Those that it wants.
    pub(crate) useful: u64,
}

impl GlobalTile {
    /// The first access of a warp to the tile in `layout`; `None` if nothing is known to be contiguous.
    pub(crate) fn first_access(&self, layout: &LinearLayout) -> Option<WarpAccess> {
        let contiguous = self.contiguous?;
        debug_assert!(layout.size(InDim::Lane) <= 32);
        let bytes = self.element.bytes() as u64;
        let mut sectors = BTreeSet::new();
        let mut elements = BTreeSet::new();
        let plan = self.vectors(layout);
        for lane in 0..32 {
            for &register in &plan.groups[0].registers {
                let coordinates = layout.apply(Location::thread(register, lane, 0)).to_vec();
                let mut sector = coordinates.clone();
                sector[contiguous.0] = coordinates[contiguous.0] * bytes / SECTOR_BYTES;
                sectors.insert(sector);
                elements.insert(coordinates);
            }
        }
        Some(WarpAccess {
            moved: sectors.len() as u64 * SECTOR_BYTES,
            useful: elements.len() as u64 * bytes,
        })
    }
}
