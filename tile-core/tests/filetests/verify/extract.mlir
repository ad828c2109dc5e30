// test: verify
// One rank and element type, extents that divide, an index per axis; a constant index out of range is a warning.

cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %f32_8 = constant <f32: 1.0> : tile<8xf32>
    %f32_8x16 = constant <f32: 1.0> : tile<8x16xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i64_8 = constant <i64: 1> : tile<8xi64>
    %p_f32_8 = int_to_ptr %i64_8 : tile<8xi64> -> tile<8xptr<f32>>
    %i8_8 = constant <i8: 1> : tile<8xi8>
    %i4_8 = trunci %i8_8 : tile<8xi8> -> tile<8xi4>
    %f32_8x8 = constant <f32: 1.0> : tile<8x8xf32>
    %i64_s = constant <i64: 1> : tile<i64>
    %i32_1 = constant <i32: 1> : tile<1xi32>
    %z = constant <i32: 0> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %sum = addi %four, %four : tile<i32>
    %max = constant <i32: 2147483647> : tile<i32>
    %r0 = extract %f32_8[%z] : tile<8xf32> -> tile<2xf32>
    %r1 = extract %f32_8[%three] : tile<8xf32> -> tile<2xf32>
    %r2 = extract %f32_8[%four] : tile<8xf32> -> tile<2xf32> // warning[T0301]: index 4 along axis 0 is out of range
    %r3 = extract %f32_8[%minus] : tile<8xf32> -> tile<2xf32> // warning[T0301]: index -1 along axis 0 is out of range
    %r4 = extract %f32_8[%max] : tile<8xf32> -> tile<2xf32> // warning[T0301]: index 2147483647 along axis 0 is out of range
    %r5 = extract %f32_8[%sum] : tile<8xf32> -> tile<2xf32>
    %r6 = extract %f32_8[%n] : tile<8xf32> -> tile<2xf32>
    %r7 = extract %f32_8[%z] : tile<8xf32> -> tile<8xf32>
    %r8 = extract %f32_8x16[%three, %four] : tile<8x16xf32> -> tile<2x4xf32> // warning[T0301]: index 4 along axis 1 is out of range
    %r9 = extract %f32_8x16[%four, %three] : tile<8x16xf32> -> tile<2x4xf32> // warning[T0301]: index 4 along axis 0 is out of range
    %r10 = extract %f32_8x16[%four, %four] : tile<8x16xf32> -> tile<2x4xf32> // warning[T0301]: index 4 along axis 0 is out of range
// warning[T0301]: index 4 along axis 1 is out of range
    %r11 = extract %f32_s[] : tile<f32> -> tile<f32>
    %r12 = extract %p_f32_8[%z] : tile<8xptr<f32>> -> tile<2xptr<f32>>
    %r13 = extract %i4_8[%z] : tile<8xi4> -> tile<2xi4>
    %r14 = extract %f32_8[%z] : tile<8xf32> -> tile<16xf32> // error[T0301]: expected slices whose extent divides 8 along axis 0, found 16
    %r15 = extract %f32_8x8[%z, %z] : tile<8x8xf32> -> tile<2x16xf32> // error[T0301]: expected slices whose extent divides 8 along axis 1, found 16
    %r16 = extract %f32_8x8[%z, %z] : tile<8x8xf32> -> tile<16x2xf32> // error[T0301]: expected slices whose extent divides 8 along axis 0, found 16
    %r17 = extract %f32_8[%z] : tile<8xf32> -> tile<2xf64> // error[T0303]: expected `result` of element type `f32`, found `f64`
    %r18 = extract %f32_8[%z] : tile<8xf32> -> tile<2x2xf32> // error[T0303]: expected `result` of rank `1`, found `2`
    %r19 = extract %f32_8[%z, %z] : tile<8xf32> -> tile<2xf32> // error[T0301]: expected 1 indices, found 2
    %r20 = extract %f32_8[] : tile<8xf32> -> tile<2xf32> // error[T0301]: expected 1 indices, found 0
    %r21 = extract %f32_s[%z] : tile<f32> -> tile<f32> // error[T0301]: expected 0 indices, found 1
    %r22 = extract %f32_8[%i64_s] : tile<8xf32> -> tile<2xf32> // error[T0301]: expected `indices` to be a rank-0 tile of i32, found `tile<i64>`
    %r23 = extract %f32_8[%i32_1] : tile<8xf32> -> tile<2xf32> // error[T0301]: expected `indices` to be a rank-0 tile of i32, found `tile<1xi32>`
    %r24 = extract %f32_8[%f32_s] : tile<8xf32> -> tile<2xf32> // error[T0301]: expected `indices` to be a rank-0 tile of i32, found `tile<f32>`
    return
  }
}
