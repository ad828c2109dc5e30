//! Element types of tiles.

use std::fmt;

/// A number type of the dialect. Integer types are signless: operations determine the signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// One bit; one byte in memory.
    I1,
    /// Four bits.
    I4,
    /// Eight bits.
    I8,
    /// Sixteen bits.
    I16,
    /// Thirty-two bits.
    I32,
    /// Sixty-four bits.
    I64,
    /// IEEE-754 binary16.
    F16,
    /// bfloat16: eight exponent bits, seven mantissa bits.
    BF16,
    /// IEEE-754 binary32.
    F32,
    /// NVIDIA's 19-bit float: eight exponent bits, ten mantissa bits.
    TF32,
    /// IEEE-754 binary64.
    F64,
    /// OCP 8-bit float with four exponent bits and no infinities.
    F8E4M3FN,
    /// OCP 8-bit float with five exponent bits.
    F8E5M2,
    /// OCP 8-bit power-of-two scale.
    F8E8M0FNU,
    /// OCP 4-bit float.
    F4E2M1FN,
}

impl Scalar {
    /// Every number type.
    pub const ALL: [Scalar; 15] = [
        Scalar::I1,
        Scalar::I4,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::TF32,
        Scalar::F64,
        Scalar::F8E4M3FN,
        Scalar::F8E5M2,
        Scalar::F8E8M0FNU,
        Scalar::F4E2M1FN,
    ];

    /// Returns the spelling, which is MLIR's.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::I1 => "i1",
            Scalar::I4 => "i4",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::TF32 => "tf32",
            Scalar::F64 => "f64",
            Scalar::F8E4M3FN => "f8E4M3FN",
            Scalar::F8E5M2 => "f8E5M2",
            Scalar::F8E8M0FNU => "f8E8M0FNU",
            Scalar::F4E2M1FN => "f4E2M1FN",
        }
    }

    /// Returns the type with the given spelling.
    pub fn parse(text: &str) -> Option<Scalar> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == text)
    }

    /// Returns the number of bits of a value (19 for tf32).
    pub fn bits(self) -> u32 {
        match self {
            Scalar::I1 => 1,
            Scalar::I4 | Scalar::F4E2M1FN => 4,
            Scalar::I8 | Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F8E8M0FNU => 8,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 16,
            Scalar::TF32 => 19,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }

    /// Returns the number of bytes of an element in global memory (tf32 is stored as f32, and a
    /// four-bit element counts as one byte).
    pub fn bytes(self) -> usize {
        match self {
            Scalar::TF32 => 4,
            other => (other.bits() as usize).div_ceil(8),
        }
    }

    /// Returns `true` for an integer type.
    pub fn is_integer(self) -> bool {
        matches!(
            self,
            Scalar::I1 | Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64
        )
    }

    /// Returns `true` for a float type.
    pub fn is_float(self) -> bool {
        !self.is_integer()
    }

    /// Returns `true` for a float type with arithmetic: f16, bf16, f32, f64.
    pub fn is_base_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The element type of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// A number.
    Scalar(Scalar),
    /// A pointer to a number in global memory.
    Ptr(Scalar),
}

impl From<Scalar> for Element {
    fn from(scalar: Scalar) -> Self {
        Element::Scalar(scalar)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Scalar(scalar) => write!(f, "{scalar}"),
            Element::Ptr(pointee) => write!(f, "ptr<{pointee}>"),
        }
    }
}
