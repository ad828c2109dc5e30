//! Copies from global to shared memory that go on while the thread does (`cp.async`).
//!
//! In: a [`GlobalTile`](crate::gpu::GlobalTile), whose elements threads copy as a layout says, and
//! a slot of a ring. Out: one instruction per vector, without branches: what does not exist is
//! named to the instruction as bytes that it shall write as zeros.

use std::collections::BTreeMap;

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::address::Addresses;
use super::code::{AsmEffect, element_bytes};
use super::global::GlobalAccess;
use super::{Emitter, Result};
use crate::gpu::{AsyncCopy, Op};
use crate::layout::{AddressParts, Register};

impl Emitter<'_, '_> {
    pub(super) fn copy_async(&mut self, op: &Op, copy: &AsyncCopy) -> Result<()> {
        let kernel = self.kernel;
        let layout = kernel.layout(copy.layout);
        let buffer = kernel.buffer(copy.buffer);
        let memory = buffer.layout.map(|id| kernel.layout(id));
        let parts = memory.and_then(|memory| AddressParts::offset(layout, memory));
        let Some(parts) = parts else {
            return Err(self.unsupported("a buffer without a place for every element", op.loc));
        };
        let base = self.slot_start(copy.buffer, Some(self.int(op.args[1])));
        let access = self.global_access(&copy.tile, layout, &op.args[2..]);
        let mut whether = vec![self.int(op.args[0])];
        whether.extend(self.thread.is_owner(&self.code, layout));
        let whether = self.code.all(whether).expect("there is a condition");

        let bytes = element_bytes(copy.tile.element);
        let vector = bytes * u32::try_from(access.plan.width_elements).expect("a vector is short");
        // Whole lines of the second cache, past the first, where the instruction can.
        let cache = if vector == 16 { "cg" } else { "ca" };
        let mut addresses = Addresses::new(self, base, &parts, bytes);
        let mut lengths = Lengths::default();
        for group in &access.plan.groups {
            let first = group.registers[0];
            let to = addresses.at(&self.code, parts.constants[first.index()]);
            let from = access.pointers[first.index()];
            let mut args = vec![whether.into(), to.into(), from.into()];
            let text = match lengths.of(self, &access, first, vector) {
                None => format!("@$0 cp.async.{cache}.shared.global [$1], [$2], {vector};"),
                Some(length) => {
                    args.push(length.into());
                    format!("@$0 cp.async.{cache}.shared.global [$1], [$2], {vector}, $3;")
                }
            };
            let constraints = if args.len() == 3 { "b,r,l" } else { "b,r,l,r" };
            self.code
                .asm(&text, constraints, &[], &args, AsmEffect::Memory);
        }
        Ok(())
    }
}

/// How many bytes of each vector exist, each computed once.
#[derive(Default)]
struct Lengths<'ctx> {
    by_coordinate: BTreeMap<(usize, u64), IntValue<'ctx>>,
}

impl<'ctx> Lengths<'ctx> {
    /// Of the vector that begins with `register`; `None` if all of it always exists.
    fn of(
        &mut self,
        emitter: &Emitter<'_, 'ctx>,
        access: &GlobalAccess<'_, 'ctx>,
        register: Register,
        vector_bytes: u32,
    ) -> Option<IntValue<'ctx>> {
        let code = &emitter.code;
        let bytes = element_bytes(access.tile.element);
        let (mut exists, mut length) = (Vec::new(), None);
        for (axis, cut) in access.cuts() {
            let along = &access.axes[axis.0];
            let constant = along.parts.constants[register.index()];
            let is_contiguous = access.tile.contiguous == Some(axis)
                && !access.tile.has_whole_vectors(access.plan.width_elements);
            let known = *self
                .by_coordinate
                .entry((axis.0, constant))
                .or_insert_with(|| {
                    let coordinate = along.coordinate(code, constant);
                    if !is_contiguous {
                        return code.compare(IntPredicate::ULT, coordinate, cut.limit);
                    }
                    // `limit` and coordinates are below 2^31.
                    let left = code.sub(cut.limit, coordinate);
                    let zero = code.i32(0);
                    let is_some = code.compare(IntPredicate::SGT, left, zero);
                    let left = code.select(is_some, left, zero).into_int_value();
                    let left = code.mul_nuw(left, code.i32(bytes));
                    let whole = code.i32(vector_bytes);
                    let is_whole = code.compare(IntPredicate::UGE, left, whole);
                    code.select(is_whole, whole, left).into_int_value()
                });
            if is_contiguous {
                length = Some(known);
            } else {
                exists.push(known);
            }
        }
        let (zero, whole) = (code.i32(0), code.i32(vector_bytes));
        match (code.all(exists), length) {
            (None, length) => length,
            (Some(exists), length) => {
                let length = length.unwrap_or(whole);
                Some(code.select(exists, length, zero).into_int_value())
            }
        }
    }
}
