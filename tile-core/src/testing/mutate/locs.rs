//! Mutates locations.

use super::Mutator;
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, OpId};

impl Mutator<'_, '_> {
    /// Removes the location of an operation, or changes it to that of another operation, a call, a
    /// block in its own scope, or a scope of no function.
    pub(super) fn change_loc(&mut self, op: OpId, ops: &[OpId]) -> bool {
        let loc = self.module.op(op).loc;
        let other = self.random.pick(ops);
        let other = self.module.op(other).loc.debug();
        let position = FilePosition {
            file: "other.rs".into(),
            line: 1,
            column: 2,
        };
        let new = match (loc.debug(), self.random.below(6)) {
            (Some(_), 0) => None,
            (_, 1) => other,
            (Some(own_loc), 2) => {
                let caller = other.unwrap_or(own_loc);
                let callee = own_loc;
                Some(DebugLoc::new(DebugLocKind::CallSite { callee, caller }))
            }
            (Some(own_loc), 3) if own_loc.scope().is_some() => {
                let scope = own_loc.scope().expect("it has one");
                let scope = DebugAttr::new(DebugAttrKind::LexicalBlock {
                    scope,
                    file: other_file(),
                    line: 1,
                    column: None,
                });
                Some(DebugLoc::new(DebugLocKind::Scoped { position, scope }))
            }
            _ => {
                let scope = subprogram();
                Some(DebugLoc::new(DebugLocKind::Scoped { position, scope }))
            }
        };
        self.module.op_mut(op).loc = loc.with_debug(new);
        new != loc.debug()
    }
}

fn other_file() -> DebugAttr {
    DebugAttr::new(DebugAttrKind::File {
        name: "other.rs".into(),
        directory: "/".into(),
    })
}

fn subprogram() -> DebugAttr {
    let file = other_file();
    DebugAttr::new(DebugAttrKind::Subprogram {
        file,
        line: 1,
        name: "other".into(),
        linkage_name: "other".into(),
        compile_unit: DebugAttr::new(DebugAttrKind::CompileUnit { file }),
        scope_line: None,
    })
}
