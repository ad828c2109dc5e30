//! Times four kernels on the CPU device, on request: one half of `cargo xtask bench cpu`.
//!
//! With `--serve`, the program answers each line of standard input with one line on standard
//! output. The other half is `xtask/src/bench/cpu.py`, which answers the same lines and computes
//! the same results from the same inputs with `NumPy`.
//!
//! | line | answer |
//! |---|---|
//! | `time NAME SECONDS` | the duration of every run within this time, in seconds; at least three runs |
//! | `result NAME PATH` | `ok`; the result is in the file, little-endian `f32` |
//! | `version` | the name and the version |
//!
//! Without `--serve`, the program runs each kernel three times and prints the durations.

#![expect(clippy::print_stdout, reason = "the answers")]
#![expect(clippy::cast_precision_loss, reason = "the numbers have 24 bits")]

use std::fmt::Write as _;
use std::io::BufRead as _;
use std::time::Instant;

use tile_kernel::Result;
use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([8192]), arch("cpu"))]
fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    c.store([i], a.load([i], [8192]) + b.load([i], [8192]));
}

/// A matmul of `f32`, a type that the tensor cores of GPUs do not multiply.
#[tile_kernel(grid = c.tiles([512, 256]), arch("cpu"))]
fn matmul(a: &Tensor<f32, 2>, b: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([512, 256]);
    let b = b.partition([256, 256]);
    let mut acc = zeros::<f32>([512, 256]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

/// A softmax of rows with at most `COLS` columns, `ROWS` rows per block.
#[tile_kernel(
    grid = x.shape()[0].div_ceil(ROWS),
    instances((ROWS = 4, COLS = 4096)),
    arch("cpu")
)]
fn softmax<const ROWS: usize, const COLS: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let row = block_id(0);
    let x = x.load_padded([row, 0], [ROWS, COLS], Padding::NegInf);
    let terms = (x - x.reduce_max(1).unsqueeze(1)).exp();
    y.store([row, 0], terms / terms.sum(1).unsqueeze(1));
}

/// Attention: each block processes `BQ` queries of one head and iterates over all keys, `BK` at a
/// time. The partial sums are rescaled when the running maximum rises.
#[tile_kernel(
    grid = [q.shape()[1].div_ceil(BQ), q.shape()[0]],
    instances((BQ = 128, BK = 256)),
    arch("cpu")
)]
fn attention<const BQ: usize, const BK: usize>(
    q: &Tensor<f32, 3>,
    k: &Tensor<f32, 3>,
    v: &Tensor<f32, 3>,
    out: &mut Tensor<f32, 3>,
    scale: f32,
) {
    let (block, head) = (block_id(0), block_id(1));
    let query = q.load([head, block, 0], [1, BQ, 64]).reshape([BQ, 64]) * scale;
    let keys = k.partition([1, BK, 64]);
    let values = v.partition([1, BK, 64]);
    let mut acc = zeros::<f32>([BQ, 64]);
    let mut max = full([BQ], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BQ]);
    for tile in 0..keys.num_tiles(1) {
        let key = keys.load([head, tile, 0]).reshape([BK, 64]);
        let scores = mma(query, key.t(), zeros([BQ, BK]));
        let higher = max.max(scores.reduce_max(1));
        let terms = (scores - higher.unsqueeze(1)).exp();
        let shrink = (max - higher).exp();
        sum = sum * shrink + terms.sum(1);
        let value = values.load([head, tile, 0]).reshape([BK, 64]);
        acc = mma(terms, value, acc * shrink.unsqueeze(1));
        max = higher;
    }
    let result = acc / sum.unsqueeze(1);
    out.store([head, block, 0], result.reshape([1, BQ, 64]));
}

/// Returns element `index` of input `seed`, in the range `-0.5..0.5`. `cpu.py` computes the same
/// inputs.
fn element(seed: u32, index: u32) -> f32 {
    let mut bits = index.wrapping_add(seed.wrapping_mul(0x0100_0193));
    bits = bits.wrapping_mul(0x9e37_79b1);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    bits ^= bits >> 13;
    (bits >> 8) as f32 / (1 << 24) as f32 - 0.5
}

fn input<const RANK: usize>(seed: u32, shape: [usize; RANK]) -> Result<Tensor<f32, RANK>> {
    let count = u32::try_from(shape.iter().product::<usize>()).expect("inputs are small");
    let elements: Vec<f32> = (0..count).map(|index| element(seed, index)).collect();
    Tensor::from_slice(&Device::cpu(), &elements, shape)
}

/// A kernel with its inputs.
struct Case {
    run: Box<dyn FnMut() -> Result<()>>,
    result: Box<dyn Fn() -> Result<Vec<f32>>>,
}

impl Case {
    /// Makes a case whose `launch` stores its result into `out`.
    fn new<const RANK: usize>(
        shape: [usize; RANK],
        mut launch: impl FnMut(&mut Tensor<f32, RANK>) -> Result<()> + 'static,
    ) -> Result<Self> {
        let mut out = Tensor::zeros(&Device::cpu(), shape)?;
        // The view shares the memory of `out`, so that the result can be read after a launch.
        let view = out.narrow(0, 0..shape[0])?;
        Ok(Self {
            run: Box::new(move || launch(&mut out)),
            result: Box::new(move || view.to_vec()),
        })
    }

    fn named(name: &str) -> Result<Option<Self>> {
        Ok(Some(match name {
            "matmul" => {
                let (a, b) = (input(1, [1024, 1024])?, input(2, [1024, 1024])?);
                Self::new([1024, 1024], move |c| matmul(&a, &b, c).launch())?
            }
            "softmax" => {
                let x = input(1, [4096, 4096])?;
                Self::new([4096, 4096], move |y| softmax::<4, 4096>(&x, y).launch())?
            }
            "vector_add" => {
                let (a, b) = (input(1, [1 << 24])?, input(2, [1 << 24])?);
                Self::new([1 << 24], move |c| vector_add(&a, &b, c).launch())?
            }
            "attention" => {
                let shape = [16, 1024, 64];
                let (q, k, v) = (input(1, shape)?, input(2, shape)?, input(3, shape)?);
                Self::new(shape, move |out| {
                    attention::<128, 256>(&q, &k, &v, out, 0.125).launch()
                })?
            }
            _ => return Ok(None),
        }))
    }

    /// Runs the kernel repeatedly for `seconds`, at least three times, and returns the duration of
    /// each run.
    fn time(&mut self, seconds: f64) -> Result<Vec<f64>> {
        let start = Instant::now();
        let mut runs = Vec::new();
        while runs.len() < 3 || start.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            (self.run)()?;
            runs.push(start.elapsed().as_secs_f64());
        }
        Ok(runs)
    }
}

/// The cases that were requested so far.
#[derive(Default)]
struct Cases(Vec<(String, Case)>);

impl Cases {
    fn case(&mut self, name: &str) -> std::result::Result<&mut Case, String> {
        let position = self.0.iter().position(|(case, _)| case == name);
        let index = if let Some(index) = position {
            index
        } else {
            let case = Case::named(name).map_err(|error| error.to_string())?;
            let case = case.ok_or_else(|| format!("no kernel is called `{name}`"))?;
            self.0.push((name.to_owned(), case));
            self.0.len() - 1
        };
        Ok(&mut self.0[index].1)
    }

    fn answer(&mut self, line: &str) -> std::result::Result<String, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["version"] => Ok(format!("tile-kernel {}", env!("CARGO_PKG_VERSION"))),
            ["time", name, seconds] => {
                let seconds = seconds.parse().map_err(|_| "no number".to_owned())?;
                let runs = self.case(name)?.time(seconds);
                let runs = runs.map_err(|error| error.to_string())?;
                let mut answer = String::new();
                for run in runs {
                    let _ = write!(answer, "{run:.9} ");
                }
                Ok(answer.trim_end().to_owned())
            }
            ["result", name, path] => {
                let case = self.case(name)?;
                (case.run)().map_err(|error| error.to_string())?;
                let result = (case.result)().map_err(|error| error.to_string())?;
                let bytes: Vec<u8> = result.into_iter().flat_map(f32::to_le_bytes).collect();
                std::fs::write(path, bytes).map_err(|error| error.to_string())?;
                Ok("ok".to_owned())
            }
            _ => Err(format!("`{line}` is no command")),
        }
    }
}

fn main() -> std::result::Result<(), String> {
    let mut cases = Cases::default();
    if std::env::args().all(|argument| argument != "--serve") {
        for name in ["matmul", "softmax", "vector_add", "attention"] {
            println!("{name}: {}", cases.answer(&format!("time {name} 0"))?);
        }
        return Ok(());
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        println!("{}", cases.answer(&line)?);
    }
    Ok(())
}
