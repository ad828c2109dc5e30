//! Attributes in assembly formats, by kind of slot.

use super::hints::{parse_hints, print_hints};
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, MemoryOrdering,
    MemoryScope, RoundingMode, Signedness, SymbolVisibility,
};
use crate::ops::{AttrDef, AttrKind, Presence};
use std::fmt::Write;

/// Returns `true` if `word` starts the text of an optional attribute.
pub(super) fn opens(slot: &AttrDef, word: &str) -> bool {
    match slot.kind {
        AttrKind::Overflow => word == "overflow",
        AttrKind::Rounding(_) => word == "rounding",
        AttrKind::Visibility => SymbolVisibility::parse(word).is_some(),
        // No other word is possible here, so any wrong word is reported as a wrong scope.
        AttrKind::MemoryScope(_) => true,
        _ => word == slot.name,
    }
}

/// Parses the attribute of slot number `at`; `None` if its text means absence. If `strict`, a value
/// that the row does not allow is rejected here.
pub(super) fn parse(
    parser: &mut Parser<'_>,
    draft: &Draft,
    slot_index: usize,
    strict: bool,
) -> Parse<Option<Attr>> {
    let slot = &draft.opcode.def().attrs[slot_index];
    Ok(Some(match slot.kind {
        AttrKind::Unit => {
            parser.keyword(slot.name)?;
            Attr::Unit
        }
        AttrKind::U32 => Attr::Int(i64::from(parser.small::<u32>("32-bit number")?)),
        AttrKind::U64 => Attr::Int(parser.integer()?),
        AttrKind::Bool => Attr::Bool(parse_bool(parser)?),
        AttrKind::Str => Attr::Str(parser.string()?.into()),
        AttrKind::Symbol => Attr::Symbol(parser.symbol("a symbol")?),
        AttrKind::I32Array => Attr::I32Array(
            parser
                .list("[", "]", |parser| parser.small("32-bit number"))?
                .into(),
        ),
        AttrKind::BoolArray => {
            let values = parser.list("[", "]", parse_bool)?;
            if slot.presence == Presence::AllFalse && !values.contains(&true) {
                return Ok(None);
            }
            Attr::BoolArray(values.into())
        }
        AttrKind::Assume => Attr::Assume(Box::new(
            parser.through_alias(super::assume::parse_predicate)?,
        )),
        AttrKind::Hints => return parse_hints(parser),
        AttrKind::Signedness => Attr::Signedness(parser.keyword_of(
            Signedness::parse,
            Signedness::ALL,
            Signedness::name,
        )?),
        AttrKind::Predicate => Attr::Predicate(parser.keyword_of(
            ComparisonPredicate::parse,
            ComparisonPredicate::ALL,
            ComparisonPredicate::name,
        )?),
        AttrKind::Ordering => Attr::Ordering(parser.keyword_of(
            ComparisonOrdering::parse,
            ComparisonOrdering::ALL,
            ComparisonOrdering::name,
        )?),
        AttrKind::Overflow => {
            parser.keyword("overflow")?;
            parser.expect("<")?;
            let overflow = parser.keyword_of(
                IntegerOverflow::parse,
                IntegerOverflow::ALL,
                IntegerOverflow::name,
            )?;
            parser.expect(">")?;
            Attr::Overflow(overflow)
        }
        AttrKind::Rounding(set) => {
            parser.keyword("rounding")?;
            parser.expect("<")?;
            let allowed: Vec<RoundingMode> = RoundingMode::ALL
                .iter()
                .copied()
                .filter(|mode| !strict || set >> mode.number() & 1 == 1)
                .collect();
            let mode = parser.one_of(&allowed, RoundingMode::name)?;
            parser.expect(">")?;
            Attr::Rounding(mode)
        }
        AttrKind::MemoryOrdering(_) => Attr::MemoryOrdering(parser.keyword_of(
            MemoryOrdering::parse,
            MemoryOrdering::ALL,
            MemoryOrdering::name,
        )?),
        AttrKind::MemoryScope(_) => {
            let loc = parser.loc();
            let scope =
                parser.keyword_of(MemoryScope::parse, MemoryScope::ALL, MemoryScope::name)?;
            let weak = Some(Attr::MemoryOrdering(MemoryOrdering::Weak));
            if strict && draft.attrs.contains(&weak) {
                let message = format!("expected no scope after `weak`, found `{}`", scope.name());
                let note = "a weak access takes part in no ordering, so that it has no scope";
                return parser.fail(Diagnostic::error(Code::IrSyntax, loc, message).note(note));
            }
            Attr::MemoryScope(scope)
        }
        AttrKind::RmwMode(_) => Attr::RmwMode(parser.keyword_of(
            AtomicRmwMode::parse,
            AtomicRmwMode::ALL,
            AtomicRmwMode::name,
        )?),
        AttrKind::Visibility => Attr::Visibility(parser.keyword_of(
            SymbolVisibility::parse,
            SymbolVisibility::ALL,
            SymbolVisibility::name,
        )?),
        kind @ (AttrKind::Type | AttrKind::Dense | AttrKind::Scalars) => {
            unreachable!("no declarative format has an attribute of kind {kind:?}")
        }
    }))
}

/// Parses `true` or `false`.
pub(super) fn parse_bool(parser: &mut Parser<'_>) -> Parse<bool> {
    parser.one_of(&[false, true], |value| if value { "true" } else { "false" })
}

/// Returns `true` if `attr` is printed: defaults and values that mean absence are not.
pub(super) fn is_printed(slot: &AttrDef, attr: &Attr) -> bool {
    match (slot.presence, attr) {
        (Presence::Default(default), Attr::Overflow(value)) => value.number() != default,
        (Presence::Default(default), Attr::Rounding(value)) => value.number() != default,
        (Presence::Default(default), Attr::Visibility(value)) => value.number() != default,
        (Presence::Default(default), Attr::Int(value)) => value.cast_unsigned() != default,
        (Presence::AllFalse, Attr::BoolArray(values)) => values.contains(&true),
        (_, Attr::Hints(hints)) => !hints.per_arch.is_empty(),
        _ => true,
    }
}

/// Prints an attribute without a leading space; returns `None` if no assembly format has such an
/// attribute.
pub(super) fn print(printer: &mut Printer<'_>, slot: &AttrDef, attr: &Attr) -> Option<()> {
    match attr {
        Attr::Unit => printer.out.push_str(slot.name),
        Attr::Bool(value) => write!(printer.out, "{value}").ok()?,
        Attr::Int(value) => write!(printer.out, "{value}").ok()?,
        Attr::I32Array(values) => write!(printer.out, "{values:?}").ok()?,
        Attr::BoolArray(values) => write!(printer.out, "{values:?}").ok()?,
        Attr::Str(text) => printer.string(text),
        Attr::Symbol(name) => printer.symbol(name),
        Attr::Signedness(value) => printer.out.push_str(value.name()),
        Attr::Predicate(value) => printer.out.push_str(value.name()),
        Attr::Ordering(value) => printer.out.push_str(value.name()),
        Attr::MemoryOrdering(value) => printer.out.push_str(value.name()),
        Attr::MemoryScope(value) => printer.out.push_str(value.name()),
        Attr::RmwMode(value) => printer.out.push_str(value.name()),
        Attr::Visibility(value) => printer.out.push_str(value.name()),
        Attr::Overflow(value) => wrapped(printer, "overflow<", value.name()),
        Attr::Rounding(value) => wrapped(printer, "rounding<", value.name()),
        Attr::Assume(predicate) => super::assume::print_predicate(printer, predicate),
        Attr::Hints(hints) => print_hints(printer, hints),
        Attr::Type(_) | Attr::Dense(_) | Attr::Scalars(_) => return None,
    }
    Some(())
}

fn wrapped(printer: &mut Printer<'_>, open: &str, name: &str) {
    printer.out.push_str(open);
    printer.out.push_str(name);
    printer.out.push('>');
}
