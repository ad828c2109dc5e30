//! The 128-byte encoding of tensor maps.
//!
//! ```text
//!   0 mark | 4 extent, type, rank - 1, interleave | 8 swizzle, atom, promotion, fill
//!  16 address | 24 dims (5 x 8) | 64 strides (4 x 8) | 96 element strides (5 x 1)
//! 102 box (5 x 2), or lower (3 x 2), upper (3 x 2), channels (2), pixels (2)
//! ```

use super::{
    Columns, Extent, Fill, Interleave, L2Promotion, MAX_AXES, Swizzle, TensorMap, TensorMapError,
    TensorMapOptions, TensorType,
};

/// Distinguishes a tensor map from other bytes.
pub(super) const MARK: [u8; 4] = *b"tmap";

pub(super) const EXTENT: usize = 4;
pub(super) const TYPE: usize = 5;
pub(super) const RANK: usize = 6;
pub(super) const INTERLEAVE: usize = 7;
pub(super) const SWIZZLE: usize = 8;
pub(super) const ATOM: usize = 9;
pub(super) const PROMOTION: usize = 10;
pub(super) const FILL: usize = 11;
pub(super) const ADDRESS: usize = 16;
pub(super) const DIMS: usize = 24;
pub(super) const STRIDES: usize = 64;
pub(super) const ELEMENT_STRIDES: usize = 96;
pub(super) const BOX: usize = 102;

/// The mode and the atomicity of each swizzle, in the numbering of `tensormap.replace`.
const SWIZZLES: [(Swizzle, u8, u8); 7] = [
    (Swizzle::None, 0, 0),
    (Swizzle::Bytes32, 1, 0),
    (Swizzle::Bytes64, 2, 0),
    (Swizzle::Bytes128, 3, 0),
    (Swizzle::Bytes128Atom32, 3, 1),
    (Swizzle::Bytes128Atom32Flip8, 3, 2),
    (Swizzle::Bytes128Atom64, 3, 3),
];

/// Returns the index of `value`, below sixteen.
fn number<T: PartialEq>(values: &[T], value: &T) -> u8 {
    let position = values.iter().position(|case| case == value);
    u8::try_from(position.expect("all of them are listed")).expect("at most sixteen")
}

pub(super) fn put<const N: usize>(bytes: &mut [u8; 128], offset: usize, value: [u8; N]) {
    bytes[offset..offset + N].copy_from_slice(&value);
}

fn take<const N: usize>(bytes: &[u8; 128], offset: usize) -> [u8; N] {
    std::array::from_fn(|byte| bytes[offset + byte])
}

/// Encodes 16 bits; the checks of the driver limit the value.
fn short(value: u32) -> [u8; 2] {
    u16::try_from(value)
        .expect("checked to be at most 1024")
        .to_le_bytes()
}

impl TensorMap {
    /// Returns the kernel parameter: 128 bytes, to be aligned to 64.
    pub fn to_bytes(&self) -> [u8; 128] {
        let Self {
            data_type,
            rank,
            address,
            dims,
            strides,
            element_strides,
            extent,
            options:
                TensorMapOptions {
                    interleave,
                    swizzle,
                    l2_promotion,
                    fill,
                },
        } = self;
        let mut bytes = [0; 128];
        let (_, mode, atom) = SWIZZLES[usize::from(number(Swizzle::ALL, swizzle))];
        put(&mut bytes, 0, MARK);
        bytes[TYPE] = number(&TensorType::ALL, data_type);
        bytes[RANK] = u8::try_from(rank - 1).expect("at most five axes");
        bytes[INTERLEAVE] = number(Interleave::ALL, interleave);
        bytes[SWIZZLE] = mode;
        bytes[ATOM] = atom;
        bytes[PROMOTION] = number(L2Promotion::ALL, l2_promotion);
        bytes[FILL] = number(Fill::ALL, fill);
        put(&mut bytes, ADDRESS, address.to_le_bytes());
        for (axis, dim) in dims.iter().enumerate() {
            put(&mut bytes, DIMS + 8 * axis, dim.to_le_bytes());
        }
        for (axis, stride) in strides.iter().enumerate() {
            put(&mut bytes, STRIDES + 8 * axis, stride.to_le_bytes());
        }
        for (axis, &stride) in element_strides.iter().enumerate() {
            bytes[ELEMENT_STRIDES + axis] = u8::try_from(stride).expect("checked to be at most 8");
        }
        let columns = match extent {
            Extent::Tile(box_dims) => {
                for (axis, &length) in box_dims.iter().enumerate() {
                    put(&mut bytes, BOX + 2 * axis, short(length));
                }
                return bytes;
            }
            Extent::Im2col(columns) => {
                bytes[EXTENT] = 1;
                columns
            }
            Extent::Im2colWide { columns, w128 } => {
                bytes[EXTENT] = 2 + u8::from(*w128);
                columns
            }
        };
        let Columns {
            lower,
            upper,
            channels,
            pixels,
        } = columns;
        for (axis, corner) in lower.iter().chain(upper).enumerate() {
            put(&mut bytes, BOX + 2 * axis, corner.to_le_bytes());
        }
        put(&mut bytes, BOX + 12, short(*channels));
        put(&mut bytes, BOX + 14, short(*pixels));
        bytes
    }

    /// Decodes the bytes of [`Self::to_bytes`] or `tensormap.replace`.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a valid tensor map.
    pub fn from_bytes(bytes: &[u8; 128]) -> Result<Self, TensorMapError> {
        const NONE: TensorMapError = TensorMapError::NotATensorMap;
        if take(bytes, 0) != MARK {
            return Err(NONE);
        }
        let listed = |offset: usize| usize::from(bytes[offset]);
        let &(swizzle, ..) = SWIZZLES
            .iter()
            .find(|&&(_, mode, atom)| (mode, atom) == (bytes[SWIZZLE], bytes[ATOM]))
            .ok_or(TensorMapError::Combination(
                "the swizzle mode does not have this atomicity",
            ))?;
        let options = TensorMapOptions {
            interleave: *Interleave::ALL.get(listed(INTERLEAVE)).ok_or(NONE)?,
            swizzle,
            l2_promotion: *L2Promotion::ALL.get(listed(PROMOTION)).ok_or(NONE)?,
            fill: *Fill::ALL.get(listed(FILL)).ok_or(NONE)?,
        };
        let columns = Columns {
            lower: std::array::from_fn(|axis| i16::from_le_bytes(take(bytes, BOX + 2 * axis))),
            upper: std::array::from_fn(|axis| i16::from_le_bytes(take(bytes, BOX + 6 + 2 * axis))),
            channels: u32::from(u16::from_le_bytes(take(bytes, BOX + 12))),
            pixels: u32::from(u16::from_le_bytes(take(bytes, BOX + 14))),
        };
        let rank = listed(RANK) + 1;
        if rank > MAX_AXES {
            return Err(NONE);
        }
        // Fields beyond the rank may be set and are ignored.
        let within = |axis: usize| axis < rank;
        let length = |axis| u32::from(u16::from_le_bytes(take(bytes, BOX + 2 * axis)));
        let extent = match bytes[EXTENT] {
            0 => Extent::Tile(std::array::from_fn(|axis| {
                if within(axis) { length(axis) } else { 0 }
            })),
            1 => Extent::Im2col(columns),
            mode @ (2 | 3) => Extent::Im2colWide {
                columns,
                w128: mode == 3,
            },
            _ => return Err(NONE),
        };
        let dim = |axis| u64::from_le_bytes(take(bytes, DIMS + 8 * axis));
        let stride = |axis| u64::from_le_bytes(take(bytes, STRIDES + 8 * axis));
        let element_stride = |axis| u32::from(bytes[ELEMENT_STRIDES + axis]);
        let map = Self {
            data_type: *TensorType::ALL.get(listed(TYPE)).ok_or(NONE)?,
            rank,
            address: u64::from_le_bytes(take(bytes, ADDRESS)),
            dims: std::array::from_fn(|axis| if within(axis) { dim(axis) } else { 0 }),
            strides: std::array::from_fn(|axis| if within(axis + 1) { stride(axis) } else { 0 }),
            element_strides: std::array::from_fn(|axis| {
                if within(axis) {
                    element_stride(axis)
                } else {
                    0
                }
            }),
            extent,
            options,
        };
        map.check()?;
        Ok(map)
    }
}
