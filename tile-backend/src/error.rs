//! Failures of the host: a missing tool, a tool that refused its input, LLVM, a dead worker.
//!
//! Errors in the user's kernel are not among them: those are `Diagnostics`. Each error reads as one
//! lower-case sentence, and [`BackendError::help`] tells how to resolve it, where that is known.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

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
    #[error("`{tool}` is missing{}", named(*tool, looked_in.first().filter(|_| *is_named)))]
    ToolMissing {
        /// The missing tool.
        tool: Tool,
        /// The paths that were searched, in order.
        looked_in: Vec<PathBuf>,
        /// `true` if the variable of the tool names the only path.
        is_named: bool,
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
    #[error("the artifact `{}` {reason}", file.display())]
    ArtifactStale {
        /// The file.
        file: PathBuf,
        /// The reason, as the rest of a sentence about it: "is missing".
        reason: String,
    },
    /// An artifact that a crate ships could not be written.
    #[error("cannot write the artifact `{}`: {source}", file.display())]
    ArtifactUnwritable {
        /// The file.
        file: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A tool could not be started.
    #[error("`{}` cannot be run: {source}", program.display())]
    ToolNotStarted {
        /// The tool.
        tool: Tool,
        /// Its file.
        program: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
    /// A tool ran and reported failure.
    #[error("`{tool}` failed ({status}){}", after_colon(message))]
    ToolFailed {
        /// The tool that failed.
        tool: Tool,
        /// Its file.
        program: PathBuf,
        /// Its exit status.
        status: ExitStatus,
        /// Its output, shortened.
        message: String,
    },
    /// A tool reported success, but its output is not what the tool makes.
    #[error("`{tool}` reports success, but wrote {what}")]
    ToolOutput {
        /// The tool.
        tool: Tool,
        /// Its file.
        program: PathBuf,
        /// The fault of the output: "no cubin".
        what: String,
    },
    /// A temporary file could not be made, written or read.
    #[error("cannot {what}: {source}")]
    Temporary {
        /// The attempted action: "write the PTX for `ptxas`".
        what: &'static str,
        /// The underlying error.
        source: io::Error,
    },
    /// A file could not be found or read.
    #[error("cannot {what}: {source}")]
    Io {
        /// The attempted action: "find `ptxas`".
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
    /// Native code could not be linked, or the result not opened.
    #[error("native code cannot be linked: {reason}")]
    NotLinked {
        /// The reason.
        reason: String,
    },
    /// The worker process died.
    #[error(transparent)]
    Worker(#[from] WorkerFailure),
}

/// Says which variable names a tool in vain.
fn named(tool: Tool, file: Option<&PathBuf>) -> String {
    file.map_or_else(String::new, |file| {
        let (variable, file) = (tool.variable(), file.display());
        format!(": `{variable}` names `{file}`, which is no file")
    })
}

/// Returns the text behind a colon, or nothing if there is none.
fn after_colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}

/// Lists places that were tried.
fn listed(tried: &[Rejected]) -> String {
    let places: Vec<String> = tried.iter().map(ToString::to_string).collect();
    after_colon(&places.join("; "))
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
            Self::UnknownArch(_) => Some(UnknownArch::help()),
            Self::ToolMissing {
                tool,
                is_named: true,
                ..
            } => Some(format!(
                "set `{}` to the file of `{tool}`, or unset it",
                tool.variable()
            )),
            Self::ToolMissing { tool, .. } => Some(format!(
                "run `cargo xtask setup`, or set `{}`",
                tool.variable()
            )),
            Self::ToolNotStarted { tool, .. } => Some(format!(
                "it must be a program for this machine that may be executed; {}",
                another(*tool)
            )),
            Self::ToolOutput { tool, program, .. } => Some(format!(
                "`{}` is not NVIDIA's `{tool}`, or is damaged; {}",
                program.display(),
                another(*tool)
            )),
            Self::ToolFailed {
                tool,
                program,
                status,
                message,
            } => Some(tool_help(*tool, program, *status, message)),
            Self::LlvmMissing { is_named: true, .. } => Some(format!(
                "set `TILE_LLVM` to the file or the folder of a shared library of LLVM {MAJOR}, or unset it"
            )),
            Self::LlvmMissing { .. } => Some(llvm_help()),
            Self::ArtifactStale { .. } => Some(
                "build the crate once with `TILE_ARTIFACTS=write`, and commit the folder `tile-artifacts`".to_owned(),
            ),
            Self::ArtifactUnwritable { .. } => Some(
                "`TILE_ARTIFACTS=write` writes into the folder of the crate: make it writable, or unset the variable"
                    .to_owned(),
            ),
            Self::NotLinked { .. } => Some(
                "`cc` must be a C compiler with a linker for this machine: install one, or leave out `--cpu=native`".to_owned(),
            ),
            Self::Temporary { .. } => Some(temporary_help()),
            Self::Worker(failure) => failure.help(),
            Self::Io { .. }
            | Self::Llvm { .. }
            | Self::Unsupported { .. }
            | Self::UndefinedFunction { .. }
            | Self::MalformedPtx { .. } => None,
        }
    }
}

/// Says how to use another file for a tool.
pub(crate) fn another(tool: Tool) -> String {
    format!(
        "run `cargo xtask setup`, and unset `{variable}` or set it to another `{tool}`",
        variable = tool.variable()
    )
}

/// Parts of the messages of `ptxas` about PTX and GPUs that it is too old for.
const TOO_OLD: [&str; 2] = [
    "is not defined for option 'gpu-name'",
    "Unsupported .version",
];

/// Says what to do about a tool that failed.
fn tool_help(tool: Tool, program: &Path, status: ExitStatus, message: &str) -> String {
    let file = program.display();
    if TOO_OLD.iter().any(|complaint| message.contains(complaint)) {
        return format!(
            "`{file}` is too old for this GPU: {} of CUDA 12.9 or newer",
            another(tool)
        );
    }
    if is_killed(status) {
        return OUT_OF_MEMORY.to_owned();
    }
    let dump = match tool {
        Tool::Ptxas => "set `TILE_DUMP=ptx` to see what it was given, and report it as a bug",
        Tool::Fatbinary => "report it as a bug",
    };
    format!(
        "if `{file}` is NVIDIA's `{tool}`, {dump}; otherwise {}",
        another(tool)
    )
}

/// The help for a process that was killed, as Linux does if memory runs out.
pub(crate) const OUT_OF_MEMORY: &str = "the system kills processes when memory runs out: build with fewer processes (`cargo build -j1`), or use smaller \
     tiles";

#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(nix::libc::SIGKILL)
}

#[cfg(not(unix))]
fn is_killed(_status: ExitStatus) -> bool {
    false
}

/// Says where temporary files are, and what is asked of the folder.
pub(crate) fn temporary_help() -> String {
    format!(
        "temporary files are in `{}`: the folder must exist, be writable, and have room; or set `TMPDIR` to another one",
        std::env::temp_dir().display()
    )
}

/// Says how to get LLVM.
pub(crate) fn llvm_help() -> String {
    format!(
        "use an official toolchain of Rust {RUSTC_WITH_LLVM}, which has LLVM {MAJOR}; or install it (Debian and Ubuntu: \
         `libllvm22`, Fedora: `llvm-libs`, Arch: `llvm-libs`), or set `TILE_LLVM` to its library"
    )
}
