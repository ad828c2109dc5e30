//! Why a launch failed, and what to do where the dialect leaves behaviour undefined.
//!
//! In: what an operation met. Out: a [`Fault`] that ends the launch, or, where the launch is
//! to go on, one that is recorded in [`Reports`].

use crate::ir::Loc;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use thin_vec::ThinVec;

/// Something that went wrong in a launch, or a launch that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which kind of thing went wrong.
    pub kind: FaultKind,
    /// The entry.
    pub kernel: String,
    /// The position of the block in the grid.
    pub block: [u32; 3],
    /// Mnemonic and position of the operation; `entry` for the launch itself.
    pub op: String,
    /// Where the operation comes from.
    pub loc: Loc,
    /// The element of the operation's tile that it is about, if it is about one: its index
    /// along every axis.
    pub element: Option<ThinVec<usize>>,
    /// What happened.
    pub message: String,
}

/// The kinds of things that go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// Behaviour that the dialect leaves undefined: a broken promise, a division by zero, an
    /// access outside of a buffer, a race, an element that nothing has written.
    Undefined,
    /// An `assert` does not hold.
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

/// What happens where the dialect leaves behaviour undefined.
#[derive(Clone, Copy, Debug, Default)]
pub enum Undefined<'a> {
    /// The launch ends with a fault.
    #[default]
    Trap,
    /// It is recorded, and the operation goes on with a defined result: integers wrap, a
    /// quotient or a shift that is undefined is 0, an index of a slice is clamped, a promise is
    /// ignored, and an element outside of a buffer is masked off: it reads as padding or 0, and a
    /// store to it is dropped.
    Report(&'a Reports),
}

/// Collects undefined behaviour, see [`Undefined::Report`].
///
/// An operation is recorded once per block, with the first thing that went wrong in it.
#[derive(Debug, Default)]
pub struct Reports {
    faults: Mutex<Vec<Fault>>,
}

impl Reports {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was recorded, which is forgotten: block by block in order of the grid (x fastest),
    /// and in the order of execution within one.
    pub fn take(&self) -> Vec<Fault> {
        let mut faults = std::mem::take(&mut *self.lock());
        faults.sort_by_key(|fault| {
            let [x, y, z] = fault.block;
            [z, y, x]
        });
        faults
    }

    /// Whether nothing was recorded.
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
