//! A plot of measurements over a size, as SVG.

use std::error;
use std::fs;
use std::path::Path;

use plotters::coord::ranged1d::{KeyPointHint, Ranged};
use plotters::prelude::*;

use super::Measurement;
use super::measurement::Digits;
use crate::{Error, Result};

/// A plot of times or rates over a size, with a line for each series and bars for the noise. Both axes are logarithmic.
///
/// ```
/// # use std::time::Duration;
/// # use tile_kernel::{Device, bench::{Bench, Plot}};
/// # let bench = Bench::new().warm_up(Duration::ZERO).duration(Duration::from_millis(1));
/// # let time = bench.run(&Device::cpu(), |_| Ok(std::thread::yield_now()))?;
/// # let measured = vec![(1024.0, time.clone()), (4096.0, time)];
/// let plot = Plot::times("vector add")
///     .x_label("elements")
///     .series("tile-kernel", measured.clone()); // pairs of a size and its `Measurement`
/// let svg = plot.to_svg()?;
/// assert!(svg.contains("tile-kernel"));
///
/// // What is moved in 1 s, at 12 bytes an element.
/// let plot = Plot::rates("vector add", "GB/s", |elements| 12.0 * elements / 1e9)
///     .x_label("elements")
///     .series("tile-kernel", measured);
/// # plot.to_svg()?;
/// # Ok::<(), tile_kernel::Error>(())
/// ```
pub struct Plot {
    title: String,
    x_label: String,
    y_label: String,
    /// The amount of work of a size, of which the rate is shown; `None` for times.
    amount: Option<Box<dyn Fn(f64) -> f64>>,
    size: (u32, u32),
    series: Vec<Series>,
}

struct Series {
    label: String,
    points: Vec<Point>,
}

/// A measurement on the plot.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    low: f64,
    middle: f64,
    high: f64,
}

/// The colours of series: those of Okabe and Ito, which everybody can tell apart.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

impl Plot {
    /// Returns a plot of times.
    pub fn times(title: impl Into<String>) -> Plot {
        Plot {
            title: title.into(),
            x_label: "size".to_owned(),
            y_label: "time".to_owned(),
            amount: None,
            size: (800, 500),
            series: Vec::new(),
        }
    }

    /// Returns a plot of rates. A run at a size does the work that `amount` returns, in the unit of the rate without
    /// `/s`: for `GB/s`, in GB.
    pub fn rates(
        title: impl Into<String>,
        unit: impl Into<String>,
        amount: impl Fn(f64) -> f64 + 'static,
    ) -> Plot {
        Plot {
            y_label: unit.into(),
            amount: Some(Box::new(amount)),
            ..Plot::times(title)
        }
    }

    /// Sets what the sizes are.
    #[must_use]
    pub fn x_label(mut self, label: impl Into<String>) -> Plot {
        self.x_label = label.into();
        self
    }

    /// Sets the width and the height in pixels.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Plot {
        self.size = (width.max(200), height.max(150));
        self
    }

    /// Adds a series: pairs of a size and its measurement.
    #[must_use]
    pub fn series(
        mut self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = (f64, Measurement)>,
    ) -> Plot {
        let mut points: Vec<Point> = points
            .into_iter()
            .map(|(x, measurement)| self.point(x, &measurement))
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        self.series.push(Series {
            label: label.into(),
            points,
        });
        self
    }

    fn point(&self, x: f64, measurement: &Measurement) -> Point {
        let median = measurement.median();
        let (low, high) = measurement.interval().unwrap_or((median, median));
        match &self.amount {
            None => Point {
                x,
                low,
                middle: median,
                high,
            },
            Some(amount) => Point {
                x,
                low: amount(x) / high,
                middle: amount(x) / median,
                high: amount(x) / low,
            },
        }
    }

    /// Returns the plot as SVG.
    ///
    /// # Errors
    /// [`Plot`](Error::Plot) if there are no points, or one has no place on logarithmic axes.
    pub fn to_svg(&self) -> Result<String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|reason| Error::Plot {
            reason: reason.to_string(),
        })?;
        Ok(svg)
    }

    /// Writes the plot to a file.
    ///
    /// # Errors
    /// Those of [`to_svg`](Plot::to_svg), and [`Plot`](Error::Plot) if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let written = fs::write(path, self.to_svg()?);
        written.map_err(|error| Error::Plot {
            reason: format!("`{}` cannot be written: {error}", path.display()),
        })
    }

    fn draw(&self, svg: &mut String) -> std::result::Result<(), Box<dyn error::Error>> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let place = |x: f64| x.is_finite() && x > 0.0;
        if let Some(wrong) =
            points().find(|p| ![p.x, p.low, p.middle, p.high].into_iter().all(place))
        {
            return Err(format!(
                "the size {} or its value has no place on a logarithmic axis: add sizes above 0",
                wrong.x
            )
            .into());
        }
        let x =
            Axis::around(points().map(|point| point.x)).ok_or("it has no points: add a series")?;
        let y = Axis::around(points().flat_map(|point| [point.low, point.high]))
            .ok_or("it has no points: add a series")?;

        let root = SVGBackend::with_string(svg, self.size).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(45)
            .y_label_area_size(75)
            .build_cartesian_2d(x, y)?;
        let is_time = self.amount.is_none();
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&|x| number(*x))
            .y_label_formatter(&|y| if is_time { time(*y) } else { number(*y) })
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let line = series.points.iter().map(|point| (point.x, point.middle));
            chart
                .draw_series(LineSeries::new(line, colour.stroke_width(2)).point_size(3))?
                .label(&series.label)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                });
            let bar = |point: &Point| {
                ErrorBar::new_vertical(
                    point.x,
                    point.low,
                    point.middle,
                    point.high,
                    colour.stroke_width(1),
                    7,
                )
            };
            chart.draw_series(series.points.iter().map(bar))?;
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .position(SeriesLabelPosition::UpperLeft)
            .draw()?;
        root.present()?;
        Ok(())
    }
}

impl std::fmt::Debug for Plot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plot")
            .field("title", &self.title)
            .field("series", &self.series.len())
            .finish_non_exhaustive()
    }
}

/// A logarithmic axis, with labels at 1, 2 and 5 times powers of ten.
#[derive(Clone)]
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Returns the axis that shows these values; `None` if there are none.
    fn around(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        (low <= high).then(|| {
            // A tenth of the axis at both ends, and a factor of two in all.
            let room = (high / low).powf(0.1).max(1.2);
            Axis {
                low: low / room,
                high: high * room,
            }
        })
    }

    /// Returns the places of labels, at most `most`.
    fn labels(&self, most: usize) -> Vec<f64> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the exponents of finite numbers are small"
        )]
        let exponent = |value: f64| value.log10().floor() as i32;
        let all = |steps: &'static [f64]| -> Vec<f64> {
            let decades = exponent(self.low)..=exponent(self.high);
            let places = decades.flat_map(|e| steps.iter().map(move |step| step * 10f64.powi(e)));
            places
                .filter(|place| (self.low..=self.high).contains(place))
                .collect()
        };
        let [many, some, few] = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]].map(all);
        [many, some, few.clone()]
            .into_iter()
            .find(|places| places.len() <= most)
            .unwrap_or_else(|| {
                let step = few.len().div_ceil(most.max(1));
                few.into_iter().step_by(step).collect()
            })
    }
}

impl Ranged for Axis {
    type FormatOption = plotters::coord::ranged1d::NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let part = (value / self.low).ln() / (self.high / self.low).ln();
        let pixels = f64::from(end - start) * part;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the cast saturates, and places are within the picture"
        )]
        let pixels = pixels.round() as i32;
        start.saturating_add(pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        self.labels(hint.max_num_points().min(12))
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl plotters::coord::ranged1d::ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        number(*value)
    }
}

/// Writes a number with a prefix for thousands.
fn number(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let (unit, name) = units
        .into_iter()
        .find(|(unit, _)| value >= 0.9999 * unit)
        .unwrap_or((1.0, ""));
    let text = Digits(value / unit).to_string();
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        // Smaller than three digits show.
        "" | "0" => format!("{value:.0e}"),
        text => format!("{text}{name}"),
    }
}

/// Writes a time with its unit.
fn time(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let unit = units.into_iter().find(|(unit, _)| seconds >= 0.9999 * unit);
    let (unit, name) = unit.unwrap_or((1e-9, "ns"));
    format!("{} {name}", number(seconds / unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measurement::tests::of;

    fn measured(scale: f64) -> Vec<(f64, Measurement)> {
        let noisy = |time: f64| -> Vec<f64> {
            (0..40)
                .map(|i| time * (1.0 + f64::from(i % 5) * 0.02))
                .collect()
        };
        let sizes = [1e3, 1e4, 1e5, 1e6];
        sizes.map(|n| (n, of(&noisy(scale * n)))).into()
    }

    /// Returns the number of elements, and refuses text that is not well-formed.
    fn elements(svg: &str) -> usize {
        let (mut open, mut count) = (Vec::new(), 0);
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.split([' ', '/', '\n']).find(|name| !name.is_empty());
            let name = name.expect("a tag has a name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') && !tag.starts_with('?') {
                open.push(name);
                count += 1;
            } else {
                count += 1;
            }
        }
        assert_eq!(open, Vec::<&str>::new());
        count
    }

    #[test]
    fn a_plot_has_its_series_labels_and_units() -> Result<()> {
        let svg = Plot::times("vector <add>")
            .x_label("elements")
            .series("ours & others", measured(1e-9))
            .series("theirs", measured(2e-9))
            .to_svg()?;
        assert!(elements(&svg) > 30, "{svg}");
        for text in [
            "vector &lt;add&gt;",
            "elements",
            "time",
            "ours &amp; others",
            "theirs",
            "us",
            "100k",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let rates = Plot::rates("add", "GB/s", |n| 12.0 * n / 1e9).series("x", measured(1e-9));
        let svg = rates.to_svg()?;
        assert!(svg.contains("GB/s") && elements(&svg) > 20);
        Ok(())
    }

    #[test]
    fn bars_are_the_interval_of_the_time_and_of_the_rate() {
        let (size, time) = measured(1e-9).remove(3);
        let (low, high) = time.interval().expect("there are 40 samples");
        assert!(low < high);
        let point = Plot::times("").point(size, &time);
        assert_eq!(
            (point.low, point.middle, point.high),
            (low, time.median(), high)
        );
        let point = Plot::rates("", "GB/s", |n| n).point(size, &time);
        assert_eq!((point.low, point.high), (size / high, size / low));
    }

    #[test]
    fn a_plot_without_places_is_refused() {
        let cause = |plot: Plot| plot.to_svg().expect_err("it has no places").to_string();
        let empty = cause(Plot::times("empty"));
        assert!(empty.contains("add a series"), "{empty}");
        let zero = cause(Plot::times("zero").series("x", [(0.0, of(&[1.0]))]));
        assert!(zero.contains("add sizes above 0"), "{zero}");
    }

    #[test]
    fn axes_have_a_few_round_labels() {
        let labels = |low, high, most| Axis { low, high }.labels(most);
        assert_eq!(labels(0.9, 11.0, 12), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(labels(0.9, 1100.0, 5), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(labels(1e-9, 1e9, 4).len(), 4);
        assert_eq!(number(1_500_000.0), "1.5M");
        assert_eq!(time(2e-5), "20 us");
    }
}
