// test: verify
// Element types; rounding `approx`, on f32 only, or `full`.

cuda_tile.module @m {
  entry @k() {
    %f16 = constant <f16: 1.0> : tile<4xf16>
    %bf16 = constant <bf16: 1.0> : tile<4xbf16>
    %f32 = constant <f32: 1.0> : tile<4xf32>
    %f64 = constant <f64: 1.0> : tile<4xf64>
    %f64_s = constant <f64: 1.0> : tile<f64>
    %f64_2x4 = constant <f64: 1.0> : tile<2x4xf64>
    %tf32 = constant <tf32: 1.0> : tile<4xtf32>
    %f8E5M2 = constant <f8E5M2: 1.0> : tile<4xf8E5M2>
    %f8E8M0FNU = constant <f8E8M0FNU: 1.0> : tile<4xf8E8M0FNU>
    %f4E2M1FN = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
    %i32 = constant <i32: 1> : tile<4xi32>
    %i64 = constant <i64: 1> : tile<4xi64>
    %p_f32 = int_to_ptr %i64 : tile<4xi64> -> tile<4xptr<f32>>
    %r0 = exp %f16 : tile<4xf16>
    %r1 = exp %bf16 : tile<4xbf16>
    %r2 = exp %f32 : tile<4xf32>
    %r3 = exp %f64 : tile<4xf64>
    %r4 = exp %f64_s : tile<f64>
    %r5 = exp %f64_2x4 : tile<2x4xf64>
    %r6 = exp %tf32 : tile<4xtf32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xtf32>`
    %r7 = exp %f8E5M2 : tile<4xf8E5M2> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E5M2>`
    %r8 = exp %f8E8M0FNU : tile<4xf8E8M0FNU> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf8E8M0FNU>`
    %r9 = exp %f4E2M1FN : tile<4xf4E2M1FN> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xf4E2M1FN>`
    %r10 = exp %i32 : tile<4xi32> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xi32>`
    %r11 = exp %p_f32 : tile<4xptr<f32>> // error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
// error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<4xptr<f32>>`
    %r12 = exp %f64 : tile<8xf64> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<8xf64>`
    %r13 = exp %f64 : tile<4xf16> // error[T0303]: expected `result` of type `tile<4xf64>`, found `tile<4xf16>`
    %r14 = exp %f32 rounding<nearest_even> : tile<4xf32> // error[T0302]: `rounding<nearest_even>` is not allowed here
    %r15 = exp %f64 rounding<nearest_even> : tile<4xf64> // error[T0302]: `rounding<nearest_even>` is not allowed here
    %r16 = exp %f32 rounding<zero> : tile<4xf32> // error[T0302]: `rounding<zero>` is not allowed here
    %r17 = exp %f64 rounding<zero> : tile<4xf64> // error[T0302]: `rounding<zero>` is not allowed here
    %r18 = exp %f32 rounding<negative_inf> : tile<4xf32> // error[T0302]: `rounding<negative_inf>` is not allowed here
    %r19 = exp %f64 rounding<negative_inf> : tile<4xf64> // error[T0302]: `rounding<negative_inf>` is not allowed here
    %r20 = exp %f32 rounding<positive_inf> : tile<4xf32> // error[T0302]: `rounding<positive_inf>` is not allowed here
    %r21 = exp %f64 rounding<positive_inf> : tile<4xf64> // error[T0302]: `rounding<positive_inf>` is not allowed here
    %r22 = exp %f32 rounding<approx> : tile<4xf32>
    %r23 = exp %f64 rounding<approx> : tile<4xf64> // error[T0302]: `rounding<approx>` on `tile<4xf64>`
    %r24 = exp %f32 rounding<full> : tile<4xf32>
    %r25 = exp %f64 rounding<full> : tile<4xf64>
    %r26 = exp %f32 rounding<nearest_int_to_zero> : tile<4xf32> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    %r27 = exp %f64 rounding<nearest_int_to_zero> : tile<4xf64> // error[T0302]: `rounding<nearest_int_to_zero>` is not allowed here
    return
  }
}
