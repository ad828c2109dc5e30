//! Tests of values that are equal in all lanes of a warp, which are computed and loaded once.

use tile_sim::{Arg, Counters, Fault, FaultKind, Launch, Memory, Options};

use crate::support::{Width, apply, module};

/// Runs a kernel with `threads` threads on 256 bytes at `%d1`, the first of which are `words`. Returns the words
/// afterwards.
fn run(body: &str, threads: u32, words: &[u32]) -> Result<(Vec<u32>, Counters), Fault> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(256, 0);
    let mut memory = Memory::new();
    let a = memory.alloc_with(&bytes, 256);
    let launch = Launch::new("k")
        .threads(threads)
        .args([a, 0, 0, 0].map(Arg::from));
    let text = format!("ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; {body} ret;");
    let options = Options::default();
    let counters = crate::support::launch(&module(&text), &launch, &mut memory, &options)?;
    let bytes = memory.bytes(a).expect("it is there");
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    Ok((bytes.chunks(4).map(word).collect(), counters))
}

#[test]
fn instructions_give_the_same_for_values_that_are_known_to_be_equal() {
    let triples = [
        [7, 3, 5],
        [0xffff_fff0, 0, 31],
        [0x8000_0000, 0xffff_ffff, 1],
        [0x3f80_0001, 0xc049_0fdb, 0x0000_0001],
        [0x7fc0_0000, 0xff80_0000, 0x0080_0000],
    ];
    for instruction in [
        "add.s32 %out, %x, %y;",
        "mul.hi.s32 %out, %x, %y;",
        "mad.lo.s32 %out, %x, %y, %z;",
        "div.s32 %out, %x, %y;",
        "rem.u32 %out, %x, %y;",
        "bfi.b32 %out, %x, %y, %z, 5;",
        "popc.b32 %out, %x;",
        "shr.s32 %out, %x, %z;",
        "lop3.b32 %out, %x, %y, %z, 0x96;",
        "prmt.b32 %out, %x, %y, %z;",
        "add.f32 %out, %x, %y;",
        "fma.rn.ftz.f32 %out, %x, %y, %z;",
        "min.f32 %out, %x, %y;",
        "sqrt.rz.f32 %out, %x;",
        "fma.rn.f16x2 %out, %x, %y, %z;",
        "cvt.rni.s32.f32 %out, %x;",
        "setp.lt.s32 %p1, %x, %y; selp.b32 %out, %x, %z, %p1;",
        "setp.neu.f32 %p1, %x, %y; selp.b32 %out, %x, %z, %p1;",
        "setp.geu.ftz.f32 %p1|%p2, %x, %y; selp.b32 %out, %x, %z, %p2;",
        "slct.b32.s32 %out, %x, %y, %z;",
        "mov.b32 {%h1, %h2}, %x; mov.b32 %out, {%h2, %h1};",
    ] {
        for triple in triples {
            let alone = apply(instruction, Width::B32, Width::B32, &[triple; 32]);
            let words = triple.map(|value| u32::try_from(value).expect("of 32 bits"));
            let body = format!(
                ".reg .b32 %x, %y, %z, %out;
                ld.global.b32 %x, [%d1]; ld.global.b32 %y, [%d1+4]; ld.global.b32 %z, [%d1+8];
                {instruction}
                mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2; st.global.b32 [%d2+64], %out;"
            );
            let (words, _) = run(&body, 32, &words).unwrap_or_else(|fault| panic!("{fault}"));
            let together: Vec<u64> = words[16..48].iter().map(|&word| u64::from(word)).collect();
            assert_eq!(together, alone, "{instruction} of {triple:x?}");
        }
    }
}

#[test]
fn a_value_differs_after_some_lanes_have_set_it() {
    let store = "mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2; st.global.b32 [%d2], %r3;";
    for set in [
        "@%p1 mov.b32 %r2, 50;",
        "@%p1 add.s32 %r2, %r2, 45;",
        "@%p1 ld.global.b32 %r2, [%d1+128];",
        "@%p1 add.f32 %r2, %r2, 0f00000000; @%p1 mov.b32 %r2, 50;",
    ] {
        let body =
            format!("mov.b32 %r2, 5; setp.lt.u32 %p1, %r1, 20; {set} add.s32 %r3, %r2, 1; {store}");
        let mut words = [0; 33];
        words[32] = 50;
        let (words, _) = run(&body, 32, &words).unwrap_or_else(|fault| panic!("{fault}"));
        let expected: Vec<u32> = (0..32).map(|lane| if lane < 20 { 51 } else { 6 }).collect();
        assert_eq!(words[..32], expected, "{set}");
    }
}

#[test]
fn elements_of_every_size_are_loaded_once() {
    let words = [0x8182_8384, 0xf1f2_f3f4, 3, 4];
    for (load, expected) in [
        ("ld.global.u8 %r3, [%d1+1];", 0x83),
        ("ld.global.s8 %r3, [%d1+1];", 0xffff_ff83),
        ("ld.global.s16 %r3, [%d1+2];", 0xffff_8182),
        ("ld.global.v4.b32 {%r4, %r3, %r5, %r6}, [%d1];", 0xf1f2_f3f4),
        (
            "ld.global.b64 %d3, [%d1]; shr.u64 %d3, %d3, 32; cvt.u32.u64 %r3, %d3;",
            0xf1f2_f3f4,
        ),
        ("ld.b32 %r3, [%d1+8];", 3),
    ] {
        let store = "mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2; st.global.b32 [%d2+64], %r3;";
        let (words, counters) =
            run(&format!("{load} {store}"), 32, &words).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(words[16..48], [expected; 32], "{load}");
        assert_eq!(counters.global.loads.requests, 1, "{load}");
        assert_eq!(counters.global.loads.sectors, 1, "{load}");
    }
}

#[test]
fn reads_by_all_lanes_race_with_writes() {
    let read = "ld.global.b32 %r3, [%d1];";
    let one = |thread: u32, rest: &str| format!("setp.eq.u32 %p1, %r1, {thread}; @%p1 {rest}");
    let write = |thread| one(thread, "st.global.b32 [%d1], 9;");
    // The reader and the writer, who may be a lane of the same warp or of another, and what is between them.
    for (threads, writer, between, is_race) in [
        (32, 3, "", true),
        (32, 3, "bar.warp.sync -1;", false),
        (64, 40, "", true),
        (64, 40, "bar.warp.sync -1;", true),
        (64, 40, "bar.sync 0;", false),
        (1024, 1000, "", true),
        (1024, 1000, "bar.sync 0;", false),
    ] {
        let after = format!("{read} {between} {}", write(writer));
        let before = format!("{} {between} {read}", write(writer));
        for body in [after, before] {
            match run(&body, threads, &[1]) {
                Ok(_) => assert!(!is_race, "{body}"),
                Err(fault) => {
                    assert!(is_race, "{body}: {fault}");
                    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
                }
            }
        }
    }
}

#[test]
fn reads_of_parts_of_a_word_race_with_writes_of_the_same_bytes_only() {
    for (offset, is_race) in [(0, false), (2, true)] {
        let body = format!(
            "ld.global.u16 %r3, [%d1+2]; mov.b16 %h1, 9; setp.eq.u32 %p1, %r1, 40; @%p1 st.global.u16 [%d1+{offset}], %h1;"
        );
        let result = run(&body, 64, &[1]);
        assert_eq!(result.is_err(), is_race, "{body}");
    }
}
