//! A convolution, a Fourier transform, a sparse matrix with a vector.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, elements, floats, integers, output, tensor, tune};

/// A convolution of 3 by 3 with zeros beyond the edge: pictures `[picture, row, column, channel]`, weights `[3, 3, channel,
/// channel]`. Each block computes `COLUMNS` points of `ROWS` rows, for 64 channels.
#[tile_kernel(
    grid = [
        y.shape()[0],
        y.shape()[1].div_ceil(ROWS),
        y.shape()[2].div_ceil(COLUMNS) * y.shape()[3].div_ceil(CHANNELS),
    ],
    instances(
        (ROWS = 4, COLUMNS = 32, CHANNELS = 64),
        (ROWS = 8, COLUMNS = 32, CHANNELS = 64),
        (ROWS = 16, COLUMNS = 32, CHANNELS = 64),
        (ROWS = 16, COLUMNS = 32, CHANNELS = 128),
    ),
    tune(ROWS, COLUMNS, CHANNELS),
    arch("cpu"),
)]
fn convolution<const ROWS: usize, const COLUMNS: usize, const CHANNELS: usize>(
    x: &Tensor<f32, 4>,
    weights: &Tensor<f32, 4>,
    y: &mut Tensor<f32, 4>,
) {
    // The grid has three axes, so the last has the tiles of columns and channels.
    let (picture, row) = (block_id(0), block_id(1));
    let tiles = y.partition([1, ROWS, COLUMNS, CHANNELS]);
    let (columns, channels) = (tiles.num_tiles(2), tiles.num_tiles(3));
    let (column, channel) = (block_id(2) % columns, block_id(2) / columns);
    let mut acc = zeros::<f32>([ROWS * COLUMNS, CHANNELS]);
    for dy in 0..3 {
        for dx in 0..3 {
            for from in 0..channels {
                let (top, left) = (row * ROWS as i32 + dy - 1, column * COLUMNS as i32 + dx - 1);
                let points = x.load_at(
                    [picture, top, left, from * CHANNELS as i32],
                    [1, ROWS, COLUMNS, CHANNELS],
                );
                let points = points.reshape([ROWS * COLUMNS, CHANNELS]);
                let weight = weights.load([dy, dx, from, channel], [1, 1, CHANNELS, CHANNELS]);
                acc = mma(points, weight.reshape([CHANNELS, CHANNELS]), acc);
            }
        }
    }
    y.store(
        [picture, row, column, channel],
        acc.reshape([1, ROWS, COLUMNS, CHANNELS]),
    );
}

/// Combines neighbours of four rows, `a` and `b`, to `a + b * factor` and `a - b * factor` in the first and the second half of the row.
#[tile_fn]
fn butterflies<const H: usize>(
    x: Tile<f32, { [4, H, 2] }>,
    y: Tile<f32, { [4, H, 2] }>,
    cos: Tile<f32, { [1, H] }>,
    sin: Tile<f32, { [1, H] }>,
) -> (Tile<f32, { [4, H, 2] }>, Tile<f32, { [4, H, 2] }>) {
    let a = x.extract([0, 0, 0], [4, H, 1]).reshape([4, H]);
    let b = x.extract([0, 0, 1], [4, H, 1]).reshape([4, H]);
    let d = y.extract([0, 0, 0], [4, H, 1]).reshape([4, H]);
    let e = y.extract([0, 0, 1], [4, H, 1]).reshape([4, H]);
    let (u, v) = (b * cos - e * sin, b * sin + e * cos);
    (
        cat(a + u, a - u, 1).reshape([4, H, 2]),
        cat(d + v, d - v, 1).reshape([4, H, 2]),
    )
}

/// Puts the numbers of four rows into bit-reversed order. A row is a square, with a power of two on each side, and a side is a cube
/// whose edges are two, or one at those of length `D` and `E`: the sides change places, and the axes of each cube are reversed.
#[tile_fn]
fn bits_reversed<const N: usize, const D: usize, const E: usize>(
    x: Tile<f32, { [4, N] }>,
) -> Tile<f32, { [4, N] }> {
    x.reshape([4, 2, 2, 2, D, E, 8 * D * E])
        .permute([0, 6, 5, 4, 3, 2, 1])
        .reshape([4, 2, 2, 2, D, E, 8 * D * E])
        .permute([0, 5, 4, 3, 2, 1, 6])
        .reshape([4, N])
}

/// Computes the discrete Fourier transform of each row of `N = 2^LOG` complex numbers, with the constant geometry of Pease
/// (1968). The numbers are put into bit-reversed order, and each stage combines neighbours to two halves. Row `stage` of `cos` and
/// `sin` has the factors of that stage; the first stage needs the last row. Each block transforms four rows.
#[tile_kernel(
    grid = re.shape()[0].div_ceil(4),
    instances(
        (N = 64, LOG = 6, D = 1, E = 1),
        (N = 256, LOG = 8, D = 2, E = 1),
        (N = 1024, LOG = 10, D = 2, E = 2),
    ),
    arch("cpu")
)]
fn fft<const N: usize, const LOG: i32, const D: usize, const E: usize>(
    re: &Tensor<f32, 2>,
    im: &Tensor<f32, 2>,
    cos: &Tensor<f32, 2>,
    sin: &Tensor<f32, 2>,
    re_out: &mut Tensor<f32, 2>,
    im_out: &mut Tensor<f32, 2>,
) {
    let rows = block_id(0);
    let mut x = bits_reversed::<N, D, E>(re.load([rows, 0], [4, N])).reshape([4, N / 2, 2]);
    let mut y = bits_reversed::<N, D, E>(im.load([rows, 0], [4, N])).reshape([4, N / 2, 2]);
    // Two stages at a time: each reads what the other one has written.
    for pair in 0..LOG / 2 {
        let last = LOG - 1 - 2 * pair;
        let c = cos.load([last, 0], [1, N / 2]);
        let s = sin.load([last, 0], [1, N / 2]);
        let (u, v) = butterflies(x, y, c, s);
        let c = cos.load([last - 1, 0], [1, N / 2]);
        let s = sin.load([last - 1, 0], [1, N / 2]);
        (x, y) = butterflies(u, v, c, s);
    }
    re_out.store([rows, 0], x.reshape([4, N]));
    im_out.store([rows, 0], y.reshape([4, N]));
}

/// Computes `y = a · x` for a sparse matrix `a`: row `i` has the numbers `starts[i]..starts[i + 1]` of `values`, whose columns
/// are in `columns`. Each block computes 32 rows, `N` numbers at a time, of which those at the end of a row are masked: all of the row,
/// or only these.
#[tile_kernel(
    grid = y.shape()[0].div_ceil(32),
    instances(N = [8, 16], MASKED = [false, true]),
    tune(N, MASKED),
    arch("cpu"),
)]
fn sparse_product<const N: usize, const MASKED: bool>(
    starts: &Tensor<i32, 1>,
    columns: &Tensor<i32, 1>,
    values: &Tensor<f32, 1>,
    x: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 1>,
) {
    let top = block_id(0) * 32;
    let mut start = starts.at([top]);
    for row in top..(top + 32).min(y.dim(0)) {
        let end = starts.at([row + 1]);
        let mut sum = zeros([N]);
        let mut first = start;
        if !MASKED {
            while first + N as i32 <= end {
                let terms = x.gather([columns.load_at([first], [N])]);
                sum = terms.mul_add(values.load_at([first], [N]), sum);
                first += N as i32;
            }
        }
        for first in (first..end).step_by(N) {
            let exists = first + iota(N) < end;
            let column = select(exists, columns.load_at([first], [N]), -1);
            let value = select(exists, values.load_at([first], [N]), 0.0);
            sum = x.gather([column]).mul_add(value, sum);
        }
        y.store([row], full([1], sum.sum(0)));
        start = end;
    }
}

/// Returns the factors of all stages for rows of `n` numbers: cosines and sines.
fn factors(n: usize) -> (Vec<f32>, Vec<f32>) {
    let log = n.ilog2();
    let angles = (0..log).flat_map(|stage| {
        let step = -std::f64::consts::TAU / n as f64;
        (0..n / 2).map(move |t| (t >> stage << stage) as f64 * step)
    });
    angles
        .map(|angle| (angle.cos() as f32, angle.sin() as f32))
        .unzip()
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("convolution", &[pictures, side, channels]) => {
            let x = floats(1, [pictures, side, side, channels])?;
            let weights = floats(2, [3, 3, channels, channels])?;
            let (mut y, read) = output([pictures, side, side, channels])?;
            tune(&convolution_tuned(&x, &weights, &mut y))?;
            Case::new(move || convolution_tuned(&x, &weights, &mut y).launch()).with(read)
        }
        ("fft", &[rows, n]) => {
            let (re, im) = (floats(1, [rows, n])?, floats(2, [rows, n])?);
            let (cos, sin) = factors(n);
            let stages = n.ilog2() as usize;
            let (cos, sin) = (
                tensor(&cos, [stages, n / 2])?,
                tensor(&sin, [stages, n / 2])?,
            );
            let (mut x, read) = output([rows, n])?;
            let (mut y, read_y) = output([rows, n])?;
            Case::new(move || match n {
                64 => fft::<64, 6, 1, 1>(&re, &im, &cos, &sin, &mut x, &mut y).launch(),
                256 => fft::<256, 8, 2, 1>(&re, &im, &cos, &sin, &mut x, &mut y).launch(),
                1024 => fft::<1024, 10, 2, 2>(&re, &im, &cos, &sin, &mut x, &mut y).launch(),
                other => panic!("no instance has {other} columns"),
            })
            .with(read)
            .with(read_y)
        }
        ("sparse_product", &[rows]) => {
            let mut starts = vec![0];
            for len in integers(1, rows, 65) {
                starts.push(starts[starts.len() - 1] + len);
            }
            let count = starts[rows] as usize;
            let end = i32::try_from(rows).expect("few rows");
            let columns = tensor(&integers(2, count, end), [count])?;
            let values: Vec<f32> = elements(3, count).collect();
            let (values, x) = (tensor(&values, [count])?, floats(4, [rows])?);
            let starts = tensor(&starts, [rows + 1])?;
            let (mut y, read) = output([rows])?;
            tune(&sparse_product_tuned(
                &starts, &columns, &values, &x, &mut y,
            ))?;
            Case::new(move || sparse_product_tuned(&starts, &columns, &values, &x, &mut y).launch())
                .with(read)
        }
        _ => return Ok(None),
    }))
}
