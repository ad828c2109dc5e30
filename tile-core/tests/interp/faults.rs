//! Tests faults and their messages.

use crate::common::{LOC, line, vector_add};
use crate::{Tensor, numbers, one_per_block, parsed, run, run_on, run_per_block};
use std::sync::Mutex;
use tile_core::interp::{Arg, Check, IndexSpace, Output, Program, RunOptions};
use tile_core::ir::Signedness;
use tile_core::ops::{ControlFlowOp, IntegerOp};
use tile_core::types::{Scalar, Type};

#[test]
fn an_index_outside_of_the_index_space_names_kernel_block_and_operation() {
    let program = Program::new(&vector_add(Scalar::F32, 128));
    let mut x = Tensor::new(&[100], numbers(100, 1));
    let mut y = Tensor::new(&[100], numbers(100, 2));
    let mut z = Tensor::new(&[100], vec![0.0_f32; 100]);
    let args = [x.args(), y.args(), z.args()].concat();
    for _ in 0..20 {
        run(&program, "vector_add", [50, 1, 1], &args).expect("they do nothing");
        let options = RunOptions {
            index_space: IndexSpace::Checked,
            ..RunOptions::default()
        };
        // SAFETY: the buffers live until the end of the call.
        let fault = unsafe { program.run_with("vector_add", [50, 1, 1], &args, options) };
        let fault = fault.expect_err("one block too many");
        assert_eq!(
            fault.to_string(),
            "kernel `vector_add`, block (1, 0, 0), load_view_tko (operation 7): \
             index [1] is outside of the index space [1]: tiles of [128] of parameter 0, whose \
             extents are [100] at kernel.rs:1:1"
        );
    }
}

#[test]
fn only_one_block_runs_with_the_ids_and_the_grid_of_all() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %bx, %by, %bz = get_tile_block_id : tile<i32>
  %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
  %a = muli %bz, %ny : tile<i32>
  %b = addi %a, %by : tile<i32>
  %c = muli %b, %nx : tile<i32>
  %number = addi %c, %bx : tile<i32>
  %to = offset %x, %number : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %one = constant <i32: 1> : tile<i32>
  %next = addi %number, %one : tile<i32>
  %t = store_ptr_tko weak %to, %next : tile<ptr<i32>>, tile<i32> -> token
  print_tko \"%d;\", %next : tile<i32> -> token
}",
    );
    let pointer = |data: &mut [i32; 24]| Arg::Pointer {
        ptr: data.as_mut_ptr().cast(),
        bytes: size_of_val(data),
    };
    for check in [Check::Off, Check::On] {
        let printed = Mutex::new(Vec::<u8>::new());
        let mut data = [0_i32; 24];
        let args = [pointer(&mut data)];
        let options = RunOptions {
            only_block: Some([1, 2, 3]),
            output: Some(Output::new(&printed)),
            check,
            ..RunOptions::default()
        };
        // SAFETY: the buffer lives until the end of the call.
        unsafe { program.run_with("k", [2, 3, 4], &args, options) }.expect("it runs");
        let mut expected = [0; 24];
        expected[23] = 24;
        assert_eq!(data, expected);
        assert_eq!(*printed.lock().expect("nothing panicked"), b"24;");
    }
    let options = RunOptions {
        only_block: Some([2, 0, 0]),
        ..RunOptions::default()
    };
    let mut data = [0_i32; 24];
    // SAFETY: the buffer lives until the end of the call.
    let outcome = unsafe { program.run_with("k", [2, 3, 4], &[pointer(&mut data)], options) };
    assert_eq!(
        outcome.expect_err("there are two along x").message,
        "no block (2, 0, 0) in the grid [2, 3, 4]"
    );
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
        fault.contains("element [100]: access to bytes 400..404 of a buffer of 400 bytes"),
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
            fault.contains("10 / 0 is undefined: division by zero at kernel.rs:8:1"),
            "{fault}"
        );
    }
    assert_eq!(run_per_block(&program, 3).expect("no zero"), [3, 5, 10]);
}

#[test]
fn a_fault_of_an_element_says_where_it_is() {
    let shaped = |body: &str| {
        parsed(&format!(
            "entry @k(%p: tile<ptr<i32>>) {{
  %i = iota : tile<8xi32>
  %x = reshape %i : tile<8xi32> -> tile<2x4xi32>
  %six = constant <i32: 6> : tile<2x4xi32>
  {body}
}}"
        ))
    };
    let cases = [
        (
            "%y = subi %six, %x : tile<2x4xi32> %z = divi %x, %y signed : tile<2x4xi32>",
            "divi (operation 4): element [1, 2]: 6 / 0 is undefined",
        ),
        (
            "%z = subi %x, %six overflow<no_unsigned_wrap> : tile<2x4xi32>",
            "subi (operation 3): element [0, 0]: 0 - 6 is undefined",
        ),
        (
            "%z = assume bounded<0, 4>, %x : tile<2x4xi32>",
            "assume (operation 3): element [1, 1]: assumed between 0 and 4, found 5",
        ),
        (
            "%z = assume same_elements<[1, 2]>, %x : tile<2x4xi32>",
            "assume (operation 3): element [0, 1]: assumed blocks of one value, found 0 and 1",
        ),
        (
            "%z = assume div_by<4, every 4 along 1>, %x : tile<2x4xi32>
             %y = assume div_by<2>, %x : tile<2x4xi32>",
            "assume (operation 4): element [0, 1]: assumed divisible by 2, found 1",
        ),
        (
            "%c = cmpi less_than %x, %six, signed : tile<2x4xi32> -> tile<2x4xi1>
             assert %c, \"small\" : tile<2x4xi1>",
            "assert (operation 4): assertion `small` failed at [1, 2]",
        ),
        (
            "%q = reshape %p : tile<ptr<i32>> -> tile<1x1xptr<i32>>
             %r = broadcast %q : tile<1x1xptr<i32>> -> tile<2x4xptr<i32>>
             %s = offset %r, %x : tile<2x4xptr<i32>>, tile<2x4xi32> -> tile<2x4xptr<i32>>
             %t = store_ptr_tko weak %s, %x : tile<2x4xptr<i32>>, tile<2x4xi32> -> token",
            "store_ptr_tko (operation 6): element [1, 1]: \
             access to bytes 20..24 of a buffer of 20 bytes",
        ),
    ];
    for (body, expected) in cases {
        let fault = run_on(&shaped(body), 1, &mut [0_i32; 5], RunOptions::default())
            .expect_err("every body is undefined");
        assert!(fault.contains(expected), "{fault}");
    }
}
