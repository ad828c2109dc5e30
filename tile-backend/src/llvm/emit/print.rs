//! Emits printing from one thread of the block.
//!
//! In: pieces of text, conversions and their uniform operands. Out: calls of `vprintf`, whose arguments are
//! in local memory, each aligned to its size. A call has at most 32 arguments.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use tile_core::interp::Prints;

use super::Emitter;
use super::code::element_bytes;
use crate::gpu::{BufferId, Op, Piece, Printed};
use crate::llvm::AddressSpace;

/// Maximum number of arguments of `vprintf`.
const MAX_ARGS: usize = 32;

/// A call of `vprintf` that is being built.
#[derive(Default)]
struct Call<'ctx> {
    format: Vec<u8>,
    args: Vec<BasicValueEnum<'ctx>>,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn print(&mut self, op: &Op, pieces: &[Piece]) {
        let is_first = self.is_first_thread();
        self.only_if(Some(is_first), |emitter| emitter.print_pieces(op, pieces));
    }

    fn print_pieces(&mut self, op: &Op, pieces: &[Piece]) {
        let mut call = Call::default();
        let mut operands = op.args.iter().copied();
        for piece in pieces {
            let takes = match piece {
                Piece::Text(_) => 0,
                Piece::Value(_) | Piece::Closing { .. } => 1,
                Piece::Opening(_) => 2,
            };
            if call.args.len() + takes > MAX_ARGS {
                self.vprintf(&std::mem::take(&mut call));
            }
            let mut operand = || {
                let operand = operands.next();
                operand.expect("the verifier says that each has an operand")
            };
            match piece {
                Piece::Text(text) => self.plain(&mut call, text),
                Piece::Value(value) => {
                    let operand = self.uniform(operand());
                    self.value(&mut call, value, operand);
                }
                Piece::Opening(sizes) => {
                    let position = self.int(operand());
                    let code = &self.code;
                    let is_start = code.compare(IntPredicate::EQ, position, code.i32(0));
                    let (nothing, comma) = (code.text(b""), code.text(b", "));
                    let comma = code.select(is_start, nothing, comma);
                    call.text(code.generic(comma.into_pointer_value()));
                    call.text(self.brackets(b'[', position, sizes));
                }
                Piece::Closing { sizes, after } => {
                    let position = self.int(operand());
                    let position = self.code.add(position, self.code.i32(*after));
                    call.text(self.brackets(b']', position, sizes));
                }
            }
        }
        self.vprintf(&call);
    }

    fn plain(&mut self, call: &mut Call<'ctx>, text: &[u8]) {
        for &byte in text {
            match byte {
                b'%' => call.format.extend_from_slice(b"%%"),
                // A zero byte would end the format, so it is passed as an argument.
                0 => {
                    if call.args.len() == MAX_ARGS {
                        self.vprintf(&std::mem::take(call));
                    }
                    call.format.extend_from_slice(b"%c");
                    call.args.push(self.code.i32(0).into());
                }
                byte => call.format.push(byte),
            }
        }
    }

    /// Returns one bracket for each of `sizes` that divides `position`.
    fn brackets(&self, bracket: u8, position: IntValue<'ctx>, sizes: &[u64]) -> PointerValue<'ctx> {
        let code = &self.code;
        let mut missing = code.i32(0);
        for &size in sizes {
            let mask = u32::try_from(size - 1).expect("a tile is small");
            let rest = code.and(position, code.i32(mask));
            let is_inside = code.compare(IntPredicate::NE, rest, code.i32(0));
            missing = code.add(missing, code.unsigned(is_inside, code.cx.i32_type()));
        }
        let text = code.text(&vec![bracket; sizes.len()]);
        code.generic(code.offset(text, missing))
    }

    fn value(&self, call: &mut Call<'ctx>, value: &Printed, operand: BasicValueEnum<'ctx>) {
        let code = &self.code;
        call.format.extend_from_slice(value.flags.as_bytes());
        let operand = match (value.prints, operand) {
            (Prints::Text | Prints::Pointer, BasicValueEnum::PointerValue(pointer)) => {
                code.generic(pointer).into()
            }
            (_, BasicValueEnum::PointerValue(pointer)) => {
                let build = &code.builder;
                let address = build.build_ptr_to_int(code.generic(pointer), code.int(64), "");
                address.expect("a pointer has 64 bits").into()
            }
            (_, operand) => operand,
        };
        let operand = match (value.prints, operand) {
            (Prints::Character, BasicValueEnum::IntValue(number)) => code
                .unsigned(code.unsigned(number, code.int(8)), code.int(32))
                .into(),
            (prints, BasicValueEnum::IntValue(number)) => {
                if prints != Prints::Pointer {
                    call.format.extend_from_slice(b"ll");
                }
                let width = number.get_type().get_bit_width();
                let kept = value.bits.map_or(width, |bits| bits.min(width));
                let number = code.unsigned(number, code.int(kept));
                // A truth value prints as 0 or 1, so it is never sign-extended.
                if prints == Prints::Signed && width > 1 {
                    code.signed(number, code.int(64)).into()
                } else {
                    code.unsigned(number, code.int(64)).into()
                }
            }
            (_, operand) => operand,
        };
        call.format.push(value.letter);
        call.args.push(operand);
    }

    fn vprintf(&mut self, call: &Call<'ctx>) {
        if call.format.is_empty() {
            return;
        }
        let place = self.print_args();
        let code = &self.code;
        let mut bytes = 0;
        for &arg in &call.args {
            let is_narrow = matches!(arg, BasicValueEnum::IntValue(number)
                if number.get_type().get_bit_width() == 32);
            let size: u32 = if is_narrow { 4 } else { 8 };
            bytes = u32::next_multiple_of(bytes, size);
            code.store(arg, code.offset(place, code.i32(bytes)), size);
            bytes += size;
        }
        let generic = code.cx.ptr_type(InkwellSpace::from(AddressSpace::Generic));
        let function = code.module.get_function("vprintf").unwrap_or_else(|| {
            let params = [generic.into(), generic.into()];
            let ty = code.cx.i32_type().fn_type(&params, false);
            code.module.add_function("vprintf", ty, None)
        });
        let format = code.generic(code.text(&call.format));
        code.run(function, &[format.into(), code.generic(place).into()]);
    }

    /// Returns the memory for arguments, which all calls of the kernel share.
    fn print_args(&mut self) -> PointerValue<'ctx> {
        if let Some(place) = self.print_args {
            return place;
        }
        let code = &self.code;
        let here = code.current_block();
        let entry = here
            .get_parent()
            .and_then(FunctionValue::get_first_basic_block)
            .expect("code is in a function, which has a block");
        match entry.get_first_instruction() {
            Some(first) => code.builder.position_before(&first),
            None => code.builder.position_at_end(entry),
        }
        let most = u32::try_from(MAX_ARGS).expect("a few");
        let ty = code.int(64).array_type(most);
        let place = code.builder.build_alloca(ty, "print_args");
        let place = place.expect("the builder is in a block");
        code.builder.position_at_end(here);
        self.print_args = Some(place);
        place
    }

    /// Loads one element of a buffer, whose index is the operand plus `offset`.
    pub(super) fn load_element(&mut self, op: &Op, buffer: BufferId, offset: u32) {
        let element = self.kernel.buffer(buffer).element;
        let code = &self.code;
        let byte_offset = code.add(self.int(op.args[0]), code.i32(offset));
        let byte_offset = code.mul(byte_offset, code.i32(element_bytes(element)));
        let address = code.offset(self.buffer_start(buffer), byte_offset);
        let loaded = code.load(code.memory_type(element), address, element_bytes(element));
        self.define(op.results[0], vec![code.to_register(loaded, element)]);
    }
}

impl<'ctx> Call<'ctx> {
    fn text(&mut self, text: PointerValue<'ctx>) {
        self.format.extend_from_slice(b"%s");
        self.args.push(text.into());
    }
}
