//! Debug information: source locations with scopes, and what names the scopes.
//!
//! The attributes of `cuda_tile` (`di_file`, `di_compile_unit`, ...) and MLIR's
//! locations. Both are interned: copying and comparing cost nothing, and what
//! follows from one (its scope, its depth) is known without looking into it.

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

        /// A kind, and what follows from it.
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

            /// What it is.
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

/// What a [`DebugLoc`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugLocKind {
    /// `loc(unknown)`
    Unknown,
    /// `loc("file":line:column)`
    File(FilePosition),
    /// `loc(#cuda_tile.di_loc<loc("file":line:column) in SCOPE>)`: a place inside a scope.
    Scoped {
        /// The place.
        position: FilePosition,
        /// A subprogram or a lexical block.
        scope: DebugAttr,
    },
    /// `loc(callsite(callee at caller))`
    CallSite {
        /// The place in what is called.
        callee: DebugLoc,
        /// The place of the call.
        caller: DebugLoc,
    },
    /// `loc("name"(child))`
    Name {
        /// The name.
        name: ArcStr,
        /// What it names; unknown if nothing.
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

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file as written.
    pub file: ArcStr,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
}

/// What a [`DebugAttr`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugAttrKind {
    /// `#cuda_tile.di_file<"name" in "directory">`
    File {
        /// File name.
        name: ArcStr,
        /// Directory.
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
    /// The scope that the location is in, if it has one: of a call site that of
    /// the caller, of a fused location the first found, of a name that of what
    /// it names.
    pub fn scope(self) -> Option<DebugAttr> {
        self.0.scope
    }

    /// How deep locations and scopes nest in it, which nothing bounds.
    pub(crate) fn depth(self) -> u32 {
        self.0.depth
    }
}

impl DebugAttr {
    /// The subprogram that a scope is in.
    pub fn subprogram(self) -> Option<DebugAttr> {
        match self.kind() {
            DebugAttrKind::Subprogram { .. } => Some(self),
            DebugAttrKind::LexicalBlock { .. } => self.0.outer,
            DebugAttrKind::File { .. } | DebugAttrKind::CompileUnit { .. } => None,
        }
    }

    /// How deep scopes nest in it, which nothing bounds.
    pub(crate) fn depth(self) -> u32 {
        self.0.depth
    }
}
