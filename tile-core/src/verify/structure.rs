//! Verifies regions, blocks, parents and terminators in a walk that tracks visible values.

use super::debug::Debug;
use super::dominance::Visible;
use super::entry::is_function;
use super::plan::Plan;
use super::slots::{self, row_errors, value_errors};
use super::{Context, either, hints, name_of, rules, types, verify_group};
use crate::diag::Code;
use crate::ir::{BlockId, Module, Op, OpId, RegionId, ValueDef};
use crate::ops::{ControlFlowOp, CoreOp, LoopOp, Opcode, RegionCount};
use crate::text::MAX_REGION_DEPTH;

/// Walks the module once and checks each operation when it is reached; the group rules of an
/// operation with regions are checked after its regions.
pub(super) fn verify(cx: &mut Context<'_>) {
    let module = cx.module;
    slots::verify_module(cx);
    let mut walk = Walk {
        visible: Visible::new(module),
        debug: Debug::default(),
        function: None,
        cx,
        visited: 0,
        seen_regions: vec![false; module.num_regions()],
    };
    walk.graph(&[module.body()], None, 0);
}

/// An operation with its plan, which is looked up once.
#[derive(Clone, Copy)]
struct Here<'m> {
    id: OpId,
    op: &'m Op,
    plan: &'static Plan,
}

struct Walk<'c, 'm> {
    cx: &'c mut Context<'m>,
    visible: Visible,
    debug: Debug,
    /// The enclosing function.
    function: Option<OpId>,
    /// The number of visited operations.
    visited: u32,
    /// For each region, whether it was visited.
    seen_regions: Vec<bool>,
}

impl<'m> Walk<'_, 'm> {
    /// Visits blocks in which a value is visible everywhere: the body of the module, and regions of
    /// unregistered operations.
    fn graph(&mut self, blocks: &[BlockId], parent: Option<Here<'m>>, depth: usize) {
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

    fn block(&mut self, block: BlockId, parent: Option<Here<'m>>, depth: usize) {
        let module: &'m Module = self.cx.module;
        let (args, ops) = (&module.block(block).args, &module.block(block).ops);
        for (number, &arg) in (0..).zip(args) {
            if module.value(arg).def != ValueDef::Argument(block, number)
                && let Some(parent) = parent
            {
                let mnemonic = name_of(parent.op);
                self.error(
                    parent.op,
                    format!(
                        "an argument of a block of `{mnemonic}` says that it is something else"
                    ),
                    "an argument belongs to one block, once",
                );
            }
            types::verify(self.cx, arg);
            self.visible.define(arg);
        }
        for (index, &id) in ops.iter().enumerate() {
            let op = module.op(id);
            if op.parent != Some(block) || !self.number(id) {
                let mnemonic = name_of(op);
                self.error(
                    op,
                    format!("`{mnemonic}` is in two places"),
                    "an operation is in one block, once",
                );
                continue;
            }
            let here = Here {
                id,
                op,
                plan: Plan::for_opcode(op.opcode),
            };
            self.placement(here, parent, index + 1 == ops.len());
            let follows = self.operation(here);
            if !op.regions.is_empty() {
                self.regions(here, depth);
            }
            if follows {
                verify_group(self.cx, id, op);
            }
            self.visible.define_results(module, id);
        }
        if let Some(parent) = parent
            && !matches!(
                parent.plan.def.regions,
                RegionCount::Any | RegionCount::Exactly(0)
            )
        {
            self.terminator(parent, ops);
        }
    }

    /// Reports a block of `parent` if the last of its operations, `ops`, is not a terminator.
    fn terminator(&mut self, parent: Here<'m>, ops: &[OpId]) {
        let module: &'m Module = self.cx.module;
        let last = ops.last().map(|&id| module.op(id));
        if last.is_some_and(|op| Plan::for_opcode(op.opcode).is_terminator) {
            return;
        }
        self.cx.current_op = ops.last().copied().or(self.cx.current_op);
        let mnemonic = parent.plan.def.mnemonic;
        self.error(
            last.unwrap_or(parent.op),
            format!("a block of `{mnemonic}` does not end in a terminator"),
            format!("expected {} at the end", terminators(parent.op.opcode)),
        );
    }

    /// Assigns an operation its number in the order of the module, counted from 1. Returns `false`
    /// if the operation already has a number.
    fn number(&mut self, id: OpId) -> bool {
        let number = &mut self.cx.numbers[id.index()];
        if *number != 0 {
            return false;
        }
        self.visited += 1;
        *number = self.visited;
        self.cx.current_op = Some(id);
        true
    }

    fn error(&mut self, op: &Op, message: String, rule: impl Into<String>) {
        self.cx.error(Code::VerifyStructure, op, message, rule);
    }

    /// Checks an operation except its placement, its regions, and the rules of its group. Returns
    /// `true` if the group rules can be checked.
    fn operation(&mut self, Here { id, op, plan }: Here<'m>) -> bool {
        let mut errors = row_errors(self.cx.module, id);
        if errors.is_empty() {
            errors = value_errors(op, plan.def);
        }
        if !errors.is_empty() {
            for error in errors {
                self.cx.report(error);
            }
            return false;
        }
        self.cx.sound[id.index()] = true;
        self.visible.verify(self.cx, id, op);
        for &result in &op.results {
            types::verify(self.cx, result);
        }
        self.debug.verify(self.cx, op, self.function);
        hints::verify(self.cx, op);
        if !rules::verify_constraints(self.cx, op, plan) {
            return false;
        }
        let before = self.cx.reported.len();
        rules::verify_rules(self.cx, op, plan);
        self.cx.reported.len() == before
    }

    /// Checks that the operation may appear in its place.
    fn placement(&mut self, here: Here<'m>, parent: Option<Here<'m>>, is_last: bool) {
        let op = here.op;
        match (op.opcode, parent) {
            (Opcode::Core(CoreOp::Module), _) => {
                let message = "`module` is nested inside `module`".to_owned();
                self.error(op, message, "modules do not nest");
            }
            (Opcode::Core(CoreOp::Entry | CoreOp::Global) | Opcode::Testing(_), Some(parent)) => {
                let (mnemonic, around) = (here.plan.def.mnemonic, name_of(parent.op));
                self.error(
                    op,
                    format!("`{mnemonic}` is inside `{around}`"),
                    format!("`{mnemonic}` is directly in the module"),
                );
            }
            (
                Opcode::Core(CoreOp::Entry | CoreOp::Global)
                | Opcode::Testing(_)
                | Opcode::Unregistered(_),
                _,
            ) => {}
            (_, None) => self.error(
                op,
                format!("`{}` is outside of any entry", here.plan.def.mnemonic),
                "a module holds entries and globals",
            ),
            (_, Some(parent)) => self.placement_in(here, parent, is_last),
        }
    }

    /// Checks that an operation that belongs in code may appear inside `parent`.
    fn placement_in(&mut self, here: Here<'m>, parent: Here<'m>, is_last: bool) {
        let mnemonic = here.plan.def.mnemonic;
        if let Some(parents) = here.plan.parents
            && parents >> parent.op.opcode.index() & 1 == 0
        {
            let parents = Opcode::all().filter(|op| parents >> op.index() & 1 == 1);
            self.error(
                here.op,
                format!("`{mnemonic}` is inside `{}`", name_of(parent.op)),
                format!(
                    "`{mnemonic}` may be directly inside {}",
                    alternatives(parents)
                ),
            );
        } else if here.plan.is_terminator && !is_last {
            self.error(
                here.op,
                format!("`{mnemonic}` is not the last operation of its block"),
                "a terminator ends its block",
            );
        }
    }

    fn regions(&mut self, here: Here<'m>, depth: usize) {
        let module: &'m Module = self.cx.module;
        let Here { id, op, plan } = here;
        // A nested module was already reported; its contents are not checked.
        if op.opcode == CoreOp::Module.into() {
            return;
        }
        let mnemonic = name_of(op);
        let is_isolated = is_function(op.opcode);
        let function = self.function;
        if is_isolated {
            self.function = Some(id);
        }
        for (index, &region) in op.regions.iter().enumerate() {
            if !self.owns(id, region) {
                self.error(
                    op,
                    format!("a region of `{mnemonic}` belongs somewhere else too"),
                    "a region belongs to one operation, once",
                );
                continue;
            }
            if depth == MAX_REGION_DEPTH {
                self.error(
                    op,
                    format!("`{mnemonic}` nests too deep"),
                    format!("regions nest at most {MAX_REGION_DEPTH} deep"),
                );
                continue;
            }
            let blocks = &module.region(region).blocks;
            if plan.def.regions == RegionCount::Any {
                self.graph(blocks, Some(here), depth + 1);
                self.cx.current_op = Some(id);
                continue;
            }
            let is_if = matches!(
                op.opcode,
                Opcode::ControlFlow(ControlFlowOp::If) | Opcode::LoopDialect(LoopOp::If)
            );
            let may_be_empty = is_if && index == 1;
            if blocks.len() != 1 && !(may_be_empty && blocks.is_empty()) {
                self.error(
                    op,
                    format!(
                        "expected one block in region {index}, found {}",
                        blocks.len()
                    ),
                    "a region has one block; only the second region of `if` may be empty",
                );
            }
            let outer = self.visible.mark();
            let around = is_isolated.then(|| self.visible.isolate());
            for &block in blocks {
                self.block(block, Some(here), depth + 1);
            }
            self.visible.forget(outer);
            if let Some(around) = around {
                self.visible.leave(around);
            }
            self.cx.current_op = Some(id);
        }
        self.function = function;
    }

    /// Returns `true` if `region` exists in this module, belongs to `id`, and was not visited
    /// before.
    fn owns(&mut self, id: OpId, region: RegionId) -> bool {
        let Some(seen) = self.seen_regions.get_mut(region.index()) else {
            return false;
        };
        self.cx.module.region(region).parent == Some(id) && !std::mem::replace(seen, true)
    }
}

/// Lists the terminators of a block of `parent` for a message.
fn terminators(parent: Opcode) -> String {
    alternatives(Opcode::all().filter(|&op| {
        let parents = Plan::for_opcode(op).parents;
        parents.is_some_and(|parents| parents >> parent.index() & 1 == 1)
    }))
}

fn alternatives(ops: impl Iterator<Item = Opcode>) -> String {
    let names: Vec<String> = ops.map(|op| format!("`{}`", op.def().mnemonic)).collect();
    either(&names)
}
