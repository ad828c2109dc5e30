//! Barriers that are objects in shared memory (PTX ISA, `mbarrier.*`).

pub(crate) mod object;

use object::{Completion, Return};

use super::operands::{Order, Window, address_in, order_and_scope, sized, window};
use super::types::Type;
use super::{Pred, Slot};
use crate::parse::decoder::{Address, Decoded, Decoder};

/// An operation on an mbarrier.
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
    /// How many arrive, if not one.
    pub(crate) count: Option<Slot>,
    /// Bytes that the phase waits for as well.
    pub(crate) expected: Option<Slot>,
    /// What takes the token; none for `_`.
    pub(crate) token: Option<Slot>,
}

/// `test_wait` and `try_wait`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) address: Address,
    pub(crate) window: Window,
    pub(crate) order: Order,
    pub(crate) phase: Phase,
    /// Whether the phase is over.
    pub(crate) done: Pred,
    pub(crate) patience: Patience,
}

/// The phase that a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Phase {
    Token(Slot),
    Parity(Slot),
}

/// Whether the thread may be suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// `test_wait`
    None,
    /// `try_wait`, with or without a time limit.
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
            let count = match name {
                Name::Init => {
                    d.end(2)?;
                    Some(sized(d, 1, Type::U32)?)
                }
                _ => {
                    d.end(1)?;
                    None
                }
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
    if window == Window::Cluster && !sink {
        return d.error("an arrival at `.shared::cluster` gives no token; write `_`");
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
        // How long, at most; here no time passes.
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
