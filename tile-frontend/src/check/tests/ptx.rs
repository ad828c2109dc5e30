//! Tests of `ptx!`: errors about operands, names and the body for the CPU device.

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
            let f = ptx!("not.b32 {}, {};", lateout(u));
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
            T0206 at `lateout`: an operand of `ptx!` is `in(..)`, `out(..)`, `inout(..)` or `const ..`, found `lateout(..)`
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
              help: write the element type alone, as in `out(f32)`
            T0202 at `u`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits
              help: write `u as u32`
            T0202 at `u8`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits
              help: write `u32`, and convert the result
            T0202 at `t`: PTX has no register for a `i8`
              note: its registers have 16, 32 or 64 bits; `options(pack = 4)` puts four elements of 8 bits into one
              help: write `t.cast::<i32>()`
            T0202 at `bool`: PTX has no register for a `bool`
              note: its registers have 16, 32 or 64 bits
              help: write `u32`, and convert the result
            T0202 at `a`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits
              help: write `a as u32`
        "#]],
    );
}

#[test]
fn registers_of_several_elements_are_named_one_by_one() {
    body(
        r#"unsafe { let u = 1_u32; let b = full([8], 1_u8); let h = full([8], f16::ONE);
            let a = ptx!("mov.b32 {}, {};", out(f32), in(b), options(pack = 4));
            let c = ptx!("mov.b32 {d[0]}, {b}; mov.b32 {d[1]}, {b};", d = out(f32), b = in(b), options(pack = 4));
            let d = ptx!("mov.b32 {d}, {h[2]};", d = out(f16), h = in(h), options(pack = 2));
            let e = ptx!("mov.b32 {d[1]}, {u};", d = out(u32), u = in(u));
            let f = ptx!("mov.b32 {d}, {[0]};", d = out(u32), in(u));
            let g = ptx!("mov.b32 {d}, {u[x]};", d = out(u32), u = in(u));
            let i = ptx!("mov.b32 {d}, {n[0]};", d = out(u32), n = const 4); }"#,
        expect![[r#"
            T0206 at `"mov.b32 {d}, {[0]};"`: a `{` in the text is followed by no operand
              help: write `{{` for a brace
            T0206 at `"mov.b32 {d}, {u[x]};"`: a `{` in the text is followed by no operand
              help: write `{{` for a brace
            T0206 at `"mov.b32 {d}, {n[0]};"`: `{n[0]}` names a register of a constant
              note: a constant is written into the text as a number
              help: write `"mov.b32 {d}, {n};"`
            T0206 at `"mov.b32 {}, {};"`: `{0}` does not say which of the 4 registers of `0`
              note: 4 elements of `f32` have a register each
              help: write `{0[0]}` to `{0[3]}`, each where the text wants it
            T0206 at `"mov.b32 {d[0]}, {b}; mov.b32 {d[1]}, {b};"`: the text does not name `{d[2]}`
              note: 4 elements of `f32` have a register each
              help: write `{d[0]}` to `{d[3]}`, each where the text wants it
            T0206 at `"mov.b32 {d}, {h[2]};"`: `{h[2]}` is no register of `h`, which has one
              note: 2 elements of `f16` share one register
              help: write `"mov.b32 {d}, {h};"`
            T0206 at `"mov.b32 {d[1]}, {u};"`: `{d[1]}` is no register of `d`, which has one
              note: a number of type `u32` has one register
              help: write `"mov.b32 {d}, {u};"`
        "#]],
    );
}

#[test]
fn a_run_takes_elements_that_a_tile_has() {
    body(
        r#"unsafe { let n = 3; let u = 1_u8; let t = full([2], 1_u8); let b = full([8], true);
            let a = ptx!("not.b32 {}, {};", out(u8), in(t), options(pack = 4));
            let c = ptx!("not.b32 {}, {};", out(u8), in(u), options(pack = 2));
            let d = ptx!("not.b32 {}, {};", out(u8), in(t), options(pack = 3));
            let e = ptx!("not.b32 {}, {};", out(u8), in(t), options(pack = 64));
            let f = ptx!("not.b32 {}, {};", out(u8), in(t), options(pack = 0));
            let g = ptx!("not.b32 {}, {};", out(u8), in(t), options(pack = u));
            let h = ptx!("not.b32 {}, {};", out(u8), in(b), options(pack = 4)); }"#,
        expect![[r#"
            T0206 at `4`: the text takes 4 elements at a time, and tiles have 2
              note: with `pack`, one run of the text takes elements that follow each other in a tile
              help: write `2`
            T0206 at `2`: the text takes 2 elements at a time, and there is no tile
              note: with `pack`, one run of the text takes elements that follow each other in a tile
              help: leave `pack` out, or make a tile of an input
            T0206 at `3`: a text cannot take 3 elements at a time
              note: `pack` is 1, 2, 4, 8 or 16
              help: write `2`
            T0206 at `64`: a text cannot take 64 elements at a time
              note: `pack` is 1, 2, 4, 8 or 16
              help: write `16`
            T0206 at `0`: a text cannot take 0 elements at a time
              note: `pack` is 1, 2, 4, 8 or 16
              help: write `1`
            T0202 at `t`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits; `options(pack = 4)` puts four elements of 8 bits into one
              help: write `t.cast::<u32>()`
            T0202 at `u8`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits; `options(pack = 4)` puts four elements of 8 bits into one
              help: write `u32`, and convert the result
            T0202 at `b`: PTX has no register for a `bool`
              note: its registers have 16, 32 or 64 bits
              help: write `b.cast::<u32>()`
        "#]],
    );
}

#[test]
fn a_register_that_is_read_and_written_keeps_its_size() {
    body(
        r#"unsafe { let u = 1_u32; let t = full([8], 1_u8);
            let a: f32 = ptx!("cvt.rn.f32.u32 {a}, {a};", a = inout(u => f32));
            let b = ptx!("cvt.rn.f64.u32 {a}, {a};", a = inout(u => f64));
            let c = ptx!("not.b16 {a}, {a};", a = inout(t));
            let d = ptx!("not.b16 {a}, {a};", a = inout(t => Tile<u16, {[8]}>));
            let e = ptx!("not.b32 {a}, {a};", a = inout(u => u32), cpu = |a, b| a); let _ = a; }"#,
        expect![[r#"
            T0202 at `Tile<u16, {[8]}>`: an output of `ptx!` is given by its element type, found `Tile<u16, [8]>`
              note: its shape is that of the inputs
              help: write the element type alone, as in `out(f32)`
            T0206 at `|a, b| a`: the closure takes 2 values, and the text has 1 inputs
              note: the closure takes the inputs, in their order
              help: write `cpu = |x0| ..`
            T0202 at `f64`: `a` is one register, and `u32` has 32 bits where `f64` has 64
              note: what `inout` begins with and what it ends with are of one size
              help: write an operand for each, `in(u)` and `out(f64)`
            T0202 at `t`: PTX has no register for a `u8`
              note: its registers have 16, 32 or 64 bits; `options(pack = 4)` puts four elements of 8 bits into one
              help: write `t.cast::<u32>()`
        "#]],
    );
}

#[test]
fn constants_are_integers_that_are_known() {
    body(
        r#"unsafe { let mut u = 1_u32; u += 1; let t = full([8], 1_u32);
            let a = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const (1 << 3) / 2);
            let b = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const u);
            let c = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const 1.5);
            let d = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const true);
            let e = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const t);
            let f = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const 200_u8 + 100);
            let i = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const 0x8000_0000);
            let j = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const -1 - (7 << 3)); let _ = a + j;
            let g = ptx!("shl.b32 {}, {}, {};", out(u32), in(u), const u, cpu = |a, b| a << b); }"#,
        expect![[r#"
            T0207 at `u`: a `const` of `ptx!` must be known at compile time, and `u` is not
              `u`: `u` is mutable
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a literal or a const parameter: a variable that changes is known only at run time
            T0202 at `1.5`: a `const` of `ptx!` is an integer, found `{float}`
              help: write `in(1.5)` without the `const`, or its bits as an integer
            T0202 at `true`: a `const` of `ptx!` is an integer, found `bool`
              help: write `true as u32`
            T0202 at `t`: a `const` of `ptx!` is an integer, found `Tile<u32, [8]>`
              help: write `in(t)` without the `const`, or its bits as an integer
            T0207 at `u`: a `const` of `ptx!` must be known at compile time, and `u` is not
              `u`: `u` is mutable
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a literal or a const parameter: a variable that changes is known only at run time
            T0212 at `200_u8 + 100`: this is 300, which does not fit into `u8`
              note: `u8` holds 0 to 255
              help: convert the operands to a wider type with `as`
            T0212 at `0x8000_0000`: `2147483648` does not fit into `i32`
              note: `i32` holds -2147483648 to 2147483647
              help: write a number in that range, such as `2147483647`, or compute in `i64`
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
              help: use it on the tile, before or after the reduction
        "#]],
    );
}
