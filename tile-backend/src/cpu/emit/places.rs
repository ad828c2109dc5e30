//! Loads and stores of the elements of places: of vectors, of lanes that a mask chooses, of lanes at any distance.

use std::fmt::Write as _;

use tile_core::types::Scalar;

use super::super::Level;
use super::super::ir::{Axis, Base, Place, Stride, Val};
use super::super::plan::turns;
use super::gather::Odds;
use super::nest::{Iteration, Version};
use super::one_by_one::Lane;
use super::{Emitter, literal, scalar_type, suffix, vector_of, vector_type};

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

impl Emitter<'_> {
    /// Loads elements of a constant.
    pub(super) fn table(
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
        let known = self.tables.iter().position(|table| *table == text);
        let name = if let Some(number) = known {
            format!("@table{number}")
        } else {
            let name = format!("@table{}", self.tables.len());
            let _ = writeln!(
                self.globals,
                "{name} = private unnamed_addr constant {text}, align 64"
            );
            self.tables.push(text);
            name
        };
        let place = Place {
            base: Base::Memory(super::super::ir::Val(0), 0),
            axes: vec![Axis {
                weights: weights.to_vec(),
                stride: Stride::Constant(1),
                from: None,
                inside: None,
            }],
            scalar,
        };
        self.load_from(&name, &place, 0, iteration, Version::WHOLE, "")
    }

    fn lanes_of(place: &Place, iteration: &Iteration, version: Version) -> Lanes {
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
    pub(super) fn address(&mut self, base: &str, place: &Place, iteration: &Iteration) -> String {
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
    pub(super) fn base(&mut self, base: Base) -> (String, String) {
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

    /// Returns which lanes of a vector are inside of the tensor, where masks take several instructions: at an edge, most vectors
    /// have all elements or none.
    fn masked_parts(
        &mut self,
        place: &Place,
        iteration: &Iteration,
        version: Version,
    ) -> Option<Parts> {
        let has_bounds = |axis: &Axis| axis.from.is_some() || axis.inside.is_some();
        // Few processors run the baseline alone, and its code would be a fifth longer.
        let is_slow = !self.level.has_masks() && self.level != Level::Baseline;
        let is_split = version.is_masked && self.lanes > 1 && is_slow;
        if !is_split || !place.axes.iter().any(has_bounds) {
            return None;
        }
        let mut parts = Parts {
            has_any: None,
            has_all: None,
        };
        for axis in &place.axes {
            let offsets = iteration.lane_offsets(&axis.weights);
            let (least, most) = (offsets.iter().min(), offsets.iter().max());
            let (least, most) = (*least.expect("a lane"), *most.expect("a lane"));
            let bounds = [(axis.from, "sge", least), (axis.inside, "slt", most)];
            for (bound, predicate, offset) in bounds {
                let Some(bound) = bound else { continue };
                let bound = self.val(bound);
                let first = self.coordinate(&axis.weights, iteration);
                let last = self.value(&format!("add i64 {first}, {offset}"));
                let holds = self.value(&format!("icmp {predicate} i64 {last}, {bound}"));
                let part = if least == most {
                    &mut parts.has_any
                } else {
                    &mut parts.has_all
                };
                *part = Some(match part.take() {
                    None => holds,
                    Some(others) => self.value(&format!("and i1 {others}, {holds}")),
                });
            }
        }
        Some(parts)
    }

    /// Returns the lanes that are inside of the tensor; `None` if all are.
    fn mask(&mut self, place: &Place, iteration: &Iteration, version: Version) -> Option<String> {
        if !version.is_masked {
            return None;
        }
        let truth = vector_type(Scalar::I1, self.lanes);
        let mut mask: Option<String> = None;
        for axis in &place.axes {
            for (bound, predicate) in [(axis.from, "sge"), (axis.inside, "slt")] {
                let Some(bound) = bound else { continue };
                let part = self.compared(&axis.weights, iteration, predicate, bound);
                mask = Some(match mask {
                    None => part,
                    Some(mask) => self.value(&format!("and {truth} {mask}, {part}")),
                });
            }
        }
        mask
    }

    /// Compares the coordinate of each lane with a bound, both of which are at most 2^24, as the elements of a tile are.
    fn compared(
        &mut self,
        weights: &[i64],
        iteration: &Iteration,
        predicate: &str,
        bound: Val,
    ) -> String {
        let bound = self.val(bound);
        let first = self.coordinate(weights, iteration);
        let offsets = iteration.lane_offsets(weights);
        if offsets.iter().all(|&offset| offset == 0) {
            let is_inside = self.value(&format!("icmp {predicate} i64 {first}, {bound}"));
            return self.splat_of(&is_inside, "i1");
        }
        let rest = self.value(&format!("sub i64 {bound}, {first}"));
        let rest = self.value(&format!("trunc i64 {rest} to i32"));
        let rest = self.splat_of(&rest, "i32");
        let offsets = self.lane_constant("i32", &offsets);
        let ty = vector_of("i32", self.lanes);
        self.value(&format!("icmp {predicate} {ty} {offsets}, {rest}"))
    }

    pub(super) fn load(
        &mut self,
        place: &Place,
        padding: u64,
        iteration: &Iteration,
        version: Version,
    ) -> String {
        if version.is_unit && turns(place, &iteration.lanes).is_some() {
            return self.load_in_turn(place, padding, iteration, version);
        }
        self.load_lanes(place, padding, iteration, version)
    }

    /// Loads elements, each from where it is.
    pub(super) fn load_lanes(
        &mut self,
        place: &Place,
        padding: u64,
        iteration: &Iteration,
        version: Version,
    ) -> String {
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
        if let Some(parts) = self.masked_parts(place, iteration, version) {
            let load = |this: &mut Self, version| {
                this.load_at(base, place, padding, iteration, version, alias)
            };
            let inside = |this: &mut Self| match &parts.has_all {
                None => load(this, version.without_masks()),
                Some(has_all) => this.one_of(
                    (has_all, Odds::Unknown),
                    place.scalar,
                    |this| load(this, version.without_masks()),
                    |this| load(this, version),
                ),
            };
            return match &parts.has_any {
                None => inside(self),
                Some(has_any) => {
                    self.one_of((has_any, Odds::Unknown), place.scalar, inside, |this| {
                        this.splat(place.scalar, padding)
                    })
                }
            };
        }
        self.load_at(base, place, padding, iteration, version, alias)
    }

    fn load_at(
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
        let lanes = Self::lanes_of(place, iteration, version);
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
            (Lanes::Apart(offsets), None)
                if matches!(place.base, Base::Buffer(..)) && is_near(&offsets, self.lanes) =>
            {
                self.load_from_two(&address, &offsets, scalar, alias)
            }
            (lanes, None) if self.lanes > 1 => {
                let pointers = self.lane_pointers(&address, place, &lanes, iteration);
                self.load_all(&pointers, scalar, alias)
            }
            (lanes, mask) => {
                let pointers = self.lane_pointers(&address, place, &lanes, iteration);
                let mask = mask.unwrap_or_else(|| self.splat(Scalar::I1, 1));
                let padding = self.splat(scalar, padding);
                self.gather(&pointers, &mask, &padding, scalar, alias)
            }
        }
    }

    /// Loads elements that two vectors contain: the one from the first element on, and the one up to the last.
    fn load_from_two(
        &mut self,
        address: &str,
        offsets: &[i64],
        scalar: Scalar,
        alias: &str,
    ) -> String {
        let lanes = i64::from(self.lanes);
        let bytes = i64::try_from(scalar.bytes()).expect("few bytes");
        let second = offsets.iter().max().expect("a lane") + 1 - lanes;
        let at = self.value(&format!(
            "getelementptr i8, ptr {address}, i64 {}",
            second * bytes
        ));
        let low = self.load_vector(address, scalar, self.lanes, alias);
        let high = self.load_vector(&at, scalar, self.lanes, alias);
        let order: Vec<String> = offsets
            .iter()
            .map(|&offset| {
                let lane = if offset < lanes {
                    offset
                } else {
                    offset - second + lanes
                };
                format!("i32 {lane}")
            })
            .collect();
        let ty = vector_type(scalar, self.lanes);
        self.value(&format!(
            "shufflevector {ty} {low}, {ty} {high}, <{lanes} x i32> <{}>",
            order.join(", ")
        ))
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
        let padding = self.widen_for_memory(padding, scalar);
        if let Some(loaded) =
            self.load_one_by_one(Lane::From(address), mask, &padding, scalar, alias)
        {
            return self.narrow_from_memory(&loaded, scalar);
        }
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
        self.narrow_from_memory(&loaded, scalar)
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
        let value = self.widen_for_memory(value, scalar);
        if self.store_one_by_one(Lane::From(address), mask, &value, scalar, alias) {
            return;
        }
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
    pub(super) fn narrow_from_memory(&mut self, loaded: &str, scalar: Scalar) -> String {
        if scalar != Scalar::I1 {
            return loaded.to_owned();
        }
        let ty = vector_of("i8", self.lanes);
        let zero = self.splat(Scalar::I8, 0);
        self.value(&format!("icmp ne {ty} {loaded}, {zero}"))
    }

    pub(super) fn widen_for_memory(&mut self, value: &str, scalar: Scalar) -> String {
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
        let Some(parts) = self.masked_parts(place, iteration, version) else {
            return self.store_at(place, value, iteration, version);
        };
        let store = |this: &mut Self, version| this.store_at(place, value, iteration, version);
        let inside = |this: &mut Self| match &parts.has_all {
            None => store(this, version.without_masks()),
            Some(has_all) => this.do_one_of(
                (has_all, Odds::Unknown),
                |this| store(this, version.without_masks()),
                |this| store(this, version),
            ),
        };
        match &parts.has_any {
            None => inside(self),
            Some(has_any) => self.do_one_of((has_any, Odds::Unknown), inside, |_| {}),
        }
    }

    fn store_at(&mut self, place: &Place, value: &str, iteration: &Iteration, version: Version) {
        let (base, alias) = self.base(place.base);
        let address = self.address(&base, place, iteration);
        let mask = self.mask(place, iteration, version);
        let scalar = place.scalar;
        let lanes = Self::lanes_of(place, iteration, version);
        match (lanes, mask) {
            (Lanes::Neighbours, None) => {
                let value = self.widen_for_memory(value, scalar);
                let ty = vector_type(memory_scalar(scalar), self.lanes);
                let kind = if version.is_streamed && self.streamed.contains(place) {
                    let bytes = self.lanes as usize * scalar.bytes();
                    format!("align {bytes}{}", self.non_temporal())
                } else {
                    "align 1".to_owned()
                };
                self.line(&format!("store {ty} {value}, ptr {address}, {kind}{alias}"));
            }
            (Lanes::Same, None) => {
                let value = self.widen_for_memory(value, scalar);
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
            (lanes, None) if self.lanes > 1 => {
                let pointers = self.lane_pointers(&address, place, &lanes, iteration);
                self.store_all(&pointers, value, scalar, &alias);
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

/// The conditions under which a vector has elements of a tensor; `None` for those that always hold.
struct Parts {
    /// The coordinates that all lanes share are inside. Where they are not, the vector has no element.
    has_any: Option<String>,
    /// The other coordinates of all lanes are inside.
    has_all: Option<String>,
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

/// Returns `true` if two loads of a vector, one from the first element on and one up to the last, have all elements, as at every
/// second place.
fn is_near(offsets: &[i64], lanes: u32) -> bool {
    let ends = i64::from(lanes)..2 * i64::from(lanes);
    offsets.iter().all(|&offset| offset >= 0)
        && offsets.iter().max().is_some_and(|last| ends.contains(last))
}
