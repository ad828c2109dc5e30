//! What a rewrite of one operation is.

use crate::ir::{DenseElements, OpId, ValueId};
use crate::rewrite::Rewriter;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// What a fold found.
#[derive(Debug)]
pub(super) enum Fold {
    /// The operation was changed where it stands.
    InPlace,
    /// The results are these values, which are there already.
    Values(SmallVec<[ValueId; 1]>),
    /// The results are these constants.
    Constants(SmallVec<[Arc<DenseElements>; 1]>),
}

impl Fold {
    /// The single result is `value`.
    pub(super) fn value(value: ValueId) -> Self {
        Fold::Values(smallvec![value])
    }
}

/// A fold that has fired: its name and what it found.
pub(super) type Folded = Option<(&'static str, Fold)>;

/// A rewrite that may make operations: a name, and a function that says whether it fired.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub(super) name: &'static str,
    pub(super) rewrite: fn(&mut Rewriter, OpId) -> bool,
}
