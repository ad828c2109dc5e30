//! Encodes, for the simulator, the tensor maps that a kernel takes after its parameters, as the driver does
//! for TMA.

use tile_backend::manifest::{BoxSwizzle, MapNumber, TensorMap};

/// Encodes a map for parameters with these values, as `cuTensorMapEncodeTiled` does. Returns the reason if
/// this fails.
pub(crate) fn encoded(map: &TensorMap, parameters: &[u64]) -> Result<tile_sim::TensorMap, String> {
    let TensorMap {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let number = |number: MapNumber| match number {
        MapNumber::Param(position) => parameters[position],
        MapNumber::Constant(number) => number,
    };
    let bytes = u64::from(*element_bytes);
    let extents: Vec<u64> = axes.iter().map(|axis| number(axis.extent)).collect();
    let behind = axes.get(1..).unwrap_or_default();
    let strides: Vec<u64> = behind
        .iter()
        .map(|axis| number(axis.stride).saturating_mul(bytes))
        .collect();
    let lengths: Vec<u32> = axes.iter().map(|axis| axis.length).collect();
    let swizzle = match swizzle {
        BoxSwizzle::None => tile_sim::Swizzle::None,
        BoxSwizzle::Bytes32 => tile_sim::Swizzle::Bytes32,
        BoxSwizzle::Bytes64 => tile_sim::Swizzle::Bytes64,
        BoxSwizzle::Bytes128 => tile_sim::Swizzle::Bytes128,
    };
    let element = match element_bytes {
        1 => tile_sim::TensorType::UInt8,
        2 => tile_sim::TensorType::UInt16,
        4 => tile_sim::TensorType::UInt32,
        _ => tile_sim::TensorType::UInt64,
    };
    let options = tile_sim::TensorMapOptions {
        swizzle,
        ..tile_sim::TensorMapOptions::default()
    };
    let steps = vec![1; axes.len()];
    let address = parameters[*base];
    tile_sim::TensorMap::tiled(
        element, address, &extents, &strides, &lengths, &steps, options,
    )
    .map_err(|error| format!("parameter {base} has no tensor map: {error}"))
}
