//! Options of a compilation.

use super::Dump;
use crate::environment::SLOW;
use crate::level::Level;
use crate::options::KernelOptions;
use crate::target::Arch;
use std::sync::Arc;
use std::time::Duration;

/// Targets and options of a compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The architectures to build cubins for, without duplicates. PTX of the lowest one is added for newer
    /// architectures.
    pub archs: Vec<Arch>,
    /// Requested warps, stages and registers.
    pub kernel_options: KernelOptions,
    /// `true` to collect remarks on the code.
    pub remarks: bool,
    /// CPU time that compiling for one architecture may take without a remark, usually [`SLOW`].
    pub slow: Duration,
    /// Optimization level and debug information.
    pub level: Level,
    /// The form of the machine code.
    pub output: Output,
    /// The sink for the text of one stage; if set, the cache is not read.
    pub dump: Option<Arc<Dump>>,
}

impl CompileOptions {
    /// Returns the default options for these architectures.
    pub fn new(archs: impl Into<Vec<Arch>>) -> Self {
        Self {
            archs: archs.into(),
            kernel_options: KernelOptions::default(),
            remarks: false,
            slow: SLOW,
            level: Level::default(),
            output: Output::Fatbin,
            dump: None,
        }
    }
}

/// The form of the machine code of an [`super::Artifact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// One fatbin, from the cache if it is there.
    Fatbin,
    /// PTX and cubins; the fatbin is empty, and the cache is not used.
    Cubins,
}
