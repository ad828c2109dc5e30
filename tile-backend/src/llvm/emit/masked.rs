//! Accesses to global memory under a predicate.
//!
//! In: values, a pointer, a predicate that differs between threads. Out: one predicated
//! instruction in inline assembly. LLVM would make a branch around each access.
//!
//! Values travel in words: registers of 16, 32 or 64 bits, as wide as the access allows.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use tile_core::Scalar;

use super::code::{AsmEffect, Code, element_bytes};
use crate::gpu::Access;

/// The registers that carry a vector of elements.
#[derive(Clone, Copy)]
struct Words {
    /// Bits of one.
    bits: u32,
    count: u32,
    /// Bytes of all elements.
    bytes: u32,
}

impl Words {
    fn of(scalar: Scalar, elements: usize) -> Self {
        let element = element_bytes(scalar);
        let bytes = element * u32::try_from(elements).expect("a vector is short");
        let bits = match (element, bytes) {
            (8, _) => 64,
            (_, 1 | 2) => 16,
            (_, _) => 32,
        };
        Self {
            bits,
            count: (bytes * 8).div_ceil(bits),
            bytes,
        }
    }

    fn constraint(self) -> char {
        match self.bits {
            16 => 'h',
            32 => 'r',
            _ => 'l',
        }
    }

    /// `.v4.b32`, `.b8`.
    fn suffix(self) -> String {
        let bits = self.bits.min(self.bytes * 8);
        match self.count {
            1 => format!(".b{bits}"),
            count => format!(".v{count}.b{bits}"),
        }
    }

    /// `$0`, or `{$0,$1}` from operand `first` on.
    fn operands(self, first: u32) -> String {
        let names: Vec<String> = (first..first + self.count)
            .map(|index| format!("${index}"))
            .collect();
        match names.as_slice() {
            [name] => name.clone(),
            names => format!("{{{}}}", names.join(",")),
        }
    }
}

impl<'ctx> Code<'ctx> {
    fn to_words(
        &self,
        values: &[BasicValueEnum<'ctx>],
        scalar: Scalar,
        words: Words,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let values: Vec<_> = values
            .iter()
            .map(|&value| self.to_memory(value, scalar))
            .collect();
        if words.bytes == 1 {
            let byte = self.bit_cast(values[0], self.int(8)).into_int_value();
            return vec![self.unsigned(byte, self.int(16)).into()];
        }
        self.recast(&values, self.int(words.bits).into(), words.count)
    }

    fn of_words(
        &self,
        words: &[BasicValueEnum<'ctx>],
        scalar: Scalar,
        elements: usize,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let ty = self.memory_type(scalar);
        let elements = u32::try_from(elements).expect("a vector is short");
        let values = if elements * element_bytes(scalar) == 1 {
            let byte = self.unsigned(words[0].into_int_value(), self.int(8));
            vec![self.bit_cast(byte.into(), ty)]
        } else {
            self.recast(words, ty, elements)
        };
        values
            .into_iter()
            .map(|value| self.to_register(value, scalar))
            .collect()
    }

    /// The elements at `pointer` if `predicate` holds, else `otherwise`.
    pub(super) fn masked_load(
        &self,
        pointer: PointerValue<'ctx>,
        predicate: IntValue<'ctx>,
        scalar: Scalar,
        otherwise: &[BasicValueEnum<'ctx>],
        access: Access,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let words = Words::of(scalar, otherwise.len());
        let (cache, effect) = match access {
            Access::Read => (".nc", AsmEffect::None),
            Access::Write => ("", AsmEffect::Memory),
        };
        let n = words.count;
        let text = format!(
            "@${n} ld.global{cache}{} {}, [${}];",
            words.suffix(),
            words.operands(0),
            n + 1
        );
        let outputs = vec![format!("={}", words.constraint()); n as usize];
        let tied: Vec<String> = (0..n).map(|index| index.to_string()).collect();
        let constraints = format!("{},b,l,{}", outputs.join(","), tied.join(","));
        let mut args = vec![predicate.into(), pointer.into()];
        args.extend(self.to_words(otherwise, scalar, words));
        let results: Vec<BasicTypeEnum<'ctx>> = vec![self.int(words.bits).into(); n as usize];
        let loaded = self.asm(&text, &constraints, &results, &args, effect);
        self.of_words(&loaded, scalar, otherwise.len())
    }

    /// Stores the elements at `pointer` if `predicate` holds.
    pub(super) fn masked_store(
        &self,
        values: &[BasicValueEnum<'ctx>],
        pointer: PointerValue<'ctx>,
        predicate: IntValue<'ctx>,
        scalar: Scalar,
    ) {
        let words = Words::of(scalar, values.len());
        let text = format!(
            "@$0 st.global{} [$1], {};",
            words.suffix(),
            words.operands(2)
        );
        let inputs = vec![words.constraint().to_string(); words.count as usize];
        let constraints = format!("b,l,{}", inputs.join(","));
        let mut args = vec![predicate.into(), pointer.into()];
        args.extend(self.to_words(values, scalar, words));
        self.asm(&text, &constraints, &[], &args, AsmEffect::Memory);
    }
}
