//! Loop nests.
//!
//! A nest that accesses tensors is emitted up to four times, and chosen between when it runs: for tiles that are inside
//! of their tensors and whose lanes are neighbours in memory, twice if it may store around the caches; for tiles that may be
//! partly outside, with masks; and for lanes at any distance.

use std::ops::Range;

use tile_core::ops::{CoreOp, Opcode};
use tile_core::types::Scalar;

use super::super::Level;
use super::super::ir::{Fun, Inst, Nest, Place, Reg, Stride};
use super::super::plan::{Group, Plan};
use super::crossed::set_bits;
use super::gather::{At, Check, Even};
use super::{Emitter, literal, scalar_type, vector_of, vector_type};

/// Which of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// `true` if elements may be outside of a tensor.
    pub(super) is_masked: bool,
    /// `true` if lanes are neighbours in memory.
    pub(super) is_unit: bool,
    /// `true` if the places of [`Emitter::streamed`] are stored around the caches.
    pub(super) is_streamed: bool,
}

/// The iterations that one run of the instructions computes.
#[derive(Clone, Debug, Default)]
pub(super) struct Iteration {
    /// The numbers of the loops, and the bits that they count.
    pub(super) counters: Vec<(Group, String)>,
    /// The unrolled bits that are set.
    pub(super) set: Vec<u32>,
    pub(super) lanes: Vec<u32>,
}

/// A loop that is being emitted.
#[derive(Debug)]
pub(super) struct Looping {
    head: String,
    latch: String,
    end: String,
    counter: String,
    next: String,
    trips: String,
}

impl Version {
    /// For what is inside, such as buffers.
    pub(super) const WHOLE: Self = Self {
        is_masked: false,
        is_unit: true,
        is_streamed: false,
    };

    /// Returns the version for elements that are all inside.
    pub(super) fn without_masks(self) -> Self {
        Self {
            is_masked: false,
            ..self
        }
    }
}

impl Looping {
    /// Returns the number of the iteration.
    pub(super) fn counter(&self) -> &str {
        &self.counter
    }
}

impl Iteration {
    /// Returns the first iteration whose bits in a range are those of `part`.
    pub(super) fn of_part(emitter: &mut Emitter<'_>, bits: Range<u32>, part: &str) -> Self {
        let mut counters = Vec::new();
        for bit in bits {
            let moved = emitter.value(&format!("lshr i64 {part}, {}", counters.len()));
            counters.push((vec![bit], emitter.value(&format!("and i64 {moved}, 1"))));
        }
        Self {
            counters,
            ..Self::default()
        }
    }

    /// Returns the coordinate of each lane, relative to the first.
    pub(super) fn lane_offsets(&self, weights: &[i64]) -> Vec<i64> {
        let count = 1 << self.lanes.len();
        let offset = |lane: usize| {
            let bits = self.lanes.iter().enumerate();
            bits.map(|(index, &bit)| {
                if lane >> index & 1 == 1 {
                    weights[bit as usize]
                } else {
                    0
                }
            })
            .sum()
        };
        (0..count).map(offset).collect()
    }

    pub(super) fn has_one_lane(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Returns the part of a coordinate that the unrolled bits make.
    pub(super) fn constant(&self, weights: &[i64]) -> i64 {
        self.set.iter().map(|&bit| weights[bit as usize]).sum()
    }
}

impl Emitter<'_> {
    pub(super) fn nest(&mut self, nest: &Nest) {
        self.nest_part(nest, nest.bits, "0");
    }

    /// Emits the iterations of a nest whose bits from `bit` on are those of `part`.
    pub(super) fn nest_part(&mut self, nest: &Nest, bit: u32, part: &str) {
        let mut plan = Plan::of(nest, &self.kernel.vals, self.level);
        plan.remove_loops_from(bit);
        let part = Iteration {
            lanes: plan.lanes.clone(),
            ..Iteration::of_part(self, bit..nest.bits, part)
        };
        let (mut whole, mut unit) = (Vec::new(), Vec::new());
        for inst in &nest.insts {
            let Some(place) = place_of(inst) else {
                continue;
            };
            if let Inst::Gather {
                window: Some(window),
                ..
            } = inst
            {
                unit.push((self.val(window.holds), 1));
            }
            // Only what is loaded as such is loaded along other bits.
            let lanes = match inst {
                Inst::Gather { .. } => &plan.lanes[..],
                _ => plan.run(place),
            };
            let run = Iteration {
                lanes: lanes.to_vec(),
                ..Iteration::default()
            };
            for axis in &place.axes {
                if let Some(from) = axis.from {
                    whole.push((self.val(from), 0));
                }
                if let Some(inside) = axis.inside {
                    let extent = axis.weights.iter().sum::<i64>() + 1;
                    whole.push((self.val(inside), extent));
                }
                let varies = run
                    .lane_offsets(&axis.weights)
                    .iter()
                    .any(|&offset| offset != 0);
                if varies && let Stride::Value(val) = axis.stride {
                    unit.push((self.val(val), 1));
                }
            }
        }
        for conditions in [&mut whole, &mut unit] {
            conditions.sort();
            conditions.dedup();
        }
        let version = |is_masked, is_unit| Version {
            is_masked,
            is_unit,
            is_streamed: false,
        };
        let end = self.label();
        if whole.is_empty() {
            self.whole(nest, &plan, &part, &end);
        } else {
            let is_whole = self.all_equal(&whole);
            let is_unit = self.all_equal(&unit);
            let is_fast = self.value(&format!("and i1 {is_whole}, {is_unit}"));
            let [fast, other] = [self.label(), self.label()];
            self.branch_if(&is_fast, &fast, &other);
            self.start(&fast);
            self.whole(nest, &plan, &part, &end);
            self.branch(&end);
            self.start(&other);
            // A loop over the vectors of a tile would keep it out of registers.
            let is_local =
                |inst: &Inst| place_of(inst).is_some_and(|place| self.is_local(place.base));
            let short = if nest.insts.iter().any(is_local) {
                plan.clone()
            } else {
                plan.short(nest)
            };
            let masked = if self.level.has_masks() {
                &plan
            } else {
                &short
            };
            if unit.is_empty() {
                self.version(nest, masked, &part, version(true, true));
            } else {
                let [near, far] = [self.label(), self.label()];
                self.branch_if(&is_unit, &near, &far);
                self.start(&near);
                self.version(nest, masked, &part, version(true, true));
                self.branch(&end);
                self.start(&far);
                self.version(nest, &short, &part, version(true, false));
            }
        }
        self.branch(&end);
        self.start(&end);
    }

    /// Emits a nest for tiles that are inside and whose lanes are neighbours in memory, with and without stores around the
    /// caches.
    fn whole(&mut self, nest: &Nest, plan: &Plan, part: &Iteration, end: &str) {
        self.streamed = self.streamed_places(nest, plan);
        if !self.streamed.is_empty() {
            let [around, through] = [self.label(), self.label()];
            let condition = self.are_streamed(&self.streamed.clone(), plan);
            self.branch_if(&condition, &around, &through);
            self.start(&around);
            let version = Version {
                is_streamed: true,
                ..Version::WHOLE
            };
            self.version(nest, plan, part, version);
            self.branch(end);
            self.start(&through);
        }
        self.version(nest, plan, part, Version::WHOLE);
    }

    /// Returns whether all values are the numbers beside them.
    pub(super) fn all_equal(&mut self, conditions: &[(String, i64)]) -> String {
        let mut all = "true".to_owned();
        for (value, number) in conditions {
            let is_equal = self.value(&format!("icmp eq i64 {value}, {number}"));
            all = self.value(&format!("and i1 {all}, {is_equal}"));
        }
        all
    }

    pub(super) fn begin_loop(&mut self, trips: u64) -> Looping {
        self.begin_loop_of(trips.to_string())
    }

    /// Begins a loop of a number of iterations that is not 0.
    pub(super) fn begin_loop_of(&mut self, trips: String) -> Looping {
        let [head, latch, end] = [self.label(), self.label(), self.label()];
        let (counter, next) = (self.fresh(), self.fresh());
        let before = self.block.clone();
        self.branch(&head);
        self.start(&head);
        self.line(&format!(
            "{counter} = phi i64 [ 0, %{before} ], [ {next}, %{latch} ]"
        ));
        Looping {
            head,
            latch,
            end,
            counter,
            next,
            trips,
        }
    }

    pub(super) fn end_loop(&mut self, looping: Looping) {
        let Looping {
            head,
            latch,
            end,
            counter,
            next,
            trips,
        } = looping;
        self.branch(&latch);
        self.start(&latch);
        self.line(&format!("{next} = add nuw nsw i64 {counter}, 1"));
        let ends = self.value(&format!("icmp eq i64 {next}, {trips}"));
        self.branch_if(&ends, &end, &head);
        self.start(&end);
    }

    pub(super) fn begin_group(
        &mut self,
        group: &Group,
        is_reverse: bool,
        iteration: &mut Iteration,
    ) -> Looping {
        let trips = 1 << group.len();
        let looping = self.begin_loop(trips);
        let counter = if is_reverse {
            self.value(&format!("sub i64 {}, {}", trips - 1, looping.counter))
        } else {
            looping.counter.clone()
        };
        iteration.counters.push((group.clone(), counter));
        looping
    }

    fn version(&mut self, nest: &Nest, plan: &Plan, part: &Iteration, version: Version) {
        self.is_reverse = nest.is_reverse;
        let mut iteration = part.clone();
        // The flags of faults are cleared here, when it is known which there are.
        let start = self.text.len();
        let mut outer = Vec::new();
        for group in &plan.outer {
            outer.push(self.begin_group(group, false, &mut iteration));
        }
        let sums = self.begin_reductions(nest, plan);
        let mut inner = Vec::new();
        for group in &plan.inner {
            inner.push(self.begin_group(group, nest.is_reverse, &mut iteration));
        }
        let crossed = self.crossed_loads(nest, plan, &iteration, version);
        let mut numbers: Vec<usize> = (0..1 << plan.unrolled.len()).collect();
        if nest.is_reverse {
            numbers.reverse();
        }
        for &number in &numbers {
            iteration.set = set_bits(&plan.unrolled, number);
            let loaded = |reg| Some(crossed.get(&reg)?[number].clone());
            self.insts(nest, plan, &iteration, version, &sums, &loaded);
        }
        iteration.set.clear();
        self.crossed_stores(plan, &iteration, version, &numbers);
        for looping in inner.into_iter().rev() {
            self.end_loop(looping);
        }
        let outside = part.counters.len() + plan.outer.len();
        iteration.counters.truncate(outside);
        self.end_reductions(nest, plan, &iteration, &sums);
        for looping in outer.into_iter().rev() {
            self.end_loop(looping);
        }
        let flags = std::mem::take(&mut self.flags);
        let body = self.text.split_off(start);
        for (lanes, flag) in &flags {
            let ty = vector_of("i1", *lanes);
            self.line(&format!("store {ty} zeroinitializer, ptr {flag}"));
        }
        self.text += &body;
        self.flags = flags;
        self.stop_at_flags(0);
    }

    /// Returns the value that a nest stores, such that LLVM stores all of its lanes.
    ///
    /// From `x = select(mask, value, x)` in memory, LLVM makes a masked store, but `vmaskmov` to memory is microcode on AMD's processors:
    /// on Zen 3, the eight largest of each row took twice as long to find. LLVM does not look through `freeze`.
    fn stored_whole(&mut self, nest: &Nest, place: &Place, value: Reg, regs: &[String]) -> String {
        let name = regs[value].clone();
        let is_chosen = match nest.insts[value] {
            Inst::Call(Fun::Op(id), ..) => {
                self.module.op(id).opcode == Opcode::Core(CoreOp::Select)
            }
            _ => false,
        };
        let loads = |inst: &Inst| matches!(inst, Inst::Load(from, _) if from.base == place.base);
        if self.level != Level::Avx2 || !is_chosen || !nest.insts.iter().any(loads) {
            return name;
        }
        let ty = vector_type(place.scalar, self.lanes);
        self.value(&format!("freeze {ty} {name}"))
    }

    fn insts(
        &mut self,
        nest: &Nest,
        plan: &Plan,
        iteration: &Iteration,
        version: Version,
        sums: &super::reduce::Sums,
        loaded: &dyn Fn(Reg) -> Option<String>,
    ) {
        let lanes = 1 << plan.lanes.len();
        self.lanes = lanes;
        let mut regs: Vec<String> = Vec::with_capacity(nest.insts.len());
        let mut even = Even::new(self.module, nest, &plan.lanes, &self.kernel.vals);
        let scalar = |emitter: &Self, reg: Reg| {
            nest.scalar(reg, &emitter.kernel.vals)
                .expect("an instruction with a result")
        };
        for (reg, inst) in nest.insts.iter().enumerate() {
            let value = match inst {
                Inst::Scalar(val) => {
                    let name = self.val(*val);
                    self.splat_value(&name, scalar(self, reg))
                }
                Inst::Constant(scalar, bits) => self.splat(*scalar, *bits),
                Inst::Table(scalar, bits, weights) => self.table(*scalar, bits, weights, iteration),
                Inst::Position(scalar, weights) => self.position(*scalar, weights, iteration),
                Inst::Call(fun, args, to) => {
                    let types: Vec<Scalar> = args.iter().map(|&arg| scalar(self, arg)).collect();
                    let args: Vec<String> = args.iter().map(|&arg| regs[arg].clone()).collect();
                    let value = self.call(*fun, &args, &types, *to, lanes);
                    self.note_faults(lanes);
                    value
                }
                Inst::Load(place, padding) => {
                    loaded(reg).unwrap_or_else(|| self.load(place, *padding, iteration, version))
                }
                Inst::Store(place, value) => {
                    let value = self.stored_whole(nest, place, *value, &regs);
                    self.store(place, &value, iteration, version);
                    String::new()
                }
                Inst::Gather {
                    op: _,
                    is_shared,
                    address,
                    mask,
                    padding,
                    scalar,
                    param,
                    window,
                } => {
                    if version.is_unit
                        && let Some(window) = window
                    {
                        let (place, padding) = (&window.place, window.padding);
                        regs.push(self.load_lanes(place, padding, iteration, version));
                        continue;
                    }
                    let padding = padding.map(|padding| regs[padding].clone());
                    let padding = padding.unwrap_or_else(|| self.splat(*scalar, 0));
                    let at = At {
                        address: regs[*address].clone(),
                        mask: mask.map(|mask| regs[mask].clone()),
                        scalar: *scalar,
                        param: *param,
                    };
                    if *is_shared {
                        let (pointers, mask) = self.checked_pointers(&at, Check::AtEnd);
                        self.load_shared(&pointers, &mask, &padding, *scalar)
                    } else {
                        let access = (*address, *mask);
                        let form = even.form(self, access, &at, &regs, iteration);
                        let again =
                            |this: &mut Self| even.again(this, access, &at, &regs, iteration);
                        self.gather_at(&at, &form, &padding, again)
                    }
                }
                Inst::Scatter {
                    op: _,
                    is_shared,
                    address,
                    mask,
                    value,
                    param,
                } => {
                    let at = At {
                        address: regs[*address].clone(),
                        mask: mask.map(|mask| regs[mask].clone()),
                        scalar: scalar(self, *value),
                        param: *param,
                    };
                    let value = regs[*value].clone();
                    if *is_shared {
                        let (pointers, mask) = self.checked_pointers(&at, Check::AtEnd);
                        self.store_shared(&pointers, &mask, &value, at.scalar);
                    } else {
                        let access = (*address, *mask);
                        let form = even.form(self, access, &at, &regs, iteration);
                        let again =
                            |this: &mut Self| even.again(this, access, &at, &regs, iteration);
                        self.scatter_at(&at, &form, &value, again);
                    }
                    String::new()
                }
                Inst::Atomic {
                    op: _,
                    atomic,
                    is_of_block,
                    address,
                    mask,
                    args,
                    scalar,
                    param,
                } => {
                    let at = At {
                        address: regs[*address].clone(),
                        mask: mask.map(|mask| regs[mask].clone()),
                        scalar: *scalar,
                        param: *param,
                    };
                    let args: Vec<String> = args.iter().map(|&arg| regs[arg].clone()).collect();
                    let access = (*address, *mask);
                    let direct = even.direct(self, access, &at, &regs, iteration);
                    let again = |this: &mut Self| even.again(this, access, &at, &regs, iteration);
                    let step = super::atomic::Step {
                        atomic: *atomic,
                        is_of_block: *is_of_block,
                        scalar: *scalar,
                    };
                    self.atomic(step, &at, direct.as_ref(), &args, again)
                }
                Inst::Assert(condition) => {
                    let ones = self.splat(Scalar::I1, 1);
                    let truth = vector_type(Scalar::I1, lanes);
                    let fails = self.value(&format!("xor {truth} {}, {ones}", regs[*condition]));
                    self.faults.push(fails);
                    self.note_faults(lanes);
                    String::new()
                }
                Inst::Reduce(reduce) => {
                    let values: Vec<String> = reduce
                        .values
                        .iter()
                        .map(|&value| regs[value].clone())
                        .collect();
                    self.accumulate(reg, reduce, &values, plan, iteration, sums);
                    String::new()
                }
                Inst::Scan(reduce) => {
                    let values: Vec<String> = reduce
                        .values
                        .iter()
                        .map(|&value| regs[value].clone())
                        .collect();
                    let results = self.accumulate(reg, reduce, &values, plan, iteration, sums);
                    for (place, result) in reduce.places.iter().zip(results) {
                        if plan.is_crossed(place) {
                            self.crossed.push((place.clone(), result));
                        } else {
                            self.store(place, &result, iteration, version);
                        }
                    }
                    String::new()
                }
            };
            regs.push(value);
        }
    }

    /// Returns a scalar in every lane.
    pub(super) fn splat_value(&mut self, value: &str, scalar: Scalar) -> String {
        self.splat_of(value, scalar_type(scalar))
    }

    pub(super) fn splat_of(&mut self, value: &str, element: &str) -> String {
        let lanes = self.lanes;
        if lanes == 1 {
            return value.to_owned();
        }
        if !value.starts_with('%') {
            return format!("splat ({element} {value})");
        }
        let ty = vector_of(element, lanes);
        let one = self.value(&format!(
            "insertelement {ty} poison, {element} {value}, i64 0"
        ));
        self.value(&format!(
            "shufflevector {ty} {one}, {ty} poison, <{lanes} x i32> zeroinitializer"
        ))
    }

    /// Returns a constant with an integer per lane.
    pub(super) fn lane_constant(&self, element: &str, numbers: &[i64]) -> String {
        if self.lanes == 1 {
            return numbers[0].to_string();
        }
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{element} {number}"))
            .collect();
        format!("<{}>", numbers.join(", "))
    }

    /// Returns the coordinate of the first lane, as `i64`.
    pub(super) fn coordinate(&mut self, weights: &[i64], iteration: &Iteration) -> String {
        let mut sum = iteration.constant(weights).to_string();
        for (group, counter) in &iteration.counters {
            let weight = weights[group[0] as usize];
            if weight == 0 {
                continue;
            }
            let part = if weight == 1 {
                counter.clone()
            } else {
                self.value(&format!("mul nsw i64 {counter}, {weight}"))
            };
            sum = if sum == "0" {
                part
            } else {
                self.value(&format!("add nsw i64 {sum}, {part}"))
            };
        }
        sum
    }

    pub(super) fn position(
        &mut self,
        scalar: Scalar,
        weights: &[i64],
        iteration: &Iteration,
    ) -> String {
        let first = self.coordinate(weights, iteration);
        let ty = scalar_type(scalar);
        let first = match (ty, first.starts_with('%')) {
            ("i64", _) => first,
            (_, true) => self.value(&format!("trunc i64 {first} to {ty}")),
            (_, false) => literal(
                scalar,
                first.parse::<i64>().expect("a number").cast_unsigned(),
            ),
        };
        let first = self.splat_of(&first, ty);
        let mask = u64::MAX >> (64 - scalar.bits());
        let offsets: Vec<i64> = iteration
            .lane_offsets(weights)
            .into_iter()
            .map(|offset| literal(scalar, offset.cast_unsigned() & mask))
            .map(|text| text.parse().unwrap_or(i64::from(text == "true")))
            .collect();
        if offsets.iter().all(|&offset| offset == 0) {
            return first;
        }
        let (offsets, vector) = (
            self.lane_constant(ty, &offsets),
            vector_type(scalar, self.lanes),
        );
        self.value(&format!("add {vector} {first}, {offsets}"))
    }
}

fn place_of(inst: &Inst) -> Option<&Place> {
    match inst {
        Inst::Load(place, _) | Inst::Store(place, _) => Some(place),
        Inst::Gather { window, .. } => window.as_ref().map(|window| &window.place),
        _ => None,
    }
}
