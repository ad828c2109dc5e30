//! Views at run time, and the elements of a tensor that an index selects.
//!
//! A tensor view, its partition into tiles, and an index determine a [`Window`] that is entirely
//! inside the buffer; otherwise the access is a fault. One mechanism serves every view:
//!
//! ```text
//!              partition   strided            gather/scatter
//! tile starts  index·tile  index·traversal    index
//! ```
//!
//! - Along an axis of tiles, the elements are those from the start on, clipped at the end of the
//!   tensor. A start outside of the tensor is outside of the index space: the access selects
//!   nothing, or is a fault if the launch requests it ([`IndexSpace::Checked`]). The start is
//!   computed without wrapping, so that an overflow never appears to be in bounds.
//! - Along the sparse axis the elements are selected one by one, except those outside of the
//!   tensor.
//! - An access that the operation marks `inbounds`, but that is out of bounds, is a fault.

use super::buffers::{Pointer, Span};
use super::machine::{Machine, Slot, Stop, ViewSlot};
use super::{IndexSpace, outside};
use smallvec::SmallVec;

/// A tensor view.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) base: Pointer,
    pub(super) shape: SmallVec<[u64; 4]>,
    /// The strides in elements.
    pub(super) strides: SmallVec<[u64; 4]>,
}

/// The reach of tiles beyond the tensor along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The part outside of the tensor is clipped.
    Clipped,
    /// The operation promises that tiles are inside the tensor.
    Inside,
}

/// An axis of the tiles of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) index: Slot,
    /// The extent of a tile.
    pub(super) extent: usize,
    /// The axis of the tensor.
    pub(super) dim: usize,
    /// The distance between the starts of neighbouring tiles, in elements.
    pub(super) step: u64,
    pub(super) reach: Reach,
}

/// The width of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Bytes(usize),
    /// Half a byte: elements with an even index are in the low bits.
    Nibble,
}

impl Width {
    /// Returns the offset and length of the bytes from the element `first` to the one `more`
    /// elements further.
    pub(super) fn bytes(self, first: u128, more: u128) -> (u128, u128) {
        match self {
            Width::Bytes(size) => {
                let size = size as u128;
                let bytes = more.saturating_add(1).saturating_mul(size);
                (first.saturating_mul(size), bytes)
            }
            Width::Nibble => (first / 2, (first % 2).saturating_add(more) / 2 + 1),
        }
    }
}

/// The elements of a tile that are inside the tensor.
#[derive(Debug)]
pub(super) struct Window {
    /// The memory from the byte of the first element on.
    pub(super) span: Span,
    pub(super) width: Width,
    /// The number of elements that precede the first element in its byte.
    pub(super) before: usize,
    /// The axes of the tile, where adjacent ones are merged if possible.
    dims: SmallVec<[Dim; 4]>,
    /// The starts of the rows: the position in the tile, and the offset in elements from the first
    /// element. There is one entry unless the view has a sparse axis.
    picks: SmallVec<[(usize, usize); 1]>,
}

/// An axis of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dim {
    /// The extent of the tile.
    extent: usize,
    /// The number of leading elements that are inside the tensor.
    inside: usize,
    /// The distance between neighbours in the tensor, in elements.
    stride: usize,
}

impl Dim {
    /// Merges two axes if their elements are evenly spaced in the tensor.
    fn merge(outer: Dim, inner: Dim) -> Option<Dim> {
        if outer.extent == 1 {
            return Some(inner);
        }
        if inner.extent == 1 {
            return Some(outer);
        }
        let is_whole = inner.inside == inner.extent;
        let follows = inner.stride.checked_mul(inner.extent) == Some(outer.stride);
        (is_whole && follows).then_some(Dim {
            extent: outer.extent * inner.extent,
            inside: outer.inside * inner.extent,
            stride: inner.stride,
        })
    }
}

/// A contiguous run of a window's elements in the tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The offset of its first element, in elements from the window's first.
    pub(super) offset: usize,
    /// The position of its first element in the tile.
    pub(super) position: usize,
    pub(super) len: usize,
    /// The distance between neighbours in the tensor, in elements.
    pub(super) stride: usize,
}

/// The elements selected along the sparse axis: the position in the tile, and the index in the
/// tensor.
type Picks = SmallVec<[(usize, u64); 1]>;

impl Window {
    /// Returns the elements selected by the index in `axes`; `None` if there are none.
    pub(super) fn find(
        machine: &Machine<'_>,
        view: ViewSlot,
        axes: &[Axis],
        sparse: Option<usize>,
        width: Width,
    ) -> Result<Option<Window>, Stop> {
        let view = &machine.frame.views[view.0];
        let View { shape, strides, .. } = view;
        let mut dims: SmallVec<[Dim; 4]> = SmallVec::new();
        let mut picked: Picks = SmallVec::new();
        let mut is_outside = false;
        // The offset of the first element from the base, and that of the last from the first, in
        // elements.
        let (mut first, mut last) = (0_u128, 0_u128);
        for (number, axis) in axes.iter().enumerate() {
            let stride = u128::from(strides[axis.dim]);
            let extent = shape[axis.dim];
            let (start, len, dim) = if sparse == Some(number) {
                picked = axis
                    .picks(machine, number, extent)
                    .map_err(|message| promised(machine, view, axes, &message))?;
                let indices = || picked.iter().map(|&(_, index)| index);
                let (Some(least), Some(most)) = (indices().min(), indices().max()) else {
                    continue;
                };
                // The picks step along this axis.
                (least, most - least + 1, (1, 0))
            } else {
                let inside = axis.inside(machine, number, extent);
                let inside = inside.map_err(|message| promised(machine, view, axes, &message))?;
                let Some((start, len)) = inside else {
                    // Other axes may still violate a promise.
                    is_outside = true;
                    continue;
                };
                let inside = usize::try_from(len).unwrap_or(axis.extent);
                // A stride between several elements was checked with the last element; other
                // strides are unused.
                let stride = if len > 1 { strides[axis.dim] } else { 0 };
                (start, len, (inside, usize::try_from(stride).unwrap_or(0)))
            };
            first = first.saturating_add(u128::from(start).saturating_mul(stride));
            last = last.saturating_add(u128::from(len - 1).saturating_mul(stride));
            dims.push(Dim {
                extent: axis.extent,
                inside: dim.0,
                stride: dim.1,
            });
        }
        if is_outside && machine.options.index_space == IndexSpace::Checked {
            return Stop::here(outside::index(machine, view, axes, sparse));
        }
        if is_outside || sparse.is_some() && picked.is_empty() {
            return Ok(None);
        }
        let (skip, bytes) = width.bytes(first, last);
        let span = machine.buffers.span(view.base, skip, bytes);
        let span =
            span.map_err(|whole| outside::element(machine, view, axes, sparse, width, whole))?;
        let before = usize::from(width == Width::Nibble && first % 2 == 1);
        Ok(Some(Window {
            span,
            width,
            before,
            dims: merged(&dims),
            picks: starts(&picked, axes, sparse, strides),
        }))
    }

    /// Returns the number of elements of a tile that are inside the tensor.
    pub(super) fn count(&self) -> usize {
        let inside = self.dims.iter().map(|dim| dim.inside);
        inside.product::<usize>() * self.picks.len()
    }

    /// Returns the memory of element `index` of `row`: the byte that contains it.
    pub(super) fn place(&self, row: Row, index: usize) -> Span {
        let element = row.offset + index * row.stride;
        self.span.skip(match self.width {
            Width::Bytes(size) => element * size,
            Width::Nibble => {
                let nibble = self.before + element;
                nibble / 2
            }
        })
    }

    /// Calls `row` with every run of elements.
    pub(super) fn rows(&self, mut row: impl FnMut(Row)) {
        let (inner, outer) = self.dims.split_last().expect("a tile has an axis");
        for &(position, offset) in &self.picks {
            let (mut position, mut offset) = (position, offset);
            let mut indices: SmallVec<[usize; 4]> = SmallVec::from_elem(0, outer.len());
            'rows: loop {
                row(Row {
                    offset,
                    position,
                    len: inner.inside,
                    stride: inner.stride,
                });
                let mut below = inner.extent;
                for (indices, dim) in indices.iter_mut().zip(outer).rev() {
                    *indices += 1;
                    offset += dim.stride;
                    position += below;
                    if *indices < dim.inside {
                        continue 'rows;
                    }
                    offset -= dim.inside * dim.stride;
                    position -= dim.inside * below;
                    below *= dim.extent;
                    *indices = 0;
                }
                break;
            }
        }
    }
}

impl Axis {
    /// Returns start and length of the part of the tile inside a tensor of `extent`; `None` if the
    /// tile starts outside of it.
    fn inside(
        &self,
        machine: &Machine<'_>,
        number: usize,
        extent: u64,
    ) -> Result<Option<(u64, u64)>, String> {
        let index = machine.scalar(self.index);
        let tile = self.extent as u64;
        let start = index.checked_mul(self.step);
        let rest = start.and_then(|start| extent.checked_sub(start));
        let rest = rest.filter(|&rest| rest > 0);
        if self.reach == Reach::Inside && rest.is_none_or(|rest| rest < tile) {
            let start = u128::from(index) * u128::from(self.step);
            let index = machine.frame.tiles[self.index.0].signed_at(0);
            return Err(format!(
                "index {index} along axis {number} was promised to be in bounds: \
                 {tile} elements from {start} on, of {extent}"
            ));
        }
        Ok(start.zip(rest.map(|rest| rest.min(tile))))
    }

    /// Returns the elements of `extent` that a tile of indices selects.
    fn picks(&self, machine: &Machine<'_>, number: usize, extent: u64) -> Result<Picks, String> {
        let indices = &machine.frame.tiles[self.index.0];
        let mut picks = Picks::new();
        for index_number in 0..self.extent {
            let index = indices.bits_at(index_number);
            if index < extent {
                picks.push((index_number, index));
            } else if self.reach == Reach::Inside {
                let index = indices.signed_at(index_number);
                return Err(format!(
                    "index {index}, the number {index_number} along axis {number}, was promised to be in \
                     bounds of {extent} elements"
                ));
            }
        }
        Ok(picks)
    }
}

/// Returns the failure of an access that breaks the promise to be in bounds.
fn promised(machine: &Machine<'_>, view: &View, axes: &[Axis], message: &str) -> Stop {
    let tiles = outside::tiles(machine, view, axes);
    Stop::Here(format!("{message}; {tiles}"))
}

/// Merges adjacent axes, from the last one on, where possible, which lengthens the rows.
fn merged(dims: &[Dim]) -> SmallVec<[Dim; 4]> {
    let mut merged: SmallVec<[Dim; 4]> = SmallVec::new();
    for &outer in dims.iter().rev() {
        match merged.last().and_then(|&inner| Dim::merge(outer, inner)) {
            Some(both) => *merged.last_mut().expect("it was just looked at") = both,
            None => merged.push(outer),
        }
    }
    merged.reverse();
    merged
}

/// Returns the starts of the rows of every pick.
fn starts(
    picked: &Picks,
    axes: &[Axis],
    sparse: Option<usize>,
    strides: &[u64],
) -> SmallVec<[(usize, usize); 1]> {
    let Some(sparse) = sparse else {
        return SmallVec::from_elem((0, 0), 1);
    };
    let below: usize = axes[sparse + 1..].iter().map(|axis| axis.extent).product();
    let least = picked.iter().map(|&(_, index)| index).min().unwrap_or(0);
    let stride = strides[axes[sparse].dim];
    let start = |&(i, index): &(usize, u64)| {
        let elements = (index - least).saturating_mul(stride);
        // The check of the last element covered all of them.
        (i * below, usize::try_from(elements).unwrap_or(0))
    };
    picked.iter().map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::{Dim, merged};

    fn dim(extent: usize, inside: usize, stride: usize) -> Dim {
        Dim {
            extent,
            inside,
            stride,
        }
    }

    #[test]
    fn axes_without_a_gap_between_them_are_walked_as_one() {
        let whole = merged(&[dim(2, 1, 32), dim(4, 4, 8), dim(8, 8, 1)]);
        assert_eq!(whole[..], [dim(64, 32, 1)]);
        let unit = merged(&[dim(1, 1, 1000), dim(8, 5, 3), dim(1, 1, 7)]);
        assert_eq!(unit[..], [dim(8, 5, 3)]);
        let cut = [dim(4, 4, 8), dim(8, 7, 1)];
        assert_eq!(merged(&cut)[..], cut);
        let gap = [dim(4, 4, 9), dim(8, 8, 1)];
        assert_eq!(merged(&gap)[..], gap);
    }
}
