//! Decides whether there are solutions of `low <= κ₁·Δ₁ + κ₂·Δ₂ + .. <= high`, possibly modulo a
//! number.

/// The maximum number of values that are tried before a solution is assumed to exist.
const MAX_TRIED: usize = 4096;
/// A number greater than any difference.
const UNBOUNDED: i128 = 1 << 62;
/// The maximum size of the range `low..=high` for which the lowest bits are examined.
const MAX_ENDS: i128 = 64;

/// A term `κ·Δ`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) factor: i128,
    /// The bounds of `Δ`; `None` if it may be any number.
    pub(super) bounds: Option<(i128, i128)>,
}

/// Returns `true` if there may be a solution in which the `Δ` of one term is not 0.
pub(super) fn may_differ(
    terms: &[Term],
    index: usize,
    ends: (i128, i128),
    modulus: Option<i128>,
) -> bool {
    if ends.0 > ends.1 {
        return false;
    }
    let mut parts: Vec<Part> = terms
        .iter()
        .enumerate()
        .filter(|(number, term)| term.factor != 0 || *number == index)
        .map(|(number, term)| {
            let (low, high) = term.bounds.unwrap_or((-UNBOUNDED, UNBOUNDED));
            Part {
                factor: term.factor,
                low: low.max(-UNBOUNDED),
                high: high.min(UNBOUNDED),
                asked: number == index,
            }
        })
        .collect();
    // Divide by the common divisor of all factors and the modulus.
    let factors = parts.iter().map(|part| part.factor);
    let unit = factors
        .chain(modulus)
        .fold(0, super::disjoint::divisor)
        .max(1);
    for part in &mut parts {
        part.factor /= unit;
    }
    let modulus = modulus.map(|modulus| modulus / unit);
    let ends = (-((-ends.0).div_euclid(unit)), ends.1.div_euclid(unit));
    if ends.0 > ends.1 {
        return false;
    }
    if let Some(modulus) = modulus
        && !from_low_bits(&parts, ends, modulus)
    {
        return false;
    }
    parts.extend(modulus.map(|factor| Part {
        factor,
        low: -UNBOUNDED,
        high: UNBOUNDED,
        asked: false,
    }));
    from_high(&parts, ends)
}

#[derive(Clone, Copy)]
struct Part {
    factor: i128,
    low: i128,
    high: i128,
    asked: bool,
}

impl Part {
    fn ends(&self) -> (i128, i128) {
        let (a, b) = (
            self.factor.saturating_mul(self.low),
            self.factor.saturating_mul(self.high),
        );
        (a.min(b), a.max(b))
    }
}

/// Returns the numbers of a range, those near 0 first.
fn outward(low: i128, high: i128) -> impl Iterator<Item = i128> {
    let middle = 0.max(low).min(high);
    let distance = (high - middle).max(middle - low).max(0);
    (0..=distance).flat_map(move |by| {
        let up = Some(middle + by).filter(|it| (low..=high).contains(it));
        let down = Some(middle - by).filter(|it| by > 0 && (low..=high).contains(it));
        up.into_iter().chain(down)
    })
}

/// Tries values for the terms in descending order of their factors: the remainder must be within
/// reach of the other terms.
fn from_high(parts: &[Part], ends: (i128, i128)) -> bool {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| std::cmp::Reverse(part.factor.unsigned_abs()));
    let mut tried = 0;
    high(&parts, ends, false, &mut tried)
}

fn high(parts: &[Part], (low, high_end): (i128, i128), is_found: bool, tried: &mut usize) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return is_found && low <= 0 && 0 <= high_end;
    };
    let step = parts
        .iter()
        .fold(0, |step, part| super::disjoint::divisor(step, part.factor));
    if step != 0 && high_end.div_euclid(step) * step < low {
        return false;
    }
    let (least, most) = rest.iter().fold((0_i128, 0_i128), |(least, most), part| {
        let (low, high) = part.ends();
        (least.saturating_add(low), most.saturating_add(high))
    });
    let (from, to) = (low.saturating_sub(most), high_end.saturating_sub(least));
    let (mut first, mut last) = (part.low, part.high);
    if part.factor != 0 {
        let factor = part.factor.abs();
        let (mut down, mut up) = (-((-from).div_euclid(factor)), to.div_euclid(factor));
        if part.factor < 0 {
            (down, up) = (-up, -down);
        }
        (first, last) = (first.max(down), last.min(up));
    } else if from > 0 || to < 0 {
        return false;
    }
    if first > last {
        return false;
    }
    if rest.is_empty() {
        return if part.asked {
            first != 0 || last != 0
        } else {
            is_found
        };
    }
    for value in outward(first, last) {
        *tried += 1;
        if *tried > MAX_TRIED {
            return true;
        }
        if part.asked && value == 0 {
            continue;
        }
        let by = part.factor.saturating_mul(value);
        let left = (low.saturating_sub(by), high_end.saturating_sub(by));
        if high(rest, left, is_found || part.asked, tried) {
            return true;
        }
    }
    false
}

/// Tries values for the terms from the lowest bits up: only the term whose factor is divisible by
/// the lowest power of two affects the lowest bits.
fn from_low_bits(parts: &[Part], (low, high): (i128, i128), modulus: i128) -> bool {
    let bits = modulus.trailing_zeros();
    if high - low >= MAX_ENDS || bits > 100 {
        return true;
    }
    let mut parts: Vec<Part> = parts
        .iter()
        .map(|part| Part {
            factor: part.factor & ((1 << bits) - 1),
            ..*part
        })
        .filter(|part| part.factor != 0 || part.asked)
        .collect();
    parts.sort_by_key(|part| divisible(part.factor, bits));
    let mut tried = 0;
    (low..=high).any(|end| bits_of(&parts, end, bits, false, &mut tried))
}

fn divisible(factor: i128, bits: u32) -> u32 {
    factor.trailing_zeros().min(bits)
}

fn bits_of(parts: &[Part], end: i128, bits: u32, is_found: bool, tried: &mut usize) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return is_found && end & ((1 << bits) - 1) == 0;
    };
    let own_bits = divisible(part.factor, bits);
    if end & ((1 << own_bits) - 1) != 0 {
        return false;
    }
    let next = rest
        .first()
        .map_or(bits, |part| divisible(part.factor, bits));
    if rest.is_empty() && !part.asked && !is_found {
        return false;
    }
    // κ·Δ ≡ end modulo 2^next, and κ is 2^own_bits times an odd number.
    let apart = 1 << (next - own_bits);
    let value = (end >> own_bits).wrapping_mul(inverse(part.factor >> own_bits)) & (apart - 1);
    let least = part.low.max(0);
    let mut up = least + (value - least).rem_euclid(apart);
    let mut down = (up - apart).min(part.high - (part.high - value).rem_euclid(apart));
    while up <= part.high || down >= part.low {
        for next in [up, down] {
            if next < part.low || next > part.high || (part.asked && next == 0) {
                continue;
            }
            *tried += 1;
            if *tried > MAX_TRIED {
                return true;
            }
            let left = end.wrapping_sub(part.factor.wrapping_mul(next));
            if bits_of(rest, left, bits, is_found || part.asked, tried) {
                return true;
            }
        }
        up += apart;
        down -= apart;
    }
    false
}

/// Returns the inverse of an odd number modulo `2^128`.
fn inverse(odd: i128) -> i128 {
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2_i128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if an enumeration of all values finds a solution in which the `Δ` of one term
    /// is not 0.
    fn differs(terms: &[Term], index: usize, ends: (i128, i128), modulus: Option<i128>) -> bool {
        let mut sums = vec![(0, false)];
        for (number, term) in terms.iter().enumerate() {
            let (low, high) = term.bounds.expect("the tests have bounds");
            let mut next = Vec::new();
            for (sum, is_different) in sums {
                for value in low..=high {
                    let is_different = is_different || (number == index && value != 0);
                    next.push((sum + term.factor * value, is_different));
                }
            }
            sums = next;
        }
        sums.into_iter().any(|(sum, is_different)| {
            let near = match modulus {
                Some(modulus) => (ends.1 - sum).rem_euclid(modulus) <= ends.1 - ends.0,
                None => (ends.0..=ends.1).contains(&sum),
            };
            is_different && near
        })
    }

    #[test]
    fn solutions_are_those_that_trying_all_numbers_finds() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut below = |end: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            i128::from(state % end)
        };
        let mut solved = [0, 0];
        for _ in 0..4000 {
            let terms: Vec<Term> = (0..=below(3))
                .map(|_| {
                    let low = -below(6);
                    Term {
                        factor: (below(41) - 20) << below(4),
                        bounds: Some((low, low.abs() - below(2) * low.abs())),
                    }
                })
                .collect();
            let index = usize::try_from(below(terms.len() as u64)).expect("few");
            let low = below(20) - 10;
            let ends = (low, low + below(12));
            let modulus =
                [None, Some(1 << (3 + below(6)))][usize::try_from(below(2)).expect("two")];
            let expected = differs(&terms, index, ends, modulus);
            assert_eq!(
                may_differ(&terms, index, ends, modulus),
                expected,
                "{terms:?} {index} {ends:?} {modulus:?}"
            );
            solved[usize::from(expected)] += 1;
        }
        assert!(solved.iter().all(|&count| count > 400), "{solved:?}");
    }
}
