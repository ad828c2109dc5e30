//! Tests the text form on the kernels of `tests/run/files`, and on texts with an error.

use super::{from_text, to_text};
use crate::gpu::{Kernel, verify};
use crate::llvm::{self, Compilation, Context};
use crate::target::Arch;
use crate::testing::{Phase, corpus, lowered};
use tile_core::Loc;
use tile_core::testing::Random;

const ARCHS: [Arch; 3] = [Arch::SM_80, Arch::SM_90A, Arch::SM_100A];

/// Calls `check` with every kernel of every `step`-th file.
fn each(step: usize, phases: &[Phase], mut check: impl FnMut(&Kernel, Phase, Arch)) -> usize {
    let mut count = 0;
    for path in corpus().iter().step_by(step) {
        for arch in ARCHS {
            for &phase in phases {
                for kernel in lowered(path, arch, phase) {
                    check(&kernel, phase, arch);
                    count += 1;
                }
            }
        }
    }
    count
}

fn parsed(text: &str) -> Kernel {
    from_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_kernel_of_the_corpus_is_what_its_text_says() {
    let count = each(1, &[Phase::Lowered, Phase::Complete], |kernel, phase, _| {
        let text = to_text(kernel);
        let again = parsed(&text);
        assert_eq!(to_text(&again), text);
        if phase == Phase::Complete {
            assert_eq!(verify(&again), Vec::<String>::new(), "{text}");
        }
    });
    assert!(count > 1500, "{count}");
}

#[test]
fn a_parsed_kernel_gives_the_same_ptx() {
    let emitted = |kernel: &Kernel, arch| {
        let cx = Context::new();
        let module = llvm::emit(&cx, kernel, arch).expect("a kernel of the corpus");
        let compilation = Compilation {
            min_ptx: llvm::emit::min_ptx(kernel),
            ..Compilation::new(arch)
        };
        let ptx = llvm::compile(&cx, &module, &compilation).expect("valid LLVM IR");
        ptx.text().to_owned()
    };
    let count = each(25, &[Phase::Complete], |kernel, _, arch| {
        let again = parsed(&to_text(kernel));
        // The text has no locations, which failed assertions report.
        let mut kernel = kernel.clone();
        for id in kernel.op_ids() {
            kernel.op_mut(id).loc = Loc::UNKNOWN;
        }
        let kernel = &kernel;
        assert_eq!(
            emitted(&again, arch),
            emitted(kernel, arch),
            "{}",
            to_text(kernel)
        );
    });
    assert!(count > 40, "{count}");
}

/// Returns `text` with a few tokens or bytes removed, repeated, exchanged or replaced.
fn mutated(text: &str, random: &mut Random<'_>) -> String {
    let mut tokens: Vec<&str> = text
        .split_inclusive(|letter: char| !letter.is_alphanumeric())
        .collect();
    for _ in 0..=random.below(3) {
        let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(6) {
            0 => drop(tokens.remove(a)),
            1 => tokens.insert(a, tokens[b]),
            2 => tokens.swap(a, b),
            3 => tokens[a] = "4294967295",
            4 => tokens[a] = "18446744073709551615 ",
            _ => tokens[a] = ["{\n", "é", "\"\\x", "(", "=", "%", "0..65535", "\n"][b % 8],
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

#[test]
fn parsing_a_mutated_text_never_panics() {
    let mut random = Random::new(5);
    let (mut accepted, mut refused) = (0, 0);
    each(20, &[Phase::Lowered, Phase::Complete], |kernel, _, _| {
        let text = to_text(kernel);
        for _ in 0..100 {
            match from_text(&mutated(&text, &mut random)) {
                Ok(kernel) => {
                    // What is accepted can be printed and read again.
                    let text = to_text(&kernel);
                    assert_eq!(to_text(&parsed(&text)), text);
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
        }
    });
    assert!(accepted > 100 && refused > 1000, "{accepted} {refused}");
}

/// A kernel with an operation, at line 5.
fn with(op: &str) -> String {
    format!(
        "kernel @k warps=1 occupancy=1 blocks_per_tile=1 raster=any {{\n  \
           #0 = register [(1)] lane [(2), (4)] -> [8]\n  \
           $0 = buffer f32 bytes=32 stages=1 align=4 layout=#0\n  \
           %0 = param scalar f32\n  \
           {op}\n  \
           return\n\
         }}\n"
    )
}

#[test]
fn an_error_names_its_place_and_its_cause() {
    for (op, expected) in [
        ("frobnicate %0", "5:3: unknown operation `frobnicate`"),
        ("%1 = mulf %0, %0 : f32", ""),
        ("%1 = mulf %0, %2 : f32", "5:17: undefined value `%2`"),
        ("%0 = mulf %0, %0 : f32", "5:3: `%0` is defined twice"),
        (
            "%1 = cmpi equal %0, %0 : i1",
            "5:19: expected attribute `signedness`, found `%`",
        ),
        ("offset %0", "5:10: expected attribute `bytes`, found `%`"),
        ("%1 = splat %0 : 8xf31 #0", "5:19: unknown type `8xf31`"),
        (
            "%1 = splat %0 : 4xf32 #0",
            "5:19: the layout is for tiles of `8xf32`, not `4xf32`",
        ),
        ("%1 = splat %0 : 8xf32 #1", "5:25: undefined layout `#1`"),
        ("%1 = splat %0 : 8xf32 #0", ""),
        ("%1 = splat %0", "5:8: 1 results have 0 types"),
        (
            "%1 = splat %0, %0 : 8xf32 #0",
            "5:8: `splat` has 1 operands, not 2",
        ),
        ("barrier {\n  }", "5:3: `barrier` has 0 blocks, not 1"),
        (
            "%1 = load_shared $1 : 8xf32 #0",
            "5:20: undefined buffer `$1`",
        ),
        ("tma_store !0 $0 at=[0]", "5:13: undefined tensor map `!0`"),
        ("wait_group many", "5:14: expected a number, found `many`"),
        ("wait_group 4294967296", "5:14: the number is too large"),
        (
            "ping_pong pause",
            "5:13: expected one of `begin`, `acquire`, `release`, `end`, found `pause`",
        ),
        (
            "assert \"open %0",
            "5:10: the string does not end, or has an unknown escape",
        ),
        (
            "barrier barrier",
            "5:11: expected the end of the line, found `barrier`",
        ),
        (
            "if %0 {",
            "8:1: expected an operation, found the end of the text",
        ),
        ("; a comment", ""),
    ] {
        let actual = from_text(&with(op)).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(actual, expected, "{op}");
    }
}

#[test]
fn an_error_of_the_head_names_its_place_and_its_cause() {
    let text = with("barrier");
    for (from, to, expected) in [
        (
            "kernel",
            "function",
            "1:1: expected `kernel`, found `function`",
        ),
        (
            "warps=1 ",
            "",
            "1:11: expected attribute `warps`, found `occupancy`",
        ),
        (
            "raster=any",
            "raster=all",
            "1:56: expected one of `fixed`, `any`, `grouped`, `lpt`, found `all`",
        ),
        (
            "any {",
            "any colour {",
            "1:60: expected `{`, found `colour`",
        ),
        ("#0 =", "#1 =", "2:3: expected `#0`, found `#1`"),
        ("[8]", "[7]", "2:42: the sizes of a tile are powers of two"),
        (
            "(4)",
            "(8)",
            "2:8: a basis of the layout lies outside the tile",
        ),
        (
            "(4)",
            "(4, 0)",
            "2:8: a basis of the layout lies outside the tile",
        ),
        (
            "buffer f32",
            "buffer f33",
            "3:15: expected an element type, found `f33`",
        ),
        ("layout=#0", "layout=#3", "3:52: undefined layout `#3`"),
        (
            "}\n",
            "}\nbarrier",
            "8:1: expected the end of the text, found `barrier`",
        ),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let actual = from_text(&changed).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(actual, expected);
    }
}
