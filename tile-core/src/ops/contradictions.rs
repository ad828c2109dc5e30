//! Tests that the check of rows rejects rows with one contradiction each.

use super::def::{
    Arity, AttrDef, AttrKind, Constraint, Dialect, Effects, OpDef, Rule, SlotDef, Version,
    all_false, attr, default_attr, flag, one, op, optional, optional_attr, variadic,
};
use super::{Opcode, soundness};
use crate::ir::RoundingMode;
use std::collections::BTreeSet;

const LHS: SlotDef = one("lhs", Constraint::FloatTile);
const RHS: SlotDef = one("rhs", Constraint::FloatTile);
const RESULT: SlotDef = one("result", Constraint::FloatTile);
const AGREE: Rule = Rule::SameType(&["lhs", "rhs", "result"]);
const ASM: &str = "$lhs `,` $rhs `:` type($result)";

/// A sound row, which the tests change.
const fn row() -> OpDef {
    op("addf", 0x02, Version::V13_1)
        .operands(&[LHS, RHS])
        .results(&[RESULT])
        .rules(&[AGREE])
        .asm(ASM)
        .doc("Adds.")
}

/// The sound row with the given attribute.
const fn with_attr(attrs: &'static [AttrDef]) -> OpDef {
    row().attrs(attrs).asm("$lhs `,` $rhs $a `:` type($result)")
}

/// A sound row with a variadic operand slot in a group.
const fn group(asm: &'static str) -> OpDef {
    op("yield", 0x6d, Version::V13_1)
        .operands(const { &[variadic("operands", Constraint::Any)] })
        .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&["if"])])
        .asm(asm)
        .doc("Yields.")
}

/// A sound row with a region.
const fn by_hand(syntax: &'static str) -> OpDef {
    op("loop", 0x41, Version::V13_1)
        .operands(const { &[variadic("initValues", Constraint::Any)] })
        .regions(1)
        .effects(Effects::Regions)
        .custom(syntax)
        .doc("Loops.")
}

/// A sound row with a flag and rounding modes.
const fn rounded(rules: &'static [Rule]) -> OpDef {
    row()
        .attrs(
            const {
                &[
                    flag("ftz"),
                    default_attr("rounding_mode", AttrKind::Rounding(0b1_1111), 0),
                ]
            },
        )
        .rules(rules)
        .asm("$lhs `,` $rhs $rounding_mode $ftz `:` type($result)")
}

/// Contradictory rows, each with its error.
const CONTRADICTIONS: &[(&str, OpDef)] = &[
    (
        "a row needs a mnemonic",
        OpDef {
            mnemonic: "",
            ..row()
        },
    ),
    ("a row needs documentation", row().doc("")),
    // Numbers and versions.
    (
        "the number is not one that the version of the row added",
        OpDef {
            number: 0x6e,
            ..row()
        },
    ),
    (
        "the number is not one that the version of the row added",
        OpDef {
            since: Version::V13_3,
            ..row()
        },
    ),
    (
        "the number is not one that the version of the row added",
        OpDef {
            number: 0x7b,
            since: Version::V13_4,
            ..row()
        },
    ),
    (
        "the number is one that the dialect leaves out",
        OpDef {
            number: 0x34,
            ..row()
        },
    ),
    (
        "a row of `loop` has its prefix and no number of bytecode",
        OpDef {
            number: 0x4000,
            ..row()
        }
        .dialect(Dialect::Loop),
    ),
    (
        "a row of `loop` has its prefix and no number of bytecode",
        OpDef {
            mnemonic: "loop.addf",
            ..row()
        }
        .dialect(Dialect::Loop),
    ),
    (
        "a row of `ptx` has its prefix and no number of bytecode",
        OpDef {
            mnemonic: "ptx.addf",
            ..row()
        }
        .dialect(Dialect::Ptx),
    ),
    (
        "an operand is said to be newer than its row, and is not",
        OpDef {
            number: 0x76,
            since: Version::V13_4,
            ..row()
        }
        .operands(&[LHS.since(Version::V13_4), RHS]),
    ),
    (
        "an attribute is said to be newer than its row, and is not",
        OpDef {
            number: 0x76,
            since: Version::V13_4,
            ..row()
        }
        .attrs(&[flag("ftz").since(Version::V13_3)]),
    ),
    (
        "a result is said to be newer than its row, and is not",
        OpDef {
            number: 0x76,
            since: Version::V13_4,
            ..row()
        }
        .results(&[RESULT.since(Version::V13_2)]),
    ),
    // Slots.
    ("two slots have one name", row().operands(&[LHS, LHS])),
    ("two slots have one name", row().results(&[LHS])),
    ("two slots have one name", row().attrs(&[flag("result")])),
    (
        "two operand slots of optional or any number cannot be told apart: the row must be segmented",
        row().operands(&[
            variadic("lhs", Constraint::Tile),
            optional("rhs", Constraint::Tile),
        ]),
    ),
    (
        "a segmented row needs two operand slots of optional or any number",
        row().segmented(),
    ),
    (
        "a commutative row needs two operands",
        row().operands(&[LHS]).commutative(),
    ),
    (
        "the operands that may be exchanged must be single",
        row()
            .operands(&[LHS, variadic("rhs", Constraint::FloatTile)])
            .commutative(),
    ),
    (
        "the operands that may be exchanged must be of one type",
        row()
            .rules(&[Rule::SameType(&["lhs", "result"])])
            .commutative(),
    ),
    (
        "no result is optional",
        row().results(&[SlotDef {
            arity: Arity::Optional,
            ..RESULT
        }]),
    ),
    (
        "results of any number must come last",
        row().results(&[variadic("results", Constraint::Any), RESULT]),
    ),
    // Attributes.
    (
        "a set of enum values is empty",
        row().attrs(&[attr("a", AttrKind::RmwMode(0))]),
    ),
    (
        "a set of enum values has one that does not exist",
        row().attrs(&[attr("a", AttrKind::MemoryScope(0b1000))]),
    ),
    (
        "a set of enum values has one that does not exist",
        row().attrs(&[attr("a", AttrKind::RmwMode(1 << 10))]),
    ),
    (
        "a flag is there or not: it must be optional",
        row().attrs(&[attr("a", AttrKind::Unit)]),
    ),
    (
        "a list of truth values, and nothing else, is all `false` by default",
        row().attrs(&[attr("a", AttrKind::BoolArray)]),
    ),
    (
        "a list of truth values, and nothing else, is all `false` by default",
        row().attrs(&[AttrDef {
            kind: AttrKind::Str,
            ..all_false("a")
        }]),
    ),
    (
        "only numbers and enum values have a default",
        row().attrs(&[default_attr("a", AttrKind::Str, 0)]),
    ),
    (
        "the default is not a legal value",
        row().attrs(&[default_attr("a", AttrKind::Rounding(0b10), 0)]),
    ),
    (
        "the default is not a legal value",
        row().attrs(&[default_attr("a", AttrKind::Overflow, 4)]),
    ),
    // Rules.
    (
        "a rule names an unknown slot",
        row().rules(&[Rule::SameType(&["lhs", "sum"])]),
    ),
    (
        "a rule names an unknown slot",
        rounded(&[AGREE, Rule::FlagNeedsF32("ftz", "sum")]),
    ),
    (
        "a rule names a slot twice",
        row().rules(&[Rule::SameRank(&["lhs", "lhs"])]),
    ),
    (
        "a rule of agreement needs two values",
        row().rules(&[Rule::SameShape(&["lhs"])]),
    ),
    (
        "a rule on shapes, elements or ranks names a slot that may hold no tile",
        row()
            .operands(&[LHS, one("rhs", Constraint::Any)])
            .rules(&[Rule::SameShape(&["lhs", "rhs"])]),
    ),
    (
        "a rule names an unknown flag",
        row().rules(&[Rule::FlagNeedsF32("ftz", "lhs")]),
    ),
    (
        "a rule names a flag that is none",
        rounded(&[AGREE, Rule::FlagNeedsF32("rounding_mode", "lhs")]),
    ),
    (
        "a rule asks for `f32` where there can be none",
        rounded(&[AGREE, Rule::FlagNeedsF32("ftz", "rhs")])
            .operands(&[LHS, one("rhs", Constraint::IntTile)]),
    ),
    (
        "the row has no `rounding_mode`",
        row().rules(&[Rule::RoundingNeedsF32(0b1, "lhs")]),
    ),
    (
        "a rule names rounding modes that are not legal anyway",
        rounded(&[AGREE, Rule::RoundingNeedsF32(0b11_0000, "lhs")]),
    ),
    (
        "no operation may hold this one",
        group("($operands^ `:` type($operands))?")
            .rules(&[Rule::Terminator, Rule::ParentIsOneOf(&[])]),
    ),
    (
        "a terminator must say which operations it ends a region of",
        group("($operands^ `:` type($operands))?").rules(&[Rule::Terminator]),
    ),
    (
        "what ends a block has neither results nor regions",
        group("($operands^ `:` type($operands))?").results(&[RESULT]),
    ),
    (
        "what ends a block has neither results nor regions",
        group("($operands^ `:` type($operands))?").regions(1),
    ),
    // Effects.
    (
        "a row without regions cannot have their effects",
        row().effects(Effects::Regions),
    ),
    (
        "a row with regions has their effects, or writes",
        by_hand("$initValues region").effects(Effects::Pure),
    ),
    // The choice between `asm` and `syntax`.
    ("a row needs an assembly", row().asm("")),
    (
        "a row has a syntax if its assembly is custom, and only then",
        row().asm("custom"),
    ),
    (
        "a row has a syntax if its assembly is custom, and only then",
        row().custom("$lhs $rhs").asm(ASM),
    ),
    (
        "the syntax must say `region` for every region",
        by_hand("$initValues region `else` region"),
    ),
    (
        "regions need an assembly that is custom",
        row().regions(1).effects(Effects::Regions),
    ),
    // Notation.
    (
        "a literal needs a backquote at each end",
        row().asm("$lhs `, $rhs : type($result)"),
    ),
    (
        "a literal needs a backquote at each end",
        row().asm("$lhs `` $rhs `:` type($result)"),
    ),
    (
        "`type(` is not closed",
        row().asm("$lhs `,` $rhs `:` type($result"),
    ),
    (
        "the assembly has a character that means nothing",
        row().asm("$lhs , $rhs `:` type($result)"),
    ),
    (
        "a word is neither a slot nor a literal in backquotes",
        row().asm("$lhs `,` $rhs fast `:` type($result)"),
    ),
    (
        "the brackets of the literals are not balanced",
        row().asm("$lhs `[` $rhs `)` `:` type($result)"),
    ),
    (
        "the brackets of the literals are not balanced",
        row().asm("$lhs `[` $rhs `:` type($result)"),
    ),
    (
        "brackets nest too deep",
        row().asm("$lhs `[[[[[[[[[` $rhs `]]]]]]]]]` `:` type($result)"),
    ),
    (
        "groups nest too deep",
        by_hand("(((((`a`)?)?)?)?)? $initValues region"),
    ),
    (
        "a group does not end",
        group("($operands^ `:` type($operands)"),
    ),
    (
        "a group ends that did not begin",
        group("$operands `:` type($operands))?"),
    ),
    (
        "a group needs an anchor, which says when it is there",
        row().asm("$lhs `,` $rhs (`:` type($result))?"),
    ),
    // Names in the assembly.
    (
        "the assembly names an unknown slot",
        row().asm("$lhs `,` $rhs $result `:` type($result)"),
    ),
    (
        "the assembly names the type of an unknown slot",
        row().asm("$lhs `,` $rhs `:` type($results)"),
    ),
    (
        "the assembly names an operand twice",
        row().asm("$lhs `,` $rhs $lhs `:` type($result)"),
    ),
    (
        "the assembly names an attribute twice",
        row()
            .attrs(&[flag("ftz")])
            .asm("$lhs `,` $rhs $ftz $ftz `:` type($result)"),
    ),
    (
        "the assembly has the type of a slot twice",
        row().asm("$lhs `,` $rhs `:` type($result) `->` type($result)"),
    ),
    (
        "the assembly leaves out an operand",
        row().asm("$lhs `:` type($result)"),
    ),
    ("the assembly leaves out an operand", by_hand("region")),
    (
        "the assembly leaves out an attribute",
        row().attrs(&[flag("ftz")]),
    ),
    (
        "an anchor is outside of a group",
        group("$operands^ `:` type($operands)"),
    ),
    (
        "an optional operand must be the anchor of a group",
        row().operands(&[LHS, optional("rhs", Constraint::FloatTile)]),
    ),
    (
        "a group has two anchors",
        group("($operands^ `:` type($operands)^)?"),
    ),
    (
        "the operand of a group must be its anchor",
        group("($operands `:` type($operands))?"),
    ),
    (
        "the anchor of a group must be able to be absent",
        row().asm("$lhs (`,` $rhs^)? `:` type($result)"),
    ),
    (
        "the attribute of a group must be its anchor",
        group("($operands^ `:` type($operands) $ftz)?").attrs(&[flag("ftz")]),
    ),
    (
        "the anchor of a group must be able to be absent",
        with_attr(&[attr("a", AttrKind::Hints)]).asm("$lhs `,` $rhs (`a` $a^)? `:` type($result)"),
    ),
    (
        "the anchor of a group must be able to be absent",
        row().asm("$lhs `,` $rhs (`:` type($result)^)?"),
    ),
    (
        "an attribute of this kind needs an assembly that is custom",
        with_attr(&[attr("a", AttrKind::Dense)]),
    ),
    (
        "an attribute of this kind that may be absent must be the anchor of a group",
        with_attr(&[optional_attr("a", AttrKind::Hints)]),
    ),
    (
        "only attributes can be refused in place",
        row().asm("$lhs! `,` $rhs `:` type($result)"),
    ),
    (
        "only attributes can be refused in place",
        row().asm("$lhs `,` $rhs `:` type($result)!"),
    ),
    (
        "`types` is of operands of any number",
        row().asm("$lhs `,` $rhs `:` types($lhs)"),
    ),
    (
        "an operand must precede the group that its type anchors",
        group("(`:` type($operands)^)? $operands"),
    ),
    ("a syntax has no marks", by_hand("($initValues^)? region")),
    // Types that follow from the assembly.
    (
        "the type of an operand does not follow from the assembly",
        row().rules(&[Rule::SameType(&["lhs", "result"])]),
    ),
    (
        "the type of a result does not follow from the assembly",
        row()
            .rules(&[Rule::SameType(&["lhs", "rhs"])])
            .asm("$lhs `,` $rhs `:` type($lhs)"),
    ),
    (
        "results of any number need an assembly that is custom",
        row().results(&[variadic("result", Constraint::FloatTile)]),
    ),
];

#[test]
fn the_rows_to_start_from_are_sound() {
    for row in [
        row(),
        group("($operands^ `:` type($operands))?"),
        by_hand("$initValues region"),
    ] {
        assert_eq!(soundness::error(&row), None, "{}", row.mnemonic);
    }
}

#[test]
fn a_row_that_contradicts_itself_is_refused() {
    for (error, row) in CONTRADICTIONS {
        assert_eq!(soundness::error(row), Some(*error), "{row:#?}");
    }
}

#[test]
fn every_fault_has_a_row() {
    let shown: BTreeSet<&str> = CONTRADICTIONS.iter().map(|(error, _)| *error).collect();
    let sources = [include_str!("soundness.rs"), include_str!("format.rs")];
    let stated: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| source.lines())
        .filter(|line| !line.trim_start().starts_with("//"))
        .filter_map(|line| line.split('"').nth(1))
        .filter(|literal| literal.contains(' ') && literal.len() > 1)
        .collect();
    assert_eq!(shown, stated);
}

#[test]
fn the_panic_says_what_is_wrong() {
    let outcome = std::panic::catch_unwind(|| row().asm("$lhs").checked());
    let panic = outcome.expect_err("it contradicts itself");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert_eq!(message, "the assembly leaves out an operand");
}

/// Checks that the operations that `ParentIsOneOf` names exist and have regions; the check of a row
/// cannot look at other rows.
#[test]
fn the_operations_that_a_rule_names_exist() {
    for opcode in Opcode::all() {
        for rule in opcode.def().rules {
            if let Rule::ParentIsOneOf(parents) = rule {
                for parent in *parents {
                    let parent = Opcode::from_mnemonic(parent).expect(parent);
                    assert_ne!(parent.def().regions, super::RegionCount::Exactly(0));
                }
            }
        }
    }
}

/// Checks that 8 bits are enough for a set of rounding modes, and 64 for a set of operands or
/// attributes.
#[test]
fn sets_are_wide_enough() {
    assert!(RoundingMode::ALL.len() <= 8);
    for opcode in Opcode::all() {
        assert!(opcode.def().attrs.len() < 64 && opcode.def().operands.len() < 64);
    }
}
