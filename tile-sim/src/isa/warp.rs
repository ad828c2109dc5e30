//! Warp-level instructions (PTX ISA, `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`,
//! `activemask`, `elect.sync`).

use super::float::format_of;
use super::soft::Format;
use super::types::{Class, Type, mask, signed};
use super::{Op, Pred, Slot};
use crate::check::{FaultKind, Trouble};
use crate::machine::registers::{Registers, Row, lanes};
use crate::parse::decoder::{Condition, Decoded, Decoder};
use crate::parse::syntax::Operand;
use crate::parse::target::Target;

/// A warp-level instruction.
#[derive(Clone, Debug)]
pub(crate) struct Warp {
    kind: Kind,
    /// The member mask; `None` for `activemask`.
    pub(crate) members: Option<Slot>,
}

#[derive(Clone, Debug)]
enum Kind {
    Shuffle {
        mode: Shuffle,
        dest: Slot,
        pred: Option<Pred>,
        args: [Slot; 3],
    },
    Vote {
        vote: Vote,
        dest: Pred,
        src: Condition,
    },
    Ballot {
        dest: Slot,
        src: Condition,
    },
    MatchAny {
        bits: u8,
        dest: Slot,
        src: Slot,
    },
    MatchAll {
        bits: u8,
        dest: Slot,
        pred: Option<Pred>,
        src: Slot,
    },
    Reduce {
        reduce: Reduce,
        dest: Slot,
        src: Slot,
    },
    ActiveMask {
        dest: Slot,
    },
    Elect {
        dest: Slot,
        pred: Pred,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vote {
    All,
    Any,
    Uniform,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduce {
    Add,
    Min {
        signed: bool,
    },
    Max {
        signed: bool,
    },
    And,
    Or,
    Xor,
    Float {
        max: bool,
        abs: bool,
        propagate: bool,
        format: Format,
    },
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    let kind = match opcode {
        "activemask" => {
            d.ty_where(|ty| ty == Type::B32)?;
            d.end(1)?;
            d.requires((6, 2), 30)?;
            let kind = Kind::ActiveMask {
                dest: d.dest_for(0, Type::B32)?,
            };
            return Ok(Op::Warp(Warp {
                kind,
                members: None,
            }));
        }
        "match" => {
            let is_all = d.needs(&[("any", false), ("all", true)])?;
            sync(d)?;
            let ty = d.ty_where(|ty| ty.class == Class::Bits && ty.bits >= 32)?;
            d.end(3)?;
            d.requires((6, 0), 70)?;
            let (dest, pred) = d.dest_and_pred(0)?;
            let src = d.source(1, ty)?;
            match (is_all, pred) {
                (true, pred) => Kind::MatchAll {
                    bits: ty.bits,
                    dest,
                    pred,
                    src,
                },
                (false, None) => Kind::MatchAny {
                    bits: ty.bits,
                    dest,
                    src,
                },
                (false, Some(_)) => return d.error("`any` has no predicate"),
            }
        }
        _ => {
            sync(d)?;
            match opcode {
                "shfl" => {
                    let mode = d.needs(&[
                        ("up", Shuffle::Up),
                        ("down", Shuffle::Down),
                        ("bfly", Shuffle::Butterfly),
                        ("idx", Shuffle::Index),
                    ])?;
                    d.ty_where(|ty| ty == Type::B32)?;
                    d.end(5)?;
                    d.requires((6, 0), 30)?;
                    // ptxas refuses a sink here, unlike in `match`.
                    if matches!(d.operand(0)?, Operand::Pair(dest, _) if dest == "_") {
                        return d.error("the result must be a register, not `_`");
                    }
                    let (dest, pred) = d.dest_and_pred(0)?;
                    let word = Type::B32;
                    let args = [d.source(1, word)?, d.source(2, word)?, d.source(3, word)?];
                    Kind::Shuffle {
                        mode,
                        dest,
                        pred,
                        args,
                    }
                }
                "vote" => {
                    if d.takes("ballot") {
                        d.ty_where(|ty| ty == Type::B32)?;
                        d.end(3)?;
                        Kind::Ballot {
                            dest: d.dest_for(0, Type::B32)?,
                            src: d.condition(1)?,
                        }
                    } else {
                        let vote = d.needs(&[
                            ("all", Vote::All),
                            ("any", Vote::Any),
                            ("uni", Vote::Uniform),
                        ])?;
                        d.ty_where(|ty| ty == Type::PRED)?;
                        d.end(3)?;
                        Kind::Vote {
                            vote,
                            dest: d.pred_dest(0)?,
                            src: d.condition(1)?,
                        }
                    }
                }
                "redux" => reduce(d)?,
                _ => {
                    d.end(2)?;
                    d.requires((8, 0), 90)?;
                    match d.dest_and_pred(0)? {
                        (dest, Some(pred)) => Kind::Elect { dest, pred },
                        (_, None) => return d.error("a predicate is missing"),
                    }
                }
            }
        }
    };
    let last = d.operands() - 1;
    let members = Some(d.source(last, Type::B32)?);
    Ok(Op::Warp(Warp { kind, members }))
}

/// Decodes `.sync`. The forms without it were removed for `sm_70` and PTX 6.4.
fn sync(d: &mut Decoder<'_>) -> Decoded<()> {
    if d.takes("sync") {
        return Ok(());
    }
    let opcode = d.opcode();
    let name = match opcode {
        "match" => "match.any.sync",
        "vote" => "vote.sync",
        "shfl" => "shfl.sync",
        other => other,
    };
    d.error(format!(
        "`{opcode}` without `.sync` is not for `sm_70` and later; write `{name}` with the mask of the lanes that take part as last operand"
    ))
}

fn reduce(d: &mut Decoder<'_>) -> Decoded<Kind> {
    let name = d.peek();
    d.needs(&["add", "min", "max", "and", "or", "xor"].map(|name| (name, ())))?;
    let mut abs = d.takes("abs");
    let propagate = d.takes("NaN");
    abs |= d.takes("abs");
    let ty = d.ty_where(|ty| ty.bits == 32 && ty.packed == 1)?;
    let float = ty == Type::F32;
    if (abs || propagate) && !float {
        return d.error("only for `.f32`");
    }
    let signed = ty.is_signed();
    let reduce = match (name, ty.class) {
        (Some("min" | "max"), Class::Float) => Reduce::Float {
            max: name == Some("max"),
            abs,
            propagate,
            format: format_of(ty),
        },
        (Some("add"), Class::Signed | Class::Unsigned) => Reduce::Add,
        (Some("min"), Class::Signed | Class::Unsigned) => Reduce::Min { signed },
        (Some("max"), Class::Signed | Class::Unsigned) => Reduce::Max { signed },
        (Some("and"), Class::Bits) => Reduce::And,
        (Some("or"), Class::Bits) => Reduce::Or,
        (Some("xor"), Class::Bits) => Reduce::Xor,
        _ => return d.error("not an operation on that type"),
    };
    d.end(3)?;
    if float {
        d.requires_one_of((8, 6), &[Target::family(100), Target::family(110)])?;
    } else {
        d.requires((7, 0), 80)?;
    }
    Ok(Kind::Reduce {
        reduce,
        dest: d.dest_for(0, ty)?,
        src: d.source(1, ty)?,
    })
}

impl Warp {
    pub(crate) fn is_convergent(&self) -> bool {
        self.members.is_some()
    }

    /// Executes the instruction for `active`, which contains all members.
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) -> Result<(), Trouble> {
        match self.kind {
            Kind::Shuffle {
                mode,
                dest,
                pred,
                args,
            } => {
                return shuffle(r, active, mode, dest, pred, args);
            }
            Kind::Vote { vote, dest, src } => {
                let yes = r.condition(src) & active;
                let result = match vote {
                    Vote::All => yes == active,
                    Vote::Any => yes != 0,
                    Vote::Uniform => yes == active || yes == 0,
                };
                r.set_pred(active, dest, if result { u32::MAX } else { 0 });
            }
            Kind::Ballot { dest, src } => {
                let yes = r.condition(src) & active;
                r.each(active, dest, |_| u64::from(yes));
            }
            Kind::MatchAny { bits, dest, src } => {
                let row = r.row(src);
                r.each(active, dest, |lane| {
                    u64::from(equal(&row, active, lane, bits))
                });
            }
            Kind::MatchAll {
                bits,
                dest,
                pred,
                src,
            } => {
                let row = r.row(src);
                let first = active.trailing_zeros() as usize;
                let are_equal = equal(&row, active, first, bits) == active;
                r.each(
                    active,
                    dest,
                    |_| if are_equal { u64::from(active) } else { 0 },
                );
                if let Some(pred) = pred {
                    r.set_pred(active, pred, if are_equal { u32::MAX } else { 0 });
                }
            }
            Kind::Reduce { reduce, dest, src } => {
                let row = r.row(src);
                let result = lanes(active)
                    .map(|lane| row[lane] & 0xffff_ffff)
                    .map(|x| reduce.prepared(x))
                    .reduce(|x, y| reduce.combine(x, y))
                    .unwrap_or(0);
                r.each(active, dest, |_| result);
            }
            Kind::ActiveMask { dest } => r.each(active, dest, |_| u64::from(active)),
            Kind::Elect { dest, pred } => {
                // The PTX ISA leaves the choice of the leader open; hardware elects the lowest
                // lane.
                let leader = active.trailing_zeros();
                r.each(active, dest, |_| u64::from(leader));
                r.set_pred(active, pred, 1 << leader);
            }
        }
        Ok(())
    }
}

impl Reduce {
    fn prepared(self, x: u64) -> u64 {
        match self {
            Self::Float { abs, format, .. } => {
                let x = if abs { x & !format.sign_bit() } else { x };
                // A single NaN is made canonical too.
                self.combine(x, x)
            }
            _ => x,
        }
    }

    fn combine(self, x: u64, y: u64) -> u64 {
        let by_sign = |is_signed: bool, value: u64| {
            if is_signed {
                signed(value, 32)
            } else {
                value.cast_signed()
            }
        };
        match self {
            Self::Add => x.wrapping_add(y) & 0xffff_ffff,
            Self::And => x & y,
            Self::Or => x | y,
            Self::Xor => x ^ y,
            Self::Min { signed } => std::cmp::min_by_key(x, y, |&v| by_sign(signed, v)),
            Self::Max { signed } => std::cmp::max_by_key(x, y, |&v| by_sign(signed, v)),
            Self::Float {
                max,
                abs: _,
                propagate,
                format,
            } => super::float::extreme(format, max, propagate, x, y),
        }
    }
}

fn equal(row: &Row, active: u32, lane: usize, bits: u8) -> u32 {
    let m = mask(u16::from(bits));
    lanes(active)
        .filter(|&other| (row[other] ^ row[lane]) & m == 0)
        .fold(0, |equal, other| equal | 1 << other)
}

fn shuffle(
    r: &mut Registers,
    active: u32,
    mode: Shuffle,
    dest: Slot,
    pred: Option<Pred>,
    [a, b, c]: [Slot; 3],
) -> Result<(), Trouble> {
    let (values, by, bounds) = (r.row(a), r.row(b), r.row(c));
    let mut out = [0; 32];
    let mut in_range = 0u32;
    for lane in lanes(active) {
        let index = lane as u64;
        let (b, clamp, segment) = (by[lane] & 31, bounds[lane] & 31, bounds[lane] >> 8 & 31);
        let last = index & segment | clamp & !segment;
        let (from, valid) = match mode {
            Shuffle::Up => {
                let from = index.wrapping_sub(b);
                (from, from.cast_signed() >= last.cast_signed())
            }
            Shuffle::Down => (index + b, index + b <= last),
            Shuffle::Butterfly => (index ^ b, index ^ b <= last),
            Shuffle::Index => {
                let from = index & segment | b & !segment & 31;
                (from, from <= last)
            }
        };
        let from = if valid { from as usize } else { lane };
        if active >> from & 1 == 0 {
            let kind = FaultKind::ShuffleFromInactiveLane { from: from as u32 };
            return Err(Trouble::at(lane, kind));
        }
        in_range |= u32::from(valid) << lane;
        out[lane] = values[from] & 0xffff_ffff;
    }
    r.write(active, dest, &out);
    if let Some(pred) = pred {
        r.set_pred(active, pred, in_range);
    }
    Ok(())
}
