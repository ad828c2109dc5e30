//! The machine that runs kernels: a grid of blocks, one after the other, of warps that take turns.

pub(crate) mod block;
mod copies;
pub(crate) mod flow;
mod grid;
pub(crate) mod memory;
pub(crate) mod registers;
mod scheduler;
mod warp;

use smallvec::SmallVec;

use crate::check::race::{Conflict, How, Who};
use crate::check::{FaultKind, Trouble, bounds};
use crate::counters::Counters;
use crate::isa::memory::Kind;
use crate::module::Kernel;
use crate::parse::syntax::Space;
use copies::{Copies, Copy};
use memory::{Memory, NoStore, Shared};
use registers::Registers;

/// An argument of a kernel, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg(pub(crate) SmallVec<[u8; 8]>);

impl Arg {
    /// The bytes of a parameter of any type.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self(SmallVec::from_slice(bytes))
    }
}

macro_rules! args {
    ($($ty:ty)+) => {
        $(impl From<$ty> for Arg {
            fn from(value: $ty) -> Self {
                Self::bytes(&value.to_le_bytes())
            }
        })+
    };
}

args! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

impl From<bool> for Arg {
    fn from(value: bool) -> Self {
        Self::bytes(&[u8::from(value)])
    }
}

/// What to run, with what.
#[derive(Clone, Debug)]
pub struct Launch {
    pub(crate) entry: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared_bytes: u32,
    pub(crate) args: Vec<Arg>,
}

impl Launch {
    /// One thread of `entry`, without arguments.
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared_bytes: 0,
            args: Vec::new(),
        }
    }

    /// How many blocks along each axis.
    #[must_use]
    pub fn grid(mut self, grid: [u32; 3]) -> Self {
        self.grid = grid;
        self
    }

    /// How many threads in a block, in one row.
    #[must_use]
    pub fn threads(self, threads: u32) -> Self {
        self.block([threads, 1, 1])
    }

    /// How many threads in a block along each axis.
    #[must_use]
    pub fn block(mut self, block: [u32; 3]) -> Self {
        self.block = block;
        self
    }

    /// How much shared memory beyond that which the kernel names with a size.
    #[must_use]
    pub fn dynamic_shared_bytes(mut self, bytes: u32) -> Self {
        self.dynamic_shared_bytes = bytes;
        self
    }

    /// The arguments, in the order of the parameters.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = Arg>) -> Self {
        self.args = args.into_iter().collect();
        self
    }
}

/// Whether a check is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// All of them.
    All,
    /// Only bounds, alignment, divergence and deadlock, which cost nothing.
    Cheap,
}

/// How to run it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Draws the order of warps and blocks. 0: in turn, by number.
    pub seed: u64,
    /// What to look for.
    pub checks: Checks,
    /// Warp instructions after which a launch counts as endless.
    pub most_instructions: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            checks: Checks::All,
            most_instructions: 1 << 36,
        }
    }
}

/// Addresses of one instruction, for the counters.
#[derive(Default)]
pub(crate) struct Requests {
    global: SmallVec<[u64; 32]>,
    shared: SmallVec<[(u32, u64); 32]>,
}

impl Requests {
    pub(crate) fn clear(&mut self) {
        self.global.clear();
        self.shared.clear();
    }
}

/// What an instruction can reach beyond its registers.
pub(crate) struct Cx<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) registers: &'a mut Registers,
    pub(crate) copies: &'a mut Copies,
    /// Of all lanes, one after the other.
    local: &'a mut [u8],
    warp: usize,
    pub(crate) instruction: u32,
    memory: &'a mut Memory,
    shared: &'a mut Shared,
    params: &'a [u8],
    pub(crate) requests: &'a mut Requests,
    pub(crate) counters: &'a mut Counters,
    checks: Checks,
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Generic => "generic",
        Space::Global => "global",
        Space::Const => "constant",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Param => "parameter",
    }
}

fn out_of_bounds(lane: usize, space: Space, address: u64, bytes: usize) -> Trouble {
    let kind = FaultKind::OutOfBounds {
        space: space_name(space),
        address,
        bytes: bytes as u64,
    };
    Trouble::at(lane, kind)
}

impl Cx<'_> {
    fn who(&self) -> Who {
        Who {
            warp: self.warp,
            instruction: self.instruction,
        }
    }

    #[cold]
    fn conflict(&self, lane: usize, conflict: Conflict) -> Trouble {
        let line = |instruction: u32| self.kernel.lines[instruction as usize].at;
        let kind = match conflict {
            Conflict::Known(kind) => kind,
            Conflict::Race {
                address,
                access,
                other_access,
                warp,
                instruction,
            } => FaultKind::Race {
                address: address as u64,
                access,
                other_access,
                other_warp: u32::try_from(warp).expect("at most 32 warps"),
                other_line: line(instruction),
            },
            Conflict::Pending {
                address,
                instruction,
            } => FaultKind::PendingCopy {
                address: address as u64,
                copy_line: line(instruction),
            },
        };
        Trouble::at(lane, kind)
    }

    fn shared_range(
        &self,
        lane: usize,
        address: u64,
        bytes: usize,
    ) -> Result<std::ops::Range<usize>, Trouble> {
        bounds::range("shared", address, bytes, self.shared.bytes.len())
            .map_err(|kind| Trouble::at(lane, kind))
    }

    fn local_range(
        &self,
        lane: usize,
        address: u64,
        bytes: usize,
    ) -> Result<std::ops::Range<usize>, Trouble> {
        let length = self.local.len() / 32;
        let range = bounds::range("local", address, bytes, length)
            .map_err(|kind| Trouble::at(lane, kind))?;
        Ok(lane * length + range.start..lane * length + range.end)
    }

    /// What a lane prints.
    pub(crate) fn print(&mut self, text: &str) {
        self.memory.print(text);
    }

    /// One lane's load.
    pub(crate) fn load(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        into: &mut [u8],
    ) -> Result<(), Trouble> {
        let bytes = into.len();
        bounds::aligned(space_name(space), address, bytes)
            .map_err(|kind| Trouble::at(lane, kind))?;
        match space {
            Space::Global | Space::Const | Space::Generic => {
                let Some(slice) = self.memory.slice(address, bytes) else {
                    return Err(out_of_bounds(lane, space, address, bytes));
                };
                into.copy_from_slice(slice);
                self.requests.global.push(address);
            }
            Space::Shared => {
                let range = self.shared_range(lane, address, bytes)?;
                if self.checks == Checks::All {
                    let who = self.who();
                    let result = self.shared.shadow.read(who, How::Plain, range.clone());
                    result.map_err(|conflict| self.conflict(lane, conflict))?;
                }
                into.copy_from_slice(&self.shared.bytes[range]);
                self.requests.shared.push((lane as u32, address));
            }
            Space::Local => {
                let range = self.local_range(lane, address, bytes)?;
                into.copy_from_slice(&self.local[range]);
            }
            Space::Param => {
                let range = bounds::range("parameter", address, bytes, self.params.len())
                    .map_err(|kind| Trouble::at(lane, kind))?;
                into.copy_from_slice(&self.params[range]);
            }
        }
        Ok(())
    }

    /// One lane's store.
    pub(crate) fn store(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        from: &[u8],
    ) -> Result<(), Trouble> {
        let bytes = from.len();
        let name = space_name(space);
        bounds::aligned(name, address, bytes).map_err(|kind| Trouble::at(lane, kind))?;
        match space {
            Space::Global | Space::Generic => match self.memory.slice_mut(address, bytes) {
                Ok(slice) => {
                    slice.copy_from_slice(from);
                    self.requests.global.push(address);
                }
                Err(NoStore::ReadOnly) => {
                    return Err(Trouble::at(lane, FaultKind::ReadOnly { space: "constant" }));
                }
                Err(NoStore::OutOfBounds) => {
                    return Err(out_of_bounds(lane, space, address, bytes));
                }
            },
            Space::Shared => {
                let range = self.shared_range(lane, address, bytes)?;
                if self.checks == Checks::All {
                    let who = self.who();
                    let result = self.shared.shadow.write(who, How::Plain, range.clone());
                    result.map_err(|conflict| self.conflict(lane, conflict))?;
                }
                self.shared.bytes[range].copy_from_slice(from);
                self.requests.shared.push((lane as u32, address));
            }
            Space::Local => {
                let range = self.local_range(lane, address, bytes)?;
                self.local[range].copy_from_slice(from);
            }
            Space::Const | Space::Param => {
                return Err(Trouble::at(lane, FaultKind::ReadOnly { space: name }));
            }
        }
        Ok(())
    }

    /// One lane's read, change and write; the old value.
    pub(crate) fn atomic(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        size: usize,
        new: impl Fn(u64) -> u64,
    ) -> Result<u64, Trouble> {
        bounds::aligned(space_name(space), address, size)
            .map_err(|kind| Trouble::at(lane, kind))?;
        let bytes: &mut [u8] = if space == Space::Shared {
            let range = self.shared_range(lane, address, size)?;
            if self.checks == Checks::All {
                let who = self.who();
                let shadow = &mut self.shared.shadow;
                let result = shadow
                    .read(who, How::Atomic, range.clone())
                    .and_then(|()| shadow.write(who, How::Atomic, range.clone()));
                result.map_err(|conflict| self.conflict(lane, conflict))?;
            }
            &mut self.shared.bytes[range]
        } else {
            match self.memory.slice_mut(address, size) {
                Ok(slice) => slice,
                Err(NoStore::ReadOnly) => {
                    return Err(Trouble::at(lane, FaultKind::ReadOnly { space: "constant" }));
                }
                Err(NoStore::OutOfBounds) => return Err(out_of_bounds(lane, space, address, size)),
            }
        };
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        let old = u64::from_le_bytes(word);
        bytes.copy_from_slice(&new(old).to_le_bytes()[..size]);
        Ok(old)
    }

    /// Begins a copy from global to shared memory.
    pub(crate) fn start_copy(
        &mut self,
        lane: usize,
        to: u64,
        from: u64,
        bytes: usize,
        read: usize,
    ) -> Result<(), Trouble> {
        let at = |kind| Trouble::at(lane, kind);
        bounds::aligned("shared", to, bytes).map_err(at)?;
        bounds::aligned("global", from, bytes).map_err(at)?;
        let range = self.shared_range(lane, to, bytes)?;
        if read > 0 {
            if self.memory.slice(from, read).is_none() {
                return Err(out_of_bounds(lane, Space::Global, from, read));
            }
            self.requests.global.push(from);
        }
        if self.checks == Checks::All {
            let who = self.who();
            let result = self.shared.shadow.write(who, How::Copy, range.clone());
            result.map_err(|conflict| self.conflict(lane, conflict))?;
        }
        self.counters.async_bytes += bytes as u64;
        self.copies.start(
            lane,
            Copy {
                to: range.start,
                from,
                bytes,
                read,
            },
        );
        Ok(())
    }

    /// Ends the oldest groups of copies, until `left` remain.
    pub(crate) fn finish_copies(&mut self, lane: usize, left: Option<u64>) {
        for Copy {
            to,
            from,
            bytes,
            read,
        } in self.copies.finish(lane, left)
        {
            let range = to..to + bytes;
            if self.checks == Checks::All {
                self.shared.shadow.complete(self.who(), range.clone());
            }
            let target = &mut self.shared.bytes[range];
            target.fill(0);
            if read > 0 {
                let source = self.memory.slice(from, read);
                target[..read].copy_from_slice(source.expect("checked when the copy began"));
            }
        }
    }

    /// Counts what one instruction asked for.
    pub(crate) fn count_requests(&mut self, kind: Kind, bytes: u64) {
        if !self.requests.global.is_empty() {
            let sectors = Counters::sectors(&self.requests.global, bytes);
            match kind {
                Kind::Load => {
                    self.counters.global_load_requests += 1;
                    self.counters.global_load_sectors += sectors;
                }
                Kind::Store => {
                    self.counters.global_store_requests += 1;
                    self.counters.global_store_sectors += sectors;
                }
            }
        }
        if !self.requests.shared.is_empty() {
            self.counters.shared(&self.requests.shared, bytes);
        }
    }
}
