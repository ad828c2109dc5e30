//! Stores, assignments, branches, loops and the end of a body.

use super::body;
use expect_test::expect;

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
fn one_mistake_gives_one_message() {
    body(
        "let t = unknown_thing(1); let r = t + 1; let s = r.exp(); c.store([0], s); let mut y = t; y = 1; for i in 0..t { y += i; }",
        expect![[r#"
            T0201 at `unknown_thing`: a kernel cannot call `unknown_thing`
              note: the functions are `block_id`, `num_blocks`, `zeros`, `full`, `iota`, `select`, `mma`, `dot`, `mma_scaled`, `cat`, `reduce`, `scan`, `scan_rev`, `philox`, `rand_u32`, `rand_uniform`, `rand_normal`
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
