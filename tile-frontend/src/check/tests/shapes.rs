//! Tests of shapes, ranks, axes and dimensions.

use super::body;
use expect_test::expect;

#[test]
fn differing_shapes_are_refused() {
    body(
        "let s = a.load([0], [64]); let t = a.load([0], [128]); let r = s + t; let q = r * 2.0;",
        expect![[r#"
            T0203 at `t`: `+` needs tiles whose shapes match, found [64] and [128]
              `s`: `s` is `Tile<f32, [64]>`
              `t`: `t` is `Tile<f32, [128]>`
              note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
              help: make axis 0 of both the same: write `a.load([0], [64])` for `a.load([0], [128])`
        "#]],
    );
}

#[test]
fn differing_ranks_name_the_unsqueeze() {
    body(
        "let t = m.load([0, 0], [64, 32]); let r = t.sum(1); let q = t - r;",
        expect![[r#"
            T0204 at `r`: `-` needs tiles of one rank, found rank 2 and rank 1
              `t`: `t` is `Tile<f32, [64, 32]>`
              `r`: `r` is `Tile<f32, [64]>`
              note: axes are never added silently
              help: write `r.unsqueeze(1)`
        "#]],
    );
}

#[test]
fn an_ambiguous_rank_names_both_axes() {
    body(
        "let t = m.load([0, 0], [64, 64]); let r = t.sum(1); let q = r + t;",
        expect![[r#"
            T0204 at `r`: `+` needs tiles of one rank, found rank 1 and rank 2
              `r`: `r` is `Tile<f32, [64]>`
              `t`: `t` is `Tile<f32, [64, 64]>`
              note: axes are never added silently
              help: write `r.unsqueeze(0)` to repeat it along axis 0, or `r.unsqueeze(1)` to repeat it along axis 1
        "#]],
    );
}

#[test]
fn a_dimension_that_is_not_a_power_of_two() {
    body(
        "let t = a.load([0], [48]); let r = zeros::<f32>([3 * 32, 0]);",
        expect![[r#"
            T0205 at `48`: the tile dimension 48 is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: write `64` for `48`: it is the next power of two
            T0205 at `3 * 32`: the tile dimension `3 * 32`, which is 96, is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: make `3 * 32` 128, the next power of two
            T0205 at `0`: the tile dimension 0 is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: write `1` for `0`: it is the next power of two
        "#]],
    );
}

#[test]
fn a_dimension_must_be_constant() {
    body(
        "let t = a.load([0], [n as usize]); let mut k = 64; let q = zeros::<f32>([k]); let w = zeros::<f32>([n]);",
        expect![[r#"
            T0207 at `n as usize`: a tile dimension must be known at compile time, and `n as usize` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a const parameter, `const N: usize`, or a literal
            T0207 at `k`: a tile dimension must be known at compile time, and `k` is not
              `k`: `k` is mutable
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: remove the `mut`
            T0207 at `n`: a tile dimension must be known at compile time, and `n` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: make it a const parameter: write `fn k<const N: usize>(..)` under `#[tile_kernel(instances((N = 64)), ..)]`, and here `N`
        "#]],
    );
}

#[test]
fn an_index_of_the_wrong_rank() {
    body(
        "let t = m.load([0], [64, 64]); let r = m.load([0, 0], [64]); let q = a.load(0, [64]); let w = a.load([x], [64]); let v = a.load((0,), [64]);",
        expect![[r#"
            T0204 at `[0]`: a tile index needs one entry per axis, found 1 entry for 2 axes
              `m`: `m` is `&Tensor<f32, 2>`
              help: write 2 entries, such as `[0, 0]`
            T0204 at `[64]`: a tile shape needs one entry per axis, found 1 entry for 2 axes
              `m`: `m` is `&Tensor<f32, 2>`
              help: write 2 entries, such as `[1, 64]`
            T0206 at `0`: expected a list in brackets, found `0`
              help: write `[0]`, with one entry per axis
            T0202 at `x`: a tile index is an integer, found `f32`
              note: an index counts tiles, not elements
              help: write `x as i32`
            T0206 at `(0,)`: expected a list in brackets, found `(0)`
              help: write `[0]`
        "#]],
    );
}

#[test]
fn mma_checks_shapes_and_types() {
    body(
        "let p = m.load([0, 0], [16, 32]); let q = m.load([0, 0], [16, 32]); let acc = zeros::<f32>([16, 16]); let r = mma(p, q, acc); let s = mma(p.cast::<f16>(), q.t(), acc); let t = mma(p, q.t(), zeros::<f64>([16, 16])); let v = mma(a.load([0], [16]), q, acc); let w = mma(p, q.t(), zeros([8, 8])); let i = ids.load([0], [16]).unsqueeze(0); let j = mma(i, i.t(), zeros([1, 1]));",
        expect![[r#"
            T0203 at `mma(p, q, acc)`: `mma` cannot multiply [16, 32] by [16, 32] onto [16, 16]
              `p`: `p` is `Tile<f32, [16, 32]>`
              `q`: `q` is `Tile<f32, [16, 32]>`
              `acc`: `acc` is `Tile<f32, [16, 16]>`
              note: [M, K] times [K, N] is added to [M, N]
              help: transpose the second: write `q.t()`
            T0204 at `a.load([0], [16])`: `mma` multiplies tiles of rank 2, or batches of rank 3, found rank 1
              `a.load([0], [16])`: `a.load([0], [16])` is `Tile<f32, [16]>`
              help: write `.unsqueeze(0)`, `.unsqueeze(1)` or `.reshape([..])` to make it a matrix
            T0203 at `mma(p, q.t(), zeros([8, 8]))`: `mma` cannot multiply [16, 32] by [32, 16] onto [8, 8]
              `p`: `p` is `Tile<f32, [16, 32]>`
              `q.t()`: `q.t()` is `Tile<f32, [32, 16]>`
              `zeros([8, 8])`: `zeros([8, 8])` is `Tile<_, [8, 8]>`
              note: [M, K] times [K, N] is added to [M, N]
              help: accumulate into a tile of shape [16, 16]
            T0202 at `mma(p.cast::<f16>(), q.t(), acc)`: `mma` cannot multiply a tile of `f16` by a tile of `f32`
              note: pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: convert one operand, as in `.cast::<f16>()`
            T0202 at `mma(p, q.t(), zeros::<f64>([16, 16]))`: `mma` of `f32` and `f32` cannot accumulate in `f64`
              note: pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: accumulate in `f32`: start from `zeros::<f32>([..])`
            T0202 at `mma(i, i.t(), zeros([1, 1]))`: `mma` cannot multiply tiles of `i32`
              note: pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: convert the operands to one of these, as in `.cast::<f16>()`
        "#]],
    );
}

#[test]
fn axes_that_do_not_exist() {
    body(
        "let t = m.load([0, 0], [16, 32]); let p = t.sum(2); let q = block_id(3); let r = t.permute([0, 0]); let s = m.dim(n); let v = t.sum(0).t(); let w = t.squeeze(0); let y = t.sum(-1);",
        expect![[r#"
            T0204 at `2`: there is no axis 2: the tile has 2 axes
              help: write an axis from `0` to `1`
            T0204 at `3`: there is no axis 3: the grid has 3 axes
              help: write an axis from `0` to `2`
            T0204 at `[0, 0]`: the order [0, 0] does not name each of the 2 axes once
              `t`: `t` is `Tile<f32, [16, 32]>`
              help: write each axis once, in the new order, such as `[1, 0]`
            T0207 at `n`: an axis must be known at compile time, and `n` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: make it a const parameter: write `fn k<const N: usize>(..)` under `#[tile_kernel(instances((N = 0)), ..)]`, and here `N`
            T0204 at `t.sum(0).t()`: `t` needs a tile of rank 2, found rank 1
              `t.sum(0)`: `t.sum(0)` is `Tile<f32, [32]>`
              help: remove `.t()`: a vector is its own transpose; `.unsqueeze(1)` makes a column of it
            T0203 at `0`: `squeeze` removes an axis of extent 1, found extent 16
              `t`: `t` is `Tile<f32, [16, 32]>`
              help: write `.sum(0)` for `.squeeze(0)`, or another reduction to combine the axis
            T0212 at `-1`: an axis is not negative, found -1
              help: count axes from the front, starting at `0`
        "#]],
    );
}

#[test]
fn shapes_that_do_not_fit() {
    body(
        "let t = m.load([0, 0], [16, 32]); let p = t.reshape([64]); let q = t.broadcast([16, 64]); let r = t.sum(0).broadcast([16, 32]); let s = zeros::<f32>([8192, 8192]); let v = zeros::<f32>([]);",
        expect![[r#"
            T0203 at `[64]`: `reshape` keeps the number of elements, found 512 elements and the shape [64] of 64
              `t`: `t` is `Tile<f32, [16, 32]>`
              help: write a shape of 512 elements, such as `[512]` for `[64]`
            T0203 at `[16, 64]`: [16, 32] cannot be repeated over [16, 64]
              `t`: `t` is `Tile<f32, [16, 32]>`
              note: `broadcast` repeats along axes of extent 1 and keeps the others
              help: write the tile's own extent on every axis whose extent is not 1
            T0204 at `[16, 32]`: `broadcast` keeps the rank, found rank 1 and a shape of rank 2
              `t.sum(0)`: `t.sum(0)` is `Tile<f32, [32]>`
              help: write `t.sum(0).unsqueeze(0).broadcast([16, 32])`
            T0402 at `[8192, 8192]`: a tile of shape [8192, 8192] has more than 16777216 elements
              help: write a smaller shape, such as `[4096, 4096]` for `[8192, 8192]`
            T0204 at `[]`: a tile has at least one axis
              help: write the extents in the brackets, as in `[64]`; a single number is a scalar
        "#]],
    );
}
