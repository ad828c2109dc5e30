//! The symbol table of a module.

use super::{Context, name_of};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Module, Op, OpId};
use rustc_hash::FxHashMap;

/// The operations in the body of a module by name.
pub(super) struct Symbols<'m> {
    by_name: FxHashMap<&'m str, OpId>,
}

impl<'m> Symbols<'m> {
    /// Builds the table of `module`; of several symbols with one name, the table has the first.
    pub(super) fn collect(module: &'m Module) -> Self {
        let mut by_name = FxHashMap::default();
        for id in module.symbols() {
            if let Some(name) = symbol_name(module.op(id)) {
                by_name.entry(name).or_insert(id);
            }
        }
        Self { by_name }
    }

    /// Returns the operation that defines `name`.
    pub(super) fn get(&self, name: &str) -> Option<OpId> {
        self.by_name.get(name).copied()
    }
}

/// The rule for symbol names. A stage that passes names to a tool with stricter rules checks those
/// rules itself.
pub(super) const SYMBOL_RULE: &str = "a symbol has a name that is not empty";

/// Returns the symbol that an operation defines, if its row has a symbol and the attribute is
/// present.
pub(super) fn symbol_name(op: &Op) -> Option<&str> {
    let mut slots = op.def().attrs.iter();
    let slot = slots.position(|attr| attr.name == "sym_name")?;
    match op.attrs.get(slot)? {
        Some(Attr::Str(name)) => Some(name),
        _ => None,
    }
}

/// Reports an empty name, and a name that an earlier operation defines.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let Some(name) = symbol_name(op) else {
        return;
    };
    if name.is_empty() {
        let message = format!("the name of `{}` is empty", name_of(op));
        cx.error(Code::VerifyAttributes, op, message, SYMBOL_RULE);
    }
    let is_listed = op.parent == Some(cx.module.body());
    let first = cx.symbol(name).filter(|&first| first != id && is_listed);
    if let Some(first) = first {
        let first = cx.module.op(first).loc;
        let message = format!("two symbols are named `{name}`");
        cx.report(
            Diagnostic::error(Code::VerifyStructure, op.loc, message)
                .label(first, "the first one")
                .note("the symbols of a module are unique"),
        );
    }
}
