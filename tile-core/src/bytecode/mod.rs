//! Tile IR bytecode: the wire format of the dialect, versions 13.1 to 13.4.
//!
//! Converts between a [`Module`](crate::Module) and bytes. Both directions are driven by the rows
//! of the op table, which `plan` turns into the layout of each operation in each version; a new row
//! needs no code here.
//!
//! - Encoding is deterministic: the same module gives the same bytes.
//! - The writer rejects constructs that the version cannot represent, and names them; the reader
//!   rejects constructs that this crate does not know, by name or number.
//! - The reader checks every index and count against the remaining bytes. It limits the nesting
//!   depth, and limits memory to a multiple of the size of the file. It never panics. It makes only
//!   the checks that it needs to build the arena, and leaves all others to the verifier.
//! - Bytecode does not store the name of the module (the reader names it `kernels`), the names of
//!   values, discardable attributes, the source position that the module was read from, the order
//!   of globals relative to entries, and debug locations without a scope.

mod constants;
mod limits;
mod plan;
mod read;
mod sections;
mod types;
mod varint;
mod version;
mod write;

pub use read::read;
pub use write::write;

pub use crate::ops::Version;

use crate::ir::Loc;
use std::fmt;

/// An error for bytes that are not a module, or a module that does not fit a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytecodeError {
    /// The offset in the file; `None` when writing.
    pub offset: Option<usize>,
    /// The location of the operation that cannot be written, if there is one.
    pub loc: Loc,
    /// The description of the problem.
    pub message: String,
}

/// A [`BytecodeError`] that is being propagated, boxed so that a result fits into registers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BoxedError(Box<BytecodeError>);

impl BoxedError {
    #[cold]
    fn at(offset: usize, message: impl Into<String>) -> Self {
        Self(Box::new(BytecodeError {
            offset: Some(offset),
            loc: Loc::UNKNOWN,
            message: message.into(),
        }))
    }

    #[cold]
    fn unwritable(message: impl Into<String>) -> Self {
        Self(Box::new(BytecodeError {
            offset: None,
            loc: Loc::UNKNOWN,
            message: message.into(),
        }))
    }

    /// Adds the location `loc` unless the error already has one: that of the innermost operation is
    /// reported.
    #[cold]
    fn within(mut self, loc: Loc) -> Self {
        if self.0.loc == Loc::UNKNOWN {
            self.0.loc = loc;
        }
        self
    }

    fn into_error(self) -> BytecodeError {
        *self.0
    }
}

impl fmt::Display for BytecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at byte {offset}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for BytecodeError {}
