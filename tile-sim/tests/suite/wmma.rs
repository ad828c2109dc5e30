//! Tests `wmma` in every form: matrices are loaded, multiplied and stored, and compared with plain
//! loops.

use tile_sim::FaultKind;

use crate::mma::bits;
use crate::random::Random;
use crate::warp_run::{element, number, run, sum_bits, vector};

#[derive(Clone, Copy, Debug)]
struct Form {
    shape: [usize; 3],
    ty: &'static str,
    c: &'static str,
    d: &'static str,
    layouts: [&'static str; 4],
    modifier: &'static str,
    last: &'static str,
    op: &'static str,
    space: &'static str,
}

/// Returns the number of registers of a fragment with `elements` elements.
fn registers(ty: &str, elements: usize, multiplicand: bool) -> usize {
    match (ty, multiplicand) {
        ("f16", true) => 8,
        ("f16", false) => 4,
        ("f64", _) => elements / 32,
        _ => elements * bits(ty) / 1024,
    }
}

struct Matrix {
    ty: &'static str,
    rows: usize,
    columns: usize,
    by_rows: bool,
    /// The stride in elements.
    stride: usize,
    /// The offset in bytes.
    at: usize,
    elements: Vec<u64>,
}

impl Matrix {
    fn bytes(&self) -> usize {
        let lines = if self.by_rows {
            self.rows
        } else {
            self.columns
        };
        (lines * self.stride * bits(self.ty)).div_ceil(8)
    }

    fn bit(&self, row: usize, column: usize) -> usize {
        let (line, along) = if self.by_rows {
            (row, column)
        } else {
            (column, row)
        };
        8 * self.at + (line * self.stride + along) * bits(self.ty)
    }

    fn write(&self, shared: &mut [u8]) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (bit, element) = (
                    self.bit(row, column),
                    self.elements[row * self.columns + column],
                );
                for i in 0..bits(self.ty) {
                    shared[(bit + i) / 8] &= !(1 << ((bit + i) % 8));
                    shared[(bit + i) / 8] |= ((element >> i & 1) as u8) << ((bit + i) % 8);
                }
            }
        }
    }
}

fn check(form: &Form) {
    let [m, n, k] = form.shape;
    let mut random = Random::new((m * 1000 + n * 100 + k) as u64);
    let mut at = 0;
    let mut matrix = |rows, columns, ty: &'static str, layout, wider: usize| {
        let by_rows = layout == "row";
        let least = if by_rows { columns } else { rows };
        // Rows of a multiple of 16 bytes, and longer ones where the form names a stride.
        let stride = usize::next_multiple_of(least + wider, 128 / bits(ty));
        let elements = (0..rows * columns)
            .map(|_| element(ty, &mut random))
            .collect();
        let matrix = Matrix {
            ty,
            rows,
            columns,
            by_rows,
            stride,
            at,
            elements,
        };
        at = (at + matrix.bytes()).next_multiple_of(32);
        matrix
    };
    let a = matrix(m, k, form.ty, form.layouts[0], 16);
    let b = matrix(k, n, form.ty, form.layouts[1], 8);
    let c = matrix(m, n, form.c, form.layouts[2], 1);
    let d = matrix(m, n, form.d, form.layouts[3], 24);
    let mut shared: Vec<u8> = (0..at.next_multiple_of(512)).map(|i| i as u8).collect();
    for matrix in [&a, &b, &c] {
        matrix.write(&mut shared);
    }
    let wide = form.ty == "f64";
    let declared = if wide { "b64" } else { "b32" };
    let count = |matrix: &Matrix, multiplicand| {
        registers(matrix.ty, matrix.rows * matrix.columns, multiplicand)
    };
    let [la, lb, lc, ld] = form.layouts;
    let Form {
        ty,
        modifier,
        last,
        op,
        space,
        ..
    } = form;
    let shape = format!("m{m}n{n}k{k}");
    let address = |matrix: &Matrix| {
        if space.is_empty() {
            format!("[%generic+{}]", matrix.at)
        } else {
            format!("[%base+{}]", matrix.at)
        }
    };
    let product = if *ty == "f16" {
        format!("{}.{}", form.d, form.c)
    } else {
        format!("{}.{ty}.{ty}.{}", form.d, form.c)
    };
    let body = format!(
        ".reg .{declared} %a<8>, %b<8>, %c<8>, %x<8>; .reg .b64 %generic; .reg .b32 %stride;
         mov.u32 %stride, {sa};
         cvt.u64.u32 %generic, %base; cvta.shared.u64 %generic, %generic;
         wmma.load.a.sync.aligned.{la}.{shape}{space}.{ty} {ra}, {aa}, %stride;
         wmma.load.b.sync.aligned.{lb}.{shape}{space}.{ty} {rb}, {ab}, {sb};
         wmma.load.c.sync.aligned.{lc}.{shape}{space}.{tc} {rc}, {ac}, {sc};
         wmma.mma{op}.sync.aligned.{la}.{lb}.{shape}{modifier}.{product}{last} {rd}, {ra}, {rb}, {rc};
         wmma.store.d.sync.aligned.{ld}.{shape}{space}.{td} {ad}, {rd}, {sd};",
        sa = a.stride,
        sb = b.stride,
        sc = c.stride,
        sd = d.stride,
        ra = vector("a", count(&a, true)),
        rb = vector("b", count(&b, true)),
        rc = vector("c", count(&c, false)),
        rd = vector("x", count(&d, false)),
        aa = address(&a),
        ab = address(&b),
        ac = address(&c),
        ad = address(&d),
        tc = form.c,
        td = form.d,
    );
    let (_, actual, counters) =
        run(&body, &[], 0, false, &shared).unwrap_or_else(|fault| panic!("{form:?}: {fault}"));
    assert_eq!(counters.matmuls.multiply_adds, (m * n * k) as u64);
    let mut want = shared.clone();
    let mut elements = Vec::new();
    for row in 0..m {
        for column in 0..n {
            let mut sum = number(form.c, c.elements[row * n + column]);
            for i in 0..k {
                let (x, y) = (a.elements[row * k + i], b.elements[i * n + column]);
                sum += match *op {
                    ".xor.popc" => (x ^ y) as f64,
                    _ => number(ty, x) * number(ty, y),
                };
            }
            if *last == ".satfinite" {
                sum = sum.clamp(-2_147_483_648.0, 2_147_483_647.0);
            }
            elements.push(sum_bits(form.d, sum));
        }
    }
    Matrix { elements, ..d }.write(&mut want);
    assert!(actual == want, "{form:?}");
}

const LAYOUTS: [&str; 2] = ["row", "col"];
const WIDE: [[usize; 3]; 3] = [[16, 16, 16], [8, 32, 16], [32, 8, 16]];

fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |shape, ty, c, d, op, last| {
        for x in LAYOUTS {
            for y in LAYOUTS {
                let number = forms.len();
                // Bits and nibbles have one layout.
                if bits(ty) < 8 && (x, y) != ("row", "col") {
                    continue;
                }
                let layouts = [x, y, LAYOUTS[number % 2], LAYOUTS[number / 2 % 2]];
                let space = [".shared", "", ".shared::cta"][number % 3];
                forms.push(Form {
                    shape,
                    ty,
                    c,
                    d,
                    layouts,
                    modifier: "",
                    last,
                    op,
                    space,
                });
            }
        }
    };
    for shape in WIDE {
        for c in ["f16", "f32"] {
            for d in ["f16", "f32"] {
                add(shape, "f16", c, d, "", "");
            }
        }
        add(shape, "bf16", "f32", "f32", "", "");
        for last in ["", ".satfinite"] {
            for ty in ["s8", "u8"] {
                add(shape, ty, "s32", "s32", "", last);
            }
        }
    }
    add([16, 16, 8], "tf32", "f32", "f32", "", "");
    add([8, 8, 4], "f64", "f64", "f64", "", "");
    for last in ["", ".satfinite"] {
        for ty in ["s4", "u4"] {
            add([8, 8, 32], ty, "s32", "s32", "", last);
        }
    }
    for op in [".xor.popc", ".and.popc"] {
        add([8, 8, 128], "b1", "s32", "s32", op, "");
    }
    forms
}

#[test]
fn loads_products_and_stores_of_fragments() {
    for form in forms() {
        check(&form);
    }
}

/// A stored fragment equals the loaded one, even if elements are modified in between.
#[test]
fn fragments_keep_their_elements() {
    let shared: Vec<u8> = (0..1024u32).map(|i| i as u8).collect();
    let body = "wmma.load.c.sync.aligned.row.m8n32k16.shared.s32 {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, [%base];
         not.b32 %d0, %d0; not.b32 %d1, %d1; not.b32 %d2, %d2; not.b32 %d3, %d3;
         not.b32 %d4, %d4; not.b32 %d5, %d5; not.b32 %d6, %d6; not.b32 %d7, %d7;
         wmma.store.d.sync.aligned.row.m8n32k16.shared.s32 [%base], {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7};";
    let (_, actual, _) = run(body, &[], 8, false, &shared).unwrap();
    assert!(
        actual
            .iter()
            .zip(&shared)
            .all(|(actual, byte)| *actual == !byte)
    );
}

#[test]
fn misplaced_fragments_are_faults() {
    let load = |operands: &str| {
        let body = format!(
            "mad.lo.u32 %at, %lane, 32, %base; wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {}, {operands};",
            vector("d", 8)
        );
        run(&body, &[], 8, false, &[0; 1024]).unwrap_err()
    };
    assert!(matches!(
        load("[%base+8]").kind,
        FaultKind::Misaligned { .. }
    ));
    assert!(
        load("[%base], 20")
            .to_string()
            .contains("a stride of 20 elements")
    );
    assert!(load("[%at]").to_string().contains("different addresses"));
    assert!(
        load("[%base], %lane")
            .to_string()
            .contains("different strides")
    );
    assert!(matches!(
        load("[%base+768]").kind,
        FaultKind::OutOfBounds { .. }
    ));
}

/// Tests that the decoder accepts the same forms as `ptxas`.
#[test]
fn forms_that_there_are() {
    use crate::matrix_forms::{TARGETS, compare_expanded};
    let mut lines = std::collections::BTreeSet::new();
    let shapes = [
        [16, 16, 16],
        [8, 32, 16],
        [32, 8, 16],
        [16, 16, 8],
        [8, 8, 4],
        [8, 8, 32],
        [8, 8, 128],
    ];
    let name = |ty: &str| match ty {
        "f32" => "f",
        "f64" => "d",
        _ => "r",
    };
    let types = [
        "f16", "bf16", "tf32", "f64", "s8", "u8", "s4", "u4", "b1", "f32", "s32", "e4m3",
    ];
    for [m, n, k] in shapes {
        let shape = format!("m{m}n{n}k{k}");
        let fragment = |ty: &str, elements: usize, multiplicand| {
            vector(name(ty), registers(ty, elements, multiplicand).max(1))
        };
        for x in LAYOUTS {
            for ty in types {
                for space in ["", ".shared", ".global", ".local"] {
                    let (a, b) = (fragment(ty, m * k, true), fragment(ty, k * n, true));
                    let c = fragment(ty, m * n, false);
                    let rest = format!("sync.aligned.{x}.{shape}{space}.{ty}");
                    lines.insert(format!("wmma.load.a.{rest} {a}, [%q0];"));
                    lines.insert(format!("wmma.load.b.{rest} {b}, [%q0], %r9;"));
                    // `ptxas` accepts some invalid accumulators, but generates no code for them.
                    let sums = match [m, n, k] {
                        [16, 16, 8] => &["f32"][..],
                        [8, 8, 4] => &["f64"],
                        [8, 8, _] => &["s32"],
                        _ => &["f16", "f32", "s32"],
                    };
                    if !sums.contains(&ty) {
                        continue;
                    }
                    lines.insert(format!("wmma.load.c.{rest} {c}, [%q0], 32;"));
                    lines.insert(format!("wmma.store.d.{rest} [%q0], {c};"));
                }
            }
            for y in LAYOUTS {
                for (c, d) in [
                    ("f16", "f16"),
                    ("f16", "f32"),
                    ("f32", "f16"),
                    ("f32", "f32"),
                ] {
                    for last in ["", ".satfinite"] {
                        lines.insert(format!(
                            "wmma.mma.sync.aligned.{x}.{y}.{shape}.{d}.{c}{last} {}, {r}, {r}, {};",
                            fragment(d, 256, false),
                            fragment(c, 256, false),
                            r = vector("r", 8),
                        ));
                    }
                }
                for ty in &types[1..9] {
                    // `ptxas` accepts some invalid forms, but generates no code for them.
                    let near = match [m, n, k] {
                        [16, 16, 8] => &["tf32", "bf16"][..],
                        [8, 8, 4] => &["f64", "tf32"],
                        [8, 8, 32] => &["s4", "u4", "s8"],
                        [8, 8, 128] => &["b1", "u8"],
                        _ => &types,
                    };
                    if !near.contains(ty) {
                        continue;
                    }
                    let sum = match *ty {
                        "bf16" | "tf32" => "f32",
                        "f64" => "f64",
                        _ => "s32",
                    };
                    for (op, modifier, last) in [
                        ("", "", ""),
                        ("", "", ".satfinite"),
                        (".xor.popc", "", ""),
                        (".and.popc", "", ""),
                        ("", ".rn", ""),
                        ("", ".rp", ""),
                    ] {
                        lines.insert(format!(
                            "wmma.mma{op}.sync.aligned.{x}.{y}.{shape}{modifier}.{sum}.{ty}.{ty}.{sum}{last} {}, {}, {}, {};",
                            fragment(sum, m * n, false),
                            fragment(ty, m * k, true),
                            fragment(ty, k * n, true),
                            fragment(sum, m * n, false),
                        ));
                    }
                }
            }
        }
    }
    compare_expanded(&lines, &[TARGETS[0], TARGETS[2]]);
}

/// Without a stride, rows or columns are contiguous.
#[test]
fn the_stride_of_a_load_may_be_left_out() {
    use crate::random::Random;
    use crate::warp_run::{Row, run, vector};
    let mut random = Random::new(3);
    let shared: Vec<u8> = (0..512).map(|_| random.bits() as u8).collect();
    for (matrix, layout) in [("a", "row"), ("a", "col"), ("b", "row"), ("b", "col")] {
        for space in ["", ".shared"] {
            let load = |stride: &str| -> Vec<Row> {
                let address = if space.is_empty() {
                    "%generic"
                } else {
                    "%base"
                };
                let body = format!(
                    ".reg .b64 %generic; cvt.u64.u32 %generic, %base; cvta.shared.u64 %generic, %generic;
                     wmma.load.{matrix}.sync.aligned.{layout}.m16n16k16{space}.f16 {}, [{address}]{stride};",
                    vector("d", 8)
                );
                run(&body, &[], 8, false, &shared).unwrap().0
            };
            assert_eq!(load(""), load(", 16"));
            assert_ne!(load(""), load(", 8"));
        }
    }
}
