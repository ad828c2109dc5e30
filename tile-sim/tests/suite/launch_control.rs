//! Tests of `clusterlaunchcontrol`: running blocks take over the work of blocks that have not
//! begun.

use tile_sim::{Arg, Fault, FaultKind, Launch, Memory, Module, Options};

fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.8\n.target sm_100a\n.address_size 64\n\
         .visible .entry k(.param .u64 work, .param .u64 begun) {{\n\
         .shared .align 16 .b8 answer[16]; .shared .align 8 .b8 barrier[8];\n\
         .reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .b128 %q<2>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;\n\
         ld.param.u64 %d0, [work]; ld.param.u64 %d1, [begun]; setp.eq.u32 %p0, %r0, 0;\n\
         @%p0 red.global.add.u32 [%d1], 1; mov.u32 %r9, 0;\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

struct Setting {
    grid: [u32; 3],
    cluster: [u32; 3],
    threads: u32,
}

/// Returns how often each thread did the work of each block, and how many blocks began.
fn run(module: &Module, setting: &Setting, seed: u64) -> Result<(Vec<u32>, u32), Fault> {
    let blocks = setting.grid.iter().product::<u32>();
    let mut memory = Memory::new();
    let work = memory.alloc((blocks * setting.threads * 4) as usize, 16);
    let begun = memory.alloc(4, 16);
    let launch = Launch::new("k")
        .grid(setting.grid)
        .cluster(setting.cluster)
        .threads(setting.threads)
        .args([work, begun].map(Arg::from));
    let options = Options {
        seed,
        max_instructions: 1 << 22,
        ..Options::default()
    };
    crate::support::launch(module, &launch, &mut memory, &options)?;
    let words = |address| {
        let bytes = memory.bytes(address).expect("allocated").chunks_exact(4);
        bytes
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect::<Vec<_>>()
    };
    Ok((words(work), words(begun)[0]))
}

/// A block does its own work and then that of the blocks it cancels. A plain load and a plain store
/// count the block `%r1`, `%r2`, `%r3`, so that two blocks with the same work would race.
const WORK: &str = "mov.u32 %r5, %nctaid.x; mov.u32 %r6, %nctaid.y; mad.lo.u32 %r7, %r3, %r6, %r2;
     mad.lo.u32 %r7, %r7, %r5, %r1; mov.u32 %r8, %ntid.x; mad.lo.u32 %r7, %r7, %r8, %r0;
     mul.wide.u32 %d2, %r7, 4; add.u64 %d2, %d0, %d2;
     ld.global.u32 %r10, [%d2]; add.u32 %r10, %r10, 1; st.global.u32 [%d2], %r10;";

const ASK: &str = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [barrier];";

const WAIT: &str = "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [barrier], %r9; @!%p1 bra WAIT;";

const FIRST: &str =
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %q0;";

const LEAVE: &str = "@!%p2 bra END;";

const FENCE: &str = "fence.proxy.async.shared::cta;";

/// Returns a persistent kernel without clusters, built from these parts.
fn persistent(ask: &str, wait: &str, leave: &str, first: &str, fence: &str) -> Module {
    module(&format!(
        "@%p0 mbarrier.init.shared::cta.b64 [barrier], 1; bar.sync 0;
         NEXT: @!%p0 bra ASKED;
         mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [barrier], 16;
         {ask}
         ASKED: {WORK}
         {wait}
         ld.shared.b128 %q0, [answer]; xor.b32 %r9, %r9, 1;
         clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q0;
         {leave} {first} {fence} bar.sync 0; bra NEXT;
         END: ret;"
    ))
}

#[test]
fn each_part_is_worked_on_once_whoever_does_it() {
    let axes = "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %q0;
         clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r2, %q0;
         clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r3, %q0;";
    let generic = "cvt.u64.u32 %d3, answer; cvta.shared.u64 %d3, %d3; cvt.u64.u32 %d4, barrier; cvta.shared.u64 %d4, %d4;
         clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [%d3], [%d4];";
    let generic = generic
        .replace("cvt.u64.u32 %d3, answer", "mov.u64 %d3, answer")
        .replace("cvt.u64.u32 %d4, barrier", "mov.u64 %d4, barrier");
    let all_coordinates = FIRST.replace("_}", "%r20}");
    let some =
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, _, %r3, _}, %q0;
         clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r2, %q0;";
    for (ask, first) in [
        (ASK, FIRST),
        (ASK, axes),
        (ASK, &all_coordinates),
        (ASK, some),
        (generic.as_str(), FIRST),
    ] {
        let module = persistent(ask, WAIT, LEAVE, first, FENCE);
        let setting = Setting {
            grid: [5, 3, 4],
            cluster: [1; 3],
            threads: 48,
        };
        let mut all_begun = Vec::new();
        for seed in 0..30 {
            let (work, begun) =
                run(&module, &setting, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            assert!(
                work.iter().all(|&count| count == 1),
                "seed {seed}: {work:?}"
            );
            all_begun.push(begun);
        }
        // Without a seed, the first block does all the work; with a seed, the number of blocks
        // varies.
        assert_eq!(all_begun[0], 1);
        all_begun.sort_unstable();
        all_begun.dedup();
        assert!(all_begun.len() > 5, "{all_begun:?}");
        assert!(all_begun.iter().all(|&begun| begun <= 60));
    }
}

/// Returns a persistent kernel in which all blocks of a cluster receive the response and continue
/// with their part of the cancelled cluster.
fn persistent_clusters(fence: &str, meet: &str) -> Module {
    module(&format!(
        "@%p0 mbarrier.init.shared::cta.b64 [barrier], 1; @%p0 fence.mbarrier_init.release.cluster;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
         mov.u32 %r15, %cluster_ctaid.x; mov.u32 %r16, %cluster_ctarank;
         NEXT: @!%p0 bra ASKED;
         mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [barrier], 16;
         setp.ne.u32 %p3, %r16, 0; @%p3 bra ASKED;
         clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [barrier];
         ASKED: {WORK}
         {WAIT}
         ld.shared.b128 %q0, [answer]; xor.b32 %r9, %r9, 1;
         clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q0;
         @!%p2 bra END; {FIRST} add.u32 %r1, %r1, %r15; {fence} {meet} bra NEXT;
         END: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    ))
}

const MEET: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

const CLUSTERS: Setting = Setting {
    grid: [12, 2, 1],
    cluster: [3, 1, 1],
    threads: 32,
};

#[test]
fn all_blocks_of_a_cluster_get_the_response() {
    let module = persistent_clusters(FENCE, MEET);
    let mut all_begun = Vec::new();
    for seed in 0..20 {
        let (work, begun) =
            run(&module, &CLUSTERS, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        assert!(
            work.iter().all(|&count| count == 1),
            "seed {seed}: {work:?}"
        );
        assert_eq!(begun % 3, 0);
        all_begun.push(begun);
    }
    assert_eq!(all_begun[0], 3);
    assert!(all_begun.iter().any(|&begun| begun > 3));
}

const GRID: Setting = Setting {
    grid: [20, 1, 1],
    cluster: [1; 3],
    threads: 32,
};

fn fault(module: &Module, setting: &Setting) -> Fault {
    let faults = (0..20).filter_map(|seed| run(module, setting, seed).err());
    faults.into_iter().next().expect("some seed finds it")
}

#[test]
fn a_response_has_to_be_waited_for() {
    let fault = fault(&persistent(ASK, "", LEAVE, FIRST, FENCE), &GRID);
    assert!(
        matches!(fault.kind, FaultKind::PendingCopy { .. }),
        "{fault}"
    );
}

#[test]
fn a_cluster_waits_for_its_blocks_before_it_asks_again() {
    let fault = fault(&persistent_clusters(FENCE, ""), &CLUSTERS);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
}

#[test]
fn what_was_denied_has_no_first_block_and_is_not_asked_for_again() {
    let early = format!("{FIRST} {LEAVE}");
    let module = persistent(ASK, WAIT, &early, "", FENCE);
    let reported = fault(&module, &GRID);
    assert!(
        matches!(reported.kind, FaultKind::LaunchControl(_)),
        "{reported}"
    );
    assert!(
        reported.to_string().contains("no cluster was cancelled"),
        "{reported}"
    );
    // The loop continues after a denied request.
    let on = persistent(
        ASK,
        WAIT,
        "@!%p2 bra.uni AGAIN;",
        &format!("{FIRST} AGAIN:"),
        FENCE,
    );
    let reported = fault(&on, &GRID);
    assert!(
        reported
            .to_string()
            .contains("another request is undefined"),
        "{reported}"
    );
}

#[test]
fn other_bytes_are_no_response() {
    let body = "mov.b64 %d3, 5; mov.b128 %q0, {%d3, %d3};
         clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q0;";
    let fault = fault(&module(body), &GRID);
    assert!(fault.to_string().contains("not a response"), "{fault}");
}

#[test]
fn addresses_of_requests_are_in_the_block() {
    let ask = |response: &str, barrier: &str| {
        module(&format!(
            "@!%p0 bra END; mbarrier.init.shared::cta.b64 [barrier], 1; mov.u64 %d3, answer; cvta.shared.u64 %d3, %d3;
             mov.u64 %d4, barrier; cvta.shared.u64 %d4, %d4;
             mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [barrier], 16;
             clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [{response}], [{barrier}]; END: ret;"
        ))
    };
    for (response, barrier, says) in [
        ("%d0", "%d4", "not an address of shared memory"),
        ("%d3", "%d0", "not an address of shared memory"),
        ("%d3+8", "%d4", "misaligned"),
        ("%d3", "%d4", "no thread waits"),
    ] {
        let fault = fault(&ask(response, barrier), &GRID);
        assert!(fault.to_string().contains(says), "{fault}");
    }
}

#[test]
fn a_register_that_the_response_does_not_fill_has_no_value() {
    let first = "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, %r20}, %q0; add.u32 %r21, %r20, 1;";
    let fault = fault(&persistent(ASK, WAIT, LEAVE, first, FENCE), &GRID);
    assert!(
        matches!(fault.kind, FaultKind::UninitializedRegister { .. }),
        "{fault}"
    );
}
