//! An operation under construction.

use crate::build::default_value;
use crate::ir::{Attr, AttrSlots, DiscardableAttr, Loc, Module, Op, ValueId};
use crate::ops::{OpDef, Opcode, Presence, Rule};
use crate::types::Type;
use smallvec::{SmallVec, smallvec};
use std::sync::LazyLock;
use thin_vec::ThinVec;

/// The values of an operand slot.
pub(super) type Values = SmallVec<[ValueId; 4]>;

/// The types of a result slot.
pub(super) type Types = SmallVec<[Type; 2]>;

/// An operation whose assembly is being read.
pub(super) struct Draft {
    pub(super) opcode: Opcode,
    pub(super) loc: Loc,
    /// Values per operand slot.
    pub(super) operands: SmallVec<[Values; 4]>,
    /// Values per attribute slot.
    pub(super) attrs: AttrSlots,
    /// Attributes that are not in the row, sorted by name.
    pub(super) discardable: ThinVec<DiscardableAttr>,
    /// Types per result slot, where they are known.
    pub(super) results: SmallVec<[Option<Types>; 3]>,
}

impl Draft {
    /// Makes a draft that has only an opcode and a location.
    pub(super) fn new(opcode: Opcode, loc: Loc) -> Self {
        let def = opcode.def();
        Self {
            opcode,
            loc,
            operands: smallvec![Values::new(); def.operands.len()],
            attrs: def
                .attrs
                .iter()
                .map(|slot| match slot.presence {
                    Presence::Default(number) => Some(default_value(slot.kind, number)),
                    Presence::Required | Presence::Optional | Presence::AllFalse => None,
                })
                .collect(),
            discardable: ThinVec::new(),
            results: smallvec![None; def.results.len()],
        }
    }

    /// Sets the attribute `name`.
    pub(super) fn set(&mut self, name: &str, value: Attr) {
        let slots = self.opcode.def().attrs;
        let index = slots.iter().position(|slot| slot.name == name);
        self.attrs[index.expect("the assembly names slots of the row")] = Some(value);
    }

    /// Returns the types of the results. The rules of the row imply the types that are not written.
    pub(super) fn result_types(&self, module: &Module) -> Types {
        let mut types = Types::new();
        for (slot, written) in self.results.iter().enumerate() {
            match written {
                Some(written) => types.extend_from_slice(written),
                None => types.push(self.inferred(slot, module)),
            }
        }
        types
    }

    fn inferred(&self, slot: usize, module: &Module) -> Type {
        let Peers { results, operands } = &peers(self.opcode)[slot];
        let written = results
            .iter()
            .find_map(|&slot| self.results[slot].as_ref()?.first().copied());
        let operand = || {
            let values = operands.iter();
            values
                .filter_map(|&slot| self.operands[slot].first())
                .map(|&value| module.ty(value))
                .next()
        };
        written.or_else(operand).unwrap_or_else(Type::error)
    }

    pub(super) fn into_op(self) -> Op {
        let segments = self.operands.iter();
        Op {
            segments: segments
                .map(|values| u32::try_from(values.len()).expect("fewer values than bytes"))
                .collect(),
            operands: self.operands.into_iter().flatten().collect(),
            attrs: self.attrs,
            discardable: self.discardable,
            ..Op::new(self.opcode, self.loc)
        }
    }
}

/// The slots whose types equal that of a result.
struct Peers {
    results: Vec<usize>,
    operands: Vec<usize>,
}

/// Returns the peers of each result slot.
fn peers(opcode: Opcode) -> &'static [Peers] {
    static PEERS: LazyLock<Vec<Vec<Peers>>> =
        LazyLock::new(|| Opcode::all().map(|opcode| peers_of(opcode.def())).collect());
    &PEERS[opcode.index()]
}

fn peers_of(def: &OpDef) -> Vec<Peers> {
    let peers = |result: &str| {
        let same = def.rules.iter().find_map(|rule| match rule {
            Rule::SameType(slots) if slots.contains(&result) => Some(*slots),
            _ => None,
        });
        let same = same.unwrap_or_default().iter();
        let result = |peer: &&str| def.results.iter().position(|slot| slot.name == *peer);
        let operand = |peer: &&str| def.operands.iter().position(|slot| slot.name == *peer);
        Peers {
            results: same.clone().filter_map(result).collect(),
            operands: same.filter_map(operand).collect(),
        }
    };
    def.results.iter().map(|slot| peers(slot.name)).collect()
}
