// test: verify
// Numbers of one width and shape.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %i16 = constant <i16: 1> : tile<4xi16>
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i32_s = constant <i32: 1> : tile<i32>
    %i32_8 = constant <i32: 1> : tile<8xi32>
    %r0 = bitcast %i1 : tile<4xi1> -> tile<4xi1>
    %r1 = bitcast %i8 : tile<4xi8> -> tile<4xf8E5M2>
    %r2 = bitcast %f8E8M0FNU : tile<4xf8E8M0FNU> -> tile<4xf8E4M3FN>
    %r3 = bitcast %i16 : tile<4xi16> -> tile<4xbf16>
    %r4 = bitcast %f16 : tile<4xf16> -> tile<4xbf16>
    %r5 = bitcast %i32 : tile<4xi32> -> tile<4xf32>
    %r6 = bitcast %f64 : tile<4xf64> -> tile<4xi64>
    %r7 = bitcast %tf32 : tile<4xtf32> -> tile<4xtf32>
    %r8 = bitcast %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xf4E2M1FN>
    %r9 = bitcast %i1 : tile<4xi1> -> tile<4xi8> // error[T0301]: expected types of equal width, found `i1` and `i8`
    %r10 = bitcast %tf32 : tile<4xtf32> -> tile<4xf32> // error[T0301]: expected types of equal width, found `tf32` and `f32`
    %r11 = bitcast %i32 : tile<4xi32> -> tile<4xtf32> // error[T0301]: expected types of equal width, found `i32` and `tf32`
    %r12 = bitcast %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xi8> // error[T0301]: expected types of equal width, found `f4E2M1FN` and `i8`
    %r13 = bitcast %i32 : tile<4xi32> -> tile<4xi64> // error[T0301]: expected types of equal width, found `i32` and `i64`
    %r14 = bitcast %f64 : tile<4xf64> -> tile<4xf32> // error[T0301]: expected types of equal width, found `f64` and `f32`
    %r15 = bitcast %i4 : tile<4xi4> -> tile<4xi4> // error[T0301]: expected `source` to be a tile of numbers other than i4, found `tile<4xi4>`
// error[T0303]: expected `result` to be a tile of numbers other than i4, found `tile<4xi4>`
    %r16 = bitcast %i4 : tile<4xi4> -> tile<4xf4E2M1FN> // error[T0301]: expected `source` to be a tile of numbers other than i4, found `tile<4xi4>`
    %r17 = bitcast %f4E2M1FN : tile<4xf4E2M1FN> -> tile<4xi4> // error[T0303]: expected `result` to be a tile of numbers other than i4, found `tile<4xi4>`
    %r18 = bitcast %p_f32 : tile<4xptr<f32>> -> tile<4xi64> // error[T0301]: expected `source` to be a tile of numbers other than i4, found `tile<4xptr<f32>>`
    %r19 = bitcast %i64 : tile<4xi64> -> tile<4xptr<f32>> // error[T0303]: expected `result` to be a tile of numbers other than i4, found `tile<4xptr<f32>>`
    %r20 = bitcast %i32_s : tile<i32> -> tile<f32>
    %r21 = bitcast %i32 : tile<4xi32> -> tile<8xf32> // error[T0303]: expected `result` of shape `(4)`, found `(8)`
    %r22 = bitcast %i32 : tile<4xi32> -> tile<f32> // error[T0303]: expected `result` of shape `(4)`, found `()`
    %r23 = bitcast %i32_8 : tile<8xi32> -> tile<4xi64> // error[T0303]: expected `result` of shape `(8)`, found `(4)`
    return
  }
}
