// test: verify
// One element type and number of elements.

cuda_tile.module @m {
  entry @k() {
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f32_1x1 = constant <f32: 1.0> : tile<1x1xf32>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %p_f32_2x4 = int_to_ptr %i64_2x4 : tile<2x4xi64> -> tile<2x4xptr<f32>>
    %i8_2x4 = constant <i8: 1> : tile<2x4xi8>
    %i4_2x4 = trunci %i8_2x4 : tile<2x4xi8> -> tile<2x4xi4>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r0 = reshape %f32_2x4 : tile<2x4xf32> -> tile<8xf32>
    %r1 = reshape %f32_s : tile<f32> -> tile<1x1xf32>
    %r2 = reshape %f32_1x1 : tile<1x1xf32> -> tile<f32>
    %r3 = reshape %p_f32_2x4 : tile<2x4xptr<f32>> -> tile<4x2xptr<f32>>
    %r4 = reshape %i4_2x4 : tile<2x4xi4> -> tile<4x2xi4>
    %r5 = reshape %f32_2x4 : tile<2x4xf32> -> tile<4xf32> // error[T0301]: expected 8 elements, found 4
    %r6 = reshape %f32_2x4 : tile<2x4xf32> -> tile<16xf32> // error[T0301]: expected 8 elements, found 16
    %r7 = reshape %f32_s : tile<f32> -> tile<2xf32> // error[T0301]: expected 1 elements, found 2
    %r8 = reshape %f32_2x4 : tile<2x4xf32> -> tile<8xi32> // error[T0303]: expected `result` of element type `f32`, found `i32`
    %r9 = reshape %p_f32 : tile<4xptr<f32>> -> tile<4xptr<i32>> // error[T0303]: expected `result` of element type `ptr<f32>`, found `ptr<i32>`
    return
  }
}
