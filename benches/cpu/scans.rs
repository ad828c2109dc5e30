//! Prefix sums, the largest numbers of rows, and histograms.

use tile_kernel::Result;
use tile_kernel::prelude::*;

use crate::case::{Case, floats, integers, output, tensor};

/// Computes inclusive prefix sums of each row. Each block computes those of 16 rows, beside each other.
#[tile_kernel(grid = x.shape()[0].div_ceil(16), arch("cpu"))]
fn cumulative_sum(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let rows = block_id(0);
    let (x, y) = (x.partition([16, 128]), y.partition([16, 128]));
    let mut before = zeros([16]);
    for k in 0..x.num_tiles(1) {
        let tile = x.load([rows, k]);
        y.store([rows, k], tile.cumsum(1) + before.unsqueeze(1));
        before += tile.sum(1);
    }
}

/// Finds the eight largest numbers of each row, in descending order, and their columns. Of each tile, only numbers that are
/// larger than the least of the eight that were found before it are looked for.
#[tile_kernel(grid = x.shape()[0], arch("cpu"))]
fn top_k(x: &Tensor<f32, 2>, values: &mut Tensor<f32, 2>, places: &mut Tensor<i32, 2>) {
    let row = block_id(0);
    let mut best = full([8], f32::NEG_INFINITY);
    let mut columns = zeros([8]);
    let mut least = f32::NEG_INFINITY;
    for k in 0..x.partition([1, 512]).num_tiles(1) {
        let mut tile = x
            .load_padded([row, k], [1, 512], Padding::NegInf)
            .reshape([512]);
        let mut largest = tile.reduce_max(0);
        while largest > least {
            let place = select(tile == largest, iota(512), 512).reduce_min(0);
            let slot = iota(8) == select(best == least, iota(8), 8).reduce_min(0);
            best = select(slot, largest, best);
            columns = select(slot, k * 512 + place, columns);
            least = best.reduce_min(0);
            tile = select(iota(512) == place, f32::NEG_INFINITY, tile);
            largest = tile.reduce_max(0);
        }
    }
    for k in 0..8 {
        let largest = best.reduce_max(0);
        let slot = iota(8) == select(best == largest, iota(8), 8).reduce_min(0);
        values.store([row, k], full([1, 1], largest));
        places.store([row, k], full([1, 1], select(slot, columns, 0).sum(0)));
        best = select(slot, f32::NEG_INFINITY, best);
    }
}

/// Counts how often each number from 0 to 255 occurs. Each block counts 8,192 elements in its row of `counts`.
#[tile_kernel(grid = counts.shape()[0], arch("cpu"))]
fn count(levels: &Tensor<u8, 1>, counts: &mut Tensor<i32, 2>) {
    let i = block_id(0);
    let tiles = levels.partition([1024]);
    counts.store([i, 0], zeros([1, 256]));
    for k in i * 8..(i * 8 + 8).min(tiles.num_tiles(0)) {
        let exists = k * 1024 + iota(1024) < levels.dim(0);
        let level = tiles.load([k]).cast::<i32>();
        let place = select(exists, level, -1);
        counts.atomic_add([i, place], full([1024], 1), Ordering::Relaxed, Scope::Block);
    }
}

/// Adds the rows of `counts`. Each block adds 64 columns.
#[tile_kernel(grid = total.tiles([64]), arch("cpu"))]
fn add_counts(counts: &Tensor<i32, 2>, total: &mut Tensor<i32, 1>) {
    let i = block_id(0);
    let counts = counts.partition([1, 64]);
    let mut sum = zeros([64]);
    for row in 0..counts.num_tiles(0) {
        sum += counts.load([row, i]).reshape([64]);
    }
    total.store([i], sum);
}

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Result<Option<Case>> {
    Ok(Some(match (kernel, sizes) {
        ("cumulative_sum", &[rows, columns]) => {
            let x = floats(1, [rows, columns])?;
            let (mut y, read) = output([rows, columns])?;
            Case::new(move || cumulative_sum(&x, &mut y).launch()).with(read)
        }
        ("top_k", &[rows, columns]) => {
            let x = floats(1, [rows, columns])?;
            let (mut values, read) = output([rows, 8])?;
            let mut places = Tensor::zeros(&Device::cpu(), [rows, 8])?;
            // Equal numbers may be in any order, so what is at the places is compared.
            let (input, at) = (x.to_vec()?, places.narrow(0, 0..rows)?);
            let read_places = move || {
                let places = at.to_vec()?.into_iter().enumerate();
                let found = |(index, place): (usize, i32)| {
                    f64::from(input[index / 8 * columns + place as usize])
                };
                Ok(places.map(found).collect())
            };
            Case::new(move || top_k(&x, &mut values, &mut places).launch())
                .with(read)
                .with(read_places)
        }
        ("histogram", &[n]) => {
            let levels: Vec<u8> = integers(1, n, 256).into_iter().map(|x| x as u8).collect();
            let levels = tensor(&levels, [n])?;
            let mut counts = Tensor::zeros(&Device::cpu(), [n.div_ceil(8192), 256])?;
            let (mut total, read) = output([256])?;
            Case::new(move || {
                count(&levels, &mut counts).launch()?;
                add_counts(&counts, &mut total).launch()
            })
            .with(read)
        }
        _ => return Ok(None),
    }))
}
