//! Tests that functions, constants and structs have rustc's meaning: one source, compiled by rustc
//! and inlined in a kernel, must return the same bits.

use super::{Variant, entry_name};
use crate::testing::module;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Arg, Program};
use tile_core::verify::verify;

/// Runs the kernel `k` with two numbers and returns the eight 8-byte numbers that it stores.
fn run(items: &str, inputs: [i64; 2]) -> [i64; 8] {
    let mut expansions =
        module(items).unwrap_or_else(|faults| panic!("{items}\n{}", faults.concat()));
    let expansion = expansions.pop().expect("there is one kernel");
    let (variant, built) = &expansion.artifacts[0][Variant::General as usize];
    let mut diagnostics = Diagnostics::new();
    let flat = verify(built.clone(), &mut diagnostics)
        .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
    let flat = flat.unwrap_or_else(|_| panic!("{items}\n{:?}", diagnostics.take()));
    let canonical = canonicalize(flat.module);
    let program = Program::new(canonical.module());
    let mut out = [0_i64; 8];
    let mut args: Vec<Arg> = inputs
        .iter()
        .map(|input| Arg::Scalar {
            bits: input.cast_unsigned(),
        })
        .collect();
    args.push(Arg::Pointer {
        ptr: out.as_mut_ptr().cast(),
        bytes: std::mem::size_of_val(&out),
    });
    args.extend([Arg::Scalar { bits: 8 }, Arg::Scalar { bits: 1 }]);
    // SAFETY: `out` outlives the call, and only the single block writes it.
    unsafe { program.run(&entry_name("k", *variant), [1; 3], &args) }
        .unwrap_or_else(|fault| panic!("{fault}"));
    out
}

/// Declares tests: `name { items } over |a, b| (values)` evaluates the values for pairs of inputs,
/// both compiled by rustc and as a kernel. The values may use the items.
macro_rules! same_as_rustc {
    ($($name:ident { $($item:item)* } |$a:ident, $b:ident| [$($value:expr),+ $(,)?] over [$(($x:expr, $y:expr)),+ $(,)?];)+) => {
        $(
            #[test]
            #[allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic, reason = "the items are chosen for what they show")]
            fn $name() {
                mod items {
                    $(#[allow(unused_imports, reason = "not every text names another item")] use super::*; $item)*
                }
                #[allow(unused_imports, reason = "not every text names an item")]
                use items::*;
                let mut source = String::new();
                $(source.push_str(stringify!($item)); source.push('\n');)*
                source.push_str(concat!(
                    "#[tile_kernel] fn k(", stringify!($a), ": i64, ", stringify!($b),
                    ": i64, out: &mut Tensor<i64, 1>) { let mut at = 0_i32; "
                ));
                $(
                    source.push_str(concat!(
                        "let value: i64 = ", stringify!($value),
                        "; out.store([at], full([1], value)); at += 1; "
                    ));
                )+
                source.push_str("let _ = at; }");
                let rust = |$a: i64, $b: i64| -> Vec<i64> { vec![$($value),+] };
                for (x, y) in [$(($x, $y)),+] {
                    let got = run(&source, [x, y]);
                    let expected = rust(x, y);
                    assert_eq!(got[..expected.len()], expected, "{} over {:?}", stringify!($name), (x, y));
                }
            }
        )+
    };
}

same_as_rustc! {
    a_function_calls_another {
        pub fn twice(x: i64) -> i64 { x * 2 }
        pub fn plus(x: i64, y: i64) -> i64 { let x = twice(x); x + y }
    } |a, b| [plus(a, b), plus(b, a), twice(twice(a))] over [(3, 4), (-5, 7)];

    names_of_the_caller_are_not_seen {
        pub fn shadow(b: i64) -> i64 { let a = b + 1; a * 10 }
    } |a, b| [shadow(a), a, b] over [(3, 4)];

    an_early_return_leaves_the_function_alone {
        pub fn sign(x: i64) -> i64 {
            if x < 0 { return -1; }
            if x == 0 { return 0; }
            1
        }
        pub fn first_divisor(n: i64) -> i64 {
            let mut d = 2;
            while d * d <= n {
                if n % d == 0 { return d; }
                d += 1;
            }
            n
        }
    } |a, b| [sign(a), sign(b), sign(a - b), first_divisor(a * a + 91)] over [(3, 4), (0, 0), (-7, 2)];

    tuples_go_in_and_out {
        pub fn divide(x: i64, y: i64) -> (i64, i64) { (x / y, x % y) }
        pub fn swap((a, b): (i64, i64)) -> (i64, i64) { (b, a) }
    } |a, b| [divide(a, b).0, swap(divide(a, b)).0, { let (q, r) = divide(a, b); q * b + r }] over [(17, 5), (-17, 5)];

    arguments_are_evaluated_once_and_in_order {
        pub fn pair(x: i64, y: i64) -> i64 { x * 100 + y + x }
    } |a, b| [{ let mut n = a; pair({ n += 1; n }, { n *= 2; n }) + n }, b] over [(3, 4)];

    parameters_can_be_mutable {
        pub fn sum_to(mut n: i64) -> i64 { let mut s = 0; while n > 0 { s += n; n -= 1; } s }
    } |a, b| [sum_to(a), sum_to(b), a] over [(3, 4), (10, 0)];

    const_parameters_follow_from_the_turbofish {
        pub fn scaled<const N: i64, const NEGATE: bool>(x: i64) -> i64 {
            if NEGATE { -(x * N) } else { x * N }
        }
    } |a, b| [scaled::<3, false>(a), scaled::<-3, true>(b), scaled::<{ 2 + 2 }, false>(a)] over [(3, 4)];

    constants_and_const_functions {
        pub const SIZE: usize = next(100);
        pub const MASK: i64 = (1 << BITS) - 1;
        pub const BITS: u32 = 5;
        pub const LIST: [i64; 3] = [10, MASK, -2];
        pub const fn next(n: usize) -> usize {
            let mut p = 1;
            while p < n { p *= 2; }
            p
        }
        pub const fn triangle(n: i64) -> i64 {
            let mut sum = 0;
            let mut i = 0;
            loop {
                if i > n { break sum; }
                sum += match i % 3 { 0 => i, 1 | 2 => 1, _ => 0 };
                i += 1;
            }
        }
        pub const LONG: i64 = triangle(20);
    } |a, b| [SIZE as i64 + a, MASK & b, LIST[0] + LIST[1] + LIST[2], LONG, triangle(a), next(5) as i64] over [(3, 400)];

    aliases_name_types {
        pub type Number = i64;
        pub type Pair = (Number, Number);
        pub fn add(p: Pair) -> Number { p.0 + p.1 }
    } |a, b| [add((a, b)), { let x: Number = a; x }] over [(3, 4)];

    structs_have_fields_and_methods {
        #[derive(Clone, Copy)]
        pub struct Complex { pub re: i64, pub im: i64 }
        impl Complex {
            pub const ONE: Complex = Complex { re: 1, im: 0 };
            pub fn new(re: i64, im: i64) -> Self { Self { re, im } }
            pub fn times(self, other: Complex) -> Complex {
                Complex { im: self.re * other.im + self.im * other.re, re: self.re * other.re - self.im * other.im }
            }
            pub fn norm(&self) -> i64 { let Complex { re, im } = self; re * re + im * im }
            pub fn real(self) -> Self { Self { im: 0, ..self } }
        }
    } |a, b| [
        Complex::new(a, b).times(Complex { re: b, im: a }).im,
        Complex::new(a, b).real().norm(),
        Complex::ONE.re + Complex::new(a, b).re,
    ] over [(3, 4), (-2, 5)];

    closed_blocks_and_matches_in_functions {
        pub fn classify(x: i64) -> i64 {
            let kind = match x { i64::MIN..=-1 => 0, 0 => 1, 1..=9 if x % 2 == 0 => 2, LIMIT => 7, _ => 3 };
            'done: { if kind == 3 { break 'done 30; } kind }
        }
        pub const LIMIT: i64 = 9;
    } |a, b| [classify(a), classify(b), classify(a - b), classify(9)] over [(3, 4), (0, 50)];
}
