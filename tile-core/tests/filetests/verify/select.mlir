// test: verify
// Values of one type, a condition of their shape; not f4E2M1FN.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E4M3FN = constant <f8E4M3FN: 1.0> : tile<4xf8E4M3FN>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %p_f4E2M1FN = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f4E2M1FN>>
    %i1_s = constant <i1: true> : tile<i1>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i1_8 = constant <i1: true> : tile<8xi1>
    %f32_8 = constant <f32: 1.0> : tile<8xf32>
    %t = make_token : token
    %r0 = select %i1, %i1, %i1 : tile<4xi1>, tile<4xi1>
    %r1 = select %i1, %i8, %i8 : tile<4xi1>, tile<4xi8>
    %r2 = select %i1, %i16, %i16 : tile<4xi1>, tile<4xi16>
    %r3 = select %i1, %i32, %i32 : tile<4xi1>, tile<4xi32>
    %r4 = select %i1, %i64, %i64 : tile<4xi1>, tile<4xi64>
    %r5 = select %i1, %f16, %f16 : tile<4xi1>, tile<4xf16>
    %r6 = select %i1, %bf16, %bf16 : tile<4xi1>, tile<4xbf16>
    %r7 = select %i1, %f32, %f32 : tile<4xi1>, tile<4xf32>
    %r8 = select %i1, %f64, %f64 : tile<4xi1>, tile<4xf64>
    %r9 = select %i1, %tf32, %tf32 : tile<4xi1>, tile<4xtf32>
    %r10 = select %i1, %f8E4M3FN, %f8E4M3FN : tile<4xi1>, tile<4xf8E4M3FN>
    %r11 = select %i1, %f8E5M2, %f8E5M2 : tile<4xi1>, tile<4xf8E5M2>
    %r12 = select %i1, %f8E8M0FNU, %f8E8M0FNU : tile<4xi1>, tile<4xf8E8M0FNU>
    %r13 = select %i1, %f4E2M1FN, %f4E2M1FN : tile<4xi1>, tile<4xf4E2M1FN> // error[T0303]: cannot select from `tile<4xf4E2M1FN>`
    %r14 = select %i1, %i4, %i4 : tile<4xi1>, tile<4xi4>
    %r15 = select %i1, %p_f32, %p_f32 : tile<4xi1>, tile<4xptr<f32>>
    %r16 = select %i1, %p_f4E2M1FN, %p_f4E2M1FN : tile<4xi1>, tile<4xptr<f4E2M1FN>>
    %r17 = select %i1_s, %f32_s, %f32_s : tile<i1>, tile<f32>
    %r18 = select %i1_8, %f32, %f32 : tile<8xi1>, tile<4xf32> // error[T0303]: expected `result` of shape `(8)`, found `(4)`
    %r19 = select %i1_s, %f32, %f32 : tile<i1>, tile<4xf32> // error[T0303]: expected `result` of shape `()`, found `(4)`
    %r20 = select %i8, %f32, %f32 : tile<4xi8>, tile<4xf32> // error[T0301]: expected `cond` to be a tile of i1, found `tile<4xi8>`
    %r21 = select %i1, %f32, %f64 : tile<4xi1>, tile<4xf32> // error[T0301]: expected `val_if_false` of type `tile<4xf32>`, found `tile<4xf64>`
    %r22 = select %i1, %f32_8, %f32 : tile<4xi1>, tile<4xf32> // error[T0301]: expected `val_if_false` of type `tile<8xf32>`, found `tile<4xf32>`
// error[T0303]: expected `result` of type `tile<8xf32>`, found `tile<4xf32>`
    %r23 = select %i1, %f32, %f32_8 : tile<4xi1>, tile<4xf32> // error[T0301]: expected `val_if_false` of type `tile<4xf32>`, found `tile<8xf32>`
    %r24 = select %i1, %f32, %f32 : tile<4xi1>, tile<4xf64> // error[T0303]: expected `result` of type `tile<4xf32>`, found `tile<4xf64>`
    %r25 = select %i1, %t, %t : tile<4xi1>, token // error[T0301]: expected `val_if_true` to be a tile, found `token`
// error[T0301]: expected `val_if_false` to be a tile, found `token`
// error[T0303]: expected `result` to be a tile, found `token`
    return
  }
}
