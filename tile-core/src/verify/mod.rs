//! The verifier: a module to a [`Verified`] module, or all of its faults.
//!
//! In: any module that the arena can represent. Out: proof that
//!
//! - every operation fits its row: operand and result counts, attributes that
//!   are there and of the right kind, regions (`row_faults`);
//! - regions have one block (`else` may have none), nest at most 128 deep, and
//!   end in the one terminator that belongs there; the module holds entries;
//! - every value has a type within the limits of the dialect;
//! - every use is dominated by its definition, and entries see nothing outside;
//! - slots admit their types and the agreement rules of the row hold;
//! - what no rule can say holds, group by group.
//!
//! An operation that fails one of these steps is not checked further, and an
//! operation that touches a value of a faulty type is not checked at all, so
//! one mistake gives one message. Never panics.

mod control_flow;
mod atomics;
mod conversion;
mod core;
mod dominance;
mod float;
mod global;
mod integer;
mod memory;
mod misc;
mod mma;
mod reduce;
mod rules;
mod slots;
mod structure;
mod symbols;
mod types;
mod view;

pub(crate) use slots::row_faults;

use crate::diag::{Code, Diagnostic, Diagnostics, Reported};
use crate::ir::{BlockId, Module, Op, OpId, ValueId};
use crate::ops::Opcode;
use crate::types::Type;
use std::ops::Deref;
use symbols::Symbols;

/// A module that follows every rule of the dialect.
#[derive(Clone, Debug)]
pub struct Verified(Module);

impl Verified {
    /// The module, to be changed.
    pub fn into_inner(self) -> Module {
        self.0
    }
}

impl Deref for Verified {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.0
    }
}

/// What to do about optimization hints that no compiler will follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintCheck {
    /// Nothing.
    #[default]
    Silent,
    /// Warn (`-Wunsupported-hints`).
    Warn,
    /// Warn and refuse (`-Wunsupported-hints -Werr-hints`).
    Refuse,
}

/// What the verifier checks beyond the rules of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Optimization hints.
    pub hints: HintCheck,
}

/// Checks everything and reports all faults, in the order of the operations.
pub fn verify(module: Module, diagnostics: &mut Diagnostics) -> Result<Verified, Reported> {
    verify_with(module, VerifyOptions::default(), diagnostics)
}

/// [`verify`] with options.
pub fn verify_with(
    module: Module,
    options: VerifyOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Verified, Reported> {
    let _ = options;
    let mut reported = None;
    for fault in faults(&module) {
        reported = Some(diagnostics.error(fault));
    }
    match reported {
        Some(reported) => Err(reported),
        None => Ok(Verified(module)),
    }
}

/// All faults of a module.
fn faults(module: &Module) -> Vec<Diagnostic> {
    let mut cx = Context {
        module,
        symbols: Symbols::of(module),
        found: Vec::new(),
    };
    let sound = structure::verify(&mut cx);
    let faulty = types::verify(&mut cx, &sound);
    dominance::verify(&mut cx, &sound);
    let is_faulty = |value: &ValueId| faulty[value.index()];
    for &id in &sound {
        let op = module.op(id);
        if op.operands.iter().chain(&op.results).any(is_faulty) {
            continue;
        }
        let before = cx.found.len();
        rules::verify_constraints(&mut cx, op);
        if cx.found.len() == before {
            rules::verify_rules(&mut cx, op);
        }
        if cx.found.len() == before {
            verify_group(&mut cx, id, op);
        }
    }
    cx.found
}

fn verify_group(cx: &mut Context<'_>, id: OpId, op: &Op) {
    match op.opcode {
        Opcode::Core(opcode) => core::verify(cx, id, op, opcode),
        Opcode::Conversion(opcode) => conversion::verify(cx, op, opcode),
        Opcode::ControlFlow(opcode) => control_flow::verify(cx, id, op, opcode),
        Opcode::Memory(opcode) => memory::verify(cx, op, opcode),
        Opcode::Float(opcode) => float::verify(cx, op, opcode),
        Opcode::Integer(opcode) => integer::verify(cx, op, opcode),
        // The rules of the rows say everything.
        Opcode::Bitwise(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => {}
        Opcode::Atomic(opcode) => atomics::verify(cx, op, opcode),
        Opcode::View(opcode) => view::verify(cx, op, opcode),
        Opcode::Misc(opcode) => misc::verify(cx, op, opcode),
    }
}

/// The module and the faults found so far.
struct Context<'m> {
    module: &'m Module,
    symbols: Symbols<'m>,
    found: Vec<Diagnostic>,
}

impl<'m> Context<'m> {
    /// Reports a fault. Labels that have no place to point at are dropped.
    fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.labels.retain(|label| !label.loc.is_unknown());
        self.found.push(diagnostic);
    }

    /// Reports a fault at `op` with the rule that it breaks.
    fn fault(&mut self, code: Code, op: &Op, message: impl Into<String>, rule: impl Into<String>) {
        self.report(Diagnostic::error(code, op.loc, message).note(rule));
    }

    /// Reports a fault at `op`, with the definition of the operand concerned.
    fn operand_fault(
        &mut self,
        op: &Op,
        operand: ValueId,
        message: impl Into<String>,
        rule: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::error(Code::VerifyOperands, op.loc, message).note(rule);
        let diagnostic = self.with_definition(diagnostic, operand);
        self.report(diagnostic);
    }

    /// Points at the definition of `value`.
    fn with_definition(&self, diagnostic: Diagnostic, value: ValueId) -> Diagnostic {
        let definition = self.module.value(value);
        diagnostic.label(definition.loc, format!("this is `{}`", definition.ty))
    }

    /// The entry, global or function named `name`; the first, if there are more.
    fn symbol(&self, name: &str) -> Option<OpId> {
        self.symbols.get(name)
    }

    fn ty(&self, value: ValueId) -> Type {
        self.module.ty(value)
    }

    /// The types of values.
    fn tys(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|&value| self.ty(value)).collect()
    }

    /// Reports a body of `op` whose arguments are not of the expected types.
    fn body_arguments(&mut self, op: &Op, body: BlockId, expected: &[Type], rule: &str) {
        let arguments = self.tys(&self.module.block(body).args);
        if arguments != expected {
            self.fault(
                Code::VerifyStructure,
                op,
                format!(
                    "expected body arguments {}, found {}",
                    listed(expected),
                    listed(&arguments)
                ),
                rule,
            );
        }
    }

    /// The mnemonic of the operation around `op`; `module` at the top.
    fn parent(&self, op: &Op) -> (Option<&'m Op>, &'static str) {
        let module = self.module;
        let parent = op.parent.and_then(|block| module.parent_op_of_block(block));
        let parent = parent.map(|id| module.op(id));
        (parent, parent.map_or("module", |op| op.def().mnemonic))
    }
}

/// `(a, b)`
fn listed<T: std::fmt::Display>(items: &[T]) -> String {
    format!("({})", crate::types::join(items))
}
