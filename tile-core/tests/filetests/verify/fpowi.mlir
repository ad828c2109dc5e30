// test: verify
// Element types, the width of the exponent, one shape.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %p_i32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<i32>>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i32_s = constant <i32: 1> : tile<i32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %r0 = fpowi %f16, %i32 : tile<4xf16>, tile<4xi32>
    %r1 = fpowi %bf16, %i32 : tile<4xbf16>, tile<4xi32>
    %r2 = fpowi %f32, %i32 : tile<4xf32>, tile<4xi32>
    %r3 = fpowi %f64, %i32 : tile<4xf64>, tile<4xi32>
    %r4 = fpowi %f32, %i1 : tile<4xf32>, tile<4xi1>
    %r5 = fpowi %f32, %i8 : tile<4xf32>, tile<4xi8>
    %r6 = fpowi %f32, %i16 : tile<4xf32>, tile<4xi16>
    %r7 = fpowi %tf32, %i32 : tile<4xtf32>, tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r8 = fpowi %f8E5M2, %i32 : tile<4xf8E5M2>, tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r9 = fpowi %i32, %i32 : tile<4xi32>, tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r10 = fpowi %p_f32, %i32 : tile<4xptr<f32>>, tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r11 = fpowi %f32, %i64 : tile<4xf32>, tile<4xi64> // error[T0301]: expected `exponent` of i1, i8, i16 or i32, found `tile<4xi64>`
    %r12 = fpowi %f32, %i4 : tile<4xf32>, tile<4xi4> // error[T0301]: expected `exponent` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r13 = fpowi %f32, %f32 : tile<4xf32>, tile<4xf32> // error[T0301]: expected `exponent` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r14 = fpowi %f32, %p_i32 : tile<4xf32>, tile<4xptr<i32>> // error[T0301]: expected `exponent` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<i32>>`
    %r15 = fpowi %f32_s, %i32_s : tile<f32>, tile<i32>
    %r16 = fpowi %f32, %i32_8 : tile<4xf32>, tile<8xi32> // error[T0301]: expected `exponent` of shape `(4)`, found `(8)`
    %r17 = fpowi %f32, %i32_s : tile<4xf32>, tile<i32> // error[T0301]: expected `exponent` of shape `(4)`, found `()`
    return
  }
}
