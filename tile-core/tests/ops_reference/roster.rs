//! Compares the rows with the public specification of the dialect, line by line.
//!
//! `roster.txt` is the specification; intended differences are in [`DIFFERENCES`].

use tile_core::ir::{AtomicRmwMode, MemoryOrdering, MemoryScope, RoundingMode};
use tile_core::ops::{
    Arity, AttrDef, AttrKind, Effects, OpDef, Opcode, Presence, RegionCount, SlotDef, Version,
    reference,
};

const ROSTER: &str = include_str!("roster.txt");

/// The mnemonic of an operation, a part of its line in the specification, and the corresponding
/// part of the row.
const DIFFERENCES: [(&str, &str, &str); 3] = [
    // Entries are never encoded as instructions, and these attributes are ignored.
    ("entry", "arg_attrs?:attr[] res_attrs?:attr[] ", ""),
    (
        "entry",
        "arg_attrs res_attrs optimization_hints",
        "optimization_hints",
    ),
    // Upstream, dense data includes the type.
    ("global", "value:const", "value_type:type value:const"),
];

#[test]
fn every_row_is_that_of_the_specification() {
    let mut expected: Vec<String> = ROSTER
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    for (mnemonic, theirs, ours) in DIFFERENCES {
        let named = format!(" {mnemonic} ");
        let line = expected.iter_mut().find(|line| line.contains(&named));
        let line = line.expect("the specification has the operation");
        assert!(line.contains(theirs), "{line}");
        *line = line.replace(theirs, ours);
    }
    let page = reference();
    let mut rows: Vec<&OpDef> = Opcode::all()
        .map(Opcode::def)
        .filter(|def| def.number < 0x1000)
        .collect();
    rows.sort_by_key(|def| def.number);
    let actual: Vec<String> = rows.iter().map(|def| line(def, &page)).collect();
    for (actual, expected) in actual.iter().zip(&expected) {
        assert_eq!(actual, expected);
    }
    assert_eq!(actual.len(), expected.len());
    assert_eq!(actual.len(), 105);
}

/// Renders a row as a line of the roster, with the family that `docs/ops.md` gives it.
fn line(def: &OpDef, page: &str) -> String {
    let heading = format!("\n### `{}`\n", def.mnemonic);
    let before = &page[..page.find(&heading).expect("the page has every operation")];
    let family = before
        .rsplit("\n## ")
        .next()
        .and_then(|part| part.lines().next());
    let columns = [
        format!(
            "0x{:02X} {} {} {}",
            def.number,
            def.mnemonic,
            def.since,
            family.expect("a heading")
        ),
        list(def.operands.iter().map(slot)),
        list(
            def.attrs
                .iter()
                .filter(|attr| !is_flag(attr))
                .map(attribute),
        ),
        list(flags(def)),
        list(def.results.iter().map(slot)),
        form(def),
        effects(def).to_owned(),
    ];
    columns
        .join(" | ")
        .replace("|  |", "| |")
        .replace("|  |", "| |")
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(" ")
}

fn since(version: Version) -> String {
    match version {
        Version::V13_1 => String::new(),
        newer => format!("@{newer}"),
    }
}

fn slot(slot: &SlotDef) -> String {
    let arity = match slot.arity {
        Arity::One => "",
        Arity::Optional => "?",
        Arity::Variadic => "*",
    };
    format!(
        "{}{arity}:{:?}{}",
        slot.name,
        slot.constraint,
        since(slot.since)
    )
}

fn is_flag(attr: &AttrDef) -> bool {
    attr.kind == AttrKind::Unit
}

fn attribute(attr: &AttrDef) -> String {
    let kind = match attr.kind {
        AttrKind::Unit => "flag",
        AttrKind::U32 => "u32",
        AttrKind::U64 => "u64",
        AttrKind::Bool => "byte",
        AttrKind::Str | AttrKind::Symbol => "str",
        AttrKind::Type => "type",
        AttrKind::Dense => "const",
        AttrKind::I32Array => "i32[]",
        AttrKind::BoolArray => "bool[]",
        AttrKind::Scalars => "attr[]",
        AttrKind::Assume => "tagged",
        AttrKind::Hints => "dict",
        AttrKind::Signedness
        | AttrKind::Overflow
        | AttrKind::Rounding(_)
        | AttrKind::Predicate
        | AttrKind::Ordering
        | AttrKind::MemoryOrdering(_)
        | AttrKind::MemoryScope(_)
        | AttrKind::RmwMode(_)
        | AttrKind::Visibility => "enum",
    };
    let (optional, default) = match attr.presence {
        Presence::Required => ("", String::new()),
        Presence::Optional => ("?", String::new()),
        Presence::AllFalse => ("", "=false".to_owned()),
        Presence::Default(number) => ("", format!("={}", default(attr.kind, number))),
    };
    format!(
        "{}{optional}:{kind}{default}{}",
        attr.name,
        since(attr.since)
    )
}

fn default(kind: AttrKind, number: u64) -> String {
    let name = match kind {
        AttrKind::Rounding(_) => RoundingMode::from_number(number).map(RoundingMode::name),
        AttrKind::Overflow if number == 0 => Some("none"),
        AttrKind::Visibility if number == 0 => Some("public"),
        _ => None,
    };
    name.map_or_else(|| number.to_string(), str::to_owned)
}

/// Returns the names for the bits of the flags word, ordered by version, with attributes before
/// operands.
fn flags(def: &OpDef) -> Vec<String> {
    let attrs = def
        .attrs
        .iter()
        .filter(|attr| attr.presence == Presence::Optional)
        .map(|attr| (attr.since, attr.name));
    let operands = def
        .operands
        .iter()
        .filter(|slot| def.segmented && slot.arity == Arity::Optional)
        .map(|slot| (slot.since, slot.name));
    let mut flags: Vec<_> = attrs.chain(operands).collect();
    flags.sort_by_key(|&(version, _)| version);
    flags
        .into_iter()
        .map(|(version, name)| format!("{name}{}", since(version)))
        .collect()
}

fn form(def: &OpDef) -> String {
    let operands = if def.segmented {
        "segmented"
    } else if def.operands.iter().any(|slot| slot.arity != Arity::One) {
        "total"
    } else {
        "plain"
    };
    let results = if def.has_variadic() { " n" } else { "" };
    let regions = match def.regions {
        RegionCount::Exactly(0) => String::new(),
        RegionCount::Exactly(count) => format!(" regions={count}"),
        RegionCount::Any => " regions=any".to_owned(),
    };
    format!("{operands}{results}{regions}")
}

fn effects(def: &OpDef) -> &'static str {
    match def.effects {
        Effects::Pure => "pure",
        Effects::NoMemoryEffect => "no-memory",
        Effects::Regions => "regions",
        Effects::Read | Effects::Write => "other",
    }
}

#[test]
fn rounding_modes_are_those_of_the_specification() {
    let ieee = ["nearest_even", "zero", "negative_inf", "positive_inf"];
    let more = |names: &[&'static str]| [&ieee[..], names].concat();
    for opcode in Opcode::all() {
        let def = opcode.def();
        let modes = def.attrs.iter().find_map(|attr| match attr.kind {
            AttrKind::Rounding(set) => Some(named(
                u64::from(set),
                RoundingMode::ALL.iter().map(|mode| mode.name()),
            )),
            _ => None,
        });
        let expected = match def.mnemonic {
            "addf" | "subf" | "mulf" | "fma" => Some(ieee.to_vec()),
            "divf" => Some(more(&["approx", "full"])),
            "sqrt" => Some(more(&["approx"])),
            "exp" | "tanh" => Some(vec!["approx", "full"]),
            // The admitted modes depend on both types.
            "ftof" => Some(more(&["nearest_away"])),
            "itof" => Some(vec!["nearest_even"]),
            "ftoi" => Some(vec!["nearest_int_to_zero"]),
            "divi" => Some(ieee[1..].to_vec()),
            _ => None,
        };
        assert_eq!(modes, expected, "{}", def.mnemonic);
    }
}

#[test]
fn orderings_and_scopes_and_modes_are_those_of_the_specification() {
    let atomic = ["relaxed", "acquire", "release", "acq_rel"];
    let scopes = ["tl_blk", "device", "sys"];
    let all_modes = [
        "and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg",
    ];
    let mut seen = 0;
    for opcode in Opcode::all() {
        let def = opcode.def();
        for attr in def.attrs {
            let (actual, expected) = match (attr.kind, def.mnemonic) {
                (AttrKind::MemoryOrdering(set), mnemonic) => (
                    named(
                        u64::from(set),
                        MemoryOrdering::ALL.iter().map(|value| value.name()),
                    ),
                    match mnemonic {
                        "load_ptr_tko" | "load_view_tko" => &["weak", "relaxed", "acquire"][..],
                        "store_ptr_tko" | "store_view_tko" => &["weak", "relaxed", "release"],
                        "atomic_red_view_tko" => &["relaxed"],
                        _ => &atomic,
                    },
                ),
                (AttrKind::MemoryScope(set), mnemonic) => (
                    named(
                        u64::from(set),
                        MemoryScope::ALL.iter().map(|value| value.name()),
                    ),
                    match mnemonic {
                        "atomic_red_view_tko" => &scopes[..2],
                        _ => &scopes,
                    },
                ),
                (AttrKind::RmwMode(set), mnemonic) => (
                    named(
                        u64::from(set),
                        AtomicRmwMode::ALL.iter().map(|value| value.name()),
                    ),
                    match mnemonic {
                        "atomic_red_view_tko" => &all_modes[..9],
                        _ => &all_modes,
                    },
                ),
                _ => continue,
            };
            assert_eq!(actual, expected, "`{}` of `{}`", attr.name, def.mnemonic);
            seen += 1;
        }
    }
    assert_eq!(seen, 7 + 7 + 2);
}

/// Returns the names whose bits are in a set.
fn named(set: u64, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    names
        .enumerate()
        .filter(|(number, _)| set >> number & 1 == 1)
        .map(|(_, name)| name)
        .collect()
}
