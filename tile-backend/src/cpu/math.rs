//! Mathematical functions of vectors, as LLVM IR.
//!
//! In: a function, the type of its elements, and the number of lanes. Out: the text of a complete internal function, which
//! calls only intrinsics that become instructions.
//!
//! | file | holds |
//! |---|---|
//! | `code` | values and operators that write instructions |
//! | `exponential`, `logarithm`, `angle`, `power`, `remainder`, `convert` | the functions |
//! | `polynomial` | coefficients, which `device-math/polynomial.py` computes |
//!
//! The algorithms are those of `device-math`, without branches: both sides are computed, and one is selected. Only what
//! hardly any argument needs, such as the sine of a number above 2^16, is computed in a branch, if any lane needs it.
//!
//! At [`Level::Baseline`], which has no fused multiply-add, [`code::Value::fma`] computes in f64, or exactly in two parts.

#![expect(clippy::many_single_char_names, reason = "the letters of the formulas")]

mod angle;
mod code;
mod convert;
mod exponential;
mod logarithm;
mod polynomial;
mod power;
mod remainder;

use self::code::{Code, Element, Type, Value};
use super::Level;

/// A function of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Function {
    Atan2,
    Cos,
    Cosh,
    Exp,
    Exp2,
    /// `a * b + c`, rounded once.
    Fma,
    /// The remainder, exact, with the sign of the dividend.
    Fmod,
    Log,
    Log2,
    Pow,
    /// An integer power; the exponents are i32.
    Powi,
    Rsqrt,
    Sin,
    Sinh,
    Tan,
    Tanh,
    /// The bits of f16, in i16, to f32, exact. The scalar is f32.
    FromF16,
    /// f32 to the bits of f16, in i16, to nearest even. The scalar is f32.
    ToF16,
    /// The bits of bf16, in i16, to f32, exact. The scalar is f32.
    FromBf16,
    /// f32 to the bits of bf16, in i16, to nearest even; a NaN becomes 0x7FFF. The scalar is f32.
    ToBf16,
}

/// The type in which a function computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scalar {
    F32,
    F64,
}

impl Scalar {
    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    fn element(self) -> Element {
        match self {
            Self::F32 => Element::F32,
            Self::F64 => Element::F64,
        }
    }
}

impl Function {
    /// All functions.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 20] = [
        Self::Atan2,
        Self::Cos,
        Self::Cosh,
        Self::Exp,
        Self::Exp2,
        Self::Fma,
        Self::Fmod,
        Self::Log,
        Self::Log2,
        Self::Pow,
        Self::Powi,
        Self::Rsqrt,
        Self::Sin,
        Self::Sinh,
        Self::Tan,
        Self::Tanh,
        Self::FromF16,
        Self::ToF16,
        Self::FromBf16,
        Self::ToBf16,
    ];

    /// Returns the name in symbols.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Atan2 => "atan2",
            Self::Cos => "cos",
            Self::Cosh => "cosh",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Fma => "fma",
            Self::Fmod => "fmod",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Pow => "pow",
            Self::Powi => "powi",
            Self::Rsqrt => "rsqrt",
            Self::Sin => "sin",
            Self::Sinh => "sinh",
            Self::Tan => "tan",
            Self::Tanh => "tanh",
            Self::FromF16 => "from_f16",
            Self::ToF16 => "to_f16",
            Self::FromBf16 => "from_bf16",
            Self::ToBf16 => "to_bf16",
        }
    }

    /// Returns the types of the parameters, and that of the result.
    fn types(self, float: Type) -> (Vec<Type>, Type) {
        let of = |element| Type { element, ..float };
        let bits = of(Element::Int(16));
        match self {
            Self::Cos
            | Self::Cosh
            | Self::Exp
            | Self::Exp2
            | Self::Log
            | Self::Log2
            | Self::Rsqrt
            | Self::Sin
            | Self::Sinh
            | Self::Tan
            | Self::Tanh => (vec![float], float),
            Self::Atan2 | Self::Fmod | Self::Pow => (vec![float, float], float),
            Self::Fma => (vec![float; 3], float),
            Self::Powi => (vec![float, of(Element::Int(32))], float),
            Self::FromF16 | Self::FromBf16 => (vec![bits], float),
            Self::ToF16 | Self::ToBf16 => (vec![float], bits),
        }
    }

    /// Returns `true` for the conversions, which have no form for f64.
    pub(crate) fn is_conversion(self) -> bool {
        matches!(
            self,
            Self::FromF16 | Self::ToF16 | Self::FromBf16 | Self::ToBf16
        )
    }
}

/// Returns the name of a function, such as `tile_exp_f32x16`; with one lane, `tile_exp_f32`.
pub(crate) fn name(function: Function, scalar: Scalar, lanes: u32) -> String {
    let (function, scalar) = (function.text(), scalar.name());
    match lanes {
        1 => format!("tile_{function}_{scalar}"),
        _ => format!("tile_{function}_{scalar}x{lanes}"),
    }
}

/// Returns the definition of a function on vectors of `lanes` elements, or on scalars if there is one lane. It begins with
/// the constants that it needs. The result depends on the lane alone.
///
/// # Panics
///
/// If `lanes` is not a power of two, or if `function` is a conversion and `scalar` is not f32.
pub(crate) fn definition(function: Function, scalar: Scalar, lanes: u32, level: Level) -> String {
    assert!(lanes.is_power_of_two(), "{lanes} lanes");
    assert!(
        scalar == Scalar::F32 || !function.is_conversion(),
        "conversions are from f32 and to f32"
    );
    let float = Type {
        element: scalar.element(),
        lanes,
    };
    let (parameters, result) = function.types(float);
    let name = name(function, scalar, lanes);
    let code = Code::new(level);
    let arguments: Vec<Value<'_>> = parameters.iter().map(|ty| code.parameter(*ty)).collect();
    let table = format!("{name}_bits");
    let is_single = scalar == Scalar::F32;
    let value = match (function, arguments.as_slice()) {
        (Function::Cos, &[x]) => angle::cos(x, &table),
        (Function::Cosh, &[x]) => exponential::cosh(x),
        (Function::Exp, &[x]) if is_single => exponential::exp_single(x),
        (Function::Exp, &[x]) => exponential::exp_double(x),
        (Function::Exp2, &[x]) if is_single => exponential::exp2_single(x),
        (Function::Exp2, &[x]) => exponential::exp2_double(x),
        (Function::Log, &[x]) if is_single => logarithm::log_single(x),
        (Function::Log, &[x]) => logarithm::log_double(x),
        (Function::Log2, &[x]) if is_single => logarithm::log2_single(x),
        (Function::Log2, &[x]) => logarithm::log2_double(x),
        (Function::Rsqrt, &[x]) => power::rsqrt(x),
        (Function::Sin, &[x]) => angle::sin(x, &table),
        (Function::Sinh, &[x]) => exponential::sinh(x),
        (Function::Tan, &[x]) => angle::tan(x, &table),
        (Function::Tanh, &[x]) if is_single => exponential::tanh_single(x, &table),
        (Function::Tanh, &[x]) => exponential::tanh_double(x),
        (Function::Atan2, &[y, x]) => angle::atan2(y, x),
        (Function::Fmod, &[x, y]) => remainder::fmod(x, y),
        (Function::Pow, &[x, y]) if is_single => power::pow_single(x, y),
        (Function::Pow, &[x, y]) => power::pow_double(x, y),
        (Function::Powi, &[x, n]) if is_single => power::powi_single(x, n),
        (Function::Powi, &[x, n]) => power::powi_double(x, n),
        (Function::Fma, &[a, b, c]) => convert::fma(a, b, c),
        (Function::FromF16, &[x]) => convert::from_f16(x),
        (Function::ToF16, &[x]) => convert::to_f16(x),
        (Function::FromBf16, &[x]) => convert::from_bf16(x),
        (Function::ToBf16, &[x]) => convert::to_bf16(x),
        _ => unreachable!("each function has the parameters of `types`"),
    };
    code.ret(value);
    let constants = match function {
        Function::Cos | Function::Sin | Function::Tan => angle::table(scalar.element(), &table),
        Function::Tanh if is_single && exponential::has_pieces(level) => {
            exponential::pieces(&table)
        }
        _ => String::new(),
    };
    let parameters: Vec<String> = arguments
        .iter()
        .map(|argument| format!("{} {argument}", argument.ty))
        .collect();
    format!(
        "{constants}define internal {result} @{name}({}) alwaysinline nounwind {{\nentry:\n{}}}\n",
        parameters.join(", "),
        code.into_text()
    )
}

/// The format of floating-point numbers, and constants in it.
struct Format {
    /// The number of bits of the mantissa, without the hidden one.
    mantissa: u32,
    bias: u32,
    /// Added to a number that is small enough, rounds it to an integer, whose low bits are the low bits of the sum.
    round: f64,
    log2_e: f64,
    ln_2: f64,
    ln_2_rest: f64,
    pi: [f64; 2],
    half_pi: [f64; 3],
    two_by_pi: f64,
}

const fn single(bits: u32) -> f64 {
    f32::from_bits(bits) as f64
}

const F32: Format = Format {
    mantissa: 23,
    bias: 127,
    round: 12_582_912.0,
    log2_e: single(0x3fb8_aa3b),
    ln_2: single(0x3f31_7218),
    ln_2_rest: single(0xb102_e308),
    pi: [single(0x4049_0fdb), single(0xb3bb_bd2e)],
    half_pi: [
        single(0x3fc9_0fdb),
        single(0xb33b_bd2e),
        single(0xa6f7_2ced),
    ],
    two_by_pi: single(0x3f22_f983),
};

const F64: Format = Format {
    mantissa: 52,
    bias: 1023,
    round: 6_755_399_441_055_744.0,
    log2_e: f64::from_bits(0x3ff7_1547_652b_82fe),
    ln_2: f64::from_bits(0x3fe6_2e42_fefa_39ef),
    ln_2_rest: f64::from_bits(0x3c7a_bc9e_3b39_803f),
    pi: [
        f64::from_bits(0x4009_21fb_5444_2d18),
        f64::from_bits(0x3ca1_a626_3314_5c07),
    ],
    half_pi: [
        f64::from_bits(0x3ff9_21fb_5444_2d18),
        f64::from_bits(0x3c91_a626_3314_5c07),
        f64::from_bits(0xb91f_1976_b7ed_8fbc),
    ],
    two_by_pi: f64::from_bits(0x3fe4_5f30_6dc9_c883),
};

impl Format {
    fn of(x: Value<'_>) -> &'static Self {
        if x.ty.element == Element::F64 {
            &F64
        } else {
            &F32
        }
    }

    /// The bits of 1.
    fn one(&self) -> u64 {
        u64::from(self.bias) << self.mantissa
    }

    /// The bits of infinity.
    fn infinity(&self) -> u64 {
        u64::from(2 * self.bias + 1) << self.mantissa
    }

    /// The bit of the sign.
    fn sign(&self) -> u64 {
        1 << if self.mantissa == 23 { 31 } else { 63 }
    }

    /// The smallest normal number.
    fn min_positive(&self) -> f64 {
        if self.mantissa == 23 {
            f32::MIN_POSITIVE.into()
        } else {
            f64::MIN_POSITIVE
        }
    }
}

/// Coefficients of f32 as numbers of f64, which [`code::Value::horner`] takes.
fn wide<const N: usize>(coefficients: &[f32; N]) -> [f64; N] {
    coefficients.map(f64::from)
}

#[cfg(test)]
mod tests;
