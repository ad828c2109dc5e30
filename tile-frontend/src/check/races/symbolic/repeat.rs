//! Loops: the values of variables that a loop assigns, and the number of its iterations.

use super::super::bound::Loop;
use super::super::disjoint::upper_bound;
use super::super::known::Length;
use super::super::needs::program;
use super::super::number::{Atom, Number};
use super::{Follow, Mode, Value};
use crate::hir::walk::{Jump, Outcome, each_expr};
use crate::hir::{Adapter, Block, Elem, ExprId, ExprKind, LocalId, Parallel, Range, TargetId, Ty};

impl Follow<'_> {
    pub(super) fn trip(&mut self, most: Option<Number>) -> Number {
        // A loop of one iteration needs no atom.
        if let Some(most) = most.as_ref().filter(|most| most.value() == Some(1)) {
            return Number::default().needing_as(most);
        }
        self.known.trips.push(most);
        self.known.lengths.push(None);
        Number::atom(Atom::Trip(self.known.trips.len() - 1))
    }

    /// Executes a parallel loop, whose iterations are distinguished like blocks.
    pub(super) fn parallel(&mut self, id: ExprId, parallel: &Parallel) -> Value {
        if let Some(init) = parallel.init {
            self.expr(init);
        }
        let before = self.points.len();
        let (fixed, under) = (self.fixed.clone(), self.under.clone());
        for (local, &[low, high]) in parallel.locals.iter().zip(&parallel.ranges) {
            let (low, high) = (self.number(low), self.number(high));
            let len = ends(&high)
                .iter()
                .find_map(|end| upper_bound(&end.minus(&low)));
            self.points.push(self.known.trips.len());
            self.known.trips.push(len);
            self.known.lengths.push(Some(Length {
                distance: high.minus(&low),
                stride: Number::constant(1),
                behind: false,
            }));
            let trip = Number::atom(Atom::Trip(self.known.trips.len() - 1));
            self.values[local.index()] = Some(Value::Number(low.plus(&trip)));
        }
        self.expr(parallel.body);
        (self.fixed, self.under) = (fixed, under);
        self.points.truncate(before);
        self.unknown(&self.kernel.expr(id).ty, false)
    }

    /// Executes a `for` loop.
    pub(super) fn for_loop(
        &mut self,
        target: TargetId,
        local: LocalId,
        range: &Range,
        body: &Block,
    ) {
        let (value, trip) = self.range(range);
        self.values[local.index()] = Some(Value::Number(value));
        let around = self.around.len();
        self.around.extend(trip);
        self.repeated(Jump::Continue(target), body, &Loop::For(trip));
        self.around.truncate(around);
    }

    /// Returns the loop variable (the start of the range plus one step per iteration) and the
    /// number of its trip atom.
    pub(super) fn range(&mut self, range: &Range) -> (Number, Option<usize>) {
        let low = self.number(range.low);
        let high = self.number(range.high);
        let mut step = Number::constant(1);
        let mut from_high = false;
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev if step.value() == Some(1) => from_high = !from_high,
                // The loop has the same numbers in another order.
                Adapter::Rev => {}
                Adapter::StepBy(by) => {
                    let by = self.number(*by);
                    step = step.times(&by);
                }
            }
        }
        let last = Number::constant(i128::from(range.inclusive));
        let distance = high.plus(&last).minus(&low);
        let mut most: Option<Number> = None;
        for end in ends(&high) {
            let mut len = end.plus(&last).minus(&low);
            // Both ends may be words that wrap around, so their distance is taken modulo `2^bits`.
            if let Some(word) = self.word(range.low) {
                let distance = len.low(word.bits());
                if distance.value().is_some_and(|distance| distance > 0) {
                    len = distance;
                }
            }
            if most.is_none() {
                most = upper_bound(&len);
            }
        }
        let most = match step.value() {
            Some(1) => most,
            Some(by) if by > 1 => most
                .and_then(|most| most.value())
                .map(|most| Number::constant((most + by - 1).div_euclid(by))),
            _ => None,
        };
        let first = if from_high && step.value() != Some(1) {
            high.plus(&last).minus(&Number::constant(1))
        } else {
            low
        };
        let sign = if from_high && step.value() != Some(1) {
            -1
        } else {
            1
        };
        let before = self.known.trips.len();
        let trip = self.trip(most);
        let counts = self.known.trips.len() > before;
        if counts {
            self.known.lengths[before] = Some(Length {
                distance,
                stride: step.clone(),
                behind: false,
            });
        }
        let value = first.plus(&step.times(&trip).scaled(sign));
        (value, counts.then_some(before))
    }

    /// Executes the body of a loop, whose variables advance by a fixed step in each iteration or
    /// are unknown.
    pub(super) fn repeated(&mut self, next: Jump, body: &Block, around: &Loop) {
        let kernel = self.kernel;
        let outcome = Outcome::from_block(&kernel.exprs, body);
        let carried: Vec<LocalId> = outcome
            .assigned
            .iter()
            .copied()
            .filter(|local| self.values[local.index()].is_some())
            .collect();
        if carried.is_empty() {
            self.inside(body);
            return;
        }
        let start = self.values.clone();
        let created = self.atoms;
        let mut heads = Vec::new();
        for local in &carried {
            let ty = kernel.local(*local).ty.clone();
            let value = self.unknown(&ty, false);
            heads.push(value.clone());
            self.values[local.index()] = Some(value);
        }
        let (mode, trips) = (self.mode, self.known.trips.len());
        self.mode = Mode::Try;
        self.inside(body);
        self.mode = mode;
        let straight = !outcome.jumps.contains(&next);
        let ends = carried.iter().zip(&heads);
        let steps: Vec<Option<Number>> = ends
            .map(|(local, head)| {
                let step = self.step(*local, head)?;
                let outside = step.holds(&|atom| is_made_before(atom, trips, created));
                (straight && outside).then_some(step)
            })
            .collect();
        self.values = start;
        let length = self.length(around, &carried, &steps);
        self.take_steps(&carried, &steps, length.as_ref());
        let head = self.values.clone();
        self.inside(body);
        self.values = head;
        // This is the state after the loop, following an unknown number of iterations.
        self.take_steps(&carried, &steps, length.as_ref());
    }

    /// Returns by how much an iteration advances a variable, which had the value `head` at its start.
    fn step(&self, local: LocalId, head: &Value) -> Option<Number> {
        let (Some(Value::Number(end)), Value::Number(head)) = (&self.values[local.index()], head)
        else {
            return None;
        };
        // A word that wraps around advances by the same step and then wraps.
        let end = match (end.as_wrap(), &self.kernel.local(local).ty) {
            (Some((bits, inner)), Ty::Scalar(Elem::Known(scalar))) if bits == scalar.bits() => {
                inner
            }
            _ => end,
        };
        Some(end.minus(head))
    }

    /// Returns the number of iterations of a loop from its start, as far as a launch can compute
    /// it, and the position of the counter among the carried variables.
    fn length(
        &mut self,
        around: &Loop,
        carried: &[LocalId],
        steps: &[Option<Number>],
    ) -> Option<(Length, Option<usize>)> {
        let bounds = match around {
            Loop::For(trip) => {
                let length = self.known.lengths[(*trip)?].clone();
                return length.map(|length| {
                    let behind = true;
                    (Length { behind, ..length }, None)
                });
            }
            Loop::While(bounds) => bounds,
        };
        bounds.iter().find_map(|bound| {
            let index = carried.iter().position(|local| *local == bound.counter)?;
            let step = steps[index].clone()?;
            let Some(Value::Number(start)) = self.values[bound.counter.index()].clone() else {
                return None;
            };
            // A variable that the loop assigns may have another value in each iteration.
            let mut reads = false;
            each_expr(&self.kernel.exprs, bound.end, &mut |_, part| {
                reads |= matches!(part.kind, ExprKind::Local(local) if carried.contains(&local));
            });
            if reads {
                return None;
            }
            let end = self.pure(bound.end);
            let last = Number::constant(i128::from(bound.inclusive));
            let (distance, stride) = if bound.descends {
                (start.minus(&end), step.scaled(-1))
            } else {
                (end.minus(&start), step)
            };
            let distance = distance.plus(&last);
            program(&distance, 32, &self.known)?;
            let behind = true;
            let length = Length {
                distance,
                stride,
                behind,
            };
            Some((length, Some(index)))
        })
    }

    /// Gives carried variables the value that they have after an unknown number of steps.
    ///
    /// The length of a `while` loop is right only if its counter does not wrap around, since the
    /// loop would otherwise continue. The values of all carried variables rely on that.
    fn take_steps(
        &mut self,
        carried: &[LocalId],
        steps: &[Option<Number>],
        length: Option<&(Length, Option<usize>)>,
    ) {
        let counter = length.and_then(|(_, counter)| *counter);
        let mut length = length.map(|(length, _)| length);
        let mut counted = Number::default();
        let others = (0..carried.len()).filter(|&position| Some(position) != counter);
        for position in counter.into_iter().chain(others) {
            let index = carried[position].index();
            let ty = self.kernel.local(carried[position]).ty.clone();
            let value = match (&self.values[index], &steps[position]) {
                (Some(Value::Number(start)), Some(step)) => {
                    let start = start.clone();
                    let trip = self.trip(None);
                    let number = start.plus(&step.times(&trip));
                    let before = self.known.lengths.len() - 1;
                    self.known.lengths[before] = length.cloned();
                    let mut value = match &ty {
                        Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer() => {
                            self.wrapped_to(*scalar, number.clone())
                        }
                        _ => number.clone(),
                    };
                    if Some(position) == counter {
                        if value != number {
                            // The word differs from the number, so the counter may wrap around.
                            self.known.lengths[before] = None;
                            length = None;
                        }
                        counted = value.clone();
                    }
                    value = value.needing_as(&counted).anchored();
                    Value::Number(value)
                }
                _ => self.unknown(&ty, false),
            };
            self.values[index] = Some(value);
        }
    }
}

/// Returns upper bounds of a number.
fn ends(number: &Number) -> Vec<Number> {
    let mut bounds = vec![number.clone()];
    let mut terms = number.terms();
    if let (Some((monomial, 1)), None) = (terms.next(), terms.next())
        && let [Atom::Min(a, b)] = &monomial[..]
    {
        bounds.extend(ends(a));
        bounds.extend(ends(b));
    }
    bounds
}

/// Returns `true` if an atom has the same value in each iteration of a loop, because it is no operation and
/// was created before the loop: there were `trips` trip atoms and `created` other atoms then.
fn is_made_before(atom: &Atom, trips: usize, created: usize) -> bool {
    match atom {
        Atom::Trip(number) => *number < trips,
        Atom::Uniform(number) | Atom::Varying(number) => *number <= created,
        Atom::Block(_) | Atom::Grid(_) | Atom::Param(_) | Atom::Extent(..) | Atom::Tiles(..) => {
            true
        }
        Atom::Div(..)
        | Atom::Rem(..)
        | Atom::Min(..)
        | Atom::Max(..)
        | Atom::Wrap(..)
        | Atom::Bits(..)
        | Atom::Choice(..) => false,
    }
}
