//! The ratio of two times that are measured side by side.
//!
//! Two times that were measured one after the other differ by what changed in between: the clock rate, the temperature,
//! other programs. So the two alternate, in groups of four: `a b b a` or `b a a b`, drawn at random. The ratio of a group
//! is the root of `(a1 * a2) / (b1 * b2)`, in which whatever changes evenly over the four, and whatever the first of two
//! leaves to the second, cancels out. The order is random so that what comes at regular times, such as the interrupts of
//! a timer, meets both as often. The ratio is the median of those of the groups, and its interval that of the median
//! ([`statistics`](super::statistics)).

use std::fmt;

use super::Measurement;
use super::measure::{Session, Side, Source, Target, Work};
use super::measurement::Percent;
use super::options::Bench;
use super::statistics::{CONFIDENCE, LEAST, median, median_interval};
use crate::{Error, Result, Stream};

/// The ratio of two times, as [`do_bench_paired`](super::do_bench_paired) measured it.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    pub(super) a: Measurement,
    pub(super) b: Measurement,
    /// The ratio of each group of four samples.
    pub(super) ratios: Vec<f64>,
}

impl Paired {
    /// Returns the time of the first closure over that of the second: 2 if the second is twice as fast.
    pub fn ratio(&self) -> f64 {
        median(&self.ratios)
    }

    /// Returns the interval that contains the true ratio with a probability of 99 %, the error of the clock included
    /// ([`Measurement::interval`]). If 1 is within, no difference was found.
    pub fn ratio_interval(&self) -> (f64, f64) {
        let ratio = self.ratio();
        let (low, high) = median_interval(&self.ratios).unwrap_or((ratio, ratio));
        let part = |time: &Measurement| time.error() / time.median();
        let error = f64::midpoint(part(&self.a), part(&self.b));
        (low / (1.0 + error), high * (1.0 + error))
    }

    /// Returns `true` if the two times differ by more than noise.
    pub fn differs(&self) -> bool {
        let (low, high) = self.ratio_interval();
        !(low..=high).contains(&1.0)
    }

    /// Returns the ratios of the groups of samples, in the order in which they were measured.
    pub fn ratios(&self) -> &[f64] {
        &self.ratios
    }

    /// Returns the time of the first closure.
    pub fn a(&self) -> &Measurement {
        &self.a
    }

    /// Returns the time of the second closure.
    pub fn b(&self) -> &Measurement {
        &self.b
    }
}

impl fmt::Display for Paired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.ratio_interval();
        write!(f, "{:.4}", self.ratio())?;
        if self.a.source == Source::Simulated {
            return f.write_str(" (simulated)");
        }
        let groups = self.ratios.len();
        let confidence = Percent(CONFIDENCE);
        write!(
            f,
            " (between {low:.4} and {high:.4} with {confidence}, {groups} groups of samples)"
        )
    }
}

/// Two closures that are measured by turns.
struct Both<A, B>(A, B);

impl<A, B> Work for Both<A, B>
where
    A: FnMut(&Stream) -> Result<()>,
    B: FnMut(&Stream) -> Result<()>,
{
    fn run(&mut self, side: Side, stream: &Stream) -> Result<()> {
        match side {
            Side::A => call(&mut self.0, stream),
            Side::B => call(&mut self.1, stream),
        }
    }
}

/// Calls a closure. Two copies of its code, one in each branch, may differ by 1 % of a run of a microsecond.
#[inline(never)]
fn call(run: &mut impl FnMut(&Stream) -> Result<()>, stream: &Stream) -> Result<()> {
    run(stream)
}

/// The orders of samples.
const GROUPS: [&[Side]; 2] = [
    &[Side::A, Side::B, Side::B, Side::A],
    &[Side::B, Side::A, Side::A, Side::B],
];

/// Measures the ratio of the times of two closures.
pub(super) fn run(
    bench: &Bench,
    target: &impl Target,
    a: impl FnMut(&Stream) -> Result<()>,
    b: impl FnMut(&Stream) -> Result<()>,
) -> Result<Paired> {
    let mut work = Both(a, b);
    let mut session = Session::new(bench, target, &mut work)?;
    let least = match session.source() {
        Source::Simulated => 1,
        Source::Gpu | Source::Host => LEAST,
    };
    let chosen = session.chosen();
    if chosen.max_samples < 2 * least && session.source() != Source::Simulated {
        return Err(Error::BenchOption {
            option: "max_samples",
            value: chosen.max_samples.to_string(),
            cure: "choose 16 or more, without which a ratio has no interval",
        });
    }
    let least = least.max(chosen.min_samples.div_ceil(2));
    let samples = session.measure(&GROUPS, least)?;
    let ratios = samples.times.chunks_exact(4).map(|group| {
        let product = |of: Side| -> f64 {
            let own = group.iter().filter(|(side, _)| *side == of);
            own.map(|(_, time)| time).product()
        };
        (product(Side::A) / product(Side::B)).sqrt()
    });
    let ratios: Vec<f64> = ratios.collect();
    if ratios
        .iter()
        .any(|ratio| !ratio.is_finite() || *ratio == 0.0)
    {
        return Err(Error::NothingMeasured {
            device: target.stream()?.device(),
        });
    }
    Ok(Paired {
        a: session.measurement(&samples, Side::A),
        b: session.measurement(&samples, Side::B),
        ratios,
    })
}
