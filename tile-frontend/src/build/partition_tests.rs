//! Tests of padding with any number, tiles at any element, parts of tiles and unrolled loops,
//! against plain Rust.

use super::memory_tests::{Given, counting, elements, run, tensor};

/// Returns `x[row][column]` of four rows of `width`, or the padding.
fn padded<T: Copy>(x: &[T], width: i64, [row, column]: [i64; 2], padding: T) -> T {
    if (0..4).contains(&row) && (0..width).contains(&column) {
        x[usize::try_from(row * width + column).expect("it is inside")]
    } else {
        padding
    }
}

#[test]
fn partitions_pad_integers_with_any_number() {
    // The second width runs only in the variant `general`.
    for width in [12, 13] {
        let item = "fn k(x: &Tensor<i32, 2>, y: &mut Tensor<i32, 2>, z: &mut Tensor<i32, 2>) {
            let (i, j) = (block_id(0), block_id(1));
            let p = x.partition([8, 8]).with_padding(i32::MIN);
            y.store([i, j], p.load([i, j]));
            z.store([i, j], x.load_padded([i, j], [8, 8], -(3 + 4)));
        }";
        let x: Vec<i32> = (0..4 * width).collect();
        let shape = [4, u64::try_from(width).expect("a few")];
        let given = [
            tensor(&x, &shape),
            tensor(&[0_i32; 128], &[8, 16]),
            tensor(&[0_i32; 128], &[8, 16]),
        ];
        let after = run(item, [1, 2, 1], &given);
        for (actual, padding) in [(&after[1], i32::MIN), (&after[2], -7)] {
            let expected: Vec<i32> = (0..8)
                .flat_map(|row| (0..16).map(move |column| [row, column]))
                .map(|index| padded(&x, width.into(), index, padding))
                .collect();
            assert_eq!(elements::<i32>(actual), expected, "{width}, {padding}");
        }
    }
}

#[test]
fn views_of_every_kind_pad_with_any_number() {
    let item = "fn k(x: &Tensor<u32, 2>, rows: &Tensor<i32, 1>, s: &mut Tensor<u32, 2>, o: &mut Tensor<u32, 2>, g: &mut Tensor<u32, 2>, e: &mut Tensor<u32, 1>) {
        s.store([0, 0], x.strided([4, 8], [2, 5]).with_padding(77).load([1, 1_i64]));
        o.store([0, 0], x.partition([8, 4]).with_order([1, 0]).with_padding(u32::MAX).load([0, 0]));
        g.store([0, 0], x.gather_view(0, [4, 8]).with_padding(99).load([rows.load([0], [4]), 4]));
        e.store([0], x.gather_padded([rows.load([0], [4]), 1], 55));
    }";
    let x = counting(4 * 12);
    let rows = [3, -1, 0, 4];
    let given = [
        tensor(&x, &[4, 12]),
        tensor(&rows, &[4]),
        tensor(&[0_u32; 32], &[4, 8]),
        tensor(&[0_u32; 32], &[8, 4]),
        tensor(&[0_u32; 32], &[4, 8]),
        tensor(&[0_u32; 4], &[4]),
    ];
    let after = run(item, [1; 3], &given);
    let index_pairs = |rows: i64, columns: i64| {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [row, column]))
    };
    let strided: Vec<u32> = index_pairs(4, 8)
        .map(|[row, column]| padded(&x, 12, [row + 2, column + 5], 77))
        .collect();
    assert_eq!(elements::<u32>(&after[2]), strided);
    let ordered: Vec<u32> = index_pairs(8, 4)
        .map(|[column, row]| padded(&x, 12, [row, column], u32::MAX))
        .collect();
    assert_eq!(elements::<u32>(&after[3]), ordered);
    let gathered: Vec<u32> = index_pairs(4, 8)
        .map(|[row, column]| {
            let row = rows[usize::try_from(row).expect("one of four")];
            padded(&x, 12, [row.into(), column + 4], 99)
        })
        .collect();
    assert_eq!(elements::<u32>(&after[4]), gathered);
    let single: Vec<u32> = rows
        .iter()
        .map(|&row| padded(&x, 12, [row.into(), 1], 55))
        .collect();
    assert_eq!(elements::<u32>(&after[5]), single);
}

#[test]
fn floats_and_bytes_pad_with_any_number() {
    let item = "fn k(x: &Tensor<f32, 1>, b: &Tensor<u8, 1>, y: &mut Tensor<f32, 1>, z: &mut Tensor<u8, 1>) {
        y.store([0], x.load_padded([0], [8], -1.5));
        y.store([1], x.partition([8]).with_padding(f32::MAX).load([0]));
        z.store([0], b.load_padded([0], [8], 200));
    }";
    let given = [
        tensor(&[1.0_f32, 2.0], &[2]),
        tensor(&[1_u8, 2, 3], &[3]),
        tensor(&[0.0_f32; 16], &[16]),
        tensor(&[0_u8; 8], &[8]),
    ];
    let after = run(item, [1; 3], &given);
    let actual = elements::<f32>(&after[2]);
    assert_eq!(actual[..3], [1.0, 2.0, -1.5]);
    assert_eq!(actual[8..11], [1.0, 2.0, f32::MAX]);
    assert_eq!(
        elements::<u8>(&after[3]),
        [1, 2, 3, 200, 200, 200, 200, 200]
    );
}

#[test]
fn tiles_begin_at_any_element() {
    for ty in ["i8", "i16", "i32", "i64"] {
        let item = format!(
            "fn k(x: &Tensor<u32, 2>, i: {ty}, j: {ty}, y: &mut Tensor<u32, 2>, z: &mut Tensor<u32, 2>) {{
                y.store([0, 0], x.load_at([i, j], [4, 8]));
                z.store([0, 0], x.load_at_padded([i - 1, j], [2, 4], 9));
            }}"
        );
        for (i, j) in [
            (0, 0),
            (-1, -3),
            (2, 7),
            (-4, 0),
            (100, 2),
            (-100, -100),
            (3, 11),
        ] {
            let x = counting(4 * 12);
            let given = [
                tensor(&x, &[4, 12]),
                Given::Scalar(i64::cast_unsigned(i)),
                Given::Scalar(i64::cast_unsigned(j)),
                tensor(&[1_u32; 32], &[4, 8]),
                tensor(&[1_u32; 8], &[2, 4]),
            ];
            let after = run(&item, [1; 3], &given);
            let expected: Vec<u32> = (0..4)
                .flat_map(|row| (0..8).map(move |column| [i + row, j + column]))
                .map(|index| padded(&x, 12, index, 0))
                .collect();
            assert_eq!(elements::<u32>(&after[3]), expected, "{ty} {i} {j}");
            let expected: Vec<u32> = (0..2)
                .flat_map(|row| (0..4).map(move |column| [i - 1 + row, j + column]))
                .map(|index| padded(&x, 12, index, 9))
                .collect();
            assert_eq!(elements::<u32>(&after[4]), expected, "{ty} {i} {j}");
        }
    }
}

#[test]
fn the_ends_of_index_types_are_outside() {
    for (ty, value) in [
        ("i32", i64::from(i32::MAX)),
        ("i32", i64::from(i32::MIN)),
        ("u32", i64::from(u32::MAX)),
        ("i64", i64::MAX),
        ("i64", i64::MIN),
    ] {
        let item = format!(
            "fn k(x: &Tensor<u32, 1>, i: {ty}, y: &mut Tensor<u32, 1>) {{
                y.store([0], x.load_at_padded([i], [8], 7));
            }}"
        );
        let given = [
            tensor(&counting(16), &[16]),
            Given::Scalar(value.cast_unsigned()),
            tensor(&[1_u32; 8], &[8]),
        ];
        let after = run(&item, [1; 3], &given);
        assert_eq!(elements::<u32>(&after[2]), [7; 8], "{ty} {value}");
    }
}

#[test]
fn tiles_are_joined_interleaved_and_split() {
    let item = "fn k(x: &Tensor<u32, 2>, y: &mut Tensor<u32, 2>, z: &mut Tensor<u32, 3>, a: &mut Tensor<u32, 2>, b: &mut Tensor<u32, 1>) {
        let left = x.load([0, 0], [4, 8]);
        let right = left + 1000;
        y.store([0, 0], interleave(left, right));
        let pairs = join(left, 7);
        z.store([0, 0, 0], pairs);
        let (first, second) = join(left, right).split();
        a.store([0, 0], second - first);
        let (p, q) = iota::<u32>(2).split();
        b.store([0], full([1], p * 10 + q));
    }";
    let x = counting(32);
    let given = [
        tensor(&x, &[4, 8]),
        tensor(&[0_u32; 64], &[4, 16]),
        tensor(&[0_u32; 64], &[4, 8, 2]),
        tensor(&[0_u32; 32], &[4, 8]),
        tensor(&[0_u32; 1], &[1]),
    ];
    let after = run(item, [1; 3], &given);
    let turns: Vec<u32> = x.iter().flat_map(|&one| [one, one + 1000]).collect();
    assert_eq!(elements::<u32>(&after[1]), turns);
    let pairs: Vec<u32> = x.iter().flat_map(|&one| [one, 7]).collect();
    assert_eq!(elements::<u32>(&after[2]), pairs);
    assert_eq!(elements::<u32>(&after[3]), [1000; 32]);
    assert_eq!(elements::<u32>(&after[4]), [1]);
}

#[test]
fn tiles_are_gathered_from_along_an_axis() {
    for ty in ["i8", "u16", "i32", "u64"] {
        let item = format!(
            "fn k(x: &Tensor<u32, 2>, n: &Tensor<i32, 2>, y: &mut Tensor<u32, 2>, z: &mut Tensor<u32, 2>, w: &mut Tensor<u32, 1>) {{
                let x = x.load([0, 0], [4, 8]);
                let n = n.load([0, 0], [4, 2]).cast::<{ty}>();
                y.store([0, 0], x.gather(1, n));
                z.store([0, 0], x.gather(0, n.extract([0, 0], [1, 1]) + iota::<{ty}>(2).unsqueeze(1)));
                w.store([0], iota::<u32>(8).gather(0, 7 - iota::<{ty}>(8)));
            }}"
        );
        let x = counting(32);
        let n = [1, 0, 7, 3, 8, -1, 100, 5];
        let given = [
            tensor(&x, &[4, 8]),
            tensor(&n, &[4, 2]),
            tensor(&[1_u32; 8], &[4, 2]),
            tensor(&[1_u32; 16], &[2, 8]),
            tensor(&[1_u32; 8], &[8]),
        ];
        // Three tensors have rows of 16 bytes; the second does not, so only `general` runs.
        let after = run(&item, [1; 3], &given);
        let expected: Vec<u32> = n
            .iter()
            .enumerate()
            .map(|(index, &n)| {
                let inside = (0..8).contains(&n);
                let column = usize::try_from(n).unwrap_or(0);
                if inside { x[index / 2 * 8 + column] } else { 0 }
            })
            .collect();
        assert_eq!(elements::<u32>(&after[2]), expected, "{ty}");
        assert_eq!(elements::<u32>(&after[3]), x[8..24], "{ty}");
        assert_eq!(elements::<u32>(&after[4]), [7, 6, 5, 4, 3, 2, 1, 0]);
    }
}

#[test]
fn a_gather_in_a_loop_has_its_own_memory_each_time() {
    let item = "fn k(x: &Tensor<u32, 1>, y: &mut Tensor<u32, 1>) {
        let mut t = x.load([0], [16]);
        for i in 0..3 {
            t = t.gather(0, (iota::<i32>(16) + i + 1) % 16);
        }
        y.store([0], t);
    }";
    let x = counting(16);
    let after = run(
        item,
        [1; 3],
        &[tensor(&x, &[16]), tensor(&[0_u32; 16], &[16])],
    );
    let expected: Vec<u32> = (0..16).map(|index| x[(index + 6) % 16]).collect();
    assert_eq!(elements::<u32>(&after[1]), expected);
}

#[test]
fn unrolled_loops_have_constants() {
    let item = "fn k(x: &Tensor<u32, 2>, y: &mut Tensor<u32, 1>) {
        let t = x.load([0, 0], [4, 8]);
        let mut sum = zeros::<u32>([8]);
        for i in (0..4).unroll() {
            // A shape and an axis, which are constants.
            sum += t.extract([i, 0], [1, 1 << 3]).reshape([8]) * full([1 << i], 1).sum(0);
        }
        y.store([0], sum);
        let mut trace = 0;
        'outer: for i in (0..=9).rev().step_by(2).unroll() {
            if i == 7 { continue; }
            for j in 0..i {
                if j == 3 { continue 'outer; }
                if i == 3 && j == 2 { break 'outer; }
                trace = trace * 3 + j as u32;
            }
        }
        y.store([1], full([8], trace));
    }";
    let x = counting(32);
    let after = run(
        item,
        [1; 3],
        &[tensor(&x, &[4, 8]), tensor(&[0_u32; 16], &[16])],
    );
    let actual = elements::<u32>(&after[1]);
    let expected: Vec<u32> = (0..8)
        .map(|column| (0..4).map(|row| x[row * 8 + column] << row).sum())
        .collect();
    assert_eq!(actual[..8], expected);
    let mut trace = 0_u32;
    'outer: for i in (0..=9).rev().step_by(2) {
        if i == 7 {
            continue;
        }
        for j in 0..i {
            if j == 3 {
                continue 'outer;
            }
            if i == 3 && j == 2 {
                break 'outer;
            }
            trace = trace.wrapping_mul(3).wrapping_add(j);
        }
    }
    assert_eq!(actual[8], trace);
}
