//! Verifies the scopes of locations: an operation must be in the function that its scope names.
//!
//! - The location of a function is not a call site. If it has a scope, the scope is a subprogram
//!   whose linkage name is the symbol of the function.
//! - The location of an operation in a function has a scope only if the function has one. The scope
//!   is then within the subprogram of the function.
//! - No other location in the module has a scope.

use super::entry::is_function;
use super::symbols::symbol_name;
use super::{Context, name_of};
use crate::diag::Code;
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, Op, OpId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The state of the check.
#[derive(Default)]
pub(super) struct Debug {
    /// The last function for which the missing scope was reported.
    reported: Option<OpId>,
    /// Scopes that were found well formed.
    formed: FxHashSet<DebugAttr>,
}

impl Debug {
    /// Checks the location of an operation in the function `around`.
    pub(super) fn verify(&mut self, cx: &mut Context<'_>, op: &Op, around: Option<OpId>) {
        let Some(loc) = op.loc.debug() else {
            return;
        };
        if let Some((message, rule)) = self.malformed(loc) {
            cx.error(Code::VerifyAttributes, op, message, rule);
            return;
        }
        if is_function(op.opcode) {
            function(cx, op, loc);
        } else if let Some(scope) = loc.scope() {
            self.operation(cx, op, around, scope);
        }
    }

    /// Checks the scope of an operation that is not a function.
    fn operation(&mut self, cx: &mut Context<'_>, op: &Op, around: Option<OpId>, scope: DebugAttr) {
        let Some(around) = around else {
            let message = format!("the location of `{}` has a scope", name_of(op));
            let rule = "only functions, and what is in them, have a scope";
            cx.error(Code::VerifyAttributes, op, message, rule);
            return;
        };
        let module = cx.module;
        let function = module.op(around);
        let name = symbol_name(function).unwrap_or_default();
        let Some(subprogram) = function.loc.debug().and_then(DebugLoc::scope) else {
            if self.reported.replace(around) != Some(around) {
                let mnemonic = name_of(op);
                cx.error(
                    Code::VerifyAttributes,
                    op,
                    format!("the location of `{mnemonic}` has a scope, that of `{name}` has none"),
                    "a function that has an operation with a scope has one itself",
                );
            }
            return;
        };
        let is_subprogram = matches!(subprogram.kind(), DebugAttrKind::Subprogram { .. });
        if is_subprogram && scope.subprogram() != Some(subprogram) {
            let scope_kind = scope.subprogram().map(DebugAttr::kind);
            let scope_kind = match scope_kind {
                Some(DebugAttrKind::Subprogram { name, .. }) => name,
                _ => "none",
            };
            cx.error(
                Code::VerifyAttributes,
                op,
                format!("expected a scope in the subprogram of `{name}`, found `{scope_kind}`"),
                "the scope of an operation is in the subprogram of its function",
            );
        }
    }

    /// Returns the rule that the attributes of a location break, if any.
    fn malformed(&mut self, loc: DebugLoc) -> Option<RuleViolation> {
        // Locations may share parts; check each part once.
        let mut seen = FxHashSet::default();
        let mut pending: SmallVec<[DebugLoc; 4]> = SmallVec::from_slice(&[loc]);
        while let Some(loc) = pending.pop() {
            match loc.kind() {
                DebugLocKind::Unknown | DebugLocKind::File(_) => {}
                DebugLocKind::Scoped { position: _, scope } => {
                    if !self.formed.contains(scope) {
                        if let Some(error) = malformed_scope(*scope) {
                            return Some(error);
                        }
                        self.formed.insert(*scope);
                    }
                }
                _ if !seen.insert(loc) => {}
                DebugLocKind::CallSite { callee, caller } => pending.extend([*callee, *caller]),
                DebugLocKind::Name { name: _, child } => pending.push(*child),
                DebugLocKind::Fused {
                    metadata: _,
                    locations,
                } => pending.extend(locations.iter().copied()),
            }
        }
        None
    }
}

/// Checks the location of a function.
fn function(cx: &mut Context<'_>, op: &Op, loc: DebugLoc) {
    let name = symbol_name(op).unwrap_or_default();
    if let DebugLocKind::CallSite { .. } = loc.kind() {
        let message = format!("the location of `{name}` is a call site");
        let rule =
            "a function has the location of its definition; a call site is the location of a call";
        cx.error(Code::VerifyAttributes, op, message, rule);
        return;
    }
    match loc.scope().map(DebugAttr::kind) {
        None => {}
        Some(DebugAttrKind::Subprogram { linkage_name, .. }) if **linkage_name == *name => {}
        Some(DebugAttrKind::Subprogram { linkage_name, .. }) => cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected the linkage name `{name}`, found `{linkage_name}`"),
            "the linkage name of a subprogram is the symbol of its function",
        ),
        Some(scope) => cx.error(
            Code::VerifyAttributes,
            op,
            format!(
                "expected the scope of `{name}` to be a subprogram, found a {}",
                kind_name(scope)
            ),
            "the scope of a function is its subprogram itself",
        ),
    }
}

type RuleViolation = (String, &'static str);

/// Returns the rule that a scope or a scope around it breaks, if any.
fn malformed_scope(scope: DebugAttr) -> Option<RuleViolation> {
    let expected = |what: &str, actual: DebugAttr| {
        let actual = kind_name(actual.kind());
        format!("expected a {what}, found a {actual}")
    };
    let is_file = |attr: DebugAttr| matches!(attr.kind(), DebugAttrKind::File { .. });
    let mut current = scope;
    loop {
        let file = match current.kind() {
            DebugAttrKind::Subprogram {
                file, compile_unit, ..
            } => {
                let DebugAttrKind::CompileUnit { file: unit_file } = compile_unit.kind() else {
                    return Some((
                        expected("compile unit", *compile_unit),
                        "a subprogram is in a compile unit",
                    ));
                };
                let files = [*file, *unit_file];
                let other = files.into_iter().find(|&file| !is_file(file))?;
                return Some((expected("file", other), "a scope names its file"));
            }
            DebugAttrKind::LexicalBlock { scope, file, .. } => {
                current = *scope;
                *file
            }
            DebugAttrKind::File { .. } | DebugAttrKind::CompileUnit { .. } => {
                return Some((
                    expected("subprogram or lexical block", current),
                    "a scope is a subprogram, or a lexical block in another scope",
                ));
            }
        };
        if !is_file(file) {
            return Some((expected("file", file), "a scope names its file"));
        }
    }
}

fn kind_name(kind: &DebugAttrKind) -> &'static str {
    match kind {
        DebugAttrKind::File { .. } => "file",
        DebugAttrKind::CompileUnit { .. } => "compile unit",
        DebugAttrKind::Subprogram { .. } => "subprogram",
        DebugAttrKind::LexicalBlock { .. } => "lexical block",
    }
}
