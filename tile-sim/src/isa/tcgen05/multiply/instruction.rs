//! Instruction descriptors (PTX ISA, "Instruction descriptor"): types, shape and modifiers of a
//! product.
//!
//! ```text
//!                  tf32 f16 f8f6f4 i8    mxf8f6f4      mxf4 mxf4nvf4
//!  0- 1            sparsity selector     -             -
//!  2               sparse                sparse        sparse
//!  3               saturate              -             -
//!  4- 5            type of D             scale B ID    scale B ID
//!  7- 9, 10-12     types of A, B         types         types (10-11)
//! 13, 14           negate A, B           negate        negate
//! 15, 16           transpose A, B        transpose     -
//! 17-22            N / 8                 N / 8         N / 8
//! 23               -                     scale type    scale type
//! 24-28            M / 16                M / 16        M / 16
//! 29-30            - (29)                scale A ID    scale A ID
//! 31               maximum shift (30-31) -             K = 96
//! ```
//!
//! The ISA has `M / 128` in bits 27-28 for block-scaled kinds, which is equivalent.

use super::forms::{Form, Kind, Scales};
use crate::isa::mma::element::{Element, Overflow, Packing, Scale, Sum};
use crate::isa::wgmma::descriptor::Major;
use crate::machine::tensor_memory::Group;

/// A descriptor with an invalid field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the instruction descriptor {bits:#010x}: {why}")]
pub(crate) struct Malformed {
    pub(crate) bits: u32,
    pub(crate) why: String,
}

/// The type and layout of a multiplicand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor {
    pub(crate) packing: Packing,
    pub(crate) major: Major,
}

/// The block scaling of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scaling {
    pub(crate) ty: Scale,
    /// The number of factors per row of A and per column of B.
    pub(crate) chunks: usize,
    /// The byte of the first factor of A and of B.
    pub(crate) ids: [usize; 2],
}

/// A decoded instruction descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub(crate) m: usize,
    pub(crate) n: usize,
    /// The K of B; half of it is stored for a sparse A.
    pub(crate) k: usize,
    pub(crate) a: Factor,
    pub(crate) b: Factor,
    pub(crate) d: Sum,
    pub(crate) overflow: Overflow,
    /// Is `true` if exactly one of A and B is negated.
    pub(crate) negated: bool,
    /// The position of the metadata of a sparse A.
    pub(crate) selector: usize,
    pub(crate) scaling: Option<Scaling>,
    /// The maximum shift of the columns of B with `.ws`.
    pub(crate) max_shift: usize,
}

/// The bits of a descriptor.
struct Reader {
    bits: u32,
    form: Form,
}

impl Reader {
    fn field(&self, from: u32, size: u32) -> u32 {
        self.bits >> from & ((1 << size) - 1)
    }

    fn set(&self, bit: u32) -> bool {
        self.field(bit, 1) == 1
    }

    fn error<T>(&self, why: impl Into<String>) -> Result<T, Malformed> {
        Err(Malformed {
            bits: self.bits,
            why: why.into(),
        })
    }

    fn kind(&self) -> &'static str {
        self.form.kind.name()
    }

    fn reserved(&self, from: u32, size: u32) -> Result<(), Malformed> {
        if self.field(from, size) == 0 {
            return Ok(());
        }
        let bits = match size {
            1 => format!("bit {from}"),
            _ => format!("bits {from}-{}", from + size - 1),
        };
        self.error(format!("{bits} must be 0 for `.kind::{}`", self.kind()))
    }

    /// Decodes the element type of A or B.
    fn element(&self, name: &str, from: u32, size: u32) -> Result<Element, Malformed> {
        let value = self.field(from, size);
        let types: &[(u32, Element)] = match self.form.kind {
            Kind::Tf32 => &[(2, Element::Tf32)],
            Kind::F16 => &[(0, Element::F16), (1, Element::Bf16)],
            Kind::F8f6f4 | Kind::Mxf8f6f4 => &[
                (0, Element::E4m3),
                (1, Element::E5m2),
                (3, Element::E2m3),
                (4, Element::E3m2),
                (5, Element::E2m1),
            ],
            Kind::I8 => &[(0, Element::U8), (1, Element::S8)],
            Kind::Mxf4 | Kind::Mxf4nvf4 => &[(1, Element::E2m1)],
        };
        if let Some(&(_, element)) = types.iter().find(|(code, _)| *code == value) {
            return Ok(element);
        }
        let last = from + size - 1;
        self.error(format!(
            "the type of {name} (bits {from}-{last}) is {value}, which `.kind::{}` lacks",
            self.kind()
        ))
    }

    fn sum(&self) -> Result<Sum, Malformed> {
        let value = self.field(4, 2);
        match (self.form.kind, value) {
            (Kind::F16 | Kind::F8f6f4, 0) => Ok(Sum::F16),
            (Kind::F16 | Kind::F8f6f4 | Kind::Tf32, 1) => Ok(Sum::F32),
            (Kind::I8, 2) => Ok(Sum::S32),
            _ => self.error(format!(
                "the type of D (bits 4-5) is {value}, which `.kind::{}` lacks",
                self.kind()
            )),
        }
    }

    fn factor(&self, name: &str, from: u32, size: u32, bit: u32) -> Result<Factor, Malformed> {
        let element = self.element(name, from, size)?;
        let packing = if self.form.kind.is_four() {
            Packing::dense(element)
        } else {
            Packing::new(element)
        };
        let narrow = matches!(element, Element::E2m3 | Element::E3m2 | Element::E2m1);
        let major = match (self.set(bit), narrow) {
            (false, _) => Major::K,
            (true, false) => Major::Mn,
            (true, true) => {
                return self.error(format!(
                    "{name} is transposed (bit {bit}), but elements of 4 and 6 bits cannot be"
                ));
            }
        };
        Ok(Factor { packing, major })
    }

    fn sparsity(&self) -> Result<(), Malformed> {
        match (self.set(2), self.form.sparse) {
            (true, false) => self.error("A is sparse (bit 2), which requires `tcgen05.mma.sp`"),
            (false, true) => self.error("it is of a dense A (bit 2), but `tcgen05.mma.sp` is not"),
            _ => Ok(()),
        }
    }

    fn selector(&self) -> Result<usize, Malformed> {
        let selector = self.field(0, 2);
        let none = !self.form.sparse || matches!(self.form.kind, Kind::I8 | Kind::F8f6f4);
        if none && selector != 0 {
            let what = if self.form.sparse {
                format!("`.kind::{}`", self.kind())
            } else {
                "a dense A".into()
            };
            return self.error(format!(
                "the sparsity selector (bits 0-1) is {selector} and must be 0 for {what}"
            ));
        }
        Ok(selector as usize)
    }

    /// Decodes M and N, and checks them with K.
    fn shape(&self, k: usize, b: Factor) -> Result<(usize, usize), Malformed> {
        let Form {
            kind,
            group,
            sparse,
            stationary,
            ..
        } = self.form;
        let (m, n) = (
            self.field(24, 5) as usize * 16,
            self.field(17, 6) as usize * 8,
        );
        let rows: &[usize] = match (stationary, group) {
            (true, _) => &[32, 64, 128],
            (false, Group::One) if kind.is_scaled() => &[128],
            (false, Group::One) => &[64, 128],
            (false, Group::Two) if kind.is_scaled() && sparse => &[256],
            (false, Group::Two) => &[128, 256],
        };
        if !rows.contains(&m) {
            let rows: Vec<String> = rows.iter().map(usize::to_string).collect();
            return self.error(format!(
                "M (bits 24-28) is {m} and must be {}",
                rows.join(" or ")
            ));
        }
        let bytes_across = b.major == Major::Mn && b.packing.bits == 8;
        let integer = kind == Kind::I8;
        let step = match group {
            Group::One if bytes_across => 16,
            // N = 24 is a multiple of 8 only.
            Group::One if integer && n > 32 => 16,
            Group::One => 8,
            Group::Two if integer || bytes_across => 32,
            Group::Two => 16,
        };
        let (fits, steps) = if stationary {
            let max = if sparse { 128 } else { 256 };
            let fits = n.is_power_of_two() && (64..=max).contains(&n);
            (
                fits,
                if sparse {
                    "64 or 128"
                } else {
                    "64, 128 or 256"
                }
                .to_owned(),
            )
        } else {
            let fits = n % step == 0 && (1..=256).contains(&n);
            (fits, format!("a multiple of {step} up to 256"))
        };
        if !fits {
            return self.error(format!(
                "N (bits 17-22) is {n} and must be {steps} where M is {m} and K is {k}"
            ));
        }
        Ok((m, n))
    }

    fn scaling(&self, scales: Scales, long: bool) -> Result<Scaling, Malformed> {
        let ty = match (self.form.kind, self.set(23)) {
            (_, true) => Scale::Ue8m0,
            (Kind::Mxf4nvf4, false) if scales == Scales::Sixteen => Scale::Ue4m3,
            _ => {
                return self.error(
                    "the type of scale factors (bit 23) is UE4M3, which only `.kind::mxf4nvf4` with blocks of 16 has",
                );
            }
        };
        let chunks = scales.chunks(self.form.kind, long);
        // A single factor may begin at any byte, two factors at even bytes, and four at the first
        // byte only.
        let step = match (chunks, long) {
            (1 | 3, _) => 1,
            (2 | 6, _) => 2,
            _ => 4,
        };
        let id = |name: &str, from: u32| {
            let id = self.field(from, 2) as usize;
            if !id.is_multiple_of(step) {
                return self.error(format!(
                    "the ID of the scale factors of {name} (bits {from}-{}) is {id} and must be a multiple of {step} with {chunks} factors of a row",
                    from + 1
                ));
            }
            Ok(id)
        };
        Ok(Scaling {
            ty,
            chunks,
            ids: [id("A", 29)?, id("B", 4)?],
        })
    }
}

impl Instruction {
    /// Decodes a descriptor for an instruction of this form.
    pub(crate) fn parse(bits: u32, form: Form) -> Result<Self, Malformed> {
        let reader = Reader { bits, form };
        let kind = form.kind;
        reader.sparsity()?;
        reader.reserved(6, 1)?;
        // The type of B has only two bits.
        let size = if kind.is_four() {
            reader.reserved(12, 1)?;
            reader.reserved(15, 2)?;
            2
        } else {
            3
        };
        let a = reader.factor("A", 7, 3, 15)?;
        let b = reader.factor("B", 10, size, 16)?;
        let long = kind.is_four() && reader.set(31);
        if long && form.sparse {
            return reader.error("K is 96 (bit 31), which a sparse A cannot have");
        }
        if long && !form.longer {
            return reader.error("K is 96 (bit 31), which only `sm_103a` has");
        }
        let k = match kind {
            _ if long => 96,
            Kind::Tf32 => 8,
            Kind::F16 => 16,
            Kind::F8f6f4 | Kind::I8 | Kind::Mxf8f6f4 => 32,
            Kind::Mxf4 | Kind::Mxf4nvf4 => 64,
        } << usize::from(form.sparse);
        let (m, n) = reader.shape(k, b)?;
        let mut instruction = Self {
            m,
            n,
            k,
            a,
            b,
            d: Sum::F32,
            overflow: Overflow::Wrap,
            negated: reader.set(13) != reader.set(14),
            selector: 0,
            scaling: None,
            max_shift: 0,
        };
        if let Some(scales) = form.scales {
            reader.reserved(0, 2)?;
            reader.reserved(3, 1)?;
            if !kind.is_four() {
                reader.reserved(31, 1)?;
            }
            instruction.scaling = Some(reader.scaling(scales, long)?);
            return Ok(instruction);
        }
        reader.reserved(23, 1)?;
        reader.reserved(29, 1)?;
        if kind == Kind::I8 {
            reader.reserved(13, 2)?;
            if reader.set(3) {
                instruction.overflow = Overflow::Saturate;
            }
        } else {
            reader.reserved(3, 1)?;
        }
        instruction.d = reader.sum()?;
        instruction.selector = reader.selector()?;
        instruction.max_shift = [0, 8, 16, 32][reader.field(30, 2) as usize];
        if instruction.max_shift != 0 && !form.stationary {
            return reader.error("a maximum shift (bits 30-31) requires `.ws`");
        }
        if kind == Kind::F16 && instruction.d == Sum::F16 {
            for (name, factor) in [("A", a), ("B", b)] {
                if factor.packing.element == Element::Bf16 {
                    return reader.error(format!("D is of F16 (bits 4-5) but {name} of BF16"));
                }
            }
        }
        Ok(instruction)
    }

    /// Returns the number of stored elements of A along K.
    pub(crate) fn stored(&self, sparse: bool) -> usize {
        self.k >> usize::from(sparse)
    }
}
