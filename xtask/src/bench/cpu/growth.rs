//! How the time grows with the work: over four decades of blocks, rows and columns.

use anyhow::Result;

use super::figures::{Line, median};
use super::pause;
use super::programs::Program;

/// Work that is multiplied.
struct Series {
    kernel: &'static str,
    /// What is counted.
    unit: &'static str,
    /// The sizes for this many.
    sizes: fn(u32) -> String,
    counts: [u32; 5],
}

const SERIES: [Series; 3] = [
    Series {
        kernel: "gelu",
        unit: "blocks of 4096 elements",
        sizes: |blocks| (blocks * 4096).to_string(),
        counts: [1, 10, 100, 1000, 10_000],
    },
    Series {
        kernel: "softmax",
        unit: "rows of 1024 columns",
        sizes: |rows| format!("{rows}x1024"),
        counts: [4, 40, 400, 4000, 40_000],
    },
    Series {
        kernel: "cross_entropy",
        unit: "columns of 8 rows",
        sizes: |columns| format!("8x{columns}"),
        counts: [1024, 10_240, 102_400, 1_024_000, 10_240_000],
    },
];

/// The times of a series.
pub(super) struct Curve {
    pub(super) kernel: &'static str,
    pub(super) unit: &'static str,
    /// How many, and the seconds.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) line: Line,
}

pub(super) fn measure(program: &mut Program, seconds: f64, threads: usize) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for series in &SERIES {
        let mut points = Vec::new();
        for count in series.counts {
            let mut runs = program.time(series.kernel, &(series.sizes)(count), seconds)?;
            points.push((f64::from(count), median(&mut runs)?));
            program.ask("forget")?;
            pause(threads);
        }
        curves.push(Curve {
            kernel: series.kernel,
            unit: series.unit,
            line: Line::fit(&points),
            points,
        });
    }
    Ok(curves)
}
