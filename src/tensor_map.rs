//! Tensor maps, the descriptors by which TMA addresses a tensor.
//!
//! Computes the arguments of `cuTensorMapEncodeTiled` from the image's description of a map and the
//! parameters of a launch. The result is `None` if the tensor has no map; the launch then takes the
//! general variant. `driver/` and `sim/` encode maps from these arguments.
//!
//! A tensor has a map under these conditions (CUDA driver API, `cuTensorMapEncodeTiled`):
//!
//! - it has at most 5 axes, and none of them is empty
//! - its first element is on a 16-byte boundary, and every stride except that of the first axis is
//!   a multiple of 16 bytes, above 0 and below 2^40
//! - extents are below 2^31, the limit of coordinates

use crate::image::{MapImage, MapNumber};

/// The maximum rank of a tensor with a map.
pub(crate) const MAX_RANK: usize = 5;

const ALIGN_BYTES: u64 = 16;
const MAX_ELEMENTS: u64 = 1 << 31;
const MAX_STRIDE_BYTES: u64 = 1 << 40;

/// The arguments of an encoding; only the first `rank` numbers of each array are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Encoding {
    pub(crate) rank: usize,
    pub(crate) element_bytes: u32,
    /// The swizzle mode, as the driver's number.
    pub(crate) swizzle: u32,
    pub(crate) address: u64,
    /// The extents in elements, from the innermost axis.
    pub(crate) extents: [u64; MAX_RANK],
    /// The strides in bytes, of all axes after the first.
    pub(crate) strides: [u64; MAX_RANK - 1],
    /// The lengths of the box, in elements.
    pub(crate) lengths: [u32; MAX_RANK],
}

/// Returns the encodings of maps, with these parameters; `None` if a tensor has no map.
pub(crate) fn encodings(maps: &[MapImage], parameters: &[u64]) -> Option<Vec<Encoding>> {
    maps.iter().map(|map| encoding(map, parameters)).collect()
}

fn encoding(map: &MapImage, parameters: &[u64]) -> Option<Encoding> {
    let &MapImage {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let number = |number: MapNumber| match number {
        MapNumber::Param(position) => parameters.get(position).copied(),
        MapNumber::Constant(number) => Some(number),
    };
    let mut encoding = Encoding {
        rank: axes.len(),
        element_bytes,
        swizzle,
        address: *parameters.get(base)?,
        extents: [1; MAX_RANK],
        strides: [0; MAX_RANK - 1],
        lengths: [1; MAX_RANK],
    };
    let is_aligned = |bytes: u64| bytes.is_multiple_of(ALIGN_BYTES);
    if !(1..=MAX_RANK).contains(&axes.len()) || !is_aligned(encoding.address) {
        return None;
    }
    for (axis, &(extent, stride, length)) in axes.iter().enumerate() {
        let extent = number(extent)?;
        if !(1..MAX_ELEMENTS).contains(&extent) {
            return None;
        }
        encoding.extents[axis] = extent;
        encoding.lengths[axis] = length;
        if let Some(before) = axis.checked_sub(1) {
            let mut bytes = number(stride)?.checked_mul(u64::from(element_bytes))?;
            if bytes == 0 && extent == 1 {
                // The stride has no effect.
                bytes = ALIGN_BYTES;
            }
            if bytes == 0 || bytes >= MAX_STRIDE_BYTES || !is_aligned(bytes) {
                return None;
            }
            encoding.strides[before] = bytes;
        }
    }
    Some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tensor of `f16`: a pointer, two extents and two strides.
    const MAP: MapImage = MapImage {
        base: 0,
        element_bytes: 2,
        swizzle: 3,
        axes: &[
            (MapNumber::Param(2), MapNumber::Constant(1), 64),
            (MapNumber::Param(1), MapNumber::Param(3), 128),
        ],
    };

    fn encode(parameters: [u64; 5]) -> Option<Encoding> {
        encodings(&[MAP], &parameters).map(|encodings| encodings[0])
    }

    #[test]
    fn a_map_is_made_of_parameters_the_innermost_axis_first() {
        let expected = Encoding {
            rank: 2,
            element_bytes: 2,
            swizzle: 3,
            address: 1 << 20,
            extents: [100, 300, 1, 1, 1],
            strides: [208, 0, 0, 0],
            lengths: [64, 128, 1, 1, 1],
        };
        assert_eq!(encode([1 << 20, 300, 100, 104, 1]), Some(expected));
    }

    #[test]
    fn what_the_driver_refuses_has_no_map() {
        assert!(encode([16, 1, 8, 8, 1]).is_some());
        assert_eq!(encode([16, 1, 8, 0, 1]).map(|map| map.strides[0]), Some(16));
        for refused in [
            [8, 1, 8, 8, 1],
            [16, 0, 8, 8, 1],
            [16, 1, 0, 8, 1],
            [16, 1 << 31, 8, 8, 1],
            [16, 1, 8, 4, 1],
            [16, 2, 8, 0, 1],
            [16, 1, 8, 1 << 39, 1],
            [16, 1, 8, u64::MAX - 7, 1],
        ] {
            assert_eq!(encode(refused), None, "{refused:?}");
        }
    }
}
