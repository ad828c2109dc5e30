//! Compares whole kernels with plain loops.

use crate::common::{LOC, load, matmul, partition, softmax, store, tensor_params, vector_add};
use crate::{Tensor, blocks, numbers, one_per_block, run, run_per_block};
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, write};
use tile_core::interp::{Arg, Check, Program, RunOptions};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp};
use tile_core::types::{PaddingValue, Scalar, Type};

#[test]
fn vector_add_is_exact_on_ragged_sizes() {
    let module = vector_add(Scalar::F32, 128);
    let program = Program::decode(&write(&module, Version::V13_1).expect("it is valid"));
    let program = program.expect("it is valid");
    for size in [1, 31, 1000, 4097] {
        let mut x = Tensor::new(&[size], numbers(size, 1));
        let mut y = Tensor::new(&[size], numbers(size, 2));
        let mut z = Tensor::new(&[size], vec![9.0_f32; size]);
        let args = [x.args(), y.args(), z.args()].concat();
        run(&program, "vector_add", [blocks(size, 128), 1, 1], &args).expect("it runs");
        for i in 0..size {
            assert_eq!(z.data[i], x.data[i] + y.data[i], "{i} of {size}");
        }
    }
}

#[test]
fn a_store_leaves_what_is_beyond_the_tensor_alone() {
    let program = Program::new(&vector_add(Scalar::I32, 16));
    let mut x = Tensor::new(&[32], (0..32_i32).collect());
    let mut y = Tensor::new(&[32], vec![100_i32; 32]);
    let mut z = Tensor::new(&[32], vec![-1_i32; 32]);
    for tensor in [&mut x, &mut y, &mut z] {
        tensor.shape = vec![19];
    }
    let args = [x.args(), y.args(), z.args()].concat();
    run(&program, "vector_add", [2, 1, 1], &args).expect("it runs");
    for i in 0..32 {
        let expected = if i < 19 {
            i32::try_from(i).expect("small") + 100
        } else {
            -1
        };
        assert_eq!(z.data[i], expected);
    }
}

#[test]
fn a_strided_vector_is_read_and_written_in_place() {
    let program = Program::new(&vector_add(Scalar::F64, 8));
    let mut x = Tensor::new(&[30], (0..30).map(f64::from).collect());
    let mut y = Tensor::new(&[10], vec![0.5_f64; 10]);
    let mut z = Tensor::new(&[20], vec![-1.0_f64; 20]);
    (x.shape, x.strides) = (vec![10], vec![3]);
    (z.shape, z.strides) = (vec![10], vec![2]);
    let args = [x.args(), y.args(), z.args()].concat();
    run(&program, "vector_add", [2, 1, 1], &args).expect("it runs");
    for i in 0..10 {
        assert_eq!(z.data[2 * i], 3.0 * i as f64 + 0.5);
        assert_eq!(z.data[2 * i + 1], -1.0);
    }
}

#[test]
fn softmax_agrees_with_f64() {
    for columns in [1_usize, 31, 1000] {
        let width = columns.next_power_of_two();
        let program = Program::new(&softmax(i32::try_from(width).expect("small")));
        let rows = 7;
        let data: Vec<f32> = numbers(rows * columns, 3)
            .iter()
            .map(|x| x * 20.0)
            .collect();
        let mut x = Tensor::new(&[rows, columns], data);
        let mut y = Tensor::new(&[rows, columns], vec![0.0_f32; rows * columns]);
        let args = [x.args(), y.args()].concat();
        run(&program, "softmax", [7, 1, 1], &args).expect("it runs");
        for row in 0..rows {
            let input = &x.data[row * columns..][..columns];
            let max = input.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let exp: Vec<f64> = input.iter().map(|&x| f64::from(x - max).exp()).collect();
            let sum: f64 = exp.iter().sum();
            for column in 0..columns {
                let (got, want) = (f64::from(y.data[row * columns + column]), exp[column] / sum);
                assert!(
                    (got - want).abs() <= 1e-5 * want + 1e-30,
                    "{got} and {want}"
                );
            }
        }
    }
}

fn bf16(x: f32) -> u16 {
    half::bf16::from_f32(x).to_bits()
}

#[test]
fn matmul_agrees_with_f64_on_ragged_shapes() {
    for [m, n, k] in [[100, 70, 33], [1, 1, 1], [64, 64, 64], [65, 31, 129]] {
        let (x, y) = (numbers(m * k, 5), numbers(k * n, 6));
        let check = |label: &str,
                     x: &dyn Fn(usize) -> f64,
                     y: &dyn Fn(usize) -> f64,
                     z: &dyn Fn(usize) -> f64,
                     tolerance: f64| {
            for i in 0..m {
                for j in 0..n {
                    let want: f64 = (0..k).map(|l| x(i * k + l) * y(l * n + j)).sum();
                    let got = z(i * n + j);
                    assert!(
                        (got - want).abs() <= tolerance,
                        "{label} {i} {j}: {got} and {want}"
                    );
                }
            }
        };
        let grid = [blocks(m, 32), blocks(n, 16), 1];
        {
            let program = Program::new(&matmul(Scalar::F32, [32, 16, 64]));
            let mut a = Tensor::new(&[m, k], x.clone());
            let mut b = Tensor::new(&[k, n], y.clone());
            let mut c = Tensor::new(&[m, n], vec![9.0_f32; m * n]);
            let args = [a.args(), b.args(), c.args()].concat();
            run(&program, "matmul", grid, &args).expect("it runs");
            check(
                "f32",
                &|i| f64::from(x[i]),
                &|i| f64::from(y[i]),
                &|i| f64::from(c.data[i]),
                1e-4,
            );
        }
        {
            let program = Program::new(&matmul(Scalar::F64, [32, 16, 8]));
            let wide = |list: &[f32]| list.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
            let mut a = Tensor::new(&[m, k], wide(&x));
            let mut b = Tensor::new(&[k, n], wide(&y));
            let mut c = Tensor::new(&[m, n], vec![9.0_f64; m * n]);
            let args = [a.args(), b.args(), c.args()].concat();
            run(&program, "matmul", grid, &args).expect("it runs");
            check(
                "f64",
                &|i| f64::from(x[i]),
                &|i| f64::from(y[i]),
                &|i| c.data[i],
                1e-12,
            );
        }
        {
            let program = Program::new(&matmul(Scalar::BF16, [32, 16, 32]));
            let narrow = |list: &[f32]| list.iter().map(|&x| bf16(x)).collect::<Vec<_>>();
            let (xs, ys) = (narrow(&x), narrow(&y));
            let value = |bits: u16| half::bf16::from_bits(bits).to_f64();
            let mut a = Tensor::new(&[m, k], xs.clone());
            let mut b = Tensor::new(&[k, n], ys.clone());
            let mut c = Tensor::new(&[m, n], vec![9.0_f32; m * n]);
            let args = [a.args(), b.args(), c.args()].concat();
            run(&program, "matmul", grid, &args).expect("it runs");
            check(
                "bf16",
                &|i| value(xs[i]),
                &|i| value(ys[i]),
                &|i| f64::from(c.data[i]),
                1e-4,
            );
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let program = Program::new(&matmul(Scalar::F32, [16, 16, 16]));
    let (m, n, k) = (100, 70, 33);
    let mut outputs = Vec::new();
    for threads in [1, 2, 3, 7] {
        let mut a = Tensor::new(&[m, k], numbers(m * k, 1));
        let mut b = Tensor::new(&[k, n], numbers(k * n, 2));
        let mut c = Tensor::new(&[m, n], vec![0.0_f32; m * n]);
        let args = [a.args(), b.args(), c.args()].concat();
        let options = RunOptions {
            threads: Some(threads),
            ..RunOptions::default()
        };
        let grid = [blocks(m, 16), blocks(n, 16), 1];
        // SAFETY: the buffers live until the end of the call; blocks are disjoint.
        unsafe { program.run_with("matmul", grid, &args, options) }.expect("it runs");
        outputs.push(c.data.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    }
    assert!(outputs.iter().all(|bits| *bits == outputs[0]));
}

#[test]
fn padding_is_what_the_view_says() {
    for (padding, want) in [
        (None, 0.0_f32),
        (Some(PaddingValue::Zero), 0.0),
        (Some(PaddingValue::NegZero), -0.0),
        (Some(PaddingValue::Nan), f32::NAN),
        (Some(PaddingValue::PosInf), f32::INFINITY),
        (Some(PaddingValue::NegInf), f32::NEG_INFINITY),
    ] {
        let mut module = Module::new("kernels");
        let mut b = Builder::new(&mut module);
        let params = tensor_params(Scalar::F32, 1).repeat(2);
        let (_, args) = b.entry("k", &params, LOC);
        let zero = b.const_i32(0, LOC);
        let x = partition(&mut b, Scalar::F32, &args[..3], &[8], padding);
        let y = partition(&mut b, Scalar::F32, &args[3..], &[8], None);
        let tile = load(&mut b, x, &[zero], LOC);
        store(&mut b, tile, y, &[zero], LOC);
        b.terminate(ControlFlowOp::Return, &[], LOC);
        let program = Program::new(&module);
        let mut y = Tensor::new(&[8], vec![7.0_f32; 8]);
        let mut x = Tensor::new(&[5], vec![1.0_f32, 2.0, 3.0, 4.0, 5.0]);
        let args = [x.args(), y.args()].concat();
        // Run twice, to test reused allocations.
        for _ in 0..2 {
            run(&program, "k", [1, 1, 1], &args).expect("it runs");
        }
        assert_eq!(&y.data[..5], &x.data[..]);
        let same = |x: f32| x.to_bits() == want.to_bits() || x.is_nan() && want.is_nan();
        assert!(y.data[5..].iter().all(|&x| same(x)), "{:?}", y.data);
    }
}

#[test]
fn get_num_tile_blocks_gives_the_grid() {
    let program = one_per_block(|b, i| {
        let int = Type::scalar(Scalar::I32);
        let grid = b
            .op(CoreOp::GetNumTileBlocks, LOC)
            .results(&[int; 3])
            .finish_values();
        b.wrapping(IntegerOp::MulI, &[grid[0], i], LOC)
    });
    assert_eq!(run_per_block(&program, 4).expect("it runs"), [0, 4, 8, 12]);
    assert_eq!(FloatOp::AddF.def().mnemonic, "addf");
}

fn corpus(name: &str) -> Program {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let bytes = std::fs::read(folder.join(format!("{name}.tilebc"))).expect("it is there");
    Program::decode(&bytes).expect("it is valid")
}

#[test]
fn kernels_of_another_producer_run() {
    for version in ["13.1", "13.4"] {
        let size = 5008;
        let mut x = Tensor::new(&[size], numbers(size, 1));
        let mut y = Tensor::new(&[size], numbers(size, 2));
        let mut z = Tensor::new(&[size], vec![0.0_f32; size]);
        let args = [x.args(), y.args(), z.args()].concat();
        let program = corpus(&format!("vector_add.{version}"));
        run(&program, "vector_add", [blocks(size, 1024), 1, 1], &args).expect("it runs");
        assert!((0..size).all(|i| z.data[i] == x.data[i] + y.data[i]));

        let (m, n, k) = (144, 160, 80);
        let narrow = |list: Vec<f32>| list.into_iter().map(bf16).collect::<Vec<_>>();
        let wide = |bits: u16| half::bf16::from_bits(bits).to_f64();
        let mut a = Tensor::new(&[m, k], narrow(numbers(m * k, 3)));
        let mut b = Tensor::new(&[k, n], narrow(numbers(k * n, 4)));
        let mut c = Tensor::new(&[m, n], vec![0_u16; m * n]);
        let args = [a.args(), b.args(), c.args()].concat();
        let program = corpus(&format!("matmul_128x128x64.{version}"));
        let grid = [blocks(m, 128), blocks(n, 128), 1];
        run(&program, "matmul_128x128x64", grid, &args).expect("it runs");
        for i in 0..m {
            for j in 0..n {
                let want: f64 = (0..k)
                    .map(|l| wide(a.data[i * k + l]) * wide(b.data[l * n + j]))
                    .sum();
                let got = wide(c.data[i * n + j]);
                assert!(
                    (got - want).abs() <= 0.004 * want.abs() + 1e-4,
                    "{got} and {want}"
                );
            }
        }

        let (rows, columns) = (16, 4096);
        let mut x = Tensor::new(&[rows, columns], narrow(numbers(rows * columns, 5)));
        let mut y = Tensor::new(&[rows, columns], vec![0_u16; rows * columns]);
        let args = [x.args(), y.args()].concat();
        let program = corpus(&format!("softmax_4096.{version}"));
        run(&program, "softmax_4096", [16, 1, 1], &args).expect("it runs");
        for row in 0..rows {
            let exp = |i: usize| wide(x.data[row * columns + i]).exp();
            let sum: f64 = (0..columns).map(exp).sum();
            for i in 0..columns {
                let (got, want) = (wide(y.data[row * columns + i]), exp(i) / sum);
                assert!((got - want).abs() <= 0.005 * want, "{got} and {want}");
            }
        }
    }
}

#[test]
fn attention_of_another_producer_agrees_with_f64() {
    let (queries, keys, d) = (144, 128, 128);
    let narrow = |list: Vec<f32>| list.into_iter().map(bf16).collect::<Vec<_>>();
    let wide = |bits: u16| half::bf16::from_bits(bits).to_f64();
    let mut q = Tensor::new(&[queries, d], narrow(numbers(queries * d, 7)));
    let mut k = Tensor::new(&[keys, d], narrow(numbers(keys * d, 8)));
    let mut v = Tensor::new(&[keys, d], narrow(numbers(keys * d, 9)));
    let mut o = Tensor::new(&[queries, d], vec![0_u16; queries * d]);
    let args = [q.args(), k.args(), v.args(), o.args()].concat();
    let program = corpus("attention_128x64x128.13.1");
    let grid = [blocks(queries, 128), 1, 1];
    run(&program, "attention_128x64x128", grid, &args).expect("it runs");
    for i in 0..queries {
        let score = |j: usize| -> f64 {
            (0..d)
                .map(|l| wide(q.data[i * d + l]) * wide(k.data[j * d + l]))
                .sum()
        };
        let scores: Vec<f64> = (0..keys).map(score).collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = scores.iter().map(|s| (s - top).exp2()).collect();
        let sum: f64 = weights.iter().sum();
        for l in (0..d).step_by(7) {
            let want: f64 = (0..keys)
                .map(|j| weights[j] * wide(v.data[j * d + l]))
                .sum::<f64>()
                / sum;
            let got = wide(o.data[i * d + l]);
            assert!((got - want).abs() <= 0.01, "{i} {l}: {got} and {want}");
        }
    }
}

/// Runs a kernel of the corpus with checks, and in other orders. The last tensor must have the same
/// contents each time.
fn check_corpus<T: Copy + PartialEq + std::fmt::Debug>(
    name: &str,
    grid: [u32; 3],
    inputs: &[Arg],
    output: &[usize],
    zero: T,
) {
    let program = corpus(&format!("{name}.13.1"));
    let launch = |check, seed| {
        let mut tensor = Tensor::new(output, vec![zero; output.iter().product()]);
        let args = [inputs, &tensor.args()].concat();
        let options = RunOptions {
            check,
            seed,
            ..RunOptions::default()
        };
        // SAFETY: the buffers live until the end of the call, and do not overlap.
        let done = unsafe { program.run_with(name, grid, &args, options) };
        done.unwrap_or_else(|fault| panic!("{fault}, seed {seed:?}"));
        tensor.data
    };
    let plain = launch(Check::Off, None);
    for (check, seed) in [
        (Check::On, None),
        (Check::Off, Some(1)),
        (Check::On, Some(2)),
    ] {
        let other = launch(check, seed);
        assert!(other == plain, "{name} with {check:?} and {seed:?}");
    }
}

#[test]
fn kernels_of_another_producer_are_clean_and_do_the_same_in_every_order() {
    let mut x = Tensor::new(&[2512], numbers(2512, 1));
    let mut y = Tensor::new(&[2512], numbers(2512, 2));
    let inputs = [x.args(), y.args()].concat();
    check_corpus(
        "vector_add",
        [blocks(2512, 1024), 1, 1],
        &inputs,
        &[2512],
        0.0_f32,
    );
    let narrow = |list: Vec<f32>| list.into_iter().map(bf16).collect::<Vec<_>>();
    let (m, n, k) = (144, 160, 80);
    let mut a = Tensor::new(&[m, k], narrow(numbers(m * k, 3)));
    let mut b = Tensor::new(&[k, n], narrow(numbers(k * n, 4)));
    let inputs = [a.args(), b.args()].concat();
    let grid = [blocks(m, 128), blocks(n, 128), 1];
    check_corpus("matmul_128x128x64", grid, &inputs, &[m, n], 0_u16);
    let mut x = Tensor::new(&[16, 4096], narrow(numbers(16 * 4096, 5)));
    check_corpus("softmax_4096", [16, 1, 1], &x.args(), &[16, 4096], 0_u16);
}

#[test]
fn blocks_that_store_to_one_place_leave_the_value_of_one_of_them() {
    let source = "cuda_tile.module @kernels {
        entry @k(%y: tile<ptr<i32>>) {
            %i, %j, %k = get_tile_block_id : tile<i32>
            %one = reshape %i : tile<i32> -> tile<1xi32>
            %all = broadcast %one : tile<1xi32> -> tile<64xi32>
            %zero = constant <i32: 0> : tile<i32>
            %view = make_tensor_view %y, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
            %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
            %done = store_view_tko weak %all, %tiles[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
        }
    }";
    let mut diagnostics = tile_core::Diagnostics::new();
    let module = tile_core::text::parse(source, "k", &mut diagnostics);
    let faults = diagnostics.take();
    let module = module.unwrap_or_else(|_| panic!("{faults:?}"));
    let program = tile_core::interp::Program::new(&module);
    let mut y = [-1_i32; 64];
    let argument = tile_core::interp::Arg::Pointer {
        ptr: y.as_mut_ptr().cast(),
        bytes: size_of_val(&y),
    };
    // SAFETY: the array outlives the call, and nothing else touches it.
    let done = unsafe { program.run("k", [200, 1, 1], &[argument]) };
    done.expect("the accesses are in bounds");
    assert!(y.iter().all(|value| (0..200).contains(value)), "{y:?}");
}
