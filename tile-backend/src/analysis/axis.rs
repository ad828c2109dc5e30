//! Contiguity, divisibility and constancy of the elements of a tile along its axes.
//!
//! ```text
//!   element   16 17 18 19 | 32 33 34 35      contiguity 4, divisor 16, constancy 1
//!   element    5  5  5  5 |  9  9  9  9      contiguity 1, divisor  1, constancy 4
//! ```
//!
//! Facts are powers of two, stored as base-2 logarithms. Arithmetic is modulo the width of the element, and a
//! *unit* is the difference of neighbours: 1, or the size of a pointer's element in bytes.
//!
//! Invariants along each axis of a value, for any indices along the other axes:
//! - Within aligned groups of `contiguity` elements, each element is one unit more than its predecessor.
//! - The first element of each such group is a multiple of `divisor` (in bytes for pointers).
//! - Within aligned groups of `constancy` elements, all elements are equal.

use smallvec::SmallVec;

/// The logarithm of the divisor of a value that is zero or not yet known.
pub const ANY: u32 = 63;

/// The facts along one axis, as logarithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// Length of a group of neighbours.
    pub contiguity: u32,
    /// Divisor of the first element of such a group.
    pub divisor: u32,
    /// Length of a group of equal elements.
    pub constancy: u32,
}

impl Along {
    /// No known facts.
    pub const NOTHING: Self = Self {
        contiguity: 0,
        divisor: 0,
        constancy: 0,
    };

    /// Returns the divisor of every element at a multiple of `2^group`, where a unit is `2^unit`.
    pub fn divisor_at(self, group: u32, unit: u32) -> u32 {
        if group >= self.contiguity {
            self.divisor
        } else {
            self.divisor.min(group + unit)
        }
    }

    /// Shortens groups so that no carry leaves them: the length of a group must divide its first element.
    #[must_use]
    pub fn without_carry(self) -> Self {
        let contiguity = self.contiguity.min(self.divisor);
        Self {
            contiguity,
            divisor: self.divisor_at(contiguity, 0),
            constancy: self.constancy,
        }
    }

    /// Returns the facts of `lhs + rhs`, or of `lhs - rhs`. The elements of a difference are contiguous only
    /// where those of `lhs` are.
    pub fn sum(lhs: Self, rhs: Self, unit: u32, is_difference: bool) -> Self {
        let left = lhs.contiguity.min(rhs.constancy);
        let right = if is_difference {
            0
        } else {
            rhs.contiguity.min(lhs.constancy)
        };
        let contiguity = left.max(right);
        Self {
            contiguity,
            divisor: lhs
                .divisor_at(contiguity, unit)
                .min(rhs.divisor_at(contiguity, unit)),
            constancy: lhs.constancy.min(rhs.constancy),
        }
    }

    /// Returns the facts of `lhs * rhs`.
    pub fn product(lhs: Self, rhs: Self) -> Self {
        Self {
            contiguity: 0,
            divisor: (lhs.divisor_at(0, 0) + rhs.divisor_at(0, 0)).min(ANY),
            constancy: lhs.constancy.min(rhs.constancy),
        }
    }

    /// Returns the facts of a value that is `lhs` or `rhs`, selected separately for each aligned group of
    /// `2^chosen` elements.
    pub fn either(lhs: Self, rhs: Self, chosen: u32, unit: u32) -> Self {
        let contiguity = lhs.contiguity.min(rhs.contiguity).min(chosen);
        Self {
            contiguity,
            divisor: lhs
                .divisor_at(contiguity, unit)
                .min(rhs.divisor_at(contiguity, unit)),
            constancy: lhs.constancy.min(rhs.constancy).min(chosen),
        }
    }

    /// Returns the facts of any function of `lhs` and `rhs` whose result is divisible by every common
    /// divisor.
    pub fn mixed(lhs: Self, rhs: Self) -> Self {
        Self {
            contiguity: 0,
            divisor: lhs.divisor_at(0, 0).min(rhs.divisor_at(0, 0)),
            constancy: lhs.constancy.min(rhs.constancy),
        }
    }

    /// Returns the facts of `x / 2^bits`, rounded down.
    #[must_use]
    pub fn quotient(self, bits: u32) -> Self {
        let carryless = self.without_carry();
        Self {
            contiguity: if bits == 0 { carryless.contiguity } else { 0 },
            divisor: match self.divisor_at(0, 0) {
                ANY => ANY,
                divisor if bits == 0 => carryless.divisor.max(divisor),
                divisor => divisor.saturating_sub(bits),
            },
            constancy: self.constancy.max(carryless.contiguity.min(bits)),
        }
    }

    /// Returns the facts of the element modulo `2^bits`.
    #[must_use]
    pub fn remainder(self, bits: u32) -> Self {
        let contiguity = self.contiguity.min(self.divisor).min(bits);
        Self {
            contiguity,
            divisor: match self.divisor_at(contiguity, 0) {
                divisor if divisor >= bits => ANY,
                divisor => divisor,
            },
            constancy: self.constancy,
        }
    }

    /// Returns the facts of `lhs < rhs` and of `lhs >= rhs`. The result is constant within a group of
    /// neighbours that starts at a multiple of its length, if that length also divides the other side.
    pub fn is_below(lhs: Self, rhs: Self) -> Self {
        let steps = lhs
            .contiguity
            .min(lhs.divisor)
            .min(rhs.constancy)
            .min(rhs.divisor_at(0, 0));
        Self {
            constancy: lhs.constancy.min(rhs.constancy).max(steps),
            ..Self::NOTHING
        }
    }

    /// Returns the facts that hold for both values.
    #[must_use]
    pub fn meet(self, other: Self, unit: u32) -> Self {
        let contiguity = self.contiguity.min(other.contiguity);
        Self {
            contiguity,
            divisor: self
                .divisor_at(contiguity, unit)
                .min(other.divisor_at(contiguity, unit)),
            constancy: self.constancy.min(other.constancy),
        }
    }
}

/// The facts of a tile: one entry per axis, and one for a tile of rank 0.
pub type AxisInfo = SmallVec<[Along; 2]>;

#[cfg(test)]
mod tests {
    use super::{ANY, Along};

    /// Returns `true` if the facts hold for the elements of an axis of 16.
    fn holds(elements: &[u64], along: Along) -> bool {
        let group = |log2: u32| 1usize << log2.min(4);
        let counts = elements.chunks(group(along.contiguity)).all(|chunk| {
            let steps = chunk.windows(2).all(|pair| pair[1] == pair[0] + 1);
            steps && chunk[0].trailing_zeros() >= along.divisor.min(ANY)
        });
        let same = elements
            .chunks(group(along.constancy))
            .all(|chunk| chunk.iter().all(|element| *element == chunk[0]));
        counts && same
    }

    /// Returns sequences with all facts that are true of them, up to groups of 16.
    fn samples() -> Vec<(Vec<u64>, Along)> {
        let mut samples = Vec::new();
        for (start, group, step, every) in [
            (0, 16, 1, 1),
            (48, 16, 1, 1),
            (7, 16, 1, 1),
            (8, 4, 1, 32),
            (5, 4, 1, 7),
            (64, 1, 8, 8),
            (3, 1, 5, 5),
            (0, 2, 0, 6),
            (12, 16, 0, 0),
            (40, 4, 0, 24),
        ] {
            let elements: Vec<u64> = (0..16)
                .map(|index| start + index % group * step + index / group * every)
                .collect();
            for contiguity in 0..=4 {
                for divisor in 0..=6 {
                    for constancy in 0..=4 {
                        let along = Along {
                            contiguity,
                            divisor,
                            constancy,
                        };
                        if holds(&elements, along) {
                            samples.push((elements.clone(), along));
                        }
                    }
                }
            }
        }
        samples
    }

    #[test]
    fn what_is_said_of_a_result_is_true_of_every_element() {
        let samples = samples();
        let zip_with = |f: &dyn Fn(u64, u64) -> u64, a: &[u64], b: &[u64]| -> Vec<u64> {
            a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
        };
        for (a, left) in &samples {
            for bits in 0..=4 {
                let shifted: Vec<u64> = a.iter().map(|x| x >> bits).collect();
                assert!(
                    holds(&shifted, left.quotient(bits)),
                    "{a:?} {left:?} >> {bits}"
                );
                let rest: Vec<u64> = a.iter().map(|x| x % (1 << bits)).collect();
                assert!(
                    holds(&rest, left.remainder(bits)),
                    "{a:?} {left:?} % {bits}"
                );
            }
            for (b, right) in &samples {
                let sum = Along::sum(*left, *right, 0, false);
                assert!(holds(&zip_with(&|a, b| a + b, a, b), sum), "{a:?} + {b:?}");
                let difference = Along::sum(*left, *right, 0, true);
                let minus = zip_with(&|a, b| a + 1024 - b, a, b);
                assert!(holds(&minus, difference), "{a:?} - {b:?}");
                let product = Along::product(*left, *right);
                assert!(
                    holds(&zip_with(&|a, b| a * b, a, b), product),
                    "{a:?} * {b:?}"
                );
                let below = Along::is_below(*left, *right);
                assert!(
                    holds(&zip_with(&|a, b| u64::from(a < b), a, b), below),
                    "{a:?} < {b:?}"
                );
                let mixed = Along::mixed(*left, *right);
                assert!(
                    holds(&zip_with(&|a, b| a | b, a, b), mixed),
                    "{a:?} | {b:?}"
                );
                assert!(holds(&zip_with(&u64::max, a, b), mixed), "max {a:?} {b:?}");
                let both = left.meet(*right, 0);
                assert!(holds(a, both) && holds(b, both), "{a:?} or {b:?}");
                let halves = |index: usize| {
                    if (index / 4).is_multiple_of(2) {
                        a[index]
                    } else {
                        b[index]
                    }
                };
                let chosen: Vec<u64> = (0..16).map(halves).collect();
                assert!(
                    holds(&chosen, Along::either(*left, *right, 2, 0)),
                    "{a:?} ? {b:?}"
                );
            }
        }
    }
}
