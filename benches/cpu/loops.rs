//! Scalar loops with early exits, as kernels and in plain Rust.

use std::cell::RefCell;
use std::rc::Rc;

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, integers, output, tensor};
use crate::threads;

/// The steps after which a loop gives up.
const LIMIT: i32 = 200;

/// Counts the steps from each number to 1, where a step halves an even number and maps an odd `n` to `3 * n + 1`. The result is
/// -1 if 1 is not reached in `limit` steps. Each block processes 256 numbers.
#[tile_kernel(grid = steps.shape()[0].div_ceil(256), arch("cpu"))]
fn collatz(starts: &Tensor<i64, 1>, steps: &mut Tensor<i32, 1>, limit: i32) {
    for j in 0..256 {
        let i = block_id(0) * 256 + j;
        if i >= starts.dim(0) {
            break;
        }
        let mut n = starts.at([i]);
        let mut count = 0;
        let result = loop {
            if n == 1 {
                break count;
            }
            if count == limit {
                break -1;
            }
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            count += 1;
        };
        steps.store([i], full([1], result));
    }
}

fn collatz_by_hand(start: i64) -> i32 {
    let (mut n, mut count) = (start, 0);
    loop {
        if n == 1 {
            break count;
        }
        if count == LIMIT {
            break -1;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
}

/// Counts the steps until a point of the plane leaves the circle of radius 2. Each block processes a row.
#[tile_kernel(grid = picture.shape()[0], arch("cpu"))]
fn mandelbrot(picture: &mut Tensor<i32, 2>, limit: i32) {
    let row = block_id(0);
    let (height, width) = (picture.dim(0) as f32, picture.dim(1) as f32);
    let cy = row as f32 / height * 2.5 - 1.25;
    for column in 0..picture.dim(1) {
        let cx = column as f32 / width * 3.0 - 2.25;
        let (mut x, mut y) = (0.0, 0.0);
        let mut count = 0;
        while count < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            count += 1;
        }
        picture.store([row, column], full([1, 1], count));
    }
}

fn mandelbrot_by_hand(row: usize, column: usize, shape: [usize; 2]) -> i32 {
    let cy = row as f32 / shape[0] as f32 * 2.5 - 1.25;
    let cx = column as f32 / shape[1] as f32 * 3.0 - 2.25;
    let (mut x, mut y) = (0.0_f32, 0.0_f32);
    let mut count = 0;
    while count < LIMIT && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        count += 1;
    }
    count
}

/// The numbers from which sequences start: up to a million.
fn starts(n: usize) -> Vec<i64> {
    let numbers = integers(1, n, 1_000_000).into_iter();
    numbers.map(|x| i64::from(x) + 1).collect()
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("collatz", &[n]) => {
            let starts = tensor(&starts(n), [n])?;
            let (mut steps, read) = output([n])?;
            Case::new(move || collatz(&starts, &mut steps, LIMIT).launch()).with(read)
        }
        ("mandelbrot", &[rows, columns]) => {
            let (mut picture, read) = output([rows, columns])?;
            Case::new(move || mandelbrot(&mut picture, LIMIT).launch()).with(read)
        }
        _ => return Ok(None),
    }))
}

/// The kernels that are written by hand too.
pub(crate) const BY_HAND: [&str; 2] = ["collatz", "mandelbrot"];

/// Returns the case in plain Rust.
pub(crate) fn case_by_hand(kernel: &str, sizes: &[usize]) -> Option<Case> {
    match (kernel, sizes) {
        ("collatz", &[n]) => {
            let starts = starts(n);
            Some(in_rows(256, n, move |row, out| {
                for (start, out) in starts[row * 256..].iter().zip(out) {
                    *out = collatz_by_hand(*start);
                }
            }))
        }
        ("mandelbrot", &[rows, columns]) => {
            Some(in_rows(columns, rows * columns, move |row, out| {
                for (column, out) in out.iter_mut().enumerate() {
                    *out = mandelbrot_by_hand(row, column, [rows, columns]);
                }
            }))
        }
        _ => None,
    }
}

/// Returns a case that fills each row of `columns` numbers of a result by calling `fill`, on all threads.
fn in_rows(columns: usize, len: usize, fill: impl Fn(usize, &mut [i32]) + Sync + 'static) -> Case {
    let out = Rc::new(RefCell::new(vec![0; len]));
    let shown = out.clone();
    let pool = threads::pool();
    let run = move || {
        let mut out = out.borrow_mut();
        let rows = out.chunks_mut(columns).enumerate();
        threads::for_each(&pool, rows, |(row, out)| fill(row, out));
        Ok(())
    };
    Case::new(run).with(move || Ok(shown.borrow().iter().map(|&x| f64::from(x)).collect()))
}
