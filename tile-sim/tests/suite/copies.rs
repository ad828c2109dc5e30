//! Compares bulk and tensor copies in every form with plain loops over elements.
#![expect(clippy::format_push_string, reason = "texts that grow")]

use tile_sim::{
    Fill, Im2col, Im2colWide, Interleave, Module, Swizzle, TensorMap, TensorMapOptions, TensorType,
};

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

/// A tensor of words whose axes have different lengths, with boxes that extend beyond it.
struct Tensor {
    dims: Vec<u64>,
    extents: Vec<u32>,
    start: Vec<i32>,
}

impl Tensor {
    fn with_rank(rank: usize) -> Self {
        Self {
            dims: [12u64, 6, 5, 3, 4][..rank].to_vec(),
            extents: [8u32, 4, 3, 2, 2][..rank].to_vec(),
            start: [6, -1, 3, 2, -1][..rank].to_vec(),
        }
    }

    fn map(&self) -> TensorMap {
        let mut strides = Vec::new();
        let mut bytes = 4;
        for &length in &self.dims[..self.dims.len() - 1] {
            bytes *= length;
            strides.push(bytes);
        }
        let map = TensorMap::tiled(
            TensorType::UInt32,
            0,
            &self.dims,
            &strides,
            &self.extents,
            &vec![1; self.dims.len()],
            TensorMapOptions::default(),
        );
        map.expect("a map")
    }

    fn bytes(&self) -> u32 {
        4 * self.extents.iter().product::<u32>()
    }

    /// Returns, for each word of the box, the index of the word in the tensor; `None` outside.
    fn places(&self) -> Vec<Option<usize>> {
        let count: u32 = self.extents.iter().product();
        (0..count)
            .map(|mut word| {
                let (mut place, mut unit) = (0, 1);
                for axis in 0..self.dims.len() {
                    let coordinate =
                        i64::from(self.start[axis]) + i64::from(word % self.extents[axis]);
                    word /= self.extents[axis];
                    let length = self.dims[axis] as i64;
                    if !(0..length).contains(&coordinate) {
                        return None;
                    }
                    place += coordinate * unit;
                    unit *= length;
                }
                Some(place as usize)
            })
            .collect()
    }

    /// Returns `[map, {coordinates}]`, and the instructions that set its registers.
    fn operand(&self, map: &str) -> (String, String) {
        let mut before = String::new();
        let mut names = Vec::new();
        for (register, coordinate) in (21..).zip(&self.start) {
            before += &format!("mov.u32 %r{register}, {coordinate}; ");
            names.push(format!("%r{register}"));
        }
        (before, format!("[{map}, {{{}}}]", names.join(", ")))
    }
}

/// Returns instructions that copy `words` words of the tile to the output.
fn show(words: u32) -> String {
    format!(
        "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra SHOWN; mad.lo.u32 %r4, %r3, 4, tile; ld.shared.u32 %r5, [%r4];
         mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d1, %d3; st.global.u32 [%d3], %r5; add.u32 %r3, %r3, 128; bra NEXT; SHOWN:"
    )
}

/// Executes a tensor copy into the tile by one thread, and returns the whole tile.
pub(crate) fn tile_of(
    module_of: impl Fn(&str) -> Module,
    map: TensorMap,
    before: &str,
    load: &str,
    bytes: u32,
) -> Vec<u32> {
    let module = module_of(&format!(
        "@%p0 mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster; bar.sync 0; @!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {bytes}; {before} {load}
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT; {}",
        show(bytes / 4)
    ));
    let mut run = Run::new(128);
    run.source = Some(map);
    run.words(&module)[..bytes as usize / 4].to_vec()
}

#[test]
fn tiles_of_every_rank_are_loaded_and_stored() {
    for rank in 1..=5 {
        let tensor = Tensor::with_rank(rank);
        for mode in ["", ".tile"] {
            let (before, source) = tensor.operand("%d8");
            let name = format!(
                "cp.async.bulk.tensor.{rank}d.shared::cluster.global{mode}.mbarrier::complete_tx::bytes"
            );
            let load = format!("{name} [tile], {source}, [barrier];");
            let actual = tile_of(kernel, tensor.map(), &before, &load, tensor.bytes());
            let expected: Vec<u32> = tensor
                .places()
                .iter()
                .map(|place| place.map_or(0, |place| place as u32 * 3 + 1))
                .collect();
            assert_eq!(actual, expected, "{load}");

            let (before, target) = tensor.operand("%d9");
            for (name, tail) in [
                (
                    format!("cp.async.bulk.tensor.{rank}d.global.shared::cta{mode}.bulk_group"),
                    "",
                ),
                (
                    format!(
                        "cp.async.bulk.tensor.{rank}d.global.shared::cta{mode}.bulk_group.L2::cache_hint"
                    ),
                    ", %d10",
                ),
            ] {
                let words = tensor.bytes() / 4;
                let module = kernel(&format!(
                    "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra FILLED; mad.lo.u32 %r4, %r3, 4, tile;
                     mad.lo.u32 %r5, %r3, 7, 5; st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 128; bra NEXT;
                     FILLED: fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra END; mov.u64 %d10, 0; {before}
                     cp.async.bulk.prefetch.tensor.{rank}d.L2.global{mode} {target};
                     {name} {target}, [tile]{tail}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;"
                ));
                let mut run = Run::new(128);
                run.target = Some(tensor.map());
                let actual = run.words(&module);
                let mut expected = vec![0; actual.len()];
                for (word, place) in tensor.places().into_iter().enumerate() {
                    if let Some(place) = place {
                        expected[place] = word as u32 * 7 + 5;
                    }
                }
                assert_eq!(actual, expected, "{name}");
            }
        }
    }
}

/// Tests `.tile::gather4` and `.tile::scatter4`: a column, and four rows in any order.
#[test]
fn rows_are_gathered_and_scattered() {
    let coordinates = [4, 9, 63, 64, -2];
    let mut before = String::new();
    for (register, coordinate) in (21..).zip(coordinates) {
        before += &format!("mov.u32 %r{register}, {coordinate}; ");
    }
    let source = "[%d8, {%r21, %r22, %r23, %r24, %r25}]";
    let load = format!(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [tile], {source}, [barrier];"
    );
    let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
    let actual = tile_of(blackwell, rows(64, 16), &before, &load, 4 * 64);
    let place = |word: usize| {
        let row = coordinates[1 + word / 16];
        (0..64)
            .contains(&row)
            .then(|| row as usize * 64 + 4 + word % 16)
    };
    let expected: Vec<u32> = (0..64)
        .map(|word| place(word).map_or(0, |place| place as u32 * 3 + 1))
        .collect();
    assert_eq!(actual, expected);
    let module = blackwell(&format!(
        "mad.lo.u32 %r4, %r0, 4, tile; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra END; {before}
         cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group {}, [tile];
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;",
        source.replace("%d8", "%d9")
    ));
    let mut run = Run::new(64);
    run.target = Some(rows(64, 16));
    let actual = run.words(&module);
    let mut expected = vec![0; actual.len()];
    for word in 0..64 {
        if let Some(place) = place(word) {
            expected[place] = word as u32;
        }
    }
    assert_eq!(actual, expected);
}

/// An im2col tensor: every axis but channels and images has a pixel box.
struct Convolution {
    /// Channels, width, height, depth, images; fewer for tensors of lower rank.
    dims: Vec<u64>,
    lower: Vec<i32>,
    upper: Vec<i32>,
    channels: u32,
    pixels: u32,
    start: Vec<i32>,
    offsets: Vec<u16>,
}

impl Convolution {
    fn with_rank(rank: usize) -> Self {
        let spatial = rank - 2;
        let mut dims = vec![8];
        dims.extend(&[6u64, 5, 4][..spatial]);
        dims.push(3);
        let mut start = vec![4];
        start.extend(&[3, 1, -1][..spatial]);
        start.push(1);
        Self {
            dims,
            lower: vec![-1; spatial],
            upper: [0, -1, -2][..spatial].to_vec(),
            channels: 8,
            pixels: 24,
            start,
            offsets: [2, 1, 1][..spatial].to_vec(),
        }
    }

    fn map(&self) -> TensorMap {
        let mut strides = Vec::new();
        let mut bytes = 4;
        for &length in &self.dims[..self.dims.len() - 1] {
            bytes *= length;
            strides.push(bytes);
        }
        let columns = Im2col {
            lower_corner: &self.lower,
            upper_corner: &self.upper,
            channels_per_pixel: self.channels,
            pixels_per_column: self.pixels,
        };
        let steps = vec![1; self.dims.len()];
        let options = TensorMapOptions::default();
        let map = TensorMap::im2col(
            TensorType::UInt32,
            0,
            &self.dims,
            &strides,
            columns,
            &steps,
            options,
        );
        map.expect("a map")
    }

    /// Returns the index of the tensor word at each pixel and channel of a copy.
    fn places(&self, offsets: &[u16]) -> Vec<Option<usize>> {
        let spatial = self.dims.len() - 2;
        let range = |axis: usize| -> Vec<i64> {
            if axis >= spatial {
                return vec![0];
            }
            let last = self.dims[axis + 1] as i64 - 1 + i64::from(self.upper[axis]);
            (i64::from(self.lower[axis])..=last).collect()
        };
        // All base positions of the filter: width first, then height, depth, images.
        let mut corners = Vec::new();
        for image in 0..self.dims[spatial + 1] as i64 + 2 {
            for depth in range(2) {
                for height in range(1) {
                    for width in range(0) {
                        corners.push((image, [width, height, depth]));
                    }
                }
            }
        }
        let start: Vec<i64> = self
            .start
            .iter()
            .map(|&coordinate| i64::from(coordinate))
            .collect();
        let first = corners
            .iter()
            .position(|(image, corner)| {
                *image == start[spatial + 1] && corner[..spatial] == start[1..=spatial]
            })
            .expect("it starts in the box");
        let mut places = Vec::new();
        for (image, corner) in &corners[first..first + self.pixels as usize] {
            for channel in 0..i64::from(self.channels) {
                let mut coordinates = vec![start[0] + channel];
                for axis in 0..spatial {
                    coordinates.push(corner[axis] + i64::from(offsets[axis]));
                }
                coordinates.push(*image);
                let inside = coordinates
                    .iter()
                    .zip(&self.dims)
                    .all(|(&coordinate, &length)| (0..length as i64).contains(&coordinate));
                let place = coordinates
                    .iter()
                    .zip(&self.dims)
                    .rev()
                    .fold(0, |sum, (coordinate, length)| {
                        sum * *length as i64 + coordinate
                    });
                places.push(inside.then_some(place as usize));
            }
        }
        places
    }
}

#[test]
fn columns_of_a_convolution_are_loaded() {
    for rank in 3..=5 {
        let convolution = Convolution::with_rank(rank);
        let mut before = String::new();
        let mut names = Vec::new();
        for (register, coordinate) in (21..).zip(&convolution.start) {
            before += &format!("mov.u32 %r{register}, {coordinate}; ");
            names.push(format!("%r{register}"));
        }
        let mut offsets = Vec::new();
        for (register, offset) in (1..).zip(&convolution.offsets) {
            before += &format!("mov.b16 %h{register}, {offset}; ");
            offsets.push(format!("%h{register}"));
        }
        let [names, offsets] = [names, offsets].map(|names| names.join(", "));
        let load = format!(
            "cp.async.bulk.prefetch.tensor.{rank}d.L2.global.im2col [%d8, {{{names}}}], {{{offsets}}};
             cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%d8, {{{names}}}], [barrier], {{{offsets}}};"
        );
        let words = convolution.channels * convolution.pixels;
        let actual = tile_of(kernel, convolution.map(), &before, &load, 4 * words);
        let expected: Vec<u32> = convolution
            .places(&convolution.offsets)
            .iter()
            .map(|place| place.map_or(0, |place| place as u32 * 3 + 1))
            .collect();
        assert_eq!(actual, expected, "{rank}");

        for (name, kept) in [
            (
                format!(
                    "cp.async.bulk.tensor.{rank}d.global.shared::cta.im2col_no_offs.bulk_group"
                ),
                0,
            ),
            (
                format!(
                    "cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.add.im2col_no_offs.bulk_group"
                ),
                100,
            ),
        ] {
            let module = kernel(&format!(
                "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra OLD; mad.lo.u32 %r4, %r3, 4, tile;
                 mad.lo.u32 %r5, %r3, 7, 5; st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 128; bra NEXT;
                 OLD: mov.u32 %r3, %r0; MORE: setp.ge.u32 %p3, %r3, 2048; @%p3 bra FILLED; mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d1, %d3;
                 st.global.u32 [%d3], {kept}; add.u32 %r3, %r3, 128; bra MORE;
                 FILLED: fence.proxy.async; bar.sync 0; @!%p0 bra END; {before}
                 {name} [%d9, {{{names}}}], [tile]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;"
            ));
            let mut run = Run::new(128);
            run.target = Some(convolution.map());
            let actual = run.words(&module);
            let mut expected: Vec<u32> = (0..4096)
                .map(|word| if word < 2048 { kept } else { 0 })
                .collect();
            for (word, place) in convolution.places(&[0; 3]).into_iter().enumerate() {
                if let Some(place) = place {
                    expected[place] = word as u32 * 7 + 5 + kept;
                }
            }
            assert_eq!(actual, expected, "{name}");
        }
    }
}

/// Replaces the fields of a map in global memory by those of another, whose bytes the host creates.
#[test]
fn fields_of_a_tensor_map_are_replaced() {
    let tiled = |ty, dims: &[u64], strides: &[u64], extents: &[u32], steps: &[u32], options| {
        TensorMap::tiled(ty, 0x2000, dims, strides, extents, steps, options).expect("a map")
    };
    let from = tiled(
        TensorType::UInt32,
        &[64, 64],
        &[256],
        &[16, 32],
        &[1, 1],
        TensorMapOptions::default(),
    );
    let swizzled = TensorMapOptions {
        swizzle: Swizzle::Bytes64,
        fill: Fill::NanRequestZeroFma,
        ..TensorMapOptions::default()
    };
    let sliced = TensorMapOptions {
        interleave: Interleave::Bytes16,
        ..TensorMapOptions::default()
    };
    // The numbers of the PTX ISA: type, interleave, swizzle, fill.
    for (to, [ty, interleave, swizzle, fill]) in [
        (
            tiled(
                TensorType::Float16,
                &[40, 24, 10],
                &[96, 2304],
                &[32, 4, 2],
                &[1, 2, 1],
                swizzled,
            ),
            [6, 0, 2, 1],
        ),
        (
            tiled(
                TensorType::UInt16,
                &[40, 24, 10],
                &[96, 2304],
                &[8, 4, 2],
                &[1, 2, 1],
                sliced,
            ),
            [1, 1, 0, 0],
        ),
    ] {
        for (space, address) in [("global", "%d1"), ("shared::cta", "tile")] {
            let box_dim = if interleave == 0 { 32 } else { 8 };
            let replace = |field: &str, kind: &str, operands: &str| {
                format!(
                    "tensormap.replace.tile.{field}.{space}.b1024.{kind} [{address}], {operands};\n"
                )
            };
            let mut body = String::from("@!%p0 bra END; mov.u32 %r9, 2; mov.u64 %d7, 0x2000;\n");
            for part in 0..16 {
                let part = 8 * part;
                body += &format!(
                    "ld.param.u64 %d2, [source+{part}]; st.{space}.u64 [{address}+{part}], %d2;"
                );
            }
            body += &replace("global_address", "b64", "%d7");
            body += &replace("rank", "b32", "%r9");
            for (axis, [box_dim, dim, step]) in [[box_dim, 40, 1], [4, 24, 2], [2, 10, 1]]
                .into_iter()
                .enumerate()
            {
                body += &replace("box_dim", "b32", &format!("{axis}, {box_dim}"));
                body += &replace("global_dim", "b32", &format!("{axis}, {dim}"));
                body += &replace("element_stride", "b32", &format!("{axis}, {step}"));
            }
            for (axis, stride) in [96, 2304].into_iter().enumerate() {
                body += &format!("mov.u64 %d6, {stride};");
                body += &replace("global_stride", "b64", &format!("{axis}, %d6"));
            }
            for (field, number) in [
                ("elemtype", ty),
                ("interleave_layout", interleave),
                ("swizzle_mode", swizzle),
                ("fill_mode", fill),
            ] {
                body += &replace(field, "b32", &number.to_string());
            }
            for part in 0..16 {
                let part = 8 * part;
                body += &format!(
                    "ld.{space}.u64 %d2, [{address}+{part}]; st.global.u64 [%d1+{part}], %d2;"
                );
            }
            body += "END: ret;";
            let mut run = Run::new(32);
            run.source = Some(from);
            let text = kernel_for("8.6", "sm_90a", &body.replace("[source+", "[source + "));
            let actual = bytes_of(&run.words(&text)[..32]);
            // The kernel receives the address of the first map, which is replaced too.
            assert_eq!(actual, to.to_bytes(), "{space}");
        }
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

/// `im2col::w`: pixels along the width, continuing in the next image, and the halo that filters
/// need after them.
#[test]
fn rows_of_a_convolution_are_loaded_with_their_halo() {
    let (channels, width, height, images) = (8u64, 9u64, 2u64, 20u64);
    let [lower, upper, step] = [-1i64, -1, 1];
    for w128 in [false, true] {
        for (step, start, halo, offset) in [
            (step, 2i64, 0u16, 0u16),
            (1, 2, 2, 0),
            (1, -1, 2, 1),
            (2, -1, 1, 0),
            (1, 7, 2, 2),
        ] {
            let pixels = if w128 { 128 } else { 40 };
            let map = TensorMap::im2col_wide(
                TensorType::UInt32,
                0,
                &[channels, width, height, images],
                &[32, 32 * width, 32 * width * height],
                Im2colWide {
                    lower_corner: lower as i32,
                    upper_corner: upper as i32,
                    channels_per_pixel: 8,
                    pixels_per_column: 40,
                    w128,
                },
                &[1, step as u32, 1, 1],
                TensorMapOptions {
                    swizzle: Swizzle::Bytes32,
                    ..TensorMapOptions::default()
                },
            )
            .expect("a map");
            // The pixels, image by image, with their positions along the width.
            let mut expected_pixels = Vec::new();
            let (mut image, mut column) = (1i64, start);
            let part = if w128 { 32 } else { pixels };
            while expected_pixels.len() < pixels + pixels / part * usize::from(halo) {
                for _ in 0..part {
                    expected_pixels.push((image, column + i64::from(offset)));
                    column += step;
                    if column > width as i64 - 1 + upper {
                        column = lower;
                        image += 1;
                    }
                }
                let (image, last) = *expected_pixels.last().expect("a part has pixels");
                for number in 1..=i64::from(halo) {
                    expected_pixels.push((image, last + number * step));
                }
            }
            let row = 1u64;
            let mut expected = vec![0; expected_pixels.len() * 8];
            for (pixel, &(image, column)) in expected_pixels.iter().enumerate() {
                for channel in 0..8 {
                    let byte = pixel * 32 + channel * 4;
                    // The swizzle exchanges 16-byte chunks in every other 128 bytes.
                    let byte = byte ^ (byte >> 7 & 1) << 4;
                    let inside =
                        (0..width as i64).contains(&column) && (0..images as i64).contains(&image);
                    let place = ((image as u64 * height + row) * width) as i64 + column;
                    expected[byte / 4] = if inside {
                        (place as u32 * 8 + channel as u32) * 3 + 1
                    } else {
                        0
                    };
                }
            }
            let before = format!(
                "mov.u32 %r21, 0; mov.u32 %r22, {start}; mov.u32 %r23, {row}; mov.u32 %r24, 1; mov.b16 %h1, {halo}; mov.b16 %h2, {offset};"
            );
            let mode = if w128 { "im2col::w::128" } else { "im2col::w" };
            let load = format!(
                "cp.async.bulk.prefetch.tensor.4d.L2.global.{mode} [%d8, {{%r21, %r22, %r23, %r24}}], {{%h1, %h2}};
                 cp.async.bulk.tensor.4d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes
                 [tile], [%d8, {{%r21, %r22, %r23, %r24}}], [barrier], {{%h1, %h2}};"
            );
            let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
            let actual = tile_of(blackwell, map, &before, &load, 4 * expected.len() as u32);
            assert_eq!(
                actual, expected,
                "{mode}, step {step}, start {start}, halo {halo}, offset {offset}"
            );
        }
    }
    // The same with three axes: a tensor without height.
    for (mode, w128) in [("im2col::w", false), ("im2col::w::128", true)] {
        let map = TensorMap::im2col_wide(
            TensorType::UInt32,
            0,
            &[8, 9, 20],
            &[32, 32 * 9],
            Im2colWide {
                lower_corner: 0,
                upper_corner: 0,
                channels_per_pixel: 8,
                pixels_per_column: 128,
                w128,
            },
            &[1, 1, 1],
            TensorMapOptions {
                swizzle: Swizzle::Bytes32,
                ..TensorMapOptions::default()
            },
        );
        let before =
            "mov.u32 %r21, 0; mov.u32 %r22, 2; mov.u32 %r23, 0; mov.b16 %h1, 0; mov.b16 %h2, 0;";
        let load = format!(
            "cp.async.bulk.tensor.3d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes
             [tile], [%d8, {{%r21, %r22, %r23}}], [barrier], {{%h1, %h2}};"
        );
        let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
        let actual = tile_of(blackwell, map.expect("a map"), before, &load, 128 * 32);
        for (word, &actual) in actual.iter().enumerate() {
            let byte = word * 4;
            let offset = (byte ^ (byte >> 7 & 1) << 4) / 4 + 16;
            assert_eq!(actual, offset as u32 * 3 + 1, "{mode}, word {word}");
        }
    }
}
