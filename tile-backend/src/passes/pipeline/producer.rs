//! The producer's program: the loops of a kernel, reduced to the operations that issue the copies.
//!
//! Input: a kernel, and loops in which all loads are TMA loads. Output: a block that runs the same loops in
//! the same order, with the operations that control them and compute the places of tiles, and nothing else:
//!
//! ```text
//!   for n { if … { return }               for n { if … { return }
//!     for k {                               for k {
//!       load a[n, k]             =>           producer_acquire; arrive_expect_tx; tma_load a[n, k]
//!       … }                                   }
//!     store … }                             }
//! ```
//!
//! There is no such program if the control flow or the places of tiles depend on tile data or memory.

use super::apply::{Cursor, Names};
use super::candidates::{Plan, step};
use super::loop_carried_state::{STATE_VALUES, contains};
use super::tma::Fills;
use crate::gpu::{
    BlockId, Dependents, Kernel, Op, OpId, OpKind, PipelineBarriers, Trait, Ty, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::{Loc, Scalar};

/// A loop whose circular buffer the producer fills.
#[derive(Clone, Debug)]
pub(super) struct LoopPipeline {
    pub(super) id: OpId,
    pub(super) plan: Plan,
    pub(super) fills: Fills,
    pub(super) pipeline_barriers: PipelineBarriers,
    pub(super) stages: u32,
}

/// Builds the producer's program for these loops, in a block of its own. Returns `None` if the program
/// depends on tile data or memory.
pub(super) fn program(kernel: &mut Kernel, pipelines: &[LoopPipeline]) -> Option<BlockId> {
    let loops: Vec<OpId> = pipelines.iter().map(|pipeline| pipeline.id).collect();
    let needed = Needed::collect(kernel, pipelines, &loops)?;
    let to = kernel.add_block();
    let mut states = Vec::new();
    let loc = kernel.loc;
    for _ in pipelines {
        let zero = |kernel: &mut Kernel| {
            let ty = Ty::Uniform(Scalar::I32);
            let id = kernel.push(to, OpKind::Constant(0), &[], &[ty], &[], loc);
            kernel.op(id).results[0]
        };
        states.push([zero(kernel), zero(kernel)]);
    }
    let from = kernel.body();
    let mut writer = Writer {
        kernel,
        pipelines,
        loops,
        needed,
        names: Names(FxHashMap::default()),
        around: Vec::new(),
    };
    writer.block(from, to, states, &Given::default());
    Some(to)
}

/// The definition of a value.
#[derive(Clone, Copy)]
enum Source {
    /// The result, with this index, of an operation.
    Result(OpId, usize),
    /// The argument, with this index, of the block of a loop.
    Arg(OpId, usize),
}

/// The parts of a kernel that the program needs.
#[derive(Default)]
struct Needed {
    values: FxHashSet<ValueId>,
    /// The loops and branches that the program keeps.
    kept: FxHashSet<OpId>,
}

/// The structure of a kernel: definitions, nesting and jumps.
#[derive(Default)]
struct Places {
    sources: FxHashMap<ValueId, Source>,
    /// Loops and branches that enclose each operation, innermost first.
    around: FxHashMap<OpId, Vec<OpId>>,
    /// The jumps of each loop, and the ends of the blocks of each branch.
    ends: FxHashMap<OpId, Vec<OpId>>,
    /// Operations with effects that the program must repeat, wherever they are.
    effects: Vec<OpId>,
}

impl Places {
    fn collect(kernel: &Kernel) -> Self {
        let mut places = Self::default();
        places.block(kernel, kernel.body(), &[]);
        places
    }

    fn block(&mut self, kernel: &Kernel, block: BlockId, around: &[OpId]) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            self.around.insert(id, around.to_vec());
            for (position, &result) in op.results.iter().enumerate() {
                self.sources.insert(result, Source::Result(id, position));
            }
            let innermost = |is_loop: bool| {
                let mut outward = around.iter().copied();
                outward.find(|&id| !is_loop || !matches!(kernel.op(id).kind, OpKind::If))
            };
            match op.kind {
                OpKind::Continue | OpKind::Break => {
                    let of = innermost(true).expect("verified: a jump is in a loop");
                    self.ends.entry(of).or_default().push(id);
                }
                OpKind::Yield => {
                    if let Some(of) = innermost(false) {
                        self.ends.entry(of).or_default().push(id);
                    }
                }
                OpKind::Return | OpKind::Dependents(Dependents::Wait) => self.effects.push(id),
                _ => {}
            }
            let is_control = matches!(op.kind, OpKind::For { .. } | OpKind::Loop | OpKind::If);
            if !is_control {
                // The bodies of reductions contain only arithmetic.
                continue;
            }
            let mut inside = vec![id];
            inside.extend(around);
            for &inner in &op.blocks {
                for (position, &arg) in kernel.block(inner).args.iter().enumerate() {
                    self.sources.insert(arg, Source::Arg(id, position));
                }
                self.block(kernel, inner, &inside);
            }
        }
    }
}

impl Needed {
    fn collect(kernel: &Kernel, pipelines: &[LoopPipeline], loops: &[OpId]) -> Option<Self> {
        let places = Places::collect(kernel);
        let mut finder = Finder {
            kernel,
            places: &places,
            loops,
            needed: Self::default(),
        };
        for pipeline in pipelines {
            let op = kernel.op(pipeline.id);
            step(kernel, pipeline.id)?;
            finder.all(&op.args[..3])?;
            finder.around(pipeline.id)?;
            finder.outside(pipeline)?;
        }
        // A `return` or a wait inside a pipelined loop would end or delay the copies at another point than in
        // the consumers.
        for &id in &places.effects {
            if places.around[&id]
                .iter()
                .any(|around| loops.contains(around))
            {
                return None;
            }
            finder.around(id)?;
        }
        Some(finder.needed)
    }
}

struct Finder<'k> {
    kernel: &'k Kernel,
    places: &'k Places,
    loops: &'k [OpId],
    needed: Needed,
}

impl Finder<'_> {
    /// Adds the values that are defined before a loop and that its copies need.
    fn outside(&mut self, pipeline: &LoopPipeline) -> Option<()> {
        let kernel = self.kernel;
        let slice = &pipeline.plan.slice;
        let op = kernel.op(pipeline.id);
        let args = &kernel.block(op.blocks[0]).args;
        let mut inside: FxHashSet<ValueId> = slice
            .ops
            .iter()
            .flat_map(|&id| kernel.op(id).results.iter().copied())
            .collect();
        inside.insert(args[0]);
        inside.extend(slice.carried.iter().map(|&index| args[1 + index]));
        for &index in &slice.carried {
            self.value(op.args[3 + index])?;
        }
        // The slice runs in one thread, so it must be uniform and free of memory accesses.
        for &id in &slice.ops {
            let op = kernel.op(id);
            let is_uniform = op
                .results
                .iter()
                .all(|&value| kernel.ty(value).layout().is_none());
            if !is_uniform || !op.kind.has(Trait::Repeatable) {
                return None;
            }
        }
        let used = slice.ops.iter().flat_map(|&id| &kernel.op(id).args);
        let places = pipeline
            .plan
            .candidates
            .iter()
            .flat_map(|candidate| &candidate.place);
        let used: Vec<ValueId> = used.chain(places).copied().collect();
        let used: Vec<ValueId> = used
            .into_iter()
            .filter(|value| !inside.contains(value))
            .collect();
        self.all(&used)
    }

    fn all(&mut self, values: &[ValueId]) -> Option<()> {
        values.iter().try_for_each(|&value| self.value(value))
    }

    fn value(&mut self, value: ValueId) -> Option<()> {
        let kernel = self.kernel;
        if kernel.ty(value).layout().is_some() {
            return None;
        }
        // The value is inserted before the operands of its definition are visited, since a loop-carried value
        // depends on itself.
        if !self.needed.values.insert(value) {
            return Some(());
        }
        let jumps = |id: OpId| self.places.ends.get(&id).into_iter().flatten();
        match self.places.sources.get(&value) {
            // The value is a parameter.
            None => Some(()),
            Some(&Source::Result(id, position)) => {
                let op = kernel.op(id);
                match op.kind {
                    OpKind::For { .. } => {
                        self.control(id)?;
                        let arg = kernel.block(op.blocks[0]).args[1 + position];
                        self.value(arg)
                    }
                    OpKind::Loop | OpKind::If => {
                        let is_loop = matches!(op.kind, OpKind::Loop);
                        let ends: Vec<ValueId> = jumps(id)
                            .map(|&end| kernel.op(end))
                            .filter(|end| !is_loop || matches!(end.kind, OpKind::Break))
                            .map(|end| end.args[position])
                            .collect();
                        self.control(id)?;
                        self.all(&ends)
                    }
                    ref kind if kind.has(Trait::Repeatable) => {
                        self.around(id)?;
                        self.all(&op.args)
                    }
                    _ => None,
                }
            }
            Some(&Source::Arg(id, position)) => {
                let op = kernel.op(id);
                let (bounds, counters) = match op.kind {
                    OpKind::For { .. } => (3, 1),
                    _ => (0, 0),
                };
                let next: Vec<ValueId> = jumps(id)
                    .map(|&jump| kernel.op(jump))
                    .filter(|jump| matches!(jump.kind, OpKind::Continue))
                    .filter_map(|jump| position.checked_sub(counters).map(|index| jump.args[index]))
                    .collect();
                self.control(id)?;
                if let Some(index) = position.checked_sub(counters) {
                    self.value(op.args[bounds + index])?;
                }
                self.all(&next)
            }
        }
    }

    /// Adds a loop or branch, with the values that control it and those that control its jumps.
    fn control(&mut self, id: OpId) -> Option<()> {
        if self.loops.contains(&id) {
            return None;
        }
        if !self.needed.kept.insert(id) {
            return Some(());
        }
        self.around(id)?;
        let op = self.kernel.op(id);
        let decisive = match op.kind {
            OpKind::For { .. } => &op.args[..3],
            OpKind::If => &op.args[..1],
            _ => &[],
        };
        self.all(decisive)?;
        for &end in self.places.ends.get(&id).into_iter().flatten() {
            self.around(end)?;
        }
        Some(())
    }

    /// Adds the loops and branches that enclose an operation.
    fn around(&mut self, id: OpId) -> Option<()> {
        let around = &self.places.around[&id];
        around.iter().try_for_each(|&around| self.control(around))
    }
}

/// The operands of a jump that the program keeps.
#[derive(Clone, Debug, Default)]
struct Given {
    positions: Vec<usize>,
    /// `true` if the states of circular buffers are operands too.
    has_states: bool,
}

/// A loop of the program, while its body is written.
struct Around {
    next: Given,
    results: Given,
}

struct Writer<'k> {
    kernel: &'k mut Kernel,
    pipelines: &'k [LoopPipeline],
    loops: Vec<OpId>,
    needed: Needed,
    names: Names,
    around: Vec<Around>,
}

type States = Vec<[ValueId; STATE_VALUES]>;

impl Writer<'_> {
    /// Writes the needed operations of a block; the `yield` of a branch keeps `yielded`.
    fn block(&mut self, from: BlockId, to: BlockId, mut states: States, yielded: &Given) {
        for id in self.kernel.block(from).ops.clone() {
            // Pipelined loops are replaced by the copies that fill their buffers; other loops and branches
            // are kept in reduced form.
            let op = self.kernel.op(id).clone();
            if let Some(number) = self.loops.iter().position(|&other| other == id) {
                states[number] = self.fill(to, number, states[number]);
                continue;
            }
            if self.needed.kept.contains(&id) {
                self.control(id, to, &mut states);
                continue;
            }
            match op.kind {
                OpKind::Continue | OpKind::Break => {
                    let around = self.around.last().expect("verified: a jump is in a loop");
                    let given = match op.kind {
                        OpKind::Continue => &around.next,
                        _ => &around.results,
                    };
                    let args = self.given(&op.args, given, &states);
                    self.kernel.push(to, op.kind, &args, &[], &[], op.loc);
                }
                OpKind::Yield => {
                    let args = self.given(&op.args, yielded, &states);
                    self.kernel.push(to, op.kind, &args, &[], &[], op.loc);
                }
                OpKind::Return | OpKind::Dependents(Dependents::Wait) => {
                    // The block must not exit before the last release by another block, so production ends
                    // before every `return`.
                    if matches!(op.kind, OpKind::Return) {
                        self.producer_tails(to, &states, op.loc);
                    }
                    self.kernel.push(to, op.kind, &[], &[], &[], op.loc);
                }
                _ => {
                    if op
                        .results
                        .iter()
                        .any(|result| self.needed.values.contains(result))
                    {
                        self.again(id, to);
                    }
                }
            }
        }
    }

    /// Ends production: waits until the consumers have released the last stages.
    fn producer_tails(&mut self, to: BlockId, states: &States, loc: Loc) {
        for (pipeline, state) in self.pipelines.iter().zip(states) {
            let kind = OpKind::ProducerTail(pipeline.pipeline_barriers);
            self.kernel.push(to, kind, state, &[], &[], loc);
        }
    }

    /// Repeats an operation.
    fn again(&mut self, id: OpId, to: BlockId) {
        let op = self.kernel.op(id).clone();
        let args = self.names.all(&op.args);
        let types: Vec<Ty> = op
            .results
            .iter()
            .map(|&value| self.kernel.ty(value))
            .collect();
        let new_op = self.kernel.push(to, op.kind, &args, &types, &[], op.loc);
        let new_op = self.kernel.op(new_op).results.clone();
        self.names.0.extend(op.results.iter().copied().zip(new_op));
    }

    fn given(&self, args: &[ValueId], given: &Given, states: &States) -> Vec<ValueId> {
        let positions = given.positions.iter();
        let mut values: Vec<ValueId> = positions
            .map(|&index| self.names.renamed(args[index]))
            .collect();
        if given.has_states {
            values.extend(states.iter().flatten());
        }
        values
    }

    /// Returns the indices of those of `values` that are needed.
    fn positions(&self, values: &[ValueId]) -> Vec<usize> {
        let indexed = values.iter().enumerate();
        let needed = indexed.filter(|(_, value)| self.needed.values.contains(value));
        needed.map(|(position, _)| position).collect()
    }

    /// Writes a loop or branch.
    fn control(&mut self, id: OpId, to: BlockId, states: &mut States) {
        let op = self.kernel.op(id).clone();
        let has_states = contains(self.kernel, id, &self.loops);
        let (bounds, counters) = match op.kind {
            OpKind::For { .. } => (3, 1),
            OpKind::If => (1, 0),
            _ => (0, 0),
        };
        let mut args = self.names.all(&op.args[..bounds]);
        let (results, blocks) = if matches!(op.kind, OpKind::If) {
            let results = Given {
                positions: self.positions(&op.results),
                has_states,
            };
            let arms = self.arms(&op, &results, states);
            (results, arms)
        } else {
            let carried = &self.kernel.block(op.blocks[0]).args[counters..];
            let next = Given {
                positions: self.positions(carried),
                has_states,
            };
            // The results of a `for` are its carried values; a loop of which only some results are needed
            // keeps only those.
            let results = match op.kind {
                OpKind::For { .. } => next.clone(),
                _ => Given {
                    positions: self.positions(&op.results),
                    has_states,
                },
            };
            args.extend(self.given(&op.args[bounds..], &next, states));
            let body = self.loop_body(&op, counters, next, results.clone(), states);
            (results, vec![body])
        };
        let mut types: Vec<Ty> = results
            .positions
            .iter()
            .map(|&index| self.kernel.ty(op.results[index]))
            .collect();
        if has_states {
            types.extend(states.iter().flatten().map(|&part| self.kernel.ty(part)));
        }
        let new_op = self
            .kernel
            .push(to, op.kind, &args, &types, &blocks, op.loc);
        let new_op = self.kernel.op(new_op).results.clone();
        let (values, parts) = new_op.split_at(results.positions.len());
        for (&index, &value) in results.positions.iter().zip(values) {
            self.names.0.insert(op.results[index], value);
        }
        for (part, &new_op) in states.iter_mut().flatten().zip(parts) {
            *part = new_op;
        }
    }

    /// Returns a new block with the body of the loop `op`, whose first `counters` arguments are not carried.
    ///
    /// The state is an SSA value: a loop that contains pipelined loops carries the state, so that an inner
    /// loop that is entered again continues at the next stage.
    fn loop_body(
        &mut self,
        op: &Op,
        counters: usize,
        next: Given,
        results: Given,
        states: &States,
    ) -> BlockId {
        let inner = op.blocks[0];
        let body = self.kernel.add_block();
        let old = self.kernel.block(inner).args.clone();
        for index in (0..counters).chain(next.positions.iter().map(|index| counters + index)) {
            let ty = self.kernel.ty(old[index]);
            let arg = self.kernel.add_block_arg(body, ty, op.loc);
            self.names.0.insert(old[index], arg);
        }
        let mut inside = states.clone();
        if next.has_states {
            for part in inside.iter_mut().flatten() {
                let ty = self.kernel.ty(*part);
                *part = self.kernel.add_block_arg(body, ty, op.loc);
            }
        }
        self.around.push(Around { next, results });
        self.block(inner, body, inside, &Given::default());
        self.around.pop();
        body
    }

    /// Returns new blocks with the arms of the branch `op`. An arm that is missing must yield the states as
    /// they are.
    fn arms(&mut self, op: &Op, results: &Given, states: &States) -> Vec<BlockId> {
        let mut blocks = Vec::new();
        for &inner in &op.blocks {
            let block = self.kernel.add_block();
            self.block(inner, block, states.clone(), results);
            blocks.push(block);
        }
        if blocks.len() < 2 && results.has_states {
            let otherwise = self.kernel.add_block();
            let args = self.given(&[], results, states);
            self.kernel
                .push(otherwise, OpKind::Yield, &args, &[], &[], op.loc);
            blocks.push(otherwise);
        }
        blocks
    }

    /// Writes a loop that fills a circular buffer.
    fn fill(
        &mut self,
        to: BlockId,
        number: usize,
        [stage, parity]: [ValueId; STATE_VALUES],
    ) -> [ValueId; STATE_VALUES] {
        let pipelines = self.pipelines;
        let pipeline = &pipelines[number];
        let op = self.kernel.op(pipeline.id).clone();
        let inner = op.blocks[0];
        let old = self.kernel.block(inner).args.clone();
        let jump = *self
            .kernel
            .block(inner)
            .ops
            .last()
            .expect("a body ends with a jump");
        let next = self.kernel.op(jump).args.clone();
        let carried = &pipeline.plan.slice.carried;

        let mut args = self.names.all(&op.args[..3]);
        args.extend(
            carried
                .iter()
                .map(|&index| self.names.renamed(op.args[3 + index])),
        );
        args.extend([stage, parity]);
        let body = self.kernel.add_block();
        let mut names = Names(self.names.0.clone());
        for &value in std::iter::once(&old[0]).chain(carried.iter().map(|&index| &old[1 + index])) {
            let arg = self
                .kernel
                .add_block_arg(body, self.kernel.ty(value), op.loc);
            names.0.insert(value, arg);
        }
        let number = Ty::Uniform(Scalar::I32);
        let stage = self.kernel.add_block_arg(body, number, op.loc);
        let parity = self.kernel.add_block_arg(body, number, op.loc);
        let mut cursor = Cursor {
            kernel: self.kernel,
            block: body,
            index: 0,
            loc: op.loc,
        };
        // All waits of the producer lag one round: a stage is empty once its contents of the previous round
        // have been read.
        let before = cursor.other_parity(parity);
        cursor.push(
            OpKind::ProducerAcquire(pipeline.pipeline_barriers),
            &[stage, before],
            &[],
        );
        let whether = cursor.constant(Scalar::I1, 1);
        cursor.copies(
            (&pipeline.plan, &pipeline.fills),
            &mut names,
            whether,
            stage,
            false,
        );
        let (is_last, following) = cursor.following(stage, pipeline.stages);
        let parity = cursor.following_parity(is_last, parity);
        let mut given: Vec<ValueId> = carried
            .iter()
            .map(|&index| names.renamed(next[index]))
            .collect();
        given.extend([following, parity]);
        cursor.push(OpKind::Continue, &given, &[]);
        let types: Vec<Ty> = args[3..].iter().map(|&arg| self.kernel.ty(arg)).collect();
        let new_loop = self
            .kernel
            .push(to, op.kind, &args, &types, &[body], op.loc);
        let results = &self.kernel.op(new_loop).results;
        let count = results.len();
        [results[count - 2], results[count - 1]]
    }
}
