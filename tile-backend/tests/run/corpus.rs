//! Tests kernels of an independent producer: the corpus of bytecode in `tile-core/tests/corpus`.
//!
//! Each case of a kernel is a test on each supported architecture. A case defines the extents of the arrays:
//! multiples of the tile, other extents if the kernel allows them, and rows with a gap after them.
//! `tilec/tests/command/corpus.rs` compares results with `NumPy`.
//!
//! The tests also check that matmuls and attention have no bank conflicts, and that every lane stores 16
//! bytes at a time if extents are multiples of the tile.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::bytecode;
use tile_core::interp::encode_float;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::machine::{compile, parsed, simulate};
use super::trial;

/// The targets of the corpus.
const ARCHS: [Arch; 6] = [
    Arch::SM_80,
    Arch::SM_86,
    Arch::SM_89,
    Arch::SM_90A,
    Arch::SM_100A,
    Arch::SM_120A,
];

/// Bytes of a sector of memory.
const SECTOR: u64 = 32;

/// Bytes that a warp accesses with one instruction, 16 per lane.
const WARP_BYTES: u64 = 32 * 16;

/// An array argument: pointer, extents, strides. The kernels assume that all of them are multiples of 16,
/// except the last stride, which is 1.
struct Array {
    scalar: Scalar,
    extents: Vec<u64>,
    /// Number of elements after each row that belong to no row.
    gap: u64,
    values: Values,
}

/// The contents of an array.
#[derive(Clone, Copy)]
enum Values {
    /// Real numbers from -2 to 2, multiplied by a factor.
    Reals(f64),
    /// Integers in a half-open range.
    Integers(i64, i64),
}

impl Array {
    fn new(scalar: Scalar, extents: &[u64], values: Values) -> Self {
        Self {
            scalar,
            extents: extents.to_vec(),
            gap: 0,
            values,
        }
    }

    fn with_gap(self, gap: u64) -> Self {
        Self { gap, ..self }
    }

    /// Returns the arguments of the array.
    fn arguments(&self, random: &mut Random<'_>) -> Vec<Argument> {
        let (&last, outer) = self.extents.split_last().expect("arrays have axes");
        let row = last + self.gap;
        let rows: u64 = outer.iter().product();
        let mut bytes = Vec::new();
        for _ in 0..rows * row {
            let bits = match self.values {
                Values::Reals(scale) => {
                    #[expect(clippy::cast_precision_loss, reason = "20 bits")]
                    let unit = random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
                    encode_float(self.scalar, unit * 2.0 * scale)
                }
                Values::Integers(first, end) => {
                    let count = usize::try_from(end - first).expect("a range");
                    let offset = i64::try_from(random.below(count)).expect("a small number");
                    (first + offset).cast_unsigned()
                }
            };
            bytes.extend_from_slice(&bits.to_le_bytes()[..self.scalar.bytes()]);
        }
        let mut arguments = vec![Argument::Buffer(bytes)];
        arguments.extend(self.extents.iter().map(|&extent| Argument::Number(extent)));
        let strides = match outer {
            [] => vec![1],
            [_] => vec![row, 1],
            _ => unreachable!("the kernels take vectors and matrices"),
        };
        arguments.extend(strides.into_iter().map(Argument::Number));
        arguments
    }
}

/// One launch.
struct Case {
    kernel: &'static str,
    name: &'static str,
    grid: [u32; 3],
    arrays: Vec<Array>,
    /// The tolerance, relative to the largest of the two compared numbers and 1.
    tolerance: f64,
}

/// The distance from 1 to the next number. Results are rounded to the nearest number, and a sum in another
/// order may round to the other neighbour of a tie.
const BF16_ULP: f64 = 1.0 / 128.0;

fn vector_add(name: &'static str, length: u64) -> Case {
    let array = || Array::new(Scalar::F32, &[length], Values::Reals(1.0));
    Case {
        kernel: "vector_add",
        name,
        grid: [tiles(length, 1024), 1, 1],
        arrays: vec![array(), array(), array()],
        tolerance: 0.0,
    }
}

fn matmul(
    kernel: &'static str,
    name: &'static str,
    tile: [u64; 2],
    [m, n, k]: [u64; 3],
    gap: u64,
) -> Case {
    let array = |extents| Array::new(Scalar::BF16, extents, Values::Reals(0.5)).with_gap(gap);
    Case {
        kernel,
        name,
        grid: [tiles(m, tile[0]), tiles(n, tile[1]), 1],
        arrays: vec![array(&[m, k]), array(&[k, n]), array(&[m, n])],
        tolerance: BF16_ULP,
    }
}

/// Returns softmax of rows. Rows have the full number of columns, since the kernel leaves the values of
/// missing elements undefined.
fn softmax(name: &'static str, blocks: u32, gap: u64) -> Case {
    let array = || Array::new(Scalar::BF16, &[16, 4096], Values::Reals(4.0)).with_gap(gap);
    Case {
        kernel: "softmax_4096",
        name,
        grid: [blocks, 1, 1],
        arrays: vec![array(), array()],
        tolerance: BF16_ULP,
    }
}

/// Returns attention. As in [`softmax`], only the outer axis, that of the queries, may end within a tile.
fn attention(name: &'static str, queries: u64, keys: u64, gap: u64) -> Case {
    let array =
        |rows, scale| Array::new(Scalar::BF16, &[rows, 128], Values::Reals(scale)).with_gap(gap);
    Case {
        kernel: "attention_128x64x128",
        name,
        grid: [tiles(queries, 128), 1, 1],
        arrays: vec![
            array(queries, 0.125),
            array(keys, 1.0),
            array(keys, 1.0),
            array(queries, 1.0),
        ],
        // The weights are rounded to bf16 before the MMA too.
        tolerance: 2.0 * BF16_ULP,
    }
}

/// Returns a histogram. Keys outside the bins are not counted.
fn histogram(name: &'static str, keys: u64, bins: u64) -> Case {
    Case {
        kernel: "histogram",
        name,
        grid: [tiles(keys, 256), 1, 1],
        arrays: vec![
            Array::new(Scalar::I32, &[keys], Values::Integers(-16, 80)),
            Array::new(Scalar::I32, &[bins], Values::Integers(0, 9)),
        ],
        tolerance: 0.0,
    }
}

/// Returns the Collatz kernel: one number per block; blocks after the last number do nothing.
fn collatz(name: &'static str, numbers: u64, blocks: u32) -> Case {
    let array = |values| Array::new(Scalar::I32, &[numbers], values);
    Case {
        kernel: "collatz",
        name,
        grid: [blocks, 1, 1],
        arrays: vec![
            array(Values::Integers(-20, 5000)),
            array(Values::Integers(0, 9)),
        ],
        tolerance: 0.0,
    }
}

fn tiles(extent: u64, tile: u64) -> u32 {
    u32::try_from(extent.div_ceil(tile)).expect("a small grid")
}

fn cases() -> Vec<Case> {
    let square = |name, extents, gap| matmul("matmul_128x128x64", name, [128, 128], extents, gap);
    let wide = |name, extents, gap| matmul("matmul_128x256x64", name, [128, 256], extents, gap);
    let tall = |name, extents, gap| matmul("matmul_256x128x64", name, [256, 128], extents, gap);
    vec![
        vector_add("whole", 2048),
        vector_add("ragged", 3056),
        vector_add("short", 16),
        square("whole", [128, 128, 128], 0),
        square("ragged", [144, 48, 208], 16),
        square("short", [16, 16, 16], 0),
        wide("whole", [128, 256, 64], 0),
        wide("ragged", [112, 272, 80], 16),
        tall("whole", [256, 128, 64], 0),
        tall("ragged", [272, 112, 80], 16),
        softmax("whole", 2, 0),
        softmax("gaps", 1, 16),
        attention("whole", 128, 128, 0),
        attention("ragged", 80, 64, 16),
        histogram("whole", 512, 64),
        histogram("few_bins", 256, 16),
        collatz("whole", 16, 16),
        collatz("ragged", 32, 33),
    ]
}

fn file(kernel: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-core/tests/corpus");
    folder.join(format!("{kernel}.13.3.tilebc"))
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for arch in ARCHS {
        for case in cases() {
            let name = format!("corpus/{}_{}::{arch}", case.kernel, case.name);
            trials.push(trial(name, move || run(&case, arch)));
        }
    }
    trials
}

fn run(case: &Case, arch: Arch) -> Result<(), String> {
    let bytes = fs::read(file(case.kernel)).map_err(|error| error.to_string())?;
    let module = bytecode::read(&bytes).map_err(|error| error.to_string())?;
    let mut random = Random::new(7);
    let args = case.arrays.iter();
    let runnable = Runnable {
        module,
        grid: case.grid,
        args: args
            .flat_map(|array| array.arguments(&mut random))
            .collect(),
    };
    let artifact = compile(&runnable.module, arch, None)?;
    let expected = Expected::new(&runnable, case.tolerance);
    let conflicts = expected.check(&artifact, &runnable)?;
    let has_mma = ["matmul", "attention"]
        .iter()
        .any(|name| case.kernel.starts_with(name));
    if has_mma && conflicts > 0 {
        return Err(format!("{conflicts} bank conflicts"));
    }
    if case.name == "whole" && (has_mma || ["vector_add", "softmax_4096"].contains(&case.kernel)) {
        let actual = simulate(&artifact, &parsed(&artifact), &runnable, 0);
        let stores = actual.counters.ok_or("it did not end")?.global.stores;
        if stores.bytes != stores.requests * WARP_BYTES || stores.bytes != stores.sectors * SECTOR {
            return Err(format!("stores of fewer than 16 bytes: {stores:?}"));
        }
    }
    Ok(())
}
