//! Tests the messages for programs that must not compile: `tile-frontend/messages/<code>.md`.
//!
//! A page holds one section per program: a heading that states the case, the program, and its messages as
//! rustc shows them. The test renders the messages itself, without rustc, so that a program takes only
//! milliseconds. Programs about rustc's spans, rustc's own errors, and macros across crates are compiled by
//! rustc through `trybuild`, in `ui-tests/fail`.
//!
//! `TILE_BLESS=1` rewrites the messages; `TILE_UI=T0203` checks only the sections whose code and heading
//! contain that text. Read the diff: a message is right if its span is on the faulty token, a note
//! states the rule, and a help says what to write.

use crate::programs::messages;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, panic};

/// A page of programs whose errors have one code.
pub(crate) struct Page {
    /// The code, such as `T0203`.
    pub(crate) code: String,
    path: PathBuf,
    /// The heading of the page, and the text before the first section.
    introduction: String,
    /// The programs.
    pub(crate) sections: Vec<Section>,
}

/// A program of a page.
pub(crate) struct Section {
    /// The heading, which states the case.
    pub(crate) title: String,
    /// The program in Rust.
    pub(crate) program: String,
    /// The messages that the page shows.
    expected: String,
}

impl Page {
    fn parse(path: PathBuf, text: &str) -> Self {
        let code = path.file_stem().expect("a page has a name");
        let code = code.to_string_lossy().into_owned();
        let mut parts = text.split("\n## ");
        let introduction = parts.next().unwrap_or_default().to_owned();
        let sections = parts.map(|part| Section::parse(part, &code)).collect();
        Self {
            code,
            path,
            introduction,
            sections,
        }
    }

    fn to_text(&self) -> String {
        let mut text = self.introduction.clone();
        for section in &self.sections {
            let _ = write!(
                text,
                "\n## {}\n\n```rust\n{}```\n\n```text\n{}```\n",
                section.title, section.program, section.expected
            );
        }
        text
    }
}

impl Section {
    fn parse(text: &str, code: &str) -> Self {
        let (title, rest) = text.split_once("\n\n```rust\n").unwrap_or_else(|| {
            panic!("{code}: after its heading a section has a block of Rust: {text}")
        });
        let (program, rest) = rest.split_once("```\n").unwrap_or_else(|| {
            panic!("{code}: {title}: the block of Rust has no end");
        });
        // A new section has no block of messages yet; `TILE_BLESS=1` writes it.
        let expected = rest
            .strip_prefix("\n```text\n")
            .and_then(|rest| rest.split_once("```\n"))
            .map_or("", |(expected, _)| expected);
        Self {
            title: title.to_owned(),
            program: program.to_owned(),
            expected: expected.to_owned(),
        }
    }
}

/// Reads the pages, in the order of their codes.
pub(crate) fn pages() -> Vec<Page> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages");
    let entries = fs::read_dir(folder).expect("the folder of pages exists");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a readable page");
        Page::parse(path, &text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_program_has_the_messages_of_its_page() {
    let wanted = env::var("TILE_UI").unwrap_or_default();
    let is_blessed = env::var_os("TILE_BLESS").is_some();
    let mut wrong = String::new();
    let mut checked = 0;
    for mut page in pages() {
        for section in &mut page.sections {
            let name = format!("{} {}", page.code, section.title);
            if !name.contains(&wanted) {
                continue;
            }
            checked += 1;
            let Ok(actual) = panic::catch_unwind(|| messages(&section.program)) else {
                let _ = writeln!(wrong, "{name}: the macro panics");
                continue;
            };
            if !actual.contains(&format!("[{}] ", page.code)) {
                let _ = writeln!(wrong, "{name}: no error has this code:\n{actual}");
            } else if actual != section.expected && is_blessed {
                section.expected = actual;
            } else if actual != section.expected {
                let expected = &section.expected;
                let _ = writeln!(wrong, "{name}: the macro says\n{actual}\nnot\n{expected}");
            }
        }
        if is_blessed {
            fs::write(&page.path, page.to_text()).expect("a page can be written");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        checked > 200 || !wanted.is_empty(),
        "only {checked} programs"
    );
}

#[test]
fn pages_are_written_as_they_are_read() {
    for page in pages() {
        let text = fs::read_to_string(&page.path).expect("a readable page");
        assert_eq!(page.to_text(), text, "{}", page.path.display());
        let mut titles: Vec<&str> = page.sections.iter().map(|it| it.title.as_str()).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(
            titles.len(),
            page.sections.len(),
            "{}: two sections have one heading",
            page.code
        );
    }
}
