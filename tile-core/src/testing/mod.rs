//! For tests of this crate and of others: modules made at random, and when two
//! modules are the same.
//!
//! Behind the feature `testing`; nothing else depends on it.
//!
//! - [`generate`]: valid modules that reach every operation, type and attribute
//!   value of a version; the same seed and options give the same module.
//! - [`runnable`]: modules that run to their end without undefined behaviour, with
//!   arguments; [`execute`] and [`check_same`] tell whether a rewrite changed what they do.
//! - [`mutate`], [`mutate_text`], [`mutate_bytes`]: something changed, mostly for the worse.
//! - [`survive`], [`survive_text`], [`survive_bytes`]: what must hold of every input.
//! - [`shrink`]: the smallest part of a module that still shows a fault.
//! - [`structure`]: everything that a module is, to be compared.
//! - [`Coverage`]: what a set of modules holds, and what it lacks.
//! - [`Random`]: what all of them choose with, for tests that make other things.

mod coverage;
mod equal;
mod generate;
mod mutate;
mod pool;
mod random;
mod runnable;
mod shrink;
mod survive;

pub use coverage::Coverage;
pub use equal::{Facets, structure, structure_with};
pub use generate::{DebugLocations, GenerateOptions, generate, generate_from_bytes};
pub use mutate::{mutate, mutate_bytes, mutate_from_bytes, mutate_text};
pub use random::Random;
pub use runnable::{
    Argument, Executor, Function, Inexact, Outcome, Runnable, RunnableOptions, check_same, execute,
    execute_with, runnable, runnable_with,
};
pub use shrink::shrink;
pub use survive::{Survival, survive, survive_bytes, survive_text};

use crate::ops::Version;
use crate::types::Scalar;

/// The version that an element type appeared in.
fn since(scalar: Scalar) -> Version {
    match scalar {
        Scalar::I4 | Scalar::F4E2M1FN => Version::V13_3,
        Scalar::F8E8M0FNU => Version::V13_2,
        Scalar::I1
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::F16
        | Scalar::BF16
        | Scalar::F32
        | Scalar::TF32
        | Scalar::F64
        | Scalar::F8E4M3FN
        | Scalar::F8E5M2 => Version::V13_1,
    }
}
