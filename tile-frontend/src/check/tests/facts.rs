//! Tests of `assume(..)`: facts of a launch.

use crate::testing::{errors, front};
use expect_test::{Expect, expect};

#[expect(
    clippy::needless_pass_by_value,
    reason = "that is how `expect!` reads best"
)]
fn kernel(body: &str, expected: Expect) {
    expected.assert_eq(&kernel_errors(body));
}

fn kernel_errors(body: &str) -> String {
    let item = format!(
        "unsafe fn k<const B: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, p: *const i32, n: i32, u: u32, f: f32, flag: bool) {{ {body} y.store([0], full([B], 1.0)); }}"
    );
    errors("grid = 1, arch(\"cpu\"), instances((B = 16))", &item)
}

fn is_accepted(body: &str) {
    assert_eq!(kernel_errors(body), "no diagnostics\n", "{body}");
}

#[test]
fn facts_are_about_what_a_launch_knows() {
    is_accepted("assume(n % 16 == 0);");
    is_accepted("tile_kernel::assume(n >= 0 && n < 4096);");
    is_accepted("assume(x.dim(0) % B as i32 == 0);");
    is_accepted("assume(x.dim(0) == y.dim(0)); assume(x.stride(1) == 1);");
    is_accepted("assume(p.addr() % 16 == 0 || flag);");
    is_accepted("assume(x.as_ptr().addr() & 127 == 0);");
    is_accepted("assume(!flag && u as i64 * 3 == x.stride(0) - 1 && -n < !7 && n << 2 > n >> 1);");
    // The fact holds in this instance, so no launch has to check it.
    is_accepted("assume(B % 16 == 0);");
}

#[test]
fn what_a_launch_does_not_know_is_refused() {
    kernel(
        "assume(f > 0.0); assume(x.at([0, 0]) > 1.0); assume(n % block_id(0) == 0); assume(n.count_ones() == 1 && x.load([0, 0], [1, 1]).max(0.0).sum(0).sum(0) == 0.0);",
        expect![[r#"
            T0223 at `f`: a fact is about integers, found `f32`
              note: a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, `x.as_ptr().addr()`, constants, and operators on these
              help: write the condition with these, or check it in the kernel: write `assert!(f > 0.0)`
            T0223 at `x.at([0, 0])`: a fact is about integers, found `f32`
              note: a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, `x.as_ptr().addr()`, constants, and operators on these
              help: write the condition with these, or check it in the kernel: write `assert!(x.at([0, 0]) > 1.0)`
            T0223 at `block_id(0)`: no launch knows this value
              note: a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, `x.as_ptr().addr()`, constants, and operators on these
              help: write the condition with these, or check it in the kernel: write `assert!(n % block_id(0) == 0)`
            T0223 at `n.count_ones()`: no launch knows this value
              note: a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, `x.as_ptr().addr()`, constants, and operators on these
              help: write the condition with these, or check it in the kernel: write `assert!(n.count_ones() == 1 && x.load([0, 0], [1, 1]).max(0.0).sum(0).sum(0) == 0.0)`
            T0223 at `x.load([0, 0], [1, 1]).max(0.0).sum(0).sum(0)`: a fact is about integers, found `f32`
              note: a launch knows integers and `bool`s that are parameters, `x.dim(0)`, `x.stride(0)`, `p.addr()`, `x.as_ptr().addr()`, constants, and operators on these
              help: write the condition with these, or check it in the kernel: write `assert!(n.count_ones() == 1 && x.load([0, 0], [1, 1]).max(0.0).sum(0).sum(0) == 0.0)`
        "#]],
    );
}

#[test]
fn facts_are_conditions() {
    kernel(
        "assume(n); assume(); assume(n > 0, n < 5); assume(iota::<i32>(8) < 3); assume(n % 16 == 0_i64); assume(m > 0);",
        expect![[r#"
            T0202 at `n`: a fact is a `bool`, found `i32`
              help: compare it, as in `n % 16 == 0`
            T0206 at `assume()`: `assume` takes 1 argument, found 0
              help: write `assume(n % 16 == 0)`
            T0206 at `assume(n > 0, n < 5)`: `assume` takes 1 argument, found 2
              help: write `assume(n > 0)`
            T0202 at `iota::<i32>(8) < 3`: a fact is a `bool`, found `Tile<bool, [8]>`
              help: write `assume(n % 16 == 0)`, of numbers, extents, strides and addresses
            T0202 at `n % 16`: `==` needs operands of one element type, found `i32` and `i64`
              `n % 16`: `n % 16` is `i32`
              `0_i64`: `0i64` is `i64`
              note: numbers are never converted silently, as in Rust
              help: write `(n % 16) as i64`
            T0201 at `m`: there is no variable `m` here
              note: a kernel sees its parameters, its variables and the functions of the kernel language
              help: declare it with `let m = ..;`, or pass it as a parameter of the kernel
        "#]],
    );
}

#[test]
fn facts_stand_at_the_head() {
    kernel(
        "let m = n + 1; assume(m % 16 == 0); if flag { assume(n > 0); }",
        expect![[r#"
            T0223 at `assume(m % 16 == 0)`: a fact is written at the head of a kernel, before everything else
              note: a launch checks it before anything runs, so it is about the arguments
              help: move it there; of what the kernel computes, check `assert!(m % 16 == 0)`, or promise `unsafe { assume!(m % 16 == 0) }`
            T0223 at `assume(n > 0)`: a fact is written at the head of a kernel, before everything else
              note: a launch checks it before anything runs, so it is about the arguments
              help: move it there; of what the kernel computes, check `assert!(n > 0)`, or promise `unsafe { assume!(n > 0) }`
        "#]],
    );
}

#[test]
fn facts_of_functions_are_refused() {
    let source = "#[tile_fn] fn half(n: i32) -> i32 { assume(n % 2 == 0); n / 2 }
        #[tile_kernel(grid = 1, arch(\"cpu\"))] fn k(y: &mut Tensor<f32, 1>, n: i32) { y.store([half(n)], full([16], 1.0)); }";
    expect![[r#"
        T0223 at `assume(n % 2 == 0)`: a fact is written at the head of a kernel, before everything else
          `half`: `half` is used here
          note: a launch checks it before anything runs, so it is about the arguments
          help: move it there; of what the kernel computes, check `assert!(n % 2 == 0)`, or promise `unsafe { assume!(n % 2 == 0) }`
    "#]].assert_eq(&crate::testing::module_errors(source));
}

#[test]
fn facts_that_cannot_hold_are_refused() {
    kernel(
        "assume(B % 32 == 0);",
        expect![[r#"
            T0223 at `B % 32 == 0`: `B % 32 == 0` never holds
              help: leave the instance out, or correct the condition
        "#]],
    );
    kernel(
        "assume(n % 8 == 0); assume(n > 0 && n < 8);",
        expect![[r#"
            T0223 at `n > 0 && n < 8`: no launch satisfies `n > 0 && n < 8` and what is assumed besides
              help: correct the conditions: all of them must hold at once
        "#]],
    );
    kernel(
        "assume(n > 7); assume(n < 3);",
        expect![[r#"
        T0223 at `n < 3`: no launch satisfies `n < 3` and what is assumed besides
          help: correct the conditions: all of them must hold at once
    "#]],
    );
    kernel(
        "assume(x.dim(0) == 12); assume(x.dim(0) % 8 == 0);",
        expect![[r#"
            T0223 at `x.dim(0) % 8 == 0`: no launch satisfies `x.dim(0) % 8 == 0` and what is assumed besides
              help: correct the conditions: all of them must hold at once
        "#]],
    );
}

#[test]
fn a_kernel_knows_its_facts_and_nothing_of_them_is_code() {
    let item = "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) { assume(x.as_ptr().addr() % 64 == 0); assume(n * 2 < x.dim(0)); y.store([0], x.load([0], [16])); }";
    let expansion = front("grid = 1", item).expect("it is right");
    let text = crate::testing::ir("grid = 1", item, crate::build::Variant::General);
    assert!(
        !text.contains("ptr_to_int") && !text.contains("muli"),
        "{text}"
    );
    assert_eq!(expansion.artifacts.len(), 1);
}
