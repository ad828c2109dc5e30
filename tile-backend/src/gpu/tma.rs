//! Copies of tensors to shared memory by hardware that knows the tensor (`cp.async.bulk.tensor`).
//!
//! A [`TensorMap`] is a parameter behind those of the entry: 128 bytes that the host encodes from other
//! parameters of the launch. One thread begins a copy; an `mbarrier` counts the bytes that have come.
//!
//! ```text
//!   init_mbarriers $b                  one barrier per slot; each phase has one arrival
//!   arrive_expect_tx $b 16384 slot      the thread arrives, and says how many bytes will come
//!   tma_load !0 $a slot …          as many, zeros where the tensor has nothing
//!   consumer_wait $b slot, parity      everybody, until the phase of that parity is over
//!   invalidate_mbarriers $b                  so that they may be initialized again
//! ```
//!
//! A slot's phases have the parities 0, 1, 0, …: it changes whenever the slot is filled again.

use super::{BufferId, GlobalTile, Kernel, ParamKind, Reach, ValueId};
use crate::layout::{Axis, BoxSwizzle, Boxes};
use std::fmt::Write as _;

/// Bytes of a barrier in shared memory.
pub const BARRIER_BYTES: u32 = 8;

/// Bytes that a phase can wait for (PTX ISA, "Contents of the mbarrier object").
pub const MAX_EXPECTED_BYTES: u32 = (1 << 20) - 1;

/// A number that the host knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapNumber {
    /// The parameter of the entry with this position.
    Param(usize),
    /// A constant.
    Constant(u64),
}

/// An axis of a tensor, as a map describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapAxis {
    /// Elements of the tensor.
    pub extent: MapNumber,
    /// Elements from one index to the next; of the first axis it is 1.
    pub stride: MapNumber,
    /// Elements of the box.
    pub length: u32,
}

/// A tensor in global memory and the boxes in which it is copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorMap {
    /// The parameter that points to its first element.
    pub base: usize,
    /// The bytes of an element.
    pub element_bytes: u32,
    /// How chunks change places in shared memory.
    pub swizzle: BoxSwizzle,
    /// The axes, the one whose elements are neighbours first.
    pub axes: Vec<MapAxis>,
}

/// A copy of a tile; see [`super::OpKind::TmaLoad`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaLoad {
    /// The position of the map in [`Kernel::maps`].
    pub map: usize,
    /// The tile: its padding is zero or nothing.
    pub tile: GlobalTile,
    /// Where to: a ring, which has the tile's elements in every slot.
    pub buffer: BufferId,
    /// What counts the bytes: a barrier per slot.
    pub barriers: BufferId,
    /// Whether it is for a later iteration than the one that begins it.
    pub is_prefetch: bool,
    /// Whose slot: of a copy for the cluster each block begins a part, into the slots of all.
    pub reach: Reach,
}

/// An arrival; see [`super::OpKind::ArriveExpectTx`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectTx {
    /// Where: a barrier per slot.
    pub barriers: BufferId,
    /// Of all copies into the slot.
    pub bytes: u32,
}

impl TensorMap {
    /// The map of a tile at `place` (base, then per axis index, extent and stride) that is copied in
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

    /// A line that [`Self::from_text`] reads.
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

    /// What [`Self::to_text`] wrote.
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

/// A number of the launch, as the host passes it: sizes are not negative, so that they are the same in
/// every width.
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
    /// The boxes in which the tile comes to its buffer.
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
