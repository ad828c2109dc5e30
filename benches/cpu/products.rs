//! Products of matrices: one, a batch, groups of rows with a matrix each.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, elements, floats, halves, output, tensor, tune};

#[tile_kernel(
    grid = c.tiles([BM, BN]),
    types((T = f32, A = f32, R = f32), (T = bf16, A = f32, R = bf16), (T = i8, A = i32, R = i32)),
    instances(
        (BM = 128, BN = 64, BK = 256),
        (BM = 256, BN = 128, BK = 256),
        (BM = 256, BN = 256, BK = 256),
        (BM = 512, BN = 128, BK = 256),
        (BM = 512, BN = 256, BK = 512),
    ),
    tune(BM, BN, BK),
    arch("cpu")
)]
fn product<
    T: Element,
    A: Element,
    R: Element,
    const BM: usize,
    const BN: usize,
    const BK: usize,
>(
    a: &Tensor<T, 2>,
    b: &Tensor<T, 2>,
    c: &mut Tensor<R, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([BM, BK]);
    let b = b.partition([BK, BN]);
    let mut acc = zeros::<A>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc.cast::<R>());
}

/// The blocks of a matrix of the batch follow each other, since they share operands.
#[tile_kernel(
    grid = [c.shape()[2].div_ceil(TILE), c.shape()[1].div_ceil(TILE), c.shape()[0]],
    instances((TILE = 64), (TILE = 128)),
    arch("cpu")
)]
fn batched<const TILE: usize>(a: &Tensor<f32, 3>, b: &Tensor<f32, 3>, c: &mut Tensor<f32, 3>) {
    let (n, m, batch) = (block_id(0), block_id(1), block_id(2));
    let a = a.partition([1, TILE, TILE]);
    let b = b.partition([1, TILE, TILE]);
    let mut acc = zeros([TILE, TILE]);
    for k in 0..a.num_tiles(2) {
        let left = a.load([batch, m, k]).squeeze(0);
        acc = mma(left, b.load([batch, k, n]).squeeze(0), acc);
    }
    c.store([batch, m, n], acc.unsqueeze(0));
}

/// Multiplies each tile of 64 rows by the matrix of its group.
#[tile_kernel(grid = c.tiles([64, 256]), arch("cpu"))]
fn grouped(
    a: &Tensor<f32, 2>,
    groups: &Tensor<i32, 1>,
    b: &Tensor<f32, 3>,
    c: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let group = groups.at([m]);
    let a = a.partition([64, 128]);
    let b = b.partition([1, 128, 256]);
    let mut acc = zeros([64, 256]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([group, k, n]).squeeze(0), acc);
    }
    c.store([m, n], acc);
}

/// Returns the number of 64-row tiles of each group: 1 to 4, in turn.
fn tiles_of_groups(groups: usize) -> impl Iterator<Item = usize> {
    (0..groups).map(|group| group % 4 + 1)
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("product_f32", &[n]) => {
            let (mut c, read) = output::<f32, 2>([n, n])?;
            let (a, b) = (floats(1, [n, n])?, floats(2, [n, n])?);
            tune(&product_tuned::<f32, f32, f32>(&a, &b, &mut c))?;
            Case::new(move || product_tuned::<f32, f32, f32>(&a, &b, &mut c).launch()).with(read)
        }
        ("product_bf16", &[n]) => {
            let (mut c, read) = output::<bf16, 2>([n, n])?;
            let (a, b) = (halves(1, [n, n])?, halves(2, [n, n])?);
            tune(&product_tuned::<bf16, f32, bf16>(&a, &b, &mut c))?;
            Case::new(move || product_tuned::<bf16, f32, bf16>(&a, &b, &mut c).launch()).with(read)
        }
        ("product_i8", &[n]) => {
            let (mut c, read) = output::<i32, 2>([n, n])?;
            let bytes = |seed| {
                let bytes: Vec<i8> = elements(seed, n * n).map(|x| (x * 254.0) as i8).collect();
                tensor(&bytes, [n, n])
            };
            let (a, b) = (bytes(1)?, bytes(2)?);
            tune(&product_tuned::<i8, i32, i32>(&a, &b, &mut c))?;
            Case::new(move || product_tuned::<i8, i32, i32>(&a, &b, &mut c).launch()).with(read)
        }
        ("batched_product", &[batch, n]) => {
            let (a, b) = (floats(1, [batch, n, n])?, floats(2, [batch, n, n])?);
            let (mut c, read) = output([batch, n, n])?;
            Case::new(move || match n {
                ..128 => batched::<64>(&a, &b, &mut c).launch(),
                _ => batched::<128>(&a, &b, &mut c).launch(),
            })
            .with(read)
        }
        ("grouped_product", &[groups, n]) => {
            let owner = (0_i32..).zip(tiles_of_groups(groups));
            let owner: Vec<i32> = owner
                .flat_map(|(group, tiles)| std::iter::repeat_n(group, tiles))
                .collect();
            let rows = owner.len() * 64;
            let (a, b) = (floats(1, [rows, n])?, floats(2, [groups, n, n])?);
            let owner = tensor(&owner, [owner.len()])?;
            let (mut c, read) = output([rows, n])?;
            Case::new(move || grouped(&a, &owner, &b, &mut c).launch()).with(read)
        }
        _ => return Ok(None),
    }))
}
