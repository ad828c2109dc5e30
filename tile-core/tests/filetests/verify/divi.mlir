// test: verify
// Element types, rounding; an unsigned quotient is not rounded down.

cuda_tile.module @m {
  entry @k() {
    %i1 = constant <i1: true> : tile<4xi1>
    %i8 = constant <i8: 1> : tile<4xi8>
    %i16 = constant <i16: 1> : tile<4xi16>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %i64_s = constant <i64: 1> : tile<i64>
    %i64_2x4 = constant <i64: 1> : tile<2x4xi64>
    %i4 = trunci %i8 : tile<4xi8> -> tile<4xi4>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %i64_8 = constant <i64: 1> : tile<8xi64>
    %r0 = divi %i1, %i1 signed : tile<4xi1>
    %r1 = divi %i8, %i8 signed : tile<4xi8>
    %r2 = divi %i16, %i16 signed : tile<4xi16>
    %r3 = divi %i32, %i32 signed : tile<4xi32>
    %r4 = divi %i64, %i64 signed : tile<4xi64>
    %r5 = divi %i64_s, %i64_s signed : tile<i64>
    %r6 = divi %i64_2x4, %i64_2x4 signed : tile<2x4xi64>
    %r7 = divi %i4, %i4 signed : tile<4xi4> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xi4>`
    %r8 = divi %f32, %f32 signed : tile<4xf32> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xf32>`
    %r9 = divi %p_f32, %p_f32 signed : tile<4xptr<f32>> // error[T0301]: expected `lhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
// error[T0301]: expected `rhs` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of i1, i8, i16, i32 or i64, found `tile<4xptr<f32>>`
    %r10 = divi %i64, %i64_8 signed : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<4xi64>`, found `tile<8xi64>`
    %r11 = divi %i64_8, %i64 signed : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<8xi64>`, found `tile<4xi64>`
// error[T0303]: expected `result` of type `tile<8xi64>`, found `tile<4xi64>`
    %r12 = divi %i64, %i1 signed : tile<4xi64> // error[T0301]: expected `rhs` of type `tile<4xi64>`, found `tile<4xi1>`
    %r13 = divi %i64, %i64 signed : tile<8xi64> // error[T0303]: expected `result` of type `tile<4xi64>`, found `tile<8xi64>`
    %r14 = divi %i32, %i32 signed rounding<nearest_even> : tile<4xi32> // error[T0302]: `rounding<nearest_even>` is not allowed here
    %r15 = divi %i32, %i32 unsigned rounding<nearest_even> : tile<4xi32> // error[T0302]: `rounding<nearest_even>` is not allowed here
    %r16 = divi %i32, %i32 signed rounding<zero> : tile<4xi32>
    %r17 = divi %i32, %i32 unsigned rounding<zero> : tile<4xi32>
    %r18 = divi %i32, %i32 signed rounding<negative_inf> : tile<4xi32>
    %r19 = divi %i32, %i32 unsigned rounding<negative_inf> : tile<4xi32> // error[T0302]: `rounding<negative_inf>` on an unsigned division
    %r20 = divi %i32, %i32 signed rounding<positive_inf> : tile<4xi32>
    %r21 = divi %i32, %i32 unsigned rounding<positive_inf> : tile<4xi32>
    %r22 = divi %i32, %i32 signed rounding<approx> : tile<4xi32> // error[T0302]: `rounding<approx>` is not allowed here
    %r23 = divi %i32, %i32 unsigned rounding<approx> : tile<4xi32> // error[T0302]: `rounding<approx>` is not allowed here
    %r24 = divi %i32, %i32 signed rounding<full> : tile<4xi32> // error[T0302]: `rounding<full>` is not allowed here
    %r25 = divi %i32, %i32 unsigned rounding<full> : tile<4xi32> // error[T0302]: `rounding<full>` is not allowed here
    %r26 = divi %i32, %i32 signed rounding<nearest_int_to_zero> : tile<4xi32> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    %r27 = divi %i32, %i32 unsigned rounding<nearest_int_to_zero> : tile<4xi32> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    return
  }
}
