//! A thin layer over the LLVM builder: typed helpers that cannot fail.
//!
//! In: LLVM values. Out: LLVM values, at the insertion point of the builder.
//!
//! Invariant: the builder is always positioned in a block, and operands have the types that the instruction
//! needs. The emitter ensures both, so an error from the builder is a bug of the emitter.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic as Overloaded;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicType, BasicTypeEnum, IntType, VectorType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FloatValue, FunctionValue,
    InstructionValue, IntValue, PointerValue,
};
use inkwell::{AddressSpace as InkwellSpace, FloatPredicate, IntPredicate};
use tile_core::Scalar;

use crate::llvm::AddressSpace;
use crate::llvm::intrinsics::Intrinsic;

const BUILT: &str = "the builder is in a block and the operands fit";

/// The module under construction and the insertion point.
pub(super) struct Code<'ctx> {
    pub(super) cx: &'ctx Context,
    pub(super) module: Module<'ctx>,
    pub(super) builder: Builder<'ctx>,
}

macro_rules! binary {
    ($($Value:ident { $($name:ident = $build:ident;)+ })+) => {
        impl<'ctx> Code<'ctx> {$($(
            pub(super) fn $name(&self, lhs: $Value<'ctx>, rhs: $Value<'ctx>) -> $Value<'ctx> {
                self.builder.$build(lhs, rhs, "").expect(BUILT)
            }
        )+)+}
    };
}

binary! {
    IntValue {
        add = build_int_add;
        add_nuw = build_int_nuw_add;
        add_nsw = build_int_nsw_add;
        sub = build_int_sub;
        mul = build_int_mul;
        mul_nuw = build_int_nuw_mul;
        udiv = build_int_unsigned_div;
        sdiv = build_int_signed_div;
        urem = build_int_unsigned_rem;
        srem = build_int_signed_rem;
        and = build_and;
        or = build_or;
        xor = build_xor;
        shl = build_left_shift;
    }
    FloatValue {
        fadd = build_float_add;
        fsub = build_float_sub;
        fmul = build_float_mul;
        fdiv = build_float_div;
    }
}

/// Helpers for types and constants.
impl<'ctx> Code<'ctx> {
    /// Returns the integer type of `bits` bits.
    pub(super) fn int(&self, bits: u32) -> IntType<'ctx> {
        let bits = std::num::NonZeroU32::new(bits).expect("an integer has bits");
        self.cx
            .custom_width_int_type(bits)
            .expect("a width that LLVM has")
    }

    /// Returns the type of a number in a register. A tf32 is held as the f32 of the same value; types of
    /// eight bits or fewer without arithmetic are held as integers.
    pub(super) fn register_type(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        match scalar {
            Scalar::I1
            | Scalar::I4
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::F8E4M3FN
            | Scalar::F8E5M2
            | Scalar::F8E8M0FNU
            | Scalar::F4E2M1FN => self.int(scalar.bits()).into(),
            Scalar::F16 => self.cx.f16_type().into(),
            Scalar::BF16 => self.cx.bf16_type().into(),
            Scalar::F32 | Scalar::TF32 => self.cx.f32_type().into(),
            Scalar::F64 => self.cx.f64_type().into(),
        }
    }

    /// Returns the type of a number in memory: the register type, rounded up to whole bytes.
    pub(super) fn memory_type(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        if scalar.bits() < 8 {
            return self.int(8).into();
        }
        self.register_type(scalar)
    }

    /// Returns the integer type that has the size of `scalar` in memory.
    pub(super) fn memory_int(&self, scalar: Scalar) -> IntType<'ctx> {
        self.int(memory_bits(scalar))
    }

    pub(super) fn i32(&self, value: u32) -> IntValue<'ctx> {
        self.cx.i32_type().const_int(u64::from(value), false)
    }

    pub(super) fn i64(&self, value: u64) -> IntValue<'ctx> {
        self.cx.i64_type().const_int(value, false)
    }

    /// Returns the constant with the bit pattern `bits`, in its register type.
    pub(super) fn constant(&self, scalar: Scalar, bits: u64) -> BasicValueEnum<'ctx> {
        let ty = self.register_type(scalar);
        let BasicTypeEnum::IntType(ty) = ty else {
            let bits = self
                .memory_int(scalar)
                .const_int(memory_pattern(scalar, bits), false);
            return self.bit_cast(bits.into(), ty);
        };
        ty.const_int(memory_pattern(scalar, bits), false).into()
    }
}

/// Returns the number of bits of `scalar` in memory, where i1 and four-bit types occupy a byte.
pub(super) fn memory_bits(scalar: Scalar) -> u32 {
    8 * element_bytes(scalar)
}

/// Returns the number of bytes of `scalar` in memory.
pub(super) fn element_bytes(scalar: Scalar) -> u32 {
    u32::try_from(scalar.bytes()).expect("an element has few bytes")
}

/// Returns the bit pattern in memory: that of the dialect, except for tf32, which is the f32 of the same
/// value.
pub(super) fn memory_pattern(scalar: Scalar, bits: u64) -> u64 {
    let mask = u64::MAX >> (64 - scalar.bits());
    match scalar {
        Scalar::TF32 => (bits & mask) << 13,
        _ => bits & mask,
    }
}

/// Helpers for integers, casts and comparisons.
impl<'ctx> Code<'ctx> {
    pub(super) fn lshr(&self, lhs: IntValue<'ctx>, rhs: IntValue<'ctx>) -> IntValue<'ctx> {
        self.builder
            .build_right_shift(lhs, rhs, false, "")
            .expect(BUILT)
    }

    pub(super) fn not(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        self.builder.build_not(value, "").expect(BUILT)
    }

    pub(super) fn ashr(&self, lhs: IntValue<'ctx>, rhs: IntValue<'ctx>) -> IntValue<'ctx> {
        self.builder
            .build_right_shift(lhs, rhs, true, "")
            .expect(BUILT)
    }

    /// Converts `value` to `ty` by truncation or zero extension.
    pub(super) fn unsigned(&self, value: IntValue<'ctx>, ty: IntType<'ctx>) -> IntValue<'ctx> {
        let (from, to) = (value.get_type().get_bit_width(), ty.get_bit_width());
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.builder.build_int_z_extend(value, ty, ""),
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => self.builder.build_int_truncate(value, ty, ""),
        }
        .expect(BUILT)
    }

    /// Converts `value` to `ty` by truncation or sign extension.
    pub(super) fn signed(&self, value: IntValue<'ctx>, ty: IntType<'ctx>) -> IntValue<'ctx> {
        if value.get_type().get_bit_width() >= ty.get_bit_width() {
            return self.unsigned(value, ty);
        }
        self.builder.build_int_s_extend(value, ty, "").expect(BUILT)
    }

    pub(super) fn bit_cast(
        &self,
        value: BasicValueEnum<'ctx>,
        ty: impl Into<BasicTypeEnum<'ctx>>,
    ) -> BasicValueEnum<'ctx> {
        let ty = ty.into();
        if value.get_type() == ty {
            return value;
        }
        self.builder.build_bit_cast(value, ty, "").expect(BUILT)
    }

    pub(super) fn compare(
        &self,
        predicate: IntPredicate,
        lhs: IntValue<'ctx>,
        rhs: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        self.builder
            .build_int_compare(predicate, lhs, rhs, "")
            .expect(BUILT)
    }

    pub(super) fn compare_float(
        &self,
        predicate: FloatPredicate,
        lhs: FloatValue<'ctx>,
        rhs: FloatValue<'ctx>,
    ) -> IntValue<'ctx> {
        self.builder
            .build_float_compare(predicate, lhs, rhs, "")
            .expect(BUILT)
    }

    pub(super) fn select<V: BasicValue<'ctx>>(
        &self,
        condition: IntValue<'ctx>,
        then: V,
        otherwise: V,
    ) -> BasicValueEnum<'ctx> {
        self.builder
            .build_select(condition, then, otherwise, "")
            .expect(BUILT)
    }

    /// Computes the conjunction of all conditions; `None` if there are none.
    pub(super) fn all(
        &self,
        conditions: impl IntoIterator<Item = IntValue<'ctx>>,
    ) -> Option<IntValue<'ctx>> {
        conditions.into_iter().reduce(|lhs, rhs| self.and(lhs, rhs))
    }
}

/// Helpers for floats.
impl<'ctx> Code<'ctx> {
    pub(super) fn fneg(&self, value: FloatValue<'ctx>) -> FloatValue<'ctx> {
        self.builder.build_float_neg(value, "").expect(BUILT)
    }

    pub(super) fn fabs(&self, value: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let ty = value.get_type().into();
        self.overloaded("llvm.fabs", ty, &[value.into()])
            .into_float_value()
    }

    /// Computes `lhs * rhs + addend`, rounded once.
    pub(super) fn fma(
        &self,
        lhs: FloatValue<'ctx>,
        rhs: FloatValue<'ctx>,
        addend: FloatValue<'ctx>,
    ) -> FloatValue<'ctx> {
        let args = [lhs.into(), rhs.into(), addend.into()];
        self.overloaded("llvm.fma", lhs.get_type().into(), &args)
            .into_float_value()
    }
}

/// Helpers for vectors.
impl<'ctx> Code<'ctx> {
    /// Packs all `values` into a vector; a single value is returned unchanged.
    pub(super) fn pack(&self, values: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
        if let &[value] = values {
            return value;
        }
        let length = u32::try_from(values.len()).expect("a vector is short");
        let mut vector = vector_type(values[0].get_type(), length).get_poison();
        for (index, &value) in (0..).zip(values) {
            vector = self
                .builder
                .build_insert_element(vector, value, self.i32(index), "")
                .expect(BUILT);
        }
        vector.into()
    }

    /// Unpacks the result of [`Self::pack`].
    pub(super) fn unpack(&self, value: BasicValueEnum<'ctx>) -> Vec<BasicValueEnum<'ctx>> {
        let BasicValueEnum::VectorValue(vector) = value else {
            return vec![value];
        };
        (0..vector.get_type().get_size())
            .map(|index| {
                self.builder
                    .build_extract_element(vector, self.i32(index), "")
                    .expect(BUILT)
            })
            .collect()
    }

    /// Reinterprets the bits of `values` as elements of another type, with the same total size.
    pub(super) fn recast(
        &self,
        values: &[BasicValueEnum<'ctx>],
        element: BasicTypeEnum<'ctx>,
        length: u32,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let whole = self.pack(values);
        let whole = if length == 1 {
            self.bit_cast(whole, element)
        } else {
            self.bit_cast(whole, vector_type(element, length))
        };
        self.unpack(whole)
    }

    /// Converts a number from its register form to its memory form.
    pub(super) fn to_memory(
        &self,
        value: BasicValueEnum<'ctx>,
        scalar: Scalar,
    ) -> BasicValueEnum<'ctx> {
        if scalar.bits() >= 8 {
            return value;
        }
        self.unsigned(value.into_int_value(), self.int(8)).into()
    }

    /// Converts a number from its memory form to its register form: for i1, any byte but zero is true.
    pub(super) fn to_register(
        &self,
        value: BasicValueEnum<'ctx>,
        scalar: Scalar,
    ) -> BasicValueEnum<'ctx> {
        match scalar.bits() {
            1 => {
                let value = value.into_int_value();
                let zero = value.get_type().const_zero();
                self.compare(IntPredicate::NE, value, zero).into()
            }
            bits @ 2..8 => self.unsigned(value.into_int_value(), self.int(bits)).into(),
            _ => value,
        }
    }
}

/// Returns the vector type of `length` elements of a number type.
pub(super) fn vector_type(element: BasicTypeEnum<'_>, length: u32) -> VectorType<'_> {
    match element {
        BasicTypeEnum::IntType(ty) => ty.vec_type(length),
        BasicTypeEnum::FloatType(ty) => ty.vec_type(length),
        other => unreachable!("{other} is no number"),
    }
}

/// Helpers for memory.
impl<'ctx> Code<'ctx> {
    /// Computes `pointer + bytes`.
    pub(super) fn offset(
        &self,
        pointer: PointerValue<'ctx>,
        bytes: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        if bytes.get_zero_extended_constant() == Some(0) {
            return pointer;
        }
        // SAFETY: the instruction only computes an address. The kernel's bounds checks and buffer sizes
        // ensure that the address is inside an allocation when it is accessed, and the instruction is not
        // marked `inbounds`.
        unsafe {
            self.builder
                .build_gep(self.cx.i8_type(), pointer, &[bytes], "")
        }
        .expect(BUILT)
    }

    /// Converts a pointer to the generic address space.
    pub(super) fn generic(&self, pointer: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let generic = InkwellSpace::from(AddressSpace::Generic);
        if pointer.get_type().get_address_space() == generic {
            return pointer;
        }
        let ty = self.cx.ptr_type(generic);
        self.builder
            .build_address_space_cast(pointer, ty, "")
            .expect(BUILT)
    }

    /// Returns a pointer to a zero-terminated constant text in global memory.
    pub(super) fn text(&self, text: &[u8]) -> PointerValue<'ctx> {
        let value = self.cx.const_string(text, true);
        let space = InkwellSpace::from(AddressSpace::Global);
        let global = self
            .module
            .add_global(value.get_type(), Some(space), "tile_text");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Internal);
        global.set_unnamed_addr(true);
        global.as_pointer_value()
    }

    pub(super) fn load(
        &self,
        ty: BasicTypeEnum<'ctx>,
        pointer: PointerValue<'ctx>,
        align_bytes: u32,
    ) -> BasicValueEnum<'ctx> {
        let value = self.builder.build_load(ty, pointer, "").expect(BUILT);
        let load = value
            .as_instruction_value()
            .expect("a load is an instruction");
        load.set_alignment(align_bytes)
            .expect("a load has an alignment, a power of two");
        value
    }

    pub(super) fn store(
        &self,
        value: BasicValueEnum<'ctx>,
        pointer: PointerValue<'ctx>,
        align_bytes: u32,
    ) {
        let store = self.builder.build_store(pointer, value).expect(BUILT);
        store
            .set_alignment(align_bytes)
            .expect("a store has an alignment, a power of two");
    }
}

/// Helpers for calls.
impl<'ctx> Code<'ctx> {
    pub(super) fn nvvm(
        &self,
        intrinsic: Intrinsic,
        args: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        intrinsic.call(&self.module, &self.builder, &args)
    }

    /// Calls an overloaded intrinsic of LLVM, such as `llvm.fma`.
    pub(super) fn overloaded(
        &self,
        name: &'static str,
        ty: BasicTypeEnum<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let intrinsic = Overloaded::find(name).expect("an intrinsic of LLVM 22");
        let function = intrinsic
            .get_declaration(&self.module, &[ty])
            .expect("the intrinsic exists for the type");
        self.call(function, args)
    }

    /// Calls an intrinsic of LLVM with several types in its name.
    pub(super) fn overloaded_for(
        &self,
        name: &'static str,
        types: &[BasicTypeEnum<'ctx>],
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let intrinsic = Overloaded::find(name).expect("an intrinsic of LLVM 22");
        let function = intrinsic
            .get_declaration(&self.module, types)
            .expect("the intrinsic exists for the types");
        self.call(function, args)
    }

    /// Calls a function of [`crate::llvm::math`] on f32 or f64, whose result has the type of the first operand.
    pub(super) fn math(&self, name: &str, args: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
        let ty = args[0].get_type();
        let scalar = if ty == self.cx.f64_type().into() {
            "f64"
        } else {
            "f32"
        };
        let name = format!("tile_{name}_{scalar}");
        let function = self.module.get_function(&name).unwrap_or_else(|| {
            let params: Vec<_> = args.iter().map(|arg| arg.get_type().into()).collect();
            self.module
                .add_function(&name, ty.fn_type(&params, false), None)
        });
        self.call(function, args)
    }

    /// Calls a function whose result, if any, is ignored.
    pub(super) fn run(
        &self,
        function: inkwell::values::FunctionValue<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) {
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        self.builder.build_call(function, &args, "").expect(BUILT);
    }

    fn call(
        &self,
        function: inkwell::values::FunctionValue<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        let call = self.builder.build_call(function, &args, "").expect(BUILT);
        call.try_as_basic_value()
            .basic()
            .expect("the function has a result")
    }

    /// Returns the address of a pointer to shared memory, as a 32-bit integer.
    pub(super) fn shared_address(&self, place: PointerValue<'ctx>) -> IntValue<'ctx> {
        let address = self.builder.build_ptr_to_int(place, self.cx.i32_type(), "");
        address.expect(BUILT)
    }

    /// Emits inline assembly. Each result is a separate value.
    pub(super) fn asm(
        &self,
        text: &str,
        constraints: &str,
        results: &[BasicTypeEnum<'ctx>],
        args: &[BasicValueEnum<'ctx>],
        effect: AsmEffect,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let params: Vec<_> = args.iter().map(|arg| arg.get_type().into()).collect();
        let ty = match results {
            [] => self.cx.void_type().fn_type(&params, false),
            [result] => result.fn_type(&params, false),
            results => self.cx.struct_type(results, false).fn_type(&params, false),
        };
        let (has_effects, constraints) = match effect {
            AsmEffect::None => (false, constraints.to_owned()),
            AsmEffect::Memory | AsmEffect::Together if constraints.is_empty() => {
                (true, "~{memory}".to_owned())
            }
            AsmEffect::Memory | AsmEffect::Together => (true, format!("{constraints},~{{memory}}")),
        };
        let asm = self.cx.create_inline_asm(
            ty,
            text.to_owned(),
            constraints,
            has_effects,
            false,
            None,
            false,
        );
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        let call = self
            .builder
            .build_indirect_call(ty, asm, &args, "")
            .expect(BUILT);
        if effect == AsmEffect::Together {
            let kind = Attribute::get_named_enum_kind_id("convergent");
            let attribute = self.cx.create_enum_attribute(kind, 0);
            call.add_attribute(AttributeLoc::Function, attribute);
        }
        let Some(result) = call.try_as_basic_value().basic() else {
            return Vec::new();
        };
        if results.len() == 1 {
            return vec![result];
        }
        let parts = result.into_struct_value();
        (0..)
            .take(results.len())
            .map(|index| {
                self.builder
                    .build_extract_value(parts, index, "")
                    .expect(BUILT)
            })
            .collect()
    }
}

/// The effects of inline assembly beyond its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AsmEffect {
    /// No effect: equal instructions may be merged, and unused ones removed.
    None,
    /// It reads or writes memory.
    Memory,
    /// A warp executes it as a whole, and it reads or writes memory.
    Together,
}

/// Helpers for basic blocks.
impl<'ctx> Code<'ctx> {
    pub(super) fn current_block(&self) -> BasicBlock<'ctx> {
        self.builder.get_insert_block().expect(BUILT)
    }

    /// Returns the function at the insertion point: the kernel.
    pub(super) fn function(&self) -> FunctionValue<'ctx> {
        let block = self.current_block();
        block.get_parent().expect("code is in a function")
    }

    /// Inserts a new block after the current one.
    pub(super) fn new_block(&self, name: &str) -> BasicBlock<'ctx> {
        self.cx.insert_basic_block_after(self.current_block(), name)
    }

    pub(super) fn go_to(&self, block: BasicBlock<'ctx>) -> InstructionValue<'ctx> {
        self.builder.build_unconditional_branch(block).expect(BUILT)
    }

    /// Marks the current point as unreachable.
    pub(super) fn unreachable(&self) {
        self.builder.build_unreachable().expect(BUILT);
    }

    pub(super) fn branch(
        &self,
        condition: IntValue<'ctx>,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) -> InstructionValue<'ctx> {
        self.builder
            .build_conditional_branch(condition, then, otherwise)
            .expect(BUILT)
    }

    /// Creates a phi with one value from each predecessor block.
    pub(super) fn phi(
        &self,
        incoming: &[(BasicValueEnum<'ctx>, BasicBlock<'ctx>)],
    ) -> inkwell::values::PhiValue<'ctx> {
        let phi = self
            .builder
            .build_phi(incoming[0].0.get_type(), "")
            .expect(BUILT);
        for (value, block) in incoming {
            phi.add_incoming(&[(value, *block)]);
        }
        phi
    }

    pub(super) fn finish(&self) {
        self.builder.build_return(None).expect(BUILT);
    }
}
