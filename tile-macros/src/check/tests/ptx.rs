//! Text in PTX: what is said of operands, names and the body for the CPU device.

use super::body;
use expect_test::expect;

#[test]
fn text_in_ptx_needs_unsafe() {
    body(
        r#"let u = 1_u32; let v = ptx!("not.b32 {d}, {a};", d = out(u32), a = in(u)); let _ = v + u;"#,
        expect![[r#"
            T0221 at `ptx!("not.b32 {d}, {a};", d = out(u32), a = in(u))`: `ptx!` needs an `unsafe` block
              note: nothing checks what the text does: it must give every thread that runs it the same results for the same inputs, and leave alone what it does not own
              help: make sure that it is right, and write `unsafe { .. }` around it
        "#]],
    );
}

#[test]
fn the_text_and_its_operands_agree() {
    body(
        r#"unsafe { let u = 1_u32;
            let a = ptx!("not.b32 {d}, {b};", d = out(u32), a = in(u));
            let b = ptx!("not.b32 {d}, {d};", d = out(u32), a = in(u));
            let c = ptx!("not.b32 {}, {};", out(u32));
            let d = ptx!("{ not.b32 {}, {}; }", out(u32), in(u));
            let e = ptx!("exit; }");
            let f = ptx!("not.b32 {}, {};", inout(u));
            let g = ptx!("trap;", options(pure));
            let h = ptx!("trap;", options(nomem)); }"#,
        expect![[r#"
            T0206 at `"not.b32 {d}, {b};"`: `{b}` names no operand
              help: write `"not.b32 {d}, {a};"`
            T0206 at `a`: the text does not name the operand `a`
              help: write `{a}` where the text wants it, or leave the operand out
            T0206 at `"not.b32 {}, {};"`: the text names more operands than there are: 1
              help: write an operand for each pair of braces, `in(value)` or `out(type)`
            T0206 at `"{ not.b32 {}, {}; }"`: a `{` in the text is followed by no operand
              help: write `{{` for a brace
            T0206 at `"exit; }"`: a `}` in the text closes nothing
              help: write `}}` for a brace
            T0206 at `inout`: an operand of `ptx!` is `in(..)` or `out(..)`, found `inout(..)`
              help: write `ptx!("add.u32 {d}, {a}, {b};", d = out(u32), a = in(x), b = in(y), cpu = |a, b| a + b)`
            T0206 at `ptx!("trap;", options(pure))`: a `ptx!` that is `pure` has no output, and so does nothing
              help: remove `options(pure)`
            T0206 at `nomem`: `ptx!` has no option `nomem`
              help: write `ptx!("add.u32 {d}, {a}, {b};", d = out(u32), a = in(x), b = in(y), cpu = |a, b| a + b)`
        "#]],
    );
}

#[test]
fn operands_have_registers() {
    body(
        r#"unsafe { let u = 1_u8; let t = full([8], 1_i8);
            let a = ptx!("not.b32 {}, {};", out(u8), in(u));
            let b = ptx!("not.b32 {}, {};", out(bool), in(t));
            let c = ptx!("not.b32 {}, {};", out(Tile<u32, {[8]}>), in(1_u32));
            let d = ptx!("not.b32 {}, {};", out(u32), in(a)); }"#,
        expect![[r#"
            T0202 at `Tile<u32, {[8]}>`: an output of `ptx!` is given by its element type, found `Tile<u32, [8]>`
              note: its shape is that of the inputs
              help: write `out(f32)`, with the element type
            T0202 at `u`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits
              help: write `u as u32`
            T0202 at `u8`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits: convert the result
              help: write `out(u32)`
            T0202 at `t`: PTX has no register for a `i8`
              note: its registers have 16, 32 or 64 bits
              help: write `t.cast::<i32>()`
            T0202 at `bool`: PTX has no register for a `bool`
              note: its registers have 16, 32 or 64 bits: convert the result
              help: write `out(u32)`
            T0202 at `a`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits
              help: write `a as u32`
        "#]],
    );
}

#[test]
fn the_body_for_the_cpu_device_is_a_closure_of_the_inputs() {
    body(
        r#"unsafe { let u = 1_u32;
            let a = ptx!("not.b32 {}, {};", out(u32), in(u), cpu = !u);
            let b = ptx!("not.b32 {}, {};", out(u32), in(u), cpu = |a, b| !a);
            let c = ptx!("not.b32 {}, {};", out(u32), in(u), cpu = |a| 1.0);
            let d = ptx!("not.b32 {}, {};", out(u32), in(u), cpu = |a| { return; });
            for i in 0..4 { let e = ptx!("not.b32 {}, {};", out(u32), in(u), cpu = |a| { if i == 2 { break; } !a }); let _ = e + 1; }
            let f = full([8], 1.0).reduce(0, 0.0, |a, b| ptx!("add.f32 {}, {}, {};", out(f32), in(a), in(b))); }"#,
        expect![[r#"
            T0206 at `!u`: expected a closure, found `!u`
              help: write `cpu = |x0| ..`
            T0206 at `|a, b| !a`: the closure takes 2 values, and the text has 1 inputs
              note: the closure takes the inputs, in their order
              help: write `cpu = |x0| ..`
            T0202 at `1.0`: expected `u32`, found `{float}`
              note: the closure gives what the text gives: its outputs, of the shape of the inputs
              help: write an integer, such as `1`
            T0217 at `return`: a jump cannot leave the body of `ptx!` for the CPU device
              note: the text does not jump, and both do the same
              help: end the closure with its value
            T0217 at `break`: a jump cannot leave the body of `ptx!` for the CPU device
              note: the text does not jump, and both do the same
              help: end the closure with its value
            T0101 at `ptx!("add.f32 {}, {}, {};", out(f32), in(a), in(b))`: `ptx!` cannot be used in a closure
              note: how the elements of a reduction meet is chosen for each GPU
              help: use it on the tile, before or behind the reduction
        "#]],
    );
}
