//! Compares counters with values that were computed by hand from the models of `SectorTraffic` and
//! `BankTraffic`.
//!
//! `a` and `d` each point to 1024 words, aligned to 128 bytes; `%r0` is the index of the thread.

use tile_sim::{BankTraffic, Counters, Family, SectorTraffic};

use crate::support::run;

/// Runs a block of `threads` threads.
fn count(body: &str, threads: u32) -> Counters {
    let body = format!("mov.u32 %r0, %tid.x; ld.param.u64 %d0, [a]; ld.param.u64 %d9, [d]; {body}");
    let (_, counters) = run(&body, threads, 8192).unwrap_or_else(|fault| panic!("{body}: {fault}"));
    counters
}

fn sectors(requests: u64, sectors: u64, bytes: u64) -> SectorTraffic {
    SectorTraffic {
        requests,
        sectors,
        bytes,
    }
}

fn banks(requests: u64, wavefronts: u64, bank_conflicts: u64, bytes: u64) -> BankTraffic {
    BankTraffic {
        requests,
        wavefronts,
        bank_conflicts,
        bytes,
    }
}

/// Executes a load by one warp from `a` plus the byte offset that `offset` leaves in `%r1`.
fn load(offset: &str, access: &str) -> SectorTraffic {
    let body = format!("{offset} cvt.u64.u32 %d1, %r1; add.u64 %d0, %d0, %d1; {access}");
    count(&body, 32).global.loads
}

const WORD: &str = "ld.global.u32 %r2, [%d0];";

#[test]
fn a_coalesced_load_moves_what_it_asks_for() {
    // Lane l at 4l: bytes 0 to 127 = 4 sectors of 32.
    let traffic = load("shl.b32 %r1, %r0, 2;", WORD);
    assert_eq!(traffic, sectors(1, 4, 128));
    assert_eq!(traffic.efficiency(), Some(1.0));
}

#[test]
fn a_load_of_one_word_by_all_lanes_moves_one_sector() {
    // 1 sector, of which 4 of 32 bytes are used.
    let traffic = load("mov.u32 %r1, 0;", WORD);
    assert_eq!(traffic, sectors(1, 1, 4));
    assert_eq!(traffic.efficiency(), Some(0.125));
}

#[test]
fn a_stride_of_two_words_halves_the_efficiency() {
    // Lane l at 8l: up to byte 31 * 8 + 3 = 251, so 8 sectors; 128 of 256 bytes.
    let traffic = load("shl.b32 %r1, %r0, 3;", WORD);
    assert_eq!(traffic, sectors(1, 8, 128));
    assert_eq!(traffic.efficiency(), Some(0.5));
}

#[test]
fn a_stride_of_a_sector_moves_one_for_each_lane() {
    // Lane l at 32l: 32 sectors for 128 bytes; wider strides move no more.
    assert_eq!(load("shl.b32 %r1, %r0, 5;", WORD), sectors(1, 32, 128));
    assert_eq!(load("shl.b32 %r1, %r0, 6;", WORD), sectors(1, 32, 128));
}

#[test]
fn a_load_that_begins_within_a_sector_moves_one_more() {
    // Bytes 4 to 131: sectors 0 to 4.
    assert_eq!(
        load("shl.b32 %r1, %r0, 2; add.u32 %r1, %r1, 4;", WORD),
        sectors(1, 5, 128)
    );
}

#[test]
fn the_order_of_lanes_does_not_matter() {
    // Lane l at 4 * (31 - l), the same 4 sectors.
    assert_eq!(
        load("sub.u32 %r1, 31, %r0; shl.b32 %r1, %r1, 2;", WORD),
        sectors(1, 4, 128)
    );
    // Lane l at 4 * (7l mod 32): 7 is odd, so all 32 words.
    assert_eq!(
        load(
            "mul.lo.u32 %r1, %r0, 7; and.b32 %r1, %r1, 31; shl.b32 %r1, %r1, 2;",
            WORD
        ),
        sectors(1, 4, 128)
    );
}

#[test]
fn vectors_move_as_many_times_more() {
    // 8 bytes each: 256 bytes = 8 sectors. 16 each: 512 = 16 sectors. One request.
    let two = "ld.global.v2.u32 {%r2,%r3}, [%d0];";
    assert_eq!(load("shl.b32 %r1, %r0, 3;", two), sectors(1, 8, 256));
    let four = "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d0];";
    assert_eq!(load("shl.b32 %r1, %r0, 4;", four), sectors(1, 16, 512));
    // Every other 16 bytes: half of each of 32 sectors.
    assert_eq!(load("shl.b32 %r1, %r0, 5;", four), sectors(1, 32, 512));
}

#[test]
fn small_elements_share_sectors() {
    // 32 * 1 byte = 1 sector, 32 * 2 bytes = 2 sectors.
    assert_eq!(
        load("mov.u32 %r1, %r0;", "ld.global.u8 %r2, [%d0];"),
        sectors(1, 1, 32)
    );
    assert_eq!(
        load("shl.b32 %r1, %r0, 1;", "ld.global.u16 %h2, [%d0];"),
        sectors(1, 2, 64)
    );
}

#[test]
fn lanes_that_a_guard_leaves_out_move_nothing() {
    // Lanes 0 to 9: 40 bytes, sectors 0 and 1.
    let guarded = "setp.lt.u32 %p1, %r0, 10; @%p1 ld.global.u32 %r2, [%d0];";
    assert_eq!(load("shl.b32 %r1, %r0, 2;", guarded), sectors(1, 2, 40));
    // No lane: no request.
    let none = "setp.lt.u32 %p1, %r0, 0; @%p1 ld.global.u32 %r2, [%d0];";
    assert_eq!(load("shl.b32 %r1, %r0, 2;", none), sectors(0, 0, 0));
}

#[test]
fn stores_and_warps_are_counted_apart() {
    // 80 threads: warps of 32, 32 and 16 lanes: 4 + 4 + 2 sectors.
    let counters = count(
        "mul.wide.u32 %d1, %r0, 4; add.u64 %d9, %d9, %d1; st.global.u32 [%d9], %r0;",
        80,
    );
    assert_eq!(counters.global.stores, sectors(3, 10, 320));
    assert_eq!(counters.global.loads, SectorTraffic::default());
}

#[test]
fn atomics_on_global_memory() {
    // All lanes add to one word: 1 sector, 4 bytes, 32 operations.
    let one = count("red.global.add.u32 [%d9], 1;", 32);
    assert_eq!(one.global.atomics, sectors(1, 1, 4));
    assert_eq!((one.atomics.global, one.atomics.shared), (32, 0));
    // Each lane adds to its own word: 128 bytes, 4 sectors.
    let counts = count(
        "mul.wide.u32 %d1, %r0, 4; add.u64 %d9, %d9, %d1; atom.global.add.u32 %r2, [%d9], 1;",
        32,
    );
    assert_eq!(counts.global.atomics, sectors(1, 4, 128));
    assert_eq!(counts.global.loads, SectorTraffic::default());
}

#[test]
fn local_memory_is_interleaved_by_words() {
    // Word 0 of 32 lanes is contiguous: 128 bytes, 4 sectors.
    let same = count(
        ".local .align 16 .b8 own[256]; mov.u32 %r1, own; st.local.u32 [%r1], %r0; ld.local.u32 %r2, [%r1];",
        32,
    );
    assert_eq!(same.local.stores, sectors(1, 4, 128));
    assert_eq!(same.local.loads, sectors(1, 4, 128));
    // Word l of lane l: 32 rows of 128 bytes, one sector of each.
    let counts = count(
        ".local .align 16 .b8 own[256]; mov.u32 %r1, own; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; st.local.u32 [%r1], %r0;",
        32,
    );
    assert_eq!(counts.local.stores, sectors(1, 32, 128));
    assert_eq!(counts.global.stores, SectorTraffic::default());
}

/// Executes a store by one warp to the byte offset that `offset` leaves in `%r1`, and a load from
/// there, which must have equal counters.
fn shared(offset: &str, ty: &str, registers: &str) -> BankTraffic {
    let body = format!(
        "{offset} mov.u32 %r2, dynamic; add.u32 %r1, %r1, %r2; mov.u32 %r4, %r0; mov.u32 %r5, %r0; mov.u32 %r6, %r0; mov.u32 %r7, %r0;
         mov.u16 %h4, 7; st.shared.{ty} [%r1], {registers}; ld.shared.{ty} {registers}, [%r1];"
    );
    let counters = count(&body, 32);
    assert_eq!(counters.shared.loads, counters.shared.stores, "{offset}");
    counters.shared.stores
}

#[test]
fn words_in_a_row_have_a_bank_each() {
    assert_eq!(
        shared("shl.b32 %r1, %r0, 2;", "u32", "%r4"),
        banks(1, 1, 0, 128)
    );
}

#[test]
fn strides_of_words_that_are_powers_of_two_conflict_as_often() {
    // Lane l at word s * l: banks s * l mod 32, so 32 / s banks with s words each.
    for (shift, ways) in [(3, 2), (4, 4), (5, 8), (6, 16), (7, 32)] {
        assert_eq!(
            shared(&format!("shl.b32 %r1, %r0, {shift};"), "u32", "%r4"),
            banks(1, ways, ways - 1, 128),
            "{ways} ways"
        );
    }
}

#[test]
fn odd_strides_do_not_conflict() {
    // 3 and 33 are coprime to 32: all banks.
    for words in [3, 33] {
        assert_eq!(
            shared(
                &format!("mul.lo.u32 %r1, %r0, {};", 4 * words),
                "u32",
                "%r4"
            ),
            banks(1, 1, 0, 128),
            "{words}"
        );
    }
}

#[test]
fn one_word_is_served_to_all() {
    // Only lane 0 stores, since a race between lanes would be a fault.
    let counters = count(
        "mov.u32 %r1, dynamic; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r1], %r0; bar.warp.sync -1; ld.shared.u32 %r2, [%r1];",
        32,
    );
    assert_eq!(counters.shared.stores, banks(1, 1, 0, 4));
    assert_eq!(counters.shared.loads, banks(1, 1, 0, 128));
    assert_eq!(counters.barriers.warp, 1);
}

#[test]
fn halves_of_a_word_are_served_together() {
    // Lane l at byte 2l: 16 words, 16 banks.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 1;", "u16", "%h4"),
        banks(1, 1, 0, 64)
    );
    // Lane l at byte 64l: words 16l, banks 0 and 16 with 16 words each.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 6;", "u16", "%h4"),
        banks(1, 16, 15, 64)
    );
}

#[test]
fn pairs_of_words_are_served_by_half_warps() {
    let pair = "{%r4,%r5}";
    // Contiguous: 16 lanes have 32 words, all banks.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 3;", "v2.u32", pair),
        banks(1, 2, 0, 256)
    );
    // 16 bytes apart: lane l of a half is at the words 4l and 4l + 1; lanes l and l + 8 share a
    // bank: 2 wavefronts per half.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 4;", "v2.u32", pair),
        banks(1, 4, 2, 256)
    );
}

#[test]
fn sixteen_bytes_are_served_by_quarter_warps() {
    let four = "{%r4,%r5,%r6,%r7}";
    // Contiguous: 8 lanes have 32 words, all banks.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 4;", "v4.u32", four),
        banks(1, 4, 0, 512)
    );
    // 32 bytes apart: lanes l and l + 4 of a quarter share their banks: 2 wavefronts each.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 5;", "v4.u32", four),
        banks(1, 8, 4, 512)
    );
    // 128 bytes apart: all 8 lanes share their banks: 8 wavefronts each.
    assert_eq!(
        shared("shl.b32 %r1, %r0, 7;", "v4.u32", four),
        banks(1, 32, 28, 512)
    );
}

#[test]
fn rows_of_matrices_are_served_by_quarter_warps() {
    let body = |row: u32| {
        format!(
            "mov.u32 %r1, dynamic; shl.b32 %r2, %r0, {row}; add.u32 %r1, %r1, %r2;
             mov.u32 %r4, 1; st.shared.v4.u32 [%r1], {{%r4,%r4,%r4,%r4}}; bar.warp.sync -1;
             ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r4,%r5,%r6,%r7}}, [%r1];"
        )
    };
    // Contiguous rows of 16 bytes: 8 of them fill the banks.
    assert_eq!(count(&body(4), 32).shared.matrix, banks(1, 4, 0, 512));
    // Rows 128 bytes apart: all 8 in 4 banks.
    assert_eq!(count(&body(7), 32).shared.matrix, banks(1, 32, 28, 512));
    // One matrix: lanes 0 to 7.
    let one = body(4)
        .replace(".x4", ".x1")
        .replace("%r4,%r5,%r6,%r7}, [", "%r4}, [");
    assert_eq!(count(&one, 32).shared.matrix, banks(1, 1, 0, 128));
    let store = "mov.u32 %r1, dynamic; shl.b32 %r2, %r0, 5; add.u32 %r1, %r1, %r2; mov.u32 %r4, 1;
                 stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r4,%r4};";
    // Rows 32 bytes apart, 2 matrices: lanes l and l + 4 of a quarter conflict.
    assert_eq!(count(store, 32).shared.matrix, banks(1, 4, 2, 256));
}

#[test]
fn atomics_on_shared_memory() {
    let body = |offset: &str| {
        format!(
            "{offset} mov.u32 %r2, dynamic; add.u32 %r1, %r1, %r2; st.shared.u32 [%r2], 0; bar.warp.sync -1; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r2;
             st.shared.u32 [%r3], 0; bar.warp.sync -1; red.shared.add.u32 [%r1], 1;"
        )
    };
    let counts = count(&body("shl.b32 %r1, %r0, 2;"), 32);
    assert_eq!(counts.shared.atomics, banks(1, 1, 0, 128));
    assert_eq!((counts.atomics.global, counts.atomics.shared), (0, 32));
    // Each lane updates the same word in its own wavefront.
    let one = count(&body("mov.u32 %r1, 0;"), 32);
    assert_eq!(one.shared.atomics, banks(1, 32, 31, 128));
}

#[test]
fn asynchronous_copies() {
    // 32 * 16 contiguous bytes: 16 sectors are read, and quarter-warps write all banks.
    let counters = count(
        "mov.u32 %r1, dynamic; shl.b32 %r2, %r0, 4; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r2; add.u64 %d0, %d0, %d1;
         cp.async.cg.shared.global [%r1], [%d0], 16; cp.async.wait_all;",
        32,
    );
    assert_eq!(counters.global.copies, sectors(1, 16, 512));
    assert_eq!(counters.shared.copies, banks(1, 4, 0, 512));
    let copies = &counters.copies.cp_async;
    assert_eq!((copies.operations, copies.bytes), (32, 512));
    assert_eq!(counters.global.loads, SectorTraffic::default());
    assert_eq!(counters.shared.stores, BankTraffic::default());
}

#[test]
fn products_of_matrices() {
    let sum = "{%r0,%r0,%r0,%r0}";
    let half = format!(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%r4,%r5,%r6,%r7}}, {sum}, {{%r0,%r0}}, {sum};"
    );
    let counters = count(&format!("{half} {half}"), 64);
    // 2 warps, 2 MMAs each, of 16 * 8 * 16 = 2048 multiply-adds.
    assert_eq!(counters.matmuls.mma, 4);
    assert_eq!(counters.matmuls.multiply_adds, 4 * 2048);
    assert_eq!(counters.warp_instructions_of(Family::Matrix), 4);
}

#[test]
fn products_of_warp_groups() {
    // 128 threads fill 8192 bytes with zeros, and multiply 64 x 16 by 16 x 8.
    let body = "mov.u32 %r1, dynamic; shl.b32 %r2, %r0, 4; add.u32 %r1, %r1, %r2; mov.u32 %r4, 0;
         st.shared.v4.u32 [%r1], {%r4,%r4,%r4,%r4}; st.shared.v4.u32 [%r1+2048], {%r4,%r4,%r4,%r4};
         st.shared.v4.u32 [%r1+4096], {%r4,%r4,%r4,%r4}; st.shared.v4.u32 [%r1+6144], {%r4,%r4,%r4,%r4};
         fence.proxy.async; bar.sync 0;
         mov.u32 %r1, dynamic; shr.u32 %r1, %r1, 4; cvt.u64.u32 %d1, %r1; or.b64 %d1, %d1, 0x1000080000;
         mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
         wgmma.fence.sync.aligned;
         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r4,%r5,%r6,%r7}, %d1, %d1, 1, 1, 1, 0, 0;
         wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
    let counters = count(body, 128);
    assert_eq!(counters.matmuls.wgmma, 1);
    assert_eq!(counters.matmuls.multiply_adds, 64 * 8 * 16);
    assert_eq!(counters.matmuls.mma, 0);
}

#[test]
fn bulk_copies_and_the_barriers_they_complete() {
    let body = "mov.u32 %r1, dynamic; add.u32 %r2, %r1, 128; setp.eq.u32 %p1, %r0, 0;
         @%p1 mbarrier.init.shared.b64 [%r1], 1;
         @%p1 fence.proxy.async;
         @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 256;
         @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0], 256, [%r1];
         bar.sync 0;
         wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 0; @!%p2 bra wait;
         ld.shared.u32 %r3, [%r2];";
    let counters = count(body, 64);
    let bulk = &counters.copies.bulk;
    assert_eq!((bulk.operations, bulk.bytes), (1, 256));
    // Each of the 2 warps executes the wait, and may retry it.
    assert!(counters.barriers.mbarrier >= 2);
    assert_eq!(counters.barriers.block, 2);
    assert_eq!(counters.copies.cp_async.operations, 0);
    // One word by all lanes, twice.
    assert_eq!(counters.shared.loads, banks(2, 2, 0, 256));
}

#[test]
fn waits_for_a_cluster() {
    // A cluster of one block: each of its 2 warps waits once.
    let counters = count(
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
        64,
    );
    assert_eq!(counters.barriers.cluster, 2);
}

#[test]
fn a_branch_diverges_where_lanes_of_one_warp_part() {
    let body = |bound: u32| {
        format!(
            "setp.lt.u32 %p1, %r0, {bound}; @%p1 bra over; add.u32 %r1, %r0, 1; over: add.u32 %r2, %r0, 2;"
        )
    };
    // The warps hold threads 0-31 and 32-63. A bound of 32 takes all of one and none of the other;
    // bounds of 40 and 8 each split one warp.
    assert_eq!(count(&body(32), 64).divergent_branches, 0);
    assert_eq!(count(&body(40), 64).divergent_branches, 1);
    assert_eq!(count(&body(8), 64).divergent_branches, 1);
}

#[test]
fn instructions_are_counted_by_family_and_lane() {
    let (_, counters) = run(
        "mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 8; @%p1 add.u32 %r1, %r0, 1; add.u32 %r2, %r0, 2; bar.sync 0;",
        40,
        0,
    )
    .unwrap();
    // Warps of 32 and 8 lanes. The guarded addition is issued in both and executed in 8 lanes.
    assert_eq!(counters.warp_instructions_of(Family::Integer), 4);
    assert_eq!(
        counters.thread_instructions[Family::Integer as usize],
        8 + 40
    );
    assert_eq!(counters.warp_instructions_of(Family::Barrier), 2);
    assert_eq!(counters.barriers.block, 2);
    // The `ret` at the end is counted too.
    assert_eq!(counters.total_warp_instructions(), 2 * 6);
    assert_eq!(counters.total_thread_instructions(), 40 * 5 + 8);
}
