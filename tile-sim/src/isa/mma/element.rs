//! Matrix elements as numbers.
//!
//! `f64` represents every multiplicand format exactly, and also the product of two elements of any
//! format but `.f64`.

use std::sync::LazyLock;

use crate::isa::float::native::{Half, Ieee};
use crate::isa::soft::{E4M3, E5M2, F32, F64};
use crate::isa::types::signed;

/// The element type of A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Element {
    F16,
    Bf16,
    Tf32,
    F64,
    E4m3,
    E5m2,
    E3m2,
    E2m3,
    E2m1,
    S8,
    U8,
    S4,
    U4,
    B1,
}

/// The type suffixes of the multiplicands.
pub(crate) const ELEMENTS: [(&str, Element); 14] = [
    ("f16", Element::F16),
    ("bf16", Element::Bf16),
    ("tf32", Element::Tf32),
    ("f64", Element::F64),
    ("e4m3", Element::E4m3),
    ("e5m2", Element::E5m2),
    ("e3m2", Element::E3m2),
    ("e2m3", Element::E2m3),
    ("e2m1", Element::E2m1),
    ("s8", Element::S8),
    ("u8", Element::U8),
    ("s4", Element::S4),
    ("u4", Element::U4),
    ("b1", Element::B1),
];

impl Element {
    /// Returns `true` for `.e4m3` and `.e5m2`.
    pub(crate) const fn is_fp8(self) -> bool {
        matches!(self, Self::E4m3 | Self::E5m2)
    }

    /// Returns `true` for the floating-point formats of at most 8 bits.
    pub(crate) const fn is_narrow_float(self) -> bool {
        matches!(
            self,
            Self::E4m3 | Self::E5m2 | Self::E3m2 | Self::E2m3 | Self::E2m1
        )
    }

    pub(crate) const fn is_byte(self) -> bool {
        matches!(self, Self::S8 | Self::U8)
    }

    pub(crate) const fn is_nibble(self) -> bool {
        matches!(self, Self::S4 | Self::U4)
    }

    /// Returns the number of bits of an element, without padding.
    pub(crate) const fn bits(self) -> usize {
        match self {
            Self::F64 => 64,
            Self::Tf32 => 32,
            Self::F16 | Self::Bf16 => 16,
            Self::E4m3
            | Self::E5m2
            | Self::E3m2
            | Self::E2m3
            | Self::E2m1
            | Self::S8
            | Self::U8 => 8,
            Self::S4 | Self::U4 => 4,
            Self::B1 => 1,
        }
    }
}

/// The layout of elements in registers and in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) element: Element,
    /// The distance between elements in bits.
    pub(crate) bits: usize,
}

impl Packing {
    pub(crate) const fn new(element: Element) -> Self {
        Self {
            element,
            bits: element.bits(),
        }
    }

    /// Returns the layout of `.e2m1` without padding (`.kind::mxf4`).
    pub(crate) const fn dense(element: Element) -> Self {
        Self { element, bits: 4 }
    }

    /// Returns the number of elements per register: of 64 bits for `.f64`, else of 32.
    pub(crate) const fn per_register(self) -> usize {
        if self.bits == 64 { 1 } else { 32 / self.bits }
    }

    /// Unpacks the numbers in `word`, from the lowest bits up.
    #[inline]
    pub(crate) fn unpack(self, word: u64, out: &mut [f64]) {
        match self.element {
            Element::F64 => out[0] = f64::from_bits(word),
            // The low 13 bits of a tf32 are ignored (PTX ISA, "wgmma.mma_async": truncated).
            Element::Tf32 => {
                for (index, number) in out.iter_mut().enumerate() {
                    *number = f64::from(f32::from_bits((word >> (32 * index)) as u32 & !0x1fff));
                }
            }
            Element::Bf16 => {
                for (index, number) in out.iter_mut().enumerate() {
                    *number = f64::from(f32::from_bits(((word >> (16 * index)) as u32) << 16));
                }
            }
            Element::F16 => {
                for (index, number) in out.iter_mut().enumerate() {
                    *number = f64::from(Ieee::widen((word >> (16 * index)) as u32 & 0xffff));
                }
            }
            Element::B1 => {
                for (index, number) in out.iter_mut().enumerate() {
                    *number = (word >> index & 1) as f64;
                }
            }
            _ => {
                let table = self.table();
                let mask = (1 << self.bits) - 1;
                for (index, number) in out.iter_mut().enumerate() {
                    *number = table[(word >> (self.bits * index) & mask) as usize];
                }
            }
        }
    }

    /// Returns the value of each bit pattern, for formats of at most 8 bits.
    fn table(self) -> &'static [f64; 256] {
        static TABLES: LazyLock<[[f64; 256]; 9]> = LazyLock::new(|| {
            [
                Element::E4m3,
                Element::E5m2,
                Element::E3m2,
                Element::E2m3,
                Element::E2m1,
                Element::S8,
                Element::U8,
                Element::S4,
                Element::U4,
            ]
            .map(|element| std::array::from_fn(|bits| small(element, bits as u64)))
        });
        static DENSE: LazyLock<[f64; 256]> =
            LazyLock::new(|| std::array::from_fn(|bits| tiny(bits as u64, 2, 1)));
        match self.element {
            Element::E2m1 if self.bits == 4 => &DENSE,
            Element::E4m3 => &TABLES[0],
            Element::E5m2 => &TABLES[1],
            Element::E3m2 => &TABLES[2],
            Element::E2m3 => &TABLES[3],
            Element::E2m1 => &TABLES[4],
            Element::S8 => &TABLES[5],
            Element::U8 => &TABLES[6],
            Element::S4 => &TABLES[7],
            _ => &TABLES[8],
        }
    }
}

/// Returns the value of a byte or nibble.
///
/// In a byte, `.e2m1` occupies the central four bits, `.e3m2` and `.e2m3` the lower six (PTX ISA,
/// "mma").
fn small(element: Element, bits: u64) -> f64 {
    match element {
        Element::E4m3 => E4M3.to_f64(bits),
        Element::E5m2 => E5M2.to_f64(bits),
        Element::E3m2 => tiny(bits, 3, 2),
        Element::E2m3 => tiny(bits, 2, 3),
        Element::E2m1 => tiny(bits >> 2, 2, 1),
        Element::S8 => signed(bits, 8) as f64,
        Element::S4 => signed(bits, 4) as f64,
        Element::U4 => (bits & 15) as f64,
        _ => bits as f64,
    }
}

/// Decodes a format without infinities and NaN: a sign, `exponent_bits` and `mantissa_bits`.
fn tiny(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> f64 {
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    // A subnormal has the exponent of the smallest normal number and no implicit leading bit.
    let significand = if exponent == 0 {
        mantissa
    } else {
        mantissa | 1 << mantissa_bits
    };
    let power = exponent.max(1) as i32 - bias - mantissa_bits.cast_signed();
    let magnitude = significand as f64 * 2f64.powi(power);
    if bits >> (exponent_bits + mantissa_bits) & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// The element type of C or D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sum {
    F16,
    F32,
    F64,
    S32,
}

/// The type suffixes of the accumulators.
pub(crate) const SUMS: [(&str, Sum); 4] = [
    ("f16", Sum::F16),
    ("f32", Sum::F32),
    ("f64", Sum::F64),
    ("s32", Sum::S32),
];

impl Sum {
    pub(crate) const fn per_register(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 | Self::F64 | Self::S32 => 1,
        }
    }

    /// Unpacks element `index` of a register.
    #[inline]
    pub(crate) fn unpack(self, word: u64, index: usize) -> f64 {
        match self {
            Self::F16 => f64::from(Ieee::widen((word >> (16 * index)) as u32 & 0xffff)),
            Self::F32 => f64::from(f32::from_bits(word as u32)),
            Self::F64 => f64::from_bits(word),
            Self::S32 => f64::from((word as u32).cast_signed()),
        }
    }

    /// Returns the bits of a sum, rounded to nearest even.
    #[inline]
    pub(crate) fn pack(self, sum: f64, overflow: Overflow) -> u64 {
        match self {
            Self::F16 => u64::from(Ieee::shorten(sum)),
            Self::F32 if sum.is_nan() => F32.nan,
            Self::F32 => u64::from((sum as f32).to_bits()),
            Self::F64 if sum.is_nan() => F64.nan,
            Self::F64 => sum.to_bits(),
            Self::S32 => {
                // The integer is below 2^53 and therefore exact in `f64`.
                let exact = sum as i64;
                let kept = match overflow {
                    Overflow::Wrap => exact,
                    Overflow::Saturate => exact.clamp(i32::MIN.into(), i32::MAX.into()),
                };
                kept.cast_unsigned() & 0xffff_ffff
            }
        }
    }
}

/// The treatment of integer sums that are out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Wrap,
    /// `.satfinite`.
    Saturate,
}

/// The type of a block scale factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Ue8m0,
    Ue4m3,
}

impl Scale {
    /// Returns the scale factor that a byte encodes.
    pub(crate) fn number(self, byte: u8) -> f64 {
        match self {
            // A biased exponent; all ones is NaN.
            Self::Ue8m0 if byte == 0xff => f64::NAN,
            Self::Ue8m0 => 2f64.powi(i32::from(byte) - 127),
            // Seven bits without a sign.
            Self::Ue4m3 => E4M3.to_f64(u64::from(byte & 0x7f)),
        }
    }
}
