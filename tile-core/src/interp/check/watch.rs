//! Wraps memory operations in their checks.

use super::{Check, Clock};
use crate::interp::buffers::Span;
use crate::interp::compile::Compiler;
use crate::interp::machine::{ClockSlot, Exec, Machine, Site, Stop};
use crate::ir::{Attr, MemoryOrdering, MemoryScope, Op};
use crate::types::TypeKind;

/// The kind of access of an operation to each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::interp) enum AccessKind {
    Load,
    Store,
    Atomic,
}

impl AccessKind {
    pub(super) fn reads(self) -> bool {
        self != AccessKind::Store
    }

    pub(super) fn writes(self) -> bool {
        self != AccessKind::Load
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            AccessKind::Load => "reads",
            AccessKind::Store => "writes",
            AccessKind::Atomic => "changes",
        }
    }
}

/// The properties that all executions of a memory operation share.
#[derive(Debug)]
pub(in crate::interp) struct Operation {
    pub(super) site: Site,
    pub(super) kind: AccessKind,
    /// The extents of its tile.
    pub(super) shape: Vec<usize>,
    /// The size of an element in bytes.
    pub(super) bytes: usize,
    /// Is `true` if neighbouring elements share a byte.
    pub(super) shares_bytes: bool,
    /// The memory scope; `None` for a weak operation.
    pub(super) scope: Option<MemoryScope>,
    pub(super) acquires: bool,
    pub(super) releases: bool,
}

/// The location of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) buffer: u32,
    pub(super) offset: usize,
}

impl Place {
    fn from_span(span: Span) -> Self {
        Self {
            buffer: span.buffer,
            offset: span.offset,
        }
    }
}

/// The tile of an operation.
pub(in crate::interp) struct Watched {
    shape: Vec<usize>,
    bytes: usize,
    shares_bytes: bool,
}

impl Watched {
    /// Describes a tile of elements of `bytes` bytes each.
    pub(in crate::interp) fn bytes(shape: Vec<usize>, bytes: usize) -> Self {
        Self {
            shape,
            bytes,
            shares_bytes: false,
        }
    }

    /// Describes a tile of 4-bit elements, two of which share a byte.
    pub(in crate::interp) fn nibbles(shape: Vec<usize>) -> Self {
        Self {
            shape,
            bytes: 1,
            shares_bytes: true,
        }
    }
}

/// A callback that gets the position of an element in the tile, and the memory of the element.
pub(in crate::interp) type Visit<'v> = &'v mut dyn FnMut(usize, Span) -> Result<(), Stop>;

/// Returns `exec`, the closure of the memory operation `op`, preceded by checks of every element
/// that `each` visits. `each` must visit exactly the elements that `exec` accesses. If checks are
/// off, returns `exec` itself.
pub(in crate::interp) fn watched(
    cx: &mut Compiler<'_>,
    op: &Op,
    kind: AccessKind,
    tile: Watched,
    each: impl Fn(&Machine<'_>, Visit<'_>) -> Result<(), Stop> + Send + Sync + 'static,
    exec: Exec,
) -> Exec {
    if cx.check == Check::Off {
        return exec;
    }
    let ordering = op.memory_ordering();
    let scope = match op.attr("memory_scope") {
        Some(&Attr::MemoryScope(scope)) if ordering != MemoryOrdering::Weak => Some(scope),
        _ => None,
    };
    let acquires = matches!(ordering, MemoryOrdering::Acquire | MemoryOrdering::AcqRel);
    let releases = matches!(ordering, MemoryOrdering::Release | MemoryOrdering::AcqRel);
    let number = cx.add_operation(Operation {
        site: cx.site,
        kind,
        shape: tile.shape,
        bytes: tile.bytes,
        shares_bytes: tile.shares_bytes,
        scope,
        acquires,
        releases,
    });
    let (before, after) = tokens(cx, op);
    Box::new(move |machine| {
        let clock = machine.clock(before);
        let after_clock = machine.watch(number, &clock, &each)?;
        let flow = exec(machine)?;
        machine.frame.clocks[after.0] = after_clock;
        Ok(flow)
    })
}

/// Wraps `exec`, the closure of an operation that is ordered by tokens and accesses no checked
/// memory. The token result gets the clock of the token operand: operations ordered before this one
/// are also ordered before those that follow it.
pub(in crate::interp) fn passed(cx: &mut Compiler<'_>, op: &Op, exec: Exec) -> Exec {
    if cx.check == Check::Off {
        return exec;
    }
    let (before, after) = tokens(cx, op);
    Box::new(move |machine| {
        let flow = exec(machine)?;
        machine.frame.clocks[after.0] = machine.clock(before);
        Ok(flow)
    })
}

/// Returns the slot of the token operand of `op`, if it has one, and the slot of its token result.
fn tokens(cx: &mut Compiler<'_>, op: &Op) -> (Option<ClockSlot>, ClockSlot) {
    let before = op.optional_operand("token").map(|token| cx.clock(token));
    let mut results = op.results.iter();
    let token = results.find(|&&value| matches!(cx.module.ty(value).kind(), TypeKind::Token));
    let token = *token.expect("a memory operation gives a token");
    (before, cx.clock(token))
}

impl Machine<'_> {
    /// Returns the clock of a token; an empty one for an absent token.
    fn clock(&self, slot: Option<ClockSlot>) -> Clock {
        slot.map(|slot| self.frame.clocks[slot.0].clone())
            .unwrap_or_default()
    }

    /// Checks the accesses that an operation is about to make; returns the clock of its token
    /// result.
    fn watch(
        &self,
        operation: u32,
        before: &Clock,
        each: &impl Fn(&Machine<'_>, Visit<'_>) -> Result<(), Stop>,
    ) -> Result<Clock, Stop> {
        let checker = self.checker.expect("a checked entry runs with a checker");
        let mut checker = checker.borrow_mut();
        let mut running = checker.start(operation, self.block_number, before);
        let mut is_clean = true;
        each(self, &mut |element, span| {
            if !is_clean {
                return Ok(());
            }
            let place = Place::from_span(span);
            let checked = checker.access(&mut running, self.buffers, element, place);
            checked.or_else(|stop| {
                is_clean = false;
                self.undefined(stop)
            })
        })?;
        let mut after = running.clock;
        after.join(&running.acquired);
        Ok(after)
    }
}
