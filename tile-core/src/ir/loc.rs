//! Source locations.

use super::DebugLoc;
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::{Mutex, OnceLock};

/// Where an operation, value or fault comes from.
///
/// `tag` is a front end's own handle to something better than line and column
/// (the macro keeps its token spans there); 0 when there is none. `debug` is the
/// location that the IR itself states, `loc(...)` in text and the debug section
/// of bytecode; the other fields say where the IR was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    file: Option<&'static str>,
    line: u32,
    column: u32,
    tag: u32,
    debug: Option<DebugLoc>,
}

impl Loc {
    /// No known place.
    pub const UNKNOWN: Loc = Loc {
        file: None,
        line: 0,
        column: 0,
        tag: 0,
        debug: None,
    };

    /// A place in a file; line and column count from 1.
    pub fn file(file: &str, line: u32, column: u32) -> Self {
        Self {
            file: Some(intern(file)),
            line,
            column,
            tag: 0,
            debug: None,
        }
    }

    /// Another place in the same file.
    #[must_use]
    pub(crate) fn at(self, line: u32, column: u32) -> Self {
        Self {
            line,
            column,
            ..self
        }
    }

    /// The same place with a front end's handle.
    #[must_use]
    pub fn with_tag(self, tag: u32) -> Self {
        Self { tag, ..self }
    }

    /// The same place with the location that the IR states.
    #[must_use]
    pub fn with_debug(self, debug: Option<DebugLoc>) -> Self {
        Self { debug, ..self }
    }

    /// The location that the IR states.
    pub fn debug(self) -> Option<DebugLoc> {
        self.debug
    }

    /// The file, if known.
    pub fn file_name(self) -> Option<&'static str> {
        self.file
    }

    /// The line, from 1; 0 if unknown.
    pub fn line(self) -> u32 {
        self.line
    }

    /// The column, from 1; 0 if unknown.
    pub fn column(self) -> u32 {
        self.column
    }

    /// The front end's handle; 0 if there is none.
    pub fn tag(self) -> u32 {
        self.tag
    }

    /// Whether nothing is known.
    pub fn is_unknown(self) -> bool {
        self.file.is_none() && self.tag == 0
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            Some(file) => write!(f, "{file}:{}:{}", self.line, self.column),
            None => f.write_str("unknown"),
        }
    }
}

fn intern(text: &str) -> &'static str {
    static NAMES: OnceLock<Mutex<FxHashSet<&'static str>>> = OnceLock::new();
    let mut names = NAMES
        .get_or_init(Mutex::default)
        .lock()
        .expect("interning never panics while it holds the lock");
    if let Some(found) = names.get(text) {
        return found;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(leaked);
    leaked
}
