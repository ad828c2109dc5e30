//! The table of contents of the book, `docs/SUMMARY.md`, and the pages that it must list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::links;

/// The path of the table of contents, relative to the root.
pub(super) const SUMMARY: &str = "docs/SUMMARY.md";

/// Pages in the root.
const ROOT_PAGES: [&str; 4] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

/// Returns the pages that the table of contents lists, relative to the root.
///
/// # Errors
///
/// Returns an error for a page of the repository that is not listed, and for a listed page that is
/// missing or listed twice.
pub(super) fn pages(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let text = fs::read_to_string(root.join(SUMMARY)).with_context(|| format!("`{SUMMARY}`"))?;
    let mut listed = BTreeSet::new();
    let mut errors = Vec::new();
    for link in links::links(&text)? {
        // A chapter without a page of its own.
        if link.destination.is_empty() {
            continue;
        }
        let Some((page, _)) = links::target(Path::new(SUMMARY), &link.destination)? else {
            bail!("`{SUMMARY}` links to itself: `{}`", link.destination);
        };
        if !root.join(&page).is_file() {
            errors.push(format!("remove `{}`, which does not exist", page.display()));
        }
        if !listed.insert(page) {
            errors.push(format!("list `{}` once", link.destination));
        }
    }
    for page in existing(root)?.difference(&listed) {
        errors.push(format!("add `{}`", page.display()));
    }
    if !errors.is_empty() {
        bail!("`{SUMMARY}` is not up to date:\n  {}", errors.join("\n  "));
    }
    Ok(listed)
}

/// Returns the pages of the repository: those of the root, of `docs`, and one for each crate.
fn existing(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut pages: BTreeSet<PathBuf> = ROOT_PAGES.iter().map(PathBuf::from).collect();
    for entry in fs::read_dir(root)? {
        let folder = entry?.path();
        let readme = folder.join("README.md");
        if folder.join("Cargo.toml").is_file() && readme.is_file() {
            pages.insert(relative(root, &readme));
        }
    }
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.insert(relative(root, &path));
            }
        }
    }
    pages.remove(Path::new(SUMMARY));
    Ok(pages)
}

fn relative(root: &Path, path: &Path) -> PathBuf {
    let path = path.strip_prefix(root);
    path.expect("a path below the root").to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("creates");
        fs::write(path, text).expect("writes");
    }

    #[test]
    fn the_table_of_contents_lists_every_page() {
        pages(&workspace::root()).expect("`docs/SUMMARY.md` is up to date");
    }

    #[test]
    fn missing_and_superfluous_pages_are_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        for page in ROOT_PAGES {
            write(root, page, "");
        }
        write(root, "docs/new.md", "");
        write(root, "some-crate/Cargo.toml", "");
        write(root, "some-crate/README.md", "");
        write(
            root,
            SUMMARY,
            "[a](../README.md)\n\n- [b](../ARCHITECTURE.md)\n- [c](../CONTRIBUTING.md)\n  - [d](old.md)\n- [e]()\n",
        );
        let error = pages(root).expect_err("is not up to date").to_string();
        let lines: Vec<&str> = error.lines().skip(1).map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "remove `docs/old.md`, which does not exist",
                "add `CHANGELOG.md`",
                "add `docs/new.md`",
                "add `some-crate/README.md`",
            ]
        );
    }
}
