//! `tensormap.replace`: sets the fields of a tensor map (PTX ISA, `tensormap.replace`).

use super::bytes::{
    ADDRESS, ATOM, BOX, DIMS, ELEMENT_STRIDES, EXTENT, FILL, INTERLEAVE, MARK, RANK, STRIDES,
    SWIZZLE, TYPE, put,
};
use super::{TensorMapError, TensorType};

/// A field that can be replaced, with the axis if there is one per axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Address,
    /// The number of dimensions minus one.
    Rank,
    Box(u8),
    Dim(u8),
    Stride(u8),
    ElementStride(u8),
    Type,
    Interleave,
    SwizzleMode,
    SwizzleAtomicity,
    Fill,
}

/// The element types in the order of their numbers in PTX, which differ from the driver's.
const TYPES: [TensorType; 16] = [
    TensorType::UInt8,
    TensorType::UInt16,
    TensorType::UInt32,
    TensorType::Int32,
    TensorType::UInt64,
    TensorType::Int64,
    TensorType::Float16,
    TensorType::Float32,
    TensorType::Float32Ftz,
    TensorType::Float64,
    TensorType::BFloat16,
    TensorType::TFloat32,
    TensorType::TFloat32Ftz,
    TensorType::Packed16U4Align8B,
    TensorType::Packed16U4Align16B,
    TensorType::Packed16U6Align16B,
];

impl Field {
    /// Returns the largest value of a field that is an index into a table.
    pub(crate) const fn max_value(self) -> Option<u64> {
        match self {
            Self::Rank => Some(4),
            Self::Type => Some(15),
            Self::Interleave => Some(2),
            Self::SwizzleMode => Some(4),
            Self::SwizzleAtomicity => Some(3),
            Self::Fill => Some(1),
            Self::Address
            | Self::Box(_)
            | Self::Dim(_)
            | Self::Stride(_)
            | Self::ElementStride(_) => None,
        }
    }

    /// Returns the mask of the value: addresses and strides have 64 bits, other fields 32.
    pub(crate) const fn mask(self) -> u64 {
        match self {
            Self::Address | Self::Stride(_) => u64::MAX,
            _ => 0xffff_ffff,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Address => "global_address",
            Self::Rank => "rank",
            Self::Box(_) => "box_dim",
            Self::Dim(_) => "global_dim",
            Self::Stride(_) => "global_stride",
            Self::ElementStride(_) => "element_stride",
            Self::Type => "elemtype",
            Self::Interleave => "interleave_layout",
            Self::SwizzleMode => "swizzle_mode",
            Self::SwizzleAtomicity => "swizzle_atomicity",
            Self::Fill => "fill_mode",
        }
    }

    fn out_of_range<T>(self, value: u64, max: u64) -> Result<T, TensorMapError> {
        Err(TensorMapError::Range {
            what: self.name().into(),
            range: format!("0 to {max}"),
            found: i128::from(value),
        })
    }

    /// Sets the field. The map may be incomplete before and after; all zeros are an empty map.
    pub(crate) fn replace(self, bytes: &mut [u8; 128], value: u64) -> Result<(), TensorMapError> {
        if bytes.iter().any(|&byte| byte != 0) && bytes[..4] != MARK {
            return Err(TensorMapError::NotATensorMap);
        }
        put(bytes, 0, MARK);
        if let Some(max) = self.max_value()
            && value > max
        {
            return self.out_of_range(value, max);
        }
        // An index into a table is at most 15.
        let number = value as u8;
        match self {
            Self::Address => put(bytes, ADDRESS, value.to_le_bytes()),
            Self::Rank => bytes[RANK] = number,
            Self::Box(axis) => {
                if bytes[EXTENT] != 0 {
                    return Err(TensorMapError::Combination(
                        "box_dim: a tensor map for im2col has no box",
                    ));
                }
                let Ok(length) = u16::try_from(value) else {
                    return self.out_of_range(value, 256);
                };
                put(bytes, BOX + 2 * usize::from(axis), length.to_le_bytes());
            }
            Self::Dim(axis) => put(bytes, DIMS + 8 * usize::from(axis), value.to_le_bytes()),
            Self::Stride(axis) => put(bytes, STRIDES + 8 * usize::from(axis), value.to_le_bytes()),
            Self::ElementStride(axis) => {
                let Ok(stride) = u8::try_from(value) else {
                    return self.out_of_range(value, 8);
                };
                bytes[ELEMENT_STRIDES + usize::from(axis)] = stride;
            }
            Self::Type => {
                let ty = TYPES[usize::from(number)];
                let position = TensorType::ALL.iter().position(|&case| case == ty);
                bytes[TYPE] = position.expect("all of them are listed") as u8;
            }
            Self::Interleave => bytes[INTERLEAVE] = number,
            Self::SwizzleMode => bytes[SWIZZLE] = number,
            Self::SwizzleAtomicity => bytes[ATOM] = number,
            Self::Fill => bytes[FILL] = number,
        }
        Ok(())
    }
}
