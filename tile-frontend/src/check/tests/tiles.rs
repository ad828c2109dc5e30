//! Tests of functions, reductions, slices, small floats, macros.

use super::body;
use expect_test::expect;

#[test]
fn functions_of_the_wrong_elements() {
    body(
        "let p = n.clamp(0.0, 1.0); let q = x.count_ones(); let r = n.is_power_of_two(); let s = u.signum(); let t = n.powi(2); let v = x.pow(2); let w = flag.signum(); let y = x.atan2(); let z = x.log(2.0); let o = n.pow(u); let g = x.powi(u);",
        expect![[r#"
            T0202 at `n.clamp(0.0, 1.0)`: `clamp` needs one element type, found `i32` and `{float}`
              `n`: `n` is `i32`
              `0.0`: `0.0` is `{float}`
              help: write an integer, such as `0`
            T0206 at `x.atan2()`: `atan2` takes 1 argument, found 0
              help: write `x.atan2(x)`
            T0206 at `x.log(2.0)`: `log` takes no base here
              help: write `x.log2()`, or divide `x.ln()` by the logarithm of the base
            T0202 at `u`: expected `i32`, found `u32`
              note: the last argument of `powi` is `i32`
              help: write `u as i32`
            T0202 at `x.count_ones()`: `count_ones` is for integers, found `f32`
              help: convert to an integer first, by `as` or `.bitcast::<..>()`
            T0202 at `n.is_power_of_two()`: `is_power_of_two` is for unsigned integers, found `i32`
              help: write `n as u32`
            T0202 at `u.signum()`: `signum` is for signed numbers, found `u32`
              help: write `u.min(1)`: it is never negative
            T0202 at `n.powi(2)`: `powi` is for floats, found `i32`
              help: write `n.pow(..)`
            T0202 at `x.pow(2)`: `pow` is for integers, found `f32`
              help: write `x.powi(..)`
            T0202 at `flag.signum()`: `signum` is for numbers, found `bool`
              help: write `if flag { 1.0 } else { 0.0 }`
        "#]],
    );
}

#[test]
fn roundings() {
    body(
        "let p = x.add_with(x, Rounding::Up); let q = x.add_with(x, Rounding::Approx); let r = x.sqrt_with(Rounding::Full); let s = n.add_with(n, Rounding::Zero); let t = x.tanh_with(Rounding::Approx.ftz()); let v = u.div_with(u, Rounding::NegInf); let w = (x as f64).add_with(1.0, Rounding::Zero.ftz()); let y = x.add_with(x);",
        expect![[r#"
            T0206 at `Rounding::Up`: expected a rounding mode, found `Rounding::Up`
              help: write one of `Rounding::NearestEven`, `Rounding::Zero`, `Rounding::NegInf`, `Rounding::PosInf`, `Rounding::Approx`, `Rounding::Full`, or one of these with `.ftz()`
            T0206 at `x.add_with(x)`: `add_with` takes 2 arguments, found 1
              help: write `x.add_with(y, Rounding::Zero)`
            T0202 at `x.add_with(x, Rounding::Approx)`: `add_with` cannot round by `Rounding::Approx`
              help: write `Rounding::NearestEven`, `Rounding::Zero`, `Rounding::NegInf` or `Rounding::PosInf`
            T0202 at `x.sqrt_with(Rounding::Full)`: `sqrt_with` cannot round by `Rounding::Full`
              help: write `Rounding::NearestEven`, `Rounding::Zero`, `Rounding::NegInf`, `Rounding::PosInf` or `Rounding::Approx`
            T0202 at `n.add_with(n, Rounding::Zero)`: `add_with` is for floats, found `i32`
              help: write `n as f32`
            T0202 at `x.tanh_with(Rounding::Approx.ftz())`: `tanh_with` keeps subnormal numbers
              help: leave `.ftz()` out
            T0202 at `u.div_with(u, Rounding::NegInf)`: `div_with` of `u32` does not round this way
              help: write `Rounding::Zero` or `Rounding::PosInf`
            T0202 at `(x as f64).add_with(1.0, Rounding::Zero.ftz())`: `.ftz()` is for `f32`, found `f64`
              help: leave `.ftz()` out, or compute in `f32`
        "#]],
    );
}

#[test]
fn promises_need_unsafe() {
    body(
        "let p = n.unchecked_add(1); assume!(n % 8 == 0); unsafe { assume!(n % 6 == 0); assume!(n < u); assume!(c.dim(0) % 8 == 0); assume!(x > 0.0); assume!(u < 10); assume!(n == 4); }",
        expect![[r#"
            T0221 at `unchecked_add`: `unchecked_add` needs an `unsafe` block
              note: an overflow is undefined behaviour
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0221 at `assume!(n % 8 == 0)`: `assume!` needs an `unsafe` block
              note: where the condition does not hold, the behaviour is undefined; `assume(..)` at the head of a kernel needs no `unsafe`: every launch checks it
              help: make sure that it is right, and write `unsafe { .. }` around it
            T0205 at `n % 6 == 0`: `assume!` knows divisors that are powers of two, found 6
              help: write the greatest power of two that divides it
            T0202 at `u`: expected `i32`, found `u32`
              note: both sides of a comparison have one type
              help: write `u as i32`
            T0206 at `c.dim(0)`: `assume!` speaks of a variable, found `c.dim(0)`
              help: bind it first: write `let n = c.dim(0);`, and use `n` from there on
            T0207 at `0.0`: a bound of `assume!` must be known at compile time, and `0.0` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a literal or a const parameter
            T0206 at `u`: an assumption about an unsigned number needs an upper bound
              help: write both bounds, as in `u >= 1 && u <= 100`
            T0206 at `n == 4`: `assume!` cannot use `n == 4`
              note: it knows divisibility, bounds, and blocks of equal elements, joined by `&&`
              help: write it as `n % 8 == 0`, `n >= 0`, `n < 100` or `t.same_elements([1, 16])`
        "#]],
    );
}

#[test]
fn closures_of_reductions() {
    body(
        "let k = n + 1; let t = a.load([0], [64]); let i = ids.load([0], [64]);
         let p = t.reduce(0, 0.0, |a, b| a + b * x); let q = i.reduce(0, 1, |a, b| a / b); let r = t.reduce(0, x, |a, b| a + b);
         let s = t.reduce(0, 0.0, |a| a); let v = t.reduce(0, 0.0, t); let w = t.reduce(0, 0, |a, b| a + b); let y = t.reduce(1, 0.0, |a, b| a + b);
         let z = reduce((t, i), 0, 0.0, |(a, b), (c, d)| (a, b)); let o = reduce((t, i), 0, (0.0, 0), |(a, b), (c, d)| (a, c)); let g = t.scan(0, 0.0, |a, b| { for j in 0..4 { } a });
         let h = i.reduce(0, 0, |a, b| a + b + k); let l = t.reduce(0, 0.0, |a, b| { tile_print!(\"x\"); a + b });",
        expect![[r#"
            T0206 at `|a| a`: a closure that combines takes 2 parameters, found 1
              note: the first is what was combined so far, the second the next element
              help: write `|a, b| a + b`
            T0206 at `t`: expected a closure, found `t`
              help: write a closure, as in `|a, b| a + b`
            T0202 at `0`: expected `f32`, found `{integer}`
              note: the initial value has the element type of the tile
              help: write `0.0`
            T0204 at `1`: there is no axis 1: the tile has 1 axis
              help: write `0`
            T0206 at `0.0`: the initial value is a tuple of 2, found `0.0`
              note: there is one per tile
              help: write a tuple of 2 constants
            T0202 at `(a, c)`: expected `(f32, i32)`, found `(f32, f32)`
              note: the closure gives what it takes: the new combination
              help: write a value of type `(f32, i32)`
            T0207 at `x`: the closure of a reduction cannot use the variable `x`
              `x`: `x` is a variable of the kernel
              note: the closure sees its parameters, literals and constants
              help: apply `x` to the tile before or after the reduction, or make it a const parameter
            T0101 at `a / b`: an integer division cannot be used in the closure of a reduction
              note: the closure runs also where its result is not needed, and a division by zero is undefined
              help: divide the tile before or after the reduction
            T0207 at `x`: the initial value of a reduction must be known at compile time
              note: it is the value that changes nothing, such as `0.0` for a sum and `f32::NEG_INFINITY` for a maximum
              help: write it as a literal or constant, and combine other values with the result
            T0101 at `for j in 0..4 { }`: this cannot be used in the closure of a reduction
              note: the closure of a reduction computes with numbers and has no effect: it runs in any order, and not once for each element
              help: move it out of the closure
            T0207 at `k`: the closure of a reduction cannot use the variable `k`
              `k`: `k` is a variable of the kernel
              note: the closure sees its parameters, literals and constants
              help: apply `k` to the tile before or after the reduction, or make it a const parameter
            T0101 at `tile_print!("x")`: this cannot be used in the closure of a reduction
              note: the closure of a reduction computes with numbers and has no effect: it runs in any order, and not once for each element
              help: move it out of the closure
        "#]],
    );
}

#[test]
fn slices() {
    body(
        "let t = m.load([0, 0], [8, 4]); let p = t.extract([0], [2, 2]); let q = t.extract([4, 0], [2, 2]); let r = t.extract([0, 0], [16, 2]); let s = t.item(); let v = t.extract([0, x], [2, 2]);
         let w = cat(t, m.load([0, 0], [4, 4]), 0); let y = cat(t, m.load([0, 0], [8, 2]), 0); let z = cat(t, x, 0); let o = t.extract([0, 0], [3, 2]);",
        expect![[r#"
            T0204 at `[0]`: `extract` needs an index with one entry per axis, found 1 for 2 axes
              `t`: `t` is `Tile<f32, [8, 4]>`
              help: write one entry per axis of the tile
            T0212 at `4`: there is no slice 4 along axis 0
              note: an index counts slices of the shape that is taken, not elements
              help: write a number from `0` to `3`
            T0203 at `[16, 2]`: a slice of [16, 2] is larger than the tile of [8, 4]
              `t`: `t` is `Tile<f32, [8, 4]>`
              help: write at most 8 for axis 0
            T0203 at `t.item()`: `item` needs a tile of one element, found 32
              `t`: `t` is `Tile<f32, [8, 4]>`
              help: write `t.extract([i, i], [1, 1]).item()` for one element, or a reduction
            T0202 at `x`: an index of a slice is an integer, found `f32`
              help: write an integer, such as a literal or a loop variable
            T0205 at `cat(t, m.load([0, 0], [4, 4]), 0)`: `cat` would make an axis of 12 elements, which is not a power of two
              `t`: `t` is `Tile<f32, [8, 4]>`
              `m.load([0, 0], [4, 4])`: `m.load([0, 0], [4, 4])` is `Tile<f32, [4, 4]>`
              note: extents are powers of two, so the two parts are equally long
              help: make axis 0 of both tiles the same
            T0203 at `m.load([0, 0], [8, 2])`: `cat` along axis 0 cannot join [8, 4] and [8, 2]
              `t`: `t` is `Tile<f32, [8, 4]>`
              `m.load([0, 0], [8, 2])`: `m.load([0, 0], [8, 2])` is `Tile<f32, [8, 2]>`
              help: give the second tile the extents of the first, but for axis 0
            T0202 at `x`: `cat` joins tiles, found `f32`
              help: use a number or a tile
            T0205 at `3`: the tile dimension 3 is not a power of two
              note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
              help: write `4` for `3`: it is the next power of two
        "#]],
    );
}

#[test]
fn small_floats() {
    body(
        "let t = a.load([0], [64]).cast::<f8e4m3>(); let p = t + t; let q = -t; let r = t.sum(0); let s = a.load([0], [64]).cast::<f8e8m0>(); let v = 3.0_f8e8m0; let w = 1000.0_f8e4m3; let y = zeros::<f8e8m0>([4]); let z = t.bitcast::<f32>(); let o = a.load([0], [64]).cast_with::<f16>(Rounding::Zero); let g = t.exp();",
        expect![[r#"
            T0202 at `t + t`: `+` does not work on `f8e4m3`
              note: `f8e4m3` is for storage, conversions and matrix multiplication
              help: convert first with `.cast::<f32>()`, and back with `.cast::<f8e4m3>()`
            T0202 at `-t`: `-` does not work on `f8e4m3`
              note: `f8e4m3` is for storage, conversions and matrix multiplication
              help: convert first with `.cast::<f32>()`, and back with `.cast::<f8e4m3>()`
            T0202 at `t.sum(0)`: `sum` does not work on `f8e4m3`
              note: `f8e4m3` is for storage, conversions and matrix multiplication
              help: convert first with `.cast::<f32>()`, and back with `.cast::<f8e4m3>()`
            T0202 at `a.load([0], [64]).cast::<f8e8m0>()`: a conversion of `f32` to `f8e8m0` has to say how it rounds
              note: `f8e8m0` holds powers of two only
              help: write `a.load([0], [64]).cast_with::<f8e8m0>(Rounding::PosInf)`, or `Rounding::Zero`
            T0202 at `t.bitcast::<f32>()`: `bitcast` keeps the number of bits, and `f8e4m3` has 8 bits where `f32` has 32 bits
              help: write `.cast::<f32>()` to convert the number
            T0202 at `a.load([0], [64]).cast_with::<f16>(Rounding::Zero)`: a conversion of `f32` to `f16` cannot round by `Rounding::Zero`
              help: write `Rounding::NearestEven`
            T0202 at `t.exp()`: `exp` does not work on `f8e4m3`
              note: `f8e4m3` is for storage, conversions and matrix multiplication
              help: convert first with `.cast::<f32>()`, and back with `.cast::<f8e4m3>()`
            T0212 at `3.0_f8e8m0`: `3.0` does not fit into `f8e8m0`
              note: `f8e8m0` holds the powers of two from 2^-127 to 2^127, and NaN
              help: write a power of two, such as `1.0` or `0.5`
            T0212 at `1000.0_f8e4m3`: `1e3` does not fit into `f8e4m3`
              help: write a number up to `f8e4m3::MAX`
            T0212 at `zeros::<f8e8m0>([4])`: `0.0` does not fit into `f8e8m0`
              note: `f8e8m0` holds the powers of two from 2^-127 to 2^127, and NaN
              help: write a power of two, such as `1.0` or `0.5`
        "#]],
    );
}

#[test]
fn matmuls_of_small_floats() {
    body(
        "let t = zeros::<f8e4m3>([16, 32]); let v = zeros::<f8e5m2>([32, 16]); let p = dot(t, v); let q = mma(t, t.t(), zeros::<f64>([16, 16])); let s = full([16, 1], 1.0_f8e8m0);
         let r = mma_scaled(t, s, t.t(), s, zeros([16, 16])); let w = dot(t, full([2, 32, 16], 1.0_f8e4m3));",
        expect![[r#"
            T0203 at `mma_scaled(t, s, t.t(), s, zeros([16, 16]))`: `mma_scaled` cannot scale [16, 32] by [16, 1] and [32, 16] by [16, 1]
              `t`: `t` is `Tile<f8e4m3, [16, 32]>`
              `s`: `s` is `Tile<f8e8m0, [16, 1]>`
              `t.t()`: `t.t()` is `Tile<f8e4m3, [32, 16]>`
              `s`: `s` is `Tile<f8e8m0, [16, 1]>`
              `zeros([16, 16])`: `zeros([16, 16])` is `Tile<_, [16, 16]>`
              note: there is a scale for every 32 elements along K, of `f4e2m1` also for every 16
              help: give the scales the shapes [16, 1] and [1, 16]
            T0204 at `dot(t, full([2, 32, 16], 1.0_f8e4m3))`: `dot` cannot multiply [16, 32] by [2, 32, 16] onto [16, 16]
              `t`: `t` is `Tile<f8e4m3, [16, 32]>`
              `full([2, 32, 16], 1.0_f8e4m3)`: `full([2, 32, 16], 1.0f8e4m3)` is `Tile<f8e4m3, [2, 32, 16]>`
              note: [M, K] times [K, N] is added to [M, N]
              help: give all of them one rank: write `.unsqueeze(0)` for a batch of one
            T0202 at `dot(t, v)`: `mma` cannot multiply a tile of `f8e4m3` by a tile of `f8e5m2`
              note: pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: convert one operand, as in `.cast::<f8e4m3>()`
            T0202 at `mma(t, t.t(), zeros::<f64>([16, 16]))`: `mma` of `f8e4m3` and `f8e4m3` cannot accumulate in `f64`
              note: pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`
              help: accumulate in `f32`: start from `zeros::<f32>([..])`
        "#]],
    );
}

#[test]
fn random_numbers() {
    body(
        "let p = philox(1, 2); let q = philox((1, 2), (1, 2, 3, n)); let r = rand_uniform(x, 1); let s = rand_u32(iota(4), iota(4)); let t = rand_normal(n, 1.5);",
        expect![[r#"
            T0206 at `1`: the key is a tuple of 2 `u32`, found `1`
              help: write `philox((k0, k1), (c0, c1, c2, c3))`
            T0202 at `n`: expected `u32`, found `i32`
              note: the counter is made of `u32`
              help: write `n as u32`
            T0202 at `x`: `rand_uniform` takes one integer as the seed, found `f32`
              help: write one integer, such as a parameter `seed: u64`
            T0202 at `iota(4)`: `rand_u32` takes one integer as the seed, found `Tile<{integer}, [4]>`
              help: write one integer, such as a parameter `seed: u64`
            T0202 at `1.5`: `rand_normal` takes an integer or a tile of them as the offsets, found `{float}`
              help: number the elements, as in `block_id(0) * 64 + iota(64)`
        "#]],
    );
}

#[test]
fn macros() {
    body(
        "tile_print!(\"{} {}\", n); tile_print!(n); tile_print!(\"{0}\", n); tile_print!(\"{:x}\", x); tile_print!(\"{:.2}\", n); tile_print!(\"{q}\"); tile_print!(\"{}\", c); tile_print!(\"{\");
         assert!(n); assert!(n > 0, \"{n}\"); assert!(n > 0, \"n = {}\", n); assert!(); assert_eq!(n); assert_eq!(n, x); debug_assert!(flag); panic!(\"no\");",
        expect![[r#"
            T0206 at `"{} {}"`: the format has 2 `{}` for 1 argument
              help: write 2 arguments after the format string, or one `{}` per argument
            T0206 at `n`: the format of `tile_print!` is a string literal
              help: write `tile_print!("x = {}", x)`
            T0206 at `"{0}"`: `{0}` is not supported in a format string
              help: write `{}`, or the name of a variable in the braces
            T0206 at `"{"`: a `{` in the format is not closed
              help: write `{{` for a brace, or close it with `}`
            T0206 at `"{n}"`: the message of an assertion has no values in a kernel
              help: write a plain message, and print the values with `tile_print!` before
            T0206 at `n`: the message of an assertion has no arguments in a kernel
              help: write a plain message, and print the values with `tile_print!` before
            T0206 at `assert!()`: `assert!` takes a condition, found 0
              help: write `assert!(x > 0, "x is positive")`
            T0206 at `assert_eq!(n)`: `assert_eq!` takes two values, found 1
              help: write `assert_eq!(a, b)`
            T0101 at `debug_assert!(flag)`: the macro `debug_assert!` cannot be used in a kernel
              help: write `assert!(flag)`: a kernel is compiled once, for debug and release builds alike
            T0101 at `panic!("no")`: the macro `panic!` cannot be used in a kernel
              help: write `assert!(false, "no");`, or assert the condition that must hold in its place
            T0201 at `"{q}"`: there is no variable `q` here
              note: a kernel sees its parameters, its variables and the functions of the kernel language
              help: declare it with `let q = ..;`, or pass it as a parameter of the kernel
            T0202 at `c`: numbers and tiles can be printed, found `&mut Tensor<f32, 1>`
              help: load a tile first: write `c.load([block_id(0)], [64])`
            T0202 at `n`: an assertion takes a `bool` or a tile of them, found `i32`
              help: compare it, as in `n != 0`
            T0202 at `n`: `==` needs operands of one element type, found `i32` and `f32`
              `n`: `n` is `i32`
              `x`: `x` is `f32`
              note: numbers are never converted silently, as in Rust
              help: write `n as f32`
            T0206 at `tile_print!("{:x}", x)`: `f32` cannot be printed in this notation
              help: print `.bitcast::<u32>()` of it
            T0206 at `tile_print!("{:.2}", n)`: `i32` cannot be printed with a precision
              help: leave the precision out
        "#]],
    );
}

#[test]
fn parts_of_tiles() {
    body(
        "let t = m.load([0, 0], [4, 8]); let p = t.split(); let q = join(t, a.load([0], [8])); let r = join(n, n); let s = interleave(t, n); let v = t.gather(1, n); let w = t.gather(2, iota::<i32>(8)); let y = t.gather(1, iota::<i32>(4)); let z = t.gather(1, t);",
        expect![[r#"
            T0203 at `t.split()`: `split` needs a last axis of 2 elements, found 8
              `t`: `t` is `Tile<f32, [4, 8]>`
              help: write `t.extract(..)` for a part, or `.reshape([..])` so that the last axis has the pairs
            T0204 at `a.load([0], [8])`: `join` needs tiles of one rank, found rank 2 and rank 1
              `t`: `t` is `Tile<f32, [4, 8]>`
              `a.load([0], [8])`: `a.load([0], [8])` is `Tile<f32, [8]>`
              note: axes are never added silently
              help: write `a.load([0], [8]).unsqueeze(0)`
            T0202 at `join(n, n)`: `join` needs a tile, found two numbers
              help: make a tile of one of them, as in `full([1], x)`
            T0202 at `interleave(t, n)`: `interleave` needs one element type, found `Tile<f32, [4, 8]>` and `i32`
              `t`: `t` is `Tile<f32, [4, 8]>`
              `n`: `n` is `i32`
              help: write `n as f32`
            T0202 at `n`: the indices of `gather` are a tile of integers, found `i32`
              help: write `t.extract(..)` for one part, or a tile of indices
            T0204 at `2`: there is no axis 2: the tile has 2 axes
              help: write an axis from `0` to `1`
            T0204 at `iota::<i32>(4)`: `gather` along axis 1 of [4, 8] cannot take indices of shape [4]
              `t`: `t` is `Tile<f32, [4, 8]>`
              `iota::<i32>(4)`: `iota::<i32>(4)` is `Tile<i32, [4]>`
              note: there is an index for each element of the result; along the other axes they are those of the tile, or 1
              help: write indices of shape [4, n]
            T0202 at `t`: the indices of `gather` are a tile of integers, found `Tile<f32, [4, 8]>`
              help: write a tile of integers, such as one that was loaded
        "#]],
    );
}

#[test]
fn bits_and_constants() {
    body(
        "let p = f32::from_bits(n); let q = i32::from_bits(u); let r = std::f32::consts::PIE; let s = x.cast_with::<i8>(Rounding::Approx); let t = n.to_bits(); let v = n.next_power_of_two(); let w = n.log10(); let y = x.isqrt(); let z = flag.sin_cos();",
        expect![[r#"
            T0202 at `n`: expected `u32`, found `i32`
              note: the bits of `f32` are a `u32`
              help: write `n as u32`
            T0201 at `from_bits`: `i32` has no function `from_bits`
              note: `from_bits` makes a float of 8, 16, 32 or 64 bits from an unsigned integer of the same width
              help: write `.bitcast::<..>()`, or `as` for the number itself
            T0201 at `PIE`: `std::f32::consts` has no constant `PIE`
              help: write `PI`
            T0202 at `x.cast_with::<i8>(Rounding::Approx)`: a conversion of `f32` to `i8` cannot round by `Rounding::Approx`
              help: write `Rounding::NearestEven`, `Rounding::Zero`, `Rounding::NegInf` or `Rounding::PosInf`
            T0202 at `n.to_bits()`: `to_bits` is for floats, found `i32`
              help: write `n`: an integer is its bits
            T0202 at `n.next_power_of_two()`: `next_power_of_two` is for unsigned integers, found `i32`
              help: write `(n as u32).next_power_of_two()`
            T0202 at `n.log10()`: `log10` is for floats, found `i32`
              help: write `n.ilog10()` for the whole logarithm, or convert: write `n as f32`
            T0202 at `x.isqrt()`: `isqrt` is for integers, found `f32`
              help: write `x.sqrt().floor()`
            T0202 at `flag.sin_cos()`: `sin_cos` is for numbers, found `bool`
              help: write `if flag { 1.0 } else { 0.0 }`
        "#]],
    );
}

#[test]
fn unrolled_loops() {
    body(
        "for i in (0..n).unroll() { let _ = i; } for j in (0..5000).unroll() { let _ = j; } for k in (0..4).unroll() { let _ = k + x; } for l in (0..4).unroll(2) { let _ = l; }",
        expect![[r#"
            T0206 at `unroll`: `unroll` has the wrong number of arguments
              help: write `.unroll()`
            T0207 at `n`: the range of an unrolled loop must be known at compile time, and `n` is not
              note: known are literals, const parameters, arithmetic on them and a `let` of these
              help: use a const parameter, or leave `.unroll()` out
            T0402 at `5000`: an unrolled loop has 1024 iterations at most
              note: its body is compiled once for each
              help: leave `.unroll()` out
            T0202 at `k`: `+` needs operands of one element type, found `{integer}` and `f32`
              `k`: `k` is `{integer}`
              `x`: `x` is `f32`
              note: numbers are never converted silently, as in Rust
              help: write `k as f32`
        "#]],
    );
}

#[test]
fn a_return_does_not_end_a_closure() {
    body(
        "let s = a.load([0], [8]).reduce(0, 0.0, |p, q| { if p > q { return p; } q });",
        expect![[r#"
            T0217 at `return p`: `return` cannot end the closure of a reduction
              note: both ways through the closure are computed, and one is chosen: nothing leaves it early
              help: end the closure with its value, as in `if a > b { a } else { b }`
        "#]],
    );
}
