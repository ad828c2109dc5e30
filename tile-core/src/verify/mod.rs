//! The verifier: turns a module into a [`Verified`] module, or reports all of its errors.
//!
//! It accepts any module that the arena can represent, and proves that
//!
//! - every operation fits its row: operand and result counts, presence and kinds of attributes,
//!   regions (`slots`);
//! - the module holds entries and globals; regions have one block (`else` may have none), nest at
//!   most 128 deep, and end in a terminator that is allowed there (`structure`); symbols are unique
//!   (`symbols`);
//! - every use is dominated by its definition, and entries use no values from outside
//!   (`dominance`);
//! - every value has a type within the limits of the dialect (`types`);
//! - slots admit their types, and the agreement rules of the row hold (`rules`);
//! - the scopes of locations are within the scope of their function (`debug`);
//! - the other rules of each group of operations hold.
//!
//! Operations of other dialects are checked for their placement only.
//!
//! Each mistake is reported once: an operation that does not fit its row is not checked further,
//! and the rules are not checked on an operation that has a value of an invalid type. Errors are
//! reported in the order of the operations. The verifier never panics, and takes time linear in the
//! size of the module.

mod atomics;
mod control_flow;
mod conversion;
mod core;
mod debug;
mod dominance;
mod entry;
mod float;
mod global;
mod hints;
mod integer;
mod loop_dialect;
mod memory;
mod misc;
mod mma;
mod plan;
mod ptx;
mod reduce;
mod rules;
mod slots;
mod structure;
mod symbols;
mod types;
mod version;
mod view;

pub use conversion::ftof_modes;
pub use misc::conversions;
pub use ptx::{MAX_PACKED, PtxPiece, PtxRegisters, ptx_pack, ptx_pieces, ptx_registers};
#[cfg(feature = "testing")]
pub(crate) use rules::admits;
pub(crate) use slots::row_errors;
pub use version::{MinimumVersion, minimum_version};

use crate::diag::{Code, Diagnostic, Diagnostics, Reported, Severity};
use crate::ir::{Attr, BlockId, Module, Op, OpId, ValueId};
use crate::ops::{CoreOp, Opcode, TestingOp};
use crate::types::Type;
use std::ops::Deref;
use symbols::Symbols;

/// A module that follows every rule of the dialect.
#[derive(Clone, Debug)]
pub struct Verified(Module);

impl Verified {
    /// Returns the module for further changes.
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

/// The treatment of optimization hints that no compiler follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintCheck {
    /// Accepts them silently.
    #[default]
    Silent,
    /// Reports warnings (`-Wunsupported-hints`).
    Warn,
    /// Reports errors (`-Wunsupported-hints -Werr-hints`).
    Refuse,
}

/// Checks beyond the rules of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// The treatment of optimization hints that no compiler follows.
    pub hints: HintCheck,
}

/// Verifies a module; reports all errors in the order of the operations.
pub fn verify(module: Module, diagnostics: &mut Diagnostics) -> Result<Verified, Reported> {
    verify_with(module, VerifyOptions::default(), diagnostics)
}

/// Like [`verify`], with options.
pub fn verify_with(
    module: Module,
    options: VerifyOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Verified, Reported> {
    let mut reported = None;
    for error in errors(&module, options) {
        if error.severity == Severity::Error {
            reported = Some(diagnostics.error(error));
        } else {
            diagnostics.report(error);
        }
    }
    match reported {
        Some(reported) => Err(reported),
        None => Ok(Verified(module)),
    }
}

/// Returns all errors of a module.
fn errors(module: &Module, options: VerifyOptions) -> Vec<Diagnostic> {
    let mut cx = Context::new(module, options);
    structure::verify(&mut cx);
    cx.finish()
}

/// Checks the rules of a group of operations, after the rules of the row and the regions of the
/// operation were checked.
fn verify_group(cx: &mut Context<'_>, id: OpId, op: &Op) {
    match op.opcode {
        Opcode::Core(CoreOp::Entry) | Opcode::Testing(TestingOp::Func) => {
            symbols::verify(cx, id, op);
            entry::verify(cx, id, op);
        }
        Opcode::Core(opcode @ CoreOp::Global) => {
            symbols::verify(cx, id, op);
            core::verify(cx, id, op, opcode);
        }
        Opcode::Core(opcode) => core::verify(cx, id, op, opcode),
        Opcode::Conversion(opcode) => conversion::verify(cx, op, opcode),
        Opcode::ControlFlow(opcode) => control_flow::verify(cx, id, op, opcode),
        Opcode::LoopDialect(opcode) => loop_dialect::verify(cx, id, op, opcode),
        Opcode::Memory(opcode) => memory::verify(cx, op, opcode),
        Opcode::Float(opcode) => float::verify(cx, op, opcode),
        Opcode::Integer(opcode) => integer::verify(cx, op, opcode),
        // For these operations, the rules of the rows are complete.
        Opcode::Bitwise(_) | Opcode::Unregistered(_) => {}
        Opcode::Atomic(opcode) => atomics::verify(cx, op, opcode),
        Opcode::View(opcode) => view::verify(cx, op, opcode),
        Opcode::Misc(opcode) => misc::verify(cx, op, opcode),
    }
}

/// The module with the errors found so far.
struct Context<'m> {
    module: &'m Module,
    options: VerifyOptions,
    symbols: Symbols<'m>,
    types: types::Known,
    /// For each operation, its number in the order of the module, counted from 1; 0 if the
    /// operation is in no block.
    numbers: Vec<u32>,
    /// For each operation, whether it fits its row, so that its accessors do not panic.
    sound: Vec<bool>,
    /// For each operation, its index in its block; computed on demand.
    op_indices: Option<Vec<usize>>,
    /// The operation that is being checked.
    current_op: Option<OpId>,
    /// Errors, each with the number of the operation that was being checked.
    reported: Vec<(u32, Diagnostic)>,
}

impl<'m> Context<'m> {
    fn new(module: &'m Module, options: VerifyOptions) -> Self {
        Self {
            module,
            options,
            symbols: Symbols::collect(module),
            types: types::Known::default(),
            numbers: vec![0; module.num_ops()],
            sound: vec![false; module.num_ops()],
            op_indices: None,
            current_op: None,
            reported: Vec::new(),
        }
    }

    /// Returns the errors in source order, or in the order of the operations where locations are
    /// not known.
    fn finish(mut self) -> Vec<Diagnostic> {
        self.reported.sort_by_key(|&(number, _)| number);
        let reported = self.reported.into_iter();
        let mut reported: Vec<Diagnostic> = reported.map(|(_, diagnostic)| diagnostic).collect();
        let file = |one: &Diagnostic| one.primary.loc.file_name();
        let first = reported.first().and_then(file);
        if first.is_some() && reported.iter().all(|one| file(one) == first) {
            reported.sort_by_key(|one| (one.primary.loc.line(), one.primary.loc.column()));
        }
        reported
    }

    /// Reports an error. Labels without a location are dropped.
    fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.labels.retain(|label| !label.loc.is_unknown());
        let number = self.current_op.map_or(0, |op| self.numbers[op.index()]);
        self.reported.push((number, diagnostic));
    }

    /// Returns `true` if an operation fits its row, so that its accessors do not panic.
    fn is_sound(&self, id: OpId) -> bool {
        self.sound[id.index()]
    }

    /// Reports an error at `op` with the rule that it breaks.
    fn error(&mut self, code: Code, op: &Op, message: impl Into<String>, rule: impl Into<String>) {
        self.report(Diagnostic::error(code, op.loc, message).note(rule));
    }

    /// Reports an error at `op` with a label at the definition of the operand.
    fn operand_error(
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

    /// Adds a label at the definition of `value`.
    fn with_definition(&self, diagnostic: Diagnostic, value: ValueId) -> Diagnostic {
        let definition = self.module.value(value);
        diagnostic.label(definition.loc, format!("this is `{}`", definition.ty))
    }

    /// Returns the entry, global or function named `name`, and the first one if several have that
    /// name.
    fn symbol(&self, name: &str) -> Option<OpId> {
        self.symbols.get(name)
    }

    /// Returns the type of a value of the module; the error type for any other value.
    fn ty(&self, value: ValueId) -> Type {
        let value = self.module.get_value(value);
        value.map_or_else(Type::error, |value| value.ty)
    }

    /// Returns the types of values.
    fn tys(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|&value| self.ty(value)).collect()
    }

    /// Reports a body of `op` whose arguments do not have the expected types.
    fn body_arguments(&mut self, op: &Op, body: BlockId, expected: &[Type], rule: &str) {
        let arguments = self.tys(&self.module.block(body).args);
        if arguments != expected {
            self.error(
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
}

/// Returns the name of an operation for messages: its mnemonic, or the full name if the operation
/// belongs to another dialect.
fn name_of(op: &Op) -> &str {
    match (op.opcode, op.attrs.first()) {
        (Opcode::Unregistered(_), Some(Some(Attr::Str(name)))) => name,
        _ => op.def().mnemonic,
    }
}

/// Formats "a, b or c".
fn either<T: std::fmt::Display>(choices: &[T]) -> String {
    let names: Vec<String> = choices.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Formats `(a, b)`, and elides all but the first items of a long list.
fn listed<T: std::fmt::Display>(items: &[T]) -> String {
    const SHOWN: usize = 64;
    let shown = crate::types::join(&items[..items.len().min(SHOWN)]);
    match items.len().checked_sub(SHOWN) {
        None | Some(0) => format!("({shown})"),
        Some(rest) => format!("({shown}, and {rest} more)"),
    }
}
