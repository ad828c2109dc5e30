//! The type section.

use super::BoxedError;
use super::limits::MAX_RANK;
use super::sections::TableWriter;
use super::varint::{Cursor, Encoder, Result};
use crate::ops::Version;
use crate::types::{
    Element, FunctionType, GatherScatterViewType, PaddingValue, PartitionViewType, Scalar,
    StridedViewType, TensorViewType, TileType, Type, TypeKind,
};
use rustc_hash::FxHashMap;

/// Returns the tag of a number type and the version that introduced it.
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

const PTR: u64 = 12;
const TILE: u64 = 13;
const TENSOR_VIEW: u64 = 14;
const PARTITION_VIEW: u64 = 15;
const FUNCTION: u64 = 16;
const TOKEN: u64 = 17;
const GATHER_SCATTER_VIEW: u64 = 20;
const STRIDED_VIEW: u64 = 21;
/// The tag of `fnv8E5M3FNU` of 13.4, which is not in the public dialect.
const FNV8: u64 = 130;

/// The marker of an extent or stride that is known only at run time.
const DYNAMIC: i64 = i64::MIN;

/// The maximum nesting depth of types: a signature, a view, a tensor view and a number. A signature
/// with a tile of pointers is equally deep.
const MAX_DEPTH: usize = 4;

/// The type section under construction.
pub(super) struct TypeWriter {
    version: Version,
    indices: FxHashMap<Type, u64>,
    pub(super) table: TableWriter,
}

impl TypeWriter {
    pub(super) fn new(version: Version) -> Self {
        Self {
            version,
            indices: FxHashMap::default(),
            table: TableWriter::default(),
        }
    }

    /// Returns the index of a type, after adding the types that it refers to.
    pub(super) fn index(&mut self, ty: Type) -> Result<u64> {
        if let Some(&index) = self.indices.get(&ty) {
            return Ok(index);
        }
        let mut entry = Encoder::default();
        self.encode(ty, &mut entry)?;
        let index = self.table.len() as u64;
        self.table.start();
        self.table.data.bytes.extend_from_slice(&entry.bytes);
        self.indices.insert(ty, index);
        Ok(index)
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> Result<u64> {
        self.index(Type::new(TypeKind::Scalar(scalar)))
    }

    fn encode(&mut self, ty: Type, out: &mut Encoder) -> Result<()> {
        match ty.kind() {
            TypeKind::Scalar(number) => {
                let (tag, since) = scalar_tag(*number);
                self.check(since, number.name())?;
                out.byte(tag);
            }
            TypeKind::Ptr(pointee) => {
                out.varint(PTR);
                self.no_pointer_attribute(out);
                out.varint(self.scalar(*pointee)?);
            }
            TypeKind::Tile(TileType { element, shape }) => {
                out.varint(TILE);
                out.varint(match *element {
                    Element::Scalar(number) => self.scalar(number)?,
                    Element::Ptr(pointee) => self.index(Type::new(TypeKind::Ptr(pointee)))?,
                });
                Self::axes(shape.len())?;
                out.i64_array(shape.iter().copied());
            }
            TypeKind::TensorView(TensorViewType {
                element,
                shape,
                strides,
            }) => {
                out.varint(TENSOR_VIEW);
                self.no_pointer_attribute(out);
                out.varint(self.scalar(*element)?);
                for list in [shape, strides] {
                    Self::axes(list.len())?;
                    out.i64_array(list.iter().map(|entry| entry.unwrap_or(DYNAMIC)));
                }
            }
            TypeKind::PartitionView(PartitionViewType {
                tile,
                padding,
                tensor_view,
                dim_map,
            }) => {
                out.varint(PARTITION_VIEW);
                let unified = self.version >= Version::V13_3;
                if unified {
                    out.varint(u64::from(padding.is_some()));
                }
                Self::axes(tile.len().max(dim_map.len()))?;
                out.i32_array(tile);
                out.varint(self.tensor_view(tensor_view)?);
                out.i32_array(dim_map);
                if !unified {
                    out.byte(u8::from(padding.is_some()));
                }
                write_padding(out, *padding);
            }
            TypeKind::StridedView(StridedViewType {
                tile,
                traversal_strides,
                padding,
                tensor_view,
                dim_map,
            }) => {
                self.check(Version::V13_3, "strided_view")?;
                out.varint(STRIDED_VIEW);
                out.varint(u64::from(padding.is_some()));
                Self::axes(tile.len().max(dim_map.len()).max(traversal_strides.len()))?;
                out.i32_array(tile);
                out.i32_array(traversal_strides);
                out.varint(self.tensor_view(tensor_view)?);
                out.i32_array(dim_map);
                write_padding(out, *padding);
            }
            TypeKind::GatherScatterView(GatherScatterViewType {
                tile,
                padding,
                tensor_view,
                sparse_dim,
            }) => {
                self.check(Version::V13_3, "gather_scatter_view")?;
                out.varint(GATHER_SCATTER_VIEW);
                out.varint(u64::from(padding.is_some()));
                Self::axes(tile.len())?;
                out.i32_array(tile);
                out.varint(self.tensor_view(tensor_view)?);
                out.varint(u64::from(*sparse_dim));
                write_padding(out, *padding);
            }
            TypeKind::Function(FunctionType { inputs, results }) => {
                out.varint(FUNCTION);
                for list in [inputs, results] {
                    out.count(list.len());
                    for &ty in list {
                        if matches!(ty.kind(), TypeKind::Function(_)) {
                            return Err(BoxedError::unwritable(format!(
                                "expected the types of values in a signature, found the signature `{ty}`"
                            )));
                        }
                        out.varint(self.index(ty)?);
                    }
                }
            }
            TypeKind::Token => out.varint(TOKEN),
            TypeKind::Foreign(text) => {
                return Err(BoxedError::unwritable(format!(
                    "expected a type of `cuda_tile`, found `{text}`, which bytecode cannot hold"
                )));
            }
            TypeKind::Error => {
                return Err(BoxedError::unwritable(
                    "expected a type, found one that was already reported as wrong",
                ));
            }
        }
        Ok(())
    }

    fn tensor_view(&mut self, view: &TensorViewType) -> Result<u64> {
        self.index(Type::new(TypeKind::TensorView(view.clone())))
    }

    fn axes(rank: usize) -> Result<()> {
        if rank <= MAX_RANK {
            return Ok(());
        }
        Err(BoxedError::unwritable(format!(
            "expected a type of at most {MAX_RANK} axes, found {rank}"
        )))
    }

    fn no_pointer_attribute(&self, out: &mut Encoder) {
        if self.version >= Version::V13_4 {
            out.varint(0);
        }
    }

    fn check(&self, since: Version, name: &str) -> Result<()> {
        let version = self.version;
        if since <= version {
            return Ok(());
        }
        Err(BoxedError::unwritable(format!(
            "type `{name}` requires bytecode version {since}+, but targeting {version}"
        )))
    }
}

fn write_padding(out: &mut Encoder, padding: Option<PaddingValue>) {
    if let Some(padding) = padding {
        out.varint(padding as u64);
    }
}

/// The type section, resolved on demand.
pub(super) struct TypeTable<'a> {
    entries: Vec<Cursor<'a>>,
    known: Vec<Option<Type>>,
    /// The resolved types that a value may have, which are all types except signatures.
    of_values: Vec<Option<Type>>,
    version: Version,
}

impl<'a> TypeTable<'a> {
    pub(super) fn new(entries: Vec<Cursor<'a>>, version: Version) -> Self {
        let known = vec![None; entries.len()];
        Self {
            entries,
            of_values: known.clone(),
            known,
            version,
        }
    }

    /// Returns the type of a value; reads its index from `cursor`.
    #[inline]
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<Type> {
        let start = cursor.offset();
        let index = cursor.size()?;
        match self.of_values.get(index) {
            Some(Some(ty)) => Ok(*ty),
            _ => self.resolve_value(index, start),
        }
    }

    #[cold]
    fn resolve_value(&mut self, index: usize, start: usize) -> Result<Type> {
        let ty = self.resolve(index, start, 0)?;
        if matches!(ty.kind(), TypeKind::Function(_)) {
            return Err(BoxedError::at(
                start,
                "expected the type of a value, found a signature",
            ));
        }
        self.of_values[index] = Some(ty);
        Ok(ty)
    }

    /// Returns a signature; reads its index from `cursor`.
    pub(super) fn signature(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Type, &'static FunctionType)> {
        let start = cursor.offset();
        let index = cursor.size()?;
        let ty = self.resolve(index, start, 0)?;
        match ty.kind() {
            TypeKind::Function(function) => Ok((ty, function)),
            _ => Err(BoxedError::at(
                start,
                format!("expected a signature, found the type `{ty}`"),
            )),
        }
    }

    /// Returns the type at `index`, which is at the offset `start`.
    fn resolve(&mut self, index: usize, start: usize, depth: usize) -> Result<Type> {
        match self.known.get(index) {
            Some(Some(ty)) => return Ok(*ty),
            Some(None) => {}
            None => {
                let count = self.known.len();
                return Err(BoxedError::at(
                    start,
                    format!("expected the index of one of {count} types, found {index}"),
                ));
            }
        }
        if depth == MAX_DEPTH {
            return Err(BoxedError::at(
                start,
                format!("expected types to be nested at most {MAX_DEPTH} deep, found more"),
            ));
        }
        let mut entry = self.entries[index].clone();
        let ty = self.decode(&mut entry, depth + 1)?;
        if !entry.is_empty() {
            return entry.error("expected the end of the type, found more bytes");
        }
        self.known[index] = Some(ty);
        Ok(ty)
    }

    fn nested(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Type> {
        let start = cursor.offset();
        let index = cursor.size()?;
        self.resolve(index, start, depth)
    }

    fn decode(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Type> {
        let start = cursor.offset();
        let tag = cursor.varint()?;
        if let Some(scalar) = Scalar::ALL
            .into_iter()
            .find(|&scalar| u64::from(scalar_tag(scalar).0) == tag)
        {
            let (_, since) = scalar_tag(scalar);
            self.check(since, scalar.name(), start)?;
            return Ok(Type::new(TypeKind::Scalar(scalar)));
        }
        let (kind, error) = match tag {
            PTR => {
                self.no_pointer_attribute(cursor, "ptr")?;
                (TypeKind::Ptr(self.scalar(cursor, depth)?), None)
            }
            TILE => {
                let tile = self.tile(cursor, depth)?;
                let error = tile.invalid_reason();
                (TypeKind::Tile(tile), error)
            }
            TENSOR_VIEW => {
                self.no_pointer_attribute(cursor, "tensor_view")?;
                let entry = |entry: i64| (entry != DYNAMIC).then_some(entry);
                let view = TensorViewType {
                    element: self.scalar(cursor, depth)?,
                    shape: i64_axes(cursor)?.into_iter().map(entry).collect(),
                    strides: i64_axes(cursor)?.into_iter().map(entry).collect(),
                };
                let error = view.invalid_reason();
                (TypeKind::TensorView(view), error)
            }
            PARTITION_VIEW => {
                let unified = self.version >= Version::V13_3;
                let mut flags = if unified { cursor.varint()? } else { 0 };
                let tile = i32_axes(cursor)?;
                let tensor_view = self.tensor_view(cursor, depth)?;
                let dim_map = i32_axes(cursor)?;
                if !unified {
                    flags = u64::from(cursor.byte()?);
                }
                let view = PartitionViewType {
                    tile,
                    padding: read_padding(cursor, flags)?,
                    tensor_view,
                    dim_map,
                };
                let error = view.invalid_reason();
                (TypeKind::PartitionView(view), error)
            }
            STRIDED_VIEW => {
                self.check(Version::V13_3, "strided_view", start)?;
                let flags = cursor.varint()?;
                let view = StridedViewType {
                    tile: i32_axes(cursor)?,
                    traversal_strides: i32_axes(cursor)?,
                    tensor_view: self.tensor_view(cursor, depth)?,
                    dim_map: i32_axes(cursor)?,
                    padding: read_padding(cursor, flags)?,
                };
                let error = view.invalid_reason();
                (TypeKind::StridedView(view), error)
            }
            GATHER_SCATTER_VIEW => {
                self.check(Version::V13_3, "gather_scatter_view", start)?;
                let flags = cursor.varint()?;
                let tile = i32_axes(cursor)?;
                let tensor_view = self.tensor_view(cursor, depth)?;
                let place = cursor.offset();
                let dim = cursor.varint()?;
                let Ok(sparse_dim) = u32::try_from(dim) else {
                    return Err(BoxedError::at(
                        place,
                        format!("expected `sparse_dim` to fit 32 bits, found {dim}"),
                    ));
                };
                let view = GatherScatterViewType {
                    tile,
                    padding: read_padding(cursor, flags)?,
                    tensor_view,
                    sparse_dim,
                };
                let error = view.invalid_reason();
                (TypeKind::GatherScatterView(view), error)
            }
            FUNCTION => (TypeKind::Function(self.function(cursor, depth)?), None),
            TOKEN => (TypeKind::Token, None),
            FNV8 => {
                return Err(BoxedError::at(
                    start,
                    "type `fnv8E5M3FNU` is not supported: it is not in the public dialect",
                ));
            }
            _ => {
                return Err(BoxedError::at(
                    start,
                    format!("expected a type tag from 0 to 22, found {tag}"),
                ));
            }
        };
        match error {
            Some(error) => Err(BoxedError::at(start, error)),
            None => Ok(Type::new(kind)),
        }
    }

    fn tile(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<TileType> {
        let start = cursor.offset();
        let element = match *self.nested(cursor, depth)?.kind() {
            TypeKind::Scalar(scalar) => Element::Scalar(scalar),
            TypeKind::Ptr(pointee) => Element::Ptr(pointee),
            ref other => {
                return Err(unexpected(start, "a number or pointer type", other));
            }
        };
        let shape = i64_axes(cursor)?;
        Ok(TileType { element, shape })
    }

    fn function(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<FunctionType> {
        let mut lists = [Vec::new(), Vec::new()];
        for list in &mut lists {
            let count = cursor.count(1)?;
            list.reserve_exact(count);
            for _ in 0..count {
                let start = cursor.offset();
                let ty = self.nested(cursor, depth)?;
                if matches!(ty.kind(), TypeKind::Function(_)) {
                    return Err(unexpected(start, "the type of a value", ty.kind()));
                }
                list.push(ty);
            }
        }
        let [inputs, results] = lists;
        Ok(FunctionType { inputs, results })
    }

    fn scalar(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Scalar> {
        let start = cursor.offset();
        match self.nested(cursor, depth)?.kind() {
            TypeKind::Scalar(scalar) => Ok(*scalar),
            other => Err(unexpected(start, "a number type", other)),
        }
    }

    fn tensor_view(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<TensorViewType> {
        let start = cursor.offset();
        match self.nested(cursor, depth)?.kind() {
            TypeKind::TensorView(view) => Ok(view.clone()),
            other => Err(unexpected(start, "a tensor view", other)),
        }
    }

    fn no_pointer_attribute(&self, cursor: &mut Cursor<'_>, name: &str) -> Result<()> {
        let start = cursor.offset();
        if self.version >= Version::V13_4 && cursor.varint()? != 0 {
            return Err(BoxedError::at(
                start,
                format!(
                    "the pointer attribute of `{name}` is not supported: it is not in the public dialect"
                ),
            ));
        }
        Ok(())
    }

    fn check(&self, since: Version, name: &str, start: usize) -> Result<()> {
        let version = self.version;
        if since <= version {
            return Ok(());
        }
        Err(BoxedError::at(
            start,
            format!("type `{name}` requires bytecode version {since}+, file version is {version}"),
        ))
    }
}

#[cold]
fn unexpected(start: usize, expected: &str, actual: &TypeKind) -> BoxedError {
    let actual = match actual {
        // A signature may be too large to print.
        TypeKind::Function(_) => "a signature".to_owned(),
        other => format!("`{}`", Type::new(other.clone())),
    };
    BoxedError::at(start, format!("expected {expected}, found {actual}"))
}

fn i32_axes(cursor: &mut Cursor<'_>) -> Result<Vec<i32>> {
    let start = cursor.offset();
    let axes = cursor.i32_array()?;
    check_rank(axes.len(), start)?;
    Ok(axes)
}

fn i64_axes(cursor: &mut Cursor<'_>) -> Result<Vec<i64>> {
    let start = cursor.offset();
    let axes = cursor.i64_array()?;
    check_rank(axes.len(), start)?;
    Ok(axes)
}

fn check_rank(rank: usize, start: usize) -> Result<()> {
    if rank <= MAX_RANK {
        return Ok(());
    }
    Err(BoxedError::at(
        start,
        format!("expected at most {MAX_RANK} axes, found {rank}"),
    ))
}

/// Reads the padding value of a view, if `flags` indicates that there is one.
fn read_padding(cursor: &mut Cursor<'_>, flags: u64) -> Result<Option<PaddingValue>> {
    let start = cursor.offset();
    match flags {
        0 => Ok(None),
        1 => {
            let number = cursor.size()?;
            match PaddingValue::ALL.get(number) {
                Some(&padding) => Ok(Some(padding)),
                None => Err(BoxedError::at(
                    start,
                    format!("expected a padding value from 0 to 4, found {number}"),
                )),
            }
        }
        other => Err(BoxedError::at(
            start,
            format!("expected flags 0 or 1 of a view, found {other:#x}"),
        )),
    }
}
