//! The dialect `ptx`: a pair of a parser and a printer, because the declarative format does not
//! support variadic results.

use super::draft::Draft;
use super::parser::{Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, Op, OpId};
use crate::verify::ptx_pack;
use std::fmt::Write as _;

// ptx.inline "text" [pack = N] (%a, …) [: T, …] [-> (T, …)]

pub(super) fn parse_inline(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let text = parser.string()?;
    draft.set("text", Attr::Str(text.into()));
    if parser.eat_word("pack") {
        parser.expect("=")?;
        let pack = parser.integer()?;
        draft.set("pack", Attr::Int(pack));
    }
    let args = parser.list("(", ")", Parser::value)?;
    if !args.is_empty() {
        parser.expect(":")?;
        parser.types_of(&args)?;
    }
    draft.operands[0] = args.into();
    let results = if parser.eat("->") {
        parser.result_types()?
    } else {
        Vec::new()
    };
    draft.results[0] = Some(results.into());
    Ok(parser.create(draft))
}

pub(super) fn print_inline(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let Some(Attr::Str(text)) = op.attr("text") else {
        return None;
    };
    printer.out.push(' ');
    printer.string(text);
    let pack = ptx_pack(op);
    if pack != 1 {
        let _ = write!(printer.out, " pack = {pack}");
    }
    printer.out.push_str(" (");
    printer.values(&op.operands);
    printer.out.push(')');
    if !op.operands.is_empty() {
        printer.out.push_str(" : ");
        printer.types(&op.operands);
    }
    if !op.results.is_empty() {
        printer.out.push_str(" -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
    Some(())
}
