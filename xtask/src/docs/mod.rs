//! Builds the documentation: the book with mdBook, and the API with rustdoc.
//!
//! Builds the pages that `docs/SUMMARY.md` lists to `target/book`, and the API to `target/doc`,
//! without warnings; every link and anchor within the book must resolve.
//!
//! - [`summary`] checks that the table of contents has every page.
//! - [`stage`] copies the pages to `target/book-src` with their folders, so that the same relative
//!   links work in the book and on the repository's web page.
//! - The links are checked twice: those to files by [`stage`], in its unit test too, and those of
//!   the finished book, anchors included, by `LinkChecker`. Links to other sites are not followed.

pub(crate) mod links;
mod stage;
mod summary;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::setup::docs::Tools;
use crate::setup::{self, Scope};
use crate::{process, workspace};

/// Options of `cargo xtask docs`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Build the book only, without rustdoc
    #[arg(long)]
    book: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let source = root.join("target/book-src");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    stage::stage(&root, &source)?;
    let tools = Tools::ensure()?;
    let book = root.join("target/book");
    build(&tools, &root)?;
    check_links(&tools, &book)?;
    println!("docs: {}", book.join("index.html").display());
    if !options.book {
        api()?;
        println!(
            "docs: {}",
            root.join("target/doc/tile_kernel/index.html").display()
        );
    }
    Ok(())
}

/// Builds the book. mdBook succeeds with warnings; here they are errors.
fn build(tools: &Tools, root: &Path) -> Result<()> {
    let mut mdbook = Command::new(&tools.mdbook);
    mdbook.arg("build").arg(root);
    println!("docs: {}", process::line(&mdbook));
    let output = mdbook
        .stdout(Stdio::inherit())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("could not start `{}`", tools.mdbook.display()))?;
    let log = String::from_utf8_lossy(&output.stderr);
    eprint!("{log}");
    if !output.status.success() {
        bail!("mdBook failed: {}", output.status);
    }
    if has_warning(&log) {
        bail!("mdBook has warnings: fix the pages that it names above");
    }
    Ok(())
}

/// Returns `true` if the log of mdBook has a line of the level `WARN` or `ERROR`.
fn has_warning(log: &str) -> bool {
    let levels = ["WARN", "ERROR"];
    log.lines().any(|line| {
        let mut words = line.split(|char: char| !char.is_ascii_alphanumeric());
        // The level comes first, after the time if there is one.
        words.any(|word| levels.contains(&word))
    })
}

/// Follows every link of the finished book from its first page.
fn check_links(tools: &Tools, book: &Path) -> Result<()> {
    let mut checker = tools.link_checker()?;
    checker.arg("--no-status");
    checker.arg(book.join("index.html"));
    println!("docs: checking links");
    process::run(&mut checker).context("the book has broken links: see `Parent URL` above")
}

/// Builds the API documentation of every crate.
fn api() -> Result<()> {
    setup::run(Scope::Build, &setup::Options::default())?;
    let mut cargo = workspace::cargo();
    cargo.args(["doc", "--workspace", "--no-deps"]);
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    println!("docs: {}", process::line(&cargo));
    process::run(&mut cargo).context("rustdoc has warnings: fix the items that it names above")
}

#[cfg(test)]
mod tests {
    use super::has_warning;

    #[test]
    fn warnings_of_mdbook_are_noticed() {
        assert!(has_warning(" WARN unclosed HTML tag `<T>` found in `a.md`"));
        assert!(has_warning(
            "2026-11-25 10:00:00 [ERROR] (mdbook::renderer): no such file"
        ));
    }

    #[test]
    fn progress_of_mdbook_is_no_warning() {
        assert!(!has_warning(
            " INFO Book building has started\n INFO Running the html backend"
        ));
    }
}
