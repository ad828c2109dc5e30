//! Tests of `mbarrier`s, bulk and tensor copies, and clusters.

use tile_sim::{
    Arg, Fault, Fill, Launch, Memory, Module, Options, Swizzle, TensorMap, TensorMapOptions,
    TensorType,
};

/// Returns a module with a kernel `k` whose parameters are two tensor maps and two addresses.
pub(crate) fn kernel(body: &str) -> Module {
    kernel_for("8.6", "sm_90a", body)
}

/// Returns the same module for another target.
pub(crate) fn kernel_for(version: &str, target: &str, body: &str) -> Module {
    let text = format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .visible .entry k(.param .align 64 .b8 source[128], .param .align 64 .b8 target[128],\n\
         .param .u64 from, .param .u64 to) {{\n\
         .shared .align 1024 .b8 tile[16384]; .shared .align 8 .b8 barrier[64];\n\
         .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<8>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.eq.u32 %p0, %r0, 0;\n\
         mov.b64 %d8, source; cvta.param.u64 %d8, %d8; mov.b64 %d9, target; cvta.param.u64 %d9, %d9;\
         ld.param.u64 %d0, [from]; ld.param.u64 %d1, [to];\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The line at which the body begins.
const FIRST: u32 = 10;

pub(crate) struct Run {
    pub(crate) launch: Launch,
    pub(crate) source: Option<TensorMap>,
    pub(crate) target: Option<TensorMap>,
    /// The words at `from`, and the number of words at `to`.
    pub(crate) from: Vec<u32>,
    pub(crate) to: usize,
}

impl Run {
    pub(crate) fn new(threads: u32) -> Self {
        Self {
            launch: Launch::new("k").threads(threads),
            source: None,
            target: None,
            from: (0..4096).map(|word| word * 3 + 1).collect(),
            to: 4096,
        }
    }

    /// Runs with many seeds and returns the words at `to`.
    pub(crate) fn words(&self, module: &Module) -> Vec<u32> {
        let mut first: Option<Vec<u32>> = None;
        for seed in 0..12 {
            let words = self
                .once(module, seed)
                .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            let first = first.get_or_insert_with(|| words.clone());
            assert_eq!(*first, words, "seed {seed}");
        }
        first.expect("there are seeds")
    }

    /// Returns the fault that some seed finds.
    pub(crate) fn fault(&self, module: &Module) -> Fault {
        let faults = (0..20).filter_map(|seed| self.once(module, seed).err());
        faults.into_iter().next().expect("no seed finds a fault")
    }

    pub(crate) fn once(&self, module: &Module, seed: u64) -> Result<Vec<u32>, Fault> {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = self
            .from
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let from = memory.alloc_with(&bytes, 128);
        let to = memory.alloc(self.to * 4, 128);
        let map = |map: Option<TensorMap>, address| match map {
            Some(map) => map.with_address(address).expect("aligned").to_bytes(),
            None => [0; 128],
        };
        let args = [
            Arg::bytes(&map(self.source, from)),
            Arg::bytes(&map(self.target, to)),
            Arg::from(from),
            Arg::from(to),
        ];
        let launch = self.launch.clone().args(args);
        let options = Options {
            seed,
            max_instructions: 1 << 20,
            ..Options::default()
        };
        crate::support::launch(module, &launch, &mut memory, &options)?;
        let bytes = memory.bytes(to).expect("allocated");
        let words = bytes.chunks_exact(4);
        Ok(words
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect())
    }
}

/// Returns a map of 64 rows of 64 words, in boxes of 16 by 32 words.
fn matrix(swizzle: Swizzle) -> TensorMap {
    let options = TensorMapOptions {
        swizzle,
        ..TensorMapOptions::default()
    };
    let columns = if swizzle == Swizzle::None { 32 } else { 16 };
    TensorMap::tiled(
        TensorType::UInt32,
        0,
        &[64, 64],
        &[256],
        &[columns, 32],
        &[1, 1],
        options,
    )
    .expect("a map")
}

/// One thread initializes the mbarrier for the block.
const INIT: &str = "@%p0 mbarrier.init.shared.b64 [barrier], 1; bar.sync 0;";

fn load_and_wait(bytes: u32) -> String {
    format!(
        "@!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 %d2, [barrier], {bytes};
         cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
           [tile], [%d8, {{16, 4}}], [barrier];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;"
    )
}

/// Each of 128 threads copies 4 words of the tile to `to`.
const OUT: &str = "mul.wide.u32 %d3, %r0, 16; mov.u64 %d4, tile; add.u64 %d4, %d4, %d3;
     ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%d4]; add.u64 %d5, %d1, %d3;
     st.global.v4.u32 [%d5], {%r4, %r5, %r6, %r7};";

#[test]
fn a_tile_is_loaded_when_its_barrier_says_so() {
    let module = kernel(&format!("{INIT} {} {OUT}", load_and_wait(2048)));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let words = run.words(&module);
    // Rows have 64 bytes; the swizzle exchanges 16-byte chunks within lines of 128 bytes.
    for row in 0..32 {
        for column in 0..16 {
            let offset = row * 64 + column * 4;
            let offset = offset ^ (offset >> 7 & 3) << 4;
            let value = run.from[(row + 4) * 64 + 16 + column];
            assert_eq!(words[offset / 4], value, "row {row}, column {column}");
        }
    }
}

#[test]
fn a_tile_is_not_there_before_the_wait() {
    let without = load_and_wait(2048).replace("@!%p1 bra WAIT;", "");
    let module = kernel(&format!("{INIT} {without} {OUT}"));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let fault = run.fault(&module).to_string();
    // If the reader comes first, it reads uninitialized memory.
    let named = [
        "accessed before the copy of line",
        "read before it is written",
    ];
    assert!(
        named.iter().any(|message| fault.contains(message)),
        "{fault}"
    );
}

#[test]
fn bytes_that_never_come_are_named() {
    let module = kernel(&format!("{INIT} {} {OUT}", load_and_wait(4096)));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let fault = run.fault(&module).to_string();
    assert!(
        fault.contains("phase 0 of the mbarrier at 0x4000 lacks 0 arrivals and 2048 bytes"),
        "{fault}"
    );
}

#[test]
fn bytes_that_nobody_expects_are_named() {
    let module = kernel(&format!("{INIT} {} {OUT}", load_and_wait(1024)));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let fault = run.fault(&module).to_string();
    // The phase completes before some of the bytes arrive, or does not complete.
    assert!(
        fault.contains("lacks 0 arrivals and -1024 bytes"),
        "{fault}"
    );
}

#[test]
fn a_barrier_that_is_not_there_is_named() {
    let without = INIT.replace("mbarrier.init.shared.b64 [barrier], 1", "mov.u32 %r2, 1");
    let module = kernel(&format!("{without} {} {OUT}", load_and_wait(2048)));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let fault = run.fault(&module).to_string();
    assert!(
        fault.contains("shared memory at 0x4000 is read before it is written"),
        "{fault}"
    );
    let twice = format!("{INIT} {INIT} {}", load_and_wait(2048));
    let fault = run.fault(&kernel(&twice)).to_string();
    assert!(
        fault.contains("initialized again without `mbarrier.inval`"),
        "{fault}"
    );
}

#[test]
fn other_threads_must_know_of_the_initialization() {
    let module = kernel(&format!(
        "{} {}",
        INIT.replace("bar.sync 0;", ""),
        load_and_wait(2048)
    ));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    let fault = run.fault(&module).to_string();
    assert!(
        fault.contains("mbarrier at 0x4000")
            || fault.contains("races")
            || fault.contains("before it is written"),
        "{fault}"
    );
}

/// Returns instructions with which threads write the tile and one of them stores it.
fn store(fence: &str, wait: &str) -> String {
    format!(
        "mul.wide.u32 %d3, %r0, 16; mov.u64 %d4, tile; add.u64 %d4, %d4, %d3;
         st.shared.v4.u32 [%d4], {{%r0, %r0, %r0, 7}};
         {fence} bar.sync 0; @!%p0 bra END;
         cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d9, {{-2, 60}}], [tile];
         cp.async.bulk.commit_group; {wait} END: ret;"
    )
}

#[test]
fn a_tile_is_stored_where_the_tensor_is() {
    let module = kernel(&store(
        "fence.proxy.async.shared::cta;",
        "cp.async.bulk.wait_group.read 0;",
    ));
    let mut run = Run::new(256);
    run.target = Some(matrix(Swizzle::None));
    let words = run.words(&module);
    for (index, &word) in words.iter().enumerate() {
        let (row, column) = (index / 64, index % 64);
        let expected = if row >= 60 && column < 30 {
            let word = (row - 60) * 32 + column + 2;
            if word % 4 == 3 { 7 } else { word as u32 / 4 }
        } else {
            0
        };
        assert_eq!(word, expected, "row {row}, column {column}");
    }
}

#[test]
fn a_store_without_a_proxy_fence_or_a_wait_is_named() {
    let mut run = Run::new(256);
    run.target = Some(matrix(Swizzle::None));
    let fault = run.fault(&kernel(&store("", "cp.async.bulk.wait_group.read 0;")));
    assert!(
        fault.to_string().contains("without a `fence.proxy.async`"),
        "{fault}"
    );
    let fault = run.fault(&kernel(&store("fence.proxy.async;", "")));
    assert!(
        fault
            .to_string()
            .contains("`cp.async.bulk.wait_group.read 0`"),
        "{fault}"
    );
    let overwritten = store(
        "fence.proxy.async;",
        "st.shared.u32 [tile+64], 1; cp.async.bulk.wait_group 0;",
    );
    let fault = run.fault(&kernel(&overwritten));
    assert!(fault.to_string().contains("still reads it"), "{fault}");
}

#[test]
fn tiles_are_added_to_a_tensor() {
    let add = store("fence.proxy.async;", "cp.async.bulk.wait_group 0;")
        .replace(
            "cp.async.bulk.tensor.2d.global.shared::cta",
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add",
        )
        .replace("{-2, 60}", "{0, 0}");
    let module = kernel(&add);
    let mut run = Run::new(256);
    run.launch = run.launch.grid([5, 1, 1]);
    run.target = Some(matrix(Swizzle::None));
    let words = run.words(&module);
    assert_eq!(words[..5], [0, 0, 0, 35, 5]);
    assert_eq!(words[64 * 31..64 * 31 + 4], [5 * 248, 5 * 248, 5 * 248, 35]);
    assert_eq!(words[32], 0);
}

#[test]
fn adjacent_bytes_are_copied_and_reduced() {
    let module = kernel(
        "@!%p0 bra END;
         mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster;
         fence.proxy.async;
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], 64, [barrier];
         mbarrier.arrive.expect_tx.shared.b64 %d2, [barrier], 64;
         WAIT: mbarrier.test_wait.shared.b64 %p1, [barrier], %d2; @!%p1 bra WAIT;
         cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 64;
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
         cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%d1], [tile+16], 32;
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
         ld.global.u32 %r3, [%d1+4]; st.global.u32 [%d1+128], %r3;
         END: ret;",
    );
    let run = Run::new(32);
    let words = run.words(&module);
    assert_eq!(words[..8], run.from[4..12]);
    assert_eq!(words[8..16], run.from[8..16]);
    assert_eq!(words[32], run.from[5]);
    let odd = "@!%p0 bra END; mbarrier.init.shared.b64 [barrier], 1; mov.u32 %r2, 24;
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], %r2, [barrier];
         END: ret;";
    let fault = run.fault(&kernel(odd)).to_string();
    assert!(
        fault.contains("24 bytes are not a multiple of 16"),
        "{fault}"
    );
}

#[test]
fn producers_and_consumers_share_a_ring() {
    // Warp 0 loads 32 tiles of 64 bytes through 3 stages; warp 1 adds them.
    let module = kernel(
        "@!%p0 bra READY;
         mbarrier.init.shared.b64 [barrier], 1; mbarrier.init.shared.b64 [barrier+8], 1;
         mbarrier.init.shared.b64 [barrier+16], 1; mbarrier.init.shared.b64 [barrier+24], 32;
         mbarrier.init.shared.b64 [barrier+32], 32; mbarrier.init.shared.b64 [barrier+40], 32;
         READY: bar.sync 0;
         mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0;
         setp.ge.u32 %p2, %r0, 32; @%p2 bra CONSUMER;
         @!%p0 bra END;
         PRODUCER: xor.b32 %r6, %r4, 1; mad.lo.u32 %r7, %r3, 8, barrier; mad.lo.u32 %r8, %r3, 1024, tile;
         EMPTY: mbarrier.try_wait.parity.shared.b64 %p1, [%r7+24], %r6; @!%p1 bra EMPTY;
         mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 128;
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%d0], 128, [%r7];
         add.u64 %d0, %d0, 128; add.u32 %r2, %r2, 1; add.u32 %r3, %r3, 1;
         setp.eq.u32 %p3, %r3, 3; selp.u32 %r3, 0, %r3, %p3; @%p3 xor.b32 %r4, %r4, 1;
         setp.lt.u32 %p3, %r2, 32; @%p3 bra PRODUCER; bra END;
         CONSUMER: mad.lo.u32 %r7, %r3, 8, barrier; mad.lo.u32 %r8, %r3, 1024, tile;
         sub.u32 %r9, %r0, 32; mad.lo.u32 %r8, %r9, 4, %r8;
         FULL: mbarrier.try_wait.parity.shared.b64 %p1, [%r7], %r4; @!%p1 bra FULL;
         ld.shared.u32 %r10, [%r8]; add.u32 %r5, %r5, %r10;
         mbarrier.arrive.shared.b64 _, [%r7+24];
         add.u32 %r2, %r2, 1; add.u32 %r3, %r3, 1;
         setp.eq.u32 %p3, %r3, 3; selp.u32 %r3, 0, %r3, %p3; @%p3 xor.b32 %r4, %r4, 1;
         setp.lt.u32 %p3, %r2, 32; @%p3 bra CONSUMER;
         mul.wide.u32 %d3, %r9, 4; add.u64 %d3, %d1, %d3; st.global.u32 [%d3], %r5;
         END: ret;",
    );
    let run = Run::new(64);
    let words = run.words(&module);
    for (lane, &word) in words[..32].iter().enumerate() {
        let sum: u32 = (0..32).map(|tile| run.from[tile * 32 + lane]).sum();
        assert_eq!(word, sum, "lane {lane}");
    }
}

#[test]
fn a_tile_is_loaded_for_all_blocks_of_a_cluster() {
    // Every block waits at its own mbarrier for data that block 0 loads for both.
    let module = kernel(&format!(
        "@%p0 mbarrier.init.shared.b64 [barrier], 1;
         fence.mbarrier_init.release.cluster;
         barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
         @!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 2048;
         setp.ne.u32 %p2, %r1, 0; @%p2 bra WAIT;
         cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
           [tile], [%d8, {{16, 4}}], [barrier], 3;
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         mul.wide.u32 %d6, %r1, 2048; add.u64 %d1, %d1, %d6; {OUT}
         barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
    ).replace(", 3;", ", %h1;").replace("fence.mbarrier_init", "mov.b16 %h1, 3; fence.mbarrier_init"));
    let mut run = Run::new(128);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    run.source = Some(matrix(Swizzle::Bytes64));
    let words = run.words(&module);
    assert_eq!(words[..512], words[512..1024]);
    assert_eq!(words[0], run.from[4 * 64 + 16]);
}

#[test]
fn blocks_know_that_a_barrier_is_initialized() {
    // The barrier is relaxed, and the fence publishes the mbarrier (PTX ISA, "barrier.cluster").
    let body = |fence: &str| {
        kernel(&format!(
            "@%p0 mbarrier.init.shared.b64 [barrier], 1; {fence}
             barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
             xor.b32 %r2, %r1, 1; mapa.shared::cluster.u32 %r4, barrier, %r2;
             @%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
             WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
             barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
        ))
    };
    let mut run = Run::new(32);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    run.words(&body("@%p0 fence.mbarrier_init.release.cluster;"));
    run.words(&body("fence.acq_rel.cluster;"));
    let fault = run.fault(&body("")).to_string();
    assert!(fault.contains("races"), "{fault}");
    // The fence covers only initializations of its own thread.
    let other = "setp.eq.u32 %p2, %r0, 1; @%p2 fence.mbarrier_init.release.cluster;";
    let fault = run.fault(&body(other)).to_string();
    assert!(fault.contains("races"), "{fault}");
}

/// Returns a kernel in which blocks of a cluster load tiles with `copy` and signal the mbarriers of
/// even blocks, which wait for `bytes`. A block computes the address in its even block by clearing
/// bit 24, as CUTLASS and Triton do.
fn pairs(copy: &str, bytes: u32) -> Module {
    let text = format!(
        "@%p0 mbarrier.init.shared.b64 [barrier], 1; mov.b16 %h1, 15;
         fence.mbarrier_init.release.cluster;
         barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
         mov.u32 %r9, barrier; and.b32 %r10, %r9, 0xfeffffff; and.b32 %r11, %r1, 2;
         mapa.shared::cluster.u32 %r12, barrier, %r11; setp.ne.u32 %p2, %r10, %r12; @%p2 trap;
         mul.lo.u32 %r8, %r1, 16; and.b32 %r13, %r1, 1; setp.eq.u32 %p3, %r13, 1;
         @!%p0 bra WAIT;
         @!%p3 mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {bytes};
         {copy}
         WAIT: @%p3 bra END;
         TEST: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [barrier], 0;
         @!%p1 bra TEST;
         END: barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
         mul.wide.u32 %d6, %r1, 2048; add.u64 %d1, %d1, %d6; {OUT}"
    );
    kernel_for("8.6", "sm_100a", &text)
}

/// Returns a launch of a cluster with two pairs.
fn run_of_pairs() -> Run {
    let mut run = Run::new(128);
    run.launch = run.launch.grid([4, 1, 1]).cluster([4, 1, 1]);
    run.source = Some(matrix(Swizzle::Bytes64));
    run
}

#[test]
fn pairs_of_blocks_share_a_barrier() {
    // Triton's order of the modifiers.
    let copy =
        "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes
         [tile], [%d8, {%r8, 4}], [%r10];";
    let run = run_of_pairs();
    let words = run.words(&pairs(copy, 4096));
    for (block, part) in words.chunks(512).take(4).enumerate() {
        assert_eq!(part[0], run.from[4 * 64 + 16 * block], "block {block}");
    }
    let complaint = |copy: &str| run.fault(&pairs(copy, 4096)).to_string();
    let single = complaint(&copy.replace("::2.", "::1."));
    let message = "the mbarrier is not in the block that receives the bytes";
    assert!(single.contains(message), "{single}");
    let far = complaint(&copy.replace("cp.async", "xor.b32 %r10, %r10, 0x6000000; cp.async"));
    let message = "the mbarrier is not in the pair of blocks that receives the bytes";
    assert!(far.contains(message), "{far}");
}

#[test]
fn of_each_pair_that_gets_a_copy_one_block_is_told() {
    // Block 1 loads for all four blocks; the mbarrier that it names is in an even block.
    let copy = "setp.ne.u32 %p2, %r1, 1;
         @!%p2 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2
           [tile], [%d8, {%r8, 4}], [%r10], %h1;";
    let run = run_of_pairs();
    let words = run.words(&pairs(copy, 4096));
    for (block, part) in words.chunks(512).take(4).enumerate() {
        assert_eq!(part[0], run.from[4 * 64 + 16], "block {block}");
    }
    // Without pairs, every block is signaled.
    let fault = run.fault(&pairs(&copy.replace(".cta_group::2", ""), 4096));
    assert!(fault.to_string().contains("mbarrier"), "{fault}");
}

#[test]
fn rows_are_gathered_and_scattered_by_their_numbers() {
    // 64 rows of 64 words, loaded as rows of 32; row 64 is out of bounds.
    let rows = TensorMap::tiled(
        TensorType::UInt32,
        0,
        &[64, 64],
        &[256],
        &[32, 1],
        &[1, 1],
        TensorMapOptions::default(),
    );
    let body = |gather: &str, scatter: &str| {
        format!(
        "{INIT} mov.u32 %r10, 16; mov.u32 %r11, 5; mov.u32 %r12, 63; mov.u32 %r13, 64; mov.u32 %r14, 0;
         mov.u32 %r15, 0; mov.u32 %r16, 7; mov.u32 %r17, 1;
         @!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 512;
         cp.async.bulk.tensor.2d{gather}.mbarrier::complete_tx::bytes
           [tile], [%d8, {{%r10, %r11, %r12, %r13, %r14}}], [barrier];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         @!%p0 bra END;
         cp.async.bulk.tensor.2d{scatter}.bulk_group
           [%d9, {{%r15, %r16, %r17, %r13, %r11}}], [tile];
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END:"
    )
    };
    let mut run = Run::new(32);
    run.source = Some(rows.expect("a map"));
    run.target = run.source;
    for (gather, scatter) in [
        (
            ".shared::cta.global.tile::gather4",
            ".global.shared::cta.tile::scatter4",
        ),
        // Triton's order.
        (
            ".tile::gather4.shared::cta.global",
            ".tile::scatter4.global.shared::cta",
        ),
    ] {
        let words = run.words(&kernel_for("8.6", "sm_100a", &body(gather, scatter)));
        for column in 0..32 {
            assert_eq!(words[7 * 64 + column], run.from[5 * 64 + 16 + column]);
            assert_eq!(words[64 + column], run.from[63 * 64 + 16 + column]);
            assert_eq!(words[5 * 64 + column], run.from[16 + column]);
        }
    }
}

#[test]
fn modifiers_of_tensor_copies_stand_in_any_order() {
    let parse = |copy: &str| {
        Module::parse(&format!(
            ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {{\n\
         .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .align 128 .b8 s[128];\n{copy}\n}}\n"
        ))
    };
    let rows = "[%d1, {%r1, %r2, %r3, %r4, %r5}]";
    for copy in [
        format!(
            "cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes [s], {rows}, [s];"
        ),
        format!(
            "cp.async.bulk.tensor.2d.mbarrier::complete_tx::bytes.shared::cta.tile::gather4.global [s], {rows}, [s];"
        ),
        format!(
            "cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group {rows}, [s];"
        ),
        format!(
            "cp.async.bulk.tensor.2d.bulk_group.global.shared::cta.tile::scatter4 {rows}, [s];"
        ),
        format!("cp.async.bulk.prefetch.tensor.2d.tile::gather4.global.L2 {rows};"),
        "cp.reduce.async.bulk.tensor.1d.bulk_group.add.global.tile.shared::cta [%d1, {%r1}], [s];"
            .into(),
    ] {
        parse(&copy).unwrap_or_else(|error| panic!("{copy}: {error}"));
    }
    for (copy, why) in [
        (
            format!(
                "cp.async.bulk.tensor.2d.global.shared::cta.tile::gather4.mbarrier::complete_tx::bytes [s], {rows}, [s];"
            ),
            "tile::gather4",
        ),
        (
            format!(
                "cp.async.bulk.tensor.2d.tile.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes [s], {rows}, [s];"
            ),
            "tile::gather4",
        ),
        (
            format!("cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global [s], {rows}, [s];"),
            "a modifier is missing",
        ),
    ] {
        let error = parse(&copy)
            .err()
            .unwrap_or_else(|| panic!("{copy}: taken"));
        assert!(error.to_string().contains(why), "{copy}: {error}");
    }
}

#[test]
fn blocks_of_a_cluster_store_into_each_other() {
    // Each thread sends its number to the other block, which waits for 32 words.
    let body = "@%p0 mbarrier.init.shared.b64 [barrier], 1;
         fence.mbarrier_init.release.cluster;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 128;
         xor.b32 %r2, %r1, 1; mad.lo.u32 %r3, %r0, 4, tile;
         mapa.shared::cluster.u32 %r3, %r3, %r2; mapa.shared::cluster.u32 %r4, barrier, %r2;
         getctarank.shared::cluster.u32 %r7, %r4;
         mad.lo.u32 %r5, %r1, 100, %r0;
         st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3], %r5, [%r4];
         WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         mad.lo.u32 %r3, %r0, 4, tile; ld.shared.u32 %r6, [%r3];
         mad.lo.u32 %r6, %r7, 1000, %r6;
         mad.lo.u32 %r8, %r1, 32, %r0; mul.wide.u32 %d3, %r8, 4; add.u64 %d3, %d1, %d3;
         st.global.u32 [%d3], %r6;";
    let end = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    let module = kernel(&format!("{body} {end}"));
    let mut run = Run::new(32);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    let words = run.words(&module);
    for lane in 0..32 {
        assert_eq!(words[lane], 1100 + lane as u32);
        assert_eq!(words[32 + lane], lane as u32);
    }
    // One block does not arrive at the cluster barrier.
    let alone = kernel(
        "setp.eq.u32 %p2, %r1, 1; @%p2 bra WAIT;
        barrier.cluster.arrive; WAIT: barrier.cluster.wait;",
    );
    let fault = run.fault(&alone).to_string();
    assert!(
        fault.contains("without a preceding `barrier.cluster.arrive`"),
        "{fault}"
    );
}

#[test]
fn registers_go_from_producers_to_consumers() {
    let module = |give: u32, take: u32| {
        kernel(&format!(
            "setp.lt.u32 %p2, %r0, 128; @%p2 bra GIVE;
             setmaxnreg.inc.sync.aligned.u32 {take}; bra END;
             GIVE: setmaxnreg.dec.sync.aligned.u32 {give}; bar.warp.sync -1; END: ret;"
        ))
    };
    let run = Run::new(384);
    run.words(&module(40, 232));
    // Producers that exit release their registers; the consumers wait for them here.
    let fault = run
        .fault(&kernel(
            "setp.lt.u32 %p2, %r0, 128; @%p2 bra GIVE;
             setmaxnreg.inc.sync.aligned.u32 240; bar.sync 1, 384; bra END;
             GIVE: setmaxnreg.dec.sync.aligned.u32 40; bar.sync 1, 384; END: ret;",
        ))
        .to_string();
    assert!(
        fault.contains("barrier") || fault.contains("`setmaxnreg` requests 240"),
        "{fault}"
    );
    let fault = run.fault(&module(240, 232)).to_string();
    assert!(
        fault.contains("`setmaxnreg.dec` to 240 while the warp has 168"),
        "{fault}"
    );
}

#[test]
fn a_kernel_makes_its_own_tensor_map() {
    // Fills a zeroed map in shared memory field by field, as Triton does.
    let module = kernel(&format!(
        "{INIT} setp.ge.u32 %p3, %r0, 32; @%p3 bra MADE;
         mad.lo.u32 %r2, %r0, 4, tile; st.shared.u32 [%r2], 0; bar.warp.sync -1;
         @!%p0 bra COPY;
         tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], %d0;
         tensormap.replace.tile.rank.shared::cta.b1024.b32 [tile], 1;
         tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 0, 16;
         tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 1, 32;
         tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 0, 64;
         tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 1, 64;
         tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [tile], 0, 256;
         tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [tile], 0, 1;
         tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [tile], 1, 1;
         tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [tile], 2;
         tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [tile], 0;
         tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [tile], 2;
         tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [tile], 0;
         COPY: bar.warp.sync -1; add.u64 %d7, %d1, 4096;
         tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
           [%d7], [tile], 128;
         MADE: bar.sync 0; add.u64 %d7, %d1, 4096;
         fence.proxy.tensormap::generic.acquire.gpu [%d7], 128;
         {} {OUT}",
        load_and_wait(2048).replace("[%d8,", "[%d7,")
    ));
    let run = Run::new(128);
    let words = run.words(&module);
    assert_eq!(words[0], run.from[4 * 64 + 16]);
    let module = kernel(
        "@%p0 mov.u32 %r2, 0; @%p0 cp.async.bulk.prefetch.tensor.2d.L2.global [%d9, {0, 0}];",
    );
    let fault = run.fault(&module).to_string();
    assert!(
        fault.contains("these bytes are not a tensor map"),
        "{fault}"
    );
    assert_eq!(run.fault(&module).line, FIRST);
}

#[test]
fn maps_are_found_through_generic_addresses_of_parameters() {
    let through = load_and_wait(2048).replace("[%d8,", "[%d7,");
    let module = kernel(&format!(
        "mov.b64 %d7, source; cvta.param.u64 %d7, %d7; prefetch.tensormap [%d7]; {INIT} {through} {OUT}"
    ));
    let mut run = Run::new(128);
    run.source = Some(matrix(Swizzle::Bytes64));
    assert_eq!(run.words(&module)[0], run.from[4 * 64 + 16]);
}

#[test]
fn copies_of_threads_arrive_at_a_barrier() {
    let module = kernel(
        "@%p0 mbarrier.init.shared.b64 [barrier], 32; bar.sync 0;
         mul.wide.u32 %d3, %r0, 16; add.u64 %d4, %d0, %d3; mad.lo.u32 %r2, %r0, 16, tile;
         cp.async.cg.shared.global [%r2], [%d4], 16;
         cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         xor.b32 %r2, %r2, 64; ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
         add.u64 %d5, %d1, %d3; st.global.v4.u32 [%d5], {%r4, %r5, %r6, %r7};",
    );
    let run = Run::new(32);
    let words = run.words(&module);
    assert_eq!(words[..4], run.from[16..20]);
    let counted = "@%p0 mbarrier.init.shared.b64 [barrier], 1; bar.warp.sync -1;
         mad.lo.u32 %r2, %r0, 16, tile; mul.wide.u32 %d3, %r0, 16; add.u64 %d4, %d0, %d3;
         cp.async.cg.shared.global [%r2], [%d4], 16;
         cp.async.mbarrier.arrive.shared.b64 [barrier]; bar.warp.sync -1;
         @%p0 mbarrier.arrive.shared.b64 _, [barrier];
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         ld.shared.u32 %r4, [%r2]; mul.wide.u32 %d3, %r0, 4; add.u64 %d5, %d1, %d3; st.global.u32 [%d5], %r4;";
    let words = run.words(&kernel(counted));
    assert_eq!(words[31], run.from[31 * 4]);
}

#[test]
fn what_is_outside_of_a_tensor_is_filled() {
    let options = TensorMapOptions {
        fill: Fill::NanRequestZeroFma,
        ..TensorMapOptions::default()
    };
    let map = TensorMap::tiled(
        TensorType::Float32,
        0,
        &[20, 6],
        &[80 + 16],
        &[16, 32],
        &[1, 1],
        options,
    );
    let module = kernel(&format!("{INIT} {} {OUT}", load_and_wait(2048)));
    let mut run = Run::new(128);
    run.source = Some(map.expect("a map"));
    let words = run.words(&module);
    assert_eq!(words[0], run.from[4 * 24 + 16]);
    assert_eq!(words[3], run.from[4 * 24 + 19]);
    assert_eq!(words[4], 0x7fff_ffff);
    assert_eq!(words[16], run.from[5 * 24 + 16]);
    assert_eq!(words[32], 0x7fff_ffff);
}

#[test]
fn a_copy_of_a_thread_may_ignore_its_source() {
    let module = kernel(
        "mul.wide.u32 %d3, %r0, 16; add.u64 %d4, %d0, %d3; mad.lo.u32 %r2, %r0, 16, tile;
         and.b32 %r3, %r0, 1; setp.eq.u32 %p2, %r3, 1;
         createpolicy.fractional.L2::evict_first.b64 %d7, 1.0;
         cp.async.cg.shared.global.L2::cache_hint [%r2], [%d4], 16, !%p2, %d7;
         cp.async.wait_all; ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
         add.u64 %d5, %d1, %d3; st.global.v4.u32 [%d5], {%r4, %r5, %r6, %r7};",
    );
    let run = Run::new(32);
    let words = run.words(&module);
    assert_eq!(words[..4], [0; 4]);
    assert_eq!(words[4..8], run.from[4..8]);
}
