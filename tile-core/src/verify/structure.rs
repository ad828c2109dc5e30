//! Regions, blocks, parents, terminators, and what is visible where.

use super::dominance::Visible;
use super::entry::is_function;
use super::slots::{row_faults, value_faults};
use super::{Context, name_of, symbols};
use crate::diag::Code;
use crate::ir::{BlockId, Module, Op, OpId, RegionId, ValueDef};
use crate::ops::{ControlFlowOp, CoreOp, Opcode, RegionCount, Rule};
use crate::text::MAX_REGION_DEPTH;

/// Reports faults of structure and of dominance. Returns the operations that
/// fit their rows, in order, an operation before those of its regions.
pub(super) fn verify(cx: &mut Context<'_>) -> Vec<OpId> {
    let module = cx.module;
    symbols::verify_module(cx);
    let mut walk = Walk {
        visible: Visible::new(module),
        cx,
        sound: Vec::with_capacity(module.num_ops()),
        visited: 0,
        seen_regions: vec![false; module.num_regions()],
    };
    walk.graph(&[module.body()], None, 0);
    walk.sound
}

struct Walk<'c, 'm> {
    cx: &'c mut Context<'m>,
    visible: Visible,
    sound: Vec<OpId>,
    /// How many operations were visited.
    visited: u32,
    /// By region.
    seen_regions: Vec<bool>,
}

impl<'m> Walk<'_, 'm> {
    /// Blocks in which a value is visible everywhere: the body of the module,
    /// and regions of operations that nothing is known about.
    fn graph(&mut self, blocks: &[BlockId], parent: Option<&Op>, depth: usize) {
        let module: &'m Module = self.cx.module;
        let outer = self.visible.mark();
        for &block in blocks {
            for &id in &module.block(block).ops {
                self.visible.define_results(module, id);
            }
        }
        for &block in blocks {
            self.block(block, parent, depth);
        }
        self.visible.forget(outer);
    }

    fn block(&mut self, block: BlockId, parent: Option<&Op>, depth: usize) {
        let module: &'m Module = self.cx.module;
        let (args, ops) = (&module.block(block).args, &module.block(block).ops);
        for (number, &arg) in (0..).zip(args) {
            if module.value(arg).def != ValueDef::Argument(block, number)
                && let Some(parent) = parent
            {
                let mnemonic = name_of(parent);
                self.fault(
                    parent,
                    format!(
                        "an argument of a block of `{mnemonic}` says that it is something else"
                    ),
                    "an argument belongs to one block, once",
                );
            }
            self.visible.define(arg);
        }
        for (at, &id) in ops.iter().enumerate() {
            let op = module.op(id);
            if op.parent != Some(block) || !self.number(id) {
                let mnemonic = name_of(op);
                self.fault(
                    op,
                    format!("`{mnemonic}` is in two places"),
                    "an operation is in one block, once",
                );
                continue;
            }
            self.placement(op, parent, at + 1 == ops.len());
            self.operation(id, op);
            self.regions(id, op, depth);
            self.visible.define_results(module, id);
        }
        let parent = parent.filter(|op| op.def().regions != RegionCount::Any);
        if let Some(parent) = parent.filter(|op| op.def().regions != RegionCount::Exactly(0)) {
            let last = ops.last().map(|&id| module.op(id));
            if last.is_none_or(|op| !op.def().is_terminator()) {
                self.cx.at = ops.last().copied().or(self.cx.at);
                let mnemonic = parent.def().mnemonic;
                self.fault(
                    last.unwrap_or(parent),
                    format!("a block of `{mnemonic}` does not end in a terminator"),
                    format!("expected {} at the end", terminators(parent)),
                );
            }
        }
    }

    /// Gives an operation its number in the order of the module, from 1; false
    /// if it has one.
    fn number(&mut self, id: OpId) -> bool {
        let number = &mut self.cx.numbers[id.index()];
        if *number != 0 {
            return false;
        }
        self.visited += 1;
        *number = self.visited;
        self.cx.at = Some(id);
        true
    }

    fn fault(&mut self, op: &Op, message: String, rule: impl Into<String>) {
        self.cx.fault(Code::VerifyStructure, op, message, rule);
    }

    /// Whether the operation fits its row, and sees its operands.
    fn operation(&mut self, id: OpId, op: &Op) {
        let module: &'m Module = self.cx.module;
        let mut faults = row_faults(module, id);
        if faults.is_empty() {
            faults = value_faults(op);
        }
        if !faults.is_empty() {
            for fault in faults {
                self.cx.report(fault);
            }
            return;
        }
        self.sound.push(id);
        self.cx.sound[id.index()] = true;
        self.visible.verify(self.cx, id, op);
    }

    /// Whether the operation may stand where it does.
    fn placement(&mut self, op: &Op, parent: Option<&Op>, is_last: bool) {
        let mnemonic = name_of(op);
        match (op.opcode, parent) {
            (Opcode::Core(CoreOp::Module), _) => {
                let message = "`module` stands inside `module`".to_owned();
                self.fault(op, message, "modules do not nest");
            }
            (Opcode::Core(CoreOp::Entry | CoreOp::Global) | Opcode::Testing(_), Some(parent)) => {
                let around = name_of(parent);
                self.fault(
                    op,
                    format!("`{mnemonic}` stands inside `{around}`"),
                    format!("`{mnemonic}` stands directly in the module"),
                );
            }
            (
                Opcode::Core(CoreOp::Entry | CoreOp::Global)
                | Opcode::Testing(_)
                | Opcode::Unregistered(_),
                _,
            ) => {}
            (_, None) => self.fault(
                op,
                format!("`{mnemonic}` stands outside of any entry"),
                "a module holds entries and globals",
            ),
            (_, Some(parent)) => self.placement_in(op, parent, is_last),
        }
    }

    /// Whether an operation of code may stand inside of `parent`.
    fn placement_in(&mut self, op: &Op, parent: &Op, is_last: bool) {
        let (mnemonic, around) = (op.def().mnemonic, parent.def().mnemonic);
        let parents = op.def().rules.iter().find_map(|rule| match rule {
            Rule::ParentIsOneOf(parents) => Some(*parents),
            _ => None,
        });
        if let Some(parents) = parents.filter(|parents| !parents.contains(&around)) {
            let allowed = alternatives(parents);
            self.fault(
                op,
                format!("`{mnemonic}` stands inside `{}`", name_of(parent)),
                format!("`{mnemonic}` may stand directly inside {allowed}"),
            );
        } else if op.def().is_terminator() && !is_last {
            self.fault(
                op,
                format!("`{mnemonic}` is not the last operation of its block"),
                "a terminator ends its block",
            );
        }
    }

    fn regions(&mut self, id: OpId, op: &Op, depth: usize) {
        let module: &'m Module = self.cx.module;
        // A nested module was reported; what is in it is another matter.
        if op.regions.is_empty() || op.opcode == CoreOp::Module.into() {
            return;
        }
        let mnemonic = name_of(op);
        let is_isolated = is_function(op.opcode);
        for (at, &region) in op.regions.iter().enumerate() {
            if !self.owns(id, region) {
                self.fault(
                    op,
                    format!("a region of `{mnemonic}` belongs somewhere else too"),
                    "a region belongs to one operation, once",
                );
                continue;
            }
            if depth == MAX_REGION_DEPTH {
                self.fault(
                    op,
                    format!("`{mnemonic}` nests too deep"),
                    format!("regions nest at most {MAX_REGION_DEPTH} deep"),
                );
                continue;
            }
            let blocks = &module.region(region).blocks;
            if op.def().regions == RegionCount::Any {
                self.graph(blocks, Some(op), depth + 1);
                continue;
            }
            let may_be_empty = op.opcode == ControlFlowOp::If.into() && at == 1;
            if blocks.len() != 1 && !(may_be_empty && blocks.is_empty()) {
                self.fault(
                    op,
                    format!("expected one block in region {at}, found {}", blocks.len()),
                    "a region has one block; only the second region of `if` may be empty",
                );
            }
            let outer = self.visible.mark();
            let around = is_isolated.then(|| self.visible.isolate());
            for &block in blocks {
                self.block(block, Some(op), depth + 1);
            }
            self.visible.forget(outer);
            if let Some(around) = around {
                self.visible.leave(around);
            }
            self.cx.at = Some(id);
        }
    }

    /// Whether `region` is one of this module, belongs to `id`, and was not met
    /// before.
    fn owns(&mut self, id: OpId, region: RegionId) -> bool {
        let Some(seen) = self.seen_regions.get_mut(region.index()) else {
            return false;
        };
        self.cx.module.region(region).parent == Some(id) && !std::mem::replace(seen, true)
    }
}

/// What may end a block of `parent`, for a message.
fn terminators(parent: &Op) -> String {
    let names: Vec<&str> = Opcode::all()
        .map(Opcode::def)
        .filter(|def| {
            def.rules.iter().any(|rule| match rule {
                Rule::ParentIsOneOf(parents) => parents.contains(&parent.def().mnemonic),
                _ => false,
            })
        })
        .map(|def| def.mnemonic)
        .collect();
    alternatives(&names)
}

/// "`a`, `b` or `c`"
fn alternatives(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
