//! Emits memory accesses in inline assembly.
//!
//! In: values, a pointer, a divergent predicate, an ordering. Out: one predicated instruction. LLVM would
//! emit a branch around each access, and would drop orderings.
//!
//! Values are passed in words of 64 bits for 8-byte elements, of 16 bits for at most two bytes in total, and
//! of 32 bits otherwise.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue as _, BasicValueEnum, IntValue, PointerValue};
use tile_core::Scalar;

use super::code::{AsmEffect, Code, element_bytes, vector_type};
use crate::gpu::Access;

/// The registers that carry a vector of elements.
#[derive(Clone, Copy)]
struct Words {
    /// The number of bits of one word.
    bits: u32,
    count: u32,
    /// The number of bytes of all elements.
    bytes: u32,
}

impl Words {
    fn split(scalar: Scalar, elements: usize) -> Self {
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

    /// Returns the suffix of the instruction, such as `.v4.b32` or `.b8`.
    fn suffix(self) -> String {
        let bits = self.bits.min(self.bytes * 8);
        match self.count {
            1 => format!(".b{bits}"),
            count => format!(".v{count}.b{bits}"),
        }
    }

    /// Returns the operands, starting with operand `first`: `$0`, or `{$0,$1}`.
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
            .map(|value| self.loaded(value, scalar))
            .collect()
    }

    /// Converts a loaded number to its register form; of a tf32, only the significant bits are kept.
    pub(super) fn loaded(
        &self,
        value: BasicValueEnum<'ctx>,
        scalar: Scalar,
    ) -> BasicValueEnum<'ctx> {
        const LOST_BITS: u32 = 13;
        if scalar != Scalar::TF32 {
            return self.to_register(value, scalar);
        }
        let bits = self.bit_cast(value, self.int(32)).into_int_value();
        let bits = self.and(bits, self.i32(u32::MAX << LOST_BITS));
        self.bit_cast(bits.into(), value.get_type())
    }

    /// Loads the elements at `pointer` if `predicate` holds, and otherwise returns `otherwise`.
    pub(super) fn masked_load(
        &self,
        pointer: PointerValue<'ctx>,
        predicate: IntValue<'ctx>,
        scalar: Scalar,
        otherwise: &[BasicValueEnum<'ctx>],
        modifiers: &Modifiers<'ctx>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        self.asm_load(modifiers, pointer, Some(predicate), scalar, otherwise)
    }

    /// Loads `elements` consecutive elements at `pointer` with one instruction.
    pub(super) fn whole_load(
        &self,
        pointer: PointerValue<'ctx>,
        scalar: Scalar,
        elements: usize,
        modifiers: &Modifiers<'ctx>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        if modifiers.is_of_caches() {
            let any = vec![self.constant(scalar, 0); elements];
            return self.asm_load(modifiers, pointer, None, scalar, &any);
        }
        let length = u32::try_from(elements).expect("a vector is short");
        let ty = self.memory_type(scalar);
        let ty = match length {
            1 => ty,
            length => vector_type(ty, length).into(),
        };
        let vector = self.load(ty, pointer, length * element_bytes(scalar));
        if !modifiers.cache.is_empty() {
            let load = vector.as_instruction_value().expect("it was just loaded");
            let kind = self.cx.get_kind_id("invariant.load");
            load.set_metadata(self.cx.metadata_node(&[]), kind)
                .expect("a load may have metadata");
        }
        let values = self.unpack(vector).into_iter();
        values.map(|value| self.loaded(value, scalar)).collect()
    }

    /// Stores the elements at `pointer` if `predicate` holds.
    pub(super) fn masked_store(
        &self,
        values: &[BasicValueEnum<'ctx>],
        pointer: PointerValue<'ctx>,
        predicate: IntValue<'ctx>,
        scalar: Scalar,
    ) {
        self.asm_store(&Modifiers::WEAK, values, pointer, Some(predicate), scalar);
    }

    /// Loads the elements at `pointer` by inline assembly, or returns `otherwise` where `predicate` does not
    /// hold.
    pub(super) fn asm_load(
        &self,
        modifiers: &Modifiers<'ctx>,
        pointer: PointerValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        scalar: Scalar,
        otherwise: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let words = Words::split(scalar, otherwise.len());
        let n = words.count;
        let mut asm = Asm::new(n);
        let guard = asm.guard(predicate);
        let address = asm.add("l", pointer.into());
        let Modifiers {
            ordering,
            space,
            cache,
            first,
            policy,
        } = modifiers;
        let (hint, policy) = policy.map_or(("", String::new()), |policy| {
            let policy = asm.add("l", policy.into());
            (".L2::cache_hint", format!(", {policy}"))
        });
        let text = format!(
            "{guard}ld{ordering}{space}{cache}{first}{hint}{} {}, [{address}]{policy};",
            words.suffix(),
            words.operands(0),
        );
        if predicate.is_some() {
            let before = self.to_words(otherwise, scalar, words);
            for (index, word) in before.into_iter().enumerate() {
                asm.add(&index.to_string(), word);
            }
        }
        let effect = if cache.is_empty() {
            AsmEffect::Memory
        } else {
            AsmEffect::None
        };
        let outputs = vec![words.constraint(); n as usize];
        let results: Vec<BasicTypeEnum<'ctx>> = vec![self.int(words.bits).into(); n as usize];
        let loaded = asm.emit(self, &text, &outputs, &results, effect);
        self.of_words(&loaded, scalar, otherwise.len())
    }

    /// Stores the elements at `pointer` by inline assembly, where `predicate` holds.
    pub(super) fn asm_store(
        &self,
        modifiers: &Modifiers<'ctx>,
        values: &[BasicValueEnum<'ctx>],
        pointer: PointerValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        scalar: Scalar,
    ) {
        let words = Words::split(scalar, values.len());
        let mut asm = Asm::new(0);
        let guard = asm.guard(predicate);
        let address = asm.add("l", pointer.into());
        let first = asm.next();
        for word in self.to_words(values, scalar, words) {
            asm.add(&words.constraint().to_string(), word);
        }
        let Modifiers {
            ordering, space, ..
        } = modifiers;
        let text = format!(
            "{guard}st{ordering}{space}{} [{address}], {};",
            words.suffix(),
            words.operands(first),
        );
        asm.emit(self, &text, &[], &[], AsmEffect::Memory);
    }
}

/// The modifiers between the name and the type of a load or store.
#[derive(Clone, Debug)]
pub(super) struct Modifiers<'ctx> {
    /// `.relaxed.gpu`, or empty.
    pub(super) ordering: String,
    /// `.global`, or empty.
    pub(super) space: &'static str,
    /// `.nc`, or empty.
    pub(super) cache: &'static str,
    /// `.L1::no_allocate`, or empty.
    pub(super) first: &'static str,
    /// The L2 cache policy, if any.
    pub(super) policy: Option<IntValue<'ctx>>,
}

impl Modifiers<'_> {
    const WEAK: Self = Self {
        ordering: String::new(),
        space: ".global",
        cache: "",
        first: "",
        policy: None,
    };
    const CONSTANT: Self = Self {
        ordering: String::new(),
        space: ".global",
        cache: ".nc",
        first: "",
        policy: None,
    };

    /// Returns the modifiers of a weak access to global memory.
    pub(super) fn for_access(access: Access) -> Self {
        match access {
            Access::Read => Self::CONSTANT,
            Access::Write => Self::WEAK,
        }
    }

    /// Returns `true` if there are cache hints, which LLVM's load instruction cannot express.
    fn is_of_caches(&self) -> bool {
        !self.first.is_empty() || self.policy.is_some()
    }
}

/// The operands of an instruction in inline assembly, numbered after its outputs.
pub(super) struct Asm<'ctx> {
    outputs: u32,
    constraints: Vec<String>,
    args: Vec<BasicValueEnum<'ctx>>,
}

impl<'ctx> Asm<'ctx> {
    pub(super) fn new(outputs: u32) -> Self {
        Self {
            outputs,
            constraints: Vec::new(),
            args: Vec::new(),
        }
    }

    /// Returns the number of the next operand.
    pub(super) fn next(&self) -> u32 {
        self.outputs + u32::try_from(self.args.len()).expect("few operands")
    }

    /// Adds an operand; returns its name in the assembly text.
    pub(super) fn add(&mut self, constraint: &str, value: BasicValueEnum<'ctx>) -> String {
        let name = format!("${}", self.next());
        self.constraints.push(constraint.to_owned());
        self.args.push(value);
        name
    }

    /// Adds a predicate as operand; returns the guard `@$n `, or an empty string without a predicate.
    pub(super) fn guard(&mut self, predicate: Option<IntValue<'ctx>>) -> String {
        predicate.map_or_else(String::new, |predicate| {
            format!("@{} ", self.add("b", predicate.into()))
        })
    }

    pub(super) fn emit(
        self,
        code: &Code<'ctx>,
        text: &str,
        outputs: &[char],
        results: &[BasicTypeEnum<'ctx>],
        effect: AsmEffect,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let outputs = outputs.iter().map(|constraint| format!("={constraint}"));
        let constraints: Vec<String> = outputs.chain(self.constraints).collect();
        code.asm(text, &constraints.join(","), results, &self.args, effect)
    }
}
