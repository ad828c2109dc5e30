//! Compares modules for equality.

use crate::ir::{Attr, BlockId, DebugLoc, Module, Op, OpId, ValueId};
use crate::ops::{CoreOp, Opcode};
use std::fmt::Write;

/// Details that [`structure_with`] distinguishes although the dialect gives them no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// Locations of operations and entries that have a scope.
    pub debug_info: bool,
    /// Discardable attributes.
    pub discardable: bool,
}

/// Returns everything meaningful about `module`, as text: two modules are equal if and only if
/// their texts are.
///
/// It omits the name of the module, names of values, source positions, locations, discardable
/// attributes, and the order of globals among entries. It also omits differences of representation:
/// an `else` that was never created or has no blocks, and empty or absent hints and lists.
pub fn structure(module: &Module) -> String {
    structure_with(module, Facets::default())
}

/// Like [`structure`], but includes the details that `facets` selects.
pub fn structure_with(module: &Module, facets: Facets) -> String {
    let mut writer = Structure {
        module,
        facets,
        out: String::new(),
        numbers: vec![None; module.num_values()],
        next: 0,
        scoped: false,
    };
    writer.line(0, &format!("producer {:?}", module.producer));
    if facets.discardable {
        writer.line(0, &format!("{:?}", module.discardable));
    }
    let mut symbols: Vec<OpId> = module.symbols().collect();
    symbols.sort_by_key(|&op| module.op(op).opcode != CoreOp::Global.into());
    for op in symbols {
        let scope = module.op(op).loc.debug().and_then(DebugLoc::scope);
        writer.scoped = scope.is_some();
        writer.operation(op, 0);
    }
    writer.out
}

struct Structure<'m> {
    module: &'m Module,
    facets: Facets,
    out: String,
    numbers: Vec<Option<usize>>,
    next: usize,
    /// Is `true` if the current entry has a scope. Otherwise its operations have none either.
    scoped: bool,
}

impl Structure<'_> {
    fn operation(&mut self, id: OpId, depth: usize) {
        let op = self.module.op(id);
        let Op {
            opcode,
            operands,
            segments,
            results,
            attrs: _,
            discardable,
            regions,
            parent: _,
            loc,
        } = op;
        let operands: Vec<_> = operands.iter().map(|value| self.number(*value)).collect();
        let types: Vec<_> = results.iter().map(|&value| self.module.ty(value)).collect();
        let mut text = format!(
            "{} {operands:?} {:?} -> {types:?}",
            opcode.def().mnemonic,
            segments.as_slice()
        );
        for (slot, attr) in op.def().attrs.iter().zip(&op.attrs) {
            if let Some(attr) = attr
                && says_something(op, attr)
            {
                write!(text, " {}={attr:?}", slot.name).expect("strings do not fail");
            }
        }
        if self.facets.discardable && !discardable.is_empty() {
            write!(text, " {discardable:?}").expect("strings do not fail");
        }
        let debug = loc.debug().filter(|loc| loc.scope().is_some());
        if let Some(debug) = debug
            && self.facets.debug_info
            && self.scoped
        {
            write!(text, " at {debug:?}").expect("strings do not fail");
        }
        self.line(depth, &text);
        let blocks_of = |region| &self.module.region(region).blocks;
        let regions_equal = regions
            .iter()
            .rposition(|&region| !blocks_of(region).is_empty());
        let regions_equal = regions_equal.map_or(0, |last| last + 1);
        for &region in &regions[..regions_equal] {
            self.line(depth, "{");
            for &block in blocks_of(region) {
                self.block(block, depth + 1);
            }
            self.line(depth, "}");
        }
        for &result in results {
            self.define(result);
        }
    }

    fn block(&mut self, id: BlockId, depth: usize) {
        let block = self.module.block(id);
        let types: Vec<_> = block.args.iter().map(|&arg| self.module.ty(arg)).collect();
        for &arg in &block.args {
            self.define(arg);
        }
        self.line(depth, &format!("^ {types:?}"));
        for &op in &block.ops {
            self.operation(op, depth);
        }
    }

    fn define(&mut self, value: ValueId) {
        self.numbers[value.index()] = Some(self.next);
        self.next += 1;
    }

    fn number(&self, value: ValueId) -> String {
        match self.numbers.get(value.index()) {
            Some(Some(number)) => format!("%{number}"),
            _ => "%undefined".to_owned(),
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        writeln!(self.out, "{:1$}{text}", "", 2 * depth).expect("strings do not fail");
    }
}

/// Returns `true` if an attribute differs in meaning from an absent one.
fn says_something(op: &Op, attr: &Attr) -> bool {
    match attr {
        Attr::Hints(hints) => {
            op.opcode != Opcode::Core(CoreOp::Entry) || !hints.per_arch.is_empty()
        }
        Attr::BoolArray(values) => values.contains(&true),
        _ => true,
    }
}
