//! Rows of the op table, preprocessed for the verifier: names are resolved, and the types that a
//! slot admits form a bit set.

use super::rules::{Part, admits};
use crate::ops::{Constraint, OpDef, Opcode, Rule};
use crate::types::{
    Element, FunctionType, GatherScatterViewType, PartitionViewType, Scalar, StridedViewType,
    TensorViewType, TileType, Type, TypeKind,
};
use std::ops::BitOr;
use std::sync::OnceLock;

/// A preprocessed row.
pub(super) struct Plan {
    pub(super) def: &'static OpDef,
    pub(super) is_terminator: bool,
    /// The operations that may directly enclose the operation, if the row restricts them; one bit
    /// per [`Opcode::index`].
    pub(super) parents: Option<u128>,
    /// The admitted types of each operand slot.
    pub(super) operands: Vec<Classes>,
    /// The admitted types of each result slot.
    pub(super) results: Vec<Classes>,
    pub(super) checks: Vec<Check>,
}

/// A rule on the values of an operation.
pub(super) enum Check {
    /// The values of these slots agree in this part of their types.
    Agree(Part, Vec<Place>),
    /// If this attribute is present, the element type of the slot's values is f32.
    FlagNeedsF32(usize, Place),
    /// If this attribute has one of these values, the element type of the slot's values is f32.
    RoundingNeedsF32(usize, u8, Place),
}

/// An operand or result slot.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) name: &'static str,
    pub(super) index: usize,
    pub(super) is_operand: bool,
}

impl Plan {
    /// Returns the plan of `opcode`.
    pub(super) fn for_opcode(opcode: Opcode) -> &'static Plan {
        static PLANS: OnceLock<Vec<Plan>> = OnceLock::new();
        let plans = PLANS.get_or_init(|| {
            Opcode::all()
                .map(|opcode| Plan::new(opcode.def()))
                .collect()
        });
        &plans[opcode.index()]
    }

    fn new(def: &'static OpDef) -> Self {
        let place = |name: &'static str| {
            let operand = def.operands.iter().position(|slot| slot.name == name);
            let result = def.results.iter().position(|slot| slot.name == name);
            Place {
                name,
                index: operand.or(result).expect("rules name slots of their row"),
                is_operand: operand.is_some(),
            }
        };
        let attr = |name: &str| {
            let attr_index = def.attrs.iter().position(|slot| slot.name == name);
            attr_index.expect("rules name attributes of their row")
        };
        let agree = |part, slots: &[&'static str]| {
            Check::Agree(part, slots.iter().map(|&slot| place(slot)).collect())
        };
        let mut plan = Self {
            def,
            is_terminator: false,
            parents: None,
            operands: def
                .operands
                .iter()
                .map(|slot| Classes::for_constraint(slot.constraint))
                .collect(),
            results: def
                .results
                .iter()
                .map(|slot| Classes::for_constraint(slot.constraint))
                .collect(),
            checks: Vec::new(),
        };
        for rule in def.rules {
            match *rule {
                Rule::SameType(slots) => plan.checks.push(agree(Part::Type, slots)),
                Rule::SameShape(slots) => plan.checks.push(agree(Part::Shape, slots)),
                Rule::SameElement(slots) => plan.checks.push(agree(Part::Element, slots)),
                Rule::SameRank(slots) => plan.checks.push(agree(Part::Rank, slots)),
                Rule::FlagNeedsF32(flag, slot) => {
                    plan.checks
                        .push(Check::FlagNeedsF32(attr(flag), place(slot)));
                }
                Rule::RoundingNeedsF32(set, slot) => {
                    let attr = attr("rounding_mode");
                    plan.checks
                        .push(Check::RoundingNeedsF32(attr, set, place(slot)));
                }
                Rule::Terminator => plan.is_terminator = true,
                Rule::ParentIsOneOf(parents) => {
                    let parents = Opcode::all().filter(|op| parents.contains(&op.def().mnemonic));
                    plan.parents = Some(parents.fold(0, |set, op| set | 1 << op.index()));
                }
            }
        }
        plan
    }
}

/// A set of type classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Classes(u64);

impl Classes {
    /// Returns the classes that `constraint` admits.
    pub(super) fn for_constraint(constraint: Constraint) -> Self {
        static SAMPLES: OnceLock<Vec<Type>> = OnceLock::new();
        let candidates = SAMPLES.get_or_init(samples).iter();
        let admitted = candidates.filter(|&&ty| admits(constraint, ty));
        Self(admitted.map(|&ty| 1 << class(ty)).fold(0, u64::bitor))
    }

    /// Returns `true` if a type of class `class` is admitted.
    pub(super) fn admit(self, class: u8) -> bool {
        self.0 >> class & 1 == 1
    }
}

const POINTER: u8 = Scalar::ALL[Scalar::ALL.len() - 1] as u8 + 1;
const OTHERS: u8 = 2 * (POINTER + 1);

/// Returns the class of a type, by which constraints distinguish types: for a tile, its element
/// type and whether its rank is 0; for any other type, its kind.
pub(super) fn class(ty: Type) -> u8 {
    match ty.kind() {
        TypeKind::Tile(TileType { element, shape }) => {
            let element = match element {
                Element::Scalar(scalar) => *scalar as u8,
                Element::Ptr(_) => POINTER,
            };
            2 * element + u8::from(!shape.is_empty())
        }
        TypeKind::TensorView(_) => OTHERS,
        TypeKind::PartitionView(_) => OTHERS + 1,
        TypeKind::StridedView(_) => OTHERS + 2,
        TypeKind::GatherScatterView(_) => OTHERS + 3,
        TypeKind::Token => OTHERS + 4,
        TypeKind::Scalar(_) => OTHERS + 5,
        TypeKind::Ptr(_) => OTHERS + 6,
        TypeKind::Function(_) => OTHERS + 7,
        TypeKind::Foreign(_) => OTHERS + 8,
        TypeKind::Error => OTHERS + 9,
    }
}

/// Returns one type of each class, in the order of the classes.
fn samples() -> Vec<Type> {
    let scalars = Scalar::ALL.into_iter().map(Element::Scalar);
    let elements = scalars.chain([Element::Ptr(Scalar::F32)]);
    let tiles = elements.flat_map(|element| [Type::tile(element, &[]), Type::tile(element, &[2])]);
    let tensor_view = TensorViewType {
        element: Scalar::F32,
        shape: vec![None],
        strides: vec![None],
    };
    let others = [
        TypeKind::TensorView(tensor_view.clone()),
        TypeKind::PartitionView(PartitionViewType::new(&[2], tensor_view.clone(), None)),
        TypeKind::StridedView(StridedViewType {
            tile: vec![2],
            traversal_strides: vec![1],
            padding: None,
            tensor_view: tensor_view.clone(),
            dim_map: vec![0],
        }),
        TypeKind::GatherScatterView(GatherScatterViewType {
            tile: vec![2],
            padding: None,
            tensor_view,
            sparse_dim: 0,
        }),
        TypeKind::Token,
        TypeKind::Scalar(Scalar::F32),
        TypeKind::Ptr(Scalar::F32),
        TypeKind::Function(FunctionType {
            inputs: Vec::new(),
            results: Vec::new(),
        }),
        TypeKind::Foreign("!other.type".into()),
        TypeKind::Error,
    ];
    let samples: Vec<Type> = tiles.chain(others.map(Type::new)).collect();
    debug_assert!(samples.iter().map(|&ty| class(ty)).eq(0..OTHERS + 10));
    samples
}

#[cfg(test)]
mod tests {
    use super::{Classes, Plan, admits, class, samples};
    use crate::ops::Opcode;
    use crate::types::{Element, Scalar, Type, TypeKind};
    use std::collections::BTreeSet;

    #[test]
    fn there_is_a_sample_of_each_class() {
        let samples = samples();
        let classes: BTreeSet<u8> = samples.iter().map(|&ty| class(ty)).collect();
        assert_eq!(classes.len(), samples.len());
        assert!(classes.into_iter().eq(0..42));
    }

    #[test]
    fn a_slot_admits_the_types_of_a_class_or_none() {
        let mut types = samples();
        for scalar in Scalar::ALL {
            types.push(Type::tile(scalar, &[4, 8]));
            types.push(Type::tile(Element::Ptr(scalar), &[]));
            types.push(Type::tile(Element::Ptr(scalar), &[16]));
            types.push(Type::new(TypeKind::Scalar(scalar)));
            types.push(Type::new(TypeKind::Ptr(scalar)));
        }
        let rows = Opcode::all().map(Opcode::def);
        for slot in rows.flat_map(|def| def.operands.iter().chain(def.results)) {
            let classes = Classes::for_constraint(slot.constraint);
            for &ty in &types {
                let admitted = admits(slot.constraint, ty);
                assert_eq!(
                    classes.admit(class(ty)),
                    admitted,
                    "{:?} {ty}",
                    slot.constraint
                );
            }
        }
    }

    #[test]
    fn a_plan_is_that_of_its_opcode() {
        for opcode in Opcode::all() {
            let plan = Plan::for_opcode(opcode);
            assert_eq!(plan.def.mnemonic, opcode.def().mnemonic);
            assert_eq!(plan.is_terminator, opcode.def().is_terminator());
        }
    }
}
