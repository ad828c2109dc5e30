//! `exp` of f32.
//!
//! In: a number. Out: its exponential, within 2 units in the last place if `ex2` is, including zero and infinity.
//!
//! The method is that of `__nv_expf` in NVIDIA's libdevice. It needs instructions
//! that the functions of `llvm::math` do not have: a saturating multiply-add, and rounding down.

use inkwell::values::FloatValue;

use super::super::code::Code;
use crate::llvm::intrinsics::Intrinsic;

/// `1 / (252 ln 2)`: maps `x` whose results have exponents of 2 from -126 to 126 to an interval of length 1.
const EXPONENT_SCALE: u32 = 0x3bbb_989d;
const EXPONENTS: f64 = 252.0;
/// `1.5 * 2^23 + 1`: if a non-negative integer is added, the low bits of the sum are the biased exponent.
const SHIFT: f64 = 12_582_913.0;
/// `SHIFT` plus 126, the offset of the exponents.
const UNSHIFT: f64 = 12_583_039.0;
/// The base-2 logarithm of e, in two parts.
const LOG2_E: u32 = 0x3fb8_aa3b;
const LOG2_E_REST: u32 = 0x32a5_7060;
/// The number of fraction bits of an f32.
const PLACES: u32 = 23;

/// Computes `e^x`. The integer part of `x * log2(e)` becomes the exponent of the result; the hardware's `ex2`
/// computes the power of the rest.
pub(super) fn exponential<'ctx>(code: &Code<'ctx>, x: FloatValue<'ctx>) -> FloatValue<'ctx> {
    let ty = x.get_type();
    let number = |value: f64| ty.const_float(value);
    let single = |bits: u32| number(f64::from(f32::from_bits(bits)));
    let fma = |lhs, rhs, addend| code.fma(lhs, rhs, addend);
    let part = fma(x, single(EXPONENT_SCALE), number(0.5));
    let part = code.nvvm(Intrinsic::Saturate, &[part.into()])[0];
    let args = [part, number(EXPONENTS).into(), number(SHIFT).into()];
    let shifted = code.nvvm(Intrinsic::FmaRm, &args)[0];
    let whole = code.fsub(shifted.into_float_value(), number(UNSHIFT));
    let rest = fma(x, single(LOG2_E), code.fneg(whole));
    let rest = fma(x, single(LOG2_E_REST), rest);
    let bits = code.bit_cast(shifted, code.cx.i32_type()).into_int_value();
    let power = code.bit_cast(code.shl(bits, code.i32(PLACES)).into(), ty);
    let of_rest = code.nvvm(Intrinsic::Exp2ApproxFtz, &[rest.into()])[0];
    code.fmul(of_rest.into_float_value(), power.into_float_value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::Context;
    use crate::llvm::kernel::{Access, Aliasing, KernelFrame, KernelParam};
    use crate::llvm::passes::{Compilation, compile};
    use crate::target::Arch;

    /// Returns the PTX of a kernel that stores the exponential of its parameter.
    fn ptx() -> String {
        let cx = Context::new();
        let module = cx.module("exponential", Arch::SM_80).expect("a module");
        let mut frame = KernelFrame::new("exponential", 32);
        let result = KernelParam::Global {
            align_bytes: 16,
            access: Access::Write,
            aliasing: Aliasing::Unique,
        };
        frame.params = vec![result, KernelParam::F32];
        let kernel = frame.declare(&module);
        let code = Code {
            cx: cx.inkwell(),
            builder: cx.inkwell().create_builder(),
            module,
        };
        let entry = code.cx.append_basic_block(kernel, "entry");
        code.builder.position_at_end(entry);
        let param = |index| kernel.get_nth_param(index).expect("a parameter");
        let computed = exponential(&code, param(1).into_float_value());
        code.store(computed.into(), param(0).into_pointer_value(), 4);
        code.finish();
        let compilation = Compilation::new(Arch::SM_80);
        let ptx = compile(&cx, &code.module, &compilation).expect("PTX");
        ptx.text().to_owned()
    }

    #[test]
    fn it_has_few_instructions() {
        let ptx = ptx();
        let counts = [
            ("cvt.sat.f32.f32", 1),
            ("fma.rm.f32", 1),
            ("fma.rn.f32", 3),
            ("ex2.approx.ftz.f32", 1),
            ("shl.b32", 1),
            ("mul.rn.f32", 1),
            ("add.rn.f32", 1),
        ];
        for (instruction, count) in counts {
            assert_eq!(
                ptx.matches(instruction).count(),
                count,
                "{instruction}: {ptx}"
            );
        }
    }
}
