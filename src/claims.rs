//! Checks the claims on which a launch's blocks rely to store to different places.
//!
//! The compiler shows that blocks store to different places of a tensor, if the integers that their
//! indices are computed from do not wrap around and nothing is divided by zero. Where that depends on
//! arguments, extents of tensors or the grid, each launch checks it, in 128 bits.

use tile_core::reach::{Claim, Inputs, Reach, reach};

use crate::launch::Value;
use crate::private::{ClaimImage, KernelImage};
use crate::{Error, Result};

/// Refuses a launch in which two blocks might store to one place.
pub(crate) fn check(image: &'static KernelImage, grid: [u32; 3], values: &[Value]) -> Result<()> {
    let launch = Known { grid, values };
    for ClaimImage {
        param,
        line,
        claim,
        program,
    } in image.claims
    {
        let found = reach(program, &launch);
        if claim.holds(found) {
            continue;
        }
        let (kernel, param, line) = (image.name, image.param(*param), *line);
        return Err(match *claim {
            Claim::Fits { bits, signed } => Error::IndexWraps {
                kernel,
                param,
                line,
                bits,
                reach: beyond(found, bits, signed),
            },
            Claim::Positive | Claim::NotZero => Error::IndexDivisor {
                kernel,
                param,
                line,
                least: match found {
                    Reach::Between(low, high) if low == high => Some(low),
                    Reach::Between(low, _) => Some(low.min(0)),
                    Reach::Never | Reach::Anything => None,
                },
            },
        });
    }
    Ok(())
}

/// The end of the range that is no word of so many bits; `None` where nothing is known of it.
fn beyond(found: Reach, bits: u32, signed: bool) -> Option<i128> {
    let claim = Claim::Fits { bits, signed };
    match found {
        Reach::Between(low, high) => [high, low]
            .into_iter()
            .find(|&end| !claim.holds(Reach::Between(end, end))),
        Reach::Never | Reach::Anything => None,
    }
}

struct Known<'a> {
    grid: [u32; 3],
    values: &'a [Value],
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
