//! Compares `mma` in every form with plain loops over elements, at the positions that the PTX ISA
//! prints for each shape.

use tile_sim::Fault;

use crate::random::Random;
use crate::warp_run::{Registers, Row, element, number, run, sum_bits, vector};

/// A form of `mma`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
    pub(crate) c: &'static str,
    pub(crate) d: &'static str,
    /// The modifier after the layouts.
    pub(crate) modifier: &'static str,
    /// The modifier after the types.
    pub(crate) suffix: &'static str,
    pub(crate) sparse: &'static str,
    pub(crate) layouts: [&'static str; 2],
    /// The number of bits that hold an element, if it differs from the element size.
    pub(crate) container: usize,
}

pub(crate) const PLAIN: Form = Form {
    m: 16,
    k: 16,
    a: "f16",
    b: "f16",
    c: "f32",
    d: "f32",
    modifier: "",
    suffix: "",
    sparse: "",
    layouts: ["row", "col"],
    container: 0,
};

pub(crate) fn bits(ty: &str) -> usize {
    match ty {
        "f64" => 64,
        "tf32" | "f32" | "s32" => 32,
        "f16" | "bf16" => 16,
        "s4" | "u4" => 4,
        "b1" => 1,
        _ => 8,
    }
}

impl Form {
    pub(crate) fn width(&self, ty: &str) -> usize {
        if self.container == 0 {
            bits(ty)
        } else {
            self.container
        }
    }

    /// Returns the number of elements of A, B and C per lane.
    pub(crate) fn elements(&self) -> [usize; 3] {
        if self.quads() {
            return [4, 4, 8];
        }
        let stored = if self.sparse.is_empty() {
            self.k
        } else {
            self.k / 2
        };
        [self.m * stored / 32, self.k * 8 / 32, self.m * 8 / 32]
    }

    fn quads(&self) -> bool {
        self.m == 8 && self.a == "f16"
    }

    pub(crate) fn name(&self) -> String {
        let Self {
            m,
            k,
            a,
            b,
            c,
            d,
            modifier,
            suffix,
            sparse,
            layouts,
            ..
        } = self;
        let [x, y] = layouts;
        format!("mma{sparse}.sync.aligned.m{m}n8k{k}.{x}.{y}{modifier}.{d}.{a}.{b}.{c}{suffix}")
    }

    /// Returns the position of an element of A, in the notation of the PTX ISA.
    pub(crate) fn a_place(&self, lane: usize, i: usize) -> (usize, usize) {
        let group = lane >> 2;
        let thread = lane % 4;
        let upper = |condition: bool| if condition { group } else { group + 8 };
        // The stored elements of a sparse A have the layout of a dense one.
        let k = if self.sparse.is_empty() {
            self.k
        } else {
            self.k / 2
        };
        match (self.m, k, self.width(self.a)) {
            (8, 4, 64) => (group, thread),
            (8, 16, 8) => (group, thread * 4 + i),
            (8, 32, 4) => (group, thread * 8 + i),
            (8, 128, 1) => (group, thread * 32 + i),
            (16, 4, 32 | 64) => (upper(i == 0), thread),
            (16, 8, 32 | 64) => (
                upper(i == 0 || i == 2),
                if i < 2 { thread } else { thread + 4 },
            ),
            (16, 16, 64) => (
                upper(i.is_multiple_of(2)),
                if i.is_multiple_of(2) {
                    i * 2 + thread
                } else {
                    i * 2 - 2 + thread
                },
            ),
            (16, 8, 16) => (upper(i < 2), thread * 2 + (i & 1)),
            (16, 16, 16) => (
                upper(i < 2 || (4..6).contains(&i)),
                if i < 4 {
                    thread * 2 + (i & 1)
                } else {
                    thread * 2 + (i & 1) + 8
                },
            ),
            (16, 16, 8) => (upper(i < 4), thread * 4 + (i & 3)),
            (16, 32, 8) => (
                upper(i < 4 || (8..12).contains(&i)),
                if i < 8 {
                    thread * 4 + (i & 3)
                } else {
                    thread * 4 + (i & 3) + 16
                },
            ),
            (16, 32, 4) => (upper(i < 8), thread * 8 + (i & 7)),
            (16, 64, 4) => (
                upper(i < 8 || (16..24).contains(&i)),
                if i < 16 {
                    thread * 8 + (i & 7)
                } else {
                    thread * 8 + (i & 7) + 32
                },
            ),
            (16, 128, 1) => (upper(i < 32), thread * 32 + (i & 0x1f)),
            (16, 256, 1) => (
                upper(i < 32 || (64..96).contains(&i)),
                if i < 64 {
                    thread * 32 + i % 32
                } else {
                    thread * 32 + i % 32 + 128
                },
            ),
            other => panic!("no layout of A for {other:?}"),
        }
    }

    pub(crate) fn b_place(&self, lane: usize, i: usize) -> (usize, usize) {
        let group = lane >> 2;
        let thread = lane % 4;
        let row = match (self.m, self.k, self.width(self.b)) {
            (_, 4, 32 | 64) => thread,
            (_, 8 | 16, 32 | 64) => thread + 4 * i,
            (_, 8, 16) => thread * 2 + i,
            (_, 16, 16) => {
                if i < 2 {
                    thread * 2 + (i & 1)
                } else {
                    thread * 2 + (i & 1) + 8
                }
            }
            // Figures of sparse m16n8k32: rows 0-15, then 16-31.
            (_, 32, 16) => thread * 2 + (i & 1) + [0, 8, 16, 24][i / 2],
            (_, 16, 8) => thread * 4 + i,
            (_, 32, 8) => {
                if i < 4 {
                    thread * 4 + (i & 3)
                } else {
                    thread * 4 + (i & 3) + 16
                }
            }
            (_, 64, 8) => thread * 4 + (i & 3) + [0, 16, 32, 48][i / 4],
            (_, 32, 4) => thread * 8 + i,
            (_, 64, 4) => {
                if i < 8 {
                    thread * 8 + (i & 7)
                } else {
                    thread * 8 + (i & 7) + 32
                }
            }
            (_, 128, 4) => thread * 8 + (i & 7) + [0, 32, 64, 96][i / 8],
            (_, 128, 1) => thread * 32 + i,
            (_, 256, 1) => {
                if i < 32 {
                    thread * 32 + i
                } else {
                    thread * 32 + i % 32 + 128
                }
            }
            other => panic!("no layout of B for {other:?}"),
        };
        (row, group)
    }

    pub(crate) fn c_place(lane: usize, i: usize) -> (usize, usize) {
        let group = lane >> 2;
        let thread = lane % 4;
        let row = if i < 2 { group } else { group + 8 };
        (row, thread * 2 + (i & 1))
    }
}

/// Places the element of a narrow type in its byte.
pub(crate) fn container(form: &Form, ty: &str, element: u64) -> u64 {
    if ty == "e2m1" && form.container != 4 {
        // The padding is ignored.
        element << 2 | 0b1100_0001
    } else if matches!(ty, "e3m2" | "e2m3") {
        element | 0b1000_0000
    } else if ty == "tf32" {
        element | 0x1abc
    } else {
        element
    }
}

/// Packs the elements of lanes into registers, lowest bits first.
#[expect(clippy::needless_range_loop, reason = "a plain loop over lanes")]
pub(crate) fn registers(
    elements: usize,
    width: usize,
    value: impl Fn(usize, usize) -> u64,
) -> Vec<Row> {
    let register = if width == 64 { 64 } else { 32 };
    let per = register / width;
    let mut rows = vec![[0; 32]; elements.div_ceil(per)];
    for lane in 0..32 {
        for index in 0..elements {
            rows[index / per][lane] |= value(lane, index) << (width * (index % per));
        }
    }
    rows
}

/// Matrices of bit patterns, by row and column.
pub(crate) struct Matrices {
    pub(crate) a: Vec<Vec<u64>>,
    pub(crate) b: Vec<Vec<u64>>,
    pub(crate) c: Vec<Vec<u64>>,
}

pub(crate) fn matrices(form: &Form, random: &mut Random) -> Matrices {
    let mut matrix = |rows: usize, columns: usize, ty: &str| {
        (0..rows)
            .map(|_| (0..columns).map(|_| element(ty, random)).collect())
            .collect()
    };
    let c = if form.c == "f16" { "f16" } else { form.c };
    Matrices {
        a: matrix(form.m, form.k, form.a),
        b: matrix(form.k, 8, form.b),
        c: matrix(form.m, 8, c),
    }
}

fn expected(form: &Form, x: f64) -> u64 {
    if form.modifier == ".satfinite" {
        return sum_bits("s32", x.clamp(-2_147_483_648.0, 2_147_483_647.0));
    }
    sum_bits(form.d, x)
}

fn product(form: &Form, m: &Matrices, row: usize, column: usize) -> f64 {
    let mut sum = number(form.c, m.c[row][column]);
    for k in 0..form.k {
        let (a, b) = (m.a[row][k], m.b[k][column]);
        sum += match form.suffix {
            ".xor.popc" => (a ^ b) as f64,
            ".and.popc" => (a & b) as f64,
            _ => number(form.a, a) * number(form.b, b),
        };
    }
    sum
}

fn check(form: &Form) {
    let mut random = Random::new(form.name().bytes().map(u64::from).sum());
    let m = matrices(form, &mut random);
    let [a_count, b_count, c_count] = form.elements();
    let a = registers(a_count, form.width(form.a), |lane, i| {
        let (row, column) = form.a_place(lane, i);
        container(form, form.a, m.a[row][column])
    });
    let b = registers(b_count, form.width(form.b), |lane, i| {
        let (row, column) = form.b_place(lane, i);
        container(form, form.b, m.b[row][column])
    });
    let c = registers(c_count, bits(form.c), |lane, i| {
        let (row, column) = Form::c_place(lane, i);
        m.c[row][column]
    });
    let want = registers(c_count, bits(form.d), |lane, i| {
        let (row, column) = Form::c_place(lane, i);
        expected(form, product(form, &m, row, column))
    });
    let actual = issue(form, &a, &b, &c, want.len(), "", &[]);
    assert_eq!(actual, want, "{}", form.name());
}

pub(crate) fn issue(
    form: &Form,
    a: &[Row],
    b: &[Row],
    c: &[Row],
    dests: usize,
    operands: &str,
    extra: &[Registers<'_>],
) -> Vec<Row> {
    issue_result(form, a, b, c, dests, operands, extra)
        .unwrap_or_else(|fault| panic!("{}: {fault}", form.name()))
}

pub(crate) fn issue_result(
    form: &Form,
    a: &[Row],
    b: &[Row],
    c: &[Row],
    dests: usize,
    operands: &str,
    extra: &[Registers<'_>],
) -> Result<Vec<Row>, Fault> {
    let body = format!(
        "{} {}, {}, {}, {}{operands};",
        form.name(),
        vector("d", dests),
        vector("a", a.len()),
        vector("b", b.len()),
        vector("c", c.len()),
    );
    let inputs = [("a", form.a, a), ("b", form.b, b), ("c", form.c, c)];
    let mut inputs: Vec<Registers<'_>> = inputs
        .into_iter()
        .map(|(name, ty, rows)| Registers {
            name,
            wide: ty == "f64",
            rows,
        })
        .collect();
    inputs.extend(
        extra
            .iter()
            .map(|&Registers { name, wide, rows }| Registers { name, wide, rows }),
    );
    let (rows, _, counters) = run(&body, &inputs, dests, form.d == "f64", &[])?;
    assert_eq!(counters.matmuls.mma, 1);
    Ok(rows)
}

const EIGHTS: [&str; 2] = ["e4m3", "e5m2"];
const NARROW: [&str; 5] = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];

#[test]
fn dense_products_of_floats() {
    for (m, k, ty, sums) in [
        (16, 8, "f16", &["f16", "f32"][..]),
        (16, 16, "f16", &["f16", "f32"]),
        (16, 8, "bf16", &["f32"]),
        (16, 16, "bf16", &["f32"]),
        (16, 4, "tf32", &["f32"]),
        (16, 8, "tf32", &["f32"]),
        (8, 4, "f64", &["f64"]),
        (16, 4, "f64", &["f64"]),
        (16, 8, "f64", &["f64"]),
        (16, 16, "f64", &["f64"]),
    ] {
        for sum in sums {
            check(&Form {
                m,
                k,
                a: ty,
                b: ty,
                c: sum,
                d: sum,
                ..PLAIN
            });
        }
    }
    for k in [16, 32] {
        for a in EIGHTS {
            for b in EIGHTS {
                for sum in ["f16", "f32"] {
                    check(&Form {
                        k,
                        a,
                        b,
                        c: sum,
                        d: sum,
                        ..PLAIN
                    });
                }
            }
        }
    }
    for a in NARROW {
        for b in NARROW {
            for sum in ["f16", "f32"] {
                let modifier = ".kind::f8f6f4";
                check(&Form {
                    k: 32,
                    a,
                    b,
                    c: sum,
                    d: sum,
                    modifier,
                    container: 8,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn dense_products_of_integers_wrap_or_saturate() {
    let shapes = [
        (["s8", "u8"], [(8, 16), (16, 16), (16, 32)]),
        (["s4", "u4"], [(8, 32), (16, 32), (16, 64)]),
    ];
    for (types, shapes) in shapes {
        for (m, k) in shapes {
            for a in types {
                for b in types {
                    for modifier in ["", ".satfinite"] {
                        check(&Form {
                            m,
                            k,
                            a,
                            b,
                            c: "s32",
                            d: "s32",
                            modifier,
                            ..PLAIN
                        });
                    }
                }
            }
        }
    }
    // Sums out of range.
    let form = Form {
        a: "u8",
        b: "u8",
        c: "s32",
        d: "s32",
        ..PLAIN
    };
    let full = [u64::from(u32::MAX); 32];
    for (modifier, c, want) in [
        ("", i32::MAX, i32::MAX.wrapping_add(16 * 255 * 255)),
        (".satfinite", i32::MAX, i32::MAX),
        (".satfinite", i32::MIN, i32::MIN + 16 * 255 * 255),
    ] {
        let form = Form { modifier, ..form };
        let c = [[c as u32 as u64; 32]; 4];
        let actual = issue(&form, &[full; 2], &[full; 1], &c, 4, "", &[]);
        assert_eq!(actual, [[want as u32 as u64; 32]; 4], "{modifier}");
    }
    let form = Form {
        a: "s8",
        b: "u8",
        c: "s32",
        d: "s32",
        modifier: ".satfinite",
        ..PLAIN
    };
    let c = [[i32::MIN as u32 as u64; 32]; 4];
    let actual = issue(&form, &[full; 2], &[full; 1], &c, 4, "", &[]);
    assert_eq!(actual, c);
}

#[test]
fn products_of_bits_count() {
    for (m, k) in [(8, 128), (16, 128), (16, 256)] {
        for suffix in [".xor.popc", ".and.popc"] {
            check(&Form {
                m,
                k,
                a: "b1",
                b: "b1",
                c: "s32",
                d: "s32",
                suffix,
                ..PLAIN
            });
        }
    }
}

/// The layout is in PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".
#[test]
fn four_products_of_quads() {
    let mut random = Random::new(844);
    for x in ["row", "col"] {
        for y in ["row", "col"] {
            for (d, c) in [("f16", "f16"), ("f32", "f16"), ("f32", "f32")] {
                let form = Form {
                    m: 8,
                    k: 4,
                    c,
                    d,
                    layouts: [x, y],
                    ..PLAIN
                };
                let quads: Vec<Matrices> = (0..4).map(|_| matrices(&form, &mut random)).collect();
                let low = |lane: usize| lane < 16;
                let quad_of = |lane: usize| &quads[lane % 16 / 4];
                let a_place = |lane: usize, i: usize| match x {
                    "row" => (if low(lane) { lane % 4 } else { lane % 4 + 4 }, i),
                    _ => (if low(lane) { i % 4 } else { i % 4 + 4 }, lane % 4),
                };
                let b_place = |lane: usize, i: usize| match y {
                    "row" => (lane % 4, if low(lane) { i } else { i + 4 }),
                    _ => (i, if low(lane) { lane % 4 } else { lane % 4 + 4 }),
                };
                let sum_place = |ty: &str, lane: usize, i: usize| {
                    if ty == "f16" {
                        return (if low(lane) { lane % 4 } else { lane % 4 + 4 }, i);
                    }
                    let x = (lane & 0b1) + (i & 0b10);
                    (
                        if low(lane) { x } else { x + 4 },
                        (i & 0b100) + (lane & 0b10) + (i & 0b1),
                    )
                };
                let a = registers(4, 16, |lane, i| {
                    let (row, column) = a_place(lane, i);
                    quad_of(lane).a[row][column]
                });
                let b = registers(4, 16, |lane, i| {
                    let (row, column) = b_place(lane, i);
                    quad_of(lane).b[row][column]
                });
                let c = registers(8, bits(c), |lane, i| {
                    let (row, column) = sum_place(c, lane, i);
                    quad_of(lane).c[row][column]
                });
                let want = registers(8, bits(d), |lane, i| {
                    let (row, column) = sum_place(d, lane, i);
                    sum_bits(d, product(&form, quad_of(lane), row, column))
                });
                let actual = issue(&form, &a, &b, &c, want.len(), "", &[]);
                assert_eq!(actual, want, "{}", form.name());
            }
        }
    }
}
