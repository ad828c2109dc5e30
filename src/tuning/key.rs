//! The key of a launch: the classes of the numbers on which the fastest candidate depends.

use std::fmt::Write as _;

use smallvec::SmallVec;

use super::table::{KeyClass, KeyImage, Tuning};
use crate::args::{Value, tensors};
use crate::facts;

/// The largest power of two by which numbers are told apart, as an exponent.
const MAX_DIVISOR: u32 = 4;

/// The numbers of a launch, in the order of the key.
pub(super) type Extents = SmallVec<[u64; 12]>;

/// The classes of the numbers of a launch: equal for launches for which the same candidate is chosen.
pub(super) type Classes = SmallVec<[u64; 12]>;

/// Returns the numbers of a launch.
pub(super) fn extents(tuning: &Tuning, values: &[Value]) -> Extents {
    let number = |item: &KeyImage| match (values.get(item.param), item.axis) {
        (Some(Value::Tensor(tensor)), Some(axis)) => {
            tensor.shape().get(axis).map_or(0, |&extent| extent as u64)
        }
        (Some(Value::Scalar(bits)), None) => *bits,
        _ => 0,
    };
    let mut extents = Extents::new();
    for item in tuning.key {
        extents.push(number(item));
    }
    extents
}

/// Returns `true` if all tensors are aligned and contiguous along the axis that the code expects, as the faster variant of
/// every kernel needs.
pub(super) fn is_aligned(tuning: &Tuning, values: &[Value]) -> bool {
    let image = &(tuning.candidates[0].instance)().image;
    tensors(values).all(|(index, tensor)| facts::allow_fast(image, index, tensor))
}

/// Returns the classes of numbers. Every launch asks for them, and a list is filled faster by a loop than by an iterator.
pub(super) fn classes(tuning: &Tuning, extents: &[u64], is_aligned: bool) -> Classes {
    let mut classes = Classes::new();
    for (item, &number) in tuning.key.iter().zip(extents) {
        classes.push(match item.class {
            KeyClass::Exact => number,
            KeyClass::Bucket => bucket(number),
            KeyClass::Divisor => divisor(number),
            KeyClass::BucketAndDivisor => bucket(number) << 8 | divisor(number),
        });
    }
    classes.push(is_aligned.into());
    classes
}

/// Returns the classes as text: `a.dim(0) = 2^10/16, n = 7`. Here `2^10` is any number from 1024 to 2047, and `/16` one that
/// 16 divides. Where a tensor is not aligned, the text ends with `, unaligned`.
pub(super) fn text(tuning: &Tuning, extents: &[u64], is_aligned: bool) -> String {
    let mut text = String::new();
    for (item, &number) in tuning.key.iter().zip(extents) {
        let separator = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{separator}{} = ", item.name);
        let power = |text: &mut String| {
            let _ = match number {
                0 => write!(text, "0"),
                _ => write!(text, "2^{}", number.ilog2()),
            };
        };
        let divides = |text: &mut String| {
            let _ = write!(text, "/{}", 1_u64 << divisor(number));
        };
        match item.class {
            KeyClass::Exact => {
                let _ = write!(text, "{number}");
            }
            KeyClass::Bucket => power(&mut text),
            KeyClass::Divisor => divides(&mut text),
            KeyClass::BucketAndDivisor => {
                power(&mut text);
                divides(&mut text);
            }
        }
    }
    if !is_aligned {
        text += if text.is_empty() {
            "unaligned"
        } else {
            ", unaligned"
        };
    }
    text
}

/// Returns 0 for 0, and otherwise one more than the exponent of the power of two below.
fn bucket(number: u64) -> u64 {
    (u64::BITS - number.leading_zeros()).into()
}

/// Returns the exponent of the power of two that divides a number.
fn divisor(number: u64) -> u64 {
    number.trailing_zeros().min(MAX_DIVISOR).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(class: KeyClass) -> Tuning {
        let item = KeyImage {
            name: "n",
            param: 0,
            axis: None,
            class,
        };
        Tuning::new("k", "", "", &[], Box::leak(Box::new([item])))
    }

    #[test]
    fn classes_and_texts_tell_the_same_numbers_apart() {
        for class in [
            KeyClass::Exact,
            KeyClass::Bucket,
            KeyClass::Divisor,
            KeyClass::BucketAndDivisor,
        ] {
            let tuning = tuning(class);
            let numbers: Vec<u64> = (0..200).chain([u64::MAX, 1 << 63, 1 << 20]).collect();
            for &a in &numbers {
                for &b in &numbers {
                    assert_eq!(
                        classes(&tuning, &[a], true) == classes(&tuning, &[b], true),
                        text(&tuning, &[a], true) == text(&tuning, &[b], true),
                        "{class:?} {a} {b}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_text_names_the_class() {
        let of = |class, number| text(&tuning(class), &[number], true);
        assert_eq!(of(KeyClass::Exact, 1000), "n = 1000");
        assert_eq!(of(KeyClass::Bucket, 1000), "n = 2^9");
        assert_eq!(of(KeyClass::Divisor, 1000), "n = /8");
        assert_eq!(of(KeyClass::BucketAndDivisor, 1024), "n = 2^10/16");
        assert_eq!(of(KeyClass::BucketAndDivisor, 1), "n = 2^0/1");
        assert_eq!(of(KeyClass::BucketAndDivisor, 0), "n = 0/16");
        let exact = tuning(KeyClass::Exact);
        assert_eq!(text(&exact, &[7], false), "n = 7, unaligned");
        assert_ne!(classes(&exact, &[7], false), classes(&exact, &[7], true));
    }
}
