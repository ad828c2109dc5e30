//! Sections and offset tables.

use super::BoxedError;
use super::varint::{Cursor, Encoder, Result};

/// Section numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    String = 1,
    Func = 2,
    Debug = 3,
    Constant = 4,
    Type = 5,
    Global = 6,
    Producer = 7,
}

impl Section {
    pub(super) const ALL: [Section; 7] = [
        Section::String,
        Section::Func,
        Section::Debug,
        Section::Constant,
        Section::Type,
        Section::Global,
        Section::Producer,
    ];

    /// Returns the alignment of the payload in the file; 1 means that the file records none.
    pub(super) fn alignment(self) -> usize {
        match self {
            Section::String | Section::Type => 4,
            Section::Func | Section::Constant | Section::Debug => 8,
            Section::Global | Section::Producer => 1,
        }
    }

    /// Returns the size in bytes of one entry of the offset table.
    pub(super) fn offset_bytes(self) -> usize {
        match self {
            Section::Constant => 8,
            _ => 4,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Section::String => "string",
            Section::Func => "function",
            Section::Debug => "debug",
            Section::Constant => "constant",
            Section::Type => "type",
            Section::Global => "global",
            Section::Producer => "producer",
        }
    }
}

/// The payloads of a file.
pub(super) struct Sections<'a> {
    sections: [Option<Cursor<'a>>; Section::ALL.len()],
    end: usize,
}

impl<'a> Sections<'a> {
    /// Finds the sections that follow the header.
    pub(super) fn read(file: &mut Cursor<'a>) -> Result<Self> {
        let mut sections = [const { None }; Section::ALL.len()];
        loop {
            let start = file.offset();
            let fail = |message: String| Err(BoxedError::at(start, message));
            let byte = file.byte()?;
            if byte == 0 {
                break;
            }
            let number = byte & 0x7f;
            let matching = Section::ALL.into_iter().find(|&one| one as u8 == number);
            let Some(section) = matching else {
                return fail(match number {
                    0 => "expected the end marker without an alignment, found it with one".into(),
                    _ => format!("expected a section from 0 to 7, found {number}"),
                });
            };
            let len = file.size()?;
            let alignment = if byte & 0x80 == 0 { 1 } else { file.size()? };
            let needed = section.alignment();
            if !alignment.is_power_of_two() || !alignment.is_multiple_of(needed) {
                return fail(format!(
                    "expected the {} section to be aligned to a power of two from {needed}, found {alignment}",
                    section.name()
                ));
            }
            file.skip_padding(alignment)?;
            let payload = file.sub(len)?;
            if sections[section as usize - 1].replace(payload).is_some() {
                return fail(format!("the {} section occurs twice", section.name()));
            }
        }
        let end = file.offset();
        if !file.is_empty() {
            return file
                .error("expected the end of the file after the end marker, found more bytes");
        }
        Ok(Self { sections, end })
    }

    /// Removes and returns the payload of a section.
    pub(super) fn take(&mut self, section: Section) -> Option<Cursor<'a>> {
        self.sections[section as usize - 1].take()
    }

    /// Removes and returns the payload of a section that every file has.
    pub(super) fn take_required(&mut self, section: Section) -> Result<Cursor<'a>> {
        self.take(section).ok_or_else(|| {
            let message = format!("the {} section is missing", section.name());
            BoxedError::at(self.end, message)
        })
    }

    /// Removes a section that is an offset table and returns its entries; an absent section has
    /// none.
    pub(super) fn take_table(&mut self, section: Section) -> Result<Vec<Cursor<'a>>> {
        self.take(section).map_or(Ok(Vec::new()), |mut payload| {
            read_table(&mut payload, section.offset_bytes())
        })
    }
}

/// Appends a section to a file.
pub(super) fn write_section(out: &mut Encoder, section: Section, payload: &[u8]) {
    let alignment = section.alignment();
    let mark = if alignment > 1 { 0x80 } else { 0 };
    out.byte(section as u8 | mark);
    out.count(payload.len());
    if alignment > 1 {
        out.count(alignment);
        out.pad(alignment);
    }
    out.bytes.extend_from_slice(payload);
}

/// The entries of an offset table, in order.
#[derive(Default)]
pub(super) struct TableWriter {
    offsets: Vec<usize>,
    pub(super) data: Encoder,
}

impl TableWriter {
    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Starts an entry, which consists of the bytes that are appended to `data` afterwards.
    pub(super) fn start(&mut self) {
        self.offsets.push(self.data.bytes.len());
    }

    /// Removes the last entry.
    pub(super) fn undo(&mut self) {
        let start = self.offsets.pop().expect("an entry was started");
        self.data.bytes.truncate(start);
    }

    /// Returns the last entry.
    pub(super) fn last(&self) -> &[u8] {
        let start = *self.offsets.last().expect("an entry was started");
        &self.data.bytes[start..]
    }

    /// Returns the entry at `index`.
    pub(super) fn entry(&self, index: usize) -> &[u8] {
        let end = self.offsets.get(index + 1);
        let end = end.copied().unwrap_or(self.data.bytes.len());
        &self.data.bytes[self.offsets[index]..end]
    }

    /// Appends the table to `out`, with offsets of `width` bytes. Padding aligns relative to the
    /// start of `out`.
    pub(super) fn write(&self, out: &mut Encoder, width: usize) -> Result<()> {
        let len = self.data.bytes.len();
        if width < 8 && u32::try_from(len).is_err() {
            return Err(BoxedError::unwritable(format!(
                "expected a table of less than 4 GiB, found {len} bytes"
            )));
        }
        out.count(self.offsets.len());
        if self.offsets.is_empty() {
            return Ok(());
        }
        out.pad(width);
        for &offset in &self.offsets {
            let bytes = (offset as u64).to_le_bytes();
            out.bytes.extend_from_slice(&bytes[..width]);
        }
        out.bytes.extend_from_slice(&self.data.bytes);
        Ok(())
    }
}

/// Reads the entries of an offset table that takes up the rest of `cursor`.
pub(super) fn read_table<'a>(cursor: &mut Cursor<'a>, width: usize) -> Result<Vec<Cursor<'a>>> {
    let count = cursor.count(width)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    cursor.skip_padding(width)?;
    let place = cursor.offset();
    let table = cursor.take(count * width)?;
    let data = cursor.take(cursor.remaining())?;
    let base = cursor.offset() - data.len();
    let offset = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(bytes);
        usize::try_from(u64::from_le_bytes(wide)).unwrap_or(usize::MAX)
    };
    let starts = table.chunks_exact(width).map(offset);
    let ends = starts.clone().skip(1).chain([data.len()]);
    starts
        .zip(ends)
        .enumerate()
        .map(|(index, (start, end))| match data.get(start..end) {
            Some(bytes) => Ok(Cursor::new(bytes, base + start)),
            None => Err(BoxedError::at(
                place + index * width,
                format!(
                    "expected ascending offsets within {} bytes, found an entry from {start} to {end}",
                    data.len()
                ),
            )),
        })
        .collect()
}
