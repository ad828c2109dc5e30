//! Tests the errors for Rust that a kernel cannot contain.

use super::body;
use crate::testing::errors;
use expect_test::expect;

#[test]
fn loops_and_jumps_are_followed() {
    body(
        "while n > 0 { } loop { break; } for i in 0..n { continue; } match n { _ => {} } return; if flag { return; } 'a: for i in 0..n { }",
        expect![[r#"
            T0215 at `n > 0`: this condition never changes, so the loop runs not at all or for ever
              note: nothing in the loop assigns what the condition reads
              help: write `let mut n` for `let n`, and add `n -= 1;` at the end of the loop, or write an `if`
            T0214 at `if flag { return; }`: this is never reached
              `return`: the code always leaves here
              help: remove it, or make what is in front depend on a condition
        "#]],
    );
}

#[test]
fn other_rust_is_refused_by_name() {
    body(
        r#"let p = c[0]; let q = |v| v + 1; let r = vec![1]; println!("{}", n); let s = &x; let t = *s; let v = unsafe { 1 }; let w = "text"; let y = 'c'; let z = [0; 4]; let i = 0..4; assert!(flag); let k; if let v = n { } let e = Foo { a: 1 }; let h = n?; let g = 1_i128; let o = (1).a; let l = async { 1 };"#,
        expect![[r#"
            T0101 at `vec![1]`: the macro `vec!` cannot be used in a kernel
              help: write `full([64], 1.0)` or `zeros::<f32>([64])` for a tile
            T0101 at `println!("{}", n)`: the macro `println!` cannot be used in a kernel
              help: write `tile_println!("{}", n)`, which prints numbers and tiles from the kernel
            T0101 at `&x`: taking a reference cannot be used in a kernel
              help: write `x`: tiles and scalars are values, and tensors are references already
            T0101 at `*s`: dereferencing cannot be used in a kernel
              help: write `s`: tiles and scalars are values, and tensors are references already
            T0101 at `"text"`: a string cannot be used in a kernel
              help: remove it: a kernel computes with numbers only
            T0101 at `'c'`: a `char` cannot be used in a kernel
              help: write its number, `99_u32`
            T0101 at `[0; 4]`: an array `[value; n]` cannot be used in a kernel
              help: write `full([4], 0)` for a tile of one value
            T0101 at `0..4`: a range value cannot be used in a kernel
              help: write the range in the head of a `for` loop
            T0101 at `let v = n`: `let` in a condition cannot be used in a kernel
              help: write a `match`, or compare with `==`: a kernel has no enums, and so no `Option`
            T0101 at `?`: `?` cannot be used in a kernel
              help: remove the `?`: what a kernel calls cannot fail, and a launch gives its `Result` on the host
            T0101 at `1_i128`: the type `i128` cannot be used in a kernel
              help: use a type of at most 64 bits, such as `i64`
            T0101 at `async`: `async` code cannot be used in a kernel
              help: write `1`: a kernel runs from its first to its last statement
            T0101 at `c[0]`: indexing with `[..]` cannot be used in a kernel
              help: write `c.at([0])` for one element, or `c.load([0], [64])` for a tile
            T0101 at `|v| v + 1`: a closure cannot be used here
              note: a closure is an argument of `reduce`, `scan` and `scan_rev`
              help: write the code of the closure in place
            T0201 at `Foo`: a kernel does not know the struct `Foo`
              note: a kernel sees the structs of its `#[tile_kernel] mod`, and those of a `#[tile_fn] mod`
              help: put the struct and the kernel into one `#[tile_kernel] mod`
            T0201 at `a`: `{integer}` has no field `a`
              help: write `1` itself
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
            T0101 at `Some(s)`: an enum or struct in a pattern cannot be used in a kernel
              help: compare numbers and `bool`s, and take tuples apart
            T0101 at `fn f() {}`: a function inside the body cannot be used in a kernel
              help: move it out of the kernel, and put `#[tile_fn]` on it
            T0101 at `const K: usize = 4;`: a `const` inside the body cannot be used in a kernel
              help: write `let K: usize = 4;`: a `let` of a constant is a constant
            T0101 at `use std::fmt;`: `use` inside the body cannot be used in a kernel
              help: remove it: the functions of the kernel language are always in scope
            T0101 at `&i32`: a reference type cannot be used in a kernel
              help: write `i32`: tiles and scalars are values
            T0101 at `[f32; 4]`: an array type cannot be used in a kernel
              help: leave the annotation out, or write `Tile<f32, { [4] }>` for a tile
            T0101 at `#[cfg(foo)]`: an attribute inside the body cannot be used in a kernel
              help: remove it, and choose by a const parameter: a kernel is read before rustc decides what exists
            T0101 at `0..`: a range without both ends cannot be used in a kernel
              help: write both ends, as in `0..64`; a loop that something in it ends is `loop`
            T0101 at `items`: an iterator that is not a range cannot be used in a kernel
              help: compute on whole tiles, whose operators and methods work on every element; to go over the tiles of a tensor, count them, as in `for i in 0..n { .. }`
            T0201 at `isize`: a kernel does not know the type `isize`
              help: write `i64`
        "#]],
    );
}

#[test]
fn signatures_are_checked() {
    let text = errors(
        "",
        "unsafe fn k(a: &Tensor<f32>, b: Tensor<f32, 1>, c: &mut Tensor<f32, 9>, d: &f32, e: *const f32, f: isize, g: &[f32], (h, i): (i32, i32), j: &Tensor<f32, N>, l: &Tensor<Foo, 1>, m: String, m: i32) -> f32 { }",
    );
    expect![[r#"
        T0101 at `f32`: a return type cannot be used in a kernel
          help: remove it, add a parameter `out: &mut Tensor<f32, 1>` and `store` the result there
        T0101 at `&Tensor<f32>`: a tensor without element type and rank cannot be used in a kernel
          help: write the element type and the number of axes, as in `&Tensor<f32, 1>` for one axis
        T0101 at `Tensor<f32, 1>`: a tensor by value cannot be used in a kernel
          help: write `b: &Tensor<f32, 1>`, or `&mut` for a tensor that is stored to
        T0204 at `9`: a tensor cannot have 9 axes
          note: a tensor has from 1 to 8 axes
          help: write a rank in that range, such as `8`; a single number is a tensor of rank 1 with one element
        T0101 at `&f32`: a reference to a number cannot be used in a kernel
          help: write `d: f32`: numbers are passed by value
        T0101 at `isize`: a parameter of the type `isize` cannot be used in a kernel
          help: write `i64`
        T0101 at `&[f32]`: this parameter type cannot be used in a kernel
          help: write `g: &Tensor<f32, 1>`, `&mut Tensor<f32, 1>` or a number type
        T0101 at `(h, i)`: a pattern as a parameter cannot be used in a kernel
          help: write a parameter for each: `h: i32, i: i32`
        T0101 at `N`: a rank that is not a literal cannot be used in a kernel
          help: write the number of axes, such as `1`: it is part of the signature
        T0101 at `Foo`: the type `Foo` cannot be used in a kernel
          help: use a number type (`bool`, `i8` to `i64`, `u8` to `u64`, `usize`, `f16`, `bf16`, `f32`, `f64`) or a type parameter
        T0101 at `String`: a parameter of the type `String` cannot be used in a kernel
          help: remove it: a kernel computes with numbers only
    "#]].assert_eq(&text);
}

#[test]
fn qualifiers_are_refused() {
    let text = errors(
        "",
        r#"pub async extern "C" fn k<'a, T: Element + Copy, const N: f32>(a: &'a Tensor<T, 1>) where T: Clone { }"#,
    );
    expect![[r#"
        T0101 at `async`: `async fn` cannot be used in a kernel
          help: remove `async`: a launch is asynchronous anyway
        T0101 at `extern "C"`: an `extern` ABI cannot be used in a kernel
          help: remove it: the host launches a kernel through its stub
        T0101 at `Copy`: a bound other than `Element` cannot be used in a kernel
          help: write `T: Element`: what a type can do is checked for each listed type
        T0101 at `f32`: a const parameter of type `f32` cannot be used in a kernel
          help: use `usize`, another integer type or `bool`
        T0101 at `Clone`: a bound other than `Element` cannot be used in a kernel
          help: write `T: Element`: what a type can do is checked for each listed type
        T0208 at `T`: the types of `T` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(types(T = f16 | f32), ..)]` with the types that are used
        T0208 at `N`: the values of `N` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(instances((N = 64)), ..)]` with the values that are used
    "#]]
    .assert_eq(&text);
}

#[test]
fn only_functions_are_kernels() {
    let text = errors(r#""#, r#"struct K;"#);
    expect![[r#"
        [T0101] `#[tile_kernel]` applies to a function or a module
        = help: move the attribute to a `fn` or a `mod`"#]]
    .assert_eq(&text);
}
