//! Reads the debug section: locations of functions and operations.

use super::super::BoxedError;
use super::super::limits::{Extent, MAX_DEPTH};
use super::super::sections::read_table;
use super::super::varint::{Cursor, Result};
use super::Strings;
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition};

/// Locations per function, and the attributes that they refer to, decoded on demand.
pub(super) struct DebugTable<'a> {
    starts: &'a [[u8; 4]],
    slots: &'a [[u8; 8]],
    entries: Vec<Cursor<'a>>,
    known: Vec<State>,
    /// The slot of the next operation; `None` if the function has no locations.
    next: Option<usize>,
    /// The nesting depth of the entry that is being decoded.
    depth: u32,
}

#[derive(Clone, Copy)]
enum State {
    Unread,
    /// Being decoded; a reference to an entry in this state closes a cycle.
    Reading,
    Known(Node, Extent),
}

/// An entry of the section.
#[derive(Clone, Copy)]
enum Node {
    Unknown,
    Loc(DebugLoc),
    Attr(DebugAttr),
}

impl<'a> DebugTable<'a> {
    pub(super) fn new(mut cursor: Cursor<'a>) -> Result<Self> {
        let functions = cursor.count(4)?;
        cursor.skip_padding(4)?;
        let (starts, _) = cursor.take(functions * 4)?.as_chunks();
        let slots = cursor.count(8)?;
        cursor.skip_padding(8)?;
        let (slots, _) = cursor.take(slots * 8)?.as_chunks();
        let entries = read_table(&mut cursor, 4)?;
        Ok(Self {
            starts,
            slots,
            known: vec![State::Unread; entries.len()],
            entries,
            next: None,
            depth: 0,
        })
    }

    /// Moves to the locations of a function and returns the location of the function itself.
    /// Functions are numbered from 1; the number is at the offset `place`.
    pub(super) fn start_function(
        &mut self,
        number: usize,
        place: usize,
        strings: &mut Strings<'_>,
    ) -> Result<Option<DebugLoc>> {
        let Some(index) = number.checked_sub(1) else {
            self.next = None;
            return Ok(None);
        };
        let Some(&start) = self.starts.get(index) else {
            let count = self.starts.len();
            return Err(BoxedError::at(
                place,
                format!(
                    "expected the locations of one of {count} functions, found number {number}"
                ),
            ));
        };
        self.next = Some(u32::from_le_bytes(start) as usize);
        self.next(strings, place)
    }

    /// Returns the location of the next operation, which starts at the offset `place`.
    #[inline]
    pub(super) fn next(
        &mut self,
        strings: &mut Strings<'_>,
        place: usize,
    ) -> Result<Option<DebugLoc>> {
        let Some(cursor) = &mut self.next else {
            return Ok(None);
        };
        let Some(&slot) = self.slots.get(*cursor) else {
            let count = self.slots.len();
            return Err(BoxedError::at(
                place,
                format!("expected a location of this operation, found only {count} locations"),
            ));
        };
        *cursor += 1;
        match usize::try_from(u64::from_le_bytes(slot)).unwrap_or(usize::MAX) {
            0 => Ok(None),
            index => match self.known.get(index - 1) {
                Some(State::Known(Node::Loc(loc), _)) => Ok(Some(*loc)),
                _ => self.loc(index, place, strings).map(|(loc, _)| loc),
            },
        }
    }

    /// Returns the location at `index`, and its extent.
    fn loc(
        &mut self,
        index: usize,
        place: usize,
        strings: &mut Strings<'_>,
    ) -> Result<(Option<DebugLoc>, Extent)> {
        match self.node(index, place, strings)? {
            (Node::Unknown, extent) => Ok((None, extent)),
            (Node::Loc(loc), extent) => Ok((Some(loc), extent)),
            (Node::Attr(attr), _) => Err(unexpected(place, "a location", Some(attr))),
        }
    }

    /// Reads an index from `cursor` and returns the attribute there, if it `fits`.
    fn attr(
        &mut self,
        cursor: &mut Cursor<'_>,
        strings: &mut Strings<'_>,
        extent: &mut Extent,
        expected: &str,
        fits: impl Fn(&DebugAttrKind) -> bool,
    ) -> Result<DebugAttr> {
        let place = cursor.offset();
        let index = cursor.size()?;
        let (node, child) = self.node(index, place, strings)?;
        extent.add(child);
        match node {
            Node::Attr(attr) if fits(attr.kind()) => Ok(attr),
            Node::Attr(attr) => Err(unexpected(place, expected, Some(attr))),
            Node::Unknown | Node::Loc(_) => Err(unexpected(place, expected, None)),
        }
    }

    fn file(
        &mut self,
        cursor: &mut Cursor<'_>,
        strings: &mut Strings<'_>,
        extent: &mut Extent,
    ) -> Result<DebugAttr> {
        self.attr(cursor, strings, extent, "a file", |kind| {
            matches!(kind, DebugAttrKind::File { .. })
        })
    }

    fn scope(
        &mut self,
        cursor: &mut Cursor<'_>,
        strings: &mut Strings<'_>,
        extent: &mut Extent,
    ) -> Result<DebugAttr> {
        self.attr(cursor, strings, extent, "a scope", |kind| {
            matches!(
                kind,
                DebugAttrKind::Subprogram { .. } | DebugAttrKind::LexicalBlock { .. }
            )
        })
    }

    /// Returns the entry at `index`, which counts from 1, and its extent.
    fn node(
        &mut self,
        index: usize,
        place: usize,
        strings: &mut Strings<'_>,
    ) -> Result<(Node, Extent)> {
        let Some(i) = index.checked_sub(1) else {
            return Ok((Node::Unknown, Extent::ONE));
        };
        match self.known.get(i) {
            Some(&State::Known(node, extent)) => return Ok((node, extent)),
            Some(State::Reading) => {
                return Err(BoxedError::at(
                    place,
                    "expected debug attributes without cycles, found one that refers to itself",
                ));
            }
            Some(State::Unread) => {}
            None => {
                let count = self.known.len();
                return Err(BoxedError::at(
                    place,
                    format!("expected the index of one of {count} debug attributes, found {index}"),
                ));
            }
        }
        let depth = self.depth;
        if depth == MAX_DEPTH {
            return Err(BoxedError::at(place, Extent::error()));
        }
        self.known[i] = State::Reading;
        self.depth += 1;
        let mut entry = self.entries[i].clone();
        let (node, extent) = self.decode(&mut entry, strings)?;
        self.depth = depth;
        if !extent.is_allowed() {
            return Err(BoxedError::at(place, Extent::error()));
        }
        self.known[i] = State::Known(node, extent);
        Ok((node, extent))
    }

    fn decode(
        &mut self,
        cursor: &mut Cursor<'_>,
        strings: &mut Strings<'_>,
    ) -> Result<(Node, Extent)> {
        let mut extent = Extent::ONE;
        let attr = |kind| Node::Attr(DebugAttr::new(kind));
        let node = match cursor.varint()? {
            1 => attr(DebugAttrKind::CompileUnit {
                file: self.file(cursor, strings, &mut extent)?,
            }),
            2 => attr(DebugAttrKind::File {
                name: strings.read(cursor)?,
                directory: strings.read(cursor)?,
            }),
            3 => attr(DebugAttrKind::LexicalBlock {
                scope: self.scope(cursor, strings, &mut extent)?,
                file: self.file(cursor, strings, &mut extent)?,
                line: line(cursor)?,
                column: optional(line(cursor)?),
            }),
            4 => {
                let scope = self.scope(cursor, strings, &mut extent)?;
                let file = strings.read(cursor)?;
                let position = FilePosition {
                    // MLIR's placeholder for a missing file name.
                    file: if file.is_empty() { "-".into() } else { file },
                    line: line(cursor)?,
                    column: line(cursor)?,
                };
                Node::Loc(DebugLoc::new(DebugLocKind::Scoped { position, scope }))
            }
            5 => attr(DebugAttrKind::Subprogram {
                file: self.file(cursor, strings, &mut extent)?,
                line: line(cursor)?,
                name: strings.read(cursor)?,
                linkage_name: strings.read(cursor)?,
                compile_unit: self.attr(
                    cursor,
                    strings,
                    &mut extent,
                    "a compile unit",
                    |kind| matches!(kind, DebugAttrKind::CompileUnit { .. }),
                )?,
                scope_line: optional(line(cursor)?),
            }),
            6 => {
                let mut end = || -> Result<DebugLoc> {
                    let place = cursor.offset();
                    let index = cursor.size()?;
                    let (loc, child) = self.loc(index, place, strings)?;
                    extent.add(child);
                    Ok(loc.unwrap_or_else(|| DebugLoc::new(DebugLocKind::Unknown)))
                };
                let (callee, caller) = (end()?, end()?);
                Node::Loc(DebugLoc::new(DebugLocKind::CallSite { callee, caller }))
            }
            // 0 is the tag of an unknown location; newer kinds are also read as unknown.
            _ => Node::Unknown,
        };
        Ok((node, extent))
    }
}

/// Reads a line or column.
fn line(cursor: &mut Cursor<'_>) -> Result<u32> {
    let start = cursor.offset();
    let number = cursor.varint()?;
    u32::try_from(number).map_err(|_| {
        BoxedError::at(
            start,
            format!("expected a line or column of 32 bits, found {number}"),
        )
    })
}

/// Returns a line or column that may be absent, which is written as 0.
fn optional(number: u32) -> Option<u32> {
    (number != 0).then_some(number)
}

#[cold]
fn unexpected(place: usize, expected: &str, actual: Option<DebugAttr>) -> BoxedError {
    let actual = match actual.map(DebugAttr::kind) {
        None => "a location",
        Some(DebugAttrKind::File { .. }) => "a file",
        Some(DebugAttrKind::CompileUnit { .. }) => "a compile unit",
        Some(DebugAttrKind::Subprogram { .. }) => "a subprogram",
        Some(DebugAttrKind::LexicalBlock { .. }) => "a lexical block",
    };
    BoxedError::at(place, format!("expected {expected}, found {actual}"))
}
