//! Emits accesses to tiles of shared memory, and tables of constants.
//!
//! In: the layout of a value and the layout of its buffer. Out: vector loads and stores, and `ldmatrix`.
//! Registers, lanes and warps that hold copies of elements do not store them.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use tile_core::ir::DenseElements;
use tile_core::{Loc, Scalar};

use super::address::Addresses;
use super::code::{element_bytes, memory_pattern, vector_type};
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, Op};
use crate::layout::{
    AddressParts, LinearLayout, MatrixCount, VectorPlan, ldmatrix_plan, row_major, vector_plan,
};
use crate::llvm::AddressSpace;
use crate::llvm::intrinsics::Intrinsic;
use crate::llvm::kernel::dynamic_shared;

/// Maximum number of bytes that one instruction of a thread accesses.
const MAX_ACCESS_BYTES: u32 = 16;

/// The placement of a thread's registers in a region of memory.
pub(super) struct Placement {
    plan: VectorPlan,
    parts: AddressParts,
    scalar: Scalar,
}

impl Placement {
    /// Returns the placement of `registers` in `memory`, whose start is aligned to `align_bytes`. `None` if
    /// `memory` lacks an element.
    pub(super) fn new(
        registers: &LinearLayout,
        memory: &LinearLayout,
        scalar: Scalar,
        align_bytes: u32,
    ) -> Option<Self> {
        let widest = align_bytes.min(MAX_ACCESS_BYTES) / element_bytes(scalar);
        Some(Self {
            plan: vector_plan(registers, memory, u64::from(widest))?,
            parts: AddressParts::offset(registers, memory)?,
            scalar,
        })
    }

    fn access_bytes(&self) -> u32 {
        let elements = u32::try_from(self.plan.width_elements).expect("a vector is short");
        elements * element_bytes(self.scalar)
    }
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn store_shared(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let value = op.args[0];
        let placement = self.buffer_placement(self.kernel.layout_of(value), buffer, op.loc)?;
        let owner = self
            .thread
            .is_owner(&self.code, self.kernel.layout_of(value));
        let values = self.registers(value).clone();
        let base = self.buffer_start(buffer);
        self.only_if(owner, |emitter| {
            emitter.store_at(&placement, base, &values);
        });
        self.fence_for_tensor_cores(std::iter::once(buffer));
        Ok(())
    }

    pub(super) fn load_shared(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let result = op.results[0];
        let placement = self.buffer_placement(self.kernel.layout_of(result), buffer, op.loc)?;
        let loaded = self.load_at(&placement, self.read_start(op, buffer));
        self.define(result, loaded);
        Ok(())
    }

    pub(super) fn load_matrix(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let (kernel, result) = (self.kernel, op.results[0]);
        let scalar = kernel.buffer(buffer).element;
        let bits = 8 * element_bytes(scalar);
        let registers = kernel.layout_of(result);
        let memory = kernel.memory(buffer, registers.shape());
        let plan = memory.and_then(|memory| ldmatrix_plan(registers, &memory, bits));
        let Some(plan) = plan else {
            return Err(self.unsupported("`ldmatrix` of this layout", op.loc));
        };
        let intrinsic = match (plan.count, plan.transposed) {
            (MatrixCount::X1, false) => Intrinsic::LdmatrixX1,
            (MatrixCount::X2, false) => Intrinsic::LdmatrixX2,
            (MatrixCount::X4, false) => Intrinsic::LdmatrixX4,
            (MatrixCount::X1, true) => Intrinsic::LdmatrixTransposedX1,
            (MatrixCount::X2, true) => Intrinsic::LdmatrixTransposedX2,
            (MatrixCount::X4, true) => Intrinsic::LdmatrixTransposedX4,
        };
        let code = &self.code;
        let base = self.read_start(op, buffer);
        let mut rows = Addresses::new(self, base, &plan.row_offset, element_bytes(scalar));
        let count = kernel.layout_of(result).num_registers();
        let mut loaded: Vec<Option<BasicValueEnum<'ctx>>> = vec![None; count];
        for instruction in &plan.instructions {
            let row = rows.at(code, instruction.offset);
            let words = code.nvvm(intrinsic, &[row.into()]);
            for (word, registers) in words.iter().zip(&instruction.destinations) {
                let length = u32::try_from(registers.len()).expect("a word has few elements");
                let elements = code.recast(&[*word], code.memory_type(scalar), length);
                for (register, value) in registers.iter().zip(elements) {
                    loaded[register.index()] = Some(code.to_register(value, scalar));
                }
            }
        }
        for copy in &plan.copies {
            loaded[copy.register.index()] = loaded[copy.original.index()];
        }
        let registers = loaded
            .into_iter()
            .map(|value| value.expect("the plan covers every register"))
            .collect();
        self.define(result, registers);
        Ok(())
    }

    /// Loads each register's element from a table in constant global memory.
    pub(super) fn constant_each(&mut self, op: &Op, data: &DenseElements) {
        let result = op.results[0];
        let layout = self.kernel.layout_of(result);
        let (code, scalar) = (&self.code, data.scalar());
        let ty = code.memory_int(scalar);
        let count = usize::try_from(layout.shape().num_elements()).expect("a tile is small");
        let elements: Vec<_> = (0..count)
            .map(|index| ty.const_int(memory_pattern(scalar, data.bits_at(index)), false))
            .collect();
        let table = ty.const_array(&elements);
        let space = InkwellSpace::from(AddressSpace::Global);
        let global = code
            .module
            .add_global(table.get_type(), Some(space), "tile_constant");
        global.set_initializer(&table);
        global.set_constant(true);
        global.set_linkage(Linkage::Internal);
        global.set_alignment(MAX_ACCESS_BYTES);
        let memory = row_major(layout.shape(), &layout.shape().row_major_order());
        let placement = Placement::new(layout, &memory, scalar, MAX_ACCESS_BYTES)
            .expect("a row-major table holds every element");
        let loaded = self.load_at(&placement, global.as_pointer_value());
        self.define(result, loaded);
    }

    /// Stores every register of one thread.
    pub(super) fn store_at(
        &self,
        placement: &Placement,
        base: PointerValue<'ctx>,
        values: &[BasicValueEnum<'ctx>],
    ) {
        let (code, scalar) = (&self.code, placement.scalar);
        let mut addresses = Addresses::new(self, base, &placement.parts, element_bytes(scalar));
        for group in &placement.plan.groups {
            let elements: Vec<_> = group
                .registers
                .iter()
                .map(|register| code.to_memory(values[register.index()], scalar))
                .collect();
            let address = addresses.at(code, group.offset);
            code.store(code.pack(&elements), address, placement.access_bytes());
        }
    }

    /// Loads every register of one thread.
    pub(super) fn load_at(
        &self,
        placement: &Placement,
        base: PointerValue<'ctx>,
    ) -> Registers<'ctx> {
        self.load_moved(placement, base, (self.code.i32(0), 0))
    }

    /// Loads every register of one thread from offsets that are combined with `by` by XOR; `by` has only bits
    /// of `mask`.
    pub(super) fn load_moved(
        &self,
        placement: &Placement,
        base: PointerValue<'ctx>,
        (by, mask): (IntValue<'ctx>, u64),
    ) -> Registers<'ctx> {
        let (code, scalar) = (&self.code, placement.scalar);
        let ty = code.memory_type(scalar);
        let ty = match u32::try_from(placement.plan.width_elements).expect("a vector is short") {
            1 => ty,
            length => vector_type(ty, length).into(),
        };
        let mut addresses = Addresses::new(self, base, &placement.parts, element_bytes(scalar))
            .moved(code, by, mask);
        let mut loaded: Vec<Option<BasicValueEnum<'ctx>>> =
            vec![None; placement.parts.constants.len()];
        for group in &placement.plan.groups {
            let address = addresses.at(code, group.offset);
            let vector = code.load(ty, address, placement.access_bytes());
            for (register, value) in group.registers.iter().zip(code.unpack(vector)) {
                loaded[register.index()] = Some(code.to_register(value, scalar));
            }
        }
        for copy in &placement.plan.copies {
            loaded[copy.register.index()] = loaded[copy.original.index()];
        }
        loaded
            .into_iter()
            .map(|value| value.expect("the plan covers every register"))
            .collect()
    }

    /// Returns the address of a buffer.
    pub(super) fn buffer_start(&self, buffer: BufferId) -> PointerValue<'ctx> {
        let offset = self.kernel.buffer(buffer).offset_bytes;
        let offset = offset.expect("shared memory is allocated before emission");
        let shared = dynamic_shared(&self.code.module).as_pointer_value();
        self.code.offset(shared, self.code.i32(offset))
    }

    /// Returns the address at which a read begins: in a circular buffer, that of the stage given by the
    /// operand.
    fn read_start(&self, op: &Op, buffer: BufferId) -> PointerValue<'ctx> {
        self.stage_start(buffer, op.args.first().map(|&stage| self.int(stage)))
    }

    /// Returns the address of a stage of a buffer, or of the buffer itself if no stage is given.
    pub(super) fn stage_start(
        &self,
        buffer: BufferId,
        stage: Option<IntValue<'ctx>>,
    ) -> PointerValue<'ctx> {
        let start = self.buffer_start(buffer);
        let Some(stage) = stage else {
            return start;
        };
        let buffer = self.kernel.buffer(buffer);
        let bytes = self.code.i32(buffer.bytes / buffer.stages);
        self.code.offset(start, self.code.mul_nuw(stage, bytes))
    }

    pub(super) fn buffer_placement(
        &self,
        registers: &LinearLayout,
        buffer: BufferId,
        loc: Loc,
    ) -> Result<Placement> {
        let kernel = self.kernel;
        let memory = kernel.memory(buffer, registers.shape());
        let buffer = kernel.buffer(buffer);
        memory
            .and_then(|memory| {
                Placement::new(registers, &memory, buffer.element, buffer.align_bytes)
            })
            .ok_or_else(|| self.unsupported("a buffer without a place for every element", loc))
    }
}
