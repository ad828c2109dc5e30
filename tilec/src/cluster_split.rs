//! The option `--cluster-split`.

use clap::ValueEnum;
use tile_backend::resources::ClusterSplit;

/// The number of blocks per work tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClusterSplitOption {
    /// One block.
    #[default]
    Off,
    /// A cluster of as many blocks as the kernel requires, if its tiles are too large for one
    /// block.
    Auto,
}

impl ClusterSplitOption {
    /// Returns the option of the back end.
    pub(crate) fn to_backend(self) -> ClusterSplit {
        match self {
            Self::Off => ClusterSplit::Off,
            Self::Auto => ClusterSplit::Auto,
        }
    }
}
