//! How many blocks a launch starts for one position of the grid.

use clap::ValueEnum;
use tile_backend::resources::HostParts;

/// Blocks of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Parts {
    /// One.
    #[default]
    One,
    /// As many as the kernel says, a cluster: they share its tiles, if these are too large for one.
    OfKernel,
}

impl Parts {
    /// What the compiler is told.
    pub(crate) fn wished(self) -> HostParts {
        match self {
            Self::One => HostParts::One,
            Self::OfKernel => HostParts::OfKernel,
        }
    }
}
