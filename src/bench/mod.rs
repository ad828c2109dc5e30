//! Measures the time of kernels.
//!
//! ```
//! use tile_kernel::{bench, prelude::*};
//!
//! #[tile_kernel(grid = c.tiles([1024]), arch("cpu"))]
//! fn add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
//!     let i = block_id(0);
//!     c.store([i], a.load([i], [1024]) + b.load([i], [1024]));
//! }
//!
//! # fn main() -> tile_kernel::Result<()> {
//! let device = Device::cpu();
//! let a = Tensor::full(&device, [10_000], 1.0)?;
//! let b = Tensor::full(&device, [10_000], 2.0)?;
//! let mut c = Tensor::zeros(&device, [10_000])?;
//!
//! let time = bench::do_bench(&device, |stream| add(&a, &b, &mut c).on(stream).launch())?;
//! println!("{time}"); // 12.34 us ± 0.4 % (median of 812 samples)
//! println!("{:.1} GB/s", time.rate(12.0 * 10_000.0) / 1e9);
//! # Ok(())
//! # }
//! ```
//!
//! - [`do_bench`] measures one closure, as `triton.testing.do_bench` does: it warms up, empties the cache before each run on
//!   a GPU, and takes the time by events. [`Bench`] has the options.
//! - [`do_bench_paired`] measures two by turns, and returns the ratio of their times. It finds differences that are much
//!   smaller than the changes of a machine from minute to minute.
//! - A [`Measurement`] has all samples, the noise of the median, and what was seen of the clocks of the device; its
//!   [`warnings`](Measurement::warnings) say that a GPU was throttled.
//! - A [`Table`] shows several, and JSON keeps them. With the feature `report`, `Plot` draws them, and `Progress` is a progress
//!   bar.
//!
//! On `Device::sim()` and with the simulated driver, a time is an estimate that is computed from what the kernel does
//! ([`Source::Simulated`]): the same in every run, and larger for more work of any kind.
//!
//! [A page](https://github.com/tile-kernel/tile-kernel/blob/main/docs/measuring.md) of the handbook is about what to look
//! after.

#![expect(
    clippy::cast_precision_loss,
    reason = "numbers of samples and runs are far below 2^53"
)]

mod clocks;
mod flush;
mod json;
mod measure;
mod measurement;
mod options;
mod paired;
#[cfg(feature = "report")]
mod plot;
#[cfg(feature = "report")]
mod progress;
mod statistics;
mod table;

pub use clocks::{Clocks, CpuClocks, GpuClocks, Throttle};
pub use flush::Cache;
pub use measure::{Source, Target};
pub use measurement::{Measurement, Warning};
pub use options::Bench;
pub use paired::Paired;
#[cfg(feature = "report")]
pub use plot::Plot;
#[cfg(feature = "report")]
pub use progress::Progress;
pub use table::{Row, Table};

use crate::{Result, Stream};

/// Measures the time that the work of a closure takes on a device.
///
/// The closure submits the work to the stream that it gets, and does not wait for it: what it submits elsewhere is not
/// measured. It is called for every run, and must do the same each time. On the CPU, the time is that of the closure.
///
/// [`Bench`] has the options, with their defaults for each device.
///
/// ```
/// use tile_kernel::bench::{Measurement, do_bench};
/// use tile_kernel::prelude::*;
///
/// #[tile_kernel(grid = x.tiles([64]), arch("cpu"))]
/// fn increment(x: &mut Tensor<f32, 1>) {
///     let i = block_id(0);
///     x.store([i], x.load([i], [64]) + 1.0);
/// }
///
/// fn time_of(device: Device) -> tile_kernel::Result<Measurement> {
///     let mut x = Tensor::zeros(&device, [100])?;
///     do_bench(&device, |stream| increment(&mut x).on(stream).launch())
/// }
/// # fn main() -> tile_kernel::Result<()> {
/// # assert!(time_of(Device::cpu())?.median() > 0.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The first error of the closure, which ends the measurement; [`Capturing`](crate::Error::Capturing) in a capture;
/// [`NothingMeasured`](crate::Error::NothingMeasured) if nothing took any time; another error of the driver.
pub fn do_bench(
    target: &impl Target,
    run: impl FnMut(&Stream) -> Result<()>,
) -> Result<Measurement> {
    Bench::new().run(target, run)
}

/// Measures the ratio of the times of two closures, which run by turns.
///
/// ```
/// use std::cell::RefCell;
/// use std::time::Duration;
/// use tile_kernel::bench::Bench;
/// use tile_kernel::prelude::*;
///
/// #[tile_kernel(grid = x.tiles([N]), instances((N = 64), (N = 1024)), arch("cpu"))]
/// fn increment<const N: usize>(x: &mut Tensor<f32, 1>) {
///     let i = block_id(0);
///     x.store([i], x.load([i], [N]) + 1.0);
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let device = Device::cpu();
/// let x = RefCell::new(Tensor::zeros(&device, [5000])?); // both closures write it
/// let ratio = Bench::new().duration(Duration::from_millis(20)).run_paired(
///     &device,
///     |stream| increment::<64>(&mut x.borrow_mut()).on(stream).launch(),
///     |stream| increment::<1024>(&mut x.borrow_mut()).on(stream).launch(),
/// )?;
/// println!("{ratio}"); // 7.9123 (between 7.8801 and 7.9467 with 99.0 %, 212 groups of samples)
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`do_bench`].
pub fn do_bench_paired(
    target: &impl Target,
    a: impl FnMut(&Stream) -> Result<()>,
    b: impl FnMut(&Stream) -> Result<()>,
) -> Result<Paired> {
    Bench::new().run_paired(target, a, b)
}
