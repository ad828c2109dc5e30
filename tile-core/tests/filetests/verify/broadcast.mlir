// test: verify
// One element type and rank; extents are equal or grow from one.

cuda_tile.module @m {
  entry @k() {
    %f32_1x4 = constant <f32: 1.0> : tile<1x4xf32>
    %f32_1x1 = constant <f32: 1.0> : tile<1x1xf32>
    %f32_2x4 = constant <f32: 1.0> : tile<2x4xf32>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i64_1 = constant <i64: 1> : tile<1xi64>
    %p_f32_1 = int_to_ptr %i64_1 : tile<1xi64> -> tile<1xptr<f32>>
    %i8_1 = constant <i8: 1> : tile<1xi8>
    %i4_1 = trunci %i8_1 : tile<1xi8> -> tile<1xi4>
    %f32_2x1 = constant <f32: 1.0> : tile<2x1xf32>
    %f32_1x2 = constant <f32: 1.0> : tile<1x2xf32>
    %f32_4 = constant <f32: 1.0> : tile<4xf32>
    %f32_1 = constant <f32: 1.0> : tile<1xf32>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %t = make_token : token
    %r0 = broadcast %f32_1x4 : tile<1x4xf32> -> tile<2x4xf32>
    %r1 = broadcast %f32_1x1 : tile<1x1xf32> -> tile<2x4xf32>
    %r2 = broadcast %f32_2x4 : tile<2x4xf32> -> tile<2x4xf32>
    %r3 = broadcast %f32_s : tile<f32> -> tile<f32>
    %r4 = broadcast %p_f32_1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %r5 = broadcast %i4_1 : tile<1xi4> -> tile<8xi4>
    %r6 = broadcast %f32_2x4 : tile<2x4xf32> -> tile<4x4xf32> // error[T0301]: cannot broadcast shape (2, 4) to (4, 4)
    %r7 = broadcast %f32_2x1 : tile<2x1xf32> -> tile<4x4xf32> // error[T0301]: cannot broadcast shape (2, 1) to (4, 4)
    %r8 = broadcast %f32_1x2 : tile<1x2xf32> -> tile<4x4xf32> // error[T0301]: cannot broadcast shape (1, 2) to (4, 4)
    %r9 = broadcast %f32_4 : tile<4xf32> -> tile<1xf32> // error[T0301]: cannot broadcast shape (4) to (1)
    %r10 = broadcast %f32_s : tile<f32> -> tile<1xf32> // error[T0303]: expected `result` of rank `0`, found `1`
    %r11 = broadcast %f32_4 : tile<4xf32> -> tile<1x4xf32> // error[T0303]: expected `result` of rank `1`, found `2`
    %r12 = broadcast %f32_1 : tile<1xf32> -> tile<4xf64> // error[T0303]: expected `result` of element type `f32`, found `f64`
    %r13 = broadcast %p_f32_1 : tile<1xptr<f32>> -> tile<4xptr<f64>> // error[T0303]: expected `result` of element type `ptr<f32>`, found `ptr<f64>`
    %r14 = broadcast %t : token -> tile<4xf32> // error[T0301]: expected `source` to be a tile, found `token`
    %r15 = broadcast %f32 : tile<4xf32> -> token // error[T0303]: expected `result` to be a tile, found `token`
    return
  }
}
