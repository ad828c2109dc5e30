//! Tests of errors of memory accesses, `unsafe` and parallel loops.

use super::body;
use crate::testing::errors;
use expect_test::expect;

#[test]
fn indices_of_elements() {
    body(
        "let i = iota::<i32>(8); let _ = a.at([i]); let _ = m.at([n]); let _ = a.gather([n]); let _ = a.gather([a.load([0], [8])]); let _ = m.gather([i, iota::<i32>(4)]);",
        expect![[r#"
            T0202 at `i`: `at` reads one element, found a tile of indices
              help: write `a.gather([i])`
            T0204 at `[n]`: an index needs one entry per axis, found 1 entry for 2 axes
              `m`: `m` is `&Tensor<f32, 2>`
              help: write 2 entries in the brackets
            T0202 at `[n]`: `gather` needs a tile of indices, found numbers only
              help: write `a.at([n])` for the element, or `a.load([n], [1])` for a tile of it
            T0202 at `a.load([0], [8])`: an element index is made of integers, found `Tile<f32, [8]>`
              help: write `a.load([0], [8]).cast::<i32>()`
            T0203 at `iota::<i32>(4)`: `gather` needs tiles whose shapes match, found [8] and [4]
              `i`: `i` is `Tile<i32, [8]>`
              `iota::<i32>(4)`: `iota::<i32>(4)` is `Tile<i32, [4]>`
              note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
              help: make axis 0 of both the same: 8 or 4
        "#]],
    );
}

#[test]
fn views() {
    body(
        "let _ = m.strided([4, 4], [2]); let _ = a.strided([4], [0]); let _ = m.partition([4, 4]).with_order([0, 0]); let v = m.gather_view(0, [4, 8]); let _ = v.load([n, 0]); let _ = v.num_tiles(0); let _ = v.load([iota::<i32>(8), 0]);",
        expect![[r#"
            T0204 at `[2]`: a list of steps needs one entry per axis, found 1 entry for 2 axes
              `m`: `m` is `&Tensor<f32, 2>`
              help: write 2 entries, such as `[1, 2]`
            T0212 at `[0]`: a step is from 1 to 2147483647, found 0
              note: tile `i` of a strided view begins at element `i * step`
              help: write the number of elements from a tile to the next, such as `[4]`
            T0204 at `[0, 0]`: the order [0, 0] does not name each of the 2 axes once
              note: axis `k` of a tile runs along the axis of the tensor that the order has at place `k`
              help: write each axis once, in the order of the axes of a tile, such as `[1, 0]`
            T0202 at `n`: the index along axis 0 is a tile of 4 integers, found `i32`
              `v`: `v` gathers along axis 0
              note: the indices of a `GatherView` count elements
              help: write a tile of shape [4], such as one that was loaded, or `iota::<i32>(4)`
            T0201 at `num_tiles`: `GatherView<f32, [4, 8]>` has no method `num_tiles`
              help: call `dim` on the tensor: the indices of a `GatherView` count elements
            T0202 at `iota::<i32>(8)`: the index along axis 0 is a tile of 4 integers, found `Tile<i32, [8]>`
              `v`: `v` gathers along axis 0
              note: the indices of a `GatherView` count elements
              help: write a tile of shape [4], such as one that was loaded, or `iota::<i32>(4)`
        "#]],
    );
}

#[test]
fn atomics() {
    body(
        "let i = iota::<i32>(8); c.atomic_max([i], 1.0); c.atomic_and([i], 1.0); a.atomic_add([i], 1.0); c.atomic_add([i], 1.0, Ordering::Sequential); c.atomic_add([i], 1.0, Ordering::Relaxed, Scope::Gpu); c.atomic_add([i], 1); c.atomic_cas([i], 1.0); c.partition([8]).atomic_xchg([0], zeros([8])); c.fetch_add([i], 1.0); c.atomic_add([i], zeros([4]));",
        expect![[r#"
            T0202 at `atomic_max`: `atomic_max` does not work on `f32`
              note: it works on `i32`, `u32`, `i64` and `u64`
              help: reduce in the block first, and combine the results of the blocks in a second launch, or with `atomic_cas`
            T0202 at `atomic_and`: `atomic_and` does not work on `f32`
              note: it works on `i32`, `u32`, `i64` and `u64`
              help: use a tensor of `u32` for bits
            T0211 at `atomic_add`: `a` is stored to, but it is a shared reference
              `a`: `a` is `&Tensor<f32, 1>`
              help: declare it as `a: &mut Tensor<f32, 1>`
            T0206 at `Ordering::Sequential`: `atomic_add` takes a memory ordering here, found `Ordering::Sequential`
              help: write one of `Ordering::Relaxed`, `Ordering::Acquire`, `Ordering::Release`, `Ordering::AcqRel`, `Ordering::SeqCst`
            T0206 at `Scope::Gpu`: `atomic_add` takes a scope here, found `Scope::Gpu`
              help: write one of `Scope::Block`, `Scope::Device`, `Scope::System`
            T0202 at `1`: expected `f32`, found `{integer}`
              note: numbers are never converted silently, as in Rust
              help: write `1.0`
            T0206 at `c.atomic_cas([i], 1.0)`: `atomic_cas` takes 3 arguments, and then an ordering and a scope if needed, found 2
              help: write `c.atomic_cas([indices], expected, new)`
            T0201 at `atomic_xchg`: `Partition` has no method `atomic_xchg`
              note: an atomic on a whole tile gives no old values back
              help: call it on the tensor, with element indices: `c.atomic_xchg([indices], ..)`
            T0201 at `fetch_add`: `&mut Tensor<f32, 1>` has no method `fetch_add`
              help: write `c.atomic_add(..)`
            T0203 at `zeros([4])`: `atomic_add` at indices of shape [8] cannot take `Tile<_, [4]>`
              note: there is an element for each index; a number, and an axis of extent 1, are repeated
              help: write a tile of shape [8]
        "#]],
    );
    expect![[r#"
        T0202 at `atomic_xchg`: `atomic_xchg` does not work on `bool`
          note: it works on `i32`, `u32`, `i64`, `u64`, `f32` and `f64`
          help: use a tensor of `u32` with 0 and 1
        T0202 at `atomic_add`: `atomic_add` does not work on `i16`
          note: it works on `i32`, `u32`, `i64`, `u64`, `f16`, `bf16`, `f32` and `f64`
          help: use a tensor of `i32`
        T0202 at `atomic_add`: `atomic_add` does not work on `i16`
          note: it works on `i32`, `u32`, `i64`, `u64`, `f16`, `bf16`, `f32` and `f64`
          help: use a tensor of `i32`
    "#]].assert_eq(&errors(
        "",
        "fn k(b: &mut Tensor<bool, 1>, s: &mut Tensor<i16, 1>) { b.atomic_xchg([full([1], 0)], true); s.atomic_add([full([1], 0)], 1); s.partition([4]).with_padding(Padding::Zero).atomic_add([0], zeros([4]), Ordering::AcqRel); }",
    ));
}

#[test]
fn orderings_of_loads_stores_and_fences_are_those_of_rust() {
    body(
        "let i = iota::<i32>(8); c.atomic_load([i], Ordering::Release); c.atomic_store([0], 1.0, Ordering::AcqRel); fence(Ordering::Relaxed); fence(); fence(Ordering::Acquire, Scope::Warp); c.atomic_add_masked([i], 1.0); c.atomic_xchg_masked([i], 1.0, i); c.atomic_store([0], zeros([1])); c.partition([8]).atomic_load([0]); c.partition([8]).atomic_add_masked([0], zeros([8]), true); a.atomic_store([0], 1.0); let t = a.atomic_load([0], Ordering::Acquire); c.atomic_store([1], t); fence(Ordering::SeqCst);",
        expect![[r#"
            T0206 at `Ordering::Release`: `atomic_load` cannot be `Ordering::Release`
              note: a load releases nothing, as in Rust
              help: write `Ordering::Acquire`
            T0206 at `Ordering::AcqRel`: `atomic_store` cannot be `Ordering::AcqRel`
              note: a store acquires nothing, as in Rust
              help: write `Ordering::Release`
            T0206 at `Ordering::Relaxed`: there is no relaxed fence, as in Rust
              note: a relaxed fence would order nothing
              help: write `Ordering::AcqRel`, or remove the fence
            T0206 at `fence()`: `fence` takes an ordering, and a scope if needed, found 0 arguments
              help: write `fence(Ordering::AcqRel, Scope::Device)`
            T0206 at `Scope::Warp`: `fence` takes a scope here, found `Scope::Warp`
              help: write one of `Scope::Block`, `Scope::Device`, `Scope::System`
            T0206 at `c.atomic_add_masked([i], 1.0)`: `atomic_add_masked` takes 3 arguments, and then an ordering and a scope if needed, found 2
              help: write `c.atomic_add_masked([indices], tile, mask)`
            T0202 at `i`: a mask is made of `bool`, found `Tile<i32, [8]>`
              help: compare it, as in `i != 0`
            T0204 at `zeros([1])`: `atomic_store` at indices of shape [] cannot take `Tile<_, [1]>`
              note: there is an element for each index; a number, and an axis of extent 1, are repeated
              help: write a number, or make one of the indices a tile
            T0201 at `atomic_load`: `Partition` has no method `atomic_load`
              note: a whole tile is loaded and stored without an ordering
              help: call it on the tensor, with element indices: `c.atomic_load([indices], ..)`
            T0201 at `atomic_add_masked`: `Partition` has no method `atomic_add_masked`
              note: an atomic on a whole tile takes no mask
              help: call it on the tensor, with element indices: `c.atomic_add_masked([indices], ..)`
            T0211 at `atomic_store`: `a` is stored to, but it is a shared reference
              `a`: `a` is `&Tensor<f32, 1>`
              help: declare it as `a: &mut Tensor<f32, 1>`
        "#]],
    );
}

#[test]
fn what_is_unsafe_needs_a_block() {
    body(
        "let i = iota::<i32>(8); c.scatter([i], 0.0); d.gather_view(0, [8, 4]).store([i, 0], zeros([8, 4])); let p = c.as_mut_ptr(); p.store(1.0); let _ = p.offset(i); let _ = a.as_mut_ptr();",
        expect![[r#"
            T0221 at `scatter`: `scatter` needs an `unsafe` block
              note: two of the indices, of one block or of two, may name one place
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0221 at `store`: `store` through a `GatherView` needs an `unsafe` block
              note: two of the indices, of one block or of two, may name one place
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0221 at `store`: `store` on a raw pointer needs an `unsafe` block
              note: nothing checks where a raw pointer points, and who else uses that memory
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0221 at `offset`: `offset` on a raw pointer needs an `unsafe` block
              note: nothing checks where a raw pointer points, and who else uses that memory
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0211 at `as_mut_ptr`: `a` is stored to, but it is a shared reference
              `a`: `a` is `&Tensor<f32, 1>`
              help: declare it as `a: &mut Tensor<f32, 1>`
        "#]],
    );
    expect![[r#"
        T0221 at `p`: `p` is a raw pointer, and the kernel is safe to launch
          note: who launches the kernel has to make sure that the pointer is right
          help: write `unsafe fn` for `fn`, or take a `&Tensor` or `&mut Tensor`
    "#]]
    .assert_eq(&errors(
        "",
        "fn k(p: *const f32, y: &mut Tensor<f32, 1>) { let _ = block_id(0); }",
    ));
    expect![[r#"
        T0211 at `store`: `store` writes through `p`, which is only for reading
          `p`: `p` is `*const f32`
          help: declare a parameter as `*mut f32`, or take `as_mut_ptr()` of a `&mut Tensor`
        T0201 at `add`: `*const f32` has no method `add`
          help: write `p.offset(..)`, in elements
        T0202 at `n`: a mask is made of `bool`, found `i32`
          help: compare it, as in `n != 0`
        T0202 at `1.5`: expected `i32`, found `{float}`
          note: the pointer is to `i32`
          help: write an integer, such as `1`
        T0202 at `1.5`: `offset` counts elements in integers, found `{float}`
          help: write an integer, or a tile such as `iota::<i32>(64)`
        T0203 at `zeros([4])`: there is a value for each pointer, found `Tile<i32, [4]>` for pointers of shape [8]
          help: write a tile of shape [8]
        T0202 at `r`: `+` needs numbers or tiles, found `Tile<*mut i32, [8]>`
          help: load it first: write `unsafe { r.load() }`
    "#]].assert_eq(&errors(
        "",
        "unsafe fn k(p: *const f32, q: *mut i32, n: i32) { p.store(1.0); let _ = p.add(1).read(); let _ = p.load_masked(n, 0.0); q.store(1.5); let _ = q.offset(1.5); let r = q.offset(iota::<i32>(8)); r.store(zeros([4])); let _ = r + 1; }",
    ));
}

#[test]
fn parallel_loops() {
    body(
        "let mut s = 0.0; for i in parallel(0..n) { s += 1.0; if i == 3 { break; } return; }",
        expect![[r#"
            T0217 at `break`: `break` cannot leave a parallel loop
              `for i in parallel(0..n) { s += 1.0; if i == 3 { break; } return; }`: iterations of this loop run in any order
              help: write `continue` to end the iteration, or a plain `for` loop
            T0217 at `return`: `return` cannot leave a parallel loop
              `for i in parallel(0..n) { s += 1.0; if i == 3 { break; } return; }`: iterations of this loop run in any order
              help: write `continue` to end the iteration, or a plain `for` loop
            T0211 at `s += 1.0`: an iteration of a parallel loop cannot assign `s`
              `s`: `s` is declared outside of the loop
              note: iterations run in any order, also at the same time
              help: combine what the iterations give: write `let s = parallel(..).map(|i| ..).reduce(init, |a, b| ..);`
        "#]],
    );
    body(
        "for i in parallel(0..=n) { } for i in parallel((0..n).rev()) { } for i in parallel(n) { } for (i, j) in parallel(0..n) { } for i in parallel((0..n, 0..n)) { } let _ = parallel(0..n); let _ = parallel(0..n).sum();",
        expect![[r#"
            T0101 at `0..=n`: `..=` in `parallel` cannot be used in a kernel
              help: write `..` with the number above the end
            T0101 at `rev`: `.rev(..)` in `parallel` cannot be used in a kernel
              help: write a plain range, and compute the number from the loop variable
            T0101 at `n`: something that is no range in `parallel` cannot be used in a kernel
              help: write `parallel(0..n)` or `parallel((0..n, 0..m))`
            T0101 at `parallel(0..n)`: a parallel loop without a body cannot be used in a kernel
              help: write `for i in parallel(0..n) { .. }`, or `parallel(0..n).map(|i| ..).reduce(0.0, |a, b| a + b)` for a result
            T0101 at `sum`: `.sum(..)` of a parallel loop cannot be used in a kernel
              help: write `for i in parallel(0..n) { .. }`, or `parallel(0..n).map(|i| ..).reduce(0.0, |a, b| a + b)` for a result
            T0202 at `(i, j)`: a range gives one integer at a time
              help: write a single name for each range
            T0202 at `i`: 2 ranges give a tuple of 2 integers
              help: write a pattern such as `(i, j)`
        "#]],
    );
    body(
        "let k = n * 2; let _ = parallel(0..n).map(|i| i).reduce(0.0, |a, b| a + b); let _ = parallel(0..n).map(|i| i).reduce(0, |a, b| a + k); let _ = parallel(0..n).map(|i| (i, i)).reduce((0, 0), |(a, b), (c, d)| (a + d, b)); let _ = parallel(0..n).map(|i| i).reduce(0, |a, b| a + ids.at([b]));",
        expect![[r#"
            T0202 at `0.0`: the first value is `{float}`, and the iterations give `i32`
              help: write a first value of type `i32`, which changes nothing when it is combined
            T0101 at `k`: the closure of `reduce` cannot use the variable `k`
              note: values are combined in any order and by any block
              help: use the two values and constants only, and do the rest in `map` or after the loop
            T0101 at `d`: `d` belongs to another part of the tuple, and parts are combined one by one
              note: values are combined in any order and by any block
              help: use the two values and constants only, and do the rest in `map` or after the loop
            T0101 at `ids.at([b])`: the closure of `reduce` cannot access memory
              note: values are combined in any order and by any block
              help: use the two values and constants only, and do the rest in `map` or after the loop
        "#]],
    );
    body(
        "c.store([0], zeros([8])); for i in parallel(0..n) { c.store([i], zeros([8])); let _ = block_id(0); } ",
        expect![[r#"
            T0403 at `block_id(0)`: `block_id` cannot be used beside a parallel loop that becomes the grid
              `for i in parallel(0..n) { c.store([i], zeros([8])); let _ = block_id(0); }`: the iterations of this loop are shared out over the blocks
              note: such a kernel says what is done once, whatever the grid
              help: use the variable of the loop, or write a plain `for` loop
            T0403 at `c.store([0], zeros([8]))`: nothing can be stored before a parallel loop that becomes the grid
              `for i in parallel(0..n) { c.store([i], zeros([8])); let _ = block_id(0); }`: the iterations of this loop are shared out over the blocks
              note: every block runs the code before the loop
              help: store in the loop or after it, or in a kernel of its own
        "#]],
    );
}
