//! The dialect `loop`: pairs of a parser and a printer, because the declarative format does not
//! support regions.

use super::draft::{Draft, Types};
use super::lexer::TokenKind;
use super::parser::{Argument, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Loc, Op, OpId, ValueId};
use crate::ops::{LoopOp, Opcode};
use crate::types::Type;
use smallvec::smallvec;

const YIELD: Opcode = Opcode::LoopDialect(LoopOp::Yield);

// loop.for [unsigned] %i = %lb to %ub step %st [iter_args(%a = %x, …) -> (T, …)] [: T] { … }

pub(super) fn parse_for(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parse_unsigned(parser, &mut draft);
    let loc = parser.loc();
    let induction = parser.take(TokenKind::Value, "the loop variable")?.text;
    parser.expect("=")?;
    let lower = parser.value()?;
    parser.keyword("to")?;
    let upper = parser.value()?;
    parser.keyword("step")?;
    let step = parser.value()?;
    let mut carried = Vec::new();
    let mut types = Vec::new();
    if parser.eat_word("iter_args") {
        carried = parser.list("(", ")", parse_binding)?;
        parser.expect("->")?;
        let loc = parser.loc();
        types = parser.result_types()?;
        if types.len() != carried.len() {
            let message = format!("expected {} types, found {}", carried.len(), types.len());
            return parser.syntax(loc, message);
        }
    }
    let ty = parse_bound_type(parser, lower)?;
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
    parser.region(op, &arguments, Some(YIELD))?;
    Ok(op)
}

pub(super) fn print_for(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.region_block(id, 0)?;
    let (&induction, carried) = printer.module.block(block).args.split_first()?;
    let inits = op.operands_of("initArgs");
    // The custom form writes each of these types once.
    let same = printer.same_types(carried, inits)
        && printer.same_types(carried, &op.results)
        && printer.same_types(&[induction], &[op.operand("lowerBound")]);
    if !same || !printer.is_terminated(block) {
        return None;
    }
    print_unsigned(printer, op);
    printer.space_values(&[induction]);
    printer.out.push_str(" = ");
    printer.value(op.operand("lowerBound"));
    printer.out.push_str(" to ");
    printer.value(op.operand("upperBound"));
    printer.out.push_str(" step ");
    printer.value(op.operand("step"));
    if !carried.is_empty() {
        printer.out.push_str(" iter_args(");
        for (index, (&argument, &init)) in carried.iter().zip(inits).enumerate() {
            if index > 0 {
                printer.out.push_str(", ");
            }
            printer.value(argument);
            printer.out.push_str(" = ");
            printer.value(init);
        }
        printer.out.push(')');
        print_results(printer, op);
    }
    printer.out.push_str(" :");
    printer.space_types(&[induction]);
    printer.block(block, Some(YIELD));
    Some(())
}

/// Parses an optional `unsigned`.
fn parse_unsigned(parser: &mut Parser<'_>, draft: &mut Draft) {
    if parser.eat_word("unsigned") {
        draft.set("unsignedCmp", Attr::Unit);
    }
}

fn print_unsigned(printer: &mut Printer<'_>, op: &Op) {
    if op.has_flag("unsignedCmp") {
        printer.space("unsigned");
    }
}

/// Parses `%name = %init`.
fn parse_binding<'s>(parser: &mut Parser<'s>) -> Parse<(&'s str, ValueId, Loc)> {
    let loc = parser.loc();
    let name = parser.take(TokenKind::Value, "a carried value")?.text;
    parser.expect("=")?;
    Ok((name, parser.value()?, loc))
}

/// Parses `: T`, the type of the bounds; if absent, their type is that of `bound`.
fn parse_bound_type(parser: &mut Parser<'_>, bound: ValueId) -> Parse<Type> {
    if parser.eat(":") {
        return parser.type_of(bound);
    }
    let ty = parser.module.ty(bound);
    if !ty.is_error() {
        return Ok(ty);
    }
    let loc = parser.loc();
    parser.fail(
        Diagnostic::error(
            Code::IrSyntax,
            loc,
            "the type of the loop variable is not known",
        )
        .note("it is that of the bounds, which are defined further down or not at all")
        .help("write it before the body, as in `: tile<i32>`"),
    )
}

/// Prints ` -> (T, …)`, unless there are no results.
fn print_results(printer: &mut Printer<'_>, op: &Op) {
    if !op.results.is_empty() {
        printer.out.push_str(" -> (");
        printer.types(&op.results);
        printer.out.push(')');
    }
}

// loop.if %c [-> (T, …)] { … } [else { … }]

pub(super) fn parse_if(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    draft.operands[0] = smallvec![parser.value()?];
    draft.results[0] = Some(parse_results(parser)?);
    let op = parser.create(draft);
    parser.region(op, &[], Some(YIELD))?;
    if parser.eat_word("else") {
        parser.region(op, &[], Some(YIELD))?;
    } else {
        parser.module.add_region(op);
    }
    Ok(op)
}

/// Parses `-> (T, …)` or `-> T`, or nothing.
fn parse_results(parser: &mut Parser<'_>) -> Parse<Types> {
    Ok(if parser.eat("->") {
        parser.result_types()?.into()
    } else {
        Types::new()
    })
}

pub(super) fn print_if(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let regions = op.regions.iter();
    let mut blocks = regions.flat_map(|&region| &printer.module.region(region).blocks);
    if !blocks.all(|&block| printer.is_terminated(block)) {
        return None;
    }
    let blocks = |region: usize| printer.module.region(op.regions[region]).blocks.as_slice();
    let ([then], otherwise @ ([] | [_])) = (blocks(0), blocks(1)) else {
        return None;
    };
    printer.space_values(op.operands_of("condition"));
    print_results(printer, op);
    printer.block(*then, Some(YIELD));
    if let [otherwise] = otherwise {
        printer.out.push_str(" else");
        printer.block(*otherwise, Some(YIELD));
    }
    Some(())
}

// loop.parallel [unsigned] (%i, …) = (%lb, …) to (%ub, …) step (%st, …) [init (%x, …)]
//   [-> (T, …)] [: T] { … }

pub(super) fn parse_parallel(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parse_unsigned(parser, &mut draft);
    let start = parser.loc();
    let variables = parser.list("(", ")", |parser| {
        let loc = parser.loc();
        Ok((parser.take(TokenKind::Value, "a loop variable")?.text, loc))
    })?;
    if variables.is_empty() {
        return parser.fail(
            Diagnostic::error(
                Code::IrSyntax,
                start,
                "expected at least one loop variable, found none",
            )
            .help("write a variable per dimension, as in `(%i, %j)`"),
        );
    }
    parser.expect("=")?;
    for (slot, word) in [None, Some("to"), Some("step")].into_iter().enumerate() {
        if let Some(word) = word {
            parser.keyword(word)?;
        }
        let loc = parser.loc();
        let values = parser.list("(", ")", Parser::value)?;
        if values.len() != variables.len() {
            let message = format!(
                "expected {} values, one per loop variable, found {}",
                variables.len(),
                values.len()
            );
            return parser.syntax(loc, message);
        }
        draft.operands[slot] = values.into();
    }
    if parser.eat_word("init") {
        draft.operands[3] = parser.list("(", ")", Parser::value)?.into();
    }
    draft.results[0] = Some(parse_results(parser)?);
    let ty = parse_bound_type(parser, draft.operands[0][0])?;
    let variables = variables.into_iter();
    let arguments: Vec<Argument<'_>> = variables.map(|(name, loc)| (name, ty, loc)).collect();
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(YIELD))?;
    Ok(op)
}

pub(super) fn print_parallel(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.region_block(id, 0)?;
    let variables = printer.module.block(block).args.as_slice();
    let ranges = ["lowerBounds", "upperBounds", "steps"].map(|slot| op.operands_of(slot));
    let (&first, _) = ranges[0].split_first()?;
    // The custom form writes this type once, and one bound of each kind per variable.
    let firsts = vec![first; variables.len()];
    let same = printer.same_types(variables, &firsts)
        && ranges.iter().all(|range| range.len() == variables.len());
    if !same || !printer.is_terminated(block) {
        return None;
    }
    print_unsigned(printer, op);
    for (word, values) in [
        (" ", variables),
        (" = ", ranges[0]),
        (" to ", ranges[1]),
        (" step ", ranges[2]),
        (" init ", op.operands_of("initVals")),
    ] {
        if !values.is_empty() {
            printer.out.push_str(word);
            printer.out.push('(');
            printer.values(values);
            printer.out.push(')');
        }
    }
    print_results(printer, op);
    printer.out.push_str(" :");
    printer.space_types(&[first]);
    printer.block(block, Some(YIELD));
    Some(())
}

// loop.reduce(%x) {
// ^bb0(%lhs: T, %rhs: T):
//   …
// } : T

pub(super) fn parse_reduce(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parser.expect("(")?;
    let operand = parser.value()?;
    parser.expect(")")?;
    draft.operands[0] = smallvec![operand];
    let op = parser.create(draft);
    parser.generic_region(op)?;
    parser.expect(":")?;
    parser.type_of(operand)?;
    Ok(op)
}

pub(super) fn print_reduce(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let block = printer.module.block(printer.module.region_block(id, 0)?);
    printer.out.push('(');
    printer.value(op.operand("operand"));
    printer.out.push_str(") {\n");
    printer.line_start();
    printer.out.push_str("^bb0");
    printer.arguments(&block.args);
    printer.out.push_str(":\n");
    printer.operations(&block.ops);
    printer.line_start();
    printer.out.push_str("} :");
    printer.space_types(&[op.operand("operand")]);
    Some(())
}
