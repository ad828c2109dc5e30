use std::ffi::c_void;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, cases, nowhere, ok};

use CUtensorMapDataType_enum as T;
use CUtensorMapFloatOOBfill_enum as F;
use CUtensorMapInterleave_enum as I;
use CUtensorMapL2promotion_enum as L;
use CUtensorMapSwizzle_enum as S;

/// The arguments of a map of 128 x 256 numbers of 32 bits in tiles of 64 x 16, which a case changes.
#[derive(Clone, Debug)]
struct Tiled {
    element: T,
    rank: u32,
    address: u64,
    dims: [u64; 5],
    strides: [u64; 4],
    lengths: [u32; 5],
    steps: [u32; 5],
    interleave: I,
    swizzle: S,
    fill: F,
}

const TILED: Tiled = Tiled {
    element: T::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    rank: 2,
    address: 0x10_0000_0100,
    dims: [256, 128, 1, 1, 1],
    strides: [1024, 1 << 17, 1 << 17, 1 << 17],
    lengths: [16, 64, 1, 1, 1],
    steps: [1; 5],
    interleave: I::CU_TENSOR_MAP_INTERLEAVE_NONE,
    swizzle: S::CU_TENSOR_MAP_SWIZZLE_NONE,
    fill: F::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
};

impl Tiled {
    fn encode(&self, map: *mut CUtensorMap) -> CUresult {
        unsafe {
            cuTensorMapEncodeTiled(
                map,
                self.element,
                self.rank,
                self.address as *mut c_void,
                self.dims.as_ptr(),
                self.strides.as_ptr(),
                self.lengths.as_ptr(),
                self.steps.as_ptr(),
                self.interleave,
                self.swizzle,
                L::CU_TENSOR_MAP_L2_PROMOTION_NONE,
                self.fill,
            )
        }
    }
}

fn changed(change: impl FnOnce(&mut Tiled)) -> CUresult {
    let mut tiled = TILED;
    change(&mut tiled);
    tiled.encode(&mut CUtensorMap { opaque: [0; 16] })
}

cases! {
    refused: {
        a_map_needs_a_place(_gpu): TILED.encode(std::ptr::null_mut()) => CUDA_ERROR_INVALID_VALUE;
        a_map_has_a_dimension(_gpu): changed(|map| map.rank = 0) => CUDA_ERROR_INVALID_VALUE;
        a_map_has_at_most_five_dimensions(_gpu): changed(|map| map.rank = 6) => CUDA_ERROR_INVALID_VALUE;
        an_address_is_aligned_to_16_bytes(_gpu): changed(|map| map.address += 8) => CUDA_ERROR_INVALID_VALUE;
        a_stride_is_a_multiple_of_16_bytes(_gpu): changed(|map| map.strides[0] = 1032) => CUDA_ERROR_INVALID_VALUE;
        a_stride_is_below_2_to_the_40(_gpu): changed(|map| map.strides[0] = 1 << 40) => CUDA_ERROR_INVALID_VALUE;
        a_dimension_is_not_empty(_gpu): changed(|map| map.dims[1] = 0) => CUDA_ERROR_INVALID_VALUE;
        a_dimension_is_at_most_2_to_the_32(_gpu): changed(|map| map.dims[0] = (1 << 32) + 1) => CUDA_ERROR_INVALID_VALUE;
        a_box_is_not_empty(_gpu): changed(|map| map.lengths[0] = 0) => CUDA_ERROR_INVALID_VALUE;
        a_box_has_at_most_256_rows(_gpu): changed(|map| map.lengths[1] = 257) => CUDA_ERROR_INVALID_VALUE;
        a_row_is_a_multiple_of_16_bytes(_gpu): changed(|map| map.lengths[0] = 5) => CUDA_ERROR_INVALID_VALUE;
        a_row_fits_its_swizzle(_gpu): changed(|map| map.swizzle = S::CU_TENSOR_MAP_SWIZZLE_32B) => CUDA_ERROR_INVALID_VALUE;
        a_step_is_not_zero(_gpu): changed(|map| map.steps[1] = 0) => CUDA_ERROR_INVALID_VALUE;
        a_step_is_at_most_8(_gpu): changed(|map| map.steps[1] = 9) => CUDA_ERROR_INVALID_VALUE;
        an_interleave_needs_three_dimensions(_gpu): changed(|map| map.interleave = I::CU_TENSOR_MAP_INTERLEAVE_16B) => CUDA_ERROR_INVALID_VALUE;
        integers_are_not_filled_with_nan(_gpu): changed(|map| {
            map.element = T::CU_TENSOR_MAP_DATA_TYPE_UINT32;
            map.fill = F::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        }) => CUDA_ERROR_INVALID_VALUE;
        dimensions_are_needed(_gpu): cuTensorMapEncodeTiled(&mut CUtensorMap { opaque: [0; 16] }, TILED.element, 2, std::ptr::null_mut(), nowhere(), TILED.strides.as_ptr(), TILED.lengths.as_ptr(), TILED.steps.as_ptr(), TILED.interleave, TILED.swizzle, L::CU_TENSOR_MAP_L2_PROMOTION_NONE, TILED.fill) => CUDA_ERROR_INVALID_VALUE;
        columns_need_three_dimensions(_gpu): im2col(2, 64) => CUDA_ERROR_INVALID_VALUE;
        columns_have_at_most_1024_pixels(_gpu): im2col(4, 1025) => CUDA_ERROR_INVALID_VALUE;
        maps_need_a_device_with_them(_gpu): { let ampere = Gpu::new(2); let result = changed(|_| ()); drop(ampere); result } => CUDA_ERROR_NOT_SUPPORTED;
        an_address_is_replaced_by_an_aligned_one(_gpu): {
            let mut map = CUtensorMap { opaque: [0; 16] };
            ok(TILED.encode(&raw mut map));
            cuTensorMapReplaceAddress(&raw mut map, 0x1004 as *mut c_void)
        } => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        maps_are_encoded,
        an_address_can_be_replaced,
    }
}

fn im2col(rank: u32, pixels: u32) -> CUresult {
    let (dims, strides) = ([64u64, 32, 32, 8, 1], [128u64, 4096, 1 << 17, 1 << 20]);
    unsafe {
        cuTensorMapEncodeIm2col(
            &mut CUtensorMap { opaque: [0; 16] },
            T::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
            rank,
            0x10_0000_0100 as *mut c_void,
            dims.as_ptr(),
            strides.as_ptr(),
            [0; 3].as_ptr(),
            [0; 3].as_ptr(),
            64,
            pixels,
            [1; 5].as_ptr(),
            I::CU_TENSOR_MAP_INTERLEAVE_NONE,
            S::CU_TENSOR_MAP_SWIZZLE_128B,
            L::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            F::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    }
}

fn maps_are_encoded(_gpu: &Gpu) {
    ok(changed(|_| ()));
    ok(changed(|map| map.rank = 5));
    ok(changed(|map| {
        map.lengths[0] = 32;
        map.swizzle = S::CU_TENSOR_MAP_SWIZZLE_128B;
    }));
    ok(im2col(4, 128));
}

fn an_address_can_be_replaced(_gpu: &Gpu) {
    let (mut one, mut two) = (
        CUtensorMap { opaque: [0; 16] },
        CUtensorMap { opaque: [0; 16] },
    );
    ok(TILED.encode(&raw mut one));
    let mut other = TILED;
    other.address = 0x10_0000_0200;
    ok(other.encode(&raw mut two));
    assert_ne!(one.opaque, two.opaque);
    unsafe {
        ok(cuTensorMapReplaceAddress(
            &raw mut one,
            0x10_0000_0200 as *mut c_void,
        ));
    }
    assert_eq!(one.opaque, two.opaque);
}
