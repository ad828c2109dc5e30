//! Bytes → module.

use super::BytecodeError;
use super::tables::{Section, TypeTable, read_constant, read_table};
use super::varint::Cursor;
use super::version::{OptionalField, optional_fields, read_header};
use crate::ir::{
    AssumePredicate, AtomicRmwMode, Attr, BlockId, ComparisonOrdering, ComparisonPredicate,
    DenseElements, HintValue, IntegerOverflow, Loc, MemoryOrdering, MemoryScope, Module, Op,
    OptimizationHints, RoundingMode, Signedness, SymbolVisibility, TypedScalar, ValueId,
};
use crate::ops::{Arity, AttrKind, CoreOp, OpDef, Opcode, Presence, RegionCount, Version};
use crate::types::{Scalar, Type, TypeKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

type Result<T> = std::result::Result<T, BytecodeError>;

/// Regions nest no deeper than this.
const MAX_DEPTH: usize = 64;

/// Elements of constant data that one file may expand to.
const MAX_CONSTANT_ELEMENTS: usize = 1 << 24;

/// Decodes a module.
///
/// # Errors
/// If the bytes are not a module of a known version with known operations; the
/// error says what is wrong and where.
pub fn read(bytes: &[u8]) -> Result<Module> {
    let mut file = Cursor::new(bytes, 0);
    let version = read_header(&mut file)?;
    let mut sections = read_sections(&mut file, bytes)?;
    let mut section = |wanted: Section| sections[wanted as usize - 1].take();
    let missing =
        |name: &str| BytecodeError::at(bytes.len(), format!("the {name} section is missing"));
    let strings = section(Section::String).ok_or_else(|| missing("string"))?;
    let strings = read_strings(read_table(Section::String, strings)?)?;
    let types = optional_table(Section::Type, section(Section::Type))?;
    let constants = optional_table(Section::Constant, section(Section::Constant))?;
    if let Some(mut globals) = section(Section::Global)
        && globals.varint()? != 0
    {
        return globals.error("global variables are not supported");
    }
    let producer = section(Section::Producer);
    let func = section(Section::Func).ok_or_else(|| missing("function"))?;
    let mut reader = Reader {
        version,
        strings,
        types: TypeTable::new(types, version),
        constants,
        decoded: FxHashMap::default(),
        constant_budget: MAX_CONSTANT_ELEMENTS,
        module: Module::new("kernels"),
        values: Vec::new(),
    };
    if let Some(mut producer) = producer {
        reader.module.producer = Some(reader.string(&mut producer)?.to_string());
    }
    reader.functions(func)?;
    Ok(reader.module)
}

fn optional_table(section: Section, payload: Option<Cursor<'_>>) -> Result<Vec<Cursor<'_>>> {
    payload.map_or(Ok(Vec::new()), |payload| read_table(section, payload))
}

fn read_sections<'a>(file: &mut Cursor<'a>, bytes: &'a [u8]) -> Result<[Option<Cursor<'a>>; 7]> {
    let mut found = [const { None }; 7];
    loop {
        let start = file.offset();
        let byte = file.byte()?;
        if byte == 0 {
            break;
        }
        let Some(section) = Section::ALL
            .into_iter()
            .find(|&section| section as u8 == byte & 0x7f)
        else {
            return Err(BytecodeError::at(
                start,
                format!("section {} is not known", byte & 0x7f),
            ));
        };
        let len = usize::try_from(file.varint()?).unwrap_or(usize::MAX);
        if byte & 0x80 != 0 {
            let alignment = usize::try_from(file.varint()?).unwrap_or(usize::MAX);
            if !alignment.is_power_of_two() || alignment > bytes.len() {
                return Err(BytecodeError::at(start, "alignment of a section is wrong"));
            }
            file.skip_padding(alignment)?;
        }
        if !file.offset().is_multiple_of(section.alignment()) {
            return Err(BytecodeError::at(start, "a section is not aligned"));
        }
        let payload = file.sub(len)?;
        if found[section as usize - 1].replace(payload).is_some() {
            return Err(BytecodeError::at(start, "a section occurs twice"));
        }
    }
    if !file.is_empty() {
        return file.error("expected the end of the file");
    }
    Ok(found)
}

fn read_strings(entries: Vec<Cursor<'_>>) -> Result<Vec<Arc<str>>> {
    entries
        .into_iter()
        .map(|mut entry| {
            let start = entry.offset();
            let bytes = entry.take(entry.remaining())?;
            match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Arc::from(text)),
                Err(_) => Err(BytecodeError::at(start, "a string is not UTF-8")),
            }
        })
        .collect()
}

struct Reader<'a> {
    version: Version,
    strings: Vec<Arc<str>>,
    types: TypeTable<'a>,
    constants: Vec<Cursor<'a>>,
    /// Constant data already decoded, by table index and type.
    decoded: FxHashMap<(usize, Type), Arc<DenseElements>>,
    constant_budget: usize,
    module: Module,
    /// The visible values at the index of their numbers.
    values: Vec<ValueId>,
}

impl Reader<'_> {
    fn functions(&mut self, mut cursor: Cursor<'_>) -> Result<()> {
        let count = cursor.count(5)?;
        for _ in 0..count {
            self.function(&mut cursor)?;
        }
        if cursor.remaining() >= Section::Func.alignment() {
            return cursor.error("expected the end of the functions");
        }
        Ok(())
    }

    fn function(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let start = cursor.offset();
        let fail = |message: String| Err(BytecodeError::at(start, message));
        let name = self.string(cursor)?;
        let signature = self.types.read(cursor)?;
        let TypeKind::Function(function) = signature.kind() else {
            return fail(format!("expected a signature, found `{signature}`"));
        };
        let flags = cursor.byte()?;
        if flags & 0b010 == 0 {
            return fail(format!("function `{name}` is not an entry"));
        }
        if flags & !0b111 != 0 {
            return fail(format!("flags {flags:#x} of `{name}` are not known"));
        }
        let _location = cursor.varint()?;
        let hints = if flags & 0b100 == 0 {
            None
        } else {
            if cursor.varint()? != 11 {
                return fail(format!("expected the hints of `{name}`"));
            }
            let hints = self.hints(cursor)?;
            (!hints.per_arch.is_empty()).then(|| Attr::Hints(Arc::new(hints)))
        };
        let len = usize::try_from(cursor.varint()?).unwrap_or(usize::MAX);
        let mut body = cursor.sub(len)?;
        let entry = self.module.add_op(Op {
            opcode: CoreOp::Entry.into(),
            operands: SmallVec::new(),
            segments: SmallVec::new(),
            results: SmallVec::new(),
            attrs: SmallVec::from_vec(vec![
                Some(Attr::Str(name)),
                Some(Attr::Type(signature)),
                hints,
            ]),
            discardable: Vec::new(),
            regions: SmallVec::new(),
            parent: None,
            loc: Loc::UNKNOWN,
        });
        let end = self.module.block(self.module.body()).ops.len();
        self.module.insert_op(self.module.body(), end, entry);
        let region = self.module.add_region(entry);
        let block = self.module.add_block(region);
        self.values.clear();
        for &ty in &function.inputs {
            let arg = self.module.add_block_arg(block, ty, Loc::UNKNOWN);
            self.values.push(arg);
        }
        while !body.is_empty() {
            self.op(&mut body, block, 0)?;
        }
        self.check_terminated(block, body.offset())
    }

    fn op(&mut self, cursor: &mut Cursor<'_>, block: BlockId, depth: usize) -> Result<()> {
        let start = cursor.offset();
        let fail = |message: String| Err(BytecodeError::at(start, message));
        let number = cursor.varint()?;
        let Some(opcode) = Opcode::from_number(number) else {
            return fail(format!("operation number {number:#x} is not known"));
        };
        let def = opcode.def();
        if def.since > self.version {
            return fail(format!(
                "operation `{}` is not available in bytecode version {}",
                def.mnemonic, self.version
            ));
        }
        let expected_regions = match (opcode, def.regions) {
            (
                Opcode::Core(CoreOp::Entry | CoreOp::Global | CoreOp::Module)
                | Opcode::Testing(_)
                | Opcode::Unregistered(_),
                _,
            )
            | (_, RegionCount::Any) => {
                return fail(format!("`{}` is no instruction", def.mnemonic));
            }
            (_, RegionCount::Exactly(count)) => count,
        };
        let result_count = if def.has_variadic() {
            cursor.count(1)?
        } else {
            def.results.len()
        };
        let variadic = def.results.iter().any(|slot| slot.arity == Arity::Variadic);
        if !variadic && result_count != def.results.len() {
            return fail(format!(
                "expected `{}` to have {} results, found {result_count}",
                def.mnemonic,
                def.results.len()
            ));
        }
        let mut results: SmallVec<[Type; 2]> = SmallVec::new();
        for _ in 0..result_count {
            results.push(self.types.read(cursor)?);
        }
        let flags = self.flags(cursor, opcode)?;
        let attrs = self.attrs(cursor, def, flags, results.first().copied())?;
        let (operands, segments) = self.operands(cursor, def, flags)?;
        let op = self.module.add_op(Op {
            opcode,
            operands,
            segments,
            results: SmallVec::new(),
            attrs,
            discardable: Vec::new(),
            regions: SmallVec::new(),
            parent: None,
            loc: Loc::UNKNOWN,
        });
        let end = self.module.block(block).ops.len();
        self.module.insert_op(block, end, op);
        let results: Vec<ValueId> = results
            .into_iter()
            .map(|ty| self.module.add_result(op, ty))
            .collect();
        if expected_regions > 0 {
            let count = cursor.count(1)?;
            if count != expected_regions {
                return fail(format!(
                    "expected `{}` to have {expected_regions} regions, found {count}",
                    def.mnemonic
                ));
            }
            for _ in 0..count {
                let region = self.module.add_region(op);
                let blocks = cursor.count(2)?;
                for _ in 0..blocks {
                    let block = self.module.add_block(region);
                    self.block(cursor, block, depth + 1)?;
                }
            }
        }
        self.values.extend(results);
        Ok(())
    }

    fn block(&mut self, cursor: &mut Cursor<'_>, block: BlockId, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return cursor.error(format!("regions are nested deeper than {MAX_DEPTH}"));
        }
        let visible = self.values.len();
        let args = cursor.count(1)?;
        for _ in 0..args {
            let ty = self.types.read(cursor)?;
            let arg = self.module.add_block_arg(block, ty, Loc::UNKNOWN);
            self.values.push(arg);
        }
        let ops = cursor.count(1)?;
        for _ in 0..ops {
            self.op(cursor, block, depth)?;
        }
        self.values.truncate(visible);
        self.check_terminated(block, cursor.offset())
    }

    fn check_terminated(&self, block: BlockId, offset: usize) -> Result<()> {
        let ops = &self.module.block(block).ops;
        let is_terminator = |&op: &_| self.module.op(op).def().is_terminator();
        let ends = ops.iter().position(is_terminator);
        if ends.is_some_and(|at| at + 1 == ops.len()) {
            return Ok(());
        }
        Err(BytecodeError::at(
            offset,
            "a block must end in its only terminator",
        ))
    }

    /// The presence bits of the fields of `optional_fields`.
    fn flags(&self, cursor: &mut Cursor<'_>, opcode: Opcode) -> Result<u64> {
        let def = opcode.def();
        let start = cursor.offset();
        let fields = optional_fields(def);
        match fields.first() {
            Some(&(_, oldest)) if oldest <= self.version => {}
            _ => return Ok(0),
        }
        let flags = cursor.varint()?;
        let known = fields
            .iter()
            .filter(|&&(_, since)| since <= self.version)
            .count();
        if flags >> known != 0 {
            return Err(BytecodeError::at(
                start,
                format!("flags {flags:#x} of `{}` are not known", def.mnemonic),
            ));
        }
        Ok(flags)
    }

    fn attrs(
        &mut self,
        cursor: &mut Cursor<'_>,
        def: &'static OpDef,
        flags: u64,
        result: Option<Type>,
    ) -> Result<SmallVec<[Option<Attr>; 2]>> {
        let fields = optional_fields(def);
        let mut attrs = SmallVec::new();
        for (index, slot) in def.attrs.iter().enumerate() {
            let attr = match slot.presence {
                Presence::Optional => {
                    let present = fields
                        .iter()
                        .position(|&(field, _)| field == OptionalField::Attr(index))
                        .is_some_and(|bit| flags >> bit & 1 == 1);
                    if present {
                        Some(self.attr(cursor, slot.kind, result)?)
                    } else {
                        None
                    }
                }
                Presence::AllFalse => {
                    let values = if slot.since <= self.version {
                        let count = cursor.count(1)?;
                        cursor.take(count)?.iter().map(|&byte| byte != 0).collect()
                    } else {
                        Vec::new()
                    };
                    values.contains(&true).then_some(Attr::BoolArray(values))
                }
                Presence::Default(number) if slot.since > self.version => {
                    Some(crate::build::default_value(slot.kind, number))
                }
                Presence::Required | Presence::Default(_) => {
                    Some(self.attr(cursor, slot.kind, result)?)
                }
            };
            attrs.push(attr);
        }
        Ok(attrs)
    }

    fn attr(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: AttrKind,
        result: Option<Type>,
    ) -> Result<Attr> {
        let start = cursor.offset();
        let number = |cursor: &mut Cursor<'_>| cursor.varint();
        macro_rules! enumeration {
            ($Enum:ident, $Variant:ident) => {{
                let number = number(cursor)?;
                match $Enum::from_number(number) {
                    Some(value) => Ok(Attr::$Variant(value)),
                    None => Err(BytecodeError::at(
                        start,
                        format!(
                            concat!("value {} of ", stringify!($Enum), " is not known"),
                            number
                        ),
                    )),
                }
            }};
        }
        match kind {
            AttrKind::Unit => Ok(Attr::Unit),
            AttrKind::U32 => {
                let value = number(cursor)?;
                match u32::try_from(value) {
                    Ok(value) => Ok(Attr::Int(i64::from(value))),
                    Err(_) => Err(BytecodeError::at(start, "number does not fit 32 bits")),
                }
            }
            AttrKind::U64 => Ok(Attr::Int(number(cursor)?.cast_signed())),
            AttrKind::Bool => Ok(Attr::Bool(cursor.byte()? != 0)),
            AttrKind::Str => Ok(Attr::Str(self.string(cursor)?)),
            AttrKind::Symbol => Ok(Attr::Symbol(self.string(cursor)?)),
            AttrKind::Type => Ok(Attr::Type(self.types.read(cursor)?)),
            AttrKind::Dense => self.dense(cursor, result),
            AttrKind::BoolArray => unreachable!("a list of truth values is read where it stands"),
            AttrKind::I32Array => Ok(Attr::I32Array(cursor.i32_array()?)),
            AttrKind::Scalars => {
                let count = cursor.count(2)?;
                let mut values = Vec::new();
                for _ in 0..count {
                    values.push(self.typed_scalar(cursor)?);
                }
                Ok(Attr::Scalars(values))
            }
            AttrKind::Assume => assume(cursor).map(Attr::Assume),
            AttrKind::Hints => Ok(Attr::Hints(Arc::new(self.hints(cursor)?))),
            AttrKind::Signedness => enumeration!(Signedness, Signedness),
            AttrKind::Overflow => enumeration!(IntegerOverflow, Overflow),
            AttrKind::Rounding(_) => enumeration!(RoundingMode, Rounding),
            AttrKind::Predicate => enumeration!(ComparisonPredicate, Predicate),
            AttrKind::Ordering => enumeration!(ComparisonOrdering, Ordering),
            AttrKind::MemoryOrdering(_) => enumeration!(MemoryOrdering, MemoryOrdering),
            AttrKind::MemoryScope(_) => enumeration!(MemoryScope, MemoryScope),
            AttrKind::RmwMode(_) => enumeration!(AtomicRmwMode, RmwMode),
            AttrKind::Visibility => enumeration!(SymbolVisibility, Visibility),
        }
    }

    /// Constant data; its type is that of the result.
    fn dense(&mut self, cursor: &mut Cursor<'_>, result: Option<Type>) -> Result<Attr> {
        let start = cursor.offset();
        let fail = |message: String| Err(BytecodeError::at(start, message));
        let index = usize::try_from(cursor.varint()?).unwrap_or(usize::MAX);
        let Some(ty) = result else {
            return fail("a constant needs a result".to_owned());
        };
        let Some((scalar, shape)) = ty.as_number_tile() else {
            return fail(format!("expected a tile of numbers, found `{ty}`"));
        };
        if scalar == Scalar::I4 {
            return fail("constants of `i4` do not exist".to_owned());
        }
        if let Some(data) = self.decoded.get(&(index, ty)) {
            return Ok(Attr::Dense(data.clone()));
        }
        let Some(payload) = self.constants.get(index) else {
            return fail(format!("constant {index} is not in the table"));
        };
        let mut payload = payload.clone();
        let len = payload.count(1)?;
        let bytes = payload.take(len)?;
        let count = usize::try_from(shape.iter().product::<i64>()).unwrap_or(usize::MAX);
        if len > 1 || scalar == Scalar::I1 && count <= 8 {
            match self.constant_budget.checked_sub(count) {
                Some(rest) => self.constant_budget = rest,
                None => return fail("constant data is too large".to_owned()),
            }
        }
        let Some(data) = read_constant(scalar, count, bytes) else {
            return fail(format!("{len} bytes are not the data of a `{ty}`"));
        };
        let data = Arc::new(data);
        self.decoded.insert((index, ty), data.clone());
        Ok(Attr::Dense(data))
    }

    fn typed_scalar(&mut self, cursor: &mut Cursor<'_>) -> Result<TypedScalar> {
        let start = cursor.offset();
        let fail = |message: &str| Err(BytecodeError::at(start, message));
        let tag = cursor.varint()?;
        if tag == 3 {
            let bits = u64::from(cursor.byte()? != 0);
            return Ok(TypedScalar {
                scalar: Scalar::I1,
                bits,
            });
        }
        if tag != 1 && tag != 2 {
            return fail("expected a number");
        }
        let TypeKind::Scalar(scalar) = *self.types.read(cursor)?.kind() else {
            return fail("expected a number of a number type");
        };
        if scalar.is_float() != (tag == 2) {
            return fail("the number does not fit its type");
        }
        let bits = if tag == 2 {
            cursor.apint(scalar.bits())?
        } else {
            cursor.varint()?
        };
        let width = scalar.bits();
        if width < 64 && bits >> width != 0 {
            return fail("the number does not fit its type");
        }
        Ok(TypedScalar { scalar, bits })
    }

    fn hints(&mut self, cursor: &mut Cursor<'_>) -> Result<OptimizationHints> {
        let count = cursor.count(3)?;
        let mut per_arch = Vec::new();
        for _ in 0..count {
            let arch = self.string(cursor)?.to_string();
            if cursor.varint()? != 10 {
                return cursor.error("expected a dictionary of hints");
            }
            let len = cursor.count(3)?;
            let mut values = Vec::new();
            for _ in 0..len {
                let key = self.string(cursor)?.to_string();
                let TypedScalar { scalar, bits } = self.typed_scalar(cursor)?;
                let value = match scalar {
                    Scalar::I1 => HintValue::Bool(bits != 0),
                    Scalar::I32 => HintValue::Int((bits << 32).cast_signed() >> 32),
                    scalar if scalar.is_integer() => HintValue::Int(bits.cast_signed()),
                    _ => return cursor.error("expected an integer or truth value"),
                };
                values.push((key, value));
            }
            per_arch.push((arch, values));
        }
        Ok(OptimizationHints { per_arch })
    }

    #[expect(clippy::type_complexity, reason = "the two fields of an operation")]
    fn operands(
        &self,
        cursor: &mut Cursor<'_>,
        def: &'static OpDef,
        flags: u64,
    ) -> Result<(SmallVec<[ValueId; 4]>, SmallVec<[u32; 4]>)> {
        let start = cursor.offset();
        let mut operands = SmallVec::new();
        let mut segments = SmallVec::new();
        let fields = optional_fields(def);
        let counted = def.operands.iter().any(|slot| slot.arity != Arity::One);
        let mut spare = 0;
        if counted && !def.segmented {
            let total = cursor.count(1)?;
            // Such a row has one slot that is not of exactly one value.
            let fixed = def.operands.len() - 1;
            if total < fixed {
                return Err(BytecodeError::at(
                    start,
                    format!(
                        "expected `{}` to have at least {fixed} operands, found {total}",
                        def.mnemonic
                    ),
                ));
            }
            spare = total - fixed;
        }
        for (index, slot) in def.operands.iter().enumerate() {
            let count = match slot.arity {
                Arity::One => 1,
                Arity::Optional if !def.segmented => spare,
                Arity::Optional => fields
                    .iter()
                    .position(|&(field, _)| field == OptionalField::Operand(index))
                    .map_or(0, |bit| usize::from(flags >> bit & 1 == 1)),
                Arity::Variadic if def.segmented => cursor.count(1)?,
                Arity::Variadic => spare,
            };
            for _ in 0..count {
                operands.push(self.value(cursor)?);
            }
            segments.push(u32::try_from(count).unwrap_or(u32::MAX));
        }
        Ok((operands, segments))
    }

    fn value(&self, cursor: &mut Cursor<'_>) -> Result<ValueId> {
        let start = cursor.offset();
        let number = cursor.varint()?;
        usize::try_from(number)
            .ok()
            .and_then(|number| self.values.get(number))
            .copied()
            .ok_or_else(|| BytecodeError::at(start, format!("value {number} is not defined")))
    }

    fn string(&self, cursor: &mut Cursor<'_>) -> Result<Arc<str>> {
        let start = cursor.offset();
        let index = cursor.varint()?;
        usize::try_from(index)
            .ok()
            .and_then(|index| self.strings.get(index))
            .cloned()
            .ok_or_else(|| BytecodeError::at(start, format!("string {index} is not in the table")))
    }
}

fn assume(cursor: &mut Cursor<'_>) -> Result<AssumePredicate> {
    let start = cursor.offset();
    match cursor.varint()? {
        8 => {
            let divisor = cursor.varint()?;
            let (every, along) = pair(cursor)?;
            Ok(AssumePredicate::DivBy {
                divisor,
                every,
                along,
            })
        }
        9 => Ok(AssumePredicate::SameElements(cursor.i64_array()?)),
        12 => {
            let (lower, upper) = pair(cursor)?;
            Ok(AssumePredicate::Bounded { lower, upper })
        }
        tag => Err(BytecodeError::at(
            start,
            format!("assumption tag {tag} is not known"),
        )),
    }
}

/// Two optional numbers after a byte that says which are there.
fn pair(cursor: &mut Cursor<'_>) -> Result<(Option<i64>, Option<i64>)> {
    let flags = cursor.byte()?;
    if flags & !0b11 != 0 {
        return cursor.error(format!("flags {flags:#x} of an assumption are not known"));
    }
    let mut value = |bit: u8| match flags & bit {
        0 => Ok(None),
        _ => cursor.svarint().map(Some),
    };
    Ok((value(1)?, value(2)?))
}
