//! The table of faults in `docs/installation.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

/// The line before the tables, and the heading behind them.
const START: &str = "<!-- tests/faults writes the tables. -->\n";
const END: &str = "<!-- The end of the tables. -->\n";

/// Longer messages are shortened in the table.
const SHOWN: usize = 300;

/// The message of a build about a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The message, with `error` or `warning` before it.
    pub(crate) says: String,
    /// The instruction.
    pub(crate) cure: String,
}

impl Message {
    /// Returns the first error that the macro reports.
    pub(crate) fn of_error(said: &str) -> Option<Self> {
        let start = said.find("error: [T")?;
        let text = said[start..].split("\n  -->").next()?;
        // rustc indents further lines of a message.
        let text = text.lines().map(str::trim_start).collect::<Vec<_>>();
        Some(Self::of_lines(&text))
    }

    /// Returns the warnings of the macro.
    pub(crate) fn of_warnings(said: &str) -> Vec<Self> {
        let parts = said.split("warning: the kernels of ").skip(1);
        parts
            .map(|part| {
                let text = format!("warning: the kernels of {part}");
                let is_more = |line: &&str| line.starts_with("warning") || line.starts_with("  = ");
                let lines = text.lines().take_while(is_more);
                let lines: Vec<&str> = lines.map(str::trim_start).collect();
                Self::of_lines(&lines)
            })
            .collect()
    }

    fn of_lines(lines: &[&str]) -> Self {
        let end = lines.iter().position(|line| line.starts_with("= "));
        let says = lines[..end.unwrap_or(lines.len())].join(" ");
        let help = lines.iter().find_map(|line| line.strip_prefix("= help: "));
        Self {
            says,
            cure: help.unwrap_or_default().to_owned(),
        }
    }

    /// The row of a fault that is worked around.
    pub(crate) fn nothing_but(instead: &str) -> Self {
        Self {
            says: format!("nothing: {instead}"),
            cure: String::new(),
        }
    }

    /// Formats the row of the table.
    fn row(&self, fault: &str) -> String {
        let Self { says, cure } = self;
        let says = if says.chars().count() > SHOWN {
            let letters: Vec<char> = says.chars().collect();
            let (start, end) = (&letters[..120], &letters[letters.len() - 24..]);
            format!("{} .. {}", String::from_iter(start), String::from_iter(end))
        } else {
            says.clone()
        };
        let cell = |text: &str| {
            let text = text.replace('|', "\\|").replace("[T", "\\[T");
            // A folder in the text of a message is not HTML.
            let parts: Vec<String> = text
                .split('`')
                .enumerate()
                .map(|(index, part)| match index % 2 {
                    0 => part.replace('<', "\\<"),
                    _ => part.to_owned(),
                })
                .collect();
            parts.join("`")
        };
        format!("| {} | {} | {} |\n", cell(fault), cell(&says), cell(cure))
    }
}

/// The rows of the cases that have run, by group and fault.
static ROWS: Mutex<BTreeMap<(String, String), String>> = Mutex::new(BTreeMap::new());

fn is_blessed() -> bool {
    env::var_os("TILE_BLESS").is_some()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/installation.md")
}

/// Returns the part of the page before the tables, the tables, and the rest.
fn parts() -> (String, String, String) {
    let page = fs::read_to_string(path()).expect("the page is there");
    let (before, rest) = page.split_once(START).expect("the page has the first mark");
    let (tables, after) = rest.split_once(END).expect("the page has the second mark");
    (before.to_owned(), tables.to_owned(), after.to_owned())
}

/// Returns the rows of a group in the tables.
fn rows_of<'t>(tables: &'t str, group: &str) -> Vec<&'t str> {
    let Some((_, rest)) = tables.split_once(&heading(group)) else {
        return Vec::new();
    };
    let rows = rest.lines().take_while(|line| line.starts_with("| "));
    rows.collect()
}

fn heading(group: &str) -> String {
    format!("### {group}\n\n| what is wrong | what the build says | what to do |\n|---|---|---|\n")
}

/// Compares the row of a case with the page.
pub(crate) fn compare(group: &str, fault: &str, message: &Message) -> Result<(), String> {
    let row = message.row(fault);
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.insert((group.to_owned(), fault.to_owned()), row.clone());
    let (_, tables, _) = parts();
    if is_blessed() || rows_of(&tables, group).contains(&row.trim_end()) {
        return Ok(());
    }
    Err(format!(
        "`docs/installation.md` does not have this row, which TILE_BLESS=1 writes:\n{row}"
    ))
}

/// Checks that the tables have the rows of these faults, in this order, and no others.
pub(crate) fn lists(faults: &[(&str, Vec<&str>)]) -> Result<(), String> {
    if is_blessed() {
        return Ok(());
    }
    let (_, tables, _) = parts();
    let count: usize = faults.iter().map(|(_, faults)| faults.len()).sum();
    let all = tables.lines().filter(|line| line.starts_with("| ")).count();
    // Each table has a row of headings.
    if all != count + faults.len() {
        return Err(format!("there are {all} rows for {count} faults"));
    }
    for (group, faults) in faults {
        for (row, fault) in rows_of(&tables, group).iter().zip(faults) {
            if !row.starts_with(&format!("| {fault} | ")) {
                return Err(format!(
                    "the row of \"{fault}\" is not where it should be: {row}"
                ));
            }
        }
    }
    Ok(())
}

/// Writes the rows of the cases that have run, with `TILE_BLESS=1`. Others stay as they are.
pub(crate) fn write(faults: &[(&str, Vec<&str>)]) {
    if !is_blessed() {
        return;
    }
    let (before, tables, after) = parts();
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut fresh = String::from("\n");
    for (group, faults) in faults {
        fresh += &heading(group);
        let old = rows_of(&tables, group);
        for fault in faults {
            let start = format!("| {fault} | ");
            let is_of_fault = |row: &&&str| row.starts_with(&start);
            if let Some(row) = rows.get(&((*group).to_owned(), (*fault).to_owned())) {
                fresh += row;
            } else {
                let row = old.iter().find(is_of_fault);
                let _ = writeln!(fresh, "{}", row.unwrap_or(&&*start));
            }
        }
        fresh.push('\n');
    }
    let page = [before.as_str(), START, &fresh, END, &after].concat();
    fs::write(path(), page).expect("the page can be written");
}
