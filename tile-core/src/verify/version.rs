//! Computes the first version of the dialect that can encode a module.

use super::name_of;
use crate::build::default_value;
use crate::ir::{Attr, BlockId, HintValue, Loc, Module, OpId, ValueId};
use crate::ops::{AttrDef, Presence, Version};
use crate::types::Type;

/// The first version that can hold a module, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimumVersion {
    /// The version.
    pub version: Version,
    /// The feature that requires the version, such as "operation `atan2`", with its location;
    /// `None` if the version is the oldest.
    pub reason: Option<(String, Loc)>,
}

/// Returns the first version whose bytecode can hold `module`, if any version can. Features that
/// older versions omit without harm do not count: the producer, and unused results.
pub fn minimum_version(module: &Module) -> MinimumVersion {
    let mut search = Search {
        module,
        used: None,
        minimum: MinimumVersion {
            version: Version::V13_1,
            reason: None,
        },
    };
    for id in reachable(module) {
        search.op(id);
    }
    search.minimum
}

/// Returns every operation of any module, in order. Does not recurse, since an unverified module
/// may nest arbitrarily deep.
fn reachable(module: &Module) -> Vec<OpId> {
    let mut seen = vec![false; module.num_ops()];
    let mut types = Vec::new();
    let mut pending: Vec<OpId> = module.symbols().collect();
    pending.reverse();
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        types.push(id);
        for block in blocks(module, id).rev() {
            pending.extend(module.block(block).ops.iter().rev());
        }
    }
    types
}

/// Returns the blocks of an operation.
fn blocks(module: &Module, id: OpId) -> impl DoubleEndedIterator<Item = BlockId> {
    let regions = module.op(id).regions.iter();
    regions.flat_map(|&region| module.blocks_of(region).iter().copied())
}

struct Search<'m> {
    module: &'m Module,
    /// For each value, whether an operation uses it; computed on demand.
    used: Option<Vec<bool>>,
    minimum: MinimumVersion,
}

impl Search<'_> {
    /// Records that the feature `what`, used at `loc`, was introduced in `version`.
    fn note(&mut self, version: Version, loc: Loc, what: impl FnOnce() -> String) {
        if version > self.minimum.version {
            self.minimum = MinimumVersion {
                version,
                reason: Some((what(), loc)),
            };
        }
    }

    fn ty(&mut self, ty: Type, loc: Loc) {
        self.note(ty.since(), loc, || format!("type `{ty}`"));
    }

    fn op(&mut self, id: OpId) {
        let module = self.module;
        let op = module.op(id);
        let def = op.def();
        let name = || name_of(op);
        self.note(def.since, op.loc, || format!("operation `{}`", name()));
        for (slot, &count) in def.operands.iter().zip(&op.segments) {
            if count > 0 {
                self.note(slot.since, op.loc, || {
                    format!("operand `{}` of `{}`", slot.name, name())
                });
            }
        }
        for (slot, attr) in def.attrs.iter().zip(&op.attrs) {
            if let Some(attr) = attr.as_ref().filter(|attr| !is_default(slot, attr)) {
                self.note(slot.since, op.loc, || {
                    format!("attribute `{}` of `{}`", slot.name, name())
                });
                self.attr(attr, op.loc);
            }
        }
        for (index, &result) in op.results.iter().enumerate() {
            let Some(value) = module.get_value(result) else {
                continue;
            };
            let slot = def.results.get(index).or(def.results.last());
            if let Some(slot) = slot.filter(|slot| slot.since > def.since) {
                if !self.is_used(result) {
                    continue;
                }
                self.note(slot.since, op.loc, || {
                    format!("result `{}` of `{}`", slot.name, name())
                });
            }
            self.ty(value.ty, op.loc);
        }
        for block in blocks(module, id) {
            for &argument in &module.block(block).args {
                self.ty(module.ty(argument), module.value(argument).loc);
            }
        }
    }

    fn attr(&mut self, attr: &Attr, loc: Loc) {
        match attr {
            Attr::Type(ty) => self.ty(*ty, loc),
            Attr::Scalars(numbers) => {
                for number in numbers {
                    let scalar = number.scalar;
                    self.note(scalar.since(), loc, || format!("type `{scalar}`"));
                }
            }
            Attr::Hints(hints) => {
                let entries = hints.per_arch.iter().flat_map(|(_, entries)| entries);
                let mut pending: Vec<&HintValue> = entries.map(|(_, value)| value).collect();
                while let Some(value) = pending.pop() {
                    match value {
                        HintValue::Number(number) => {
                            let scalar = number.scalar;
                            self.note(scalar.since(), loc, || format!("type `{scalar}`"));
                        }
                        HintValue::Type(ty) => self.ty(*ty, loc),
                        HintValue::Array(values) => pending.extend(values),
                        HintValue::Dict(entries) => {
                            pending.extend(entries.iter().map(|(_, value)| value));
                        }
                        HintValue::Int(_) | HintValue::Bool(_) | HintValue::Str(_) => {}
                    }
                }
            }
            // The type of the elements is that of a result or of another attribute.
            Attr::Dense(_) => {}
            Attr::Unit
            | Attr::Bool(_)
            | Attr::Int(_)
            | Attr::I32Array(_)
            | Attr::BoolArray(_)
            | Attr::Str(_)
            | Attr::Symbol(_)
            | Attr::Signedness(_)
            | Attr::Overflow(_)
            | Attr::Rounding(_)
            | Attr::Predicate(_)
            | Attr::Ordering(_)
            | Attr::MemoryOrdering(_)
            | Attr::MemoryScope(_)
            | Attr::RmwMode(_)
            | Attr::Visibility(_)
            | Attr::Assume(_) => {}
        }
    }

    fn is_used(&mut self, value: ValueId) -> bool {
        let module = self.module;
        let used = self.used.get_or_insert_with(|| {
            let mut used = vec![false; module.num_values()];
            for id in reachable(module) {
                for operand in &module.op(id).operands {
                    if let Some(used) = used.get_mut(operand.index()) {
                        *used = true;
                    }
                }
            }
            used
        });
        used.get(value.index()).copied().unwrap_or(false)
    }
}

/// Returns `true` if an attribute has the value that its absence implies.
fn is_default(slot: &AttrDef, attr: &Attr) -> bool {
    match slot.presence {
        Presence::Required | Presence::Optional => false,
        Presence::Default(number) => *attr == default_value(slot.kind, number),
        Presence::AllFalse => matches!(attr, Attr::BoolArray(values) if !values.contains(&true)),
    }
}
