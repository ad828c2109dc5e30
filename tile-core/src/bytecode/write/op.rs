//! Writes operations and blocks.

use super::super::BoxedError;
use super::super::plan::{AttrPlan, OperandPlan, Plan, SlotPlan, is_instruction};
use super::super::varint::{Encoder, Result};
use super::{Writer, unfit};
use crate::ir::{Attr, Block, BlockId, Op, OpId, ValueId};
use crate::ops::{AttrDef, Dialect, Opcode, Presence};
use crate::text::MAX_REGION_DEPTH;

impl Writer<'_> {
    /// Writes an operation in regions nested `depth` deep.
    pub(super) fn op(&mut self, out: &mut Encoder, id: OpId, depth: usize) -> Result<()> {
        self.op_fields(out, id, depth)
            .map_err(|error| error.within(self.module.op(id).loc))
    }

    fn op_fields(&mut self, out: &mut Encoder, id: OpId, depth: usize) -> Result<()> {
        let op = self.module.op(id);
        let def = op.def();
        let Some(Some(plan)) = self.plans.get(usize::from(def.number)) else {
            return Err(self.no_plan(op));
        };
        out.varint(u64::from(def.number));
        self.debug.op(op.loc.debug(), &mut self.strings)?;
        let results = self.results(plan, op)?;
        if plan.counts_results {
            out.count(results.len());
        }
        for &result in results {
            out.varint(self.type_of(result)?);
        }
        self.attrs_fit(plan, op)?;
        if plan.flags.is_some() {
            out.varint(flags(plan, op));
        }
        for (attr, value) in plan.attrs.iter().zip(&op.attrs) {
            match (attr, value) {
                (AttrPlan::Always(slot) | AttrPlan::IfFlag(slot, _), Some(value)) => {
                    self.attr(out, op, slot, value)?;
                }
                (AttrPlan::PerIndex(slot), value) => {
                    let index = plan.per_index.expect("the plan has such an attribute");
                    per_index(out, op, slot, value.as_ref(), op.segments[index] as usize)?;
                }
                _ => {}
            }
        }
        self.operands(out, plan, op)?;
        self.regions(out, plan, id, depth)?;
        self.define(results);
        Ok(())
    }

    /// Returns the error for an operation without an encoding.
    #[cold]
    fn no_plan(&self, op: &Op) -> BoxedError {
        BoxedError::unwritable(if is_instruction(op.opcode) {
            format!(
                "operation `{}` is not available in bytecode version {}",
                op.def().mnemonic,
                self.version
            )
        } else if let Opcode::LoopDialect(_) = op.opcode {
            format!(
                "bytecode cannot hold `{}`: flatten the loops first, as `tilec opt --passes=flatten-loops` does",
                op.def().mnemonic
            )
        } else if op.def().dialect == Dialect::Ptx {
            format!(
                "bytecode cannot hold `{}`, text in PTX, which `cuda_tile` has no operation for",
                op.def().mnemonic
            )
        } else {
            format!(
                "expected an operation of `cuda_tile` in a body, found {}, which bytecode cannot hold there",
                describe(op)
            )
        })
    }

    /// Returns the results that are written.
    fn results<'o>(&mut self, plan: &Plan, op: &'o Op) -> Result<&'o [ValueId]> {
        let later = plan.later_results.len();
        let written = match plan.results {
            None => op.results.len(),
            Some(count) if count + later == op.results.len() => count,
            Some(_) => return Err(unfit(op, "its results")),
        };
        if op
            .results
            .iter()
            .any(|value| value.index() >= self.numbers.len())
        {
            return Err(unfit(op, "its results"));
        }
        let (written, unwritten) = op.results.split_at(written);
        for (slot, &value) in plan.later_results.iter().zip(unwritten) {
            if self.is_used(value) {
                return Err(BoxedError::unwritable(format!(
                    "result `{}` of `{}` requires bytecode version {} but is being used and targeting {}",
                    slot.name, plan.def.mnemonic, slot.since, self.version
                )));
            }
        }
        Ok(written)
    }

    fn is_used(&mut self, value: ValueId) -> bool {
        let module = self.module;
        let used = self.used.get_or_insert_with(|| {
            let mut used = vec![false; module.num_values()];
            let mut blocks = vec![module.body()];
            while let Some(block) = blocks.pop() {
                for &op in &module.block(block).ops {
                    let op = module.op(op);
                    for operand in &op.operands {
                        if let Some(used) = used.get_mut(operand.index()) {
                            *used = true;
                        }
                    }
                    for &region in &op.regions {
                        blocks.extend(&module.region(region).blocks);
                    }
                }
            }
            used
        });
        used[value.index()]
    }

    /// Checks that the version can hold the attributes and optional operands.
    fn attrs_fit(&self, plan: &Plan, op: &Op) -> Result<()> {
        let slots = plan.def.operands.len();
        let total: u32 = op.segments.iter().sum();
        if op.segments.len() != slots || total as usize != op.operands.len() {
            return Err(unfit(op, "its operands"));
        }
        if op.attrs.len() != plan.attrs.len() {
            return Err(unfit(op, "its attributes"));
        }
        for (attr, value) in plan.attrs.iter().zip(&op.attrs) {
            match (attr, value) {
                (AttrPlan::Always(slot), None) => {
                    return Err(BoxedError::unwritable(format!(
                        "attribute `{}` of `{}` is missing",
                        slot.name, plan.def.mnemonic
                    )));
                }
                (AttrPlan::Later(slot, default), Some(value)) => {
                    let nothing = matches!(value, Attr::BoolArray(list) if !list.contains(&true));
                    if default.as_ref() != Some(value) && !nothing {
                        return Err(self.later_attr(op, slot.name));
                    }
                }
                _ => {}
            }
        }
        if let OperandPlan::Slots(slots) = &plan.operands {
            for (slot, &count) in slots.iter().zip(&op.segments) {
                if let SlotPlan::Later(slot) = slot
                    && count > 0
                {
                    return Err(BoxedError::unwritable(format!(
                        "optional operand `{}` of `{}` is provided but requires bytecode version {}, targeting {}",
                        slot.name, plan.def.mnemonic, slot.since, self.version
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the error for an attribute that is newer than the version.
    #[cold]
    pub(super) fn later_attr(&self, op: &Op, name: &str) -> BoxedError {
        let (def, version) = (op.def(), self.version);
        let slot = def.attrs.iter().find(|slot| slot.name == name);
        let (since, mnemonic) = (slot.map_or(def.since, |slot| slot.since), def.mnemonic);
        BoxedError::unwritable(
            if slot.is_some_and(|slot| slot.presence == Presence::Optional) {
                format!(
                    "optional attribute `{name}` of `{mnemonic}` is provided but requires bytecode version {since}, targeting {version}"
                )
            } else {
                format!(
                    "attribute `{name}` of `{mnemonic}` requires bytecode version {since}+, but targeting {version}"
                )
            },
        )
    }

    fn operands(&self, out: &mut Encoder, plan: &Plan, op: &Op) -> Result<()> {
        let mut fits = true;
        match plan.operands {
            OperandPlan::Each(count) => fits = op.operands.len() == count,
            OperandPlan::Counted { variable, slots } => {
                let ones = op.segments.iter().enumerate();
                fits = ones
                    .filter(|&(index, &count)| index != variable && count == 1)
                    .count()
                    + 1
                    == slots;
                out.count(op.operands.len());
            }
            OperandPlan::Slots(ref slots) => {
                let mut rest = op.operands.as_slice();
                for (slot, &count) in slots.iter().zip(&op.segments) {
                    match slot {
                        SlotPlan::One => fits &= count == 1,
                        SlotPlan::IfFlag(_) => fits &= count <= 1,
                        SlotPlan::Counted => out.varint(u64::from(count)),
                        SlotPlan::Later(_) => {}
                    }
                    let (these, others) = rest.split_at(count as usize);
                    self.values(out, op, these)?;
                    rest = others;
                }
                return if fits {
                    Ok(())
                } else {
                    Err(unfit(op, "its operands"))
                };
            }
        }
        if !fits {
            return Err(unfit(op, "its operands"));
        }
        self.values(out, op, &op.operands)
    }

    fn values(&self, out: &mut Encoder, op: &Op, values: &[ValueId]) -> Result<()> {
        for value in values {
            match self.numbers.get(value.index()) {
                Some(&Some(number)) => out.varint(u64::from(number.get() - 1)),
                _ => {
                    return Err(BoxedError::unwritable(format!(
                        "expected the operands of `{}` to be defined before it, found one that is not",
                        op.def().mnemonic
                    )));
                }
            }
        }
        Ok(())
    }

    fn regions(&mut self, out: &mut Encoder, plan: &Plan, id: OpId, depth: usize) -> Result<()> {
        let op = self.module.op(id);
        if plan.regions == 0 && op.regions.is_empty() {
            return Ok(());
        }
        // If a region could occur twice, this walk would take exponential time.
        let mut regions = op.regions.iter().enumerate();
        let once = regions.all(|(i, region)| {
            region.index() < self.module.num_regions()
                && self.module.region(*region).parent == Some(id)
                && !op.regions[..i].contains(region)
        });
        if op.regions.len() > plan.regions || !once {
            return Err(unfit(op, "its regions"));
        }
        if depth == MAX_REGION_DEPTH {
            return Err(BoxedError::unwritable(format!(
                "regions are nested deeper than {MAX_REGION_DEPTH}"
            )));
        }
        out.count(plan.regions);
        for index in 0..plan.regions {
            // A missing region is an absent `else`.
            let region = op.regions.get(index);
            let blocks = region.map_or(&[][..], |&region| &self.module.region(region).blocks);
            out.count(blocks.len());
            for &block in blocks {
                self.block(out, block, depth + 1)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, out: &mut Encoder, id: BlockId, depth: usize) -> Result<()> {
        let Block {
            args,
            ops,
            parent: _,
        } = self.module.block(id);
        let outer = self.visible.len();
        out.count(args.len());
        for &arg in args {
            out.varint(self.type_of(arg)?);
        }
        self.define(args);
        out.count(ops.len());
        for &op in ops {
            self.op(out, op, depth)?;
        }
        self.forget(outer);
        Ok(())
    }
}

/// Returns the presence bits.
fn flags(plan: &Plan, op: &Op) -> u64 {
    let mut flags = 0;
    for (attr, value) in plan.attrs.iter().zip(&op.attrs) {
        if let (AttrPlan::IfFlag(_, bit), Some(_)) = (attr, value) {
            flags |= 1 << bit;
        }
    }
    if let OperandPlan::Slots(slots) = &plan.operands {
        for (slot, &count) in slots.iter().zip(&op.segments) {
            if let (SlotPlan::IfFlag(bit), 1..) = (slot, count) {
                flags |= 1 << bit;
            }
        }
    }
    flags
}

/// Writes a list with an entry for each of `count` indices.
fn per_index(
    out: &mut Encoder,
    op: &Op,
    slot: &AttrDef,
    value: Option<&Attr>,
    count: usize,
) -> Result<()> {
    out.count(count);
    match value {
        None => out.bytes.extend(std::iter::repeat_n(0, count)),
        Some(Attr::BoolArray(values)) if values.len() == count => {
            out.bytes
                .extend(values.iter().map(|&value| u8::from(value)));
        }
        Some(Attr::BoolArray(values)) => {
            return Err(BoxedError::unwritable(format!(
                "expected `{}` of `{}` to have an entry per index, {count} in all, found {}",
                slot.name,
                op.def().mnemonic,
                values.len()
            )));
        }
        Some(_) => return Err(unfit(op, "its attributes")),
    }
    Ok(())
}

/// Describes an operation that bytecode cannot hold, for messages.
pub(super) fn describe(op: &Op) -> String {
    match (op.opcode, op.attrs.first()) {
        (Opcode::Unregistered(_), Some(Some(Attr::Str(name)))) => {
            format!("`{name}` of another dialect")
        }
        _ => format!("`{}`", op.def().mnemonic),
    }
}
