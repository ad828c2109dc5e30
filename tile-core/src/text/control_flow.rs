//! Branches and loops: pairs of a parser and a printer, because the declarative format does not
//! support regions.

use super::draft::Types;
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, Loc, Op, OpId, ValueId};
use crate::ops::ControlFlowOp;
use smallvec::smallvec;

// for [unsigned] %i in (%lb to %ub, step %st) : T [iter_values(%a = %x, …) -> (T, …)] { … }

pub(super) fn parse_for(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    if parser.eat_word("unsigned") {
        draft.set("unsignedCmp", Attr::Unit);
    }
    let loc = parser.loc();
    let induction = parser.take(TokenKind::Value, "the loop variable")?.text;
    parser.keyword("in")?;
    parser.expect("(")?;
    let lower = parser.value()?;
    parser.keyword("to")?;
    let upper = parser.value()?;
    parser.expect(",")?;
    parser.keyword("step")?;
    let step = parser.value()?;
    parser.expect(")")?;
    parser.expect(":")?;
    let ty = parser.type_of(lower)?;
    let mut carried = Vec::new();
    let mut types = Vec::new();
    if parser.eat_word("iter_values") {
        carried = parser.list("(", ")", parse_carried)?;
        parser.expect("->")?;
        let loc = parser.loc();
        types = parser.list("(", ")", Parser::parse_type)?;
        if types.len() != carried.len() {
            let message = format!("expected {} types, found {}", carried.len(), types.len());
            return parser.syntax(loc, message);
        }
    }
    let mut arguments = vec![(induction, ty, loc)];
    for (&(name, _, loc), &ty) in carried.iter().zip(&types) {
        arguments.push((name, ty, loc));
    }
    draft.operands[0] = smallvec![lower];
    draft.operands[1] = smallvec![upper];
    draft.operands[2] = smallvec![step];
    draft.operands[3] = carried.into_iter().map(|(_, value, _)| value).collect();
    draft.results[0] = Some(types.into());
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(ControlFlowOp::Continue.into()))?;
    Ok(op)
}

pub(super) fn print_for(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.region_block(id, 0)?;
    let (&induction, carried) = printer.module.block(block).args.split_first()?;
    let inits = op.operands_of("initValues");
    // The custom form writes each of these types once.
    let same = printer.same_types(carried, inits)
        && printer.same_types(carried, &op.results)
        && printer.same_types(&[induction], &[op.operand("lowerBound")]);
    if !same || !printer.is_terminated(block) {
        return None;
    }
    if op.has_flag("unsignedCmp") {
        printer.space("unsigned");
    }
    printer.space_values(&[induction]);
    printer.out.push_str(" in (");
    printer.value(op.operand("lowerBound"));
    printer.out.push_str(" to ");
    printer.value(op.operand("upperBound"));
    printer.out.push_str(", step ");
    printer.value(op.operand("step"));
    printer.out.push_str(") :");
    printer.space_types(&[op.operand("lowerBound")]);
    if !carried.is_empty() {
        print_carried(printer, carried, inits);
        printer.out.push_str(" -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
    printer.block(block, Some(ControlFlowOp::Continue.into()));
    Some(())
}

/// Parses `%name = %init`.
fn parse_carried<'s>(parser: &mut Parser<'s>) -> Parse<(&'s str, ValueId, Loc)> {
    let loc = parser.loc();
    let name = parser.take(TokenKind::Value, "a carried value")?.text;
    parser.expect("=")?;
    Ok((name, parser.value()?, loc))
}

/// Prints ` iter_values(%name = %init, …)`.
fn print_carried(printer: &mut Printer<'_>, carried: &[ValueId], inits: &[ValueId]) {
    printer.out.push_str(" iter_values(");
    for (index, (&argument, &init)) in carried.iter().zip(inits).enumerate() {
        if index > 0 {
            printer.out.push_str(", ");
        }
        printer.value(argument);
        printer.out.push_str(" = ");
        printer.value(init);
    }
    printer.out.push(')');
}

// loop [iter_values(%a = %x, …) : T, … [-> T, …] | : T, …] { … }

pub(super) fn parse_loop(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let mut arguments = Vec::new();
    let mut results = Vec::new();
    if parser.eat_word("iter_values") {
        let carried = parser.list("(", ")", parse_carried)?;
        parser.expect(":")?;
        draft.operands[0] = carried.iter().map(|&(_, value, _)| value).collect();
        let types = parser.types_of(&draft.operands[0])?;
        let carried = carried.iter().zip(types);
        arguments.extend(carried.map(|(&(name, _, loc), ty)| (name, ty, loc)));
        if parser.eat("->") {
            results = parser.comma_list(Parser::parse_type)?;
        }
    } else if parser.eat(":") {
        results = parser.comma_list(Parser::parse_type)?;
    }
    draft.results[0] = Some(results.into());
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(ControlFlowOp::Continue.into()))?;
    Ok(op)
}

pub(super) fn print_loop(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.region_block(id, 0)?;
    let carried = &printer.module.block(block).args;
    let inits = op.operands_of("initValues");
    if !printer.same_types(carried, inits) || !printer.is_terminated(block) {
        return None;
    }
    if !carried.is_empty() {
        print_carried(printer, carried, inits);
        printer.out.push_str(" : ");
        printer.types(carried);
    }
    if !op.results.is_empty() {
        let arrow = if carried.is_empty() { " :" } else { " ->" };
        printer.out.push_str(arrow);
        printer.space_types(&op.results);
    }
    printer.block(block, Some(ControlFlowOp::Continue.into()));
    Some(())
}

// if %c [-> (T, …)] { … } [else { … }]

pub(super) fn parse_if(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    draft.operands[0] = smallvec![parser.value()?];
    draft.results[0] = Some(if parser.eat("->") {
        parser.list("(", ")", Parser::parse_type)?.into()
    } else {
        Types::new()
    });
    let op = parser.create(draft);
    parser.region(op, &[], Some(ControlFlowOp::Yield.into()))?;
    if parser.eat_word("else") {
        parser.region(op, &[], Some(ControlFlowOp::Yield.into()))?;
    } else {
        parser.module.add_region(op);
    }
    Ok(op)
}

pub(super) fn print_if(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let regions = op.regions.iter();
    let mut blocks = regions.flat_map(|&region| &printer.module.region(region).blocks);
    if !blocks.all(|&block| printer.is_terminated(block)) {
        return None;
    }
    printer.space_values(op.operands_of("condition"));
    if !op.results.is_empty() {
        printer.out.push_str(" -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
    let blocks = |region: usize| printer.module.region(op.regions[region]).blocks.as_slice();
    let ([then], otherwise @ ([] | [_])) = (blocks(0), blocks(1)) else {
        return None;
    };
    printer.block(*then, Some(ControlFlowOp::Yield.into()));
    if let [otherwise] = otherwise {
        printer.out.push_str(" else");
        printer.block(*otherwise, Some(ControlFlowOp::Yield.into()));
    }
    Some(())
}
