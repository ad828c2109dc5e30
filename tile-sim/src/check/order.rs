//! What happens before what: vector clocks (Mattern, 1989) over the warps of a cluster.
//!
//! An *agent* is a warp, or the engine of a block that carries out its asynchronous copies. Each
//! agent has a clock, which ticks where it lets others know what it did: at barriers, releases and
//! fences. An access carries the clock of its agent from then; it happens before all that is done
//! by whoever knows that clock. Clocks of agents of other clusters are known by cluster, since
//! few clusters of a grid ever talk to each other.
//!
//! The asynchronous proxy (PTX ISA, "Proxies") sees what the generic proxy wrote only behind a
//! `fence.proxy.async`; so each warp also knows up to which clocks that fence was passed, for each
//! state space that it was for. Likewise of `fence.mbarrier_init`, which also barriers that order
//! nothing else pass on.
//!
//! Operations on tensor memory are in order across threads also where these only met, in whatever
//! memory order, between a `tcgen05.fence::before_thread_sync` and a
//! `tcgen05.fence::after_thread_sync` (PTX ISA, "Specialized Inter-thread Synchronization for
//! tcgen05 instructions").

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::stamp::{SEVERAL, Scope, Stamp};

/// Clocks of the agents of one cluster.
type Clocks = Vec<u32>;

/// What lanes of a warp told by themselves: not what its other lanes did since they last met.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    lanes: u32,
    clock: u32,
}

/// Clocks of the agents of one cluster, and what is known of single lanes beyond them.
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

    /// Whether what a lane did at a clock of its warp is known by itself.
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

/// What a `fence.proxy.async` is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proxied {
    /// Without a state space.
    All,
    Global,
    /// Shared memory of all blocks of the cluster.
    Cluster,
    /// Shared memory of this block, which the thread is in.
    Block(usize),
}

/// Up to where writes are visible to the asynchronous proxy.
#[derive(Clone, Debug, Default)]
struct Fenced {
    global: Clocks,
    /// Of all blocks.
    shared: Clocks,
    /// Of single blocks, beyond that.
    blocks: SmallVec<[(usize, Clocks); 1]>,
}

impl Fenced {
    fn block(&mut self, block: usize) -> &mut Clocks {
        let found = self.blocks.iter().position(|&(number, _)| number == block);
        let index = found.unwrap_or_else(|| {
            self.blocks.push((block, Clocks::new()));
            self.blocks.len() - 1
        });
        &mut self.blocks[index].1
    }

    /// Up to which clock an agent's writes to shared memory are visible, of whichever block.
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

/// What is known of other clusters.
type Foreign = Option<Rc<FxHashMap<u32, Known>>>;

/// What a warp knows, or what lies at a place where warps meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    own: Known,
    fenced: Fenced,
    /// Up to where `mbarrier.init`s are visible in the cluster.
    inits: Clocks,
    /// Up to where what agents did on tensor memory is in order before what is behind the next
    /// `tcgen05.fence::after_thread_sync`.
    tensor: Clocks,
    /// Up to where that is behind such a fence, and so in order as other memory is.
    tensor_seen: Clocks,
    foreign: Foreign,
    /// What a fence made ready for the next strong store, of whoever hears of it.
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
    /// Adds what another of the same cluster knows.
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

/// How far a release or a fence reaches (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The block or the cluster.
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

/// What was released at a place in memory, by cluster and reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Release {
    parts: SmallVec<[((u32, Reach), Knowledge); 1]>,
}

impl Release {
    fn part(&mut self, key: (u32, Reach)) -> &mut Knowledge {
        let found = self.parts.iter().position(|&(part, _)| part == key);
        let index = found.unwrap_or_else(|| {
            self.parts.push((key, Knowledge::default()));
            self.parts.len() - 1
        });
        &mut self.parts[index].1
    }
}

/// The fences of a warp.
#[derive(Clone, Debug, Default)]
struct Fences {
    /// What they made ready for the next strong store.
    ready: Option<Box<Knowledge>>,
    /// The same, of those that reach no further than the cluster.
    ready_near: Option<Box<Knowledge>>,
    /// What strong loads brought that no fence has taken up.
    seen: Option<Box<Release>>,
    /// When it last fenced what it initialized (`fence.mbarrier_init`).
    inits: u32,
}

/// An agent's number in its cluster.
pub(crate) type Agent = u16;

/// The order among the agents of a cluster.
pub(crate) struct Order {
    /// Tells clusters of a launch apart; from 1.
    pub(crate) cluster: u32,
    warps: Vec<Knowledge>,
    /// From which clock on the lanes of a warp have not met: what lanes did before is in order.
    met: Vec<u32>,
    /// Clocks of the engines: of each block that which copies, then of each the tensor core.
    engines: Vec<u32>,
    /// Up to which clocks what agents did on tensor memory is in order before what a warp does.
    tensor: Vec<Clocks>,
    /// The clock that all began with: what is older is from a cluster before this one.
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

    /// Nobody knows anything.
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

    /// The clock of a warp.
    #[inline]
    pub(crate) fn now(&self, warp: Agent) -> u32 {
        self.warps[usize::from(warp)].own.clocks[usize::from(warp)]
    }

    /// What a warp knows of the clocks of its cluster.
    #[inline]
    pub(crate) fn known(&self, warp: Agent) -> &[u32] {
        &self.warps[usize::from(warp)].own.clocks
    }

    /// Whether a warp has heard of another of the same cluster, or of one of its lanes.
    pub(crate) fn has_heard_of(&self, warp: Agent, agent: usize) -> bool {
        let Known { clocks, parts } = &self.warps[usize::from(warp)].own;
        let has_told = |part: &Part| part.lanes != 0 && part.clock >= self.base;
        clocks.get(agent).is_some_and(|&clock| clock >= self.base)
            || parts.get(agent).is_some_and(has_told)
    }

    /// Up to which clock of `agent` a warp's asynchronous operations see its writes to global memory.
    #[inline]
    pub(crate) fn fenced_global(&self, warp: Agent, agent: Agent) -> u32 {
        at(&self.warps[usize::from(warp)].fenced.global, agent)
    }

    /// Likewise, to shared memory of a block.
    #[inline]
    pub(crate) fn fenced_shared(&self, warp: Agent, agent: Agent, block: usize) -> u32 {
        let fenced = &self.warps[usize::from(warp)].fenced;
        let of_block = fenced.blocks.iter().find(|&&(number, _)| number == block);
        let of_block = of_block.map_or(0, |(_, clocks)| at(clocks, agent));
        at(&fenced.shared, agent).max(of_block)
    }

    /// Whether a warp knows of an `mbarrier.init` that a warp fenced at this clock.
    pub(crate) fn knows_init(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        clock <= at(&self.warps[usize::from(warp)].inits, agent)
    }

    /// `fence.mbarrier_init`: the clock by which others will know of what was initialized before.
    pub(crate) fn fence_inits(&mut self, warp: Agent) -> u32 {
        let clock = self.now(warp);
        self.fences[usize::from(warp)].inits = clock;
        self.tick(warp);
        clock
    }

    /// What `fence.mbarrier_init` was for, of this warp and of those that it heard of.
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

    /// Whether a warp knows of an access because the lane that made it told it by itself.
    #[cold]
    pub(crate) fn knows_part(&self, warp: Agent, stamp: Stamp) -> bool {
        self.warps[usize::from(warp)].own.has_part(stamp)
    }

    /// Whether a warp knows of an access by an agent of another cluster.
    pub(crate) fn knows_foreign(&self, warp: Agent, stamp: Stamp) -> bool {
        let foreign = self.warps[usize::from(warp)].foreign.as_ref();
        foreign
            .and_then(|foreign| foreign.get(&stamp.cluster))
            .is_some_and(|known| known.has(stamp))
    }

    /// From which clock on lanes of a warp are not in order with each other.
    #[inline]
    pub(crate) fn met(&self, warp: Agent) -> u32 {
        self.met[usize::from(warp)]
    }

    /// The lanes of a warp meet in memory too (`bar.warp.sync`).
    pub(crate) fn meet(&mut self, warp: Agent) {
        self.tick(warp);
        self.met[usize::from(warp)] = self.now(warp);
    }

    /// A warp hears what its own lanes told.
    fn hear(&mut self, warp: Agent, told: &[u32]) {
        let warp = usize::from(warp);
        if let Some(&clock) = told.get(warp) {
            self.met[warp] = self.met[warp].max(clock + 1);
        }
    }

    fn tick(&mut self, warp: Agent) {
        let clock = &mut self.warps[usize::from(warp)].own.clocks[usize::from(warp)];
        *clock += 1;
        self.latest = self.latest.max(*clock);
    }

    /// Lanes of a warp tell what they know.
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

    /// A warp learns what was told.
    pub(crate) fn learn(&mut self, warp: Agent, pool: &Knowledge) {
        self.hear(warp, &pool.own.clocks);
        let knowledge = &mut self.warps[usize::from(warp)];
        knowledge.join(pool);
        if let Some(ready) = knowledge.ready.take() {
            let fence = &mut self.fences[usize::from(warp)].ready;
            fence.get_or_insert_default().join(&ready);
        }
    }

    /// `fence.proxy.async`: what the warp knows of becomes visible to the asynchronous proxy.
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

    /// `tcgen05.fence::before_thread_sync`
    pub(crate) fn fence_before(&mut self, warp: Agent) {
        let Knowledge { own, tensor, .. } = &mut self.warps[usize::from(warp)];
        join(tensor, &own.clocks);
        self.tick(warp);
    }

    /// `tcgen05.fence::after_thread_sync`
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

    /// `tcgen05.commit`: what is in order behind it, at whoever hears of its end.
    ///
    /// What came before the operations is known there too: an operation reads what a copy wrote, and
    /// so the next copy comes behind both. Of the warp's own accesses these are those that a fence
    /// has made visible to the operations.
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

    /// A warp meets others without telling them what it wrote (`.relaxed`), but for what fences made
    /// ready.
    pub(crate) fn pass(&self, warp: Agent, pool: &mut Knowledge) {
        self.inform_inits(warp, pool);
        let fences = &self.fences[usize::from(warp)];
        for ready in [&fences.ready, &fences.ready_near].into_iter().flatten() {
            pool.join(ready);
        }
        join(&mut pool.tensor, &self.warps[usize::from(warp)].tensor);
    }

    /// A warp meets others without learning what they wrote.
    pub(crate) fn hear_of(&mut self, warp: Agent, pool: &Knowledge) {
        join(&mut self.warps[usize::from(warp)].tensor, &pool.tensor);
    }

    /// Whether what an agent did at a clock, which it has ended, is in order before what a warp does
    /// on tensor memory.
    pub(crate) fn orders_tensor(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        let known = |clocks: &Clocks| {
            clocks
                .get(usize::from(agent))
                .is_some_and(|&at| clock <= at)
        };
        let knowledge = &self.warps[usize::from(warp)];
        known(&knowledge.own.clocks) || known(&knowledge.tensor_seen) || {
            let part = knowledge.own.parts.get(usize::from(agent));
            part.is_some_and(|part| part.lanes != 0 && clock <= part.clock)
        }
    }

    /// Whether what an agent issued at a clock, and may go on, comes before what a warp issues.
    pub(crate) fn pipes_tensor(&self, warp: Agent, agent: Agent, clock: u32) -> bool {
        let known = self.tensor[usize::from(warp)].get(usize::from(agent));
        known.is_some_and(|&at| clock <= at)
    }

    /// How many warps the cluster has; engines are numbered behind them.
    pub(crate) fn warps(&self) -> usize {
        self.warps.len()
    }

    /// The number of a block's engine that copies.
    pub(crate) fn engine(&self, block: usize) -> Agent {
        Agent::try_from(self.warps.len() + block).expect("fewer than 2^16 agents")
    }

    /// The number of a block's tensor core.
    pub(crate) fn tensor_core(&self, block: usize) -> Agent {
        self.engine(self.engines.len() / 2 + block)
    }

    /// An engine has finished something: its clock then, which goes into `pool`.
    ///
    /// What engines write is visible to the asynchronous proxy too, and what tensor cores do is in
    /// order behind a `tcgen05.fence::after_thread_sync`.
    pub(crate) fn finish(&mut self, engine: Agent, pool: &mut Knowledge) -> u32 {
        let engine = usize::from(engine);
        let own = &mut self.engines[engine - self.warps.len()];
        let clock = *own;
        *own += 1;
        self.latest = self.latest.max(*own);
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

    /// A release by a lane at a place in memory.
    pub(crate) fn release(&mut self, warp: Agent, lane: usize, place: &mut Release) {
        let told = place.part((self.cluster, Reach::Device));
        self.tell(warp, 1 << lane, told);
    }

    /// An acquire of what was released there.
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

    /// A fence between threads: what comes before it is released by the warp's next strong store,
    /// and what its strong loads saw before it is acquired, as far as the fence reaches.
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

    /// A strong store without release semantics publishes what fences made ready.
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

    /// Whether a fence has anything to publish.
    pub(crate) fn has_fenced(&self, warp: Agent) -> bool {
        let fences = &self.fences[usize::from(warp)];
        fences.ready.is_some() || fences.ready_near.is_some() || self.passes(warp)
    }

    /// Whether a fence of initializations, or one for tensor memory, has.
    fn passes(&self, warp: Agent) -> bool {
        let warp = usize::from(warp);
        self.fences[warp].inits > 0 || !self.warps[warp].tensor.is_empty()
    }

    /// A strong load without acquire semantics: a later fence takes it up.
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
