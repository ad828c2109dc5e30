//! The limits of types.

use super::{Context, entry};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, OpId, ValueId};
use crate::types::{Scalar, Type, TypeKind};

/// Reports every value of a faulty type, where it is defined. Returns which
/// values those are.
pub(super) fn verify(cx: &mut Context<'_>, ops: &[OpId]) -> Vec<bool> {
    let module = cx.module;
    let mut faulty = vec![false; module.num_values()];
    let mut check = |cx: &mut Context<'_>, value: ValueId| {
        let ty = module.ty(value);
        let Some(fault) = type_fault(ty) else {
            return;
        };
        faulty[value.index()] = true;
        let loc = module.value(value).loc;
        cx.report(Diagnostic::error(Code::VerifyType, loc, fault).here(format!("this is `{ty}`")));
    };
    for &id in ops {
        let op = module.op(id);
        cx.at = Some(id);
        for &result in &op.results {
            check(cx, result);
        }
        if let Some(fault) = results_fault(op) {
            cx.fault(
                Code::VerifyType,
                op,
                fault,
                "what a function returns has a type of the dialect",
            );
        }
        for &region in &op.regions {
            for &block in &module.region(region).blocks {
                for &argument in &module.block(block).args {
                    check(cx, argument);
                }
            }
        }
    }
    faulty
}

/// The rule that a type breaks which a function says to return; its parameters
/// are arguments of its block.
fn results_fault(op: &Op) -> Option<String> {
    if !entry::is_function(op.opcode) {
        return None;
    }
    let signature = entry::signature(op)?;
    signature.results.iter().find_map(|&ty| type_fault(ty))
}

/// The rule of the dialect that a value of type `ty` would break.
pub(super) fn type_fault(ty: Type) -> Option<String> {
    match ty.kind() {
        TypeKind::Function(_) => Some("a value cannot be a function".to_owned()),
        TypeKind::Scalar(Scalar::I4) => Some("`i4` stands in tiles only".to_owned()),
        _ => ty.fault(),
    }
}
