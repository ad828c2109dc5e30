//! The layout of a tensor: shape, strides and offset of its elements in memory.

use std::ops::{Bound, RangeBounds};

use crate::overlap::{self, Elements, Sharing};
use crate::reshape::reshaped_strides;
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
        check_size(shape, element_bytes)?;
        Ok(Layout {
            offset: 0,
            shape,
            strides: row_major(shape),
        })
    }

    /// Returns a layout with these strides, in memory of `len` elements.
    pub(crate) fn strided(
        shape: [usize; R],
        strides: [usize; R],
        offset: usize,
        len: usize,
        element_bytes: usize,
    ) -> Result<Layout<R>> {
        check_size(shape, element_bytes)?;
        if shape.contains(&0) {
            return Ok(Layout {
                offset: offset.min(len),
                shape,
                strides,
            });
        }
        let last = shape
            .iter()
            .zip(strides)
            .try_fold(offset, |last, (&extent, stride)| {
                last.checked_add((extent - 1).checked_mul(stride)?)
            });
        let is_inside = last.is_some_and(|last| last < len);
        if !is_inside {
            return Err(Error::StridesOutOfBounds {
                shape: shape.to_vec(),
                strides: strides.to_vec(),
                offset,
                last,
                len,
            });
        }
        Ok(Layout {
            offset,
            shape,
            strides,
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

    pub(crate) fn transpose(&self, first: usize, second: usize) -> Result<Layout<R>> {
        self.check_axis(first)?;
        self.check_axis(second)?;
        let mut transposed = *self;
        transposed.shape.swap(first, second);
        transposed.strides.swap(first, second);
        Ok(transposed)
    }

    pub(crate) fn narrow(&self, axis: usize, range: impl RangeBounds<usize>) -> Result<Layout<R>> {
        self.slice(axis, range, 1)
    }

    /// Returns the layout of every element of a range of an axis that is a multiple of `step` from
    /// its start.
    pub(crate) fn slice(
        &self,
        axis: usize,
        range: impl RangeBounds<usize>,
        step: isize,
    ) -> Result<Layout<R>> {
        self.check_axis(axis)?;
        let extent = self.shape[axis];
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => extent,
        };
        if start > end || end > extent {
            return Err(Error::OutOfRange {
                axis,
                start,
                end,
                shape: self.shape.to_vec(),
            });
        }
        let positive = usize::try_from(step).ok().filter(|&step| step > 0);
        let step = positive.ok_or(Error::StepNotPositive { axis, step })?;
        let mut sliced = *self;
        sliced.shape[axis] = (end - start).div_ceil(step);
        if sliced.shape[axis] > 1 {
            // The product is the distance of two elements, if there are any.
            sliced.strides[axis] = sliced.strides[axis].saturating_mul(step);
        }
        if sliced.len() > 0 {
            // A layout without elements stays where it is, inside of the memory.
            sliced.offset += start * self.strides[axis];
        }
        Ok(sliced)
    }

    pub(crate) fn split_at(&self, axis: usize, index: usize) -> Result<[Layout<R>; 2]> {
        Ok([self.narrow(axis, ..index)?, self.narrow(axis, index..)?])
    }

    /// Returns the layouts of consecutive ranges of `len` indices of an axis; the last one may be
    /// shorter.
    pub(crate) fn chunks(
        &self,
        axis: usize,
        len: usize,
    ) -> Result<impl ExactSizeIterator<Item = Layout<R>> + use<R>> {
        self.check_axis(axis)?;
        if len == 0 {
            return Err(Error::EmptyChunks { axis });
        }
        let (whole, extent) = (*self, self.shape[axis]);
        let starts = (0..extent.div_ceil(len)).map(move |number| number * len);
        Ok(starts.map(move |start| {
            let end = start.saturating_add(len).min(extent);
            let chunk = whole.narrow(axis, start..end);
            chunk.expect("the range is within the axis")
        }))
    }

    /// Returns the layout at an index of an axis, without this axis.
    pub(crate) fn select<const R2: usize>(&self, axis: usize, index: usize) -> Result<Layout<R2>> {
        Ok(self
            .narrow(axis, index..index.saturating_add(1))?
            .remove_axis(axis))
    }

    /// Returns the layout without an axis of one element.
    pub(crate) fn squeeze<const R2: usize>(&self, axis: usize) -> Result<Layout<R2>> {
        self.check_axis(axis)?;
        if self.shape[axis] != 1 {
            return Err(Error::NotOneElement {
                axis,
                shape: self.shape.to_vec(),
            });
        }
        Ok(self.remove_axis(axis))
    }

    fn remove_axis<const R2: usize>(&self, axis: usize) -> Layout<R2> {
        const { assert!(R2 + 1 == R, "one axis less") };
        let other = |at: usize| if at < axis { at } else { at + 1 };
        Layout {
            offset: self.offset,
            shape: std::array::from_fn(|at| self.shape[other(at)]),
            strides: std::array::from_fn(|at| self.strides[other(at)]),
        }
    }

    /// Returns the layout with another axis of one element before `axis`.
    pub(crate) fn unsqueeze<const R2: usize>(&self, axis: usize) -> Result<Layout<R2>> {
        const { assert!(R + 1 == R2, "one axis more") };
        if axis > R {
            return Err(Error::NoSuchAxis {
                axis,
                shape: self.shape.to_vec(),
            });
        }
        // The stride that a row-major layout has there.
        let stride = match axis {
            0 => self.strides[0].saturating_mul(self.shape[0].max(1)),
            _ => self.strides[axis - 1],
        };
        let entry = |of: &[usize; R], at: usize, new: usize| match at {
            at if at < axis => of[at],
            at if at == axis => new,
            at => of[at - 1],
        };
        Ok(Layout {
            offset: self.offset,
            shape: std::array::from_fn(|at| entry(&self.shape, at, 1)),
            strides: std::array::from_fn(|at| entry(&self.strides, at, stride)),
        })
    }

    /// Returns the layout of the same elements along more or longer axes, which have the stride 0.
    pub(crate) fn broadcast<const R2: usize>(
        &self,
        shape: [usize; R2],
        element_bytes: usize,
    ) -> Result<Layout<R2>> {
        check_size(shape, element_bytes)?;
        let refused = || Error::NotBroadcastable {
            from: self.shape.to_vec(),
            to: shape.to_vec(),
        };
        let new = R2.checked_sub(R).ok_or_else(refused)?;
        let mut strides = [0; R2];
        for axis in 0..R {
            match (self.shape[axis], shape[new + axis]) {
                (from, to) if from == to => strides[new + axis] = self.strides[axis],
                (1, _) => {}
                _ => return Err(refused()),
            }
        }
        Ok(Layout {
            offset: self.offset,
            shape,
            strides,
        })
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
        let strides = reshaped_strides(&self.shape, &self.strides, &shape);
        let strides = strides.ok_or_else(|| Error::NotContiguous {
            shape: self.shape.to_vec(),
            strides: self.strides.to_vec(),
            to: shape.to_vec(),
        })?;
        Ok(Layout {
            offset: self.offset,
            shape,
            strides: std::array::from_fn(|axis| strides[axis]),
        })
    }

    /// Decides whether two indices are the same element.
    pub(crate) fn overlap(&self) -> Sharing {
        overlap::within(&Elements {
            offset: self.offset,
            shape: &self.shape,
            strides: &self.strides,
            element_bytes: 1,
        })
    }

    /// Refuses a layout in which a write to one index may change the element of another.
    pub(crate) fn check_writable(&self) -> Result<()> {
        match self.overlap() {
            Sharing::Apart => Ok(()),
            Sharing::Shared | Sharing::Unknown => Err(Error::ReadOnlyView {
                shape: self.shape.to_vec(),
                strides: self.strides.to_vec(),
            }),
        }
    }

    fn check_axis(&self, axis: usize) -> Result<()> {
        if axis < R {
            return Ok(());
        }
        Err(Error::NoSuchAxis {
            axis,
            shape: self.shape.to_vec(),
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

/// Refuses a shape whose size in bytes does not fit an `isize`.
fn check_size<const R: usize>(shape: [usize; R], element_bytes: usize) -> Result<()> {
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
        .map(|_| ())
        .ok_or_else(|| Error::ShapeTooLarge {
            shape: shape.to_vec(),
        })
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
    fn a_layout_without_elements_stays_inside_of_the_memory() {
        let layout = contiguous([4, 6]);
        let empty = layout.narrow(0, 4..4).expect("at the end");
        let empty = empty.narrow(1, 6..6).expect("at the end");
        assert_eq!((empty.offset, empty.shape), (0, [0, 0]));
        assert_eq!(empty.runs().count(), 0);
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
