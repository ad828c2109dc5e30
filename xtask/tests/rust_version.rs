//! Compiles the published crates with the least supported Rust, if rustup has that toolchain. Else the test is ignored,
//! and the reason is printed.

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

/// The `rust-version` of the workspace.
const LEAST: &str = env!("CARGO_PKG_RUST_VERSION");

/// The crates that users build.
const CRATES: [&str; 2] = ["tile-kernel", "tilec"];

/// Returns the name of the toolchain, such as `1.88.0-x86_64-unknown-linux-gnu`.
fn toolchain() -> Option<String> {
    let output = Command::new("rustup").args(["toolchain", "list"]).output();
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    let mut names = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let is_least = |name: &&str| {
        let rest = name.strip_prefix(LEAST);
        rest.is_some_and(|rest| rest.starts_with(['.', '-']))
    };
    names.find(is_least).map(str::to_owned)
}

fn compile(toolchain: &str) -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new("rustup");
    cargo.args(["run", toolchain, "cargo", "check", "--locked"]);
    cargo
        .arg("--target-dir")
        .arg(root.join("target/rust-version"));
    for name in CRATES {
        cargo.args(["--package", name]);
    }
    cargo.args(["--features", "tile-kernel/sim"]);
    cargo.env_remove("CARGO").env_remove("RUSTC");
    let output = cargo.current_dir(root).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the reason why the test is ignored")]
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let toolchain = toolchain();
    let is_missing = toolchain.is_none();
    if is_missing {
        println!("ignored: rustup has no toolchain of Rust {LEAST}, the least supported one");
    }
    let run = move || compile(&toolchain.unwrap_or_default());
    let trial = Trial::test(
        "published_crates_compile_with_the_least_supported_rust",
        run,
    );
    let trials = vec![trial.with_ignored_flag(is_missing)];
    libtest_mimic::run(&arguments, trials).exit_code()
}
