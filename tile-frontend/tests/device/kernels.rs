//! Kernels that run in the PTX simulator and in the interpreter; see `src/device_tests.rs`. Each
//! kernel exercises a different part of the lowering.

/// Permutes axes, both in registers and in memory.
#[tile_kernel]
fn transpose(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([j, i], x.load([i, j], [32, 16]).t());
}

/// Reduces a middle axis; the result is broadcast along both others.
#[tile_kernel]
fn middle(x: &Tensor<f32, 3>, y: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    let x = x.load([i, 0, 0], [4, 8, 16]);
    y.store([i, 0], x.sum(1) + x.reduce_max(1).max(0.0));
}

/// Reduces all axes to one number, which every element then uses.
#[tile_kernel]
fn center(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let t = x.load([0, 0], [16, 32]);
    let total = t.sum(1).sum(0);
    y.store([0, 0], t - total / 512.0);
}

/// Changes the shape and the order of elements.
#[tile_kernel]
fn shuffle(x: &Tensor<i32, 2>, y: &mut Tensor<i32, 2>) {
    let t = x.load([block_id(0), 0], [8, 64]);
    let t = t.reshape([8, 16, 4]).permute([2, 0, 1]).reshape([4, 128]);
    y.store([block_id(0), 0], t + iota::<i32>(128).unsqueeze(0));
}

/// Combines rows with columns.
#[tile_kernel]
fn outer(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let a = a.load([i], [32]).unsqueeze(1);
    let b = b.load([j], [64]).unsqueeze(0);
    y.store([i, j], a * b - (a - b).abs());
}

/// Computes with integers of every width, signed and unsigned.
#[tile_kernel]
fn integers(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>, z: &mut Tensor<i64, 1>) {
    let i = block_id(0);
    let t = x.load([i], [256]) * 77_777_777 - 5;
    let small = t.cast::<i8>();
    let wide = t.cast::<i64>() * 3_000_000_000;
    let unsigned = t.cast::<u32>() >> 3;
    let mixed = (unsigned / 7 + unsigned % 5).cast::<i32>() ^ (t >> 2) ^ (t / 9) ^ (t % 11);
    y.store([i], mixed + small.cast::<i32>() - (t & 255 | 3).min(77).max(-t));
    z.store([i], wide / 7 + unsigned.cast::<i64>());
}

/// Computes with floats of every width, with comparisons and selections.
#[tile_kernel]
fn floats(x: &Tensor<f32, 1>, h: &Tensor<f16, 1>, b: &Tensor<bf16, 1>, y: &mut Tensor<f32, 1>, d: &mut Tensor<f64, 1>) {
    let i = block_id(0);
    let t = x.load([i], [512]);
    let h = h.load([i], [512]);
    let b = b.load([i], [512]);
    let sum = (h * h + h).cast::<f32>() + (b * b - b).cast::<f32>();
    let picked = select(t > 0.25, sum, -t);
    let other = select(!(t > 0.25) & (t != 0.5), t.floor(), t.ceil());
    y.store([i], picked + other * 2.0 + (t / 3.0).mul_add(t, sum));
    d.store([i], t.cast::<f64>() / 7.0 + sum.cast::<f64>().sqrt().abs().min(3.5));
}

/// Runs loops with loop-carried numbers and tiles, and branches on conditions that are uniform in a
/// block.
#[tile_kernel]
fn control(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let block = block_id(0);
    let mut acc = zeros::<f32>([128]);
    let mut weight = 1;
    for i in 0..n {
        let t = x.load([i], [128]);
        if (i + block) % 2 == 0 {
            acc = acc + t * weight as f32;
            weight = weight + 1;
        } else if i > 2 && block < 2 || i == n - 1 {
            for _ in 0..i {
                acc = acc * 0.5 + t.reduce_max(0);
            }
        }
    }
    y.store([block], acc + weight as f32);
}

/// Stores a tile in a loop, where other threads load it again.
#[tile_kernel]
fn exchange(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    y.store([i, 0], x.load([i, 0], [16, 32]));
    for _ in 0..3 {
        let t = y.load([i, 0], [16, 32]);
        y.store([i, 0], t.reshape([32, 16]).t() + 1.0);
    }
}

/// Keeps masks in shared memory, and stores them as bytes.
#[tile_kernel]
fn masks(x: &Tensor<f32, 2>, y: &mut Tensor<bool, 2>, z: &mut Tensor<i32, 2>) {
    let t = x.load([0, 0], [32, 32]);
    let mask = (t > 0.0).t();
    y.store([0, 0], mask);
    z.store([0, 0], mask.cast::<i32>() + select(mask, 5, -5));
}

/// Computes on tiles with fewer elements than threads, and on tiles of one element.
#[tile_kernel]
fn tiny(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, z: &mut Tensor<f32, 2>) {
    let t = x.load([block_id(0)], [4]);
    y.store([block_id(0)], t + t.sum(0));
    let one = x.load([block_id(0)], [1]);
    z.store([block_id(0), 0], one.reshape([1, 1]) * 3.0);
}

/// Computes two matmuls; the second reads the result of the first, which stays on chip.
#[tile_kernel]
fn chain(q: &Tensor<bf16, 2>, k: &Tensor<bf16, 2>, v: &Tensor<bf16, 2>, o: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    let q = q.load([i, 0], [32, 32]);
    let mut acc = zeros::<f32>([32, 32]);
    for j in 0..k.partition([64, 32]).num_tiles(0) {
        let s = mma(q, k.load([j, 0], [64, 32]).t(), zeros::<f32>([32, 64]));
        let p = select(s > 0.0, s, 0.0) / 64.0;
        acc = mma(p.cast::<bf16>(), v.load([j, 0], [64, 32]), acc);
    }
    o.store([i, 0], acc);
}

/// Multiplies matrices in tf32 that are f32 in memory.
#[tile_kernel]
fn single(a: &Tensor<f32, 2>, b: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let mut acc = full([32, 32], 1.0);
    for k in 0..a.partition([32, 16]).num_tiles(1) {
        let a = a.load([m, k], [32, 16]).cast::<tf32>();
        acc = mma(a, b.load([k, n], [16, 32]).cast::<tf32>(), acc);
    }
    c.store([m, n], acc);
}

/// Loads tiles with four axes and nonzero padding.
#[tile_kernel]
fn deep(x: &Tensor<f32, 4>, y: &mut Tensor<f32, 4>) {
    let t = x.load_padded([block_id(0), 0, block_id(1), 0], [2, 4, 2, 8], Padding::NegInf);
    let t = t - t.reduce_max(3).unsqueeze(3);
    y.store([block_id(0), 0, block_id(1), 0], t.permute([0, 1, 3, 2]).permute([0, 1, 3, 2]).exp2());
}

/// Accumulates in 128 by 256 elements, the largest accumulator that fits in the registers.
#[tile_kernel]
fn wide(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let mut acc = zeros::<f32>([128, 256]);
    for k in 0..a.partition([128, 32]).num_tiles(1) {
        acc = mma(a.load([m, k], [128, 32]), b.load([k, n], [32, 256]), acc);
    }
    c.store([m, n], acc);
}

/// Keeps a row of 16384 elements in the registers of one block.
#[tile_kernel]
fn row(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let t = x.load([block_id(0), 0], [1, 16384]);
    let t = (t - t.reduce_max(1).unsqueeze(1)).exp2();
    y.store([block_id(0), 0], t / t.sum(1).unsqueeze(1));
}
