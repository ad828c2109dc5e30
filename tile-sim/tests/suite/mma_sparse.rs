//! Tests of `mma.sp`, and of `mma` with block scaling.
#![expect(
    clippy::needless_range_loop,
    clippy::format_push_string,
    reason = "plain loops over rows, columns and chunks; a text that grows"
)]

use tile_sim::FaultKind;

use crate::mma::{Form, PLAIN, bits, container, issue, issue_result, matrices, registers};
use crate::random::Random;
use crate::warp_run::{Registers, Row, number, sum_bits};

/// Returns the number of elements per chunk, and the number stored together (PTX ISA, "Sparse
/// matrix storage").
fn granularity(form: &Form) -> (usize, usize) {
    match (form.a, form.width(form.a)) {
        ("tf32", _) => (2, 1),
        (_, 4) => (8, 4),
        _ => (4, 2),
    }
}

/// Draws the metadata of a chunk, and the positions of its stored elements.
fn chunk(form: &Form, random: &mut Random) -> (u64, Vec<usize>) {
    if form.a == "tf32" {
        return [(0b0100, vec![0]), (0b1110, vec![1])][random.below(2) as usize].clone();
    }
    let mut pairs = vec![(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    if form.sparse == ".sp" {
        pairs.extend([(1, 0), (2, 0), (3, 1), (3, 2)]);
    }
    let (first, second) = pairs[random.below(pairs.len() as u64) as usize];
    let places = if form.width(form.a) == 4 {
        vec![2 * first, 2 * first + 1, 2 * second, 2 * second + 1]
    } else {
        vec![first, second]
    };
    ((first | second << 2) as u64, places)
}

/// Returns the position of a chunk's metadata, from the figures of each shape: the lane without the
/// selector, and the lowest bit.
fn metadata_place(form: &Form, row: usize, chunk: usize) -> (usize, usize) {
    let (group, lower) = (row % 8, row < 8);
    match (form.k, form.width(form.a)) {
        // T0: rows 0 and 8.
        (16, 16) | (8, 32) => (4 * group, if lower { 4 * chunk } else { 16 + 4 * chunk }),
        // T0: the first half of rows 0 and 8, T1: the second.
        (32, 16) | (16, 32) => {
            let thread = chunk / 4;
            let bit = 4 * (chunk % 4);
            (4 * group + thread, if lower { bit } else { 16 + bit })
        }
        // T0: row 0, T1: row 8.
        (32, 8) | (64, 4) => (if lower { 4 * group } else { 4 * group + 1 }, 4 * chunk),
        // T0, T1: the first half of rows 0 and 8, T2, T3: the second.
        (64, 8) | (128, 4) => {
            let thread = if chunk < 8 { 0 } else { 2 };
            (4 * group + thread + usize::from(!lower), 4 * (chunk % 8))
        }
        other => panic!("no metadata for {other:?}"),
    }
}

/// Returns the lane distance of a selector, and the number of selectors.
fn selectors(form: &Form) -> (usize, usize) {
    match (form.k, form.width(form.a)) {
        (16, 16) | (8, 32) => (1, 4),
        (64, 8) | (128, 4) => (4, 1),
        _ => (2, 2),
    }
}

struct Scales {
    /// The type suffix.
    ty: &'static str,
    chunks: usize,
}

fn scale_number(ty: &str, byte: u64) -> f64 {
    match ty {
        "ue8m0" => 2f64.powi(byte as i32 - 127),
        _ => number("e4m3", byte & 0x7f),
    }
}

fn check(form: &Form, scales: Option<&Scales>) {
    let mut random = Random::new(form.name().bytes().map(u64::from).sum());
    let (step, count) = if form.sparse.is_empty() {
        (0, 1)
    } else {
        selectors(form)
    };
    for selector in 0..count {
        let m = matrices(form, &mut random);
        let [a_count, b_count, c_count] = form.elements();
        // The stored elements of A, by row.
        let mut stored: Vec<Vec<usize>> = vec![(0..form.k).collect(); 16];
        // The other lanes hold invalid metadata.
        let mut metadata = [0u64; 32];
        if !form.sparse.is_empty() {
            let (elements, _) = granularity(form);
            for row in 0..16 {
                stored[row].clear();
                for index in 0..form.k / elements {
                    let (bits, places) = chunk(form, &mut random);
                    stored[row].extend(places.iter().map(|place| index * elements + place));
                    let (lane, bit) = metadata_place(form, row, index);
                    metadata[lane + step * selector] |= bits << bit;
                }
            }
        }
        let a = registers(a_count, form.width(form.a), |lane, i| {
            let (row, column) = form.a_place(lane, i);
            container(form, form.a, m.a[row][stored[row][column]])
        });
        let b = registers(b_count, form.width(form.b), |lane, i| {
            let (row, column) = form.b_place(lane, i);
            container(form, form.b, m.b[row][column])
        });
        let c = registers(c_count, bits(form.c), |lane, i| {
            let (row, column) = Form::c_place(lane, i);
            m.c[row][column]
        });
        let mut operands = String::new();
        if !form.sparse.is_empty() {
            operands += &format!(", %e0, {selector}");
        }
        let metadata: [Row; 1] = [metadata];
        let mut scale_rows: [Row; 2] = [[0; 32]; 2];
        let (mut of_a, mut of_b) = (vec![vec![1.0; 4]; 16], vec![vec![1.0; 4]; 8]);
        if let Some(scales) = scales {
            let byte = |random: &mut Random| match scales.chunks {
                1 => random.below(4),
                2 => 2 * random.below(2),
                _ => 0,
            };
            let selected = [
                byte(&mut random),
                random.below(2),
                byte(&mut random),
                random.below(4),
            ];
            let [byte_a, thread_a, byte_b, thread_b] = selected.map(|x| x as usize);
            operands +=
                &format!(", {{%s0}}, {{{byte_a}, {thread_a}}}, {{%s1}}, {{{byte_b}, {thread_b}}}");
            for row in scale_rows.iter_mut().flatten() {
                // Factors near one, so that sums stay exact.
                *row = if scales.ty == "ue8m0" {
                    (0..4).fold(0, |word, i| word | (125 + random.below(5)) << (8 * i))
                } else {
                    (0..4).fold(0, |word, i| word | (0x30 + random.below(16)) << (8 * i))
                };
            }
            let factor =
                |word: u64, byte: usize| scale_number(scales.ty, word >> (8 * byte) & 0xff);
            for chunk in 0..scales.chunks {
                for row in 0..16 {
                    // %laneid % 4 == 0 or 1 (thread-id 0), 2 or 3 (1): rows g and g + 8.
                    let lane = 4 * (row % 8) + 2 * thread_a + usize::from(row >= 8);
                    of_a[row][chunk] = factor(scale_rows[0][lane], byte_a + chunk);
                }
                for column in 0..8 {
                    let lane = 4 * column + thread_b;
                    of_b[column][chunk] = factor(scale_rows[1][lane], byte_b + chunk);
                }
            }
        }
        let chunk_of = |k: usize| scales.map_or(0, |scales| k / (form.k / scales.chunks));
        let want = registers(c_count, bits(form.d), |lane, i| {
            let (row, column) = Form::c_place(lane, i);
            let mut sum = number(form.c, m.c[row][column]);
            for &k in &stored[row] {
                let a = number(form.a, m.a[row][k]) * of_a[row][chunk_of(k)];
                sum += a * (number(form.b, m.b[k][column]) * of_b[column][chunk_of(k)]);
            }
            if form.modifier == ".satfinite" {
                sum = sum.clamp(-2_147_483_648.0, 2_147_483_647.0);
            }
            sum_bits(form.d, sum)
        });
        let extra = [
            Registers {
                name: "e",
                wide: false,
                rows: &metadata,
            },
            Registers {
                name: "s",
                wide: false,
                rows: &scale_rows,
            },
        ];
        let actual = issue(form, &a, &b, &c, want.len(), &operands, &extra);
        assert_eq!(actual, want, "{} {operands}", form.name());
    }
}

const ORDERED: &str = ".sp::ordered_metadata";

#[test]
fn sparse_products_of_every_type() {
    for sparse in [".sp", ORDERED] {
        for (k, ty, sum) in [
            (16, "f16", "f16"),
            (16, "f16", "f32"),
            (32, "f16", "f16"),
            (32, "f16", "f32"),
            (16, "bf16", "f32"),
            (32, "bf16", "f32"),
            (8, "tf32", "f32"),
            (16, "tf32", "f32"),
            (64, "e4m3", "f32"),
            (64, "e5m2", "f32"),
        ] {
            check(
                &Form {
                    k,
                    a: ty,
                    b: ty,
                    c: sum,
                    d: sum,
                    sparse,
                    ..PLAIN
                },
                None,
            );
        }
        for (types, shapes) in [(["s8", "u8"], [32, 64]), (["s4", "u4"], [64, 128])] {
            for k in shapes {
                for a in types {
                    for b in types {
                        for modifier in ["", ".satfinite"] {
                            let (c, d) = ("s32", "s32");
                            check(
                                &Form {
                                    k,
                                    a,
                                    b,
                                    c,
                                    d,
                                    modifier,
                                    sparse,
                                    ..PLAIN
                                },
                                None,
                            );
                        }
                    }
                }
            }
        }
    }
    for (a, b, sum) in [
        ("e4m3", "e2m1", "f32"),
        ("e2m3", "e3m2", "f16"),
        ("e2m1", "e5m2", "f32"),
    ] {
        let form = Form {
            k: 64,
            a,
            b,
            c: sum,
            d: sum,
            container: 8,
            ..PLAIN
        };
        check(
            &Form {
                modifier: ".kind::f8f6f4",
                sparse: ORDERED,
                ..form
            },
            None,
        );
    }
}

#[test]
fn block_scaled_products() {
    let none = "";
    for sparse in [none, ORDERED] {
        let deep = if sparse.is_empty() { 1 } else { 2 };
        for (a, b) in [
            ("e4m3", "e4m3"),
            ("e5m2", "e2m1"),
            ("e3m2", "e2m3"),
            ("e2m1", "e4m3"),
        ] {
            for modifier in [
                ".kind::mxf8f6f4.block_scale",
                ".kind::mxf8f6f4.block_scale.scale_vec::1X",
            ] {
                let form = Form {
                    k: 32 * deep,
                    a,
                    b,
                    modifier,
                    sparse,
                    container: 8,
                    ..PLAIN
                };
                let scales = Scales {
                    ty: "ue8m0",
                    chunks: 1,
                };
                check(
                    &Form {
                        suffix: ".ue8m0",
                        ..form
                    },
                    Some(&scales),
                );
            }
        }
        for (modifier, suffix, ty, chunks) in [
            (".kind::mxf4.block_scale", ".ue8m0", "ue8m0", 2),
            (
                ".kind::mxf4.block_scale.scale_vec::2X",
                ".ue8m0",
                "ue8m0",
                2,
            ),
            (
                ".kind::mxf4nvf4.block_scale.scale_vec::2X",
                ".ue8m0",
                "ue8m0",
                2,
            ),
            (
                ".kind::mxf4nvf4.block_scale.scale_vec::4X",
                ".ue8m0",
                "ue8m0",
                4,
            ),
            (
                ".kind::mxf4nvf4.block_scale.scale_vec::4X",
                ".ue4m3",
                "ue4m3",
                4,
            ),
        ] {
            let (a, b) = ("e2m1", "e2m1");
            let form = Form {
                k: 64 * deep,
                a,
                b,
                modifier,
                suffix,
                sparse,
                ..PLAIN
            };
            check(
                &Form {
                    container: 4,
                    ..form
                },
                Some(&Scales { ty, chunks }),
            );
        }
    }
}

#[test]
fn metadata_and_selectors_without_meaning_are_faults() {
    let form = Form {
        sparse: ORDERED,
        ..PLAIN
    };
    let zeros: [Row; 4] = [[0; 32]; 4];
    // The indices of a chunk are equal, or they descend, or the selector is out of range for the
    // shape.
    let falling: [Row; 1] = [[0x1111; 32]];
    let rising: [Row; 1] = [[0x4444_4444; 32]];
    for (k, metadata, selector, says) in [
        (16, &[[0; 32]], 0, "0b0000"),
        (16, &falling, 1, "0b0001"),
        (32, &rising, 3, "must be below 2"),
    ] {
        let form = Form { k, ..form };
        let operands = format!(", %e0, {selector}");
        let extra = [Registers {
            name: "e",
            wide: false,
            rows: metadata,
        }];
        let registers = k / 8;
        let fault = issue_result(
            &form,
            &zeros[..registers],
            &zeros[..registers],
            &zeros,
            4,
            &operands,
            &extra,
        )
        .unwrap_err();
        let FaultKind::MatrixMisuse(message) = &fault.kind else {
            panic!("{fault}");
        };
        assert!(message.contains(says), "{message}");
    }
    let unordered = Form {
        sparse: ".sp",
        ..form
    };
    let extra = [Registers {
        name: "e",
        wide: false,
        rows: &[[0x1111_1111; 32]],
    }];
    issue(
        &unordered,
        &zeros[..2],
        &zeros[..2],
        &zeros,
        4,
        ", %e0, 0",
        &extra,
    );
}
