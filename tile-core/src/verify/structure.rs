//! Regions, blocks, parents and terminators.

use super::Context;
use super::slots::{row_faults, value_faults};
use crate::diag::{Code, Diagnostic};
use crate::ir::{BlockId, Module, Op, OpId};
use crate::ops::{ControlFlowOp, CoreOp, Opcode, Rule};
use crate::text::MAX_REGION_DEPTH;

/// Reports faults of structure. Returns the operations that fit their rows, in
/// order, an operation before those of its regions.
pub(super) fn verify(cx: &mut Context<'_>) -> Vec<OpId> {
    let module = cx.module;
    if !is_symbol(&module.name) {
        let loc = crate::ir::Loc::UNKNOWN;
        let message = format!("the module cannot be named `{}`", module.name);
        cx.report(Diagnostic::error(Code::VerifyStructure, loc, message).note(SYMBOL_RULE));
    }
    let mut walk = Walk {
        cx,
        seen: vec![false; module.num_ops()],
        sound: Vec::new(),
    };
    walk.block(module.body(), None, 0);
    walk.sound
}

/// What a symbol may be called.
pub(super) const SYMBOL_RULE: &str = "a symbol consists of letters, digits, `_`, `$` and `.`";

/// Whether text and tools can name a symbol so.
pub(super) fn is_symbol(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    !name.is_empty() && name.bytes().all(legal)
}

struct Walk<'c, 'm> {
    cx: &'c mut Context<'m>,
    seen: Vec<bool>,
    sound: Vec<OpId>,
}

impl<'m> Walk<'_, 'm> {
    fn block(&mut self, block: BlockId, parent: Option<&Op>, depth: usize) {
        let module: &'m Module = self.cx.module;
        let ops = &module.block(block).ops;
        for (at, &id) in ops.iter().enumerate() {
            let op = module.op(id);
            if op.parent != Some(block) || self.seen[id.index()] {
                self.cx.fault(
                    Code::VerifyStructure,
                    op,
                    format!("`{}` is in two places", op.def().mnemonic),
                    "an operation is in one block, once",
                );
                continue;
            }
            self.seen[id.index()] = true;
            self.placement(op, parent, at + 1 == ops.len());
            let mut faults = row_faults(module, id);
            if faults.is_empty() {
                faults = value_faults(op);
            }
            if faults.is_empty() {
                self.sound.push(id);
            }
            self.cx.found.extend(faults);
            self.regions(id, op, depth);
        }
        if let Some(parent) = parent {
            let last = ops.last().map(|&id| module.op(id));
            if last.is_none_or(|op| !op.def().is_terminator()) {
                let mnemonic = parent.def().mnemonic;
                self.cx.fault(
                    Code::VerifyStructure,
                    last.unwrap_or(parent),
                    format!("a block of `{mnemonic}` does not end in a terminator"),
                    format!("expected one of {} at the end", terminators(parent)),
                );
            }
        }
    }

    /// Whether the operation may stand where it does.
    fn placement(&mut self, op: &Op, parent: Option<&Op>, is_last: bool) {
        let mnemonic = op.def().mnemonic;
        let around = parent.map_or("module", |op| op.def().mnemonic);
        let is_entry = op.opcode == CoreOp::Entry.into();
        if is_entry && parent.is_some() {
            self.cx.fault(
                Code::VerifyStructure,
                op,
                format!("`entry` stands inside `{around}`"),
                "an entry stands directly in the module",
            );
        }
        if !is_entry && parent.is_none() {
            self.cx.fault(
                Code::VerifyStructure,
                op,
                format!("`{mnemonic}` stands outside of any entry"),
                "a module holds entries only",
            );
            return;
        }
        if op.def().is_terminator() && !is_last {
            self.cx.fault(
                Code::VerifyStructure,
                op,
                format!("`{mnemonic}` is not the last operation of its block"),
                "a terminator ends its block",
            );
        }
        for rule in op.def().rules {
            let Rule::ParentIsOneOf(allowed) = rule else {
                continue;
            };
            if !allowed.contains(&around) {
                let allowed: Vec<String> = allowed.iter().map(|op| format!("`{op}`")).collect();
                self.cx.fault(
                    Code::VerifyStructure,
                    op,
                    format!("`{mnemonic}` stands inside `{around}`"),
                    format!(
                        "`{mnemonic}` may stand directly inside {}",
                        allowed.join(" or ")
                    ),
                );
            }
        }
    }

    fn regions(&mut self, id: OpId, op: &Op, depth: usize) {
        let module: &'m Module = self.cx.module;
        let mnemonic = op.def().mnemonic;
        for (at, &region) in op.regions.iter().enumerate() {
            let owned = module.region(region).parent == Some(id);
            if !owned || op.regions[..at].contains(&region) {
                self.cx.fault(
                    Code::VerifyStructure,
                    op,
                    format!("a region of `{mnemonic}` belongs somewhere else too"),
                    "a region belongs to one operation, once",
                );
                continue;
            }
            if depth == MAX_REGION_DEPTH {
                self.cx.fault(
                    Code::VerifyStructure,
                    op,
                    format!("`{mnemonic}` nests too deep"),
                    format!("regions nest at most {MAX_REGION_DEPTH} deep"),
                );
                continue;
            }
            let blocks = &module.region(region).blocks;
            let may_be_empty = op.opcode == ControlFlowOp::If.into() && at == 1;
            if blocks.len() != 1 && !(may_be_empty && blocks.is_empty()) {
                self.cx.fault(
                    Code::VerifyStructure,
                    op,
                    format!("expected one block in region {at}, found {}", blocks.len()),
                    "a region has one block; only the second region of `if` may be empty",
                );
            }
            for &block in blocks {
                self.block(block, Some(op), depth + 1);
            }
        }
    }
}

/// What may end a block of `parent`, for a message.
fn terminators(parent: &Op) -> String {
    let names: Vec<String> = Opcode::all()
        .filter(|op| {
            op.def().rules.iter().any(|rule| match rule {
                Rule::ParentIsOneOf(parents) => parents.contains(&parent.def().mnemonic),
                _ => false,
            })
        })
        .map(|op| format!("`{}`", op.def().mnemonic))
        .collect();
    names.join(", ")
}
