//! The reference interpreter: it defines the semantics of the IR, and implements the CPU device.
//!
//! The input is a verified module, buffers and numbers. The result is the kernel's stores, or a
//! [`Fault`] that names kernel, block and operation. Detectable undefined behaviour of the dialect
//! (division by zero, a violated assumption, an index out of range, an out-of-bounds access) is a
//! fault, or is recorded ([`Undefined::Report`]), and never touches memory outside the buffers.
//! Checking mode ([`RunOptions::check`], `interp/check/`) finds races, accesses that no token
//! orders and reads of uninitialized memory.
//!
//! A [`Program`] compiles each entry once: every value gets a slot in a frame, every operation a
//! closure over slots with its types resolved (`interp/compile.rs`). A block runs by calling the
//! closures in order; loops over elements are monomorphic. Frames are reused between blocks and
//! launches, so that a small kernel allocates nothing.
//!
//! Where the dialect leaves a choice open, the interpreter chooses as follows:
//! - out-of-bounds elements of a tensor read as zero if the view states no padding;
//! - the indices of a gather/scatter view count elements; indices along its sparse axis that are
//!   out of bounds select nothing (`interp/window.rs`);
//! - `reduce` and `scan` process an axis from its start, long sums in parts (`interp/reduce.rs`);
//! - matmuls sum in f32 or f64 (`interp/mma.rs`, `interp/mma_scaled.rs`);
//! - `ftoi` always saturates, and returns 0 for NaN;
//! - other properties of numbers, and the errors of functions, are listed in `docs/numerics.md`;
//! - memory operations run in program order, regardless of tokens (`interp/memory.rs`);
//! - masked-off elements without padding read as zero;
//! - memory of `alloca` is initialized with zeros;
//! - variables of a module live as long as its [`Program`] (`interp/globals.rs`);
//! - the output of blocks is printed in order of the grid (`interp/output.rs`);
//! - an `f16` identity of a `bf16` reduction, or vice versa, is the same number, rounded;
//! - a failed assertion is a fault, as is a mismatched conversion of `print_tko`.

mod access;
mod allocation;
mod atomics;
mod bitwise;
mod buffers;
mod chain;
mod check;
mod compile;
mod control_flow;
mod conversion;
mod core;
mod disjoint;
mod encoding;
mod evaluate;
mod exact;
mod fault;
mod float;
mod float_value;
mod function;
mod globals;
mod grid;
mod integer;
mod laws;
mod loops;
mod machine;
mod memory;
mod misc;
mod mma;
mod mma_scaled;
mod nibble;
mod number;
mod output;
mod outside;
mod pack;
mod position;
mod print;
mod printf;
mod reduce;
mod regroup;
mod shared;
mod shuffle;
mod slices;
mod stored;
mod tile;
mod trace;
mod uses;
mod view;
mod wide_sums;
mod window;

pub use check::Check;
pub use encoding::{decode_float, encode_float};
pub(crate) use evaluate::{Input, evaluate, number};
pub use fault::{Fault, FaultKind, Reports, Undefined};
pub use output::Output;
pub use printf::{Conversion, Prints};
pub use tile::Tile;
pub use trace::{Action, Effect, Place as MemoryPlace, Trace};
pub use wide_sums::{sums_in_f32, with_wide_sums};

use crate::bytecode::{self, BytecodeError};
use crate::diag::Diagnostics;
use crate::ir::{Loc, Module, OpId};
use crate::types::{Element, Scalar, TypeKind};
use crate::verify::verify;
use buffers::{BufferFacts, Buffers, Origin, Pointer};
use compile::{Compiled, How, Place};
use globals::Globals;
use grid::Launch;
use machine::Frame;
use smallvec::SmallVec;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use tile::{Data, Lane, Storage, to_stored, with_lane};

/// Returns `true` if the blocks of an entry must run one after the other, in order of the grid: a sum
/// of floats by atomic operations depends on the order, and accesses of several sizes to one location
/// are not atomic with respect to each other.
pub fn runs_in_order(module: &Module, entry: OpId) -> bool {
    stored::has_mixed_sizes(module, entry) || stored::has_float_atomics(module, entry)
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// A buffer in memory, for a pointer parameter.
    Pointer {
        /// Its start, of any alignment.
        ptr: *mut u8,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A buffer with uninitialized bytes: in checking mode, reading one before the kernel writes it
    /// is undefined behaviour.
    Uninitialized {
        /// Its start, of any alignment.
        ptr: *mut u8,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A number, for any other parameter: its bit pattern, zero-extended.
    Scalar {
        /// The bits.
        bits: u64,
    },
}

/// Options of a run; the default uses all cores and runs to completion.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// Stops the launch with a fault when it becomes true.
    pub cancel: Option<&'a AtomicBool>,
    /// The number of threads; `None` for one per core.
    pub threads: Option<usize>,
    /// The maximum number of iterations of all loops of a block together; one more stops the launch
    /// with a fault.
    pub step_limit: Option<u64>,
    /// Records observable effects. Blocks run sequentially, in order of the grid (x fastest).
    pub trace: Option<&'a Trace>,
    /// Checks memory accesses, and checks that the bodies of reductions and scans are associative
    /// and that their identities are neutral.
    pub check: Check,
    /// The seed of a random schedule; `None` for program order. The operations of every block of
    /// code run in an order that operands, tokens, and the order of assertions and prints allow.
    /// Reductions and scans combine their elements in random groups, as compiled code may, and
    /// combine the identity with some of them.
    pub seed: Option<u64>,
    /// The handling of behaviour that the dialect leaves undefined.
    pub undefined: Undefined<'a>,
    /// The handling of tiles of a view that start outside of the view's index space.
    pub index_space: IndexSpace,
    /// Runs only the block with these coordinates, which has the same block ids and the same grid as
    /// in a launch of all blocks; `None` for all blocks.
    pub only_block: Option<[u32; 3]>,
    /// The destination of printed text, in order of the blocks; `None` for the standard output.
    pub output: Option<Output<'a>>,
}

/// The handling of tiles of a view that start outside of the view's index space: undefined
/// behaviour in the dialect, but defined in our compiler's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexSpace {
    /// All elements of the tile are out of bounds: padding when loaded, skipped when stored or
    /// updated.
    #[default]
    Padded,
    /// Undefined behaviour, as in the dialect.
    Checked,
}

/// A module that is ready to run, from any number of threads simultaneously.
pub struct Program {
    /// The module that is recompiled for launches that are checked or reordered.
    module: Module,
    /// The module as it was given, by which operations are numbered.
    written: Module,
    entries: Vec<Entry>,
    /// `None` if memory for them was exhausted.
    globals: Option<Globals>,
}

struct Entry {
    id: OpId,
    plain: Code,
    /// Compiled by the first launch that is checked.
    checked: OnceLock<Code>,
}

/// A compiled entry.
struct Code {
    compiled: Compiled,
    /// Frames of earlier launches.
    frames: Mutex<Vec<Frame>>,
}

impl Code {
    fn new(module: &Module, written: &Module, id: OpId, mode: How) -> Self {
        Self {
            compiled: compile::compile(module, written, id, mode),
            frames: Mutex::default(),
        }
    }
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Program>();
};

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|entry| &entry.plain.compiled.name);
        f.debug_list().entries(names).finish()
    }
}

impl Program {
    /// Compiles every entry of a verified module.
    ///
    /// # Panics
    /// If the module breaks a rule that the verifier checks.
    pub fn new(module: &Module) -> Self {
        let wide = with_wide_sums(module);
        let mode = How {
            check: Check::Off,
            seed: None,
        };
        let entries = module
            .entries()
            .map(|id| Entry {
                id,
                plain: Code::new(&wide, module, id, mode),
                checked: OnceLock::new(),
            })
            .collect();
        Self {
            globals: Globals::new(&wide),
            module: wide,
            written: module.clone(),
            entries,
        }
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
    /// Returns the fault of the first block, in order of the grid, that has one; later blocks may
    /// or may not have run.
    ///
    /// # Safety
    /// Every [`Arg::Pointer`] must be valid for reads and writes of its bytes from any thread, and
    /// nothing else may access them until this function returns. The kernel must not store to
    /// buffers that overlap.
    pub unsafe fn run(&self, entry: &str, grid: [u32; 3], args: &[Arg]) -> Result<(), Fault> {
        // SAFETY: promised by the caller.
        unsafe { self.run_with(entry, grid, args, RunOptions::default()) }
    }

    /// Runs `entry` over `grid` like [`Program::run`], with options.
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
        let shuffled;
        let mode = How {
            check: options.check,
            seed: options.seed,
        };
        let code = match (options.seed, options.check) {
            (None, Check::Off) => &entry.plain,
            (None, Check::On) => entry
                .checked
                .get_or_init(|| Code::new(&self.module, &self.written, entry.id, mode)),
            (Some(seed), _) => {
                let module = shuffle::shuffled(&self.module, seed);
                shuffled = Code::new(&module, &self.written, entry.id, mode);
                &shuffled
            }
        };
        let compiled = &code.compiled;
        let params = &compiled.params;
        if params.len() != args.len() {
            return Err(refused(
                &compiled.name,
                format!("expected {} arguments, found {}", params.len(), args.len()),
            ));
        }
        // If blocks run sequentially, each has exclusive access to memory.
        let is_parallel = grid.iter().any(|&extent| extent > 1);
        let mut buffers = Buffers::default();
        let mut bound: SmallVec<[Bound; 16]> = SmallVec::new();
        for (index, ((ty, place), arg)) in params.iter().zip(args).enumerate() {
            let element = ty.as_tile().map(|tile| tile.element);
            bound.push(match (element, place, *arg) {
                (
                    Some(Element::Ptr(_)),
                    &Place::Tile(slot),
                    Arg::Pointer { ptr, bytes } | Arg::Uninitialized { ptr, bytes },
                ) => {
                    let facts = BufferFacts {
                        bytes,
                        origin: Origin::Argument,
                        number: u32::try_from(index).expect("few parameters"),
                        stored: compiled.stored.params[index],
                        initialized: !matches!(arg, Arg::Uninitialized { .. }),
                    };
                    let layout = compiled.layouts[index].as_ref();
                    let is_disjoint =
                        || layout.is_some_and(|layout| layout.is_disjoint(grid, args));
                    let contended = is_parallel && facts.stored && !is_disjoint();
                    // SAFETY: promised by the caller; uncontended buffers are not stored to, or no
                    // two blocks access the same elements.
                    Bound::Pointer(slot, unsafe { buffers.add(ptr, facts, contended) })
                }
                (Some(Element::Scalar(scalar)), &Place::Tile(slot), Arg::Scalar { bits }) => {
                    Bound::Number(slot, scalar, bits)
                }
                _ => {
                    return Err(refused(
                        &compiled.name,
                        format!("argument {index} does not fit a parameter of type `{ty}`"),
                    ));
                }
            });
        }
        let stored = &compiled.stored.globals;
        let globals = self.globals(&compiled.name)?;
        let _access = globals.access(stored);
        globals.add_to(&mut buffers, stored, |global| is_parallel && stored[global]);
        let launch = Launch {
            compiled,
            grid,
            buffers,
            frames: &code.frames,
            bind: &|frame| bound.iter().for_each(|bound| bound.put(frame)),
            options,
        };
        launch.run()
    }

    /// Runs one block of an entry whose parameters are tiles of numbers of any shape, and returns
    /// the operands of its `return`.
    ///
    /// The verifier rejects such parameters and operands, so this function is only for tests.
    ///
    /// # Errors
    /// Returns the fault that occurred.
    pub fn eval(&self, entry: &str, inputs: &[Tile]) -> Result<Vec<Tile>, Fault> {
        let entry = self.entry(entry)?;
        let compiled = &entry.plain.compiled;
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
        let mut buffers = Buffers::default();
        let globals = self.globals(&compiled.name)?;
        let _access = globals.access(&compiled.stored.globals);
        globals.add_to(&mut buffers, &compiled.stored.globals, |_| false);
        let launch = Launch {
            compiled,
            grid: [1; 3],
            buffers,
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

    fn globals(&self, kernel: &str) -> Result<&Globals, Fault> {
        let globals = self.globals.as_ref();
        globals.ok_or_else(|| refused(kernel, "there is no memory for the module's variables"))
    }

    fn entry(&self, name: &str) -> Result<&Entry, Fault> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.plain.compiled.name == name)
            .ok_or_else(|| refused(name, "the module has no such kernel"))?;
        match &entry.plain.compiled.refused {
            Some(why) => Err(refused(name, why)),
            None => Ok(entry),
        }
    }
}

/// Returns a fault of the launch itself.
fn refused(kernel: &str, message: impl Into<String>) -> Fault {
    Fault {
        kind: FaultKind::Refused,
        kernel: kernel.to_owned(),
        block: [0; 3],
        op: "entry".to_owned(),
        loc: Loc::UNKNOWN,
        element: None,
        message: message.into(),
    }
}

/// An argument and its destination.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Pointer(machine::Slot, Pointer),
    Number(machine::Slot, Scalar, u64),
}

impl Bound {
    fn put(self, frame: &mut Frame) {
        match self {
            Bound::Pointer(slot, pointer) => {
                let lanes = Pointer::lanes_mut(&mut frame.tiles[slot.0]);
                lanes.clear();
                lanes.push(pointer);
            }
            Bound::Number(slot, scalar, bits) => {
                let bits = match scalar {
                    Scalar::I1 => u64::from(bits & 0xff != 0),
                    _ if scalar.bits() < 64 => bits & ((1 << scalar.bits()) - 1),
                    _ => bits,
                };
                with_lane!(Storage::for_scalar(scalar), L => {
                    let lanes = L::lanes_mut(&mut frame.tiles[slot.0]);
                    lanes.clear();
                    lanes.push(L::from_bits(to_stored(scalar, bits)));
                });
            }
        }
    }
}
