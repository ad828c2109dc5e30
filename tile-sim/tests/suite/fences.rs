//! Fences: what they order, between threads and with what goes around them.

use crate::support::{run_on, run_seeded_on};

/// Warp 1 waits for the flag of warp 0 and reads its data, 16 times.
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

/// Scopes that are wide enough for two warps of a block, as loads name them.
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

/// What one thread does stays in its order, whatever fence is in between.
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
