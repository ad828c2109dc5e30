//! Parsed PTX modules, with decoded kernels.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::counters::Family;
use crate::isa::{Op, Pred};
use crate::machine::memory::GlobalVariable;
use crate::parse::ParseError;
use crate::parse::decoder::{Condition, Uses};
use crate::parse::names::Content;
use crate::parse::target::{Target, Version};

/// The source location of PTX instructions (`.loc`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The path of the file, as the compiler recorded it.
    pub file: Arc<str>,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function that was inlined; `None` if the location is not in an inlined function.
    pub function: Option<Arc<str>>,
    /// The location of the inlined call.
    pub inlined_at: Option<Arc<SourceLocation>>,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = self;
        loop {
            write!(f, "{}:{}:{}", place.file, place.line, place.column)?;
            if let Some(function) = &place.function {
                write!(f, " in `{function}`")?;
            }
            let Some(outer) = &place.inlined_at else {
                return Ok(());
            };
            f.write_str(", called at ")?;
            place = outer;
        }
    }
}

/// An instruction of the PTX text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// The line in the text, from 1.
    pub line: u32,
    /// The opcode with its modifiers. Empty for the instructions that replace a call.
    pub opcode: &'a str,
    /// The operands, separated by single spaces.
    pub operands: &'a str,
}

/// A parsed PTX module, ready to launch its kernels.
///
/// A module is immutable. The values of its global variables are in the [`Memory`](crate::Memory)
/// that it is launched with.
#[derive(Debug)]
pub struct Module {
    /// Identifies the module's variables in a memory.
    pub(crate) id: u64,
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) globals: Vec<GlobalVariable>,
}

/// A decoded instruction.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) op: Op,
    /// The family of `op`.
    pub(crate) family: Family,
    /// Is `true` if the lanes of a warp must execute `op` together.
    pub(crate) is_convergent: bool,
    pub(crate) guard: Option<Condition>,
    pub(crate) uses: Uses,
    /// The line in the text.
    pub(crate) at: u32,
    /// The opcode with its modifiers.
    pub(crate) text: String,
    /// The operands, with normalized spaces.
    pub(crate) operands: String,
    /// The source location, if there is debug information.
    pub(crate) source: Option<Arc<SourceLocation>>,
    /// Is `true` at the start of a basic block, where groups of lanes may reconverge.
    pub(crate) leader: bool,
}

#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

/// A kernel (`.entry`).
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) lines: Vec<Line>,
    /// The reconvergence order: the position of each instruction.
    pub(crate) order: Vec<u32>,
    pub(crate) contents: Vec<Content>,
    pub(crate) slot_names: Vec<String>,
    pub(crate) pred_names: Vec<String>,
    /// The predicate that is always true.
    pub(crate) always: Option<Pred>,
    pub(crate) params: Vec<Param>,
    pub(crate) param_bytes: usize,
    pub(crate) static_shared: u64,
    /// The alignment of dynamic shared memory in bytes.
    pub(crate) dynamic_align: u64,
    /// The local memory per lane in bytes.
    pub(crate) local_bytes: usize,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) max_threads: Option<u64>,
    /// Is `true` if blocks cannot observe each other's order: there is no strong access to global
    /// memory.
    pub(crate) independent: bool,
    /// Is `true` if the kernel uses `wgmma`.
    pub(crate) has_products: bool,
    /// The maximum number of registers per thread (`.maxnreg`).
    pub(crate) max_registers: Option<u32>,
    /// The required cluster size in blocks along x, y and z (`.reqnctapercluster`).
    pub(crate) required_cluster: Option<[u32; 3]>,
    /// Is `true` if the launch must specify the cluster size (`.explicitcluster`).
    pub(crate) explicit_cluster: bool,
    /// The maximum number of blocks per cluster (`.maxclusterrank`).
    pub(crate) max_cluster_rank: Option<u32>,
}

impl Module {
    /// Parses and decodes a PTX text.
    ///
    /// # Errors
    ///
    /// Returns the errors of the whole text: syntax errors, and instructions, modifiers or operands
    /// that are unknown, not supported, or not available for the text's `.version` and `.target`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let built = crate::parse::build::build(text)?;
        Ok(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            version: built.version,
            target: built.target,
            kernels: built.kernels,
            globals: built.globals,
        })
    }

    /// Returns the version of the PTX ISA (`.version`).
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the target architecture (`.target`).
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the names of the kernels, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str())
    }

    /// Returns the size of each parameter of a kernel in bytes; `None` if there is no such kernel.
    pub fn param_bytes(&self, entry: &str) -> Option<Vec<usize>> {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == entry)?;
        Some(kernel.params.iter().map(|param| param.bytes).collect())
    }

    /// Returns the bytes of each parameter in the parameter buffer of a kernel.
    pub fn param_places(&self, entry: &str) -> Option<Vec<std::ops::Range<usize>>> {
        let params = self.kernel(entry)?.params.iter();
        Some(
            params
                .map(|param| param.offset..param.offset + param.bytes)
                .collect(),
        )
    }

    /// Returns `true` if a launch of a kernel must specify the cluster size.
    pub fn requires_cluster_size(&self, entry: &str) -> bool {
        let kernel = self.kernel(entry);
        kernel.is_some_and(|kernel| kernel.explicit_cluster && kernel.required_cluster.is_none())
    }

    fn kernel(&self, entry: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == entry)
    }

    /// Returns the instructions of a kernel in order, including those of the functions it calls;
    /// `None` if there is no such kernel. [`Counters::reached`](crate::Counters::reached) has the
    /// ones that were executed.
    pub fn instructions(&self, entry: &str) -> Option<impl Iterator<Item = Instruction<'_>>> {
        let lines = self.kernel(entry)?.lines.iter();
        Some(lines.map(|line| Instruction {
            line: line.at,
            opcode: &line.text,
            operands: &line.operands,
        }))
    }

    /// Returns the block size that a kernel requires (`.reqntid`): threads along x, y and z.
    pub fn required_threads(&self, entry: &str) -> Option<[u32; 3]> {
        self.kernel(entry)?.required_threads
    }

    /// Returns the cluster size that a kernel requires (`.reqnctapercluster`): blocks along x, y
    /// and z.
    pub fn required_cluster(&self, entry: &str) -> Option<[u32; 3]> {
        self.kernel(entry)?.required_cluster
    }

    /// Returns the maximum number of blocks per cluster of a kernel (`.maxclusterrank`).
    pub fn max_cluster_rank(&self, entry: &str) -> Option<u32> {
        self.kernel(entry)?.max_cluster_rank
    }

    /// Returns the maximum number of threads per block of a kernel: that of `.reqntid` or `.maxntid`.
    pub fn max_threads(&self, entry: &str) -> Option<u64> {
        let kernel = self.kernel(entry)?;
        let required = kernel.required_threads;
        let required = required.map(|sizes| sizes.map(u64::from).iter().product());
        required.or(kernel.max_threads)
    }

    /// Returns the static shared memory of a block of a kernel in bytes.
    pub fn static_shared_bytes(&self, entry: &str) -> Option<u64> {
        Some(self.kernel(entry)?.static_shared)
    }

    /// Returns the local memory of a thread of a kernel in bytes.
    pub fn local_bytes(&self, entry: &str) -> Option<usize> {
        Some(self.kernel(entry)?.local_bytes)
    }

    /// Returns the maximum number of registers per thread of a kernel (`.maxnreg`).
    pub fn max_registers(&self, entry: &str) -> Option<u32> {
        self.kernel(entry)?.max_registers
    }
}
