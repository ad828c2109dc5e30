//! Tests of warp-level instructions.

use tile_sim::FaultKind;

use crate::support::run;

/// Returns the value that `body` leaves in `%r9` of each lane of a warp; `%r0` is the lane.
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
    // Segments of eight lanes: the upper bits of the lane are kept.
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
    // After a divergent branch, each half executes separately.
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

/// Implements the description of `shfl.sync` in the PTX ISA, line by line.
fn shuffled(mode: &str, lane: i64, b: i64, c: i64) -> (i64, bool) {
    let bval = b & 0x1f;
    let cval = c & 0x1f;
    let mask = c >> 8 & 0x1f;
    let max_lane = (lane & mask) | (cval & !mask);
    let min_lane = lane & mask;
    let (mut j, pval) = match mode {
        "up" => (lane - bval, lane - bval >= max_lane),
        "down" => (lane + bval, lane + bval <= max_lane),
        "bfly" => (lane ^ bval, (lane ^ bval) <= max_lane),
        _ => {
            let j = min_lane | (bval & !mask);
            (j, j <= max_lane)
        }
    };
    if !pval {
        j = lane;
    }
    (j, pval)
}

#[test]
fn shuffles_of_every_mode_segment_and_distance() {
    use crate::warp_run::{Registers, Row, run};
    let values: Row = std::array::from_fn(|lane| 1000 + lane as u64);
    let inputs = [Registers {
        name: "a",
        wide: false,
        rows: &[values],
    }];
    for mode in ["up", "down", "bfly", "idx"] {
        for segment in [0, 0x10, 0x18, 0x1c, 0x1e, 0x1f] {
            for clamp in [0, 7, 31] {
                // A distance per lane, and some distances for all lanes.
                let c = segment << 8 | clamp;
                for b in ["%lane", "1", "5", "16", "31", "33"] {
                    let body = format!(
                        "shfl.sync.{mode}.b32 %d0|%p1, %a0, {b}, {c}, -1; selp.b32 %d1, 1, 0, %p1;"
                    );
                    let expected: Vec<(i64, bool)> = (0..32)
                        .map(|lane| shuffled(mode, lane, b.parse().unwrap_or(lane), c))
                        .collect();
                    let (actual, _, _) = run(&body, &inputs, 2, false, &[]).unwrap();
                    for (lane, (from, valid)) in expected.into_iter().enumerate() {
                        assert_eq!(actual[0][lane], 1000 + from as u64, "{body} lane {lane}");
                        assert_eq!(actual[1][lane], u64::from(valid), "{body} lane {lane}");
                    }
                }
            }
        }
    }
}

#[test]
fn reductions_of_floats_order_zeros_and_leave_out_nan() {
    use crate::warp_run::{Registers, Row, run};
    let reduce = |op: &str, values: &dyn Fn(usize) -> f32| {
        let row: Row = std::array::from_fn(|lane| u64::from(values(lane).to_bits()));
        let inputs = [Registers {
            name: "a",
            wide: false,
            rows: &[row],
        }];
        let body = format!("redux.sync.{op}.f32 %d0, %a0, -1;");
        let (actual, _, _) = run(&body, &inputs, 1, false, &[]).unwrap();
        assert!(actual[0].iter().all(|word| *word == actual[0][0]));
        actual[0][0] as u32
    };
    let ramp = |lane: usize| lane as f32 - 20.0;
    assert_eq!(reduce("min", &ramp), (-20f32).to_bits());
    assert_eq!(reduce("max", &ramp), 11f32.to_bits());
    assert_eq!(reduce("max.abs", &ramp), 20f32.to_bits());
    assert_eq!(reduce("min.abs", &ramp), 0f32.to_bits());
    let zeros = |lane: usize| if lane == 9 { -0.0 } else { 0.0 };
    assert_eq!(reduce("min", &zeros), (-0f32).to_bits());
    let nan = |lane: usize| if lane == 3 { f32::NAN } else { lane as f32 };
    assert_eq!(reduce("max", &nan), 31f32.to_bits());
    assert_eq!(reduce("max.NaN", &nan), 0x7fff_ffff);
    assert_eq!(reduce("min.abs.NaN", &nan), 0x7fff_ffff);
    // All operands are NaN.
    assert_eq!(reduce("min", &|_| f32::NAN), 0x7fff_ffff);
    // A single lane.
    let body = "setp.eq.u32 %p1, %lane, 4; mov.b32 %d0, 0;
         @%p1 redux.sync.min.f32 %d0, 0fFFC00001, 16;";
    let (actual, _, _) = run(body, &[], 1, false, &[]).unwrap();
    assert_eq!(actual[0][4], 0x7fff_ffff);
}

#[test]
fn matches_and_votes_under_masks() {
    use crate::warp_run::run;
    // Pairs of 64 bits that differ only above bit 32.
    let body = "and.b32 %at, %lane, 1; cvt.u64.u32 %own, %at; shl.b64 %own, %own, 40;
         match.any.sync.b64 %d0, %own, -1; match.all.sync.b64 %d1|%p1, %own, -1;
         selp.b32 %d2, 1, 0, %p1; match.any.sync.b32 %d3, %lane, -1;
         setp.gt.u32 %p2, %lane, 7; vote.sync.ballot.b32 %d4, !%p2, -1;
         vote.sync.uni.pred %p3, %p2, -1; selp.b32 %d5, 1, 0, %p3;
         elect.sync %d6|%p4, 0xffffffff; selp.b32 %d7, 1, 0, %p4; activemask.b32 %d8;";
    let (actual, _, _) = run(body, &[], 9, false, &[]).unwrap();
    for lane in 0..32 {
        let here: Vec<u64> = actual.iter().map(|row| row[lane]).collect();
        let same = 0x5555_5555 << (lane & 1);
        let leader = u64::from(lane == 0);
        assert_eq!(
            here,
            [same, 0, 0, 1 << lane, 0xff, 0, 0, leader, 0xffff_ffff]
        );
    }
}

#[test]
fn the_old_forms_without_sync_are_refused_with_the_cure() {
    for (body, cure) in [
        ("shfl.up.b32 %r0, %r1, 1, 0;", "`shfl.sync`"),
        ("vote.all.pred %p0, %p1;", "`vote.sync`"),
        ("match.any.b32 %r0, %r1, -1;", "`match.any.sync`"),
    ] {
        let text = format!(
            ".version 8.0 .target sm_80 .address_size 64 .visible .entry k() {{
             .reg .b32 %r<4>; .reg .pred %p<4>; {body} ret; }}"
        );
        let error = tile_sim::Module::parse(&text).unwrap_err().to_string();
        assert!(error.contains(cure), "{error}");
    }
}
