//! Copies the pages of the book into one folder, as mdBook requires.
//!
//! Pages keep their paths relative to the root of the repository, so links between them do not
//! change. A link to another file of the repository, such as an example, becomes a link to the
//! repository's web page, and a link to the web page of a page of the book one within the book; an
//! image is copied. A `README.md` becomes the `index.md` of its folder:
//! mdBook would rename the page, but not the links to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::links::{self, Link};
use super::summary::{self, SUMMARY};

/// The repository's web page.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

const README: &str = "README.md";
const INDEX: &str = "index.md";

/// Returns the path of a page in the book.
fn staged(page: &Path) -> PathBuf {
    if page.ends_with(README) {
        page.with_file_name(INDEX)
    } else {
        page.to_path_buf()
    }
}

/// Fills the empty or missing folder `into`.
///
/// # Errors
///
/// Returns an error that lists the links of all pages to missing files, or an error of
/// [`summary::pages`].
pub(super) fn stage(root: &Path, into: &Path) -> Result<()> {
    let pages = summary::pages(root)?;
    let book = Book { root, into, pages };
    let mut errors = Vec::new();
    for page in &book.pages {
        let text = book
            .page(page)
            .with_context(|| format!("`{}`", page.display()));
        match text {
            Ok(text) => write(&into.join(staged(page)), &text)?,
            Err(error) => errors.push(format!("{error:#}")),
        }
    }
    if !errors.is_empty() {
        bail!("there are broken links:\n  {}", errors.join("\n  "));
    }
    write(&into.join("SUMMARY.md"), &book.summary()?)
}

struct Book<'r> {
    root: &'r Path,
    into: &'r Path,
    /// The pages, relative to the root.
    pages: BTreeSet<PathBuf>,
}

impl Book<'_> {
    /// Returns the text of a page with its links as in the book.
    fn page(&self, page: &Path) -> Result<String> {
        let text = fs::read_to_string(self.root.join(page))?;
        links::rewrite(&text, |link| self.destination(page, link))
    }

    /// Returns the table of contents with links relative to the root of the book instead of `docs`.
    fn summary(&self) -> Result<String> {
        let text = fs::read_to_string(self.root.join(SUMMARY))?;
        links::rewrite(&text, |link| {
            let target = links::target(Path::new(SUMMARY), &link.destination)?;
            Ok(target.map(|(page, _)| staged(&page).to_string_lossy().into_owned()))
        })
    }

    fn destination(&self, page: &Path, link: &Link) -> Result<Option<String>> {
        let Some((target, anchor)) = links::target(page, &link.destination)? else {
            return Ok(None);
        };
        if self.pages.contains(&target) {
            if links::on_web_page(&link.destination).is_some() {
                let up = "../".repeat(page.components().count() - 1);
                return Ok(Some(format!("{up}{}{anchor}", staged(&target).display())));
            }
            let is_readme = target.ends_with(README);
            return Ok(is_readme.then(|| link.destination.replace(README, INDEX)));
        }
        let file = self.root.join(&target);
        if !file.exists() {
            bail!("`{}` is no file: correct the link", link.destination);
        }
        if link.is_image {
            let copy = self.into.join(&target);
            create_parent(&copy)?;
            fs::copy(&file, copy)?;
            return Ok(None);
        }
        let kind = if file.is_dir() { "tree" } else { "blob" };
        let path = target.to_string_lossy();
        Ok(Some(format!("{REPOSITORY}/{kind}/main/{path}{anchor}")))
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    create_parent(path)?;
    fs::write(path, text).with_context(|| format!("could not write `{}`", path.display()))
}

fn create_parent(path: &Path) -> Result<()> {
    let folder = path.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).with_context(|| format!("could not create `{}`", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn repository(readme: &str, page: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = [
            ("README.md", readme),
            ("ARCHITECTURE.md", ""),
            ("CONTRIBUTING.md", ""),
            ("CHANGELOG.md", ""),
            ("docs/page.md", page),
            ("docs/picture.svg", "<svg/>"),
            ("examples/first.rs", "fn main() {}"),
            (
                SUMMARY,
                "[r](../README.md)\n\n- [a](../ARCHITECTURE.md)\n- [b](../CONTRIBUTING.md)\n- [c](../CHANGELOG.md)\n- [p](page.md)\n",
            ),
        ];
        for (name, text) in files {
            write(&folder.path().join(name), text).expect("writes");
        }
        folder
    }

    #[test]
    fn the_links_of_every_page_lead_to_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        stage(&workspace::root(), folder.path()).expect("no link is broken");
    }

    #[test]
    fn links_to_pages_stay_and_those_to_other_files_lead_to_the_repository() {
        let repository = repository(
            "[p](docs/page.md#top) ![i](docs/picture.svg)",
            "[r](../README.md) [e](../examples/first.rs#L1) [f](../examples) [x](#top)",
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let book = folder.path();
        stage(repository.path(), book).expect("no link is broken");
        let read = |name: &str| fs::read_to_string(book.join(name)).expect("is there");
        assert_eq!(
            read("index.md"),
            "[p](docs/page.md#top) ![i](docs/picture.svg)"
        );
        assert_eq!(
            read("docs/page.md"),
            format!(
                "[r](../index.md) [e]({REPOSITORY}/blob/main/examples/first.rs#L1) [f]({REPOSITORY}/tree/main/examples) [x](#top)"
            )
        );
        assert_eq!(read("docs/picture.svg"), "<svg/>");
        assert!(read("SUMMARY.md").starts_with("[r](index.md)\n"));
        assert!(read("SUMMARY.md").ends_with("- [p](docs/page.md)\n"));
    }

    #[test]
    fn links_to_the_web_page_of_a_page_stay_in_the_book() {
        let repository = repository(
            "",
            &format!(
                "[r]({REPOSITORY}/blob/main/README.md#x) [p]({REPOSITORY}/blob/main/docs/page.md) [e]({REPOSITORY}/tree/main/examples)"
            ),
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        stage(repository.path(), folder.path()).expect("no link is broken");
        let page = fs::read_to_string(folder.path().join("docs/page.md")).expect("is there");
        assert_eq!(
            page,
            format!("[r](../index.md#x) [p](../docs/page.md) [e]({REPOSITORY}/tree/main/examples)")
        );
    }

    #[test]
    fn broken_links_of_all_pages_are_named() {
        let repository = repository("[p](docs/none.md)", "[e](../examples/second.rs)");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let error = stage(repository.path(), folder.path()).expect_err("links are broken");
        assert_eq!(
            error.to_string(),
            "there are broken links:\n  `README.md`: `docs/none.md` is no file: correct the link\n  \
             `docs/page.md`: `../examples/second.rs` is no file: correct the link"
        );
    }
}
