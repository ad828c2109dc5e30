//! The header: magic and version.

use super::BoxedError;
use super::varint::{Cursor, Encoder, Result};
use crate::ops::Version;

const MAGIC: [u8; 8] = *b"\x7fTileIR\0";

/// Writes the magic bytes and the version.
pub(super) fn write_header(out: &mut Encoder, version: Version) {
    let (major, minor) = version.numbers();
    out.bytes.extend_from_slice(&MAGIC);
    out.bytes.extend_from_slice(&[major, minor, 0, 0]);
}

/// Reads the magic bytes and the version. Ignores the tag after the version.
pub(super) fn read_header(cursor: &mut Cursor<'_>) -> Result<Version> {
    if cursor.remaining() < MAGIC.len() || cursor.take(MAGIC.len())? != MAGIC {
        return Err(BoxedError::at(
            0,
            "expected Tile IR bytecode, found other data",
        ));
    }
    let start = cursor.offset();
    let (major, minor) = (cursor.byte()?, cursor.byte()?);
    cursor.take(2)?;
    Version::ALL
        .into_iter()
        .find(|version| version.numbers() == (major, minor))
        .ok_or_else(|| {
            BoxedError::at(
                start,
                format!("expected bytecode version 13.1 to 13.4, found {major}.{minor}"),
            )
        })
}
