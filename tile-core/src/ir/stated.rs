//! Source positions that the IR itself states, which outlive the text or tokens from which a module
//! was made.

use super::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, Loc, Module, OpId};
use arcstr::ArcStr;

impl DebugLoc {
    /// Returns the source position, if there is one. A call site has the position of its callee, a
    /// named location that of its child, and a fused location the first position among its parts.
    pub fn position(self) -> Option<&'static FilePosition> {
        match self.kind() {
            DebugLocKind::Unknown => None,
            DebugLocKind::File(position) | DebugLocKind::Scoped { position, .. } => Some(position),
            DebugLocKind::CallSite { callee, .. } => callee.position(),
            DebugLocKind::Name { child, .. } => child.position(),
            DebugLocKind::Fused { locations, .. } => {
                locations.iter().find_map(|loc| loc.position())
            }
        }
    }
}

impl Loc {
    /// Returns the location at which the IR was read; if it is unknown, the position that the IR
    /// states.
    #[must_use]
    pub fn or_stated(self) -> Self {
        match self.debug().and_then(DebugLoc::position) {
            Some(FilePosition { file, line, column }) if self.is_unknown() => {
                Loc::file(file, *line, *column).with_debug(self.debug())
            }
            _ => self,
        }
    }
}

impl Module {
    /// Makes the IR state where each entry, and each operation in it, was read. The scope of these
    /// locations is a subprogram with the name of the entry. Entries without a location are not
    /// changed.
    pub fn state_locations(&mut self) {
        for entry in self.entries().collect::<Vec<_>>() {
            let Some(position) = position(self.op(entry).loc) else {
                continue;
            };
            let scope = subprogram(&self.op(entry).sym_name(), &position);
            self.state(entry, scope);
            if let Some(body) = self.region_block(entry, 0) {
                for op in self.walk(body) {
                    self.state(op, scope);
                }
            }
        }
    }

    fn state(&mut self, op: OpId, scope: DebugAttr) {
        let loc = self.op(op).loc;
        if let Some(position) = position(loc) {
            let stated = DebugLoc::new(DebugLocKind::Scoped { position, scope });
            self.op_mut(op).loc = loc.with_debug(Some(stated));
        }
    }
}

fn position(loc: Loc) -> Option<FilePosition> {
    Some(FilePosition {
        file: loc.file_name()?.into(),
        line: loc.line(),
        column: loc.column(),
    })
}

fn subprogram(name: &ArcStr, position: &FilePosition) -> DebugAttr {
    let (directory, file) = match position.file.rsplit_once(['/', '\\']) {
        Some((directory, file)) => (directory, file),
        None => ("", &*position.file),
    };
    let file = DebugAttr::new(DebugAttrKind::File {
        name: file.into(),
        directory: directory.into(),
    });
    let compile_unit = DebugAttr::new(DebugAttrKind::CompileUnit { file });
    DebugAttr::new(DebugAttrKind::Subprogram {
        file,
        line: position.line,
        name: name.clone(),
        linkage_name: name.clone(),
        compile_unit,
        scope_line: Some(position.line),
    })
}
