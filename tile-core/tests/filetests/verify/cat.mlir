// test: verify
// One rank and element type; along `dim` the extents add up, elsewhere they are equal.

cuda_tile.module @m {
  entry @k() {
    %f32_4 = constant <f32: 1.0> : tile<4xf32>
    %f32_4x1 = constant <f32: 1.0> : tile<4x1xf32>
    %f32_4x8 = constant <f32: 1.0> : tile<4x8xf32>
    %i64_4 = constant <i64: 1> : tile<4xi64>
    %p_f32_4 = int_to_ptr %i64_4 : tile<4xi64> -> tile<4xptr<f32>>
    %i8_4 = constant <i8: 1> : tile<4xi8>
    %i4_4 = trunci %i8_4 : tile<4xi8> -> tile<4xi4>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %f64_4 = constant <f64: 1.0> : tile<4xf64>
    %f32_2 = constant <f32: 1.0> : tile<2xf32>
    %f32_4x4 = constant <f32: 1.0> : tile<4x4xf32>
    %f32_8x4 = constant <f32: 1.0> : tile<8x4xf32>
    %t = make_token : token
    %r0 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8xf32>
    %r1 = cat %f32_4x1, %f32_4x1 dim = 0 : tile<4x1xf32>, tile<4x1xf32> -> tile<8x1xf32>
    %r2 = cat %f32_4x8, %f32_4x8 dim = 1 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    %r3 = cat %p_f32_4, %p_f32_4 dim = 0 : tile<4xptr<f32>>, tile<4xptr<f32>> -> tile<8xptr<f32>>
    %r4 = cat %i4_4, %i4_4 dim = 0 : tile<4xi4>, tile<4xi4> -> tile<8xi4>
    %r5 = cat %f32_4, %f32_4 dim = 1 : tile<4xf32>, tile<4xf32> -> tile<8xf32> // error[T0302]: expected `dim` to be in [0, 1), found 1
    %r6 = cat %f32_4x8, %f32_4x8 dim = 2 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32> // error[T0302]: expected `dim` to be in [0, 2), found 2
    %r7 = cat %f32_s, %f32_s dim = 0 : tile<f32>, tile<f32> -> tile<f32> // error[T0302]: expected `dim` to be in [0, 0), found 0
    %r8 = cat %f32_4, %f32_4 dim = -1 : tile<4xf32>, tile<4xf32> -> tile<8xf32> // error[T0302]: expected `dim` not to be negative, found -1
    %r9 = cat %f32_4, %f64_4 dim = 0 : tile<4xf32>, tile<4xf64> -> tile<8xf32> // error[T0301]: expected `rhs` of element type `f32`, found `f64`
    %r10 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8xf64> // error[T0303]: expected `result` of element type `f32`, found `f64`
    %r11 = cat %f32_4, %f32_4x1 dim = 0 : tile<4xf32>, tile<4x1xf32> -> tile<8xf32> // error[T0301]: expected `rhs` of rank `1`, found `2`
    %r12 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8x1xf32> // error[T0303]: expected `result` of rank `1`, found `2`
    %r13 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<4xf32> // error[T0303]: expected a result with extent 8 along axis 0, found 4
    %r14 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<16xf32> // error[T0303]: expected a result with extent 8 along axis 0, found 16
    %r15 = cat %f32_4, %f32_2 dim = 0 : tile<4xf32>, tile<2xf32> -> tile<8xf32> // error[T0303]: expected a result with extent 6 along axis 0, found 8
    %r16 = cat %f32_4x8, %f32_4x4 dim = 0 : tile<4x8xf32>, tile<4x4xf32> -> tile<8x8xf32> // error[T0301]: expected `rhs` with extent 8 along axis 1, found 4
    %r17 = cat %f32_8x4, %f32_4x4 dim = 1 : tile<8x4xf32>, tile<4x4xf32> -> tile<8x8xf32> // error[T0301]: expected `rhs` with extent 8 along axis 0, found 4
    %r18 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x4xf32> // error[T0303]: expected a result with extent 8 along axis 1, found 4
    %r19 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x16xf32> // error[T0303]: expected a result with extent 8 along axis 1, found 16
    %r20 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32> // error[T0303]: expected a result with extent 8 along axis 0, found 4
    %r21 = cat %t, %f32_4 dim = 0 : token, tile<4xf32> -> tile<8xf32> // error[T0301]: expected `lhs` to be a tile, found `token`
    return
  }
}
