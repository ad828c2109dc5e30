//! Printed names of values, and the order in which operations are printed.

use super::MAX_REGION_DEPTH;
use crate::ir::{Module, OpId, ValueId};
use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// The name of a value.
#[derive(Clone, Debug)]
enum Name {
    /// A value without a definition.
    Unknown,
    /// The name that the value has in the module.
    Own(ArcStr),
    /// A number.
    Number(u32),
}

/// The name of every defined value of a module: its own name if that is legal and not taken,
/// otherwise the next number of its entry.
pub(super) struct Names {
    values: Vec<Name>,
    /// Every operation that is reached; an operation precedes those of its regions.
    pub(super) order: Vec<OpId>,
}

impl Names {
    /// Names the values of `module`.
    pub(super) fn collect(module: &Module) -> Self {
        let mut namer = Namer {
            module,
            names: Names {
                values: vec![Name::Unknown; module.num_values()],
                order: Vec::with_capacity(module.num_ops()),
            },
            visible: FxHashSet::default(),
            defined: Vec::new(),
            opened: FxHashSet::default(),
            next: 0,
        };
        for op in module.symbols() {
            namer.next = 0;
            namer.operation(op, 0);
            namer.forget(0);
        }
        namer.names
    }

    /// Prints `%name`.
    pub(super) fn print(&self, out: &mut String, value: ValueId) {
        match self.values.get(value.index()) {
            Some(Name::Own(name)) => {
                out.push('%');
                out.push_str(name);
            }
            Some(Name::Number(number)) => write!(out, "%{number}").expect("strings do not fail"),
            Some(Name::Unknown) | None => out.push_str("%<unknown>"),
        }
    }
}

struct Namer<'m> {
    module: &'m Module,
    names: Names,
    /// The names in use, and the order of their definition.
    visible: FxHashSet<ArcStr>,
    defined: Vec<ArcStr>,
    /// Operations whose regions were visited. An operation that occurs in several places would
    /// otherwise make this walk exponential or endless.
    opened: FxHashSet<OpId>,
    next: u32,
}

impl Namer<'_> {
    fn operation(&mut self, id: OpId, depth: usize) {
        let module = self.module;
        let op = module.op(id);
        self.names.order.push(id);
        for &result in &op.results {
            self.define(result);
        }
        if op.regions.is_empty() || depth > MAX_REGION_DEPTH || !self.opened.insert(id) {
            return;
        }
        for &region in &op.regions {
            let outer = self.defined.len();
            for &block in module.blocks_of(region) {
                for &argument in &module.block(block).args {
                    self.define(argument);
                }
                for &op in &module.block(block).ops {
                    self.operation(op, depth + 1);
                }
            }
            self.forget(outer);
        }
    }

    /// Frees the names that were defined after the first `kept`.
    fn forget(&mut self, kept: usize) {
        for name in self.defined.drain(kept..) {
            self.visible.remove(&name);
        }
    }

    fn define(&mut self, value: ValueId) {
        if value.index() >= self.names.values.len() {
            return;
        }
        let wanted = self.module.value(value).name.as_ref();
        let free = wanted.filter(|name| is_legal(name) && !self.visible.contains(*name));
        self.names.values[value.index()] = if let Some(name) = free {
            self.visible.insert(name.clone());
            self.defined.push(name.clone());
            Name::Own(name.clone())
        } else {
            self.next += 1;
            Name::Number(self.next - 1)
        };
    }
}

/// Returns `true` if the lexer reads `name` as one name that is not a number.
fn is_legal(name: &str) -> bool {
    let mut after_word = false;
    for byte in name.bytes() {
        let in_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
        // A dash must be between two word characters.
        if !(in_word || byte == b'-' && after_word) {
            return false;
        }
        after_word = in_word;
    }
    after_word && !name.as_bytes()[0].is_ascii_digit()
}
