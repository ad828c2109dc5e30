//! Tests matmuls of every type, with and without scale factors, and packing.

use crate::common::LOC;
use crate::formats::{Format, round, value};
use crate::input::eval;
use tile_core::interp::Tile;
use tile_core::ir::RoundingMode;
use tile_core::ops::{CoreOp, FloatOp};
use tile_core::testing::Random;
use tile_core::types::{Scalar, Type};

/// Returns patterns of small whole numbers and halves, which sum exactly in any order.
fn small_numbers(scalar: Scalar, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut next = || (random.bits() % 9) as f64 / 2.0 - 2.0;
    (0..count)
        .map(|_| round(scalar, next(), RoundingMode::NearestEven))
        .collect()
}

/// The operand and accumulator types of `mmaf`.
const TYPES: [(Scalar, Scalar); 10] = [
    (Scalar::F16, Scalar::F16),
    (Scalar::F16, Scalar::F32),
    (Scalar::BF16, Scalar::F32),
    (Scalar::TF32, Scalar::F32),
    (Scalar::F32, Scalar::F32),
    (Scalar::F64, Scalar::F64),
    (Scalar::F8E4M3FN, Scalar::F16),
    (Scalar::F8E4M3FN, Scalar::F32),
    (Scalar::F8E5M2, Scalar::F16),
    (Scalar::F8E5M2, Scalar::F32),
];

#[test]
pub(crate) fn matmuls_of_every_type_are_exact_where_no_sum_rounds() {
    for (from, to) in TYPES {
        let (batch, m, n, k) = (2, 8, 4, 32);
        let a = small_numbers(from, batch * m * k, 3);
        let b = small_numbers(from, batch * k * n, 5);
        let c = small_numbers(to, batch * m * n, 7);
        let inputs = [
            Tile::new(from, &[2, 8, 32], a.clone()),
            Tile::new(from, &[2, 32, 4], b.clone()),
            Tile::new(to, &[2, 8, 4], c.clone()),
        ];
        let got = eval(&inputs, |build, args| {
            build
                .op(FloatOp::MmaF, LOC)
                .args(args)
                .result(Type::tile(to, &[2, 8, 4]))
                .finish_value()
        });
        for (index, got) in got.expect("it runs").bits.into_iter().enumerate() {
            let (row, column) = (index / n, index % n);
            let b = |i| b[(row / m * k + i) * n + column];
            let sum: f64 = (0..k)
                .map(|i| value(from, a[row * k + i]) * value(from, b(i)))
                .sum();
            let want = round(to, sum + value(to, c[index]), RoundingMode::NearestEven);
            assert_eq!(got, want, "{from} {to} at {index}");
        }
    }
}

/// Sums in any order have an error of at most one rounding per term and one at the end.
#[test]
fn sums_of_products_are_close_to_the_exact_ones() {
    const UNIT: f64 = 1_073_741_824.0; // 2^30: all numbers are multiples of its inverse
    let (m, n, k) = (8, 16, 128);
    for (from, to) in TYPES {
        let mut random = Random::new(41);
        let mut numbers = |scalar: Scalar, count: usize| -> Vec<u64> {
            let mut next = || (random.bits() >> 33) as f64 / UNIT - 1.0;
            (0..count)
                .map(|_| round(scalar, next(), RoundingMode::NearestEven))
                .collect()
        };
        let tiles = [
            numbers(from, m * k),
            numbers(from, k * n),
            numbers(to, m * n),
        ];
        let [a, b, c] = &tiles;
        let inputs = [
            Tile::new(from, &[8, 128], a.clone()),
            Tile::new(from, &[128, 16], b.clone()),
            Tile::new(to, &[8, 16], c.clone()),
        ];
        let got = eval(&inputs, |build, args| {
            build
                .op(FloatOp::MmaF, LOC)
                .args(args)
                .result(Type::tile(to, &[8, 16]))
                .finish_value()
        });
        let whole = |scalar, bits| (value(scalar, bits) * UNIT) as i128;
        let (sums_in, rounds_to) = match to {
            Scalar::F64 => (53, 53),
            Scalar::F16 => (24, 11),
            _ => (24, 24),
        };
        for (index, &got) in got.expect("it runs").bits.iter().enumerate() {
            let (row, column) = (index / n, index % n);
            let terms: Vec<i128> = (0..k)
                .map(|i| whole(from, a[row * k + i]) * whole(from, b[i * n + column]))
                .chain([whole(to, c[index]) << 30])
                .collect();
            let exact = terms.iter().sum::<i128>() as f64 / (UNIT * UNIT);
            let size = terms.iter().map(|term| term.abs()).sum::<i128>() as f64 / (UNIT * UNIT);
            let bound = (k + 1) as f64 * size * 2.0_f64.powi(-sums_in)
                + exact.abs() * 2.0_f64.powi(-rounds_to)
                // The spacing of the subnormal numbers of f16.
                + 2.0_f64.powi(-24 - sums_in);
            let error = (value(to, got) - exact).abs();
            assert!(error <= bound, "{from} {to}: {error:e} above {bound:e}");
        }
    }
}

#[test]
fn an_infinity_times_zero_spoils_its_row_and_no_other() {
    for (from, to) in TYPES {
        // f8E4M3FN has no infinity; its NaN is used instead.
        let infinite = round(from, f64::INFINITY, RoundingMode::NearestEven);
        let mut a = small_numbers(from, 4 * 16, 3);
        a[16 + 5] = infinite;
        let b = vec![0; 16 * 8];
        let inputs = [
            Tile::new(from, &[4, 16], a),
            Tile::new(from, &[16, 8], b),
            Tile::new(to, &[4, 8], vec![0; 32]),
        ];
        let got = eval(&inputs, |build, args| {
            build
                .op(FloatOp::MmaF, LOC)
                .args(args)
                .result(Type::tile(to, &[4, 8]))
                .finish_value()
        });
        for (index, &got) in got.expect("it runs").bits.iter().enumerate() {
            let got = value(to, got);
            let spoiled = index / 8 == 1;
            assert!(
                if spoiled { got.is_nan() } else { got == 0.0 },
                "{from} {to}"
            );
        }
    }
}

struct Scaled {
    from: Scalar,
    factor: Scalar,
    block: usize,
}

const M: usize = 4;
const N: usize = 8;
const K: usize = 64;

impl Scaled {
    fn run(&self, batch: usize, tiles: [Vec<u64>; 5]) -> Result<Tile, String> {
        let blocks = K / self.block;
        let extents = [[M, K], [K, N], [M, N], [M, blocks], [blocks, N]];
        let types = [self.from, self.from, Scalar::F32, self.factor, self.factor];
        let inputs: Vec<Tile> = tiles
            .into_iter()
            .zip(extents)
            .zip(types)
            .map(|((bits, extents), scalar)| {
                let mut shape = extents.map(|extent| extent as i64).to_vec();
                if batch > 1 {
                    shape.insert(0, batch as i64);
                }
                Tile::new(scalar, &shape, bits)
            })
            .collect();
        eval(&inputs, |build, args| {
            let ty = build.ty(args[2]);
            build
                .op(FloatOp::MmaFScaled, LOC)
                .args(args)
                .result(ty)
                .finish_value()
        })
    }
}

const SCALED: [Scaled; 5] = {
    const fn row(from: Scalar, factor: Scalar, block: usize) -> Scaled {
        Scaled {
            from,
            factor,
            block,
        }
    }
    [
        row(Scalar::F8E4M3FN, Scalar::F8E8M0FNU, 32),
        row(Scalar::F8E5M2, Scalar::F8E8M0FNU, 32),
        row(Scalar::F4E2M1FN, Scalar::F8E4M3FN, 16),
        row(Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 16),
        row(Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 32),
    ]
};

#[test]
pub(crate) fn every_block_has_its_scale_factors_and_the_sum_has_the_documented_order() {
    for case in &SCALED {
        for batch in [1, 2] {
            let mut random = Random::new(17);
            let mut numbers =
                |scalar: Scalar, count: usize, accepted: fn(f64) -> bool| -> Vec<u64> {
                    let patterns: Vec<u64> = Format::for_scalar(scalar)
                        .patterns()
                        .filter(|&bits| accepted(value(scalar, bits)))
                        .collect();
                    (0..count)
                        .map(|_| patterns[(random.bits() % patterns.len() as u64) as usize])
                        .collect()
                };
            let blocks = K / case.block;
            let finite = |x: f64| x.is_finite();
            // The magnitude of factors is limited, so that sums are finite.
            let factor = |x: f64| (2.0_f64.powi(-9)..2.0_f64.powi(9)).contains(&x);
            let a = numbers(case.from, batch * M * K, finite);
            let b = numbers(case.from, batch * K * N, finite);
            let left = numbers(case.factor, batch * M * blocks, factor);
            let right = numbers(case.factor, batch * blocks * N, factor);
            let c: Vec<u64> = (0..batch * M * N)
                .map(|_| u64::from(((random.bits() % 999) as f32 - 500.0).to_bits()))
                .collect();
            let tiles = [a.clone(), b.clone(), c.clone(), left.clone(), right.clone()];
            let got = case.run(batch, tiles).expect("it runs");
            for (index, &got) in got.bits.iter().enumerate() {
                let (row, column) = (index / N, index % N);
                let (at_batch, mut sum) = (row / M, 0.0_f64);
                for k in 0..K {
                    let block = k / case.block;
                    let term = value(case.from, a[row * K + k])
                        * value(case.factor, left[row * blocks + block])
                        * value(case.from, b[(at_batch * K + k) * N + column])
                        * value(case.factor, right[(at_batch * blocks + block) * N + column]);
                    sum += term;
                }
                let want = (sum + value(Scalar::F32, c[index])) as f32;
                assert_eq!(
                    got,
                    u64::from(want.to_bits()),
                    "{} {} at {index}",
                    case.from,
                    case.factor
                );
            }
        }
    }
}

#[test]
pub(crate) fn scale_factors_may_be_nan_but_not_negative() {
    let case = &SCALED[2];
    let ones = |count| vec![2; count];
    let tiles = |factor: u64| {
        let mut left = vec![0x38; M * 4];
        left[5] = factor;
        [
            ones(M * K),
            ones(K * N),
            vec![0; M * N],
            left,
            vec![0x38; 4 * N],
        ]
    };
    let fault = case.run(1, tiles(0xb8)).expect_err("minus one");
    assert!(
        fault.contains("mmaf_scaled")
            && fault.contains("element [1, 1]: the scale factor is negative"),
        "{fault}"
    );
    let plain = u64::from(64.0_f32.to_bits());
    for (factor, want) in [(0x38, 64.0), (0x7f, f32::NAN), (0x80, 48.0), (0x40, 80.0)] {
        let got = case.run(1, tiles(factor)).expect("it runs").bits;
        let element = |row: usize| f32::from_bits(got[row * N] as u32);
        assert_eq!(got[0], plain);
        assert!(
            element(1) == want || element(1).is_nan() && want.is_nan(),
            "{}",
            element(1)
        );
    }
}

#[test]
pub(crate) fn bits_are_packed_low_ones_first_and_come_back() {
    for (scalar, bits) in [
        (Scalar::F4E2M1FN, 4),
        (Scalar::I1, 1),
        (Scalar::I4, 4),
        (Scalar::I16, 16),
        (Scalar::BF16, 16),
        (Scalar::F32, 32),
        (Scalar::I64, 64),
        (Scalar::TF32, 32),
    ] {
        let mut random = Random::new(23);
        let width = scalar.bits();
        let count = 64;
        let elements: Vec<u64> = (0..count)
            .map(|_| random.bits() & (u64::MAX >> (64 - width)))
            .collect();
        let bytes = count * bits / 8;
        let source = Tile::new(scalar, &[count as i64], elements.clone());
        let packed = eval(std::slice::from_ref(&source), |b, args| {
            b.op(CoreOp::Pack, LOC)
                .args(args)
                .result(Type::tile(Scalar::I8, &[bytes as i64]))
                .finish_value()
        })
        .expect("it runs");
        // A tf32 is stored in the upper bits of an f32.
        let shift = bits - width as usize;
        let mut want = vec![0_u64; bytes];
        for (index, element) in elements.iter().enumerate() {
            for bit in (0..bits).filter(|&bit| bit >= shift && element >> (bit - shift) & 1 == 1) {
                let bit_index = index * bits + bit;
                want[bit_index / 8] |= 1 << (bit_index % 8);
            }
        }
        assert_eq!(packed.bits, want, "{scalar}");
        let back = eval(&[packed], |b, args| {
            b.op(CoreOp::Unpack, LOC)
                .args(args)
                .result(Type::tile(scalar, &[count as i64]))
                .finish_value()
        });
        assert_eq!(back.expect("it runs").bits, elements, "{scalar}");
    }
}
