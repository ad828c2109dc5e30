//! Tests of element types, literals, operators, tuples and annotations.

use super::body;
use expect_test::expect;

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
fn literals_out_of_range() {
    body(
        "let p = 300_u8; let q: i8 = 128; let r: u32 = -1; let s = 5_000_000_000; let t = 70000.0_f16; let v = i32::MAX + 1; let w = 1 / 0; let y = 1 << 32; let z = -129_i8;",
        expect![[r#"
            T0202 at `-1`: `-1` cannot be a `u32`, which has no negative values
              help: write `u32::MAX` for all ones, or use a signed type such as `i32`
            T0212 at `300_u8`: `300` does not fit into `u8`
              note: `u8` holds 0 to 255
              help: write a number in that range, such as `255`, or compute in `u16`
            T0212 at `128`: `128` does not fit into `i8`
              note: `i8` holds -128 to 127
              help: write a number in that range, such as `127`, or compute in `i16`
            T0212 at `5_000_000_000`: `5000000000` does not fit into `i32`
              note: `i32` holds -2147483648 to 2147483647
              help: write a number in that range, such as `2147483647`, or compute in `i64`
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
              help: write a number in that range, such as `-128`, or compute in `i16`
        "#]],
    );
}

#[test]
fn operators_a_type_does_not_have() {
    body(
        "let p = -u; let q = !x; let r = flag + flag; let s = x & x; let t = x << 1; let v = n.exp(); let w = u.abs(); let y = n as bool; let z = flag as f32; let o = -flag;",
        expect![[r#"
            T0202 at `-u`: `u32` cannot be negated with `-`: it has no negative values
              help: write `u.wrapping_neg()`, or use a signed type
            T0202 at `!x`: `!` is for `bool` and integers, found `f32`
              help: write `-x`, or a comparison
            T0202 at `flag + flag`: `+` is for numbers, found `bool`
              help: use `&`, `|` or `^`, or convert first: write `flag as i32`
            T0202 at `x & x`: `&` is for `bool` and integers, found `f32`
              help: compare first, or convert to an integer
            T0202 at `x << 1`: `<<` is for integers, found `f32`
              help: write `x * 2.0`, or convert to an integer
            T0202 at `n.exp()`: `exp` is for floats, found `i32`
              help: write `(n as f32).exp()`
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
              help: write `(t > 0.0) & (t < 1.0)`, which works on tiles of `bool` elementwise
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
fn tuples() {
    body(
        "let (p, q) = (1, 2, 3); let (r, s) = n; let t = (1, 2).5; let v = n.0; (p, q) = 5;",
        expect![[r#"
            T0202 at `(p, q)`: a pattern of 2 parts cannot take `({integer}, {integer}, {integer})` apart
              help: write a part for each value: `(p, q, _)`
            T0202 at `(r, s)`: a pattern of 2 parts cannot take `i32` apart
              help: write a single name
            T0201 at `(1, 2).5`: `({integer}, {integer})` has no part `.5`
              help: write a part from `.0` to `.1`, such as `(1, 2).1`
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
              help: give the tile the shape [64]: write `zeros([64])` for `zeros([32])`
            T0201 at `Strin`: a kernel does not know the type `Strin`
              help: use a number type, such as `f32` or `i32`, or a type parameter
            T0202 at `(1, 2)`: expected `(i32, bool)`, found `(i32, {integer})`
              note: the annotation and the value must agree
              help: write a value of type `(i32, bool)`
        "#]],
    );
}
