//! Measures the largest errors of functions, for the section of `docs/numerics.md` on native code.
//!
//! The table is that of one number of f32 in [`STEP`]. Without `TILE_BLESS`, the errors of a part of them may not be larger
//! than stated. With `TILE_EXHAUSTIVE`, which is 1 or the name of a function, all numbers are measured, and compared with the
//! bounds of [`ROWS`].

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use oracle::Oracle;

#[path = "../../../../../tile-core/tests/interp_ops/oracle/mod.rs"]
mod oracle;

/// The heading of the part of the page that this test writes, the last one.
const TITLE: &str = "\n## Native code on the CPU\n";
const TEXT: &str = include_str!("page.md");

const LEVELS: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

/// A function of one argument in f64, whose error is far below one unit of f32.
type Exact = fn(f64) -> f64;

/// A function, the name in Tile IR, and of a function of one argument the exact one, with a bound of the errors of all f32.
type Row = (Function, &'static str, Option<(Exact, f64)>);

/// The functions that are measured, in order.
const ROWS: [Row; 14] = [
    (Function::Atan2, "atan2", None),
    (Function::Cos, "cos", Some((f64::cos, 1.1))),
    (Function::Cosh, "cosh", Some((f64::cosh, 1.0))),
    (Function::Exp, "exp", Some((f64::exp, 1.1))),
    (Function::Exp2, "exp2", Some((f64::exp2, 1.1))),
    (Function::Powi, "fpowi", None),
    (Function::Log, "log", Some((f64::ln, 0.85))),
    (Function::Log2, "log2", Some((f64::log2, 0.95))),
    (Function::Pow, "pow", None),
    (Function::Rsqrt, "rsqrt", Some((inverse_root, 0.51))),
    (Function::Sin, "sin", Some((f64::sin, 1.1))),
    (Function::Sinh, "sinh", Some((f64::sinh, 0.9))),
    (Function::Tan, "tan", Some((f64::tan, 1.6))),
    (Function::Tanh, "tanh", Some((f64::tanh, 1.1))),
];

/// The table has the errors of one number in so many.
const STEP: usize = 509;

/// Which numbers of f32 are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// All of them.
    All,
    /// Those of the table.
    Table,
    /// A part of those of the table.
    Sample,
}

impl Numbers {
    fn of_environment() -> Self {
        let is_set = |name| std::env::var_os(name).is_some();
        match (is_set("TILE_EXHAUSTIVE"), is_set("TILE_BLESS")) {
            (true, _) => Self::All,
            (_, true) => Self::Table,
            _ => Self::Sample,
        }
    }

    fn step(self) -> usize {
        match self {
            Self::All => 1,
            Self::Table => STEP,
            Self::Sample => 32 * STEP,
        }
    }
}

fn inverse_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/numerics.md")
}

/// Returns the error in units of the last place of `exact`; infinity if a special value or a sign is wrong.
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "that rounds, and infinities are equal"
)]
fn error(got: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if rounded.is_nan() || got.is_nan() || rounded.is_infinite() || got.is_infinite() {
        let is_right = rounded.is_nan() && got.is_nan() || rounded == got;
        return if is_right { 0.0 } else { f64::INFINITY };
    }
    if got.is_sign_negative() != rounded.is_sign_negative() {
        return f64::INFINITY;
    }
    // The exponent of f64 is that of the exact number, or that of subnormal numbers of f32.
    let exponent = (exact.abs().to_bits() >> 52).max(1023 - 126) - 23;
    (f64::from(got) - exact).abs() / f64::from_bits(exponent << 52)
}

/// Returns the largest errors of a function of one f32 at these levels.
fn of_patterns(function: Function, exact: Exact, levels: &[Level], numbers: Numbers) -> Vec<f64> {
    const CHUNK: usize = 4096;
    let functions: Vec<Compiled> = levels
        .iter()
        .map(|level| compiled(function, Scalar::F32, *level, Registers::One))
        .collect();
    let mut largest = vec![0.0_f64; levels.len()];
    let mut bits = (0..=u32::MAX).step_by(numbers.step()).peekable();
    let mut out = vec![0.0; CHUNK];
    while bits.peek().is_some() {
        let mut x: Vec<f32> = bits.by_ref().take(CHUNK).map(f32::from_bits).collect();
        x.resize(CHUNK, 1.0);
        let expected: Vec<f64> = x.iter().map(|x| exact(f64::from(*x))).collect();
        for (function, largest) in functions.iter().zip(&mut largest) {
            function.apply_single(&x, &mut out);
            for (got, exact) in out.iter().zip(&expected) {
                *largest = largest.max(error(*got, *exact));
            }
        }
    }
    largest
}

/// Returns the largest error of a function against mpmath.
fn of_sample(
    oracle: &mut Oracle,
    function: Function,
    name: &str,
    scalar: Scalar,
    level: Level,
) -> f64 {
    let compiled = compiled(function, scalar, level, Registers::One);
    let [x, y] = [31, 32].map(|seed| numbers(scalar, seed, 4096));
    let exponents: Vec<u64> = y.iter().map(|bits| (bits % 41).wrapping_sub(20)).collect();
    let request = format!("function {name} {}", scalar.name());
    let inputs: &[&[u64]] = match (function, compiled.parameters.len()) {
        (Function::Powi, _) => &[&x, &exponents],
        (_, 1) => &[&x],
        _ => &[&x, &y],
    };
    let got = compiled.apply(inputs);
    let mut asked = inputs.to_vec();
    asked.push(&got);
    let [_, errors] = oracle.ask::<2>(&request, &asked);
    errors.into_iter().map(f64::from_bits).fold(0.0, f64::max)
}

fn rounded_up(error: f64) -> f64 {
    (error * 1000.0).ceil() / 1000.0
}

/// Returns the numbers of a row of the page.
fn stated(section: &str, name: &str) -> Option<Vec<f64>> {
    let row = section
        .lines()
        .find_map(|line| line.strip_prefix(&format!("| `{name}` | ")))?;
    let cells = row.trim_end_matches(" |").split(" | ");
    cells.map(|cell| cell.parse().ok()).collect()
}

fn available() -> Vec<Level> {
    let levels = LEVELS.into_iter();
    levels.filter(|level| level.is_available()).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures")]
fn the_errors_of_f32_are_within_their_bounds() {
    let numbers = match Numbers::of_environment() {
        Numbers::All => Numbers::All,
        Numbers::Table | Numbers::Sample => Numbers::Sample,
    };
    let levels = available();
    let only = std::env::var("TILE_EXHAUSTIVE").ok();
    let only = only.filter(|name| name != "1");
    assert!(
        only.as_deref()
            .is_none_or(|only| ROWS.iter().any(|(_, name, _)| *name == only)),
        "TILE_EXHAUSTIVE is neither 1 nor the name of a function: {only:?}"
    );
    let mut beyond = Vec::new();
    for (function, name, exact) in ROWS {
        let Some((exact, bound)) = exact else {
            continue;
        };
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let errors = of_patterns(function, exact, &levels, numbers);
        for (level, error) in levels.iter().zip(errors) {
            println!("{level} {name}: {error:.4}");
            if error > bound {
                beyond.push(format!("{level} {name}: {error} of {bound}"));
            }
        }
    }
    assert!(beyond.is_empty(), "{beyond:#?}");
}

#[test]
fn no_error_is_larger_than_the_page_states() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let is_blessing = std::env::var_os("TILE_BLESS").is_some();
    let numbers = if is_blessing {
        Numbers::Table
    } else {
        Numbers::Sample
    };
    let levels = available();
    let page = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
    let (before, section) = page.split_once(TITLE).unwrap_or((&page, ""));
    let mut rows = String::new();
    for (function, name, exact) in ROWS {
        // The errors of a level that this machine lacks stay as they are.
        let mut columns = stated(section, name).unwrap_or_default();
        columns.resize(2 * LEVELS.len(), f64::INFINITY);
        let mut put = |column: usize, error: f64| {
            let (error, stated) = (rounded_up(error), columns[column]);
            assert!(
                error <= stated || is_blessing,
                "`{name}`: {error} ulp in column {column}, and the page says {stated}"
            );
            if is_blessing {
                columns[column] = error;
            }
        };
        let singles = exact.map(|(exact, _)| of_patterns(function, exact, &levels, numbers));
        for (index, &level) in levels.iter().enumerate() {
            let column = LEVELS.iter().position(|other| *other == level);
            let column = column.expect("available levels are listed");
            let mut sample = |scalar| of_sample(&mut oracle, function, name, scalar, level);
            let of_single = match &singles {
                Some(errors) => errors[index],
                None => sample(Scalar::F32),
            };
            put(column, of_single);
            put(LEVELS.len() + column, sample(Scalar::F64));
        }
        let cells: Vec<String> = columns
            .iter()
            .map(|number| format!("{number:.3}"))
            .collect();
        let _ = writeln!(rows, "| `{name}` | {} |", cells.join(" | "));
    }
    let expected = format!("{before}{TITLE}{TEXT}{rows}");
    if is_blessing {
        fs::write(path(), expected).expect("`docs/numerics.md` can be written");
        return;
    }
    assert!(
        page == expected,
        "`docs/numerics.md` is stale: run with `TILE_BLESS=1`"
    );
}
