//! Renders the op table as Markdown: `docs/ops.md`.
//!
//! The page depends on the rows only. A test keeps it up to date.

use super::{
    Arity, AttrDef, AttrKind, Constraint, Effects, MiscOp, OpDef, Opcode, Presence, RegionCount,
    Rule, SlotDef, Version,
};
use crate::ir::{
    AtomicRmwMode, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, MemoryOrdering,
    MemoryScope, RoundingMode, Signedness, SymbolVisibility,
};
use std::fmt::Write;

const HEAD: &str = "# Operations

The operations of the dialects `cuda_tile`, `loop` and `ptx` that this compiler knows, rendered from the rows of the op
table (`tile-core/src/ops/`). [loop.md](loop.md) describes the lowering of `loop`, [language.md](language.md#text-in-ptx) the use of `ptx`. A test compares this page with the rows;
`TILE_BLESS=1 cargo test -p tile-core --test ops_reference` rewrites it.

- **Number** identifies the operation in bytecode, **since** is the first version of the dialect that has it. Operations of
  `loop` have neither, since they are flattened first, nor have those of `ptx`, which GPUs alone run.
- **Rules** are checked by the verifier for every operation; what no rule can say is in `tile-core/src/verify/`.
- **Assembly** is what follows the mnemonic and the names of the results: `$slot` is an operand or attribute, `type($slot)`
  a type, text between backquotes is literal, and `( .. )?` may be left out. If a slot holds any number
  of values, these and their types are separated by commas; one type is enough in `types($slot)` if all are the same. A word
  without `$` is not a slot, such as a `region` in braces.
- An attribute is written as its value, a flag as its name. `overflow` and `rounding` have their value in angle
  brackets, as `rounding<zero>`, as have optimization hints; lists are in square brackets. Defaults are not printed.
- A dictionary `{..}` of further attributes may stand before the `:` of an operation, and after its last region.
";

/// Returns the Markdown page.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    contents(&mut page);
    let mut family = "";
    for opcode in Opcode::all() {
        let title = title(opcode);
        if title != family {
            family = title;
            let _ = write!(page, "\n## {title}\n\n");
            table(&mut page, title);
        }
        operation(&mut page, opcode.def());
    }
    page
}

/// Lists the families, one per line.
fn contents(page: &mut String) {
    page.push_str("\n| family | operations |\n|---|---|\n");
    let mut families: Vec<(&str, usize)> = Vec::new();
    for opcode in Opcode::all() {
        let title = title(opcode);
        match families.last_mut() {
            Some((family, count)) if *family == title => *count += 1,
            _ => families.push((title, 1)),
        }
    }
    for (family, count) in families {
        let anchor = family.to_lowercase().replace(' ', "-");
        let _ = writeln!(page, "| [{family}](#{anchor}) | {count} |");
    }
}

/// Lists the operations of a family, one per line.
fn table(page: &mut String, family: &str) {
    let rows = || Opcode::all().filter(|&opcode| title(opcode) == family);
    let has_bytecode = rows().all(|opcode| opcode.dialect().has_bytecode());
    page.push_str(if has_bytecode {
        "| operation | number | since | |\n|---|---|---|---|\n"
    } else {
        "| operation | |\n|---|---|\n"
    });
    for opcode in rows() {
        let def = opcode.def();
        let (mnemonic, number, since) = (def.mnemonic, def.number, def.since);
        let numbers = if has_bytecode {
            format!(" `{number:#04x}` | {since} |")
        } else {
            String::new()
        };
        let doc = def.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        // The summary is the first sentence, up to its formula or its conditions.
        let mut ends = doc
            .match_indices(['.', ':', ';'])
            .map(|(sentence_end, _)| sentence_end);
        let ends_here =
            |sentence_end: &usize| !doc[sentence_end + 1..].starts_with(|next: char| next != ' ');
        let end = ends.find(ends_here).unwrap_or(doc.len());
        let _ = writeln!(
            page,
            "| [`{mnemonic}`](#{}) |{numbers} {} |",
            mnemonic.replace(['$', '.'], ""),
            doc[..end].trim()
        );
    }
}

fn title(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Core(_) => "Core",
        Opcode::Conversion(_) => "Conversions",
        Opcode::ControlFlow(_) => "Control flow",
        Opcode::Memory(_) => "Memory",
        Opcode::Float(_) => "Floating point",
        Opcode::Integer(_) => "Integer",
        Opcode::Bitwise(_) => "Bitwise",
        Opcode::Atomic(_) => "Atomics",
        Opcode::View(_) => "Views",
        Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure) => "Dialect ptx",
        Opcode::Misc(_) => "Misc",
        Opcode::Testing(_) => "Testing",
        Opcode::LoopDialect(_) => "Dialect loop",
        Opcode::Unregistered(_) => "Other dialects",
    }
}

fn operation(page: &mut String, def: &OpDef) {
    let OpDef {
        dialect,
        mnemonic,
        number,
        since,
        operands,
        attrs,
        results,
        regions,
        rules,
        effects,
        commutative,
        segmented: _,
        asm,
        syntax,
        doc,
    } = def;
    let doc: Vec<&str> = doc.lines().map(str::trim).collect();
    let _ = write!(page, "\n### `{mnemonic}`\n\n{}\n\n", doc.join("\n").trim());
    page.push_str("| | |\n|---|---|\n");
    let mut row = |name: &str, text: String| {
        let _ = writeln!(page, "| {name} | {} |", text.replace('|', "\\|"));
    };
    if dialect.has_bytecode() {
        row("number", format!("`{number:#04x}`, since {since}"));
    }
    if !operands.is_empty() {
        row("operands", list(operands, slot));
    }
    if !attrs.is_empty() {
        row("attributes", list(attrs, attribute));
    }
    if !results.is_empty() {
        row("results", list(results, slot));
    }
    match regions {
        RegionCount::Exactly(0) => {}
        RegionCount::Exactly(count) => row("regions", count.to_string()),
        RegionCount::Any => row("regions", "any number".to_owned()),
    }
    let mut rules: Vec<String> = rules.iter().map(rule).collect();
    if *commutative {
        rules.push("the first two operands may be exchanged".to_owned());
    }
    if !rules.is_empty() {
        row("rules", rules.join("<br>"));
    }
    row("effects", effect(*effects).to_owned());
    let written = if syntax.is_empty() { asm } else { syntax };
    // The marks `^` and `!` matter only to the engine in `text`.
    row(
        "assembly",
        format!("`` {} ``", written.replace(['^', '!'], "")),
    );
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(show).collect();
    items.join("<br>")
}

fn since_text(since: Version) -> String {
    if since == Version::V13_1 {
        return String::new();
    }
    format!(", since {since}")
}

fn slot(slot: &SlotDef) -> String {
    let SlotDef {
        name,
        constraint,
        arity,
        since,
    } = slot;
    let arity = match arity {
        Arity::One => "",
        Arity::Optional => ", optional",
        Arity::Variadic => ", any number",
    };
    let since = since_text(*since);
    format!("`{name}`: {}{arity}{since}", admitted(*constraint))
}

fn admitted(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::Any => "any type",
        Constraint::AnyTileIr => "a number type or any type of the dialect",
        Constraint::Tile => "any tile",
        Constraint::IntTile => "tile of `i1`, `i8`, `i16`, `i32` or `i64`",
        Constraint::I4IntTile => "tile of `i1`, `i4`, `i8`, `i16`, `i32` or `i64`",
        Constraint::BaseFloatTile => "tile of `f16`, `bf16`, `f32` or `f64`",
        Constraint::FloatTile => "tile of any float",
        Constraint::NumTile => "tile of any number but `i4`",
        Constraint::I1Tile => "tile of `i1`",
        Constraint::I8Tile => "tile of `i8`",
        Constraint::I32Tile => "tile of `i32`",
        Constraint::I64Tile => "tile of `i64`",
        Constraint::I4NumTile => "tile of any number",
        Constraint::PtrTile => "tile of pointers",
        Constraint::F32Tile => "tile of `f32`",
        Constraint::MmaScaledInput => "tile of `f8E4M3FN`, `f8E5M2` or `f4E2M1FN`",
        Constraint::MmaScale => "tile of `f8E4M3FN` or `f8E8M0FNU`",
        Constraint::PartitionView => "`partition_view`",
        Constraint::StridedView => "`strided_view`",
        Constraint::GatherScatterView => "`gather_scatter_view`",
        Constraint::ScalarI1 => "`tile<i1>`",
        Constraint::ScalarI32 => "`tile<i32>`",
        Constraint::ScalarInt => "tile of rank 0 of `i1`, `i8`, `i16`, `i32` or `i64`",
        Constraint::ScalarPtr => "tile of rank 0 of pointers",
        Constraint::MmaInput => "tile of a type that `mmaf` multiplies",
        Constraint::MmaAccumulator => "tile of `f16`, `f32` or `f64`",
        Constraint::TensorView => "`tensor_view`",
        Constraint::TileView => "view that is accessed by tiles",
        Constraint::Token => "`token`",
    }
}

fn attribute(attr: &AttrDef) -> String {
    let AttrDef {
        name,
        kind,
        presence,
        since,
    } = attr;
    let presence = match presence {
        Presence::Required => String::new(),
        Presence::Optional if *kind == AttrKind::Unit => String::new(),
        Presence::Optional => ", optional".to_owned(),
        Presence::AllFalse => ", by default all `false`".to_owned(),
        Presence::Default(number) => match value_name(*kind, *number) {
            Some(name) => format!(", by default `{name}`"),
            None => format!(", by default {number}"),
        },
    };
    let since = since_text(*since);
    format!("`{name}`: {}{presence}{since}", held(*kind))
}

fn held(kind: AttrKind) -> String {
    let text = match kind {
        AttrKind::Unit => "flag",
        AttrKind::U32 => "32-bit number",
        AttrKind::U64 => "64-bit number",
        AttrKind::Bool => "`true` or `false`",
        AttrKind::Str => "string",
        AttrKind::Symbol => "name of a symbol",
        AttrKind::Type => "type",
        AttrKind::Dense => "dense data",
        AttrKind::I32Array => "list of `i32`",
        AttrKind::BoolArray => "list of truth values",
        AttrKind::Scalars => "list of typed numbers",
        AttrKind::Assume => "an assumption",
        AttrKind::Hints => "hints for optimization",
        AttrKind::Signedness => return names(Signedness::ALL.iter().map(|value| value.name())),
        AttrKind::Overflow => return names(IntegerOverflow::ALL.iter().map(|value| value.name())),
        AttrKind::Predicate => {
            return names(ComparisonPredicate::ALL.iter().map(|value| value.name()));
        }
        AttrKind::Ordering => {
            return names(ComparisonOrdering::ALL.iter().map(|value| value.name()));
        }
        AttrKind::Visibility => {
            return names(SymbolVisibility::ALL.iter().map(|value| value.name()));
        }
        AttrKind::RmwMode(set) => {
            let legal = (0..16).filter(|number| set >> number & 1 == 1);
            return names(legal.filter_map(|number| value_name(kind, number)));
        }
        AttrKind::Rounding(set) | AttrKind::MemoryOrdering(set) | AttrKind::MemoryScope(set) => {
            let legal = (0..8).filter(|number| set >> number & 1 == 1);
            return names(legal.filter_map(|number| value_name(kind, number)));
        }
    };
    text.to_owned()
}

/// Returns the name of a value of an enum attribute.
fn value_name(kind: AttrKind, number: u64) -> Option<&'static str> {
    match kind {
        AttrKind::Signedness => Signedness::from_number(number).map(Signedness::name),
        AttrKind::Overflow => IntegerOverflow::from_number(number).map(IntegerOverflow::name),
        AttrKind::Predicate => {
            ComparisonPredicate::from_number(number).map(ComparisonPredicate::name)
        }
        AttrKind::Ordering => ComparisonOrdering::from_number(number).map(ComparisonOrdering::name),
        AttrKind::MemoryScope(_) => MemoryScope::from_number(number).map(MemoryScope::name),
        AttrKind::RmwMode(_) => AtomicRmwMode::from_number(number).map(AtomicRmwMode::name),
        AttrKind::Visibility => SymbolVisibility::from_number(number).map(SymbolVisibility::name),
        AttrKind::Rounding(_) => RoundingMode::from_number(number).map(RoundingMode::name),
        AttrKind::MemoryOrdering(_) => {
            MemoryOrdering::from_number(number).map(MemoryOrdering::name)
        }
        AttrKind::Unit
        | AttrKind::U32
        | AttrKind::U64
        | AttrKind::Bool
        | AttrKind::Str
        | AttrKind::Symbol
        | AttrKind::Type
        | AttrKind::Dense
        | AttrKind::I32Array
        | AttrKind::BoolArray
        | AttrKind::Scalars
        | AttrKind::Assume
        | AttrKind::Hints => None,
    }
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn rule(rule: &Rule) -> String {
    let slots = |slots: &[&'static str]| names(slots.iter().copied());
    match rule {
        Rule::SameType(operand) => format!("one type: {}", slots(operand)),
        Rule::SameShape(operand) => format!("one shape: {}", slots(operand)),
        Rule::SameElement(operand) => format!("one element type: {}", slots(operand)),
        Rule::SameRank(operand) => format!("one rank: {}", slots(operand)),
        Rule::FlagNeedsF32(flag, operand) => format!("`{flag}` only where `{operand}` is of `f32`"),
        Rule::RoundingNeedsF32(set, operand) => {
            let modes = (0..8).filter(|number| set >> number & 1 == 1);
            let modes = modes
                .filter_map(|number| RoundingMode::from_number(number).map(RoundingMode::name));
            format!("{} only where `{operand}` is of `f32`", names(modes))
        }
        Rule::Terminator => "ends its block".to_owned(),
        Rule::ParentIsOneOf(operand) => format!("directly inside {}", slots(operand)),
    }
}

fn effect(effects: Effects) -> &'static str {
    match effects {
        Effects::Pure => "none: may be moved, merged, removed, speculated",
        Effects::NoMemoryEffect => "touches no memory: may be merged and removed, not speculated",
        Effects::Read => "reads memory, in the order of tokens",
        Effects::Write => "must be kept",
        Effects::Regions => "those of its regions",
    }
}
