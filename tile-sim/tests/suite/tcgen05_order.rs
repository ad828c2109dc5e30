//! Tests of the order of accesses to tensor memory: the canonical patterns of the PTX ISA
//! ("Canonical synchronization patterns"), and each without one of its parts.

use tile_sim::{Checks, FaultKind};

use super::tcgen05::{Run, alloc, dealloc, kernel, message};

/// Returns a text with one line per `\n` of the body; the text before `body` is one line.
fn text(columns: u32, body: &str) -> String {
    format!(
        "{} add.u32 %r7, %r4, %r2; setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [barrier], 1; @%p0 mbarrier.init.shared.b64 [barrier+8], 1; @%p0 mbarrier.init.shared.b64 [barrier+16], 32; bar.sync 0;\n{body}\n{}",
        alloc(columns).replace('\n', " "),
        dealloc(columns)
    )
}

/// Runs with many seeds and returns the first words of `to`.
fn right(threads: u32, body: &str) -> Vec<u32> {
    Run::new(threads).words(&kernel(&text(32, body)), &[0])
}

/// The expected fault.
#[derive(Debug, PartialEq)]
enum Found {
    /// An access in flight: `tcgen05.wait::ld`, `tcgen05.wait::st` or `tcgen05.commit` is missing.
    UnderWay(&'static str, &'static str),
    Race(&'static str, &'static str),
    /// Either of the two, depending on the seed.
    Either,
    Unwritten,
}

/// Tests that the fault is at `line`, relative to the line before the body.
fn broken(threads: u32, body: &str, line: u32, expected: &Found) {
    let (actual_line, kind) = Run::new(threads).fault(&kernel(&text(32, body)));
    assert_eq!(actual_line, line, "{body}: {kind}");
    match (&kind, expected) {
        (FaultKind::TensorUnderWay { access, cure, .. }, Found::UnderWay(what, by)) => {
            assert_eq!(access, what, "{body}");
            assert!(cure.contains(by), "{body}: {kind}");
        }
        (
            FaultKind::Race {
                space: "tensor",
                access,
                other_access,
                ..
            },
            Found::Race(what, other),
        ) => assert_eq!((access, other_access), (what, other), "{body}"),
        (FaultKind::UninitializedTensor { .. }, Found::Unwritten)
        | (
            FaultKind::Race {
                space: "tensor", ..
            }
            | FaultKind::TensorUnderWay { .. },
            Found::Either,
        ) => {}
        _ => panic!("{body}: {kind}, not {expected:?}"),
    }
}

const STORE: &str = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r7], {%r0};";
const LOAD: &str = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, [%r7];";
const OUT: &str = "mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %r10;";
const WAIT_ST: &str = "tcgen05.wait::st.sync.aligned;";
const WAIT_LD: &str = "tcgen05.wait::ld.sync.aligned;";
const BEFORE: &str = "tcgen05.fence::before_thread_sync;";
const AFTER: &str = "tcgen05.fence::after_thread_sync;";

#[test]
fn what_a_warp_stores_it_may_load_after_it_waited() {
    let actual = right(128, &format!("{STORE} {WAIT_ST} {LOAD} {WAIT_LD} {OUT}"));
    let expected: Vec<u32> = (0..128).collect();
    assert_eq!(actual[..128], expected);
    broken(
        128,
        &format!("{STORE}\n{LOAD} {WAIT_LD} {OUT}"),
        2,
        &Found::UnderWay("read", "tcgen05.wait::st"),
    );
    broken(
        128,
        &format!("{STORE}\n{STORE} {WAIT_ST}"),
        2,
        &Found::UnderWay("write", "tcgen05.wait::st"),
    );
    broken(
        128,
        &format!("{STORE} {WAIT_ST} {LOAD} {OUT}\n{STORE} {WAIT_ST} {WAIT_LD}"),
        2,
        &Found::UnderWay("write", "tcgen05.wait::ld"),
    );
    broken(128, LOAD, 1, &Found::Unwritten);
}

#[test]
fn a_register_that_is_loaded_may_be_used_at_once() {
    let actual = right(
        128,
        &format!("{STORE} {WAIT_ST} {LOAD} add.u32 %r10, %r10, 7; {OUT} {WAIT_LD}"),
    );
    let expected: Vec<u32> = (7..135).collect();
    assert_eq!(actual[..128], expected);
}

#[test]
fn columns_that_are_used_cannot_be_given_back() {
    // The text ends with the deallocation.
    for (body, by) in [
        (format!("{STORE}\n"), "tcgen05.wait::st"),
        (
            format!("{STORE} {WAIT_ST} {LOAD} {OUT}\n"),
            "tcgen05.wait::ld",
        ),
    ] {
        broken(128, &body, 4, &Found::UnderWay("deallocation", by));
    }
    // The second block of columns is not deallocated, so that another may allocate its columns.
    let body = format!(
        "{STORE} {WAIT_ST} bar.sync 0;
         @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 32;
         @%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; bar.sync 0;
         {LOAD}"
    );
    broken(128, &body, 4, &Found::Unwritten);
}

/// Warps 0 to 3 execute `first`, and warps 4 to 7, which access the same lanes, execute `second`.
fn two(first: &str, between: [&str; 2], second: &str) -> String {
    let [one, two] = between;
    format!(
        "setp.lt.u32 %p3, %r1, 4; and.b32 %r11, %r0, 127; @!%p3 bra S;
         {first} {one} bra.uni E;
         S: {two}
         {second}
         E:"
    )
}

#[test]
fn warps_that_meet_at_a_barrier_have_their_accesses_in_order() {
    let store = format!("{STORE} {WAIT_ST}");
    let load = format!("{LOAD} {WAIT_LD} {OUT}");
    let actual = right(256, &two(&store, ["bar.sync 1;"; 2], &load));
    let expected: Vec<u32> = (0..128).collect();
    assert_eq!(actual[128..256], expected);
    broken(
        256,
        &two(STORE, ["bar.sync 1;"; 2], &load),
        4,
        &Found::UnderWay("read", "tcgen05.wait::st"),
    );
    // The reverse: loaded cells are overwritten.
    let first = |load: &str| format!("{STORE} {WAIT_ST} {load}");
    right(
        256,
        &two(
            &first(&format!("{LOAD} {WAIT_LD}")),
            ["bar.sync 1;"; 2],
            &format!("{STORE} {WAIT_ST}"),
        ),
    );
    broken(
        256,
        &two(
            &first(LOAD),
            ["bar.sync 1;"; 2],
            &format!("{STORE} {WAIT_ST}"),
        ),
        4,
        &Found::UnderWay("write", "tcgen05.wait::ld"),
    );
    // Without synchronization, the later access is at fault.
    let body = format!("setp.lt.u32 %p3, %r1, 4;\nsetp.lt.u32 %p3, %r1, 8; {STORE} {WAIT_ST}");
    broken(256, &body, 2, &Found::Either);
}

#[test]
fn a_relaxed_exchange_orders_accesses_between_the_two_fences() {
    let arrive = "mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [barrier+16];";
    let wait = "W: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p4, [barrier+16], 0; @!%p4 bra W;";
    let exchange = |store: &str, before: &str, after: &str, load: &str| {
        // One warp each: 0 and 4.
        format!(
            "setp.eq.u32 %p3, %r1, 0; setp.eq.u32 %p5, %r1, 4; @%p5 bra S; @!%p3 bra E;
             {store} {before} {arrive} bra.uni E;
             S: {wait} {after}
             {load}
             E:"
        )
    };
    let store = format!("{STORE} {WAIT_ST}");
    let load = format!("{LOAD} {WAIT_LD} {OUT}");
    let actual = right(256, &exchange(&store, BEFORE, AFTER, &load));
    let expected: Vec<u32> = (0..32).collect();
    assert_eq!(actual[128..160], expected);
    for (before, after) in [("", AFTER), (BEFORE, ""), ("", "")] {
        broken(
            256,
            &exchange(&store, before, after, &load),
            4,
            &Found::Race("read", "write"),
        );
    }
    // The fence precedes the operation that it should order, or the wait follows the fence.
    broken(
        256,
        &exchange(BEFORE, &store, AFTER, &load),
        4,
        &Found::Race("read", "write"),
    );
    let late = format!("{BEFORE} {WAIT_ST}");
    broken(
        256,
        &exchange(STORE, &late, AFTER, &load),
        4,
        &Found::Race("read", "write"),
    );
    // Release and acquire suffice (PTX ISA: "the standard memory consistency model synchronization
    // mechanisms also apply").
    let strong = exchange(&store, "", "", &load).replace(".relaxed.cluster", "");
    right(256, &strong);
}

#[test]
fn relaxed_stores_loads_and_cluster_barriers_are_exchanges_too() {
    let flag = |before: &str, after: &str| {
        format!(
            "@%p0 st.shared.b32 [tile], 0; bar.sync 0; setp.eq.u32 %p3, %r1, 0; setp.eq.u32 %p5, %r1, 4; @%p5 bra S; @!%p3 bra E;
             {STORE} {WAIT_ST} {before} bar.warp.sync -1; @%p0 st.relaxed.cta.shared.b32 [tile], 1; bra.uni E;
             S: ld.relaxed.cta.shared.b32 %r12, [tile]; setp.eq.u32 %p4, %r12, 0; @%p4 bra S; {after}
             {LOAD} {WAIT_LD}
             E:"
        )
    };
    right(256, &flag(BEFORE, AFTER));
    for (before, after) in [("", AFTER), (BEFORE, "")] {
        broken(256, &flag(before, after), 4, &Found::Race("read", "write"));
    }
    let cluster = |before: &str, after: &str| {
        format!(
            "setp.lt.u32 %p3, %r1, 4; @!%p3 bra S; {STORE} {WAIT_ST} {before}
             S: barrier.cluster.arrive.relaxed; barrier.cluster.wait; {after} @%p3 bra E;
             {LOAD} {WAIT_LD}
             E:"
        )
    };
    right(256, &cluster(BEFORE, AFTER));
    for (before, after) in [("", AFTER), (BEFORE, "")] {
        broken(
            256,
            &cluster(before, after),
            3,
            &Found::Race("read", "write"),
        );
    }
}

#[test]
fn a_write_comes_behind_the_reads_of_all_warps() {
    // Warps 0, 4 and 8 load one after another, and warp 12 stores; one of the three has not waited.
    let loads = |waits: [&str; 3]| {
        let load = |group: usize| {
            format!(
                "setp.eq.u32 %p3, %r12, {group}; @!%p3 bra L{group}; {LOAD} {} L{group}: bar.sync 0; ",
                waits[group]
            )
        };
        format!(
            "shr.u32 %r12, %r1, 2; setp.eq.u32 %p3, %r12, 0; @!%p3 bra A; {STORE} {WAIT_ST} A: bar.sync 0; {} {} {} setp.eq.u32 %p3, %r12, 3; @!%p3 bra E;
             {STORE} {WAIT_ST}
             E:",
            load(0), load(1), load(2)
        )
    };
    right(512, &loads([WAIT_LD; 3]));
    for late in 0..3 {
        let mut waits = [WAIT_LD; 3];
        waits[late] = "";
        broken(
            512,
            &loads(waits),
            2,
            &Found::UnderWay("write", "tcgen05.wait::ld"),
        );
    }
    broken(
        512,
        &loads([""; 3]),
        2,
        &Found::UnderWay("write", "tcgen05.wait::ld"),
    );
}

/// Fills eight columns of all lanes with eight times the thread plus the column.
const FILL: &str =
    "shl.b32 %v0, %r0, 3; add.u32 %v1, %v0, 1; add.u32 %v2, %v0, 2; add.u32 %v3, %v0, 3;
 add.u32 %v4, %v0, 4; add.u32 %v5, %v0, 5; add.u32 %v6, %v0, 6; add.u32 %v7, %v0, 7;
 tcgen05.st.sync.aligned.32x32b.x8.b32 [%r7], {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7};";

const SHIFT: &str = "@%p0 tcgen05.shift.cta_group::1.down [%r4];";
const COMMIT: &str =
    "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r13];";
const AWAIT: &str = "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p4, [barrier], 0;";

/// Returns a text in which all threads fill columns, thread 0 shifts the first rows, and warps read
/// the eighth column.
fn shifts(fill: &str, between: &str, shift: &str, wait: &str) -> String {
    let fill = format!("{FILL} {fill}").replace('\n', " ");
    format!(
        "{fill} {between} mov.u32 %r13, barrier;
         {shift}
         {wait}
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r10}}, [%r7+7]; {WAIT_LD} {OUT}"
    )
}

/// Returns the column after `times` shifts, each of which leaves row 31 unchanged and replaces each
/// of the 31 rows before it by the next row.
fn shifted(times: u32) -> Vec<u32> {
    let from = |row: u32| {
        if row < 32 { (row + times).min(31) } else { row }
    };
    (0..128).map(|row| from(row) * 8 + 7).collect()
}

#[test]
fn operations_of_a_tensor_core_are_over_when_a_commit_has_told_so() {
    let between = format!("{WAIT_ST} {BEFORE} bar.sync 0; {AFTER}");
    let shift = format!("{SHIFT} {COMMIT}");
    let wait = |fence: &str| format!("W: {AWAIT} @!%p4 bra W; {fence}");
    let actual = right(128, &shifts("", &between, &shift, &wait(AFTER)));
    assert_eq!(actual[..128], shifted(1));
    // Two shifts, which execute in order.
    let twice = format!("{SHIFT} {SHIFT} {COMMIT}");
    let actual = right(128, &shifts("", &between, &twice, &wait(AFTER)));
    assert_eq!(actual[..128], shifted(2));
    // An acquire needs no fence.
    let acquire = wait("").replace(".relaxed.cluster", ".acquire.cluster");
    let actual = right(128, &shifts("", &between, &shift, &acquire));
    assert_eq!(actual[..128], shifted(1));

    broken(
        128,
        &shifts("", &between, &shift, &wait("")),
        4,
        &Found::Race("read", "write"),
    );
    broken(128, &shifts("", &between, &shift, ""), 4, &Found::Either);
    // A test that is not retried, with the seeds that let it fail, or the commit of another thread.
    broken(
        128,
        &shifts("", &between, SHIFT, "bar.sync 0;"),
        4,
        &Found::UnderWay("read", "tcgen05.commit"),
    );
    broken(
        128,
        &shifts("", "bar.sync 0;", &shift, &wait(AFTER)),
        2,
        &Found::UnderWay("read", "tcgen05.wait::st"),
    );
    // A commit before the operation that it should cover.
    broken(
        128,
        &shifts("", &between, &format!("{COMMIT} {SHIFT}"), &wait(AFTER)),
        4,
        &Found::UnderWay("read", "tcgen05.commit"),
    );
}

#[test]
fn a_wait_is_for_those_who_wait() {
    // Warps 0 to 3 wait for the commit, and warps 4 to 7 read.
    let read =
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, [%r7]; tcgen05.wait::ld.sync.aligned;";
    let body = |meet: &str| {
        format!(
            "setp.lt.u32 %p3, %r1, 4; mov.u32 %r13, barrier; @!%p3 bra F; {} {WAIT_ST} F: {BEFORE} bar.sync 0; {AFTER} {SHIFT} {COMMIT} bar.sync 0; @!%p3 bra S;
             W: {AWAIT} @!%p4 bra W; {AFTER}
             S: {meet} @%p3 bra E;
             {read}
             E:",
            FILL.replace('\n', " ")
        )
    };
    right(256, &body(&format!("{BEFORE} bar.sync 0; {AFTER}")));
    broken(256, &body(""), 4, &Found::Either);
}

#[test]
fn operations_of_two_threads_are_in_order_between_fences_only() {
    let fill = FILL.replace('\n', " ");
    let body = |before: &str, after: &str, last: &str| {
        format!(
            "{fill} {WAIT_ST} mov.u32 %r13, barrier; setp.eq.u32 %p5, %r0, 32; {BEFORE} bar.sync 0; {AFTER} {SHIFT} {COMMIT} {before} bar.sync 0; {after}
             @%p5 tcgen05.shift.cta_group::1.down [%r4]; add.u32 %r13, %r13, 8; @%p5 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r13];
             V: mbarrier.try_wait.parity.shared.b64 %p4, [barrier+8], 0; @!%p4 bra V; {last}
             tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r10}}, [%r7+7]; {WAIT_LD} {OUT}"
        )
    };
    let both = format!("W: {AWAIT} @!%p4 bra W; {AFTER}");
    let actual = right(128, &body(BEFORE, AFTER, &both));
    assert_eq!(actual[..128], shifted(2));
    for (before, after) in [("", AFTER), (BEFORE, ""), ("", "")] {
        broken(
            128,
            &body(before, after, &both),
            2,
            &Found::UnderWay("read", "tcgen05.commit"),
        );
    }
}

#[test]
fn who_waits_for_a_later_commit_need_not_wait_for_an_earlier_one() {
    let fill = FILL.replace('\n', " ");
    let body = format!(
        "{fill} {WAIT_ST} {BEFORE} bar.sync 0; {AFTER} mov.u32 %r13, barrier; add.u32 %r13, %r13, 8; {SHIFT} {COMMIT} mov.u32 %r13, barrier; {SHIFT} {COMMIT}
         W: {AWAIT} @!%p4 bra W; {AFTER}
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r10}}, [%r7+7]; {WAIT_LD} {OUT} bar.sync 0; @%p0 mbarrier.inval.shared.b64 [barrier+8];"
    );
    assert_eq!(right(128, &body)[..128], shifted(2));
    // An operation that no thread waits for is not ordered.
    let body = format!(
        "{fill} {WAIT_ST} {BEFORE} bar.sync 0; {AFTER} mov.u32 %r13, barrier; {SHIFT} {COMMIT}
         @%p0 mbarrier.inval.shared.b64 [barrier];"
    );
    let (line, kind) = Run::new(128).fault(&kernel(&text(32, &body)));
    assert_eq!(line, 2);
    assert!(matches!(kind, FaultKind::Mbarrier { .. }), "{kind}");
}

#[test]
fn misuse_of_a_shift_is_named() {
    let cases = [
        (
            "@%p0 tcgen05.shift.cta_group::1.down [%r4+24];",
            "access to columns 24..32",
        ),
        (
            "add.u32 %r4, %r4, 0x100000; @%p0 tcgen05.shift.cta_group::1.down [%r4];",
            "the address has lane 16, which is not a multiple of 32",
        ),
        (
            "@%p0 tcgen05.shift.cta_group::1.down [%r4+25];",
            "access to columns 25..33, but column 32 is not allocated",
        ),
    ];
    for (shift, expected) in &cases[1..] {
        let (line, kind) = Run::new(128).fault(&kernel(&text(32, shift)));
        assert_eq!((line, message(&kind)), (1, *expected));
    }
    broken(128, cases[0].0, 1, &Found::Unwritten);
}

#[test]
fn a_pair_of_blocks_shifts_together_and_all_are_told() {
    let body = |mask: u32| {
        format!(
            "mov.u32 %r3, base; mov.u32 %r14, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r1, 0;
             @%p0 mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster;
             @%p1 tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], 32; bar.sync 0; ld.shared.b32 %r4, [base];
             add.u32 %r7, %r4, %r2; {} {WAIT_ST} {BEFORE} barrier.cluster.arrive; barrier.cluster.wait; {AFTER}
             setp.eq.and.u32 %p2, %r14, 2, %p0; mov.u32 %r13, barrier; mov.b16 %h0, {mask};
             @%p2 tcgen05.shift.cta_group::2.down [%r4];
             @%p2 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r13], %h0;
             setp.lt.u32 %p5, %r14, 2; @%p5 bra N;
             W: {AWAIT} @!%p4 bra W; {AFTER}
             N: tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r10}}, [%r7+7]; {WAIT_LD}
             mad.lo.u32 %r15, %r14, 128, %r0; mul.wide.u32 %d2, %r15, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %r10;
             {BEFORE} barrier.cluster.arrive; barrier.cluster.wait; {AFTER}
             @%p1 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r4, 32; exit;",
            FILL.replace('\n', " ")
        )
    };
    let run = Run {
        blocks: 4,
        ..Run::new(128)
    };
    let actual = run.words(&kernel(&body(0b1100)), &[0]);
    for rank in 0..4 {
        let expected = shifted(u32::from(rank >= 2));
        assert_eq!(actual[rank * 128..][..128], expected, "block {rank}");
    }
    let (line, kind) = run.fault(&kernel(&body(0b1_0000)));
    assert_eq!(line, 6);
    assert_eq!(
        message(&kind),
        "the mask 0x10 contains blocks that the cluster does not have"
    );
}

#[test]
fn addresses_may_be_generic_and_checks_cheap() {
    let body = format!(
        "cvta.shared.u64 %d4, base; cvta.shared.u64 %d5, barrier; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p0, %r0, 0;
         @%p0 mbarrier.init.shared.b64 [barrier], 1;
         @%p1 tcgen05.alloc.cta_group::1.sync.aligned.b32 [%d4], 32; bar.sync 0; ld.shared.b32 %r4, [base]; add.u32 %r7, %r4, %r2;
         {FILL} {WAIT_ST} bar.sync 0; {SHIFT} @%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%d5];
         W: mbarrier.try_wait.parity.shared.b64 %p4, [barrier], 0; @!%p4 bra W;
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r10}}, [%r7+7]; {WAIT_LD} {OUT} {}",
        dealloc(32)
    );
    let module = kernel(&body);
    assert_eq!(Run::new(128).words(&module, &[0])[..128], shifted(1));
    let cheap = Run {
        checks: Checks::Cheap,
        ..Run::new(128)
    };
    assert_eq!(cheap.words(&module, &[0])[..128], shifted(1));
}
