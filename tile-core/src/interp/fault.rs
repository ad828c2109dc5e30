//! Faults of a launch, and the handling of behaviour that the dialect leaves undefined.
//!
//! A problem that an operation detects becomes a [`Fault`]. The fault ends the launch, or is
//! recorded in [`Reports`] if the launch is to continue.

use crate::ir::Loc;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use thin_vec::ThinVec;

/// An error during a launch, or a launch that does not fit the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of error.
    pub kind: FaultKind,
    /// The entry.
    pub kernel: String,
    /// The coordinates of the block in the grid.
    pub block: [u32; 3],
    /// The mnemonic and position of the operation; `entry` for the launch itself.
    pub op: String,
    /// The source location of the operation.
    pub loc: Loc,
    /// The index, along every axis, of the element at fault in the operation's tile; `None` if the
    /// fault does not concern a single element.
    pub element: Option<ThinVec<usize>>,
    /// The description of the error.
    pub message: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// Behaviour that the dialect leaves undefined: a violated assumption, a division by zero, an
    /// out-of-bounds access, a race, a read of an uninitialized element.
    Undefined,
    /// A failed `assert`.
    Assertion,
    /// [`RunOptions::step_limit`](super::RunOptions::step_limit) was reached.
    StepLimit,
    /// [`RunOptions::cancel`](super::RunOptions::cancel) became true.
    Cancelled,
    /// The launch does not fit the kernel or the machine.
    Refused,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            kind: _,
            kernel,
            block: [x, y, z],
            op,
            loc,
            element: _,
            message,
        } = self;
        write!(
            f,
            "kernel `{kernel}`, block ({x}, {y}, {z}), {op}: {message}"
        )?;
        if !loc.is_unknown() {
            write!(f, " at {loc}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// The handling of behaviour that the dialect leaves undefined.
#[derive(Clone, Copy, Debug, Default)]
pub enum Undefined<'a> {
    /// The launch ends with a fault.
    #[default]
    Trap,
    /// The behaviour is recorded, and the operation continues with a defined result: integers wrap,
    /// an undefined quotient or shift is 0, the index of a slice is clamped, and a violated
    /// assumption is ignored. An out-of-bounds element is masked off: a load reads it as padding or
    /// 0, and a store to it is dropped.
    Report(&'a Reports),
}

/// Collects undefined behaviour, see [`Undefined::Report`].
///
/// An operation is recorded once per block, with its first fault.
#[derive(Debug, Default)]
pub struct Reports {
    faults: Mutex<Vec<Fault>>,
}

impl Reports {
    /// Makes an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes and returns the recorded faults: block by block in order of the grid (x fastest),
    /// and in order of execution within a block.
    pub fn take(&self) -> Vec<Fault> {
        let mut faults = std::mem::take(&mut *self.lock());
        faults.sort_by_key(|fault| {
            let [x, y, z] = fault.block;
            [z, y, x]
        });
        faults
    }

    /// Returns `true` if nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(super) fn record(&self, fault: Fault) {
        self.lock().push(fault);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults.lock().expect("nothing panics while it is held")
    }
}
