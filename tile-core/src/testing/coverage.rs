//! Measures which rows of the table of operations a set of modules covers.

use super::since;
use crate::ir::{
    AssumePredicate, AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, DebugLoc,
    DebugLocKind, HintValue, IntegerOverflow, MemoryOrdering, MemoryScope, Module, Op,
    RoundingMode, Signedness, SymbolVisibility,
};
use crate::ops::{AttrDef, AttrKind, ConversionOp, IntegerOp, OpDef, Opcode, Presence, Version};
use crate::types::{Element, PaddingValue, Scalar, Type, TypeKind};
use std::collections::BTreeMap;
use std::fmt;

/// Counts of operations, attribute values and types.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    modules: usize,
    ops: BTreeMap<&'static str, usize>,
    /// The counts by `op.attribute = value`.
    attrs: BTreeMap<String, usize>,
    types: BTreeMap<String, usize>,
}

impl Coverage {
    /// Counts the contents of a module.
    pub fn add(&mut self, module: &Module) {
        self.modules += 1;
        for id in module.walk(module.body()) {
            let op = module.op(id);
            *self.ops.entry(op.def().mnemonic).or_default() += 1;
            self.add_attrs(op);
            if let Some(loc) = op.loc.debug() {
                self.add_attr(format!("location = {}", location(loc)));
            }
            for &region in &op.regions {
                for &block in &module.region(region).blocks {
                    for &arg in &module.block(block).args {
                        self.add_type(module.ty(arg));
                    }
                }
            }
            for &result in &op.results {
                self.add_type(module.ty(result));
            }
        }
    }

    /// Returns the number of occurrences of an operation.
    pub fn count(&self, opcode: Opcode) -> usize {
        self.ops.get(opcode.def().mnemonic).copied().unwrap_or(0)
    }

    /// Returns everything that modules of `version` can contain and the counted modules do not:
    /// operations, values of their attributes, element types and kinds of types, each by name.
    pub fn missing(&self, version: Version) -> Vec<String> {
        let mut missing = Vec::new();
        for opcode in Opcode::all() {
            let def = opcode.def();
            let is_official = opcode.dialect().has_bytecode()
                && !matches!(opcode, Opcode::Testing(_) | Opcode::Unregistered(_));
            // The module itself is not an operation of the arena.
            if !is_official || def.mnemonic == "module" || def.since > version {
                continue;
            }
            if self.count(opcode) == 0 {
                missing.push(format!("operation `{}`", def.mnemonic));
            }
            for slot in def.attrs.iter().filter(|slot| slot.since <= version) {
                missing.extend(
                    values(opcode, slot, version)
                        .into_iter()
                        .map(|value| attr_key(def, slot, &value))
                        .filter(|key| !self.attrs.contains_key(key)),
                );
            }
        }
        let hints = HINT_KINDS.map(hint_key).into_iter();
        missing.extend(hints.filter(|key| !self.attrs.contains_key(key)));
        let types = types(version).into_iter();
        missing.extend(types.filter(|ty| !self.types.contains_key(ty)));
        missing
    }

    fn add_attrs(&mut self, op: &Op) {
        let def = op.def();
        for (index, (slot, value)) in def.attrs.iter().zip(&op.attrs).enumerate() {
            let value = match value {
                Some(value) => shown(value),
                None => Some(ABSENT.to_owned()),
            };
            if let Some(value) = value {
                self.add_attr(attr_key(def, slot, &value));
            }
            if let Some(Attr::Hints(hints)) = &op.attrs[index] {
                let values = hints.per_arch.iter().flat_map(|(_, values)| values);
                for (_, value) in values {
                    self.add_attr(hint_key(hint_kind(value)));
                }
            }
        }
    }

    fn add_attr(&mut self, key: String) {
        *self.attrs.entry(key).or_default() += 1;
    }

    fn add_type(&mut self, ty: Type) {
        for key in type_keys(ty) {
            *self.types.entry(key).or_default() += 1;
        }
    }
}

/// Prints a table: a line for each item that occurs, with its count.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            modules,
            ops,
            attrs,
            types,
        } = self;
        writeln!(
            f,
            "{modules} modules, {} operations",
            ops.values().sum::<usize>()
        )?;
        for (name, count) in ops {
            writeln!(f, "{count:8} {name}")?;
        }
        for (name, count) in attrs.iter().chain(types) {
            writeln!(f, "{count:8} {name}")?;
        }
        Ok(())
    }
}

const ABSENT: &str = "absent";

fn attr_key(def: &OpDef, slot: &AttrDef, value: &str) -> String {
    format!("{}.{} = {value}", def.mnemonic, slot.name)
}

/// Returns the value of an attribute, if its kind has a small number of values.
fn shown(attr: &Attr) -> Option<String> {
    let name = match attr {
        Attr::Unit => "present",
        Attr::Bool(value) => return Some(value.to_string()),
        Attr::Signedness(value) => value.name(),
        Attr::Overflow(value) => value.name(),
        Attr::Rounding(value) => value.name(),
        Attr::Predicate(value) => value.name(),
        Attr::Ordering(value) => value.name(),
        Attr::MemoryOrdering(value) => value.name(),
        Attr::MemoryScope(value) => value.name(),
        Attr::RmwMode(value) => value.name(),
        Attr::Visibility(value) => value.name(),
        Attr::Assume(predicate) => match **predicate {
            AssumePredicate::DivBy { every: None, .. } => "div_by",
            AssumePredicate::DivBy { .. } => "div_by every",
            AssumePredicate::SameElements(_) => "same_elements",
            AssumePredicate::Bounded { .. } => "bounded",
        },
        Attr::Dense(data) => return Some(data.scalar().name().to_owned()),
        Attr::BoolArray(_) => "present",
        Attr::Hints(_) => "present",
        Attr::Int(_)
        | Attr::I32Array(_)
        | Attr::Str(_)
        | Attr::Symbol(_)
        | Attr::Type(_)
        | Attr::Scalars(_) => return None,
    };
    Some(name.to_owned())
}

const HINT_KINDS: [&str; 7] = ["int", "bool", "number", "str", "type", "array", "dict"];

fn hint_kind(value: &HintValue) -> &'static str {
    match value {
        HintValue::Int(_) => HINT_KINDS[0],
        HintValue::Bool(_) => HINT_KINDS[1],
        HintValue::Number(_) => HINT_KINDS[2],
        HintValue::Str(_) => HINT_KINDS[3],
        HintValue::Type(_) => HINT_KINDS[4],
        HintValue::Array(_) => HINT_KINDS[5],
        HintValue::Dict(_) => HINT_KINDS[6],
    }
}

fn hint_key(kind: &str) -> String {
    format!("hint = {kind}")
}

fn location(loc: DebugLoc) -> &'static str {
    match loc.kind() {
        DebugLocKind::Unknown => "unknown",
        DebugLocKind::File(_) => "file",
        DebugLocKind::Scoped { .. } => "scoped",
        DebugLocKind::CallSite { .. } => "call site",
        DebugLocKind::Name { .. } => "name",
        DebugLocKind::Fused { .. } => "fused",
    }
}

/// Returns those of the values of [`shown`] that a slot may have.
fn values(opcode: Opcode, slot: &AttrDef, version: Version) -> Vec<String> {
    fn named<T: Copy>(values: &[T], name: fn(T) -> &'static str) -> Vec<String> {
        values.iter().map(|&value| name(value).to_owned()).collect()
    }
    fn members<T>(
        set: u64,
        from: fn(u64) -> Option<T>,
        name: fn(T) -> &'static str,
    ) -> Vec<String> {
        let numbers = (0..64).filter(|number| set >> number & 1 == 1);
        let members = numbers.filter_map(from);
        members.map(|value| name(value).to_owned()).collect()
    }
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let mut values: Vec<String> = match slot.kind {
        AttrKind::Unit | AttrKind::BoolArray | AttrKind::Hints => texts(&["present"]),
        AttrKind::Bool => texts(&["true", "false"]),
        AttrKind::Signedness => named(Signedness::ALL, Signedness::name),
        AttrKind::Overflow => named(IntegerOverflow::ALL, IntegerOverflow::name),
        AttrKind::Predicate => named(ComparisonPredicate::ALL, ComparisonPredicate::name),
        AttrKind::Ordering => named(ComparisonOrdering::ALL, ComparisonOrdering::name),
        AttrKind::Visibility => named(SymbolVisibility::ALL, SymbolVisibility::name),
        AttrKind::Rounding(set) => {
            members(set.into(), RoundingMode::from_number, RoundingMode::name)
        }
        AttrKind::MemoryOrdering(set) => members(
            set.into(),
            MemoryOrdering::from_number,
            MemoryOrdering::name,
        ),
        AttrKind::MemoryScope(set) => {
            members(set.into(), MemoryScope::from_number, MemoryScope::name)
        }
        AttrKind::RmwMode(set) => {
            members(set.into(), AtomicRmwMode::from_number, AtomicRmwMode::name)
        }
        AttrKind::Assume => texts(&["div_by", "div_by every", "same_elements", "bounded"]),
        AttrKind::Dense => {
            let scalars = Scalar::ALL.into_iter();
            let scalars = scalars.filter(|&s| s != Scalar::I4 && since(s) <= version);
            scalars.map(|scalar| scalar.name().to_owned()).collect()
        }
        AttrKind::U32
        | AttrKind::U64
        | AttrKind::Str
        | AttrKind::Symbol
        | AttrKind::Type
        | AttrKind::I32Array
        | AttrKind::Scalars => Vec::new(),
    };
    if matches!(slot.presence, Presence::Optional | Presence::AllFalse) {
        values.push(ABSENT.to_owned());
    }
    values.retain(|value| is_legal(opcode, value, version));
    values
}

/// Returns `true` if the operation may have a value that its row admits.
fn is_legal(opcode: Opcode, value: &str, version: Version) -> bool {
    match opcode {
        Opcode::Integer(IntegerOp::NegI) => value != IntegerOverflow::NoUnsignedWrap.name(),
        // Rounding modes other than to nearest exist only for f8E8M0FNU.
        Opcode::Conversion(ConversionOp::FToF) if since(Scalar::F8E8M0FNU) > version => {
            value == RoundingMode::NearestEven.name()
        }
        Opcode::Conversion(ConversionOp::FToF) => value != RoundingMode::NegativeInf.name(),
        _ => true,
    }
}

/// Returns the keys under which a type is counted.
fn type_keys(ty: Type) -> Vec<String> {
    let view = |name: &str, padding: Option<PaddingValue>| {
        let padding = padding.map_or("none", PaddingValue::name);
        vec![format!("{name}, padding {padding}")]
    };
    match ty.kind() {
        TypeKind::Tile(tile) => vec![
            format!("rank {}", tile.shape.len()),
            match tile.element {
                Element::Scalar(scalar) => format!("tile of {scalar}"),
                Element::Ptr(pointee) => format!("tile of ptr<{pointee}>"),
            },
        ],
        TypeKind::TensorView(view) => vec![format!("tensor_view of {}", view.element)],
        TypeKind::PartitionView(of) => view("partition_view", of.padding),
        TypeKind::StridedView(of) => view("strided_view", of.padding),
        TypeKind::GatherScatterView(of) => view("gather_scatter_view", of.padding),
        TypeKind::Token => vec!["token".to_owned()],
        TypeKind::Scalar(_)
        | TypeKind::Ptr(_)
        | TypeKind::Function(_)
        | TypeKind::Foreign(_)
        | TypeKind::Error => Vec::new(),
    }
}

/// Returns the keys of all types that `version` has.
fn types(version: Version) -> Vec<String> {
    let mut keys = vec!["token".to_owned()];
    keys.extend([0, 1, 2, 3, 4, 8].map(|rank| format!("rank {rank}")));
    for scalar in Scalar::ALL {
        if since(scalar) > version {
            continue;
        }
        keys.push(format!("tile of {scalar}"));
        if scalar != Scalar::I4 {
            keys.push(format!("tile of ptr<{scalar}>"));
            keys.push(format!("tensor_view of {scalar}"));
        }
    }
    let views: &[&str] = if version >= Version::V13_3 {
        &["partition_view", "strided_view", "gather_scatter_view"]
    } else {
        &["partition_view"]
    };
    for view in views {
        let paddings = PaddingValue::ALL.map(PaddingValue::name);
        for padding in paddings.into_iter().chain(["none"]) {
            keys.push(format!("{view}, padding {padding}"));
        }
    }
    keys
}
