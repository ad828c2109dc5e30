//! Reductions and scans in a random grouping.
//!
//! The body of `reduce` and `scan` is assumed to be associative, and the identity to be neutral.
//! Compiled code relies on the former: it combines registers, lanes and warps in the order of the
//! layout. A [`Groups`] is one of the legal groupings, drawn at random, so that a body or an
//! identity that violates its assumption gives a different result:
//!
//! - elements are combined in random groups of neighbours, and prefixes with the total of the
//!   earlier elements;
//! - where compiled code may exchange elements, since the body is one commutative operation, their
//!   order is random;
//! - the identity is combined with some of them, from either side. If the outcome is the same
//!   number, the original bits are kept. A NaN is kept too, because an extremum has no identity for
//!   it.

use super::float_value::value;
use super::machine::{Machine, Slot, Stop};
use super::reduce::{Body, Tuple};
use super::shuffle::SplitMix;
use super::tile::{Lane, with_lane};

/// One combination of accumulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// `values[to]` becomes the combination of `values[earlier]` and `values[later]`.
    Combine {
        earlier: usize,
        later: usize,
        to: usize,
    },
    /// Combines the identity with a value, identity first.
    After(usize),
    /// Combines a value with the identity, identity last.
    Before(usize),
}

/// The order and groups in which elements are combined.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The positions along the axis in the order in which they are combined.
    order: Vec<usize>,
    steps: Vec<Step>,
    kept: Kept,
}

/// The accumulators that are results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    First,
    Each,
}

impl Groups {
    /// Makes a reduction in the order of the axis.
    pub(super) fn in_order(extent: usize, seed: u64) -> Self {
        Self::reduction((0..extent).collect(), &mut SplitMix::new(seed))
    }

    /// Makes a reduction in any order.
    pub(super) fn any(extent: usize, seed: u64) -> Self {
        let mut random = SplitMix::new(seed);
        let mut order: Vec<usize> = (0..extent).collect();
        for last in (1..extent).rev() {
            order.swap(last, random.below(last + 1));
        }
        Self::reduction(order, &mut random)
    }

    /// Makes a scan from the start of the axis.
    pub(super) fn prefixes(extent: usize, seed: u64) -> Self {
        Self::scan((0..extent).collect(), seed)
    }

    /// Makes a scan from the end of the axis.
    pub(super) fn suffixes(extent: usize, seed: u64) -> Self {
        Self::scan((0..extent).rev().collect(), seed)
    }

    fn reduction(order: Vec<usize>, random: &mut SplitMix) -> Self {
        let mut steps = Vec::new();
        reduce(0, order.len(), random, &mut steps);
        Self {
            order,
            steps,
            kept: Kept::First,
        }
    }

    fn scan(order: Vec<usize>, seed: u64) -> Self {
        let mut steps = Vec::new();
        scan(0, order.len(), &mut SplitMix::new(seed), &mut steps);
        Self {
            order,
            steps,
            kept: Kept::Each,
        }
    }

    /// Combines the operands of `body` and writes the results to `outs`.
    pub(super) fn run(
        &self,
        body: &Body,
        machine: &mut Machine<'_>,
        outs: &[Slot],
    ) -> Result<(), Stop> {
        body.begin(machine);
        match self.kept {
            Kept::First => body.room_for_totals(machine, outs),
            Kept::Each => body.room_for_prefixes(machine, outs),
        }
        let identity = body.identity();
        for first in (0..body.instances()).step_by(body.lanes) {
            let elements = self.order.iter();
            let mut values: Vec<Tuple> = elements
                .map(|&position| body.elements(machine, first, position))
                .collect();
            for &step in &self.steps {
                match step {
                    Step::Combine { earlier, later, to } => {
                        values[to] = body.combine(machine, &values[later], &values[earlier])?;
                    }
                    Step::After(index) => {
                        let joined = body.combine(machine, &values[index], &identity)?;
                        take_others(body, &mut values[index], &joined);
                    }
                    Step::Before(index) => {
                        let joined = body.combine(machine, &identity, &values[index])?;
                        take_others(body, &mut values[index], &joined);
                    }
                }
            }
            match self.kept {
                Kept::First => body.put_total(machine, outs, first, &values[0]),
                Kept::Each => {
                    for (&position, value) in self.order.iter().zip(&values) {
                        body.put_prefix(machine, outs, (first, position), value);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Combines the values from `low` to `high` into the first of them.
fn reduce(low: usize, high: usize, random: &mut SplitMix, steps: &mut Vec<Step>) {
    if high - low > 1 {
        let middle = low + 1 + random.below(high - low - 1);
        reduce(low, middle, random, steps);
        reduce(middle, high, random, steps);
        steps.push(Step::Combine {
            earlier: low,
            later: middle,
            to: low,
        });
    }
    identity(low, random, steps);
}

/// Computes prefixes of the values from `low` to `high`.
fn scan(low: usize, high: usize, random: &mut SplitMix, steps: &mut Vec<Step>) {
    if high - low > 1 {
        let middle = low + 1 + random.below(high - low - 1);
        scan(low, middle, random, steps);
        scan(middle, high, random, steps);
        steps.extend((middle..high).map(|index| Step::Combine {
            earlier: middle - 1,
            later: index,
            to: index,
        }));
        return;
    }
    identity(low, random, steps);
}

/// Combines the identity with the value at `index` in one of eight random cases.
fn identity(index: usize, random: &mut SplitMix, steps: &mut Vec<Step>) {
    match random.below(16) {
        0 => steps.push(Step::After(index)),
        1 => steps.push(Step::Before(index)),
        _ => {}
    }
}

/// Copies the instances that the identity has changed.
fn take_others(body: &Body, values: &mut Tuple, joined: &Tuple) {
    for lane in 0..body.lanes {
        let mut pairs = body.operands.iter().zip(values.iter().zip(joined));
        let stays = pairs.all(|(operand, (old, new))| {
            let (old, new) = (old.bits_at(lane), new.bits_at(lane));
            old == new || value(operand.scalar, old) == value(operand.scalar, new)
        });
        let mut pairs = body.operands.iter().zip(&*values);
        let is_nan = pairs.any(|(operand, old)| {
            value(operand.scalar, old.bits_at(lane)).is_some_and(f64::is_nan)
        });
        if stays || is_nan {
            continue;
        }
        for (old, new) in values.iter_mut().zip(joined) {
            with_lane!(old.storage(), L => L::lanes_mut(old)[lane] = L::lanes(new)[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the steps to positions, as text.
    fn combined(groups: &Groups) -> Vec<String> {
        let mut values: Vec<String> = groups
            .order
            .iter()
            .map(|index| format!("{index} "))
            .collect();
        for &step in &groups.steps {
            if let Step::Combine { earlier, later, to } = step {
                values[to] = format!("{}{}", values[earlier], values[later]);
            }
        }
        values
    }

    #[test]
    fn groups_in_order_hold_every_element_once_and_in_order() {
        for seed in 0..50 {
            let groups = Groups::in_order(16, seed);
            let expected_text: Vec<String> = (0..16).map(|index| format!("{index} ")).collect();
            assert_eq!(combined(&groups)[0], expected_text.concat());
        }
    }

    #[test]
    fn groups_in_any_order_hold_every_element_once() {
        let mut in_order = 0;
        for seed in 0..50 {
            let groups = Groups::any(16, seed);
            let text = combined(&groups)[0].clone();
            let mut indices: Vec<usize> = text
                .split_whitespace()
                .map(|index| index.parse().expect("a number"))
                .collect();
            in_order += usize::from(indices.is_sorted());
            indices.sort_unstable();
            assert_eq!(indices, (0..16).collect::<Vec<_>>());
        }
        assert_eq!(in_order, 0, "none of 16! orders is likely");
    }

    #[test]
    fn prefixes_and_suffixes_hold_what_comes_before_them() {
        for seed in 0..50 {
            let prefixes = combined(&Groups::prefixes(16, seed));
            let suffixes = combined(&Groups::suffixes(16, seed));
            for index in 0..16 {
                let text = |range: &mut dyn Iterator<Item = usize>| -> String {
                    range.fold(String::new(), |text, index| text + &index.to_string() + " ")
                };
                assert_eq!(prefixes[index], text(&mut (0..=index)));
                assert_eq!(suffixes[index], text(&mut (15 - index..16).rev()));
            }
        }
    }
}
