//! Claims about the numbers of a launch, which it checks so that blocks store to different places.

use tile_core::reach::{Claim, Step};

/// A claim that stores to a tensor rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claimed {
    /// The number of the parameter that is stored to.
    pub(crate) param: usize,
    /// The line of the store.
    pub(crate) line: u32,
    /// What has to hold.
    pub(crate) claim: Claim,
    /// Of this.
    pub(crate) program: Vec<Step>,
}
