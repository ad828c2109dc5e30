//! Messages about an out-of-bounds index or element.
//!
//! The check itself was made before, for all elements together.

use super::machine::{Machine, Stop};
use super::position::position;
use super::window::{Axis, View, Width};

/// Describes an index outside of the index space.
pub(super) fn index(
    machine: &Machine<'_>,
    view: &View,
    axes: &[Axis],
    sparse: Option<usize>,
) -> String {
    let index = |(number, axis): (usize, &Axis)| {
        if sparse == Some(number) {
            "_".to_owned()
        } else {
            machine.frame.tiles[axis.index.0].signed_at(0).to_string()
        }
    };
    let index: Vec<String> = axes.iter().enumerate().map(index).collect();
    let space = axes
        .iter()
        .map(|axis| view.shape[axis.dim].div_ceil(axis.step));
    let space: Vec<u64> = space.collect();
    let (index, tiles) = (index.join(", "), tiles(machine, view, axes));
    format!("index [{index}] is outside of the index space {space:?}: {tiles}")
}

/// Describes the tiles of an access: their shape, the tensor, and its extents.
pub(super) fn tiles(machine: &Machine<'_>, view: &View, axes: &[Axis]) -> String {
    let tile: Vec<usize> = axes.iter().map(|axis| axis.extent).collect();
    let extents = &view.shape[..];
    match machine.buffers.origin(view.base) {
        Some(tensor) => format!("tiles of {tile:?} of {tensor}, whose extents are {extents:?}"),
        None => format!("tiles of {tile:?} of a tensor whose extents are {extents:?}"),
    }
}

/// Describes the first element of a tile that is not in the buffer; returns `whole`, the failure of
/// the whole access, if no element can be named.
pub(super) fn element(
    machine: &Machine<'_>,
    view: &View,
    axes: &[Axis],
    sparse: Option<usize>,
    width: Width,
    whole: Stop,
) -> Stop {
    let tile: Vec<usize> = axes.iter().map(|axis| axis.extent).collect();
    let coordinate = |number: usize, axis_index: usize| {
        let axis = &axes[number];
        if sparse == Some(number) {
            return machine.frame.tiles[axis.index.0].bits_at(axis_index);
        }
        let start = machine.scalar(axis.index).saturating_mul(axis.step);
        start.saturating_add(axis_index as u64)
    };
    for linear in 0..tile.iter().product() {
        let mut offset = 0_u128;
        let axis_index = position(&tile, linear);
        let is_inside =
            axes.iter()
                .zip(axis_index)
                .enumerate()
                .all(|(number, (axis, axis_index))| {
                    let coordinate = coordinate(number, axis_index);
                    let stride = u128::from(view.strides[axis.dim]);
                    offset = offset.saturating_add(u128::from(coordinate).saturating_mul(stride));
                    coordinate < view.shape[axis.dim]
                });
        let (skip, bytes) = width.bytes(offset, 0);
        if is_inside && let Err(stop) = machine.buffers.span(view.base, skip, bytes) {
            return stop.in_element(&tile, linear);
        }
    }
    whole
}
