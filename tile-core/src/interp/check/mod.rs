//! Memory checks, which find reads of uninitialized memory and data races.
//!
//! The input is every executed memory operation, with its tokens and the bytes that it accesses.
//! The output is the first fault of each operation. `docs/memory-model.md` explains the rules:
//!
//! - Within a block only tokens order operations ([`graph`]); program order does not.
//! - An operation that acquires from a location is ordered after the releases to that location, if
//!   the scope of each operation includes the block of the other.
//! - Two accesses to the same byte, at least one of which writes, must be ordered, or both must be
//!   strong (not weak) with scopes that include each other's block.
//! - The accesses of one operation to different elements are not ordered.
//!
//! Blocks run sequentially: an operation is checked before it runs, and all recorded accesses have
//! already run. The cost of an access does not grow with the number of earlier accesses
//! ([`clock`], [`shadow`]).

mod clock;
mod graph;
mod shadow;
mod sync;
mod watch;

pub(super) use clock::Clock;
pub(super) use watch::{AccessKind, Operation, Visit, Watched, passed, watched};

use super::buffers::Buffers;
use super::machine::Stop;
use super::position::position;
use crate::ir::MemoryScope;
use graph::{Graph, Node};
use rustc_hash::FxHashMap;
use shadow::{Access, Cell, HOST, Links, Shadow};
use std::fmt::Write;
use std::sync::Arc;
use sync::Syncs;
use watch::Place;

/// The extent of memory checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Check {
    /// Finds only out-of-bounds accesses, which always end a launch.
    #[default]
    Off,
    /// Also finds reads of uninitialized memory, races between blocks, and conflicting accesses of
    /// a block that no token orders. Blocks run sequentially, and several times slower.
    On,
}

/// The checker's state of the memory of a launch.
#[derive(Debug)]
pub(super) struct Checker {
    operations: Arc<[Operation]>,
    grid: [u32; 3],
    graph: Graph,
    /// The shadow of each shared buffer; `None` if nothing writes to it.
    shadows: Vec<Option<Shadow>>,
    /// The shadows of one block's local buffers.
    locals: FxHashMap<u32, Shadow>,
    /// The number of the block that `locals` belongs to.
    local_to: u32,
    links: Links,
    syncs: Syncs,
    /// Is `true` if strong (not weak) accesses may conflict with one another.
    strong_conflict: bool,
}

/// An operation that is about to run.
#[derive(Debug)]
struct Running {
    node: u32,
    block: u32,
    operations: Arc<[Operation]>,
    operation: u32,
    /// The clock of the operations ordered before this one, including itself.
    clock: Clock,
    /// The clock released to the locations from which the operation acquires.
    acquired: Clock,
    /// A node known to be ordered before the operation. The next query is usually for the same
    /// node.
    known: u32,
}

/// The reason why an access is a fault.
enum Conflict {
    /// The access reads uninitialized memory.
    NotWritten,
    /// The access is not ordered after another access.
    Unordered(Access),
}

impl Running {
    fn operation(&self) -> &Operation {
        &self.operations[self.operation as usize]
    }
}

impl Checker {
    pub(super) fn new(operations: Arc<[Operation]>, grid: [u32; 3], buffers: &Buffers) -> Self {
        let shadows = (0..buffers.count_shared()).map(|number| {
            let number = u32::try_from(number).expect("few buffers");
            let facts = buffers.facts(number);
            (facts.stored || !facts.initialized).then(|| Shadow::new(facts))
        });
        Self {
            grid,
            graph: Graph::new(operations.len()),
            shadows: shadows.collect(),
            locals: FxHashMap::default(),
            local_to: 0,
            links: Links::default(),
            syncs: Syncs::default(),
            strong_conflict: strong_conflict(&operations),
            operations,
        }
    }

    /// Starts an operation that is ordered after `before`.
    fn start(&mut self, operation: u32, block: u32, before: &Clock) -> Running {
        let (node, clock) = self.graph.add(operation, block, before);
        Running {
            node,
            block,
            operations: Arc::clone(&self.operations),
            operation,
            clock,
            acquired: Clock::default(),
            known: HOST,
        }
    }

    /// Checks an access of the operation to an element.
    fn access(
        &mut self,
        running: &mut Running,
        buffers: &Buffers,
        element: usize,
        place: Place,
    ) -> Result<(), Stop> {
        if self.local_to != running.block {
            self.local_to = running.block;
            self.locals.clear();
        }
        let bytes = running.operation().bytes;
        let Self {
            graph,
            shadows,
            links,
            operations,
            strong_conflict,
            locals,
            ..
        } = self;
        let (shadow, is_shared) = match shadows.get_mut(place.buffer as usize) {
            Some(Some(shadow)) => (shadow, true),
            Some(None) => return Ok(()),
            None => {
                let new = || Shadow::new(buffers.facts(place.buffer));
                (locals.entry(place.buffer).or_insert_with(new), false)
            }
        };
        let access = Access {
            node: running.node,
            element: u32::try_from(element).expect("a tile has few elements"),
        };
        let mut order = Order {
            graph,
            links,
            operations,
            running,
            strong_conflict: *strong_conflict,
        };
        let checked = shadow.each(place.offset, bytes, |cell| order.visit(cell, access));
        match checked {
            Ok(()) => {
                // A block does not synchronize with itself through its local memory.
                if is_shared {
                    self.syncs.pass(running, place);
                }
                Ok(())
            }
            Err(conflict) => {
                let range = place.offset..place.offset + bytes;
                let message = self.describe(running, &conflict, range, buffers, place.buffer);
                let stop = Stop::Here(message);
                Err(stop.in_element(&running.operation().shape, element))
            }
        }
    }

    fn describe(
        &self,
        running: &Running,
        conflict: &Conflict,
        range: std::ops::Range<usize>,
        buffers: &Buffers,
        buffer: u32,
    ) -> String {
        let what = buffers.facts(buffer);
        let bytes = format!("bytes {}..{} of {what}", range.start, range.end);
        let other = match conflict {
            Conflict::NotWritten => return format!("reads {bytes}, which nothing has written"),
            Conflict::Unordered(other) => *other,
        };
        let node = self.graph.node(other.node);
        let operation = &self.operations[node.operation as usize];
        if other.node == running.node {
            let also = position(&operation.shape, other.element as usize);
            return format!("stores to {bytes}, as does element {also:?} of the same operation");
        }
        let mut named = operation.site.name();
        let is_race = node.block != running.block;
        if is_race {
            let [x, y, z] = self.block(node.block);
            write!(named, " of block ({x}, {y}, {z})").expect("a string takes everything");
        }
        if !operation.shape.is_empty() {
            let element = position(&operation.shape, other.element as usize);
            write!(named, ", element {element:?}").expect("a string takes everything");
        }
        if !operation.site.loc.is_unknown() {
            write!(named, " at {}", operation.site.loc).expect("a string takes everything");
        }
        let verb = running.operation().kind.verb();
        if is_race {
            format!("race with {named}: {verb} {bytes}")
        } else {
            format!("no token orders it after {named}: {verb} {bytes}")
        }
    }

    fn block(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.grid;
        [number % x, number / x % y, number / x / y]
    }
}

/// Returns `true` if a strong operation has block scope or an element size that differs from that
/// of the others. Otherwise strong accesses are atomic with respect to each other.
fn strong_conflict(operations: &[Operation]) -> bool {
    let strong = || {
        operations
            .iter()
            .filter(|operation| operation.scope.is_some())
    };
    let first = strong().next().map(|operation| operation.bytes);
    strong().any(|operation| {
        operation.scope == Some(MemoryScope::TileBlock) || Some(operation.bytes) != first
    })
}

/// The order of one operation relative to earlier ones.
struct Order<'o> {
    graph: &'o Graph,
    links: &'o mut Links,
    operations: &'o [Operation],
    running: &'o mut Running,
    strong_conflict: bool,
}

impl Order<'_> {
    /// Checks and records an access.
    fn visit(&mut self, cell: &mut Cell, access: Access) -> Result<(), Conflict> {
        let kind = self.running.operation().kind;
        if kind.reads() && !cell.written {
            return Err(Conflict::NotWritten);
        }
        self.after(cell.write)?;
        if kind.writes() {
            self.after_all(cell.reads)?;
        }
        if self.running.operation().scope.is_some() {
            if self.strong_conflict {
                self.after_strong(cell, kind)?;
            }
            cell.strong = self.add(cell.strong, access);
        } else {
            self.after_strong(cell, kind)?;
            if kind.writes() {
                cell.write = access;
                (cell.reads, cell.strong) = Default::default();
            } else {
                cell.reads = self.add(cell.reads, access);
            }
        }
        cell.written |= kind.writes();
        Ok(())
    }

    fn after_all(&mut self, list: shadow::List) -> Result<(), Conflict> {
        let mut rest = list;
        while let Some((access, before)) = self.links.split(rest) {
            self.after(access)?;
            rest = before;
        }
        Ok(())
    }

    /// Checks the running operation against the strong accesses of a cell.
    fn after_strong(&mut self, cell: &Cell, kind: AccessKind) -> Result<(), Conflict> {
        let mut rest = cell.strong;
        while let Some((access, before)) = self.links.split(rest) {
            let node = self.graph.node(access.node);
            let other = &self.operations[node.operation as usize];
            if (kind.writes() || other.kind.writes()) && !self.is_atomic_with(node, other) {
                self.after(access)?;
            }
            rest = before;
        }
        Ok(())
    }

    /// Returns `true` if two accesses need no order, since each is atomic with respect to the
    /// other.
    fn is_atomic_with(&self, node: Node, other: &Operation) -> bool {
        let (Some(own_scope), Some(scope)) = (self.running.operation().scope, other.scope) else {
            return false;
        };
        let is_narrow = own_scope == MemoryScope::TileBlock || scope == MemoryScope::TileBlock;
        let fits = self.running.operation().bytes == other.bytes;
        fits && (node.block == self.running.block || !is_narrow)
    }

    fn after(&mut self, access: Access) -> Result<(), Conflict> {
        let node = access.node;
        if node == HOST || node == self.running.known {
            return Ok(());
        }
        let is_own = node == self.running.node;
        if is_own && self.running.operation().shares_bytes {
            return Ok(());
        }
        if is_own || !self.graph.is_before(node, &self.running.clock) {
            return Err(Conflict::Unordered(access));
        }
        self.running.known = node;
        Ok(())
    }

    /// Adds an access to a list. First removes accesses from the end of the list that are ordered
    /// before the new one and conflict only with accesses that the new one conflicts with too.
    fn add(&mut self, mut list: shadow::List, new_access: Access) -> shadow::List {
        let own_writes = self.running.operation().kind.writes();
        while let Some((access, before)) = self.links.split(list) {
            if access.node == new_access.node {
                return list;
            }
            let node = self.graph.node(access.node);
            let writes = self.operations[node.operation as usize].kind.writes();
            if writes && !own_writes || !self.graph.is_before(access.node, &self.running.clock) {
                break;
            }
            list = before;
        }
        self.links.push(list, new_access)
    }
}
