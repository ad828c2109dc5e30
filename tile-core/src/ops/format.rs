//! Checks the assembly of a row while the row is compiled.
//!
//! Two strings in one notation describe how an operation is written: the engine in `text` runs
//! `asm`, and `syntax` documents rows that are printed and parsed by hand (whose `asm` is
//! `custom`). The elements are those of `text::format`. `syntax` omits the marks `^` and `!`, and
//! has plain words for anything that is not a slot, such as `region`.
//!
//! - Every operand and attribute occurs once, and no unknown name does.
//! - In `asm`, a group shows whether its optional parts are present, and the type of every value
//!   is written or follows from one that is.
//! - `syntax` has a `region` for every region.

use super::def::{Arity, AttrDef, AttrKind, Constraint, OpDef, Presence, RegionCount, SlotDef};
use super::soundness::{RowError, attr_position, check, ensure, have_same_type, position, same};

/// The `asm` of rows that are printed and parsed by hand.
pub(super) const CUSTOM: &str = "custom";

/// Returns the first error in the assembly of a row.
pub(super) const fn error(row: &OpDef) -> RowError {
    ensure!(!row.asm.is_empty(), "a row needs an assembly");
    let by_hand = same(row.asm, CUSTOM);
    ensure!(
        by_hand != row.syntax.is_empty(),
        "a row has a syntax if its assembly is custom, and only then"
    );
    if by_hand {
        let seen = match scan(row, row.syntax, Form::Syntax) {
            Ok(seen) => seen,
            Err(error) => return Some(error),
        };
        if let RegionCount::Exactly(count) = row.regions {
            ensure!(
                seen.regions == count,
                "the syntax must say `region` for every region"
            );
        }
        return all_named(row, &seen);
    }
    ensure!(
        matches!(row.regions, RegionCount::Exactly(0)),
        "regions need an assembly that is custom"
    );
    match scan(row, row.asm, Form::Asm) {
        Ok(seen) => {
            check!(all_named(row, &seen));
            types(row, &seen)
        }
        Err(error) => Some(error),
    }
}

/// The string that is checked.
#[derive(Clone, Copy)]
enum Form {
    Asm,
    Syntax,
}

/// The slots that a string names: one bit per slot.
#[derive(Clone, Copy)]
struct Seen {
    operands: u64,
    attrs: u64,
    operand_types: u64,
    result_types: u64,
    regions: usize,
}

/// The name of a slot with the marks that follow it.
#[derive(Clone, Copy)]
struct Marked {
    name: &'static str,
    anchor: bool,
    strict: bool,
}

/// An element of the notation.
#[derive(Clone, Copy)]
enum Piece {
    Slot(Marked),
    TypeOf(Marked),
    TypesOf(Marked),
    Literal(&'static str),
    Word(&'static str),
    Open,
    Close,
    End,
}

/// Splits a string into elements.
struct Reader {
    rest: &'static str,
}

impl Reader {
    /// Consumes and returns `count` bytes.
    const fn take(&mut self, count: usize) -> &'static str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    /// Consumes `prefix` if the rest starts with it, and returns whether it does.
    const fn eat(&mut self, prefix: &str) -> bool {
        let length = prefix.len();
        let matches = self.rest.len() >= length && same(self.rest.split_at(length).0, prefix);
        if matches {
            self.take(length);
        }
        matches
    }

    /// Consumes the marks after a slot, and returns them with its name.
    const fn marked(&mut self, name: &'static str) -> Marked {
        let strict = self.eat("!");
        Marked {
            name,
            anchor: self.eat("^"),
            strict,
        }
    }

    /// Returns the number of bytes before the byte `end`, or of all remaining bytes if there is no
    /// such byte.
    const fn until(&self, end: u8) -> usize {
        let bytes = self.rest.as_bytes();
        let mut length = 0;
        while length < bytes.len() && bytes[length] != end {
            length += 1;
        }
        length
    }

    /// Consumes and returns letters, digits and `_`.
    const fn word(&mut self) -> &'static str {
        let bytes = self.rest.as_bytes();
        let mut length = 0;
        while length < bytes.len()
            && (bytes[length].is_ascii_alphanumeric() || bytes[length] == b'_')
        {
            length += 1;
        }
        self.take(length)
    }

    const fn next(&mut self) -> Result<Piece, &'static str> {
        while self.eat(" ") {}
        if self.rest.is_empty() {
            return Ok(Piece::End);
        }
        if self.eat("`") {
            let literal = self.take(self.until(b'`'));
            if literal.is_empty() || self.rest.is_empty() {
                return Err("a literal needs a backquote at each end");
            }
            self.take(1);
            return Ok(Piece::Literal(literal));
        }
        if self.eat("$") {
            let name = self.word();
            return Ok(Piece::Slot(self.marked(name)));
        }
        let many = self.eat("types($");
        if many || self.eat("type($") {
            let name = self.word();
            if !self.eat(")") {
                return Err("`type(` is not closed");
            }
            let marked = self.marked(name);
            return Ok(if many {
                Piece::TypesOf(marked)
            } else {
                Piece::TypeOf(marked)
            });
        }
        if self.eat("(") {
            return Ok(Piece::Open);
        }
        if self.eat(")?") {
            return Ok(Piece::Close);
        }
        let word = self.word();
        if word.is_empty() {
            return Err("the assembly has a character that means nothing");
        }
        Ok(Piece::Word(word))
    }
}

/// The open groups `( … )?`, each with a flag that is set once its anchor has been seen.
#[derive(Clone, Copy)]
struct Groups {
    anchored: [bool; 4],
    depth: usize,
}

impl Groups {
    const fn open(&mut self) -> RowError {
        ensure!(self.depth < self.anchored.len(), "groups nest too deep");
        self.anchored[self.depth] = false;
        self.depth += 1;
        None
    }

    const fn close(&mut self, form: Form) -> RowError {
        ensure!(self.depth > 0, "a group ends that did not begin");
        self.depth -= 1;
        ensure!(
            self.anchored[self.depth] || matches!(form, Form::Syntax),
            "a group needs an anchor, which says when it is there"
        );
        None
    }

    /// Handles an anchor; only a slot that may be absent can be one.
    const fn anchor(&mut self, may_be_absent: bool) -> RowError {
        ensure!(self.depth > 0, "an anchor is outside of a group");
        ensure!(!self.anchored[self.depth - 1], "a group has two anchors");
        ensure!(
            may_be_absent,
            "the anchor of a group must be able to be absent"
        );
        self.anchored[self.depth - 1] = true;
        None
    }
}

/// Checks a string element by element.
const fn scan(row: &OpDef, text: &'static str, form: Form) -> Result<Seen, &'static str> {
    let mut seen = Seen {
        operands: 0,
        attrs: 0,
        operand_types: 0,
        result_types: 0,
        regions: 0,
    };
    let mut reader = Reader { rest: text };
    let mut groups = Groups {
        anchored: [false; 4],
        depth: 0,
    };
    let mut brackets = Brackets::NONE;
    loop {
        let piece = match reader.next() {
            Ok(piece) => piece,
            Err(error) => return Err(error),
        };
        let error = match piece {
            Piece::End => break,
            Piece::Literal(literal) => brackets.literal(literal),
            Piece::Word(word) => match form {
                Form::Asm => Some("a word is neither a slot nor a literal in backquotes"),
                Form::Syntax => {
                    if same(word, "region") {
                        seen.regions += 1;
                    }
                    None
                }
            },
            Piece::Open => groups.open(),
            Piece::Close => groups.close(form),
            Piece::Slot(slot) => named(row, &mut seen, &mut groups, slot, form),
            Piece::TypeOf(slot) => type_of(row, &mut seen, &mut groups, slot),
            Piece::TypesOf(slot) => match position(row.operands, slot.name) {
                Some(index) if matches!(row.operands[index].arity, Arity::Variadic) => {
                    type_of(row, &mut seen, &mut groups, slot)
                }
                _ => Some("`types` is of operands of any number"),
            },
        };
        if let Some(error) = error {
            return Err(error);
        }
    }
    if groups.depth > 0 {
        return Err("a group does not end");
    }
    if !brackets.has_balanced_brackets() {
        return Err("the brackets of the literals are not balanced");
    }
    Ok(seen)
}

/// Checks `$name`.
const fn named(
    row: &OpDef,
    seen: &mut Seen,
    groups: &mut Groups,
    slot: Marked,
    form: Form,
) -> RowError {
    ensure!(
        matches!(form, Form::Asm) || !slot.anchor && !slot.strict,
        "a syntax has no marks"
    );
    if let Some(index) = position(row.operands, slot.name) {
        ensure!(
            seen.operands >> index & 1 == 0,
            "the assembly names an operand twice"
        );
        ensure!(!slot.strict, "only attributes can be refused in place");
        seen.operands |= 1 << index;
        return match form {
            Form::Asm => operand(groups, row.operands[index].arity, slot.anchor),
            Form::Syntax => None,
        };
    }
    let Some(index) = attr_position(row.attrs, slot.name) else {
        return Some("the assembly names an unknown slot");
    };
    ensure!(
        seen.attrs >> index & 1 == 0,
        "the assembly names an attribute twice"
    );
    seen.attrs |= 1 << index;
    match form {
        Form::Asm => attribute(groups, &row.attrs[index], slot.anchor),
        Form::Syntax => None,
    }
}

/// Checks an operand of a row's `asm`.
const fn operand(groups: &mut Groups, arity: Arity, anchor: bool) -> RowError {
    if anchor {
        return groups.anchor(!matches!(arity, Arity::One));
    }
    ensure!(
        groups.depth == 0,
        "the operand of a group must be its anchor"
    );
    ensure!(
        !matches!(arity, Arity::Optional),
        "an optional operand must be the anchor of a group"
    );
    None
}

/// Checks an attribute of a row's `asm`.
const fn attribute(groups: &mut Groups, attr: &AttrDef, anchor: bool) -> RowError {
    ensure!(
        !matches!(
            attr.kind,
            AttrKind::Type | AttrKind::Dense | AttrKind::Scalars
        ),
        "an attribute of this kind needs an assembly that is custom"
    );
    let required = matches!(attr.presence, Presence::Required);
    if anchor {
        return groups.anchor(!required);
    }
    ensure!(
        groups.depth == 0,
        "the attribute of a group must be its anchor"
    );
    // Without an anchor, the parser recognizes these kinds by their keyword; others do not begin
    // with one.
    ensure!(
        required
            || matches!(
                attr.kind,
                AttrKind::Unit
                    | AttrKind::Overflow
                    | AttrKind::Rounding(_)
                    | AttrKind::Visibility
                    | AttrKind::MemoryScope(_)
            ),
        "an attribute of this kind that may be absent must be the anchor of a group"
    );
    None
}

/// Checks `type($name)`.
const fn type_of(row: &OpDef, seen: &mut Seen, groups: &mut Groups, slot: Marked) -> RowError {
    ensure!(!slot.strict, "only attributes can be refused in place");
    if let Some(index) = position(row.operands, slot.name) {
        ensure!(
            seen.operand_types >> index & 1 == 0,
            "the assembly has the type of a slot twice"
        );
        seen.operand_types |= 1 << index;
        if slot.anchor {
            ensure!(
                seen.operands >> index & 1 == 1,
                "an operand must precede the group that its type anchors"
            );
            return groups.anchor(!matches!(row.operands[index].arity, Arity::One));
        }
        return None;
    }
    let Some(index) = position(row.results, slot.name) else {
        return Some("the assembly names the type of an unknown slot");
    };
    ensure!(
        seen.result_types >> index & 1 == 0,
        "the assembly has the type of a slot twice"
    );
    seen.result_types |= 1 << index;
    if slot.anchor {
        return groups.anchor(false);
    }
    None
}

/// The brackets that literals have opened.
#[derive(Clone, Copy)]
struct Brackets {
    open: [u8; 8],
    depth: usize,
    error: bool,
}

impl Brackets {
    const NONE: Self = Self {
        open: [0; 8],
        depth: 0,
        error: false,
    };

    const fn literal(&mut self, literal: &str) -> RowError {
        if same(literal, "->") {
            return None;
        }
        let bytes = literal.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            let closing = match bytes[index] {
                b'(' => b')',
                b'[' => b']',
                b'{' => b'}',
                b'<' => b'>',
                _ => 0,
            };
            if closing != 0 {
                ensure!(self.depth < self.open.len(), "brackets nest too deep");
                self.open[self.depth] = closing;
                self.depth += 1;
            } else if matches!(bytes[index], b')' | b']' | b'}' | b'>') {
                if self.depth == 0 || self.open[self.depth - 1] != bytes[index] {
                    self.error = true;
                } else {
                    self.depth -= 1;
                }
            }
            index += 1;
        }
        None
    }

    const fn has_balanced_brackets(&self) -> bool {
        self.depth == 0 && !self.error
    }
}

/// Checks that every operand and attribute occurs in the string.
const fn all_named(row: &OpDef, seen: &Seen) -> RowError {
    ensure!(
        seen.operands == first_bits(row.operands.len()),
        "the assembly leaves out an operand"
    );
    ensure!(
        seen.attrs == first_bits(row.attrs.len()),
        "the assembly leaves out an attribute"
    );
    None
}

const fn first_bits(count: usize) -> u64 {
    (1 << count) - 1
}

/// Checks that the type of every value follows from the string.
const fn types(row: &OpDef, seen: &Seen) -> RowError {
    let mut index = 0;
    while index < row.operands.len() {
        let slot = &row.operands[index];
        ensure!(
            seen.operand_types >> index & 1 == 1
                || has_one_type(slot.constraint)
                || follows(row, seen, slot)
                || is_of_written_view(row, seen, slot.constraint),
            "the type of an operand does not follow from the assembly"
        );
        index += 1;
    }
    let mut index = 0;
    while index < row.results.len() {
        let slot = &row.results[index];
        ensure!(
            matches!(slot.arity, Arity::One),
            "results of any number need an assembly that is custom"
        );
        // The parser takes the types of operands from their definitions.
        let of_operand = {
            let mut has_types = false;
            let mut operand = 0;
            while operand < row.operands.len() {
                let SlotDef { name, arity, .. } = row.operands[operand];
                if matches!(arity, Arity::One) && have_same_type(row, slot.name, name) {
                    has_types = true;
                }
                operand += 1;
            }
            has_types
        };
        ensure!(
            seen.result_types >> index & 1 == 1 || of_operand || follows(row, seen, slot),
            "the type of a result does not follow from the assembly"
        );
        index += 1;
    }
    None
}

/// Returns `true` if a constraint admits exactly one type.
const fn has_one_type(constraint: Constraint) -> bool {
    matches!(
        constraint,
        Constraint::Token | Constraint::ScalarI1 | Constraint::ScalarI32
    )
}

/// Returns `true` if the type of a slot follows from one that is written.
const fn follows(row: &OpDef, seen: &Seen, slot: &SlotDef) -> bool {
    let mut index = 0;
    while index < row.operands.len() {
        let written = seen.operand_types >> index & 1 == 1;
        if written && have_same_type(row, slot.name, row.operands[index].name) {
            return true;
        }
        index += 1;
    }
    let mut index = 0;
    while index < row.results.len() {
        let written = seen.result_types >> index & 1 == 1;
        if written && have_same_type(row, slot.name, row.results[index].name) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns `true` if a slot holds the tensor view that the type of a written view names.
const fn is_of_written_view(row: &OpDef, seen: &Seen, constraint: Constraint) -> bool {
    if !matches!(constraint, Constraint::TensorView) {
        return false;
    }
    let mut index = 0;
    while index < row.results.len() {
        let is_view = matches!(
            row.results[index].constraint,
            Constraint::PartitionView | Constraint::StridedView | Constraint::GatherScatterView
        );
        if is_view && seen.result_types >> index & 1 == 1 {
            return true;
        }
        index += 1;
    }
    false
}
