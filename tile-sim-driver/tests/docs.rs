//! Tests that the tables of `docs/sim-driver.md` are those of the library. `TILE_BLESS=1` writes them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tile_sim_driver::{config, groups};

fn variables() -> String {
    let mut table = "| variable | meaning |\n|---|---|\n".to_owned();
    for (name, meaning) in config::VARIABLES {
        writeln!(table, "| `{name}` | {meaning} |").expect("a string takes it");
    }
    table
}

fn functions() -> String {
    let all: usize = groups().iter().map(|(_, functions)| functions.len()).sum();
    let mut text = format!(
        "{all} functions, by what they are about. Those with a star have a variant whose default stream is that of the \
         thread, with `_ptsz` or `_ptds` at the end of its name.\n\n| about | functions |\n|---|---|\n"
    );
    for (about, functions) in groups() {
        let names: Vec<String> = functions
            .iter()
            .map(|function| {
                let star = if function.has_variant() { "*" } else { "" };
                format!("`{}`{star}", function.name)
            })
            .collect();
        writeln!(text, "| {about} | {} |", names.join(" ")).expect("a string takes it");
    }
    text
}

/// Replaces what is between the marker and the next one, or the end of its section.
fn replaced(page: &str, marker: &str, table: &str) -> String {
    let start = format!("<!-- {marker} -->\n");
    let (before, rest) = page.split_once(&start).expect("the page has the marker");
    let end = rest.find("\n## ").map_or(rest.len(), |place| place + 1);
    let after = &rest[end..];
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{before}{start}\n{table}{gap}{after}")
}

#[test]
fn tables_of_the_page_are_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/sim-driver.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let fresh = replaced(&page, "variables", &variables());
    let fresh = replaced(&fresh, "functions", &functions());
    if std::env::var_os("TILE_BLESS").is_some() {
        fs::write(&path, fresh).expect("the page can be written");
        return;
    }
    assert!(
        page == fresh,
        "`TILE_BLESS=1 cargo test -p tile-sim-driver --test docs` writes the tables of `docs/sim-driver.md`"
    );
}
