//! Installs the tools that build the book: mdBook, and `LinkChecker`.
//!
//! Only `cargo xtask docs` needs them, so it installs them itself, each pinned, below
//! `<cache>/tools`: mdBook with `cargo install`, which compiles for some minutes, and `LinkChecker`
//! with pip.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Partial;
use super::python::Python;
use crate::{process, tools, workspace};

/// The version of mdBook.
const MDBOOK: &str = "0.5.4";

/// `LinkChecker` and its dependencies, with the checksums of their wheels.
const REQUIREMENTS: &str = include_str!("docs.txt");

/// The folder of `LinkChecker`, named for its version.
const LINK_CHECKER: &str = "linkchecker-10.6.0";

/// Starts `LinkChecker` like its own script, but keeps the rights of root: as root, the script
/// would become the user `nobody`, who may not read the checkout. `LinkChecker` only reads our own
/// files.
const START: &str = "import sys, linkcheck.command.linkchecker as command; \
                     command.drop_privileges = lambda: None; sys.exit(command.linkchecker())";

/// Enables the check of anchors, and selects the output for a broken link.
const CONFIGURATION: &str = "[AnchorCheck]\n[text]\nparts=url,parenturl,result,warning,outro\n";

/// The tools, installed.
pub(crate) struct Tools {
    pub(crate) mdbook: PathBuf,
    python: Python,
    /// The folder of `LinkChecker`'s packages.
    packages: PathBuf,
}

impl Tools {
    /// Installs the missing tools.
    ///
    /// # Errors
    ///
    /// Returns an error if `cargo install` or pip fails.
    pub(crate) fn ensure() -> Result<Self> {
        let cache = tools::cache_dir()?;
        let folder = cache.join("tools");
        fs::create_dir_all(&folder)
            .with_context(|| format!("could not create `{}`", folder.display()))?;
        let python = Python::default();
        Ok(Self {
            mdbook: mdbook(&folder)?,
            packages: link_checker(&python, &cache)?,
            python,
        })
    }

    /// Returns the `LinkChecker` command, which checks anchors but no links to other sites.
    ///
    /// # Errors
    ///
    /// Returns an error if Python is missing.
    pub(crate) fn link_checker(&self) -> Result<Command> {
        let mut python = self.python.command()?;
        python.args(["-c", START]);
        python
            .arg("--config")
            .arg(self.packages.join("linkcheckerrc"));
        python.env("PYTHONPATH", &self.packages);
        Ok(python)
    }
}

fn mdbook(folder: &Path) -> Result<PathBuf> {
    let root = folder.join(format!("mdbook-{MDBOOK}"));
    let program = root.join("bin/mdbook");
    if program.is_file() {
        println!("docs: mdbook {MDBOOK} present");
        return Ok(program);
    }
    println!("docs: mdbook {MDBOOK}: compiling, which takes some minutes");
    let mut cargo = workspace::cargo();
    cargo.args(["install", "--locked", "--version", MDBOOK, "mdbook"]);
    // Omits the web server.
    cargo.args(["--no-default-features", "--features", "search"]);
    cargo.arg("--root").arg(&root);
    process::run(&mut cargo).context("could not install mdBook: check the network")?;
    println!("docs: mdbook {MDBOOK} installed");
    Ok(program)
}

/// Installs `LinkChecker` for this Python, and returns its folder.
fn link_checker(python: &Python, cache: &Path) -> Result<PathBuf> {
    let folder = cache.join("tools").join(LINK_CHECKER);
    let stamp = format!("# {}\n{REQUIREMENTS}{CONFIGURATION}", python.version()?);
    let stamp_file = "requirements.txt";
    if fs::read_to_string(folder.join(stamp_file)).is_ok_and(|text| text == stamp) {
        println!("docs: {LINK_CHECKER} present");
        return Ok(folder);
    }
    println!("docs: {LINK_CHECKER}: downloading (2 MB)");
    let partial = Partial::create(cache, "linkchecker")?;
    let fresh = partial.0.join("packages");
    python.install(REQUIREMENTS, &partial.0, &fresh)?;
    fs::write(fresh.join("linkcheckerrc"), CONFIGURATION)?;
    // The stamp is written last: a folder with a stamp is complete.
    fs::write(fresh.join(stamp_file), stamp)?;
    if folder.exists() {
        fs::rename(&folder, partial.0.join("older"))?;
    }
    fs::rename(&fresh, &folder)
        .with_context(|| format!("could not write `{}`", folder.display()))?;
    println!("docs: {LINK_CHECKER} installed");
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::{LINK_CHECKER, REQUIREMENTS};

    #[test]
    fn every_package_is_pinned_with_its_checksum() {
        let pin = LINK_CHECKER.replace('-', "==");
        assert!(REQUIREMENTS.contains(&pin));
        for pin in REQUIREMENTS.split("==").skip(1) {
            assert_eq!(pin.matches("--hash=sha256:").count(), 1, "{pin}");
        }
    }
}
