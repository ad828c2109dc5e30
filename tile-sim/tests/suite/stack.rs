//! Tests of `alloca`, `stacksave` and `stackrestore`.

use tile_sim::{Fault, FaultKind};

use super::support::{module_for, run, run_seeded};
use tile_sim::{Arg, Launch, Memory, Options};

fn fault(body: &str) -> Fault {
    run(body, 32, 0).expect_err(body)
}

/// Each thread allocates as many words as its index, and sums the values that it stored there.
#[test]
fn threads_allocate_as_much_as_each_needs() {
    for (ty, register, widen) in [("u64", "%d4", "mov.b64"), ("u32", "%r9", "cvt.u64.u32")] {
        let size = if ty == "u64" {
            "mul.wide.u32 %d3, %r0, 4;"
        } else {
            "mul.lo.u32 %r8, %r0, 4;"
        };
        let bytes = if ty == "u64" { "%d3" } else { "%r8" };
        let body = format!(
            "mov.u32 %r0, %tid.x; {size}
             alloca.{ty} {register}, {bytes}, 16; {widen} %d5, {register};
             mov.u32 %r1, 0; mov.b64 %d6, %d5;
             FILL: setp.ge.u32 %p1, %r1, %r0; @%p1 bra FULL;
             mad.lo.u32 %r2, %r0, 100, %r1; st.local.u32 [%d6], %r2;
             add.u64 %d6, %d6, 4; add.u32 %r1, %r1, 1; bra FILL;
             FULL: mov.u32 %r1, 0; mov.u32 %r3, 0; cvta.local.u64 %d6, %d5;
             SUM: setp.ge.u32 %p1, %r1, %r0; @%p1 bra END;
             ld.u32 %r2, [%d6]; add.u32 %r3, %r3, %r2;
             add.u64 %d6, %d6, 4; add.u32 %r1, %r1, 1; bra SUM;
             END: and.b64 %d5, %d5, 15; cvt.u32.u64 %r4, %d5; add.u32 %r3, %r3, %r4;
             ld.param.u64 %d1, [d]; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2;
             st.global.u32 [%d1], %r3;"
        );
        for seed in [0, 3] {
            let (words, _) =
                run_seeded(&body, 64, 0, seed).unwrap_or_else(|fault| panic!("{fault}"));
            for lane in 0..64 {
                // The address is a multiple of 16.
                let expected: u32 = (0..lane).map(|index| lane * 100 + index).sum();
                assert_eq!(words[lane as usize], expected, "{ty}");
            }
        }
    }
}

/// A loop that allocates and frees in each iteration needs the memory of one iteration.
#[test]
fn what_is_given_back_is_there_again() {
    let turns = |restore: &str| {
        format!(
            "mov.u32 %r0, 0; stacksave.u64 %d1;
             TURN: alloca.u64 %d2, 65536; st.local.u32 [%d2+65532], %r0; ld.local.u32 %r1, [%d2+65532];
             setp.ne.u32 %p1, %r1, %r0; @%p1 trap; {restore}
             add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 20; @%p1 bra TURN;
             ld.param.u64 %d1, [d]; st.global.u32 [%d1], %r0;"
        )
    };
    let (words, _) = run(&turns("stackrestore.u64 %d1;"), 1, 0).expect("it fits");
    assert_eq!(words[0], 20);
    let fault = fault(&turns(""));
    assert!(matches!(fault.kind, FaultKind::Stack(_)), "{fault}");
    assert!(
        fault.to_string().contains("65536 bytes do not fit"),
        "{fault}"
    );
}

/// The result of `alloca` is the stack pointer, so that `stackrestore` accepts it.
#[test]
fn an_address_of_alloca_is_a_stack_pointer() {
    let body = "alloca.u64 %d1, 8; stacksave.u64 %d2; setp.ne.u64 %p1, %d1, %d2; @%p1 trap;
         mov.u32 %r0, 7; st.local.u32 [%d1+4], %r0;
         alloca.u64 %d3, 8; setp.ge.u64 %p1, %d3, %d1; @%p1 trap;
         stackrestore.u64 %d1; ld.local.u32 %r1, [%d1+4];
         ld.param.u64 %d4, [d]; st.global.u32 [%d4], %r1;";
    let (words, _) = run(body, 1, 0).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(words[0], 7);
}

#[test]
fn allocations_begin_where_they_ask_to() {
    let body = "alloca.u64 %d1, 64, 4096; and.b64 %d2, %d1, 4095;
         alloca.u32 %r1, 100, 1; mov.u32 %r2, 9; st.local.u8 [%r1+99], %r2; ld.local.u8 %r3, [%r1+99];
         ld.param.u64 %d4, [d]; st.global.u64 [%d4], %d2; st.global.u32 [%d4+8], %r3;";
    let (words, _) = run(body, 1, 0).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(words[..3], [0, 0, 9]);
}

#[test]
fn accesses_beyond_an_allocation_are_faults() {
    let start = "alloca.u64 %d1, 24; alloca.u64 %d2, 40; mov.u32 %r0, 1;";
    for (access, says) in [
        (
            "st.local.u32 [%d1+24], %r0;",
            "begins at byte 24 of an `alloca` of 24",
        ),
        (
            "ld.local.u32 %r1, [%d1+-4];",
            "begins 4 bytes before an `alloca` of 24",
        ),
        (
            "st.local.u32 [%d2+40], %r0;",
            "begins at byte 40 of an `alloca` of 40",
        ),
        (
            "st.local.v2.u32 [%d2+-8], {%r0, %r0};",
            "begins 8 bytes before an `alloca` of 40",
        ),
        (
            "cvta.local.u64 %d3, %d1; st.u32 [%d3+24], %r0;",
            "byte 24 of an `alloca` of 24",
        ),
    ] {
        let fault = fault(&format!("{start} {access}"));
        assert!(
            matches!(fault.kind, FaultKind::OutOfBounds { space: "local", .. }),
            "{fault}"
        );
        assert!(fault.to_string().contains(says), "{fault}");
    }
    let fault = fault("alloca.u64 %d1, 24; mov.b64 %d2, 1; st.local.u64 [%d1+4], %d2;");
    assert!(
        matches!(fault.kind, FaultKind::Misaligned { .. }),
        "{fault}"
    );
}

#[test]
fn memory_that_was_given_back_is_not_there() {
    let body = "stacksave.u64 %d1; alloca.u64 %d2, 16; mov.u32 %r0, 1; st.local.u32 [%d2], %r0;
         stackrestore.u64 %d1; ld.local.u32 %r1, [%d2];";
    let fault = fault(body);
    assert!(
        matches!(fault.kind, FaultKind::OutOfBounds { space: "local", .. }),
        "{fault}"
    );
    assert!(fault.to_string().contains("was freed"), "{fault}");
}

#[test]
fn only_saved_pointers_are_restored() {
    let arbitrary =
        "stacksave.u64 %d1; alloca.u64 %d2, 16; add.u64 %d1, %d1, -8; stackrestore.u64 %d1;";
    let old = "stacksave.u64 %d1; alloca.u64 %d2, 16; stackrestore.u64 %d1; stackrestore.u64 %d2;";
    for body in [arbitrary, old] {
        let fault = fault(body);
        assert!(matches!(fault.kind, FaultKind::Stack(_)), "{fault}");
        assert!(
            fault
                .to_string()
                .contains("was not returned by `stacksave`"),
            "{fault}"
        );
    }
}

/// The allocations of a function are freed at its return; those of the caller remain.
#[test]
fn allocations_of_a_function_end_with_it() {
    let text = |touch: &str| {
        format!(
            ".version 8.8\n.target sm_90a\n.address_size 64\n\
             .func (.reg .u64 at) room(.reg .u32 value) {{ .reg .pred %p1; .reg .b64 %d1;\n\
             alloca.u64 %d1, 300000; st.local.u32 [%d1], value; mov.u64 at, %d1;\n\
             setp.gt.u32 %p1, value, 2; @%p1 ret; st.local.u32 [%d1+4], value; ret; }}\n\
             .visible .entry k(.param .u64 d) {{ .reg .b32 %r<4>; .reg .b64 %d<8>;\n\
             mov.u32 %r0, %tid.x; alloca.u64 %d1, 8; st.local.u32 [%d1], %r0;\n\
             call (%d2), room, (%r0); call (%d3), room, (%r0);\n\
             {touch}\n\
             ld.local.u32 %r1, [%d1]; mul.wide.u32 %d5, %r0, 4;\n\
             ld.param.u64 %d4, [d]; add.u64 %d4, %d4, %d5; st.global.u32 [%d4], %r1; }}"
        )
    };
    let launch = |text: &str| {
        let module = tile_sim::Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let mut memory = Memory::new();
        let out = memory.alloc(128, 16);
        let launch = Launch::new("k").threads(32).args([Arg::from(out)]);
        crate::support::launch(&module, &launch, &mut memory, &Options::default())?;
        Ok::<_, Fault>(memory.bytes(out).expect("allocated").to_vec())
    };
    let words = launch(&text("")).unwrap_or_else(|fault| panic!("{fault}"));
    let expected: Vec<u8> = (0..32u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(words, expected);
    let fault = launch(&text("ld.local.u32 %r1, [%d3];")).expect_err("that has returned");
    assert!(fault.to_string().contains("was freed"), "{fault}");
}

#[test]
fn alignments_are_powers_of_two() {
    let _ = module_for("sm_80", "alloca.u64 %d1, 8, 8388608;");
    for align in ["0", "6", "16777216", "%r1"] {
        let text = format!(
            ".version 7.3\n.target sm_80\n.address_size 64\n.entry k() {{ .reg .b64 %d1; .reg .b32 %r1;\n\
             alloca.u64 %d1, 8, {align}; }}"
        );
        tile_sim::Module::parse(&text).expect_err(align);
    }
}
