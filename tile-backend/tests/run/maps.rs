//! Encodes tensor maps for the simulator, for tests that launch without the facade. The tests of
//! `tile-frontend` include this file.

use tile_backend::manifest::{BoxSwizzle, MapNumber, TensorMap};

/// Encodes a map as the driver does, for parameters with these values; `None` if the driver would refuse it.
pub(crate) fn encoded(map: &TensorMap, words: &[u64]) -> Option<tile_sim::TensorMap> {
    let TensorMap {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let number = |number: MapNumber| match number {
        MapNumber::Param(position) => words[position],
        MapNumber::Constant(number) => number,
    };
    let bytes = u64::from(*element_bytes);
    let extents: Vec<u64> = axes.iter().map(|axis| number(axis.extent)).collect();
    let strides = axes[1..].iter().map(|axis| number(axis.stride) * bytes);
    let lengths: Vec<u32> = axes.iter().map(|axis| axis.length).collect();
    let swizzle = match swizzle {
        BoxSwizzle::None => tile_sim::Swizzle::None,
        BoxSwizzle::Bytes32 => tile_sim::Swizzle::Bytes32,
        BoxSwizzle::Bytes64 => tile_sim::Swizzle::Bytes64,
        BoxSwizzle::Bytes128 => tile_sim::Swizzle::Bytes128,
    };
    let encoded_map = tile_sim::TensorMap::tiled(
        match element_bytes {
            1 => tile_sim::TensorType::UInt8,
            2 => tile_sim::TensorType::UInt16,
            4 => tile_sim::TensorType::UInt32,
            _ => tile_sim::TensorType::UInt64,
        },
        words[*base],
        &extents,
        &strides.collect::<Vec<u64>>(),
        &lengths,
        &vec![1; axes.len()],
        tile_sim::TensorMapOptions {
            swizzle,
            ..tile_sim::TensorMapOptions::default()
        },
    );
    encoded_map.ok()
}
