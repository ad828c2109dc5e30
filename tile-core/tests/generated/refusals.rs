//! Valid modules that `tileiras` refuses, and why.

use tile_core::Module;
use tile_core::ir::{Op, ValueId};
use tile_core::types::{Element, Scalar, Type, TypeKind};

/// A reason for which `tileiras --gpu-name=sm_90` refuses a valid module.
pub(crate) struct Refusal {
    /// Why.
    pub(crate) reason: &'static str,
    /// What it says.
    message: &'static str,
    /// Whether a module has what is refused.
    holds: fn(&Module) -> bool,
}

impl Refusal {
    pub(crate) fn explains(&self, module: &Module, errors: &str) -> bool {
        errors.contains(self.message) && (self.holds)(module)
    }
}

pub(crate) const REFUSALS: &[Refusal] = &[
    Refusal {
        reason: "sm_90 has no f8E8M0FNU",
        message: "Incompatibility with architecture 'sm_90': unsupported type 'f8E8M0FNU'",
        holds: |module| has_scalar(module, Scalar::F8E8M0FNU),
    },
    Refusal {
        reason: "sm_90 has no f4E2M1FN",
        message: "Incompatibility with architecture 'sm_90': unsupported type 'f4E2M1FN'",
        holds: |module| has_scalar(module, Scalar::F4E2M1FN),
    },
    Refusal {
        reason: "the index tile of a gather or scatter is narrower than i32",
        message: "failed to compile Tile IR program",
        holds: |module| {
            any_op(module, |module, op| {
                accessed_view(module, op).is_some_and(|(view, indices)| {
                    matches!(view.kind(), TypeKind::GatherScatterView(_))
                        && indices.iter().any(|&index| {
                            let tile = module.ty(index).as_number_tile();
                            tile.is_some_and(|(scalar, shape)| {
                                !shape.is_empty() && scalar.bits() < 32
                            })
                        })
                })
            })
        },
    },
];

fn any_op(module: &Module, holds: impl Fn(&Module, &Op) -> bool) -> bool {
    let ops = module.walk(module.body());
    ops.into_iter().any(|id| holds(module, module.op(id)))
}

/// The view that a load or store accesses, and its index.
fn accessed_view<'m>(module: &Module, op: &'m Op) -> Option<(Type, &'m [ValueId])> {
    let is_access = matches!(op.def().mnemonic, "load_view_tko" | "store_view_tko");
    is_access.then(|| (module.ty(op.operand("view")), op.operands_of("index")))
}

/// Whether any value is of `scalar`, or points to it.
fn has_scalar(module: &Module, scalar: Scalar) -> bool {
    (0..module.num_values()).any(|_| true)
        && any_op(module, |module, op| {
            let args = op.regions.iter().flat_map(|&region| {
                let blocks = &module.region(region).blocks;
                blocks.iter().flat_map(|&block| &module.block(block).args)
            });
            op.results
                .iter()
                .chain(args)
                .any(|&value| is_of(module.ty(value), scalar))
        })
}

fn is_of(ty: Type, scalar: Scalar) -> bool {
    if let Some(tile) = ty.as_tile() {
        return matches!(tile.element, Element::Scalar(s) | Element::Ptr(s) if s == scalar);
    }
    let view = ty.as_tensor_view();
    view.or(ty.as_tile_view().map(|view| view.tensor_view))
        .is_some_and(|view| view.element == scalar)
}
