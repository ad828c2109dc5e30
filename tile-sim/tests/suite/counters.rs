//! Counts that were worked out by hand.

use tile_sim::Family;

use crate::support::run;

fn global(address: &str, access: &str) -> (u64, u64) {
    let body = format!(
        "mov.u32 %r0, %tid.x; {address} ld.param.u64 %d0, [a]; mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1; {access}"
    );
    let (_, counters) = run(&body, 32, 0).unwrap();
    (
        counters.global.loads.requests,
        counters.global.loads.sectors,
    )
}

#[test]
fn sectors_of_global_loads() {
    let word = "ld.global.u32 %r2, [%d0];";
    assert_eq!(global("mov.u32 %r1, %r0;", word), (1, 4));
    assert_eq!(global("mov.u32 %r1, 0;", word), (1, 1));
    assert_eq!(global("shl.b32 %r1, %r0, 1;", word), (1, 8));
    assert_eq!(global("shl.b32 %r1, %r0, 3;", word), (1, 32));
    assert_eq!(global("add.u32 %r1, %r0, 1;", word), (1, 5));
    assert_eq!(
        global(
            "shl.b32 %r1, %r0, 2;",
            "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d0];"
        ),
        (1, 16)
    );
}

fn shared(address: &str, access: &str) -> (u64, u64) {
    let body = format!(
        "mov.u32 %r0, %tid.x; {address} mov.u32 %r2, dynamic; add.u32 %r1, %r1, %r2; {access}"
    );
    let (_, counters) = run(&body, 32, 8192).unwrap();
    (
        counters.shared.stores.wavefronts,
        counters.shared.stores.bank_conflicts,
    )
}

#[test]
fn bank_conflicts_of_shared_stores() {
    let word = "st.shared.u32 [%r1], %r0;";
    assert_eq!(shared("shl.b32 %r1, %r0, 2;", word), (1, 0));
    assert_eq!(shared("mov.u32 %r1, 0;", word), (1, 0));
    for (shift, ways) in [(3, 2), (4, 4), (5, 8), (6, 16), (7, 32)] {
        assert_eq!(
            shared(&format!("shl.b32 %r1, %r0, {shift};"), word),
            (ways, ways - 1)
        );
    }
    let vector = "st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};";
    assert_eq!(shared("shl.b32 %r1, %r0, 4;", vector), (4, 0));
    // 32 bytes apart: eight lanes of 16 bytes touch half of the banks twice.
    assert_eq!(shared("shl.b32 %r1, %r0, 5;", vector), (8, 4));
}

#[test]
fn instructions_are_counted_by_family_and_lane() {
    let (_, counters) = run(
        "mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 8; @%p1 add.u32 %r1, %r0, 1; add.u32 %r2, %r0, 2; bar.sync 0;",
        64,
        0,
    )
    .unwrap();
    assert_eq!(counters.of(Family::Integer), 4);
    assert_eq!(
        counters.thread_instructions[Family::Integer as usize],
        64 + 8
    );
    assert_eq!(counters.of(Family::Barrier), 2);
    assert_eq!(counters.barriers.block, 2);
    // The `ret` at the end is counted too.
    assert_eq!(counters.total_warp_instructions(), 2 * 6);
}
