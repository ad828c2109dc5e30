//! Writes attributes.

use super::super::BoxedError;
use super::super::limits::MAX_HINT_DEPTH;
use super::super::varint::{Encoder, Result};
use super::{Writer, unfit};
use crate::ir::{
    AssumePredicate, Attr, DenseElements, HintValue, Op, OptimizationHints, TypedScalar,
};
use crate::ops::{AttrDef, AttrKind};
use crate::types::{Scalar, Type};
use std::sync::Arc;

impl Writer<'_> {
    /// Writes the attribute of a slot.
    pub(super) fn attr(
        &mut self,
        out: &mut Encoder,
        op: &Op,
        slot: &AttrDef,
        attr: &Attr,
    ) -> Result<()> {
        match (slot.kind, attr) {
            (AttrKind::Unit, Attr::Unit) => {}
            (AttrKind::Bool, Attr::Bool(value)) => out.byte(u8::from(*value)),
            (AttrKind::U64, Attr::Int(value)) => out.varint(value.cast_unsigned()),
            (AttrKind::U32, Attr::Int(value)) => match u32::try_from(*value) {
                Ok(value) => out.varint(u64::from(value)),
                Err(_) => {
                    return Err(BoxedError::unwritable(format!(
                        "expected `{}` of `{}` to fit 32 bits, found {value}",
                        slot.name,
                        op.def().mnemonic
                    )));
                }
            },
            (AttrKind::I32Array, Attr::I32Array(values)) => {
                let supported = |&value: &i32| value != i32::MIN && value != i32::MAX;
                Self::supported(slot, values.iter().all(supported))?;
                out.i32_array(values);
            }
            (AttrKind::Str, Attr::Str(text)) => out.varint(self.strings.index(text)),
            (AttrKind::Symbol, Attr::Symbol(name)) => out.varint(self.symbol(name)?),
            (AttrKind::Type, Attr::Type(ty)) => out.varint(self.value_type(*ty)?),
            (AttrKind::Dense, Attr::Dense(data)) => {
                let Some(&result) = op.results.first() else {
                    return Err(unfit(op, "its results"));
                };
                out.varint(self.constant(data, self.module.ty(result))?);
            }
            (AttrKind::Scalars, Attr::Scalars(values)) => {
                out.count(values.len());
                for value in values {
                    self.number(out, *value)?;
                }
            }
            (AttrKind::Signedness, Attr::Signedness(value)) => out.varint(value.number()),
            (AttrKind::Overflow, Attr::Overflow(value)) => out.varint(value.number()),
            (AttrKind::Rounding(_), Attr::Rounding(value)) => out.varint(value.number()),
            (AttrKind::Predicate, Attr::Predicate(value)) => out.varint(value.number()),
            (AttrKind::Ordering, Attr::Ordering(value)) => out.varint(value.number()),
            (AttrKind::MemoryOrdering(_), Attr::MemoryOrdering(value)) => {
                out.varint(value.number());
            }
            (AttrKind::MemoryScope(_), Attr::MemoryScope(value)) => out.varint(value.number()),
            (AttrKind::RmwMode(_), Attr::RmwMode(value)) => out.varint(value.number()),
            (AttrKind::Visibility, Attr::Visibility(value)) => out.varint(value.number()),
            (AttrKind::Assume, Attr::Assume(predicate)) => Self::assume(out, slot, predicate)?,
            (AttrKind::Hints, Attr::Hints(hints)) => self.hints(out, hints)?,
            _ => return Err(unfit(op, "its attributes")),
        }
        Ok(())
    }

    fn supported(slot: &AttrDef, supported: bool) -> Result<()> {
        if supported {
            return Ok(());
        }
        Err(BoxedError::unwritable(format!(
            "array `{}` contains an unsupported value: the least and the greatest number of its type are reserved",
            slot.name
        )))
    }

    /// Returns the index of constant data of the type `ty`.
    pub(super) fn constant(&mut self, data: &Arc<DenseElements>, ty: Type) -> Result<u64> {
        let fits = ty.as_number_tile().is_some_and(|(scalar, shape)| {
            let count = shape
                .iter()
                .try_fold(1_i64, |product, &dim| product.checked_mul(dim));
            scalar == data.scalar()
                && match &**data {
                    DenseElements::Splat { .. } => true,
                    DenseElements::Each { bits, .. } => {
                        count.is_some_and(|count| usize::try_from(count) == Ok(bits.len()))
                    }
                }
        });
        if !fits {
            return Err(BoxedError::unwritable(format!(
                "expected the data of a `{ty}`, found {}",
                match &**data {
                    DenseElements::Splat { scalar, .. } => format!("a number of type `{scalar}`"),
                    DenseElements::Each { scalar, bits } => {
                        format!("{} numbers of type `{scalar}`", bits.len())
                    }
                }
            )));
        }
        self.constants.index(data)
    }

    /// Writes a tagged number.
    fn number(&mut self, out: &mut Encoder, value: TypedScalar) -> Result<()> {
        let TypedScalar { scalar, bits } = value;
        if scalar.bits() < 64 && bits >> scalar.bits() != 0 {
            return Err(BoxedError::unwritable(format!(
                "expected a number of type `{scalar}`, found {bits:#x}"
            )));
        }
        let index = self.types.scalar(scalar)?;
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

    /// Writes optimization hints, without a tag.
    pub(super) fn hints(&mut self, out: &mut Encoder, hints: &OptimizationHints) -> Result<()> {
        let OptimizationHints { per_arch } = hints;
        self.dictionary(out, per_arch, |writer, out, values| {
            out.varint(10);
            writer.dictionary(out, values, |writer, out, value| writer.hint(out, value, 0))
        })
    }

    /// Writes the value of a hint, tagged.
    fn hint(&mut self, out: &mut Encoder, value: &HintValue, depth: usize) -> Result<()> {
        if depth > MAX_HINT_DEPTH {
            return Err(BoxedError::unwritable(format!(
                "values of hints are nested deeper than {MAX_HINT_DEPTH}"
            )));
        }
        let number = |scalar, bits| TypedScalar { scalar, bits };
        match value {
            HintValue::Int(value) => {
                self.number(out, number(Scalar::I64, value.cast_unsigned()))?;
            }
            HintValue::Bool(value) => self.number(out, number(Scalar::I1, u64::from(*value)))?,
            HintValue::Number(value) => self.number(out, *value)?,
            HintValue::Str(text) => {
                out.varint(5);
                out.varint(self.strings.index(text));
            }
            HintValue::Type(ty) => {
                out.varint(4);
                out.varint(self.value_type(*ty)?);
            }
            HintValue::Array(values) => {
                out.varint(6);
                out.count(values.len());
                for value in values {
                    self.hint(out, value, depth + 1)?;
                }
            }
            HintValue::Dict(entries) => {
                out.varint(10);
                self.dictionary(out, entries, |writer, out, value| {
                    writer.hint(out, value, depth + 1)
                })?;
            }
        }
        Ok(())
    }

    /// Writes pairs of a key and a value, sorted by key.
    fn dictionary<T>(
        &mut self,
        out: &mut Encoder,
        entries: &[(String, T)],
        mut value: impl FnMut(&mut Self, &mut Encoder, &T) -> Result<()>,
    ) -> Result<()> {
        let mut sorted: Vec<&(String, T)> = entries.iter().collect();
        sorted.sort_by_key(|(key, _)| key);
        let mut before = None;
        out.count(sorted.len());
        for (key, entry) in sorted {
            if key.is_empty() || before == Some(key) {
                return Err(BoxedError::unwritable(format!(
                    "expected every key of the hints once and not empty, found `{key}`"
                )));
            }
            before = Some(key);
            out.varint(self.strings.index_of(key));
            value(self, out, entry)?;
        }
        Ok(())
    }

    fn assume(out: &mut Encoder, slot: &AttrDef, predicate: &AssumePredicate) -> Result<()> {
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
                let supported = |&value: &i64| value != i64::MIN && value != i64::MAX;
                Self::supported(slot, sizes.iter().all(supported))?;
                out.varint(9);
                out.i64_array(sizes.iter().copied());
            }
            AssumePredicate::Bounded { lower, upper } => {
                out.varint(12);
                pair(out, *lower, *upper);
            }
        }
        Ok(())
    }
}

/// Writes a byte that tells which of two numbers are present, then these numbers.
fn pair(out: &mut Encoder, first: Option<i64>, second: Option<i64>) {
    out.byte(u8::from(first.is_some()) | u8::from(second.is_some()) << 1);
    for value in [first, second].into_iter().flatten() {
        out.svarint(value);
    }
}
