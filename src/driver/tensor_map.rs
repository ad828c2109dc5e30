//! Tensor maps, encoded by the driver for one launch.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::sys;

use super::module::{Code, loaded_arch};
use super::{Context, check};
use crate::Result;
use crate::tensor_map::{Encoding, MAX_RANK, encodings};

/// Encodes the tensor maps of a variant for these parameters. Returns `None` if one cannot be
/// encoded.
pub(crate) fn tensor_maps(
    context: &'static Context,
    code: Code,
    parameters: &[u64],
) -> Result<Option<Vec<sys::CUtensorMap>>> {
    if code.variant.archs.iter().all(|arch| arch.maps.is_empty()) {
        return Ok(Some(Vec::new()));
    }
    let arch = loaded_arch(context, code)?;
    let Some(encodings) = encodings(arch.maps, parameters) else {
        return Ok(None);
    };
    encodings.iter().map(encoded).collect()
}

/// The number of tensor maps that are kept, 0.5 MiB of them.
const MOST_KEPT: usize = 2048;

/// Returns a tensor map, which the driver encodes if it is new. Returns `None` if the driver rejects it. A map depends on
/// nothing but its encoding, so it is kept for all devices.
fn encoded(encoding: &Encoding) -> Result<Option<sys::CUtensorMap>> {
    static KEPT: Mutex<BTreeMap<Encoding, sys::CUtensorMap>> = Mutex::new(BTreeMap::new());

    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(map) = kept.get(encoding) {
        return Ok(Some(*map));
    }
    let Some(map) = encode(encoding)? else {
        return Ok(None);
    };
    if kept.len() == MOST_KEPT {
        kept.clear();
    }
    kept.insert(*encoding, map);
    Ok(Some(map))
}

/// Encodes one tensor map. Returns `None` if the driver rejects it.
fn encode(encoding: &Encoding) -> Result<Option<sys::CUtensorMap>> {
    let Encoding {
        rank,
        element_bytes,
        swizzle,
        address,
        extents,
        strides,
        lengths,
    } = encoding;
    let element = match element_bytes {
        1 => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        2 => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        4 => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        _ => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT64,
    };
    let swizzle = match swizzle {
        1 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B,
        2 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B,
        3 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
        _ => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
    };
    let (Ok(rank), Ok(address)) = (u32::try_from(*rank), usize::try_from(*address)) else {
        return Ok(None);
    };
    let mut map = sys::CUtensorMap { opaque: [0; 16] };
    let steps = [1; MAX_RANK];
    // SAFETY: the driver writes one map. It reads `rank` extents and lengths and `rank - 1` strides
    // from arrays that are at least as long, and does not dereference the address.
    let result = unsafe {
        sys::cuTensorMapEncodeTiled(
            &raw mut map,
            element,
            rank,
            ptr::without_provenance_mut::<c_void>(address),
            extents.as_ptr(),
            strides.as_ptr(),
            lengths.as_ptr(),
            steps.as_ptr(),
            sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    };
    if result == sys::CUresult::CUDA_ERROR_INVALID_VALUE {
        return Ok(None);
    }
    check("cuTensorMapEncodeTiled", result)?;
    Ok(Some(map))
}
