//! Rotary position embeddings, with gradients and in place.

use candle_core::{DType, Error, Layout, Result, Tensor};
use tile_kernel::{Element, tile_kernel};

use crate::CandleElement;
use crate::call::Call;
use crate::operation::{InplaceOperation, Op, Operation};
use crate::rms_norm::by_dtype;

/// Rotates pairs: axis 3 of `x` and `y` has the two elements of a pair, axis 4 the pairs. `sign` is -1 for the
/// rotation back.
#[tile_kernel(
    grid = [y.shape()[2].div_ceil(8), y.shape()[1], y.shape()[0]],
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn rotate<T: Element, A: Element>(
    x: &Tensor<T, 5>,
    cos: &Tensor<T, 2>,
    sin: &Tensor<T, 2>,
    y: &mut Tensor<T, 5>,
    sign: f32,
) {
    let (t, head, batch) = (block_id(0), block_id(1), block_id(2));
    let x = x.partition([1, 1, 8, 1, 32]);
    for k in 0..x.num_tiles(4) {
        let cos = cos.load([t, k], [8, 32]).cast::<A>();
        let sin = sin.load([t, k], [8, 32]).cast::<A>() * full([8, 32], sign).cast::<A>();
        let first = x.load([batch, head, t, 0, k]).reshape([8, 32]).cast::<A>();
        let second = x.load([batch, head, t, 1, k]).reshape([8, 32]).cast::<A>();
        let rotated = (first * cos - second * sin).cast::<T>();
        y.store([batch, head, t, 0, k], rotated.reshape([1, 1, 8, 1, 32]));
        let rotated = (first * sin + second * cos).cast::<T>();
        y.store([batch, head, t, 1, k], rotated.reshape([1, 1, 8, 1, 32]));
    }
}

/// Rotates pairs in place.
#[tile_kernel(
    grid = [y.shape()[2].div_ceil(8), y.shape()[1], y.shape()[0]],
    types((T = f32 | f16 | bf16, A = f32), (T = f64, A = f64)),
)]
fn rotate_in_place<T: Element, A: Element>(
    cos: &Tensor<T, 2>,
    sin: &Tensor<T, 2>,
    y: &mut Tensor<T, 5>,
) {
    let (t, head, batch) = (block_id(0), block_id(1), block_id(2));
    for k in 0..cos.partition([8, 32]).num_tiles(1) {
        let cos = cos.load([t, k], [8, 32]).cast::<A>();
        let sin = sin.load([t, k], [8, 32]).cast::<A>();
        let first = y
            .load([batch, head, t, 0, k], [1, 1, 8, 1, 32])
            .reshape([8, 32])
            .cast::<A>();
        let second = y
            .load([batch, head, t, 1, k], [1, 1, 8, 1, 32])
            .reshape([8, 32])
            .cast::<A>();
        let rotated = (first * cos - second * sin).cast::<T>();
        y.store([batch, head, t, 0, k], rotated.reshape([1, 1, 8, 1, 32]));
        let rotated = (first * sin + second * cos).cast::<T>();
        y.store([batch, head, t, 1, k], rotated.reshape([1, 1, 8, 1, 32]));
    }
}

/// The pairs of elements of a head that are rotated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Element `i` and element `i + head_dim / 2`, as candle's `rope`, GPT-NeoX and Hugging Face's Llama.
    Halves,
    /// Elements `2 * i` and `2 * i + 1`, as candle's `rope_i`, and Llama as published.
    Interleaved,
}

/// The operation [`rope`], of the inputs `x`, `cos` and `sin`, and [`rope_in_place`], of the inputs `cos` and
/// `sin`.
#[derive(Clone, Copy, Debug)]
pub struct Rope {
    /// The pairs of elements of a head that are rotated together.
    pub pairs: Pairs,
}

/// Returns `x` with the pairs of elements along the last axis rotated by the angles whose `cos` and `sin` are given.
///
/// `x` has the shape `[batch, heads, positions, head_dim]` and any strides; `cos` and `sin` have at least
/// `positions` rows of `head_dim / 2` elements. All have the same element type: `f32`, `f16`, `bf16`, which are
/// computed in `f32`, or `f64`. The gradient of `x` is computed; there is none of `cos` and `sin`.
///
/// # Errors
/// An error of candle about the shapes or element types, or that of a launch.
pub fn rope(x: &Tensor, cos: &Tensor, sin: &Tensor, pairs: Pairs) -> Result<Tensor> {
    x.apply_op3(cos, sin, Op(Rope { pairs }))
}

/// Rotates the elements of `x` as [`rope`] does, in place, without a gradient.
///
/// # Errors
/// As [`rope`].
pub fn rope_in_place(x: &Tensor, cos: &Tensor, sin: &Tensor, pairs: Pairs) -> Result<()> {
    x.inplace_op3(cos, sin, &Op(Rope { pairs }))
}

/// Extents and strides of a tensor of pairs.
type Axes = ([usize; 5], [usize; 5]);

impl Pairs {
    /// Divides the last axis of `x` into two.
    fn of(self, x: &Layout) -> Result<Axes> {
        let (&[batch, heads, positions, dim], &[b, h, t, d]) = (x.dims(), x.stride()) else {
            return Err(Error::UnexpectedNumberOfDims {
                expected: 4,
                got: x.dims().len(),
                shape: x.shape().clone(),
            }
            .bt());
        };
        if dim % 2 != 0 {
            return Err(Error::msg(format!(
                "the last axis of {:?} is not even",
                x.dims()
            )));
        }
        let half = dim / 2;
        let strides = match self {
            Pairs::Halves => [b, h, t, half * d, d],
            Pairs::Interleaved => [b, h, t, d, 2 * d],
        };
        Ok(([batch, heads, positions, 2, half], strides))
    }
}

/// Refuses angles of too few positions or of another number of pairs.
fn check_angles(x: Axes, [cos, sin]: [&Layout; 2]) -> Result<()> {
    let [_, _, positions, _, half] = x.0;
    for angles in [cos, sin] {
        match *angles.dims() {
            [rows, columns] if rows >= positions && columns == half => {}
            _ => {
                return Err(Error::msg(format!(
                    "`cos` and `sin` of shape {:?} have to have at least {positions} rows of {half} elements",
                    angles.dims()
                )));
            }
        }
    }
    Ok(())
}

/// A rotation by the angles, or back.
struct Rotation {
    pairs: Pairs,
    sign: f32,
}

impl Rotation {
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + RotateInstance<A>,
        A: Element,
    {
        let (shape, strides) = self.pairs.of(call.layout(0))?;
        let x = call.input_as::<T, 5>(0, shape, strides)?;
        let (cos, sin) = (call.input::<T, 2>(1)?, call.input::<T, 2>(2)?);
        let (shape, strides) = self.pairs.of(call.output_layout())?;
        let mut y = call.output_as::<T, 5>(shape, strides)?;
        call.launch(rotate::<T, A>(&x, &cos, &sin, &mut y, self.sign))
    }
}

impl Operation<3> for Rotation {
    const NAME: &'static str = "rope";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        check_angles(
            self.pairs.of(call.layout(0))?,
            [call.layout(1), call.layout(2)],
        )?;
        by_dtype!(call.dtype(0), Self::NAME, self.launch(call))
    }
}

impl Operation<3> for Rope {
    const NAME: &'static str = "rope";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        let Rope { pairs } = *self;
        Rotation { pairs, sign: 1.0 }.forward(call)
    }

    fn backward(
        &self,
        [_, cos, sin]: [&Tensor; 3],
        _result: &Tensor,
        gradient: &Tensor,
    ) -> Result<[Option<Tensor>; 3]> {
        let Rope { pairs } = *self;
        let back = Op(Rotation { pairs, sign: -1.0 });
        let dx = gradient.apply_op3_no_bwd(cos, sin, &back)?;
        Ok([Some(dx), None, None])
    }
}

impl Rope {
    fn launch<T, A>(&self, call: &Call<'_, '_>) -> Result<()>
    where
        T: CandleElement + RotateInPlaceInstance<A>,
        A: Element,
    {
        let (shape, strides) = self.pairs.of(call.output_layout())?;
        let (cos, sin) = (call.input::<T, 2>(0)?, call.input::<T, 2>(1)?);
        let mut y = call.output_as::<T, 5>(shape, strides)?;
        call.launch(rotate_in_place::<T, A>(&cos, &sin, &mut y))
    }
}

impl InplaceOperation<2> for Rope {
    const NAME: &'static str = "rope-in-place";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        let name = <Self as InplaceOperation<2>>::NAME;
        check_angles(
            self.pairs.of(call.output_layout())?,
            [call.layout(0), call.layout(1)],
        )?;
        by_dtype!(call.dtype(0), name, self.launch(call))
    }
}
