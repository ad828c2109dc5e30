//! Links of a Markdown page: finds, rewrites and resolves them.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// A link or an image of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The byte range of its destination in the page.
    pub(super) range: Range<usize>,
    pub(super) destination: String,
    pub(super) is_image: bool,
}

/// Returns the links, images and reference definitions of a page, in order; code is skipped.
///
/// # Errors
///
/// Returns an error for a destination with escapes, which could not be rewritten.
pub(super) fn links(text: &str) -> Result<Vec<Link>> {
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

/// Returns `true` if a destination has a scheme, such as `https://..`.
fn is_external(destination: &str) -> bool {
    destination.contains("://") || destination.starts_with("mailto:")
}

/// Replaces the destinations for which `destination` returns another one.
pub(super) fn rewrite(
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
pub(super) fn target(page: &Path, destination: &str) -> Result<Option<(PathBuf, String)>> {
    let (file, anchor) = match destination.find('#') {
        Some(hash) => destination.split_at(hash),
        None => (destination, ""),
    };
    if file.is_empty() {
        return Ok(None);
    }
    let folder = page.parent().unwrap_or(Path::new(""));
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
