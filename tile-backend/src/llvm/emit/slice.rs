//! Emits slices of tiles, and packing and unpacking of elements.

use inkwell::IntPredicate;
use inkwell::values::IntValue;
use tile_core::Scalar;

use super::code::element_bytes;
use super::shared::Placement;
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, ExtractSlice, InsertSlice, Op};
use crate::layout::{AddressParts, Register, slice_number, slice_of_row_major};

impl<'ctx> Emitter<'_, 'ctx> {
    /// Inserts a slice into a tile. Each register takes the element of the slice if its element is inside it,
    /// and that of the tile otherwise.
    pub(super) fn insert_slice(&mut self, op: &Op, merge: &InsertSlice) {
        let result = op.results[0];
        let layout = self.kernel.layout_of(result);
        let (tile, part) = (self.registers(op.args[0]), self.registers(op.args[1]));
        let code = &self.code;
        let shape = layout.shape();
        // For each axis that is sliced: the index of the slice to which a register belongs, and the requested
        // index.
        let axes: Vec<(AddressParts, IntValue<'ctx>, IntValue<'ctx>)> = shape
            .axes()
            .filter(|&axis| shape.size(axis) != merge.slice.size(axis))
            .map(|axis| {
                let parts = slice_number(layout, &merge.slice, axis);
                let runtime = self.thread.runtime(code, &parts.runs);
                let wanted = match &merge.at {
                    Some(indices) => code.i32(u32::try_from(indices[axis.0]).unwrap_or(u32::MAX)),
                    None => self.int(op.args[2 + axis.0]),
                };
                (parts, runtime, wanted)
            })
            .collect();
        let registers = layout
            .registers()
            .map(|register| {
                let inside = code.all(axes.iter().map(|(parts, runtime, wanted)| {
                    let constant = parts.constants[register.index()];
                    let constant = code.i32(u32::try_from(constant).expect("an axis is short"));
                    let number = code.xor(*runtime, constant);
                    code.compare(IntPredicate::EQ, number, *wanted)
                }));
                let (old, new) = (
                    tile[merge.tile[register.index()].index()],
                    part[merge.part[register.index()].index()],
                );
                inside.map_or(new, |inside| code.select(inside, new, old))
            })
            .collect();
        self.define(result, registers);
    }

    /// Extracts the registers of the slice whose indices are operands.
    pub(super) fn extract_slice(&mut self, op: &Op, pick: &ExtractSlice) {
        let code = &self.code;
        let source = self.registers(op.args[0]);
        let indices = op.args[1..].iter().map(|&index| self.int(index));
        let number = indices
            .zip(&pick.counts)
            .fold(code.i32(0), |sum, (index, &count)| {
                let count = code.i32(u32::try_from(count).expect("slices are few"));
                code.add(code.mul(sum, count), index)
            });
        let select = |sources: &[Register]| -> Registers<'ctx> {
            let registers = sources.iter().map(|register| source[register.index()]);
            registers.collect()
        };
        let mut chosen = select(&pick.sources[0]);
        for (slice_number, sources) in (1..).zip(&pick.sources[1..]) {
            let is_it = code.compare(IntPredicate::EQ, number, code.i32(slice_number));
            let candidates = select(sources).into_iter().zip(&chosen);
            chosen = candidates
                .map(|(new, &old)| code.select(is_it, new, old))
                .collect();
        }
        self.define(op.results[0], chosen);
    }

    /// Loads a slice of a tile that is stored in a buffer in row-major order.
    pub(super) fn load_slice(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let result = op.results[0];
        let layout = self.kernel.layout_of(result);
        let of = self.kernel.buffer(buffer);
        let whole = of.layout.map(|id| self.kernel.layout(id).shape().clone());
        let placement = whole.as_ref().and_then(|whole| {
            let memory = slice_of_row_major(whole, layout.shape());
            Placement::new(layout, &memory, of.element, of.align_bytes)
        });
        let (Some(whole), Some(placement)) = (whole, placement) else {
            return Err(self.unsupported("a slice of this buffer", op.loc));
        };
        let code = &self.code;
        let slice = layout.shape();
        let mut offset = code.i32(0);
        for (axis, &index) in whole.axes().zip(&op.args) {
            let step =
                (u64::from(element_bytes(of.element)) * slice.size(axis)) << whole.axis_shift(axis);
            if whole.size(axis) != slice.size(axis) {
                let step = code.i32(u32::try_from(step).expect("a buffer is small"));
                offset = code.add(offset, code.mul(self.int(index), step));
            }
        }
        let stage = op.args.get(whole.rank()).map(|&stage| self.int(stage));
        let base = code.offset(self.stage_start(buffer, stage), offset);
        let loaded = self.load_at(&placement, base);
        self.define(result, loaded);
        Ok(())
    }

    /// Emits `pack` and `unpack`: joins the registers of the parts of an element, or splits the register of
    /// an element into its parts.
    pub(super) fn repack(&mut self, op: &Op) {
        let (source, result) = (op.args[0], op.results[0]);
        let (from, to) = (self.scalar(source), self.scalar(result));
        let code = &self.code;
        let values = self.registers(source);
        let count = self.num_registers(self.kernel.ty(result));
        let bits: Vec<IntValue<'ctx>> = values
            .iter()
            .map(|&value| {
                let bits = code
                    .bit_cast(value, code.int(packed_bits(from)))
                    .into_int_value();
                self.kept(bits, from)
            })
            .collect();
        let width = code.int(packed_bits(to));
        let step = |part: usize, narrow: u32| u32::try_from(part).expect("parts are few") * narrow;
        let packed: Vec<IntValue<'ctx>> = if bits.len() > count {
            // Several registers are packed into one.
            let parts = bits.len() / count;
            let joined = bits.chunks(parts).map(|parts| {
                let shifted = parts.iter().enumerate().map(|(index, &part)| {
                    let by = width.const_int(u64::from(step(index, packed_bits(from))), false);
                    code.shl(code.unsigned(part, width), by)
                });
                shifted
                    .reduce(|sum, part| code.or(sum, part))
                    .expect("an element has parts")
            });
            joined.collect()
        } else {
            let parts = count / bits.len();
            let cut = bits.iter().flat_map(|&whole| {
                (0..parts).map(move |index| {
                    let by = step(index, packed_bits(to));
                    let by = whole.get_type().const_int(u64::from(by), false);
                    code.unsigned(code.lshr(whole, by), width)
                })
            });
            cut.collect()
        };
        let registers = packed
            .into_iter()
            .map(|value| {
                let value = self.kept(value, to);
                code.bit_cast(value.into(), code.register_type(to))
            })
            .collect();
        self.define(result, registers);
    }

    /// Clears the low bits of a tf32, which are not significant.
    fn kept(&self, bits: IntValue<'ctx>, scalar: Scalar) -> IntValue<'ctx> {
        if scalar != Scalar::TF32 {
            return bits;
        }
        self.code.and(bits, self.code.i32(0xffff_e000))
    }
}

/// Returns the number of bits of an element in packed form, which is that of a register.
fn packed_bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::TF32 => 32,
        other => other.bits(),
    }
}
