//! Emits atomic updates.
//!
//! In: addresses and operands. Out: one `atom` per element, or one `red` if the old value is not used. Both
//! are inline assembly, because LLVM's `atomicrmw` drops the ordering and the scope. Where the target
//! supports it, one `red` adds to several elements of f32, f16 or bf16. Where the target has no addition of
//! bf16, a compare-and-swap loop adds.

use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue};
use tile_core::Scalar;
use tile_core::ir::{AtomicRmwMode, MemoryOrdering};

use super::code::AsmEffect;
use super::masked::{Asm, Modifiers};
use super::pointer::{Groups, ordering, space};
use super::{Emitter, Registers, Result};
use crate::gpu::{AddressedTile, AtomicKind, Op, Space};
use crate::llvm::passes::ask_for;
use crate::target::PtxVersion;

/// The lowest compute capability with vector `red` and with addition of bf16.
const VECTOR_CAPABILITY: u16 = 90;

/// The lowest PTX version with vector `red`.
const VECTOR_PTX: PtxVersion = PtxVersion::new(8, 1);

/// The PTX form of an update.
struct Update {
    /// The operation and type, such as `add.noftz.f16`.
    name: &'static str,
    /// The register's constraint letter in inline assembly: `h`, `r`, `l`, `f` or `d`.
    constraint: char,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn atomic(&mut self, op: &Op, tile: &AddressedTile, kind: AtomicKind) -> Result<()> {
        let operands = tile.operands(&op.args);
        let owner = self.owner(operands.addresses);
        let is_used = !op.results.is_empty();
        let update = update(kind, tile.element)
            .ok_or_else(|| self.unsupported(format!("{kind:?} of `{}`", tile.element), op.loc))?;
        let addresses = self.registers(operands.addresses).clone();
        let values: Vec<Registers<'ctx>> = operands
            .values
            .iter()
            .map(|&value| self.registers(value).clone())
            .collect();
        let by_swapping = tile.element == Scalar::BF16 && !self.has_vectors();
        let groups = if is_used || by_swapping {
            None
        } else {
            self.vectors(operands.addresses, tile, kind)
        };
        if let Some(groups) = groups {
            ask_for(&self.code.module, VECTOR_PTX);
            for group in groups.registers {
                let predicate = self.predicate(owner, &operands, group[0]);
                let address = addresses[group[0]].into_int_value();
                let elements: Registers<'ctx> =
                    group.iter().map(|&register| values[0][register]).collect();
                self.reduce_vector(tile, &update, address, predicate, &elements);
            }
            return Ok(());
        }
        let mut old_values = Vec::with_capacity(addresses.len());
        for (register, address) in addresses.iter().enumerate() {
            let predicate = self.predicate(owner, &operands, register);
            let address = address.into_int_value();
            let args: Vec<BasicValueEnum<'ctx>> =
                values.iter().map(|values| values[register]).collect();
            // The result for an element that is masked off.
            let otherwise = match kind {
                AtomicKind::CompareAndSwap => args[0],
                AtomicKind::Modify(_) => self.code.constant(tile.element, 0),
            };
            if by_swapping {
                old_values.push(self.add_by_swapping(tile, address, predicate, args[0], otherwise));
            } else if is_used || !can_reduce(tile, kind) {
                old_values.push(self.update(tile, &update, address, predicate, &args, otherwise));
            } else {
                self.reduce_vector(tile, &update, address, predicate, &args);
            }
        }
        if is_used {
            self.define(op.results[0], old_values);
        }
        Ok(())
    }

    fn has_vectors(&self) -> bool {
        self.arch.capability() >= VECTOR_CAPABILITY
    }

    /// Returns the groups of elements to which one instruction adds. `None` if elements must be updated one
    /// by one.
    fn vectors(
        &self,
        addresses: crate::gpu::ValueId,
        tile: &AddressedTile,
        kind: AtomicKind,
    ) -> Option<Groups> {
        let is_sum = kind == AtomicKind::Modify(AtomicRmwMode::AddF);
        let most = match tile.element {
            Scalar::F32 => 4,
            Scalar::F16 | Scalar::BF16 => 8,
            _ => return None,
        };
        let mut vector = tile.vector.filter(|vector| vector.elements > 1)?;
        let fits = is_sum
            && self.has_vectors()
            && tile.space == Space::Global
            && tile.ordering == MemoryOrdering::Relaxed;
        if !fits {
            return None;
        }
        vector.elements = vector.elements.min(most);
        let narrowed = AddressedTile {
            vector: Some(vector),
            ..tile.clone()
        };
        let groups = self.groups(addresses, &narrowed);
        (groups.registers[0].len() > 1).then_some(groups)
    }

    /// Emits one `red` that updates one element or several.
    fn reduce_vector(
        &self,
        tile: &AddressedTile,
        update: &Update,
        address: IntValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        elements: &[BasicValueEnum<'ctx>],
    ) {
        let code = &self.code;
        let mut asm = Asm::new(0);
        let guard = asm.guard(predicate);
        let pointer = self.at(address, tile.space);
        let address = asm.add("l", pointer.into());
        let names: Vec<String> = elements
            .iter()
            .map(|&value| asm.add(&update.constraint.to_string(), self.operand(value, update)))
            .collect();
        let (ordering, space) = (ordering(tile), space(tile));
        let (name, operand) = match names.as_slice() {
            [one] => (update.name.to_owned(), one.clone()),
            several => {
                let (name, ty) = update.name.rsplit_once('.').expect("a name with a type");
                let list = several.join(",");
                (
                    format!("{name}.v{}.{ty}", several.len()),
                    format!("{{{list}}}"),
                )
            }
        };
        let text = format!("{guard}red{ordering}{space}.{name} [{address}], {operand};");
        asm.emit(code, &text, &[], &[], AsmEffect::Memory);
    }

    /// Emits `atom` for one element; returns the old value.
    fn update(
        &self,
        tile: &AddressedTile,
        update: &Update,
        address: IntValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        args: &[BasicValueEnum<'ctx>],
        otherwise: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let mut asm = Asm::new(1);
        let guard = asm.guard(predicate);
        let pointer = self.at(address, tile.space);
        let address = asm.add("l", pointer.into());
        let names: Vec<String> = args
            .iter()
            .map(|&value| asm.add(&update.constraint.to_string(), self.operand(value, update)))
            .collect();
        let otherwise = self.operand(otherwise, update);
        if predicate.is_some() {
            asm.add("0", otherwise);
        }
        let (ordering, space) = (ordering(tile), space(tile));
        let text = format!(
            "{guard}atom{ordering}{space}.{} $0, [{address}], {};",
            update.name,
            names.join(", "),
        );
        let ty: BasicTypeEnum<'ctx> = otherwise.get_type();
        let old_value = asm.emit(code, &text, &[update.constraint], &[ty], AsmEffect::Memory);
        code.bit_cast(old_value[0], code.register_type(tile.element))
    }

    /// Converts a number to the register class of the instruction.
    fn operand(&self, value: BasicValueEnum<'ctx>, update: &Update) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        match update.constraint {
            'h' => code.bit_cast(value, code.int(16)),
            'r' => code.bit_cast(value, code.int(32)),
            'l' => code.bit_cast(value, code.int(64)),
            _ => value,
        }
    }

    /// Adds to an element by a compare-and-swap loop.
    fn add_by_swapping(
        &mut self,
        tile: &AddressedTile,
        address: IntValue<'ctx>,
        predicate: Option<IntValue<'ctx>>,
        value: BasicValueEnum<'ctx>,
        otherwise: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let swap = Update {
            name: "cas.b16",
            constraint: 'h',
        };
        let relaxed = AddressedTile {
            ordering: MemoryOrdering::Relaxed,
            ..tile.clone()
        };
        let modifiers = Modifiers {
            ordering: ordering(&relaxed),
            space: space(tile),
            cache: "",
            first: "",
            policy: None,
        };
        let code = &self.code;
        let before = code.current_block();
        let done = code.new_block("added");
        let again = code.new_block("again");
        let start = code.new_block("add");
        match predicate {
            Some(predicate) => {
                code.branch(predicate, start, done);
            }
            None => {
                code.go_to(start);
            }
        }
        code.builder.position_at_end(start);
        let pointer = self.at(address, tile.space);
        let zero = code.constant(tile.element, 0);
        let first = code.asm_load(&modifiers, pointer, None, tile.element, &[zero])[0];
        code.go_to(again);
        code.builder.position_at_end(again);
        let old = code.phi(&[(first, start)]);
        let old_value = old.as_basic_value();
        let sum = code.fadd(old_value.into_float_value(), value.into_float_value());
        let swapped = self.update(tile, &swap, address, None, &[old_value, sum.into()], zero);
        let bits = |value| code.bit_cast(value, code.int(16)).into_int_value();
        let is_swapped = code.compare(IntPredicate::EQ, bits(swapped), bits(old_value));
        old.add_incoming(&[(&swapped, again)]);
        code.branch(is_swapped, done, again);
        code.builder.position_at_end(done);
        let mut incoming = vec![(swapped, again)];
        if predicate.is_some() {
            incoming.push((otherwise, before));
        }
        code.phi(&incoming).as_basic_value()
    }
}

/// Returns `true` if `red` can perform the update: it cannot compare, exchange or acquire.
fn can_reduce(tile: &AddressedTile, kind: AtomicKind) -> bool {
    let plain = matches!(
        tile.ordering,
        MemoryOrdering::Relaxed | MemoryOrdering::Release
    );
    let is_reduction = !matches!(
        kind,
        AtomicKind::CompareAndSwap | AtomicKind::Modify(AtomicRmwMode::Xchg)
    );
    plain && is_reduction
}

fn update(kind: AtomicKind, scalar: Scalar) -> Option<Update> {
    let wide = scalar.bits() == 64;
    let bits = if wide { 'l' } else { 'r' };
    let update = |narrow, wide_name, constraint| Update {
        name: if wide { wide_name } else { narrow },
        constraint,
    };
    if !matches!(scalar.bits(), 16 | 32 | 64) {
        return None;
    }
    Some(match kind {
        AtomicKind::CompareAndSwap => update("cas.b32", "cas.b64", bits),
        AtomicKind::Modify(mode) => match mode {
            AtomicRmwMode::And => update("and.b32", "and.b64", bits),
            AtomicRmwMode::Or => update("or.b32", "or.b64", bits),
            AtomicRmwMode::Xor => update("xor.b32", "xor.b64", bits),
            AtomicRmwMode::Add => update("add.u32", "add.u64", bits),
            AtomicRmwMode::Max => update("max.s32", "max.s64", bits),
            AtomicRmwMode::Min => update("min.s32", "min.s64", bits),
            AtomicRmwMode::UMax => update("max.u32", "max.u64", bits),
            AtomicRmwMode::UMin => update("min.u32", "min.u64", bits),
            AtomicRmwMode::Xchg => update("exch.b32", "exch.b64", bits),
            AtomicRmwMode::AddF => match scalar {
                Scalar::F16 => update("add.noftz.f16", "", 'h'),
                Scalar::BF16 => update("add.noftz.bf16", "", 'h'),
                Scalar::F32 => update("add.f32", "", 'f'),
                Scalar::F64 => update("", "add.f64", 'd'),
                _ => return None,
            },
        },
    })
}
