//! Source locations.

use super::DebugLoc;
use rustc_hash::FxHashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{OnceLock, PoisonError, RwLock};

/// The origin of an operation, value or fault.
///
/// `tag` is a front end's handle to something more precise than line and column, such as the token
/// spans of the macro; it is 0 if there is none. `debug` is the location that the IR itself states,
/// with `loc(...)` in text and the debug section in bytecode. The other fields say where the IR was
/// read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    file: Option<FileName>,
    line: u32,
    column: u32,
    tag: u32,
    debug: Option<DebugLoc>,
}

impl Loc {
    /// The unknown location.
    pub const UNKNOWN: Loc = Loc {
        file: None,
        line: 0,
        column: 0,
        tag: 0,
        debug: None,
    };

    /// Makes a location from a position in a file; line and column count from 1.
    pub fn file(file: &str, line: u32, column: u32) -> Self {
        Self {
            file: Some(FileName::new(file)),
            line,
            column,
            tag: 0,
            debug: None,
        }
    }

    /// Returns the location with another position in the same file.
    #[must_use]
    pub(crate) fn at(self, line: u32, column: u32) -> Self {
        Self {
            line,
            column,
            ..self
        }
    }

    /// Returns the location with a front end's handle.
    #[must_use]
    pub fn with_tag(self, tag: u32) -> Self {
        Self { tag, ..self }
    }

    /// Returns the location with `debug` as the location that the IR states.
    #[must_use]
    pub fn with_debug(self, debug: Option<DebugLoc>) -> Self {
        Self { debug, ..self }
    }

    /// Returns the location that the IR states.
    pub fn debug(self) -> Option<DebugLoc> {
        self.debug
    }

    /// Returns the file, if known.
    pub fn file_name(self) -> Option<&'static str> {
        self.file.map(FileName::text)
    }

    /// Returns the line, from 1; 0 if unknown.
    pub fn line(self) -> u32 {
        self.line
    }

    /// Returns the column, from 1; 0 if unknown.
    pub fn column(self) -> u32 {
        self.column
    }

    /// Returns the front end's handle; 0 if there is none.
    pub fn tag(self) -> u32 {
        self.tag
    }

    /// Returns `true` if neither a file nor a handle is known.
    pub fn is_unknown(self) -> bool {
        self.file.is_none() && self.tag == 0
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file_name() {
            Some(file) => write!(f, "{file}:{}:{}", self.line, self.column),
            None => f.write_str("unknown"),
        }
    }
}

/// An interned file name, since many locations share few files.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileName(NonZeroU32);

/// The interned names, and the number of each.
#[derive(Default)]
struct FileNames {
    texts: Vec<&'static str>,
    numbers: FxHashMap<&'static str, FileName>,
}

impl FileName {
    fn table() -> &'static RwLock<FileNames> {
        static TABLE: OnceLock<RwLock<FileNames>> = OnceLock::new();
        TABLE.get_or_init(RwLock::default)
    }

    fn new(text: &str) -> Self {
        let lookup = |names: &FileNames| names.numbers.get(text).copied();
        let table = Self::table();
        // A poisoned lock can still be used: the number is inserted last, so a panic leaves no
        // partial entry.
        if let Some(name) = lookup(&table.read().unwrap_or_else(PoisonError::into_inner)) {
            return name;
        }
        let mut names = table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = lookup(&names) {
            return name;
        }
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        names.texts.push(text);
        let count = u32::try_from(names.texts.len())
            .ok()
            .and_then(NonZeroU32::new);
        let name = FileName(count.expect("there are fewer than 2^32 files"));
        names.numbers.insert(text, name);
        name
    }

    fn text(self) -> &'static str {
        let names = Self::table().read().unwrap_or_else(PoisonError::into_inner);
        names.texts[self.0.get() as usize - 1]
    }
}

impl fmt::Debug for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}
