//! For tests of this crate and of others: modules made at random, and when two
//! modules are the same.
//!
//! Behind the feature `testing`; nothing else depends on it.

mod equal;

pub use equal::{Facets, structure, structure_with};
