//! The options of a measurement, and their defaults on each device.

use std::time::Duration;

use super::flush::Cache;
use super::measure::{Source, Target};
use super::statistics::LEAST;
use super::{Measurement, Paired, measure, paired};
use crate::{Error, Result, Stream};

/// The options of a measurement: what [`do_bench`](super::do_bench) does, with other numbers.
///
/// ```
/// use std::time::Duration;
/// use tile_kernel::bench::{Bench, Cache};
/// use tile_kernel::prelude::*;
///
/// #[tile_kernel(grid = x.tiles([64]), arch("cpu"))]
/// fn clear(x: &mut Tensor<f32, 1>) {
///     x.store([block_id(0)], zeros([64]));
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let device = Device::cpu();
/// let mut x = Tensor::full(&device, [1000], 1.0)?;
/// let time = Bench::new()
///     .warm_up(Duration::from_millis(1))
///     .duration(Duration::from_millis(5))
///     .cache(Cache::Cold)
///     .run(&device, |stream| clear(&mut x).on(stream).launch())?;
/// assert!(time.median() > 0.0);
/// # Ok(())
/// # }
/// ```
///
/// | option | GPU | CPU | simulated |
/// |---|---|---|---|
/// | [`warm_up`](Bench::warm_up) | 25 ms | 100 ms | 0 |
/// | [`duration`](Bench::duration) | 100 ms | 500 ms | 0 |
/// | [`cache`](Bench::cache) | cold | warm | warm |
/// | [`min_samples`](Bench::min_samples) | 8 | 8 | 1 |
/// | [`max_samples`](Bench::max_samples) | 10,000 | 10,000 | 10,000 |
///
/// The numbers for a GPU are those of `triton.testing.do_bench`. On the CPU, where a kernel shares its cores with other
/// programs, it takes longer until the noise averages out, and what one launch leaves in the cache is what the next one
/// finds in most programs. A simulated device has no noise and no cache: one run says everything.
#[derive(Clone, Debug, Default)]
#[must_use = "options measure nothing before `run`"]
pub struct Bench {
    warm_up: Option<Duration>,
    duration: Option<Duration>,
    cache: Option<Cache>,
    min_samples: Option<usize>,
    max_samples: Option<usize>,
    /// Set if nobody reads what was seen of the clocks, which takes a millisecond on the CPU.
    pub(super) ignores_clocks: bool,
}

/// The options for one device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) warm_up: f64,
    pub(super) duration: f64,
    pub(super) cache: Cache,
    pub(super) min_samples: usize,
    pub(super) max_samples: usize,
}

/// The longest time that an option may ask for.
const LONGEST: Duration = Duration::from_secs(3600);

/// The largest number of samples that an option may ask for.
const MOST: usize = 1_000_000;

impl Bench {
    /// Returns the options with their defaults.
    pub fn new() -> Bench {
        Bench::default()
    }

    /// Sets the time for runs that are not measured, after which caches, clocks and memory pools are in their usual
    /// state.
    pub fn warm_up(mut self, time: Duration) -> Bench {
        self.warm_up = Some(time);
        self
    }

    /// Sets the time for the runs that are measured. With 0, as many samples are taken as
    /// [`min_samples`](Bench::min_samples) says, of one run each.
    pub fn duration(mut self, time: Duration) -> Bench {
        self.duration = Some(time);
        self
    }

    /// Sets what the caches contain when a run begins.
    pub fn cache(mut self, cache: Cache) -> Bench {
        self.cache = Some(cache);
        self
    }

    /// Sets the number of samples that are taken at the least, however long it takes. From 8 on, a measurement knows
    /// its noise.
    pub fn min_samples(mut self, samples: usize) -> Bench {
        self.min_samples = Some(samples);
        self
    }

    /// Sets the number of samples that are taken at the most.
    pub fn max_samples(mut self, samples: usize) -> Bench {
        self.max_samples = Some(samples);
        self
    }

    /// Does not look at clocks, so that a measurement of less than a millisecond takes no longer.
    pub(crate) fn ignore_clocks(mut self) -> Bench {
        self.ignores_clocks = true;
        self
    }

    /// Measures the time of `run`, as [`do_bench`](super::do_bench) does.
    ///
    /// # Errors
    /// [`BenchOption`](Error::BenchOption), and those of `do_bench`.
    pub fn run(
        &self,
        target: &impl Target,
        run: impl FnMut(&Stream) -> Result<()>,
    ) -> Result<Measurement> {
        measure::run(self, target, run)
    }

    /// Measures the ratio of the times of `a` and `b`, as [`do_bench_paired`](super::do_bench_paired) does.
    ///
    /// # Errors
    /// [`BenchOption`](Error::BenchOption), and those of `do_bench_paired`.
    pub fn run_paired(
        &self,
        target: &impl Target,
        a: impl FnMut(&Stream) -> Result<()>,
        b: impl FnMut(&Stream) -> Result<()>,
    ) -> Result<Paired> {
        paired::run(self, target, a, b)
    }

    /// Returns the options for times of a source.
    pub(super) fn chosen(&self, source: Source) -> Result<Chosen> {
        let milliseconds = Duration::from_millis;
        let (warm_up, duration, cache, least) = match source {
            Source::Gpu => (milliseconds(25), milliseconds(100), Cache::Cold, LEAST),
            Source::Host => (milliseconds(100), milliseconds(500), Cache::Warm, LEAST),
            Source::Simulated => (Duration::ZERO, Duration::ZERO, Cache::Warm, 1),
        };
        let time = |option, chosen: Option<Duration>, default| {
            let time = chosen.unwrap_or(default);
            if time > LONGEST {
                return Err(Error::BenchOption {
                    option,
                    value: format!("{time:?}"),
                    cure: "choose an hour or less",
                });
            }
            Ok(time.as_secs_f64())
        };
        let samples = |option, chosen: usize| match chosen {
            1..=MOST => Ok(chosen),
            _ => Err(Error::BenchOption {
                option,
                value: chosen.to_string(),
                cure: "choose a number from 1 to 1,000,000",
            }),
        };
        let most = samples("max_samples", self.max_samples.unwrap_or(10_000))?;
        let default = self.max_samples.map_or(least, |most| least.min(most));
        let min_samples = samples("min_samples", self.min_samples.unwrap_or(default))?;
        let default = self.min_samples.map_or(most, |least| least.max(most));
        let max_samples = self.max_samples.unwrap_or(default);
        if min_samples > max_samples {
            return Err(Error::BenchOption {
                option: "min_samples",
                value: min_samples.to_string(),
                cure: "choose no more than `max_samples`",
            });
        }
        Ok(Chosen {
            warm_up: time("warm_up", self.warm_up, warm_up)?,
            duration: time("duration", self.duration, duration)?,
            cache: self.cache.unwrap_or(cache),
            min_samples,
            max_samples,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_options_are_refused_with_a_cure() {
        let wrong = [
            (Bench::new().min_samples(0), "min_samples"),
            (Bench::new().max_samples(0), "max_samples"),
            (Bench::new().min_samples(9).max_samples(8), "min_samples"),
            (Bench::new().max_samples(usize::MAX), "max_samples"),
            (Bench::new().duration(Duration::MAX), "duration"),
            (Bench::new().warm_up(Duration::MAX), "warm_up"),
        ];
        for (bench, expected) in wrong {
            let error = bench.chosen(Source::Host).expect_err("it is absurd");
            assert!(
                matches!(error, Error::BenchOption { option, .. } if option == expected),
                "{error}"
            );
        }
    }

    #[test]
    fn one_bound_of_samples_moves_the_other_default() -> Result<()> {
        let few = Bench::new().max_samples(3).chosen(Source::Gpu)?;
        assert_eq!((few.min_samples, few.max_samples), (3, 3));
        let many = Bench::new().min_samples(20_000).chosen(Source::Gpu)?;
        assert_eq!((many.min_samples, many.max_samples), (20_000, 20_000));
        Ok(())
    }
}
