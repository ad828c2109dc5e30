//! Gathers and scatters.
//!
//! The addresses of many gathers are those of neighbours: `row * stride + first + iota`. Where the instructions of the address
//! allow it, code that runs looks at the first and the last lane, and accesses a vector if it has all elements.

mod even;
mod indexed;
mod inside;
mod whole;

use tile_core::types::Scalar;

use super::super::ir::Reg;
use super::nest::Iteration;
use super::one_by_one::Lane;
use super::places::{memory_scalar, vector_suffix};
use super::{Emitter, scalar_type, vector_of, vector_type};
pub(in super::super) use even::Even;
use even::{Lanes, MAX_STRIDE};
pub(super) use indexed::Direct;
use inside::Inside;

/// How the code that runs may access a vector. Each form has a condition, and the next one is for where it does not hold; at
/// last, addresses are checked lane by lane.
pub(super) struct Form {
    inside: Option<Inside>,
    other: Other,
}

impl Form {
    /// Returns `true` if a condition mostly holds.
    fn mostly_holds(&self) -> bool {
        self.inside.is_some() || matches!(self.other, Other::Direct(_))
    }

    /// Returns when the launch ends if no condition holds and an address is a fault.
    fn check(&self) -> Check {
        if self.mostly_holds() {
            Check::AtOnce
        } else {
            Check::AtEnd
        }
    }
}

/// The form of an access of lanes that are not known to be within a tensor.
enum Other {
    /// Neighbours in memory: the condition, and the address of the first element.
    Near(String, String),
    Direct(Direct),
    Any,
}

impl Other {
    fn condition(&self) -> Option<(&str, Odds)> {
        match self {
            // If LLVM takes them to hold mostly, paged decoding takes 20 % longer.
            Self::Near(condition, _) => Some((condition, Odds::Unknown)),
            Self::Direct(Direct { condition, .. }) => Some((condition, Odds::Mostly)),
            Self::Any => None,
        }
    }
}

/// The odds that a condition holds, which decide where LLVM puts code.
#[derive(Clone, Copy)]
pub(super) enum Odds {
    Mostly,
    Unknown,
}

/// The time at which a launch ends whose addresses are a fault.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// At the end of the nest, for code that is often run.
    AtEnd,
    AtOnce,
}

/// The elements that the lanes of an instruction access.
pub(super) struct At {
    /// The addresses.
    pub(super) address: String,
    pub(super) mask: Option<String>,
    pub(super) scalar: Scalar,
    /// The parameter whose memory has the elements.
    pub(super) param: u32,
}

impl Even<'_> {
    /// Returns the form of an access, whose conditions it emits.
    pub(super) fn form(
        &mut self,
        emitter: &mut Emitter<'_>,
        access: (Reg, Option<Reg>),
        at: &At,
        regs: &[String],
        iteration: &Iteration,
    ) -> Form {
        let inside = self.inside(emitter, access, at, regs, iteration);
        if inside.is_some() && !emitter.level.has_masks() {
            // Others are masked, and such accesses are one of each element.
            return Form {
                inside,
                other: Other::Any,
            };
        }
        let other = match self.near(emitter, access, at, regs, iteration) {
            Some((is_near, first)) => Other::Near(is_near, first),
            None => self
                .direct(emitter, access, at, regs, iteration)
                .map_or(Other::Any, Other::Direct),
        };
        Form { inside, other }
    }

    /// Returns whether the elements at these addresses are neighbours in the memory that they must be in, and the address of
    /// the first; `None` if they are not likely to be.
    ///
    /// The first and the last lane decide: the addresses are `a + i * s` modulo 2^64, so if the last of `n` lanes is
    /// `(n - 1) * b` after the first, `s` is `b`, since `n - 1` is odd. After widening they are `a + f * x`, where the step of
    /// `x` may wrap. Then the second lane shows that `x` has the step `b / f` there, which is at most 8, and the last lane that
    /// it does not wrap on the way. No distance wraps, since `f` is below 2^31, and `x` below 2^32.
    ///
    /// Where lanes are masked, the addresses are those that they would have without the mask.
    fn near(
        &mut self,
        emitter: &mut Emitter<'_>,
        (reg, mask): (Reg, Option<Reg>),
        at: &At,
        regs: &[String],
        iteration: &Iteration,
    ) -> Option<(String, String)> {
        if self.far(reg, mask).is_some() {
            return None;
        }
        let is_widened = matches!(self.lanes[reg], Lanes::Widened(_));
        let lanes = emitter.lanes;
        let bytes = i64::try_from(memory_scalar(at.scalar).bytes()).expect("few bytes");
        let reach = i64::from(lanes - 1) * bytes;
        let first = self.element(emitter, reg, 0, regs, iteration);
        let mut conditions = Vec::new();
        let mut compare = |even: &mut Self, emitter: &mut Emitter<'_>, lane: u32| {
            let other = even.element(emitter, reg, lane, regs, iteration);
            let distance = emitter.value(&format!("sub i64 {other}, {first}"));
            let expected = i64::from(lane) * bytes;
            conditions.push(emitter.value(&format!("icmp eq i64 {distance}, {expected}")));
        };
        compare(self, emitter, lanes - 1);
        if is_widened {
            compare(self, emitter, 1);
        }
        for stride in self.strides[reg].clone() {
            let stride = self.element(emitter, stride, 0, regs, iteration);
            conditions.push(emitter.value(&format!("icmp ule i64 {stride}, {MAX_STRIDE}")));
        }
        let word = emitter.first_word(at.param);
        let [start, length] = [emitter.word(word), emitter.word(word + 1)];
        let offset = emitter.value(&format!("sub i64 {first}, {start}"));
        let room = emitter.value(&format!("sub i64 {length}, {}", reach + bytes));
        conditions.push(emitter.value(&format!("icmp sge i64 {room}, 0")));
        conditions.push(emitter.value(&format!("icmp ule i64 {offset}, {room}")));
        if let (Some(mask), Some(lanes)) = (mask, &at.mask)
            && !emitter.level.has_masks()
        {
            // Elsewhere a masked access is one of each element.
            let whole = self.whole(emitter, mask, regs, iteration);
            conditions.push(whole.unwrap_or_else(|| emitter.all(lanes)));
        }
        let mut all = "true".to_owned();
        for condition in conditions {
            all = emitter.value(&format!("and i1 {all}, {condition}"));
        }
        Some((all, first))
    }
}

impl Emitter<'_> {
    /// Loads elements. `again` emits the addresses and the mask of `at` again.
    pub(super) fn gather_at(
        &mut self,
        at: &At,
        form: &Form,
        padding: &str,
        again: impl Fn(&mut Self) -> At,
    ) -> String {
        let checked = |this: &mut Self| {
            let rare = form.mostly_holds().then(|| again(this));
            this.gather_checked(rare.as_ref().unwrap_or(at), form.check(), padding)
        };
        let other = |this: &mut Self| match form.other.condition() {
            Some(condition) => this.one_of(
                condition,
                at.scalar,
                |this| this.gather_fast(at, &form.other, padding),
                checked,
            ),
            None => checked(this),
        };
        match &form.inside {
            Some(Inside { condition, first }) => {
                let inside = |this: &mut Self| this.load_neighbours(at, first);
                self.one_of((condition, Odds::Mostly), at.scalar, inside, other)
            }
            None => other(self),
        }
    }

    /// Loads all lanes from an address on.
    fn load_neighbours(&mut self, at: &At, first: &str) -> String {
        let alias = self.param_alias(at.param);
        let pointer = self.value(&format!("inttoptr i64 {first} to ptr"));
        self.load_vector(&pointer, at.scalar, self.lanes, &alias)
    }

    /// Loads elements whose addresses are checked.
    fn gather_checked(&mut self, at: &At, check: Check, padding: &str) -> String {
        let alias = self.param_alias(at.param);
        let (pointers, mask) = self.checked_pointers(at, check);
        self.gather_if_whole(&pointers, &mask, padding, at.scalar, &alias)
    }

    /// Loads elements where the condition of the form holds.
    fn gather_fast(&mut self, at: &At, form: &Other, padding: &str) -> String {
        let alias = self.param_alias(at.param);
        match (form, &at.mask) {
            (Other::Direct(direct), _) => self.gather_direct(direct, at.scalar, padding, &alias),
            (Other::Near(_, first), Some(mask)) if self.level.has_masks() => {
                let pointer = self.value(&format!("inttoptr i64 {first} to ptr"));
                self.load_masked(&pointer, mask, padding, at.scalar, &alias)
            }
            (Other::Near(_, first), _) => self.load_neighbours(at, first),
            (Other::Any, _) => unreachable!("it has no condition"),
        }
    }

    /// Computes a vector in one of two ways.
    pub(super) fn one_of(
        &mut self,
        condition: (&str, Odds),
        scalar: Scalar,
        yes: impl FnOnce(&mut Self) -> String,
        no: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let mut of_yes = None;
        let mut of_no = None;
        self.do_one_of(
            condition,
            |this| of_yes = Some((yes(this), this.block.clone())),
            |this| of_no = Some((no(this), this.block.clone())),
        );
        let [(one, from_one), (two, from_two)] =
            [of_yes, of_no].map(|way| way.expect("both were emitted"));
        let ty = vector_type(scalar, self.lanes);
        self.value(&format!(
            "phi {ty} [ {one}, %{from_one} ], [ {two}, %{from_two} ]"
        ))
    }

    /// Does one of two things.
    pub(super) fn do_one_of(
        &mut self,
        (condition, odds): (&str, Odds),
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let [begin, other, end] = [self.label(), self.label(), self.label()];
        match odds {
            Odds::Unknown => self.branch_if(condition, &begin, &other),
            Odds::Mostly => {
                let is_other = self.value(&format!("xor i1 {condition}, true"));
                self.branch_hardly_if(&is_other, &other, &begin);
            }
        }
        self.start(&begin);
        yes(self);
        self.branch(&end);
        self.start(&other);
        no(self);
        self.branch(&end);
        self.start(&end);
    }

    /// Stores elements. `again` emits the addresses and the mask of `at` again.
    pub(super) fn scatter_at(
        &mut self,
        at: &At,
        form: &Form,
        value: &str,
        again: impl Fn(&mut Self) -> At,
    ) {
        let checked = |this: &mut Self| {
            let rare = form.mostly_holds().then(|| again(this));
            this.scatter_checked(rare.as_ref().unwrap_or(at), form.check(), value);
        };
        let other = |this: &mut Self| match form.other.condition() {
            Some(condition) => this.do_one_of(
                condition,
                |this| this.scatter_fast(at, &form.other, value),
                checked,
            ),
            None => checked(this),
        };
        match &form.inside {
            Some(Inside { condition, first }) => {
                let inside = |this: &mut Self| this.store_neighbours(at, first, value);
                self.do_one_of((condition, Odds::Mostly), inside, other);
            }
            None => other(self),
        }
    }

    /// Stores all lanes from an address on.
    fn store_neighbours(&mut self, at: &At, first: &str, value: &str) {
        let alias = self.param_alias(at.param);
        let pointer = self.value(&format!("inttoptr i64 {first} to ptr"));
        let value = self.widen_for_memory(value, at.scalar);
        let ty = vector_type(memory_scalar(at.scalar), self.lanes);
        self.line(&format!(
            "store {ty} {value}, ptr {pointer}, align 1{alias}"
        ));
    }

    /// Stores elements whose addresses are checked.
    fn scatter_checked(&mut self, at: &At, check: Check, value: &str) {
        let alias = self.param_alias(at.param);
        let (pointers, mask) = self.checked_pointers(at, check);
        self.scatter(&pointers, &mask, value, at.scalar, &alias);
    }

    /// Stores elements where the condition of the form holds.
    fn scatter_fast(&mut self, at: &At, form: &Other, value: &str) {
        let alias = self.param_alias(at.param);
        match (form, &at.mask) {
            (Other::Direct(direct), _) => self.scatter_direct(direct, at.scalar, value, &alias),
            (Other::Near(_, first), Some(mask)) if self.level.has_masks() => {
                let pointer = self.value(&format!("inttoptr i64 {first} to ptr"));
                self.store_masked(&pointer, mask, value, at.scalar, &alias);
            }
            (Other::Near(_, first), _) => self.store_neighbours(at, first, value),
            (Other::Any, _) => unreachable!("it has no condition"),
        }
    }

    fn pointers(&mut self, addresses: &str) -> String {
        let (from, to) = (vector_of("i64", self.lanes), vector_of("ptr", self.lanes));
        self.value(&format!("inttoptr {from} {addresses} to {to}"))
    }

    /// Returns the pointers of all lanes, and the lanes whose element may be accessed.
    pub(super) fn checked_pointers(&mut self, at: &At, check: Check) -> (String, String) {
        let mask = self.checked(at, check);
        (self.pointers(&at.address), mask)
    }

    /// Returns the lanes of the mask whose element is in the memory of a parameter; others are a fault.
    pub(super) fn checked(&mut self, at: &At, check: Check) -> String {
        let &At { scalar, param, .. } = at;
        let (addresses, mask) = (&at.address, at.mask.clone());
        let word = self.first_word(param);
        let words = [self.word(word), self.word(word + 1)];
        let bytes = scalar.bytes();
        // The last offset at which an element begins, or a negative number.
        let last = self.value(&format!("sub i64 {}, {bytes}", words[1]));
        let has_any = self.value(&format!("icmp sge i64 {last}, 0"));
        let [start, last] = [words[0].clone(), last].map(|value| self.splat_of(&value, "i64"));
        let has_any = self.splat_of(&has_any, "i1");
        let (wide, truth) = (vector_of("i64", self.lanes), vector_of("i1", self.lanes));
        let offset = self.value(&format!("sub {wide} {addresses}, {start}"));
        let is_low = self.value(&format!("icmp ule {wide} {offset}, {last}"));
        let is_inside = self.value(&format!("and {truth} {is_low}, {has_any}"));
        let ones = self.splat(Scalar::I1, 1);
        let is_outside = self.value(&format!("xor {truth} {is_inside}, {ones}"));
        let mask = mask.unwrap_or(ones);
        let fault = self.value(&format!("and {truth} {is_outside}, {mask}"));
        match check {
            Check::AtEnd => {
                self.faults.push(fault);
                self.note_faults(self.lanes);
            }
            Check::AtOnce => {
                let is_any = self.any(&fault, self.lanes);
                self.stop_if(&is_any);
            }
        }
        self.value(&format!("and {truth} {is_inside}, {mask}"))
    }

    /// Makes vectors of one lane of scalars, which the masked intrinsics take.
    fn as_vectors(&mut self, values: [(&str, &str); 3]) -> [String; 3] {
        values.map(|(element, value)| {
            if self.lanes > 1 || value.is_empty() {
                return value.to_owned();
            }
            self.value(&format!(
                "insertelement <1 x {element}> poison, {element} {value}, i64 0"
            ))
        })
    }

    /// Returns whether a vector of truths is true in all lanes.
    pub(super) fn all(&mut self, truths: &str) -> String {
        let (truth, lanes) = (vector_of("i1", self.lanes), self.lanes);
        let name = format!("llvm.vector.reduce.and.v{lanes}i1");
        self.declare(format!("declare i1 @{name}({truth})"));
        self.value(&format!("call i1 @{name}({truth} {truths})"))
    }

    /// Loads elements: one by one if the mask has all of them, since an instruction for gathers is microcode on Zen 4, and on
    /// Intel's processors since the mitigation of Downfall. On Zen 4 a sparse product takes 7 % less time.
    fn gather_if_whole(
        &mut self,
        pointers: &str,
        mask: &str,
        padding: &str,
        scalar: Scalar,
        alias: &str,
    ) -> String {
        if self.lanes == 1 {
            return self.gather(pointers, mask, padding, scalar, alias);
        }
        let is_whole = self.all(mask);
        self.one_of(
            (&is_whole, Odds::Unknown),
            scalar,
            |this| this.load_all(pointers, scalar, alias),
            |this| this.gather(pointers, mask, padding, scalar, alias),
        )
    }

    /// Loads the elements of a vector of pointers one by one.
    pub(super) fn load_all(&mut self, pointers: &str, scalar: Scalar, alias: &str) -> String {
        let lanes = self.lanes;
        let element = scalar_type(memory_scalar(scalar));
        let (all, ty) = (vector_of("ptr", lanes), vector_of(element, lanes));
        let mut vector = "poison".to_owned();
        for lane in 0..lanes {
            let pointer = self.value(&format!("extractelement {all} {pointers}, i64 {lane}"));
            let loaded = self.value(&format!("load {element}, ptr {pointer}, align 1{alias}"));
            vector = self.value(&format!(
                "insertelement {ty} {vector}, {element} {loaded}, i64 {lane}"
            ));
        }
        self.narrow_from_memory(&vector, scalar)
    }

    /// Stores lanes one by one; of several with one address, the last one stays.
    pub(super) fn store_all(&mut self, pointers: &str, value: &str, scalar: Scalar, alias: &str) {
        let lanes = self.lanes;
        let value = self.widen_for_memory(value, scalar);
        let element = scalar_type(memory_scalar(scalar));
        let (all, ty) = (vector_of("ptr", lanes), vector_of(element, lanes));
        for lane in 0..lanes {
            let pointer = self.value(&format!("extractelement {all} {pointers}, i64 {lane}"));
            let part = self.value(&format!("extractelement {ty} {value}, i64 {lane}"));
            self.line(&format!(
                "store {element} {part}, ptr {pointer}, align 1{alias}"
            ));
        }
    }

    pub(super) fn gather(
        &mut self,
        pointers: &str,
        mask: &str,
        padding: &str,
        scalar: Scalar,
        alias: &str,
    ) -> String {
        let padding = self.widen_for_memory(padding, scalar);
        if let Some(loaded) =
            self.load_one_by_one(Lane::At(pointers), mask, &padding, scalar, alias)
        {
            return self.narrow_from_memory(&loaded, scalar);
        }
        let element = scalar_type(memory_scalar(scalar));
        let [pointers, mask, padding] =
            self.as_vectors([("ptr", pointers), ("i1", mask), (element, &padding)]);
        let lanes = self.lanes;
        let name = format!(
            "llvm.masked.gather.{}.v{lanes}p0",
            vector_suffix(memory_scalar(scalar), lanes)
        );
        let ty = format!("<{lanes} x {element}>");
        self.declare(format!(
            "declare {ty} @{name}(<{lanes} x ptr>, <{lanes} x i1>, {ty})"
        ));
        let loaded = self.value(&format!(
            "call {ty} @{name}(<{lanes} x ptr> align 1 {pointers}, <{lanes} x i1> {mask}, {ty} {padding}){alias}"
        ));
        let loaded = if lanes == 1 {
            self.value(&format!("extractelement {ty} {loaded}, i64 0"))
        } else {
            loaded
        };
        self.narrow_from_memory(&loaded, scalar)
    }

    /// Stores lanes; of several with one address, the last one stays.
    pub(super) fn scatter(
        &mut self,
        pointers: &str,
        mask: &str,
        value: &str,
        scalar: Scalar,
        alias: &str,
    ) {
        let value = self.widen_for_memory(value, scalar);
        if self.store_one_by_one(Lane::At(pointers), mask, &value, scalar, alias) {
            return;
        }
        let element = scalar_type(memory_scalar(scalar));
        let [pointers, mask, value] =
            self.as_vectors([("ptr", pointers), ("i1", mask), (element, &value)]);
        let lanes = self.lanes;
        let name = format!(
            "llvm.masked.scatter.{}.v{lanes}p0",
            vector_suffix(memory_scalar(scalar), lanes)
        );
        let ty = format!("<{lanes} x {element}>");
        self.declare(format!(
            "declare void @{name}({ty}, <{lanes} x ptr>, <{lanes} x i1>)"
        ));
        self.line(&format!(
            "call void @{name}({ty} {value}, <{lanes} x ptr> align 1 {pointers}, <{lanes} x i1> {mask}){alias}"
        ));
    }
}
