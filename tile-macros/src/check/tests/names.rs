//! Names of variables, functions, methods and types; argument counts.

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
              help: write `.sum(0)` and divide by the number of elements
            T0201 at `clone`: `Tile<f32, [64]>` has no method `clone`
              help: write `t`: values are copied freely
            T0206 at `t.max()`: `max` takes 1 argument, found 0
              help: write `.reduce_max(0)` for the max along axis 0, or `.max(y)` for the max of two tiles
            T0201 at `exp`: `&Tensor<f32, 1>` has no method `exp`
              help: load a tile first: write `a.load([i], [64])`
            T0201 at `shape`: `&Tensor<f32, 1>` has no method `shape`
              help: write `a.dim(0)` for the extent of axis 0
            T0201 at `iter`: `Tile<f32, [64]>` has no method `iter`
              help: compute on the whole tile: operators and methods work on every element, and `.reduce(..)` combines them
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
              help: put `#[tile_fn]` on the function `foo`
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
        "let p = a.load_padded([0], [64], Padding::NegInff); let q = a.load_padded([0], [64], x); let r = ids.load_padded([0], [64], Padding::NegInf); let s = ids.partition([8]).with_padding(0.5); let t = a.gather_padded([iota(8)], NegInf);",
        expect![[r#"
            T0206 at `Padding::NegInff`: expected a padding value, found `Padding::NegInff`
              help: write `Padding::NegInf`
            T0207 at `x`: what is loaded beyond the edge must be known at compile time, and `x` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: load with a constant, and choose by `select` what it stands for
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
