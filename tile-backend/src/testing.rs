//! Helpers that the tests of this crate share.

use std::io::Write as _;

use crate::error::BackendError;
use crate::gpu::Kernel;
use crate::lower::lower;
use crate::options::{HostMaps, KernelOptions, Persistence};
use crate::ptx::Ptx;
use crate::remarks::Remarks;
use crate::schedule::retry::Feedback;
use crate::stages::lower_for;
use crate::target::Arch;
use std::path::{Path, PathBuf};
use tile_core::canonicalize::canonicalize;
use tile_core::diag::Diagnostics;
use tile_core::{text, verify::verify};

/// Reports that a test cannot run because a tool is missing. With `TILE_REQUIRE_TOOLS=1`, as in CI, the test
/// fails instead.
pub(crate) fn skip(error: &BackendError) {
    let required = std::env::var("TILE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!required, "{error}");
    // The output of `eprintln!` would be hidden when the test passes.
    let help = error.help().unwrap_or_default();
    writeln!(std::io::stderr(), "skipped: {error}; {help}").expect("an open standard error");
}

/// Returns a kernel `k` with 64 bytes of shared memory `s`, one parameter and the given instructions.
pub(crate) fn ptx(arch: Arch, body: &str) -> Ptx {
    let version = arch.min_ptx();
    let text = format!(
        ".version {version}\n.target {arch}\n.address_size 64\n\
         .visible .entry k(.param .u64 p) .reqntid 128\n{{\n\
         .shared .align 4 .b8 s[64];\n.reg .b32 %r<2>;\n\
         mov.u32 %r1, %tid.x;\nst.volatile.shared.b32 [s], %r1;\n{body}\nret;\n}}\n"
    );
    Ptx::new(text).expect("a header")
}

/// A point between two passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before all passes.
    Lowered,
    /// After all passes.
    Complete,
}

/// Returns the files of `tests/run/files`, in order.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/files");
    let folders = std::fs::read_dir(root).expect("a folder of the repository");
    let mut files: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a readable folder").path())
        .filter(|path| path.is_dir())
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of files"))
        .map(|file| file.expect("a readable file").path())
        .collect();
    files.sort();
    files
}

/// Returns the kernels of a file; none if the file does not compile for this architecture.
pub(crate) fn lowered(path: &Path, arch: Arch, phase: Phase) -> Vec<Kernel> {
    let source = std::fs::read_to_string(path).expect("a file of the repository");
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "file.mlir", &mut diagnostics);
    let verified = module.and_then(|module| verify(module, &mut diagnostics));
    let options = KernelOptions {
        maps: HostMaps::Encoded,
        persistence: Persistence::Auto,
        ..KernelOptions::default()
    };
    let kernels = verified.and_then(|verified| {
        let canonical = canonicalize(verified);
        let module = canonical.module();
        match phase {
            Phase::Lowered => {
                let remarks = &mut Remarks::default();
                let feedback = Feedback::default();
                let lowered = lower(module, arch, options, feedback, remarks, &mut diagnostics);
                lowered.map(|lowered| lowered.into_iter().map(|(kernel, _)| kernel).collect())
            }
            Phase::Complete => lower_for(module, arch, options, &mut diagnostics),
        }
    });
    drop(diagnostics.take());
    kernels.unwrap_or_default()
}
