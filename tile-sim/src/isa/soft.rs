//! Correctly rounded floating-point arithmetic in any format and rounding direction.
//!
//! Operands and results are bit patterns. A finite value is an integer significand times a power of
//! two, held exactly or with a sticky bit; [`Format::round`] is the only function that rounds.

/// The choice between the two neighbors of an exact result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// `.rn`.
    NearestEven,
    /// `.rna`.
    NearestAway,
    /// `.rz`.
    Zero,
    /// `.rm`.
    Down,
    /// `.rp`.
    Up,
    /// `.rs`: rounds up in magnitude if the discarded fraction plus these bits, as a fraction of
    /// `bits` bits, is at least one (PTX ISA, "cvt", random bits).
    Stochastic { random: u32, bits: u8 },
}

/// The encodings whose exponent is all ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    /// Infinity and NaN, as in IEEE 754.
    Ieee,
    /// Numbers, except for the last, which is NaN (e4m3).
    Numbers,
    /// Numbers only (e2m1, e2m3, e3m2).
    Finite,
}

/// A binary floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    exponent_bits: u32,
    /// The number of mantissa bits, without the implicit one.
    mantissa_bits: u32,
    top: Top,
    /// The NaN that arithmetic produces (PTX ISA, "Floating Point": canonical NaN).
    pub(crate) nan: u64,
}

pub(crate) const F16: Format = Format::ieee(5, 10, 0x7fff);
pub(crate) const BF16: Format = Format::ieee(8, 7, 0x7fff);
/// tf32 without the 13 unused low bits of its register.
pub(crate) const TF32: Format = Format::ieee(8, 10, 0x3ffff);
pub(crate) const F32: Format = Format::ieee(8, 23, 0x7fff_ffff);
pub(crate) const F64: Format = Format::ieee(11, 52, 0x7ff8_0000_0000_0000);
pub(crate) const E5M2: Format = Format::ieee(5, 2, 0x7f);
pub(crate) const E4M3: Format = Format {
    exponent_bits: 4,
    mantissa_bits: 3,
    top: Top::Numbers,
    nan: 0x7f,
};

/// Formats without NaN; the largest number takes its place.
pub(crate) const E2M1: Format = Format::finite(2, 1);
pub(crate) const E2M3: Format = Format::finite(2, 3);
pub(crate) const E3M2: Format = Format::finite(3, 2);

/// An exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Finite),
}

/// `±significand * 2^exponent`, plus less than one unit of the significand if `sticky`.
///
/// A sticky significand has at least two bits more than the format it is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finite {
    pub(crate) negative: bool,
    pub(crate) exponent: i32,
    pub(crate) significand: u128,
    pub(crate) sticky: bool,
}

impl Format {
    const fn ieee(exponent_bits: u32, mantissa_bits: u32, nan: u64) -> Self {
        Self {
            exponent_bits,
            mantissa_bits,
            top: Top::Ieee,
            nan,
        }
    }

    const fn finite(exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self {
            exponent_bits,
            mantissa_bits,
            top: Top::Finite,
            nan: (1 << (exponent_bits + mantissa_bits)) - 1,
        }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    pub(crate) const fn sign_bit(self) -> u64 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    pub(crate) const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    /// Returns the largest finite number.
    pub(crate) const fn greatest(self) -> u64 {
        match self.top {
            Top::Ieee => self.infinity() - 1,
            Top::Numbers => self.nan - 1,
            Top::Finite => self.nan,
        }
    }

    pub(crate) const fn one(self) -> u64 {
        self.bias().cast_unsigned() as u64 * (1 << self.mantissa_bits)
    }

    pub(crate) const fn is_nan(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        match self.top {
            Top::Ieee => magnitude > self.infinity(),
            Top::Numbers => magnitude == self.nan,
            Top::Finite => false,
        }
    }

    pub(crate) const fn is_negative(self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }

    const fn signed(self, negative: bool, magnitude: u64) -> u64 {
        if negative {
            magnitude | self.sign_bit()
        } else {
            magnitude
        }
    }

    /// Flushes subnormal numbers to zeros of the same sign.
    pub(crate) const fn flush(self, bits: u64) -> u64 {
        let magnitude = bits & (self.sign_bit() - 1);
        if magnitude < 1 << self.mantissa_bits {
            bits & self.sign_bit()
        } else {
            bits
        }
    }

    /// Clamps to [0, 1]; NaN becomes 0.
    pub(crate) const fn saturate(self, bits: u64) -> u64 {
        if self.is_nan(bits) || self.is_negative(bits) {
            0
        } else if bits > self.one() {
            self.one()
        } else {
            bits
        }
    }

    pub(crate) fn unpack(self, bits: u64) -> Value {
        let negative = self.is_negative(bits);
        let magnitude = bits & (self.sign_bit() - 1);
        let mantissa = magnitude & ((1 << self.mantissa_bits) - 1);
        // The biased exponent has at most 11 bits.
        let biased = (magnitude >> self.mantissa_bits) as i32;
        if self.is_nan(bits) {
            return Value::Nan;
        }
        if magnitude == self.infinity() && self.top == Top::Ieee {
            return Value::Infinite { negative };
        }
        if magnitude == 0 {
            return Value::Zero { negative };
        }
        let (exponent, significand) = if biased == 0 {
            (1, mantissa)
        } else {
            (biased, mantissa | 1 << self.mantissa_bits)
        };
        Value::Finite(Finite {
            negative,
            exponent: exponent - self.bias() - self.mantissa_bits.cast_signed(),
            significand: u128::from(significand),
            sticky: false,
        })
    }

    /// Encodes a value.
    pub(crate) fn pack(self, value: Value, rounding: Rounding) -> u64 {
        match value {
            Value::Nan => self.nan,
            Value::Infinite { negative } => match self.top {
                Top::Ieee => self.signed(negative, self.infinity()),
                Top::Numbers | Top::Finite => self.signed(negative, self.nan),
            },
            Value::Zero { negative } => self.signed(negative, 0),
            Value::Finite(finite) => self.round(finite, rounding),
        }
    }

    fn round(self, finite: Finite, rounding: Rounding) -> u64 {
        let Finite {
            negative,
            mut exponent,
            mut significand,
            sticky,
        } = finite;
        if sticky {
            if significand >> 127 != 0 {
                significand = significand >> 1 | significand & 1;
                exponent += 1;
            }
            significand = significand << 1 | 1;
            exponent -= 1;
        }
        if significand == 0 {
            return self.signed(negative, 0);
        }
        let mantissa_bits = self.mantissa_bits.cast_signed();
        let top = exponent + 127 - significand.leading_zeros().cast_signed();
        let min = 1 - self.bias();
        let mut unit = top.max(min) - mantissa_bits;
        let shift = unit - exponent;
        let mut kept = if shift <= 0 {
            // The significand then has fewer bits than the mantissa.
            significand << -shift
        } else {
            shift_right(significand, shift, negative, rounding)
        };
        if kept >> (mantissa_bits + 1) != 0 {
            kept >>= 1;
            unit += 1;
        }
        // The significand has at most 53 bits.
        let kept = kept as u64;
        if kept < 1 << mantissa_bits {
            return self.signed(negative, kept);
        }
        let biased = unit + mantissa_bits + self.bias();
        let overflow = match self.top {
            Top::Ieee => biased >= (1 << self.exponent_bits) - 1,
            Top::Numbers => biased > 15 || biased == 15 && kept == 15,
            Top::Finite => biased >= 1 << self.exponent_bits,
        };
        if !overflow {
            let mantissa = kept & ((1 << mantissa_bits) - 1);
            let biased = u64::from(biased.cast_unsigned());
            return self.signed(negative, biased << mantissa_bits | mantissa);
        }
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway | Rounding::Stochastic { .. } => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        if to_infinity {
            self.pack(Value::Infinite { negative }, rounding)
        } else {
            self.signed(negative, self.greatest())
        }
    }

    pub(crate) fn add(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        self.pack(sum(self.unpack(a), self.unpack(b), rounding), rounding)
    }

    pub(crate) fn mul(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        self.pack(product(self.unpack(a), self.unpack(b)), rounding)
    }

    pub(crate) fn fma(self, a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
        let product = product(self.unpack(a), self.unpack(b));
        self.pack(sum(product, self.unpack(c), rounding), rounding)
    }

    pub(crate) fn div(self, a: u64, b: u64, rounding: Rounding) -> u64 {
        self.pack(quotient(self.unpack(a), self.unpack(b)), rounding)
    }

    pub(crate) fn sqrt(self, a: u64, rounding: Rounding) -> u64 {
        self.pack(root(self.unpack(a)), rounding)
    }

    /// Returns `true` if `other` represents every number of this format.
    pub(crate) const fn fits(self, other: Self) -> bool {
        self.exponent_bits <= other.exponent_bits && self.mantissa_bits <= other.mantissa_bits
    }

    /// Converts from another format.
    pub(crate) fn convert_from(self, bits: u64, format: Self, rounding: Rounding) -> u64 {
        self.pack(format.unpack(bits), rounding)
    }

    pub(crate) fn of_integer(self, value: i128, rounding: Rounding) -> u64 {
        self.round(
            Finite {
                negative: value < 0,
                exponent: 0,
                significand: value.unsigned_abs(),
                sticky: false,
            },
            rounding,
        )
    }

    /// Rounds to an integer; `None` for NaN. Infinities and values out of range saturate to the
    /// bounds of `i128`.
    pub(crate) fn to_integer(self, bits: u64, rounding: Rounding) -> Option<i128> {
        let finite = match self.unpack(bits) {
            Value::Nan => return None,
            Value::Zero { .. } => return Some(0),
            Value::Infinite { negative: true } => return Some(i128::MIN),
            Value::Infinite { negative: false } => return Some(i128::MAX),
            Value::Finite(finite) => finite,
        };
        let Finite {
            negative,
            exponent,
            significand,
            sticky: _,
        } = finite;
        if exponent >= 70 {
            return Some(if negative { i128::MIN } else { i128::MAX });
        }
        if exponent >= 0 {
            let magnitude = (significand << exponent).cast_signed();
            return Some(if negative { -magnitude } else { magnitude });
        }
        let magnitude = shift_right(significand, -exponent, negative, rounding).cast_signed();
        Some(if negative { -magnitude } else { magnitude })
    }

    /// Rounds to an integral value in the same format.
    pub(crate) fn to_integral(self, bits: u64, rounding: Rounding) -> u64 {
        match self.unpack(bits) {
            Value::Finite(finite) if finite.exponent < 0 => {
                let integer = self.to_integer(bits, rounding).expect("a finite number");
                let magnitude = self.of_integer(integer.abs(), Rounding::NearestEven);
                self.signed(finite.negative, magnitude)
            }
            Value::Nan => self.nan,
            Value::Finite(_) | Value::Infinite { .. } | Value::Zero { .. } => bits,
        }
    }

    /// Converts to `f64`, which represents every other format exactly.
    pub(crate) fn to_f64(self, bits: u64) -> f64 {
        if self == F32 {
            return f64::from(f32::from_bits(bits as u32));
        }
        let magnitude = bits & 0x7fff;
        if self == F16 && magnitude < 0x7c00 {
            // The exponent bias of f32 is greater by 112; the multiplication normalizes subnormals
            // exactly.
            let scaled = f32::from_bits((magnitude as u32) << 13) * f32::from_bits(0x7780_0000);
            return f64::from(if bits & 0x8000 != 0 { -scaled } else { scaled });
        }
        f64::from_bits(F64.convert_from(bits, self, Rounding::NearestEven))
    }

    /// Compares two numbers; `None` if one is NaN.
    pub(crate) fn compare(self, a: u64, b: u64) -> Option<std::cmp::Ordering> {
        if self.is_nan(a) || self.is_nan(b) {
            return None;
        }
        let key = |bits: u64| {
            let magnitude = (bits & (self.sign_bit() - 1)).cast_signed();
            if self.is_negative(bits) {
                -magnitude
            } else {
                magnitude
            }
        };
        Some(key(a).cmp(&key(b)))
    }
}

/// Computes `significand / 2^shift`, for a shift of at least one, rounded to an integer.
fn shift_right(significand: u128, shift: i32, negative: bool, rounding: Rounding) -> u128 {
    let (kept, rest, half) = if shift > 127 {
        (0, 1, 2)
    } else {
        let half = 1u128 << (shift - 1);
        (
            significand >> shift,
            significand & (half | (half - 1)),
            half,
        )
    };
    let up = match rounding {
        Rounding::Stochastic { random, bits } => {
            let bits = i32::from(bits);
            let fraction = if shift > 127 {
                0
            } else if shift >= bits {
                rest >> (shift - bits)
            } else {
                rest << (bits - shift)
            };
            (fraction + u128::from(random)) >> bits != 0
        }
        Rounding::NearestEven => rest > half || rest == half && kept & 1 == 1,
        Rounding::NearestAway => rest >= half,
        Rounding::Zero => false,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
    };
    kept + u128::from(up)
}

fn sum(a: Value, b: Value, rounding: Rounding) -> Value {
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
        (Value::Infinite { negative: x }, Value::Infinite { negative: y }) if x != y => Value::Nan,
        (Value::Infinite { .. }, _) => a,
        (_, Value::Infinite { .. }) => b,
        (Value::Zero { negative: x }, Value::Zero { negative: y }) => Value::Zero {
            negative: if x == y {
                x
            } else {
                rounding == Rounding::Down
            },
        },
        (Value::Zero { .. }, Value::Finite(_)) => b,
        (Value::Finite(_), Value::Zero { .. }) => a,
        (Value::Finite(a), Value::Finite(b)) => finite_sum(a, b, rounding),
    }
}

/// Adds two values that are not sticky and have at most 106 bits.
fn finite_sum(a: Finite, b: Finite, rounding: Rounding) -> Value {
    let normal = |finite: Finite| {
        let shift = finite.significand.leading_zeros() - 2;
        Finite {
            exponent: finite.exponent - shift.cast_signed(),
            significand: finite.significand << shift,
            ..finite
        }
    };
    let (mut large, mut small) = (normal(a), normal(b));
    if (large.exponent, large.significand) < (small.exponent, small.significand) {
        std::mem::swap(&mut large, &mut small);
    }
    let distance = (large.exponent - small.exponent).cast_unsigned();
    let (aligned, sticky) = if distance > 127 {
        (0, true)
    } else {
        let aligned = small.significand >> distance;
        (aligned, aligned << distance != small.significand)
    };
    let significand = if large.negative == small.negative {
        large.significand + aligned
    } else {
        // The discarded bits borrow one from the last place.
        large.significand - aligned - u128::from(sticky)
    };
    if significand == 0 {
        return Value::Zero {
            negative: rounding == Rounding::Down,
        };
    }
    Value::Finite(Finite {
        significand,
        sticky,
        ..large
    })
}

fn is_negative(value: Value) -> bool {
    match value {
        Value::Nan => false,
        Value::Infinite { negative } | Value::Zero { negative } => negative,
        Value::Finite(finite) => finite.negative,
    }
}

fn product(a: Value, b: Value) -> Value {
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
        (Value::Infinite { .. }, Value::Zero { .. })
        | (Value::Zero { .. }, Value::Infinite { .. }) => Value::Nan,
        (Value::Infinite { .. }, _) | (_, Value::Infinite { .. }) => Value::Infinite { negative },
        (Value::Zero { .. }, _) | (_, Value::Zero { .. }) => Value::Zero { negative },
        (Value::Finite(a), Value::Finite(b)) => Value::Finite(Finite {
            negative,
            exponent: a.exponent + b.exponent,
            significand: a.significand * b.significand,
            sticky: false,
        }),
    }
}

fn quotient(a: Value, b: Value) -> Value {
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
        (Value::Infinite { .. }, Value::Infinite { .. })
        | (Value::Zero { .. }, Value::Zero { .. }) => Value::Nan,
        (Value::Infinite { .. }, _) | (_, Value::Zero { .. }) => Value::Infinite { negative },
        (Value::Zero { .. }, _) | (_, Value::Infinite { .. }) => Value::Zero { negative },
        (Value::Finite(a), Value::Finite(b)) => {
            let shift = a.significand.leading_zeros() - 1;
            let dividend = a.significand << shift;
            Value::Finite(Finite {
                negative,
                exponent: a.exponent - shift.cast_signed() - b.exponent,
                significand: dividend / b.significand,
                sticky: dividend % b.significand != 0,
            })
        }
    }
}

fn root(a: Value) -> Value {
    match a {
        Value::Nan | Value::Infinite { negative: true } => Value::Nan,
        Value::Infinite { negative: false } | Value::Zero { .. } => a,
        Value::Finite(finite) if finite.negative => Value::Nan,
        Value::Finite(finite) => {
            let mut shift = finite.significand.leading_zeros().cast_signed() - 1;
            if (finite.exponent - shift) % 2 != 0 {
                shift -= 1;
            }
            let square = finite.significand << shift;
            let root = square.isqrt();
            Value::Finite(Finite {
                negative: false,
                exponent: (finite.exponent - shift) / 2,
                significand: root,
                sticky: root * root != square,
            })
        }
    }
}

#[cfg(test)]
mod tests;
