//! Operations on candle's tensors, compared with candle's own, and their gradients with differences.

use std::sync::LazyLock;

use candle_core::{D, DType, Device, Result, Tensor, Var};
use tile_kernel::tile_kernel;
use tile_kernel_candle::{
    Call, InplaceOperation, Op, Operation, Pairs, rms_norm, rope, rope_in_place,
};

/// Returns the device of the tests: a GPU, or the simulated driver, with the feature `cuda`.
fn device() -> &'static Device {
    static DEVICE: LazyLock<Device> = LazyLock::new(|| match cfg!(feature = "cuda") {
        true => Device::new_cuda(0)
            .expect("there is a GPU, or `cargo xtask interop --cuda` runs the tests"),
        false => Device::Cpu,
    });
    &DEVICE
}

/// Numbers between -1 and 1, the same in every run.
fn random(seed: u64, dims: &[usize], dtype: DType) -> Result<Tensor> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let numbers: Vec<f64> = (0..dims.iter().product())
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        })
        .collect();
    Tensor::from_vec(numbers, dims, device())?.to_dtype(dtype)
}

/// The largest difference, relative to the largest number of `expected`.
fn difference(found: &Tensor, expected: &Tensor) -> Result<f64> {
    assert_eq!(found.dims(), expected.dims());
    assert_eq!(found.dtype(), expected.dtype());
    let all = |x: &Tensor| x.to_dtype(DType::F64)?.flatten_all()?.to_vec1::<f64>();
    let (found, expected) = (all(found)?, all(expected)?);
    let largest = expected
        .iter()
        .fold(f64::MIN_POSITIVE, |max, x| max.max(x.abs()));
    let pairs = found.iter().zip(&expected);
    Ok(pairs.fold(0.0, |max: f64, (x, y)| max.max((x - y).abs())) / largest)
}

fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-12,
        DType::F32 => 2e-6,
        // Candle rounds after every step.
        DType::F16 => 4e-3,
        _ => 3e-2,
    }
}

const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::F16, DType::BF16];
const EPS: f64 = 1e-5;

/// RMS normalization of candle's own operations.
fn reference_norm(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let squares = (x.sqr()?.sum_keepdim(D::Minus1)? / x.dim(D::Minus1)? as f64)?;
    x.broadcast_div(&(squares + EPS)?.sqrt()?)?
        .broadcast_mul(weight)
}

#[test]
fn rms_norm_is_that_of_candle() -> Result<()> {
    for dtype in DTYPES {
        for (seed, dims) in [&[1, 1][..], &[7], &[5, 300], &[2, 3, 128], &[2, 3, 4, 33]]
            .iter()
            .enumerate()
        {
            let x = random(seed as u64, dims, dtype)?;
            let weight = random(99, &[*dims.last().expect("axes")], dtype)?;
            let y = rms_norm(&x, &weight, EPS)?;
            let distance = difference(&y, &reference_norm(&x, &weight)?)?;
            assert!(
                distance < tolerance(dtype),
                "{dtype:?} {dims:?}: {distance}"
            );
        }
    }
    Ok(())
}

#[test]
fn strided_inputs_are_not_copied() -> Result<()> {
    let dtype = DType::F32;
    let weight = random(1, &[3 * 40], dtype)?.narrow(0, 40, 40)?;
    let wide = random(2, &[6, 9, 120], dtype)?;
    let inputs = [
        wide.narrow(2, 80, 40)?,
        wide.narrow(1, 2, 5)?.narrow(2, 40, 40)?,
        wide.narrow(2, 0, 40)?.transpose(0, 1)?,
        random(3, &[40, 11], dtype)?.t()?,
        random(4, &[1, 1, 40], dtype)?.broadcast_as((3, 5, 40))?,
    ];
    for x in inputs {
        let y = rms_norm(&x, &weight, EPS)?;
        let distance = difference(&y, &reference_norm(&x, &weight)?)?;
        assert!(distance < tolerance(dtype), "{:?}: {distance}", x.layout());
    }
    // Three axes of rows whose strides do not fit two.
    let x = random(5, &[3, 4, 5, 40], dtype)?.permute((2, 1, 0, 3))?;
    let error = rms_norm(&x, &weight, EPS)
        .expect_err("it is not possible")
        .to_string();
    assert!(error.contains("call `contiguous()` before"), "{error}");
    let y = rms_norm(&x.contiguous()?, &weight, EPS)?;
    assert!(difference(&y, &reference_norm(&x, &weight)?)? < tolerance(dtype));
    Ok(())
}

#[test]
fn arguments_that_do_not_fit_are_refused() -> Result<()> {
    let x = random(1, &[4, 8], DType::F32)?;
    let refused = |weight: Tensor| {
        rms_norm(&x, &weight, EPS)
            .expect_err("it does not fit")
            .to_string()
    };
    assert!(refused(random(1, &[9], DType::F32)?).contains("shape mismatch"));
    assert!(refused(random(1, &[8], DType::F64)?).contains("unexpected dtype"));
    let integers = Tensor::zeros((4, 8), DType::U32, device())?;
    let error = rms_norm(&integers, &integers.narrow(0, 0, 1)?.squeeze(0)?, EPS);
    assert!(
        error
            .expect_err("it has no floats")
            .to_string()
            .contains("unsupported dtype")
    );
    // candle cannot allocate 0 bytes of a GPU.
    if device().is_cpu() {
        let empty = Tensor::zeros((0, 8), DType::F32, device())?;
        let weight = random(1, &[8], DType::F32)?;
        assert_eq!(rms_norm(&empty, &weight, EPS)?.dims(), [0, 8]);
    }
    let odd = random(1, &[1, 2, 3, 5], DType::F32)?;
    let error = rope(&odd, &x, &x, Pairs::Halves)
        .expect_err("5 is odd")
        .to_string();
    assert!(error.contains("not even"), "{error}");
    let error = rope(
        &random(1, &[1, 1, 5, 16], DType::F32)?,
        &x,
        &x,
        Pairs::Halves,
    );
    let error = error.expect_err("there are 4 rows of angles").to_string();
    assert!(error.contains("at least 5 rows of 8 elements"), "{error}");
    Ok(())
}

/// Compares gradients with those of candle's own operations, and with differences of the loss.
fn check_gradients(
    inputs: &[Var],
    ours: impl Fn() -> Result<Tensor>,
    candles: impl Fn() -> Result<Tensor>,
) -> Result<()> {
    // A loss whose gradient differs in every element.
    let weights = random(77, ours()?.dims(), DType::F64)?;
    let loss = |y: Tensor| (y * &weights)?.sum_all();
    let (found, expected) = (loss(ours()?)?.backward()?, loss(candles()?)?.backward()?);
    for input in inputs {
        let gradient = found.get(input).expect("there is a gradient");
        let distance = difference(gradient, expected.get(input).expect("there is a gradient"))?;
        assert!(distance < 1e-11, "{distance}");
        let gradient = gradient.flatten_all()?.to_vec1::<f64>()?;
        let original = input.as_tensor().copy()?;
        let flat = original.flatten_all()?.to_vec1::<f64>()?;
        for index in (0..flat.len()).step_by(flat.len().div_ceil(9)) {
            let moved = |by: f64| {
                let mut moved = flat.clone();
                moved[index] += by;
                input.set(&Tensor::from_vec(moved, original.dims(), device())?)?;
                loss(ours()?)?.to_scalar::<f64>()
            };
            let slope = (moved(1e-5)? - moved(-1e-5)?) / 2e-5;
            assert!(
                (slope - gradient[index]).abs() < 1e-6,
                "{slope} {}",
                gradient[index]
            );
        }
        input.set(&original)?;
    }
    Ok(())
}

#[test]
fn the_gradients_of_rms_norm_are_those_of_candle_and_of_differences() -> Result<()> {
    let x = Var::from_tensor(&random(1, &[3, 5, 37], DType::F64)?)?;
    let weight = Var::from_tensor(&random(2, &[37], DType::F64)?)?;
    let inputs = [x.clone(), weight.clone()];
    check_gradients(
        &inputs,
        || rms_norm(&x, &weight, EPS),
        || reference_norm(&x, &weight),
    )?;
    // The input is a view, and the gradient is not.
    let flipped = || x.transpose(0, 1);
    check_gradients(
        &inputs,
        || rms_norm(&flipped()?, &weight, EPS),
        || reference_norm(&flipped()?, &weight),
    )
}

/// Rotary embeddings of candle's own operations.
fn reference_rope(x: &Tensor, cos: &Tensor, sin: &Tensor, pairs: Pairs) -> Result<Tensor> {
    let (_, _, positions, dim) = x.dims4()?;
    let (cos, sin) = (cos.narrow(0, 0, positions)?, sin.narrow(0, 0, positions)?);
    match pairs {
        Pairs::Halves => {
            let (first, second) = (x.narrow(3, 0, dim / 2)?, x.narrow(3, dim / 2, dim / 2)?);
            let rotated = [
                (first.broadcast_mul(&cos)? - second.broadcast_mul(&sin)?)?,
                (first.broadcast_mul(&sin)? + second.broadcast_mul(&cos)?)?,
            ];
            Tensor::cat(&rotated, D::Minus1)
        }
        Pairs::Interleaved => {
            let (batch, heads, positions, dim) = x.dims4()?;
            let x = x.reshape((batch, heads, positions, dim / 2, 2))?;
            let (first, second) = (
                x.narrow(4, 0, 1)?.squeeze(4)?,
                x.narrow(4, 1, 1)?.squeeze(4)?,
            );
            let rotated = [
                (first.broadcast_mul(&cos)? - second.broadcast_mul(&sin)?)?,
                (first.broadcast_mul(&sin)? + second.broadcast_mul(&cos)?)?,
            ];
            Tensor::stack(&rotated, D::Minus1)?.reshape((batch, heads, positions, dim))
        }
    }
}

fn angles(positions: usize, half: usize, dtype: DType) -> Result<(Tensor, Tensor)> {
    let angles = (random(9, &[positions, half], DType::F64)? * 3.0)?;
    Ok((
        angles.cos()?.to_dtype(dtype)?,
        angles.sin()?.to_dtype(dtype)?,
    ))
}

const BOTH: [Pairs; 2] = [Pairs::Halves, Pairs::Interleaved];

#[test]
fn rope_is_that_of_candle() -> Result<()> {
    for dtype in DTYPES {
        for pairs in BOTH {
            for dims in [[1, 1, 1, 2], [2, 3, 11, 64], [1, 2, 9, 80], [2, 1, 3, 6]] {
                let x = random(3, &dims, dtype)?;
                let (cos, sin) = angles(20, dims[3] / 2, dtype)?;
                let expected = reference_rope(&x, &cos, &sin, pairs)?;
                let distance = difference(&rope(&x, &cos, &sin, pairs)?, &expected)?;
                assert!(
                    distance < tolerance(dtype),
                    "{dtype:?} {pairs:?} {dims:?}: {distance}"
                );
                rope_in_place(&x, &cos, &sin, pairs)?;
                let distance = difference(&x, &expected)?;
                assert!(
                    distance < tolerance(dtype),
                    "{dtype:?} {pairs:?} {dims:?}: {distance}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn heads_are_rotated_where_a_projection_has_put_them() -> Result<()> {
    // `[batch, positions, heads, dim]` of a projection, as `[batch, heads, positions, dim]`.
    let projected = random(4, &[2, 7, 3, 32], DType::F32)?;
    let (cos, sin) = angles(7, 16, DType::F32)?;
    for pairs in BOTH {
        let x = projected.transpose(1, 2)?;
        let expected = reference_rope(&x.contiguous()?, &cos, &sin, pairs)?;
        assert!(difference(&rope(&x, &cos, &sin, pairs)?, &expected)? < 2e-6);
        let copy = projected.copy()?;
        rope_in_place(&copy.transpose(1, 2)?, &cos, &sin, pairs)?;
        assert!(difference(&copy.transpose(1, 2)?.contiguous()?, &expected)? < 2e-6);
    }
    Ok(())
}

#[test]
fn the_gradient_of_rope_is_that_of_candle_and_of_differences() -> Result<()> {
    let x = Var::from_tensor(&random(1, &[2, 2, 5, 12], DType::F64)?)?;
    let (cos, sin) = angles(5, 6, DType::F64)?;
    for pairs in BOTH {
        check_gradients(
            std::slice::from_ref(&x),
            || rope(&x, &cos, &sin, pairs),
            || reference_rope(&x, &cos, &sin, pairs),
        )?;
    }
    Ok(())
}

/// Adds numbers of any of these types to each other.
#[tile_kernel(
    grid = y.tiles([64]),
    types(T = u8 | u32 | i16 | i32 | i64 | f16 | bf16 | f32 | f64),
    arch("sm_80"),
)]
fn add<T: tile_kernel::Element>(x: &Tensor<T, 1>, y: &mut Tensor<T, 1>) {
    let i = block_id(0);
    let sum = y.load([i], [64]) + x.load([i], [64]);
    y.store([i], sum);
}

struct Add;

impl InplaceOperation<1> for Add {
    const NAME: &'static str = "add";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        fn of<T>(call: &Call<'_, '_>) -> Result<()>
        where
            T: tile_kernel_candle::CandleElement + AddInstance,
        {
            let (x, mut y) = (call.input::<T, 1>(0)?, call.output::<T, 1>()?);
            assert!(call.output::<T, 1>().is_err(), "it is borrowed once");
            call.launch(add(&x, &mut y))
        }
        match call.dtype(0) {
            DType::U8 => of::<u8>(call),
            DType::U32 => of::<u32>(call),
            DType::I16 => of::<i16>(call),
            DType::I32 => of::<i32>(call),
            DType::I64 => of::<i64>(call),
            DType::F16 => of::<tile_kernel::f16>(call),
            DType::BF16 => of::<tile_kernel::bf16>(call),
            DType::F32 => of::<f32>(call),
            DType::F64 => of::<f64>(call),
            other => candle_core::bail!("no {other:?}"),
        }
    }
}

#[test]
fn every_element_type_is_changed_in_place() -> Result<()> {
    let dtypes = [
        DType::U8,
        DType::U32,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
    ];
    for dtype in dtypes {
        // Converted on the CPU: candle has no such kernels for GPUs with some of these types.
        let numbers = Tensor::arange(0f32, 90.0, &Device::Cpu)?.to_dtype(dtype)?;
        let numbers = numbers.to_device(device())?;
        let (x, y) = (numbers.narrow(0, 3, 70)?, numbers.copy()?);
        y.narrow(0, 10, 70)?.inplace_op2(&x, &Op(Add))?;
        let y = y.to_device(&Device::Cpu)?.to_dtype(DType::F32)?;
        let y = y.to_vec1::<f32>()?;
        for (index, y) in y.into_iter().enumerate() {
            let added = if (10..80).contains(&index) {
                index as f32 - 7.0
            } else {
                0.0
            };
            assert_eq!(y, index as f32 + added, "element {index} of {dtype:?}");
        }
    }
    Ok(())
}

struct NoGradient;

impl Operation<1> for NoGradient {
    const NAME: &'static str = "no-gradient";

    fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
        let (x, mut y) = (call.input::<f32, 1>(0)?, call.output::<f32, 1>()?);
        call.launch(add(&x, &mut y))
    }
}

#[test]
fn an_operation_without_a_gradient_says_so() -> Result<()> {
    let x = Var::from_tensor(&random(1, &[5], DType::F32)?)?;
    let y = x.apply_op1(Op(NoGradient))?;
    assert_eq!(difference(&y, &x)?, 0.0);
    let error = y
        .sum_all()?
        .backward()
        .expect_err("it has none")
        .to_string();
    assert!(error.contains("no-gradient"), "{error}");
    let matrix = random(1, &[5, 5], DType::F32)?;
    let error = matrix
        .apply_op1(Op(NoGradient))
        .expect_err("it has two axes")
        .to_string();
    assert!(error.contains("unexpected rank"), "{error}");
    Ok(())
}
