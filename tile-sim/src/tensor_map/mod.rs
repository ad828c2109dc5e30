//! Tensor maps, the descriptors of tensor copies (PTX ISA, "Tensor-map").
//!
//! The constructors take the arguments of `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col`
//! and validate them as the driver does. [`TensorMap::to_bytes`] returns the 128 bytes for a
//! kernel's parameter or its memory.
//!
//! - The hardware's encoding is not documented; the bytes have an encoding of this crate. All zeros
//!   are an empty map, whose fields `tensormap.replace` sets.
//! - Dimensions are in the order of the driver: the elements of the first one are contiguous.
//! - The rows of a box are contiguous in shared memory; a swizzle permutes address bits.

mod bytes;
mod check;
mod im2col;
mod pieces;
mod replace;
mod swizzle;
#[cfg(test)]
mod tests;

pub use check::TensorMapError;
pub(crate) use im2col::Im2colStart;
#[cfg(test)]
use pieces::Piece;
pub(crate) use pieces::{CopyError, Start};
pub(crate) use replace::Field;

/// The maximum number of dimensions of a tensor.
pub(crate) const MAX_AXES: usize = 5;

/// The element type, `CUtensorMapDataType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the driver's constants")]
pub enum TensorType {
    UInt8,
    UInt16,
    UInt32,
    Int32,
    UInt64,
    Int64,
    Float16,
    Float32,
    Float64,
    BFloat16,
    /// Denormals are flushed to zero in loads.
    Float32Ftz,
    /// Elements are rounded to `tf32` in loads.
    TFloat32,
    TFloat32Ftz,
    /// 16 elements of 4 bits in 8 bytes.
    Packed16U4Align8B,
    /// 16 elements of 4 bits in 8 bytes, padded to 16 bytes in shared memory.
    Packed16U4Align16B,
    /// 16 elements of 6 bits in 12 bytes, padded to 16 bytes in shared memory.
    Packed16U6Align16B,
}

impl TensorType {
    /// All types, in the order of the driver's numbers.
    pub(crate) const ALL: [Self; 16] = [
        Self::UInt8,
        Self::UInt16,
        Self::UInt32,
        Self::Int32,
        Self::UInt64,
        Self::Int64,
        Self::Float16,
        Self::Float32,
        Self::Float64,
        Self::BFloat16,
        Self::Float32Ftz,
        Self::TFloat32,
        Self::TFloat32Ftz,
        Self::Packed16U4Align8B,
        Self::Packed16U4Align16B,
        Self::Packed16U6Align16B,
    ];

    /// Returns the smallest unit that a copy moves.
    pub(crate) const fn unit(self) -> Unit {
        let (elements, global, shared) = match self {
            Self::UInt8 => (1, 1, 1),
            Self::UInt16 | Self::Float16 | Self::BFloat16 => (1, 2, 2),
            Self::UInt32
            | Self::Int32
            | Self::Float32
            | Self::Float32Ftz
            | Self::TFloat32
            | Self::TFloat32Ftz => (1, 4, 4),
            Self::UInt64 | Self::Int64 | Self::Float64 => (1, 8, 8),
            Self::Packed16U4Align8B => (2, 1, 1),
            Self::Packed16U4Align16B => (16, 8, 16),
            Self::Packed16U6Align16B => (16, 12, 16),
        };
        Unit {
            elements,
            global,
            shared,
        }
    }

    const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Float16
                | Self::Float32
                | Self::Float64
                | Self::BFloat16
                | Self::Float32Ftz
                | Self::TFloat32
                | Self::TFloat32Ftz
        )
    }

    /// Returns `true` if elements are padded in shared memory.
    const fn is_padded(self) -> bool {
        matches!(self, Self::Packed16U4Align16B | Self::Packed16U6Align16B)
    }
}

/// The size of a unit of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) elements: u32,
    /// The size in global memory in bytes.
    pub(crate) global: u32,
    /// The size in shared memory in bytes, with padding.
    pub(crate) shared: u32,
}

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident,)+ })+) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name {
            #[default]
            $($(#[$case_doc])* $case,)+
        }

        impl $name {
            /// All values, in the order of the driver's numbers.
            pub(crate) const ALL: &[Self] = &[$(Self::$case),+];
        })+
    };
}

options! {
    /// The interleaved layout, `CUtensorMapInterleave`.
    Interleave {
        /// The channels of a pixel are contiguous.
        None,
        /// The channels are in slices of 16 bytes (`NC/8HWC8`).
        Bytes16,
        /// The channels are in slices of 32 bytes (`NC/16HWC16`).
        Bytes32,
    }
    /// The shared memory swizzle, `CUtensorMapSwizzle`.
    Swizzle {
        /// Shared memory has the layout of the box.
        None,
        /// Swizzles 16-byte chunks within 32 bytes: bit 4 of the address is combined with bit 7 by
        /// exclusive or.
        Bytes32,
        /// Swizzles 16-byte chunks within 64 bytes: bits 4 and 5 with bits 7 and 8.
        Bytes64,
        /// Swizzles 16-byte chunks within 128 bytes: bits 4 to 6 with bits 7 to 9.
        Bytes128,
        /// Swizzles 32-byte chunks within 128 bytes: bits 5 and 6 with bits 7 and 8.
        Bytes128Atom32,
        /// Like [`Self::Bytes128Atom32`], and exchanges the 8-byte halves of 16 bytes in every
        /// other 128 bytes.
        Bytes128Atom32Flip8,
        /// Swizzles 64-byte chunks within 128 bytes: bit 6 with bit 7.
        Bytes128Atom64,
    }
    /// The L2 promotion, `CUtensorMapL2promotion`, which has no effect on results.
    L2Promotion {
        /// No promotion.
        None,
        /// At least 64 bytes.
        Bytes64,
        /// At least 128 bytes.
        Bytes128,
        /// At least 256 bytes.
        Bytes256,
    }
    /// The fill value of out-of-bounds elements, `CUtensorMapFloatOOBfill`.
    Fill {
        /// Zeros.
        Zero,
        /// NaN: 0x7ff7 in 16 bits, which `fma.oob` treats as zero; in wider types all bits but the
        /// sign are set.
        NanRequestZeroFma,
    }
}

/// The optional arguments of the driver's functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TensorMapOptions {
    /// The interleaved layout.
    pub interleave: Interleave,
    /// The shared memory swizzle.
    pub swizzle: Swizzle,
    /// The L2 promotion.
    pub l2_promotion: L2Promotion,
    /// The fill value of out-of-bounds elements.
    pub fill: Fill,
}

/// The pixel box of `cuTensorMapEncodeIm2col`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Im2col<'a> {
    /// The offsets of the box from the first pixel of the tensor: W, H, D.
    pub lower_corner: &'a [i32],
    /// The offsets of the end of the box from the last pixel of the tensor: W, H, D.
    pub upper_corner: &'a [i32],
    /// The number of elements along the channel dimension.
    pub channels_per_pixel: u32,
    /// The number of pixels of a copy.
    pub pixels_per_column: u32,
}

/// The pixel row of `cuTensorMapEncodeIm2colWide`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Im2colWide {
    /// The offset of the row from the first pixel of the tensor.
    pub lower_corner: i32,
    /// The offset of the end of the row from the last pixel of the tensor.
    pub upper_corner: i32,
    /// The number of elements along the channel dimension.
    pub channels_per_pixel: u32,
    /// The number of pixels of a copy; always 128 in `im2col::w::128`.
    pub pixels_per_column: u32,
    /// Selects `CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128` instead of `CU_TENSOR_MAP_IM2COL_WIDE_MODE_W`.
    pub w128: bool,
}

/// The extent of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// The number of elements along each dimension.
    Tile([u32; MAX_AXES]),
    Im2col(Columns),
    Im2colWide {
        columns: Columns,
        w128: bool,
    },
}

/// A column of pixels with some channels each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Columns {
    /// Offsets along W, H and D.
    lower: [i16; 3],
    upper: [i16; 3],
    channels: u32,
    pixels: u32,
}

/// A tensor in global memory, and the layout of its copies in shared memory.
///
/// ```
/// # use tile_sim::{TensorMap, TensorMapOptions, TensorType};
/// // Tiles of 64 x 16 elements of a row-major matrix of 128 x 256 `f32`.
/// let map = TensorMap::tiled(
///     TensorType::Float32,
///     0x10_0000_0000,
///     &[256, 128],
///     &[256 * 4],
///     &[16, 64],
///     &[1, 1],
///     TensorMapOptions::default(),
/// )?;
/// assert_eq!(map.to_bytes().len(), 128);
/// # Ok::<(), tile_sim::TensorMapError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMap {
    data_type: TensorType,
    rank: usize,
    address: u64,
    /// The number of elements along each dimension.
    dims: [u64; MAX_AXES],
    /// The distance between elements in bytes, along each dimension but the first.
    strides: [u64; MAX_AXES - 1],
    element_strides: [u32; MAX_AXES],
    extent: Extent,
    options: TensorMapOptions,
}

fn padded<T: Copy + Default, const N: usize>(values: &[T]) -> [T; N] {
    std::array::from_fn(|index| values.get(index).copied().unwrap_or_default())
}

impl TensorMap {
    /// Creates a map for boxes of elements (`cuTensorMapEncodeTiled`). The length of `dims` is the
    /// rank; `strides`, in bytes, omits the first dimension.
    ///
    /// # Errors
    ///
    /// Returns an error for arguments that the driver rejects.
    pub fn tiled(
        data_type: TensorType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        box_dims: &[u32],
        element_strides: &[u32],
        options: TensorMapOptions,
    ) -> Result<Self, TensorMapError> {
        if box_dims.len() != dims.len() {
            return Err(TensorMapError::Lengths {
                what: "boxDim",
                expected: dims.len(),
                found: box_dims.len(),
            });
        }
        let extent = Extent::Tile(padded(box_dims));
        Self::new(
            data_type,
            address,
            dims,
            strides,
            element_strides,
            extent,
            options,
        )
    }

    /// Creates a map for convolutions (`cuTensorMapEncodeIm2col`). The dimensions are channels,
    /// width, height, depth and images; tensors of lower rank omit depth, then height.
    ///
    /// # Errors
    ///
    /// Returns an error for arguments that the driver rejects.
    pub fn im2col(
        data_type: TensorType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        columns: Im2col<'_>,
        element_strides: &[u32],
        options: TensorMapOptions,
    ) -> Result<Self, TensorMapError> {
        let columns = Columns {
            lower: check::corners("pixelBoxLowerCorner", columns.lower_corner, dims.len())?,
            upper: check::corners("pixelBoxUpperCorner", columns.upper_corner, dims.len())?,
            channels: columns.channels_per_pixel,
            pixels: columns.pixels_per_column,
        };
        let extent = Extent::Im2col(columns);
        Self::new(
            data_type,
            address,
            dims,
            strides,
            element_strides,
            extent,
            options,
        )
    }

    /// Creates a map for convolutions along the width (`cuTensorMapEncodeIm2colWide`).
    ///
    /// # Errors
    ///
    /// Returns an error for arguments that the driver rejects.
    pub fn im2col_wide(
        data_type: TensorType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        columns: Im2colWide,
        element_strides: &[u32],
        options: TensorMapOptions,
    ) -> Result<Self, TensorMapError> {
        let lower = check::corner("pixelBoxLowerCornerWidth", columns.lower_corner, dims.len())?;
        let upper = check::corner("pixelBoxUpperCornerWidth", columns.upper_corner, dims.len())?;
        let extent = Extent::Im2colWide {
            columns: Columns {
                lower: [lower, 0, 0],
                upper: [upper, 0, 0],
                channels: columns.channels_per_pixel,
                pixels: columns.pixels_per_column,
            },
            w128: columns.w128,
        };
        Self::new(
            data_type,
            address,
            dims,
            strides,
            element_strides,
            extent,
            options,
        )
    }

    fn new(
        data_type: TensorType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        element_strides: &[u32],
        extent: Extent,
        options: TensorMapOptions,
    ) -> Result<Self, TensorMapError> {
        let rank = dims.len();
        check::lengths(rank, strides.len(), element_strides.len())?;
        let map = Self {
            data_type,
            rank,
            address,
            dims: padded(dims),
            strides: padded(strides),
            element_strides: padded(element_strides),
            extent,
            options,
        };
        map.check()?;
        Ok(map)
    }

    /// Replaces the address (`cuTensorMapReplaceAddress`).
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not aligned as the driver requires.
    pub fn with_address(mut self, address: u64) -> Result<Self, TensorMapError> {
        self.address = address;
        self.check()?;
        Ok(self)
    }

    pub(crate) fn data_type(&self) -> TensorType {
        self.data_type
    }

    /// Returns the size of a copy in shared memory in bytes.
    #[cfg(test)]
    fn box_bytes(&self) -> u64 {
        let (rows, elements) = match self.extent {
            Extent::Tile(dims) => {
                let rows = (1..self.rank).map(|axis| u64::from(self.steps(dims, axis)));
                (rows.product(), dims[0])
            }
            Extent::Im2col(columns) => (u64::from(columns.pixels), columns.channels),
            Extent::Im2colWide { columns, w128 } => {
                let pixels = if w128 { 128 } else { columns.pixels };
                (u64::from(pixels), columns.channels)
            }
        };
        rows * self.row_bytes(elements)
    }

    /// Returns the size of a row of `elements` in shared memory in bytes.
    fn row_bytes(&self, elements: u32) -> u64 {
        let unit = self.data_type.unit();
        u64::from(elements / unit.elements) * u64::from(unit.shared)
    }

    /// Returns the number of elements of a box along an axis: `ceil(box / elementStride)`.
    fn steps(&self, dims: [u32; MAX_AXES], axis: usize) -> u32 {
        dims[axis].div_ceil(self.step(axis))
    }

    /// Returns the element stride of an axis. The first axis has none (the driver ignores it unless
    /// interleaved).
    fn step(&self, axis: usize) -> u32 {
        if axis == 0 {
            1
        } else {
            self.element_strides[axis]
        }
    }
}
