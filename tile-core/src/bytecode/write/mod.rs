//! Encodes a module as bytes.

mod attr;
mod debug;
mod op;

use super::constants::ConstantWriter;
use super::plan::{Plan, plans};
use super::sections::{Section, TableWriter, write_section};
use super::types::TypeWriter;
use super::varint::{Encoder, Result};
use super::version::write_header;
use super::{BoxedError, BytecodeError};
use crate::ir::{Attr, Module, Op, OpId, SymbolVisibility, ValueId};
use crate::ops::{CoreOp, Opcode, Version};
use crate::types::Type;
use arcstr::ArcStr;
use debug::DebugWriter;
use rustc_hash::FxHashMap;

/// Encodes `module` for readers of `version` and newer.
///
/// # Errors
/// If the module contains a construct that the version lacks or that bytecode cannot represent. The
/// message names the construct, and the error has the location of the operation concerned.
pub fn write(module: &Module, version: Version) -> std::result::Result<Vec<u8>, BytecodeError> {
    Writer::new(module, version)
        .write()
        .map_err(BoxedError::into_error)
}

struct Writer<'m> {
    module: &'m Module,
    version: Version,
    plans: &'static [Option<Plan>],
    strings: StringWriter,
    types: TypeWriter,
    constants: ConstantWriter,
    debug: DebugWriter,
    /// Numbers of the visible values, by their index in the arena.
    numbers: Vec<Option<Number>>,
    /// The visible values, indexed by their numbers.
    visible: Vec<ValueId>,
    /// The used values, computed on first demand.
    used: Option<Vec<bool>>,
}

/// The number of a visible value, plus one.
type Number = std::num::NonZeroU32;

impl<'m> Writer<'m> {
    fn new(module: &'m Module, version: Version) -> Self {
        Self {
            module,
            version,
            plans: plans(version),
            strings: StringWriter::default(),
            types: TypeWriter::new(version),
            constants: ConstantWriter::default(),
            debug: DebugWriter::default(),
            numbers: vec![None; module.num_values()],
            visible: Vec::new(),
            used: None,
        }
    }

    fn write(mut self) -> Result<Vec<u8>> {
        let (mut globals, mut entries) = (Vec::new(), Vec::new());
        for id in self.module.symbols() {
            let op = self.module.op(id);
            match op.opcode {
                Opcode::Core(CoreOp::Global) => globals.push(id),
                Opcode::Core(CoreOp::Entry) => entries.push(id),
                _ => {
                    return Err(BoxedError::unwritable(format!(
                        "expected `entry` or `global` in a module, found {}, which bytecode cannot hold there",
                        op::describe(op)
                    ))
                    .within(op.loc));
                }
            }
        }
        let mut global = Encoder::default();
        global.count(globals.len());
        for &id in &globals {
            let op = self.module.op(id);
            self.global(&mut global, op)
                .map_err(|error| error.within(op.loc))?;
        }
        let mut func = Encoder::default();
        func.count(entries.len());
        for id in entries {
            self.function(&mut func, id)
                .map_err(|error| error.within(self.module.op(id).loc))?;
        }
        func.pad(Section::Func.alignment());
        let producer = match &self.module.producer {
            Some(producer) if self.version >= Version::V13_3 => {
                Some(self.strings.index_of(producer))
            }
            _ => None,
        };

        let mut out = Encoder::default();
        write_header(&mut out, self.version);
        if !globals.is_empty() {
            write_section(&mut out, Section::Global, &global.bytes);
        }
        write_section(&mut out, Section::Func, &func.bytes);
        if self.constants.table.len() > 0 {
            write_table(&mut out, Section::Constant, &self.constants.table)?;
        }
        if let Some(payload) = self.debug.finish()? {
            write_section(&mut out, Section::Debug, &payload.bytes);
        }
        write_table(&mut out, Section::Type, &self.types.table)?;
        if let Some(producer) = producer {
            let mut payload = Encoder::default();
            payload.varint(producer);
            write_section(&mut out, Section::Producer, &payload.bytes);
        }
        write_table(&mut out, Section::String, &self.strings.table)?;
        out.byte(0);
        Ok(out.bytes)
    }

    fn global(&mut self, out: &mut Encoder, op: &Op) -> Result<()> {
        let [
            Some(Attr::Str(name)),
            Some(Attr::Type(ty)),
            Some(Attr::Dense(value)),
            Some(Attr::Int(alignment)),
            constant @ (None | Some(Attr::Unit)),
            Some(Attr::Visibility(visibility)),
        ] = op.attrs.as_slice()
        else {
            return Err(unfit(op, "its attributes"));
        };
        let name = self.symbol(name)?;
        out.varint(name);
        out.varint(self.types.index(*ty)?);
        out.varint(self.constant(value, *ty)?);
        out.varint(alignment.cast_unsigned());
        if self.version >= Version::V13_3 {
            out.varint(visibility.number());
            out.varint(u64::from(constant.is_some()));
        } else if constant.is_some() {
            return Err(self.later_attr(op, "constant"));
        } else if *visibility != SymbolVisibility::Public {
            return Err(self.later_attr(op, "symbol_visibility"));
        }
        Ok(())
    }

    fn function(&mut self, out: &mut Encoder, id: OpId) -> Result<()> {
        let op = self.module.op(id);
        let [Some(Attr::Str(name)), Some(Attr::Type(signature)), hints] = op.attrs.as_slice()
        else {
            return Err(unfit(op, "its attributes"));
        };
        let hints = match hints {
            None => None,
            // The reader drops empty hints, so they are not written.
            Some(Attr::Hints(hints)) if hints.per_arch.is_empty() => None,
            Some(Attr::Hints(hints)) => Some(hints),
            Some(_) => return Err(unfit(op, "its hints")),
        };
        let name = self.symbol(name)?;
        out.varint(name);
        out.varint(self.types.index(*signature)?);
        out.byte(0b010 | if hints.is_some() { 0b100 } else { 0 });
        out.varint(
            self.debug
                .start_function(op.loc.debug(), &mut self.strings)?,
        );
        if let Some(hints) = hints {
            out.varint(11);
            self.hints(out, hints)?;
        }
        let mut body = Encoder::default();
        let &[region] = op.regions.as_slice() else {
            return Err(unfit(op, "its regions"));
        };
        if region.index() >= self.module.num_regions() {
            return Err(unfit(op, "its regions"));
        }
        let &[block] = self.module.region(region).blocks.as_slice() else {
            return Err(unfit(op, "the blocks of its region"));
        };
        let block = self.module.block(block);
        self.forget(0);
        self.define(&block.args);
        for &op in &block.ops {
            self.op(&mut body, op, 1)?;
        }
        out.count(body.bytes.len());
        out.bytes.extend_from_slice(&body.bytes);
        Ok(())
    }

    /// Assigns the next numbers to `values`.
    fn define(&mut self, values: &[ValueId]) {
        for &value in values {
            self.visible.push(value);
            let count = u32::try_from(self.visible.len()).expect("an arena is small");
            self.numbers[value.index()] = Number::new(count);
        }
    }

    /// Releases the numbers from `count` on.
    fn forget(&mut self, count: usize) {
        for value in self.visible.drain(count..) {
            self.numbers[value.index()] = None;
        }
    }

    /// Returns the index of a symbol's name in the string section.
    fn symbol(&mut self, name: &ArcStr) -> Result<u64> {
        if name.is_empty() {
            return Err(BoxedError::unwritable(
                "expected the name of a symbol, found an empty string",
            ));
        }
        Ok(self.strings.index(name))
    }

    /// Returns the index of a value's type in the type section.
    fn type_of(&mut self, value: ValueId) -> Result<u64> {
        self.value_type(self.module.ty(value))
    }

    fn value_type(&mut self, ty: Type) -> Result<u64> {
        if matches!(ty.kind(), crate::types::TypeKind::Function(_)) {
            return Err(BoxedError::unwritable(format!(
                "expected the type of a value, found the signature `{ty}`"
            )));
        }
        self.types.index(ty)
    }
}

fn write_table(out: &mut Encoder, section: Section, table: &TableWriter) -> Result<()> {
    let mut payload = Encoder::default();
    table.write(&mut payload, section.offset_bytes())?;
    write_section(out, section, &payload.bytes);
    Ok(())
}

/// Returns the error for an operation that does not fit its row.
#[cold]
fn unfit(op: &Op, what: &str) -> BoxedError {
    BoxedError::unwritable(format!(
        "expected `{}` to fit its definition, found that {what} differ: verify the module first",
        op.def().mnemonic
    ))
}

/// The string section under construction; equal strings share one entry.
#[derive(Default)]
struct StringWriter {
    indices: FxHashMap<ArcStr, u64>,
    table: TableWriter,
}

impl StringWriter {
    fn index(&mut self, text: &ArcStr) -> u64 {
        match self.indices.get(text) {
            Some(&index) => index,
            None => self.add(text.clone()),
        }
    }

    fn index_of(&mut self, text: &str) -> u64 {
        match self.indices.get(text) {
            Some(&index) => index,
            None => self.add(text.into()),
        }
    }

    fn add(&mut self, text: ArcStr) -> u64 {
        let index = self.table.len() as u64;
        self.table.start();
        self.table.data.bytes.extend_from_slice(text.as_bytes());
        self.indices.insert(text, index);
        index
    }
}
