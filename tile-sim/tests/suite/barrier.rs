//! Tests of reductions at barriers (PTX ISA, `barrier.red`).

use crate::support::{run, run_seeded};

const START: &str =
    "mov.u32 %r0, %tid.x; ld.param.u64 %d9, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d3, %d9, %d1;";

#[test]
fn votes_of_all_threads_are_counted() {
    // 70 threads: the last warp has 6. Those below 41 vote yes.
    let body = format!(
        "{START} setp.lt.u32 %p1, %r0, 41; bar.red.popc.u32 %r1, 3, %p1; st.global.u32 [%d3], %r1;"
    );
    for seed in 0..20 {
        let (words, counters) = run_seeded(&body, 70, 0, seed).unwrap();
        assert!(words[..70].iter().all(|&word| word == 41), "{words:?}");
        assert_eq!(words[70], 0);
        assert_eq!(counters.barriers.block, 3);
    }
}

#[test]
fn all_and_any() {
    for (bound, all, any) in [(0, 0, 0), (1, 0, 1), (63, 0, 1), (64, 1, 1)] {
        let body = format!(
            "{START} setp.lt.u32 %p1, %r0, {bound};
             barrier.cta.red.and.aligned.pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2;
             barrier.red.or.pred %p3, 1, 64, %p1; selp.u32 %r2, 2, 0, %p3;
             or.b32 %r1, %r1, %r2; st.global.u32 [%d3], %r1;"
        );
        let (words, _) = run(&body, 64, 0).unwrap();
        assert!(words[..64].iter().all(|&word| word == all + 2 * any));
        let negated = body.replace("pred %p2, 0, %p1", "pred %p2, 0, !%p1");
        let (words, _) = run(&negated, 64, 0).unwrap();
        assert_eq!(words[0] & 1, u32::from(bound == 0));
    }
}

#[test]
fn what_is_written_before_a_vote_is_seen_behind_it() {
    let body = format!(
        "{START} mov.u32 %r20, dynamic; shl.b32 %r1, %r0, 2; add.u32 %r1, %r1, %r20; xor.b32 %r2, %r1, 128;
         st.shared.u32 [%r1], %r0; setp.eq.u32 %p1, %r0, 0; bar.red.or.pred %p2, 0, %p1; ld.shared.u32 %r3, [%r2]; st.global.u32 [%d3], %r3;"
    );
    for seed in 0..20 {
        let (words, _) = run_seeded(&body, 64, 256, seed).unwrap();
        assert!((0..64).all(|thread| words[thread as usize] == thread ^ 32));
    }
}

/// The first warp arrives and the second waits; 64 of 96 threads take part.
#[test]
fn some_warps_meet_at_a_barrier_of_their_own() {
    for prefix in ["bar", "barrier", "barrier.cta"] {
        for aligned in ["", ".aligned"] {
            if prefix == "bar" && !aligned.is_empty() {
                continue;
            }
            for [arrive, wait] in [
                ["arrive{a} 1, 64", "sync{a} 1, 64"],
                ["arrive{a} %r5, %r6", "sync{a} %r5, %r6"],
                ["sync{a} 1, 64", "sync{a} 1, 64"],
            ]
            .map(|forms| forms.map(|form| format!("{prefix}.{}", form.replace("{a}", aligned))))
            {
                let body = format!(
                    "{START} mov.u32 %r5, 1; mov.u32 %r6, 64; mov.u32 %r20, dynamic; shl.b32 %r1, %r0, 2; add.u32 %r1, %r1, %r20;
                     setp.ge.u32 %p1, %r0, 64; @%p1 bra END; setp.ge.u32 %p1, %r0, 32; @%p1 bra READ;
                     add.u32 %r2, %r0, 50; st.shared.u32 [%r1], %r2; {arrive}; bra END;
                     READ: {wait}; ld.shared.u32 %r3, [%r1+-128]; st.global.u32 [%d3], %r3; END: ret;"
                );
                for seed in 0..6 {
                    let (words, _) = run_seeded(&body, 96, 512, seed)
                        .unwrap_or_else(|fault| panic!("{arrive}, {wait}: {fault}"));
                    let expected = (0..96).map(|thread| {
                        if (32..64).contains(&thread) {
                            thread + 18
                        } else {
                            0
                        }
                    });
                    assert!(words[..96].iter().copied().eq(expected), "{arrive}, {wait}");
                }
            }
        }
    }
}

#[test]
fn every_form_of_a_vote_counts_the_same() {
    for prefix in ["bar", "barrier", "barrier.cta"] {
        for aligned in ["", ".aligned"] {
            if prefix == "bar" && !aligned.is_empty() {
                continue;
            }
            for threads in ["", ", 64", ", %r6"] {
                let body = format!(
                    "{START} mov.u32 %r6, 64; setp.lt.u32 %p1, %r0, 41;
                     {prefix}.red.popc{aligned}.u32 %r1, 3{threads}, %p1;
                     {prefix}.red.popc{aligned}.u32 %r2, 3{threads}, !%p1;
                     {prefix}.red.and{aligned}.pred %p2, 2{threads}, %p1; selp.u32 %r3, 1, 0, %p2;
                     {prefix}.red.or{aligned}.pred %p3, 2{threads}, %p1; selp.u32 %r4, 1, 0, %p3;
                     mad.lo.u32 %r1, %r1, 100, %r2; mad.lo.u32 %r1, %r1, 10, %r3; mad.lo.u32 %r1, %r1, 10, %r4;
                     st.global.u32 [%d3], %r1;"
                );
                let (words, _) =
                    run(&body, 64, 0).unwrap_or_else(|fault| panic!("{body}: {fault}"));
                assert!(
                    words[..64]
                        .iter()
                        .all(|&word| word == 41 * 10_000 + 23 * 100 + 1),
                    "{words:?}"
                );
            }
        }
    }
}
