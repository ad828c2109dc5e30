//! Reads operations and blocks.

use super::super::BoxedError;
use super::super::plan::{AttrPlan, OperandPlan, Plan, SlotPlan, is_instruction};
use super::super::varint::{Cursor, Result};
use super::Reader;
use crate::ir::{Attr, BlockId, Loc, Op, OpId, ValueId};
use crate::ops::Opcode;
use crate::text::MAX_REGION_DEPTH;
use crate::types::Type;
use smallvec::SmallVec;

/// The maximum capacity to reserve for a count in a file, which may be corrupt.
const TRUSTED: usize = 1024;

impl Reader<'_> {
    /// Reads the body of an entry, which takes up all of `cursor`.
    pub(super) fn body(&mut self, cursor: &mut Cursor<'_>, block: BlockId) -> Result<()> {
        let mut terminated = false;
        while !cursor.is_empty() {
            terminated = self.op_before_terminator(cursor, block, 1, terminated)?;
        }
        check_terminated(cursor, terminated)
    }

    /// Reads a block in regions nested `depth` deep.
    fn block(
        &mut self,
        cursor: &mut Cursor<'_>,
        block: BlockId,
        depth: usize,
        loc: Loc,
    ) -> Result<()> {
        let visible = self.values.len();
        let args = cursor.count(1)?;
        self.module.reserve_args(block, args.min(TRUSTED));
        for _ in 0..args {
            let ty = self.types.read(cursor)?;
            let arg = self.module.add_block_arg(block, ty, loc);
            self.values.push(arg);
        }
        let count = cursor.count(2)?;
        self.module.reserve_in_block(block, count.min(TRUSTED));
        let mut terminated = false;
        for _ in 0..count {
            terminated = self.op_before_terminator(cursor, block, depth, terminated)?;
        }
        self.values.truncate(visible);
        check_terminated(cursor, terminated)
    }

    /// Reads one operation, and returns `true` if it is a terminator. Fails if a terminator
    /// precedes it.
    fn op_before_terminator(
        &mut self,
        cursor: &mut Cursor<'_>,
        block: BlockId,
        depth: usize,
        terminated: bool,
    ) -> Result<bool> {
        if terminated {
            return cursor
                .error("expected the end of the block, found an operation after its terminator");
        }
        self.op(cursor, block, depth)
    }

    fn op(&mut self, cursor: &mut Cursor<'_>, block: BlockId, depth: usize) -> Result<bool> {
        let start = cursor.offset();
        let number = cursor.size()?;
        let Some(Some(plan)) = self.plans.get(number) else {
            return Err(self.no_plan(number, start));
        };
        if let Some(debug) = &mut self.debug {
            let debug = debug.next(&mut self.strings, start)?;
            if self.loc.debug() != debug {
                self.loc = Loc::UNKNOWN.with_debug(debug);
            }
        }
        self.result_types(cursor, plan)?;
        // The operation is built in place: it is large, and moving it costs more than reading it.
        let id = self.module.append_blank(block, plan.opcode, self.loc);
        let flags = match plan.flags {
            Some(known) => read_flags(cursor, plan, known)?,
            None => 0,
        };
        self.attrs(cursor, plan, flags, id)?;
        let op = self.module.op_mut(id);
        operands(&self.values, cursor, plan, flags, op)?;
        if let Some(index) = plan.per_index {
            check_list(plan, op.segments[index] as usize, self.listed, start)?;
        }
        self.module.add_results(id, &self.results, &self.loc);
        if plan.regions > 0 {
            let op_start = cursor.offset();
            let count = cursor.count(1)?;
            if count != plan.regions {
                return Err(BoxedError::at(
                    op_start,
                    format!(
                        "expected {} regions of `{}`, found {count}",
                        plan.regions, plan.def.mnemonic
                    ),
                ));
            }
            if depth == MAX_REGION_DEPTH {
                return Err(BoxedError::at(
                    op_start,
                    format!("regions are nested deeper than {MAX_REGION_DEPTH}"),
                ));
            }
            let loc = self.loc;
            for _ in 0..count {
                let region = self.module.add_region(id);
                let blocks = cursor.count(2)?;
                for _ in 0..blocks {
                    let block = self.module.add_block(region);
                    self.block(cursor, block, depth + 1, loc)?;
                }
            }
        }
        let numbered = self.module.op(id).results.len() - plan.later_results.len();
        for &result in &self.module.op(id).results[..numbered] {
            self.values.push(result);
        }
        Ok(plan.is_terminator)
    }

    /// Returns the error for an operation number that has no encoding in this version.
    #[cold]
    fn no_plan(&self, number: usize, start: usize) -> BoxedError {
        let version = self.version;
        let opcode = u64::try_from(number).ok().and_then(Opcode::from_number);
        let message = match opcode {
            Some(opcode) if !opcode.dialect().has_bytecode() => {
                format!("operation number {number:#x} is not known")
            }
            Some(Opcode::Unregistered(_)) | None => {
                format!("operation number {number:#x} is not known")
            }
            Some(opcode) if is_instruction(opcode) => format!(
                "operation `{}` is not available in bytecode version {version}",
                opcode.def().mnemonic
            ),
            Some(opcode) => format!(
                "expected an operation of a body, found `{}`",
                opcode.def().mnemonic
            ),
        };
        BoxedError::at(start, message)
    }

    /// Reads the result types of an operation, and adds a token per result that the version lacks.
    fn result_types(&mut self, cursor: &mut Cursor<'_>, plan: &Plan) -> Result<()> {
        let start = cursor.offset();
        let count = if plan.counts_results {
            cursor.count(1)?
        } else {
            plan.results.unwrap_or(0)
        };
        if let Some(expected) = plan.results
            && expected != count
        {
            return Err(BoxedError::at(
                start,
                format!(
                    "expected {expected} results of `{}`, found {count}",
                    plan.def.mnemonic
                ),
            ));
        }
        self.results.clear();
        for _ in 0..count {
            let ty = self.types.read(cursor)?;
            self.results.push(ty);
        }
        for _ in plan.later_results {
            self.results.push(Type::token());
        }
        Ok(())
    }

    fn attrs(&mut self, cursor: &mut Cursor<'_>, plan: &Plan, flags: u64, op: OpId) -> Result<()> {
        if plan.attrs.len() > 2 {
            self.module.op_mut(op).attrs.reserve_exact(plan.attrs.len());
        }
        for attr in &plan.attrs {
            let absent = match attr {
                AttrPlan::Always(slot) => {
                    self.attr(cursor, slot, op)?;
                    continue;
                }
                AttrPlan::IfFlag(slot, bit) if flags >> bit & 1 == 1 => {
                    self.attr(cursor, slot, op)?;
                    continue;
                }
                AttrPlan::IfFlag(..) => None,
                AttrPlan::PerIndex(_) => {
                    let count = cursor.count(1)?;
                    let values = cursor.take(count)?.iter().map(|&byte| byte != 0);
                    self.listed = count;
                    let any = values.clone().any(|value| value);
                    any.then(|| Attr::BoolArray(values.collect()))
                }
                AttrPlan::Later(_, default) => default.clone(),
            };
            self.module.op_mut(op).attrs.push(absent);
        }
        Ok(())
    }
}

/// Reads the operands of `op`; `values` are the visible values, indexed by their numbers.
#[inline]
fn operands(
    values: &[ValueId],
    cursor: &mut Cursor<'_>,
    plan: &Plan,
    flags: u64,
    op: &mut Op,
) -> Result<()> {
    match plan.operands {
        OperandPlan::Each(count) => {
            for _ in 0..count {
                op.operands.push(value(values, cursor)?);
            }
            op.segments = ones(count);
        }
        OperandPlan::Counted { variable, slots } => {
            let start = cursor.offset();
            let count = cursor.count(1)?;
            let Some(spare) = count.checked_sub(slots - 1) else {
                return Err(BoxedError::at(
                    start,
                    format!(
                        "expected at least {} operands of `{}`, found {count}",
                        slots - 1,
                        plan.def.mnemonic
                    ),
                ));
            };
            op.operands.reserve(count);
            for _ in 0..count {
                op.operands.push(value(values, cursor)?);
            }
            op.segments = ones(slots);
            op.segments[variable] = small(spare);
        }
        OperandPlan::Slots(ref slots) => {
            for slot in slots {
                let count = match slot {
                    SlotPlan::One => 1,
                    SlotPlan::IfFlag(bit) => usize::from(flags >> bit & 1 == 1),
                    SlotPlan::Counted => cursor.count(1)?,
                    SlotPlan::Later(_) => 0,
                };
                for _ in 0..count {
                    op.operands.push(value(values, cursor)?);
                }
                op.segments.push(small(count));
            }
        }
    }
    Ok(())
}

/// Returns the segment sizes of `count` slots with one operand each.
fn ones(count: usize) -> SmallVec<[u32; 4]> {
    match count {
        0..=4 => SmallVec::from_buf_and_len([1; 4], count),
        _ => SmallVec::from_elem(1, count),
    }
}

#[inline]
fn value(values: &[ValueId], cursor: &mut Cursor<'_>) -> Result<ValueId> {
    let start = cursor.offset();
    let number = cursor.size()?;
    match values.get(number) {
        Some(&value) => Ok(value),
        None => Err(BoxedError::at(
            start,
            format!(
                "expected one of the {} values that are visible, found number {number}",
                values.len()
            ),
        )),
    }
}

/// Checks the length of a list that has one entry per index.
fn check_list(plan: &Plan, expected: usize, actual: usize, start: usize) -> Result<()> {
    if expected == actual {
        return Ok(());
    }
    Err(BoxedError::at(
        start,
        format!(
            "expected one entry per index of `{}`, {expected} in all, found {actual}",
            plan.def.mnemonic
        ),
    ))
}

fn small(count: usize) -> u32 {
    u32::try_from(count).expect("an arena holds fewer than 2^32 entries")
}

fn read_flags(cursor: &mut Cursor<'_>, plan: &Plan, known: u64) -> Result<u64> {
    let start = cursor.offset();
    let flags = cursor.varint()?;
    if flags & !known != 0 {
        return Err(BoxedError::at(
            start,
            format!(
                "expected flags up to {known:#x} of `{}`, found {flags:#x}",
                plan.def.mnemonic
            ),
        ));
    }
    Ok(flags)
}

fn check_terminated(cursor: &Cursor<'_>, terminated: bool) -> Result<()> {
    if terminated {
        return Ok(());
    }
    cursor.error("expected the terminator of the block, found its end")
}
