//! `cargo xtask thread-sanitizer`: the tests of the host side under ThreadSanitizer, which reports accesses of two threads
//! to one place that nothing orders, whether or not they met in this run.
//!
//! - The standard library is compiled with the sanitizer too. Without that, what its locks and channels order would be
//!   unknown, and correct code would be reported.
//! - `RUSTC_BOOTSTRAP` allows the options, which are unstable, for what is sanitized. The macro, and what it needs, are
//!   those of the ordinary build.
//! - Of the standard library's dependencies, cargo downloads those that its cache lacks.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::setup::{self, Scope};
use crate::{process, workspace};

/// The tests that run if none is named: those in which threads share what the facade has.
const TESTS: [&str; 3] = ["load", "host", "gpu"];

const SANITIZER: &str = "-Zsanitizer=thread";

/// Sets the variable for crates that are compiled with the sanitizer. As a variable of cargo, it would change the build
/// scripts of many crates, and so compile everything again.
const WRAPPER: &str = "#!/bin/sh
case \" $* \" in
    *' -Zsanitizer=thread '*) RUSTC_BOOTSTRAP=1 exec \"$@\" ;;
    *) exec \"$@\" ;;
esac
";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Arguments of `cargo test`, such as `--test load -- --ignored`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let Options { arguments } = options;
    setup::run(Scope::Everything, &setup::Options::default())?;
    let rust = Rust::find()?;
    let folder = workspace::root().join("target").join("thread-sanitizer");
    let sysroot = rust.sanitized_sysroot(&folder)?;
    let wrapper = folder.join("rustc.sh");
    fs::write(&wrapper, WRAPPER)?;
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))?;

    let mut cargo = workspace::cargo();
    cargo.args(["test", "--locked", "--target", &rust.target]);
    if !arguments.iter().any(|argument| argument == "--test") {
        for test in TESTS {
            cargo.args(["--test", test]);
        }
    }
    cargo.args(arguments);
    cargo.env("RUSTC_WRAPPER", wrapper);
    // The simulated driver is loaded, and finds the functions of the sanitizer in the program.
    let exported = "-Clink-args=-Wl,--export-dynamic";
    let sysroot = sysroot.to_str().context("the path of the checkout")?;
    let flags = ["--sysroot", sysroot, SANITIZER, exported];
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    cargo.env("TSAN_OPTIONS", "halt_on_error=1");
    process::run(&mut cargo)
}

/// The installed compiler.
struct Rust {
    sysroot: PathBuf,
    /// The target of this machine, such as `x86_64-unknown-linux-gnu`.
    target: String,
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().context("could not start rustc")?;
    ensure!(output.status.success(), "rustc failed: {}", output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

impl Rust {
    fn find() -> Result<Rust> {
        let version = output(Command::new("rustc").arg("-vV"))?;
        let target = version.lines().find_map(|line| line.strip_prefix("host: "));
        let rust = Rust {
            sysroot: output(Command::new("rustc").args(["--print", "sysroot"]))?.into(),
            target: target.context("rustc does not name its host")?.to_owned(),
        };
        let source = rust.sysroot.join("lib/rustlib/src/rust/library/std");
        if !source.exists() {
            bail!("the source of the standard library is missing: `rustup component add rust-src`");
        }
        Ok(rust)
    }

    fn libraries(&self) -> PathBuf {
        let target = Path::new("lib/rustlib").join(&self.target);
        self.sysroot.join(target).join("lib")
    }

    /// Compiles the standard library with the sanitizer, and returns a sysroot with it.
    fn sanitized_sysroot(&self, folder: &Path) -> Result<PathBuf> {
        let package = folder.join("std");
        fs::create_dir_all(&package)?;
        let manifest = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
                        [lib]\npath = \"lib.rs\"\n[workspace]\n";
        fs::write(package.join("Cargo.toml"), manifest)?;
        fs::write(package.join("lib.rs"), "")?;
        let mut cargo = workspace::cargo();
        cargo.current_dir(&package);
        cargo.args([
            "build",
            "--release",
            "-Zbuild-std",
            "--target",
            &self.target,
        ]);
        cargo.env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTFLAGS", SANITIZER);
        cargo.env("CARGO_TARGET_DIR", package.join("target"));
        process::run(&mut cargo)?;

        let sysroot = folder.join("sysroot");
        // Removes that of an earlier compiler.
        let _removed = fs::remove_dir_all(&sysroot);
        let target = sysroot.join("lib/rustlib").join(&self.target);
        let libraries = target.join("lib");
        fs::create_dir_all(&libraries)?;
        symlink(self.libraries().with_file_name("bin"), target.join("bin"))?;
        let compiled = package
            .join("target")
            .join(&self.target)
            .join("release/deps");
        for path in files(&compiled)? {
            if path.extension() == Some(OsStr::new("rlib")) {
                fs::copy(&path, libraries.join(path.file_name().context("a name")?))?;
            }
        }
        for path in files(&self.libraries())? {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or("");
            if name.contains("_rt.") && path.extension() == Some(OsStr::new("a")) {
                symlink(&path, libraries.join(name))?;
            }
        }
        Ok(sysroot)
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    paths.collect()
}
