//! Writes the debug section: locations of functions and operations.

use super::super::BoxedError;
use super::super::limits::{Extent, MAX_DEPTH};
use super::super::sections::{Section, TableWriter};
use super::super::varint::{Encoder, Result};
use super::StringWriter;
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition};
use rustc_hash::FxHashMap;

/// The debug section under construction.
#[derive(Default)]
pub(super) struct DebugWriter {
    /// The first slot of each function that has locations.
    starts: Vec<u32>,
    /// Indices of locations; those of a function are contiguous.
    slots: Vec<u64>,
    /// Is `true` if the current function has locations.
    inside: bool,
    locs: FxHashMap<DebugLoc, (u64, Extent)>,
    attrs: FxHashMap<DebugAttr, (u64, Extent)>,
    table: TableWriter,
    /// The nesting depth of the entry that is being encoded.
    depth: u32,
}

impl DebugWriter {
    /// Starts the next function and returns its number, counted from 1; 0 if it has no locations.
    pub(super) fn start_function(
        &mut self,
        loc: Option<DebugLoc>,
        strings: &mut StringWriter,
    ) -> Result<u64> {
        let (index, _) = self.loc(loc, strings)?;
        self.inside = index != 0;
        if !self.inside {
            return Ok(0);
        }
        let Ok(start) = u32::try_from(self.slots.len()) else {
            return Err(BoxedError::unwritable(
                "expected fewer than 2^32 locations, found more",
            ));
        };
        self.starts.push(start);
        self.slots.push(index);
        Ok(self.starts.len() as u64)
    }

    /// Records the location of the next operation.
    #[inline]
    pub(super) fn op(&mut self, loc: Option<DebugLoc>, strings: &mut StringWriter) -> Result<()> {
        if self.inside {
            let (index, _) = self.loc(loc, strings)?;
            self.slots.push(index);
        }
        Ok(())
    }

    /// Encodes the section, unless it would be empty.
    pub(super) fn finish(&self) -> Result<Option<Encoder>> {
        if self.starts.is_empty() {
            return Ok(None);
        }
        let mut out = Encoder::default();
        out.count(self.starts.len());
        out.pad(4);
        for start in &self.starts {
            out.bytes.extend_from_slice(&start.to_le_bytes());
        }
        out.count(self.slots.len());
        out.pad(8);
        for slot in &self.slots {
            out.bytes.extend_from_slice(&slot.to_le_bytes());
        }
        self.table.write(&mut out, Section::Debug.offset_bytes())?;
        Ok(Some(out))
    }

    /// Returns the index of a location, counted from 1; 0 if it is unknown or has no scope.
    fn loc(&mut self, loc: Option<DebugLoc>, strings: &mut StringWriter) -> Result<(u64, Extent)> {
        const NOTHING: (u64, Extent) = (0, Extent::ONE);
        let Some(loc) = loc else { return Ok(NOTHING) };
        if let Some(&written) = self.locs.get(&loc) {
            return Ok(written);
        }
        self.enter()?;
        let (mut entry, mut extent) = (Encoder::default(), Extent::ONE);
        match loc.kind() {
            DebugLocKind::Unknown | DebugLocKind::File(_) => {
                self.depth -= 1;
                return Ok(NOTHING);
            }
            DebugLocKind::Scoped { position, scope } => {
                let FilePosition { file, line, column } = position;
                entry.varint(4);
                entry.varint(self.attr(*scope, strings, &mut extent)?);
                entry.varint(strings.index(file));
                entry.varint(u64::from(*line));
                entry.varint(u64::from(*column));
            }
            DebugLocKind::CallSite { callee, caller } => {
                entry.varint(6);
                for end in [callee, caller] {
                    let (index, child) = self.loc(Some(*end), strings)?;
                    extent.add(child);
                    entry.varint(index);
                }
            }
            DebugLocKind::Name { name, child: _ } => {
                return Err(unsupported(&format!("`NameLoc` (`{name}`)")));
            }
            DebugLocKind::Fused { .. } => return Err(unsupported("`FusedLoc`")),
        }
        let written = self.leave(&entry, extent)?;
        self.locs.insert(loc, written);
        Ok(written)
    }

    /// Returns the index of an attribute, counted from 1, and adds its extent to `outer`.
    fn attr(
        &mut self,
        attr: DebugAttr,
        strings: &mut StringWriter,
        outer: &mut Extent,
    ) -> Result<u64> {
        let (index, extent) = match self.attrs.get(&attr) {
            Some(&written) => written,
            None => self.new_attr(attr, strings)?,
        };
        outer.add(extent);
        Ok(index)
    }

    fn new_attr(&mut self, attr: DebugAttr, strings: &mut StringWriter) -> Result<(u64, Extent)> {
        self.enter()?;
        let (mut entry, mut extent) = (Encoder::default(), Extent::ONE);
        match attr.kind() {
            DebugAttrKind::CompileUnit { file } => {
                entry.varint(1);
                entry.varint(self.attr(*file, strings, &mut extent)?);
            }
            DebugAttrKind::File { name, directory } => {
                entry.varint(2);
                entry.varint(strings.index(name));
                entry.varint(strings.index(directory));
            }
            DebugAttrKind::LexicalBlock {
                scope,
                file,
                line,
                column,
            } => {
                entry.varint(3);
                entry.varint(self.attr(*scope, strings, &mut extent)?);
                entry.varint(self.attr(*file, strings, &mut extent)?);
                entry.varint(u64::from(*line));
                entry.varint(u64::from(column.unwrap_or(0)));
            }
            DebugAttrKind::Subprogram {
                file,
                line,
                name,
                linkage_name,
                compile_unit,
                scope_line,
            } => {
                entry.varint(5);
                entry.varint(self.attr(*file, strings, &mut extent)?);
                entry.varint(u64::from(*line));
                entry.varint(strings.index(name));
                entry.varint(strings.index(linkage_name));
                entry.varint(self.attr(*compile_unit, strings, &mut extent)?);
                entry.varint(u64::from(scope_line.unwrap_or(0)));
            }
        }
        let written = self.leave(&entry, extent)?;
        self.attrs.insert(attr, written);
        Ok(written)
    }

    /// Starts an entry.
    fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(BoxedError::unwritable(Extent::error()));
        }
        self.depth += 1;
        Ok(())
    }

    /// Appends the entry that was started last; returns its index, counted from 1.
    fn leave(&mut self, entry: &Encoder, extent: Extent) -> Result<(u64, Extent)> {
        self.depth -= 1;
        if !extent.is_allowed() {
            return Err(BoxedError::unwritable(Extent::error()));
        }
        self.table.start();
        self.table.data.bytes.extend_from_slice(&entry.bytes);
        Ok((self.table.len() as u64, extent))
    }
}

#[cold]
fn unsupported(kind: &str) -> BoxedError {
    BoxedError::unwritable(format!(
        "unsupported location: expected a place in a scope, a call site, a place in a file or `unknown`, found {kind}"
    ))
}
