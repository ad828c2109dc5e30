//! Unevaluated sums of two f64, for about 100 significant bits.
//!
//! Products are split (Dekker) rather than fused: on a processor without the instruction, a fused
//! multiply-add is a call of the platform's library. Nothing here may overflow or be subnormal:
//! callers keep operands between 2^-500 and 2^500.

/// The sum `hi + lo`, where `hi` is the rounded sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl Double {
    pub(super) const ONE: Double = Double { hi: 1.0, lo: 0.0 };

    pub(super) const fn new(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// Returns `a + b`, exactly.
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let part = hi - a;
        Self {
            hi,
            lo: (a - (hi - part)) + (b - part),
        }
    }

    /// Returns `a + b`, exactly, where `a` is 0 or at least `b` in magnitude.
    fn ordered_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self {
            hi,
            lo: b - (hi - a),
        }
    }

    /// Returns `a * b`, exactly.
    pub(super) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        let ((a1, a2), (b1, b2)) = (split(a), split(b));
        Self {
            hi,
            lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2,
        }
    }

    /// Converts an integer, exactly.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "what is lost is the second part"
    )]
    pub(super) fn from_integer(n: i64) -> Self {
        let hi = n as f64;
        let lo = i128::from(n) - hi as i128;
        Self { hi, lo: lo as f64 }
    }

    pub(super) fn add(self, other: Self) -> Self {
        let high = Self::sum(self.hi, other.hi);
        let low = Self::sum(self.lo, other.lo);
        let high = Self::ordered_sum(high.hi, high.lo + low.hi);
        Self::ordered_sum(high.hi, high.lo + low.lo)
    }

    pub(super) fn negate(self) -> Self {
        Self {
            hi: -self.hi,
            lo: -self.lo,
        }
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        let exact = Self::product(self.hi, other.hi);
        let cross = self.hi * other.lo + self.lo * other.hi;
        Self::ordered_sum(exact.hi, exact.lo + cross)
    }

    pub(super) fn divide(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self.add(other.multiply(Self::new(-first, 0.0)));
        Self::ordered_sum(first, rest.hi / other.hi)
    }

    /// Multiplies by a power of two, exactly.
    pub(super) fn scale(self, power: f64) -> Self {
        Self {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }
}

/// Splits `a` into the sum of two numbers of 26 bits.
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = a * FACTOR;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::Double;

    /// Products and sums of small integers over powers of two, all of which are exact.
    #[test]
    fn products_and_quotients_have_about_a_hundred_bits() {
        let third = Double::ONE.divide(Double::new(3.0, 0.0));
        let rest = third
            .multiply(Double::new(3.0, 0.0))
            .add(Double::ONE.negate());
        assert!(rest.hi.abs() < 2.0_f64.powi(-100), "{:e}", rest.hi);
        let square = Double::product(1.0 + 2.0_f64.powi(-40), 1.0 + 2.0_f64.powi(-40));
        let [one, middle] = [1.0, 2.0_f64.powi(-39)];
        let rest = square.add(Double::new(-one - middle, 0.0));
        assert_eq!(rest.hi.to_bits(), 2.0_f64.powi(-80).to_bits());
    }

    #[test]
    fn an_integer_of_sixty_four_bits_is_kept_whole() {
        for n in [i64::MIN, i64::MAX, (1 << 60) + 1, -(1 << 62) - 3, 0, 7] {
            let Double { hi, lo } = Double::from_integer(n);
            #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
            let back = hi as i128 + lo as i128;
            assert_eq!(back, i128::from(n));
        }
    }
}
