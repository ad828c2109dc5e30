//! Helpers that the tests of this crate share.

use std::io::Write as _;

use crate::error::BackendError;
use crate::ptx::Ptx;
use crate::target::Arch;

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
