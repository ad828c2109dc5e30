//! Tests of tensor memory: allocation, loads and stores.
//!
//! The positions of register bits are computed from the layouts of CUTLASS
//! (`cute/atom/copy_traits_sm100.hpp`): strides, in bits, of threads and values over the bits of
//! all lanes, lane by lane.

use tile_sim::{Arg, Checks, Fault, FaultKind, Launch, Memory, Module, Options};

/// Returns a kernel with the buffers `from` and `to` in `%d0` and `%d1`, the thread in `%r0`, and
/// the warp in `%r1`. `%r2` contains the lane of the warp's first row, as an address.
pub(crate) fn kernel_for(target: &str, body: &str) -> Module {
    let text = format!(
        ".version 9.0\n.target {target}\n.address_size 64\n\
         .visible .entry k(.param .u64 from, .param .u64 to) {{\n\
         .shared .align 1024 .b8 tile[16384]; .shared .align 8 .b8 barrier[64]; .shared .align 4 .b32 base;\n\
         .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .b32 %v<128>;\n\
         ld.param.u64 %d0, [from]; ld.param.u64 %d1, [to];\n\
         mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 21;\n\
         {body}\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(crate) fn kernel(body: &str) -> Module {
    kernel_for("sm_100a", body)
}

/// The line at which the body begins.
pub(crate) const FIRST: u32 = 9;

/// A launch of one cluster of several blocks.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) threads: u32,
    pub(crate) blocks: u32,
    pub(crate) words: usize,
    pub(crate) checks: Checks,
}

impl Run {
    pub(crate) fn new(threads: u32) -> Self {
        Self {
            threads,
            blocks: 1,
            words: 1024,
            checks: Checks::All,
        }
    }

    pub(crate) fn once(self, module: &Module, from: &[u32], seed: u64) -> Result<Vec<u32>, Fault> {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = from.iter().flat_map(|word| word.to_le_bytes()).collect();
        let from = memory.alloc_with(&bytes, 128);
        let to = memory.alloc(self.words * 4, 128);
        let launch = Launch::new("k")
            .threads(self.threads)
            .grid([self.blocks, 1, 1])
            .cluster([self.blocks, 1, 1])
            .args([from, to].map(Arg::from));
        let options = Options {
            seed,
            checks: self.checks,
            max_instructions: 1 << 20,
            ..Options::default()
        };
        crate::support::launch(module, &launch, &mut memory, &options)?;
        let words = memory.bytes(to).unwrap().chunks(4);
        Ok(words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect())
    }

    /// Runs with many seeds, which must give equal results.
    pub(crate) fn words(self, module: &Module, from: &[u32]) -> Vec<u32> {
        let mut first: Option<Vec<u32>> = None;
        for seed in 0..12 {
            let words = self.once(module, from, seed);
            let words = words.unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            let first = first.get_or_insert_with(|| words.clone());
            assert_eq!(*first, words, "seed {seed}");
        }
        first.expect("there are seeds")
    }

    /// Returns the fault, which each seed must find at the same line, relative to the body.
    pub(crate) fn fault(self, module: &Module) -> (u32, FaultKind) {
        let from = vec![0; 1024];
        let fault = |seed| match self.once(module, &from, seed) {
            Ok(_) => panic!("seed {seed} finds nothing"),
            Err(fault) => fault,
        };
        let first = fault(0);
        for seed in 1..12 {
            let other = fault(seed);
            assert_eq!(first.line, other.line, "seed {seed}: {other}, not {first}");
        }
        let line = first.line.checked_sub(FIRST);
        (line.unwrap_or_else(|| panic!("{first}")), first.kind)
    }
}

pub(crate) fn message(kind: &FaultKind) -> &str {
    match kind {
        FaultKind::TensorMemory(message) | FaultKind::Stuck(message) => message,
        other => panic!("{other}"),
    }
}

/// Returns instructions by which warp 0 allocates columns and all warps read their address.
pub(crate) fn alloc(columns: u32) -> String {
    format!(
        "setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, base;
         @%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], {columns};
         bar.sync 0; ld.shared.b32 %r4, [base];"
    )
}

/// Returns instructions by which warp 0 deallocates the columns after all warps have arrived.
pub(crate) fn dealloc(columns: u32) -> String {
    format!(
        "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
         @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, {columns}; exit;"
    )
}

/// A shape: its lanes, and the strides in bits as in CUTLASS, for lanes of `width` bits.
struct Shape {
    name: &'static str,
    /// The number of registers per thread, and of bits per lane, of one repetition.
    registers: usize,
    bits: usize,
    /// `(size, stride)` of threads.
    threads: fn(width: usize) -> Vec<(usize, usize)>,
    /// `(size, stride)` of a thread's bits.
    values: fn(width: usize, repetitions: usize) -> Vec<(usize, usize)>,
}

const SHAPES: [Shape; 5] = [
    Shape {
        name: "32x32b",
        registers: 1,
        bits: 32,
        threads: |width| vec![(32, width)],
        values: |width, _| vec![(width, 1)],
    },
    Shape {
        name: "16x64b",
        registers: 1,
        bits: 64,
        threads: |width| vec![(2, 8 * width), (2, 32), (8, width)],
        values: |_, repetitions| vec![(32, 1), (repetitions, 64)],
    },
    Shape {
        name: "16x128b",
        registers: 2,
        bits: 128,
        threads: |width| vec![(4, 32), (8, width)],
        values: |width, repetitions| vec![(32, 1), (2, 8 * width), (repetitions, 128)],
    },
    Shape {
        name: "16x256b",
        registers: 4,
        bits: 256,
        threads: |width| vec![(4, 64), (8, width)],
        values: |width, repetitions| vec![(64, 1), (2, 8 * width), (repetitions, 256)],
    },
    // The second half follows the first, at the offset of the tests.
    Shape {
        name: "16x32bx2",
        registers: 1,
        bits: 64,
        threads: |width| vec![(16, width), (2, width / 2)],
        values: |width, _| vec![(width / 2, 1)],
    },
];

fn offset(mut index: usize, layout: &[(usize, usize)]) -> usize {
    let mut offset = 0;
    for &(size, stride) in layout {
        offset += index % size * stride;
        index /= size;
    }
    offset
}

impl Shape {
    /// Returns the lane that holds a bit of a thread's registers, and the position of the bit in
    /// the lane.
    fn place(&self, repetitions: usize, thread: usize, bit: usize) -> (usize, usize) {
        let width = self.bits * repetitions;
        let position = offset(thread, &(self.threads)(width))
            + offset(bit, &(self.values)(width, repetitions));
        (position / width, position % width)
    }

    /// Returns the lane and the bit in memory. With `halves`, only the lower 16 bits of a column
    /// hold data.
    fn memory(
        &self,
        repetitions: usize,
        halves: bool,
        thread: usize,
        bit: usize,
    ) -> (usize, usize) {
        let (lane, bit) = self.place(repetitions, thread, bit);
        if halves {
            (lane, bit / 16 * 32 + bit % 16)
        } else {
            (lane, bit)
        }
    }

    /// Returns the offset of the second half, as an operand.
    fn second(&self, repetitions: usize, halves: bool) -> String {
        if self.name == "16x32bx2" {
            let columns = repetitions * if halves { 2 } else { 1 };
            format!(", {columns}")
        } else {
            String::new()
        }
    }

    fn lanes(&self) -> usize {
        if self.name == "32x32b" { 32 } else { 16 }
    }
}

fn forms() -> impl Iterator<Item = (&'static Shape, usize, bool)> {
    SHAPES.iter().flat_map(|shape| {
        let powers = (0..8).map(|power| 1 << power);
        let fitting = powers.filter(move |repetitions| repetitions * shape.registers <= 128);
        fitting
            .flat_map(move |repetitions| [false, true].map(|halves| (shape, repetitions, halves)))
    })
}

fn columns(shape: &Shape, repetitions: usize, halves: bool) -> usize {
    shape.bits * repetitions / 32 * if halves { 2 } else { 1 }
}

fn vector(count: usize) -> String {
    let registers: Vec<String> = (0..count).map(|number| format!("%v{number}")).collect();
    format!("{{{}}}", registers.join(", "))
}

/// Fills `columns` columns of the warp's lanes with the values that `value` computes in `%r6`, from
/// `%r0` and the column `%r5`.
fn fill(columns: usize, value: &str) -> String {
    format!(
        "mov.u32 %r5, 0; add.u32 %r7, %r4, %r2;
         F: {value} tcgen05.st.sync.aligned.32x32b.x1.b32 [%r7], {{%r6}};
         add.u32 %r7, %r7, 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, {columns}; @%p2 bra F;
         tcgen05.wait::st.sync.aligned;"
    )
}

/// Returns the bits of a cell after [`fill`] with [`PATTERN`].
fn cell(lane: usize, column: usize) -> u32 {
    let low = (lane << 9 | column) as u32;
    low | (low ^ 0x5aa5) << 16
}

/// Computes the value of [`cell`].
const PATTERN: &str = "shl.b32 %r6, %r0, 9; and.b32 %r6, %r6, 0xffff; or.b32 %r6, %r6, %r5; xor.b32 %r8, %r6, 0x5aa5; shl.b32 %r8, %r8, 16; or.b32 %r6, %r6, %r8;";

#[test]
fn loads_of_all_shapes_give_each_thread_its_cells() {
    for (shape, repetitions, halves) in forms() {
        let count = shape.registers * repetitions;
        let columns = columns(shape, repetitions, halves);
        let taken = columns.next_power_of_two().max(32) as u32;
        let name = format!(
            "tcgen05.ld.sync.aligned.{}.x{repetitions}{}.b32",
            shape.name,
            if halves { ".pack::16b" } else { "" }
        );
        let second = shape.second(repetitions, halves);
        let stores: Vec<String> = (0..count)
            .map(|number| format!("st.global.b32 [%d2+{}], %v{number};", number * 4))
            .collect();
        let stores = stores.concat();
        // The upper 16 lanes of the warp's quarter, for shapes of 16 lanes.
        let lane = 32 - shape.lanes();
        let body = format!(
            "{} {} add.u32 %r7, %r4, %r2; {name} {}, [%r7+{}]{second}; tcgen05.wait::ld.sync.aligned;
             mul.lo.u32 %r8, %r0, {}; cvt.u64.u32 %d2, %r8; add.u64 %d2, %d2, %d1; {stores} {}",
            alloc(taken),
            fill(columns, PATTERN),
            vector(count),
            lane << 16,
            count * 4,
            dealloc(taken),
        );
        let run = Run {
            words: 128 * count,
            ..Run::new(128)
        };
        let actual = run.once(&kernel(&body), &[0], 0);
        let actual = actual.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for thread in 0..128 {
            for register in 0..count {
                let mut expected = 0;
                for bit in 0..32 {
                    let (row, position) =
                        shape.memory(repetitions, halves, thread % 32, register * 32 + bit);
                    let cell = cell(thread / 32 * 32 + lane + row, position / 32);
                    expected |= (cell >> (position % 32) & 1) << bit;
                }
                let actual = actual[thread * count + register];
                assert_eq!(
                    actual, expected,
                    "{name}: register {register} of thread {thread}: {actual:#x}, not {expected:#x}"
                );
            }
        }
    }
}

#[test]
fn stores_of_all_shapes_put_each_thread_s_registers() {
    for (shape, repetitions, halves) in forms() {
        let count = shape.registers * repetitions;
        let columns = columns(shape, repetitions, halves);
        let taken = columns.next_power_of_two().max(32) as u32;
        let name = format!(
            "tcgen05.st.sync.aligned.{}.x{repetitions}{}.b32",
            shape.name,
            if halves { ".unpack::16b" } else { "" }
        );
        let second = shape.second(repetitions, halves);
        let second = second
            .strip_prefix(", ")
            .map_or(String::new(), |it| format!("{it}, "));
        let value = |thread: usize, register: usize| ((thread << 8 | register) as u32) << 8 | 0x5a;
        let values: Vec<String> = (0..count)
            .map(|number| {
                let low = number << 8 | 0x5a;
                format!("shl.b32 %v{number}, %r0, 16; or.b32 %v{number}, %v{number}, {low};")
            })
            .collect();
        let values = values.concat();
        let lane = 32 - shape.lanes();
        let body = format!(
            "{} {} {values} add.u32 %r7, %r4, %r2; {name} [%r7+{}], {second}{}; tcgen05.wait::st.sync.aligned;
             add.u32 %r7, %r4, %r2; mul.lo.u32 %r8, %r0, {}; cvt.u64.u32 %d2, %r8; add.u64 %d2, %d2, %d1;
             mov.u32 %r5, 0;
             G: tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r6}}, [%r7]; st.global.b32 [%d2], %r6;
             add.u64 %d2, %d2, 4; add.u32 %r7, %r7, 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, {columns}; @%p2 bra G;
             tcgen05.wait::ld.sync.aligned; {}",
            alloc(taken),
            fill(columns, PATTERN),
            lane << 16,
            vector(count),
            columns * 4,
            dealloc(taken),
        );
        let run = Run {
            words: 128 * columns,
            ..Run::new(128)
        };
        let actual = run.once(&kernel(&body), &[0], 0);
        let actual = actual.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let mut expected: Vec<u32> = (0..128 * columns)
            .map(|index| cell(index / columns, index % columns))
            .collect();
        for thread in 0..128 {
            for bit in 0..32 * count {
                let (row, position) = shape.memory(repetitions, halves, thread % 32, bit);
                let row = thread / 32 * 32 + lane + row;
                let cell = &mut expected[row * columns + position / 32];
                let set = value(thread, bit / 32) >> (bit % 32) & 1;
                *cell = *cell & !(1 << (position % 32)) | set << (position % 32);
            }
        }
        for (index, (&actual, &expected)) in actual.iter().zip(&expected).enumerate() {
            let (row, column) = (index / columns, index % columns);
            // The contents of the upper halves are undefined.
            let stored = row % 32 >= lane;
            let mask = if halves && stored { 0xffff } else { u32::MAX };
            assert_eq!(
                actual & mask,
                expected & mask,
                "{name}: lane {row}, column {column}: {actual:#x}, not {expected:#x}"
            );
        }
    }
}

type Fold = fn(u32, u32) -> u32;

/// Returns `true` if `x` is less than `y`. -0 is less than +0, and a comparison with NaN is
/// `false`.
fn floats_less(x: u32, y: u32) -> bool {
    let (a, b) = (f32::from_bits(x), f32::from_bits(y));
    a < b || a == b && x > y
}

#[test]
fn reductions_give_each_thread_the_least_or_the_greatest_of_what_it_loads() {
    let floats = |bits: u32| f32::from_bits(bits);
    let forms: [(&str, Fold); 8] = [
        ("min.u32", |x, y| x.min(y)),
        ("u32.max", |x, y| x.max(y)),
        ("min.s32", |x, y| (x as i32).min(y as i32) as u32),
        ("max.s32", |x, y| (x as i32).max(y as i32) as u32),
        ("min.f32", |x, y| if floats_less(x, y) { x } else { y }),
        ("max.f32", |x, y| if floats_less(x, y) { y } else { x }),
        ("max.abs.f32", |x, y| {
            let (x, y) = (x & 0x7fff_ffff, y & 0x7fff_ffff);
            if floats_less(x, y) { y } else { x }
        }),
        ("min.NaN.f32", |x, y| {
            if f32::from_bits(x).is_nan() || f32::from_bits(y).is_nan() {
                0x7fff_ffff
            } else if floats_less(x, y) {
                x
            } else {
                y
            }
        }),
    ];
    // Numbers of both signs and all magnitudes, with a NaN for some threads.
    let input: Vec<u32> = (0..128 * 4u32)
        .map(|index| {
            let bits = index.wrapping_mul(0x9e37_79b9).rotate_left(7) ^ index;
            if floats(bits).is_nan() {
                bits & 0x3fff_ffff
            } else {
                bits
            }
        })
        .collect();
    let mut with_nan = input.clone();
    for thread in (0..128).step_by(3) {
        with_nan[thread * 4 + thread % 4] = 0x7fc0_1234;
    }
    for (form, fold) in forms {
        let input = if form == "min.NaN.f32" {
            &with_nan
        } else {
            &input
        };
        for (shape, reduced) in [("32x32b", "%v8"), ("16x32bx2", "{%v8}")] {
            // Each thread reads back the values that it stored.
            let (second, store) = if shape == "16x32bx2" {
                (", 4", "4, ")
            } else {
                ("", "")
            };
            let body = format!(
                "{} add.u32 %r7, %r4, %r2; mul.wide.u32 %d2, %r0, 16; add.u64 %d2, %d2, %d0;
                 ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%d2];
                 tcgen05.st.sync.aligned.{shape}.x4.b32 [%r7], {store}{{%v0, %v1, %v2, %v3}}; tcgen05.wait::st.sync.aligned;
                 tcgen05.ld.red.sync.aligned.{shape}.x4.{form} {{%v4, %v5, %v6, %v7}}, {reduced}, [%r7]{second};
                 tcgen05.wait::ld.sync.aligned;
                 mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %v8; {}",
                alloc(32),
                dealloc(32),
            );
            let actual = Run::new(128).words(&kernel_for("sm_103a", &body), input);
            for thread in 0..128 {
                let loaded = &input[thread * 4..][..4];
                let expected = loaded.iter().copied().reduce(fold).unwrap();
                assert_eq!(actual[thread], expected, "{form}, {shape}, thread {thread}");
            }
        }
    }
}

#[test]
fn reductions_of_every_width() {
    let list = |count: u32| {
        let names: Vec<String> = (0..count).map(|number| format!("%v{number}")).collect();
        names.join(", ")
    };
    // Numbers without NaN, of both signs.
    let word = |index: u32| index.wrapping_mul(0x9e37_79b9) & 0xbfff_ffff;
    let mut cases: Vec<(&str, u32, &str)> = [2, 4, 8, 16, 32, 64, 128]
        .into_iter()
        .flat_map(|width| [("32x32b", width, "min.u32"), ("32x32b", width, "max.s32")])
        .collect();
    cases.extend([
        ("16x32bx2", 4, "min.u32"),
        // The modifiers may be in any order.
        ("32x32b", 2, "u32.min"),
        ("32x32b", 4, "f32.max.abs"),
    ]);
    for (shape, width, form) in cases {
        let second = if shape == "16x32bx2" { ", 8" } else { "" };
        let loads: Vec<String> = (0..width)
            .map(|number| format!("ld.global.b32 %v{number}, [%d2+{}];", 4 * number))
            .collect();
        let loads = loads.concat();
        let registers = list(width);
        let columns = width.max(32);
        let body = format!(
            "{} add.u32 %r7, %r4, %r2; mul.wide.u32 %d2, %r0, {}; add.u64 %d2, %d2, %d0; {loads}
             tcgen05.st.sync.aligned.{shape}.x{width}.b32 [%r7]{second}, {{{registers}}}; tcgen05.wait::st.sync.aligned;
             tcgen05.ld.red.sync.aligned.{shape}.x{width}.{form} {{{registers}}}, %r12, [%r7]{second};
             tcgen05.wait::ld.sync.aligned;
             mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %r12; {}",
            alloc(columns),
            4 * width,
            dealloc(columns),
        );
        let input: Vec<u32> = (0..128 * width).map(word).collect();
        let actual = Run::new(128).words(&kernel_for("sm_103a", &body), &input);
        for (loaded, actual) in input.chunks_exact(width as usize).zip(actual) {
            let expected = match form {
                "max.s32" => loaded.iter().map(|&word| word as i32).max().unwrap() as u32,
                "f32.max.abs" => loaded.iter().map(|word| word & 0x7fff_ffff).max().unwrap(),
                _ => *loaded.iter().min().unwrap(),
            };
            assert_eq!(actual, expected, "{shape}.x{width}.{form}");
        }
    }
}

#[test]
fn columns_are_taken_at_multiples_of_their_number_and_given_back() {
    // 32, 128, 64 columns; the middle ones are deallocated and allocated by another warp.
    let take = |columns: u32, register: u32| {
        format!(
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], {columns}; ld.shared.b32 %r{register}, [base];"
        )
    };
    let give = |columns: u32, register: u32| {
        format!("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r{register}, {columns};")
    };
    let body = format!(
        "mov.u32 %r3, base; {} {} {} {} {} {} {} {} {}
         mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %r10;
         st.global.b32 [%d2+128], %r11; st.global.b32 [%d2+256], %r12; st.global.b32 [%d2+384], %r13; exit;",
        take(32, 10),
        take(128, 11),
        take(64, 12),
        give(128, 11),
        take(256, 13),
        give(32, 10),
        give(64, 12),
        give(256, 13),
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
    );
    let actual = Run::new(32).words(&kernel(&body), &[0]);
    assert_eq!(
        [actual[0], actual[32], actual[64], actual[96]],
        [0, 128, 64, 256]
    );
}

#[test]
fn an_allocation_waits_until_others_give_back() {
    // Warp 1 requests the columns that warp 0 has.
    let body = "mov.u32 %r3, base; shl.b32 %r9, %r1, 3; add.u32 %r9, %r9, 0; mov.u32 %r3, tile; add.u32 %r3, %r3, %r9;
         tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 512; ld.shared.b32 %r4, [%r3];
         add.u32 %r7, %r4, %r2; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r7], {%r0}; tcgen05.wait::st.sync.aligned;
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r7]; tcgen05.wait::ld.sync.aligned;
         tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 512;
         mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; st.global.b32 [%d2], %v0; exit;";
    let actual = Run::new(256).words(&kernel(body), &[0]);
    let expected: Vec<u32> = (0..256).collect();
    assert_eq!(actual[..256], expected);
}

#[test]
fn an_allocation_for_which_there_never_is_room_is_named() {
    let body = "mov.u32 %r3, base;
         tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 512;
         tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; exit;";
    let (line, kind) = Run::new(32).fault(&kernel(body));
    assert_eq!(line, 2);
    assert_eq!(
        message(&kind),
        "`tcgen05.alloc` waits for columns, of which 0 are free: the others were not deallocated"
    );
}

#[test]
fn a_pair_of_blocks_takes_and_gives_back_together() {
    let body = "mov.u32 %r3, base; mov.u32 %r9, %cluster_ctarank;
         tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], 64; ld.shared.b32 %r4, [base];
         tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], 128; ld.shared.b32 %r5, [base];
         tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r4, 64;
         tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r5, 128;
         tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
         mad.lo.u32 %r9, %r9, 32, %r0; mul.wide.u32 %d2, %r9, 8; add.u64 %d2, %d2, %d1;
         st.global.v2.b32 [%d2], {%r4, %r5}; exit;";
    let run = Run {
        blocks: 4,
        ..Run::new(32)
    };
    let actual = run.words(&kernel(body), &[0]);
    assert!(actual[..256].chunks(2).all(|pair| pair == [0, 128]));
}

#[test]
fn misuse_of_columns_is_named() {
    let take = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64;";
    let give = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 64;";
    let cases: [(u32, &str, u32, &str); 9] = [
        (
            1,
            "mov.u32 %r9, 96;\ntcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], %r9;",
            1,
            "the number of columns, 96, must be a power of two from 32 to 512",
        ),
        (
            1,
            "TAKE ld.shared.b32 %r4, [base];\nexit;",
            1,
            "the block exits without deallocating the 64 columns of line 9: use `tcgen05.dealloc`",
        ),
        (
            1,
            "TAKE ld.shared.b32 %r4, [base];\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 32;",
            1,
            "deallocation of 32 columns at 0x0, which is not an allocation: there are 64 at 0x0",
        ),
        (
            1,
            "mov.u32 %r4, 0;\nGIVE",
            1,
            "deallocation of 64 columns at 0x0, which is not an allocation: there is none",
        ),
        (
            1,
            "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nTAKE",
            1,
            "the block relinquished its allocation permit on line 9",
        ),
        (
            1,
            "TAKE ld.shared.b32 %r4, [base];\ntcgen05.dealloc.cta_group::2.sync.aligned.b32 %r4, 64;",
            1,
            "`.cta_group::2` requires two blocks whose ranks differ in the last bit, but the cluster has 1: launch with an even cluster size",
        ),
        (
            2,
            "TAKE ld.shared.b32 %r4, [base];\ntcgen05.dealloc.cta_group::2.sync.aligned.b32 %r4, 64;",
            1,
            "`.cta_group::2` in a kernel that has used `.cta_group::1`: all of a kernel must be the same",
        ),
        (
            2,
            "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], %r10;",
            0,
            "PAIR",
        ),
        (
            2,
            "mov.u32 %r9, %cluster_ctarank; setp.eq.u32 %p1, %r9, 0;\n@%p1 tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r3], 64; barrier.cluster.arrive; barrier.cluster.wait; exit;",
            1,
            "`tcgen05.alloc.cta_group::2` waits for a warp of the other block of the pair, or for columns: 512 are free here",
        ),
    ];
    for (blocks, text, line, expected) in cases {
        let text = text.replace("TAKE", take).replace("GIVE", give);
        let body = format!(
            "mov.u32 %r3, base; mov.u32 %r10, %cluster_ctarank; add.u32 %r10, %r10, 1; shl.b32 %r10, %r10, 6; {text}\nexit;"
        );
        let run = Run {
            blocks,
            ..Run::new(32)
        };
        let (actual_line, kind) = run.fault(&kernel(&body));
        assert_eq!(actual_line, line, "{text}: {kind}");
        let actual = message(&kind);
        if expected == "PAIR" {
            assert!(
                [64, 128]
                    .iter()
                    .all(|columns| actual.contains(&format!("allocates {columns} columns"))),
                "{actual}"
            );
        } else {
            assert_eq!(actual, expected, "{text}");
        }
    }
}

#[test]
fn accesses_outside_of_a_warp_s_lanes_or_of_allocations_are_named() {
    let cases = [
        (
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r4];",
            "lanes 0..32 are not accessible to the warp: it can access 32..64",
        ),
        (
            "add.u32 %r7, %r7, 0x100000; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r7];",
            "the address has lane 48, which must be a multiple of 32",
        ),
        (
            "add.u32 %r7, %r7, 0x200000; tcgen05.ld.sync.aligned.16x64b.x1.b32 {%v0}, [%r7];",
            "lanes 64..80 are not accessible to the warp: it can access 32..64",
        ),
        (
            "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r7+31], {%r0, %r0};",
            "access to columns 31..33, but column 32 is not allocated",
        ),
        (
            "tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%r7], 32, {%r0};",
            "access to columns 32..33, but column 32 is not allocated",
        ),
        (
            "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r7+511], {%r0, %r0};",
            "access to lanes 32..64 of columns 511..513, but there are 128 lanes of 512 columns",
        ),
        (
            "add.u32 %r7, %r7, %r0; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r7];",
            "the lanes of the warp have different addresses",
        ),
    ];
    for (text, expected) in cases {
        let body = format!(
            "{} add.u32 %r7, %r4, %r2; mov.u32 %v0, 0; setp.eq.u32 %p3, %r1, 1; @!%p3 bra E;\n{text}\nE: {}",
            alloc(32).replace('\n', " "),
            dealloc(32)
        );
        let (line, kind) = Run::new(64).fault(&kernel(&body));
        assert_eq!((line, message(&kind)), (1, expected), "{text}");
    }
}

#[test]
fn a_warp_takes_part_as_a_whole() {
    let body = format!(
        "{} add.u32 %r7, %r4, %r2; setp.lt.u32 %p3, %r0, 16;\n@%p3 tcgen05.st.sync.aligned.32x32b.x1.b32 [%r7], {{%r0}};\n{}",
        alloc(32).replace('\n', " "),
        dealloc(32)
    );
    let (line, kind) = Run::new(32).fault(&kernel(&body));
    assert_eq!(line, 1);
    assert!(matches!(kind, FaultKind::Divergence { .. }), "{kind}");
}
