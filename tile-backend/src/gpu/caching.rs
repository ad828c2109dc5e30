//! Cache hints of loads.
//!
//! ```text
//!   Normal        ld.global.nc                     stays until the cache needs the room
//!   NoAllocate    ld.global.nc.L1::no_allocate     read once: bypasses L1
//!   EvictFirst    … .L2::cache_hint, evict_first   read once, beside something that is read again
//!   EvictLast     … .L2::cache_hint, evict_last    read by every block, beside something far larger
//! ```
//!
//! A hint does not change what is loaded. Copies to shared memory bypass L1 in any case and use only the L2
//! policy. `passes::caching` chooses the hint of each load.

use super::GlobalTile;
use crate::layout::{InDim, LinearLayout, Location};
use std::collections::BTreeSet;

/// Granularity of memory transfers, in bytes.
pub(crate) const SECTOR_BYTES: u64 = 32;

/// The cache hint of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Caching {
    /// No hint: the data stays in the caches as long as there is room.
    #[default]
    Normal,
    /// Bypasses L1.
    NoAllocate,
    /// Bypasses L1 and is evicted from L2 first.
    EvictFirst,
    /// Is evicted from L2 last.
    EvictLast,
}

impl Caching {
    /// Returns the name of the L2 eviction policy.
    pub fn policy(self) -> Option<&'static str> {
        match self {
            Self::Normal | Self::NoAllocate => None,
            Self::EvictFirst => Some("evict_first"),
            Self::EvictLast => Some("evict_last"),
        }
    }
}

/// Byte counts of an access by a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarpAccess {
    /// Bytes of all sectors that the access touches.
    pub(crate) moved: u64,
    /// Bytes of the elements of the access.
    pub(crate) useful: u64,
}

impl GlobalTile {
    /// Returns the byte counts of a warp's first access to the tile in `layout`; `None` if no axis is known
    /// to be contiguous.
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
