//! Tests of addresses in the blocks of a cluster (`mapa`, `getctarank`), and of reductions that
//! signal an mbarrier of another block (`red.async`).

use tile_sim::{Arg, Fault, FaultKind, Launch, Memory, Module, Options};

const BLOCKS: u32 = 4;

fn module(body: &str) -> Module {
    let text = format!(
        ".version 8.8\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 out) {{\n\
         .shared .align 16 .b8 tile[1024]; .shared .align 8 .b8 barrier[8];\n\
         .reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<32>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; ld.param.u64 %d0, [out];\n\
         mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r2, %r2, %r3, %r0;\n\
         mul.wide.u32 %d1, %r2, 8; add.u64 %d0, %d0, %d1;\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the 64 bits that each thread leaves in `out`, block by block.
fn run(module: &Module, threads: u32, seed: u64) -> Result<Vec<u64>, Fault> {
    let mut memory = Memory::new();
    let out = memory.alloc((BLOCKS * threads * 8) as usize, 16);
    let launch = Launch::new("k")
        .grid([BLOCKS, 1, 1])
        .cluster([BLOCKS, 1, 1])
        .threads(threads)
        .args([Arg::from(out)]);
    let options = Options {
        seed,
        max_instructions: 1 << 20,
        ..Options::default()
    };
    crate::support::launch(module, &launch, &mut memory, &options)?;
    let words = memory.bytes(out).expect("allocated").chunks_exact(8);
    Ok(words
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect())
}

const MEET: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Tests every form that addresses the word of a lane in another block; the loaded value identifies
/// the block.
#[test]
fn mapped_addresses_lead_to_the_block_of_the_rank() {
    // The lane's own address, in the window that the form requires.
    let own_address = "mul.lo.u32 %r4, %r0, 4; add.u32 %r5, %r4, tile; cvt.u64.u32 %d2, %r5;
         cvta.shared.u64 %d3, %d2; cvt.u32.u64 %r15, %d3;
         mad.lo.u32 %r6, %r1, 100, %r0; st.shared.u32 [%r5], %r6;
         add.u32 %r7, %r1, 1; and.b32 %r7, %r7, 3;";
    for (map, load, space) in [
        (
            "mapa.shared::cluster.u32 %r8, %r5, %r7;",
            "[%r8]",
            ".shared::cluster",
        ),
        (
            "mapa.shared::cluster.u64 %d4, %d2, %r7;",
            "[%d4]",
            ".shared::cluster",
        ),
        (
            "mapa.shared::cluster.u32 %r8, tile, %r7; add.u32 %r8, %r8, %r4;",
            "[%r8]",
            ".shared::cluster",
        ),
        (
            "mapa.shared::cluster.u32 %r8, tile+8, %r7; add.u32 %r8, %r8, %r4;",
            "[%r8+-8]",
            ".shared::cluster",
        ),
        (
            "mapa.shared::cluster.u64 %d4, tile, %r7; add.u64 %d4, %d4, %d5;",
            "[%d4]",
            ".shared::cluster",
        ),
        ("mapa.u64 %d4, %d3, %r7;", "[%d4]", ""),
    ] {
        let rank = if map.contains(".u32") {
            "getctarank.shared::cluster.u32 %r9, %r8; getctarank.shared::cluster.u32 %r10, %r5;"
        } else if space.is_empty() {
            "getctarank.u64 %r9, %d4; getctarank.u64 %r10, %d3;"
        } else {
            "getctarank.shared::cluster.u64 %r9, %d4; getctarank.shared::cluster.u64 %r10, %d2;"
        };
        let module = module(&format!(
            "{own_address} cvt.u64.u32 %d5, %r4; {MEET} {map}
             ld{space}.u32 %r11, {load}; {rank}
             mad.lo.u32 %r9, %r9, 16, %r10; cvt.u64.u32 %d6, %r11; cvt.u64.u32 %d7, %r9;
             shl.b64 %d7, %d7, 32; or.b64 %d6, %d6, %d7; st.global.u64 [%d0], %d6; {MEET}"
        ));
        for seed in [0, 5] {
            let words = run(&module, 32, seed).unwrap_or_else(|fault| panic!("{map}: {fault}"));
            for (index, word) in words.into_iter().enumerate() {
                let (block, lane) = (index as u64 / 32, index as u64 % 32);
                let other = (block + 1) % u64::from(BLOCKS);
                assert_eq!(word & 0xffff_ffff, 100 * other + lane, "{map}");
                assert_eq!(word >> 32, 16 * other + block, "{rank}");
            }
        }
    }
}

/// Tests ranks as numbers, and the address of a block's own memory through the cluster window.
#[test]
fn a_block_finds_itself() {
    let module = module(
        "st.shared.u32 [tile], %r1; mapa.shared::cluster.u32 %r4, tile, %r1;
         ld.shared::cluster.u32 %r5, [%r4]; setp.ne.u32 %p1, %r5, %r1; @%p1 trap;
         getctarank.shared::cluster.u32 %r6, tile; setp.ne.u32 %p1, %r6, %r1; @%p1 trap;
         mapa.shared::cluster.u32 %r4, tile+16, 2; getctarank.shared::cluster.u32 %r6, %r4;
         cvt.u64.u32 %d2, %r6; st.global.u64 [%d0], %d2;",
    );
    assert_eq!(
        run(&module, 1, 0).expect("it is right"),
        [2; BLOCKS as usize]
    );
}

#[test]
fn ranks_and_addresses_that_are_not_there_are_faults() {
    for (body, says) in [
        (
            "mapa.shared::cluster.u32 %r4, tile, 4;",
            "there is no block 4 in a cluster of 4",
        ),
        ("mapa.u64 %d4, %d0, 1;", "not an address of shared memory"),
        (
            "getctarank.u64 %r4, %d0;",
            "not an address of shared memory",
        ),
    ] {
        let fault = run(&module(body), 1, 0).expect_err(body);
        assert!(fault.to_string().contains(says), "{fault}");
    }
}

/// Returns the result of a reduction.
fn reduced(operation: &str, ty: &str, old: u64, with: u64) -> u64 {
    let (a, b) = (old as u32, with as u32);
    let word = match (operation, ty) {
        ("add", "u64" | "s64") => return old.wrapping_add(with),
        ("add", _) => a.wrapping_add(b),
        ("min", "u32") => a.min(b),
        ("max", "u32") => a.max(b),
        ("min", _) => (a as i32).min(b as i32) as u32,
        ("max", _) => (a as i32).max(b as i32) as u32,
        ("and", _) => a & b,
        ("or", _) => a | b,
        ("xor", _) => a ^ b,
        ("inc", _) => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        _ => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
    };
    word.into()
}

const FORMS: [(&str, &str); 14] = [
    ("min", "u32"),
    ("min", "s32"),
    ("max", "u32"),
    ("max", "s32"),
    ("and", "b32"),
    ("or", "b32"),
    ("xor", "b32"),
    ("inc", "u32"),
    ("dec", "u32"),
    ("add", "u32"),
    ("add", "s32"),
    ("add", "u64"),
    ("inc", "u32"),
    ("dec", "u32"),
];

/// Each block reduces into the next one, whose mbarrier counts the bytes.
#[test]
fn asynchronous_reductions_change_another_block_and_tell_its_barrier() {
    for (number, (operation, ty)) in FORMS.into_iter().enumerate() {
        let bytes: u32 = if ty.ends_with("64") { 8 } else { 4 };
        let bits = bytes * 8;
        let window = ["", ".shared::cluster"][number % 2];
        let value = if bytes == 8 { "%d3" } else { "%r6" };
        let old = if bytes == 8 { "%d2" } else { "%r5" };
        // The old values and the operands, which depend on the block and the lane: odd numbers of
        // either sign.
        let (old_of, with_of) = (
            move |block: u64, lane: u64| (block * 77_777_777 + lane * 0x1f35_7b1d) ^ lane << 29,
            move |block: u64, lane: u64| {
                (block * 55_555 + lane * 0x2b79_13d7) ^ block << 31 ^ lane << 40
            },
        );
        let constants: Vec<String> = (0..u64::from(BLOCKS) * 8)
            .map(|index| {
                let (block, lane) = (index / 8, index % 8);
                let cut = |value: u64| if bytes == 8 { value } else { value & 0xffff_ffff };
                let [old_value, with] = [old_of(block, lane), with_of(block, lane)].map(cut);
                format!(
                    "setp.eq.u32 %p1, %r10, {index}; @%p1 mov.b{bits} {old}, {old_value}; @%p1 mov.b{bits} {value}, {with};\n"
                )
            })
            .collect();
        let constants = constants.concat();
        let widen = if bytes == 8 {
            ""
        } else {
            "cvt.u64.u32 %d2, %r5;"
        };
        let module = module(&format!(
            "mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b64 %d2, 0; mov.b64 %d3, 0;
             mad.lo.u32 %r10, %r1, 8, %r0; {constants}
             mul.lo.u32 %r4, %r0, {bytes}; add.u32 %r4, %r4, tile; st.shared.b{bits} [%r4], {old};
             setp.eq.u32 %p2, %r0, 0; @!%p2 bra MET;
             mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster;
             mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {total};
             MET: {MEET}
             add.u32 %r7, %r1, 1; and.b32 %r7, %r7, 3;
             mapa.shared::cluster.u32 %r8, %r4, %r7; mapa.shared::cluster.u32 %r9, barrier, %r7;
             red.async.relaxed.cluster{window}.mbarrier::complete_tx::bytes.{operation}.{ty} [%r8], {value}, [%r9];
             WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [barrier], 0; @!%p3 bra WAIT;
             ld.shared.b{bits} {old}, [%r4]; {widen} st.global.u64 [%d0], %d2; {MEET}",
            total = 8 * bytes,
        ));
        for seed in 0..6 {
            let words =
                run(&module, 8, seed).unwrap_or_else(|fault| panic!("{operation}.{ty}: {fault}"));
            for (index, word) in words.into_iter().enumerate() {
                let (block, lane) = (index as u64 / 8, index as u64 % 8);
                let from = (block + 3) % u64::from(BLOCKS);
                let mask = if bytes == 8 { u64::MAX } else { 0xffff_ffff };
                let [old, with] =
                    [old_of(block, lane), with_of(from, lane)].map(|value| value & mask);
                assert_eq!(
                    word,
                    reduced(operation, ty, old, with),
                    "{operation}.{ty} of {old:x}, {with:x}"
                );
            }
        }
    }
}

/// Threads of all blocks reduce into one word, and one mbarrier counts all bytes.
#[test]
fn asynchronous_reductions_are_atomic() {
    let module = |bytes: u32| {
        module(&format!(
            "setp.eq.u32 %p1, %r1, 2; setp.eq.and.u32 %p2, %r0, 0, %p1; @!%p2 bra MET; st.shared.u32 [tile], 0;
             mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster;
             mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {bytes};
             MET: {MEET}
             mapa.shared::cluster.u32 %r8, tile, 2; mapa.shared::cluster.u32 %r9, barrier, 2; mov.u32 %r6, 3;
             red.async.relaxed.cluster.mbarrier::complete_tx::bytes.add.u32 [%r8], %r6, [%r9];
             mov.b64 %d2, 0; @!%p1 bra OUT;
             WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [barrier], 0; @!%p3 bra WAIT;
             ld.shared.u32 %r5, [tile]; cvt.u64.u32 %d2, %r5;
             OUT: st.global.u64 [%d0], %d2; {MEET}"
        ))
    };
    for seed in 0..8 {
        let words = run(&module(512), 32, seed).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(words[64..96], [128 * 3; 32]);
        assert!(
            words[..64]
                .iter()
                .chain(&words[96..])
                .all(|&word| word == 0)
        );
    }
    // The mbarrier expects four bytes more than arrive.
    let fault = run(&module(516), 32, 0).expect_err("bytes that never come");
    assert!(matches!(fault.kind, FaultKind::Stuck(_)), "{fault}");
}

#[test]
fn values_of_an_asynchronous_reduction_have_to_be_waited_for() {
    let body = |wait: &str| {
        format!(
            "setp.eq.u32 %p2, %r0, 0; @!%p2 bra MET; st.shared.u32 [tile], %r1;
             mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster;
             mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 4;
             MET: {MEET}
             add.u32 %r7, %r1, 1; and.b32 %r7, %r7, 3; mov.u32 %r6, 10;
             mapa.shared::cluster.u32 %r8, tile, %r7; mapa.shared::cluster.u32 %r9, barrier, %r7;
             red.async.relaxed.cluster.mbarrier::complete_tx::bytes.add.u32 [%r8], %r6, [%r9];
             {wait}
             ld.shared.u32 %r5, [tile]; cvt.u64.u32 %d2, %r5; st.global.u64 [%d0], %d2; {MEET}"
        )
    };
    let waits = "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [barrier], 0; @!%p3 bra WAIT;";
    assert_eq!(
        run(&module(&body(waits)), 1, 0).expect("it waits"),
        [10, 11, 12, 13]
    );
    let faults = (0..10).filter_map(|seed| run(&module(&body("")), 1, seed).err());
    let kinds: Vec<FaultKind> = faults.map(|fault| fault.kind).collect();
    assert_eq!(kinds.len(), 10, "each seed finds it");
    let unordered =
        |kind: &FaultKind| matches!(kind, FaultKind::Race { .. } | FaultKind::NotAwaited(_));
    assert!(kinds.iter().all(unordered), "{kinds:?}");
}
