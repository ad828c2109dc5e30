//! Kernels through the interpreter, against plain loops.

#![allow(
    clippy::many_single_char_names,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cloned_ref_to_slice_refs,
    clippy::type_complexity,
    clippy::needless_range_loop,
    clippy::precedence,
    clippy::semicolon_if_nothing_returned,
    reason = "models are plain loops that compare bit for bit"
)]

mod common;

use common::{
    LOC, block_ids, line, load, matmul, partition, reduce, softmax, store, tensor_params,
    vector_add,
};
use std::sync::atomic::AtomicBool;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, write};
use tile_core::interp::{Arg, Program, RunOptions};
use tile_core::ir::{Attr, ComparisonPredicate, Signedness};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp};
use tile_core::types::{PaddingValue, Scalar, Type};

/// A tensor of a test: bytes, extents, strides in elements.
struct Tensor<T> {
    data: Vec<T>,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl<T: Copy> Tensor<T> {
    fn new(shape: &[usize], data: Vec<T>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        let mut strides = vec![1; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis] * shape[axis];
        }
        Self {
            data,
            shape: shape.to_vec(),
            strides,
        }
    }

    fn args(&mut self) -> Vec<Arg> {
        let mut args = vec![Arg::Pointer {
            ptr: self.data.as_mut_ptr().cast(),
            bytes: size_of_val(self.data.as_slice()),
        }];
        let numbers = self.shape.iter().chain(&self.strides);
        args.extend(numbers.map(|&number| Arg::Scalar {
            bits: number as u64,
        }));
        args
    }
}

fn run(program: &Program, entry: &str, grid: [u32; 3], args: &[Arg]) -> Result<(), String> {
    // SAFETY: the buffers of the tests live until the end of the call, and no
    // two blocks of the kernels store to one place.
    unsafe { program.run(entry, grid, args) }.map_err(|fault| fault.to_string())
}

/// Numbers between -1 and 1.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

fn blocks(extent: usize, tile: usize) -> u32 {
    u32::try_from(extent.div_ceil(tile)).expect("small")
}

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
    let mut all = Vec::new();
    for threads in [1, 2, 3, 7] {
        let mut a = Tensor::new(&[m, k], numbers(m * k, 1));
        let mut b = Tensor::new(&[k, n], numbers(k * n, 2));
        let mut c = Tensor::new(&[m, n], vec![0.0_f32; m * n]);
        let args = [a.args(), b.args(), c.args()].concat();
        let options = RunOptions {
            threads: Some(threads),
            cancel: None,
        };
        let grid = [blocks(m, 16), blocks(n, 16), 1];
        // SAFETY: the buffers live until the end of the call; blocks are disjoint.
        unsafe { program.run_with("matmul", grid, &args, options) }.expect("it runs");
        all.push(c.data.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    }
    assert!(all.iter().all(|bits| *bits == all[0]));
}

#[test]
fn an_index_outside_of_the_index_space_names_kernel_block_and_operation() {
    let program = Program::new(&vector_add(Scalar::F32, 128));
    let mut x = Tensor::new(&[100], numbers(100, 1));
    let mut y = Tensor::new(&[100], numbers(100, 2));
    let mut z = Tensor::new(&[100], vec![0.0_f32; 100]);
    let args = [x.args(), y.args(), z.args()].concat();
    for _ in 0..20 {
        let fault = run(&program, "vector_add", [50, 1, 1], &args).expect_err("one block too many");
        assert_eq!(
            fault,
            "kernel `vector_add`, block (1, 0, 0), load_view_tko (operation 7): \
             index [1] is outside of the index space [1] at kernel.rs:1:1"
        );
    }
}

#[test]
fn an_access_outside_of_a_buffer_is_a_fault_and_does_not_happen() {
    let program = Program::new(&vector_add(Scalar::F32, 128));
    let mut x = Tensor::new(&[100], numbers(100, 1));
    let mut y = Tensor::new(&[100], numbers(100, 2));
    let mut z = Tensor::new(&[100], vec![0.0_f32; 100]);
    z.shape = vec![101];
    x.data.push(0.0);
    y.data.push(0.0);
    x.shape = vec![101];
    y.shape = vec![101];
    let args = [x.args(), y.args(), z.args()].concat();
    let fault = run(&program, "vector_add", [1, 1, 1], &args).expect_err("z is too small");
    assert!(fault.contains("store_view_tko"), "{fault}");
    assert!(
        fault.contains("access to bytes 0..404 of a buffer of 400 bytes"),
        "{fault}"
    );
    assert!(z.data.iter().all(|&x| x == 0.0));
    z.strides = vec![usize::MAX];
    let args = [x.args(), y.args(), z.args()].concat();
    run(&program, "vector_add", [1, 1, 1], &args).expect_err("a stride beyond all memory");
}

#[test]
fn wrong_arguments_are_refused() {
    let program = Program::new(&vector_add(Scalar::F32, 128));
    let fault = run(&program, "vector_add", [1, 1, 1], &[]).expect_err("no arguments");
    assert!(fault.contains("expected 9 arguments, found 0"), "{fault}");
    let fault = run(&program, "nothing", [1, 1, 1], &[]).expect_err("no such kernel");
    assert!(fault.contains("no such kernel"), "{fault}");
    let args = [Arg::Scalar { bits: 0 }; 9];
    let fault = run(&program, "vector_add", [1, 1, 1], &args).expect_err("not a pointer");
    assert!(fault.contains("argument 0 does not fit"), "{fault}");
}

#[test]
fn an_identity_of_another_type_is_refused() {
    let source = "\
entry @k() {
  %a = constant <f16: 1.0> : tile<4xf16>
  %r = reduce %a dim=0 identities=[1.0 : bf16] : tile<4xf16> -> tile<f16> (%x: tile<f16>, %acc: tile<f16>) {
    yield %x : tile<f16>
  }
}
";
    let mut diagnostics = tile_core::Diagnostics::new();
    let module = tile_core::text::parse(source, "k", &mut diagnostics).expect("it parses");
    let module = tile_core::verify::verify(module, &mut diagnostics).expect("it is valid");
    let fault = run(&Program::new(&module), "k", [1, 1, 1], &[]).expect_err("bf16 for f16");
    assert!(fault.contains("cannot run `reduce` yet"), "{fault}");
}

/// An entry that works on `out`, a tensor of i32, one block per element.
fn one_per_block(
    f: impl FnOnce(&mut Builder<'_>, tile_core::ir::ValueId) -> tile_core::ir::ValueId,
) -> Program {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let (_, args) = b.entry("k", &tensor_params(Scalar::I32, 1), LOC);
    let [i, _, _] = block_ids(&mut b);
    let out = partition(&mut b, Scalar::I32, &args, &[1], None);
    let value = f(&mut b, i);
    let value = b.reshape(value, &[1], LOC);
    store(&mut b, value, out, &[i], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    Program::new(&module)
}

fn run_per_block(program: &Program, count: usize) -> Result<Vec<i32>, String> {
    let mut out = Tensor::new(&[count], vec![-1_i32; count]);
    let args = out.args();
    run(
        program,
        "k",
        [u32::try_from(count).expect("small"), 1, 1],
        &args,
    )?;
    Ok(out.data)
}

#[test]
fn a_loop_carries_values_that_change_places() {
    // Fibonacci: (a, b) = (b, a + b), i times; the carried values are swapped.
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let int = Type::scalar(Scalar::I32);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, i, one])
            .operands("initValues", &[zero, one])
            .results(&[int, int])
            .finish();
        let body = b.add_region_block(op);
        b.module().add_block_arg(body, int, LOC);
        let x = b.module().add_block_arg(body, int, LOC);
        let y = b.module().add_block_arg(body, int, LOC);
        let outer = b.set_block(body);
        let sum = b.wrapping(IntegerOp::AddI, &[x, y], LOC);
        b.terminate(ControlFlowOp::Continue, &[y, sum], LOC);
        b.set_block(outer);
        b.module().op(op).result()
    });
    let got = run_per_block(&program, 12).expect("it runs");
    assert_eq!(got, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
}

#[test]
fn branches_continue_loops_and_yield_values() {
    // The sum of the odd numbers below i, plus 1000 if i is above 5.
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let int = Type::scalar(Scalar::I32);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, i, one])
            .operand("initValues", zero)
            .result(int)
            .finish();
        let body = b.add_region_block(op);
        let k = b.module().add_block_arg(body, int, LOC);
        let sum = b.module().add_block_arg(body, int, LOC);
        let outer = b.set_block(body);
        let low = b.like_first(tile_core::ops::BitwiseOp::AndI, &[k, one], LOC);
        let even = b.cmpi(
            ComparisonPredicate::Equal,
            low,
            zero,
            Signedness::Signed,
            LOC,
        );
        let branch = b.op(ControlFlowOp::If, LOC).args(&[even]).finish();
        let then = b.add_region_block(branch);
        let inner = b.set_block(then);
        b.terminate(ControlFlowOp::Continue, &[sum], LOC);
        b.set_block(inner);
        let next = b.wrapping(IntegerOp::AddI, &[sum, k], LOC);
        b.terminate(ControlFlowOp::Continue, &[next], LOC);
        b.set_block(outer);
        let total = b.module().op(op).result();
        let five = b.const_i32(5, LOC);
        let large = b.cmpi(
            ComparisonPredicate::GreaterThan,
            i,
            five,
            Signedness::Signed,
            LOC,
        );
        let choice = b
            .op(ControlFlowOp::If, LOC)
            .args(&[large])
            .result(int)
            .finish();
        let then = b.add_region_block(choice);
        let outer = b.set_block(then);
        let thousand = b.const_i32(1000, LOC);
        let more = b.wrapping(IntegerOp::AddI, &[total, thousand], LOC);
        b.terminate(ControlFlowOp::Yield, &[more], LOC);
        let otherwise = b.add_region_block(choice);
        b.set_block(otherwise);
        b.terminate(ControlFlowOp::Yield, &[total], LOC);
        b.set_block(outer);
        b.module().op(choice).result()
    });
    let want: Vec<i32> = (0..12)
        .map(|i| (0..i).filter(|k| k % 2 == 1).sum::<i32>() + if i > 5 { 1000 } else { 0 })
        .collect();
    assert_eq!(run_per_block(&program, 12).expect("it runs"), want);
}

#[test]
fn a_step_that_is_not_positive_and_a_division_by_zero_are_faults() {
    let program = one_per_block(|b, i| {
        let ten = b.const_i32(10, LOC);
        let op = b
            .op(ControlFlowOp::For, line(7))
            .args(&[i, ten, i])
            .finish();
        let body = b.add_region_block(op);
        let int = Type::scalar(Scalar::I32);
        b.module().add_block_arg(body, int, LOC);
        let outer = b.set_block(body);
        b.terminate(ControlFlowOp::Continue, &[], LOC);
        b.set_block(outer);
        i
    });
    let fault = run_per_block(&program, 3).expect_err("block 0 has step 0");
    assert!(fault.contains("block (0, 0, 0), for (operation"), "{fault}");
    assert!(
        fault.contains("step 0 is not positive at kernel.rs:7:1"),
        "{fault}"
    );

    let program = one_per_block(|b, i| {
        let (ten, three) = (b.const_i32(10, LOC), b.const_i32(3, LOC));
        let rest = b.wrapping(IntegerOp::SubI, &[three, i], LOC);
        b.signed(IntegerOp::DivI, &[ten, rest], Signedness::Signed, line(8))
    });
    for _ in 0..10 {
        let fault = run_per_block(&program, 40).expect_err("block 3 divides by zero");
        assert!(fault.contains("block (3, 0, 0), divi"), "{fault}");
        assert!(
            fault.contains("10 / 0 is undefined at kernel.rs:8:1"),
            "{fault}"
        );
    }
    assert_eq!(run_per_block(&program, 3).expect("no zero"), [3, 5, 10]);
}

#[test]
fn a_cancelled_launch_stops() {
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let many = b.const_i32(i32::MAX, LOC);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, many, one])
            .finish();
        let body = b.add_region_block(op);
        b.module()
            .add_block_arg(body, Type::scalar(Scalar::I32), LOC);
        let outer = b.set_block(body);
        b.terminate(ControlFlowOp::Continue, &[], LOC);
        b.set_block(outer);
        i
    });
    let mut out = Tensor::new(&[1], vec![0_i32]);
    let args = out.args();
    let cancel = AtomicBool::new(false);
    let message = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let options = RunOptions {
            cancel: Some(&cancel),
            threads: None,
        };
        // SAFETY: the buffer lives until the end of the call.
        unsafe { program.run_with("k", [1, 1, 1], &args, options) }
            .expect_err("it was cancelled")
            .message
    });
    assert_eq!(message, "cancelled");
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
        // Twice, so that reused allocations are seen.
        for _ in 0..2 {
            run(&program, "k", [1, 1, 1], &args).expect("it runs");
        }
        assert_eq!(&y.data[..5], &x.data[..]);
        let same = |x: f32| x.to_bits() == want.to_bits() || x.is_nan() && want.is_nan();
        assert!(y.data[5..].iter().all(|&x| same(x)), "{:?}", y.data);
    }
}

#[test]
fn a_reduction_with_two_operands_finds_the_first_greatest() {
    // argmax along axis 1, with a body that is not one operation.
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let (_, args) = b.entry("k", &[Type::tile(Scalar::F32, &[4, 8])], LOC);
    let iota = b
        .op(CoreOp::Iota, LOC)
        .result(Type::tile(Scalar::I32, &[8]))
        .finish_value();
    let iota = b.reshape(iota, &[1, 8], LOC);
    let index = b.broadcast(iota, &[4, 8], LOC);
    let (float, int) = (Type::scalar(Scalar::F32), Type::scalar(Scalar::I32));
    let identities = vec![
        tile_core::ir::TypedScalar {
            scalar: Scalar::F32,
            bits: u64::from(f32::NEG_INFINITY.to_bits()),
        },
        tile_core::ir::TypedScalar {
            scalar: Scalar::I32,
            bits: 0xffff_ffff,
        },
    ];
    let op = b
        .op(CoreOp::Reduce, LOC)
        .operands("operands", &[args[0], index])
        .attr("dim", Attr::Int(1))
        .attr("identities", Attr::Scalars(identities.into()))
        .result(Type::tile(Scalar::F32, &[4]))
        .result(Type::tile(Scalar::I32, &[4]))
        .finish();
    // A value from outside of the body.
    let body = b.add_region_block(op);
    let x = b.module().add_block_arg(body, float, LOC);
    let max = b.module().add_block_arg(body, float, LOC);
    let at = b.module().add_block_arg(body, int, LOC);
    let best = b.module().add_block_arg(body, int, LOC);
    let outer = b.set_block(body);
    let above = b.cmpf(
        ComparisonPredicate::GreaterThan,
        tile_core::ir::ComparisonOrdering::Ordered,
        x,
        max,
        LOC,
    );
    let max = b
        .op(CoreOp::Select, LOC)
        .args(&[above, x, max])
        .result(float)
        .finish_value();
    let best = b
        .op(CoreOp::Select, LOC)
        .args(&[above, at, best])
        .result(int)
        .finish_value();
    b.terminate(ControlFlowOp::Yield, &[max, best], LOC);
    b.set_block(outer);
    let results = b.module().op(op).results.clone();
    b.terminate(ControlFlowOp::Return, &results, LOC);
    let data = numbers(32, 9);
    let input = tile_core::interp::Tile::new(
        Scalar::F32,
        &[4, 8],
        data.iter().map(|x| u64::from(x.to_bits())).collect(),
    );
    let got = Program::new(&module).eval("k", &[input]).expect("it runs");
    for row in 0..4 {
        let slice = &data[row * 8..][..8];
        let best = (0..8).fold(0, |best, i| if slice[i] > slice[best] { i } else { best });
        assert_eq!(got[0].bits[row], u64::from(slice[best].to_bits()));
        assert_eq!(got[1].bits[row], best as u64);
    }
}

#[test]
fn a_reduction_body_may_use_values_from_outside_along_any_axis() {
    // sum of (x + c) along each axis, where c comes from outside.
    for dim in 0..3 {
        for lanes in [true, false] {
            let mut module = Module::new("kernels");
            let mut b = Builder::new(&mut module);
            let tile = Type::tile(Scalar::I32, &[2, 4, 8]);
            let (_, args) = b.entry("k", &[tile, Type::scalar(Scalar::I32)], LOC);
            let c = args[1];
            let sum = reduce(&mut b, args[0], dim, 5, |b, x, acc| {
                let x = b.wrapping(IntegerOp::AddI, &[x, c], LOC);
                // A reshape cannot run on many instances at once.
                let x = if lanes {
                    x
                } else {
                    let one = b.reshape(x, &[1], LOC);
                    b.reshape(one, &[], LOC)
                };
                b.wrapping(IntegerOp::AddI, &[x, acc], LOC)
            });
            b.terminate(ControlFlowOp::Return, &[sum], LOC);
            let data: Vec<u64> = (0..64).map(|i| i * i).collect();
            let inputs = [
                tile_core::interp::Tile::new(Scalar::I32, &[2, 4, 8], data.clone()),
                tile_core::interp::Tile::new(Scalar::I32, &[], vec![3]),
            ];
            let got = Program::new(&module).eval("k", &inputs).expect("it runs");
            let shape = [2, 4, 8];
            let mut want = vec![5_u64; 64 / shape[dim]];
            for (index, x) in data.iter().enumerate() {
                let at = [index / 32, index / 8 % 4, index % 8];
                let rest: Vec<usize> = (0..3).filter(|&axis| axis != dim).collect();
                want[at[rest[0]] * shape[rest[1]] + at[rest[1]]] += x + 3;
            }
            assert_eq!(got[0].bits, want, "along {dim}");
        }
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
