//! Tiles at run time: flat, typed by width, row-major.
//!
//! A number is stored as its bits in the smallest lane of 8 to 64 bits that holds it: `i1` as 0 or
//! 1, `i4` and `f4` in the low bits of a byte, `tf32` as the `f32` of the same value. Bits above
//! the value are zero.

use super::buffers::Pointer;
use crate::types::{Element, Scalar};

/// The elements of a tile.
#[derive(Clone, Debug)]
pub(super) enum Data {
    B8(Vec<u8>),
    B16(Vec<u16>),
    B32(Vec<u32>),
    B64(Vec<u64>),
    Ptr(Vec<Pointer>),
}

/// The variant of [`Data`] that holds an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    B8,
    B16,
    B32,
    B64,
    Ptr,
}

impl Storage {
    pub(super) fn for_element(element: Element) -> Self {
        match element {
            Element::Ptr(_) => Storage::Ptr,
            Element::Scalar(scalar) => Self::for_scalar(scalar),
        }
    }

    pub(super) fn for_scalar(scalar: Scalar) -> Self {
        match scalar {
            Scalar::I1
            | Scalar::I4
            | Scalar::I8
            | Scalar::F8E4M3FN
            | Scalar::F8E5M2
            | Scalar::F8E8M0FNU
            | Scalar::F4E2M1FN => Storage::B8,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => Storage::B16,
            Scalar::I32 | Scalar::F32 | Scalar::TF32 => Storage::B32,
            Scalar::I64 | Scalar::F64 => Storage::B64,
        }
    }
}

/// The storage type of elements.
pub(super) trait Lane: Copy + Default + Send + Sync + 'static {
    /// Returns the elements of `data`, which holds this type.
    fn lanes(data: &Data) -> &[Self];
    /// Returns the elements of `data`, which becomes empty if it held another type.
    fn lanes_mut(data: &mut Data) -> &mut Vec<Self>;
    /// Truncates to the low bits.
    fn from_bits(bits: u64) -> Self;
    /// Zero-extends the bits.
    fn to_bits(self) -> u64;
}

macro_rules! lanes {
    ($($Lane:ty, $Variant:ident;)+) => {$(
        impl Lane for $Lane {
            fn lanes(data: &Data) -> &[Self] {
                match data {
                    Data::$Variant(lanes) => lanes,
                    other => panic!("verified code reads {}, found {other:?}", stringify!($Lane)),
                }
            }

            fn lanes_mut(data: &mut Data) -> &mut Vec<Self> {
                if !matches!(data, Data::$Variant(_)) {
                    *data = Data::$Variant(Vec::new());
                }
                match data {
                    Data::$Variant(lanes) => lanes,
                    _ => unreachable!("just made"),
                }
            }

            fn from_bits(bits: u64) -> Self {
                #[allow(clippy::cast_possible_truncation, reason = "takes the low bits")]
                let low = bits as $Lane;
                low
            }

            fn to_bits(self) -> u64 {
                u64::from(self)
            }
        }
    )+};
}

lanes! {
    u8, B8;
    u16, B16;
    u32, B32;
    u64, B64;
}

impl Lane for Pointer {
    fn lanes(data: &Data) -> &[Self] {
        match data {
            Data::Ptr(lanes) => lanes,
            other => panic!("verified code reads pointers, found {other:?}"),
        }
    }

    fn lanes_mut(data: &mut Data) -> &mut Vec<Self> {
        if !matches!(data, Data::Ptr(_)) {
            *data = Data::Ptr(Vec::new());
        }
        match data {
            Data::Ptr(lanes) => lanes,
            _ => unreachable!("just made"),
        }
    }

    fn from_bits(_bits: u64) -> Self {
        Pointer::default()
    }

    fn to_bits(self) -> u64 {
        self.offset.cast_unsigned()
    }
}

/// Evaluates an expression with `$L` bound to the lane type of a [`Storage`].
macro_rules! with_lane {
    ($storage:expr, $L:ident => $body:expr) => {
        match $storage {
            $crate::interp::tile::Storage::B8 => {
                type $L = u8;
                $body
            }
            $crate::interp::tile::Storage::B16 => {
                type $L = u16;
                $body
            }
            $crate::interp::tile::Storage::B32 => {
                type $L = u32;
                $body
            }
            $crate::interp::tile::Storage::B64 => {
                type $L = u64;
                $body
            }
            $crate::interp::tile::Storage::Ptr => {
                type $L = $crate::interp::buffers::Pointer;
                $body
            }
        }
    };
}
pub(super) use with_lane;

impl Data {
    /// Returns `count` elements of one value, given by its stored bits.
    pub(super) fn splat(storage: Storage, bits: u64, count: usize) -> Self {
        let mut data = Data::B8(Vec::new());
        with_lane!(storage, L => L::lanes_mut(&mut data).resize(count, L::from_bits(bits)));
        data
    }

    pub(super) fn storage(&self) -> Storage {
        match self {
            Data::B8(_) => Storage::B8,
            Data::B16(_) => Storage::B16,
            Data::B32(_) => Storage::B32,
            Data::B64(_) => Storage::B64,
            Data::Ptr(_) => Storage::Ptr,
        }
    }

    /// Removes every element.
    pub(super) fn clear(&mut self) {
        match self {
            Data::B8(lanes) => lanes.clear(),
            Data::B16(lanes) => lanes.clear(),
            Data::B32(lanes) => lanes.clear(),
            Data::B64(lanes) => lanes.clear(),
            Data::Ptr(lanes) => lanes.clear(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Data::B8(lanes) => lanes.len(),
            Data::B16(lanes) => lanes.len(),
            Data::B32(lanes) => lanes.len(),
            Data::B64(lanes) => lanes.len(),
            Data::Ptr(lanes) => lanes.len(),
        }
    }

    /// Returns the stored bits of element `index`; for a pointer, its offset.
    pub(super) fn bits_at(&self, index: usize) -> u64 {
        match self {
            Data::B8(lanes) => lanes[index].to_bits(),
            Data::B16(lanes) => lanes[index].to_bits(),
            Data::B32(lanes) => lanes[index].to_bits(),
            Data::B64(lanes) => lanes[index].to_bits(),
            Data::Ptr(lanes) => lanes[index].to_bits(),
        }
    }

    /// Returns element `index` as a signed integer; for a pointer, its offset.
    pub(super) fn signed_at(&self, index: usize) -> i64 {
        match self {
            Data::B8(lanes) => lanes[index].cast_signed().into(),
            Data::B16(lanes) => lanes[index].cast_signed().into(),
            Data::B32(lanes) => lanes[index].cast_signed().into(),
            Data::B64(lanes) => lanes[index].cast_signed(),
            Data::Ptr(lanes) => lanes[index].offset,
        }
    }

    /// Copies `other` into the allocation of `self`.
    pub(super) fn copy_from(&mut self, other: &Data) {
        fn copy<L: Lane>(to: &mut Data, from: &[L]) {
            let to = L::lanes_mut(to);
            to.clear();
            to.extend_from_slice(from);
        }
        match other {
            Data::B8(lanes) => copy(self, lanes),
            Data::B16(lanes) => copy(self, lanes),
            Data::B32(lanes) => copy(self, lanes),
            Data::B64(lanes) => copy(self, lanes),
            Data::Ptr(lanes) => copy(self, lanes),
        }
    }
}

/// Converts a bit pattern of the IR, in which tf32 has 19 bits, to stored bits.
pub(super) fn to_stored(scalar: Scalar, bits: u64) -> u64 {
    match scalar {
        Scalar::TF32 => bits << 13,
        _ => bits,
    }
}

/// Converts stored bits to a bit pattern of the IR.
pub(super) fn from_stored(scalar: Scalar, bits: u64) -> u64 {
    match scalar {
        Scalar::TF32 => bits >> 13,
        _ => bits,
    }
}

/// An argument or result of [`Program::eval`](super::Program::eval).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The element type.
    pub scalar: Scalar,
    /// The extents; empty for rank 0.
    pub shape: Vec<i64>,
    /// The bit pattern of every element, row-major, zero-extended.
    pub bits: Vec<u64>,
}

impl Tile {
    /// Makes a tile of the given elements.
    ///
    /// # Panics
    /// If the number of elements does not match the shape.
    pub fn new(scalar: Scalar, shape: &[i64], bits: Vec<u64>) -> Self {
        let count: i64 = shape.iter().product();
        assert_eq!(
            usize::try_from(count),
            Ok(bits.len()),
            "one value per element"
        );
        Self {
            scalar,
            shape: shape.to_vec(),
            bits,
        }
    }

    pub(super) fn to_data(&self) -> Data {
        let storage = Storage::for_scalar(self.scalar);
        let mut data = Data::splat(storage, 0, 0);
        with_lane!(storage, L => L::lanes_mut(&mut data).extend(
            self.bits.iter().map(|&bits| L::from_bits(to_stored(self.scalar, bits)))
        ));
        data
    }

    pub(super) fn from_data(scalar: Scalar, shape: &[i64], data: &Data) -> Self {
        let bits = (0..data.len())
            .map(|index| from_stored(scalar, data.bits_at(index)))
            .collect();
        Self {
            scalar,
            shape: shape.to_vec(),
            bits,
        }
    }
}
