//! Times of candidates that are measured by turns, lap by lap.
//!
//! A machine that slows down slows all candidates of a lap, so that two of them are compared by the ratios of their times in each
//! lap. It may be in one state for seconds, in which some candidates lose more than others: laps are measured in passes at several times,
//! until it is known what a candidate loses on average.

use std::collections::BTreeMap;
use std::time::Duration;

use tile_kernel::bench::Bench;
use tile_kernel::{Device, Result};

use crate::kernels::Kernel;

/// How often candidates are measured, and for how long.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// The number of times that the arguments are allocated, each time elsewhere.
    pub(crate) layouts: u32,
    /// The laps for each allocation, of which every other one is in the opposite order.
    pub(crate) laps: u32,
    /// The time of all measurements of one candidate.
    pub(crate) time: Duration,
}

/// The times of some candidates in seconds, one for each lap.
pub(crate) struct Laps {
    of: BTreeMap<&'static str, Vec<f64>>,
    laps_of_pass: usize,
}

impl Laps {
    /// Measures candidates by turns.
    pub(crate) fn measure(
        kernel: &Kernel,
        shape: &[usize],
        names: &[&'static str],
        plan: Plan,
    ) -> Result<Laps> {
        let slice = plan.time / (plan.layouts * plan.laps);
        let mut times = vec![Vec::new(); names.len()];
        // Where memory lies makes a difference. What is allocated stays, so that the next allocation is another place.
        let mut allocated = Vec::new();
        for _ in 0..plan.layouts {
            let mut inputs = (kernel.inputs)(shape)?;
            for lap in 0..plan.laps {
                let mut order: Vec<usize> = (0..names.len()).collect();
                if lap % 2 == 1 {
                    order.reverse();
                }
                for index in order {
                    let measured = bench(slice).run(&Device::cpu(), |stream| {
                        inputs.launch().candidate(names[index])?.on(stream).launch()
                    })?;
                    times[index].push(measured.median());
                }
            }
            allocated.push(inputs);
        }
        Ok(Laps {
            of: names.iter().copied().zip(times).collect(),
            laps_of_pass: (plan.layouts * plan.laps) as usize,
        })
    }

    /// Adds the laps of another pass, of the same candidates and by the same plan.
    pub(crate) fn append(&mut self, other: Laps) {
        for (name, times) in other.of {
            let of = self.of.get_mut(name).expect("the same candidates");
            of.extend(times);
        }
    }

    /// Returns the candidates.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.of.keys().copied()
    }

    /// Returns the times of a candidate.
    pub(crate) fn times(&self, name: &str) -> &[f64] {
        &self.of[name]
    }

    /// Returns the median time of a candidate in seconds.
    pub(crate) fn seconds(&self, name: &str) -> f64 {
        median(self.of[name].clone())
    }

    /// Returns the number of passes.
    pub(crate) fn passes(&self) -> usize {
        self.of.values().next().map_or(0, Vec::len) / self.laps_of_pass
    }

    /// Returns the ratio of the times of two candidates: the geometric mean over the passes of the medians of the ratios lap by lap.
    pub(crate) fn ratio(&self, name: &str, other: &str) -> f64 {
        mean(&self.logarithms(name, other)).exp()
    }

    /// Returns the logarithm of that ratio for each pass.
    fn logarithms(&self, name: &str, other: &str) -> Vec<f64> {
        let pairs = self.of[name].iter().zip(&self.of[other]);
        let ratios: Vec<f64> = pairs.map(|(one, other)| (one / other).ln()).collect();
        let passes = ratios.chunks(self.laps_of_pass);
        passes.map(|ratios| median(ratios.to_vec())).collect()
    }

    /// Returns the candidates, the fastest first, by their ratio to the first of them.
    pub(crate) fn ranked(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.names().collect();
        let first = names[0];
        names.sort_by(|a, b| self.ratio(a, first).total_cmp(&self.ratio(b, first)));
        names
    }

    /// Returns the part by which a candidate is slower than its fastest rival, and 0 for the fastest of all.
    pub(crate) fn loss(&self, name: &str) -> f64 {
        let ratios = self.names().map(|other| self.ratio(name, other));
        ratios.fold(1.0, f64::max) - 1.0
    }

    /// Returns the standard error of the ratio of a candidate to its fastest rival, from the passes.
    pub(crate) fn noise(&self, name: &str) -> f64 {
        let others = self.names().filter(|other| *other != name);
        let Some(rival) = others.max_by(|a, b| self.ratio(name, a).total_cmp(&self.ratio(name, b)))
        else {
            return 0.0;
        };
        let passes = self.logarithms(name, rival);
        let (count, mean) = (passes.len() as f64, mean(&passes));
        let squares: f64 = passes.iter().map(|it| (it - mean).powi(2)).sum();
        (squares / (count - 1.0) / count).sqrt()
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn bench(slice: Duration) -> Bench {
    let bench = Bench::new().warm_up(slice / 8).duration(slice);
    bench.min_samples(1)
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    f64::midpoint(numbers[half], numbers[(numbers.len() - 1) / 2])
}
