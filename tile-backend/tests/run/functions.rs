//! Measures the largest errors of functions on a GPU, for the end of `docs/numerics.md`.
//!
//! Compiled code runs in the simulator on every pattern of f16 and bf16 and on many numbers of f32 and f64;
//! mpmath computes the distance of each result from the exact one. Without `TILE_EXHAUSTIVE`, only a sample
//! of the numbers is tested, and no error may be larger than the page states. With `TILE_EXHAUSTIVE`, the
//! errors on the page must be the measured ones; with `TILE_BLESS` in addition, the page is rewritten.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::interp::{decode_float, encode_float};
use tile_core::testing::Random;
use tile_core::types::Scalar;

use super::exhaustive::{Module, TILE, tile};
use super::machine::{compile, parsed, simulate};
use super::oracle::Oracle;
use super::sums;
use super::support::local_trial;

/// The target under test; all targets compute functions identically.
const ARCH: Arch = Arch::SM_80;

const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];
const SINGLE: [Scalar; 1] = [Scalar::F32];

/// The heading of the part of the page that this test writes.
const TITLE: &str = "\n## On a GPU\n";

/// An implementation of a function.
struct Form {
    name: &'static str,
    /// The suffix that follows the operands in the text of the operation.
    mode: &'static str,
    scalars: &'static [Scalar],
    /// The implementation: `device-math` or instructions.
    by: &'static str,
    /// Intervals from which the operands are drawn, one for each operand. Bit patterns of arbitrary numbers
    /// are added.
    intervals: &'static [[(f64, f64); 2]],
}

const ONE: (f64, f64) = (0.0, 1.0);
const ANGLES: &[[(f64, f64); 2]] = &[[(-7.0, 7.0), ONE], [(-1e5, 1e5), ONE], [(-0.8, 0.8), ONE]];
const EXPONENTS: &[[(f64, f64); 2]] = &[
    [(-750.0, 715.0), ONE],
    [(-104.0, 90.0), ONE],
    [(-1.0, 1.0), ONE],
    [(-20.0, 12.0), ONE],
];
const BINARY: &[[(f64, f64); 2]] = &[
    [(-1080.0, 1025.0), ONE],
    [(-150.0, 129.0), ONE],
    [(-1.0, 1.0), ONE],
];
const POSITIVE: &[[(f64, f64); 2]] = &[[(0.0, 4.0), ONE], [(0.99, 1.01), ONE], [(0.0, 1e6), ONE]];
const TANH: &[[(f64, f64); 2]] = &[[(-22.0, 22.0), ONE], [(-1.0, 1.0), ONE]];

/// The functions of `tile-backend/device-math`.
const DEVICE_MATH: &str = "`device-math`";

const fn form(name: &'static str, intervals: &'static [[(f64, f64); 2]]) -> Form {
    Form {
        name,
        mode: "",
        scalars: &FLOATS,
        by: DEVICE_MATH,
        intervals,
    }
}

const fn single(
    name: &'static str,
    mode: &'static str,
    by: &'static str,
    intervals: &'static [[(f64, f64); 2]],
) -> Form {
    Form {
        name,
        mode,
        scalars: &SINGLE,
        by,
        intervals,
    }
}

const FORMS: [Form; 23] = [
    form("atan2", &[[(-3.0, 3.0), (-3.0, 3.0)], [ONE, (-1e3, 1e3)]]),
    form("cos", ANGLES),
    form("cosh", EXPONENTS),
    Form {
        by: "`ex2.approx`; f64: `device-math`",
        ..form("exp", EXPONENTS)
    },
    single(
        "exp",
        "rounding<approx>",
        "`ex2.approx` of a product",
        EXPONENTS,
    ),
    Form {
        by: "`ex2.approx`; f64: `device-math`",
        ..form("exp2", BINARY)
    },
    single("exp2", "flush_to_zero", "`ex2.approx.ftz`", BINARY),
    form(
        "fpowi",
        &[[(-4.0, 4.0), (-40.0, 40.0)], [(0.999, 1.001), (-1e5, 1e5)]],
    ),
    form("log", POSITIVE),
    form("log2", POSITIVE),
    form(
        "pow",
        &[
            [(0.0, 4.0), (-40.0, 40.0)],
            [(0.0, 1e6), (-50.0, 50.0)],
            [(0.999, 1.001), (-1e5, 1e5)],
        ],
    ),
    Form {
        by: "`rsqrt.approx`; f64: `device-math`",
        ..form("rsqrt", POSITIVE)
    },
    single("rsqrt", "flush_to_zero", "`rsqrt.approx.ftz`", POSITIVE),
    form("sin", ANGLES),
    form("sinh", EXPONENTS),
    Form {
        by: "`sqrt.rn`",
        ..form("sqrt", POSITIVE)
    },
    single("sqrt", "rounding<approx>", "`sqrt.approx`", POSITIVE),
    single(
        "sqrt",
        "rounding<approx> flush_to_zero",
        "`sqrt.approx.ftz`",
        POSITIVE,
    ),
    form("tan", ANGLES),
    form("tanh", TANH),
    single("tanh", "rounding<approx>", "`tanh.approx`", TANH),
    single("divf", "rounding<approx>", "`div.approx`", DIVISORS),
    single("divf", "rounding<full>", "`div.full`", DIVISORS),
];
const DIVISORS: &[[(f64, f64); 2]] = &[[(-3.0, 3.0), (0.5, 2.0)], [(-1e9, 1e9), (-1e3, 1e3)]];

impl Form {
    fn second(&self, scalar: Scalar) -> Option<Scalar> {
        match self.name {
            "pow" | "atan2" | "divf" => Some(scalar),
            "fpowi" => Some(Scalar::I32),
            _ => None,
        }
    }

    /// Draws the operands: every pattern of 16-bit types, some patterns of longer types, and numbers from the
    /// intervals.
    fn operands(&self, scalar: Scalar) -> [Vec<u64>; 2] {
        let second = self.second(scalar);
        let mut random = Random::new(u64::from(scalar.bits()));
        let mut operands = [Vec::new(), Vec::new()];
        let mask = |scalar: Scalar| u64::MAX >> (64 - scalar.bits());
        if scalar.bits() == 16 {
            let step = if is_exhaustive() { 1 } else { 61 };
            for bits in (0..1 << 16).step_by(step) {
                operands[0].push(bits);
                operands[1].push(second.map_or(0, |second| random.bits() & mask(second)));
            }
        }
        // The list of a sample is a prefix of the exhaustive list.
        let count = if is_exhaustive() { 20 * TILE } else { TILE };
        for index in 0..count {
            let interval = self.intervals[index / 4 % self.intervals.len()];
            for ((column, scalar), (low, high)) in operands
                .iter_mut()
                .zip([Some(scalar), second])
                .zip(interval)
            {
                #[expect(clippy::cast_precision_loss, reason = "53 bits")]
                let unit = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
                let number = low + (high - low) * unit;
                column.push(match scalar {
                    None => 0,
                    Some(scalar) if index % 4 == 0 => random.bits() & mask(scalar),
                    Some(scalar) if scalar.is_float() => encode_float(scalar, number),
                    #[expect(clippy::cast_possible_truncation, reason = "small")]
                    Some(scalar) => (number as i64).cast_unsigned() & mask(scalar),
                });
            }
        }
        operands
    }

    /// Computes the results in the simulator.
    fn run(&self, scalar: Scalar, operands: &[Vec<u64>; 2]) -> Result<Vec<u64>, String> {
        let count = operands[0].len();
        let blocks = count.div_ceil(TILE);
        let mut module = Module::new(blocks * TILE);
        let scalars = std::iter::once(scalar).chain(self.second(scalar));
        let mut names = Vec::new();
        for (scalar, column) in scalars.clone().zip(operands) {
            let mut column = column.clone();
            column.resize(blocks * TILE, 0);
            names.push(module.load(scalar, &column));
        }
        let types: Vec<String> = match self.second(scalar) {
            Some(Scalar::I32) => scalars.map(tile).collect(),
            _ => vec![tile(scalar)],
        };
        let names = names.join(", ");
        module.line(&format!(
            "%r = {} {names} {} : {}",
            self.name,
            self.mode,
            types.join(", ")
        ));
        module.store("%r", scalar);
        let runnable = module.finish(u32::try_from(blocks).expect("few"))?;
        let artifact = compile(&runnable.module, ARCH, None)?;
        let done = simulate(&artifact, &parsed(&artifact), &runnable, 0);
        if let Some(fault) = done.fault {
            return Err(fault.to_string());
        }
        let result = done.buffers.last().expect("a result");
        let elements = result.chunks(scalar.bytes()).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        Ok(elements.take(count).collect())
    }

    /// Returns the largest error, in units of the last place of the exact result.
    fn error(&self, oracle: &mut Oracle, scalar: Scalar) -> Result<f64, String> {
        let operands = self.operands(scalar);
        let got = self.run(scalar, &operands)?;
        let [a, b] = &operands;
        let errors = match self.second(scalar) {
            _ if self.name == "divf" => quotients(a, b, &got),
            // The oracle takes exponents with 64 bits.
            Some(Scalar::I32) => {
                let wide = |&bits: &u64| {
                    let low = u32::try_from(bits & 0xffff_ffff).expect("it has 32 bits");
                    i64::from(low.cast_signed()).cast_unsigned()
                };
                let exponents: Vec<u64> = b.iter().map(wide).collect();
                let request = format!("function {} {scalar}", self.name);
                oracle.ask::<2>(&request, &[a, &exponents, &got])[1].clone()
            }
            Some(_) => {
                let request = format!("function {} {scalar}", self.name);
                oracle.ask::<2>(&request, &[a, b, &got])[1].clone()
            }
            None => {
                let request = format!("function {} {scalar}", self.name);
                oracle.ask::<2>(&request, &[a, &got])[1].clone()
            }
        };
        let flushes = self.mode.contains("flush_to_zero") || self.by.contains("div.");
        let is_small = |bits: u64| {
            let number = decode_float(scalar, bits).abs();
            number < 2.0 * f64::from(f32::MIN_POSITIVE)
        };
        let mut largest = 0.0_f64;
        for (index, &error) in errors.iter().enumerate() {
            if flushes && (is_small(a[index]) || is_small(got[index])) {
                continue;
            }
            largest = largest.max(f64::from_bits(error));
        }
        Ok(largest)
    }

    /// Returns the row of the table, without the numbers.
    fn row(&self) -> String {
        let space = if self.mode.is_empty() { "" } else { " " };
        format!("`{}{space}{}`", self.name, self.mode)
    }
}

/// Computes the errors of quotients in units of the last place. Only quotients of medium magnitude by
/// divisors of medium magnitude count: the PTX ISA allows other results to be zero.
fn quotients(a: &[u64], b: &[u64], got: &[u64]) -> Vec<u64> {
    let number = |bits: &u64| decode_float(Scalar::F32, *bits);
    let errors = got.iter().zip(a.iter().zip(b)).map(|(got, (a, b))| {
        let (got, exact) = (number(got), number(a) / number(b));
        let is_usual = |number: f64| (1e-37..1e37).contains(&number.abs());
        if !is_usual(exact) || !is_usual(number(b)) {
            return 0.0;
        }
        let exponent = exact.abs().log2().floor();
        (got - exact).abs() / (exponent - 23.0).exp2()
    });
    errors.map(f64::to_bits).collect()
}

fn is_exhaustive() -> bool {
    std::env::var_os("TILE_EXHAUSTIVE").is_some()
}

pub(crate) fn trials() -> Vec<Trial> {
    if is_exhaustive() {
        return vec![local_trial("functions", whole)];
    }
    let trial = |form: &'static Form| {
        let name = format!("functions/{}", form.row().replace(['`', ' '], ""));
        local_trial(name, move || some(form))
    };
    FORMS.iter().map(trial).collect()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/numerics.md")
}

fn rounded_up(error: f64) -> f64 {
    (error * 1000.0).ceil() / 1000.0
}

/// Checks that no error is larger than the page states.
fn some(form: &Form) -> Result<(), String> {
    let page = fs::read_to_string(path()).map_err(|error| error.to_string())?;
    let (_, section) = page
        .split_once(TITLE)
        .ok_or("the page has no part of this test")?;
    let row = section
        .lines()
        .find_map(|line| line.strip_prefix(&format!("| {} | ", form.row())))
        .ok_or_else(|| format!("{} is not on `docs/numerics.md`", form.row()))?;
    let cells: Vec<&str> = row.split(" | ").collect();
    let Some(mut oracle) = Oracle::start() else {
        return Ok(());
    };
    for &scalar in form.scalars {
        let column = FLOATS.iter().position(|&other| other == scalar);
        let stated: f64 = column
            .and_then(|column| cells.get(column)?.parse().ok())
            .ok_or_else(|| format!("no number for {scalar} in `{row}`"))?;
        let error = rounded_up(form.error(&mut oracle, scalar)?);
        if error > stated {
            let name = form.row();
            return Err(format!(
                "{name} {scalar}: {error} ulp, and the page says {stated}"
            ));
        }
    }
    Ok(())
}

/// Checks that the page states the measured errors.
fn whole() -> Result<(), String> {
    let rows: Vec<Result<String, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = FORMS
            .iter()
            .map(|form| scope.spawn(move || row(form)))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join();
        threads
            .into_iter()
            .map(|thread| join(thread).expect("a row does not panic"))
            .collect()
    });
    let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;
    let page = fs::read_to_string(path()).map_err(|error| error.to_string())?;
    let (before, section) = page.split_once(TITLE).unwrap_or((&page, ""));
    // The following text belongs to another test.
    let sums = section
        .find(sums::TITLE)
        .map_or("", |start| &section[start..]);
    let expected = format!(
        "{before}{TITLE}{}{}{sums}",
        include_str!("functions.md"),
        rows.concat()
    );
    if std::env::var_os("TILE_BLESS").is_some() {
        return fs::write(path(), expected).map_err(|error| error.to_string());
    }
    if page == expected {
        Ok(())
    } else {
        Err("`docs/numerics.md` is stale: run with `TILE_EXHAUSTIVE=1 TILE_BLESS=1`".to_owned())
    }
}

fn row(form: &Form) -> Result<String, String> {
    let mut oracle = Oracle::start().ok_or("mpmath is needed")?;
    let mut row = format!("| {} |", form.row());
    for scalar in FLOATS {
        if form.scalars.contains(&scalar) {
            let error = form.error(&mut oracle, scalar);
            let error = error.map_err(|fault| format!("{} {scalar}: {fault}", form.row()))?;
            let _ = write!(row, " {:.3} |", rounded_up(error));
        } else {
            row += " - |";
        }
    }
    let _ = writeln!(row, " {} |", form.by);
    Ok(row)
}
