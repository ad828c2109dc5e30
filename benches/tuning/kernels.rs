//! The kernels whose instances are chosen, and 30 shapes of each.

use tile_kernel::prelude::*;
use tile_kernel::{Result, TunedLaunch};

/// The shapes of a kernel.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) shapes: Vec<Vec<usize>>,
    pub(crate) inputs: fn(&[usize]) -> Result<Box<dyn Inputs>>,
}

/// The arguments of a launch.
pub(crate) trait Inputs {
    fn launch(&mut self) -> TunedLaunch<'_>;
}

#[tile_kernel(
    grid = c.tiles([BM, BN]),
    instances(BM = [16, 32, 64, 128], BN = [64, 128, 256], BK = [64, 256]),
    constraints(BM * BN >= 2048, BM * BN <= 16384),
    tune(BM, BN, BK, key(exact(a.dim(0)), exact(b.dim(1)), bucket(a.dim(1)))),
    arch("cpu"),
)]
fn product<const BM: usize, const BN: usize, const BK: usize>(
    a: &Tensor<f32, 2>,
    b: &Tensor<f32, 2>,
    c: &mut Tensor<f32, 2>,
) {
    let (i, j) = (block_id(0), block_id(1));
    let (a, b) = (a.partition([BM, BK]), b.partition([BK, BN]));
    let mut acc = zeros::<f32>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([i, k]), b.load([k, j]), acc);
    }
    c.store([i, j], acc);
}

struct Product(Tensor<f32, 2>, Tensor<f32, 2>, Tensor<f32, 2>);

impl Inputs for Product {
    fn launch(&mut self) -> TunedLaunch<'_> {
        product_tuned(&self.0, &self.1, &mut self.2)
    }
}

/// Each block computes `ROWS` rows, in tiles of `N` columns: once for the largest number and the sum, and once for the results.
#[tile_kernel(
    grid = y.shape()[0].div_ceil(ROWS),
    instances(ROWS = [1, 2, 8], N = [64, 256, 1024]),
    tune(ROWS, N),
    arch("cpu"),
)]
fn softmax<const ROWS: usize, const N: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    let mut max = full([ROWS], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([ROWS]);
    let tiles = x.partition([ROWS, N]).num_tiles(1);
    for j in 0..tiles {
        let x = x.load_padded([i, j], [ROWS, N], Padding::NegInf);
        let higher = max.max(x.reduce_max(1));
        let terms = (x - higher.unsqueeze(1)).exp();
        sum = sum * (max - higher).exp() + terms.sum(1);
        max = higher;
    }
    for j in 0..tiles {
        let terms = (x.load([i, j], [ROWS, N]) - max.unsqueeze(1)).exp();
        y.store([i, j], terms / sum.unsqueeze(1));
    }
}

struct Softmax(Tensor<f32, 2>, Tensor<f32, 2>);

impl Inputs for Softmax {
    fn launch(&mut self) -> TunedLaunch<'_> {
        softmax_tuned(&self.0, &mut self.1)
    }
}

/// Each block computes `ROWS` rows, in tiles of `N` columns.
#[tile_kernel(
    grid = y.shape()[0].div_ceil(ROWS),
    instances(ROWS = [1, 2, 8], N = [64, 256, 1024]),
    tune(ROWS, N),
    arch("cpu"),
)]
fn layer_norm<const ROWS: usize, const N: usize>(
    x: &Tensor<f32, 2>,
    weight: &Tensor<f32, 1>,
    bias: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 2>,
) {
    let i = block_id(0);
    let (mut sum, mut squares) = (zeros::<f32>([ROWS]), zeros::<f32>([ROWS]));
    let tiles = x.partition([ROWS, N]).num_tiles(1);
    for j in 0..tiles {
        let x = x.load([i, j], [ROWS, N]);
        sum += x.sum(1);
        squares += (x * x).sum(1);
    }
    let columns = x.dim(1) as f32;
    let mean = sum / columns;
    let scale = (squares / columns - mean * mean + 1e-5).rsqrt();
    for j in 0..tiles {
        let normal = (x.load([i, j], [ROWS, N]) - mean.unsqueeze(1)) * scale.unsqueeze(1);
        let (weight, bias) = (weight.load([j], [N]), bias.load([j], [N]));
        y.store([i, j], normal * weight.unsqueeze(0) + bias.unsqueeze(0));
    }
}

struct LayerNorm(
    Tensor<f32, 2>,
    Tensor<f32, 1>,
    Tensor<f32, 1>,
    Tensor<f32, 2>,
);

impl Inputs for LayerNorm {
    fn launch(&mut self) -> TunedLaunch<'_> {
        layer_norm_tuned(&self.0, &self.1, &self.2, &mut self.3)
    }
}

/// Attention of heads of 64 elements: each block computes `BQ` queries, with tiles of `BK` keys.
#[tile_kernel(
    grid = [q.shape()[1].div_ceil(BQ), q.shape()[0]],
    instances(BQ = [16, 32, 64, 128], BK = [32, 64, 128]),
    tune(BQ, BK, key(bucket(q.dim(0)), exact(q.dim(1)), bucket(k.dim(1)))),
    arch("cpu"),
)]
fn attention<const BQ: usize, const BK: usize>(
    q: &Tensor<f32, 3>,
    k: &Tensor<f32, 3>,
    v: &Tensor<f32, 3>,
    out: &mut Tensor<f32, 3>,
) {
    let (block, head) = (block_id(0), block_id(1));
    let query = q.load([head, block, 0], [1, BQ, 64]).reshape([BQ, 64]) * 0.125;
    let (keys, values) = (k.partition([1, BK, 64]), v.partition([1, BK, 64]));
    let mut acc = zeros::<f32>([BQ, 64]);
    let mut max = full([BQ], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BQ]);
    for tile in 0..keys.num_tiles(1) {
        let key = keys.load([head, tile, 0]).reshape([BK, 64]);
        let scores = mma(query, key.t(), zeros([BQ, BK]));
        let exists = (tile * BK as i32 + iota(BK)).unsqueeze(0) < k.dim(1);
        let scores = select(exists, scores, f32::NEG_INFINITY);
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

struct Attention([Tensor<f32, 3>; 4]);

impl Inputs for Attention {
    fn launch(&mut self) -> TunedLaunch<'_> {
        let [q, k, v, out] = &mut self.0;
        attention_tuned(q, k, v, out)
    }
}

/// A convolution of 3 by 3 with zeros beyond the edge: each block computes `ROWS` rows of `COLUMNS` points, for `TO` channels.
#[tile_kernel(
    grid = [
        y.shape()[0],
        y.shape()[1].div_ceil(ROWS),
        y.shape()[2].div_ceil(COLUMNS) * y.shape()[3].div_ceil(TO),
    ],
    instances(ROWS = [1, 2, 4], COLUMNS = [16, 32], TO = [32, 64]),
    tune(
        ROWS, COLUMNS, TO,
        key(bucket(x.dim(0)), exact(x.dim(1)), exact(x.dim(2)), exact(x.dim(3))),
    ),
    arch("cpu"),
)]
fn convolution<const ROWS: usize, const COLUMNS: usize, const TO: usize>(
    x: &Tensor<f32, 4>,
    weights: &Tensor<f32, 4>,
    y: &mut Tensor<f32, 4>,
) {
    let (picture, row) = (block_id(0), block_id(1));
    let tiles = y.partition([1, ROWS, COLUMNS, TO]);
    let (column, channel) = (
        block_id(2) % tiles.num_tiles(2),
        block_id(2) / tiles.num_tiles(2),
    );
    let mut acc = zeros::<f32>([ROWS * COLUMNS, TO]);
    let channels = x.partition([1, 1, 1, 32]).num_tiles(3);
    for dy in 0..3 {
        for dx in 0..3 {
            for from in 0..channels {
                let (y, x_first) = (row * ROWS as i32 + dy - 1, column * COLUMNS as i32 + dx - 1);
                let points = x.load_at([picture, y, x_first, from * 32], [1, ROWS, COLUMNS, 32]);
                let points = points.reshape([ROWS * COLUMNS, 32]);
                let weight = weights.load([dy, dx, from, channel], [1, 1, 32, TO]);
                acc = mma(points, weight.reshape([32, TO]), acc);
            }
        }
    }
    y.store(
        [picture, row, column, channel],
        acc.reshape([1, ROWS, COLUMNS, TO]),
    );
}

struct Convolution([Tensor<f32, 4>; 3]);

impl Inputs for Convolution {
    fn launch(&mut self) -> TunedLaunch<'_> {
        let [x, weights, y] = &mut self.0;
        convolution_tuned(x, weights, y)
    }
}

/// A sparse matrix with a vector: each block computes `ROWS` rows, `N` numbers at a time.
#[tile_kernel(
    grid = y.shape()[0].div_ceil(ROWS),
    instances(ROWS = [1, 8, 64], N = [8, 16, 32, 64]),
    tune(ROWS, N),
    arch("cpu"),
)]
fn sparse_product<const ROWS: usize, const N: usize>(
    starts: &Tensor<i32, 1>,
    columns: &Tensor<i32, 1>,
    values: &Tensor<f32, 1>,
    x: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 1>,
) {
    let first_row = block_id(0) * ROWS as i32;
    for row in first_row..(first_row + ROWS as i32).min(y.dim(0)) {
        let (start, end) = (starts.at([row]), starts.at([row + 1]));
        let mut sum = zeros([N]);
        for first in (start..end).step_by(N) {
            let value = select(first + iota(N) < end, values.load_at([first], [N]), 0.0);
            sum += value * x.gather([columns.load_at([first], [N])]);
        }
        y.store([row], full([1], sum.sum(0)));
    }
}

struct SparseProduct([Tensor<i32, 1>; 2], [Tensor<f32, 1>; 2], Tensor<f32, 1>);

impl Inputs for SparseProduct {
    fn launch(&mut self) -> TunedLaunch<'_> {
        let Self([starts, columns], [values, x], y) = self;
        sparse_product_tuned(starts, columns, values, x, y)
    }
}

/// Numbers that repeat, between -1 and 1.
fn floats<const R: usize>(shape: [usize; R]) -> Result<Tensor<f32, R>> {
    let count = shape.iter().product();
    let elements: Vec<f32> = (0..count)
        .map(|index: usize| (index.wrapping_mul(2_654_435_761) % 2001) as f32 / 1000.0 - 1.0)
        .collect();
    Tensor::from_slice(&Device::cpu(), &elements, shape)
}

/// Returns all combinations of two lists.
fn pairs(first: &[usize], second: &[usize]) -> Vec<Vec<usize>> {
    let both = first
        .iter()
        .flat_map(|&a| second.iter().map(move |&b| vec![a, b]));
    both.collect()
}

pub(crate) fn all() -> Vec<Kernel> {
    let product = [48, 80, 96, 128, 200, 256, 384, 512, 640, 768]
        .iter()
        .flat_map(|&n| [vec![n, n, n], vec![n, 64, n], vec![32, n, n]])
        .collect();
    let rows = pairs(&[8, 60, 256, 1000, 3000], &[50, 128, 300, 777, 1024, 2048]);
    vec![
        Kernel {
            name: "product, m × n × k",
            shapes: product,
            inputs: |n| {
                let (a, b) = (floats([n[0], n[2]])?, floats([n[2], n[1]])?);
                Ok(Box::new(Product(a, b, floats([n[0], n[1]])?)))
            },
        },
        Kernel {
            name: "softmax of rows",
            shapes: rows.clone(),
            inputs: |n| {
                let shape = [n[0], n[1]];
                Ok(Box::new(Softmax(floats(shape)?, floats(shape)?)))
            },
        },
        Kernel {
            name: "layer norm of rows",
            shapes: rows,
            inputs: |n| {
                let (x, y) = (floats([n[0], n[1]])?, floats([n[0], n[1]])?);
                Ok(Box::new(LayerNorm(x, floats([n[1]])?, floats([n[1]])?, y)))
            },
        },
        Kernel {
            name: "attention, heads × tokens",
            shapes: pairs(
                &[1, 4, 12],
                &[32, 60, 128, 200, 256, 300, 384, 512, 640, 1000],
            ),
            inputs: |n| {
                let shape = [n[0], n[1], 64];
                Ok(Box::new(Attention([
                    floats(shape)?,
                    floats(shape)?,
                    floats(shape)?,
                    floats(shape)?,
                ])))
            },
        },
        Kernel {
            name: "3 × 3 convolution, pictures × side × channels",
            shapes: pairs(&[1, 4], &[7, 14, 16, 28, 32])
                .into_iter()
                .flat_map(|n| [32, 64, 96].map(|channels| vec![n[0], n[1], channels]))
                .collect(),
            inputs: |n| {
                let shape = [n[0], n[1], n[1], n[2]];
                let weights = floats([3, 3, n[2], n[2]])?;
                Ok(Box::new(Convolution([
                    floats(shape)?,
                    weights,
                    floats(shape)?,
                ])))
            },
        },
        Kernel {
            name: "sparse matrix with a vector, rows × numbers per row",
            shapes: pairs(&[100, 500, 2000, 8000, 30_000], &[3, 8, 15, 30, 64, 150]),
            inputs: |n| {
                let mut starts = vec![0_i32];
                for row in 0..n[0] {
                    let len = (row * 7919 % (2 * n[1] + 1)) as i32;
                    starts.push(starts[row] + len);
                }
                let count = starts[n[0]] as usize;
                let columns: Vec<i32> = (0..count)
                    .map(|index| (index.wrapping_mul(40_503) % n[0]) as i32)
                    .collect();
                let device = Device::cpu();
                let starts = Tensor::from_slice(&device, &starts, [n[0] + 1])?;
                let columns = Tensor::from_slice(&device, &columns, [count])?;
                let numbers = [floats([count])?, floats([n[0]])?];
                Ok(Box::new(SparseProduct(
                    [starts, columns],
                    numbers,
                    floats([n[0]])?,
                )))
            },
        },
    ]
}
