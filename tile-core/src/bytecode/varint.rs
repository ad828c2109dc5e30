//! Primitive encodings: LEB128, zigzag, little endian, and bounded reading.

use super::BoxedError;

/// The result of reading or writing.
pub(super) type Result<T> = std::result::Result<T, BoxedError>;

/// The bytes written so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    pub(super) bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    #[inline]
    pub(super) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push((value & 0x7f) as u8);
    }

    pub(super) fn count(&mut self, value: usize) {
        self.varint(value as u64);
    }

    pub(super) fn svarint(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    /// Appends a fixed-width number of `bits` bits, as in the payload of a float.
    pub(super) fn apint(&mut self, bits: u32, value: u64) {
        if bits <= 8 {
            self.byte((value & 0xff) as u8);
        } else {
            self.svarint(value.cast_signed());
        }
    }

    pub(super) fn i32_array(&mut self, values: &[i32]) {
        self.count(values.len());
        for value in values {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    pub(super) fn i64_array(&mut self, values: impl ExactSizeIterator<Item = i64>) {
        self.count(values.len());
        for value in values {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }

    /// Pads to a multiple of `alignment`.
    pub(super) fn pad(&mut self, alignment: usize) {
        let len = self.bytes.len().next_multiple_of(alignment);
        self.bytes.resize(len, 0xcb);
    }
}

/// A position in bytes that are being read, which never moves past their end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// The offset of `bytes` in the file, for messages.
    base: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], base: usize) -> Self {
        Self {
            bytes,
            position: 0,
            base,
        }
    }

    /// Returns the offset in the file.
    pub(super) fn offset(&self) -> usize {
        self.base + self.position
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(super) fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    #[cold]
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(BoxedError::at(self.offset(), message))
    }

    #[inline]
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.position..];
        let Some(taken) = rest.get(..len) else {
            let available = rest.len();
            return self.error(format!("expected {len} more bytes, found {available}"));
        };
        self.position += len;
        Ok(taken)
    }

    /// Returns a cursor over the next `len` bytes.
    pub(super) fn sub(&mut self, len: usize) -> Result<Cursor<'a>> {
        let base = self.offset();
        Ok(Cursor::new(self.take(len)?, base))
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8> {
        match self.bytes.get(self.position) {
            Some(&byte) => {
                self.position += 1;
                Ok(byte)
            }
            None => self.error("expected one more byte, found the end"),
        }
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64> {
        match self.bytes.get(self.position) {
            Some(&byte) if byte < 0x80 => {
                self.position += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    #[cold]
    fn long_varint(&mut self) -> Result<u64> {
        let start = self.offset();
        let mut value = 0_u64;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && group > 1) {
                return Err(BoxedError::at(
                    start,
                    "expected a number of at most 64 bits, found a longer one",
                ));
            }
            value |= group << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(value)
    }

    /// Reads a number of bytes or an index; a value that does not fit into a `usize` saturates.
    #[inline]
    pub(super) fn size(&mut self) -> Result<usize> {
        Ok(usize::try_from(self.varint()?).unwrap_or(usize::MAX))
    }

    pub(super) fn svarint(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
    }

    pub(super) fn apint(&mut self, bits: u32) -> Result<u64> {
        let start = self.offset();
        let value = if bits <= 8 {
            u64::from(self.byte()?)
        } else {
            self.svarint()?.cast_unsigned()
        };
        if bits < 64 && value >> bits != 0 {
            return Err(BoxedError::at(
                start,
                format!("expected a number of {bits} bits, found {value:#x}"),
            ));
        }
        Ok(value)
    }

    /// Reads a count of items that take at least `least` bytes each.
    #[inline]
    pub(super) fn count(&mut self, least: usize) -> Result<usize> {
        let start = self.offset();
        let count = self.size()?;
        let limit = self.remaining() / least;
        if count > limit {
            return Err(BoxedError::at(
                start,
                format!(
                    "expected a count of at most {limit} in the bytes that are left, found {count}"
                ),
            ));
        }
        Ok(count)
    }

    pub(super) fn i32_array(&mut self) -> Result<Vec<i32>> {
        let count = self.count(4)?;
        let bytes = self.take(count * 4)?;
        let (chunks, _) = bytes.as_chunks::<4>();
        Ok(chunks
            .iter()
            .map(|&chunk| i32::from_le_bytes(chunk))
            .collect())
    }

    pub(super) fn i64_array(&mut self) -> Result<Vec<i64>> {
        let count = self.count(8)?;
        let bytes = self.take(count * 8)?;
        let (chunks, _) = bytes.as_chunks::<8>();
        Ok(chunks
            .iter()
            .map(|&chunk| i64::from_le_bytes(chunk))
            .collect())
    }

    /// Skips to a multiple of `alignment`, relative to the start of the cursor's bytes.
    pub(super) fn skip_padding(&mut self, alignment: usize) -> Result<()> {
        let len = self.position.next_multiple_of(alignment) - self.position;
        self.take(len).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, Encoder};

    #[test]
    fn numbers_read_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Encoder::default();
            out.varint(value);
            out.svarint(value.cast_signed());
            out.apint(64, value);
            let mut cursor = Cursor::new(&out.bytes, 0);
            assert_eq!(cursor.varint(), Ok(value));
            assert_eq!(cursor.svarint(), Ok(value.cast_signed()));
            assert_eq!(cursor.apint(64), Ok(value));
            assert!(cursor.is_empty());
        }
    }

    #[test]
    fn a_number_beyond_64_bits_is_refused() {
        let bytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        assert!(Cursor::new(&bytes, 0).varint().is_err());
        assert!(Cursor::new(&[0x80; 30], 0).varint().is_err());
    }

    #[test]
    fn a_count_beyond_the_bytes_is_refused() {
        let mut out = Encoder::default();
        out.varint(1 << 40);
        out.bytes.extend_from_slice(&[0; 100]);
        assert!(Cursor::new(&out.bytes, 0).i64_array().is_err());
    }
}
