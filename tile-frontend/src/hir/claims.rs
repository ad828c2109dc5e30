//! Claims about the numbers of a launch, which the launch checks to ensure that blocks store to
//! disjoint elements.

use tile_core::reach::{Claim, Step};

/// A claim that the stores to a tensor rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claimed {
    /// The index of the parameter that is stored to.
    pub(crate) param: usize,
    /// The line of the store.
    pub(crate) line: u32,
    /// The claim about the value of `program`.
    pub(crate) claim: Claim,
    /// The steps that compute the value.
    pub(crate) program: Vec<Step>,
}
