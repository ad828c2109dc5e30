//! Chooses between the instances of a kernel, and measures which is fastest.
//!
//! A kernel with `tune(BM, BN)` in its attribute has a function with the suffix `_tuned`, whose launches take the values of
//! `BM` and `BN` that are expected to be the fastest. All instances are compiled while the crate is built, so nothing is
//! compiled at run time, and a launch never measures unless it is told to.
//!
//! - [`TunedLaunch`] is what the function returns; [`TunedLaunch::choice`] says what would be launched and why.
//! - [`Tuner`] measures the instances for the arguments of a launch, and makes a record.
//! - A record counts for launches with the same key: the kernel's code, the element types, the classes of the extents, the
//!   device and its driver. Without one, the model chooses, corrected by records of other extents.
//! - Records are lines of JSON in a file. `TILE_TUNING` names it, or a crate ships it and calls [`add_records`];
//!   `tilec tune` shows and merges such files.
//!
//! [A page](https://github.com/tile-kernel/tile-kernel/blob/main/docs/tuning.md) of the handbook shows all of it with a
//! matrix product.

mod arguments;
mod choice;
mod halving;
mod key;
mod launch;
mod model;
mod place;
mod run;
mod space;
mod store;
pub(crate) mod table;
mod tuner;

pub use choice::ChosenBy;
pub use launch::{Choice, Expected, TunedLaunch};
pub use store::add_records;
pub use tuner::{Tuned, Tuner};
