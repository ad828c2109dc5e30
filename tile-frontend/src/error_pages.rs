//! Tests the pages of the codes that kernels in Rust can cause: `docs/errors/*.md`.
//!
//! Each failing example has the code of its page and no other. The page shows the messages of the macro about
//! the example, and the fixed example compiles as far as GPU IR. `TILE_BLESS=1` rewrites the messages.

use crate::programs::{drawn, errors};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const FAILING: &str = "\n## Failing example\n\n```rust\n";
const FIXED: &str = "\n## Fixed example\n\n```rust\n";
const SAYS: &str = "```\n\n```text\n";

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

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    let entries = fs::read_dir(folder).expect("the folder of pages exists");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn failing_examples_have_the_code_of_their_page_and_fixed_ones_none() {
    let mut checked = 0;
    let mut wrong = String::new();
    for path in pages() {
        let code = path
            .file_stem()
            .expect("a page has a name")
            .to_string_lossy()
            .into_owned();
        let page = fs::read_to_string(&path).expect("a readable page");
        let Some(failing) = block(&page, FAILING) else {
            continue;
        };
        checked += 1;
        let actual = errors(failing);
        if actual.is_empty() {
            let _ = writeln!(wrong, "{code}: the failing example compiles");
        }
        for error in &actual {
            if !error.to_string().starts_with(&format!("[{code}] ")) {
                let _ = writeln!(wrong, "{code}: the failing example also has: {error}");
            }
        }
        let says: Vec<String> = actual.iter().map(|error| drawn(error, failing)).collect();
        let says = says.join("\n");
        let stated = block(&page, SAYS).unwrap_or_default();
        if stated != says && std::env::var_os("TILE_BLESS").is_some() {
            let page = page.replacen(&format!("{SAYS}{stated}"), &format!("{SAYS}{says}"), 1);
            fs::write(&path, page).expect("a page can be written");
        } else if stated != says {
            let _ = writeln!(
                wrong,
                "{code}: the page does not show what the macro says:\n{says}"
            );
        }
        let Some(fixed) = block(&page, FIXED) else {
            let _ = writeln!(wrong, "{code}: there is no fixed example");
            continue;
        };
        for error in errors(fixed) {
            let _ = writeln!(wrong, "{code}: the fixed example fails: {error}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        checked >= 15,
        "only {checked} pages have an example in Rust"
    );
}

#[test]
fn what_differs_from_rust_fails_with_the_code_that_the_page_says() {
    const FENCE: &str = "\n```rust,compile_fail\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/differences.md");
    let page = fs::read_to_string(path).expect("a readable page");
    let mut wrong = String::new();
    let mut checked = 0;
    for example in page.split(FENCE).skip(1) {
        let (example, _) = example.split_once("\n```").expect("a block has an end");
        let code = example
            .strip_prefix("// ")
            .and_then(|rest| rest.split(':').next())
            .expect("the first line names the code");
        let actual = errors(example);
        let agrees = |error: &syn::Error| error.to_string().starts_with(&format!("[{code}] "));
        if actual.is_empty() || !actual.iter().all(agrees) {
            let _ = writeln!(wrong, "{example}\nsays: {actual:?}\n");
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(checked >= 13, "only {checked} differences have an example");
}
