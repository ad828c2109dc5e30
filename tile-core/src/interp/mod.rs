//! The reference interpreter: the meaning of the IR, and the CPU device.
//!
//! In: a verified module, buffers and numbers. Out: what the kernel stores, or a
//! [`Fault`] that names kernel, block and operation. Undefined behaviour of the
//! dialect that can be seen (division by zero, a broken promise, an index out of
//! range, an access outside of a buffer) is a fault and never touches memory
//! outside of the buffers.
//!
//! A [`Program`] compiles each entry once: every value gets a slot in a frame,
//! every operation a closure over slots with its types resolved
//! (`interp/compile.rs`). Running a block is calling the closures in order; loops
//! over elements are monomorphic. Frames are reused between blocks and launches,
//! so that a small kernel allocates nothing.
//!
//! Choices where the dialect leaves one open:
//! - elements outside of a tensor read as zero if the view does not say;
//! - `reduce` and `scan` go along the axis from its start, long sums in parts (`interp/reduce.rs`);
//! - matrix products sum in f32 or f64 (`interp/mma.rs`, `interp/mma_scaled.rs`);
//! - `ftoi` saturates in any case, and gives 0 for NaN;
//! - the rest of what numbers are is in `docs/numerics.md`, with errors of functions;
//! - memory operations happen in program order, tokens or not (`interp/memory.rs`);
//! - elements that are masked off read as zero where there is no padding;
//! - an assertion that fails is a fault.

mod apart;
mod atomics;
mod bitwise;
mod buffers;
mod chain;
mod compile;
mod control_flow;
mod conversion;
mod core;
mod evaluate;
mod exact;
mod float;
mod function;
mod grid;
mod integer;
mod loops;
mod machine;
mod memory;
mod misc;
mod mma;
mod mma_scaled;
mod number;
mod pack;
mod reduce;
mod shared;
mod slices;
mod stored;
mod tile;
mod trace;
mod uses;
mod view;
mod window;

pub(crate) use evaluate::{Input, evaluate, number};
pub use tile::Tile;
pub use trace::{Action, Effect, Place as MemoryPlace, Trace};

use crate::bytecode::{self, BytecodeError};
use crate::diag::Diagnostics;
use crate::ir::{Loc, Module};
use crate::types::{Element, Scalar, TypeKind};
use crate::verify::verify;
use buffers::{Buffers, Pointer};
use compile::{Compiled, Place};
use grid::Launch;
use machine::Frame;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use tile::{Data, Lane, Storage, to_stored, with_lane};

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// A buffer in memory, for a pointer parameter.
    Pointer {
        /// Its start; need not be aligned.
        ptr: *mut u8,
        /// Its length.
        bytes: usize,
    },
    /// A number, for any other parameter: its bit pattern, zero-extended.
    Scalar {
        /// The bits.
        bits: u64,
    },
}

/// How to run; the default is all cores, to the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// Stops the launch with a fault when it becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// How many threads; `None` for one per core.
    pub threads: Option<usize>,
    /// Stops the launch with a fault when a block starts its loops this many times and one
    /// more: the iterations of all its loops are counted together.
    pub step_limit: Option<u64>,
    /// Records what can be seen from outside. Blocks run one after another, in order of the
    /// grid (x fastest).
    pub trace: Option<&'a Trace>,
}

/// Undefined behaviour met while running, or a launch that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The entry.
    pub kernel: String,
    /// The position of the block in the grid.
    pub block: [u32; 3],
    /// Mnemonic and position of the operation; `entry` for the launch itself.
    pub op: String,
    /// Where the operation comes from.
    pub loc: Loc,
    /// What happened.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            kernel,
            block: [x, y, z],
            op,
            loc,
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

/// A module that is ready to run, from any number of threads at once.
pub struct Program {
    entries: Vec<Entry>,
}

struct Entry {
    compiled: Compiled,
    /// Frames of earlier launches.
    frames: Mutex<Vec<Frame>>,
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Program>();
};

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|entry| &entry.compiled.name);
        f.debug_list().entries(names).finish()
    }
}

impl Program {
    /// Compiles every entry of a verified module.
    ///
    /// # Panics
    /// If the module breaks a rule that the verifier checks.
    pub fn new(module: &Module) -> Self {
        let entries = module
            .entries()
            .map(|id| Entry {
                compiled: compile::compile(module, id),
                frames: Mutex::default(),
            })
            .collect();
        Self { entries }
    }

    /// Reads, verifies and compiles bytecode.
    ///
    /// # Errors
    /// If the bytes cannot be read, or the module breaks a rule of the dialect.
    pub fn decode(bytes: &[u8]) -> Result<Self, BytecodeError> {
        let module = bytecode::read(bytes)?;
        let mut diagnostics = Diagnostics::new();
        let verified = verify(module, &mut diagnostics);
        let faults = diagnostics.take();
        match verified {
            Ok(verified) => Ok(Self::new(&verified.into_inner())),
            Err(_) => Err(BytecodeError {
                offset: None,
                loc: Loc::UNKNOWN,
                message: faults
                    .into_iter()
                    .map(|fault| fault.message)
                    .collect::<Vec<_>>()
                    .join("; "),
            }),
        }
    }

    /// Runs `entry` over `grid` on all cores.
    ///
    /// # Errors
    /// With the fault of the first block, in order of the grid, that has one;
    /// later blocks may or may not have run.
    ///
    /// # Safety
    /// Every [`Arg::Pointer`] must be valid for reads and writes of its bytes
    /// from any thread, and nothing else may access them until this returns.
    /// Buffers that overlap must not be stored to.
    pub unsafe fn run(&self, entry: &str, grid: [u32; 3], args: &[Arg]) -> Result<(), Fault> {
        // SAFETY: promised by the caller.
        unsafe { self.run_with(entry, grid, args, RunOptions::default()) }
    }

    /// [`Program::run`] with options.
    ///
    /// # Errors
    /// As [`Program::run`].
    ///
    /// # Safety
    /// As [`Program::run`].
    pub unsafe fn run_with(
        &self,
        entry: &str,
        grid: [u32; 3],
        args: &[Arg],
        options: RunOptions<'_>,
    ) -> Result<(), Fault> {
        let entry = self.entry(entry)?;
        let params = &entry.compiled.params;
        if params.len() != args.len() {
            return Err(refused(
                &entry.compiled.name,
                format!("expected {} arguments, found {}", params.len(), args.len()),
            ));
        }
        // One block at a time has its memory to itself.
        let is_parallel = grid.iter().any(|&extent| extent > 1);
        let mut buffers = Buffers::default();
        let mut bound: SmallVec<[Bound; 16]> = SmallVec::new();
        for (index, ((ty, place), arg)) in params.iter().zip(args).enumerate() {
            let element = ty.as_tile().map(|tile| tile.element);
            bound.push(match (element, place, *arg) {
                (Some(Element::Ptr(_)), &Place::Tile(slot), Arg::Pointer { ptr, bytes }) => {
                    let layout = entry.compiled.layouts[index].as_ref();
                    let contended = is_parallel
                        && entry.compiled.stored[index]
                        && !layout.is_some_and(|layout| layout.is_apart(grid, args));
                    // SAFETY: promised by the caller; nothing is stored to the others, or no
                    // two blocks access the same elements.
                    Bound::Pointer(slot, unsafe { buffers.add(ptr, bytes, contended) })
                }
                (Some(Element::Scalar(scalar)), &Place::Tile(slot), Arg::Scalar { bits }) => {
                    Bound::Number(slot, scalar, bits)
                }
                _ => {
                    return Err(refused(
                        &entry.compiled.name,
                        format!("argument {index} does not fit a parameter of type `{ty}`"),
                    ));
                }
            });
        }
        let launch = Launch {
            compiled: &entry.compiled,
            grid,
            buffers,
            frames: &entry.frames,
            bind: &|frame| bound.iter().for_each(|bound| bound.put(frame)),
            options,
        };
        launch.run()
    }

    /// Runs one block of an entry whose parameters are tiles of numbers of any
    /// shape, and gives the operands of its `return`.
    ///
    /// The verifier admits neither such parameters nor such operands: this is
    /// for tests.
    ///
    /// # Errors
    /// With the fault that was met.
    pub fn eval(&self, entry: &str, inputs: &[Tile]) -> Result<Vec<Tile>, Fault> {
        let entry = self.entry(entry)?;
        let compiled = &entry.compiled;
        let fits = |((ty, _), input): (&(crate::Type, Place), &Tile)| {
            ty.as_number_tile() == Some((input.scalar, input.shape.as_slice()))
        };
        if compiled.params.len() != inputs.len() || !compiled.params.iter().zip(inputs).all(fits) {
            return Err(refused(
                &compiled.name,
                "the inputs do not fit the parameters",
            ));
        }
        let tiles: Vec<Data> = inputs.iter().map(Tile::to_data).collect();
        let frames = Mutex::default();
        let launch = Launch {
            compiled,
            grid: [1; 3],
            buffers: Buffers::default(),
            frames: &frames,
            bind: &|frame| {
                for ((_, place), tile) in compiled.params.iter().zip(&tiles) {
                    if let Place::Tile(slot) = place {
                        frame.tiles[slot.0] = tile.clone();
                    }
                }
            },
            options: RunOptions {
                threads: Some(1),
                ..RunOptions::default()
            },
        };
        launch.run()?;
        let frame = frames.into_inner().ok().and_then(|mut frames| frames.pop());
        let frame = frame.expect("the launch gives its frame back");
        let results = compiled.results.iter().filter_map(|&(ty, slot)| {
            let TypeKind::Tile(_) = ty.kind() else {
                return None;
            };
            let (scalar, shape) = ty.as_number_tile()?;
            Some(Tile::from_data(scalar, shape, &frame.tiles[slot.0]))
        });
        Ok(results.collect())
    }

    fn entry(&self, name: &str) -> Result<&Entry, Fault> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.compiled.name == name)
            .ok_or_else(|| refused(name, "the module has no such kernel"))?;
        match &entry.compiled.refused {
            Some(why) => Err(refused(name, why)),
            None => Ok(entry),
        }
    }
}

/// A fault of the launch itself.
fn refused(kernel: &str, message: impl Into<String>) -> Fault {
    Fault {
        kernel: kernel.to_owned(),
        block: [0; 3],
        op: "entry".to_owned(),
        loc: Loc::UNKNOWN,
        message: message.into(),
    }
}

/// An argument and where it goes.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Pointer(machine::Slot, Pointer),
    Number(machine::Slot, Scalar, u64),
}

impl Bound {
    fn put(self, frame: &mut Frame) {
        match self {
            Bound::Pointer(slot, pointer) => {
                let lanes = Pointer::of_mut(&mut frame.tiles[slot.0]);
                lanes.clear();
                lanes.push(pointer);
            }
            Bound::Number(slot, scalar, bits) => {
                let bits = match scalar {
                    Scalar::I1 => u64::from(bits & 0xff != 0),
                    _ if scalar.bits() < 64 => bits & ((1 << scalar.bits()) - 1),
                    _ => bits,
                };
                with_lane!(Storage::of_scalar(scalar), L => {
                    let lanes = L::of_mut(&mut frame.tiles[slot.0]);
                    lanes.clear();
                    lanes.push(L::from_bits(to_stored(scalar, bits)));
                });
            }
        }
    }
}
