//! Measures the largest errors of functions, for the section of `docs/numerics.md` on native code.
//!
//! Without `TILE_EXHAUSTIVE` a part of the numbers of f32 is measured, and no error may be larger than stated there.

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

/// The functions that are measured, in order; the name in Tile IR, and the exact function if there is one argument.
const ROWS: [(Function, &str, Option<Exact>); 14] = [
    (Function::Atan2, "atan2", None),
    (Function::Cos, "cos", Some(f64::cos)),
    (Function::Cosh, "cosh", Some(f64::cosh)),
    (Function::Exp, "exp", Some(f64::exp)),
    (Function::Exp2, "exp2", Some(f64::exp2)),
    (Function::Powi, "fpowi", None),
    (Function::Log, "log", Some(f64::ln)),
    (Function::Log2, "log2", Some(f64::log2)),
    (Function::Pow, "pow", None),
    (Function::Rsqrt, "rsqrt", Some(inverse_root)),
    (Function::Sin, "sin", Some(f64::sin)),
    (Function::Sinh, "sinh", Some(f64::sinh)),
    (Function::Tan, "tan", Some(f64::tan)),
    (Function::Tanh, "tanh", Some(f64::tanh)),
];

fn inverse_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}

fn is_exhaustive() -> bool {
    std::env::var_os("TILE_EXHAUSTIVE").is_some()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/numerics.md")
}

/// Returns the error in units of the last place of `exact`; infinity if a special value or a sign is wrong.
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
fn of_patterns(function: Function, exact: Exact, levels: &[Level]) -> Vec<f64> {
    const CHUNK: usize = 4096;
    let step = if is_exhaustive() { 1 } else { 2003 };
    let functions: Vec<Compiled> = levels
        .iter()
        .map(|level| compiled(function, Scalar::F32, *level, Registers::One))
        .collect();
    let mut largest = vec![0.0_f64; levels.len()];
    let mut bits = (0..=u32::MAX).step_by(step).peekable();
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

#[test]
fn no_error_is_larger_than_the_page_states() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let is_blessing = std::env::var_os("TILE_BLESS").is_some();
    let levels: Vec<Level> = LEVELS
        .into_iter()
        .filter(|level| level.is_available())
        .collect();
    let page = fs::read_to_string(path()).expect("`docs/numerics.md` is there");
    let (before, section) = page.split_once(TITLE).unwrap_or((&page, ""));
    let mut rows = String::new();
    for (function, name, exact) in ROWS {
        let known = stated(section, name).unwrap_or_default();
        let at = |column: usize| known.get(column).copied().unwrap_or(f64::INFINITY);
        let mut columns = [f64::INFINITY; 6];
        for (column, number) in columns.iter_mut().enumerate() {
            *number = at(column);
        }
        let mut put = |column: usize, measured: f64, is_whole: bool| {
            let measured = rounded_up(measured);
            let stated = at(column);
            let is_lower = !is_whole && measured <= stated && stated.is_finite();
            columns[column] = if is_lower { stated } else { measured };
            let is_right = if is_whole {
                measured == stated
            } else {
                measured <= stated
            };
            assert!(
                is_right || is_blessing,
                "`{name}`: {measured} ulp in column {column}, and the page says {stated}"
            );
        };
        let column_of = |level| {
            LEVELS
                .iter()
                .position(|other| *other == level)
                .expect("listed")
        };
        if let Some(exact) = exact {
            let errors = of_patterns(function, exact, &levels);
            for (level, error) in levels.iter().zip(errors) {
                put(column_of(*level), error, is_exhaustive());
            }
        }
        for &level in &levels {
            let mut sample = |scalar| of_sample(&mut oracle, function, name, scalar, level);
            if exact.is_none() {
                put(column_of(level), sample(Scalar::F32), true);
            }
            put(3 + column_of(level), sample(Scalar::F64), true);
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
        "`docs/numerics.md` is stale: run with `TILE_EXHAUSTIVE=1 TILE_BLESS=1`"
    );
}
