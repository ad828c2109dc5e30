//! What a buffer holds before a run, as a few numbers in place of its bytes.
//!
//! In: a type of elements, how many there are, and a rule. Out: the bytes, the same on every machine and in every
//! release. Elements are drawn one after the other, so that the state behind one buffer is the one before the next.
//! [`Input::recognize`] goes the other way: it finds the rule that made some bytes, if one of a list did.

use tile_core::Scalar;
use tile_core::interp::encode_float;
use tile_core::testing::Random;

/// A rule for elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    /// Every byte is this one.
    Fill(u8),
    /// 0, 1, 2 and so on.
    Iota,
    /// Bit patterns.
    Bits,
    /// Floats between -16 and 16, of many sizes.
    Sizes,
    /// Floats from 0 to 1.
    Unit,
    /// Whole numbers from `first`, `count` of them, times `scale` where elements are floats.
    Whole {
        /// The least.
        first: i64,
        /// How many there are.
        count: u32,
        /// What floats are multiplied with.
        scale: f64,
    },
}

/// The contents of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Input {
    /// The type of its elements.
    pub(crate) scalar: Scalar,
    /// How many there are.
    pub(crate) count: usize,
    /// What they are.
    pub(crate) values: Values,
    /// The state of the source that they are drawn from.
    pub(crate) state: u64,
}

/// What a draw adds to the state of a source: that of `SplitMix64`.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Values {
    /// How many draws an element takes.
    fn draws(self) -> u64 {
        match self {
            Self::Fill(_) | Self::Iota | Self::Whole { count: ..=1, .. } => 0,
            Self::Bits | Self::Unit | Self::Whole { .. } => 1,
            Self::Sizes => 2,
        }
    }

    /// One element, as bits of which memory has the lowest.
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
                // What is one number takes no choice.
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
    /// The state of the source behind what is drawn.
    pub(crate) fn behind(&self) -> u64 {
        let draws = self.values.draws() * self.count as u64;
        self.state.wrapping_add(STEP.wrapping_mul(draws))
    }

    /// The bytes, drawn from a source.
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

    /// The first of some rules that makes just these bytes from a source in one of some states.
    pub(crate) fn recognize(
        scalar: Scalar,
        bytes: &[u8],
        rules: &[Values],
        states: &[u64],
    ) -> Option<Self> {
        let count = bytes.len() / scalar.bytes();
        if bytes.is_empty() || bytes.len() % scalar.bytes() != 0 {
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

/// A number that tells the contents of buffers apart (FNV-1a of 64 bits), the same in every release.
pub(crate) fn fingerprint(buffers: &[Vec<u8>]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for buffer in buffers {
        buffer.len().to_le_bytes().into_iter().for_each(&mut add);
        buffer.iter().copied().for_each(&mut add);
    }
    hash
}
