//! The encoding of the operations of one version, computed once from the rows of the op table.

use crate::build::default_value;
use crate::ir::Attr;
use crate::ops::{Arity, AttrDef, CoreOp, OpDef, Opcode, Presence, RegionCount, SlotDef, Version};
use std::sync::OnceLock;

/// The encoding of an operation in one version.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) opcode: Opcode,
    pub(super) def: &'static OpDef,
    /// Is `true` if the number of results is written.
    pub(super) counts_results: bool,
    /// The number of results that are written; `None` if variadic.
    pub(super) results: Option<usize>,
    /// Result slots that the version lacks, all of them tokens.
    pub(super) later_results: &'static [SlotDef],
    /// The known bits of the flags word; `None` if there is no such word.
    pub(super) flags: Option<u64>,
    /// The encodings of the attributes, parallel to the attribute slots of the row.
    pub(super) attrs: Vec<AttrPlan>,
    pub(super) operands: OperandPlan,
    /// The operand slot of the indices, if an attribute has one list entry per index.
    pub(super) per_index: Option<usize>,
    pub(super) regions: usize,
    pub(super) is_terminator: bool,
}

/// The encoding of an attribute.
#[derive(Debug)]
pub(super) enum AttrPlan {
    /// Always written.
    Always(&'static AttrDef),
    /// Written if the bit of the flags word is set.
    IfFlag(&'static AttrDef, u32),
    /// Written as a list with an entry per index, absent if all are false.
    PerIndex(&'static AttrDef),
    /// Not written, because the attribute is newer than the version. The reader sets its default,
    /// if it has one.
    Later(&'static AttrDef, Option<Attr>),
}

/// The encoding of the operands.
#[derive(Debug)]
pub(super) enum OperandPlan {
    /// One operand per slot, for this number of slots.
    Each(usize),
    /// The total number of operands, then the operands; every slot but one holds one operand.
    Counted {
        /// The slot that holds the remaining operands.
        variable: usize,
        slots: usize,
    },
    /// The operands slot by slot.
    Slots(Vec<SlotPlan>),
}

/// The encoding of the operands of one slot.
#[derive(Debug)]
pub(super) enum SlotPlan {
    /// One operand.
    One,
    /// One operand, if the bit of the flags word is set.
    IfFlag(u32),
    /// The number of operands, then the operands.
    Counted,
    /// Not written, because the slot is newer than the version.
    Later(&'static SlotDef),
}

/// Returns the encodings of a version, indexed by the numbers of the operations.
pub(super) fn plans(version: Version) -> &'static [Option<Plan>] {
    static PLANS: [OnceLock<Vec<Option<Plan>>>; Version::ALL.len()] =
        [const { OnceLock::new() }; Version::ALL.len()];
    PLANS[version as usize].get_or_init(|| {
        let mut plans = Vec::new();
        for opcode in Opcode::all() {
            if let Some(plan) = Plan::new(opcode, version) {
                let number = usize::from(plan.def.number);
                if plans.len() <= number {
                    plans.resize_with(number + 1, || None);
                }
                plans[number] = Some(plan);
            }
        }
        plans
    })
}

/// Returns `true` if an operation may occur in a body. The others have sections of their own, or no
/// encoding.
pub(super) fn is_instruction(opcode: Opcode) -> bool {
    opcode.dialect().has_bytecode()
        && !matches!(
            opcode,
            Opcode::Core(CoreOp::Entry | CoreOp::Global | CoreOp::Module)
                | Opcode::Testing(_)
                | Opcode::Unregistered(_)
        )
}

impl Plan {
    /// Returns the encoding of an operation, if the version has it.
    fn new(opcode: Opcode, version: Version) -> Option<Self> {
        let def = opcode.def();
        let RegionCount::Exactly(regions) = def.regions else {
            return None;
        };
        if !is_instruction(opcode) || def.since > version {
            return None;
        }
        let fields = optional_fields(def);
        let has_flags = fields.first().is_some_and(|&(_, since)| since <= version);
        let present = fields.iter().filter(|&&(_, since)| since <= version);
        let bit_of = |wanted: OptionalField| {
            let field_index = fields.iter().position(|&(field, _)| field == wanted);
            u32::try_from(field_index.expect("an optional slot is an optional field"))
                .expect("few fields")
        };
        let attrs = (0..).zip(def.attrs).map(|(index, slot)| {
            if slot.since > version {
                return AttrPlan::Later(
                    slot,
                    match slot.presence {
                        Presence::Default(number) => Some(default_value(slot.kind, number)),
                        _ => None,
                    },
                );
            }
            match slot.presence {
                Presence::Required | Presence::Default(_) => AttrPlan::Always(slot),
                Presence::Optional => AttrPlan::IfFlag(slot, bit_of(OptionalField::Attr(index))),
                Presence::AllFalse => AttrPlan::PerIndex(slot),
            }
        });
        let written = def.results.iter().take_while(|slot| slot.since <= version);
        let written = written.count();
        let variadic = def.results.iter().any(|slot| slot.arity == Arity::Variadic);
        Some(Self {
            opcode,
            def,
            counts_results: def.has_variadic(),
            results: (!variadic).then_some(written),
            later_results: &def.results[written..],
            flags: has_flags.then_some((1 << present.count()) - 1),
            attrs: attrs.collect(),
            per_index: def
                .attrs
                .iter()
                .any(|slot| slot.presence == Presence::AllFalse && slot.since <= version)
                .then(|| indices(def)),
            operands: operand_plan(def, version, |index| bit_of(OptionalField::Operand(index))),
            regions,
            is_terminator: def.is_terminator(),
        })
    }
}

/// Returns the operand slot of the indices for which an attribute has one list entry each.
fn indices(def: &OpDef) -> usize {
    let mut slots = def.operands.iter();
    let index = slots.position(|slot| slot.arity == Arity::Variadic);
    index.expect("the row of such an attribute has indices")
}

fn operand_plan(
    def: &'static OpDef,
    version: Version,
    bit_of: impl Fn(usize) -> u32,
) -> OperandPlan {
    if def.segmented {
        let slots = def.operands.iter().enumerate();
        return OperandPlan::Slots(
            slots
                .map(|(index, slot)| match slot.arity {
                    _ if slot.since > version => SlotPlan::Later(slot),
                    Arity::One => SlotPlan::One,
                    Arity::Optional => SlotPlan::IfFlag(bit_of(index)),
                    Arity::Variadic => SlotPlan::Counted,
                })
                .collect(),
        );
    }
    let variable = def
        .operands
        .iter()
        .position(|slot| slot.arity != Arity::One);
    let slots = def.operands.len();
    variable.map_or(OperandPlan::Each(slots), |variable| OperandPlan::Counted {
        variable,
        slots,
    })
}

/// A field whose presence is a bit of the flags word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionalField {
    /// An attribute slot.
    Attr(usize),
    /// An operand slot.
    Operand(usize),
}

/// Returns the fields that have a presence bit, from bit 0, each with the version that introduced
/// it. They are sorted by version, then attributes before operands, then by declaration.
fn optional_fields(def: &OpDef) -> Vec<(OptionalField, Version)> {
    let attrs = def
        .attrs
        .iter()
        .enumerate()
        .filter(|(_, attr)| attr.presence == Presence::Optional)
        .map(|(index, attr)| (OptionalField::Attr(index), attr.since));
    let operands = def
        .operands
        .iter()
        .enumerate()
        .filter(|(_, slot)| def.segmented && slot.arity == Arity::Optional)
        .map(|(index, slot)| (OptionalField::Operand(index), slot.since));
    let mut fields: Vec<_> = attrs.chain(operands).collect();
    fields.sort_by_key(|&(_, since)| since);
    fields
}

#[cfg(test)]
mod tests {
    use super::{OptionalField, optional_fields, plans};
    use crate::ops::{Arity, Constraint, FloatOp, Opcode, RegionCount, Version, ViewOp};

    #[test]
    fn attributes_come_before_operands_in_the_flags_word() {
        let fields: Vec<_> = optional_fields(ViewOp::LoadViewTko.def())
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(
            fields,
            [
                OptionalField::Attr(1),
                OptionalField::Attr(2),
                OptionalField::Operand(2)
            ]
        );
    }

    #[test]
    fn an_op_without_optional_fields_has_no_flags_word() {
        assert!(optional_fields(FloatOp::AbsF.def()).is_empty());
    }

    /// Checks the assumptions of [`Plan`] about the rows.
    #[test]
    fn rows_can_be_laid_out() {
        for opcode in Opcode::all() {
            let def = opcode.def();
            if def.regions == RegionCount::Any {
                continue;
            }
            let variable = def.operands.iter().filter(|slot| slot.arity != Arity::One);
            assert!(def.segmented || variable.count() <= 1, "{}", def.mnemonic);
            let later = def.results.iter().filter(|slot| slot.since > def.since);
            for slot in later {
                assert_eq!(slot.constraint, Constraint::Token, "{}", def.mnemonic);
                assert_eq!(slot.arity, Arity::One, "{}", def.mnemonic);
            }
            assert!(def.results.is_sorted_by_key(|slot| slot.since));
            assert!(optional_fields(def).len() < 32, "{}", def.mnemonic);
        }
    }

    #[test]
    fn a_version_has_the_operations_of_its_time() {
        let count = |version| plans(version).iter().flatten().count();
        let [first, second, third, fourth] = Version::ALL.map(count);
        assert_eq!(
            [first, second - first, third - second, fourth - third],
            [89, 1, 7, 5]
        );
    }
}
