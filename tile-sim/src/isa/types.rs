//! The fundamental types of PTX.

use crate::parse::syntax::Operand;

/// The interpretation of an element's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Bits,
    Unsigned,
    Signed,
    /// The IEEE 754 formats f16, f32 and f64.
    Float,
    /// bf16.
    Brain,
    Tf32,
    E4m3,
    E5m2,
    E2m1,
    E2m3,
    E3m2,
    Ue8m0,
    Pred,
}

/// An element type, and the number of elements that are packed into a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Type {
    pub(crate) class: Class,
    /// The number of bits of an element.
    pub(crate) bits: u8,
    pub(crate) packed: u8,
}

impl Type {
    pub(crate) const PRED: Self = Self::new(Class::Pred, 1);
    pub(crate) const B8: Self = Self::new(Class::Bits, 8);
    pub(crate) const B16: Self = Self::new(Class::Bits, 16);
    pub(crate) const B32: Self = Self::new(Class::Bits, 32);
    pub(crate) const B64: Self = Self::new(Class::Bits, 64);
    pub(crate) const B128: Self = Self::new(Class::Bits, 128);
    pub(crate) const U32: Self = Self::new(Class::Unsigned, 32);
    pub(crate) const S32: Self = Self::new(Class::Signed, 32);
    pub(crate) const F16: Self = Self::new(Class::Float, 16);
    pub(crate) const BF16: Self = Self::new(Class::Brain, 16);
    pub(crate) const F32: Self = Self::new(Class::Float, 32);
    pub(crate) const F64: Self = Self::new(Class::Float, 64);

    pub(crate) const fn new(class: Class, bits: u8) -> Self {
        Self {
            class,
            bits,
            packed: 1,
        }
    }

    const fn pair(class: Class, bits: u8) -> Self {
        Self::new(class, bits).times(2)
    }

    /// Returns the type with this number of packed elements.
    pub(crate) const fn times(self, packed: u8) -> Self {
        Self { packed, ..self }
    }

    /// Parses a type suffix.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "pred" => Self::PRED,
            "b8" => Self::B8,
            "b16" => Self::B16,
            "b32" => Self::B32,
            "b64" => Self::B64,
            "b128" => Self::B128,
            "u8" => Self::new(Class::Unsigned, 8),
            "u16" => Self::new(Class::Unsigned, 16),
            "u32" => Self::U32,
            "u64" => Self::new(Class::Unsigned, 64),
            "s8" => Self::new(Class::Signed, 8),
            "s16" => Self::new(Class::Signed, 16),
            "s32" => Self::S32,
            "s64" => Self::new(Class::Signed, 64),
            "u16x2" => Self::pair(Class::Unsigned, 16),
            "s16x2" => Self::pair(Class::Signed, 16),
            "f16" => Self::F16,
            "f16x2" => Self::pair(Class::Float, 16),
            "bf16" => Self::BF16,
            "bf16x2" => Self::pair(Class::Brain, 16),
            "f32" => Self::F32,
            "f32x2" => Self::pair(Class::Float, 32),
            "f64" => Self::F64,
            "tf32" => Self::new(Class::Tf32, 32),
            "e4m3" => Self::new(Class::E4m3, 8),
            "e5m2" => Self::new(Class::E5m2, 8),
            "e4m3x2" => Self::pair(Class::E4m3, 8),
            "e5m2x2" => Self::pair(Class::E5m2, 8),
            "e4m3x4" => Self::new(Class::E4m3, 8).times(4),
            "e5m2x4" => Self::new(Class::E5m2, 8).times(4),
            "e2m1x2" => Self::pair(Class::E2m1, 4),
            "e2m1x4" => Self::new(Class::E2m1, 4).times(4),
            // Six bits, each element in a byte of its own.
            "e2m3x2" => Self::pair(Class::E2m3, 8),
            "e2m3x4" => Self::new(Class::E2m3, 8).times(4),
            "e3m2x2" => Self::pair(Class::E3m2, 8),
            "e3m2x4" => Self::new(Class::E3m2, 8).times(4),
            "ue8m0x2" => Self::pair(Class::Ue8m0, 8),
            _ => return None,
        })
    }

    pub(crate) const fn total_bits(self) -> u16 {
        // Both factors are below 256.
        self.bits as u16 * self.packed as u16
    }

    pub(crate) const fn element(self) -> Self {
        Self::new(self.class, self.bits)
    }

    pub(crate) const fn is_signed(self) -> bool {
        matches!(self.class, Class::Signed)
    }

    pub(crate) const fn is_integer(self) -> bool {
        matches!(self.class, Class::Signed | Class::Unsigned)
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self.class, Class::Float | Class::Brain)
    }

    pub(crate) const fn mask(self) -> u64 {
        mask(self.total_bits())
    }
}

/// Returns a mask of the lowest `bits` bits.
pub(crate) const fn mask(bits: u16) -> u64 {
    if bits >= 64 { !0 } else { (1 << bits) - 1 }
}

/// Sign-extends the lowest `bits` bits of `value`.
#[inline]
pub(crate) const fn signed(value: u64, bits: u8) -> i64 {
    let shift = 64 - bits as u32;
    (value << shift).cast_signed() >> shift
}

impl Operand {
    /// Returns the bits of a constant operand of type `ty`.
    pub(crate) fn immediate(&self, ty: Type) -> Option<u64> {
        match self {
            // Truncates the two's complement to the type.
            Self::Int(value) => Some((*value as u64) & ty.mask()),
            Self::Single(bits) if ty.total_bits() == 32 => Some(u64::from(*bits)),
            Self::Double(bits) if ty.total_bits() == 64 => Some(*bits),
            Self::Double(bits) if ty == Type::F32 => {
                Some(u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            _ => None,
        }
    }
}
