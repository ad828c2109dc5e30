//! Tile IR bytecode: the wire format of the dialect, versions 13.1 to 13.4.
//!
//! In and out: a [`Module`](crate::Module) and bytes. Both directions are
//! driven by the rows of the op table, which `plan` turns into the layout of
//! each operation in each version; a new row needs no code here.
//!
//! - The same module gives the same bytes.
//! - What a version cannot hold is refused by name when writing; what this
//!   crate does not know is refused by name or number when reading.
//! - The reader checks every index and count against the bytes that are left;
//!   it bounds nesting, and the memory that a file takes by a multiple of its
//!   size. It never panics. It checks what it needs to build the arena;
//!   everything else is the verifier's business.
//! - Not stored: the name of the module (it reads as `kernels`), names of
//!   values, discardable attributes, where the module was read, the order of
//!   globals among entries; and of debug locations those without a scope.

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

/// Why bytes are not a module, or a module does not fit a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytecodeError {
    /// Position in the file; `None` when writing.
    pub offset: Option<usize>,
    /// The operation that cannot be written, if it is one.
    pub loc: Loc,
    /// What is wrong.
    pub message: String,
}

/// A [`BytecodeError`] on its way out, boxed so that a result fits into registers.
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

    /// The same fault at `loc`, unless it has a place: the innermost operation counts.
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
