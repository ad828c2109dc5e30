//! The CUDA tools that the back end uses.

use std::fmt;

/// A part of the CUDA tools that the back end uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    /// The assembler from PTX to cubin.
    Ptxas,
    /// The bundler of cubins and PTX.
    Fatbinary,
}

impl Tool {
    /// Returns the environment variable that names the file of the tool.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Ptxas => "TILE_PTXAS",
            Self::Fatbinary => "TILE_FATBINARY",
        }
    }

    /// Returns the file name of the tool.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Ptxas => "ptxas",
            Self::Fatbinary => "fatbinary",
        }
    }

    /// Returns the path where `cargo xtask setup` puts the tool, relative to `tools/current/` of the cache
    /// root.
    pub(crate) const fn installed(self) -> &'static str {
        match self {
            Self::Ptxas => "bin/ptxas",
            Self::Fatbinary => "bin/fatbinary",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file_name())
    }
}
