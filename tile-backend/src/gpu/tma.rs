//! TMA loads to shared memory (`cp.async.bulk.tensor`).
//!
//! A [`TensorMap`] is passed after the parameters of the entry: 128 bytes that the host encodes from other
//! parameters of the launch. One thread issues a copy; an `mbarrier` counts the bytes that have arrived.
//!
//! ```text
//!   init_mbarriers $b                     one mbarrier per stage; each phase has one arrival
//!   arrive_expect_tx $b bytes=16384 stage  one thread arrives, and announces the number of bytes
//!   tma_load !0 $a by=$b … stage …         that many bytes, zeros outside of the tensor
//!   consumer_wait $b stage, parity         every thread, until the phase of that parity has completed
//!   invalidate_mbarriers $b                allows another initialization
//! ```
//!
//! The phases of a stage have the parities 0, 1, 0, …: the parity flips whenever the stage is filled again.

use super::{BufferId, GlobalTile, Kernel, ParamKind, Reach, ValueId};
use crate::layout::{Axis, BoxSwizzle, Boxes};
pub use crate::manifest::{MapAxis, MapNumber, TensorMap};
use std::fmt::Write as _;

/// Size of an mbarrier in shared memory, in bytes.
pub const BARRIER_BYTES: u32 = 8;

/// Maximum number of bytes that a phase can expect (PTX ISA, "Contents of the mbarrier object").
pub const MAX_EXPECTED_BYTES: u32 = (1 << 20) - 1;

/// A TMA load of a tile; see [`super::OpKind::TmaLoad`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaLoad {
    /// Index of the map in [`Kernel::maps`].
    pub map: usize,
    /// The tile; its padding is zero or unspecified.
    pub tile: GlobalTile,
    /// The destination: a circular buffer with room for the tile in every stage.
    pub buffer: BufferId,
    /// The mbarriers that count the bytes: one per stage.
    pub barriers: BufferId,
    /// `true` if the load is for a later iteration than the one that issues it.
    pub is_prefetch: bool,
    /// The destination stages. If the load is for the cluster, each block issues a part of it into the stages
    /// of all blocks.
    pub reach: Reach,
}

/// An arrival; see [`super::OpKind::ArriveExpectTx`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectTx {
    /// The mbarriers, one per stage.
    pub barriers: BufferId,
    /// Bytes of all TMA loads into the stage. Byte counts of bulk copies are operands.
    pub bytes: u32,
}

impl TensorMap {
    /// Returns the map of a tile at `place` (base, then per axis index, extent and stride) that is copied in
    /// `boxes`; `None` if the host does not know the tensor.
    pub fn from_tile(
        kernel: &Kernel,
        tile: &GlobalTile,
        place: &[ValueId],
        boxes: &Boxes,
    ) -> Option<Self> {
        let (&base, place) = place.split_first()?;
        let base = kernel.params.iter().position(|param| {
            let is_so = matches!(
                param.kind,
                ParamKind::Pointer { access, .. } if access == tile.access
            );
            is_so && param.value == base
        })?;
        let axes = boxes.axes.iter().map(|&(axis, length)| {
            let of_axis = place.get(3 * axis.0..3 * axis.0 + 3)?;
            let is_inner = tile.contiguous == Some(axis);
            Some(MapAxis {
                extent: host_number(kernel, of_axis[1])?,
                stride: if is_inner {
                    MapNumber::Constant(1)
                } else {
                    host_number(kernel, of_axis[2])?
                },
                length: u32::try_from(length).ok()?,
            })
        });
        Some(Self {
            base,
            element_bytes: u32::try_from(tile.element.bytes()).ok()?,
            swizzle: boxes.swizzle,
            axes: axes.collect::<Option<_>>()?,
        })
    }

    /// Returns the map as GPU IR prints it.
    pub fn to_text(&self) -> String {
        let Self {
            base,
            element_bytes,
            swizzle,
            axes,
        } = self;
        let mut text = format!("{base} {element_bytes} {}", swizzle.number());
        for axis in axes {
            let MapAxis {
                extent,
                stride,
                length,
            } = axis;
            let _ = write!(text, " {} {} {length}", extent.to_text(), stride.to_text());
        }
        text
    }

    /// Parses a line that [`Self::to_text`] wrote.
    pub fn from_text(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let (head, axes) = words.split_at_checked(3)?;
        let swizzle: usize = head[2].parse().ok()?;
        let axes = axes.chunks(3).map(|axis| {
            let &[extent, stride, length] = axis else {
                return None;
            };
            Some(MapAxis {
                extent: MapNumber::from_text(extent)?,
                stride: MapNumber::from_text(stride)?,
                length: length.parse().ok()?,
            })
        });
        Some(Self {
            base: head[0].parse().ok()?,
            element_bytes: head[1].parse().ok()?,
            swizzle: *BoxSwizzle::ALL.get(swizzle)?,
            axes: axes.collect::<Option<_>>()?,
        })
    }
}

impl MapNumber {
    fn to_text(self) -> String {
        match self {
            Self::Param(position) => format!("%{position}"),
            Self::Constant(number) => number.to_string(),
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(match text.strip_prefix('%') {
            Some(position) => Self::Param(position.parse().ok()?),
            None => Self::Constant(text.parse().ok()?),
        })
    }
}

/// Returns the parameter or constant that `value` is, if the host knows it. Sizes are not negative, so a sign
/// extension does not change them.
fn host_number(kernel: &Kernel, value: ValueId) -> Option<MapNumber> {
    use super::OpKind;
    use tile_core::ops::{ConversionOp, Opcode};
    let params = &kernel.params;
    if let Some(position) = params.iter().position(|param| param.value == value) {
        let is_number =
            matches!(params[position].kind, ParamKind::Scalar(scalar) if scalar.is_integer());
        return is_number.then_some(MapNumber::Param(position));
    }
    let op = kernel.op(kernel.defining(value)?);
    match &op.kind {
        OpKind::Constant(bits) => Some(MapNumber::Constant(*bits)),
        OpKind::Compute(element) if element.opcode == Opcode::Conversion(ConversionOp::ExtI) => {
            host_number(kernel, op.args[0])
        }
        _ => None,
    }
}

impl TmaLoad {
    /// Returns the boxes in which the tile arrives in its buffer; `None` if the buffer does not consist of
    /// boxes.
    pub fn boxes(&self, kernel: &Kernel) -> Option<Boxes> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        let boxes =
            Boxes::from_layout(memory, self.contiguous()?, self.tile.element.bytes() as u64)?;
        match self.reach {
            Reach::Block => Some(boxes),
            Reach::Cluster => boxes.in_two(),
        }
    }

    fn contiguous(&self) -> Option<Axis> {
        self.tile.contiguous
    }
}
