//! Reductions and scans: accumulators, and how they are combined.

use tile_core::ir::Op;
use tile_core::ir::{BlockId, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, Opcode};
use tile_core::types::Scalar;

use super::super::build::stored;
use super::super::ir::{Fun, Inst, Nest, Order, Reduce, Reg};
use super::super::plan::Plan;
use super::nest::Iteration;
use super::{Emitter, vector_type};

/// The accumulators of a nest: variables, per reduction, value, and set of unrolled bits.
#[derive(Debug, Default)]
pub(super) struct Sums(Vec<(Reg, Vec<Vec<String>>)>);

impl Sums {
    fn of(&self, reg: Reg) -> &[Vec<String>] {
        let found = self.0.iter().find(|(other, _)| *other == reg);
        &found.expect("a reduction of this nest").1
    }
}

fn reductions(nest: &Nest) -> impl Iterator<Item = (Reg, &Reduce)> {
    nest.insts
        .iter()
        .enumerate()
        .filter_map(|(reg, inst)| match inst {
            Inst::Reduce(reduce) | Inst::Scan(reduce) => Some((reg, reduce)),
            _ => None,
        })
}

impl Emitter<'_> {
    /// Makes the accumulators. The neutral element is in them, if there is one.
    pub(super) fn begin_reductions(&mut self, nest: &Nest, plan: &Plan) -> Sums {
        let lanes = 1 << plan.lanes.len();
        self.lanes = lanes;
        let mut sums = Sums::default();
        for (reg, reduce) in reductions(nest) {
            let mut values = Vec::new();
            for &scalar in &reduce.scalars {
                let ty = vector_type(scalar, lanes);
                let mut copies = Vec::new();
                let is_scan = matches!(nest.insts[reg], Inst::Scan(_));
                for _ in 0..if is_scan { 1 } else { 1 << plan.unrolled.len() } {
                    let variable = self.at_entry(&format!("alloca {ty}"));
                    let start = self.splat(scalar, reduce.neutral.unwrap_or(0));
                    self.line(&format!("store {ty} {start}, ptr {variable}"));
                    copies.push(variable);
                }
                values.push(copies);
            }
            sums.0.push((reg, values));
        }
        sums
    }

    /// Combines elements with their accumulators, and returns the new ones.
    pub(super) fn accumulate(
        &mut self,
        reg: Reg,
        reduce: &Reduce,
        values: &[String],
        plan: &Plan,
        iteration: &Iteration,
        sums: &Sums,
    ) -> Vec<String> {
        let lanes = 1 << plan.lanes.len();
        let number = index(plan, &iteration.set);
        let variables: Vec<String> = sums
            .of(reg)
            .iter()
            // A scan goes on from one unrolled iteration to the next.
            .map(|copies| copies.get(number).unwrap_or(&copies[0]).clone())
            .collect();
        let types: Vec<String> = reduce
            .scalars
            .iter()
            .map(|&scalar| vector_type(scalar, lanes))
            .collect();
        let mut old = Vec::new();
        for (variable, ty) in variables.iter().zip(&types) {
            old.push(self.value(&format!("load {ty}, ptr {variable}")));
        }
        let mut new = self.combine(reduce, values, &old, lanes);
        if reduce.neutral.is_none() {
            // The first element is the first accumulator.
            let is_start = |bit: &u32| iteration.set.contains(bit) == self.is_reverse;
            let is_one = sums.of(reg)[0].len() == 1;
            let mut is_first = (!is_one || plan.unrolled.iter().all(is_start)).to_string();
            for (_, counter) in iteration.counters.iter().skip(plan.outer.len()) {
                let start = self.starts(counter, iteration, plan);
                is_first = self.value(&format!("and i1 {is_first}, {start}"));
            }
            for ((new, value), ty) in new.iter_mut().zip(values).zip(&types) {
                *new = self.value(&format!("select i1 {is_first}, {ty} {value}, {ty} {new}"));
            }
        }
        self.note_faults(lanes);
        for ((variable, ty), new) in variables.iter().zip(&types).zip(&new) {
            self.line(&format!("store {ty} {new}, ptr {variable}"));
        }
        new
    }

    /// Returns the condition that a loop along the axis is at its start.
    fn starts(&mut self, counter: &str, iteration: &Iteration, plan: &Plan) -> String {
        let number = iteration
            .counters
            .iter()
            .position(|(_, other)| other == counter);
        let group = &plan.inner[number.expect("a loop") - plan.outer.len()];
        let first = if self.is_reverse {
            (1_u64 << group.len()) - 1
        } else {
            0
        };
        self.value(&format!("icmp eq i64 {counter}, {first}"))
    }

    /// Combines the accumulators of a nest, and stores the results.
    pub(super) fn end_reductions(
        &mut self,
        nest: &Nest,
        plan: &Plan,
        iteration: &Iteration,
        sums: &Sums,
    ) {
        let lanes = 1 << plan.lanes.len();
        for (reg, reduce) in reductions(nest) {
            if matches!(nest.insts[reg], Inst::Scan(_)) {
                continue;
            }
            self.lanes = lanes;
            let mut totals: Vec<Vec<String>> = Vec::new();
            for number in 0..1 << plan.unrolled.len() {
                let mut copy = Vec::new();
                for (copies, &scalar) in sums.of(reg).iter().zip(&reduce.scalars) {
                    let ty = vector_type(scalar, lanes);
                    copy.push(self.value(&format!("load {ty}, ptr {}", copies[number])));
                }
                totals.push(copy);
            }
            // Halves are combined, the upper one into the lower one, of the unrolled bits first.
            for (place, bit) in plan.unrolled.iter().enumerate().rev() {
                if !nest.axis.contains(bit) {
                    continue;
                }
                for number in 0..totals.len() {
                    if number >> place & 1 == 0 && !totals[number].is_empty() {
                        let upper = totals[number | 1 << place].clone();
                        totals[number] =
                            self.combine(reduce, &upper, &totals[number].clone(), lanes);
                        totals[number | 1 << place].clear();
                    }
                }
            }
            for (number, mut total) in totals.into_iter().enumerate() {
                if total.is_empty() {
                    continue;
                }
                // Segments are combined with their neighbours, others in halves.
                let mut places: Vec<usize> = (0..plan.lanes.len()).collect();
                if reduce.order != Order::Segments {
                    places.reverse();
                }
                for place in places {
                    if nest.axis.contains(&plan.lanes[place]) {
                        let order: Vec<u32> = (0..lanes).map(|lane| lane ^ 1 << place).collect();
                        let upper: Vec<String> = total
                            .iter()
                            .zip(&reduce.scalars)
                            .map(|(value, &scalar)| self.shuffle(value, scalar, lanes, &order))
                            .collect();
                        total = self.combine(reduce, &upper, &total, lanes);
                    }
                }
                self.note_faults(lanes);
                let kept: Vec<u32> = plan
                    .lanes
                    .iter()
                    .copied()
                    .filter(|bit| !nest.axis.contains(bit))
                    .collect();
                let order: Vec<u32> = (0..lanes)
                    .filter(|lane| {
                        plan.lanes
                            .iter()
                            .enumerate()
                            .all(|(place, bit)| !nest.axis.contains(bit) || lane >> place & 1 == 0)
                    })
                    .collect();
                let bits = plan.unrolled.iter().enumerate();
                let result = Iteration {
                    counters: iteration.counters.clone(),
                    set: bits
                        .filter(|(place, _)| number >> place & 1 == 1)
                        .map(|(_, &bit)| bit)
                        .collect(),
                    lanes: kept,
                };
                for ((value, &scalar), place) in
                    total.iter().zip(&reduce.scalars).zip(&reduce.places)
                {
                    let value = self.shuffle(value, scalar, lanes, &order);
                    self.lanes = u32::try_from(order.len()).expect("few lanes");
                    self.store(place, &value, &result, super::nest::Version::WHOLE);
                    self.lanes = lanes;
                }
            }
        }
    }

    /// Returns the lanes of a vector in another order, or some of them.
    fn shuffle(&mut self, value: &str, scalar: Scalar, lanes: u32, order: &[u32]) -> String {
        if lanes == 1 || order.iter().copied().eq(0..lanes) {
            return value.to_owned();
        }
        let ty = vector_type(scalar, lanes);
        if let [lane] = order {
            return self.value(&format!("extractelement {ty} {value}, i64 {lane}"));
        }
        let order: Vec<String> = order.iter().map(|lane| format!("i32 {lane}")).collect();
        self.value(&format!(
            "shufflevector {ty} {value}, {ty} poison, <{} x i32> <{}>",
            order.len(),
            order.join(", ")
        ))
    }

    /// Runs the body of a reduction on elements and accumulators.
    fn combine(
        &mut self,
        reduce: &Reduce,
        values: &[String],
        sums: &[String],
        lanes: u32,
    ) -> Vec<String> {
        self.lanes = lanes;
        let block = self.module.block(reduce.body);
        let mut known: Vec<(ValueId, String)> = Vec::new();
        for (pair, (value, sum)) in block.args.chunks_exact(2).zip(values.iter().zip(sums)) {
            known.push((pair[0], value.clone()));
            known.push((pair[1], sum.clone()));
        }
        self.body(reduce.body, known)
    }

    fn body(&mut self, block: BlockId, mut known: Vec<(ValueId, String)>) -> Vec<String> {
        let module = self.module;
        let get = |known: &[(ValueId, String)], value: ValueId| {
            let found = known.iter().rev().find(|(other, _)| *other == value);
            found.map(|(_, text)| text.clone())
        };
        for &id in &module.block(block).ops {
            let op = module.op(id);
            let args: Vec<String> = op
                .operands
                .iter()
                .map(|&operand| self.body_operand(get(&known, operand), operand))
                .collect();
            match op.opcode {
                Opcode::ControlFlow(ControlFlowOp::Yield) => return args,
                Opcode::Core(CoreOp::Constant) => {
                    let value = self.body_constant(op);
                    known.push((op.result(), value));
                }
                _ => {
                    let types: Vec<Scalar> = op
                        .operands
                        .iter()
                        .map(|&operand| self.body_scalar(operand))
                        .collect();
                    let to = self.body_scalar(op.result());
                    let value = self.fun(Fun::Op(id), &args, &types, to);
                    known.push((op.result(), value));
                }
            }
        }
        unreachable!("verified bodies yield")
    }

    /// Returns an operand of a body: computed within it, or a constant outside of it.
    fn body_operand(&mut self, found: Option<String>, operand: ValueId) -> String {
        found.unwrap_or_else(|| {
            let id = self
                .module
                .defining_op(operand)
                .expect("the builder refused others");
            let op = self.module.op(id);
            self.body_constant(op)
        })
    }

    fn body_constant(&self, op: &Op) -> String {
        let scalar = self.body_scalar(op.result());
        self.splat(scalar, stored(&op.dense_value(), 0))
    }

    fn body_scalar(&self, value: ValueId) -> Scalar {
        let tile = self.module.ty(value).as_tile().expect("a tile");
        match tile.element {
            tile_core::types::Element::Scalar(scalar) => scalar,
            tile_core::types::Element::Ptr(_) => Scalar::I64,
        }
    }
}

/// Returns the number of a set of unrolled bits.
fn index(plan: &Plan, set: &[u32]) -> usize {
    let bits = plan.unrolled.iter().enumerate();
    bits.filter(|(_, bit)| set.contains(bit))
        .map(|(place, _)| 1 << place)
        .sum()
}
