//! The symbols of a module, in one table.

use crate::ir::{Attr, Module, Op, OpId};
use rustc_hash::FxHashMap;

/// What stands in the body of a module, by name.
pub(super) struct Symbols<'m> {
    by_name: FxHashMap<&'m str, OpId>,
}

impl<'m> Symbols<'m> {
    /// The table of `module`: of two symbols of one name the first.
    pub(super) fn of(module: &'m Module) -> Self {
        let mut by_name = FxHashMap::default();
        for id in module.symbols() {
            if let Some(name) = symbol_name(module.op(id)) {
                by_name.entry(name).or_insert(id);
            }
        }
        Self { by_name }
    }

    /// The operation that defines `name`.
    pub(super) fn get(&self, name: &str) -> Option<OpId> {
        self.by_name.get(name).copied()
    }
}

/// The symbol that an operation defines, if it defines one and fits its row.
fn symbol_name(op: &Op) -> Option<&str> {
    let slot = op
        .def()
        .attrs
        .iter()
        .position(|attr| attr.name == "sym_name")?;
    match op.attrs.get(slot)? {
        Some(Attr::Str(name)) => Some(name),
        _ => None,
    }
}
