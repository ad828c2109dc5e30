//! Compares bulk and tensor copies in every form with plain loops over elements.
#![expect(clippy::format_push_string, reason = "texts that grow")]

mod im2col;
mod tensors;

use tile_sim::{Module, TensorMap, TensorMapOptions, TensorType};

use crate::asynchronous::{Run, kernel, kernel_for};

/// Returns 64 words of the tile of each of two blocks of a cluster, after each block has executed
/// `op` to send data to the other. `%r10` and `%r11` are the tile and the mbarrier of the other
/// block.
fn given(op: &str, bytes: u32) -> Vec<u32> {
    let module = kernel(&format!(
        "xor.b32 %r2, %r1, 1; mapa.shared::cluster.u32 %r10, tile, %r2; mapa.shared::cluster.u32 %r11, barrier, %r2;
         mad.lo.u32 %r3, %r0, 4, tile; mad.lo.u32 %r4, %r1, 1000, 7; mad.lo.u32 %r4, %r0, 11, %r4;
         st.shared.u32 [%r3], %r4; mad.lo.u32 %r5, %r0, 3, 100; mad.lo.u32 %r5, %r1, 50, %r5; st.shared.u32 [%r3+1024], %r5;
         @%p0 mbarrier.init.shared.b64 [barrier], 1; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {bytes};
         fence.mbarrier_init.release.cluster; fence.proxy.async;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
         @!%p0 bra WAIT; mov.u32 %r20, {bytes}; mov.u32 %r6, 1009; mov.u32 %r7, 3; mov.u32 %r8, 2; mov.u32 %r9, 1;
         mov.b64 %d10, {{%r6, %r9}}; mov.b64 %d11, {{%r7, %r8}};
         {op}
         WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         ld.shared.u32 %r14, [%r3]; mad.lo.u32 %r15, %r1, 64, %r0; mul.wide.u32 %d3, %r15, 4; add.u64 %d3, %d1, %d3;
         st.global.u32 [%d3], %r14;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    ));
    let mut run = Run::new(64);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    run.words(&module)[..128].to_vec()
}

/// Returns a word of the tile of `block` before it receives anything.
fn before(block: u32, word: u32) -> u32 {
    7 + 1000 * block + 11 * word
}

/// Returns a word that `block` sends.
fn source(block: u32, word: u32) -> u32 {
    100 + 50 * block + 3 * word
}

/// Returns the words of both blocks after the words below `count` have been replaced.
fn changed(count: u32, new: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let words = |block| {
        let new = &new;
        (0..64).map(move |word| {
            if word < count {
                new(block, word)
            } else {
                before(block, word)
            }
        })
    };
    words(0).chain(words(1)).collect()
}

#[test]
fn words_are_stored_in_another_block() {
    for weak in ["", ".weak"] {
        for space in ["", ".shared::cluster"] {
            let name = format!("st.async{weak}{space}.mbarrier::complete_tx::bytes");
            for (form, count) in [
                (".b32 [%r10], %r6, [%r11]", 1),
                (".u32 [%r10], %r6, [%r11]", 1),
                (".f32 [%r10], %r6, [%r11]", 1),
                (".b64 [%r10], %d10, [%r11]", 2),
                (".s64 [%r10], %d10, [%r11]", 2),
                (".v2.b32 [%r10], {%r6, %r9}, [%r11]", 2),
                (".v2.b64 [%r10], {%d10, %d11}, [%r11]", 4),
                (".v4.b32 [%r10], {%r6, %r9, %r7, %r8}, [%r11]", 4),
            ] {
                // The order of the modifiers in examples of the PTX ISA, with the space after the
                // completion mechanism.
                let name = name.replace(
                    &format!("{space}.mbarrier::complete_tx::bytes"),
                    &format!(".mbarrier::complete_tx::bytes{space}"),
                );
                let actual = given(&format!("{name}{form};"), 4 * count);
                let expected = changed(count, |_, word| [1009, 1, 3, 2][word as usize]);
                assert_eq!(actual, expected, "{name}{form}");
            }
        }
    }
}

#[test]
fn words_are_reduced_in_another_block() {
    type Reduction = fn(u32, u32) -> u32;
    let reductions: [(&str, &[&str], Reduction); 8] = [
        ("add", &["u32", "s32"], u32::wrapping_add),
        ("min", &["u32", "s32"], u32::min),
        ("max", &["u32", "s32"], u32::max),
        ("and", &["b32"], |old, with| old & with),
        ("or", &["b32"], |old, with| old | with),
        ("xor", &["b32"], |old, with| old ^ with),
        (
            "inc",
            &["u32"],
            |old, with| if old >= with { 0 } else { old + 1 },
        ),
        ("dec", &["u32"], |old, with| {
            if old == 0 || old > with {
                with
            } else {
                old - 1
            }
        }),
    ];
    for (op, types, reduce) in reductions {
        for ty in types {
            for space in ["", ".shared::cluster"] {
                let name = format!(
                    "red.async.relaxed.cluster.{op}.mbarrier::complete_tx::bytes{space}.{ty}"
                );
                let actual = given(&format!("{name} [%r10], %r6, [%r11];"), 4);
                let expected = changed(1, |block, word| reduce(before(block, word), 1009));
                assert_eq!(actual, expected, "{name}");
            }
        }
        // The same with many words.
        for ty in types.iter().filter(|ty| **ty != "s32") {
            let name = format!(
                "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op}.{ty}"
            );
            let actual = given(&format!("{name} [%r10], [tile+1024], %r20, [%r11];"), 96);
            let expected = changed(24, |block, word| {
                reduce(before(block, word), source(1 - block, word))
            });
            assert_eq!(actual, expected, "{name}");
        }
    }
    for space in ["", ".shared::cluster"] {
        let name = format!("red.async.relaxed.cluster.add.mbarrier::complete_tx::bytes{space}.u64");
        let actual = given(&format!("{name} [%r10], %d10, [%r11];"), 8);
        let expected = changed(2, |block, word| {
            before(block, word) + [1009, 1][word as usize]
        });
        assert_eq!(actual, expected, "{name}");
    }
}

#[test]
fn words_are_copied_to_another_block() {
    let copy = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
    let actual = given(&format!("{copy} [%r10], [tile+1024], %r20, [%r11];"), 128);
    assert_eq!(actual, changed(32, |block, word| source(1 - block, word)));
}

/// Threads load and store words of the other block's tile, between cluster barriers.
#[test]
fn memory_of_another_block_is_loaded_and_stored() {
    let barrier = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    let module = kernel(&format!(
        "xor.b32 %r2, %r1, 1; mad.lo.u32 %r3, %r0, 4, tile; mapa.shared::cluster.u32 %r10, %r3, %r2;
         mad.lo.u32 %r4, %r1, 1000, %r0; st.shared.u32 [%r3], %r4; {barrier}
         ld.shared::cluster.u32 %r5, [%r10]; add.u32 %r5, %r5, 5; st.shared::cluster.u32 [%r10+256], %r5; {barrier}
         ld.shared.u32 %r6, [%r3+256]; mad.lo.u32 %r15, %r1, 64, %r0; mul.wide.u32 %d3, %r15, 4; add.u64 %d3, %d1, %d3;
         st.global.u32 [%d3], %r6;"
    ));
    let mut run = Run::new(64);
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    let words = run.words(&module);
    let expected = (0..128).map(|index| index / 64 * 1000 + index % 64 + 5);
    assert!(words[..128].iter().copied().eq(expected), "{words:?}");
}

/// Returns 64 words of the tile of each of two blocks, after block 0 has loaded 128 bytes from word
/// 8.
fn loaded(load: &str, module_of: impl Fn(&str) -> Module, waits: [bool; 2]) -> Vec<u32> {
    let wait = |block: usize| if waits[block] { "" } else { "bra SHOW;" };
    let module = module_of(&format!(
        "mad.lo.u32 %r3, %r0, 4, tile; mad.lo.u32 %r4, %r1, 1000, 7; mad.lo.u32 %r4, %r0, 11, %r4; st.shared.u32 [%r3], %r4;
         @%p0 mbarrier.init.shared.b64 [barrier], 1; setp.eq.u32 %p4, %r1, 0; selp.u32 %r19, {}, {}, %p4;
         @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [barrier], %r19;
         fence.mbarrier_init.release.cluster; fence.proxy.async;
         barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; setp.ne.u32 %p2, %r1, 0; @%p2 bra SECOND;
         @!%p0 bra WAIT; mov.u32 %r20, 128; mov.b16 %h1, 3; mov.b16 %h2, 2; mov.u64 %d10, 0;
         {load}
         {} bra WAIT;
         SECOND: {}
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
         SHOW: ld.shared.u32 %r14, [%r3]; mad.lo.u32 %r15, %r1, 64, %r0; mul.wide.u32 %d3, %r15, 4; add.u64 %d3, %d1, %d3;
         st.global.u32 [%d3], %r14; barrier.cluster.arrive; barrier.cluster.wait;",
        128 * u32::from(waits[0]),
        128 * u32::from(waits[1]),
        wait(0),
        wait(1)
    ));
    let mut run = Run::new(64);
    run.source = Some(rows(64, 32));
    run.launch = run.launch.grid([2, 1, 1]).cluster([2, 1, 1]);
    run.words(&module)[..128].to_vec()
}

/// Creates a map of a matrix of words with rows of `length` words, in boxes of one row of
/// `columns`.
fn rows(length: u64, columns: u32) -> TensorMap {
    let map = TensorMap::tiled(
        TensorType::UInt32,
        0,
        &[length, 64],
        &[length * 4],
        &[columns, 1],
        &[1, 1],
        TensorMapOptions::default(),
    );
    map.expect("a map")
}

#[test]
fn bytes_are_loaded_for_one_block_or_for_several() {
    let words = |first: u32| move |_block: u32, word: u32| (first + word) * 3 + 1;
    let only = |block: u32, first: u32| {
        let both = changed(32, words(first));
        let none = changed(0, words(first));
        let half = |part: u32| {
            let words = if part == block { &both } else { &none };
            words[part as usize * 64..][..64].to_vec()
        };
        [half(0), half(1)].concat()
    };
    let bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    let tensor = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes";
    let operands = "[tile], [%d8, {8, 2}], [barrier]";
    let operands = operands.replace("8, 2", "%r21, %r22");
    let prepared =
        |load: String| format!("mov.u32 %r21, 8; mov.u32 %r22, 2; add.u64 %d12, %d0, 32; {load}");
    for (load, first) in [
        (format!("{bulk}.L2::cache_hint [tile], [%d12], %r20, [barrier], %d10;"), 8),
        (format!("{tensor}.L2::cache_hint {operands}, %d10;"), 136),
        ("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%d12], %r20, [barrier];".into(), 8),
        (format!("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes {operands};"), 136),
        (format!("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes {operands};"), 136),
    ] {
        let actual = loaded(&prepared(load.clone()), kernel, [true, false]);
        assert_eq!(actual, only(0, first), "{load}");
    }
    for hint in ["", ".L2::cache_hint"] {
        let policy = if hint.is_empty() { "" } else { ", %d10" };
        for (load, first) in [
            (
                format!(
                    "{bulk}.multicast::cluster{hint} [tile], [%d12], %r20, [barrier], %h1{policy};"
                ),
                8,
            ),
            (
                format!("{tensor}.multicast::cluster{hint} {operands}, %h1{policy};"),
                136,
            ),
        ] {
            let actual = loaded(&prepared(load.clone()), kernel, [true, true]);
            assert_eq!(actual, changed(32, words(first)), "{load}");
            // For the second block only.
            let second = prepared(load.replace("%h1", "%h2"));
            let actual = loaded(&second, kernel, [false, true]);
            assert_eq!(actual, only(1, first), "{load}");
        }
    }
}

/// Returns the words at `to`, initially `old`, after one thread has stored words of the tile there.
/// The tile contains `new`.
fn stored(op: &str, old: &[u32], new: &[u32]) -> Vec<u32> {
    let mut body =
        String::from("@!%p0 bra END; mov.u32 %r20, 64; mov.b16 %h1, 0x5a01; mov.u64 %d10, 0;");
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        let offset = 4 * index;
        body +=
            &format!("st.global.u32 [%d1+{offset}], {old}; st.shared.u32 [tile+{offset}], {new};");
    }
    body += &format!(
        "fence.proxy.async; {op} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;"
    );
    Run::new(32).words(&kernel_for("8.8", "sm_100a", &body))[..old.len()].to_vec()
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn bytes_are_stored_with_hints_and_masks() {
    let old: Vec<u32> = (0..16).map(|word| 0x1111_1111 * word).collect();
    let new: Vec<u32> = (0..16)
        .map(|word| 0x0102_0304 + 0x0707_0707 * word)
        .collect();
    let copy = "cp.async.bulk.global.shared::cta.bulk_group";
    let actual = stored(
        &format!("{copy}.L2::cache_hint [%d1], [tile], %r20, %d10;"),
        &old,
        &new,
    );
    assert_eq!(actual, new);
    // Bit i selects byte i of each 16.
    let actual = stored(
        &format!("{copy}.cp_mask [%d1], [tile], %r20, %h1;"),
        &old,
        &new,
    );
    let bytes: Vec<u8> = bytes_of(&old)
        .into_iter()
        .zip(bytes_of(&new))
        .enumerate()
        .map(|(index, (old, new))| {
            if 0x5a01 >> (index % 16) & 1 == 1 {
                new
            } else {
                old
            }
        })
        .collect();
    assert_eq!(actual, words_of(&bytes));
}

/// Reduces 16 words of elements of each type, one element at a time.
#[test]
fn elements_in_global_memory_are_reduced() {
    type Element = fn(u64, u64) -> u64;
    type Halves = fn(f64, f64) -> f64;
    fn float32(f: fn(f32, f32) -> f32) -> impl Fn(u64, u64) -> u64 {
        move |x, y| u64::from(f(f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits())
    }
    fn check(
        name: &str,
        tail: &str,
        size: usize,
        values: impl Fn(usize) -> [u64; 2],
        f: impl Fn(u64, u64) -> u64,
    ) {
        let pairs: Vec<[u64; 2]> = (0..64 / size).map(values).collect();
        let pack = |value: &dyn Fn(&[u64; 2]) -> u64| -> Vec<u32> {
            let bytes: Vec<u8> = pairs
                .iter()
                .flat_map(|pair| value(pair).to_le_bytes()[..size].to_vec())
                .collect();
            words_of(&bytes)
        };
        let [old, new] = [pack(&|pair| pair[0]), pack(&|pair| pair[1])];
        let op = format!(
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.{name} [%d1], [tile], %r20{tail};"
        );
        let actual = stored(&op, &old, &new);
        assert_eq!(actual, pack(&|&[old, new]| f(old, new)), "{name}");
    }
    let integers = |index: usize| -> [u64; 2] {
        let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [mixed ^ mixed >> 29, mixed.rotate_left(17)]
    };
    let small = |bits: fn(f64) -> u64| {
        move |index: usize| [bits(index as f64 * 1.5 - 6.0), bits(5.0 - index as f64)]
    };
    let integer: [(&str, usize, Element); 18] = [
        ("add.u32", 4, u64::wrapping_add),
        ("add.s32", 4, u64::wrapping_add),
        ("add.u64", 8, u64::wrapping_add),
        ("min.u32", 4, |x, y| (x as u32).min(y as u32).into()),
        ("max.u32", 4, |x, y| (x as u32).max(y as u32).into()),
        ("min.s32", 4, |x, y| (x as i32).min(y as i32) as u32 as u64),
        ("max.s32", 4, |x, y| (x as i32).max(y as i32) as u32 as u64),
        ("min.u64", 8, u64::min),
        ("max.u64", 8, u64::max),
        ("min.s64", 8, |x, y| (x as i64).min(y as i64) as u64),
        ("max.s64", 8, |x, y| (x as i64).max(y as i64) as u64),
        ("and.b32", 4, |x, y| x & y),
        ("or.b32", 4, |x, y| x | y),
        ("xor.b32", 4, |x, y| x ^ y),
        ("and.b64", 8, |x, y| x & y),
        ("or.b64", 8, |x, y| x | y),
        ("xor.b64", 8, |x, y| x ^ y),
        ("inc.u32", 4, |x, y| {
            if x as u32 >= y as u32 {
                0
            } else {
                u64::from(x as u32 + 1)
            }
        }),
    ];
    for (name, size, f) in integer {
        check(name, "", size, integers, f);
    }
    for (hint, tail) in [("", ""), (".L2::cache_hint", ", %d10")] {
        for ty in ["u32", "s32"] {
            check(
                &format!(
                    "{}add.{ty}",
                    hint.trim_start_matches('.').to_owned()
                        + if hint.is_empty() { "" } else { "." }
                ),
                tail,
                4,
                integers,
                u64::wrapping_add,
            );
        }
        let prefix = if hint.is_empty() {
            String::new()
        } else {
            "L2::cache_hint.".into()
        };
        check(
            &format!("{prefix}add.u64"),
            tail,
            8,
            integers,
            u64::wrapping_add,
        );
        let f32s = small(|value| u64::from((value as f32).to_bits()));
        check(
            &format!("{prefix}add.f32"),
            tail,
            4,
            f32s,
            float32(|x, y| x + y),
        );
        let f64s = small(f64::to_bits);
        check(&format!("{prefix}add.f64"), tail, 8, f64s, |x, y| {
            (f64::from_bits(x) + f64::from_bits(y)).to_bits()
        });
    }
    for (op, f) in [
        ("add.noftz", (|x, y| x + y) as Halves),
        ("min", f64::min as Halves),
        ("max", f64::max as Halves),
    ] {
        let halves = small(|value| half::f16::from_f64(value).to_bits().into());
        check(&format!("{op}.f16"), "", 2, halves, |x, y| {
            let [x, y] = [x, y].map(|bits| half::f16::from_bits(bits as u16).to_f64());
            half::f16::from_f64(f(x, y)).to_bits().into()
        });
        let brains = small(|value| half::bf16::from_f64(value).to_bits().into());
        check(&format!("{op}.bf16"), "", 2, brains, |x, y| {
            let [x, y] = [x, y].map(|bits| half::bf16::from_bits(bits as u16).to_f64());
            half::bf16::from_f64(f(x, y)).to_bits().into()
        });
    }
}

/// Tests copies of single threads whose source may be shorter than the destination.
#[test]
fn threads_copy_16_bytes_or_less() {
    for (name, tail) in [
        ("cp.async.cg.shared.global", ", %r21"),
        ("cp.async.cg.shared.global.L2::cache_hint", ", %r21, %d10"),
        (
            "cp.async.cg.shared.global.L2::cache_hint.L2::128B",
            ", %r21, %d10",
        ),
        ("cp.async.cg.shared.global", ""),
        ("cp.async.cg.shared.global.L2::cache_hint", ", %d10"),
    ] {
        let module = kernel(&format!(
            "mul.wide.u32 %d3, %r0, 16; add.u64 %d4, %d0, %d3; mad.lo.u32 %r2, %r0, 16, tile; mov.u64 %d10, 0;
             rem.u32 %r21, %r0, 5; shl.b32 %r21, %r21, 2;
             {name} [%r2], [%d4], 16{tail}; cp.async.wait_all;
             ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%r2]; add.u64 %d5, %d1, %d3; st.global.v4.u32 [%d5], {{%r4, %r5, %r6, %r7}};"
        ));
        let run = Run::new(32);
        let words = run.words(&module);
        for (index, &word) in words[..128].iter().enumerate() {
            let length = if tail.contains("%r21") {
                index / 4 % 5
            } else {
                4
            };
            let expected = if index % 4 < length {
                run.from[index]
            } else {
                0
            };
            assert_eq!(word, expected, "{name}{tail}: word {index}");
        }
    }
}

/// Returns 32 words of the tile of each of four blocks, after block 0 has loaded a row for the
/// blocks of a mask, or into the tile of one block. The mbarriers expect the bytes in `told`.
fn in_pairs(load: &str, told: [u32; 4]) -> Result<Vec<u32>, String> {
    let [first, second, third, fourth] = told;
    let module = kernel_for(
        "8.8",
        "sm_100a",
        &format!(
            "mad.lo.u32 %r3, %r0, 4, tile; mad.lo.u32 %r4, %r1, 1000, %r0; st.shared.u32 [%r3], %r4;
             mov.u32 %r19, {first}; setp.eq.u32 %p2, %r1, 1; @%p2 mov.u32 %r19, {second};
             setp.eq.u32 %p2, %r1, 2; @%p2 mov.u32 %r19, {third}; setp.eq.u32 %p2, %r1, 3; @%p2 mov.u32 %r19, {fourth};
             @%p0 mbarrier.init.shared.b64 [barrier], 1; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [barrier], %r19;
             fence.mbarrier_init.release.cluster; fence.proxy.async; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
             setp.ne.u32 %p2, %r1, 0; @%p2 bra WAIT; @!%p0 bra WAIT;
             mov.u32 %r21, 8; mov.u32 %r22, 2; mov.b16 %h1, 15; mov.b16 %h2, 6; mov.u32 %r5, tile; mov.u32 %r6, barrier;
             mapa.shared::cluster.u32 %r10, %r5, 2; mapa.shared::cluster.u32 %r12, %r6, 2; mapa.shared::cluster.u32 %r13, %r6, 3;
             mapa.shared::cluster.u32 %r14, %r6, 1;
             {load}
             WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT;
             barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
             ld.shared.u32 %r4, [%r3]; mad.lo.u32 %r15, %r1, 32, %r0; mul.wide.u32 %d3, %r15, 4; add.u64 %d3, %d1, %d3;
             st.global.u32 [%d3], %r4;"
        ),
    );
    let mut run = Run::new(32);
    run.source = Some(rows(64, 32));
    run.launch = run.launch.grid([4, 1, 1]).cluster([4, 1, 1]);
    let words = run.once(&module, 3).map_err(|fault| fault.to_string())?;
    Ok(words[..128].to_vec())
}

/// `.cta_group::2`: an mbarrier in either block of a pair is signaled for the bytes of both.
#[test]
fn barriers_of_pairs_of_blocks_are_told() {
    let copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes";
    let expected = |blocks: [bool; 4]| -> Vec<u32> {
        (0..128)
            .map(|index: u32| {
                let (block, word) = (index / 32, index % 32);
                if blocks[block as usize] {
                    (2 * 64 + 8 + word) * 3 + 1
                } else {
                    block * 1000 + word
                }
            })
            .collect()
    };
    let [none, one, both] = [0, 128, 256];
    let every = [true; 4];
    let middle = [false, true, true, false];
    let only = [false, false, true, false];
    for (load, blocks, told) in [
        (
            "multicast::cluster.cta_group::1 [tile], MAP, [barrier], %h1",
            every,
            [one; 4],
        ),
        (
            "multicast::cluster.cta_group::1 [tile], MAP, [barrier], %h2",
            middle,
            [none, one, one, none],
        ),
        (
            "multicast::cluster.cta_group::2 [tile], MAP, [barrier], %h1",
            every,
            [both, none, both, none],
        ),
        (
            "multicast::cluster.cta_group::2 [tile], MAP, [%r14], %h1",
            every,
            [none, both, none, both],
        ),
        (
            "multicast::cluster.cta_group::2 [tile], MAP, [barrier], %h2",
            middle,
            [one, none, one, none],
        ),
        (
            "cta_group::1 [%r10], MAP, [%r12]",
            only,
            [none, none, one, none],
        ),
        (
            "cta_group::2 [%r10], MAP, [%r12]",
            only,
            [none, none, one, none],
        ),
        (
            "cta_group::2 [%r10], MAP, [%r13]",
            only,
            [none, none, none, one],
        ),
    ] {
        let load = format!("{copy}.{load};").replace("MAP", "[%d8, {%r21, %r22}]");
        let actual = in_pairs(&load, told).unwrap_or_else(|fault| panic!("{load}: {fault}"));
        assert_eq!(actual, expected(blocks), "{load}");
    }
    for (load, message) in [
        (
            "cta_group::1 [%r10], MAP, [%r13]",
            "not in the block that receives the bytes",
        ),
        (
            "L2::cache_hint [%r10], MAP, [barrier], %d10",
            "not in the block that receives the bytes",
        ),
        (
            "cta_group::2 [%r10], MAP, [%r14]",
            "not in the pair of blocks",
        ),
    ] {
        let load = format!("mov.u64 %d10, 0; {copy}.{load};").replace("MAP", "[%d8, {%r21, %r22}]");
        let fault = in_pairs(&load, [none; 4]).expect_err("it cannot be");
        assert!(fault.contains(message), "{fault}");
    }
}
