//! Checks the examples of `docs/loop.md`.

use crate::{flat, parsed};
use std::fs;
use std::path::Path;
use tile_core::flatten::FlattenOptions;
use tile_core::text;

const EXAMPLE: &str = "```mlir\n";
const RESULT: &str = "```mlir flattened\n";
const END: &str = "```\n";

/// Returns the page with the lowering of each example, and the number of examples.
fn fresh(page: &str) -> (String, usize) {
    let (mut out, mut rest, mut examples) = (String::new(), page, 0);
    while let Some((before, after)) = rest.split_once(EXAMPLE) {
        let (example, after) = after.split_once(END).expect("an example ends");
        let module = parsed(example);
        out += &[before, EXAMPLE, example, END].concat();
        let (between, old) = after
            .split_once(RESULT)
            .expect("an example becomes something");
        assert!(!between.contains("```"), "{between}");
        let (_, after) = old.split_once(END).expect("a result ends");
        let flattened = flat(&module, FlattenOptions::default());
        out += &[between, RESULT, &text::print(&flattened.module), END].concat();
        rest = after;
        examples += 1;
    }
    (out + rest, examples)
}

#[test]
fn the_examples_of_the_page_become_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/loop.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let (expected, examples) = fresh(&page);
    assert_eq!(examples, 2);
    if std::env::var_os("TILE_BLESS").is_some() {
        fs::write(&path, expected).expect("the page can be written");
        return;
    }
    assert!(
        page == expected,
        "`docs/loop.md` is stale: run this test with `TILE_BLESS=1`"
    );
}
