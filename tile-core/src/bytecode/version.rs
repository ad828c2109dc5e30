//! What depends on the version of a file: its header and the layout of the
//! presence bits.

use super::BytecodeError;
use super::varint::{Cursor, Encoder};
use crate::ops::{Arity, OpDef, Presence, Version};

pub(super) const MAGIC: [u8; 8] = *b"\x7fTileIR\0";

/// Writes magic and version.
pub(super) fn write_header(out: &mut Encoder, version: Version) {
    let (major, minor) = version.numbers();
    out.bytes.extend_from_slice(&MAGIC);
    out.bytes.extend_from_slice(&[major, minor, 0, 0]);
}

/// Reads magic and version.
pub(super) fn read_header(cursor: &mut Cursor<'_>) -> Result<Version, BytecodeError> {
    if cursor.remaining() < MAGIC.len() || cursor.take(MAGIC.len())? != MAGIC {
        return Err(BytecodeError::at(0, "not Tile IR bytecode"));
    }
    let start = cursor.offset();
    let (major, minor) = (cursor.byte()?, cursor.byte()?);
    cursor.take(2)?;
    Version::ALL
        .into_iter()
        .find(|version| version.numbers() == (major, minor))
        .ok_or_else(|| {
            BytecodeError::at(
                start,
                format!("expected bytecode version 13.1 to 13.4, found {major}.{minor}"),
            )
        })
}

/// A field whose presence is a bit of the flags word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionalField {
    /// Attribute slot.
    Attr(usize),
    /// Operand slot.
    Operand(usize),
}

/// The fields that have a presence bit, bit 0 first, each with its version:
/// oldest first, then attributes before operands, then in order of declaration.
pub(super) fn optional_fields(def: &OpDef) -> Vec<(OptionalField, Version)> {
    let attrs = def
        .attrs
        .iter()
        .enumerate()
        .filter(|(_, attr)| attr.presence == Presence::Optional)
        .map(|(index, attr)| (OptionalField::Attr(index), attr.since));
    let operands = def
        .operands
        .iter()
        .enumerate()
        .filter(|(_, slot)| def.segmented && slot.arity == Arity::Optional)
        .map(|(index, slot)| (OptionalField::Operand(index), slot.since));
    let mut fields: Vec<_> = attrs.chain(operands).collect();
    fields.sort_by_key(|&(_, since)| since);
    fields
}

#[cfg(test)]
mod tests {
    use super::{OptionalField, optional_fields};
    use crate::ops::{FloatOp, ViewOp};

    #[test]
    fn attributes_come_before_operands_in_the_flags_word() {
        let fields: Vec<_> = optional_fields(ViewOp::LoadViewTko.def())
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(
            fields,
            [
                OptionalField::Attr(1),
                OptionalField::Attr(2),
                OptionalField::Operand(2)
            ]
        );
    }

    #[test]
    fn an_op_without_optional_fields_has_no_flags_word() {
        assert!(optional_fields(FloatOp::AbsF.def()).is_empty());
    }
}
