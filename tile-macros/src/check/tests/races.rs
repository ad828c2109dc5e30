//! Stores of two blocks to one place: kernels that are right and kernels that are
//! not, of both kinds the usual ones.

use crate::testing::{faults, front};
use expect_test::expect;

/// A kernel with the usual parameters.
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
    format!("{grid}instances((N = 4))")
}

/// The grid of the attribute, if any, and the body.
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
    // One block does a row.
    ("", "for k in 0..n { z.store([block_id(0), k], u); }"),
    (
        "",
        "for k in 0..z.partition([4, 8]).num_tiles(1) { z.store([block_id(0), k], u); } z.store([block_id(0), 0], u);",
    ),
    (
        "",
        "let mut k = 0; while k < n { z.store([block_id(0), k], u); k += ids.at([k]); }",
    ),
    // Several tiles a block.
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
    // Two axes from one.
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
    // Blocks in groups, as matrix products order them for the cache.
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
    // One block alone.
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
    // Other tensors do not count, nor do atomics.
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
    // What the attribute says.
    ("1", "y.store([0], t);"),
    ("[n as usize, 1]", "y.store([block_id(0)], t);"),
    ("y.tiles([64])", "y.store([block_id(0)], t);"),
    ("z.tiles([4, 8])", "z.store([block_id(0), block_id(1)], u);"),
    ("z.tiles([4, 4096])", "z.store([block_id(0), 0], u);"),
    (
        "z.shape()[0].div_ceil(4)",
        "for k in 0..2 { z.store([block_id(0), k], u); }",
    ),
    ("", "y.store([0], t);"),
];

const WRONG: &[(&str, &str)] = &[
    // The position of the block is not in the index, or not enough of it.
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
    ("", "y.store([block_id(0) ^ 1], t);"),
    ("", "y.store([block_id(0).min(7)], t);"),
    ("", "y.store([n * block_id(0)], t);"),
    ("", "y.store([block_id(0) * block_id(0)], t);"),
    ("", "y.store([block_id(0) as i8], t);"),
    ("", "z.store([block_id(0) / 8, block_id(0) % 4], u);"),
    (
        "",
        "z.store([block_id(0) / 8, block_id(0) % 16], u.t().t()); z.store([block_id(0) % 16, 3], u);",
    ),
    // What was loaded is any number.
    ("", "y.store([ids.at([block_id(0)])], t);"),
    ("", "y.store([block_id(0) + ids.at([block_id(0)])], t);"),
    // Neighbours.
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
    // Loops that reach into the tiles of others.
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
    // Guards that do not choose one block.
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
    // Atomics are one step only among themselves.
    (
        "",
        "c.atomic_add([iota::<i32>(8)], 1); c.store([block_id(0)], zeros([8]));",
    ),
    // What the attribute says.
    ("8", "y.store([0], t);"),
    ("[n as usize, 2]", "y.store([block_id(0)], t);"),
    ("y.shape()[0].div_ceil(64)", "y.store([0], t);"),
];

#[test]
fn kernels_whose_blocks_store_to_places_of_their_own_are_accepted() {
    let mut refused = String::new();
    for (grid, body) in RIGHT {
        if let Err(faults) = front(&attribute(grid), &kernel(body)) {
            refused += &format!("{grid} {body}\n{}\n", faults.concat());
        }
    }
    assert_eq!(refused, "");
}

#[test]
fn kernels_whose_blocks_may_store_to_one_place_are_refused() {
    let mut accepted = String::new();
    for (grid, body) in WRONG {
        let found = faults(&attribute(grid), &kernel(body));
        if !found.contains("T0222") {
            accepted += &format!("{grid} {body}\n{found}\n");
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
          help: use `block_id(1)` in the index, combine with `z.atomic_add(..)`, or store under `if block_id(1) == 0`; what you know to be right goes into `unsafe { .. }`
        T0222 at `y.store([0], t)`: blocks that differ along axis 0 of the grid may store to one place of `y`
          note: the grid may have several blocks along axis 0
          note: the index has to tell blocks apart: two values of `block_id(0)` must never give one tile
          help: use `block_id(0)` in the index, combine with `y.atomic_add(..)`, or store under `if block_id(0) == 0`; what you know to be right goes into `unsafe { .. }`
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
            faults(
                &attribute(""),
                &kernel("z.store([block_id(0), 0], m.load([block_id(0), block_id(1)], [4, 8]));"),
            ),
            faults(&attribute("8"), &kernel("y.store([0], t);")),
            faults(
                &attribute(""),
                &kernel("y.store([block_id(0)], t); y.store([block_id(0) + 1], t);"),
            ),
            faults(
                &attribute(""),
                &kernel("c.atomic_add([iota::<i32>(8)], 1); c.store([block_id(0)], zeros([8]));"),
            ),
        ]
        .concat(),
    );
}
