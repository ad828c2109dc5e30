//! A launch of whichever candidate is chosen.

use std::marker::PhantomData;
use std::sync::Arc;

use super::choice::{self, ChosenBy, Order};
use super::space::Space;
use super::store;
use super::table::{Grids, Tuning};
use super::tuner::{self, Tuner};
use crate::args::{Arg, Values, memories};
use crate::launch::Launch;
use crate::stream::{Queue, StreamRef};
use crate::{Device, Error, Result, graph};

/// A kernel with its arguments, of which the fastest instance will be started.
///
/// A kernel with `tune(BM, BN)` in its attribute has a function with the suffix `_tuned`, which returns this: it takes no
/// values for `BM` and `BN`. [The book](https://github.com/tile-kernel/tile-kernel/blob/main/docs/tuning.md) says how they
/// are chosen.
///
/// ```
/// use tile_kernel::prelude::*;
///
/// #[tile_kernel(grid = y.tiles([N]), instances(N = [256, 1024, 4096]), tune(N), arch("cpu"))]
/// fn square<const N: usize>(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
///     let x = x.load([block_id(0)], [N]);
///     y.store([block_id(0)], x * x);
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let x = Tensor::full(&Device::cpu(), [10_000], 3.0)?;
/// let mut y = Tensor::zeros(&Device::cpu(), [10_000])?;
/// square_tuned(&x, &mut y).launch()?;
/// assert_eq!(y.to_vec()?, [9.0; 10_000]);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing runs before `.launch()`"]
pub struct TunedLaunch<'a> {
    /// Also an error that the launch returns.
    pub(super) ready: Result<Ready>,
    stream: Option<StreamRef<'a>>,
    borrow: PhantomData<Arg<'a>>,
}

/// The table, grids and arguments with which all candidates are launched.
pub(super) struct Ready {
    pub(super) tuning: &'static Tuning,
    pub(super) grids: Grids,
    pub(super) values: Values,
}

/// The candidate that a launch starts, and the reason.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The candidate: `BM = 64, BN = 128`. On the CPU device, it may have a level of native code, where that is not the highest one:
    /// `BM = 64, BN = 128 at avx2`.
    pub name: &'static str,
    /// The way in which it is chosen.
    pub by: ChosenBy,
    /// All candidates in the order in which they are tried.
    pub candidates: Vec<Expected>,
}

/// The expected times of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Expected {
    /// The candidate.
    pub name: &'static str,
    /// The time in seconds by the model alone.
    pub modelled: f64,
    /// The time in seconds by the model and the records.
    pub corrected: f64,
}

impl<'a> TunedLaunch<'a> {
    pub(super) fn new(tuning: &'static Tuning, grids: Grids, values: Values) -> TunedLaunch<'a> {
        TunedLaunch {
            ready: Ok(Ready {
                tuning,
                grids,
                values,
            }),
            stream: None,
            borrow: PhantomData,
        }
    }

    pub(super) fn failed(error: Error) -> TunedLaunch<'a> {
        TunedLaunch {
            ready: Err(error),
            stream: None,
            borrow: PhantomData,
        }
    }

    /// Runs the kernel on this stream, instead of the device's default stream.
    pub fn on(mut self, stream: impl Into<StreamRef<'a>>) -> TunedLaunch<'a> {
        self.stream = Some(stream.into());
        self
    }

    /// Returns which candidate would be started now, and what is expected of the others.
    ///
    /// # Errors
    /// [`NotCompiled`](Error::NotCompiled) if the kernel has no instance for the types and other const parameters.
    pub fn choice(&self) -> Result<Choice> {
        let ready = self.ready.as_ref().map_err(Clone::clone)?;
        let device = ready.device(self.queue()?.as_ref());
        let order = ready.order(device);
        let candidates: Vec<Expected> = order
            .indices
            .iter()
            .zip(&order.seconds)
            .map(|(&index, &(modelled, corrected))| Expected {
                name: order.space.name(index.into()),
                modelled,
                corrected,
            })
            .collect();
        Ok(Choice {
            name: candidates[0].name,
            by: order.by,
            candidates,
        })
    }

    /// Returns the launch of one candidate, by its name: `BM = 64, BN = 128`, or `BM = 64, BN = 128 at avx2` for native code of
    /// a lower level than the highest one.
    ///
    /// # Errors
    /// [`NotCompiled`](Error::NotCompiled) if there is no such candidate.
    pub fn candidate(self, name: &str) -> Result<Launch<'a>> {
        let queue = self.queue();
        let ready = self.ready?;
        // An order that was made before is found faster than a space is made.
        let order = ready.order(ready.device(queue?.as_ref()));
        let space = &order.space;
        let Some(candidate) = space.named(name) else {
            return Err(Error::NotCompiled {
                kernel: ready.name(),
                instance: name.to_owned(),
                listed: space.candidates().map(|it| space.name(it)).collect(),
            });
        };
        let launch = ready.launch(space, candidate);
        Ok(match self.stream {
            Some(stream) => launch.on(stream),
            None => launch,
        })
    }

    /// Starts the chosen candidate, as [`Launch::launch`] does. If it cannot be started on this device, the next one is, and a
    /// line on the standard error says so, once.
    ///
    /// With `TILE_TUNE=1` in the environment, a launch without a record first measures all candidates, as [`Tuner`] does,
    /// and adds a record to the file that `TILE_TUNING` names.
    ///
    /// # Errors
    /// Returns any [`Error`] about the arguments or from the driver.
    pub fn launch(self) -> Result<()> {
        let queue = self.queue()?;
        let ready = self.ready?;
        let device = ready.device(queue.as_ref());
        let mut order = ready.order(device);
        if order.by != ChosenBy::Record
            && tuner::is_requested()?
            && !ready.is_empty(device)
            && !graph::is_captured(device)?
        {
            Tuner::from_environment().tune_on(&ready, device, queue.as_ref())?;
            order = ready.order(device);
        }
        let mut first_error = None;
        for &index in &order.indices {
            let launch = ready.launch(&order.space, index.into());
            let launch = match &queue {
                Some(queue) => launch.on(StreamRef::of(queue)),
                None => launch,
            };
            match launch.launch() {
                Ok(()) => return Ok(()),
                Err(error) if is_of_candidate(&error) => {
                    ready.note_failure(&order.space, index, &error);
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(first_error.expect("a kernel has at least one candidate"))
    }

    pub(super) fn queue(&self) -> Result<Option<Queue>> {
        let stream = self.stream.as_ref();
        stream.map(|stream| stream.queue.clone()).transpose()
    }
}

impl Ready {
    /// Returns the name of the kernel.
    pub(super) fn name(&self) -> &'static str {
        (self.tuning.candidates[0].instance)().image.name
    }

    /// Returns the device of a launch, as far as it can be known before the arguments are checked.
    pub(super) fn device(&self, queue: Option<&Queue>) -> Device {
        let mut tensors = memories(&self.values);
        match (queue, tensors.next()) {
            (Some(queue), _) => queue.device(),
            (None, Some((_, tensor))) => tensor.storage.device(),
            (None, None) => Device::best(),
        }
    }

    /// Returns `true` if the launch has no blocks, so that nothing can be measured.
    fn is_empty(&self, device: Device) -> bool {
        let grid = self.grids[0].map(|grid| grid.check(self.name(), device));
        matches!(grid, Some(Ok(blocks)) if blocks.contains(&0))
    }

    pub(super) fn order(&self, device: Device) -> Arc<Order> {
        choice::order(self.tuning, &self.grids, &self.values, device)
    }

    /// Returns the launch of a candidate.
    pub(super) fn launch<'a>(&self, space: &Space, candidate: usize) -> Launch<'a> {
        let (instance, grid) = (
            space.instance(candidate),
            self.grids[space.place(candidate)],
        );
        let launch = Launch::of_values(instance, grid, self.values.clone());
        launch.at_level(space.level(candidate))
    }

    fn note_failure(&self, space: &Space, index: u16, error: &Error) {
        let with_any = is_of_code(error);
        if self.tuning.choices_mut().fail(index, with_any) {
            store::warn(&format!(
                "kernel `{}` does not start with `{}`, and the next candidate takes its place: {error}",
                self.name(),
                space.name(index.into())
            ));
        }
    }
}

/// Returns `true` for an error that another candidate may not have, and before which nothing has run.
pub(super) fn is_of_candidate(error: &Error) -> bool {
    let is_of_grid = matches!(
        error,
        Error::GridTooLarge { .. }
            | Error::ZeroTile { .. }
            | Error::BlocksNotApart { .. }
            | Error::IndexWraps { .. }
            | Error::IndexDivisor { .. }
            | Error::SharedPlace { .. }
            | Error::BrokenFact { .. }
    );
    is_of_grid || is_of_code(error)
}

/// Returns `true` for an error of the code of a candidate, whatever its arguments.
fn is_of_code(error: &Error) -> bool {
    matches!(
        error,
        Error::NoDeviceCode { .. }
            | Error::PtxTooNew { .. }
            | Error::Driver { .. }
            | Error::NotNative { .. }
            | Error::NoNativeLevel { .. }
            | Error::NotOnSim { .. }
            | Error::NoPtx { .. }
            | Error::Artifact { .. }
    )
}
