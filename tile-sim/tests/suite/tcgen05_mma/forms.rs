//! The forms of `tcgen05.mma`.

use super::{Case, PLAIN, check};
use crate::tcgen05_run::{Major, Swizzle};

const K_LAYOUTS: [(Major, Swizzle); 5] = [
    (Major::K, Swizzle::None),
    (Major::K, Swizzle::By32),
    (Major::K, Swizzle::By64),
    (Major::K, Swizzle::By128),
    (Major::K, Swizzle::By128Of32),
];

const MN_LAYOUTS: [(Major, Swizzle); 4] = [
    (Major::Mn, Swizzle::None),
    (Major::Mn, Swizzle::By32),
    (Major::Mn, Swizzle::By64),
    (Major::Mn, Swizzle::By128),
];

/// M, blocks, `.ws`, a sparse A, and the first lane, of the layouts A to G.
const SHAPES: [(usize, usize, bool, bool, usize); 13] = [
    (256, 2, false, false, 0),
    (256, 2, false, true, 0),
    (128, 2, false, false, 0),
    (128, 2, false, true, 0),
    (128, 2, false, true, 16),
    (128, 1, false, false, 0),
    (128, 1, true, true, 0),
    (64, 1, true, false, 0),
    (64, 1, true, true, 0),
    (64, 1, false, false, 16),
    (64, 1, false, true, 0),
    (32, 1, true, false, 0),
    (32, 1, true, true, 0),
];

const F8F6F4: [&str; 5] = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"];

/// Kinds without scale factors, with the types of A, B and D.
const UNSCALED: [(&str, &str, &str, &str); 10] = [
    ("tf32", "tf32", "tf32", "f32"),
    ("f16", "f16", "f16", "f32"),
    ("f16", "f16", "f16", "f16"),
    ("f16", "bf16", "bf16", "f32"),
    ("f8f6f4", "e4m3", "e5m2", "f32"),
    ("f8f6f4", "e2m1", "e3m2", "f16"),
    ("f8f6f4", "e2m3", "e2m1", "f32"),
    ("i8", "s8", "s8", "s32"),
    ("i8", "u8", "s8", "s32"),
    ("i8", "u8", "u8", "s32"),
];

#[test]
fn every_layout_of_tensor_memory_with_every_kind() {
    for (number, (kind, a, b, d)) in UNSCALED.into_iter().enumerate() {
        for (m, group, ws, sparse, first) in SHAPES {
            // Tests A in both memories for the first two kinds, and alternates between the memories
            // for the others.
            let places = if number < 2 {
                0..2
            } else {
                number % 2..number % 2 + 1
            };
            for place in places {
                check(&Case {
                    kind,
                    a,
                    b,
                    d,
                    m,
                    n: if ws { 64 } else { 32 },
                    group,
                    ws,
                    sparse,
                    first,
                    a_in_tensor: place == 1,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn every_layout_of_shared_memory_with_every_width() {
    for (kind, a, b, d) in [
        ("tf32", "tf32", "tf32", "f32"),
        ("f16", "bf16", "f16", "f32"),
        ("f8f6f4", "e5m2", "e4m3", "f32"),
        ("f8f6f4", "e2m1", "e3m2", "f32"),
        ("mxf4", "e2m1", "e2m1", "f32"),
    ] {
        let transposes = !matches!(a, "e2m1");
        let mut layouts = K_LAYOUTS.to_vec();
        if kind == "tf32" {
            layouts.push((Major::Mn, Swizzle::By128Of32));
        } else if transposes {
            layouts.extend(MN_LAYOUTS);
        }
        for (index, &a_layout) in layouts.iter().enumerate() {
            for b_layout in [layouts[(index + 1) % layouts.len()], a_layout] {
                let (m, group, n) = [(128, 1, 48), (256, 2, 96)][index % 2];
                check(&Case {
                    kind,
                    a,
                    b,
                    d,
                    m,
                    n,
                    group,
                    a_layout,
                    b_layout,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn k_major_matrices_begin_anywhere_in_a_swizzled_line() {
    for (swizzle, before) in [
        (Swizzle::By128, 2),
        (Swizzle::By128, 4),
        (Swizzle::By128, 6),
        (Swizzle::By64, 2),
        (Swizzle::By128Of32, 4),
    ] {
        check(&Case {
            a_layout: (Major::K, swizzle),
            b_layout: (Major::K, swizzle),
            before,
            ..PLAIN
        });
    }
}

#[test]
fn every_pair_of_narrow_types() {
    for a in F8F6F4 {
        for b in F8F6F4 {
            for (kind, a_in_tensor) in [("f8f6f4", false), ("mxf8f6f4", true)] {
                check(&Case {
                    kind,
                    a,
                    b,
                    n: 16,
                    a_in_tensor,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn every_width_of_d() {
    for n in (8..=256).step_by(24).chain([16, 256]) {
        check(&Case { n, ..PLAIN });
    }
    for n in (16..=256).step_by(48).chain([256]) {
        check(&Case {
            m: [128, 256][n / 16 % 2],
            n,
            group: 2,
            issuer: n / 32 % 2,
            ..PLAIN
        });
    }
    for n in [64, 128, 256] {
        for m in [32, 64, 128] {
            check(&Case {
                m,
                n,
                ws: true,
                ..PLAIN
            });
        }
    }
    for n in [8, 16, 24, 32, 48, 256] {
        check(&Case {
            kind: "i8",
            a: "s8",
            b: "u8",
            d: "s32",
            n,
            m: 64,
            ..PLAIN
        });
    }
}

#[test]
fn d_is_set_or_added_to_scaled_or_not_negated_or_not() {
    for accumulate in [false, true] {
        for negate in [(true, false), (false, true), (true, true)] {
            for (kind, a, b) in [("f16", "bf16", "f16"), ("f8f6f4", "e4m3", "e2m1")] {
                check(&Case {
                    kind,
                    a,
                    b,
                    accumulate,
                    negate,
                    ..PLAIN
                });
            }
        }
    }
    for scale_d in 1..=15 {
        check(&Case {
            scale_d,
            m: 64,
            ..PLAIN
        });
        check(&Case {
            kind: "tf32",
            a: "tf32",
            b: "tf32",
            scale_d,
            group: 2,
            accumulate: scale_d % 2 == 1,
            ..PLAIN
        });
    }
}

#[test]
fn integers_wrap_or_saturate() {
    for saturate in [false, true] {
        for (a, b) in [("s8", "s8"), ("s8", "u8"), ("u8", "u8")] {
            check(&Case {
                kind: "i8",
                a,
                b,
                d: "s32",
                saturate,
                ..PLAIN
            });
        }
    }
}

#[test]
fn lanes_that_are_disabled_do_not_change() {
    for (m, group, sparse, first) in [
        (128, 1, false, 0),
        (64, 1, false, 16),
        (128, 2, false, 0),
        (128, 2, true, 16),
        (256, 2, false, 0),
    ] {
        for d in ["f16", "f32"] {
            check(&Case {
                d,
                m,
                group,
                sparse,
                first,
                mask: true,
                ..PLAIN
            });
        }
    }
}

#[test]
fn scale_factors_of_blocks() {
    for (kind, blocks, scale_type, ids) in [
        ("mxf8f6f4", "", "ue8m0", [0, 1, 2, 3].as_slice()),
        ("mxf8f6f4", ".scale_vec::1X", "ue8m0", &[2]),
        ("mxf8f6f4", ".block32", "ue8m0", &[3]),
        ("mxf4", "", "ue8m0", &[0, 2]),
        ("mxf4", ".scale_vec::2X", "ue8m0", &[2]),
        ("mxf4", ".block32", "ue8m0", &[0]),
        ("mxf4nvf4", ".scale_vec::2X", "ue8m0", &[0, 2]),
        ("mxf4nvf4", ".block32", "ue8m0", &[2]),
        ("mxf4nvf4", ".scale_vec::4X", "ue8m0", &[0]),
        ("mxf4nvf4", ".scale_vec::4X", "ue4m3", &[0]),
        ("mxf4nvf4", ".block16", "ue4m3", &[0]),
    ] {
        let (a, b) = if kind == "mxf8f6f4" {
            ("e4m3", "e3m2")
        } else {
            ("e2m1", "e2m1")
        };
        for (m, group, sparse) in [
            (128, 1, false),
            (128, 1, true),
            (128, 2, false),
            (256, 2, false),
            (256, 2, true),
        ] {
            for (index, &id) in ids.iter().enumerate() {
                let n = [16, 80, 160, 48][(index + m / 64 + group) % 4];
                check(&Case {
                    kind,
                    a,
                    b,
                    m,
                    n,
                    group,
                    sparse,
                    blocks,
                    scale_type,
                    ids: (id, ids[ids.len() - 1 - index]),
                    a_in_tensor: index % 2 == 1,
                    negate: (index == 1, false),
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn a_k_of_96_on_sm_103a() {
    for (kind, blocks, scale_type, ids) in [
        ("mxf4", ".block32", "ue8m0", [0, 1, 2, 3].as_slice()),
        ("mxf4nvf4", ".block32", "ue8m0", &[0, 3]),
        ("mxf4nvf4", ".block16", "ue4m3", &[0, 2]),
    ] {
        for &id in ids {
            for n in [32, 160] {
                check(&Case {
                    kind,
                    a: "e2m1",
                    b: "e2m1",
                    m: 256,
                    n,
                    group: 2,
                    blocks,
                    scale_type,
                    ids: (id, ids[0]),
                    long: true,
                    a_in_tensor: id == 0,
                    ..PLAIN
                });
            }
        }
    }
}

/// The first 16 or 32 of the 48 bytes of K are the last ones of their 128-byte line.
#[test]
fn rows_go_on_at_an_address_on_sm_103a() {
    for before in [6, 7, 2] {
        check(&Case {
            kind: "mxf4",
            a: "e2m1",
            b: "e2m1",
            n: 64,
            long: true,
            before,
            absolute: true,
            ..PLAIN
        });
    }
}

#[test]
fn metadata_of_every_selector() {
    for (kind, ty) in [("f16", "bf16"), ("tf32", "tf32")] {
        for selector in 0..4 {
            for (m, group) in [(128, 1), (64, 1), (256, 2)] {
                check(&Case {
                    kind,
                    a: ty,
                    b: ty,
                    m,
                    group,
                    sparse: true,
                    selector,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn rows_of_a_are_shifted() {
    for (m, group, sparse) in [(128, 1, false), (256, 2, false), (128, 1, true)] {
        for collector in ["", ".collector::a::lastuse", ".collector::a::discard"] {
            check(&Case {
                m,
                group,
                sparse,
                a_in_tensor: true,
                ashift: true,
                collector,
                ..PLAIN
            });
        }
    }
}

#[test]
fn collectors_change_no_result() {
    for op in ["fill", "use", "lastuse", "discard"] {
        let text: &'static str = format!(".collector::a::{op}").leak();
        check(&Case {
            collector: text,
            ..PLAIN
        });
        for buffer in 0..4 {
            let text: &'static str = format!(".collector::b{buffer}::{op}").leak();
            check(&Case {
                collector: text,
                ws: true,
                m: 32,
                n: 64,
                ..PLAIN
            });
        }
    }
}

/// Returns a mask: the skipped columns and the first span of each part, the bit for any zeros, the
/// lengths of the spans of zeros and of used columns minus one, and the shift.
fn zero(starts: [u64; 4], firsts: [u64; 4], any: u64, skip: u64, usable: u64, shift: u64) -> u64 {
    let mut bits = any << 39 | skip << 40 | usable << 48 | shift << 56;
    for part in 0..4 {
        bits |= starts[part] << (8 * part) | firsts[part] << (32 + part);
    }
    bits
}

#[test]
fn columns_of_b_are_zero_or_shifted() {
    // The examples of the ISA, and longer shifts.
    let examples = [
        (128, zero([0; 4], [0; 4], 0, 4, 3, 0), 0),
        (128, zero([0; 4], [0; 4], 1, 2, 3, 0), 0),
        (64, zero([0; 4], [1, 0, 0, 0], 1, 2, 3, 0), 0),
        (32, zero([0, 1, 2, 1], [1, 1, 0, 0], 1, 2, 3, 2), 1),
        (128, zero([0; 4], [0; 4], 0, 0, 0, 8), 1),
        (64, zero([9, 1, 0, 0], [1, 1, 0, 0], 1, 10, 20, 32), 3),
        (32, zero([250, 3, 7, 1], [0, 1, 0, 1], 1, 255, 255, 16), 2),
    ];
    for (m, bits, most) in examples {
        for (kind, ty, d) in [("f16", "f16", "f32"), ("i8", "s8", "s32")] {
            for b_layout in [(Major::K, Swizzle::By128), (Major::Mn, Swizzle::By64)] {
                check(&Case {
                    kind,
                    a: ty,
                    b: ty,
                    d,
                    m,
                    n: 128,
                    ws: true,
                    b_layout,
                    zero: Some((bits, most)),
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn operands_that_may_be_left_out_stand_together() {
    for (m, group) in [(128, 1), (256, 2)] {
        for sparse in [false, true] {
            for ashift in [false, true] {
                for (mask, scale_d) in [(true, 0), (false, 3), (true, 3)] {
                    check(&Case {
                        m,
                        group,
                        sparse,
                        a_in_tensor: ashift,
                        ashift,
                        mask,
                        scale_d,
                        accumulate: true,
                        ..PLAIN
                    });
                }
            }
        }
    }
    check(&Case {
        m: 128,
        n: 128,
        ws: true,
        sparse: true,
        zero: Some((zero([0; 4], [0; 4], 1, 2, 3, 0), 0)),
        ..PLAIN
    });
}
