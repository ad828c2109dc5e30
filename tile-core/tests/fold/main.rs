//! Constant folding: what folds, what stays, and that both agree with execution.

mod case;
#[path = "../common/mod.rs"]
mod common;
mod differential;
mod floats;
mod integers;
mod model;
mod reductions;
mod shapes;
