//! Failures of the host: a missing tool, a tool that refused its input, LLVM, a dead worker.
//!
//! Errors in the user's kernel are not among them: those are `Diagnostics`. Each error reads as one
//! lower-case sentence, and [`BackendError::help`] tells how to resolve it, where that is known.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use tile_core::Loc;

use crate::isolate::WorkerFailure;
use crate::llvm::library::version::{MAJOR, RUSTC_WITH_LLVM, Rejected};
use crate::target::{Arch, UnknownArch};
use crate::tool::Tool;

/// The reason why the back end could not finish, where the kernel is not at fault.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackendError {
    /// A name is not that of an architecture.
    #[error(transparent)]
    UnknownArch(#[from] UnknownArch),
    /// A program or file of the CUDA tools was not found.
    #[error("`{tool}` is missing")]
    ToolMissing {
        /// The missing tool.
        tool: Tool,
        /// The paths that were searched, in order.
        looked_in: Vec<PathBuf>,
    },
    /// No LLVM of the right version was found.
    #[error("LLVM {MAJOR} is missing{}", listed(tried))]
    LlvmMissing {
        /// The places that were tried, in order, with the reasons against them.
        tried: Vec<Rejected>,
        /// `true` if `TILE_LLVM` names the only place.
        is_named: bool,
    },
    /// An artifact that a crate ships is not what this compiler generates.
    #[error("the artifact `{}` {}", file.display(), if *is_there { "differs from what this compiler generates" } else { "is missing" })]
    ArtifactStale {
        /// The file.
        file: PathBuf,
        /// `false` if there is no such file, or a damaged one.
        is_there: bool,
    },
    /// A tool ran and reported failure.
    #[error("`{tool}` failed ({status}): {message}")]
    ToolFailed {
        /// The tool that failed.
        tool: Tool,
        /// Its exit status in words.
        status: String,
        /// Its output.
        message: String,
    },
    /// A tool could not be started, or its files could not be written or read.
    #[error("cannot {what}: {source}")]
    Io {
        /// The attempted action: "run `ptxas`".
        what: String,
        /// The underlying error.
        source: io::Error,
    },
    /// LLVM reported an error.
    #[error("LLVM failed to {what}: {message}")]
    Llvm {
        /// The attempted action: "verify the module".
        what: &'static str,
        /// LLVM's error message.
        message: String,
    },
    /// The kernel needs something that the architecture, or this compiler, has no instructions for.
    #[error("{what} is not supported for `{arch}`")]
    Unsupported {
        /// The unsupported operation: "`addf rounding<zero>` of `f16`".
        what: String,
        /// The target architecture.
        arch: Arch,
        /// The location in the kernel.
        loc: Loc,
    },
    /// A module calls a function that nothing defines.
    #[error("the module calls `{name}`, which is neither an LLVM intrinsic nor in `llvm::math`")]
    UndefinedFunction {
        /// The name of the function.
        name: String,
    },
    /// PTX text lacks something that every PTX file has.
    #[error("malformed PTX: {what}")]
    MalformedPtx {
        /// The missing or malformed part.
        what: String,
    },
    /// The worker process died.
    #[error(transparent)]
    Worker(#[from] WorkerFailure),
}

/// Lists places that were tried.
fn listed(tried: &[Rejected]) -> String {
    let places: Vec<String> = tried.iter().map(ToString::to_string).collect();
    if places.is_empty() {
        String::new()
    } else {
        format!(": {}", places.join("; "))
    }
}

impl BackendError {
    pub(crate) fn io(what: impl Into<String>, source: io::Error) -> Self {
        Self::Io {
            what: what.into(),
            source,
        }
    }

    /// Returns an instruction for resolving the error.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownArch(error) => Some(error.help()),
            Self::ToolMissing { tool, .. } => Some(format!(
                "run `cargo xtask setup`, or set `{}`",
                tool.variable()
            )),
            Self::LlvmMissing { is_named: true, .. } => Some(format!(
                "set `TILE_LLVM` to the file or the folder of a shared library of LLVM {MAJOR}, or unset it"
            )),
            Self::LlvmMissing { .. } => Some(llvm_help()),
            Self::ArtifactStale { .. } => Some(
                "build the crate once with `TILE_ARTIFACTS=write`, and commit the folder `tile-artifacts`".to_owned(),
            ),
            Self::Worker(failure) => failure.help(),
            Self::ToolFailed { .. }
            | Self::Io { .. }
            | Self::Llvm { .. }
            | Self::Unsupported { .. }
            | Self::UndefinedFunction { .. }
            | Self::MalformedPtx { .. } => None,
        }
    }
}

/// Says how to get LLVM.
pub(crate) fn llvm_help() -> String {
    format!(
        "use an official toolchain of Rust {RUSTC_WITH_LLVM}, which has LLVM {MAJOR}; or install it (Debian and Ubuntu: \
         `libllvm22`, Fedora: `llvm-libs`, Arch: `llvm-libs`), or set `TILE_LLVM` to its library"
    )
}
