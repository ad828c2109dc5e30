//! Kernels on memory and streams of `cudarc`, on a GPU or the simulated driver. `cargo xtask interop` runs them.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, DriverError};
use tile_kernel::foreign::{self, BorrowError};
use tile_kernel::{Error, prelude::*};
use tile_kernel_cudarc::{BorrowSlices, Queue};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

/// Adds `x` to `y`.
#[tile_kernel(grid = y.tiles([8, 32]), arch("sm_80"))]
fn add(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let sum = x.load([i, j], [8, 32]) + y.load([i, j], [8, 32]);
    y.store([i, j], sum);
}

fn context() -> std::result::Result<Arc<CudaContext>, DriverError> {
    CudaContext::new(0)
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|number| number as f32).collect()
}

/// Launches on the stream of `cudarc` or on our own.
#[derive(Clone, Copy)]
enum On {
    Theirs,
    Ours,
}

fn add_on(on: On, stream: &Arc<CudaStream>, queue_of: &CudaStream) -> Result {
    let x = stream.clone_htod(&numbers(20 * 50))?;
    let mut y = stream.clone_htod(&numbers(20 * 50))?;
    let queue = Queue::new(queue_of)?;
    for _ in 0..3 {
        foreign::scope(|scope| {
            let x = scope.device_slice(x.as_view(), &queue, [20, 50])?;
            let mut y = scope.device_slice_mut(y.as_view_mut(), &queue, [20, 50])?;
            let launch = add(&x, &mut y);
            match on {
                On::Theirs => launch.on(&queue).launch(),
                On::Ours => launch.launch(),
            }
        })?;
        // The work of `cudarc` follows the launch, without waiting on the host.
        let copy = y.clone();
        stream.memcpy_dtod(&copy, &mut y)?;
    }
    let expected: Vec<f32> = numbers(20 * 50).iter().map(|x| 4.0 * x).collect();
    assert_eq!(stream.clone_dtoh(&y)?, expected);
    Ok(())
}

#[test]
fn launches_are_ordered_with_the_work_of_a_stream() -> Result {
    let context = context()?;
    for on in [On::Theirs, On::Ours] {
        let stream = context.default_stream();
        add_on(on, &stream, &stream)?;
        let stream = context.new_stream()?;
        add_on(on, &stream, &stream)?;
        // The memory is used on another stream than it was borrowed for: `cudarc` orders them.
        let other = context.new_stream()?;
        add_on(on, &stream, &other)?;
    }
    Ok(())
}

#[test]
fn views_and_strides_are_arguments() -> Result {
    let context = context()?;
    let stream = context.new_stream()?;
    let x = stream.clone_htod(&numbers(6 * 40))?;
    let mut y = stream.alloc_zeros::<f32>(5 + 40 * 8)?;
    let queue = Queue::new(&stream)?;
    foreign::scope(|scope| {
        // SAFETY: all are `f32`.
        unsafe {
            let x =
                scope.device_slice_as::<f32, f32, 2>(x.as_view(), &queue, ([40, 6], [1, 40]))?;
            let y = y.try_slice_mut(5..).expect("it is longer");
            let mut y = scope.device_slice_mut_as::<f32, f32, 2>(y, &queue, ([40, 6], [8, 1]))?;
            add(&x, &mut y).on(&queue).launch()
        }
    })?;
    let y = stream.clone_dtoh(&y)?;
    for (index, &y) in y.iter().enumerate() {
        let expected = match index.checked_sub(5).map(|at| (at / 8, at % 8)) {
            Some((row, column @ 0..6)) => (column * 40 + row) as f32,
            _ => 0.0,
        };
        assert_eq!(y, expected, "element {index}");
    }
    Ok(())
}

#[test]
fn a_view_that_leaves_its_scope_is_not_used() -> Result {
    let context = context()?;
    let stream = context.new_stream()?;
    let x = stream.clone_htod(&numbers(8))?;
    let queue = Queue::new(&stream)?;
    let view = foreign::scope(|scope| {
        let x = scope.device_slice(x.as_view(), &queue, [2, 4])?;
        assert_eq!(x.to_vec()?, numbers(8));
        let view = x.t();
        std::mem::forget(x);
        Ok::<_, Error>(view)
    })?;
    drop(x);
    let ended = Error::Borrow(BorrowError::Ended { param: None });
    assert_eq!(view.to_vec(), Err(ended));
    let mut y = Tensor::zeros(&queue.device(), [4, 2])?;
    let error = add(&view, &mut y).launch();
    let ended = BorrowError::Ended {
        param: Some(("add", "x")),
    };
    assert_eq!(error, Err(Error::Borrow(ended)));
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result {
    let context = context()?;
    let stream = context.new_stream()?;
    let mut x = stream.clone_htod(&numbers(8))?;
    let queue = Queue::new(&stream)?;
    foreign::scope(|scope| {
        let error = scope.device_slice(x.as_view(), &queue, [3, 3]).err();
        assert!(
            matches!(error, Some(Error::StridesOutOfBounds { len: 8, .. })),
            "{error:?}"
        );
        let short = scope.device_slice(x.as_view(), &queue, [2, 4])?;
        let error = add(&short.t(), &mut short.narrow(0, 0..2)?).launch();
        let refused = BorrowError::ReadOnly {
            param: Some(("add", "y")),
        };
        assert_eq!(error, Err(Error::Borrow(refused)));
        Ok::<_, Error>(())
    })?;
    foreign::scope(|scope| {
        let both = scope.device_slice_mut(x.as_view_mut(), &queue, [4, 2])?;
        let error = add(&both.narrow(0, 0..3)?, &mut both.narrow(0, 1..4)?).launch();
        assert!(matches!(error, Err(Error::Aliasing { .. })), "{error:?}");
        Ok::<_, Error>(())
    })?;
    // Memory of the host, and no memory at all.
    let host = numbers(8);
    // SAFETY: nothing is used: each call fails.
    unsafe {
        let raw = foreign::Stream::from_raw(&queue.device(), stream.cu_stream().cast())?;
        let parts = |address| foreign::DeviceParts {
            address,
            len: 8,
            shape: [8],
            strides: [1],
        };
        let error = foreign::Borrowed::<f32, 1>::from_device_ptr(&raw, parts(host.as_ptr() as u64));
        assert!(
            matches!(
                error,
                Err(Error::Borrow(BorrowError::UnknownAddress { .. }))
            ),
            "{error:?}"
        );
        let error = foreign::Borrowed::<f32, 1>::from_device_ptr(&raw, parts(0));
        assert!(
            matches!(error, Err(Error::Borrow(BorrowError::Null { len: 8 }))),
            "{error:?}"
        );
        let error = foreign::Borrowed::<f32, 1>::from_device_ptr(&raw, parts(6));
        assert!(
            matches!(error, Err(Error::Borrow(BorrowError::Misaligned { .. }))),
            "{error:?}"
        );
    }
    Ok(())
}
