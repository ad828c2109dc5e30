//! Tests of names of variables, functions, methods and types, and of argument counts.

use super::body;
use expect_test::expect;

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
              help: write `t.sum(0) / 64.0`
            T0201 at `clone`: `Tile<f32, [64]>` has no method `clone`
              help: write `t`: values are copied freely
            T0206 at `t.max()`: `max` takes 1 argument, found 0
              help: write `t.reduce_max(0)` for the max along axis 0, or `t.max(y)` for the max of two tiles
            T0201 at `exp`: `&Tensor<f32, 1>` has no method `exp`
              help: load a tile first: write `a.load([block_id(0)], [64])`
            T0201 at `shape`: `&Tensor<f32, 1>` has no method `shape`
              help: write `a.dim(0)` for the extent of axis 0
            T0201 at `iter`: `Tile<f32, [64]>` has no method `iter`
              help: compute on the whole tile: operators and methods work on every element, and `t.sum(0)` or `.reduce(..)` combines them
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
              note: a kernel calls functions of the kernel language, and the author's own under `#[tile_fn]`
              help: write `#[tile_fn]` above `fn foo`
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
              help: write `a.load([0], [64])`
            T0206 at `[64]`: `load` on a partition takes the index only
              note: the partition already has the tile shape [64]
              help: remove the shape
            T0206 at `x.powf()`: `powf` takes 1 argument, found 0
              help: write `x.powf(y)`
            T0206 at `mma(t, t)`: `mma` takes 3 arguments, found 2
              help: write `mma(t, t, acc)`
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
              help: write the list in the call, or use a tuple; for a tile of these elements, write `cat(full([1], 1), full([1], 2), 0)`
        "#]],
    );
}

#[test]
fn padding_values() {
    body(
        "let p = a.load_padded([0], [64], Padding::NegInff); let q = a.load_padded([0], [64], x); let r = ids.load_padded([0], [64], Padding::NegInf); let s = ids.partition([8]).with_padding(0.5); let t = a.gather_padded([iota(8)], NegInf);",
        expect![[r#"
            T0206 at `Padding::NegInff`: expected a padding value, found `Padding::NegInff`
              help: write `Padding::NegInf`
            T0207 at `x`: what is loaded beyond the edge must be known at compile time, and `x` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: load with a constant, and choose the value with `select`
            T0206 at `Padding::NegInf`: `Padding::NegInf` needs a float tensor, found elements of `i32`
              help: write the number itself, such as `i32::MIN`
            T0202 at `0.5`: expected `i32`, found `{float}`
              note: what is loaded beyond the edge is a number of the elements of the tensor, or a `Padding`
              help: write an integer, such as `0`
            T0206 at `NegInf`: expected a padding value, found `NegInf`
              help: write `Padding::NegInf`
        "#]],
    );
}

/// Checks for regressions: for each of these programs, a help once suggested something other than
/// the author meant, or led to another error.
#[test]
fn cures_that_led_astray() {
    body(
        "let t = a.load([0], [64]); let w = m.load([0, 0], [4, 8]); let v = ids.load([0], [64]);
        let r0 = t - t.max(0); let r1 = n.saturating_mul(3); let r2 = n.isqrt(); let r3 = v.isqrt(); let r4 = u.ilog2();
        let r5 = u.next_power_of_two(); let r6 = u.leading_ones(); let r7 = u64::from(n as u32); let r8 = w.mean(1); let r9 = v.mean(0);
        let s0 = m.shape()[1]; let s1 = w.shape()[0]; let s2 = t[63]; let s3 = t[0..32]; let s4 = w[1]; let s5 = a[n]; let s6 = a[64..128]; let s7 = m[(n, 0)];
        c[n] = x; c[n] = t; let z = iota([64]); let f = f32::from_bits(u); let e = f8e4m3::from_bits(127);
        let mut s = 64; for i in 0..3 { let y = t.reshape([s, 1]); s /= 2; }
        let start = ids.load([0], [1]); for i in start..10 { } for i in v..10 { }
        let q = if t.is_nan() { 0.0 } else { t }; let p = iota::<u32>(64) + t; let o = t.extract([0]); let l = t.max();
        let mut k = t; for i in 0..3 { k = k.reshape([32, 2]); }",
        expect![[r#"
            T0202 at `t.max(0)`: `max` needs one element type, found `Tile<f32, [64]>` and `{integer}`
              `t`: `t` is `Tile<f32, [64]>`
              `0`: `0` is `{integer}`
              help: write `t.reduce_max(0)` for the max along axis 0, or `t.max(0.0)` for the max of each element and 0
            T0201 at `from`: a kernel cannot call `u64::from`
              help: convert with `as`: write `(n as u32) as u64`
            T0201 at `mean`: `Tile<f32, [4, 8]>` has no method `mean`
              help: write `w.sum(1) / 8.0`
            T0201 at `mean`: `Tile<i32, [64]>` has no method `mean`
              help: write `v.sum(0) / 64`
            T0101 at `m.shape()[1]`: indexing with `[..]` cannot be used in a kernel
              help: write `m.dim(1)`
            T0101 at `w.shape()[0]`: indexing with `[..]` cannot be used in a kernel
              help: write `4`: the shape of a tile is known
            T0101 at `t[63]`: indexing with `[..]` cannot be used in a kernel
              help: write `t.extract([63], [1]).item()`
            T0101 at `t[0..32]`: indexing with `[..]` cannot be used in a kernel
              help: write `t.extract([0], [32])`
            T0101 at `w[1]`: indexing with `[..]` cannot be used in a kernel
              help: write `w.extract([i, i], [n, n])`, where the index counts parts of that shape
            T0101 at `a[n]`: indexing with `[..]` cannot be used in a kernel
              help: write `a.at([n])` for one element, or `a.load([n], [64])` for a tile
            T0101 at `a[64..128]`: indexing with `[..]` cannot be used in a kernel
              help: write `a.load([1], [64])`
            T0101 at `m[(n, 0)]`: indexing with `[..]` cannot be used in a kernel
              help: write `m.at([n, 0])` for one element, or `m.load([n, 0], [64, 64])` for a tile
            T0101 at `c[n]`: indexing with `[..]` cannot be used in a kernel
              help: store a tile: write `c.store([n], full([1], x))`
            T0101 at `c[n]`: indexing with `[..]` cannot be used in a kernel
              help: store a tile: write `c.store([n], t)`
            T0206 at `[64]`: `iota` takes a number, found `[64]`
              help: write `iota(64)`
            T0207 at `s`: a tile dimension must be known at compile time, and `s` is not
              `s`: `s` is mutable
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a literal or a const parameter: a variable that changes is known only at run time
            T0202 at `start`: a range counts integers, found `Tile<i32, [1]>`
              help: write `start.item()`
            T0202 at `v`: a range counts integers, found `Tile<i32, [64]>`
              help: write `v.extract([0], [1]).item()` for one element
            T0202 at `t.is_nan()`: a condition is one `bool`, found `Tile<bool, [64]>`
              help: choose elementwise: write `select(t.is_nan(), 0.0, t)`
            T0202 at `iota::<u32>(64)`: `+` needs operands of one element type, found `Tile<u32, [64]>` and `Tile<f32, [64]>`
              `iota::<u32>(64)`: `iota::<u32>(64)` is `Tile<u32, [64]>`
              `t`: `t` is `Tile<f32, [64]>`
              note: numbers are never converted silently, as in Rust
              help: write `iota::<u32>(64).cast::<f32>()`
            T0206 at `t.extract([0])`: `extract` takes 2 arguments, found 1
              help: write `t.extract([0], [16])`
            T0206 at `t.max()`: `max` takes 1 argument, found 0
              help: write `t.reduce_max(0)` for the max along axis 0, or `t.max(y)` for the max of two tiles
            T0209 at `k.reshape([32, 2])`: `k` changes its type in a loop, from `Tile<f32, [64]>` to `Tile<f32, [32, 2]>`
              `k`: `k` starts as `Tile<f32, [64]>`
              `k.reshape([32, 2])`: `k.reshape([32, 2])` is `Tile<f32, [32, 2]>`
              note: a variable that a loop assigns keeps its element type and shape
              help: bind the new value to a name of its own with `let`: a tile keeps its shape [64]
        "#]],
    );
}

#[test]
fn closures_over_pairs_take_pairs() {
    body(
        "let t = a.load([0], [64]); let (p, q) = scan((t, t), 0, (0.0, 0.0), |a, b| a + b);
        let (p, q) = scan((t, t), 0, (0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1)); c.store([0], p + q);",
        expect![[r#"
            T0206 at `|a, b| a + b`: 2 tiles are combined, and the parameters of the closure are tuples of 2 numbers
              note: the closure takes two such tuples, and gives one
              help: take them apart, and give a tuple: write `|(a, b), (c, d)| (..)`
        "#]],
    );
}
