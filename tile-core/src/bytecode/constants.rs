//! The constant section: the data of `constant` and `global`.

use super::BoxedError;
use super::sections::TableWriter;
use super::varint::{Cursor, Result};
use crate::ir::DenseElements;
use crate::types::{Scalar, Type};
use rustc_hash::FxHashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Returns the number of bytes of one number in constant data.
fn storage_bytes(scalar: Scalar) -> usize {
    (scalar.bits() as usize).div_ceil(8)
}

/// The constant section under construction; equal data shares one entry.
#[derive(Default)]
pub(super) struct ConstantWriter {
    /// Entries by the hash of their bytes.
    indices: FxHashMap<u64, Vec<usize>>,
    /// Entries of data that was already written, by address.
    known: FxHashMap<*const DenseElements, usize>,
    pub(super) table: TableWriter,
}

impl ConstantWriter {
    /// Returns the index of the entry with `data`.
    pub(super) fn index(&mut self, data: &Arc<DenseElements>) -> Result<u64> {
        // The address identifies its data as long as the module is borrowed.
        let address = Arc::as_ptr(data);
        if let Some(&index) = self.known.get(&address) {
            return Ok(index as u64);
        }
        if data.scalar() == Scalar::I4 {
            return Err(BoxedError::unwritable(
                "expected constant data of a type that has it, found `i4`",
            ));
        }
        self.table.start();
        let payload = payload(data);
        self.table.data.count(payload.len());
        self.table.data.bytes.extend_from_slice(&payload);
        let hash = self.indices.hasher().hash_one(self.table.last());
        let same_hash = self.indices.entry(hash).or_default();
        let last = self.table.last();
        let entry = same_hash
            .iter()
            .copied()
            .find(|&index| self.table.entry(index) == last);
        let index = if let Some(index) = entry {
            self.table.undo();
            index
        } else {
            let index = self.table.len() - 1;
            same_hash.push(index);
            index
        };
        self.known.insert(address, index);
        Ok(index as u64)
    }
}

/// Encodes constant data. Truth values are packed, eight to a byte.
fn payload(data: &DenseElements) -> Vec<u8> {
    let width = storage_bytes(data.scalar());
    match data {
        DenseElements::Each { scalar, bits } if bits.windows(2).all(|pair| pair[0] == pair[1]) => {
            payload(&DenseElements::from_bits(*scalar, bits.clone()))
        }
        DenseElements::Splat {
            scalar: Scalar::I1,
            bits,
        } => vec![if bits & 1 == 1 { 0xff } else { 0 }],
        DenseElements::Splat { scalar: _, bits } => bits.to_le_bytes()[..width].to_vec(),
        DenseElements::Each {
            scalar: Scalar::I1,
            bits,
        } => bits
            .chunks(8)
            .map(|chunk| {
                let bit = |(bits, bit_index): (&u64, u32)| ((bits & 1) as u8) << bit_index;
                chunk.iter().zip(0..).map(bit).sum()
            })
            .collect(),
        DenseElements::Each { scalar: _, bits } => bits
            .iter()
            .flat_map(|bits| bits.to_le_bytes().into_iter().take(width))
            .collect(),
    }
}

/// The constant section, decoded on demand.
pub(super) struct ConstantTable<'a> {
    entries: Vec<Cursor<'a>>,
    /// The data of an entry in the type of its first use.
    first: Vec<Option<(Type, Arc<DenseElements>)>>,
    /// The data of entries in other types.
    others: FxHashMap<(usize, Type), Arc<DenseElements>>,
    /// The number of elements that may still be decoded.
    budget: usize,
}

impl<'a> ConstantTable<'a> {
    /// Makes a table that decodes at most `budget` elements.
    pub(super) fn new(entries: Vec<Cursor<'a>>, budget: usize) -> Self {
        Self {
            first: vec![None; entries.len()],
            entries,
            others: FxHashMap::default(),
            budget,
        }
    }

    /// Returns the constant of type `ty` whose index is read from `cursor`.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, ty: Type) -> Result<Arc<DenseElements>> {
        let start = cursor.offset();
        let index = cursor.size()?;
        match self.first.get(index) {
            Some(Some((first_type, data))) if *first_type == ty => return Ok(data.clone()),
            Some(None) => {
                let data = self.decode(index, ty, start)?;
                self.first[index] = Some((ty, data.clone()));
                return Ok(data);
            }
            Some(Some(_)) => {}
            None => {
                let count = self.entries.len();
                return Err(BoxedError::at(
                    start,
                    format!("expected the index of one of {count} constants, found {index}"),
                ));
            }
        }
        if let Some(data) = self.others.get(&(index, ty)) {
            return Ok(data.clone());
        }
        let data = self.decode(index, ty, start)?;
        self.others.insert((index, ty), data.clone());
        Ok(data)
    }

    fn decode(&mut self, index: usize, ty: Type, start: usize) -> Result<Arc<DenseElements>> {
        let fail = |message: String| Err(BoxedError::at(start, message));
        let number_tile = ty.as_number_tile();
        let Some((scalar, shape)) = number_tile.filter(|&(scalar, _)| scalar != Scalar::I4) else {
            return fail(format!(
                "expected a tile of numbers that have constant data, found `{ty}`"
            ));
        };
        let mut entry = self.entries[index].clone();
        let len = entry.count(1)?;
        let bytes = entry.take(len)?;
        let count = usize::try_from(shape.iter().product::<i64>()).unwrap_or(usize::MAX);
        if len > storage_bytes(scalar) || scalar == Scalar::I1 && count <= 8 {
            match self.budget.checked_sub(count) {
                Some(rest) => self.budget = rest,
                None => {
                    return fail(
                        "constant data expands to more elements than a file of this size may hold"
                            .to_owned(),
                    );
                }
            }
        }
        match read_elements(scalar, count, bytes) {
            Some(data) => Ok(Arc::new(data)),
            None => fail(format!(
                "expected the data of a `{ty}`, found {len} bytes, which are neither {count} elements nor one"
            )),
        }
    }
}

/// Reads `count` numbers of type `scalar`, or one number for all of them, from `bytes`.
///
/// This crate packs truth values; other producers write one byte for each. The number of bytes
/// tells the two encodings apart.
fn read_elements(scalar: Scalar, count: usize, bytes: &[u8]) -> Option<DenseElements> {
    if scalar == Scalar::I1 {
        let packed = count.div_ceil(8);
        let bits = if bytes.len() == packed {
            let bit = |bit_index: usize| u64::from(bytes[bit_index / 8] >> (bit_index % 8) & 1);
            (0..count).map(bit).collect()
        } else if let &[byte] = bytes {
            let bits = u64::from(byte & 1);
            return Some(DenseElements::Splat { scalar, bits });
        } else if bytes.len() == count {
            bytes.iter().map(|&byte| u64::from(byte != 0)).collect()
        } else {
            return None;
        };
        return Some(DenseElements::from_bits(scalar, bits));
    }
    let width = storage_bytes(scalar);
    let mask = u64::MAX >> (64 - scalar.bits());
    let number = |chunk: &[u8]| {
        let mut bytes_read = [0; 8];
        bytes_read[..width].copy_from_slice(chunk);
        u64::from_le_bytes(bytes_read) & mask
    };
    if bytes.len() == width {
        let bits = number(bytes);
        return Some(DenseElements::Splat { scalar, bits });
    }
    if count.checked_mul(width) != Some(bytes.len()) {
        return None;
    }
    let bits = bytes.chunks_exact(width).map(number).collect();
    Some(DenseElements::from_bits(scalar, bits))
}
