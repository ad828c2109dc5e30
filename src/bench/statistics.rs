//! Quantiles, and confidence intervals of medians.
//!
//! - A quantile of samples is interpolated between two of them, as NumPy and PyTorch do by default (type 7 of Hyndman
//!   and Fan, "Sample Quantiles in Statistical Packages", 1996): with `n` samples in ascending order, the quantile `q`
//!   is at the place `q * (n - 1)`, counted from 0.
//! - The interval of a median lies between two order statistics, whatever the distribution is (David and Nagaraja,
//!   "Order Statistics", 3rd edition, section 7.1). Of `n` independent samples, as many are below the median as heads
//!   among `n` throws of a coin, so the median is between the sample with rank `k` and that with rank `n + 1 - k` with
//!   the probability `1 - 2 P(heads < k)`. The largest `k` with at least [`CONFIDENCE`] is taken.
//! - Times that were measured one after another are not independent: the clock rate, or a neighbour, changes slowly. So
//!   the ranks are those of the medians of [`BLOCKS`] blocks of consecutive samples, between which less is left of
//!   that.

/// The probability with which an interval contains the median, at least.
pub(super) const CONFIDENCE: f64 = 0.99;

/// The number of blocks of consecutive samples whose medians are compared.
const BLOCKS: usize = 40;

/// The smallest number of samples for which there is an interval: `2 * 0.5.powi(8)` is less than 1 %.
pub(super) const LEAST: usize = 8;

/// Returns a quantile of samples in ascending order.
///
/// # Panics
/// Panics if there are none, or `q` is not from 0 to 1.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    assert!((0.0..=1.0).contains(&q), "a quantile is from 0 to 1");
    let last = sorted.len().checked_sub(1).expect("there is a sample");
    let place = q * last as f64;
    let below = place.floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the place is from 0 to the last index"
    )]
    let index = below as usize;
    let (low, high) = (sorted[index], sorted[(index + 1).min(last)]);
    low + (high - low) * (place - below)
}

/// Returns the median of samples in any order.
pub(super) fn median(samples: &[f64]) -> f64 {
    quantile(&sorted(samples), 0.5)
}

/// Returns samples in ascending order.
pub(super) fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the interval that contains the median of what the samples were drawn from, in the order in which they were
/// measured; `None` if there are too few.
pub(super) fn median_interval(samples: &[f64]) -> Option<(f64, f64)> {
    let medians = sorted(&block_medians(samples));
    let rank = rank(medians.len())?;
    let (low, high) = (medians[rank - 1], medians[medians.len() - rank]);
    // The median of all need not be among those of blocks.
    let middle = median(samples);
    Some((low.min(middle), high.max(middle)))
}

/// Returns the medians of blocks of consecutive samples, or the samples if there are few.
fn block_medians(samples: &[f64]) -> Vec<f64> {
    let blocks = samples.len().min(BLOCKS);
    let start = |block: usize| block * samples.len() / blocks;
    let medians = (0..blocks).map(|block| median(&samples[start(block)..start(block + 1)]));
    medians.collect()
}

/// Returns the rank, counted from 1, of the order statistic below the median of `n` samples.
fn rank(n: usize) -> Option<usize> {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    // The probability of so many heads among `n` throws.
    let mut probability = 0.5f64.powi(i32::try_from(n).ok()?);
    let mut below = 0.0;
    let mut heads = 0;
    while below + probability <= tail {
        below += probability;
        probability *= (n - heads) as f64 / (heads + 1) as f64;
        heads += 1;
    }
    (heads > 0).then_some(heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of random numbers (`SplitMix64`), the same in every run.
    struct Random(u64);

    impl Random {
        /// Returns a number from 0 to 1.
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }

        /// Returns a number of a distribution with a long tail, whose median is 2: as times are.
        fn skewed(&mut self) -> f64 {
            1.0 + (0.5 / (1.0 - self.uniform()))
        }

        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
        }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([1, 2, 4, 8, 16], [0, 0.1, 0.25, 0.5, 0.9, 1])
        let samples = [1.0, 2.0, 4.0, 8.0, 16.0];
        let expected = [
            (0.0, 1.0),
            (0.1, 1.4),
            (0.25, 2.0),
            (0.5, 4.0),
            (0.9, 12.8),
            (1.0, 16.0),
        ];
        for (q, value) in expected {
            assert_close(quantile(&samples, q), value);
        }
        assert_close(quantile(&[1.0, 2.0], 0.5), 1.5);
        assert_close(quantile(&[3.0], 0.7), 3.0);
        assert_close(median(&[9.0, 1.0, 5.0]), 5.0);
    }

    #[test]
    fn ranks_are_those_of_the_binomial_distribution() {
        // The largest k with 2 * scipy.stats.binom.cdf(k - 1, n, 0.5) <= 0.01.
        let ranks = [
            (1, None),
            (7, None),
            (8, Some(1)),
            (20, Some(4)),
            (40, Some(12)),
        ];
        for (n, expected) in ranks {
            assert_eq!(rank(n), expected, "{n}");
        }
    }

    #[test]
    fn intervals_need_eight_samples() {
        assert_eq!(median_interval(&[1.0; LEAST - 1]), None);
        assert_eq!(median_interval(&[1.0; LEAST]), Some((1.0, 1.0)));
        let samples: Vec<f64> = (1..=8).map(f64::from).collect();
        assert_eq!(median_interval(&samples), Some((1.0, 8.0)));
    }

    /// Returns the share of intervals that contain the median.
    fn coverage(median: f64, count: usize, mut draw: impl FnMut() -> f64) -> f64 {
        const TRIES: u32 = 4000;
        let mut hits = 0;
        for _ in 0..TRIES {
            let samples: Vec<f64> = (0..count).map(|_| draw()).collect();
            let (low, high) = median_interval(&samples).expect("there are enough");
            hits += u32::from(low <= median && median <= high);
        }
        f64::from(hits) / f64::from(TRIES)
    }

    #[test]
    fn intervals_contain_the_median_as_often_as_they_claim() {
        for count in [8, 25, 40, 200, 1000] {
            let mut random = Random(count as u64);
            let found = coverage(2.0, count, || random.skewed());
            // The standard error of the share is 0.0016.
            assert!(found >= CONFIDENCE - 0.005, "{count}: {found}");
        }
    }

    #[test]
    fn intervals_contain_the_median_of_times_that_depend_on_the_ones_before() {
        // A neighbour that comes and goes: half of the variance is of a process with a memory of ten samples.
        let mut random = Random(1);
        let mut slow = 0.0;
        let found = coverage(0.0, 1000, || {
            slow = 0.9 * slow + 0.44 * random.normal();
            slow + random.normal()
        });
        assert!(found >= 0.98, "{found}");
    }

    #[test]
    fn intervals_are_not_wider_than_needed() {
        let mut random = Random(7);
        let samples: Vec<f64> = (0..1000).map(|_| random.normal()).collect();
        let (low, high) = median_interval(&samples).expect("there are enough");
        // The standard error of the median is 1.2533 / sqrt(1000) = 0.04.
        // 99 % of a normal distribution are within 5.2 of them; order statistics of medians cost a half more.
        assert!(high - low < 8.0 * 0.04, "{low} {high}");
    }
}
