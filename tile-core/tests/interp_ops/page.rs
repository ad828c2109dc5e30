//! Compares `docs/numerics.md` with measured errors.
//!
//! With `TILE_EXHAUSTIVE`, the page must equal the measured errors; with `TILE_BLESS` in addition,
//! it is rewritten.

use crate::every_pattern::is_exhaustive;
use crate::input::FLOATS;
use crate::roster::{Comparison, ROSTER};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest errors of functions in units in the last place, by type.
pub(crate) type Figures = Vec<(&'static str, [f64; 4])>;

/// The heading of the part of the page that another test checks.
const GPU: &str = "\n## On a GPU\n";

const HEAD: &str = include_str!("page.md");

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/numerics.md")
}

/// Compares measured errors with the page.
pub(crate) fn compare(figures: &Figures) {
    if is_exhaustive() {
        // The rest of the page belongs to the tests of the back end.
        let old = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
        let gpu = old.find(GPU).map_or("", |start| &old[start..]);
        let expected = page(figures) + gpu;
        if std::env::var_os("TILE_BLESS").is_some() {
            fs::write(path(), expected).expect("`docs/numerics.md` can be written");
            return;
        }
        let page = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
        assert!(
            page == expected,
            "`docs/numerics.md` is stale: run this test with `TILE_EXHAUSTIVE=1 TILE_BLESS=1`"
        );
        return;
    }
    let page = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
    let stated = stated(page.split(GPU).next().expect("a page has a beginning"));
    for (name, errors) in figures {
        let row = stated.iter().find(|(stated, _)| stated == name);
        let (_, stated) = row.unwrap_or_else(|| panic!("`{name}` is not on `docs/numerics.md`"));
        for ((error, stated), scalar) in errors.iter().zip(stated).zip(FLOATS) {
            assert!(
                rounded_up(*error) <= *stated,
                "{name} {scalar}: {error} ulp, and the page says {stated}"
            );
        }
    }
}

/// Returns the rows of the page that have four numbers.
fn stated(page: &str) -> Vec<(String, [f64; 4])> {
    page.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            let name = cells.next()?.trim_end_matches('`').to_owned();
            let numbers: Vec<f64> = cells
                .map_while(|cell| cell.trim_end_matches(" |").parse().ok())
                .collect();
            Some((name, numbers.try_into().ok()?))
        })
        .collect()
}

fn rounded_up(error: f64) -> f64 {
    (error * 1000.0).ceil() / 1000.0
}

fn page(figures: &Figures) -> String {
    let mut out = HEAD.to_owned();
    out += "\n## Largest errors\n\nIn units of the last place of the exact result. 0.5 is correct rounding; what is 0 is exact.\n\n";
    out += "| operation | f16 | bf16 | f32 | f64 |\n|---|---|---|---|---|\n";
    for (name, errors) in figures {
        let [a, b, c, d] = errors.map(rounded_up);
        let _ = writeln!(out, "| `{name}` | {a:.3} | {b:.3} | {c:.3} | {d:.3} |");
    }
    for (title, wanted) in SECTIONS {
        let names: Vec<String> = ROSTER
            .iter()
            .filter(|(_, by)| wanted(by))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let _ = write!(out, "\n{title}: {}.\n", names.join(", "));
    }
    out
}

type Section = (&'static str, fn(&Comparison) -> bool);

const SECTIONS: [Section; 3] = [
    (
        "Bit for bit the exact result rounded once, in every rounding mode and form that the operation has",
        |by| matches!(by, Comparison::Fractions),
    ),
    (
        "Bit for bit what another way of computing gives; `ftof`, `ftoi` and `itof` for every pattern of every type of at most 19 bits, `mmaf` where no sum rounds, `reduce` and `scan` in the order above",
        |by| matches!(by, Comparison::Exactly(_)),
    ),
    ("Without arithmetic", |by| {
        matches!(by, Comparison::Structure)
    }),
];

#[test]
fn the_page_lists_every_operation_without_effects() {
    let page = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
    for (name, by) in ROSTER {
        if !matches!(by, Comparison::Flattened) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
    assert!(page.starts_with(HEAD), "`docs/numerics.md` is stale");
}
