//! Verifies the limits of types.

use super::Context;
use super::plan::class;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, ValueId};
use crate::types::{Scalar, Type, TypeKind};
use rustc_hash::FxHashMap;

/// The classes of the valid types seen so far.
#[derive(Default)]
pub(super) struct Known(FxHashMap<Type, u8>);

impl Known {
    /// Returns the class of a type; `None` if it breaks a limit of the dialect.
    pub(super) fn class(&mut self, ty: Type) -> Option<u8> {
        if let Some(&class) = self.0.get(&ty) {
            return Some(class);
        }
        if type_error(ty).is_some() {
            return None;
        }
        self.0.insert(ty, class(ty));
        Some(class(ty))
    }
}

/// Reports a value of an invalid type at its definition.
pub(super) fn verify(cx: &mut Context<'_>, value: ValueId) {
    let ty = cx.module.ty(value);
    if cx.types.class(ty).is_none()
        && let Some(error) = type_error(ty)
    {
        let loc = cx.module.value(value).loc;
        cx.report(Diagnostic::error(Code::VerifyType, loc, error).here(format!("this is `{ty}`")));
    }
}

/// Reports an invalid type among the results in the signature of a function. The parameters are
/// checked as arguments of its block.
pub(super) fn verify_results(cx: &mut Context<'_>, op: &Op, results: &[Type]) {
    if let Some(error) = results.iter().find_map(|&ty| type_error(ty)) {
        cx.error(
            Code::VerifyType,
            op,
            error,
            "what a function returns has a type of the dialect",
        );
    }
}

/// Returns the rule of the dialect that a value of type `ty` would break, if any.
pub(super) fn type_error(ty: Type) -> Option<String> {
    match ty.kind() {
        TypeKind::Function(_) => Some("a value cannot be a function".to_owned()),
        TypeKind::Scalar(Scalar::I4) => Some("`i4` is allowed in tiles only".to_owned()),
        _ => ty.invalid_reason(),
    }
}
