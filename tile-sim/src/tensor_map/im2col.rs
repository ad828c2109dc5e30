//! im2col mode (PTX ISA, "im2col mode").
//!
//! The dimensions are channels (C), width (W), height (H), depth (D) and images (N). The filter's
//! base position moves over the pixel box, `lower ..= dim - 1 + upper` along each dimension, W
//! first. The im2col offsets select the element of the filter that is loaded.

use super::pieces::{CopyError, Row};
use super::{Columns, TensorMap};

/// The start of an im2col copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Im2colStart<'a> {
    pub(crate) coordinates: &'a [i32],
    /// The filter offsets along W, H and D; an empty slice for zeros.
    pub(crate) offsets: &'a [u16],
}

/// The number of pixels of a row (PTX ISA, "`im2col::w` and `im2col::w::128` modes").
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    /// The number of pixels without the halo.
    pub(super) pixels: u32,
    /// The number of pixels after which a halo follows.
    pub(super) part: u32,
    /// The number of pixels of each halo.
    pub(super) halo: u16,
}

/// The pixel box along one dimension.
#[derive(Clone, Copy)]
struct Range {
    min: i64,
    max: i64,
    step: i64,
}

impl TensorMap {
    fn pixel_range(&self, columns: &Columns, axis: usize) -> Range {
        let length = self.dims[axis].cast_signed();
        Range {
            min: i64::from(columns.lower[axis - 1]),
            max: length - 1 + i64::from(columns.upper[axis - 1]),
            step: i64::from(self.step(axis)),
        }
    }

    pub(super) fn im2col_rows(
        &self,
        start: Im2colStart<'_>,
        columns: &Columns,
    ) -> Result<Vec<Row>, CopyError> {
        let mut pixel = self.coordinates(start.coordinates)?;
        let images = self.rank - 1;
        let axes = 1..images;
        // PTX ISA, "im2col mode": an offset has 16 bits for one spatial dimension, 8 for two, 5 for
        // three.
        let max = match self.rank {
            3 => u16::MAX,
            4 => 255,
            _ => 31,
        };
        let mut offsets = [0; 5];
        for (number, &offset) in start.offsets.iter().enumerate() {
            let axis = number + 1;
            if offset > max {
                return Err(CopyError::Offset {
                    axis,
                    found: offset,
                    max,
                });
            }
            offsets[axis] = i64::from(offset);
        }
        for axis in axes.clone() {
            let Range { min, max, .. } = self.pixel_range(columns, axis);
            if pixel[axis] < min || pixel[axis] > max {
                return Err(CopyError::Corner {
                    axis,
                    found: pixel[axis],
                    min,
                    max,
                });
            }
        }
        let mut rows = Vec::new();
        for _ in 0..columns.pixels {
            rows.push(std::array::from_fn(|axis| pixel[axis] + offsets[axis]));
            // The base position advances like a counter with W as the lowest digit; a carry out of
            // the box enters the next image.
            let mut carried = true;
            for axis in axes.clone() {
                let Range { min, max, step } = self.pixel_range(columns, axis);
                pixel[axis] += step;
                if pixel[axis] <= max {
                    carried = false;
                    break;
                }
                pixel[axis] = min;
            }
            pixel[images] += i64::from(carried);
        }
        Ok(rows)
    }

    /// Returns the rows of an `im2col::w` copy, which moves along W only and continues in the next
    /// image.
    ///
    /// The halo consists of the pixels that follow the last pixel of a part in the same image, even
    /// if they are outside the box. The filter finds the neighbors of the part's pixels there.
    pub(super) fn im2col_wide_rows(
        &self,
        coordinates: &[i32],
        offset: u16,
        columns: &Columns,
        wide: Wide,
    ) -> Result<Vec<Row>, CopyError> {
        let Wide { pixels, part, halo } = wide;
        let mut position = self.coordinates(coordinates)?;
        if offset > 31 {
            return Err(CopyError::Offset {
                axis: 1,
                found: offset,
                max: 31,
            });
        }
        let Range { min, max, step } = self.pixel_range(columns, 1);
        if position[1] > max {
            return Err(CopyError::Corner {
                axis: 1,
                found: position[1],
                min,
                max,
            });
        }
        let images = self.rank - 1;
        let mut rows = Vec::new();
        for pixel in 1..=pixels {
            let mut row = position;
            row[1] += i64::from(offset);
            rows.push(row);
            if pixel % part == 0 {
                for _ in 0..halo {
                    row[1] += step;
                    rows.push(row);
                }
            }
            position[1] += step;
            if position[1] > max {
                position[1] = min;
                position[images] += 1;
            }
        }
        Ok(rows)
    }
}
