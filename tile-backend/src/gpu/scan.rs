//! What prefixes along an axis are made of.

use crate::layout::ScanPlan;

/// A prefix along an axis; see [`super::OpKind::ScanWarp`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanStep {
    /// Who holds what.
    pub plan: ScanPlan,
    /// Whether it starts at the end of the axis.
    pub reverse: bool,
}
