//! Computes the memory that a copy moves from its coordinates (PTX ISA, "Tensors").

use smallvec::SmallVec;

use super::im2col::Wide;
use super::swizzle::{ALIGNMENT, atom};
use super::{Extent, Im2colStart, Interleave, MAX_AXES, TensorMap, TensorType};

/// Contiguous bytes of a copy: at most 16, within one atom of the swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The address in global memory; `None` outside the tensor, where loads fill and stores do
    /// nothing.
    pub(crate) global: Option<u64>,
    /// The address in shared memory.
    pub(crate) shared: u64,
    pub(crate) bytes: u32,
}

/// The coordinates of an instruction, innermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'a> {
    /// `.tile`.
    Tile(&'a [i32]),
    /// `.tile::gather4`, `.tile::scatter4`: the column, and four rows.
    Rows([i32; 5]),
    /// `.im2col`, `.im2col_no_offs`.
    Im2col(Im2colStart<'a>),
    /// `.im2col::w`, `.im2col::w::128`: coordinates, halo, offset.
    Im2colWide {
        coordinates: &'a [i32],
        halo: u16,
        offset: u16,
        w128: bool,
    },
}

/// A mismatch between an instruction and its tensor map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(
        "the instruction has {found} coordinates, but the tensor map has {expected} dimensions"
    )]
    Rank { expected: usize, found: usize },
    #[error("the tensor map is for {expected}, the instruction is `.{found}`")]
    Mode {
        expected: &'static str,
        found: &'static str,
    },
    #[error("the shared address {address:#x} of a box must be a multiple of {alignment}")]
    Alignment { address: u64, alignment: u64 },
    #[error("coordinate {found} along the first axis must be a multiple of {multiple}")]
    Packed { multiple: u32, found: i32 },
    #[error("the box of a gather or scatter has {found} rows; boxDim[1] must be 1")]
    Rows { found: u32 },
    #[error("coordinate {found} along axis {axis} is outside of the box of pixels, {min} to {max}")]
    Corner {
        axis: usize,
        found: i64,
        min: i64,
        max: i64,
    },
    #[error("im2col offset {found} along axis {axis} is above {max}")]
    Offset { axis: usize, found: u16, max: u16 },
    #[error("{0}")]
    Unsupported(&'static str),
}

/// The coordinates of the first element of a row.
pub(super) type Row = [i64; MAX_AXES];

impl TensorMap {
    fn mode(&self) -> &'static str {
        match self.extent {
            Extent::Tile(_) => "tiles",
            Extent::Im2col(_) => "im2col",
            Extent::Im2colWide { w128: false, .. } => "im2col::w",
            Extent::Im2colWide { w128: true, .. } => "im2col::w::128",
        }
    }

    fn mismatch<T>(&self, found: &'static str) -> Result<T, CopyError> {
        Err(CopyError::Mode {
            expected: self.mode(),
            found,
        })
    }

    pub(super) fn coordinates(&self, coordinates: &[i32]) -> Result<Row, CopyError> {
        if coordinates.len() != self.rank {
            return Err(CopyError::Rank {
                expected: self.rank,
                found: coordinates.len(),
            });
        }
        let mut row = [0; MAX_AXES];
        for (to, &from) in row.iter_mut().zip(coordinates) {
            *to = i64::from(from);
        }
        Ok(row)
    }

    /// Returns the pieces of a copy, in the order of shared memory before the swizzle.
    pub(crate) fn pieces(&self, start: Start<'_>, shared: u64) -> Result<Vec<Piece>, CopyError> {
        let alignment = ALIGNMENT;
        if !shared.is_multiple_of(alignment) {
            return Err(CopyError::Alignment {
                address: shared,
                alignment,
            });
        }
        if self.options.interleave != Interleave::None {
            return Err(CopyError::Unsupported(
                "copies of interleaved tensors are not supported; their strides are not documented",
            ));
        }
        let (rows, elements) = match (start, self.extent) {
            (Start::Tile(coordinates), Extent::Tile(dims)) => (
                self.tile_rows(self.coordinates(coordinates)?, dims),
                dims[0],
            ),
            (Start::Rows([column, rows @ ..]), Extent::Tile(dims)) => {
                if self.rank != 2 {
                    return Err(CopyError::Rank {
                        expected: self.rank,
                        found: 2,
                    });
                }
                if dims[1] != 1 {
                    return Err(CopyError::Rows { found: dims[1] });
                }
                let column = i64::from(column);
                let rows = rows.map(|row| [column, i64::from(row), 0, 0, 0]);
                (rows.to_vec(), dims[0])
            }
            (Start::Im2col(start), Extent::Im2col(columns)) => {
                (self.im2col_rows(start, &columns)?, columns.channels)
            }
            (
                Start::Im2colWide {
                    coordinates,
                    halo,
                    offset,
                    w128,
                },
                Extent::Im2colWide {
                    columns,
                    w128: map_w128,
                },
            ) if w128 == map_w128 => {
                let wide = if w128 {
                    Wide {
                        pixels: 128,
                        part: 32,
                        halo,
                    }
                } else {
                    Wide {
                        pixels: columns.pixels,
                        part: columns.pixels,
                        halo,
                    }
                };
                let rows = self.im2col_wide_rows(coordinates, offset, &columns, wide)?;
                (rows, columns.channels)
            }
            (Start::Tile(_), _) => return self.mismatch("tile"),
            (Start::Rows(_), _) => return self.mismatch("tile::gather4"),
            (Start::Im2col(_), _) => return self.mismatch("im2col"),
            (Start::Im2colWide { w128: false, .. }, _) => return self.mismatch("im2col::w"),
            (Start::Im2colWide { w128: true, .. }, _) => return self.mismatch("im2col::w::128"),
        };
        // Packed types are copied in whole units, so that coordinates must be multiples.
        let multiple = self.data_type.unit().elements;
        if let Some(row) = rows.first()
            && row[0].rem_euclid(i64::from(multiple)) != 0
        {
            return Err(CopyError::Packed {
                multiple,
                found: i32::try_from(row[0]).expect("coordinates have 32 bits"),
            });
        }
        let mut pieces = Vec::new();
        let mut address = shared;
        for row in rows {
            self.row(row, elements, address, &mut pieces);
            address += self.row_bytes(elements);
        }
        Ok(pieces)
    }

    fn tile_rows(&self, start: Row, dims: [u32; MAX_AXES]) -> Vec<Row> {
        let mut rows = vec![start];
        for axis in (1..self.rank).rev() {
            let step = i64::from(self.step(axis));
            let steps = i64::from(self.steps(dims, axis));
            rows = rows
                .into_iter()
                .flat_map(|row| {
                    (0..steps).map(move |number| {
                        let mut row = row;
                        row[axis] += number * step;
                        row
                    })
                })
                .collect();
        }
        rows
    }

    /// Appends the pieces of a row of `elements`, which begins at `address` in shared memory.
    fn row(&self, row: Row, elements: u32, address: u64, pieces: &mut Vec<Piece>) {
        let unit = self.data_type.unit();
        let inside = (1..self.rank)
            .all(|axis| row[axis] >= 0 && row[axis].cast_unsigned() < self.dims[axis]);
        // In units: the coordinate of the first, the number of units, and the extent of the tensor.
        let first = row[0].div_euclid(i64::from(unit.elements));
        let count = i64::from(elements / unit.elements);
        let length = (self.dims[0] / u64::from(unit.elements)).cast_signed();
        let (low, high) = if inside {
            let low = (-first).clamp(0, count);
            (low, (length - first).clamp(low, count))
        } else {
            (0, 0)
        };
        // The coordinates are within the tensor: the part outside was cut off above.
        let base = (1..self.rank).fold(self.address, |base, axis| {
            let stride = self.strides[axis - 1];
            base.wrapping_add(stride.wrapping_mul(row[axis].cast_unsigned()))
        });
        let global = |number: i64| {
            let offset = (first + number) * i64::from(unit.global);
            base.wrapping_add_signed(offset)
        };
        let spans: SmallVec<[(i64, i64, bool); 3]> =
            [(0, low, false), (low, high, true), (high, count, false)]
                .into_iter()
                .filter(|(from, to, _)| from < to)
                .collect();
        for (from, to, inside) in spans {
            if unit.shared == unit.global {
                let offset = from.cast_unsigned() * u64::from(unit.shared);
                let bytes = (to - from).cast_unsigned() * u64::from(unit.shared);
                self.span(
                    inside.then(|| global(from)),
                    address + offset,
                    bytes,
                    pieces,
                );
                continue;
            }
            for number in from..to {
                let offset = number.cast_unsigned() * u64::from(unit.shared);
                let global = inside.then(|| global(number));
                self.span(global, address + offset, u64::from(unit.global), pieces);
            }
        }
    }

    /// Splits contiguous bytes at the atoms of the swizzle.
    fn span(
        &self,
        mut global: Option<u64>,
        mut shared: u64,
        mut bytes: u64,
        pieces: &mut Vec<Piece>,
    ) {
        let swizzle = self.options.swizzle;
        let atom = atom(swizzle);
        while bytes > 0 {
            let length = (atom - shared % atom).min(bytes);
            pieces.push(Piece {
                global,
                shared: swizzle.apply(shared),
                bytes: u32::try_from(length).expect("at most 16"),
            });
            global = global.map(|address| address.wrapping_add(length));
            shared += length;
            bytes -= length;
        }
    }

    /// Returns the repeated pattern that a load writes outside the tensor.
    pub(crate) fn fill(&self) -> &'static [u8] {
        if self.options.fill == super::Fill::Zero {
            return &[0];
        }
        match self.data_type.unit().global {
            2 => &[0xf7, 0x7f],
            4 => &[0xff, 0xff, 0xff, 0x7f],
            _ => &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        }
    }
}

impl TensorType {
    /// Converts elements as a load does.
    pub(crate) fn convert(self, bytes: &mut [u8]) {
        let convert: fn(u32) -> u32 = match self {
            Self::Float32Ftz => flushed,
            Self::TFloat32 => tf32,
            Self::TFloat32Ftz => |bits| tf32(flushed(bits)),
            _ => return,
        };
        for element in bytes.chunks_exact_mut(4) {
            let bits = u32::from_le_bytes([element[0], element[1], element[2], element[3]]);
            element.copy_from_slice(&convert(bits).to_le_bytes());
        }
    }
}

/// Flushes denormals to zeros of the same sign.
fn flushed(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

/// Rounds to `tf32`, ties away from zero (`cvt.rna.tf32.f32`).
fn tf32(bits: u32) -> u32 {
    let exponent = bits & 0x7f80_0000;
    if exponent == 0x7f80_0000 {
        // Infinity is unchanged, and NaN must not become infinity.
        return if bits << 9 == 0 { bits } else { 0x7fff_ffff };
    }
    (bits + 0x1000) & !0x1fff
}
