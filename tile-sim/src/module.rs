//! A parsed text: kernels whose instructions are decoded.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::isa::{Op, Pred};
use crate::machine::memory::GlobalVariable;
use crate::parse::ParseError;
use crate::parse::decoder::{Condition, Uses};
use crate::parse::names::Content;

/// PTX that can be run.
#[derive(Debug)]
pub struct Module {
    /// Tells modules apart where their variables are placed.
    pub(crate) id: u64,
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
}

impl Module {
    /// Reads a text, all of it.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (kernels, globals) = crate::parse::build::build(text)?;
        Ok(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            kernels,
            globals,
        })
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

    /// How many threads the blocks of an entry must have, if it says so.
    pub fn required_threads(&self, entry: &str) -> Option<[u32; 3]> {
        self.kernels
            .iter()
            .find(|kernel| kernel.name == entry)?
            .required_threads
    }
}
