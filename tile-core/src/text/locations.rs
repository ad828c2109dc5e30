//! Aliases of locations in print: `#loc`, `#loc1`, `#di_file`, …
//!
//! As in MLIR, every location and debug attribute gets an alias; aliases are
//! ordered by depth, then by kind, then by first use. Those that arguments of
//! blocks use stand above all modules, since MLIR reads these at once, all
//! others below them.

use super::debug::{Names, mnemonic, write_attr, write_loc};
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, Module, OpId};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What has an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Loc(DebugLoc),
    Attr(DebugAttr),
}

#[derive(Debug)]
struct Entry {
    node: Node,
    /// Whether an argument of a block uses it.
    early: bool,
    alias: String,
}

/// The aliases of a file.
#[derive(Debug, Default)]
pub(super) struct LocationAliases {
    /// In order of definition.
    entries: Vec<Entry>,
    places: FxHashMap<Node, usize>,
}

impl LocationAliases {
    /// The aliases of all locations that modules state, each with its operations.
    pub(super) fn of<'m>(modules: impl IntoIterator<Item = (&'m Module, &'m [OpId])>) -> Self {
        let mut aliases = Self::default();
        for (module, order) in modules {
            aliases.visit_module(module, order);
        }
        aliases.name();
        aliases
    }

    fn visit_module(&mut self, module: &Module, order: &[OpId]) {
        if let Some(loc) = module.loc.debug() {
            self.visit(Node::Loc(loc), false);
        }
        for &id in order {
            let op = module.op(id);
            if let Some(loc) = op.loc.debug() {
                self.visit(Node::Loc(loc), false);
            }
            let blocks = op
                .regions
                .iter()
                .flat_map(|&region| &module.region(region).blocks);
            for &argument in blocks.flat_map(|&block| &module.block(block).args) {
                if argument.index() < module.num_values()
                    && let Some(loc) = module.value(argument).loc.debug()
                {
                    self.visit(Node::Loc(loc), true);
                }
            }
        }
    }

    /// Notes `node` and its parts.
    fn visit(&mut self, node: Node, early: bool) {
        // Parts nest without bound.
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let known = self.places.get(&node).copied();
            match known {
                Some(at) if self.entries[at].early || !early => continue,
                Some(at) => self.entries[at].early = true,
                None => {
                    self.places.insert(node, self.entries.len());
                    self.entries.push(Entry {
                        node,
                        early,
                        alias: String::new(),
                    });
                }
            }
            pending.extend(parts(node).into_iter().rev());
        }
    }

    fn name(&mut self) {
        self.entries
            .sort_by_key(|entry| (depth(entry.node), base(entry.node)));
        let mut counts: FxHashMap<&'static str, usize> = FxHashMap::default();
        for (at, entry) in self.entries.iter_mut().enumerate() {
            let base = base(entry.node);
            let count = counts.entry(base).or_default();
            entry.alias = match *count {
                0 => base.to_owned(),
                number => format!("{base}{number}"),
            };
            *count += 1;
            self.places.insert(entry.node, at);
        }
    }

    /// Prints the definitions that stand above the modules, or below.
    pub(super) fn define(&self, out: &mut String, early: bool) {
        for entry in self.entries.iter().filter(|entry| entry.early == early) {
            write!(out, "#{} = ", entry.alias).expect("strings do not fail");
            match entry.node {
                Node::Loc(loc) => write_loc(out, loc, self, true),
                Node::Attr(attr) => write_attr(out, attr, self),
            }
            .expect("strings do not fail");
            out.push('\n');
        }
    }

    fn alias(&self, node: Node) -> Option<&str> {
        let &at = self.places.get(&node)?;
        Some(&self.entries[at].alias)
    }
}

impl Names for LocationAliases {
    fn loc(&self, loc: DebugLoc) -> Option<&str> {
        self.alias(Node::Loc(loc))
    }

    fn attr(&self, attr: DebugAttr) -> Option<&str> {
        self.alias(Node::Attr(attr))
    }
}

/// The name that a number is put behind.
fn base(node: Node) -> &'static str {
    match node {
        Node::Loc(_) => "loc",
        Node::Attr(attr) => mnemonic(attr.kind()),
    }
}

/// How deep the definition of `node` reaches.
fn depth(node: Node) -> u32 {
    match node {
        Node::Loc(loc) => loc.depth(),
        Node::Attr(attr) => attr.depth(),
    }
}

/// What the definition of `node` names.
fn parts(node: Node) -> Vec<Node> {
    match node {
        Node::Loc(loc) => match loc.kind() {
            DebugLocKind::Unknown | DebugLocKind::File(_) => Vec::new(),
            DebugLocKind::Scoped { position, scope } => vec![
                Node::Loc(DebugLoc::new(DebugLocKind::File(position.clone()))),
                Node::Attr(*scope),
            ],
            DebugLocKind::CallSite { callee, caller } => {
                vec![Node::Loc(*callee), Node::Loc(*caller)]
            }
            DebugLocKind::Name { child, .. } if *child.kind() == DebugLocKind::Unknown => {
                Vec::new()
            }
            DebugLocKind::Name { child, .. } => vec![Node::Loc(*child)],
            DebugLocKind::Fused { locations, .. } => {
                locations.iter().map(|&loc| Node::Loc(loc)).collect()
            }
        },
        Node::Attr(attr) => match attr.kind() {
            DebugAttrKind::File { .. } => Vec::new(),
            DebugAttrKind::CompileUnit { file } => vec![Node::Attr(*file)],
            DebugAttrKind::Subprogram {
                file, compile_unit, ..
            } => vec![Node::Attr(*file), Node::Attr(*compile_unit)],
            DebugAttrKind::LexicalBlock { scope, file, .. } => {
                vec![Node::Attr(*scope), Node::Attr(*file)]
            }
        },
    }
}
