//! Which blocks a launch starts.

use clap::ValueEnum;
use tile_backend::resources::Persistence;

/// Blocks of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PersistenceOption {
    /// One for each position of the grid.
    #[default]
    Off,
    /// As many as run at once, where that pays: each takes one position after the other. The host passes the
    /// extents of the grid behind the maps.
    Auto,
}

impl PersistenceOption {
    /// What the compiler is told.
    pub(crate) fn to_backend(self) -> Persistence {
        match self {
            Self::Off => Persistence::Off,
            Self::Auto => Persistence::Auto,
        }
    }
}
