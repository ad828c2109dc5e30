//! The syntax of `wgmma`, and the forms that exist.

use super::descriptor::Major;
use super::product::Product;
use super::{Multiply, Source, Wgmma};
use crate::isa::Op;
use crate::isa::mma::element::{ELEMENTS, Element, Overflow, Packing, SUMS, Sum};
use crate::isa::mma::shape;
use crate::isa::mma::sparse::Storage;
use crate::isa::types::Type;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Operand;
use crate::parse::target::Target;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Multiply,
    Fence,
    Commit,
    Wait,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let kind = d.needs(&[
        ("mma_async", Kind::Multiply),
        ("fence", Kind::Fence),
        ("commit_group", Kind::Commit),
        ("wait_group", Kind::Wait),
    ])?;
    let sparse = kind == Kind::Multiply && d.takes("sp");
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    let version = (8, if sparse { 2 } else { 0 });
    d.requires_one_of(version, &[Target::only(90)])?;
    let op = match kind {
        Kind::Multiply => multiply(d, sparse)?,
        Kind::Wait => {
            d.end(1)?;
            Wgmma::Wait(d.number(0)?)
        }
        Kind::Fence => {
            d.end(0)?;
            Wgmma::Fence
        }
        Kind::Commit => {
            d.end(0)?;
            Wgmma::Commit
        }
    };
    Ok(Op::Wgmma(Box::new(op)))
}

/// The types and the shape.
struct Form {
    n: usize,
    k: usize,
    d: Sum,
    a: Element,
    b: Element,
    saturates: bool,
    and: bool,
    sparse: bool,
}

impl Form {
    fn read(d: &mut Decoder<'_>, sparse: bool) -> Decoded<Self> {
        let Some([64, n, k]) = shape(d) else {
            return d.error("expected a shape, such as `.m64n128k16`");
        };
        let before = d.takes("satfinite");
        let to = d.needs(&SUMS)?;
        let (a, b) = (d.needs(&ELEMENTS)?, d.needs(&ELEMENTS)?);
        let saturates = before || d.takes("satfinite");
        let and = d.takes("and");
        if and {
            d.needs(&[("popc", ())])?;
        }
        Ok(Self {
            n,
            k,
            d: to,
            a,
            b,
            saturates,
            and,
            sparse,
        })
    }

    fn is_integer(&self) -> bool {
        self.d == Sum::S32
    }

    /// Returns `true` if the form has `imm-trans-a` and `imm-trans-b`.
    fn transposes(&self) -> bool {
        matches!(self.a, Element::F16 | Element::Bf16)
    }

    fn exists(&self) -> bool {
        let Self { n, a, b, d, .. } = *self;
        let half_sums = matches!(d, Sum::F16 | Sum::F32);
        let types = match a {
            Element::F16 => b == a && half_sums,
            Element::Bf16 | Element::Tf32 => b == a && d == Sum::F32,
            Element::E4m3 | Element::E5m2 => b.is_fp8() && half_sums,
            Element::S8 | Element::U8 => b.is_byte() && d == Sum::S32,
            Element::B1 => b == a && d == Sum::S32 && !self.sparse,
            _ => false,
        };
        // A row of A has 32 bytes.
        let depth = 256 / a.bits() * if self.sparse { 2 } else { 1 };
        let columns = if self.is_integer() {
            matches!(n, 8 | 24) || n % 16 == 0
        } else {
            n % 8 == 0
        };
        types
            && self.k == depth
            && columns
            && (8..=256).contains(&n)
            && self.and == (a == Element::B1)
            && (!self.saturates || self.is_integer() && a != Element::B1)
    }
}

fn multiply(d: &mut Decoder<'_>, sparse: bool) -> Decoded<Wgmma> {
    let form = Form::read(d, sparse)?;
    if !form.exists() {
        return d.error("the PTX ISA does not define this form");
    }
    if form.a.is_byte() && form.a != form.b {
        d.requires_one_of((8, 4), &[Target::only(90)])?;
    }
    let in_registers = d.is_vector(1);
    let scale_d = if sparse { 5 } else { 3 };
    let scales = if form.is_integer() { 0 } else { 2 };
    let transposes = match (form.transposes(), in_registers) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    d.end(scale_d + 1 + scales + transposes)?;
    let mut negated = false;
    for index in scale_d + 1..scale_d + 1 + scales {
        match d.operand(index)? {
            Operand::Int(1) => {}
            Operand::Int(-1) => negated = !negated,
            _ => return d.error(format!("operand {} must be 1 or -1", index + 1)),
        }
    }
    let mut majors = [Major::K; 2];
    for index in 0..transposes {
        let operand = scale_d + 1 + scales + index;
        // With A in registers, only B has a transpose flag.
        majors[2 - transposes + index] = match d.operand(operand)? {
            Operand::Int(0) => Major::K,
            Operand::Int(1) => Major::Mn,
            _ => return d.error(format!("operand {} must be 0 or 1", operand + 1)),
        };
    }
    let a = Packing::new(form.a);
    let storage = sparse.then(|| Storage::new(form.a, a.bits, form.k));
    let product = Product {
        n: form.n,
        k: form.k,
        a,
        b: Packing::new(form.b),
        d: form.d,
        overflow: if form.saturates {
            Overflow::Saturate
        } else {
            Overflow::Wrap
        },
        negated,
        a_major: majors[0],
        b_major: majors[1],
        sparse: storage,
    };
    let metadata = match storage {
        None => None,
        Some(storage) => {
            let selector = d.number(4)?;
            if selector >= storage.selectors().min(2) as u64 {
                return d.error(format!("the sparsity selector {selector} is too large"));
            }
            // The selector is at most 1.
            Some((d.source(3, Type::B32)?, selector as usize))
        }
    };
    if !d.is_vector(0) {
        return d.error("operand 1 must be in braces");
    }
    let scale_d = match d.operand(scale_d)? {
        Operand::Int(value) if !(0..=1).contains(value) => {
            return d.error("`scale-d` must be a predicate, 0 or 1");
        }
        _ => d.condition(scale_d)?,
    };
    Ok(Wgmma::Multiply(Multiply {
        product,
        sums: d.dests(0, product.registers())?,
        a: if in_registers {
            Source::Registers(d.sources(1, 4, Type::B32)?)
        } else {
            Source::Descriptor(d.source(1, Type::B64)?)
        },
        b: d.source(2, Type::B64)?,
        sparse: metadata,
        scale_d,
    }))
}
