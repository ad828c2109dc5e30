//! Memory pools.

use std::collections::BTreeMap;

/// A memory pool. Freed memory is not kept: the pool has no more than what is in use.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) device: usize,
    /// Is `true` for the default pool of a device, which cannot be destroyed.
    pub(crate) is_default: bool,
    /// The attributes that a program may set, by number.
    pub(crate) attributes: BTreeMap<u32, u64>,
    /// The access of other devices: `CUmemAccess_flags`.
    pub(crate) access: BTreeMap<usize, u32>,
    pub(crate) used: u64,
    pub(crate) high: u64,
    pub(crate) max: u64,
}
