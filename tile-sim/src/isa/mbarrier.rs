//! Instructions on mbarrier objects in shared memory (PTX ISA, `mbarrier.*`).

pub(crate) mod object;

use object::{Completion, Return, Token};

use super::operands::{Order, Window, address_at, address_in, order_and_scope, sized, window};
use super::types::Type;
use super::{Pred, Slot};
use crate::check::Trouble;
use crate::machine::Cx;
use crate::machine::cx::SharedSpot;
use crate::machine::flights::{Awaited, Haste};
use crate::machine::registers::lanes;
use crate::machine::warp::Flow;
use crate::parse::decoder::{Address, Decoded, Decoder};

/// An mbarrier instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mbarrier {
    Init {
        address: Address,
        window: Window,
        count: Slot,
    },
    Invalidate {
        address: Address,
        window: Window,
    },
    Arrive(Arrive),
    /// `expect_tx`
    Expect {
        address: Address,
        window: Window,
        bytes: Slot,
    },
    /// `complete_tx`
    Complete {
        address: Address,
        window: Window,
        bytes: Slot,
    },
    Wait(Wait),
    PendingCount {
        dest: Slot,
        token: Slot,
    },
}

/// `arrive` and `arrive_drop`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrive {
    pub(crate) address: Address,
    pub(crate) window: Window,
    pub(crate) order: Order,
    pub(crate) comes: Return,
    pub(crate) completion: Completion,
    /// The arrival count, if it is not 1.
    pub(crate) count: Option<Slot>,
    /// The transaction count of `arrive.expect_tx`, in bytes.
    pub(crate) expected: Option<Slot>,
    /// The destination of the state token; `None` for `_`.
    pub(crate) token: Option<Slot>,
}

/// `test_wait` and `try_wait`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) address: Address,
    pub(crate) window: Window,
    pub(crate) order: Order,
    pub(crate) phase: Phase,
    /// The destination predicate: the phase has completed.
    pub(crate) done: Pred,
    pub(crate) patience: Patience,
}

/// The phase that a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Phase {
    Token(Slot),
    Parity(Slot),
}

/// The difference between `test_wait` and `try_wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// `test_wait`, which never suspends the thread.
    None,
    /// `try_wait`, which may suspend it, with or without a time limit.
    Some,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Mbarrier> {
    #[derive(Clone, Copy)]
    enum Name {
        Init,
        Invalidate,
        Arrive(Return),
        Expect,
        Complete,
        Wait(Patience),
        PendingCount,
    }
    d.requires((7, 0), 80)?;
    let name = d.needs(&[
        ("init", Name::Init),
        ("inval", Name::Invalidate),
        ("arrive", Name::Arrive(Return::Comes)),
        ("arrive_drop", Name::Arrive(Return::Dropped)),
        ("expect_tx", Name::Expect),
        ("complete_tx", Name::Complete),
        ("test_wait", Name::Wait(Patience::None)),
        ("try_wait", Name::Wait(Patience::Some)),
        ("pending_count", Name::PendingCount),
    ])?;
    match name {
        Name::Init | Name::Invalidate => {
            let window = window(d, &[Window::Generic, Window::Shared])?;
            b64(d)?;
            let count = if matches!(name, Name::Init) {
                d.end(2)?;
                Some(sized(d, 1, Type::U32)?)
            } else {
                d.end(1)?;
                None
            };
            let address = address_in(d, 0, window)?;
            Ok(match count {
                Some(count) => Mbarrier::Init {
                    address,
                    window,
                    count,
                },
                None => Mbarrier::Invalidate { address, window },
            })
        }
        Name::Arrive(comes) => arrive(d, comes),
        Name::Expect | Name::Complete => {
            d.requires((8, 0), 90)?;
            order_and_scope(d, &[Order::Relaxed], Order::Relaxed)?;
            let window = window(d, &Window::ALL)?;
            b64(d)?;
            d.end(2)?;
            let address = address_in(d, 0, window)?;
            let bytes = sized(d, 1, Type::U32)?;
            Ok(match name {
                Name::Expect => Mbarrier::Expect {
                    address,
                    window,
                    bytes,
                },
                _ => Mbarrier::Complete {
                    address,
                    window,
                    bytes,
                },
            })
        }
        Name::Wait(patience) => wait(d, patience),
        Name::PendingCount => {
            b64(d)?;
            d.end(2)?;
            if d.is_sink(0) {
                return d.error("the result cannot be `_`");
            }
            let token = sized(d, 1, Type::B64)?;
            let dest = d.dest_for(0, Type::U32)?;
            if d.names.width(dest) != 32 {
                return d.error("the destination must have 32 bits");
            }
            Ok(Mbarrier::PendingCount { dest, token })
        }
    }
}

fn b64(d: &mut Decoder<'_>) -> Decoded<()> {
    d.needs(&[("b64", ())])
}

fn arrive(d: &mut Decoder<'_>, comes: Return) -> Decoded<Mbarrier> {
    let expects = d.takes("expect_tx");
    let mut incomplete = !expects && d.takes("noComplete");
    let order = order_and_scope(d, &[Order::Release, Order::Relaxed], Order::Release)?;
    incomplete |= !expects && d.takes("noComplete");
    if incomplete && (order.order == Order::Relaxed || order.of_cluster) {
        return d.error("`.noComplete` is with `.release.cta` only");
    }
    let window = window(d, &Window::ALL)?;
    if incomplete && window == Window::Cluster {
        return d.error("`.noComplete` is not for `.shared::cluster`");
    }
    b64(d)?;
    // The third operand is the arrival count, or the transaction count of `.expect_tx`.
    let counted = d.operands() == 3;
    if expects || incomplete {
        d.end(3)?;
    } else {
        d.end_between(2, 3)?;
    }
    if expects || window == Window::Cluster || (counted && !incomplete) {
        d.requires((8, 0), 90)?;
    }
    let sink = d.is_sink(0);
    if sink {
        d.requires((7, 1), 80)?;
    }
    // PTX ISA, "mbarrier.arrive": a remote arrival returns no state token.
    if window == Window::Cluster && !sink {
        return d.error("an arrival at `.shared::cluster` returns no token; write `_`");
    }
    let argument = if counted {
        Some(sized(d, 2, Type::U32)?)
    } else {
        None
    };
    let address = address_in(d, 1, window)?;
    let token = if sink {
        None
    } else {
        Some(d.dest_for(0, Type::B64)?)
    };
    let (count, expected) = if expects {
        (None, argument)
    } else {
        (argument, None)
    };
    let completion = if incomplete {
        Completion::Excluded
    } else {
        Completion::Allowed
    };
    Ok(Mbarrier::Arrive(Arrive {
        address,
        window,
        order: order.order,
        comes,
        completion,
        count,
        expected,
        token,
    }))
}

fn wait(d: &mut Decoder<'_>, patience: Patience) -> Decoded<Mbarrier> {
    let parity = d.takes("parity");
    match patience {
        Patience::Some => d.requires((7, 8), 90)?,
        Patience::None if parity => d.requires((7, 1), 80)?,
        Patience::None => {}
    }
    let order = order_and_scope(d, &[Order::Acquire, Order::Relaxed], Order::Acquire)?;
    let window = window(d, &[Window::Generic, Window::Shared])?;
    b64(d)?;
    match patience {
        Patience::None => d.end(3)?,
        Patience::Some => d.end_between(3, 4)?,
    }
    if d.is_sink(0) {
        return d.error("the result cannot be `_`");
    }
    if d.operands() == 4 {
        // The time limit has no effect in the simulator.
        sized(d, 3, Type::U32)?;
    }
    let phase = if parity {
        Phase::Parity(sized(d, 2, Type::U32)?)
    } else {
        Phase::Token(sized(d, 2, Type::B64)?)
    };
    let address = address_in(d, 1, window)?;
    let done = d.pred_dest(0)?;
    Ok(Mbarrier::Wait(Wait {
        address,
        window,
        order: order.order,
        phase,
        done,
        patience,
    }))
}

impl Mbarrier {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<Flow, Trouble> {
        match self {
            &Self::Init {
                address,
                window,
                count,
            } => {
                for lane in lanes(active) {
                    let spot = spot(cx, lane, address, window)?;
                    cx.barrier_init(lane, spot, word(cx, lane, count))?;
                }
            }
            &Self::Invalidate { address, window } => {
                for lane in lanes(active) {
                    let spot = spot(cx, lane, address, window)?;
                    cx.barrier_invalidate(lane, spot)?;
                }
            }
            &Self::Expect {
                address,
                window,
                bytes,
            } => {
                for lane in lanes(active) {
                    let spot = spot(cx, lane, address, window)?;
                    cx.barrier_expect(lane, spot, word(cx, lane, bytes))?;
                }
            }
            &Self::Complete {
                address,
                window,
                bytes,
            } => {
                for lane in lanes(active) {
                    let spot = spot(cx, lane, address, window)?;
                    cx.barrier_complete(lane, spot, word(cx, lane, bytes))?;
                }
            }
            Self::Arrive(arrive) => arrive.execute(cx, active)?,
            Self::Wait(wait) => return wait.execute(cx, active),
            &Self::PendingCount { dest, token } => {
                for lane in lanes(active) {
                    let token = Token::from_bits(cx.registers.get(lane, token));
                    cx.registers.set(lane, dest, u64::from(token.pending()));
                }
                cx.registers.define(active, dest);
            }
        }
        Ok(Flow::Next)
    }
}

fn spot(
    cx: &Cx<'_, '_>,
    lane: usize,
    address: Address,
    window: Window,
) -> Result<SharedSpot, Trouble> {
    cx.barrier_spot(lane, window.space(), address_at(cx, lane, address))
}

/// Reads a 32-bit register.
fn word(cx: &Cx<'_, '_>, lane: usize, slot: Slot) -> u32 {
    cx.registers.get(lane, slot) as u32
}

impl Arrive {
    fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        for lane in lanes(active) {
            let spot = spot(cx, lane, self.address, self.window)?;
            if let Some(bytes) = self.expected {
                cx.barrier_expect(lane, spot, word(cx, lane, bytes))?;
            }
            let count = self.count.map_or(1, |count| word(cx, lane, count));
            let releases = self.order == Order::Release;
            let token =
                cx.barrier_arrive(lane, spot, releases, count, self.completion, self.comes)?;
            if let Some(dest) = self.token {
                cx.registers.set(lane, dest, token.to_bits());
            }
        }
        if let Some(dest) = self.token {
            cx.registers.define(active, dest);
        }
        Ok(())
    }
}

impl Wait {
    fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<Flow, Trouble> {
        let mut passed = 0;
        let haste = cx.haste();
        for lane in lanes(active) {
            let spot = spot(cx, lane, self.address, self.window)?;
            let awaited = match self.phase {
                Phase::Token(slot) => Awaited::Token(cx.registers.get(lane, slot)),
                Phase::Parity(slot) => Awaited::Parity(word(cx, lane, slot)),
            };
            let acquires = self.order == Order::Acquire;
            if cx.barrier_passed(lane, spot, awaited, acquires, haste)? {
                passed |= 1 << lane;
            } else if self.patience == Patience::Some && !cx.timed_out && haste == Haste::None {
                cx.cluster.flights.sleeps(cx.agent, spot);
                return Ok(Flow::Sleep);
            }
        }
        cx.counters.barriers.mbarrier += 1;
        cx.registers.set_pred(active, self.done, passed);
        Ok(Flow::Next)
    }
}
