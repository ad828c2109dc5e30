//! Facts that a kernel states with `assume(..)`: every launch checks them.
//!
//! Arithmetic is exact. A fact with an undefined term, such as a remainder by zero, does not hold.

use crate::args::{TensorArg, Value};
use crate::image::{KernelImage, Operator, Term};
use crate::{Error, Result};

/// Refuses arguments that violate a fact of the kernel.
pub(crate) fn check(image: &'static KernelImage, values: &[Value]) -> Result<()> {
    let Some(broken) = image
        .facts
        .iter()
        .find(|fact| evaluate(&fact.condition, values) != Some(1))
    else {
        return Ok(());
    };
    let mut inputs = Vec::new();
    name_inputs(image, &broken.condition, values, &mut inputs);
    Err(Error::BrokenFact {
        kernel: image.name,
        fact: broken.text,
        values: inputs,
    })
}

/// Returns the value of a term; booleans are 0 and 1.
fn evaluate(term: &Term, values: &[Value]) -> Option<i128> {
    Some(match *term {
        Term::Int(value) => value,
        Term::Scalar {
            param,
            bits,
            signed,
        } => match &values[param] {
            Value::Scalar(word) => wrapped(i128::from(*word), bits, signed),
            Value::Tensor(_) | Value::Pointer(_) => return None,
        },
        Term::Dim(param, axis) => tensor(&values[param])?.shape()[axis] as i128,
        Term::Stride(param, axis) => tensor(&values[param])?.strides()[axis] as i128,
        Term::Address(param) => match &values[param] {
            Value::Tensor(target) | Value::Pointer(target) => i128::from(target.address()),
            Value::Scalar(_) => return None,
        },
        Term::Neg(value) => evaluate(value, values)?.checked_neg()?,
        Term::Not(value) => 1 - evaluate(value, values)?,
        Term::Cast {
            bits,
            signed,
            value,
        } => wrapped(evaluate(value, values)?, bits, signed),
        Term::Binary(op, lhs, rhs) => {
            let lhs = evaluate(lhs, values)?;
            match (op, lhs) {
                (Operator::And, 0) => return Some(0),
                (Operator::Or, 1) => return Some(1),
                _ => {}
            }
            binary(op, lhs, evaluate(rhs, values)?)?
        }
    })
}

fn binary(op: Operator, lhs: i128, rhs: i128) -> Option<i128> {
    let distance = || u32::try_from(rhs).ok().filter(|&bits| bits < 64);
    Some(match op {
        Operator::Add => lhs.checked_add(rhs)?,
        Operator::Sub => lhs.checked_sub(rhs)?,
        Operator::Mul => lhs.checked_mul(rhs)?,
        Operator::Div => lhs.checked_div(rhs)?,
        Operator::Rem => lhs.checked_rem(rhs)?,
        Operator::BitAnd => lhs & rhs,
        Operator::BitOr => lhs | rhs,
        Operator::BitXor => lhs ^ rhs,
        Operator::Shl => lhs.checked_mul(1 << distance()?)?,
        Operator::Shr => lhs >> distance()?,
        Operator::Eq => (lhs == rhs).into(),
        Operator::Ne => (lhs != rhs).into(),
        Operator::Lt => (lhs < rhs).into(),
        Operator::Le => (lhs <= rhs).into(),
        Operator::Gt => (lhs > rhs).into(),
        Operator::Ge => (lhs >= rhs).into(),
        // `evaluate` has already returned if the left side decides the result.
        Operator::And | Operator::Or => rhs,
    })
}

/// Returns the low bits of a number, read as an integer type.
fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    let above = 128 - bits;
    if signed {
        value << above >> above
    } else {
        (value.cast_unsigned() << above >> above).cast_signed()
    }
}

fn tensor(value: &Value) -> Option<&TensorArg> {
    match value {
        Value::Tensor(tensor) => Some(tensor),
        Value::Scalar(_) | Value::Pointer(_) => None,
    }
}

/// Collects the inputs of a term, as the kernel names them, with their values and without
/// duplicates.
fn name_inputs(
    image: &'static KernelImage,
    term: &Term,
    values: &[Value],
    into: &mut Vec<(String, i128)>,
) {
    let name = match *term {
        Term::Int(_) => return,
        Term::Neg(inner) | Term::Not(inner) | Term::Cast { value: inner, .. } => {
            return name_inputs(image, inner, values, into);
        }
        Term::Binary(_, lhs, rhs) => {
            name_inputs(image, lhs, values, into);
            return name_inputs(image, rhs, values, into);
        }
        Term::Scalar { param, .. } => image.param(param).to_owned(),
        Term::Dim(param, axis) => format!("{}.dim({axis})", image.param(param)),
        Term::Stride(param, axis) => format!("{}.stride({axis})", image.param(param)),
        Term::Address(param) => match &values[param] {
            Value::Tensor(_) => format!("{}.as_ptr().addr()", image.param(param)),
            Value::Scalar(_) | Value::Pointer(_) => format!("{}.addr()", image.param(param)),
        },
    };
    if let Some(value) = evaluate(term, values)
        && into.iter().all(|(known, _)| *known != name)
    {
        into.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::FactImage;
    use crate::{__private as private, Device, Tensor};

    const N: Term = Term::Scalar {
        param: 0,
        bits: 32,
        signed: true,
    };

    fn number(value: i32) -> [Value; 1] {
        [private::scalar(value).into_value()]
    }

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        assert_eq!(evaluate(&N, &number(-5)), Some(-5));
        let unsigned = Term::Scalar {
            param: 0,
            bits: 32,
            signed: false,
        };
        assert_eq!(evaluate(&unsigned, &number(-5)), Some((1 << 32) - 5));
        let cast = Term::Cast {
            bits: 8,
            signed: true,
            value: &N,
        };
        assert_eq!(evaluate(&cast, &number(200)), Some(-56));
    }

    #[test]
    fn operators_are_exact_and_those_of_rust() {
        let with = |op, by| {
            evaluate(
                &Term::Binary(op, &N, Box::leak(Box::new(Term::Int(by)))),
                &number(-7),
            )
        };
        assert_eq!(with(Operator::Rem, 4), Some(-3));
        assert_eq!(with(Operator::Div, 4), Some(-1));
        assert_eq!(with(Operator::Mul, 1 << 40), Some(-7 << 40));
        assert_eq!(with(Operator::Shl, 40), Some(-7 << 40));
        assert_eq!(with(Operator::Shr, 1), Some(-4));
        assert_eq!(with(Operator::BitAnd, 0b1100), Some(0b1000));
        assert_eq!(with(Operator::Lt, -7), Some(0));
        assert_eq!(with(Operator::Le, -7), Some(1));
    }

    #[test]
    fn what_has_no_value_does_not_hold() {
        static ZERO: Term = Term::Int(0);
        for op in [Operator::Rem, Operator::Div] {
            assert_eq!(evaluate(&Term::Binary(op, &N, &ZERO), &number(1)), None);
        }
        let far = Term::Int(200);
        let shifted = Term::Binary(Operator::Shl, &N, Box::leak(Box::new(far)));
        assert_eq!(evaluate(&shifted, &number(1)), None);
    }

    #[test]
    fn the_right_side_is_looked_at_only_if_needed() {
        static ZERO: Term = Term::Int(0);
        static ONE: Term = Term::Int(1);
        static NO_VALUE: Term = Term::Binary(Operator::Div, &ONE, &ZERO);
        let either = Term::Binary(Operator::Or, &ONE, &NO_VALUE);
        assert_eq!(evaluate(&either, &[]), Some(1));
        let both = Term::Binary(Operator::And, &ZERO, &NO_VALUE);
        assert_eq!(evaluate(&both, &[]), Some(0));
        let both = Term::Binary(Operator::And, &ONE, &NO_VALUE);
        assert_eq!(evaluate(&both, &[]), None);
    }

    #[test]
    fn a_broken_fact_is_named_with_the_values_it_is_about() {
        static ROWS: Term = Term::Dim(0, 0);
        static STRIDE: Term = Term::Stride(0, 0);
        static FACTS: [FactImage; 2] = [
            FactImage {
                text: "a.dim(0) >= 4",
                condition: Term::Binary(Operator::Ge, &ROWS, &Term::Int(4)),
            },
            FactImage {
                text: "a.stride(0) > a.dim(0) * a.dim(0)",
                condition: Term::Binary(
                    Operator::Gt,
                    &STRIDE,
                    &Term::Binary(Operator::Mul, &ROWS, &ROWS),
                ),
            },
        ];
        static IMAGE: KernelImage = KernelImage {
            facts: &FACTS,
            ..KernelImage::new("k", ("k.rs", 1), &["a"], &[], &[])
        };
        let check = |shape: [usize; 2]| {
            let a = Tensor::<f32, 2>::zeros(&Device::cpu(), shape).expect("a small tensor");
            super::check(&IMAGE, &[private::shared(&a).into_value()])
        };
        assert_eq!(check([4, 17]), Ok(()));
        let error = check([4, 16]).expect_err("16 is not above 16");
        assert_eq!(
            error,
            Error::BrokenFact {
                kernel: "k",
                fact: "a.stride(0) > a.dim(0) * a.dim(0)",
                values: vec![("a.stride(0)".to_owned(), 16), ("a.dim(0)".to_owned(), 4)],
            }
        );
        assert_eq!(
            error.to_string(),
            "kernel `k` assumes `a.stride(0) > a.dim(0) * a.dim(0)`, but `a.stride(0)` is 16 and `a.dim(0)` is 4: pass \
             what it assumes, or remove this `assume` from `k`"
        );
    }
}
