//! Converts errors of the worker and of the host to diagnostics.

use crate::cache::Blobs;
use crate::error::BackendError;
use crate::target::Arch;
use nanoserde::{DeJson, SerJson};
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::{Loc, Reported};

/// An error of the worker, as sent through the pipe.
#[derive(Debug, SerJson, DeJson)]
#[expect(unreachable_pub, reason = "the derive macros know no other visibility")]
pub struct WorkerError {
    message: String,
    help: Option<String>,
    unsupported: Option<Unsupported>,
    /// The last output of a worker that died; `None` if none did.
    last_words: Option<String>,
}

/// A feature that an architecture lacks, and the location in the kernel that needs it.
#[derive(Debug, SerJson, DeJson)]
struct Unsupported {
    arch: Arch,
    /// The name of the file; `None` for an unknown location.
    file: Option<String>,
    line: u32,
    column: u32,
    tag: u32,
}

impl Unsupported {
    fn new(arch: Arch, loc: Loc) -> Self {
        Self {
            arch,
            file: loc.file_name().map(str::to_owned),
            line: loc.line(),
            column: loc.column(),
            tag: loc.tag(),
        }
    }

    fn loc(&self) -> Loc {
        let file = self.file.as_deref();
        let loc = file.map_or(Loc::UNKNOWN, |file| Loc::file(file, self.line, self.column));
        loc.with_tag(self.tag)
    }
}

impl From<&BackendError> for WorkerError {
    fn from(error: &BackendError) -> Self {
        let unsupported = match error {
            BackendError::Unsupported { what: _, arch, loc } => Some(Unsupported::new(*arch, *loc)),
            _ => None,
        };
        Self {
            message: error.to_string(),
            help: error.help(),
            unsupported,
            last_words: match error {
                BackendError::Worker(failure) => Some(failure.stderr_tail.clone()),
                _ => None,
            },
        }
    }
}

impl From<BackendError> for WorkerError {
    fn from(error: BackendError) -> Self {
        Self::from(&error)
    }
}

impl WorkerError {
    /// The error if a worker's answer cannot be decoded.
    pub(super) fn damaged_answer(arch: Arch) -> Self {
        Self {
            message: format!("internal error: the answer of the worker for `{arch}` is damaged"),
            help: Some("report this kernel to the authors of `tile-kernel`".to_owned()),
            unsupported: None,
            last_words: None,
        }
    }

    pub(super) fn to_blobs(&self) -> Blobs {
        let mut blobs = Blobs::new();
        blobs.insert_json("error", self);
        blobs
    }

    /// Decodes an answer of the worker as an error, if it is one.
    pub(super) fn from_blobs(blobs: &Blobs) -> Option<Self> {
        blobs.get_json("error")
    }

    pub(super) fn report(self, kernel: Loc, diagnostics: &mut Diagnostics) -> Reported {
        let Self {
            message,
            help,
            unsupported,
            last_words,
        } = self;
        let mut diagnostic = match (unsupported, last_words) {
            (Some(lacking), _) => {
                Diagnostic::error(Code::UnsupportedByTarget, lacking.loc(), message)
                    .note(format!("the target is `{}`", lacking.arch))
                    .help("compute it in another element type or with the default rounding")
            }
            (None, Some(said)) => {
                let diagnostic = Diagnostic::error(Code::WorkerDied, kernel, message)
                    .note("the stages that use LLVM run in a process of their own");
                if said.is_empty() {
                    diagnostic
                } else {
                    diagnostic.note(format!("the last that it wrote: {said}"))
                }
            }
            (None, None) => Diagnostic::error(Code::ToolFailed, kernel, message),
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        diagnostics.error(diagnostic)
    }
}

pub(crate) fn host_failure(
    error: &BackendError,
    loc: Loc,
    diagnostics: &mut Diagnostics,
) -> Reported {
    WorkerError::from(error).report(loc, diagnostics)
}

/// Reports a bug of this compiler at the location where the build stops.
pub(super) fn internal(message: &str, loc: Loc, diagnostics: &mut Diagnostics) -> Reported {
    diagnostics.error(
        Diagnostic::error(Code::Internal, loc, format!("internal error: {message}"))
            .help("report this kernel to the authors of `tile-kernel`"),
    )
}

#[cfg(test)]
mod tests {
    use super::WorkerError;
    use crate::error::BackendError;
    use crate::isolate::{Death, WorkerFailure};
    use crate::target::Arch;
    use tile_core::Loc;
    use tile_core::diag::{Code, Diagnostics};

    #[test]
    fn what_the_target_cannot_do_is_reported_at_the_operation() {
        let loc = Loc::file("kernel.rs", 7, 13).with_tag(42);
        let error = BackendError::Unsupported {
            what: "`addf rounding<zero>` of `f16`".to_owned(),
            arch: Arch::SM_90A,
            loc,
        };
        let heard = WorkerError::from_blobs(&WorkerError::from(&error).to_blobs());
        let mut diagnostics = Diagnostics::new();
        let error = heard.expect("the answer is an error");
        let _ = error.report(Loc::UNKNOWN, &mut diagnostics);
        let reported = diagnostics.take().remove(0);
        assert_eq!(reported.code, Code::UnsupportedByTarget);
        assert_eq!(reported.primary.loc, loc);
        assert!(reported.notes[0].contains("sm_90a"), "{reported:?}");
    }

    #[test]
    fn the_death_of_a_worker_of_the_worker_is_reported_as_such() {
        let error = BackendError::Worker(WorkerFailure {
            stage: "llvm".to_owned(),
            how: Death::Signalled("SIGSEGV".to_owned()),
            stderr_tail: "LLVM ERROR: Cannot select".to_owned(),
        });
        let heard = WorkerError::from_blobs(&WorkerError::from(&error).to_blobs());
        let mut diagnostics = Diagnostics::new();
        let _ = heard
            .expect("the answer is an error")
            .report(Loc::UNKNOWN, &mut diagnostics);
        let reported = diagnostics.take().remove(0);
        assert_eq!(reported.code, Code::WorkerDied);
        assert_eq!(
            reported.message,
            "the compiler's worker was ended by SIGSEGV (stage: llvm)"
        );
        assert!(reported.notes[0].contains("a process of their own"));
        assert_eq!(
            reported.notes[1],
            "the last that it wrote: LLVM ERROR: Cannot select"
        );
    }

    #[test]
    fn a_failure_of_a_tool_is_reported_at_the_kernel() {
        let error = BackendError::UndefinedFunction {
            name: "f".to_owned(),
        };
        let heard = WorkerError::from_blobs(&WorkerError::from(&error).to_blobs());
        let kernel = Loc::file("kernel.rs", 3, 1);
        let mut diagnostics = Diagnostics::new();
        let _ = heard
            .expect("the answer is an error")
            .report(kernel, &mut diagnostics);
        let reported = diagnostics.take().remove(0);
        assert_eq!(
            (reported.code, reported.primary.loc),
            (Code::ToolFailed, kernel)
        );
    }
}
