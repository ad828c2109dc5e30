//! Which blocks a launch starts.

use clap::ValueEnum;
use tile_backend::resources::HostBlocks;

/// Blocks of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Blocks {
    /// One for each position of the grid.
    #[default]
    Grid,
    /// As many as run at once, where that pays: each takes one position after the other. The host passes the
    /// extents of the grid behind the maps.
    AtOnce,
}

impl Blocks {
    /// What the compiler is told.
    pub(crate) fn wished(self) -> HostBlocks {
        match self {
            Self::Grid => HostBlocks::OfGrid,
            Self::AtOnce => HostBlocks::AtOnce,
        }
    }
}
