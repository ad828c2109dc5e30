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
    %r5 = cat %f32_4, %f32_4 dim = 1 : tile<4xf32>, tile<4xf32> -> tile<8xf32>
    %r6 = cat %f32_4x8, %f32_4x8 dim = 2 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    %r7 = cat %f32_s, %f32_s dim = 0 : tile<f32>, tile<f32> -> tile<f32>
    %r8 = cat %f32_4, %f32_4 dim = -1 : tile<4xf32>, tile<4xf32> -> tile<8xf32>
    %r9 = cat %f32_4, %f64_4 dim = 0 : tile<4xf32>, tile<4xf64> -> tile<8xf32>
    %r10 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8xf64>
    %r11 = cat %f32_4, %f32_4x1 dim = 0 : tile<4xf32>, tile<4x1xf32> -> tile<8xf32>
    %r12 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8x1xf32>
    %r13 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<4xf32>
    %r14 = cat %f32_4, %f32_4 dim = 0 : tile<4xf32>, tile<4xf32> -> tile<16xf32>
    %r15 = cat %f32_4, %f32_2 dim = 0 : tile<4xf32>, tile<2xf32> -> tile<8xf32>
    %r16 = cat %f32_4x8, %f32_4x4 dim = 0 : tile<4x8xf32>, tile<4x4xf32> -> tile<8x8xf32>
    %r17 = cat %f32_8x4, %f32_4x4 dim = 1 : tile<8x4xf32>, tile<4x4xf32> -> tile<8x8xf32>
    %r18 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x4xf32>
    %r19 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x16xf32>
    %r20 = cat %f32_4x8, %f32_4x8 dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    %r21 = cat %t, %f32_4 dim = 0 : token, tile<4xf32> -> tile<8xf32>
    return
  }
}
