//! Checks the claims that make stores of different blocks disjoint.
//!
//! The compiler proves that blocks store to different places of a tensor, provided that the
//! integers in the index computations do not wrap around and nothing is divided by zero. Where this
//! depends on arguments, extents of tensors or the grid, each launch checks it, in 128-bit
//! arithmetic.

use tile_core::reach::{Claim, Inputs, Reach, reach};

use crate::args::Value;
use crate::image::{ClaimImage, KernelImage};
use crate::{Error, Result};

/// Refuses a launch in which two blocks might store to the same place.
pub(crate) fn check(image: &'static KernelImage, grid: [u32; 3], values: &[Value]) -> Result<()> {
    let launch = Known { grid, values };
    for ClaimImage {
        param,
        line,
        claim,
        program,
    } in image.claims
    {
        let range = reach(program, &launch);
        if claim.holds(range) {
            continue;
        }
        let (kernel, param, line) = (image.name, image.param(*param), *line);
        return Err(match *claim {
            Claim::Fits { bits, signed } => Error::IndexWraps {
                kernel,
                param,
                line,
                bits,
                reach: beyond(range, bits, signed),
            },
            Claim::Positive | Claim::NotZero => Error::IndexDivisor {
                kernel,
                param,
                line,
                least: match range {
                    Reach::Between(low, high) if low == high => Some(low),
                    Reach::Between(low, _) => Some(low.min(0)),
                    Reach::Never | Reach::Anything => None,
                },
            },
        });
    }
    Ok(())
}

/// Returns a bound of the range that an integer of `bits` bits cannot represent; `None` if the
/// range is unknown.
fn beyond(range: Reach, bits: u32, signed: bool) -> Option<i128> {
    let claim = Claim::Fits { bits, signed };
    match range {
        Reach::Between(low, high) => [high, low]
            .into_iter()
            .find(|&end| !claim.holds(Reach::Between(end, end))),
        Reach::Never | Reach::Anything => None,
    }
}

/// The numbers of a launch.
pub(crate) struct Known<'a> {
    pub(crate) grid: [u32; 3],
    pub(crate) values: &'a [Value],
}

impl Inputs for Known<'_> {
    fn blocks(&self, axis: usize) -> u32 {
        self.grid[axis]
    }

    fn scalar(&self, param: usize) -> Option<u64> {
        match self.values.get(param)? {
            Value::Scalar(word) => Some(*word),
            Value::Tensor(_) | Value::Pointer(_) => None,
        }
    }

    fn extent(&self, param: usize, axis: usize) -> Option<u64> {
        match self.values.get(param)? {
            Value::Tensor(tensor) => {
                let extent = *tensor.shape().get(axis)?;
                u64::try_from(extent).ok()
            }
            Value::Scalar(_) | Value::Pointer(_) => None,
        }
    }
}
