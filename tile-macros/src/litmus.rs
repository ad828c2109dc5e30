//! Litmus tests of memory orderings: small programs of several blocks, with outcomes that their
//! orderings forbid and that weaker orderings allow.
//!
//! Each test runs over two tensors and over one tensor
//!
//! - in the interpreter, as built and canonicalized, with one thread per block and the operations
//!   of each block in seeded random orders;
//! - if it contains only atomic loads and stores, in every interleaving of these orders, so that
//!   the outcomes do not depend on timing;
//! - in the interpreter with all checks;
//! - as PTX in `tile-sim`, with all checks and seeded interleavings of warps.
//!
//! A forbidden outcome must never occur. With a weakened ordering, either the outcome occurs in one
//! of the interleavings or a check reports a race. This shows that each test can fail.
//! `TILE_LITMUS_SEEDS` is the number of seeds.

use crate::build::{Variant, entry_name};
use crate::device_tests::{canonical, compiled};
use crate::testing::front;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{self, Check, Program, RunOptions};
use tile_core::verify::verify;
use tile_core::{Diagnostics, ir::Module};

/// The number of rounds of a launch; each round has its own cells.
const ROUNDS: usize = 16;
/// The number of rows of the table of results.
const RESULTS: usize = 4;

/// A litmus test.
struct Litmus {
    name: &'static str,
    /// The code of each block in round `i`. `@x` and `#x` are the tensor and the index of one
    /// location, `@y` and `#y` of another, `$0` and so on are orderings, and `out[k] = r` records a
    /// result.
    blocks: &'static [&'static str],
    /// The orderings that together forbid the outcome, each with weaker orderings that allow it.
    orderings: &'static [(&'static str, &'static [&'static str])],
    /// Returns `true` if the outcome of a round is forbidden.
    forbidden: fn(&Round) -> bool,
    /// The observability of weaker orderings, since a machine may guarantee more than they do.
    weaker: Weaker,
    /// The number of elements of the location of `x`.
    width: usize,
    /// For blocks that load and store unconditionally: the block and location of a load, the result
    /// that it sets, and the number that is added.
    loads: &'static [(usize, char, usize, i32)],
}

/// The observability of weaker orderings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weaker {
    /// The forbidden outcome occurs, or a race is reported.
    Shows,
    /// The same as `Shows`, unless both locations are in one tensor, where tokens keep the accesses
    /// in order.
    ShowsOverTwo,
}

/// The outcome of a round.
#[derive(Clone, Copy, Debug)]
struct Round {
    results: [i32; RESULTS],
    x: i32,
    y: i32,
}

/// The tensor of the second location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    TwoTensors,
    OneTensor,
}

/// The synchronization of blocks before each round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Together,
    Anyhow,
}

const STRONGER_THAN_RELAXED: &[&str] = &["Relaxed"];

const TESTS: &[Litmus] = &[
    Litmus {
        name: "message passing",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "let seen = @y.atomic_load([#y], $1);
             out[0] = seen;
             if seen == 1 { let data = @x.at([#x]); out[1] = data; }",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "message passing by fences",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             fence($0);
             @y.atomic_store([#y], 1);",
            "let seen = @y.atomic_load([#y]);
             fence($1);
             out[0] = seen;
             if seen == 1 { let data = @x.at([#x]); out[1] = data; }",
        ],
        orderings: &[("Release", NO_FENCE), ("Acquire", NO_FENCE)],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "message passing by updates",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             @y.atomic_xchg([#y], 1, $0);",
            "let seen = @y.atomic_cas([#y], 1, 1, $1);
             out[0] = seen;
             if seen == 1 { let data = @x.at([#x]); out[1] = data; }",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "store buffering",
        blocks: &[
            "@x.atomic_store([#x], 1, $0); let r = @y.atomic_load([#y], $1); out[0] = r + 1;",
            "@y.atomic_store([#y], 1, $2); let r = @x.atomic_load([#x], $3); out[1] = r + 1;",
        ],
        // The fence before the load separates it from the store, so the ordering of the store does
        // not matter.
        orderings: &[
            ("SeqCst", &[]),
            ("SeqCst", &["Acquire", "Relaxed"]),
            ("SeqCst", &[]),
            ("SeqCst", &["Acquire", "Relaxed"]),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 1,
        weaker: Weaker::ShowsOverTwo,
        width: 1,
        loads: &[(0, 'y', 0, 1), (1, 'x', 1, 1)],
    },
    Litmus {
        name: "store buffering by fences",
        blocks: &[
            "@x.atomic_store([#x], 1); fence($0); let r = @y.atomic_load([#y]); out[0] = r + 1;",
            "@y.atomic_store([#y], 1); fence($1); let r = @x.atomic_load([#x]); out[1] = r + 1;",
        ],
        orderings: &[("SeqCst", NO_FENCE), ("SeqCst", NO_FENCE)],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 1,
        weaker: Weaker::ShowsOverTwo,
        width: 1,
        loads: &[(0, 'y', 0, 1), (1, 'x', 1, 1)],
    },
    Litmus {
        name: "load buffering",
        blocks: &[
            "let r = @x.atomic_load([#x], $0); @y.atomic_store([#y], 1, $1); out[0] = r;",
            "let r = @y.atomic_load([#y], $2); @x.atomic_store([#x], 1, $3); out[1] = r;",
        ],
        // Each block needs only one of its two orderings.
        orderings: &[
            ("Acquire", STRONGER_THAN_RELAXED),
            ("Relaxed", &[]),
            ("Relaxed", &[]),
            ("Release", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 1,
        weaker: Weaker::ShowsOverTwo,
        width: 1,
        loads: &[(0, 'x', 0, 0), (1, 'y', 1, 0)],
    },
    Litmus {
        name: "independent reads of independent writes",
        blocks: &[
            "@x.atomic_store([#x], 1, $0);",
            "@y.atomic_store([#y], 1, $1);",
            "let r = @x.atomic_load([#x], $2); let s = @y.atomic_load([#y], $2); out[0] = r; out[1] = s + 1;",
            "let r = @y.atomic_load([#y], $3); let s = @x.atomic_load([#x], $3); out[2] = r; out[3] = s + 1;",
        ],
        // A CPU makes stores visible to all threads simultaneously, and an acquire precedes later
        // accesses.
        orderings: &[
            ("SeqCst", &[]),
            ("SeqCst", &[]),
            ("SeqCst", &["Relaxed"]),
            ("SeqCst", &["Relaxed"]),
        ],
        forbidden: |round| round.results == [1, 1, 1, 1],
        weaker: Weaker::ShowsOverTwo,
        width: 1,
        loads: &[
            (2, 'x', 0, 0),
            (2, 'y', 1, 1),
            (3, 'y', 2, 0),
            (3, 'x', 3, 1),
        ],
    },
    Litmus {
        name: "2+2W",
        blocks: &[
            "@x.atomic_store([#x], 1, $0); @y.atomic_store([#y], 2, $1);",
            "@y.atomic_store([#y], 1, $2); @x.atomic_store([#x], 2, $3);",
        ],
        // A release follows earlier accesses.
        orderings: &[
            ("SeqCst", &[]),
            ("SeqCst", &["Relaxed"]),
            ("SeqCst", &[]),
            ("SeqCst", &["Relaxed"]),
        ],
        forbidden: |round| round.x == 1 && round.y == 1,
        weaker: Weaker::ShowsOverTwo,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "release sequence",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "@y.atomic_cas([#y], 1, 2);",
            "let seen = @y.atomic_load([#y], $1);
             out[0] = seen;
             if seen == 2 { let data = @x.at([#x]); out[1] = data; }",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 2 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "spin lock",
        blocks: &[LOCKED, LOCKED],
        orderings: &[
            ("Acquire", STRONGER_THAN_RELAXED),
            ("Release", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.x != 2,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "last arriver",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             let before = @y.atomic_add([#y], 1, $0);
             if before == 1 { let data = @x.at([#x]); out[0] = data + 1; }",
            "let before = @y.atomic_add([#y], 1, $1);
             if before == 1 { let data = @x.at([#x]); out[0] = data + 1; }",
        ],
        // The block that arrives first releases, and the block that arrives last acquires.
        orderings: &[
            ("AcqRel", &["Acquire", "Relaxed"]),
            ("AcqRel", &["Release", "Relaxed"]),
        ],
        forbidden: |round| round.results[0] == 1,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
    Litmus {
        name: "chained scan",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 5)); }
             @y.atomic_store([#y], 1, $0);",
            "while @y.atomic_load([#y], $1) < 1 {}
             let before = @x.at([#x]);
             unsafe { @x.store([#x], full([1], before + 7)); }
             @y.atomic_store([#y], 2, $2);",
            "while @y.atomic_load([#y], $3) < 2 {}
             let before = @x.at([#x]);
             unsafe { @x.store([#x], full([1], before + 9)); }",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.x != 21,
        weaker: Weaker::Shows,
        width: 1,
        loads: &[],
    },
];

/// Replaces an ordering to omit the fence.
const NO_FENCE: &[&str] = &[""];

const LOCKED: &str = "
    while @y.atomic_cas([#y], 0, 1, $0) != 0 {}
    let count = @x.at([#x]);
    unsafe { @x.store([#x], full([1], count + 1)); }
    @y.atomic_store([#y], 0, $1);";

/// Two stores to a location, and two blocks that each read the location twice. Since there is only
/// one location, there is only one tensor.
const COHERENCE: Litmus = Litmus {
    name: "coherence",
    blocks: &[
        "@x.atomic_store([#x], 1, $0); @x.atomic_store([#x], 2, $0);",
        "let r = @x.atomic_load([#x], $0); let s = @x.atomic_load([#x], $0); out[0] = r; out[1] = s;",
        "let r = @x.atomic_load([#x], $0); let s = @x.atomic_load([#x], $0); out[2] = r; out[3] = s;",
    ],
    orderings: &[("Relaxed", &[])],
    forbidden: |round| {
        let [a, b, c, d] = round.results;
        a > b || c > d || round.x != 2
    },
    weaker: Weaker::Shows,
    width: 1,
    loads: &[],
};

/// The same tests with tiles that many threads store and load: on a GPU, one thread releases or
/// acquires for all threads of its block.
const WIDE: &[Litmus] = &[
    Litmus {
        name: "message passing of a tile",
        blocks: &[
            "unsafe { @x.store([#x], full([512], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "let seen = @y.atomic_load([#y], $1);
             out[0] = seen;
             if seen == 1 { let data = @x.load([#x], [512]).reduce_min(0); out[1] = data; }",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 512,
        loads: &[],
    },
    Litmus {
        name: "message passing of a tile by fences",
        blocks: &[
            "unsafe { @x.store([#x], full([512], 1)); }
             fence($0);
             @y.atomic_store([#y], 1);",
            "while @y.atomic_load([#y]) == 0 {}
             fence($1);
             let data = @x.load([#x], [512]).reduce_min(0);
             out[0] = 1;
             out[1] = data;",
        ],
        orderings: &[("Release", NO_FENCE), ("Acquire", NO_FENCE)],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 512,
        loads: &[],
    },
    Litmus {
        name: "spin lock around a tile",
        blocks: &[LOCKED_TILE, LOCKED_TILE, LOCKED_TILE],
        orderings: &[
            ("Acquire", STRONGER_THAN_RELAXED),
            ("Release", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.x != 3,
        weaker: Weaker::Shows,
        width: 512,
        loads: &[],
    },
    Litmus {
        name: "tiles of an earlier iteration",
        // The loads of the inner loop must not be prefetched before the acquire.
        blocks: &[
            "unsafe { @x.store([#x], full([512], 1)); @x.store([#x + 1], full([512], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "while @y.atomic_load([#y], $1) == 0 {}
             let mut least = full([512], 9);
             for k in 0..2 { least = least.min(@x.load([#x + k], [512])); }
             let data = least.reduce_min(0);
             out[0] = 1;
             out[1] = data;",
        ],
        orderings: &[
            ("Release", STRONGER_THAN_RELAXED),
            ("Acquire", STRONGER_THAN_RELAXED),
        ],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
        weaker: Weaker::Shows,
        width: 512,
        loads: &[],
    },
];

const LOCKED_TILE: &str = "
    while @y.atomic_cas([#y], 0, 1, $0) != 0 {}
    let count = @x.load([#x], [512]);
    unsafe { @x.store([#x], count + 1); }
    @y.atomic_store([#y], 0, $1);";

impl Litmus {
    /// Returns the source of the kernel with these orderings.
    fn source(&self, orderings: &[&str], places: Places, start: Start) -> String {
        let mut text = String::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let block = match block.split_once("out[") {
                None => (*block).to_owned(),
                Some(_) => with_results(block),
            };
            let _ = writeln!(text, "if b == {number} {{ {block} }}");
        }
        for (number, ordering) in orderings.iter().enumerate() {
            if ordering.is_empty() {
                text = text.replace(&format!("fence(${number});"), "");
            }
            text = text.replace(&format!("${number}"), &format!("Ordering::{ordering}"));
        }
        let (tensor, index) = match places {
            Places::TwoTensors => ("y", "2 * i"),
            Places::OneTensor => ("x", "2 * i + 1"),
        };
        let text = text
            .replace("@x", "x")
            .replace("#x", "2 * i")
            .replace("@y", tensor)
            .replace("#y", index);
        let start = match start {
            Start::Anyhow => "",
            Start::Together => "s.atomic_add([i], 1); while s.atomic_load([i]) < num_blocks(0) {}",
        };
        format!(
            "fn k(
                x: &mut Tensor<i32, 1>,
                y: &mut Tensor<i32, 1>,
                s: &mut Tensor<i32, 1>,
                out: &mut Tensor<i32, 2>,
            ) {{
                let b = block_id(0);
                for i in 0..s.dim(0) {{ {start}\n{text} }}
            }}"
        )
    }

    fn orderings(&self) -> Vec<&'static str> {
        self.orderings.iter().map(|(strong, _)| *strong).collect()
    }

    fn grid(&self) -> [u32; 3] {
        [u32::try_from(self.blocks.len()).expect("few"), 1, 1]
    }
}

/// Rewrites `out[k] = r` to an atomic store.
fn with_results(block: &str) -> String {
    let mut parts = block.split("out[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (slot, rest) = part.split_once("] = ").expect("a result");
        let (value, rest) = rest.split_once(';').expect("a statement");
        let _ = write!(text, "out.atomic_store([{slot}, i], {value});{rest}");
    }
    text
}

/// The four buffers of a launch.
struct Buffers([Vec<i32>; 4]);

impl Buffers {
    fn new(litmus: &Litmus) -> Self {
        let owner = |elements| vec![0; elements];
        Self([
            owner(2 * ROUNDS * litmus.width),
            owner(2 * ROUNDS),
            owner(ROUNDS),
            owner(RESULTS * ROUNDS),
        ])
    }

    fn extents(&self, buffer: usize) -> Vec<usize> {
        match buffer {
            3 => vec![RESULTS, ROUNDS],
            _ => vec![self.0[buffer].len()],
        }
    }

    fn rounds(&self, litmus: &Litmus, places: Places) -> Vec<Round> {
        let [x, y, _, out] = &self.0;
        let round = |round_index: usize| Round {
            results: std::array::from_fn(|slot| out[slot * ROUNDS + round_index]),
            x: x[2 * round_index * litmus.width],
            y: match places {
                Places::TwoTensors => y[2 * round_index],
                Places::OneTensor => x[2 * round_index + 1],
            },
        };
        (0..ROUNDS).map(round).collect()
    }
}

/// Returns the modules of a kernel, as built, by variant.
fn modules(source: &str) -> Vec<(Variant, Module)> {
    let expansion = front("arch(\"cpu\")", source)
        .unwrap_or_else(|faults| panic!("{source}\n{}", faults.concat()));
    let mut artifacts = expansion.artifacts;
    artifacts.swap_remove(0).into_iter().collect()
}

/// Returns the programs of a module as built, in which only tokens order accesses, and
/// canonicalized.
fn program(module: &Module) -> [Program; 2] {
    let mut diagnostics = Diagnostics::new();
    let flat = verify(module.clone(), &mut diagnostics)
        .and_then(|module| flatten(module, &FlattenOptions::default(), &mut diagnostics))
        .unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
    [
        Program::new(&flat.module),
        Program::new(canonicalize(flat.module).module()),
    ]
}

/// Runs one launch in the interpreter.
fn interpret(
    litmus: &Litmus,
    program: &Program,
    variant: Variant,
    options: RunOptions<'_>,
) -> Result<Buffers, String> {
    let mut buffers = Buffers::new(litmus);
    let mut args = Vec::new();
    for buffer in 0..4 {
        let extents = buffers.extents(buffer);
        args.push(interp::Arg::Pointer {
            ptr: buffers.0[buffer].as_mut_ptr().cast(),
            bytes: 4 * buffers.0[buffer].len(),
        });
        let strides = (0..extents.len()).map(|axis| extents[axis + 1..].iter().product());
        let numbers = extents
            .iter()
            .copied()
            .chain(strides.collect::<Vec<usize>>());
        args.extend(numbers.map(|number| interp::Arg::Scalar {
            bits: number as u64,
        }));
    }
    // SAFETY: the pointers are to buffers of the given length that nothing else accesses.
    let done =
        unsafe { program.run_with(&entry_name("k", variant), litmus.grid(), &args, options) };
    done.map(|()| buffers).map_err(|fault| fault.to_string())
}

/// Returns the rounds of launches in the interpreter, for all seeds.
fn interpreted(litmus: &Litmus, source: &str, places: Places, seeds: u64) -> Vec<Round> {
    let mut rounds = Vec::new();
    let (variant, module) = modules(source).swap_remove(0);
    for program in program(&module) {
        for seed in 0..seeds {
            let options = RunOptions {
                seed: seed.checked_sub(1),
                threads: Some(litmus.blocks.len()),
                step_limit: Some(100_000_000),
                ..RunOptions::default()
            };
            let buffers = interpret(litmus, &program, variant, options);
            let buffers = buffers.unwrap_or_else(|fault| panic!("{source}\n{fault}"));
            rounds.extend(buffers.rounds(litmus, places));
        }
    }
    rounds
}

/// Runs the interpreter with all checks and returns the error that they report.
fn checked(litmus: &Litmus, source: &str) -> Result<(), String> {
    for (variant, module) in modules(source) {
        for program in program(&module) {
            let options = RunOptions {
                check: Check::On,
                step_limit: Some(100_000),
                ..RunOptions::default()
            };
            interpret(litmus, &program, variant, options)?;
        }
    }
    Ok(())
}

/// Returns the rounds of launches of the PTX, or the error of `tile-sim`.
fn simulated(
    litmus: &Litmus,
    source: &str,
    places: Places,
    seeds: u64,
) -> Result<Vec<Round>, String> {
    let mut rounds = Vec::new();
    let targets = [
        (Variant::Fast, Arch::SM_80),
        (Variant::General, Arch::SM_90A),
    ];
    for (variant, module) in modules(source) {
        let archs: Vec<Arch> = targets
            .iter()
            .filter(|(owner, _)| *owner == variant || is_full())
            .map(|&(_, arch)| arch)
            .collect();
        let artifact = compiled(&canonical(&module), variant, &archs);
        for (arch, ptx) in &artifact.ptx {
            let launch = artifact
                .manifest
                .launches
                .iter()
                .find(|launch| launch.arch == *arch);
            let launch = launch.expect("a launch per architecture");
            let parsed = tile_sim::Module::parse(ptx).unwrap_or_else(|error| panic!("{error}"));
            for seed in 0..seeds {
                let mut memory = tile_sim::Memory::new();
                let mut buffers = Buffers::new(litmus);
                let mut args = Vec::new();
                let mut places_of = Vec::new();
                for buffer in 0..4 {
                    let bytes: Vec<u8> = buffers.0[buffer]
                        .iter()
                        .flat_map(|it| it.to_le_bytes())
                        .collect();
                    let place = memory.alloc_with(&bytes, 16);
                    places_of.push(place);
                    args.push(tile_sim::Arg::from(place));
                    let extents = buffers.extents(buffer);
                    let strides: Vec<usize> = (0..extents.len())
                        .map(|axis| extents[axis + 1..].iter().product())
                        .collect();
                    args.extend(
                        extents
                            .into_iter()
                            .chain(strides)
                            .map(|number| match variant {
                                Variant::Fast => {
                                    tile_sim::Arg::from(u32::try_from(number).expect("small"))
                                }
                                Variant::General => tile_sim::Arg::from(number as u64),
                            }),
                    );
                }
                let launch = tile_sim::Launch::new(&launch.entry)
                    .grid(litmus.grid())
                    .threads(launch.threads)
                    .dynamic_shared_bytes(launch.shared_bytes)
                    .args(args);
                let options = tile_sim::Options {
                    seed,
                    ..tile_sim::Options::default()
                };
                parsed
                    .launch(&launch, &mut memory, &options)
                    .map_err(|fault| format!("{variant:?} {arch} {seed}: {fault}"))?;
                for (buffer, place) in places_of.into_iter().enumerate() {
                    let bytes = memory.bytes(place).expect("allocated");
                    let words = bytes
                        .chunks_exact(4)
                        .map(|word| i32::from_le_bytes(word.try_into().expect("four bytes")));
                    buffers.0[buffer] = words.collect();
                }
                rounds.extend(buffers.rounds(litmus, places));
            }
        }
    }
    Ok(rounds)
}

/// Returns `true` unless this is a quick run.
fn is_full() -> bool {
    std::env::var_os("TILE_LITMUS_SEEDS").is_some()
}

/// Returns the number of seeds: `few` in a quick run.
fn seeds(few: u64) -> u64 {
    match std::env::var("TILE_LITMUS_SEEDS") {
        Ok(text) => text.parse().expect("`TILE_LITMUS_SEEDS` is a number"),
        Err(_) => few,
    }
}

/// Returns the ways in which blocks start a round. Blocks that wait for each other spin, so each
/// block needs a core.
fn starts(litmus: &Litmus) -> &'static [Start] {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= litmus.blocks.len() && is_full() {
        &[Start::Together, Start::Anyhow]
    } else {
        &[Start::Anyhow]
    }
}

fn all() -> impl Iterator<Item = (&'static Litmus, Places)> {
    let both = TESTS
        .iter()
        .flat_map(|litmus| [(litmus, Places::TwoTensors), (litmus, Places::OneTensor)]);
    let wide = WIDE.iter().map(|litmus| (litmus, Places::TwoTensors));
    both.chain([(&COHERENCE, Places::OneTensor)]).chain(wide)
}

#[test]
fn forbidden_outcomes_are_never_interpreted() {
    for (litmus, places) in all() {
        for &start in starts(litmus) {
            let source = litmus.source(&litmus.orderings(), places, start);
            let rounds = interpreted(litmus, &source, places, seeds(3));
            let bad = rounds.iter().find(|round| (litmus.forbidden)(round));
            assert!(
                bad.is_none(),
                "{} {places:?}: {bad:?}\n{source}",
                litmus.name
            );
        }
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        if let Err(fault) = checked(litmus, &source) {
            panic!("{} {places:?}: {fault}\n{source}", litmus.name);
        }
    }
}

#[test]
fn forbidden_outcomes_are_never_simulated() {
    for (litmus, places) in all() {
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        let rounds = simulated(litmus, &source, places, seeds(2))
            .unwrap_or_else(|fault| panic!("{} {places:?}: {fault}\n{source}", litmus.name));
        let bad = rounds.iter().find(|round| (litmus.forbidden)(round));
        assert!(
            bad.is_none(),
            "{} {places:?}: {bad:?}\n{source}",
            litmus.name
        );
    }
}

/// An access of a block in round 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Load(char),
    Store(char, i32),
}

/// Returns the orders in which each block accesses its locations in round 0, for all seeds.
fn orders(litmus: &Litmus, source: &str, places: Places) -> Vec<BTreeSet<Vec<Event>>> {
    let mut orders = vec![BTreeSet::new(); litmus.blocks.len()];
    let (variant, module) = modules(source).swap_remove(0);
    let name = |place: &interp::MemoryPlace| match (place.buffer, place.offset, places) {
        (0, 0, _) => Some('x'),
        (1, 0, Places::TwoTensors) | (0, 4, Places::OneTensor) => Some('y'),
        _ => None,
    };
    for program in program(&module) {
        for seed in 0..32 {
            let trace = interp::Trace::new();
            let options = RunOptions {
                seed: Some(seed),
                trace: Some(&trace),
                ..RunOptions::default()
            };
            interpret(litmus, &program, variant, options)
                .unwrap_or_else(|fault| panic!("{source}\n{fault}"));
            let mut events = vec![Vec::new(); litmus.blocks.len()];
            for effect in trace.take() {
                let (event, place) = match &effect.action {
                    interp::Action::Read { place, .. } => (Event::Load as fn(char) -> Event, place),
                    interp::Action::Write { place, bits, .. } => {
                        let value = i32::try_from(*bits).expect("small");
                        if let Some(place) = name(place) {
                            events[effect.block[0] as usize].push(Event::Store(place, value));
                        }
                        continue;
                    }
                    _ => continue,
                };
                if let Some(place) = name(place) {
                    events[effect.block[0] as usize].push(event(place));
                }
            }
            for (orders, events) in orders.iter_mut().zip(events) {
                orders.insert(events);
            }
        }
    }
    orders
}

/// Returns every outcome of round 0 over all interleavings of all orders of the blocks.
fn explored(litmus: &Litmus, source: &str, places: Places) -> Vec<Round> {
    let start = Round {
        results: [0; RESULTS],
        x: 0,
        y: 0,
    };
    let mut outcomes = Vec::new();
    let orders = orders(litmus, source, places);
    let mut choices: Vec<Vec<&[Event]>> = vec![Vec::new()];
    for orders in &orders {
        choices = choices
            .iter()
            .flat_map(|chosen| {
                orders.iter().map(|order| {
                    let mut chosen = chosen.clone();
                    chosen.push(order);
                    chosen
                })
            })
            .collect();
    }
    for mut choice in choices {
        interleave(litmus, &mut choice, start, &mut outcomes);
    }
    outcomes
}

/// Collects the outcomes of interleaving the remaining events of each block.
fn interleave(litmus: &Litmus, left: &mut [&[Event]], now: Round, outcomes: &mut Vec<Round>) {
    if left.iter().all(|events| events.is_empty()) {
        outcomes.push(now);
        return;
    }
    for block in 0..left.len() {
        let before = left[block];
        let Some((event, rest)) = before.split_first() else {
            continue;
        };
        let mut next = now;
        match *event {
            Event::Store('x', value) => next.x = value,
            Event::Store(_, value) => next.y = value,
            Event::Load(place) => {
                let value = if place == 'x' { now.x } else { now.y };
                let mut loads = litmus.loads.iter();
                if let Some(&(_, _, slot, added)) =
                    loads.find(|(owner, from, ..)| *owner == block && *from == place)
                {
                    next.results[slot] = value + added;
                }
            }
        }
        left[block] = rest;
        interleave(litmus, left, next, outcomes);
        left[block] = before;
    }
}

/// Covers the tests with only atomic loads and stores, for which the interleavings of the orders
/// give every outcome that the interpreter can produce.
#[test]
fn no_order_of_a_seed_gives_a_forbidden_outcome() {
    for (litmus, places) in all() {
        let is_plain = litmus.blocks.iter().any(|block| block.contains("unsafe"));
        if is_plain || litmus.name == COHERENCE.name {
            continue;
        }
        let source = litmus.source(&litmus.orderings(), places, Start::Anyhow);
        let outcomes = explored(litmus, &source, places);
        let bad = outcomes.iter().find(|round| (litmus.forbidden)(round));
        assert!(
            bad.is_none(),
            "{} {places:?}: {bad:?}\n{source}",
            litmus.name
        );
    }
}

/// Checks that relaxed accesses of one block to two tensors are unordered, while tokens order its
/// accesses to one tensor. The memory model does not guarantee that order.
#[test]
fn relaxed_accesses_to_one_tensor_keep_their_order() {
    for litmus in TESTS.iter().filter(|it| it.weaker == Weaker::ShowsOverTwo) {
        let relaxed: Vec<&str> = litmus
            .orderings
            .iter()
            .map(|(_, weaker)| if *weaker == NO_FENCE { "" } else { "Relaxed" })
            .collect();
        for (places, shows) in [(Places::TwoTensors, true), (Places::OneTensor, false)] {
            let source = litmus.source(&relaxed, places, Start::Anyhow);
            let outcomes = explored(litmus, &source, places);
            assert_eq!(
                outcomes.iter().any(litmus.forbidden),
                shows,
                "{} {places:?}\n{source}",
                litmus.name
            );
        }
    }
}

/// Returns each way to weaken one ordering of a test.
fn weakened(litmus: &Litmus) -> Vec<Vec<&'static str>> {
    let mut variants = Vec::new();
    for (index, (_, weaker)) in litmus.orderings.iter().enumerate() {
        for weak in *weaker {
            let mut orderings = litmus.orderings();
            orderings[index] = weak;
            variants.push(orderings);
        }
    }
    variants
}

#[test]
fn every_weaker_ordering_shows() {
    for (litmus, places) in all() {
        if places == Places::OneTensor && litmus.weaker == Weaker::ShowsOverTwo {
            continue;
        }
        for orderings in weakened(litmus) {
            let source = litmus.source(&orderings, places, Start::Anyhow);
            if checked(litmus, &source).is_err() {
                continue;
            }
            let shows = explored(litmus, &source, places)
                .iter()
                .any(litmus.forbidden);
            assert!(
                shows,
                "{} {places:?} {orderings:?}: nothing shows that it is too weak\n{source}",
                litmus.name
            );
        }
    }
}

/// Checks that `tile-sim` reports a race for each weaker ordering, in the tests that pass plain
/// data.
#[test]
fn every_weaker_ordering_of_plain_data_is_a_race_in_the_simulator() {
    for (litmus, places) in all() {
        let passes_data = litmus.blocks.iter().any(|block| block.contains("unsafe"));
        if !passes_data {
            continue;
        }
        for orderings in weakened(litmus) {
            let source = litmus.source(&orderings, places, Start::Anyhow);
            let result = simulated(litmus, &source, places, 8);
            let shows = match &result {
                Err(fault) => fault.contains("race"),
                Ok(rounds) => rounds.iter().any(|round| (litmus.forbidden)(round)),
            };
            assert!(
                shows,
                "{} {places:?} {orderings:?}: nothing shows that it is too weak\n{source}",
                litmus.name
            );
        }
    }
}
