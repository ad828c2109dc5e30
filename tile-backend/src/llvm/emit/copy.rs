//! Emits asynchronous copies from global to shared memory (`cp.async`).
//!
//! In: a tile, given by its coordinates or by the addresses of its elements; a layout that distributes the
//! elements over threads; and a stage of a circular buffer. Out: one instruction per vector, without
//! branches. An operand of the instruction gives the part of the vector that exists, and the hardware
//! zero-fills the rest.

use std::collections::BTreeMap;

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};

use super::address::Addresses;
use super::code::{AsmEffect, element_bytes};
use super::global::GlobalAccess;
use super::{Emitter, Result};
use crate::gpu::{AddressedTile, AsyncCopy, Copied, Op, ValueId};
use crate::layout::{AddressParts, Register, VectorPlan};
use crate::llvm::passes::ask_for;
use crate::target::PtxVersion;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn copy_async(&mut self, op: &Op, copy: &AsyncCopy) -> Result<()> {
        let kernel = self.kernel;
        let layout = kernel.layout(copy.layout);
        let buffer = kernel.buffer(copy.buffer);
        let memory = buffer.layout.map(|id| kernel.layout(id));
        let parts = memory.and_then(|memory| AddressParts::offset(layout, memory));
        let Some(parts) = parts else {
            return Err(self.unsupported("a buffer without a place for every element", op.loc));
        };
        let base = self.stage_start(copy.buffer, Some(self.int(op.args[1])));
        let mut whether = vec![self.int(op.args[0])];
        whether.extend(self.thread.is_owner(&self.code, layout));
        let whether = self.code.all(whether).expect("there is a condition");

        let bytes = element_bytes(copy.from.element());
        let mut to = Addresses::new(self, base, &parts, bytes);
        let (plan, sources) = match &copy.from {
            Copied::Tile(tile) => {
                // The instruction needs an aligned source address even if it ignores the source.
                let access = self.aligned_access(tile, layout, &op.args[2..]);
                let sources = self.sources_of_tile(&access);
                (access.plan, sources)
            }
            Copied::Addressed(tile) => {
                let plan = tile.vectors(layout);
                let sources = self.sources_by_addresses(tile, &plan, &op.args[2..]);
                (plan, sources)
            }
        };
        let vector = bytes * u32::try_from(plan.width_elements).expect("a vector is short");
        // Copy whole L2 lines and bypass L1 where the instruction can.
        let cache = if vector == 16 { "cg" } else { "ca" };
        let policy = self.code.policy(copy.from.caching());
        for (group, (from, exists)) in plan.groups.iter().zip(sources) {
            let to = to.at(&self.code, parts.constants[group.registers[0].index()]);
            let mut args = vec![whether.into(), to.into(), from];
            let (mut last, mut constraints) = match exists {
                Exists::Always => (String::new(), "b,r,l".to_owned()),
                Exists::Bytes(bytes) => {
                    args.push(bytes.into());
                    (", $3".to_owned(), "b,r,l,r".to_owned())
                }
                Exists::If(holds) => {
                    ask_for(&self.code.module, IGNORED_SOURCE_PTX);
                    args.push(self.code.not(holds).into());
                    (", $3".to_owned(), "b,r,l,b".to_owned())
                }
            };
            let mut hint = "";
            if let Some(policy) = policy {
                hint = ".L2::cache_hint";
                last = format!("{last}, ${}", args.len());
                constraints.push_str(",l");
                args.push(policy.into());
            }
            let text =
                format!("@$0 cp.async.{cache}.shared.global{hint} [$1], [$2], {vector}{last};");
            self.code
                .asm(&text, &constraints, &[], &args, AsmEffect::Memory);
        }
        Ok(())
    }

    /// Returns the address of each vector, and the part of the vector that exists.
    fn sources_of_tile(&self, access: &GlobalAccess<'_, 'ctx>) -> Vec<Source<'ctx>> {
        let vector_bytes = element_bytes(access.tile.element)
            * u32::try_from(access.plan.width_elements).expect("a vector is short");
        let mut lengths = Lengths::default();
        let groups = access.plan.groups.iter();
        let sources = groups.map(|group| {
            let first = group.registers[0];
            let exists = lengths.compute(self, access, first, vector_bytes);
            (access.pointers[first.index()].into(), exists)
        });
        sources.collect()
    }

    fn sources_by_addresses(
        &self,
        tile: &AddressedTile,
        plan: &VectorPlan,
        args: &[ValueId],
    ) -> Vec<Source<'ctx>> {
        let operands = tile.operands(args);
        let addresses = self.registers(operands.addresses);
        let sources = plan.groups.iter().map(|group| {
            let first = group.registers[0].index();
            let exists = operands.mask.map_or(Exists::Always, |mask| {
                Exists::If(self.registers(mask)[first].into_int_value())
            });
            (addresses[first], exists)
        });
        sources.collect()
    }
}

/// The address of a vector in global memory, and the part of the vector that exists.
type Source<'ctx> = (BasicValueEnum<'ctx>, Exists<'ctx>);

/// The part of a vector that exists; the rest is zero-filled.
enum Exists<'ctx> {
    /// The whole vector.
    Always,
    /// The whole vector if the condition holds, otherwise nothing. Costs far less than `Bytes`.
    If(IntValue<'ctx>),
    /// The first bytes of the vector, given by their number.
    Bytes(IntValue<'ctx>),
}

/// The lowest PTX version whose copies can ignore their source under a predicate.
const IGNORED_SOURCE_PTX: PtxVersion = PtxVersion::new(7, 5);

/// For each vector, the number of its bytes that exist, or whether it exists; each is computed once.
#[derive(Default)]
struct Lengths<'ctx> {
    by_coordinate: BTreeMap<(usize, u64), IntValue<'ctx>>,
}

impl<'ctx> Lengths<'ctx> {
    /// Computes which part of the vector that begins with `register` exists.
    fn compute(
        &mut self,
        emitter: &Emitter<'_, 'ctx>,
        access: &GlobalAccess<'_, 'ctx>,
        register: Register,
        vector_bytes: u32,
    ) -> Exists<'ctx> {
        let code = &emitter.code;
        let bytes = element_bytes(access.tile.element);
        let (mut exists, mut length) = (Vec::new(), None);
        for (axis, cut) in access.cuts() {
            let along = &access.axes[axis.0];
            let constant = along.parts.constants[register.index()];
            let has_ragged_vectors = access.tile.contiguous == Some(axis)
                && !access.tile.has_whole_vectors(access.plan.width_elements);
            let cached = *self
                .by_coordinate
                .entry((axis.0, constant))
                .or_insert_with(|| {
                    let coordinate = along.coordinate(code, constant);
                    if !has_ragged_vectors {
                        return code.compare(IntPredicate::ULT, coordinate, cut.bound);
                    }
                    // `limit` and coordinates are below 2^31, so the difference is a valid signed number.
                    let left = code.sub(cut.limit, coordinate);
                    let zero = code.i32(0);
                    let is_some = code.compare(IntPredicate::SGT, left, zero);
                    let left = code.select(is_some, left, zero).into_int_value();
                    let left = code.mul_nuw(left, code.i32(bytes));
                    let whole = code.i32(vector_bytes);
                    let is_whole = code.compare(IntPredicate::UGE, left, whole);
                    code.select(is_whole, whole, left).into_int_value()
                });
            if has_ragged_vectors {
                length = Some(cached);
            } else {
                exists.push(cached);
            }
        }
        match (code.all(exists), length) {
            (None, None) => Exists::Always,
            (Some(exists), None) => Exists::If(exists),
            (None, Some(length)) => Exists::Bytes(length),
            (Some(exists), Some(length)) => {
                let length = code.select(exists, length, code.i32(0));
                Exists::Bytes(length.into_int_value())
            }
        }
    }
}
