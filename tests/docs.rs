//! Tests that codes and pages match, and that examples in IR cause the code of their page.
//!
//! The examples in Rust are checked where the front end can be called: `tile-frontend/src/error_pages.rs`.
//! `TILE_BLESS=1` rewrites the compiler output that the pages show.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tile_core::diag::{Code, Diagnostic, render};
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::verify::verify;
use tile_core::{Diagnostics, text};

const FAILING: &str = "\n## Failing example\n\n```mlir\n";
const FIXED: &str = "\n## Fixed example\n\n```mlir\n";
const SAYS: &str = "```\n\n```text\n";

/// Codes of failures that no source text of a kernel can cause.
const WITHOUT_EXAMPLE: [Code; 5] = [
    Code::Bytecode,
    Code::ToolFailed,
    Code::WorkerDied,
    Code::Internal,
    Code::Fault,
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors")
}

fn path(code: Code) -> PathBuf {
    folder().join(format!("{}.md", code.as_str()))
}

fn page(code: Code) -> String {
    fs::read_to_string(path(code)).unwrap_or_else(|error| panic!("`{code:?}` has no page: {error}"))
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<String> = Code::ALL
        .iter()
        .map(|code| format!("{}.md", code.as_str()))
        .collect();
    let entries = fs::read_dir(folder()).expect("the folder of pages exists");
    let pages: BTreeSet<String> = entries
        .map(|entry| {
            entry
                .expect("a readable folder")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(pages, codes);
}

#[test]
fn every_page_has_the_title_of_its_code_and_the_same_parts() {
    for &code in Code::ALL {
        let page = page(code);
        let title = format!("# {}: {}\n", code.as_str(), code.title());
        assert!(
            page.starts_with(&title),
            "the page should start with `{title}`"
        );
        let headings: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        let expected = if WITHOUT_EXAMPLE.contains(&code) {
            vec!["## Why it is an error", "## What to do"]
        } else {
            vec![
                "## Why it is an error",
                "## Failing example",
                "## Fixed example",
            ]
        };
        assert_eq!(headings, expected, "{code:?}");
    }
}

/// Returns the diagnostics of parser, verifier and flattening on a module.
fn errors(source: &str) -> Vec<Diagnostic> {
    let mut diagnostics = Diagnostics::new();
    if let Ok(module) = text::parse(source, "example.mlir", &mut diagnostics)
        && let Ok(verified) = verify(module, &mut diagnostics)
    {
        let _ = flatten(verified, &FlattenOptions::default(), &mut diagnostics);
    }
    diagnostics.take()
}

/// Returns the text between `before` and the next line of three backquotes.
fn block<'p>(page: &'p str, before: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(before)?;
    let end = if rest.starts_with("```") {
        0
    } else {
        rest.find("\n```")? + 1
    };
    Some(&rest[..end])
}

#[test]
fn examples_in_ir_have_the_code_of_their_page_and_fixed_ones_none() {
    let mut checked = 0;
    for &code in Code::ALL {
        let page = page(code);
        let Some(failing) = block(&page, FAILING) else {
            continue;
        };
        checked += 1;
        let actual = errors(failing);
        assert!(
            !actual.is_empty(),
            "{code:?}: the failing example is accepted"
        );
        assert!(
            actual.iter().all(|fault| fault.code == code),
            "{code:?}: {actual:?}"
        );
        let says = render(&actual, &|_| Some(failing.to_owned())) + "\n";
        let stated = block(&page, SAYS).unwrap_or_default();
        if stated != says && std::env::var_os("TILE_BLESS").is_some() {
            let fresh = page.replacen(&format!("{SAYS}{stated}"), &format!("{SAYS}{says}"), 1);
            fs::write(path(code), fresh).expect("a page can be written");
        } else {
            assert_eq!(
                stated, says,
                "{code:?}: the page does not show what the compiler says"
            );
        }
        let fixed =
            block(&page, FIXED).unwrap_or_else(|| panic!("{code:?}: there is no fixed example"));
        assert_eq!(errors(fixed), [], "{code:?}: the fixed example fails");
    }
    assert!(checked >= 7, "only {checked} pages have an example in IR");
}
