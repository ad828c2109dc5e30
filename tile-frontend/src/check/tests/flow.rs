//! Tests of stores, assignments, branches, loops and the end of a body.

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
              help: give the tile the shape [4, 4]: write `zeros([4, 4])` for `zeros([4, 8])`
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
              help: bind the new value to a name of its own with `let`, or write `zeros::<f32>([32])` for `zeros::<f32>([64])`
            T0209 at `ids.load([0], [64])`: `acc` changes its type in a branch, from `Tile<f32, [64]>` to `Tile<i32, [64]>`
              `acc`: `acc` starts as `Tile<f32, [64]>`
              `ids.load([0], [64])`: `ids.load([0], [64])` is `Tile<i32, [64]>`
              note: a variable that a branch assigns keeps its element type and shape
              help: write `ids.load([0], [64]).cast::<f32>()`
            T0202 at `1.0`: `acc` is `Tile<f32, [64]>`, and `{float}` is assigned to it
              `acc`: `acc` starts as `Tile<f32, [64]>`
              `1.0`: `1.0` is `{float}`
              note: a variable keeps its element type and shape
              help: bind the new value to a name of its own with `let`, or let `acc` start as `{float}`
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
              help: store into it: write `a.store([block_id(0)], full([1], 1))`
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
              help: write `1.0`
            T0203 at `zeros::<f32>([32])`: the branches of an `if` have different types, `Tile<f32, [64]>` and `Tile<f32, [32]>`
              `zeros::<f32>([64])`: the first branch gives `Tile<f32, [64]>`
              `zeros::<f32>([32])`: this branch gives `Tile<f32, [32]>`
              help: write `zeros::<f32>([64])` for `zeros::<f32>([32])`
            T0202 at `1`: an `if` without `else` has no value, found `{integer}`
              help: add `else { 0 }` with the value of the other case, or end the line with `;`
            T0202 at `n`: a condition is one `bool`, found `i32`
              help: compare it, as in `n != 0`
            T0202 at `a.load([0], [4]) > 0.0`: a condition is one `bool`, found `Tile<bool, [4]>`
              help: choose elementwise: write `select(a.load([0], [4]) > 0.0, 1, 2)`
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
        "#]],
    );
}

#[test]
fn one_mistake_gives_one_message() {
    body(
        "let t = unknown_thing(1); let r = t + 1; let s = r.exp(); c.store([0], s); let mut y = t; y = 1; for i in 0..t { y += i; }",
        expect![[r#"
            T0201 at `unknown_thing`: a kernel cannot call `unknown_thing`
              note: a kernel calls functions of the kernel language, and the author's own under `#[tile_fn]`
              help: write `#[tile_fn]` above `fn unknown_thing`
        "#]],
    );
}

#[test]
fn a_value_at_the_end() {
    body(
        "x + 1.0",
        expect![[r#"
            T0202 at `x + 1.0`: a kernel returns nothing, found `f32`
              help: store the value: write `c.store([block_id(0)], full([1], x + 1.0));`, or end the line with `;`
        "#]],
    );
}

#[test]
fn jumps_leave_what_is_around_them() {
    body(
        "break; continue 'a; 'b: { break; } 'c: { continue 'c; } 'outer: for i in 0..n { break 'oter; } for i in 0..n { break 5; } let v = loop { if flag { break 1; } break 2.5; }; let w = loop { if flag { break; } break a.load([0], [64]); }; return 5;",
        expect![[r#"
            T0217 at `break`: `break` is outside of a loop
              help: write `return` to end the function, or put the code into a loop
            T0217 at `'a`: there is no loop `'a` around this
              help: put `'a:` before the loop that is meant, or remove `'a` to mean the innermost one
            T0217 at `break`: `break` is outside of a loop
              help: name the block: write `break 'label`
            T0217 at `continue 'c`: `continue` names `'c`, which is a block
              note: only loops have a next iteration
              help: write `break 'c` to leave the block
            T0217 at `'oter`: there is no loop `'oter` around this
              help: write `'outer`
            T0217 at `5`: `break` cannot give a `for` loop a value
              note: a loop that ends without `break` would have no value
              help: assign `5` to a variable that is declared before it, and write `break`, or write a `loop`
            T0202 at `2.5`: a `loop` gives one type, found `{integer}` and `{float}`
              `1`: it gives `{integer}` here
              `2.5`: it gives `{float}` here
              help: give every `break` of it a value of type `{integer}`
            T0202 at `a.load([0], [64])`: a `loop` gives one type, found `()` and `Tile<f32, [64]>`
              `break`: it gives `()` here
              `a.load([0], [64])`: it gives `Tile<f32, [64]>` here
              help: give every `break` of it a value of type `()`
            T0202 at `5`: a kernel returns nothing, found `{integer}`
              help: store the value in a `&mut Tensor` parameter, and write `return;`
        "#]],
    );
}

#[test]
fn every_way_gives_a_variable_its_value() {
    body(
        "let k; if flag { k = 1; } c.store([k], a.load([0], [64])); let m: i32; m += 1; let z: i32; z = 1; z = 2; let p; loop { if flag { break; } p = 1; break; } let r = p; let w: i32; for i in 0..n { w = i; } let v; if flag { return; } else { v = 1; } c.store([v], a.load([v], [64]));",
        expect![[r#"
            T0213 at `k`: `k` may be read before it has a value
              `k`: `k` is declared here without one
              help: assign `k` on every way that leads here, or write `let mut k = 0;` where it is declared
            T0213 at `m`: `m` is read before it has a value
              `m`: `m` is declared here without one
              help: assign `m` first
            T0211 at `z = 2`: `z` is assigned twice, but it is not mutable
              `z`: `z` is declared here
              help: declare it as `let mut z;`
            T0213 at `p`: `p` may be read before it has a value
              `p`: `p` is declared here without one
              help: assign `p` on every way that leads here, or write `let mut p = 0;` where it is declared
            T0211 at `w = i`: `w` is assigned twice, but it is not mutable
              `w`: `w` is declared here
              help: declare it as `let mut w;`
        "#]],
    );
    body(
        "let q; while n > q { q = 1; }",
        expect![[r#"
            T0213 at `q`: `q` is read before it has a value
              `q`: `q` is declared here without one
              help: assign `q` first
        "#]],
    );
}

#[test]
fn every_way_is_taken_and_every_value_used() {
    body(
        "x + 1.0; n; a.load([0], [64]); if flag { return; n == 1; } loop { if flag { continue; } } n == 2;",
        expect![[r#"
            T0214 at `x + 1.0`: this value is not used
              note: computing it does nothing else
              help: remove the statement, assign the value, or write `let _ = ..;`
            T0214 at `n`: this value is not used
              note: computing it does nothing else
              help: remove the statement, assign the value, or write `let _ = ..;`
            T0214 at `a.load([0], [64])`: this value is not used
              note: computing it does nothing else
              help: remove the statement, assign the value, or write `let _ = ..;`
            T0214 at `n == 1`: this is never reached
              `return`: the code always leaves here
              help: remove it, or make what is in front depend on a condition
            T0215 at `loop { if flag { continue; } }`: this loop never ends
              note: nothing in it is a `break` of it or a `return`
              help: add a `break` under a condition that becomes true
        "#]],
    );
    body(
        "let mut i = 0; loop { i += 1; } c.store([i], a.load([0], [64]));",
        expect![[r#"
            T0215 at `loop { i += 1; }`: this loop never ends
              note: nothing in it is a `break` of it or a `return`
              help: add a `break` under a condition that becomes true
        "#]],
    );
    body(
        "let mut i = 0; while i < n { c.store([0], a.load([i], [64])); } let y = x + return;",
        expect![[r#"
            T0215 at `i < n`: this condition never changes, so the loop runs not at all or for ever
              note: nothing in the loop assigns what the condition reads
              help: add `i += 1;` at the end of the loop, or write an `if`
            T0214 at `x + return`: this is never computed
              note: a part of it always leaves first
              help: make the part a statement of its own, in front
        "#]],
    );
}

#[test]
fn matches_take_every_value_once() {
    body(
        "match n { 0 => {} 1.. => {} } match n { _ => {} 5 => {} } match (flag, u) { (true, 0) => {} (false, _) => {} (_, 1..) if n > 1 => {} } match flag { true => {} } match x { 1.0 => {} } match n { 0 => 1, 1 => 2.5, _ => 3 }; match n { n => {} } match n { u => {} 1.5 => {} } match a { _ => {} } match n { 5..=1 => {} _ => {} } match n { (a, b) => {} _ => {} } match (n, flag) { (q, true) | (_, q) => {} } let 5 = n; let (1, b) = (n, n);",
        expect![[r#"
            T0202 at `2.5`: the arms of a `match` have different types, `{integer}` and `{float}`
              `1`: this arm gives `{integer}`
              `2.5`: this arm gives `{float}`
              help: give all arms one type and shape
            T0202 at `1.5`: expected `i32`, found `{float}`
              note: a pattern has the type of the value that is matched
              help: write an integer, such as `1`
            T0202 at `a`: `match` takes numbers, `bool`s and tuples of them, found `&Tensor<f32, 1>`
              help: load a tile first: write `a.load([block_id(0)], [64])`
            T0212 at `5..=1`: this range takes no value
              help: write the smaller end first
            T0202 at `(a, b)`: a pattern of 2 parts cannot take `i32` apart
              help: write a number, a range or a name
            T0101 at `(_, q)`: the alternatives of a pattern bind different parts of the value
              note: a name binds one part of the value, whichever alternative it is
              help: write an arm for each alternative
            T0216 at `5`: this pattern does not take every value
              note: `let` and `for` need patterns that take every value: names, `_` and tuples of them
              help: write `_` or a name here, and compare the value in a `match` or an `if`
            T0216 at `1`: this pattern does not take every value
              note: `let` and `for` need patterns that take every value: names, `_` and tuples of them
              help: write `_` or a name here, and compare the value in a `match` or an `if`
            T0216 at `match n { 0 => {} 1.. => {} }`: this `match` does not take `i32::MIN..=-1`
              help: add `i32::MIN..=-1 => {}`, or add `_ => {}` for everything else
            T0214 at `5`: this arm is never taken
              note: the arms before it take every value that it takes
              help: remove the arm, or put it in front
            T0216 at `match (flag, u) { (true, 0) => {} (false, _) => {} (_, 1..) if n > 1 => {} }`: this `match` does not take `(true, 1..=u32::MAX)`
              note: an arm with a guard may be passed over
              help: add `(true, 1..=u32::MAX) => {}`, or add `_ => {}` for everything else
            T0216 at `match flag { true => {} }`: this `match` does not take `false`
              help: add `false => {}`, or add `_ => {}` for everything else
            T0216 at `match x { 1.0 => {} }`: this `match` does not take every value
              help: add `_ => {}` for everything else
        "#]],
    );
}

#[test]
fn what_rustc_refuses_is_refused_and_what_it_takes_is_taken() {
    let refused = [
        (
            "for i in 0..n { 'b: { if flag { continue; } c.store([i], zeros([4])); } }",
            "labelled block",
        ),
        (
            "for i in 0..n { 'b: { if flag { break; } c.store([i], zeros([4])); } }",
            "labelled block",
        ),
        (
            "for i in (0..n as i64).step_by(3).rev() { c.store([i], zeros([4])); }",
            "knows its length",
        ),
        (
            "for i in (0..=n).step_by(3).rev() { c.store([i], zeros([4])); }",
            "knows its length",
        ),
        (
            "c.store([1.max(n)], zeros([4]));",
            "write the type: `1_i32.max(..)`",
        ),
        (
            "c.store([0], full([4], 2.0.sqrt()));",
            "write the type: `2.0_f32.sqrt(..)`",
        ),
    ];
    for (source, text) in refused {
        let errors = crate::testing::body_errors(source);
        assert!(errors.contains(text), "{source}\n{errors}");
    }
    let taken = [
        "let z = 0; if z != 0 && n / z > 1 { c.store([0], zeros([4])); }",
        "let z = 0; if z == 0 || n % z > 1 { c.store([0], zeros([4])); }",
        "'a: for i in 0..n { 'b: { if flag { continue 'a; } c.store([i], zeros([4])); } }",
        "for i in (0..n).step_by(3).rev() { c.store([i], zeros([4])); }",
        "c.store([1_i32.max(n)], zeros([4]));",
    ];
    for source in taken {
        assert_eq!(
            crate::testing::body_errors(source),
            "no diagnostics\n",
            "{source}"
        );
    }
    let wrong = crate::testing::body_errors(
        "let z = 0; if n != 0 && n / z > 1 { c.store([0], zeros([4])); }",
    );
    assert!(wrong.contains("T0212"), "{wrong}");
}

/// Follows rustc's lints `unused_variables`, `unused_assignments` and `unused_mut`.
#[test]
fn variables_are_used_and_changed() {
    let errors = |body: &str| {
        crate::testing::errors_as_written(
            "instances((B = true), (B = false))",
            &format!(
                "fn k<const B: bool>(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {{ {body} }}"
            ),
        )
    };
    for right in [
        "",
        "let _u = n + 1;",
        "let u = n + 1; if B { y.store([u], zeros([4])); }",
        "let mut u = n; if B { u = 0; } y.store([u], zeros([4]));",
        "let u; if n > 3 { u = 1; } else { u = 2; } y.store([u], zeros([4]));",
        "let n = n + 1; let n = n + 1; y.store([n], zeros([4]));",
        "let shape = 4; let t: Tile<f32, { [shape] }> = zeros([4]); y.store([0], t);",
        "let mut p = (0, 1); p.0 += 1; y.store([p.0 + p.1], zeros([4]));",
        "let (mut a, b) = (1, 2); (a, _) = (b, 3); y.store([a], zeros([4]));",
        "for _ in 0..n { y.store([0], zeros([4])); }",
        "let s = x.load([0], [4]).reduce(0, 0.0, |a, b| a + b); y.store([0], full([1], s));",
        "let k = match n { 0 => 1, m @ 1..=3 => m, m => m + 1 }; y.store([k], zeros([4]));",
        "let v = n; tile_println!(\"{v} {}\", n);",
    ] {
        assert_eq!(errors(right), "no diagnostics\n", "{right}");
    }
    let mut report = String::new();
    for wrong in [
        "let u = n + 1;",
        "let mut u = n; y.store([u], zeros([4]));",
        "let mut u = n; u += 1;",
        "let u = n; let u = 3; y.store([u], zeros([4]));",
        "let u = n; { let u = 3; y.store([u], zeros([4])); }",
        "for i in 0..n { y.store([0], zeros([4])); }",
        "let s = x.load([0], [4]).reduce(0, 0.0, |a, b| b); y.store([0], full([1], s));",
        "match n { m @ 1..=3 => y.store([0], zeros([4])), _ => {} }",
        "let (a, mut b) = (1, 2); y.store([b], zeros([4]));",
    ] {
        report.extend([wrong, "\n", &errors(wrong)]);
    }
    expect![[r#"
        let u = n + 1;
        T0214 at `u`: `u` is never used
          help: write `_u` if that is meant, or remove it
        let mut u = n; y.store([u], zeros([4]));
        T0214 at `u`: `u` is never assigned again, so it needs no `mut`
          help: remove `mut`
        let mut u = n; u += 1;
        T0214 at `u`: `u` is assigned, and never read
          help: remove it with its assignments, or read it
        let u = n; let u = 3; y.store([u], zeros([4]));
        T0214 at `u`: `u` is never used
          help: write `_u` if that is meant, or remove it
        let u = n; { let u = 3; y.store([u], zeros([4])); }
        T0214 at `u`: `u` is never used
          help: write `_u` if that is meant, or remove it
        for i in 0..n { y.store([0], zeros([4])); }
        T0214 at `i`: `i` is never used
          help: write `_i` if that is meant, or remove it
        let s = x.load([0], [4]).reduce(0, 0.0, |a, b| b); y.store([0], full([1], s));
        T0214 at `a`: `a` is never used
          help: write `_a` if that is meant, or remove it
        match n { m @ 1..=3 => y.store([0], zeros([4])), _ => {} }
        T0214 at `m`: `m` is never used
          help: write `_m` if that is meant, or remove it
        let (a, mut b) = (1, 2); y.store([b], zeros([4]));
        T0214 at `a`: `a` is never used
          help: write `_a` if that is meant, or remove it
        T0214 at `b`: `b` is never assigned again, so it needs no `mut`
          help: remove `mut`
    "#]]
    .assert_eq(&report);
}
