//! The objects in memory that addresses may point to.

use std::collections::BTreeSet;

/// An object in memory that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// The memory that the parameter at this index points to.
    Param(usize),
    /// The variable at this index among those of the module.
    Variable(usize),
    /// The memory of the `alloca` at this index among those of the entry.
    Local(usize),
    /// Memory at an address that comes from an integer.
    Anywhere,
}

/// The objects that a pointer may point to.
pub type Roots = BTreeSet<Root>;
