//! Tests float arithmetic against exact fractions, in every rounding mode and form, and against
//! `NumPy`.

use crate::common::LOC;
use crate::formats::IEEE_MODES;
use crate::input::{FLOATS, eval, patterns, tile};
use crate::model::{same, value};
use crate::oracle::Oracle;
use tile_core::ir::{Attr, RoundingMode};
use tile_core::ops::{FloatOp, Opcode};
use tile_core::types::{Scalar, Type};

/// An operation whose result is the exact result, rounded once.
pub(crate) struct Arithmetic {
    pub(crate) op: FloatOp,
    operands: usize,
    /// The forms in addition to the plain one.
    forms: &'static [Form],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The four rounding modes of IEEE 754.
    Rounded,
    /// Subnormal operands and results are flushed to zero; for f32 only.
    Flushed,
    /// A NaN operand gives a NaN.
    Propagating,
    /// An approximation, for f32 only, which is computed with rounding to nearest even.
    Approximate(RoundingMode),
}

const ROUNDED: &[Form] = &[Form::Rounded, Form::Flushed];
const EXTREMUM: &[Form] = &[Form::Propagating, Form::Flushed];

/// All operations.
pub(crate) const ARITHMETIC: [Arithmetic; 13] = {
    const fn row(op: FloatOp, operands: usize, forms: &'static [Form]) -> Arithmetic {
        Arithmetic {
            op,
            operands,
            forms,
        }
    }
    [
        row(FloatOp::AbsF, 1, &[]),
        row(FloatOp::AddF, 2, ROUNDED),
        row(FloatOp::Ceil, 1, &[]),
        row(
            FloatOp::DivF,
            2,
            &[
                Form::Rounded,
                Form::Flushed,
                Form::Approximate(RoundingMode::Full),
            ],
        ),
        row(FloatOp::Floor, 1, &[]),
        row(FloatOp::Fma, 3, ROUNDED),
        row(FloatOp::MaxF, 2, EXTREMUM),
        row(FloatOp::MinF, 2, EXTREMUM),
        row(FloatOp::MulF, 2, ROUNDED),
        row(FloatOp::NegF, 1, &[]),
        row(FloatOp::RemF, 2, &[]),
        row(
            FloatOp::Sqrt,
            1,
            &[
                Form::Rounded,
                Form::Flushed,
                Form::Approximate(RoundingMode::Approx),
            ],
        ),
        row(FloatOp::SubF, 2, ROUNDED),
    ]
};

/// Returns the number of values of each operand that a test uses.
fn count() -> usize {
    if crate::every_pattern::is_exhaustive() {
        1 << 14
    } else {
        256
    }
}

/// One form of an operation on one type.
struct Case<'a> {
    row: &'a Arithmetic,
    scalar: Scalar,
    mode: RoundingMode,
    flushed: bool,
    propagating: bool,
}

impl Case<'_> {
    fn name(&self) -> &'static str {
        Opcode::from(self.row.op).def().mnemonic
    }

    fn run(&self, operands: &[Vec<u64>]) -> Vec<u64> {
        let tiles: Vec<_> = operands
            .iter()
            .map(|bits| tile(self.scalar, bits.clone()))
            .collect();
        let shape = [operands[0].len() as i64];
        let got = eval(&tiles, |b, args| {
            let mut op = b.op(self.row.op, LOC).args(args);
            if self.mode != RoundingMode::NearestEven {
                op = op.attr("rounding_mode", Attr::Rounding(self.mode));
            }
            if self.flushed {
                op = op.attr("flush_to_zero", Attr::Unit);
            }
            if self.propagating {
                op = op.attr("propagate_nan", Attr::Unit);
            }
            op.result(Type::tile(self.scalar, &shape)).finish_value()
        });
        got.expect("it runs").bits
    }

    fn check(&self, oracle: &mut Oracle) {
        let seeds = [11, 29, 43].into_iter().take(self.row.operands);
        let operands: Vec<Vec<u64>> = seeds
            .map(|seed| patterns(self.scalar, count(), seed + self.mode as u64))
            .collect();
        let got = self.run(&operands);
        let flush = |bits: u64| match bits & 0x7f80_0000 {
            0 if self.flushed => bits & 0x8000_0000,
            _ => bits,
        };
        let asked: Vec<Vec<u64>> = operands
            .iter()
            .map(|column| column.iter().map(|&bits| flush(bits)).collect())
            .collect();
        let columns: Vec<&[u64]> = asked.iter().map(Vec::as_slice).collect();
        let mode = match self.mode {
            RoundingMode::Zero => "zero",
            RoundingMode::NegativeInf => "negative_inf",
            RoundingMode::PositiveInf => "positive_inf",
            _ => "nearest_even",
        };
        let suffix = if self.propagating { "_nan" } else { "" };
        let request = format!("exact {}{suffix} {} {mode}", self.name(), self.scalar);
        let [want] = oracle.ask(&request, &columns);
        let bitwise = matches!(self.row.op, FloatOp::AbsF | FloatOp::NegF);
        for index in 0..got.len() {
            let (got, want) = (got[index], flush(want[index]));
            let agrees = got == want || !bitwise && same(self.scalar, got, want);
            let numbers: Vec<f64> = operands
                .iter()
                .map(|column| value(self.scalar, column[index]))
                .collect();
            assert!(
                agrees,
                "{request}, flushed {}: {numbers:?} gives {got:#x}, not {want:#x}",
                self.flushed
            );
        }
        let plain = self.mode == RoundingMode::NearestEven && !self.flushed;
        if plain && !matches!(self.row.op, FloatOp::MaxF | FloatOp::MinF | FloatOp::Fma) {
            let request = format!("numpy {} {}", self.name(), self.scalar);
            let [want] = oracle.ask(&request, &columns);
            for index in 0..got.len() {
                let (got, want) = (got[index], want[index]);
                assert!(
                    same(self.scalar, got, want),
                    "{request}: {got:#x}, not {want:#x}"
                );
            }
        }
    }
}

#[test]
fn arithmetic_is_exact_but_for_one_rounding_in_every_form() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    for row in &ARITHMETIC {
        for scalar in FLOATS {
            let case = |mode, flushed, propagating| Case {
                row,
                scalar,
                mode,
                flushed,
                propagating,
            };
            case(RoundingMode::NearestEven, false, false).check(&mut oracle);
            let flushes = scalar == Scalar::F32 && row.forms.contains(&Form::Flushed);
            for &form in row.forms {
                match form {
                    Form::Rounded => {
                        for mode in IEEE_MODES {
                            case(mode, false, false).check(&mut oracle);
                            if flushes {
                                case(mode, true, false).check(&mut oracle);
                            }
                        }
                    }
                    Form::Propagating => {
                        case(RoundingMode::NearestEven, false, true).check(&mut oracle)
                    }
                    Form::Flushed if flushes => {
                        let propagates = row.forms.contains(&Form::Propagating);
                        case(RoundingMode::NearestEven, true, false).check(&mut oracle);
                        case(RoundingMode::NearestEven, true, propagates).check(&mut oracle);
                    }
                    Form::Approximate(mode) if scalar == Scalar::F32 => {
                        case(mode, false, false).check(&mut oracle);
                        case(mode, true, false).check(&mut oracle);
                    }
                    Form::Flushed | Form::Approximate(_) => {}
                }
            }
        }
    }
}

#[test]
fn an_approximate_quotient_by_a_very_large_number_is_zero() {
    let bits = |number: f32| u64::from(number.to_bits());
    let large = 2.0_f32.powi(126);
    let rows = [
        (1.5, large, 1.5 / large),
        (large, large.next_up(), 0.0),
        (-large, 2.0 * large.next_up(), -0.0),
        (f32::INFINITY, large.next_up(), f32::NAN),
        (f32::NEG_INFINITY, large, f32::NEG_INFINITY),
        (1.0, f32::INFINITY, 0.0),
        (-7.0, 2.0, -3.5),
        (1.0, -0.0, f32::NEG_INFINITY),
    ];
    let column = |pick: fn(&(f32, f32, f32)) -> f32| rows.iter().map(move |row| bits(pick(row)));
    let operands = [
        tile(Scalar::F32, column(|row| row.0).collect()),
        tile(Scalar::F32, column(|row| row.1).collect()),
    ];
    let got = eval(&operands, |b, args| {
        b.op(FloatOp::DivF, LOC)
            .args(args)
            .attr("rounding_mode", Attr::Rounding(RoundingMode::Approx))
            .result(Type::tile(Scalar::F32, &[rows.len() as i64]))
            .finish_value()
    });
    for (got, (row, want)) in got
        .expect("it runs")
        .bits
        .iter()
        .zip(rows.iter().zip(column(|row| row.2)))
    {
        assert!(same(Scalar::F32, *got, want), "{row:?}: {got:#x}");
    }
}
