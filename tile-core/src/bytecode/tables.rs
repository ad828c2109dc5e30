//! Sections, offset tables, and the encoding of types and constant data.

use super::BytecodeError;
use super::varint::{Cursor, Encoder};
use crate::ir::DenseElements;
use crate::ops::Version;
use crate::types::{
    Element, FunctionType, GatherScatterViewType, PaddingValue, PartitionViewType, Scalar,
    StridedViewType, TensorViewType, TileType, Type, TypeKind,
};

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

    /// The alignment of the payload in the file; 1 means that none is recorded.
    pub(super) fn alignment(self) -> usize {
        match self {
            Section::String | Section::Type => 4,
            Section::Func | Section::Constant | Section::Debug => 8,
            Section::Global | Section::Producer => 1,
        }
    }

    /// Bytes of one entry of the offset table.
    pub(super) fn offset_bytes(self) -> usize {
        match self {
            Section::Constant => 8,
            _ => 4,
        }
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
        out.pad(0, alignment);
    }
    out.bytes.extend_from_slice(payload);
}

/// The payload of a section that is an offset table with its data.
pub(super) fn write_table<B: AsRef<[u8]>>(section: Section, entries: &[B]) -> Vec<u8> {
    let mut out = Encoder::default();
    out.count(entries.len());
    if entries.is_empty() {
        return out.bytes;
    }
    let width = section.offset_bytes();
    out.pad(0, width);
    let mut offset = 0_u64;
    for entry in entries {
        out.bytes.extend_from_slice(&offset.to_le_bytes()[..width]);
        offset += entry.as_ref().len() as u64;
    }
    for entry in entries {
        out.bytes.extend_from_slice(entry.as_ref());
    }
    out.bytes
}

/// The entries of an offset table.
pub(super) fn read_table(
    section: Section,
    mut cursor: Cursor<'_>,
) -> Result<Vec<Cursor<'_>>, BytecodeError> {
    let width = section.offset_bytes();
    let count = cursor.count(width)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    cursor.skip_padding(width)?;
    let mut starts = Vec::with_capacity(count);
    let table = cursor.offset();
    for _ in 0..count {
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(cursor.take(width)?);
        starts.push(usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX));
    }
    let mut entries = Vec::with_capacity(count);
    let data = cursor.remaining();
    let mut ends = starts[1..].iter().copied().chain([data]);
    let mut at = 0;
    for &start in &starts {
        let end = ends.next().expect("one end per start");
        if start != at || end < start || end > data {
            return Err(BytecodeError::at(table, "offset table is not in order"));
        }
        entries.push(cursor.sub(end - start)?);
        at = end;
    }
    Ok(entries)
}

/// The tag of a number type and the version that introduced it.
fn scalar_tag(scalar: Scalar) -> (u8, Version) {
    match scalar {
        Scalar::I1 => (0, Version::V13_1),
        Scalar::I8 => (1, Version::V13_1),
        Scalar::I16 => (2, Version::V13_1),
        Scalar::I32 => (3, Version::V13_1),
        Scalar::I64 => (4, Version::V13_1),
        Scalar::F16 => (5, Version::V13_1),
        Scalar::BF16 => (6, Version::V13_1),
        Scalar::F32 => (7, Version::V13_1),
        Scalar::TF32 => (8, Version::V13_1),
        Scalar::F64 => (9, Version::V13_1),
        Scalar::F8E4M3FN => (10, Version::V13_1),
        Scalar::F8E5M2 => (11, Version::V13_1),
        Scalar::F8E8M0FNU => (18, Version::V13_2),
        Scalar::F4E2M1FN => (19, Version::V13_3),
        Scalar::I4 => (22, Version::V13_3),
    }
}

const PTR: u8 = 12;
const TILE: u8 = 13;
const TENSOR_VIEW: u8 = 14;
const PARTITION_VIEW: u8 = 15;
const FUNCTION: u8 = 16;
const TOKEN: u8 = 17;
const GATHER_SCATTER_VIEW: u8 = 20;
const STRIDED_VIEW: u8 = 21;

/// The marker of an extent or stride that is known only at run time.
const DYNAMIC: i64 = i64::MIN;

/// Appends one entry of the type section; `index_of` gives the index of a type
/// that it refers to.
pub(super) fn write_type(
    ty: Type,
    version: Version,
    mut index_of: impl FnMut(Type) -> Result<u64, BytecodeError>,
) -> Result<Vec<u8>, BytecodeError> {
    let mut out = Encoder::default();
    let scalar = |scalar| Type::new(TypeKind::Scalar(scalar));
    match ty.kind() {
        TypeKind::Scalar(number) => {
            let (tag, since) = scalar_tag(*number);
            if since > version {
                return Err(BytecodeError::unwritable(format!(
                    "type `{number}` requires bytecode version {since}, but targeting {version}"
                )));
            }
            out.byte(tag);
        }
        TypeKind::Ptr(pointee) => {
            out.byte(PTR);
            if version >= Version::V13_4 {
                out.varint(0);
            }
            out.varint(index_of(scalar(*pointee))?);
        }
        TypeKind::Tile(TileType { element, shape }) => {
            out.byte(TILE);
            out.varint(index_of(match *element {
                Element::Scalar(number) => scalar(number),
                Element::Ptr(pointee) => Type::new(TypeKind::Ptr(pointee)),
            })?);
            out.i64_array(shape.iter().copied());
        }
        TypeKind::TensorView(TensorViewType {
            element,
            shape,
            strides,
        }) => {
            out.byte(TENSOR_VIEW);
            if version >= Version::V13_4 {
                out.varint(0);
            }
            out.varint(index_of(scalar(*element))?);
            out.i64_array(shape.iter().map(|dim| dim.unwrap_or(DYNAMIC)));
            out.i64_array(strides.iter().map(|stride| stride.unwrap_or(DYNAMIC)));
        }
        TypeKind::PartitionView(PartitionViewType {
            tile,
            padding,
            tensor_view,
            dim_map,
        }) => {
            let view = index_of(Type::new(TypeKind::TensorView(tensor_view.clone())))?;
            out.byte(PARTITION_VIEW);
            let unified = version >= Version::V13_3;
            if unified {
                out.varint(u64::from(padding.is_some()));
            }
            out.i32_array(tile);
            out.varint(view);
            out.i32_array(dim_map);
            if !unified {
                out.byte(u8::from(padding.is_some()));
            }
            if let Some(padding) = padding {
                out.varint(*padding as u64);
            }
        }
        TypeKind::Function(FunctionType { inputs, results }) => {
            out.byte(FUNCTION);
            for list in [inputs, results] {
                out.count(list.len());
                for &ty in list {
                    out.varint(index_of(ty)?);
                }
            }
        }
        TypeKind::StridedView(StridedViewType {
            tile,
            traversal_strides,
            padding,
            tensor_view,
            dim_map,
        }) => {
            since(Version::V13_3, "strided_view", version)?;
            let view = index_of(Type::new(TypeKind::TensorView(tensor_view.clone())))?;
            out.byte(STRIDED_VIEW);
            out.varint(u64::from(padding.is_some()));
            out.i32_array(tile);
            out.i32_array(traversal_strides);
            out.varint(view);
            out.i32_array(dim_map);
            if let Some(padding) = padding {
                out.varint(*padding as u64);
            }
        }
        TypeKind::GatherScatterView(GatherScatterViewType {
            tile,
            padding,
            tensor_view,
            sparse_dim,
        }) => {
            since(Version::V13_3, "gather_scatter_view", version)?;
            let view = index_of(Type::new(TypeKind::TensorView(tensor_view.clone())))?;
            out.byte(GATHER_SCATTER_VIEW);
            out.varint(u64::from(padding.is_some()));
            out.i32_array(tile);
            out.varint(view);
            out.varint(u64::from(*sparse_dim));
            if let Some(padding) = padding {
                out.varint(*padding as u64);
            }
        }
        TypeKind::Token => out.byte(TOKEN),
        TypeKind::Foreign(text) => {
            return Err(BytecodeError::unwritable(format!(
                "type `{text}` of another dialect cannot be written"
            )));
        }
        TypeKind::Error => {
            return Err(BytecodeError::unwritable("a faulty type cannot be written"));
        }
    }
    Ok(out.bytes)
}

fn since(since: Version, what: &str, version: Version) -> Result<(), BytecodeError> {
    if since <= version {
        return Ok(());
    }
    Err(BytecodeError::unwritable(format!(
        "type `{what}` requires bytecode version {since}, but targeting {version}"
    )))
}

/// Types nest no deeper than function, view, tensor view, number.
const MAX_TYPE_DEPTH: usize = 5;

/// The type section, resolved on demand.
pub(super) struct TypeTable<'a> {
    entries: Vec<Cursor<'a>>,
    known: Vec<Option<Type>>,
    version: Version,
}

impl<'a> TypeTable<'a> {
    pub(super) fn new(entries: Vec<Cursor<'a>>, version: Version) -> Self {
        let known = vec![None; entries.len()];
        Self {
            entries,
            known,
            version,
        }
    }

    /// The type whose index is read from `cursor`.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<Type, BytecodeError> {
        self.read_nested(cursor, 0)
    }

    fn read_nested(
        &mut self,
        cursor: &mut Cursor<'_>,
        depth: usize,
    ) -> Result<Type, BytecodeError> {
        let start = cursor.offset();
        let index = usize::try_from(cursor.varint()?).unwrap_or(usize::MAX);
        match self.known.get(index) {
            Some(Some(ty)) => return Ok(*ty),
            Some(None) => {}
            None => {
                return Err(BytecodeError::at(
                    start,
                    format!("type {index} is not in the table"),
                ));
            }
        }
        if depth == MAX_TYPE_DEPTH {
            return Err(BytecodeError::at(start, "types are nested too deeply"));
        }
        let mut entry = self.entries[index].clone();
        let ty = self.decode(&mut entry, depth + 1)?;
        if !entry.is_empty() {
            return entry.error("expected the end of the type");
        }
        self.known[index] = Some(ty);
        Ok(ty)
    }

    fn scalar(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Scalar, BytecodeError> {
        let start = cursor.offset();
        match self.read_nested(cursor, depth)?.kind() {
            TypeKind::Scalar(scalar) => Ok(*scalar),
            other => Err(BytecodeError::at(
                start,
                format!(
                    "expected a number type, found `{}`",
                    Type::new(other.clone())
                ),
            )),
        }
    }

    fn decode(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Type, BytecodeError> {
        let start = cursor.offset();
        let fail = |message: String| Err(BytecodeError::at(start, message));
        let tag = cursor.varint()?;
        if let Some(scalar) = Scalar::ALL
            .into_iter()
            .find(|&scalar| u64::from(scalar_tag(scalar).0) == tag)
        {
            let (_, since) = scalar_tag(scalar);
            if since > self.version {
                return fail(format!(
                    "type `{scalar}` requires bytecode version {since}, file version is {}",
                    self.version
                ));
            }
            return Ok(Type::new(TypeKind::Scalar(scalar)));
        }
        let kind = match u8::try_from(tag) {
            Ok(PTR) => {
                self.no_pointer_attribute(cursor)?;
                TypeKind::Ptr(self.scalar(cursor, depth)?)
            }
            Ok(TILE) => {
                let element = match self.read_nested(cursor, depth)?.kind() {
                    TypeKind::Scalar(scalar) => Element::Scalar(*scalar),
                    TypeKind::Ptr(pointee) => Element::Ptr(*pointee),
                    other => {
                        return fail(format!(
                            "expected a number or pointer type, found `{}`",
                            Type::new(other.clone())
                        ));
                    }
                };
                let shape = cursor.i64_array()?;
                let tile = TileType { element, shape };
                if let Some(fault) = tile.fault() {
                    return fail(fault);
                }
                TypeKind::Tile(tile)
            }
            Ok(TENSOR_VIEW) => {
                self.no_pointer_attribute(cursor)?;
                let element = self.scalar(cursor, depth)?;
                let entries = |list: Vec<i64>| {
                    list.into_iter()
                        .map(|entry| (entry != DYNAMIC).then_some(entry))
                        .collect()
                };
                let view = TensorViewType {
                    element,
                    shape: entries(cursor.i64_array()?),
                    strides: entries(cursor.i64_array()?),
                };
                if let Some(fault) = view.fault() {
                    return fail(fault);
                }
                TypeKind::TensorView(view)
            }
            Ok(PARTITION_VIEW) => {
                let unified = self.version >= Version::V13_3;
                let mut padded = if unified { cursor.varint()? } else { 0 };
                let tile = cursor.i32_array()?;
                let tensor_view = self.tensor_view(cursor, depth)?;
                let dim_map = cursor.i32_array()?;
                if !unified {
                    padded = u64::from(cursor.byte()?);
                }
                let view = PartitionViewType {
                    tile,
                    padding: padding(cursor, padded)?,
                    tensor_view,
                    dim_map,
                };
                if let Some(fault) = view.fault() {
                    return fail(fault);
                }
                TypeKind::PartitionView(view)
            }
            Ok(STRIDED_VIEW) if self.version >= Version::V13_3 => {
                let padded = cursor.varint()?;
                let view = StridedViewType {
                    tile: cursor.i32_array()?,
                    traversal_strides: cursor.i32_array()?,
                    tensor_view: self.tensor_view(cursor, depth)?,
                    dim_map: cursor.i32_array()?,
                    padding: padding(cursor, padded)?,
                };
                if let Some(fault) = view.fault() {
                    return fail(fault);
                }
                TypeKind::StridedView(view)
            }
            Ok(GATHER_SCATTER_VIEW) if self.version >= Version::V13_3 => {
                let padded = cursor.varint()?;
                let tile = cursor.i32_array()?;
                let tensor_view = self.tensor_view(cursor, depth)?;
                let Ok(sparse_dim) = u32::try_from(cursor.varint()?) else {
                    return fail("`sparse_dim` does not fit 32 bits".to_owned());
                };
                let view = GatherScatterViewType {
                    tile,
                    padding: padding(cursor, padded)?,
                    tensor_view,
                    sparse_dim,
                };
                if let Some(fault) = view.fault() {
                    return fail(fault);
                }
                TypeKind::GatherScatterView(view)
            }
            Ok(tag @ (STRIDED_VIEW | GATHER_SCATTER_VIEW)) => {
                let name = if tag == STRIDED_VIEW {
                    "strided_view"
                } else {
                    "gather_scatter_view"
                };
                return fail(format!(
                    "type `{name}` requires bytecode version {}, file version is {}",
                    Version::V13_3,
                    self.version
                ));
            }
            Ok(FUNCTION) => {
                let mut lists = [Vec::new(), Vec::new()];
                for list in &mut lists {
                    let count = cursor.count(1)?;
                    for _ in 0..count {
                        list.push(self.read_nested(cursor, depth)?);
                    }
                }
                let [inputs, results] = lists;
                TypeKind::Function(FunctionType { inputs, results })
            }
            Ok(TOKEN) => TypeKind::Token,
            _ => return fail(format!("type tag {tag} is not known")),
        };
        Ok(Type::new(kind))
    }

    fn tensor_view(
        &mut self,
        cursor: &mut Cursor<'_>,
        depth: usize,
    ) -> Result<TensorViewType, BytecodeError> {
        let start = cursor.offset();
        match self.read_nested(cursor, depth)?.kind() {
            TypeKind::TensorView(view) => Ok(view.clone()),
            other => Err(BytecodeError::at(
                start,
                format!(
                    "expected a tensor view, found `{}`",
                    Type::new(other.clone())
                ),
            )),
        }
    }

    fn no_pointer_attribute(&self, cursor: &mut Cursor<'_>) -> Result<(), BytecodeError> {
        if self.version >= Version::V13_4 && cursor.varint()? != 0 {
            return cursor.error("pointer attributes are not known");
        }
        Ok(())
    }
}

/// The padding value of a view, if `flags` say that there is one.
fn padding(cursor: &mut Cursor<'_>, flags: u64) -> Result<Option<PaddingValue>, BytecodeError> {
    match flags {
        0 => Ok(None),
        1 => {
            let start = cursor.offset();
            let number = cursor.varint()?;
            let padding = usize::try_from(number)
                .ok()
                .and_then(|number| PaddingValue::ALL.get(number));
            match padding {
                Some(&padding) => Ok(Some(padding)),
                None => Err(BytecodeError::at(
                    start,
                    format!("padding value {number} is not known"),
                )),
            }
        }
        other => cursor.error(format!("flags {other:#x} of a view are not known")),
    }
}

/// Bytes of one number in constant data.
fn storage_bytes(scalar: Scalar) -> usize {
    (scalar.bits() as usize).div_ceil(8)
}

/// The bytes of constant data. Truth values are packed, eight to a byte.
pub(super) fn constant_payload(data: &DenseElements) -> Vec<u8> {
    let width = storage_bytes(data.scalar());
    match data {
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
                let bit = |(bits, at): (&u64, u32)| ((bits & 1) as u8) << at;
                chunk.iter().zip(0..).map(bit).sum()
            })
            .collect(),
        DenseElements::Each { scalar: _, bits } => bits
            .iter()
            .flat_map(|bits| bits.to_le_bytes().into_iter().take(width))
            .collect(),
    }
}

/// `count` numbers of type `scalar`, or one for all of them, from `bytes`.
pub(super) fn read_constant(scalar: Scalar, count: usize, bytes: &[u8]) -> Option<DenseElements> {
    let width = storage_bytes(scalar);
    if scalar == Scalar::I1 {
        if bytes.len() == 1 && count > 8 {
            let bits = u64::from(bytes[0] != 0);
            return Some(DenseElements::Splat { scalar, bits });
        }
        let bits = if bytes.len() == count.div_ceil(8) {
            if count == 1 {
                vec![u64::from(bytes[0] != 0)]
            } else {
                let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
                (0..count).map(bit).collect()
            }
        } else if bytes.len() == count {
            bytes.iter().map(|&byte| u64::from(byte != 0)).collect()
        } else {
            return None;
        };
        return Some(DenseElements::from_bits(scalar, bits));
    }
    let mask = if scalar.bits() == 64 {
        u64::MAX
    } else {
        (1 << scalar.bits()) - 1
    };
    let number = |chunk: &[u8]| {
        let mut all = [0; 8];
        all[..width].copy_from_slice(chunk);
        u64::from_le_bytes(all) & mask
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
