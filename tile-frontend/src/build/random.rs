//! Builds Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"), and the
//! distributions computed from its words.
//!
//! `rand_u32(seed, offset)` is word 0 of the key `(seed, seed >> 32)` and the counter `(offset,
//! offset >> 32, 0, 0)`.

use super::scalar::{float_bits, integer_bits};
use super::{Build, Val};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, Float, RandomOp};
use tile_core::Loc;
use tile_core::ir::{Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

const ROUNDS: usize = 10;
const MULTIPLIERS: [i128; 2] = [0xd251_1f53, 0xcd9e_8d57];
const STEPS: [i128; 2] = [0x9e37_79b9, 0xbb67_ae85];

impl Build<'_, '_> {
    pub(super) fn philox(&mut self, key: [ExprId; 2], counter: [ExprId; 4], loc: Loc) -> Val {
        let key = key.map(|word| self.tile(word));
        let counter = counter.map(|word| self.tile(word));
        let words = self.philox_words(key, counter, loc);
        Val::Tuple(words.map(Val::Tile).into())
    }

    fn constant_word(&mut self, like: ValueId, value: i128, loc: Loc) -> ValueId {
        self.splat_like(like, integer_bits(Scalar::I32, value), loc)
    }

    fn philox_words(
        &mut self,
        mut key: [ValueId; 2],
        mut counter: [ValueId; 4],
        loc: Loc,
    ) -> [ValueId; 4] {
        let shape = self.number_shape(counter[0]);
        for round in 0..ROUNDS {
            if round > 0 {
                for (word, step) in key.iter_mut().zip(STEPS) {
                    let step = self.constant_word(*word, step, loc);
                    *word = self.b.wrapping(IntegerOp::AddI, &[*word, step], loc);
                }
            }
            let spread = key.map(|word| {
                if self.number_shape(word) == shape {
                    word
                } else {
                    self.b.splat_value(word, &shape, loc)
                }
            });
            let [x0, x1, x2, x3] = counter;
            let products = [(x0, MULTIPLIERS[0]), (x2, MULTIPLIERS[1])].map(|(word, factor)| {
                let factor = self.constant_word(word, factor, loc);
                let args = [word, factor];
                let high = self.b.like_first(IntegerOp::MulhiI, &args, loc);
                (high, self.b.wrapping(IntegerOp::MulI, &args, loc))
            });
            let [(high0, low0), (high1, low1)] = products;
            let mix = |this: &mut Self, high: ValueId, word: ValueId, key: ValueId| {
                let mixed = this.b.like_first(BitwiseOp::XorI, &[high, word], loc);
                this.b.like_first(BitwiseOp::XorI, &[mixed, key], loc)
            };
            counter = [
                mix(self, high1, x1, spread[0]),
                low1,
                mix(self, high0, x3, spread[1]),
                low0,
            ];
        }
        counter
    }

    fn number_shape(&self, value: ValueId) -> Vec<i64> {
        let tile = self.b.ty(value).as_number_tile();
        tile.map_or_else(Vec::new, |(_, shape)| shape.to_vec())
    }

    /// Returns the low and high 32 bits of an integer; narrower integers are sign-extended.
    fn halves(&mut self, id: ExprId, loc: Loc) -> [ValueId; 2] {
        let from = self.element(id);
        let value = self.tile(id);
        let wide = self.cast(value, from, HostScalar::I64, loc);
        let by = self.splat_like(wide, 32, loc);
        let high = self
            .b
            .signed(IntegerOp::ShrI, &[wide, by], Signedness::Unsigned, loc);
        [wide, high].map(|half| {
            self.b
                .convert(ConversionOp::TruncI, half, Scalar::I32, None, loc)
        })
    }

    pub(super) fn random(
        &mut self,
        op: RandomOp,
        seed: ExprId,
        offsets: ExprId,
        loc: Loc,
    ) -> ValueId {
        let key = self.halves(seed, loc);
        let [low, high] = self.halves(offsets, loc);
        let zero = self.constant_word(low, 0, loc);
        let words = self.philox_words(key, [low, high, zero, zero], loc);
        match op {
            RandomOp::Bits => words[0],
            RandomOp::Uniform => self.unit(words[0], 0, loc),
            RandomOp::Normal => self.normal([words[0], words[1]], loc),
        }
    }

    /// Computes `((word >> 8) + add) * 2^-24`, which is exact.
    fn unit(&mut self, word: ValueId, add: i128, loc: Loc) -> ValueId {
        let by = self.constant_word(word, 8, loc);
        let mut high = self
            .b
            .signed(IntegerOp::ShrI, &[word, by], Signedness::Unsigned, loc);
        if add != 0 {
            let add = self.constant_word(high, add, loc);
            high = self.b.wrapping(IntegerOp::AddI, &[high, add], loc);
        }
        let sign = Some(Signedness::Unsigned);
        let float = self
            .b
            .convert(ConversionOp::IToF, high, Scalar::F32, sign, loc);
        let scale = self.single(float, 2.0_f64.powi(-24), loc);
        self.b.like_first(FloatOp::MulF, &[float, scale], loc)
    }

    fn single(&mut self, like: ValueId, value: f64, loc: Loc) -> ValueId {
        self.splat_like(like, float_bits(Scalar::F32, Float::new(value)), loc)
    }

    /// Computes `sqrt(-2 ln u) * cos(2 pi v)` with `u` above 0 (Box and Muller).
    fn normal(&mut self, words: [ValueId; 2], loc: Loc) -> ValueId {
        let u = self.unit(words[0], 1, loc);
        let v = self.unit(words[1], 0, loc);
        let log = self.b.like_first(FloatOp::Log, &[u], loc);
        let minus_two = self.single(log, -2.0, loc);
        let square = self.b.like_first(FloatOp::MulF, &[log, minus_two], loc);
        let radius = self.b.like_first(FloatOp::Sqrt, &[square], loc);
        let turn = self.single(v, std::f64::consts::TAU, loc);
        let angle = self.b.like_first(FloatOp::MulF, &[v, turn], loc);
        let cosine = self.b.like_first(FloatOp::Cos, &[angle], loc);
        self.b.like_first(FloatOp::MulF, &[radius, cosine], loc)
    }
}
