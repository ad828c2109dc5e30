//! Verifies that every use is dominated by its definition.
//!
//! With one block per region, a definition dominates the operations that follow it in its block and
//! the operations nested in them; arguments dominate their block. In the body of the module, and in
//! regions of unregistered operations, order does not matter. An entry sees no values from outside.

use super::Context;
use super::entry::is_function;
use crate::diag::{Code, Diagnostic};
use crate::ir::{BlockId, Module, Op, OpId, ValueDef, ValueId};
use crate::ops::CoreOp;
use rustc_hash::FxHashSet;

/// The values that are visible at the current point of a walk over the module.
pub(super) struct Visible {
    /// For each value, the number of the isolated scope in which the value is visible, or 0.
    places: Vec<u32>,
    /// The number of the current isolated scope, counted from 1.
    around: u32,
    /// The number of the most recent isolated scope.
    last: u32,
    /// The visible values, in order of definition.
    defined: Vec<ValueId>,
}

impl Visible {
    pub(super) fn new(module: &Module) -> Self {
        Self {
            places: vec![0; module.num_values()],
            around: 1,
            last: 1,
            defined: Vec::new(),
        }
    }

    /// Returns the point that [`Visible::forget`] returns to.
    pub(super) fn mark(&self) -> usize {
        self.defined.len()
    }

    /// Makes the values that were defined since `mark` invisible.
    pub(super) fn forget(&mut self, mark: usize) {
        for value in self.defined.drain(mark..) {
            self.places[value.index()] = 0;
        }
    }

    /// Enters an isolated scope, in which no outer value is visible. Returns the outer scope for
    /// [`Visible::leave`].
    pub(super) fn isolate(&mut self) -> u32 {
        self.last += 1;
        std::mem::replace(&mut self.around, self.last)
    }

    /// Returns to the outer scope.
    pub(super) fn leave(&mut self, around: u32) {
        self.around = around;
    }

    pub(super) fn define(&mut self, value: ValueId) {
        self.places[value.index()] = self.around;
        self.defined.push(value);
    }

    /// Defines the results of an operation, except results whose definition is another operation.
    pub(super) fn define_results(&mut self, module: &Module, id: OpId) {
        for &result in &module.op(id).results {
            let is_known = result.index() < self.places.len();
            if is_known && matches!(module.value(result).def, ValueDef::Result(def, _) if def == id)
            {
                self.define(result);
            }
        }
    }

    /// Reports the operands of `op` that are values of the module but not visible.
    pub(super) fn verify(&self, cx: &mut Context<'_>, id: OpId, op: &Op) {
        if !op.operands.iter().all(|&operand| self.sees(operand)) {
            self.report(cx, id, op);
        }
    }

    fn sees(&self, value: ValueId) -> bool {
        self.places[value.index()] == self.around
    }

    /// Reports each operand that is not visible, and each value only once.
    #[cold]
    fn report(&self, cx: &mut Context<'_>, id: OpId, op: &Op) {
        let module = cx.module;
        let mut reported = FxHashSet::default();
        for &operand in &op.operands {
            if self.sees(operand) || !reported.insert(operand) {
                continue;
            }
            let Some((message, rule)) = error(cx, id, operand) else {
                continue;
            };
            let value = module.value(operand);
            let name = match &value.name {
                Some(name) => format!("`%{name}`"),
                None => "an operand".to_owned(),
            };
            let message = format!("{name} {message}");
            cx.report(
                Diagnostic::error(Code::VerifyDominance, op.loc, message)
                    .label(value.loc, "the value is defined here")
                    .note(rule),
            );
        }
    }
}

type RuleViolation = (String, &'static str);

/// Returns the reason why `id` cannot use `operand`; all operations around `id` must have been
/// visited.
fn error(cx: &mut Context<'_>, id: OpId, operand: ValueId) -> Option<RuleViolation> {
    let module = cx.module;
    let (home, defined) = match module.value(operand).def {
        ValueDef::Argument(block, _) => (block, None),
        ValueDef::Result(def, _) => {
            let block = (def.index() < module.num_ops())
                .then(|| module.op(def).parent)
                .flatten();
            let Some(block) = block else {
                return Some((
                    "is defined by an operation that is in no block".to_owned(),
                    "a value is defined by an operation of the module",
                ));
            };
            (block, Some(def))
        }
    };
    // Walk outward from the use to the block of the definition.
    let mut ancestor = id;
    let mut left: Option<&Op> = None;
    loop {
        let block = module.op(ancestor).parent?;
        if block == home {
            break;
        }
        let Some(parent) = module.parent_op_of_block(block) else {
            return Some((
                "is defined in a region that does not enclose this operation".to_owned(),
                "a value is visible in the block that defines it and in regions inside",
            ));
        };
        left = Some(module.op(parent))
            .filter(|parent| is_function(parent.opcode))
            .or(left);
        ancestor = parent;
    }
    if let Some(left) = left {
        let around = if left.opcode == CoreOp::Entry.into() {
            "entry"
        } else {
            "function"
        };
        return Some((
            format!("is defined outside of the {around}"),
            "an entry sees its parameters and what it defines",
        ));
    }
    if defined.is_some_and(|defined| !is_before(cx, defined, ancestor)) {
        return Some((
            "is used before it is defined".to_owned(),
            "a value is visible after the operation that defines it",
        ));
    }
    Some((
        "is not among the values of what it says defines it".to_owned(),
        "a value is an argument of its block or a result of its operation",
    ))
}

/// Returns `true` if `first` precedes `second` in their block.
fn is_before(cx: &mut Context<'_>, first: OpId, second: OpId) -> bool {
    let module = cx.module;
    let op_indices = cx.op_indices.get_or_insert_with(|| {
        let mut op_indices = vec![0; module.num_ops()];
        for block in (0..module.num_blocks()).map(BlockId::new) {
            for (index, op) in module.block(block).ops.iter().enumerate() {
                op_indices[op.index()] = index;
            }
        }
        op_indices
    });
    op_indices[first.index()] < op_indices[second.index()]
}
