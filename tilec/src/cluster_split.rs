//! How many blocks a launch starts for one position of the grid.

use clap::ValueEnum;
use tile_backend::resources::ClusterSplit;

/// Blocks of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClusterSplitOption {
    /// One.
    #[default]
    Off,
    /// As many as the kernel says, a cluster: they share its tiles, if these are too large for one.
    Auto,
}

impl ClusterSplitOption {
    /// What the compiler is told.
    pub(crate) fn to_backend(self) -> ClusterSplit {
        match self {
            Self::Off => ClusterSplit::Off,
            Self::Auto => ClusterSplit::Auto,
        }
    }
}
