//! Runs the functions at every level that this machine has.

mod exact;
mod page;
mod speed;

use std::fmt::Write as _;
use std::sync::Mutex;

use super::*;
use crate::cpu::testing::Loaded;
use crate::llvm::{Context, host};
use crate::timing::Times;

const SCALARS: [Scalar; 2] = [Scalar::F32, Scalar::F64];

/// All functions with their types.
fn forms() -> impl Iterator<Item = (Function, Scalar)> {
    let all = Function::ALL.into_iter();
    let forms = all.flat_map(|function| SCALARS.map(|scalar| (function, scalar)));
    forms.filter(|(function, scalar)| *scalar == Scalar::F32 || !function.is_conversion())
}

/// The lanes of a register.
fn lanes_of(scalar: Scalar, level: Level) -> u32 {
    level.vector_bytes() * 8 / scalar.element().bits()
}

/// Returns a function `run_<name>(out, x, y, z, n)` that applies a function to arrays.
fn loop_over(function: Function, scalar: Scalar, lanes: u32) -> String {
    let float = Type {
        element: scalar.element(),
        lanes,
    };
    let (parameters, result) = function.types(float);
    let name = name(function, scalar, lanes);
    let mut body = String::new();
    let mut arguments = Vec::new();
    for (index, ty) in parameters.iter().enumerate() {
        let element = ty.element;
        let _ = write!(
            body,
            "  %p{index} = getelementptr {element}, ptr %x{index}, i64 %i\n  \
             %a{index} = load {ty}, ptr %p{index}, align 2\n"
        );
        arguments.push(format!("{ty} %a{index}"));
    }
    let (arguments, element) = (arguments.join(", "), result.element);
    format!(
        "define void @run_{name}(ptr noalias %out, ptr %x0, ptr %x1, ptr %x2, i64 %n) {{\n\
         entry:\n  br label %body\n\
         body:\n  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n{body}  \
         %r = call {result} @{name}({arguments})\n  \
         %po = getelementptr {element}, ptr %out, i64 %i\n  \
         store {result} %r, ptr %po, align 2\n  \
         %next = add i64 %i, {lanes}\n  \
         %more = icmp ult i64 %next, %n\n  \
         br i1 %more, label %body, label %exit\n\
         exit:\n  ret void\n}}\n"
    )
}

type Run = unsafe extern "C" fn(*mut u8, *const u8, *const u8, *const u8, usize);

/// A compiled function.
struct Compiled {
    run: Run,
    parameters: Vec<Type>,
    result: Type,
}

impl Compiled {
    /// Applies the function to the low bits of each word. The number of words must be a multiple of 64.
    fn apply(&self, inputs: &[&[u64]]) -> Vec<u64> {
        let count = inputs[0].len();
        assert_eq!(count % 64, 0, "whole vectors");
        assert_eq!(inputs.len(), self.parameters.len());
        let mut memory = Vec::new();
        for (input, ty) in inputs.iter().zip(&self.parameters) {
            assert_eq!(input.len(), count);
            let size = ty.element.bits() as usize / 8;
            let bytes = input
                .iter()
                .flat_map(|word| word.to_le_bytes().into_iter().take(size));
            memory.push(bytes.collect::<Vec<u8>>());
        }
        let at = |index: usize| memory.get(index).map_or(std::ptr::null(), Vec::as_ptr);
        let size = self.result.element.bits() as usize / 8;
        let mut out = vec![0_u8; count * size];
        // SAFETY: the function reads and writes `count` elements of these types.
        unsafe { (self.run)(out.as_mut_ptr(), at(0), at(1), at(2), count) };
        let words = out.chunks_exact(size).map(|bytes| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        words.collect()
    }

    /// As [`Compiled::apply`], in place and for f32.
    fn apply_single(&self, x: &[f32], out: &mut [f32]) {
        assert_eq!(x.len() % 64, 0, "whole vectors");
        assert_eq!(x.len(), out.len());
        let (x, count) = (x.as_ptr().cast(), x.len());
        // SAFETY: as above; the other arrays are not read.
        unsafe { (self.run)(out.as_mut_ptr().cast(), x, x, x, count) };
    }
}

/// Compiles all functions for `level`, once per process, with registers of this many times the lanes of the level.
fn compiled(function: Function, scalar: Scalar, level: Level, registers: Registers) -> Compiled {
    static LIBRARIES: Mutex<Vec<(Level, Registers, Loaded)>> = Mutex::new(Vec::new());
    let lanes = |scalar| registers.lanes(scalar, level);
    let mut libraries = LIBRARIES.lock().expect("no test panics here");
    let known = libraries
        .iter()
        .find(|(of, number, _)| (*of, *number) == (level, registers));
    let library = if let Some((_, _, library)) = known {
        *library
    } else {
        let mut text = String::new();
        for (function, scalar) in forms() {
            text += &definition(function, scalar, lanes(scalar), level);
            text += &loop_over(function, scalar, lanes(scalar));
        }
        let library = Loaded::new(&text, level).expect("valid functions");
        libraries.push((level, registers, library));
        library
    };
    let float = Type {
        element: scalar.element(),
        lanes: lanes(scalar),
    };
    let (parameters, result) = function.types(float);
    let symbol = format!("run_{}", name(function, scalar, lanes(scalar)));
    Compiled {
        // SAFETY: `loop_over` defines the function with this type.
        run: unsafe { library.function::<Run>(&symbol) },
        parameters,
        result,
    }
}

/// The size of the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Registers {
    Scalar,
    One,
    Four,
}

impl Registers {
    fn lanes(self, scalar: Scalar, level: Level) -> u32 {
        match self {
            Self::Scalar => 1,
            Self::One => lanes_of(scalar, level),
            Self::Four => 4 * lanes_of(scalar, level),
        }
    }
}

/// Numbers of all magnitudes, and special ones.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "that rounds, and 53 bits are exact"
)]
fn numbers(scalar: Scalar, seed: u64, count: usize) -> Vec<u64> {
    let mut random = tile_core::testing::Random::new(seed);
    let special = [
        0.0,
        1.0,
        0.5,
        2.0,
        3.0,
        7.5,
        1e-45,
        1e-40,
        1e38,
        16_777_217.0,
        5e-324,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    let number = |_| {
        let bits = random.bits();
        let unit = (random.bits() >> 11) as f64 / 9_007_199_254_740_992.0;
        let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
        let value = match (bits >> 1) % 5 {
            0 => special[random.below(special.len())] * sign,
            1 => unit * sign,
            2 => unit * 20.0 * sign,
            3 => (unit * 60.0 - 30.0).exp2() * sign,
            _ => match scalar {
                Scalar::F32 => f64::from(f32::from_bits((bits >> 32) as u32)),
                Scalar::F64 => f64::from_bits(random.bits()),
            },
        };
        match scalar {
            Scalar::F32 => u64::from((value as f32).to_bits()),
            Scalar::F64 => value.to_bits(),
        }
    };
    (0..count).map(number).collect()
}

/// Returns `true` for equal bits, and for two NaNs.
#[expect(clippy::cast_possible_truncation, reason = "the low bits")]
fn is_same(scalar: Scalar, a: u64, b: u64) -> bool {
    let is_nan = |bits| match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
    };
    a == b || is_nan(a) && is_nan(b)
}

#[test]
fn every_function_compiles_at_every_level_without_a_call() {
    for level in Level::ALL {
        for registers in [Registers::Scalar, Registers::One, Registers::Four] {
            let mut text = String::new();
            for (function, scalar) in forms() {
                let lanes = registers.lanes(scalar, level);
                text += &definition(function, scalar, lanes, level);
                text += &loop_over(function, scalar, lanes);
            }
            let code = host::compile(&Context::new(), &text, level, "k", &mut Times::new());
            let code = code.unwrap_or_else(|error| panic!("{level} {registers:?}: {error}"));
            assert!(!code.assembly.contains("call"), "{level}");
        }
    }
}

#[test]
fn a_result_depends_neither_on_other_lanes_nor_on_their_number() {
    for level in Level::available() {
        for (function, scalar) in forms() {
            let [x, y, z] = [1, 2, 3].map(|seed| numbers(scalar, seed, 4096));
            let inputs = [&x[..], &y, &z];
            let of = |registers| {
                let compiled = compiled(function, scalar, level, registers);
                let out = compiled.apply(&inputs[..compiled.parameters.len()]);
                (out, compiled.result.element)
            };
            let (expected, element) = of(Registers::Scalar);
            for registers in [Registers::One, Registers::Four] {
                let (got, _) = of(registers);
                for (index, (got, expected)) in got.iter().zip(&expected).enumerate() {
                    let is_equal = match element {
                        Element::Int(_) => got == expected,
                        _ => is_same(scalar, *got, *expected),
                    };
                    assert!(
                        is_equal,
                        "{level} {} {:x} {:x}: {got:x} {expected:x}",
                        name(function, scalar, registers.lanes(scalar, level)),
                        x[index],
                        y[index]
                    );
                }
            }
        }
    }
}
