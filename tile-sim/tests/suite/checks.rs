//! Tests that every check finds its fault, and reports none in a correct kernel.

use tile_sim::{Fault, FaultKind};

use crate::support::{run, run_seeded};

const START: &str = "mov.u32 %r0, %tid.x; mov.u32 %r20, dynamic; shl.b32 %r1, %r0, 2; add.u32 %r1, %r20, %r1;
                     xor.b32 %r2, %r0, 32; shl.b32 %r2, %r2, 2; add.u32 %r2, %r20, %r2;
                     ld.param.u64 %d8, [a]; ld.param.u64 %d9, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d8, %d1; add.u64 %d3, %d9, %d1;\n";

fn fault(body: &str) -> Fault {
    let faults: Vec<Fault> = [0, 1, 2, 3]
        .into_iter()
        .filter_map(|seed| run_seeded(&format!("{START}{body}"), 64, 512, seed).err())
        .collect();
    assert_eq!(faults.len(), 4, "found under every seed: {faults:?}");
    faults[0].clone()
}

fn clean(body: &str) {
    for seed in 0..20 {
        run_seeded(&format!("{START}{body}"), 64, 512, seed)
            .unwrap_or_else(|fault| panic!("{body}: {fault}"));
    }
}

#[test]
fn accesses_out_of_bounds_are_found_in_every_space() {
    let global = fault("ld.global.u32 %r3, [%d2+4092];");
    assert!(
        matches!(
            global.kind,
            FaultKind::OutOfBounds {
                space: "global",
                bytes: 4,
                ..
            }
        ),
        "{global}"
    );
    assert_eq!((global.warp, global.lane), (0, Some(1)));
    clean("ld.global.u32 %r3, [%d2+3840];");
    let shared = fault("st.shared.u32 [%r1+508], %r0;");
    assert!(
        matches!(
            shared.kind,
            FaultKind::OutOfBounds {
                space: "shared",
                address: 512,
                ..
            }
        ),
        "{shared}"
    );
    clean("st.shared.u32 [%r1+256], %r0;");
    let local =
        fault("{ .local .align 4 .b8 depot[16]; mov.u64 %d4, depot; st.local.u32 [%d4+16], %r0; }");
    assert!(
        matches!(
            local.kind,
            FaultKind::OutOfBounds {
                space: "local",
                address: 16,
                ..
            }
        ),
        "{local}"
    );
    clean(
        "{ .local .align 4 .b8 depot[16]; mov.u64 %d4, depot; st.local.u32 [%d4+12], %r0; ld.local.u32 %r3, [%d4+12]; }",
    );
    let null = fault("mov.u64 %d4, 0; ld.u32 %r3, [%d4];");
    assert!(
        matches!(null.kind, FaultKind::OutOfBounds { address: 0, .. }),
        "{null}"
    );
}

#[test]
fn misaligned_accesses_are_found() {
    let vector = fault("ld.global.v4.u32 {%r3,%r4,%r5,%r6}, [%d2];");
    assert!(
        matches!(vector.kind, FaultKind::Misaligned { bytes: 16, .. }),
        "{vector}"
    );
    assert_eq!(vector.lane, Some(1));
    clean("ld.global.v4.u32 {%r3,%r4,%r5,%r6}, [%d8];");
    let shared = fault("st.shared.u32 [%r1+2], %r0;");
    assert!(
        matches!(
            shared.kind,
            FaultKind::Misaligned {
                space: "shared",
                ..
            }
        ),
        "{shared}"
    );
}

#[test]
fn registers_read_before_they_are_written_are_found() {
    let reported = fault("add.u32 %r3, %r4, 1; st.global.u32 [%d3], %r3;");
    assert_eq!(
        reported.kind,
        FaultKind::UninitializedRegister {
            register: "%r4".into()
        }
    );
    let half = fault("setp.lt.u32 %p1, %r0, 48; @%p1 mov.u32 %r4, 1; add.u32 %r3, %r4, 1;");
    assert_eq!((half.warp, half.lane), (1, Some(16)));
    let guard = fault("@%p5 mov.u32 %r4, 1;");
    assert_eq!(
        guard.kind,
        FaultKind::UninitializedRegister {
            register: "%p5".into()
        }
    );
    clean("setp.lt.u32 %p1, %r0, 48; @%p1 mov.u32 %r4, 1; @%p1 add.u32 %r3, %r4, 1;");
}

#[test]
fn one_half_of_a_pair_may_be_a_register_that_nothing_writes() {
    let pair = "cvt.u16.u32 %h1, %r0; mov.b32 %r3, {%h1, %h2}; mov.b32 {%h3, _}, %r3;";
    clean(pair);
    let reported = fault("mov.b32 %r3, {%h1, %h2}; st.global.u32 [%d3], %r3;");
    assert!(
        matches!(reported.kind, FaultKind::UninitializedRegister { .. }),
        "{reported}"
    );
    // Two of the four bytes come from an uninitialized register and are discarded.
    let padded = "add.u32 %r4, %r31, 1; and.b32 %r5, %r4, 255; prmt.b32 %r6, %r0, %r5, 0x7531;
        prmt.b32 %r7, 0, %r6, 0x5140;";
    clean(&format!(
        "{padded} mov.b32 {{%h1, %h2}}, %r7; st.global.u16 [%d3], %h1;"
    ));
    let reported = fault(&format!(
        "{padded} prmt.b32 %r8, 0, %r6, 0x7362; st.global.u32 [%d3], %r8;"
    ));
    assert!(
        matches!(&reported.kind, FaultKind::UninitializedRegister { register } if register == "%r31"),
        "{reported}"
    );
    // The register is written, but later.
    let reported = fault(&format!("{pair} mov.u16 %h2, %h3;"));
    assert!(
        matches!(&reported.kind, FaultKind::UninitializedRegister { register } if register == "%h2"),
        "{reported}"
    );
}

#[test]
fn shared_memory_read_before_it_is_written_is_found() {
    let reported = fault("ld.shared.u32 %r3, [%r1];");
    assert!(
        matches!(reported.kind, FaultKind::UninitializedShared { .. }),
        "{reported}"
    );
    clean("st.shared.u32 [%r1], %r0; ld.shared.u32 %r3, [%r1];");
    let part = fault("cvt.u16.u32 %h1, %r0; st.shared.u16 [%r1], %h1; ld.shared.u32 %r3, [%r1];");
    assert!(
        matches!(part.kind, FaultKind::UninitializedShared { .. }),
        "{part}"
    );
}

#[test]
fn races_between_warps_are_found() {
    let read = fault(
        "st.shared.u32 [%r1], %r0; bar.sync 0; st.shared.u32 [%r1], %r0; ld.shared.u32 %r3, [%r2]; bar.sync 0;",
    );
    assert!(matches!(read.kind, FaultKind::Race { .. }), "{read}");
    clean(
        "st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r3, [%r2]; bar.sync 0; st.shared.u32 [%r1], %r0;",
    );
    // The memory is written again while others may still read it.
    let write = fault(
        "st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r3, [%r2]; st.shared.u32 [%r1], %r0;",
    );
    assert!(
        matches!(
            write.kind,
            FaultKind::Race {
                access: "write",
                other_access: "read",
                ..
            } | FaultKind::Race {
                access: "read",
                other_access: "write",
                ..
            }
        ),
        "{write}"
    );
    let both = fault("st.shared.u32 [%r20], %r0;");
    assert!(
        matches!(
            both.kind,
            FaultKind::Race {
                access: "write",
                other_access: "write",
                other: tile_sim::Thread {
                    warp: Some(0 | 1),
                    ..
                },
                ..
            }
        ),
        "{both}"
    );
    // Neighbors within a word do not conflict.
    clean(
        "cvt.u16.u32 %h1, %r0; shl.b32 %r3, %r0, 1; add.u32 %r3, %r3, %r20; st.shared.b16 [%r3], %h1;",
    );
    // Atomics race with stores, but not with each other.
    let zero =
        "setp.eq.u32 %p1, %r0, 0; mov.u32 %r3, 0; @%p1 st.shared.u32 [%r20], %r3; bar.sync 0;";
    clean(&format!(
        "{zero} red.shared.add.u32 [%r20], 1; bar.sync 0; ld.shared.u32 %r4, [%r20]; st.global.u32 [%d3], %r4;"
    ));
    let mixed = fault(&format!(
        "{zero} red.shared.add.u32 [%r20], 1; ld.shared.u32 %r4, [%r20];"
    ));
    assert!(matches!(mixed.kind, FaultKind::Race { .. }), "{mixed}");
}

#[test]
fn lanes_that_read_bytes_of_one_word_may_each_write_their_own() {
    let read = "cvt.u64.u32 %d4, %r0; add.u64 %d4, %d8, %d4; ld.global.u8 %r3, [%d4];
                xor.b32 %r4, %r0, 1; cvt.u64.u32 %d5, %r4; add.u64 %d5, %d8, %d5;";
    clean(&format!("{read} st.global.u8 [%d4], %r0;"));
    let race = fault(&format!("{read} st.global.u8 [%d5], %r0;"));
    assert!(matches!(race.kind, FaultKind::Race { .. }), "{race}");
}

#[test]
fn named_barriers_order_those_who_use_them() {
    // The first warp arrives and the second waits, so only one direction is ordered.
    let hand = "setp.lt.u32 %p1, %r0, 32; @%p1 bra FIRST;
                bar.sync 1, 64; ld.shared.u32 %r3, [%r2]; bra END;
                FIRST: st.shared.u32 [%r1], %r0; bar.arrive 1, 64;";
    clean(&format!("{hand} END:"));
    let back = fault(&format!("{hand} st.shared.u32 [%r1], %r0; END:"));
    assert!(matches!(back.kind, FaultKind::Race { .. }), "{back}");
}

#[test]
fn barriers_that_not_all_reach_are_found() {
    let warp = fault("setp.lt.u32 %p1, %r0, 32; @%p1 ret; bar.sync 0;");
    assert_eq!(
        warp.kind,
        FaultKind::Deadlock {
            barrier: 0,
            arrived: 32,
            expected: 64,
            others: "; warp 0 has exited".into(),
        }
    );
    let lanes = fault("setp.lt.u32 %p1, %r0, 16; @%p1 bra END; bar.sync 0; END:");
    assert!(
        matches!(lanes.kind, FaultKind::Divergence { .. }),
        "{lanes}"
    );
    let shuffle = fault(
        "setp.lt.u32 %p1, %r0, 16; @%p1 bra END; shfl.sync.bfly.b32 %r3, %r0, 1, 31, -1; END:",
    );
    assert!(
        matches!(shuffle.kind, FaultKind::Divergence { .. }),
        "{shuffle}"
    );
    // The accesses are in both arms of a branch, by different instructions.
    let arms = fault(
        "and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra EVEN; bar.sync 0; bra END; EVEN: bar.sync 0; END:",
    );
    assert!(matches!(arms.kind, FaultKind::Divergence { .. }), "{arms}");
    clean(
        "and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra EVEN; barrier.sync 0; bra END; EVEN: barrier.sync 0; END:",
    );
    clean("setp.lt.u32 %p1, %r0, 16; @%p1 bra END; mov.u32 %r3, 1; END: bar.sync 0;");
}

#[test]
fn copies_that_are_not_waited_for_are_found() {
    let copy = "cp.async.ca.shared.global [%r1], [%d2], 4; cp.async.commit_group;";
    let read = fault(&format!("{copy} ld.shared.u32 %r3, [%r1];"));
    assert!(matches!(read.kind, FaultKind::PendingCopy { .. }), "{read}");
    let late = fault(&format!(
        "{copy} cp.async.wait_group 1; ld.shared.u32 %r3, [%r1];"
    ));
    assert!(matches!(late.kind, FaultKind::PendingCopy { .. }), "{late}");
    // A thread's own wait does not order other threads.
    let race = fault(&format!(
        "{copy} cp.async.wait_group 0; ld.shared.u32 %r3, [%r2];"
    ));
    assert!(
        matches!(
            race.kind,
            FaultKind::Race { .. }
                | FaultKind::UninitializedShared { .. }
                | FaultKind::PendingCopy { .. }
        ),
        "{race}"
    );
    clean(&format!(
        "{copy} cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r3, [%r2];"
    ));
}

#[test]
fn copies_bring_bytes_and_zeros() {
    let body = format!(
        "{START} shl.b32 %r4, %r0, 2; add.u32 %r4, %r1, 0; cp.async.ca.shared.global [%r4], [%d2], 4, %r5; cp.async.wait_all;
         ld.shared.u32 %r3, [%r1]; st.global.u32 [%d3], %r3;"
    );
    let body = body.replace(
        "cp.async.ca",
        "setp.lt.u32 %p1, %r0, 8; selp.b32 %r5, 4, 0, %p1; cp.async.ca",
    );
    let (words, counters) = run(&body, 64, 512).unwrap();
    assert_eq!(words[..10], [0, 1, 2, 3, 4, 5, 6, 7, 0, 0]);
    assert_eq!(counters.copies.cp_async.bytes, 256);
}

#[test]
fn faults_say_where_they_are() {
    let reported = fault("\n\n trap;");
    assert_eq!(reported.kind, FaultKind::Trap);
    assert_eq!(
        reported.to_string(),
        "line 12: `trap`: trap (kernel `k`, block 0,0,0, warp 0, lane 0, thread 0)"
    );
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    use tile_sim::{Arg, Launch, Memory, Module, Options};
    let text = ".version 7.0 .target sm_80 .address_size 64
                .visible .entry k(.param .u32 n) .reqntid 64 { ret; }";
    let module = Module::parse(text).unwrap();
    let good = || Launch::new("k").threads(64).args([Arg::from(1u32)]);
    let launch = |launch: Launch| module.launch(&launch, &mut Memory::new(), &Options::default());
    launch(good()).unwrap();
    for (bad, message) in [
        (
            good().threads(32),
            "the kernel requires blocks of [64, 1, 1] threads",
        ),
        (good().args([]), "expected 1 arguments, found 0"),
        (
            good().args([Arg::from(1u64)]),
            "`n` has 4 bytes, but the argument has 8",
        ),
        (good().grid([0, 1, 1]), "[0, 1, 1] is not a grid"),
        (
            good().dynamic_shared_bytes(1 << 20),
            "1048576 bytes of shared memory are too many",
        ),
        (Launch::new("j"), "there is no entry `j`"),
    ] {
        assert_eq!(
            launch(bad).unwrap_err().to_string(),
            format!("launch: {message}")
        );
    }
}

#[test]
fn warps_may_write_the_same_value_to_the_same_place() {
    let store = "and.b32 %r4, %r0, 31; shl.b32 %r5, %r4, 2; add.u32 %r5, %r20, %r5;";
    clean(&format!(
        "{store} st.shared.u32 [%r5], %r4; bar.sync 0; ld.shared.u32 %r6, [%r5];"
    ));
    let other = fault(&format!("{store} st.shared.u32 [%r5], %r0;"));
    assert!(matches!(other.kind, FaultKind::Race { .. }), "{other}");
    // No other thread may read the word before a barrier, even if its value is the same.
    let early = fault(&format!(
        "{store} st.shared.u32 [%r1], %r4; ld.shared.u32 %r6, [%r2];"
    ));
    assert!(
        matches!(
            early.kind,
            FaultKind::Race { .. } | FaultKind::UninitializedShared { .. }
        ),
        "{early}"
    );
}
