//! Validation of tensor maps (CUDA Driver API, "Tensor Map Object Management").

use super::{Columns, Extent, Fill, Interleave, MAX_AXES, Swizzle, TensorMap, TensorType};

/// An invalid argument of a tensor map, named as in the CUDA Driver API.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorMapError {
    /// The number of dimensions is out of range.
    #[error("tensorRank is {found}; give {min} to 5 dimensions")]
    Rank {
        /// The minimum.
        min: usize,
        /// The given number.
        found: usize,
    },
    /// The length of an array does not match the number of dimensions.
    #[error("{what} has {found} elements; give {expected}")]
    Lengths {
        /// The name of the array.
        what: &'static str,
        /// The expected length.
        expected: usize,
        /// The given length.
        found: usize,
    },
    /// A number is out of range.
    #[error("{what} is {found}; it must be {range}")]
    Range {
        /// The name of the argument.
        what: String,
        /// The valid range.
        range: String,
        /// The given number.
        found: i128,
    },
    /// A number is not a multiple of the required one.
    #[error("{what} is {found}; it must be a multiple of {multiple}{why}")]
    Multiple {
        /// The name of the argument.
        what: String,
        /// The required factor.
        multiple: u64,
        /// The condition for the requirement.
        why: &'static str,
        /// The given number.
        found: u64,
    },
    /// The inner dimension of the box is larger than the swizzle span.
    #[error("a row of the box has {found} bytes; with this swizzle it may have {max}")]
    SwizzleSpan {
        /// The maximum in bytes.
        max: u64,
        /// The given size in bytes.
        found: u64,
    },
    /// Two arguments exclude each other.
    #[error("{0}")]
    Combination(&'static str),
    /// The bytes are not a tensor map.
    #[error("these bytes are not a tensor map; create one with `TensorMap` or `tensormap.replace`")]
    NotATensorMap,
}

type Checked = Result<(), TensorMapError>;

fn within(what: impl Into<String>, found: impl Into<i128>, min: i128, max: i128) -> Checked {
    let found = found.into();
    if (min..=max).contains(&found) {
        return Ok(());
    }
    Err(TensorMapError::Range {
        what: what.into(),
        range: format!("{min} to {max}"),
        found,
    })
}

fn multiple(what: impl Into<String>, found: u64, multiple: u64, why: &'static str) -> Checked {
    if found.is_multiple_of(multiple) {
        return Ok(());
    }
    Err(TensorMapError::Multiple {
        what: what.into(),
        multiple,
        why,
        found,
    })
}

/// Checks the lengths of the arrays.
pub(super) fn lengths(rank: usize, strides: usize, element_strides: usize) -> Checked {
    if rank == 0 || rank > MAX_AXES {
        return Err(TensorMapError::Rank {
            min: 1,
            found: rank,
        });
    }
    let arrays = [
        ("globalStrides", rank - 1, strides),
        ("elementStrides", rank, element_strides),
    ];
    for (what, expected, found) in arrays {
        if expected != found {
            return Err(TensorMapError::Lengths {
                what,
                expected,
                found,
            });
        }
    }
    Ok(())
}

/// Returns the number of bits of a signed corner offset, by the number of dimensions.
fn corner_bits(rank: usize) -> Result<u32, TensorMapError> {
    match rank {
        3 => Ok(16),
        4 => Ok(8),
        5 => Ok(5),
        found => Err(TensorMapError::Rank { min: 3, found }),
    }
}

/// Checks one offset of a pixel box corner.
pub(super) fn corner(what: &str, offset: i32, rank: usize) -> Result<i16, TensorMapError> {
    let bits = corner_bits(rank)?;
    let limit = 1i128 << (bits - 1);
    within(what, offset, -limit, limit - 1)?;
    Ok(i16::try_from(offset).expect("at most 16 bits"))
}

/// Checks the offsets of a pixel box corner.
pub(super) fn corners(
    what: &'static str,
    offsets: &[i32],
    rank: usize,
) -> Result<[i16; 3], TensorMapError> {
    corner_bits(rank)?;
    if offsets.len() != rank - 2 {
        return Err(TensorMapError::Lengths {
            what,
            expected: rank - 2,
            found: offsets.len(),
        });
    }
    let mut corners = [0; 3];
    for (axis, (corner, &offset)) in corners.iter_mut().zip(offsets).enumerate() {
        *corner = self::corner(&format!("{what}[{axis}]"), offset, rank)?;
    }
    Ok(corners)
}

impl TensorMap {
    /// Checks all rules except array lengths.
    pub(super) fn check(&self) -> Checked {
        let Self {
            data_type: _,
            rank,
            address: _,
            dims,
            strides: _,
            element_strides,
            extent,
            options,
        } = *self;
        if options.interleave != Interleave::None && rank < 3 {
            return Err(TensorMapError::Rank {
                min: 3,
                found: rank,
            });
        }
        self.check_alignment()?;
        for axis in 0..rank {
            within(format!("globalDim[{axis}]"), dims[axis], 1, 1 << 32)?;
            let name = format!("elementStrides[{axis}]");
            within(name, element_strides[axis], 1, 8)?;
        }
        self.check_type()?;
        match extent {
            Extent::Tile(box_dims) => {
                for (axis, &length) in box_dims[..rank].iter().enumerate() {
                    within(format!("boxDim[{axis}]"), length, 1, 256)?;
                }
                self.check_row("boxDim[0]", box_dims[0])
            }
            Extent::Im2col(columns) => self.check_columns(&columns, rank - 2),
            Extent::Im2colWide { columns, w128: _ } => {
                if options.interleave != Interleave::None {
                    return Err(TensorMapError::Combination(
                        "im2col::w has no interleaved layout; use `Interleave::None`",
                    ));
                }
                if matches!(
                    options.swizzle,
                    Swizzle::None | Swizzle::Bytes128Atom32Flip8
                ) {
                    return Err(TensorMapError::Combination(
                        "im2col::w requires a swizzle without flipped halves",
                    ));
                }
                self.check_columns(&columns, 1)
            }
        }
    }

    fn check_alignment(&self) -> Checked {
        let (alignment, why) = if self.options.interleave == Interleave::Bytes32 {
            (32, " where the interleave is of 32 bytes")
        } else if self.data_type.is_padded() {
            (32, " for packed types aligned to 16 bytes")
        } else {
            (16, "")
        };
        multiple("globalAddress", self.address, alignment, why)?;
        for (axis, &stride) in self.strides[..self.rank - 1].iter().enumerate() {
            let name = format!("globalStrides[{axis}]");
            within(name.clone(), stride, 0, (1 << 40) - 1)?;
            multiple(name, stride, alignment, why)?;
        }
        Ok(())
    }

    fn check_type(&self) -> Checked {
        let Self {
            data_type, options, ..
        } = *self;
        if data_type.is_padded() {
            let why = " for packed types aligned to 16 bytes";
            multiple("globalDim[0]", self.dims[0], 128, why)?;
        } else if data_type == TensorType::Packed16U4Align8B {
            multiple("globalDim[0]", self.dims[0], 2, " for packed types")?;
        }
        if data_type.is_padded() && options.interleave != Interleave::None {
            return Err(TensorMapError::Combination(
                "packed types aligned to 16 bytes are not interleaved; use `Interleave::None`",
            ));
        }
        if options.fill == Fill::NanRequestZeroFma && !data_type.is_float() {
            return Err(TensorMapError::Combination(
                "only floating-point types are filled with NaN; use `Fill::Zero`",
            ));
        }
        let swizzle = options.swizzle;
        if options.interleave == Interleave::Bytes32 && swizzle != Swizzle::Bytes32 {
            return Err(TensorMapError::Combination(
                "an interleave of 32 bytes needs `Swizzle::Bytes32`",
            ));
        }
        let allowed = match data_type {
            TensorType::Packed16U6Align16B => matches!(
                swizzle,
                Swizzle::None
                    | Swizzle::Bytes128
                    | Swizzle::Bytes128Atom32
                    | Swizzle::Bytes128Atom64
            ),
            TensorType::Packed16U4Align16B => matches!(
                swizzle,
                Swizzle::None | Swizzle::Bytes128 | Swizzle::Bytes128Atom32
            ),
            _ => true,
        };
        if !allowed {
            return Err(TensorMapError::Combination(
                "packed types aligned to 16 bytes do not have this swizzle; use `Bytes128`",
            ));
        }
        Ok(())
    }

    /// Checks the inner dimension of the box.
    fn check_row(&self, what: &'static str, elements: u32) -> Checked {
        if self.data_type.is_padded() && elements != 128 {
            return within(what, elements, 128, 128);
        }
        if self.options.interleave != Interleave::None {
            return Ok(());
        }
        let unit = self.data_type.unit();
        let why = " for packed types";
        multiple(what, u64::from(elements), u64::from(unit.elements), why)?;
        let bytes = self.row_bytes(elements);
        multiple(format!("{what} in bytes"), bytes, 16, "")?;
        match self.options.swizzle.span() {
            Some(max) if bytes > max => Err(TensorMapError::SwizzleSpan { max, found: bytes }),
            _ => Ok(()),
        }
    }

    fn check_columns(&self, columns: &Columns, axes: usize) -> Checked {
        if self.rank < 3 {
            return Err(TensorMapError::Rank {
                min: 3,
                found: self.rank,
            });
        }
        within("channelsPerPixel", columns.channels, 1, 256)?;
        within("pixelsPerColumn", columns.pixels, 1, 1024)?;
        for axis in 0..axes {
            let (lower, upper) = (columns.lower[axis], columns.upper[axis]);
            let length = i128::from(self.dims[axis + 1]) + i128::from(upper) - i128::from(lower);
            if length <= 0 {
                return Err(TensorMapError::Combination(
                    "pixelBoxLowerCorner and pixelBoxUpperCorner leave no pixel between them",
                ));
            }
        }
        self.check_row("channelsPerPixel", columns.channels)
    }
}
