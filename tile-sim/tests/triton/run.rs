//! Parses, launches and compares one kernel.

use std::fs;
use std::path::Path;

use tile_sim::{Arg, Launch, Memory, Module, Options};

use crate::compare;
use crate::corpus::Kernel;
use crate::maps;

/// The maximum number of warp instructions, an upper bound for all kernels.
const MAX_INSTRUCTIONS: u64 = 1 << 22;

/// The alignment of buffers: that of a tensor map whose elements have four bits and padding.
const ALIGN: u64 = 32;

/// The stage in which a kernel failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The text is not supported, or cannot be launched.
    Refused,
    /// A check reported a fault.
    Fault,
    /// The results differ from those of `NumPy`.
    Wrong,
    Passed,
}

impl Stage {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Fault => "fault",
            Self::Wrong => "wrong",
            Self::Passed => "passed",
        }
    }
}

pub(crate) struct Outcome {
    pub(crate) stage: Stage,
    pub(crate) reason: String,
    /// The number with the last seed.
    pub(crate) warp_instructions: u64,
}

impl Outcome {
    fn new(stage: Stage, reason: String) -> Self {
        Self {
            stage,
            reason,
            warp_instructions: 0,
        }
    }

    pub(crate) fn passed(&self) -> bool {
        self.stage == Stage::Passed
    }

    pub(crate) fn verdict(&self) -> String {
        match self.stage {
            Stage::Passed => "passed".into(),
            stage => format!("{}: {}", stage.name(), self.reason),
        }
    }
}

/// A buffer that is compared at the end.
struct Buffer<'a> {
    address: u64,
    number: &'a str,
    ty: &'a str,
    verdict: &'a str,
}

/// The state for one run.
struct Prepared<'a> {
    memory: Memory,
    launch: Launch,
    buffers: Vec<Buffer<'a>>,
}

/// Runs the kernel with the seeds from 0 until one fails.
pub(crate) fn run(kernel: &Kernel, folder: &Path, seeds: u64) -> Outcome {
    let module = match Module::parse(&kernel.text) {
        Ok(module) => module,
        Err(error) => {
            let reason = format!("line {}: {}", error.line, error.message);
            return Outcome::new(Stage::Refused, reason);
        }
    };
    let list = fs::read_to_string(folder.join("launch")).expect("`reference.py` writes it");
    let mut outcome = Outcome::new(Stage::Passed, String::new());
    for seed in 0..seeds {
        outcome = launch(&module, prepare(kernel, folder, &list), folder, seed);
        if !outcome.passed() {
            break;
        }
    }
    outcome
}

fn bytes_of_hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| std::str::from_utf8(pair).expect("ASCII"))
        .map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal digits"))
        .collect()
}

fn prepare<'a>(kernel: &Kernel, folder: &Path, list: &'a str) -> Prepared<'a> {
    let mut memory = Memory::new();
    let mut grid = [1; 3];
    let mut args = Vec::new();
    let mut buffers = Vec::new();
    let mut maps = 0;
    for line in list.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["grid", ref axes @ ..] => {
                for (axis, text) in grid.iter_mut().zip(axes) {
                    *axis = text.parse().expect("a number");
                }
            }
            ["scalar", hex] => args.push(Arg::bytes(&bytes_of_hex(hex))),
            [kind, number, ty, verdict, ref shape @ ..] => {
                let start = fs::read(folder.join(format!("{number}.start"))).expect("it is there");
                let address = memory.alloc_with(&start, ALIGN);
                match (kind, shape) {
                    ("buffer", []) => args.push(Arg::from(address)),
                    ("map", [shape]) => {
                        args.extend(maps::arguments(kernel, maps, address, ty, shape));
                        maps += 1;
                    }
                    _ => panic!("{}: `{line}`", folder.display()),
                }
                buffers.push(Buffer {
                    address,
                    number,
                    ty,
                    verdict,
                });
            }
            _ => panic!("{}: `{line}`", folder.display()),
        }
    }
    // Triton's scratch memory of each block, and the memory of its profiler.
    let cluster = kernel.number("cluster");
    let blocks = grid.iter().product::<u32>() * cluster;
    let scratch = kernel.number("scratch") as usize * blocks as usize;
    let align = u64::from(kernel.number("scratch_align"));
    let scratch = match scratch {
        0 => 0,
        bytes => memory.alloc(bytes, align),
    };
    args.extend([Arg::from(scratch), Arg::from(0u64)]);
    grid[0] *= cluster;
    let launch = Launch::new(kernel.fact("entry").expect("the head names the entry"))
        .grid(grid)
        .threads(kernel.number("threads"))
        .dynamic_shared_bytes(kernel.number("shared"))
        .args(args);
    Prepared {
        memory,
        launch,
        buffers,
    }
}

fn launch(module: &Module, prepared: Prepared<'_>, folder: &Path, seed: u64) -> Outcome {
    let Prepared {
        mut memory,
        launch,
        buffers,
    } = prepared;
    let options = Options {
        seed,
        max_instructions: MAX_INSTRUCTIONS,
        ..Options::default()
    };
    let counters = match module.launch(&launch, &mut memory, &options) {
        Ok(counters) => counters,
        Err(fault) => return Outcome::new(Stage::Fault, format!("seed {seed}: {fault}")),
    };
    let difference = buffers.iter().find_map(|buffer| {
        let bytes = memory.bytes(buffer.address).expect("it was allocated");
        compare::difference(folder, buffer.number, buffer.ty, buffer.verdict, bytes)
    });
    let (stage, reason) = match difference {
        Some(text) => (Stage::Wrong, format!("seed {seed}: {text}")),
        None => (Stage::Passed, String::new()),
    };
    Outcome {
        stage,
        reason,
        warp_instructions: counters.warp_instructions.iter().sum(),
    }
}
