// test: verify
// Floats to integers of their shape.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E4M3FN = constant <f8E4M3FN: 1.0> : tile<4xf8E4M3FN>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %f32_s = constant <f32: 1.0> : tile<f32>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r0 = ftoi %f16 signed : tile<4xf16> -> tile<4xi32>
    %r1 = ftoi %bf16 signed : tile<4xbf16> -> tile<4xi32>
    %r2 = ftoi %f32 signed : tile<4xf32> -> tile<4xi32>
    %r3 = ftoi %f64 signed : tile<4xf64> -> tile<4xi32>
    %r4 = ftoi %tf32 signed : tile<4xtf32> -> tile<4xi32>
    %r5 = ftoi %f8E4M3FN signed : tile<4xf8E4M3FN> -> tile<4xi32>
    %r6 = ftoi %f8E5M2 signed : tile<4xf8E5M2> -> tile<4xi32>
    %r7 = ftoi %f8E8M0FNU signed : tile<4xf8E8M0FNU> -> tile<4xi32>
    %r8 = ftoi %f4E2M1FN signed : tile<4xf4E2M1FN> -> tile<4xi32>
    %r9 = ftoi %f32 unsigned rounding<nearest_int_to_zero> : tile<4xf32> -> tile<4xi1>
    %r10 = ftoi %f32 unsigned rounding<nearest_int_to_zero> : tile<4xf32> -> tile<4xi8>
    %r11 = ftoi %f32 unsigned rounding<nearest_int_to_zero> : tile<4xf32> -> tile<4xi16>
    %r12 = ftoi %f32 unsigned rounding<nearest_int_to_zero> : tile<4xf32> -> tile<4xi32>
    %r13 = ftoi %f32 unsigned rounding<nearest_int_to_zero> : tile<4xf32> -> tile<4xi64>
    %r14 = ftoi %f32_s signed saturating : tile<f32> -> tile<i8>
    %r15 = ftoi %f32 signed : tile<4xf32> -> tile<4xi4> // error[T0303]: expected `to` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r16 = ftoi %i32 signed : tile<4xi32> -> tile<4xi32> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xi32>`
    %r17 = ftoi %f32 signed : tile<4xf32> -> tile<4xf32> // error[T0303]: expected `to` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r18 = ftoi %p_f32 signed : tile<4xptr<f32>> -> tile<4xi64> // error[T0301]: expected `from` to be a tile of floats, found `tile<4xptr<f32>>`
    %r19 = ftoi %f32 signed : tile<4xf32> -> tile<8xi32> // error[T0303]: expected `to` of shape `(4)`, found `(8)`
    return
  }
}
