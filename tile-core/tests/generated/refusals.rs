//! Valid modules that `tileiras` refuses, with the reasons.

use tile_core::Module;
use tile_core::ir::{AtomicRmwMode, Attr, Op, ValueId};
use tile_core::ops::{AtomicOp, ControlFlowOp, ConversionOp, CoreOp, MiscOp, Opcode, ViewOp};
use tile_core::types::{Element, Scalar, Type, TypeKind};

/// A reason for which `tileiras --gpu-name=sm_90` refuses a valid module.
pub(crate) struct Refusal {
    /// The reason.
    pub(crate) reason: &'static str,
    /// A part of the message of `tileiras`.
    message: &'static str,
    /// Returns `true` if a module contains the refused construct. Such a module may still be
    /// accepted, since `tileiras` removes dead code before it checks the rest.
    holds: fn(&Module) -> bool,
    /// A module that is refused for this reason alone.
    pub(crate) example: &'static str,
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
        example: "entry @k() {
            %a = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
        }",
    },
    Refusal {
        reason: "sm_90 has no f4E2M1FN",
        message: "Incompatibility with architecture 'sm_90': unsupported type 'f4E2M1FN'",
        holds: |module| has_scalar(module, Scalar::F4E2M1FN),
        example: "entry @k() {
            %a = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
        }",
    },
    Refusal {
        reason: "the index tile of a gather or scatter is narrower than i32",
        message: NO_MESSAGE,
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
        example: "entry @k(%p: tile<ptr<f32>>) {
            %t = make_tensor_view %p, shape = [32], strides = [1] : tensor_view<32xf32, strides=[1]>
            %v = make_gather_scatter_view %t
                : gather_scatter_view<tile=(8), tensor_view<32xf32, strides=[1]>, sparse_dim=0>
            %i = iota : tile<8xi16>
            %x = constant <f32: 1.0> : tile<8xf32>
            %s = store_view_tko weak %x, %v[%i] : tile<8xf32>,
                gather_scatter_view<tile=(8), tensor_view<32xf32, strides=[1]>, sparse_dim=0>,
                tile<8xi16> -> token
        }",
    },
    Refusal {
        reason: "a load of a partition or strided view with a padding value promises `inbounds`",
        message: NO_MESSAGE,
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
        example: "entry @k(%p: tile<ptr<f32>>) {
            %t = make_tensor_view %p, shape = [32], strides = [1] : tensor_view<32xf32, strides=[1]>
            %v = make_partition_view %t : partition_view<tile=(8), padding_value = zero,
                tensor_view<32xf32, strides=[1]>>
            %i = constant <i32: 1> : tile<i32>
            %x, %s = load_view_tko relaxed device %v[%i] inbounds = [true]
                : partition_view<tile=(8), padding_value = zero, tensor_view<32xf32, strides=[1]>>,
                tile<i32> -> tile<8xf32>, token
        }",
    },
    Refusal {
        reason: "a `reduce` or `scan` is of tf32 or of 8-bit floats",
        message: NO_MESSAGE,
        holds: |module| {
            any_op(module, |module, op| {
                let reductions: [Opcode; 2] = [CoreOp::Reduce.into(), CoreOp::Scan.into()];
                let is_small = |value: &ValueId| {
                    let tile = module.ty(*value).as_number_tile();
                    tile.is_some_and(|(scalar, _)| {
                        scalar == Scalar::TF32 || scalar.is_float() && scalar.bits() == 8
                    })
                };
                reductions.contains(&op.opcode) && op.operands.iter().any(is_small)
            })
        },
        example: "entry @k() {
            %x = constant <tf32: [1.0, 2.0]> : tile<2xtf32>
            %r = reduce %x dim=0 identities=[0.0 : tf32] : tile<2xtf32> -> tile<tf32>
            (%a: tile<tf32>, %b: tile<tf32>) {
                yield %b : tile<tf32>
            }
            %s = print_tko \"%f\", %r : tile<tf32> -> token
        }",
    },
    Refusal {
        reason: "an atomic addition of f16 or bf16 has a constant address",
        message: NO_MESSAGE,
        holds: |module| {
            let is_addition = |module: &Module, op: &Op| {
                op.opcode == AtomicOp::AtomicRmwTko.into()
                    && op.attr("mode") == Some(&Attr::RmwMode(AtomicRmwMode::AddF))
                    && has_width(module.ty(op.operand("arg")), 16)
            };
            any_op(module, is_addition)
                && any_op(module, |_, op| op.opcode == ConversionOp::IntToPtr.into())
        },
        example: "entry @k() {
            %n = constant <i64: 16> : tile<i64>
            %p = int_to_ptr %n : tile<i64> -> tile<ptr<f16>>
            %x = constant <f16: 1.0> : tile<f16>
            %r, %s = atomic_rmw_tko relaxed device %p, addf, %x
                : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
        }",
    },
    Refusal {
        reason: "a loop only prints",
        message: "failed to find a schedule for",
        holds: |module| {
            any_op(module, |_, op| op.opcode == ControlFlowOp::For.into())
                && any_op(module, |_, op| op.opcode == MiscOp::PrintTko.into())
        },
        example: "entry @k(%h: tile<f16>) {
            %one = constant <i64: 1> : tile<i64>
            %most = constant <i64: -1> : tile<i64>
            %t = make_token : token
            %a = constant <f16: 1.0> : tile<f16>
            %b = constant <f64: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0,
                9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tile<16xf64>
            %r:3 = for unsigned %i in (%one to %most, step %one) : tile<i64>
                iter_values(%u = %t, %v = %a, %w = %b) -> (token, tile<f16>, tile<16xf64>) {
                %s = print_tko \"text\" -> token
                %c = constant <f64: 4.0> : tile<16xf64>
                continue %u, %h, %c : token, tile<f16>, tile<16xf64>
            }
        }",
    },
];

/// The output of `tileiras` if it gives no reason.
const NO_MESSAGE: &str = "error: failed to compile Tile IR program";

fn any_op(module: &Module, holds: impl Fn(&Module, &Op) -> bool) -> bool {
    let ops = module.walk(module.body());
    ops.into_iter().any(|id| holds(module, module.op(id)))
}

/// Returns the view that a load or store accesses, and its index.
fn accessed_view<'m>(module: &Module, op: &'m Op) -> Option<(Type, &'m [ValueId])> {
    let accesses: [Opcode; 2] = [ViewOp::LoadViewTko.into(), ViewOp::StoreViewTko.into()];
    let is_access = accesses.contains(&op.opcode);
    is_access.then(|| (module.ty(op.operand("view")), op.operands_of("index")))
}

fn has_width(ty: Type, bits: u32) -> bool {
    ty.as_number_tile()
        .is_some_and(|(scalar, _)| scalar.bits() == bits)
}

/// Returns `true` if any value has the element type `scalar`, or points to it.
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
