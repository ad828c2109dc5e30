//! Tests of fences: the accesses that they order between threads and between proxies.

use crate::asynchronous::{Run, kernel};
use crate::support::{run_on, run_seeded_on};

/// Returns a kernel in which warp 1 waits for the flag of warp 0 and reads its data, 16 times.
fn message(release: &str, acquire: &str, scope: &str) -> String {
    format!(
        "ld.param.u64 %d0, [d]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;
         setp.ge.u32 %p1, %r0, 32; @%p1 bra READ;
         add.u32 %r1, %r0, 7; st.global.u32 [%d1], %r1;
         bar.warp.sync -1; setp.ne.u32 %p2, %r0, 0; @%p2 bra END;
         {release} st.relaxed.{scope}.global.u32 [%d0+1024], 1; bra END;
         READ: ld.relaxed.{scope}.global.u32 %r2, [%d0+1024]; setp.eq.u32 %p3, %r2, 0; @%p3 bra READ;
         {acquire} ld.global.u32 %r3, [%d1+-128]; st.global.u32 [%d1+512], %r3; END: ret;"
    )
}

fn passes(release: &str, acquire: &str, scope: &str) {
    let body = message(release, acquire, scope);
    for seed in 0..6 {
        let words = run_seeded_on("sm_90a", &body, 64, 0, seed)
            .unwrap_or_else(|fault| panic!("{release} {acquire}: {fault}"));
        let expected = (0..32).map(|lane| lane + 7);
        assert!(
            words[160..192].iter().copied().eq(expected),
            "{release} {acquire}: {words:?}"
        );
    }
}

/// The scopes that include two warps of a block, as loads name them.
const SCOPES: [&str; 4] = ["cta", "cluster", "gpu", "sys"];

#[test]
fn fences_of_every_order_and_scope_pass_a_message() {
    for scope in SCOPES {
        for order in ["", ".sc", ".acq_rel"] {
            let fence = format!("fence{order}.{scope};");
            passes(&fence, &fence, scope);
        }
        let (release, acquire) = (
            format!("fence.release.{scope};"),
            format!("fence.acquire.{scope};"),
        );
        passes(&release, &acquire, scope);
    }
    for (membar, scope) in [("cta", "cta"), ("gl", "gpu"), ("sys", "sys")] {
        let fence = format!("membar.{membar};");
        passes(&fence, &fence, scope);
    }
}

#[test]
fn without_a_fence_a_message_is_a_race() {
    for (release, acquire) in [
        ("", ""),
        ("fence.acq_rel.gpu;", ""),
        ("", "fence.acq_rel.gpu;"),
    ] {
        let body = message(release, acquire, "gpu");
        let races = (0..20).any(|seed| {
            let result = run_seeded_on("sm_90a", &body, 64, 0, seed);
            result.is_err_and(|fault| fault.to_string().contains("races"))
        });
        assert!(races, "{release} {acquire}");
    }
}

/// The accesses of a single thread stay in order with any fence between them.
#[test]
fn fences_change_nothing_of_one_thread() {
    let mut fences = vec![
        "fence.acquire.sync_restrict::shared::cluster.cluster;".to_owned(),
        "fence.release.sync_restrict::shared::cta.cluster;".into(),
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;".into(),
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;".into(),
        "griddepcontrol.wait;".into(),
        "griddepcontrol.launch_dependents;".into(),
        "nanosleep.u32 20;".into(),
        "mov.u32 %r9, 40; nanosleep.u32 %r9;".into(),
    ];
    for kind in [
        "alias",
        "async",
        "async.global",
        "async.shared::cta",
        "async.shared::cluster",
    ] {
        fences.push(format!("fence.proxy.{kind};"));
    }
    for scope in SCOPES {
        fences.push(format!("fence.proxy.tensormap::generic.release.{scope};"));
        fences.push(format!(
            "fence.proxy.tensormap::generic.acquire.{scope} [%d0], 128;"
        ));
    }
    for fence in fences {
        let body = format!(
            "ld.param.u64 %d0, [d]; mov.u32 %r1, 5; st.global.u32 [%d0], %r1; {fence}
             ld.global.u32 %r2, [%d0]; add.u32 %r2, %r2, 1; st.global.u32 [%d0+4], %r2;"
        );
        let words =
            run_on("sm_90a", &body, 1, 0).unwrap_or_else(|fault| panic!("{fence}: {fault}"));
        assert_eq!(words[..3], [5, 6, 0], "{fence}");
    }
}

/// Returns a kernel in which one thread of block 0 loads data that threads wrote to global memory.
fn load_written(fence: &str) -> String {
    format!(
        "mul.wide.u32 %d3, %r0, 4; add.u64 %d4, %d1, %d3; mad.lo.u32 %r2, %r0, 5, 3; st.global.u32 [%d4+1024], %r2;
         @%p0 mbarrier.init.shared.b64 [barrier], 1; {fence} bar.sync 0; @!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 128; add.u64 %d5, %d1, 1024; mov.u32 %r20, 128;
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d5], %r20, [barrier];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         mad.lo.u32 %r3, %r0, 4, tile; ld.shared.u32 %r4, [%r3]; st.global.u32 [%d4], %r4;"
    )
}

/// Returns a kernel in which each of two blocks writes the tile of block `of`, which that block
/// stores.
fn store_written(of: u32, fence: &str) -> String {
    format!(
        "xor.b32 %r2, %r1, {of}; mad.lo.u32 %r3, %r0, 4, tile; mapa.shared::cluster.u32 %r3, %r3, %r2;
         barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;
         mad.lo.u32 %r4, %r1, 1000, %r0; st.shared::cluster.u32 [%r3], %r4; {fence}
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; @!%p0 bra END;
         mul.wide.u32 %d3, %r1, 128; add.u64 %d3, %d1, %d3; mov.u32 %r20, 128;
         cp.async.bulk.global.shared::cta.bulk_group [%d3], [tile], %r20; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
         END: ret;"
    )
}

#[test]
fn fences_between_proxies_are_for_the_memory_they_name() {
    let fence = |kind: &str| format!("fence.proxy.async{kind};");
    let cluster = || {
        let mut run = Run::new(32);
        run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
        run
    };
    for kind in ["", ".global"] {
        let words = Run::new(32).words(&kernel(&load_written(&fence(kind))));
        assert!(
            (0..32).all(|word| words[word as usize] == word * 5 + 3),
            "{kind}"
        );
    }
    for of in [0, 1] {
        for kind in ["", ".shared::cluster", ".shared::cta"] {
            if of == 1 && kind == ".shared::cta" {
                continue;
            }
            let words = cluster().words(&kernel(&store_written(of, &fence(kind))));
            let expected = (0..64).map(|index| (index / 32 ^ of) * 1000 + index % 32);
            assert!(words[..64].iter().copied().eq(expected), "{kind}");
        }
    }
    let wrong = [
        (Run::new(32), load_written(&fence(".shared::cta"))),
        (Run::new(32), load_written(&fence(".shared::cluster"))),
        (cluster(), store_written(0, &fence(".global"))),
        (cluster(), store_written(1, &fence(".global"))),
        // `.shared::cta` does not cover the writes that the threads made to the other block.
        (cluster(), store_written(1, &fence(".shared::cta"))),
    ];
    for (run, body) in wrong {
        let fault = run.fault(&kernel(&body)).to_string();
        assert!(
            fault.contains("without a `fence.proxy.async` of that memory"),
            "{fault}\n{body}"
        );
    }
}

/// Relaxed cluster barriers pass on the effects of cluster fences.
#[test]
fn fences_of_the_cluster_stand_before_a_relaxed_barrier() {
    let body = |fence: &str| {
        format!(
            "xor.b32 %r2, %r1, 1; mad.lo.u32 %r3, %r0, 4, tile; mad.lo.u32 %r4, %r1, 1000, %r0; st.shared.u32 [%r3], %r4;
             {fence} barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
             mapa.shared::cluster.u32 %r3, %r3, %r2; ld.shared::cluster.u32 %r5, [%r3];
             mad.lo.u32 %r6, %r1, 32, %r0; mul.wide.u32 %d3, %r6, 4; add.u64 %d3, %d1, %d3; st.global.u32 [%d3], %r5;
             barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
        )
    };
    let mut run = Run::new(32);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    for fence in [
        "fence.acq_rel.cluster;",
        "fence.release.gpu;",
        "fence.sc.cluster;",
    ] {
        let words = run.words(&kernel(&body(fence)));
        let expected = (0..64).map(|index| (index / 32 ^ 1) * 1000 + index % 32);
        assert!(words[..64].iter().copied().eq(expected), "{fence}");
    }
    for fence in ["", "fence.mbarrier_init.release.cluster;"] {
        let fault = run.fault(&kernel(&body(fence))).to_string();
        assert!(
            fault.contains("races") || fault.contains("before it is written"),
            "{fault}"
        );
    }
}

/// A fence of initializations publishes the mbarrier, but not the completion of accesses to it.
#[test]
fn a_barrier_known_by_its_fence_is_not_invalidated_while_others_test_it() {
    let body = |order: &str| {
        format!(
            "@%p0 mbarrier.init.shared.b64 [barrier], 1; @%p0 fence.mbarrier_init.release.cluster;
             barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
             @%p0 mbarrier.arrive.shared.b64 _, [barrier];
             WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
             barrier.cluster.arrive.{order}.aligned; barrier.cluster.wait.acquire.aligned;
             @%p0 mbarrier.inval.shared.b64 [barrier];"
        )
    };
    let run = Run::new(64);
    run.words(&kernel(&body("release")));
    let fault = run.fault(&kernel(&body("relaxed"))).to_string();
    assert!(fault.contains("races with the read"), "{fault}");
}
