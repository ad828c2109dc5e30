//! Holds the declarations that rust-analyzer sees and the reference tables to the rows, from which they are generated.
//!
//! `TILE_BLESS=1 cargo test --workspace --lib -- language::documents` rewrites `src/shadow/language.rs` and the tables
//! of `docs/language.md`.

use super::constants::CONSTANTS;
use super::enums::Enum;
use super::{
    ASSOCIATED, Declaration, FUNCTIONS, GATHER_VIEWS, MATHEMATICAL, NUMBERS, ORDERINGS, PADDINGS,
    PARTITIONS, POINTERS, ROUNDINGS, Row, SCOPES, TENSORS, TILES,
};
use crate::hir::MathOp;
use crate::hir::math::{self, Gives, Takes};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Methods that a trait of Rust gives to numbers too, so that a second trait with them would be ambiguous.
const OF_ORD: [&str; 3] = ["max", "min", "clamp"];

/// A row without its check.
struct Entry {
    name: &'static str,
    usage: &'static str,
    /// The declaration: `fn` or `unsafe fn`, and what follows the name.
    declaration: String,
    /// The lines of the documentation, and those that follow in all rows with this declaration.
    doc: Vec<&'static str>,
    notes: &'static [&'static str],
}

fn entries<Check>(rows: &'static [Row<Check>]) -> Vec<Entry> {
    let entry = |row: &'static Row<Check>| {
        let Declaration { text, notes } = row.declaration;
        Entry {
            name: row.name,
            usage: row.usage,
            declaration: text.to_owned(),
            doc: row.doc.to_vec(),
            notes,
        }
    };
    rows.iter().map(entry).collect()
}

/// Returns the parameters that the usage of an elementwise function names, without the receiver.
fn parameters(row: &math::Row) -> Vec<&'static str> {
    let (_, list) = row.usage.split_once('(').expect("a usage is a call");
    let list = list.strip_suffix(')').expect("a usage is a call");
    let names: Vec<&str> = list.split(", ").filter(|name| !name.is_empty()).collect();
    assert_eq!(names.len() + 1, row.count, "the operands of `{}`", row.name);
    names
}

/// Returns the declaration of an elementwise function, with the words of `numbers.rs`.
fn elementwise(row: &'static math::Row) -> Entry {
    let mut declaration = "fn(self".to_owned();
    let names = parameters(row);
    for (index, name) in names.iter().enumerate() {
        let last = row.last.filter(|_| index + 1 == names.len());
        let ty = last.map_or_else(
            || "Operand".to_owned(),
            |ty| format!("OperandOf<{}>", ty.name()),
        );
        let _ = write!(declaration, ", {name}: {ty}");
    }
    declaration += match row.gives {
        Gives::Same => ") -> Self",
        Gives::Bool => ") -> Of<bool>",
        Gives::U32 => ") -> Of<u32>",
        Gives::Unsigned => ") -> Of<<ELEMENT as Width>::Unsigned> where ELEMENT: Width",
        Gives::Bits => ") -> Of<<ELEMENT as Bits>::Unsigned> where ELEMENT: Bits",
    };
    Entry {
        name: row.name,
        usage: row.usage,
        declaration,
        doc: vec![row.doc],
        notes: &[],
    }
}

/// The type whose methods are declared.
#[derive(Clone, Copy, PartialEq)]
enum Receiver {
    Number,
    Tile,
}

/// Returns a declaration of `numbers.rs` with the types of a receiver.
fn for_receiver(declaration: &str, receiver: Receiver) -> String {
    let mut text = String::new();
    let mut rest = declaration;
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    // Replaces whole words, and the list in brackets that follows some of them.
    while let Some(start) = rest.find(is_word) {
        text += &rest[..start];
        rest = &rest[start..];
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        match (word, receiver) {
            ("ELEMENT", Receiver::Number) => text += "Self",
            ("ELEMENT", Receiver::Tile) => text += "T",
            ("Operand", Receiver::Number) => text += "Self",
            ("Operand", Receiver::Tile) => text += "impl Operand<T, RANK>",
            ("Of" | "OperandOf", _) => {
                let (inner, behind) = in_brackets(rest);
                rest = behind;
                let inner = for_receiver(inner, receiver);
                let _ = match (word, receiver) {
                    (_, Receiver::Number) => write!(text, "{inner}"),
                    ("Of", Receiver::Tile) => write!(text, "Tile<{inner}, RANK>"),
                    (_, Receiver::Tile) => write!(text, "impl Operand<{inner}, RANK>"),
                };
            }
            (other, _) => text += other,
        }
    }
    text + rest
}

/// Splits `<A<B>> rest` into `A<B>` and ` rest`.
fn in_brackets(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (index, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..index], &text[index + 1..]);
        }
    }
    panic!("brackets are closed in `{text}`")
}

/// Writes the declaration of a function.
fn declare(out: &mut String, indent: &str, visibility: &str, entry: &Entry) {
    for line in entry.doc.iter().chain(entry.notes) {
        let line = format!("{indent}/// {}", line.trim_start());
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let (unsafety, rest) = match entry.declaration.strip_prefix("unsafe fn") {
        Some(rest) => ("unsafe ", rest),
        None => (
            "",
            entry
                .declaration
                .strip_prefix("fn")
                .expect("a declaration begins with `fn`"),
        ),
    };
    let name = entry.name;
    let _ = writeln!(
        out,
        "{indent}{visibility}{unsafety}fn {name}{rest} {{ only_in_kernels() }}"
    );
}

fn declare_all(out: &mut String, header: &str, entries: &[Entry]) {
    let _ = writeln!(out, "\n{header} {{");
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let visibility = if header.contains("trait") { "" } else { "pub " };
        declare(out, "    ", visibility, entry);
    }
    out.push_str("}\n");
}

fn declare_enum<V>(out: &mut String, of: &Enum<V>) {
    let _ = writeln!(
        out,
        "\n///{}\n#[derive(Clone, Copy, Debug)]\npub enum {} {{",
        of.doc, of.name
    );
    for variant in of.variants {
        let _ = writeln!(out, "    ///{}\n    {},", variant.doc, variant.name);
    }
    out.push_str("}\n");
}

/// Returns the methods that numbers and tiles have, with the types of a receiver.
fn number_methods(receiver: Receiver) -> Vec<Entry> {
    let math = MathOp::TABLE.iter().map(elementwise);
    let all = math.chain(entries(NUMBERS));
    let of_receiver = all.map(|entry| Entry {
        declaration: for_receiver(&entry.declaration, receiver),
        ..entry
    });
    of_receiver
        .filter(|entry| receiver == Receiver::Tile || !OF_ORD.contains(&entry.name))
        .collect()
}

/// Returns the text of `src/shadow/language.rs`.
fn declarations() -> String {
    let mut out = "\
//! The functions, methods and enums of the language, with types for rust-analyzer.
//!
//! This file is generated from the rows of `tile-frontend/src/check/language/` and `tile-frontend/src/hir/math.rs`:
//! `TILE_BLESS=1 cargo test --workspace --lib -- language::documents` rewrites it.

use super::{
    Axes, Beyond, Bits, Choose, Distance, Drawn, Element, GatherView, Indices, Integer, Literal, MatmulOperand, OfBits,
    Operand, Partition, Pointee, Pointer, Shape, Tensor, Tile, TileIndex, Tiles, Value, Width, only_in_kernels,
};
"
    .to_owned();
    for entry in entries(FUNCTIONS).iter().chain(&entries(ASSOCIATED)) {
        out.push('\n');
        declare(&mut out, "", "pub ", entry);
    }
    out.push_str("\n/// Methods of numbers in kernels, in addition to those of Rust.");
    declare_all(
        &mut out,
        "pub trait Number: Element",
        &number_methods(Receiver::Number),
    );
    let impl_of = |name: &str| format!("impl<T: Element, const RANK: usize> {name}<T, RANK>");
    let mut of_tiles = number_methods(Receiver::Tile);
    of_tiles.extend(entries(TILES));
    declare_all(&mut out, &impl_of("Tile"), &of_tiles);
    declare_all(&mut out, &impl_of("Tensor"), &entries(TENSORS));
    declare_all(&mut out, &impl_of("Partition"), &entries(PARTITIONS));
    declare_all(&mut out, &impl_of("GatherView"), &entries(GATHER_VIEWS));
    declare_all(&mut out, &impl_of("Pointer"), &entries(POINTERS));
    declare_enum(&mut out, &PADDINGS);
    declare_enum(&mut out, &ROUNDINGS);
    declare_enum(&mut out, &ORDERINGS);
    declare_enum(&mut out, &SCOPES);
    out
}

/// Writes a file if `TILE_BLESS` is set; otherwise panics, as its text is not that of the rows.
fn bless(path: &Path, text: &str) {
    assert!(
        std::env::var_os("TILE_BLESS").is_some(),
        "{} differs from the rows; `TILE_BLESS=1` rewrites it:\n{text}",
        path.display()
    );
    std::fs::write(path, text).expect("a writable file");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

#[test]
fn the_declarations_for_rust_analyzer_are_those_of_the_rows() {
    let path = root().join("src/shadow/language.rs");
    let text = declarations();
    let syntax = syn::parse_file(&text);
    assert!(syntax.is_ok(), "{:?} in\n{text}", syntax.err());
    if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
        bless(&path, &text);
    }
}

/// Checks that the operands in the usage of each row are those of its declaration. An ordering and a scope may follow.
#[test]
fn usages_have_the_arguments_of_the_declarations() {
    let lists = [
        entries(FUNCTIONS),
        entries(ASSOCIATED),
        number_methods(Receiver::Tile),
        entries(TILES),
        entries(TENSORS),
        entries(PARTITIONS),
        entries(GATHER_VIEWS),
        entries(POINTERS),
    ];
    for entry in lists.iter().flatten() {
        let declaration = entry.declaration.replacen("fn", "fn f", 1) + ";";
        let item: syn::TraitItemFn = syn::parse_str(&declaration).expect(entry.name);
        let declared = item
            .sig
            .inputs
            .iter()
            .filter(|input| matches!(input, syn::FnArg::Typed(_)));
        let arguments = match syn::parse_str(entry.usage).expect(entry.usage) {
            syn::Expr::Call(call) => call.args,
            syn::Expr::MethodCall(call) => call.args,
            _ => panic!("`{}` is a call", entry.usage),
        };
        let is_optional = |argument: &&syn::Expr| match argument {
            syn::Expr::Path(path) => path.path.segments[0].ident == SCOPES.name,
            _ => false,
        };
        let used = arguments.iter().filter(|argument| !is_optional(argument));
        assert_eq!(declared.count(), used.count(), "`{}`", entry.usage);
    }
}

/// The reference tables: in each, the rows that the comment before it names, or the rest of the list.
///
/// `<!-- generated: functions block_id num_blocks -->` begins a table, `<!-- end -->` ends it.
#[test]
fn the_reference_is_that_of_the_rows() {
    const BEGIN: &str = "<!-- generated: ";
    const END: &str = "<!-- end -->";
    let path = root().join("docs/language.md");
    let page = std::fs::read_to_string(&path).expect("the reference");
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for begin in page.match_indices(BEGIN).map(|(at, _)| at + BEGIN.len()) {
        let (words, _) = page[begin..].split_once(" -->").expect("a comment ends");
        let mut words = words.split(' ');
        sections.push((words.next().expect("a list"), words.collect()));
    }
    let mut text = String::new();
    let mut rest = page.as_str();
    for (list, names) in &sections {
        let begin = rest.find(BEGIN).expect("as above");
        let head = begin + rest[begin..].find('\n').expect("a line ends") + 1;
        let end = head + rest[head..].find(END).expect("a comment ends each table");
        // A table without names has all rows that no other table names.
        let others = sections.iter().filter(|(other, _)| other == list);
        let others: BTreeSet<&str> = others
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        text += &rest[..head];
        text += &table(list, names, &others);
        rest = &rest[end..];
    }
    text += rest;
    for (list, _) in tables() {
        let has_rest = sections
            .iter()
            .any(|(name, names)| *name == list && names.is_empty());
        assert!(
            has_rest,
            "the reference has no table for the rest of `{list}`"
        );
    }
    if text != page {
        bless(&path, &text);
    }
}

/// Returns the lists of rows that the reference has tables of, with their names.
fn tables() -> Vec<(&'static str, Vec<Cells>)> {
    vec![
        ("functions", cells(entries(FUNCTIONS))),
        ("associated", cells(entries(ASSOCIATED))),
        ("math", MathOp::TABLE.iter().map(math_cells).collect()),
        ("numbers", cells(entries(NUMBERS))),
        ("tiles", cells(entries(TILES))),
        ("tensors", cells(entries(TENSORS))),
        ("partitions", cells(entries(PARTITIONS))),
        ("gather-views", cells(entries(GATHER_VIEWS))),
        ("pointers", cells(entries(POINTERS))),
        (
            "constants",
            CONSTANTS
                .iter()
                .map(|row| Cells {
                    name: row.name,
                    cells: vec![format!("`{}`", row.name), row.doc.trim().to_owned()],
                })
                .collect(),
        ),
        ("padding", variants(&PADDINGS)),
        ("rounding", variants(&ROUNDINGS)),
        ("ordering", variants(&ORDERINGS)),
        ("scope", variants(&SCOPES)),
    ]
}

/// A row of a reference table.
struct Cells {
    name: &'static str,
    cells: Vec<String>,
}

fn variants<V>(of: &Enum<V>) -> Vec<Cells> {
    let row = |variant: &super::enums::Variant<V>| Cells {
        name: variant.name,
        cells: vec![
            format!("`{}::{}`", of.name, variant.name),
            variant.doc.trim().to_owned(),
        ],
    };
    of.variants.iter().map(row).collect()
}

fn cells(entries: Vec<Entry>) -> Vec<Cells> {
    let row = |entry: Entry| {
        let call = if entry.declaration.starts_with("unsafe") {
            format!("`unsafe {{ {} }}`", entry.usage)
        } else {
            format!("`{}`", entry.usage)
        };
        let lines = entry.doc.iter().map(|line| line.trim());
        let lines: Vec<&str> = lines
            .filter(|line| !line.is_empty() && *line != "# Safety")
            .collect();
        Cells {
            name: entry.name,
            // A bar would end the cell.
            cells: vec![
                call.replace('|', "\\|"),
                lines.join(" ").replace('|', "\\|"),
            ],
        }
    };
    entries.into_iter().map(row).collect()
}

fn math_cells(row: &'static math::Row) -> Cells {
    let of = match row.takes {
        Takes::Floats if row.op.flushes() => "`f32`",
        Takes::Floats => "floats",
        Takes::Signed => "signed integers",
        Takes::Integers => "integers",
        Takes::Unsigned => "unsigned integers",
        Takes::SignedAndFloats => "signed integers, floats",
        Takes::Numbers => "integers, floats",
    };
    let gives = match row.gives {
        Gives::Same => "",
        Gives::Bool => "`bool`",
        Gives::U32 => "`u32`",
        Gives::Unsigned | Gives::Bits => "the unsigned type of the width",
    };
    Cells {
        name: row.name,
        cells: vec![
            format!("`{}`", row.usage),
            row.doc.replace('|', "\\|"),
            of.to_owned(),
            gives.to_owned(),
        ],
    }
}

/// Returns a table of the rows of a list with these names; without names, of those that are not in `others`.
fn table(list: &str, names: &[&str], others: &BTreeSet<&str>) -> String {
    let (_, rows) = tables()
        .into_iter()
        .find(|(name, _)| *name == list)
        .unwrap_or_else(|| {
            panic!("the reference has a table of `{list}`, which is no list of rows")
        });
    let head = match list {
        "math" => "| method | effect | elements | result, if another |\n|---|---|---|---|\n",
        "constants" | "padding" | "rounding" | "ordering" | "scope" => {
            "| name | meaning |\n|---|---|\n"
        }
        "functions" | "associated" => "| function | effect |\n|---|---|\n",
        _ => "| method | effect |\n|---|---|\n",
    };
    let mut text = head.to_owned();
    let mut write = |row: &Cells| {
        let _ = writeln!(text, "| {} |", row.cells.join(" | "));
    };
    if names.is_empty() {
        rows.iter()
            .filter(|row| !others.contains(row.name))
            .for_each(&mut write);
    }
    for name in names {
        let row = rows.iter().find(|row| row.name == *name);
        write(row.unwrap_or_else(|| panic!("`{list}` has no row `{name}`")));
    }
    text
}

/// The constants that Rust's numbers lack are declared beside the other types of the copies.
#[test]
fn constants_that_rust_lacks_are_declared() {
    let path = root().join("src/shadow/scalar.rs");
    let text = std::fs::read_to_string(path).expect("the file");
    for constant in CONSTANTS.iter().filter(|constant| !constant.is_in_rust) {
        let declaration = format!("    const {}: ", constant.name);
        assert!(
            text.contains(&declaration),
            "`{}` is not declared",
            constant.name
        );
    }
    assert!(
        MATHEMATICAL
            .iter()
            .all(|(name, _)| CONSTANTS.iter().all(|constant| constant.name != *name))
    );
}
