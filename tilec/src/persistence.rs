//! The option `--persistent`.

use clap::ValueEnum;
use tile_backend::resources::Persistence;

/// The number of blocks of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PersistenceOption {
    /// One block per work tile.
    #[default]
    Off,
    /// One wave of blocks, where that is faster: each processes several work tiles. The host passes
    /// the extents of the grid after the tensor maps.
    Auto,
}

impl PersistenceOption {
    /// Returns the option of the back end.
    pub(crate) fn to_backend(self) -> Persistence {
        match self {
            Self::Off => Persistence::Off,
            Self::Auto => Persistence::Auto,
        }
    }
}
