//! Emits assertions.
//!
//! In: a truth value, or a tile of truth values. Out: a call of `__assertfail`, which runs if any value is 0.
//! It prints a message to the host's standard error and aborts the launch.
//!
//! The message contains the index of the first element that is 0. The threads of the block search for it
//! together, and one of them writes the text to a buffer in global memory, which outlives the thread. A
//! module has one flag for its buffers, and only the first block that claims it reports.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::module::Linkage;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, GlobalValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};

use super::Emitter;
use crate::gpu::Op;
use crate::layout::{AddressParts, InDim, LinearLayout, OutShape, row_major};
use crate::llvm::AddressSpace;
use crate::llvm::intrinsics::Intrinsic;

/// All lanes of a warp.
const ALL_LANES: u32 = u32::MAX;

/// The threads over which the tile is distributed.
#[derive(Clone, Copy)]
enum Holders {
    /// Each thread holds the whole tile.
    Thread,
    Warp,
    Block,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn assert(&mut self, op: &Op, message: &str) {
        let condition = op.args[0];
        let Some(layout) = self.kernel.ty(condition).layout() else {
            let holds = self.int(condition);
            self.unless(holds, |emitter| {
                let text = emitter.code.text(message.as_bytes());
                emitter.fail(op, text);
            });
            return;
        };
        let layout = self.kernel.layout(layout).clone();
        let moves = |dim| layout.bases(dim).iter().any(|&basis| basis != 0);
        let holders = if moves(InDim::Warp) {
            Holders::Block
        } else if moves(InDim::Lane) {
            Holders::Warp
        } else {
            Holders::Thread
        };
        let elements: Vec<IntValue<'ctx>> = self
            .registers(condition)
            .iter()
            .map(|value| value.into_int_value())
            .collect();
        let code = &self.code;
        let holds_for_thread = code.all(elements.iter().copied());
        let holds_for_thread = holds_for_thread.expect("a thread has a register of every tile");
        let fails = self.any(holders, self.code.not(holds_for_thread));
        let holds = self.code.not(fails);
        self.unless(holds, |emitter| {
            let first = emitter.first_failure(&layout, &elements, holders);
            emitter.fail_at(op, message, first, layout.shape());
        });
    }

    /// Emits code that runs `failure` if `holds` is false. Control does not return from `failure`.
    fn unless(&mut self, holds: IntValue<'ctx>, failure: impl FnOnce(&mut Self)) {
        let after = self.code.new_block("holds");
        let fails = self.code.new_block("fails");
        self.code.branch(holds, after, fails);
        self.code.builder.position_at_end(fails);
        failure(self);
        self.code.finish();
        self.code.builder.position_at_end(after);
    }

    /// Computes whether `condition` is true in any of the holders.
    fn any(&self, holders: Holders, condition: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.code;
        let (intrinsic, number) = match holders {
            Holders::Thread => return condition,
            Holders::Warp => (Intrinsic::VoteAny, ALL_LANES),
            Holders::Block => (Intrinsic::BarrierOr, 0),
        };
        code.nvvm(intrinsic, &[code.i32(number).into(), condition.into()])[0].into_int_value()
    }

    /// Computes the lowest row-major index of an element that is 0; at least one element must be. The index
    /// is found bit by bit from the highest, with a vote of all threads on each bit.
    fn first_failure(
        &self,
        layout: &LinearLayout,
        elements: &[IntValue<'ctx>],
        holders: Holders,
    ) -> IntValue<'ctx> {
        let code = &self.code;
        let memory = row_major(layout.shape(), &layout.shape().row_major_order());
        let parts = AddressParts::offset(layout, &memory).expect("a row-major tile is whole");
        let runtime = self.thread.runtime(code, &parts.runs);
        let none = code.i32(u32::MAX);
        let mut first_of_thread = none;
        for (&holds, &constant) in elements.iter().zip(&parts.constants) {
            let number = code.i32(u32::try_from(constant).expect("a tile is small"));
            let index = code.select(holds, none, code.xor(runtime, number));
            let index = index.into_int_value();
            let is_less = code.compare(IntPredicate::ULT, index, first_of_thread);
            first_of_thread = code
                .select(is_less, index, first_of_thread)
                .into_int_value();
        }
        let mut may_be_first = code.compare(IntPredicate::NE, first_of_thread, none);
        let mut first = code.i32(0);
        for bit in (0..layout.shape().num_elements().ilog2()).rev() {
            let mask = code.i32(1 << bit);
            let is_clear = code.compare(
                IntPredicate::EQ,
                code.and(first_of_thread, mask),
                code.i32(0),
            );
            let is_lower = self.any(holders, code.and(may_be_first, is_clear));
            let stays = code.select(is_lower, is_clear, code.cx.bool_type().const_all_ones());
            may_be_first = code.and(may_be_first, stays.into_int_value());
            let set = code.select(is_lower, code.i32(0), mask);
            first = code.or(first, set.into_int_value());
        }
        first
    }

    /// Ends the launch with `message` and the coordinates of the index `first`.
    fn fail_at(&mut self, op: &Op, message: &str, first: IntValue<'ctx>, shape: &OutShape) {
        let sizes = shape.sizes();
        let start = format!("{message} at [");
        // An index has at most ten digits per axis, and a separator.
        let bytes = start.len() + 12 * sizes.len() + 2;
        let bytes = u32::try_from(bytes).expect("a message is short");
        let (buffer, claimed) = self.message_buffer(bytes);
        let is_first = self.is_first_thread();
        self.only_if(Some(is_first), |emitter| {
            let code = &emitter.code;
            let build = &code.builder;
            let before = build
                .build_atomicrmw(
                    AtomicRMWBinOp::Xchg,
                    claimed,
                    code.i32(1),
                    AtomicOrdering::Monotonic,
                )
                .expect("a claim is a number of 32 bits");
            let is_mine = code.compare(IntPredicate::EQ, before, code.i32(0));
            emitter.only_if(Some(is_mine), |emitter| {
                let mut text = Text {
                    buffer,
                    position: emitter.code.i32(0),
                };
                text.plain(emitter, start.as_bytes());
                let mut shift = sizes.iter().map(|size| size.ilog2()).sum::<u32>();
                for (axis, size) in sizes.iter().enumerate() {
                    shift -= size.ilog2();
                    let code = &emitter.code;
                    let mask = u32::try_from(size - 1).expect("an axis is short");
                    let number = code.and(code.lshr(first, code.i32(shift)), code.i32(mask));
                    if axis > 0 {
                        text.plain(emitter, b", ");
                    }
                    text.number(emitter, number, mask);
                }
                text.plain(emitter, b"]\0");
                emitter.call_assertfail(op, buffer);
            });
        });
    }

    /// Returns the module's buffer for messages of `bytes` bytes, and the flag that claims all buffers.
    fn message_buffer(&self, bytes: u32) -> (PointerValue<'ctx>, PointerValue<'ctx>) {
        let module = &self.code.module;
        let space = Some(InkwellSpace::from(AddressSpace::Global));
        let zero = |global: GlobalValue<'ctx>, ty: BasicTypeEnum<'ctx>| {
            global.set_initializer(&ty.const_zero());
            global.set_linkage(Linkage::Internal);
            // The alignment lets LLVM merge byte stores into stores of words.
            global.set_alignment(16);
            global.as_pointer_value()
        };
        let claimed = module.get_global("tile_assert_claimed").map_or_else(
            || {
                let ty = self.code.cx.i32_type();
                zero(
                    module.add_global(ty, space, "tile_assert_claimed"),
                    ty.into(),
                )
            },
            GlobalValue::as_pointer_value,
        );
        // There is one buffer per length: only one block, the one that has claimed the flag, writes to any of
        // them.
        let name = format!("tile_assert_text_{bytes}");
        let buffer = module.get_global(&name).map_or_else(
            || {
                let ty = self.code.cx.i8_type().array_type(bytes);
                zero(module.add_global(ty, space, &name), ty.into())
            },
            GlobalValue::as_pointer_value,
        );
        (buffer, claimed)
    }

    /// Ends the launch with the message at `text`.
    fn fail(&mut self, op: &Op, text: PointerValue<'ctx>) {
        let is_first = self.is_first_thread();
        self.only_if(Some(is_first), |emitter| emitter.call_assertfail(op, text));
    }

    pub(super) fn is_first_thread(&self) -> IntValue<'ctx> {
        let code = &self.code;
        let either = code.or(self.thread.lane, self.thread.warp);
        code.compare(IntPredicate::EQ, either, code.i32(0))
    }

    fn call_assertfail(&self, op: &Op, text: PointerValue<'ctx>) {
        let code = &self.code;
        let generic = code.cx.ptr_type(InkwellSpace::from(AddressSpace::Generic));
        let function = code.module.get_function("__assertfail").unwrap_or_else(|| {
            let (line, size) = (code.cx.i32_type(), code.cx.i64_type());
            let text = generic.into();
            let params = [text, text, line.into(), text, size.into()];
            let ty = code.cx.void_type().fn_type(&params, false);
            code.module.add_function("__assertfail", ty, None)
        });
        let file = code.text(op.loc.file_name().unwrap_or("unknown").as_bytes());
        let name = code.text(self.kernel.name.as_bytes());
        let args: [BasicValueEnum<'ctx>; 5] = [
            code.generic(text).into(),
            code.generic(file).into(),
            code.i32(op.loc.line()).into(),
            code.generic(name).into(),
            code.i64(1).into(),
        ];
        code.run(function, &args);
    }
}

/// A text that is being written.
struct Text<'ctx> {
    buffer: PointerValue<'ctx>,
    /// The byte offset of the next character.
    position: IntValue<'ctx>,
}

impl<'ctx> Text<'ctx> {
    fn character(&self, emitter: &Emitter<'_, 'ctx>, character: IntValue<'ctx>) {
        let code = &emitter.code;
        let character = code.unsigned(character, code.int(8));
        code.store(character.into(), code.offset(self.buffer, self.position), 1);
    }

    fn plain(&mut self, emitter: &Emitter<'_, 'ctx>, text: &[u8]) {
        let code = &emitter.code;
        for &byte in text {
            self.character(emitter, code.i32(u32::from(byte)));
            self.position = code.add(self.position, code.i32(1));
        }
    }

    /// Writes a number that is at most `most` in decimal, without leading zeros.
    fn number(&mut self, emitter: &Emitter<'_, 'ctx>, number: IntValue<'ctx>, most: u32) {
        let code = &emitter.code;
        let digits = most.checked_ilog10().unwrap_or(0);
        for digit in (0..=digits).rev() {
            let unit = code.i32(10_u32.pow(digit));
            let value = code.urem(code.udiv(number, unit), code.i32(10));
            self.character(emitter, code.add(value, code.i32(u32::from(b'0'))));
            // Advance only if the number has this digit: otherwise the next digit overwrites it.
            let counts = if digit == 0 {
                code.i32(1)
            } else {
                let has = code.compare(IntPredicate::UGE, number, unit);
                code.unsigned(has, code.cx.i32_type())
            };
            self.position = code.add(self.position, counts);
        }
    }
}
