//! Stores that go around the caches.
//!
//! A store to memory that is not in a cache reads its line first. Where a nest writes whole lines of a large tensor that the
//! kernel does not read, non-temporal stores do not: a copy moves two bytes in place of three. Other processors may see such
//! stores later than those after them, so the function ends with a fence, and kernels that order their accesses to memory have
//! none.

use std::collections::BTreeSet;

use super::super::ir::{Base, Inst, Kernel, Nest, Param, Place, Stmt, Stride};
use super::super::plan::{LINE_BYTES, Plan};
use super::{AXES, Emitter};

/// The least bytes of a tensor, and of what a launch writes to it, for stores around the caches. Measured on a Xeon with 2 MiB of
/// second-level cache per core and a third level of 300 MiB: a launch that writes so much and one that reads it took as long
/// together either way; with twice as much or more, they took less time around the caches.
pub(super) const LEAST_BYTES: u64 = 16 << 20;

/// The numbers of a loop, as LLVM values of type `i64`. The step is not 0.
#[derive(Clone, Debug)]
pub(super) struct Trips {
    pub(super) lower: String,
    pub(super) upper: String,
    pub(super) step: String,
}

/// The distance between the first and the last number of a loop up to which it has few iterations.
const FEW: i64 = 64;

impl Trips {
    /// Returns `true` if it is known that there are few iterations.
    pub(super) fn are_few(&self) -> bool {
        let number = |text: &str| text.parse::<i64>().ok().filter(|&number| number >= 0);
        match (number(&self.lower), number(&self.upper)) {
            (Some(lower), Some(upper)) => upper - lower <= FEW,
            _ => false,
        }
    }
}

/// How a kernel accesses the memory of its parameters.
#[derive(Default)]
struct Accesses {
    stored: BTreeSet<u32>,
    others: BTreeSet<u32>,
    are_ordered: bool,
}

impl Accesses {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Nest(nest) => self.nest(nest),
            Stmt::Product(product) => {
                if let Some(groups) = &product.groups {
                    self.nest(&groups.nest);
                }
            }
            Stmt::Fence => self.are_ordered = true,
            _ => {}
        }
    }

    fn nest(&mut self, nest: &Nest) {
        for inst in &nest.insts {
            match inst {
                Inst::Load(place, _) => self.others.extend(param_of(place)),
                Inst::Store(place, _) => self.stored.extend(param_of(place)),
                Inst::Reduce(reduce) | Inst::Scan(reduce) => {
                    self.stored
                        .extend(reduce.places.iter().filter_map(param_of));
                }
                Inst::Gather {
                    param, is_shared, ..
                }
                | Inst::Scatter {
                    param, is_shared, ..
                } => {
                    self.others.insert(*param);
                    self.are_ordered |= is_shared;
                }
                Inst::Atomic { .. } => self.are_ordered = true,
                Inst::Scalar(_)
                | Inst::Constant(..)
                | Inst::Table(..)
                | Inst::Position(..)
                | Inst::Call(..)
                | Inst::Assert(_) => {}
            }
        }
    }
}

fn param_of(place: &Place) -> Option<u32> {
    match place.base {
        Base::Memory(_, param) => Some(param),
        Base::Buffer(..) => None,
    }
}

/// Returns the parameters that may be stored around the caches: tensors to which a kernel only stores.
pub(super) fn only_stored(kernel: &Kernel) -> BTreeSet<u32> {
    let mut accesses = Accesses::default();
    Stmt::walk(&kernel.body, &mut |stmt| accesses.stmt(stmt));
    if accesses.are_ordered {
        return BTreeSet::new();
    }
    let is_tensor = |&&param: &&u32| matches!(kernel.params[param as usize], Param::Pointer);
    let only_stored = accesses.stored.difference(&accesses.others);
    only_stored.filter(is_tensor).copied().collect()
}

impl Emitter<'_> {
    /// Returns the places of a nest that may be stored around the caches.
    pub(super) fn streamed_places(&self, nest: &Nest, plan: &Plan) -> Vec<Place> {
        if !self.level.has_streaming_stores() {
            return Vec::new();
        }
        let stored = |inst: &Inst| match inst {
            Inst::Store(place, _) => vec![place.clone()],
            Inst::Scan(scan) => scan.places.clone(),
            _ => Vec::new(),
        };
        let places = nest.insts.iter().flat_map(stored);
        let is_streamed = |place: &Place| {
            param_of(place).is_some_and(|param| self.only_stored.contains(&param))
                && plan.fills_lines(place)
        };
        places.filter(is_streamed).collect()
    }

    /// Emits the condition that the launch writes much to each of some places of a nest, and that their rows begin with a line of
    /// a cache.
    pub(super) fn are_streamed(&mut self, places: &[Place], plan: &Plan) -> String {
        let (mut lengths, mut steps) = (BTreeSet::new(), BTreeSet::new());
        let least = places.iter().map(bytes_of).min().expect("a place");
        for place in places {
            let Base::Memory(address, param) = place.base else {
                unreachable!("a buffer is not streamed");
            };
            lengths.insert(self.first_word(param) + 1);
            steps.insert((address, 1));
            for axis in &place.axes {
                let is_varied = axis.weights.iter().any(|&weight| weight != 0);
                let is_row = axis.weights[plan.lanes[0] as usize] != 0;
                if let Stride::Value(stride) = axis.stride
                    && is_varied
                    && !is_row
                {
                    steps.insert((stride, place.scalar.bytes()));
                }
            }
        }
        let mut all = "true".to_owned();
        for word in lengths {
            let length = self.word(word);
            let is_large = self.value(&format!("icmp uge i64 {length}, {LEAST_BYTES}"));
            all = self.value(&format!("and i1 {all}, {is_large}"));
        }
        let runs = self.runs();
        let are_many = self.value(&format!("icmp uge i64 {runs}, {}", LEAST_BYTES / least));
        all = self.value(&format!("and i1 {all}, {are_many}"));
        let mut bits = "0".to_owned();
        for (val, bytes) in steps {
            let step = self.val(val);
            let step = self.value(&format!("mul i64 {step}, {bytes}"));
            bits = self.value(&format!("or i64 {bits}, {step}"));
        }
        let rest = self.value(&format!("and i64 {bits}, {}", LINE_BYTES - 1));
        let is_aligned = self.value(&format!("icmp eq i64 {rest}, 0"));
        self.value(&format!("and i1 {all}, {is_aligned}"))
    }

    /// Returns how often the launch runs what is being emitted: the blocks, times the iterations of the loops around it whose number
    /// is known when they begin.
    fn runs(&mut self) -> String {
        let mut runs = "1".to_owned();
        for axis in AXES {
            let extent = self.value(&format!("zext i32 %grid.{axis} to i64"));
            runs = self.value(&format!("mul i64 {runs}, {extent}"));
        }
        for Trips { lower, upper, step } in self.trips.clone() {
            let distance = self.value(&format!("sub i64 {upper}, {lower}"));
            let rest = self.value(&format!("add i64 {distance}, {step}"));
            let rest = self.value(&format!("sub i64 {rest}, 1"));
            let trips = self.value(&format!("udiv i64 {rest}, {step}"));
            runs = self.value(&format!("mul i64 {runs}, {trips}"));
        }
        runs
    }
}

/// Returns the bytes that one run of a nest stores to a place.
fn bytes_of(place: &Place) -> u64 {
    let bits = place.axes.first().map_or(0, |axis| axis.weights.len());
    let is_varied = |&bit: &usize| place.axes.iter().any(|axis| axis.weights[bit] != 0);
    let varied = (0..bits).filter(is_varied).count();
    (place.scalar.bytes() as u64) << varied
}
