//! Reads attributes.

use super::super::BoxedError;
use super::super::limits::MAX_HINT_DEPTH;
use super::super::varint::{Cursor, Result};
use super::Reader;
use crate::ir::{
    AssumePredicate, AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, HintValue,
    IntegerOverflow, MemoryOrdering, MemoryScope, OpId, OptimizationHints, RoundingMode,
    Signedness, SymbolVisibility, TypedScalar,
};
use crate::ops::{AttrDef, AttrKind};
use crate::types::{Scalar, TypeKind};
use std::sync::Arc;

impl Reader<'_> {
    /// Reads the attribute of a slot and appends it to `op`. Constant data has the type of the
    /// first result.
    pub(super) fn attr(&mut self, cursor: &mut Cursor<'_>, slot: &AttrDef, op: OpId) -> Result<()> {
        match slot.kind {
            AttrKind::Unit => self.push(op, Attr::Unit),
            AttrKind::U32 => {
                let start = cursor.offset();
                let value = cursor.varint()?;
                let Ok(value) = u32::try_from(value) else {
                    return Err(BoxedError::at(
                        start,
                        format!("expected `{}` to fit 32 bits, found {value}", slot.name),
                    ));
                };
                self.push(op, Attr::Int(i64::from(value)));
            }
            AttrKind::U64 => {
                let value = cursor.varint()?;
                self.push(op, Attr::Int(value.cast_signed()));
            }
            AttrKind::Bool => {
                let value = cursor.byte()?;
                self.push(op, Attr::Bool(value != 0));
            }
            AttrKind::Str => {
                let text = self.strings.read(cursor)?;
                self.push(op, Attr::Str(text));
            }
            AttrKind::Symbol => {
                let name = self.symbol(cursor)?;
                self.push(op, Attr::Symbol(name));
            }
            AttrKind::Type => {
                let ty = self.types.read(cursor)?;
                self.push(op, Attr::Type(ty));
            }
            AttrKind::Dense => {
                let start = cursor.offset();
                let Some(&ty) = self.results.first() else {
                    return Err(BoxedError::at(
                        start,
                        "expected a result that gives the type of the data, found none",
                    ));
                };
                let data = self.constants.read(cursor, ty)?;
                self.push(op, Attr::Dense(data));
            }
            AttrKind::BoolArray => unreachable!("no row has such a list that must be there"),
            AttrKind::I32Array => {
                let values = cursor.i32_array()?;
                self.push(op, Attr::I32Array(values.into()));
            }
            AttrKind::Scalars => {
                let count = cursor.count(2)?;
                let mut values = Vec::with_capacity(count.min(16));
                for _ in 0..count {
                    values.push(self.number(cursor)?);
                }
                self.push(op, Attr::Scalars(values.into()));
            }
            AttrKind::Assume => {
                let predicate = assume(cursor)?;
                self.push(op, Attr::Assume(Box::new(predicate)));
            }
            AttrKind::Hints => {
                let hints = self.hints(cursor)?;
                self.push(op, Attr::Hints(Arc::new(hints)));
            }
            AttrKind::Signedness => {
                let value = enumeration(cursor, slot, Signedness::from_number)?;
                self.push(op, Attr::Signedness(value));
            }
            AttrKind::Overflow => {
                let value = enumeration(cursor, slot, IntegerOverflow::from_number)?;
                self.push(op, Attr::Overflow(value));
            }
            AttrKind::Rounding(_) => {
                let value = enumeration(cursor, slot, RoundingMode::from_number)?;
                self.push(op, Attr::Rounding(value));
            }
            AttrKind::Predicate => {
                let value = enumeration(cursor, slot, ComparisonPredicate::from_number)?;
                self.push(op, Attr::Predicate(value));
            }
            AttrKind::Ordering => {
                let value = enumeration(cursor, slot, ComparisonOrdering::from_number)?;
                self.push(op, Attr::Ordering(value));
            }
            AttrKind::MemoryOrdering(_) => {
                let value = enumeration(cursor, slot, MemoryOrdering::from_number)?;
                self.push(op, Attr::MemoryOrdering(value));
            }
            AttrKind::MemoryScope(_) => {
                let value = enumeration(cursor, slot, MemoryScope::from_number)?;
                self.push(op, Attr::MemoryScope(value));
            }
            AttrKind::RmwMode(_) => {
                let value = enumeration(cursor, slot, AtomicRmwMode::from_number)?;
                self.push(op, Attr::RmwMode(value));
            }
            AttrKind::Visibility => {
                let value = enumeration(cursor, slot, SymbolVisibility::from_number)?;
                self.push(op, Attr::Visibility(value));
            }
        }
        Ok(())
    }

    /// Appends an attribute to `op`.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "writes the few bytes of an attribute where they stay; a tenth of the time of reading"
    )]
    fn push(&mut self, op: OpId, attr: Attr) {
        self.module.op_mut(op).attrs.push(Some(attr));
    }

    /// Reads a tagged number.
    fn number(&mut self, cursor: &mut Cursor<'_>) -> Result<TypedScalar> {
        let start = cursor.offset();
        let tag = cursor.varint()?;
        match self.number_of(cursor, tag)? {
            Some(number) => Ok(number),
            None => Err(BoxedError::at(
                start,
                format!("expected a number (tag 1, 2 or 3), found {}", tag_name(tag)),
            )),
        }
    }

    /// Reads the number after `tag`, if `tag` is the tag of a number.
    fn number_of(&mut self, cursor: &mut Cursor<'_>, tag: u64) -> Result<Option<TypedScalar>> {
        let start = cursor.offset();
        let (scalar, bits) = match tag {
            3 => (Scalar::I1, u64::from(cursor.byte()? != 0)),
            1 | 2 => {
                let wanted = if tag == 1 { "an integer" } else { "a float" };
                let ty = self.types.read(cursor)?;
                let scalar = match *ty.kind() {
                    TypeKind::Scalar(scalar) if scalar.is_float() == (tag == 2) => scalar,
                    _ => {
                        return Err(BoxedError::at(
                            start,
                            format!("expected {wanted} type, found `{ty}`"),
                        ));
                    }
                };
                let bits = match scalar {
                    Scalar::I1 => u64::from(cursor.byte()? != 0),
                    _ if scalar.is_float() => cursor.apint(scalar.bits())?,
                    _ => {
                        let start = cursor.offset();
                        let bits = cursor.varint()?;
                        if scalar.bits() < 64 && bits >> scalar.bits() != 0 {
                            return Err(BoxedError::at(
                                start,
                                format!("expected a number of type `{scalar}`, found {bits:#x}"),
                            ));
                        }
                        bits
                    }
                };
                (scalar, bits)
            }
            _ => return Ok(None),
        };
        Ok(Some(TypedScalar { scalar, bits }))
    }

    /// Reads optimization hints, without a tag.
    pub(super) fn hints(&mut self, cursor: &mut Cursor<'_>) -> Result<OptimizationHints> {
        let per_arch = self.dictionary(cursor, |reader, cursor| {
            let start = cursor.offset();
            let tag = cursor.varint()?;
            if tag != 10 {
                return Err(BoxedError::at(
                    start,
                    format!(
                        "expected a dictionary of hints (tag 10), found {}",
                        tag_name(tag)
                    ),
                ));
            }
            reader.dictionary(cursor, |reader, cursor| reader.hint(cursor, 0))
        })?;
        Ok(OptimizationHints { per_arch })
    }

    /// Reads the value of a hint, tagged.
    fn hint(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<HintValue> {
        let start = cursor.offset();
        let tag = cursor.varint()?;
        if depth > MAX_HINT_DEPTH {
            return Err(BoxedError::at(
                start,
                format!("values of hints are nested deeper than {MAX_HINT_DEPTH}"),
            ));
        }
        if let Some(number) = self.number_of(cursor, tag)? {
            return Ok(match number.scalar {
                Scalar::I64 => HintValue::Int(number.bits.cast_signed()),
                Scalar::I1 => HintValue::Bool(number.bits != 0),
                _ => HintValue::Number(number),
            });
        }
        match tag {
            4 => Ok(HintValue::Type(self.types.read(cursor)?)),
            5 => Ok(HintValue::Str(self.strings.read(cursor)?)),
            6 => {
                let count = cursor.count(2)?;
                let mut values = Vec::with_capacity(count.min(16));
                for _ in 0..count {
                    values.push(self.hint(cursor, depth + 1)?);
                }
                Ok(HintValue::Array(values))
            }
            10 => self
                .dictionary(cursor, |reader, cursor| reader.hint(cursor, depth + 1))
                .map(HintValue::Dict),
            _ => Err(BoxedError::at(
                start,
                format!(
                    "expected a number, string, type, list or dictionary as the value of a hint, found {}",
                    tag_name(tag)
                ),
            )),
        }
    }

    /// Reads pairs of a key and a value, sorted by key.
    fn dictionary<T>(
        &mut self,
        cursor: &mut Cursor<'_>,
        mut value: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<T>,
    ) -> Result<Vec<(String, T)>> {
        let start = cursor.offset();
        let count = cursor.count(3)?;
        let mut entries = Vec::with_capacity(count.min(16));
        for _ in 0..count {
            let key = self.key(cursor)?;
            entries.push((key, value(self, cursor)?));
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(BoxedError::at(
                start,
                format!("expected every key once, found `{}` twice", pair[0].0),
            ));
        }
        Ok(entries)
    }

    fn key(&mut self, cursor: &mut Cursor<'_>) -> Result<String> {
        let start = cursor.offset();
        let key = self.strings.read(cursor)?;
        if key.is_empty() {
            return Err(BoxedError::at(
                start,
                "expected a key, found an empty string",
            ));
        }
        match self.budgets.keys.checked_sub(key.len()) {
            Some(rest) => self.budgets.keys = rest,
            None => {
                return Err(BoxedError::at(
                    start,
                    "the keys of hints are longer than a file of this size may hold",
                ));
            }
        }
        Ok(key.to_string())
    }
}

/// Returns the name of an attribute's tag, for messages.
fn tag_name(tag: u64) -> String {
    let name = match tag {
        1 => "an integer",
        2 => "a float",
        3 => "a truth value",
        4 => "a type",
        5 => "a string",
        6 => "a list",
        7 => "constant data",
        8 => "`div_by`",
        9 => "`same_elements`",
        10 => "a dictionary",
        11 => "optimization hints",
        12 => "`bounded`",
        _ => return format!("tag {tag}"),
    };
    name.to_owned()
}

/// Reads the value of an enum.
#[inline]
fn enumeration<T>(
    cursor: &mut Cursor<'_>,
    slot: &AttrDef,
    from_number: impl Fn(u64) -> Option<T>,
) -> Result<T> {
    let start = cursor.offset();
    let number = cursor.varint()?;
    match from_number(number) {
        Some(value) => Ok(value),
        None => Err(BoxedError::at(
            start,
            format!("value {number} of attribute `{}` is not known", slot.name),
        )),
    }
}

#[inline]
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
        tag => Err(BoxedError::at(
            start,
            format!(
                "expected `div_by`, `same_elements` or `bounded` (tag 8, 9 or 12), found {}",
                tag_name(tag)
            ),
        )),
    }
}

/// Reads a byte that tells which of two numbers are present, then these numbers.
fn pair(cursor: &mut Cursor<'_>) -> Result<(Option<i64>, Option<i64>)> {
    let start = cursor.offset();
    let flags = cursor.byte()?;
    if flags & !0b11 != 0 {
        return Err(BoxedError::at(
            start,
            format!("expected flags up to 0x3 of an assumption, found {flags:#x}"),
        ));
    }
    let mut value = |bit: u8| match flags & bit {
        0 => Ok(None),
        _ => cursor.svarint().map(Some),
    };
    Ok((value(1)?, value(2)?))
}
