//! Tests of the author's functions, constants and types.

use crate::testing::module_errors;
use expect_test::{Expect, expect};

#[expect(
    clippy::needless_pass_by_value,
    reason = "that is how `expect!` reads best"
)]
fn module(items: &str, expected: Expect) {
    expected.assert_eq(&module_errors(items));
}

#[test]
fn arguments_must_fit_their_parameters() {
    module(
        "fn scale(x: Tile<f32, { [64] }>, by: f32) -> Tile<f32, { [64] }> { x * by }
        #[tile_kernel] fn k(a: &Tensor<f32, 1>, b: &Tensor<i32, 1>, c: &mut Tensor<f32, 1>) {
            let x = a.load([0], [64]);
            c.store([0], scale(x));
            c.store([0], scale(x, 1));
            c.store([0], scale(b.load([0], [64]), 2.0));
            c.store([0], scale(a.load([0], [32]), 2.0));
            c.store([0], scal(x, 2.0));
        }",
        expect![[r#"
            T0206 at `scale`: `scale` takes 2 arguments, found 1
              help: write `scale(x, 1.0)`
            T0202 at `1`: expected `f32`, found `{integer}`
              note: `by` of `scale` has this type
              help: write `1.0`
            T0202 at `b.load([0], [64])`: expected `Tile<f32, [64]>`, found `Tile<i32, [64]>`
              note: `x` of `scale` has this type
              help: write `b.load([0], [64]).cast::<f32>()`
            T0203 at `a.load([0], [32])`: expected `Tile<f32, [64]>`, found `Tile<f32, [32]>`
              note: `x` of `scale` has this type
              help: give the tile the shape [64]: write `a.load([0], [64])` for `a.load([0], [32])`
            T0201 at `scal`: a kernel cannot call `scal`
              help: write `scale(..)`
        "#]],
    );
}

#[test]
fn faults_in_a_body_name_the_call() {
    module(
        "fn add<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> { x + zeros::<f32>([64]) }
        fn outer<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> { add(x) }
        #[tile_kernel] fn k(a: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
            c.store([0], outer(a.load([0], [32])));
            c.store([0], outer(a.load([0], [32])));
            c.store([0], outer(a.load([0], [64])));
        }",
        expect![[r#"
            T0203 at `zeros::<f32>([64])`: `+` needs tiles whose shapes match, found [32] and [64]
              `x`: `x` is `Tile<f32, [32]>`
              `zeros::<f32>([64])`: `zeros::<f32>([64])` is `Tile<f32, [64]>`
              `add`: `add` is used here
              `outer`: `outer` is used here
              note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
              help: make axis 0 of both the same: write `zeros::<f32>([32])` for `zeros::<f32>([64])`
        "#]],
    );
}

#[test]
fn results_must_be_what_is_declared() {
    module(
        "fn f(x: f32) -> i32 { x }
        fn g(x: f32) -> f32 { let y = x; }
        fn h(x: f32) { x }
        #[tile_kernel] fn k(c: &mut Tensor<f32, 1>, x: f32) {
            let a = f(x);
            let b = g(x);
            h(x);
            c.store([0], full([1], b));
        }",
        expect![[r#"
            T0202 at `x`: expected `i32`, found `f32`
              `f`: `f` is used here
              note: `f` declares this type
              help: write `x as i32`
            T0202 at `g`: `g` gives no value, but declares `f32`
              `g`: `g` is used here
              help: end the body with the value, without `;`
            T0202 at `x`: expected `()`, found `f32`
              `h`: `h` is used here
              note: `h` declares this type
              help: write a value of type `()`
        "#]],
    );
}

#[test]
fn generics_must_be_known() {
    module(
        "fn zero<const N: usize>() -> Tile<f32, { [N] }> { zeros([N]) }
        fn one<T: Element>(x: T) -> Tile<T, { [4] }> { full([4], x) }
        #[tile_kernel] fn k(c: &mut Tensor<f32, 1>, n: usize) {
            c.store([0], zero());
            c.store([0], zero::<n>());
            c.store([0], zero::<f32>());
            c.store([0], zero::<4, 5>());
            c.store([0], one::<i32>(1.0));
        }",
        expect![[r#"
            T0206 at `zero`: the arguments do not say what `N` of `zero` is
              help: write it: `zero::<64>(..)`
            T0207 at `n`: `N` must be known at compile time, and `n` is not
              help: write a literal such as `64`, a const parameter or arithmetic on these
            T0206 at `f32`: `N` is a constant, found a type
              help: write a `usize`, such as `64`
            T0206 at `zero`: `zero` has 1 generic parameter, found 2
              help: remove what is too much
            T0202 at `1.0`: expected `i32`, found `{float}`
              note: `x` of `one` has this type
              help: write an integer, such as `1`
        "#]],
    );
}

#[test]
fn recursion_is_named() {
    module(
        "fn even(n: i32) -> bool { if n == 0 { true } else { odd(n - 1) } }
        fn odd(n: i32) -> bool { if n == 0 { false } else { even(n - 1) } }
        fn down(n: i32) -> i32 { if n == 0 { 0 } else { down(n - 1) } }
        #[tile_kernel] fn k(c: &mut Tensor<f32, 1>) { }",
        expect![[r#"
            [T0101] `down` calls itself
            = note: functions are inlined where they are called, so there is no recursion
            = help: write a loop
            [T0101] `even` calls itself, over other functions
            = note: the calls are `even`, which calls `odd`, which calls `even`
            = note: functions are inlined where they are called, so there is no recursion
            = help: write a loop
        "#]],
    );
}

#[test]
fn names_that_could_not_be_called() {
    module(
        "fn sqrt(x: f32) -> f32 { x }
        fn zeros(x: f32) -> f32 { x }
        fn Upper(x: f32) -> f32 { x }
        const lower: i32 = 1;
        type alias = f32;
        fn vec(x: f32) -> f32 { x }",
        expect![[r#"
            [T0101] a kernel could not name this `sqrt`
            = note: `sqrt` is a method of the kernel language, and `sqrt(x)` would be taken for it
            = help: give the function another name, such as `own_sqrt`
            [T0101] a kernel could not name this `zeros`
            = note: it is a function of the kernel language
            = help: give the function another name, such as `own_zeros`
            [T0101] a kernel could not name this `Upper`
            = note: functions begin with a lower-case letter: that tells them from types
            = help: write `upper`
            [T0101] a kernel could not name this `lower`
            = note: constants begin with an upper-case letter: that tells them from variables
            = help: write `LOWER`
            [T0101] a kernel could not name this `alias`
            = note: types begin with an upper-case letter: that tells them from variables
            = help: write `Alias`
            [T0101] a kernel could not name this `vec`
            = note: kernels reach the function over a macro of its name, which would hide `vec!` of std
            = help: give the function another name, such as `own_vec`
        "#]],
    );
}

#[test]
fn constants_that_cannot_be_computed() {
    module(
        "const BIG: u8 = 200 + 100;
        const HALF: usize = 1 / (SIZE - 64);
        const SIZE: usize = 64;
        const LOOP: usize = LOOP + 1;
        const DEEP: i32 = grow(40);
        const fn grow(n: i32) -> i32 { let mut x = 1; let mut i = 0; while i < n { x *= 2; i += 1; } x }
        #[tile_kernel] fn k(c: &mut Tensor<f32, 1>) {
            let a = BIG as usize + HALF + LOOP + DEEP as usize;
            c.store([0], full([1], a as f32));
        }",
        expect![[r#"
            T0212 at `200 + 100`: this is 300, which does not fit into `u8`
              `BIG`: `BIG` is used here
              note: the constant `BIG` needs this value
              help: compute in a wider type, or with other numbers
            T0212 at `1 / (SIZE - 64)`: an integer is divided by zero
              `HALF`: `HALF` is used here
              note: the constant `HALF` needs this value
              help: compute in a wider type, or with other numbers
            T0101 at `LOOP`: the constant `LOOP` is defined in terms of itself
              `LOOP`: `LOOP` is used here
              help: write its value without it
            T0212 at `x *= 2`: this is 2147483648, which does not fit into `i32`
              `DEEP`: `DEEP` is used here
              note: the constant `DEEP` needs this value
              help: compute in a wider type, or with other numbers
        "#]],
    );
}

#[test]
fn tensors_are_passed_as_rust_passes_them() {
    module(
        "fn put(y: &Tensor<f32, 1>) { y.store([0], zeros([4])); }
        fn two(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) { y.store([0], x.load([0], [4])); }
        #[tile_kernel] fn k(a: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>, d: &mut Tensor<f32, 2>) {
            put(c);
            two(c, c);
            two(a, a);
            two(c, a);
            two(a, d);
            two(c, a.load([0], [4]));
        }",
        expect![[r#"
            T0211 at `y.store([0], zeros([4]))`: this stores to a tensor that the function takes as `&Tensor`
              `put`: `put` is used here
              help: declare the parameter as `y: &mut Tensor<f32, 1>`
            T0206 at `c`: `c` is passed twice, once to be stored to
              note: a `&mut Tensor` is the only way to its elements, as in Rust
              help: pass it once
            T0202 at `a`: expected `&mut Tensor<f32, 1>`, found `&Tensor<f32, 1>`
              note: `y` of `two` has this type
              help: pass a tensor or partition of that type
            T0202 at `a`: expected `&mut Tensor<f32, 1>`, found `&Tensor<f32, 1>`
              note: `y` of `two` has this type
              help: pass a tensor or partition of that type
            T0202 at `d`: expected `&mut Tensor<f32, 1>`, found `&mut Tensor<f32, 2>`
              note: `y` of `two` has this type
              help: pass a tensor or partition of that type
            T0202 at `a.load([0], [4])`: expected `&mut Tensor<f32, 1>`, found `Tile<f32, [4]>`
              note: `y` of `two` has this type
              help: pass a tensor or partition of that type
        "#]],
    );
}

#[test]
fn structs_are_checked() {
    module(
        "struct Pair { a: f32, b: i32 }
        impl Pair { fn sum(self) -> f32 { self.a + self.b as f32 } fn new() -> Pair { Pair { a: 1.0, b: 2 } } }
        #[tile_kernel] fn k(c: &mut Tensor<f32, 1>, x: f32) {
            let p = Pair { a: x, b: 1.5 };
            let q = Pair { a: x };
            let r = Pair { a: x, b: 1, c: 2 };
            let s = Pair::new();
            let t = s.c;
            let u = s.sums();
            let v = s.new();
            let w = Pair::old();
            c.store([0], full([1], s.sum()));
        }",
        expect![[r#"
            T0202 at `1.5`: expected `i32`, found `{float}`
              note: the field `b` has this type
              help: write an integer, such as `1`
            T0206 at `Pair`: `Pair` has no value for the field `b`
              help: add `b: ..`
            T0201 at `c`: `Pair` has no field `c`
              help: the fields are `a`, `b`
            T0201 at `c`: `Pair` has no field `c`
              help: the fields are `a`, `b`
            T0201 at `sums`: `Pair` has no method `sums`
              help: write `.sum(..)`
            T0201 at `new`: `new` takes no `self`
              help: write `Pair::new(..)`
            T0201 at `old`: `Pair` has no `old`
              help: write it in an `impl Pair`
        "#]],
    );
}

const STATE: &str = "struct State<const B: usize, const D: usize> { sum: Tile<f32, { [B, D] }>, n: i32 }
    impl<const B: usize, const D: usize> State<B, D> {
        const SIZE: usize = B * D;
        fn new() -> Self { Self { sum: zeros([B, D]), n: 0 } }
        fn filled(x: f32) -> State<B, D> { Self { sum: full([B, D], x), ..Self::new() } }
        fn other() -> State<D, B> { State::new() }
        fn both(self, other: Self) -> Self { Self { sum: self.sum + other.sum, n: self.n + other.n } }
        fn twice(self) -> Self { self.both(State::new()) }
    }
    struct Flipped<const A: usize, const B: usize> { x: i32 }
    impl<const B: usize, const A: usize> Flipped<A, B> {
        const FIRST: usize = A;
        fn first() -> usize { A }
    }
    struct Both { a: State<4, 8>, b: State<8, 4> }
    type Small<const N: usize> = State<N, 4>;
    fn zero<T: Element, const N: usize>() -> Tile<T, { [N] }> { zeros([N]) }
    fn given(n: i32) -> State<4, 8> { if n == 0 { return State::new(); } State::filled(1.0) }
    fn taken(s: State<4, 8>, t: (State<8, 4>, f32)) -> Tile<f32, { [4, 8] }> { s.sum }
    fn sized<const N: usize>(n: Tile<f32, { [N] }>, s: State<N, N>) -> Tile<f32, { [N, N] }> { s.sum }
";

#[test]
fn functions_of_generic_structs_are_called_as_in_rust() {
    let kernel = |body: &str| {
        format!(
            "{STATE} #[tile_kernel(instances((BM = 4, D = 8)))] fn k<const BM: usize, const D: usize>(c: &mut Tensor<f32, 2>, f: &mut Tensor<f32, 1>) {{ {body} }}"
        )
    };
    for body in [
        "let s = State::<BM, D>::new(); c.store([0, 0], s.sum);",
        "let s = State::<{ BM * 2 }, 4>::filled(1.0); c.store([0, 0], s.twice().sum);",
        "let s: State<BM, D> = State::new(); c.store([0, 0], s.sum);",
        "let s: State<BM, D> = State::filled(2.0); c.store([0, 0], s.sum);",
        "let s = <State<BM, D>>::new(); c.store([0, 0], s.sum);",
        "let s = State::<D, BM>::other(); let t: State<4, 8> = s; c.store([0, 0], t.sum);",
        "let s: State<8, 4> = State::other(); c.store([0, 0], s.sum);",
        "let s = Small::<8>::new(); c.store([0, 0], s.sum);",
        "let (s, n): (State<4, 8>, i32) = (State::new(), 1); c.store([0, 0], s.sum + n as f32);",
        "let s: State<4, 8> = if c.dim(0) == 9 { State::new() } else { let x = 1.0; State::filled(x) }; c.store([0, 0], s.sum);",
        "let s: State<4, 8> = match c.dim(0) { 0 => State::new(), _ => unsafe { State::filled(1.0) } }; c.store([0, 0], s.sum);",
        "let mut s = State::<4, 8>::new(); s = State::filled(1.0); c.store([0, 0], s.sum);",
        "let b = Both { a: State::new(), b: State::filled(1.0) }; c.store([0, 0], b.a.sum + b.b.sum.t());",
        "c.store([0, 0], taken(State::new(), (State::new(), 1.0)));",
        "c.store([0, 0], sized(zeros([4]), State::new()));",
        "c.store([0, 0], given(c.dim(1)).both(State::filled(1.0)).sum);",
        "let z: Tile<f32, { [16] }> = zero(); f.store([0], z);",
        "f.store([0], zeros([State::<2, 8>::SIZE]) + zeros([<State<4, 4>>::SIZE]) + zeros([Small::<4>::SIZE]));",
        "f.store([0], zeros([Flipped::<16, 2>::FIRST])); let n = Flipped::<16, 2>::first(); assert!(n == 16);",
    ] {
        let text = kernel(body);
        assert_eq!(module_errors(&text), "no diagnostics\n", "{body}");
    }
    // The inferred type equals the declared type.
    let text = kernel("let s: State<BM, D> = State::new(); f.store([0], s.sum);");
    assert!(
        module_errors(&text).contains("Tile<f32, [4, 8]>"),
        "{}",
        module_errors(&text)
    );
    let text = kernel("f.store([0], zeros([Flipped::<16, 2>::FIRST]) + zeros([2]));");
    assert!(module_errors(&text).contains("[16]"));
}

#[test]
fn generics_of_structs_that_nothing_says() {
    let items = format!(
        "{STATE} #[tile_kernel] fn k(c: &mut Tensor<f32, 2>) {{
            let a = State::new();
            let b = State::new::<4, 8>();
            let d = State::<4>::new();
            let e = State::<4, 8, 2>::new();
            let f = State::<4, 8>::old();
            let g = State::<4, _>::new();
            let h = State::SIZE;
            let i = State::<f32, 8>::new();
            let j = Stat::<4, 8>::new();
            let l: State<8, 4> = State::<4, 8>::new();
            c.store([0, 0], a.sum);
        }}"
    );
    module(
        &items,
        expect![[r#"
            T0206 at `new`: the arguments do not say what `B` of `new` is
              help: write it: `State::<64, 64>::new(..)`
            T0206 at `new`: `new` has 0 generic parameters, found 2
              note: these are the generics of `State`
              help: write `State::<4, 8>::new(..)`
            T0206 at `State`: `State` takes 2 generic arguments, found 1
              help: write all of them, or none if the use says what they are
            T0206 at `State`: `State` takes 2 generic arguments, found 3
              help: remove what is too much
            T0201 at `old`: `State` has no `old`
              help: write it in an `impl State`
            T0206 at `new`: the arguments do not say what `D` of `new` is
              help: write it: `State::<4, 64>::new(..)`
            T0206 at `State::SIZE`: `State::SIZE` does not say what the generics of `State` are
              help: write them: `State::<64, 64>::SIZE`
            T0206 at `f32`: `B` is a constant, found a type
              help: write a `usize`, such as `64`
            T0201 at `new`: a kernel cannot call `Stat::new`
              help: write `State::new(..)`
            T0202 at `State::<4, 8>::new()`: expected `State<8, 4>`, found `State<4, 8>`
              note: the annotation and the value must agree
              help: write a value of type `State<8, 4>`
        "#]],
    );
}

#[test]
fn a_function_that_is_parsed_is_one_of_the_language() {
    module(
        "fn parallel(x: f32) -> f32 { x }",
        expect![[r#"
            [T0101] a kernel could not name this `parallel`
            = note: it is a function of the kernel language
            = help: give the function another name, such as `own_parallel`
        "#]],
    );
}

#[test]
fn a_tile_of_another_rank_is_told() {
    module(
        "fn sq<const N: usize>(x: Tile<f32, { [N] }>) -> Tile<f32, { [N] }> { x * x }
        #[tile_kernel] fn k(m: &Tensor<f32, 2>, c: &mut Tensor<f32, 1>, x: f32) {
            let a = sq(m.load([0, 0], [4, 8]));
            let b = sq(x);
            c.store([0], a);
        }",
        expect![[r#"
            T0204 at `m.load([0, 0], [4, 8])`: expected `Tile<f32, [N]>`, found `Tile<f32, [4, 8]>`
              note: `x` of `sq` has this type
              help: pass a tile of 1 axis, or write the function for tiles of 2
            T0204 at `x`: expected `Tile<f32, [N]>`, found `f32`
              note: `x` of `sq` has this type
              help: pass a tile of 1 axis, or write the function for tiles of 0
        "#]],
    );
}

#[test]
fn one_faulty_item_hides_no_other() {
    module(
        "fn wrong(x: f32) -> f32 { x.sqrtt() }
        #[tile_kernel] fn first(c: &mut Tensor<f32, 1>) { c.store([0], zeros([3])); }
        #[tile_kernel] fn second(c: &mut Tensor<f32, 1>) { let x = 1 as String; }
        #[tile_kernel] fn third(c: &mut Tensor<f32, 1>) { let mut y = 2.0; c.store([0], full([1], y)); }
        #[tile_kernel] fn fourth(c: &mut Tensor<f32, 1>) { c.store([0], full([1], wrong(1.0))); }",
        expect![[r#"
            T0205 at `3`: the tile dimension 3 is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: write `4` for `3`: it is the next power of two
            T0201 at `String`: a kernel does not know the type `String`
              help: use a number type, such as `f32` or `i32`, or a type parameter
            T0201 at `sqrtt`: `f32` has no method `sqrtt`
              `wrong`: `wrong` is used here
              help: write `.sqrt()`
        "#]],
    );
}
