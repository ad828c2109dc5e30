//! Sets the `cfg` `expected_rustc` if the compiler is the release whose messages the `.stderr`
//! files contain.

use std::env;
use std::process::Command;

/// The prefix of `rustc --version` for this release.
const EXPECTED: &str = "rustc 1.95.";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(expected_rustc)");
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let version = Command::new(rustc).arg("--version").output();
    let is_expected = version.is_ok_and(|output| output.stdout.starts_with(EXPECTED.as_bytes()));
    if is_expected {
        println!("cargo::rustc-cfg=expected_rustc");
    }
}
