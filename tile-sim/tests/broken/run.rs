//! Runs a kernel and returns the first finding.

use std::fmt;

use tile_sim::{Fault, FaultKind, Launch, Memory, Module, Options};

use crate::cases::Case;

/// The maximum number of warp instructions, an upper bound for all kernels.
const MAX_INSTRUCTIONS: u64 = 1 << 14;

/// A launch, and the expected contents of memory.
pub(crate) struct Setup {
    pub(crate) launch: Launch,
    pub(crate) memory: Memory,
    pub(crate) results: Vec<Expected>,
}

/// The expected contents of a buffer.
pub(crate) struct Expected {
    pub(crate) name: &'static str,
    pub(crate) address: u64,
    pub(crate) words: Vec<u32>,
}

/// A fault or a wrong result.
pub(crate) enum Finding {
    Fault(Box<Fault>),
    Wrong(String),
}

impl Finding {
    pub(crate) fn line(&self) -> u32 {
        match self {
            Self::Fault(fault) => fault.line,
            Self::Wrong(_) => 0,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        let Self::Fault(fault) = self else {
            return "wrong-result";
        };
        match fault.kind {
            FaultKind::OutOfBounds { .. } => "out-of-bounds",
            FaultKind::Misaligned { .. } => "misaligned",
            FaultKind::ReadOnly { .. } => "read-only",
            FaultKind::UninitializedRegister { .. } => "uninitialized-register",
            FaultKind::UninitializedShared { .. } => "uninitialized-shared",
            FaultKind::Race { .. } => "race",
            FaultKind::PendingCopy { .. } => "pending-copy",
            FaultKind::PendingRead { .. } => "pending-read",
            FaultKind::NoProxyFence { .. } => "no-proxy-fence",
            FaultKind::ProductUnderWay { .. } => "product-under-way",
            FaultKind::NoProductFence { .. } => "no-product-fence",
            FaultKind::NotAwaited(_) => "not-awaited",
            FaultKind::Mbarrier { .. } => "mbarrier",
            FaultKind::Stuck(_) => "stuck",
            FaultKind::Divergence { .. } => "divergence",
            FaultKind::NotAMember { .. } => "not-a-member",
            FaultKind::ShuffleFromInactiveLane { .. } => "inactive-lane",
            FaultKind::Deadlock { .. } => "deadlock",
            FaultKind::BarrierMisuse(_) => "barrier-misuse",
            FaultKind::MatrixMisuse(_) => "matrix-misuse",
            FaultKind::Assertion { .. } => "assertion",
            FaultKind::Trap => "trap",
            FaultKind::BranchIndex { .. } => "branch-index",
            FaultKind::InstructionLimit(_) => "endless",
            FaultKind::Launch(_) => "launch",
            FaultKind::Copy(_) => "copy",
            FaultKind::Cluster(_) => "cluster",
            FaultKind::Registers(_) => "registers",
            FaultKind::Stack(_) => "stack",
            FaultKind::Multimem(_) => "multimem",
            FaultKind::LaunchControl(_) => "launch-control",
            FaultKind::TensorMemory(_) => "tensor-memory",
            FaultKind::TensorUnderWay { .. } => "tensor-under-way",
            FaultKind::UninitializedTensor { .. } => "uninitialized-tensor",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{}: {fault}", self.kind()),
            Self::Wrong(text) => f.write_str(text),
        }
    }
}

pub(crate) fn module(name: &str, text: &str) -> Module {
    Module::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs a kernel with a seed.
pub(crate) fn run(module: &Module, case: &Case, seed: u64) -> Option<Finding> {
    let Setup {
        launch,
        mut memory,
        results,
    } = (case.setup)();
    let options = Options {
        seed,
        max_instructions: MAX_INSTRUCTIONS,
        ..Options::default()
    };
    if let Err(fault) = module.launch(&launch, &mut memory, &options) {
        return Some(Finding::Fault(Box::new(fault)));
    }
    results.iter().find_map(|expected| {
        let bytes = memory.bytes(expected.address).expect("allocated");
        let words = bytes.chunks_exact(4);
        let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
        let mut pairs = words.zip(&expected.words).enumerate();
        let (index, (actual, expected_word)) = pairs.find(|(_, (actual, word))| actual != *word)?;
        let name = expected.name;
        Some(Finding::Wrong(format!(
            "word {index} of `{name}` is {actual:#x}, not {expected_word:#x}"
        )))
    })
}
