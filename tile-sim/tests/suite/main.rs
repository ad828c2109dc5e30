//! Programs that are run, and what they must do.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::precedence,
    reason = "tests of exactly these conversions"
)]

mod checks;
mod control;
mod counters;
mod float;
mod hostile;
mod integer;
mod llvm;
mod matrix;
mod support;
mod warp;
