//! The text of errors about views with common elements.

use crate::overlap::BUDGET;

/// The knowledge about the elements that two views have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overlap {
    /// They have an element in common.
    Proven,
    /// Their strides are such that this takes too long to decide.
    Undecided,
}

pub(super) fn common(overlap: Overlap) -> String {
    match overlap {
        Overlap::Proven => "with elements in common".to_owned(),
        Overlap::Undecided => {
            format!(
                "whose strides do not show within {BUDGET} steps that they have no element in common"
            )
        }
    }
}

/// Says what to pass in place of two views with common elements.
pub(super) fn apart(overlap: Overlap, other_is_written: bool) -> &'static str {
    match (overlap, other_is_written) {
        (Overlap::Proven, false) => "pass a copy of the one that is read, from `copy()`",
        (Overlap::Proven, true) => {
            "divide the tensor with `split_at_mut`, `chunks_mut` or `axis_iter_mut`, or write to a new tensor and copy it"
        }
        (Overlap::Undecided, false) => {
            "pass a copy of the one that is read, from `copy()`, or views with the same strides"
        }
        (Overlap::Undecided, true) => {
            "pass views with the same strides, as `split_at_mut` makes them, or write to a new tensor and copy it"
        }
    }
}
