//! Measures the largest errors of sums of f16 and bf16, in the interpreter and in the simulator, for the end
//! of `docs/numerics.md`.
//!
//! `TILE_BLESS=1` writes the table; without it, no error may be larger than in the table. For all inputs,
//! every error must keep to the bound that the page states: half a unit of the last place, plus, for each of
//! the `n` elements, one f32 rounding of the sum of magnitudes. [`special`] tests sums that are exact: NaN,
//! infinities, and eight-bit types.

mod special;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use tile_backend::session::Artifact;
use tile_backend::target::Arch;
use tile_core::interp::{RunOptions, decode_float, encode_float};
use tile_core::testing::{Argument, Random, Runnable, execute_with};
use tile_core::types::Scalar;

use super::machine::{compile, parsed, simulate};
use super::support::{self, local_trial};

/// The target under test; all targets sum identically.
const ARCH: Arch = Arch::SM_80;

/// The heading of the part of the page that this test writes.
pub(crate) const TITLE: &str = "\n## Sums of f16 and bf16\n";

const HALVES: [Scalar; 2] = [Scalar::F16, Scalar::BF16];

/// The form of a sum, with its tile size.
#[derive(Clone, Copy)]
enum Case {
    Sum {
        tile: usize,
    },
    Prefixes {
        tile: usize,
    },
    /// A loop adds tiles in f32, and the result is summed.
    Loop {
        tiles: usize,
        tile: usize,
    },
    /// As [`Case::Sum`], but elements are converted to f32 before they are added: `sum_as::<f32>`.
    SumAs {
        tile: usize,
    },
    /// As [`Case::Prefixes`], but elements are converted to f32 before they are added: `cumsum_as::<f32>`.
    PrefixesAs {
        tile: usize,
    },
}

const CASES: [(&str, Case); 5] = [
    ("`sum` of 2^10", Case::Sum { tile: 1 << 10 }),
    ("`sum` of 2^13", Case::Sum { tile: 1 << 13 }),
    ("`sum` of 2^16", Case::Sum { tile: 1 << 16 }),
    ("`cumsum` of 2^12", Case::Prefixes { tile: 1 << 12 }),
    (
        "2^20, a loop over tiles of 2^12 in f32",
        Case::Loop {
            tiles: 1 << 8,
            tile: 1 << 12,
        },
    ),
];

impl Case {
    fn count(self) -> usize {
        match self {
            Case::Sum { tile }
            | Case::Prefixes { tile }
            | Case::SumAs { tile }
            | Case::PrefixesAs { tile } => tile,
            Case::Loop { tiles, tile } => tiles * tile,
        }
    }

    /// Returns `true` if the only result is the sum of all elements.
    fn is_of_all(self) -> bool {
        !matches!(self, Case::Prefixes { .. } | Case::PrefixesAs { .. })
    }

    /// Returns the number of results.
    fn results(self) -> usize {
        if self.is_of_all() { 1 } else { self.count() }
    }

    /// Returns the type of results, for elements of type `e`.
    fn sum_of(self, e: Scalar) -> Scalar {
        match self {
            Case::Sum { .. } | Case::Prefixes { .. } | Case::Loop { .. } => e,
            Case::SumAs { .. } | Case::PrefixesAs { .. } => Scalar::F32,
        }
    }

    fn source(self, e: Scalar) -> String {
        let (count, results, to) = (self.count(), self.results(), self.sum_of(e));
        let tile = match self {
            Case::Loop { tile, .. } => tile,
            Case::Sum { .. }
            | Case::Prefixes { .. }
            | Case::SumAs { .. }
            | Case::PrefixesAs { .. } => count,
        };
        let view = |name: &str, pointer: &str, e: Scalar, count: usize, tile: usize| {
            let tensor = format!("tensor_view<{count}x{e}, strides=[1]>");
            format!(
                "    {name}_d = assume div_by<16>, {pointer} : tile<ptr<{e}>>\n    {name}_w = make_tensor_view {name}_d, shape = [{count}], strides = [1] : {tensor}\n    {name} = make_partition_view {name}_w : partition_view<tile=({tile}), {tensor}>\n"
            )
        };
        let ty = |e: Scalar, count: usize, tile: usize| {
            format!("partition_view<tile=({tile}), tensor_view<{count}x{e}, strides=[1]>>")
        };
        let body = |e: Scalar| {
            format!(
                "(%n: tile<{e}>, %acc: tile<{e}>) {{\n      %b = addf %n, %acc : tile<{e}>\n      yield %b : tile<{e}>\n    }}"
            )
        };
        let load = |index: &str| {
            format!(
                "%x, %x_t = load_view_tko weak %v[{index}] : {}, tile<i32> -> tile<{tile}x{e}>, token",
                ty(e, count, tile)
            )
        };
        let converted = |to: Scalar| {
            if to == e {
                return ("%x", String::new());
            }
            (
                "%w",
                format!("    %w = ftof %x : tile<{tile}x{e}> -> tile<{tile}x{to}>\n"),
            )
        };
        let (of, convert) = converted(to);
        let compute = match self {
            Case::Sum { .. } | Case::SumAs { .. } => format!(
                "    {}\n{convert}    %s = reduce {of} dim=0 identities=[0.0 : {to}] : tile<{tile}x{to}> -> tile<{to}> {}\n    %r = reshape %s : tile<{to}> -> tile<1x{to}>\n",
                load("%zero"),
                body(to)
            ),
            Case::Prefixes { .. } | Case::PrefixesAs { .. } => format!(
                "    {}\n{convert}    %r = scan {of} dim=0 reverse=false identities=[0.0 : {to}] : tile<{tile}x{to}> -> tile<{tile}x{to}> {}\n",
                load("%zero"),
                body(to)
            ),
            Case::Loop { tiles, .. } => format!(
                "    %one = constant <i32: 1> : tile<i32>\n    %end = constant <i32: {tiles}> : tile<i32>\n    %start = constant <f32: 0.0> : tile<{tile}xf32>\n    %sums = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%before = %start) -> (tile<{tile}xf32>) {{\n      {}\n      %y = ftof %x : tile<{tile}x{e}> -> tile<{tile}xf32>\n      %next = addf %before, %y : tile<{tile}xf32>\n      continue %next : tile<{tile}xf32>\n    }}\n    %s = reduce %sums dim=0 identities=[0.0 : f32] : tile<{tile}xf32> -> tile<f32> {}\n    %h = ftof %s : tile<f32> -> tile<{e}>\n    %r = reshape %h : tile<{e}> -> tile<1x{e}>\n",
                load("%i"),
                body(Scalar::F32)
            ),
        };
        format!(
            "cuda_tile.module @kernels {{\n  entry @f(%p: tile<ptr<{e}>>, %q: tile<ptr<{to}>>) {{\n    %zero = constant <i32: 0> : tile<i32>\n{}{}{compute}    %k = store_view_tko weak %r, %o[%zero] : tile<{results}x{to}>, {}, tile<i32> -> token\n    return\n  }}\n}}\n",
            view("%v", "%p", e, count, tile),
            view("%o", "%q", to, results, results),
            ty(to, results, results),
        )
    }

    /// Returns the exact sums, and the sums of magnitudes.
    fn exact(self, elements: &[f64]) -> Vec<(f64, f64)> {
        let sums = elements.iter().scan((-0.0, 0.0), |(sum, size), x| {
            (*sum, *size) = (*sum + x, *size + x.abs());
            Some((*sum, *size))
        });
        if self.is_of_all() {
            sums.last().into_iter().collect()
        } else {
            sums.collect()
        }
    }
}

/// Draws numbers from `low` to `low + size`.
fn elements(e: Scalar, count: usize, (low, size): (f64, f64)) -> Vec<u64> {
    let mut random = Random::new(count as u64);
    let numbers = (0..count).map(|_| {
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let unit = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        encode_float(e, low + size * unit)
    });
    numbers.collect()
}

/// A compiled sum.
struct Sum {
    case: Case,
    e: Scalar,
    runnable: Runnable,
    artifact: Artifact,
    parsed: tile_sim::Module,
}

impl Sum {
    fn new(case: Case, e: Scalar) -> Result<Self, String> {
        let source = case.source(e);
        let module = support::module(&source, "sums")?;
        let artifact = compile(&module, ARCH, None)?;
        Ok(Self {
            case,
            e,
            parsed: parsed(&artifact),
            artifact,
            runnable: Runnable {
                module,
                grid: [1, 1, 1],
                args: Vec::new(),
            },
        })
    }

    /// Returns the bits that the interpreter and the simulator compute from elements.
    fn run(&mut self, elements: &[u64]) -> Result<[Vec<u64>; 2], String> {
        let (from, to) = (self.e.bytes(), self.case.sum_of(self.e).bytes());
        let bytes = elements.iter().map(|bits| bits.to_le_bytes());
        let bytes = bytes.flat_map(|bytes| bytes.into_iter().take(from));
        self.runnable.args = vec![
            Argument::Buffer(bytes.collect()),
            Argument::Buffer(vec![0xa5; to * self.case.results()]),
        ];
        let words = |buffer: &[u8]| -> Vec<u64> {
            let words = buffer.chunks(to).map(|bytes| {
                let mut word = [0; 8];
                word[..to].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            });
            words.collect()
        };
        let outcome = execute_with(&self.runnable, RunOptions::default());
        if let Some(fault) = outcome.fault {
            return Err(fault.to_string());
        }
        let done = simulate(&self.artifact, &self.parsed, &self.runnable, 0);
        if let Some(fault) = done.fault {
            return Err(fault.to_string());
        }
        Ok([&outcome.buffers[1], &done.buffers[1]].map(|buffer| words(buffer)))
    }
}

/// Returns the unit of the last place of a number.
fn unit(e: Scalar, number: f64) -> f64 {
    let (digits, least) = match e {
        Scalar::F16 => (10.0, -14.0),
        _ => (7.0, -126.0),
    };
    (number.abs().log2().floor().max(least) - digits).exp2()
}

/// Returns the largest error on each device in units of the last place; fails if one exceeds the bound.
fn errors(case: Case, e: Scalar, interval: (f64, f64)) -> Result<[f64; 2], String> {
    let bits = elements(e, case.count(), interval);
    let values: Vec<f64> = bits.iter().map(|&bits| decode_float(e, bits)).collect();
    let exact = case.exact(&values);
    let mut largest = [0.0_f64; 2];
    for (largest, got) in largest.iter_mut().zip(Sum::new(case, e)?.run(&bits)?) {
        let got: Vec<f64> = got.iter().map(|&bits| decode_float(e, bits)).collect();
        for (n, (got, &(exact, size))) in (1_u32..).zip(got.iter().zip(&exact)) {
            let n = if case.is_of_all() {
                f64::from(u32::try_from(bits.len()).expect("small"))
            } else {
                f64::from(n)
            };
            let bound = 0.5 * unit(e, exact) + n * (-24.0_f64).exp2() * size;
            let error = (got - exact).abs();
            if error.is_nan() || error > bound * 1.001 {
                return Err(format!("{got} for {exact}, further apart than {bound}"));
            }
            *largest = largest.max(error / unit(e, exact));
        }
    }
    Ok(largest)
}

/// An interval from 0 to 1/16, so that the sum of 2^20 such numbers does not overflow f16.
const POSITIVE: (f64, f64) = (0.0, 0.0625);
const SIGNED: (f64, f64) = (-1.0, 2.0);

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/numerics.md")
}

fn page() -> Result<(), String> {
    let mut rows = String::new();
    for (name, case) in CASES {
        let _ = write!(rows, "| {name} |");
        for e in HALVES {
            for error in
                errors(case, e, POSITIVE).map_err(|fault| format!("{name} {e}: {fault}"))?
            {
                let _ = write!(rows, " {:.3} |", (error * 1000.0).ceil() / 1000.0);
            }
            errors(case, e, SIGNED).map_err(|fault| format!("{name} {e}: {fault}"))?;
        }
        rows.push('\n');
    }
    let page = fs::read_to_string(path()).map_err(|error| error.to_string())?;
    let (before, section) = page.split_once(TITLE).unwrap_or((&page, ""));
    // The following text belongs to another test.
    let next = section.find("\n## ").map_or("", |start| &section[start..]);
    let expected = format!("{before}{TITLE}{}{rows}{next}", include_str!("sums.md"));
    if std::env::var_os("TILE_BLESS").is_some() {
        return fs::write(path(), expected).map_err(|error| error.to_string());
    }
    if page == expected {
        Ok(())
    } else {
        Err("`docs/numerics.md` is stale: run with `TILE_BLESS=1`".to_owned())
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![local_trial("sums", page)];
    trials.extend(special::trials());
    trials
}
