//! The layout of a tensor: shape, strides and offset of its elements in memory.

use std::ops::Range;

use crate::{Error, Result};

/// The shape of a tensor, and its offset and strides in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout<const R: usize> {
    pub(crate) offset: usize,
    pub(crate) shape: [usize; R],
    pub(crate) strides: [usize; R],
}

impl<const R: usize> Layout<R> {
    /// Returns the row-major layout. Fails if the size in bytes does not fit an `isize`.
    pub(crate) fn contiguous(shape: [usize; R], element_bytes: usize) -> Result<Layout<R>> {
        let const_rank = const {
            assert!(R >= 1 && R <= 8, "a tensor has 1 to 8 axes");
            R
        };
        debug_assert_eq!(const_rank, R);
        shape
            .iter()
            // An extent of 0 makes the product 0, but the strides are computed from the other
            // extents.
            .try_fold(element_bytes, |bytes, &extent| {
                bytes.checked_mul(extent.max(1))
            })
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or_else(|| Error::ShapeTooLarge {
                shape: shape.to_vec(),
            })?;
        Ok(Layout {
            offset: 0,
            shape,
            strides: row_major(shape),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the distance in elements from the first to the last element in memory, both
    /// included.
    pub(crate) fn span(&self) -> usize {
        if self.len() == 0 {
            return 0;
        }
        1 + self
            .shape
            .iter()
            .zip(self.strides)
            .map(|(extent, stride)| (extent - 1) * stride)
            .sum::<usize>()
    }

    /// Returns `true` if the elements are in row-major order without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.len() == 0
            || self
                .shape
                .iter()
                .zip(self.strides)
                .zip(row_major(self.shape))
                .all(|((&extent, stride), expected)| extent == 1 || stride == expected)
    }

    pub(crate) fn permute(&self, axes: [usize; R]) -> Result<Layout<R>> {
        let mut seen = [false; R];
        for axis in axes {
            match seen.get_mut(axis) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(Error::NotAPermutation {
                        axes: axes.to_vec(),
                    });
                }
            }
        }
        Ok(Layout {
            offset: self.offset,
            shape: axes.map(|axis| self.shape[axis]),
            strides: axes.map(|axis| self.strides[axis]),
        })
    }

    pub(crate) fn narrow(&self, axis: usize, range: Range<usize>) -> Result<Layout<R>> {
        let Range { start, end } = range;
        if axis >= R || start > end || end > self.shape[axis] {
            return Err(Error::OutOfRange {
                axis,
                start,
                end,
                shape: self.shape.to_vec(),
            });
        }
        let mut narrowed = *self;
        narrowed.offset += start * self.strides[axis];
        narrowed.shape[axis] = end - start;
        Ok(narrowed)
    }

    pub(crate) fn reshape<const R2: usize>(
        &self,
        shape: [usize; R2],
        element_bytes: usize,
    ) -> Result<Layout<R2>> {
        let reshaped = Layout::contiguous(shape, element_bytes)?;
        if reshaped.len() != self.len() {
            return Err(Error::ReshapeLength {
                from: self.shape.to_vec(),
                from_len: self.len(),
                to: shape.to_vec(),
                to_len: reshaped.len(),
            });
        }
        if !self.is_contiguous() {
            return Err(Error::NotContiguous {
                strides: self.strides.to_vec(),
            });
        }
        Ok(Layout {
            offset: self.offset,
            ..reshaped
        })
    }

    /// Iterates over the contiguous runs of elements along the last axis, in row-major order. Each
    /// item is the offset of the first element and the length.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, usize)> + use<R> {
        let Layout {
            offset,
            shape,
            strides,
        } = *self;
        // A contiguous layout is one run.
        let (rows, run) = if self.is_contiguous() {
            (usize::from(self.len() > 0), self.len())
        } else if strides[R - 1] == 1 {
            (self.len() / shape[R - 1], shape[R - 1])
        } else {
            (self.len(), 1)
        };
        (0..rows).map(move |row| {
            let mut rest = row * run;
            let mut start = offset;
            for axis in (0..R).rev() {
                start += rest % shape[axis] * strides[axis];
                rest /= shape[axis];
            }
            (start, run)
        })
    }
}

fn row_major<const R: usize>(shape: [usize; R]) -> [usize; R] {
    let mut strides = [1; R];
    for axis in (1..R).rev() {
        strides[axis - 1] = strides[axis] * shape[axis].max(1);
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contiguous<const R: usize>(shape: [usize; R]) -> Layout<R> {
        Layout::contiguous(shape, 4).expect("a small shape")
    }

    #[test]
    fn strides_are_row_major() {
        assert_eq!(contiguous([2, 3, 4]).strides, [12, 4, 1]);
        assert_eq!(contiguous([5]).strides, [1]);
    }

    #[test]
    fn a_permuted_layout_spans_the_same_elements() {
        let layout = contiguous([2, 3, 4]);
        let permuted = layout.permute([2, 0, 1]).expect("a permutation");
        assert_eq!(permuted.shape, [4, 2, 3]);
        assert_eq!(permuted.strides, [1, 12, 4]);
        assert_eq!(permuted.span(), 24);
        assert!(!permuted.is_contiguous());
        assert!(layout.permute([0, 0, 1]).is_err());
        assert!(layout.permute([0, 1, 3]).is_err());
    }

    #[test]
    fn an_axis_of_one_does_not_break_contiguity() {
        let layout = contiguous([4, 1, 3])
            .permute([1, 0, 2])
            .expect("a permutation");
        assert!(layout.is_contiguous());
        assert_eq!(
            layout.reshape([12], 4).map(|layout| layout.strides),
            Ok([1])
        );
    }

    #[test]
    fn narrowing_rows_stays_contiguous_and_narrowing_columns_does_not() {
        let layout = contiguous([4, 6]);
        let rows = layout.narrow(0, 1..3).expect("within the axis");
        assert_eq!((rows.offset, rows.shape, rows.span()), (6, [2, 6], 12));
        assert!(rows.is_contiguous());
        let columns = layout.narrow(1, 2..4).expect("within the axis");
        assert_eq!((columns.offset, columns.span()), (2, 20));
        assert!(!columns.is_contiguous());
        assert!(layout.narrow(1, 2..7).is_err());
        assert!(layout.narrow(2, 0..0).is_err());
    }

    #[test]
    fn runs_are_as_long_as_the_layout_allows() {
        let layout = contiguous([2, 3]);
        assert_eq!(layout.runs().collect::<Vec<_>>(), [(0, 6)]);
        let columns = layout.narrow(1, 1..3).expect("within the axis");
        assert_eq!(columns.runs().collect::<Vec<_>>(), [(1, 2), (4, 2)]);
        let transposed = layout.permute([1, 0]).expect("a permutation");
        assert_eq!(
            transposed
                .runs()
                .map(|(offset, _)| offset)
                .collect::<Vec<_>>(),
            [0, 3, 1, 4, 2, 5]
        );
        assert_eq!(contiguous([0, 3]).runs().count(), 0);
    }

    #[test]
    fn a_shape_beyond_the_address_space_is_refused() {
        assert!(Layout::contiguous([usize::MAX, 2], 1).is_err());
        assert!(Layout::contiguous([usize::MAX, 0, 3], 1).is_err());
        assert!(Layout::contiguous([usize::MAX / 4], 4).is_err());
    }
}
