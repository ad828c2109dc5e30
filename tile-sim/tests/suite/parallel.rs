//! Tests that several host threads give the same results and faults as one.

use tile_sim::{Arg, Counters, Fault, FaultKind, Launch, Memory, Module, Options};

use crate::support::module;

const BLOCKS: u32 = 64;

/// Runs on `threads` host threads; `a` has a number for each thread, `b` as many zeros.
fn run(module: &Module, threads: usize) -> (Result<Counters, Fault>, Vec<u8>) {
    let count = BLOCKS * 64;
    let mut memory = Memory::new();
    let start: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
    let a = memory.alloc_with(&start, 16);
    let b = memory.alloc(start.len(), 16);
    let launch = Launch::new("k")
        .grid([BLOCKS, 1, 1])
        .threads(64)
        .dynamic_shared_bytes(256)
        .args([a, b, 0, 0].map(Arg::from));
    let options = Options {
        threads,
        ..Options::default()
    };
    let result = crate::support::launch(module, &launch, &mut memory, &options);
    (result, memory.bytes(b).expect("it is there").to_vec())
}

/// `%r1` is the thread's index in the grid, `%r3` that in its block; `%d3` and `%d4` are the
/// addresses of its numbers in `a` and `b`.
const PLACES: &str = "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r2, 64, %r3;
    mul.wide.u32 %d5, %r1, 4; add.u64 %d3, %d1, %d5; add.u64 %d4, %d2, %d5;";

/// Each block reverses its numbers through shared memory.
const REVERSE: &str = "ld.global.u32 %r4, [%d3];
    mov.u32 %r5, dynamic; shl.b32 %r6, %r3, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r4;
    bar.sync 0;
    sub.u32 %r8, 252, %r6; add.u32 %r8, %r5, %r8; ld.shared.u32 %r9, [%r8];
    st.global.u32 [%d4], %r9; ret;";

#[test]
fn results_and_counters_are_those_of_one_thread() {
    let module = module(&format!("{PLACES}\n{REVERSE}"));
    let (one, expected) = run(&module, 1);
    let one = one.expect("it is right");
    for threads in [2, 3, 8] {
        let (counters, actual) = run(&module, threads);
        assert_eq!(counters.expect("it is right"), one);
        assert_eq!(actual, expected);
    }
    let reversed = |index: u32| index / 64 * 64 + 63 - index % 64;
    let numbers: Vec<u8> = (0..BLOCKS * 64)
        .flat_map(|index| reversed(index).to_le_bytes())
        .collect();
    assert_eq!(expected, numbers);
}

#[test]
fn the_fault_is_that_of_the_first_block() {
    // Blocks 5, 21, 37 and 53 store far beyond the buffer.
    let fault = "and.b32 %r10, %r2, 15; setp.eq.u32 %p1, %r10, 5;
        @%p1 add.u64 %d4, %d4, 0x8000;";
    let module = module(&format!("{PLACES}\n{fault}\n{REVERSE}"));
    let (one, _) = run(&module, 1);
    let one = one.expect_err("out of bounds");
    assert_eq!(one.block, [5, 0, 0]);
    for threads in [2, 8] {
        let (result, _) = run(&module, threads);
        assert_eq!(
            result.expect_err("out of bounds").to_string(),
            one.to_string()
        );
    }
}

#[test]
fn a_race_between_blocks_on_different_threads_is_found() {
    // Thread 0 of every block stores the block's index to the same word.
    let race = "setp.ne.u32 %p1, %r3, 0; @!%p1 st.global.u32 [%d2], %r2; ret;";
    let module = module(&format!("{PLACES}\n{race}"));
    for threads in [1, 2, 8] {
        let (result, _) = run(&module, threads);
        let fault = result.expect_err("a race");
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        assert_eq!(fault.instruction, "st.global.u32");
    }
}

/// Returns the instruction at which two blocks race, if they do: block 0 executes `first`, block 1
/// `second`. The blocks run long enough to be on different host threads.
fn race_of_two(first: &str, second: &str, threads: usize) -> Option<String> {
    let text = format!(
        "ld.param.u64 %d1, [a]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0;
        AGAIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 20000; @%p1 bra AGAIN;
        setp.ne.u32 %p2, %r2, 0; @%p2 bra SECOND;
        {first} ret;
        SECOND: {second} ret;"
    );
    let mut memory = Memory::new();
    let a = memory.alloc_with(&[0; 16], 16);
    let launch = Launch::new("k")
        .grid([2, 1, 1])
        .threads(1)
        .args([a, 0, 0, 0].map(Arg::from));
    let options = Options {
        threads,
        ..Options::default()
    };
    let result = crate::support::launch(&module(&text), &launch, &mut memory, &options);
    let fault = result.err()?;
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    assert_eq!(fault.block, [1, 0, 0], "{fault}");
    Some(fault.instruction)
}

#[test]
fn what_two_threads_know_is_compared() {
    let [write, beside] = ["st.global.u32 [%d1], %r2;", "st.global.u32 [%d1+4], %r2;"];
    let [read, byte] = ["ld.global.u32 %r5, [%d1];", "ld.global.u8 %r5, [%d1+3];"];
    let [store, load] = ["st.global.u32", "ld.global.u32"].map(|text| Some(text.to_owned()));
    for threads in [1, 2] {
        assert_eq!(race_of_two(write, write, threads), store);
        assert_eq!(race_of_two(write, read, threads), load);
        assert_eq!(race_of_two(read, write, threads), store);
        assert_eq!(race_of_two(byte, write, threads), store);
        assert_eq!(race_of_two(read, read, threads), None);
        assert_eq!(race_of_two(write, beside, threads), None);
        assert_eq!(race_of_two(beside, read, threads), None);
        // Both access a word, but different bytes of it.
        let low = "st.global.u8 [%d1], %r2;";
        assert_eq!(race_of_two(low, byte, threads), None);
    }
}
