// test: verify
// One rank and element type, extents that divide, an index per axis; a constant index out of range is a warning.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %f32_2 = constant <f32: 1.0> : tile<2xf32>
    %f32_8 = constant <f32: 1.0> : tile<8xf32>
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32_8x16 = constant <f32: 1.0> : tile<8x16xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i64_2 = constant <i64: 1> : tile<2xi64>
    %p_f32_2 = int_to_ptr %i64_2 : tile<2xi64> -> tile<2xptr<f32>>
    %i64_8 = constant <i64: 1> : tile<8xi64>
    %p_f32_8 = int_to_ptr %i64_8 : tile<8xi64> -> tile<8xptr<f32>>
    %f32_16 = constant <f32: 1.0> : tile<16xf32>
    %f32_2x16 = constant <f32: 1.0> : tile<2x16xf32>
    %f32_8x8 = constant <f32: 1.0> : tile<8x8xf32>
    %f64_2 = constant <f64: 1.0> : tile<2xf64>
    %f32_2x2 = constant <f32: 1.0> : tile<2x2xf32>
    %i64_s = constant <i64: 1> : tile<i64>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %z = constant <i32: 0> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %sum = addi %four, %four : tile<i32>
    %max = constant <i32: 2147483647> : tile<i32>
    %r0 = insert %f32_2, %f32_8[%z] : tile<2xf32>, tile<8xf32>
    %r1 = insert %f32_2, %f32_8[%three] : tile<2xf32>, tile<8xf32>
    %r2 = insert %f32_2, %f32_8[%four] : tile<2xf32>, tile<8xf32> // warning[T0301]: index 4 along axis 0 is out of range
    %r3 = insert %f32_2, %f32_8[%minus] : tile<2xf32>, tile<8xf32> // warning[T0301]: index -1 along axis 0 is out of range
    %r4 = insert %f32_2, %f32_8[%n] : tile<2xf32>, tile<8xf32>
    %r5 = insert %f32_8, %f32_8[%z] : tile<8xf32>, tile<8xf32>
    %r6 = insert %f32_2x4, %f32_8x16[%three, %four] : tile<2x4xf32>, tile<8x16xf32> // warning[T0301]: index 4 along axis 1 is out of range
    %r7 = insert %f32_s, %f32_s[] : tile<f32>, tile<f32>
    %r8 = insert %p_f32_2, %p_f32_8[%z] : tile<2xptr<f32>>, tile<8xptr<f32>>
    %r9 = insert %f32_16, %f32_8[%z] : tile<16xf32>, tile<8xf32> // error[T0301]: expected slices whose extent divides 8 along axis 0, found 16
    %r10 = insert %f32_2x16, %f32_8x8[%z, %z] : tile<2x16xf32>, tile<8x8xf32> // error[T0301]: expected slices whose extent divides 8 along axis 1, found 16
    %r11 = insert %f64_2, %f32_8[%z] : tile<2xf64>, tile<8xf32> // error[T0301]: expected `source` of element type `f32`, found `f64`
    %r12 = insert %f32_2x2, %f32_8[%z] : tile<2x2xf32>, tile<8xf32> // error[T0301]: expected `source` of rank `1`, found `2`
    %r13 = insert %f32_2, %f32_8[%z, %z] : tile<2xf32>, tile<8xf32> // error[T0301]: expected 1 indices, found 2
    %r14 = insert %f32_2, %f32_8[] : tile<2xf32>, tile<8xf32> // error[T0301]: expected 1 indices, found 0
    %r15 = insert %f32_2, %f32_8[%i64_s] : tile<2xf32>, tile<8xf32> // error[T0301]: expected `indices` to be a rank-0 tile of i32, found `tile<i64>`
    %r16 = insert %f32_2, %f32_8[%i32_1] : tile<2xf32>, tile<8xf32> // error[T0301]: expected `indices` to be a rank-0 tile of i32, found `tile<1xi32>`
    return
  }
}
