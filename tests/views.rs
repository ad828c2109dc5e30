//! Tests of views on the CPU device, on the simulated GPU, and on a GPU if there is one, compared with lists of their
//! elements.

use std::collections::HashSet;

use tile_kernel::prelude::*;
use tile_kernel::{Error, Overlap, Result};

/// Copies a tensor. Every block copies a tile of 2 by 2 by 4.
#[tile_kernel(grid = y.tiles([2, 2, 4]), arch("sm_80"))]
fn copy(x: &Tensor<i32, 3>, y: &mut Tensor<i32, 3>) {
    let (i, j, k) = (block_id(0), block_id(1), block_id(2));
    y.store([i, j, k], x.load([i, j, k], [2, 2, 4]));
}

/// Adds a row to a matrix, and stores which rows were added to it.
#[tile_kernel(grid = y.tiles([4, 16]), arch("sm_80"))]
fn add(x: &Tensor<f32, 2>, bias: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [4, 16]) + bias.load([i, j], [4, 16]));
}

/// Stores 1 and 2.
#[tile_kernel(grid = x.tiles([4, 4]), arch("sm_80"))]
fn one_and_two(x: &mut Tensor<i32, 2>, y: &mut Tensor<i32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    x.store([i, j], full([4, 4], 1));
    y.store([i, j], full([4, 4], 2));
}

/// Returns the CPU device, the simulated GPU, and a GPU if there is one.
fn devices() -> impl Iterator<Item = Device> {
    let gpu = Device::cuda(0).ok();
    [Device::cpu(), Device::sim()].into_iter().chain(gpu)
}

fn numbers(len: usize) -> Vec<i32> {
    (100..).take(len).collect()
}

/// A view as the list of its elements' positions, in row-major order.
#[derive(Clone, Debug)]
struct Model {
    shape: [usize; 3],
    places: Vec<usize>,
}

impl Model {
    fn new(shape: [usize; 3]) -> Model {
        Model {
            shape,
            places: (0..shape.iter().product()).collect(),
        }
    }

    /// Returns the view whose index `i` is index `f(i)` of this one.
    fn mapped(&self, shape: [usize; 3], f: impl Fn([usize; 3]) -> [usize; 3]) -> Model {
        let [_, rows, columns] = self.shape;
        let mut places = Vec::new();
        for i in 0..shape[0] {
            for j in 0..shape[1] {
                for k in 0..shape[2] {
                    let [i, j, k] = f([i, j, k]);
                    places.push(self.places[(i * rows + j) * columns + k]);
                }
            }
        }
        Model { shape, places }
    }

    fn is_writable(&self) -> bool {
        self.places.iter().collect::<HashSet<_>>().len() == self.places.len()
    }
}

/// Returns three factors of a number.
fn factors(random: &mut fastrand::Rng, len: usize) -> [usize; 3] {
    let divisors = |len: usize| (1..=len.max(1)).filter(move |by| len.is_multiple_of(*by));
    let mut draw = |len| {
        let all: Vec<usize> = divisors(len).collect();
        all[random.usize(0..all.len())]
    };
    let first = draw(len);
    let second = draw(len / first);
    [first, second, len / first / second]
}

/// Applies one random method to a view and to its model.
fn step(
    random: &mut fastrand::Rng,
    view: Tensor<i32, 3>,
    model: Model,
) -> Result<(Tensor<i32, 3>, Model)> {
    let axis = random.usize(0..3);
    let extent = model.shape[axis];
    let start = random.usize(0..=extent);
    let end = random.usize(start..=extent);
    let with = |value: usize| {
        let mut shape = model.shape;
        shape[axis] = value;
        shape
    };
    Ok(match random.usize(0..10) {
        0 => (
            view.narrow(axis, start..end)?,
            model.mapped(with(end - start), |mut at| {
                at[axis] += start;
                at
            }),
        ),
        1 | 2 => {
            let by = random.usize(1..4);
            (
                view.slice(axis, start.., by.cast_signed())?,
                model.mapped(with((extent - start).div_ceil(by)), |mut at| {
                    at[axis] = start + at[axis] * by;
                    at
                }),
            )
        }
        3 => {
            let mut axes = [0, 1, 2];
            random.shuffle(&mut axes);
            let permuted = model.mapped(axes.map(|axis| model.shape[axis]), |at| {
                let mut from = [0; 3];
                for (to, axis) in at.into_iter().zip(axes) {
                    from[axis] = to;
                }
                from
            });
            (view.permute(axes)?, permuted)
        }
        4 => {
            let other = random.usize(0..3);
            let mut shape = model.shape;
            shape.swap(axis, other);
            let transposed = model.mapped(shape, |mut at| {
                at.swap(axis, other);
                at
            });
            (view.transpose(axis, other)?, transposed)
        }
        5 => {
            let shape = factors(random, model.places.len());
            match view.reshape(shape) {
                Ok(reshaped) if !model.places.is_empty() => (reshaped, Model { shape, ..model }),
                _ => (view, model),
            }
        }
        6 if extent > 0 => {
            let index = random.usize(0..extent);
            let selected = model.mapped(with(1), |mut at| {
                at[axis] = index;
                at
            });
            let view = view.select(axis, index)?.unsqueeze(axis)?;
            (view.squeeze(axis)?.unsqueeze(axis)?, selected)
        }
        7 | 9 if extent == 1 => {
            let shape = with(random.usize(0..5));
            let repeated = model.mapped(shape, |mut at| {
                at[axis] = 0;
                at
            });
            (view.broadcast_to(shape)?, repeated)
        }
        8 if extent > 0 => {
            let len = random.usize(1..=extent);
            let number = random.usize(0..extent.div_ceil(len));
            let chunk = view.chunks(axis, len)?.nth(number).expect("it exists");
            let first = number * len;
            let model = model.mapped(with(len.min(extent - first)), |mut at| {
                at[axis] += first;
                at
            });
            (chunk, model)
        }
        _ => (view, model),
    })
}

#[test]
fn random_views_have_the_elements_of_their_model_and_kernels_see_them() -> Result<()> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut counts = [0; 3];
    for round in 0..800 {
        let shape = [(); 3].map(|()| random.usize(1..7));
        let len = shape.iter().product();
        // The simulator takes longer.
        let device = if round % 8 == 0 {
            Device::sim()
        } else {
            Device::cpu()
        };
        let whole = Tensor::from_slice(&device, &numbers(len), shape)?;
        let (mut view, mut model) = (whole.reshape(shape)?, Model::new(shape));
        for _ in 0..random.usize(1..5) {
            (view, model) = step(&mut random, view, model)?;
        }
        assert_eq!(view.shape(), model.shape);
        let expected: Vec<i32> = model.places.iter().map(|&at| numbers(len)[at]).collect();
        assert_eq!(view.to_vec()?, expected, "{view:?}");
        assert_eq!(view.contiguous()?.to_vec()?, expected, "{view:?}");
        let mut read = Tensor::zeros(&device, model.shape)?;
        copy(&view, &mut read).launch()?;
        assert_eq!(read.to_vec()?, expected, "{view:?} on {device}");

        let new: Vec<i32> = expected.iter().map(|number| -number).collect();
        let source = Tensor::from_slice(&device, &new, model.shape)?;
        let mut after = numbers(len);
        let written = if model.is_writable() {
            for (&at, &number) in model.places.iter().zip(&new) {
                after[at] = number;
            }
            counts[usize::from(model.places.is_empty())] += 1;
            Ok(())
        } else {
            counts[2] += 1;
            Err(Error::ReadOnlyView {
                shape: view.shape().to_vec(),
                strides: view.strides().to_vec(),
            })
        };
        if round % 3 == 0 {
            assert_eq!(view.copy_from_slice(&new), written);
        } else {
            let launched = copy(&source, &mut view).launch();
            assert_eq!(launched.is_ok(), written.is_ok(), "{launched:?}");
            let is_refused = matches!(launched, Ok(()) | Err(Error::ReadOnlyArgument { .. }));
            assert!(is_refused, "{launched:?}");
        }
        assert_eq!(whole.to_vec()?, after, "{view:?} on {device}");
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    Ok(())
}

#[test]
fn launches_accept_two_random_views_exactly_if_they_have_no_element_in_common() -> Result<()> {
    let mut random = fastrand::Rng::with_seed(2);
    let device = Device::cpu();
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let shape = [(); 3].map(|()| random.usize(1..6));
        let whole = Tensor::from_slice(&device, &numbers(shape.iter().product()), shape)?;
        let mut draw = || -> Result<_> {
            let (mut view, mut model) = (whole.reshape(shape)?, Model::new(shape));
            for _ in 0..random.usize(1..4) {
                (view, model) = step(&mut random, view, model)?;
            }
            Ok((view, model))
        };
        let ((read, first), (mut written, second)) = (draw()?, draw()?);
        if !second.is_writable() {
            continue;
        }
        let is_shared = first
            .places
            .iter()
            .any(|place| second.places.contains(place));
        let launched = copy(&read, &mut written).launch();
        if is_shared {
            assert_eq!(
                launched,
                Err(Error::Aliasing {
                    kernel: "copy",
                    exclusive: "y",
                    other: "x",
                    other_is_written: false,
                    overlap: Overlap::Proven,
                }),
                "{read:?} {written:?}"
            );
        } else {
            assert_eq!(launched, Ok(()), "{read:?} {written:?}");
        }
        counts[usize::from(is_shared)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    Ok(())
}

#[test]
fn a_launch_is_refused_where_strides_take_too_long_to_compare() -> Result<()> {
    let memory = Tensor::<i32, 1>::zeros(&Device::cpu(), [40_000_000])?;
    let read = memory.as_strided([20; 3], [608_367, 602_305, 504_652], 0)?;
    let mut written = memory.as_strided([20; 3], [688_519, 620_415, 588_715], 7)?;
    assert_eq!(
        copy(&read, &mut written).launch(),
        Err(Error::Aliasing {
            kernel: "copy",
            exclusive: "y",
            other: "x",
            other_is_written: false,
            overlap: Overlap::Undecided,
        })
    );
    Ok(())
}

#[test]
fn disjoint_parts_are_written_by_one_launch() -> Result<()> {
    for device in devices() {
        let mut both = Tensor::zeros(&device, [3, 5])?;
        let (mut left, mut right) = both.split_at_mut(1, 3)?;
        one_and_two(&mut left, &mut right).launch()?;
        assert_eq!(both.to_vec()?, [1, 1, 1, 2, 2].repeat(3), "{device}");

        let mut both = Tensor::zeros(&device, [2, 4])?;
        let mut chunks = both.chunks_mut(1, 2)?;
        let (mut first, mut second) = (
            chunks.next().expect("there are two"),
            chunks.next().expect("there are two"),
        );
        one_and_two(&mut second, &mut first).launch()?;
        drop(chunks);
        assert_eq!(both.to_vec()?, [2, 2, 1, 1, 2, 2, 1, 1], "{device}");

        let mut planes = Tensor::zeros(&device, [2, 3, 2])?;
        let mut columns: Vec<_> = planes.axis_iter_mut(2)?.collect();
        let [even, odd] = &mut columns[..] else {
            panic!("two columns")
        };
        one_and_two(even, odd).launch()?;
        assert_eq!(planes.to_vec()?, [1, 2].repeat(6), "{device}");
        let error = one_and_two(&mut planes.select(2, 0)?, &mut planes.select(2, 0)?).launch();
        assert_eq!(
            error,
            Err(Error::Aliasing {
                kernel: "one_and_two",
                exclusive: "x",
                other: "y",
                other_is_written: true,
                overlap: Overlap::Proven,
            })
        );
    }
    Ok(())
}

#[test]
fn what_repeats_elements_is_read_and_not_divided_for_writing() -> Result<()> {
    for device in devices() {
        // Rows of 16 elements take the variant `fast`, others do not.
        for columns in [16, 48, 7] {
            let host: Vec<f32> = (0_u8..).take(columns).map(f32::from).collect();
            let bias = Tensor::from_slice(&device, &host, [columns])?;
            let mut rows = bias.broadcast_to([9, columns])?;
            assert_eq!(rows.strides(), [0, 1]);
            let x = Tensor::full(&device, [9, columns], 0.5)?;
            let mut y = Tensor::zeros(&device, [9, columns])?;
            add(&x, &rows, &mut y).launch()?;
            let expected: Vec<f32> = host.iter().map(|number| number + 0.5).collect();
            assert_eq!(y.to_vec()?, expected.repeat(9), "{device} {columns}");
            assert!(rows.fill(0.0).is_err());
            assert!(rows.split_at_mut(0, 1).is_err());
            assert!(rows.chunks_mut(0, 1).is_err());
            assert!(rows.axis_iter_mut(0).is_err());
            assert_eq!(bias.to_vec()?, host);
        }
        // Windows of a signal overlap.
        let signal: Vec<f32> = (0_u8..40).map(f32::from).collect();
        let signal = Tensor::from_slice(&device, &signal, [40])?;
        let windows = signal.as_strided([9, 16], [2, 1], 4)?;
        let mut y = Tensor::zeros(&device, [9, 16])?;
        add(&windows, &Tensor::zeros(&device, [9, 16])?, &mut y).launch()?;
        let expected = (0_u8..9).flat_map(|i| (0_u8..16).map(move |j| f32::from(4 + 2 * i + j)));
        assert_eq!(y.to_vec()?, expected.collect::<Vec<_>>(), "{device}");
    }
    Ok(())
}

#[test]
fn strides_of_a_slice_may_leave_gaps() -> Result<()> {
    for device in devices() {
        // Batches of 3 by 4 matrices, each followed by 5 elements.
        let host = numbers(2 * 17);
        let batches = Tensor::from_strided(&device, &host[..29], [2, 3, 4], [17, 4, 1])?;
        let mut y = Tensor::zeros(&device, [2, 3, 4])?;
        copy(&batches, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [&host[..12], &host[17..29]].concat());
        let error = Tensor::from_strided(&device, &host[..28], [2, 3, 4], [17, 4, 1]);
        assert_eq!(
            error.err(),
            Some(Error::StridesOutOfBounds {
                shape: vec![2, 3, 4],
                strides: vec![17, 4, 1],
                offset: 0,
                last: Some(28),
                len: 28
            })
        );
    }
    Ok(())
}

#[test]
fn no_strides_reach_beyond_the_memory() -> Result<()> {
    let device = Device::cpu();
    let mut random = fastrand::Rng::with_seed(3);
    let mut counts = [0; 2];
    for _ in 0..5000 {
        let len = random.usize(0..20);
        let tensor = Tensor::from_slice(&device, &numbers(len), [len])?;
        let shape = [(); 2].map(|()| random.usize(0..5));
        let strides = [(); 2].map(|()| random.usize(0..8));
        let offset = random.usize(0..8);
        let view = tensor.as_strided(shape, strides, offset);
        let places = (0..shape[0])
            .flat_map(|i| (0..shape[1]).map(move |j| offset + i * strides[0] + j * strides[1]));
        let elements: Option<Vec<i32>> = places.map(|at| numbers(len).get(at).copied()).collect();
        counts[usize::from(elements.is_some())] += 1;
        assert_eq!(view.and_then(|view| view.to_vec()).ok(), elements);
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    let tensor = Tensor::<u8, 1>::zeros(&device, [0])?;
    assert!(tensor.as_strided([1], [1], 0).is_err());
    for huge in [usize::MAX, 1 << 62] {
        assert!(tensor.as_strided([2, 2], [huge, 1], 0).is_err());
        assert!(tensor.as_strided([huge, 2], [0, 0], 0).is_err());
        assert!(tensor.as_strided([1], [1], huge).is_err());
        assert!(tensor.unsqueeze(0)?.broadcast_to([huge, 3, 0]).is_err());
    }
    Ok(())
}

#[test]
fn mistakes_are_named() -> Result<()> {
    let mut matrix = Tensor::<i32, 2>::zeros(&Device::cpu(), [2, 3])?;
    let shape = || vec![2, 3];
    let no_axis = || {
        Some(Error::NoSuchAxis {
            axis: 2,
            shape: shape(),
        })
    };
    assert_eq!(matrix.narrow(2, ..).err(), no_axis());
    assert_eq!(matrix.slice(2, .., 2).err(), no_axis());
    assert_eq!(matrix.transpose(0, 2).err(), no_axis());
    assert_eq!(matrix.select(2, 0).err(), no_axis());
    assert_eq!(matrix.squeeze(2).err(), no_axis());
    assert_eq!(matrix.split_at(2, 0).err(), no_axis());
    assert_eq!(matrix.chunks(2, 1).err(), no_axis());
    assert_eq!(matrix.axis_iter_mut(2).err(), no_axis());
    assert_eq!(
        matrix.unsqueeze(3).err(),
        Some(Error::NoSuchAxis {
            axis: 3,
            shape: shape()
        })
    );
    for step in [0, -1, isize::MIN] {
        assert_eq!(
            matrix.slice(1, .., step).err(),
            Some(Error::StepNotPositive { axis: 1, step })
        );
    }
    let out_of_range = |start, end| {
        Some(Error::OutOfRange {
            axis: 1,
            start,
            end,
            shape: shape(),
        })
    };
    assert_eq!(matrix.select(1, 3).err(), out_of_range(3, 4));
    assert_eq!(matrix.narrow(1, 1..=3).err(), out_of_range(1, 4));
    assert_eq!(matrix.split_at(1, 4).err(), out_of_range(0, 4));
    assert_eq!(
        matrix.chunks_mut(1, 0).err(),
        Some(Error::EmptyChunks { axis: 1 })
    );
    assert_eq!(
        matrix.squeeze(1).err(),
        Some(Error::NotOneElement {
            axis: 1,
            shape: shape()
        })
    );
    for to in [[3, 3], [2, 6], [2, 1]] {
        assert_eq!(
            matrix.broadcast_to(to).err(),
            Some(Error::NotBroadcastable {
                from: shape(),
                to: to.to_vec()
            })
        );
    }
    assert!(matrix.broadcast_to([3]).is_err());
    Ok(())
}
