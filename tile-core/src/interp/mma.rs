//! Matrix multiplication.
//!
//! Floats up to 32 bits are multiplied and summed in f32 (every product of two numbers of at most
//! 11 significant bits is exact), f64 in f64. The axis K is split into parts; the sum of each part
//! starts from zero and is added to the accumulator, and the final result is rounded to its type.
//! The order within a part, the size of the parts and the fusion of a product with its addition
//! depend on the shape and the machine, but not on the number of threads.
//!
//! An operand that is transposed only for matmuls is read by columns, and an accumulator without
//! other uses is updated in place.

use super::compile::Compiler;
use super::exact;
use super::loops::{map_in_place, map1};
use super::machine::{Exec, Flow, Machine, Slot};
use super::number::{BF16, F16, F32, F64, Float};
use super::tile::Lane;
use crate::ir::{Attr, DenseElements, Op, Signedness, ValueDef, ValueId};
use crate::ops::{CoreOp, FloatOp, Opcode};
use crate::types::Scalar;
use std::cell::RefCell;

/// The extents of a matmul.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) batch: usize,
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
}

pub(super) fn shape(cx: &Compiler<'_>, op: &Op) -> Shape {
    let lhs = cx.shape(op.operands[0]);
    let rhs = cx.shape(op.operands[1]);
    let rank = lhs.len();
    Shape {
        batch: lhs[..rank - 2].iter().product(),
        m: lhs[rank - 2],
        n: rhs[rank - 1],
        k: lhs[rank - 1],
    }
}

/// The order in which the elements of a matrix are stored.
#[derive(Clone, Copy, Debug)]
enum Major {
    Row,
    Column,
}

impl Major {
    /// Returns the distances between neighbouring rows and between neighbouring columns.
    fn strides(self, [rows, columns]: [usize; 2]) -> [isize; 2] {
        match self {
            Major::Row => [columns.cast_signed(), 1],
            Major::Column => [1, rows.cast_signed()],
        }
    }
}

/// An operand of a matmul.
#[derive(Clone, Copy, Debug)]
struct Factor {
    slot: Slot,
    major: Major,
}

impl Factor {
    fn new(cx: &mut Compiler<'_>, value: ValueId) -> Self {
        let (value, major) = match cx.transposed.get(&value) {
            Some(&source) => (source, Major::Column),
            None => (value, Major::Row),
        };
        let slot = cx.tile(value);
        Self { slot, major }
    }
}

/// Returns `true` if the result of a `permute` is used only as a transposed operand, so that it
/// needs no tile of its own.
pub(super) fn is_transposed_operand(cx: &Compiler<'_>, op: &Op) -> bool {
    let axes = op.permutation();
    let rank = axes.len();
    let swaps_the_last = rank >= 2
        && (0..).zip(&axes).all(|(axis, &from): (usize, _)| {
            let expected = match rank - axis {
                1 => rank - 2,
                2 => rank - 1,
                _ => axis,
            };
            usize::try_from(from) == Ok(expected)
        });
    let result = op.result();
    let readers = cx.uses.readers(cx.module, result);
    swaps_the_last
        && !readers.is_empty()
        && readers.iter().all(|&reader| {
            let reader = cx.module.op(reader);
            reader.opcode == Opcode::Float(FloatOp::MmaF) && reader.operands[..2].contains(&result)
        })
}

/// The initial value of the accumulator.
#[derive(Clone, Copy, Debug)]
enum Start {
    Zero,
    /// A copy of a tile that is read later.
    Copy(Slot),
    /// A tile that is not read later.
    Move(Slot),
}

impl Start {
    /// Returns the initial value of the matmul `op`, whose accumulator is its third operand.
    fn new(cx: &mut Compiler<'_>, op: &Op) -> Self {
        let acc = op.operands[2];
        let ValueDef::Result(product, _) = cx.module.value(op.result()).def else {
            unreachable!("an MMA has a result")
        };
        if let ValueDef::Result(def, _) = cx.module.value(acc).def
            && let def = cx.module.op(def)
            && def.opcode == Opcode::Core(CoreOp::Constant)
            && matches!(*def.dense_value(), DenseElements::Splat { bits: 0, .. })
        {
            return Start::Zero;
        }
        let slot = cx.tile(acc);
        let is_constant = cx.constants.iter().any(|&(constant, _)| constant == slot);
        if !is_constant && cx.uses.is_last(cx.module, acc, product) {
            Start::Move(slot)
        } else {
            Start::Copy(slot)
        }
    }

    /// Moves the result tile out of `out`, initialized with the accumulator. If the accumulator is
    /// zero, the contents are unspecified, and the caller must overwrite them.
    fn take<L: Lane>(self, machine: &mut Machine<'_>, out: Slot, count: usize) -> Vec<L> {
        match self {
            Start::Zero => {
                let mut sum: Vec<L> = machine.take(out);
                sum.resize(count, L::default());
                return sum;
            }
            Start::Copy(acc) => machine.copy(acc, out),
            Start::Move(acc) => machine.swap(acc, out),
        }
        machine.take(out)
    }

    fn scale<T: From<u8>>(self) -> T {
        match self {
            Start::Zero => T::from(0),
            Start::Copy(_) | Start::Move(_) => T::from(1),
        }
    }
}

/// Compiles `mmaf`.
pub(super) fn mmaf(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let shape = shape(cx, op);
    let count = shape.batch * shape.m * shape.n;
    let (from, to) = (cx.scalar(op.operands[0]), cx.scalar(op.operands[2]));
    let factors = [0, 1].map(|index| Factor::new(cx, op.operands[index]));
    let start = Start::new(cx, op);
    let out = cx.result(op);
    match (from, to) {
        (Scalar::F64, _) => Box::new(move |machine| {
            let mut sum: Vec<u64> = start.take(machine, out, count);
            let [a, b] = factors.map(|factor| machine.tile::<u64>(factor.slot));
            product64(shape, factors, [a, b], start.scale(), &mut sum);
            map_in_place(|x| F64::narrow(f64::from_bits(x)), &mut sum);
            machine.put(out, sum);
            Ok(Flow::Next)
        }),
        (Scalar::F32 | Scalar::TF32, _) => Box::new(move |machine| {
            let mut sum: Vec<u32> = start.take(machine, out, count);
            let [a, b] = factors.map(|factor| machine.tile::<u32>(factor.slot));
            product32(shape, factors, [a, b], start.scale(), &mut sum);
            map_in_place(|x| F32::narrow(f32::from_bits(x)), &mut sum);
            machine.put(out, sum);
            Ok(Flow::Next)
        }),
        (_, Scalar::F16) => {
            let [a, b] = factors.map(|factor| Widener::new(factor.slot, from));
            Box::new(move |machine| {
                let mut result: Vec<u16> = start.take(machine, out, count);
                PANELS.with_borrow_mut(|[left, right, sum]| {
                    a.widen(machine, left);
                    b.widen(machine, right);
                    sum.clear();
                    map1(|x| F16::widen(x).to_bits(), &result, sum);
                    product32(shape, factors, [left, right], start.scale(), sum);
                    result.clear();
                    map1(|x| F16::narrow(f32::from_bits(x)), sum, &mut result);
                    machine.put(out, result);
                });
                Ok(Flow::Next)
            })
        }
        _ => {
            let [a, b] = factors.map(|factor| Widener::new(factor.slot, from));
            Box::new(move |machine| {
                let mut sum: Vec<u32> = start.take(machine, out, count);
                PANELS.with_borrow_mut(|[left, right, _]| {
                    a.widen(machine, left);
                    b.widen(machine, right);
                    product32(shape, factors, [left, right], start.scale(), &mut sum);
                });
                map_in_place(|x| F32::narrow(f32::from_bits(x)), &mut sum);
                machine.put(out, sum);
                Ok(Flow::Next)
            })
        }
    }
}

thread_local! {
    /// Buffers for operands and a sum as bits of f32, kept to reuse their allocations.
    static PANELS: RefCell<[Vec<u32>; 3]> = const { RefCell::new([const { Vec::new() }; 3]) };
}

/// Converts a tile to f32, exactly.
struct Widener {
    slot: Slot,
    scalar: Scalar,
    /// The value of each pattern of at most eight bits.
    table: Vec<u32>,
}

impl Widener {
    fn new(slot: Slot, scalar: Scalar) -> Self {
        let table = match scalar {
            Scalar::F16 | Scalar::BF16 => Vec::new(),
            other => (0..=0xff).map(|bits| eight_bits(other, bits)).collect(),
        };
        Self {
            slot,
            scalar,
            table,
        }
    }

    fn widen(&self, machine: &Machine<'_>, out: &mut Vec<u32>) {
        out.clear();
        match self.scalar {
            Scalar::F16 => map1(|x| F16::widen(x).to_bits(), machine.tile(self.slot), out),
            Scalar::BF16 => map1(|x| BF16::widen(x).to_bits(), machine.tile(self.slot), out),
            _ => {
                let lanes = machine.tile::<u8>(self.slot).iter();
                out.extend(lanes.map(|&x| self.table[usize::from(x)]));
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "exact")]
fn eight_bits(scalar: Scalar, bits: u64) -> u32 {
    (exact::decode(scalar, bits) as f32).to_bits()
}

/// Defines `$name`: `c = a * b + scale * c` for bits of `$T`.
macro_rules! product {
    ($name:ident, $T:ty, $L:ty, $gemm:path) => {
        fn $name(
            shape: Shape,
            [left, right]: [Factor; 2],
            [a, b]: [&[$L]; 2],
            scale: $T,
            c: &mut [$L],
        ) {
            let Shape { batch, m, n, k } = shape;
            let lengths = [a.len(), b.len(), c.len()];
            let expected = [m * k, k * n, m * n].map(|len| batch * len);
            assert_eq!(lengths, expected, "verified code multiplies matching tiles");
            let [a_row, a_column] = left.major.strides([m, k]);
            let [b_row, b_column] = right.major.strides([k, n]);
            for index in 0..batch {
                let (a, b) = (&a[index * m * k..][..m * k], &b[index * k * n..][..k * n]);
                let c = &mut c[index * m * n..][..m * n];
                // SAFETY: the slices hold m x k, k x n and m x n elements with these strides, and
                // all bit patterns are valid floats.
                unsafe {
                    $gemm(
                        m,
                        k,
                        n,
                        1.0,
                        a.as_ptr().cast(),
                        a_row,
                        a_column,
                        b.as_ptr().cast(),
                        b_row,
                        b_column,
                        scale,
                        c.as_mut_ptr().cast(),
                        n.cast_signed(),
                        1,
                    );
                }
            }
        }
    };
}

product!(product32, f32, u32, matrixmultiply::sgemm);
product!(product64, f64, u64, matrixmultiply::dgemm);

/// Compiles `mmai`: products of i8 summed in i32, wrapping.
pub(super) fn mmai(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let shape = shape(cx, op);
    let signed = |name| op.attr(name) == Some(&Attr::Signedness(Signedness::Signed));
    let (lhs_signed, rhs_signed) = (signed("signedness_lhs"), signed("signedness_rhs"));
    let [lhs, rhs, acc] = cx.args(op);
    let out = cx.result(op);
    Box::new(move |machine| {
        machine.write(out, |machine, result: &mut Vec<u32>| {
            let a = integers(machine.tile(lhs), lhs_signed);
            let b = integers(machine.tile(rhs), rhs_signed);
            result.extend_from_slice(machine.tile(acc));
            let Shape { batch, m, n, k } = shape;
            for row in 0..batch * m {
                let c = &mut result[row * n..][..n];
                for (index, &x) in a[row * k..][..k].iter().enumerate() {
                    let b = &b[(row / m * k + index) * n..][..n];
                    for (c, &y) in c.iter_mut().zip(b) {
                        *c = c.wrapping_add(x.wrapping_mul(y).cast_unsigned());
                    }
                }
            }
        });
        Ok(Flow::Next)
    })
}

fn integers(lanes: &[u8], signed: bool) -> Vec<i32> {
    let number = |&lane: &u8| {
        if signed {
            i32::from(lane.cast_signed())
        } else {
            i32::from(lane)
        }
    };
    lanes.iter().map(number).collect()
}
