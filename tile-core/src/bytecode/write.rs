//! Module → bytes.

use super::BytecodeError;
use super::tables::{Section, constant_payload, write_section, write_table, write_type};
use super::varint::Encoder;
use super::version::{OptionalField, optional_fields, write_header};
use crate::ir::{
    AssumePredicate, Attr, Block, BlockId, HintValue, Module, Op, OpId, OptimizationHints,
    TypedScalar, ValueId,
};
use crate::ops::{Arity, CoreOp, Opcode, Presence, RegionCount, Version};
use crate::types::{Scalar, Type, TypeKind};
use rustc_hash::FxHashMap;

type Result<T> = std::result::Result<T, BytecodeError>;

/// Encodes `module` for readers of `version` and newer.
///
/// # Errors
/// If the module has something that the version lacks; the message names it.
pub fn write(module: &Module, version: Version) -> Result<Vec<u8>> {
    let mut writer = Writer {
        module,
        version,
        strings: Table::default(),
        types: FxHashMap::default(),
        type_entries: Vec::new(),
        constants: Table::default(),
        numbers: FxHashMap::default(),
        next: 0,
    };
    let func = writer.functions()?;
    let producer = match &module.producer {
        Some(producer) if version >= Version::V13_3 => {
            Some(writer.strings.index(producer.as_bytes()))
        }
        _ => None,
    };
    let mut out = Encoder::default();
    write_header(&mut out, version);
    write_section(&mut out, Section::Func, &func);
    if !writer.constants.entries.is_empty() {
        let payload = write_table(Section::Constant, &writer.constants.entries);
        write_section(&mut out, Section::Constant, &payload);
    }
    let payload = write_table(Section::Type, &writer.type_entries);
    write_section(&mut out, Section::Type, &payload);
    if let Some(producer) = producer {
        let mut payload = Encoder::default();
        payload.varint(producer);
        write_section(&mut out, Section::Producer, &payload.bytes);
    }
    let payload = write_table(Section::String, &writer.strings.entries);
    write_section(&mut out, Section::String, &payload);
    out.byte(0);
    Ok(out.bytes)
}

/// Byte strings in order of first use.
#[derive(Default)]
struct Table {
    entries: Vec<Vec<u8>>,
    indices: FxHashMap<Vec<u8>, u64>,
}

impl Table {
    fn index(&mut self, bytes: &[u8]) -> u64 {
        if let Some(&index) = self.indices.get(bytes) {
            return index;
        }
        let index = self.entries.len() as u64;
        self.entries.push(bytes.to_vec());
        self.indices.insert(bytes.to_vec(), index);
        index
    }
}

struct Writer<'m> {
    module: &'m Module,
    version: Version,
    strings: Table,
    types: FxHashMap<Type, u64>,
    type_entries: Vec<Vec<u8>>,
    constants: Table,
    /// Numbers of the values that are visible.
    numbers: FxHashMap<ValueId, u64>,
    next: u64,
}

impl Writer<'_> {
    fn functions(&mut self) -> Result<Vec<u8>> {
        let entries: Vec<OpId> = self.module.entries().collect();
        let mut out = Encoder::default();
        out.count(entries.len());
        for entry in entries {
            self.function(&mut out, entry)
                .map_err(|error| error.within(self.module.op(entry).loc))?;
        }
        out.pad(0, Section::Func.alignment());
        Ok(out.bytes)
    }

    fn function(&mut self, out: &mut Encoder, id: OpId) -> Result<()> {
        let op = self.module.op(id);
        if op.opcode != Opcode::Core(CoreOp::Entry) {
            return Err(BytecodeError::unwritable(format!(
                "a module holds entries, found `{}`",
                op.def().mnemonic
            )));
        }
        let hints = op.attr("optimization_hints");
        out.varint(self.strings.index(op.sym_name().as_bytes()));
        out.varint(self.type_index(op.function_type())?);
        out.byte(0b010 | if hints.is_some() { 0b100 } else { 0 });
        // No debug information.
        out.varint(0);
        if let Some(Attr::Hints(hints)) = hints {
            out.varint(11);
            self.hints(out, hints)?;
        }
        let mut body = Encoder::default();
        if let Some(block) = self.module.region_block(id, 0) {
            let Block {
                args,
                ops,
                parent: _,
            } = self.module.block(block);
            self.numbers.clear();
            self.next = 0;
            self.define(args);
            for &op in ops {
                self.op(&mut body, op)?;
            }
        }
        out.count(body.bytes.len());
        out.bytes.extend_from_slice(&body.bytes);
        Ok(())
    }

    fn define(&mut self, values: &[ValueId]) {
        for &value in values {
            self.numbers.insert(value, self.next);
            self.next += 1;
        }
    }

    fn op(&mut self, out: &mut Encoder, id: OpId) -> Result<()> {
        self.op_fields(out, id)
            .map_err(|error| error.within(self.module.op(id).loc))
    }

    fn op_fields(&mut self, out: &mut Encoder, id: OpId) -> Result<()> {
        let Op {
            opcode,
            operands: _,
            segments: _,
            results,
            attrs,
            discardable: _,
            regions: _,
            parent: _,
            loc: _,
        } = self.module.op(id);
        let (op, def) = (self.module.op(id), opcode.def());
        if def.since > self.version {
            return Err(BytecodeError::unwritable(format!(
                "operation `{}` is not available in bytecode version {}",
                def.mnemonic, self.version
            )));
        }
        out.varint(u64::from(def.number));
        if def.has_variadic() {
            out.count(results.len());
        }
        for &result in results {
            let index = self.type_index(self.module.ty(result))?;
            out.varint(index);
        }
        self.flags(out, op)?;
        for (slot, attr) in def.attrs.iter().zip(attrs) {
            match attr {
                Some(attr) if slot.since <= self.version => self.attr(out, op, attr)?,
                None if slot.presence == Presence::Optional => {}
                None if slot.presence == Presence::AllFalse => {
                    if slot.since <= self.version {
                        let count = op.operands_of("index").len();
                        out.count(count);
                        out.bytes.extend(std::iter::repeat_n(0, count));
                    }
                }
                None => {
                    return Err(BytecodeError::unwritable(format!(
                        "attribute `{}` of `{}` is missing",
                        slot.name, def.mnemonic
                    )));
                }
                Some(attr) => match slot.presence {
                    Presence::Default(number)
                        if *attr == crate::build::default_value(slot.kind, number) => {}
                    _ => {
                        return Err(BytecodeError::unwritable(format!(
                            "attribute `{}` of `{}` requires bytecode version {}, but targeting {}",
                            slot.name, def.mnemonic, slot.since, self.version
                        )));
                    }
                },
            }
        }
        self.operands(out, op)?;
        self.regions(out, id)?;
        self.define(results);
        Ok(())
    }

    fn flags(&mut self, out: &mut Encoder, op: &Op) -> Result<()> {
        let def = op.def();
        let fields = optional_fields(def);
        let Some(&(_, oldest)) = fields.first() else {
            return Ok(());
        };
        let mut flags = 0_u64;
        for (bit, (field, since)) in fields.into_iter().enumerate() {
            let (present, name) = match field {
                OptionalField::Attr(index) => (op.attrs[index].is_some(), def.attrs[index].name),
                OptionalField::Operand(index) => (op.segments[index] > 0, def.operands[index].name),
            };
            if present && since > self.version {
                return Err(BytecodeError::unwritable(format!(
                    "`{name}` of `{}` requires bytecode version {since}, but targeting {}",
                    def.mnemonic, self.version
                )));
            }
            flags |= u64::from(present) << bit;
        }
        if oldest <= self.version {
            out.varint(flags);
        }
        Ok(())
    }

    fn attr(&mut self, out: &mut Encoder, op: &Op, attr: &Attr) -> Result<()> {
        match attr {
            Attr::Unit => {}
            Attr::Bool(value) => out.byte(u8::from(*value)),
            Attr::Int(value) => out.varint(value.cast_unsigned()),
            Attr::I32Array(values) => out.i32_array(values),
            Attr::BoolArray(values) => {
                out.count(values.len());
                out.bytes
                    .extend(values.iter().map(|&value| u8::from(value)));
            }
            Attr::Str(text) | Attr::Symbol(text) => out.varint(self.strings.index(text.as_bytes())),
            Attr::Type(ty) => out.varint(self.type_index(*ty)?),
            Attr::Dense(data) => {
                if data.scalar() == Scalar::I4 {
                    return Err(BytecodeError::unwritable("constants of `i4` do not exist"));
                }
                let payload = constant_payload(data);
                let mut entry = Encoder::default();
                entry.count(payload.len());
                entry.bytes.extend_from_slice(&payload);
                out.varint(self.constants.index(&entry.bytes));
            }
            Attr::Scalars(values) => {
                out.count(values.len());
                for value in values {
                    self.typed_scalar(out, *value)?;
                }
            }
            Attr::Signedness(value) => out.varint(value.number()),
            Attr::Overflow(value) => out.varint(value.number()),
            Attr::Rounding(value) => out.varint(value.number()),
            Attr::Predicate(value) => out.varint(value.number()),
            Attr::Ordering(value) => out.varint(value.number()),
            Attr::MemoryOrdering(value) => out.varint(value.number()),
            Attr::MemoryScope(value) => out.varint(value.number()),
            Attr::RmwMode(value) => out.varint(value.number()),
            Attr::Visibility(value) => out.varint(value.number()),
            Attr::Assume(predicate) => assume(out, predicate),
            Attr::Hints(hints) => {
                debug_assert_ne!(op.opcode, Opcode::Core(CoreOp::Entry));
                self.hints(out, hints)?;
            }
        }
        Ok(())
    }

    fn typed_scalar(&mut self, out: &mut Encoder, value: TypedScalar) -> Result<()> {
        let TypedScalar { scalar, bits } = value;
        let index = self.type_index(Type::new(TypeKind::Scalar(scalar)))?;
        if scalar.is_float() {
            out.varint(2);
            out.varint(index);
            out.apint(scalar.bits(), bits);
        } else {
            out.varint(1);
            out.varint(index);
            out.varint(bits);
        }
        Ok(())
    }

    fn hints(&mut self, out: &mut Encoder, hints: &OptimizationHints) -> Result<()> {
        let OptimizationHints { per_arch } = hints;
        out.count(per_arch.len());
        for (arch, values) in per_arch {
            out.varint(self.strings.index(arch.as_bytes()));
            out.varint(10);
            out.count(values.len());
            for (key, value) in values {
                out.varint(self.strings.index(key.as_bytes()));
                self.hint(out, value)?;
            }
        }
        Ok(())
    }

    /// The value of one hint, tagged.
    fn hint(&mut self, out: &mut Encoder, value: &HintValue) -> Result<()> {
        let number = |scalar, bits| TypedScalar { scalar, bits };
        match value {
            HintValue::Int(value) => {
                self.typed_scalar(out, number(Scalar::I64, value.cast_unsigned()))?;
            }
            HintValue::Bool(value) => {
                self.typed_scalar(out, number(Scalar::I1, u64::from(*value)))?;
            }
            HintValue::Number(value) => self.typed_scalar(out, *value)?,
            HintValue::Str(text) => {
                out.varint(5);
                out.varint(self.strings.index(text.as_bytes()));
            }
            HintValue::Type(ty) => {
                out.varint(4);
                let index = self.type_index(*ty)?;
                out.varint(index);
            }
            HintValue::Array(values) => {
                out.varint(6);
                out.count(values.len());
                for value in values {
                    self.hint(out, value)?;
                }
            }
            HintValue::Dict(entries) => {
                out.varint(10);
                out.count(entries.len());
                for (key, value) in entries {
                    out.varint(self.strings.index(key.as_bytes()));
                    self.hint(out, value)?;
                }
            }
        }
        Ok(())
    }

    fn operands(&self, out: &mut Encoder, op: &Op) -> Result<()> {
        let def = op.def();
        let number = |value: &ValueId| {
            self.numbers.get(value).copied().ok_or_else(|| {
                BytecodeError::unwritable(format!(
                    "an operand of `{}` is not defined before it",
                    def.mnemonic
                ))
            })
        };
        if !def.segmented {
            if def.operands.iter().any(|slot| slot.arity != Arity::One) {
                out.count(op.operands.len());
            }
            for value in &op.operands {
                out.varint(number(value)?);
            }
            return Ok(());
        }
        for slot in def.operands {
            let values = op.operands_of(slot.name);
            if slot.arity == Arity::Variadic {
                out.count(values.len());
            }
            for value in values {
                out.varint(number(value)?);
            }
        }
        Ok(())
    }

    fn regions(&mut self, out: &mut Encoder, id: OpId) -> Result<()> {
        let count = match self.module.op(id).def().regions {
            RegionCount::Exactly(0) => return Ok(()),
            RegionCount::Exactly(count) => count,
            RegionCount::Any => {
                return Err(BytecodeError::unwritable(
                    "an operation of another dialect cannot be written",
                ));
            }
        };
        out.count(count);
        for index in 0..count {
            // A region that was never made is an absent `else`.
            let region = self.module.op(id).regions.get(index);
            let blocks = region.map_or(&[][..], |&region| &self.module.region(region).blocks);
            out.count(blocks.len());
            for &block in blocks {
                self.block(out, block)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, out: &mut Encoder, id: BlockId) -> Result<()> {
        let Block {
            args,
            ops,
            parent: _,
        } = self.module.block(id);
        let outer = self.next;
        out.count(args.len());
        for &arg in args {
            let index = self.type_index(self.module.ty(arg))?;
            out.varint(index);
        }
        self.define(args);
        out.count(ops.len());
        for &op in ops {
            self.op(out, op)?;
        }
        self.next = outer;
        Ok(())
    }

    fn type_index(&mut self, ty: Type) -> Result<u64> {
        if let Some(&index) = self.types.get(&ty) {
            return Ok(index);
        }
        let entry = write_type(ty, self.version, |child| self.type_index(child))?;
        let index = self.type_entries.len() as u64;
        self.type_entries.push(entry);
        self.types.insert(ty, index);
        Ok(index)
    }
}

fn assume(out: &mut Encoder, predicate: &AssumePredicate) {
    match predicate {
        AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => {
            out.varint(8);
            out.varint(*divisor);
            pair(out, *every, *along);
        }
        AssumePredicate::SameElements(sizes) => {
            out.varint(9);
            out.i64_array(sizes.iter().copied());
        }
        AssumePredicate::Bounded { lower, upper } => {
            out.varint(12);
            pair(out, *lower, *upper);
        }
    }
}

/// Two optional numbers after a byte that says which are there.
fn pair(out: &mut Encoder, first: Option<i64>, second: Option<i64>) {
    out.byte(u8::from(first.is_some()) | u8::from(second.is_some()) << 1);
    for value in [first, second].into_iter().flatten() {
        out.svarint(value);
    }
}
