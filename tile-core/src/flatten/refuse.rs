//! Reports loops and entries that cannot be flattened, with the remedy.

use super::combine::has_placeholder;
use super::entry::{Parts, effects, parts, writes};
use super::{FlattenOptions, Outermost};
use crate::diag::{Code, Diagnostic, Diagnostics, Reported};
use crate::ir::{Module, Op, OpId};
use crate::ops::{CoreOp, Effects, LoopOp, Opcode};
use crate::types::{Scalar, Type};

/// Reports everything in a verified module that cannot be flattened.
pub(super) fn check(
    module: &Module,
    options: FlattenOptions,
    diagnostics: &mut Diagnostics,
) -> Result<(), Reported> {
    let mut errors = Vec::new();
    for id in module.walk(module.body()) {
        match module.op(id).opcode {
            Opcode::Core(CoreOp::Entry) => entry(module, id, options.outermost, &mut errors),
            Opcode::LoopDialect(opcode) => carried(module, id, opcode, &mut errors),
            _ => {}
        }
    }
    let reported = errors
        .into_iter()
        .map(|error| diagnostics.error(error))
        .last();
    reported.map_or(Ok(()), Err)
}

/// Reports loops that do not use the grid because they come after one that does.
pub(super) fn remark(module: &Module, options: FlattenOptions, diagnostics: &mut Diagnostics) {
    for id in module.entries() {
        let Some(parts) = parts(module, id, options.outermost) else {
            continue;
        };
        let first = module.op(parts.parallel).loc;
        for &id in parts.behind {
            let op = module.op(id);
            if op.opcode == LoopOp::Parallel.into() && writes(module, id) {
                diagnostics.report(
                    Diagnostic::remark(Code::Flatten, op.loc, "this loop runs in one block")
                        .label(first, "this one has the grid")
                        .note("the code after the outermost loop waits for all blocks")
                        .help("make an entry of its own of the second loop"),
                );
            }
        }
    }
}

fn error(op: &Op, message: String, note: &str, help: &str) -> Diagnostic {
    Diagnostic::error(Code::Flatten, op.loc, message)
        .note(note)
        .help(help)
}

/// Reports types that no operation of `cuda_tile` can carry.
fn carried(module: &Module, id: OpId, opcode: LoopOp, errors: &mut Vec<Diagnostic>) {
    let op = module.op(id);
    let name = op.def().mnemonic;
    let view = op
        .results
        .iter()
        .map(|&result| module.ty(result))
        .find(|ty| ty.is_view());
    if let Some(ty) = view {
        errors.push(error(
            op,
            format!("`{name}` carries `{ty}`"),
            "views are not carried from one iteration or branch to another",
            "make the view inside of the body",
        ));
    }
    if opcode != LoopOp::Reduce {
        return;
    }
    let ty = module.ty(op.operand("operand"));
    let has_init = module.parent_op(id).is_some_and(|parent| {
        let parent = module.op(parent);
        !parent.operands_of("initVals").is_empty()
    });
    if !has_init && !has_placeholder(ty) && !ty.is_view() {
        errors.push(error(
            op,
            format!("`{name}` of `{ty}` without an initial value"),
            "there is no value of this type to start from",
            "give the loop initial values, with `init`",
        ));
    }
}

/// Reports operations that an entry must not contain if one of its loops is distributed over the
/// grid.
fn entry(module: &Module, id: OpId, outermost: Outermost, errors: &mut Vec<Diagnostic>) {
    let Some(parts) = parts(module, id, outermost) else {
        return;
    };
    let parallel = module.op(parts.parallel);
    before(module, parts, errors);
    let body = module.region_block(id, 0);
    for inner in body.map_or_else(Vec::new, |body| module.walk(body)) {
        let op = module.op(inner);
        if matches!(
            op.opcode,
            Opcode::Core(CoreOp::GetTileBlockId | CoreOp::GetNumTileBlocks)
        ) {
            let diagnostic = error(
                op,
                format!(
                    "`{}` in an entry whose loop is distributed over the grid",
                    op.def().mnemonic
                ),
                "the result of such an entry does not depend on the grid",
                "use the loop variables, or flatten with sequential outermost loops",
            );
            errors.push(diagnostic.label(parallel.loc, "this loop has the grid"));
        }
    }
    let is_combined = parts.behind.iter().any(|&id| writes(module, id));
    for &result in &parallel.results {
        let ty = module.ty(result);
        if is_combined && !ty.is_view() && !is_storable(ty) {
            errors.push(error(
                parallel,
                format!("a result of type `{ty}` across blocks"),
                "blocks pass results through memory, so a pointer must be able to point to their type",
                "convert the operand of `loop.reduce`, and the result back",
            ));
        }
    }
}

/// Returns `true` if blocks can pass a result to each other through memory.
fn is_storable(ty: Type) -> bool {
    match ty.as_number_tile() {
        Some((scalar, _)) => scalar.bits() >= 8 || scalar == Scalar::I1,
        None => ty.is_token(),
    }
}

/// Reports effects before the outermost loop, which would run in every block.
fn before(module: &Module, parts: Parts<'_>, errors: &mut Vec<Diagnostic>) {
    let parallel = module.op(parts.parallel);
    let stores = writes(module, parts.parallel);
    let goes_on = parts.behind.iter().any(|&id| writes(module, id));
    for &id in parts.before {
        for (inner, effect) in effects(module, id) {
            let op = module.op(inner);
            let name = op.def().mnemonic;
            let diagnostic = match effect {
                Effects::Write => error(
                    op,
                    format!("`{name}` before a loop that is distributed over the grid"),
                    "the code before the loop runs in every block, and no block waits for another",
                    "put it after the loop, into the loop, or into an entry that is launched before",
                ),
                Effects::Read if stores => error(
                    op,
                    format!("`{name}` before a loop that is distributed over the grid and stores"),
                    "another block may have stored to that memory already",
                    "load inside of the loop",
                ),
                // The token of a nested load is not available where blocks wait for each other.
                Effects::Read if goes_on && inner != id => error(
                    op,
                    format!(
                        "`{name}` inside of an operation before a loop that is distributed over the grid"
                    ),
                    "the code after the loop may store to that memory",
                    "load directly in the entry, or inside of the loop",
                ),
                _ => continue,
            };
            errors.push(diagnostic.label(parallel.loc, "this loop has the grid"));
        }
    }
}
