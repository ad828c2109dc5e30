//! The litmus tests, and the kernels that they become.

use super::RESULTS;
use std::fmt::Write as _;

/// A litmus test.
pub(super) struct Litmus {
    pub(super) name: &'static str,
    /// The code of each block in round `i`. `@x` and `#x` are the tensor and the index of one
    /// location, `@y` and `#y` of another, `$0` and so on are orderings, and `out[k] = r` records a
    /// result.
    pub(super) blocks: &'static [&'static str],
    /// The orderings that together forbid the outcome, each with weaker orderings that allow it.
    pub(super) orderings: &'static [Ordering],
    /// Returns `true` if the outcome of a round is forbidden.
    pub(super) forbidden: fn(&Round) -> bool,
    /// The observability of weaker orderings, since a machine may guarantee more than they do.
    pub(super) weaker: Weaker,
    /// The number of elements of the location of `x`.
    pub(super) width: usize,
    /// For blocks that load and store unconditionally: the block and location of a load, the result
    /// that it sets, and the number that is added.
    pub(super) loads: &'static [(usize, char, usize, i32)],
}

/// The observability of weaker orderings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weaker {
    /// The forbidden outcome occurs, or a race is reported.
    Shows,
    /// The same as `Shows`, unless both locations are in one tensor, where tokens keep the accesses
    /// in order.
    ShowsOverTwo,
}

/// The outcome of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) results: [i32; RESULTS],
    pub(super) x: i32,
    pub(super) y: i32,
}

/// The tensor of the second location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    TwoTensors,
    OneTensor,
}

/// The synchronization of blocks before each round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Together,
    Anyhow,
}

/// A strong ordering, with the weaker ones that allow the outcome.
type Ordering = (&'static str, &'static [&'static str]);

const RELEASE: Ordering = ("Release", &["Relaxed"]);
const ACQUIRE: Ordering = ("Acquire", &["Relaxed"]);

/// A block that sees a flag of another block must see the data that the other block stored before.
const PASSING: Litmus = Litmus {
    name: "",
    blocks: &[],
    orderings: &[RELEASE, ACQUIRE],
    forbidden: |round| round.results[0] == 1 && round.results[1] == 0,
    weaker: Weaker::Shows,
    width: 1,
    loads: &[],
};

pub(super) const TESTS: &[Litmus] = &[
    Litmus {
        name: "message passing",
        blocks: &[
            "unsafe { @x.store([#x], full([1], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "let seen = @y.atomic_load([#y], $1);
             out[0] = seen;
             if seen == 1 { let data = @x.at([#x]); out[1] = data; }",
        ],
        ..PASSING
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
        ..PASSING
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
        ..PASSING
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
        loads: &[(0, 'y', 0, 1), (1, 'x', 1, 1)],
        ..PASSING
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
        loads: &[(0, 'y', 0, 1), (1, 'x', 1, 1)],
        ..PASSING
    },
    Litmus {
        name: "load buffering",
        blocks: &[
            "let r = @x.atomic_load([#x], $0); @y.atomic_store([#y], 1, $1); out[0] = r;",
            "let r = @y.atomic_load([#y], $2); @x.atomic_store([#x], 1, $3); out[1] = r;",
        ],
        // Each block needs only one of its two orderings.
        orderings: &[ACQUIRE, ("Relaxed", &[]), ("Relaxed", &[]), RELEASE],
        forbidden: |round| round.results[0] == 1 && round.results[1] == 1,
        weaker: Weaker::ShowsOverTwo,
        loads: &[(0, 'x', 0, 0), (1, 'y', 1, 0)],
        ..PASSING
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
        loads: &[
            (2, 'x', 0, 0),
            (2, 'y', 1, 1),
            (3, 'y', 2, 0),
            (3, 'x', 3, 1),
        ],
        ..PASSING
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
        ..PASSING
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
        forbidden: |round| round.results[0] == 2 && round.results[1] == 0,
        ..PASSING
    },
    Litmus {
        name: "spin lock",
        blocks: &[LOCKED, LOCKED],
        orderings: &[ACQUIRE, RELEASE],
        forbidden: |round| round.x != 2,
        ..PASSING
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
        ..PASSING
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
        orderings: &[RELEASE, ACQUIRE, RELEASE, ACQUIRE],
        forbidden: |round| round.x != 21,
        ..PASSING
    },
];

/// Replaces an ordering to omit the fence.
pub(super) const NO_FENCE: &[&str] = &[""];

const LOCKED: &str = "
    while @y.atomic_cas([#y], 0, 1, $0) != 0 {}
    let count = @x.at([#x]);
    unsafe { @x.store([#x], full([1], count + 1)); }
    @y.atomic_store([#y], 0, $1);";

/// Two stores to a location, and two blocks that each read the location twice. Since there is only
/// one location, there is only one tensor.
pub(super) const COHERENCE: Litmus = Litmus {
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
    ..PASSING
};

/// The same tests with tiles that many threads store and load: on a GPU, one thread releases or
/// acquires for all threads of its block.
pub(super) const WIDE: &[Litmus] = &[
    Litmus {
        name: "message passing of a tile",
        blocks: &[
            "unsafe { @x.store([#x], full([512], 1)); }
             @y.atomic_store([#y], 1, $0);",
            "let seen = @y.atomic_load([#y], $1);
             out[0] = seen;
             if seen == 1 { let data = @x.load([#x], [512]).reduce_min(0); out[1] = data; }",
        ],
        width: 512,
        ..PASSING
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
        width: 512,
        ..PASSING
    },
    Litmus {
        name: "spin lock around a tile",
        blocks: &[LOCKED_TILE, LOCKED_TILE, LOCKED_TILE],
        orderings: &[ACQUIRE, RELEASE],
        forbidden: |round| round.x != 3,
        width: 512,
        ..PASSING
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
        width: 512,
        ..PASSING
    },
];

const LOCKED_TILE: &str = "
    while @y.atomic_cas([#y], 0, 1, $0) != 0 {}
    let count = @x.load([#x], [512]);
    unsafe { @x.store([#x], count + 1); }
    @y.atomic_store([#y], 0, $1);";

impl Litmus {
    /// Returns the source of the kernel with these orderings.
    pub(super) fn source(&self, orderings: &[&str], places: Places, start: Start) -> String {
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

    pub(super) fn orderings(&self) -> Vec<&'static str> {
        self.orderings.iter().map(|(strong, _)| *strong).collect()
    }

    pub(super) fn grid(&self) -> [u32; 3] {
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
