//! Arenas: global memory that is private to a block.
//!
//! ```text
//!   arena       | slot 0 | slot 1 | slot 2 | ...       one variable, for all kernels with such memory
//!   taken       |   1    |   0    |   1    | ...       which of them a block has
//! ```
//!
//! The first thread of a block takes a free slot, starting its search at the number of the block, and passes
//! the slot's number to the block through shared memory. There is a slot for every block that can be resident
//! at the same time, so the search ends. The thread releases the slot at the end of the kernel, when no
//! thread of the block uses it any more.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::IntPredicate;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::Emitter;
use super::code::AsmEffect;
use crate::gpu::Arena;
use crate::llvm::AddressSpace;
use crate::llvm::intrinsics::Intrinsic;

impl<'ctx> Emitter<'_, 'ctx> {
    /// Takes a slot of every arena for the whole block.
    pub(super) fn take_slots(&mut self) {
        if self.kernel.arenas.is_empty() {
            return;
        }
        let first = self.is_first();
        self.only_if(Some(first), |emitter| {
            for (number, arena) in emitter.kernel.arenas.iter().enumerate() {
                let part = emitter.take(number, arena);
                let place = emitter.buffer_start(arena.number);
                emitter.code.store(part.into(), place, 4);
            }
        });
        self.barrier();
    }

    /// Releases the slots at the end of the kernel.
    pub(super) fn finish(&mut self) {
        if !self.kernel.arenas.is_empty() {
            self.barrier();
            let first = self.is_first();
            self.only_if(Some(first), |emitter| {
                for (number, arena) in emitter.kernel.arenas.iter().enumerate() {
                    let taken = emitter.taken(number, emitter.arena_slot(arena));
                    let zero: BasicValueEnum<'ctx> = emitter.code.i32(0).into();
                    emitter.code.asm(
                        "st.release.gpu.global.b32 [$0], $1;",
                        "l,r",
                        &[],
                        &[taken.into(), zero],
                        AsmEffect::Memory,
                    );
                }
            });
        }
        self.code.finish();
    }

    /// Returns the address of the block's slot of an arena.
    pub(super) fn slot_of_arena(&self, number: usize) -> IntValue<'ctx> {
        let code = &self.code;
        let arena = &self.kernel.arenas[number];
        let bytes = arena.bytes * u64::from(arena.slots);
        let arena_start = self.zeros(&name("arena", number, arena), bytes, arena.align_bytes);
        let ty = code.cx.i64_type();
        let slot = code.unsigned(self.arena_slot(arena), ty);
        let offset = code.mul(slot, ty.const_int(arena.bytes, false));
        code.add(self.address_of(arena_start), offset)
    }

    /// Returns the number of the block's slot, which [`Self::take_slots`] has stored in shared memory.
    fn arena_slot(&self, arena: &Arena) -> IntValue<'ctx> {
        let place = self.buffer_start(arena.number);
        let ty = self.code.cx.i32_type().into();
        self.code.load(ty, place, 4).into_int_value()
    }

    fn is_first(&self) -> IntValue<'ctx> {
        let code = &self.code;
        let number = code.or(self.thread.lane, self.thread.warp);
        code.compare(IntPredicate::EQ, number, code.i32(0))
    }

    /// Searches for a free slot, takes it, and returns its number.
    fn take(&self, number: usize, arena: &Arena) -> IntValue<'ctx> {
        let code = &self.code;
        let slots = code.i32(arena.slots);
        let grid = |axis| match axis {
            0 => (Intrinsic::BlockIdX, Intrinsic::GridSizeX),
            1 => (Intrinsic::BlockIdY, Intrinsic::GridSizeY),
            _ => (Intrinsic::BlockIdZ, Intrinsic::GridSizeZ),
        };
        let read = |intrinsic| code.nvvm(intrinsic, &[])[0].into_int_value();
        let block = (0..3).rev().fold(code.i32(0), |sum, axis| {
            let (coordinate, extent) = grid(axis);
            code.add(code.mul(sum, read(extent)), read(coordinate))
        });
        let start = code.urem(block, slots);
        let before = code.current_block();
        let taken_block = code.new_block("taken");
        let look = code.new_block("look");
        code.go_to(look);
        code.builder.position_at_end(look);
        let slot = code.phi(&[(start.into(), before)]);
        let slot_number = slot.as_basic_value().into_int_value();
        let place = self.taken(number, slot_number);
        let old = code.asm(
            "atom.acquire.gpu.global.cas.b32 $0, [$1], 0, 1;",
            "=r,l",
            &[code.cx.i32_type().into()],
            &[place.into()],
            AsmEffect::Memory,
        )[0]
        .into_int_value();
        let further = code.add(slot_number, code.i32(1));
        let is_last = code.compare(IntPredicate::EQ, further, slots);
        let next = code.select(is_last, code.i32(0), further);
        slot.add_incoming(&[(&next, look)]);
        let is_free = code.compare(IntPredicate::EQ, old, code.i32(0));
        code.branch(is_free, taken_block, look);
        code.builder.position_at_end(taken_block);
        slot_number
    }

    /// Returns the address of the flag that is 1 while slot `slot` is taken.
    fn taken(&self, number: usize, slot: IntValue<'ctx>) -> PointerValue<'ctx> {
        let code = &self.code;
        let arena = &self.kernel.arenas[number];
        let bytes = 4 * u64::from(arena.slots);
        let flags = self.zeros(&name("taken", number, arena), bytes, 16);
        code.offset(flags, code.mul(slot, code.i32(4)))
    }

    /// Returns a zero-initialized global variable.
    fn zeros(&self, name: &str, bytes: u64, align_bytes: u32) -> PointerValue<'ctx> {
        let code = &self.code;
        if let Some(global) = code.module.get_global(name) {
            return global.as_pointer_value();
        }
        let count = u32::try_from(bytes).expect("an arena is bounded");
        let ty = code.int(8).array_type(count);
        let space = InkwellSpace::from(AddressSpace::Global);
        let global = code.module.add_global(ty, Some(space), name);
        global.set_initializer(&ty.const_zero());
        global.set_alignment(align_bytes);
        global.set_linkage(Linkage::Internal);
        global.as_pointer_value()
    }
}

/// Returns a name that encodes all properties of an arena, so that kernels with equal arenas share its
/// memory.
fn name(what: &str, number: usize, arena: &Arena) -> String {
    let Arena {
        bytes,
        align_bytes,
        slots,
        number: _,
    } = arena;
    format!("tile_{what}_{number}_{slots}_of_{bytes}_at_{align_bytes}")
}
