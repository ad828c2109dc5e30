//! Loop nests.
//!
//! A nest that accesses tensors is emitted up to three times, and chosen between when it runs: for tiles that are inside
//! of their tensors and whose lanes are neighbours in memory; for tiles that may be partly outside, with masks; and for
//! lanes at any distance.

use std::fmt::Write as _;

use tile_core::types::Scalar;

use super::super::ir::{Axis, Base, Inst, Nest, Place, Reg, Stride};
use super::super::plan::{Group, Plan, is_in_turn};
use super::crossed::set_bits;
use super::gather::{At, Even};
use super::{Emitter, literal, scalar_type, suffix, vector_of, vector_type};

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// `true` if elements may be outside of a tensor.
    is_masked: bool,
    /// `true` if lanes are neighbours in memory.
    pub(super) is_unit: bool,
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
    trips: u64,
}

/// How the lanes of a place lie in memory.
enum Lanes {
    /// All are one element.
    Same,
    Neighbours,
    /// At these numbers of elements from the first.
    Apart(Vec<i64>),
    /// At distances that are known when the kernel runs.
    Anywhere,
}

impl Version {
    /// For what is inside, such as buffers.
    pub(super) const WHOLE: Self = Self {
        is_masked: false,
        is_unit: true,
    };
}

impl Looping {
    /// Returns the number of the iteration.
    pub(super) fn counter(&self) -> &str {
        &self.counter
    }
}

impl Iteration {
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

    /// Returns the part of a coordinate that the unrolled bits make.
    fn constant(&self, weights: &[i64]) -> i64 {
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
        let mut counters = Vec::new();
        for bit in bit..nest.bits {
            let moved = self.value(&format!("lshr i64 {part}, {}", counters.len()));
            counters.push((vec![bit], self.value(&format!("and i64 {moved}, 1"))));
        }
        let part = Iteration {
            counters,
            lanes: plan.lanes.clone(),
            ..Iteration::default()
        };
        let places: Vec<&Place> = nest.insts.iter().filter_map(place_of).collect();
        let (mut whole, mut unit) = (Vec::new(), Vec::new());
        for place in &places {
            let run = Iteration {
                lanes: plan.run(place).to_vec(),
                ..Iteration::default()
            };
            for axis in &place.axes {
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
        let version = |is_masked, is_unit| Version { is_masked, is_unit };
        let end = self.label();
        if !whole.is_empty() {
            let is_whole = self.all_equal(&whole);
            let is_unit = self.all_equal(&unit);
            let is_fast = self.value(&format!("and i1 {is_whole}, {is_unit}"));
            let [fast, other] = [self.label(), self.label()];
            self.branch_if(&is_fast, &fast, &other);
            self.start(&fast);
            self.version(nest, &plan, &part, version(false, true));
            self.branch(&end);
            self.start(&other);
            if unit.is_empty() {
                self.version(nest, &plan, &part, version(true, true));
            } else {
                let [near, far] = [self.label(), self.label()];
                self.branch_if(&is_unit, &near, &far);
                self.start(&near);
                self.version(nest, &plan, &part, version(true, true));
                self.branch(&end);
                self.start(&far);
                self.version(nest, &plan, &part, version(true, false));
            }
        } else {
            self.version(nest, &plan, &part, version(false, true));
        }
        self.branch(&end);
        self.start(&end);
    }

    fn all_equal(&mut self, conditions: &[(String, i64)]) -> String {
        let mut all = "true".to_owned();
        for (value, number) in conditions {
            let is_equal = self.value(&format!("icmp eq i64 {value}, {number}"));
            all = self.value(&format!("and i1 {all}, {is_equal}"));
        }
        all
    }

    pub(super) fn begin_loop(&mut self, trips: u64) -> Looping {
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
        for number in 0..1 << plan.unrolled.len() {
            iteration.set = set_bits(&plan.unrolled, number);
            let loaded = |reg| Some(crossed.get(&reg)?[number].clone());
            self.insts(nest, plan, &iteration, version, &sums, &loaded);
        }
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
                    let value = regs[*value].clone();
                    self.store(place, &value, iteration, version);
                    String::new()
                }
                Inst::Gather {
                    is_shared,
                    address,
                    mask,
                    padding,
                    scalar,
                    param,
                } => {
                    let padding = padding.map(|padding| regs[padding].clone());
                    let padding = padding.unwrap_or_else(|| self.splat(*scalar, 0));
                    let at = At {
                        address: regs[*address].clone(),
                        mask: mask.map(|mask| regs[mask].clone()),
                        scalar: *scalar,
                        param: *param,
                    };
                    if *is_shared {
                        let (pointers, mask) = self.checked_pointers(&at);
                        self.load_shared(&pointers, &mask, &padding, *scalar)
                    } else {
                        let first = even.near(self, (*address, *mask), &at, &regs, iteration);
                        self.gather_at(&at, first, &padding)
                    }
                }
                Inst::Scatter {
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
                        let (pointers, mask) = self.checked_pointers(&at);
                        self.store_shared(&pointers, &mask, &value, at.scalar);
                    } else {
                        let first = even.near(self, (*address, *mask), &at, &regs, iteration);
                        self.scatter_at(&at, first, &value);
                    }
                    String::new()
                }
                Inst::Atomic {
                    atomic,
                    address,
                    mask,
                    args,
                    scalar,
                    param,
                } => {
                    let mask = mask.map(|mask| regs[mask].clone());
                    let address = regs[*address].clone();
                    let args: Vec<String> = args.iter().map(|&arg| regs[arg].clone()).collect();
                    let mask = self.checked(&address, mask, *scalar, *param);
                    self.atomic(*atomic, &address, &mask, &args, *scalar)
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
                        self.store(place, &result, iteration, version);
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

    fn position(&mut self, scalar: Scalar, weights: &[i64], iteration: &Iteration) -> String {
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

    /// Loads elements of a constant.
    fn table(
        &mut self,
        scalar: Scalar,
        bits: &[u64],
        weights: &[i64],
        iteration: &Iteration,
    ) -> String {
        let is_truth = scalar == Scalar::I1;
        let element = if is_truth { "i8" } else { scalar_type(scalar) };
        let elements: Vec<String> = bits
            .iter()
            .map(|&bits| {
                if is_truth {
                    format!("i8 {}", bits & 1)
                } else {
                    format!("{element} {}", literal(scalar, bits))
                }
            })
            .collect();
        let text = format!("[{} x {element}] [{}]", bits.len(), elements.join(", "));
        let name = match self.tables.iter().position(|table| *table == text) {
            Some(number) => format!("@table{number}"),
            None => {
                let name = format!("@table{}", self.tables.len());
                let _ = writeln!(
                    self.globals,
                    "{name} = private unnamed_addr constant {text}, align 64"
                );
                self.tables.push(text);
                name
            }
        };
        let place = Place {
            base: Base::Memory(super::super::ir::Val(0), 0),
            axes: vec![Axis {
                weights: weights.to_vec(),
                stride: Stride::Constant(1),
                inside: None,
            }],
            scalar,
        };
        self.load_from(&name, &place, 0, iteration, Version::WHOLE, "")
    }

    fn lanes_of(&self, place: &Place, iteration: &Iteration, version: Version) -> Lanes {
        let mut offsets = vec![0; 1 << iteration.lanes.len()];
        for axis in &place.axes {
            let lanes = iteration.lane_offsets(&axis.weights);
            if lanes.iter().all(|&offset| offset == 0) {
                continue;
            }
            let stride = match axis.stride {
                Stride::Constant(stride) => stride,
                Stride::Value(_) if version.is_unit => 1,
                Stride::Value(_) => return Lanes::Anywhere,
            };
            for (sum, offset) in offsets.iter_mut().zip(lanes) {
                *sum += offset * stride;
            }
        }
        if offsets.iter().all(|&offset| offset == 0) {
            return Lanes::Same;
        }
        if offsets
            .iter()
            .zip(0..)
            .all(|(&offset, lane)| offset == lane)
        {
            return Lanes::Neighbours;
        }
        Lanes::Apart(offsets)
    }

    /// Returns the address of the element of the first lane.
    fn address(&mut self, base: &str, place: &Place, iteration: &Iteration) -> String {
        let bytes = i64::try_from(place.scalar.bytes()).expect("few bytes");
        let mut address = base.to_owned();
        for axis in &place.axes {
            let offset = match axis.stride {
                Stride::Constant(stride) => {
                    let weights: Vec<i64> = axis
                        .weights
                        .iter()
                        .map(|weight| weight * stride * bytes)
                        .collect();
                    self.coordinate(&weights, iteration)
                }
                Stride::Value(val) => {
                    let coordinate = self.coordinate(&axis.weights, iteration);
                    if coordinate == "0" {
                        continue;
                    }
                    let stride = self.val(val);
                    let elements = self.value(&format!("mul i64 {coordinate}, {stride}"));
                    self.value(&format!("mul i64 {elements}, {bytes}"))
                }
            };
            if offset != "0" {
                address = self.value(&format!("getelementptr i8, ptr {address}, i64 {offset}"));
            }
        }
        address
    }

    /// Returns the start of a place, and the metadata of accesses to it.
    fn base(&mut self, base: Base) -> (String, String) {
        match base {
            Base::Buffer(buffer, from) => {
                let mut start = self.buffer(buffer);
                if let Some(from) = from {
                    let bytes = self.kernel.buffers[buffer.0 as usize].scalar.bytes();
                    let offset = self.value(&format!("mul i64 {}, {bytes}", self.val(from)));
                    start = self.value(&format!("getelementptr i8, ptr {start}, i64 {offset}"));
                }
                (start, self.buffer_alias(buffer))
            }
            Base::Memory(val, param) => {
                let address = self.val(val);
                (
                    self.value(&format!("inttoptr i64 {address} to ptr")),
                    self.param_alias(param),
                )
            }
        }
    }

    /// Returns the lanes that are inside of the tensor; `None` if all are.
    fn mask(&mut self, place: &Place, iteration: &Iteration, version: Version) -> Option<String> {
        if !version.is_masked {
            return None;
        }
        let truth = vector_type(Scalar::I1, self.lanes);
        let mut mask: Option<String> = None;
        for axis in &place.axes {
            let Some(inside) = axis.inside else { continue };
            let inside = self.val(inside);
            let first = self.coordinate(&axis.weights, iteration);
            let offsets = iteration.lane_offsets(&axis.weights);
            let part = if offsets.iter().all(|&offset| offset == 0) {
                let is_inside = self.value(&format!("icmp slt i64 {first}, {inside}"));
                self.splat_of(&is_inside, "i1")
            } else {
                // The number of elements that are left fits 32 bits, since a tile has at most 2^24.
                let rest = self.value(&format!("sub i64 {inside}, {first}"));
                let rest = self.value(&format!("trunc i64 {rest} to i32"));
                let rest = self.splat_of(&rest, "i32");
                let offsets = self.lane_constant("i32", &offsets);
                let ty = vector_of("i32", self.lanes);
                self.value(&format!("icmp slt {ty} {offsets}, {rest}"))
            };
            mask = Some(match mask {
                None => part,
                Some(mask) => self.value(&format!("and {truth} {mask}, {part}")),
            });
        }
        mask
    }

    pub(super) fn load(
        &mut self,
        place: &Place,
        padding: u64,
        iteration: &Iteration,
        version: Version,
    ) -> String {
        if version.is_unit && is_in_turn(place, &iteration.lanes) {
            return self.load_in_turn(place, padding, iteration, version);
        }
        let (base, alias) = self.base(place.base);
        self.load_from(&base, place, padding, iteration, version, &alias)
    }

    fn load_from(
        &mut self,
        base: &str,
        place: &Place,
        padding: u64,
        iteration: &Iteration,
        version: Version,
        alias: &str,
    ) -> String {
        let address = self.address(base, place, iteration);
        let mask = self.mask(place, iteration, version);
        let scalar = place.scalar;
        let lanes = self.lanes_of(place, iteration, version);
        match (lanes, mask) {
            (Lanes::Same, None) => {
                let element = self.load_scalar(&address, scalar, alias);
                self.splat_value(&element, scalar)
            }
            (Lanes::Neighbours, None) => self.load_vector(&address, scalar, self.lanes, alias),
            (Lanes::Neighbours, Some(mask)) => {
                let padding = self.splat(scalar, padding);
                self.load_masked(&address, &mask, &padding, scalar, alias)
            }
            (Lanes::Apart(offsets), None) if is_dense(&offsets, self.lanes) => {
                // The elements lie together, in another order.
                let count = offsets.iter().max().expect("a lane") + 1;
                let count = u32::try_from(count).expect("few lanes").next_power_of_two();
                let dense = self.load_vector(&address, scalar, count, alias);
                if count == 1 {
                    return self.splat_value(&dense, scalar);
                }
                let order: Vec<String> = offsets
                    .iter()
                    .map(|offset| format!("i32 {offset}"))
                    .collect();
                let ty = vector_type(scalar, count);
                self.value(&format!(
                    "shufflevector {ty} {dense}, {ty} poison, <{} x i32> <{}>",
                    self.lanes,
                    order.join(", ")
                ))
            }
            (lanes, mask) => {
                let pointers = self.lane_pointers(&address, place, &lanes, iteration);
                let mask = mask.unwrap_or_else(|| self.splat(Scalar::I1, 1));
                let padding = self.splat(scalar, padding);
                self.gather(&pointers, &mask, &padding, scalar, alias)
            }
        }
    }

    pub(super) fn load_vector(
        &mut self,
        address: &str,
        scalar: Scalar,
        lanes: u32,
        alias: &str,
    ) -> String {
        if lanes == 1 {
            return self.load_scalar(address, scalar, alias);
        }
        let ty = vector_type(memory_scalar(scalar), lanes);
        let loaded = self.value(&format!("load {ty}, ptr {address}, align 1{alias}"));
        if scalar == Scalar::I1 {
            return self.value(&format!("icmp ne {ty} {loaded}, zeroinitializer"));
        }
        loaded
    }

    /// Loads the lanes of a mask from a vector; others are `padding`.
    pub(super) fn load_masked(
        &mut self,
        address: &str,
        mask: &str,
        padding: &str,
        scalar: Scalar,
        alias: &str,
    ) -> String {
        let padding = self.to_memory(padding, scalar);
        let ty = vector_type(memory_scalar(scalar), self.lanes);
        let name = format!(
            "llvm.masked.load.{}.p0",
            vector_suffix(memory_scalar(scalar), self.lanes)
        );
        let truth = vector_of("i1", self.lanes);
        self.declare(format!("declare {ty} @{name}(ptr, {truth}, {ty})"));
        let loaded = self.value(&format!(
            "call {ty} @{name}(ptr align 1 {address}, {truth} {mask}, {ty} {padding}){alias}"
        ));
        self.from_memory(&loaded, scalar)
    }

    /// Stores the lanes of a mask to a vector.
    pub(super) fn store_masked(
        &mut self,
        address: &str,
        mask: &str,
        value: &str,
        scalar: Scalar,
        alias: &str,
    ) {
        let value = self.to_memory(value, scalar);
        let ty = vector_type(memory_scalar(scalar), self.lanes);
        let name = format!(
            "llvm.masked.store.{}.p0",
            vector_suffix(memory_scalar(scalar), self.lanes)
        );
        let truth = vector_of("i1", self.lanes);
        self.declare(format!("declare void @{name}({ty}, ptr, {truth})"));
        self.line(&format!(
            "call void @{name}({ty} {value}, ptr align 1 {address}, {truth} {mask}){alias}"
        ));
    }

    /// Converts bytes to truth values.
    pub(super) fn from_memory(&mut self, loaded: &str, scalar: Scalar) -> String {
        if scalar != Scalar::I1 {
            return loaded.to_owned();
        }
        let ty = vector_of("i8", self.lanes);
        let zero = self.splat(Scalar::I8, 0);
        self.value(&format!("icmp ne {ty} {loaded}, {zero}"))
    }

    pub(super) fn to_memory(&mut self, value: &str, scalar: Scalar) -> String {
        if scalar != Scalar::I1 {
            return value.to_owned();
        }
        let (from, to) = (vector_of("i1", self.lanes), vector_of("i8", self.lanes));
        self.value(&format!("zext {from} {value} to {to}"))
    }

    pub(super) fn store(
        &mut self,
        place: &Place,
        value: &str,
        iteration: &Iteration,
        version: Version,
    ) {
        let (base, alias) = self.base(place.base);
        let address = self.address(&base, place, iteration);
        let mask = self.mask(place, iteration, version);
        let scalar = place.scalar;
        let lanes = self.lanes_of(place, iteration, version);
        match (lanes, mask) {
            (Lanes::Neighbours, None) => {
                let value = self.to_memory(value, scalar);
                let ty = vector_type(memory_scalar(scalar), self.lanes);
                self.line(&format!(
                    "store {ty} {value}, ptr {address}, align 1{alias}"
                ));
            }
            (Lanes::Same, None) => {
                let value = self.to_memory(value, scalar);
                let ty = vector_type(memory_scalar(scalar), self.lanes);
                let element = scalar_type(memory_scalar(scalar));
                let value = if self.lanes == 1 {
                    value
                } else {
                    self.value(&format!("extractelement {ty} {value}, i64 0"))
                };
                self.line(&format!(
                    "store {element} {value}, ptr {address}, align 1{alias}"
                ));
            }
            (Lanes::Neighbours, Some(mask)) => {
                self.store_masked(&address, &mask, value, scalar, &alias);
            }
            (lanes, mask) => {
                let pointers = self.lane_pointers(&address, place, &lanes, iteration);
                let mask = mask.unwrap_or_else(|| self.splat(Scalar::I1, 1));
                self.scatter(&pointers, &mask, value, scalar, &alias);
            }
        }
    }

    /// Returns the address of every lane.
    fn lane_pointers(
        &mut self,
        address: &str,
        place: &Place,
        lanes: &Lanes,
        iteration: &Iteration,
    ) -> String {
        let bytes = i64::try_from(place.scalar.bytes()).expect("few bytes");
        let offsets = match lanes {
            Lanes::Same => self.lane_constant("i64", &vec![0; self.lanes as usize]),
            Lanes::Neighbours => {
                let offsets: Vec<i64> = (0..i64::from(self.lanes))
                    .map(|lane| lane * bytes)
                    .collect();
                self.lane_constant("i64", &offsets)
            }
            Lanes::Apart(offsets) => {
                let offsets: Vec<i64> = offsets.iter().map(|offset| offset * bytes).collect();
                self.lane_constant("i64", &offsets)
            }
            Lanes::Anywhere => {
                let ty = vector_of("i64", self.lanes);
                let mut sum = self.lane_constant("i64", &vec![0; self.lanes as usize]);
                for axis in &place.axes {
                    let lanes = iteration.lane_offsets(&axis.weights);
                    if lanes.iter().all(|&offset| offset == 0) {
                        continue;
                    }
                    let stride = match axis.stride {
                        Stride::Constant(stride) => stride.to_string(),
                        Stride::Value(val) => self.val(val),
                    };
                    let stride = self.splat_of(&stride, "i64");
                    let lanes: Vec<i64> = lanes.iter().map(|offset| offset * bytes).collect();
                    let lanes = self.lane_constant("i64", &lanes);
                    let part = self.value(&format!("mul {ty} {lanes}, {stride}"));
                    sum = self.value(&format!("add {ty} {sum}, {part}"));
                }
                sum
            }
        };
        if self.lanes == 1 {
            return self.value(&format!("getelementptr i8, ptr {address}, i64 {offsets}"));
        }
        let ty = vector_of("i64", self.lanes);
        self.value(&format!("getelementptr i8, ptr {address}, {ty} {offsets}"))
    }
}

/// Returns the type of an element in memory, where a truth value takes a byte.
pub(super) fn memory_scalar(scalar: Scalar) -> Scalar {
    if scalar == Scalar::I1 {
        Scalar::I8
    } else {
        scalar
    }
}

/// Returns the suffix of an intrinsic for a vector, which may have one lane.
pub(super) fn vector_suffix(scalar: Scalar, lanes: u32) -> String {
    if lanes == 1 {
        format!("v1{}", suffix(scalar, 1))
    } else {
        suffix(scalar, lanes)
    }
}

/// Returns `true` if one load of a vector has all elements.
fn is_dense(offsets: &[i64], lanes: u32) -> bool {
    offsets
        .iter()
        .all(|&offset| (0..i64::from(lanes)).contains(&offset))
}

fn place_of(inst: &Inst) -> Option<&Place> {
    match inst {
        Inst::Load(place, _) | Inst::Store(place, _) => Some(place),
        _ => None,
    }
}
