// test: verify
// Pointers and integers of one shape; the result has the type of the pointers.

cuda_tile.module @m {
  entry @k() {
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64_s = constant <i64: 1> : tile<i64>
    %p_f32_s = int_to_ptr %i64_s : tile<i64> -> tile<ptr<f32>>
    %i32_s = constant <i32: 1> : tile<i32>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %r0 = offset %p_f32, %i1 : tile<4xptr<f32>>, tile<4xi1> -> tile<4xptr<f32>>
    %r1 = offset %p_f32, %i8 : tile<4xptr<f32>>, tile<4xi8> -> tile<4xptr<f32>>
    %r2 = offset %p_f32, %i16 : tile<4xptr<f32>>, tile<4xi16> -> tile<4xptr<f32>>
    %r3 = offset %p_f32, %i32 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %r4 = offset %p_f32, %i64 : tile<4xptr<f32>>, tile<4xi64> -> tile<4xptr<f32>>
    %r5 = offset %p_f32_s, %i32_s : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %r6 = offset %p_f32, %i4 : tile<4xptr<f32>>, tile<4xi4> -> tile<4xptr<f32>> // error[T0301]: expected `offset` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r7 = offset %p_f32, %f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xptr<f32>> // error[T0301]: expected `offset` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r8 = offset %i64, %i64 : tile<4xi64>, tile<4xi64> -> tile<4xi64> // error[T0301]: expected `ptr` to be a tile of pointers, found `tile<4xi64>`
// error[T0303]: expected `result` to be a tile of pointers, found `tile<4xi64>`
    %r9 = offset %p_f32, %i32_8 : tile<4xptr<f32>>, tile<8xi32> -> tile<4xptr<f32>> // error[T0301]: expected `offset` of shape `(4)`, found `(8)`
    %r10 = offset %p_f32, %i32_s : tile<4xptr<f32>>, tile<i32> -> tile<4xptr<f32>> // error[T0301]: expected `offset` of shape `(4)`, found `()`
    %r11 = offset %p_f32, %i32 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f64>> // error[T0303]: expected `result` of type `tile<4xptr<f32>>`, found `tile<4xptr<f64>>`
    %r12 = offset %p_f32, %i32 : tile<4xptr<f32>>, tile<4xi32> -> tile<8xptr<f32>> // error[T0303]: expected `result` of type `tile<4xptr<f32>>`, found `tile<8xptr<f32>>`
// error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r13 = offset %p_f32, %p_f32 : tile<4xptr<f32>>, tile<4xptr<f32>> -> tile<4xptr<f32>> // error[T0301]: expected `offset` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
    return
  }
}
