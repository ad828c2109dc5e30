//! The LLVM that is wanted, where one may be, and the reasons against others.

use std::fmt;
use std::path::PathBuf;

/// The version of a library of LLVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// 22 in `22.1.8`.
    pub major: u32,
    /// 1 in `22.1.8`.
    pub minor: u32,
    /// 8 in `22.1.8`.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The major version of LLVM that the back end is written for.
pub(crate) const MAJOR: u32 = 22;

/// The releases of rustc whose official toolchains have LLVM 22.
pub(crate) const RUSTC_WITH_LLVM: &str = "1.95 to 1.98";

/// A place that was looked at in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The file, the folder, or the program.
    pub place: PathBuf,
    /// The reason, as the rest of a sentence about it: "is LLVM 21.1".
    pub reason: String,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.place.display(), self.reason)
    }
}

/// The place where LLVM was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `TILE_LLVM` names it.
    Variable,
    /// It is the LLVM of rustc.
    Rustc,
    /// A package of the system installed it.
    Installed,
    /// It was linked into this program.
    Linked,
}

impl Origin {
    /// Returns the origin as the end of a sentence: "of rustc".
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Variable => "of `TILE_LLVM`",
            Self::Rustc => "of rustc",
            Self::Installed => "of the system",
            Self::Linked => "linked into this program",
        }
    }
}
