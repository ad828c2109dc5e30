//! Views at run time, and which elements of a tensor an index selects.
//!
//! In: a tensor view, the way in which a view cuts it into tiles, and an index. Out: a
//! [`Window`], all of which lies in the buffer, or a fault. One mechanism serves every view:
//!
//! ```text
//!              partition   strided            gather/scatter
//! tile starts  index·tile  index·traversal    index
//! ```
//!
//! - Along an axis of tiles the elements are those from the start on, cut off at the end of
//!   the tensor. A start outside of the tensor is outside of the index space: nothing is
//!   selected, or a fault where the launch asks for that ([`IndexSpace::Checked`]). The start is
//!   computed without a wrap, so that no product of an index is inside by accident.
//! - Along the sparse axis the elements are picked one by one; one outside of the tensor is
//!   not selected.
//! - What an operation promises to be `inbounds` and is not, is a fault.

use super::buffers::{Pointer, Span};
use super::machine::{Machine, Slot, Stop, ViewSlot};
use super::{IndexSpace, outside};
use smallvec::SmallVec;

/// A tensor view.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) base: Pointer,
    pub(super) shape: SmallVec<[u64; 4]>,
    /// In elements.
    pub(super) strides: SmallVec<[u64; 4]>,
}

/// Whether tiles may stick out of the tensor along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// What sticks out is cut off.
    Clipped,
    /// The operation promises that nothing does.
    Inside,
}

/// An axis of the tiles of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) index: Slot,
    /// Of a tile.
    pub(super) extent: usize,
    /// The axis of the tensor.
    pub(super) dim: usize,
    /// Elements between the starts of neighbouring tiles.
    pub(super) step: u64,
    pub(super) reach: Reach,
}

/// How much of a byte an element takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Bytes(usize),
    /// Half a byte: elements with an even number are in the low bits.
    Nibble,
}

impl Width {
    /// The bytes from the element `first` to the one that is `more` elements further on:
    /// where they begin, and how many they are.
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

/// The elements of a tile that lie in the tensor.
#[derive(Debug)]
pub(super) struct Window {
    /// From the byte of the first element on.
    pub(super) span: Span,
    pub(super) width: Width,
    /// Elements before the first in its byte.
    pub(super) before: usize,
    /// Along the axes of the tile, neighbours that can be walked together taken as one.
    dims: SmallVec<[Dim; 4]>,
    /// Where the rows begin: in the tile, and in elements from the first. One unless the
    /// view has a sparse axis.
    picks: SmallVec<[(usize, usize); 1]>,
}

/// An axis of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dim {
    /// The extent of the tile.
    extent: usize,
    /// How many of them lie in the tensor: the first ones.
    inside: usize,
    /// Elements between neighbours in the tensor.
    stride: usize,
}

impl Dim {
    /// Both axes as one, if their elements are equally far apart.
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

/// Elements of a window that are next to each other in the tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Of its first element, in elements from the window's first.
    pub(super) offset: usize,
    /// Of its first element, in the tile.
    pub(super) position: usize,
    pub(super) len: usize,
    /// Elements between neighbours in the tensor.
    pub(super) stride: usize,
}

/// The elements that are selected along the sparse axis: where in the tile, and which of the
/// tensor.
type Picks = SmallVec<[(usize, u64); 1]>;

impl Window {
    /// What the index that is in `axes` selects. `None` if that is nothing.
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
        // In elements: the first from the base on, the last from the first on.
        let (mut first, mut last) = (0_u128, 0_u128);
        for (number, axis) in axes.iter().enumerate() {
            let stride = u128::from(strides[axis.dim]);
            let extent = shape[axis.dim];
            let (start, len, dim) = if sparse == Some(number) {
                picked = axis.picks(machine, number, extent)?;
                let indices = || picked.iter().map(|&(_, index)| index);
                let (Some(least), Some(most)) = (indices().min(), indices().max()) else {
                    continue;
                };
                // The picks step along this axis.
                (least, most - least + 1, (1, 0))
            } else {
                let Some((start, len)) = axis.inside(machine, number, extent)? else {
                    // Other axes may still break a promise.
                    is_outside = true;
                    continue;
                };
                let inside = usize::try_from(len).unwrap_or(axis.extent);
                // A stride that is used is checked with the last element; another may be
                // anything.
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
            return Stop::here(outside::index(machine, axes, sparse, shape));
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

    /// How many elements of a tile lie in the tensor.
    pub(super) fn count(&self) -> usize {
        let inside = self.dims.iter().map(|dim| dim.inside);
        inside.product::<usize>() * self.picks.len()
    }

    /// Where element `index` of `row` is: the byte that it is in.
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
    /// Start and length of the part of the tile that lies in a tensor of `extent`; none if it
    /// starts outside of it.
    fn inside(
        &self,
        machine: &Machine<'_>,
        number: usize,
        extent: u64,
    ) -> Result<Option<(u64, u64)>, Stop> {
        let index = machine.scalar(self.index);
        let tile = self.extent as u64;
        let start = index.checked_mul(self.step);
        let rest = start.and_then(|start| extent.checked_sub(start));
        let rest = rest.filter(|&rest| rest > 0);
        if self.reach == Reach::Inside && rest.is_none_or(|rest| rest < tile) {
            let start = u128::from(index) * u128::from(self.step);
            return Stop::here(format!(
                "index {index} along axis {number} was promised to be in bounds: \
                 {tile} elements from {start} on, of {extent}"
            ));
        }
        Ok(start.zip(rest.map(|rest| rest.min(tile))))
    }

    /// The elements that a tile of indices selects of `extent`.
    fn picks(&self, machine: &Machine<'_>, number: usize, extent: u64) -> Result<Picks, Stop> {
        let indices = &machine.frame.tiles[self.index.0];
        let mut picks = Picks::new();
        for index_number in 0..self.extent {
            let index = indices.bits_at(index_number);
            if index < extent {
                picks.push((index_number, index));
            } else if self.reach == Reach::Inside {
                return Stop::here(format!(
                    "index {index}, the number {index_number} along axis {number}, was promised to be in \
                     bounds of {extent} elements"
                ));
            }
        }
        Ok(picks)
    }
}

/// The axes from the last on, neighbours taken as one where that is possible: rows become
/// longer.
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

/// Where the rows of every pick begin.
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
        // It was checked with the last element that all of them are in a buffer.
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
