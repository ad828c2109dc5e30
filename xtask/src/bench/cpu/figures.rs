//! Computes figures from times: medians, ratios, differences of results, straight lines.

use anyhow::{Context, Result};

pub(super) fn median(numbers: &mut [f64]) -> Result<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.get(numbers.len() / 2);
    middle.copied().context("nothing was measured")
}

/// The speed as a multiple of a contender's, in each round.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ratios {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Ratios {
    /// Computes the ratios of rounds from the times of both.
    pub(super) fn new(ours: &[f64], theirs: &[f64]) -> Result<Self> {
        let pairs = theirs.iter().zip(ours);
        let mut ratios: Vec<f64> = pairs.map(|(theirs, ours)| theirs / ours).collect();
        let median = median(&mut ratios)?;
        Ok(Self {
            median,
            min: ratios[0],
            max: ratios[ratios.len() - 1],
        })
    }
}

pub(super) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for number in numbers {
        sum += number.ln();
        count += 1.0;
    }
    (count > 0.0).then(|| (sum / count).exp())
}

/// Returns the largest difference of two elements, as a part of the largest element; NaN if the difference of one is.
/// `None` if the numbers of elements differ.
pub(super) fn difference(actual: &[f64], expected: &[f64]) -> Option<f64> {
    if actual.len() != expected.len() {
        return None;
    }
    let max = |numbers: &mut dyn Iterator<Item = f64>| {
        numbers.fold(
            0.0_f64,
            |max, x| {
                if max.is_nan() || x <= max { max } else { x }
            },
        )
    };
    let pairs = actual.iter().zip(expected);
    let off = max(&mut pairs.map(|(&a, &b)| (a - b).abs()));
    let largest = max(&mut expected.iter().map(|&x| x.abs()));
    Some(if off == 0.0 { 0.0 } else { off / largest })
}

/// A line through times: what a launch takes, and each further unit of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: f64,
    pub(super) slope: f64,
    /// The largest deviation of a time from the line, as a part of the line.
    pub(super) deviation: f64,
    /// The power of the work with which the time grows: 1 if it is linear.
    pub(super) exponent: f64,
}

impl Line {
    /// Fits a line with the least squares of relative deviations, so that small and large amounts of work weigh the same.
    pub(super) fn fit(points: &[(f64, f64)]) -> Self {
        // Minimizes the sum of ((start + slope * x) / y - 1)^2: normal equations in 1 / y and x / y.
        let (mut aa, mut ab, mut bb, mut a, mut b) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(x, y) in points {
            let (one, work) = (1.0 / y, x / y);
            aa += one * one;
            ab += one * work;
            bb += work * work;
            a += one;
            b += work;
        }
        let determinant = aa * bb - ab * ab;
        let start = (a * bb - b * ab) / determinant;
        let slope = (b * aa - a * ab) / determinant;
        let off = |&(x, y): &(f64, f64)| (y / (start + slope * x) - 1.0).abs();
        Self {
            start,
            slope,
            deviation: points.iter().map(off).fold(0.0, f64::max),
            exponent: exponent(points),
        }
    }
}

/// Returns the slope of the logarithm of the time over that of the work, by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logarithms = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let (mut count, mut sum_x, mut sum_y) = (0.0, 0.0, 0.0);
    for (x, y) in logarithms() {
        count += 1.0;
        sum_x += x;
        sum_y += y;
    }
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let (mut products, mut squares) = (0.0, 0.0);
    for (x, y) in logarithms() {
        products += (x - mean_x) * (y - mean_y);
        squares += (x - mean_x) * (x - mean_x);
    }
    products / squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_a_part_of_the_largest_number() {
        assert_eq!(difference(&[1.0, -4.0], &[1.0, -4.0]), Some(0.0));
        assert_eq!(difference(&[1.5, -4.0], &[1.0, -4.0]), Some(0.125));
        assert_eq!(difference(&[1.0], &[1.0, 2.0]), None);
        assert!(difference(&[f64::NAN, 0.0], &[1.0, 2.0]).is_some_and(f64::is_nan));
        assert!(difference(&[1.0, 0.0], &[f64::NAN, 2.0]).is_some_and(f64::is_nan));
    }

    #[test]
    fn ratios_are_those_of_rounds() {
        let ratios = Ratios::new(&[1.0, 2.0, 4.0], &[3.0, 2.0, 8.0]).expect("three rounds");
        assert_eq!(
            ratios,
            Ratios {
                median: 2.0,
                min: 1.0,
                max: 3.0
            }
        );
        assert!(Ratios::new(&[], &[]).is_err());
        assert_eq!(geometric_mean([2.0, 8.0].into_iter()), Some(4.0));
        assert_eq!(geometric_mean([].into_iter()), None);
    }

    #[test]
    fn a_line_is_found_and_what_deviates_from_it() {
        let line = Line::fit(&[(1.0, 12.0), (10.0, 30.0), (1000.0, 2010.0)]);
        assert!((line.start - 10.0).abs() < 1e-9 && (line.slope - 2.0).abs() < 1e-9);
        assert!(line.deviation < 1e-9);
        let square = [(1.0, 1.0), (10.0, 100.0), (100.0, 10_000.0)];
        assert!(Line::fit(&square).deviation > 0.5);
        assert!((Line::fit(&square).exponent - 2.0).abs() < 1e-9);
    }
}
