//! Locations and scopes.

use super::{DebugLocations, Generator};
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, Loc};
use arcstr::ArcStr;

/// The scopes of the function that is being generated.
pub(super) struct Scopes {
    /// The subprogram, and lexical blocks in it.
    inside: Vec<DebugAttr>,
    /// A subprogram that the function calls.
    called: DebugAttr,
}

impl Generator<'_, '_, '_> {
    /// Makes the scopes of the function `name`, if it is to have any.
    pub(super) fn enter_scopes(&mut self, name: &ArcStr) {
        if self.options.debug == DebugLocations::None || self.random.one_in(6) {
            self.scopes = None;
            return;
        }
        let file = DebugAttr::new(DebugAttrKind::File {
            name: self.random.pick(&["a.rs", "dir/b \"c\".py"]).into(),
            directory: self.random.pick(&["/src", ""]).into(),
        });
        let compile_unit = DebugAttr::new(DebugAttrKind::CompileUnit { file });
        let mut subprogram = |linkage_name: ArcStr| {
            let line = self.line();
            DebugAttr::new(DebugAttrKind::Subprogram {
                file,
                line,
                name: self.random.pick(&["f", "module::f<T>"]).into(),
                linkage_name,
                compile_unit,
                scope_line: self.random.one_in(2).then_some(line + 1),
            })
        };
        let mut inside = vec![subprogram(name.clone())];
        let called = subprogram("called".into());
        for _ in 0..self.random.below(4) {
            let scope = self.random.pick(&inside);
            inside.push(DebugAttr::new(DebugAttrKind::LexicalBlock {
                scope,
                file,
                line: self.line(),
                column: self.random.one_in(2).then_some(7),
            }));
        }
        self.scopes = Some(Scopes { inside, called });
    }

    fn line(&mut self) -> u32 {
        u32::try_from(1 + self.random.below(100)).expect("small")
    }

    fn position(&mut self) -> FilePosition {
        FilePosition {
            file: self.random.pick(&["a.rs", "b.rs"]).into(),
            line: self.line(),
            column: self.line(),
        }
    }

    fn scoped(&mut self, scope: DebugAttr) -> DebugLoc {
        let position = self.position();
        DebugLoc::new(DebugLocKind::Scoped { position, scope })
    }

    /// Returns the location of a function: directly in its subprogram.
    pub(super) fn function_loc(&mut self) -> Loc {
        let Some(Scopes { inside, .. }) = &self.scopes else {
            return Loc::UNKNOWN;
        };
        let subprogram = inside[0];
        let loc = self.scoped(subprogram);
        Loc::UNKNOWN.with_debug(Some(loc))
    }

    /// Returns the location of the next operation.
    pub(super) fn loc(&mut self) -> Loc {
        let Some(Scopes { inside, called }) = &self.scopes else {
            // Outside of scopes, bytecode keeps no locations.
            return match self.options.debug {
                DebugLocations::Any => self.unscoped(),
                DebugLocations::None | DebugLocations::Bytecode => Loc::UNKNOWN,
            };
        };
        let called = *called;
        let scope = self.random.pick(&inside.clone());
        let loc = match self.random.below(6) {
            0 => return Loc::UNKNOWN,
            1 => DebugLoc::new(DebugLocKind::CallSite {
                callee: self.scoped(called),
                caller: self.scoped(scope),
            }),
            2 if self.options.debug == DebugLocations::Any => {
                let inner = self.scoped(scope);
                self.composed(inner)
            }
            _ => self.scoped(scope),
        };
        Loc::UNKNOWN.with_debug(Some(loc))
    }

    /// Returns the location of block arguments, which bytecode does not keep.
    pub(super) fn argument_loc(&mut self) -> Loc {
        match self.options.debug {
            DebugLocations::Any => self.unscoped(),
            DebugLocations::None | DebugLocations::Bytecode => Loc::UNKNOWN,
        }
    }

    fn unscoped(&mut self) -> Loc {
        let position = self.position();
        let file = DebugLoc::new(DebugLocKind::File(position));
        let loc = match self.random.below(3) {
            0 => return Loc::UNKNOWN,
            1 => file,
            _ => self.composed(file),
        };
        Loc::UNKNOWN.with_debug(Some(loc))
    }

    fn composed(&mut self, inner: DebugLoc) -> DebugLoc {
        let position = self.position();
        let file = DebugLoc::new(DebugLocKind::File(position));
        DebugLoc::new(match self.random.below(3) {
            0 => DebugLocKind::Name {
                name: self.random.pick(&["n", "a \"b\""]).into(),
                child: inner,
            },
            1 => DebugLocKind::Fused {
                metadata: None,
                locations: vec![file, inner],
            },
            _ => DebugLocKind::Fused {
                metadata: Some(arcstr::literal!("\"inlined\"")),
                locations: vec![inner, file],
            },
        })
    }
}
