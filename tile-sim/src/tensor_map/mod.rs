//! Tensor maps: what the copies of tensors know of the tensor (PTX ISA, "Tensor-map").
//!
//! In: the arguments of `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col`, checked as the
//! driver checks them. Out: 128 bytes for a kernel's parameter or its memory, and, for an
//! instruction's coordinates, the pieces of memory that a copy moves.
//!
//! - The bytes are an encoding of this crate's own; that of the hardware is not documented. All
//!   zero is a map without any field set, which `tensormap.replace` fills.
//! - Axes are in the order of the driver: the first is the one whose elements are adjacent.
//! - Rows of a box lie in shared memory without gaps; a swizzle permutes bits of the address.

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

/// The most axes of a tensor.
pub(crate) const MOST_AXES: usize = 5;

/// `CUtensorMapDataType`
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
    /// Denormals become zero in a load.
    Float32Ftz,
    /// Rounded to `tf32` in a load.
    TFloat32,
    TFloat32Ftz,
    /// 16 values of 4 bits in 8 bytes.
    Packed16U4Align8B,
    /// 16 values of 4 bits in 8 bytes, which take 16 bytes of shared memory.
    Packed16U4Align16B,
    /// 16 values of 6 bits in 12 bytes, which take 16 bytes of shared memory.
    Packed16U6Align16B,
}

impl TensorType {
    /// In the order of the driver's numbers.
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

    /// The smallest unit that is moved.
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

    /// With gaps in shared memory.
    const fn is_padded(self) -> bool {
        matches!(self, Self::Packed16U4Align16B | Self::Packed16U6Align16B)
    }
}

/// How many elements lie in how many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) elements: u32,
    /// Bytes in global memory.
    pub(crate) global: u32,
    /// Bytes in shared memory, with the gap that follows.
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
            /// In the order of the driver's numbers.
            pub(crate) const ALL: &[Self] = &[$(Self::$case),+];
        })+
    };
}

options! {
    /// `CUtensorMapInterleave`
    Interleave {
        /// The channels of a pixel are adjacent.
        None,
        /// Slices of 16 bytes of channels (`NC/8HWC8`).
        Bytes16,
        /// Slices of 32 bytes of channels (`NC/16HWC16`).
        Bytes32,
    }
    /// `CUtensorMapSwizzle`
    Swizzle {
        /// Shared memory is laid out as the box is.
        None,
        /// 16-byte chunks within 32 bytes: bit 4 of the address, exclusive or bit 7.
        Bytes32,
        /// 16-byte chunks within 64 bytes: bits 4 and 5, exclusive or bits 7 and 8.
        Bytes64,
        /// 16-byte chunks within 128 bytes: bits 4 to 6, exclusive or bits 7 to 9.
        Bytes128,
        /// 32-byte chunks within 128 bytes: bits 5 and 6, exclusive or bits 7 and 8.
        Bytes128Atom32,
        /// Likewise, and the halves of 16 bytes change places in every other 128 bytes.
        Bytes128Atom32Flip8,
        /// 64-byte chunks within 128 bytes: bit 6, exclusive or bit 7.
        Bytes128Atom64,
    }
    /// `CUtensorMapL2promotion`, which changes no result.
    L2Promotion {
        /// As asked for.
        None,
        /// 64 bytes at least.
        Bytes64,
        /// 128 bytes at least.
        Bytes128,
        /// 256 bytes at least.
        Bytes256,
    }
    /// `CUtensorMapFloatOOBfill`: what a load finds outside of the tensor.
    Fill {
        /// Zero.
        Zero,
        /// A not-a-number: 0x7ff7 in 16 bits, which `fma.oob` takes for zero; in more bits all but the
        /// sign are set.
        NanRequestZeroFma,
    }
}

/// The last arguments of the driver's functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TensorMapOptions {
    /// Whether channels are in slices.
    pub interleave: Interleave,
    /// How shared memory is permuted.
    pub swizzle: Swizzle,
    /// A hint.
    pub l2_promotion: L2Promotion,
    /// What lies outside of the tensor.
    pub fill: Fill,
}

/// What `cuTensorMapEncodeIm2col` takes in place of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Im2col<'a> {
    /// Offsets of the box of pixels from the tensor's first pixel: width, height, depth.
    pub lower_corner: &'a [i32],
    /// Offsets of its end from the tensor's last pixel.
    pub upper_corner: &'a [i32],
    /// Elements along the first axis.
    pub channels_per_pixel: u32,
    /// Pixels of one copy.
    pub pixels_per_column: u32,
}

/// What `cuTensorMapEncodeIm2colWide` takes in place of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Im2colWide {
    /// Offset of the row of pixels from the tensor's first.
    pub lower_corner: i32,
    /// Offset of its end from the tensor's last.
    pub upper_corner: i32,
    /// Elements along the first axis.
    pub channels_per_pixel: u32,
    /// Pixels of one copy; those of `im2col::w::128` are always 128.
    pub pixels_per_column: u32,
    /// `CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128`, not `..._W`.
    pub w128: bool,
}

/// What is copied at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Elements along each axis.
    Tile([u32; MOST_AXES]),
    Im2col(Columns),
    Im2colWide {
        columns: Columns,
        w128: bool,
    },
}

/// Pixels, each of some channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Columns {
    /// Width, height, depth.
    lower: [i16; 3],
    upper: [i16; 3],
    channels: u32,
    pixels: u32,
}

/// A tensor in global memory and how it is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMap {
    data_type: TensorType,
    rank: usize,
    address: u64,
    /// Elements along each axis.
    dims: [u64; MOST_AXES],
    /// Bytes from one element to the next, along each axis but the first.
    strides: [u64; MOST_AXES - 1],
    element_strides: [u32; MOST_AXES],
    extent: Extent,
    options: TensorMapOptions,
}

fn padded<T: Copy + Default, const N: usize>(values: &[T]) -> [T; N] {
    std::array::from_fn(|at| values.get(at).copied().unwrap_or_default())
}

impl TensorMap {
    /// `cuTensorMapEncodeTiled`. The lengths of the slices give the rank; `strides`, in bytes, lack
    /// the first axis.
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

    /// `cuTensorMapEncodeIm2col`. Axes are channels, width, height, depth, images; of a tensor of
    /// less than five, depth and then height are left out.
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

    /// `cuTensorMapEncodeIm2colWide`
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

    /// `cuTensorMapReplaceAddress`
    pub fn with_address(mut self, address: u64) -> Result<Self, TensorMapError> {
        self.address = address;
        self.check()?;
        Ok(self)
    }

    pub(crate) fn data_type(&self) -> TensorType {
        self.data_type
    }

    /// Bytes of shared memory that one copy fills or reads.
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

    /// Bytes of shared memory of a row of `elements`.
    fn row_bytes(&self, elements: u32) -> u64 {
        let unit = self.data_type.unit();
        u64::from(elements / unit.elements) * u64::from(unit.shared)
    }

    /// How many elements a box takes along an axis: `ceil(box / elementStride)`.
    fn steps(&self, dims: [u32; MOST_AXES], axis: usize) -> u32 {
        dims[axis].div_ceil(self.step(axis))
    }

    /// Along the first axis there is no stride (the driver ignores it unless interleaved).
    fn step(&self, axis: usize) -> u32 {
        if axis == 0 {
            1
        } else {
            self.element_strides[axis]
        }
    }
}
