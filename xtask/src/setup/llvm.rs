//! LLVM 22: that of rustc, or one that packages install.
//!
//! The compiler of kernels uses rustc's own LLVM. Only if rustc has another version, the shared library of LLVM 22
//! is installed with apt. A build with the feature `static-llvm` links LLVM instead, from `$LLVM_SYS_221_PREFIX`,
//! for which `.cargo/config.toml` has Debian's location as default; `--static-llvm` installs what it needs. Without
//! apt, an error says what to install.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::apt::Apt;

/// The variable that the crate `llvm-sys` reads.
const PREFIX_VARIABLE: &str = "LLVM_SYS_221_PREFIX";

/// The location of LLVM 22 in the packages of Debian and Ubuntu.
const DEFAULT_PREFIX: &str = "/usr/lib/llvm-22";

const MAJOR: &str = "22";

/// The package of LLVM's shared library.
const SHARED_PACKAGE: &str = "libllvm22";

/// The variable that names LLVM's shared library.
const LIBRARY_VARIABLE: &str = "TILE_LLVM";

/// The packages of LLVM. Its static libraries refer to those of Polly.
const LLVM_PACKAGES: [&str; 2] = ["llvm-22-dev", "libpolly-22-dev"];

/// The packages that the static libraries of LLVM link to.
const LIBRARY_PACKAGES: [&str; 4] = ["libzstd-dev", "zlib1g-dev", "libxml2-dev", "libffi-dev"];

/// Finds out whether rustc has LLVM 22, and installs a shared library of it otherwise.
pub(super) fn ensure_shared() -> Result<()> {
    if env::var_os(LIBRARY_VARIABLE).is_some_and(|path| !path.is_empty()) {
        println!("setup: {LIBRARY_VARIABLE} is set, no other LLVM is used");
        return Ok(());
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = output(Path::new(&rustc), &["--version", "--verbose"])?;
    let version = llvm_of_rustc(&said);
    if is_supported(version) {
        println!("setup: LLVM {version} of rustc present");
        return Ok(());
    }
    let why = format!("rustc has LLVM {version:?}, and LLVM {MAJOR} is needed");
    let Some(apt) = Apt::find() else {
        bail!(
            "{why}: use an official toolchain of Rust 1.95 to 1.98, or install LLVM {MAJOR} and set \
             `{LIBRARY_VARIABLE}` to its shared library"
        );
    };
    let missing = Apt::missing(&[SHARED_PACKAGE])?;
    if !missing.is_empty() {
        apt.install(&missing).context(why)?;
    }
    println!("setup: LLVM of the package {SHARED_PACKAGE} present");
    Ok(())
}

/// Returns the version of LLVM in the output of `rustc --version --verbose`; empty if there is none.
fn llvm_of_rustc(said: &str) -> &str {
    said.lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))
        .unwrap_or_default()
        .trim()
}

/// Installs the missing packages for the feature `static-llvm`, or returns an error with instructions.
pub(super) fn ensure_static() -> Result<()> {
    let prefix = prefix();
    let is_default = prefix == Path::new(DEFAULT_PREFIX);
    let Some(apt) = Apt::find() else {
        let version = static_version(&prefix).with_context(|| elsewhere(&prefix))?;
        println!("setup: LLVM {version} present, its libraries are not checked without dpkg");
        return Ok(());
    };
    let mut wanted = LIBRARY_PACKAGES.to_vec();
    if is_default {
        wanted.splice(0..0, LLVM_PACKAGES);
    }
    let missing = Apt::missing(&wanted)?;
    if missing.is_empty() {
        let version = static_version(&prefix).with_context(|| elsewhere(&prefix))?;
        println!("setup: LLVM {version} present");
        return Ok(());
    }
    apt.install(&missing)?;
    let version = static_version(&prefix).with_context(|| elsewhere(&prefix))?;
    println!("setup: LLVM {version} installed");
    Ok(())
}

fn prefix() -> PathBuf {
    env::var_os(PREFIX_VARIABLE)
        .filter(|prefix| !prefix.is_empty())
        .map_or_else(|| DEFAULT_PREFIX.into(), PathBuf::from)
}

/// Returns the version of the LLVM at `prefix`, if it is the right one and no static library is
/// missing.
fn static_version(prefix: &Path) -> Result<String> {
    let config = prefix.join("bin/llvm-config");
    let version = output(&config, &["--version"])?;
    if !is_supported(&version) {
        bail!("`{}` is of version {version}", config.display());
    }
    output(&config, &["--link-static", "--libs"])?;
    Ok(version)
}

fn is_supported(version: &str) -> bool {
    version.split('.').next() == Some(MAJOR)
}

fn output(program: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("could not start `{}`", program.display()))?;
    if !output.status.success() {
        bail!(
            "`{} {}` failed: {}",
            program.display(),
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns instructions for machines without apt.
fn elsewhere(prefix: &Path) -> String {
    format!(
        "LLVM {MAJOR} with its static libraries is not in `{}`. \
         Install the development files and static libraries of LLVM {MAJOR} and Polly, and the \
         development files of zstd, zlib, libxml2 and libffi; then set `{PREFIX_VARIABLE}` to the \
         folder that holds `bin/llvm-config`. \
         Debian and Ubuntu: {} {}. \
         Fedora: llvm-devel llvm-static libzstd-devel zlib-devel libxml2-devel libffi-devel. \
         Arch has no static LLVM in its packages and Homebrew's `llvm` has it: \
         elsewhere build LLVM {MAJOR} with `-DBUILD_SHARED_LIBS=OFF \
         -DLLVM_TARGETS_TO_BUILD=\"Native;NVPTX\"`",
        prefix.display(),
        LLVM_PACKAGES.join(" "),
        LIBRARY_PACKAGES.join(" "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_llvm_of_rustc_is_read_from_its_version() {
        let said = "rustc 1.95.0 (59807616e 2026-04-14)\nhost: x86_64-unknown-linux-gnu\nLLVM version: 22.1.2\n";
        assert_eq!(llvm_of_rustc(said), "22.1.2");
        assert!(!is_supported(llvm_of_rustc("rustc 1.95.0")));
    }

    #[test]
    fn only_llvm_22_is_supported() {
        assert!(is_supported("22.1.8"));
        assert!(is_supported("22.1.8-rc1"));
        for version in ["21.1.8", "220.1.0", "2", ""] {
            assert!(!is_supported(version), "{version:?}");
        }
    }

    #[test]
    fn a_folder_without_llvm_is_named_with_the_cure() {
        let error = static_version(Path::new("/nowhere"))
            .with_context(|| elsewhere(Path::new("/nowhere")))
            .expect_err("there is no LLVM");
        let text = format!("{error:#}");
        for part in ["`/nowhere`", "llvm-22-dev", "libffi-dev", PREFIX_VARIABLE] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}
