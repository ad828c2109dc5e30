//! Tests of branches, loops, divergence and reconvergence.

use tile_sim::FaultKind;

use crate::support::run;

fn lanes(body: &str) -> (Vec<u32>, tile_sim::Counters) {
    let text = format!(
        "mov.u32 %r0, %tid.x; {body}
         ld.param.u64 %d0, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r9;"
    );
    let (mut words, counters) = run(&text, 32, 0).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    words.truncate(32);
    (words, counters)
}

fn expect(body: &str, f: impl Fn(u32) -> u32) {
    assert_eq!(lanes(body).0, (0..32).map(f).collect::<Vec<_>>(), "{body}");
}

#[test]
fn lanes_run_loops_of_different_length_and_meet_behind_them() {
    // In the text, the exit of the loop precedes its body.
    let body = "mov.u32 %r9, 0; mov.u32 %r1, 0; bra HEAD;
                OUT: shfl.sync.bfly.b32 %r9, %r9, 1, 31, -1; bra END;
                HEAD: setp.ge.u32 %p1, %r1, %r0; @%p1 bra OUT;
                add.u32 %r9, %r9, %r1; add.u32 %r1, %r1, 1; bra HEAD; END:";
    expect(body, |lane| (0..lane ^ 1).sum());
    let (_, counters) = lanes(body);
    // A single store by the whole warp shows that the lanes reconverged.
    assert_eq!(counters.global.stores.requests, 1);
}

#[test]
fn nested_branches_meet_at_their_ends() {
    let body = "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;
                and.b32 %r1, %r0, 2; setp.eq.u32 %p2, %r1, 0; @!%p2 bra THREE; mov.u32 %r9, 1; bra ODD; THREE: mov.u32 %r9, 3; ODD:
                activemask.b32 %r2; bra END;
                EVEN: mov.u32 %r9, 0; activemask.b32 %r2;
                END: activemask.b32 %r3; mad.lo.u32 %r9, %r9, 16, 0; popc.b32 %r2, %r2; popc.b32 %r3, %r3; add.u32 %r9, %r9, %r3; sub.u32 %r9, %r9, %r2;";
    // 32 lanes at the end, 16 in each arm.
    expect(body, |lane| {
        (if lane % 2 == 0 { 0 } else { lane % 4 }) * 16 + 16
    });
}

#[test]
fn lanes_that_returned_take_no_further_part() {
    let body = "mov.u32 %r9, 5; setp.gt.u32 %p1, %r0, 7; @%p1 ret; activemask.b32 %r9;";
    expect(body, |lane| if lane > 7 { 0 } else { 0xff });
}

#[test]
fn indexed_branches_reach_all_targets() {
    let body = "and.b32 %r1, %r0, 3; TARGETS: .branchtargets A, B, C, A; brx.idx %r1, TARGETS;
                A: mov.u32 %r9, 10; bra END; B: mov.u32 %r9, 20; bra END; C: mov.u32 %r9, 30; END:";
    expect(body, |lane| [10, 20, 30, 10][lane as usize % 4]);
    let fault = run(
        "TARGETS: .branchtargets A; mov.u32 %r1, 3; brx.idx %r1, TARGETS; A: ret;",
        1,
        0,
    )
    .unwrap_err();
    assert_eq!(
        fault.kind,
        FaultKind::BranchIndex {
            index: 3,
            targets: 1
        }
    );
}

#[test]
fn predicated_instructions_leave_other_lanes_alone() {
    expect(
        "mov.u32 %r9, 1; setp.lt.u32 %p1, %r0, 4; @%p1 mov.u32 %r9, 2; @!%p1 add.u32 %r9, %r9, 5;",
        |lane| {
            if lane < 4 { 2 } else { 6 }
        },
    );
}

#[test]
fn names_in_braces_hide_those_outside() {
    expect(
        "mov.u32 %r9, 1; { .reg .b32 %r9; .reg .b32 %t; mov.u32 %r9, 7; mov.u32 %t, %r9; } add.u32 %r9, %r9, 1;",
        |_| 2,
    );
}

#[test]
fn endless_loops_end_with_a_fault() {
    let fault = run("AGAIN: bra AGAIN;", 32, 0).unwrap_err();
    assert!(
        matches!(fault.kind, FaultKind::InstructionLimit(_)),
        "{fault}"
    );
}

#[test]
fn barriers_order_warps_under_every_seed() {
    let body = "mov.u32 %r0, %tid.x; mov.u32 %r5, dynamic; shl.b32 %r1, %r0, 2; add.u32 %r1, %r5, %r1; st.shared.u32 [%r1], %r0;
                bar.sync 0; xor.b32 %r2, %r0, 96; shl.b32 %r2, %r2, 2; add.u32 %r2, %r5, %r2; ld.shared.u32 %r3, [%r2]; bar.sync 0;
                st.shared.u32 [%r1], %r3; bar.sync 0; ld.shared.u32 %r4, [%r2];
                ld.param.u64 %d0, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r4;";
    for seed in 0..50 {
        let (words, counters) = crate::support::run_seeded(body, 128, 512, seed).unwrap();
        assert_eq!(words[..128], (0..128).collect::<Vec<u32>>());
        assert_eq!(counters.barriers.block, 12);
    }
}

#[test]
fn breakpoints_and_events_change_nothing() {
    expect(
        "mov.u32 %r9, %r0; brkpt; pmevent 3; pmevent.mask 5;",
        |lane| lane,
    );
}

#[test]
fn lanes_that_exit_do_no_more() {
    let body = "mov.u32 %r9, 3; setp.lt.u32 %p1, %r0, 12;
                ld.param.u64 %d2, [d]; mul.wide.u32 %d3, %r0, 4; add.u64 %d2, %d2, %d3; st.global.u32 [%d2], 8;
                @%p1 exit; add.u32 %r9, %r9, %r0;";
    expect(body, |lane| if lane < 12 { 8 } else { lane + 3 });
}

#[test]
fn a_trap_ends_the_grid() {
    let fault = run(
        "setp.ne.u32 %p1, 1, 1; @%p1 trap; mov.u32 %r1, 0;\ntrap;",
        32,
        0,
    )
    .unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Trap), "{fault}");
    assert_eq!(fault.instruction, "trap");
}
