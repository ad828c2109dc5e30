//! Generates random modules of structured loops as text.
//!
//! Every module is defined for any order of parallel iterations. Each iteration stores to elements
//! of its own, numbered by the iterations of all loops around it, and bodies of reductions are
//! associative and commutative.

use crate::reductions::name_of;
use std::fmt::Write;
use tile_core::testing::Random;

/// A module with the arguments of its entry.
pub(crate) struct Case {
    pub(crate) text: String,
    /// The arguments that follow the pointers.
    pub(crate) numbers: Vec<i64>,
    /// The sizes of the buffers of `i32`, which are the first arguments. The first buffer is only
    /// read, and the second is only stored to. Each of the others takes one result.
    pub(crate) buffers: Vec<usize>,
    pub(crate) has_outermost: bool,
    /// The number of dimensions of the outermost loop.
    pub(crate) dims: usize,
    pub(crate) is_near_limits: bool,
    pub(crate) odd_reductions: usize,
}

/// The number of elements of the buffer that is read, a power of two.
pub(crate) const READ: usize = 64;

/// The maximum number of points at which a store runs.
const MAX_POINTS: usize = 40;

/// The types of bounds.
const BOUNDS: [(&str, u32); 4] = [("i32", 32), ("i32", 32), ("i64", 64), ("i8", 8)];

/// A range whose bounds the generator knows.
struct Range {
    lower: String,
    upper: String,
    step: String,
    trips: usize,
}

/// A position in an entry that has an outermost loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the loop, where the flattening refuses effects and loads of buffers that the loop
    /// stores to.
    Before,
    /// Inside the loop, or anywhere in an entry without an outermost loop.
    Inside,
    Behind,
}

pub(crate) struct Generator {
    pub(crate) random: Random<'static>,
    out: String,
    pub(crate) next: usize,
    /// Values of `tile<i32>` and of `tile<4xi32>` in scope.
    scalars: Vec<String>,
    tiles: Vec<String>,
    conditions: Vec<String>,
    /// The index of the current point, and the number of all points.
    slot: String,
    points: usize,
    /// The number of elements of the second buffer that are already used.
    taken: usize,
    numbers: Vec<i64>,
    /// The types of the number arguments after the first two.
    types: Vec<&'static str>,
    results: Vec<usize>,
    phase: Phase,
    is_near_limits: bool,
    pub(crate) odd_reductions: usize,
}

/// Generates the module of `seed`.
pub(crate) fn generate(seed: u64) -> Case {
    let generator = Generator {
        random: Random::new(seed),
        out: String::new(),
        next: 0,
        scalars: vec!["%a".into(), "%b".into()],
        tiles: Vec::new(),
        conditions: Vec::new(),
        slot: "%zero".into(),
        points: 1,
        taken: 0,
        numbers: Vec::new(),
        types: Vec::new(),
        results: Vec::new(),
        phase: Phase::Inside,
        is_near_limits: false,
        odd_reductions: 0,
    };
    generator.case()
}

impl Generator {
    fn case(mut self) -> Case {
        let values = [3, -7, 0, 1 << 30, i64::from(i32::MIN)];
        self.numbers = vec![self.random.pick(&values), self.random.pick(&values)];
        for (name, bits) in [("%zero", 0), ("%one", 1), ("%mask", READ - 1)] {
            self.line(&format!("{name} = constant <i32: {bits}> : tile<i32>"));
        }
        self.line("%row = iota : tile<4xi32>");
        self.tiles.push("%row".into());
        self.scalars.push("%one".into());
        let has_outermost = !self.random.one_in(4);
        let mut dims = 0;
        if has_outermost {
            self.phase = Phase::Before;
            self.steps(2, 0);
            self.phase = Phase::Inside;
            dims = self.random.pick(&[1, 1, 2, 2, 3, 3, 4, 5]);
            let results = self.parallel(dims, 0);
            self.phase = Phase::Behind;
            if self.random.one_in(2) {
                // After the loop only stores of its results are allowed.
                for result in results {
                    self.store_result(&result);
                }
                return self.finished(has_outermost, dims);
            }
            let behind = self.random.below(4);
            self.steps(behind, 0);
        } else {
            self.steps(5, 0);
        }
        // Store values that are not used so far.
        for index in 0..self.random.below(4).min(self.scalars.len()) {
            let value = self.scalars[self.scalars.len() - 1 - index].clone();
            self.store_result(&value);
        }
        self.finished(has_outermost, dims)
    }

    fn finished(self, has_outermost: bool, dims: usize) -> Case {
        let mut buffers = vec![READ, self.taken.max(1)];
        buffers.extend(&self.results);
        let pointers = (0..buffers.len()).map(|index| format!("%p{index}: tile<ptr<i32>>"));
        let types = self.types.iter().enumerate();
        let numbers = types.map(|(index, ty)| format!("%n{index}: tile<{ty}>"));
        let fixed = ["%a: tile<i32>".to_owned(), "%b: tile<i32>".to_owned()];
        let params: Vec<String> = pointers.chain(fixed).chain(numbers).collect();
        let text = format!(
            "cuda_tile.module @m {{\nentry @k({}) {{\n{}return\n}}\n}}\n",
            params.join(", "),
            self.out
        );
        Case {
            text,
            numbers: self.numbers,
            buffers,
            has_outermost,
            dims,
            is_near_limits: self.is_near_limits,
            odd_reductions: self.odd_reductions,
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// Writes `%fresh = text`.
    pub(crate) fn define(&mut self, text: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {text}"));
        name
    }

    pub(crate) fn scalar(&mut self) -> String {
        self.scalars[self.random.below(self.scalars.len())].clone()
    }

    pub(crate) fn tile(&mut self) -> String {
        self.tiles[self.random.below(self.tiles.len())].clone()
    }

    /// Generates the contents of a region, and removes its values from scope at the end.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let lengths = [self.scalars.len(), self.tiles.len(), self.conditions.len()];
        let (slot, points) = (self.slot.clone(), self.points);
        let result = inner(self);
        self.scalars.truncate(lengths[0]);
        self.tiles.truncate(lengths[1]);
        self.conditions.truncate(lengths[2]);
        (self.slot, self.points) = (slot, points);
        result
    }

    fn steps(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.random.below(if depth < 4 { 14 } else { 8 }) {
                0..4 => self.arithmetic(),
                4 | 5 if self.phase != Phase::Before => self.store(),
                6 if self.phase != Phase::Before => self.load(),
                8 | 9 => self.branch(depth),
                10 | 11 if self.points < MAX_POINTS => self.for_(depth),
                12 | 13 if self.points < MAX_POINTS => {
                    let dims = self.random.pick(&[1, 1, 2, 3]);
                    // In the entry itself, allow this only after the outermost loop.
                    if self.phase == Phase::Behind || depth > 0 {
                        self.parallel(dims, depth);
                    }
                }
                _ => self.arithmetic(),
            }
        }
    }

    fn arithmetic(&mut self) {
        const OPS: [&str; 8] = [
            "addi %, % : T",
            "subi %, % : T",
            "muli %, % : T",
            "maxi %, % signed : T",
            "mini %, % unsigned : T",
            "xori %, % : T",
            "andi %, % : T",
            "ori %, % : T",
        ];
        let op = self.random.pick(&OPS);
        let is_tile = self.random.one_in(3);
        let ty = if is_tile { "tile<4xi32>" } else { "tile<i32>" };
        let mut text = op.replace('T', ty);
        for _ in 0..2 {
            let operand = if is_tile { self.tile() } else { self.scalar() };
            // Search among the remaining operands.
            let operand_start = text.find("%,").or(text.find("% ")).expect("an operand");
            text.replace_range(operand_start..=operand_start, &operand);
        }
        let result = self.define(&text);
        if is_tile {
            self.tiles.push(result);
            return;
        }
        if self.random.one_in(3) {
            let other = self.scalar();
            let predicate = self
                .random
                .pick(&["less_than", "equal", "greater_than_or_equal"]);
            let sign = self.random.pick(&["signed", "unsigned"]);
            let text =
                format!("cmpi {predicate} {result}, {other}, {sign} : tile<i32> -> tile<i1>");
            let condition = self.define(&text);
            self.conditions.push(condition);
        }
        if self.random.one_in(4) {
            let ones = self.define(&format!("reshape {result} : tile<i32> -> tile<1xi32>"));
            let tile = self.define(&format!("broadcast {ones} : tile<1xi32> -> tile<4xi32>"));
            self.tiles.push(tile);
        }
        self.scalars.push(result);
    }

    fn load(&mut self) {
        let scalar = self.scalar();
        let address = self.define(&format!("andi {scalar}, %mask : tile<i32>"));
        let from = "offset %p0, % : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>";
        let place = self.define(&from.replace("% ", &format!("{address} ")));
        let (value, token) = (self.fresh(), self.fresh());
        self.line(&format!(
            "{value}, {token} = load_ptr_tko weak {place} : tile<ptr<i32>> -> tile<i32>, token"
        ));
        self.scalars.push(value);
    }

    /// Stores to elements that no other point and no other store uses.
    fn store(&mut self) {
        let is_tile = self.random.one_in(3);
        let size: usize = if is_tile { 4 } else { 1 };
        let base = self.taken;
        self.taken += size * self.points;
        let (slot, bases) = (self.slot.clone(), [("size", size), ("base", base)]);
        let [size, base] =
            bases.map(|(_, bits)| self.define(&format!("constant <i32: {bits}> : tile<i32>")));
        let scaled = self.define(&format!("muli {slot}, {size} : tile<i32>"));
        let address = self.define(&format!("addi {scaled}, {base} : tile<i32>"));
        let place = self.define(&format!(
            "offset %p1, {address} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"
        ));
        let (value, place, shape) = if is_tile {
            (self.tile(), self.row_of(&place), "4x")
        } else {
            (self.scalar(), place, "")
        };
        let text = "store_ptr_tko weak D, V : tile<SptrI>, tile<Si32> -> token";
        let text = text.replace('D', &place).replace('V', &value);
        self.define(&text.replace('S', shape).replace('I', "<i32>"));
    }

    /// Makes pointers to four consecutive elements, the first of which is `place`.
    fn row_of(&mut self, place: &str) -> String {
        let ones = format!("reshape {place} : tile<ptr<i32>> -> tile<1xptr<i32>>");
        let ones = self.define(&ones);
        let four = format!("broadcast {ones} : tile<1xptr<i32>> -> tile<4xptr<i32>>");
        let four = self.define(&four);
        self.define(&format!(
            "offset {four}, %row : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>"
        ))
    }

    /// Stores a result to a buffer that nothing else uses.
    fn store_result(&mut self, value: &str) {
        let buffer = self.results.len() + 2;
        self.results.push(1);
        self.define(&format!(
            "store_ptr_tko weak %p{buffer}, {value} : tile<ptr<i32>>, tile<i32> -> token"
        ));
    }

    fn branch(&mut self, depth: usize) {
        let condition = match self.conditions.len() {
            0 => {
                let (a, b) = (self.scalar(), self.scalar());
                self.define(&format!(
                    "cmpi less_than {a}, {b}, signed : tile<i32> -> tile<i1>"
                ))
            }
            count => self.conditions[self.random.below(count)].clone(),
        };
        let (op, end) = self
            .random
            .pick(&[("loop.if", "loop.yield"), ("if", "yield")]);
        let has_result = self.random.one_in(2);
        let name = self.fresh();
        if has_result {
            self.line(&format!("{name} = {op} {condition} -> (tile<i32>) {{"));
        } else {
            self.line(&format!("{op} {condition} {{"));
        }
        for region in 0..2 {
            if region == 1 && !has_result && self.random.one_in(2) {
                break;
            }
            if region == 1 {
                self.line("} else {");
            }
            self.scoped(|this| {
                let count = this.random.below(3);
                this.steps(count, depth + 1);
                if has_result {
                    let value = this.scalar();
                    this.line(&format!("{end} {value} : tile<i32>"));
                }
            });
        }
        self.line("}");
        if has_result {
            self.scalars.push(name);
        }
    }

    /// Makes a range of at most `most` iterations, of a type with `bits` bits.
    fn range(&mut self, ty: &'static str, bits: u32, is_unsigned: bool, most: usize) -> Range {
        let (low, high) = if is_unsigned {
            (0, (1_i128 << bits) - 1)
        } else {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        };
        let trips = if self.random.one_in(10) {
            0
        } else {
            1 + self.random.below(most)
        };
        let span = (high - low) / i128::try_from(trips + 2).expect("small");
        let step = match self.random.below(4) {
            0 | 1 => 1,
            2 => i128::try_from(2 + self.random.below(5))
                .expect("small")
                .min(span),
            _ => 1 + i128::from(self.random.bits() >> 1) % span,
        };
        // The distance from the first number to the last one, and from the last one to the end of
        // the range.
        let length = step
            * i128::try_from(trips)
                .expect("small")
                .saturating_sub(1)
                .max(0);
        let room = high - low - length;
        let lower = match self.random.below(5) {
            0 => low,
            1 => {
                self.is_near_limits = true;
                high - length - 1 - i128::from(self.random.bits() % 3)
            }
            2 => 0,
            _ => low + i128::from(self.random.bits() >> 1) % room.max(1),
        };
        let lower = lower.clamp(low, high - length - 1);
        let upper = match trips {
            0 => lower - i128::from(self.random.bits() % 3).min(lower - low),
            _ => (lower + length + 1 + i128::from(self.random.bits() >> 1) % step).min(high),
        };
        let [lower, upper, step] = [lower, upper, step].map(|number| self.bound(number, ty, bits));
        Range {
            lower,
            upper,
            step,
            trips,
        }
    }

    /// Makes `number` as a constant or as an argument.
    fn bound(&mut self, number: i128, ty: &'static str, bits: u32) -> String {
        let pattern = u64::try_from(number & i128::from(u64::MAX)).expect("masked");
        let number = pattern.cast_signed() << (64 - bits) >> (64 - bits);
        if self.random.one_in(2) {
            return self.define(&format!("constant <{ty}: {number}> : tile<{ty}>"));
        }
        let name = format!("%n{}", self.numbers.len() - 2);
        self.numbers.push(number);
        self.types.push(ty);
        name
    }

    /// Makes the iteration number of an induction variable as `tile<i32>`.
    fn trip(&mut self, variable: &str, range: &Range, ty: &str) -> String {
        let (lower, step) = (&range.lower, &range.step);
        let distance = self.define(&format!("subi {variable}, {lower} : tile<{ty}>"));
        let trip = self.define(&format!("divi {distance}, {step} unsigned : tile<{ty}>"));
        self.as_i32(&trip, ty)
    }

    fn as_i32(&mut self, value: &str, ty: &str) -> String {
        match ty {
            "i32" => value.to_owned(),
            "i64" => self.define(&format!("trunci {value} : tile<i64> -> tile<i32>")),
            _ => self.define(&format!("exti {value} unsigned : tile<{ty}> -> tile<i32>")),
        }
    }

    /// Includes induction variables in the index of the point.
    fn enter(&mut self, variables: &[String], ranges: &[Range], ty: &str) {
        for (variable, range) in variables.iter().zip(ranges) {
            let trip = self.trip(variable, range, ty);
            let trips = range.trips.max(1);
            let count = self.define(&format!("constant <i32: {trips}> : tile<i32>"));
            let slot = self.slot.clone();
            let scaled = self.define(&format!("muli {slot}, {count} : tile<i32>"));
            self.slot = self.define(&format!("addi {scaled}, {trip} : tile<i32>"));
            self.points *= trips;
            let number = self.as_i32(variable, ty);
            self.scalars.push(number);
        }
    }

    fn for_(&mut self, depth: usize) {
        let (ty, bits) = self.random.pick(&BOUNDS);
        let is_unsigned = self.random.one_in(2);
        let range = self.range(ty, bits, is_unsigned, 5);
        let (variable, carried, result) = (self.fresh(), self.fresh(), self.fresh());
        let unsigned = if is_unsigned { "unsigned " } else { "" };
        let Range {
            lower, upper, step, ..
        } = &range;
        let mut head = format!("loop.for {unsigned}{variable} = {lower} to {upper} step {step}");
        let is_carrying = self.random.one_in(2);
        if is_carrying {
            let init = self.scalar();
            head = format!("{result} = {head} iter_args({carried} = {init}) -> (tile<i32>)");
        }
        self.line(&format!("{head} : tile<{ty}> {{"));
        self.scoped(|this| {
            this.enter(&[variable], &[range], ty);
            if is_carrying {
                this.scalars.push(carried);
            }
            let count = 1 + this.random.below(3);
            this.steps(count, depth + 1);
            if is_carrying {
                let next = this.scalar();
                this.line(&format!("loop.yield {next} : tile<i32>"));
            }
        });
        self.line("}");
        if is_carrying {
            self.scalars.push(result);
        }
    }

    /// Generates a parallel loop. Returns those of its results that are of type `tile<i32>`.
    fn parallel(&mut self, dims: usize, depth: usize) -> Vec<String> {
        let (ty, bits) = self.random.pick(&BOUNDS);
        let is_unsigned = self.random.one_in(2);
        let most = [9, 5, 3, 2, 2][dims - 1];
        let ranges: Vec<Range> = (0..dims)
            .map(|_| self.range(ty, bits, is_unsigned, most))
            .collect();
        let is_empty = ranges.iter().any(|range| range.trips == 0);
        let variables: Vec<String> = (0..dims).map(|_| self.fresh()).collect();
        let list = |field: fn(&Range) -> &str| {
            let items: Vec<&str> = ranges.iter().map(field).collect();
            items.join(", ")
        };
        let unsigned = if is_unsigned { "unsigned " } else { "" };
        let mut head = format!(
            "loop.parallel {unsigned}({}) = ({}) to ({}) step ({})",
            variables.join(", "),
            list(|range| &range.lower),
            list(|range| &range.upper),
            list(|range| &range.step)
        );
        let types: Vec<bool> = (0..self.random.below(4))
            .map(|_| self.random.one_in(3))
            .collect();
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        if !types.is_empty() {
            // Without initial values, the results of an empty loop are undefined.
            if is_empty || self.random.one_in(2) {
                let inits: Vec<String> = types.iter().map(|&is_tile| self.init(is_tile)).collect();
                write!(head, " init ({})", inits.join(", ")).expect("strings do not fail");
            }
            let types: Vec<&str> = types.iter().map(|&is_tile| name_of(is_tile)).collect();
            head = format!("{} = {head} -> ({})", names.join(", "), types.join(", "));
        }
        self.line(&format!("{head} : tile<{ty}> {{"));
        self.scoped(|this| {
            this.enter(&variables, &ranges, ty);
            for &is_tile in &types {
                let count = this.random.below(2);
                this.steps(count, depth + 1);
                this.reduce(is_tile);
            }
            let count = 1 + this.random.below(3);
            this.steps(count, depth + 1);
            if this.phase != Phase::Before && types.is_empty() {
                this.store();
            }
        });
        self.line("}");
        let mut results = Vec::new();
        for (name, is_tile) in names.into_iter().zip(types) {
            if is_tile {
                self.tiles.push(name);
            } else {
                results.push(name);
            }
        }
        self.scalars.extend_from_slice(&results);
        results
    }
}
