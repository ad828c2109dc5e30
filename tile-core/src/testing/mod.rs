//! For tests of this crate and of others: modules made at random.
//!
//! Behind the feature `testing`; nothing else depends on it.
