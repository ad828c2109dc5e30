//! Global memory that several launches and the host share at the same time.
//!
//! [`Memory`](crate::Memory) belongs to one launch. A [`Region`] is one allocation that any number of launches
//! may access while the host reads and writes it: the words are atomic. A launch takes the regions that it may
//! access, and returns what it accessed of each.
//!
//! - Who makes regions chooses their addresses, which must not overlap; a gap between them lets the simulator
//!   find accesses that miss a region.
//! - Freeing is dropping: a launch holds the regions that it was given until it ends.
//! - Atomic instructions and strong loads and stores of concurrent launches exclude each other.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zerocopy::FromZeros;

use super::memory::{Device, View};
use super::{Launch, Options};
use crate::check::Fault;
use crate::counters::Counters;
use crate::module::Module;

/// Excludes atomic accesses of concurrent launches.
static EXCLUSIVE: Mutex<()> = Mutex::new(());

pub(super) fn exclusive() -> MutexGuard<'static, ()> {
    EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
enum Words {
    Owned(Box<[AtomicU32]>),
    Lent(&'static [AtomicU32]),
}

/// An allocation in global memory that launches and the host share.
#[derive(Debug)]
pub struct Region {
    base: u64,
    length: usize,
    constant: bool,
    words: Words,
}

impl Region {
    /// Allocates `bytes` zeros at the address `base`, a multiple of 4. Returns `None` if the host has not enough
    /// memory.
    pub fn zeroed(base: u64, bytes: usize) -> Option<Self> {
        let words = <[AtomicU32]>::new_box_zeroed_with_elems(bytes.div_ceil(4)).ok()?;
        Some(Self {
            base,
            length: bytes,
            constant: false,
            words: Words::Owned(words),
        })
    }

    /// Makes `words` a region at the address `base`, a multiple of 4. Its length is that of `words`.
    pub fn lent(base: u64, words: &'static [AtomicU32]) -> Self {
        Self {
            base,
            length: words.len() * 4,
            constant: false,
            words: Words::Lent(words),
        }
    }

    /// Forbids stores by kernels.
    #[must_use]
    pub fn constant(mut self) -> Self {
        self.constant = true;
        self
    }

    /// Returns the address of the first byte.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        self.length
    }

    fn words(&self) -> &[AtomicU32] {
        match &self.words {
            Words::Owned(words) => words,
            Words::Lent(words) => words,
        }
    }

    fn view(&self) -> View<'_> {
        View {
            base: self.base,
            length: self.length,
            constant: self.constant,
            words: self.words(),
        }
    }

    /// Reads bytes from `offset`.
    ///
    /// # Panics
    ///
    /// Panics if the range is not within the region.
    pub fn read(&self, offset: usize, into: &mut [u8]) {
        let (head, body) = parts(offset, into.len());
        let (first, rest) = into.split_at_mut(head);
        let (words, last) = rest.split_at_mut(body);
        let view = self.view();
        view.read(offset, first);
        view.read(offset + head, words);
        view.read(offset + head + body, last);
    }

    /// Writes bytes at `offset`.
    ///
    /// # Panics
    ///
    /// Panics if the range is not within the region.
    pub fn write(&self, offset: usize, from: &[u8]) {
        let (head, body) = parts(offset, from.len());
        let (first, rest) = from.split_at(head);
        let (words, last) = rest.split_at(body);
        let view = self.view();
        view.write(offset, first);
        view.write(offset + head, words);
        view.write(offset + head + body, last);
    }

    /// Sets every whole word to `word`, and the bytes after the last one to its first bytes.
    pub fn fill(&self, word: u32) {
        for place in self.words() {
            place.store(word, Ordering::Relaxed);
        }
    }
}

/// Returns the bytes of a range before its first whole word, and those of its whole words.
fn parts(offset: usize, bytes: usize) -> (usize, usize) {
    let head = (offset.next_multiple_of(4) - offset).min(bytes);
    (head, (bytes - head) / 4 * 4)
}

/// The kinds of accesses to a range of bytes, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses(u8);

impl Accesses {
    /// A weak read.
    pub const READ: Self = Self(1);
    /// A weak write.
    pub const WRITE: Self = Self(2);
    /// A strong read: an atomic instruction, `ld.relaxed`, `ld.acquire`, ..
    pub const STRONG_READ: Self = Self(4);
    /// A strong write.
    pub const STRONG_WRITE: Self = Self(8);
    /// An access before a `griddepcontrol.wait` of its block.
    pub const EARLY: Self = Self(16);

    /// Returns `true` if any kind of `other` is among these.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if there is a write.
    pub fn writes(self) -> bool {
        self.meets(Self::WRITE | Self::STRONG_WRITE)
    }

    /// Returns `true` if there is a weak access.
    pub fn is_weak(self) -> bool {
        self.meets(Self::READ | Self::WRITE)
    }
}

impl std::ops::BitOr for Accesses {
    type Output = Self;

    fn bitor(self, rhs: Self) -> Self {
        Self(self.0 | rhs.0)
    }
}

impl std::ops::BitOrAssign for Accesses {
    fn bitor_assign(&mut self, rhs: Self) {
        self.0 |= rhs.0;
    }
}

/// A range of bytes that a launch accessed in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The address of the first byte.
    pub start: u64,
    /// The address after the last byte.
    pub end: u64,
    /// What was done to each byte.
    pub accesses: Accesses,
}

/// The outcome of a launch on regions.
#[derive(Debug)]
pub struct Outcome {
    /// The counters, or the first fault.
    pub result: Result<Counters, Fault>,
    /// The output of `printf`.
    pub printed: String,
    /// The accessed bytes outside of constant memory, in ascending order and without overlaps. Empty with
    /// [`Checks::Cheap`](crate::Checks::Cheap). After a fault, accesses may be missing.
    pub spans: Vec<Span>,
}

/// A variable of a module in global or constant memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleVariable<'a> {
    /// The name.
    pub name: &'a str,
    /// The size in bytes.
    pub bytes: usize,
    /// The alignment in bytes.
    pub align: u64,
    /// Is `true` if kernels may only read it.
    pub constant: bool,
}

impl Module {
    /// Returns the variables in global and constant memory, in the order of the text.
    pub fn variables(&self) -> impl Iterator<Item = ModuleVariable<'_>> {
        self.globals.iter().map(|variable| ModuleVariable {
            name: &variable.name,
            bytes: variable.bytes.len(),
            align: variable.align,
            constant: variable.constant,
        })
    }

    /// Returns the initial contents of each variable, if the variables have these addresses.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer addresses than variables.
    pub fn initial(&self, addresses: &[u64]) -> Vec<Vec<u8>> {
        let contents = self.globals.iter().map(|variable| {
            let mut bytes = variable.bytes.clone();
            for relocation in &variable.relocations {
                relocation.apply(&mut bytes, addresses[relocation.target as usize]);
            }
            bytes
        });
        contents.collect()
    }

    /// Checks the configuration of a launch without running it.
    ///
    /// # Errors
    ///
    /// Returns a fault if the configuration does not fit the kernel.
    pub fn check(&self, launch: &Launch) -> Result<(), Fault> {
        self.setting(launch, &Options::default()).map(drop)
    }

    /// Runs a kernel to completion on shared memory. The kernel can access `regions`, in ascending order of
    /// their addresses; `variables` are the addresses of the module's [`variables`](Self::variables).
    pub fn launch_on(
        &self,
        launch: &Launch,
        regions: &[Arc<Region>],
        variables: &[u64],
        options: &Options,
    ) -> Outcome {
        let mut setting = match self.setting(launch, options) {
            Ok(setting) => setting,
            Err(fault) => {
                return Outcome {
                    result: Err(fault),
                    printed: String::new(),
                    spans: Vec::new(),
                };
            }
        };
        setting.globals = variables.to_vec();
        let device = Device::shared(regions.iter().map(|region| region.view()).collect());
        let (result, spans) = Self::run_grid(&setting, &device, |shadows| {
            crate::check::touched::spans(shadows, &device, &setting)
        });
        Outcome {
            result,
            printed: device.printed(options.seed == 0),
            spans,
        }
    }
}
