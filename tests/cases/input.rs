//! Represents the contents of a buffer before a run by a few numbers instead of its bytes.
//!
//! An element type, a count and a rule generate the bytes, which are the same on every machine and in every
//! release. Elements are drawn in sequence, so the state after one buffer is the state before the next.
//! [`Input::recognize`] is the inverse: it finds the rule of a list that generates given bytes, if there is
//! one.

use tile_core::Scalar;
use tile_core::interp::encode_float;
use tile_core::testing::Random;

/// A rule for the values of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    /// All bytes are equal to this one.
    Fill(u8),
    /// 0, 1, 2 and so on.
    Iota,
    /// Random bit patterns.
    Bits,
    /// Floats between -16 and 16, of many magnitudes.
    Sizes,
    /// Floats from 0 to 1.
    Unit,
    /// Random integers among `count` consecutive ones from `first` on, times `scale` for float elements.
    Whole {
        /// The smallest integer.
        first: i64,
        /// The number of integers to choose from.
        count: u32,
        /// The factor for floats.
        scale: f64,
    },
}

/// The contents of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Input {
    /// The type of its elements.
    pub(crate) scalar: Scalar,
    /// The number of elements.
    pub(crate) count: usize,
    /// The rule for their values.
    pub(crate) values: Values,
    /// The state of the random source before the first draw.
    pub(crate) state: u64,
}

/// The increment of the state per draw: that of `SplitMix64`.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Values {
    /// Returns the number of draws per element.
    fn draws(self) -> u64 {
        match self {
            Self::Fill(_) | Self::Iota | Self::Whole { count: ..=1, .. } => 0,
            Self::Bits | Self::Unit | Self::Whole { .. } => 1,
            Self::Sizes => 2,
        }
    }

    /// Returns the bits of one element; memory holds the low bytes of them.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of tests, and 53 random bits"
    )]
    fn element(self, scalar: Scalar, index: usize, random: &mut Random<'_>) -> u64 {
        let unit = |random: &mut Random<'_>| (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let whole = |value: i64, scale: f64| {
            if scalar.is_float() {
                encode_float(scalar, value as f64 * scale)
            } else {
                value.cast_unsigned()
            }
        };
        let bits = match self {
            Self::Fill(byte) => u64::from_le_bytes([byte; 8]),
            Self::Iota => whole(i64::try_from(index).expect("a size of memory"), 1.0),
            Self::Bits => random.bits(),
            Self::Sizes => {
                let unit = unit(random) * 2.0 - 1.0;
                let size = i32::try_from(random.below(9)).expect("small") - 4;
                encode_float(scalar, unit * f64::from(size).exp2())
            }
            Self::Unit => encode_float(scalar, unit(random)),
            Self::Whole {
                first,
                count,
                scale,
            } => {
                // A single value needs no random choice.
                let above = if count > 1 {
                    random.below(count as usize)
                } else {
                    0
                };
                whole(first + i64::try_from(above).expect("32 bits"), scale)
            }
        };
        let is_bool = scalar == Scalar::I1 && !matches!(self, Self::Fill(_));
        if is_bool { bits & 1 } else { bits }
    }
}

impl Input {
    /// Returns the state of the random source after all draws.
    pub(crate) fn behind(&self) -> u64 {
        let draws = self.values.draws() * self.count as u64;
        self.state.wrapping_add(STEP.wrapping_mul(draws))
    }

    /// Returns the bytes, drawn from a random source.
    pub(crate) fn drawn(&self, random: &mut Random<'_>) -> Vec<u8> {
        let Self {
            scalar,
            count,
            values,
            state: _,
        } = *self;
        let mut bytes = Vec::with_capacity(count * scalar.bytes());
        for index in 0..count {
            let bits = values.element(scalar, index, random);
            bytes.extend_from_slice(&bits.to_le_bytes()[..scalar.bytes()]);
        }
        bytes
    }

    /// Finds the first state and rule, in this order, that generate exactly these bytes.
    pub(crate) fn recognize(
        scalar: Scalar,
        bytes: &[u8],
        rules: &[Values],
        states: &[u64],
    ) -> Option<Self> {
        let count = bytes.len() / scalar.bytes();
        if bytes.is_empty() || !bytes.len().is_multiple_of(scalar.bytes()) {
            return None;
        }
        for &state in states {
            for &values in rules {
                let is_for = !matches!(values, Values::Sizes | Values::Unit) || scalar.is_float();
                if !is_for {
                    continue;
                }
                let mut random = Random::new(state);
                let mut elements = bytes.chunks(scalar.bytes()).enumerate();
                let is_it = elements.all(|(index, element)| {
                    let bits = values.element(scalar, index, &mut random);
                    bits.to_le_bytes().starts_with(element)
                });
                if is_it {
                    return Some(Self {
                        scalar,
                        count,
                        values,
                        state,
                    });
                }
            }
        }
        None
    }
}

/// Returns a hash of the contents of buffers (64-bit FNV-1a), which is the same in every release.
pub(crate) fn fingerprint(buffers: &[Vec<u8>]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for buffer in buffers {
        buffer.len().to_le_bytes().into_iter().for_each(&mut add);
        buffer.iter().copied().for_each(&mut add);
    }
    hash
}
