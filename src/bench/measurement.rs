//! The result of a measurement.

use std::fmt;

use super::clocks::{Clocks, TOLERANCE, Throttle};
use super::flush::Cache;
use super::measure::Source;
use super::statistics::{self, median_interval, quantile};
use crate::Device;

/// The time of one run of a kernel, as [`do_bench`](super::do_bench) measured it.
///
/// All times are in seconds. [`Display`](fmt::Display) prints one line, such as
/// `12.34 us ± 0.4 % (median of 812 samples, cold cache)`.
///
/// ```
/// use tile_kernel::Device;
/// use tile_kernel::bench::{Bench, Source};
/// use std::time::Duration;
///
/// let mut sum = 0.0f64;
/// let time = Bench::new()
///     .warm_up(Duration::ZERO)
///     .duration(Duration::from_millis(2))
///     .run(&Device::cpu(), |_| {
///         sum += (0..1000).map(f64::from).map(f64::sqrt).sum::<f64>();
///         Ok(())
///     })?;
/// assert!(time.min() <= time.median() && time.median() <= time.quantile(0.9));
/// assert_eq!(time.source(), Source::Host);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    pub(super) device: String,
    pub(super) source: Source,
    /// The time of a run in each sample, in the order in which they were measured.
    pub(super) samples: Vec<f64>,
    pub(super) sorted: Vec<f64>,
    pub(super) runs_per_sample: usize,
    pub(super) cache: Cache,
    pub(super) clocks: Clocks,
}

/// The noise from which on a measurement is not steady.
const NOISY: f64 = 0.05;

/// A reason why a time may not be that of an undisturbed device.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The clocks of the GPU were reduced.
    Throttled(Throttle),
    /// The clock rate changed by this part, or another program used the cores.
    ClockChanged(f64),
    /// The noise is this part of the median.
    Noisy(f64),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Throttled(reason) => write!(f, "the GPU was throttled: {reason}"),
            Warning::ClockChanged(part) => write!(
                f,
                "the clock rate changed by {:.1} %, or another program used the cores",
                part * 100.0
            ),
            Warning::Noisy(part) => write!(
                f,
                "the noise is {:.1} % of the median: measure for longer, or on a quiet machine",
                part * 100.0
            ),
        }
    }
}

impl Measurement {
    pub(super) fn new(
        device: String,
        source: Source,
        samples: Vec<f64>,
        runs_per_sample: usize,
        cache: Cache,
        clocks: Clocks,
    ) -> Measurement {
        Measurement {
            device,
            source,
            sorted: statistics::sorted(&samples),
            samples,
            runs_per_sample,
            cache,
            clocks,
        }
    }

    /// Returns a measurement of times in seconds that other code has measured, for tables and plots.
    ///
    /// ```
    /// use tile_kernel::Device;
    /// use tile_kernel::bench::Measurement;
    ///
    /// let theirs = Measurement::of_times(&Device::cpu(), [1.5e-6, 1.4e-6, 1.6e-6]);
    /// assert_eq!(theirs.median(), 1.5e-6);
    /// ```
    ///
    /// # Panics
    /// Panics if there is no time.
    pub fn of_times(device: &Device, times: impl IntoIterator<Item = f64>) -> Measurement {
        let times: Vec<f64> = times.into_iter().collect();
        assert!(!times.is_empty(), "a measurement has one time at least");
        Measurement::new(
            device.name().to_owned(),
            Source::of(*device),
            times,
            1,
            Cache::Warm,
            Clocks::NotChecked("other code has measured".to_owned()),
        )
    }

    /// Returns the median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        self.samples.iter().sum::<f64>() / self.samples.len() as f64
    }

    /// Returns the shortest time.
    pub fn min(&self) -> f64 {
        self.quantile(0.0)
    }

    /// Returns the longest time.
    pub fn max(&self) -> f64 {
        self.quantile(1.0)
    }

    /// Returns a quantile: 0.2 for the time that a fifth of the samples do not exceed. Between two samples, it is
    /// interpolated as in NumPy and in Triton.
    ///
    /// # Panics
    /// Panics if `q` is not from 0 to 1.
    pub fn quantile(&self, q: f64) -> f64 {
        quantile(&self.sorted, q)
    }

    /// Returns the interval that contains the true median with a probability of 99 %; `None` for fewer than 8
    /// samples. Of a simulated time, it is the median.
    ///
    /// Its ends are order statistics of the medians of up to 40 blocks of consecutive samples, for which the distribution
    /// of the times does not matter (David and Nagaraja, "Order Statistics", section 7.1), and disturbances that last for
    /// several samples little. They are moved apart by the error of the clock: the steps of the events of a GPU, and
    /// 100 nanoseconds a sample on the CPU.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self.source {
            Source::Simulated => Some((self.median(), self.median())),
            Source::Gpu | Source::Host => {
                let (low, high) = median_interval(&self.samples)?;
                let error = self.error();
                Some(((low - error).max(0.0), high + error))
            }
        }
    }

    /// Returns the error of the clock in the time of a run.
    pub(super) fn error(&self) -> f64 {
        let runs = self.runs_per_sample;
        self.source.error(&self.sorted, runs) / runs as f64
    }

    /// Returns half of the length of the [`interval`](Measurement::interval), as a part of the median.
    pub fn noise(&self) -> Option<f64> {
        let (low, high) = self.interval()?;
        Some((high - low) / 2.0 / self.median())
    }

    /// Returns the time of a run in each sample, in the order in which they were measured.
    pub fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// Returns the number of runs between two time stamps. It is more than 1 if a run is too short for the clock.
    pub fn runs_per_sample(&self) -> usize {
        self.runs_per_sample
    }

    /// Returns the number of runs in all samples.
    pub fn runs(&self) -> usize {
        self.samples.len() * self.runs_per_sample
    }

    /// Returns the name of the device.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Returns the clock by which the time was measured.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Returns what the caches contained when a run began.
    pub fn cache(&self) -> Cache {
        self.cache
    }

    /// Returns what was seen of the clocks of the device.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Returns why the time may not be that of an undisturbed device; nothing for a steady one.
    pub fn warnings(&self) -> Vec<Warning> {
        let throttled = self.clocks.throttled().iter().copied();
        let mut warnings: Vec<Warning> = throttled.map(Warning::Throttled).collect();
        let changed = self.clocks.spread().filter(|&spread| spread > TOLERANCE);
        warnings.extend(changed.map(Warning::ClockChanged));
        let noisy = self.noise().filter(|&noise| noise > NOISY);
        warnings.extend(noisy.map(Warning::Noisy));
        warnings
    }

    /// Returns `true` if there are no warnings.
    pub fn is_steady(&self) -> bool {
        self.warnings().is_empty()
    }

    /// Returns the rate of work of which a run does `amount`, per second: bytes or operations.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tile_kernel::{Device, bench::Bench};
    /// # let bench = Bench::new().warm_up(Duration::ZERO).duration(Duration::from_millis(1));
    /// # let time = bench.run(&Device::cpu(), |_| Ok(std::thread::yield_now()))?;
    /// let gigabytes_per_second = time.rate(12.0 * 4096.0) / 1e9; // `time` is that of adding 4096 f32
    /// # assert!(gigabytes_per_second > 0.0);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    pub fn rate(&self, amount: f64) -> f64 {
        amount / self.median()
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Seconds(self.median()))?;
        if let (Some(noise), Source::Gpu | Source::Host) = (self.noise(), self.source) {
            write!(f, " ± {}", Percent(noise))?;
        }
        match (self.source, self.samples.len()) {
            (Source::Simulated, _) => f.write_str(" (simulated")?,
            (Source::Gpu | Source::Host, 1) => f.write_str(" (one sample")?,
            (Source::Gpu | Source::Host, count) => write!(f, " (median of {count} samples")?,
        }
        if self.runs_per_sample > 1 {
            write!(f, " of {} runs", self.runs_per_sample)?;
        }
        if self.cache == Cache::Cold {
            f.write_str(", cold cache")?;
        }
        f.write_str(")")?;
        for warning in self.warnings() {
            write!(f, "; {warning}")?;
        }
        Ok(())
    }
}

/// A time, shown with four digits and a unit.
pub(super) struct Seconds(pub(super) f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
        // A time that would be rounded to 1000 of a unit has the next one.
        let unit = units.into_iter().find(|(unit, _)| self.0 >= 0.99995 * unit);
        let (unit, name) = unit.unwrap_or((1e-9, "ns"));
        f.pad(&format!("{} {name}", Digits(self.0 / unit)))
    }
}

/// A part, shown in percent.
pub(super) struct Percent(pub(super) f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 100.0;
        let digits = if percent < 0.095 { 2 } else { 1 };
        f.pad(&format!("{percent:.digits$} %"))
    }
}

/// A number, shown with four digits.
pub(super) struct Digits(pub(super) f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0 {
            x if x >= 999.95 => 0,
            x if x >= 99.995 => 1,
            x if x >= 9.9995 => 2,
            _ => 3,
        };
        f.pad(&format!("{:.digits$}", self.0))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a measurement of these samples.
    pub(in crate::bench) fn of(samples: &[f64]) -> Measurement {
        let clocks = Clocks::NotChecked("it is an example".to_owned());
        let (source, cache) = (Source::Gpu, Cache::Cold);
        Measurement::new("gpu".to_owned(), source, samples.to_vec(), 1, cache, clocks)
    }

    #[test]
    fn times_have_four_digits_and_a_unit() {
        let shown = [
            (0.0, "0.000 ns"),
            (3.21e-10, "0.321 ns"),
            (1.5e-9, "1.500 ns"),
            (9.9996e-7, "1.000 us"),
            (1.2345e-5, "12.35 us"),
            (0.1234, "123.4 ms"),
            (12.0, "12.00 s"),
            (1234.0, "1234 s"),
        ];
        for (seconds, expected) in shown {
            assert_eq!(Seconds(seconds).to_string(), expected);
        }
    }

    #[test]
    fn a_line_tells_the_median_and_its_noise() {
        let samples: Vec<f64> = (0..100)
            .map(|i| 1e-5 * (1.0 + f64::from(i % 11) * 1e-3))
            .collect();
        let time = of(&samples);
        assert_eq!(
            time.to_string(),
            "10.05 us ± 0.3 % (median of 100 samples, cold cache)"
        );
        assert!(time.is_steady());
        assert_eq!(of(&[2e-6]).to_string(), "2.000 us (one sample, cold cache)");
        assert_eq!(of(&[2e-6]).noise(), None);
    }

    #[test]
    fn the_steps_of_a_clock_are_part_of_the_interval() {
        // Between two steps, most samples are the same.
        let samples: Vec<f64> = (0..40)
            .map(|i| if i == 7 { 5.5e-6 } else { 5e-6 })
            .collect();
        let (low, high) = of(&samples).interval().expect("there are 40 samples");
        assert!(
            (low - 4.5e-6).abs() < 1e-12 && (high - 5.5e-6).abs() < 1e-12,
            "{low} {high}"
        );
        // A time without steps has an interval from its noise alone, within a nanosecond here.
        let samples: Vec<f64> = (0..1000).map(|i| 5e-6 + f64::from(i) * 1e-9).collect();
        let (low, high) = of(&samples).interval().expect("there are 1000 samples");
        assert!(low > 5e-6 && high < 6e-6, "{low} {high}");
    }

    #[test]
    fn noise_and_throttling_are_warnings() {
        let samples: Vec<f64> = (0..40).map(|i| 1e-5 * f64::from(1 + i % 4)).collect();
        let mut time = of(&samples);
        assert!(matches!(time.warnings()[..], [Warning::Noisy(noise)] if noise > 0.05));
        time = of(&[1e-4; 20]);
        assert_eq!(time.warnings(), []);
        time.clocks = Clocks::Gpu(super::super::GpuClocks {
            multiprocessors_mhz: Some((990, 1980)),
            memory_mhz: None,
            celsius: None,
            throttled: vec![Throttle::PowerCap],
            checks: 1,
        });
        assert_eq!(
            time.warnings(),
            [
                Warning::Throttled(Throttle::PowerCap),
                Warning::ClockChanged(1.0)
            ]
        );
        let line = time.to_string();
        assert!(
            line.ends_with(
                "; the GPU was throttled: power cap; the clock rate changed by 100.0 %, or another program used the cores"
            ),
            "{line}"
        );
    }
}
