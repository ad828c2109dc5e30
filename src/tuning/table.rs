//! The tables that the expansion of a kernel with `tune(..)` embeds, and the functions that it calls.

use std::ops::Deref;
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tile_core::reach::Step;
pub use tile_core::tuning::model::Work;

use super::choice::Choices;
use super::launch::TunedLaunch;
use super::space;
use crate::args::{Arg, Values};
use crate::image::NativeLevel;
use crate::instance::Instance;
use crate::kept::{self, Kept};
use crate::{Error, Grid};

/// The grids of all candidates; `None` where the attribute has none. Launches of a thread use the memory of the list one after the
/// other.
#[derive(Debug)]
pub struct Grids(Vec<Option<Grid>>);

/// The maximum capacity of a list of grids that is kept for later launches.
const MAX_KEPT: usize = 1024;

thread_local! {
    static KEPT: Kept<Option<Grid>> = const { Kept::new() };
}

impl Deref for Grids {
    type Target = [Option<Grid>];

    fn deref(&self) -> &[Option<Grid>] {
        &self.0
    }
}

impl Drop for Grids {
    fn drop(&mut self) {
        kept::give_back(&KEPT, std::mem::take(&mut self.0), MAX_KEPT);
    }
}

/// A kernel whose const parameters may be chosen, for certain types and other const parameters.
#[derive(Debug)]
pub struct Tuning {
    /// The path of the kernel: `my_crate::layers::product`.
    pub(crate) kernel: &'static str,
    /// The hash of the code of all candidates, in 16 hexadecimal digits.
    pub(crate) hash: &'static str,
    /// The types and the const parameters that are not chosen: `T = f32, CAUSAL = true`.
    pub(crate) fixed: &'static str,
    /// The instances between which to choose, in the order of the attribute.
    pub(crate) candidates: &'static [Candidate],
    /// The numbers of a launch by which to choose.
    pub(crate) key: &'static [KeyImage],
    choices: RwLock<Choices>,
    /// For each level of native code, the names of the candidates that run it.
    names: OnceLock<Vec<String>>,
}

/// An instance that may be chosen.
#[derive(Debug)]
pub struct Candidate {
    /// The values that are chosen: `BM = 64, BN = 128`.
    pub name: &'static str,
    /// Returns the instance.
    pub instance: fn() -> &'static Instance,
    /// The work of a block.
    pub parts: &'static [PartImage],
}

/// A part of a kernel, such as the body of a loop.
#[derive(Debug)]
pub struct PartImage {
    /// The work of a block in one run of it.
    pub work: Work,
    /// Programs whose results, multiplied, are the number of runs.
    pub trips: &'static [&'static [Step]],
}

/// A number of a launch by which the tuner chooses.
#[derive(Clone, Copy, Debug)]
pub struct KeyImage {
    /// The number as the attribute writes it: `a.dim(0)`.
    pub name: &'static str,
    /// The parameter.
    pub param: usize,
    /// The axis of a tensor; `None` for an integer.
    pub axis: Option<usize>,
    /// The numbers that count as alike.
    pub class: KeyClass,
}

/// The numbers of a key that count as alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyClass {
    /// Those between the same powers of two that are divisible by the same power of two up to 16.
    BucketAndDivisor,
    /// Those between the same powers of two.
    Bucket,
    /// Those that are divisible by the same power of two up to 16.
    Divisor,
    /// Equal ones.
    Exact,
}

impl Tuning {
    /// Returns the table of a kernel that has not been launched.
    pub const fn new(
        kernel: &'static str,
        hash: &'static str,
        fixed: &'static str,
        candidates: &'static [Candidate],
        key: &'static [KeyImage],
    ) -> Tuning {
        Tuning {
            kernel,
            hash,
            fixed,
            candidates,
            key,
            choices: RwLock::new(Choices::new()),
            names: OnceLock::new(),
        }
    }

    /// Returns the name of a candidate that runs code of a level which is not the highest one.
    pub(super) fn name_at(&self, candidate: usize, level: NativeLevel) -> &str {
        let names = self.names.get_or_init(|| space::names(self));
        &names[level as usize * self.candidates.len() + candidate]
    }

    /// Returns the choices of this process. Any number of launches may read them at the same time.
    pub(super) fn choices(&self) -> RwLockReadGuard<'_, Choices> {
        self.choices.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the choices of this process, to be changed.
    pub(super) fn choices_mut(&self) -> RwLockWriteGuard<'_, Choices> {
        self.choices.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the grids of all candidates.
pub fn grids(list: &[Option<Grid>]) -> Grids {
    let mut grids = kept::take(&KEPT);
    grids.extend_from_slice(list);
    Grids(grids)
}

/// Returns a launch of whichever candidate is chosen.
pub fn tuned<'a, const N: usize>(
    tuning: &'static Tuning,
    grids: Grids,
    args: [Arg<'a>; N],
) -> TunedLaunch<'a> {
    TunedLaunch::new(tuning, grids, Values::new(args))
}

/// Returns a launch that fails, since there is no instance.
pub fn not_tuned<'a>(error: Error) -> TunedLaunch<'a> {
    TunedLaunch::failed(error)
}
