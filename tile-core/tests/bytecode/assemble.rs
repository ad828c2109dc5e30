//! Assembles bytecode files by hand, for contents that no module produces.

/// Encodes a number as LEB128.
pub(crate) fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
    out
}

/// Concatenates byte strings.
pub(crate) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn pad(bytes: &mut Vec<u8>, alignment: usize) {
    bytes.resize(bytes.len().next_multiple_of(alignment), 0xcb);
}

/// Encodes an offset table.
pub(crate) fn table<B: AsRef<[u8]>>(entries: &[B], width: usize) -> Vec<u8> {
    let mut offset = 0;
    let starts = entries.iter().map(|entry| {
        offset += entry.as_ref().len();
        offset - entry.as_ref().len()
    });
    let starts: Vec<usize> = starts.collect();
    table_at(entries, width, &starts)
}

/// Encodes an offset table that claims that its entries start at `starts`.
pub(crate) fn table_at<B: AsRef<[u8]>>(entries: &[B], width: usize, starts: &[usize]) -> Vec<u8> {
    let mut out = varint(entries.len() as u64);
    if entries.is_empty() {
        return out;
    }
    pad(&mut out, width);
    for start in starts {
        out.extend_from_slice(&(*start as u64).to_le_bytes()[..width]);
    }
    for entry in entries {
        out.extend_from_slice(entry.as_ref());
    }
    out
}

/// The parts of a file with one entry `k`.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) minor: u8,
    pub(crate) strings: Vec<Vec<u8>>,
    pub(crate) types: Vec<Vec<u8>>,
    pub(crate) constants: Vec<Vec<u8>>,
    /// The type index of the signature.
    pub(crate) signature: u64,
    pub(crate) flags: u8,
    pub(crate) location: u64,
    pub(crate) hints: Vec<u8>,
    pub(crate) body: Vec<u8>,
    /// Additional sections: number, payload, alignment.
    pub(crate) sections: Vec<(u8, Vec<u8>, usize)>,
}

pub(crate) const RETURN: [u8; 3] = [0x5c, 0, 0];

/// Type indices that every file has.
pub(crate) mod ty {
    pub(crate) const NONE_TO_NONE: u64 = 0;
    pub(crate) const I32: u64 = 1;
    pub(crate) const TILE_I32: u64 = 2;
    pub(crate) const TILE_I1: u64 = 4;
    pub(crate) const TILE_F32: u64 = 6;
    /// The index of the first type that a test adds.
    pub(crate) const NEXT: u64 = 8;
}

impl Parts {
    /// Makes the parts of a file of version 13.`minor` with an entry that has this body. Constant 0
    /// is the 32-bit number 1, and constant 1 is a byte of ones.
    pub(crate) fn new(minor: u8, body: &[&[u8]]) -> Self {
        let types: [&[u8]; 8] = [
            &[16, 0, 0],
            &[3],
            &[13, 1, 0],
            &[0],
            &[13, 3, 0],
            &[7],
            &[13, 5, 0],
            &[17],
        ];
        Self {
            minor,
            strings: ["k", "a", "b", "c", ""].map(Into::into).to_vec(),
            types: types.map(<[u8]>::to_vec).to_vec(),
            constants: vec![constant(&[1, 0, 0, 0]), constant(&[0xff])],
            signature: ty::NONE_TO_NONE,
            flags: 2,
            location: 0,
            hints: Vec::new(),
            body: join(body),
            sections: Vec::new(),
        }
    }

    /// Adds a type and returns its index.
    pub(crate) fn add_type(&mut self, entry: Vec<u8>) -> u64 {
        self.types.push(entry);
        self.types.len() as u64 - 1
    }

    /// Sets the hints of the entry.
    pub(crate) fn hints(mut self, hints: &[u8]) -> Self {
        self.flags = 6;
        self.hints = hints.to_vec();
        self
    }

    /// Adds a section.
    pub(crate) fn section(mut self, number: u8, payload: &[u8], alignment: usize) -> Self {
        self.sections.push((number, payload.to_vec(), alignment));
        self
    }

    /// Encodes the function section.
    pub(crate) fn functions(&self) -> Vec<u8> {
        let mut out = join(&[
            &[1, 0],
            &varint(self.signature),
            &[self.flags],
            &varint(self.location),
            &self.hints,
            &varint(self.body.len() as u64),
            &self.body,
        ]);
        pad(&mut out, 8);
        out
    }

    /// Encodes the file.
    pub(crate) fn file(&self) -> Vec<u8> {
        let mut sections = vec![
            (2, self.functions(), 8),
            (4, table(&self.constants, 8), 8),
            (5, table(&self.types, 4), 4),
            (1, table(&self.strings, 4), 4),
        ];
        sections.extend(self.sections.iter().cloned());
        file(self.minor, &sections)
    }
}

/// Encodes an entry of the constant section.
pub(crate) fn constant(bytes: &[u8]) -> Vec<u8> {
    join(&[&varint(bytes.len() as u64), bytes])
}

/// Encodes a file of version 13.`minor` with `sections`, each given by number, payload and
/// alignment.
pub(crate) fn file(minor: u8, sections: &[(u8, Vec<u8>, usize)]) -> Vec<u8> {
    let mut out = b"\x7fTileIR\0".to_vec();
    out.extend_from_slice(&[13, minor, 0, 0]);
    for (number, payload, alignment) in sections {
        let len = varint(payload.len() as u64);
        if *alignment > 1 {
            out.push(number | 0x80);
            out.extend_from_slice(&len);
            out.extend_from_slice(&varint(*alignment as u64));
            pad(&mut out, *alignment);
        } else {
            out.push(*number);
            out.extend_from_slice(&len);
        }
        out.extend_from_slice(payload);
    }
    out.push(0);
    out
}

/// Encodes a debug section: the first location of each function, locations, attributes.
pub(crate) fn debug_section(starts: &[u32], slots: &[u64], attrs: &[Vec<u8>]) -> Vec<u8> {
    let mut out = varint(starts.len() as u64);
    pad(&mut out, 4);
    for start in starts {
        out.extend_from_slice(&start.to_le_bytes());
    }
    out.extend_from_slice(&varint(slots.len() as u64));
    pad(&mut out, 8);
    for slot in slots {
        out.extend_from_slice(&slot.to_le_bytes());
    }
    // The padding in the table of attributes is relative to the start of the section.
    let attrs_table = {
        let mut prefix = out.clone();
        prefix.extend_from_slice(&varint(attrs.len() as u64));
        pad(&mut prefix, 4);
        let mut offset = 0_u32;
        for attr in attrs {
            prefix.extend_from_slice(&offset.to_le_bytes());
            offset += u32::try_from(attr.len()).expect("small");
        }
        prefix
    };
    join(&[&attrs_table, &attrs.concat()])
}
