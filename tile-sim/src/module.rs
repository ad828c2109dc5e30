//! A parsed text: kernels whose instructions are decoded.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::isa::{Op, Pred};
use crate::machine::memory::GlobalVariable;
use crate::parse::ParseError;
use crate::parse::decoder::{Condition, Uses};
use crate::parse::names::Content;
use crate::parse::target::{Target, Version};

/// A place in the source that the PTX was made of (`.loc`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The path of the file, as the compiler was given it.
    pub file: Arc<str>,
    /// From 1; 0 if the compiler did not know.
    pub line: u32,
    /// From 1; 0 if the compiler did not know.
    pub column: u32,
    /// The function that it is in, if it was inlined into another.
    pub function: Option<Arc<str>>,
    /// Where that function was called.
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

/// An instruction as the text has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// Where it stands, from 1.
    pub line: u32,
    /// The opcode and its modifiers; of what calls leave behind, nothing.
    pub opcode: &'a str,
    /// Behind the opcode, with single spaces.
    pub operands: &'a str,
}

/// PTX that can be run.
#[derive(Debug)]
pub struct Module {
    /// Tells modules apart where their variables are placed.
    pub(crate) id: u64,
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) globals: Vec<GlobalVariable>,
}

/// One instruction with all that running it needs.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) op: Op,
    pub(crate) guard: Option<Condition>,
    pub(crate) uses: Uses,
    /// In the text.
    pub(crate) at: u32,
    /// Opcode and modifiers.
    pub(crate) text: String,
    /// As they are written, but for spaces.
    pub(crate) operands: String,
    /// What it was made of, if there is debug information.
    pub(crate) source: Option<Arc<SourceLocation>>,
    /// Groups of lanes may meet here.
    pub(crate) leader: bool,
}

#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

/// One entry.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) lines: Vec<Line>,
    /// For each instruction, when a group of lanes that is there should run.
    pub(crate) order: Vec<u32>,
    pub(crate) contents: Vec<Content>,
    pub(crate) slot_names: Vec<String>,
    pub(crate) pred_names: Vec<String>,
    /// The predicate that holds from the start.
    pub(crate) always: Option<Pred>,
    pub(crate) params: Vec<Param>,
    pub(crate) param_bytes: usize,
    pub(crate) static_shared: u64,
    /// Of the shared memory whose size the launch gives.
    pub(crate) dynamic_align: u64,
    /// Of one lane.
    pub(crate) local_bytes: usize,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) most_threads: Option<u64>,
    /// Its blocks cannot see each other's order: no strong access to global memory.
    pub(crate) independent: bool,
    /// It has `wgmma`.
    pub(crate) has_products: bool,
    /// Of a thread (`.maxnreg`).
    pub(crate) max_registers: Option<u32>,
    /// Blocks of a cluster (`.reqnctapercluster`).
    pub(crate) required_cluster: Option<[u32; 3]>,
    /// The launch has to name the size of clusters (`.explicitcluster`).
    pub(crate) explicit_cluster: bool,
    /// The most blocks of a cluster (`.maxclusterrank`).
    pub(crate) max_cluster_rank: Option<u32>,
}

impl Module {
    /// Reads a text, all of it.
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

    /// The version of the PTX ISA that the text is written in.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The architecture that the text is for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The names of its entries, in their order.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str())
    }

    /// How many bytes each parameter of an entry has.
    pub fn param_bytes(&self, entry: &str) -> Option<Vec<usize>> {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == entry)?;
        Some(kernel.params.iter().map(|param| param.bytes).collect())
    }

    fn kernel(&self, entry: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == entry)
    }

    /// The instructions of an entry, with those of the functions that it calls, in their order:
    /// [`Counters::reached`](crate::Counters::reached) says which of them ran.
    pub fn instructions(&self, entry: &str) -> Option<impl Iterator<Item = Instruction<'_>>> {
        let lines = self.kernel(entry)?.lines.iter();
        Some(lines.map(|line| Instruction {
            line: line.at,
            opcode: &line.text,
            operands: &line.operands,
        }))
    }

    /// How many threads the blocks of an entry must have, if it says so (`.reqntid`).
    pub fn required_threads(&self, entry: &str) -> Option<[u32; 3]> {
        self.kernel(entry)?.required_threads
    }

    /// How many blocks the clusters of an entry must have, if it says so (`.reqnctapercluster`).
    pub fn required_cluster(&self, entry: &str) -> Option<[u32; 3]> {
        self.kernel(entry)?.required_cluster
    }

    /// The most blocks that the clusters of an entry may have, if it says so (`.maxclusterrank`).
    pub fn max_cluster_rank(&self, entry: &str) -> Option<u32> {
        self.kernel(entry)?.max_cluster_rank
    }

    /// The most registers that a thread of an entry may have, if it says so (`.maxnreg`).
    pub fn max_registers(&self, entry: &str) -> Option<u32> {
        self.kernel(entry)?.max_registers
    }
}
