//! Tests that execute kernels and compare their results.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless,
    clippy::precedence,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    clippy::result_large_err,
    reason = "tests of exactly these conversions and comparisons, on operands with the letters of the PTX ISA; a launch has one fault, which says much"
)]

mod approximate;
mod asynchronous;
mod atomics;
mod barrier;
mod checks;
mod cluster;
mod control;
mod copies;
mod counters;
mod executed;
mod fences;
mod float;
mod forms;
mod hostile;
mod integer;
mod kernels;
mod launch_control;
mod llvm;
mod matrix;
mod matrix_forms;
mod mbarriers;
mod memory;
mod mma;
mod mma_numbers;
mod mma_sparse;
mod moves;
mod multimem;
mod parallel;
#[path = "../../src/random.rs"]
mod random;
mod readers;
mod report;
mod robust;
mod speed;
mod stack;
mod support;
mod tcgen05;
mod tcgen05_cp;
mod tcgen05_mma;
mod tcgen05_order;
mod tcgen05_run;
mod text;
mod uniform;
mod warp;
mod warp_run;
mod wgmma;
mod wmma;
