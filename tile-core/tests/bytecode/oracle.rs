//! Runs NVIDIA's tools.

use crate::tools;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Returns the path of a tool. Without the tool the test is skipped, unless tools are required.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let path = tools::tool(name);
    if path.is_none() {
        tools::skip(name);
    }
    path
}

/// Runs `tileirdisasm` on files in a temporary folder.
pub(crate) struct Disassembler {
    tool: PathBuf,
    folder: tempfile::TempDir,
}

impl Disassembler {
    /// Finds the tool; `None` if it is neither installed nor required.
    pub(crate) fn find() -> Option<Self> {
        Some(Self {
            tool: tool("tileirdisasm")?,
            folder: tempfile::tempdir().expect("a temporary folder"),
        })
    }

    /// Returns the text that the tool prints for a file, or its error.
    pub(crate) fn text(&self, bytes: &[u8]) -> Result<String, String> {
        self.run(bytes, &[])
    }

    /// Like [`Disassembler::text`], with locations.
    pub(crate) fn debug_text(&self, bytes: &[u8]) -> Result<String, String> {
        self.run(bytes, &["-g"])
    }

    fn run(&self, bytes: &[u8], options: &[&str]) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new_in(&self.folder).expect("the folder is writable");
        std::fs::write(&file, bytes).expect("it is writable");
        let output = Command::new(&self.tool)
            .args(options)
            .arg(file.path())
            .output()
            .expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let Output {
            status,
            stdout,
            stderr,
        } = output;
        match status.code() {
            Some(0) => Ok(text(&stdout)),
            Some(_) => Err(text(&stderr)),
            None => Err(format!("{status}")),
        }
    }
}

/// Normalizes text so that it depends neither on names of values nor on layout: puts one space
/// between words, numbers values in order of definition, splits packs of results, and drops the
/// module around the operations.
pub(crate) fn normalized(text: &str) -> String {
    let mut names = Names::default();
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ");
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        // The arguments of a body are on a line of their own.
        out.push_str(if line.starts_with('(') { " " } else { "\n" });
        let results = line.find(" = ").filter(|_| line.starts_with('%'));
        let mut offset = 0;
        while let Some(start) = line[offset..].find('%').map(|start| offset + start) {
            out.push_str(&line[offset..start]);
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_$.-#".contains(c);
            let rest = &line[start + 1..];
            let (name, rest) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
            offset = line.len() - rest.len();
            let (count, _) = rest.split_once(" =").unwrap_or_default();
            let count = count
                .strip_prefix(':')
                .and_then(|count| count.parse::<usize>().ok());
            if let Some(count) = count {
                offset = line.find(" =").expect("it was found");
                let parts: Vec<String> = (0..count).map(|part| names.define(name, part)).collect();
                out.push_str(&parts.join(", "));
            } else if results.is_some_and(|end| start < end)
                || rest.starts_with(": ")
                || rest.starts_with(" = ")
                || line[..start].ends_with("for ")
                || line[..start].ends_with("for unsigned ")
            {
                out.push_str(&names.define(name, 0));
            } else {
                out.push_str(&names.renamed(name));
            }
        }
        out.push_str(&line[offset..]);
    }
    let out = out.trim();
    match out.strip_prefix("cuda_tile.module @kernels {\n") {
        Some(body) => body
            .strip_suffix("\n}")
            .expect("a module is closed")
            .to_owned(),
        None => out.to_owned(),
    }
}

/// Numbers of values by name; a name may be redefined.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, usize>,
    next: usize,
}

impl Names {
    fn define(&mut self, name: &str, part: usize) -> String {
        self.numbers.insert(key(name, part), self.next);
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    fn renamed(&self, name: &str) -> String {
        let (name, part) = match name.split_once('#') {
            Some((name, part)) => (name, part.parse().expect("a number of a result")),
            None => (name, 0),
        };
        format!("%{}", self.numbers[&key(name, part)])
    }
}

fn key(name: &str, part: usize) -> String {
    format!("{name}#{part}")
}
