//! Tests that a program fixed by its help computes what its author meant.
//!
//! Each row is a kernel body with an error, and the intended result, computed in Rust. The help is applied
//! as in `apply`, and the interpreter runs the resulting kernel.

use super::{Program, apply, cure_of, errors};
use crate::build::memory_tests::{Given, elements, run_for, tensor};
use std::fmt::Write;

/// The arguments of a kernel.
struct Data {
    /// Multiples of a quarter, some negative.
    x: Vec<f32>,
    /// Whole numbers, 16 rows of 32.
    m: Vec<f32>,
    /// Positive numbers, the first of them 3, the last large.
    ids: Vec<i32>,
}

const N: i32 = 5;
const ROWS: usize = 16;
const COLUMNS: usize = 32;
const LEN: usize = 64;

impl Data {
    fn new() -> Self {
        let count = |number: usize| u16::try_from(number).expect("few numbers");
        let x = (0..LEN).map(|i| (f32::from(count(i * 37 % LEN)) - 20.0) / 4.0);
        let m = (0..ROWS * COLUMNS).map(|i| f32::from(count(i * 29 % 101)));
        let mut ids: Vec<i32> = (0..LEN).map(|i| i32::from(count(i * i * 7 + 3))).collect();
        ids[LEN - 1] = 1_000_000_000;
        Self {
            x: x.collect(),
            m: m.collect(),
            ids,
        }
    }
}

/// The intended first elements of `y` or of `z`; the remaining elements keep their values.
enum Meant {
    Y(Vec<f32>),
    Z(Vec<i32>),
}
use Meant::{Y, Z};

type Row = (&'static str, fn(&Data) -> Meant);

/// Bodies whose help once gave a wrong program, and bodies that cover many kinds of help.
const ROWS_OF_CURES: &[Row] = &[
    (
        "let t = x.load([0], [64]); y.store([0], t - t.max(0));",
        |d| {
            let most = d.x.iter().copied().fold(f32::MIN, f32::max);
            Y(d.x.iter().map(|x| x - most).collect())
        },
    ),
    (
        "let t = ids.load([0], [64]); z.store([0], t.saturating_mul(3));",
        |d| Z(d.ids.iter().map(|id| id.saturating_mul(3)).collect()),
    ),
    (
        "let t = ids.load([0], [64]); z.store([0], t.isqrt());",
        |d| Z(d.ids.iter().map(|id| id.isqrt()).collect()),
    ),
    (
        "let t = ids.load([0], [64]); z.store([0], t.ilog2().cast::<i32>());",
        |d| Z(d.ids.iter().map(|id| id.ilog2().cast_signed()).collect()),
    ),
    (
        "let t = ids.load([0], [64]); z.store([0], t.cast::<u32>().next_power_of_two().cast::<i32>());",
        |d| {
            Z(d.ids
                .iter()
                .map(|id| id.cast_unsigned().next_power_of_two().cast_signed())
                .collect())
        },
    ),
    (
        "let t = -ids.load([0], [64]); z.store([0], t.leading_ones().cast::<i32>());",
        |d| {
            Z(d.ids
                .iter()
                .map(|id| (-id).leading_ones().cast_signed())
                .collect())
        },
    ),
    (
        "let t = -ids.load([0], [64]) - 1; z.store([0], t.trailing_ones().cast::<i32>());",
        |d| {
            Z(d.ids
                .iter()
                .map(|id| (-id - 1).trailing_ones().cast_signed())
                .collect())
        },
    ),
    (
        "let w = u64::from(n as u32); z.store([0], full([1], w as i32));",
        |_| Z(vec![N]),
    ),
    (
        "let t = m.load([0, 0], [16, 32]); y.store([0], t.mean(1));",
        |d| {
            Y(d.m
                .chunks(COLUMNS)
                .map(|row| row.iter().sum::<f32>() / 32.0)
                .collect())
        },
    ),
    ("let w = m.shape()[1]; z.store([0], full([1], w));", |_| {
        Z(vec![32])
    }),
    ("let w = m.shape()[0]; z.store([0], full([1], w));", |_| {
        Z(vec![16])
    }),
    (
        "let t = x.load([0], [64]); y.store([0], full([1], t[63]));",
        |d| Y(vec![d.x[63]]),
    ),
    ("let t = x.load([0], [64]); y.store([0], t[0..32]);", |d| {
        Y(d.x[..32].to_vec())
    }),
    ("let t = x.load([0], [64]); y.store([0], t[32..64]);", |d| {
        Y(d.x[32..].to_vec())
    }),
    ("y[0] = 2.5;", |_| Y(vec![2.5])),
    ("z.store([0], iota([64]));", |_| Z((0..64).collect())),
    (
        "const BLOCK: usize = 64; y.store([0], x.load([0], [BLOCK]));",
        |d| Y(d.x.clone()),
    ),
    ("y.store([0], full([1], f32::from_bits(n as u32)));", |_| {
        Y(vec![f32::from_bits(N.cast_unsigned())])
    }),
    (
        "y.store([0], full([1], f8e4m3::from_bits(0x38) as f32));",
        |_| Y(vec![1.0]),
    ),
    (
        "y.store([0], full([64], 1.0).cast().cast::<f32>());",
        |_| Y(vec![1.0; 64]),
    ),
    ("z.store([0], iota(64).cast::<i32>());", |_| {
        Z((0..64).collect())
    }),
    (
        "let start = ids.load([0], [1]); let mut sum = 0; for i in start..10 { sum += i; } z.store([0], full([1], sum));",
        |d| Z(vec![(d.ids[0]..10).sum()]),
    ),
    (
        "let t = x.load([0], [64]).sqrt(); y.store([0], if t.is_nan() { 0.0 } else { t });",
        |d| {
            Y(d.x
                .iter()
                .map(|&x| if x < 0.0 { 0.0 } else { x.sqrt() })
                .collect())
        },
    ),
    (
        "let t = x.load([0], [64]); y.store([0], t.extract([1]));",
        |d| Y(d.x[16..32].to_vec()),
    ),
    // Loops.
    (
        "for (i, k) in (2..5).enumerate() { z.store([i], full([1], k)); }",
        |_| Z(vec![2, 3, 4]),
    ),
    (
        "for (i, k) in (0..n).zip(0..n) { z.store([i], full([1], k)); }",
        |_| Z(vec![0, 1, 2, 3, 4]),
    ),
    (
        "for k in (0..n).map(|i| i * 2 + 1) { z.store([k / 2], full([1], k)); }",
        |_| Z(vec![1, 3, 5, 7, 9]),
    ),
    (
        "for k in (0..n).filter(|i| i % 2 == 0) { z.store([k / 2], full([1], k)); }",
        |_| Z(vec![0, 2, 4]),
    ),
    (
        "for k in (0..2).chain(2..4) { z.store([k], full([1], k)); }",
        |_| Z(vec![0, 1, 2, 3]),
    ),
    (
        "let sum = (0..n).map(|i| i * 2).sum(); z.store([0], full([1], sum));",
        |_| Z(vec![20]),
    ),
    ("for e in x.iter() { y.store([0], full([1], e)); }", |d| {
        Y(vec![d.x[63]])
    }),
    (
        "let mut sum = 0; let k = 0; while k < n { sum += ids.at([k]); } z.store([0], full([1], sum));",
        |d| Z(vec![d.ids[..5].iter().sum()]),
    ),
    ("if let Some(k) = n { z.store([0], full([1], k)); }", |_| {
        Z(vec![N])
    }),
    (
        "let (a, b) = (n, n) else { return }; z.store([0], full([1], a + b));",
        |_| Z(vec![2 * N]),
    ),
    // Values.
    ("y.store([0], [0.5; 64]);", |_| Y(vec![0.5; 64])),
    ("y.store([0], vec![0.5; 64]);", |_| Y(vec![0.5; 64])),
    ("let list = [1.0, 2.0]; y.store([0], list);", |_| {
        Y(vec![1.0, 2.0])
    }),
    (
        "let t = x.load([0], [64]); y.store([0], t.map(|v| v * 2.0 + v));",
        |d| Y(d.x.iter().map(|x| x * 3.0).collect()),
    ),
    (
        "let t = x.load([0], [64]); y.store([0], full([1], t.iter().sum()));",
        |d| Y(vec![d.x.iter().sum()]),
    ),
    (
        "let t = ids.load([0], [64]); z.store([0], t / t.len() as i32);",
        |d| Z(d.ids.iter().map(|id| id / 64).collect()),
    ),
    ("let t = x.load([0], [64]); y.store([0], *t);", |d| {
        Y(d.x.clone())
    }),
    ("let t = x.load([0], [64]); y.store([0], &t);", |d| {
        Y(d.x.clone())
    }),
    (
        "let best = Some(2.5); y.store([0], full([1], best));",
        |_| Y(vec![2.5]),
    ),
    (
        "let pair = (1.0, 2.0); y.store([0], full([1], pair.2));",
        |_| Y(vec![2.0]),
    ),
    (
        "let k = if n > 0 { 1 } else { 2.5 }; y.store([0], full([1], k));",
        |_| Y(vec![1.0]),
    ),
    (
        "let k = match n { 5 => 1.5, _ => 2 }; y.store([0], full([1], k));",
        |_| Y(vec![1.5]),
    ),
    (
        "let low = Padding::NegInf; y.store([0], full([1], low));",
        |_| Y(vec![f32::NEG_INFINITY]),
    ),
    ("y.store([0], full([64]));", |_| Y(vec![1.0; 64])),
    // Shapes and memory.
    (
        "let t = x.load([0], [32]).broadcast([64]); y.store([0], t);",
        |d| Y([&d.x[..32], &d.x[..32]].concat()),
    ),
    ("let t = x.load([0], [64]).t(); y.store([0], t);", |d| {
        Y(d.x.clone())
    }),
    (
        "let t = m.load([0, 0], [16, 32]).squeeze(0); y.store([0], t);",
        |d| {
            Y((0..COLUMNS)
                .map(|j| d.m.iter().skip(j).step_by(COLUMNS).sum())
                .collect())
        },
    ),
    (
        "let t = m.load([0, 0], [16, 32]).permute([0, 0]); y.store([0], t.sum(1));",
        |d| {
            Y((0..COLUMNS)
                .map(|j| d.m.iter().skip(j).step_by(COLUMNS).sum())
                .collect())
        },
    ),
    ("y.store([0], x.gather([n]));", |d| Y(vec![d.x[5]])),
    ("y.store([0], x.load([0, 0], [64]));", |d| Y(d.x.clone())),
    (
        "let a = x.load([0], [64]); let b = x.load([0], [32]); y.store([0], a + b);",
        |d| Y(d.x.iter().map(|x| x + x).collect()),
    ),
    ("y = full([64], 3.0);", |_| Y(vec![3.0; 64])),
    ("x.load([0], [64]) * 2.0", |d| {
        Y(d.x.iter().map(|x| x * 2.0).collect())
    }),
    (
        "let t = x.load([0], [64]); y.store([0], t.load([0]));",
        |d| Y(d.x.clone()),
    ),
    ("y.store([0], x + 1.0);", |d| {
        Y(d.x.iter().map(|x| x + 1.0).collect())
    }),
    (
        "if n < 0 { panic!(\"negative\"); } z.store([0], full([1], n));",
        |_| Z(vec![N]),
    ),
];

/// Returns the text of a kernel with this body.
fn kernel(body: &str) -> String {
    format!(
        "#[tile_kernel(grid = 1, arch(\"cpu\"))]\nfn k(x: &Tensor<f32, 1>, m: &Tensor<f32, 2>, ids: &Tensor<i32, 1>, n: i32, y: &mut Tensor<f32, 1>, z: &mut Tensor<i32, 1>) {{ {body} }}\n"
    )
}

/// Runs the fixed kernel; returns a message if its results differ from the intended ones.
fn differs(text: &str, meant: Meant, data: &Data) -> Option<String> {
    let item = text.split_once(']').map_or(text, |(_, item)| item);
    let given = [
        tensor(&data.x, &[64]),
        tensor(&data.m, &[16, 32]),
        tensor(&data.ids, &[64]),
        Given::Scalar(u64::from(N.unsigned_abs())),
        tensor(&[-7.0_f32; LEN], &[64]),
        tensor(&[-7_i32; LEN], &[64]),
    ];
    let after = run_for("grid = 1, arch(\"cpu\")", item, [1; 3], &given);
    let (mut y, mut z) = (vec![-7.0_f32; LEN], vec![-7_i32; LEN]);
    match meant {
        Y(meant) => y[..meant.len()].copy_from_slice(&meant),
        Z(meant) => z[..meant.len()].copy_from_slice(&meant),
    }
    let actual = (elements::<f32>(&after[4]), elements::<i32>(&after[5]));
    let bits = |values: &[f32]| {
        values
            .iter()
            .map(|value| value.to_bits())
            .collect::<Vec<u32>>()
    };
    (bits(&actual.0) != bits(&y) || actual.1 != z)
        .then(|| format!("{text}gives {actual:?}, and not {:?}\n", (y, z)))
}

#[test]
fn what_a_help_makes_of_a_program_does_what_was_meant() {
    let data = Data::new();
    let mut wrong = String::new();
    let mut applied = 0;
    for (body, meant) in ROWS_OF_CURES {
        let program = Program {
            name: (*body).to_owned(),
            text: kernel(body),
        };
        let mut text = program.text.clone();
        // A program may have several errors; the help of each is applied.
        for _ in 0..3 {
            let before = errors(&text);
            let Some(fault) = before.first() else {
                break;
            };
            let Some(cured) = cure_of(&text, &before, fault) else {
                let tried = apply::applied(&text, fault).len();
                let _ = writeln!(wrong, "{body}: {tried} programs, none cured: {before:?}");
                break;
            };
            text = cured;
            applied += 1;
        }
        if errors(&text).is_empty()
            && let Some(difference) = differs(&text, meant(&data), &data)
        {
            let _ = writeln!(wrong, "{body}\n{difference}");
        }
        proc_macro2::extra::invalidate_current_thread_spans();
    }
    assert!(wrong.is_empty(), "{applied} were applied\n{wrong}");
    assert!(applied > 40, "only {applied} were applied");
}
