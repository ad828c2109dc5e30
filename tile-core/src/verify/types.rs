//! The limits of types.

use super::Context;
use super::plan::class;
use crate::diag::{Code, Diagnostic};
use crate::ir::ValueId;
use crate::types::{Scalar, Type, TypeKind};

/// The classes of types that were met, to find them again fast.
pub(super) struct Known {
    /// Each at a place that its address gives; the last one met has it.
    entries: [Option<(Type, u8)>; Known::LEN],
}

impl Known {
    const LEN: usize = 256;

    pub(super) fn new() -> Self {
        Self {
            entries: [None; Self::LEN],
        }
    }

    /// The class of a type; `None` if it breaks a limit of the dialect.
    pub(super) fn class(&mut self, ty: Type) -> Option<u8> {
        let address = std::ptr::from_ref(ty.kind()).addr();
        let entry = &mut self.entries[(address >> 4) % Self::LEN];
        if let Some((known, class)) = *entry
            && known == ty
        {
            return Some(class);
        }
        if type_fault(ty).is_some() {
            return None;
        }
        *entry = Some((ty, class(ty)));
        Some(class(ty))
    }
}

/// Reports a value of a faulty type, where it is defined.
pub(super) fn verify(cx: &mut Context<'_>, value: ValueId) {
    let ty = cx.module.ty(value);
    if cx.types.class(ty).is_some() {
        return;
    }
    if let Some(fault) = type_fault(ty) {
        let loc = cx.module.value(value).loc;
        cx.report(Diagnostic::error(Code::VerifyType, loc, fault).here(format!("this is `{ty}`")));
    }
}

/// The rule of the dialect that a value of type `ty` would break.
pub(super) fn type_fault(ty: Type) -> Option<String> {
    match ty.kind() {
        TypeKind::Function(_) => Some("a value cannot be a function".to_owned()),
        TypeKind::Scalar(Scalar::I4) => Some("`i4` stands in tiles only".to_owned()),
        _ => ty.fault(),
    }
}
