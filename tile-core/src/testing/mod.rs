//! Test support for this crate and others: random modules, and their comparison.
//!
//! Enabled by the feature `testing`; nothing else depends on it.
//!
//! - [`generate`]: valid modules that cover every operation, type and attribute value of a version;
//!   the same seed and options give the same module.
//! - [`runnable`]: modules that run to completion without undefined behaviour, with arguments;
//!   [`execute`] and [`check_same`] check that a rewrite preserves their effects.
//! - [`mutate`], [`mutate_text`], [`mutate_bytes`]: random changes, which mostly make the input
//!   invalid.
//! - [`survive`], [`survive_text`], [`survive_bytes`]: properties of every input.
//! - [`shrink`]: reduces a module to the smallest part that still fails.
//! - [`structure`]: the complete contents of a module, for comparison.
//! - [`Coverage`]: the operations, attribute values and types that a set of modules covers.
//! - [`Random`]: the source of all these random choices, also for tests that generate other things.

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

/// Returns the version that introduced an element type.
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
