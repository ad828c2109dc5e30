//! Types of the rewrites of one operation: folds and patterns.

use crate::ir::{DenseElements, OpId, ValueId};
use crate::rewrite::Rewriter;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The result of a fold.
#[derive(Debug)]
pub(super) enum Fold {
    /// The operation was changed in place.
    InPlace,
    /// The results are replaced by these existing values.
    Values(SmallVec<[ValueId; 1]>),
    /// The results are replaced by these constants.
    Constants(SmallVec<[Arc<DenseElements>; 1]>),
}

impl Fold {
    /// A fold of the single result to `value`.
    pub(super) fn value(value: ValueId) -> Self {
        Fold::Values(smallvec![value])
    }
}

/// The name and the result of a fold that fired.
pub(super) type Folded = Option<(&'static str, Fold)>;

/// A rewrite that may make operations: a name, and a function that returns `true` if it fired.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub(super) name: &'static str,
    pub(super) rewrite: fn(&mut Rewriter, OpId) -> bool,
}
