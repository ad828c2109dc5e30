//! Tests of tiles that are partly or wholly outside their tensors, on the CPU device and on the
//! simulated GPU. Loads return the padding there, and stores have no effect.

#![allow(clippy::cast_precision_loss, reason = "the numbers are small")]

use tile_kernel::Result;
use tile_kernel::prelude::*;

/// The number of elements after a view, which must not change.
const GUARD: usize = 300;

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|index| (index % 1000) as f32 + 1.0).collect()
}

/// Runs a check on both devices, with tensors that start at element `first` of a longer tensor. A
/// start on a 16-byte boundary allows the `fast` variant; another start requires `general`.
fn everywhere(run: impl Fn(&Device, usize) -> Result<()>) {
    for device in [Device::cpu(), Device::sim()] {
        for first in [0, 256, 257] {
            run(&device, first).unwrap_or_else(|fault| panic!("from {first}: {fault}"));
        }
    }
}

/// Runs `launch` with an output of `len` elements, and checks that the elements of `expected` are
/// stored and that everything else is unchanged.
fn stores(
    device: &Device,
    first: usize,
    len: usize,
    launch: impl Fn(&mut Tensor<f32, 1>) -> Result<()>,
    expected: impl Fn(usize) -> Option<f32>,
) -> Result<()> {
    let before = numbers(first + len + GUARD);
    let whole = Tensor::from_slice(device, &before, [before.len()])?;
    launch(&mut whole.narrow(0, first..first + len)?)?;
    for (index, (actual, before)) in whole.to_vec()?.into_iter().zip(before).enumerate() {
        let place = index.checked_sub(first).filter(|&place| place < len);
        let expected = place.and_then(&expected).unwrap_or(before);
        assert_eq!(
            actual.to_bits(),
            expected.to_bits(),
            "element {index} from {first}, of {len}"
        );
    }
    Ok(())
}

/// Computes `c = a + b`, like the kernel of the README.
#[tile_kernel(grid = c.tiles([1024]), arch("sm_90a"))]
fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = a.load([i], [1024]);
    let y = b.load([i], [1024]);
    c.store([i], x + y);
}

#[test]
fn a_tensor_that_is_shorter_than_the_grid_reads_as_zero() {
    everywhere(|device, first| {
        let (a, b) = (numbers(first + 1000 + GUARD), numbers(5000));
        let [x, y] = [&a, &b].map(|host| Tensor::from_slice(device, host, [host.len()]));
        let (x, y) = (x?, y?);
        let short = x.narrow(0, first..first + 1000)?;
        let sum = |index| b[index] + if index < 1000 { a[first + index] } else { 0.0 };
        stores(
            device,
            first,
            5000,
            |c| vector_add(&short, &y, c).launch(),
            |index| Some(sum(index)),
        )
    });
}

#[tile_kernel(grid = 4, arch("sm_90a"))]
fn fill(c: &mut Tensor<f32, 1>) {
    c.store([block_id(0)], full([64], 1.0));
}

#[test]
fn blocks_behind_the_end_store_nothing() {
    everywhere(|device, first| {
        for len in [1, 63, 64, 100, 128] {
            stores(device, first, len, |c| fill(c).launch(), |_| Some(1.0))?;
        }
        Ok(())
    });
}

/// Prefetches the next tile, and therefore finally loads a tile after the end.
#[tile_kernel(grid = 1, arch("sm_90a"))]
fn next_tiles(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let p = x.partition([64]);
    let q = y.partition([64]);
    let mut next = p.load([0]);
    for k in 0..p.num_tiles(0) {
        let this = next;
        next = p.load([k + 1]);
        q.store([k], next - this);
    }
}

#[test]
fn a_prefetch_behind_the_end_reads_as_zero() {
    everywhere(|device, first| {
        for len in [64, 100, 192] {
            let host = numbers(first + len + GUARD);
            let x = Tensor::from_slice(device, &host, [host.len()])?;
            let x = x.narrow(0, first..first + len)?;
            let element = |place: usize| {
                if place < len {
                    host[first + place]
                } else {
                    0.0
                }
            };
            let launch = |y: &mut Tensor<f32, 1>| next_tiles(&x, y).launch();
            stores(device, first, len, launch, |place| {
                Some(element(place + 64) - element(place))
            })?;
        }
        Ok(())
    });
}

/// Copies between any tile indices, including those that overflow when multiplied.
#[tile_kernel(grid = 1, arch("sm_90a"))]
fn copy_tile(x: &Tensor<f32, 1>, from: i32, y: &mut Tensor<f32, 1>, to: i32) {
    y.store([to], x.load([from * 64], [64]));
}

#[test]
fn an_index_that_is_negative_or_wraps_is_outside() {
    everywhere(|device, first| {
        let len = 256;
        let host = numbers(first + len + GUARD);
        let whole = Tensor::from_slice(device, &host, [host.len()])?;
        let x = whole.narrow(0, first..first + len)?;
        for index in [
            0,
            1,
            -1,
            -64,
            i32::MIN,
            i32::MAX,
            1 << 26,
            1 << 20,
            (1 << 26) + 1,
        ] {
            let start = i64::from(index.wrapping_mul(64)) * 64;
            let launch = |y: &mut Tensor<f32, 1>| copy_tile(&x, index, y, 1).launch();
            let loaded = |i: usize| {
                let from = usize::try_from(start).ok().map(|start| start + i - 64);
                let from = from.filter(|&from| from < len);
                from.map_or(0.0, |from| host[first + from])
            };
            let loaded = |i: usize| (64..128).contains(&i).then(|| loaded(i));
            stores(device, first, len, launch, loaded)?;
            // A store to an index without a tile has no effect.
            if !(0..4).contains(&index) {
                let launch = |y: &mut Tensor<f32, 1>| copy_tile(&x, 0, y, index).launch();
                stores(device, first, len, launch, |_| None)?;
            }
        }
        Ok(())
    });
}

/// Gathers from a view at a column that may be out of bounds.
#[tile_kernel(grid = 1, arch("sm_90a"))]
fn gather_tile(x: &Tensor<f32, 2>, column: i32, y: &mut Tensor<f32, 2>) {
    let view = x.gather_view(0, [4, 16]);
    y.store([0, 0], view.load([iota::<i32>(4) * 2 - 1, column]));
}

#[test]
fn a_gather_view_pads_what_is_outside() {
    everywhere(|device, first| {
        let (rows, columns) = (5, 40);
        let host = numbers(first + rows * columns + GUARD);
        let whole = Tensor::from_slice(device, &host, [host.len()])?;
        let x = whole.narrow(0, first..first + rows * columns)?;
        let x = x.reshape([rows, columns])?;
        for column in [0, 30, 40, -1, i32::MIN] {
            let mut y = Tensor::<f32, 2>::full(device, [4, 16], -1.0)?;
            gather_tile(&x, column, &mut y).launch()?;
            for (index, actual) in y.to_vec()?.into_iter().enumerate() {
                let row = (index / 16 * 2).checked_sub(1).filter(|&row| row < rows);
                let place = usize::try_from(column)
                    .ok()
                    .map(|column| column + index % 16);
                let place = place.filter(|&place| place < columns);
                let place = row
                    .zip(place)
                    .map(|(row, place)| first + row * columns + place);
                let expected = place.map_or(0.0, |place| host[place]);
                assert_eq!(
                    actual.to_bits(),
                    expected.to_bits(),
                    "{index} at column {column}"
                );
            }
        }
        Ok(())
    });
}

/// Adds atomically to a tile of a partition.
#[tile_kernel(grid = 1, arch("sm_90a"))]
fn add_tile(y: &mut Tensor<f32, 1>, index: i32) {
    y.partition([64]).atomic_add([index], full([64], 1.0));
}

#[test]
fn atomic_operations_outside_do_nothing() {
    everywhere(|device, first| {
        let len = 100;
        let before = numbers(first + len + GUARD);
        for index in [0, 1, 2, -1, i32::MIN, 1 << 26] {
            let added = |i: usize| {
                let is_there = i32::try_from(i / 64).is_ok_and(|tile| tile == index);
                is_there.then(|| before[first + i] + 1.0)
            };
            stores(device, first, len, |y| add_tile(y, index).launch(), added)?;
        }
        Ok(())
    });
}
