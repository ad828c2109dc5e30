//! Compares matrix multiply-accumulate and matrix moves with plain loops.
//!
//! The fragment layouts are written out here independently, element by element as the PTX ISA lists
//! them.

#![expect(
    clippy::format_collect,
    clippy::needless_pass_by_value,
    clippy::needless_range_loop,
    reason = "plain loops over lanes and registers"
)]

use half::{bf16, f16};
use tile_sim::{Arg, Launch, Memory, Module, Options};

/// Executes one `mma`. Operands are the words of registers, by register and lane.
fn mma(
    name: &str,
    a: &[[u32; 32]],
    b: &[[u32; 32]],
    c: &[[u32; 32]],
    dests: usize,
) -> Vec<[u32; 32]> {
    let registers = |prefix: &str, count: usize| {
        let names: Vec<String> = (0..count)
            .map(|index| format!("%{prefix}{index}"))
            .collect();
        format!("{{{}}}", names.join(","))
    };
    let load = |prefix: &str, param: &str, count: usize| -> String {
        (0..count)
            .map(|i| format!("ld.param.u64 %q, [{param}]; add.u64 %q, %q, %l; ld.global.b32 %{prefix}{i}, [%q+{}];\n", i * 128))
            .collect()
    };
    let store: String = (0..dests)
        .map(|i| {
            format!(
                "ld.param.u64 %q, [d]; add.u64 %q, %q, %l; st.global.b32 [%q+{}], %d{i};\n",
                i * 128
            )
        })
        .collect();
    let text = format!(
        ".version 8.8 .target sm_90a .address_size 64
         .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{
         .reg .b32 %a<8>, %b<8>, %c<8>, %d<8>, %t; .reg .b64 %q, %l;
         mov.u32 %t, %laneid; mul.wide.u32 %l, %t, 4;
         {}{}{}
         mma.sync.aligned.{name} {}, {}, {}, {};
         {store} ret; }}",
        load("a", "a", a.len()),
        load("b", "b", b.len()),
        load("c", "c", c.len()),
        registers("d", dests),
        registers("a", a.len()),
        registers("b", b.len()),
        registers("c", c.len()),
    );
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut memory = Memory::new();
    let mut place = |words: &[[u32; 32]]| {
        let bytes: Vec<u8> = words
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        memory.alloc_with(&bytes, 16)
    };
    let args = [place(a), place(b), place(c), place(&vec![[0; 32]; dests])];
    let launch = Launch::new("k").threads(32).args(args.map(Arg::from));
    let counters =
        crate::support::launch(&module, &launch, &mut memory, &Options::default()).unwrap();
    assert_eq!(counters.matmuls.mma, 1);
    let bytes = memory.bytes(args[3]).unwrap();
    bytes
        .chunks(128)
        .map(|row| {
            std::array::from_fn(|lane| {
                u32::from_le_bytes(row[4 * lane..4 * lane + 4].try_into().unwrap())
            })
        })
        .collect()
}

/// Packs elements into 32-bit registers.
fn fragments(
    elements: usize,
    bits: usize,
    place: impl Fn(usize, usize) -> (usize, usize),
    value: impl Fn(usize, usize) -> u32,
) -> Vec<[u32; 32]> {
    let per = 32 / bits;
    let mut registers = vec![[0; 32]; elements / per];
    for lane in 0..32 {
        for index in 0..elements {
            let (row, column) = place(lane, index);
            registers[index / per][lane] |= value(row, column) << (bits * (index % per));
        }
    }
    registers
}

/// Returns a small integer that depends on the position.
fn number(row: usize, column: usize, salt: usize) -> i32 {
    ((row * 7 + column * 13 + salt * 5) % 17) as i32 - 8
}

fn c_place(lane: usize, i: usize) -> (usize, usize) {
    let row = if i < 2 { lane / 4 } else { lane / 4 + 8 };
    (row, lane % 4 * 2 + (i & 1))
}

fn expected(k: usize, row: usize, column: usize) -> i32 {
    (0..k)
        .map(|i| number(row, i, 1) * number(i, column, 2))
        .sum::<i32>()
        + number(row, column, 3)
}

fn check_float_sums(name: &str, k: usize, a: Vec<[u32; 32]>, b: Vec<[u32; 32]>) {
    let single = |row, column| (number(row, column, 3) as f32).to_bits();
    let c = fragments(4, 32, c_place, single);
    let d = mma(name, &a, &b, &c, 4);
    let want = fragments(4, 32, c_place, |row, column| {
        (expected(k, row, column) as f32).to_bits()
    });
    assert_eq!(d, want, "{name}");
}

#[test]
fn products_of_halves() {
    let half = |salt| {
        move |row, column| u32::from(f16::from_f32(number(row, column, salt) as f32).to_bits())
    };
    let brain = |salt| {
        move |row, column| u32::from(bf16::from_f32(number(row, column, salt) as f32).to_bits())
    };
    let a16 = |lane: usize, i: usize| {
        let row = if i < 2 || (4..6).contains(&i) {
            lane / 4
        } else {
            lane / 4 + 8
        };
        let column = lane % 4 * 2 + (i & 1) + if i >= 4 { 8 } else { 0 };
        (row, column)
    };
    let b16 = |lane: usize, i: usize| {
        (
            lane % 4 * 2 + (i & 1) + if i >= 2 { 8 } else { 0 },
            lane / 4,
        )
    };
    check_float_sums(
        "m16n8k16.row.col.f32.f16.f16.f32",
        16,
        fragments(8, 16, a16, half(1)),
        fragments(4, 16, b16, half(2)),
    );
    check_float_sums(
        "m16n8k16.row.col.f32.bf16.bf16.f32",
        16,
        fragments(8, 16, a16, brain(1)),
        fragments(4, 16, b16, brain(2)),
    );
    let a8 = |lane: usize, i: usize| {
        (
            if i < 2 { lane / 4 } else { lane / 4 + 8 },
            lane % 4 * 2 + (i & 1),
        )
    };
    let b8 = |lane: usize, i: usize| (lane % 4 * 2 + i, lane / 4);
    check_float_sums(
        "m16n8k8.row.col.f32.f16.f16.f32",
        8,
        fragments(4, 16, a8, half(1)),
        fragments(2, 16, b8, half(2)),
    );
    // Accumulators of type f16.
    let c = fragments(4, 16, c_place, half(3));
    let d = mma(
        "m16n8k16.row.col.f16.f16.f16.f16",
        &fragments(8, 16, a16, half(1)),
        &fragments(4, 16, b16, half(2)),
        &c,
        2,
    );
    let want = fragments(4, 16, c_place, |row, column| {
        u32::from(f16::from_f32(expected(16, row, column) as f32).to_bits())
    });
    assert_eq!(d, want);
}

#[test]
fn products_of_tf32_and_bytes() {
    // The low bits of a tf32 are ignored.
    let tf32 = |salt| move |row, column| (number(row, column, salt) as f32).to_bits() | 0xfff;
    let a = |lane: usize, i: usize| (lane / 4 + 8 * (i % 2), lane % 4 + 4 * (i / 2));
    let b = |lane: usize, i: usize| (lane % 4 + 4 * i, lane / 4);
    check_float_sums(
        "m16n8k8.row.col.f32.tf32.tf32.f32",
        8,
        fragments(4, 32, a, tf32(1)),
        fragments(2, 32, b, tf32(2)),
    );
    let byte = |salt| move |row, column| u32::from(number(row, column, salt) as i8 as u8);
    let a = |lane: usize, i: usize| {
        let row = if i < 4 || (8..12).contains(&i) {
            lane / 4
        } else {
            lane / 4 + 8
        };
        (row, lane % 4 * 4 + (i & 3) + if i >= 8 { 16 } else { 0 })
    };
    let b = |lane: usize, i: usize| {
        (
            lane % 4 * 4 + (i & 3) + if i >= 4 { 16 } else { 0 },
            lane / 4,
        )
    };
    let c = fragments(4, 32, c_place, |row, column| number(row, column, 3) as u32);
    let d = mma(
        "m16n8k32.row.col.s32.s8.s8.s32",
        &fragments(16, 8, a, byte(1)),
        &fragments(8, 8, b, byte(2)),
        &c,
        4,
    );
    let want = fragments(4, 32, c_place, |row, column| {
        expected(32, row, column) as u32
    });
    assert_eq!(d, want);
    let d = mma(
        "m16n8k32.row.col.s32.u8.s8.s32",
        &fragments(16, 8, a, byte(1)),
        &fragments(8, 8, b, byte(2)),
        &c,
        4,
    );
    let want = fragments(4, 32, c_place, |row, column| {
        let sum: i32 = (0..32)
            .map(|i| i32::from(number(row, i, 1) as u8) * number(i, column, 2))
            .sum();
        (sum + number(row, column, 3)) as u32
    });
    assert_eq!(d, want);
}

/// Loads four matrices from shared memory, whose elements are `64 m + 8 r + c`, and stores them.
fn moved(load: &str, store: &str) -> Vec<u32> {
    let body = format!(
        "mov.u32 %r0, %laneid; mov.u32 %r1, dynamic;
         shl.b32 %r2, %r0, 3; shl.b32 %r3, %r0, 4; add.u32 %r3, %r1, %r3;
         mad.lo.u32 %r4, %r2, 0x10001, 0x10000; add.u32 %r5, %r4, 0x20002; add.u32 %r6, %r5, 0x20002; add.u32 %r7, %r6, 0x20002;
         st.shared.v4.b32 [%r3], {{%r4, %r5, %r6, %r7}};
         bar.sync 0;
         {load}
         ld.param.u64 %d0, [d]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
         {store}"
    );
    crate::support::run(&body, 32, 512)
        .unwrap_or_else(|fault| panic!("{fault}"))
        .0
}

const STORE: &str = "st.global.b32 [%d0], %r10; st.global.b32 [%d0+128], %r11;
                     st.global.b32 [%d0+256], %r12; st.global.b32 [%d0+384], %r13;";

#[test]
fn ldmatrix_spreads_rows_or_columns_over_lanes() {
    let plain = moved(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, [%r3];",
        STORE,
    );
    let across = moved(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10,%r11,%r12,%r13}, [%r3];",
        STORE,
    );
    for lane in 0..32u32 {
        for matrix in 0..4 {
            let index = (matrix * 32 + lane) as usize;
            let element = |row: u32, column: u32| 64 * matrix + 8 * row + column;
            let (g, t) = (lane / 4, lane % 4 * 2);
            assert_eq!(plain[index], element(g, t) | element(g, t + 1) << 16);
            assert_eq!(across[index], element(t, g) | element(t + 1, g) << 16);
        }
    }
}

#[test]
fn stmatrix_and_movmatrix_undo_and_transpose() {
    let load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, [%r3];
                stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r3], {%r10,%r11,%r12,%r13}; bar.sync 0;
                ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10,%r11,%r12,%r13}, [%r3];";
    let plain = moved(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, [%r3];",
        STORE,
    );
    assert_eq!(moved(load, STORE), plain);
    let twice = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r14}, [%r3];
                 movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r14; movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;
                 mov.b32 %r12, 0; mov.b32 %r13, 0;";
    let moved = moved(twice, STORE);
    assert_eq!(moved[32..64], plain[..32]);
    assert_ne!(moved[..32], plain[..32]);
}

/// The state-space suffixes; without one, addresses are generic.
const SPACES: [&str; 3] = ["", ".shared", ".shared::cta"];

/// Converts `%word` to a generic address where that is needed.
fn pointer(space: &str) -> &str {
    if space.is_empty() {
        ".reg .b64 %generic; cvt.u64.u32 %generic, %word; cvta.shared.u64 %generic, %generic;"
    } else {
        ""
    }
}

fn target(space: &str) -> &str {
    if space.is_empty() {
        "[%generic]"
    } else {
        "[%word]"
    }
}

/// Tests `ldmatrix` and `stmatrix` of 8 rows of 8 elements.
#[test]
fn moves_of_elements_of_16_bits() {
    use crate::random::Random;
    use crate::warp_run::{Registers, Row, run, vector};
    let mut random = Random::new(8);
    let shared: Vec<u8> = (0..512).map(|_| random.bits() as u8).collect();
    let address = "mad.lo.u32 %word, %lane, 208, 48; and.b32 %word, %word, 0x1f0; add.u32 %word, %base, %word;";
    let place = |matrix: usize, row: usize, column: usize| {
        ((8 * matrix + row) * 208 + 48 & 0x1f0) + 2 * column
    };
    // The two elements of a register: two columns of a row, or two rows of a column.
    let elements = |lane: usize, trans: bool| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        [column, column + 1].map(|column| if trans { (column, row) } else { (row, column) })
    };
    for count in [1usize, 2, 4] {
        let sources: Vec<Row> = (0..count)
            .map(|_| std::array::from_fn(|_| random.bits() & 0xffff_ffff))
            .collect();
        for trans in [false, true] {
            let loaded: Vec<Row> = (0..count)
                .map(|matrix| {
                    std::array::from_fn(|lane| {
                        let bytes = elements(lane, trans).map(|(row, column)| {
                            let offset = place(matrix, row, column);
                            u64::from(shared[offset]) | u64::from(shared[offset + 1]) << 8
                        });
                        bytes[0] | bytes[1] << 16
                    })
                })
                .collect();
            let mut stored = shared.clone();
            for (matrix, source) in sources.iter().enumerate() {
                for (lane, value) in source.iter().enumerate() {
                    for (part, (row, column)) in elements(lane, trans).into_iter().enumerate() {
                        let offset = place(matrix, row, column);
                        stored[offset] = (value >> (16 * part)) as u8;
                        stored[offset + 1] = (value >> (16 * part + 8)) as u8;
                    }
                }
            }
            let turn = if trans { ".trans" } else { "" };
            for space in SPACES {
                let (before, operand) = (pointer(space), target(space));
                let name = format!("sync.aligned.m8n8.x{count}{turn}{space}.b16");
                let load = format!(
                    "{address} {before} ldmatrix.{name} {}, {operand};",
                    vector("d", count)
                );
                let (actual, _, _) = run(&load, &[], count, false, &shared).unwrap();
                assert_eq!(actual, loaded, "{load}");
                let inputs = [Registers {
                    name: "a",
                    wide: false,
                    rows: &sources,
                }];
                let store = format!(
                    "{address} {before} stmatrix.{name} {operand}, {};",
                    vector("a", count)
                );
                let (_, actual, _) = run(&store, &inputs, 0, false, &shared).unwrap();
                assert_eq!(actual, stored, "{store}");
            }
        }
    }
}

/// Tests `ldmatrix` and `stmatrix` in every form but `.m8n8`, on bytes that depend on their
/// position.
#[test]
fn moves_of_bytes_and_of_packed_elements() {
    use crate::random::Random;
    use crate::warp_run::{Row, run, vector};
    let mut random = Random::new(16);
    let shared: Vec<u8> = (0..512).map(|_| random.bits() as u8).collect();
    // The order of the rows differs from that in memory.
    let address = "mad.lo.u32 %word, %lane, 208, 48; and.b32 %word, %word, 0x1f0; add.u32 %word, %base, %word;";
    let row = |lane: usize| &shared[(lane * 208 + 48) & 0x1f0..][..16];
    let element = |format: &str, lane: usize, i: usize| -> u64 {
        let bits = u128::from_le_bytes(row(lane).try_into().unwrap());
        u64::from(match format {
            "b8" => row(lane)[i],
            "b8x16.b6x16_p32" => (bits >> (6 * i)) as u8 & 0x3f,
            _ => ((bits >> (4 * i)) as u8 & 0xf) << 2,
        })
    };
    for (shape, format, counts) in [
        ("m16n16", "b8", &[1usize, 2][..]),
        ("m16n16", "b8x16.b6x16_p32", &[1, 2]),
        ("m16n16", "b8x16.b4x16_p64", &[1, 2]),
        ("m8n16", "b8x16.b6x16_p32", &[1, 2, 4]),
        ("m8n16", "b8x16.b4x16_p64", &[1, 2, 4]),
    ] {
        for &count in counts {
            let tall = shape == "m16n16";
            let registers = if tall { 2 * count } else { count };
            let trans = if tall { ".trans" } else { "" };
            let want: Vec<Row> = (0..registers)
                .map(|register| {
                    std::array::from_fn(|lane| {
                        let (g, t) = (lane / 4, lane % 4);
                        let element = |i: usize| {
                            if tall {
                                // Two rows in memory, and two columns eight apart.
                                let line = 16 * (register / 2) + 4 * t + register % 2 * 2 + i % 2;
                                element(format, line, g + i / 2 * 8)
                            } else {
                                element(format, 8 * register + g, 4 * t + i)
                            }
                        };
                        (0..4).map(|i| element(i) << (8 * i)).sum()
                    })
                })
                .collect();
            for space in SPACES {
                let body = format!(
                    "{address} {} ldmatrix.sync.aligned.{shape}.x{count}{trans}{space}.{format} {}, [%word];",
                    pointer(space),
                    vector("d", registers)
                )
                .replace("[%word]", target(space));
                let (actual, _, _) = run(&body, &[], registers, false, &shared).unwrap();
                assert_eq!(actual, want, "{body}");
            }
        }
    }
    // The bytes of a register are those of an accumulator: rows g and g + 8, columns 2t and 2t + 1.
    for count in [1usize, 2, 4] {
        let sources: Vec<Row> = (0..count)
            .map(|_| std::array::from_fn(|_| random.bits() & 0xffff_ffff))
            .collect();
        let inputs = [crate::warp_run::Registers {
            name: "a",
            wide: false,
            rows: &sources,
        }];
        let mut want = shared.clone();
        for matrix in 0..count {
            for lane in 0..32 {
                for (i, byte) in sources[matrix][lane].to_le_bytes()[..4].iter().enumerate() {
                    let (m, n) = (lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
                    want[((8 * matrix + n) * 208 + 48 & 0x1f0) + m] = *byte;
                }
            }
        }
        for space in SPACES {
            let body = format!(
                "{address} {} stmatrix.sync.aligned.m16n8.x{count}.trans{space}.b8 {}, {};",
                pointer(space),
                target(space),
                vector("a", count)
            );
            let (_, actual, _) = run(&body, &inputs, 0, false, &shared).unwrap();
            assert_eq!(actual, want, "{body}");
        }
    }
}

#[test]
fn matrix_moves_outside_of_shared_memory_are_faults() {
    let run = |body| crate::warp_run::run(body, &[], 1, false, &[0; 512]).unwrap_err();
    let fault = run("ldmatrix.sync.aligned.m8n8.x1.b16 {%d0}, [%in];");
    assert!(
        fault.to_string().contains("not in shared memory"),
        "{fault}"
    );
    let fault = run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%base+8];");
    assert!(
        matches!(fault.kind, tile_sim::FaultKind::Misaligned { .. }),
        "{fault}"
    );
    let fault = run("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%d0}, [%base+8];");
    assert!(
        matches!(fault.kind, tile_sim::FaultKind::Misaligned { .. }),
        "{fault}"
    );
    let fault = run(
        "mad.lo.u32 %word, %lane, 80, %base; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%word];",
    );
    assert!(
        matches!(fault.kind, tile_sim::FaultKind::OutOfBounds { .. }),
        "{fault}"
    );
    assert_eq!(fault.lane, Some(7));
}
