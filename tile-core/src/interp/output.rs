//! Writes printed text.
//!
//! The input is the text that each block of a launch printed. The texts are written in order of the
//! grid (x fastest), regardless of the number of threads, up to and including that of the first
//! block with a fault. A text is written once all earlier blocks are done.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// A writer for printed text, see [`RunOptions::output`](super::RunOptions::output).
#[derive(Clone, Copy)]
pub struct Output<'a>(&'a Mutex<dyn Write + Send>);

impl<'a> Output<'a> {
    /// Writes to `writer`, which may be a `Vec<u8>`.
    pub fn new(writer: &'a Mutex<impl Write + Send + 'static>) -> Self {
        Self(writer)
    }
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

/// The way in which a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// Nothing that later blocks print is written.
    Fault,
}

/// The text of a launch.
#[derive(Debug)]
pub(super) struct Printer<'a> {
    output: Option<Output<'a>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first block whose text is not written yet.
    next: usize,
    waiting: BTreeMap<usize, (Vec<u8>, End)>,
    failed: Option<io::Error>,
}

impl<'a> Printer<'a> {
    /// Writes to `output`, or to the standard output if it is `None`.
    pub(super) fn new(output: Option<Output<'a>>) -> Self {
        Self {
            output,
            state: Mutex::default(),
        }
    }

    /// Writes the text of block `first` and of those after it.
    pub(super) fn starting_at(first: usize, output: Option<Output<'a>>) -> Self {
        Self {
            output,
            state: Mutex::new(State {
                next: first,
                ..State::default()
            }),
        }
    }

    /// Accepts the text that the block of this number printed.
    pub(super) fn finish(&self, block: usize, text: Vec<u8>, end: End) {
        let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *guard;
        state.waiting.insert(block, (text, end));
        while let Some((text, end)) = state.waiting.remove(&state.next) {
            if state.failed.is_none()
                && let Err(error) = self.write(&text)
            {
                state.failed = Some(error);
            }
            // After a fault, no later block is ever written.
            state.next = match end {
                End::Done => state.next + 1,
                End::Fault => usize::MAX,
            };
        }
    }

    /// Returns the first write error, if there was one.
    pub(super) fn failure(self) -> Option<io::Error> {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).failed
    }

    fn write(&self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if let Some(Output(writer)) = self.output {
            let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.write_all(text).and_then(|()| writer.flush())
        } else {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text).and_then(|()| stdout.flush())
        }
    }
}
