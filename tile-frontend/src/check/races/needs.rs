//! Collects the claims that each launch must check so that the stores of a kernel are apart.
//!
//! In: the numbers by which two stores are disjoint. Out: the claims that the proof relies on, each
//! as a program over the numbers of a launch, with the enclosing conditions.

use super::disjoint::Place;
use super::known::{Known, Length};
use super::number::{Atom, BitOp, Number};
use crate::hir::signature::HostScalar;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::reach::{Claim, Step};

/// The maximum number of instructions of a program. Longer programs would not be more useful.
const MAX_STEPS: usize = 2000;
/// The assumed maximum number of iterations of a loop with a 64-bit counter about which nothing
/// else is known. More iterations would take hours.
const MAX_TRIPS: i128 = 1 << 38;

/// A claim that a proof relies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) number: Number,
    pub(super) claim: Claim,
    /// The claim must hold if all of these conditions apply.
    pub(super) guards: Vec<Guard>,
}

/// A condition, the same in every block, under which code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// The condition has this value.
    Holds(Number, bool),
    /// The loop has at least one iteration.
    Runs(usize),
}

/// Returns the program that computes a number, for words of `bits` bits; `None` if a launch cannot
/// compute it.
pub(super) fn program(number: &Number, bits: u32, known: &Known) -> Option<Vec<Step>> {
    let mut writer = Writer {
        known,
        bits,
        steps: Vec::new(),
    };
    writer.number(number)?;
    Some(writer.steps)
}

struct Writer<'k> {
    known: &'k Known,
    /// The width of the word that the number becomes. A number that may be any word of that width
    /// counts as unknown.
    bits: u32,
    steps: Vec<Step>,
}

impl Writer<'_> {
    /// Writes a polynomial as a sum over the products of its varying atoms. Everything that the launch knows
    /// exactly is collected in one factor per product, since the interval of `16 * b - n * b` is wider than
    /// that of `(16 - n) * b`.
    fn number(&mut self, number: &Number) -> Option<()> {
        if self.steps.len() > MAX_STEPS {
            return None;
        }
        let mut factors: BTreeMap<Vec<&Atom>, Vec<(Vec<&Atom>, i128)>> = BTreeMap::new();
        for (monomial, factor) in number.terms() {
            let (uniform, varying) = monomial.iter().partition(|atom| atom.is_uniform());
            factors.entry(varying).or_default().push((uniform, factor));
        }
        if factors.is_empty() {
            self.steps.push(Step::Int(0));
        }
        let mut is_first = true;
        for (varying, terms) in factors {
            let is_one = matches!(&terms[..], [(uniform, 1)] if uniform.is_empty());
            let mut is_written = !is_one || varying.is_empty();
            if is_written {
                self.sum(&terms)?;
            }
            for atom in varying {
                self.atom(atom)?;
                if is_written {
                    self.steps.push(Step::Mul);
                }
                is_written = true;
            }
            if !is_first {
                self.steps.push(Step::Add);
            }
            is_first = false;
        }
        Some(())
    }

    /// Writes a sum of products.
    fn sum(&mut self, terms: &[(Vec<&Atom>, i128)]) -> Option<()> {
        for (index, (atoms, factor)) in terms.iter().enumerate() {
            let mut atoms = atoms.iter();
            match atoms.next() {
                Some(atom) if *factor == 1 => self.atom(atom)?,
                Some(atom) => {
                    self.steps.push(Step::Int(*factor));
                    self.atom(atom)?;
                    self.steps.push(Step::Mul);
                }
                None => self.steps.push(Step::Int(*factor)),
            }
            for atom in atoms {
                self.atom(atom)?;
                self.steps.push(Step::Mul);
            }
            if index > 0 {
                self.steps.push(Step::Add);
            }
        }
        Some(())
    }

    /// Writes the operands of `step`, which may be any words.
    fn parts(&mut self, numbers: &[&Number], step: Step) -> Option<()> {
        let bits = std::mem::replace(&mut self.bits, 64);
        let written = numbers.iter().try_for_each(|number| self.number(number));
        self.bits = bits;
        self.steps.push(step);
        written
    }

    fn atom(&mut self, atom: &Atom) -> Option<()> {
        match atom {
            Atom::Block(axis) => self.steps.push(Step::Block(*axis)),
            Atom::Grid(axis) => self.steps.push(Step::Blocks(*axis)),
            Atom::Param(local) => {
                let (param, scalar) = *self.known.scalars.get(local)?;
                self.steps.push(Step::Scalar {
                    param,
                    bits: if scalar == HostScalar::Bool {
                        8
                    } else {
                        scalar.bits()
                    },
                    signed: scalar.is_signed(),
                });
            }
            Atom::Extent(param, axis) => {
                let (param, axis) = (*param, *axis);
                self.steps.push(Step::Dim { param, axis });
            }
            Atom::Tiles(param, axis, step) => {
                let (param, axis, step) = (*param, *axis, *step);
                self.steps.push(Step::Tiles { param, axis, step });
            }
            Atom::Trip(number) => self.trip(*number)?,
            Atom::Uniform(number) | Atom::Varying(number) => {
                if let Some((text, a, b)) = self.known.conditions.get(number)
                    && a.needs().chain(b.needs()).next().is_none()
                {
                    let before = self.steps.len();
                    if self.parts(&[a, b], comparison(text)).is_some() {
                        return Some(());
                    }
                    self.steps.truncate(before);
                    self.steps.push(Step::Between(0, 1));
                    return Some(());
                }
                let (low, high) = *self.known.words.get(number)?;
                let room = 1_i128 << (self.bits - 2);
                if low < -room || high > room {
                    return None;
                }
                self.steps.push(Step::Between(low, high));
            }
            Atom::Div(a, b) => self.parts(&[a, b], Step::Div)?,
            Atom::Rem(a, b) => self.parts(&[a, b], Step::Rem)?,
            Atom::Min(a, b) => self.parts(&[a, b], Step::Min)?,
            Atom::Max(a, b) => self.parts(&[a, b], Step::Max)?,
            Atom::Wrap(bits, signed, number) => {
                let (bits, signed) = (*bits, *signed);
                let before = self.steps.len();
                if self.parts(&[number], Step::Word { bits, signed }).is_none() {
                    self.steps.truncate(before);
                    let (low, high) = super::number::words(bits, signed);
                    self.steps.push(Step::Between(low, high));
                }
            }
            Atom::Bits(op, a, b) => self.parts(
                &[a, b],
                match op {
                    BitOp::And => Step::And,
                    BitOp::Or => Step::Or,
                    BitOp::Xor => Step::Xor,
                    BitOp::Shr => Step::Shr,
                },
            )?,
            Atom::Choice(cond, a, b) => {
                let before = self.steps.len();
                if self.number(cond).is_none() {
                    self.steps.truncate(before);
                    self.steps.push(Step::Between(0, 1));
                }
                self.number(a)?;
                self.number(b)?;
                self.steps.push(Step::Choice);
            }
        }
        Some(())
    }

    fn trip(&mut self, number: usize) -> Option<()> {
        if let Some(Length {
            distance,
            stride,
            behind,
        }) = &self.known.lengths[number]
        {
            self.number(distance)?;
            if *behind {
                // After a loop without iterations, a variable has its initial value.
                self.steps.extend([Step::Int(1), Step::Max]);
            }
            self.number(stride)?;
            self.steps.push(Step::Trips);
            if *behind {
                self.steps.extend([Step::Between(0, 1), Step::Add]);
            }
        } else if let Some(most) = &self.known.trips[number] {
            self.number(most)?;
            self.steps.extend([Step::Int(1), Step::Trips]);
        } else if self.bits == 64 {
            self.steps.push(Step::Between(0, MAX_TRIPS));
        } else {
            return None;
        }
        Some(())
    }
}

fn comparison(text: &str) -> Step {
    match text {
        "==" => Step::Equal,
        "<" => Step::Less,
        _ => Step::AtMost,
    }
}

impl Guard {
    /// Returns a program that ends early if the code does not run, provided that a launch can tell.
    fn program(&self, known: &Known) -> Option<Vec<Step>> {
        match self {
            Guard::Holds(condition, holds) => {
                let mut is_known = false;
                condition.each_atom(&mut |atom| {
                    is_known |=
                        matches!(atom, Atom::Uniform(number) if known.conditions.contains_key(number));
                });
                if !is_known {
                    return None;
                }
                let mut steps = program(condition, 64, known)?;
                steps.push(Step::Given(*holds));
                Some(steps)
            }
            Guard::Runs(trip) => {
                let mut needs = false;
                let mut check = |number: &Number| needs |= number.needs().next().is_some();
                if let Some(Length {
                    distance, stride, ..
                }) = &known.lengths[*trip]
                {
                    check(distance);
                    check(stride);
                } else {
                    check(known.trips[*trip].as_ref()?);
                }
                if needs {
                    return None;
                }
                let mut steps = program(&Number::atom(Atom::Trip(*trip)), 64, known)?;
                steps.push(Step::Drop);
                Some(steps)
            }
        }
    }
}

/// The claim about each extent of a tensor, since the extents are 32-bit numbers in the kernel.
const EXTENT: Claim = Claim::Fits {
    bits: 32,
    signed: true,
};

/// Returns a program that ends early if a launch has one block along the axes of these block ids,
/// since there is no other block whose stores could meet. Iterations of a parallel loop are
/// compared in every launch.
fn several_blocks(block_ids: &[Atom]) -> Vec<Step> {
    let mut steps = vec![Step::Int(1)];
    for atom in block_ids {
        let Atom::Block(axis) = atom else {
            return Vec::new();
        };
        steps.extend([Step::Blocks(*axis), Step::Mul]);
    }
    steps.extend([Step::Int(1), Step::Equal, Step::Given(false)]);
    steps
}

/// Returns all claims under which two stores are apart according to these axes of the tensor, for
/// blocks that differ in these ids.
pub(super) fn claims(
    places: [&Place; 2],
    axes: &[usize],
    block_ids: &[Atom],
    always: &[Number],
    known: &Known,
) -> Vec<(Claim, Vec<Step>)> {
    let [first, second] = places;
    let mut collected = Collected::default();
    let mut chooses = first.under != second.under;
    for place in places {
        for &axis in axes {
            if let Some(start) = &place.spans[axis].start {
                chooses |= start.choice().is_some();
                collected.number(start, known);
            }
        }
        for value in place.fixed.values() {
            collected.number(value, known);
        }
        for &point in &place.points {
            collected.number(&Number::atom(Atom::Trip(point)), known);
        }
    }
    if chooses {
        for place in places {
            for condition in place.under.keys() {
                collected.number(condition, known);
            }
        }
    }
    for number in always {
        collected.number(number, known);
    }
    let around = first
        .under
        .iter()
        .filter(|(condition, holds)| second.under.get(condition) == Some(holds))
        .map(|(condition, holds)| Guard::Holds(condition.clone(), *holds));
    let loops = first
        .around
        .iter()
        .filter(|trip| second.around.contains(trip));
    let around: Vec<Guard> = around.chain(loops.map(|&trip| Guard::Runs(trip))).collect();
    let needs = collected
        .needs
        .iter()
        .map(|&index| known.needs[index].clone());
    let extents = collected.extents.iter().map(|atom| Need {
        number: Number::atom(atom.clone()),
        claim: EXTENT,
        guards: Vec::new(),
    });
    let widths = known.widths.borrow();
    let mut claims = Vec::new();
    let several = several_blocks(block_ids);
    for need in needs.chain(extents).chain(widths.iter().cloned()) {
        let mut steps = several.clone();
        let mut guards: Vec<&Guard> = Vec::new();
        for guard in need.guards.iter().chain(&around) {
            if !guards.contains(&guard) {
                guards.push(guard);
                steps.extend(guard.program(known).into_iter().flatten());
            }
        }
        let need_steps = program(&need.number, 64, known);
        steps.extend(need_steps.expect("a need is only made of what a launch knows"));
        let claim = (need.claim, steps);
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    claims
}

/// The needs, loops and extents that numbers depend on.
#[derive(Default)]
struct Collected {
    needs: BTreeSet<usize>,
    trips: BTreeSet<usize>,
    extents: BTreeSet<Atom>,
}

impl Collected {
    fn number(&mut self, number: &Number, known: &Known) {
        for need in number.needs() {
            if self.needs.insert(need) {
                self.number(&known.needs[need].number, known);
            }
        }
        let mut trips = Vec::new();
        number.each_atom(&mut |atom| match atom {
            Atom::Trip(trip) => trips.push(*trip),
            Atom::Extent(..) | Atom::Tiles(..) => {
                self.extents.insert(atom.clone());
            }
            Atom::Block(_)
            | Atom::Grid(_)
            | Atom::Param(_)
            | Atom::Uniform(_)
            | Atom::Varying(_)
            | Atom::Div(..)
            | Atom::Rem(..)
            | Atom::Min(..)
            | Atom::Max(..)
            | Atom::Wrap(..)
            | Atom::Bits(..)
            | Atom::Choice(..) => {}
        });
        for trip in trips {
            if !self.trips.insert(trip) {
                continue;
            }
            if let Some(most) = &known.trips[trip] {
                self.number(most, known);
            }
            if let Some(Length {
                distance, stride, ..
            }) = &known.lengths[trip]
            {
                self.number(distance, known);
                self.number(stride, known);
            }
        }
    }
}
