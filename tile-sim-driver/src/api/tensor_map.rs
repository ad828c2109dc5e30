//! Tensor maps, as the simulator encodes them.

use std::ffi::{c_int, c_uint, c_void};

use tile_sim::{
    Fill, Im2col, Im2colWide, Interleave, L2Promotion, Swizzle, TensorMap, TensorMapError,
    TensorMapOptions, TensorType,
};

use crate::abi::{CUtensorMap, In, Out};
use crate::because;
use crate::result::CUresult;
use crate::state::{self, Reply};

const TYPES: [TensorType; 16] = [
    TensorType::UInt8,
    TensorType::UInt16,
    TensorType::UInt32,
    TensorType::Int32,
    TensorType::UInt64,
    TensorType::Int64,
    TensorType::Float16,
    TensorType::Float32,
    TensorType::Float64,
    TensorType::BFloat16,
    TensorType::Float32Ftz,
    TensorType::TFloat32,
    TensorType::TFloat32Ftz,
    TensorType::Packed16U4Align8B,
    TensorType::Packed16U4Align16B,
    TensorType::Packed16U6Align16B,
];
const INTERLEAVES: [Interleave; 3] = [Interleave::None, Interleave::Bytes16, Interleave::Bytes32];
const SWIZZLES: [Swizzle; 7] = [
    Swizzle::None,
    Swizzle::Bytes32,
    Swizzle::Bytes64,
    Swizzle::Bytes128,
    Swizzle::Bytes128Atom32,
    Swizzle::Bytes128Atom32Flip8,
    Swizzle::Bytes128Atom64,
];
const PROMOTIONS: [L2Promotion; 4] = [
    L2Promotion::None,
    L2Promotion::Bytes64,
    L2Promotion::Bytes128,
    L2Promotion::Bytes256,
];
const FILLS: [Fill; 2] = [Fill::Zero, Fill::NanRequestZeroFma];

fn named<T: Copy>(all: &[T], number: c_uint) -> Reply<T> {
    all.get(number as usize)
        .copied()
        .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
}

/// The numbers of `TensorMapOptions`.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    interleave: c_uint,
    swizzle: c_uint,
    promotion: c_uint,
    fill: c_uint,
}

impl Numbers {
    fn options(self) -> Reply<TensorMapOptions> {
        Ok(TensorMapOptions {
            interleave: named(&INTERLEAVES, self.interleave)?,
            swizzle: named(&SWIZZLES, self.swizzle)?,
            l2_promotion: named(&PROMOTIONS, self.promotion)?,
            fill: named(&FILLS, self.fill)?,
        })
    }
}

/// Checks what is required of every tensor map, and returns the rank.
fn begin(map: Out<CUtensorMap>, rank: c_uint) -> Reply<usize> {
    let state = state::initialized()?;
    if let Ok(context) = state.current() {
        let device = state.contexts.get(context)?.device;
        if state.devices[device].model.capability.0 < 9 {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
    }
    // The map in a C program is aligned, as in a kernel's parameters.
    if map.is_null() || !map.address().is_multiple_of(64) || !(1..=5).contains(&rank) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(rank as usize)
}

fn end(map: Out<CUtensorMap>, encoded: Result<TensorMap, TensorMapError>) -> Reply {
    match encoded {
        Ok(encoded) => map.cast().set(encoded.to_bytes()),
        Err(error) => {
            let reason = format!("the tensor map is refused: {error}");
            Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason))
        }
    }
}

api! {
    fn cuTensorMapEncodeTiled(
        map: Out<CUtensorMap>,
        element: c_uint,
        rank: c_uint,
        address: Out<c_void>,
        dims: In<u64>,
        strides: In<u64>,
        lengths: In<u32>,
        steps: In<u32>,
        interleave: c_uint,
        swizzle: c_uint,
        promotion: c_uint,
        fill: c_uint,
    ) {
        let rank = begin(map, rank)?;
        let numbers = Numbers { interleave, swizzle, promotion, fill };
        let encoded = TensorMap::tiled(
            named(&TYPES, element)?,
            address.address() as u64,
            &dims.list(rank)?,
            &strides.list(rank - 1)?,
            &lengths.list(rank)?,
            &steps.list(rank)?,
            numbers.options()?,
        );
        end(map, encoded)
    }

    fn cuTensorMapEncodeIm2col(
        map: Out<CUtensorMap>,
        element: c_uint,
        rank: c_uint,
        address: Out<c_void>,
        dims: In<u64>,
        strides: In<u64>,
        lower: In<c_int>,
        upper: In<c_int>,
        channels: u32,
        pixels: u32,
        steps: In<u32>,
        interleave: c_uint,
        swizzle: c_uint,
        promotion: c_uint,
        fill: c_uint,
    ) {
        let rank = begin(map, rank)?;
        if rank < 3 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let numbers = Numbers { interleave, swizzle, promotion, fill };
        let (lower, upper) = (lower.list(rank - 2)?, upper.list(rank - 2)?);
        let columns = Im2col {
            lower_corner: &lower,
            upper_corner: &upper,
            channels_per_pixel: channels,
            pixels_per_column: pixels,
        };
        let encoded = TensorMap::im2col(
            named(&TYPES, element)?,
            address.address() as u64,
            &dims.list(rank)?,
            &strides.list(rank - 1)?,
            columns,
            &steps.list(rank)?,
            numbers.options()?,
        );
        end(map, encoded)
    }

    fn cuTensorMapEncodeIm2colWide(
        map: Out<CUtensorMap>,
        element: c_uint,
        rank: c_uint,
        address: Out<c_void>,
        dims: In<u64>,
        strides: In<u64>,
        lower: c_int,
        upper: c_int,
        channels: u32,
        pixels: u32,
        steps: In<u32>,
        interleave: c_uint,
        mode: c_uint,
        swizzle: c_uint,
        promotion: c_uint,
        fill: c_uint,
    ) {
        let rank = begin(map, rank)?;
        if rank < 3 || mode > 1 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let numbers = Numbers { interleave, swizzle, promotion, fill };
        let columns = Im2colWide {
            lower_corner: lower,
            upper_corner: upper,
            channels_per_pixel: channels,
            pixels_per_column: pixels,
            w128: mode == 1,
        };
        let encoded = TensorMap::im2col_wide(
            named(&TYPES, element)?,
            address.address() as u64,
            &dims.list(rank)?,
            &strides.list(rank - 1)?,
            columns,
            &steps.list(rank)?,
            numbers.options()?,
        );
        end(map, encoded)
    }

    fn cuTensorMapReplaceAddress(map: Out<CUtensorMap>, address: Out<c_void>) {
        let bytes: [u8; 128] = map.cast().get()?;
        let read = TensorMap::from_bytes(&bytes);
        end(map, read.and_then(|map| map.with_address(address.address() as u64)))
    }
}
