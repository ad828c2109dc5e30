//! Scans: prefix combinations along an axis.

use crate::layout::ScanPlan;

/// One step of a scan; see [`super::OpKind::ScanWarp`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanStep {
    /// The plan of the scan, read off the layout.
    pub plan: ScanPlan,
    /// `true` if the scan starts at the end of the axis.
    pub reverse: bool,
}
