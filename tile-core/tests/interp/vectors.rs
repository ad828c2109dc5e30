//! Tests that optimizations of the interpreter do not change results: chains, products in place,
//! transposed factors, the order of sums, threads.

use crate::{Tensor, numbers, parsed};
use tile_core::interp::{Program, RunOptions};

/// Returns the parameters of an entry: an f32 matrix for each name.
fn matrices(names: &[&str]) -> String {
    let parameters: Vec<String> = names
        .iter()
        .map(|name| {
            format!(
                "%{name}: tile<ptr<f32>>, %{name}_rows: tile<i64>, %{name}_columns: tile<i64>, \
                 %{name}_down: tile<i64>, %{name}_along: tile<i64>"
            )
        })
        .collect();
    parameters.join(", ")
}

fn view_type(rows: usize, columns: usize) -> String {
    format!("partition_view<tile=({rows}x{columns}), tensor_view<?x?xf32, strides=[?,?]>>")
}

/// Makes `%{name}_view`, a tiled view of a matrix.
fn view(name: &str, rows: usize, columns: usize) -> String {
    format!(
        "%{name}_tensor = make_tensor_view %{name}, shape = [%{name}_rows, %{name}_columns], \
         strides = [%{name}_down, %{name}_along] : tile<i64> -> tensor_view<?x?xf32, strides=[?,?]>\n\
         %{name}_view = make_partition_view %{name}_tensor : {}\n",
        view_type(rows, columns)
    )
}

/// Loads `%{to}`, the tile at `index`.
fn load(to: &str, name: &str, index: &str, rows: usize, columns: usize) -> String {
    let ty = view_type(rows, columns);
    format!(
        "%{to}, %{to}_token = load_view_tko weak %{name}_view[{index}] : {ty}, tile<i32> -> \
         tile<{rows}x{columns}xf32>, token\n"
    )
}

fn store(tile: &str, name: &str, index: &str, rows: usize, columns: usize) -> String {
    let ty = view_type(rows, columns);
    format!(
        "%{name}_stored = store_view_tko weak %{tile}, %{name}_view[{index}] : \
         tile<{rows}x{columns}xf32>, {ty}, tile<i32> -> token\n"
    )
}

fn entry(names: &[&str], body: &str) -> Program {
    parsed(&format!(
        "entry @k({}) {{\n%x, %y, %z = get_tile_block_id : tile<i32>\n\
         %zero = constant <i32: 0> : tile<i32>\n{body}return\n}}\n",
        matrices(names)
    ))
}

fn run(program: &Program, grid: [u32; 3], tensors: &mut [Tensor<f32>], threads: usize) {
    let args: Vec<_> = tensors.iter_mut().flat_map(Tensor::args).collect();
    let options = RunOptions {
        threads: Some(threads),
        ..RunOptions::default()
    };
    // SAFETY: the buffers live until the end of the call.
    unsafe { program.run_with("k", grid, &args, options) }.expect("it runs");
}

fn bits(tensor: &Tensor<f32>) -> Vec<u32> {
    tensor.data.iter().map(|x| x.to_bits()).collect()
}

/// Makes a program with a chain of elementwise operations. Some values stay inside the chain, one
/// is also used by a reduction, one is stored, and all kinds of broadcasts occur.
fn chained(rows: usize, columns: usize) -> Program {
    let tile = format!("tile<{rows}x{columns}xf32>");
    let body = [
        view("a", rows, columns),
        view("column", rows, 1),
        view("row", 1, columns),
        view("out", rows, columns),
        view("kept", rows, columns),
        load("t", "a", "%x, %y", rows, columns),
        load("c", "column", "%x, %zero", rows, 1),
        load("r", "row", "%zero, %y", 1, columns),
        format!(
            "%half = constant <f32: 0.5> : {tile}\n\
             %down = broadcast %c : tile<{rows}x1xf32> -> {tile}\n\
             %less = subf %t, %down : {tile}\n\
             %power = exp %less : {tile}\n\
             %along = broadcast %r : tile<1x{columns}xf32> -> {tile}\n\
             %scaled = mulf %power, %along : {tile}\n\
             %is_low = cmpf less_than ordered %scaled, %half : {tile} -> tile<{rows}x{columns}xi1>\n\
             %chosen = select %is_low, %power, %scaled : tile<{rows}x{columns}xi1>, {tile}\n\
             %sum = fma %chosen, %half, %power : {tile}\n"
        ),
        store("sum", "out", "%x, %y", rows, columns),
        store("scaled", "kept", "%x, %y", rows, columns),
    ];
    entry(&["a", "column", "row", "out", "kept"], &body.concat())
}

#[test]
fn chains_of_large_tiles_give_the_bits_of_small_ones_on_any_number_of_threads() {
    let run_in_tiles = |tile: usize, threads: usize| {
        let mut tensors = [
            Tensor::new(&[128, 128], numbers(128 * 128, 1)),
            Tensor::new(&[128, 1], numbers(128, 2)),
            Tensor::new(&[1, 128], numbers(128, 3)),
            Tensor::new(&[128, 128], vec![0.0; 128 * 128]),
            Tensor::new(&[128, 128], vec![0.0; 128 * 128]),
        ];
        let blocks = u32::try_from(128 / tile).expect("small");
        let program = chained(tile, tile);
        run(&program, [blocks, blocks, 1], &mut tensors, threads);
        [bits(&tensors[3]), bits(&tensors[4])]
    };
    let expected = run_in_tiles(16, 1);
    assert!(expected[0].iter().any(|&bits| bits != 0));
    for tile in [64, 128] {
        for threads in [1, 2, 5] {
            assert_eq!(run_in_tiles(tile, threads), expected, "{tile} {threads}");
        }
    }
}

/// Makes a program of `out = a * b + acc`, with `b` transposed or not, and the operations of `more`
/// on `%product` and `%acc`.
fn product(is_transposed: bool, more: &str) -> Program {
    let (m, n, k) = (16, 8, 32);
    let b = if is_transposed {
        view("b", n, k)
            + &load("stored", "b", "%zero, %zero", n, k)
            + &format!("%right = permute %stored [1, 0] : tile<{n}x{k}xf32> -> tile<{k}x{n}xf32>\n")
    } else {
        view("b", k, n) + &load("right", "b", "%zero, %zero", k, n)
    };
    let body = [
        view("a", m, k),
        b,
        view("acc", m, n),
        view("out", m, n),
        load("left", "a", "%zero, %zero", m, k),
        load("start", "acc", "%zero, %zero", m, n),
        format!("%sum = addf %start, %start : tile<{m}x{n}xf32>\n"),
        format!(
            "%product = mmaf %left, %right, %sum : tile<{m}x{k}xf32>, tile<{k}x{n}xf32>, \
             tile<{m}x{n}xf32>\n"
        ),
        more.to_owned(),
        store("result", "out", "%zero, %zero", m, n),
    ];
    entry(&["a", "b", "acc", "out"], &body.concat())
}

/// Returns integers, whose sums of products are exact.
fn integers(count: usize, seed: usize) -> Vec<f32> {
    (0..count)
        .map(|index| ((index * 37 + seed * 11) % 17) as f32 - 8.0)
        .collect()
}

#[test]
fn matmuls_are_right_whether_their_accumulator_is_read_again_and_an_operand_is_transposed_or_not() {
    let (a, b, c) = (
        integers(16 * 32, 1),
        integers(32 * 8, 2),
        integers(16 * 8, 3),
    );
    let last = "%result = addf %product, %product : tile<16x8xf32>\n";
    let again = "%result = addf %product, %sum : tile<16x8xf32>\n";
    for (is_transposed, is_read_again) in
        [(false, false), (false, true), (true, false), (true, true)]
    {
        let mut stored = b.clone();
        let mut shape = [32, 8];
        if is_transposed {
            stored = (0..8 * 32)
                .map(|index| b[index % 32 * 8 + index / 32])
                .collect();
            shape = [8, 32];
        }
        let mut tensors = [
            Tensor::new(&[16, 32], a.clone()),
            Tensor::new(&shape, stored),
            Tensor::new(&[16, 8], c.clone()),
            Tensor::new(&[16, 8], vec![0.0; 16 * 8]),
        ];
        let program = product(is_transposed, if is_read_again { again } else { last });
        // The second run reuses the frame of the first.
        for _ in 0..2 {
            run(&program, [1; 3], &mut tensors, 1);
            for i in 0..16 {
                for j in 0..8 {
                    let start = 2.0 * c[i * 8 + j];
                    let terms = (0..32).map(|l| a[i * 32 + l] * b[l * 8 + j]);
                    let product = start + terms.sum::<f32>();
                    let other = if is_read_again { start } else { product };
                    assert_eq!(tensors[3].data[i * 8 + j], product + other, "{i} {j}");
                }
            }
        }
    }
}

#[test]
fn a_long_row_is_summed_in_thirty_two_parts_that_are_halved() {
    let body = [
        view("a", 4, 128),
        view("out", 4, 1),
        load("t", "a", "%zero, %zero", 4, 128),
        "%sum = reduce %t dim=1 identities=[0.25 : f32] : tile<4x128xf32> -> tile<4xf32> \
         (%e: tile<f32>, %s: tile<f32>) {\n%n = addf %e, %s : tile<f32>\nyield %n : tile<f32>\n}\n\
         %result = reshape %sum : tile<4xf32> -> tile<4x1xf32>\n"
            .to_owned(),
        store("result", "out", "%zero, %zero", 4, 1),
    ];
    let program = entry(&["a", "out"], &body.concat());
    let mut tensors = [
        Tensor::new(&[4, 128], numbers(4 * 128, 7)),
        Tensor::new(&[4, 1], vec![0.0; 4]),
    ];
    run(&program, [1; 3], &mut tensors, 1);
    for (row, actual) in tensors[0].data.chunks(128).zip(&tensors[1].data) {
        let mut parts: Vec<f32> = (0..32)
            .map(|part| {
                let terms = row[part..].iter().step_by(32).copied();
                terms.reduce(|sum, x| x + sum).expect("four")
            })
            .collect();
        while parts.len() > 1 {
            let second = parts.split_off(parts.len() / 2);
            parts
                .iter_mut()
                .zip(second)
                .for_each(|(part, x)| *part += x);
        }
        assert_eq!(*actual, parts[0]);
    }
}

#[test]
fn a_nan_in_a_matmul_is_the_same_one_everywhere() {
    let program = product(false, "%result = negf %product : tile<16x8xf32>\n");
    let mut tensors = [
        Tensor::new(&[16, 32], vec![f32::from_bits(0xffc0_1234); 16 * 32]),
        Tensor::new(&[32, 8], vec![0.0; 32 * 8]),
        Tensor::new(&[16, 8], vec![0.0; 16 * 8]),
        Tensor::new(&[16, 8], vec![0.0; 16 * 8]),
    ];
    run(&program, [1; 3], &mut tensors, 1);
    assert!(bits(&tensors[3]).iter().all(|&bits| bits == 0xffc0_0000));
}
