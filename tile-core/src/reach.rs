//! Bounds the values that an integer of a kernel takes in a launch, by interval arithmetic.
//!
//! [`reach`] evaluates the integer, given as a program for a stack machine over the arguments and
//! the grid of a launch, and returns a range that contains it in every block and iteration. It
//! computes in 128 bits.
//!
//! The compiler proves that blocks store to different places provided that some integers do not
//! wrap around ([`Claim`]); the host evaluates these programs before each launch.

/// An instruction of the stack machine. It pops its operands, the last one first, and pushes its
/// result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A constant.
    Int(i128),
    /// Any number from the first to the second, inclusive.
    Between(i128, i128),
    /// The index of a block along an axis of the grid.
    Block(usize),
    /// The number of blocks along an axis of the grid.
    Blocks(usize),
    /// An argument that is a number.
    Scalar {
        /// The parameter.
        param: usize,
        /// The bits of its type.
        bits: u32,
        /// True if the type is signed.
        signed: bool,
    },
    /// The extent of an axis of a tensor.
    Dim {
        /// The parameter.
        param: usize,
        /// The axis.
        axis: usize,
    },
    /// The number of tiles along an axis of a tensor, rounded up.
    Tiles {
        /// The parameter.
        param: usize,
        /// The axis.
        axis: usize,
        /// The distance in elements from one tile to the next, at least 1.
        step: i64,
    },
    /// The number of an iteration, counted from 0, of a loop from 0 up to a distance in steps of a
    /// stride. Pops the stride and the distance. A loop without iterations ends the program with
    /// [`Reach::Never`]; if the stride is not known to be positive, the number is unknown.
    Trips,
    /// The sum.
    Add,
    /// The arithmetic product.
    Mul,
    /// The quotient, rounded towards zero.
    Div,
    /// The remainder of `Div`.
    Rem,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// Reduces a number modulo `2^bits` to an integer of this type.
    Word {
        /// The bits of the type.
        bits: u32,
        /// True if the type is signed.
        signed: bool,
    },
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Arithmetic right shift.
    Shr,
    /// Selects from a condition and two numbers: the first if the condition holds, otherwise the
    /// second.
    Choice,
    /// 1 if both are equal, else 0.
    Equal,
    /// 1 if the first is less, else 0.
    Less,
    /// 1 if the first is at most the second, else 0.
    AtMost,
    /// Pops a condition. If it never has the stated value, the program ends with [`Reach::Never`].
    Given(bool),
    /// Pops a number.
    Drop,
}

/// The inputs of a launch.
pub trait Inputs {
    /// Returns the number of blocks along an axis of the grid.
    fn blocks(&self, axis: usize) -> u32;
    /// Returns the range of the indices of blocks along an axis of the grid.
    fn block(&self, axis: usize) -> (i128, i128) {
        (0, i128::from(self.blocks(axis)) - 1)
    }
    /// Returns the bits of an argument that is a number.
    fn scalar(&self, param: usize) -> Option<u64>;
    /// Returns the extent of an axis of a tensor.
    fn extent(&self, param: usize, axis: usize) -> Option<u64>;
}

/// The set of values of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Empty: the code that computes the integer never runs.
    Never,
    /// A subset of the numbers from the first to the second, inclusive.
    Between(i128, i128),
    /// Unknown: it may be any value.
    Anything,
}

/// A property of an integer that the compiler relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The integer is representable in this type.
    Fits {
        /// The bits of the type.
        bits: u32,
        /// True if the type is signed.
        signed: bool,
    },
    /// The integer is at least 1.
    Positive,
    /// The integer is not 0.
    NotZero,
}

impl Claim {
    /// Returns `true` if the claim holds for all values.
    #[must_use]
    pub fn holds(self, reach: Reach) -> bool {
        let (low, high) = match reach {
            Reach::Never => return true,
            Reach::Anything => return false,
            Reach::Between(low, high) => (low, high),
        };
        match self {
            Claim::Fits { bits, signed } => {
                let (least, most) = words(bits, signed);
                least <= low && high <= most
            }
            Claim::Positive => low >= 1,
            Claim::NotZero => low > 0 || high < 0,
        }
    }
}

/// Returns the least and the greatest number of a type of 1 to 64 bits.
fn words(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

type Range = (i128, i128);

/// Evaluates a program.
///
/// # Panics
/// Panics if an instruction pops from an empty stack.
#[must_use]
pub fn reach(program: &[Step], inputs: &dyn Inputs) -> Reach {
    let mut stack: Vec<Option<Range>> = Vec::new();
    for &step in program {
        let mut pop = || stack.pop().expect("the compiler writes whole programs");
        let range = match step {
            Step::Int(value) => Some((value, value)),
            Step::Between(low, high) => Some((low, high)),
            Step::Block(axis) => Some(inputs.block(axis)),
            Step::Blocks(axis) => {
                let blocks = i128::from(inputs.blocks(axis));
                Some((blocks, blocks))
            }
            Step::Scalar {
                param,
                bits,
                signed,
            } => inputs.scalar(param).map(|scalar| {
                let value = word(i128::from(scalar), bits, signed);
                (value, value)
            }),
            Step::Dim { param, axis } => inputs.extent(param, axis).map(|extent| {
                let extent = i128::from(extent);
                (extent, extent)
            }),
            Step::Tiles { param, axis, step } => inputs.extent(param, axis).map(|extent| {
                let step = i128::from(step.max(1));
                let tiles = (i128::from(extent) + step - 1) / step;
                (tiles, tiles)
            }),
            Step::Trips => {
                let (stride, distance) = (pop(), pop());
                match (distance, stride) {
                    (Some((_, most)), _) if most <= 0 => return Reach::Never,
                    (Some((_, most)), Some((stride, _))) if stride > 0 => {
                        Some((0, (most - 1) / stride))
                    }
                    (Some(_) | None, _) => None,
                }
            }
            Step::Choice => {
                let (other, chosen, condition) = (pop(), pop(), pop());
                match condition {
                    Some((1, 1)) => chosen,
                    Some((0, 0)) => other,
                    Some(_) | None => both(chosen, other)
                        .map(|(a, b): (Range, Range)| (a.0.min(b.0), a.1.max(b.1))),
                }
            }
            Step::Given(expected) => {
                let other = i128::from(!expected);
                if pop() == Some((other, other)) {
                    return Reach::Never;
                }
                continue;
            }
            Step::Drop => {
                pop();
                continue;
            }
            Step::Word { bits, signed } => {
                let (least, most) = words(bits, signed);
                let inside = pop().filter(|&(low, high)| least <= low && high <= most);
                inside.or(Some((least, most)))
            }
            Step::Add
            | Step::Mul
            | Step::Div
            | Step::Rem
            | Step::Min
            | Step::Max
            | Step::And
            | Step::Or
            | Step::Xor
            | Step::Shr
            | Step::Equal
            | Step::Less
            | Step::AtMost => {
                let (right, left) = (pop(), pop());
                both(left, right).and_then(|(a, b)| binary(step, a, b))
            }
        };
        stack.push(range);
    }
    match stack.pop().flatten() {
        Some((low, high)) => Reach::Between(low, high),
        None => Reach::Anything,
    }
}

fn both(a: Option<Range>, b: Option<Range>) -> Option<(Range, Range)> {
    Some((a?, b?))
}

/// Returns the low bits of a number, read as signed or unsigned.
fn word(value: i128, bits: u32, signed: bool) -> i128 {
    let above = 128 - bits;
    if signed {
        value << above >> above
    } else {
        (value.cast_unsigned() << above >> above).cast_signed()
    }
}

/// Returns the range spanned by the results of a monotone operation at the ends of the ranges of
/// its operands.
fn corners(a: Range, b: Range, evaluate: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let ends = [
        evaluate(a.0, b.0)?,
        evaluate(a.0, b.1)?,
        evaluate(a.1, b.0)?,
        evaluate(a.1, b.1)?,
    ];
    let first = (ends[0], ends[0]);
    Some(
        ends.into_iter()
            .fold(first, |(low, high), end| (low.min(end), high.max(end))),
    )
}

/// Evaluates an operation of two operands; `None` if the result may be anything.
fn binary(step: Step, a: Range, b: Range) -> Option<Range> {
    let truth = |always: bool, never: bool| Some((always.into(), (!never).into()));
    let single = a.0 == a.1 && b.0 == b.1;
    let natural = a.0 >= 0 && b.0 >= 0;
    match step {
        Step::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Step::Mul => corners(a, b, i128::checked_mul),
        // Division by 0 may give anything.
        Step::Div | Step::Rem if b.0 <= 0 && b.1 >= 0 => None,
        Step::Div => corners(a, b, i128::checked_div),
        Step::Rem if single => {
            let rest = a.0.checked_rem(b.0)?;
            Some((rest, rest))
        }
        Step::Rem => {
            let below = b.0.checked_abs()?.max(b.1.checked_abs()?) - 1;
            Some((a.0.clamp(-below, 0), a.1.clamp(0, below)))
        }
        Step::Min => Some((a.0.min(b.0), a.1.min(b.1))),
        Step::Max => Some((a.0.max(b.0), a.1.max(b.1))),
        Step::And if single => Some((a.0 & b.0, a.0 & b.0)),
        Step::Or if single => Some((a.0 | b.0, a.0 | b.0)),
        Step::Xor if single => Some((a.0 ^ b.0, a.0 ^ b.0)),
        Step::And if natural => Some((0, a.1.min(b.1))),
        Step::And if a.0 >= 0 => Some((0, a.1)),
        Step::And if b.0 >= 0 => Some((0, b.1)),
        Step::Or | Step::Xor if natural && a.1.max(b.1) < 1 << 100 => {
            let above = (a.1.max(b.1).cast_unsigned() + 1).next_power_of_two();
            Some((0, above.cast_signed() - 1))
        }
        Step::Shr if b.0 == b.1 && (0..128).contains(&b.0) => Some((a.0 >> b.0, a.1 >> b.0)),
        Step::And | Step::Or | Step::Xor | Step::Shr => None,
        Step::Equal => truth(single && a.0 == b.0, a.1 < b.0 || b.1 < a.0),
        Step::Less => truth(a.1 < b.0, a.0 >= b.1),
        Step::AtMost => truth(a.1 <= b.0, a.0 > b.1),
        Step::Int(_)
        | Step::Between(..)
        | Step::Block(_)
        | Step::Blocks(_)
        | Step::Scalar { .. }
        | Step::Dim { .. }
        | Step::Tiles { .. }
        | Step::Trips
        | Step::Word { .. }
        | Step::Choice
        | Step::Given(_)
        | Step::Drop => unreachable!("not an operation on two operands"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Launch;

    /// A grid of 5 by 3 blocks, the number -7, and a tensor of 100 elements.
    impl Inputs for Launch {
        fn blocks(&self, axis: usize) -> u32 {
            [5, 3, 1][axis]
        }
        fn scalar(&self, param: usize) -> Option<u64> {
            (param == 0).then_some((-7_i64).cast_unsigned())
        }
        fn extent(&self, param: usize, _: usize) -> Option<u64> {
            (param == 1).then_some(100)
        }
    }

    fn between(program: &[Step]) -> Reach {
        reach(program, &Launch)
    }

    #[test]
    fn inputs_are_those_of_the_launch() {
        use Step::{Block, Blocks, Dim, Scalar, Tiles};
        let scalar = |bits, signed| Scalar {
            param: 0,
            bits,
            signed,
        };
        assert_eq!(between(&[Block(0)]), Reach::Between(0, 4));
        assert_eq!(between(&[Blocks(1)]), Reach::Between(3, 3));
        assert_eq!(between(&[scalar(32, true)]), Reach::Between(-7, -7));
        assert_eq!(between(&[scalar(8, false)]), Reach::Between(249, 249));
        let (param, axis) = (1, 0);
        assert_eq!(between(&[Dim { param, axis }]), Reach::Between(100, 100));
        let step = 16;
        let tiles = Tiles { param, axis, step };
        assert_eq!(between(&[tiles]), Reach::Between(7, 7));
        assert_eq!(between(&[Dim { param: 2, axis }]), Reach::Anything);
    }

    /// Checks that the range of every operation contains its result for each pair of numbers.
    #[test]
    fn ranges_hold_every_value() {
        type Exact = fn(i128, i128) -> Option<i128>;
        let operations: [(Step, Exact); 13] = [
            (Step::Add, |a, b| Some(a + b)),
            (Step::Mul, |a, b| Some(a * b)),
            (Step::Div, i128::checked_div),
            (Step::Rem, i128::checked_rem),
            (Step::Min, |a, b| Some(a.min(b))),
            (Step::Max, |a, b| Some(a.max(b))),
            (Step::And, |a, b| Some(a & b)),
            (Step::Or, |a, b| Some(a | b)),
            (Step::Xor, |a, b| Some(a ^ b)),
            (Step::Shr, |a, b| (b >= 0).then(|| a >> b)),
            (Step::Equal, |a, b| Some((a == b).into())),
            (Step::Less, |a, b| Some((a < b).into())),
            (Step::AtMost, |a, b| Some((a <= b).into())),
        ];
        let mut told = [0; 13];
        for (number, (step, exact)) in operations.into_iter().enumerate() {
            for (low, high) in [(-9, -4), (-3, 5), (0, 0), (0, 7), (2, 2), (3, 12), (-5, -5)] {
                for (least, most) in [(-6, -2), (-2, 3), (1, 9), (3, 3), (0, 4), (-4, -4)] {
                    let program = [Step::Between(low, high), Step::Between(least, most), step];
                    let Reach::Between(from, to) = between(&program) else {
                        continue;
                    };
                    told[number] += 1;
                    for a in low..=high {
                        for b in least..=most {
                            let value = exact(a, b).expect("a range only where all have a value");
                            assert!(
                                from <= value && value <= to,
                                "{step:?} {a} {b}: {value} is not in {from}..={to}"
                            );
                        }
                    }
                }
            }
        }
        assert!(told.iter().all(|&told| told >= 7), "{told:?}");
    }

    #[test]
    fn what_is_too_large_for_128_bits_is_anything() {
        let large = Step::Int(i128::MAX);
        assert_eq!(between(&[large, large, Step::Add]), Reach::Anything);
        assert_eq!(between(&[large, large, Step::Mul]), Reach::Anything);
    }

    #[test]
    fn loops_count_from_0_and_may_have_no_iteration() {
        use Step::{Between, Int, Trips};
        assert_eq!(between(&[Int(10), Int(4), Trips]), Reach::Between(0, 2));
        assert_eq!(
            between(&[Between(-3, 10), Between(2, 5), Trips]),
            Reach::Between(0, 4)
        );
        assert_eq!(between(&[Between(-3, 0), Int(1), Trips]), Reach::Never);
        assert_eq!(between(&[Int(10), Between(0, 4), Trips]), Reach::Anything);
    }

    #[test]
    fn conditions_choose_and_exclude() {
        use Step::{Block, Choice, Given, Int, Less};
        let chosen =
            |condition: &[Step]| between(&[condition, &[Int(10), Int(20), Choice]].concat());
        assert_eq!(chosen(&[Int(1)]), Reach::Between(10, 10));
        assert_eq!(chosen(&[Int(0)]), Reach::Between(20, 20));
        assert_eq!(chosen(&[Block(0), Int(3), Less]), Reach::Between(10, 20));
        assert_eq!(between(&[Int(0), Given(true), Int(3)]), Reach::Never);
        assert_eq!(
            between(&[Int(0), Given(false), Int(3)]),
            Reach::Between(3, 3)
        );
        let program = [Block(0), Int(3), Less, Given(true), Int(3)];
        assert_eq!(between(&program), Reach::Between(3, 3));
    }

    #[test]
    fn claims_are_about_all_values() {
        let fits =
            |low, high, bits, signed| Claim::Fits { bits, signed }.holds(Reach::Between(low, high));
        assert!(fits(-128, 127, 8, true) && !fits(0, 128, 8, true) && !fits(-129, 0, 8, true));
        assert!(fits(0, 255, 8, false) && !fits(-1, 0, 8, false) && !fits(0, 256, 8, false));
        assert!(Claim::NotZero.holds(Reach::Between(-3, -1)));
        assert!(!Claim::NotZero.holds(Reach::Between(-3, 1)));
        assert!(!Claim::Positive.holds(Reach::Between(0, 1)));
        assert!(Claim::Positive.holds(Reach::Between(1, 1)));
        assert!(Claim::Positive.holds(Reach::Never) && !Claim::Positive.holds(Reach::Anything));
    }
}
