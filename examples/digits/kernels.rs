//! All numeric steps of training, as tile kernels.
//!
//! The kernels accept any number of images: the last tile may extend beyond the last row, where loads return
//! zero and stores have no effect.

use tile_kernel::prelude::*;

/// Maps grey levels from 0 to 16 to numbers from 0 to 1.
#[tile_kernel(grid = x.tiles([16, 64]))]
pub(crate) fn normalize(levels: &Tensor<u8, 2>, x: &mut Tensor<f32, 2>) {
    let (row, column) = (block_id(0), block_id(1));
    let levels = levels.load([row, column], [16, 64]);
    x.store([row, column], levels.cast::<f32>() / 16.0);
}

/// Computes one layer, `y = x · w + bias`, and if `RELU` is true, applies a rectifier to the result.
///
/// The numbers are stored in `f32` and multiplied in `bf16` on tensor cores.
#[tile_kernel(
    grid = y.tiles([32, BN]),
    instances((BN = 32, RELU = true), (BN = 16, RELU = false))
)]
pub(crate) fn dense<const BN: usize, const RELU: bool>(
    x: &Tensor<f32, 2>,
    w: &Tensor<f32, 2>,
    bias: &Tensor<f32, 1>,
    y: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let x = x.partition([32, 32]);
    let w = w.partition([32, BN]);
    let mut acc = bias.load([n], [BN]).unsqueeze(0).broadcast([32, BN]);
    for k in 0..x.num_tiles(1) {
        let x = x.load([m, k]).cast::<bf16>();
        let w = w.load([k, n]).cast::<bf16>();
        acc = mma(x, w, acc);
    }
    if RELU {
        acc = acc.max(0.0);
    }
    y.store([m, n], acc);
}

/// Computes softmax with cross-entropy: the loss of each image, and the gradient of the mean loss with
/// respect to the logits. The mean is that of a batch of so many images, which may be more than these.
///
/// The ten classes of an image are a tile of sixteen, whose padding of minus infinity has
/// probability zero.
#[tile_kernel(grid = loss.tiles([16]))]
pub(crate) fn cross_entropy(
    logits: &Tensor<f32, 2>,
    labels: &Tensor<i32, 1>,
    images: i32,
    loss: &mut Tensor<f32, 1>,
    gradient: &mut Tensor<f32, 2>,
) {
    let i = block_id(0);
    let z = logits.load_padded([i, 0], [16, 16], Padding::NegInf);
    let z = z - z.reduce_max(1).unsqueeze(1);
    let exp = z.exp();
    let sum = exp.sum(1);
    let is_label = iota::<i32>(16).unsqueeze(0) == labels.load([i], [16]).unsqueeze(1);
    let at_label = select(is_label, z, 0.0).sum(1);
    loss.store([i], sum.log() - at_label);
    let target = select(is_label, full([16, 16], 1.0), 0.0);
    gradient.store([i, 0], (exp / sum.unsqueeze(1) - target) / images as f32);
}

/// Computes the gradient of a layer's weights, `transpose(x) · dy`.
#[tile_kernel(grid = dw.tiles([32, 16]))]
pub(crate) fn weight_gradient(x: &Tensor<f32, 2>, dy: &Tensor<f32, 2>, dw: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let x = x.partition([32, 32]);
    let dy = dy.partition([32, 16]);
    let mut acc = zeros::<f32>([32, 16]);
    for k in 0..x.num_tiles(0) {
        let x = x.load([k, m]).cast::<bf16>();
        let dy = dy.load([k, n]).cast::<bf16>();
        acc = mma(x.t(), dy, acc);
    }
    dw.store([m, n], acc);
}

/// Computes the gradient of a layer's input `x`, `dy · transpose(w)`. As `x` is the output of a rectifier,
/// the gradient is zero where `x` is zero.
#[tile_kernel(grid = dx.tiles([32, 32]))]
pub(crate) fn relu_gradient(
    dy: &Tensor<f32, 2>,
    w: &Tensor<f32, 2>,
    x: &Tensor<f32, 2>,
    dx: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let dy = dy.partition([32, 16]);
    let w = w.partition([32, 16]);
    let mut acc = zeros::<f32>([32, 32]);
    for k in 0..dy.num_tiles(1) {
        let dy = dy.load([m, k]).cast::<bf16>();
        let w = w.load([n, k]).cast::<bf16>();
        acc = mma(dy, w.t(), acc);
    }
    let passed = x.load([m, n], [32, 32]) > 0.0;
    dx.store([m, n], select(passed, acc, 0.0));
}

/// Sums every column, for the gradient of a bias and for the total of the losses.
#[tile_kernel(grid = sums.tiles([16]))]
pub(crate) fn column_sums(x: &Tensor<f32, 2>, sums: &mut Tensor<f32, 1>) {
    let column = block_id(0);
    let x = x.partition([32, 16]);
    let mut sum = zeros::<f32>([16]);
    for row in 0..x.num_tiles(0) {
        sum += x.load([row, column]).sum(0);
    }
    sums.store([column], sum);
}

/// Makes one step of gradient descent with momentum. The parameters are passed as one vector.
#[tile_kernel(grid = value.tiles([1024]))]
pub(crate) fn descend(
    value: &mut Tensor<f32, 1>,
    velocity: &mut Tensor<f32, 1>,
    gradient: &Tensor<f32, 1>,
    rate: f32,
    momentum: f32,
) {
    let i = block_id(0);
    let v = momentum * velocity.load([i], [1024]) - rate * gradient.load([i], [1024]);
    velocity.store([i], v);
    value.store([i], value.load([i], [1024]) + v);
}

/// Finds the class with the largest logit, the first one among equals.
#[tile_kernel(grid = classes.tiles([16]))]
pub(crate) fn predict(logits: &Tensor<f32, 2>, classes: &mut Tensor<i32, 1>) {
    let i = block_id(0);
    let z = logits.load_padded([i, 0], [16, 16], Padding::NegInf);
    let is_greatest = z == z.reduce_max(1).unsqueeze(1);
    let class = select(is_greatest, iota::<i32>(16).unsqueeze(0), 16);
    classes.store([i], class.reduce_min(1));
}
