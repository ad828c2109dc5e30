//! Tests of borrowed memory, on the CPU device and the simulated GPU.

#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "the numbers are small integers"
)]

use tile_kernel::foreign::{self, BorrowError, Permission};
use tile_kernel::{Error, Result, prelude::*};

/// Adds `a` times `x` to `y`.
#[tile_kernel(grid = y.tiles([16, 16]))]
fn add_scaled(a: f32, x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let sum = y.load([i, j], [16, 16]) + x.load([i, j], [16, 16]) * a;
    y.store([i, j], sum);
}

#[tile_kernel(grid = y.tiles([64]), types(T = u8 | i64 | f16 | f64))]
fn double<T: Element>(x: &Tensor<T, 1>, y: &mut Tensor<T, 1>) {
    let tile = x.load([block_id(0)], [64]);
    y.store([block_id(0)], tile + tile);
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::sim()]
}

fn counted(len: usize) -> Vec<f32> {
    (0..len).map(|number| number as f32).collect()
}

fn borrow_error<T: std::fmt::Debug>(result: Result<T>) -> BorrowError {
    match result {
        Err(Error::Borrow(error)) => error,
        other => panic!("{other:?} is no error of a borrow"),
    }
}

#[test]
fn slices_are_arguments_without_a_copy() -> Result<()> {
    for device in devices() {
        // Neither has an aligned row or an aligned first element.
        let x = counted(1 + 33 * 21);
        let mut y = vec![1.0; 3 + 33 * 21];
        let (x, y) = (&x[1..], &mut y[3..]);
        let at = y.as_ptr() as u64;
        foreign::scope(|scope| {
            let x = scope.slice(&device, x, [33, 21])?;
            let mut y = scope.slice_mut(&device, y, [33, 21])?;
            assert_eq!(foreign::address(&y), at);
            assert_eq!((y.shape(), y.device()), ([33, 21], device));
            add_scaled(2.0, &x, &mut y).launch()
        })?;
        let expected: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
        assert_eq!(y, expected);
    }
    Ok(())
}

#[test]
fn the_elements_between_strides_stay() -> Result<()> {
    for device in devices() {
        // Rows of 5 of 8 elements, and the columns of a row-major matrix.
        let x = counted(4 * 5);
        let mut y = vec![-1.0; 4 * 8 + 3];
        foreign::scope(|scope| {
            let x = scope.strided(&device, &x, [4, 5], [1, 4])?;
            let mut y = scope.strided_mut(&device, &mut y, [4, 5], [8, 1])?;
            y.fill(0.0)?;
            add_scaled(1.0, &x, &mut y).launch()
        })?;
        for (index, &y) in y.iter().enumerate() {
            let expected = match (index / 8, index % 8) {
                (row @ 0..4, column @ 0..5) => x[row + 4 * column],
                _ => -1.0,
            };
            assert_eq!(y, expected, "element {index} on {device}");
        }
    }
    Ok(())
}

#[test]
fn every_element_type_is_borrowed() -> Result<()> {
    fn check<T: DoubleInstance + foreign::AnyBits + std::fmt::Debug>(one: T, two: T) -> Result<()> {
        for device in devices() {
            let (x, mut y) = (vec![one; 100], vec![T::default(); 100]);
            foreign::scope(|scope| {
                let x = scope.slice(&device, &x, [100])?;
                let mut y = scope.slice_mut(&device, &mut y, [100])?;
                double(&x, &mut y).launch()
            })?;
            assert_eq!(y, vec![two; 100]);
        }
        Ok(())
    }
    check(1u8, 2)?;
    check(-(1i64 << 40), -(1i64 << 41))?;
    check(f16::ONE, f16::from_f32(2.0))?;
    check(0.5f64, 1.0)
}

#[test]
fn empty_slices_are_borrowed() -> Result<()> {
    for device in devices() {
        foreign::scope(|scope| {
            let x = scope.slice::<f32, 2>(&device, &[], [0, 4])?;
            assert!(x.to_vec()?.is_empty());
            let mut y = scope.strided_mut::<f32, 2>(&device, &mut [], [4, 0], [7, 1])?;
            y.fill(1.0)
        })?;
    }
    Ok(())
}

#[test]
fn views_of_a_borrow_are_used_in_it_and_not_after_it() -> Result<()> {
    for device in devices() {
        let mut data = counted(6);
        let mut view = foreign::scope(|scope| {
            let matrix = scope.slice_mut(&device, &mut data, [2, 3])?;
            assert_eq!(matrix.t().to_vec()?, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
            let mut view = matrix.narrow(0, 1..2)?;
            view.fill(7.0)?;
            Ok::<_, Error>(view)
        })?;
        assert_eq!(data, [0.0, 1.0, 2.0, 7.0, 7.0, 7.0]);
        let ended = BorrowError::Ended { param: None };
        assert_eq!(borrow_error(view.to_vec()), ended);
        assert_eq!(borrow_error(view.fill(1.0)), ended);
        assert_eq!(borrow_error(view.copy_from_slice(&[1.0; 3])), ended);
        let mut sum = Tensor::zeros(&device, [1, 3])?;
        assert_eq!(
            borrow_error(add_scaled(1.0, &view, &mut sum).launch()),
            BorrowError::Ended {
                param: Some(("add_scaled", "x"))
            }
        );
    }
    Ok(())
}

#[test]
fn a_leaked_borrow_ends_with_its_scope() -> Result<()> {
    let mut data = counted(4);
    let view = foreign::scope(|scope| {
        let whole = scope.slice_mut(&Device::cpu(), &mut data, [4])?;
        let view = whole.narrow(0, ..4)?;
        std::mem::forget(whole);
        Ok::<_, Error>(view)
    })?;
    assert_eq!(
        borrow_error(view.to_vec()),
        BorrowError::Ended { param: None }
    );
    Ok(())
}

#[test]
fn a_borrow_ends_when_a_scope_panics() {
    let mut data = counted(4);
    let mut kept = None;
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        foreign::scope(|scope| {
            let whole = scope.slice_mut(&Device::cpu(), &mut data, [4]);
            kept = whole.and_then(|whole| whole.narrow(0, ..4)).ok();
            panic!("on purpose");
        });
    }));
    assert!(outcome.is_err());
    let view = kept.expect("it is a view of the whole");
    assert_eq!(
        borrow_error(view.to_vec()),
        BorrowError::Ended { param: None }
    );
}

#[test]
fn a_swapped_tensor_ends_with_its_own_borrow() -> Result<()> {
    let mut data = counted(4);
    let mut own = Tensor::zeros(&Device::cpu(), [4])?;
    foreign::scope(|scope| {
        let mut borrowed = scope.slice_mut(&Device::cpu(), &mut data, [4])?;
        std::mem::swap(&mut *borrowed, &mut own);
        assert_eq!(own.to_vec()?, counted(4));
        assert_eq!(borrowed.to_vec()?, [0.0; 4]);
        Ok::<_, Error>(())
    })?;
    assert_eq!(
        borrow_error(own.to_vec()),
        BorrowError::Ended { param: None }
    );
    Ok(())
}

#[test]
fn what_is_borrowed_to_be_read_is_not_written() -> Result<()> {
    for device in devices() {
        let (x, y) = (counted(4), counted(4));
        foreign::scope(|scope| {
            let x = scope.slice(&device, &x, [2, 2])?;
            let y = scope.slice(&device, &y, [2, 2])?;
            let mut view = y.t();
            let read_only = BorrowError::ReadOnly { param: None };
            assert_eq!(borrow_error(view.fill(0.0)), read_only);
            assert_eq!(borrow_error(view.copy_from_slice(&[0.0; 4])), read_only);
            assert_eq!(
                borrow_error(add_scaled(1.0, &x, &mut view).launch()),
                BorrowError::ReadOnly {
                    param: Some(("add_scaled", "y"))
                }
            );
            add_scaled(1.0, &x, &mut view.copy()?).launch()
        })?;
        assert_eq!(y, counted(4));
    }
    Ok(())
}

#[test]
fn borrows_of_one_slice_may_be_read_together() -> Result<()> {
    for device in devices() {
        let x = counted(4);
        let mut y = vec![0.0; 4];
        foreign::scope(|scope| {
            let first = scope.slice(&device, &x, [2, 2])?;
            let second = scope.slice(&device, &x, [2, 2])?;
            let mut y = scope.slice_mut(&device, &mut y, [2, 2])?;
            add_scaled(1.0, &first, &mut y).launch()?;
            add_scaled(1.0, &second.t(), &mut y).launch()
        })?;
        assert_eq!(y, [0.0, 3.0, 3.0, 6.0]);
    }
    Ok(())
}

#[test]
fn a_view_that_is_written_is_no_other_argument() -> Result<()> {
    for device in devices() {
        let mut data = counted(8);
        foreign::scope(|scope| {
            let both = scope.slice_mut(&device, &mut data, [4, 2])?;
            let (upper, mut lower) = (both.narrow(0, ..3)?, both.narrow(0, 2..)?);
            let error = add_scaled(1.0, &upper.narrow(0, 1..)?, &mut lower).launch();
            assert!(matches!(error, Err(Error::Aliasing { .. })), "{error:?}");
            add_scaled(1.0, &upper.narrow(0, ..2)?, &mut lower).launch()
        })?;
        assert_eq!(data, [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0]);
    }
    Ok(())
}

#[test]
fn memory_that_is_kept_twice_is_no_two_arguments() -> Result<()> {
    let mut data = counted(4);
    let parts = (data.as_mut_ptr(), data.len());
    let layout = ([2, 2], [2, 1]);
    let cpu = Device::cpu();
    // SAFETY: `data` lives longer than both, and nothing else uses it meanwhile. The launches use one at a time.
    let [first, mut second] = unsafe {
        [
            foreign::keep_ptr(&cpu, parts, layout, Permission::Read, ())?,
            foreign::keep_ptr(&cpu, parts, layout, Permission::Write, ())?,
        ]
    };
    let error = add_scaled(1.0, &first, &mut second).launch();
    assert!(matches!(error, Err(Error::Aliasing { .. })), "{error:?}");
    add_scaled(1.0, &first.copy()?, &mut second).launch()?;
    drop((first, second));
    assert_eq!(data, [0.0, 2.0, 4.0, 6.0]);
    Ok(())
}

#[test]
fn a_kept_owner_is_dropped_after_the_last_view() -> Result<()> {
    use std::sync::Arc;
    let owner = Arc::new(counted(6));
    let pointer = owner.as_ptr().cast_mut();
    // SAFETY: the vector is kept, and never written.
    let tensor = unsafe {
        foreign::keep_ptr(
            &Device::cpu(),
            (pointer, 6),
            ([2, 3], [3, 1]),
            Permission::Read,
            Arc::clone(&owner),
        )?
    };
    let mut view = tensor.t();
    drop(tensor);
    assert_eq!(Arc::strong_count(&owner), 2);
    assert_eq!(view.to_vec()?, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    assert_eq!(
        borrow_error(view.fill(1.0)),
        BorrowError::ReadOnly { param: None }
    );
    drop(view);
    assert_eq!(Arc::strong_count(&owner), 1);
    Ok(())
}

#[test]
fn a_vector_becomes_a_tensor() -> Result<()> {
    for device in devices() {
        let data = counted(4);
        let at = data.as_ptr() as u64;
        let mut y = foreign::keep(&device, data, [2, 2])?;
        assert_eq!(foreign::address(&y), at);
        assert_eq!(foreign::address(&y.narrow(0, 1..)?), at + 8);
        let x = y.copy()?;
        add_scaled(1.0, &x, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [0.0, 2.0, 4.0, 6.0]);
    }
    Ok(())
}

#[test]
fn memory_that_does_not_fit_is_refused() {
    let cpu = Device::cpu();
    let mut data = counted(8);
    foreign::scope(|scope| {
        let error = scope.slice(&cpu, &data, [3, 3]);
        assert!(
            matches!(error, Err(Error::LengthMismatch { .. })),
            "{error:?}"
        );
        for (strides, last) in [([6, 1], Some(8)), ([usize::MAX, 2], None)] {
            let error = scope.strided(&cpu, &data, [2, 3], strides).err();
            let expected = Error::StridesOutOfBounds {
                shape: vec![2, 3],
                strides: strides.to_vec(),
                offset: 0,
                last,
                len: 8,
            };
            assert_eq!(error, Some(expected));
        }
        assert!(scope.strided(&cpu, &data, [2, 3], [5, 1]).is_ok());
    });
    let layout = ([8], [1]);
    // SAFETY: nothing is used: each call fails.
    unsafe {
        let null = std::ptr::null_mut::<f32>();
        let error = foreign::keep_ptr(&cpu, (null, 8), layout, Permission::Read, ());
        assert_eq!(borrow_error(error), BorrowError::Null { len: 8 });
        let odd = data.as_mut_ptr().byte_add(2);
        let error = foreign::keep_ptr(&cpu, (odd, 7), ([7], [1]), Permission::Read, ());
        assert_eq!(
            borrow_error(error),
            BorrowError::Misaligned {
                address: odd as u64,
                element_bytes: 4
            }
        );
        let empty = foreign::keep_ptr(&cpu, (null, 0), ([0], [1]), Permission::Read, ());
        assert!(empty.is_ok());
        let stream = foreign::Stream::from_raw(&cpu, std::ptr::null_mut());
        assert_eq!(borrow_error(stream), BorrowError::NoGpu { device: cpu });
    }
}

/// Launches from several threads, each of which ends its borrow while others run.
#[test]
fn borrows_end_while_other_threads_launch() -> Result<()> {
    let x = counted(64);
    let launch = |number: usize| {
        let mut y = vec![number as f32; 64];
        foreign::scope(|scope| {
            let x = scope.slice(&Device::cpu(), &x, [8, 8])?;
            let mut y = scope.slice_mut(&Device::cpu(), &mut y, [8, 8])?;
            add_scaled(1.0, &x, &mut y).launch()
        })?;
        Ok::<_, Error>(y)
    };
    std::thread::scope(|threads| {
        let all: Vec<_> = (0..8)
            .map(|number| threads.spawn(move || launch(number)))
            .collect();
        for (number, thread) in all.into_iter().enumerate() {
            let y = thread.join().expect("it does not panic")?;
            assert!(y.iter().zip(&x).all(|(y, x)| *y == x + number as f32));
        }
        Ok(())
    })
}

#[test]
fn elements_between_those_of_a_pointer_are_not_reached() -> Result<()> {
    let mut data = counted(12);
    foreign::scope(|scope| {
        let whole = scope.strided(&Device::cpu(), &data, [3, 2], [4, 1])?;
        assert_eq!(whole.as_strided([12], [1], 0)?.to_vec()?, counted(12));
        Ok::<_, Error>(())
    })?;
    let memory = (data.as_mut_ptr(), 12);
    foreign::scope(|scope| {
        // SAFETY: `data` lives longer than the scope, in which nothing else uses it.
        let part = unsafe { scope.ptr_mut(&Device::cpu(), memory, ([3, 2], [4, 1])) }?;
        let error = part.narrow(0, 1..)?.as_strided([2], [1], 0).err();
        assert_eq!(error, Some(Error::Borrow(BorrowError::Between)));
        part.narrow(0, 1..)?.fill(0.0)?;
        drop(part);
        // SAFETY: as above.
        let all = unsafe {
            scope.ptr(
                &Device::cpu(),
                (memory.0.cast_const(), 12),
                ([3, 4], [4, 1]),
            )
        }?;
        assert_eq!(all.as_strided([3], [4], 0)?.to_vec()?, [0.0, 0.0, 0.0]);
        Ok::<_, Error>(())
    })?;
    assert_eq!(
        data,
        [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 6.0, 7.0, 0.0, 0.0, 10.0, 11.0]
    );
    Ok(())
}

#[test]
fn two_borrows_that_interleave_are_two_arguments() -> Result<()> {
    let mut data = counted(12);
    let memory = data.as_mut_ptr();
    foreign::scope(|scope| {
        // SAFETY: the elements of the three borrows are used by none but the launches, which decide what they share.
        let [x, mut y, mut z] = unsafe {
            [
                scope.ptr_mut(&Device::cpu(), (memory, 10), ([3, 2], [4, 1]))?,
                scope.ptr_mut(&Device::cpu(), (memory.add(2), 10), ([3, 2], [4, 1]))?,
                scope.ptr_mut(&Device::cpu(), (memory.add(1), 10), ([3, 2], [4, 1]))?,
            ]
        };
        let error = add_scaled(1.0, &x, &mut z).launch();
        assert!(matches!(error, Err(Error::Aliasing { .. })), "{error:?}");
        add_scaled(1.0, &x, &mut y).launch()
    })?;
    assert_eq!(
        data,
        [
            0.0, 1.0, 2.0, 4.0, 4.0, 5.0, 10.0, 12.0, 8.0, 9.0, 18.0, 20.0
        ]
    );
    Ok(())
}
