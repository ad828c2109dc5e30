//! Tests that the rules of inputs are recognized and reproduce the inputs.

use std::collections::BTreeSet;

use libtest_mimic::Failed;
use tile_core::Scalar;
use tile_core::testing::Random;

use super::input::{Input, Values, fingerprint};

const RULES: [Values; 7] = [
    Values::Fill(0),
    Values::Fill(0xcd),
    Values::Iota,
    Values::Bits,
    Values::Sizes,
    Values::Unit,
    Values::Whole {
        first: -4,
        count: 9,
        scale: 0.25,
    },
];

/// Tests that a rule is recognized from its bytes, reproduces them, and leads to the right next state.
pub(crate) fn inputs_are_made_again() -> Result<(), Failed> {
    for scalar in [Scalar::I1, Scalar::I32, Scalar::BF16, Scalar::F64] {
        for values in RULES {
            if matches!(values, Values::Sizes | Values::Unit) && !scalar.is_float() {
                continue;
            }
            let input = Input {
                scalar,
                count: 300,
                values,
                state: 7,
            };
            let bytes = input.drawn(&mut Random::new(7));
            let recognized = Input::recognize(scalar, &bytes, &RULES, &[1, 7]).ok_or("no rule")?;
            let mut random = Random::new(7);
            let _drawn = input.drawn(&mut random);
            let next = Random::new(input.behind()).bits();
            let mut other = bytes.clone();
            *other.last_mut().ok_or("a byte")? ^= 1;
            let is_so = recognized.drawn(&mut Random::new(recognized.state)) == bytes
                && random.bits() == next
                && Input::recognize(scalar, &other, &RULES, &[1, 7]).is_none();
            if !is_so {
                return Err(format!("{values:?} of {scalar}").into());
            }
        }
    }
    let none = [&[][..], &[0; 6]].map(|bytes| Input::recognize(Scalar::F32, bytes, &RULES, &[1]));
    if none != [None, None] {
        return Err(format!("{none:?}").into());
    }
    Ok(())
}

/// Tests that fingerprints distinguish different bytes and different boundaries between buffers.
pub(crate) fn fingerprints_tell_buffers_apart() -> Result<(), Failed> {
    let cases = [
        vec![vec![1, 2], vec![3]],
        vec![vec![1], vec![2, 3]],
        vec![vec![1, 2], vec![4]],
        vec![vec![1, 2, 3]],
    ];
    let fingerprints: BTreeSet<u64> = cases.iter().map(|buffers| fingerprint(buffers)).collect();
    if fingerprints.len() == cases.len() {
        Ok(())
    } else {
        Err(format!("{fingerprints:?}").into())
    }
}
