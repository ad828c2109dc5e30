//! Decodes bytes to a module.

mod attr;
mod debug;
mod op;

use super::constants::ConstantTable;
use super::plan::{Plan, plans};
use super::sections::{Section, Sections};
use super::types::TypeTable;
use super::varint::{Cursor, Result};
use super::version::read_header;
use super::{BoxedError, BytecodeError};
use crate::ir::{Attr, AttrSlots, DiscardableAttr, Loc, Module, OpId, SymbolVisibility, ValueId};
use crate::ops::{CoreOp, Version};
use crate::types::Type;
use arcstr::ArcStr;
use debug::DebugTable;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The part of each budget that does not depend on the size of the file: see `Budgets`.
const FREE: usize = 1 << 16;

/// Decodes a module.
///
/// # Errors
/// If the bytes are not a module of a known version with known operations; the error states the
/// problem and its offset.
pub fn read(bytes: &[u8]) -> std::result::Result<Module, BytecodeError> {
    Reader::read(bytes).map_err(BoxedError::into_error)
}

struct Reader<'a> {
    version: Version,
    plans: &'static [Option<Plan>],
    strings: Strings<'a>,
    types: TypeTable<'a>,
    constants: ConstantTable<'a>,
    debug: Option<DebugTable<'a>>,
    budgets: Budgets,
    module: Module,
    /// The visible values, indexed by their numbers.
    values: Vec<ValueId>,
    /// The result types of the current operation.
    results: Vec<Type>,
    /// The location of the current operation, usually the same as that of the previous one.
    loc: Loc,
    /// The length of the current operation's list that has one entry per index.
    listed: usize,
}

/// The remaining budgets for large items that a few bytes can reference repeatedly.
struct Budgets {
    /// The number of arguments of entries, which may share one signature.
    arguments: usize,
    /// The number of bytes in keys of hints, which are copied at each use.
    keys: usize,
}

impl<'a> Reader<'a> {
    fn read(bytes: &'a [u8]) -> Result<Module> {
        let mut file = Cursor::new(bytes, 0);
        let version = read_header(&mut file)?;
        let mut sections = Sections::read(&mut file)?;
        let strings = sections.take_required(Section::String)?;
        let func = sections.take_required(Section::Func)?;
        let debug = sections.take(Section::Debug).map(DebugTable::new);
        let mut reader = Reader {
            version,
            plans: plans(version),
            strings: Strings::new(strings)?,
            types: TypeTable::new(sections.take_table(Section::Type)?, version),
            // Packed truth values are the densest data: eight elements to a byte.
            constants: ConstantTable::new(
                sections.take_table(Section::Constant)?,
                bytes.len().saturating_mul(8).saturating_add(FREE),
            ),
            debug: debug.transpose()?,
            budgets: Budgets {
                arguments: bytes.len().saturating_add(FREE),
                keys: bytes.len().saturating_mul(8).saturating_add(FREE),
            },
            module: Module::new("kernels"),
            values: Vec::new(),
            results: Vec::new(),
            loc: Loc::UNKNOWN,
            listed: 0,
        };
        if let Some(mut producer) = sections.take(Section::Producer) {
            let producer = reader.strings.read(&mut producer)?;
            reader.module.producer = Some(producer.to_string());
        }
        if let Some(globals) = sections.take(Section::Global) {
            reader.globals(globals)?;
        }
        reader.functions(func)?;
        Ok(reader.module)
    }

    fn globals(&mut self, mut cursor: Cursor<'_>) -> Result<()> {
        let extended = self.version >= Version::V13_3;
        let count = cursor.count(if extended { 6 } else { 4 })?;
        for _ in 0..count {
            let name = self.symbol(&mut cursor)?;
            let ty = self.types.read(&mut cursor)?;
            let value = self.constants.read(&mut cursor, ty)?;
            let alignment = cursor.varint()?.cast_signed();
            let (mut visibility, mut constant) = (SymbolVisibility::Public, None);
            if extended {
                let start = cursor.offset();
                let number = cursor.varint()?;
                visibility = SymbolVisibility::from_number(number).ok_or_else(|| {
                    let message = format!("expected visibility 0 or 1, found {number}");
                    BoxedError::at(start, message)
                })?;
                constant = (cursor.varint()? != 0).then_some(Attr::Unit);
            }
            let attrs = [
                Some(Attr::Str(name)),
                Some(Attr::Type(ty)),
                Some(Attr::Dense(value)),
                Some(Attr::Int(alignment)),
                constant,
                Some(Attr::Visibility(visibility)),
            ];
            self.symbol_op(CoreOp::Global, SmallVec::from_iter(attrs), Loc::UNKNOWN);
        }
        Ok(())
    }

    fn functions(&mut self, mut cursor: Cursor<'_>) -> Result<()> {
        let count = cursor.count(5)?;
        // Few operations take fewer than four bytes; unused capacity costs nothing.
        self.module.reserve(cursor.remaining() / 4);
        for _ in 0..count {
            self.function(&mut cursor)?;
        }
        if cursor.remaining() >= Section::Func.alignment() {
            return cursor.error("expected the end of the functions, found more bytes");
        }
        Ok(())
    }

    fn function(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let start = cursor.offset();
        let fail = |message: String| Err(BoxedError::at(start, message));
        let name = self.symbol(cursor)?;
        let (signature, function) = self.types.signature(cursor)?;
        let flags = cursor.byte()?;
        if flags & 0b010 == 0 {
            return fail(format!(
                "expected `{name}` to be an entry, found a function"
            ));
        }
        if flags & !0b111 != 0 {
            return fail(format!(
                "expected flags up to 0x7 of `{name}`, found {flags:#x}"
            ));
        }
        let place = cursor.offset();
        let location = cursor.size()?;
        let hints = if flags & 0b100 == 0 {
            None
        } else {
            let start = cursor.offset();
            let tag = cursor.varint()?;
            if tag != 11 {
                return Err(BoxedError::at(
                    start,
                    format!("expected the hints of `{name}` (tag 11), found tag {tag}"),
                ));
            }
            let hints = self.hints(cursor)?;
            (!hints.per_arch.is_empty()).then(|| Attr::Hints(Arc::new(hints)))
        };
        let len = cursor.size()?;
        let mut body = cursor.sub(len)?;
        match self.budgets.arguments.checked_sub(function.inputs.len()) {
            Some(rest) => self.budgets.arguments = rest,
            None => {
                return fail(
                    "entries have more arguments than a file of this size may hold".to_owned(),
                );
            }
        }
        let debug = match &mut self.debug {
            Some(debug) => debug.start_function(location, place, &mut self.strings)?,
            None => None,
        };
        let loc = Loc::UNKNOWN.with_debug(debug);
        self.loc = loc;
        let attrs = smallvec![Some(Attr::Str(name)), Some(Attr::Type(signature)), hints];
        let entry = self.symbol_op(CoreOp::Entry, attrs, loc);
        if flags & 0b001 != 0 {
            self.module.op_mut(entry).discardable.push(DiscardableAttr {
                name: "sym_visibility".into(),
                value: Some("\"private\"".into()),
            });
        }
        let region = self.module.add_region(entry);
        let block = self.module.add_block(region);
        // Most operations take more than four bytes; the size of the body bounds the capacity.
        self.module.reserve_in_block(block, body.remaining() / 4);
        self.module.reserve_args(block, function.inputs.len());
        self.values.clear();
        for &ty in &function.inputs {
            let arg = self.module.add_block_arg(block, ty, loc);
            self.values.push(arg);
        }
        self.body(&mut body, block)
    }

    /// Appends an entry or a global.
    fn symbol_op(&mut self, opcode: CoreOp, attrs: AttrSlots, loc: Loc) -> OpId {
        let id = self
            .module
            .append_blank(self.module.body(), opcode.into(), loc);
        self.module.op_mut(id).attrs = attrs;
        id
    }

    /// Reads the name of a symbol.
    fn symbol(&mut self, cursor: &mut Cursor<'_>) -> Result<ArcStr> {
        let start = cursor.offset();
        let name = self.strings.read(cursor)?;
        if name.is_empty() {
            return Err(BoxedError::at(
                start,
                "expected the name of a symbol, found an empty string",
            ));
        }
        Ok(name)
    }
}

/// The string section, decoded on demand.
struct Strings<'a> {
    entries: Vec<Cursor<'a>>,
    known: Vec<Option<ArcStr>>,
}

impl<'a> Strings<'a> {
    fn new(mut payload: Cursor<'a>) -> Result<Self> {
        let entries = super::sections::read_table(&mut payload, Section::String.offset_bytes())?;
        Ok(Self {
            known: vec![None; entries.len()],
            entries,
        })
    }

    /// Returns the string whose index is read from `cursor`.
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<ArcStr> {
        let start = cursor.offset();
        let index = cursor.size()?;
        match self.known.get(index) {
            Some(Some(text)) => Ok(text.clone()),
            Some(None) => {
                let mut entry = self.entries[index].clone();
                let place = entry.offset();
                let Ok(text) = std::str::from_utf8(entry.take(entry.remaining())?) else {
                    let message = format!("expected string {index} to be UTF-8, found other bytes");
                    return Err(BoxedError::at(place, message));
                };
                let text: ArcStr = text.into();
                self.known[index] = Some(text.clone());
                Ok(text)
            }
            None => {
                let count = self.known.len();
                Err(BoxedError::at(
                    start,
                    format!("expected the index of one of {count} strings, found {index}"),
                ))
            }
        }
    }
}
