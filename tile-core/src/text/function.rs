//! Entries, and the functions of test builds.

use super::hints::{parse_hints, print_hints};
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, Op, OpId};
use crate::ops::{ControlFlowOp, TestingOp};
use crate::types::{FunctionType, Type, TypeKind};

// entry @name(%a: T, …) [optimization_hints=<…>] { … }
// testing$func @name(%a: T, …) [-> T | -> (T, …)] [optimization_hints=<…>] { … }

pub(super) fn parse_function(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let is_test = draft.opcode == TestingOp::Func.into();
    let expected = if is_test {
        "the function's name"
    } else {
        "the entry's name"
    };
    let name = parser.symbol(expected)?;
    let arguments = parser.list("(", ")", Parser::argument)?;
    let mut results = Vec::new();
    if !is_test && parser.at("->") {
        let message = "expected `{`, found `->`: an entry returns nothing";
        return parser.syntax(parser.loc(), message);
    }
    if parser.eat("->") {
        results = if parser.at("(") {
            parser.list("(", ")", Parser::parse_type)?
        } else {
            vec![parser.parse_type()?]
        };
    }
    if parser.eat_word("optimization_hints") {
        parser.expect("=")?;
        if let Some(hints) = parse_hints(parser)? {
            draft.set("optimization_hints", hints);
        }
    }
    let signature = FunctionType {
        inputs: arguments.iter().map(|&(_, ty, _)| ty).collect(),
        results,
    };
    draft.set("sym_name", Attr::Str(name));
    draft.set(
        "function_type",
        Attr::Type(Type::new(TypeKind::Function(signature))),
    );
    let op = parser.create(draft);
    parser.region(op, &arguments, Some(ControlFlowOp::Return.into()))?;
    Ok(op)
}

pub(super) fn print_function(printer: &mut Printer<'_>, id: OpId, op: &Op) -> Option<()> {
    let (Some(Attr::Str(name)), Some(Attr::Type(signature))) =
        (op.attr("sym_name"), op.attr("function_type"))
    else {
        return None;
    };
    let TypeKind::Function(FunctionType { inputs, results }) = signature.kind() else {
        return None;
    };
    let block = printer.module.region_block(id, 0)?;
    let arguments = &printer.module.block(block).args;
    let types = arguments
        .iter()
        .map(|&argument| printer.module.ty(argument));
    if !types.eq(inputs.iter().copied()) || !printer.is_terminated(block) {
        return None;
    }
    printer.out.push(' ');
    printer.symbol(name);
    printer.arguments(arguments);
    match results.as_slice() {
        [] => {}
        _ if op.opcode != TestingOp::Func.into() => return None,
        &[result] => {
            printer.out.push_str(" -> ");
            printer.type_list(&[result]);
        }
        results => {
            printer.out.push_str(" -> (");
            printer.type_list(results);
            printer.out.push(')');
        }
    }
    match op.attr("optimization_hints") {
        Some(Attr::Hints(hints)) if !hints.per_arch.is_empty() => {
            printer.space("optimization_hints=");
            print_hints(printer, hints);
        }
        Some(Attr::Hints(_)) | None => {}
        Some(_) => return None,
    }
    printer.block(block, None);
    Some(())
}
