//! Tests of launches whose arguments decide whether the stores of blocks are disjoint, on the CPU device.

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

/// Stores `n` tiles per block, which belong to no other block.
#[tile_kernel(arch("cpu"))]
fn parts(y: &mut Tensor<i32, 1>, n: i32) {
    for j in 0..n {
        y.store([block_id(0) * n + j], full([4], block_id(0)));
    }
}

const LINE_OF_PARTS: u32 = line!() - 4;

#[test]
fn a_launch_whose_indices_wrap_is_refused() -> Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [24])?;
    let error = |reach| {
        Err(Error::IndexWraps {
            kernel: "parts",
            param: "y",
            line: LINE_OF_PARTS,
            bits: 32,
            reach: Some(reach),
        })
    };
    // For the second `n`, the index of the third block's last tile is 2^31.
    for n in [1 << 30, 715_827_883] {
        assert_eq!(
            parts(&mut y, n).grid(3).launch(),
            error(i128::from(n) * 3 - 1)
        );
    }
    assert_eq!(y.to_vec()?, [0; 24]);
    // A loop without iterations does not overflow.
    parts(&mut y, i32::MIN).grid(3).launch()?;
    parts(&mut y, 0).grid(3).launch()?;
    parts(&mut y, 2).grid(3).launch()?;
    let expected: Vec<i32> = (0..24).map(|i| i / 8).collect();
    assert_eq!(y.to_vec()?, expected);
    Ok(())
}

/// Stores the first two tiles of each block, with 64-bit indices.
#[tile_kernel(arch("cpu"))]
fn wide_parts(y: &mut Tensor<i32, 1>, n: i32) {
    let n = n as i64;
    for j in 0..n {
        if j >= 2 {
            break;
        }
        y.store([block_id(0) as i64 * n + j], full([4], block_id(0) + 1));
    }
}

#[test]
fn indices_of_64_bits_are_the_cure() -> Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [8])?;
    wide_parts(&mut y, 1 << 30).grid(3).launch()?;
    assert_eq!(y.to_vec()?, [1; 8]);
    Ok(())
}

/// Stores in a grid-stride loop.
#[tile_kernel(arch("cpu"))]
fn strides(y: &mut Tensor<i32, 1>, n: i32) {
    let mut i = block_id(0);
    while i < n {
        y.store([i], full([4], i));
        i += num_blocks(0);
    }
}

#[test]
fn a_counter_that_would_wrap_is_refused() -> Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [28])?;
    let error = strides(&mut y, i32::MAX).grid(3).launch();
    assert!(
        matches!(
            error,
            Err(Error::IndexWraps {
                kernel: "strides",
                param: "y",
                bits: 32,
                ..
            })
        ),
        "{error:?}"
    );
    strides(&mut y, 7).grid(3).launch()?;
    let expected: Vec<i32> = (0..28).map(|i| i / 4).collect();
    assert_eq!(y.to_vec()?, expected);
    Ok(())
}

/// Stores a tile whose row and column are computed from the block index.
#[tile_kernel(arch("cpu"))]
fn rows(z: &mut Tensor<i32, 2>, columns: i32) {
    let (row, column) = (block_id(0) / columns, block_id(0) % columns);
    z.store([row, column], full([2, 2], block_id(0)));
}

/// Stores the same tile, but only if there are columns.
#[tile_kernel(arch("cpu"))]
fn rows_if_any(z: &mut Tensor<i32, 2>, columns: i32) {
    if columns > 0 {
        let (row, column) = (block_id(0) / columns, block_id(0) % columns);
        z.store([row, column], full([2, 2], block_id(0)));
    }
}

#[test]
fn a_divisor_of_zero_is_refused_where_it_divides() -> Result<()> {
    let mut z = Tensor::zeros(&Device::cpu(), [4, 4])?;
    let error = rows(&mut z, 0).grid(4).launch();
    assert!(
        matches!(
            error,
            Err(Error::IndexDivisor {
                kernel: "rows",
                param: "z",
                least: Some(0),
                ..
            })
        ),
        "{error:?}"
    );
    rows_if_any(&mut z, 0).grid(4).launch()?;
    assert_eq!(z.to_vec()?, [0; 16]);
    rows(&mut z, 2).grid(4).launch()?;
    let blocks = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];
    assert_eq!(z.to_vec()?, blocks);
    rows_if_any(&mut z, 2).grid(4).launch()?;
    assert_eq!(z.to_vec()?, blocks);
    Ok(())
}

/// Stores tiles at indices that depend on an extent, which is too small here for an index to wrap around.
#[tile_kernel(arch("cpu"))]
fn by_extent(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>) {
    let tiles = x.partition([4]).num_tiles(0);
    for j in 0..tiles {
        y.store([block_id(0) * tiles + j], x.load([j], [4]));
    }
}

#[test]
fn extents_and_grids_of_usual_launches_pass() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6, 7, 8], [8])?;
    let mut y = Tensor::zeros(&device, [24])?;
    by_extent(&x, &mut y).grid(3).launch()?;
    assert_eq!(
        y.to_vec()?,
        [x.to_vec()?, x.to_vec()?, x.to_vec()?].concat()
    );
    Ok(())
}
