//! Defines every lane of vectors that are built lane by lane.
//!
//! In: an optimized module. Out: the same module, in which no `insertelement` and no `shufflevector` yields a
//! partially undefined vector.
//!
//! A vector of small elements is built lane by lane, starting from an undefined vector. If only the complete
//! vector is used, NVPTX emits a few instructions for all lanes together. But two such vectors may share a
//! prefix, or a prefix may be hoisted out of a loop. The prefix then becomes a separate value, and for the
//! missing lanes NVPTX reads a register that nothing writes. These lanes are overwritten later, so the result
//! is correct, but the behaviour of the PTX is undefined, and the simulator stops there. The emitter cannot
//! prevent this: the optimizer knows that these lanes do not matter, and makes them undefined again.
//!
//! Invariant: where all lanes are inserted together, the code does not change; zeros appear only in shared
//! prefixes.

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::{LLVMGetMaskValue, LLVMGetNumMaskElements};
use inkwell::module::Module;
use inkwell::types::VectorType;
use inkwell::values::{
    AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, VectorValue,
};

/// The message for an operand of another kind than its opcode has.
const BUILT: &str = "an instruction has the operands of its opcode";

/// Defines every lane of the vectors that `module` builds lane by lane.
pub(super) fn define(module: &Module<'_>) {
    for function in module.get_functions() {
        for block in function.get_basic_block_iter() {
            define_in(module, block);
        }
    }
}

fn define_in<'ctx>(module: &Module<'ctx>, block: BasicBlock<'ctx>) {
    let mut next = block.get_first_instruction();
    while let Some(instruction) = next {
        next = instruction.get_next_instruction();
        match instruction.get_opcode() {
            InstructionOpcode::InsertElement => define_base(instruction),
            InstructionOpcode::ShuffleVector => define_mask(module, instruction),
            _ => {}
        }
    }
}

fn vector(instruction: InstructionValue<'_>, index: u32) -> VectorValue<'_> {
    let operand = instruction.get_operand(index).expect(BUILT);
    operand.value().expect(BUILT).into_vector_value()
}

/// Rewrites `insertelement poison, x, i` to `insertelement zeroinitializer, x, i`.
fn define_base(instruction: InstructionValue<'_>) {
    let base = vector(instruction, 0);
    if !base.is_const() {
        return;
    }
    let defined = defined(base);
    if defined != base {
        instruction.set_operand(0, defined);
    }
}

/// Returns the constant vector `base` with zeros instead of undefined lanes.
fn defined(base: VectorValue<'_>) -> VectorValue<'_> {
    let ty = base.get_type();
    let i32_type = ty.get_context().i32_type();
    let mut defined = base;
    for lane in 0..ty.get_size() {
        let lane = i32_type.const_int(u64::from(lane), false);
        let is_undefined = match base.const_extract_element(lane) {
            BasicValueEnum::IntValue(value) => value.is_undef(),
            BasicValueEnum::FloatValue(value) => value.is_undef(),
            BasicValueEnum::PointerValue(value) => value.is_undef(),
            other => unreachable!("{other} is no element of a vector"),
        };
        if is_undefined {
            let zero = ty.get_element_type().const_zero();
            defined = defined.const_insert_element(lane, zero).into_vector_value();
        }
    }
    defined
}

/// Rewrites `shufflevector x, y, <0, poison>` to `shufflevector x, y, <0, 1>`.
fn define_mask<'ctx>(module: &Module<'ctx>, instruction: InstructionValue<'ctx>) {
    let (lhs, rhs) = (vector(instruction, 0), vector(instruction, 1));
    let lanes = lhs.get_type().get_size();
    let mask = mask(instruction);
    let is_defined = |lane: Option<u32>| lane.is_some_and(|lane| lane < lanes || !rhs.is_undef());
    if mask.iter().copied().all(is_defined) {
        return;
    }
    // Any lane of the left operand will do. Lanes in their own position let NVPTX copy whole vectors.
    let i32_type = module.get_context().i32_type();
    let lane = |(index, lane): (u32, &Option<u32>)| {
        let lane = lane.filter(|&lane| is_defined(Some(lane)));
        i32_type.const_int(u64::from(lane.unwrap_or(index % lanes)), false)
    };
    let mask: Vec<_> = (0..).zip(&mask).map(lane).collect();
    let builder = module.get_context().create_builder();
    builder.position_before(&instruction);
    let defined = builder
        .build_shuffle_vector(lhs, rhs, VectorType::const_vector(&mask), "")
        .expect("the builder is before an instruction");
    // The builder folds a shuffle of constants, for which there is nothing to replace.
    if let Some(defined) = defined.as_instruction() {
        instruction.replace_all_uses_with(&defined);
        instruction.erase_from_basic_block();
    }
}

/// Returns the mask of a shuffle: the source lane of each lane, or `None` if the lane is undefined.
fn mask(instruction: InstructionValue<'_>) -> Vec<Option<u32>> {
    let shuffle = instruction.as_value_ref();
    // SAFETY: the instruction is a shuffle, and the index is less than the length of its mask.
    let value = |index| unsafe { LLVMGetMaskValue(shuffle, index) };
    // SAFETY: the instruction is a shuffle.
    let length = unsafe { LLVMGetNumMaskElements(shuffle) };
    (0..length)
        .map(|index| u32::try_from(value(index)).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inkwell::memory_buffer::MemoryBuffer;

    use super::super::passes::{Compilation, emit_ptx, to_text};
    use super::*;
    use crate::llvm::Context;
    use crate::target::Arch;

    /// Returns a kernel from the LLVM IR of its body, with numbers `%a` to `%d` and pointers `%p` and `%q`.
    fn kernel<'cx>(cx: &'cx Context, body: &str) -> Module<'cx> {
        let text = format!(
            "target triple = \"nvptx64-nvidia-cuda\"
            define ptx_kernel void @kernel(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i8 %a, i8 %b, \
            i8 %c, i8 %d, half %h) {{\n{body}\n}}\n"
        );
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "kernel");
        let module = cx.inkwell().create_module_from_ir(buffer);
        module.unwrap_or_else(|message| panic!("{message}\n{text}"))
    }

    fn ptx(cx: &Context, module: &Module<'_>) -> String {
        let ptx = emit_ptx(cx, module, &Compilation::new(Arch::SM_80)).expect("PTX");
        ptx.text().to_owned()
    }

    /// Returns the registers that some instruction reads and none writes. The results of an instruction are
    /// its first operand, which may be a list in braces.
    fn never_written(ptx: &str) -> Vec<String> {
        let (mut written, mut read) = (BTreeSet::new(), BTreeSet::new());
        for line in ptx.lines().filter(|line| line.contains(';')) {
            let line = line.split("//").next().unwrap_or(line).trim();
            if line.starts_with('.') {
                continue;
            }
            let mut parts = line.split('%').skip(1);
            let has_result = !["st.", "@", "bra"]
                .iter()
                .any(|name| line.starts_with(name));
            let register = |part: &str| {
                let end = part.find(|c: char| !c.is_ascii_alphanumeric());
                part[..end.unwrap_or(part.len())].to_owned()
            };
            if has_result {
                let results = line.split('{').nth(1).filter(|_| line.starts_with("ld."));
                let count = results.map_or(1, |text| {
                    text.split('}').next().unwrap_or("").matches('%').count()
                });
                written.extend(parts.by_ref().take(count).map(register));
            }
            read.extend(parts.map(register));
        }
        read.difference(&written).cloned().collect()
    }

    /// Reports whether PTX reads a register that it does not write, before and after the pass.
    fn before_and_after(body: &str) -> [bool; 2] {
        let cx = Context::new();
        let module = kernel(&cx, body);
        let before = ptx(&cx, &module);
        define(&module);
        module.verify().expect("a module as good as before");
        let after = ptx(&cx, &module);
        [before, after].map(|ptx| !never_written(&ptx).is_empty())
    }

    const BYTES_THAT_BEGIN_ALIKE: &str = "
        %1 = insertelement <4 x i8> poison, i8 %a, i32 0
        %2 = insertelement <4 x i8> %1, i8 %b, i32 1
        %3 = insertelement <4 x i8> %2, i8 %c, i32 2
        %4 = insertelement <4 x i8> %3, i8 %d, i32 3
        %5 = insertelement <4 x i8> %3, i8 %a, i32 3
        store <4 x i8> %4, ptr addrspace(1) %p
        store <4 x i8> %5, ptr addrspace(1) %q
        ret void";

    const HALVES_AROUND_A_LOOP: &str = "
        %1 = insertelement <2 x half> poison, half %h, i32 0
        br label %turn
        turn:
        %2 = phi i32 [0, %0], [%3, %turn]
        %3 = add i32 %2, 1
        %4 = sitofp i32 %2 to half
        %5 = insertelement <2 x half> %1, half %4, i32 1
        %6 = fadd <2 x half> %5, %5
        store volatile <2 x half> %6, ptr addrspace(1) %p
        %7 = icmp slt i32 %3, %n
        br i1 %7, label %turn, label %end
        end:
        ret void";

    const SHUFFLES_THAT_BEGIN_ALIKE: &str = "
        %1 = load <4 x i8>, ptr addrspace(1) %p
        %2 = load <4 x i8>, ptr addrspace(1) %q
        %3 = shufflevector <4 x i8> %1, <4 x i8> %2, <4 x i32> <i32 1, i32 4, i32 3, i32 poison>
        %4 = insertelement <4 x i8> %3, i8 %a, i32 3
        %5 = insertelement <4 x i8> %3, i8 %b, i32 3
        %6 = shufflevector <4 x i8> %1, <4 x i8> poison, <4 x i32> <i32 3, i32 poison, i32 2, i32 5>
        %7 = insertelement <4 x i8> %6, i8 %a, i32 1
        %8 = insertelement <4 x i8> %7, i8 %b, i32 3
        %9 = insertelement <4 x i8> %7, i8 %c, i32 3
        store volatile <4 x i8> %4, ptr addrspace(1) %p
        store volatile <4 x i8> %5, ptr addrspace(1) %p
        store volatile <4 x i8> %8, ptr addrspace(1) %p
        store volatile <4 x i8> %9, ptr addrspace(1) %p
        ret void";

    const CONSTANT_BEGINNING: &str = "
        %1 = insertelement <4 x i8> <i8 1, i8 poison, i8 undef, i8 2>, i8 %a, i32 1
        %2 = insertelement <4 x i8> %1, i8 %b, i32 2
        %3 = insertelement <4 x i8> %1, i8 %c, i32 2
        store <4 x i8> %2, ptr addrspace(1) %p
        store <4 x i8> %3, ptr addrspace(1) %q
        ret void";

    #[test]
    fn every_register_that_is_read_is_written() {
        for body in [
            BYTES_THAT_BEGIN_ALIKE,
            HALVES_AROUND_A_LOOP,
            CONSTANT_BEGINNING,
        ] {
            assert_eq!(before_and_after(body), [true, false], "{body}");
        }
    }

    #[test]
    fn no_lane_is_left_undefined() {
        for body in [
            BYTES_THAT_BEGIN_ALIKE,
            HALVES_AROUND_A_LOOP,
            SHUFFLES_THAT_BEGIN_ALIKE,
            CONSTANT_BEGINNING,
        ] {
            let cx = Context::new();
            let module = kernel(&cx, body);
            define(&module);
            let text = to_text(&module);
            let is_defined = |line: &str| match line.split_once("shufflevector") {
                // An operand may be undefined if the shuffle takes none of its lanes.
                Some((_, operands)) => !operands
                    .rsplit('<')
                    .next()
                    .is_some_and(|mask| mask.contains("poison")),
                None => !line.contains("poison") && !line.contains("undef"),
            };
            assert!(text.lines().all(is_defined), "{text}");
        }
    }

    #[test]
    fn lanes_that_are_there_stay() {
        let cx = Context::new();
        let module = kernel(&cx, SHUFFLES_THAT_BEGIN_ALIKE);
        define(&module);
        let text = to_text(&module);
        for mask in [
            "<4 x i32> <i32 1, i32 4, i32 3, i32 3>",
            "<4 x i32> <i32 3, i32 1, i32 2, i32 3>",
        ] {
            assert!(text.contains(mask), "{text}");
        }
        let module = kernel(&cx, CONSTANT_BEGINNING);
        define(&module);
        let text = to_text(&module);
        assert!(text.contains("<4 x i8> <i8 1, i8 0, i8 0, i8 2>"), "{text}");
    }

    #[test]
    fn what_is_put_together_at_once_stays_as_it_is() {
        let body = "
            %1 = insertelement <4 x i8> poison, i8 %a, i32 0
            %2 = insertelement <4 x i8> %1, i8 %b, i32 1
            %3 = insertelement <4 x i8> %2, i8 %c, i32 2
            %4 = insertelement <4 x i8> %3, i8 %d, i32 3
            store <4 x i8> %4, ptr addrspace(1) %p
            ret void";
        let cx = Context::new();
        let module = kernel(&cx, body);
        let before = ptx(&cx, &module);
        define(&module);
        assert_eq!(ptx(&cx, &module), before);
    }
}
