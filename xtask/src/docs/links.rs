//! Links of a Markdown page: finds, rewrites and resolves them.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// The repository's web pages of a file and of a folder.
const FILES: [&str; 2] = [
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/"),
    concat!(env!("CARGO_PKG_REPOSITORY"), "/tree/main/"),
];

/// A link or an image of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The byte range of its destination in the page.
    pub(crate) range: Range<usize>,
    pub(crate) destination: String,
    pub(crate) is_image: bool,
}

/// Returns the links, images and reference definitions of a page, in order; code is skipped.
///
/// # Errors
///
/// Returns an error for a destination with escapes, which could not be rewritten.
pub(crate) fn links(text: &str) -> Result<Vec<Link>> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let definitions = events.reference_definitions().iter();
    let mut links = definitions
        .filter(|(_, definition)| !is_external(&definition.dest))
        .map(|(_, definition)| link(text, &definition.span, "]: ", &definition.dest, false))
        .collect::<Result<Vec<_>>>()?;
    for (event, whole) in events {
        let (destination, is_image) = match event {
            Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => (dest_url, false),
            Event::Start(Tag::Image {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => (dest_url, true),
            _ => continue,
        };
        if !is_external(&destination) {
            links.push(link(text, &whole, "](", &destination, is_image)?);
        }
    }
    links.sort_by_key(|link| link.range.start);
    Ok(links)
}

/// Returns the link in `whole`, whose destination follows `opening`.
fn link(
    text: &str,
    whole: &Range<usize>,
    opening: &str,
    destination: &str,
    is_image: bool,
) -> Result<Link> {
    let before = text[whole.clone()]
        .rfind(&format!("{opening}{destination}"))
        .with_context(|| format!("write the link to `{destination}` without escapes"))?;
    let start = whole.start + before + opening.len();
    Ok(Link {
        range: start..start + destination.len(),
        destination: destination.to_owned(),
        is_image,
    })
}

/// Returns `true` if a destination has a scheme, such as `https://..`, and is no file of the repository.
fn is_external(destination: &str) -> bool {
    let has_scheme = destination.contains("://") || destination.starts_with("mailto:");
    has_scheme && on_web_page(destination).is_none()
}

/// Returns the path from the root if the destination is a file or folder on the repository's web page. The `README.md` of a
/// published crate has such links, since its package holds no file of other crates.
pub(crate) fn on_web_page(destination: &str) -> Option<&str> {
    FILES
        .iter()
        .find_map(|folder| destination.strip_prefix(folder))
}

/// Replaces the destinations for which `destination` returns another one.
pub(crate) fn rewrite(
    text: &str,
    mut destination: impl FnMut(&Link) -> Result<Option<String>>,
) -> Result<String> {
    let mut rewritten = String::with_capacity(text.len());
    let mut end = 0;
    for link in links(text)? {
        if let Some(new) = destination(&link)? {
            rewritten.push_str(&text[end..link.range.start]);
            rewritten.push_str(&new);
            end = link.range.end;
        }
    }
    rewritten.push_str(&text[end..]);
    Ok(rewritten)
}

/// Returns the file that a destination on `page` names, relative to the root like `page`, and its
/// anchor with `#`; `None` for an anchor of the page itself.
pub(crate) fn target(page: &Path, destination: &str) -> Result<Option<(PathBuf, String)>> {
    let from_root = on_web_page(destination);
    let path = from_root.unwrap_or(destination);
    let (file, anchor) = match path.find('#') {
        Some(hash) => path.split_at(hash),
        None => (path, ""),
    };
    if file.is_empty() {
        return Ok(None);
    }
    let folder = match from_root {
        Some(_) => Path::new(""),
        None => page.parent().unwrap_or(Path::new("")),
    };
    let mut path = PathBuf::new();
    for component in folder.join(file).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                bail!("`{destination}` leads out of the repository")
            }
        }
    }
    Ok(Some((path, anchor.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destinations(text: &str) -> Vec<String> {
        let links = links(text).expect("inline links");
        links
            .iter()
            .map(|link| {
                assert_eq!(&text[link.range.clone()], link.destination);
                link.destination.clone()
            })
            .collect()
    }

    #[test]
    fn links_and_images_of_prose_and_tables_are_found() {
        let text = "[a](a.md) ![i](i.svg) [![j](j.svg)](b.md#x \"title\")\n\n| x |\n|---|\n| [`c`](../c.md) |\n";
        assert_eq!(
            destinations(text),
            ["a.md", "i.svg", "j.svg", "b.md#x", "../c.md"]
        );
    }

    #[test]
    fn definitions_of_references_are_found_where_they_are() {
        let text = "[a][r] and [r]\n\n[r]: a.md#x\n[s]: https://x.org\n\n[b](b.md)\n";
        assert_eq!(destinations(text), ["a.md#x", "b.md"]);
    }

    #[test]
    fn code_and_other_sites_have_no_links() {
        let text = "`[a](a.md)` <https://x.org> [s](https://x.org)\n\n```text\n[b](b.md)\n```\n";
        assert_eq!(destinations(text), Vec::<String>::new());
    }

    #[test]
    fn files_on_the_web_page_of_the_repository_are_files_of_the_repository() {
        let [file, folder] = FILES;
        let text = format!("[a] [b]({folder}docs)\n\n[a]: {file}docs/a.md#x\n");
        assert_eq!(
            destinations(&text),
            [format!("{folder}docs"), format!("{file}docs/a.md#x")]
        );
        let found = target(
            Path::new("some-crate/README.md"),
            &format!("{file}docs/a.md#x"),
        );
        let expected = (PathBuf::from("docs/a.md"), "#x".to_owned());
        assert_eq!(found.expect("within"), Some(expected));
    }

    #[test]
    fn targets_are_relative_to_the_page() {
        let page = Path::new("docs/design/a.md");
        let path = |destination| {
            target(page, destination)
                .expect("within")
                .map(|(path, _)| path)
        };
        assert_eq!(path("../b.md#c"), Some("docs/b.md".into()));
        assert_eq!(path("../../README.md"), Some("README.md".into()));
        assert_eq!(path("#c"), None);
        target(page, "../../../etc").expect_err("leads out");
    }
}
