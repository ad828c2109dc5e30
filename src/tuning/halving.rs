//! Successive halving: which of several candidates is the fastest, for a part of the time that it takes to measure all of them.
//!
//! In: a stopwatch, and a budget. Out: the time of each candidate, and which one is the fastest.
//!
//! The budget is shared equally by the rounds (Jamieson and Talwalkar 2016), each of which leaves a third of the candidates, or
//! some more if it cannot tell them apart. A round is a number of laps, in each of which every candidate is measured once, in turn
//! forwards and backwards. Candidates are compared lap by lap, by the median of the logarithms of their ratios: a machine that
//! becomes slower makes all of them slower, and one disturbed lap counts no more than another. Of two laps, which have no
//! median, it is the fastest one.

#![expect(
    clippy::cast_precision_loss,
    reason = "numbers of candidates and laps are small"
)]

use std::cmp::Ordering;

use crate::Result;

/// A candidate that takes more than this times the time of the fastest is left out after two laps.
pub(super) const HOPELESS: f64 = 1.6;

/// The same after one lap, which may have been disturbed.
const HOPELESS_AT_ONCE: f64 = 4.0;

/// One in so many candidates of a round is measured in the next one, besides those that may be as fast.
const KEPT: usize = 3;

/// One in so many candidates at the most is measured in the next round.
const KEPT_AT_MOST: usize = 2;

/// The laps of a round for which the length of a measurement is chosen.
const LAPS: f64 = 4.0;

/// The laps after which a median, and its noise, say something.
pub(super) const FEW_LAPS: usize = 3;

/// The laps before which no round ends because it seems to be decided.
const SURE_LAPS: usize = 8;

/// The relative error that is assumed of the median of fewer laps.
pub(super) const UNKNOWN_NOISE: f64 = 0.04;

/// Times that differ by less are alike: no more is measured to tell them apart.
const ALIKE: f64 = 0.01;

/// The parts of a whole measurement, of which each is in another lap.
const PARTS: f64 = 8.0;

/// The measurement of candidates.
pub(super) trait Stopwatch {
    /// Measures a candidate for about so many seconds, and returns the time of a run. Returns `None` if it failed.
    fn measure(&mut self, index: usize, seconds: f64) -> Result<Option<f64>>;

    /// Returns the seconds that were spent so far, of the budget.
    fn spent(&self) -> f64;
}

/// The bounds of a search, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The time of everything. Every candidate is measured once in any case.
    pub(super) budget: f64,
    /// The time of the measurements of one candidate.
    pub(super) whole: f64,
}

/// A candidate, and the times that were measured of it.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    pub(super) index: usize,
    /// One for each lap before it was left out.
    laps: Vec<f64>,
    /// The time of its measurements.
    measured: f64,
}

/// The time of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) index: usize,
    /// The time of a run.
    pub(super) seconds: f64,
    /// The expected error, as a part of the time.
    pub(super) noise: f64,
}

impl Contender {
    pub(super) fn new(index: usize) -> Contender {
        Contender {
            index,
            laps: Vec::new(),
            measured: 0.0,
        }
    }

    /// Returns a contender of which a run was measured before, as all others were.
    pub(super) fn with_run(index: usize, seconds: f64) -> Contender {
        Contender {
            index,
            laps: vec![seconds],
            measured: seconds,
        }
    }

    /// Returns `true` once it was measured for the whole time, up to the rounding of its parts.
    fn is_measured(&self, limits: Limits) -> bool {
        self.measured > 0.99 * limits.whole
    }
}

/// Measures all contenders for the whole time, in some laps at least.
pub(super) fn exhaust(
    contenders: Vec<Contender>,
    limits: Limits,
    laps: usize,
    watch: &mut dyn Stopwatch,
) -> Result<Vec<Found>> {
    let mut field = Field::new(contenders);
    while !field.alive.is_empty() {
        field.lap(limits.whole / PARTS, watch)?;
        let is_measured = |it: &Contender| it.is_measured(limits);
        if field.laps >= laps && field.alive.iter().all(is_measured) {
            break;
        }
    }
    Ok(field.found())
}

/// Measures the contenders, and leaves out the slower ones round by round.
pub(super) fn halve(
    contenders: Vec<Contender>,
    limits: Limits,
    watch: &mut dyn Stopwatch,
) -> Result<Vec<Found>> {
    let mut rounds = rounds(contenders.len());
    let mut field = Field::new(contenders);
    while field.alive.len() > 1 {
        let left = limits.budget - watch.spent();
        // Runs that were measured before are enough of a round if there is no time for another one.
        if left > 0.0 || field.laps != 1 {
            let until = watch.spent() + left.max(0.0) / rounds as f64;
            field.round(until, limits, watch)?;
        }
        let is_over = watch.spent() >= limits.budget;
        if rounds == 1 || is_over && field.laps > 1 {
            break;
        }
        rounds -= 1;
        field.leave_out_slower(is_over);
    }
    if field.laps == 0 {
        field.lap(limits.whole / PARTS, watch)?;
    }
    Ok(field.found())
}

/// Returns the number of rounds after which one of so many candidates is left.
fn rounds(mut candidates: usize) -> usize {
    let mut rounds = 1;
    while candidates > KEPT {
        candidates = candidates.div_ceil(KEPT);
        rounds += 1;
    }
    rounds
}

/// The contenders of a search.
struct Field {
    /// Those that are still measured, each with as many laps.
    alive: Vec<Contender>,
    /// Those that were left out, the first one first.
    out: Vec<Contender>,
    laps: usize,
}

impl Field {
    fn new(contenders: Vec<Contender>) -> Field {
        let laps = contenders.first().map_or(0, |first| first.laps.len());
        Field {
            alive: contenders,
            out: Vec::new(),
            laps,
        }
    }

    /// Measures each contender once.
    fn lap(&mut self, seconds: f64, watch: &mut dyn Stopwatch) -> Result<()> {
        let mut order: Vec<usize> = (0..self.alive.len()).collect();
        if self.laps % 2 == 1 {
            order.reverse();
        }
        let mut failed = vec![false; self.alive.len()];
        for place in order {
            let contender = &mut self.alive[place];
            match watch.measure(contender.index, seconds)? {
                Some(time) => {
                    contender.laps.push(time);
                    contender.measured += seconds.max(time);
                }
                None => failed[place] = true,
            }
        }
        let mut failed = failed.into_iter();
        self.alive.retain(|_| failed.next() != Some(true));
        self.laps += 1;
        Ok(())
    }

    /// Measures laps until a time, or until it is known which contender is the fastest.
    fn round(&mut self, until: f64, limits: Limits, watch: &mut dyn Stopwatch) -> Result<()> {
        let share = (until - watch.spent()).max(0.0) / (LAPS * self.alive.len() as f64);
        let seconds = share.clamp(limits.whole / 64.0, limits.whole / PARTS);
        while self.alive.len() > 1 {
            let before = watch.spent();
            self.lap(seconds, watch)?;
            self.leave_out_hopeless();
            let lap = watch.spent() - before;
            let is_measured = |it: &Contender| it.is_measured(limits);
            if watch.spent() + lap > until
                || self.alive.iter().all(is_measured)
                || self.is_decided()
            {
                break;
            }
        }
        Ok(())
    }

    /// Returns the scores of the contenders: the medians of their laps, with what is common to all contenders of a lap left out. Of two
    /// laps, it is the fastest one: what disturbs a run makes it longer, and a mean would count that.
    fn scores(&self) -> Vec<Score> {
        let logarithms: Vec<Vec<f64>> = self
            .alive
            .iter()
            .map(|it| it.laps.iter().map(|time| time.ln()).collect())
            .collect();
        let count = self.alive.len() as f64;
        let common = |lap: usize| logarithms.iter().map(|of| of[lap]).sum::<f64>() / count;
        let common: Vec<f64> = (0..self.laps).map(common).collect();
        let score = |of: &Vec<f64>| {
            let own = of.iter().zip(&common).map(|(time, common)| time - common);
            let score = Score::new(&own.collect::<Vec<_>>());
            if self.laps >= FEW_LAPS {
                return score;
            }
            let fastest = of.iter().copied().fold(f64::INFINITY, f64::min);
            Score {
                center: fastest,
                ..score
            }
        };
        logarithms.iter().map(score).collect()
    }

    /// Leaves out contenders that are much slower than the fastest.
    fn leave_out_hopeless(&mut self) {
        let bound = if self.laps == 1 {
            HOPELESS_AT_ONCE
        } else {
            HOPELESS
        };
        let scores = self.scores();
        let best = scores.iter().map(|it| it.center).fold(f64::NAN, f64::min);
        self.keep(|place| scores[place].center <= best + bound.ln());
    }

    /// Leaves out contenders that are not among the fastest third, and are slower than the fastest beyond doubt, or for which there
    /// is no time.
    fn leave_out_slower(&mut self, is_over: bool) {
        let scores = self.scores();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[a].cmp(&scores[b]));
        let Some(&best) = order.first() else {
            return;
        };
        let (third, half) = (
            scores.len().div_ceil(KEPT),
            scores.len().div_ceil(KEPT_AT_MOST),
        );
        let best = scores[best];
        let mut kept = vec![false; scores.len()];
        for (place, &contender) in order.iter().enumerate() {
            let may_be_as_fast = !is_over && !scores[contender].is_slower_than(best);
            kept[contender] = place < third || place < half && may_be_as_fast;
        }
        self.keep(|place| kept[place]);
    }

    /// Leaves out the contenders for whose place it is not said.
    fn keep(&mut self, kept: impl Fn(usize) -> bool) {
        for (place, contender) in std::mem::take(&mut self.alive).into_iter().enumerate() {
            if kept(place) {
                self.alive.push(contender);
            } else {
                self.out.push(contender);
            }
        }
    }

    /// Returns `true` if each contender but the fastest is known to be slower, or alike.
    fn is_decided(&self) -> bool {
        if self.laps < SURE_LAPS {
            return false;
        }
        let scores = self.scores();
        let Some(&best) = scores.iter().min_by(|a, b| a.cmp(b)) else {
            return true;
        };
        let is_best = |score: &Score| score.cmp(&best) == Ordering::Equal;
        let mut others = scores.iter().filter(|score| !is_best(score));
        others.all(|score| score.is_slower_than(best) || score.is_like(best))
    }

    /// Returns the times of all contenders, the fastest first.
    fn found(mut self) -> Vec<Found> {
        let scores = self.scores();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].cmp(&scores[a]));
        let last = order.iter().map(|&place| self.alive[place].clone());
        self.out.extend(last);
        let Some(winner) = self.out.pop() else {
            return Vec::new();
        };
        let seconds = median(winner.laps.clone());
        let mut found = vec![Found {
            index: winner.index,
            seconds,
            noise: noise_of(&winner.laps),
        }];
        for contender in self.out.into_iter().rev() {
            // In the laps in which both were measured, whatever the machine did in the others.
            let pairs = contender.laps.iter().zip(&winner.laps);
            let ratios = pairs.map(|(own, of_winner)| (own / of_winner).ln());
            let score = Score::new(&ratios.collect::<Vec<_>>());
            let slowest = found.last().map_or(0.0, |it| it.seconds);
            found.push(Found {
                index: contender.index,
                // One that was left out is not faster than one that was kept.
                seconds: (score.center.exp() * seconds).max(slowest.next_up()),
                noise: score.noise,
            });
        }
        found
    }
}

/// The logarithm of a time by which contenders are compared, and its expected error.
#[derive(Clone, Copy, Debug)]
struct Score {
    center: f64,
    noise: f64,
}

impl Score {
    fn new(logarithms: &[f64]) -> Score {
        let laps = logarithms.len();
        let center = median(logarithms.to_vec());
        let deviations = logarithms.iter().map(|it| (it - center).abs());
        // The deviation of a median of normally distributed numbers, from the median of their deviations.
        let noise = 1.2533 * 1.4826 * median(deviations.collect()) / (laps as f64).sqrt();
        Score {
            center,
            noise: if laps < FEW_LAPS {
                UNKNOWN_NOISE
            } else {
                noise
            },
        }
    }

    fn cmp(&self, other: &Score) -> Ordering {
        self.center.total_cmp(&other.center)
    }

    fn is_slower_than(&self, best: Score) -> bool {
        self.center - 2.0 * self.noise > best.center + 2.0 * best.noise
    }

    fn is_like(&self, best: Score) -> bool {
        self.center + self.noise <= best.center - best.noise + ALIKE.ln_1p()
    }
}

/// Returns the noise of some times.
fn noise_of(times: &[f64]) -> f64 {
    Score::new(&times.iter().map(|time| time.ln()).collect::<Vec<_>>()).noise
}

/// Returns the median, or NaN without numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let (half, is_odd) = (numbers.len() / 2, numbers.len() % 2 == 1);
    match (numbers.get(half), is_odd) {
        (None, _) => f64::NAN,
        (Some(middle), true) => *middle,
        (Some(middle), false) => f64::midpoint(numbers[half - 1], *middle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates with times, on a machine that has its moods.
    struct Machine<F> {
        times: Vec<f64>,
        /// The factor by which all times are longer, by the time that was spent and the number of the measurement.
        mood: F,
        spent: f64,
        measurements: usize,
        fails: Option<usize>,
    }

    impl<F: Fn(f64, usize) -> f64> Machine<F> {
        fn new(times: &[f64], mood: F) -> Self {
            Machine {
                times: times.to_vec(),
                mood,
                spent: 0.0,
                measurements: 0,
                fails: None,
            }
        }
    }

    impl<F: Fn(f64, usize) -> f64> Stopwatch for Machine<F> {
        fn measure(&mut self, index: usize, seconds: f64) -> Result<Option<f64>> {
            self.measurements += 1;
            if self.fails == Some(index) {
                return Ok(None);
            }
            let time = self.times[index] * (self.mood)(self.spent, self.measurements);
            self.spent += seconds.max(time);
            Ok(Some(time))
        }

        fn spent(&self) -> f64 {
            self.spent
        }
    }

    fn contenders(count: usize) -> Vec<Contender> {
        (0..count).map(Contender::new).collect()
    }

    fn limits(count: usize) -> Limits {
        Limits {
            budget: 0.02 * count as f64,
            whole: 0.1,
        }
    }

    /// Twelve candidates, of which number 7 is the fastest by 3 %.
    fn twelve() -> Vec<f64> {
        (0..12)
            .map(|i| 1e-5 * (1.0 + 0.03 * f64::from((i * 5 + 1) % 12)))
            .collect()
    }

    /// A random number from 0 to 1 for each number.
    fn random(number: usize) -> f64 {
        let z = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[test]
    fn the_fastest_wins_within_the_budget() -> Result<()> {
        let mut machine = Machine::new(&twelve(), |_, _| 1.0);
        let found = halve(contenders(12), limits(12), &mut machine)?;
        assert_eq!(found.len(), 12);
        assert_eq!(found[0].index, 7);
        assert!(found.is_sorted_by(|a, b| a.seconds < b.seconds));
        assert!((found[0].seconds / 1e-5 - 1.0).abs() < 1e-9);
        assert!(machine.spent <= 0.24, "{}", machine.spent);
        Ok(())
    }

    #[test]
    fn a_machine_that_changes_its_speed_does_not_matter() -> Result<()> {
        // It is slower for a while, becomes slower all the time, or is disturbed in every ninth measurement.
        let moods: [fn(f64, usize) -> f64; 3] = [
            |spent, _| {
                if (0.03..0.1).contains(&spent) {
                    1.3
                } else {
                    1.0
                }
            },
            |spent, _| 1.0 + spent,
            |_, number| if number % 9 == 0 { 1.8 } else { 1.0 },
        ];
        for (number, mood) in moods.into_iter().enumerate() {
            let mut machine = Machine::new(&twelve(), mood);
            let found = halve(contenders(12), limits(12), &mut machine)?;
            let loss = twelve()[found[0].index] / 1e-5 - 1.0;
            assert!(loss < 0.031, "mood {number}: {:?}", &found[..3]);
        }
        Ok(())
    }

    #[test]
    fn with_noise_the_choice_is_near_the_best() -> Result<()> {
        let mut losses = Vec::new();
        for seed in 0..40 {
            let mut machine = Machine::new(&twelve(), |_, number| {
                1.0 + 0.1 * random(number + 1000 * seed)
            });
            let found = halve(contenders(12), limits(12), &mut machine)?;
            losses.push(twelve()[found[0].index] / 1e-5 - 1.0);
        }
        losses.sort_by(f64::total_cmp);
        assert!(losses[20] < 0.001 && losses[39] < 0.07, "{losses:?}");
        Ok(())
    }

    #[test]
    fn slow_runs_are_measured_once_or_twice() -> Result<()> {
        // Those of 20 ms, of which one run each was measured before.
        let times: Vec<f64> = twelve().iter().map(|time| time * 2e3).collect();
        let runs = times.iter().enumerate();
        let runs = runs.map(|(index, time)| Contender::with_run(index, *time));
        let mut machine = Machine::new(&times, |_, _| 1.0);
        machine.spent = times.iter().sum();
        let before = machine.spent;
        let found = halve(runs.collect(), limits(12), &mut machine)?;
        assert_eq!(found[0].index, 7);
        assert!(machine.spent - before < 0.4 * before);
        Ok(())
    }

    #[test]
    fn a_score_has_no_part_of_what_all_candidates_of_a_lap_share() {
        // Each lap is slower than the one before, by more than the candidates differ.
        let contender = |index: usize, own: [f64; 4]| Contender {
            index,
            laps: (0..4_i32)
                .zip(own)
                .map(|(lap, own)| own * 2_f64.powi(lap))
                .collect(),
            measured: 0.0,
        };
        let field = Field::new(vec![
            contender(0, [1.00, 1.01, 1.00, 1.01]),
            contender(1, [1.05, 1.04, 1.05, 1.04]),
        ]);
        let scores = field.scores();
        assert!(scores[1].is_slower_than(scores[0]), "{scores:?}");
        let found = field.found();
        assert!((found[1].seconds / found[0].seconds - 1.04).abs() < 0.005);
    }

    #[test]
    fn one_disturbed_lap_of_two_does_not_count() {
        let contender = |index: usize, laps: [f64; 2]| Contender {
            index,
            laps: laps.to_vec(),
            measured: 0.0,
        };
        let field = Field::new(vec![contender(0, [1.0, 3.0]), contender(1, [1.1, 1.1])]);
        let scores = field.scores();
        assert!(scores[0].center < scores[1].center, "{scores:?}");
    }

    #[test]
    fn one_that_fails_is_out() -> Result<()> {
        let mut machine = Machine::new(&twelve(), |_, _| 1.0);
        machine.fails = Some(7);
        let found = halve(contenders(12), limits(12), &mut machine)?;
        assert_eq!(found.len(), 11);
        assert!(found.iter().all(|it| it.index != 7));
        assert!((twelve()[found[0].index] / 1.03e-5 - 1.0).abs() < 1e-9);
        let mut machine = Machine::new(&[1e-5], |_, _| 1.0);
        machine.fails = Some(0);
        assert_eq!(halve(contenders(1), limits(1), &mut machine)?, []);
        assert_eq!(exhaust(contenders(1), limits(1), 1, &mut machine)?, []);
        Ok(())
    }

    #[test]
    fn one_alone_is_measured_and_all_are_if_asked() -> Result<()> {
        let mut machine = Machine::new(&[1e-5], |_, _| 1.0);
        assert_eq!(halve(contenders(1), limits(1), &mut machine)?.len(), 1);
        let mut machine = Machine::new(&twelve(), |_, _| 1.0);
        let found = exhaust(contenders(12), limits(12), FEW_LAPS, &mut machine)?;
        assert_eq!(found[0].index, 7);
        assert!((machine.spent / 1.2 - 1.0).abs() < 0.01);
        Ok(())
    }
}
