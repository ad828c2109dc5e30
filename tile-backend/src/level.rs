//! How a kernel is compiled, beyond for what: how hard, and what is said of its source.

/// How hard LLVM and ptxas try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// Not at all: for looking at code, and for debuggers.
    O0,
    /// A little.
    O1,
    /// Enough for most code.
    O2,
    /// As hard as they can.
    #[default]
    O3,
}

impl OptLevel {
    /// Every level, by its number.
    pub const ALL: [Self; 4] = [Self::O0, Self::O1, Self::O2, Self::O3];

    /// The number.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// What is said about sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DebugInfo {
    /// Nothing.
    #[default]
    None,
    /// The line of each instruction, of optimized code.
    Lines,
    /// What a debugger needs; ptxas does not optimize then.
    Full,
}

/// Both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Level {
    /// How hard.
    pub opt: OptLevel,
    /// What is said.
    pub debug: DebugInfo,
}

impl From<OptLevel> for Level {
    fn from(opt: OptLevel) -> Self {
        Self {
            opt,
            debug: DebugInfo::None,
        }
    }
}
