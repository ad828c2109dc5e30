//! Programs that must not compile, with what rustc says about them, and
//! programs that must.
//!
//! In: `fail/<code>_<what>.rs` with its `.stderr`, and `pass/*.rs`. A message is
//! right if its span is on the faulty token, a note states the rule, and a help
//! says what to write. `cargo xtask bless` rewrites the `.stderr` files; read
//! the diff.
//!
//! rustc draws the messages, and each release draws them a little differently,
//! so the failing programs are for the one release that `build.rs` names.

use trybuild::TestCases;

#[test]
#[cfg_attr(not(expected_rustc), ignore = "the messages are those of rustc 1.95")]
fn wrong_kernels_are_refused_and_right_ones_run() {
    // One `TestCases`: two would take turns with one project folder.
    let cases = TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
}
