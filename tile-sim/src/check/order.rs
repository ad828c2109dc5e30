//! The happens-before relation: vector clocks (Mattern, 1989) over the warps of a cluster.
//!
//! An *agent* is a warp, or the unit of a block that executes its asynchronous copies. The clock of
//! an agent advances when it publishes its accesses: at barriers, releases and fences. An access
//! carries the clock value of its agent. It happens before everything that another agent does after
//! acquiring that value. The clocks of agents in other clusters are stored per cluster, since few
//! clusters of a grid ever synchronize with each other.
//!
//! The asynchronous proxy (PTX ISA, "Proxies") sees generic-proxy writes only after a
//! `fence.proxy.async`. Each warp therefore also stores the clock values that such a fence covered,
//! per state space of the fence. The same holds for `fence.mbarrier_init`, whose effect even
//! relaxed barriers pass on.
//!
//! Operations on tensor memory are also ordered across threads that synchronized without acquire
//! and release semantics. The synchronization must be between a `tcgen05.fence::before_thread_sync`
//! and a `tcgen05.fence::after_thread_sync` (PTX ISA, "Specialized Inter-thread Synchronization for
//! tcgen05 instructions").

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::stamp::{SEVERAL, Scope, Stamp};

/// The clock of each agent of one cluster.
type Clocks = Vec<u32>;

/// Clock values that single lanes of a warp released. They do not cover the accesses of the warp's
/// other lanes since the lanes last converged.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    lanes: u32,
    clock: u32,
}

/// The clocks of one cluster's agents, and newer values that cover single lanes only.
#[derive(Clone, Debug, Default)]
struct Known {
    clocks: Clocks,
    parts: Vec<Part>,
}

impl Known {
    fn join(&mut self, other: &Self) {
        join(&mut self.clocks, &other.clocks);
        if self.parts.len() < other.parts.len() {
            self.parts.resize(other.parts.len(), Part::default());
        }
        for (known, told) in self.parts.iter_mut().zip(&other.parts) {
            known.lanes |= told.lanes;
            known.clock = known.clock.max(told.clock);
        }
    }

    /// Returns `true` if the lane that made an access released it individually.
    fn has_part(&self, stamp: Stamp) -> bool {
        let part = self.parts.get(usize::from(stamp.agent));
        part.is_some_and(|part| {
            let told = stamp.lane >= SEVERAL || part.lanes >> stamp.lane & 1 == 1;
            stamp.clock <= part.clock && told
        })
    }

    fn has(&self, stamp: Stamp) -> bool {
        let known = self.clocks.get(usize::from(stamp.agent));
        known.is_some_and(|&known| stamp.clock <= known) || self.has_part(stamp)
    }
}

/// The state space of a `fence.proxy.async`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proxied {
    /// All state spaces.
    All,
    Global,
    /// Shared memory of every block of the cluster.
    Cluster,
    /// Shared memory of the executing block, given by its rank.
    Block(usize),
}

/// The clock values up to which writes are visible to the asynchronous proxy.
#[derive(Clone, Debug, Default)]
struct Fenced {
    global: Clocks,
    /// The values for shared memory of all blocks.
    shared: Clocks,
    /// The values for shared memory of single blocks, where newer.
    blocks: SmallVec<[(usize, Clocks); 1]>,
}

impl Fenced {
    fn block(&mut self, block: usize) -> &mut Clocks {
        let position = self.blocks.iter().position(|&(number, _)| number == block);
        let index = position.unwrap_or_else(|| {
            self.blocks.push((block, Clocks::new()));
            self.blocks.len() - 1
        });
        &mut self.blocks[index].1
    }

    /// Returns the clock value up to which an agent's writes to shared memory of some block are
    /// visible.
    fn of_shared(&self, agent: usize) -> u32 {
        let blocks = self.blocks.iter().map(|(_, clocks)| clocks);
        let clocks = std::iter::once(&self.shared).chain(blocks);
        let known = clocks.filter_map(|clocks| clocks.get(agent).copied());
        known.max().unwrap_or(0)
    }

    fn join(&mut self, other: &Self) {
        join(&mut self.global, &other.global);
        join(&mut self.shared, &other.shared);
        for (block, told) in &other.blocks {
            join(self.block(*block), told);
        }
    }

    fn clear(&mut self) {
        self.global.clear();
        self.shared.clear();
        self.blocks.clear();
    }
}

fn at(clocks: &[u32], agent: Agent) -> u32 {
    clocks.get(usize::from(agent)).copied().unwrap_or(0)
}

/// The clocks of other clusters.
type Foreign = Option<Rc<FxHashMap<u32, Known>>>;

/// The knowledge of a warp, or the knowledge that was released at a synchronization point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    own: Known,
    fenced: Fenced,
    /// The clock values up to which `mbarrier.init`s are visible in the cluster.
    inits: Clocks,
    /// The clock values up to which accesses to tensor memory are ordered before the instructions
    /// after the next `tcgen05.fence::after_thread_sync`.
    tensor: Clocks,
    /// The values of `tensor` at the last such fence. Accesses up to these values are ordered like
    /// accesses to other memory.
    tensor_seen: Clocks,
    foreign: Foreign,
    /// Knowledge that fences of the releasing agent cover. An agent that acquires it releases it
    /// again at its next strong store.
    ready: Option<Box<Knowledge>>,
}

fn join(into: &mut Clocks, from: &[u32]) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (known, &told) in into.iter_mut().zip(from) {
        *known = (*known).max(told);
    }
}

fn join_foreign(into: &mut Foreign, from: Option<&Rc<FxHashMap<u32, Known>>>) {
    let Some(from) = from else { return };
    match into {
        None => *into = Some(Rc::clone(from)),
        Some(known) if Rc::ptr_eq(known, from) => {}
        Some(known) => {
            let known = Rc::make_mut(known);
            #[expect(
                clippy::iter_over_hash_type,
                reason = "maxima do not depend on the order"
            )]
            for (&cluster, told) in from.iter() {
                known.entry(cluster).or_default().join(told);
            }
        }
    }
}

impl Knowledge {
    /// Joins the knowledge of another agent of the same cluster.
    pub(crate) fn join(&mut self, other: &Self) {
        self.own.join(&other.own);
        self.fenced.join(&other.fenced);
        join(&mut self.inits, &other.inits);
        join(&mut self.tensor, &other.tensor);
        join(&mut self.tensor_seen, &other.tensor_seen);
        join_foreign(&mut self.foreign, other.foreign.as_ref());
        if let Some(ready) = &other.ready {
            self.ready.get_or_insert_default().join(ready);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.own.clocks.clear();
        self.own.parts.clear();
        self.fenced.clear();
        self.inits.clear();
        self.tensor.clear();
        self.tensor_seen.clear();
        self.foreign = None;
        self.ready = None;
    }
}

/// The scope of a release or a fence (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// `.cta` or `.cluster`.
    Cluster,
    Device,
}

impl From<Scope> for Reach {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Block | Scope::Cluster => Self::Cluster,
            Scope::Device => Self::Device,
        }
    }
}

/// The knowledge released at a memory location, by cluster and scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Release {
    parts: SmallVec<[((u32, Reach), Knowledge); 1]>,
}

impl Release {
    fn part(&mut self, key: (u32, Reach)) -> &mut Knowledge {
        let position = self.parts.iter().position(|&(part, _)| part == key);
        let index = position.unwrap_or_else(|| {
            self.parts.push((key, Knowledge::default()));
            self.parts.len() - 1
        });
        &mut self.parts[index].1
    }
}

/// The fence state of a warp.
#[derive(Clone, Debug, Default)]
struct Fences {
    /// Knowledge that the next strong store releases.
    ready: Option<Box<Knowledge>>,
    /// The same, for fences of `.cta` and `.cluster` scope.
    ready_near: Option<Box<Knowledge>>,
    /// Knowledge that strong loads read and that no fence has acquired yet.
    seen: Option<Box<Release>>,
    /// The clock of the last `fence.mbarrier_init`.
    inits: u32,
}

/// The index of an agent in its cluster.
pub(crate) type Agent = u16;

/// The happens-before relation among the agents of a cluster.
pub(crate) struct Order {
    /// The number of the cluster in the launch, from 1.
    pub(crate) cluster: u32,
    warps: Vec<Knowledge>,
    /// The clock at which the lanes of each warp last converged; earlier accesses of its lanes are
    /// ordered.
    met: Vec<u32>,
    /// The clocks of the asynchronous units: first the copy units of all blocks, then their tensor
    /// cores.
    engines: Vec<u32>,
    /// The clock values up to which accesses to tensor memory are ordered before the accesses of
    /// each warp.
    tensor: Vec<Clocks>,
    /// The clock at which all agents began; older accesses belong to an earlier cluster.
    pub(crate) base: u32,
    latest: u32,
    fences: Vec<Fences>,
}

impl Order {
    pub(crate) fn new() -> Self {
        Self {
            cluster: 0,
            warps: Vec::new(),
            met: Vec::new(),
            engines: Vec::new(),
            tensor: Vec::new(),
            base: 1,
            latest: 0,
            fences: Vec::new(),
        }
    }

    /// Resets all knowledge for a cluster that begins.
    pub(crate) fn begin(&mut self, cluster: u32, warps: usize, blocks: usize) {
        self.cluster = cluster;
        self.base = self.latest + 1;
        self.latest = self.base;
        self.engines.clear();
        self.engines.resize(2 * blocks, self.base);
        let agents = warps + self.engines.len();
        self.tensor.clear();
        self.tensor.resize(warps, Clocks::new());
        self.warps.resize(warps, Knowledge::default());
        self.met.clear();
        self.met.resize(warps, self.base);
        self.fences.clear();
        self.fences.resize(warps, Fences::default());
        for (warp, knowledge) in self.warps.iter_mut().enumerate() {
            knowledge.clear();
            knowledge.own.clocks.resize(agents, 0);
            knowledge.own.clocks[warp] = self.base;
        }
    }

    /// Returns the clock of a warp.
    #[inline]
    pub(crate) fn now(&self, warp: Agent) -> u32 {
        self.warps[usize::from(warp)].own.clocks[usize::from(warp)]
    }

    /// Returns the clock values of the cluster's agents that a warp has acquired.
    #[inline]
    pub(crate) fn acquired(&self, warp: Agent) -> &[u32] {
        &self.warps[usize::from(warp)].own.clocks
    }

    /// Returns `true` if a warp has acquired anything from `agent`, an agent of the same cluster,
    /// or from one of the lanes of that agent.
    pub(crate) fn has_heard_of(&self, warp: Agent, agent: usize) -> bool {
        let Known { clocks, parts } = &self.warps[usize::from(warp)].own;
        let has_told = |part: &Part| part.lanes != 0 && part.clock >= self.base;
        clocks.get(agent).is_some_and(|&clock| clock >= self.base)
            || parts.get(agent).is_some_and(has_told)
    }

    /// Returns the clock value up to which a warp's asynchronous operations see the writes of
    /// `agent` to global memory.
    #[inline]
    pub(crate) fn fenced_global(&self, warp: Agent, agent: Agent) -> u32 {
        at(&self.warps[usize::from(warp)].fenced.global, agent)
    }

    /// Returns the clock value up to which a warp's asynchronous operations see the writes of
    /// `agent` to the shared memory of `block`.
    #[inline]
    pub(crate) fn fenced_shared(&self, warp: Agent, agent: Agent, block: usize) -> u32 {
        let fenced = &self.warps[usize::from(warp)].fenced;
        let of_block = fenced.blocks.iter().find(|&&(number, _)| number == block);
        let of_block = of_block.map_or(0, |(_, clocks)| at(clocks, agent));
        at(&fenced.shared, agent).max(of_block)
    }

    /// Returns `true` if an `mbarrier.init` that `agent` fenced at `clock` is visible to `warp`.
    pub(crate) fn knows_init(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        clock <= at(&self.warps[usize::from(warp)].inits, agent)
    }

    /// Executes a `fence.mbarrier_init` and returns the clock at which earlier initializations
    /// become visible.
    pub(crate) fn fence_inits(&mut self, warp: Agent) -> u32 {
        let clock = self.now(warp);
        self.fences[usize::from(warp)].inits = clock;
        self.tick(warp);
        clock
    }

    /// Releases the initializations that `fence.mbarrier_init` covered, of this warp and of the
    /// warps with which it synchronized.
    fn inform_inits(&self, warp: Agent, pool: &mut Knowledge) {
        let warp = usize::from(warp);
        join(&mut pool.inits, &self.warps[warp].inits);
        let clock = self.fences[warp].inits;
        if clock > 0 {
            if pool.inits.len() <= warp {
                pool.inits.resize(warp + 1, 0);
            }
            pool.inits[warp] = pool.inits[warp].max(clock);
        }
    }

    /// Returns `true` if a warp knows of an access because the accessing lane released it
    /// individually.
    #[cold]
    pub(crate) fn knows_part(&self, warp: Agent, stamp: Stamp) -> bool {
        self.warps[usize::from(warp)].own.has_part(stamp)
    }

    /// Returns `true` if an access by an agent of another cluster happens before the current
    /// instruction of `warp`.
    pub(crate) fn knows_foreign(&self, warp: Agent, stamp: Stamp) -> bool {
        let foreign = self.warps[usize::from(warp)].foreign.as_ref();
        foreign
            .and_then(|foreign| foreign.get(&stamp.cluster))
            .is_some_and(|known| known.has(stamp))
    }

    /// Returns the clock after which the lanes of a warp are not ordered with each other.
    #[inline]
    pub(crate) fn met(&self, warp: Agent) -> u32 {
        self.met[usize::from(warp)]
    }

    /// Orders the memory accesses of a warp's lanes (`bar.warp.sync`).
    pub(crate) fn meet(&mut self, warp: Agent) {
        self.tick(warp);
        self.met[usize::from(warp)] = self.now(warp);
    }

    /// Acquires values that lanes of the same warp released.
    fn hear(&mut self, warp: Agent, told: &[u32]) {
        let warp = usize::from(warp);
        if let Some(&clock) = told.get(warp) {
            self.met[warp] = self.met[warp].max(clock + 1);
        }
    }

    /// Advances the clock of a warp, and returns the new value, which its later accesses have.
    pub(crate) fn step(&mut self, warp: Agent) -> u32 {
        self.tick(warp);
        self.now(warp)
    }

    fn tick(&mut self, warp: Agent) {
        let clock = &mut self.warps[usize::from(warp)].own.clocks[usize::from(warp)];
        *clock += 1;
        self.latest = self.latest.max(*clock);
    }

    /// Releases the knowledge of some lanes of a warp to `pool`.
    pub(crate) fn tell(&mut self, warp: Agent, lanes: u32, pool: &mut Knowledge) {
        self.inform(warp, lanes, pool);
        self.inform_inits(warp, pool);
        if let Some(ready) = &self.fences[usize::from(warp)].ready {
            pool.ready.get_or_insert_default().join(ready);
        }
        self.tick(warp);
    }

    fn inform(&self, warp: Agent, lanes: u32, pool: &mut Knowledge) {
        let warp = usize::from(warp);
        let before = pool.own.clocks.get(warp).copied().unwrap_or(0);
        pool.join(&self.warps[warp]);
        if lanes == u32::MAX {
            return;
        }
        let clock = self.warps[warp].own.clocks[warp];
        pool.own.clocks[warp] = before.max(self.met[warp] - 1);
        if pool.own.parts.len() <= warp {
            pool.own.parts.resize(warp + 1, Part::default());
        }
        let part = &mut pool.own.parts[warp];
        part.lanes |= lanes;
        part.clock = part.clock.max(clock);
        if part.lanes == u32::MAX {
            pool.own.clocks[warp] = part.clock;
        }
    }

    /// Acquires the knowledge in `pool`.
    pub(crate) fn learn(&mut self, warp: Agent, pool: &Knowledge) {
        self.hear(warp, &pool.own.clocks);
        let knowledge = &mut self.warps[usize::from(warp)];
        knowledge.join(pool);
        if let Some(ready) = knowledge.ready.take() {
            let fence = &mut self.fences[usize::from(warp)].ready;
            fence.get_or_insert_default().join(&ready);
        }
    }

    /// Executes a `fence.proxy.async`: accesses that the warp knows of become visible to the
    /// asynchronous proxy.
    pub(crate) fn fence_proxy(&mut self, warp: Agent, proxied: Proxied) {
        let alone = self.engines.len() == 2;
        let knowledge = &mut self.warps[usize::from(warp)];
        let Knowledge { own, fenced, .. } = knowledge;
        if matches!(proxied, Proxied::All | Proxied::Global) {
            fenced.global.clone_from(&own.clocks);
        }
        match proxied {
            Proxied::Global => {}
            Proxied::Block(block) if !alone => fenced.block(block).clone_from(&own.clocks),
            Proxied::All | Proxied::Cluster | Proxied::Block(_) => {
                fenced.shared.clone_from(&own.clocks);
            }
        }
        self.tick(warp);
    }

    /// Executes `tcgen05.fence::before_thread_sync`.
    pub(crate) fn fence_before(&mut self, warp: Agent) {
        let Knowledge { own, tensor, .. } = &mut self.warps[usize::from(warp)];
        join(tensor, &own.clocks);
        self.tick(warp);
    }

    /// Executes `tcgen05.fence::after_thread_sync`.
    pub(crate) fn fence_after(&mut self, warp: Agent) {
        let warp = usize::from(warp);
        let Knowledge {
            tensor,
            tensor_seen,
            ..
        } = &mut self.warps[warp];
        join(&mut self.tensor[warp], tensor);
        join(tensor_seen, tensor);
    }

    /// Executes a `tcgen05.commit` and returns the knowledge that an agent acquires when the commit
    /// completes.
    ///
    /// This knowledge includes accesses that precede the operations: if an operation reads data
    /// that a copy wrote, the next copy is ordered after both. Of the warp's own accesses, it
    /// includes only those that a fence has made visible to the operations.
    pub(crate) fn commit_tensor(&mut self, warp: Agent) -> Knowledge {
        let index = usize::from(warp);
        let mut told = self.warps[index].clone();
        let Knowledge {
            own,
            fenced,
            tensor,
            tensor_seen,
            ready,
            ..
        } = &mut told;
        join(tensor, &own.clocks);
        tensor_seen.clear();
        own.clocks[index] = fenced.of_shared(index);
        if let Some(part) = own.parts.get_mut(index) {
            *part = Part::default();
        }
        *ready = None;
        self.tick(warp);
        told
    }

    /// Executes a `.relaxed` arrival, which releases only the effects of fences.
    pub(crate) fn pass(&self, warp: Agent, pool: &mut Knowledge) {
        self.inform_inits(warp, pool);
        let fences = &self.fences[usize::from(warp)];
        for ready in [&fences.ready, &fences.ready_near].into_iter().flatten() {
            pool.join(ready);
        }
        join(&mut pool.tensor, &self.warps[usize::from(warp)].tensor);
    }

    /// Executes a `.relaxed` wait, which acquires only the effects of fences.
    pub(crate) fn hear_of(&mut self, warp: Agent, pool: &Knowledge) {
        join(&mut self.warps[usize::from(warp)].tensor, &pool.tensor);
    }

    /// Returns `true` if a completed tensor-memory access of `agent` at `clock` is ordered before
    /// the next one of `warp`.
    pub(crate) fn orders_tensor(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        let known = |clocks: &Clocks| {
            clocks
                .get(usize::from(agent))
                .is_some_and(|&ordered| clock <= ordered)
        };
        let knowledge = &self.warps[usize::from(warp)];
        known(&knowledge.own.clocks) || known(&knowledge.tensor_seen) || {
            let part = knowledge.own.parts.get(usize::from(agent));
            part.is_some_and(|part| part.lanes != 0 && clock <= part.clock)
        }
    }

    /// Returns `true` if an operation that `agent` issued at `clock`, and that may still run, is
    /// ordered before those that `warp` issues.
    pub(crate) fn pipes_tensor(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        let clock_known = self.tensor[usize::from(warp)].get(usize::from(agent));
        clock_known.is_some_and(|&ordered| clock <= ordered)
    }

    /// Returns the number of warps of the cluster. The asynchronous units have the indices after
    /// them.
    pub(crate) fn warps(&self) -> usize {
        self.warps.len()
    }

    /// Returns the index of a block's copy unit.
    pub(crate) fn engine(&self, block: usize) -> Agent {
        Agent::try_from(self.warps.len() + block).expect("fewer than 2^16 agents")
    }

    /// Returns the index of a block's tensor core.
    pub(crate) fn tensor_core(&self, block: usize) -> Agent {
        self.engine(self.engines.len() / 2 + block)
    }

    /// Completes an operation of an asynchronous unit: releases the unit's clock to `pool` and
    /// returns that clock.
    ///
    /// Writes of these units are visible to the asynchronous proxy, and accesses of tensor cores
    /// are ordered after a `tcgen05.fence::after_thread_sync`.
    pub(crate) fn finish(&mut self, engine: Agent, pool: &mut Knowledge) -> u32 {
        let engine = usize::from(engine);
        let engine_clock = &mut self.engines[engine - self.warps.len()];
        let clock = *engine_clock;
        *engine_clock += 1;
        self.latest = self.latest.max(*engine_clock);
        for clocks in [
            &mut pool.own.clocks,
            &mut pool.fenced.global,
            &mut pool.fenced.shared,
            &mut pool.tensor,
        ] {
            if clocks.len() <= engine {
                clocks.resize(engine + 1, 0);
            }
            clocks[engine] = clocks[engine].max(clock);
        }
        clock
    }

    /// Executes a release by one lane at a memory location.
    pub(crate) fn release(&mut self, warp: Agent, lane: usize, place: &mut Release) {
        let told = place.part((self.cluster, Reach::Device));
        self.tell(warp, 1 << lane, told);
    }

    /// Executes an acquire of the knowledge released at a memory location.
    pub(crate) fn acquire(&mut self, warp: Agent, place: &Release) {
        for ((cluster, reach), told) in &place.parts {
            if *cluster == self.cluster {
                self.learn(warp, told);
                continue;
            }
            if *reach == Reach::Cluster {
                continue;
            }
            let knowledge = &mut self.warps[usize::from(warp)];
            join_foreign(&mut knowledge.foreign, told.foreign.as_ref());
            let foreign = Rc::make_mut(knowledge.foreign.get_or_insert_default());
            foreign.entry(*cluster).or_default().join(&told.own);
        }
    }

    /// Executes a thread fence. The warp's next strong store releases earlier accesses, and earlier
    /// strong loads become acquires, within the scope of the fence.
    pub(crate) fn fence(&mut self, warp: Agent, lanes: u32, reach: Reach) {
        let index = usize::from(warp);
        if let Some(mut seen) = self.fences[index].seen.take() {
            if reach == Reach::Cluster {
                let far = seen.parts.clone();
                seen.parts
                    .retain(|((cluster, _), _)| *cluster == self.cluster);
                let cluster = self.cluster;
                let far = far.into_iter().filter(|((part, _), _)| *part != cluster);
                let left = Release {
                    parts: far.collect(),
                };
                self.fences[index].seen = (!left.parts.is_empty()).then(|| Box::new(left));
            }
            self.acquire(warp, &seen);
        }
        let fences = &mut self.fences[index];
        let place = match reach {
            Reach::Cluster => &mut fences.ready_near,
            Reach::Device => &mut fences.ready,
        };
        let mut ready = place.take().unwrap_or_default();
        self.inform(warp, lanes, &mut ready);
        let fences = &mut self.fences[index];
        match reach {
            Reach::Cluster => fences.ready_near = Some(ready),
            Reach::Device => fences.ready = Some(ready),
        }
        self.tick(warp);
    }

    /// Executes a strong store without release semantics, which publishes the effects of earlier
    /// fences.
    pub(crate) fn publish(&mut self, warp: Agent, place: &mut Release) {
        let fences = &self.fences[usize::from(warp)];
        if let Some(ready) = &fences.ready {
            place.part((self.cluster, Reach::Device)).join(ready);
        }
        if let Some(ready) = &fences.ready_near {
            place.part((self.cluster, Reach::Cluster)).join(ready);
        }
        if self.passes(warp) {
            self.pass(warp, place.part((self.cluster, Reach::Cluster)));
        }
    }

    /// Returns `true` if a fence has effects to publish.
    pub(crate) fn has_fenced(&self, warp: Agent) -> bool {
        let fences = &self.fences[usize::from(warp)];
        fences.ready.is_some() || fences.ready_near.is_some() || self.passes(warp)
    }

    /// Returns `true` if a `fence.mbarrier_init` or a `tcgen05.fence` has effects to pass on.
    fn passes(&self, warp: Agent) -> bool {
        let warp = usize::from(warp);
        self.fences[warp].inits > 0 || !self.warps[warp].tensor.is_empty()
    }

    /// Executes a strong load without acquire semantics, which a later fence may complete.
    pub(crate) fn notice(&mut self, warp: Agent, place: &Release) {
        let seen = self.fences[usize::from(warp)].seen.get_or_insert_default();
        for (key, told) in &place.parts {
            seen.part(*key).join(told);
        }
        for ((cluster, _), told) in &place.parts {
            if *cluster == self.cluster {
                self.hear_of(warp, told);
            }
        }
    }
}
