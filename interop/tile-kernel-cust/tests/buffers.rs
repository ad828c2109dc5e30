//! Kernels on buffers and streams of `cust`, on a GPU or the simulated driver. `cargo xtask interop` runs them.

use cust::memory::{CopyDestination, DeviceBuffer};
use cust::stream::{Stream, StreamFlags};
use tile_kernel::foreign;
use tile_kernel::{Error, prelude::*};
use tile_kernel_cust::{BorrowBuffers, Queue};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

/// Adds `x` to `y`.
#[tile_kernel(grid = y.tiles([8, 32]), types(T = f32 | f16), arch("sm_80"))]
fn add<T: Element>(x: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let sum = x.load([i, j], [8, 32]) + y.load([i, j], [8, 32]);
    y.store([i, j], sum);
}

#[test]
fn launches_are_ordered_with_the_work_of_a_stream() -> Result {
    let _context = cust::quick_init()?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
    let numbers: Vec<f32> = (0..20 * 50).map(|number| number as f32).collect();
    let x = DeviceBuffer::from_slice(&numbers)?;
    let mut y = DeviceBuffer::from_slice(&vec![1.0f32; 20 * 50])?;
    let queue = Queue::new(&stream)?;
    for _ in 0..2 {
        foreign::scope(|scope| {
            // SAFETY: the stream is synchronized before the buffers are used by others.
            unsafe {
                let x = scope.buffer::<_, f32, 2>(&x, &queue, [50, 20], [1, 50])?;
                let mut y = scope.buffer_mut::<_, f32, 2>(&mut y, &queue, [50, 20], [20, 1])?;
                // On the stream, and on our own, which the stream waits for.
                add(&x, &mut y).on(&queue).launch()?;
                add(&x, &mut y).launch()
            }
        })?;
    }
    stream.synchronize()?;
    let mut host = vec![0.0f32; 20 * 50];
    y.copy_to(&mut host)?;
    for (index, &y) in host.iter().enumerate() {
        let (row, column) = (index / 20, index % 20);
        assert_eq!(y, 1.0 + 4.0 * (column * 50 + row) as f32, "element {index}");
    }
    Ok(())
}

#[test]
fn slices_of_other_types_of_one_size_are_arguments() -> Result {
    let _context = cust::quick_init()?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
    let queue = Queue::new(&stream)?;
    let x = DeviceBuffer::from_slice(&[f16::from_f32(2.5).to_bits(); 64])?;
    let mut y = DeviceBuffer::from_slice(&[f16::ONE.to_bits(); 100])?;
    foreign::scope(|scope| {
        // SAFETY: the bits are those of `f16`; the stream is synchronized below.
        unsafe {
            let x = scope.buffer::<u16, f16, 2>(&x, &queue, [4, 16], [16, 1])?;
            let mut y = scope.buffer_mut::<u16, f16, 2>(&mut y, &queue, [4, 16], [16, 1])?;
            add(&x, &mut y).on(&queue).launch()
        }
    })?;
    stream.synchronize()?;
    let mut host = [0u16; 100];
    y.copy_to(&mut host)?;
    let expected = |index: usize| f16::from_f32(if index < 64 { 3.5 } else { 1.0 }).to_bits();
    assert!(
        host.iter()
            .enumerate()
            .all(|(index, &y)| y == expected(index))
    );
    Ok(())
}

#[test]
fn a_slice_that_is_too_short_is_refused() -> Result {
    let _context = cust::quick_init()?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
    let queue = Queue::new(&stream)?;
    let x = DeviceBuffer::from_slice(&[1.0f32; 8])?;
    foreign::scope(|scope| {
        // SAFETY: nothing is launched.
        let error = unsafe { scope.buffer::<_, f32, 2>(&x, &queue, [3, 3], [3, 1]) }.err();
        assert!(
            matches!(error, Some(Error::StridesOutOfBounds { len: 8, .. })),
            "{error:?}"
        );
    });
    Ok(())
}
