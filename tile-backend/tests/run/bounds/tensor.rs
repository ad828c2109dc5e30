//! Draws the tensors and the indices of a launch.

use tile_core::interp::encode_float;
use tile_core::testing::Random;
use tile_core::types::Scalar;

use super::case::{Access, Case, Contents};

/// Number of elements after a tensor, which must not change. Some buffers instead end with the last element
/// of the tensor.
const GUARD: u64 = 40;

/// A tensor in its buffer.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) scalar: Scalar,
    pub(super) shape: Vec<u64>,
    pub(super) strides: Vec<u64>,
    /// Bytes of the buffer before the first element.
    pub(super) front: usize,
    pub(super) bytes: Vec<u8>,
}

impl Tensor {
    /// Draws a tensor with contents for `access`.
    pub(super) fn new(
        case: &Case,
        access: &Access,
        has_maps: bool,
        random: &mut Random<'_>,
    ) -> Self {
        let shape = shape_of(case, access, has_maps, random);
        let strides = strides_of(case, access, (&shape, has_maps), random);
        let last = shape.iter().zip(&strides);
        let last = last.map(|(&extent, &stride)| extent.max(1).saturating_sub(1) * stride);
        let guard = if random.one_in(4) { 0 } else { GUARD };
        let count = usize::try_from(last.sum::<u64>() + 1 + guard).expect("small");
        let scalar = access.scalar;
        let front = if access.view.is_narrow {
            let unit = if case.is_general { scalar.bytes() } else { 16 };
            (1 + random.below(3)) * unit
        } else {
            0
        };
        // Elements of four bits are stored by changing the enclosing word, all of which is allocated.
        let bytes = if scalar.bits() == 4 {
            (front + count.div_ceil(2)).next_multiple_of(4)
        } else {
            front + count * scalar.bytes()
        };
        let mut any = Vec::with_capacity(bytes + 8);
        while any.len() < bytes {
            any.extend_from_slice(&random.bits().to_le_bytes());
        }
        any.truncate(bytes);
        let mut tensor = Self {
            scalar,
            shape,
            strides,
            front,
            bytes: any,
        };
        if access.contents != Contents::Bits {
            for element in 0..count {
                let number = match access.contents {
                    Contents::Integers(most) => {
                        let number = i32::try_from(random.below(2 * most + 1)).expect("small");
                        f64::from(number - i32::try_from(most).expect("small"))
                    }
                    Contents::Scales => random.pick(&[0.5, 1.0, 2.0]),
                    Contents::Bits => unreachable!("any bits are there"),
                };
                let bits = encode_float(scalar, number);
                let is_short = scalar == Scalar::TF32;
                tensor.put(element, if is_short { bits << 13 } else { bits });
            }
        }
        tensor
    }

    /// Returns the bits of an element as they are in a tile.
    pub(super) fn get(&self, element: usize) -> u64 {
        if self.scalar.bits() == 4 {
            let byte = self.bytes[self.front + element / 2];
            return u64::from(byte >> (4 * (element % 2)) & 0xf);
        }
        let width = self.scalar.bytes();
        let start = self.front + element * width;
        let mut word = [0; 8];
        word[..width].copy_from_slice(&self.bytes[start..start + width]);
        let bits = u64::from_le_bytes(word);
        if self.scalar == Scalar::I1 {
            u64::from(bits != 0)
        } else if self.scalar == Scalar::TF32 {
            bits & !0x1fff
        } else {
            bits
        }
    }

    pub(super) fn put(&mut self, element: usize, bits: u64) {
        if self.scalar.bits() == 4 {
            let byte = &mut self.bytes[self.front + element / 2];
            let below = 4 * (element % 2);
            let four = u8::try_from(bits & 0xf).expect("four bits");
            *byte = *byte & !(0xf << below) | four << below;
            return;
        }
        let width = self.scalar.bytes();
        let start = self.front + element * width;
        self.bytes[start..start + width].copy_from_slice(&bits.to_le_bytes()[..width]);
    }
}

fn shape_of(case: &Case, access: &Access, has_maps: bool, random: &mut Random<'_>) -> Vec<u64> {
    let view = &access.view;
    if let Some(extents) = &view.shape {
        return extents.clone();
    }
    let mut shape = vec![0; access.rank()];
    for (axis, &size) in access.tile.iter().enumerate() {
        let step = view.step(axis, size);
        let several = step * random.below(4) as u64 + random.below(3) as u64;
        shape[view.order[axis]] = match random.below(8) {
            0 => 0,
            1 => 1,
            2 => size,
            3 => step * 3,
            4 => size.saturating_sub(1),
            _ => several,
        };
    }
    if let Some(last) = shape.last_mut().filter(|_| case.is_whole) {
        *last = last.next_multiple_of(16);
    }
    if has_maps {
        // A tensor without elements cannot have a tensor map.
        let least = |axis: usize| if case.is_whole && axis == 0 { 16 } else { 1 };
        for (axis, extent) in shape.iter_mut().rev().enumerate() {
            *extent = (*extent).max(least(axis));
        }
    }
    shape
}

fn strides_of(
    case: &Case,
    access: &Access,
    (shape, has_maps): (&[u64], bool),
    random: &mut Random<'_>,
) -> Vec<u64> {
    let (rank, is_general) = (shape.len(), case.is_general);
    let mut strides = vec![1; rank];
    let mut reach = if is_general {
        1 + random.below(3) as u64
    } else {
        1
    };
    // A tensor map requires strides that are multiples of 16 bytes.
    let unit = if access.scalar.bits() == 4 { 32 } else { 16 };
    for axis in (0..rank).rev() {
        if axis + 1 < rank && !is_general {
            reach = reach.next_multiple_of(unit);
        }
        strides[axis] = reach;
        // An axis of one element may have any stride.
        if shape[axis] == 1 && axis + 1 < rank && !has_maps && random.one_in(2) {
            strides[axis] = random.pick(&[1, 3, 0x7fff_ffff]);
        }
        let gap = if access.view.is_narrow {
            random.below(3 * usize::try_from(unit).expect("small"))
        } else {
            random.below(2)
        };
        reach = reach * shape[axis].max(1) + gap as u64;
    }
    strides
}

/// Draws the bits of an index along an axis with `tiles` tiles, of `step` elements each.
pub(super) fn any_index(
    index: Scalar,
    (tiles, step): (u64, u64),
    is_near: bool,
    random: &mut Random<'_>,
) -> u64 {
    let bits = index.bits();
    let inside = random.below(usize::try_from(tiles.clamp(1, 8)).expect("few")) as u64;
    let choice = if is_near { 0 } else { random.below(10) };
    let value = match choice {
        0..=3 => inside,
        4 => tiles + random.below(3) as u64,
        5 => (random.below(4) as u64 + 1).wrapping_neg(),
        6 => random.pick(&[
            1 << (bits - 1),
            (1 << (bits - 1)) - 1,
            u64::MAX,
            1 << (bits / 2),
        ]),
        // Multiplied by the step, the index wraps to a position inside the tensor, in 32 bits or in 64.
        7 => {
            (low((1 << 32) / u128::from(step)) * (1 + random.below(3) as u64)).wrapping_add(inside)
        }
        8 => low((1 << 64) / u128::from(step)).wrapping_add(inside),
        _ => random.bits(),
    };
    value & u64::MAX >> (64 - bits)
}

fn low(number: u128) -> u64 {
    u64::try_from(number & u128::from(u64::MAX)).expect("cut off")
}
