//! Tests of the IR that each construct produces.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "that is how `expect!` blesses its text"
)]

use super::Variant;
use crate::testing::{body_ir, front, ir};
use expect_test::{Expect, expect};

#[expect(
    clippy::needless_pass_by_value,
    reason = "that is how `expect!` reads best"
)]
fn body(source: &str, expected: Expect) {
    expected.assert_eq(&body_ir(source));
}

const VECTOR_ADD: &str =
    "pub fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = a.load([i], [1024]);
    let y = b.load([i], [1024]);
    c.store([i], x + y);
}";

const MATMUL: &str = "pub fn matmul<T: Element, const BM: usize, const BN: usize, const BK: usize>(
    a: &Tensor<T, 2>, b: &Tensor<T, 2>, c: &mut Tensor<f32, 2>,
) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([BM, BK]);
    let b = b.partition([BK, BN]);
    let mut acc = zeros::<f32>([BM, BN]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}";

#[test]
fn vector_add_in_the_fast_variant() {
    expect![[r#"
        entry sym_name=Str("vector_add__fast") function_type=Type((tile<ptr<f32>>, tile<i32>, tile<i32>, tile<ptr<f32>>, tile<i32>, tile<i32>, tile<ptr<f32>>, tile<i32>, tile<i32>) -> ())
        (%0: tile<ptr<f32>>, %1: tile<i32>, %2: tile<i32>, %3: tile<ptr<f32>>, %4: tile<i32>, %5: tile<i32>, %6: tile<ptr<f32>>, %7: tile<i32>, %8: tile<i32>) {
          %9 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
          %10 = make_tensor_view %9, %1 : tensor_view<?xf32, strides=[1]>
          %11 = assume %3 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
          %12 = make_tensor_view %11, %4 : tensor_view<?xf32, strides=[1]>
          %13 = assume %6 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
          %14 = make_tensor_view %13, %7 : tensor_view<?xf32, strides=[1]>
          %15, %16, %17 = get_tile_block_id : tile<i32>, tile<i32>, tile<i32>
          %18 = make_partition_view %10 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
          %19 = make_partition_view %12 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
          %20 = make_partition_view %14 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
          %21, %22 = load_view_tko %18, %15 : tile<1024xf32>, token
          %23, %24 = load_view_tko %19, %15 : tile<1024xf32>, token
          %25 = addf %21, %23 : tile<1024xf32>
          %26 = store_view_tko %25, %20, %15 : token
          return
        }
    "#]].assert_eq(&ir("grid = c.tiles([1024])", VECTOR_ADD, Variant::Fast));
}

#[test]
fn vector_add_in_the_general_variant() {
    expect![[r#"
        entry sym_name=Str("vector_add__general") function_type=Type((tile<ptr<f32>>, tile<i64>, tile<i64>, tile<ptr<f32>>, tile<i64>, tile<i64>, tile<ptr<f32>>, tile<i64>, tile<i64>) -> ())
        (%0: tile<ptr<f32>>, %1: tile<i64>, %2: tile<i64>, %3: tile<ptr<f32>>, %4: tile<i64>, %5: tile<i64>, %6: tile<ptr<f32>>, %7: tile<i64>, %8: tile<i64>) {
          %9 = make_tensor_view %0, %1, %2 : tensor_view<?xf32, strides=[?]>
          %10 = make_tensor_view %3, %4, %5 : tensor_view<?xf32, strides=[?]>
          %11 = make_tensor_view %6, %7, %8 : tensor_view<?xf32, strides=[?]>
          %12, %13, %14 = get_tile_block_id : tile<i32>, tile<i32>, tile<i32>
          %15 = make_partition_view %9 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[?]>>
          %16 = make_partition_view %10 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[?]>>
          %17 = make_partition_view %11 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[?]>>
          %18, %19 = load_view_tko %15, %12 : tile<1024xf32>, token
          %20, %21 = load_view_tko %16, %12 : tile<1024xf32>, token
          %22 = addf %18, %20 : tile<1024xf32>
          %23 = store_view_tko %22, %17, %12 : token
          return
        }
    "#]].assert_eq(&ir("grid = c.tiles([1024])", VECTOR_ADD, Variant::General));
}

#[test]
fn matmul_carries_its_accumulator() {
    let attribute = "instances((BM = 16, BN = 32, BK = 8)), types(T = bf16)";
    expect![[r#"
        entry sym_name=Str("matmul__fast") function_type=Type((tile<ptr<bf16>>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<ptr<bf16>>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<ptr<f32>>, tile<i32>, tile<i32>, tile<i32>, tile<i32>) -> ())
        (%0: tile<ptr<bf16>>, %1: tile<i32>, %2: tile<i32>, %3: tile<i32>, %4: tile<i32>, %5: tile<ptr<bf16>>, %6: tile<i32>, %7: tile<i32>, %8: tile<i32>, %9: tile<i32>, %10: tile<ptr<f32>>, %11: tile<i32>, %12: tile<i32>, %13: tile<i32>, %14: tile<i32>) {
          %15 = assume %0 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<bf16>>
          %16 = assume %3 predicate=Assume(DivBy { divisor: 8, every: None, along: None }) : tile<i32>
          %17 = make_tensor_view %15, %1, %2, %16 : tensor_view<?x?xbf16, strides=[?,1]>
          %18 = assume %5 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<bf16>>
          %19 = assume %8 predicate=Assume(DivBy { divisor: 8, every: None, along: None }) : tile<i32>
          %20 = make_tensor_view %18, %6, %7, %19 : tensor_view<?x?xbf16, strides=[?,1]>
          %21 = assume %10 predicate=Assume(DivBy { divisor: 16, every: None, along: None }) : tile<ptr<f32>>
          %22 = assume %13 predicate=Assume(DivBy { divisor: 4, every: None, along: None }) : tile<i32>
          %23 = make_tensor_view %21, %11, %12, %22 : tensor_view<?x?xf32, strides=[?,1]>
          %24, %25, %26 = get_tile_block_id : tile<i32>, tile<i32>, tile<i32>
          %27 = make_partition_view %17 : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
          %28 = make_partition_view %20 : partition_view<tile=(8x32), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
          %29 = make_partition_view %23 : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
          %30 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<16x32xf32>
          %31 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
          %32, %33 = get_index_space_shape %27 : tile<i32>, tile<i32>
          %34 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
          %35 = loop.for %31, %33, %34, %30 : tile<16x32xf32>
          (%36: tile<i32>, %37: tile<16x32xf32>) {
            %38, %39 = load_view_tko %27, %24, %36 : tile<16x8xbf16>, token
            %40, %41 = load_view_tko %28, %36, %25 : tile<8x32xbf16>, token
            %42 = mmaf %38, %40, %37 : tile<16x32xf32>
            loop.yield %42
          }
          %43 = store_view_tko %35, %29, %24, %25 : token
          return
        }
    "#]].assert_eq(&ir(attribute, MATMUL, Variant::Fast));
}

#[test]
fn instances_are_the_product_of_types_and_instances() {
    let attribute = "instances((BM = 16, BN = 16, BK = 16), (BM = 32, BN = 16, BK = 16)), types(T = f16 | bf16)";
    let expansion = front(attribute, MATMUL).unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let list: Vec<String> = expansion
        .signature
        .instances
        .iter()
        .map(|instance| format!("{:?} {:?}", instance.types, instance.consts))
        .collect();
    assert_eq!(
        list,
        [
            "[F16] [16, 16, 16]",
            "[F16] [32, 16, 16]",
            "[Bf16] [16, 16, 16]",
            "[Bf16] [32, 16, 16]",
        ]
    );
    assert_eq!(expansion.artifacts.len(), 4);
    assert!(
        expansion
            .artifacts
            .iter()
            .all(|variants| variants.len() == 2)
    );
}

#[test]
fn integer_operators_follow_the_sign_of_the_type() {
    body(
        "let a = n / 3 % 5 >> 2; let b = u / 3 % 5 >> 2; let c = n < 4; let d = u < 4;",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 3 }) : tile<i32>
              %36 = divi %19, %35 signedness=Signedness(Signed) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: I32, bits: 5 }) : tile<i32>
              %38 = remi %36, %37 signedness=Signedness(Signed) : tile<i32>
              %39 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
              %40 = shri %38, %39 signedness=Signedness(Signed) : tile<i32>
              %41 = constant value=Dense(Splat { scalar: I32, bits: 3 }) : tile<i32>
              %42 = divi %20, %41 signedness=Signedness(Unsigned) : tile<i32>
              %43 = constant value=Dense(Splat { scalar: I32, bits: 5 }) : tile<i32>
              %44 = remi %42, %43 signedness=Signedness(Unsigned) : tile<i32>
              %45 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
              %46 = shri %44, %45 signedness=Signedness(Unsigned) : tile<i32>
              %47 = constant value=Dense(Splat { scalar: I32, bits: 4 }) : tile<i32>
              %48 = cmpi %19, %47 comparison_predicate=Predicate(LessThan) signedness=Signedness(Signed) : tile<i1>
              %49 = constant value=Dense(Splat { scalar: I32, bits: 4 }) : tile<i32>
              %50 = cmpi %20, %49 comparison_predicate=Predicate(LessThan) signedness=Signedness(Unsigned) : tile<i1>
              return
            }
        "#]],
    );
}

#[test]
fn a_variable_shift_counts_modulo_the_width() {
    body(
        "let a = n << u;",
        expect![[r#"
          %35 = constant value=Dense(Splat { scalar: I32, bits: 31 }) : tile<i32>
          %36 = andi %20, %35 : tile<i32>
          %37 = shli %19, %36 : tile<i32>
          return
        }
    "#]],
    );
}

#[test]
fn a_float_cast_to_an_integer_saturates() {
    body(
        "let a = x as u8;",
        expect![[r#"
          %35 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<f32>
          %36 = constant value=Dense(Splat { scalar: F32, bits: 1132462080 }) : tile<f32>
          %37 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<f32>
          %38 = cmpf %21, %35 comparison_predicate=Predicate(GreaterThanOrEqual) comparison_ordering=Ordering(Ordered) : tile<i1>
          %39 = cmpf %21, %35 comparison_predicate=Predicate(LessThan) comparison_ordering=Ordering(Ordered) : tile<i1>
          %40 = cmpf %21, %36 comparison_predicate=Predicate(GreaterThanOrEqual) comparison_ordering=Ordering(Ordered) : tile<i1>
          %41 = cmpf %21, %36 comparison_predicate=Predicate(LessThan) comparison_ordering=Ordering(Ordered) : tile<i1>
          %42 = andi %38, %41 : tile<i1>
          %43 = select %42, %21, %37 : tile<f32>
          %44 = ftoi %43 signedness=Signedness(Unsigned) : tile<i8>
          %45 = constant value=Dense(Splat { scalar: I8, bits: 255 }) : tile<i8>
          %46 = constant value=Dense(Splat { scalar: I8, bits: 0 }) : tile<i8>
          %47 = select %39, %46, %44 : tile<i8>
          %48 = select %40, %45, %47 : tile<i8>
          return
        }
    "#]],
    );
}

#[test]
fn narrow_casts_truncate_and_wide_casts_extend_by_the_source() {
    body(
        "let a = n as u8; let b = n as i64; let c = u as i64; let d = flag as i32; let e = u as f32; let f = n as u32;",
        expect![[r#"
              %35 = trunci %19 : tile<i8>
              %36 = exti %19 signedness=Signedness(Signed) : tile<i64>
              %37 = exti %20 signedness=Signedness(Unsigned) : tile<i64>
              %38 = exti %22 signedness=Signedness(Unsigned) : tile<i32>
              %39 = itof %20 signedness=Signedness(Unsigned) : tile<f32>
              return
            }
        "#]],
    );
}

#[test]
fn not_equal_on_floats_is_unordered() {
    body(
        "let a = x != 1.0; let b = x == 1.0;",
        expect![[r#"
          %35 = constant value=Dense(Splat { scalar: F32, bits: 1065353216 }) : tile<f32>
          %36 = cmpf %21, %35 comparison_predicate=Predicate(NotEqual) comparison_ordering=Ordering(Unordered) : tile<i1>
          %37 = constant value=Dense(Splat { scalar: F32, bits: 1065353216 }) : tile<f32>
          %38 = cmpf %21, %37 comparison_predicate=Predicate(Equal) comparison_ordering=Ordering(Ordered) : tile<i1>
          return
        }
    "#]],
    );
}

#[test]
fn short_circuit_evaluates_the_right_side_in_a_branch() {
    body(
        "let a = n != 0 && 10 / n > 2;",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %36 = cmpi %19, %35 comparison_predicate=Predicate(NotEqual) signedness=Signedness(Signed) : tile<i1>
              %37 = loop.if %36 : tile<i1>
              () {
                %38 = constant value=Dense(Splat { scalar: I32, bits: 10 }) : tile<i32>
                %39 = divi %38, %19 signedness=Signedness(Signed) : tile<i32>
                %40 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
                %41 = cmpi %39, %40 comparison_predicate=Predicate(GreaterThan) signedness=Signedness(Signed) : tile<i1>
                loop.yield %41
              }
              () {
                %42 = constant value=Dense(Splat { scalar: I1, bits: 0 }) : tile<i1>
                loop.yield %42
              }
              return
            }
        "#]],
    );
}

#[test]
fn an_if_carries_what_it_assigns() {
    body(
        "let mut s = 1; let v = if flag { s = 2; 3.5 } else { x }; s += n;",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %36, %37 = loop.if %22 : tile<f32>, tile<i32>
              () {
                %38 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
                %39 = constant value=Dense(Splat { scalar: F32, bits: 1080033280 }) : tile<f32>
                loop.yield %39, %38
              }
              () {
                loop.yield %21, %35
              }
              %40 = addi %37, %19 : tile<i32>
              return
            }
        "#]],
    );
}

#[test]
fn else_if_chains_nest() {
    body(
        "let mut s = 0; if n > 2 { s = 1; } else if n > 1 { s = 2; }",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %36 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
              %37 = cmpi %19, %36 comparison_predicate=Predicate(GreaterThan) signedness=Signedness(Signed) : tile<i1>
              %38 = loop.if %37 : tile<i32>
              () {
                %39 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
                loop.yield %39
              }
              () {
                %40 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
                %41 = cmpi %19, %40 comparison_predicate=Predicate(GreaterThan) signedness=Signedness(Signed) : tile<i1>
                %42 = loop.if %41 : tile<i32>
                () {
                  %43 = constant value=Dense(Splat { scalar: I32, bits: 2 }) : tile<i32>
                  loop.yield %43
                }
                () {
                  loop.yield %35
                }
                loop.yield %42
              }
              return
            }
        "#]],
    );
}

#[test]
fn tokens_order_stores_and_loads_of_one_tensor() {
    body(
        "let t = c.load([0], [16]); let r = c.load([1], [16]); c.store([0], t + r); let v = c.load([0], [16]);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37, %38 = load_view_tko %35, %36 : tile<16xf32>, token
              %39 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %40, %41 = load_view_tko %35, %39 : tile<16xf32>, token
              %42 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %43 = addf %37, %40 : tile<16xf32>
              %44 = join_tokens %38, %41 : token
              %45 = store_view_tko %43, %35, %42, %44 : token
              %46 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %47, %48 = load_view_tko %35, %46, %45 : tile<16xf32>, token
              return
            }
        "#]],
    );
}

#[test]
fn tokens_are_carried_through_loops() {
    body(
        "for i in 0..n { c.store([i], c.load([i], [16]) * 2.0); } c.store([0], zeros([16]));",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %38 = make_token : token
              %39 = loop.for %36, %19, %37, %38 : token
              (%40: tile<i32>, %41: token) {
                %42, %43 = load_view_tko %35, %40, %41 : tile<16xf32>, token
                %44 = constant value=Dense(Splat { scalar: F32, bits: 1073741824 }) : tile<16xf32>
                %45 = mulf %42, %44 : tile<16xf32>
                %46 = store_view_tko %45, %35, %40, %43 : token
                loop.yield %46
              }
              %47 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %48 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<16xf32>
              %49 = store_view_tko %48, %35, %47, %39 : token
              return
            }
        "#]],
    );
}

#[test]
fn loads_in_a_loop_wait_for_the_last_store_only() {
    body(
        "c.store([0], zeros([16])); let mut s = zeros([16]); for i in 0..n { s += c.load([i], [16]); } c.store([1], s);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<16xf32>
              %38 = store_view_tko %37, %35, %36 : token
              %39 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<16xf32>
              %40 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %41 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %42, %43 = loop.for %40, %19, %41, %39, %38 : tile<16xf32>, token
              (%44: tile<i32>, %45: tile<16xf32>, %46: token) {
                %47, %48 = load_view_tko %35, %44, %38 : tile<16xf32>, token
                %49 = addf %45, %47 : tile<16xf32>
                %50 = join_tokens %46, %48 : token
                loop.yield %49, %50
              }
              %51 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %52 = store_view_tko %42, %35, %51, %43 : token
              return
            }
        "#]],
    );
}

#[test]
fn a_closed_range_counts_in_64_bits() {
    body(
        "let mut s = 0_u8; for i in 0..=s { s = i; }",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I8, bits: 0 }) : tile<i8>
              %36 = constant value=Dense(Splat { scalar: I8, bits: 0 }) : tile<i8>
              %37 = exti %36 signedness=Signedness(Unsigned) : tile<i64>
              %38 = exti %35 signedness=Signedness(Unsigned) : tile<i64>
              %39 = constant value=Dense(Splat { scalar: I64, bits: 1 }) : tile<i64>
              %40 = addi %38, %39 : tile<i64>
              %41 = loop.for %37, %40, %39, %35 : tile<i8>
              (%42: tile<i64>, %43: tile<i8>) {
                %44 = trunci %42 : tile<i8>
                loop.yield %44
              }
              return
            }
        "#]],
    );
}

#[test]
fn a_closed_range_of_64_bits_needs_a_constant_end() {
    body(
        "for i in 0..=9_u64 { let j = i; }",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I64, bits: 0 }) : tile<i64>
              %36 = constant value=Dense(Splat { scalar: I64, bits: 10 }) : tile<i64>
              %37 = constant value=Dense(Splat { scalar: I64, bits: 1 }) : tile<i64>
              loop.for %35, %36, %37 unsignedCmp=Unit
              (%38: tile<i64>) {
                loop.yield
              }
              return
            }
        "#]],
    );
}

#[test]
fn tile_operators_stretch_and_splat() {
    body(
        "let t = m.load([0, 0], [8, 16]); let r = t.sum(1).unsqueeze(1); let v = (t - r) * 2.0 + x; let k = (v > 0.0) & !(v == r);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %38, %39 = load_view_tko %35, %36, %37 : tile<8x16xf32>, token
              %40 = reduce %38 dim=Int(1) identities=Scalars([TypedScalar { scalar: F32, bits: 2147483648 }]) : tile<8xf32>
              (%41: tile<f32>, %42: tile<f32>) {
                %43 = addf %41, %42 : tile<f32>
                yield %43
              }
              %44 = reshape %40 : tile<8x1xf32>
              %45 = broadcast %44 : tile<8x16xf32>
              %46 = subf %38, %45 : tile<8x16xf32>
              %47 = constant value=Dense(Splat { scalar: F32, bits: 1073741824 }) : tile<8x16xf32>
              %48 = mulf %46, %47 : tile<8x16xf32>
              %49 = reshape %21 : tile<1x1xf32>
              %50 = broadcast %49 : tile<8x16xf32>
              %51 = addf %48, %50 : tile<8x16xf32>
              %52 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<8x16xf32>
              %53 = cmpf %51, %52 comparison_predicate=Predicate(GreaterThan) comparison_ordering=Ordering(Ordered) : tile<8x16xi1>
              %54 = broadcast %44 : tile<8x16xf32>
              %55 = cmpf %51, %54 comparison_predicate=Predicate(Equal) comparison_ordering=Ordering(Ordered) : tile<8x16xi1>
              %56 = constant value=Dense(Splat { scalar: I1, bits: 1 }) : tile<8x16xi1>
              %57 = xori %55, %56 : tile<8x16xi1>
              %58 = andi %53, %57 : tile<8x16xi1>
              return
            }
        "#]],
    );
}

#[test]
fn reductions_have_their_identity() {
    body(
        "let t = ids.load([n], [16]); let a = t.reduce_max(0); let b = t.prod(0); let f = a.max(b); let g = m.load([0, 0], [4, 4]).reduce_min(0);",
        expect![[r#"
              %37, %38 = load_view_tko %35, %19 : tile<16xi32>, token
              %39 = reduce %37 dim=Int(0) identities=Scalars([TypedScalar { scalar: I32, bits: 2147483648 }]) : tile<i32>
              (%40: tile<i32>, %41: tile<i32>) {
                %42 = maxi %40, %41 signedness=Signedness(Signed) : tile<i32>
                yield %42
              }
              %43 = reduce %37 dim=Int(0) identities=Scalars([TypedScalar { scalar: I32, bits: 1 }]) : tile<i32>
              (%44: tile<i32>, %45: tile<i32>) {
                %46 = muli %44, %45 : tile<i32>
                yield %46
              }
              %47 = maxi %39, %43 signedness=Signedness(Signed) : tile<i32>
              %48 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %49 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %50, %51 = load_view_tko %36, %48, %49 : tile<4x4xf32>, token
              %52 = reduce %50 dim=Int(0) identities=Scalars([TypedScalar { scalar: F32, bits: 2139095040 }]) : tile<4xf32>
              (%53: tile<f32>, %54: tile<f32>) {
                %55 = minf %53, %54 : tile<f32>
                yield %55
              }
              return
            }
        "#]],
    );
}

#[test]
fn shapes_change() {
    body(
        "let t = m.load([0, 0], [8, 16]); let a = t.t().reshape([128]).unsqueeze(0).broadcast([2, 128]);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %38, %39 = load_view_tko %35, %36, %37 : tile<8x16xf32>, token
              %40 = permute %38 permutation=I32Array([1, 0]) : tile<16x8xf32>
              %41 = reshape %40 : tile<128xf32>
              %42 = reshape %41 : tile<1x128xf32>
              %43 = broadcast %42 : tile<2x128xf32>
              return
            }
        "#]],
    );
    body(
        "let t = m.load([0, 0], [8, 1]); let a = t.squeeze(1).unsqueeze(0).broadcast([2, 8]).permute([1, 0]);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %38, %39 = load_view_tko %35, %36, %37 : tile<8x1xf32>, token
              %40 = reshape %38 : tile<8xf32>
              %41 = reshape %40 : tile<1x8xf32>
              %42 = broadcast %41 : tile<2x8xf32>
              %43 = permute %42 permutation=I32Array([1, 0]) : tile<8x2xf32>
              return
            }
        "#]],
    );
}

#[test]
fn float_functions() {
    body(
        "let t = a.load([0], [8]); let r = t.exp().max(0.0).mul_add(t, x).powf(2.0); let s = x.sqrt().ln().abs().min(1.0); let q = select(t > 0.0, t, 0.0);",
        expect![[r#"
              %36 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %37, %38 = load_view_tko %35, %36 : tile<8xf32>, token
              %39 = exp %37 : tile<8xf32>
              %40 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<8xf32>
              %41 = maxf %39, %40 : tile<8xf32>
              %42 = reshape %21 : tile<1xf32>
              %43 = broadcast %42 : tile<8xf32>
              %44 = fma %41, %37, %43 : tile<8xf32>
              %45 = constant value=Dense(Splat { scalar: F32, bits: 1073741824 }) : tile<8xf32>
              %46 = pow %44, %45 : tile<8xf32>
              %47 = sqrt %21 : tile<f32>
              %48 = log %47 : tile<f32>
              %49 = absf %48 : tile<f32>
              %50 = constant value=Dense(Splat { scalar: F32, bits: 1065353216 }) : tile<f32>
              %51 = minf %49, %50 : tile<f32>
              %52 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<8xf32>
              %53 = cmpf %37, %52 comparison_predicate=Predicate(GreaterThan) comparison_ordering=Ordering(Ordered) : tile<8xi1>
              %54 = constant value=Dense(Splat { scalar: F32, bits: 0 }) : tile<8xf32>
              %55 = select %53, %37, %54 : tile<8xf32>
              return
            }
        "#]],
    );
}

#[test]
fn padding_reaches_the_view() {
    body(
        "let t = a.load_padded([0], [8], Padding::NegInf); let p = m.partition([2, 4]).with_padding(Padding::Nan); let q = p.load([0, n as i64]); let e = a.dim(0) + p.num_tiles(1);",
        expect![[r#"
              %37 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %38, %39 = load_view_tko %35, %37 : tile<8xf32>, token
              %40 = constant value=Dense(Splat { scalar: I32, bits: 0 }) : tile<i32>
              %41 = exti %40 signedness=Signedness(Signed) : tile<i64>
              %42 = exti %19 signedness=Signedness(Signed) : tile<i64>
              %43, %44 = load_view_tko %36, %41, %42 : tile<2x4xf32>, token
              %45, %46 = get_index_space_shape %36 : tile<i32>, tile<i32>
              %47 = addi %1, %46 : tile<i32>
              return
            }
        "#]],
    );
    let text = crate::testing::ir(
        "",
        "fn k(a: &Tensor<f32, 1>) { let t = a.load_padded([0], [8], Padding::NegInf); }",
        Variant::Fast,
    );
    assert!(text.contains("padding_value = neg_inf"), "{text}");
}

#[test]
fn tuples_are_taken_apart_and_swapped() {
    body(
        "let (mut p, mut q) = (1, 2.0); let (r, _) = (n, x); (p, q) = (r + p, q * 2.0); let t = (p, (q, flag)); let b = t.1.1;",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %36 = constant value=Dense(Splat { scalar: F64, bits: 4611686018427387904 }) : tile<f64>
              %37 = addi %19, %35 : tile<i32>
              %38 = constant value=Dense(Splat { scalar: F64, bits: 4611686018427387904 }) : tile<f64>
              %39 = mulf %36, %38 : tile<f64>
              return
            }
        "#]],
    );
}

#[test]
fn a_constant_if_keeps_the_branch_that_is_taken() {
    let source = "fn k<const ADD: bool, const N: usize>(c: &mut Tensor<f32, 1>) {
        let half = N / 2;
        let t = if ADD && half > 4 { full([half], 1.0) } else { c.nonsense() };
        c.store([0], t);
    }";
    let text = ir("instances((ADD = true, N = 32))", source, Variant::Fast);
    assert!(text.contains("tile<16xf32>"), "{text}");
    assert!(!text.contains("if "), "{text}");
}

#[test]
fn literals_take_the_type_of_their_use() {
    body(
        "let mut a = 1; a = u; let b = 2.5; let c = b * x; let d = -128_i8; let e = 255 as u8; let f = u32::MAX; let g = f32::NEG_INFINITY;",
        expect![[r#"
              %35 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
              %36 = constant value=Dense(Splat { scalar: F32, bits: 1075838976 }) : tile<f32>
              %37 = mulf %36, %21 : tile<f32>
              %38 = constant value=Dense(Splat { scalar: I8, bits: 128 }) : tile<i8>
              %39 = constant value=Dense(Splat { scalar: I8, bits: 255 }) : tile<i8>
              %40 = constant value=Dense(Splat { scalar: I32, bits: 4294967295 }) : tile<i32>
              %41 = constant value=Dense(Splat { scalar: F32, bits: 4286578688 }) : tile<f32>
              return
            }
        "#]],
    );
}

#[test]
fn mma_of_bytes_has_the_signs_of_its_operands() {
    let source = "fn k(a: &Tensor<i8, 2>, b: &Tensor<u8, 2>, c: &mut Tensor<i32, 2>) {
        c.store([0, 0], mma(a.load([0, 0], [16, 32]), b.load([0, 0], [32, 8]), zeros([16, 8])));
    }";
    let text = ir("", source, Variant::Fast);
    let line = text
        .lines()
        .find(|line| line.contains("mmai"))
        .unwrap_or_default();
    assert!(line.contains("signedness_lhs=Signedness(Signed)"), "{text}");
    assert!(
        line.contains("signedness_rhs=Signedness(Unsigned)"),
        "{text}"
    );
}

#[test]
fn compound_assignment_reads_the_variable_after_its_right_side() {
    body(
        "let mut a = 1; a += { a = 5; n };",
        expect![[r#"
          %35 = constant value=Dense(Splat { scalar: I32, bits: 1 }) : tile<i32>
          %36 = constant value=Dense(Splat { scalar: I32, bits: 5 }) : tile<i32>
          %37 = addi %36, %19 : tile<i32>
          return
        }
    "#]],
    );
}

#[test]
fn kernels_that_macros_generate_keep_their_meaning() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    use quote::quote;
    // `$t:ty` and `$e:expr` expand to groups without delimiters.
    let group = |tokens: TokenStream| TokenTree::Group(Group::new(Delimiter::None, tokens));
    let ty = group(quote!(f32));
    let value = group(quote!(1.0 + 2.0));
    let item = quote! {
        fn k(c: &mut Tensor<#ty, 1>, x: #ty) {
            let y: #ty = x * #value;
            c.store([0], full([16], y));
        }
    };
    let expansion = crate::testing::front_tokens(TokenStream::new(), &item)
        .unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let text = crate::testing::print(&expansion.artifacts[0][0].1);
    let sum = text.find("addf").expect("the group is added up");
    let product = text.find("mulf").expect("the group is multiplied");
    assert!(sum < product, "{text}");
}

#[test]
fn the_types_of_an_instance_reach_every_op() {
    let source = "fn k<T: Element>(a: &Tensor<T, 1>, c: &mut Tensor<T, 1>, s: T) {
        c.store([0], a.load([0], [16]) * s + T::MAX.min(s));
    }";
    let expansion =
        front("types(T = f32 | u8)", source).unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let texts: Vec<String> = expansion
        .artifacts
        .iter()
        .map(|variants| crate::testing::print(&variants[0].1))
        .collect();
    assert!(
        texts[0].contains("mulf") && texts[0].contains("minf"),
        "{}",
        texts[0]
    );
    assert!(
        texts[1].contains("muli") && texts[1].contains("mini"),
        "{}",
        texts[1]
    );
    assert!(texts[1].contains("divisor: 16"), "{}", texts[1]);
}

/// Builds every instance of whole kernels.
#[test]
fn kernels_of_the_examples_are_built() {
    let kernels = [
        (
            "instances((N = 64), (N = 1024)), types(T = f32 | f16 | bf16)",
            "/// Rows, normalized.
            pub fn softmax<T: Element, const N: usize>(x: &Tensor<T, 2>, y: &mut Tensor<T, 2>) {
                let row = block_id(0);
                let t = x.load_padded([row, 0], [1, N], Padding::NegInf).cast::<f32>();
                let e = (t - t.reduce_max(1).unsqueeze(1)).exp();
                let total = e.sum(1).unsqueeze(1);
                y.store([row, 0], (e / total).cast::<T>());
            }",
        ),
        (
            "instances((BM = 64, BN = 32, BK = 16, RELU = true), (BM = 64, BN = 32, BK = 16, RELU = false))",
            "fn linear<const BM: usize, const BN: usize, const BK: usize, const RELU: bool>(
                x: &Tensor<f32, 2>, w: &Tensor<f32, 2>, bias: &Tensor<f32, 1>, y: &mut Tensor<f32, 2>,
            ) {
                let (m, n) = (block_id(0), block_id(1));
                let (x, w) = (x.partition([BM, BK]), w.partition([BN, BK]));
                let mut acc = bias.load([n], [BN]).unsqueeze(0).broadcast([BM, BN]);
                for k in 0..x.num_tiles(1) {
                    acc = mma(x.load([m, k]), w.load([n, k]).t(), acc);
                }
                if RELU {
                    acc = acc.max(0.0);
                }
                y.store([m, n], acc);
            }",
        ),
        (
            "",
            "fn sgd(w: &mut Tensor<f32, 1>, v: &mut Tensor<f32, 1>, g: &Tensor<f32, 1>, rate: f32, momentum: f32) {
                let i = block_id(0);
                let step = v.load([i], [256]) * momentum - g.load([i], [256]) * rate;
                v.store([i], step);
                w.store([i], w.load([i], [256]) + step);
            }",
        ),
        (
            "",
            "fn cross_entropy(logits: &Tensor<f32, 2>, labels: &Tensor<i32, 1>, loss: &mut Tensor<f32, 1>, grad: &mut Tensor<f32, 2>, classes: i32) {
                let row = block_id(0);
                let t = logits.load_padded([row, 0], [16, 16], Padding::NegInf);
                let t = t - t.reduce_max(1).unsqueeze(1);
                let e = t.exp();
                let total = e.sum(1);
                let class = iota::<i32>(16).unsqueeze(0);
                let hit = class == labels.load([row], [16]).unsqueeze(1);
                let picked = select(hit, t, 0.0).sum(1);
                loss.store([row], total.ln() - picked);
                let p = e / total.unsqueeze(1);
                let inside = class < classes;
                grad.store([row, 0], select(inside, select(hit, p - 1.0, p), 0.0));
            }",
        ),
        (
            "",
            "fn collatz(n: i64, out: &mut Tensor<i64, 1>) {
                let mut value = n;
                let mut steps = 0;
                for _ in 0..1000 {
                    if value != 1 {
                        value = if value % 2 == 0 { value / 2 } else { 3 * value + 1 };
                        steps += 1;
                    }
                }
                out.store([0], full([1], steps));
            }",
        ),
    ];
    for (attribute, source) in kernels {
        let expansion =
            front(attribute, source).unwrap_or_else(|faults| panic!("{}", faults.concat()));
        for variants in &expansion.artifacts {
            for (variant, module) in variants {
                let text = crate::testing::print(module);
                assert!(text.contains("store_view_tko"), "{variant:?}: {text}");
            }
        }
    }
}

#[test]
fn a_loop_that_counts_is_a_for() {
    let kernel_with = |head: &str, step: &str| {
        body_ir(&format!(
            "let mut t = zeros::<f32>([64]); let mut k = 0; while {head} {{ t = t + a.load([k], [64]); {step} }} c.store([0], t);"
        ))
    };
    let is_for = |text: &str| text.lines().any(|line| line.contains("= loop.for "));
    let is_loop = |text: &str| text.lines().any(|line| line.contains("= loop %"));
    for counts in [
        kernel_with("k < n", "k += 1;"),
        kernel_with("n > k", "k = k + 1;"),
        kernel_with("k <= 100", "k += 4;"),
        kernel_with("k < 2147483640", "k += 8;"),
    ] {
        assert!(is_for(&counts) && !is_loop(&counts), "{counts}");
    }
    // The step may wrap, after which the loop continues.
    for wraps in [
        kernel_with("k < n", "k += 2;"),
        kernel_with("k < n", "k += num_blocks(0);"),
        kernel_with("k < n", "k = 4 * num_blocks(1) + k;"),
        kernel_with("k <= n", "k += n;"),
        kernel_with("k < n", "k += a.dim(0) - 1;"),
        kernel_with("k <= n", "k += 1;"),
        kernel_with("k < 2147483641", "k += 8;"),
    ] {
        assert!(is_for(&wraps) && is_loop(&wraps), "{wraps}");
    }
    for other in [
        kernel_with("k != n", "k += 1;"),
        kernel_with("k < n", "k -= 1;"),
        kernel_with("k < n", "k += 0;"),
        kernel_with("k < n", "k += n / 2;"),
        kernel_with("k < n", "let s = k + n; k += s;"),
        kernel_with("k < n", "let s = n; k += s;"),
        kernel_with("k < n", "k += k;"),
    ] {
        assert!(!is_for(&other), "{other}");
    }
}

/// Checks that the initial value of a reduction and the padding of a view may be constant
/// expressions.
#[test]
fn floats_are_constants_through_arithmetic_and_variables() {
    let reduced = |before: &str, initial: &str| {
        let text = body_ir(&format!(
            "{before} let s = a.load([0], [64]).reduce(0, {initial}, |x, y| x + y); c.store([0], full([64], s));"
        ));
        let line = text.lines().find(|line| line.contains("identities="));
        let line = line.expect("a reduction").to_owned();
        line[line.find("identities=").unwrap_or_default()..].to_owned()
    };
    for (before, initial) in [
        ("", "1.0 - 1.5"),
        ("", "-(0.25 + 0.25)"),
        ("", "-1.0 / 2 as f32"),
        ("let half = 0.5;", "-half"),
        ("let one = 1.0_f32; let two = one + one;", "-one / two"),
        ("let (p, q) = (1.5, 2.0);", "p - q"),
    ] {
        assert_eq!(
            reduced(before, initial),
            reduced("", "-0.5"),
            "{before} {initial}"
        );
    }
    let padded = |before: &str, number: &str| {
        body_ir(&format!(
            "{before} c.store([0], a.load_padded([0], [64], {number}));"
        ))
    };
    assert_eq!(
        padded("let limit = 2.0_f32 * 3.0;", "limit + 1.0"),
        padded("let limit = 2.0_f32 * 3.0;", "7.0")
    );
}
