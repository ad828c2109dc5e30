//! The state on which compiled operations run: the values of one block of the grid.

use super::RunOptions;
use super::buffers::Buffers;
use super::chain::Chunk;
use super::check::{Checker, Clock};
use super::fault::{FaultKind, Undefined};
use super::loops::{map1, map2, map3};
use super::tile::{Data, Lane};
use super::window::View;
use crate::ir::Loc;
use std::cell::RefCell;
use std::sync::atomic::Ordering;

/// A tile of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot(pub(super) usize);

/// A view of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ViewSlot(pub(super) usize);

/// The clock of a token, in a checked entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClockSlot(pub(super) usize);

/// The values of one block; reused between blocks for their allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) tiles: Vec<Data>,
    pub(super) views: Vec<View>,
    /// Empty unless the entry is checked.
    pub(super) clocks: Vec<Clock>,
}

/// The state of one block of the grid.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    pub(super) frame: &'a mut Frame,
    pub(super) block: [u32; 3],
    /// The number of the block, in order of the grid.
    pub(super) block_number: u32,
    pub(super) grid: [u32; 3],
    pub(super) buffers: &'a mut Buffers,
    pub(super) options: RunOptions<'a>,
    /// The number of loop iterations so far.
    pub(super) iterations: u64,
    /// The chunk of its tiles that a chain is computing.
    pub(super) chunk: Option<Chunk>,
    /// The checker of a checked entry.
    pub(super) checker: Option<&'a RefCell<Checker>>,
    /// Tolerated undefined behaviour of the running operation.
    pub(super) pending: RefCell<Vec<Stop>>,
    /// Tolerated undefined behaviour of the block.
    pub(super) reported: Vec<(Site, Failure)>,
    /// The printed text so far.
    pub(super) printed: Vec<u8>,
}

/// The control flow after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Yield,
    Return,
}

/// An operation, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) mnemonic: &'static str,
    /// Its position among the operations of the entry, in program order.
    pub(super) index: usize,
    pub(super) loc: Loc,
}

impl Site {
    /// The launch itself.
    pub(super) const ENTRY: Site = Site {
        mnemonic: "entry",
        index: 0,
        loc: Loc::UNKNOWN,
    };

    /// Returns the name of the operation in messages.
    pub(super) fn name(&self) -> String {
        format!("{} (operation {})", self.mnemonic, self.index)
    }
}

/// The failure of an operation.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) kind: FaultKind,
    pub(super) element: Option<Vec<usize>>,
    pub(super) message: String,
}

/// The reason why execution stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// Undefined behaviour of the running operation.
    Here(String),
    /// Undefined behaviour of the running operation at an element of its tile.
    Element(Vec<usize>, String),
    /// Another failure of the running operation.
    Other(FaultKind, String),
    /// A failure of a nested operation.
    At(Site, Failure),
}

impl Stop {
    pub(super) fn here<T>(message: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Here(message.into()))
    }

    /// Returns the failure and its operation: `site`, or a nested one.
    pub(super) fn at(self, site: Site) -> (Site, Failure) {
        let (kind, element, message) = match self {
            Stop::At(site, trouble) => return (site, trouble),
            Stop::Here(message) => (FaultKind::Undefined, None, message),
            Stop::Element(index, message) => {
                let message = format!("element {index:?}: {message}");
                (FaultKind::Undefined, Some(index), message)
            }
            Stop::Other(kind, message) => (kind, None, message),
        };
        (
            site,
            Failure {
                kind,
                element,
                message,
            },
        )
    }
}

/// A compiled operation.
pub(super) type Exec = Box<dyn for<'a> Fn(&mut Machine<'a>) -> Result<Flow, Stop> + Send + Sync>;

/// A compiled operation and its name in faults.
pub(super) struct Step {
    pub(super) exec: Exec,
    pub(super) site: Site,
}

/// Runs `steps` until one of them leaves the block.
pub(super) fn run_steps(steps: &[Step], machine: &mut Machine<'_>) -> Result<Flow, Stop> {
    if let Undefined::Report(_) = machine.options.undefined {
        return run_reporting(steps, machine);
    }
    for step in steps {
        match (step.exec)(machine) {
            Ok(Flow::Next) => {}
            Ok(flow) => return Ok(flow),
            Err(stop) => return Err(step.located(stop)),
        }
    }
    Ok(Flow::Next)
}

/// Runs `steps` like [`run_steps`], and records the tolerated undefined behaviour of each.
fn run_reporting(steps: &[Step], machine: &mut Machine<'_>) -> Result<Flow, Stop> {
    for step in steps {
        let flow = (step.exec)(machine);
        let first = machine.pending.get_mut().drain(..).next();
        if let Some(stop) = first {
            let (site, trouble) = stop.at(step.site);
            let mut reported = machine.reported.iter();
            if !reported.any(|(other, _)| other.index == site.index) {
                machine.reported.push((site, trouble));
            }
        }
        match flow {
            Ok(Flow::Next) => {}
            Ok(flow) => return Ok(flow),
            Err(stop) => return Err(step.located(stop)),
        }
    }
    Ok(Flow::Next)
}

impl Step {
    fn located(&self, stop: Stop) -> Stop {
        let (site, trouble) = stop.at(self.site);
        Stop::At(site, trouble)
    }
}

impl Machine<'_> {
    /// Starts another iteration of a loop, unless the launch must stop.
    pub(super) fn iterate(&mut self) -> Result<(), Stop> {
        let RunOptions {
            cancel, step_limit, ..
        } = self.options;
        if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Stop::Other(FaultKind::Cancelled, "cancelled".to_owned()));
        }
        if let Some(limit) = step_limit
            && self.iterations >= limit
        {
            let message = format!("step limit of {limit} reached");
            return Err(Stop::Other(FaultKind::StepLimit, message));
        }
        self.iterations += 1;
        Ok(())
    }

    /// Handles undefined behaviour: records it if the launch tolerates it, else stops.
    pub(super) fn undefined(&self, stop: Stop) -> Result<(), Stop> {
        let goes_on = matches!(self.options.undefined, Undefined::Report(_));
        match stop {
            Stop::Here(_) | Stop::Element(..) if goes_on => {
                let mut pending = self.pending.borrow_mut();
                if pending.is_empty() {
                    pending.push(stop);
                }
                Ok(())
            }
            stop => Err(stop),
        }
    }

    /// Returns the elements of a tile.
    pub(super) fn tile<L: Lane>(&self, slot: Slot) -> &[L] {
        L::lanes(&self.frame.tiles[slot.0])
    }

    /// Returns the elements of an operand of an elementwise operation: all, or in a chain those of
    /// the chunk.
    pub(super) fn operand<L: Lane>(&self, slot: Slot) -> &[L] {
        let lanes = self.tile(slot);
        match self.chunk {
            Some(chunk) => chunk.slice(lanes),
            None => lanes,
        }
    }

    /// Moves a tile's elements out; [`Machine::put`] returns the allocation.
    pub(super) fn take<L: Lane>(&mut self, slot: Slot) -> Vec<L> {
        std::mem::take(L::lanes_mut(&mut self.frame.tiles[slot.0]))
    }

    /// Sets the elements of a tile.
    pub(super) fn put<L: Lane>(&mut self, slot: Slot, lanes: Vec<L>) {
        *L::lanes_mut(&mut self.frame.tiles[slot.0]) = lanes;
    }

    /// Returns the first element, zero-extended.
    pub(super) fn scalar(&self, slot: Slot) -> u64 {
        self.frame.tiles[slot.0].bits_at(0)
    }

    /// Makes a tile of one element.
    pub(super) fn put_scalar<L: Lane>(&mut self, slot: Slot, lane: L) {
        let lanes = L::lanes_mut(&mut self.frame.tiles[slot.0]);
        lanes.clear();
        lanes.push(lane);
    }

    /// Copies a tile.
    pub(super) fn copy(&mut self, from: Slot, to: Slot) {
        let mut data = std::mem::replace(&mut self.frame.tiles[to.0], Data::B8(Vec::new()));
        data.copy_from(&self.frame.tiles[from.0]);
        self.frame.tiles[to.0] = data;
    }

    /// Exchanges two tiles.
    pub(super) fn swap(&mut self, a: Slot, b: Slot) {
        self.frame.tiles.swap(a.0, b.0);
    }

    /// Computes a tile elementwise: `lanes` appends all elements, or in a chain those of the chunk.
    pub(super) fn write<L: Lane>(&mut self, to: Slot, lanes: impl FnOnce(&Self, &mut Vec<L>)) {
        let mut result = self.begin(to);
        lanes(self, &mut result);
        self.put(to, result);
    }

    /// Takes the tile whose elements are about to be computed: those of the chunks before, in a
    /// chain. [`Machine::put`] returns it.
    pub(super) fn begin<L: Lane>(&mut self, to: Slot) -> Vec<L> {
        let mut result = self.take(to);
        if self.chunk.is_none() {
            result.clear();
        }
        result
    }
}

/// Returns a closure for `out[i] = f(a[i])`.
pub(super) fn unary<A: Lane, R: Lane>(
    a: Slot,
    out: Slot,
    f: impl Fn(A) -> R + Send + Sync + 'static,
) -> Exec {
    Box::new(move |machine| {
        let mut result = machine.begin(out);
        map1(&f, machine.operand(a), &mut result);
        machine.put(out, result);
        Ok(Flow::Next)
    })
}

/// Returns a closure for `out[i] = f(a[i], b[i])`.
pub(super) fn binary<A: Lane, B: Lane, R: Lane>(
    [a, b]: [Slot; 2],
    out: Slot,
    f: impl Fn(A, B) -> R + Send + Sync + 'static,
) -> Exec {
    Box::new(move |machine| {
        let mut result = machine.begin(out);
        map2(&f, machine.operand(a), machine.operand(b), &mut result);
        machine.put(out, result);
        Ok(Flow::Next)
    })
}

/// Returns a closure for `out[i] = f(a[i], b[i], c[i])`.
pub(super) fn ternary<A: Lane, B: Lane, C: Lane, R: Lane>(
    [a, b, c]: [Slot; 3],
    out: Slot,
    f: impl Fn(A, B, C) -> R + Send + Sync + 'static,
) -> Exec {
    Box::new(move |machine| {
        let mut result = machine.begin(out);
        let (a, b, c) = (machine.operand(a), machine.operand(b), machine.operand(c));
        map3(&f, a, b, c, &mut result);
        machine.put(out, result);
        Ok(Flow::Next)
    })
}

/// Returns a closure for `out[i] = f(a[i], b[i])`, where `None` is undefined behaviour. `fault`
/// describes it for the two elements; a launch that continues uses the result of `instead`. `shape`
/// is the shape of the tiles.
pub(super) fn partial<L: Lane>(
    [a, b]: [Slot; 2],
    out: Slot,
    shape: Vec<usize>,
    f: impl Fn(L, L) -> Option<L> + Send + Sync + 'static,
    instead: impl Fn(L, L) -> L + Send + Sync + 'static,
    fault: impl Fn(L, L) -> String + Send + Sync + 'static,
) -> Exec {
    Box::new(move |machine| {
        let mut result: Vec<L> = machine.take(out);
        result.clear();
        let (a, b) = (machine.tile::<L>(a), machine.tile::<L>(b));
        for index in 0..a.len() {
            let (a, b) = (a[index], b[index]);
            result.push(if let Some(lane) = f(a, b) {
                lane
            } else {
                let stop = Stop::Here(fault(a, b)).in_element(&shape, index);
                machine.undefined(stop)?;
                instead(a, b)
            });
        }
        machine.put(out, result);
        Ok(Flow::Next)
    })
}
