//! Compares the results of three kernels with the same computations in `f64`, on the CPU device
//! and on a GPU if there is one.
//!
//! Sizes are ragged: no tile divides them. Inputs are random with a fixed seed, and are rounded to the
//! element type first, so that only the kernel's own rounding causes errors. In the tolerances, `eps` is the
//! distance from 1 to the next number:
//!
//! | kernel | tolerance | reason |
//! |---|---|---|
//! | `vector_add` | `eps(T)/2 · |exact|` | one addition, rounded once |
//! | `softmax` | `(2^-19 + eps(T)/2) · exact + tiny` | `exp`, a sum and a division in `f32`, rounded to `T` at the end |
//! | `matmul` | `K · eps(f32) · Σ|a·b|` | exact products, summed in `f32` in any order |
//! | `matmul_tf32` | that of `matmul` plus `2^-10 · Σ|a·b|` | both operands are rounded to 11 bits |

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::many_single_char_names,
    clippy::print_stdout,
    reason = "values are small, matrices have the letters of the mathematics, and skipped tests say why"
)]

#[path = "sim_driver/mod.rs"]
mod sim_driver;

use std::process::ExitCode;

use fastrand::Rng;
use libtest_mimic::{Arguments, Failed, Trial};
use tile_kernel::prelude::*;

/// Adds elementwise, in any element type.
#[tile_kernel(grid = c.tiles([256]), types(T = f16 | bf16 | f32 | f64 | i32 | u8))]
fn vector_add<T: Element>(a: &Tensor<T, 1>, b: &Tensor<T, 1>, c: &mut Tensor<T, 1>) {
    let i = block_id(0);
    c.store([i], a.load([i], [256]) + b.load([i], [256]));
}

/// Computes row-wise softmax in two passes: one for the maximum and the sum, and one for the result.
#[tile_kernel(grid = x.shape()[0].div_ceil(4), types(T = f16 | bf16 | f32))]
fn softmax<T: Element>(x: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
    let row = block_id(0);
    let x = x.partition([4, 256]).with_padding(Padding::NegInf);
    let mut max = full([4], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([4]);
    for column in 0..x.num_tiles(1) {
        let tile = x.load([row, column]).cast::<f32>();
        let higher = max.max(tile.reduce_max(1));
        sum = sum * (max - higher).exp() + (tile - higher.unsqueeze(1)).exp().sum(1);
        max = higher;
    }
    for column in 0..x.num_tiles(1) {
        let tile = x.load([row, column]).cast::<f32>();
        let result = (tile - max.unsqueeze(1)).exp() / sum.unsqueeze(1);
        y.store([row, column], result.cast::<T>());
    }
}

/// Computes a matmul on tensor cores with 16-bit operands.
#[tile_kernel(
    grid = c.tiles([BM, BN]),
    types(T = f16 | bf16),
    instances((BM = 64, BN = 64, BK = 32), (BM = 32, BN = 16, BK = 16))
)]
fn matmul<T: Element, const BM: usize, const BN: usize, const BK: usize>(
    a: &Tensor<T, 2>,
    b: &Tensor<T, 2>,
    c: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([BM, BK]);
    let b = b.partition([BK, BN]);
    let mut acc = zeros::<f32>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

/// Computes a matmul on tensor cores with `f32` operands, whose low bits the tensor cores ignore.
#[tile_kernel(grid = c.tiles([64, 32]))]
fn matmul_tf32(a: &Tensor<f32, 2>, b: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([64, 32]);
    let b = b.partition([32, 32]);
    let mut acc = zeros::<f32>([64, 32]);
    for k in 0..a.num_tiles(1) {
        let a = a.load([m, k]).cast::<tf32>();
        let b = b.load([k, n]).cast::<tf32>();
        acc = mma(a, b, acc);
    }
    c.store([m, n], acc);
}

/// An element type whose values an `f64` represents exactly.
trait Number: Element {
    const NAME: &str;
    /// The distance from 1 to the next number; 0 for integers, which are exact here.
    const EPS: f64;
    fn round(value: f64) -> Self;
    fn exact(self) -> f64;
}

macro_rules! numbers {
    ($($T:ident: $eps:expr, $round:expr, $exact:expr;)+) => {$(
        impl Number for $T {
            const NAME: &str = stringify!($T);
            const EPS: f64 = $eps;
            fn round(value: f64) -> Self {
                $round(value)
            }
            fn exact(self) -> f64 {
                $exact(self)
            }
        }
    )+};
}

numbers! {
    f16: 1.0 / 1024.0, f16::from_f64, f16::to_f64;
    bf16: 1.0 / 128.0, bf16::from_f64, bf16::to_f64;
    f32: 1.0 / 8_388_608.0, |value| value as f32, f64::from;
    f64: f64::EPSILON, |value| value, |value| value;
    i32: 0.0, |value| value as i32, f64::from;
    u8: 0.0, |value: f64| value.abs() as u8, f64::from;
}

/// Returns random numbers from `-scale` to `scale`.
fn random<T: Number>(rng: &mut Rng, len: usize, scale: f64) -> Vec<T> {
    (0..len)
        .map(|_| T::round((rng.f64() * 2.0 - 1.0) * scale))
        .collect()
}

fn close(actual: f64, exact: f64, tolerance: f64, place: &str) -> Result<(), Failed> {
    // This comparison is false for a NaN, which therefore fails.
    if (actual - exact).abs() <= tolerance {
        return Ok(());
    }
    let message = format!("{place}: found {actual}, exact is {exact}, tolerance {tolerance:.1e}");
    Err(message.into())
}

type Add<T> = fn(&Tensor<T, 1>, &Tensor<T, 1>, &mut Tensor<T, 1>) -> tile_kernel::Result<()>;

fn test_add<T: Number>(device: Device, len: usize, add: Add<T>) -> Result<(), Failed> {
    let mut rng = Rng::with_seed(len as u64);
    let a: Vec<T> = random(&mut rng, len, 100.0);
    let b: Vec<T> = random(&mut rng, len, 100.0);
    let mut c = Tensor::zeros(&device, [len])?;
    add(
        &Tensor::from_slice(&device, &a, [len])?,
        &Tensor::from_slice(&device, &b, [len])?,
        &mut c,
    )?;
    for (i, c) in c.to_vec()?.into_iter().enumerate() {
        let exact = a[i].exact() + b[i].exact();
        close(
            c.exact(),
            exact,
            T::EPS / 2.0 * exact.abs(),
            &format!("[{i}]"),
        )?;
    }
    Ok(())
}

type Softmax<T> = fn(&Tensor<T, 2>, &mut Tensor<T, 2>) -> tile_kernel::Result<()>;

fn test_softmax<T: Number>(
    device: Device,
    [rows, columns]: [usize; 2],
    softmax: Softmax<T>,
) -> Result<(), Failed> {
    let mut rng = Rng::with_seed(columns as u64);
    let x: Vec<T> = random(&mut rng, rows * columns, 5.0);
    let mut y = Tensor::zeros(&device, [rows, columns])?;
    softmax(&Tensor::from_slice(&device, &x, [rows, columns])?, &mut y)?;
    let y = y.to_vec()?;
    for (i, (x, y)) in x.chunks(columns).zip(y.chunks(columns)).enumerate() {
        let max = x
            .iter()
            .map(|x| x.exact())
            .fold(f64::NEG_INFINITY, f64::max);
        let terms: Vec<f64> = x.iter().map(|x| (x.exact() - max).exp()).collect();
        let sum: f64 = terms.iter().sum();
        for (j, (term, y)) in terms.iter().zip(y).enumerate() {
            let exact = term / sum;
            // Half the distance between subnormal numbers of `f16`, which is 2^-24.
            let tiny = 0.5_f64.powi(25);
            let tolerance = (0.5_f64.powi(19) + T::EPS / 2.0) * exact + tiny;
            close(y.exact(), exact, tolerance, &format!("[{i}, {j}]"))?;
        }
    }
    Ok(())
}

/// The memory layout of matmul operands.
#[derive(Clone, Copy, Debug)]
enum Memory {
    /// Row-major.
    Contiguous,
    /// The second operand is a transposed view.
    Transposed,
    /// Both are views into wider matrices, starting at an odd column.
    Narrowed,
}

/// Returns a matrix on the device with the row-major elements `host`, in this memory layout.
fn matrix<T: Number>(
    device: Device,
    host: &[T],
    [rows, columns]: [usize; 2],
    memory: Memory,
) -> tile_kernel::Result<Tensor<T, 2>> {
    match memory {
        Memory::Contiguous => Tensor::from_slice(&device, host, [rows, columns]),
        Memory::Transposed => {
            let turned: Vec<T> = (0..columns)
                .flat_map(|j| host.iter().skip(j).step_by(columns).copied())
                .collect();
            Ok(Tensor::from_slice(&device, &turned, [columns, rows])?.t())
        }
        Memory::Narrowed => {
            // Elements outside the view must not be read.
            let poison = T::round(f64::NAN);
            let wide: Vec<T> = host
                .chunks(columns)
                .flat_map(|row| [&[poison; 3], row, &[poison; 2]].concat())
                .collect();
            Tensor::from_slice(&device, &wide, [rows, columns + 5])?.narrow(1, 3..columns + 3)
        }
    }
}

type Multiply<T> = fn(&Tensor<T, 2>, &Tensor<T, 2>, &mut Tensor<f32, 2>) -> tile_kernel::Result<()>;

fn test_matmul<T: Number>(
    device: Device,
    [m, n, k]: [usize; 3],
    memory: Memory,
    rounding: f64,
    multiply: Multiply<T>,
) -> Result<(), Failed> {
    let mut rng = Rng::with_seed((m * n * k) as u64);
    let a: Vec<T> = random(&mut rng, m * k, 1.0);
    let b: Vec<T> = random(&mut rng, k * n, 1.0);
    let of_a = match memory {
        Memory::Transposed => Memory::Contiguous,
        other => other,
    };
    let mut c = Tensor::full(&device, [m, n], f32::NAN)?;
    multiply(
        &matrix(device, &a, [m, k], of_a)?,
        &matrix(device, &b, [k, n], memory)?,
        &mut c,
    )?;
    let c = c.to_vec()?;
    for i in 0..m {
        for j in 0..n {
            let products = (0..k).map(|p| a[i * k + p].exact() * b[p * n + j].exact());
            let exact: f64 = products.clone().sum();
            let size: f64 = products.map(f64::abs).sum();
            let tolerance = (k as f64 * f32::EPS + rounding) * size;
            close(
                f64::from(c[i * n + j]),
                exact,
                tolerance,
                &format!("[{i}, {j}]"),
            )?;
        }
    }
    Ok(())
}

type Test = Box<dyn Fn(Device) -> Result<(), Failed> + Send + Sync>;

fn sums<T: Number>(tests: &mut Vec<(String, Test)>, add: Add<T>) {
    for len in [1, 31, 1000, 4097] {
        let name = format!("vector_add of {len} {}", T::NAME);
        tests.push((name, Box::new(move |device| test_add(device, len, add))));
    }
}

fn softmaxes<T: Number>(tests: &mut Vec<(String, Test)>, softmax: Softmax<T>) {
    for shape @ [rows, columns] in [[1, 1], [3, 31], [100, 70], [5, 1000], [2, 4097]] {
        let name = format!("softmax of {rows}x{columns} {}", T::NAME);
        let test = move |device| test_softmax(device, shape, softmax);
        tests.push((name, Box::new(test)));
    }
}

fn matmul_cases<T: Number>(
    tests: &mut Vec<(String, Test)>,
    kernel: &str,
    rounding: f64,
    multiply: Multiply<T>,
) {
    let contiguous = [[1, 1, 1], [31, 31, 31], [100, 33, 70], [65, 1000, 17]];
    let contiguous = contiguous.map(|shape| (shape, Memory::Contiguous));
    let views = [Memory::Transposed, Memory::Narrowed].map(|memory| ([100, 33, 70], memory));
    for (shape, memory) in contiguous.into_iter().chain(views) {
        let [m, n, k] = shape;
        let name = format!("{kernel} of {m}x{k} and {k}x{n} {} {memory:?}", T::NAME);
        let test = move |device| test_matmul(device, shape, memory, rounding, multiply);
        tests.push((name, Box::new(test)));
    }
}

fn tests() -> Vec<(String, Test)> {
    let mut tests = Vec::new();
    sums::<f16>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    sums::<bf16>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    sums::<f32>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    sums::<f64>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    sums::<i32>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    sums::<u8>(&mut tests, |a, b, c| vector_add(a, b, c).launch());
    softmaxes::<f16>(&mut tests, |x, y| softmax(x, y).launch());
    softmaxes::<bf16>(&mut tests, |x, y| softmax(x, y).launch());
    softmaxes::<f32>(&mut tests, |x, y| softmax(x, y).launch());
    matmul_cases::<f16>(&mut tests, "matmul", 0.0, |a, b, c| {
        matmul::<_, 64, 64, 32>(a, b, c).launch()
    });
    matmul_cases::<bf16>(&mut tests, "matmul", 0.0, |a, b, c| {
        matmul::<_, 64, 64, 32>(a, b, c).launch()
    });
    matmul_cases::<bf16>(&mut tests, "matmul in small tiles", 0.0, |a, b, c| {
        matmul::<_, 32, 16, 16>(a, b, c).launch()
    });
    matmul_cases::<f32>(&mut tests, "matmul_tf32", 1.0 / 1024.0, |a, b, c| {
        matmul_tf32(a, b, c).launch()
    });
    tests
}

pub(crate) fn main() -> ExitCode {
    if let Some(code) = sim_driver::run_again() {
        return code;
    }
    let arguments = Arguments::from_args();
    let cuda = Device::cuda(0);
    if let Err(error) = &cuda {
        println!("the tests on `cuda` are ignored: {error}");
    }
    let on_cpu = tests()
        .into_iter()
        .map(|(name, test)| Trial::test(name, move || test(Device::cpu())).with_kind("cpu"));
    let on_cuda = tests().into_iter().map(|(name, test)| {
        let cuda = cuda.clone();
        Trial::test(name, move || test(cuda?))
            .with_kind("cuda")
            .with_ignored_flag(Device::cuda(0).is_err())
    });
    let trials = on_cpu.chain(on_cuda).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
