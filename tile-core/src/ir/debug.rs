//! Debug information: source locations and their scopes.
//!
//! These are the attributes of `cuda_tile` (`di_file`, `di_compile_unit`, ...) and MLIR's
//! locations. Both are interned: copies and comparisons are free, and derived facts (scope, nesting
//! depth) are computed once.

use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock};

macro_rules! interned {
    ($(#[$meta:meta])* $Name:ident($Kind:ident), $Node:ident { $($fact:ident: $Fact:ty),+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $Name(&'static $Node);

        /// An interned node: a kind and the facts derived from it.
        struct $Node {
            kind: $Kind,
            $($fact: $Fact,)+
        }

        impl $Name {
            /// Interns `kind`.
            pub fn new(kind: $Kind) -> Self {
                static INTERNER: OnceLock<Mutex<FxHashMap<&'static $Kind, &'static $Node>>> =
                    OnceLock::new();
                let mut map = INTERNER
                    .get_or_init(Mutex::default)
                    .lock()
                    .expect("interning never panics while it holds the lock");
                if let Some(interned) = map.get(&kind) {
                    return Self(interned);
                }
                let node: &'static $Node = Box::leak(Box::new($Node::from_kind(kind)));
                map.insert(&node.kind, node);
                Self(node)
            }

            /// Returns the kind.
            pub fn kind(self) -> &'static $Kind {
                &self.0.kind
            }
        }

        impl PartialEq for $Name {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.0, other.0)
            }
        }

        impl Eq for $Name {}

        impl Hash for $Name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                std::ptr::from_ref(self.0).hash(state);
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.kind.fmt(f)
            }
        }
    };
}

interned! {
    /// An interned location in MLIR's sense.
    DebugLoc(DebugLocKind), LocNode { scope: Option<DebugAttr>, depth: u32 }
}

interned! {
    /// An interned debug attribute: a file, a compile unit or a scope.
    DebugAttr(DebugAttrKind), AttrNode { outer: Option<DebugAttr>, depth: u32 }
}

/// The kinds of [`DebugLoc`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugLocKind {
    /// `loc(unknown)`
    Unknown,
    /// `loc("file":line:column)`
    File(FilePosition),
    /// `loc(#cuda_tile.di_loc<loc("file":line:column) in SCOPE>)`: a position inside a scope.
    Scoped {
        /// The position.
        position: FilePosition,
        /// A subprogram or a lexical block.
        scope: DebugAttr,
    },
    /// `loc(callsite(callee at caller))`
    CallSite {
        /// The location in the callee.
        callee: DebugLoc,
        /// The location of the call.
        caller: DebugLoc,
    },
    /// `loc("name"(child))`
    Name {
        /// The name.
        name: ArcStr,
        /// The location that has the name; unknown if none is given.
        child: DebugLoc,
    },
    /// `loc(fused<metadata>[a, b])`
    Fused {
        /// The metadata as written, if any.
        metadata: Option<ArcStr>,
        /// The locations.
        locations: Vec<DebugLoc>,
    },
}

/// A position in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file name as written.
    pub file: ArcStr,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
}

/// The kinds of [`DebugAttr`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugAttrKind {
    /// `#cuda_tile.di_file<"name" in "directory">`
    File {
        /// The file name.
        name: ArcStr,
        /// The directory.
        directory: ArcStr,
    },
    /// `#cuda_tile.di_compile_unit<file = F>`
    CompileUnit {
        /// Its file.
        file: DebugAttr,
    },
    /// `#cuda_tile.di_subprogram<file = F, line = N, name = "n", linkageName = "l", compileUnit = C[, scopeLine = N]>`
    Subprogram {
        /// Its file.
        file: DebugAttr,
        /// The line of its declaration.
        line: u32,
        /// The name in the source.
        name: ArcStr,
        /// The symbol.
        linkage_name: ArcStr,
        /// The compile unit.
        compile_unit: DebugAttr,
        /// The line where its body starts.
        scope_line: Option<u32>,
    },
    /// `#cuda_tile.di_lexical_block<scope = S, file = F, line = N[, column = N]>`
    LexicalBlock {
        /// The enclosing subprogram or lexical block.
        scope: DebugAttr,
        /// Its file.
        file: DebugAttr,
        /// Its line.
        line: u32,
        /// Its column.
        column: Option<u32>,
    },
}

impl LocNode {
    fn from_kind(kind: DebugLocKind) -> Self {
        let (scope, depth) = match &kind {
            DebugLocKind::Unknown | DebugLocKind::File(_) => (None, 0),
            DebugLocKind::Scoped { scope, .. } => (Some(*scope), 1 + scope.depth()),
            DebugLocKind::CallSite { callee, caller } => {
                (caller.scope(), 1 + callee.depth().max(caller.depth()))
            }
            DebugLocKind::Name { child, .. } if *child.kind() == DebugLocKind::Unknown => (None, 0),
            DebugLocKind::Name { child, .. } => (child.scope(), 1 + child.depth()),
            DebugLocKind::Fused { locations, .. } => {
                let depths = locations.iter().map(|loc| 1 + loc.depth());
                let scope = locations.iter().find_map(|loc| loc.scope());
                (scope, depths.max().unwrap_or(0))
            }
        };
        Self { kind, scope, depth }
    }
}

impl AttrNode {
    fn from_kind(kind: DebugAttrKind) -> Self {
        let (outer, depth) = match &kind {
            DebugAttrKind::File { .. } => (None, 0),
            DebugAttrKind::CompileUnit { file } => (None, 1 + file.depth()),
            DebugAttrKind::Subprogram {
                file, compile_unit, ..
            } => (None, 1 + file.depth().max(compile_unit.depth())),
            DebugAttrKind::LexicalBlock { scope, file, .. } => {
                (scope.subprogram(), 1 + scope.depth().max(file.depth()))
            }
        };
        Self { kind, outer, depth }
    }
}

impl DebugLoc {
    /// Returns the scope of the location, if it has one. A call site has the scope of its caller, a
    /// named location that of its child, and a fused location the first scope among its parts.
    pub fn scope(self) -> Option<DebugAttr> {
        self.0.scope
    }

    /// Returns how deeply locations and scopes are nested; there is no limit.
    pub(crate) fn depth(self) -> u32 {
        self.0.depth
    }
}

impl DebugAttr {
    /// Returns the subprogram that contains a scope.
    pub fn subprogram(self) -> Option<DebugAttr> {
        match self.kind() {
            DebugAttrKind::Subprogram { .. } => Some(self),
            DebugAttrKind::LexicalBlock { .. } => self.0.outer,
            DebugAttrKind::File { .. } | DebugAttrKind::CompileUnit { .. } => None,
        }
    }

    /// Returns how deeply scopes are nested; there is no limit.
    pub(crate) fn depth(self) -> u32 {
        self.0.depth
    }
}
