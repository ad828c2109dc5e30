//! Bitwise logic, shifts and permutations (PTX ISA, "Logic and Shift Instructions", `prmt`).

use super::types::{Class, Type, mask, signed};
use super::{Op, Pred, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Condition, Decoded, Decoder};
use crate::parse::syntax::Operand;

/// A bitwise instruction.
#[derive(Clone, Debug)]
pub(crate) enum Logic {
    Value {
        kind: Kind,
        bits: u8,
        dest: Slot,
        args: [Slot; 3],
    },
    Pred {
        kind: Kind,
        dest: Pred,
        args: [Condition; 2],
    },
    /// `lop3.or`, `lop3.and`: combines a predicate with the test that the result is not zero.
    Lookup {
        table: u8,
        any: bool,
        dest: Slot,
        pred: Pred,
        args: [Slot; 3],
        condition: Condition,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    And,
    Or,
    Xor,
    Not,
    Cnot,
    /// `lop3` with its lookup table.
    Lop3(u8),
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    Funnel {
        left: bool,
        wrap: bool,
    },
    Permute(Permute),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permute {
    Index,
    Forward,
    Backward,
    Replicate8,
    EdgeLeft,
    EdgeRight,
    Replicate16,
}

fn bits(ty: Type) -> bool {
    ty.class == Class::Bits && matches!(ty.bits, 16 | 32 | 64)
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    let (kind, ty, operands) = match opcode {
        "and" | "or" | "xor" | "not" => {
            let (kind, operands) = match opcode {
                "and" => (Kind::And, 2),
                "or" => (Kind::Or, 2),
                "xor" => (Kind::Xor, 2),
                _ => (Kind::Not, 1),
            };
            if d.takes("pred") {
                d.end(operands + 1)?;
                let dest = d.pred_dest(0)?;
                let first = d.condition(1)?;
                let second = if operands == 2 {
                    d.condition(2)?
                } else {
                    first
                };
                return Ok(Op::Logic(Logic::Pred {
                    kind,
                    dest,
                    args: [first, second],
                }));
            }
            (kind, d.ty_where(bits)?, operands)
        }
        "cnot" => (Kind::Cnot, d.ty_where(bits)?, 1),
        "lop3" => return lookup(d).map(Op::Logic),
        // PTX ISA, "shl", "shr": amounts above the width are clamped, so signed right shifts are a
        // separate kind.
        "shl" => (Kind::ShiftLeft, d.ty_where(bits)?, 2),
        "shr" => {
            let ty =
                d.ty_where(|ty| bits(ty) || ty.is_integer() && ty.bits >= 16 && ty.packed == 1)?;
            let kind = if ty.is_signed() {
                Kind::ShiftRightSigned
            } else {
                Kind::ShiftRight
            };
            (kind, ty, 2)
        }
        "shf" => {
            let left = d.needs(&[("l", true), ("r", false)])?;
            let wrap = d.needs(&[("wrap", true), ("clamp", false)])?;
            (
                Kind::Funnel { left, wrap },
                d.ty_where(|ty| ty == Type::B32)?,
                3,
            )
        }
        _ => {
            let ty = d.ty_where(|ty| ty == Type::B32)?;
            let mode = d.one_of(&[
                ("f4e", Permute::Forward),
                ("b4e", Permute::Backward),
                ("rc8", Permute::Replicate8),
                ("ecl", Permute::EdgeLeft),
                ("ecr", Permute::EdgeRight),
                ("rc16", Permute::Replicate16),
            ]);
            (Kind::Permute(mode.unwrap_or(Permute::Index)), ty, 3)
        }
    };
    d.end(operands + 1)?;
    let dest = d.dest_for(0, ty)?;
    let first = d.source(1, ty)?;
    let mut args = [first; 3];
    for (index, arg) in args.iter_mut().enumerate().take(operands).skip(1) {
        let is_shift = matches!(
            kind,
            Kind::ShiftLeft | Kind::ShiftRight | Kind::ShiftRightSigned
        );
        *arg = d.source(index + 1, if is_shift { Type::B32 } else { ty })?;
    }
    Ok(Op::Logic(Logic::Value {
        kind,
        bits: ty.bits,
        dest,
        args,
    }))
}

/// Decodes `lop3` (PTX ISA, "lop3").
fn lookup(d: &mut Decoder<'_>) -> Decoded<Logic> {
    let combine = d.one_of(&[("or", true), ("and", false)]);
    let ty = d.ty_where(|ty| ty == Type::B32)?;
    d.end(if combine.is_some() { 6 } else { 5 })?;
    let Ok(table) = u8::try_from(d.number(4)?) else {
        return d.error("the table has eight bits: write a number from 0 to 255");
    };
    let Some(any) = combine else {
        return Ok(Logic::Value {
            kind: Kind::Lop3(table),
            bits: 32,
            dest: d.dest_for(0, ty)?,
            args: [d.source(1, ty)?, d.source(2, ty)?, d.source(3, ty)?],
        });
    };
    d.requires((8, 2), 70)?;
    let (dest, Some(pred)) = d.dest_and_pred(0)? else {
        return d.error("the destinations are a result and a predicate: `d|p`");
    };
    if matches!(d.operand(0)?, Operand::Pair(_, pred) if pred == "_") {
        return d.error("the predicate must be a register: `d|p`, not `d|_`");
    }
    Ok(Logic::Lookup {
        table,
        any,
        dest,
        pred,
        args: [d.source(1, ty)?, d.source(2, ty)?, d.source(3, ty)?],
        condition: d.condition(5)?,
    })
}

impl Logic {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        match *self {
            Self::Pred {
                kind,
                dest,
                args: [a, b],
            } => {
                let (a, b) = (r.condition(a), r.condition(b));
                let result = match kind {
                    Kind::And => a & b,
                    Kind::Or => a | b,
                    Kind::Xor => a ^ b,
                    _ => !a,
                };
                r.set_pred(active, dest, result);
            }
            Self::Value {
                kind,
                bits,
                dest,
                args: [a, b, c],
            } => {
                value(r, active, kind, bits, dest, [a, b, c]);
            }
            Self::Lookup {
                table,
                any,
                dest,
                pred,
                args,
                condition,
            } => {
                let condition = r.condition(condition);
                value(r, active, Kind::Lop3(table), 32, dest, args);
                let row = r.row_ref(dest);
                let set = crate::machine::registers::lanes(active)
                    .fold(0, |set, lane| set | u32::from(row[lane] != 0) << lane);
                let result = if any {
                    set | condition
                } else {
                    set & condition
                };
                r.set_pred(active, pred, result);
            }
        }
    }
}

fn value(r: &mut Registers, active: u32, kind: Kind, bits: u8, dest: Slot, [a, b, c]: [Slot; 3]) {
    let m = mask(u16::from(bits));
    let width = u64::from(bits);
    match kind {
        Kind::And => r.map2(active, dest, a, b, |x, y| x & y & m),
        Kind::Or => r.map2(active, dest, a, b, |x, y| (x | y) & m),
        Kind::Xor => r.map2(active, dest, a, b, |x, y| (x ^ y) & m),
        Kind::Not => r.map1(active, dest, a, |x| !x & m),
        Kind::Cnot => r.map1(active, dest, a, |x| u64::from(x & m == 0)),
        Kind::Lop3(table) => {
            // Bit 2 of the table index comes from `a`, bit 1 from `b`, bit 0 from `c`. Each entry
            // describes two table bits whose indices differ in `c` only: the bit for `c` = 0, and
            // whether the bit changes for `c` = 1.
            let pairs: [(u64, u64); 4] = std::array::from_fn(|pair| {
                let spread = |bit: usize| 0u64.wrapping_sub(u64::from(table >> bit & 1));
                let (clear, set) = (spread(2 * pair), spread(2 * pair + 1));
                (clear, clear ^ set)
            });
            r.map3(active, dest, a, b, c, |x, y, z| {
                let [p, q, s, t] = pairs.map(|(clear, change)| clear ^ z & change);
                let (p, s) = (p ^ y & (p ^ q), s ^ y & (s ^ t));
                (p ^ x & (p ^ s)) & m
            });
        }
        Kind::ShiftLeft => r.map2(active, dest, a, b, |x, n| {
            let n = n & 0xffff_ffff;
            if n >= width { 0 } else { (x << n) & m }
        }),
        Kind::ShiftRight => r.map2(active, dest, a, b, |x, n| {
            let n = n & 0xffff_ffff;
            if n >= width { 0 } else { (x & m) >> n }
        }),
        Kind::ShiftRightSigned => r.map2(active, dest, a, b, |x, n| {
            let n = (n & 0xffff_ffff).min(width - 1);
            (signed(x, bits) >> n).cast_unsigned() & m
        }),
        Kind::Funnel { left, wrap } => r.map3(active, dest, a, b, c, |low, high, n| {
            let n = n & 0xffff_ffff;
            let n = if wrap { n & 31 } else { n.min(32) };
            let pair = (high & m) << 32 | low & m;
            let shifted = if left { (pair << n) >> 32 } else { pair >> n };
            shifted & m
        }),
        Kind::Permute(Permute::Index) => {
            let selector = r.get(active.trailing_zeros() as usize, c);
            if r.row_ref(c).iter().all(|&other| other == selector) {
                // Shifts by the same amount in all lanes vectorize.
                let picks = [0, 1, 2, 3].map(|index| selector >> (4 * index));
                r.map2(active, dest, a, b, |x, y| {
                    let bytes = (x & m) | y << 32;
                    (0u64..).zip(picks).fold(0, |result, (index, nibble)| {
                        result | pick(bytes, nibble) << (8 * index)
                    })
                });
                return;
            }
            r.map3(active, dest, a, b, c, |x, y, selector| {
                let bytes = (x & m) | y << 32;
                (0..4).fold(0, |result, index| {
                    result | pick(bytes, selector >> (4 * index)) << (8 * index)
                })
            });
        }
        Kind::Permute(mode) => r.map3(active, dest, a, b, c, |x, y, selector| {
            let bytes = (x & m) | (y & m) << 32;
            (0..4).fold(0, |result, index| {
                let byte = bytes >> (8 * select(mode, selector, index)) & 0xff;
                result | byte << (8 * index)
            })
        }),
    }
}

/// Returns one of eight bytes, or its sign replicated eight times (PTX ISA, "prmt").
#[inline]
fn pick(bytes: u64, nibble: u64) -> u64 {
    let byte = bytes >> (8 * (nibble & 7)) & 0xff;
    let sign = (byte >> 7) * 0xff;
    let wants_sign = 0u64.wrapping_sub(nibble >> 3 & 1);
    byte ^ (byte ^ sign) & wants_sign
}

/// Returns the selector of byte `index`.
fn select(mode: Permute, selector: u64, index: u64) -> u64 {
    let n = selector & 3;
    match mode {
        Permute::Index => selector >> (4 * index) & 7,
        Permute::Forward => n + index,
        Permute::Backward => (n + 8 - index) & 7,
        Permute::Replicate8 => n,
        Permute::EdgeLeft => n.max(index),
        Permute::EdgeRight => n.min(index),
        Permute::Replicate16 => (n & 1) * 2 + (index & 1),
    }
}
