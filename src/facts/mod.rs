//! Assumptions about arguments, and the parameters of an entry.
//!
//! Every launch checks the facts that the kernel states ([`stated`]), and is refused if a fact does
//! not hold. The launch then takes the first variant whose assumptions hold. No other assumptions
//! are made about arguments, apart from the requirements of every launch (`launch.rs`):
//!
//! | property | `fast` | `general` |
//! |---|---|---|
//! | the first element of a tensor | on a 16-byte boundary | |
//! | the stride of the unit-stride axis | 1 | |
//! | the other strides | multiples of 16 bytes | |
//! | extents | 1 or more, below 2^31 | |
//! | the sum of all `(extent - 1) * stride` | below 2^31 elements | |
//! | blocks along an axis whose grid counts the tiles of a tensor | at most the number of tiles | |
//!
//! The unit-stride axis is the last one, unless the kernel states that another axis has the
//! stride 1. The stride of an axis with one element is not checked if the kernel uses it for
//! addresses only, since it is then multiplied by 0. No variant assumes anything about numbers and
//! raw pointers.
//!
//! An entry takes, per tensor, a pointer, the extents and the strides, which are 32-bit for `fast`
//! and 64-bit for `general`. Per scalar and raw pointer, it takes the value.

pub(crate) mod stated;

use crate::args::{TensorArg, Value};
use crate::image::{KernelImage, VariantKind};

/// The alignment in bytes that `fast` assumes of addresses: one 128-bit access.
const ALIGNMENT: u64 = 16;
const MAX_ELEMENTS: u128 = 1 << 31;

/// Returns `true` if the tensor that is argument `param` satisfies the assumptions of the `fast`
/// variant.
pub(crate) fn allow_fast(image: &KernelImage, param: usize, tensor: &TensorArg) -> bool {
    if tensor.is_empty() {
        return false;
    }
    let (shape, strides) = (tensor.shape(), tensor.strides());
    let unit = image.unit_axis(param, shape.len());
    let aligned = shape
        .iter()
        .zip(strides)
        .enumerate()
        .filter(|(_, (extent, _))| **extent != 1 || image.strides_read.contains(&param))
        .all(|(axis, (_, &stride))| {
            if axis == unit {
                stride == 1
            } else {
                stride_is_aligned(tensor, stride)
            }
        });
    let reach: u128 = shape
        .iter()
        .zip(strides)
        .map(|(&extent, &stride)| (extent as u128 - 1) * stride as u128)
        .sum();
    aligned
        && tensor.address().is_multiple_of(ALIGNMENT)
        && reach < MAX_ELEMENTS
        && shape.iter().all(|&extent| (extent as u128) < MAX_ELEMENTS)
}

/// Returns `true` if the number of blocks of a launch satisfies the assumptions of the `fast`
/// variant.
pub(crate) fn allow_blocks(image: &KernelImage, grid: [u32; 3], values: &[Value]) -> bool {
    image
        .grid_tiles
        .iter()
        .all(|tiles| match &values[tiles.param] {
            Value::Tensor(tensor) => {
                let extent = tensor.shape()[tiles.dim] as u64;
                u64::from(grid[tiles.axis]) <= extent.div_ceil(tiles.step)
            }
            Value::Scalar(_) | Value::Pointer(_) => false,
        })
}

fn stride_is_aligned(tensor: &TensorArg, stride: usize) -> bool {
    (stride as u64)
        .wrapping_mul(tensor.element_bytes as u64)
        .is_multiple_of(ALIGNMENT)
}

/// Returns the values of the entry's parameters, in the low bytes of each word.
pub(crate) fn parameters(image: &KernelImage, values: &[Value], kind: VariantKind) -> Vec<u64> {
    parameters_at(image, values, kind, TensorArg::address)
}

/// Like [`parameters`], but takes the address of each tensor's first element from a callback.
pub(crate) fn parameters_at(
    image: &KernelImage,
    values: &[Value],
    kind: VariantKind,
    address: impl Fn(&TensorArg) -> u64,
) -> Vec<u64> {
    let mut parameters = Vec::with_capacity(values.len() * 5);
    for (param, value) in values.iter().enumerate() {
        match value {
            Value::Scalar(bits) => parameters.push(*bits),
            Value::Pointer(target) => parameters.push(address(target)),
            Value::Tensor(tensor) => {
                parameters.push(address(tensor));
                let unit = match kind {
                    VariantKind::General => None,
                    VariantKind::Fast => Some(image.unit_axis(param, tensor.shape().len())),
                };
                extents(tensor, unit, &mut parameters);
            }
        }
    }
    parameters
}

/// Appends the extents and strides of a tensor; `unit` is the unit-stride axis for `fast`.
pub(crate) fn extents(tensor: &TensorArg, unit: Option<usize>, parameters: &mut Vec<u64>) {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    parameters.extend(shape.iter().map(|&extent| extent as u64));
    for (axis, (&extent, &stride)) in shape.iter().zip(strides).enumerate() {
        parameters.push(match unit {
            None => stride as u64,
            Some(unit) if axis == unit => 1,
            // Such a stride is not used for addresses, but the kernel may assume that it is a
            // multiple.
            Some(_) if extent == 1 && !stride_is_aligned(tensor, stride) => ALIGNMENT,
            Some(_) => stride as u64,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;
    use crate::driver::Access;
    use crate::layout::Layout;
    use crate::storage::Storage;

    static IMAGE: KernelImage = KernelImage::new("k", ("k.rs", 1), &["a"], &[], &[]);
    /// A kernel that states that axis 0 has the stride 1.
    static COLUMNS: KernelImage = KernelImage {
        units: &[(0, 0)],
        ..KernelImage::new("k", ("k.rs", 1), &["a"], &[], &[])
    };

    fn allow_fast(tensor: &TensorArg) -> bool {
        super::allow_fast(&IMAGE, 0, tensor)
    }

    fn tensor<const R: usize>(
        element_bytes: usize,
        offset: usize,
        shape: [usize; R],
        strides: [usize; R],
    ) -> TensorArg {
        let storage = Storage::zeroed(Device::cpu(), 16).expect("a small buffer");
        let layout = Layout {
            offset,
            shape,
            strides,
        };
        let scalar = match element_bytes {
            2 => tile_core::Scalar::F16,
            4 => tile_core::Scalar::F32,
            8 => tile_core::Scalar::F64,
            _ => tile_core::Scalar::I8,
        };
        TensorArg::new(storage, Access::Shared, scalar, &layout)
    }

    #[test]
    fn a_row_major_tensor_with_aligned_rows_is_fast() {
        assert!(allow_fast(&tensor(4, 0, [4, 8], [8, 1])));
        assert!(allow_fast(&tensor(2, 0, [4, 8], [8, 1])));
        assert!(allow_fast(&tensor(4, 0, [1001], [1])));
    }

    #[test]
    fn a_row_that_is_no_multiple_of_16_bytes_is_not_fast() {
        assert!(!allow_fast(&tensor(4, 0, [4, 7], [7, 1])));
        assert!(!allow_fast(&tensor(2, 0, [4, 4], [4, 1])));
    }

    #[test]
    fn an_unaligned_first_element_is_not_fast() {
        assert!(!allow_fast(&tensor(4, 1, [8], [1])));
        assert!(allow_fast(&tensor(4, 4, [8], [1])));
    }

    #[test]
    fn an_innermost_stride_other_than_1_is_not_fast() {
        assert!(!allow_fast(&tensor(4, 0, [8, 8], [1, 8])));
        assert!(!allow_fast(&tensor(4, 0, [8], [2])));
    }

    #[test]
    fn a_tensor_without_elements_is_not_fast() {
        assert!(!allow_fast(&tensor(4, 0, [0, 8], [8, 1])));
        assert!(!allow_fast(&tensor(4, 0, [8, 0], [8, 1])));
    }

    #[test]
    fn a_repeated_axis_is_fast() {
        assert!(allow_fast(&tensor(4, 0, [5, 8], [0, 1])));
        assert!(!allow_fast(&tensor(4, 0, [5, 8], [1, 0])));
    }

    #[test]
    fn strides_of_axes_with_one_element_do_not_count() {
        assert!(allow_fast(&tensor(4, 0, [1, 7], [7, 1])));
        assert!(allow_fast(&tensor(4, 0, [4, 1], [4, 3])));
        assert_eq!(
            extents_of(&tensor(4, 0, [1, 7], [7, 1]), Some(1)),
            [1, 7, 16, 1]
        );
        assert_eq!(
            extents_of(&tensor(4, 0, [1, 7], [7, 1]), None),
            [1, 7, 7, 1]
        );
        // An aligned stride is passed unchanged, since a fact may relate it to other values.
        assert_eq!(
            extents_of(&tensor(4, 0, [1, 8], [8, 1]), Some(1)),
            [1, 8, 8, 1]
        );
    }

    #[test]
    fn strides_of_axes_with_one_element_count_where_the_kernel_reads_them() {
        static READS: KernelImage = KernelImage {
            strides_read: &[0],
            ..KernelImage::new("k", ("k.rs", 1), &["a"], &[], &[])
        };
        for (shape, strides) in [([1, 7], [7, 1]), ([4, 1], [4, 3])] {
            let a = tensor(4, 0, shape, strides);
            assert!(allow_fast(&a) && !super::allow_fast(&READS, 0, &a));
        }
        assert!(super::allow_fast(&READS, 0, &tensor(4, 0, [1, 8], [8, 1])));
    }

    #[test]
    fn two_to_the_31_elements_are_too_many_for_fast() {
        let most = (1 << 31) - 1;
        assert!(allow_fast(&tensor(1, 0, [most], [1])));
        assert!(!allow_fast(&tensor(1, 0, [most + 1], [1])));
        assert!(!allow_fast(&tensor(1, 0, [3, 16], [1 << 30, 1])));
    }

    #[test]
    fn parameters_are_pointer_extents_strides_and_scalars_in_order() {
        let first = tensor(4, 4, [4, 8], [8, 1]);
        let address = first.address();
        let values = [Value::Tensor(first), Value::Scalar(5)];
        assert_eq!(
            parameters(&IMAGE, &values, VariantKind::General),
            [address, 4, 8, 8, 1, 5]
        );
    }

    #[test]
    fn where_another_axis_is_stated_to_have_the_stride_1_it_is_the_unit_axis() {
        let columns = tensor(4, 0, [4, 8], [1, 4]);
        assert!(super::allow_fast(&COLUMNS, 0, &columns));
        assert!(!allow_fast(&columns));
        let rows = tensor(4, 0, [4, 8], [8, 1]);
        assert!(!super::allow_fast(&COLUMNS, 0, &rows));
        let unaligned = tensor(4, 0, [3, 4], [1, 3]);
        assert!(!super::allow_fast(&COLUMNS, 0, &unaligned));
        assert_eq!(extents_of(&columns, Some(0)), [4, 8, 1, 4]);
        assert_eq!(
            parameters(&COLUMNS, &[Value::Tensor(columns)], VariantKind::Fast)[1..],
            [4, 8, 1, 4]
        );
    }

    fn extents_of(tensor: &TensorArg, unit: Option<usize>) -> Vec<u64> {
        let mut parameters = Vec::new();
        extents(tensor, unit, &mut parameters);
        parameters
    }
}
