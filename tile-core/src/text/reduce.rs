//! Reductions and scans.

use super::attribute::parse_bool;
use super::constant::{parse_typed_number, print_typed_number};
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, Op, OpId};
use crate::ops::CoreOp;
use std::fmt::Write;

// reduce %a, … dim=N identities=[v : E, …] : T, … -> T, … (%x: T, %acc: T, …) { … }
// scan %a, … dim=N reverse=true identities=[v : E, …] : T, … -> T, … (%x: T, %acc: T, …) { … }

pub(super) fn parse_reduce(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let operands = parser.comma_list(Parser::value)?;
    parser.keyword("dim")?;
    parser.expect("=")?;
    let dim = parser.small::<u32>("axis")?;
    draft.set("dim", Attr::Int(i64::from(dim)));
    if draft.opcode == CoreOp::Scan.into() {
        parser.keyword("reverse")?;
        parser.expect("=")?;
        draft.set("reverse", Attr::Bool(parse_bool(parser)?));
    }
    parser.keyword("identities")?;
    parser.expect("=")?;
    let identities = parser.list("[", "]", parse_typed_number)?;
    draft.set("identities", Attr::Scalars(identities.into()));
    parser.expect(":")?;
    parser.types_of(&operands)?;
    draft.operands[0] = operands.into();
    parser.expect("->")?;
    draft.results[0] = Some(parser.comma_list(Parser::parse_type)?.into());
    let arguments = parser.list("(", ")", Parser::argument)?;
    let op = parser.create(draft);
    parser.region(op, &arguments, None)?;
    Ok(op)
}

pub(super) fn print_reduce(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let (Some(Attr::Int(dim)), Some(Attr::Scalars(identities))) =
        (op.attr("dim"), op.attr("identities"))
    else {
        return None;
    };
    let block = printer.module.region_block(id, 0)?;
    let operands = op.operands_of("operands");
    // The type lists end unambiguously only if there are both operands and results.
    if operands.is_empty() || op.results.is_empty() {
        return None;
    }
    printer.space_values(operands);
    write!(printer.out, " dim={dim}").ok()?;
    if op.opcode == CoreOp::Scan.into() {
        let Some(Attr::Bool(reverse)) = op.attr("reverse") else {
            return None;
        };
        write!(printer.out, " reverse={reverse}").ok()?;
    }
    printer.out.push_str(" identities=[");
    for (index, &identity) in identities.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(", ");
        }
        print_typed_number(printer, identity);
    }
    printer.out.push_str("] :");
    printer.space_types(operands);
    printer.out.push_str(" ->");
    printer.space_types(&op.results);
    printer.out.push(' ');
    printer.arguments(&printer.module.block(block).args);
    printer.block(block, None);
    Some(())
}
