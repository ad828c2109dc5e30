//! Rows divided by their root mean square, with gradients.

use candle_core::{DType, Error, Layout, Result, Shape, Tensor};
use tile_kernel::{Element, tile_kernel};

use crate::CandleElement;
use crate::call::{Call, rows};
use crate::operation::{Op, Operation};

/// Computes `y = x * scale * weight`, where `scale` is `1 / sqrt(mean(x * x) + eps)` of each row.
#[tile_kernel(
    grid = [y.shape()[1].div_ceil(4), y.shape()[0]],
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn forward<T: Element, A: Element>(
    x: &Tensor<T, 3>,
    weight: &Tensor<T, 1>,
    y: &mut Tensor<T, 3>,
    eps: f64,
) {
    let (row, outer) = (block_id(0), block_id(1));
    let columns = x.dim(2) as f64;
    let x = x.partition([1, 4, 128]);
    let mut squares = zeros::<A>([4]);
    for k in 0..x.num_tiles(2) {
        let tile = x.load([outer, row, k]).reshape([4, 128]).cast::<A>();
        squares += (tile * tile).sum(1);
    }
    let scale = (squares.cast::<f64>() / columns + eps)
        .cast::<A>()
        .rsqrt()
        .unsqueeze(1);
    for k in 0..x.num_tiles(2) {
        let tile = x.load([outer, row, k]).reshape([4, 128]).cast::<A>();
        let weight = weight.load([k], [128]).cast::<A>().unsqueeze(0);
        let normal = (tile * scale * weight).cast::<T>();
        y.store([outer, row, k], normal.reshape([1, 4, 128]));
    }
}

/// Computes the scale of each row.
#[tile_kernel(
    grid = [scales.shape()[1].div_ceil(4), scales.shape()[0]],
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn row_scales<T: Element, A: Element>(x: &Tensor<T, 3>, scales: &mut Tensor<A, 2>, eps: f64) {
    let (row, outer) = (block_id(0), block_id(1));
    let columns = x.dim(2) as f64;
    let x = x.partition([1, 4, 128]);
    let mut squares = zeros::<A>([4]);
    for k in 0..x.num_tiles(2) {
        let tile = x.load([outer, row, k]).reshape([4, 128]).cast::<A>();
        squares += (tile * tile).sum(1);
    }
    let scale = (squares.cast::<f64>() / columns + eps).cast::<A>().rsqrt();
    scales.store([outer, row], scale.unsqueeze(0));
}

/// Computes the gradient of `x`: `scale * (d - x * scale^2 * mean(d * x))`, where `d` is `dy * weight`.
#[tile_kernel(
    grid = [dx.shape()[1].div_ceil(4), dx.shape()[0]],
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn backward_x<T: Element, A: Element>(
    x: &Tensor<T, 3>,
    weight: &Tensor<T, 1>,
    dy: &Tensor<T, 3>,
    dx: &mut Tensor<T, 3>,
    eps: f64,
) {
    let (row, outer) = (block_id(0), block_id(1));
    let columns = x.dim(2) as f64;
    let (x, dy) = (x.partition([1, 4, 128]), dy.partition([1, 4, 128]));
    let (mut squares, mut products) = (zeros::<A>([4]), zeros::<A>([4]));
    for k in 0..x.num_tiles(2) {
        let tile = x.load([outer, row, k]).reshape([4, 128]).cast::<A>();
        let weight = weight.load([k], [128]).cast::<A>().unsqueeze(0);
        let d = dy.load([outer, row, k]).reshape([4, 128]).cast::<A>() * weight;
        squares += (tile * tile).sum(1);
        products += (d * tile).sum(1);
    }
    let scale = (squares.cast::<f64>() / columns + eps).cast::<A>().rsqrt();
    let mean = (products.cast::<f64>() / columns).cast::<A>();
    let (slope, scale) = ((mean * scale * scale).unsqueeze(1), scale.unsqueeze(1));
    for k in 0..x.num_tiles(2) {
        let tile = x.load([outer, row, k]).reshape([4, 128]).cast::<A>();
        let weight = weight.load([k], [128]).cast::<A>().unsqueeze(0);
        let d = dy.load([outer, row, k]).reshape([4, 128]).cast::<A>() * weight;
        let gradient = ((d - tile * slope) * scale).cast::<T>();
        dx.store([outer, row, k], gradient.reshape([1, 4, 128]));
    }
}

/// Computes the gradient of `weight`: the sum of `dy * x * scale` over the rows.
#[tile_kernel(
    grid = dweight.tiles([32]),
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn backward_weight<T: Element, A: Element>(
    x: &Tensor<T, 3>,
    scales: &Tensor<A, 2>,
    dy: &Tensor<T, 3>,
    dweight: &mut Tensor<T, 1>,
) {
    let column = block_id(0);
    let outers = x.dim(0);
    let (x, dy) = (x.partition([1, 16, 32]), dy.partition([1, 16, 32]));
    let mut sum = zeros::<A>([32]);
    for outer in 0..outers {
        for row in 0..x.num_tiles(1) {
            let tile = x.load([outer, row, column]).reshape([16, 32]).cast::<A>();
            let d = dy.load([outer, row, column]).reshape([16, 32]).cast::<A>();
            let scale = scales.load([outer, row], [1, 16]).reshape([16, 1]);
            sum += (d * tile * scale).sum(0);
        }
    }
    dweight.store([column], sum.cast::<T>());
}

/// The operation [`rms_norm`], of the inputs `x` and `weight`.
#[derive(Clone, Copy, Debug)]
pub struct RmsNorm {
    /// The number that is added to the mean of the squares.
    pub eps: f64,
}

/// Returns `x / sqrt(mean(x * x) + eps) * weight`, where the mean is that of a row along the last axis. `weight` has
/// one axis and the element type of `x`: `f32`, `f16`, `bf16`, which are computed in `f32`, or `f64`.
///
/// ```
/// use candle_core::{Device, Tensor};
/// let x = Tensor::new(&[[3f32, 4.0]], &Device::Cpu)?;
/// let weight = Tensor::new(&[1f32, 2.0], &Device::Cpu)?;
/// let y = tile_kernel_candle::rms_norm(&x, &weight, 0.0)?.to_vec2::<f32>()?;
/// let root = (12.5f32).sqrt();
/// assert!((y[0][0] - 3.0 / root).abs() < 1e-6 && (y[0][1] - 8.0 / root).abs() < 1e-6);
/// # Ok::<(), candle_core::Error>(())
/// ```
///
/// # Errors
/// An error of candle about the shapes, element types or strides, or that of a launch.
pub fn rms_norm(x: &Tensor, weight: &Tensor, eps: f64) -> Result<Tensor> {
    x.apply_op2(weight, Op(RmsNorm { eps }))
}

/// Calls a function that is generic over the elements and the type of their sums.
macro_rules! by_dtype {
    ($dtype:expr, $name:expr, $self:ident.$function:ident($call:expr)) => {
        match $dtype {
            DType::F32 => $self.$function::<f32, f32>($call),
            DType::F16 => $self.$function::<tile_kernel::f16, f32>($call),
            DType::BF16 => $self.$function::<tile_kernel::bf16, f32>($call),
            DType::F64 => $self.$function::<f64, f64>($call),
            other => Err(Error::UnsupportedDTypeForOp(other, $name).bt()),
        }
    };
}
pub(crate) use by_dtype;

fn check_weight(x: &Layout, weight: &Layout) -> Result<()> {
    let columns = x.dims().last().copied().unwrap_or(0);
    if weight.dims() == [columns] {
        return Ok(());
    }
    Err(Error::ShapeMismatchBinaryOp {
        lhs: x.shape().clone(),
        rhs: weight.shape().clone(),
        op: "rms-norm",
    }
    .bt())
}

impl RmsNorm {
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + ForwardInstance<A>,
        A: Element,
    {
        let (shape, strides) = rows(call.layout(0))?;
        let x = call.input_as::<T, 3>(0, shape, strides)?;
        let weight = call.input::<T, 1>(1)?;
        // The output is contiguous, so its rows are the same as those of the input.
        let mut y = call.output_as::<T, 3>(shape, contiguous(shape))?;
        call.launch(forward::<T, A>(&x, &weight, &mut y, self.eps))
    }
}

impl Operation<2> for RmsNorm {
    const NAME: &'static str = "rms-norm";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        check_weight(call.layout(0), call.layout(1))?;
        by_dtype!(call.dtype(0), Self::NAME, self.launch(call))
    }

    fn backward(
        &self,
        [x, weight]: [&Tensor; 2],
        _result: &Tensor,
        gradient: &Tensor,
    ) -> Result<[Option<Tensor>; 2]> {
        let eps = self.eps;
        let dx = x.apply_op3_no_bwd(weight, gradient, &Op(BackwardX { eps }))?;
        let scales = x.apply_op1_no_bwd(&Op(Scales { eps }))?;
        let dweight = x.apply_op3_no_bwd(&scales, gradient, &Op(BackwardWeight))?;
        Ok([Some(dx), Some(dweight)])
    }
}

struct BackwardX {
    eps: f64,
}

impl BackwardX {
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + BackwardXInstance<A>,
        A: Element,
    {
        let (x, dy) = same_rows(call.layout(0), call.layout(2))?;
        let shape = x.0;
        let x = call.input_as::<T, 3>(0, x.0, x.1)?;
        let weight = call.input::<T, 1>(1)?;
        let dy = call.input_as::<T, 3>(2, dy.0, dy.1)?;
        let mut dx = call.output_as::<T, 3>(shape, contiguous(shape))?;
        call.launch(backward_x::<T, A>(&x, &weight, &dy, &mut dx, self.eps))
    }
}

impl Operation<3> for BackwardX {
    const NAME: &'static str = "rms-norm-backward-x";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        by_dtype!(call.dtype(0), Self::NAME, self.launch(call))
    }
}

struct Scales {
    eps: f64,
}

impl Scales {
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + RowScalesInstance<A>,
        A: CandleElement,
    {
        let (shape, strides) = rows(call.layout(0))?;
        let [outer, inner, _] = shape;
        let x = call.input_as::<T, 3>(0, shape, strides)?;
        let mut result = call.output_as::<A, 2>([outer, inner], [inner, 1])?;
        call.launch(row_scales::<T, A>(&x, &mut result, self.eps))
    }
}

impl Operation<1> for Scales {
    const NAME: &'static str = "rms-norm-scales";

    fn result(&self, [(dtype, x)]: [(DType, &Layout); 1]) -> Result<(DType, Shape)> {
        let dtype = match dtype {
            DType::F64 => DType::F64,
            _ => DType::F32,
        };
        let ([outer, inner, _], _) = rows(x)?;
        Ok((dtype, (outer, inner).into()))
    }

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        by_dtype!(call.dtype(0), Self::NAME, self.launch(call))
    }
}

struct BackwardWeight;

impl BackwardWeight {
    #[expect(clippy::unused_self, reason = "`by_dtype` calls a method")]
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + BackwardWeightInstance<A>,
        A: CandleElement,
    {
        let (x, dy) = same_rows(call.layout(0), call.layout(2))?;
        let [outer, inner, _] = x.0;
        let x = call.input_as::<T, 3>(0, x.0, x.1)?;
        let scales = call.input_as::<A, 2>(1, [outer, inner], [inner, 1])?;
        let dy = call.input_as::<T, 3>(2, dy.0, dy.1)?;
        let mut dweight = call.output::<T, 1>()?;
        call.launch(backward_weight::<T, A>(&x, &scales, &dy, &mut dweight))
    }
}

impl Operation<3> for BackwardWeight {
    const NAME: &'static str = "rms-norm-backward-weight";

    fn result(&self, [(dtype, x), ..]: [(DType, &Layout); 3]) -> Result<(DType, Shape)> {
        Ok((dtype, x.dims().last().copied().unwrap_or(0).into()))
    }

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        by_dtype!(call.dtype(0), Self::NAME, self.launch(call))
    }
}

/// Returns the rows of two tensors of one shape, divided into the same two axes.
fn same_rows(first: &Layout, second: &Layout) -> Result<(crate::Rows, crate::Rows)> {
    let ((shape, strides), (other, other_strides)) = (rows(first)?, rows(second)?);
    if shape == other {
        return Ok(((shape, strides), (other, other_strides)));
    }
    // One of them has its rows in one axis, which can be divided as those of the other.
    let divide = |(from, strides): crate::Rows, to: [usize; 3]| {
        let [outer, inner, columns] = from;
        let whole = outer == 1 && inner == to[0] * to[1] && columns == to[2];
        whole.then_some((to, [strides[1] * to[1], strides[1], strides[2]]))
    };
    let (first, second) = ((shape, strides), (other, other_strides));
    divide(second, shape)
        .map(|second| (first, second))
        .or_else(|| divide(first, other).map(|first| (first, second)))
        .ok_or_else(|| {
            Error::msg("the gradient has other strides than the input: call `contiguous()` before")
        })
}

fn contiguous([_, inner, columns]: [usize; 3]) -> [usize; 3] {
    [inner * columns, columns, 1]
}
