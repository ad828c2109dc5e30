//! Tests accesses to memory against plain Rust: both variants, with every check of the interpreter
//! enabled, and in several orders of their operations.

use super::{Variant, entry_name};
use crate::testing::front;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Arg, Check, Program, RunOptions};
use tile_core::verify::verify;

/// An element type of tensors.
pub(crate) trait Number: Copy {
    fn bytes(self) -> Vec<u8>;
    fn read_le(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($ty:ty),+) => { $(impl Number for $ty {
        fn bytes(self) -> Vec<u8> {
            self.to_le_bytes().to_vec()
        }
        fn read_le(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().expect("the size of the buffer"))
        }
    })+ };
}
numbers!(u8, i32, u32, i64, u64, f32, f64);

/// An argument of a launch.
#[derive(Clone)]
pub(crate) enum Given {
    /// Row-major bytes, and extents.
    Tensor(Vec<u8>, Vec<u64>),
    Scalar(u64),
    Pointer(Vec<u8>),
}

fn bytes<T: Number>(elements: &[T]) -> Vec<u8> {
    elements.iter().flat_map(|&one| one.bytes()).collect()
}

pub(crate) fn tensor<T: Number>(elements: &[T], shape: &[u64]) -> Given {
    Given::Tensor(bytes(elements), shape.to_vec())
}

fn pointer<T: Number>(elements: &[T]) -> Given {
    Given::Pointer(bytes(elements))
}

pub(crate) fn elements<T: Number>(given: &Given) -> Vec<T> {
    let (Given::Tensor(bytes, _) | Given::Pointer(bytes)) = given else {
        panic!("a number has no elements")
    };
    bytes.chunks(size_of::<T>()).map(T::read_le).collect()
}

fn parameters(given: &mut [Given]) -> Vec<Arg> {
    let mut args = Vec::new();
    for one in given {
        match one {
            Given::Scalar(bits) => args.push(Arg::Scalar { bits: *bits }),
            Given::Pointer(bytes) => args.push(Arg::Pointer {
                ptr: bytes.as_mut_ptr(),
                bytes: bytes.len(),
            }),
            Given::Tensor(bytes, shape) => {
                args.push(Arg::Pointer {
                    ptr: bytes.as_mut_ptr(),
                    bytes: bytes.len(),
                });
                args.extend(shape.iter().map(|&bits| Arg::Scalar { bits }));
                for axis in 0..shape.len() {
                    let bits = shape[axis + 1..].iter().product();
                    args.push(Arg::Scalar { bits });
                }
            }
        }
    }
    args
}

/// Returns `true` if the arguments satisfy the assumptions of the variant `fast`.
fn allows_fast(given: &Given) -> bool {
    match given {
        Given::Tensor(bytes, shape) => {
            let rows: u64 = shape[..shape.len() - 1].iter().product();
            (bytes.len() as u64 / rows).is_multiple_of(16) || shape.len() == 1
        }
        Given::Scalar(_) | Given::Pointer(_) => true,
    }
}

/// Runs a kernel `k` in both variants and in several orders of its operations, asserts that the
/// results agree, and returns the arguments after the run.
pub(super) fn run(item: &str, grid: [u32; 3], given: &[Given]) -> Vec<Given> {
    run_for("arch(\"cpu\")", item, grid, given)
}

pub(crate) fn run_for(attribute: &str, item: &str, grid: [u32; 3], given: &[Given]) -> Vec<Given> {
    let expansion =
        front(attribute, item).unwrap_or_else(|faults| panic!("{item}\n{}", faults.concat()));
    let mut outcomes: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut last = Vec::new();
    for variant in Variant::ALL {
        if variant == Variant::Fast && !given.iter().all(allows_fast) {
            continue;
        }
        let (_, module) = &expansion.artifacts[0][variant as usize];
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module.clone(), &mut diagnostics)
            .and_then(|module| flatten(module, &FlattenOptions::default(), &mut diagnostics))
            .unwrap_or_else(|_| panic!("{item}\n{:?}", diagnostics.take()));
        let programs = [
            Program::new(&flat.module),
            Program::new(canonicalize(flat.module).module()),
        ];
        for program in &programs {
            for seed in [None, Some(1), Some(2), Some(3)] {
                let mut memory = given.to_vec();
                let mut args = parameters(&mut memory);
                // The blocks of a parallel loop exchange values through these buffers.
                let mut buffers: Vec<Vec<u8>> = flat.entries[0]
                    .buffers
                    .iter()
                    .map(|buffer| vec![0; usize::try_from(buffer.bytes(grid)).expect("few")])
                    .collect();
                args.extend(buffers.iter_mut().map(|buffer| Arg::Pointer {
                    ptr: buffer.as_mut_ptr(),
                    bytes: buffer.len(),
                }));
                let options = RunOptions {
                    check: Check::On,
                    seed,
                    step_limit: Some(100_000),
                    ..RunOptions::default()
                };
                let entry = entry_name("k", variant);
                // SAFETY: `memory` and `buffers` outlive the call, and nothing else uses them.
                unsafe { program.run_with(&entry, grid, &args, options) }
                    .unwrap_or_else(|fault| panic!("{item}\n{fault}"));
                outcomes.push(
                    memory
                        .iter()
                        .map(|one| match one {
                            Given::Tensor(bytes, _) | Given::Pointer(bytes) => bytes.clone(),
                            Given::Scalar(_) => Vec::new(),
                        })
                        .collect(),
                );
                last = memory;
            }
        }
    }
    assert!(
        outcomes.iter().all(|outcome| *outcome == outcomes[0]),
        "{item}: the ways to run it differ"
    );
    last
}

pub(super) fn counting(len: u32) -> Vec<u32> {
    (0..len).map(|i| i * 7 + 3).collect()
}

#[test]
fn at_reads_one_element_and_zero_outside() {
    let item = "fn k(x: &Tensor<u32, 2>, i: i32, j: u8, y: &mut Tensor<u32, 1>) {
        let a = x.at([i, j]);
        let b = x.at([i - 100, j as i64]);
        let c = x.at([2_u64, 5_u64]);
        let d = x.at([u64::MAX, 0_u64]);
        y.store([0], full([1], a));
        y.store([1], full([1], b + 1));
        y.store([2], full([1], c));
        y.store([3], full([1], d + 2));
    }";
    let x = counting(24);
    let given = [
        tensor(&x, &[4, 6]),
        Given::Scalar(3),
        Given::Scalar(4),
        tensor(&[9_u32; 4], &[4]),
    ];
    let after = run(item, [1; 3], &given);
    assert_eq!(elements::<u32>(&after[3]), [x[22], 1, x[17], 2]);
}

#[test]
fn gather_takes_indices_of_any_integer_type_that_stretch_together() {
    for ty in ["i8", "u8", "i16", "i32", "u32", "i64", "u64"] {
        let item = format!(
            "fn k(x: &Tensor<u32, 2>, rows: &Tensor<i32, 1>, y: &mut Tensor<u32, 2>) {{
                let r = rows.load([0], [4]).cast::<{ty}>().unsqueeze(1);
                let c = iota::<i32>(8).unsqueeze(0);
                y.store([0, 0], x.gather([r, c]));
            }}"
        );
        // Rows of 24 bytes run only in the variant `general`.
        let width = if ty.starts_with('u') { 8 } else { 6 };
        let x = counting(u32::try_from(5 * width).expect("a few"));
        let rows = [4, -1, 0, 5];
        let given = [
            tensor(&x, &[5, u64::try_from(width).expect("a few")]),
            tensor(&rows, &[4]),
            tensor(&[1_u32; 32], &[4, 8]),
        ];
        let after = run(&item, [1; 3], &given);
        let mut expected = Vec::new();
        for row in rows {
            for column in 0..8 {
                let inside = (0..5).contains(&row) && column < width;
                let index = usize::try_from(row * width + column).unwrap_or(0);
                expected.push(if inside { x[index] } else { 0 });
            }
        }
        assert_eq!(elements::<u32>(&after[2]), expected, "{ty}");
    }
}

#[test]
fn gather_pads_as_asked() {
    let item = "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
        let i = iota::<i32>(4) - 1;
        y.store([0], x.gather_padded([i], Padding::NegInf));
        y.store([1], x.gather_padded([i], Padding::Nan));
        y.store([2], x.gather_padded([i], Padding::NegZero));
    }";
    let given = [tensor(&[1.5_f32, 2.5], &[2]), tensor(&[0.0_f32; 12], &[12])];
    let actual = elements::<f32>(&run(item, [1; 3], &given)[1]);
    let inf = f32::NEG_INFINITY;
    assert_eq!(actual[..4], [inf, 1.5, 2.5, inf]);
    assert!(actual[4].is_nan() && actual[7].is_nan());
    assert_eq!(actual[8].to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn stride_is_that_of_the_tensor() {
    let item = "fn k(x: &Tensor<u32, 3>, y: &mut Tensor<i64, 1>) {
        y.store([0], full([1], x.stride(0)));
        y.store([1], full([1], x.stride(1)));
        y.store([2], full([1], x.stride(2)));
    }";
    let given = [
        tensor(&[0_u32; 120], &[2, 5, 12]),
        tensor(&[0_i64; 3], &[3]),
    ];
    assert_eq!(elements::<i64>(&run(item, [1; 3], &given)[1]), [60, 12, 1]);
}

#[test]
fn scatter_drops_what_is_outside_and_stays_in_order() {
    let item = "fn k(p: &Tensor<i32, 1>, y: &mut Tensor<u32, 1>) {
        let i = p.load([0], [8]);
        unsafe { y.scatter([i], iota::<u32>(8) + 10) };
        let moved = y.gather([i]);
        unsafe { y.scatter([i], moved * 2) };
        let first = y.at([2]);
        y.store([1], full([4], first));
    }";
    let places = [7, 2, -5, 0, 100, 1, 3, 8];
    let given = [tensor(&places, &[8]), tensor(&[5_u32; 8], &[8])];
    let mut expected = [5_u32; 8];
    for (value, &place) in (10..).zip(&places) {
        if let Ok(place) = usize::try_from(place)
            && place < 8
        {
            expected[place] = value * 2;
        }
    }
    let first = expected[2];
    expected[4..].fill(first);
    assert_eq!(elements::<u32>(&run(item, [1; 3], &given)[1]), expected);
}

#[test]
fn an_order_of_axes_turns_tiles() {
    let item = "fn k(x: &Tensor<u32, 2>, y: &mut Tensor<u32, 2>, z: &mut Tensor<u32, 2>) {
        let p = x.partition([4, 2]).with_order([1, 0]);
        let (i, j) = (block_id(0), block_id(1));
        let tile = p.load([i, j]);
        y.partition([4, 2]).store([i, j], tile);
        z.partition([4, 2]).with_order([1, 0]).store([i, j], tile);
    }";
    let x = counting(48);
    let given = [
        tensor(&x, &[6, 8]),
        tensor(&[0_u32; 48], &[8, 6]),
        tensor(&[0_u32; 48], &[6, 8]),
    ];
    let after = run(item, [2, 3, 1], &given);
    let turned: Vec<u32> = (0..8)
        .flat_map(|i| (0..6).map(move |j| j * 8 + i))
        .map(|index| x[index])
        .collect();
    assert_eq!(elements::<u32>(&after[1]), turned);
    assert_eq!(elements::<u32>(&after[2]), x);
}

#[test]
fn strided_tiles_overlap_or_leave_gaps() {
    let item = "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 2>, n: &mut Tensor<i32, 1>) {
        let v = x.strided([4], [3]).with_padding(Padding::Inf);
        let i = block_id(0);
        y.store([i, 0], v.load([i]).unsqueeze(0));
        if i == 0 {
            n.store([0], full([1], v.num_tiles(0)));
        }
    }";
    let x: Vec<f32> = (0_u8..10).map(f32::from).collect();
    let given = [
        tensor(&x, &[10]),
        tensor(&[0.0_f32; 16], &[4, 4]),
        tensor(&[0_i32], &[1]),
    ];
    let after = run(item, [4, 1, 1], &given);
    let expected: Vec<f32> = (0..4)
        .flat_map(|i| (0..4).map(move |j| i * 3 + j))
        .map(|index| x.get(index).copied().unwrap_or(f32::INFINITY))
        .collect();
    assert_eq!(elements::<f32>(&after[1]), expected);
    assert_eq!(elements::<i32>(&after[2]), [4]);
    let gaps = "fn k(y: &mut Tensor<u32, 1>) {
        let i = block_id(0);
        y.strided([2], [4]).store([i], full([2], 1_u32 + i as u32));
    }";
    let after = run(gaps, [3, 1, 1], &[tensor(&[0_u32; 11], &[11])]);
    assert_eq!(
        elements::<u32>(&after[0]),
        [1, 1, 0, 0, 2, 2, 0, 0, 3, 3, 0]
    );
}

#[test]
fn a_gather_view_takes_rows_by_index() {
    for ty in ["i8", "i32", "u64"] {
        let item = format!(
            "fn k(x: &Tensor<f32, 2>, rows: &Tensor<i32, 1>, y: &mut Tensor<f32, 2>, z: &mut Tensor<f32, 2>) {{
                let r = rows.load([0], [4]).cast::<{ty}>();
                let t = x.gather_view(0, [4, 2]).with_padding(Padding::NegInf).load([r, 1]);
                y.store([0, 0], t);
                unsafe {{ z.gather_view(0, [4, 2]).store([r, 1_i64], t) }};
            }}"
        );
        let x: Vec<f32> = (0_u8..12).map(f32::from).collect();
        let rows = [2, -1, 0, 3];
        let given = [
            tensor(&x, &[3, 4]),
            tensor(&rows, &[4]),
            tensor(&[0.0_f32; 8], &[4, 2]),
            tensor(&[0.0_f32; 12], &[3, 4]),
        ];
        let after = run(&item, [1; 3], &given);
        let none = f32::NEG_INFINITY;
        assert_eq!(
            elements::<f32>(&after[2]),
            [9.0, 10.0, none, none, 1.0, 2.0, none, none],
            "{ty}"
        );
        assert_eq!(
            elements::<f32>(&after[3]),
            [0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 10.0, 0.0]
        );
    }
}

#[test]
fn a_histogram_counts_every_element() {
    let item = "fn k(x: &Tensor<u8, 1>, counts: &mut Tensor<u32, 1>) {
        let i = block_id(0);
        let place = i * 16 + iota::<i32>(16);
        let bin = select(place < x.dim(0), x.load([i], [16]).cast::<i32>(), -1);
        counts.atomic_add([bin], 1);
    }";
    let x: Vec<u8> = (0..100_u8).map(|i| i.wrapping_mul(37) % 12).collect();
    let given = [tensor(&x, &[100]), tensor(&[1_u32; 10], &[10])];
    let mut expected = [1_u32; 10];
    for &bin in x.iter().filter(|&&bin| bin < 10) {
        expected[usize::from(bin)] += 1;
    }
    let after = run(item, [7, 1, 1], &given);
    assert_eq!(elements::<u32>(&after[1]), expected);
}

#[test]
fn atomics_give_the_old_values_and_zero_outside() {
    let item = "fn k(y: &mut Tensor<i32, 1>, old: &mut Tensor<i32, 2>) {
        let i = iota::<i32>(4);
        let v = i * 3 - 4;
        old.store([0, 0], y.atomic_add([i], v).unsqueeze(0));
        old.store([1, 0], y.atomic_max([i], v, Ordering::Relaxed).unsqueeze(0));
        old.store([2, 0], y.atomic_min([i], v, Ordering::AcqRel, Scope::System).unsqueeze(0));
        old.store([3, 0], y.atomic_and([i], 13, Ordering::Acquire, Scope::Block).unsqueeze(0));
        old.store([4, 0], y.atomic_or([i], 16, Ordering::Release, Scope::Device).unsqueeze(0));
        old.store([5, 0], y.atomic_xor([i], 5).unsqueeze(0));
        old.store([6, 0], y.atomic_xchg([i], v).unsqueeze(0));
        old.store([7, 0], y.atomic_cas([i], -1, 77).unsqueeze(0));
    }";
    let start = [100, -7, 3];
    let given = [tensor(&start, &[3]), tensor(&[9_i32; 32], &[8, 4])];
    let after = run(item, [1; 3], &given);
    let mut now = start;
    let mut expected = Vec::new();
    let steps: [fn(i32, i32) -> i32; 8] = [
        |y, v| y + v,
        |y, v| y.max(v),
        |y, v| y.min(v),
        |y, _| y & 0b1101,
        |y, _| y | 0b1_0000,
        |y, _| y ^ 0b101,
        |_, v| v,
        |y, _| if y == -1 { 77 } else { y },
    ];
    for step in steps {
        expected.extend(now);
        expected.push(0);
        for (i, y) in (0..).zip(&mut now) {
            *y = step(*y, i * 3 - 4);
        }
    }
    assert_eq!(elements::<i32>(&after[0]), now);
    assert_eq!(elements::<i32>(&after[1]), expected);
}

#[test]
fn atomics_of_single_elements_take_and_give_numbers() {
    let item = "fn k(y: &mut Tensor<i32, 2>, old: &mut Tensor<i32, 1>) {
        let a = y.atomic_add([0, 1], 5);
        let b = y.atomic_cas([1, 0], 3, a * 100, Ordering::AcqRel);
        let c = y.atomic_load([1, 0], Ordering::Acquire);
        y.atomic_store([1, 1], c + 1, Ordering::Release, Scope::System);
        let d = y.atomic_xchg_masked([0, 0], 77, a == 2);
        let e = y.atomic_xchg_masked([0, 0], 78, a == 3);
        y.atomic_store_masked([0, 1], 0, a == 3);
        let f = y.atomic_load([-1, 0]);
        y.atomic_store([5, 0], 9);
        old.store([0], cat(cat(full([1], a), full([1], b), 0), cat(full([1], c), full([1], d), 0), 0));
        old.store([1], cat(cat(full([1], e), full([1], f), 0), cat(full([1], 0), full([1], 0), 0), 0));
    }";
    let given = [tensor(&[1, 2, 3, 4], &[2, 2]), tensor(&[9_i32; 8], &[8])];
    let after = run(item, [1; 3], &given);
    assert_eq!(elements::<i32>(&after[0]), [77, 7, 200, 201]);
    assert_eq!(elements::<i32>(&after[1]), [2, 3, 200, 1, 0, 0, 0, 0]);
}

#[test]
fn a_masked_atomic_leaves_out_elements_and_gives_zero_for_them() {
    let item = "fn k(y: &mut Tensor<i32, 1>, old: &mut Tensor<i32, 2>) {
        let i = iota::<i32>(4);
        let even = i % 2 == 0;
        old.store([0, 0], y.atomic_add_masked([i], 10, even).unsqueeze(0));
        old.store([1, 0], y.atomic_cas_masked([i], 2, 50, !even, Ordering::Acquire).unsqueeze(0));
        old.store([2, 0], y.atomic_load_masked([i + 1], even).unsqueeze(0));
        y.atomic_store_masked([i], i, i == 2, Ordering::Release);
        let p = y.as_mut_ptr();
        let t = unsafe { p.offset(i).atomic_add_masked(1, i < 3) };
        old.store([3, 0], t.unsqueeze(0));
        old.store([4, 0], unsafe { p.offset(i).atomic_load_masked(i < 3) }.unsqueeze(0));
        unsafe { p.atomic_store(60) };
        old.store([5, 0], full([1, 4], unsafe { p.atomic_load() }));
    }";
    let given = [tensor(&[1, 2, 3], &[3]), tensor(&[9_i32; 24], &[6, 4])];
    let after = run(item, [1; 3], &given);
    assert_eq!(elements::<i32>(&after[0]), [60, 51, 3]);
    assert_eq!(
        elements::<i32>(&after[1]),
        [
            1, 0, 3, 0, 0, 2, 0, 0, 50, 0, 0, 0, 11, 50, 2, 0, 12, 51, 3, 0, 60, 60, 60, 60
        ]
    );
}

/// Returns the operations that tokens connect, in order.
fn operations(item: &str) -> String {
    let expansion =
        front("arch(\"cpu\")", item).unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let (_, module) = &expansion.artifacts[0][Variant::General as usize];
    tile_core::text::print(module)
}

#[test]
fn what_orders_nothing_leaves_the_tensors_apart() {
    let item = |ordering: &str| {
        operations(&format!(
            "fn k(x: &mut Tensor<i32, 1>, y: &mut Tensor<i32, 1>) {{
                let i = block_id(0);
                for j in 0..4 {{
                    x.store([i], x.load([i], [4]) + j);
                    y.atomic_add([0], 1{ordering});
                }}
            }}"
        ))
    };
    // Relaxed accesses add no tokens: none is carried and none is joined.
    assert_eq!(item(""), item(", Ordering::Relaxed"));
    assert!(!item("").contains("join_tokens"));
    assert!(item(", Ordering::Release").contains("join_tokens"));
    assert!(!item(", Ordering::AcqRel").contains("global"));
    assert!(item(", Ordering::SeqCst").contains("global"));
}

#[test]
fn extrema_follow_the_sign_and_sums_the_type() {
    let item = "fn k(u: &mut Tensor<u64, 1>, f: &mut Tensor<f64, 1>, x: &mut Tensor<f32, 2>) {
        let i = full([1], 0);
        u.atomic_max([i], u64::MAX - 1);
        u.atomic_min([full([1], 1)], 5);
        f.atomic_add([full([2], 0_u8)], 0.25);
        x.atomic_xchg([i, 1], 2.5);
        x.atomic_cas([i, 0], -0.0, 9.0);
    }";
    let given = [
        tensor(&[7_u64, u64::MAX], &[2]),
        tensor(&[1.0_f64], &[1]),
        tensor(&[0.0_f32, 1.0], &[1, 2]),
    ];
    let after = run(item, [3, 1, 1], &given);
    assert_eq!(elements::<u64>(&after[0]), [u64::MAX - 1, 5]);
    assert_eq!(elements::<f64>(&after[1]), [2.5]);
    // Bits are compared: 0.0 is not -0.0.
    assert_eq!(elements::<f32>(&after[2]), [0.0, 2.5]);
}

#[test]
fn a_tile_is_combined_atomically_through_a_view() {
    let item = "fn k(x: &Tensor<f32, 2>, sums: &mut Tensor<f32, 1>, most: &mut Tensor<i32, 1>) {
        let t = x.load([block_id(0), 0], [2, 4]);
        sums.partition([4]).atomic_add([0], t.sum(0));
        most.strided([4], [2]).atomic_max([0], t.reduce_max(0).cast::<i32>(), Ordering::Relaxed, Scope::Device);
    }";
    let x: Vec<f32> = (0_u8..18).map(f32::from).collect();
    let given = [
        tensor(&x, &[6, 3]),
        tensor(&[0.5_f32; 3], &[3]),
        tensor(&[16_i32; 3], &[3]),
    ];
    let after = run(item, [3, 1, 1], &given);
    assert_eq!(elements::<f32>(&after[1]), [45.5, 51.5, 57.5]);
    assert_eq!(elements::<i32>(&after[2]), [16, 16, 17]);
}

#[test]
fn raw_pointers_load_and_store_where_a_mask_says() {
    let item = "unsafe fn k(x: *const f32, y: *mut f32, n: i32) {
        let i = block_id(0) * 4 + iota::<i32>(4);
        let mask = i < n;
        let t = unsafe { x.offset(i).load_masked(mask, -1.0) };
        unsafe {
            y.offset(i).store_masked(t * 2.0, mask);
            let first = y.offset(block_id(0) * 4);
            first.store(first.load() + 1.0);
            y.offset(u32::MAX as i64 - u32::MAX as i64 + 6).offset(full([1], 0_u8)).atomic_add(0.5);
        }
    }";
    let x: Vec<f32> = (0_u8..6).map(f32::from).collect();
    let given = [pointer(&x), pointer(&[0.0_f32; 7]), Given::Scalar(6)];
    let after = run(item, [2, 1, 1], &given);
    assert_eq!(
        elements::<f32>(&after[1]),
        [1.0, 2.0, 4.0, 6.0, 9.0, 10.0, 1.0]
    );
}

#[test]
fn accesses_through_an_address_keep_the_order_of_those_through_its_tensor() {
    let item = "fn k(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>) {
        y.store([0], x.load([0], [4]));
        let p = y.as_mut_ptr();
        let i = iota::<i32>(4);
        let mut q = p.offset_of_first();
        for k in 0..3 {
            unsafe { q.store(q.load() + k) };
            q = unsafe { q.offset(1) };
        }
        let t = y.load([0], [4]);
        unsafe { p.offset(i).store(t * 10 + unsafe { x.as_ptr().offset(i).load() }) };
        y.atomic_add([i], 1);
    }"
    .replace("p.offset_of_first()", "p");
    let given = [tensor(&[1, 2, 3, 4], &[4]), tensor(&[0_i32; 4], &[4])];
    let after = run(&item, [1; 3], &given);
    assert_eq!(elements::<i32>(&after[1]), [12, 33, 54, 45]);
}

#[test]
fn a_bool_tensor_is_gathered_and_scattered() {
    let item = "fn k(x: &Tensor<bool, 1>, y: &mut Tensor<bool, 1>) {
        let i = iota::<i32>(4);
        let flipped = !x.gather([3 - i]);
        unsafe { y.scatter([i], flipped) };
    }";
    let given = [tensor(&[1_u8, 0, 1], &[3]), tensor(&[9_u8; 3], &[3])];
    let after = run(item, [1; 3], &given);
    // Element 3 is out of bounds and reads as `false`.
    assert_eq!(elements::<u8>(&after[1]), [1, 0, 1]);
}

#[test]
fn iterations_of_a_parallel_loop_are_shared_out_over_any_grid() {
    let item = "fn k(x: &Tensor<u32, 2>, y: &mut Tensor<u32, 2>, n: i32, m: i32) {
        for (i, j) in parallel((0..n, 0..m)) {
            let t = x.load([i, j], [2, 4]);
            if i == 1 {
                continue;
            }
            y.store([i, j], t + 1);
        }
    }";
    let x = counting(48);
    let given = [
        tensor(&x, &[6, 8]),
        tensor(&[0_u32; 48], &[6, 8]),
        Given::Scalar(3),
        Given::Scalar(2),
    ];
    let expected: Vec<u32> = (0..48)
        .map(|index| if index / 16 == 1 { 0 } else { x[index] + 1 })
        .collect();
    for grid in [[1, 1, 1], [3, 2, 1], [2, 1, 1], [7, 5, 2]] {
        let after = run(item, grid, &given);
        assert_eq!(elements::<u32>(&after[1]), expected, "{grid:?}");
    }
}

#[test]
fn what_iterations_give_is_combined() {
    let item = "fn k(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>, n: u32) {
        let sum = parallel(0..n)
            .map(|i| {
                if i == 2 {
                    return 1000;
                }
                x.at([i]) * 2
            })
            .reduce(5, |a, b| a + b);
        y.store([0], full([1], sum));
        let (least, tile) = parallel((0..n, 0..2))
            .map(|(i, j)| (x.at([i]) - j as i32, full([2], x.at([i]))))
            .reduce((99, zeros([2])), |(a, b), (c, d)| (a.min(c), b + d));
        y.store([1], full([1], least));
        y.store([1], tile);
    }";
    let x = [4, -3, 7, 8, 1];
    let given = [
        tensor(&x, &[5]),
        tensor(&[0_i32; 4], &[4]),
        Given::Scalar(5),
    ];
    for grid in [[1, 1, 1], [5, 1, 1], [3, 2, 1]] {
        let after = run(item, grid, &given);
        let sum = 5 + 1000 + 2 * (4 - 3 + 8 + 1);
        assert_eq!(elements::<i32>(&after[1]), [sum, -4, 34, 34], "{grid:?}");
    }
    let none = [given[0].clone(), given[1].clone(), Given::Scalar(0)];
    let after = run(item, [2, 1, 1], &none);
    assert_eq!(elements::<i32>(&after[1]), [5, 99, 0, 0]);
}

#[test]
fn narrow_sums_of_iterations_are_rounded_once() {
    // In bf16, 256 + 1 is 256; in f16, 2048 + 1 is 2048.
    for (ty, count) in [("bf16", 512_u16), ("f16", 4096)] {
        let item = format!(
            "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: u32) {{
                let (sum, most) = parallel(0..n)
                    .map(|i| (x.at([i / n]).cast::<{ty}>(), x.at([i / n]).cast::<{ty}>()))
                    .reduce((0.0, 0.0), |(a, b), (c, d)| (a + c, b.max(d)));
                y.store([0], full([1], sum.cast::<f32>()));
                y.store([1], full([1], most.cast::<f32>()));
            }}"
        );
        let given = [
            tensor(&[1.0_f32], &[1]),
            tensor(&[0.0_f32; 2], &[2]),
            Given::Scalar(u64::from(count)),
        ];
        for grid in [[1, 1, 1], [3, 1, 1]] {
            let after = run(&item, grid, &given);
            assert_eq!(
                elements::<f32>(&after[1]),
                [f32::from(count), 1.0],
                "{ty}, {grid:?}"
            );
        }
    }
}

#[test]
fn a_parallel_loop_inside_of_a_block_is_sequential() {
    let item = "fn k(y: &mut Tensor<i32, 2>, n: i32) {
        let row = block_id(0);
        if row < n {
            let total = parallel(0..4).map(|j| j * row).reduce(0, |a, b| a + b);
            for j in parallel(1..4) {
                y.store([row, j], full([1, 1], total + j));
            }
            y.store([row, 0], y.load([row, 3], [1, 1]));
        }
    }";
    let given = [tensor(&[0_i32; 12], &[3, 4]), Given::Scalar(2)];
    let after = run(item, [3, 1, 1], &given);
    assert_eq!(
        elements::<i32>(&after[0]),
        [3, 1, 2, 3, 9, 7, 8, 9, 0, 0, 0, 0]
    );
}
