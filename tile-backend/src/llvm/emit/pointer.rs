//! Emits addresses, and accesses by them.
//!
//! In: an address per element. Out: one load or store per group of neighbours that one instruction may
//! access. It is an LLVM instruction where no modifier is needed, so that addresses fold and loads move, and
//! inline assembly otherwise.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use inkwell::{AddressSpace as InkwellSpace, IntPredicate};
use tile_core::Scalar;
use tile_core::ir::{MemoryOrdering, MemoryScope};

use super::code::element_bytes;
use super::masked::Modifiers;
use super::{Emitter, Registers, Result};
use crate::gpu::{AddressedTile, BufferId, MemoryKind, Op, Operands, Space, ValueId};
use crate::layout::RegisterCopy;
use crate::llvm::AddressSpace;

/// The registers of each instruction, and registers that hold the same elements.
pub(super) struct Groups {
    pub(super) registers: Vec<Vec<usize>>,
    pub(super) copies: Vec<RegisterCopy>,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn memory(&mut self, op: &Op, kind: &MemoryKind) -> Result<()> {
        match kind {
            MemoryKind::AddressOf => {
                let address = self.address_of(self.pointer(op.args[0]));
                self.define(op.results[0], vec![address.into()]);
            }
            MemoryKind::PointerAt => {
                let pointer = self.at(self.int(op.args[0]), Space::Global);
                self.define(op.results[0], vec![pointer.into()]);
            }
            MemoryKind::Offset { bytes } => self.offset(op, *bytes),
            MemoryKind::VariableAddress(number) => {
                let pointer = self.variable(*number);
                let address = self.address_of(pointer);
                self.define(op.results[0], vec![address.into()]);
            }
            MemoryKind::LocalAddress(buffer) => {
                let address = self.local_address(*buffer);
                self.define(op.results[0], vec![address.into()]);
            }
            MemoryKind::ArenaAddress(number) => {
                let address = self.slot_of_arena(*number);
                self.define(op.results[0], vec![address.into()]);
            }
            MemoryKind::Load(tile) => self.load_addressed(op, tile),
            MemoryKind::Store(tile) => self.store_addressed(op, tile),
            MemoryKind::Atomic(tile, atomic) => self.atomic(op, tile, *atomic)?,
        }
        Ok(())
    }

    pub(super) fn address_of(&self, pointer: PointerValue<'ctx>) -> IntValue<'ctx> {
        self.code
            .builder
            .build_ptr_to_int(pointer, self.code.cx.i64_type(), "")
            .expect("the builder is in a block")
    }

    /// Converts an address to a pointer to `space`.
    pub(super) fn at(&self, address: IntValue<'ctx>, space: Space) -> PointerValue<'ctx> {
        let space = match space {
            Space::Global => AddressSpace::Global,
            Space::Generic => AddressSpace::Generic,
        };
        let ty = self.code.cx.ptr_type(InkwellSpace::from(space));
        self.code
            .builder
            .build_int_to_ptr(address, ty, "")
            .expect("the builder is in a block")
    }

    fn local_address(&self, buffer: BufferId) -> IntValue<'ctx> {
        let generic = self
            .code
            .cx
            .ptr_type(InkwellSpace::from(AddressSpace::Generic));
        let pointer = self
            .code
            .builder
            .build_address_space_cast(self.buffer_start(buffer), generic, "")
            .expect("the builder is in a block");
        self.address_of(pointer)
    }

    fn offset(&mut self, op: &Op, bytes: u64) {
        let code = &self.code;
        let ty = code.cx.i64_type();
        let scalar = self.scalar(op.args[1]);
        let pairs = self
            .registers(op.args[0])
            .iter()
            .zip(self.registers(op.args[1]));
        let moved = pairs.map(|(address, offset)| {
            let offset = offset.into_int_value();
            // Offsets are sign-extended; as an offset, a truth value is thus 0 or -1.
            let offset = match scalar {
                Scalar::I64 => offset,
                _ => code.signed(offset, ty),
            };
            let offset = code.mul(offset, ty.const_int(bytes, false));
            code.add(address.into_int_value(), offset).into()
        });
        let moved = moved.collect();
        self.define(op.results[0], moved);
    }

    /// Groups the registers by the instruction that accesses them.
    pub(super) fn groups(&self, addresses: ValueId, tile: &AddressedTile) -> Groups {
        let count = self.num_registers(self.kernel.ty(addresses));
        let alone = || (0..count).map(|register| vec![register]).collect();
        let (Some(_), Some(layout)) = (tile.vector, self.kernel.ty(addresses).layout()) else {
            return Groups {
                registers: alone(),
                copies: Vec::new(),
            };
        };
        let plan = tile.vectors(self.kernel.layout(layout));
        let registers = plan.groups.iter().map(|group| {
            let registers = group.registers.iter();
            registers.map(|register| register.index()).collect()
        });
        Groups {
            registers: registers.collect(),
            copies: plan.copies,
        }
    }

    /// Computes whether the thread accesses the elements that it holds; `None` if all threads do.
    pub(super) fn owner(&self, value: ValueId) -> Option<IntValue<'ctx>> {
        let code = &self.code;
        if let Some(layout) = self.kernel.ty(value).layout() {
            return self.thread.is_owner(code, self.kernel.layout(layout));
        }
        let number = code.or(self.thread.lane, self.thread.warp);
        Some(code.compare(IntPredicate::EQ, number, code.i32(0)))
    }

    /// Returns the predicate of the element in `register`: the thread is the owner, and the mask is set.
    /// `None` if it always holds.
    pub(super) fn predicate(
        &self,
        owner: Option<IntValue<'ctx>>,
        operands: &Operands<'_>,
        register: usize,
    ) -> Option<IntValue<'ctx>> {
        let mask = operands
            .mask
            .map(|mask| self.registers(mask)[register].into_int_value());
        self.code.all([owner, mask].into_iter().flatten())
    }

    fn modifiers(&self, tile: &AddressedTile) -> Modifiers<'ctx> {
        let is_constant = tile.is_constant && !self.waits;
        Modifiers {
            ordering: ordering(tile),
            space: space(tile),
            cache: if is_constant { ".nc" } else { "" },
            first: "",
            policy: None,
        }
    }

    fn load_addressed(&mut self, op: &Op, tile: &AddressedTile) {
        let operands = tile.operands(&op.args);
        let owner = tile
            .by_owners
            .then(|| self.owner(operands.addresses))
            .flatten();
        let Groups { registers, copies } = self.groups(operands.addresses, tile);
        let addresses = self.registers(operands.addresses).clone();
        let zero = self.code.constant(tile.element, 0);
        let mut loaded: Vec<Option<BasicValueEnum<'ctx>>> = vec![None; addresses.len()];
        let access_modifiers = self.modifiers(tile);
        for group in registers {
            let address = addresses[group[0]].into_int_value();
            let predicate = self.predicate(owner, &operands, group[0]);
            let otherwise: Registers<'ctx> = group
                .iter()
                .map(|&register| {
                    let padding = operands.padding;
                    padding.map_or(zero, |padding| self.registers(padding)[register])
                })
                .collect();
            let values = self.load_group(tile, &access_modifiers, address, predicate, &otherwise);
            for (&register, value) in group.iter().zip(values) {
                loaded[register] = Some(value);
            }
        }
        for copy in &copies {
            loaded[copy.register.index()] = loaded[copy.original.index()];
        }
        let loaded = loaded
            .into_iter()
            .map(|value| value.expect("the groups cover every register"))
            .collect();
        self.define(op.results[0], loaded);
    }

    fn load_group(
        &self,
        tile: &AddressedTile,
        modifiers: &Modifiers<'ctx>,
        address: IntValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        otherwise: &[BasicValueEnum<'ctx>],
    ) -> Registers<'ctx> {
        let (code, element) = (&self.code, tile.element);
        if tile.is_packed {
            let bytes: Registers<'ctx> = otherwise.chunks(2).map(|pair| self.pair(pair)).collect();
            let whole = AddressedTile {
                element: Scalar::I8,
                is_packed: false,
                ..tile.clone()
            };
            let bytes = self.load_group(&whole, modifiers, address, predicate, &bytes);
            return bytes
                .into_iter()
                .flat_map(|byte| self.nibbles(byte))
                .collect();
        }
        let pointer = self.at(address, tile.space);
        if predicate.is_some() || tile.is_strong() {
            return code.asm_load(modifiers, pointer, predicate, element, otherwise);
        }
        code.whole_load(pointer, element, otherwise.len(), modifiers)
    }

    fn store_addressed(&mut self, op: &Op, tile: &AddressedTile) {
        let operands = tile.operands(&op.args);
        let owner = self.owner(operands.addresses);
        let Groups { registers, .. } = self.groups(operands.addresses, tile);
        let addresses = self.registers(operands.addresses).clone();
        let values = self.registers(operands.values[0]).clone();
        let access_modifiers = self.modifiers(tile);
        for group in registers {
            let predicate = self.predicate(owner, &operands, group[0]);
            let address = addresses[group[0]].into_int_value();
            let elements: Registers<'ctx> =
                group.iter().map(|&register| values[register]).collect();
            let (elements, element) = if tile.is_packed {
                let bytes = elements.chunks(2).map(|pair| self.pair(pair)).collect();
                (bytes, Scalar::I8)
            } else {
                (elements, tile.element)
            };
            self.store_group(
                tile,
                &access_modifiers,
                address,
                predicate,
                &elements,
                element,
            );
        }
    }

    fn store_group(
        &self,
        tile: &AddressedTile,
        modifiers: &Modifiers<'ctx>,
        address: IntValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        elements: &[BasicValueEnum<'ctx>],
        element: Scalar,
    ) {
        let code = &self.code;
        let pointer = self.at(address, tile.space);
        if predicate.is_some() || tile.is_strong() {
            code.asm_store(modifiers, elements, pointer, predicate, element);
            return;
        }
        let elements: Registers<'ctx> = elements
            .iter()
            .map(|&value| code.to_memory(value, element))
            .collect();
        let length = u32::try_from(elements.len()).expect("a vector is short");
        let align_bytes = length * element_bytes(element);
        code.store(code.pack(&elements), pointer, align_bytes);
    }

    /// Packs two elements of four bits into a byte, the first in the low bits.
    fn pair(&self, halves: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let byte = code.int(8);
        let [low, high] = [0, 1].map(|index| code.unsigned(halves[index].into_int_value(), byte));
        let high = code.shl(high, byte.const_int(4, false));
        code.or(low, high).into()
    }

    /// Unpacks the two elements of four bits from a byte, the first from the low bits.
    fn nibbles(&self, byte: BasicValueEnum<'ctx>) -> [BasicValueEnum<'ctx>; 2] {
        let code = &self.code;
        let byte = byte.into_int_value();
        let high = code.lshr(byte, byte.get_type().const_int(4, false));
        [byte, high].map(|bits| code.unsigned(bits, code.int(4)).into())
    }
}

/// Returns the ordering and the scope, such as `.relaxed.gpu`, or an empty string for a weak access.
pub(super) fn ordering(tile: &AddressedTile) -> String {
    let ordering = match tile.ordering {
        MemoryOrdering::Weak => return String::new(),
        MemoryOrdering::Relaxed => "relaxed",
        MemoryOrdering::Acquire => "acquire",
        MemoryOrdering::Release => "release",
        MemoryOrdering::AcqRel => "acq_rel",
    };
    let scope = match tile.scope {
        MemoryScope::TileBlock => "cta",
        MemoryScope::Device => "gpu",
        MemoryScope::System => "sys",
    };
    format!(".{ordering}.{scope}")
}

/// Returns the state space: `.global`, or an empty string for generic addresses.
pub(super) fn space(tile: &AddressedTile) -> &'static str {
    match tile.space {
        Space::Global => ".global",
        Space::Generic => "",
    }
}
