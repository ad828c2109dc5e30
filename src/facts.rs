//! What a variant assumes of its tensors, and the parameters it takes.
//!
//! `fast` assumes of every tensor: the first element on a 16-byte boundary, the
//! innermost stride 1, every other stride a multiple of 16 bytes, and extents
//! and reach below 2^31 elements. The stride of an axis with one element is
//! never used, so it does not count. `general` assumes nothing.
//!
//! An entry takes, per tensor, a pointer, the extents and the strides, which
//! are 32-bit for `fast` and 64-bit for `general`; per scalar and pointer, its value.

use crate::launch::{TensorArg, Value};
use crate::private::VariantKind;

/// What `fast` needs of addresses: one 128-bit access.
const ALIGNMENT: u64 = 16;
const MOST_ELEMENTS: u128 = 1 << 31;

/// Whether a tensor is what the `fast` variant assumes.
pub(crate) fn allow_fast(tensor: &TensorArg) -> bool {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    let innermost = shape.len() - 1;
    let aligned = shape
        .iter()
        .zip(strides)
        .enumerate()
        .filter(|(_, (extent, _))| **extent != 1)
        .all(|(axis, (_, &stride))| {
            if axis == innermost {
                stride == 1
            } else {
                (stride as u64)
                    .wrapping_mul(tensor.element_bytes as u64)
                    .is_multiple_of(ALIGNMENT)
            }
        });
    let reach: u128 = shape
        .iter()
        .zip(strides)
        .map(|(&extent, &stride)| (extent as u128 - 1) * stride as u128)
        .sum();
    aligned
        && tensor.address().is_multiple_of(ALIGNMENT)
        && reach < MOST_ELEMENTS
        && shape.iter().all(|&extent| (extent as u128) < MOST_ELEMENTS)
}

/// The values of the entry's parameters, in the low bytes of each word.
pub(crate) fn parameters(values: &[Value], kind: VariantKind) -> Vec<u64> {
    parameters_at(values, kind, TensorArg::address)
}

/// Likewise, with the first element of each tensor at an address of its own.
pub(crate) fn parameters_at(
    values: &[Value],
    kind: VariantKind,
    address: impl Fn(&TensorArg) -> u64,
) -> Vec<u64> {
    let mut parameters = Vec::with_capacity(values.len() * 5);
    for value in values {
        match value {
            Value::Scalar(bits) => parameters.push(*bits),
            Value::Pointer(target) => parameters.push(address(target)),
            Value::Tensor(tensor) => {
                parameters.push(address(tensor));
                extents(tensor, kind, &mut parameters);
            }
        }
    }
    parameters
}

/// The extents and strides of a tensor.
pub(crate) fn extents(tensor: &TensorArg, kind: VariantKind, parameters: &mut Vec<u64>) {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    parameters.extend(shape.iter().map(|&extent| extent as u64));
    let innermost = shape.len() - 1;
    for (axis, (&extent, &stride)) in shape.iter().zip(strides).enumerate() {
        parameters.push(match kind {
            VariantKind::General => stride as u64,
            VariantKind::Fast if axis == innermost => 1,
            // Never used, but the kernel may assume that it is a multiple.
            VariantKind::Fast if extent == 1 => ALIGNMENT,
            VariantKind::Fast => stride as u64,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Device;
    use crate::driver::Access;
    use crate::layout::Layout;
    use crate::storage::Storage;

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
        TensorArg::new(Arc::new(storage), Access::Shared, element_bytes, &layout)
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
    fn strides_of_axes_with_one_element_do_not_count() {
        assert!(allow_fast(&tensor(4, 0, [1, 7], [7, 1])));
        assert!(allow_fast(&tensor(4, 0, [4, 1], [4, 3])));
        assert_eq!(
            extents_of(&tensor(4, 0, [1, 7], [7, 1]), VariantKind::Fast),
            [1, 7, 16, 1]
        );
        assert_eq!(
            extents_of(&tensor(4, 0, [1, 7], [7, 1]), VariantKind::General),
            [1, 7, 7, 1]
        );
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
            parameters(&values, VariantKind::General),
            [address, 4, 8, 8, 1, 5]
        );
    }

    fn extents_of(tensor: &TensorArg, kind: VariantKind) -> Vec<u64> {
        let mut parameters = Vec::new();
        extents(tensor, kind, &mut parameters);
        parameters
    }
}
