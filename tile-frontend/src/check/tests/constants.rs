//! Tests of constants of number types, conditions that they decide, and const parameters of any
//! integer type.

use crate::testing::errors;
use expect_test::expect;

/// Asserts that a condition is a constant, and true, for each of some types: code under its
/// negation is not checked.
#[track_caller]
fn holds(types: &str, condition: &str) {
    let item = format!("fn k<T: Element>(n: i32) {{ if !({condition}) {{ let x = nope; }} }}");
    let text = errors(&format!("types(T = {types})"), &item);
    assert_eq!(text, "no diagnostics\n", "{types}: {condition}");
}

#[test]
fn constants_of_a_type_parameter_are_those_of_the_type() {
    holds(
        "i8 | u8 | f8e4m3 | f8e5m2",
        "T::BITS == 8 && size_of::<T>() == 1",
    );
    holds(
        "i16 | u16 | f16 | bf16",
        "T::BITS == 16 && size_of::<T>() == 2",
    );
    holds(
        "i32 | u32 | f32",
        "T::BITS / 8 == 4 && std::mem::size_of::<T>() == 4",
    );
    holds(
        "i64 | u64 | f64",
        "T::BITS as usize == 8 * core::mem::size_of::<T>()",
    );
    holds("bool", "size_of::<T>() == 1");
    holds(
        "i8",
        "T::MIN == -128 && T::MAX == 127 && T::ZERO == 0 && T::ONE == 1",
    );
    holds(
        "u64",
        "T::MIN == 0 && T::MAX == 18446744073709551615 && T::MAX + T::ZERO == T::MAX",
    );
    for (ty, digits) in [
        ("f16", 11),
        ("bf16", 8),
        ("f32", 24),
        ("f64", 53),
        ("f8e4m3", 4),
        ("f8e5m2", 3),
    ] {
        holds(ty, &format!("T::MANTISSA_DIGITS == {digits}"));
    }
}

#[test]
fn types_are_compared() {
    holds("f16", "TypeId::of::<T>() == TypeId::of::<f16>()");
    holds(
        "f16 | f32",
        "TypeId::of::<T>() != std::any::TypeId::of::<bf16>()",
    );
    holds("u64", "TypeId::of::<T>() != TypeId::of::<usize>()");
    holds(
        "i8 | f32",
        "TypeId::of::<T>() == TypeId::of::<i8>() || T::BITS == 32",
    );
    // If a condition is false, the other branch is checked.
    expect![[r#"
        T0201 at `nope`: there is no variable `nope` here
          note: a kernel sees its parameters, its variables and the functions of the kernel language
          note: in the instance T = f32
          help: declare it with `let nope = ..;`, or pass it as a parameter of the kernel
    "#]]
    .assert_eq(&errors(
        "types(T = f16 | f32)",
        "fn k<T: Element>(n: i32) { if TypeId::of::<T>() == TypeId::of::<f32>() { let x = nope; } }",
    ));
}

#[test]
fn constants_that_a_type_has_not() {
    let text = errors(
        "types(T = i32)",
        "fn k<T: Element>(n: i32) { let a = T::INFINITY; let b = T::NEG_INFINITY; let c = bool::ZERO; let d = T::NAN; let e = size_of::<f4e2m1>(); let f = size_of(); let g = TypeId::of::<T>(); let h = f8e8m0::ZERO; }",
    );
    expect![[r#"
        T0201 at `INFINITY`: `T` has no constant `INFINITY` here
          help: write `T::MAX`
        T0201 at `NEG_INFINITY`: `T` has no constant `NEG_INFINITY` here
          help: write `T::MIN`
        T0201 at `ZERO`: `bool` has no constant `ZERO` here
          help: write `false` or `true`
        T0201 at `NAN`: `T` has no constant `NAN` here
          help: write the number; the constants known here are `MIN`, `MAX`, `ZERO`, `ONE`, `BITS`
        T0206 at `size_of::<f4e2m1>()`: an `f4e2m1` has half a byte
          help: write `f4e2m1::BITS`, which is 4
        T0206 at `size_of()`: the type whose size is asked for is missing
          help: write `size_of::<f32>()`
        T0201 at `of`: a kernel cannot call `TypeId::of`
          help: compare two of them, as in `TypeId::of::<T>() == TypeId::of::<f16>()`
        T0201 at `ZERO`: `f8e8m0` has no constant `ZERO` here
          help: write the number; the constants known here are `MAX`, `MIN_POSITIVE`, `EPSILON`, `NAN`, `ONE`, `BITS`, `MANTISSA_DIGITS`
    "#]].assert_eq(&text);
}

#[test]
fn shapes_and_axes_have_any_integer_type() {
    let text = errors(
        "instances(BM = 64, BN = 32, AXIS = 1)",
        "fn k<const BM: i32, const BN: u8, const AXIS: i64>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>) { \
            let first = block_id(0) * BM; \
            let t = x.load([first / BM, 0], [BM, BN]); \
            let s: Tile<f32, { [BM] }> = t.sum(AXIS); \
            for k in (block_id(0)..x.dim(0)).step_by(num_blocks(0)) { let u = iota(BM) + k * BM; assert!(u.reduce_max(0) >= 0); } \
            for k in (0..BM).step_by(BN) { assert!(k >= 0); } \
            y.store([block_id(0)], s); }",
    );
    assert_eq!(text, "no diagnostics\n");
}

#[test]
fn steps_and_shapes_of_bad_constants() {
    let text = errors(
        "instances(BM = 64, N = -2, M = 8)",
        "fn k<const BM: i32, const N: i32, const M: usize>(y: &mut Tensor<f32, 1>, n: i32) { \
            let t = zeros::<f32>([BM - 100]); let u = zeros::<f32>([N]); \
            for k in (0..n).step_by(N) { assert!(k > 0); } \
            for k in (0..n).step_by(BM - 64) { assert!(k > 0); } \
            let a = block_id(0) * M; let b = M + n; let c = BM * M; for k in 0..M { assert!(k as i32 * n > M); } \
            for k in n..M { assert!(k > 0); } }",
    );
    expect![[r#"
        T0212 at `BM - 100`: `BM - 100` is -36, and a tile dimension is not negative
          help: write constants for which it is not
        T0212 at `N`: a tile dimension is not negative, found -2
          help: write a positive number
        T0212 at `N`: a step is not negative
          help: count downwards with `.rev()`, as in `(0..n).rev().step_by(4)`
        T0212 at `BM - 64`: a step is not zero
          help: write a step of at least 1
        T0202 at `M`: `*` needs operands of one element type, found `i32` and `usize`
          `block_id(0)`: `block_id(0)` is `i32`
          `M`: `M` is `usize`
          note: numbers are never converted silently, as in Rust
          help: write `M as i32`, or declare it as `const M: i32`
        T0202 at `M`: `+` needs operands of one element type, found `usize` and `i32`
          `M`: `M` is `usize`
          `n`: `n` is `i32`
          note: numbers are never converted silently, as in Rust
          help: write `M as i32`, or declare it as `const M: i32`
        T0202 at `BM`: `*` needs operands of one element type, found `i32` and `usize`
          `BM`: `BM` is `i32`
          `M`: `M` is `usize`
          note: numbers are never converted silently, as in Rust
          help: write `BM as usize`
        T0202 at `M`: `>` needs operands of one element type, found `i32` and `usize`
          `k as i32 * n`: `k as i32 * n` is `i32`
          `M`: `M` is `usize`
          note: numbers are never converted silently, as in Rust
          help: write `M as i32`, or declare it as `const M: i32`
        T0202 at `M`: the ends of a range have one type, found `i32` and `usize`
          `n`: `n` is `i32`
          `M`: `M` is `usize`
          help: write `M as i32`, or declare it as `const M: i32`
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_constant_that_is_not_in_sight_names_the_attribute() {
    let text = errors(
        "",
        "fn k(y: &mut Tensor<f32, 1>) { let t = full([64], IGNORED); let u = config::IGNORED; }",
    );
    expect![[r#"
        T0201 at `IGNORED`: there is no variable `IGNORED` here
          note: a kernel sees its parameters, its variables, and the functions and constants under `#[tile_fn]`
          help: write `#[tile_fn]` above `const IGNORED`, or pass the value as a parameter of the kernel
        T0201 at `config::IGNORED`: a kernel does not know `config::IGNORED`
          note: a kernel sees its parameters, its variables, and the functions and constants under `#[tile_fn]`
          help: write `#[tile_fn]` above `const IGNORED`, or pass the value as a parameter of the kernel
    "#]].assert_eq(&text);
}
