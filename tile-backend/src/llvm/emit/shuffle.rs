//! Emits shuffles between the lanes of a warp.

use inkwell::values::{BasicValueEnum, IntValue};

use super::Emitter;
use crate::llvm::intrinsics::Intrinsic;

/// The mask of all lanes of a warp.
const ALL_LANES: u32 = u32::MAX;

/// The source lane of a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shuffle {
    /// The number of the lane XOR the operand.
    Butterfly,
    /// The lane whose number is the operand.
    Index,
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the `value` of another lane: a number of any width, or a pointer.
    pub(super) fn shuffle(
        &self,
        mode: Shuffle,
        value: BasicValueEnum<'ctx>,
        lane: IntValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let ty = value.get_type();
        if ty == code.cx.f32_type().into() {
            let float = match mode {
                Shuffle::Butterfly => Intrinsic::ShuffleButterflyF32,
                Shuffle::Index => Intrinsic::ShuffleIndexF32,
            };
            return self.shuffle_word(float, value, lane);
        }
        let bits = match value {
            BasicValueEnum::FloatValue(value) => value.get_type().get_bit_width(),
            BasicValueEnum::IntValue(value) => value.get_type().get_bit_width(),
            BasicValueEnum::PointerValue(pointer) => {
                let address = code
                    .builder
                    .build_ptr_to_int(pointer, code.cx.i64_type(), "");
                let address = address.expect("a pointer has an address");
                let address = self.shuffle(mode, address.into(), lane).into_int_value();
                let pointer = code
                    .builder
                    .build_int_to_ptr(address, pointer.get_type(), "");
                return pointer.expect("an address makes a pointer").into();
            }
            other => unreachable!("{other} is no number"),
        };
        let word = |word| {
            let intrinsic = match mode {
                Shuffle::Butterfly => Intrinsic::ShuffleButterflyI32,
                Shuffle::Index => Intrinsic::ShuffleIndexI32,
            };
            self.shuffle_word(intrinsic, word, lane)
        };
        if bits == 64 {
            let halves = code.recast(&[value], code.cx.i32_type().into(), 2);
            let halves: Vec<_> = halves.into_iter().map(word).collect();
            return code.recast(&halves, ty, 1)[0];
        }
        let narrow = code.bit_cast(value, code.int(bits)).into_int_value();
        let wide = code.unsigned(narrow, code.cx.i32_type());
        let wide = word(wide.into()).into_int_value();
        let narrow = code.unsigned(wide, code.int(bits));
        code.bit_cast(narrow.into(), ty)
    }

    fn shuffle_word(
        &self,
        intrinsic: Intrinsic,
        value: BasicValueEnum<'ctx>,
        lane: IntValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let (lanes, clamp) = (code.i32(ALL_LANES), code.i32(31));
        code.nvvm(intrinsic, &[lanes.into(), value, lane.into(), clamp.into()])[0]
    }
}
