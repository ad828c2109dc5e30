//! Steps over operations that order events: barriers, fences, waits and mbarriers.

use super::super::super::super::{Dependents, Kernel, Op, OpId, OpKind, Trait};
use super::super::super::described;
use super::super::memory::{MemoryAccess, memory_access};
use super::super::places::Layout;
use super::super::stores::written;
use super::super::target::Target;
use super::{Flight, InFlightMma, State, missing};

/// Maximum age of a group of copies, in newer groups; older groups count as having this age.
const MAX_GROUPS: u32 = 64;

impl State {
    /// Steps over the operation `id`, which is neither a loop nor a branch. Returns the errors that it
    /// causes.
    pub(in super::super) fn step(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        target: Option<Target>,
        id: OpId,
    ) -> Vec<String> {
        let op = kernel.op(id);
        if let Some(error) = self.ping_pong.step(&op.kind) {
            return vec![error];
        }
        if op.kind.has(Trait::GlobalAccess)
            && let Some(error) = self.dependence(kernel, "global memory is accessed")
        {
            return vec![error];
        }
        if let Some(errors) = self.synchronize(kernel, layout, op) {
            return errors;
        }
        match &op.kind {
            OpKind::WaitTmaStores(wait) => self.stores.wait(*wait),
            OpKind::Wgmma(mma) => self.issue_mma(mma.in_flight),
            _ => {}
        }
        if op.kind.has(Trait::ClusterExchange) && !self.has_met {
            return vec!["other blocks of the cluster may not have begun".to_owned()];
        }
        let stores: Vec<OpId> = self.stores.writing().collect();
        let mut errors = self.signal(kernel, layout, id);
        errors.extend(self.access_buffers(kernel, layout, target, id));
        if let Some(buffer) = written(&op.kind) {
            self.stores.write(id, buffer);
        }
        if let Some(access) = memory_access(kernel, id) {
            errors.extend(self.access_memory(kernel, access, &stores));
        }
        errors
    }

    /// Steps over an operation that only orders others. Returns its errors, or `None` if the operation is
    /// another one.
    fn synchronize(&mut self, kernel: &Kernel, layout: &Layout, op: &Op) -> Option<Vec<String>> {
        match &op.kind {
            OpKind::Barrier | OpKind::ClusterBarrier | OpKind::WarpSpecialize => {
                return Some(self.barrier(kernel, op));
            }
            OpKind::WaitWgmma(_) | OpKind::WaitWgmmaAndRescale(_) => {
                return Some(self.wait_wgmma(kernel, op));
            }
            OpKind::FenceProxyAsync => self.stores.fence(),
            OpKind::Dependents(Dependents::Wait) => self.has_waited = true,
            OpKind::CommitGroup => self.commit_group(),
            OpKind::WaitGroup(left) => self.wait_group(kernel, *left),
            _ => return self.hand_over(kernel, layout, op),
        }
        Some(Vec::new())
    }

    /// Steps over a barrier of the block or of the cluster, which separates the accesses before it from those
    /// after it.
    fn barrier(&mut self, kernel: &Kernel, op: &Op) -> Vec<String> {
        let is_cluster_scoped = matches!(op.kind, OpKind::ClusterBarrier);
        self.has_met |= is_cluster_scoped;
        // A block barrier does not separate accesses of different blocks: only a cluster barrier drops
        // exchanges.
        self.accesses.retain(|access| {
            !is_cluster_scoped && kernel.op(access.op).kind.has(Trait::ClusterExchange)
        });
        // The threads of all blocks of a cluster split access the same tiles.
        if is_cluster_scoped || kernel.launch.blocks_per_tile == 1 {
            self.memory.clear();
        }
        self.landed.clear();
        self.stores.barrier();
        match op.kind {
            OpKind::ClusterBarrier => self.stage_cursors.meet(),
            OpKind::WarpSpecialize => return self.stage_cursors.begin().into_iter().collect(),
            _ => {}
        }
        Vec::new()
    }

    /// Puts the copies that no group holds into a group, and makes the other groups older by one.
    fn commit_group(&mut self) {
        let by_groups = |flight: &&mut Flight| flight.barrier.is_none();
        for flight in self.flights.iter_mut().filter(by_groups) {
            flight.age = Some(flight.age.map_or(0, |age| (age + 1).min(MAX_GROUPS)));
        }
    }

    /// Waits for the copies of all groups but the `left` newest ones.
    fn wait_group(&mut self, kernel: &Kernel, left: u32) {
        let is_left =
            |flight: &Flight| flight.barrier.is_some() || flight.age.is_none_or(|age| age < left);
        let (left, landed): (Vec<Flight>, Vec<Flight>) = std::mem::take(&mut self.flights)
            .into_iter()
            .partition(is_left);
        self.flights = left;
        let landed = landed.into_iter().map(|flight| (flight.op, flight.bytes));
        for landed in landed {
            // The copy reads global memory until the wait; its reads count from here on.
            let read = memory_access(kernel, landed.0);
            let fresh = read.filter(|read| !self.memory.contains(read));
            self.memory.extend(fresh);
            if !self.landed.contains(&landed) {
                self.landed.push(landed);
            }
        }
    }

    /// Waits for the MMA that the first operand is the result of.
    fn wait_wgmma(&mut self, kernel: &Kernel, op: &Op) -> Vec<String> {
        self.close(op.kind.max_in_flight_mmas().unwrap_or(0));
        let of_sum =
            |in_flight: &&InFlightMma| kernel.op(in_flight.read.op).results[0] == op.args[0];
        let left = self.in_flight.iter().find(of_sum);
        Vec::from_iter(left.map(|in_flight| {
            format!(
                "{} may still be in flight after the wait for it",
                described(kernel, in_flight.read.op)
            )
        }))
    }

    /// Issues an MMA, after which `most` MMAs may be in flight. MMAs of a warp complete in order (PTX ISA,
    /// `wgmma.wait_group`), so the number of newer MMAs decides which are still in flight.
    fn issue_mma(&mut self, most: u32) {
        for in_flight in &mut self.in_flight {
            in_flight.newer += 1;
        }
        self.close(most);
    }

    /// Leaves at most `left` MMAs in flight. The older ones have ended, so their reads become ordinary
    /// accesses.
    fn close(&mut self, left: u32) {
        let (in_flight, ended): (Vec<InFlightMma>, Vec<InFlightMma>) =
            std::mem::take(&mut self.in_flight)
                .into_iter()
                .partition(|in_flight| in_flight.newer < left);
        self.in_flight = in_flight;
        for InFlightMma { read, newer: _ } in ended {
            if !self.accesses.contains(&read) {
                self.accesses.push(read);
            }
        }
    }

    /// Steps over the part of an operation that initializes an mbarrier, arrives at it or waits for it, where
    /// no consumer releases the stages.
    fn signal(&mut self, kernel: &Kernel, layout: &Layout, id: OpId) -> Vec<String> {
        let op = kernel.op(id);
        match &op.kind {
            OpKind::InitMbarriers(barriers, _) => {
                self.stage_cursors.init(layout.reach(*barriers));
                self.phases.init(kernel, *barriers)
            }
            OpKind::InvalidateMbarriers(barriers) => self.phases.drop(*barriers),
            OpKind::ArriveExpectTx(expected) => {
                // A thread that still waits for the previous phase could miss it if an arrival completed the
                // next one: a barrier must separate its wait from the arrival.
                let waits = self.accesses.iter().filter(|access| {
                    matches!(kernel.op(access.op).kind, OpKind::ConsumerWait(other) if other == expected.barriers)
                });
                let mut errors: Vec<String> =
                    waits.map(|access| missing(kernel, access.op)).collect();
                let stage = self.operand(op, 1);
                errors.extend(self.phases.expect(kernel, op, *expected, stage));
                errors
            }
            OpKind::BulkCopy(copy) => {
                let stage = self.operand(op, 1);
                let error = self.phases.begin(id, copy.barriers, stage);
                error.into_iter().collect()
            }
            OpKind::TmaLoad(copy) => {
                let stage = self.operand(op, 1);
                self.phases.copy(kernel, copy, stage)
            }
            OpKind::ConsumerWait(barriers) => {
                let (stage, parity) = (self.operand(op, 0), self.operand(op, 1));
                // The bytes of the copies into this stage have arrived.
                if let Some(stage) = stage {
                    let here = Some((*barriers, stage));
                    self.flights.retain(|flight| flight.barrier != here);
                }
                self.phases.wait(*barriers, stage, parity)
            }
            _ => Vec::new(),
        }
    }

    /// Accesses global memory. A conflicting access before it needs a barrier between, and a conflicting copy
    /// or one of the conflicting `stores` needs a wait.
    fn access_memory(
        &mut self,
        kernel: &Kernel,
        access: MemoryAccess,
        stores: &[OpId],
    ) -> Vec<String> {
        let met = self.memory.iter();
        let met = met.filter(|old| old.conflicts(access, kernel));
        let mut errors: Vec<String> = met.map(|old| missing(kernel, old.op)).collect();
        let copies = self.flights.iter().map(|flight| (flight.op, "from"));
        let stores = stores.iter().map(|&store| (store, "to"));
        for (other, direction) in copies.chain(stores) {
            let other_access = memory_access(kernel, other);
            if other_access.is_some_and(|other| other.conflicts(access, kernel)) {
                errors.push(format!(
                    "{} may be under way {direction} the same bytes: a wait for it is missing",
                    described(kernel, other)
                ));
            }
        }
        if !self.memory.contains(&access) {
            self.memory.push(access);
        }
        errors
    }
}
