//! Tests of the race check: common kernels in which two blocks store, or do not store, to the same
//! element.

mod at_random;

use crate::testing::{errors, front};
use expect_test::expect;

/// Returns a kernel with the usual parameters.
fn kernel(body: &str) -> String {
    format!(
        "fn k<const N: usize>(a: &Tensor<f32, 1>, m: &Tensor<f32, 2>, ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>, z: &mut Tensor<f32, 2>, c: &mut Tensor<i32, 1>, n: i32, flag: bool) {{
            let t = zeros::<f32>([64]);
            let u = zeros::<f32>([4, 8]);
            {body}
        }}"
    )
}

fn attribute(grid: &str) -> String {
    let grid = if grid.is_empty() {
        String::new()
    } else {
        format!("grid = {grid}, ")
    };
    format!("{grid}arch(\"cpu\"), instances((N = 4))")
}

/// Kernels without races: the grid of the attribute, if any, and the body.
const RIGHT: &[(&str, &str)] = &[
    ("", "y.store([block_id(0)], t);"),
    ("", "let i = block_id(0); y.store([i + 3], t);"),
    ("", "y.store([n - block_id(0)], t);"),
    (
        "",
        "y.store([2 * block_id(0)], t); y.store([2 * block_id(0) + 1], t);",
    ),
    ("", "y.store([num_blocks(0) - 1 - block_id(0)], t);"),
    ("", "z.store([block_id(0), block_id(1)], u);"),
    ("", "z.store([block_id(1), block_id(0)], u);"),
    (
        "",
        "y.store([block_id(0) * num_blocks(1) + block_id(1)], t);",
    ),
    (
        "",
        "y.store([block_id(1) * num_blocks(0) + block_id(0)], t);",
    ),
    (
        "",
        "y.store([(block_id(2) * num_blocks(1) + block_id(1)) * num_blocks(0) + block_id(0)], t);",
    ),
    // One block per row.
    ("", "for k in 0..n { z.store([block_id(0), k], u); }"),
    (
        "",
        "for k in 0..z.partition([4, 8]).num_tiles(1) { z.store([block_id(0), k], u); } z.store([block_id(0), 0], u);",
    ),
    (
        "",
        "let mut k = 0; while k < n { z.store([block_id(0), k], u); k += ids.at([k]); }",
    ),
    // Several tiles per block.
    ("", "for j in 0..4 { y.store([block_id(0) * 4 + j], t); }"),
    ("", "for j in 0..=3 { y.store([block_id(0) * 4 + j], t); }"),
    (
        "",
        "for j in (0..8).step_by(2) { y.store([block_id(0) * 8 + j], t); y.store([block_id(0) * 8 + j + 1], t); }",
    ),
    (
        "",
        "for j in (0..4).rev() { y.store([block_id(0) * 4 + j], t); }",
    ),
    ("", "for j in 0..n { y.store([block_id(0) * n + j], t); }"),
    (
        "",
        "let first = block_id(0) * 4; for i in first..first + 4 { y.store([i], t); }",
    ),
    (
        "",
        "let first = block_id(0) * 4; for i in first..(first + 4).min(n) { y.store([i], t); }",
    ),
    (
        "",
        "let per = n / num_blocks(0) + 1; for i in block_id(0) * per..((block_id(0) + 1) * per).min(n) { y.store([i], t); }",
    ),
    (
        "",
        "let w = N as i32; for j in 0..w { y.store([block_id(0) * w + j], t); }",
    ),
    (
        "",
        "for i in 0..2 { for j in 0..3 { y.store([block_id(0) * 6 + i * 3 + j], t); } }",
    ),
    // Grid-stride loops.
    (
        "",
        "for i in (block_id(0)..n).step_by(num_blocks(0) as usize) { y.store([i], t); }",
    ),
    (
        "",
        "let mut i = block_id(0); while i < n { y.store([i], t); i += num_blocks(0); }",
    ),
    (
        "",
        "let mut i = block_id(0); loop { if i >= n { break; } y.store([i], t); i += num_blocks(0); }",
    ),
    (
        "",
        "let mut i = block_id(0); while i < n { let mut s = 0; while s < i { s += 1; } y.store([i], t); i = i + num_blocks(0); }",
    ),
    // Two axes from one block id.
    (
        "",
        "let (p, q) = (block_id(0) / n, block_id(0) % n); z.store([p, q], u);",
    ),
    ("", "z.store([block_id(0) % 8, block_id(0) / 8], u);"),
    ("", "z.store([block_id(0) & 7, block_id(0) >> 3], u);"),
    (
        "",
        "let tiles = z.partition([4, 8]).num_tiles(1); z.store([block_id(0) / tiles, block_id(0) % tiles], u);",
    ),
    (
        "",
        "let i = block_id(0); let (a, b) = (i / 6, i % 6); z.store([a * 2 + b / 3, b % 3], u);",
    ),
    // Grouped rasterization, as in matmuls.
    (
        "",
        "let p = z.partition([4, 8]);
        let (rows, columns) = (p.num_tiles(0), p.num_tiles(1));
        let in_group = 8 * columns;
        let group = block_id(0) / in_group;
        let first = group * 8;
        let height = (rows - first).min(8);
        let rest = block_id(0) % in_group;
        z.store([first + rest % height, rest / height], u);",
    ),
    // A single block.
    ("", "if block_id(0) == 0 { y.store([0], t); }"),
    (
        "",
        "if block_id(0) == num_blocks(0) - 1 { y.store([7], t); }",
    ),
    ("", "if block_id(0) != 0 { return; } y.store([0], t);"),
    (
        "",
        "if block_id(0) == 0 && block_id(1) == 0 { y.store([0], t); }",
    ),
    (
        "",
        "if block_id(0) != 0 || block_id(1) != 0 { return; } y.store([0], t);",
    ),
    (
        "",
        "let first = block_id(1) == 2; if first { y.store([block_id(0)], t); }",
    ),
    (
        "",
        "y.store([block_id(0)], t); if block_id(0) == 0 { y.store([0], t); }",
    ),
    (
        "",
        "if block_id(0) == 0 { y.store([0], t); } y.store([block_id(0) + 1], t);",
    ),
    // Branches.
    (
        "",
        "if flag { y.store([block_id(0)], t); } else { y.store([block_id(0)], t + 1.0); }",
    ),
    (
        "",
        "let i = if flag { 2 } else { 3 }; z.store([i, block_id(0)], u);",
    ),
    (
        "",
        "let i = if flag { block_id(0) } else { block_id(0) }; y.store([i], t);",
    ),
    (
        "",
        "let mut i = block_id(0); i *= 2; i -= 1; y.store([i], t);",
    ),
    ("", "let i = block_id(0) as i64; y.store([i << 1], t);"),
    (
        "",
        "let first = ids.at([0]); y.store([block_id(0) + first], t);",
    ),
    // Views.
    ("", "y.partition([64]).store([block_id(0)], t);"),
    (
        "",
        "z.partition([8, 4]).with_order([1, 0]).store([block_id(0), block_id(1)], u.t());",
    ),
    ("", "y.strided([64], [64]).store([block_id(0)], t);"),
    ("", "y.strided([64], [100]).store([block_id(0)], t);"),
    ("", "y.strided([64], [16]).store([block_id(0) * 4], t);"),
    (
        "",
        "y.store([4 * block_id(0)], full([16], 1.0)); y.store([2 * block_id(0) + 1], full([32], 1.0));",
    ),
    // Iterations of parallel loops.
    ("", "for i in parallel(0..n) { y.store([i], t); }"),
    (
        "",
        "for (i, j) in parallel((0..n, 0..n)) { z.store([j, i], u); }",
    ),
    (
        "",
        "for i in parallel(0..n) { for k in 0..4 { y.store([i * 4 + k], t); } }",
    ),
    (
        "",
        "for i in parallel(0..n) { for j in parallel(0..4) { y.store([i * 4 + j], t); } }",
    ),
    (
        "",
        "for i in parallel(0..n) { y.store([i], t); } for i in parallel(0..n) { y.store([i], t); } y.store([0], t);",
    ),
    // Stores to other tensors do not conflict, nor do atomics.
    (
        "",
        "y.store([block_id(0)], t); z.store([block_id(0), 1], u);",
    ),
    ("", "c.atomic_add([iota::<i32>(8)], 1);"),
    (
        "",
        "c.partition([8]).atomic_max([0], iota::<i32>(8)); c.atomic_add([full([1], n)], block_id(0));",
    ),
    ("", "unsafe { y.store([ids.at([block_id(0)])], t) };"),
    // Grids that the attribute declares.
    ("1", "y.store([0], t);"),
    ("[n as usize, 1]", "y.store([block_id(0)], t);"),
    ("y.tiles([64])", "y.store([block_id(0)], t);"),
    ("z.tiles([4, 8])", "z.store([block_id(0), block_id(1)], u);"),
    ("z.tiles([4, 8])", "z.store([block_id(0), 0], u);"),
    (
        "z.shape()[0].div_ceil(4)",
        "for k in 0..2 { z.store([block_id(0), k], u); }",
    ),
    ("", "y.store([0], t);"),
    // Loops of one iteration.
    (
        "",
        "let g = block_id(0); for k in g..g + 1 { z.store([k, 0], u); }",
    ),
    (
        "",
        "let g = block_id(0) * 3 + 1; for k in g..=g { y.store([k], t); }",
    ),
    (
        "",
        "let id = block_id(1) * num_blocks(0) + block_id(0); for i in id..id + 1 { y.store([i], t); }",
    ),
    // Bitwise operations.
    ("", "y.store([block_id(0) ^ 1], t);"),
    ("", "y.store([5 ^ block_id(0)], t);"),
    ("", "y.store([!block_id(0)], t);"),
    ("", "y.store([(block_id(0) << 2) | 3], t);"),
    (
        "",
        "y.store([block_id(0) << 1], t); y.store([(block_id(0) << 1) ^ 1], t);",
    ),
    // A single block, selected in another way.
    ("", "if block_id(0) <= 0 { y.store([0], t); }"),
    ("", "if block_id(0) < 1 { y.store([0], t); }"),
    ("", "if block_id(0) > 0 { return; } y.store([0], t);"),
    (
        "",
        "let g = block_id(0); if !(g >= 1) { y.store([g + 2], t); }",
    ),
    // Constant conditions.
    (
        "",
        "let b = false; let g = block_id(0); if !b && g != 0 { return; } y.store([0], t);",
    ),
    (
        "",
        "let b = false; let g = block_id(0); if !b { if g != 0 { return; } } y.store([0], t);",
    ),
    (
        "",
        "let g = block_id(0); if N > 3 && g == 0 { y.store([0], t); }",
    ),
    (
        "",
        "let g = block_id(0); if N == 3 || g == 0 { y.store([0], t); }",
    ),
    // Adjacent tiles of the tensor.
    (
        "",
        "y.store([block_id(0)], full([64], 1.0)); y.store([2 * block_id(0) + 1], full([32], 1.0));",
    ),
    (
        "",
        "y.store([2 * block_id(0)], full([32], 1.0)); y.store([2 * block_id(0) + 1], full([32], 1.0));",
    ),
    (
        "",
        "y.strided([32], [64]).store([block_id(0)], full([32], 1.0)); y.store([2 * block_id(0) + 1], full([32], 1.0));",
    ),
    (
        "",
        "if block_id(0) == 0 { y.store([0], t); } if block_id(0) == 1 { y.store([1], t); }",
    ),
    // Choices that are the same in all blocks.
    (
        "",
        "let i = if flag { 2 * block_id(0) } else { block_id(0) }; y.store([i], t);",
    ),
    (
        "",
        "let i = if n > 3 { block_id(0) + 1 } else { 7 - block_id(0) }; y.store([i], t);",
    ),
    (
        "",
        "if n > 3 { y.store([block_id(0)], t); } else { y.store([block_id(0) + 1], t); }",
    ),
    (
        "",
        "let mut i = block_id(0); if flag { i += 1; } y.store([i], t);",
    ),
    (
        "",
        "if flag { y.store([block_id(0)], t); } if !flag { y.store([block_id(0) + 1], t); }",
    ),
    (
        "",
        "let (i, j) = if flag { (0, block_id(0)) } else { (block_id(0), 1) }; z.store([i, j], u);",
    ),
    // Wrap-around that keeps blocks apart.
    ("", "y.store([block_id(0) * -1640531527], t);"),
    ("", "y.store([block_id(0) * 256], t);"),
    (
        "",
        "y.store([block_id(0) * 65536 * 65536 + block_id(0)], t);",
    ),
    ("", "y.store([block_id(0) as i64 * 4294967296], t);"),
    ("[200]", "y.store([block_id(0) as u8], t);"),
    ("[200]", "y.store([block_id(0) as i8], t);"),
    ("[200]", "y.store([(block_id(0) as u8) * 77 + 5], t);"),
    (
        "[16, 16]",
        "y.store([(block_id(0) as u8) * 16 + block_id(1) as u8], t);",
    ),
    (
        "[16, 16]",
        "y.store([((block_id(0) as u8) << 4) | block_id(1) as u8], t);",
    ),
    (
        "[100]",
        "y.store([block_id(0) * 16777216 + block_id(0)], t);",
    ),
    ("[7]", "y.store([block_id(0) * block_id(0)], t);"),
    ("[8]", "y.store([block_id(0) % 8], t);"),
    ("[4, 3]", "y.store([block_id(0) * 4 + block_id(1)], t);"),
    ("[4, 3]", "y.store([block_id(0) | (block_id(1) << 2)], t);"),
    // An atomic on another element of the tensor.
    (
        "",
        "if block_id(0) == 0 { c.store([0], full([1], 42)); } c.atomic_add([full([1], 1)], 1);",
    ),
    (
        "",
        "let b = block_id(0); c.store([b], full([64], 1)); c.atomic_max([iota::<i32>(64) + b * 64], 1);",
    ),
];

const WRONG: &[(&str, &str)] = &[
    // The index does not depend on the block id, or not enough to keep the tiles apart.
    ("", "let x = a.load([block_id(0)], [64]); y.store([0], x);"),
    ("", "y.store([n + block_id(0) * 0], t);"),
    (
        "",
        "z.store([block_id(0), 0], m.load([block_id(0), block_id(1)], [4, 8]));",
    ),
    (
        "",
        "z.store([block_id(0), block_id(0)], m.load([block_id(0), block_id(1)], [4, 8]));",
    ),
    ("", "y.store([block_id(0) + block_id(1)], t);"),
    ("", "y.store([block_id(0) * 4 + block_id(1)], t);"),
    (
        "",
        "y.store([block_id(0) * num_blocks(0) + block_id(1)], t);",
    ),
    ("", "y.store([block_id(0) * n + block_id(1)], t);"),
    ("", "y.store([block_id(0) / 2], t);"),
    ("", "y.store([block_id(0) % 8], t);"),
    ("", "y.store([block_id(0) >> 1], t);"),
    ("", "y.store([block_id(0) & 7], t);"),
    ("", "y.store([block_id(0).min(7)], t);"),
    ("", "y.store([n * block_id(0)], t);"),
    ("", "y.store([block_id(0) * block_id(0)], t);"),
    ("", "y.store([block_id(0) as i8], t);"),
    ("", "z.store([block_id(0) / 8, block_id(0) % 4], u);"),
    (
        "",
        "z.store([block_id(0) / 8, block_id(0) % 16], u.t().t()); z.store([block_id(0) % 16, 3], u);",
    ),
    // A loaded value may be any number.
    ("", "y.store([ids.at([block_id(0)])], t);"),
    ("", "y.store([block_id(0) + ids.at([block_id(0)])], t);"),
    // Stores to the tiles of neighbouring blocks.
    (
        "",
        "y.store([block_id(0)], t); y.store([block_id(0) + 1], t);",
    ),
    (
        "",
        "y.store([2 * block_id(0)], t); y.store([2 * block_id(0) + 2], t);",
    ),
    ("", "y.store([block_id(0)], t); y.store([0], t);"),
    (
        "",
        "y.store([block_id(0)], t); y.store([block_id(0)], full([32], 0.0));",
    ),
    (
        "",
        "if block_id(0) == 3 { y.store([0], t); } y.store([block_id(0)], t);",
    ),
    (
        "",
        "if block_id(0) == 0 { y.store([0], t); } if block_id(0) == 1 { y.store([0], t); }",
    ),
    // Loops that reach into the tiles of other blocks.
    ("", "for j in 0..5 { y.store([block_id(0) * 4 + j], t); }"),
    ("", "for j in 0..=4 { y.store([block_id(0) * 4 + j], t); }"),
    ("", "for j in 0..n { y.store([block_id(0) * 4 + j], t); }"),
    ("", "for i in block_id(0)..n { y.store([i], t); }"),
    (
        "",
        "for i in 0..n { y.store([i], t); } let _ = block_id(0);",
    ),
    (
        "",
        "let mut i = block_id(0); while i < n { y.store([i], t); i += 1; }",
    ),
    (
        "",
        "let mut i = block_id(0); while i < n { y.store([i], t); i += num_blocks(1); }",
    ),
    (
        "",
        "let mut i = block_id(0); while i < n { y.store([i], t); i += num_blocks(0); if flag { i -= 1; } }",
    ),
    (
        "",
        "let mut i = 0; while i < n { y.store([i], t); i += block_id(0); }",
    ),
    // Guards that do not select a single block.
    ("", "if block_id(0) < 2 { y.store([0], t); }"),
    ("", "if block_id(0) == 0 || flag { y.store([0], t); }"),
    ("", "if block_id(0) != 0 { y.store([0], t); }"),
    ("", "if block_id(0) == 0 { y.store([block_id(1) / 2], t); }"),
    (
        "",
        "if block_id(0) == ids.at([block_id(0)]) { y.store([0], t); }",
    ),
    (
        "",
        "let i = if flag { block_id(0) } else { 0 }; y.store([i], t);",
    ),
    // Views whose tiles overlap.
    ("", "y.strided([64], [63]).store([block_id(0)], t);"),
    ("", "y.strided([64], [16]).store([block_id(0)], t);"),
    (
        "",
        "z.partition([4, 8]).with_order([1, 0]).store([block_id(0), block_id(1)], u); z.store([block_id(0), block_id(1)], u);",
    ),
    // Iterations of parallel loops.
    ("", "for i in parallel(0..n) { y.store([0], t); }"),
    (
        "",
        "for (i, j) in parallel((0..n, 0..n)) { y.store([i + j], t); }",
    ),
    (
        "",
        "for i in parallel(0..n) { for j in parallel(0..5) { y.store([i * 4 + j], t); } }",
    ),
    (
        "",
        "for i in parallel(0..n) { y.store([i], t); y.store([i + 1], t); }",
    ),
    // Atomics are atomic only among themselves.
    (
        "",
        "c.atomic_add([iota::<i32>(8)], 1); c.store([block_id(0)], zeros([8]));",
    ),
    // Grids that the attribute declares.
    ("8", "y.store([0], t);"),
    ("[n as usize, 2]", "y.store([block_id(0)], t);"),
    ("y.shape()[0].div_ceil(64)", "y.store([0], t);"),
    // Wrap-around that does not keep blocks apart.
    ("", "y.store([block_id(0) * 65536 * 65536], t);"),
    ("", "y.store([block_id(0) << 31 << 1], t);"),
    ("", "y.store([(block_id(0) * 1073741824) * 4], t);"),
    ("", "let s = 65536; y.store([block_id(0) * s * s], t);"),
    (
        "",
        "y.store([(block_id(0) as i64 * 4294967296) as i32], t);",
    ),
    (
        "",
        "y.store([block_id(0) as i64 * 4611686018427387904 * 4], t);",
    ),
    ("", "y.store([block_id(0) * 65536], t);"),
    ("[65537]", "y.store([block_id(0) * 65536], t);"),
    ("", "y.store([(block_id(0) as u16) as i32], t);"),
    (
        "",
        "for j in 0..1000 { y.store([block_id(0) * 1000 + j], t); }",
    ),
    ("[257]", "y.store([block_id(0) as u8], t);"),
    ("[200]", "y.store([(block_id(0) as u8) * 2], t);"),
    (
        "[17, 17]",
        "y.store([(block_id(0) as u8) * 16 + block_id(1) as u8], t);",
    ),
    (
        "",
        "y.store([block_id(0) * num_blocks(0) * num_blocks(0)], t);",
    ),
    (
        "",
        "y.store([(block_id(1) * num_blocks(0) + block_id(0)) * 2], t);",
    ),
    ("[9]", "y.store([block_id(0) % 8], t);"),
    ("[4, 5]", "y.store([block_id(0) * 4 + block_id(1)], t);"),
    // Bitwise operations and choices that do not keep blocks apart.
    (
        "",
        "y.store([block_id(0)], t); y.store([block_id(0) ^ 1], t);",
    ),
    ("", "y.store([block_id(0) | 1], t);"),
    ("", "if block_id(0) <= 1 { y.store([0], t); }"),
    ("", "if block_id(0) >= 0 { y.store([0], t); }"),
    (
        "",
        "let b = true; let g = block_id(0); if !b && g != 0 { return; } y.store([0], t);",
    ),
    (
        "",
        "let g = block_id(0); for _ in 0..2 { if g != 0 { break; } } y.store([0], t);",
    ),
    (
        "",
        "let g = block_id(0); for k in g..g + 2 { y.store([k], t); }",
    ),
    (
        "",
        "let i = if block_id(0) < 8 { block_id(0) } else { block_id(0) - 8 }; y.store([i], t);",
    ),
    (
        "",
        "if flag { y.store([block_id(0)], t); } if n > 3 { y.store([block_id(0) + 1], t); }",
    ),
    (
        "",
        "y.store([block_id(0)], full([64], 1.0)); y.store([2 * block_id(0) + 2], full([32], 1.0));",
    ),
    (
        "",
        "if block_id(0) == 0 { c.store([0], full([1], 42)); } c.atomic_add([full([1], n)], 1);",
    ),
    (
        "",
        "let b = block_id(0); c.store([b], full([64], 1)); c.atomic_max([iota::<i32>(64) + b * 64 + 1], 1);",
    ),
];

#[test]
fn kernels_whose_blocks_store_to_places_of_their_own_are_accepted() {
    let mut refused = String::new();
    for (grid, body) in RIGHT {
        if let Err(errors) = front(&attribute(grid), &kernel(body)) {
            refused.extend([*grid, " ", *body, "\n", &errors.concat()]);
        }
    }
    assert_eq!(refused, "");
}

#[test]
fn kernels_whose_blocks_may_store_to_one_place_are_refused() {
    let mut accepted = String::new();
    for (grid, body) in WRONG {
        let errors = errors(&attribute(grid), &kernel(body));
        if !errors.contains("T0222") {
            accepted.extend([*grid, " ", *body, "\n", &errors]);
        }
    }
    assert_eq!(accepted, "");
}

#[test]
fn the_axis_the_rule_and_the_cure_are_named() {
    expect![[r#"
        T0222 at `z.store([block_id(0), 0], m.load([block_id(0), block_id(1)], [4, 8]))`: blocks that differ along axis 1 of the grid may store to one place of `z`
          note: the kernel uses `block_id(1)`, so the grid may have several blocks along axis 1
          note: the index has to tell blocks apart: two values of `block_id(1)` must never give one tile
          help: use `block_id(1)` in the index, combine with `z.atomic_add(..)`, or store under `if block_id(1) == 0 { .. }`; what you know to be right goes into `unsafe { .. }`
        T0222 at `y.store([0], t)`: blocks that differ along axis 0 of the grid may store to one place of `y`
          note: the grid may have several blocks along axis 0
          note: the index has to tell blocks apart: two values of `block_id(0)` must never give one tile
          help: use `block_id(0)` in the index, combine with `y.atomic_add(..)`, or store under `if block_id(0) == 0 { .. }`; what you know to be right goes into `unsafe { .. }`
        T0222 at `y.store([block_id(0) + 1], t)`: this may store to the place of `y` that another block along axis 0 stores to
          `y.store([block_id(0)], t)`: the other store
          note: the kernel uses `block_id(0)`, so the grid may have several blocks along axis 0
          help: let all stores of a block stay among tiles of its own, as in `2 * block_id(0)` and `2 * block_id(0) + 1`; what you know to be right goes into `unsafe { .. }`
        T0222 at `c.store([block_id(0)], zeros([8]))`: one block may store to `c` where another updates it atomically
          `c.atomic_add([iota::<i32>(8)], 1)`: the atomic update
          note: the kernel uses `block_id(0)`, so the grid may have several blocks along axis 0
          note: an atomic is one step only among atomics
          help: use an atomic for both, such as `atomic_xchg`, or store in a launch of its own; what you know to be right goes into `unsafe { .. }`
    "#]].assert_eq(
        &[
            errors(
                &attribute(""),
                &kernel("z.store([block_id(0), 0], m.load([block_id(0), block_id(1)], [4, 8]));"),
            ),
            errors(&attribute("8"), &kernel("y.store([0], t);")),
            errors(
                &attribute(""),
                &kernel("y.store([block_id(0)], t); y.store([block_id(0) + 1], t);"),
            ),
            errors(
                &attribute(""),
                &kernel("c.atomic_add([iota::<i32>(8)], 1); c.store([block_id(0)], zeros([8]));"),
            ),
        ]
        .concat(),
    );
}

#[test]
fn the_instance_and_both_stores_are_named() {
    let kernel = "fn k<const B: bool>(y: &mut Tensor<f32, 1>) {
        let (g, t) = (block_id(0), zeros::<f32>([64]));
        if !B && g != 0 { return; }
        y.store([g], t);
        if B { y.store([g + 1], t); } else { y.store([1], t); }
    }";
    let attribute = "arch(\"cpu\"), instances((B = false), (B = true))";
    let wrapping =
        "fn k(y: &mut Tensor<f32, 1>) { y.store([block_id(0) * 65536], zeros::<f32>([64])); }";
    expect![[r#"
        T0222 at `y.store([g + 1], t)`: this may store to the place of `y` that another block along axis 0 stores to
          `y.store([g], t)`: the other store
          note: the kernel uses `block_id(0)`, so the grid may have several blocks along axis 0
          note: in the instance B = true
          help: let all stores of a block stay among tiles of its own, as in `2 * block_id(0)` and `2 * block_id(0) + 1`; what you know to be right goes into `unsafe { .. }`
        T0222 at `y.store([block_id(0) * 65536], zeros::<f32>([64]))`: blocks that differ along axis 0 of the grid may store to one place of `y`
          note: the grid may have several blocks along axis 0
          note: the index has 32 bits and may wrap around, so that it is the same for two blocks
          note: the index has to tell blocks apart: two values of `block_id(0)` must never give one tile
          help: use `block_id(0)` in the index, combine with `y.atomic_add(..)`, or store under `if block_id(0) == 0 { .. }`; what you know to be right goes into `unsafe { .. }`
    "#]].assert_eq(&[errors(attribute, kernel), errors("grid = 70000, arch(\"cpu\")", wrapping)].concat());
}

/// Grids of tiles, with stores of tiles of another extent.
const OTHER_TILES: &[(&str, &str)] = &[
    ("y.tiles([128])", "y.store([block_id(0)], t);"),
    ("y.tiles([32])", "y.store([block_id(0)], t);"),
    ("y.tiles([N])", "y.store([block_id(0)], t);"),
    (
        "y.tiles([N * 2])",
        "let i = block_id(0); y.partition([64]).store([i], t);",
    ),
    (
        "z.tiles([4, 64])",
        "z.store([block_id(0), block_id(1)], u.sum(1).unsqueeze(1));",
    ),
    ("z.tiles([8, 4])", "z.store([block_id(0), block_id(1)], u);"),
    (
        "(z.tiles([4, 64]))",
        "z.store([block_id(0), 0], u.sum(1).unsqueeze(1));",
    ),
    ("y.tiles([128])", "if flag { y.store([block_id(0)], t); }"),
];

/// Similar stores that the author may have intended: stores at other indices, several stores, and
/// grids that are plain numbers of blocks.
const PARTS_OF_TILES: &[(&str, &str)] = &[
    ("y.tiles([64])", "y.store([block_id(0)], t);"),
    ("y.tiles([16 * N])", "y.store([block_id(0)], t);"),
    ("y.shape()[0].div_ceil(128)", "y.store([block_id(0)], t);"),
    (
        "[y.shape()[0].div_ceil(128), 1]",
        "y.store([block_id(0)], t);",
    ),
    (
        "y.tiles([128])",
        "y.store([2 * block_id(0)], t); y.store([2 * block_id(0) + 1], t);",
    ),
    (
        "y.tiles([256])",
        "for k in 0..4 { y.store([4 * block_id(0) + k], t); }",
    ),
    (
        "z.tiles([4, 64])",
        "for k in 0..8 { z.store([block_id(0), k], u); }",
    ),
    (
        "z.tiles([4, 64])",
        "z.store([block_id(0), 0], u); z.store([block_id(0), 1], u);",
    ),
    ("a.tiles([128])", "y.store([block_id(0)], t);"),
    ("y.tiles([128])", "unsafe { y.store([block_id(0)], t); }"),
    (
        "y.tiles([128])",
        "y.strided([64], [128]).store([block_id(0)], t);",
    ),
    ("y.tiles([other()])", "y.store([block_id(0)], t);"),
];

#[test]
fn stores_are_of_the_tiles_that_the_grid_counts() {
    let mut refused = String::new();
    for (grid, body) in PARTS_OF_TILES {
        if let Err(errors) = front(&attribute(grid), &kernel(body)) {
            refused.extend([*grid, " ", *body, "\n", &errors.concat()]);
        }
    }
    assert_eq!(refused, "");
    let mut report = String::new();
    for (grid, body) in OTHER_TILES {
        report.extend([
            *grid,
            " ",
            *body,
            "\n",
            &errors(&attribute(grid), &kernel(body)),
        ]);
    }
    expect![[r#"
        y.tiles([128]) y.store([block_id(0)], t);
        T0224 at `y.store([block_id(0)], t)`: the grid has a block for each 128 elements along axis 0 of `y`, and a block stores 64
          `128`: 128 elements for each block
          note: all blocks together store 64 of each 128 elements, and the rest of `y` is left out
          help: write `64` in the grid, or store 128 elements; where it is meant, write how many blocks there are: `y.shape()[0].div_ceil(128)`
        y.tiles([32]) y.store([block_id(0)], t);
        T0224 at `y.store([block_id(0)], t)`: the grid has a block for each 32 elements along axis 0 of `y`, and a block stores 64
          `32`: 32 elements for each block
          note: blocks along axis 0 are left that have nothing to store
          help: write `64` in the grid, or store 32 elements; where it is meant, write how many blocks there are: `y.shape()[0].div_ceil(32)`
        y.tiles([N]) y.store([block_id(0)], t);
        T0224 at `y.store([block_id(0)], t)`: the grid has a block for each 4 elements along axis 0 of `y`, and a block stores 64
          `N`: 4 elements for each block
          note: blocks along axis 0 are left that have nothing to store
          help: write `64` in the grid, or store 4 elements; where it is meant, write how many blocks there are: `y.shape()[0].div_ceil(4)`
        y.tiles([N * 2]) let i = block_id(0); y.partition([64]).store([i], t);
        T0224 at `y.partition([64]).store([i], t)`: the grid has a block for each 8 elements along axis 0 of `y`, and a block stores 64
          `N * 2`: 8 elements for each block
          note: blocks along axis 0 are left that have nothing to store
          help: write `64` in the grid, or store 8 elements; where it is meant, write how many blocks there are: `y.shape()[0].div_ceil(8)`
        z.tiles([4, 64]) z.store([block_id(0), block_id(1)], u.sum(1).unsqueeze(1));
        T0224 at `z.store([block_id(0), block_id(1)], u.sum(1).unsqueeze(1))`: the grid has a block for each 64 elements along axis 1 of `z`, and a block stores 1
          `64`: 64 elements for each block
          note: all blocks together store 1 of each 64 elements, and the rest of `z` is left out
          help: write `1` in the grid, or store 64 elements; where it is meant, write how many blocks there are: `z.shape()[1].div_ceil(64)`
        z.tiles([8, 4]) z.store([block_id(0), block_id(1)], u);
        T0224 at `z.store([block_id(0), block_id(1)], u)`: the grid has a block for each 8 elements along axis 0 of `z`, and a block stores 4
          `8`: 8 elements for each block
          note: all blocks together store 4 of each 8 elements, and the rest of `z` is left out
          help: write `4` in the grid, or store 8 elements; where it is meant, write how many blocks there are: `z.shape()[0].div_ceil(8)`
        (z.tiles([4, 64])) z.store([block_id(0), 0], u.sum(1).unsqueeze(1));
        T0224 at `z.store([block_id(0), 0], u.sum(1).unsqueeze(1))`: the grid has a block for each 64 elements along axis 1 of `z`, and a block stores 1
          `64`: 64 elements for each block
          note: all blocks together store 1 of each 64 elements, and the rest of `z` is left out
          help: write `1` in the grid, or store 64 elements; where it is meant, write how many blocks there are: `z.shape()[1].div_ceil(64)`
        y.tiles([128]) if flag { y.store([block_id(0)], t); }
        T0224 at `y.store([block_id(0)], t)`: the grid has a block for each 128 elements along axis 0 of `y`, and a block stores 64
          `128`: 128 elements for each block
          note: all blocks together store 64 of each 128 elements, and the rest of `y` is left out
          help: write `64` in the grid, or store 128 elements; where it is meant, write how many blocks there are: `y.shape()[0].div_ceil(128)`
    "#]].assert_eq(&report);
}

/// Hashes of an index: each number has twice as many parts as the one before, or more.
#[test]
fn long_chains_of_operations_end() {
    for operation in [
        "x ^ (x << 5)",
        "(x * x + 1) % 1000",
        "x * x + x",
        "x.min(x / 2 + 1)",
        "(x >> 3) + (x & 7) * 5",
        "if x % 2 == 0 { x / 2 } else { 3 * x + 1 }",
        "-(x | 1) - x",
    ] {
        let steps = format!("let x = {operation};").repeat(60);
        let body = format!("let x = block_id(0); {steps} c.atomic_add([x & 15], 1);");
        let kernel = kernel(&body);
        let result = front(&attribute("[64]"), &kernel);
        assert!(result.is_ok(), "{operation}: {:?}", result.err());
    }
}
