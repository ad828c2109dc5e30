//! Tests which operations constant folding folds, and that results agree with execution.

#![expect(
    clippy::float_cmp,
    reason = "asks for certain values and whether a conversion was exact"
)]

mod case;
#[path = "../common/mod.rs"]
mod common;
mod differential;
mod files;
mod floats;
mod integers;
mod model;
mod reductions;
mod shapes;
