//! Prints locations and their aliases: `#loc`, `#loc1`, `#di_file`, …
//!
//! As in MLIR, every location and debug attribute gets an alias; aliases are ordered by depth, then
//! by kind, then by first use. Aliases that block arguments use are defined above all modules,
//! since MLIR resolves them immediately. All other aliases are defined below.

use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, Module, OpId};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};

/// A location or attribute with an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Loc(DebugLoc),
    Attr(DebugAttr),
}

#[derive(Debug)]
struct Entry {
    node: Node,
    /// Is `true` if a block argument uses the alias.
    early: bool,
    alias: String,
}

/// The aliases of a file.
#[derive(Debug, Default)]
pub(super) struct LocationAliases {
    /// The aliases in order of definition.
    entries: Vec<Entry>,
    places: FxHashMap<Node, usize>,
}

impl LocationAliases {
    /// Collects the aliases of all locations of the modules. Each module is given with its
    /// operations.
    pub(super) fn collect<'m>(modules: impl IntoIterator<Item = (&'m Module, &'m [OpId])>) -> Self {
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
                .flat_map(|&region| module.blocks_of(region));
            for &argument in blocks.flat_map(|&block| &module.block(block).args) {
                let argument = module.get_value(argument);
                if let Some(loc) = argument.and_then(|argument| argument.loc.debug()) {
                    self.visit(Node::Loc(loc), true);
                }
            }
        }
    }

    /// Adds `node` and its parts.
    fn visit(&mut self, node: Node, early: bool) {
        // Use a worklist, since the nesting of parts is not bounded.
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let index = self.places.get(&node).copied();
            match index {
                Some(index) if self.entries[index].early || !early => continue,
                Some(index) => self.entries[index].early = true,
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
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let base = base(entry.node);
            let count = counts.entry(base).or_default();
            entry.alias = match *count {
                0 => base.to_owned(),
                number => format!("{base}{number}"),
            };
            *count += 1;
            self.places.insert(entry.node, index);
        }
    }

    /// Prints the definitions above the modules, or those below.
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
        let &index = self.places.get(&node)?;
        Some(&self.entries[index].alias)
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

/// Returns the name of an alias without its number.
fn base(node: Node) -> &'static str {
    match node {
        Node::Loc(_) => "loc",
        Node::Attr(attr) => mnemonic(attr.kind()),
    }
}

/// Returns the depth of the definition of `node`.
fn depth(node: Node) -> u32 {
    match node {
        Node::Loc(loc) => loc.depth(),
        Node::Attr(attr) => attr.depth(),
    }
}

/// Returns the nodes that the definition of `node` names.
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

/// Returns the name of a debug attribute, without the dialect.
pub(super) fn mnemonic(kind: &DebugAttrKind) -> &'static str {
    match kind {
        DebugAttrKind::File { .. } => "di_file",
        DebugAttrKind::CompileUnit { .. } => "di_compile_unit",
        DebugAttrKind::Subprogram { .. } => "di_subprogram",
        DebugAttrKind::LexicalBlock { .. } => "di_lexical_block",
    }
}

/// Maps the parts of a location to aliases.
pub(super) trait Names {
    /// Returns the alias of a location.
    fn loc(&self, loc: DebugLoc) -> Option<&str>;
    /// Returns the alias of a debug attribute.
    fn attr(&self, attr: DebugAttr) -> Option<&str>;
}

/// Prints all parts inline, without aliases.
pub(super) struct Inline;

impl Names for Inline {
    fn loc(&self, _: DebugLoc) -> Option<&str> {
        None
    }

    fn attr(&self, _: DebugAttr) -> Option<&str> {
        None
    }
}

fn write_part_loc(out: &mut impl Write, loc: DebugLoc, names: &impl Names) -> fmt::Result {
    match names.loc(loc) {
        Some(name) => write!(out, "#{name}"),
        None => write_loc(out, loc, names, false),
    }
}

fn write_part_attr(out: &mut impl Write, attr: DebugAttr, names: &impl Names) -> fmt::Result {
    match names.attr(attr) {
        Some(name) => write!(out, "#{name}"),
        None => write_attr(out, attr, names),
    }
}

/// Prints a location, `wrapped` in `loc(…)` unless it is an attribute of the dialect. Aliases
/// replace its parts, but not the location itself.
pub(super) fn write_loc(
    out: &mut impl Write,
    loc: DebugLoc,
    names: &impl Names,
    wrapped: bool,
) -> fmt::Result {
    let wrapped = wrapped && !matches!(loc.kind(), DebugLocKind::Scoped { .. });
    if wrapped {
        out.write_str("loc(")?;
    }
    match loc.kind() {
        DebugLocKind::Unknown => out.write_str("unknown")?,
        DebugLocKind::File(position) => write_position(out, position)?,
        DebugLocKind::Scoped { position, scope } => {
            out.write_str("#cuda_tile.di_loc<")?;
            let place = DebugLoc::new(DebugLocKind::File(position.clone()));
            match names.loc(place) {
                Some(name) => write!(out, "#{name}")?,
                None => write_loc(out, place, names, true)?,
            }
            out.write_str(" in ")?;
            write_part_attr(out, *scope, names)?;
            out.write_str(">")?;
        }
        DebugLocKind::CallSite { callee, caller } => {
            out.write_str("callsite(")?;
            write_part_loc(out, *callee, names)?;
            out.write_str(" at ")?;
            write_part_loc(out, *caller, names)?;
            out.write_str(")")?;
        }
        DebugLocKind::Name { name, child } => {
            write_string(out, name)?;
            if *child.kind() != DebugLocKind::Unknown {
                out.write_str("(")?;
                write_part_loc(out, *child, names)?;
                out.write_str(")")?;
            }
        }
        DebugLocKind::Fused {
            metadata,
            locations,
        } => {
            out.write_str("fused")?;
            if let Some(metadata) = metadata {
                write!(out, "<{metadata}>")?;
            }
            out.write_str("[")?;
            for (index, &location) in locations.iter().enumerate() {
                if index > 0 {
                    out.write_str(", ")?;
                }
                write_part_loc(out, location, names)?;
            }
            out.write_str("]")?;
        }
    }
    if wrapped {
        out.write_str(")")?;
    }
    Ok(())
}

fn write_position(out: &mut impl Write, position: &FilePosition) -> fmt::Result {
    let FilePosition { file, line, column } = position;
    write_string(out, file)?;
    write!(out, ":{line}:{column}")
}

/// Prints a debug attribute. Aliases replace its parts, but not the attribute itself.
pub(super) fn write_attr(out: &mut impl Write, attr: DebugAttr, names: &impl Names) -> fmt::Result {
    write!(out, "#cuda_tile.{}<", mnemonic(attr.kind()))?;
    match attr.kind() {
        DebugAttrKind::File { name, directory } => {
            write_string(out, name)?;
            out.write_str(" in ")?;
            write_string(out, directory)?;
        }
        DebugAttrKind::CompileUnit { file } => {
            out.write_str("file = ")?;
            write_part_attr(out, *file, names)?;
        }
        DebugAttrKind::Subprogram {
            file,
            line,
            name,
            linkage_name,
            compile_unit,
            scope_line,
        } => {
            out.write_str("file = ")?;
            write_part_attr(out, *file, names)?;
            write!(out, ", line = {line}, name = ")?;
            write_string(out, name)?;
            out.write_str(", linkageName = ")?;
            write_string(out, linkage_name)?;
            out.write_str(", compileUnit = ")?;
            write_part_attr(out, *compile_unit, names)?;
            if let Some(scope_line) = scope_line {
                write!(out, ", scopeLine = {scope_line}")?;
            }
        }
        DebugAttrKind::LexicalBlock {
            scope,
            file,
            line,
            column,
        } => {
            out.write_str("scope = ")?;
            write_part_attr(out, *scope, names)?;
            out.write_str(", file = ")?;
            write_part_attr(out, *file, names)?;
            write!(out, ", line = {line}")?;
            if let Some(column) = column {
                write!(out, ", column = {column}")?;
            }
        }
    }
    out.write_str(">")
}

/// Prints a quoted string with MLIR's escapes.
pub(super) fn write_string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    let mut rest = text.as_bytes();
    while let Some(offset) = rest.iter().position(|&byte| !plain(byte)) {
        let (before, after) = rest.split_at(offset);
        out.write_str(ascii(before))?;
        match after[0] {
            b'\\' => out.write_str("\\\\")?,
            byte => write!(out, "\\{byte:02X}")?,
        }
        rest = &after[1..];
    }
    out.write_str(ascii(rest))?;
    out.write_char('"')
}

fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("only printable ASCII is taken as it is")
}
