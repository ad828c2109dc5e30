//! The optimization level of a compilation, and its debug information.

/// The optimization level of LLVM and ptxas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// No optimization, for reading the generated code and for debuggers.
    O0,
    /// Little optimization.
    O1,
    /// Enough optimization for most code.
    O2,
    /// Full optimization.
    #[default]
    O3,
}

impl OptLevel {
    /// All levels, indexed by their number.
    pub const ALL: [Self; 4] = [Self::O0, Self::O1, Self::O2, Self::O3];

    /// Returns the number, from 0 to 3.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// The debug information that is emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DebugInfo {
    /// No debug information.
    #[default]
    None,
    /// The source line of each instruction, with optimization.
    Lines,
    /// Everything that a debugger needs. ptxas then does not optimize.
    Full,
}

/// Optimization level and debug information.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Level {
    /// The optimization level.
    pub opt: OptLevel,
    /// The debug information.
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
