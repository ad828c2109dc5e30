//! What each fault says. Read the messages aloud: each must name the token, the
//! rule and the cure.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "that is how `expect!` blesses its text"
)]

use crate::testing::{body_faults, faults};
use expect_test::{Expect, expect};

#[expect(
    clippy::needless_pass_by_value,
    reason = "that is how `expect!` reads best"
)]
fn body(source: &str, expected: Expect) {
    expected.assert_eq(&body_faults(source));
}

#[test]
fn differing_shapes_are_refused() {
    body(
        "let s = a.load([0], [64]); let t = a.load([0], [128]); let r = s + t; let q = r * 2.0;",
        expect![[r#"
            T0203 at `t`: `+` needs tiles whose shapes match, found [64] and [128]
              `s`: `s` is `Tile<f32, [64]>`
              `t`: `t` is `Tile<f32, [128]>`
              note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
              help: make axis 0 of both the same: 64 or 128
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
fn scalars_never_mix() {
    body(
        "let r = n + u; let q = n as i64 + n; let s = x * 2; let t = n * 1.5; let w = flag + 1;",
        expect![[r#"
            T0202 at `u`: `+` needs operands of one element type, found `i32` and `u32`
              `n`: `n` is `i32`
              `u`: `u` is `u32`
              note: numbers are never converted silently, as in Rust
              help: write `u as i32`
            T0202 at `n`: `+` needs operands of one element type, found `i64` and `i32`
              `n as i64`: `n as i64` is `i64`
              `n`: `n` is `i32`
              note: numbers are never converted silently, as in Rust
              help: write `n as i64`
            T0202 at `2`: `*` needs operands of one element type, found `f32` and `{integer}`
              `x`: `x` is `f32`
              `2`: `2` is `{integer}`
              note: numbers are never converted silently, as in Rust
              help: write `2.0`
            T0202 at `n`: `*` needs operands of one element type, found `i32` and `{float}`
              `n`: `n` is `i32`
              `1.5`: `1.5` is `{float}`
              note: numbers are never converted silently, as in Rust
              help: write `n as f32`
            T0202 at `flag`: `+` needs operands of one element type, found `bool` and `{integer}`
              `flag`: `flag` is `bool`
              `1`: `1` is `{integer}`
              note: numbers are never converted silently, as in Rust
              help: write `flag as i32`
        "#]],
    );
}

#[test]
fn a_tile_and_a_scalar_of_another_type() {
    body(
        "let t = ids.load([0], [64]); let r = t * x; let q = a.load([0], [64]) * n;",
        expect![[r#"
            T0202 at `t`: `*` needs operands of one element type, found `Tile<i32, [64]>` and `f32`
              `t`: `t` is `Tile<i32, [64]>`
              `x`: `x` is `f32`
              note: numbers are never converted silently, as in Rust
              help: write `t.cast::<f32>()`
            T0202 at `n`: `*` needs operands of one element type, found `Tile<f32, [64]>` and `i32`
              `a.load([0], [64])`: `a.load([0], [64])` is `Tile<f32, [64]>`
              `n`: `n` is `i32`
              note: numbers are never converted silently, as in Rust
              help: write `n as f32`
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
              help: write `64`, the next power of two
            T0205 at `3 * 32`: the tile dimension `3 * 32`, which is 96, is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: make `3 * 32` 128, the next power of two
            T0205 at `0`: the tile dimension 0 is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: write `1`, the next power of two
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
              help: make it a const parameter of the kernel: `const N: usize`
        "#]],
    );
}

#[test]
fn unknown_names_are_corrected() {
    body(
        "let total = 1; let t = totl + 1; let r = aa.load([0], [64]); let s = zeroes::<f32>([64]); let q = s.exq(); let w = zeros::<f23>([64]); let v = nothing_like_it;",
        expect![[r#"
            T0201 at `totl`: there is no variable `totl` here
              help: write `total`
            T0201 at `aa`: there is no variable `aa` here
              note: a kernel sees its parameters, its variables and the functions of the kernel language
              help: declare it with `let aa = ..;`, or pass it as a parameter of the kernel
            T0201 at `zeroes`: a kernel cannot call `zeroes`
              help: write `zeros(..)`
            T0201 at `f23`: a kernel does not know the type `f23`
              help: write `f32`
            T0201 at `nothing_like_it`: there is no variable `nothing_like_it` here
              note: a kernel sees its parameters, its variables and the functions of the kernel language
              help: declare it with `let nothing_like_it = ..;`, or pass it as a parameter of the kernel
        "#]],
    );
}

#[test]
fn unknown_methods_name_what_to_write() {
    body(
        "let t = a.load([0], [64]); let r = t.mean(0); let s = t.clone(); let q = t.max(); let w = a.exp(); let v = a.shape(); let k = x.cast::<f64>(); let i = t.iter();",
        expect![[r#"
            T0201 at `mean`: `Tile<f32, [64]>` has no method `mean`
              help: write `.sum(0)` and divide by the number of elements
            T0201 at `clone`: `Tile<f32, [64]>` has no method `clone`
              help: write `t`: values are copied freely
            T0206 at `t.max()`: `max` takes 1 argument, found 0
              help: write `.reduce_max(0)` for the max along axis 0, or `.max(y)` for the max of two tiles
            T0201 at `exp`: `&Tensor<f32, 1>` has no method `exp`
              help: load a tile first: write `a.load([i], [64])`
            T0201 at `shape`: `&Tensor<f32, 1>` has no method `shape`
              help: write `a.dim(0)` for the extent of axis 0
            T0201 at `cast`: `f32` has no method `cast`
              help: write `x as f32`
            T0201 at `iter`: `Tile<f32, [64]>` has no method `iter`
              help: compute on the whole tile: operators and methods work on every element
        "#]],
    );
}

#[test]
fn functions_that_are_methods() {
    body(
        "let t = a.load([0], [64]); let r = exp(t); let s = foo(t); let q = f32::sqrt(x); let w = std::cmp::max(n, 1);",
        expect![[r#"
            T0201 at `exp`: a kernel cannot call `exp`
              help: write it as a method: `t.exp()`
            T0201 at `foo`: a kernel cannot call `foo`
              note: the functions are `block_id`, `num_blocks`, `zeros`, `full`, `iota`, `select`, `mma`
              help: write the code of the function in place of the call
            T0201 at `sqrt`: a kernel cannot call `f32::sqrt`
              help: write it as a method: `x.sqrt()`
            T0201 at `max`: a kernel cannot call `std::cmp::max`
              help: write it as a method: `n.max(1)`
        "#]],
    );
}

#[test]
fn wrong_argument_counts() {
    body(
        "let t = zeros::<f32>(); let r = block_id(); let q = a.load([0]); let p = a.partition([64]); let v = p.load([0], [64]); let w = x.powf(); let y = mma(t, t);",
        expect![[r#"
            T0206 at `zeros::<f32>()`: `zeros` takes 1 argument, found 0
              help: write `zeros::<f32>([64, 64])`
            T0206 at `block_id()`: `block_id` takes 1 argument, found 0
              help: write `block_id(0)`
            T0206 at `a.load([0])`: `load` takes 2 arguments, found 1
              help: write `a.load([i], [64])`
            T0206 at `[64]`: `load` on a partition takes the index only
              note: the partition already has the tile shape [64]
              help: remove the shape
            T0206 at `x.powf()`: `powf` takes 1 argument, found 0
              help: write `x.powf(y)`
            T0206 at `mma(t, t)`: `mma` takes 3 arguments, found 2
              help: write `mma(a, b, acc)`
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
              help: write 2 entries in the brackets
            T0204 at `[64]`: a tile shape needs one entry per axis, found 1 entry for 2 axes
              `m`: `m` is `&Tensor<f32, 2>`
              help: write 2 entries in the brackets
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
fn a_store_through_a_shared_reference() {
    body(
        "let t = a.load([0], [64]); a.store([0], t); let p = m.partition([4, 4]); p.store([0, 0], zeros([4, 4]));",
        expect![[r#"
            T0211 at `store`: `a` is stored to, but it is a shared reference
              `a`: `a` is `&Tensor<f32, 1>`
              help: declare it as `a: &mut Tensor<f32, 1>`
            T0211 at `store`: `m` is stored to, but it is a shared reference
              `m`: `m` is `&Tensor<f32, 2>`
              help: declare it as `m: &mut Tensor<f32, 2>`
        "#]],
    );
}

#[test]
fn a_store_of_the_wrong_type() {
    body(
        "c.store([0], ids.load([0], [64])); c.store([0], m.load([0, 0], [4, 4])); c.store([0], x); d.store([0, 0], a.load([0], [64])); d.partition([4, 4]).store([0, 0], zeros([4, 8]));",
        expect![[r#"
            T0202 at `ids.load([0], [64])`: `c` holds `f32`, and the tile is `Tile<i32, [64]>`
              note: numbers are never converted silently, as in Rust
              help: write `ids.load([0], [64]).cast::<f32>()`
            T0204 at `m.load([0, 0], [4, 4])`: a tile of rank 2 cannot be stored into a tensor of rank 1
              `c`: `c` is `&mut Tensor<f32, 1>`
              `m.load([0, 0], [4, 4])`: `m.load([0, 0], [4, 4])` is `Tile<f32, [4, 4]>`
              help: write `.reshape([..])` to give the tile 1 axis
            T0202 at `x`: `store` writes a tile, found `f32`
              help: write `full([1], x)`
            T0204 at `a.load([0], [64])`: a tile of rank 1 cannot be stored into a tensor of rank 2
              `d`: `d` is `&mut Tensor<f32, 2>`
              `a.load([0], [64])`: `a.load([0], [64])` is `Tile<f32, [64]>`
              help: write `a.load([0], [64]).unsqueeze(0)` or `a.load([0], [64]).unsqueeze(1)` to add the missing axis
            T0203 at `zeros([4, 8])`: expected `Tile<f32, [4, 4]>`, found `Tile<_, [4, 8]>`
              note: the partition holds tiles of shape [4, 4]
              help: give the tile the shape [4, 4]
        "#]],
    );
}

#[test]
fn a_carried_tile_that_changes_shape() {
    body(
        "let mut acc = zeros::<f32>([64]); for i in 0..4 { acc = a.load([i], [32]); } if flag { acc = ids.load([0], [64]); } acc = 1.0;",
        expect![[r#"
            T0209 at `a.load([i], [32])`: `acc` changes its type in a loop, from `Tile<f32, [64]>` to `Tile<f32, [32]>`
              `acc`: `acc` starts as `Tile<f32, [64]>`
              `a.load([i], [32])`: `a.load([i], [32])` is `Tile<f32, [32]>`
              note: a variable that a loop assigns keeps its element type and shape
              help: bind the new value to a name of its own with `let`, or declare `acc` as `Tile<f32, [32]>`
            T0209 at `ids.load([0], [64])`: `acc` changes its type in a branch, from `Tile<f32, [64]>` to `Tile<i32, [64]>`
              `acc`: `acc` starts as `Tile<f32, [64]>`
              `ids.load([0], [64])`: `ids.load([0], [64])` is `Tile<i32, [64]>`
              note: a variable that a branch assigns keeps its element type and shape
              help: write `ids.load([0], [64]).cast::<f32>()`
            T0202 at `1.0`: `acc` is `Tile<f32, [64]>`, and `{float}` is assigned to it
              `acc`: `acc` starts as `Tile<f32, [64]>`
              `1.0`: `1.0` is `{float}`
              note: a variable keeps its element type and shape
              help: bind the new value to a name of its own with `let`, or declare `acc` as `{float}`
        "#]],
    );
}

#[test]
fn an_immutable_variable() {
    body(
        "let k = 1; k = 2; k += 1; n = 3; a = 1; for i in 0..4 { i = 2; } nope = 1;",
        expect![[r#"
            T0211 at `k`: `k` is assigned, but it is not mutable
              `k`: `k` is declared here
              help: declare it as `mut k`
            T0211 at `k`: `k` is assigned, but it is not mutable
              `k`: `k` is declared here
              help: declare it as `mut k`
            T0211 at `n`: `n` is assigned, but it is not mutable
              `n`: `n` is declared here
              help: declare it as `mut n`
            T0211 at `a`: the tensor `a` cannot be assigned
              help: write into it with `a.store([i], tile)`
            T0211 at `i`: `i` is assigned, but it is not mutable
              `i`: `i` is declared here
              help: declare it as `mut i`
            T0201 at `nope`: there is no variable `nope` here
              note: a kernel sees its parameters, its variables and the functions of the kernel language
              help: declare it with `let nope = ..;`, or pass it as a parameter of the kernel
        "#]],
    );
}

#[test]
fn branches_of_different_types() {
    body(
        "let r = if flag { 1 } else { 2.0 }; let t = if flag { zeros::<f32>([64]) } else { zeros::<f32>([32]) }; let v = if flag { 1 }; let w = if n { 1 } else { 2 }; let y = if a.load([0], [4]) > 0.0 { 1 } else { 2 };",
        expect![[r#"
            T0202 at `2.0`: the branches of an `if` have different types, `{integer}` and `{float}`
              `1`: the first branch gives `{integer}`
              `2.0`: this branch gives `{float}`
              help: give both branches one type and shape
            T0203 at `zeros::<f32>([32])`: the branches of an `if` have different types, `Tile<f32, [64]>` and `Tile<f32, [32]>`
              `zeros::<f32>([64])`: the first branch gives `Tile<f32, [64]>`
              `zeros::<f32>([32])`: this branch gives `Tile<f32, [32]>`
              help: give both branches one type and shape
            T0202 at `1`: an `if` without `else` has no value, found `{integer}`
              help: add an `else` with a value of the same type, or end the line with `;`
            T0202 at `n`: a condition is one `bool`, found `i32`
              help: compare it, as in `n != 0`
            T0202 at `a.load([0], [4]) > 0.0`: a condition is one `bool`, found `Tile<bool, [4]>`
              help: choose elementwise: write `select(a.load([0], [4]) > 0.0, a, b)`
        "#]],
    );
}

#[test]
fn literals_out_of_range() {
    body(
        "let p = 300_u8; let q: i8 = 128; let r: u32 = -1; let s = 5_000_000_000; let t = 70000.0_f16; let v = i32::MAX + 1; let w = 1 / 0; let y = 1 << 32; let z = -129_i8;",
        expect![[r#"
            T0202 at `-1`: `-1` cannot be a `u32`, which has no negative values
              help: write `u32::MAX` for all ones, or use a signed type such as `i32`
            T0212 at `300_u8`: `300` does not fit into `u8`
              note: `u8` holds 0 to 255
              help: write a number in that range, or compute in `u16`
            T0212 at `128`: `128` does not fit into `i8`
              note: `i8` holds -128 to 127
              help: write a number in that range, or compute in `i16`
            T0212 at `5_000_000_000`: `5000000000` does not fit into `i32`
              note: `i32` holds -2147483648 to 2147483647
              help: write a number in that range, or compute in `i64`
            T0212 at `70000.0_f16`: `7e4` does not fit into `f16`
              help: write a smaller number, or `f16::INFINITY`
            T0212 at `i32::MAX + 1`: this is 2147483648, which does not fit into `i32`
              note: `i32` holds -2147483648 to 2147483647
              help: convert the operands to a wider type with `as`
            T0212 at `1 / 0`: an integer is divided by zero
              help: write a divisor other than zero
            T0212 at `1 << 32`: `i32` cannot be shifted by 32
              help: shift by 0 to 31 bits
            T0212 at `-129_i8`: `-129` does not fit into `i8`
              note: `i8` holds -128 to 127
              help: write a number in that range, or compute in `i16`
        "#]],
    );
}

#[test]
fn operators_a_type_does_not_have() {
    body(
        "let p = -u; let q = !x; let r = flag + flag; let s = x & x; let t = x << 1; let v = n.exp(); let w = u.abs(); let y = n as bool; let z = flag as f32; let o = -flag;",
        expect![[r#"
            T0202 at `-u`: `u32` cannot be negated with `-`: it has no negative values
              help: write `0 - u`, which wraps, or use a signed type
            T0202 at `!x`: `!` is for `bool` and integers, found `f32`
              help: write `-x`, or a comparison
            T0202 at `flag + flag`: `+` is for numbers, found `bool`
              help: use `&`, `|` or `^`, or convert first: write `flag as i32`
            T0202 at `x & x`: `&` is for `bool` and integers, found `f32`
              help: compare first, or convert to an integer
            T0202 at `x << 1`: `<<` is for integers, found `f32`
              help: convert to an integer, or multiply by a power of two
            T0202 at `n.exp()`: `exp` is for floats, found `i32`
              help: write `n as f32`
            T0202 at `u.abs()`: `abs` is for signed numbers, found `u32`
              help: write `u`: it is never negative
            T0202 at `n as bool`: `i32` cannot be converted to `bool`
              help: compare it: write `n != 0`
            T0202 at `flag as f32`: `bool` cannot be converted to `f32` with `as`
              help: write `if flag { 1.0 } else { 0.0 }`
            T0202 at `-flag`: `bool` cannot be negated with `-`
              help: write `!flag`
        "#]],
    );
}

#[test]
fn tiles_use_elementwise_operators() {
    body(
        "let t = a.load([0], [64]); let p = t > 0.0 && t < 1.0; let q = t as f64; let r = (t > 0.0).sum(0); let s = (t > 0.0) as i32;",
        expect![[r#"
            T0202 at `t > 0.0`: `&&` needs `bool`, found `Tile<bool, [64]>`
              help: write `&`, which works on tiles of `bool` elementwise
            T0202 at `t < 1.0`: `&&` needs `bool`, found `Tile<bool, [64]>`
              help: write `&`, which works on tiles of `bool` elementwise
            T0202 at `t as f64`: `as` converts single numbers, found `Tile<f32, [64]>`
              help: write `t.cast::<f64>()`
            T0202 at `(t > 0.0) as i32`: `as` converts single numbers, found `Tile<bool, [64]>`
              help: write `(t > 0.0).cast::<i32>()`
            T0202 at `(t > 0.0).sum(0)`: `sum` is for numbers, found `bool`
              help: convert first: write `(t > 0.0).cast::<i32>()`
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
            T0204 at `a.load([0], [16])`: `mma` multiplies tiles of rank 2, found rank 1
              `a.load([0], [16])`: `a.load([0], [16])` is `Tile<f32, [16]>`
              help: write `.unsqueeze(0)`, `.unsqueeze(1)` or `.reshape([..])` to make it a matrix
            T0203 at `mma(p, q.t(), zeros([8, 8]))`: `mma` cannot multiply [16, 32] by [32, 16] onto [8, 8]
              `p`: `p` is `Tile<f32, [16, 32]>`
              `q.t()`: `q.t()` is `Tile<f32, [32, 16]>`
              `zeros([8, 8])`: `zeros([8, 8])` is `Tile<_, [8, 8]>`
              note: [M, K] times [K, N] is added to [M, N]
              help: accumulate into a tile of shape [16, 16]
            T0202 at `mma(p.cast::<f16>(), q.t(), acc)`: `mma` cannot multiply a tile of `f16` by a tile of `f32`
              note: pairs are `f16` onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: convert one operand, as in `.cast::<f16>()`
            T0202 at `mma(p, q.t(), zeros::<f64>([16, 16]))`: `mma` of `f32` and `f32` cannot accumulate in `f64`
              note: pairs are `f16` onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: accumulate in `f32`: start from `zeros::<f32>([..])`
            T0202 at `mma(i, i.t(), zeros([1, 1]))`: `mma` cannot multiply tiles of `i32`
              note: pairs are `f16` onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
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
              help: write each of `0`, `1` once, in the new order
            T0207 at `n`: an axis must be known at compile time, and `n` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: make it a const parameter of the kernel: `const N: usize`
            T0204 at `t.sum(0).t()`: `t` needs a tile of rank 2, found rank 1
              `t.sum(0)`: `t.sum(0)` is `Tile<f32, [32]>`
              help: write `.permute([..])` with the order of the axes
            T0203 at `0`: `squeeze` removes an axis of extent 1, found extent 16
              `t`: `t` is `Tile<f32, [16, 32]>`
              help: write `.sum(0)` or another reduction to combine the axis
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
              help: write a shape of 512 elements
            T0203 at `[16, 64]`: [16, 32] cannot be repeated over [16, 64]
              `t`: `t` is `Tile<f32, [16, 32]>`
              note: `broadcast` repeats along axes of extent 1 and keeps the others
              help: write the tile's own extent on every axis whose extent is not 1
            T0204 at `[16, 32]`: `broadcast` keeps the rank, found rank 1 and a shape of rank 2
              `t.sum(0)`: `t.sum(0)` is `Tile<f32, [32]>`
              help: write `t.sum(0).unsqueeze(0).broadcast([16, 32])`
            T0402 at `[8192, 8192]`: a tile of shape [8192, 8192] has more than 16777216 elements
              help: write a smaller shape
            T0204 at `[]`: a tile has at least one axis
              help: write the extents in the brackets, as in `[64]`; a single number is a scalar
        "#]],
    );
}

#[test]
fn ranges_count_integers() {
    body(
        "for i in 0.0..1.0 { } for i in 0..x { } for i in 0..n { i } for (i, j) in 0..n { } let e = 7_u64; let mut h = e; for i in 0..=h { } for i in u..n { }",
        expect![[r#"
            T0202 at `0.0`: a range counts integers, found `{float}`
              help: write `0`
            T0202 at `1.0`: a range counts integers, found `{float}`
              help: write `1`
            T0202 at `x`: a range counts integers, found `f32`
              help: write `x as i32`
            T0202 at `i`: the body of a loop has no value, found `i32`
              help: end the line with `;`
            T0202 at `(i, j)`: a range gives one integer at a time, not a tuple
              help: write a single name
            T0202 at `n`: the ends of a range have one type, found `u32` and `i32`
              `u`: `u` is `u32`
              `n`: `n` is `i32`
              help: write `u as i32`
            T0101 at `h`: `..=` with a variable end of type `u64` cannot be used in a kernel
              note: the number above the end may not fit into 64 bits
              help: write `..` with the number above the end, or count in `i32`
        "#]],
    );
}

#[test]
fn tuples() {
    body(
        "let (p, q) = (1, 2, 3); let (r, s) = n; let t = (1, 2).5; let v = n.0; (p, q) = 5;",
        expect![[r#"
            T0202 at `(p, q)`: a pattern of 2 parts cannot take `({integer}, {integer}, {integer})` apart
              help: write a pattern of 3 parts
            T0202 at `(r, s)`: a pattern of 2 parts cannot take `i32` apart
              help: write a single name
            T0201 at `(1, 2).5`: `({integer}, {integer})` has no part `.5`
              help: write a part from `.0` to `.1`
            T0201 at `n.0`: `i32` has no part `.0`
              help: write `n` itself
            T0202 at `(p, q)`: 2 places cannot take `{integer}` apart
              help: write one place per part of the value
        "#]],
    );
}

#[test]
fn annotations() {
    body(
        "let p: i32 = 1.0; let q: f32 = n; let r: Tile<f32, {[64]}> = zeros([32]); let s: Strin = 1; let t: (i32, bool) = (1, 2);",
        expect![[r#"
            T0202 at `1.0`: expected `i32`, found `{float}`
              note: the annotation and the value must agree
              help: write an integer, such as `1`
            T0202 at `n`: expected `f32`, found `i32`
              note: the annotation and the value must agree
              help: write `n as f32`
            T0203 at `zeros([32])`: expected `Tile<f32, [64]>`, found `Tile<_, [32]>`
              note: the annotation and the value must agree
              help: give the tile the shape [64]
            T0201 at `Strin`: a kernel does not know the type `Strin`
              help: use a number type, such as `f32` or `i32`, or a type parameter
            T0202 at `(1, 2)`: expected `(i32, bool)`, found `(i32, {integer})`
              note: the annotation and the value must agree
              help: write a value of type `(i32, bool)`
        "#]],
    );
}

#[test]
fn lists_are_not_values() {
    body(
        "let p = [1, 2]; let q = zeros([64]) ;",
        expect![[r#"
            T0101 at `[1, 2]`: an array value cannot be used in a kernel
              note: lists in brackets are shapes and indices of the calls that take them
              help: write the list in the call, or use a tuple
        "#]],
    );
}

#[test]
fn padding_values() {
    body(
        "let p = a.load_padded([0], [64], Padding::NegInff); let q = a.load_padded([0], [64], 0.0); let r = ids.load_padded([0], [64], Padding::NegInf);",
        expect![[r#"
            T0206 at `Padding::NegInff`: expected a padding value, found `Padding::NegInff`
              help: write `Padding::NegInf`
            T0206 at `0.0`: expected a padding value, found `0.0`
              help: write one of `Padding::Zero`, `Padding::NegZero`, `Padding::Nan`, `Padding::Inf`, `Padding::NegInf`
            T0206 at `Padding::NegInf`: `Padding::NegInf` needs a float tensor, found elements of `i32`
              help: write `Padding::Zero`, and use `select` for another value beyond the edge
        "#]],
    );
}

#[test]
fn one_mistake_gives_one_message() {
    body(
        "let t = unknown_thing(1); let r = t + 1; let s = r.exp(); c.store([0], s); let mut y = t; y = 1; for i in 0..t { y += i; }",
        expect![[r#"
            T0201 at `unknown_thing`: a kernel cannot call `unknown_thing`
              note: the functions are `block_id`, `num_blocks`, `zeros`, `full`, `iota`, `select`, `mma`
              help: write the code of the function in place of the call
        "#]],
    );
}

#[test]
fn a_value_at_the_end() {
    body(
        "x + 1.0",
        expect![[r#"
            T0202 at `x + 1.0`: a kernel returns nothing, found `f32`
              help: store the value in a `&mut Tensor` parameter, or end the line with `;`
        "#]],
    );
}

#[test]
fn loops_and_jumps_are_refused() {
    body(
        "while n > 0 { } loop { break; } for i in 0..n { continue; } match n { _ => {} } return; if flag { return; } 'a: for i in 0..n { }",
        expect![[r#"
            T0101 at `while`: `while` cannot be used in a kernel
              help: write `for i in 0..n` with the number of iterations, and `if` inside it for the condition
            T0101 at `loop`: `loop` cannot be used in a kernel
              help: write `for i in 0..n` with the number of iterations
            T0101 at `continue`: `continue` cannot be used in a kernel
              help: put the rest of the loop body into an `if` with the opposite condition
            T0101 at `match`: `match` cannot be used in a kernel
              help: write `if` / `else if` / `else`
            T0101 at `return`: `return` cannot be used in a kernel
              help: put the rest of the kernel into an `if` with the opposite condition
            T0101 at `return`: `return` cannot be used in a kernel
              help: put the rest of the kernel into an `if` with the opposite condition
            T0101 at `a`: a label cannot be used in a kernel
              help: remove the label: `break` and `continue` are not available here
        "#]],
    );
}

#[test]
fn other_rust_is_refused_by_name() {
    body(
        r#"let p = c[0]; let q = |v| v + 1; let r = vec![1]; println!("{}", n); let s = &x; let t = *s; let v = unsafe { 1 }; let w = "text"; let y = 'c'; let z = [0; 4]; let i = 0..4; assert!(flag); let k; if let v = n { } let e = Foo { a: 1 }; let h = n?; let g = 1_i128; let o = (1).a; let l = async { 1 };"#,
        expect![[r#"
            T0101 at `c[0]`: indexing with `[..]` cannot be used in a kernel
              help: load a tile with `.load([i], [64])` and compute on the whole tile
            T0101 at `|v| v + 1`: a closure cannot be used in a kernel
              help: use `sum`, `prod`, `reduce_max` or `reduce_min` for reductions, and write other code in place
            T0101 at `vec![1]`: the macro `vec!` cannot be used in a kernel
              help: write `full([n], value)` or `zeros::<f32>([n])` for a tile
            T0101 at `println!("{}", n)`: the macro `println!` cannot be used in a kernel
              help: store the value in a tensor and print it on the host
            T0101 at `&x`: taking a reference cannot be used in a kernel
              help: pass the value itself: tiles and scalars are values, and tensors are references already
            T0101 at `*s`: dereferencing cannot be used in a kernel
              help: use the value itself: tiles and scalars are values, not references
            T0101 at `unsafe`: `unsafe` cannot be used in a kernel
              help: use `load` and `store`, which are safe: the edge of a tensor is padded and clipped
            T0101 at `"text"`: a string cannot be used in a kernel
              help: remove it: a kernel computes with numbers only
            T0101 at `'c'`: a `char` cannot be used in a kernel
              help: write its number, such as `97_u32`
            T0101 at `[0; 4]`: an array `[value; n]` cannot be used in a kernel
              help: write `full([n], value)` for a tile of one value
            T0101 at `0..4`: a range value cannot be used in a kernel
              help: write the range in the head of a `for` loop
            T0101 at `assert!(flag)`: the macro `assert!` cannot be used in a kernel
              help: check on the host, before the launch
            T0101 at `k`: a `let` without a value cannot be used in a kernel
              help: give it its value here, as in `let x = if .. { .. } else { .. };`
            T0101 at `let v = n`: `if let` cannot be used in a kernel
              help: compare with `==` in an `if`: a kernel has no enums
            T0101 at `Foo { a: 1 }`: a struct value cannot be used in a kernel
              help: use a tuple or separate variables
            T0101 at `?`: `?` cannot be used in a kernel
              help: check on the host, before the launch: a kernel has no `Result` or `Option`
            T0101 at `1_i128`: the type `i128` cannot be used in a kernel
              help: use a type of at most 64 bits, such as `i64`
            T0101 at `(1).a`: a named field cannot be used in a kernel
              help: use a tuple, whose parts are `.0`, `.1`, or separate variables
            T0101 at `async`: `async` code cannot be used in a kernel
              help: write plain statements: a kernel runs from its first to its last statement
        "#]],
    );
}

#[test]
fn patterns_and_items_are_refused() {
    body(
        "let ref p = n; let &q = n; let (r, ..) = (1, 2); let Some(s) = n else { return }; fn f() {} const K: usize = 4; use std::fmt; let v: &i32 = n; let w: isize = 1; let y: [f32; 4] = 1; #[cfg(foo)] let z = 1; for i in (0..4).rev() { } for i in 0.. { } for j in items { } for i in (0..4).step_by(2) { }",
        expect![[r#"
            T0101 at `ref p`: `ref` cannot be used in a kernel
              help: remove `ref`: values are copied
            T0101 at `&q`: `&` in a pattern cannot be used in a kernel
              help: remove the `&`: values are copied
            T0101 at `..`: `..` in a pattern cannot be used in a kernel
              help: write `_` for each part that is not needed
            T0101 at `Some(s)`: this pattern cannot be used in a kernel
              help: use names, `_` and tuples of them
            T0101 at `else`: `let .. else` cannot be used in a kernel
              help: bind the value with a plain `let`
            T0101 at `fn f() {}`: a function inside the body cannot be used in a kernel
              help: write its code in place of the calls
            T0101 at `const K: usize = 4;`: a constant item cannot be used in a kernel
              help: write `let NAME = value;`: a `let` of a constant is a constant
            T0101 at `use std::fmt;`: `use` inside the body cannot be used in a kernel
              help: remove it: the functions of the kernel language are always in scope
            T0101 at `&i32`: a reference type cannot be used in a kernel
              help: write the type without `&`: tiles and scalars are values
            T0101 at `[f32; 4]`: an array type cannot be used in a kernel
              help: leave the annotation out: the shape of a tile is known from its value
            T0101 at `#[cfg(foo)]`: an attribute inside the body cannot be used in a kernel
              help: put the attribute on the kernel itself
            T0101 at `rev`: `.rev(..)` in the head of a `for` loop cannot be used in a kernel
              help: count upwards and compute the falling index, as in `let j = n - 1 - i;`
            T0101 at `0..`: a range without both ends cannot be used in a kernel
              help: write a range such as `0..n`
            T0101 at `items`: an iterator that is not a range cannot be used in a kernel
              help: write a range such as `0..n`
            T0101 at `step_by`: `.step_by(..)` in the head of a `for` loop cannot be used in a kernel
              help: count the steps and compute the index, as in `let j = i * step;`
            T0201 at `isize`: a kernel does not know the type `isize`
              help: write `i64`
        "#]],
    );
}

#[test]
fn signatures_are_checked() {
    let text = faults(
        "",
        "unsafe fn k(a: &Tensor<f32>, b: Tensor<f32, 1>, c: &mut Tensor<f32, 9>, d: &f32, e: *const f32, f: isize, g: &[f32], (h, i): (i32, i32), j: &Tensor<f32, N>, l: &Tensor<Foo, 1>, m: String, m: i32) -> f32 { }",
    );
    expect![[r#"
        T0101 at `unsafe`: `unsafe fn` cannot be used in a kernel
          help: remove `unsafe`: tensors are accessed by `load` and `store`, which are safe
        T0101 at `f32`: a return type cannot be used in a kernel
          help: remove it, add a parameter `out: &mut Tensor<f32, 1>` and `store` the result there
        T0101 at `&Tensor<f32>`: a tensor without element type and rank cannot be used in a kernel
          help: write the element type and the number of axes, as in `Tensor<f32, 2>`
        T0101 at `Tensor<f32, 1>`: a tensor by value cannot be used in a kernel
          help: write `b: &Tensor<f32, 1>`, or `&mut` for a tensor that is stored to
        T0204 at `9`: a tensor cannot have 9 axes
          note: a tensor has from 1 to 8 axes
          help: write a rank in that range; a single number is a tensor of rank 1 with one element
        T0101 at `&f32`: a reference to a number cannot be used in a kernel
          help: write `d: f32`: numbers are passed by value
        T0101 at `*const f32`: this parameter type cannot be used in a kernel
          help: write `e: &Tensor<f32, 1>`, `&mut Tensor<f32, 1>` or a number type
        T0101 at `isize`: a parameter of the type `isize` cannot be used in a kernel
          help: write `i64`
        T0101 at `&[f32]`: this parameter type cannot be used in a kernel
          help: write `g: &Tensor<f32, 1>`, `&mut Tensor<f32, 1>` or a number type
        T0101 at `(h, i)`: a pattern as a parameter cannot be used in a kernel
          help: give the parameter a name and take it apart with `let`
        T0101 at `N`: a rank that is not a literal cannot be used in a kernel
          help: write the number of axes, as in `Tensor<f32, 2>`
        T0101 at `Foo`: the type `Foo` cannot be used in a kernel
          help: use a number type (`bool`, `i8` to `i64`, `u8` to `u64`, `usize`, `f16`, `bf16`, `f32`, `f64`) or a type parameter
        T0101 at `String`: a parameter of the type `String` cannot be used in a kernel
          help: remove it: a kernel computes with numbers only
    "#]].assert_eq(&text);
}

#[test]
fn qualifiers_are_refused() {
    let text = faults(
        "",
        r#"pub async extern "C" fn k<'a, T: Element + Copy, const N: f32>(a: &'a Tensor<T, 1>) where T: Clone { }"#,
    );
    expect![[r#"
        T0101 at `async`: `async fn` cannot be used in a kernel
          help: remove `async`: a launch is asynchronous anyway
        T0101 at `extern "C"`: an `extern` ABI cannot be used in a kernel
          help: remove it: the host launches a kernel through its stub
        T0101 at `'a`: a lifetime parameter cannot be used in a kernel
          help: remove the lifetime
        T0101 at `Copy`: a bound other than `Element` cannot be used in a kernel
          help: write `T: Element`: what a type can do is checked for each listed type
        T0101 at `f32`: a const parameter of type `f32` cannot be used in a kernel
          help: use `usize`, another integer type or `bool`
        T0101 at `Clone`: a bound other than `Element` cannot be used in a kernel
          help: write `T: Element`: what a type can do is checked for each listed type
        T0101 at `'a`: a lifetime cannot be used in a kernel
          help: remove the lifetime
        T0208 at `T`: the types that `T` stands for are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(types(T = f16 | f32), ..)]` with the types that are used
        T0208 at `N`: the values of `N` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(instances((N = 64)), ..)]` with the values that are used
    "#]]
    .assert_eq(&text);
}

#[test]
fn generics_must_be_listed() {
    let text = faults(
        "",
        "fn k<T: Element, const BM: usize, const FAST: bool>(a: &Tensor<T, 1>) { }",
    );
    expect![[r#"
        T0208 at `T`: the types that `T` stands for are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(types(T = f16 | f32), ..)]` with the types that are used
        T0208 at `BM`: the values of `BM` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(instances((BM = 64, FAST = true)), ..)]` with the values that are used
    "#]].assert_eq(&text);
}

#[test]
fn instances_must_fit() {
    let text = faults(
        "instances((BM = 64, BK = 2), (BM = 1, BM = 2), (BM = -1), (BM = x), (BM = true), ()), types(U = f32, T = f23 | f32)",
        "fn k<T: Element, const BM: usize>(a: &Tensor<T, 1>) { }",
    );
    expect![[r#"
        T0208 at `U`: the kernel has no type parameter `U`
          help: write a parameter of the kernel: `T`
        T0208 at `f23`: `f23` is no element type
          help: write number types, such as `f16 | bf16 | f32`
        T0208 at `BK`: the kernel has no const parameter `BK`
          help: write a parameter of the kernel: `BM`
        T0208 at `BM`: the instance gives `BM` twice
          help: remove one of them
        T0208 at `-1`: `-1` does not fit into `BM`, which is a `usize`
          help: write a number in the range of the type
        T0208 at `x`: `BM` is a `usize`, found `x`
          help: write a literal, as in `BM = 64`
        T0208 at `true`: `BM` is a `usize`, found `true`
          help: write a literal, as in `BM = 64`
        T0208 at `()`: the instance gives no value for `BM`
          help: add `BM = ..` to it
    "#]]
    .assert_eq(&text);
}

#[test]
fn instances_without_generics() {
    let text = faults(
        "instances((BM = 64)), types(T = f32)",
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0208 at `T`: the kernel has no type parameter `T`
          help: remove it, or declare `T: Element` in the generics
        T0208 at `(BM = 64)`: the kernel has no const parameters
          help: remove `instances(..)`, or declare `const N: usize` in the generics
    "#]]
    .assert_eq(&text);
}

#[test]
fn unknown_options_are_named() {
    let text = faults(
        r#"girds = 1, num_warps = 3, arch = "sm_80""#,
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0102 at `girds = 1`: there is no option `girds`
          help: write `grid`
        T0102 at `arch = "sm_80"`: expected a list
          help: write `arch("sm_80", "sm_90a")`
    "#]]
    .assert_eq(&text);
}

#[test]
fn options_of_the_wrong_form() {
    let text = faults(
        r#"instances(BM = 64), types(T = ), arch(), num_warps = "x", grid"#,
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0102 at `BM`: expected parentheses
          help: write `instances((BM = 64, BN = 64), (BM = 128, BN = 64))`
        T0102 at ``: unexpected end of input, expected identifier
          help: write `types(T = f16 | bf16)`
        T0102 at `arch()`: the list is empty
          help: write `arch("sm_80", "sm_90a")`
        T0102 at `"x"`: unknown value: `x`
          help: write `num_warps = 4`
        T0102 at `grid`: the option `grid` has another form
          help: write `grid = c.tiles([64, 64])`
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_fault_of_one_instance_names_it() {
    let text = faults(
        "instances((BM = 64), (BM = 3))",
        "fn k<const BM: usize>(a: &Tensor<f32, 1>) { let t = a.load([0], [BM]); }",
    );
    expect![[r#"
        T0205 at `BM`: the tile dimension `BM`, which is 3, is not a power of two
          note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
          note: in the instance BM = 3
          help: make `BM` 4, the next power of two
    "#]].assert_eq(&text);
}

#[test]
fn a_fault_of_every_instance_is_reported_once() {
    let text = faults(
        "instances((BM = 64), (BM = 32)), types(T = f32 | f16)",
        "fn k<T: Element, const BM: usize>(a: &Tensor<T, 1>) { let t = a.load([0], [BM]) + nope; }",
    );
    expect![[r#"
        T0201 at `nope`: there is no variable `nope` here
          note: a kernel sees its parameters, its variables and the functions of the kernel language
          help: declare it with `let nope = ..;`, or pass it as a parameter of the kernel
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_fault_with_other_numbers_is_reported_once() {
    let text = faults(
        "instances((BM = 64), (BM = 32))",
        "fn k<const BM: usize>(a: &Tensor<f32, 1>) { let t = a.load([0], [BM]) + zeros([BM * 2]); let r = zeros::<f32>([BM - 100]); }",
    );
    expect![[r#"
        T0203 at `zeros([BM * 2])`: `+` needs tiles whose shapes match, found [64] and [128]
          `a.load([0], [BM])`: `a.load([0], [BM])` is `Tile<f32, [64]>`
          `zeros([BM * 2])`: `zeros([BM * 2])` is `Tile<f32, [128]>`
          note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
          note: in the instance BM = 64
          help: make axis 0 of both the same: 64 or 128
        T0212 at `BM - 100`: `BM - 100` is -36, which is not a `usize`
          note: in the instance BM = 64
          help: write a value for which a tile dimension is not negative
    "#]].assert_eq(&text);
}

#[test]
fn options_are_given_once_and_in_range() {
    let text = faults("num_warps = 3", "fn k(a: &Tensor<f32, 1>) { }");
    expect![[r#"
        T0102 at `3`: a block cannot have 3 warps
          note: `num_warps` is a power of two from 1 to 32
          help: write `num_warps = 4`
    "#]]
    .assert_eq(&text);
    let text = faults("grid = 1, grid = 2", "fn k(a: &Tensor<f32, 1>) { }");
    expect![[r#"
        T0102 at `grid = 2`: duplicate field `grid`
          help: write each of `grid`, `instances`, `types`, `arch` and `num_warps` at most once
    "#]]
    .assert_eq(&text);
}

#[test]
fn only_functions_are_kernels() {
    let text = faults(r#""#, r#"struct K;"#);
    expect![[r#"
        [T0101] `#[tile_kernel]` goes on a function
        = help: move the attribute to a `fn`"#]]
    .assert_eq(&text);
}
