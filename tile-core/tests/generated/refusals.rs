//! Valid modules that `tileiras` refuses, and why.

use tile_core::Module;
use tile_core::ir::{Op, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, MiscOp, Opcode, ViewOp};
use tile_core::types::{Element, Scalar, Type, TypeKind};

/// A reason for which `tileiras --gpu-name=sm_90` refuses a valid module.
pub(crate) struct Refusal {
    /// Why.
    pub(crate) reason: &'static str,
    /// What it says.
    message: &'static str,
    /// Whether it refuses every module that has it.
    pub(crate) certain: bool,
    /// Whether a module has what is refused.
    pub(crate) holds: fn(&Module) -> bool,
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
        certain: true,
        holds: |module| has_scalar(module, Scalar::F8E8M0FNU),
    },
    Refusal {
        reason: "sm_90 has no f4E2M1FN",
        message: "Incompatibility with architecture 'sm_90': unsupported type 'f4E2M1FN'",
        certain: true,
        holds: |module| has_scalar(module, Scalar::F4E2M1FN),
    },
    Refusal {
        reason: "the index tile of a gather or scatter is narrower than i32",
        message: NO_MESSAGE,
        certain: true,
        holds: |module| {
            any_op(module, |module, op| {
                let Some((view, indices)) = accessed_view(module, op) else {
                    return false;
                };
                let is_narrow = |index: &ValueId| {
                    let tile = module.ty(*index).as_number_tile();
                    tile.is_some_and(|(scalar, shape)| !shape.is_empty() && scalar.bits() < 32)
                };
                matches!(view.kind(), TypeKind::GatherScatterView(_))
                    && indices.iter().any(is_narrow)
            })
        },
    },
    Refusal {
        reason: "a load of a partition or strided view with a padding value promises `inbounds`",
        message: NO_MESSAGE,
        certain: true,
        holds: |module| {
            any_op(module, |module, op| {
                let view = accessed_view(module, op).and_then(|(view, _)| view.as_tile_view());
                let is_padded =
                    view.is_some_and(|view| view.padding.is_some() && view.sparse_dim.is_none());
                is_padded
                    && op.opcode == ViewOp::LoadViewTko.into()
                    && op.attr("inbounds").is_some()
            })
        },
    },
    Refusal {
        // The documentation says so too.
        reason: "a `scan` has several operands, and its results are used",
        message: NO_MESSAGE,
        certain: false,
        holds: |module| {
            any_op(module, |module, op| {
                op.opcode == CoreOp::Scan.into()
                    && op.operands.len() > 1
                    && any_op(module, |_, user| {
                        user.operands.iter().any(|value| op.results.contains(value))
                    })
            })
        },
    },
    Refusal {
        reason: "a loop only prints",
        message: "failed to find a schedule for",
        certain: false,
        holds: |module| {
            any_op(module, |_, op| op.opcode == ControlFlowOp::For.into())
                && any_op(module, |_, op| op.opcode == MiscOp::PrintTko.into())
        },
    },
];

/// What it says when it has nothing to say.
const NO_MESSAGE: &str = "error: failed to compile Tile IR program";

fn any_op(module: &Module, holds: impl Fn(&Module, &Op) -> bool) -> bool {
    let ops = module.walk(module.body());
    ops.into_iter().any(|id| holds(module, module.op(id)))
}

/// The view that a load or store accesses, and its index.
fn accessed_view<'m>(module: &Module, op: &'m Op) -> Option<(Type, &'m [ValueId])> {
    let accesses: [Opcode; 2] = [ViewOp::LoadViewTko.into(), ViewOp::StoreViewTko.into()];
    let is_access = accesses.contains(&op.opcode);
    is_access.then(|| (module.ty(op.operand("view")), op.operands_of("index")))
}

/// Whether any value is of `scalar`, or points to it.
fn has_scalar(module: &Module, scalar: Scalar) -> bool {
    any_op(module, |module, op| {
        let args = op.regions.iter().flat_map(|&region| {
            let blocks = &module.region(region).blocks;
            blocks.iter().flat_map(|&block| &module.block(block).args)
        });
        let mut values = op.results.iter().chain(args);
        values.any(|&value| is_of(module.ty(value), scalar))
    })
}

fn is_of(ty: Type, scalar: Scalar) -> bool {
    if let Some(tile) = ty.as_tile() {
        return matches!(tile.element, Element::Scalar(s) | Element::Ptr(s) if s == scalar);
    }
    let view = ty.as_tile_view().map(|view| view.tensor_view);
    let view = ty.as_tensor_view().or(view);
    view.is_some_and(|view| view.element == scalar)
}
