//! Exchange between lanes.

use tile_sim::FaultKind;

use crate::support::run;

/// What `body` leaves in `%r9` in each lane of one warp; `%r0` is the lane.
fn lanes(body: &str) -> Vec<u32> {
    let text = format!(
        "mov.u32 %r0, %laneid; {body}
         ld.param.u64 %d0, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r9;"
    );
    let (mut words, _) = run(&text, 32, 0).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    words.truncate(32);
    words
}

fn expect(body: &str, f: impl Fn(u32) -> u32) {
    assert_eq!(lanes(body), (0..32).map(f).collect::<Vec<_>>(), "{body}");
}

#[test]
fn shuffles_take_from_where_the_mode_says() {
    expect("shfl.sync.bfly.b32 %r9, %r0, 5, 31, -1;", |lane| lane ^ 5);
    expect("shfl.sync.up.b32 %r9, %r0, 3, 0, -1;", |lane| {
        if lane < 3 { lane } else { lane - 3 }
    });
    expect("shfl.sync.down.b32 %r9, %r0, 3, 31, -1;", |lane| {
        if lane > 28 { lane } else { lane + 3 }
    });
    expect("shfl.sync.idx.b32 %r9, %r0, 7, 31, 0xffffffff;", |_| 7);
    // Segments of eight lanes: the upper bits of the lane stay.
    expect("shfl.sync.idx.b32 %r9, %r0, 2, 0x181f, -1;", |lane| {
        lane & !7 | 2
    });
    expect("shfl.sync.up.b32 %r9, %r0, 1, 0x1800, -1;", |lane| {
        if lane % 8 == 0 { lane } else { lane - 1 }
    });
    expect("shfl.sync.down.b32 %r9, %r0, 1, 0x181f, -1;", |lane| {
        if lane % 8 == 7 { lane } else { lane + 1 }
    });
    expect(
        "shfl.sync.down.b32 %r1|%p1, %r0, 3, 31, -1; selp.b32 %r9, 1, 0, %p1;",
        |lane| u32::from(lane <= 28),
    );
}

#[test]
fn votes_matches_and_reductions() {
    expect(
        "setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r9, %p1, -1;",
        |_| 0b11111,
    );
    expect(
        "setp.lt.u32 %p1, %r0, 5; vote.sync.any.pred %p2, %p1, -1; selp.b32 %r9, 1, 0, %p2;",
        |_| 1,
    );
    expect(
        "setp.lt.u32 %p1, %r0, 5; vote.sync.all.pred %p2, %p1, -1; selp.b32 %r9, 1, 0, %p2;",
        |_| 0,
    );
    expect(
        "setp.lt.u32 %p1, %r0, 32; vote.sync.all.pred %p2, %p1, -1; selp.b32 %r9, 1, 0, %p2;",
        |_| 1,
    );
    expect("redux.sync.add.u32 %r9, %r0, -1;", |_| 496);
    expect(
        "sub.s32 %r1, %r0, 9; redux.sync.min.s32 %r9, %r1, -1;",
        |_| -9i32 as u32,
    );
    expect(
        "sub.s32 %r1, %r0, 9; redux.sync.max.u32 %r9, %r1, -1;",
        |_| u32::MAX,
    );
    expect("redux.sync.xor.b32 %r9, %r0, -1;", |_| 0);
    expect(
        "and.b32 %r1, %r0, 3; match.any.sync.b32 %r9, %r1, -1;",
        |lane| 0x1111_1111 << (lane & 3),
    );
    expect(
        "mov.u32 %r1, 4; match.all.sync.b32 %r9|%p1, %r1, -1;",
        |_| u32::MAX,
    );
    expect("activemask.b32 %r9;", |_| u32::MAX);
    expect("elect.sync %r1|%p1, -1; selp.b32 %r9, 1, 0, %p1;", |lane| {
        u32::from(lane == 0)
    });
    expect("mov.u32 %r9, %lanemask_lt;", |lane| (1 << lane) - 1);
    expect("mov.u32 %r9, %lanemask_ge;", |lane| u32::MAX << lane);
}

#[test]
fn halves_of_a_warp_exchange_under_their_own_masks() {
    let body = "setp.lt.u32 %p1, %r0, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p1;
                redux.sync.add.u32 %r9, %r0, %r1;";
    expect(body, |lane| if lane < 16 { 120 } else { 376 });
    // Parted by a branch, each half alone.
    let body = "mov.u32 %r9, 0; setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;
                redux.sync.add.u32 %r9, %r0, 0xffff0000; bra END;
                LOW: redux.sync.add.u32 %r9, %r0, 0xffff; END:";
    expect(body, |lane| if lane < 16 { 120 } else { 376 });
}

#[test]
fn a_shuffle_from_a_lane_outside_the_mask_is_a_fault() {
    let body = "mov.u32 %r0, %laneid; setp.lt.u32 %p1, %r0, 16;
                @%p1 shfl.sync.idx.b32 %r1, %r0, 20, 31, 0xffff;";
    let fault = run(body, 32, 0).unwrap_err();
    assert_eq!(fault.kind, FaultKind::ShuffleFromInactiveLane { from: 20 });
}

#[test]
fn a_lane_that_is_not_in_its_mask_is_a_fault() {
    let fault = run(
        "mov.u32 %r0, %laneid; redux.sync.add.u32 %r1, %r0, 0xffff;",
        32,
        0,
    )
    .unwrap_err();
    assert!(
        matches!(fault.kind, FaultKind::NotAMember { .. }),
        "{fault}"
    );
}
