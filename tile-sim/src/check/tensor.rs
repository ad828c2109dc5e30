//! The checks of tensor memory: the last write and the later reads of each cell, and their order
//! before an access (PTX ISA, "Memory Consistency Model for 5th generation of `TensorCore`
//! operations").
//!
//! Accesses are asynchronous. An access is ordered before another if
//!
//! - it was waited for (`tcgen05.wait`, or an `mbarrier` that a `tcgen05.commit` signals), and the
//!   warp of the other access has acquired the completion. The warp acquires it like a write to
//!   shared memory, or through `tcgen05.fence::before_thread_sync` and
//!   `tcgen05.fence::after_thread_sync`; or
//! - both are tensor core operations by one thread, or by two threads with such a pair of fences
//!   between them: these operations execute in order.
//!
//! The PTX ISA names pairs of operations that are ordered (`mma` before `mma` with the same
//! accumulator and shape, `cp` before `mma`, ..). Here, all tensor core operations that one thread
//! issues are ordered, since kernels rely on more pairs (CUTLASS: `tcgen05.cp` of scale factors
//! that overwrites those of the preceding `mma`).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::order::{Agent, Order};
use super::stamp::Who;

/// The kind of an access to tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `tcgen05.ld`
    Load,
    /// `tcgen05.st`
    Store,
    /// `tcgen05.mma`, `tcgen05.cp` or `tcgen05.shift`.
    Pipe,
    /// `tcgen05.dealloc`, which completes immediately.
    Free,
}

/// A past access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) who: Who,
    pub(crate) kind: Kind,
    /// The clock of its warp at the issue.
    clock: u32,
    /// The agent that knows of the completion, and the clock of the agent at that time.
    end: Option<(Agent, u32)>,
}

/// A violation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conflict {
    Unwritten,
    /// The earlier access is still in flight.
    UnderWay(Access),
    /// The earlier access has completed, but nothing orders it before this one.
    Race {
        other: Access,
        /// The kind of the earlier access.
        access: &'static str,
    },
}

/// The accesses of a cluster, by number; number 0 denotes no access.
#[derive(Default)]
pub(crate) struct Accesses {
    table: Vec<Access>,
    /// The loads and the stores of each warp that no `tcgen05.wait` covers yet.
    unwaited: FxHashMap<(Agent, bool), Vec<u32>>,
    /// The table size that triggers a garbage collection.
    full: usize,
}

/// The minimal table size for a garbage collection.
const MANY: usize = 1 << 16;

impl Accesses {
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.unwaited.clear();
        self.full = MANY;
    }

    /// Adds an access and returns its number.
    pub(crate) fn begin(&mut self, who: Who, kind: Kind, order: &Order) -> u32 {
        let clock = order.now(who.agent);
        let end = (kind == Kind::Free).then_some((who.agent, clock));
        self.table.push(Access {
            who,
            kind,
            clock,
            end,
        });
        let number = u32::try_from(self.table.len()).expect("the table is looked through before");
        if matches!(kind, Kind::Load | Kind::Store) {
            let unwaited = self.unwaited.entry((who.agent, kind == Kind::Load));
            unwaited.or_default().push(number);
        }
        number
    }

    fn get(&self, number: u32) -> &Access {
        &self.table[number as usize - 1]
    }

    /// Marks an operation as completed.
    pub(crate) fn end(&mut self, number: u32, end: (Agent, u32)) {
        self.table[number as usize - 1].end.get_or_insert(end);
    }

    /// Executes a `tcgen05.wait` for the loads or the stores of a warp.
    pub(crate) fn wait(&mut self, agent: Agent, loads: bool, clock: u32) {
        let unwaited = self.unwaited.get_mut(&(agent, loads));
        let numbers = unwaited.map(std::mem::take).unwrap_or_default();
        for number in numbers {
            self.end(number, (agent, clock));
        }
    }

    /// Drops accesses that no cell refers to, if the table is large.
    ///
    /// `rename` is called with a function that renumbers a reference that is still needed.
    pub(crate) fn tidy(&mut self, rename: impl FnOnce(&mut dyn FnMut(&mut u32))) {
        if self.table.len() < self.full {
            return;
        }
        let old = std::mem::take(&mut self.table);
        let mut names = vec![0; old.len()];
        let table = &mut self.table;
        let mut keep = |number: &mut u32| {
            if *number == 0 {
                return;
            }
            let name = &mut names[*number as usize - 1];
            if *name == 0 {
                table.push(old[*number as usize - 1]);
                *name = u32::try_from(table.len()).expect("fewer than before");
            }
            *number = *name;
        };
        #[expect(
            clippy::iter_over_hash_type,
            reason = "the numbers of accesses have no meaning"
        )]
        for numbers in self.unwaited.values_mut() {
            numbers.iter_mut().for_each(&mut keep);
        }
        rename(&mut keep);
        self.full = MANY.max(2 * self.table.len());
    }

    /// Returns `true` if an access is ordered before one of `kind` by `who`.
    fn before(&self, order: &Order, number: u32, who: Who, kind: Kind) -> bool {
        let &Access {
            who: first,
            kind: what,
            clock,
            end,
        } = self.get(number);
        if let Some((agent, clock)) = end
            && (agent == who.agent || order.orders_tensor(who.agent, agent, clock))
        {
            return true;
        }
        // The tensor core executes both in order.
        what == Kind::Pipe
            && kind == Kind::Pipe
            && (first.agent == who.agent && first.lane == who.lane
                || order.pipes_tensor(who.agent, first.agent, clock))
    }

    fn conflict(&self, number: u32, access: &'static str) -> Conflict {
        let other = *self.get(number);
        match other.end {
            None => Conflict::UnderWay(other),
            Some(_) => Conflict::Race { other, access },
        }
    }
}

/// The shadow of a block's tensor memory: per cell, the numbers of accesses.
#[derive(Default)]
pub(crate) struct TensorShadow {
    writes: Vec<u32>,
    /// The last read since the write.
    reads: Vec<u32>,
    /// Earlier reads that are not ordered before the last one.
    more: FxHashMap<u32, SmallVec<[u32; 2]>>,
}

/// An access that is being checked.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub(crate) accesses: &'a Accesses,
    pub(crate) order: &'a Order,
    pub(crate) who: Who,
    pub(crate) kind: Kind,
    pub(crate) number: u32,
}

impl Now<'_> {
    fn behind(&self, number: u32, settled: &mut u32) -> bool {
        if number == 0 || number == *settled || number == self.number {
            return true;
        }
        let before = self
            .accesses
            .before(self.order, number, self.who, self.kind);
        if before {
            *settled = number;
        }
        before
    }
}

impl TensorShadow {
    pub(crate) fn clear(&mut self) {
        self.writes.clear();
        self.reads.clear();
        self.more.clear();
    }

    /// Grows the shadow to `cells` cells.
    pub(crate) fn grow(&mut self, cells: usize) {
        self.writes.resize(cells, 0);
        self.reads.resize(cells, 0);
    }

    /// Marks cells as never written.
    pub(crate) fn forget(&mut self, cells: std::ops::Range<usize>) {
        for cell in cells.clone() {
            self.more.remove(&(cell as u32));
        }
        self.writes[cells.clone()].fill(0);
        self.reads[cells].fill(0);
    }

    /// Records a read. On a conflict, returns the cell.
    pub(crate) fn read(
        &mut self,
        now: Now<'_>,
        cells: std::ops::Range<usize>,
    ) -> Result<(), (usize, Conflict)> {
        let (mut settled, mut settled_read) = (0, 0);
        for cell in cells {
            let write = self.writes[cell];
            if write == 0 {
                return Err((cell, Conflict::Unwritten));
            }
            if !now.behind(write, &mut settled) {
                return Err((cell, now.accesses.conflict(write, "write")));
            }
            let read = self.reads[cell];
            if !now.behind(read, &mut settled_read) {
                let more = self.more.entry(cell as u32).or_default();
                more.retain(|&mut read| !now.replaces(read));
                if !now.replaces(read) {
                    more.push(read);
                }
                if more.is_empty() {
                    self.more.remove(&(cell as u32));
                }
            }
            self.reads[cell] = now.number;
        }
        Ok(())
    }

    /// Records a write or a deallocation. On a conflict, returns the cell.
    pub(crate) fn write(
        &mut self,
        now: Now<'_>,
        cells: std::ops::Range<usize>,
    ) -> Result<(), (usize, Conflict)> {
        let (mut settled, mut settled_read) = (0, 0);
        for cell in cells {
            let write = self.writes[cell];
            if !now.behind(write, &mut settled) {
                return Err((cell, now.accesses.conflict(write, "write")));
            }
            let read = self.reads[cell];
            if !now.behind(read, &mut settled_read) {
                return Err((cell, now.accesses.conflict(read, "read")));
            }
            if !self.more.is_empty()
                && let Some(more) = self.more.remove(&(cell as u32))
                && let Some(&read) = more.iter().find(|&&read| !now.behind(read, &mut 0))
            {
                return Err((cell, now.accesses.conflict(read, "read")));
            }
            self.writes[cell] = now.number;
            self.reads[cell] = 0;
        }
        Ok(())
    }

    /// Renumbers the accesses that cells refer to.
    pub(crate) fn rename(&mut self, keep: &mut dyn FnMut(&mut u32)) {
        self.writes.iter_mut().for_each(&mut *keep);
        self.reads.iter_mut().for_each(&mut *keep);
        #[expect(
            clippy::iter_over_hash_type,
            reason = "the numbers of accesses have no meaning"
        )]
        for more in self.more.values_mut() {
            more.iter_mut().for_each(&mut *keep);
        }
    }
}

impl Now<'_> {
    /// Returns `true` if every access ordered after this read is also ordered after `read`.
    fn replaces(&self, read: u32) -> bool {
        let other = self.accesses.get(read);
        // `tcgen05.wait::ld` waits for all loads of the warp.
        let waited_alike = other.kind == Kind::Load
            && self.kind == Kind::Load
            && other.who.agent == self.who.agent
            && other.end.is_none();
        waited_alike || self.behind(read, &mut 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cells_do_not_remember_is_forgotten() {
        let mut order = Order::new();
        order.begin(1, 2, 1);
        let mut accesses = Accesses::default();
        accesses.clear();
        let mut shadow = TensorShadow::default();
        shadow.grow(4);
        let who = |agent| Who {
            agent,
            lane: 32,
            instruction: 7,
        };
        let mut store = |agent, cells: std::ops::Range<usize>, accesses: &mut Accesses| {
            accesses.tidy(|keep| shadow.rename(keep));
            let number = accesses.begin(who(agent), Kind::Store, &order);
            let now = Now {
                accesses,
                order: &order,
                who: who(agent),
                kind: Kind::Store,
                number,
            };
            let result = shadow.write(now, cells);
            accesses.wait(agent, false, order.now(agent));
            result
        };
        assert!(store(0, 0..1, &mut accesses).is_ok());
        for _ in 0..3 * MANY {
            assert!(store(1, 1..4, &mut accesses).is_ok());
        }
        assert!(accesses.table.len() <= MANY + 1);
        // The table still contains the access of the first cell.
        let (cell, conflict) = store(1, 0..4, &mut accesses).unwrap_err();
        let Conflict::Race { other, access } = conflict else {
            panic!("{conflict:?}");
        };
        assert_eq!((cell, other.who.agent, access), (0, 0, "write"));
    }
}
