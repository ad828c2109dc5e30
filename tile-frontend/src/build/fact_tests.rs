//! Tests of the IR that facts of a launch produce.

use super::Variant;
use crate::testing::ir;
use expect_test::{Expect, expect};

/// Compares the operations before the first access with `expected`, ignoring the name of the entry.
fn head(item: &str, variant: Variant, expected: &Expect) {
    let text = ir("grid = 1", item, variant);
    let lines = text.lines().skip(2).take_while(|line| {
        !line.contains("partition_view ") && !line.contains("get_tile_block_id")
    });
    let lines: Vec<&str> = lines.map(str::trim_start).collect();
    expected.assert_eq(&format!("{}\n", lines.join("\n")));
}

#[test]
fn facts_of_one_argument_are_assumptions() {
    let item = "unsafe fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, p: *const i32, n: i32, u: u32) {
        assume(x.dim(0) % 96 == 0); assume(x.stride(0) % 64 == 0 && x.stride(0) > 100); assume(p.addr() % 128 == 0);
        assume(n % 16 == 0 && 0 <= n && n < 100); assume(u < 1000 && u % 2 == 0);
        y.store([n + u as i32], full([16], p.load() as f32));
    }";
    head(
        item,
        Variant::Fast,
        &expect![[r"
              %11 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %12 = assume %1 predicate=Assume(DivBy { divisor: 32, every: None, along: None }) : tile<i32>
              %13 = assume %3 predicate=Assume(DivBy { divisor: 64, every: None, along: None }) : tile<i32>
              %14 = assume %13 predicate=Assume(Bounded { lower: Some(101), upper: None }) : tile<i32>
              %15 = make_tensor_view %11, %12, %2, %14 : tensor_view<?x?xf32, strides=[?,1]>
              %16 = assume %5 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %17 = make_tensor_view %16, %6 : tensor_view<?xf32, strides=[1]>
              %18 = assume %8 predicate=Assume(DivBy { divisor: 128, every: None, along: None }) : tile<ptr<i32>>
              %19 = assume %9 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<i32>
              %20 = assume %19 predicate=Assume(Bounded { lower: Some(0), upper: Some(99) }) : tile<i32>
              %21 = assume %10 predicate=Assume(DivBy { divisor: 2, every: None, along: None }) : tile<i32>
              %22 = assume %21 predicate=Assume(Bounded { lower: Some(0), upper: Some(999) }) : tile<i32>
        "]],
    );
    head(
        item,
        Variant::General,
        &expect![[r"
              %11 = assume %1 predicate=Assume(DivBy { divisor: 32, every: None, along: None }) : tile<i64>
              %12 = assume %3 predicate=Assume(DivBy { divisor: 64, every: None, along: None }) : tile<i64>
              %13 = assume %12 predicate=Assume(Bounded { lower: Some(101), upper: None }) : tile<i64>
              %14 = make_tensor_view %0, %11, %2, %13, %4 : tensor_view<?x?xf32, strides=[?,?]>
              %15 = make_tensor_view %5, %6, %7 : tensor_view<?xf32, strides=[?]>
              %16 = assume %8 predicate=Assume(DivBy { divisor: 128, every: None, along: None }) : tile<ptr<i32>>
              %17 = assume %9 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<i32>
              %18 = assume %17 predicate=Assume(Bounded { lower: Some(0), upper: Some(99) }) : tile<i32>
              %19 = assume %10 predicate=Assume(DivBy { divisor: 2, every: None, along: None }) : tile<i32>
              %20 = assume %19 predicate=Assume(Bounded { lower: Some(0), upper: Some(999) }) : tile<i32>
        "]],
    );
}

#[test]
fn a_bound_that_the_type_cannot_say_is_left_out() {
    let item = "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, u: u32, w: u64) {
        assume(x.dim(0) as i64 > 5_000_000_000); assume(u >= 8); assume(w > 1 && w < 9_000_000_000_000_000_000);
        y.store([u], full([16], w as f32));
    }";
    head(
        item,
        Variant::Fast,
        &expect![[r"
              %8 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %9 = make_tensor_view %8, %1 : tensor_view<?xf32, strides=[1]>
              %10 = assume %3 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %11 = make_tensor_view %10, %4 : tensor_view<?xf32, strides=[1]>
              %12 = assume %7 predicate=Assume(Bounded { lower: Some(2), upper: Some(8999999999999999999) }) : tile<i64>
        "]],
    );
    head(
        item,
        Variant::General,
        &expect![[r"
              %8 = assume %1 predicate=Assume(Bounded { lower: Some(5000000001), upper: None }) : tile<i64>
              %9 = make_tensor_view %0, %8, %2 : tensor_view<?xf32, strides=[?]>
              %10 = make_tensor_view %3, %4, %5 : tensor_view<?xf32, strides=[?]>
              %11 = assume %7 predicate=Assume(Bounded { lower: Some(2), upper: Some(8999999999999999999) }) : tile<i64>
        "]],
    );
}

#[test]
fn what_equals_a_constant_is_one() {
    let item = "fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, n: i32, flag: bool) {
        assume(x.dim(1) == 4096); assume(x.stride(1) == 1 && x.stride(0) == 4096); assume(n == -3); assume(!flag);
        y.store([0], full([16], if flag { n as f32 } else { x.dim(1) as f32 }));
    }";
    head(
        item,
        Variant::Fast,
        &expect![[r"
              %10 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %11 = constant value=Dense(Splat { scalar: I32, bits: 4096 }) : tile<i32>
              %12 = constant value=Dense(Splat { scalar: I32, bits: 4096 }) : tile<i32>
              %13 = make_tensor_view %10, %1 : tensor_view<?x4096xf32, strides=[4096,1]>
              %14 = assume %5 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %15 = make_tensor_view %14, %6 : tensor_view<?xf32, strides=[1]>
              %16 = constant value=Dense(Splat { scalar: I32, bits: 4294967293 }) : tile<i32>
              %17 = constant value=Dense(Splat { scalar: I1, bits: 0 }) : tile<i1>
        "]],
    );
    head(
        item,
        Variant::General,
        &expect![[r"
              %10 = constant value=Dense(Splat { scalar: I64, bits: 4096 }) : tile<i64>
              %11 = constant value=Dense(Splat { scalar: I64, bits: 4096 }) : tile<i64>
              %12 = make_tensor_view %0, %1 : tensor_view<?x4096xf32, strides=[4096,1]>
              %13 = make_tensor_view %5, %6, %7 : tensor_view<?xf32, strides=[?]>
              %14 = constant value=Dense(Splat { scalar: I32, bits: 4294967293 }) : tile<i32>
              %15 = constant value=Dense(Splat { scalar: I1, bits: 0 }) : tile<i1>
        "]],
    );
}

#[test]
fn what_equals_another_argument_is_that_one() {
    let item = "fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>, n: i32) {
        assume(x.dim(1) == y.dim(1) && n == x.dim(1)); assume(x.stride(0) == y.stride(0));
        y.store([0, 0], x.load([0, 0], [16, 16]) * n as f32);
    }";
    head(
        item,
        Variant::Fast,
        &expect![[r"
              %11 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %12 = assume %3 predicate=Assume(DivBy { divisor: 4, every: None, along: None }) : tile<i32>
              %13 = make_tensor_view %11, %1, %10, %12 : tensor_view<?x?xf32, strides=[?,1]>
              %14 = assume %5 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %15 = assume %3 predicate=Assume(DivBy { divisor: 4, every: None, along: None }) : tile<i32>
              %16 = make_tensor_view %14, %6, %10, %15 : tensor_view<?x?xf32, strides=[?,1]>
        "]],
    );
    head(
        item,
        Variant::General,
        &expect![[r"
              %11 = make_tensor_view %0, %1, %2, %3, %4 : tensor_view<?x?xf32, strides=[?,?]>
              %12 = make_tensor_view %5, %6, %2, %3, %9 : tensor_view<?x?xf32, strides=[?,?]>
        "]],
    );
}

#[test]
fn an_axis_that_is_stated_to_have_the_stride_1_takes_the_place_of_the_last() {
    let item = "fn k(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
        assume(x.stride(0) == 1);
        y.store([0, 0], x.load([0, 0], [16, 16]));
    }";
    head(
        item,
        Variant::Fast,
        &expect![[r"
              %10 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %11 = assume %4 predicate=Assume(DivBy { divisor: 4, every: None, along: None }) : tile<i32>
              %12 = make_tensor_view %10, %1, %2, %11 : tensor_view<?x?xf32, strides=[1,?]>
              %13 = assume %5 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
              %14 = assume %8 predicate=Assume(DivBy { divisor: 4, every: None, along: None }) : tile<i32>
              %15 = make_tensor_view %13, %6, %7, %14 : tensor_view<?x?xf32, strides=[?,1]>
        "]],
    );
    head(
        item,
        Variant::General,
        &expect![[r"
              %10 = make_tensor_view %0, %1, %2, %4 : tensor_view<?x?xf32, strides=[1,?]>
              %11 = make_tensor_view %5, %6, %7, %8, %9 : tensor_view<?x?xf32, strides=[?,?]>
        "]],
    );
}

/// Returns the noalias parameters of the entry, and `true` if the kernel reads through the
/// read-only cache.
fn apart_of(item: &str) -> (Vec<usize>, bool) {
    use crate::backend::session;
    use crate::device_tests::{canonical, options};
    use crate::expand::{Backend, Job, Source, stages};
    use tile_backend::session::{Output, Times};
    use tile_backend::target::Arch;
    use tile_core::{Diagnostics, Reported};

    #[derive(Default)]
    struct Record(Times, Option<(Vec<usize>, bool)>);

    impl Backend for Record {
        type Artifact = ();

        fn clock(&mut self) -> &mut Times {
            &mut self.0
        }

        fn compile(&mut self, job: Job<'_>, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
            let mut options = options(job.variant, &[Arch::SM_80]);
            options.output = Output::Cubins;
            options.kernel_options.noalias = super::noalias_params(job.kernel);
            let numbers = (0..64).filter(|&index| options.kernel_options.noalias.contains(index));
            let module = canonical(&job.module);
            let artifact = session().compile(&module, &options, &mut self.0, diagnostics)?;
            let reads = artifact.ptx[0].1.contains("ld.global.nc");
            self.1 = Some((numbers.collect(), reads));
            Ok(())
        }
    }

    let attribute = "grid = 1".parse().expect("tokens");
    let item = item.parse().expect("tokens");
    let mut record = Record::default();
    let mut diagnostics = Diagnostics::new();
    let done = stages(
        Source::from_kernel(attribute, item),
        &mut record,
        &mut crate::report::SpanTable::default(),
        &mut diagnostics,
    );
    assert!(done.is_ok(), "{:?}", diagnostics.take());
    record.1.expect("one instance")
}

#[test]
fn tensors_whose_address_nobody_knows_do_not_overlap() {
    let gathers = "fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
        let t = x.gather([iota::<i32>(64) * n]);
        unsafe { y.scatter([iota::<i32>(64) * n], t); }
    }";
    // The pointer, extent and stride of each tensor.
    assert_eq!(apart_of(gathers), (vec![0, 3], true));
    let escapes = "unsafe fn k(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
        let p = x.as_ptr();
        y.scatter([iota::<i32>(64) * n], x.gather([iota::<i32>(64) * n]) + p.load());
    }";
    assert_eq!(apart_of(escapes).0, [3]);
}
