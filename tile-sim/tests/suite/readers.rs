//! Tests of words with more readers than are tracked individually.

use tile_sim::{Arg, Fault, FaultKind, Launch, Memory, Options};

use crate::support::module;

const BLOCKS: u32 = 200;

/// Returns the line of the fault, if any. Every one-thread block executes `each` on the word at
/// `%d1`, but block 150 executes `one`, and the last block executes `last` after all others have
/// announced themselves.
fn run(each: &str, one: &str, last: &str, seed: u64) -> Result<u32, Fault> {
    let text = format!(
        "ld.param.u64 %d1, [a]; mov.u32 %r1, %ctaid.x;
        setp.eq.u32 %p1, %r1, 150; @%p1 bra ONE; setp.eq.u32 %p1, %r1, {}; @%p1 bra LAST;
        {each} bra END;
        ONE: {one}
        END: red.relaxed.gpu.global.add.u32 [%d1+64], 1; ret;
        LAST: ld.relaxed.gpu.global.u32 %r2, [%d1+64]; setp.ne.u32 %p1, %r2, {}; @%p1 bra LAST;
        {last} ret;",
        BLOCKS - 1,
        BLOCKS - 1,
    );
    let mut memory = Memory::new();
    let a = memory.alloc_with(&[0; 128], 16);
    let launch = Launch::new("k")
        .grid([BLOCKS, 1, 1])
        .threads(1)
        .args([a, 0, 0, 0].map(Arg::from));
    let options = Options {
        seed,
        ..Options::default()
    };
    crate::support::launch(&module(&text), &launch, &mut memory, &options)?;
    let bytes = memory.bytes(a).expect("it is there");
    Ok(u32::from_le_bytes(
        bytes[..4].try_into().expect("four bytes"),
    ))
}

const SEEDS: u64 = 6;

#[test]
fn atomic_operations_of_many_blocks_are_no_race() {
    for order in ["relaxed", "acquire", "release", "acq_rel"] {
        let add = format!("atom.{order}.gpu.global.add.u32 %r3, [%d1], 1;");
        for seed in 0..SEEDS {
            let sum = run(&add, &add, &add, seed);
            assert_eq!(
                sum.unwrap_or_else(|fault| panic!("{order}: {fault}")),
                BLOCKS
            );
        }
    }
    let read = "ld.relaxed.gpu.global.u32 %r3, [%d1];";
    for seed in 0..SEEDS {
        let sum = run(read, read, "st.relaxed.gpu.global.u32 [%d1], 7;", seed);
        assert_eq!(sum.unwrap_or_else(|fault| panic!("{fault}")), 7);
    }
}

#[test]
fn one_plain_read_among_those_of_many_is_a_race() {
    let strong = "ld.relaxed.gpu.global.u32 %r3, [%d1];";
    let near = "ld.relaxed.cta.global.u32 %r3, [%d1];";
    let plain = "ld.global.u32 %r3, [%d1];";
    let store = "st.relaxed.gpu.global.u32 [%d1], 7;";
    for (each, one, last) in [
        (strong, plain, store),
        (strong, near, store),
        (plain, strong, store),
        (plain, plain, store),
        (strong, strong, "st.global.u32 [%d1], 7;"),
    ] {
        for seed in 0..SEEDS {
            let fault = run(each, one, last, seed).expect_err(one);
            assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
            assert!(fault.instruction.starts_with("st."), "{fault}");
        }
    }
}

#[test]
fn what_many_told_before_is_in_order() {
    // Blocks read and announce it; the last one acquires from all.
    let read = "ld.global.u32 %r3, [%d1]; fence.acq_rel.gpu;";
    let write = "fence.acq_rel.gpu; st.global.u32 [%d1], 7;";
    for seed in 0..SEEDS {
        let sum = run(read, read, write, seed);
        assert_eq!(sum.unwrap_or_else(|fault| panic!("{fault}")), 7);
    }
}
