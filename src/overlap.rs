//! Decides whether two views of one buffer share an element, and whether a view has two indices
//! for one element.
//!
//! The elements of a view are at `offset + stride[0] * i[0] + ..`, with `0 <= i[k] < extent[k]`.
//! Both questions are one equation with bounded unknowns:
//!
//! ```text
//! stride[0] * n[0] + stride[1] * n[1] + .. = target,    0 <= n[k] <= most[k]
//! ```
//!
//! Terms with equal strides are added, as are terms of which one continues the other without a gap,
//! so the axes of a row-major view become one term. The unknowns of the others are tried in order
//! of their strides, from the largest on. Bounds and divisibility leave few values: one or two where
//! the strides are those of a view of a row-major tensor. Two last terms are solved directly.
//!
//! The answer is exact, unless more than [`BUDGET`] values have to be tried.

use std::collections::HashSet;

use smallvec::SmallVec;

use crate::args::MAX_RANK;

/// The maximum number of values that are tried for one decision: some milliseconds.
pub(crate) const BUDGET: usize = 50_000;

/// The knowledge about the elements that two views, or two indices of one view, have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// They have none in common.
    Apart,
    /// They have an element in common.
    Shared,
    /// The budget did not suffice.
    Unknown,
}

/// The elements of a view in its buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a> {
    /// The position of the first element, in elements.
    pub(crate) offset: usize,
    pub(crate) shape: &'a [usize],
    /// The strides in elements.
    pub(crate) strides: &'a [usize],
    pub(crate) element_bytes: usize,
}

impl Elements<'_> {
    fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns the terms of the axes with more than one element, in units of `1 / scale` elements.
    fn terms(&self, scale: usize) -> impl Iterator<Item = Term> {
        self.shape
            .iter()
            .zip(self.strides)
            .filter(|(extent, _)| **extent > 1)
            .map(move |(&extent, &stride)| Term {
                stride: stride as i128 * scale as i128,
                most: extent as i128 - 1,
            })
    }
}

/// Decides whether two views of one buffer share an element.
pub(crate) fn between(a: &Elements<'_>, b: &Elements<'_>) -> Sharing {
    if a.is_empty() || b.is_empty() {
        return Sharing::Apart;
    }
    // Elements of different sizes are compared byte by byte.
    let (scale_a, scale_b) = if a.element_bytes == b.element_bytes {
        (1, 1)
    } else {
        (a.element_bytes, b.element_bytes)
    };
    let bytes = [scale_a, scale_b].map(|scale| Term {
        stride: 1,
        most: scale as i128 - 1,
    });
    let first: Vec<Term> = a.terms(scale_a).chain([bytes[0]]).collect();
    let second: Vec<Term> = b.terms(scale_b).chain([bytes[1]]).collect();
    // The unknowns of the second view count from its last element down.
    let reach: i128 = second.iter().map(Term::reach).sum();
    let start = |view: &Elements<'_>, scale: usize| view.offset as i128 * scale as i128;
    let target = start(b, scale_b) - start(a, scale_a) + reach;
    let mut budget = BUDGET;
    Equation::new(first.into_iter().chain(second)).solve(target, &mut budget)
}

/// Decides whether two indices of a view are the same element.
pub(crate) fn within(view: &Elements<'_>) -> Sharing {
    if view.is_empty() {
        return Sharing::Apart;
    }
    let mut terms: SmallVec<[Term; MAX_RANK]> = view.terms(1).collect();
    terms.sort_by_key(|term| term.stride);
    if terms.first().is_some_and(|term| term.stride == 0) {
        return Sharing::Shared;
    }
    let mut budget = BUDGET;
    let mut below = 0;
    let mut result = Sharing::Apart;
    for (number, term) in terms.iter().enumerate() {
        // Two indices that differ by `1..=most` along this axis, and not along those with larger
        // strides. The difference along each axis below counts from `-most`.
        let target = below - term.stride;
        below += term.reach();
        if target < 0 {
            continue;
        }
        let others = terms[..number].iter().map(|other| Term {
            most: 2 * other.most,
            ..*other
        });
        let this = Term {
            most: term.most - 1,
            ..*term
        };
        match Equation::new(others.chain([this])).solve(target, &mut budget) {
            Sharing::Apart => {}
            Sharing::Shared => return Sharing::Shared,
            Sharing::Unknown => result = Sharing::Unknown,
        }
    }
    result
}

/// A term `stride * n` with `0 <= n <= most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    stride: i128,
    most: i128,
}

impl Term {
    /// Returns the largest value.
    fn reach(&self) -> i128 {
        self.stride * self.most
    }
}

/// A sum of terms, in order of descending strides.
#[derive(Debug)]
struct Equation {
    terms: Vec<Term>,
    /// The largest value of the terms from each on.
    reach: Vec<i128>,
    /// The greatest common divisor of the strides from each term on; 0 after the last.
    divisor: Vec<i128>,
    /// The inverse of the stride of each term among the remainders that the terms below leave.
    inverse: Vec<i128>,
}

impl Equation {
    fn new(terms: impl Iterator<Item = Term>) -> Equation {
        let mut sorted: Vec<Term> = terms
            .filter(|term| term.stride > 0 && term.most > 0)
            .collect();
        sorted.sort_by_key(|term| term.stride);
        let mut merged: Vec<Term> = Vec::with_capacity(sorted.len());
        for term in sorted {
            // `s * n + s * q * m` takes every multiple of `s` if `n` goes up to `q - 1` at least.
            let continues = |finer: &&mut Term| {
                term.stride % finer.stride == 0 && finer.most >= term.stride / finer.stride - 1
            };
            match merged.iter_mut().find(continues) {
                Some(finer) => finer.most += term.stride / finer.stride * term.most,
                None => merged.push(term),
            }
        }
        merged.reverse();
        let mut reach = vec![0; merged.len() + 1];
        let mut divisor = vec![0; merged.len() + 1];
        for (number, term) in merged.iter().enumerate().rev() {
            reach[number] = reach[number + 1] + term.reach();
            divisor[number] = gcd(term.stride, divisor[number + 1]);
        }
        let inverse = merged
            .iter()
            .zip(divisor.windows(2))
            .map(|(term, pair)| inverse(term.stride / pair[0], pair[1] / pair[0]))
            .collect();
        Equation {
            terms: merged,
            reach,
            divisor,
            inverse,
        }
    }

    /// Decides whether the sum can have this value. Takes the number of tries from `budget`.
    fn solve(&self, target: i128, budget: &mut usize) -> Sharing {
        let mut refuted = HashSet::new();
        match self.search(0, target, budget, &mut refuted) {
            Some(true) => Sharing::Shared,
            Some(false) => Sharing::Apart,
            None => Sharing::Unknown,
        }
    }

    /// Returns `true` if the terms from `number` on can have the sum `rest`; `None` if the budget
    /// is spent.
    fn search(
        &self,
        number: usize,
        rest: i128,
        budget: &mut usize,
        refuted: &mut HashSet<(usize, i128)>,
    ) -> Option<bool> {
        if rest < 0 || rest > self.reach[number] {
            return Some(false);
        }
        let Some(term) = self.terms.get(number) else {
            return Some(true);
        };
        let (divisor, finer) = (self.divisor[number], self.divisor[number + 1]);
        if rest % divisor != 0 {
            return Some(false);
        }
        if finer == 0 {
            // The last term: `rest` is a multiple of its stride, within its reach.
            return Some(true);
        }
        // What the terms below must add up to is a multiple of `finer`.
        let modulus = finer / divisor;
        let residue = (rest / divisor % modulus) * self.inverse[number] % modulus;
        let least = (rest - self.reach[number + 1]).max(0);
        let least = least / term.stride + i128::from(least % term.stride != 0);
        let first = least + (residue - least).rem_euclid(modulus);
        let most = term.most.min(rest / term.stride);
        if self.terms.len() - number == 2 {
            // Every such value leaves a multiple of the last stride, within its reach.
            return Some(first <= most);
        }
        if refuted.contains(&(number, rest)) {
            return Some(false);
        }
        let mut value = first;
        while value <= most {
            *budget = budget.checked_sub(1)?;
            if self.search(number + 1, rest - value * term.stride, budget, refuted)? {
                return Some(true);
            }
            value += modulus;
        }
        refuted.insert((number, rest));
        Some(false)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the inverse of `value` modulo `modulus`, which have no common divisor; 0 if there is only
/// one remainder.
fn inverse(value: i128, modulus: i128) -> i128 {
    if modulus <= 1 {
        return 0;
    }
    let (mut a, mut b) = (value.rem_euclid(modulus), modulus);
    let (mut x, mut y) = (1, 0);
    while a > 1 && b > 0 {
        (x, y) = (y, x - a / b * y);
        (a, b) = (b, a % b);
    }
    x.rem_euclid(modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements<'a>(offset: usize, shape: &'a [usize], strides: &'a [usize]) -> Elements<'a> {
        Elements {
            offset,
            shape,
            strides,
            element_bytes: 4,
        }
    }

    /// Lists the bytes of all elements, one entry per index.
    fn bytes(view: &Elements<'_>) -> Vec<usize> {
        let mut places = vec![view.offset];
        for (&extent, &stride) in view.shape.iter().zip(view.strides) {
            places = places
                .iter()
                .flat_map(|place| (0..extent).map(move |index| place + index * stride))
                .collect();
        }
        let element =
            |place| (0..view.element_bytes).map(move |byte| place * view.element_bytes + byte);
        places.into_iter().flat_map(element).collect()
    }

    struct Random {
        offset: usize,
        shape: Vec<usize>,
        strides: Vec<usize>,
        element_bytes: usize,
    }

    impl Random {
        fn new(random: &mut fastrand::Rng, extent: usize, stride: usize) -> Random {
            let rank = random.usize(1..=4);
            let least = usize::from(random.usize(0..16) > 0);
            Random {
                offset: random.usize(0..=stride),
                shape: (0..rank).map(|_| random.usize(least..=extent)).collect(),
                strides: (0..rank).map(|_| random.usize(0..=stride)).collect(),
                element_bytes: 1 << random.usize(0..3),
            }
        }

        fn elements(&self) -> Elements<'_> {
            Elements {
                element_bytes: self.element_bytes,
                ..elements(self.offset, &self.shape, &self.strides)
            }
        }
    }

    #[test]
    fn random_pairs_are_decided_as_their_elements_say() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut counts = [0; 2];
        for (extent, stride) in [(3, 6), (4, 12), (5, 40), (3, 200)] {
            for _ in 0..4000 {
                let (a, b) = (
                    Random::new(&mut random, extent, stride),
                    Random::new(&mut random, extent, stride),
                );
                let (a, mut b) = (a.elements(), b.elements());
                if random.bool() {
                    b.element_bytes = a.element_bytes;
                }
                let of_a: HashSet<usize> = bytes(&a).into_iter().collect();
                let is_shared = bytes(&b).iter().any(|byte| of_a.contains(byte));
                let expected = if is_shared {
                    Sharing::Shared
                } else {
                    Sharing::Apart
                };
                assert_eq!(between(&a, &b), expected, "{a:?} {b:?}");
                assert_eq!(between(&b, &a), expected, "{b:?} {a:?}");
                counts[usize::from(is_shared)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 3000), "{counts:?}");
    }

    #[test]
    fn random_views_are_decided_as_their_indices_say() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut counts = [0; 2];
        for (extent, stride) in [(3, 6), (4, 12), (5, 40), (3, 200)] {
            for _ in 0..4000 {
                let view = Random::new(&mut random, extent, stride);
                let view = view.elements();
                let mut all = bytes(&view);
                let indices = all.len();
                all.sort_unstable();
                all.dedup();
                let is_shared = all.len() < indices;
                let expected = if is_shared {
                    Sharing::Shared
                } else {
                    Sharing::Apart
                };
                assert_eq!(within(&view), expected, "{view:?}");
                counts[usize::from(is_shared)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 3000), "{counts:?}");
    }

    #[test]
    fn interleaved_rows_columns_and_diagonals_are_apart() {
        // Columns of a matrix of a million rows.
        let (shape, strides) = ([1_000_000, 3], [1000, 1]);
        let columns = |first| elements(first, &shape, &strides);
        assert_eq!(between(&columns(0), &columns(3)), Sharing::Apart);
        assert_eq!(between(&columns(0), &columns(2)), Sharing::Shared);
        // Even and odd elements, by two axes and by one.
        let (even, odd) = (
            elements(0, &[1000, 500], &[1000, 2]),
            elements(1, &[500_000], &[2]),
        );
        assert_eq!(between(&even, &odd), Sharing::Apart);
        // The diagonal and the one beside it.
        let (diagonal, beside) = (elements(0, &[1000], &[1001]), elements(1, &[999], &[1001]));
        assert_eq!(between(&diagonal, &beside), Sharing::Apart);
        let row = elements(5000, &[1000], &[1]);
        assert_eq!(between(&diagonal, &row), Sharing::Shared);
    }

    #[test]
    fn parts_of_a_permuted_tensor_of_eight_axes_are_told_apart() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let mut axes: Vec<(usize, usize)> = Vec::new();
            let mut stride = 1;
            for _ in 0..8 {
                let extent = random.usize(2..200);
                axes.push((extent, stride));
                stride *= extent + random.usize(0..2) * random.usize(0..50);
            }
            random.shuffle(&mut axes);
            let strides: Vec<usize> = axes.iter().map(|axis| axis.1).collect();
            let whole: Vec<usize> = axes.iter().map(|axis| axis.0).collect();
            assert_eq!(within(&elements(0, &whole, &strides)), Sharing::Apart);
            let axis = random.usize(0..8);
            let at = random.usize(1..whole[axis]);
            let (mut left, mut right) = (whole.clone(), whole.clone());
            left[axis] = at;
            right[axis] -= at;
            let right = elements(at * strides[axis], &right, &strides);
            assert_eq!(
                between(&elements(0, &left, &strides), &right),
                Sharing::Apart
            );
            left[axis] += 1;
            assert_eq!(
                between(&elements(0, &left, &strides), &right),
                Sharing::Shared
            );
        }
    }

    #[test]
    fn the_largest_views_do_not_overflow() {
        let most = isize::MAX.unsigned_abs();
        let shape = [most];
        let all = elements(0, &shape, &[1]);
        let last = elements(most - 1, &[1], &[1]);
        assert_eq!(between(&all, &last), Sharing::Shared);
        assert_eq!(between(&all, &elements(most, &[1], &[1])), Sharing::Apart);
        assert_eq!(within(&elements(0, &[most, 2], &[1, most])), Sharing::Apart);
        assert_eq!(
            within(&elements(0, &[most, 2], &[1, most - 1])),
            Sharing::Shared
        );
    }

    #[test]
    fn what_takes_too_many_tries_is_unknown() {
        // Three strides without common divisors, and a sum that no bound excludes.
        let shape = [100_000, 100_000];
        let a = elements(0, &shape, &[1_000_003, 999_983]);
        let b = elements(1, &shape, &[1_000_033, 999_979]);
        let (sharing, other) = (between(&a, &b), between(&b, &a));
        assert_eq!(sharing, other);
        let terms = [(7, 5), (11, 5), (13, 5)].map(|(stride, most)| Term { stride, most });
        let equation = Equation::new(terms.into_iter());
        assert_eq!(equation.solve(31, &mut 0), Sharing::Unknown);
        assert_eq!(equation.solve(31, &mut 100), Sharing::Shared);
        assert_eq!(equation.solve(16, &mut 100), Sharing::Apart);
    }
}
